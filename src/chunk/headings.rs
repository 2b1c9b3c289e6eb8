//! The headings above an element, as far as they fit into a unit.

use crate::chunk::tokens::Budget;
use crate::document::Document;

/// Deepest path that is followed; HTML and Markdown have six levels.
const MAX_DEPTH: usize = 16;

/// The headings above an element.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Headings {
    /// Texts, outermost first.
    pub(crate) path: Vec<String>,
    /// Which headings [`text`](Self::text) repeats, as indices into the document's elements.
    pub(crate) shown: Vec<usize>,
    /// The innermost headings, one a line, that take at most their share of the budget.
    pub(crate) text: String,
}

impl Headings {
    /// The headings of a section (the heading `section` itself and those above it), shown within `1/share` of the budget.
    pub(crate) fn of(document: &Document, section: Option<usize>, budget: &Budget, share: usize) -> Self {
        let mut headings = Self::default();
        let mut open = true;
        for index in chain(document, section) {
            let Some(text) = document.elements.get(index).map(|e| e.text.trim()).filter(|t| !t.is_empty()) else {
                continue;
            };
            headings.path.push(text.to_owned());
            let longer = if headings.text.is_empty() { text.to_owned() } else { format!("{text}\n{}", headings.text) };
            open = open && budget.within_share(&longer, share);
            if open {
                headings.text = longer;
                headings.shown.push(index);
            }
        }
        headings.path.reverse();
        headings
    }
}

/// The section and the sections around it, innermost first. A section stands before its members; anything else would be
/// a cycle.
fn chain(document: &Document, section: Option<usize>) -> Vec<usize> {
    let mut chain = Vec::new();
    let mut next = section.filter(|&at| at < document.elements.len());
    while let Some(at) = next.filter(|_| chain.len() < MAX_DEPTH) {
        chain.push(at);
        next = document.elements.get(at).and_then(|e| e.section).filter(|&above| above < at);
    }
    chain
}
