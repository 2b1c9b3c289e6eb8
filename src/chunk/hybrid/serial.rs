//! Elements as the texts that Docling's serialiser for chunks makes of them.

use std::collections::HashSet;

use super::triplets;
use crate::document::{Document, Element, ElementKind, Table};

/// Text of one element.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) element: usize,
    pub(super) text: String,
}

/// What is serialised together: one element, or the items of a list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub(super) items: Vec<Item>,
    pub(super) table: bool,
}

/// The blocks of a document in reading order, headings among them. Captions go with their tables; notes that a table
/// refers to, running heads and pictures are left out.
pub(super) fn blocks(document: &Document) -> Vec<Block> {
    let tables = document.elements.iter().filter_map(|e| e.table());
    let linked: HashSet<usize> = tables.flat_map(|t| t.captions.iter().chain(&t.footnotes)).copied().collect();
    let mut blocks: Vec<Block> = Vec::new();
    let (mut in_list, mut counted) = (false, false);
    for (at, element) in document.elements.iter().enumerate() {
        let is_item = matches!(element.kind, ElementKind::ListItem { .. });
        let number = if in_list { blocks.last().map_or(1, |list| list.items.len() + 1) } else { 1 };
        let text = match &element.kind {
            _ if linked.contains(&at) => String::new(),
            ElementKind::ListItem { marker, .. } => {
                counted = if in_list { counted } else { is_number(marker) };
                list_item(marker, Some(number).filter(|_| counted), element.text.trim())
            }
            ElementKind::Caption if listing(document, at).is_some() => String::new(),
            ElementKind::Code => match at.checked_sub(1).filter(|&above| listing(document, above).is_some()) {
                Some(above) => format!("{}\n\n{}", text(document, element), text_at(document, above)),
                None => text(document, element),
            },
            _ => text(document, element),
        };
        if !text.trim().is_empty() {
            let item = Item { element: at, text };
            match blocks.last_mut().filter(|_| in_list && is_item) {
                Some(list) => list.items.push(item),
                None => blocks.push(Block { items: vec![item], table: grid(element).is_some() }),
            }
        }
        in_list = is_item;
    }
    blocks
}

/// The listing below the caption at this index, which is shown under it; none where something else has the caption.
fn listing(document: &Document, at: usize) -> Option<&Element> {
    let kind = |at: usize| document.elements.get(at).map(|e| &e.kind);
    let above = at.checked_sub(1).and_then(kind);
    let taken = matches!(above, Some(ElementKind::Picture | ElementKind::Table { .. } | ElementKind::Code));
    let next = document.elements.get(at + 1).filter(|e| e.kind == ElementKind::Code);
    next.filter(|_| !taken && kind(at) == Some(&ElementKind::Caption))
}

fn text_at(document: &Document, at: usize) -> &str {
    document.elements.get(at).map_or("", |e| e.text.trim())
}

/// The table that an element is or has been read from.
fn grid(element: &Element) -> Option<&Table> {
    match &element.kind {
        ElementKind::Table { table } | ElementKind::Contents { table: Some(table) } => Some(table),
        _ => None,
    }
}

fn text(document: &Document, element: &Element) -> String {
    let text = element.text.trim();
    if let Some(table) = grid(element) {
        let captions = table.captions.iter().map(|&at| text_at(document, at));
        let caption = captions.collect::<Vec<_>>().join(" ");
        let values = triplets::text(table);
        return if caption.is_empty() { values } else { format!("{caption}\n\n{values}") };
    }
    match &element.kind {
        ElementKind::PageHeader | ElementKind::PageFooter | ElementKind::Picture => String::new(),
        ElementKind::Code if !text.is_empty() => format!("```\n{}\n```", element.text.trim_matches('\n')),
        ElementKind::Formula if !text.is_empty() => format!("$${text}$$"),
        _ => text.to_owned(),
    }
}

/// A list item in Markdown: a marker that Markdown does not know stands behind a hyphen, and only where it says
/// something. `number` is the place of the item in a list that begins with a number.
fn list_item(marker: &str, number: Option<usize>, text: &str) -> String {
    if is_number(marker) || matches!(marker, "-" | "*" | "+") {
        format!("{marker} {text}")
    } else if marker.contains(|c: char| c.is_ascii_alphanumeric()) {
        format!("- {marker} {text}")
    } else if let Some(number) = number {
        format!("{number}. {text}")
    } else {
        format!("- {text}")
    }
}

/// Whether it is a number with a full stop, which Markdown takes for the marker of a list.
fn is_number(marker: &str) -> bool {
    marker.strip_suffix('.').is_some_and(|n| !n.is_empty() && n.chars().all(char::is_numeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BBox, Cell};

    fn document(elements: Vec<(ElementKind, &str)>) -> Document {
        let bbox = BBox::default();
        let elements = elements.into_iter().map(|(kind, text)| Element::new(kind, text, 1, bbox)).collect();
        Document { elements, ..Document::default() }
    }

    fn texts(document: &Document) -> Vec<Vec<String>> {
        let items = |block: Block| block.items.into_iter().map(|item| item.text).collect();
        blocks(document).into_iter().map(items).collect()
    }

    #[test]
    fn lists_are_blocks_with_markers_of_markdown() {
        let item = |marker: &str| ElementKind::ListItem { depth: 0, marker: marker.into() };
        let document = document(vec![
            (item("•"), "점"),
            (item("가."), "항"),
            (item("a)"), "letter"),
            (ElementKind::PageFooter, "3"),
            (item("2."), "number"),
            (item(""), "none"),
            (ElementKind::Paragraph, "text"),
        ]);
        let expected = [vec!["- 점", "- 항", "- a) letter"], vec!["2. number", "2. none"], vec!["text"]];
        assert_eq!(texts(&document), expected);
    }

    #[test]
    fn captions_stand_over_their_tables_and_notes_and_pictures_nowhere() {
        let cells = ["a", "b"].map(|text| Cell { rowspan: 1, colspan: 1, text: text.into(), ..Cell::default() });
        let cells = cells.into_iter().zip(0..).map(|(cell, row)| Cell { row, ..cell }).collect();
        let table = Table { rows: 2, cols: 1, cells, captions: vec![2], footnotes: vec![3] };
        let document = document(vec![
            (ElementKind::Picture, "label"),
            (ElementKind::Table { table: table.clone() }, ""),
            (ElementKind::Caption, "표 1"),
            (ElementKind::Note, "주: 없음"),
            (ElementKind::Contents { table: Some(Table { captions: Vec::new(), ..table }) }, "a\nb"),
            (ElementKind::Formula, "x"),
            (ElementKind::Caption, "Listing 1"),
            (ElementKind::Code, "\n  y\n"),
        ]);
        let expected =
            ["표 1\n\na = b", "a = b", "$$x$$", "```\n  y\n```\n\nListing 1"].map(|text| vec![text.to_owned()]);
        assert_eq!(texts(&document), expected);
        assert_eq!(blocks(&document).iter().map(|b| b.table).collect::<Vec<_>>(), [true, true, false, false]);
    }
}
