//! Dividing running text at its strongest separators, as the `semchunk` library does.
//!
//! The separator is the longest run of line ends, else of tabs, else of white space, else the first kind of punctuation
//! in the text; single spaces behind punctuation come before other ones. What lies between is put together while it
//! fits, and divided further where it does not fit alone.

use crate::chunk::cut::{cut, longest};

/// Punctuation at which text is divided, strongest first: ends of sentences, of clauses, interruptions, within words.
const MARKS: [char; 24] = [
    '.', '?', '!', '*', ';', ',', '(', ')', '[', ']', '“', '”', '‘', '’', '\'', '"', '`', ':', '—', '…', '/', '\\',
    '–', '&',
];
/// The weakest of all.
const HYPHEN: char = '-';
/// Deepest division: each kind of separator is used up at its level, only the lengths of blank runs are without end.
const MAX_DEPTH: usize = 64;

/// Parts of `text` that each satisfy `fits`, in order; only white space between them is left out.
pub(super) fn divide(text: &str, fits: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    divide_at(text, 0, text.len(), &fits, 0, &mut parts);
    let parts = parts.into_iter().filter_map(|(from, to)| text.get(from..to));
    parts.filter(|part| !part.trim().is_empty()).collect()
}

/// Adds the parts of `text[from..to]`.
fn divide_at(
    text: &str,
    from: usize,
    to: usize,
    fits: &impl Fn(&str) -> bool,
    depth: usize,
    parts: &mut Vec<(usize, usize)>,
) {
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let whole = part(from, to);
    if depth >= MAX_DEPTH {
        let mut at = from;
        for piece in cut(whole, fits) {
            let start = part(at, to).find(piece).map_or(at, |skipped| at + skipped);
            at = start + piece.len();
            parts.push((start, at));
        }
        return;
    }
    let (splits, visible) = split(whole);
    let splits: Vec<(usize, usize)> = splits.into_iter().map(|(a, b)| (from + a, from + b)).collect();
    let mut rest = splits.as_slice();
    while let Some((&(start, end), after)) = rest.split_first() {
        if fits(part(start, end)) || whole.chars().nth(1).is_none() {
            let end_of = |n: usize| n.checked_sub(1).and_then(|i| rest.get(i)).map_or(start, |split| split.1);
            let count = longest(rest.len(), |n| n <= 1 || fits(part(start, end_of(n)))).max(1);
            parts.push((start, end_of(count)));
            rest = rest.get(count..).unwrap_or_default();
        } else {
            divide_at(text, start, end, fits, depth + 1, parts);
            rest = after;
        }
        // White space is dropped where it separates parts; a mark stays with the part before it if it fits there.
        let next = rest.first().map(|split| split.0);
        if let (true, Some(next), Some(last)) = (visible, next, parts.last_mut()) {
            if fits(part(last.0, next)) {
                last.1 = next;
            } else {
                let mark = last.1;
                parts.push((mark, next));
            }
        }
    }
}

/// The ranges between the separators, and whether these are more than white space.
fn split(text: &str) -> (Vec<(usize, usize)>, bool) {
    let is_line_end = |c: char| matches!(c, '\n' | '\r');
    let separator = if text.contains(is_line_end) {
        longest_run(text, is_line_end)
    } else if text.contains('\t') {
        longest_run(text, |c| c == '\t')
    } else {
        longest_run(text, char::is_whitespace)
    };
    let single = separator.chars().nth(1).is_none() && !separator.contains(is_line_end) && separator != "\t";
    if !separator.is_empty() && single {
        for mark in MARKS.into_iter().chain([HYPHEN]) {
            let behind = |at: usize, c: char| c.is_whitespace() && text.get(..at).is_some_and(|t| t.ends_with(mark));
            if let Some((_, blank)) = text.char_indices().find(|&(at, c)| behind(at, c)) {
                let ends = text.char_indices().filter(|&(at, c)| c == blank && behind(at, c));
                return (between(text, ends.map(|(at, c)| (at, c.len_utf8()))), false);
            }
        }
    }
    if !separator.is_empty() {
        return (between(text, text.match_indices(separator).map(|(at, s)| (at, s.len()))), false);
    }
    match MARKS.into_iter().chain([HYPHEN]).find(|&mark| text.contains(mark)) {
        Some(mark) => (between(text, text.match_indices(mark).map(|(at, s)| (at, s.len()))), true),
        None => (text.char_indices().map(|(at, c)| (at, at + c.len_utf8())).collect(), false),
    }
}

/// The ranges between these separators, given as offset and length.
fn between(text: &str, separators: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (at, length) in separators {
        ranges.push((start, at));
        start = at + length;
    }
    ranges.push((start, text.len()));
    ranges
}

/// The longest run of such characters, the first of several; empty where there is none.
fn longest_run(text: &str, is: impl Fn(char) -> bool + Copy) -> &str {
    let runs = text.split(|c| !is(c));
    let length = |run: &str| run.chars().count();
    runs.fold("", |best, run| if length(run) > length(best) { run } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up_to(most: usize) -> impl Fn(&str) -> bool {
        move |text| text.chars().count() <= most
    }

    #[test]
    fn blank_lines_come_before_lines_before_sentences_before_words() {
        assert_eq!(divide("a b\n\nc d\ne f", up_to(7)), ["a b", "c d\ne f"]);
        assert_eq!(divide("One two. Three four. Five", up_to(20)), ["One two. Three four.", "Five"]);
        assert_eq!(divide("One two, three four", up_to(10)), ["One two,", "three four"]);
        assert_eq!(divide("one two three", up_to(8)), ["one two", "three"]);
        assert_eq!(divide("이 문장은. 저 문장은", up_to(7)), ["이 문장은.", "저 문장은"]);
    }

    #[test]
    fn marks_inside_words_stay_with_what_stands_before_them() {
        assert_eq!(divide("aa.bb.cc", up_to(6)), ["aa.bb.", "cc"]);
        assert_eq!(divide("aaa-bbb", up_to(3)), ["aaa", "-", "bbb"]);
        assert_eq!(divide("가나다라마", up_to(2)), ["가나", "다라", "마"]);
        assert_eq!(divide("ab", |_| false), ["a", "b"]);
    }

    #[test]
    fn blank_runs_of_every_length_end() {
        let text: String = (1..200).map(|n| format!("{}x", "\n".repeat(n))).collect();
        let parts = divide(&text, up_to(1));
        assert_eq!(parts.len(), 199);
        assert!(parts.iter().all(|part| part.trim() == "x"));
    }
}
