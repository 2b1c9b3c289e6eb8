//! Dividing an evidence unit into pieces that each stand alone and stay within the limits.
//!
//! The order in which things give way: paragraphs, then notes, then the row is divided between its cells, then the cell
//! between its sentences or words, then the frame. What gave way is due in another piece, so that nothing is lost.
//! Costs are counted once per part and only guide; what is made has been counted as a whole.

use std::cell::RefCell;

use super::grid::{Block, Grid};
use super::notes;
use super::pieces::{Part, Run};
use super::rows::Sentences;
use super::text::{Content, Frame, Whole, assemble};
use crate::chunk::cut::{clip, longest};
use crate::chunk::tokens::{Budget, Cl100k, TokenCounter};
use crate::unit::RowText;

/// Share of the limits that all header rows and row labels together may take where they are repeated.
const LABEL_SHARE: usize = 4;
/// Share of the notes that every piece repeats.
const NOTES_SHARE: usize = 8;
/// Bytes per token above which a table is not even tried as one piece.
const BYTES_PER_TOKEN: usize = 16;
/// Longest resolved note behind a row sentence, as a share of the limits.
const RESOLVED_SHARE: usize = 8;

/// A finished piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Piece {
    /// What it takes of the limits.
    pub(crate) cost: Cost,
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
    /// Rows above the first one that name its group and are repeated.
    pub(crate) groups: Vec<usize>,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// cl100k tokens of `text`.
    pub(crate) text: usize,
    /// Tokens of `retrieval_text` in the model's tokenizer.
    pub(crate) retrieval: usize,
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

    /// The unit.
    pub(crate) fn whole(&self) -> &'w Whole<'a> {
        self.whole
    }

    /// The limits.
    pub(crate) fn budget(&self) -> &'w Budget<'w> {
        self.budget
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
        let mut run = Run::new(self);
        let repeated = self.repeated_notes();
        for (number, block) in self.grid().blocks.iter().enumerate() {
            for (band, cols) in self.bands(block).into_iter().enumerate() {
                run.rows(&Part { number: (number, band), block, cols, repeated: &repeated });
            }
        }
        run.finish()
    }

    pub(crate) fn grid(&self) -> &'w Grid<'a> {
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

    pub(crate) fn full(&self, index: usize) -> String {
        self.grid().table.cells.get(index).map(|c| c.text.trim().to_owned()).unwrap_or_default()
    }

    pub(crate) fn is_shortened(&self, index: usize) -> bool {
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
    pub(crate) fn piece(
        &self,
        frame: &Frame,
        content: &Content,
        rows: Vec<RowText>,
        extent: Option<Extent>,
    ) -> Option<Piece> {
        let (text, retrieval_text) = assemble(self.whole, frame, content);
        let retrieval = self.budget.count_retrieval(&retrieval_text);
        if text.is_empty() || retrieval > self.budget.retrieval_limit() {
            return None;
        }
        let cost = Cost { text: Cl100k.count(&text), retrieval };
        if cost.text > self.budget.max_tokens {
            return None;
        }
        Some(Piece {
            cost,
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
    pub(crate) fn html(
        &self,
        header: &[usize],
        body: &[usize],
        cols: &[usize],
        repeated: &[usize],
        first: bool,
    ) -> String {
        self.part(header, body, cols, |i, row| self.cell_text(i, row, first && !repeated.contains(&row)))
    }

    /// The rows of an extent as HTML, the names of their group before them.
    pub(crate) fn rows_html(&self, extent: &Extent) -> String {
        let first = extent.body.first().copied().unwrap_or_default();
        let repeated = self.grid().sections(first).to_vec();
        let body: Vec<usize> = repeated.iter().chain(&extent.body).copied().collect();
        self.html(&extent.header, &body, &extent.cols, &repeated, extent.part.1 == 0)
    }

    pub(crate) fn part(
        &self,
        header: &[usize],
        body: &[usize],
        cols: &[usize],
        text: impl Fn(usize, usize) -> String,
    ) -> String {
        let label_or = |i: usize, row: usize| if header.contains(&row) { self.label(i) } else { text(i, row) };
        self.grid().part(header, body, cols, label_or).to_html()
    }

    /// A cell's text in a row: in full where it is due.
    pub(crate) fn cell_text(&self, index: usize, row: usize, labels_due: bool) -> String {
        if self.is_due(index, row, labels_due) { self.full(index) } else { self.label(index) }
    }

    pub(crate) fn is_due(&self, index: usize, row: usize, labels_due: bool) -> bool {
        let grid = self.grid();
        let label = grid.table.cells.get(index).is_some_and(|c| grid.is_label(c));
        grid.is_home(index, row) && (labels_due || !(label || grid.is_section(row)))
    }
}
