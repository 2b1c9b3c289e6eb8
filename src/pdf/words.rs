//! Glyphs to words.
//!
//! Glyphs are taken in content-stream order. A *run* is a sequence of them that continues on one baseline; within a
//! run, words part at space characters and at gaps that are wide for the font and for the run's own letter spacing.

mod accents;
mod cells;
mod direction;
mod order;
mod overprint;
mod text;

use super::fonts::Style;
use super::glyph::{GlyphText, PlacedGlyph};
use super::types::Word;
use crate::document::BBox;
use cells::Starts;

/// Baselines that differ by less than this part of the font size are one.
const SAME_BASELINE: f32 = 0.1;
/// A raised or lowered glyph belongs to the word beside it up to this part of the larger font size.
const SCRIPT_SHIFT: f32 = 0.6;
/// A glyph may start this far before the end of the one before it (kerning, overlapping italics, wrong widths), by font
/// size.
const MAX_OVERLAP: f32 = 1.0;
/// Gap that ends a run, by font size.
const RUN_GAP: f32 = 1.5;
/// Gap that parts words, as a part of the font's space, and its bounds by font size.
const SPACE_PART: f32 = 0.5;
const MIN_SPACE: f32 = 0.12;
const MAX_SPACE: f32 = 0.2;
/// The same where the font's space is unknown.
const DEFAULT_SPACE: f32 = 0.15;
/// Lower-quartile gap of a run, by font size, that counts as letter spacing (or, below zero, as tight setting).
const SPACED_OUT: std::ops::Range<f32> = 0.05..0.6;
const SET_TIGHT: std::ops::Range<f32> = -0.4..-0.05;
/// Shortest run whose letter spacing is judged.
const MIN_LETTERS: usize = 4;
/// Distance between prints of the same text that make it look bold, by font size.
const OVERPRINT: f32 = 0.15;
/// The same for letters of one word, where narrow ones may be squeezed over each other.
const REPRINT: f32 = 0.05;
/// Glyphs that a jump back by [`MAX_OVERLAP`] may go over.
const MAX_REPEAT: usize = 8;
/// How much smaller a superscript is, by the font size beside it.
const SMALLER: f32 = 0.1;
/// Font sizes within this ratio are the same.
const SAME_SIZE: f32 = 0.03;

/// What text assembly gives.
pub(crate) struct Assembled {
    pub(crate) words: Vec<Word>,
    /// Glyphs on the page, without spaces and overprints.
    pub(crate) glyphs: usize,
    /// Of them, those without a Unicode value, or with one for private use only.
    pub(crate) unmapped: usize,
}

/// Assembles the words of a page of the given size; `styles` are those of the page's fonts.
pub(crate) fn assemble(glyphs: Vec<PlacedGlyph>, styles: &[&Style], width: f32, height: f32) -> Assembled {
    let page = BBox { x0: 0.0, y0: 0.0, x1: width, y1: height };
    let mut builder = Builder { styles, words: Vec::new(), runs: Vec::new(), run: Vec::new(), glyphs: 0, unmapped: 0 };
    for glyph in glyphs {
        let bbox = glyph.bbox();
        if !page.contains_point(bbox.center_x(), bbox.center_y()) {
            continue;
        }
        match &glyph.text {
            GlyphText::Many(text) if text.contains(char::is_whitespace) => {
                parts_of(&glyph, text).for_each(|part| builder.add(part));
            }
            _ => builder.add(glyph),
        }
    }
    let space = builder.run.last().is_some_and(|item| item.glyph.text.is_space());
    builder.end_run(space);
    builder.make_words();
    let words = direction::order(order::insert_stragglers(overprint::merge(builder.words)));
    Assembled { words, glyphs: builder.glyphs, unmapped: builder.unmapped }
}

/// A glyph of the run under construction.
struct Item {
    glyph: PlacedGlyph,
    /// Distance from the end of the glyph before it, along the baseline.
    gap: f32,
    /// Whether a space character stands before it.
    after_space: bool,
    /// Same baseline as the glyph before it.
    level: bool,
}

