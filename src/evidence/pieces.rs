//! The pieces of a unit that is too long for one: rows, parts of rows, and what is left.

use std::ops::Range;

use super::grid::Block;
use super::rows::Sentences;
use super::split::{Cost, Extent, Piece, Splitter};
use super::text::{Content, Frame, assemble};
use crate::chunk::cut::{cut, longest};
use crate::chunk::tokens::{Budget, Cl100k, TokenCounter};
use crate::document::Table;
use crate::unit::RowText;

/// Share of a piece that rows have before paragraphs are repeated.
const ROWS_SHARE: usize = 2;

/// A block of rows in one band of columns.
pub(crate) struct Part<'p> {
    /// Number of the block and of the band.
    pub(crate) number: (usize, usize),
    /// The block.
    pub(crate) block: &'p Block,
    /// The band's columns.
    pub(crate) cols: Vec<usize>,
    /// Notes that every piece repeats.
    pub(crate) repeated: &'p [String],
}

impl Part<'_> {
    /// Whether label columns are due in this band.
    pub(super) fn first(&self) -> bool {
        self.number.1 == 0
    }
}

/// The rows of a part.
struct Rows {
    /// Their sentences; empty where there is none.
    lines: Vec<String>,
    /// What each adds to a piece.
    costs: Vec<Cost>,
    /// Which of them names the group of the row below it.
    leads: Vec<bool>,
}

impl Rows {
    /// How many rows from position `from` on belong together: names of groups and the first row under them.
    fn together(&self, from: usize) -> usize {
        self.leads.iter().skip(from).take_while(|leads| **leads).count() + 1
    }

    /// The most rows from position `from` on, up to `count`, that do not end with the name of a group.
    fn unbroken(&self, from: usize, count: usize) -> usize {
        let rows = self.leads.get(from..from.saturating_add(count)).unwrap_or_default();
        count - rows.iter().rev().take_while(|leads| **leads).count()
    }
}

/// What stands around the rows of a piece.
#[derive(Clone)]
struct Setting {
    context: Vec<usize>,
    notes: Vec<String>,
    /// Whether the names of the group that the rows begin in are repeated.
    groups: bool,
    base: Cost,
}

/// The pieces made so far.
pub(crate) struct Run<'s, 'w, 'a> {
    pub(super) splitter: &'s Splitter<'w, 'a>,
    pieces: Vec<Piece>,
    /// What the pieces were made of.
    contents: Vec<(Frame, Content)>,
    /// For every cell whether some piece shows its whole text.
    seen: Vec<bool>,
}

impl<'s, 'w, 'a> Run<'s, 'w, 'a> {
    /// No pieces yet.
    pub(crate) fn new(splitter: &'s Splitter<'w, 'a>) -> Self {
        let seen = vec![false; splitter.grid().table.cells.len()];
        Self { splitter, pieces: Vec::new(), contents: Vec::new(), seen }
    }

    /// Adds what no piece has shown in full yet, and returns all pieces.
    pub(crate) fn finish(mut self) -> Vec<Piece> {
        self.tail();
        self.pieces
    }

    pub(super) fn push(&mut self, piece: Piece, frame: &Frame, content: Content) {
        if let Some(extent) = &piece.extent {
            let (grid, splitter) = (self.splitter.grid(), self.splitter);
            let whole = |index: usize, row: usize| extent.whole_rows && splitter.is_due(index, row, extent.part.1 == 0);
            let places = |rows: &[usize]| -> Vec<(usize, usize)> {
                let of_row =
                    |&row: &usize| extent.cols.iter().filter_map(move |&col| Some((grid.cell(row, col)?.0, row)));
                rows.iter().flat_map(of_row).collect()
            };
            for (index, row) in places(&extent.body) {
                if whole(index, row) || !splitter.is_shortened(index) {
                    self.see(index);
                }
            }
            // A sentence may cut the path of headers in front of its value; only a table shows each by itself.
            let repeated = [&extent.header, &extent.groups].into_iter().filter(|_| !content.html.is_empty());
            for (index, _) in repeated.flat_map(|rows| places(rows)) {
                if !splitter.is_shortened(index) {
                    self.see(index);
                }
            }
        }
        self.pieces.push(piece);
        self.contents.push((frame.clone(), content));
    }

