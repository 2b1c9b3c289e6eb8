//! Evidence units of small documents, word for word.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::chunk::tokens::{Cl100k, TokenCounter};
use crate::chunk::{ChunkSettings, Chunking, units};
use crate::document::{BBox, Cell, CellRole, ElementKind, Page};
use crate::unit::{CaptionConfidence, UnitKind};

/// A column of elements on one page of 600 × 800 points: text, height of the space above it.
struct Column {
    document: Document,
    y: f32,
}

impl Column {
    fn new(lang: &str) -> Self {
        let pages = vec![Page { number: 1, width: 600.0, height: 800.0 }];
        Self { document: Document { lang: Some(lang.to_owned()), pages, ..Document::default() }, y: 50.0 }
    }

    fn add(mut self, kind: ElementKind, text: &str, gap: f32) -> Self {
        self.y += gap;
        let height = if matches!(kind, ElementKind::Table { .. }) { 100.0 } else { 12.0 };
        let bbox = BBox::new(60.0, self.y, 540.0, self.y + height);
        self.document.elements.push(Element::new(kind, text, 1, bbox));
        self.y += height;
        self
    }

    fn paragraph(self, text: &str) -> Self {
        self.add(ElementKind::Paragraph, text, 10.0)
    }

    fn heading(self, text: &str) -> Self {
        self.add(ElementKind::Heading { level: 1 }, text, 10.0)
    }

    fn table(self, table: Table) -> Self {
        self.add(ElementKind::Table { table }, "", 10.0)
    }

    fn units(mut self) -> Vec<Unit> {
        self.document.link_sections();
        let settings = ChunkSettings::default();
        units(&self.document, "doc", &settings, &settings.budget(None))
    }

    fn table_units(self) -> Vec<Unit> {
        self.units().into_iter().filter(|u| u.kind == UnitKind::Eu).collect()
    }
}

/// A table from rows of texts; `heads` header rows. `>` continues the cell to the left, `^` the one above.
fn grid(heads: usize, rows: &[&[&str]]) -> Table {
    let mut table = Table { rows: rows.len(), cols: rows[0].len(), ..Table::default() };
    for (row, line) in rows.iter().enumerate() {
        for (col, text) in line.iter().enumerate() {
            if [">", "^"].contains(text) {
                continue;
            }
            let colspan = 1 + line[col + 1..].iter().take_while(|t| **t == ">").count();
            let rowspan = 1 + rows[row + 1..].iter().take_while(|l| l[col] == "^").count();
            let role = if row < heads { CellRole::ColumnHeader } else { CellRole::Data };
            table.cells.push(Cell {
                row,
                col,
                rowspan,
                colspan,
                text: (*text).to_owned(),
                role,
                page: None,
                bbox: None,
            });
        }
    }
    table
}

fn small() -> Table {
    grid(1, &[&["Region", "Q1", "Q2"], &["North", "10", "12"], &["South", "7", "9"]])
}

#[test]
fn english_unit_in_full() {
    let units = Column::new("en")
        .heading("Sales")
        .paragraph("Sales rose in both regions.")
        .paragraph("Table 2. Sales by region")
        .paragraph("(in millions)")
        .table(small())
        .paragraph("Source: annual report.")
        .paragraph("As Table 2 shows, the north leads.")
        .units();
    assert_eq!(units.len(), 1);
    let unit = &units[0];
    assert_eq!(
        unit.text,
        "Table 2. Sales by region\n(in millions)\nSales rose in both regions.\nColumns: Region, Q1, Q2. 2 rows.\nSales\n\
         <table><thead><tr><th>Region</th><th>Q1</th><th>Q2</th></tr></thead><tbody><tr><td>North</td><td>10</td>\
         <td>12</td></tr><tr><td>South</td><td>7</td><td>9</td></tr></tbody></table>\nSource: annual report.\n\
         As Table 2 shows, the north leads."
    );
    assert_eq!(
        unit.retrieval_text,
        "Table 2. Sales by region\n(in millions)\nSales rose in both regions.\nColumns: Region, Q1, Q2. 2 rows.\nSales\n\
         North | Q1: 10 | Q2: 12\nSouth | Q1: 7 | Q2: 9\nSource: annual report.\nAs Table 2 shows, the north leads."
    );
    assert_eq!((unit.unit_id.as_str(), unit.original_eu_id.as_deref()), ("doc-p1-0", Some("doc-p1-0")));
    assert_eq!(unit.caption.as_deref(), Some("Table 2. Sales by region"));
    assert_eq!((unit.caption_confidence, unit.split_index, unit.total_splits), (CaptionConfidence::Inferred, 1, 1));
    assert_eq!(unit.headings, ["Sales"]);
    assert_eq!(unit.bbox, Some([0.1, 1.0 - 248.0 / 800.0, 0.9, 1.0 - 148.0 / 800.0]));
    assert_eq!(unit.parent_text, unit.text);
}

