//! Type 0 fonts: multi-byte codes through a CMap to CIDs.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use hayro_cmap::CidFamily;
use lopdf::{Dictionary, Document};

use super::super::glyph::{Glyph, GlyphText};
use super::super::limits::MAX_CMAP;
use super::super::objects;
use super::cid::{CidToUnicode, Code, CodeMap};
use super::encodings::Predefined;
use super::program::FontProgram;
use super::to_unicode::ToUnicode;
use super::widths::{CidWidths, VerticalWidths};

/// A Type 0 font with its one descendant.
pub(crate) struct CompositeFont {
    codes: CodeMap,
    to_unicode: Option<ToUnicode>,
    /// Collections that the CIDs may belong to, the more likely one first.
    families: [Option<CidFamily>; 2],
    /// Read when a code needs it.
    cid_to_unicode: OnceLock<Option<CidToUnicode>>,
    program: Option<FontProgram>,
    cid_to_gid: Option<Vec<u8>>,
    /// CIDs are glyph numbers of a TrueType font that the file does not embed.
    foreign_glyphs: bool,
    widths: CidWidths,
    vertical: Option<VerticalWidths>,
    /// Text of the codes met so far.
    texts: Mutex<HashMap<u32, GlyphText>>,
}

impl CompositeFont {
    pub(crate) fn load(doc: &Document, font: &Dictionary, to_unicode: Option<ToUnicode>) -> Self {
        let empty = Dictionary::new();
        let descendant = descendant(doc, font).unwrap_or(&empty);
        let codes = CodeMap::load(doc, objects::get(doc, font, b"Encoding"));
        // A CMap of a real collection says more than a descendant that claims Identity.
        let families = [family(doc, descendant), codes.family().cloned()];
        let descriptor = objects::get_dict(doc, descendant, b"FontDescriptor");
        let cid_to_gid = objects::get_stream(doc, descendant, b"CIDToGIDMap")
            .and_then(|stream| objects::stream_data(doc, stream, MAX_CMAP));
        let vertical = codes.is_vertical().then(|| VerticalWidths::load(doc, descendant));
        let program = descriptor.and_then(|descriptor| FontProgram::load(doc, descriptor));
        let truetype = objects::get_name(doc, descendant, b"Subtype") == Some(b"CIDFontType2");
        let identity = matches!(codes, CodeMap::Identity { .. });
        Self {
            codes,
            to_unicode,
            families,
            cid_to_unicode: OnceLock::new(),
            foreign_glyphs: truetype && identity && program.is_none() && cid_to_gid.is_none(),
            program,
            cid_to_gid,
            widths: CidWidths::load(doc, descendant),
            vertical,
            texts: Mutex::default(),
        }
    }

    pub(crate) fn decode(&self, bytes: &[u8], mut emit: impl FnMut(Glyph)) {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rest = bytes;
        while !rest.is_empty() {
            let code = self.codes.next_code(rest);
            rest = rest.get(code.len.max(1)..).unwrap_or_default();
            let text = texts.entry(code.value).or_insert_with(|| self.text_of(code)).clone();
            let width = self.widths.get(code.cid);
            let vertical = self.vertical.as_ref().map(|vertical| vertical.get(code.cid, width));
            emit(Glyph { text, width, word_space: code.len == 1 && code.value == 32, vertical });
        }
    }

    pub(crate) fn is_vertical(&self) -> bool {
        self.vertical.is_some()
    }

    /// Width of the space character, where it can be found.
    pub(crate) fn space_width(&self) -> Option<f32> {
        let bytes: &[u8] = match &self.codes {
            CodeMap::Mapped { unicode: true, .. } => &[0, 32],
            CodeMap::Mapped { .. } => &[32],
            CodeMap::Identity { .. } => return None,
        };
        Some(self.widths.get(self.codes.next_code(bytes).cid))
    }

    /// The text of a code, by the most trustworthy source that has one.
    fn text_of(&self, code: Code) -> GlyphText {
        let identity = self.to_unicode.as_ref().is_some_and(ToUnicode::is_identity);
        let listed = || self.to_unicode.as_ref()?.get(code.value);
        let by_map = if identity { None } else { listed().filter(|text| !text.is_doubtful()) };
        by_map
            .or_else(|| self.codes.unicode_of(code).map(GlyphText::Char))
            .or_else(|| self.text_by_collection(code.cid).filter(GlyphText::is_known))
            .or_else(|| self.text_by_program(code.cid).filter(GlyphText::is_known))
            .or_else(listed)
            .or_else(|| self.foreign_glyphs.then(|| standard_glyph(code.cid)))
            .unwrap_or(GlyphText::Unknown)
    }

    fn text_by_collection(&self, cid: u32) -> Option<GlyphText> {
        let load = || self.families.iter().flatten().find_map(CidToUnicode::of_family);
        Some(self.cid_to_unicode.get_or_init(load).as_ref()?.get(cid))
    }

    fn text_by_program(&self, cid: u32) -> Option<GlyphText> {
        let program = self.program.as_ref()?;
        let glyph = if let Some(map) = &self.cid_to_gid {
            let at = usize::try_from(cid).ok()?.checked_mul(2)?;
            let (high, low) = (map.get(at)?, map.get(at + 1)?);
            u32::from(u16::from_be_bytes([*high, *low]))
        } else if program.is_cid_keyed() {
            program.glyph_of_cid(cid)?
        } else {
            cid
        };
        let text = program.text_of_glyph(glyph);
        // What stands for a character that the font lacks may draw nothing.
        Some(if !text.is_known() && program.is_blank(glyph) { GlyphText::Char(' ') } else { text })
    }
}

/// The text of a glyph by its number in the order that TrueType fonts begin with: three glyphs that show nothing, then
/// those of the Macintosh character set.
fn standard_glyph(glyph: u32) -> GlyphText {
    let code = match glyph {
        3..=97 => glyph + 29,
        98..=225 => glyph + 30,
        _ => return GlyphText::Unknown,
    };
    let c = u8::try_from(code).ok().and_then(|code| Predefined::MacRoman.char(code));
    c.map_or(GlyphText::Unknown, GlyphText::Char)
}

/// The CID font below a Type 0 font.
pub(crate) fn descendant<'a>(doc: &'a Document, font: &'a Dictionary) -> Option<&'a Dictionary> {
    match objects::get(doc, font, b"DescendantFonts")? {
        lopdf::Object::Array(fonts) => objects::as_dict(objects::resolve(doc, fonts.first()?)?),
        other => objects::as_dict(other),
    }
}

fn family(doc: &Document, descendant: &Dictionary) -> Option<CidFamily> {
    let info = objects::get_dict(doc, descendant, b"CIDSystemInfo")?;
    let text = |key| objects::get(doc, info, key).and_then(|object| object.as_str().ok());
    Some(CidFamily::from_registry_ordering(text(b"Registry")?, text(b"Ordering")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_in_their_standard_order() {
        let text = |glyph| standard_glyph(glyph);
        assert_eq!([3, 36, 97].map(text), [' ', 'A', '~'].map(GlyphText::Char));
        assert_eq!([98, 133, 225].map(text), ['Ä', '£', 'ˇ'].map(GlyphText::Char));
        assert_eq!([0, 2, 226, 4000].map(text), [const { GlyphText::Unknown }; 4]);
    }
}
