//! What the structure tree of a tagged file says of its blocks, where it can be trusted.

use std::collections::{HashMap, HashSet};

use crate::pdf::PageContent;
use crate::pdf::tags::{Kid, Tag};

use super::blocks::Block;

/// A tree that covers a smaller share of the words than this says nothing of the rest.
const LEAST_COVERED: f32 = 0.8;
/// Where more than this share of the characters is in headings, the tags only tell what looks bold.
const MOST_HEADINGS: f32 = 0.3;
/// From this many headings on, what is tagged as a paragraph is none.
const FEWEST_HEADINGS: usize = 3;

/// What a block is tagged as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// A heading, with its level where the tag has one.
    Heading(Option<u8>),
    Caption,
    Footnote,
    Contents,
    Code,
    /// Running text, in a document that tags its headings.
    Text,
}

/// The hints for the marked content of all pages; none where there are no tags or they cannot be trusted.
#[derive(Debug, Default)]
pub(crate) struct Hints(HashMap<(u32, u32), Hint>);

impl Hints {
    /// Reads the structure tree and holds it against the words of the pages.
    pub(crate) fn of(tags: &[Tag], pages: &[PageContent]) -> Self {
        if tags.is_empty() {
            return Self::default();
        }
        let mut found = Found::default();
        tags.iter().for_each(|tag| found.walk(tag, None));
        let (mut all, mut covered, mut headings) = (0_usize, 0_usize, 0_usize);
        let mut headed: HashSet<(u32, u32)> = HashSet::new();
        for page in pages {
            for word in page.words.iter().filter(|w| !w.artifact) {
                let chars = word.text.chars().count();
                let hint = word.mcid.and_then(|mcid| found.hints.get(&(page.number, mcid)));
                all += chars;
                covered += if hint.is_some() { chars } else { 0 };
                if let (Some(Some(Hint::Heading(_))), Some(mcid)) = (hint, word.mcid) {
                    headings += chars;
                    headed.insert((page.number, mcid));
                }
            }
        }
        let sane = covered as f32 >= LEAST_COVERED * all as f32 && headings as f32 <= MOST_HEADINGS * all as f32;
        if !sane {
            return Self::default();
        }
        let text = headed.len() >= FEWEST_HEADINGS;
        let usable = |hint: Option<Hint>| hint.filter(|h| *h != Hint::Text || text);
        Self(found.hints.into_iter().filter_map(|(at, hint)| Some((at, usable(hint)?))).collect())
    }

    /// What most of a block's characters are tagged as.
    pub(crate) fn get(&self, page: u32, block: &Block) -> Option<Hint> {
        if self.0.is_empty() {
            return None;
        }
        let mut counts: Vec<(Hint, usize)> = Vec::new();
        for word in block.lines.iter().flat_map(|l| &l.words) {
            let Some(hint) = word.mcid.and_then(|mcid| self.0.get(&(page, mcid))) else { continue };
            let chars = word.text.chars().count();
            match counts.iter_mut().find(|(h, _)| h == hint) {
                Some((_, count)) => *count += chars,
                None => counts.push((*hint, chars)),
            }
        }
        counts.into_iter().filter(|(_, count)| 2 * count > block.chars()).map(|(hint, _)| hint).next()
    }
}

/// Hints as the tree gives them; `None` for content that is tagged, but as nothing that helps.
#[derive(Default)]
struct Found {
    hints: HashMap<(u32, u32), Option<Hint>>,
}

impl Found {
    fn walk(&mut self, tag: &Tag, above: Option<Hint>) {
        let own = match tag.role.as_str() {
            "Title" | "H" => Some(Hint::Heading(None)),
            "Caption" => Some(Hint::Caption),
            "Note" | "FENote" => Some(Hint::Footnote),
            "TOC" | "TOCI" => Some(Hint::Contents),
            "Code" => Some(Hint::Code),
            "P" => Some(Hint::Text),
            role => match role.strip_prefix('H').map(str::as_bytes) {
                Some([level @ b'1'..=b'6']) => Some(Hint::Heading(Some(level - b'0'))),
                _ => None,
            },
        };
        // A paragraph inside a caption, note or entry is one all the same.
        let hint = match (above, own) {
            (Some(above), Some(Hint::Text) | None) => Some(above),
            (_, own) => own,
        };
        for kid in &tag.kids {
            match kid {
                Kid::Tag(tag) => self.walk(tag, hint),
                Kid::Content { page, mcid } => {
                    self.hints.insert((*page, *mcid), hint);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::{Line, tests::set};
    use super::*;

    fn words(text: &str, mcid: u32) -> Vec<crate::pdf::Word> {
        let mut words = set(text, 50.0, 100.0, 10.0);
        words.iter_mut().for_each(|w| w.mcid = Some(mcid));
        words
    }

    fn tag(role: &str, kids: Vec<Kid>) -> Tag {
        Tag { role: role.into(), kids, ..Tag::default() }
    }

    fn content(mcid: u32) -> Vec<Kid> {
        vec![Kid::Content { page: 1, mcid }]
    }

    fn hints(tags: &[Tag], texts: &[&str]) -> Vec<Option<Hint>> {
        let words = texts.iter().zip(0..).flat_map(|(text, mcid)| words(text, mcid)).collect();
        let page = PageContent { number: 1, words, ..PageContent::default() };
        let hints = Hints::of(tags, &[page]);
        let block = |(text, mcid)| Block::new(Line::new(self::words(text, mcid)).unwrap(), 0, 500.0);
        texts.iter().copied().zip(0..).map(|at| hints.get(1, &block(at))).collect()
    }

    #[test]
    fn roles_come_from_the_tree() {
        let caption = tag("Caption", vec![Kid::Tag(tag("P", content(1)))]);
        let tags =
            [tag("Document", vec![Kid::Tag(tag("H2", content(0))), Kid::Tag(caption), Kid::Tag(tag("P", content(2)))])];
        let texts = ["Aims", "Table 1", "a long text that is no heading at all"];
        assert_eq!(hints(&tags, &texts), [Some(Hint::Heading(Some(2))), Some(Hint::Caption), None]);
    }

    #[test]
    fn a_tree_that_leaves_words_out_or_heads_everything_is_not_trusted() {
        let texts = ["Aims", "a long text that is no heading at all"];
        assert_eq!(hints(&[tag("H1", content(0))], &texts), [None, None]);
        assert_eq!(hints(&[tag("H1", content(0)), tag("H2", content(1))], &texts), [None, None]);
    }
}
