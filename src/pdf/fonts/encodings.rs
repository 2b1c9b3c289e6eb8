//! Predefined encodings of simple fonts: character code to Unicode.

use super::super::glyph::GlyphText;

/// Marks a code without a character in the tables below.
const NONE: char = '\u{FFFD}';

/// StandardEncoding, 0xA1..=0xFB.
const STANDARD_UPPER: &str = concat!(
    "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\u{FFFD}–†‡·\u{FFFD}¶•‚„”»…‰\u{FFFD}¿\u{FFFD}`´ˆ˜¯˘˙¨\u{FFFD}˚¸\u{FFFD}˝˛ˇ—",
    "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
    "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
    "Æ\u{FFFD}ª\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}ŁØŒº\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}æ",
    "\u{FFFD}\u{FFFD}\u{FFFD}ı\u{FFFD}\u{FFFD}łøœß",
);

/// WinAnsiEncoding, 0x80..=0x9F; above it is Latin-1. Unused codes show a bullet.
const WIN_ANSI_UPPER: &str = "€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ";

/// MacRomanEncoding, 0x80..=0xFF, with the currency sign where Mac OS later put the euro.
const MAC_ROMAN_UPPER: &str = concat!(
    "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø",
    "¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{FFFD}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
);

/// The Symbol font's own encoding, 0x20..=0x7E.
const SYMBOL_LOWER: &str =
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";

/// The Symbol font's own encoding, 0xA0..=0xFE; pieces of tall brackets stand as the bracket.
const SYMBOL_UPPER: &str = concat!(
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…\u{23D0}―↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{FFFD}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
);

/// ZapfDingbats: the codes 0x21..=0x7E follow the Dingbats block but for those listed in [`DINGBAT_EXCEPTIONS`].
const DINGBAT_EXCEPTIONS: [(u8, char); 14] = [
    (0x25, '☎'),
    (0x2A, '☛'),
    (0x2B, '☞'),
    (0x48, '★'),
    (0x6C, '●'),
    (0x6E, '■'),
    (0x73, '▲'),
    (0x74, '▼'),
    (0x75, '◆'),
    (0x77, '◗'),
    (0xA8, '♣'),
    (0xA9, '♦'),
    (0xAA, '♥'),
    (0xAB, '♠'),
];

/// What text uses of Wingdings: bullets, boxes, arrows, check marks.
const WINGDINGS: [(u8, char); 24] = [
    (0x6C, '●'),
    (0x6D, '❍'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0x71, '❑'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x77, '◆'),
    (0x9F, '•'),
    (0xA0, '▪'),
    (0xA1, '○'),
    (0xA7, '▪'),
    (0xA8, '□'),
    (0xD8, '➢'),
    (0xDF, '←'),
    (0xE0, '→'),
    (0xE1, '↑'),
    (0xE2, '↓'),
    (0xE8, '➔'),
    (0xF0, '⇨'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFD, '☒'),
    (0xFE, '☑'),
];

/// A predefined encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Predefined {
    Standard,
    WinAnsi,
    MacRoman,
    Symbol,
    ZapfDingbats,
    Wingdings,
}

impl Predefined {
    /// By the name that `/Encoding` or `/BaseEncoding` gives.
    pub(crate) fn by_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"StandardEncoding" => Self::Standard,
            b"WinAnsiEncoding" | b"PDFDocEncoding" => Self::WinAnsi,
            b"MacRomanEncoding" => Self::MacRoman,
            _ => return None,
        })
    }

    /// The built-in encoding of a symbol font known by name.
    pub(crate) fn by_font_name(name: &str) -> Option<Self> {
        let plain = name.to_ascii_lowercase();
        if plain.starts_with("symbol") {
            Some(Self::Symbol)
        } else if plain.contains("zapfdingbats") || plain == "dingbats" {
            Some(Self::ZapfDingbats)
        } else if plain.starts_with("wingdings") && !plain.contains(['2', '3']) {
            Some(Self::Wingdings)
        } else {
            None
        }
    }

    /// The character of a code.
    pub(crate) fn char(self, code: u8) -> Option<char> {
        match self {
            Self::Standard => match code {
                0x27 => Some('’'),
                0x60 => Some('‘'),
                0x20..=0x7E => Some(char::from(code)),
                _ => nth(STANDARD_UPPER, code, 0xA1),
            },
            Self::WinAnsi => match code {
                0x20..=0x7E | 0xA0..=0xFF => Some(char::from(code)),
                0x7F => Some('•'),
                _ => nth(WIN_ANSI_UPPER, code, 0x80),
            },
            Self::MacRoman => match code {
                0x20..=0x7E => Some(char::from(code)),
                _ => nth(MAC_ROMAN_UPPER, code, 0x80),
            },
            Self::Symbol => nth(SYMBOL_LOWER, code, 0x20).or_else(|| nth(SYMBOL_UPPER, code, 0xA0)),
            Self::ZapfDingbats => dingbat(code),
            Self::Wingdings => match code {
                0x20 => Some(' '),
                0x81..=0x8A => char::from_u32(u32::from('①') + u32::from(code) - 0x81),
                0x8C..=0x95 => char::from_u32(u32::from('❶') + u32::from(code) - 0x8C),
                _ => WINGDINGS.iter().find(|(at, _)| *at == code).map(|(_, c)| *c),
            },
        }
    }

    /// All 256 codes.
    pub(crate) fn table(self) -> Vec<GlyphText> {
        (0..=255u8).map(|code| self.char(code).map_or(GlyphText::Unknown, GlyphText::Char)).collect()
    }
}

