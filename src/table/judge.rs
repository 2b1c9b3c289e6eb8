//! What is a table and what only looks like one.

pub(crate) use crate::document::notes::is_units as is_unit;
use crate::document::{Cell, Table, label, notes};
use crate::table::grid::Draft;
use crate::table::text::is_value;

/// Fewer filled cells than this carry no relation between a name and a value.
const FEWEST_CELLS: usize = 4;
/// Fewest rows of a table that the file names without naming its header.
const FEWEST_NAMELESS_ROWS: usize = 3;
/// A grid with a smaller share of filled cells is a chart, a drawing or squared paper.
const LEAST_FILLED: f32 = 0.12;
/// The inside of a grid is bare below this share of filled cells.
const BARE: f32 = 0.25;
/// Beside an axis it is bare below this one.
const SPARSE: f32 = 0.6;
/// Fewest numbers of an axis.
const FEWEST_TICKS: usize = 4;
/// Steps of an axis are multiples of the least one up to this fraction of it.
const AXIS_STEP: f32 = 0.02;
/// A row is full from this share of filled cells on.
const FULL_ROW: f32 = 0.6;
/// Share of the rows of a borderless table that hold at least two texts.
const LEAST_FULL_ROWS: f32 = 0.55;
/// A grid with fewer places than this needs a name somewhere.
const NAMELESS_PLACES: usize = 30;
/// A table holds letters or digits in at least this share of its filled cells: marks alone tell nothing.
const WORDED: f32 = 0.1;
/// Cells of borderless tables are short: more words than this on average, the first column aside, are prose.
const MOST_WORDS: f32 = 6.0;
/// Borderless tables without values need at least this share of filled cells.
const LEAST_FILLED_TEXT: f32 = 0.7;
/// Between rules, cells may be this many times as long.
const BOUNDED_WORDS: f32 = 4.0;
/// A borderless table of values holds them in at least this share of its body,
const VALUED: f32 = 0.5;
/// and has at least this many rows where it has only two columns: a list of names and numbers is easily chance.
const VALUED_ROWS: usize = 4;
/// One without holds them in at least this share: text alone is set in columns for many reasons.
const LEAST_VALUED: f32 = 0.1;
/// Borderless tables are filled in at least this share of their places.
const LEAST_FILLED_OPEN: f32 = 0.4;
/// Confidence in a ruled table, a bounded one, an open one: what a drawn grid, rules or alignment alone is worth,
const RULED: f32 = 0.8;
const BOUNDED: f32 = 0.6;
const OPEN: f32 = 0.4;
/// and what is added in full for a grid without gaps and for a body of nothing but values.
const GAPLESS_RULED: f32 = 0.2;
const GAPLESS: f32 = 0.1;
const BOUNDED_VALUES: f32 = 0.2;
const OPEN_VALUES: f32 = 0.3;
/// Fewest rows of values that show where a table of values ends.
const VALUE_ROWS: usize = 2;
/// Columns of running text: at most this many,
const PROSE_COLUMNS: usize = 3;
/// of at least this many rows,
const PROSE_ROWS: usize = 6;
/// of which this share of the cells
const PROSE_LINES: f32 = 0.7;
/// hold at least this many words,
const LINE_WORDS: usize = 4;
/// and this share of those starts with a small letter.
const PROSE_GOES_ON: f32 = 0.25;
/// A leading or trailing full-width row with at least this many words is a title or a note, not a row.
const PROSE_WORDS: usize = 12;

/// How notes right below a table begin besides, in lower case.
const BARE_NOTES: [&str; 7] = ["note", "source", "출처", "*", "exhibit reads", "1/", "¹"];

/// Confidence in a ruled grid, 0 to 1; `None` where it is no table.
pub(crate) fn ruled(table: &Table) -> Option<f32> {
    let texts = filled(table);
    let places = table.cells.len().max(1);
    let share = texts.len() as f32 / places as f32;
    let columns = used_columns(table);
    if texts.len() < FEWEST_CELLS || share < LEAST_FILLED || table.rows < 2 || is_wordless(table) {
        return None;
    }
    if is_chart(table)
        || is_plot(table)
        || is_nameless(table)
        || !(is_column(table) || columns >= 2 && full_rows(table) >= 2)
    {
        return None;
    }
    Some(RULED + GAPLESS_RULED * share.min(1.0))
}

