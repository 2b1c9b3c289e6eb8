//! Marks at the start of a line: bullets and numbers of lists, numbers of headings, English and Korean.

use crate::document::script;

/// What kind of mark stands before a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// `•`, `-`, `□`, `ㅇ`.
    Bullet,
    /// `1.`, `2)`, `(3)`, `①`: counts in digits.
    Number,
    /// `a)`, `(b)`, `iv.`, `가.`, `(나)`, `ㄱ.`: counts in letters.
    Letter,
    /// `1.2`, `3.4.1`: names its place in a hierarchy; the value is the number of parts.
    Decimal(u8),
    /// `제1장`, `Chapter 2`, `Ⅰ.`: names a part of a document; 1 is the largest.
    Part(u8),
}

/// A mark and how many bytes of the text it takes, white space after it included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub kind: MarkKind,
    /// Bytes up to the text that follows.
    pub len: usize,
}

impl Mark {
    /// The mark as printed.
    pub(crate) fn printed<'a>(&self, text: &'a str) -> &'a str {
        text.get(..self.len).unwrap_or_default().trim_end()
    }

    /// The text after it.
    pub(crate) fn rest<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.len..).unwrap_or_default()
    }
}

const BULLETS: &str = "•‣◦▪▫■□●○◆◇▶▷►▸➢➤✓✔❍❏❑❖⁃∙·‧・–—-*ㅇㆍᆞ➔→☞∘";
/// Whether a character is of the private use area: a glyph of a symbol font, which before a text stands for a bullet.
pub(crate) fn is_symbol(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}')
}
const KOREAN_COUNT: &str = "가나다라마바사아자차카타파하";
const JAMO_COUNT: &str = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ";

/// The mark at the start of `text`, if there is one and something follows it.
pub(crate) fn mark(text: &str) -> Option<Mark> {
    if names_people(text) {
        return None;
    }
    let found = part(text).or_else(|| bullet(text)).or_else(|| decimal(text)).or_else(|| count(text))?;
    (!found.rest(text).trim().is_empty()).then_some(found)
}

/// Whether a text begins with the names of people, initials first: `I. Brandvold, S. Achterberg`, `J. R. Smith`. Those
/// initials count nothing.
fn names_people(text: &str) -> bool {
    let initial = |word: &str| {
        let mut chars = word.chars();
        chars.next().is_some_and(|c| c.is_ascii_uppercase()) && chars.as_str() == "."
    };
    let mut words = text.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    if !initial(first) {
        return false;
    }
    let third = words.next().unwrap_or_default();
    let third = if matches!(third, "and" | "&" | "und") { words.next().unwrap_or_default() } else { third };
    let more = second.ends_with(',') || text.contains(" and ") || text.contains(" & ");
    initial(second) || (more && initial(third))
}

/// A mark of `bytes` bytes that white space must follow.
fn spaced(kind: MarkKind, text: &str, bytes: usize) -> Option<Mark> {
    let rest = text.get(bytes..)?;
    let space = rest.len() - rest.trim_start().len();
    (space > 0).then_some(Mark { kind, len: bytes + space })
}

/// The same, but the text may follow directly.
fn glued(kind: MarkKind, text: &str, bytes: usize) -> Option<Mark> {
    let rest = text.get(bytes..)?;
    Some(Mark { kind, len: bytes + rest.len() - rest.trim_start().len() })
}

fn bullet(text: &str) -> Option<Mark> {
    let first = text.chars().next()?;
    let bytes = first.len_utf8();
    if is_symbol(first) {
        return glued(MarkKind::Bullet, text, bytes);
    }
    if first == 'o' {
        // An `o` used as a bullet is set apart from a capital or Hangul.
        let next = text.get(bytes..)?.trim_start().chars().next()?;
        return if next.is_lowercase() { None } else { spaced(MarkKind::Bullet, text, bytes) };
    }
    if !BULLETS.contains(first) {
        return None;
    }
    if "•‣▪■□●○◆◇▶►➢➤❍❏❑❖ㆍᆞ".contains(first) {
        // Set tight, but not when the sign is part of a row of signs.
        let next = text.get(bytes..)?.chars().next()?;
        return if next == first { None } else { glued(MarkKind::Bullet, text, bytes) };
    }
    spaced(MarkKind::Bullet, text, bytes)
}

