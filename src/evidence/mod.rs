//! Evidence units: one table with everything needed to read it, as one retrieval unit.
//!
//! A unit is put together in steps, each in a file of its own: what part the elements play ([`scene`]), which tables are
//! evidence at all ([`filter`]), their captions, notes and explaining paragraphs, how the table reads ([`grid`],
//! [`rows`]), and how all that becomes pieces within the limits ([`text`], [`split`], [`pieces`],
//! [`divide`], [`parent`]).

mod caption;
mod context;
mod divide;
mod filter;
mod grid;
#[cfg(test)]
mod group_tests;
mod notes;
mod parent;
mod pieces;
mod rows;
mod scene;
mod split;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeSet, HashMap};

use caption::Caption;
use context::Context;
use grid::Grid;
use notes::Notes;
pub(crate) use rows::sentences;
pub(crate) use scene::spoken;
use split::{Piece, Splitter};
use text::Whole;

use crate::chunk::headings::Headings;
use crate::chunk::place::Place;
use crate::chunk::tokens::Budget;
use crate::document::{Document, Element, Region, Table};
use crate::unit::{Unit, UnitKind};

/// How evidence units are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvidenceOptions {
    /// Farthest text around a table that can explain it, in points along the reading order.
    pub bbox_threshold: f32,
    /// Most cl100k tokens of explaining paragraphs per table.
    pub context_tokens: usize,
}

/// The evidence units of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Their pieces, in document order.
    pub units: Vec<Unit>,
    /// For every piece the index of its table among the document's elements.
    pub tables: Vec<usize>,
    /// Elements whose whole text the units hold: tables, captions, notes, paragraphs around the tables, headings above
    /// them.
    pub owned: BTreeSet<usize>,
}

/// Makes the evidence units of a document.
pub fn build(document: &Document, doc_id: &str, budget: &Budget, options: &EvidenceOptions) -> Evidence {
    let roles = scene::roles(document);
    let all: Vec<usize> =
        document.elements.iter().enumerate().filter(|(_, e)| e.table().is_some()).map(|(index, _)| index).collect();
    let tables: Vec<usize> = all.iter().copied().filter(|&at| filter::keeps(document, &roles, at)).collect();
    let captions = caption::assign(document, &roles, &tables);
    let elements: Vec<Vec<usize>> = captions.iter().map(|c| c.elements.clone()).collect();
    let notes = notes::attach(document, &roles, &tables, &elements);
    // What names a table may take half a piece, so that its rows keep the other half.
    let limit = budget.max_tokens.min(budget.retrieval_limit());
    let room = context::Room { tokens: options.context_tokens, named: limit / 2 };
    let contexts = context::attach(document, &roles, &tables, &captions, &notes, options.bbox_threshold, room);
    let mut evidence = Evidence::default();
    let mut on_page: HashMap<u32, usize> = HashMap::new();
    for (((&at, caption), notes), context) in tables.iter().zip(captions).zip(notes).zip(contexts) {
        let Some((element, table)) = document.elements.get(at).and_then(|e| Some((e, e.table()?))) else { continue };
        let page = element.page().unwrap_or(1);
        let number = on_page.entry(page).or_default();
        let eu_id = format!("{doc_id}-p{page}-{number}");
        *number += 1;
        let table_index = all.binary_search(&at).ok().and_then(|n| u32::try_from(n).ok());
        let parts = Parts { at, element, table, caption, notes, context, eu_id, table_index };
        parts.add_to(&mut evidence, document, doc_id, budget);
    }
    evidence
}

/// What belongs to one table.
struct Parts<'a> {
    at: usize,
    element: &'a Element,
    table: &'a Table,
    caption: Caption,
    notes: Notes,
    context: Vec<Context>,
    eu_id: String,
    table_index: Option<u32>,
}

impl Parts<'_> {
    fn add_to(self, evidence: &mut Evidence, document: &Document, doc_id: &str, budget: &Budget) {
        let texts = |indices: &[usize]| -> Vec<String> {
            indices.iter().filter_map(|&i| document.elements.get(i)).map(spoken).collect()
        };
        let headings = self.headings(document, budget);
        let whole = Whole {
            at: self.at,
            grid: Grid::new(self.table, self.caption.row),
            caption: self.caption.text.clone(),
            caption_row: self.caption.row,
            units: texts(&self.notes.units),
            headings: headings.text.clone(),
            notes: texts(&self.notes.notes),
            context: self.context,
            korean: document.lang.as_deref() == Some("ko"),
        };
        let splitter = Splitter::new(&whole, budget);
        let pieces = splitter.pieces();
        let parents = parent::parents(&whole, &splitter, &pieces);
        evidence.owned.insert(self.at);
        evidence.owned.extend(self.caption.elements.iter().chain(&self.notes.units).chain(&self.notes.notes));
        if pieces.iter().any(|p| p.headings) {
            evidence.owned.extend(headings.shown);
        }
        let total = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
        for ((number, piece), parent_text) in (1..).zip(pieces).zip(parents) {
            let attached: Vec<&Context> = piece.context.iter().filter_map(|&i| whole.context.get(i)).collect();
            evidence.owned.extend(attached.iter().filter(|c| c.near).map(|c| c.index));
            let mut place = place(document, self.element, self.table, &piece);
            for context in attached {
                place.also(document.elements.get(context.index).map_or(&[], |e| &e.regions));
            }
            let unit_id = if total > 1 { format!("{}-s{number}", self.eu_id) } else { self.eu_id.clone() };
            evidence.tables.push(self.at);
            evidence.units.push(Unit {
                unit_id: unit_id.clone(),
                kind: UnitKind::Eu,
                eu_id: Some(unit_id),
                original_eu_id: Some(self.eu_id.clone()),
                doc_id: doc_id.to_owned(),
                page: place.page,
                pages: place.pages,
                bbox: place.bbox,
                caption: Some(whole.caption.clone()).filter(|c| !c.is_empty()),
                caption_confidence: self.caption.confidence,
                headings: headings.path.clone(),
                tokens: u32::try_from(piece.cost.text).unwrap_or(u32::MAX),
                table_html: Some(piece.html).filter(|html| !html.is_empty()),
                table_index: self.table_index,
                rows: piece.rows,
                split_index: number,
                total_splits: total,
                text: piece.text,
                retrieval_text: piece.retrieval_text,
                parent_text,
            });
        }
    }

    /// The headings above the table; a heading that turned out to be its caption is none.
    fn headings(&self, document: &Document, budget: &Budget) -> Headings {
        let mut section = self.element.section;
        while let Some(at) = section.filter(|at| self.caption.elements.contains(at)) {
            section = document.elements.get(at).and_then(|e| e.section).filter(|&above| above < at);
        }
        Headings::of(document, section, budget, text::HEADINGS_SHARE)
    }
}

/// Where a piece stands: the parts of the table on the pages that its cells are on, where the cells know.
fn place(document: &Document, element: &Element, table: &Table, piece: &Piece) -> Place {
    let rows = piece.extent.as_ref().map_or(&[][..], |e| &e.body);
    let (first, last) = (rows.first().copied().unwrap_or(usize::MAX), rows.last().copied().unwrap_or(0));
    let from = table.cells.partition_point(|c| c.row < first);
    let cells = table.cells.get(from..).unwrap_or_default().iter().take_while(|c| c.row <= last);
    let pages: BTreeSet<u32> = cells.filter_map(|c| c.page).collect();
    let on_pages: Vec<&Region> = element.regions.iter().filter(|r| pages.contains(&r.page)).collect();
    if on_pages.is_empty() { Place::of(document, &element.regions) } else { Place::of(document, on_pages) }
}
