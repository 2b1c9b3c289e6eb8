//! Fonts with single-byte codes: Type 1, TrueType, Type 3.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object};

use super::super::glyph::{Glyph, GlyphText};
use super::super::limits::MAX_MAPPINGS;
use super::super::objects;
use super::encodings::Predefined;
use super::names::unicode_of_name;
use super::numbered::{self, Numbered};
use super::program::FontProgram;
use super::style::Style;
use super::to_unicode::ToUnicode;
use super::widths::standard_width;

/// A simple font: text and width of each of its 256 codes.
pub(crate) struct SimpleFont {
    texts: Vec<GlyphText>,
    widths: Vec<f32>,
}

impl SimpleFont {
    /// `unit` is the length of one glyph space unit at font size 1: 0.001 but for Type 3.
    pub(crate) fn load(
        doc: &Document,
        font: &Dictionary,
        style: &Style,
        to_unicode: Option<&ToUnicode>,
        unit: f32,
    ) -> Self {
        let descriptor = objects::get_dict(doc, font, b"FontDescriptor");
        let program = descriptor.and_then(|descriptor| FontProgram::load(doc, descriptor));
        let builtin = program.as_ref().map(FontProgram::builtin_encoding).unwrap_or_default();
        let encoding = objects::get(doc, font, b"Encoding");
        let mut texts = base_encoding(doc, font, encoding, style, program.as_ref(), &builtin);
        if let Some(differences) = encoding.and_then(objects::as_dict) {
            let type3 = objects::get_name(doc, font, b"Subtype") == Some(b"Type3");
            apply_differences(doc, differences, type3, &mut texts);
        }
        if let Some(numbered) = numbered_encoding(doc, font, encoding) {
            texts = (0u8..=255).map(|code| numbered.text(code)).collect();
        } else if let Some(map) = to_unicode {
            let named = encoding.and_then(objects::as_dict).map(|dict| differences(doc, dict)).unwrap_or_default();
            for (code, text) in (0u32..).zip(&mut texts) {
                let is_named = || named.iter().any(|(named, _)| u32::try_from(*named) == Ok(code));
                let keeps = |mapped: &GlyphText| is_case_change(text, mapped) || is_worse(text, mapped, is_named);
                if let Some(mapped) = map.get(code).filter(|mapped| !keeps(mapped)) {
                    *text = mapped;
                }
            }
        }
        let widths = widths(doc, font, descriptor, style, program.as_ref(), &builtin, &texts, unit);
        Self { texts, widths }
    }

    pub(crate) fn decode(&self, bytes: &[u8], mut emit: impl FnMut(Glyph)) {
        for byte in bytes {
            let code = usize::from(*byte);
            emit(Glyph {
                text: self.texts.get(code).cloned().unwrap_or(GlyphText::Unknown),
                width: self.widths.get(code).copied().unwrap_or(0.0),
                word_space: *byte == 32,
                vertical: None,
            });
        }
    }

    /// Mean width of the glyphs that have one.
    pub(crate) fn mean_width(&self) -> Option<f32> {
        let (sum, count) = self.widths.iter().filter(|w| **w > 0.0).fold((0.0, 0u16), |(sum, n), w| (sum + w, n + 1));
        (count > 0).then(|| sum / f32::from(count))
    }

    /// Width of the space character, where the font has one.
    pub(crate) fn space_width(&self) -> Option<f32> {
        let at = self.texts.iter().position(|text| *text == GlyphText::Char(' '))?;
        self.widths.get(at).copied().filter(|width| *width > 0.0)
    }
}

/// Whether a ToUnicode map only changes the case of what the encoding says: what drawing programs write for small
/// capitals, and for capitals that share a font with them.
fn is_case_change(encoded: &GlyphText, mapped: &GlyphText) -> bool {
    match (encoded, mapped) {
        (GlyphText::Char(a), GlyphText::Char(b)) => a.is_ascii_uppercase() && a.to_ascii_lowercase() == *b,
        _ => false,
    }
}

/// Whether a ToUnicode map gives no character where the encoding has one. A private use character gives way to a glyph
/// name only: without one the encoding may say nothing of a font of bullets and signs.
fn is_worse(encoded: &GlyphText, mapped: &GlyphText, is_named: impl Fn() -> bool) -> bool {
    let readable = encoded.is_known() && !encoded.is_unreadable() && !encoded.is_space();
    mapped.is_doubtful() && readable && (!mapped.is_unreadable() || is_named())
}

/// What the codes show before `/Differences`.
fn base_encoding(
    doc: &Document,
    font: &Dictionary,
    encoding: Option<&Object>,
    style: &Style,
    program: Option<&FontProgram>,
    builtin: &HashMap<u8, u32>,
) -> Vec<GlyphText> {
    let named = match encoding {
        Some(Object::Name(name)) => Predefined::by_name(name),
        Some(other) => objects::as_dict(other)
            .and_then(|dict| objects::get_name(doc, dict, b"BaseEncoding"))
            .and_then(Predefined::by_name),
        None => None,
    };
    let symbol_font = Predefined::by_font_name(&style.name);
    // A symbol font keeps its own encoding whatever the file claims.
    if let Some(table) = symbol_font.or(named) {
        return table.table();
    }
    let subtype = objects::get_name(doc, font, b"Subtype");
    if subtype == Some(b"Type3") {
        return vec![GlyphText::Unknown; 256];
    }
    let fallback = if subtype == Some(b"TrueType") { Predefined::WinAnsi } else { Predefined::Standard };
    let mut texts = fallback.table();
    if let Some(program) = program {
        for (code, text) in (0u8..=255).zip(&mut texts) {
            let own = builtin.get(&code).map(|glyph| program.text_of_glyph(*glyph)).filter(GlyphText::is_known);
            if let Some(own) = own {
                *text = own;
            }
        }
    }
    texts
}

