//! Roles of cells: header rows, the stub column, section rows.

use std::collections::HashMap;

use crate::document::{Cell, CellRole, Table};
use crate::pdf::PageContent;
use crate::table::forms;
use crate::table::grid::Draft;
use crate::table::text::is_value;

/// More leading rows than this are no header, whatever they look like.
const MOST_HEADER_ROWS: usize = 6;

/// A header is shaded or bold in at least this share of each row,
const MARKED: f32 = 0.7;
/// and the rows below it in less than this share on average.
const PLAIN: f32 = 0.4;
/// Where more than this share of the cells below the first row hold values,
const VALUED: f32 = 0.3;
/// rows with a smaller share of them than this name the columns.
const NAMED: f32 = 0.15;
/// The first row of other tables is a header unless more than this share of its cells hold values.
const MOST_VALUES: f32 = 0.5;

/// Fewer codes than this may be values that look like codes.
const FEWEST_CODES: usize = 3;

/// A header is told from a first row by the rows below it: with fewer rows than this in all it may be either.
const FEWEST_NAMED_ROWS: usize = 3;

/// What distinguishes one row from another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Look {
    bold: f32,
    shaded: f32,
    values: f32,
}

/// Sets the roles of the cells of `table`, which was made from `draft`.
pub(crate) fn assign(table: &mut Table, draft: &Draft, page: &PageContent) {
    if forms::assign(table, draft) {
        return;
    }
    let header = above_sections(table, header_rows(table, draft, page));
    let stubs = stub_columns(table, header);
    let cols = table.cols;
    for cell in &mut table.cells {
        cell.role = if cell.row < header {
            CellRole::ColumnHeader
        } else if cell.colspan >= cols && cols > 1 && !cell.text.is_empty() && !is_value(&cell.text) {
            CellRole::Section
        } else if cell.col < stubs && cell.col + cell.colspan <= stubs {
            CellRole::RowHeader
        } else {
            CellRole::Data
        };
    }
}

/// Gives the cells the roles that the file itself names.
pub(crate) fn take_given(table: &mut Table, draft: &Draft) {
    let given: HashMap<(usize, usize), CellRole> =
        draft.cells.iter().filter_map(|c| Some(((c.row, c.col), c.role?))).collect();
    for cell in &mut table.cells {
        if let Some(role) = given.get(&(cell.row, cell.col)) {
            cell.role = *role;
        }
    }
}

/// The header without full-width rows at its end: they name the rows below them.
fn above_sections(table: &Table, header: usize) -> usize {
    let section = |row: usize| {
        table.cells.iter().any(|c| c.row == row && c.rowspan == 1 && c.colspan >= table.cols && !c.text.is_empty())
    };
    let mut rows = header;
    while rows > 1 && table.cols > 1 && section(rows - 1) {
        rows -= 1;
    }
    rows
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
        let lead = looks.iter().take(most).take_while(|l| test(l) >= MARKED).count();
        let rest: Vec<f32> = looks.iter().skip(lead).map(test).collect();
        let mean = rest.iter().sum::<f32>() / rest.len().max(1) as f32;
        (lead > 0 && lead <= most && mean < PLAIN).then_some(lead)
    };
    let body_values = looks.iter().skip(1).map(|l| l.values).sum::<f32>() / looks.len().saturating_sub(1).max(1) as f32;
    let by_values = (body_values > VALUED).then(|| looks.iter().take(most).take_while(|l| l.values < NAMED).count());
    let rows = differs(&|l| l.shaded)
        .or_else(|| differs(&|l| l.bold))
        .or(by_values.filter(|n| *n > 0 && *n < most.max(2)))
        // The first row names the columns unless it holds values like the rest.
        // Names such as "Q1" look like values until they are compared with the numbers below them.
        .unwrap_or(usize::from(looks.first().is_some_and(|l| l.values <= MOST_VALUES) || names_columns(table)));
    reach(rows).min(most)
}

