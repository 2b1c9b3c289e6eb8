//! Headers, sections, stub columns and forms.

use super::*;

/// The same with every word set on the baseline `y` in bold.
fn bold(mut sheet: Sheet, y: f32) -> Sheet {
    sheet.0.words.iter_mut().filter(|w| w.baseline == y).for_each(|w| w.bold = true);
    sheet
}

fn only(sheet: &Sheet) -> Table {
    let found = sheet.find();
    assert_eq!(found.len(), 1, "{found:#?}");
    found.into_iter().next().unwrap().table
}

#[test]
fn names_centred_beside_spanners_and_bold_sections() {
    let xs = [60.0, 200.0, 270.0, 330.0, 390.0, 450.0];
    let sheet = Sheet::new()
        .row(100.0, &[287.0, 397.0], &["Median wait", "90th percentile"])
        .row(106.5, &[100.0, 190.0], &["Specialty", "Referrals"])
        .row(113.0, &xs, &["", "", "2024", "2025", "2024", "2025"])
        .text(50.0, 126.0, "Surgery")
        .row(139.0, &xs, &["Urology", "1,687", "7.4", "6.9", "19.4", "16.6"])
        .row(152.0, &xs, &["Eye", "2,260", "9.2", "7.7", "18.4", "17.6"])
        .text(50.0, 165.0, "Medicine")
        .row(178.0, &xs, &["Cardiology", "2,518", "5.6", "5.2", "12.3", "11.9"]);
    let table = only(&[100.0, 106.5, 113.0, 126.0, 165.0].into_iter().fold(sheet, bold));
    let expected = [
        "0,0 2x1 Specialty",
        "0,1 2x1 Referrals",
        "0,2 1x2 Median wait",
        "0,4 1x2 90th percentile",
        "1,2 2024",
        "1,3 2025",
        "1,4 2024",
        "1,5 2025",
        "2,0 1x6 Surgery",
    ];
    assert_eq!(cells(&table).get(..9).unwrap(), expected);
    assert_eq!(roles(&table, CellRole::Section), ["Surgery", "Medicine"]);
    assert_eq!(roles(&table, CellRole::RowHeader), ["Urology", "Eye", "Cardiology"]);
}

#[test]
fn one_rule_below_two_spanners() {
    let xs = [60.0, 160.0, 220.0, 280.0, 340.0];
    let sheet = [100.0, 140.0, 200.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 400.0));
    let table = only(
        &sheet
            .across(118.0, 150.0, 400.0)
            .row(113.0, &[170.0, 290.0], &["After 12 months", "After 26 months"])
            .text(60.0, 119.5, "Condition")
            .row(133.0, &xs, &["", "Rest", "Cycle", "Rest", "Cycle"])
            .row(155.0, &xs, &["B (25 °C)", "2.1", "1.3", "3.8", "3.2"])
            .row(170.0, &xs, &["C (35 °C)", "3.4", "2.0", "6.0", "4.7"])
            .row(185.0, &xs, &["D (45 °C)", "5.9", "3.1", "10.4", "7.2"]),
    );
    let expected = ["0,0 2x1 Condition", "0,1 1x2 After 12 months", "0,3 1x2 After 26 months", "1,1 Rest"];
    assert_eq!(cells(&table).get(..4).unwrap(), expected);
    assert_eq!(roles(&table, CellRole::RowHeader), ["B (25 °C)", "C (35 °C)", "D (45 °C)"]);
}

/// Korean statistics: open sides, a header of two levels, and rows of sections that no line divides.
fn sections_between_grids() -> Sheet {
    let ys = [100.0, 136.0, 154.0, 172.0, 190.0, 208.0, 226.0];
    let sheet = ys.iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0)).across(118.0, 150.0, 350.0);
    let sheet = [(100.0, 136.0), (154.0, 190.0), (208.0, 226.0)]
        .iter()
        .fold(sheet, |s, (top, bottom)| s.down(150.0, *top, *bottom));
    let sheet = [(118.0, 136.0), (154.0, 190.0), (208.0, 226.0)]
        .iter()
        .fold(sheet, |s, (top, bottom)| s.down(250.0, *top, *bottom));
    let xs = [60.0, 170.0, 270.0];
    sheet
        .text(60.0, 121.0, "시·군")
        .text(240.0, 112.0, "수출")
        .row(130.0, &xs, &["", "금액", "비중"])
        .text(60.0, 148.0, "시 지역")
        .row(166.0, &xs, &["해솔시", "1,284", "31.1"])
        .row(184.0, &xs, &["나래시", "2,017", "48.9"])
        .text(60.0, 202.0, "군 지역")
        .row(220.0, &xs, &["온새군", "215", "5.2"])
}

