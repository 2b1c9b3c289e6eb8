//! Page labels and embedded files: number trees and name trees.

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::super::limits::MAX_LISTED;
use super::super::{objects, text_string};
use super::MAX_DEPTH;

/// The pairs of a name tree (`/Names`) or number tree (`/Nums`), in order.
fn pairs<'a>(doc: &'a Document, root: &'a Dictionary, key: &[u8]) -> Vec<(&'a Object, &'a Object)> {
    let mut found = Vec::new();
    let mut seen: std::collections::HashSet<ObjectId> = std::collections::HashSet::new();
    let mut stack = vec![(root, 0)];
    while let Some((node, depth)) = stack.pop() {
        for [name, value] in objects::get_array(doc, node, key).unwrap_or_default().as_chunks::<2>().0 {
            if found.len() >= MAX_LISTED {
                return found;
            }
            if let Some(pair) = objects::resolve(doc, name).zip(objects::resolve(doc, value)) {
                found.push(pair);
            }
        }
        for kid in objects::get_array(doc, node, b"Kids").unwrap_or_default().iter().rev() {
            let new = kid.as_reference().is_ok_and(|id| seen.insert(id));
            if let Some(kid) =
                objects::resolve(doc, kid).and_then(objects::as_dict).filter(|_| new && depth < MAX_DEPTH)
            {
                stack.push((kid, depth + 1));
            }
        }
    }
    found
}

/// Names of the embedded files.
pub(super) fn embedded_files(doc: &Document, catalog: &Dictionary) -> Vec<String> {
    let tree =
        objects::get_dict(doc, catalog, b"Names").and_then(|names| objects::get_dict(doc, names, b"EmbeddedFiles"));
    let name = |(key, value): (&Object, &Object)| {
        let file = objects::as_dict(value);
        let named = |key| file.and_then(|file| objects::get(doc, file, key)).and_then(|name| name.as_str().ok());
        let name = named(b"UF").or_else(|| named(b"F")).or_else(|| key.as_str().ok())?;
        Some(text_string::decode(name))
    };
    tree.map(|tree| pairs(doc, tree, b"Names")).unwrap_or_default().into_iter().filter_map(name).collect()
}

/// What each of `count` pages is called; nothing where the file does not say.
pub(super) fn page_labels(doc: &Document, catalog: &Dictionary, count: usize) -> Vec<String> {
    let Some(tree) = objects::get_dict(doc, catalog, b"PageLabels") else { return Vec::new() };
    let ranges: Vec<(usize, &Dictionary)> = pairs(doc, tree, b"Nums")
        .into_iter()
        .filter_map(|(first, style)| {
            let first = objects::number(first).filter(|first| *first >= 0.0)?;
            Some((first as usize, objects::as_dict(style)?))
        })
        .collect();
    let label = |page: usize| {
        let Some((first, style)) = ranges.iter().rev().find(|(first, _)| *first <= page) else {
            return (page + 1).to_string();
        };
        let prefix = objects::get(doc, style, b"P").and_then(|prefix| prefix.as_str().ok());
        let start = objects::get_number(doc, style, b"St").filter(|start| *start >= 1.0).unwrap_or(1.0) as usize;
        let number = start.saturating_add(page - first);
        let number = match objects::get_name(doc, style, b"S") {
            Some(b"D") => number.to_string(),
            Some(b"R") => roman(number).to_uppercase(),
            Some(b"r") => roman(number),
            Some(b"A") => letters(number).to_uppercase(),
            Some(b"a") => letters(number),
            _ => String::new(),
        };
        prefix.map(text_string::decode).unwrap_or_default() + &number
    };
    if ranges.is_empty() { Vec::new() } else { (0..count).map(label).collect() }
}

/// Lower-case Roman; plain digits beyond what is written that way.
fn roman(mut number: usize) -> String {
    const PARTS: [(usize, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if number > 9999 {
        return number.to_string();
    }
    let mut out = String::new();
    for (value, part) in PARTS {
        while number >= value {
            out.push_str(part);
            number -= value;
        }
    }
    out
}

/// a to z, then aa to zz, and so on.
fn letters(number: usize) -> String {
    let index = number.saturating_sub(1);
    let letter = char::from(b'a' + (index % 26) as u8);
    std::iter::repeat_n(letter, (index / 26 + 1).min(64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopdf::dictionary;

    #[test]
    fn labels_by_range() {
        let doc = Document::new();
        let body = dictionary! { "S" => "D", "P" => Object::string_literal("A-"), "St" => 8 };
        let nums = vec![0.into(), dictionary! { "S" => "r" }.into(), 2.into(), body.into()];
        let catalog = dictionary! { "PageLabels" => dictionary! { "Nums" => nums } };
        assert_eq!(page_labels(&doc, &catalog, 4), ["i", "ii", "A-8", "A-9"]);
        assert!(page_labels(&doc, &dictionary! {}, 4).is_empty());
        assert_eq!((roman(1994), letters(28)), ("mcmxciv".to_owned(), "bb".to_owned()));
    }

    #[test]
    fn embedded_files_are_named() {
        let doc = Document::new();
        let file = dictionary! { "UF" => Object::string_literal(b"\xFE\xFF\xD4\x5C".to_vec()) };
        let names = vec![Object::string_literal("1"), file.into(), Object::string_literal("b.csv"), 3.into()];
        let leaf = dictionary! { "Names" => names };
        let catalog = dictionary! { "Names" => dictionary! { "EmbeddedFiles" => leaf } };
        assert_eq!(embedded_files(&doc, &catalog), ["표", "b.csv"]);
    }
}
