//! Tables between rules across, on pictures, and what looks like them.

use super::*;

fn rules(ys: &[f32], x0: f32, x1: f32) -> Sheet {
    ys.iter().fold(Sheet::new(), |s, y| s.across(*y, x0, x1))
}

fn texts(table: &Table) -> Vec<Vec<&str>> {
    let mut rows = vec![Vec::new(); table.rows];
    for cell in &table.cells {
        rows[cell.row].push(cell.text.as_str());
    }
    rows
}

#[test]
fn a_line_between_two_rules_above_the_rows_is_a_row_over_all_columns() {
    let xs = [60.0, 140.0];
    let found = rules(&[57.0, 73.0, 139.0], 50.0, 230.0)
        .text(60.0, 68.0, "Fish on the list")
        .row(85.0, &xs, &["Potosi", "alvarezi"])
        .row(101.0, &xs, &["Palma", "longidorsalis"])
        .row(117.0, &xs, &["Butterfly", "splendens"])
        .find();
    assert_eq!(found.len(), 1);
    assert_eq!(cells(&found[0].table).get(..3).unwrap(), ["0,0 1x2 Fish on the list", "1,0 Potosi", "1,1 alvarezi"]);
}

#[test]
fn a_caption_between_two_rules_is_no_row() {
    let xs = [60.0, 140.0];
    let found = rules(&[57.0, 73.0, 139.0], 50.0, 230.0)
        .text(60.0, 68.0, "Table 4. Fish")
        .row(85.0, &xs, &["Potosi", "alvarezi"])
        .row(101.0, &xs, &["Palma", "longidorsalis"])
        .row(117.0, &xs, &["Butterfly", "splendens"])
        .find();
    assert_eq!((found.len(), found[0].table.rows), (1, 3));
}

#[test]
fn rules_between_sections_bound_no_table() {
    let xs = [60.0, 200.0, 330.0];
    let found = rules(&[100.0, 250.0], 150.0, 300.0)
        .across(130.0, 50.0, 400.0)
        .across(147.0, 50.0, 400.0)
        .across(190.0, 50.0, 400.0)
        .row(142.0, &xs, &["Variant", "Memory", "Price"])
        .row(160.0, &xs, &["Small", "8 GB", "599"])
        .row(172.0, &xs, &["Middle", "8 GB", "659"])
        .row(184.0, &xs, &["Large", "12 GB", "759"])
        .find();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].table.rows, found[0].table.cols), (4, 3));
}

#[test]
fn a_table_open_at_the_end_of_a_page_keeps_its_last_cells() {
    let xs = [60.0, 230.0, 330.0];
    let found = rules(&[100.0, 117.0], 50.0, 400.0)
        .row(112.0, &xs, &["Address", "Code", "Contact"])
        .row(130.0, &xs, &["Link Road, Malad West, Mumbai", "ZX201", "022-28607744"])
        .text(60.0, 142.0, "400064")
        .row(154.0, &xs, &["Off Highway, Borivali, Mumbai", "ZX202", "022-28953398"])
        .text(60.0, 166.0, "400066")
        .text(300.0, 700.0, "12")
        .find();
    assert_eq!(found.len(), 1);
    let rows = texts(&found[0].table);
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2], ["Off Highway, Borivali, Mumbai 400066", "ZX202", "022-28953398"]);
}

#[test]
fn names_above_a_blank_line_are_a_row_of_their_own() {
    let xs = [60.0, 200.0];
    let found = rules(&[400.0, 423.0, 520.0], 50.0, 300.0)
        .row(416.0, &xs, &["Mineral", "Capacity"])
        .text(200.0, 438.0, "per kilogram")
        .row(460.0, &xs, &["kaolinite", "10"])
        .row(482.0, &xs, &["illite", "30"])
        .row(504.0, &xs, &["humus", "200"])
        .find();
    assert_eq!(texts(&found[0].table).get(..2).unwrap(), [["Mineral", "Capacity"], ["", "per kilogram"]]);
}

#[test]
fn a_rule_after_a_blank_line_starts_another_table() {
    let xs = [60.0, 200.0, 300.0];
    let dashes = "-".repeat(60);
    let part = |sheet: Sheet, y: f32| {
        sheet
            .row(y, &xs, &["Proportion", "1.0", "1.1"])
            .text(60.0, y + 12.0, &dashes)
            .row(y + 24.0, &xs, &["0.99", "800", "880"])
            .row(y + 36.0, &xs, &["0.95", "160", "176"])
            .row(y + 48.0, &xs, &["0.90", "80", "88"])
    };
    let found = part(part(Sheet::new(), 100.0), 172.0).find();
    assert_eq!(found.len(), 2);
    for (i, table) in found.iter().enumerate() {
        assert_eq!(texts(&table.table)[1], ["0.99", "800", "880"]);
        // The strokes draw a rule and stand in no cell, but are the table's.
        assert!(table.words.contains(&(3 + i * 13)), "{:?}", table.words);
    }
}