#[test]
fn korean_unit_in_full() {
    let table = grid(
        2,
        &[
            &["구분", "2023년", ">", "2024년", ">"],
            &["^", "매출", "이익", "매출", "이익"],
            &["국내", "100", "10", "120", "15"],
            &["해외1)", "80", "8", "90", "9*"],
        ],
    );
    let units = Column::new("ko")
        .heading("Ⅱ. 경영 성과")
        .paragraph("표 3은 부문별 실적을 보여준다.")
        .paragraph("<표 3> 부문별 실적")
        .paragraph("(단위: 억원)")
        .table(table)
        .paragraph("주: 1) 미국과 일본의 합계임.")
        .paragraph("자료: 사업보고서")
        .units();
    assert_eq!(units.len(), 1);
    assert_eq!(
        units[0].retrieval_text,
        "<표 3> 부문별 실적\n(단위: 억원)\n표 3은 부문별 실적을 보여준다.\n\
         열: 구분, 2023년 / 매출, 2023년 / 이익, 2024년 / 매출, 2024년 / 이익. 2행.\nⅡ. 경영 성과\n\
         국내 | 2023년 / 매출: 100 | 2023년 / 이익: 10 | 2024년 / 매출: 120 | 2024년 / 이익: 15\n\
         해외1) | 2023년 / 매출: 80 | 2023년 / 이익: 8 | 2024년 / 매출: 90 | 2024년 / 이익: 9*\n\
         주: 1) 미국과 일본의 합계임.\n자료: 사업보고서"
    );
    let rows: Vec<&str> = units[0].rows.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(rows[0], "국내 | 2023년 / 매출: 100 | 2023년 / 이익: 10 | 2024년 / 매출: 120 | 2024년 / 이익: 15");
    assert!(rows[1].ends_with("이익: 9* [주: 1) 미국과 일본의 합계임.]"), "{}", rows[1]);
    assert_eq!((units[0].rows[0].row, units[0].rows[1].row), (2, 3));
}

#[test]
fn sections_spans_and_labels_in_sentences() {
    let mut table = grid(
        1,
        &[
            &["Group", "Item", "Value"],
            &["Current assets", ">", ">"],
            &["Liquid", "Cash", "5"],
            &["^", "Bonds", "6"],
            &["Fixed assets", ">", ">"],
            &["Real", "Land", ""],
        ],
    );
    for cell in table.cells.iter_mut().filter(|c| c.row > 0 && c.colspan == 1 && c.col < 2) {
        cell.role = CellRole::RowHeader;
    }
    let units = Column::new("en").table(table).table_units();
    let rows: Vec<&str> = units[0].rows.iter().map(|r| r.text.as_str()).collect();
    assert_eq!(
        rows,
        [
            "Current assets | Liquid / Cash | Value: 5",
            "Current assets | Liquid / Bonds | Value: 6",
            "Fixed assets | Real / Land"
        ]
    );
    assert!(units[0].text.starts_with("Columns: Group, Item, Value. 3 rows.\n"), "{}", units[0].text);
}

#[test]
fn rows_without_header_have_no_invented_columns() {
    let table = grid(0, &[&["No", "a", "b"], &["1", "Seoul", "9"]]);
    let rows = Column::new("en").table(table).table_units().remove(0).rows;
    assert_eq!(rows.iter().map(|r| r.text.as_str()).collect::<Vec<_>>(), ["No | a | b", "1 | Seoul | 9"]);
}

#[test]
fn one_caption_per_table_and_sentences_are_none() {
    let units = Column::new("en")
        .paragraph("Table 1: First")
        .table(small())
        .paragraph("Table 2 shows that the second is better.")
        .paragraph("TABLE II")
        .paragraph("THE SECOND")
        .table(small())
        .paragraph("Figure 3. A drawing")
        .table(small())
        .table_units();
    let captions: Vec<Option<&str>> = units.iter().map(|u| u.caption.as_deref()).collect();
    assert_eq!(captions, [Some("Table 1: First"), Some("TABLE II THE SECOND"), None]);
}

