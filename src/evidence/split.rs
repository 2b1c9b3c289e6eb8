//! Dividing an evidence unit into pieces that each stand alone and stay within the limits.
//!
//! The order in which things give way: paragraphs, then notes, then the row is divided between its cells, then the cell
//! between its sentences or words, then the frame. What gave way is due in another piece, so that nothing is lost.
//! Costs are counted once per part and only guide; what is made has been counted as a whole.

use std::cell::RefCell;

use super::grid::{Block, Grid};
use super::notes;
use super::rows::Sentences;
use super::text::{Content, Frame, Whole, assemble};
use crate::chunk::cut::{clip, cut, longest};
use crate::chunk::tokens::{Budget, Cl100k, TokenCounter};
use crate::document::Table;
use crate::unit::RowText;

/// Share of the limits that all header rows and row labels together may take where they are repeated.
const LABEL_SHARE: usize = 4;
/// Share of the notes that every piece repeats.
const NOTES_SHARE: usize = 8;
/// Share of a piece that rows have before paragraphs are repeated.
const ROWS_SHARE: usize = 2;
/// Bytes per token above which a table is not even tried as one piece.
const BYTES_PER_TOKEN: usize = 16;
/// Part of the limits, in bytes, that has to be left for a cell's text before a fuller frame is chosen.
const FAIR_SHARE: usize = 4;
/// Longest resolved note behind a row sentence, as a share of the limits.
const RESOLVED_SHARE: usize = 8;

/// A finished piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    /// What an LLM reads.
    pub(crate) text: String,
    /// What is embedded.
    pub(crate) retrieval_text: String,
    /// The table of this piece; empty where the piece holds only text.
    pub(crate) html: String,
    /// Its rows.
    pub(crate) rows: Vec<RowText>,
    /// Paragraphs, by their position in the whole's context.
    pub(crate) context: Vec<usize>,
    /// Whether the heading path is shown.
    pub(crate) headings: bool,
    /// The table rows that it shows.
    pub(crate) extent: Option<Extent>,
}

/// Which rows a piece shows, for the text around it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Number of the block and of the band of columns.
    pub(crate) part: (usize, usize),
    /// Header rows.
    pub(crate) header: Vec<usize>,
    /// Columns.
    pub(crate) cols: Vec<usize>,
    /// Body rows.
    pub(crate) body: Vec<usize>,
    /// cl100k tokens of the rows.
    pub(crate) cost: usize,
    /// Whether these are whole rows; otherwise cells of one row.
    pub(crate) whole_rows: bool,
}

/// Tokens in both tokenizers.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    text: usize,
    retrieval: usize,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.text += other.text;
        self.retrieval += other.retrieval;
    }
}

/// Divides one evidence unit.
pub(crate) struct Splitter<'w, 'a> {
    whole: &'w Whole<'a>,
    budget: &'w Budget<'w>,
    frame: Frame,
    /// Share of one repeated label.
    label_share: usize,
    /// Every cell's text as a label, once needed.
    labels: RefCell<Vec<Option<String>>>,
}

impl<'w, 'a> Splitter<'w, 'a> {
    /// Prepares the parts that pieces repeat.
    pub(crate) fn new(whole: &'w Whole<'a>, budget: &'w Budget<'w>) -> Self {
        let grid = &whole.grid;
        let levels = grid.blocks.iter().map(|b| b.header.len()).max().unwrap_or(0) + grid.labels.len();
        let labels = RefCell::new(vec![None; grid.table.cells.len()]);
        let mut splitter =
            Self { whole, budget, frame: Frame::default(), label_share: LABEL_SHARE * levels.max(1), labels };
        splitter.frame = Frame::new(whole, budget, |i| splitter.label(i));
        splitter
    }

