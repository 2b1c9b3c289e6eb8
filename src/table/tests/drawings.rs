//! Drawings and listings that look like tables.

use super::*;

/// Words of a phrase with a space character after each but the last.
fn spaced(mut sheet: Sheet) -> Sheet {
    let goes_on = |a: &Word, b: &Word| a.baseline == b.baseline && b.bbox.x0 - a.bbox.x1 <= SPACE;
    let after: Vec<bool> = sheet.0.words.windows(2).map(|pair| goes_on(&pair[0], &pair[1])).collect();
    for (word, after) in sheet.0.words.iter_mut().zip(after) {
        word.space_after = after;
    }
    sheet
}

#[test]
fn lines_between_the_words_of_phrases_are_a_drawing() {
    let sheet = |x: f32| {
        let sheet = [100.0, 120.0, 140.0, 160.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 250.0));
        let sheet = [50.0, 111.5, 250.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 160.0));
        let rows = ["Threaded nut", "Notched cap", "Threaded rod"].into_iter().zip([113.0, 133.0, 153.0]);
        spaced(rows.fold(sheet, |s, (text, y)| {
            let (first, second) = text.split_once(' ').unwrap();
            let end = 110.0 - CHAR * first.chars().count() as f32;
            s.text(end, y, first).text(x, y, second)
        }))
    };
    // The same labels, with their second words in cells of their own.
    assert_eq!(sheet(113.0).find().len(), 0);
    assert_eq!(sheet(125.0).find().len(), 1);
}

#[test]
fn rules_far_above_labels_bound_no_table() {
    let sheet = |top: f32| {
        let sheet = [top, 240.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0));
        sheet.row(213.0, &[60.0, 200.0], &["Layout", "Table"]).row(230.0, &[60.0, 200.0], &["Words", "Lines"])
    };
    assert_eq!(sheet(100.0).find().len(), 0);
    assert_eq!(sheet(200.0).find().len(), 1);
}

#[test]
fn a_listing_between_rules_is_no_table() {
    let sheet = |signs: [&str; 3]| {
        let sheet = [100.0, 160.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0));
        let [a, b, c] = signs;
        sheet
            .row(113.0, &[60.0, 120.0], &["SELECT", &format!("user{a}")])
            .row(125.0, &[60.0, 120.0], &["", &format!("usage{b}")])
            .row(137.0, &[60.0, 120.0], &["FROM", "views"])
            .row(149.0, &[60.0, 120.0], &["WHERE", &format!("id{c}'A'")])
    };
    assert_eq!(sheet([",", ",", "="]).find().len(), 0);
    assert_eq!(sheet(["", "", "-"]).find().len(), 1);
    // A proportional font sets no listing.
    let mut other = sheet([",", ",", "="]);
    other.0.words[0].bbox.x1 += 5.0;
    assert_eq!(other.find().len(), 1);
}
