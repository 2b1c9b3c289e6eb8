//! Forms: grids in which labels stand beside what is filled in, without names above the columns.

use std::collections::HashSet;

use crate::document::{CellRole, Table};
use crate::table::grid::{Draft, DraftCell};

/// A form shades at least this many labels.
const FEWEST_LABELS: usize = 4;
/// And at most this share of its cells: a table shades its header, or stripes.
const MOST_SHADED: f32 = 0.75;

/// Labels of a form that is one row, at least.
const STRIP_LABELS: usize = 2;

/// Whether a grid is one row of shaded labels, each before a value that is not.
pub(crate) fn is_strip(draft: &Draft) -> bool {
    let mut cells: Vec<&DraftCell> = draft.cells.iter().collect();
    cells.sort_by_key(|c| c.col);
    draft.rows() == 1
        && cells.len() >= 2 * STRIP_LABELS
        && cells.len().is_multiple_of(2)
        && cells.iter().all(|c| !c.words.is_empty())
        && cells.iter().enumerate().all(|(i, c)| c.shaded == i.is_multiple_of(2))
}

/// Sets the roles of a form: shaded cells are labels. `false` where the table is none.
///
/// In a form labels and values alternate along a row: some row has a shaded cell right of an unshaded one, and the first row
/// holds both, as most others do.
pub(crate) fn assign(table: &mut Table, draft: &Draft) -> bool {
    let strip = is_strip(draft);
    let shaded: HashSet<(usize, usize)> = draft.cells.iter().filter(|c| c.shaded).map(|c| (c.row, c.col)).collect();
    let marks: Vec<bool> = table.cells.iter().map(|c| shaded.contains(&(c.row, c.col))).collect();
    let filled = table.cells.iter().zip(&marks).filter(|(c, _)| !c.text.is_empty());
    let (all, labels) = filled.fold((0usize, 0usize), |(n, k), (_, mark)| (n + 1, k + usize::from(*mark)));
    if !strip && (table.rows < 2 || labels < FEWEST_LABELS || labels as f32 > MOST_SHADED * all as f32) {
        return false;
    }
    let row = |row: usize| table.cells.iter().zip(&marks).filter(move |(c, _)| c.row <= row && row < c.row + c.rowspan);
    let alternates = |r: usize| {
        let mut open = false;
        row(r).any(|(c, &mark)| {
            let label_after_value = open && mark;
            // An empty corner is no value: what follows it are the names of columns.
            open |= !mark && (c.col > 0 || !c.text.is_empty());
            label_after_value
        })
    };
    let mixed = |r: usize| row(r).any(|(_, m)| *m) && row(r).any(|(_, m)| !*m);
    let form = strip
        || mixed(0)
            && (0..table.rows).any(alternates)
            && (0..table.rows).filter(|&r| mixed(r)).count() * 4 >= table.rows * 3;
    if form {
        for (cell, label) in table.cells.iter_mut().zip(marks) {
            cell.role = if label { CellRole::RowHeader } else { CellRole::Data };
        }
    }
    form
}
