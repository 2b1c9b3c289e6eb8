//! Lines to running text: spaces, hyphens at line ends, and scripts that are set without spaces.

use std::collections::HashSet;

use super::compounds::{CLOSED_FIRST_PARTS, CONJUNCTIONS, ENDINGS, FIRST_PARTS, LINKS, SECOND_PARTS, SHORTEST_WORD};
use super::lines::Line;
use crate::document::script::{is_han_or_kana, is_hangul};
use crate::table::{CellLine, FoundTable, ends_with_space};

/// The words that stand inside the lines of a document. They decide whether the two halves of a word that a line end has
/// cut belong together.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    words: HashSet<String>,
    /// Korean lines end after any syllable, not only after words.
    breaks_words: bool,
    /// Korean line ends of which the file says whether a space stands there, and those where one does.
    ends: usize,
    spaced_ends: usize,
}

impl Vocabulary {
    /// Learns from blocks of lines.
    pub(crate) fn of<'a>(blocks: impl Iterator<Item = &'a [Line]> + Clone) -> Self {
        let mut out = Self::default();
        blocks.clone().flatten().for_each(|line| out.add(&line.text()));
        let (mut whole, mut parts) = (0_usize, 0_usize);
        for (a, b) in blocks.flat_map(|lines| lines.iter().zip(lines.iter().skip(1))) {
            let space = ends_with_space(a.words.iter());
            let (a, b) = (a.text(), b.text());
            let (tail, head) = (last_token(&a), first_token(&b));
            if ends_with_hangul(tail) && head.starts_with(is_hangul) {
                let joined = out.has(&format!("{tail}{head}"));
                let apart = out.has(tail) && out.has(head);
                whole += usize::from(joined && !apart);
                parts += usize::from(apart && !joined);
                out.count(space);
            }
        }
        out.breaks_words = whole >= FEWEST_BREAKS && 3 * whole > parts;
        out
    }

    fn count(&mut self, spaced: Option<bool>) {
        self.ends += usize::from(spaced.is_some());
        self.spaced_ends += usize::from(spaced == Some(true));
    }

    /// Whether the file has a space character at the ends of lines that end between words, and lines that end within words.
    /// Lines that end after any syllable end between words about every third time.
    fn keeps_spaces(&self) -> bool {
        self.spaced_ends >= FEWEST_BREAKS && (self.ends..=4 * self.ends).contains(&(5 * self.spaced_ends))
    }

    /// Learns from the cells of a table too.
    pub(crate) fn learn(&mut self, table: &FoundTable) {
        for lines in &table.lines {
            match lines.as_slice() {
                // Spaced letters of names are no words.
                [line] => self.words.extend(line.text.split(' ').map(key).filter(|t| t.chars().count() > 1)),
                lines => lines.iter().for_each(|line| self.add(&line.text)),
            }
            let pairs = lines.iter().zip(lines.iter().skip(1));
            pairs.filter(|(line, next)| wraps(line, next)).for_each(|(line, _)| self.count(line.spaced));
        }
    }

    /// Joins the lines in the cells of a table. Names of columns and rows are often broken between words on purpose: where
    /// no space characters tell, only words that the document knows are put together.
    pub(crate) fn join_cells(&self, table: &mut FoundTable) {
        table.join_lines(&|line, next| {
            let (tail, head) = (last_token(&line.text), first_token(&next.text));
            let known = || line.spaced == Some(false) || self.has(&format!("{tail}{head}"));
            wraps(line, next) && known() && self.cuts(tail, head, line.spaced)
        });
    }

    /// Adds the words of a line but the first and the last, which may be halves.
    fn add(&mut self, line: &str) {
        let tokens: Vec<&str> = line.split(' ').collect();
        let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
        self.words.extend(inner.iter().map(|t| key(t)).filter(|t| !t.is_empty()));
    }

    fn has(&self, word: &str) -> bool {
        self.words.contains(&key(word))
    }

    /// Whether a Korean line end stands inside a word. `spaced`: whether a space character stands there, where the file says
    /// so.
    fn cuts(&self, tail: &str, head: &str, spaced: Option<bool>) -> bool {
        let apart = self.has(tail) && self.has(head);
        let unspaced = spaced == Some(false) && self.keeps_spaces();
        if spaced == Some(true) || self.has(&format!("{tail}{head}")) {
            return spaced != Some(true) && (!apart || self.breaks_words || unspaced);
        }
        !apart && unspaced || self.breaks_words && !self.has(tail) && !(self.has(head) && head.chars().count() > 2)
    }

    /// What the hyphen behind `stem` at a line end is, where the next line goes on with `head`.
    fn hyphen(&self, stem: &str, head: &str) -> Hyphen {
        let letter = stem.chars().next_back().is_some_and(char::is_alphabetic);
        let shouted = |t: &str| t.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
        let lower = head.starts_with(char::is_lowercase);
        if lower && CONJUNCTIONS.contains(&head.trim_matches(|c: char| !c.is_alphanumeric())) {
            return Hyphen::Pending;
        }
        let whole = self.has(&format!("{stem}{head}"));
        if !letter || !(lower || whole && shouted(stem) && shouted(head)) {
            return Hyphen::Part;
        }
        let compound = self.has(&format!("{stem}-{head}"));
        match (whole, compound) {
            (true, _) => Hyphen::Break,
            (false, true) => Hyphen::Part,
            _ if self.is_compound(stem, head) => Hyphen::Part,
            _ => Hyphen::Break,
        }
    }

    /// Whether `stem` and `head` are words that a hyphen joins, as far as the document and English usage tell.
    fn is_compound(&self, stem: &str, head: &str) -> bool {
        let (inner, stem) = (stem.contains(is_hyphen), key(stem.rsplit(is_hyphen).next().unwrap_or_default()));
        // `state-of-the-art`: a chain of words goes on.
        if inner && (LINKS.contains(&stem.as_str()) || self.has(&stem) && stem.len() >= SHORTEST_WORD) {
            return true;
        }
        let head = key(head.split(is_hyphen).next().unwrap_or_default());
        let english = || self.has("the") || self.has("of");
        let opens = FIRST_PARTS.contains(&stem.as_str()) || stem.len() >= SHORTEST_WORD && self.has(&stem);
        let ends = SECOND_PARTS.contains(&head.as_str())
            || head.len() >= SHORTEST_WORD && self.has(&head) && !ENDINGS.contains(&head.as_str()) && english();
        opens && ends && !CLOSED_FIRST_PARTS.contains(&stem.as_str())
    }

    /// The lines as one text.
    pub(crate) fn join<'a>(&self, lines: impl IntoIterator<Item = &'a Line>) -> String {
        let mut text = String::new();
        let mut spaced = None;
        for line in lines {
            self.append(&mut text, spaced, &line.text());
            spaced = ends_with_space(line.words.iter());
        }
        text.retain(|c| c != SOFT_HYPHEN);
        text
    }

    /// Adds a line to a text; `spaced` says whether a space character ends the text in the file, if known.
    fn append(&self, text: &mut String, spaced: Option<bool>, next: &str) {
        let (Some(last), Some(first)) = (text.chars().next_back(), next.chars().next()) else {
            text.push_str(next);
            return;
        };
        let (tail, head) = (last_token(text), first_token(next));
        if last == SOFT_HYPHEN {
            text.pop();
        } else if is_hyphen(last) && tail.chars().count() > 1 {
            match self.hyphen(tail.trim_end_matches(is_hyphen), head) {
                Hyphen::Break => {
                    text.pop();
                }
                Hyphen::Part => {}
                Hyphen::Pending => text.push(' '),
            }
        } else {
            let unspaced = is_han_or_kana(last) && is_han_or_kana(first);
            let cut = is_hangul(last) && is_hangul(first) && self.cuts(tail, head, spaced);
            if !unspaced && !cut {
                text.push(' ');
            }
        }
        text.push_str(next);
    }
}