/// Whether the first row plainly names the columns: it fills all of them with words, and below one of them there are
/// nothing but bare numbers. The first row of a part without a header has a number there too.
pub(crate) fn names_columns(table: &Table) -> bool {
    let worded = |text: &str| text.contains(char::is_alphabetic);
    let bare = |text: &str| text.contains(|c: char| c.is_ascii_digit()) && !worded(text);
    let head: Vec<&Cell> = table.cells.iter().filter(|c| c.row == 0).collect();
    let over_numbers = |head: &&Cell| {
        let mut below = table.cells.iter().filter(|c| c.row > 0 && c.col == head.col).peekable();
        head.col > 0 && below.peek().is_some() && below.all(|c| bare(&c.text))
    };
    table.rows >= FEWEST_NAMED_ROWS
        && head.len() == table.cols
        && head.iter().all(|c| worded(&c.text))
        && head.iter().any(over_numbers)
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

/// Number of leading columns that name the rows.
///
/// The first one does where it holds names rather than values, or a different code in every row. The next one does too
/// where the first is grouped (its cells span rows), or both hold codes, and values follow.
fn stub_columns(table: &Table, header: usize) -> usize {
    if table.cols < 2 {
        return 0;
    }
    let body = |col: usize| {
        let cells = table.cells.iter().filter(move |c| c.row >= header && c.col == col && c.colspan < table.cols);
        cells.filter(|c| !c.text.is_empty())
    };
    let texts = |col: usize| body(col).filter(|c| c.colspan == 1).map(|c| c.text.as_str()).collect::<Vec<_>>();
    let first = texts(0);
    let names = first.iter().filter(|t| !is_value(t) || is_period(t) || is_code(t)).count();
    if names * 2 <= first.len() && !are_codes(&first) {
        return 0;
    }
    let second = texts(1);
    let grouped = body(0).any(|c| c.rowspan > 1) || body(0).any(|c| c.colspan == 2);
    let text = second.iter().filter(|t| !is_value(t) || is_code(t)).count() * 2 > second.len();
    let values = (2..table.cols).any(|col| {
        let texts = texts(col);
        !texts.is_empty() && texts.iter().filter(|t| is_value(t)).count() * 2 > texts.len()
    });
    let both = values
        && !second.is_empty()
        && (grouped && text && are_distinct(&second) || are_codes(&first) && are_codes(&second));
    1 + usize::from(both)
}

/// Whether no text occurs twice.
fn are_distinct(texts: &[&str]) -> bool {
    let mut sorted = texts.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).all(|w| matches!(w, [a, b] if a != b))
}

/// Whether a text starts with a letter as codes do ("N1"), and not with a number as values do ("1 m").
fn is_code(text: &str) -> bool {
    text.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_alphabetic)
}

/// Whether the texts are codes of several parts: position numbers ("10.1", "10.2") or order numbers ("110-4001").
fn are_codes(texts: &[&str]) -> bool {
    let parts = |t: &str, at: char| {
        let parts: Vec<&str> = t.split(at).collect();
        parts.len() > 1 && parts.iter().all(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    // Positions ascend part by part; measured values hardly ever do.
    let ascending = || texts.windows(2).all(|w| matches!(w, [a, b] if numbers(a) < numbers(b)));
    texts.len() >= FEWEST_CODES
        && (texts.iter().all(|t| parts(t, '-')) || texts.iter().all(|t| parts(t, '.')) && ascending())
}

/// The numbers in a text, in order.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|t| t.parse().ok()).collect()
}

/// Years and other bare periods name rows although they are numbers.
fn is_period(text: &str) -> bool {
    let year = |t: &str| t.len() == 4 && t.parse::<u16>().is_ok_and(|y| (1800..2200).contains(&y));
    text.split(['-', '–', '/', '.', ' ']).next().is_some_and(|t| year(t.trim_end_matches('년')))
}
