//! Diagrams: the lines of a drawing may look like the grid of a table, but they run between the words of its labels.

use std::collections::HashMap;

use crate::pdf::PageContent;
use crate::table::grid::Draft;
use crate::table::text;

/// Words of one phrase are at most this many font sizes apart: a word space, which is less than cells leave at an edge.
const WORD_SPACE_EM: f32 = 0.35;
/// Fewest phrases that an edge cuts: one may have been set too wide for its cell.
const FEWEST_CUTS: usize = 2;
/// Cuts for each cell with text, from which on a grid is no table.
const CUTS_A_CELL: f32 = 0.25;

/// Whether edges of a grid part the words of phrases: each follows the other in the file, after a space, on one line.
pub(crate) fn is_in(page: &PageContent, draft: &Draft) -> bool {
    let owner: HashMap<usize, usize> =
        draft.cells.iter().enumerate().flat_map(|(i, c)| c.words.iter().map(move |&w| (w, i))).collect();
    let is_cut = |a: usize, b: usize| {
        let close = page
            .words
            .get(a)
            .zip(page.words.get(b))
            .is_some_and(|(x, y)| x.space_after && y.bbox.x0 - x.bbox.x1 <= WORD_SPACE_EM * x.size.min(y.size));
        close && b == a + 1 && owner.get(&a) != owner.get(&b)
    };
    let all: Vec<usize> = owner.keys().copied().collect();
    let lines = text::lines(&page.words, &all, f32::INFINITY);
    let cuts = |line: &text::Line| line.words().zip(line.words().skip(1)).filter(|(a, b)| is_cut(*a, *b)).count();
    let cuts: usize = lines.iter().map(cuts).sum();
    let filled = draft.cells.iter().filter(|c| !c.words.is_empty()).count();
    cuts >= FEWEST_CUTS && cuts as f32 >= CUTS_A_CELL * filled as f32
}