    /// The frame of all pieces.
    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The pieces, at least one.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let mut pieces = self.single().map_or_else(|| self.divided(), |piece| vec![piece]);
        self.resolve(&mut pieces);
        pieces
    }

    fn divided(&self) -> Vec<Piece> {
        let seen = vec![false; self.grid().table.cells.len()];
        let mut run = Run { splitter: self, pieces: Vec::new(), contents: Vec::new(), seen };
        let repeated = self.repeated_notes();
        for (number, block) in self.grid().blocks.iter().enumerate() {
            for (band, cols) in self.bands(block).into_iter().enumerate() {
                run.rows(&Part { number: (number, band), block, cols, repeated: &repeated });
            }
        }
        run.tail();
        run.pieces
    }

    fn grid(&self) -> &'w Grid<'a> {
        &self.whole.grid
    }

    /// The text of a cell as a label: where it is repeated, it is shortened to its share.
    pub(crate) fn label(&self, index: usize) -> String {
        if let Some(Some(label)) = self.labels.borrow().get(index) {
            return label.clone();
        }
        let text = self.grid().table.cells.get(index).map(|c| c.text.trim()).unwrap_or_default();
        let label = clip(text, |t| self.budget.within_share(t, self.label_share)).unwrap_or_else(|| text.to_owned());
        if let Some(slot) = self.labels.borrow_mut().get_mut(index) {
            *slot = Some(label.clone());
        }
        label
    }

    fn full(&self, index: usize) -> String {
        self.grid().table.cells.get(index).map(|c| c.text.trim().to_owned()).unwrap_or_default()
    }

    fn is_shortened(&self, index: usize) -> bool {
        self.label(index) != self.full(index)
    }

    /// Everything in one piece, where that fits.
    fn single(&self) -> Option<Piece> {
        let bytes: usize = self.grid().table.cells.iter().map(|c| c.text.len() + 9).sum();
        if bytes > self.budget.max_tokens.saturating_mul(BYTES_PER_TOKEN) {
            return None;
        }
        if !self.frame.shortened.is_empty() || self.grid().hidden().next().is_some() {
            return None;
        }
        let (html, rows) = self.everything();
        let content = Content {
            context: (0..self.whole.context.len()).collect(),
            html,
            sentences: rows.iter().map(|r| r.text.clone()).collect(),
            notes: self.whole.notes.clone(),
        };
        self.piece(&self.frame, &content, rows, None)
    }

    /// The whole table as HTML, and all its rows as sentences, nothing shortened.
    pub(crate) fn everything(&self) -> (String, Vec<RowText>) {
        let grid = self.grid();
        let cols = grid.cols();
        let header = grid.blocks.first().map(|b| b.header.clone()).unwrap_or_default();
        let mut body = Vec::new();
        let mut rows = Vec::new();
        for (number, block) in grid.blocks.iter().enumerate() {
            if number > 0 {
                body.extend(&block.header);
            }
            body.extend(&block.body);
            let sentences = Sentences::new(grid, block, |i| self.full(i));
            for (position, &row) in block.body.iter().enumerate() {
                // The name of a group is part of every row below it.
                let next = block.body.get(position + 1);
                if grid.is_section(row) && next.is_some_and(|&next| grid.sections(next).contains(&row)) {
                    continue;
                }
                let text = sentences.sentence(row, &cols, |i, _, _| self.full(i));
                if !text.is_empty() {
                    rows.push(RowText { row, text });
                }
            }
        }
        (grid.part(&header, &body, &cols, |i, _| self.full(i)).to_html(), rows)
    }

    /// A piece, if it is within the limits.
    fn piece(&self, frame: &Frame, content: &Content, rows: Vec<RowText>, extent: Option<Extent>) -> Option<Piece> {
        let (text, retrieval_text) = assemble(self.whole, frame, content);
        if text.is_empty() || !self.budget.admits(&text, &retrieval_text) {
            return None;
        }
        Some(Piece {
            text,
            retrieval_text,
            html: content.html.clone(),
            rows,
            context: content.context.clone(),
            headings: !frame.headings.is_empty(),
            extent,
        })
    }

    /// Puts the notes that marks in a row point to behind the row's sentence.
    fn resolve(&self, pieces: &mut [Piece]) {
        let notes = self.whole.notes.iter().filter(|n| self.budget.within_share(n, RESOLVED_SHARE));
        let marked: Vec<(String, &String)> = notes.filter_map(|n| Some((notes::mark(n)?, n))).collect();
        if marked.is_empty() {
            return;
        }
        for row in pieces.iter_mut().flat_map(|p| &mut p.rows) {
            let cells = self.grid().row(row.row);
            for (mark, note) in &marked {
                if row.text.contains(mark) && cells.iter().any(|(_, c)| notes::carries(&c.text, mark)) {
                    let resolved = format!("{} [{note}]", row.text);
                    if self.budget.count_retrieval(&resolved) <= self.budget.retrieval_limit() {
                        row.text = resolved;
                    }
                }
            }
        }
    }

    /// How many notes, from the first, every piece repeats.
    fn repeated_notes(&self) -> Vec<String> {
        let notes = &self.whole.notes;
        let count = longest(notes.len(), |n| {
            let joined = notes.iter().take(n).map(String::as_str).collect::<Vec<_>>().join("\n");
            self.budget.within_share(&joined, NOTES_SHARE)
        });
        notes.iter().take(count).cloned().collect()
    }

    /// The columns in bands, each with the label columns, so that a band's header takes no more than its share.
    fn bands(&self, block: &Block) -> Vec<Vec<usize>> {
        let grid = self.grid();
        let header_fits = |cols: &[usize]| {
            let html = self.html(&block.header, &[], cols, &[], true);
            block.header.is_empty() || self.budget.within_share(&html, LABEL_SHARE)
        };
        let all = grid.cols();
        if header_fits(&all) {
            return vec![all];
        }
        let values: Vec<usize> = all.into_iter().filter(|c| !grid.labels.contains(c)).collect();
        let with_labels = |values: &[usize]| {
            let mut cols: Vec<usize> = grid.labels.iter().chain(values).copied().collect();
            cols.sort_unstable();
            cols
        };
        let mut bands = Vec::new();
        let mut rest = values.as_slice();
        while !rest.is_empty() {
            let n = longest(rest.len(), |n| header_fits(&with_labels(rest.get(..n).unwrap_or_default()))).max(1);
            let (band, tail) = rest.split_at(n.min(rest.len()));
            bands.push(with_labels(band));
            rest = tail;
        }
        bands
    }

    /// Some rows as HTML. `repeated` body rows, headers and cells that reach in from other rows are shortened to labels,
    /// and so are the labels of every band but the `first`.
    fn html(&self, header: &[usize], body: &[usize], cols: &[usize], repeated: &[usize], first: bool) -> String {
        self.part(header, body, cols, |i, row| self.cell_text(i, row, first && !repeated.contains(&row)))
    }

    /// The rows of an extent as HTML, the names of their group before them.
    pub(crate) fn rows_html(&self, extent: &Extent) -> String {
        let first = extent.body.first().copied().unwrap_or_default();
        let repeated = self.grid().sections(first).to_vec();
        let body: Vec<usize> = repeated.iter().chain(&extent.body).copied().collect();
        self.html(&extent.header, &body, &extent.cols, &repeated, extent.part.1 == 0)
    }

    fn part(&self, header: &[usize], body: &[usize], cols: &[usize], text: impl Fn(usize, usize) -> String) -> String {
        let label_or = |i: usize, row: usize| if header.contains(&row) { self.label(i) } else { text(i, row) };
        self.grid().part(header, body, cols, label_or).to_html()
    }

    /// A cell's text in a row: in full where it is due.
    fn cell_text(&self, index: usize, row: usize, labels_due: bool) -> String {
        if self.is_due(index, row, labels_due) { self.full(index) } else { self.label(index) }
    }

    fn is_due(&self, index: usize, row: usize, labels_due: bool) -> bool {
        let grid = self.grid();
        let label = grid.table.cells.get(index).is_some_and(|c| grid.is_label(c));
        grid.is_home(index, row) && (labels_due || !(label || grid.is_section(row)))
    }

    fn cost(&self, text: &str) -> Cost {
        Cost { text: Cl100k.count(text) + 1, retrieval: self.budget.count_retrieval(text) + 1 }
    }
}

