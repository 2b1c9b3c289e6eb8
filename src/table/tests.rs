//! Tables on small constructed pages.

mod bounded;
mod drawings;
mod forms;
mod headers;
mod tagged;
mod turned;

use super::*;
use crate::document::CellRole;
use crate::pdf::{Fill, Rule, Word};

/// Characters are this wide and words of a phrase this far apart, in points.
const CHAR: f32 = 5.0;
const SPACE: f32 = 3.0;

/// A page of 600 × 800 points on which text of size 10 can be set.
struct Sheet(PageContent);

impl Sheet {
    fn new() -> Self {
        Self(PageContent { number: 1, width: 600.0, height: 800.0, ..PageContent::default() })
    }

    /// Sets the words of `text` from `x` on, on the baseline `y`.
    fn text(mut self, x: f32, y: f32, text: &str) -> Self {
        let mut left = x;
        for part in text.split(' ') {
            let right = left + CHAR * part.chars().count() as f32;
            self.0.words.push(Word {
                text: part.into(),
                bbox: BBox { x0: left, y0: y - 8.0, x1: right, y1: y + 2.0 },
                baseline: y,
                size: 10.0,
                space_before: true,
                ..Word::default()
            });
            left = right + SPACE;
        }
        self
    }

    fn row(self, y: f32, xs: &[f32], texts: &[&str]) -> Self {
        xs.iter().zip(texts).filter(|(_, t)| !t.is_empty()).fold(self, |s, (x, t)| s.text(*x, y, t))
    }

    fn across(mut self, y: f32, x0: f32, x1: f32) -> Self {
        self.0.rules.push(Rule { bbox: BBox { x0, y0: y, x1, y1: y }, width: 0.5, horizontal: true });
        self
    }

    fn down(mut self, x: f32, y0: f32, y1: f32) -> Self {
        self.0.rules.push(Rule { bbox: BBox { x0: x, y0, x1: x, y1 }, width: 0.5, horizontal: false });
        self
    }

    fn shade(mut self, x0: f32, y0: f32, x1: f32, y1: f32) -> Self {
        self.0.fills.push(Fill { bbox: BBox { x0, y0, x1, y1 }, rgb: [200, 210, 220] });
        self
    }

    fn find(&self) -> Vec<FoundTable> {
        find(&self.0)
    }
}

/// The cells as `row,col rowspan×colspan text`, without the empty ones.
fn cells(table: &Table) -> Vec<String> {
    let spans = |c: &crate::document::Cell| match (c.rowspan, c.colspan) {
        (1, 1) => String::new(),
        (r, k) => format!(" {r}x{k}"),
    };
    table
        .cells
        .iter()
        .filter(|c| !c.text.is_empty())
        .map(|c| format!("{},{}{} {}", c.row, c.col, spans(c), c.text))
        .collect()
}

fn roles(table: &Table, role: CellRole) -> Vec<&str> {
    table.cells.iter().filter(|c| c.role == role && !c.text.is_empty()).map(|c| c.text.as_str()).collect()
}

/// Three columns under a merged header, fully ruled.
fn merged_header() -> Sheet {
    let sheet = [100.0, 140.0, 160.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0));
    let sheet = sheet.across(120.0, 150.0, 350.0);
    let sheet = [50.0, 150.0, 350.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 160.0));
    sheet
        .down(250.0, 120.0, 160.0)
        .row(123.0, &[60.0, 220.0], &["지역", ""])
        .text(220.0, 113.0, "매출 (백만원)")
        .row(133.0, &[160.0, 260.0], &["2023", "2024"])
        .row(153.0, &[60.0, 160.0, 260.0], &["서울", "1,200", "1,350"])
}

#[test]
fn ruled_grid_with_merged_header() {
    let found = merged_header().find();
    assert_eq!(found.len(), 1);
    let table = &found.first().unwrap().table;
    assert_eq!(
        cells(table),
        ["0,0 2x1 지역", "0,1 1x2 매출 (백만원)", "1,1 2023", "1,2 2024", "2,0 서울", "2,1 1,200", "2,2 1,350"]
    );
    assert_eq!(roles(table, CellRole::ColumnHeader), ["지역", "매출 (백만원)", "2023", "2024"]);
    assert_eq!(roles(table, CellRole::RowHeader), ["서울"]);
    assert_eq!(found.first().unwrap().kind, Kind::Ruled);
    assert_eq!(found.first().unwrap().words.len(), 8);
    let corner = table.cells.first().unwrap();
    assert_eq!((corner.page, corner.bbox), (Some(1), Some(BBox { x0: 50.0, y0: 100.0, x1: 150.0, y1: 140.0 })));
}

