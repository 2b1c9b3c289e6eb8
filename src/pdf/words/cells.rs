//! Where the text of a table cell touches that of the next cell, or runs over it, without a space between.
//!
//! Nothing between two such glyphs says that a word ends, but either of two things around them does: text that goes back
//! over what was just written is in another cell, and so is text that stands exactly where lines close by begin. Fonts with
//! wrong widths and plain chance look the same, so only a capital or a digit counts, where words seldom have one inside.

use super::Item;
use crate::pdf::glyph::PlacedGlyph;

/// How far a letter goes back over the one before it where it is in another cell, by font size; kerning within words
/// stays below it.
const OVERRUN: f32 = 0.15;
/// How much farther a capital goes back over another one: words have them side by side.
const CAPITALS: f32 = 0.4;
/// Runs where more of the letters than this part go back have wrong widths.
const MAX_OVERRUNS: f32 = 0.2;
/// Shortest run whose letters are judged.
const MIN_LETTERS: usize = 4;
/// Positions that differ by less than this part of the font size are the same.
const SAME_PLACE: f32 = 0.01;
/// A gap below this part of the font size is that of glyphs shown one after the other.
const UNBROKEN: f32 = 0.0005;
/// Distance of the lines that show where a column begins, by font size.
const NEARBY: f32 = 8.0;
/// How many of them there must be.
const MIN_LINES: usize = 2;
/// Lines looked at for one glyph: bounds what pages cost where all begin in one place.
const MAX_LOOKED: usize = 512;

/// Places where lines begin: x and baseline, by x.
pub(super) struct Starts(Vec<(f32, f32)>);

impl Starts {
    /// Of the first glyphs of runs.
    pub(super) fn new<'a>(firsts: impl Iterator<Item = &'a PlacedGlyph>) -> Self {
        let mut starts: Vec<(f32, f32)> = firsts.filter(|glyph| glyph.angle == 0).map(|glyph| glyph.start).collect();
        starts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Self(starts)
    }

    /// Whether lines above or below a glyph begin exactly where it stands.
    fn align_with(&self, glyph: &PlacedGlyph) -> bool {
        let (x, y) = glyph.start;
        let slack = SAME_PLACE * glyph.size;
        let from = self.0.partition_point(|start| start.0 < x - slack);
        let aligned = self.0.iter().skip(from).take_while(|start| start.0 <= x + slack).take(MAX_LOOKED);
        let nearby = aligned.filter(|start| {
            let distance = (start.1 - y).abs();
            distance > glyph.size / 2.0 && distance < NEARBY * glyph.size
        });
        nearby.take(MIN_LINES).count() == MIN_LINES
    }
}

/// How far back a glyph of the run, whose letters are this far apart, has to go to be in another cell; `None` where the
/// run does not tell.
pub(super) fn overrun(run: &[Item], spacing: f32) -> Option<f32> {
    let limit = run.first().map(|item| spacing - OVERRUN * item.glyph.size)?;
    let overruns = run.iter().skip(1).filter(|item| item.gap < limit).count();
    let usual = overruns as f32 <= MAX_OVERRUNS * run.len() as f32;
    (run.len() >= MIN_LETTERS && usual).then_some(limit)
}

/// Whether a glyph and the one of its baseline before it, with no space between, are in different cells.
pub(super) fn part(last: &PlacedGlyph, item: &Item, overrun: Option<f32>, starts: &Starts) -> bool {
    let (Some(before), Some(after)) = (last.text.first(), item.glyph.text.first()) else { return false };
    let one_font = item.level && last.font == item.glyph.font;
    if !one_font || !before.is_alphanumeric() || !(after.is_uppercase() || after.is_numeric()) {
        return false;
    }
    let same_kind = before.is_numeric() == after.is_numeric() && before.is_uppercase() == after.is_uppercase();
    if let Some(limit) = overrun.filter(|limit| item.gap < *limit) {
        return !same_kind || after.is_uppercase() && item.gap < limit - CAPITALS * item.glyph.size;
    }
    let broken = item.gap.abs() > UNBROKEN * item.glyph.size;
    !same_kind && broken && item.glyph.angle == 0 && starts.align_with(&item.glyph)
}
