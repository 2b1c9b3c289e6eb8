//! Bitmap fonts whose glyphs are named by their codes: `a65` at 65. Those names say nothing elsewhere, and some of them
//! are names of dingbats; but a font with letters in the places of ASCII holds text, most often in one of the two
//! encodings of TeX.

use super::super::glyph::GlyphText;
use super::encodings::Predefined;

/// Lower-case letters that a font must have to be one of text: symbol fonts have few glyphs in their places.
const MIN_LETTERS: usize = 8;

/// The ligatures, and the code of the first in TeX's old (OT1) and its European (T1) text encoding.
const LIGATURES: [&str; 5] = ["ff", "fi", "fl", "ffi", "ffl"];
const OT1_LIGATURES: u8 = 0x0B;
const T1_LIGATURES: u8 = 0x1B;

/// Codes of control characters, which only a font that is numbered through has all.
const CONTROLS: std::ops::RangeInclusive<usize> = 0x80..=0x9F;

/// T1, 0x10..=0x16.
const T1_PUNCTUATION: &str = "“”„«»–—";
/// T1, 0x80..=0xBF; above it is Latin-1 but for four letters.
const T1_UPPER: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£";

/// The encoding of a font of text whose glyphs are numbered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numbered {
    /// TeX's old encoding, of 128 codes. The codes of its ligatures are theirs where no glyph is numbered below them.
    Ot1 { ligatures: bool },
    /// TeX's European encoding.
    T1,
    /// All codes have a glyph: those of text are what they are outside TeX.
    WinAnsi,
}

/// The encoding of a font of text whose glyph names, given with their codes, are the codes themselves.
pub(super) fn encoding<'a>(names: impl Iterator<Item = (usize, &'a [u8])>) -> Option<Numbered> {
    let (mut letters, mut controls, mut upper) = (0, 0, false);
    let (mut below, mut ot1_ligatures, mut t1_ligatures) = (false, false, false);
    for (code, name) in names.filter(|(_, name)| *name != b".notdef") {
        let digits = name.iter().position(u8::is_ascii_digit).and_then(|at| name.get(at..)).unwrap_or_default();
        let number = str::from_utf8(digits).ok().and_then(|digits| digits.parse::<usize>().ok());
        if name.len() > digits.len() + 1 || number != Some(code) {
            return None;
        }
        letters += usize::from((0x61..=0x7A).contains(&code));
        controls += usize::from(CONTROLS.contains(&code));
        upper |= code >= *CONTROLS.start();
        below |= code < usize::from(OT1_LIGATURES);
        ot1_ligatures |= (usize::from(OT1_LIGATURES)..).take(LIGATURES.len()).any(|ligature| ligature == code);
        t1_ligatures |= (usize::from(T1_LIGATURES)..).take(LIGATURES.len()).any(|ligature| ligature == code);
    }
    let encoding = if controls >= CONTROLS.count() {
        Numbered::WinAnsi
    } else if upper || t1_ligatures && !ot1_ligatures {
        Numbered::T1
    } else {
        Numbered::Ot1 { ligatures: !below }
    };
    (letters >= MIN_LETTERS).then_some(encoding)
}

impl Numbered {
    /// The text of a code.
    pub(super) fn text(self, code: u8) -> GlyphText {
        match self {
            Self::Ot1 { ligatures } => ot1(code, ligatures),
            Self::T1 => t1(code),
            Self::WinAnsi => Predefined::WinAnsi.char(code).map_or(GlyphText::Unknown, GlyphText::Char),
        }
    }
}

fn ot1(code: u8, ligatures: bool) -> GlyphText {
    GlyphText::Char(match code {
        0x22 => '”',
        0x27 => '’',
        0x3C => '¡',
        0x3E => '¿',
        0x5C => '“',
        0x5E => 'ˆ',
        0x5F => '˙',
        0x60 => '‘',
        0x21..=0x7A => char::from(code),
        0x7B => '–',
        0x7C => '—',
        0x7D => '˝',
        0x7E => '˜',
        0x7F => '¨',
        _ => return ligature(code.checked_sub(OT1_LIGATURES).filter(|_| ligatures)),
    })
}