#[test]
fn grids_parted_by_sections_are_one_table() {
    let table = only(&sections_between_grids());
    let expected =
        ["0,0 2x1 시·군", "0,1 1x2 수출", "1,1 금액", "1,2 비중", "2,0 1x3 시 지역", "3,0 해솔시", "3,1 1,284"];
    assert_eq!(cells(&table).get(..7).unwrap(), expected);
    // The section directly below the header is no header row.
    assert_eq!((table.rows, table.header_rows()), (7, 2));
    assert_eq!(roles(&table, CellRole::Section), ["시 지역", "군 지역"]);
}

#[test]
fn a_caption_between_grids_parts_them() {
    let mut sheet = sections_between_grids();
    for word in sheet.0.words.iter_mut().filter(|w| w.baseline == 202.0) {
        word.text = if word.text == "군" { "<표".into() } else { "3>".into() };
    }
    assert!(sheet.find().iter().all(|t| !t.table.cells.iter().any(|c| c.text.contains("<표"))));
}

/// A grid with lines at `xs`, and at every 20 points from 100 on below `rows` rows.
fn grid(xs: &[f32], rows: usize) -> Sheet {
    let bottom = 100.0 + 20.0 * rows as f32;
    let (left, right) = (*xs.first().unwrap(), *xs.last().unwrap());
    let sheet = xs.iter().fold(Sheet::new(), |s, x| s.down(*x, 100.0, bottom));
    (0..=rows).fold(sheet, |s, i| s.across(100.0 + 20.0 * i as f32, left, right))
}

#[test]
fn codes_beside_codes_name_the_rows_too() {
    let xs = [60.0, 110.0, 180.0, 260.0];
    let rows = [
        ["Pos.", "Part no.", "Name", "Price"],
        ["10.1", "110-4001", "Head", "148.00"],
        ["10.2", "110-8001", "Screw", "1.35"],
        ["10.10", "110-0014", "Plug", "12.80"],
    ];
    let lines = [50.0, 100.0, 170.0, 250.0, 320.0];
    let sheet = rows.iter().enumerate().fold(grid(&lines, 4), |s, (i, r)| s.row(113.0 + 20.0 * i as f32, &xs, r));
    let names = ["10.1", "110-4001", "10.2", "110-8001", "10.10", "110-0014"];
    assert_eq!(roles(&only(&sheet), CellRole::RowHeader), names);
}

#[test]
fn rows_grouped_in_the_first_column_have_names_in_the_second() {
    let sheet = [100.0, 120.0, 160.0, 180.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 300.0));
    let sheet = [50.0, 120.0, 180.0, 300.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 180.0));
    let xs = [60.0, 130.0, 200.0];
    let table = only(
        &sheet
            .across(140.0, 120.0, 300.0)
            .row(113.0, &xs, &["Quay", "Berths", "Calls"])
            .text(60.0, 143.0, "North")
            .row(133.0, &xs, &["", "N1–N3", "214"])
            .row(153.0, &xs, &["", "N4–N6", "187"])
            .row(173.0, &xs, &["South", "C1", "41"]),
    );
    assert_eq!(roles(&table, CellRole::RowHeader), ["North", "N1–N3", "N4–N6", "South", "C1"]);
}

#[test]
fn shaded_labels_of_a_form_name_what_is_beside_them() {
    let lines = [50.0, 120.0, 220.0, 290.0, 400.0];
    let xs = [60.0, 130.0, 230.0, 300.0];
    let rows = [["성명", "정하늘", "소속", "누리소재"], ["연락처", "070-0000", "장비", "현미경"]];
    let mut sheet = rows.iter().enumerate().fold(grid(&lines, 2), |s, (i, r)| s.row(113.0 + 20.0 * i as f32, &xs, r));
    for y in [100.0, 120.0] {
        sheet = sheet.shade(50.0, y, 120.0, y + 20.0).shade(220.0, y, 290.0, y + 20.0);
    }
    let table = only(&sheet);
    assert_eq!(roles(&table, CellRole::RowHeader), ["성명", "소속", "연락처", "장비"]);
    assert_eq!(roles(&table, CellRole::Data), ["정하늘", "누리소재", "070-0000", "현미경"]);
    assert_eq!(table.header_rows(), 0);
}

#[test]
fn short_names_over_numbers_are_a_header_beside_merged_cells() {
    let sheet = [100.0, 120.0, 160.0, 180.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 370.0));
    let sheet = [50.0, 130.0, 290.0, 370.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 180.0));
    let sheet = sheet.across(140.0, 130.0, 370.0).down(210.0, 100.0, 160.0);
    let xs = [60.0, 140.0, 220.0, 300.0];
    let sheet = sheet.row(113.0, &xs, &["Group", "Name", "Q1", "Q2"]).row(133.0, &xs, &["", "apple", "1", "2"]);
    let table = only(&sheet.row(143.0, &xs, &["Fruit"]).row(153.0, &xs, &["", "pear", "3", "4"]).row(
        173.0,
        &xs,
        &["Veg", "kale", "", "7"],
    ));
    assert_eq!(roles(&table, CellRole::ColumnHeader), ["Group", "Name", "Q1", "Q2"]);
    assert_eq!(table.header_rows(), 1);
}
