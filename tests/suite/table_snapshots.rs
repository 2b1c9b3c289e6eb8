//! Tables on real pages of the shared corpus as compact text (`tests/data/tables`), at least a page for each way in which they
//! are found. `EVINDEX_BLESS=1` writes the files anew: look at what has changed.
//!
//! The first line of a file names the PDF below the corpus and the page. A cell is its text, behind `^` where it heads a
//! column, `>` a row, `#` a section, and behind `[rows x columns]` where it covers several places; `"` is covered by the cell
//! above it or on its left.

use std::fmt::Write;

use evindex::document::{CellRole, Document, Table};
use evindex::parse::{Format, ParseOptions, parse_bytes};

use super::support::{root, shared};

/// The table as a line of text for each row.
fn grid_text(table: &Table) -> String {
    let mut places = vec![vec!["\"".to_owned(); table.cols]; table.rows];
    for cell in &table.cells {
        let role = match cell.role {
            CellRole::Data => "",
            CellRole::ColumnHeader => "^",
            CellRole::RowHeader => ">",
            CellRole::Section => "#",
        };
        let span = match (cell.rowspan, cell.colspan) {
            (1, 1) => String::new(),
            (rows, cols) => format!("[{rows}x{cols}]"),
        };
        places[cell.row][cell.col] = format!("{role}{span}{}", cell.text);
    }
    places.iter().fold(String::new(), |out, row| out + row.join(" | ").trim_end() + "\n")
}

fn tables_text(document: &Document) -> String {
    let tables = document.elements.iter().filter_map(|e| e.table());
    tables.fold(String::new(), |mut out, table| {
        write!(out, "\n{} x {}\n{}", table.rows, table.cols, grid_text(table)).unwrap();
        out
    })
}

#[test]
fn tables_on_real_pages() {
    let Some(corpus) = shared("corpus") else { return };
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/data/tables")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 15, "{}", files.len());
    let mut differ = Vec::new();
    for file in files {
        let known = std::fs::read_to_string(&file).unwrap();
        let place = known.lines().next().unwrap();
        let (pdf, page) = place.rsplit_once(' ').unwrap();
        let page: u32 = page.parse().unwrap();
        let options = ParseOptions { pages: Some(page..=page), ..ParseOptions::default() };
        let document = match parse_bytes(Format::Pdf, &std::fs::read(corpus.join(pdf)).unwrap(), &options) {
            Ok(document) => document,
            Err(error) => panic!("{pdf}: {error}"),
        };
        let found = format!("{place}\n{}", tables_text(&document));
        if std::env::var_os("EVINDEX_BLESS").is_some() {
            std::fs::write(&file, found).unwrap();
        } else if found != known {
            let lines = || found.lines().zip(known.lines()).filter(|(a, b)| a != b).take(5);
            let lines = lines().fold(String::new(), |out, (a, b)| out + "  found " + a + "\n  known " + b + "\n");
            differ.push(format!("{}:\n{lines}", file.display()));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join(""));
}

#[test]
fn the_text_shows_roles_and_spans() {
    use evindex::document::Cell;
    let cell = |row, col, colspan, role, text: &str| Cell {
        row,
        col,
        rowspan: 1,
        colspan,
        role,
        text: text.into(),
        ..Cell::default()
    };
    let cells = vec![
        cell(0, 0, 1, CellRole::Data, ""),
        cell(0, 1, 2, CellRole::ColumnHeader, "Sales"),
        cell(1, 0, 1, CellRole::RowHeader, "North"),
        cell(1, 1, 1, CellRole::Data, "1"),
        cell(1, 2, 1, CellRole::Data, ""),
    ];
    let table = Table { rows: 2, cols: 3, cells, ..Table::default() };
    assert_eq!(grid_text(&table), " | ^[1x2]Sales | \"\n>North | 1 |\n");
}
