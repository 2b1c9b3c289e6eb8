//! The wider text around a piece: the whole evidence unit where it is not too long, else the rows around the piece.

use super::split::{Extent, Piece, Splitter};
use super::text::{Content, Frame, Whole, assemble};
use crate::chunk::tokens::{Cl100k, TokenCounter};

/// About how many cl100k tokens a parent text has at most: what an LLM reads for one hit.
pub(crate) const PARENT_TOKENS: usize = 2_000;
/// Bytes per token above which a table is not even tried as a whole.
const BYTES_PER_TOKEN: usize = 16;

/// The parent text of every piece.
pub(crate) fn parents(whole: &Whole, splitter: &Splitter, pieces: &[Piece]) -> Vec<String> {
    if let [only] = pieces {
        return vec![only.text.clone()];
    }
    if let Some(text) = everything(whole, splitter) {
        return vec![text; pieces.len()];
    }
    let frame = splitter.frame();
    let context: Vec<usize> = (0..whole.context.len()).collect();
    let (bare, _) = assemble(whole, frame, &Content { context: context.clone(), ..Content::default() });
    let room = PARENT_TOKENS.saturating_sub(Cl100k.count(&bare));
    let mut parents = Vec::with_capacity(pieces.len());
    for group in groups(pieces, room) {
        let text = match merged(group) {
            Some(extent) => {
                let html = splitter.rows_html(&extent);
                let (text, _) =
                    assemble(whole, frame, &Content { context: context.clone(), html, ..Content::default() });
                format!("{text}\n{}", shown(whole, &extent))
            }
            None => {
                let number = parents.len() + 1;
                let text = group.first().map(|p| p.text.as_str()).unwrap_or_default();
                if whole.korean {
                    format!("{text}\n… (전체 {}부분 중 {number})", pieces.len())
                } else {
                    format!("{text}\n… (part {number} of {} shown)", pieces.len())
                }
            }
        };
        parents.extend(std::iter::repeat_n(text, group.len()));
    }
    parents
}

/// The whole evidence unit, if it is short enough.
fn everything(whole: &Whole, splitter: &Splitter) -> Option<String> {
    let bytes: usize = whole.grid.table.cells.iter().map(|c| c.text.len() + 9).sum();
    if bytes > PARENT_TOKENS * BYTES_PER_TOKEN {
        return None;
    }
    let frame = Frame { caption: whole.caption.clone(), units: whole.units.join(" "), ..splitter.frame().clone() };
    let (html, _) = splitter.everything();
    let mut notes = whole.notes.clone();
    notes.extend(whole.grid.hidden().map(|c| c.text.trim().to_owned()));
    let content = Content { context: (0..whole.context.len()).collect(), html, sentences: Vec::new(), notes };
    let (text, _) = assemble(whole, &frame, &content);
    (Cl100k.count(&text) <= PARENT_TOKENS).then_some(text)
}

/// Neighbouring pieces of the same part whose rows fit into `room` tokens together; others alone.
fn groups(pieces: &[Piece], room: usize) -> Vec<&[Piece]> {
    let mut groups = Vec::new();
    let mut rest = pieces;
    while let Some(first) = rest.first() {
        let mut cost = 0;
        let joins = |piece: &&Piece| match (&first.extent, &piece.extent) {
            (Some(a), Some(b)) => {
                cost += b.cost;
                a.whole_rows && b.whole_rows && a.part == b.part && cost <= room
            }
            _ => false,
        };
        let count = rest.iter().take_while(joins).count().max(1);
        let (group, tail) = rest.split_at(count);
        groups.push(group);
        rest = tail;
    }
    groups
}

/// All rows of a group, if it consists of rows.
fn merged(group: &[Piece]) -> Option<Extent> {
    let mut extent = group.first()?.extent.clone().filter(|e| e.whole_rows)?;
    for piece in group.iter().skip(1) {
        extent.body.extend(piece.extent.iter().flat_map(|e| &e.body));
    }
    Some(extent)
}

/// Says which rows of how many the text shows, 1-based.
fn shown(whole: &Whole, extent: &Extent) -> String {
    let data: Vec<usize> =
        whole.grid.blocks.iter().flat_map(|b| &b.body).copied().filter(|&r| !whole.grid.is_section(r)).collect();
    let number = |row: &usize| data.binary_search(row).ok().map(|at| at + 1);
    let mut numbers = extent.body.iter().filter_map(number);
    let first = numbers.next().unwrap_or(0);
    let last = numbers.next_back().unwrap_or(first);
    if whole.korean {
        format!("… (전체 {}행 중 {first}–{last}행)", data.len())
    } else {
        format!("… (rows {first}–{last} of {} shown)", data.len())
    }
}
