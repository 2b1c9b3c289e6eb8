//! Fonts: character codes to Unicode, widths and looks.
//!
//! Unicode comes, in this order, from the font's ToUnicode map, the code itself (`Uni*` CMaps), the CID's collection,
//! the embedded program's character map, and glyph names.

mod cid;
mod composite;
mod encodings;
mod math_names;
mod names;
mod numbered;
mod program;
mod simple;
mod style;
mod to_unicode;
mod widths;

use lopdf::{Dictionary, Document, Object};

use super::glyph::{Glyph, GlyphText};
use super::limits::MAX_CMAP;
use super::matrix::Matrix;
use super::objects;
use composite::CompositeFont;
use simple::SimpleFont;
pub(crate) use style::Style;
use to_unicode::ToUnicode;

/// A font as content uses it.
pub(crate) struct Font {
    /// Looks; ascent and descent are at font size 1.
    pub(crate) style: Style,
    /// Font size in points that a font size of 1 amounts to: 1 but for Type 3.
    pub(crate) size_factor: f32,
    /// Width of the space character at font size 1.
    pub(crate) space_width: Option<f32>,
    kind: Kind,
}

enum Kind {
    Simple(SimpleFont),
    Composite(Box<CompositeFont>),
}

impl Font {
    pub(crate) fn load(doc: &Document, dict: &Dictionary) -> Self {
        let to_unicode = match objects::get(doc, dict, b"ToUnicode") {
            Some(Object::Name(name)) if name.starts_with(b"Identity") => Some(ToUnicode::identity()),
            Some(Object::Stream(stream)) => {
                let map = objects::stream_data(doc, stream, MAX_CMAP).map(|data| ToUnicode::parse(&data));
                map.filter(|map| !map.is_empty())
            }
            _ => None,
        };
        let base = objects::get_name(doc, dict, b"BaseFont");
        match objects::get_name(doc, dict, b"Subtype") {
            Some(b"Type0") => {
                let style = Style::load(doc, composite::descendant(doc, dict).unwrap_or(dict), base);
                let font = CompositeFont::load(doc, dict, to_unicode);
                let space_width = font.space_width();
                Self { style, size_factor: 1.0, space_width, kind: Kind::Composite(Box::new(font)) }
            }
            Some(b"Type3") => Self::load_type3(doc, dict, to_unicode.as_ref()),
            _ => {
                let style = Style::load(doc, dict, base);
                let font = SimpleFont::load(doc, dict, &style, to_unicode.as_ref(), 0.001);
                let space_width = font.space_width();
                Self { style, size_factor: 1.0, space_width, kind: Kind::Simple(font) }
            }
        }
    }

    /// A Type 3 font has its own glyph space: the font's box tells how tall its glyphs are.
    fn load_type3(doc: &Document, dict: &Dictionary, to_unicode: Option<&ToUnicode>) -> Self {
        const DEFAULT_MATRIX: Matrix = Matrix::new(0.001, 0.0, 0.0, 0.001, 0.0, 0.0);
        let matrix = objects::get_numbers(doc, dict, b"FontMatrix").and_then(|m| Matrix::from_slice(&m));
        let matrix = matrix.filter(|m| m.scale() > 0.0).unwrap_or(DEFAULT_MATRIX);
        let mut style = Style::load(doc, dict, objects::get_name(doc, dict, b"Name"));
        let height = match objects::get_numbers(doc, dict, b"FontBBox").as_deref() {
            Some([_, y0, _, y1]) => ((y1 - y0) * matrix.d).abs(),
            _ => 0.0,
        };
        let font = SimpleFont::load(doc, dict, &style, to_unicode, matrix.a.abs());
        // A box that is empty, or does not fit the widths, tells nothing; letters are about half an em wide.
        let by_width = font.mean_width().map_or(0.0, |width| 2.0 * width);
        let fits = by_width == 0.0 || (0.4..=3.0).contains(&(height / by_width));
        let em = match (height > 0.0 && fits, by_width > 0.0) {
            (true, _) => height,
            (false, true) => by_width,
            (false, false) => 1.0,
        };
        style.ascent *= em;
        style.descent *= em;
        let space_width = font.space_width();
        Self { style, size_factor: em, space_width, kind: Kind::Simple(font) }
    }

    /// Whether the font writes downwards.
    pub(crate) fn is_vertical(&self) -> bool {
        matches!(&self.kind, Kind::Composite(font) if font.is_vertical())
    }

    /// Calls `emit` for each code of a shown string.
    pub(crate) fn decode(&self, bytes: &[u8], mut emit: impl FnMut(Glyph)) {
        let name = &self.style.name;
        let tidy = |mut glyph: Glyph| {
            if let GlyphText::Char(c) = glyph.text
                && let Some(plain) = encodings::private_use_char(c, name)
            {
                glyph.text = GlyphText::Char(plain);
            }
            emit(glyph);
        };
        match &self.kind {
            Kind::Simple(font) => font.decode(bytes, tidy),
            Kind::Composite(font) => font.decode(bytes, tidy),
        }
    }
}
