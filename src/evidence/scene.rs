//! What part every element plays around tables, and the way from a table to its neighbours in reading order.

use super::label::{self, Label};
use super::notes;
use super::opening::starts_caption;
use crate::document::{BBox, Document, Element, ElementKind, Region};

/// Height of a line of text where the format has no layout, in points.
const LINE_HEIGHT: f32 = 14.0;
/// Characters of such a line.
const LINE_CHARS: usize = 80;
/// How far apart two boxes of one column may be horizontally, in points.
const COLUMN_TOLERANCE: f32 = 20.0;

/// The part that an element plays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// Can explain a table.
    Body,
    /// May be the caption of a table; with its number where it has one.
    Caption(Option<Label>),
    /// Caption of a figure.
    FigureCaption,
    /// Note, source line, footnote.
    Note,
    /// `(단위: 백만원)`: says how to read every value.
    Units,
    /// Heading or title.
    Heading,
    /// A table.
    Table,
    /// A picture.
    Picture,
    /// Running head or foot.
    Furniture,
    /// Formula, code: stands in between without explaining.
    Other,
}

impl Role {
    /// Whether what lies behind it belongs to something else.
    pub(crate) fn is_boundary(&self) -> bool {
        matches!(self, Self::Caption(_) | Self::FigureCaption | Self::Heading | Self::Table | Self::Picture)
    }
}

/// The part of every element of a document.
pub(crate) fn roles(document: &Document) -> Vec<Role> {
    document.elements.iter().map(role).collect()
}

fn role(element: &Element) -> Role {
    let text = element.text.as_str();
    let figure = || label::leading(text).is_some_and(|(l, _)| !l.table);
    match &element.kind {
        ElementKind::PageHeader | ElementKind::PageFooter => Role::Furniture,
        ElementKind::Table { .. } => Role::Table,
        ElementKind::Picture => Role::Picture,
        ElementKind::Formula | ElementKind::Code | ElementKind::Contents { .. } => Role::Other,
        ElementKind::Title => Role::Heading,
        ElementKind::Caption if figure() => Role::FigureCaption,
        ElementKind::Caption if notes::is_units(text) => Role::Units,
        ElementKind::Caption => Role::Caption(label::leading(text).map(|(l, _)| l)),
        ElementKind::Heading { .. } => match starts_caption(text) {
            Some(label) if label.table => Role::Caption(Some(label)),
            _ => Role::Heading,
        },
        ElementKind::Footnote | ElementKind::Note if notes::is_units(text) => Role::Units,
        ElementKind::Footnote | ElementKind::Note => Role::Note,
        ElementKind::Paragraph | ElementKind::ListItem { .. } => {
            if notes::is_units(text) {
                Role::Units
            } else if notes::is_note(&spoken(element)) {
                Role::Note
            } else {
                match starts_caption(text) {
                    Some(label) if label.table => Role::Caption(Some(label)),
                    Some(_) => Role::FigureCaption,
                    None => Role::Body,
                }
            }
        }
    }
}

/// The element's text as it is read: a list item with its marker, indented by its depth.
pub(crate) fn spoken(element: &Element) -> String {
    let text = element.text.trim();
    match &element.kind {
        ElementKind::ListItem { depth, marker } if !text.is_empty() => {
            let marker = if marker.trim().is_empty() { "-" } else { marker.trim() };
            format!("{}{marker} {text}", "  ".repeat(usize::from((*depth).min(8))))
        }
        _ => text.to_owned(),
    }
}

/// Whether two boxes share a column.
pub(crate) fn same_column(a: &BBox, b: &BBox) -> bool {
    a.overlap_x(b) >= -COLUMN_TOLERANCE
}

/// A neighbour on the way from a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// Index of the element.
    pub(crate) index: usize,
    /// Points of text and blank space between it and the table, along the reading order.
    pub(crate) distance: f32,
    /// The same to its far end.
    pub(crate) end: f32,
    /// Whether it stands in a column of the table.
    pub(crate) same_column: bool,
}

/// The neighbours of element `from` before it (`up`) or after it, nearest first, on its page and the adjacent one, up to
/// `limit` points away. Running heads are passed over. A change of column or page costs nothing by itself.
pub(crate) fn neighbours(document: &Document, from: usize, up: bool, limit: f32) -> Vec<Step> {
    let mut steps = Vec::new();
    let Some(origin) = document.elements.get(from) else { return steps };
    let edge = |element: &Element, far: bool| -> Option<Region> {
        if up == far { element.regions.first() } else { element.regions.last() }.copied()
    };
    let home = edge(origin, true);
    let mut previous = home;
    let mut distance = 0.0_f32;
    let (before, after) =
        (document.elements.iter().enumerate().take(from), document.elements.iter().enumerate().skip(from + 1));
    let sequence: Box<dyn Iterator<Item = (usize, &Element)>> =
        if up { Box::new(before.rev()) } else { Box::new(after) };
    for (index, element) in sequence.filter(|(_, e)| !e.kind.is_furniture()) {
        let near = edge(element, false);
        if let (Some(home), Some(near)) = (home, near)
            && home.page.abs_diff(near.page) > 1
        {
            break;
        }
        distance += match (previous, near) {
            (Some(a), Some(b)) => gap(&a, &b, up),
            _ => 0.0,
        };
        if distance > limit || distance.is_nan() {
            break;
        }
        let same = match (home, near) {
            (Some(home), Some(near)) => same_column(&home.bbox, &near.bbox),
            _ => true,
        };
        let end = distance + height(element);
        steps.push(Step { index, distance, end, same_column: same });
        distance = end;
        previous = edge(element, true).or(previous);
    }
    steps
}

/// Blank space from one region to the next one in reading order; none where the column or the page changes.
fn gap(from: &Region, to: &Region, up: bool) -> f32 {
    if from.page != to.page || !same_column(&from.bbox, &to.bbox) {
        return 0.0;
    }
    let gap = if up { from.bbox.y0 - to.bbox.y1 } else { to.bbox.y0 - from.bbox.y1 };
    gap.max(0.0)
}

fn height(element: &Element) -> f32 {
    if element.regions.is_empty() {
        let lines = element.text.chars().count().div_ceil(LINE_CHARS).max(1);
        return lines as f32 * LINE_HEIGHT;
    }
    element.regions.iter().map(|r| r.bbox.height().max(0.0)).sum()
}