#[test]
fn rules_around_the_header_only() {
    let xs = [60.0, 200.0, 300.0];
    let sheet = [100.0, 120.0, 200.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0));
    let sheet = [50.0, 180.0, 280.0, 350.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 200.0));
    let found = sheet
        .row(113.0, &xs, &["Fruit", "Tons", "Price"])
        .row(135.0, &xs, &["Apples", "12", "1.5"])
        .row(150.0, &xs, &["Pears from the", "7", "2.5"])
        .row(162.0, &xs, &["southern valleys", "", ""])
        .row(177.0, &xs, &["Plums", "-", "3.0"])
        .find();
    let table = &found.first().unwrap().table;
    assert_eq!((table.rows, table.cols), (4, 3));
    assert_eq!(cells(table).get(6).map(String::as_str), Some("2,0 Pears from the southern valleys"));
}

#[test]
fn shading_alone_bounds_cells() {
    let xs = [60.0, 160.0, 260.0];
    let sheet =
        (0..3).fold(Sheet::new(), |s, i| s.shade(50.0 + 100.0 * i as f32, 100.0, 148.0 + 100.0 * i as f32, 120.0));
    let sheet = (0..3).fold(sheet, |s, i| s.shade(50.0 + 100.0 * i as f32, 140.0, 148.0 + 100.0 * i as f32, 160.0));
    let found = sheet
        .row(113.0, &xs, &["Key", "Left", "Right"])
        .row(133.0, &xs, &["One", "red", "green"])
        .row(153.0, &xs, &["Two", "blue", "black"])
        .find();
    assert_eq!(found.len(), 1);
    let table = &found.first().unwrap().table;
    assert_eq!((table.rows, table.cols), (3, 3));
    assert_eq!(cells(table).last().map(String::as_str), Some("2,2 black"));
}

#[test]
fn booktabs_with_spanners() {
    let sheet = [100.0, 140.0, 200.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 450.0));
    let xs = [60.0, 160.0, 240.0, 320.0, 400.0];
    let found = sheet
        .across(118.0, 150.0, 280.0)
        .across(118.0, 310.0, 440.0)
        .text(200.0, 113.0, "Women")
        .text(365.0, 113.0, "Men")
        .row(133.0, &xs, &["Age", "No.", "Rate", "No.", "Rate"])
        .row(155.0, &xs, &["15-44", "100", "1.5", "120", "1.7"])
        .row(170.0, &xs, &["45-64", "200", "2.5", "220", "2.7"])
        .row(185.0, &xs, &["65+", "300", "3.5", "320", "3.7"])
        .find();
    assert_eq!(found.len(), 1);
    let table = &found.first().unwrap().table;
    assert_eq!(
        cells(table).get(..7).unwrap(),
        ["0,0 2x1 Age", "0,1 1x2 Women", "0,3 1x2 Men", "1,1 No.", "1,2 Rate", "1,3 No.", "1,4 Rate"]
    );
    assert_eq!((table.rows, table.header_rows()), (5, 2));
}

#[test]
fn white_space_alone() {
    let xs = [60.0, 200.0, 300.0];
    let found = Sheet::new()
        .text(50.0, 80.0, "The following figures were reported by the three regional offices in the year under review:")
        .row(113.0, &xs, &["Office", "Staff", "Cases"])
        .row(128.0, &xs, &["North", "12", "1,500"])
        .row(143.0, &xs, &["South", "7", "2,500"])
        .row(158.0, &xs, &["East", "9", "3,000"])
        .find();
    assert_eq!(found.len(), 1);
    let table = &found.first().unwrap().table;
    assert_eq!((table.rows, table.cols, table.header_rows()), (4, 3, 1));
    assert_eq!(found.first().unwrap().kind, Kind::Aligned);
    assert_eq!(roles(table, CellRole::RowHeader), ["North", "South", "East"]);
}

#[test]
fn two_columns_of_prose_are_no_table() {
    let line = "words of running text that fill the whole column";
    let sheet = (0..12).fold(Sheet::new(), |s, i| {
        s.text(40.0, 100.0 + 12.0 * i as f32, line).text(320.0, 100.0 + 12.0 * i as f32, line)
    });
    assert_eq!(sheet.find(), vec![]);
}

