//! Arabic and Hebrew: which words run from right to left, and in what order the words of a line are read.

use crate::pdf::{PageContent, Word};

/// Whether a letter is written from right to left.
fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}') && c.is_alphabetic()
}

/// Whether a word reads from right to left; `None` for one that has no direction of its own.
fn direction(word: &Word) -> Option<bool> {
    word.text.chars().find(|c| c.is_alphabetic()).map(is_rtl)
}

/// Whether a word may read from right to left: quick to say no.
pub(crate) fn is_candidate(word: &Word) -> bool {
    // Letters from U+0590 on begin with these bytes in UTF-8; so do those of many other scripts.
    word.text.bytes().any(|b| matches!(b, 0xd6..=0xe0 | 0xef)) && direction(word) == Some(true)
}

/// Whether most words of a page that have a direction read from right to left.
pub(crate) fn is_rtl_page(page: &PageContent) -> bool {
    let rtl = page.words.iter().filter(|w| is_candidate(w)).count();
    rtl > 0 && 2 * rtl > page.words.iter().filter(|w| direction(w).is_some()).count()
}

/// The words of a line in the order in which they are read. `words` stand from left to right, or from right to left where
/// the line is `mirrored`.
pub(crate) fn logical(words: &[Word], mirrored: bool) -> Vec<&Word> {
    let mut seen: Vec<&Word> = words.iter().collect();
    if mirrored {
        seen.reverse();
    }
    let directions: Vec<Option<bool>> = seen.iter().map(|w| direction(w)).collect();
    let count = |rtl: bool| directions.iter().filter(|d| **d == Some(rtl)).count();
    let base = count(true) >= count(false).max(1);
    // A word without a direction goes with the words on both its sides where they agree, else with the line.
    let other: Vec<bool> = (0..seen.len())
        .map(|at| match directions.get(at).copied().flatten() {
            Some(rtl) => rtl != base,
            None => {
                let (before, after) = directions.split_at(at);
                let nearest = (before.iter().rev().find_map(|d| *d), after.iter().find_map(|d| *d));
                nearest == (Some(!base), Some(!base))
            }
        })
        .collect();
    let mut order: Vec<(bool, &Word)> = other.into_iter().zip(seen).collect();
    if base {
        order.reverse();
    }
    for stretch in order.chunk_by_mut(|a, b| a.0 == b.0) {
        if stretch.first().is_some_and(|(other, _)| *other) {
            stretch.reverse();
        }
    }
    let mut order: Vec<&Word> = order.into_iter().map(|(_, word)| word).collect();
    if base {
        let is_number = |w: &&Word| w.text.starts_with(|c: char| c.is_ascii_digit());
        for numbers in order.chunk_by_mut(|a, b| is_number(a) && is_number(b)) {
            if is_grouped(numbers) {
                numbers.reverse();
            }
        }
    }
    order
}

/// Whether numbers, from right to left, are the groups of a single one: `3 001`, `1 250 000,5`.
fn is_grouped(numbers: &[&Word]) -> bool {
    let [groups @ .., first] = numbers else { return false };
    let digits = |word: &Word| word.text.bytes().take_while(u8::is_ascii_digit).count();
    let is_first = (1..=3).contains(&first.text.len()) && digits(first) == first.text.len();
    is_first && !groups.is_empty() && groups.iter().all(|group| digits(group) == 3)
}

/// The text of a line of which the words were put down from right to left, as it is read.
pub(crate) fn read_mirrored(text: &str) -> String {
    let words: Vec<Word> = text.split(' ').map(|text| Word { text: text.to_owned(), ..Word::default() }).collect();
    logical(&words, true).iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[&str], mirrored: bool) -> Vec<String> {
        let words: Vec<Word> = words.iter().map(|t| Word { text: (*t).into(), ..Word::default() }).collect();
        logical(&words, mirrored).iter().map(|w| w.text.clone()).collect()
    }

    #[test]
    fn a_line_is_read_from_its_right_but_for_latin_names() {
        let seen = ["החדש.", "World", "Health", "של", "דוח", "זה"];
        let expected = ["זה", "דוח", "של", "World", "Health", "החדש."];
        assert_eq!(texts(&seen, false), expected);
        let mirrored: Vec<&str> = seen.iter().rev().copied().collect();
        assert_eq!(texts(&mirrored, true), expected);
    }

    #[test]
    fn groups_of_a_number_keep_their_order() {
        assert_eq!(texts(&["1", "193", "العدد"], false), ["العدد", "1", "193"]);
        assert_eq!(texts(&["12", "250", "000,5", "العدد"], false), ["العدد", "12", "250", "000,5"]);
        // Two values, and a number before a year.
        assert_eq!(texts(&["2023", "2024", "سنة"], false), ["سنة", "2024", "2023"]);
        assert_eq!(read_mirrored("001 3"), "3 001");
        assert_eq!(read_mirrored("تقرير منظمة Health World"), "تقرير منظمة World Health");
    }

    #[test]
    fn a_hebrew_name_in_english() {
        assert_eq!(
            texts(&["the", "paper", "הארץ", "עיתון", "said", "so"], false),
            ["the", "paper", "עיתון", "הארץ", "said", "so"]
        );
        assert_eq!(texts(&["the", "year", "2024"], false), ["the", "year", "2024"]);
    }
}