    pub(super) fn see(&mut self, cell: usize) {
        if let Some(seen) = self.seen.get_mut(cell) {
            *seen = true;
        }
    }

    /// All rows of a part, as many per piece as fit.
    pub(crate) fn rows(&mut self, part: &Part) {
        let splitter = self.splitter;
        let grid = splitter.grid();
        let sentences = Sentences::new(grid, part.block, |i| splitter.label(i));
        let body = &part.block.body;
        let empty = Table { rows: 1, ..Table::default() }.to_html();
        let shell = Cl100k.count(&empty).saturating_sub(4);
        let mut lines: Vec<String> = Vec::with_capacity(body.len());
        let mut costs: Vec<Cost> = Vec::with_capacity(body.len());
        let mut leads: Vec<bool> = Vec::with_capacity(body.len());
        for (position, &row) in body.iter().enumerate() {
            let html = splitter.html(&[], &[row], &part.cols, &[], part.first());
            let next = body.get(position + 1);
            let named_below = grid.is_section(row) && next.is_some_and(|&n| grid.sections(n).contains(&row));
            let line = if named_below && !self.is_long(row) {
                String::new()
            } else {
                sentences.sentence(row, &part.cols, |i, row, label| splitter.cell_text(i, row, part.first() || !label))
            };
            let retrieval = if line.is_empty() { 0 } else { splitter.budget().count_retrieval(&line) + 1 };
            costs.push(Cost { text: Cl100k.count(&html).saturating_sub(shell) + 1, retrieval });
            lines.push(line);
            leads.push(named_below);
        }
        let rows = Rows { lines, costs, leads };
        let some = self.repeatable(part);
        let all: Vec<usize> = (0..splitter.whole().context.len()).collect();
        let fuller = (self.pieces.is_empty() && some.len() < all.len()).then(|| self.setting(part, all, part.repeated));
        let bare = self.setting(part, Vec::new(), &[]);
        let settings = [
            self.setting(part, some, part.repeated),
            self.setting(part, Vec::new(), part.repeated),
            bare.clone(),
            Setting { groups: false, ..bare },
        ];
        let mut from = 0;
        while from < body.len() {
            let fuller = fuller.as_ref().filter(|_| self.pieces.is_empty());
            let taken = fuller.into_iter().chain(&settings).find_map(|setting| self.take(part, &rows, from, setting));
            let taken = taken.unwrap_or(0);
            // The short name of a group whose first row leaves no room for it is repeated with what can be shown of that.
            let is_repeated = rows.together(from) > 1 && body.get(from).is_some_and(|&row| !self.is_long(row));
            if taken == 0 && !is_repeated {
                self.divide(part, &sentences, from);
            }
            from += taken.max(1);
        }
    }

    /// Whether a label of the row is shortened where it is repeated.
    fn is_long(&self, row: usize) -> bool {
        self.splitter.grid().row(row).iter().any(|(index, _)| self.splitter.is_shortened(*index))
    }

    /// Makes a piece of the rows from position `from` on and says how many it holds; `None` where not even one fits. The name of
    /// a group goes with the first row under it.
    fn take(&mut self, part: &Part, rows: &Rows, from: usize, setting: &Setting) -> Option<usize> {
        let budget = self.splitter.budget();
        let left = rows.costs.get(from..).unwrap_or_default();
        let least = rows.together(from);
        let mut wanted = rows.unbroken(from, fill(setting.base, left, budget)).max(least);
        let mut made: Option<(usize, Piece, Content)> = None;
        for _ in 0..4 {
            let Some((piece, content)) = self.rows_piece(part, rows, from..from + wanted, setting) else {
                if made.is_some() || wanted == least {
                    break;
                }
                wanted = rows.unbroken(from, wanted - wanted.div_ceil(8)).max(least);
                continue;
            };
            // Estimates are a little high: with the exact count of a piece, more rows may turn out to fit.
            let more = fill(piece.cost, left.get(wanted..).unwrap_or_default(), budget);
            made = Some((wanted, piece, content));
            let next = rows.unbroken(from, wanted + more);
            if next <= wanted {
                break;
            }
            wanted = next;
        }
        if made.is_none() && wanted > least {
            let piece = self.rows_piece(part, rows, from..from + least, setting);
            made = piece.map(|(piece, content)| (least, piece, content));
        }
        let (count, piece, content) = made?;
        self.push(piece, self.splitter.frame(), content);
        Some(count)
    }