/// `제1장`, `제 2 절`, `Chapter 3`, `Part II`, `Ⅰ.`, `IV.`.
fn part(text: &str) -> Option<Mark> {
    if let Some(rest) = text.strip_prefix('제') {
        let inner = rest.trim_start();
        let digits = inner.chars().take_while(char::is_ascii_digit).count();
        let after = inner.get(digits..)?.trim_start();
        let unit = after.chars().next()?;
        let level = match unit {
            '편' | '부' => 1,
            '장' => 2,
            '절' => 3,
            '관' => 4,
            _ => return None,
        };
        let bytes = text.len() - after.len() + unit.len_utf8();
        return if digits == 0 { None } else { spaced(MarkKind::Part(level), text, bytes) };
    }
    let first = text.chars().next()?;
    if ('Ⅰ'..='Ⅿ').contains(&first) {
        let bytes: usize = text.chars().take_while(|c| ('Ⅰ'..='Ⅿ').contains(c)).map(char::len_utf8).sum();
        let dot = text.get(bytes..)?.starts_with(['.', '．']);
        let bytes = bytes + if dot { text.get(bytes..)?.chars().next()?.len_utf8() } else { 0 };
        return if dot { glued(MarkKind::Part(2), text, bytes) } else { spaced(MarkKind::Part(2), text, bytes) };
    }
    let upper = first_word(text);
    for (name, level) in [("part", 1), ("chapter", 2), ("appendix", 2), ("annex", 2), ("section", 3)] {
        if upper.eq_ignore_ascii_case(name) {
            let after = text.get(upper.len()..)?;
            let number = first_word(after.trim_start()).trim_end_matches(['.', ':', ')']);
            let is_number = !number.is_empty()
                && (number.bytes().all(|b| b.is_ascii_digit()) || is_roman(number) || number.len() == 1);
            let bytes = text.len() - after.trim_start().len() + number.len();
            let colon = usize::from(text.get(bytes..).is_some_and(|t| t.starts_with(['.', ':'])));
            return if is_number { spaced(MarkKind::Part(level), text, bytes + colon) } else { None };
        }
    }
    let roman = upper.strip_suffix('.')?;
    (roman.len() <= 5 && is_roman(roman)).then(|| spaced(MarkKind::Part(2), text, upper.len()))?
}

fn first_word(text: &str) -> &str {
    text.split(char::is_whitespace).next().unwrap_or_default()
}

fn is_roman(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b"IVXL".contains(&b))
}

/// `1.2`, `1.2.`, `A.1`: two or more parts.
fn decimal(text: &str) -> Option<Mark> {
    let word = first_word(text);
    let body = word.strip_suffix(['.', ')']).unwrap_or(word);
    let mut parts = 0_u8;
    for (i, part) in body.split('.').enumerate() {
        let letter = i == 0 && part.len() == 1 && part.bytes().all(|b| b.is_ascii_uppercase());
        let number = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if !letter && !number {
            return None;
        }
        parts = parts.checked_add(1)?;
    }
    ((2..=6).contains(&parts)).then(|| spaced(MarkKind::Decimal(parts), text, word.len()))?
}

