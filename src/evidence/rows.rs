//! Table rows as sentences: `row header | column header: value | …`, each understandable by itself.

use super::grid::{Block, Grid};
use crate::document::{Cell, Table};

/// Stands between the levels of a header.
const LEVELS: &str = " / ";
/// Stands between the parts of a sentence.
const PARTS: &str = " | ";

/// Writes the rows of one table (or a part of its columns) as sentences.
pub(crate) struct Sentences<'g, 'a> {
    grid: &'g Grid<'a>,
    /// Text of the header over each column, levels joined.
    paths: Vec<String>,
}

impl<'g, 'a> Sentences<'g, 'a> {
    /// Prepares the sentences of a block. `label` gives the text of a header cell by its index.
    pub(crate) fn new(grid: &'g Grid<'a>, block: &Block, label: impl Fn(usize) -> String) -> Self {
        let paths = (0..grid.table.cols).map(|col| {
            let mut levels: Vec<String> = Vec::new();
            for &row in &block.header {
                let Some((index, cell)) = grid.cell(row, col) else { continue };
                // A title over all columns tells none from another.
                if is_title(grid, cell) {
                    continue;
                }
                let text = label(index);
                if !text.trim().is_empty() && levels.last() != Some(&text) {
                    levels.push(text);
                }
            }
            levels.join(LEVELS)
        });
        let paths = paths.collect();
        Self { grid, paths }
    }

    /// Titles of the block: headers over all columns.
    pub(crate) fn titles(grid: &Grid, block: &Block, label: impl Fn(usize) -> String) -> Vec<String> {
        let cells = block.header.iter().filter_map(|&row| grid.cell(row, 0));
        cells
            .filter(|(_, c)| is_title(grid, c))
            .map(|(index, _)| label(index))
            .filter(|t| !t.trim().is_empty())
            .collect()
    }

    /// Headers of the columns in order, each once; empty ones left out.
    pub(crate) fn columns(&self) -> Vec<&str> {
        let mut columns: Vec<&str> = Vec::new();
        for path in self.paths.iter().filter(|p| !p.is_empty()) {
            if columns.last() != Some(&path.as_str()) {
                columns.push(path);
            }
        }
        columns
    }

    /// The sentence of a row over the columns `cols`; empty where it has nothing to say. `text` gives a cell's text by
    /// its index, the row it is read in, and whether it serves as a label there.
    pub(crate) fn sentence(
        &self,
        row: usize,
        cols: &[usize],
        mut text: impl FnMut(usize, usize, bool) -> String,
    ) -> String {
        let grid = self.grid;
        if grid.is_section(row) {
            return grid
                .row(row)
                .iter()
                .map(|(i, _)| text(*i, row, false))
                .find(|t| !t.trim().is_empty())
                .unwrap_or_default();
        }
        let mut parts: Vec<String> = Vec::new();
        for &section in grid.sections(row) {
            let name = grid.row(section).iter().map(|(i, _)| text(*i, row, true)).find(|t| !t.trim().is_empty());
            parts.extend(name);
        }
        let mut labels: Vec<String> = Vec::new();
        let mut values: Vec<String> = Vec::new();
        let mut last = None;
        for &col in cols {
            let Some((index, cell)) = grid.cell(row, col).filter(|(i, _)| last != Some(*i)) else { continue };
            last = Some(index);
            let is_label = grid.is_label(cell);
            let text = text(index, row, is_label);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            if is_label {
                if labels.last().is_none_or(|l| l != text) {
                    labels.push(text.to_owned());
                }
                continue;
            }
            let path = self.path(cell.col..cell.col.saturating_add(cell.colspan), cols);
            values.push(if path.is_empty() || path == text { text.to_owned() } else { format!("{path}: {text}") });
        }
        if !labels.is_empty() {
            parts.push(labels.join(LEVELS));
        }
        parts.extend(values);
        parts.join(PARTS)
    }

    /// The headers over a range of columns as far as they are among `cols`.
    fn path(&self, range: std::ops::Range<usize>, cols: &[usize]) -> String {
        let mut names: Vec<&str> = Vec::new();
        for col in cols.iter().filter(|c| range.contains(c)).take(8) {
            let name = self.paths.get(*col).map(String::as_str).unwrap_or_default();
            if !name.is_empty() && names.last() != Some(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }
}

/// The rows of a table that say something, as sentences, with their numbers. Header rows with nothing under them are rows
/// as well, and cells that no place of the grid shows follow at the end.
pub(crate) fn sentences(table: &Table) -> Vec<(usize, String)> {
    let grid = Grid::new(table, None);
    let text = |index: usize| table.cells.get(index).map_or_else(String::new, |c| c.text.trim().to_owned());
    let mut rows: Vec<(usize, String)> = Vec::new();
    for block in &grid.blocks {
        let sentences = Sentences::new(&grid, block, text);
        for &row in &block.body {
            rows.push((row, sentences.sentence(row, &grid.cols(), |index, _, _| text(index))));
        }
        for &row in block.header.iter().filter(|_| block.body.is_empty()) {
            let cells: Vec<String> = grid.row(row).iter().map(|(index, _)| text(*index)).collect();
            rows.push((row, cells.join(PARTS)));
        }
    }
    rows.extend(grid.hidden().map(|cell| (cell.row, cell.text.trim().to_owned())));
    rows.retain(|(_, sentence)| !sentence.trim().is_empty());
    rows
}

/// Whether a header cell lies over all of several columns.
fn is_title(grid: &Grid, cell: &Cell) -> bool {
    grid.table.cols > 1 && cell.colspan >= grid.table.cols
}