#[test]
fn framed_prose_lists_and_contents_are_no_tables() {
    let line = "words of running text that fill the whole width of the box from side to side";
    let boxed = (0..5).fold(Sheet::new(), |s, i| s.text(60.0, 120.0 + 12.0 * i as f32, line));
    let boxed =
        boxed.across(100.0, 50.0, 550.0).across(180.0, 50.0, 550.0).down(50.0, 100.0, 180.0).down(550.0, 100.0, 180.0);
    assert_eq!(boxed.find(), vec![]);
    let list =
        (1..6).fold(Sheet::new(), |s, i| s.row(100.0 + 15.0 * i as f32, &[60.0, 90.0], &[&format!("{i}."), "An item"]));
    assert_eq!(list.find(), vec![]);
    let contents = (1..8).fold(Sheet::new(), |s, i| {
        s.row(100.0 + 15.0 * i as f32, &[60.0, 400.0], &["A chapter", &(7 * i).to_string()])
    });
    assert_eq!(contents.find(), vec![]);
}

#[test]
fn gridlines_of_a_chart_are_no_table() {
    let mut sheet = Sheet::new();
    for i in 0..6 {
        let at = 100.0 + 40.0 * i as f32;
        sheet = sheet.across(at, 60.0, 360.0).text(30.0, at + 3.0, &format!("{}", 50 - 10 * i));
        sheet = sheet.down(60.0 + 60.0 * i as f32, 100.0, 300.0).text(
            50.0 + 60.0 * i as f32,
            315.0,
            &format!("{}", 2000 + i),
        );
    }
    assert_eq!(sheet.find(), vec![]);
}

#[test]
fn titles_and_notes_inside_the_frame_are_left_outside() {
    let sheet = [100.0, 120.0, 140.0, 160.0, 180.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0));
    let sheet = [50.0, 350.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 180.0));
    let found = sheet
        .down(200.0, 120.0, 160.0)
        .text(60.0, 113.0, "Table 4. Budget")
        .row(133.0, &[60.0, 210.0], &["Item", "Amount"])
        .row(153.0, &[60.0, 210.0], &["Travel", "500"])
        .text(60.0, 173.0, "Source: Ministry")
        .find();
    let found = found.first().unwrap();
    assert_eq!(cells(&found.table), ["0,0 Item", "0,1 Amount", "1,0 Travel", "1,1 500"]);
    assert_eq!((found.bbox.y0, found.bbox.y1), (120.0, 160.0));
}

#[test]
fn a_table_over_two_pages_is_one_with_one_header() {
    let part = |top: f32, first: &str, second: &str| {
        let sheet = (0..4).fold(Sheet::new(), |s, i| s.across(top + 20.0 * i as f32, 50.0, 350.0));
        let sheet = [50.0, 200.0, 350.0].iter().fold(sheet, |s, x| s.down(*x, top, top + 60.0));
        sheet
            .row(top + 13.0, &[60.0, 210.0], &["Item", "Amount"])
            .row(top + 33.0, &[60.0, 210.0], &[first, "500"])
            .row(top + 53.0, &[60.0, 210.0], &[second, "700"])
            .find()
    };
    let paged = |page: u32, found: Vec<FoundTable>| PagedTable {
        page,
        page_height: 800.0,
        found: found.into_iter().next().unwrap(),
    };
    let tables = [paged(1, part(720.0, "Travel", "Rent")), paged(2, part(40.0, "Staff", "Other"))];
    let joined = join_across_pages(&tables, &|_, _| true);
    assert_eq!(joined.len(), 1);
    let (parts, table) = joined.first().unwrap();
    assert_eq!(parts, &[0, 1]);
    assert_eq!(
        cells(table),
        [
            "0,0 Item",
            "0,1 Amount",
            "1,0 Travel",
            "1,1 500",
            "2,0 Rent",
            "2,1 700",
            "3,0 Staff",
            "3,1 500",
            "4,0 Other",
            "4,1 700"
        ]
    );
    assert_eq!(join_across_pages(&tables, &|_, _| false).len(), 2);
    // The header says so too where much of the page is empty.
    let high = [paged(1, part(300.0, "Travel", "Rent")), paged(2, part(300.0, "Staff", "Other"))];
    assert_eq!(join_across_pages(&high, &|_, _| true).len(), 1);
    let mut other = high.clone();
    other[1].found.table.cells[0].text = "Place".into();
    assert_eq!(join_across_pages(&other, &|_, _| true).len(), 2);
}

