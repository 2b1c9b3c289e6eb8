//! What a file says about itself: title, author, dates, language, outline, page labels, embedded files.

mod labels;

use std::collections::{HashMap, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::limits::MAX_OUTLINE;
use super::{objects, text_string};

/// What the file says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentInfo {
    /// Title from the document information.
    pub title: Option<String>,
    /// Language tag of the catalog, such as `en-US` or `ko`.
    pub lang: Option<String>,
    /// Bookmarks, in order.
    pub outline: Vec<OutlineItem>,
    /// Author from the document information.
    pub author: Option<String>,
    /// When it was made, as in ISO 8601, with what is known: `2024-03-01T09:30:00+09:00`, or `2024-03`.
    pub created: Option<String>,
    /// When it was last changed.
    pub modified: Option<String>,
    /// What the pages are called, one label a page; empty where the file does not say.
    pub page_labels: Vec<String>,
    /// Names of the files embedded in it.
    pub embedded_files: Vec<String>,
}

/// A bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// Its text, NFC.
    pub title: String,
    /// Depth, from 1.
    pub level: u32,
    /// 1-based page that it leads to, where that is known.
    pub page: Option<u32>,
}

/// Depth of name trees and of the outline.
const MAX_DEPTH: u32 = 32;

pub(crate) fn read(doc: &Document, page_numbers: &HashMap<ObjectId, u32>) -> DocumentInfo {
    let text = |object: &Object| object.as_str().ok().map(text_string::decode).filter(|text| !text.is_empty());
    let entry = |key: &[u8]| text(objects::get(doc, objects::get_dict(doc, &doc.trailer, b"Info")?, key)?);
    let info = DocumentInfo {
        title: entry(b"Title"),
        author: entry(b"Author"),
        created: entry(b"CreationDate").as_deref().and_then(iso_date),
        modified: entry(b"ModDate").as_deref().and_then(iso_date),
        ..DocumentInfo::default()
    };
    let Ok(catalog) = doc.catalog() else { return info };
    DocumentInfo {
        lang: objects::get(doc, catalog, b"Lang").and_then(text),
        outline: OutlineReader { doc, catalog, page_numbers }.read(),
        page_labels: labels::page_labels(doc, catalog, page_numbers.len()),
        embedded_files: labels::embedded_files(doc, catalog),
        ..info
    }
}

/// A PDF date, `D:YYYYMMDDHHmmSSOHH'mm'` cut off anywhere after the year, as in ISO 8601.
fn iso_date(text: &str) -> Option<String> {
    let text = text.strip_prefix("D:").unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count().min(14);
    let (date, zone) = text.split_at_checked(digits)?;
    let part = |from: usize, to: usize| date.get(from..to);
    let mut iso = part(0, 4)?.to_owned();
    for (separator, from) in [("-", 4), ("-", 6), ("T", 8), (":", 10), (":", 12)] {
        let Some(next) = part(from, from + 2) else { break };
        iso = iso + separator + next;
    }
    let numbers: Vec<&str> = zone.get(1..).unwrap_or_default().split('\'').collect();
    match (zone.chars().next(), numbers.as_slice()) {
        _ if digits < 14 => {}
        (Some('Z'), _) => iso.push('Z'),
        (Some(sign @ ('+' | '-')), [hours, rest @ ..]) if hours.len() == 2 => {
            let minutes = rest.first().filter(|minutes| minutes.len() == 2).copied().unwrap_or("00");
            iso = format!("{iso}{sign}{hours}:{minutes}");
        }
        _ => {}
    }
    Some(iso)
}

struct OutlineReader<'a> {
    doc: &'a Document,
    catalog: &'a Dictionary,
    page_numbers: &'a HashMap<ObjectId, u32>,
}

impl OutlineReader<'_> {
    fn read(&self) -> Vec<OutlineItem> {
        let mut items = Vec::new();
        let mut seen = HashSet::new();
        let root = objects::get_dict(self.doc, self.catalog, b"Outlines");
        let first = root.and_then(|root| objects::get_id(root, b"First"));
        let mut stack: Vec<(ObjectId, u32)> = first.map(|id| (id, 1)).into_iter().collect();
        while let Some((id, level)) = stack.pop() {
            if items.len() >= MAX_OUTLINE || !seen.insert(id) {
                continue;
            }
            let Some(item) = self.doc.get_object(id).ok().and_then(objects::as_dict) else { continue };
            stack.extend(objects::get_id(item, b"Next").map(|next| (next, level)));
            if level < MAX_DEPTH {
                stack.extend(objects::get_id(item, b"First").map(|child| (child, level + 1)));
            }
            let title = objects::get(self.doc, item, b"Title").and_then(|title| title.as_str().ok());
            let title = title.map(text_string::decode).unwrap_or_default();
            if !title.is_empty() {
                items.push(OutlineItem { title, level, page: self.page_of_item(item) });
            }
        }
        items
    }

    fn page_of_item(&self, item: &Dictionary) -> Option<u32> {
        let destination = objects::get(self.doc, item, b"Dest").or_else(|| {
            let action = objects::get_dict(self.doc, item, b"A")?;
            objects::get(self.doc, action, b"D")
        })?;
        self.page_of(destination, 0)
    }

    fn page_of(&self, destination: &Object, depth: u32) -> Option<u32> {
        if depth > MAX_DEPTH {
            return None;
        }
        match destination {
            Object::Array(parts) => match parts.first()? {
                Object::Reference(id) => self.page_numbers.get(id).copied(),
                Object::Integer(index) => u32::try_from(*index).ok()?.checked_add(1),
                _ => None,
            },
            Object::Dictionary(dict) => self.page_of(objects::get(self.doc, dict, b"D")?, depth + 1),
            Object::Name(name) | Object::String(name, _) => self.page_of(self.named(name)?, depth + 1),
            _ => None,
        }
    }

    fn named(&self, name: &[u8]) -> Option<&Object> {
        let old = objects::get_dict(self.doc, self.catalog, b"Dests").and_then(|d| objects::get(self.doc, d, name));
        old.or_else(|| {
            let names = objects::get_dict(self.doc, self.catalog, b"Names")?;
            let mut node = objects::get_dict(self.doc, names, b"Dests")?;
            for _ in 0..MAX_DEPTH {
                if let Some(pairs) = objects::get_array(self.doc, node, b"Names") {
                    let mut pairs = pairs.as_chunks::<2>().0.iter();
                    let [_, value] = pairs.find(|[key, _]| key.as_str().is_ok_and(|key| key == name))?;
                    return objects::resolve(self.doc, value);
                }
                let kids = objects::get_array(self.doc, node, b"Kids")?;
                node =
                    kids.iter().filter_map(|kid| objects::as_dict(objects::resolve(self.doc, kid)?)).find(|kid| {
                        let limits = objects::get_array(self.doc, kid, b"Limits").unwrap_or_default();
                        let limit = |i: usize| limits.get(i).and_then(|l| l.as_str().ok());
                        limit(0).is_none_or(|low| low <= name) && limit(1).is_none_or(|high| name <= high)
                    })?;
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (date, iso) in [
            ("D:20240301093000+09'00'", Some("2024-03-01T09:30:00+09:00")),
            ("D:20240301093000Z", Some("2024-03-01T09:30:00Z")),
            ("20240301093000-05", Some("2024-03-01T09:30:00-05:00")),
            ("D:202403", Some("2024-03")),
            ("D:2024", Some("2024")),
            ("yesterday", None),
        ] {
            assert_eq!(iso_date(date).as_deref(), iso, "{date}");
        }
    }
}