#[test]
fn captions_below_tables_are_matched_as_a_whole() {
    // Each caption is nearer to the next table than to its own.
    let caption = |column: Column, text: &str| column.add(ElementKind::Caption, text, 12.0);
    let column = Column::new("en").table(small());
    let column = caption(column, "Table 1. A").table(small());
    let column = caption(column, "Table 2. B").table(small());
    let units = caption(column, "Table 3. C").table_units();
    let captions: Vec<Option<&str>> = units.iter().map(|u| u.caption.as_deref()).collect();
    assert_eq!(captions, [Some("Table 1. A"), Some("Table 2. B"), Some("Table 3. C")]);
}

#[test]
fn caption_in_the_first_row() {
    let table = grid(2, &[&["표 5. 인구", ">"], &["지역", "인구"], &["서울", "940"]]);
    let units = Column::new("ko").table(table).table_units();
    assert_eq!(units[0].caption.as_deref(), Some("표 5. 인구"));
    assert_eq!(units[0].retrieval_text, "표 5. 인구\n열: 지역, 인구. 1행.\n서울 | 인구: 940");
    assert!(!units[0].table_html.as_deref().unwrap().contains("표 5"));
}

#[test]
fn linked_caption_is_direct() {
    let mut table = small();
    table.captions = vec![0];
    let units = Column::new("en").add(ElementKind::Caption, "Sales by region", 0.0).table(table).table_units();
    assert_eq!(units[0].caption.as_deref(), Some("Sales by region"));
    assert_eq!(units[0].caption_confidence, CaptionConfidence::Direct);
}

#[test]
fn context_stops_at_headings_and_long_paragraphs_are_passed_over() {
    let long = "A sentence of a rather long paragraph about something. ".repeat(30);
    let units = Column::new("en")
        .paragraph("Before the heading.")
        .heading("Results")
        .paragraph("Short and near.")
        .paragraph(&long)
        .table(small())
        .heading("Discussion")
        .paragraph("After the heading.")
        .units();
    let texts: Vec<&str> = units.iter().map(|u| u.text.as_str()).collect();
    assert_eq!(texts.len(), 4);
    assert_eq!(texts[0], "Before the heading.");
    assert_eq!(texts[1], format!("Results\n{}", long.trim()));
    assert!(texts[2].starts_with("Short and near.\nColumns"), "{}", texts[2]);
    assert_eq!(texts[3], "Discussion\nAfter the heading.");
}

#[test]
fn a_paragraph_goes_to_the_table_that_it_names() {
    let units = Column::new("ko")
        .paragraph("<표 1> 가")
        .table(small())
        .paragraph("다음 절에서 표 2를 설명한다.")
        .heading("둘째")
        .paragraph("<표 2> 나")
        .table(small())
        .units();
    // It stands away from table 2, so it stays where it is and is attached as well.
    let holders: Vec<&str> =
        units.iter().filter(|u| u.text.contains("다음 절에서 표 2를")).map(|u| u.unit_id.as_str()).collect();
    assert_eq!(holders, ["doc-t0", "doc-p1-1"]);
}

#[test]
fn contents_and_empty_tables_are_no_evidence() {
    let contents = grid(0, &[&["1 Intro", ". . . . 1"], &["2 Method", ". . . . vii"], &["3 End", ". . . . 12"]]);
    let plain = grid(0, &[&["서론", "1"], &["본론", "5"], &["결론", "30"]]);
    let ranks = grid(1, &[&["Team", "Points"], &["A", "1"], &["B", "5"], &["C", "30"]]);
    let units = Column::new("ko").table(contents).heading("목 차").table(plain).heading("Ranks").table(ranks);
    let units = units.table(grid(1, &[&["", ""], &["", ""]])).units();
    let ids: Vec<&str> = units.iter().map(|u| u.unit_id.as_str()).collect();
    assert_eq!(ids, ["doc-t0", "doc-t1", "doc-p1-0"]);
    assert_eq!(units[0].text, "1 Intro | . . . . 1\n2 Method | . . . . vii\n3 End | . . . . 12");
    assert_eq!(units[2].table_index, Some(2));
}

