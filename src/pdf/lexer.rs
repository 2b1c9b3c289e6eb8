//! Tokens and operators of content streams (and of CMaps, which share the syntax).
//!
//! The lexer never fails: what cannot be a token is skipped, so that one bad byte costs one operator, not the page.

mod inline_image;

use super::limits::{MAX_NESTING, MAX_OPERANDS};

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    /// An integer or real.
    Number(f32),
    /// A name without its slash, escapes decoded.
    Name(Vec<u8>),
    /// A literal or hexadecimal string, decoded.
    String(Vec<u8>),
    /// An array.
    Array(Vec<Operand>),
    /// A dictionary.
    Dict(Vec<(Vec<u8>, Operand)>),
}

impl Operand {
    pub(crate) fn number(&self) -> Option<f32> {
        if let Self::Number(value) = self { Some(*value) } else { None }
    }

    pub(crate) fn name(&self) -> Option<&[u8]> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }

    pub(crate) fn string(&self) -> Option<&[u8]> {
        if let Self::String(bytes) = self { Some(bytes) } else { None }
    }
}

/// What stands next in the bytes.
#[derive(Clone, Debug, PartialEq)]
enum Token<'a> {
    Operand(Operand),
    Keyword(&'a [u8]),
    ArrayStart,
    ArrayEnd,
    DictStart,
    DictEnd,
}

/// Digits of a number from which on further ones make no difference.
const MAX_DIGITS: u64 = 1_000_000_000_000_000;

/// Reads operators one by one.
pub(crate) struct Lexer<'a> {
    data: &'a [u8],
    pos: usize,
    /// Bytes that may still be searched for the end of inline images: keeps hostile content from being searched
    /// again and again.
    search_budget: usize,
    /// Operands kept of one operator.
    max_operands: usize,
    /// Operands of the operator returned last.
    pub(crate) operands: Vec<Operand>,
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !is_delimiter(byte)
}

