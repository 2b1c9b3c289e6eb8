//! A document as Markdown, and its tables as Markdown and HTML.

use std::fmt::Write;

use super::{CellRole, Document, Element, ElementKind, Table};

impl Document {
    /// The document as Markdown: running heads that several pages repeat and page numbers are left
    /// out, tables with spans as HTML.
    pub fn to_markdown(&self) -> String {
        let mut out = String::new();
        let mut after_item = false;
        for element in self.printed() {
            let Some(block) = block(element) else { continue };
            let item = matches!(element.kind, ElementKind::ListItem { .. });
            if !out.is_empty() {
                // Items of one list follow each other without a blank line.
                out.push_str(if item && after_item { "\n" } else { "\n\n" });
            }
            out.push_str(&block);
            after_item = item;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }
}

/// One element as Markdown, or `None` where there is nothing to print.
fn block(element: &Element) -> Option<String> {
    let text = element.text.trim();
    match &element.kind {
        ElementKind::Table { table } => {
            return (table.rows > 0).then(|| table.to_markdown().unwrap_or_else(|| table.to_html()));
        }
        ElementKind::Code if !text.is_empty() => {
            let fence = if text.contains("```") { "````" } else { "```" };
            return Some(format!("{fence}\n{}\n{fence}", element.text.trim_end()));
        }
        _ if text.is_empty() => return None,
        // Two spaces keep the entries on lines of their own.
        ElementKind::Contents { .. } => {
            return Some(text.lines().map(|line| escape_tags(&single_line(line))).collect::<Vec<_>>().join("  \n"));
        }
        _ => {}
    }
    let line = escape_tags(&single_line(text));
    Some(match &element.kind {
        ElementKind::Title => format!("# {line}"),
        ElementKind::Heading { level } => format!("{} {line}", "#".repeat(usize::from((*level).clamp(1, 6)))),
        ElementKind::ListItem { depth, marker } => {
            format!("{}{}{line}", "  ".repeat(usize::from(*depth)), list_marker(marker))
        }
        ElementKind::Formula => format!("$${line}$$"),
        _ => escape_start(&line),
    })
}

/// The marker in Markdown: bullets become `-`; numbers of another form (`가.`, `(a)`, `①`) stay readable after one.
fn list_marker(marker: &str) -> String {
    let digits = marker.trim_end_matches(['.', ')']);
    if !digits.is_empty() && digits.len() + 1 == marker.len() && digits.bytes().all(|b| b.is_ascii_digit()) {
        format!("{marker} ")
    } else if marker.chars().any(|c| c.is_alphanumeric() && c != 'o' && c != 'ㅇ') {
        format!("- {marker} ")
    } else {
        "- ".to_owned()
    }
}

pub(super) fn single_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Keeps text that looks like an HTML tag from becoming one (CommonMark 0.31, section 6.6).
fn escape_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '<' && chars.peek().is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(*next)) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Keeps a paragraph that starts like a heading or a quotation from becoming one.
fn escape_start(line: &str) -> String {
    let hashes = line.bytes().take_while(|&b| b == b'#').count();
    let heading = (1..=6).contains(&hashes) && line.as_bytes().get(hashes).is_none_or(|&b| b == b' ');
    if heading || line.starts_with('>') { format!("\\{line}") } else { line.to_owned() }
}

impl Table {
    /// The table as one line of HTML: header rows in `thead`, header cells as `th`.
    pub fn to_html(&self) -> String {
        let heads = self.header_rows();
        let mut out = String::from("<table>");
        let mut cells = self.cells.iter().peekable();
        for row in 0..self.rows {
            if row == 0 && heads > 0 {
                out.push_str("<thead>");
            } else if row == heads {
                out.push_str("<tbody>");
            }
            out.push_str("<tr>");
            while let Some(cell) = cells.next_if(|c| c.row <= row) {
                let tag = if cell.role == CellRole::Data { "td" } else { "th" };
                let _ = write!(out, "<{tag}");
                for (name, span) in [("rowspan", cell.rowspan), ("colspan", cell.colspan)] {
                    if span > 1 {
                        let _ = write!(out, " {name}=\"{span}\"");
                    }
                }
                let _ = write!(out, ">{}</{tag}>", escape_html(&single_line(&cell.text)));
            }
            out.push_str("</tr>");
            if row + 1 == heads {
                out.push_str("</thead>");
            } else if row + 1 == self.rows {
                out.push_str("</tbody>");
            }
        }
        out.push_str("</table>");
        out
    }

    /// The table as a Markdown pipe table; `None` where a cell covers more than one place. The first row is the head.
    pub fn to_markdown(&self) -> Option<String> {
        if self.has_spans() || self.rows == 0 || self.cols == 0 {
            return None;
        }
        let mut out = String::new();
        for (row, line) in self.grid().iter().enumerate() {
            if row > 0 {
                out.push('\n');
            }
            out.push('|');
            for place in line {
                let text = place.and_then(|i| self.cells.get(i)).map_or("", |c| c.text.as_str());
                let _ = write!(out, " {} |", escape_tags(&single_line(text).replace('\\', "\\\\").replace('|', "\\|")));
            }
            if row == 0 {
                let _ = write!(out, "\n|{}", " --- |".repeat(self.cols));
            }
        }
        Some(out)
    }
}

