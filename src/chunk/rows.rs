//! One chunk for each table row: the baseline that tells how much of an evidence unit's worth its row sentences have.

use std::collections::{BTreeMap, BTreeSet};

use super::cut::cut;
use super::place::Place;
use super::text::{self, plain_unit};
use super::tokens::Budget;
use crate::document::Document;
use crate::evidence::sentences;
use crate::unit::Unit;

/// The rows of all tables as sentences, and what is no table as text chunks; each with the index of its first element.
pub(super) fn placed(document: &Document, doc_id: &str, budget: &Budget) -> Vec<(usize, Unit)> {
    let mut placed = Vec::new();
    let mut tables = BTreeSet::new();
    for (index, element) in document.elements.iter().enumerate() {
        let Some(table) = element.table() else { continue };
        tables.insert(index);
        let mut pages: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        for cell in &table.cells {
            pages.entry(cell.row).or_default().extend(cell.page);
        }
        for (row, sentence) in sentences(table) {
            for part in cut(&sentence, |part| budget.admits(part, part)) {
                let on_row = |page: u32| pages.get(&row).is_some_and(|pages| pages.contains(&page));
                let mut regions = element.regions.iter().filter(|r| on_row(r.page)).peekable();
                let place = match regions.peek() {
                    Some(_) => Place::of(document, regions),
                    None => Place::of(document, &element.regions),
                };
                let number = placed.len();
                placed.push((index, plain_unit(doc_id, format!("{doc_id}-r{number}"), place, part.to_owned())));
            }
        }
    }
    placed.extend(text::placed(document, doc_id, &tables, budget));
    placed
}
