//! Tables of the structure tree against the words of a page.

use super::*;
use crate::pdf::tags::{Kid, Tag};

fn tag(role: &str, kids: Vec<Tag>) -> Tag {
    Tag {
        role: role.into(),
        row_span: 1,
        col_span: 1,
        kids: kids.into_iter().map(Kid::Tag).collect(),
        ..Tag::default()
    }
}

/// A cell with the marked content `mcid` of page 1; none for an empty cell.
fn cell(role: &str, mcid: Option<u32>) -> Tag {
    Tag { kids: mcid.map(|mcid| Kid::Content { page: 1, mcid }).into_iter().collect(), ..tag(role, vec![]) }
}

fn row(roles: &[&str], from: u32) -> Tag {
    tag("TR", roles.iter().zip(from..).map(|(role, mcid)| cell(role, Some(mcid))).collect())
}

/// Sets `text` as the next marked content.
fn mark(sheet: Sheet, x: f32, y: f32, mcid: u32, text: &str) -> Sheet {
    let from = sheet.0.words.len();
    let mut sheet = sheet.text(x, y, text);
    sheet.0.words[from..].iter_mut().for_each(|w| w.mcid = Some(mcid));
    sheet
}

fn marks(sheet: Sheet, y: f32, from: u32, texts: &[(f32, &str)]) -> Sheet {
    texts.iter().zip(from..).fold(sheet, |s, ((x, text), mcid)| mark(s, *x, y, mcid, text))
}

fn found(sheet: &Sheet, tags: &[Tag]) -> Vec<FoundTable> {
    find_tagged(&sheet.0, TaggedTables::of(tags).on(1))
}

/// Names of two levels over rows whose names have two lines: white space alone gives no such grid.
fn page() -> Sheet {
    let sheet = mark(Sheet::new(), 60.0, 113.0, 0, "Group");
    let sheet = mark(sheet, 150.0, 113.0, 1, "Sales of goods");
    let sheet = marks(sheet, 125.0, 2, &[(150.0, "Home"), (220.0, "Abroad")]);
    let sheet = marks(sheet, 140.0, 4, &[(60.0, "Pens and")]);
    let sheet = mark(sheet, 60.0, 152.0, 4, "Pencils");
    let sheet = marks(sheet, 140.0, 5, &[(150.0, "good"), (220.0, "fair")]);
    marks(sheet, 167.0, 7, &[(60.0, "Rulers"), (150.0, "poor"), (220.0, "none")])
}

fn tree() -> Tag {
    let mut top = row(&["TH", "TH"], 0);
    for (kid, (rows, cols)) in top.kids.iter_mut().zip([(2, 1), (1, 2)]) {
        if let Kid::Tag(cell) = kid {
            (cell.row_span, cell.col_span) = (rows, cols);
        }
    }
    let head = tag("THead", vec![top, row(&["TH", "TH"], 2)]);
    let body = tag("TBody", vec![row(&["TH", "TD", "TD"], 4), row(&["TH", "TD", "TD"], 7)]);
    tag("Table", vec![head, body])
}

const CELLS: [&str; 10] = [
    "0,0 2x1 Group",
    "0,1 1x2 Sales of goods",
    "1,1 Home",
    "1,2 Abroad",
    "2,0 Pens and Pencils",
    "2,1 good",
    "2,2 fair",
    "3,0 Rulers",
    "3,1 poor",
    "3,2 none",
];

#[test]
fn the_tree_gives_cells_spans_and_roles() {
    let found = found(&page(), &[tree()]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, Kind::Tagged);
    assert_eq!(cells(&found[0].table), CELLS);
    assert_eq!(roles(&found[0].table, CellRole::ColumnHeader), ["Group", "Sales of goods", "Home", "Abroad"]);
    assert_eq!(roles(&found[0].table, CellRole::RowHeader), ["Pens and Pencils", "Rulers"]);
    assert_eq!(found[0].bbox, BBox { x0: 60.0, y0: 105.0, x1: 250.0, y1: 169.0 });
}

#[test]
fn a_word_without_a_tag_goes_to_the_cell_around_it() {
    let sheet = page().text(175.0, 140.0, "(new)");
    let found = found(&sheet, &[tree()]);
    assert_eq!(cells(&found[0].table)[5], "2,1 good (new)");
    assert_eq!(found[0].words.len(), sheet.0.words.len());
}

