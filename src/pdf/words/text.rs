//! The text of a word, from that of its glyphs.

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::super::glyph::{GlyphText, PlacedGlyph};

/// The text of a word: NFC, ligatures written out, soft hyphens as the hyphens that they show.
pub(super) fn text_of(glyphs: &[PlacedGlyph]) -> String {
    let mut text = String::with_capacity(glyphs.len() * 3);
    for glyph in glyphs {
        match &glyph.text {
            GlyphText::Char(c) => push_char(&mut text, *c),
            GlyphText::Many(many) => many.chars().for_each(|c| push_char(&mut text, c)),
            GlyphText::Unknown => text.push('\u{FFFD}'),
        }
    }
    if is_nfc(&text) { text } else { text.nfc().collect() }
}

fn push_char(text: &mut String, c: char) {
    match c {
        'ﬀ' => text.push_str("ff"),
        'ﬁ' => text.push_str("fi"),
        'ﬂ' => text.push_str("fl"),
        'ﬃ' => text.push_str("ffi"),
        'ﬄ' => text.push_str("ffl"),
        'ﬅ' | 'ﬆ' => text.push_str("st"),
        // What is drawn is a hyphen, wherever it stands.
        '\u{AD}' => text.push('-'),
        '\u{200B}' | '\u{FEFF}' => {}
        // Shapes that Arabic and Hebrew letters take in context, and their ligatures.
        '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => text.extend(std::iter::once(c).nfkc()),
        _ if c.is_control() => {}
        _ => text.push(c),
    }
}
