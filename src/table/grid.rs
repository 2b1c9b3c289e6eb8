//! From a draft (cells with the words that fall into them) to a table with text.

use crate::document::{BBox, Cell, CellRole, Table};
use crate::pdf::{PageContent, Word};
use crate::table::text::{self, Line};
use crate::table::turned;

/// Horizontal gap in font sizes from which a missing space in the stream is added between two words of a cell.
const WORD_GAP_EM: f32 = 0.15;

/// Distance that text keeps from the rules around its cell, in points, at most.
const CELL_PADDING: f32 = 6.0;
/// A justified line leaves less than this many font sizes free: one more syllable did not fit.
const LINE_SLACK_EM: f32 = 1.2;

/// A column narrower than this many points may be padding between two edges rather than a column.
const SLIVER_WIDTH: f32 = 15.0;
/// The same for the height of a row: less than a line of text.
const SLIVER_HEIGHT: f32 = 8.0;

/// A cell before its text is put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct DraftCell {
    /// First row.
    pub row: usize,
    /// First column.
    pub col: usize,
    /// Rows covered, at least 1.
    pub rowspan: usize,
    /// Columns covered, at least 1.
    pub colspan: usize,
    /// Area on the page.
    pub bbox: BBox,
    /// Indices of the page's words inside.
    pub words: Vec<usize>,
    /// Whether the cell's background is shaded.
    pub shaded: bool,
    /// What the file itself says that the cell is for.
    pub role: Option<CellRole>,
}

/// A table before headers are known: edges of columns and rows, and cells that cover each place once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// Edges of the columns, ascending: one more than there are columns.
    pub xs: Vec<f32>,
    /// Edges of the rows, ascending: one more than there are rows.
    pub ys: Vec<f32>,
    /// The cells, in any order.
    pub cells: Vec<DraftCell>,
    /// Rows known to be headers from rules: the number of rows above the first full-width inner rule, 0 if not known.
    pub header_hint: usize,
}