    /// What stands around the rows of a part's pieces, with its cost.
    fn setting(&self, part: &Part, context: Vec<usize>, notes: &[String]) -> Setting {
        let splitter = self.splitter;
        let html = splitter.html(&part.block.header, &[], &part.cols, &[], part.first());
        let content = Content { context: context.clone(), html, sentences: Vec::new(), notes: notes.to_vec() };
        let (text, retrieval_text) = assemble(splitter.whole(), splitter.frame(), &content);
        let base =
            Cost { text: Cl100k.count(&text) + 1, retrieval: splitter.budget().count_retrieval(&retrieval_text) + 1 };
        Setting { context, notes: notes.to_vec(), groups: true, base }
    }

    /// The paragraphs that leave rows their share of a piece, most important first.
    fn repeatable(&self, part: &Part) -> Vec<usize> {
        let budget = self.splitter.budget();
        let mut cost = self.setting(part, Vec::new(), part.repeated).base;
        let mut chosen = Vec::new();
        for (position, context) in self.splitter.whole().context.iter().enumerate() {
            let mut more = cost;
            more +=
                Cost { text: Cl100k.count(&context.text) + 1, retrieval: budget.count_retrieval(&context.text) + 1 };
            let text_left = budget.max_tokens.saturating_sub(more.text);
            let retrieval_left = budget.retrieval_limit().saturating_sub(more.retrieval);
            if text_left >= budget.max_tokens / ROWS_SHARE && retrieval_left >= budget.retrieval_limit() / ROWS_SHARE {
                cost = more;
                chosen.push(position);
            }
        }
        chosen
    }

    /// The piece of some rows of a part, by their positions in its body.
    fn rows_piece(&self, part: &Part, all: &Rows, range: Range<usize>, setting: &Setting) -> Option<(Piece, Content)> {
        let splitter = self.splitter;
        let grid = splitter.grid();
        let rows = part.block.body.get(range.clone())?;
        let lines = all.lines.get(range.clone())?;
        let groups = grid.sections(*rows.first()?);
        let repeated = if setting.groups { groups.to_vec() } else { Vec::new() };
        let body: Vec<usize> = repeated.iter().chain(rows).copied().collect();
        let html = splitter.html(&part.block.header, &body, &part.cols, &repeated, part.first());
        let texts: Vec<RowText> = rows
            .iter()
            .zip(lines)
            .filter(|(_, line)| !line.is_empty())
            .map(|(&row, line)| RowText { row, text: line.clone() })
            .collect();
        let sentences = texts.iter().map(|r| r.text.clone()).collect();
        let content = Content { context: setting.context.clone(), html, sentences, notes: setting.notes.clone() };
        let extent = Extent {
            part: part.number,
            header: part.block.header.clone(),
            groups: repeated,
            cols: part.cols.clone(),
            body: rows.to_vec(),
            cost: all.costs.get(range)?.iter().map(|c| c.text).sum(),
            whole_rows: true,
        };
        let piece = splitter.piece(splitter.frame(), &content, texts, Some(extent))?;
        Some((piece, content))
    }

    /// What no piece has shown in full yet: notes, a long caption, long headers, cells outside the grid.
    fn tail(&mut self) {
        let splitter = self.splitter;
        let shown = |note: &&String| self.contents.iter().any(|(_, c)| c.notes.contains(note));
        let mut due: Vec<String> = splitter.frame().shortened.clone();
        due.extend(splitter.whole().notes.iter().filter(|n| !shown(n)).cloned());
        let cells = splitter.grid().table.cells.iter().zip(&self.seen);
        let unseen = cells.filter(|(c, seen)| !**seen && Some(c.row) != splitter.whole().caption_row);
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