#[test]
fn one_column_is_a_table_with_a_caption_only() {
    let list = || {
        rules(&[100.0, 118.0, 160.0], 50.0, 220.0)
            .text(60.0, 112.0, "Task")
            .text(60.0, 130.0, "arc_generation")
            .text(60.0, 142.0, "hella_completion")
            .text(60.0, 154.0, "winogrande")
    };
    assert_eq!(list().find(), vec![]);
    let found = list().text(60.0, 175.0, "Table 8: Tasks").find();
    assert_eq!(cells(&found[0].table), ["0,0 Task", "1,0 arc_generation hella_completion winogrande"]);
    assert_eq!(list().text(60.0, 175.0, "Figure 8: Tasks").find(), vec![]);
}

#[test]
fn a_picture_of_a_grid_behind_aligned_text_is_a_table() {
    let xs = [60.0, 160.0, 320.0];
    let mut sheet = Sheet::new()
        .row(110.0, &xs, &["Stage", "Function", "Benefit"])
        .row(130.0, &xs, &["Creation", "Project creation", "Environments allow"])
        .row(140.0, &[160.0, 320.0], &["and settings", "quick starts"])
        .row(156.0, &[160.0, 320.0], &["Data storage", "Data are kept"])
        .text(320.0, 166.0, "conveniently")
        .row(182.0, &xs, &["Training", "Model training", "Foundations"])
        .row(192.0, &[60.0, 320.0], &["and tests", "for customers"]);
    assert_eq!(sheet.find(), vec![]);
    sheet.0.images.push(BBox::new(50.0, 95.0, 500.0, 205.0));
    let found = sheet.find();
    assert_eq!(found.len(), 1);
    let rows = texts(&found[0].table);
    assert_eq!(rows[1], ["Creation", "Project creation and settings", "Environments allow quick starts"]);
    assert_eq!(rows[2], ["", "Data storage", "Data are kept conveniently"]);
    assert_eq!(rows.len(), 4);
}

#[test]
fn cells_that_are_too_full_stay_apart() {
    let xs = [60.0, 120.0, 220.0];
    let found = rules(&[100.0, 117.0, 180.0], 50.0, 320.0)
        .row(112.0, &xs, &["Class", "Bags", "Handling"])
        .row(130.0, &xs, &["Lux", "two items", "yes"])
        .row(142.0, &xs, &["CloudComfort+", "one item", "no"])
        .row(154.0, &xs, &["Elite", "one item", "yes"])
        .row(166.0, &xs, &["Saver", "no item", "no"])
        .find();
    assert_eq!(texts(&found[0].table)[2], ["CloudComfort+", "one item", "no"]);
}

#[test]
fn words_too_long_for_a_column_run_over_the_next_one() {
    let xs = [60.0, 100.0, 140.0, 200.0];
    let sheet = || {
        rules(&[100.0, 117.0], 50.0, 240.0)
            .row(112.0, &xs, &["Store", "City", "Code", "Email"])
            .row(130.0, &xs, &["Old", "Hyderabad", "040-", "old.town.hyd@velvera.com"])
            .row(142.0, &xs, &["Town", "", "678246811", ""])
            .row(154.0, &xs, &["New", "Bhubaneshwar", "0674-", "new.port.bbsr@velvera.com"])
            .row(166.0, &xs, &["Port", "", "302934611", ""])
            .row(178.0, &xs, &["Spectra", "Pune", "0200-", "pune@velvera.com"])
            .row(190.0, &xs, &["Tower", "", "451008991", ""])
    };
    let rows = [
        ["Store", "City", "Code", "Email"],
        ["Old Town", "Hyderabad", "040- 678246811", "old.town.hyd@velvera.com"],
        ["New Port", "Bhubaneshwar", "0674- 302934611", "new.port.bbsr@velvera.com"],
        ["Spectra Tower", "Pune", "0200- 451008991", "pune@velvera.com"],
    ];
    // Open at the end of a page or closed by a rule, the last column reaches beyond the rules.
    for found in [sheet().find(), sheet().across(196.0, 50.0, 240.0).find()] {
        assert_eq!(found.len(), 1);
        assert_eq!(texts(&found[0].table), rows);
    }
}

