//! What a font's name and descriptor say of its looks.

use lopdf::{Dictionary, Document};

use super::super::objects;

/// Looks of a font.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Style {
    /// Base font name without its subset tag.
    pub(crate) name: String,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) mono: bool,
    /// Height above the baseline as a fraction of the em.
    pub(crate) ascent: f32,
    /// Depth below the baseline, negative.
    pub(crate) descent: f32,
}

const FLAG_FIXED_PITCH: u32 = 1;
const FLAG_ITALIC: u32 = 1 << 6;
const FLAG_FORCE_BOLD: u32 = 1 << 18;
const BOLD_WEIGHT: f32 = 600.0;

const DEFAULT_ASCENT: f32 = 0.8;
const DEFAULT_DESCENT: f32 = -0.2;

const BOLD_WORDS: [&str; 8] = ["bold", "black", "heavy", "demi", "cmbx", "sfbx", "nimbussanl-bd", "extrabd"];
const ITALIC_WORDS: [&str; 7] = ["italic", "oblique", "slanted", "cmti", "cmsl", "cmmi", "sfti"];
const MONO_WORDS: [&str; 7] = ["courier", "mono", "consolas", "typewriter", "cmtt", "sftt", "menlo"];

impl Style {
    /// `font` is a simple font, or the CID font below a Type 0 font; `base` names it.
    pub(crate) fn load(doc: &Document, font: &Dictionary, base: Option<&[u8]>) -> Self {
        let descriptor = objects::get_dict(doc, font, b"FontDescriptor");
        let number = |key: &[u8]| descriptor.and_then(|d| objects::get_number(doc, d, key));
        let raw = base.map(String::from_utf8_lossy).unwrap_or_default();
        let name = without_subset_tag(&raw).to_owned();
        let plain = name.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| plain.contains(word));
        let flags = number(b"Flags").unwrap_or(0.0) as u32;
        let weight = number(b"FontWeight").unwrap_or(0.0);
        let (ascent, descent) = vertical_extent(number(b"Ascent"), number(b"Descent"));
        Self {
            bold: has(&BOLD_WORDS) || weight >= BOLD_WEIGHT || flags & FLAG_FORCE_BOLD != 0,
            italic: has(&ITALIC_WORDS)
                || flags & FLAG_ITALIC != 0
                || number(b"ItalicAngle").is_some_and(|angle| angle.abs() > 1.0),
            mono: has(&MONO_WORDS) || flags & FLAG_FIXED_PITCH != 0,
            name,
            ascent,
            descent,
        }
    }
}

/// `ABCDEF+Name` without the tag.
fn without_subset_tag(name: &str) -> &str {
    match name.split_once('+') {
        Some((tag, rest)) if tag.len() == 6 && tag.bytes().all(|b| b.is_ascii_uppercase()) => rest,
        _ => name,
    }
}

/// Ascent and descent in em; descriptors often hold zeros, or a positive descent, or the extent of the tallest glyph.
fn vertical_extent(ascent: Option<f32>, descent: Option<f32>) -> (f32, f32) {
    let ascent = ascent.map(|a| a / 1000.0).filter(|a| (0.5..=1.1).contains(a)).unwrap_or(DEFAULT_ASCENT);
    let descent = descent.map(|d| -d.abs() / 1000.0).filter(|d| (-0.45..=-0.05).contains(d)).unwrap_or(DEFAULT_DESCENT);
    (ascent, descent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::dictionary;

    #[test]
    fn style_from_name_and_descriptor() {
        let doc = Document::new();
        let font = dictionary! {
            "FontDescriptor" => dictionary! { "Flags" => 64 + 1, "Ascent" => 905, "Descent" => 212 },
        };
        let style = Style::load(&doc, &font, Some(b"ABCDEF+Arial-BoldMT"));
        assert_eq!(
            style,
            Style { name: "Arial-BoldMT".into(), bold: true, italic: true, mono: true, ascent: 0.905, descent: -0.212 }
        );
    }

    #[test]
    fn insane_extents_fall_back() {
        assert_eq!(vertical_extent(Some(0.0), Some(0.0)), (0.8, -0.2));
        assert_eq!(vertical_extent(Some(2000.0), Some(-900.0)), (0.8, -0.2));
        assert_eq!(without_subset_tag("AB+C"), "AB+C");
    }
}
