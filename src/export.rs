//! Units as lines for other programs: the full schema, or documents as LangChain and LlamaIndex load them.
//!
//! Whole units carry `text`, mark-up included. *Small to big* units are what is searched: the retrieval text of the whole
//! and each row's sentence for itself, each with `parent_text`, which is what a reader (or a model) is given instead.
//!
//! Metadata are strings and numbers only, and never null, because not every vector store takes more.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::unit::{CaptionConfidence, Unit, UnitKind};

/// Version of the JSON lines of units. It is raised when a field changes its meaning or goes away; new fields do not.
pub const SCHEMA: &str = "evindex.unit/1";

/// What a line is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// Every field of the unit, as JSON lines.
    #[default]
    Jsonl,
    /// JSON lines for `langchain_core.documents.Document(**line)`.
    Langchain,
    /// JSON lines for `llama_index.core.schema.TextNode.from_dict(line)`.
    Llamaindex,
    /// Markdown for reading, with HTML tables; units are told apart by a rule.
    Markdown,
}

/// A unit as one line of JSON Lines in the full schema.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    #[serde(flatten)]
    unit: &'a Unit,
}

/// A text with its identity and metadata, for whichever library.
struct Entry<'a> {
    id: String,
    text: &'a str,
    metadata: Map<String, Value>,
}

/// The unit as lines of this format, without line ends; `small_to_big` gives the texts that are searched in place of the
/// whole, and is without effect on formats that hold both. `source` is the path of the file, as the user named it.
///
/// # Errors
/// Where a value cannot be JSON: never, for units made by this crate.
pub fn lines(unit: &Unit, source: &str, format: ExportFormat, small_to_big: bool) -> serde_json::Result<Vec<String>> {
    let shape = match format {
        ExportFormat::Jsonl => return Ok(vec![serde_json::to_string(&Line { schema: SCHEMA, unit })?]),
        ExportFormat::Markdown => return Ok(vec![markdown(unit)]),
        ExportFormat::Langchain => langchain,
        ExportFormat::Llamaindex => llamaindex,
    };
    let entries = if small_to_big { small(unit, source) } else { vec![whole(unit, source)] };
    entries.into_iter().map(|entry| serde_json::to_string(&shape(entry, unit))).collect()
}

fn whole<'a>(unit: &'a Unit, source: &str) -> Entry<'a> {
    Entry { id: unit.unit_id.clone(), text: &unit.text, metadata: metadata(unit, source) }
}

/// The unit's retrieval text, then its rows.
fn small<'a>(unit: &'a Unit, source: &str) -> Vec<Entry<'a>> {
    let mut metadata = metadata(unit, source);
    metadata.insert("parent_text".into(), unit.parent_text.as_str().into());
    let whole = Entry { id: unit.unit_id.clone(), text: &unit.retrieval_text, metadata: metadata.clone() };
    let rows = unit.rows.iter().enumerate().map(|(i, row)| {
        let mut metadata = metadata.clone();
        metadata.insert("row".into(), row.row.into());
        Entry { id: format!("{}-u{i}", unit.unit_id), text: &row.text, metadata }
    });
    std::iter::once(whole).chain(rows).collect()
}