#[test]
fn a_word_over_the_next_one_shows_two_columns_below_names_that_stand_close() {
    let xs = [60.0, 100.0, 124.0, 200.0, 250.0];
    // Alike and long, the notes look like running text.
    let notes = "every order is always delivered soon";
    let found = rules(&[100.0, 117.0], 50.0, 430.0)
        .row(112.0, &xs, &["Store", "City", "State", "Code", "Notes"])
        .row(130.0, &xs, &["Old", "Hyderabad", "Uttar", "040", notes])
        .row(142.0, &xs, &["New", "Bhopal", "Bengal", "674", notes])
        .row(154.0, &xs, &["Spectra", "Pune", "Kerala", "200", notes])
        .row(166.0, &xs, &["Tower", "Jaipur", "Odisha", "451", notes])
        .find();
    assert_eq!(found.len(), 1);
    let rows = texts(&found[0].table);
    assert_eq!((rows.len(), rows[1].as_slice()), (5, ["Old", "Hyderabad", "Uttar", "040", notes].as_slice()));
}

#[test]
fn names_that_touch_name_two_columns() {
    let xs = [60.0, 140.0, 185.0];
    let found = rules(&[100.0, 117.0, 180.0], 50.0, 230.0)
        .row(112.0, &xs, &["Model", "Speakers", ""])
        .text(181.0, 112.0, "(INR)")
        .row(130.0, &xs, &["Pad", "Stereo", "32,999"])
        .row(142.0, &xs, &["Pad Pro", "Quad", "54,999"])
        .row(154.0, &xs, &["Pad Max", "Quad", "64,999"])
        .row(166.0, &xs, &["Pad One", "Quad", "79,999"])
        .find();
    assert_eq!(texts(&found[0].table).get(..2).unwrap(), [["Model", "Speakers", "(INR)"], ["Pad", "Stereo", "32,999"]]);
}

#[test]
fn a_total_beside_the_rows_of_other_columns_cuts_tall_cells() {
    // Two blocks side by side; only the second has a rule above its last row.
    let found = rules(&[100.0, 120.0, 200.0], 60.0, 360.0)
        .across(180.0, 210.0, 360.0)
        .down(60.0, 100.0, 200.0)
        .down(210.0, 100.0, 200.0)
        .down(360.0, 100.0, 200.0)
        .row(115.0, &[70.0, 220.0], &["Age", "Age"])
        .row(132.0, &[70.0, 220.0], &["100", "500"])
        .row(146.0, &[70.0, 220.0], &["200", "600"])
        .row(160.0, &[70.0, 220.0], &["300", "700"])
        .row(174.0, &[70.0, 220.0], &["400", "800"])
        .row(194.0, &[70.0, 220.0], &["450", "Total"])
        .find();
    assert_eq!(found.len(), 1);
    let rows = texts(&found[0].table);
    assert_eq!(rows.last().unwrap(), &["450", "Total"]);
    assert!(rows[1].contains(&"100") || rows[1][0].starts_with("100 200"), "{rows:?}");
}

#[test]
fn a_name_below_one_with_leaders_starts_a_row() {
    let xs = [60.0, 200.0, 300.0];
    let dots = ". . . . . . . . . . .";
    let found = rules(&[100.0, 117.0, 190.0], 50.0, 350.0)
        .row(112.0, &xs, &["Offense", "Total", "Male"])
        .row(130.0, &xs, &["", "467", "69"])
        .text(60.0, 130.0, &format!("Violent {dots}"))
        .text(60.0, 142.0, "Murder and")
        .row(154.0, &xs, &["", "10", "9"])
        .text(60.0, 154.0, &format!("manslaughter in all {}", ". . . . ."))
        .row(166.0, &xs, &["", "17", "2"])
        .text(60.0, 166.0, &format!("Robbery {dots}"))
        .find();
    let names: Vec<&str> = texts(&found[0].table).iter().map(|row| row[0]).collect();
    assert_eq!(names, ["Offense", "Violent", "Murder and manslaughter in all", "Robbery"]);
}

#[test]
fn labels_of_axes_are_no_table() {
    let xs = [60.0, 160.0, 260.0];
    let found = Sheet::new()
        .row(100.0, &xs, &["0.860", "6,900", "0.07"])
        .row(115.0, &xs, &["0.850", "6,800", "0.06"])
        .row(130.0, &xs, &["1995", "2000", "2005"])
        .text(160.0, 145.0, "Year")
        .find();
    assert_eq!(found, vec![]);
}

