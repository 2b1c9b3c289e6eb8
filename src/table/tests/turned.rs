//! Text that runs up or down inside upright tables.

use super::*;

/// Sets the words of `text` upwards from the bottom `y` on, in a line whose left edge is `x`.
fn up(mut sheet: Sheet, x: f32, y: f32, text: &str) -> Sheet {
    let mut bottom = y;
    for part in text.split(' ') {
        let top = bottom - CHAR * part.chars().count() as f32;
        let bbox = BBox { x0: x, y0: top, x1: x + 10.0, y1: bottom };
        let word = Word { text: part.into(), bbox, baseline: bottom, size: 10.0, angle: 90, ..Word::default() };
        sheet.0.words.push(Word { space_before: true, ..word });
        bottom = top - SPACE;
    }
    sheet
}

/// The same downwards from the top `y` on: the page turned upside down.
fn down(sheet: Sheet, x: f32, y: f32, text: &str) -> Sheet {
    let mut sheet = up(sheet, x, -y, text);
    for word in sheet.0.words.iter_mut().filter(|w| w.angle == 90 && w.bbox.y0 < 0.0) {
        word.bbox = BBox { y0: -word.bbox.y1, y1: -word.bbox.y0, ..word.bbox };
        word.angle = 270;
    }
    sheet
}

/// A grid of three columns and three rows, the first of them high.
fn grid() -> Sheet {
    let sheet = [100.0, 200.0, 220.0, 240.0].iter().fold(Sheet::new(), |s, y| s.across(*y, 50.0, 350.0));
    [50.0, 250.0, 300.0, 350.0].iter().fold(sheet, |s, x| s.down(*x, 100.0, 240.0))
}

#[test]
fn names_that_run_up_or_down_head_their_columns() {
    let xs = [60.0, 270.0, 320.0];
    let sheet =
        grid().text(60.0, 113.0, "Action").row(213.0, &xs, &["Read", "x", ""]).row(233.0, &xs, &["Write", "x", ""]);
    let sheet = up(up(sheet, 260.0, 190.0, "May change"), 275.0, 190.0, "the plan");
    let found = down(down(sheet, 320.0, 110.0, "May read"), 308.0, 110.0, "all data").find();
    assert_eq!(found.len(), 1);
    assert_eq!(
        cells(&found[0].table),
        ["0,0 Action", "0,1 May change the plan", "0,2 May read all data", "1,0 Read", "1,1 x", "2,0 Write", "2,1 x"]
    );
    assert_eq!(roles(&found[0].table, CellRole::ColumnHeader), ["Action", "May change the plan", "May read all data"]);
    assert_eq!(found[0].words, (0..13).collect::<Vec<_>>());
}

#[test]
fn turned_text_over_several_cells_or_beside_other_text_stays_outside() {
    let xs = [60.0, 270.0, 320.0];
    let sheet = grid().row(113.0, &xs, &["Action", "A", "B"]).row(213.0, &xs, &["Read", "1", ""]);
    let sheet = up(sheet.row(233.0, &xs, &["Write", "2", "3"]), 320.0, 239.0, "Draft");
    let found = up(sheet, 260.0, 190.0, "Note").find();
    assert_eq!(
        cells(&found[0].table),
        ["0,0 Action", "0,1 A", "0,2 B", "1,0 Read", "1,1 1", "2,0 Write", "2,1 2", "2,2 3"]
    );
}
