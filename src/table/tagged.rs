//! Tables that the structure tree of a tagged file names: its rows, cells, header cells and spans.
//!
//! [`TaggedTables`] reads the tree once; [`TagTable::draft`] holds one of its tables against the words of a page and gives
//! up where the two do not agree, so that the tables told by rules and white space stand.

use std::collections::HashMap;

use crate::document::{BBox, CellRole};
use crate::pdf::tags::{Kid, Tag};
use crate::pdf::{PageContent, Word};
use crate::table::FoundTable;
use crate::table::grid::{Draft, DraftCell};
use crate::table::structure::{self, MOST_COLUMNS, MOST_PLACES};

/// A tree that leaves more than this share of the words inside a table out of its cells does not know the table.
const MOST_STRAYS: f32 = 0.1;

/// The mark of a note is smaller than this fraction of its text.
const MARK_SIZE: f32 = 0.8;
/// More notes than this at the end of a table stay its rows.
const MOST_NOTES: usize = 32;

/// A cell of the tree: what of it stands on one page.
#[derive(Clone, Debug, Default)]
struct TagCell {
    /// What a header cell heads, `None` for a data cell.
    head: Option<Head>,
    rowspan: usize,
    colspan: usize,
    /// Marked-content identifiers of its words.
    mcids: Vec<u32>,
}

/// What a header cell heads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    Column,
    Row,
    /// The tree does not say.
    Any,
}

/// The rows of a table that stand on one page.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagTable {
    rows: Vec<Vec<TagCell>>,
}

/// The tables of a structure tree, by page.
#[derive(Debug, Default)]
pub(crate) struct TaggedTables(HashMap<u32, Vec<TagTable>>);

impl TaggedTables {
    /// The innermost tables below these elements: one with a table in a cell only lays out the page.
    pub(crate) fn of(tags: &[Tag]) -> Self {
        let mut found = Self::default();
        for tag in tags {
            found.walk(tag);
        }
        found
    }

    /// Those on a page.
    pub(crate) fn on(&self, page: u32) -> &[TagTable] {
        self.0.get(&page).map_or(&[], Vec::as_slice)
    }

    /// Whether there is a table at or below the element.
    fn walk(&mut self, tag: &Tag) -> bool {
        let mut inner = false;
        for kid in &tag.kids {
            if let Kid::Tag(kid) = kid {
                inner |= self.walk(kid);
            }
        }
        if tag.role == "Table" && !inner {
            self.add(tag);
        }
        inner || tag.role == "Table"
    }

    fn add(&mut self, table: &Tag) {
        let mut rows = Vec::new();
        rows_of(table, false, &mut rows);
        let mut last = None;
        for (row, in_head) in rows {
            let cells = || row.kids.iter().filter_map(|k| if let Kid::Tag(cell) = k { Some(cell) } else { None });
            let mut contents: Vec<(&Tag, Vec<(u32, u32)>)> = Vec::new();
            for cell in cells().filter(|c| matches!(c.role.as_str(), "TH" | "TD")) {
                let mut content = Vec::new();
                content_of(cell, &mut content);
                contents.push((cell, content));
            }
            // A row without words stands where the one before it does.
            let first = contents.iter().flat_map(|c| &c.1).map(|(page, _)| *page).min();
            let Some(page) = first.or(last) else { continue };
            let tables = self.0.entry(page).or_default();
            if last != Some(page) {
                tables.push(TagTable::default());
            }
            last = Some(page);
            let cell = |(tag, content): (&Tag, Vec<(u32, u32)>)| TagCell {
                head: head(tag, in_head),
                rowspan: usize::from(tag.row_span.max(1)),
                colspan: usize::from(tag.col_span.max(1)),
                mcids: content.into_iter().filter(|(p, _)| *p == page).map(|(_, mcid)| mcid).collect(),
            };
            if let Some(table) = tables.last_mut() {
                table.rows.push(contents.into_iter().map(cell).collect());
            }
        }
    }
}

/// The rows below an element, each with whether it stands in the table's head.
fn rows_of<'a>(tag: &'a Tag, in_head: bool, out: &mut Vec<(&'a Tag, bool)>) {
    for kid in &tag.kids {
        match kid {
            Kid::Tag(row) if row.role == "TR" => out.push((row, in_head)),
            Kid::Tag(group) if group.role != "Caption" => rows_of(group, in_head || group.role == "THead", out),
            _ => {}
        }
    }
}

/// Page and identifier of all marked content below an element.
fn content_of(tag: &Tag, out: &mut Vec<(u32, u32)>) {
    for kid in &tag.kids {
        match kid {
            Kid::Tag(tag) => content_of(tag, out),
            Kid::Content { page, mcid } => out.push((*page, *mcid)),
        }
    }
}

fn head(cell: &Tag, in_head: bool) -> Option<Head> {
    match cell.scope.as_deref() {
        _ if cell.role != "TH" && !in_head => None,
        Some("Row") => Some(Head::Row),
        Some("Column") => Some(Head::Column),
        _ if in_head => Some(Head::Column),
        _ => Some(Head::Any),
    }
}