/// Confidence in a table that the file names: without header cells it must look like one, or it lays out the page.
pub(crate) fn tagged(table: &Table, draft: &Draft) -> Option<f32> {
    match draft.header_hint {
        0 if table.rows < FEWEST_NAMELESS_ROWS => None,
        0 => aligned(table, draft, true),
        _ => ruled(table),
    }
}

/// Confidence in a table told by alignment; `bounded` by full-width rules or not.
pub(crate) fn aligned(table: &Table, draft: &Draft, bounded: bool) -> Option<f32> {
    let texts = filled(table);
    let fewest_rows = if bounded { 2 } else { 3 };
    if texts.len() < FEWEST_CELLS || table.rows < fewest_rows || table.cols < 2 {
        return None;
    }
    if is_list(table)
        || is_contents(table, bounded)
        || is_chart(table)
        || is_plot(table)
        || is_nameless(table)
        || is_prose(table)
    {
        return None;
    }
    if !bounded && is_axes(table) {
        return None;
    }
    let body: Vec<&str> = table
        .cells
        .iter()
        .filter(|c| c.col > 0 && c.row >= draft.header_hint && c.colspan < table.cols && !c.text.is_empty())
        .map(|c| c.text.as_str())
        .collect();
    let words: usize = body.iter().map(|t| t.split_whitespace().count()).sum();
    let mean = words as f32 / body.len().max(1) as f32;
    let values = body.iter().filter(|t| is_value(t)).count() as f32 / body.len().max(1) as f32;
    let share = texts.iter().map(|c| c.2).sum::<usize>() as f32 / (table.rows * table.cols).max(1) as f32;
    if (full_rows(table) as f32) < LEAST_FULL_ROWS * table.rows as f32 {
        return None;
    }
    if bounded {
        return (mean <= BOUNDED_WORDS * MOST_WORDS)
            .then_some(BOUNDED + BOUNDED_VALUES * values + GAPLESS * share.min(1.0));
    }
    let numeric = values >= VALUED && (table.cols > 2 || table.rows >= VALUED_ROWS);
    let textual = table.cols > 2 && share >= LEAST_FILLED_TEXT && values >= LEAST_VALUED;
    (mean <= MOST_WORDS && share >= LEAST_FILLED_OPEN && (numeric || textual))
        .then_some(OPEN + OPEN_VALUES * values + GAPLESS * share.min(1.0))
}

/// (row, column, places) of the cells with text.
fn filled(table: &Table) -> Vec<(usize, usize, usize)> {
    table.cells.iter().filter(|c| !c.text.is_empty()).map(|c| (c.row, c.col, c.rowspan * c.colspan)).collect()
}

/// Whether a table of one column is a list of short entries, each in a box of its own, and not framed prose.
fn is_column(table: &Table) -> bool {
    table.cols == 1
        && table.rows >= FEWEST_CELLS
        && table.cells.iter().all(|c| (1..=PROSE_WORDS).contains(&c.text.split_whitespace().count()))
}

/// Whether hardly any cell holds a letter or digit: the bullets and check boxes of a table whose text is drawn as outlines.
fn is_wordless(table: &Table) -> bool {
    let filled: Vec<&str> = table.cells.iter().map(|c| c.text.as_str()).filter(|t| !t.is_empty()).collect();
    let worded = filled.iter().filter(|t| t.contains(char::is_alphanumeric)).count();
    (worded as f32) < WORDED * filled.len() as f32
}

/// Whether a grid of few columns holds the lines of running text: sentences go on in small letters.
fn is_prose(table: &Table) -> bool {
    let filled = table.cells.iter().filter(|c| !c.text.is_empty()).count() as f32;
    let lines = || table.cells.iter().filter(|c| c.text.split_whitespace().count() >= LINE_WORDS);
    let on = lines().filter(|c| c.text.starts_with(char::is_lowercase)).count() as f32;
    table.cols <= PROSE_COLUMNS
        && table.rows >= PROSE_ROWS
        && lines().count() as f32 >= PROSE_LINES * filled
        && on >= PROSE_GOES_ON * lines().count() as f32
}

