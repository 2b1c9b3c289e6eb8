//! ToUnicode CMaps.

use std::collections::HashMap;

use super::super::glyph::GlyphText;
use super::super::lexer::{Lexer, Operand};
use super::super::limits::MAX_MAPPINGS;

/// Character codes to text.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToUnicode {
    /// Single codes.
    chars: HashMap<u32, GlyphText>,
    /// Ranges that count up from a character, sorted by their first code.
    ranges: Vec<Range>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: u32,
    high: u32,
    base: u32,
}

impl ToUnicode {
    /// Reads the `bfchar` and `bfrange` sections; anything else, and anything malformed, is passed over.
    pub(crate) fn parse(data: &[u8]) -> Self {
        let mut map = Self::default();
        let mut lexer = Lexer::with_operands(data, MAX_MAPPINGS);
        while let Some(operator) = lexer.next_operator() {
            match operator {
                b"endbfchar" => lexer.operands.as_chunks::<2>().0.iter().for_each(|pair| map.add_char(pair)),
                // Some writers put a CMap that maps to CIDs here; the CIDs are meant as Unicode values.
                b"endcidrange" => {
                    for triple in lexer.operands.as_chunks::<3>().0 {
                        if let [low, high, Operand::Number(base)] = triple {
                            map.add_numbers(low, high, *base as u32);
                        }
                    }
                }
                b"endbfrange" => lexer.operands.as_chunks::<3>().0.iter().for_each(|triple| map.add_range(triple)),
                _ => {}
            }
            if map.chars.len() + map.ranges.len() > MAX_MAPPINGS {
                break;
            }
        }
        map.ranges.sort_by_key(|range| range.low);
        map
    }

    /// Each code is the character of the same number.
    pub(crate) fn identity() -> Self {
        Self { chars: HashMap::new(), ranges: vec![Range { low: 0, high: 0xFFFF, base: 0 }] }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.chars.is_empty() && self.ranges.is_empty()
    }

    /// Whether every code maps to the character of the same number: what writers emit that know no Unicode values. It
    /// says nothing unless the codes are Unicode anyway.
    pub(crate) fn is_identity(&self) -> bool {
        let mut singles = self.chars.iter();
        !self.is_empty()
            && singles.all(|(code, text)| *text == GlyphText::from_chars(char::from_u32(*code)))
            && self.ranges.iter().all(|range| range.low == range.base)
    }

    /// The text of a code.
    pub(crate) fn get(&self, code: u32) -> Option<GlyphText> {
        if let Some(text) = self.chars.get(&code) {
            return Some(text.clone());
        }
        let after = self.ranges.partition_point(|range| range.low <= code);
        // Ranges may overlap, so the nearest one below need not be the one that holds the code.
        let range = self.ranges.get(..after)?.iter().rev().take(8).find(|range| code <= range.high)?;
        let text = GlyphText::from_chars(char::from_u32(range.base.checked_add(code - range.low)?));
        text.is_known().then_some(text)
    }

    fn add_char(&mut self, [code, text]: &[Operand; 2]) {
        let Some(code) = code.string().and_then(code_value) else { return };
        let text = match text {
            Operand::String(bytes) => GlyphText::from_chars(utf16(bytes)),
            Operand::Name(name) => str::from_utf8(name).map_or(GlyphText::Unknown, super::names::unicode_of_name),
            _ => GlyphText::Unknown,
        };
        if text.is_known() {
            self.chars.insert(code, text);
        }
    }

    fn add_range(&mut self, [low, high, target]: &[Operand; 3]) {
        let ends = (low.string().and_then(code_value), high.string().and_then(code_value));
        let (Some(low), Some(high)) = ends else { return };
        if high < low {
            return;
        }
        match target {
            Operand::Array(items) => {
                for (code, item) in (low..=high).zip(items) {
                    if let Some(bytes) = item.string() {
                        self.insert_text(code, utf16(bytes));
                    }
                }
            }
            Operand::String(bytes) => self.add_counting_range(low, high, &utf16(bytes)),
            _ => {}
        }
    }