impl Draft {
    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.ys.len().saturating_sub(1)
    }

    /// Number of columns.
    pub(crate) fn cols(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }

    /// The area of the grid.
    pub(crate) fn bbox(&self) -> BBox {
        let edge = |v: &[f32]| (v.first().copied().unwrap_or(0.0), v.last().copied().unwrap_or(0.0));
        let ((x0, x1), (y0, y1)) = (edge(&self.xs), edge(&self.ys));
        BBox { x0, y0, x1, y1 }
    }

    /// Whether most cells are empty.
    pub(crate) fn is_sparse(&self) -> bool {
        2 * self.cells.iter().filter(|c| !c.words.is_empty()).count() < self.cells.len()
    }

    /// Removes rows and columns in which no cell with text starts; cells that span them shrink.
    pub(crate) fn drop_empty_lines(&mut self) {
        let (rows, cols) = (self.rows(), self.cols());
        let (mut row_used, mut col_used) = (vec![false; rows], vec![false; cols]);
        for cell in self.cells.iter().filter(|c| !c.words.is_empty()) {
            // A spanning cell alone does not hold a row or a column open, except the first that it covers.
            mark(&mut row_used, cell.row);
            mark(&mut col_used, cell.col);
        }
        let row_map = compact(&row_used);
        let col_map = compact(&col_used);
        for cell in &mut self.cells {
            (cell.row, cell.rowspan) = squeeze(&row_map, cell.row, cell.rowspan);
            (cell.col, cell.colspan) = squeeze(&col_map, cell.col, cell.colspan);
        }
        self.cells.retain(|c| c.rowspan > 0 && c.colspan > 0);
        let removed = (0..self.header_hint.min(rows)).filter(|&r| !row_used.get(r).copied().unwrap_or(true)).count();
        self.header_hint = self.header_hint.saturating_sub(removed);
        self.ys = kept_edges(&self.ys, &row_used);
        self.xs = kept_edges(&self.xs, &col_used);
    }

    /// Joins a narrow column to its right neighbour, and a low row to the one below, where no line has separate texts in
    /// both: the two edges of padding or of a double rule.
    pub(crate) fn merge_slivers(&mut self) {
        let mut col = 0;
        while col + 1 < self.cols() {
            let narrow = self.xs.windows(2).skip(col).take(2).any(|w| matches!(w, [a, b] if b - a < SLIVER_WIDTH));
            if narrow && self.separable(col, |c| (c.col, c.colspan, c.row, c.rowspan)) {
                self.xs.remove(col + 1);
                self.remove_line(col, |c| (&mut c.col, &mut c.colspan));
            } else {
                col += 1;
            }
        }
        let mut row = 0;
        while row + 1 < self.rows() {
            let low = self.ys.windows(2).skip(row).take(2).any(|w| matches!(w, [a, b] if b - a < SLIVER_HEIGHT));
            if low && self.separable(row, |c| (c.row, c.rowspan, c.col, c.colspan)) {
                self.ys.remove(row + 1);
                self.remove_line(row, |c| (&mut c.row, &mut c.rowspan));
                self.header_hint -= usize::from(self.header_hint > row);
            } else {
                row += 1;
            }
        }
    }

    /// Whether no two different cells with text meet across the edge between lines `at` and `at + 1`.
    fn separable(&self, at: usize, axis: fn(&DraftCell) -> (usize, usize, usize, usize)) -> bool {
        let touching = |line: usize| {
            self.cells.iter().filter(move |c| {
                let (start, span, ..) = axis(c);
                !c.words.is_empty() && start <= line && line < start + span
            })
        };
        let after: Vec<&DraftCell> = touching(at + 1).collect();
        touching(at).all(|a| {
            after.iter().all(|&b| {
                let ((.., sa, na), (.., sb, nb)) = (axis(a), axis(b));
                std::ptr::eq(a, b) || sa + na <= sb || sb + nb <= sa
            })
        })
    }

    /// Joins line `at + 1` to line `at`: of two cells that then meet, the one with text (and the larger) stays.
    fn remove_line(&mut self, at: usize, axis: fn(&mut DraftCell) -> (&mut usize, &mut usize)) {
        for cell in &mut self.cells {
            let (start, span) = axis(cell);
            if *start > at {
                *start -= 1;
                if *start == at && *span == 1 {
                    continue;
                }
            } else if *start + *span > at + 1 {
                *span -= 1;
            }
        }
        let mut kept: Vec<DraftCell> = Vec::with_capacity(self.cells.len());
        let mut order: Vec<DraftCell> = std::mem::take(&mut self.cells);
        order.sort_by_key(|c| (c.words.is_empty(), std::cmp::Reverse(c.rowspan * c.colspan), c.row, c.col));
        let mut taken = vec![false; self.rows() * self.cols()];
        let cols = self.cols();
        for mut cell in order {
            let free = |taken: &[bool], row: usize, col: usize| taken.get(row * cols + col) == Some(&false);
            // An empty cell that is partly covered gives way row by row and column by column.
            while cell.rowspan > 0 && (cell.col..cell.col + cell.colspan).any(|c| !free(&taken, cell.row, c)) {
                cell.row += 1;
                cell.rowspan -= 1;
            }
            let fits = |r: usize| (cell.col..cell.col + cell.colspan).all(|c| free(&taken, r, c));
            cell.rowspan = (cell.row..cell.row + cell.rowspan).take_while(|&r| fits(r)).count();
            if cell.rowspan == 0 {
                continue;
            }
            for row in cell.row..cell.row + cell.rowspan {
                for col in cell.col..cell.col + cell.colspan {
                    mark(&mut taken, row * cols + col);
                }
            }
            kept.push(cell);
        }
        self.cells = kept;
        self.fill();
    }

    /// Adds empty cells where nothing stands, and sets every cell's box from the edges.
    pub(crate) fn fill(&mut self) {
        let (rows, cols) = (self.rows(), self.cols());
        let mut taken = vec![false; rows * cols];
        for cell in &self.cells {
            for row in cell.row..cell.row + cell.rowspan {
                for col in cell.col..cell.col + cell.colspan {
                    mark(&mut taken, row * cols + col);
                }
            }
        }
        for (i, _) in taken.iter().enumerate().filter(|(_, t)| !**t) {
            self.cells.push(DraftCell { row: i / cols, col: i % cols, rowspan: 1, colspan: 1, ..DraftCell::default() });
        }
        let edge = |v: &[f32], i: usize| v.get(i).copied().unwrap_or(0.0);
        for c in &mut self.cells {
            c.bbox = BBox {
                x0: edge(&self.xs, c.col),
                y0: edge(&self.ys, c.row),
                x1: edge(&self.xs, c.col + c.colspan),
                y1: edge(&self.ys, c.row + c.rowspan),
            };
        }
    }

    /// Cuts off the rows outside `from..to`. Cells that reach over the cut shrink.
    pub(crate) fn keep_rows(&mut self, from: usize, to: usize) {
        self.cells.retain_mut(|c| {
            let (start, end) = (c.row.max(from), (c.row + c.rowspan).min(to));
            c.row = start.saturating_sub(from);
            c.rowspan = end.saturating_sub(start);
            c.rowspan > 0
        });
        self.ys = self.ys.get(from..=to).map(<[f32]>::to_vec).unwrap_or_default();
        self.header_hint = self.header_hint.saturating_sub(from);
    }

    /// The table with texts; every role is still [`CellRole::Data`]. With it, for every cell the lines of its text.
    pub(crate) fn to_table(&self, page: &PageContent) -> (Table, Vec<Vec<CellLine>>) {
        let mut drafts: Vec<&DraftCell> = self.cells.iter().collect();
        drafts.sort_by_key(|c| (c.row, c.col));
        let lines: Vec<Vec<CellLine>> = drafts.iter().map(|c| cell_lines(&page.words, c)).collect();
        let cells = drafts.into_iter().zip(&lines).map(|(c, lines)| Cell {
            row: c.row,
            col: c.col,
            rowspan: c.rowspan,
            colspan: c.colspan,
            text: join_lines(lines.iter().map(|l| (l.text.clone(), false))),
            role: CellRole::Data,
            page: Some(page.number),
            bbox: Some(c.bbox),
        });
        let cells: Vec<Cell> = cells.collect();
        let (rows, cols) = (self.rows(), self.cols());
        (Table { rows, cols, cells, captions: Vec::new(), footnotes: Vec::new() }, lines)
    }
}