fn t1(code: u8) -> GlyphText {
    let nth = |table: &str, first: u8| {
        let found = code.checked_sub(first).and_then(|at| table.chars().nth(usize::from(at)));
        found.map_or(GlyphText::Unknown, GlyphText::Char)
    };
    match code {
        0x10..=0x16 => nth(T1_PUNCTUATION, 0x10),
        0x27 => GlyphText::Char('’'),
        0x60 => GlyphText::Char('‘'),
        0x7F => GlyphText::Char('-'),
        0x80..=0xBF => nth(T1_UPPER, 0x80),
        0xD7 => GlyphText::Char('Œ'),
        0xDF => GlyphText::from_chars("SS".chars()),
        0xF7 => GlyphText::Char('œ'),
        0xFF => GlyphText::Char('ß'),
        0x21..=0x7E | 0xC0.. => GlyphText::Char(char::from(code)),
        _ => ligature(code.checked_sub(T1_LIGATURES)),
    }
}

fn ligature(at: Option<u8>) -> GlyphText {
    let text = at.and_then(|at| LIGATURES.get(usize::from(at)));
    GlyphText::from_chars(text.copied().unwrap_or_default().chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_the_codes() {
        let named = |prefix: &str, codes: &[usize], shift: usize| {
            let names: Vec<(usize, String)> =
                codes.iter().map(|code| (*code, format!("{prefix}{}", code + shift))).collect();
            encoding(names.iter().map(|(code, name)| (*code, name.as_bytes())))
        };
        let letters = |others: &[usize]| (0x61..0x6B).chain(others.iter().copied()).collect::<Vec<usize>>();
        let through: Vec<usize> = (0..=0xFF).collect();
        assert_eq!(named("a", &letters(&[]), 0), Some(Numbered::Ot1 { ligatures: true }));
        assert_eq!(named("a", &letters(&[0x01]), 0), Some(Numbered::Ot1 { ligatures: false }));
        assert_eq!(named("a", &letters(&[0x0C, 0x1C]), 0), Some(Numbered::Ot1 { ligatures: true }));
        assert_eq!(named("a", &letters(&[0x1C]), 0), Some(Numbered::T1));
        assert_eq!(named("a", &letters(&[0xE4]), 0), Some(Numbered::T1));
        assert_eq!(named("a", &through, 0), Some(Numbered::WinAnsi));
        assert_eq!(named("a", &[0x61, 0x62, 0x63, 0x64], 0), None, "too few letters");
        assert_eq!(named("a", &letters(&[]), 1), None, "other numbers");
        assert_eq!(named("uni", &letters(&[]), 0), None, "a name that means something");
        assert_eq!(encoding([(0x61, &b"a"[..])].into_iter()), None);
    }

    #[test]
    fn texts() {
        let font = Numbered::Ot1 { ligatures: true };
        assert_eq!(font.text(b'k'), GlyphText::Char('k'));
        assert_eq!(font.text(0x0E), GlyphText::Many("ffi".into()));
        assert_eq!(font.text(0x7B), GlyphText::Char('–'));
        assert_eq!(font.text(0x20), GlyphText::Unknown);
        assert_eq!(font.text(0x80), GlyphText::Unknown);
        assert_eq!(Numbered::Ot1 { ligatures: false }.text(0x0E), GlyphText::Unknown);
    }

    #[test]
    fn texts_of_the_european_encoding() {
        assert_eq!(T1_UPPER.chars().count(), 0x40);
        let text: Vec<GlyphText> =
            [0x15, 0x1C, 0x22, 0x87, 0xBF, 0xE4, 0xFF].map(|code| Numbered::T1.text(code)).into();
        let known = ['–', '"', 'Ğ', '£', 'ä', 'ß'].map(GlyphText::Char);
        assert_eq!(
            text.iter().filter(|text| **text != GlyphText::Many("fi".into())).cloned().collect::<Vec<_>>(),
            known
        );
        assert_eq!(Numbered::T1.text(0x1C), GlyphText::Many("fi".into()));
        assert_eq!(Numbered::T1.text(0x20), GlyphText::Unknown);
        assert_eq!(Numbered::WinAnsi.text(0x22), GlyphText::Char('"'));
        assert_eq!(Numbered::WinAnsi.text(0xE4), GlyphText::Char('ä'));
    }
}