/// Whether a small grid holds nothing but numbers: the labels of a chart's bars or axes.
fn is_nameless(table: &Table) -> bool {
    table.rows * table.cols < NAMELESS_PLACES && table.cells.iter().all(|c| c.text.is_empty() || is_value(&c.text))
}

/// Whether a small grid names no column and hardly a row: the labels of a chart's axes and their titles.
fn is_axes(table: &Table) -> bool {
    let names = |line: &dyn Fn(&Cell) -> bool| {
        let texts: Vec<&Cell> = table.cells.iter().filter(|c| line(c) && !c.text.is_empty()).collect();
        (texts.iter().filter(|c| !is_value(&c.text)).count(), texts.len())
    };
    let ((in_row, _), (in_column, all)) = (names(&|c| c.row == 0), names(&|c| c.col == 0));
    table.rows * table.cols < NAMELESS_PLACES && in_row == 0 && in_column * 2 <= all
}

/// Whether the first column is the axis of a chart, with another one on the right or a bare inside.
fn is_plot(table: &Table) -> bool {
    let inner: Vec<bool> =
        table.cells.iter().filter(|c| c.col > 0 && c.col + 1 < table.cols).map(|c| !c.text.is_empty()).collect();
    let filled = inner.iter().filter(|f| **f).count();
    is_axis(table, 0)
        && (table.cols > 1 && is_axis(table, table.cols - 1) || (filled as f32) < SPARSE * inner.len() as f32)
}

/// Whether most numbers at the start of a column's cells descend by one step or a multiple of it, as those of an axis do from
/// top to bottom.
fn is_axis(table: &Table, col: usize) -> bool {
    let first = |c: &Cell| c.text.split(' ').next().and_then(|t| t.replace([',', '%'], "").parse::<f32>().ok());
    let numbers: Vec<f32> = table.cells.iter().filter(|c| c.col == col).filter_map(first).collect();
    // The label of a bar may stand above them.
    [0, 1].iter().filter_map(|n| numbers.get(*n..)).any(|ticks| {
        let steps: Vec<f32> = ticks.windows(2).map(|w| if let [a, b] = w { a - b } else { 0.0 }).collect();
        let least = steps.iter().copied().fold(f32::INFINITY, f32::min);
        let whole = |s: &f32| (s / least - (s / least).round()).abs() < AXIS_STEP;
        ticks.len() >= FEWEST_TICKS && least > 0.0 && steps.iter().all(whole)
    })
}

/// Whether the inside of a grid is bare and no row across it holds texts: the gridlines of a chart between its labels.
fn is_chart(table: &Table) -> bool {
    if table.cols < 4 {
        return false;
    }
    let single = |c: &&Cell| c.rowspan == 1 && c.colspan == 1;
    let inner: Vec<bool> = table
        .cells
        .iter()
        .filter(single)
        .filter(|c| c.col > 0 && c.col + 1 < table.cols && c.row + 1 < table.rows)
        .map(|c| !c.text.is_empty())
        .collect();
    let bare = inner.len() >= FEWEST_CELLS && (inner.iter().filter(|f| **f).count() as f32) < BARE * inner.len() as f32;
    // Labels of the axis fill a row too, at the bottom.
    bare && (0..(table.rows * 2).div_ceil(3)).all(|row| {
        let texts = table.cells.iter().filter(single).filter(|c| c.row == row && !c.text.is_empty()).count();
        (texts as f32) < FULL_ROW * table.cols as f32
    })
}

/// Number of rows with at least two texts: those that relate something to something.
fn full_rows(table: &Table) -> usize {
    let mut count = vec![0usize; table.rows];
    for (row, _, _) in filled(table) {
        if let Some(n) = count.get_mut(row) {
            *n += 1;
        }
    }
    count.iter().filter(|n| **n >= 2).count()
}