fn mark(used: &mut [bool], at: usize) {
    if let Some(place) = used.get_mut(at) {
        *place = true;
    }
}

/// For every old index (and one past the end) the number of used lines before it.
fn compact(used: &[bool]) -> Vec<usize> {
    let mut map = vec![0];
    let mut count = 0;
    for &u in used {
        count += usize::from(u);
        map.push(count);
    }
    map
}

fn squeeze(map: &[usize], start: usize, span: usize) -> (usize, usize) {
    let last = map.len().saturating_sub(1);
    let at = |i: usize| map.get(i.min(last)).copied().unwrap_or(0);
    (at(start), at(start + span).saturating_sub(at(start)))
}

/// Edges after the unused lines are gone: their space goes to the line before.
fn kept_edges(edges: &[f32], used: &[bool]) -> Vec<f32> {
    let mut kept: Vec<f32> = edges.iter().zip(used).filter(|(_, u)| **u).map(|(e, _)| *e).collect();
    if let (Some(first), Some(edge)) = (kept.first_mut(), edges.first()) {
        *first = *edge;
    }
    kept.extend(edges.last());
    kept
}

/// A line of a cell's text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellLine {
    /// Its text, with single spaces.
    pub text: String,
    /// Whether a space character ends it in the file; `None` where its words are not parted by such characters either.
    pub spaced: Option<bool>,
    /// Whether it reaches the edge of its cell, so that the next line goes on with it.
    pub full: bool,
}

/// The words in reading order, lines joined by a space, hyphenation at line ends undone.
pub(crate) fn cell_text(words: &[Word], of: &[usize]) -> String {
    if let Some(turned) = turned::upright(words, of) {
        return cell_text(&turned, &(0..turned.len()).collect::<Vec<_>>());
    }
    let lines = text::lines(words, of, f32::INFINITY);
    join_lines(lines.iter().map(|line| (line_text(words, line), false)))
}

/// The texts of the lines, joined by a space unless they say that the line before goes on in the same word.
pub(crate) fn join_lines(lines: impl Iterator<Item = (String, bool)>) -> String {
    let mut out = String::new();
    for (line, same_word) in lines {
        if !same_word {
            join_line(&mut out, &line);
        }
        out.push_str(&line);
    }
    strip_leaders(out)
}