/// What a hyphen at a line end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hyphen {
    /// Put there by the typesetter: the word goes on without it.
    Break,
    /// A part of the word: `long-term`, `COVID-19`.
    Part,
    /// It stands for what comes later: `pre- and post-war`.
    Pending,
}

/// Words known to be cut by line ends that show how a document breaks its lines.
const FEWEST_BREAKS: usize = 3;

fn first_token(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

fn last_token(text: &str) -> &str {
    text.rsplit(' ').next().unwrap_or_default()
}

/// Whether the text of a cell goes on in the next line for want of space, in Korean.
fn wraps(line: &CellLine, next: &CellLine) -> bool {
    line.full && ends_with_hangul(&line.text) && next.text.starts_with(is_hangul)
}

fn ends_with_hangul(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_hangul)
}

const SOFT_HYPHEN: char = '\u{ad}';

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// A token without the punctuation around it, in lower case.
fn key(token: &str) -> String {
    token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::set;
    use super::*;
    use crate::document::{BBox, Cell, Table};
    use crate::table::Kind;

    fn vocabulary(text: &str) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(text);
        vocabulary
    }

    fn joined(vocabulary: &Vocabulary, lines: &[&str]) -> String {
        let mut text = String::new();
        lines.iter().for_each(|l| vocabulary.append(&mut text, None, l));
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
        assert_eq!(joined(&seen, &["the unem-", "ployed man"]), "the unemployed man");
    }

    #[test]
    fn parts_that_are_words_keep_their_hyphen() {
        let seen = vocabulary("a the customer of a driver in understand pressed seal it");
        for (line, next, expected) in [
            ("the ill-", "known man", "the ill-known man"),
            ("a heavy-", "duty valve", "a heavy-duty valve"),
            ("the long-", "term plan", "the long-term plan"),
            ("a customer-", "driver link", "a customer-driver link"),
            ("a state-of-the-", "art pump", "a state-of-the-art pump"),
            ("COVID-", "19 cases", "COVID-19 cases"),
            ("the Anglo-", "American way", "the Anglo-American way"),
            ("pre- and post-", "war years", "pre- and postwar years"),
            ("the pre-", "and post-war years", "the pre- and post-war years"),
            ("to under-", "stand it", "to understand it"),
            ("ex-", "pressed so", "expressed so"),
            ("long-", "itude", "longitude"),
            ("a customer-", "able to pay", "a customerable to pay"),
            ("UNDER-", "STAND", "UNDERSTAND"),
            ("CON-", "CLUSION", "CON-CLUSION"),
        ] {
            assert_eq!(joined(&seen, &[line, next]), expected);
        }
    }

    #[test]
    fn a_document_that_breaks_words_is_found_out() {
        let line = |text: &str| Line::new(set(text, 0.0, 10.0, 10.0)).unwrap();
        let blocks: Vec<Vec<Line>> = vec![
            vec![line("그 위원회가 또한 정부의 탄소중립을 크게 본다")],
            vec![
                line("다른 위원"),
                line("회가 그런 정부"),
                line("의 큰 탄소중"),
                line("립을 두고 사회계"),
                line("층이 있다"),
            ],
        ];
        let vocabulary = Vocabulary::of(blocks.iter().map(Vec::as_slice));
        assert_eq!(vocabulary.join(&blocks[1]), "다른 위원회가 그런 정부의 큰 탄소중립을 두고 사회계층이 있다");
    }

    #[test]
    fn spaces_at_line_ends_tell_where_words_end() {
        let line = |text: &str| {
            let mut words = set(text.trim_end(), 0.0, 10.0, 10.0);
            words.iter_mut().for_each(|w| w.space_after = true);
            words.last_mut().unwrap().space_after = text.ends_with(' ');
            Line::new(words).unwrap()
        };
        let block =
            ["금융포용에 ", "도움이 될 수 ", "있는 반면 자금유출을 ", "야기할 수 있는 금융시", "스템 내의 문제"]
                .map(line);
        let vocabulary = Vocabulary::of(std::iter::once(block.as_slice()));
        assert_eq!(
            vocabulary.join(&block),
            "금융포용에 도움이 될 수 있는 반면 자금유출을 야기할 수 있는 금융시스템 내의 문제"
        );
    }

    #[test]
    fn words_cut_in_cells_are_joined() {
        let cell = |spaced, full| {
            let line = |text: &str| CellLine { text: text.into(), spaced, full };
            let mut table = FoundTable {
                bbox: BBox::default(),
                table: Table { rows: 1, cols: 1, cells: vec![Cell::default()], ..Table::default() },
                lines: vec![vec![line("침수피해방지"), line("법 시행령")]],
                words: Vec::new(),
                kind: Kind::Ruled,
                confidence: 1.0,
            };
            Vocabulary { ends: 5, spaced_ends: 4, ..Vocabulary::default() }.join_cells(&mut table);
            table.table.cells[0].text.clone()
        };
        assert_eq!(cell(Some(false), true), "침수피해방지법 시행령");
        assert_eq!(cell(Some(true), true), "침수피해방지 법 시행령");
        assert_eq!(cell(None, true), "침수피해방지 법 시행령");
        assert_eq!(cell(Some(false), false), "침수피해방지 법 시행령");
    }

    #[test]
    fn korean_words_cut_by_a_line_end() {
        let seen = vocabulary("그 데이터베이스를 쓴다 또");
        assert_eq!(joined(&seen, &["큰 데이터베", "이스를 만든다"]), "큰 데이터베이스를 만든다");
        assert_eq!(joined(&seen, &["큰 나무를", "심는다"]), "큰 나무를 심는다");
        assert_eq!(joined(&seen, &["日本", "語版"]), "日本語版");
    }
}