#[test]
fn pieces_repeat_the_header_and_hold_each_row_once() {
    let cells: Vec<Vec<String>> =
        (0..200).map(|i| vec![format!("row{i}"), format!("left{i}"), format!("right{i}")]).collect();
    let mut rows: Vec<Vec<&str>> = vec![vec!["Name", "Left", "Right"]];
    rows.extend(cells.iter().map(|r| r.iter().map(String::as_str).collect()));
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let column = Column::new("en").paragraph("Table 1. Many").paragraph("(in percent)").table(grid(1, &rows));
    let units = column.paragraph("Note: rounded.").paragraph("An explanation.").units();
    assert!(units.len() > 5);
    let mut seen = Vec::new();
    for (n, unit) in units.iter().enumerate() {
        assert_eq!(unit.unit_id, format!("doc-p1-0-s{}", n + 1));
        assert_eq!(unit.original_eu_id.as_deref(), Some("doc-p1-0"));
        assert!(unit.text.starts_with(
            "Table 1. Many\n(in percent)\nColumns: Name, Left, Right. 200 rows.\n<table><thead><tr><th>Name"
        ));
        assert!(unit.text.ends_with("Note: rounded.\nAn explanation."));
        assert!(unit.tokens <= 512);
        let html = unit.table_html.as_deref().unwrap();
        for row in &unit.rows {
            let i = row.row - 1;
            assert_eq!(row.text, format!("row{i} | Left: left{i} | Right: right{i}"));
            assert!(html.contains(&format!("<td>left{i}</td>")));
            seen.push(row.row);
        }
    }
    assert_eq!(seen, (1..=200).collect::<Vec<_>>());
    // Filled: no piece but the last leaves room for several more rows.
    assert!(
        units.iter().rev().skip(1).all(|u| u.tokens > 470),
        "{:?}",
        units.iter().map(|u| u.tokens).collect::<Vec<_>>()
    );
    assert!(units[0].parent_text.contains("row0<") && units[0].parent_text.contains(" of 200 shown)"));
    assert!(units.iter().all(|u| Cl100k.count(&u.parent_text) <= 2_050));
}

/// Counts words, and how much text it was asked to count.
#[derive(Default)]
struct Meter(AtomicUsize);

impl TokenCounter for Meter {
    fn count(&self, text: &str) -> usize {
        self.0.fetch_add(text.len(), Ordering::Relaxed);
        text.split_whitespace().count()
    }
}

#[test]
fn long_tables_take_linear_work() {
    let work = |rows: usize| {
        let mut table = Table { rows: rows + 1, cols: 3, ..Table::default() };
        for row in 0..table.rows {
            for col in 0..table.cols {
                let role = if row == 0 { CellRole::ColumnHeader } else { CellRole::Data };
                let text = format!("{row:06} {col}");
                table.cells.push(Cell { row, col, rowspan: 1, colspan: 1, text, role, page: None, bbox: None });
            }
        }
        let document = Column::new("en").table(table).document;
        let meter = Meter::default();
        let units =
            units(&document, "doc", &ChunkSettings::default(), &Budget { max_tokens: 512, model: Some((&meter, 200)) });
        assert_eq!(units.iter().map(|u| u.rows.len()).sum::<usize>(), rows);
        meter.0.into_inner()
    };
    let (small, large) = (work(200), work(2_000));
    // Ten times the rows: about ten times the work, a hundred times if it were quadratic.
    assert!(large < small * 25, "{small} bytes counted for 200 rows, {large} for 2,000");
}

#[test]
fn baselines_have_tables_as_text() {
    let mut document = Column::new("en").heading("Sales").paragraph("Text.").table(small()).document;
    document.link_sections();
    let settings = ChunkSettings::default();
    let plain = crate::chunk::text::chunk(&document, "doc", &BTreeSet::new(), &settings.budget(None));
    let of = |mode| {
        let settings = ChunkSettings { mode, ..settings };
        units(&document, "doc", &settings, &settings.budget(None)).into_iter().map(|u| u.text).collect::<Vec<_>>()
    };
    let table = "Region | Q1 | Q2\nNorth | 10 | 12\nSouth | 7 | 9";
    assert_eq!(plain.iter().map(|u| u.text.as_str()).collect::<Vec<_>>(), [format!("Sales\nText.\n{table}")]);
    let triplets = "North, Q1 = 10. North, Q2 = 12. South, Q1 = 7. South, Q2 = 9";
    assert_eq!(of(Chunking::Hybrid), [format!("Sales\nText.\n{triplets}")]);
    assert_eq!(of(Chunking::Fixed), [format!("Sales\nText.\n{table}")]);
    assert_eq!(of(Chunking::Rows), ["Sales\nText.", "North | Q1: 10 | Q2: 12", "South | Q1: 7 | Q2: 9"]);
}