#[test]
fn a_table_with_a_header_of_its_own_continues_no_other() {
    let grid = |x: f32, y: f32, texts: [[&str; 2]; 3]| {
        let sheet = (0..4).fold(Sheet::new(), |s, i| s.across(y + 20.0 * i as f32, x, x + 200.0));
        let sheet = [x, x + 100.0, x + 200.0].iter().fold(sheet, |s, x| s.down(*x, y, y + 60.0));
        let set =
            |s: Sheet, (i, row): (usize, &[&str; 2])| s.row(y + 13.0 + 20.0 * i as f32, &[x + 5.0, x + 105.0], row);
        let found = texts.iter().enumerate().fold(sheet, set).find().into_iter().next().unwrap();
        PagedTable { page: 1, page_height: 800.0, found }
    };
    let left = grid(50.0, 700.0, [["K1", "V1"], ["a", "10"], ["b", "20"]]);
    let other = grid(300.0, 40.0, [["K2", "V2"], ["a", "30"], ["b", "40"]]);
    let rest = grid(300.0, 40.0, [["c", "30"], ["d", "40"], ["e", "50"]]);
    assert_eq!(join_across_pages(&[left.clone(), other], &|_, _| true).len(), 2);
    assert_eq!(join_across_pages(&[left, rest], &|_, _| true).len(), 1);
}

#[test]
fn a_last_row_alone_on_the_next_page_continues_the_table() {
    let grid = |top: f32, mid: f32, texts: &[[&str; 2]]| {
        let rows = texts.len() as f32;
        let sheet = (0..=texts.len()).fold(Sheet::new(), |s, i| s.across(top + 20.0 * i as f32, 50.0, 350.0));
        let sheet = [50.0, mid, 350.0].iter().fold(sheet, |s, x| s.down(*x, top, top + 20.0 * rows));
        let set =
            |s: Sheet, (i, row): (usize, &[&str; 2])| s.row(top + 13.0 + 20.0 * i as f32, &[60.0, mid + 10.0], row);
        texts.iter().enumerate().fold(sheet, set)
    };
    let first = |bottom: f32| {
        let found = grid(bottom - 60.0, 200.0, &[["Term", "Meaning"], ["Alpha", "first"], ["Beta", "second"]]).find();
        PagedTable { page: 1, page_height: 800.0, found: found.into_iter().next().unwrap() }
    };
    let rest = |top: f32, mid: f32, before: &PagedTable| {
        let mut page = grid(top, mid, &[["Gamma", "third"]]).0;
        page.number = 2;
        assert_eq!(find(&page), vec![]);
        find_rest(&page, &before.found, before.page, before.page_height)
    };
    let before = first(760.0);
    let found = rest(40.0, 200.0, &before).unwrap();
    assert_eq!(cells(&found.table), ["0,0 Gamma", "0,1 third"]);
    let joined = join_across_pages(&[before.clone(), PagedTable { page: 2, page_height: 800.0, found }], &|_, _| true);
    let [(_, table)] = joined.as_slice() else { panic!("not joined") };
    assert_eq!((table.rows, cells(table)[6..].to_vec()), (4, vec!["3,0 Gamma".to_owned(), "3,1 third".to_owned()]));
    // Other columns, the middle of the page, or a table that ends high up.
    assert_eq!(rest(40.0, 190.0, &before), None);
    assert_eq!(rest(400.0, 200.0, &before), None);
    assert_eq!(rest(40.0, 200.0, &first(400.0)), None);
}

#[test]
fn a_table_set_sideways_is_found_and_its_boxes_turned_back() {
    let upright = merged_header();
    let mut page = upright.0.clone();
    // The page as if turned counter-clockwise: text runs upwards.
    let turn = |b: &BBox| BBox { x0: b.y0, y0: 600.0 - b.x1, x1: b.y1, y1: 600.0 - b.x0 };
    (page.width, page.height) = (800.0, 600.0);
    for word in &mut page.words {
        (word.bbox, word.angle) = (turn(&word.bbox), 90);
    }
    for rule in &mut page.rules {
        (rule.bbox, rule.horizontal) = (turn(&rule.bbox), !rule.horizontal);
    }
    let (found, expected) = (find(&page), upright.find());
    assert_eq!(cells(&found.first().unwrap().table), cells(&expected.first().unwrap().table));
    assert_eq!(found.first().unwrap().bbox, turn(&expected.first().unwrap().bbox));
}

#[test]
fn odd_input_does_no_harm() {
    let mut sheet = Sheet::new().across(f32::NAN, 0.0, f32::INFINITY).down(0.0, f32::NEG_INFINITY, 5.0);
    sheet = sheet.text(f32::NAN, 10.0, "a b").text(1e30, -1e30, "c").shade(f32::NAN, 0.0, 1.0, f32::INFINITY);
    assert_eq!(sheet.find(), vec![]);
}