#[test]
fn trees_that_do_not_fit_the_page_are_passed_over() {
    let is_tagged = |tag: &Tag| found(&page(), std::slice::from_ref(tag)).iter().any(|t| t.kind == Kind::Tagged);
    assert!(is_tagged(&tree()));
    // A row too short, a span too wide, rows in another order than on the page, a layout of the page around a table.
    let short = tag("Table", vec![row(&["TH", "TH", "TH"], 4), row(&["TD", "TD"], 7)]);
    let mut wide = tree();
    if let Kid::Tag(head) = &mut wide.kids[0]
        && let Kid::Tag(row) = &mut head.kids[1]
        && let Kid::Tag(cell) = &mut row.kids[1]
    {
        cell.col_span = 2;
    }
    let swapped = tag("Table", vec![row(&["TH", "TH", "TH"], 7), row(&["TD", "TD", "TD"], 4)]);
    for other in [&short, &wide, &swapped] {
        assert!(!is_tagged(other), "{other:?}");
    }
    let layout = tag("Table", vec![tag("TR", vec![tag("TD", vec![tree()])])]);
    let tables = TaggedTables::of(&[layout]);
    assert_eq!(tables.on(1).len(), 1);
}

#[test]
fn two_rows_without_header_cells_lay_out_the_page() {
    let rows = |count: u32| tag("Table", (0..count).map(|i| row(&["TD", "TD", "TD"], 3 * i)).collect());
    let page = |count: u32| {
        (0..count).fold(Sheet::new(), |s, i| {
            marks(s, 113.0 + 15.0 * i as f32, 3 * i, &[(60.0, "Pens"), (150.0, "good"), (220.0, "fair")])
        })
    };
    assert_eq!(found(&page(2), &[rows(2)]), vec![]);
    assert_eq!(found(&page(3), &[rows(3)]).len(), 1);
}

#[test]
fn a_grid_of_rules_keeps_its_boxes_and_takes_the_roles() {
    let sheet = [100.0, 120.0, 140.0, 160.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0));
    let sheet = [50.0, 150.0, 250.0, 350.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 160.0));
    let xs = [60.0, 160.0, 260.0];
    let line = |s, y, from, texts: [&'static str; 3]| marks(s, y, from, &[0, 1, 2].map(|i| (xs[i], texts[i])));
    let sheet = line(sheet, 113.0, 0, ["Pens", "good", "fair"]);
    let sheet = line(line(sheet, 133.0, 3, ["Rulers", "poor", "none"]), 153.0, 6, ["Glue", "good", "none"]);
    let tree = tag("Table", (0..3).map(|i| row(&["TH", "TD", "TD"], 3 * i)).collect());
    let found = found(&sheet, &[tree]);
    assert_eq!((found.len(), found[0].kind), (1, Kind::Ruled));
    assert_eq!(found[0].bbox, BBox { x0: 50.0, y0: 100.0, x1: 350.0, y1: 160.0 });
    assert_eq!(roles(&found[0].table, CellRole::RowHeader), ["Pens", "Rulers", "Glue"]);
}

#[test]
fn a_note_at_the_end_is_no_row_and_a_table_is_read_page_by_page() {
    let mut sheet = mark(page(), 60.0, 182.0, 10, "1 Without erasers");
    sheet.0.words.iter_mut().rev().nth(2).unwrap().size = 6.0;
    let mut tags = tree();
    let mut note = cell("TD", Some(10));
    note.col_span = 3;
    tags.kids.push(Kid::Tag(tag("TR", vec![note])));
    let next = |mcid| Tag { kids: vec![Kid::Content { page: 2, mcid }], ..tag("TD", vec![]) };
    tags.kids.push(Kid::Tag(tag("TR", vec![next(0), next(1), next(2)])));
    let tables = TaggedTables::of(&[tags]);
    assert_eq!((tables.on(1).len(), tables.on(2).len(), tables.on(3).len()), (1, 1, 0));
    let found = find_tagged(&sheet.0, tables.on(1));
    assert_eq!(cells(&found[0].table), CELLS);
}
