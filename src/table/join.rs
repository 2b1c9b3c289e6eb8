//! Tables that go on over a page break become one.

use crate::document::{CellRole, Table};
use crate::table::{FoundTable, headers};

/// A table that goes on ends within this fraction of the page height above the bottom, and starts as near the top.
const EDGE_ZONE: f32 = 0.3;
/// Column edges of the parts differ by at most this fraction of the table's width.
const EDGE_SHIFT: f32 = 0.03;

/// Edges of columns that are drawn anew on the next page are the same up to this many points.
const SAME_EDGE: f32 = 2.0;

/// From this many different names on that start both tables, the second one is a new form and no continuation.
const SAME_NAMES: usize = 2;

/// A table with the page that it stands on.
#[derive(Clone, Debug)]
pub struct PagedTable {
    /// 1-based page.
    pub page: u32,
    /// Height of that page in points.
    pub page_height: f32,
    /// The table.
    pub found: FoundTable,
}

/// Joins each table at the bottom of a page or column with its continuation at the top of the next one.
///
/// `tables` are in reading order. `adjacent(a, b)` says whether nothing but running heads, running feet and marks of
/// continuation ("continued", "(계속)") stands between the tables at these indices; it is asked only for pairs whose columns
/// agree. Returns, for every resulting table, the indices of its parts in `tables` and the joined table; a header that is
/// repeated on the next page is left out there. Rows keep the pages and boxes of their own cells.
pub fn join_across_pages(tables: &[PagedTable], adjacent: &dyn Fn(usize, usize) -> bool) -> Vec<(Vec<usize>, Table)> {
    let mut out: Vec<(Vec<usize>, Table)> = Vec::new();
    let mut before: Option<usize> = None;
    for (index, here) in tables.iter().enumerate() {
        let goes_on =
            before.is_some_and(|b| tables.get(b).is_some_and(|last| could_follow(last, here)) && adjacent(b, index));
        match out.last_mut() {
            Some((parts, table)) if goes_on => {
                append(table, &here.found.table);
                parts.push(index);
            }
            _ => out.push((vec![index], here.found.table.clone())),
        }
        before = Some(index);
    }
    out
}

/// Whether position and columns allow that `next` continues `last`: on the next page, or in the next column of text.
fn could_follow(last: &PagedTable, next: &PagedTable) -> bool {
    let (a, b) = (&last.found, &next.found);
    (next.page == last.page + 1 || next.page == last.page && b.bbox.x0 >= a.bbox.x1)
        && a.table.cols == b.table.cols
        && (next.page > last.page && repeats_header(&a.table, &b.table)
            || same_columns(a, b)
                && ends_page(&last.found, last.page_height)
                && b.bbox.y0 <= EDGE_ZONE * next.page_height)
        && !is_another(&a.table, &b.table)
        && (repeats_header(&a.table, &b.table) || !headers::names_columns(&b.table))
}

/// Whether a table reaches so far down that it may go on on the next page.
pub(crate) fn ends_page(table: &FoundTable, page_height: f32) -> bool {
    table.bbox.y1 >= (1.0 - EDGE_ZONE) * page_height
}

/// Whether ruled rows continue a ruled table of the page before: they are drawn with the very same columns.
pub(crate) fn is_rest(before: &PagedTable, rest: &PagedTable) -> bool {
    let (a, b) = (&before.found, &rest.found);
    let edge = |t: &FoundTable, col: usize| left_edge(&t.table, col).map(|x| x - t.bbox.x0);
    let same = |x: f32, y: f32| (x - y).abs() <= SAME_EDGE;
    could_follow(before, rest)
        && same(a.bbox.width(), b.bbox.width())
        && (1..a.table.cols).all(|c| edge(a, c).zip(edge(b, c)).is_some_and(|(x, y)| same(x, y)))
}

/// Whether the second table asks for the same things anew: its first rows have the names of the first table's first rows
/// beside other values. A repeated header is alike in all columns.
fn is_another(a: &Table, b: &Table) -> bool {
    let row = |t: &Table, r: usize| -> Vec<String> {
        t.cells.iter().filter(|c| c.row == r).map(|c| squash(&c.text)).collect()
    };
    let mut names: Vec<String> = Vec::new();
    for (left, right) in (0..a.rows.min(b.rows)).map(|r| (row(a, r), row(b, r))) {
        match (left.first(), right.first()) {
            (Some(x), Some(y)) if x == y && !x.is_empty() => {
                if left != right && !names.contains(x) {
                    names.push(x.clone());
                }
            }
            _ => break,
        }
    }
    names.len() >= SAME_NAMES
}

fn same_columns(a: &FoundTable, b: &FoundTable) -> bool {
    let tolerance = EDGE_SHIFT * a.bbox.width().max(b.bbox.width());
    // Continuations may be set off to the side on facing pages: edges are compared from the left edge on.
    let shift = b.bbox.x0 - a.bbox.x0;
    (a.bbox.width() - b.bbox.width()).abs() <= 2.0 * tolerance
        && (1..a.table.cols).all(|col| match (left_edge(&a.table, col), left_edge(&b.table, col)) {
            (Some(x), Some(y)) => (y - shift - x).abs() <= 2.0 * tolerance,
            _ => true,
        })
}

fn left_edge(table: &Table, col: usize) -> Option<f32> {
    table.cells.iter().find(|c| c.col == col).and_then(|c| c.bbox).map(|b| b.x0)
}

/// Whether `next` starts with the whole header of `table`: then it continues it wherever the pages
/// end, and however wide the texts of its columns are there.
fn repeats_header(table: &Table, next: &Table) -> bool {
    let header = table.header_rows();
    header > 0 && header < next.rows && (0..header).all(|r| squashed_row(table, r) == squashed_row(next, r))
}

/// Place, width and text of the cells that start in a row.
fn squashed_row(table: &Table, row: usize) -> Vec<(usize, usize, String)> {
    table.cells.iter().filter(|c| c.row == row).map(|c| (c.col, c.colspan, squash(&c.text))).collect()
}

/// Adds the rows of `next` below those of `table`, without a header that repeats the table's own.
fn append(table: &mut Table, next: &Table) {
    let skip = if repeats_header(table, next) { table.header_rows() } else { 0 };
    let offset = table.rows;
    for cell in next.cells.iter().filter(|c| c.row + c.rowspan > skip) {
        let mut cell = cell.clone();
        let cut = skip.saturating_sub(cell.row);
        cell.rowspan -= cut;
        cell.row = offset + (cell.row + cut) - skip;
        // The first row of a part without a header of its own was taken for one.
        if skip == 0 && cell.role == CellRole::ColumnHeader {
            cell.role = CellRole::Data;
        }
        table.cells.push(cell);
    }
    table.rows += next.rows - skip;
}

fn squash(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
}