/// A cell of the tree at its place, with its words.
struct Placed<'a> {
    tag: &'a TagCell,
    row: usize,
    col: usize,
    rowspan: usize,
    words: Vec<usize>,
    bbox: Option<BBox>,
}

impl TagTable {
    /// The table as a grid over the words of a page; `None` where the rows do not fill a grid, where the words of the cells
    /// do not stand in its order, or where the tree leaves words inside it out.
    pub(crate) fn draft(&self, page: &PageContent, words: &[usize]) -> Option<Draft> {
        let mut by_mcid: HashMap<u32, Vec<usize>> = HashMap::new();
        for &index in words {
            if let Some(mcid) = page.words.get(index).filter(|w| !w.artifact).and_then(|w| w.mcid) {
                by_mcid.entry(mcid).or_default().push(index);
            }
        }
        let (mut cells, cols) = self.placed()?;
        for cell in &mut cells {
            cell.words = cell.tag.mcids.iter().filter_map(|m| by_mcid.get(m)).flatten().copied().collect();
            cell.bbox = BBox::union_all(cell.words.iter().filter_map(|&w| page.words.get(w)).map(|w| &w.bbox));
        }
        if !are_in_order(&cells) {
            return None;
        }
        let x = |b: &BBox| (b.x0, b.x1);
        let y = |b: &BBox| (b.y0, b.y1);
        let xs = edges(cols, cells.iter().filter(|c| c.tag.colspan == 1).filter_map(|c| Some((c.col, x(&c.bbox?)))))?;
        let ys =
            edges(self.rows.len(), cells.iter().filter(|c| c.rowspan == 1).filter_map(|c| Some((c.row, y(&c.bbox?)))))?;
        let mut draft = Draft { xs, ys, cells: Vec::new(), header_hint: self.header_rows() };
        let roles =
            Roles { header: draft.header_hint, cols, alike: self.rows.iter().flatten().all(|c| c.head.is_some()) };
        draft.cells = cells.into_iter().map(|c| roles.draft_cell(c)).collect();
        draft.fill();
        take_strays(page, words, &mut draft)?;
        drop_notes(page, &mut draft);
        structure::shade(page, &mut draft);
        Some(draft)
    }

    /// The cells at their places, as browsers put those of HTML, and the number of columns; `None` where rows differ in width.
    fn placed(&self) -> Option<(Vec<Placed<'_>>, usize)> {
        let rows = self.rows.len();
        let cols: usize = self.rows.first()?.iter().map(|c| c.colspan).sum();
        if rows < 2 || !(2..=MOST_COLUMNS).contains(&cols) || rows.checked_mul(cols)? > MOST_PLACES {
            return None;
        }
        // For every column the row from which on it is free.
        let mut free_from = vec![0usize; cols];
        let mut out = Vec::new();
        for (row, line) in self.rows.iter().enumerate() {
            let mut col = 0;
            let taken = |free_from: &[usize], col: usize| free_from.get(col).is_some_and(|from| *from > row);
            for tag in line {
                while taken(&free_from, col) {
                    col += 1;
                }
                let rowspan = tag.rowspan.min(rows - row);
                let places = free_from.get_mut(col..col + tag.colspan)?;
                if places.iter().any(|from| *from > row) {
                    return None;
                }
                places.fill(row + rowspan);
                out.push(Placed { tag, row, col, rowspan, words: Vec::new(), bbox: None });
                col += tag.colspan;
            }
            if free_from.iter().any(|from| *from <= row) {
                return None;
            }
        }
        Some((out, cols))
    }

    /// Number of leading rows of header cells, none of which names its row.
    fn header_rows(&self) -> usize {
        let heads = |row: &&Vec<TagCell>| {
            let named = |c: &&TagCell| !c.mcids.is_empty();
            row.iter().any(|c| c.head.is_some())
                && row.iter().filter(named).all(|c| matches!(c.head, Some(Head::Column | Head::Any)))
        };
        let rows = self.rows.iter().take_while(heads).count();
        let is_section = |row: usize| self.rows.get(row).is_some_and(|r| matches!(r.as_slice(), [c] if c.colspan > 1));
        let rows = (1..=rows).rev().find(|n| *n == 1 || !is_section(n - 1)).unwrap_or(0);
        // Where all are header cells, the tree does not tell them apart.
        if rows < self.rows.len() { rows } else { 0 }
    }
}

/// What the roles of a table's cells go by.
struct Roles {
    /// Number of header rows.
    header: usize,
    cols: usize,
    /// Whether all cells are header cells, so that the tree does not tell them apart.
    alike: bool,
}