/// How cells of a divided row are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// As a table with headers and row labels.
    Table,
    /// As the row's sentence.
    Sentence,
    /// As mere text.
    Plain,
}

/// A block of rows in one band of columns.
struct Part<'p> {
    number: (usize, usize),
    block: &'p Block,
    cols: Vec<usize>,
    repeated: &'p [String],
}

impl Part<'_> {
    /// Whether label columns are due in this band.
    fn first(&self) -> bool {
        self.number.1 == 0
    }
}

/// The pieces made so far.
struct Run<'s, 'w, 'a> {
    splitter: &'s Splitter<'w, 'a>,
    pieces: Vec<Piece>,
    /// What the pieces were made of.
    contents: Vec<(Frame, Content)>,
    /// For every cell whether some piece shows its whole text.
    seen: Vec<bool>,
}

impl Run<'_, '_, '_> {
    fn push(&mut self, piece: Piece, frame: &Frame, content: Content) {
        if let Some(extent) = &piece.extent {
            let (grid, splitter) = (self.splitter.grid(), self.splitter);
            let whole = |index: usize, row: usize| extent.whole_rows && splitter.is_due(index, row, extent.part.1 == 0);
            let places = |rows: &[usize]| -> Vec<(usize, usize)> {
                let of_row = |&row: &usize| extent.cols.iter().filter_map(move |&col| Some((grid.cell(row, col)?.0, row)));
                rows.iter().flat_map(of_row).collect()
            };
            for (index, row) in places(&extent.body) {
                if whole(index, row) || !splitter.is_shortened(index) {
                    self.see(index);
                }
            }
            for (index, _) in places(&extent.header) {
                if !splitter.is_shortened(index) {
                    self.see(index);
                }
            }
        }
        self.pieces.push(piece);
        self.contents.push((frame.clone(), content));
    }

    fn see(&mut self, cell: usize) {
        if let Some(seen) = self.seen.get_mut(cell) {
            *seen = true;
        }
    }

    /// All rows of a part, as many per piece as fit.
    fn rows(&mut self, part: &Part) {
        let splitter = self.splitter;
        let grid = splitter.grid();
        let sentences = Sentences::new(grid, part.block, |i| splitter.label(i));
        let body = &part.block.body;
        let empty = Table { rows: 1, ..Table::default() }.to_html();
        let shell = Cl100k.count(&empty).saturating_sub(4);
        let mut lines: Vec<String> = Vec::with_capacity(body.len());
        let mut costs: Vec<Cost> = Vec::with_capacity(body.len());
        for (position, &row) in body.iter().enumerate() {
            let html = splitter.html(&[], &[row], &part.cols, &[], part.first());
            let next = body.get(position + 1);
            let named_below = grid.is_section(row) && next.is_some_and(|&n| grid.sections(n).contains(&row));
            let line = if named_below && !grid.row(row).iter().any(|(i, _)| splitter.is_shortened(*i)) {
                String::new()
            } else {
                sentences.sentence(row, &part.cols, |i, row, label| splitter.cell_text(i, row, part.first() || !label))
            };
            let retrieval = if line.is_empty() { 0 } else { splitter.budget.count_retrieval(&line) + 1 };
            costs.push(Cost { text: Cl100k.count(&html).saturating_sub(shell) + 1, retrieval });
            lines.push(line);
        }
        let mut from = 0;
        while from < body.len() {
            let taken = self.take(part, &lines, &costs, from);
            if taken == 0 {
                self.divide(part, &sentences, from);
            }
            from += taken.max(1);
        }
    }

    /// Makes a piece of the rows from position `from` on and says how many it holds; 0 where not even one fits.
    fn take(&mut self, part: &Part, lines: &[String], costs: &[Cost], from: usize) -> usize {
        let splitter = self.splitter;
        let all: Vec<usize> = (0..splitter.whole.context.len()).collect();
        let some = self.repeatable(part);
        let first = self.pieces.is_empty();
        let attempts = [
            (if first { all } else { some.clone() }, part.repeated),
            (some, part.repeated),
            (Vec::new(), part.repeated),
            (Vec::new(), &[][..]),
        ];
        for (context, notes) in attempts {
            let base = self.base(part, &context, notes);
            let left = costs.get(from..).unwrap_or_default();
            let mut wanted = fill(base, left, splitter.budget).max(1);
            let mut made: Option<(usize, Piece, Content)> = None;
            // Estimates are a little high: with the exact count of a piece, more rows may turn out to fit.
            for _ in 0..4 {
                let Some((piece, content)) = self.rows_piece(part, lines, costs, from, wanted, &context, notes) else {
                    if made.is_some() || wanted == 1 {
                        break;
                    }
                    wanted = (wanted - wanted.div_ceil(8)).max(1);
                    continue;
                };
                let exact = Cost {
                    text: Cl100k.count(&piece.text),
                    retrieval: splitter.budget.count_retrieval(&piece.retrieval_text),
                };
                let more = fill(exact, left.get(wanted..).unwrap_or_default(), splitter.budget);
                made = Some((wanted, piece, content));
                if more == 0 {
                    break;
                }
                wanted += more;
            }
            if made.is_none() && wanted > 1 {
                made = self.rows_piece(part, lines, costs, from, 1, &context, notes).map(|(p, c)| (1, p, c));
            }
            if let Some((count, piece, content)) = made {
                self.push(piece, &splitter.frame, content);
                return count;
            }
        }
        0
    }

    /// Tokens of a piece without rows.
    fn base(&self, part: &Part, context: &[usize], notes: &[String]) -> Cost {
        let splitter = self.splitter;
        let html = splitter.html(&part.block.header, &[], &part.cols, &[], part.first());
        let content = Content { context: context.to_vec(), html, sentences: Vec::new(), notes: notes.to_vec() };
        let (text, retrieval_text) = assemble(splitter.whole, &splitter.frame, &content);
        let mut cost = splitter.cost(&text);
        cost.retrieval = splitter.budget.count_retrieval(&retrieval_text) + 1;
        cost
    }

    /// The paragraphs that leave rows their share of a piece, most important first.
    fn repeatable(&self, part: &Part) -> Vec<usize> {
        let budget = self.splitter.budget;
        let mut cost = self.base(part, &[], part.repeated);
        let mut chosen = Vec::new();
        for (position, context) in self.splitter.whole.context.iter().enumerate() {
            let mut more = cost;
            more += self.splitter.cost(&context.text);
            let text_left = budget.max_tokens.saturating_sub(more.text);
            let retrieval_left = budget.retrieval_limit().saturating_sub(more.retrieval);
            if text_left >= budget.max_tokens / ROWS_SHARE && retrieval_left >= budget.retrieval_limit() / ROWS_SHARE {
                cost = more;
                chosen.push(position);
            }
        }
        chosen
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one piece")]
    fn rows_piece(
        &self,
        part: &Part,
        lines: &[String],
        costs: &[Cost],
        from: usize,
        count: usize,
        context: &[usize],
        notes: &[String],
    ) -> Option<(Piece, Content)> {
        let splitter = self.splitter;
        let grid = splitter.grid();
        let rows = part.block.body.get(from..from + count)?;
        let repeated: Vec<usize> = grid.sections(*rows.first()?).to_vec();
        let body: Vec<usize> = repeated.iter().chain(rows).copied().collect();
        let html = splitter.html(&part.block.header, &body, &part.cols, &repeated, part.first());
        let lines = lines.get(from..from + count)?;
        let texts: Vec<RowText> = rows
            .iter()
            .zip(lines)
            .filter(|(_, line)| !line.is_empty())
            .map(|(&row, line)| RowText { row, text: line.clone() })
            .collect();
        let sentences = texts.iter().map(|r| r.text.clone()).collect();
        let content = Content { context: context.to_vec(), html, sentences, notes: notes.to_vec() };
        let extent = Extent {
            part: part.number,
            header: part.block.header.clone(),
            cols: part.cols.clone(),
            body: rows.to_vec(),
            cost: costs.get(from..from + count)?.iter().map(|c| c.text).sum(),
            whole_rows: true,
        };
        let piece = splitter.piece(&splitter.frame, &content, texts, Some(extent))?;
        Some((piece, content))
    }

    /// A row that no piece can hold: divided between its cells, and a cell between its sentences.
    fn divide(&mut self, part: &Part, sentences: &Sentences, from: usize) {
        let splitter = self.splitter;
        let grid = splitter.grid();
        let Some(&row) = part.block.body.get(from) else { return };
        let due: Vec<usize> = grid
            .row(row)
            .into_iter()
            .filter(|(i, c)| {
                let shown = part.cols.iter().any(|col| (c.col..c.col.saturating_add(c.colspan.max(1))).contains(col));
                shown && grid.is_home(*i, row) && !c.text.trim().is_empty()
            })
            .filter(|(i, c)| !grid.is_label(c) || (part.first() && splitter.is_shortened(*i)))
            .map(|(i, _)| i)
            .collect();
        let mut rest = due.as_slice();
        while let Some(&cell) = rest.first() {
            let text = splitter.full(cell);
            let (frame, shape) = self.roomy(|frame, shape, probe| {
                self.cells_piece(frame, part, sentences, row, &[cell], Some(probe), shape).is_some()
            }, &text);
            let make = |run: &Self, n: usize| {
                let cells = rest.get(..n).filter(|_| n > 0)?;
                run.cells_piece(&frame, part, sentences, row, cells, None, shape)
            };
            let n = longest(rest.len(), |n| make(self, n).is_some());
            if let Some((piece, content)) = make(self, n) {
                self.push(piece, &frame, content);
                rest.iter().take(n).for_each(|&cell| self.see(cell));
                rest = rest.get(n..).unwrap_or_default();
                continue;
            }
            let make = |run: &Self, slice: &str| run.cells_piece(&frame, part, sentences, row, &[cell], Some(slice), shape);
            for slice in cut(&text, |slice| make(self, slice).is_some()) {
                if let Some((piece, content)) = make(self, slice) {
                    self.push(piece, &frame, content);
                }
            }
            self.see(cell);
            rest = rest.get(1..).unwrap_or_default();
        }
    }

    /// The fullest frame and shape that leave a fair part of the budget to `text`.
    fn roomy(&self, fits: impl Fn(&Frame, Shape, &str) -> bool, text: &str) -> (Frame, Shape) {
        let budget = self.splitter.budget;
        let bytes = budget.max_tokens.min(budget.retrieval_limit()) / FAIR_SHARE;
        let probe = text.get(..text.floor_char_boundary(bytes.max(4))).unwrap_or(text);
        let frames = [self.splitter.frame.clone(), self.splitter.frame.brief(), Frame::default()];
        for shape in [Shape::Table, Shape::Sentence, Shape::Plain] {
            if let Some(frame) = frames.iter().find(|frame| fits(frame, shape, probe)) {
                return (frame.clone(), shape);
            }
        }
        (Frame::default(), Shape::Plain)
    }

    /// Some cells of one row under their headers and behind the row's labels; `slice` stands for the text of a single cell.
    fn cells_piece(
        &self,
        frame: &Frame,
        part: &Part,
        sentences: &Sentences,
        row: usize,
        cells: &[usize],
        slice: Option<&str>,
        shape: Shape,
    ) -> Option<(Piece, Content)> {
        let splitter = self.splitter;
        let grid = splitter.grid();
        let covers = |col: &usize| grid.cell(row, *col).is_some_and(|(i, c)| cells.contains(&i) || grid.is_label(c));
        let cols: Vec<usize> = part.cols.iter().copied().filter(covers).collect();
        let text = |i: usize| match slice {
            _ if !cells.contains(&i) => splitter.label(i),
            Some(slice) => slice.to_owned(),
            None => splitter.full(i),
        };
        let line = sentences.sentence(row, &cols, |i, _, _| text(i));
        let texts: Vec<RowText> = if line.is_empty() { Vec::new() } else { vec![RowText { row, text: line.clone() }] };
        let content = match shape {
            Shape::Table => {
                let html = splitter.part(&part.block.header, &[row], &cols, |i, _| text(i));
                Content { html, sentences: vec![line], ..Content::default() }
            }
            Shape::Sentence => Content { notes: vec![line], ..Content::default() },
            Shape::Plain => return self.plain_piece(frame, slice?),
        };
        let extent = Extent {
            part: part.number,
            header: part.block.header.clone(),
            cols,
            body: vec![row],
            cost: 0,
            whole_rows: false,
        };
        let piece = splitter.piece(frame, &content, texts, Some(extent))?;
        Some((piece, content))
    }

    /// A piece of mere text.
    fn plain_piece(&self, frame: &Frame, text: &str) -> Option<(Piece, Content)> {
        let content = Content { notes: vec![text.to_owned()], ..Content::default() };
        let piece = self.splitter.piece(frame, &content, Vec::new(), None)?;
        Some((piece, content))
    }

    /// What no piece has shown in full yet: notes, a long caption, long headers, cells outside the grid.
    fn tail(&mut self) {
        let splitter = self.splitter;
        let shown = |note: &&String| self.contents.iter().any(|(_, c)| c.notes.contains(note));
        let mut due: Vec<String> = splitter.frame.shortened.clone();
        due.extend(splitter.whole.notes.iter().filter(|n| !shown(n)).cloned());
        let cells = splitter.grid().table.cells.iter().zip(&self.seen);
        let unseen = cells.filter(|(c, seen)| !**seen && Some(c.row) != splitter.whole.caption_row);
        due.extend(unseen.map(|(c, _)| c.text.trim().to_owned()).filter(|text| !text.is_empty()));
        let mut rest = due.as_slice();
        // The last piece may have room.
        if let (Some(last), Some((frame, content))) = (self.pieces.last_mut(), self.contents.last()) {
            let with = |n: usize| {
                let mut content = content.clone();
                content.notes.extend(rest.iter().take(n).cloned());
                splitter.piece(frame, &content, last.rows.clone(), last.extent.clone())
            };
            let n = longest(rest.len(), |n| with(n).is_some());
            if let Some(piece) = Some(n).filter(|n| *n > 0).and_then(with) {
                *last = piece;
                rest = rest.get(n..).unwrap_or_default();
            }
        }
        while let Some(text) = rest.first() {
            let (frame, _) = self.roomy(|frame, _, probe| self.plain_piece(frame, probe).is_some(), text);
            let joined = |n: usize| rest.iter().take(n).map(String::as_str).collect::<Vec<_>>().join("\n");
            let n = longest(rest.len(), |n| self.plain_piece(&frame, &joined(n)).is_some());
            let made: Vec<(Piece, Content)> = if n > 0 {
                self.plain_piece(&frame, &joined(n)).into_iter().collect()
            } else {
                let slices = cut(text, |slice| self.plain_piece(&frame, slice).is_some());
                slices.into_iter().filter_map(|slice| self.plain_piece(&frame, slice)).collect()
            };
            for (piece, content) in made {
                self.push(piece, &frame, content);
            }
            rest = rest.get(n.max(1)..).unwrap_or_default();
        }
    }
}

/// How many of `costs`, from the first, fit on top of `base`.
fn fill(mut base: Cost, costs: &[Cost], budget: &Budget) -> usize {
    costs
        .iter()
        .take_while(|cost| {
            base += **cost;
            base.text <= budget.max_tokens && base.retrieval <= budget.retrieval_limit()
        })
        .count()
}
