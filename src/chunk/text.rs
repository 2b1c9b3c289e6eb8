//! Text chunks by document structure: consecutive elements under the same headings, as many as fit.
//!
//! Elements that evidence units own are left out one by one before anything is merged, so that no neighbour goes with
//! them. A heading is part of every chunk under it; one that no unit shows becomes text itself.

use std::collections::{BTreeSet, HashMap};

use super::cut::cut;
use super::headings::Headings;
use super::place::Place;
use super::tokens::{Budget, Cl100k, TokenCounter};
use crate::document::{Document, Element, ElementKind, Region, Table};
use crate::evidence::spoken;
use crate::unit::{CaptionConfidence, Unit, UnitKind};

/// Share of the limits that the heading path may take in a chunk.
const HEADINGS_SHARE: usize = 4;
/// About how many cl100k tokens the text around a chunk has at most.
const PARENT_TOKENS: usize = 2_000;

/// The text chunks of a document, without the elements in `owned`.
pub fn chunk(document: &Document, doc_id: &str, owned: &BTreeSet<usize>, budget: &Budget) -> Vec<Unit> {
    placed(document, doc_id, owned, budget).into_iter().map(|(_, unit)| unit).collect()
}

/// The same, each with the index of its first element.
pub(crate) fn placed(
    document: &Document,
    doc_id: &str,
    owned: &BTreeSet<usize>,
    budget: &Budget,
) -> Vec<(usize, Unit)> {
    let mut paths = Paths { document, budget, known: HashMap::new() };
    let chunks = adopt(merge(items(document, owned, &mut paths), &mut paths), &mut paths);
    let parents = parents(&chunks, &mut paths, document.lang.as_deref() == Some("ko"));
    let units = chunks.into_iter().zip(parents).zip(0..);
    units
        .filter_map(|((chunk, parent), n)| Some((chunk.first()?, chunk.unit(document, doc_id, n, parent, &mut paths))))
        .collect()
}

/// Text of one element, or of a part of it.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    index: usize,
    section: Option<usize>,
    text: String,
}

/// The headings of each section, made once.
struct Paths<'a> {
    document: &'a Document,
    budget: &'a Budget<'a>,
    known: HashMap<Option<usize>, Headings>,
}

impl Paths<'_> {
    fn of(&mut self, section: Option<usize>) -> &Headings {
        let make = || Headings::of(self.document, section, self.budget, HEADINGS_SHARE);
        self.known.entry(section).or_insert_with(make)
    }

    /// `text` under its headings.
    fn contextualise(&mut self, section: Option<usize>, text: &str) -> String {
        let headings = &self.of(section).text;
        if headings.is_empty() { text.to_owned() } else { format!("{headings}\n{text}") }
    }

    fn admits(&mut self, chunk: &Chunk) -> bool {
        let text = chunk.text(self);
        self.budget.admits(&text, &text)
    }

    /// Whether section `inner` is `outer` or lies in it.
    fn within(&self, inner: Option<usize>, outer: Option<usize>) -> bool {
        let mut at = inner;
        while let Some(index) = at.filter(|_| at != outer) {
            at = self.document.elements.get(index).and_then(|e| e.section).filter(|&above| above < index);
        }
        at == outer
    }

    /// Whether the headings shown above section `inner` are all that are shown above `outer`, and more.
    fn shows(&mut self, inner: Option<usize>, outer: Option<usize>) -> bool {
        let wanted = self.of(outer).shown.clone();
        let shown = &self.of(inner).shown;
        wanted.iter().all(|heading| shown.contains(heading))
    }

    fn fits(&mut self, section: Option<usize>, text: &str) -> bool {
        let text = self.contextualise(section, text);
        self.budget.admits(&text, &text)
    }
}

