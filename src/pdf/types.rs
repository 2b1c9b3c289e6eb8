//! What the PDF layer hands to layout analysis: positioned words and drawing, in points, top-left origin.

use serde::Serialize;

use crate::document::BBox;

/// A page's content in the coordinates of the visible page: crop box, /Rotate applied, origin top left.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageContent {
    /// 1-based number.
    #[serde(rename = "page")]
    pub number: u32,
    /// Width in points as displayed.
    pub width: f32,
    /// Height in points as displayed.
    pub height: f32,
    /// The words in content-stream order.
    pub words: Vec<Word>,
    /// Straight horizontal and vertical rules.
    pub rules: Vec<Rule>,
    /// Filled areas that are neither white nor thin enough for a rule: shading of table headers, boxes.
    pub fills: Vec<Fill>,
    /// Boxes of images.
    pub images: Vec<BBox>,
    /// Glyphs drawn, and how many of them have no known Unicode value.
    pub glyphs: usize,
    /// Of [`glyphs`](Self::glyphs), those that could not be mapped to Unicode, or to its private use
    /// area only.
    pub unmapped: usize,
    /// About how many letters are drawn as shapes, without character codes.
    pub outlined: usize,
}

/// A run of glyphs without white space inside.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Word {
    /// NFC text; a glyph without a known Unicode value is U+FFFD.
    pub text: String,
    /// From ascent to descent, in page coordinates.
    pub bbox: BBox,
    /// y of the baseline at the word's start (for upright text).
    pub baseline: f32,
    /// Effective font size in points.
    pub size: f32,
    /// Bold by name, flags or weight.
    pub bold: bool,
    /// Italic or oblique.
    pub italic: bool,
    /// Fixed-pitch font.
    pub mono: bool,
    /// Direction of the baseline in degrees, counter-clockwise: 0, 90, 180, 270, or anything else for slanted text.
    pub angle: i16,
    /// Index into the page's fonts; equal values mean the same font.
    pub font: u16,
    /// Whether white space (or the start of a line) precedes the word in the stream's geometry; `false` joins it to the
    /// word before it (a change of font within a word).
    pub space_before: bool,
    /// Whether a space character follows the word in the stream. At the end of a line it tells that a word ends there too.
    pub space_after: bool,
    /// Not seen, but text all the same: render mode 3 (an OCR layer), no opacity, or white with nothing but paper under
    /// it.
    pub invisible: bool,
    /// Smaller than the word before it and raised above its baseline: a note mark, an exponent.
    pub superscript: bool,
    /// Marked-content identifier on this page, by which [`tags`](super::tags) refer to it.
    pub mcid: Option<u32>,
    /// Marked as no part of the text: running header, page number, decoration.
    pub artifact: bool,
}

/// A horizontal or vertical line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// Axis; `x0 == x1` for vertical rules, `y0 == y1` for horizontal ones: the centre line.
    pub bbox: BBox,
    /// Line width in points.
    pub width: f32,
    /// Horizontal or vertical.
    pub horizontal: bool,
}

/// A filled area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fill {
    /// The area.
    pub bbox: BBox,
    /// Approximate colour, 0-255 each.
    pub rgb: [u8; 3],
}
