//! Wording of notes, sources and units below and beside tables, English and Korean first.

/// Beginnings of notes, lower case, before a colon, a bracket, a full stop or a number.
const NOTE_WORDS: [&str; 26] = [
    "notes",
    "note",
    "sources",
    "source",
    "n.b",
    "remarks",
    "remark",
    "legend",
    "abbreviations",
    "data source",
    "주석",
    "주기",
    "주",
    "자료출처",
    "자료원",
    "자료",
    "출처",
    "비고",
    "참고",
    "범례",
    "注",
    "註",
    "出典",
    "資料",
    "资料来源",
    "来源",
];

/// Beginnings of unit lines inside their brackets.
const UNIT_WORDS: [&str; 12] = [
    "단위",
    "단 위",
    "기준일",
    "기준",
    "unit",
    "units",
    "in millions",
    "in thousands",
    "in billions",
    "in percent",
    "単位",
    "单位",
];
/// Longest line of units, in characters.
const LONGEST_UNITS: usize = 80;

/// Whether the text is a note by its beginning: `Note:`, `Source:`, `주)`, `자료:`, `※`, `* …`.
pub(crate) fn is_note(text: &str) -> bool {
    let text = text.trim().trim_start_matches(['[', '(', '<', '〔']);
    if text.starts_with(['※', '†', '‡', '§', '¶']) {
        return true;
    }
    if let Some(rest) = text.strip_prefix('*') {
        let rest = rest.trim_start_matches('*');
        return rest.starts_with(|c: char| c.is_whitespace() || c.is_alphanumeric() || ":)".contains(c));
    }
    is_labelled(text)
}

/// Whether a word says that the text is a note or names a source: `Note:`, `Source:`, `주)`, `주 1)`, `자료:`.
pub(crate) fn is_labelled(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || "*※([<〔▸·".contains(c));
    let lower = lower_start(text);
    NOTE_WORDS.iter().filter_map(|word| Some((word, lower.strip_prefix(word)?))).any(|(word, rest)| {
        let rest = rest.trim_start();
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = (1..=2).contains(&(rest.len() - number.len()));
        // `(see Note 2)` closes a bracket; `주 1)` and `자료)` are labels.
        let closed = !word.is_ascii() && number.starts_with([')', ']']);
        closed
            || number.starts_with([':', '：'])
            || (numbered || lower.starts_with("note")) && number.starts_with('.')
            || lower.starts_with("note") && number.starts_with(['—', '–'])
    })
}

/// Whether the text is a line like `(단위: 백만원)`, `[Unit: %]`, `(in millions of dollars)`, `단위 : 명`.
pub(crate) fn is_units(text: &str) -> bool {
    let text = text.trim();
    if text.chars().count() > LONGEST_UNITS {
        return false;
    }
    let inner = text.trim_start_matches(|c: char| c == ' ' || "([<（〔※*".contains(c));
    let bracketed = text.trim_start_matches(['※', '*', ' ']).starts_with(['(', '[', '<', '（', '〔']);
    let lower = lower_start(inner);
    UNIT_WORDS.iter().filter_map(|word| lower.strip_prefix(word)).any(|rest| {
        rest.trim_start().starts_with([':', '：'])
            || bracketed && (rest.starts_with([' ', ')', ',', '백', '천', '억', '원', '%']) || rest.is_empty())
    })
}

/// The first characters in lower case: enough for every word that is looked for.
fn lower_start(text: &str) -> String {
    text.chars().take(24).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_of_notes() {
        for text in [
            "Note: x",
            "Notes: x",
            "Note. x",
            "Source: y",
            "주: 잠정치",
            "주) 잠정치",
            "주1) a",
            "자료 : 통계청",
            "출처: b",
            "※ 참고",
            "* p < 0.05",
            "**p < 0.01",
            "† dagger",
            "(자료: 한국은행)",
            "Note 1: x",
            "주 2. x",
        ] {
            assert!(is_note(text), "{text}");
        }
        for text in [
            "Noteworthy results",
            "주요 결과",
            "자료를 수집하였다.",
            "Sources of income vary.",
            "Note that x",
            "Note 2) and",
            "*",
        ] {
            assert!(!is_note(text), "{text}");
        }
    }

    #[test]
    fn unit_lines() {
        for text in [
            "(단위: 백만원)",
            "[단위 : %]",
            "단위: 명",
            "(Unit: %)",
            "(in millions of dollars)",
            "(기준: 2023.12.)",
            "(단위 백만원)",
        ] {
            assert!(is_units(text), "{text}");
        }
        for text in
            ["단위 조직의 구성", "※ 단위 사업을 추진한다", "Units were sold.", "기준금리는 3%이다.", "(United States)"]
        {
            assert!(!is_units(text), "{text}");
        }
    }
}
