//! Objects that are not written as PDF asks: numbers with an exponent, negative lengths, nesting without end. The loader
//! leaves out the whole object, and with it a page.

/// Arrays and dictionaries inside each other that are kept; real objects stay far below.
const MAX_DEPTH: usize = 64;
/// Bound on numbers: larger ones are no size of anything.
const MAX_NUMBER: f64 = 1e9;

/// The file with such objects written plainly; `None` where it has none.
pub(crate) fn with_plain_syntax(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut writer = Writer { out: Vec::with_capacity(bytes.len()), depth: 0, changed: false };
    let (mut rest, mut after_length) = (bytes, false);
    while !rest.is_empty() {
        let (token, after) = rest.split_at(token_length(rest).clamp(1, rest.len()));
        rest = after;
        match token {
            b"stream" => {
                let length = rest.windows(super::END.len()).position(|window| window == super::END);
                let (data, after) = rest.split_at(length.unwrap_or(rest.len()));
                writer.out.extend_from_slice(token);
                writer.out.extend_from_slice(data);
                rest = after;
            }
            b"endobj" => {
                writer.depth = 0;
                writer.write(token);
            }
            b"<<" | b"[" => writer.open(token),
            b">>" | b"]" => writer.close(token),
            [b'-', ..] if after_length => writer.replace(b"0"),
            _ => match plain_number(token) {
                Some(number) => writer.replace(number.as_bytes()),
                None => writer.write(token),
            },
        }
        after_length = token == b"/Length" || after_length && token.iter().all(u8::is_ascii_whitespace);
    }
    writer.changed.then_some(writer.out)
}

struct Writer {
    out: Vec<u8>,
    depth: usize,
    changed: bool,
}

impl Writer {
    fn write(&mut self, token: &[u8]) {
        if self.depth <= MAX_DEPTH {
            self.out.extend_from_slice(token);
        }
    }

    fn replace(&mut self, token: &[u8]) {
        self.changed = true;
        self.write(token);
    }

    fn open(&mut self, token: &[u8]) {
        if self.depth == MAX_DEPTH {
            self.replace(b" null ");
        }
        self.depth = self.depth.saturating_add(1);
        self.write(token);
    }

    fn close(&mut self, token: &[u8]) {
        self.write(token);
        self.depth = self.depth.saturating_sub(1);
    }
}

/// Length of the token, or of the white space, at the start.
fn token_length(bytes: &[u8]) -> usize {
    let until = |skip: usize, end: fn(&u8) -> bool| {
        bytes.iter().skip(skip).position(end).map_or(bytes.len(), |at| at.saturating_add(skip))
    };
    match bytes {
        [b'<', b'<', ..] | [b'>', b'>', ..] => 2,
        [b'[' | b']' | b'>' | b'{' | b'}' | b')', ..] => 1,
        [b'<', ..] => until(1, |byte| *byte == b'>').saturating_add(1),
        [b'(', ..] => string_length(bytes),
        [b'%', ..] => until(1, |byte| matches!(byte, b'\r' | b'\n')),
        [first, ..] if first.is_ascii_whitespace() => until(1, |byte| !byte.is_ascii_whitespace()),
        _ => until(1, |byte| byte.is_ascii_whitespace() || b"<>[]{}()/%".contains(byte)),
    }
}

/// Length of a string in parentheses, these included.
fn string_length(bytes: &[u8]) -> usize {
    let (mut depth, mut escaped) = (0usize, false);
    for (byte, length) in bytes.iter().zip(1..) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth = depth.saturating_add(1),
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return length;
        }
    }
    bytes.len()
}

/// A number that is written with an exponent, without it.
fn plain_number(token: &[u8]) -> Option<String> {
    let has_exponent = token.iter().any(|byte| matches!(byte, b'e' | b'E'));
    let is_numeric = token.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let text = (has_exponent && is_numeric).then(|| str::from_utf8(token).ok()).flatten()?;
    let value: f64 = text.parse().ok()?;
    Some(value.clamp(-MAX_NUMBER, MAX_NUMBER).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(bytes: &[u8]) -> Option<String> {
        with_plain_syntax(bytes).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn numbers_with_exponents_are_written_out() {
        let page = b"1 0 obj<</MediaBox[0 0 6.12e2 1e30]/UserUnit -5E-1/F 1 0 R>>endobj";
        assert_eq!(
            plain(page).as_deref(),
            Some("1 0 obj<</MediaBox[0 0 612 1000000000]/UserUnit -0.5/F 1 0 R>>endobj")
        );
        // Names, strings, comments and data are not numbers.
        let other = b"<</1e3(a 1e3 \\) 1e3)/A<1e3>/B/C>>%1e3\nstream\n1e3 -2 endstream e 1 E5";
        assert_eq!(plain(other), None);
    }

    #[test]
    fn negative_lengths_are_none() {
        assert_eq!(plain(b"<</Length -1/D -1>>stream").as_deref(), Some("<</Length 0/D -1>>stream"));
        assert_eq!(plain(b"<</Length 1/Length1 -1>>"), None);
    }

    #[test]
    fn nesting_ends_at_its_limit() {
        let nested = |depth: usize| [b"<</A".repeat(depth), b" 1".to_vec(), b">>".repeat(depth)].concat();
        let file = |depth: usize| [b"1 0 obj<</B 2/C ".to_vec(), nested(depth), b">>endobj".to_vec()].concat();
        assert_eq!(plain(&file(MAX_DEPTH - 1)), None);
        let cut = with_plain_syntax(&file(50_000)).unwrap();
        let kept = [b"<</A".repeat(MAX_DEPTH - 1), b" null ".to_vec(), b">>".repeat(MAX_DEPTH - 1)].concat();
        assert_eq!(cut, [b"1 0 obj<</B 2/C ".to_vec(), kept, b">>endobj".to_vec()].concat());
        assert_eq!(plain(b"((("), None);
    }
}
