//! Rows and texts that no piece can hold: divided between cells, and a cell between its sentences.

use super::pieces::{Part, Run};
use super::rows::Sentences;
use super::split::{Extent, Piece};
use super::text::{Content, Frame};
use crate::chunk::cut::{cut, longest};
use crate::unit::RowText;

/// Part of the limits, in bytes, that has to be left for a cell's text before a fuller frame is chosen.
const FAIR_SHARE: usize = 4;

/// How cells of a divided row are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// As a table with headers, the names of the row's group, and row labels.
    Group,
    /// The same without the names of the group.
    Table,
    /// As the row's sentence.
    Sentence,
    /// As mere text.
    Plain,
}

/// A row that has to be divided.
struct Line<'l, 'g, 'a> {
    part: &'l Part<'l>,
    sentences: &'l Sentences<'g, 'a>,
    row: usize,
}

impl Run<'_, '_, '_> {
    /// A row that no piece can hold: divided between its cells, and a cell between its sentences.
    pub(super) fn divide(&mut self, part: &Part, sentences: &Sentences, from: usize) {
        let splitter = self.splitter;
        let grid = splitter.grid();
        let Some(&row) = part.block.body.get(from) else { return };
        let line = Line { part, sentences, row };
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
            let (frame, shape) = self.roomy(
                |frame, shape, probe| self.cells_piece(frame, shape, &line, &[cell], Some(probe)).is_some(),
                &text,
            );
            let make = |run: &Self, n: usize| {
                let cells = rest.get(..n).filter(|_| n > 0)?;
                run.cells_piece(&frame, shape, &line, cells, None)
            };
            let n = longest(rest.len(), |n| make(self, n).is_some());
            if let Some((piece, content)) = make(self, n) {
                self.push(piece, &frame, content);
                rest.iter().take(n).for_each(|&cell| self.see(cell));
                rest = rest.get(n..).unwrap_or_default();
                continue;
            }
            let make = |run: &Self, slice: &str| run.cells_piece(&frame, shape, &line, &[cell], Some(slice));
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
    pub(super) fn roomy(&self, fits: impl Fn(&Frame, Shape, &str) -> bool, text: &str) -> (Frame, Shape) {
        let budget = self.splitter.budget();
        let bytes = budget.max_tokens.min(budget.retrieval_limit()) / FAIR_SHARE;
        let probe = text.get(..text.floor_char_boundary(bytes.max(4))).unwrap_or(text);
        let frames = [self.splitter.frame().clone(), self.splitter.frame().brief(), Frame::default()];
        for shape in [Shape::Group, Shape::Table, Shape::Sentence, Shape::Plain] {
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
        shape: Shape,
        line: &Line,
        cells: &[usize],
        slice: Option<&str>,
    ) -> Option<(Piece, Content)> {
        let (splitter, &Line { part, sentences, row }) = (self.splitter, line);
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
        let groups = if shape == Shape::Group { grid.sections(row).to_vec() } else { Vec::new() };
        let content = match shape {
            Shape::Group | Shape::Table => {
                let body: Vec<usize> = groups.iter().copied().chain([row]).collect();
                let html = splitter.part(&part.block.header, &body, &cols, |i, _| text(i));
                Content { html, sentences: vec![line], ..Content::default() }
            }
            Shape::Sentence => Content { notes: vec![line], ..Content::default() },
            Shape::Plain => return self.plain_piece(frame, slice?),
        };
        let extent = Extent {
            part: part.number,
            header: part.block.header.clone(),
            groups,
            cols,
            body: vec![row],
            cost: 0,
            whole_rows: false,
        };
        let piece = splitter.piece(frame, &content, texts, Some(extent))?;
        Some((piece, content))
    }

    /// A piece of mere text.
    pub(super) fn plain_piece(&self, frame: &Frame, text: &str) -> Option<(Piece, Content)> {
        let content = Content { notes: vec![text.to_owned()], ..Content::default() };
        let piece = self.splitter.piece(frame, &content, Vec::new(), None)?;
        Some((piece, content))
    }
}
