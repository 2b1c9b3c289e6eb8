//! A table as text: `row, column = value` for each value.

use crate::document::{CellRole, Table};

/// Longest text of a table, in bytes. One that would be longer because of labels that are repeated with every value is
/// given without them.
const MAX_BYTES: usize = 32 << 20;

/// The table's text. The first column names the rows; its own name is in no triplet.
pub(super) fn text(table: &Table) -> String {
    let grid = table.grid();
    let cell = |&at: &Option<usize>| at.and_then(|i| table.cells.get(i));
    let is_header = |row: &[Option<usize>]| row.iter().filter_map(cell).any(|c| c.role == CellRole::ColumnHeader);
    let (header, body) = grid.split_at(grid.iter().take_while(|row| is_header(row)).count());
    let text = |at: &Option<usize>| cell(at).map_or("", |c| c.text.trim());
    if table.cols == 1 {
        return single_column(header, body.iter().filter_map(|row| row.first()).map(text), text);
    }
    let columns: Vec<String> = (0..table.cols).map(|col| name(header, col, text)).collect();
    if body.is_empty() {
        return join(columns.iter().map(String::as_str));
    }
    let labels = |row: &[Option<usize>]| row.first().map_or(0, |at| text(at).len()) * table.cols.saturating_sub(1);
    let names = columns.iter().map(String::len).sum::<usize>().saturating_mul(body.len());
    if body.iter().map(|row| labels(row)).fold(names, usize::saturating_add) > MAX_BYTES {
        return join(table.cells.iter().map(|c| c.text.trim()));
    }
    let triplets = body.iter().flat_map(|row| {
        let label = row.first().map_or("", text);
        row.iter().zip(&columns).skip(1).map(move |(at, column)| format!("{label}, {column} = {}", text(at)))
    });
    triplets.collect::<Vec<_>>().join(". ")
}

/// A table of one column, in which the first value names the others.
fn single_column<'a>(
    header: &[Vec<Option<usize>>],
    mut values: impl Iterator<Item = &'a str>,
    text: impl Fn(&Option<usize>) -> &'a str,
) -> String {
    let Some(first) = values.next() else { return name(header, 0, text) };
    let values: Vec<&str> = values.collect();
    if values.is_empty() || first.len().saturating_mul(values.len()) > MAX_BYTES {
        return join([first].into_iter().chain(values));
    }
    values.iter().map(|value| format!("{first} = {value}")).collect::<Vec<_>>().join(". ")
}

/// The name of a column: its headers from top to bottom; its number where there are none.
fn name<'a>(header: &[Vec<Option<usize>>], col: usize, text: impl Fn(&Option<usize>) -> &'a str) -> String {
    if header.is_empty() {
        return col.to_string();
    }
    let mut name = String::new();
    for at in header.iter().filter_map(|row| row.get(col)) {
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(text(at));
    }
    name
}

fn join<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(". ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Cell;

    fn table(rows: &[&[&str]], header: usize) -> Table {
        let mut table = Table { rows: rows.len(), cols: rows[0].len(), ..Table::default() };
        for (row, texts) in rows.iter().enumerate() {
            for (col, text) in texts.iter().enumerate() {
                let role = if row < header { CellRole::ColumnHeader } else { CellRole::Data };
                let text = (*text).to_owned();
                table.cells.push(Cell { row, col, rowspan: 1, colspan: 1, text, role, ..Cell::default() });
            }
        }
        table
    }

    #[test]
    fn rows_and_columns_name_every_value() {
        let both = table(&[&["", "2023", "2023"], &["지표", "상", "하"], &["매출", "1", ""]], 2);
        assert_eq!(text(&both), "매출, 2023.상 = 1. 매출, 2023.하 = ");
        assert_eq!(text(&table(&[&["a", "b"], &["c", "d"]], 0)), "a, 1 = b. c, 1 = d");
    }

    #[test]
    fn one_column_one_row_and_one_cell() {
        assert_eq!(text(&table(&[&["H"], &["a"], &["b"], &["c"]], 1)), "a = b. a = c");
        assert_eq!(text(&table(&[&["x", "", "y"]], 1)), "x. y");
        assert_eq!(text(&table(&[&["only"]], 0)), "only");
        assert_eq!(text(&Table::default()), "");
    }

    #[test]
    fn a_label_that_would_be_repeated_without_end_is_not() {
        let long = "x".repeat(MAX_BYTES / 2);
        let wide = table(&[&[&long, "a", "b", "c"]], 0);
        assert!(text(&wide).len() < MAX_BYTES);
    }
}
