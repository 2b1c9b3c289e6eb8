//! Parsing and evidence units of the fixtures against their ground truth in `fixtures/expected`.

use std::path::PathBuf;

use evindex::chunk::{ChunkSettings, tokens::Budget};
use evindex::document::{Document, ElementKind, Table};
use evindex::parse::Format;
use evindex::unit::{Unit, UnitKind};
use serde::Deserialize;

use super::support::{fixture_pdfs, root};

#[derive(Deserialize)]
struct Truth {
    document: String,
    pages: u32,
    headings: Vec<Heading>,
    tables: Vec<TrueTable>,
}

#[derive(Deserialize)]
struct Heading {
    level: u8,
    text: String,
}

#[derive(Deserialize)]
struct TrueTable {
    pages: Vec<u32>,
    caption: String,
    notes: Vec<String>,
    explained_by: Vec<String>,
    table: Table,
}

/// Every fixture that has text, with its truth.
fn fixtures() -> Vec<(PathBuf, Truth)> {
    let mut all: Vec<(PathBuf, Truth)> = std::fs::read_dir(root().join("fixtures/expected"))
        .unwrap()
        .map(|e| serde_json::from_str::<Truth>(&std::fs::read_to_string(e.unwrap().path()).unwrap()).unwrap())
        .filter(|t| t.document != "scanned-minutes.pdf")
        .map(|t| (fixture_pdfs().join(&t.document), t))
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(all.len(), 6);
    all
}

fn read(path: &std::path::Path) -> (Document, Vec<Unit>) {
    let settings = ChunkSettings::default();
    let budget = Budget { max_tokens: settings.max_tokens, model: None };
    evindex::pipeline::units_of(&std::fs::read(path).unwrap(), Format::Pdf, "doc", &[], &settings, &budget).unwrap()
}

/// A table as lines of its cells: `row,col rowspan×colspan role text`.
fn lines(table: &Table) -> Vec<String> {
    let mut lines = vec![format!("{} rows, {} columns", table.rows, table.cols)];
    lines.extend(
        table.cells.iter().map(|c| format!("{},{} {}×{} {:?} {}", c.row, c.col, c.rowspan, c.colspan, c.role, c.text)),
    );
    lines
}

/// Where two lists differ, as `-expected` and `+found`.
fn difference(expected: &[String], found: &[String]) -> Vec<String> {
    let missing = expected.iter().filter(|l| !found.contains(l)).map(|l| format!("-{l}"));
    let extra = found.iter().filter(|l| !expected.contains(l)).map(|l| format!("+{l}"));
    missing.chain(extra).collect()
}

/// Without white space: Korean text may break its lines inside words, which no reader can tell from a space.
fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn tables_are_recognised_cell_by_cell() {
    let mut faults = Vec::new();
    for (path, truth) in fixtures() {
        let (document, _) = read(&path);
        let found: Vec<&Table> = document.elements.iter().filter_map(|e| e.table()).collect();
        if found.len() != truth.tables.len() {
            faults.push(format!("{}: {} tables, not {}", truth.document, found.len(), truth.tables.len()));
        }
        for (expected, table) in truth.tables.iter().zip(found) {
            let differs = difference(&lines(&expected.table), &lines(table));
            if !differs.is_empty() {
                faults.push(format!("{}: {}\n  {}", truth.document, expected.caption, differs.join("\n  ")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn headings_are_recognised_with_their_levels() {
    let mut faults = Vec::new();
    for (path, truth) in fixtures() {
        let (document, _) = read(&path);
        assert_eq!(document.pages.len(), truth.pages as usize);
        let found: Vec<String> = document
            .elements
            .iter()
            .filter_map(|e| match e.kind {
                ElementKind::Heading { level } => Some(format!("{level} {}", e.text)),
                _ => None,
            })
            .collect();
        let expected: Vec<String> = truth.headings.iter().map(|h| format!("{} {}", h.level, h.text)).collect();
        let differs = difference(&expected, &found);
        if !differs.is_empty() {
            faults.push(format!("{}\n  {}", truth.document, differs.join("\n  ")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn evidence_units_hold_caption_notes_and_explanation() {
    let mut faults = Vec::new();
    for (path, truth) in fixtures() {
        let (_, units) = read(&path);
        for (index, expected) in truth.tables.iter().enumerate() {
            let pieces: Vec<&Unit> = units
                .iter()
                .filter(|u| u.kind == UnitKind::Eu && u.table_index == Some(u32::try_from(index).unwrap()))
                .collect();
            let Some(first) = pieces.first() else {
                faults.push(format!("{}: no unit for {}", truth.document, expected.caption));
                continue;
            };
            let all = squeeze(&pieces.iter().map(|p| p.text.as_str()).collect::<Vec<_>>().join("\n"));
            let mut check = |ok: bool, what: String| {
                if !ok {
                    faults.push(format!("{}: {}: {what}", truth.document, expected.caption));
                }
            };
            check(
                first.caption.as_deref().map(squeeze) == Some(squeeze(&expected.caption)),
                format!("caption {:?}", first.caption),
            );
            check(expected.pages.iter().all(|p| pieces.iter().any(|u| u.pages.contains(p))), "pages".into());
            for text in expected.notes.iter().chain(&expected.explained_by) {
                check(all.contains(&squeeze(text)), format!("lacks {text:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_word_is_in_a_unit() {
    for (path, truth) in fixtures() {
        let (document, units) = read(&path);
        let all = squeeze(
            &units
                .iter()
                .map(|u| format!("{}\n{}\n{}", u.headings.join("\n"), u.text, u.retrieval_text))
                .collect::<Vec<_>>()
                .join("\n"),
        );
        for element in document.elements.iter().filter(|e| !e.kind.is_furniture() && e.table().is_none()) {
            for word in element.text.split_whitespace() {
                assert!(all.contains(word), "{}: {word:?} of {:?} is lost", truth.document, element.text);
            }
        }
        for cell in document.elements.iter().filter_map(|e| e.table()).flat_map(|t| &t.cells) {
            for word in cell.text.split_whitespace() {
                assert!(all.contains(word), "{}: cell word {word:?} is lost", truth.document);
            }
        }
    }
}
