//! A table as a grid of cells with spans and roles.

use serde::{Deserialize, Serialize};

use super::BBox;

/// What a cell is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CellRole {
    /// A value.
    #[default]
    Data,
    /// Names the columns below it.
    ColumnHeader,
    /// Names the row to the right of it.
    RowHeader,
    /// A full-width row that names the rows below it.
    Section,
}

/// One cell. `row` and `col` are 0-based, spans at least 1; cells never overlap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// First row that the cell covers.
    pub row: usize,
    /// First column that the cell covers.
    pub col: usize,
    /// How many rows it covers.
    pub rowspan: usize,
    /// How many columns it covers.
    pub colspan: usize,
    /// Its text, NFC, lines joined by a space.
    pub text: String,
    /// What it is for.
    pub role: CellRole,
    /// 1-based page, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page: Option<u32>,
    /// Its box on that page, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bbox: Option<BBox>,
}

/// A table: `rows` × `cols` places, covered by `cells` in row-major order of their first place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// The cells, sorted by (row, col).
    pub cells: Vec<Cell>,
    /// Indices into [`Document::elements`](super::Document::elements) of captions that the source itself links to this
    /// table (tags, `<caption>`, Docling references).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub captions: Vec<usize>,
    /// The same for footnotes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub footnotes: Vec<usize>,
}

impl Table {
    /// For every place of the grid the index of the cell that covers it: `grid()[row][col]`.
    ///
    /// Spans that reach outside the grid are clipped; where cells overlap, the first one keeps the place.
    pub fn grid(&self) -> Vec<Vec<Option<usize>>> {
        let mut grid = vec![vec![None; self.cols]; self.rows];
        for (index, cell) in self.cells.iter().enumerate() {
            let rows = cell.row.min(self.rows)..cell.row.saturating_add(cell.rowspan.max(1)).min(self.rows);
            for line in grid.get_mut(rows).into_iter().flatten() {
                let cols = cell.col.min(self.cols)..cell.col.saturating_add(cell.colspan.max(1)).min(self.cols);
                for place in line.get_mut(cols).into_iter().flatten() {
                    if place.is_none() {
                        *place = Some(index);
                    }
                }
            }
        }
        grid
    }

    /// Number of leading rows that consist of column headers (empty cells allowed).
    pub fn header_rows(&self) -> usize {
        let grid = self.grid();
        grid.iter()
            .take_while(|line| {
                let mut cells = line.iter().flatten().filter_map(|&i| self.cells.get(i));
                let mut any = false;
                let all = cells.all(|c| {
                    any |= c.role == CellRole::ColumnHeader;
                    c.role == CellRole::ColumnHeader || c.text.is_empty()
                });
                all && any
            })
            .count()
    }

    /// Whether some cell covers more than one place.
    pub fn has_spans(&self) -> bool {
        self.cells.iter().any(|c| c.rowspan > 1 || c.colspan > 1)
    }
}
