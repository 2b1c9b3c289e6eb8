//! Glyphs: as a font decodes them, and as they stand on the page.

use std::sync::Arc;

use crate::document::BBox;

/// Part of a glyph's box, in either direction, that a clip may leave of it without showing any of the letter: ascent and
/// descent reach a little farther than the ink.
const EDGE: f32 = 0.1;

/// The Unicode value of a glyph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GlyphText {
    /// One character, the usual case.
    Char(char),
    /// A ligature, or any longer mapping.
    Many(Arc<str>),
    /// No mapping is known.
    Unknown,
}

impl GlyphText {
    /// From a mapping's string; nothing, or only control characters, is no mapping.
    pub(crate) fn from_chars(chars: impl IntoIterator<Item = char>) -> Self {
        let text: String = chars.into_iter().filter(|c| *c != '\u{FFFD}' && !is_no_text(*c)).collect();
        let mut rest = text.chars();
        match (rest.next(), rest.next()) {
            (None, _) => Self::Unknown,
            (Some(c), None) => Self::Char(c),
            _ => Self::Many(text.into()),
        }
    }

    /// The first character, if any.
    pub(crate) fn first(&self) -> Option<char> {
        match self {
            Self::Char(c) => Some(*c),
            Self::Many(text) => text.chars().next(),
            Self::Unknown => None,
        }
    }

    pub(crate) fn is_known(&self) -> bool {
        *self != Self::Unknown
    }

    /// Whether it is what writers put where they know no better: a control character that is no space, or one for
    /// private use.
    pub(crate) fn is_doubtful(&self) -> bool {
        match self {
            Self::Char(c) => (c.is_control() && !c.is_whitespace()) || is_private_use(*c),
            Self::Many(_) | Self::Unknown => false,
        }
    }

    /// Whether no reader can tell what character it is.
    pub(crate) fn is_unreadable(&self) -> bool {
        match self {
            Self::Char(c) => is_private_use(*c),
            Self::Many(text) => text.chars().all(is_private_use),
            Self::Unknown => true,
        }
    }

    /// Whether it shows nothing but distance.
    pub(crate) fn is_space(&self) -> bool {
        match self {
            Self::Char(c) => is_blank(*c),
            Self::Many(text) => text.chars().all(is_blank),
            Self::Unknown => false,
        }
    }
}

/// Null, and the code points that Unicode keeps from ever being characters: writers put them where they know of none.
fn is_no_text(c: char) -> bool {
    let code = u32::from(c);
    c == '\0' || code & 0xFFFE == 0xFFFE || (0xFDD0..=0xFDEF).contains(&code)
}

fn is_private_use(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{200B}' | '\u{FEFF}')
}

/// A character code as its font decodes it. Lengths are in text space units at font size 1.
#[derive(Clone, Debug)]
pub(crate) struct Glyph {
    /// Unicode value.
    pub(crate) text: GlyphText,
    /// Advance to the right.
    pub(crate) width: f32,
    /// Whether word spacing applies: a single-byte code 32.
    pub(crate) word_space: bool,
    /// For vertical writing: the advance (negative is down) and the position vector of the glyph's vertical origin.
    pub(crate) vertical: Option<Vertical>,
}

/// Metrics of vertical writing, at font size 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vertical {
    pub(crate) advance: f32,
    pub(crate) origin_x: f32,
    pub(crate) origin_y: f32,
}

/// A glyph on the page, in page coordinates (y down).
#[derive(Clone, Debug)]
pub(crate) struct PlacedGlyph {
    /// Unicode value.
    pub(crate) text: GlyphText,
    /// Where the baseline meets the glyph's left side (its top, in vertical writing).
    pub(crate) start: (f32, f32),
    /// Where its own advance ends, without character or word spacing.
    pub(crate) end: (f32, f32),
    /// From the baseline to the ascent.
    pub(crate) up: (f32, f32),
    /// From the baseline to the descent.
    pub(crate) down: (f32, f32),
    /// Effective font size in points.
    pub(crate) size: f32,
    /// Width of the font's space character in points, where it has one.
    pub(crate) space: Option<f32>,
    /// Direction of the baseline in degrees, counter-clockwise as seen, 0..360.
    pub(crate) angle: i16,
    /// Index into the page's fonts.
    pub(crate) font: u16,
    /// Not seen: nothing is painted, or white on white.
    pub(crate) invisible: bool,
    /// Made to look bold: its outline is drawn too, or it is printed twice.
    pub(crate) heavy: bool,
    /// Marked-content identifier.
    pub(crate) mcid: Option<u32>,
    /// Marked as no part of the text.
    pub(crate) artifact: bool,
}

impl PlacedGlyph {
    /// From ascent to descent, and from the start of its advance to the end.
    pub(crate) fn bbox(&self) -> BBox {
        let corner = |(x, y): (f32, f32), (dx, dy): (f32, f32)| (x + dx, y + dy);
        let (ax, ay) = corner(self.start, self.up);
        let (bx, by) = corner(self.end, self.down);
        let (cx, cy) = corner(self.start, self.down);
        let (dx, dy) = corner(self.end, self.up);
        BBox::new(ax, ay, bx, by).union(&BBox::new(cx, cy, dx, dy))
    }

    /// Notes that the same glyph is printed again in (nearly) the same place.
    pub(crate) fn print_over(&mut self, copy: &Self) {
        self.heavy |= !self.invisible && !copy.invisible;
        self.invisible &= copy.invisible;
    }

    /// Whether the clip leaves more of the glyph than its edge.
    pub(crate) fn shows_in(&self, clip: &BBox) -> bool {
        if clip.contains_point(self.start.0, self.start.1) && clip.contains_point(self.end.0, self.end.1) {
            return true;
        }
        let bbox = self.bbox();
        bbox.overlap_x(clip) >= EDGE * bbox.width() && bbox.overlap_y(clip) >= EDGE * bbox.height()
    }
}

/// Direction of a transform's x axis as displayed (y down), in whole degrees counter-clockwise, 0..360; within 2
/// degrees of a quarter turn it is that quarter turn, as scans are seldom straight.
pub(crate) fn angle_of(dx: f32, dy: f32) -> i16 {
    let degrees = (-dy).atan2(dx).to_degrees().round() as i16;
    let quarter = (f32::from(degrees) / 90.0).round() as i16 * 90;
    let snapped = if (degrees - quarter).abs() <= 2 { quarter } else { degrees };
    snapped.rem_euclid(360)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_counter_clockwise_and_snap() {
        assert_eq!(angle_of(1.0, 0.0), 0);
        assert_eq!(angle_of(1.0, 0.02), 0);
        assert_eq!(angle_of(0.0, -1.0), 90);
        assert_eq!(angle_of(-1.0, 0.0), 180);
        assert_eq!(angle_of(0.0, 1.0), 270);
        assert_eq!(angle_of(1.0, -1.0), 45);
        assert_eq!(angle_of(1.0, 1.0), 315);
    }

    #[test]
    fn text_of_a_mapping() {
        assert_eq!(GlyphText::from_chars(['가']), GlyphText::Char('가'));
        assert_eq!(GlyphText::from_chars("ffi".chars()), GlyphText::Many("ffi".into()));
        assert_eq!(GlyphText::from_chars(['\0']), GlyphText::Unknown);
        assert_eq!(GlyphText::from_chars(['\u{FFFF}']), GlyphText::Unknown);
        assert!(GlyphText::Char('\u{3000}').is_space());
    }
}
