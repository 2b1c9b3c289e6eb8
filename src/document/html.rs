//! A document as a page of HTML: one element for each part, without styles or scripts.

use std::fmt::Write;

use super::render::{escape_html, single_line};
use super::{Document, Element, ElementKind};

/// Deepest nesting of lists.
const DEEPEST: u8 = 8;

impl Document {
    /// The document as a whole page of HTML5. Running heads that several pages repeat and page numbers are left out; a
    /// table or picture stands in a `figure` with its caption, footnotes and notes in an `aside`.
    pub fn to_html(&self) -> String {
        let lang = self.lang.as_deref().map(|l| format!(" lang=\"{}\"", escape_attribute(l))).unwrap_or_default();
        let title = escape_html(&single_line(self.title.as_deref().unwrap_or_default()));
        let mut out = format!("<!DOCTYPE html>\n<html{lang}>\n<head>\n<meta charset=\"utf-8\">\n");
        let _ = write!(out, "<title>{title}</title>\n</head>\n<body>\n");
        let elements: Vec<&Element> = self.printed().filter(|e| has_content(e)).collect();
        let mut lists = Lists::default();
        let mut rest = elements.as_slice();
        while let Some((first, after)) = rest.split_first() {
            if let ElementKind::ListItem { depth, marker } = &first.kind {
                lists.item(&mut out, *depth, marker, &inline(first));
                rest = after;
                continue;
            }
            lists.close(&mut out);
            let used = figure(&mut out, rest);
            if used == 0 {
                block(&mut out, first);
            }
            rest = rest.get(used.max(1)..).unwrap_or_default();
        }
        lists.close(&mut out);
        out.push_str("</body>\n</html>\n");
        out
    }
}

fn has_content(element: &Element) -> bool {
    match &element.kind {
        ElementKind::Table { table } => table.rows > 0,
        ElementKind::Picture => true,
        _ => !element.text.trim().is_empty(),
    }
}

/// A table or picture with the caption before or after it; how many of the elements that takes, 0 where the first is
/// neither or has no caption of its own.
fn figure(out: &mut String, elements: &[&Element]) -> usize {
    let is_caption = |e: &Element| e.kind == ElementKind::Caption;
    let is_float = |e: &Element| matches!(e.kind, ElementKind::Table { .. } | ElementKind::Picture);
    let (caption, float, used) = match elements {
        [caption, float, ..] if is_caption(caption) && is_float(float) => (Some(caption), float, 2),
        // A caption between two floats belongs to a table below it, else to the picture above it.
        [float, caption, after @ ..] if is_float(float) && is_caption(caption) => {
            let below = after.first().is_some_and(|e| matches!(e.kind, ElementKind::Table { .. }));
            if below { (None, float, 1) } else { (Some(caption), float, 2) }
        }
        [float, ..] if is_float(float) => (None, float, 1),
        _ => return 0,
    };
    let content = match &float.kind {
        ElementKind::Table { table } => table.to_html(),
        _ if float.text.trim().is_empty() => String::new(),
        _ => format!("<p>{}</p>", float.text.trim().lines().map(escaped).collect::<Vec<_>>().join("<br>")),
    };
    match caption {
        None if content.is_empty() => {}
        None if float.kind != ElementKind::Picture => {
            let _ = writeln!(out, "{content}");
        }
        _ => {
            let caption = caption.map(|c| format!("<figcaption>{}</figcaption>", inline(c))).unwrap_or_default();
            let _ = writeln!(out, "<figure>{caption}{content}</figure>");
        }
    }
    used
}

/// An element that is neither a list item nor a float.
fn block(out: &mut String, element: &Element) {
    let text = inline(element);
    let _ = match &element.kind {
        ElementKind::Title => writeln!(out, "<h1>{text}</h1>"),
        ElementKind::Heading { level } => {
            let level = (*level).clamp(1, 6);
            writeln!(out, "<h{level}>{text}</h{level}>")
        }
        ElementKind::Footnote => writeln!(out, "<aside role=\"doc-footnote\">{text}</aside>"),
        ElementKind::Note => writeln!(out, "<aside role=\"note\">{text}</aside>"),
        ElementKind::Formula => writeln!(out, "<div role=\"math\">{text}</div>"),
        ElementKind::Code => {
            writeln!(out, "<pre><code>{}</code></pre>", escape_html(element.text.trim_matches('\n').trim_end()))
        }
        ElementKind::Contents { .. } => {
            let entries: String = element
                .text
                .lines()
                .filter(|l| !l.trim().is_empty())
                .map(|l| format!("<li>{}</li>", escaped(l)))
                .collect();
            writeln!(out, "<nav role=\"doc-toc\"><ul>{entries}</ul></nav>")
        }
        ElementKind::PageHeader => writeln!(out, "<header>{text}</header>"),
        ElementKind::PageFooter => writeln!(out, "<footer>{text}</footer>"),
        _ => writeln!(out, "<p>{text}</p>"),
    };
}

/// The lists that are open, outermost first: whether each of them counts.
#[derive(Default)]
struct Lists(Vec<bool>);