/// Text between tags: there only `&` and `<` mean anything.
pub(super) fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::super::{BBox, Cell};
    use super::*;

    fn cell(row: usize, col: usize, text: &str, role: CellRole) -> Cell {
        Cell { row, col, rowspan: 1, colspan: 1, text: text.into(), role, page: None, bbox: None }
    }

    fn two_by_two() -> Table {
        use CellRole::{ColumnHeader, Data, RowHeader};
        let cells = vec![
            cell(0, 0, "구분", ColumnHeader),
            cell(0, 1, "A|B", ColumnHeader),
            cell(1, 0, "x < y", RowHeader),
            cell(1, 1, "1\n2", Data),
        ];
        Table { rows: 2, cols: 2, cells, ..Table::default() }
    }

    #[test]
    fn a_plain_table_is_a_pipe_table() {
        let expected = "| 구분 | A\\|B |\n| --- | --- |\n| x < y | 1 2 |";
        assert_eq!(two_by_two().to_markdown().as_deref(), Some(expected));
    }

    #[test]
    fn text_does_not_become_markup() {
        let text = |text: &str| Element {
            kind: ElementKind::Paragraph,
            text: text.into(),
            regions: Vec::new(),
            section: None,
        };
        assert_eq!(block(&text("<table> and </b>, a < b, <1 %")).as_deref(), Some("\\<table> and \\</b>, a < b, <1 %"));
        assert_eq!(block(&text("> 5 °C")).as_deref(), Some("\\> 5 °C"));
        assert_eq!(block(&text("# of items")).as_deref(), Some("\\# of items"));
        assert_eq!(block(&text("#1 of 3")).as_deref(), Some("#1 of 3"));
    }

    #[test]
    fn html_marks_heads_and_escapes() {
        let expected = "<table><thead><tr><th>구분</th><th>A|B</th></tr></thead>\
                        <tbody><tr><th>x &lt; y</th><td>1 2</td></tr></tbody></table>";
        assert_eq!(two_by_two().to_html(), expected);
    }

    #[test]
    fn a_section_stands_in_the_body_and_quotes_as_they_are() {
        let mut table = two_by_two();
        table.cells[2] = cell(1, 0, "\"A\" & b > c", CellRole::Section);
        table.cells[2].colspan = 2;
        table.cells.remove(3);
        let expected = "<table><thead><tr><th>구분</th><th>A|B</th></tr></thead>\
                        <tbody><tr><th colspan=\"2\">\"A\" &amp; b > c</th></tr></tbody></table>";
        assert_eq!(table.to_html(), expected);
    }

    #[test]
    fn spans_need_html() {
        let mut table = two_by_two();
        table.cells.remove(1);
        table.cells[0].colspan = 2;
        assert_eq!(table.to_markdown(), None);
        assert!(table.to_html().starts_with("<table><thead><tr><th colspan=\"2\">구분</th></tr></thead><tbody>"));
    }

    #[test]
    fn a_table_of_heads_only_closes_its_head() {
        let mut table = two_by_two();
        table.cells.iter_mut().for_each(|c| c.role = CellRole::ColumnHeader);
        let html = table.to_html();
        assert!(html.ends_with("</tr></thead></table>"), "{html}");
        assert!(!html.contains("tbody"), "{html}");
    }

    #[test]
    fn elements_render_by_kind() {
        let at = BBox::default();
        let item = |depth, marker: &str| ElementKind::ListItem { depth, marker: marker.into() };
        let elements = vec![
            Element::new(ElementKind::Title, "Report", 1, at),
            Element::new(ElementKind::PageHeader, "Journal", 1, at),
            Element::new(ElementKind::Heading { level: 2 }, "1.1 Scope", 1, at),
            Element::new(item(0, "•"), "one", 1, at),
            Element::new(item(1, "가."), "둘", 1, at),
            Element::new(item(0, "2."), "three", 1, at),
            Element::new(ElementKind::Paragraph, "# no heading", 1, at),
            Element::new(ElementKind::Code, "if x:\n    y", 1, at),
            Element::new(ElementKind::Picture, "", 1, at),
            Element::new(ElementKind::PageHeader, "Journal", 2, at),
            Element::new(ElementKind::PageFooter, "2", 2, at),
        ];
        let document = Document { elements, ..Document::default() };
        let expected = "# Report\n\n## 1.1 Scope\n\n- one\n  - 가. 둘\n2. three\n\n\\# no heading\n\n\
                        ```\nif x:\n    y\n```\n";
        assert_eq!(document.to_markdown(), expected);
    }
}
