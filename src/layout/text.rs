//! Lines to running text: spaces, hyphens at line ends, and scripts that are set without spaces.

use std::collections::HashSet;

use super::lines::Line;

/// The words that stand inside the lines of a document. They decide whether the two halves of a word that a line end has
/// cut belong together.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary(HashSet<String>);

impl Vocabulary {
    /// Adds the words of a line but the first and the last, which may be halves.
    pub(crate) fn add(&mut self, line: &Line) {
        let text = line.text();
        let tokens: Vec<&str> = text.split(' ').collect();
        let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
        self.0.extend(inner.iter().map(|t| key(t)).filter(|t| !t.is_empty()));
    }

    fn has(&self, word: &str) -> bool {
        self.0.contains(&key(word))
    }

    /// The lines as one text.
    pub(crate) fn join<'a>(&self, lines: impl IntoIterator<Item = &'a Line>) -> String {
        let mut text = String::new();
        for line in lines {
            self.append(&mut text, &line.text());
        }
        text.retain(|c| c != SOFT_HYPHEN);
        text
    }

    /// Adds a line to a text.
    pub(crate) fn append(&self, text: &mut String, next: &str) {
        let (Some(last), Some(first)) = (text.chars().next_back(), next.chars().next()) else {
            text.push_str(next);
            return;
        };
        let head = next.split(' ').next().unwrap_or_default();
        let tail = text.rsplit(' ').next().unwrap_or_default();
        if last == SOFT_HYPHEN {
            text.pop();
        } else if is_hyphen(last) && tail.chars().count() > 1 {
            let stem = tail.trim_end_matches(is_hyphen);
            let word_break = stem.chars().next_back().is_some_and(char::is_alphabetic) && first.is_lowercase();
            let whole = self.has(&format!("{stem}{head}"));
            let compound = self.has(&format!("{stem}-{head}"));
            if word_break && (whole || !compound) {
                text.pop();
            }
        } else if !(is_han_or_kana(last) && is_han_or_kana(first))
            && !(is_hangul(last) && is_hangul(first) && self.has(&format!("{tail}{head}")))
        {
            text.push(' ');
        }
        text.push_str(next);
    }
}

const SOFT_HYPHEN: char = '\u{ad}';

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// A token without the punctuation around it, in lower case.
fn key(token: &str) -> String {
    token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Hangul syllables and jamo.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}')
}

/// Scripts written without spaces between words.
pub(crate) fn is_han_or_kana(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ff01}'..='\u{ff1f}')
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::set;
    use super::*;

    fn vocabulary(text: &str) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(&Line::new(set(text, 0.0, 10.0, 10.0)).unwrap());
        vocabulary
    }

    fn joined(vocabulary: &Vocabulary, lines: &[&str]) -> String {
        let mut text = String::new();
        lines.iter().for_each(|l| vocabulary.append(&mut text, l));
        text
    }

    #[test]
    fn hyphens_at_line_ends_are_undone() {
        let none = Vocabulary::default();
        assert_eq!(joined(&none, &["three pos-", "sible choices"]), "three possible choices");
        assert_eq!(joined(&none, &["from 2013-", "2014 on"]), "from 2013-2014 on");
        assert_eq!(joined(&none, &["one -", "two"]), "one - two");
    }

    #[test]
    fn the_document_knows_its_compounds() {
        let seen = vocabulary("a well-known fact here");
        assert_eq!(joined(&seen, &["the well-", "known man"]), "the well-known man");
        assert_eq!(joined(&seen, &["the ill-", "known man"]), "the illknown man");
    }

    #[test]
    fn korean_words_cut_by_a_line_end() {
        let seen = vocabulary("그 데이터베이스를 쓴다 또");
        assert_eq!(joined(&seen, &["큰 데이터베", "이스를 만든다"]), "큰 데이터베이스를 만든다");
        assert_eq!(joined(&seen, &["큰 나무를", "심는다"]), "큰 나무를 심는다");
        assert_eq!(joined(&seen, &["日本", "語版"]), "日本語版");
    }
}
