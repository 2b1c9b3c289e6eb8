//! Text that runs up or down in the cells of an upright table: names of narrow columns, of groups of rows.

use crate::document::BBox;
use crate::pdf::{PageContent, Word};
use crate::table::grid::Draft;
use crate::table::orient::DESCENT;

/// A turned word lies in a cell where it reaches out of it by at most this many points.
const SLACK: f32 = 2.0;

/// Gives the words that run up or down to the cells of `draft` around them that hold no other text.
pub(crate) fn place(page: &PageContent, draft: &mut Draft) {
    let area = draft.bbox().expand(SLACK);
    let within = |outer: &BBox, b: &BBox| b.x0 >= outer.x0 && b.x1 <= outer.x1 && b.y0 >= outer.y0 && b.y1 <= outer.y1;
    let turned: Vec<(usize, &Word)> =
        page.words.iter().enumerate().filter(|(_, w)| is_turned(w) && within(&area, &w.bbox)).collect();
    if turned.is_empty() {
        return;
    }
    for cell in draft.cells.iter_mut().filter(|c| c.words.is_empty()) {
        let inside = |w: &Word| {
            cell.bbox.contains_point(w.bbox.center_x(), w.bbox.center_y()) && within(&cell.bbox.expand(SLACK), &w.bbox)
        };
        cell.words = turned.iter().filter(|(_, w)| inside(w)).map(|(i, _)| *i).collect();
    }
}

fn is_turned(word: &Word) -> bool {
    matches!(word.angle, 90 | 270) && !word.text.is_empty()
}

/// The words `of` a cell as if they were upright, in coordinates of their own; `None` where they are.
pub(crate) fn upright(words: &[Word], of: &[usize]) -> Option<Vec<Word>> {
    let own = || of.iter().filter_map(|&w| words.get(w));
    let angle = own().next().filter(|w| is_turned(w))?.angle;
    let turn = |w: &Word| {
        let b = w.bbox;
        let bbox = match angle {
            90 => BBox { x0: -b.y1, y0: b.x0, x1: -b.y0, y1: b.x1 },
            _ => BBox { x0: b.y0, y0: -b.x1, x1: b.y1, y1: -b.x0 },
        };
        Word { bbox, baseline: bbox.y1 - DESCENT * bbox.height(), angle: 0, ..w.clone() }
    };
    Some(own().map(turn).collect())
}