/// `1.`, `(2)`, `3)`, `①`, `a.`, `(iv)`, `가.`, `(나)`.
fn count(text: &str) -> Option<Mark> {
    let first = text.chars().next()?;
    if matches!(first, '①'..='⓿' | '❶'..='➓' | '㉠'..='㉻') {
        return glued(MarkKind::Number, text, first.len_utf8());
    }
    let (open, body) = match text.strip_prefix(['(', '（', '[']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let token: String = body.chars().take_while(|c| c.is_alphanumeric()).take(5).collect();
    let close = body.get(token.len()..)?.chars().next()?;
    let closes = if open { matches!(close, ')' | '）' | ']') } else { matches!(close, '.' | ')' | '．') };
    if !closes {
        return None;
    }
    let digits = token.bytes().all(|b| b.is_ascii_digit()) && (1..=3).contains(&token.len());
    let mut chars = token.chars();
    let single = if let (Some(c), None) = (chars.next(), chars.next()) { Some(c) } else { None };
    let korean = single.is_some_and(|c| KOREAN_COUNT.contains(c) || JAMO_COUNT.contains(c));
    let latin = single.is_some_and(|c| c.is_ascii_alphabetic())
        || (!token.is_empty() && token.len() <= 4 && token.bytes().all(|b| b"ivxIVX".contains(&b)));
    let kind = if digits {
        MarkKind::Number
    } else if korean || latin {
        MarkKind::Letter
    } else {
        return None;
    };
    let bytes = text.len() - body.len() + token.len() + close.len_utf8();
    // `1)가입` and `가.목적` are set tight; `3.5`, `a.m.`, `J.Smith` and the end of `(pp. 60-68), 332` are no marks.
    let next = text.get(bytes..)?.chars().next()?;
    if matches!(next, ',' | ';' | '.' | ':' | ')') {
        return None;
    }
    let tight = !next.is_ascii_alphanumeric() && next != close && (korean || close != '.' || script::is_hangul(next));
    if tight { glued(kind, text, bytes) } else { spaced(kind, text, bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Option<(MarkKind, &str, &str)> {
        mark(text).map(|m| (m.kind, m.printed(text), m.rest(text)))
    }

    #[test]
    fn bullets() {
        use MarkKind::Bullet;
        assert_eq!(split("• one"), Some((Bullet, "•", "one")));
        assert_eq!(split("□ 추진배경"), Some((Bullet, "□", "추진배경")));
        assert_eq!(split("ㅇ 목적"), Some((Bullet, "ㅇ", "목적")));
        assert_eq!(split("- 세부"), Some((Bullet, "-", "세부")));
        assert_eq!(split("-5.2 percent"), None);
        assert_eq!(split("■■■ x"), None);
        assert_eq!(split("o of the"), None);
        assert_eq!(split("\u{f000} 개요"), Some((Bullet, "\u{f000}", "개요")));
        assert_eq!(split("•"), None);
    }

    #[test]
    fn counts() {
        use MarkKind::{Letter, Number};
        assert_eq!(split("1. Introduction"), Some((Number, "1.", "Introduction")));
        assert_eq!(split("(2) second"), Some((Number, "(2)", "second")));
        assert_eq!(split("①항목"), Some((Number, "①", "항목")));
        assert_eq!(split("가. 목적"), Some((Letter, "가.", "목적")));
        assert_eq!(split("(나)내용"), Some((Letter, "(나)", "내용")));
        assert_eq!(split("1)가입"), Some((Number, "1)", "가입")));
        assert_eq!(split("iv) fourth"), Some((Letter, "iv)", "fourth")));
        assert_eq!(split("3.5 percent of"), Some((MarkKind::Decimal(2), "3.5", "percent of")));
        assert_eq!(split("a.m. is"), None);
        assert_eq!(split("2004. The"), None);
        assert_eq!(split("J.Smith"), None);
        assert_eq!(split("68), 332-345."), None);
    }

    #[test]
    fn parts() {
        use MarkKind::{Decimal, Part};
        assert_eq!(split("제1장 총칙"), Some((Part(2), "제1장", "총칙")));
        assert_eq!(split("제 2 절 적용범위"), Some((Part(3), "제 2 절", "적용범위")));
        assert_eq!(split("Ⅰ. 서론"), Some((Part(2), "Ⅰ.", "서론")));
        assert_eq!(split("IV. METHODS"), Some((Part(2), "IV.", "METHODS")));
        assert_eq!(split("Chapter 2 Narratives"), Some((Part(2), "Chapter 2", "Narratives")));
        assert_eq!(split("2.3.1 Data"), Some((Decimal(3), "2.3.1", "Data")));
        assert_eq!(split("I. Brandvold, S. Achterberg, K. Nwosu"), None);
        assert_eq!(split("V. Meyer and L. Ode"), None);
        assert_eq!(split("I. Housing, food and care"), Some((Part(2), "I.", "Housing, food and care")));
        assert_eq!(split("제품 소개"), None);
        assert_eq!(split("Part of the"), None);
    }
}
