//! DoclingDocument JSON (schema 1.x): what other tools have recognised, taken over as a [`Document`].
//!
//! The file's tree gives the order ([`reader`]), labels the kinds of element ([`kinds`]), cells the tables ([`grid`]),
//! pages and boxes the places ([`place`]). What the file says is not corrected; what it lacks is said in warnings.

mod grid;
mod kinds;
mod place;
mod pointer;
mod reader;
mod schema;
#[cfg(test)]
mod tests;

use self::place::Pages;
use self::reader::{Findings, Reader};
use self::schema::Docling;
use super::{ParseError, ParseOptions, Parser};
use crate::document::{Document, ElementKind, Warning};
use crate::layout::language;

/// The name that every such file gives its schema.
const SCHEMA_NAME: &str = "DoclingDocument";
/// What UTF-8 files of some systems begin with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads DoclingDocuments.
#[derive(Clone, Copy, Debug)]
pub struct DoclingParser;

impl Parser for DoclingParser {
    fn parse(&self, source: &[u8], options: &ParseOptions) -> Result<Document, ParseError> {
        let json = source.strip_prefix(BYTE_ORDER_MARK).unwrap_or(source);
        let docling: Docling = serde_json::from_slice(json).map_err(|error| match names_schema(json) {
            true => ParseError::DamagedDocling { reason: error.to_string() },
            false => ParseError::NotDocling,
        })?;
        if docling.schema_name != SCHEMA_NAME {
            return Err(ParseError::NotDocling);
        }
        let pages = Pages::of(&docling);
        let wanted = |number: u32| options.pages.as_ref().is_none_or(|range| range.contains(&number));
        let list = pages.list(wanted);
        if list.is_empty() || !list.iter().any(|p| wanted(p.number)) {
            return Err(ParseError::PageRange { count: pages.len().max(1) });
        }
        let (elements, findings) = Reader::new(&docling, &pages, &wanted).read();
        let title = elements.iter().find(|e| e.kind == ElementKind::Title).map(|e| e.text.clone());
        let lang = language::of(&elements, None);
        let mut warnings = warnings(&docling, &findings);
        warnings.extend(pages.warnings(wanted));
        warnings.extend(pages.last().and_then(|last| options.missing_pages(last)));
        let mut document = Document { title, lang, pages: list, elements, warnings };
        document.link_sections();
        Ok(document)
    }
}

/// Whether the beginning of a file names the schema of DoclingDocuments. A file that names it later is one as well; this
/// is for telling apart files that nobody has said anything about.
pub(super) fn names_schema(head: &[u8]) -> bool {
    const KEY: &[u8] = b"\"schema_name\"";
    let name = format!("\"{SCHEMA_NAME}\"");
    head.windows(KEY.len()).enumerate().filter(|(_, window)| *window == KEY).any(|(at, _)| {
        let rest = head.get(at + KEY.len()..).unwrap_or_default().trim_ascii_start();
        rest.strip_prefix(b":").is_some_and(|value| value.trim_ascii_start().starts_with(name.as_bytes()))
    })
}

/// What the user should know about the file as a whole.
fn warnings(docling: &Docling, findings: &Findings) -> Vec<Warning> {
    let mut messages = Vec::new();
    let major = docling.version.split('.').next().unwrap_or_default();
    if !matches!(major, "" | "1") {
        messages.push(format!("schema version {} is not 1.x: read as far as it is alike", docling.version));
    }
    if let Some(first) = &findings.first_dangling {
        messages.push(format!("{} reference(s) lead nowhere, the first to {first:?}", findings.dangling));
    }
    let (pairs, forms) = (docling.key_value_items.len(), docling.form_items.len());
    if pairs + forms > 0 {
        messages.push(format!("{pairs} key-value and {forms} form item(s) are not read"));
    }
    let counts = [
        (findings.repeated, "item(s) stand in the tree more than once: read at the first place only"),
        (findings.stray, "item(s) stand outside the tree: added at the end"),
        (findings.invisible, "invisible item(s) are left out"),
        (findings.empty_tables, "table(s) have no cells"),
        (findings.broken_tables, "table(s) have cells far outside any grid: read as lines of text"),
    ];
    messages.extend(counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    messages.into_iter().map(|message| Warning { page: None, message }).collect()
}
