//! The language of a document.

use crate::document::Element;

use crate::document::script::{is_hangul, is_kana};

/// English words that hardly a sentence does without, and their least share among all words of a text.
const ENGLISH: [&str; 12] = ["the", "of", "and", "to", "in", "is", "for", "by", "with", "are", "from", "at"];
const ENGLISH_SHARE: usize = 12;
/// Words looked at.
const MOST_WORDS: usize = 5_000;

/// ISO 639-1 code: Korean, Japanese or Chinese by their scripts, whatever the file declares (programs that write PDFs
/// often declare their own language); else what it declares; else English by its commonest words.
pub(crate) fn of(elements: &[Element], declared: Option<&str>) -> Option<String> {
    let declared = declared.map(|l| l.split(['-', '_']).next().unwrap_or_default().to_lowercase());
    let declared = declared.filter(|l| (2..=3).contains(&l.len()) && l.bytes().all(|b| b.is_ascii_lowercase()));
    let (script, sure) = by_script(elements).unzip();
    let script = script.map(str::to_owned);
    // Persian and Urdu, which share a script with Arabic, have to be declared.
    if sure == Some(false) && declared.is_some() {
        return declared;
    }
    script.or(declared).or_else(|| is_english(elements).then(|| "en".to_owned()))
}

/// The language, and whether its script is its own.
fn by_script(elements: &[Element]) -> Option<(&'static str, bool)> {
    let (mut all, mut hangul, mut kana, mut han) = (0_usize, 0_usize, 0_usize, 0_usize);
    let (mut hebrew, mut arabic) = (0_usize, 0_usize);
    for c in texts(elements).flat_map(str::chars).filter(|c| c.is_alphabetic()) {
        all += 1;
        hangul += usize::from(is_hangul(c));
        kana += usize::from(is_kana(c));
        han += usize::from(matches!(c, '\u{4e00}'..='\u{9fff}'));
        hebrew += usize::from(matches!(c, '\u{5d0}'..='\u{5ea}'));
        arabic += usize::from(matches!(c, '\u{620}'..='\u{6ff}'));
    }
    if hangul * 4 > all {
        Some(("ko", true))
    } else if kana * 10 > all {
        Some(("ja", true))
    } else if han * 3 > all {
        Some(("zh", true))
    } else if hebrew * 2 > all {
        Some(("he", true))
    } else if arabic * 2 > all {
        Some(("ar", false))
    } else {
        None
    }
}

fn is_english(elements: &[Element]) -> bool {
    let words = || texts(elements).flat_map(str::split_whitespace).take(MOST_WORDS);
    let common = words().filter(|w| ENGLISH.iter().any(|e| w.eq_ignore_ascii_case(e))).count();
    common > 0 && common * ENGLISH_SHARE >= words().count()
}

/// The texts of the elements and of their tables' cells.
fn texts(elements: &[Element]) -> impl Iterator<Item = &str> {
    elements.iter().flat_map(|e| {
        let cells = e.table().into_iter().flat_map(|t| t.cells.iter().map(|c| c.text.as_str()));
        std::iter::once(e.text.as_str()).chain(cells)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BBox, ElementKind};

    fn lang(text: &str, declared: Option<&str>) -> Option<String> {
        of(&[Element::new(ElementKind::Paragraph, text, 1, BBox::default())], declared)
    }

    #[test]
    fn scripts_then_the_file_then_words() {
        assert_eq!(lang("이 문서는 PDF 문서이다", Some("en-US")).as_deref(), Some("ko"));
        assert_eq!(lang("これは日本語の文書です", None).as_deref(), Some("ja"));
        assert_eq!(lang("Die Waren der Hütte", Some("de-DE")).as_deref(), Some("de"));
        assert_eq!(lang("The waits of the clinics fell in May.", None).as_deref(), Some("en"));
        assert_eq!(lang("זה דוח חדש", Some("en-US")).as_deref(), Some("he"));
        assert_eq!(lang("هذا تقرير جديد", None).as_deref(), Some("ar"));
        assert_eq!(lang("این گزارش جدید است", Some("fa")).as_deref(), Some("fa"));
        assert_eq!(lang("Les délais ont baissé en mai.", Some("???")), None);
    }
}
