//! Arabic and Hebrew, written from right to left. Most files draw them as they are seen, from left to right; text is
//! kept in the order in which it is read.

use unicode_normalization::char::is_combining_mark;

use super::super::glyph::{GlyphText, PlacedGlyph};
use super::super::types::Word;

/// Baselines that differ by less than this part of the font size are one line.
const SAME_LINE: f32 = 0.3;
/// Gap between the words of a line, by font size.
const MAX_GAP: f32 = 1.5;
/// How far neighbours may overlap, by font size.
const MAX_OVERLAP: f32 = 0.3;

/// Whether a letter is written from right to left.
pub(super) fn is_rtl(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}') && c.is_alphabetic()
}

fn is_rtl_glyph(glyph: &PlacedGlyph) -> bool {
    match &glyph.text {
        GlyphText::Char(c) => is_rtl(*c),
        GlyphText::Many(text) => text.chars().any(is_rtl),
        GlyphText::Unknown => false,
    }
}

/// Gap along the baseline and shift across it, from the end of one glyph to the start of the next; to the left, where
/// the next one of two letters written from right to left is drawn there.
pub(super) fn offset(last: &PlacedGlyph, next: &PlacedGlyph) -> (f32, f32) {
    let radians = f32::from(last.angle).to_radians();
    let (ux, uy) = (radians.cos(), -radians.sin());
    let along = |(x, y): (f32, f32)| x * ux + y * uy;
    let (dx, dy) = (next.start.0 - last.end.0, next.start.1 - last.end.1);
    let shift = dy * ux - dx * uy;
    if along(next.start) < along(last.start) && is_rtl_glyph(last) && is_rtl_glyph(next) {
        return (along(last.start) - along(next.end), shift);
    }
    (along((dx, dy)), shift)
}

/// Turns the glyphs of a word drawn from left to right into the order in which they are read. Combining characters
/// stand behind their letters, and stay there; numbers and Latin letters inside keep their order.
pub(super) fn to_logical(glyphs: &mut Vec<PlacedGlyph>) {
    if glyphs.len() < 2 || !glyphs.iter().any(is_rtl_glyph) {
        return;
    }
    let rightward = |pair: &[PlacedGlyph]| matches!(pair, [a, b] if b.start.0 > a.start.0);
    if glyphs.windows(2).filter(|pair| rightward(pair)).count() * 2 < glyphs.len() - 1 {
        return;
    }
    let mut clusters: Vec<Vec<PlacedGlyph>> = Vec::with_capacity(glyphs.len());
    for mut glyph in std::mem::take(glyphs) {
        let keeps_order = |glyph: &PlacedGlyph| glyph.text.first().is_some_and(|c| c.is_alphanumeric() && !is_rtl(c));
        let mark = glyph.text.first().is_some_and(|c| u32::from(c) >= 0x300 && is_combining_mark(c));
        if let GlyphText::Char(c) = &mut glyph.text {
            *c = mirrored(*c);
        }
        match clusters.last_mut() {
            Some(cluster) if mark || keeps_order(&glyph) && cluster.last().is_some_and(keeps_order) => {
                cluster.push(glyph);
            }
            _ => clusters.push(vec![glyph]),
        }
    }
    glyphs.extend(clusters.into_iter().rev().flatten());
}

/// Brackets are drawn mirrored in text from right to left.
fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '«' => '»',
        '»' => '«',
        _ => c,
    }
}

/// Brings the words of each line that are drawn from left to right, and read from right to left, into reading order.
pub(super) fn order(words: Vec<Word>) -> Vec<Word> {
    if !words.iter().any(|word| direction(word) == Some(true)) {
        return words;
    }
    let mut ordered = Vec::with_capacity(words.len());
    let mut line: Vec<Word> = Vec::new();
    for word in words {
        if line.last().is_some_and(|last| !follows(last, &word)) {
            order_line(std::mem::take(&mut line), &mut ordered);
        }
        line.push(word);
    }
    order_line(line, &mut ordered);
    ordered
}

/// Whether a word is drawn to the right of another, on the same line.
fn follows(last: &Word, next: &Word) -> bool {
    let size = last.size.max(next.size);
    let gap = next.bbox.x0 - last.bbox.x1;
    last.angle == 0
        && next.angle == 0
        && (last.baseline - next.baseline).abs() < SAME_LINE * size
        && gap > -MAX_OVERLAP * size
        && gap < MAX_GAP * size
}

/// Whether a word reads from right to left; `None` for one that has no direction of its own.
fn direction(word: &Word) -> Option<bool> {
    word.text.chars().find(|c| c.is_alphabetic()).map(is_rtl)
}

fn order_line(line: Vec<Word>, ordered: &mut Vec<Word>) {
    let directions: Vec<Option<bool>> = line.iter().map(direction).collect();
    let count = |rtl| directions.iter().filter(|direction| **direction == Some(rtl)).count();
    // Within text of the line's own direction, that of the other one is turned round.
    let base = count(true) >= count(false).max(1);
    let mut indices: Vec<usize> = (0..line.len()).collect();
    if base {
        indices.reverse();
    }
    // A word without a direction, such as a number, goes with the words on both its sides where they agree.
    let other: Vec<bool> = (0..line.len())
        .map(|at| match directions.get(at).copied().flatten() {
            Some(rtl) => rtl != base,
            None => {
                let (before, after) = directions.split_at(at);
                let nearest = (before.iter().rev().find_map(|found| *found), after.iter().find_map(|found| *found));
                nearest == (Some(!base), Some(!base))
            }
        })
        .collect();
    let is_other = |at: &usize| other.get(*at).copied().unwrap_or_default();
    for stretch in indices.chunk_by_mut(|a, b| is_other(a) == is_other(b)) {
        if stretch.first().is_some_and(is_other) {
            stretch.reverse();
        }
    }
    // Where two words touched, they still do if they are still neighbours.
    let joined: Vec<bool> = line.iter().map(|word| !word.space_before).collect();
    let first_space = line.first().is_none_or(|word| word.space_before);
    let mut words: Vec<Option<Word>> = line.into_iter().map(Some).collect();
    let mut before: Option<usize> = None;
    for at in indices {
        let Some(mut word) = words.get_mut(at).and_then(Option::take) else { continue };
        word.space_before = match before {
            None => first_space,
            Some(before) => before.abs_diff(at) != 1 || !joined.get(before.max(at)).copied().unwrap_or_default(),
        };
        before = Some(at);
        ordered.push(word);
    }
}