fn nth(table: &str, code: u8, first: u8) -> Option<char> {
    table.chars().nth(usize::from(code.checked_sub(first)?)).filter(|c| *c != NONE)
}

fn dingbat(code: u8) -> Option<char> {
    if let Some((_, c)) = DINGBAT_EXCEPTIONS.iter().find(|(at, _)| *at == code) {
        return Some(*c);
    }
    let offset = match code {
        0x20 => return Some(' '),
        0x21..=0x7E => u32::from(code) - 0x20,
        0xA1..=0xA7 => u32::from(code) - 0x40,
        0xAC..=0xB5 => return char::from_u32(0x2460 + u32::from(code) - 0xAC),
        0xD5 => return Some('→'),
        0xD6 => return Some('↔'),
        0xD7 => return Some('↕'),
        0xB6..=0xD4 | 0xD8..=0xEF | 0xF1..=0xFE => u32::from(code) - 0x40,
        _ => return None,
    };
    char::from_u32(0x2700 + offset)
}

/// The character that a private-use code of a symbol font (U+F020..=U+F0FF) stands for, by the font's name; bullets are
/// so common that an unknown font's are taken for Symbol's.
pub(crate) fn private_use_char(c: char, font_name: &str) -> Option<char> {
    let code = u8::try_from(u32::from(c).checked_sub(0xF000)?).ok().filter(|code| *code >= 0x20)?;
    match Predefined::by_font_name(font_name) {
        Some(encoding) => encoding.char(code),
        None if code == 0xB7 => Some('•'),
        None if code == 0xA7 => Some('▪'),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_their_full_length() {
        assert_eq!(STANDARD_UPPER.chars().count(), 0xFB - 0xA1 + 1);
        assert_eq!(WIN_ANSI_UPPER.chars().count(), 32);
        assert_eq!(MAC_ROMAN_UPPER.chars().count(), 128);
        assert_eq!(SYMBOL_LOWER.chars().count(), 95);
        assert_eq!(SYMBOL_UPPER.chars().count(), 95);
    }

    #[test]
    fn landmarks_of_each_encoding() {
        let expect = [
            (Predefined::Standard, 0x27, '’'),
            (Predefined::Standard, 0xAE, 'ﬁ'),
            (Predefined::Standard, 0xB1, '–'),
            (Predefined::Standard, 0xD0, '—'),
            (Predefined::Standard, 0xE1, 'Æ'),
            (Predefined::Standard, 0xE8, 'Ł'),
            (Predefined::Standard, 0xF1, 'æ'),
            (Predefined::Standard, 0xF5, 'ı'),
            (Predefined::Standard, 0xFB, 'ß'),
            (Predefined::WinAnsi, 0x80, '€'),
            (Predefined::WinAnsi, 0x96, '–'),
            (Predefined::WinAnsi, 0x9F, 'Ÿ'),
            (Predefined::WinAnsi, 0xE9, 'é'),
            (Predefined::MacRoman, 0x8E, 'é'),
            (Predefined::MacRoman, 0xD0, '–'),
            (Predefined::MacRoman, 0xDE, 'ﬁ'),
            (Predefined::MacRoman, 0xFF, 'ˇ'),
            (Predefined::Symbol, 0x61, 'α'),
            (Predefined::Symbol, 0x7E, '∼'),
            (Predefined::Symbol, 0xB7, '•'),
            (Predefined::Symbol, 0xE5, '∑'),
            (Predefined::Symbol, 0xF2, '∫'),
            (Predefined::Symbol, 0xFE, '⎭'),
            (Predefined::ZapfDingbats, 0x34, '✔'),
            (Predefined::ZapfDingbats, 0x6E, '■'),
            (Predefined::ZapfDingbats, 0xAC, '①'),
            (Predefined::ZapfDingbats, 0xD4, '➔'),
            (Predefined::Wingdings, 0x8A, '⑩'),
            (Predefined::Wingdings, 0x8C, '❶'),
            (Predefined::Wingdings, 0xA7, '▪'),
        ];
        for (encoding, code, c) in expect {
            assert_eq!(encoding.char(code), Some(c), "{encoding:?} {code:#x}");
        }
        assert_eq!(Predefined::Standard.char(0x80), None);
        assert_eq!(Predefined::Standard.char(0xB0), None);
    }

    #[test]
    fn private_use_bullets() {
        assert_eq!(private_use_char('\u{F0B7}', "ArialMT"), Some('•'));
        assert_eq!(private_use_char('\u{F0FC}', "Wingdings-Regular"), Some('✓'));
        assert_eq!(private_use_char('\u{F061}', "SymbolMT"), Some('α'));
        assert_eq!(private_use_char('\u{F061}', "ArialMT"), None);
        assert_eq!(private_use_char('가', "Symbol"), None);
    }
}