/// What is to be chunked, in reading order, every item within the limits.
fn items(document: &Document, owned: &BTreeSet<usize>, paths: &mut Paths) -> Vec<Item> {
    let mut shown = owned.clone();
    let mut items: Vec<Vec<Item>> = Vec::new();
    // From the end: a heading is decided on when everything below it is.
    for (index, element) in document.elements.iter().enumerate().rev() {
        if element.kind.is_furniture() || owned.contains(&index) {
            continue;
        }
        if matches!(element.kind, ElementKind::Heading { .. }) && shown.contains(&index) {
            continue;
        }
        let section = element.section.filter(|&at| at < index);
        let texts = texts(element);
        if texts.is_empty() {
            continue;
        }
        shown.extend(&paths.of(section).shown);
        let mut parts = Vec::new();
        for text in texts {
            if paths.fits(section, &text) {
                parts.push(Item { index, section, text });
            } else {
                let cuts = cut(&text, |part| paths.fits(section, part));
                parts.extend(cuts.into_iter().map(|part| Item { index, section, text: part.to_owned() }));
            }
        }
        items.push(parts);
    }
    items.into_iter().rev().flatten().collect()
}

/// The element's text, a table's row by row.
pub(super) fn texts(element: &Element) -> Vec<String> {
    let texts = match &element.kind {
        ElementKind::Table { table } => lines(table),
        ElementKind::Code => vec![element.text.trim_matches('\n').trim_end().to_owned()],
        _ => vec![spoken(element)],
    };
    texts.into_iter().filter(|t| !t.trim().is_empty()).collect()
}

/// The rows of a table that is no evidence unit, cells joined by ` | `; every cell once.
fn lines(table: &Table) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last = None;
    for cell in table.cells.iter().filter(|c| !c.text.trim().is_empty()) {
        let text = cell.text.trim();
        match lines.last_mut().filter(|_| last == Some(cell.row)) {
            Some(line) => {
                line.push_str(" | ");
                line.push_str(text);
            }
            None => lines.push(text.to_owned()),
        }
        last = Some(cell.row);
    }
    lines
}

/// Consecutive items under the same headings.
#[derive(Clone, Debug, Default, PartialEq)]
struct Chunk {
    section: Option<usize>,
    indices: Vec<usize>,
    /// A title that stands above the headings.
    lead: String,
    body: String,
    /// cl100k tokens of the body, about.
    cost: usize,
}

impl Chunk {
    /// What a reader sees of it.
    fn text(&self, paths: &mut Paths) -> String {
        let text = paths.contextualise(self.section, &self.body);
        if self.lead.is_empty() { text } else { format!("{}\n{text}", self.lead) }
    }

    /// Whether it consists of titles and headings with nothing under them.
    fn is_bare(&self, document: &Document) -> bool {
        let mut kinds = self.indices.iter().filter_map(|&i| document.elements.get(i)).map(|e| &e.kind);
        kinds.all(|kind| matches!(kind, ElementKind::Title | ElementKind::Heading { .. }))
    }

    fn first(&self) -> Option<usize> {
        self.indices.first().copied()
    }

    fn add(&mut self, item: Item, cost: usize) {
        if !self.body.is_empty() {
            self.body.push('\n');
        }
        self.body.push_str(&item.text);
        self.cost += cost;
        if self.indices.last() != Some(&item.index) {
            self.indices.push(item.index);
        }
    }

    fn unit(&self, document: &Document, doc_id: &str, number: usize, parent: String, paths: &mut Paths) -> Unit {
        let text = self.text(paths);
        let regions = self.indices.iter().filter_map(|&i| document.elements.get(i)).flat_map(|e| &e.regions);
        let place = Place::of(document, regions.collect::<Vec<&Region>>());
        let headings = paths.of(self.section).path.clone();
        Unit { headings, parent_text: parent, ..plain_unit(doc_id, format!("{doc_id}-t{number}"), place, text) }
    }
}

/// A text chunk without headings and without more around it.
pub(super) fn plain_unit(doc_id: &str, unit_id: String, place: Place, text: String) -> Unit {
    Unit {
        unit_id,
        kind: UnitKind::Text,
        eu_id: None,
        original_eu_id: None,
        doc_id: doc_id.to_owned(),
        page: place.page,
        pages: place.pages,
        bbox: place.bbox,
        caption: None,
        caption_confidence: CaptionConfidence::None,
        headings: Vec::new(),
        table_html: None,
        table_index: None,
        rows: Vec::new(),
        split_index: 1,
        total_splits: 1,
        tokens: u32::try_from(Cl100k.count(&text)).unwrap_or(u32::MAX),
        retrieval_text: text.clone(),
        parent_text: text.clone(),
        text,
    }
}