struct Builder<'a> {
    styles: &'a [&'a Style],
    words: Vec<Word>,
    /// The runs that have ended, and whether a space character follows each.
    runs: Vec<(Vec<Item>, bool)>,
    run: Vec<Item>,
    glyphs: usize,
    unmapped: usize,
}

impl Builder<'_> {
    fn add(&mut self, glyph: PlacedGlyph) {
        if glyph.text.is_space() {
            self.run.push(Item { glyph, gap: 0.0, after_space: false, level: true });
            return;
        }
        let mut spaces = false;
        while self.run.last().is_some_and(|item| item.glyph.text.is_space()) {
            self.run.pop();
            spaces = true;
        }
        let Some(last) = self.run.last_mut() else {
            self.count(&glyph);
            self.run.push(Item { glyph, gap: 0.0, after_space: true, level: true });
            return;
        };
        let (gap, shift) = direction::offset(&last.glyph, &glyph);
        let size = glyph.size.max(last.glyph.size);
        if is_overprint(&last.glyph, &glyph, OVERPRINT) {
            last.glyph.print_over(&glyph);
            return;
        }
        let level = shift.abs() <= SAME_BASELINE * size || accents::is_accented(&last.glyph, &glyph);
        let reaches = gap > -MAX_OVERLAP * size && gap < RUN_GAP * size;
        let attached = level || shift.abs() <= SCRIPT_SHIFT * size;
        let continues = last.glyph.angle == glyph.angle && reaches && attached;
        // The end of a word printed again behind it.
        if continues && gap < 0.0 && self.repeats_run(&glyph) {
            return;
        }
        self.count(&glyph);
        if !continues {
            self.end_run(spaces);
        }
        self.run.push(Item { glyph, gap, after_space: spaces || !continues, level });
    }

    /// Whether a glyph stands on one of the last few of the run, and is the same.
    fn repeats_run(&mut self, glyph: &PlacedGlyph) -> bool {
        let recent = self.run.iter_mut().rev().take(MAX_REPEAT);
        let twin = recent.map(|item| &mut item.glyph).find(|twin| is_overprint(twin, glyph, REPRINT));
        twin.map(|twin| twin.print_over(glyph)).is_some()
    }

    fn count(&mut self, glyph: &PlacedGlyph) {
        self.glyphs += 1;
        self.unmapped += usize::from(glyph.text.is_unreadable());
    }

    /// Ends the run; `space` says whether a space character follows it.
    fn end_run(&mut self, space_at_end: bool) {
        self.runs.push((std::mem::take(&mut self.run), space_at_end));
    }

    /// Makes words of the runs.
    fn make_words(&mut self) {
        let runs = std::mem::take(&mut self.runs);
        let starts = Starts::new(runs.iter().filter_map(|(run, _)| run.first()).map(|item| &item.glyph));
        for (run, space_at_end) in runs {
            self.part_run(run, space_at_end, &starts);
        }
    }

    fn part_run(&mut self, run: Vec<Item>, space_at_end: bool, starts: &Starts) {
        let spacing = letter_spacing(&run);
        let overrun = cells::overrun(&run, spacing);
        let mut word: Vec<PlacedGlyph> = Vec::new();
        let mut space_before = true;
        for item in run {
            if item.glyph.text.is_space() {
                continue;
            }
            if let Some(last) = word.last() {
                let one_character = accents::is_accented(last, &item.glyph);
                let space = item.after_space
                    || item.gap > spacing + word_gap(last, &item.glyph)
                    || !one_character && cells::part(last, &item, overrun, starts);
                let size = last.size.max(item.glyph.size);
                let same_font = last.font == item.glyph.font
                    && (last.size - item.glyph.size).abs() <= SAME_SIZE * size
                    && last.invisible == item.glyph.invisible
                    && (last.mcid, last.artifact) == (item.glyph.mcid, item.glyph.artifact);
                if space || !one_character && (!same_font || !item.level) {
                    self.finish(std::mem::take(&mut word), space_before, item.after_space);
                    space_before = space;
                }
            }
            word.push(item.glyph);
        }
        self.finish(word, space_before, space_at_end);
    }

    fn finish(&mut self, mut glyphs: Vec<PlacedGlyph>, space_before: bool, space_after: bool) {
        accents::attach(&mut glyphs);
        direction::to_logical(&mut glyphs);
        let Some(first) = glyphs.first() else { return };
        let bbox = glyphs.iter().skip(1).fold(first.bbox(), |bbox, glyph| bbox.union(&glyph.bbox()));
        let default = Style::default();
        let style = self.styles.get(usize::from(first.font)).copied().unwrap_or(&default);
        let word = Word {
            text: text::text_of(&glyphs),
            bbox,
            baseline: first.start.1,
            size: first.size,
            bold: style.bold || glyphs.iter().filter(|glyph| glyph.heavy).count() * 2 >= glyphs.len(),
            italic: style.italic,
            mono: style.mono,
            angle: first.angle,
            font: first.font,
            space_before,
            space_after,
            invisible: first.invisible,
            superscript: !space_before && self.words.last().is_some_and(|last| is_raised(last, first)),
            mcid: first.mcid,
            artifact: first.artifact,
        };
        if !word.text.is_empty() {
            self.words.push(word);
        }
    }
}

