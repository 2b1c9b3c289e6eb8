//! Tables that go on over page breaks, and the captions that are repeated over their parts.

use crate::document::{Element, ElementKind, Region};
use crate::table::{PagedTable, join_across_pages};

use super::assemble::{Content, Entry};
use super::labels;
use super::page::PageDraft;

/// Longest caption that says that a table goes on, in characters.
const LONGEST_MARK: usize = 120;
/// Words that say so, in lower case.
const MARKS: [&str; 5] = ["continued", "cont'd", "cont", "계속", "이어서"];

/// Joins tables that go on over page breaks: the first part takes the rows of the others. What only repeats the caption
/// or the unit over a later part becomes a running head.
pub(crate) fn join(joined: &[Vec<Entry>], pages: &[PageDraft], elements: &mut [Option<Element>]) {
    let mut places = Vec::new();
    let mut tables = Vec::new();
    for (i, parts) in joined.iter().enumerate() {
        if let Some(Entry { page, content: Content::Table(found) }) = parts.first() {
            let Some(draft) = pages.get(*page) else { continue };
            places.push(i);
            tables.push(PagedTable { page: draft.number, page_height: draft.upright_height, found: found.clone() });
        }
    }
    let adjacent = |a: usize, b: usize| {
        let (Some(&a), Some(&b)) = (places.get(a), places.get(b)) else { return false };
        let between = elements.get(a + 1..b).unwrap_or_default();
        between.iter().flatten().all(|e| e.kind.is_furniture() || is_mark(&e.text))
    };
    for (parts, table) in join_across_pages(&tables, &adjacent) {
        let places: Vec<usize> = parts.iter().filter_map(|&p| places.get(p).copied()).collect();
        let Some((&first, others)) = places.split_first() else { continue };
        let moved: Vec<Region> =
            others.iter().filter_map(|&o| elements.get_mut(o)?.take()).flat_map(|e| e.regions).collect();
        if let Some(Some(element)) = elements.get_mut(first) {
            element.kind = ElementKind::Table { table };
            element.regions.extend(moved);
        }
        let last = others.last().copied().unwrap_or(first);
        for at in first + 1..last {
            let Some(Some(element)) = elements.get(at) else { continue };
            if !element.kind.is_furniture()
                && repeats(&element.text, elements.get(..first).unwrap_or_default())
                && let Some(Some(element)) = elements.get_mut(at)
            {
                element.kind = ElementKind::PageHeader;
            }
        }
    }
}

/// `Table 3 (continued)`, `<표 2> 계속`, or a unit that is repeated.
fn is_mark(text: &str) -> bool {
    let lower = text.to_lowercase();
    let says = MARKS.iter().any(|mark| lower.contains(mark));
    (says && text.chars().count() <= LONGEST_MARK) || labels::is_unit(text)
}

/// Whether one of the `before`, nearest first, holds every word of a caption but those that say that it goes on.
fn repeats(text: &str, before: &[Option<Element>]) -> bool {
    let wanted: Vec<String> = words(text).filter(|w| !MARKS.contains(&w.as_str())).collect();
    before.iter().rev().flatten().take(CAPTION_REACH).any(|e| {
        let known: Vec<String> = words(&e.text).collect();
        wanted.iter().all(|w| known.contains(w))
    })
}

/// A caption and its unit stand at most this many elements above their table.
const CAPTION_REACH: usize = 4;

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BBox;

    #[test]
    fn what_a_caption_says_again() {
        let caption = |text: &str| Some(Element::new(ElementKind::Caption, text, 1, BBox::default()));
        let before = [caption("Table 3-1: Spare parts"), caption("<표 2> 수출입 현황"), caption("(단위: 억 원)")];
        for (text, found) in [
            ("Table 3-1 (continued)", true),
            ("<표 2> 수출입 현황 (계속)", true),
            ("(단위: 억 원)", true),
            ("(단위: 백만 원)", false),
            ("Table 3-1 (continued): valves", false),
        ] {
            assert_eq!(repeats(text, &before), found, "{text}");
        }
    }
}