    fn add_numbers(&mut self, low: &Operand, high: &Operand, base: u32) {
        let ends = low.string().and_then(code_value).zip(high.string().and_then(code_value));
        if let Some((low, high)) = ends.filter(|(low, high)| low <= high) {
            self.ranges.push(Range { low, high, base });
        }
    }

    fn add_counting_range(&mut self, low: u32, high: u32, target: &[char]) {
        match target {
            [] => {}
            [base] => self.ranges.push(Range { low, high, base: u32::from(*base) }),
            // Only the last character of a longer text counts up, and only within a byte.
            [start @ .., last] => {
                for (step, code) in (low..=high).enumerate().take(256) {
                    let last = u32::try_from(step).ok().and_then(|step| char::from_u32(u32::from(*last) + step));
                    self.insert_text(code, start.iter().copied().chain(last));
                }
            }
        }
    }

    fn insert_text(&mut self, code: u32, chars: impl IntoIterator<Item = char>) {
        let text = GlyphText::from_chars(chars);
        if text.is_known() && self.chars.len() < MAX_MAPPINGS {
            self.chars.insert(code, text);
        }
    }
}

/// A code of up to four bytes.
fn code_value(bytes: &[u8]) -> Option<u32> {
    (bytes.len() <= 4).then(|| bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte)))
}

/// UTF-16BE; a single byte stands for the character of that number.
fn utf16(bytes: &[u8]) -> Vec<char> {
    if let [byte] = bytes {
        return vec![char::from(*byte)];
    }
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_be_bytes(*pair));
    char::decode_utf16(units).filter_map(Result::ok).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CMAP: &[u8] = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap
        1 begincodespacerange <0000> <FFFF> endcodespacerange
        3 beginbfchar <0003> <0020> <0005> <D55CAE00> <0006> <D83DDE00> endbfchar
        3 beginbfrange
        <0010> <0012> <AC00>
        <0020> <0022> [<0041> <00660066> <0043>]
        <0030> <0031> <00660069>
        endbfrange endcmap";

    #[test]
    fn chars_ranges_and_arrays() {
        let map = ToUnicode::parse(CMAP);
        let expect = [
            (0x03, GlyphText::Char(' ')),
            (0x05, GlyphText::Many("한글".into())),
            (0x06, GlyphText::Char('😀')),
            (0x10, GlyphText::Char('가')),
            (0x12, GlyphText::Char('갂')),
            (0x20, GlyphText::Char('A')),
            (0x21, GlyphText::Many("ff".into())),
            (0x22, GlyphText::Char('C')),
            (0x30, GlyphText::Many("fi".into())),
            (0x31, GlyphText::Many("fj".into())),
        ];
        for (code, text) in expect {
            assert_eq!(map.get(code), Some(text), "{code:#x}");
        }
        assert_eq!(map.get(0x13), None);
        assert!(!map.is_identity());
    }

    #[test]
    fn overlapping_ranges() {
        let map = ToUnicode::parse(b"2 beginbfrange <00> <FF> <0041> <10> <11> <AC00> endbfrange");
        assert_eq!(map.get(0x11), Some(GlyphText::Char('각')));
        assert_eq!(map.get(0x12), Some(GlyphText::Char('S')));
    }

    #[test]
    fn identity_maps_are_recognised() {
        assert!(ToUnicode::parse(b"1 beginbfrange <0000> <FFFF> <0000> endbfrange").is_identity());
        assert!(!ToUnicode::parse(b"1 beginbfrange <0000> <FFFF> <0001> endbfrange").is_identity());
        assert!(!ToUnicode::parse(b"").is_identity());
    }

    #[test]
    fn malformed_sections_do_no_harm() {
        let map = ToUnicode::parse(b"beginbfchar <01> endbfchar beginbfrange <05> <01> <0041> <07> 3 endbfrange <");
        assert!(map.is_empty());
    }
}
