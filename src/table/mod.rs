//! Tables on a page: found by rules or by alignment, judged, and given text, spans and roles.
//!
//! [`find`] reads one page; [`join_across_pages`] puts tables together that a page break has cut.

mod aligned;
mod backdrop;
mod boxes;
mod charts;
mod columns;
mod drawing;
mod forms;
mod grid;
mod headers;
mod join;
mod judge;
mod lattice;
mod listing;
mod orient;
mod refine;
mod rows;
mod ruled;
mod rules;
mod shading;
mod single;
mod spaced;
mod spanners;
mod spread;
mod stacks;
mod structure;
mod tagged;
#[cfg(test)]
mod tests;
mod text;
mod turned;
mod wrapped;

pub use grid::CellLine;
pub use join::{PagedTable, join_across_pages};
pub(crate) use tagged::{TagTable, TaggedTables};
pub(crate) use text::ends_with_space;

use std::collections::HashSet;

use crate::document::{BBox, Table};
use crate::pdf::{PageContent, Word};
use grid::Draft;
use rules::{Rules, Seg};
use text::Line;

/// Most words of a page that are looked at; more are a page of noise.
const MOST_WORDS: usize = 50_000;

/// What covers more than this share of something covers most of it.
pub(crate) const MAJORITY: f32 = 0.5;

/// Confidence in a table of one column: its caption says so.
const SINGLE_CONFIDENCE: f32 = 0.7;

/// Confidence in a row of shaded labels, each with its value: nothing else alternates so.
const STRIP_CONFIDENCE: f32 = 0.8;

/// Rules of the smallest grid: four sides and the line between two columns.
const FEWEST_RULES: usize = 5;

/// Confidence in rows that continue a table of the page before: their columns are the same.
const REST_CONFIDENCE: f32 = 0.8;

/// How a table was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By a grid of rules or shading.
    Ruled,
    /// By the alignment of its text, with or without rules across.
    Aligned,
    /// By the structure tree of a tagged file.
    Tagged,
}

/// A table on one page.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTable {
    /// Its box in points, top-left origin.
    pub bbox: BBox,
    /// The grid with texts, roles, boxes and page numbers.
    pub table: Table,
    /// For every cell the lines of its text.
    pub lines: Vec<Vec<CellLine>>,
    /// Indices into [`PageContent::words`] of the words in its cells, and of strokes that draw its rules, ascending.
    pub words: Vec<usize>,
    /// How it was recognised.
    pub kind: Kind,
    /// 0 to 1: how sure it is that this is a table.
    pub confidence: f32,
}

impl FoundTable {
    /// Joins the texts of the cells anew, without a space where `same_word` says that a word goes on in the next line.
    pub fn join_lines(&mut self, same_word: &dyn Fn(&CellLine, &CellLine) -> bool) {
        for (cell, lines) in self.table.cells.iter_mut().zip(&self.lines).filter(|(_, l)| l.len() > 1) {
            let goes_on = |i: usize, line: &CellLine| {
                i.checked_sub(1).and_then(|i| lines.get(i)).is_some_and(|before| same_word(before, line))
            };
            cell.text = grid::join_lines(lines.iter().enumerate().map(|(i, l)| (l.text.clone(), goes_on(i, l))));
        }
    }
}

/// The tables of a page, top to bottom, none overlapping another.
pub fn find(page: &PageContent) -> Vec<FoundTable> {
    find_tagged(page, &[])
}

/// The same on a page of which the file's structure tree names tables.
pub(crate) fn find_tagged(page: &PageContent, tags: &[TagTable]) -> Vec<FoundTable> {
    let Some((turned, turn)) = orient::turned(page) else { return find_upright(page, tags) };
    let mut found = find_upright(&turned, tags);
    for table in &mut found {
        table.bbox = turn.undo(&table.bbox);
        for bbox in table.table.cells.iter_mut().filter_map(|c| c.bbox.as_mut()) {
            *bbox = turn.undo(bbox);
        }
    }
    found
}

/// The last rows of a table that goes on from the page before: they alone, one or two, look like no table, but have the
/// columns of `before`, which stands on a page of this number and height. Both pages stand upright.
pub(crate) fn find_rest(
    page: &PageContent,
    before: &FoundTable,
    before_page: u32,
    before_height: f32,
) -> Option<FoundTable> {
    let may_go_on = before.kind == Kind::Ruled && join::ends_page(before, before_height);
    if !may_go_on || page.rules.len() < FEWEST_RULES {
        return None;
    }
    let draft = ruled::rows_at_top(page, &rules::collect(page), &upright_words(page))?;
    let found = finish(page, draft, Kind::Ruled, &|_, _| Some(REST_CONFIDENCE))?;
    let next = PagedTable { page: page.number, page_height: page.height, found };
    let before = PagedTable { page: before_page, page_height: before_height, found: before.clone() };
    join::is_rest(&before, &next).then_some(next.found)
}