#[test]
fn values_centred_on_two_lines_have_a_column_of_their_own() {
    let xs = [60.0, 140.0, 200.0];
    let found = rules(&[100.0, 120.0, 150.0], 50.0, 350.0)
        .row(113.0, &[60.0, 140.0, 200.0, 280.0], &["CPU", "Threads", "Time", "Memory"])
        .row(131.0, &xs, &["Apple", "4", "177 s"])
        .text(280.0, 136.5, "6.20 GB")
        .row(142.0, &xs, &["(8 cores)", "16", "167 s"])
        // Without a rule at its end the table goes on.
        .row(161.0, &xs, &["Intel", "4", "375 s"])
        .text(280.0, 166.5, "6.16 GB")
        .row(172.0, &xs, &["(9 cores,", "16", "244 s"])
        .text(60.0, 183.0, "fast)")
        .find();
    assert_eq!(found.len(), 1);
    let expected = [
        ["CPU", "Threads", "Time", "Memory"],
        ["Apple (8 cores)", "4 16", "177 s 167 s", "6.20 GB"],
        ["Intel (9 cores, fast)", "4 16", "375 s 244 s", "6.16 GB"],
    ];
    assert_eq!(texts(&found[0].table), expected);
}

#[test]
fn the_pages_of_a_spread_are_read_apart() {
    let spread = |height: f32| {
        let sheet = (0..6).fold(Sheet::new(), |s, i| {
            let y = 113.0 + 15.0 * i as f32;
            s.text(50.0, y, "One two three four").row(y, &[900.0, 1000.0, 1100.0], &["Name", "12", "2.5"])
        });
        let mut sheet = (0..4).fold(sheet, |s, i| s.text(900.0, 500.0 + 30.0 * i as f32, "More words on this page"));
        (sheet.0.width, sheet.0.height) = (1200.0, height);
        sheet.find().into_iter().map(|t| t.bbox.x0).collect::<Vec<_>>()
    };
    assert_eq!(spread(800.0), [900.0]);
    // A page of one column of text and one of figures is no spread.
    assert_eq!(spread(1200.0), [50.0]);
}

#[test]
fn rows_below_the_rules_around_a_header_belong_to_it_across_the_names_of_sections() {
    let xs = [60.0, 250.0, 310.0];
    let sheet = rules(&[100.0, 120.0], 50.0, 350.0).row(113.0, &xs, &["Budget", "2011", "2012"]);
    let rows = |sheet: Sheet, from: f32, names: [&str; 3]| {
        names.iter().enumerate().fold(sheet, |s, (i, name)| s.row(from + 12.0 * i as f32, &xs, &[name, "699", "709"]))
    };
    // Leaders make the names long, and no running text.
    let sheet =
        rows(sheet.text(60.0, 131.0, "Outlays:"), 143.0, ["Defense", "Social and health programs ......", "Other"]);
    let sheet = rows(sheet.text(60.0, 179.0, "Receipts:"), 191.0, ["Taxes on all incomes ......", "Other", "Interest"]);
    let found = sheet.find();
    assert_eq!(found.len(), 1);
    let names: Vec<&str> = found[0].table.cells.iter().filter(|c| c.col == 0).map(|c| c.text.as_str()).collect();
    let expected = [
        "Budget",
        "Outlays:",
        "Defense",
        "Social and health programs",
        "Other",
        "Receipts:",
        "Taxes on all incomes",
        "Other",
        "Interest",
    ];
    assert_eq!(names, expected);
    assert_eq!(found[0].table.header_rows(), 1);
}

#[test]
fn a_header_of_several_lines_in_a_frame_around_columns_without_rules_keeps_its_columns() {
    let xs = [60.0, 160.0, 240.0, 320.0];
    let sheet = rules(&[100.0, 135.0, 200.0], 50.0, 400.0).down(50.0, 100.0, 200.0).down(400.0, 100.0, 200.0);
    let sheet = sheet.row(113.0, &xs, &["Group of", "Any kind", "Modern", "Folk medicine"]).row(
        125.0,
        &xs,
        &["all people", "of method", "methods used", "and others"],
    );
    let names = ["North", "South", "East", "West"];
    let sheet = names
        .iter()
        .enumerate()
        .fold(sheet, |s, (i, name)| s.row(148.0 + 14.0 * i as f32, &xs, &[name, "74.8", "42.9", "9.7"]));
    let found = sheet.find();
    assert_eq!(found.len(), 1);
    let header = ["Group of all people", "Any kind of method", "Modern methods used", "Folk medicine and others"];
    assert_eq!(texts(&found[0].table)[0], header);
    assert_eq!((found[0].table.rows, found[0].table.header_rows()), (5, 1));
}
