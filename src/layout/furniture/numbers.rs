//! Page numbers of any style.

/// Words that may stand beside a page number, in lower case.
const NAMES: [&str; 13] = ["page", "p", "pg", "pp", "of", "seite", "제", "쪽", "페이지", "면", "頁", "ページ", "第"];
/// Signs that may stand around one.
const SIGNS: &str = "-–—―─/.|·[]()<>〈〉~∙•_:";

/// `12`, `- 12 -`, `Page 3 of 10`, `3 / 10`, `제3쪽`, `xiv`.
pub(super) fn is_page_number(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if text.chars().count() > 20 || digits > 8 || (text.ends_with('.') && digits < 3) {
        return false;
    }
    let letters: Vec<String> =
        text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let signs = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace());
    let plain = signs.clone().count() <= 4 && signs.clone().all(|c| SIGNS.contains(c));
    let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).collect();
    // `[0012]` counts paragraphs.
    let counted = (1..=2).contains(&numbers.len())
        && numbers.iter().all(|n| n.len() <= 4 && (n.len() < 3 || !n.starts_with('0')))
        && (numbers.len() == 1 || text.contains('/') || letters.iter().any(|w| w == "of"));
    let decimal = numbers.len() == 1 && text.contains('.') && !text.ends_with('.') && letters.is_empty();
    let named = letters.iter().all(|w| NAMES.contains(&w.as_str()));
    (counted && !decimal && plain && named) || is_roman_number(text)
}

/// `iv`, `- xii -`.
pub(super) fn is_roman_number(text: &str) -> bool {
    let text = text.trim().trim_matches(['-', '–', '—', ' ']);
    !text.is_empty() && text.len() <= 7 && text.bytes().all(|b| b"ivxl".contains(&b))
}

/// Whether the last word is a number, arabic or roman.
pub(super) fn ends_in_number(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    is_roman_number(last) || !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a line begins or ends with the number of its page: `24 Arthur J. Caplan`, `Soil Formation | 27`, `Practicum XIX`.
pub(super) fn is_numbered(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [first, .., last] = words.as_slice() else { return false };
    let number = |w: &str| (1..=4).contains(&w.len()) && w.bytes().all(|b| b.is_ascii_digit());
    let roman = |w: &str| is_roman_number(w) || w.len() > 1 && is_roman_number(&w.to_ascii_lowercase());
    number(first) || number(last) || is_roman_number(first) || roman(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers() {
        for yes in
            ["12", "- 12 -", "Page 3 of 10", "3 / 10", "12쪽", "제3쪽", "3/12", "xiv", "[4]", "p. 7", "― 5 ―", "第3頁"]
        {
            assert!(is_page_number(yes), "{yes}");
        }
        for no in ["12 345", "3.5", "1.", "Chapter 3", "12345", "2023년", "x + y", "i.e.", "제3장", "[0012]"] {
            assert!(!is_page_number(no), "{no}");
        }
    }

    #[test]
    fn heads_with_numbers() {
        for yes in ["24 ARTHUR J. CAPLAN", "Soil Formation | 27", "BEHAVIORAL ECONOMICS PRACTICUM XIX", "iv Preface"] {
            assert!(is_numbered(yes), "{yes}");
        }
        for no in ["27", "Soil Formation", "1. Introduction", "the year 20245", "I agree"] {
            assert!(!is_numbered(no), "{no}");
        }
    }
}