fn line_text(words: &[Word], line: &Line) -> String {
    let mut out = String::new();
    let mut before: Option<&Word> = None;
    for word in line.words().filter_map(|i| words.get(i)) {
        if before.is_some_and(|b| word.space_before || word.bbox.x0 - b.bbox.x1 > WORD_GAP_EM * b.size) {
            out.push(' ');
        }
        out.push_str(&word.text);
        before = Some(word);
    }
    out
}

fn cell_lines(words: &[Word], cell: &DraftCell) -> Vec<CellLine> {
    let full = |line: &Line| {
        let slack = CELL_PADDING + LINE_SLACK_EM * line.size;
        cell.bbox.x1 - line.bbox.x1 <= slack || cell.bbox.width() - line.bbox.width() <= slack + CELL_PADDING
    };
    let spaced = |line: &Line| text::ends_with_space(line.words().filter_map(|w| words.get(w)));
    if let Some(turned) = turned::upright(words, &cell.words) {
        let lines = text::lines(&turned, &(0..turned.len()).collect::<Vec<_>>(), f32::INFINITY);
        let full =
            |line: &Line| cell.bbox.height() - line.bbox.width() <= 2.0 * CELL_PADDING + LINE_SLACK_EM * line.size;
        let line = |l: &Line| CellLine { text: line_text(&turned, l), full: full(l), ..CellLine::default() };
        return lines.iter().map(line).collect();
    }
    let lines = text::lines(words, &cell.words, f32::INFINITY);
    lines.iter().map(|l| CellLine { text: line_text(words, l), spaced: spaced(l), full: full(l) }).collect()
}

/// Takes off the dots that lead the eye from a name to its values.
fn strip_leaders(text: String) -> String {
    let kept = text.trim_end_matches(['.', '·', '…', '‥', ' ', '_']);
    let leaders = text.get(kept.len()..).unwrap_or_default();
    let dots = leaders.chars().filter(|c| *c != ' ').count();
    if dots >= text::LEADER_DOTS && !kept.is_empty() { kept.to_string() } else { text }
}

/// Prepares `out` for the first word of a further line: a hyphen between lower-case letters was put there by the typesetter.
fn join_line(out: &mut String, next: &str) {
    if out.is_empty() {
        return;
    }
    let mut back = out.chars().rev();
    let hyphen =
        matches!(back.next(), Some('-' | '\u{2010}' | '\u{ad}')) && back.next().is_some_and(char::is_lowercase);
    if hyphen && next.chars().next().is_some_and(char::is_lowercase) {
        out.pop();
    } else {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, x0: f32, x1: f32, baseline: f32) -> Word {
        Word {
            text: text.into(),
            bbox: BBox { x0, y0: baseline - 8.0, x1, y1: baseline + 2.0 },
            baseline,
            size: 10.0,
            space_before: true,
            ..Word::default()
        }
    }

    #[test]
    fn joins_lines_and_undoes_hyphenation() {
        let words = [
            word("unem-", 20.0, 50.0, 10.0),
            word("of", 0.0, 18.0, 10.0),
            word("ployment", 0.0, 40.0, 22.0),
            word("Non-", 0.0, 20.0, 34.0),
            word("US", 0.0, 10.0, 46.0),
            word(".....", 12.0, 30.0, 46.0),
        ];
        assert_eq!(cell_text(&words, &[0, 1, 2, 3, 4, 5]), "of unemployment Non- US");
    }

    #[test]
    fn empty_columns_vanish_and_spans_shrink() {
        let mut draft = Draft {
            xs: vec![0.0, 10.0, 20.0, 30.0],
            ys: vec![0.0, 10.0, 20.0],
            cells: vec![
                DraftCell { row: 0, col: 0, rowspan: 1, colspan: 3, words: vec![0], ..DraftCell::default() },
                DraftCell { row: 1, col: 0, rowspan: 1, colspan: 1, words: vec![1], ..DraftCell::default() },
                DraftCell { row: 1, col: 1, rowspan: 1, colspan: 1, ..DraftCell::default() },
                DraftCell { row: 1, col: 2, rowspan: 1, colspan: 1, words: vec![2], ..DraftCell::default() },
            ],
            header_hint: 1,
        };
        draft.drop_empty_lines();
        assert_eq!((draft.rows(), draft.cols(), draft.cells.len()), (2, 2, 3));
        assert_eq!(draft.cells.first().map(|c| c.colspan), Some(2));
        assert_eq!(draft.xs, vec![0.0, 20.0, 30.0]);
    }
}
