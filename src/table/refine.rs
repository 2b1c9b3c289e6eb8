//! Columns inside a grid that its rules leave out: told by white space, or drawn in the header only.

use std::collections::HashSet;

use crate::document::BBox;
use crate::pdf::PageContent;
use crate::table::columns;
use crate::table::grid::{Draft, DraftCell, cell_text};
use crate::table::structure::PHRASE_EM;
use crate::table::text::{self, Line, Phrase, is_value};

/// Columns are split at gutters that at least this fraction of the lines shows.
const LINES_WITH_GUTTER: f32 = 0.6;
/// And where at least this fraction of the phrases beside the gutters are values: gaps in text mean little.
const VALUES: f32 = 0.5;
/// Fewest lines that show a gutter.
const FEWEST_LINES: usize = 3;
/// Fewest lines of such cells, unless each column gets its part.
const FEWEST_ALIKE: usize = 2;
/// A cell of at least this many lines, each of them a value, is a column of values.
const FEWEST_VALUES: usize = 4;
/// Cells over several columns are divided where at least this fraction of their lines agrees.
const DIVISIBLE: f32 = 0.6;

/// Boxes to tick, ticked or not.
const CHECK_BOXES: &str = "□■☐☑☒▢";

/// Adds column edges found by white space, and divides cells over several columns whose words keep to the columns.
pub(crate) fn split_columns(page: &PageContent, draft: &mut Draft) {
    let mut col = 0;
    while col < draft.cols() {
        let edges = gutters(page, draft, col);
        for (k, x) in edges.iter().enumerate() {
            draft.xs.insert(col + 1 + k, *x);
        }
        for cell in &mut draft.cells {
            if cell.col > col {
                cell.col += edges.len();
            } else if cell.col + cell.colspan > col {
                cell.colspan += edges.len();
            }
        }
        col += 1 + edges.len();
    }
    divide(page, draft);
    cut_tall(page, draft);
}

/// Cuts cells over several rows at the rows' edges where one of them is a column of values: there, the rules between the
/// rows are drawn in other columns only.
fn cut_tall(page: &PageContent, draft: &mut Draft) {
    let ys = draft.ys.clone();
    let values = |c: &DraftCell| {
        let lines = text::lines(&page.words, &c.words, f32::INFINITY);
        let (first, last) = (lines.first().map_or(0.0, |l| l.baseline), lines.last().map_or(0.0, |l| l.baseline));
        // An edge above or below all lines is padding.
        let inner = ys.get(c.row + 1..c.row + c.rowspan).unwrap_or_default();
        if !inner.iter().any(|y| (first..last).contains(y)) {
            return false;
        }
        let value = |l: &Line| is_value(&cell_text(&page.words, &l.words().collect::<Vec<_>>()));
        lines.len() >= FEWEST_VALUES && lines.iter().all(value)
    };
    let tall: HashSet<(usize, usize)> =
        draft.cells.iter().filter(|c| c.rowspan > 1 && values(c)).map(|c| (c.row, c.rowspan)).collect();
    let mut cells = Vec::with_capacity(draft.cells.len());
    for cell in std::mem::take(&mut draft.cells) {
        if !tall.contains(&(cell.row, cell.rowspan)) {
            cells.push(cell);
            continue;
        }
        for row in cell.row..cell.row + cell.rowspan {
            let (Some(&y0), Some(&y1)) = (draft.ys.get(row), draft.ys.get(row + 1)) else { continue };
            let inside = |w: &usize| page.words.get(*w).is_some_and(|w| (y0..y1).contains(&w.bbox.center_y()));
            let words: Vec<usize> = cell.words.iter().copied().filter(inside).collect();
            cells.push(DraftCell { row, rowspan: 1, bbox: BBox { y0, y1, ..cell.bbox }, words, ..cell.clone() });
        }
    }
    draft.cells = cells;
}

/// x of the gutters inside one column.
fn gutters(page: &PageContent, draft: &Draft, col: usize) -> Vec<f32> {
    let cells = draft.cells.iter().filter(|c| c.col == col && c.colspan == 1);
    let lines: Vec<Line> = cells.flat_map(|c| text::lines(&page.words, &c.words, PHRASE_EM)).collect();
    let multi: Vec<&Line> = lines.iter().filter(|l| l.phrases.len() >= 2).collect();
    if multi.len() < FEWEST_LINES || (multi.len() as f32) < LINES_WITH_GUTTER * lines.len() as f32 {
        return Vec::new();
    }
    let phrases = || multi.iter().flat_map(|l| l.phrases.iter().skip(1));
    let values = phrases().filter(|p| is_value(&cell_text(&page.words, &p.words))).count();
    if (values as f32) < VALUES * phrases().count() as f32 {
        return Vec::new();
    }
    let extents = columns::find(&lines);
    let edges = columns::edges(&extents);
    edges.get(1..edges.len().saturating_sub(1)).map(<[f32]>::to_vec).unwrap_or_default()
}

