//! One chunk for each table row: the baseline that tells how much of an evidence unit's worth its row sentences have.

use std::collections::BTreeSet;

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
        for (row, sentence) in sentences(table) {
            for part in cut(&sentence, |part| budget.admits(part, part)) {
                let cells = table.cells.iter().filter(|c| c.row == row);
                let pages: BTreeSet<u32> = cells.filter_map(|c| c.page).collect();
                let mut regions = element.regions.iter().filter(|r| pages.contains(&r.page)).peekable();
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