fn metadata(unit: &Unit, source: &str) -> Map<String, Value> {
    let kind = match unit.kind {
        UnitKind::Eu => "eu",
        UnitKind::Text => "text",
    };
    let confidence = match unit.caption_confidence {
        CaptionConfidence::Direct => Some("direct"),
        CaptionConfidence::Inferred => Some("inferred"),
        CaptionConfidence::None => None,
    };
    let headings = (!unit.headings.is_empty()).then(|| unit.headings.join(" > "));
    let bbox = unit.bbox.map(|bbox| bbox.map(|part| part.to_string()).join(","));
    let fields = [
        ("source", Some(Value::from(source))),
        ("doc_id", Some(unit.doc_id.as_str().into())),
        ("unit_id", Some(unit.unit_id.as_str().into())),
        ("kind", Some(kind.into())),
        ("eu_id", unit.eu_id.as_deref().map(Value::from)),
        ("original_eu_id", unit.original_eu_id.as_deref().map(Value::from)),
        ("page", Some(unit.page.into())),
        ("last_page", unit.pages.last().copied().map(Value::from)),
        ("bbox", bbox.map(Value::from)),
        ("headings", headings.map(Value::from)),
        ("caption", unit.caption.as_deref().map(Value::from)),
        ("caption_confidence", confidence.map(Value::from)),
        ("table_index", unit.table_index.map(Value::from)),
        ("split_index", Some(unit.split_index.into())),
        ("total_splits", Some(unit.total_splits.into())),
        ("tokens", Some(unit.tokens.into())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn langchain(entry: Entry<'_>, _: &Unit) -> Value {
    json!({ "id": entry.id, "page_content": entry.text, "metadata": entry.metadata, "type": "Document" })
}

/// A node whose metadata stays out of what is embedded and out of the prompt: the text says all that matters by itself.
fn llamaindex(entry: Entry<'_>, unit: &Unit) -> Value {
    // The library's own numbers: relationship 1 is the source, node type 4 a document.
    let source = json!({
        "node_id": unit.doc_id, "node_type": "4", "metadata": {}, "hash": null, "class_name": "RelatedNodeInfo",
    });
    let names: Vec<&String> = entry.metadata.keys().collect();
    json!({
        "id_": entry.id,
        "text": entry.text,
        "metadata": entry.metadata,
        "excluded_embed_metadata_keys": names,
        "excluded_llm_metadata_keys": names,
        "relationships": { "1": source },
        "class_name": "TextNode",
    })
}

fn markdown(unit: &Unit) -> String {
    let page = match unit.pages.last() {
        Some(last) if *last > unit.page => format!("pages {}-{last}", unit.page),
        _ => format!("page {}", unit.page),
    };
    let headings = unit.headings.join(" > ");
    let path = if headings.is_empty() { String::new() } else { format!(" · {headings}") };
    format!(
        "---\n\n**{}** · {page} · {} tokens{path}\n\n{}\n",
        unit.unit_id,
        unit.tokens,
        unit.text.replace('\n', "\n\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::RowText;
    use crate::unit::tests::{bare_unit, full_unit};

    fn unit() -> Unit {
        let row = |row, text: &str| RowText { row, text: text.into() };
        Unit {
            bbox: Some([0.1, 0.25, 0.5, 0.75]),
            caption: Some("표 1".into()),
            headings: vec!["제1장".into(), "1. 개요".into()],
            rows: vec![row(1, "서울 | 값: 3"), row(2, "부산 | 값: 5")],
            text: "표 1\n<table></table>".into(),
            retrieval_text: "표 1\n서울 | 값: 3\n부산 | 값: 5".into(),
            tokens: 9,
            ..full_unit()
        }
    }

    fn values(format: ExportFormat, small_to_big: bool) -> Vec<Value> {
        let lines = lines(&unit(), "a/보고서.pdf", format, small_to_big).unwrap();
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn the_full_schema_is_versioned_and_reads_back() {
        let [line] = values(ExportFormat::Jsonl, false).try_into().unwrap();
        assert_eq!(line["schema"], "evindex.unit/1");
        assert_eq!(serde_json::from_value::<Unit>(line).unwrap(), unit());
    }

    #[test]
    fn langchain_documents_hold_the_whole() {
        let [line] = values(ExportFormat::Langchain, false).try_into().unwrap();
        let expected = json!({
            "id": "보고서/2024-p3-0-s2",
            "page_content": "표 1\n<table></table>",
            "metadata": {
                "source": "a/보고서.pdf", "doc_id": "보고서/2024", "unit_id": "보고서/2024-p3-0-s2", "kind": "eu",
                "eu_id": "보고서/2024-p3-0-s2", "original_eu_id": "보고서/2024-p3-0", "page": 3, "last_page": 4,
                "bbox": "0.1,0.25,0.5,0.75", "headings": "제1장 > 1. 개요", "caption": "표 1",
                "caption_confidence": "inferred", "table_index": 0, "split_index": 2, "total_splits": 3, "tokens": 9,
            },
            "type": "Document",
        });
        assert_eq!(line, expected);
    }

    #[test]
    fn small_units_point_to_the_big_one() {
        let lines = values(ExportFormat::Llamaindex, true);
        let ids: Vec<&str> = lines.iter().map(|l| l["id_"].as_str().unwrap()).collect();
        assert_eq!(ids, ["보고서/2024-p3-0-s2", "보고서/2024-p3-0-s2-u0", "보고서/2024-p3-0-s2-u1"]);
        assert_eq!(lines[0]["text"], "표 1\n서울 | 값: 3\n부산 | 값: 5");
        assert_eq!(lines[2]["text"], "부산 | 값: 5");
        assert_eq!(lines[2]["metadata"]["row"], 2);
        assert!(lines.iter().all(|l| l["metadata"]["parent_text"] == "p"));
        assert!(lines.iter().all(|l| l["relationships"]["1"]["node_id"] == "보고서/2024"));
        assert_eq!(lines[0]["excluded_embed_metadata_keys"].as_array().unwrap().len(), 17);
    }

    #[test]
    fn a_text_without_table_has_no_empty_fields() {
        let lines = lines(&bare_unit(), "x.pdf", ExportFormat::Langchain, true).unwrap();
        let [line] = lines.as_slice() else { panic!("{lines:?}") };
        let line: Value = serde_json::from_str(line).unwrap();
        let mut names: Vec<&String> = line["metadata"].as_object().unwrap().keys().collect();
        names.sort_unstable();
        let expected = [
            "doc_id",
            "kind",
            "last_page",
            "page",
            "parent_text",
            "source",
            "split_index",
            "tokens",
            "total_splits",
            "unit_id",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn markdown_says_where_a_unit_stands() {
        let lines = lines(&unit(), "x.pdf", ExportFormat::Markdown, false).unwrap();
        let expected =
            "---\n\n**보고서/2024-p3-0-s2** · pages 3-4 · 9 tokens · 제1장 > 1. 개요\n\n표 1\n\n<table></table>\n";
        assert_eq!(lines, [expected]);
    }
}
