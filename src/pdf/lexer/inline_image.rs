//! Inline images: their data is skipped without being decoded.

use super::{Lexer, Operand, Token, is_regular, is_space};

/// The dictionary of an inline image, whose data the lexer has skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct InlineImage {
    width: usize,
    height: usize,
    bits: usize,
    components: usize,
    filtered: bool,
    /// Bytes of data, where the image says so.
    length: Option<usize>,
}

impl Lexer<'_> {
    /// Skips from behind `BI` to behind `EI`.
    pub(super) fn skip_inline_image(&mut self) {
        let mut image = InlineImage { bits: 8, components: 1, ..InlineImage::default() };
        let mut key: Option<Vec<u8>> = None;
        loop {
            let Some(token) = self.token() else { return };
            let value = match token {
                Token::Keyword(b"ID") => break,
                Token::Keyword(b"EI") => return,
                Token::Operand(Operand::Name(name)) if key.is_none() => {
                    key = Some(name);
                    continue;
                }
                Token::Operand(operand) => operand,
                Token::ArrayStart => self.array(0),
                Token::DictStart => self.dict(0),
                Token::Keyword(word) => Operand::Number(if word == b"true" { 1.0 } else { 0.0 }),
                _ => continue,
            };
            if let Some(key) = key.take() {
                image.set(&key, &value);
            }
        }
        // One white-space byte separates ID from the data.
        self.pos += 1;
        if let Some(len) = image.data_length() {
            let after = self.data.get(self.pos.saturating_add(len)..).unwrap_or_default();
            let space = after.iter().take_while(|b| is_space(**b)).count();
            if after.get(space..).is_some_and(|rest| rest.starts_with(b"EI")) {
                self.pos += len + space + 2;
                return;
            }
        }
        let rest = self.rest();
        let window = rest.get(..self.search_budget).unwrap_or(rest);
        let end = image_end(window, b"EI").map(|at| at + 2);
        self.search_budget -= end.unwrap_or(window.len());
        // Without EI the data may run into the operators: resume where they plainly begin again.
        let resume = || [&b"Q"[..], b"BT", b"EMC"].iter().filter_map(|keyword| image_end(window, keyword)).min();
        self.pos += end.or_else(resume).unwrap_or(rest.len());
    }
}

impl InlineImage {
    fn set(&mut self, key: &[u8], value: &Operand) {
        let size = value.number().filter(|n| *n >= 0.0).map(|n| n as usize);
        match (key, size) {
            (b"W" | b"Width", Some(n)) => self.width = n,
            (b"H" | b"Height", Some(n)) => self.height = n,
            (b"BPC" | b"BitsPerComponent", Some(n)) => self.bits = n,
            (b"L" | b"Length", Some(n)) => self.length = Some(n),
            (b"IM" | b"ImageMask", Some(1)) => self.bits = 1,
            (b"F" | b"Filter", _) => {
                self.filtered = match value {
                    Operand::Array(items) => !items.is_empty(),
                    value => value.name().is_some(),
                };
            }
            (b"CS" | b"ColorSpace", _) => {
                self.components = match value.name() {
                    Some(b"RGB" | b"DeviceRGB") => 3,
                    Some(b"CMYK" | b"DeviceCMYK") => 4,
                    _ => 1,
                };
            }
            _ => {}
        }
    }

    /// Length of the data, as given or where no filter hides it.
    fn data_length(&self) -> Option<usize> {
        if self.length.is_some() {
            return self.length;
        }
        let bits = self.width.checked_mul(self.bits)?.checked_mul(self.components)?;
        (!self.filtered).then(|| bits.div_ceil(8).checked_mul(self.height)).flatten()
    }
}

/// Where `keyword` stands alone and is followed by what looks like content rather than image data.
fn image_end(data: &[u8], keyword: &[u8]) -> Option<usize> {
    const LOOK_AHEAD: usize = 24;
    let mut from = 0;
    while let Some(found) = data.get(from..)?.windows(keyword.len()).position(|w| w == keyword) {
        let at = from + found;
        let before = at.checked_sub(1).and_then(|i| data.get(i));
        let after = data.get(at + keyword.len()..).unwrap_or_default();
        let delimited = before.is_none_or(|b| is_space(*b)) && after.first().is_none_or(|b| !is_regular(*b));
        let plain = after.iter().take(LOOK_AHEAD).all(|b| is_space(*b) && *b != 0 || (0x20..0x7F).contains(b));
        if delimited && plain {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(data: &[u8]) -> Vec<String> {
        let mut lexer = Lexer::new(data);
        std::iter::from_fn(|| lexer.next_operator().map(|name| String::from_utf8_lossy(name).into_owned())).collect()
    }

    #[test]
    fn inline_images_are_skipped() {
        // Raw data that contains " EI " is measured by its dimensions.
        assert_eq!(names(b"q BI /W 4 /H 2 /BPC 8 /CS /G ID a EI bcd\nEI Q"), ["q", "BI", "Q"]);
        // Filtered data ends at the EI that content follows.
        assert_eq!(names(b"BI /W 9 /H 9 /F /Fl ID \x01\x02 EI \x99\x98\nEI\nQ"), ["BI", "Q"]);
        // Without EI, operators resume at the next plain one.
        assert_eq!(names(b"BI /W 9 /H 9 /F /Fl ID \x01\x02\x03\nQ\nBT ET"), ["BI", "Q", "BT", "ET"]);
        assert_eq!(names(b"BI /W 9 /H 9"), ["BI"]);
    }

    #[test]
    fn many_images_without_an_end_cost_no_more_than_a_few_passes() {
        let content = b"BI ID \x01 Q                         ".repeat(100_000);
        assert!(names(&content).len() < 100);
    }
}
