//! Real DoclingDocuments: taken over whole, and as evidence units at least as good as those of the reference system.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::support::shared;
use evindex::chunk::tokens::Budget;
use evindex::chunk::{self, ChunkSettings, MAX_TOKENS};
use evindex::document::{Document, ElementKind};
use evindex::evidence::{self, EvidenceOptions};
use evindex::parse::{Format, ParseOptions, parse_bytes};
use evindex::unit::{Unit, UnitKind};

/// Name, JSON and document of every file.
fn files() -> Option<Vec<(String, Value, Document)>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(shared("reference/docling_json")?).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    assert_eq!(paths.len(), 18);
    let read = |path: &Path| {
        let bytes = std::fs::read(path).unwrap();
        let document = parse_bytes(Format::Docling, &bytes, &ParseOptions::default()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&bytes).unwrap(), document)
    };
    Some(paths.iter().map(|p| read(p)).collect())
}

fn units(document: &Document) -> Vec<Unit> {
    chunk::units(document, "doc", &ChunkSettings::default(), &Budget { max_tokens: MAX_TOKENS, model: None })
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn pointer(reference: &Value) -> &str {
    reference["$ref"].as_str().or(reference["cref"].as_str()).unwrap_or_default()
}

fn item<'a>(json: &'a Value, pointer: &str) -> Option<&'a Value> {
    json.pointer(pointer.strip_prefix('#')?)
}

/// Whether an item lies in a picture.
fn in_picture(json: &Value, of: &Value) -> bool {
    let mut at = of;
    loop {
        let parent = pointer(&at["parent"]);
        if parent.starts_with("#/pictures/") {
            return true;
        }
        match item(json, parent) {
            Some(next) if parent.matches('/').count() == 2 => at = next,
            _ => return false,
        }
    }
}

#[test]
fn tables_captions_and_headings_are_all_there() {
    let Some(files) = files() else { return };
    for (name, json, document) in files {
        let count = |wanted: fn(&ElementKind) -> bool| document.elements.iter().filter(|e| wanted(&e.kind)).count();
        let texts = |label: &str| list(&json, "texts").iter().filter(|t| t["label"] == label).collect::<Vec<_>>();
        let indexes = list(&json, "tables").iter().filter(|t| t["label"] == "document_index").count();
        let tables = count(|k| matches!(k, ElementKind::Table { .. }));
        assert_eq!(tables, list(&json, "tables").len() - indexes, "{name}: tables");
        assert_eq!(count(|k| matches!(k, ElementKind::Contents { .. })), indexes, "{name}: tables of contents");
        assert_eq!(count(|k| *k == ElementKind::Caption), texts("caption").len(), "{name}: captions");
        let headings = texts("section_header").into_iter().filter(|t| !in_picture(&json, t)).count();
        assert_eq!(count(|k| matches!(k, ElementKind::Heading { .. })), headings, "{name}: headings");
        let items = texts("list_item").into_iter().filter(|t| !in_picture(&json, t)).count();
        assert_eq!(count(|k| matches!(k, ElementKind::ListItem { .. })), items, "{name}: list items");
        assert_eq!(count(|k| *k == ElementKind::Picture), list(&json, "pictures").len(), "{name}: pictures");
        for (table, json) in document
            .elements
            .iter()
            .filter_map(|e| e.table())
            .zip(list(&json, "tables").iter().filter(|t| t["label"] != "document_index"))
        {
            assert_eq!(table.captions.len(), list(json, "captions").len(), "{name}: links to captions");
            assert_eq!(table.footnotes.len(), list(json, "footnotes").len(), "{name}: links to footnotes");
        }
        let inside = |e: &evindex::document::Element| {
            let region = e.regions.first().expect("a place");
            let page = document.page(region.page).expect("a page");
            let b = region.bbox;
            b.x0 >= -1.0 && b.y0 >= -1.0 && b.x1 <= page.width + 1.0 && b.y1 <= page.height + 1.0
        };
        assert!(document.elements.iter().all(inside), "{name}: an element outside its page");
    }
}

/// How often each word that has a letter or digit occurs.
fn words<'a>(texts: impl IntoIterator<Item = &'a str>) -> HashMap<String, usize> {
    let mut words = HashMap::new();
    for word in texts.into_iter().flat_map(|t| t.split(|c: char| !c.is_alphanumeric())).filter(|w| !w.is_empty()) {
        *words.entry(word.to_owned()).or_default() += 1;
    }
    words
}

