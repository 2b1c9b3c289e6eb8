//! Text strings outside content: titles, languages, outline entries.

use unicode_normalization::UnicodeNormalization;

/// What PDFDocEncoding has at 0x80..=0xA0 (0x18..=0x1F are spacing accents, which no title needs).
const PDF_DOC_UPPER: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{FFFD}€";

/// Decodes UTF-16 or UTF-8 with a byte order mark, else PDFDocEncoding; NFC, control characters and language escapes
/// removed, ends trimmed.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let text: String = match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // Not allowed before PDF 2.0 without the mark, but common; Latin text with a valid multi-byte sequence in it
        // is not.
        _ if bytes.iter().any(|b| *b >= 0x80) && str::from_utf8(bytes).is_ok() => {
            String::from_utf8_lossy(bytes).into_owned()
        }
        _ => bytes.iter().map(|byte| pdf_doc_char(*byte)).collect(),
    };
    let mut escaped = false;
    let visible = text.chars().filter(|c| {
        if *c == '\u{1B}' {
            escaped = !escaped;
            return false;
        }
        !escaped && *c != '\0' && *c != '\u{FEFF}'
    });
    let clean: String = visible.map(|c| if c.is_control() { ' ' } else { c }).nfc().collect();
    clean.trim().to_owned()
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect()
}

fn pdf_doc_char(byte: u8) -> char {
    match byte {
        0x80..=0xA0 => PDF_DOC_UPPER.chars().nth(usize::from(byte) - 0x80).unwrap_or('\u{FFFD}'),
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_each_encoding() {
        assert_eq!(decode(b"\xFE\xFF\xD5\x5C\xAE\x00"), "한글");
        assert_eq!(decode(b"\xFF\xFE\x5C\xD5\x00\xAE"), "한글");
        assert_eq!(decode("\u{FEFF}표 1".as_bytes()), "표 1");
        assert_eq!(decode("한글".as_bytes()), "한글");
        assert_eq!(decode(b"Caf\xE9 \x84 \xA0 "), "Café — €");
    }

    #[test]
    fn removes_language_escapes_and_controls() {
        assert_eq!(decode(b"\xFE\xFF\x00\x1B\x00e\x00n\x00\x1B\x00A\x00\n\x00B\x00\x00"), "A B");
    }
}
