//! A table read for retrieval: which rows are headers, which columns name the rows, which rows name a group of rows.

use super::notes;
use crate::document::{Cell, CellRole, Table};

/// Header rows that are repeated; what a source marks beyond that is read as data.
const MAX_HEADER_ROWS: usize = 8;
/// Names of groups that are repeated over a row.
const MAX_SECTIONS: usize = 2;
/// Label columns that are repeated in front of a part of a wide table.
const MAX_LABEL_COLUMNS: usize = 4;

/// A run of body rows under one header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    /// The header rows in force.
    pub(crate) header: Vec<usize>,
    /// The rows under it.
    pub(crate) body: Vec<usize>,
}

/// The reading of one table.
pub(crate) struct Grid<'a> {
    /// The table.
    pub(crate) table: &'a Table,
    /// `places[row][col]`: index of the cell that covers the place.
    pub(crate) places: Vec<Vec<Option<usize>>>,
    /// The body in blocks.
    pub(crate) blocks: Vec<Block>,
    /// The columns whose cells name their row.
    pub(crate) labels: Vec<usize>,
    /// For every row the rows that name its group, outermost first.
    sections: Vec<Vec<usize>>,
    /// For every row whether it only names the rows below it.
    section_rows: Vec<bool>,
    /// For every cell the first row in which it shows; `None` for one that others hide.
    homes: Vec<Option<usize>>,
}

impl<'a> Grid<'a> {
    /// Reads a table; row `skip` was taken out of it as its caption.
    pub(crate) fn new(table: &'a Table, skip: Option<usize>) -> Self {
        let places = table.grid();
        let mut homes = vec![None; table.cells.len()];
        for (row, line) in places.iter().enumerate() {
            for index in line.iter().flatten() {
                if let Some(home) = homes.get_mut(*index) {
                    home.get_or_insert(row);
                }
            }
        }
        let mut grid = Self {
            table,
            places,
            blocks: Vec::new(),
            labels: Vec::new(),
            sections: Vec::new(),
            section_rows: Vec::new(),
            homes,
        };
        grid.section_rows = (0..table.rows).map(|row| grid.names_group(row)).collect();
        grid.blocks = grid.find_blocks(skip);
        grid.labels = grid.find_labels();
        grid.sections = grid.find_sections();
        grid
    }

    /// The cell at a place.
    pub(crate) fn cell(&self, row: usize, col: usize) -> Option<(usize, &'a Cell)> {
        let index = (*self.places.get(row)?.get(col)?)?;
        Some((index, self.table.cells.get(index)?))
    }

    /// The cells that touch a row, each once, from left to right.
    pub(crate) fn row(&self, row: usize) -> Vec<(usize, &'a Cell)> {
        let mut cells: Vec<(usize, &Cell)> = Vec::new();
        for index in self.places.get(row).into_iter().flatten().flatten() {
            if let Some(cell) = self.table.cells.get(*index)
                && cells.last().is_none_or(|(last, _)| last != index)
            {
                cells.push((*index, cell));
            }
        }
        cells
    }

    /// Number of rows that hold data.
    pub(crate) fn data_rows(&self) -> usize {
        self.blocks.iter().flat_map(|b| &b.body).filter(|&&r| !self.is_section(r)).count()
    }

    /// The rows that name the group of `row`, outermost first.
    pub(crate) fn sections(&self, row: usize) -> &[usize] {
        self.sections.get(row).map_or(&[], Vec::as_slice)
    }

    /// Whether the row only names the rows below it.
    pub(crate) fn is_section(&self, row: usize) -> bool {
        self.section_rows.get(row) == Some(&true)
    }

    /// Whether the cell shows first in this row, so that its text is due here; in other rows it is repeated.
    pub(crate) fn is_home(&self, index: usize, row: usize) -> bool {
        self.homes.get(index) == Some(&Some(row))
    }