fn hex_value(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

impl<'a> Lexer<'a> {
    /// For content streams.
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self::with_operands(data, MAX_OPERANDS)
    }

    /// For other data of the same syntax, whose operators may have up to `max_operands` operands.
    pub(crate) fn with_operands(data: &'a [u8], max_operands: usize) -> Self {
        Self { data, pos: 0, search_budget: data.len().saturating_mul(8), max_operands, operands: Vec::new() }
    }

    /// The next operator; its operands are in [`operands`](Self::operands). `BI` is returned once, after the whole
    /// inline image has been skipped.
    pub(crate) fn next_operator(&mut self) -> Option<&'a [u8]> {
        self.operands.clear();
        loop {
            match self.token()? {
                Token::Keyword(b"BI") => {
                    self.skip_inline_image();
                    return Some(b"BI");
                }
                Token::Keyword(b"true" | b"false" | b"null") => self.push(Operand::Number(0.0)),
                Token::Keyword(name) => return Some(name),
                Token::Operand(operand) => self.push(operand),
                Token::ArrayStart => {
                    let array = self.array(0);
                    self.push(array);
                }
                Token::DictStart => {
                    let dict = self.dict(0);
                    self.push(dict);
                }
                Token::ArrayEnd | Token::DictEnd => {}
            }
        }
    }

    /// The numbers among the operands.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = f32> {
        self.operands.iter().filter_map(Operand::number)
    }

    /// The first `N` numbers, or `None` for fewer.
    pub(crate) fn numbers_exact<const N: usize>(&self) -> Option<[f32; N]> {
        let mut values = [0.0; N];
        let mut numbers = self.numbers();
        for value in &mut values {
            *value = numbers.next()?;
        }
        Some(values)
    }

    fn push(&mut self, operand: Operand) {
        if self.operands.len() < self.max_operands {
            self.operands.push(operand);
        }
    }

    fn peek(&self) -> Option<u8> {
        self.data.get(self.pos).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.data.get(self.pos..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                self.pos += self.rest().iter().take_while(|b| !matches!(b, b'\n' | b'\r')).count();
            } else if is_space(byte) {
                self.pos += 1;
            } else {
                break;
            }
        }
    }

    fn token(&mut self) -> Option<Token<'a>> {
        loop {
            self.skip_space();
            let byte = self.peek()?;
            self.pos += 1;
            return Some(match byte {
                b'/' => Token::Operand(Operand::Name(self.name())),
                b'(' => Token::Operand(Operand::String(self.literal_string())),
                b'[' => Token::ArrayStart,
                b']' => Token::ArrayEnd,
                b'<' if self.peek() == Some(b'<') => {
                    self.pos += 1;
                    Token::DictStart
                }
                b'<' => Token::Operand(Operand::String(self.hex_string())),
                b'>' if self.peek() == Some(b'>') => {
                    self.pos += 1;
                    Token::DictEnd
                }
                b'>' | b')' | b'{' | b'}' => continue,
                b'0'..=b'9' | b'+' | b'-' | b'.' => {
                    self.pos -= 1;
                    Token::Operand(Operand::Number(self.number()))
                }
                _ => {
                    self.pos -= 1;
                    Token::Keyword(self.regular())
                }
            });
        }
    }

    fn regular(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let len = rest.iter().take_while(|b| is_regular(**b)).count();
        self.pos += len;
        rest.get(..len).unwrap_or_default()
    }

    /// A number up to the first byte that cannot belong to one, so that `1.5Td` gives 1.5 and then `Td`. A minus sign
    /// inside, as in `12-34` or `--5`, is what some writers produce; the first part counts.
    fn number(&mut self) -> f32 {
        let rest = self.rest();
        let signs = rest.iter().take_while(|b| matches!(b, b'+' | b'-')).count();
        let (mut digits, mut scale) = (0u64, 1f64);
        let (mut fraction, mut ended, mut len) = (false, false, signs);
        for byte in rest.iter().skip(signs) {
            match byte {
                b'0'..=b'9' if ended => {}
                // Digits beyond these are past the precision of any coordinate, or past the bound below.
                b'0'..=b'9' if digits >= MAX_DIGITS => scale *= if fraction { 1.0 } else { 0.1 },
                b'0'..=b'9' => {
                    digits = digits * 10 + u64::from(byte - b'0');
                    scale *= if fraction { 10.0 } else { 1.0 };
                }
                b'.' if !fraction => fraction = true,
                b'.' | b'+' | b'-' => ended = true,
                _ => break,
            }
            len += 1;
        }
        self.pos += len;
        // Beyond any coordinate, and small enough that products of a few of them stay finite.
        let value = (digits as f64 / scale).min(1e9);
        (if rest.first() == Some(&b'-') { -value } else { value }) as f32
    }

    fn name(&mut self) -> Vec<u8> {
        let raw = self.regular();
        if !raw.contains(&b'#') {
            return raw.to_vec();
        }
        let mut name = Vec::with_capacity(raw.len());
        let mut bytes = raw.iter().copied();
        while let Some(byte) = bytes.next() {
            let mut ahead = bytes.clone();
            let escape = (byte == b'#').then(|| Some((hex_value(ahead.next()?)?, hex_value(ahead.next()?)?))).flatten();
            if let Some((high, low)) = escape {
                name.push(high << 4 | low);
                bytes = ahead;
            } else {
                name.push(byte);
            }
        }
        name
    }

    fn literal_string(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut depth = 1usize;
        while let Some(byte) = self.peek() {
            self.pos += 1;
            match byte {
                b'(' => {
                    depth += 1;
                    out.push(byte);
                }
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                    out.push(byte);
                }
                b'\\' => self.string_escape(&mut out),
                b'\r' => {
                    if self.peek() == Some(b'\n') {
                        self.pos += 1;
                    }
                    out.push(b'\n');
                }
                _ => out.push(byte),
            }
        }
        out
    }

    fn string_escape(&mut self, out: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.pos += 1;
        match byte {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.pos += 1;
                }
            }
            b'\n' => {}
            b'0'..=b'7' => {
                let mut value = u16::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    value = value * 8 + u16::from(digit - b'0');
                    self.pos += 1;
                }
                out.push((value & 0xFF) as u8);
            }
            _ => out.push(byte),
        }
    }

    fn hex_string(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut high: Option<u8> = None;
        while let Some(byte) = self.peek() {
            self.pos += 1;
            if byte == b'>' {
                break;
            }
            let Some(digit) = hex_value(byte) else { continue };
            match high.take() {
                Some(first) => out.push(first << 4 | digit),
                None => high = Some(digit),
            }
        }
        if let Some(first) = high {
            out.push(first << 4);
        }
        out
    }

    fn array(&mut self, depth: usize) -> Operand {
        let mut items = Vec::new();
        loop {
            let before = self.pos;
            let Some(token) = self.token() else { break };
            match token {
                Token::ArrayEnd => break,
                Token::Operand(operand) => items.push(operand),
                Token::ArrayStart if depth < MAX_NESTING => items.push(self.array(depth + 1)),
                Token::DictStart if depth < MAX_NESTING => items.push(self.dict(depth + 1)),
                // An operator that shows text cannot stand in an array: the bracket that closes it is missing.
                Token::Keyword(b"TJ" | b"Tj" | b"ET") => {
                    self.pos = before;
                    break;
                }
                _ => {}
            }
        }
        Operand::Array(items)
    }

    fn dict(&mut self, depth: usize) -> Operand {
        let mut entries = Vec::new();
        let mut key: Option<Vec<u8>> = None;
        while let Some(token) = self.token() {
            let value = match token {
                Token::DictEnd => break,
                Token::Operand(Operand::Name(name)) if key.is_none() => {
                    key = Some(name);
                    continue;
                }
                Token::Operand(operand) => operand,
                Token::ArrayStart if depth < MAX_NESTING => self.array(depth + 1),
                Token::DictStart if depth < MAX_NESTING => self.dict(depth + 1),
                _ => Operand::Number(0.0),
            };
            if let Some(key) = key.take() {
                entries.push((key, value));
            }
        }
        Operand::Dict(entries)
    }
}

#[cfg(test)]
mod tests;
