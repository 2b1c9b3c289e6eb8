//! Which blocks are headings.

use super::blocks::{Block, ends_sentence};
use super::body::Body;
use super::marks::{self, MarkKind};
use crate::document::script::is_hangul;

/// A heading has at most this many characters and lines.
const LONGEST: usize = 220;
const MOST_LINES: usize = 4;
/// Larger than the body text by this factor: a heading by size alone.
pub(crate) const LARGE: f32 = 1.15;
/// Headings by weight or number alone stand below this share of the page's height: above are running heads.
const TOP: f32 = 0.08;
/// Names of parts of a document that need no number or style to be headings, in lower case.
const NAMES: [&str; 26] = [
    "abstract",
    "introduction",
    "background",
    "methods",
    "methodology",
    "results",
    "discussion",
    "conclusion",
    "conclusions",
    "references",
    "bibliography",
    "acknowledgements",
    "acknowledgments",
    "appendix",
    "contents",
    "table of contents",
    "summary",
    "executive summary",
    "초록",
    "요약",
    "서론",
    "결론",
    "참고문헌",
    "목차",
    "부록",
    "머리말",
];

/// Where a block stands among its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Setting {
    /// It stands apart from what follows.
    pub alone: bool,
    /// First on its page, and its distance from the top as a share of the page's height.
    pub first: Option<f32>,
    /// Nothing follows on its page.
    pub last: bool,
}

/// Whether a block is short enough, and words enough, for a heading.
pub(crate) fn may_be_heading(block: &Block, text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let chars = text.chars().count();
    letters >= 2 && chars <= LONGEST && block.lines.len() <= MOST_LINES && !block.mono() && 3 * letters >= chars
}

/// Whether a block is a heading by its looks and numbering.
pub(crate) fn is_heading(block: &Block, text: &str, body: &Body, setting: Setting) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let chars = text.chars().count();
    if !may_be_heading(block, text) {
        return false;
    }
    let size = block.size();
    let mark = marks::mark(text);
    // Korean reports head their sections with squares and circles; dashes and dots open items only.
    let is_sign = |printed: &str| printed.chars().all(|c| "□■◆◇●○▣◎".contains(c) || marks::is_symbol(c));
    let head_sign = |m: &marks::Mark| is_sign(m.printed(text)) && size >= LARGE * body.size;
    if mark.is_some_and(|m| m.kind == MarkKind::Bullet && !head_sign(&m)) {
        return false;
    }
    let sentence = ends_sentence(text) && !text.ends_with(['?', ':', ')']);
    let one_letter_words = text.split_whitespace().all(|w| w.chars().count() == 1);
    if one_letter_words && !text.chars().any(is_hangul) {
        return false;
    }
    if size >= LARGE * body.size {
        let prose =
            sentence && (block.lines.len() > 2 || chars > 100) || has_sentence_break(text) || starts_lower(text);
        return !prose || size >= 2.0 * LARGE * body.size;
    }
    let running_head = mark.is_none() && setting.first.is_some_and(|y| y < TOP);
    if size < 0.93 * body.size || text.ends_with([',', ';']) || starts_lower(text) || setting.last || running_head {
        return false;
    }
    let short = block.lines.len() <= 2 && chars <= 120;
    let emphasised = (block.bold() && !body.bold) || (is_caps(text) && !body.caps && letters >= 4);
    if emphasised && short {
        return !sentence || mark.is_some();
    }
    let numbered = match mark.map(|m| m.kind) {
        Some(MarkKind::Part(_)) => true,
        Some(MarkKind::Decimal(_)) => size > 1.03 * body.size || starts_upper(mark.map_or("", |m| m.rest(text))),
        Some(MarkKind::Number | MarkKind::Letter) => size > 1.04 * body.size,
        _ => false,
    };
    let name = text.trim_end_matches([':', '.']).to_lowercase();
    let single = block.lines.len() == 1 && chars <= 80 && setting.alone && !sentence;
    single && (numbered || NAMES.contains(&name.as_str()) || (size > 1.08 * body.size && !sentence))
}

fn starts_lower(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_lowercase)
}

/// Whether a sentence ends inside the text: a full stop after a word in lower case, then a capital.
fn has_sentence_break(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().zip(words.iter().skip(1)).any(|(a, b)| {
        let stem = a.trim_end_matches(['.', '!', '?']);
        stem.len() < a.len() && stem.chars().count() > 3 && stem.chars().all(char::is_lowercase) && starts_upper(b)
    })
}

fn starts_upper(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_uppercase() || is_hangul(c))
}

/// Whether the Latin letters of a text are capitals.
pub(crate) fn is_caps(text: &str) -> bool {
    let (mut upper, mut lower) = (0, 0);
    for c in text.chars() {
        upper += usize::from(c.is_uppercase());
        lower += usize::from(c.is_lowercase());
    }
    upper >= 3 && lower * 10 <= upper
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::lines::Line;
    use super::super::lines::tests::set;
    use super::*;

    const BODY: Body = Body { size: 10.0, bold: false, caps: false };

    pub(crate) fn block(text: &str, size: f32, bold: bool) -> Block {
        let mut words = set(text, 50.0, 100.0, size);
        words.iter_mut().for_each(|w| w.bold = bold);
        Block::new(Line::new(words).unwrap(), 0, 500.0)
    }

    fn heading(text: &str, size: f32, bold: bool) -> bool {
        is_heading(&block(text, size, bold), text, &BODY, Setting { alone: true, first: None, last: false })
    }

    #[test]
    fn looks_and_numbers_make_headings() {
        assert!(heading("Narratives in Chuj", 14.0, false));
        assert!(heading("Introduction to the Texts", 10.0, true));
        assert!(heading("METHODS AND DATA", 10.0, false));
        assert!(heading("2.1 Scope of the work", 10.0, false));
        assert!(heading("제1장 총칙", 10.0, false));
        assert!(heading("참고문헌", 10.0, false));
        assert!(!heading("An ordinary line of text", 10.0, false));
        assert!(!heading("This bold sentence ends as one.", 10.0, true));
        assert!(!heading("0 5 10 15 20", 14.0, false));
        assert!(!heading("2.1 percent of them", 10.0, false));
        assert!(heading("□ 추진배경", 12.0, false));
        assert!(!heading("- 세부 추진 내용", 12.0, false));
        assert!(!heading("it ends with the last words. Then another", 12.0, false));
    }
}
