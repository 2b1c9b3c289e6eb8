//! Units as lines that other programs read: JSON by our own schema, documents of LangChain, nodes of LlamaIndex, Markdown.

use serde_json::{Map, Value, json};

use crate::unit::{Unit, UnitKind};

/// Version of the schema of exported units. It grows when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// What units are exported as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    /// All fields of a unit, one JSON object a line.
    #[default]
    Json,
    /// `Document`s of LangChain, one JSON object a line.
    #[value(name = "langchain")]
    LangChain,
    /// `TextNode`s of LlamaIndex, one JSON object a line.
    #[value(name = "llamaindex")]
    LlamaIndex,
    /// For reading.
    Markdown,
}

/// The lines of one unit, each with its line end.
///
/// With `parts`, LangChain and LlamaIndex get what is to be embedded instead of what an LLM reads: a document for the unit
/// as a whole and one for each of its rows. What an LLM should read then stands in the metadata, as `parent_text`.
pub fn lines(unit: &Unit, format: ExportFormat, parts: bool) -> String {
    let texts: Vec<(String, &str)> = if parts {
        let rows = unit.rows.iter().zip(1..).map(|(row, n)| (format!("{}-r{n}", unit.unit_id), row.text.as_str()));
        [(unit.unit_id.clone(), unit.retrieval_text.as_str())].into_iter().chain(rows).collect()
    } else {
        vec![(unit.unit_id.clone(), unit.text.as_str())]
    };
    let make = match format {
        ExportFormat::Json => return format!("{}\n", record(unit)),
        ExportFormat::Markdown => return markdown(unit),
        ExportFormat::LangChain => langchain,
        ExportFormat::LlamaIndex => llamaindex,
    };
    let metadata = metadata(unit, parts);
    texts.iter().map(|(id, text)| format!("{}\n", make(id, text, &metadata))).collect()
}

fn fields(unit: &Unit) -> Map<String, Value> {
    match serde_json::to_value(unit) {
        Ok(Value::Object(fields)) => fields,
        // A unit is a struct of plain fields.
        _ => Map::new(),
    }
}

fn record(unit: &Unit) -> Value {
    let mut record = Map::from_iter([("schema".to_owned(), json!(SCHEMA))]);
    record.extend(fields(unit));
    Value::Object(record)
}

/// The fields that have a value, without the texts: vector stores take no nulls.
fn metadata(unit: &Unit, parts: bool) -> Map<String, Value> {
    let mut metadata = fields(unit);
    for name in ["text", "retrieval_text", "rows"] {
        metadata.remove(name);
    }
    if !parts {
        metadata.remove("parent_text");
    }
    metadata.retain(|_, value| !value.is_null());
    metadata
}

fn langchain(id: &str, text: &str, metadata: &Map<String, Value>) -> Value {
    json!({"id": id, "type": "Document", "page_content": text, "metadata": metadata})
}

/// The text alone is embedded and shown: LlamaIndex would put the metadata before it.
fn llamaindex(id: &str, text: &str, metadata: &Map<String, Value>) -> Value {
    let names: Vec<&String> = metadata.keys().collect();
    json!({
        "class_name": "TextNode", "id_": id, "text": text, "metadata": metadata,
        "excluded_embed_metadata_keys": names, "excluded_llm_metadata_keys": names,
    })
}

fn markdown(unit: &Unit) -> String {
    let kind = match unit.kind {
        UnitKind::Eu => "evidence unit",
        UnitKind::Text => "text",
    };
    let part =
        if unit.total_splits > 1 { format!(", {} of {}", unit.split_index, unit.total_splits) } else { String::new() };
    let (id, page, tokens) = (&unit.unit_id, unit.page, unit.tokens);
    format!("## {id}\n\n*{kind}{part}, page {page}, {tokens} tokens*\n\n{}\n\n", unit.text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{CaptionConfidence, RowText};

    fn unit() -> Unit {
        Unit {
            unit_id: "a-p1-0-s1".into(),
            kind: UnitKind::Eu,
            eu_id: Some("a-p1-0-s1".into()),
            original_eu_id: Some("a-p1-0".into()),
            doc_id: "a".into(),
            page: 1,
            pages: vec![1, 2],
            bbox: Some([0.0, 0.25, 1.0, 0.5]),
            caption: None,
            caption_confidence: CaptionConfidence::None,
            headings: vec!["1. 개요".into()],
            table_html: Some("<table></table>".into()),
            table_index: Some(0),
            rows: vec![
                RowText { row: 3, text: "매출 | 2024: 5".into() },
                RowText { row: 4, text: "이익 | 2024: 1".into() },
            ],
            split_index: 1,
            total_splits: 2,
            text: "표".into(),
            retrieval_text: "읽기".into(),
            parent_text: "전체".into(),
            tokens: 2,
        }
    }

    fn parsed(format: ExportFormat, parts: bool) -> Vec<Value> {
        lines(&unit(), format, parts).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn json_names_its_schema_and_reads_back_as_the_unit() {
        let line = lines(&unit(), ExportFormat::Json, false);
        assert!(line.contains(r#""schema":1,"#) && line.ends_with("}\n"));
        assert_eq!(serde_json::from_str::<Unit>(&line).unwrap(), unit());
    }

    #[test]
    fn langchain_documents_have_no_nulls_and_no_text_twice() {
        let [document] = parsed(ExportFormat::LangChain, false).try_into().unwrap();
        assert_eq!((&document["id"], &document["page_content"]), (&json!("a-p1-0-s1"), &json!("표")));
        let metadata = document["metadata"].as_object().unwrap();
        assert_eq!(metadata["original_eu_id"], "a-p1-0");
        assert!(metadata.values().all(|value| !value.is_null()));
        assert!(["text", "retrieval_text", "parent_text", "rows"].iter().all(|name| !metadata.contains_key(*name)));
    }

    #[test]
    fn parts_are_the_whole_and_each_row_with_the_parent() {
        let nodes = parsed(ExportFormat::LlamaIndex, true);
        let of = |name: &str| nodes.iter().map(|n| n[name].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(of("id_"), ["a-p1-0-s1", "a-p1-0-s1-r1", "a-p1-0-s1-r2"]);
        assert_eq!(of("text"), ["읽기", "매출 | 2024: 5", "이익 | 2024: 1"]);
        for node in &nodes {
            assert_eq!(node["metadata"]["parent_text"], "전체");
            let excluded = node["excluded_embed_metadata_keys"].as_array().unwrap();
            assert_eq!(excluded.len(), node["metadata"].as_object().unwrap().len());
        }
    }

    #[test]
    fn markdown_is_for_reading() {
        let expected = "## a-p1-0-s1\n\n*evidence unit, 1 of 2, page 1, 2 tokens*\n\n표\n\n";
        assert_eq!(lines(&unit(), ExportFormat::Markdown, false), expected);
    }
}