impl Roles {
    fn draft_cell(&self, cell: Placed<'_>) -> DraftCell {
        let role = match cell.tag.head {
            _ if self.alike => None,
            Some(_) if cell.row < self.header => Some(CellRole::ColumnHeader),
            Some(_) if cell.tag.colspan == self.cols => Some(CellRole::Section),
            Some(Head::Column) => Some(CellRole::ColumnHeader),
            Some(_) => Some(CellRole::RowHeader),
            None => None,
        };
        DraftCell {
            row: cell.row,
            col: cell.col,
            rowspan: cell.rowspan,
            colspan: cell.tag.colspan,
            words: cell.words,
            role,
            ..DraftCell::default()
        }
    }
}

/// Whether the cells of each row follow each other to the right, and those of each column downwards, by their middles.
fn are_in_order(cells: &[Placed<'_>]) -> bool {
    let single = |c: &&Placed<'_>| c.rowspan == 1 && c.tag.colspan == 1;
    let mut across: HashMap<usize, f32> = HashMap::new();
    let mut down: HashMap<usize, f32> = HashMap::new();
    // Cells come in the order of their rows, and of their columns within a row.
    cells.iter().filter(single).filter_map(|c| Some((c, c.bbox?))).all(|(cell, bbox)| {
        let (x, y) = (bbox.center_x(), bbox.center_y());
        across.insert(cell.row, x).is_none_or(|before| before < x)
            && down.insert(cell.col, y).is_none_or(|before| before < y)
    })
}

/// Edges of lines halfway between the extents of their cells, ascending; `None` where there are no cells. A line without
/// cells of its own has no width.
fn edges(lines: usize, extents: impl Iterator<Item = (usize, (f32, f32))>) -> Option<Vec<f32>> {
    let mut spans: Vec<Option<(f32, f32)>> = vec![None; lines];
    for (line, (from, to)) in extents {
        let span = spans.get_mut(line)?;
        *span = Some(span.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
    }
    let mut end = spans.iter().flatten().next()?.0;
    let mut out = vec![end];
    for pair in spans.windows(2) {
        let [above, below] = pair else { continue };
        end = above.map_or(end, |span| span.1);
        let at = below.map_or(end, |span| (end + span.0) / 2.0);
        out.push(out.last().map_or(at, |last| at.max(*last)));
    }
    let bottom = spans.last().copied().flatten().map_or(end, |span| span.1);
    out.push(out.last().map_or(bottom, |last| bottom.max(*last)));
    Some(out)
}

/// Gives the words inside the table that the tree leaves out to the cells around them; `None` where they are too many.
fn take_strays(page: &PageContent, words: &[usize], draft: &mut Draft) -> Option<()> {
    let area = draft.bbox();
    let mut own: Vec<usize> = draft.cells.iter().flat_map(|c| c.words.iter().copied()).collect();
    own.sort_unstable();
    let inside = |w: &Word| area.contains_point(w.bbox.center_x(), w.bbox.center_y());
    let strays: Vec<usize> = words
        .iter()
        .copied()
        .filter(|w| own.binary_search(w).is_err() && page.words.get(*w).is_some_and(inside))
        .collect();
    if own.is_empty() || strays.len() as f32 > MOST_STRAYS * own.len() as f32 {
        return None;
    }
    for index in strays {
        let center = page.words.get(index).map(|w| (w.bbox.center_x(), w.bbox.center_y()))?;
        let cell = draft.cells.iter_mut().find(|c| c.bbox.contains_point(center.0, center.1))?;
        cell.words.push(index);
    }
    Some(())
}

/// Cuts off rows at the end that are one cell with the mark of a note.
fn drop_notes(page: &PageContent, draft: &mut Draft) {
    let is_note = |cell: &DraftCell| {
        let mut sizes = cell.words.iter().filter_map(|&w| page.words.get(w)).map(|w| w.size);
        sizes.next().zip(sizes.next()).is_some_and(|(mark, text)| mark < MARK_SIZE * text)
    };
    for _ in 0..MOST_NOTES {
        let Some(last) = draft.rows().checked_sub(1) else { return };
        if !draft.cells.iter().any(|c| c.row == last && c.colspan == draft.cols() && is_note(c)) {
            return;
        }
        draft.keep_rows(0, last);
    }
}

/// Puts a table of the tree among those told by rules. One of the same shape keeps its boxes and takes the roles of the
/// tree; others that share the area give way.
pub(crate) fn settle(found: &mut Vec<FoundTable>, tagged: FoundTable) {
    let overlaps = |t: &FoundTable| t.bbox.overlap_x(&tagged.bbox) > 0.0 && t.bbox.overlap_y(&tagged.bbox) > 0.0;
    let shape = |t: &FoundTable| (t.table.rows, t.table.cols);
    let mut twins = found.iter_mut().filter(|t| overlaps(t));
    match (twins.next(), twins.next()) {
        (Some(twin), None) if shape(twin) == shape(&tagged) => {
            for cell in &mut twin.table.cells {
                if let Some(named) = tagged.table.cells.iter().find(|c| (c.row, c.col) == (cell.row, cell.col)) {
                    cell.role = named.role;
                }
            }
        }
        _ => {
            found.retain(|t| !overlaps(t));
            found.push(tagged);
        }
    }
}
