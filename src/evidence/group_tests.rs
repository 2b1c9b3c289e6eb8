//! Rows that name a group of rows, where a table is divided.

use super::*;
use crate::chunk::{ChunkSettings, units};
use crate::document::{BBox, Cell, CellRole, ElementKind};

/// The units of a table with a header row; a row of one text names a group.
fn pieces(rows: &[&[&str]], max_tokens: usize) -> Vec<Unit> {
    let mut table = Table { rows: rows.len(), cols: 2, ..Table::default() };
    for (row, texts) in rows.iter().enumerate() {
        let colspan = 3 - texts.len();
        let role = match (row, colspan) {
            (0, _) => CellRole::ColumnHeader,
            (_, 2) => CellRole::Section,
            _ => CellRole::Data,
        };
        let cells = texts.iter().enumerate().map(|(col, text)| {
            let text = (*text).to_owned();
            Cell { row, col, rowspan: 1, colspan, text, role, ..Cell::default() }
        });
        table.cells.extend(cells);
    }
    let element = Element::new(ElementKind::Table { table }, "", 1, BBox::default());
    let document = Document { elements: vec![element], ..Document::default() };
    let settings = ChunkSettings { max_tokens, ..ChunkSettings::default() };
    units(&document, "doc", &settings, &settings.budget(None))
}

fn html(units: &[Unit]) -> Vec<&str> {
    units.iter().map(|u| u.table_html.as_deref().unwrap_or_default()).collect()
}

const HEAD: &str = "<table><thead><tr><th>Ward</th><th>Weeks</th></tr></thead><tbody>";

#[test]
fn the_name_of_a_group_goes_with_its_first_row_and_is_repeated_over_later_ones() {
    let rows: [&[&str]; 8] = [
        &["Ward", "Weeks"],
        &["Surgery"],
        &["North", "11"],
        &["South", "12"],
        &["Medicine"],
        &["East", "13"],
        &["West", "14"],
        &["Centre", "15"],
    ];
    let surgery = r#"<tr><th colspan="2">Surgery</th></tr>"#;
    let medicine = r#"<tr><th colspan="2">Medicine</th></tr>"#;
    let row = |name: &str, weeks: u8| format!("<tr><td>{name}</td><td>{weeks}</td></tr>");
    let end = "</tbody></table>";
    let units = pieces(&rows, 96);
    let expected = [
        format!("{HEAD}{surgery}{}{}{end}", row("North", 11), row("South", 12)),
        format!("{HEAD}{medicine}{}{}{end}", row("East", 13), row("West", 14)),
        format!("{HEAD}{medicine}{}{end}", row("Centre", 15)),
    ];
    assert_eq!(html(&units), expected);
    let texts: Vec<&str> = units.iter().flat_map(|u| &u.rows).map(|r| r.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "Surgery | North | Weeks: 11",
            "Surgery | South | Weeks: 12",
            "Medicine | East | Weeks: 13",
            "Medicine | West | Weeks: 14",
            "Medicine | Centre | Weeks: 15"
        ]
    );
}

#[test]
fn no_size_of_pieces_ends_with_the_name_of_a_group_or_loses_it() {
    let long = "a rather long account of what was seen there ".repeat(12);
    let rows: [&[&str]; 9] = [
        &["구분", "값"],
        &["수도권"],
        &["서울 지역", "1,234"],
        &["Outer ring"],
        &["Harbour", &long],
        &["Harbour and port", "2,345"],
        &["비수도권"],
        &["부산", "3,456"],
        &["End"],
    ];
    for max_tokens in (64..400).step_by(7) {
        let units = pieces(&rows, max_tokens);
        for (number, html) in html(&units).into_iter().enumerate() {
            let last = html.rsplit("<tr>").next().unwrap_or_default();
            let is_name = last.contains("colspan") && !last.contains(">End<");
            assert!(!is_name, "piece {number} of {max_tokens} tokens: {html}");
        }
        for name in ["수도권", "Outer ring", "비수도권", "End"] {
            assert!(units.iter().any(|u| u.text.contains(name)), "{name} at {max_tokens} tokens");
        }
        assert!(units.iter().all(|u| u.tokens as usize <= max_tokens));
    }
}

#[test]
fn a_divided_row_stands_under_the_name_of_its_group() {
    let long = "Every ward was asked twice. ".repeat(30);
    let units = pieces(&[&["Ward", "Weeks"], &["Surgery"], &["North", &long]], 128);
    assert!(units.len() > 1);
    for html in html(&units) {
        let start = format!(r#"{HEAD}<tr><th colspan="2">Surgery</th></tr><tr><td>North</td><td>Every ward"#);
        assert!(html.starts_with(&start), "{html}");
    }
}