fn used_columns(table: &Table) -> usize {
    let mut columns: Vec<usize> = filled(table).iter().map(|c| c.1).collect();
    columns.sort_unstable();
    columns.dedup();
    columns.len()
}

/// Two columns of which the first holds only bullets or numbers of items.
fn is_list(table: &Table) -> bool {
    let marker = |t: &str| {
        let inner = t.trim_matches(['(', ')', '[', ']', '.', ' ']);
        t.chars().count() <= 6
            && (inner.chars().all(|c| !c.is_alphanumeric())
                || (t != inner && inner.chars().count() <= 3 && inner.chars().all(char::is_alphanumeric)))
    };
    let first: Vec<&str> =
        table.cells.iter().filter(|c| c.col == 0 && !c.text.is_empty()).map(|c| c.text.as_str()).collect();
    table.cols == 2 && first.iter().filter(|t| marker(t)).count() * 3 >= first.len() * 2
}

/// Contents: names with ascending page numbers in the last of two or three columns, and leaders between them, or no header
/// above them, or (unless rules bound it) many of them.
fn is_contents(table: &Table, bounded: bool) -> bool {
    let dots = |t: &str| [". . . .", "....", "····"].iter().any(|d| t.contains(d));
    let leaders = table.cells.iter().filter(|c| dots(&c.text)).count();
    let last: Vec<u32> =
        table.cells.iter().filter(|c| c.col + 1 == table.cols).filter_map(|c| c.text.parse().ok()).collect();
    let ascending = last.windows(2).all(|w| matches!(w, [a, b] if a <= b));
    let headless = last.len() == table.rows && table.rows >= FEWEST_CELLS;
    table.cols <= 3
        && last.len() * 2 >= table.rows
        && ascending
        && (leaders * 3 >= table.rows || headless || last.len() > FEWEST_CELLS && !bounded)
}

/// Whether a text is a table's or figure's caption: a label word and a number.
pub(crate) fn is_caption(text: &str) -> bool {
    label::leading(text).is_some()
}

/// Whether a text is a table's caption, and not a figure's.
pub(crate) fn is_table_caption(text: &str) -> bool {
    label::leading(text).is_some_and(|(label, _)| label.table)
}

/// Whether a text is a note below a table. There a note needs no colon behind its first word.
pub(crate) fn is_note(text: &str) -> bool {
    let lower = text.trim_start().to_lowercase();
    notes::is_note(text) || BARE_NOTES.iter().any(|p| lower.starts_with(p))
}

/// Cuts titles off the top and notes off the bottom of a draft: full-width rows that are no part of the grid, and what stands
/// below the last row of values without being a row.
pub(crate) fn trim(draft: &mut Draft, texts: &dyn Fn(&[usize]) -> String) {
    let (rows, cols) = (draft.rows(), draft.cols());
    let lone = |row: usize| {
        let mut filled = draft.cells.iter().filter(|c| c.row <= row && row < c.row + c.rowspan && !c.words.is_empty());
        match (filled.next(), filled.next()) {
            (Some(c), None) if c.colspan == cols && c.rowspan == 1 => Some(texts(&c.words)),
            _ => None,
        }
    };
    let long = |t: &str| t.split_whitespace().count() >= PROSE_WORDS;
    let from = (0..rows).take_while(|&r| lone(r).is_some_and(|t| is_caption(&t) || long(&t))).count();
    let end = end_of_values(draft, texts).unwrap_or(rows).max(from);
    let foot = (from..end).rev().take_while(|&r| lone(r).is_some_and(|t| is_note(&t) || long(&t))).count();
    if from > 0 || foot > 0 || end < rows {
        draft.keep_rows(from, end - foot);
    }
}

