//! Embedded font programs: TrueType and OpenType, bare CFF, Type 1.

use std::collections::HashMap;
use std::sync::OnceLock;

use lopdf::{Dictionary, Document};
use skrifa::font::charmap::EncodingKind;
use skrifa::{Font, GlyphId};

use super::super::glyph::GlyphText;
use super::super::limits::{MAX_FONT_FILE, MAX_MAPPINGS};
use super::super::objects;
use super::names::unicode_of_name;

/// A parsed font program.
pub(crate) struct FontProgram {
    font: Font,
    /// Glyph to character, from the font's own character map; made when first needed.
    reverse: OnceLock<HashMap<u32, char>>,
}

impl FontProgram {
    /// The program that a font descriptor embeds, if it can be parsed.
    pub(crate) fn load(doc: &Document, descriptor: &Dictionary) -> Option<Self> {
        let keys = [&b"FontFile2"[..], b"FontFile3", b"FontFile"];
        let stream = keys.iter().find_map(|key| objects::get_stream(doc, descriptor, key))?;
        Self::parse(objects::stream_data(doc, stream, MAX_FONT_FILE)?)
    }

    fn parse(data: Vec<u8>) -> Option<Self> {
        Some(Self { font: Font::new(data, 0)?, reverse: OnceLock::new() })
    }

    /// Whether glyphs are addressed by CID (a bare CID-keyed CFF font).
    pub(crate) fn is_cid_keyed(&self) -> bool {
        self.font.is_cid_keyed()
    }

    /// The glyph of a CID in a CID-keyed font.
    pub(crate) fn glyph_of_cid(&self, cid: u32) -> Option<u32> {
        self.font.glyph_by_cid(cid).map(|glyph| glyph.to_u32())
    }

    /// The text of a glyph: by the character map, else by its name.
    pub(crate) fn text_of_glyph(&self, glyph: u32) -> GlyphText {
        if let Some(c) = self.reverse.get_or_init(|| self.reverse_map()).get(&glyph) {
            return GlyphText::Char(*c);
        }
        match self.font.glyph_name(GlyphId::new(glyph)) {
            Some(name) if !name.is_synthesized() => unicode_of_name(name.as_str()),
            _ => GlyphText::Unknown,
        }
    }

    /// Whether the program has this glyph, and it draws nothing.
    pub(crate) fn is_blank(&self, glyph: u32) -> bool {
        let extents = self.font.glyph_metrics().extents(GlyphId::new(glyph));
        glyph < self.font.num_glyphs() && extents.is_some_and(|extents| extents.width == 0.0 && extents.height == 0.0)
    }

    /// Advance of a glyph as a fraction of the em.
    pub(crate) fn advance(&self, glyph: u32) -> Option<f32> {
        let upem = f32::from(self.font.units_per_em());
        let advance = self.font.glyph_metrics().h_advance(GlyphId::new(glyph)) / upem;
        (upem > 0.0 && advance.is_finite()).then_some(advance)
    }

    /// The glyph that the font itself assigns to each single-byte code.
    pub(crate) fn builtin_encoding(&self) -> HashMap<u8, u32> {
        let charmap = self.font.charmap();
        let mut glyphs = HashMap::new();
        for encoding in charmap.encodings() {
            let symbol = encoding.kind() == EncodingKind::MsSymbol;
            let byte_coded = matches!(
                encoding.kind(),
                EncodingKind::AdobeStandard
                    | EncodingKind::AdobeExpert
                    | EncodingKind::AdobeCustom
                    | EncodingKind::AdobeLatin1
                    | EncodingKind::AppleRoman
            );
            if !symbol && !byte_coded {
                continue;
            }
            for (code, glyph) in charmap.codes(encoding).take(MAX_MAPPINGS) {
                // Symbol maps hold the codes at U+F000; the high byte varies in the wild.
                let code = if symbol { code & 0xFF } else { code };
                if let Ok(code) = u8::try_from(code) {
                    glyphs.entry(code).or_insert(glyph.to_u32());
                }
            }
        }
        glyphs
    }

    fn reverse_map(&self) -> HashMap<u32, char> {
        let mut best: HashMap<u32, char> = HashMap::new();
        for (code, glyph) in self.font.charmap().unicodes().take(MAX_MAPPINGS) {
            let Some(c) = char::from_u32(code).filter(|c| !c.is_control()) else { continue };
            let entry = best.entry(glyph.to_u32()).or_insert(c);
            if preference(c) < preference(*entry) {
                *entry = c;
            }
        }
        best.retain(|_, c| preference(*c).0 < PRIVATE_USE);
        best
    }
}

const PRIVATE_USE: u8 = 2;

/// Orders the characters that share a glyph: plain ones before compatibility ones before private use.
fn preference(c: char) -> (u8, char) {
    let class = match c {
        '\u{A0}' | '\u{AD}' | '\u{2000}'..='\u{200F}' | '\u{2E80}'..='\u{2FDF}' | '\u{F900}'..='\u{FAFF}' => 1,
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => PRIVATE_USE,
        _ => 0,
    };
    (class, c)
}