/// Indices of the level words of sound size, in the order of the file.
fn upright_words(page: &PageContent) -> Vec<usize> {
    let upright = |w: &Word| {
        let b = w.bbox;
        w.angle == 0 && !w.text.is_empty() && [b.x0, b.y0, b.x1, b.y1, w.baseline, w.size].iter().all(|v| v.is_finite())
    };
    page.words.iter().enumerate().filter(|(_, w)| upright(w)).map(|(i, _)| i).take(MOST_WORDS).collect()
}

fn find_upright(page: &PageContent, tags: &[TagTable]) -> Vec<FoundTable> {
    let mut rules = rules::collect(page);
    let mut words = upright_words(page);
    let drawn = text::drawn_rules(&page.words, &words);
    rules.horizontal.extend(drawn.iter().map(|l| Seg { at: l.bbox.center_y(), from: l.bbox.x0, to: l.bbox.x1 }));
    rules.horizontal.sort_by(|a, b| a.at.total_cmp(&b.at));
    let strokes: HashSet<usize> = drawn.iter().flat_map(Line::words).collect();
    words.retain(|w| !strokes.contains(w));
    let mut found: Vec<FoundTable> = Vec::new();
    let axes = charts::axes(page, &words);
    let is_chart = |draft: &Draft| axes.iter().any(|a| a.is_in(page, draft));
    for draft in ruled::find(page, &rules, &words).into_iter().filter(|d| !is_chart(d) && !drawing::is_in(page, d)) {
        found.extend(finish(page, draft, Kind::Ruled, &|table, draft| match forms::is_strip(draft) {
            true => Some(STRIP_CONFIDENCE),
            false => judge::ruled(table),
        }));
    }
    for draft in tags.iter().filter_map(|t| t.draft(page, &words)) {
        if let Some(table) = finish(page, draft, Kind::Tagged, &judge::tagged) {
            tagged::settle(&mut found, table);
        }
    }
    let inside = |found: &[FoundTable], w: usize| {
        let center = page.words.get(w).map(|w| (w.bbox.center_x(), w.bbox.center_y()));
        center.is_some_and(|(x, y)| found.iter().any(|t| t.bbox.contains_point(x, y)))
    };
    let free: Vec<usize> = words.into_iter().filter(|&w| !inside(&found, w)).collect();
    let bridged = Rules { horizontal: rules::bridge(&rules.horizontal), vertical: rules.vertical.clone() };
    let add = |found: &mut Vec<FoundTable>, drafts: Vec<Draft>, judge: &Judge| {
        let drafts = drafts.into_iter().filter(|d| !is_chart(d) && !listing::is_in(page, d));
        for table in drafts.filter_map(|d| finish(page, d, Kind::Aligned, judge)) {
            let overlaps = |t: &FoundTable| t.bbox.overlap_x(&table.bbox) > 0.0 && t.bbox.overlap_y(&table.bbox) > 0.0;
            if !found.iter().any(overlaps) {
                found.push(table);
            }
        }
    };
    for side in spread::sides(page, free) {
        let field = aligned::Field::new(page, &bridged, &side);
        add(&mut found, field.bounded(), &|table, draft| judge::aligned(table, draft, true));
        add(&mut found, field.single(), &|_, _| Some(SINGLE_CONFIDENCE));
        add(&mut found, field.backed(), &|table, draft| judge::aligned(table, draft, true));
        let used: Vec<BBox> = found.iter().map(|t| t.bbox).collect();
        add(&mut found, field.open(&used), &|table, draft| judge::aligned(table, draft, false));
    }
    for table in &mut found {
        let within = |l: &&Line| table.bbox.overlap_y(&l.bbox) > 0.0 && table.bbox.overlap_x(&l.bbox) > 0.0;
        table.words.extend(drawn.iter().filter(within).flat_map(Line::words));
        table.words.sort_unstable();
    }
    found.sort_by(|a, b| a.bbox.y0.total_cmp(&b.bbox.y0).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    found
}

/// Confidence in a table, 0 to 1; `None` where it is none.
type Judge<'a> = dyn Fn(&Table, &Draft) -> Option<f32> + 'a;

/// Trims, judges and labels a draft.
fn finish(page: &PageContent, mut draft: Draft, kind: Kind, judge: &Judge) -> Option<FoundTable> {
    judge::trim(&mut draft, &|words| grid::cell_text(&page.words, words));
    draft.drop_empty_lines();
    let (mut table, lines) = draft.to_table(page);
    let confidence = judge(&table, &draft)?;
    headers::assign(&mut table, &draft, page);
    headers::take_given(&mut table, &draft);
    let mut words: Vec<usize> = draft.cells.iter().flat_map(|c| c.words.iter().copied()).collect();
    words.sort_unstable();
    words.dedup();
    Some(FoundTable { bbox: draft.bbox(), table, lines, words, kind, confidence })
}
