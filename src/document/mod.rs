//! The format-neutral document: pages and a flat list of elements in reading order.
//!
//! Every parser makes a [`Document`]; evidence units, text chunks and exports are made from it alone. This module holds
//! plain data and its renderings, nothing that needs a parser.

mod bbox;
mod html;
mod printed;
mod render;
mod table;

pub use bbox::BBox;
pub use table::{Cell, CellRole, Table};

use serde::{Deserialize, Serialize};

/// A parsed document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Title from the metadata or the first page, where there is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Main language as an ISO 639-1 code, where known or guessed from the script.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lang: Option<String>,
    /// The pages in order. Formats without pages have one page of size zero.
    pub pages: Vec<Page>,
    /// All elements in reading order.
    pub elements: Vec<Element>,
    /// What could not be read, said to the user; never silently dropped.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<Warning>,
}

/// One page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// 1-based number.
    pub number: u32,
    /// Width in points, as displayed.
    pub width: f32,
    /// Height in points, as displayed.
    pub height: f32,
}

/// Something that the reader should know about one page or the whole document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// 1-based page, or `None` for the document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page: Option<u32>,
    /// What happened, in lower case, without a full stop.
    pub message: String,
}

/// Where (a part of) an element stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// 1-based page.
    pub page: u32,
    /// Box on that page.
    pub bbox: BBox,
}

/// One element of the document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element {
    /// What it is, with the data that only this kind has.
    #[serde(flatten)]
    pub kind: ElementKind,
    /// Its text, NFC; empty for tables. That of a picture is its labels, a line for each row of them.
    pub text: String,
    /// Where it stands: one region per page (or column) that it covers, in reading order; empty where the format has no
    /// layout.
    pub regions: Vec<Region>,
    /// Index of the heading that it stands under. For a heading: of its parent heading.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub section: Option<usize>,
}

/// The kinds of element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ElementKind {
    /// The document's title.
    Title,
    /// A section heading; 1 is the highest level.
    Heading {
        /// 1 to 6.
        level: u8,
    },
    /// Running text.
    Paragraph,
    /// One item of a list.
    ListItem {
        /// Nesting depth from 0.
        depth: u8,
        /// The marker as printed (`•`, `1.`, `가.`); the text does not repeat it.
        marker: String,
    },
    /// A table.
    Table {
        /// Its grid.
        table: Table,
    },
    /// Caption of a table or figure.
    Caption,
    /// A footnote of a page.
    Footnote,
    /// A note, source or unit of a table or figure.
    Note,
    /// A table of contents, a list of tables or figures: a line of text for each entry.
    Contents {
        /// Its grid, where the source has it as a table.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        table: Option<Table>,
    },
    /// A displayed formula.
    Formula,
    /// Program text; line breaks and indentation kept.
    Code,
    /// A picture or chart.
    Picture,
    /// Running head.
    PageHeader,
    /// Running foot, page number.
    PageFooter,
}

impl ElementKind {
    /// Running heads and feet: repeated on pages, no part of the body.
    pub fn is_furniture(&self) -> bool {
        matches!(self, Self::PageHeader | Self::PageFooter)
    }
}

impl Element {
    /// An element with one region.
    pub fn new(kind: ElementKind, text: impl Into<String>, page: u32, bbox: BBox) -> Self {
        Self { kind, text: text.into(), regions: vec![Region { page, bbox }], section: None }
    }

    /// First page, where it has a layout.
    pub fn page(&self) -> Option<u32> {
        self.regions.first().map(|r| r.page)
    }

    /// Box on the first page.
    pub fn bbox(&self) -> Option<BBox> {
        self.regions.first().map(|r| r.bbox)
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.kind {
            ElementKind::Table { table } => Some(table),
            _ => None,
        }
    }
}

impl Document {
    /// The page with this 1-based number.
    pub fn page(&self, number: u32) -> Option<&Page> {
        self.pages.iter().find(|p| p.number == number)
    }

    /// Texts of the headings above element `index`, outermost first; a heading is not part of its own path.
    pub fn heading_path(&self, index: usize) -> Vec<&str> {
        let mut path = Vec::new();
        let mut next = self.elements.get(index).and_then(|e| e.section);
        // A section always stands before its members; anything else would be a cycle.
        let mut before = index;
        while let Some(at) = next.filter(|&at| at < before) {
            let Some(heading) = self.elements.get(at) else { break };
            path.push(heading.text.as_str());
            before = at;
            next = heading.section;
        }
        path.reverse();
        path
    }

    /// Sets every element's [`section`](Element::section) from the order and levels of the headings. A title is no
    /// section: it would stand in every path.
    pub fn link_sections(&mut self) {
        let mut open: Vec<(u8, usize)> = Vec::new();
        for index in 0..self.elements.len() {
            let Some(element) = self.elements.get_mut(index) else { break };
            if let ElementKind::Heading { level } = element.kind {
                open.retain(|&(l, _)| l < level);
                element.section = open.last().map(|&(_, i)| i);
                open.push((level, index));
            } else {
                element.section = open.last().map(|&(_, i)| i);
            }
        }
    }
}
