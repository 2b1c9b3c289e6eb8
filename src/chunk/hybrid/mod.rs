//! Docling's HybridChunker (docling-core 2.87), rebuilt as a baseline to measure evidence units against.
//!
//! Elements and whole lists become chunks ([`serial`]), tables as triplets ([`triplets`]). What is too long is divided
//! between the items of a list, then by text: tables by lines ([`lines`]), all else at the best separator ([`semantic`]).
//! Neighbours under equal headings are merged while they fit. Its weaknesses are kept, for they are what is measured:
//! pictures' labels and the names of first columns are not in it, headings without text neither, and the pieces of a
//! table are cut without counting their headings, so that they may be longer than the limit by these.

mod lines;
mod semantic;
mod serial;
mod size;
mod triplets;

use std::collections::BTreeMap;
use std::rc::Rc;

use self::serial::{Block, Item};
use self::size::Meter;
use super::place::Place;
use super::text::plain_unit;
use super::tokens::Budget;
use crate::document::{Document, ElementKind};
use crate::unit::Unit;

/// The chunks of a document, each with the index of its first element.
pub(crate) fn placed(document: &Document, doc_id: &str, budget: &Budget) -> Vec<(usize, Unit)> {
    let meter = Meter::new(budget);
    let mut chunks = Vec::new();
    for (headings, block) in sections(document) {
        for chunk in by_items(block, &headings, &meter) {
            by_text(chunk, &meter, &mut chunks);
        }
    }
    let chunks = merge(chunks, &meter).into_iter().filter(|c| !c.text.trim().is_empty()).zip(0..);
    chunks.filter_map(|(chunk, n)| Some((*chunk.elements.first()?, chunk.unit(document, doc_id, n)))).collect()
}

/// The headings above a chunk, outermost first.
type Path = Rc<Vec<String>>;

/// Text under headings.
#[derive(Clone, Debug, PartialEq)]
struct Chunk {
    headings: Path,
    /// Indices of the elements that it is of, in order.
    elements: Vec<usize>,
    /// Whether it is one table.
    table: bool,
    /// Without the headings.
    text: String,
}

impl Chunk {
    fn contextualised(&self) -> String {
        contextualise(&self.headings, &self.text)
    }

    fn unit(self, document: &Document, doc_id: &str, number: usize) -> Unit {
        let text = self.contextualised().trim().to_owned();
        let regions = self.elements.iter().filter_map(|&i| document.elements.get(i)).flat_map(|e| &e.regions);
        let place = Place::of(document, regions);
        let unit = plain_unit(doc_id, format!("{doc_id}-h{number}"), place, text);
        Unit { headings: self.headings.to_vec(), ..unit }
    }
}

fn contextualise(headings: &[String], text: &str) -> String {
    let mut whole = headings.join("\n");
    if !whole.is_empty() {
        whole.push('\n');
    }
    whole.push_str(text);
    whole
}

/// What is serialised as a whole, with the headings above it. A heading ends those of its level and below; the title
/// stands above all of them.
fn sections(document: &Document) -> Vec<(Path, Block)> {
    let mut open: BTreeMap<u8, String> = BTreeMap::new();
    let mut path = Path::default();
    let mut sections = Vec::new();
    for block in serial::blocks(document) {
        let heading = block.items.first().and_then(|item| document.elements.get(item.element));
        let level = heading.and_then(|element| match element.kind {
            ElementKind::Title => Some(0),
            ElementKind::Heading { level } => Some(level),
            _ => None,
        });
        if let (Some(level), Some(heading)) = (level, heading) {
            open.split_off(&level);
            open.insert(level, heading.text.clone());
            path = Path::new(open.values().cloned().collect());
        } else {
            sections.push((path.clone(), block));
        }
    }
    sections
}

/// The block as chunks of as many of its items as fit; one that does not fit alone stays whole.
fn by_items(block: Block, headings: &Path, meter: &Meter) -> Vec<Chunk> {
    let chunk = |items: &[Item]| Chunk {
        headings: headings.clone(),
        elements: items.iter().map(|i| i.element).collect(),
        table: block.table,
        text: items.iter().map(|i| i.text.as_str()).collect::<Vec<_>>().join("\n"),
    };
    let mut chunks = Vec::new();
    let mut rest = block.items.as_slice();
    while !rest.is_empty() {
        let fits = |n: usize| {
            let window = rest.get(..n).unwrap_or(rest);
            meter.fits(&contextualise(headings, &chunk(window).text))
        };
        let (window, after) = rest.split_at(super::cut::longest(rest.len(), fits).max(1).min(rest.len()));
        chunks.push(chunk(window));
        rest = after;
    }
    chunks
}

/// Adds the chunk, divided by its text where it is too long.
fn by_text(mut chunk: Chunk, meter: &Meter, out: &mut Vec<Chunk>) {
    let total = meter.size(&chunk.contextualised());
    if total.within(meter.limit) {
        out.push(chunk);
        return;
    }
    let text = meter.size(&chunk.text);
    let mut available = meter.limit.less(total.less(text));
    if available.is_used_up() {
        // The headings alone are too long: they are given up.
        chunk.headings = Path::default();
        if text.within(meter.limit) {
            out.push(chunk);
            return;
        }
        available = meter.limit;
    }
    let parts = if chunk.table {
        lines::divide(&chunk.text, meter)
    } else {
        semantic::divide(&chunk.text, |part| meter.is_within(part, available)).into_iter().map(str::to_owned).collect()
    };
    out.extend(parts.into_iter().map(|text| Chunk { text, ..chunk.clone() }));
}

/// Merges neighbours under equal headings while they fit.
fn merge(chunks: Vec<Chunk>, meter: &Meter) -> Vec<Chunk> {
    let mut merged: Vec<Chunk> = Vec::new();
    for chunk in chunks {
        if let Some(last) = merged.last_mut().filter(|last| last.headings == chunk.headings) {
            let text = format!("{}\n{}", last.text, chunk.text);
            if meter.fits(&contextualise(&last.headings, &text)) {
                last.text = text;
                last.elements.extend(chunk.elements);
                continue;
            }
        }
        merged.push(chunk);
    }
    merged
}
