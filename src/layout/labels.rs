//! Labels that say what a text is: captions of tables and figures, notes and units, forms, English and Korean.

pub(crate) use crate::document::notes::{is_labelled as is_note, is_units as is_unit};
use crate::document::opening::starts_caption;

/// Names that a caption without a number may start with, before a colon.
const UNNUMBERED: [&str; 5] = ["Table:", "Figure:", "Fig.:", "Chart:", "Graph:"];
/// Brackets that a label may stand in. Round ones are those of a mention.
const BRACKETS: &str = "<[〈【《＜〔";
/// What names the figures of patents, in whose text lines often start with it.
const DRAWING: char = '도';
/// Names of forms and enclosures.
const FORMS: [&str; 9] = ["서식", "별지", "첨부", "붙임", "별첨", "별표", "양식", "참고", "부록"];

/// Whether a text starts as the caption of a table or figure does: `Table 3:`, `Fig. 2`, `<표 1>`, `[그림 2-1]`. Names in
/// small letters stand in sentences.
pub(crate) fn is_caption(text: &str) -> bool {
    let text = text.trim();
    let opens = text.starts_with(|c: char| BRACKETS.contains(c) || c.is_alphabetic() && !c.is_lowercase());
    let unnumbered = || UNNUMBERED.iter().any(|name| text.strip_prefix(name).is_some_and(|title| !title.is_empty()));
    let drawing = || text.strip_prefix(DRAWING).is_some_and(|rest| !rest.starts_with(char::is_alphabetic));
    opens && !drawing() && (starts_caption(text).is_some() || unnumbered())
}

/// Whether a text names a form or an enclosure: `[서식 1]`, `<별지 제2호서식>`, `[첨부 3] 구매계획`.
pub(crate) fn is_form(text: &str) -> bool {
    let inner =
        text.trim_start().strip_prefix(['[', '<', '〈', '【', '(', '［', '＜']).unwrap_or_default().trim_start();
    FORMS.iter().any(|name| inner.starts_with(name))
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