    /// Cells with text that no place of the grid shows: outside it, or under another cell.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &'a Cell> {
        self.table
            .cells
            .iter()
            .zip(&self.homes)
            .filter(|(c, home)| home.is_none() && !c.text.trim().is_empty())
            .map(|(c, _)| c)
    }

    /// Whether a cell names its row: all its columns are label columns.
    pub(crate) fn is_label(&self, cell: &Cell) -> bool {
        let end = cell.col.saturating_add(cell.colspan.max(1)).min(self.table.cols);
        cell.col < end && (cell.col..end).all(|col| self.labels.contains(&col))
    }

    /// All columns.
    pub(crate) fn cols(&self) -> Vec<usize> {
        (0..self.table.cols).collect()
    }

    fn names_group(&self, row: usize) -> bool {
        let cells = self.row(row);
        let mut filled = cells.iter().filter(|(_, c)| !c.text.trim().is_empty());
        let (Some((_, cell)), None) = (filled.next(), filled.next()) else { return false };
        if cell.role == CellRole::Section {
            return true;
        }
        let full_width = cell.colspan >= self.table.cols && self.table.cols > 1 && cell.rowspan <= 1;
        let group = cell.col == 0 && self.table.cols > 1 && cell.text.trim_end().ends_with([':', '：']);
        if cell.role == CellRole::ColumnHeader {
            // A title comes before the headers that it stands over; below headers, with data under it, it names a group.
            return full_width && row > 0 && self.row(row - 1).len() > 1 && !self.is_header(row + 1);
        }
        (full_width || group) && !notes::is_note(&cell.text)
    }

    /// Whether all that a row says are column headers.
    fn is_header(&self, row: usize) -> bool {
        let cells = self.row(row);
        let mut filled = cells.iter().filter(|(_, c)| !c.text.trim().is_empty()).peekable();
        filled.peek().is_some() && filled.all(|(_, c)| c.role == CellRole::ColumnHeader)
    }

    fn find_blocks(&self, skip: Option<usize>) -> Vec<Block> {
        let rows = self.table.rows;
        let start = skip.map_or(0, |row| row + 1);
        let mut blocks = vec![Block::default()];
        let mut header: Vec<usize> = Vec::new();
        for row in start..rows {
            if self.is_header(row) && !self.is_section(row) && header.len() < MAX_HEADER_ROWS {
                header.push(row);
                continue;
            }
            if !header.is_empty() {
                blocks.push(Block { header: std::mem::take(&mut header), body: Vec::new() });
            }
            if let Some(block) = blocks.last_mut() {
                block.body.push(row);
            }
        }
        // Headers with nothing under them are data.
        if let Some(block) = blocks.last_mut() {
            block.body.extend(header);
        }
        blocks.retain(|b| !b.body.is_empty());
        blocks
    }

    /// Columns in which most rows have a row header; else the first column, and the second where the first only counts
    /// the rows. A table needs at least one column of values.
    fn find_labels(&self) -> Vec<usize> {
        let mut rows = 0_usize;
        let mut headers = vec![0_usize; self.table.cols];
        for &row in self.blocks.iter().flat_map(|b| &b.body).filter(|&&row| !self.is_section(row)) {
            rows += 1;
            for (_, cell) in self.row(row).iter().filter(|(_, c)| c.role == CellRole::RowHeader) {
                let end = cell.col.saturating_add(cell.colspan.max(1)).min(self.table.cols);
                headers.get_mut(cell.col.min(end)..end).into_iter().flatten().for_each(|n| *n += 1);
            }
        }
        let marked = headers.iter().enumerate().filter(|(_, n)| **n > 0 && **n * 2 >= rows).map(|(col, _)| col);
        let mut labels: Vec<usize> = marked.take(MAX_LABEL_COLUMNS).collect();
        if labels.is_empty() {
            labels.push(0);
            if self.table.cols > 2 && self.counts(0) {
                labels.push(1);
            }
        }
        if labels.len() >= self.table.cols { Vec::new() } else { labels }
    }

    /// Whether a column holds 1, 2, 3, …
    fn counts(&self, col: usize) -> bool {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .flat_map(|b| &b.body)
            .filter(|&&row| !self.is_section(row))
            .filter_map(|&row| self.cell(row, col).map(|(_, c)| c.text.trim()))
            .collect();
        let number = |text: &str| text.trim_end_matches(['.', ')']).parse::<usize>().ok();
        texts.len() > 1 && texts.iter().enumerate().all(|(i, text)| number(text) == Some(i + 1))
    }

    fn find_sections(&self) -> Vec<Vec<usize>> {
        let mut sections = vec![Vec::new(); self.table.rows];
        for block in &self.blocks {
            let mut open: Vec<usize> = Vec::new();
            let mut nesting = false;
            for &row in &block.body {
                if self.is_section(row) {
                    // Names of groups that follow each other directly are nested.
                    open.truncate(if nesting { MAX_SECTIONS - 1 } else { 0 });
                    if let Some(slot) = sections.get_mut(row) {
                        slot.clone_from(&open);
                    }
                    open.push(row);
                    nesting = true;
                } else {
                    if let Some(slot) = sections.get_mut(row) {
                        slot.clone_from(&open);
                    }
                    nesting = false;
                }
            }
        }
        sections
    }

    /// A table of its own from some rows and columns of this one: spans clipped, cells that reach in from outside
    /// repeated. `text` gives each cell's text by its index and the row it appears in.
    pub(crate) fn part(
        &self,
        header: &[usize],
        body: &[usize],
        cols: &[usize],
        mut text: impl FnMut(usize, usize) -> String,
    ) -> Table {
        let mut part = Table { rows: header.len() + body.len(), cols: cols.len(), ..Table::default() };
        let at = |rows: &[usize], i: usize, j: usize| -> Option<usize> {
            *self.places.get(*rows.get(i)?)?.get(*cols.get(j)?)?
        };
        for (rows, offset) in [(header, 0), (body, header.len())] {
            let mut covered = vec![false; rows.len() * cols.len()];
            for (i, &row) in rows.iter().enumerate() {
                let mut j = 0;
                while j < cols.len() {
                    if covered.get(i * cols.len() + j) == Some(&true) {
                        j += 1;
                        continue;
                    }
                    let place = at(rows, i, j);
                    let mut cell = Cell { row: offset + i, col: j, rowspan: 1, colspan: 1, ..Cell::default() };
                    if let (Some(index), Some(source)) = (place, place.and_then(|p| self.table.cells.get(p))) {
                        let same = |i: usize, j: usize| {
                            at(rows, i, j) == place && covered.get(i * cols.len() + j) == Some(&false)
                        };
                        cell.colspan = (j..cols.len()).take_while(|&j| same(i, j)).count().max(1);
                        let whole_line = |i: usize| (j..j + cell.colspan).all(|j| same(i, j));
                        cell.rowspan = (i..rows.len()).take_while(|&i| whole_line(i)).count().max(1);
                        cell.text = text(index, row);
                        cell.role = source.role;
                    }
                    for i in i..i + cell.rowspan {
                        for j in j..j + cell.colspan {
                            if let Some(done) = covered.get_mut(i * cols.len() + j) {
                                *done = true;
                            }
                        }
                    }
                    j += cell.colspan;
                    part.cells.push(cell);
                }
            }
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_over_all_columns_is_a_title_above_others_and_names_a_group_below_them() {
        use CellRole::{ColumnHeader, Data};
        let cell = |row, col, colspan, role, text: &str| Cell {
            row,
            col,
            rowspan: 1,
            colspan,
            text: text.into(),
            role,
            ..Cell::default()
        };
        let cells = vec![
            cell(0, 0, 2, ColumnHeader, "Throughput"),
            cell(1, 0, 1, ColumnHeader, "Terminal"),
            cell(1, 1, 1, ColumnHeader, "2025"),
            cell(2, 0, 2, ColumnHeader, "Deep-sea basin"),
            cell(3, 0, 1, Data, "North Quay"),
            cell(3, 1, 1, Data, "1,412"),
        ];
        let table = Table { rows: 4, cols: 2, cells, ..Table::default() };
        let grid = Grid::new(&table, None);
        assert_eq!(grid.blocks, [Block { header: vec![0, 1], body: vec![2, 3] }]);
        assert_eq!(grid.sections(3), [2]);
    }
}
