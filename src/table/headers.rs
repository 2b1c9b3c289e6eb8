//! Roles of cells: header rows, the stub column, section rows.

use crate::document::{CellRole, Table};
use crate::pdf::PageContent;
use crate::table::grid::Draft;
use crate::table::text::is_value;

/// More leading rows than this are no header, whatever they look like.
const MOST_HEADER_ROWS: usize = 6;

/// What distinguishes one row from another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Look {
    bold: f32,
    shaded: f32,
    values: f32,
}

/// Sets the roles of the cells of `table`, which was made from `draft`.
pub(crate) fn assign(table: &mut Table, draft: &Draft, page: &PageContent) {
    let header = header_rows(table, draft, page);
    let stub = has_stub(table, header);
    let cols = table.cols;
    for cell in &mut table.cells {
        cell.role = if cell.row < header {
            CellRole::ColumnHeader
        } else if cell.colspan >= cols && cols > 1 && !cell.text.is_empty() && !is_value(&cell.text) {
            CellRole::Section
        } else if stub && cell.col == 0 {
            CellRole::RowHeader
        } else {
            CellRole::Data
        };
    }
}

/// Number of leading rows that name the columns.
fn header_rows(table: &Table, draft: &Draft, page: &PageContent) -> usize {
    if table.rows < 2 {
        return 0;
    }
    let looks: Vec<Look> = (0..table.rows).map(|row| look(draft, page, row)).collect();
    let most = MOST_HEADER_ROWS.min(table.rows - 1);
    let reach = |rows: usize| {
        // A cell that starts in the header and reaches below its end pulls the rows beside it in.
        let end =
            table.cells.iter().filter(|c| c.row < rows && c.colspan < table.cols).map(|c| c.row + c.rowspan).max();
        end.unwrap_or(rows).max(rows)
    };
    if draft.header_hint > 0 && draft.header_hint <= most {
        return draft.header_hint;
    }
    let differs = |test: &dyn Fn(&Look) -> f32| {
        let lead = looks.iter().take(most).take_while(|l| test(l) >= 0.7).count();
        let rest: Vec<f32> = looks.iter().skip(lead).map(test).collect();
        let mean = rest.iter().sum::<f32>() / rest.len().max(1) as f32;
        (lead > 0 && lead <= most && mean < 0.4).then_some(lead)
    };
    let body_values = looks.iter().skip(1).map(|l| l.values).sum::<f32>() / looks.len().saturating_sub(1).max(1) as f32;
    let by_values = (body_values > 0.3).then(|| looks.iter().take(most).take_while(|l| l.values < 0.15).count());
    let rows = differs(&|l| l.shaded)
        .or_else(|| differs(&|l| l.bold))
        .or(by_values.filter(|n| *n > 0 && *n < most.max(2)))
        // The first row names the columns unless it holds values like the rest.
        .unwrap_or(usize::from(looks.first().is_some_and(|l| l.values <= 0.5)));
    reach(rows).min(most)
}

fn look(draft: &Draft, page: &PageContent, row: usize) -> Look {
    let (mut words, mut bold, mut cells, mut shaded, mut values) = (0usize, 0usize, 0usize, 0usize, 0usize);
    for cell in draft.cells.iter().filter(|c| c.row <= row && row < c.row + c.rowspan) {
        shaded += usize::from(cell.shaded) * cell.colspan;
        cells += cell.colspan;
        for word in cell.words.iter().filter_map(|&w| page.words.get(w)) {
            words += 1;
            bold += usize::from(word.bold);
        }
    }
    let mut named = 0usize;
    for cell in draft.cells.iter().filter(|c| c.row == row && c.col > 0 && !c.words.is_empty()) {
        named += 1;
        values += usize::from(is_value(&super::grid::cell_text(&page.words, &cell.words)));
    }
    let part = |n: usize, of: usize| if of == 0 { 0.0 } else { n as f32 / of as f32 };
    Look { bold: part(bold, words), shaded: part(shaded, cells), values: part(values, named) }
}

/// Whether the first column names the rows: texts, not values, in most rows of the body.
fn has_stub(table: &Table, header: usize) -> bool {
    let first: Vec<&str> = table
        .cells
        .iter()
        .filter(|c| c.col == 0 && c.row >= header && !c.text.is_empty())
        .map(|c| c.text.as_str())
        .collect();
    let names = first.iter().filter(|t| !is_value(t) || is_period(t)).count();
    table.cols > 1 && !first.is_empty() && names * 2 > first.len()
}

/// Years and other bare periods name rows although they are numbers.
fn is_period(text: &str) -> bool {
    let year = |t: &str| t.len() == 4 && t.parse::<u16>().is_ok_and(|y| (1800..2200).contains(&y));
    text.split(['-', '–', '/', '.', ' ']).next().is_some_and(|t| year(t.trim_end_matches('년')))
}
