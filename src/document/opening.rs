//! Whether a text opens as a caption does, or is a sentence that mentions a table.

use super::label::{self, Label};
use super::script::is_hangul;

/// The label of a text that is the caption of a table or figure, not a sentence that mentions one.
pub(crate) fn starts_caption(text: &str) -> Option<Label> {
    let text = text.trim();
    let (label, rest) = label::leading(text)?;
    let bracketed = text.starts_with(['<', '[', '〈', '《', '【', '「', '〔', '≪', '＜', '［']);
    let trimmed = rest.trim_start();
    if trimmed.is_empty() {
        return Some(label);
    }
    let punctuated = trimmed.starts_with(['.', ':', '：', '-', '–', '—', '|', '_']);
    let title = trimmed.trim_start_matches(|c: char| !c.is_alphanumeric());
    let title =
        if trimmed.starts_with('(') { trimmed.split_once(')').map_or(title, |(_, t)| t.trim_start()) } else { title };
    if title.is_empty() {
        return Some(label);
    }
    // A particle behind the number: 표 3은, 표 3에서, 표 3 의; or a counter, 표 3개.
    let counted = rest.starts_with(is_hangul) && !bracketed;
    if !punctuated && (counted || particle(trimmed, rest.starts_with(is_hangul))) {
        return None;
    }
    let first = title.split_whitespace().next().unwrap_or_default();
    if !punctuated && (is_lower_latin(first) || is_verb(first) || trimmed.starts_with([',', ';'])) {
        return None;
    }
    // A whole Korean sentence: 표 3 … 요약하였다.
    let sentence = ["다.", "요.", "음.", "다"].iter().any(|end| title.ends_with(end)) && title.contains(' ');
    (punctuated || bracketed || !sentence).then_some(label)
}

/// Whether a Korean particle comes first: a word of its own, or `attached` to the number in front of it.
fn particle(text: &str, attached: bool) -> bool {
    const PARTICLES: [&str; 16] =
        ["에서", "에는", "으로", "처럼", "부터", "까지", "은", "는", "이", "가", "을", "를", "에", "와", "과", "의"];
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == ',');
    PARTICLES
        .iter()
        .filter_map(|p| text.strip_prefix(p))
        .any(|rest| ends(rest) || (attached && rest.starts_with(|c: char| is_hangul(c) || c == '.')))
}

fn is_lower_latin(word: &str) -> bool {
    word.starts_with(|c: char| c.is_lowercase() && c.is_alphabetic())
}

/// Capitalised or not, these begin a sentence about the table.
fn is_verb(word: &str) -> bool {
    const VERBS: [&str; 14] = [
        "shows",
        "summarizes",
        "summarises",
        "lists",
        "presents",
        "gives",
        "reports",
        "compares",
        "provides",
        "contains",
        "describes",
        "displays",
        "illustrates",
        "indicates",
    ];
    let lower = word.to_lowercase();
    VERBS.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_and_sentences() {
        for text in [
            "Table 1. Results",
            "Table 1",
            "TABLE II: COSTS",
            "Table 3 Summary of costs",
            "Table 2 (continued)",
            "Table 2. shows all",
            "표 3 주요 재무지표",
            "표 1-2. 예산을 집행하였다.",
            "<표 2> 연도별 매출",
            "[표 1] 감염병예방법 개정 전·후 비교",
            "표1 인구",
        ] {
            assert!(starts_caption(text).is_some_and(|l| l.table), "{text}");
        }
        for text in [
            "Table 2 shows that the second is better.",
            "Table 2 Shows",
            "Table 2, in contrast, is short.",
            "Table 2 and Table 3 agree.",
            "In Table 2 we see",
            "표 3은 실적을 보여준다.",
            "표 3에서 보듯이",
            "<표 2>에 따르면",
            "표 3 의 결과를 보면",
            "표 3 주요 결과를 요약하였다.",
            "표 3개를 만든다",
        ] {
            assert!(starts_caption(text).is_none(), "{text}");
        }
        assert!(starts_caption("그림 2. 구조도").is_some_and(|l| !l.table));
    }
}
