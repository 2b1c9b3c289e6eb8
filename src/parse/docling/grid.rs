//! Table cells as a grid in which every place is covered by exactly one cell.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use unicode_normalization::UnicodeNormalization;

use crate::document::{BBox, Cell, CellRole, Table};

/// Most places of a grid: 64 MB while a table is read. One with more has a broken offset or span.
const MAX_PLACES: usize = 4_000_000;

/// A cell as the file gives it; ends are exclusive.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Draft {
    pub(super) rows: (usize, usize),
    pub(super) cols: (usize, usize),
    pub(super) text: String,
    pub(super) role: CellRole,
    pub(super) page: Option<u32>,
    pub(super) bbox: Option<BBox>,
}

/// Makes a table of its cells, in any order: cells at the same place become one, spans end where another cell begins,
/// and places without a cell get an empty one. The cells back where that would take too many places (see [`lines`]).
pub(super) fn table(drafts: Vec<Draft>) -> Result<Table, Vec<Draft>> {
    let rows = drafts.iter().map(|d| d.rows.1.max(d.rows.0.saturating_add(1))).max().unwrap_or(0);
    let cols = drafts.iter().map(|d| d.cols.1.max(d.cols.0.saturating_add(1))).max().unwrap_or(0);
    let Some(places) = rows.checked_mul(cols).filter(|n| *n <= MAX_PLACES) else { return Err(drafts) };
    let mut starts: BTreeMap<(usize, usize), Draft> = BTreeMap::new();
    for draft in drafts {
        match starts.entry((draft.rows.0, draft.cols.0)) {
            Entry::Vacant(free) => {
                free.insert(draft);
            }
            Entry::Occupied(mut first) => {
                let text = &mut first.get_mut().text;
                if !text.is_empty() && !draft.text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&draft.text);
            }
        }
    }
    let mut taken = vec![false; places];
    let at = |row: usize, col: usize| row * cols + col;
    for &(row, col) in starts.keys() {
        take(&mut taken, at(row, col));
    }
    let mut cells = Vec::with_capacity(starts.len());
    for ((row, col), draft) in starts {
        let free = |taken: &[bool], row, col| taken.get(at(row, col)) == Some(&false);
        let right = (col + 1..draft.cols.1.min(cols)).take_while(|&c| free(&taken, row, c)).count();
        let width = col..col + 1 + right;
        let whole = |taken: &[bool], row| width.clone().all(|c| free(taken, row, c));
        let below = (row + 1..draft.rows.1.min(rows)).take_while(|&r| whole(&taken, r)).count();
        for r in row..=row + below {
            width.clone().for_each(|c| take(&mut taken, at(r, c)));
        }
        let (rowspan, colspan) = (below + 1, right + 1);
        let Draft { text, role, page, bbox, .. } = draft;
        cells.push(Cell { row, col, rowspan, colspan, text, role, page, bbox });
    }
    for (place, _) in taken.iter().enumerate().filter(|(_, taken)| !**taken) {
        let (row, col) = (place / cols.max(1), place % cols.max(1));
        cells.push(Cell { row, col, rowspan: 1, colspan: 1, ..Cell::default() });
    }
    cells.sort_by_key(|c| (c.row, c.col));
    settle_roles(&mut cells);
    Ok(Table { rows, cols, cells, ..Table::default() })
}

fn take(taken: &mut [bool], place: usize) {
    if let Some(taken) = taken.get_mut(place) {
        *taken = true;
    }
}

/// A corner among column headers is one of them; a section that shares its row with values only names that row.
fn settle_roles(cells: &mut [Cell]) {
    for row in cells.chunk_by_mut(|a, b| a.row == b.row) {
        let filled = row.iter().filter(|c| !c.text.is_empty());
        let others = filled.clone().filter(|c| c.col > 0);
        let header = others.clone().count() > 0 && others.clone().all(|c| c.role == CellRole::ColumnHeader);
        let alone = filled.count() <= 1;
        for cell in row {
            if header && cell.col == 0 && !cell.text.is_empty() {
                cell.role = CellRole::ColumnHeader;
            } else if cell.role == CellRole::Section && !alone {
                cell.role = if cell.col == 0 { CellRole::RowHeader } else { CellRole::Data };
            }
        }
    }
}

/// The cells' texts row by row, joined by ` | `, each row once.
pub(super) fn lines(mut drafts: Vec<Draft>) -> Vec<String> {
    drafts.sort_by_key(|d| (d.rows.0, d.cols.0));
    let rows = drafts.chunk_by(|a, b| a.rows.0 == b.rows.0);
    let row = |row: &[Draft]| {
        let texts: Vec<&str> = row.iter().map(|d| d.text.as_str()).filter(|t| !t.is_empty()).collect();
        texts.join(" | ")
    };
    rows.map(row).filter(|line| !line.is_empty()).collect()
}

/// A cell's text: NFC, lines joined by a space.
pub(super) fn clean(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(rows: (usize, usize), cols: (usize, usize), text: &str, role: CellRole) -> Draft {
        Draft { rows, cols, text: text.into(), role, ..Draft::default() }
    }

    fn data(rows: (usize, usize), cols: (usize, usize), text: &str) -> Draft {
        draft(rows, cols, text, CellRole::Data)
    }

    /// Row, column, spans and text of every cell.
    fn shape(table: &Table) -> Vec<(usize, usize, usize, usize, &str)> {
        table.cells.iter().map(|c| (c.row, c.col, c.rowspan, c.colspan, c.text.as_str())).collect()
    }

    #[test]
    fn overlapping_spans_are_cut_and_holes_filled() {
        let table = table(vec![
            data((1, 2), (1, 2), "c"),
            data((0, 2), (0, 3), "a"),
            data((0, 1), (0, 1), "b"),
            data((2, 3), (2, 3), "d"),
        ])
        .unwrap();
        assert_eq!((table.rows, table.cols), (3, 3));
        let expected = [
            (0, 0, 1, 3, "a b"),
            (1, 0, 1, 1, ""),
            (1, 1, 1, 1, "c"),
            (1, 2, 1, 1, ""),
            (2, 0, 1, 1, ""),
            (2, 1, 1, 1, ""),
            (2, 2, 1, 1, "d"),
        ];
        assert_eq!(shape(&table), expected);
    }

    #[test]
    fn corners_are_headers_and_sections_stand_alone() {
        use CellRole::{ColumnHeader, Data, RowHeader, Section};
        let table = table(vec![
            data((0, 1), (0, 1), "User action"),
            draft((0, 1), (1, 2), "2024", ColumnHeader),
            draft((1, 2), (0, 2), "Assets", Section),
            draft((2, 3), (0, 1), "Cash", Section),
            data((2, 3), (1, 2), "5"),
        ])
        .unwrap();
        let roles: Vec<CellRole> = table.cells.iter().map(|c| c.role).collect();
        assert_eq!(roles, [ColumnHeader, ColumnHeader, Section, RowHeader, Data]);
    }

    #[test]
    fn a_hostile_offset_takes_no_memory() {
        let far = vec![data((usize::MAX, usize::MAX), (0, 1), "far"), data((0, 1), (0, usize::MAX), "wide")];
        assert_eq!(table(far.clone()), Err(far.clone()));
        assert_eq!(lines(far), ["wide", "far"]);
    }
}