/// The codes and glyph names of `/Differences`.
fn differences<'a>(doc: &'a Document, encoding: &'a Dictionary) -> Vec<(usize, &'a [u8])> {
    let mut code = 0usize;
    let mut names = Vec::new();
    for item in objects::get_array(doc, encoding, b"Differences").unwrap_or_default().iter().take(MAX_MAPPINGS) {
        match objects::resolve(doc, item) {
            Some(Object::Name(name)) => {
                names.push((code, name.as_slice()));
                code = code.saturating_add(1);
            }
            Some(object) => {
                let first = objects::number(object).filter(|n| *n >= 0.0);
                code = first.map_or(code, |n| n as usize);
            }
            None => {}
        }
    }
    names
}

/// The encoding of a Type 3 font that names its glyphs by their codes.
fn numbered_encoding(doc: &Document, font: &Dictionary, encoding: Option<&Object>) -> Option<Numbered> {
    let type3 = objects::get_name(doc, font, b"Subtype") == Some(b"Type3");
    let encoding = encoding.and_then(objects::as_dict).filter(|_| type3)?;
    numbered::encoding(differences(doc, encoding).into_iter())
}

fn apply_differences(doc: &Document, encoding: &Dictionary, type3: bool, texts: &mut [GlyphText]) {
    for (code, name) in differences(doc, encoding) {
        let Some(text) = texts.get_mut(code) else { continue };
        *text = match (name, u8::try_from(code)) {
            // Writers that drop the glyph of the space still space words with its code.
            (b".notdef", Ok(b' ')) => GlyphText::Char(' '),
            (name, Ok(code)) if type3 => type3_text(code, name),
            (name, _) => str::from_utf8(name).map_or(GlyphText::Unknown, unicode_of_name),
        };
    }
}

/// The text of a glyph that the file itself draws and names. A name that nobody knows leaves the letter that was typed,
/// which is the code; but a number only counts glyphs, and a font that has those chooses its codes in the same way. So
/// `a12`, a name of dingbats elsewhere, says nothing here.
fn type3_text(code: u8, name: &[u8]) -> GlyphText {
    let name = str::from_utf8(name).unwrap_or_default();
    let numbered = name.ends_with(|last: char| last.is_ascii_digit());
    let dingbat = name.strip_prefix('a').is_some_and(|number| number.parse::<u8>().is_ok());
    match unicode_of_name(name) {
        _ if dingbat => GlyphText::Unknown,
        GlyphText::Unknown if code.is_ascii_graphic() && !numbered && name != ".notdef" => {
            GlyphText::Char(char::from(code))
        }
        known => known,
    }
}

#[expect(clippy::too_many_arguments, reason = "each is a different source of widths")]
fn widths(
    doc: &Document,
    font: &Dictionary,
    descriptor: Option<&Dictionary>,
    style: &Style,
    program: Option<&FontProgram>,
    builtin: &HashMap<u8, u32>,
    texts: &[GlyphText],
    unit: f32,
) -> Vec<f32> {
    let listed = objects::get_array(doc, font, b"Widths");
    let first = objects::get_number(doc, font, b"FirstChar").unwrap_or(0.0).max(0.0) as usize;
    let missing = descriptor.and_then(|d| objects::get_number(doc, d, b"MissingWidth")).filter(|width| *width > 0.0);
    (0u8..=255)
        .zip(texts)
        .map(|(code, text)| {
            let at = usize::from(code).checked_sub(first);
            let given = at.and_then(|at| objects::number(objects::resolve(doc, listed?.get(at)?)?));
            if let Some(width) = given.or(listed.and(missing)) {
                return width * unit;
            }
            let own = program.and_then(|program| program.advance(*builtin.get(&code)?));
            match own {
                Some(width) => width,
                None if listed.is_some() => 0.0,
                None => standard_width(&style.name, style.bold, style.mono, text.first()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_glyphs_that_the_file_draws() {
        assert_eq!(type3_text(b'a', b"alpha"), GlyphText::Char('α'));
        assert_eq!(type3_text(b'a', b"square-1x"), GlyphText::Char('a'));
        assert_eq!(type3_text(b'a', b"uni20AC"), GlyphText::Char('€'));
        for numbered in [&b"g12"[..], b"a12", b"a117", b"12", b".notdef", b"cid_7"] {
            assert_eq!(type3_text(b'a', numbered), GlyphText::Unknown, "{numbered:?}");
        }
        assert_eq!(type3_text(0x07, b"square-1x"), GlyphText::Unknown);
    }
}