/// The row after the last one of a table of values, where only notes and the captions of what follows stand below it.
fn end_of_values(draft: &Draft, texts: &dyn Fn(&[usize]) -> String) -> Option<usize> {
    let rows = draft.rows();
    // Column, columns covered and text of the cells of a row.
    let line = |row: usize| -> Vec<(usize, usize, String)> {
        let here = draft.cells.iter().filter(|c| c.row <= row && row < c.row + c.rowspan && !c.words.is_empty());
        here.map(|c| (c.col, c.colspan, texts(&c.words))).collect()
    };
    let holds_values = |line: &[(usize, usize, String)]| {
        let values = line.iter().filter(|c| c.0 > 0 && is_value(&c.2)).count();
        2 * values >= draft.cols().saturating_sub(1).max(2)
    };
    // A row of names below the values ("Fixed effects: yes, no") has its own name and a cell in each column.
    let is_outside = |line: &[(usize, usize, String)]| {
        let Some(first) = line.iter().min_by_key(|c| c.0) else { return false };
        let values = line.iter().any(|c| c.0 > 0 && is_value(&c.2));
        is_note(&first.2) || !values && line.len() > 1 && (first.0 > 0 || line.iter().any(|c| c.1 > 1))
    };
    let mut end = rows;
    while end > 0 {
        let last = line(end - 1);
        if holds_values(&last) {
            break;
        }
        if !is_outside(&last) {
            return None;
        }
        end -= 1;
    }
    if end == rows {
        return None;
    }
    let body = draft.header_hint.min(end)..end;
    let needed = VALUE_ROWS.max(body.len() / 2);
    (body.filter(|&r| holds_values(&line(r))).count() >= needed).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Table {
        let cell = |row: usize, col: usize, text: &str| Cell {
            row,
            col,
            rowspan: 1,
            colspan: 1,
            text: text.into(),
            ..Cell::default()
        };
        let cells = rows.iter().enumerate();
        let cells = cells.flat_map(|(r, line)| line.iter().enumerate().map(move |(c, t)| cell(r, c, t)));
        Table { rows: rows.len(), cols: rows[0].len(), cells: cells.collect(), ..Table::default() }
    }

    #[test]
    fn numbers_that_descend_in_steps_are_an_axis() {
        let two = [
            &["20,000", "", "100"][..],
            &["Enrolled", "1990s", "90"],
            &["16,000", "1980s", "80"],
            &["14,000", "1970s", "70"],
            &["12,000", "", "60"],
        ];
        assert!(is_plot(&table(&two)));
        let bars = [&["2", "1"][..], &["100", ""], &["80 40", "37"], &["60", ""], &["40 58", "62"], &["20", ""]];
        assert!(is_axis(&table(&bars), 0));
        // Thresholds with a value for each are a table, and so are ranks.
        let full = [&["40", "5"][..], &["30", "7"], &["20", "8"], &["10", "9"]];
        assert!(is_axis(&table(&full), 0) && !is_axis(&table(&full), 1));
        let uneven = [&["0.99", "800"][..], &["0.95", "160"], &["0.90", "80"], &["0.85", "53"]];
        assert!(!is_axis(&table(&uneven), 0));
    }

    #[test]
    fn units_are_told_from_names() {
        for unit in ["(단위: 억원, %)", "(단위 : 천원)", "[단위 백만원]", "단위：%", "(Units: million)"]
        {
            assert!(is_unit(unit), "{unit}");
        }
        for name in ["단위·통합 테스트 수행", "단위 가격", "(단위농협)", "United Kingdom"] {
            assert!(!is_unit(name), "{name}");
        }
    }

    #[test]
    fn lines_of_sentences_are_prose() {
        let line: &[&str] = &["withholding tables are issued early", "in order to be posted in time"];
        let first: &[&str] = &["Early release copies of the tables", "They will be mailed to all employers"];
        assert!(is_prose(&table(&[first, line, line, first, line, line])));
        let row: &[&str] = &["Standard", "The environment allows to proceed quickly"];
        assert!(!is_prose(&table(&[row; 8])));
        assert!(!is_prose(&table(&[first; 8])));
    }

    #[test]
    fn captions_are_told_from_sentences() {
        assert!(is_caption("Table 3. Sales by region"));
        assert!(is_caption("<표 2> 연도별 예산"));
        assert!(is_caption("표2-1 연도별 예산"));
        assert!(!is_caption("Table of contents"));
        assert!(!is_caption("표준 단가"));
        assert!(is_table_caption("TABLE IV. Results") && is_table_caption("[표 1-2] 예산"));
        assert!(!is_table_caption("Figure 2: Results"));
    }
}
