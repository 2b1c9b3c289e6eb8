//! Cutting text that is too long: at sentence ends, else between words, else between characters.

use unicode_segmentation::UnicodeSegmentation;

/// Bytes looked at for one cut to begin with; doubled while all of them fit.
const WINDOW: usize = 4096;

/// Largest `n` up to `len` for which `fits(n)` holds, or 0. `fits` has to be monotonic: what fits also fits shortened.
///
/// Gallops upwards from 1, then bisects, so that nothing much longer than the answer is ever tried.
pub(crate) fn longest(len: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
    let (mut good, mut bad) = (0, len + 1);
    while bad - good > 1 {
        let probe = if bad > len { (good * 2).clamp(1, len) } else { good + (bad - good) / 2 };
        if fits(probe) {
            good = probe;
        } else {
            bad = probe;
        }
    }
    good
}

/// Divides `text` into consecutive parts that each satisfy `fits`. White space at the cuts is dropped, nothing else.
///
/// Sentence ends are those of UAX #29, which serve Korean and English alike. A single character that does not fit
/// becomes a part all the same: the caller leaves room for that much.
pub(crate) fn cut(text: &str, mut fits: impl FnMut(&str) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (part, tail) = rest.split_at(prefix(rest, &mut fits));
        parts.push(part.trim_end());
        rest = tail.trim_start();
    }
    parts
}

/// The beginning of `text` as far as `fits` allows, cut between words where possible and marked with an ellipsis;
/// `None` where all of it fits.
pub(crate) fn clip(text: &str, mut fits: impl FnMut(&str) -> bool) -> Option<String> {
    if fits(text) {
        return None;
    }
    let view = head(text, WINDOW);
    for ends in [word_ends(view), char_ends(view)] {
        let shortened = |n: usize| {
            let end = n.checked_sub(1).and_then(|i| ends.get(i)).copied().unwrap_or(0);
            format!("{}…", view.get(..end).unwrap_or_default())
        };
        let n = longest(ends.len(), |n| fits(&shortened(n)));
        if n > 0 {
            return Some(shortened(n));
        }
    }
    Some("…".to_owned())
}

/// Bytes of the longest beginning that fits, at least one character.
fn prefix(text: &str, fits: &mut impl FnMut(&str) -> bool) -> usize {
    let mut view = head(text, WINDOW);
    while view.len() < text.len() && fits(view.trim_end()) {
        view = head(text, view.len() * 2);
    }
    for ends in [sentence_ends, word_ends, char_ends] {
        let ends = ends(view);
        let end_of = |n: usize| n.checked_sub(1).and_then(|i| ends.get(i)).copied().unwrap_or(0);
        let n = longest(ends.len(), |n| view.get(..end_of(n)).is_some_and(|part| fits(part.trim_end())));
        if n > 0 {
            return end_of(n);
        }
    }
    text.chars().next().map_or(text.len(), char::len_utf8)
}

/// The first `bytes` bytes of `text`, less what would cut a character.
fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

fn sentence_ends(text: &str) -> Vec<usize> {
    text.split_sentence_bound_indices().map(|(at, sentence)| at + sentence.len()).collect()
}

pub(crate) fn word_ends(text: &str) -> Vec<usize> {
    let next = text.chars().skip(1).map(Some).chain([None]);
    text.char_indices()
        .zip(next)
        .filter(|((_, c), next)| !c.is_whitespace() && next.is_none_or(char::is_whitespace))
        .map(|((at, c), _)| at + c.len_utf8())
        .collect()
}

fn char_ends(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, c)| at + c.len_utf8()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up_to(most: usize) -> impl Fn(&str) -> bool {
        move |text| text.chars().count() <= most
    }

    #[test]
    fn longest_is_exact_for_every_length() {
        for len in 0..40 {
            for answer in 0..=len {
                assert_eq!(longest(len, |n| n <= answer), answer);
            }
        }
    }

    #[test]
    fn sentences_then_words_then_characters() {
        assert_eq!(cut("First one. Second one. Third.", up_to(23)), ["First one. Second one.", "Third."]);
        assert_eq!(
            cut("첫 문장이다. 둘째 문장이다. 셋째이다.", up_to(16)),
            ["첫 문장이다. 둘째 문장이다.", "셋째이다."]
        );
        assert_eq!(cut("one two three four", up_to(9)), ["one two", "three", "four"]);
        assert_eq!(cut("가나다라마바사", up_to(3)), ["가나다", "라마바", "사"]);
        assert_eq!(cut("  ", up_to(3)), Vec::<&str>::new());
        assert_eq!(cut("ab", |_| false), ["a", "b"]);
    }

    #[test]
    fn long_text_is_cut_completely() {
        let text = "word ".repeat(20_000);
        let parts = cut(&text, up_to(9_000));
        assert!(parts.iter().all(|p| p.len() <= 9_000) && parts.len() <= 13);
        assert_eq!(parts.join(" "), text.trim());
    }

    #[test]
    fn clipping() {
        assert_eq!(clip("one two three", up_to(20)), None);
        assert_eq!(clip("one two three", up_to(9)).as_deref(), Some("one two…"));
        assert_eq!(clip("가나다라마바사", up_to(4)).as_deref(), Some("가나다…"));
    }
}