/// Divides cells over several columns where most lines of them show a phrase per column. Cells over the same columns are
/// alike: either their inner rules are missing, or they span.
fn divide(page: &PageContent, draft: &mut Draft) {
    /// A cell over several columns: its index, its lines, and its parts where it can be divided.
    struct Wide {
        index: usize,
        extent: (usize, usize),
        lines: usize,
        parts: Option<Vec<DraftCell>>,
    }
    let wide: Vec<Wide> = draft
        .cells
        .iter()
        .enumerate()
        .filter(|(_, c)| c.colspan > 1)
        .filter_map(|(index, c)| {
            let lines = text::lines(&page.words, &c.words, PHRASE_EM);
            // A single phrase says nothing: it may stand in one of the columns, or span.
            // Neither do check boxes: they stand apart as choices within one cell.
            // Nor the spaced letters of a name over several stub columns ("총   계").
            let name = |l: &Line| c.col == 0 && !l.phrases.iter().any(|p| is_value(&cell_text(&page.words, &p.words)));
            let several = |l: &&Line| l.phrases.len() > 1 && !name(l) && !l.phrases.iter().any(|p| is_choice(page, p));
            let lines_of_several = lines.iter().filter(several).count();
            let parts = parts(draft, page, c, &lines);
            (lines_of_several > 0).then_some(Wide { index, extent: (c.col, c.colspan), lines: lines_of_several, parts })
        })
        .collect();
    let lines = |extent, divided: bool| -> usize {
        wide.iter().filter(|w| w.extent == extent && (!divided || w.parts.is_some())).map(|w| w.lines).sum()
    };
    let agreed: Vec<bool> = wide
        .iter()
        .map(|w| {
            let n = lines(w.extent, true);
            let full = |p: &Vec<DraftCell>| p.len() == w.extent.1 && p.iter().all(|c| !c.words.is_empty());
            let whole = w.extent.1 >= FEWEST_LINES && w.parts.as_ref().is_some_and(full);
            (n >= FEWEST_ALIKE || whole) && n as f32 >= DIVISIBLE * lines(w.extent, false) as f32
        })
        .collect();
    for (w, _) in wide.into_iter().zip(agreed).rev().filter(|(_, agreed)| *agreed) {
        if let Some(parts) = w.parts {
            draft.cells.splice(w.index..=w.index, parts);
        }
    }
}

/// Whether a phrase starts with a check box.
fn is_choice(page: &PageContent, phrase: &Phrase) -> bool {
    let first = phrase.words.first().and_then(|&w| page.words.get(w)).and_then(|w| w.text.chars().next());
    first.is_some_and(|c| CHECK_BOXES.contains(c))
}

/// The cell cut at every column edge that a wide gap on every line leaves free; `None` where there is none.
fn parts(draft: &Draft, page: &PageContent, cell: &DraftCell, lines: &[Line]) -> Option<Vec<DraftCell>> {
    let edges = draft.xs.get(cell.col..=cell.col + cell.colspan)?;
    let inner = edges.get(1..edges.len().saturating_sub(1))?;
    let mut cuts: Vec<usize> = vec![0];
    for (k, x) in inner.iter().enumerate() {
        let free = lines.iter().all(|l| l.phrases.iter().all(|p| p.bbox.x1 <= *x + 1.0 || p.bbox.x0 >= *x - 1.0));
        if free {
            cuts.push(k + 1);
        }
    }
    cuts.push(cell.colspan);
    if cuts.len() <= cell.colspan && lines.iter().all(|l| l.phrases.len() == cell.colspan) {
        return Some(in_order(edges, cell, lines));
    }
    let out: Vec<DraftCell> = cuts
        .windows(2)
        .filter_map(|w| {
            let &[a, b] = w else { return None };
            let (x0, x1) = (*edges.get(a)?, *edges.get(b)?);
            let inside =
                |w: &usize| page.words.get(*w).is_some_and(|w| w.bbox.center_x() >= x0 && w.bbox.center_x() < x1);
            let words: Vec<usize> = cell.words.iter().copied().filter(inside).collect();
            let bbox = BBox { x0, x1, ..cell.bbox };
            Some(DraftCell { col: cell.col + a, colspan: b - a, bbox, words, ..cell.clone() })
        })
        .collect();
    let filled = out.iter().filter(|c| !c.words.is_empty()).count();
    let all: usize = out.iter().map(|c| c.words.len()).sum();
    // Few texts far apart are blanks to fill in on one line.
    (filled >= 2 && 2 * filled >= out.len() && all == cell.words.len()).then_some(out)
}

/// One phrase of every line for each column, where wide header words reach over the edges.
fn in_order(edges: &[f32], cell: &DraftCell, lines: &[Line]) -> Vec<DraftCell> {
    edges
        .windows(2)
        .enumerate()
        .filter_map(|(k, w)| {
            let &[x0, x1] = w else { return None };
            let words = lines.iter().filter_map(|l| l.phrases.get(k)).flat_map(|p| p.words.iter().copied()).collect();
            let bbox = BBox { x0, x1, ..cell.bbox };
            Some(DraftCell { col: cell.col + k, colspan: 1, bbox, words, ..cell.clone() })
        })
        .collect()
}
