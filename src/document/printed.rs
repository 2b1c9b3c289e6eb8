//! What a rendering prints of a document.

use std::collections::HashMap;

use super::{Document, Element};

/// Letters of page numbers, beside those of roman ones: `Page 3 of 10`, `제3쪽`.
const NUMBER_WORDS: [&str; 8] = ["page", "p", "pg", "of", "제", "쪽", "면", "페이지"];

impl Document {
    /// The elements in reading order without the running heads and feet that are mere furniture: page numbers, and what
    /// several pages repeat. A head that stands on one page only is text that stands nowhere else.
    pub(super) fn printed(&self) -> impl Iterator<Item = &Element> {
        let mut times: HashMap<String, usize> = HashMap::new();
        for name in self.elements.iter().filter(|e| e.kind.is_furniture()).filter_map(|e| name(&e.text)) {
            *times.entry(name).or_default() += 1;
        }
        let once = move |text: &str| name(text).is_some_and(|name| times.get(&name) == Some(&1));
        self.elements.iter().filter(move |e| !e.kind.is_furniture() || once(&e.text))
    }
}

/// What a running head says beside the number of its page; `None` for nothing.
fn name(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).map(str::to_lowercase);
    let is_number = |w: &str| NUMBER_WORDS.contains(&w) || w.bytes().all(|b| b"ivxlc".contains(&b));
    let name: String = words.filter(|w| !is_number(w)).collect();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::{BBox, ElementKind};
    use super::*;

    #[test]
    fn furniture_is_printed_where_it_stands_once() {
        use ElementKind::{PageFooter, PageHeader, Paragraph};
        let element = |kind, text: &str, page| Element::new(kind, text, page, BBox::default());
        let elements = vec![
            element(PageHeader, "12 Annual Report", 1),
            element(PageHeader, "Journal of Tests, vol. 3", 1),
            element(Paragraph, "text", 1),
            element(PageFooter, "- 3 -", 1),
            element(PageHeader, "Annual Report 13", 2),
            element(Paragraph, "text", 2),
            element(PageFooter, "Page iv of 10", 2),
        ];
        let document = Document { elements, ..Document::default() };
        let printed: Vec<&str> = document.printed().map(|e| e.text.as_str()).collect();
        assert_eq!(printed, ["Journal of Tests, vol. 3", "text", "text"]);
    }
}
