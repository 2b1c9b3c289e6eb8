//! Chunks of a fixed size that overlap, without regard to structure: the simplest baseline.

use super::cut::{longest, word_ends};
use super::place::Place;
use super::text::{plain_unit, texts};
use super::tokens::Budget;
use crate::document::Document;
use crate::unit::Unit;

/// Share of a chunk that the next one repeats: a common setting of text splitters.
const OVERLAP: usize = 8;
/// Bytes per token that one chunk is looked for in; a longer one is cut there.
const BYTES_PER_TOKEN: usize = 16;

/// The chunks of a document, each with the index of its first element.
pub(super) fn placed(document: &Document, doc_id: &str, budget: &Budget) -> Vec<(usize, Unit)> {
    let mut body = String::new();
    // Where each element begins.
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for (index, element) in document.elements.iter().enumerate().filter(|(_, e)| !e.kind.is_furniture()) {
        starts.push((body.len(), index));
        for text in texts(element) {
            body.push_str(&text);
            body.push('\n');
        }
    }
    let unit = |range: &(usize, usize), number: usize| {
        let first = starts.partition_point(|(start, _)| *start <= range.0).saturating_sub(1);
        let last = starts.partition_point(|(start, _)| *start < range.1);
        let elements = starts.get(first..last)?.iter().filter_map(|(_, index)| document.elements.get(*index));
        let place = Place::of(document, elements.flat_map(|e| &e.regions));
        let text = body.get(range.0..range.1)?.to_owned();
        Some((starts.get(first)?.1, plain_unit(doc_id, format!("{doc_id}-f{number}"), place, text)))
    };
    windows(&body, budget).iter().zip(0..).filter_map(|(range, number)| unit(range, number)).collect()
}

/// Ranges of `text` between words that each fit, each beginning an eighth before the end of the one before.
fn windows(text: &str, budget: &Budget) -> Vec<(usize, usize)> {
    let limit = budget.max_tokens.min(budget.retrieval_limit());
    let view_bytes = limit.saturating_mul(BYTES_PER_TOKEN);
    let mut windows: Vec<(usize, usize)> = Vec::new();
    let mut at = skip_blank(text, 0);
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let view = rest.get(..rest.floor_char_boundary(view_bytes)).unwrap_or(rest);
        let mut ends = word_ends(view);
        let end_of = |ends: &[usize], n: usize| n.checked_sub(1).and_then(|i| ends.get(i)).copied().unwrap_or(0);
        let fits = |end: usize| view.get(..end).is_some_and(|part| budget.admits(part, part));
        let mut count = longest(ends.len(), |n| fits(end_of(&ends, n)));
        if count == 0 {
            // A word that is longer than a chunk.
            ends = view.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
            count = longest(ends.len(), |n| fits(end_of(&ends, n))).max(1);
        }
        let end = at + end_of(&ends, count);
        windows.push((at, end));
        let again = end_of(&ends, count - count / OVERLAP);
        at = if skip_blank(text, end) >= text.len() { text.len() } else { skip_blank(text, at + again.max(1)) };
    }
    windows
}

/// The first offset from `at` on that is no white space.
fn skip_blank(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_overlap_by_an_eighth_and_reach_the_end() {
        let text = (0..100).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
        // Three cl100k tokens a word: space, letter and number.
        let budget = Budget { max_tokens: 48, model: None };
        let parts: Vec<&str> = windows(&text, &budget).iter().map(|r| &text[r.0..r.1]).collect();
        let words: Vec<Vec<&str>> = parts.iter().map(|p| p.split(' ').collect()).collect();
        assert_eq!(words[0][0], "w0");
        assert_eq!(words.last().unwrap().last(), Some(&"w99"));
        for pair in words.windows(2) {
            let repeated = pair[0].len() / OVERLAP;
            assert!(repeated >= 2);
            assert_eq!(pair[0][pair[0].len() - repeated..], pair[1][..repeated]);
        }
    }

    #[test]
    fn words_longer_than_a_chunk_are_cut() {
        let budget = Budget { max_tokens: 4, model: None };
        let text = "가나다라마바사아자차카타파하".repeat(3);
        let windows = windows(&text, &budget);
        assert_eq!(windows.first().unwrap().0, 0);
        assert_eq!(windows.last().unwrap().1, text.len());
        assert!(windows.windows(2).all(|pair| pair[1].0 <= pair[0].1 && pair[1].0 > pair[0].0));
    }
}
