//! How an evidence unit reads: the order of its parts in `text`, `retrieval_text` and `parent_text`.

use super::context::Context;
use super::grid::Grid;
use super::rows::Sentences;
use crate::chunk::cut::{clip, longest};
use crate::chunk::tokens::Budget;

/// Share of the limits that a caption may take where it is repeated.
const CAPTION_SHARE: usize = 4;
/// Share of the unit lines.
const UNITS_SHARE: usize = 16;
/// Share of the line that says what the table holds.
const ABSTRACT_SHARE: usize = 8;
/// Share of the heading path.
pub(crate) const HEADINGS_SHARE: usize = 8;
/// Columns that this line names at most.
const ABSTRACT_COLUMNS: usize = 8;

/// All parts of one evidence unit.
pub(crate) struct Whole<'a> {
    /// Index of the table among the document's elements.
    pub(crate) at: usize,
    /// The table.
    pub(crate) grid: Grid<'a>,
    /// Its caption, or empty.
    pub(crate) caption: String,
    /// Row of the table that the caption was taken from.
    pub(crate) caption_row: Option<usize>,
    /// Unit lines.
    pub(crate) units: Vec<String>,
    /// Heading path, within its share.
    pub(crate) headings: String,
    /// Notes in reading order.
    pub(crate) notes: Vec<String>,
    /// Explaining paragraphs, most important first.
    pub(crate) context: Vec<Context>,
    /// Whether the document is Korean, for the few words that are ours.
    pub(crate) korean: bool,
}

/// What every piece of a unit repeats, each part within its share of the limits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Frame {
    /// Caption.
    pub(crate) caption: String,
    /// Unit lines.
    pub(crate) units: String,
    /// Title, columns and number of rows.
    pub(crate) summary: String,
    /// Heading path.
    pub(crate) headings: String,
    /// Caption and unit lines that had to be shortened, in full: they are due once, elsewhere.
    pub(crate) shortened: Vec<String>,
}

impl Frame {
    /// The frame of a unit.
    pub(crate) fn new(whole: &Whole, budget: &Budget, label: impl Fn(usize) -> String) -> Self {
        let mut shortened = Vec::new();
        let mut within = |text: String, share: usize| match clip(&text, |t| budget.within_share(t, share)) {
            Some(short) => {
                shortened.push(text);
                short
            }
            None => text,
        };
        let caption = within(whole.caption.clone(), CAPTION_SHARE);
        let units = within(whole.units.join(" "), UNITS_SHARE);
        let summary = summary(whole, budget, label);
        Self { caption, units, summary, headings: whole.headings.clone(), shortened }
    }

    /// Only what no reader can do without: caption and units.
    pub(crate) fn brief(&self) -> Self {
        Self { caption: self.caption.clone(), units: self.units.clone(), ..Self::default() }
    }
}

/// `Title. Columns: a, b, c. 12 rows.`, shortened to its share.
fn summary(whole: &Whole, budget: &Budget, label: impl Fn(usize) -> String) -> String {
    let grid = &whole.grid;
    let rows = grid.data_rows();
    let count = match (whole.korean, rows) {
        (true, _) => format!("{rows}행."),
        (false, 1) => "1 row.".to_owned(),
        (false, _) => format!("{rows} rows."),
    };
    let Some(block) = grid.blocks.first() else { return count };
    let titles = Sentences::titles(grid, block, &label).join(" ");
    let sentences = Sentences::new(grid, block, &label);
    let columns = sentences.columns();
    let write = |n: usize| {
        let named: Vec<&str> = columns.iter().take(n).copied().collect();
        let more = if n < columns.len() { ", …" } else { "" };
        let lead = if whole.korean { "열" } else { "Columns" };
        let columns = if named.is_empty() { String::new() } else { format!("{lead}: {}{more}.", named.join(", ")) };
        let parts = [titles.as_str(), columns.as_str(), count.as_str()];
        parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let most = columns.len().min(ABSTRACT_COLUMNS);
    let named = longest(most, |n| budget.within_share(&write(n), ABSTRACT_SHARE));
    let line = write(named);
    clip(&line, |t| budget.within_share(t, ABSTRACT_SHARE)).unwrap_or(line)
}

/// What one piece shows besides the frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Content {
    /// Which of the unit's paragraphs, by their position in [`Whole::context`].
    pub(crate) context: Vec<usize>,
    /// The table as HTML.
    pub(crate) html: String,
    /// Its rows as sentences.
    pub(crate) sentences: Vec<String>,
    /// Notes.
    pub(crate) notes: Vec<String>,
}

/// `text` and `retrieval_text`: caption, units, paragraphs before, summary, headings, table, notes, paragraphs after.
pub(crate) fn assemble(whole: &Whole, frame: &Frame, content: &Content) -> (String, String) {
    let mut shown: Vec<&Context> = content.context.iter().filter_map(|&i| whole.context.get(i)).collect();
    shown.sort_by_key(|c| c.index);
    let side = |before: bool| shown.iter().filter(move |c| (c.index < whole.at) == before).map(|c| c.text.as_str());
    let head: Vec<&str> = [frame.caption.as_str(), frame.units.as_str()]
        .into_iter()
        .chain(side(true))
        .chain([frame.summary.as_str(), frame.headings.as_str()])
        .collect();
    let tail: Vec<&str> = content.notes.iter().map(String::as_str).chain(side(false)).collect();
    let join = |middle: Vec<&str>| {
        let parts = head.iter().copied().chain(middle).chain(tail.iter().copied());
        parts.filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\n")
    };
    (join(vec![&content.html]), join(content.sentences.iter().map(String::as_str).collect()))
}