#[test]
fn no_word_of_the_body_is_lost() {
    let Some(files) = files() else { return };
    for (name, json, document) in files {
        let mut body: Vec<&str> = Vec::new();
        for text in list(&json, "texts") {
            let furniture = matches!(text["label"].as_str(), Some("page_header" | "page_footer"));
            if text["content_layer"] != "furniture" && (!furniture || in_picture(&json, text)) {
                let said = text["text"].as_str().unwrap();
                body.push(if said.trim().is_empty() { text["orig"].as_str().unwrap() } else { said });
            }
        }
        for table in list(&json, "tables") {
            body.extend(list(&table["data"], "table_cells").iter().filter_map(|c| c["text"].as_str()));
        }
        let body: Vec<String> =
            body.iter().map(|t| unicode_normalization::UnicodeNormalization::nfc(*t).collect()).collect();
        let units = units(&document);
        let over = units.iter().find(|u| u.tokens as usize > MAX_TOKENS);
        assert!(over.is_none(), "{name}: oversize unit {over:?}");
        let plain = |u: &Unit| {
            let html = u.table_html.clone().unwrap_or_default();
            format!("{}\n{}", u.retrieval_text, html.replace("&lt;", "<").replace("&amp;", "&"))
        };
        let said: Vec<String> = units.iter().map(plain).collect();
        let said = words(said.iter().map(String::as_str));
        let lost: Vec<_> = words(body.iter().map(String::as_str))
            .into_iter()
            .filter(|(word, n)| said.get(word).is_none_or(|m| m < n))
            .collect();
        assert!(lost.is_empty(), "{name}: {lost:?}");
    }
}

#[test]
fn every_text_is_in_one_unit() {
    let Some(files) = files() else { return };
    for (name, _, document) in files {
        let settings = ChunkSettings::default();
        let budget = Budget { max_tokens: MAX_TOKENS, model: None };
        let options =
            EvidenceOptions { bbox_threshold: settings.bbox_threshold, context_tokens: settings.context_tokens };
        let owned = evidence::build(&document, "doc", &budget, &options).owned;
        let is_heading = |k: &ElementKind| matches!(k, ElementKind::Title | ElementKind::Heading { .. });
        let headings = words(document.elements.iter().filter(|e| is_heading(&e.kind)).map(|e| e.text.as_str()));
        let mut free: Vec<String> = Vec::new();
        for (index, element) in document.elements.iter().enumerate() {
            if !owned.contains(&index) && !element.kind.is_furniture() {
                free.push(element.text.clone());
                free.extend(element.table().into_iter().flat_map(|t| t.cells.iter().map(|c| c.text.clone())));
                if let ElementKind::ListItem { marker, .. } = &element.kind {
                    free.push(marker.clone());
                }
            }
        }
        let units = units(&document);
        let texts = units.iter().filter(|u| u.kind == UnitKind::Text).map(|u| u.text.as_str());
        let without_headings = |mut words: HashMap<String, usize>| {
            words.retain(|word, _| !headings.contains_key(word));
            words
        };
        let (said, free) = (without_headings(words(texts)), without_headings(words(free.iter().map(String::as_str))));
        let differ: Vec<_> = said.iter().filter(|(w, n)| free.get(*w) != Some(n)).collect();
        assert!(differ.is_empty() && said.len() == free.len(), "{name}: {differ:?}");
    }
}

#[test]
fn every_unit_of_the_reference_has_one_of_ours() {
    let Some(files) = files() else { return };
    let known = shared("reference/docling_gt").unwrap().parent().unwrap().to_owned();
    let mut compared = 0;
    for (name, _, document) in files {
        let path = ["docling_gt", "docling_core_out"].map(|f| known.join(f).join(format!("{name}.eu.json")));
        let path = path.into_iter().find(|p| p.exists()).expect("a file of the reference");
        let reference: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let ours = units(&document);
        for theirs in list(&reference, "eus_presplit") {
            let table = &reference["tables"][theirs["table_index"].as_u64().unwrap() as usize];
            let id = theirs["eu_id"].as_str().unwrap();
            let html = theirs["table_html"].as_str().unwrap_or_default();
            if table["num_rows"] == 0 || html.matches(". . . .").count() > 10 {
                continue; // Without cells, or a table of contents: no evidence.
            }
            let bbox: Vec<f64> = list(theirs, "bbox").iter().filter_map(Value::as_f64).collect();
            let found = ours.iter().find(|u| {
                let near = |b: [f32; 4]| b.iter().zip(&bbox).all(|(a, b)| (f64::from(*a) - b).abs() < 0.005);
                u.kind == UnitKind::Eu && theirs["page_no"] == u.page && u.bbox.is_some_and(near)
            });
            let found = found.unwrap_or_else(|| panic!("{id}: no unit"));
            compared += 1;
            let clean = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (caption, theirs) = (
                clean(found.caption.as_deref().unwrap_or_default()),
                clean(theirs["caption_text"].as_str().unwrap_or_default()),
            );
            // What the reference misses is no fault of ours.
            assert!(theirs.is_empty() || caption == theirs, "{id}: {caption:?} for {theirs:?}");
        }
    }
    assert_eq!(compared, 28);
}
