//! Words drawn out of order: word processors draw the punctuation of a line after its letters where it comes from
//! another font. Such a word is put where it stands, so that what touches on the page is joined.

use super::super::types::Word;
use crate::document::BBox;

/// How many words back a straggler's line may begin.
const REACH: usize = 256;
/// Distance along the line, by font size, within which words touch; overlaps count up to the lower bound.
const TOUCH: std::ops::Range<f32> = -0.3..0.12;
/// Distance, by font size, up to which a word plainly follows the one before it.
const FOLLOWS: std::ops::Range<f32> = -0.3..1.5;
/// Baselines that differ by less than this part of the font size are one.
const SAME_LINE: f32 = 0.12;

/// Moves words that touch an earlier word of their line to its side.
pub(super) fn insert_stragglers(words: Vec<Word>) -> Vec<Word> {
    let mut placed: Vec<Word> = Vec::with_capacity(words.len());
    let mut moved = false;
    for mut word in words {
        // Behind a word that has been moved away, the stream says nothing of the space before this one.
        let touches = |last: &Word| gap(last, &word, &TOUCH).is_some();
        if std::mem::take(&mut moved) && word.space_before && placed.last().is_some_and(touches) {
            word.space_before = false;
            placed.push(word);
            continue;
        }
        let in_order = placed.last().is_none_or(|last| !word.space_before || gap(last, &word, &FOLLOWS).is_some());
        let at = if in_order { None } else { place_of(&placed, &word) };
        let Some(at) = at else {
            placed.push(word);
            continue;
        };
        let before = at.checked_sub(1).and_then(|i| placed.get(i));
        word.space_before = before.is_none_or(|before| gap(before, &word, &TOUCH).is_none());
        if let Some(after) = placed.get_mut(at)
            && gap(&word, after, &TOUCH).is_some()
        {
            after.space_before = false;
        }
        placed.insert(at, word);
        moved = true;
    }
    placed
}

/// Where a word belongs among those placed: behind one that it touches, or before one.
fn place_of(placed: &[Word], word: &Word) -> Option<usize> {
    let recent = placed.len().saturating_sub(REACH);
    let tail = placed.get(recent..)?;
    let behind = tail.iter().rposition(|other| gap(other, word, &TOUCH).is_some()).map(|at| at + 1);
    let before = || tail.iter().rposition(|other| gap(word, other, &TOUCH).is_some());
    let at = recent + behind.or_else(before)?;
    // At the end it follows the last word anyway.
    (at < placed.len()).then_some(at)
}

/// The gap between two upright words of one line, by font size, if it is in the range.
fn gap(left: &Word, right: &Word, range: &std::ops::Range<f32>) -> Option<f32> {
    let size = left.size.max(right.size);
    let same_line = left.angle == 0 && right.angle == 0 && (left.baseline - right.baseline).abs() < SAME_LINE * size;
    let gap = (right.bbox.x0 - left.bbox.x1) / size;
    // A word inside another is no neighbour of it.
    let apart = center(&left.bbox) < center(&right.bbox);
    (same_line && apart && range.contains(&gap)).then_some(gap)
}

fn center(bbox: &BBox) -> f32 {
    bbox.center_x()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, x0: f32, x1: f32) -> Word {
        let bbox = BBox::new(x0, 92.0, x1, 102.0);
        Word { text: text.into(), bbox, baseline: 100.0, size: 10.0, space_before: true, ..Word::default() }
    }

    fn joined(words: Vec<Word>) -> String {
        let words = insert_stragglers(words);
        words
            .iter()
            .flat_map(|w| [if w.space_before { " " } else { "" }, &w.text])
            .collect::<String>()
            .trim()
            .to_owned()
    }

    #[test]
    fn punctuation_drawn_after_its_line_joins_its_neighbours() {
        let letters = [word("국내", 10.0, 30.0), word("외", 33.0, 43.0), word("시장", 46.0, 66.0)];
        let marks = [word("·", 30.2, 32.8), word("(", 66.0, 69.0), word(")", 89.0, 92.0)];
        let inside = word("표", 69.0, 89.0);
        let line = letters.into_iter().chain([inside]).chain(marks).collect();
        assert_eq!(joined(line), "국내·외 시장(표)");
    }

    #[test]
    fn a_bracket_before_the_first_word() {
        assert_eq!(joined(vec![word("가", 20.0, 30.0), word("나", 33.0, 43.0), word("(", 16.0, 19.8)]), "(가 나");
    }

    #[test]
    fn cells_and_other_lines_stay_in_stream_order() {
        let mut below = word("밑", 20.0, 30.0);
        below.baseline = 115.0;
        assert_eq!(
            joined(vec![word("a", 20.0, 25.0), word("b", 80.0, 85.0), word("c", 50.0, 55.0), below]),
            "a b c 밑"
        );
    }
}
