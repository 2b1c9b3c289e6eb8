//! Labels that say what a text is: captions of tables and figures, notes and sources, English and Korean.

/// Names that a numbered caption starts with, in lower case.
const NAMES: [&str; 20] = [
    "table",
    "tab.",
    "figure",
    "fig.",
    "fig",
    "figures",
    "tables",
    "chart",
    "exhibit",
    "box",
    "scheme",
    "plate",
    "graph",
    "diagram",
    "map",
    "photo",
    "graphic",
    "image",
    "listing",
    "illustration",
];
/// Those that a caption without a number may start with, before a colon.
const UNNUMBERED: [&str; 5] = ["table", "figure", "fig.", "chart", "graph"];
const KOREAN_NAMES: [&str; 8] = ["표", "그림", "도표", "도면", "사진", "차트", "그래프", "별표"];
/// Words that may stand before the name.
const BEFORE: [&str; 5] = ["supplementary", "supplemental", "appendix", "extended", "data"];
/// Verbs and the like after "Table 2" in a sentence that merely mentions it, in lower case.
const SENTENCE: [&str; 44] = [
    "shows",
    "show",
    "showed",
    "presents",
    "present",
    "lists",
    "list",
    "gives",
    "give",
    "summarizes",
    "summarises",
    "summarize",
    "provides",
    "provide",
    "is",
    "are",
    "was",
    "were",
    "and",
    "or",
    "to",
    "in",
    "on",
    "illustrates",
    "illustrate",
    "depicts",
    "displays",
    "compares",
    "reports",
    "report",
    "contains",
    "indicates",
    "demonstrates",
    "describes",
    "reveals",
    "outlines",
    "has",
    "below",
    "above",
    "also",
    "can",
    "shall",
    "may",
    "as",
];
/// Names of forms and enclosures.
const FORMS: [&str; 9] = ["서식", "별지", "첨부", "붙임", "별첨", "별표", "양식", "참고", "부록"];
const NOTES: [&str; 14] = [
    "note:", "notes:", "note.", "notes.", "note :", "source:", "sources:", "source :", "주:", "주)", "주 :", "출처",
    "자료", "주석",
];

/// Whether a text starts as the caption of a table or figure does: `Table 3:`, `Fig. 2`, `<표 1>`, `[그림 2-1]`.
pub(crate) fn is_caption(text: &str) -> bool {
    let text = text.trim_start();
    bracketed(text).or_else(|| korean(text)).or_else(|| latin(text)).unwrap_or(false)
}

/// `<표 1> 제목`, `[그림 2-1]`.
fn bracketed(text: &str) -> Option<bool> {
    let inner = text.strip_prefix(['<', '[', '〈', '【', '《', '＜', '〔'])?.trim_start();
    let name = KOREAN_NAMES.iter().find(|n| inner.starts_with(**n));
    let rest = match name {
        Some(name) => inner.get(name.len()..)?,
        None => {
            let lower = inner.get(..inner.find(char::is_whitespace)?)?.to_lowercase();
            NAMES.contains(&lower.as_str()).then(|| inner.get(lower.len()..))??
        }
    };
    let number = number(rest.trim_start())?;
    let rest = rest.trim_start().get(number..)?.trim_start();
    Some(rest.starts_with(['>', ']', '〉', '】', '》', '＞', '〕']))
}

/// `표 3. 제목`, `그림 2 제목`; not `표 3에서`, `표 3은`.
fn korean(text: &str) -> Option<bool> {
    let name = KOREAN_NAMES.iter().find(|n| text.starts_with(**n))?;
    let rest = text.get(name.len()..)?.trim_start();
    let rest = rest.get(number(rest)?..)?;
    Some(match rest.chars().next() {
        None | Some('.' | ':' | ')' | '>' | ']' | '-' | '|' | '．' | '：') => true,
        Some(c) if c.is_whitespace() => !rest.trim_end().ends_with("다."),
        _ => false,
    })
}

/// `Table 3: Title`, `TABLE IV`, `Fig. 2 Title`; not `Table 2 shows`.
fn latin(text: &str) -> Option<bool> {
    let mut words = text.split_whitespace();
    let mut first = words.next()?;
    while BEFORE.contains(&first.to_lowercase().as_str()) {
        first = words.next()?;
    }
    let lower = first.to_lowercase();
    // `Table: Title`, without a number.
    if lower.strip_suffix(':').is_some_and(|name| UNNUMBERED.contains(&name)) {
        return Some(first.starts_with(char::is_uppercase) && words.next().is_some());
    }
    let mut token = words.next().unwrap_or_default();
    if !NAMES.contains(&lower.as_str()) {
        // `Fig.2`, `Table3`: set tight.
        let name = NAMES.iter().find(|n| lower.starts_with(**n) && lower.len() > n.len())?;
        first.get(name.len()..).filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))?;
        return Some(first.chars().next().is_some_and(char::is_uppercase));
    }
    if !first.chars().next()?.is_uppercase() {
        return Some(false);
    }
    if token == "No." || token == "no." {
        token = words.next()?;
    }
    let length = number(token)?;
    let after = token.get(length..)?;
    let next = words.next();
    Some(match (after.chars().next(), next) {
        (Some('.' | ':' | ')' | '|' | '—' | '–' | '-' | '_'), _) | (None, None) => true,
        (None, Some(next)) => {
            let word = next.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            let starts_low = next.chars().next().is_some_and(char::is_lowercase);
            !starts_low && !SENTENCE.contains(&word.as_str())
        }
        _ => false,
    })
}