/// Puts items together as long as they stand under the same headings and fit. Sums guide, every chunk is counted.
fn merge(items: Vec<Item>, paths: &mut Paths) -> Vec<Chunk> {
    let (max_tokens, limit) = (paths.budget.max_tokens, paths.budget.retrieval_limit());
    let mut chunks: Vec<Chunk> = Vec::new();
    let (mut text_sum, mut retrieval_sum) = (0, 0);
    for item in items {
        let cost = Cl100k.count(&item.text) + 1;
        let retrieval = paths.budget.count_retrieval(&item.text) + 1;
        if let Some(chunk) = chunks.last_mut().filter(|c| c.section == item.section)
            && text_sum + cost <= max_tokens
            && retrieval_sum + retrieval <= limit
        {
            text_sum += cost;
            retrieval_sum += retrieval;
            chunk.add(item, cost);
            continue;
        }
        let headings = paths.of(item.section).text.clone();
        text_sum = Cl100k.count(&headings) + 1 + cost;
        retrieval_sum = paths.budget.count_retrieval(&headings) + 1 + retrieval;
        let mut chunk = Chunk { section: item.section, ..Chunk::default() };
        chunk.add(item, cost);
        chunks.push(chunk);
    }
    chunks.into_iter().flat_map(|chunk| within(chunk, paths)).collect()
}

/// Puts bare headings to a neighbour: below the text before them where that is of the section around them, else above
/// the text after them.
fn adopt(chunks: Vec<Chunk>, paths: &mut Paths) -> Vec<Chunk> {
    let document = paths.document;
    let mut out: Vec<Chunk> = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let Some(last) = out.last_mut() else {
            out.push(chunk);
            continue;
        };
        let is_below = !last.is_bare(document) && paths.within(last.section, chunk.section);
        // A long heading may be shown above this chunk only.
        if chunk.is_bare(document) && is_below && paths.shows(last.section, chunk.section) {
            let indices = last.indices.iter().chain(&chunk.indices).copied().collect();
            let body = format!("{}\n{}", last.body, chunk.body);
            let whole = Chunk { indices, body, cost: last.cost + chunk.cost, ..last.clone() };
            if paths.admits(&whole) {
                *last = whole;
                continue;
            }
        } else if last.section.is_none() && last.is_bare(document) {
            let indices = last.indices.iter().chain(&chunk.indices).copied().collect();
            let whole = Chunk { indices, lead: last.text(paths), cost: last.cost + chunk.cost, ..chunk.clone() };
            if paths.admits(&whole) {
                *last = whole;
                continue;
            }
        }
        out.push(chunk);
    }
    out
}

/// The chunk, divided if its sum was too low an estimate.
fn within(chunk: Chunk, paths: &mut Paths) -> Vec<Chunk> {
    if paths.fits(chunk.section, &chunk.body) {
        return vec![chunk];
    }
    let parts = cut(&chunk.body, |part| paths.fits(chunk.section, part));
    let cost = chunk.cost.div_ceil(parts.len().max(1));
    parts.into_iter().map(|part| Chunk { body: part.to_owned(), cost, ..chunk.clone() }).collect()
}

