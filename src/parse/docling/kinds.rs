//! What an item's label makes of it.

use super::schema::Item;
use crate::document::ElementKind;

/// Longest printed marker of a list item, in characters: `(xviii)`, `제12조`.
const MARKER_CHARS: usize = 8;

/// The place of an item in the lists around it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct InList {
    /// How many lists it stands in.
    pub(super) depth: u8,
    /// Its 1-based number in the innermost one.
    pub(super) number: usize,
}

/// The kind of element that a text becomes.
pub(super) fn kind(item: &Item, list: InList) -> ElementKind {
    match item.label.as_str() {
        "page_header" => ElementKind::PageHeader,
        "page_footer" => ElementKind::PageFooter,
        _ if item.is_furniture() => ElementKind::PageHeader,
        "title" => ElementKind::Title,
        "section_header" => ElementKind::Heading { level: item.level.map_or(1, |l| l.clamp(1.0, 6.0) as u8) },
        "list_item" => ElementKind::ListItem { depth: list.depth.saturating_sub(1), marker: marker(item, list.number) },
        "caption" => ElementKind::Caption,
        "footnote" => ElementKind::Footnote,
        "formula" => ElementKind::Formula,
        "code" => ElementKind::Code,
        "document_index" => ElementKind::Contents { table: None },
        _ => ElementKind::Paragraph,
    }
}

/// The text of an item as it is read: a box that can be ticked shows whether it is.
pub(super) fn text(item: &Item) -> String {
    let text = item.content();
    match item.label.as_str() {
        "checkbox_selected" => format!("☒ {text}"),
        "checkbox_unselected" => format!("☐ {text}"),
        // The indentation of its first line counts.
        "code" if !item.text.trim().is_empty() => item.text.trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

/// The marker that is given, or stands before the text in what was read at first, or counts the items.
fn marker(item: &Item, number: usize) -> String {
    let given = item.marker.trim();
    let printed = || item.orig.trim().strip_suffix(item.text.trim()).map(str::trim);
    if !given.is_empty() {
        given.to_owned()
    } else if let Some(printed) = printed().filter(|p| !p.is_empty() && p.chars().count() <= MARKER_CHARS) {
        printed.to_owned()
    } else if item.enumerated && number > 0 {
        format!("{number}.")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(json: &str) -> Item {
        serde_json::from_str(json).unwrap()
    }

    fn of(json: &str) -> ElementKind {
        kind(&item(json), InList { depth: 2, number: 3 })
    }

    #[test]
    fn labels_make_kinds() {
        assert_eq!(of(r#"{"label": "title"}"#), ElementKind::Title);
        assert_eq!(of(r#"{"label": "section_header", "level": 3}"#), ElementKind::Heading { level: 3 });
        assert_eq!(of(r#"{"label": "section_header", "level": 0}"#), ElementKind::Heading { level: 1 });
        assert_eq!(of(r#"{"label": "section_header", "level": 1e9}"#), ElementKind::Heading { level: 6 });
        assert_eq!(of(r#"{"label": "caption"}"#), ElementKind::Caption);
        assert_eq!(of(r#"{"label": "footnote"}"#), ElementKind::Footnote);
        assert_eq!(of(r#"{"label": "formula"}"#), ElementKind::Formula);
        assert_eq!(of(r#"{"label": "code"}"#), ElementKind::Code);
        assert_eq!(of(r#"{"label": "page_footer"}"#), ElementKind::PageFooter);
        assert_eq!(of(r#"{"label": "document_index"}"#), ElementKind::Contents { table: None });
        assert_eq!(of(r#"{"label": "handwritten_text"}"#), ElementKind::Paragraph);
        assert_eq!(of(r#"{"label": "text", "content_layer": "furniture"}"#), ElementKind::PageHeader);
    }

    #[test]
    fn markers_are_given_printed_or_counted() {
        let list = |marker: &str| ElementKind::ListItem { depth: 1, marker: marker.into() };
        assert_eq!(of(r#"{"label": "list_item", "marker": "가.", "text": "항목"}"#), list("가."));
        assert_eq!(of(r#"{"label": "list_item", "marker": "", "orig": "· one", "text": "one"}"#), list("·"));
        assert_eq!(of(r#"{"label": "list_item", "enumerated": true, "orig": "one", "text": "one"}"#), list("3."));
        assert_eq!(of(r#"{"label": "list_item", "orig": "one", "text": "one"}"#), list(""));
    }

    #[test]
    fn boxes_show_their_ticks_and_undecoded_formulas_what_was_read() {
        assert_eq!(text(&item(r#"{"label": "checkbox_selected", "text": "Yes"}"#)), "☒ Yes");
        assert_eq!(text(&item(r#"{"label": "checkbox_unselected", "text": "아니요"}"#)), "☐ 아니요");
        assert_eq!(text(&item(r#"{"label": "formula", "text": "", "orig": "a 2 + 8"}"#)), "a 2 + 8");
        assert_eq!(text(&item(r#"{"label": "code", "text": "  if x:\n    y\n"}"#)), "  if x:\n    y");
    }
}
