//! Bitmap fonts of TeX, whose glyphs are named by their codes: `a65` at 65. Those names say nothing elsewhere, and some
//! of them are names of dingbats; but a font with letters in the places of ASCII holds text in TeX's own encoding.

use super::super::glyph::GlyphText;

/// Lower-case letters that a font must have to be one of text: symbol fonts have few glyphs in their places.
const MIN_LETTERS: usize = 8;

/// Ligatures of TeX's text encoding (OT1), from 0x0B on.
const LIGATURES: [&str; 5] = ["ff", "fi", "fl", "ffi", "ffl"];
const LIGATURES_FROM: u8 = 0x0B;

/// A font of text in TeX's encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Numbered {
    /// The codes of the ligatures are theirs: a font that has glyphs below them may be numbered through.
    ligatures: bool,
}

/// The encoding of a font of text whose glyph names, given with their codes, are the codes themselves.
pub(super) fn encoding<'a>(names: impl Iterator<Item = (usize, &'a [u8])>) -> Option<Numbered> {
    let (mut letters, mut ligatures) = (0, true);
    for (code, name) in names.filter(|(_, name)| *name != b".notdef") {
        let digits = name.iter().position(u8::is_ascii_digit).and_then(|at| name.get(at..)).unwrap_or_default();
        let number = str::from_utf8(digits).ok().and_then(|digits| digits.parse::<usize>().ok());
        if name.len() > digits.len() + 1 || number != Some(code) {
            return None;
        }
        letters += usize::from((0x61..=0x7A).contains(&code));
        ligatures &= code >= usize::from(LIGATURES_FROM);
    }
    (letters >= MIN_LETTERS).then_some(Numbered { ligatures })
}

impl Numbered {
    /// The text of a code.
    pub(super) fn text(self, code: u8) -> GlyphText {
        match code {
            0x22 => GlyphText::Char('”'),
            0x27 => GlyphText::Char('’'),
            0x3C => GlyphText::Char('¡'),
            0x3E => GlyphText::Char('¿'),
            0x5C => GlyphText::Char('“'),
            0x5E => GlyphText::Char('ˆ'),
            0x5F => GlyphText::Char('˙'),
            0x60 => GlyphText::Char('‘'),
            0x21..=0x7A => GlyphText::Char(char::from(code)),
            0x7B => GlyphText::Char('–'),
            0x7C => GlyphText::Char('—'),
            0x7D => GlyphText::Char('˝'),
            0x7E => GlyphText::Char('˜'),
            0x7F => GlyphText::Char('¨'),
            _ => {
                let at = code.checked_sub(LIGATURES_FROM).filter(|_| self.ligatures);
                let text = at.and_then(|at| LIGATURES.get(usize::from(at)));
                GlyphText::from_chars(text.copied().unwrap_or_default().chars())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_the_codes() {
        let named = |prefix: &str, codes: std::ops::Range<usize>, shift: usize| {
            let names: Vec<(usize, String)> = codes.map(|code| (code, format!("{prefix}{}", code + shift))).collect();
            encoding(names.iter().map(|(code, name)| (*code, name.as_bytes())))
        };
        assert_eq!(named("a", 0x61..0x6B, 0), Some(Numbered { ligatures: true }));
        assert_eq!(named("a", 0x01..0x6B, 0), Some(Numbered { ligatures: false }));
        assert_eq!(named("a", 0x61..0x65, 0), None, "too few letters");
        assert_eq!(named("a", 0x61..0x6B, 1), None, "other numbers");
        assert_eq!(named("uni", 0x61..0x6B, 0), None, "a name that means something");
        assert_eq!(encoding([(0x61, &b"a"[..])].into_iter()), None);
    }

    #[test]
    fn texts() {
        let font = Numbered { ligatures: true };
        assert_eq!(font.text(b'k'), GlyphText::Char('k'));
        assert_eq!(font.text(0x0E), GlyphText::Many("ffi".into()));
        assert_eq!(font.text(0x7B), GlyphText::Char('–'));
        assert_eq!(font.text(0x20), GlyphText::Unknown);
        assert_eq!(font.text(0x80), GlyphText::Unknown);
        assert_eq!(Numbered { ligatures: false }.text(0x0E), GlyphText::Unknown);
    }
}
