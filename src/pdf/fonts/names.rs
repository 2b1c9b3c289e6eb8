//! Glyph names to Unicode.

use skrifa::raw::ps::agl;

use super::super::glyph::GlyphText;
use super::math_names;

/// The Unicode value of a glyph name: the Adobe Glyph List, TeX's mathematical symbols, `uniXXXX`, `uXXXXX`, components
/// joined by `_`, suffixes after a dot dropped. Names that only number glyphs (`g12`, `cid34`, `glyph56`, `a7`) have none.
pub(crate) fn unicode_of_name(name: &str) -> GlyphText {
    let listed = |name| {
        let known = GlyphText::from_chars(agl::name_to_chars(name));
        if known.is_known() { Some(known) } else { math_names::char_of(name).map(GlyphText::Char) }
    };
    if let Some(known) = listed(name).or_else(|| listed(math_names::without_size(name)?)) {
        return known;
    }
    // Some subsetters write u0041 for U+0041 with lower-case digits, or the bare code as uni20ac.
    let digits = name.strip_prefix("uni").or_else(|| name.strip_prefix('u')).filter(|rest| rest.len() >= 4);
    let code = digits.and_then(|rest| u32::from_str_radix(rest.get(..rest.len().min(6))?, 16).ok());
    code.and_then(char::from_u32).map_or(GlyphText::Unknown, |c| GlyphText::from_chars([c]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names() {
        assert_eq!(unicode_of_name("A"), GlyphText::Char('A'));
        assert_eq!(unicode_of_name("Euro"), GlyphText::Char('€'));
        assert_eq!(unicode_of_name("uni20AC"), GlyphText::Char('€'));
        assert_eq!(unicode_of_name("uni20ac"), GlyphText::Char('€'));
        assert_eq!(unicode_of_name("u1F600"), GlyphText::Char('😀'));
        assert_eq!(unicode_of_name("a.sc"), GlyphText::Char('a'));
        assert_eq!(unicode_of_name("f_f_i"), GlyphText::Many("ffi".into()));
        assert_eq!(unicode_of_name("negationslash"), GlyphText::Char('\u{338}'));
        assert_eq!(unicode_of_name("summationdisplay"), GlyphText::Char('∑'));
        assert_eq!(unicode_of_name("floorleftBig"), GlyphText::Char('⌊'));
        assert_eq!(unicode_of_name("uniD55CAE00"), GlyphText::Many("한글".into()));
    }

    #[test]
    fn unknown_names() {
        for name in [".notdef", "g12", "cid345", "glyph56", "", "uni", "C0032"] {
            assert_eq!(unicode_of_name(name), GlyphText::Unknown, "{name}");
        }
    }
}