/// The text around every chunk: the chunks of its section next to it, and whether there are more.
fn parents(chunks: &[Chunk], paths: &mut Paths, korean: bool) -> Vec<String> {
    let mut parents = Vec::with_capacity(chunks.len());
    let mut rest = chunks;
    while let Some(first) = rest.first() {
        let section = rest.iter().take_while(|c| c.section == first.section).count();
        let (run, tail) = rest.split_at(section);
        let mut groups: Vec<&[Chunk]> = Vec::new();
        let mut left = run;
        while !left.is_empty() {
            let mut cost = 0;
            let count = left
                .iter()
                .take_while(|c| {
                    cost += c.cost;
                    cost <= PARENT_TOKENS
                })
                .count();
            let (group, after) = left.split_at(count.max(1));
            groups.push(group);
            left = after;
        }
        for (number, group) in (1..).zip(&groups) {
            let body: Vec<&str> = group.iter().map(|c| c.body.as_str()).collect();
            let lead = group.first().map(|c| c.lead.clone()).unwrap_or_default();
            let whole = Chunk { section: first.section, lead, body: body.join("\n"), ..Chunk::default() };
            let mut text = whole.text(paths);
            if groups.len() > 1 {
                let total = groups.len();
                text.push_str(&if korean {
                    format!("\n… (전체 {total}부분 중 {number})")
                } else {
                    format!("\n… (part {number} of {total} shown)")
                });
            }
            parents.extend(std::iter::repeat_n(text, group.len()));
        }
        rest = tail;
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BBox, Page};

    fn document(elements: &[(ElementKind, &str)]) -> Document {
        let mut document =
            Document { pages: vec![Page { number: 1, width: 100.0, height: 200.0 }], ..Document::default() };
        for (n, (kind, text)) in elements.iter().enumerate() {
            let y = 20.0 * n as f32;
            document.elements.push(Element::new(kind.clone(), *text, 1, BBox::new(10.0, y, 90.0, y + 10.0)));
        }
        document.link_sections();
        document
    }

    fn chunks(document: &Document, owned: &[usize], max_tokens: usize) -> Vec<Unit> {
        chunk(document, "d", &owned.iter().copied().collect(), &Budget { max_tokens, model: None })
    }

    #[test]
    fn peers_are_merged_under_their_headings() {
        let heading = |level| ElementKind::Heading { level };
        let item = |marker: &str| ElementKind::ListItem { depth: 0, marker: marker.into() };
        let document = document(&[
            (ElementKind::Title, "보고서"),
            (heading(1), "제1장"),
            (heading(2), "1. 개요"),
            (ElementKind::Paragraph, "첫 문단."),
            (item("가."), "항목"),
            (ElementKind::PageFooter, "- 3 -"),
            (ElementKind::Paragraph, "딴 데 속한 문단."),
            (ElementKind::Paragraph, "끝 문단."),
            (heading(2), "2. 빈 절"),
            (heading(1), "제2장"),
            (ElementKind::Paragraph, "본문."),
        ]);
        let units = chunks(&document, &[6], 512);
        let texts: Vec<&str> = units.iter().map(|u| u.text.as_str()).collect();
        assert_eq!(texts, ["보고서\n제1장\n1. 개요\n첫 문단.\n가. 항목\n끝 문단.\n2. 빈 절", "제2장\n본문."]);
        assert_eq!(units[0].headings, ["제1장", "1. 개요"]);
        assert_eq!(units[1].unit_id, "d-t1");
        assert_eq!(units[1].bbox, Some([0.1, -0.0, 0.9, 0.0]));
        assert_eq!(units[0].parent_text, units[0].text);
    }

    #[test]
    fn a_heading_stays_where_alone_it_has_the_long_one_above_it() {
        let heading = |level| ElementKind::Heading { level };
        let long = "Long-term development of the regional labour market since the reform";
        let document = document(&[
            (heading(1), long),
            (heading(2), "Employment in the northern districts"),
            (ElementKind::Paragraph, "It rose."),
            (heading(2), "Outlook"),
        ]);
        let texts: Vec<String> = chunks(&document, &[], 64).into_iter().map(|u| u.text).collect();
        let expected = ["Employment in the northern districts\nIt rose.".to_owned(), format!("{long}\nOutlook")];
        assert_eq!(texts, expected);
    }

    #[test]
    fn long_paragraphs_are_cut_at_sentences_and_parents_say_so() {
        let text = "이 문장은 예산의 집행 현황을 설명한다. ".repeat(300);
        let document = document(&[(ElementKind::Heading { level: 1 }, "예산"), (ElementKind::Paragraph, &text)]);
        let units = chunks(&document, &[], 128);
        assert!(units.len() > 10);
        assert!(units.iter().all(|u| u.text.starts_with("예산\n이 문장은") && u.text.ends_with("설명한다.")));
        assert!(units.iter().all(|u| u.tokens <= 128));
        assert!(units[0].parent_text.ends_with("… (part 1 of 4 shown)"), "{}", units[0].parent_text);
        assert_eq!(units[0].parent_text, units[1].parent_text);
    }
}