/// Whether a glyph that touches a word stands above its baseline, in a smaller size.
fn is_raised(last: &Word, glyph: &PlacedGlyph) -> bool {
    let raised = last.baseline - glyph.start.1;
    let beside_script = last.superscript && raised.abs() <= SAME_BASELINE * glyph.size;
    let smaller = glyph.size < last.size * (1.0 - SMALLER);
    last.angle == 0 && glyph.angle == 0 && (beside_script || smaller && raised > SAME_BASELINE * last.size)
}

/// A glyph that stands for several words, divided evenly: one part for each character.
fn parts_of(glyph: &PlacedGlyph, text: &str) -> impl Iterator<Item = PlacedGlyph> {
    let count = text.chars().count().max(1) as f32;
    let (dx, dy) = ((glyph.end.0 - glyph.start.0) / count, (glyph.end.1 - glyph.start.1) / count);
    let mut letters = text.chars().filter(|c| c.is_alphabetic()).peekable();
    let leftward = letters.peek().is_some() && letters.all(direction::is_rtl);
    text.chars().enumerate().map(move |(i, c)| {
        let part = if leftward { count - 1.0 - i as f32 } else { i as f32 };
        let at = |part: f32| (glyph.start.0 + dx * part, glyph.start.1 + dy * part);
        PlacedGlyph { text: GlyphText::Char(c), start: at(part), end: at(part + 1.0), ..glyph.clone() }
    })
}

/// Whether a glyph repeats one before it, up to a distance by font size, to make it bolder.
fn is_overprint(last: &PlacedGlyph, next: &PlacedGlyph, distance: f32) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() <= distance * last.size;
    last.text == next.text
        && last.font == next.font
        && near(last.start.0, next.start.0)
        && near(last.start.1, next.start.1)
}

/// The gap from which two glyphs are in different words.
fn word_gap(last: &PlacedGlyph, next: &PlacedGlyph) -> f32 {
    let size = last.size.min(next.size);
    match last.space.or(next.space) {
        Some(space) => (space * SPACE_PART).clamp(MIN_SPACE * size, MAX_SPACE * size),
        None => DEFAULT_SPACE * size,
    }
}

/// The extra distance between the letters of a run, where most glyphs are letters: the lower quartile of the gaps, as
/// up to half of them may be between words in Korean.
fn letter_spacing(run: &[Item]) -> f32 {
    let letters = run.iter().filter(|item| item.glyph.text.first().is_some_and(char::is_alphabetic)).count();
    if letters < MIN_LETTERS || letters * 2 < run.len() {
        return 0.0;
    }
    let mut gaps: Vec<f32> = run.iter().skip(1).filter(|item| !item.after_space).map(|item| item.gap).collect();
    if gaps.len() + 1 < MIN_LETTERS {
        return 0.0;
    }
    let quarter = (gaps.len() - 1) / 4;
    let (_, low, _) = gaps.select_nth_unstable_by(quarter, f32::total_cmp);
    let size = run.first().map_or(1.0, |item| item.glyph.size);
    let part = *low / size;
    if SPACED_OUT.contains(&part) || SET_TIGHT.contains(&part) { *low } else { 0.0 }
}

#[cfg(test)]
mod tests;