/// Length in bytes of a caption's number: `3`, `IV`, `A-1`, `1-2`, `2.1`, `3a`, `Ⅰ-1`, `S2`.
fn number(text: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || ('Ⅰ'..='ⅿ').contains(&c) || matches!(c, '-' | '.' | '–' | '‑');
    let mut end = 0;
    for c in text.chars().take_while(|&c| is_part(c)) {
        end += c.len_utf8();
    }
    let token = text.get(..end)?.trim_end_matches(['.', '-', '–']);
    let digits = token.chars().any(|c| c.is_ascii_digit() || ('Ⅰ'..='ⅿ').contains(&c));
    let letters = token.chars().filter(char::is_ascii_alphabetic).count();
    let roman = !token.is_empty() && token.bytes().all(|b| b"IVXLC".contains(&b));
    let single = token.len() == 1 && token.bytes().all(|b| b.is_ascii_uppercase());
    ((digits && letters <= 3 && token.len() <= 10) || roman || single).then_some(token.len())
}

/// Whether a text is a note or names a source: `Note:`, `Source:`, `주:`, `주)`, `자료:`, `출처:`.
pub(crate) fn is_note(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches(['*', '※', '(', '[', '<', '▸', '·']).trim_start();
    let lower: String = text.chars().take(12).flat_map(char::to_lowercase).collect();
    NOTES.iter().any(|n| {
        lower.strip_prefix(n).is_some_and(|rest| {
            // `출처` and `자료` are plain words, too; a colon or bracket makes them labels.
            !matches!(*n, "출처" | "자료" | "주석") || rest.trim_start().starts_with([':', ')', '：', ']'])
        })
    }) || numbered_note(text)
}

/// `주 1)`, `주1:`.
fn numbered_note(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('주') else { return false };
    let rest = rest.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&digits) && rest.get(digits..).is_some_and(|r| r.starts_with([')', ':', '.']))
}

/// Whether a text names a form or an enclosure: `[서식 1]`, `<별지 제2호서식>`, `[첨부 3] 구매계획`.
pub(crate) fn is_form(text: &str) -> bool {
    let inner =
        text.trim_start().strip_prefix(['[', '<', '〈', '【', '(', '［', '＜']).unwrap_or_default().trim_start();
    FORMS.iter().any(|name| inner.starts_with(name))
}

/// Whether a text states the unit of a table: `(단위: 억 원)`, `[단위 : %]`, `(Unit: USD million)`.
pub(crate) fn is_unit(text: &str) -> bool {
    let text = text.trim();
    let inner = text.trim_start_matches(['(', '[', '<', '（', '※', '*', ' ']);
    let named = inner.strip_prefix("단위").or_else(|| inner.strip_prefix("단 위"));
    let named = named.or_else(|| inner.strip_prefix("Unit")).or_else(|| inner.strip_prefix("unit"));
    let named = named.map(|r| r.strip_prefix('s').unwrap_or(r));
    text.chars().count() <= 60
        && named.is_some_and(|r| r.trim_start().starts_with([':', '：', ')', '백', '천', '억', '원', '%']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_are_told_from_mentions() {
        for caption in [
            "Table 3: Results",
            "TABLE IV",
            "Fig. 2 Flow of data",
            "Figure 1.15. On the trail",
            "Supplementary Table 2. Data",
            "Table A-1 Values",
            "<표 1> 예산",
            "[표 1-2] 현황",
            "표 3. 결과",
            "그림 2 구성도",
            "[그림 Ⅰ-1]",
            "Table 2. Women",
            "FIGURE 8.7A-C A gazelle horn",
            "<Table 3> Summary",
            "Fig.3 Results",
            "〈그림 3〉 추이",
            "표 Ⅲ-2 현황",
            "도면 3",
            "Table: Provisional results",
        ] {
            assert!(is_caption(caption), "{caption}");
        }
        for mention in [
            "Table 2 shows that",
            "Figure 3 and Table 4",
            "표 2는 결과를 보여준다.",
            "표 3에서 보듯이",
            "그림 2와 같이",
            "Table of contents",
            "table: x",
            "Table:",
            "Table 2, the",
            "표준 1",
            "tables 2",
            "Figure in",
            "Box office 3",
            "표 2 는 결과를 나타낸다.",
        ] {
            assert!(!is_caption(mention), "{mention}");
        }
    }

    #[test]
    fn notes_and_units() {
        for note in [
            "Note: p < 0.05",
            "Source: OECD",
            "주: 잠정치",
            "주) 반올림",
            "자료: 통계청",
            "출처 : 한국은행",
            "주 1) 추정",
            "※ 주: 계",
        ] {
            assert!(is_note(note), "{note}");
        }
        for text in ["주요 내용", "자료를 보면", "Notebook: x", "주 52시간", "Sourcebook"] {
            assert!(!is_note(text), "{text}");
        }
        assert!(is_form("[서식 1]") && is_form("< 별지 제2호서식 >") && !is_form("서식 1") && !is_form("[1]"));
        assert!(is_unit("(단위: 억 원)"));
        assert!(is_unit("[단위 : %, 명]"));
        assert!(is_unit("(Unit: USD million)"));
        assert!(!is_unit("단위 사업을 추진한다"));
    }
}