impl Lists {
    fn item(&mut self, out: &mut String, depth: u8, marker: &str, text: &str) {
        let number = number(marker);
        let wanted = usize::from(depth.min(DEEPEST)) + 1;
        while self.0.len() > wanted || (self.0.len() == wanted && self.0.last() != Some(&number.is_some())) {
            self.close_one(out);
        }
        if self.0.len() == wanted {
            out.push_str("</li>\n");
        }
        while self.0.len() < wanted {
            // A list goes into the item above it; where a level is missing, into one without text.
            let inner = self.0.len() + 1 == wanted && number.is_some();
            if !self.0.is_empty() {
                out.push('\n');
            }
            out.push_str(if inner { "<ol>\n" } else { "<ul>\n" });
            self.0.push(inner);
            if self.0.len() < wanted {
                out.push_str("<li>");
            }
        }
        let _ = match number {
            Some(number) => write!(out, "<li value=\"{number}\">{text}"),
            // Letters and signs that HTML cannot count with stay in the text.
            None if marker.chars().any(|c| c.is_alphanumeric() && c != 'o' && c != 'ㅇ') => {
                write!(out, "<li>{} {text}", escape_html(marker))
            }
            None => write!(out, "<li>{text}"),
        };
    }

    fn close_one(&mut self, out: &mut String) {
        if let Some(ordered) = self.0.pop() {
            out.push_str(if ordered { "</li>\n</ol>" } else { "</li>\n</ul>" });
            out.push_str(if self.0.is_empty() { "\n" } else { "" });
        }
    }

    fn close(&mut self, out: &mut String) {
        while !self.0.is_empty() {
            self.close_one(out);
        }
    }
}

/// The number of a marker such as `3.` or `3)`.
fn number(marker: &str) -> Option<u32> {
    marker.strip_suffix(['.', ')'])?.parse().ok()
}

fn inline(element: &Element) -> String {
    escaped(&element.text)
}

fn escaped(text: &str) -> String {
    escape_html(&single_line(text))
}

fn escape_attribute(text: &str) -> String {
    escape_html(text).replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::{BBox, Cell, CellRole, Table};
    use super::*;

    fn element(kind: ElementKind, text: &str) -> Element {
        Element::new(kind, text, 1, BBox::default())
    }

    fn body(elements: Vec<Element>) -> String {
        let html = Document { elements, ..Document::default() }.to_html();
        let (_, body) = html.split_once("<body>\n").unwrap();
        body.strip_suffix("</body>\n</html>\n").unwrap().to_owned()
    }

    fn item(depth: u8, marker: &str, text: &str) -> Element {
        element(ElementKind::ListItem { depth, marker: marker.into() }, text)
    }

    fn table() -> Element {
        let cell =
            |row, text: &str, role| Cell { row, rowspan: 1, colspan: 1, text: text.into(), role, ..Cell::default() };
        let cells = vec![cell(0, "A & B", CellRole::ColumnHeader), cell(1, "1", CellRole::Data)];
        element(ElementKind::Table { table: Table { rows: 2, cols: 1, cells, ..Table::default() } }, "")
    }

    const TABLE: &str = "<table><thead><tr><th>A &amp; B</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>";

    #[test]
    fn a_page_has_its_language_and_title() {
        let document = Document { title: Some("A < B".into()), lang: Some("ko".into()), ..Document::default() };
        let expected = "<!DOCTYPE html>\n<html lang=\"ko\">\n<head>\n<meta charset=\"utf-8\">\n<title>A &lt; B</title>\n\
                        </head>\n<body>\n</body>\n</html>\n";
        assert_eq!(document.to_html(), expected);
    }

    #[test]
    fn parts_are_elements_and_text_is_escaped() {
        let found = body(vec![
            element(ElementKind::Title, "Report"),
            element(ElementKind::Heading { level: 2 }, "1.1 Scope"),
            element(ElementKind::Paragraph, "if a < b & c\nthen <script>"),
            element(ElementKind::Code, "if x:\n    y < 1"),
            element(ElementKind::Formula, "x = y"),
            element(ElementKind::Contents { table: None }, "1 Scope 3\n2 Terms 5"),
            element(ElementKind::Footnote, "1 See there"),
            element(ElementKind::Note, "Source: here"),
            element(ElementKind::PageFooter, "12"),
        ]);
        let expected = "<h1>Report</h1>\n<h2>1.1 Scope</h2>\n<p>if a &lt; b &amp; c then &lt;script></p>\n\
                        <pre><code>if x:\n    y &lt; 1</code></pre>\n<div role=\"math\">x = y</div>\n\
                        <nav role=\"doc-toc\"><ul><li>1 Scope 3</li><li>2 Terms 5</li></ul></nav>\n\
                        <aside role=\"doc-footnote\">1 See there</aside>\n<aside role=\"note\">Source: here</aside>\n";
        assert_eq!(found, expected);
    }

    #[test]
    fn lists_nest_and_count() {
        let found = body(vec![
            item(0, "•", "one"),
            item(1, "1.", "deeper"),
            item(1, "2.", "second"),
            item(0, "•", "two"),
            element(ElementKind::Paragraph, "text"),
            item(0, "가.", "셋"),
        ]);
        let expected = "<ul>\n<li>one\n<ol>\n<li value=\"1\">deeper</li>\n<li value=\"2\">second</li>\n</ol></li>\n\
                        <li>two</li>\n</ul>\n<p>text</p>\n<ul>\n<li>가. 셋</li>\n</ul>\n";
        assert_eq!(found, expected);
    }

    #[test]
    fn floats_have_their_captions() {
        let found = body(vec![
            element(ElementKind::Caption, "Table 1"),
            table(),
            element(ElementKind::Picture, "10\n2021 2022"),
            element(ElementKind::Caption, "Figure 1"),
            element(ElementKind::Picture, ""),
            element(ElementKind::Caption, "Table 2"),
            table(),
            table(),
        ]);
        let expected = format!(
            "<figure><figcaption>Table 1</figcaption>{TABLE}</figure>\n\
             <figure><figcaption>Figure 1</figcaption><p>10<br>2021 2022</p></figure>\n\
             <figure><figcaption>Table 2</figcaption>{TABLE}</figure>\n{TABLE}\n"
        );
        assert_eq!(found, expected);
    }
}
