//! What is stored of a unit and of a document: one flat row of named fields, the same in every store.
//!
//! A row is a JSON object. Qdrant takes it as it is, as payload; LanceDB as one column per entry of [`FIELDS`]. A field
//! that a kind of row does not have is absent or null. Vectors are not part of it.

use serde_json::{Map, Value};

use super::{DocumentRecord, StoredUnit};
use crate::unit::{RowText, Unit, UnitKind};

/// Version of this layout, kept in the collection. Raised when a reader of the old one would go wrong.
pub const FORMAT: u32 = 1;

/// `kind` of the commit record; units have `eu` or `text`.
pub const DOCUMENT: &str = "document";

/// `kind` of a unit.
pub(crate) fn kind_name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::Eu => "eu",
        UnitKind::Text => "text",
    }
}

/// Name of the vector of the whole unit.
pub const WHOLE: &str = "whole";
/// Name of the multi-vector of the unit's rows.
pub const ROWS: &str = "rows";

/// One stored row, without its vectors.
pub(crate) type Row = Map<String, Value>;

/// A stored row that cannot be read back.
#[derive(Debug, thiserror::Error)]
#[error("a stored record is damaged: {0}")]
pub(crate) struct Damaged(String);

/// Type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A string.
    Text,
    /// A whole number, never negative.
    Int,
    /// A list of strings.
    Texts,
    /// A list of whole numbers.
    Ints,
    /// A list of 32-bit floats.
    Floats,
}

/// Every field, in the order of the columns. Those before the units' stand in each row.
pub const FIELDS: &[(&str, FieldType)] = &[
    ("kind", FieldType::Text),
    ("doc_id", FieldType::Text),
    ("root", FieldType::Text),
    ("source", FieldType::Text),
    ("content_hash", FieldType::Text),
    ("fingerprint", FieldType::Text),
    ("indexed_at", FieldType::Text),
    // Units.
    ("unit_id", FieldType::Text),
    ("eu_id", FieldType::Text),
    ("original_eu_id", FieldType::Text),
    ("page", FieldType::Int),
    ("pages", FieldType::Ints),
    ("bbox", FieldType::Floats),
    ("caption", FieldType::Text),
    ("caption_confidence", FieldType::Text),
    ("headings", FieldType::Texts),
    ("table_html", FieldType::Text),
    ("table_index", FieldType::Int),
    ("row_texts", FieldType::Texts),
    ("row_numbers", FieldType::Ints),
    ("split_index", FieldType::Int),
    ("total_splits", FieldType::Int),
    ("text", FieldType::Text),
    ("retrieval_text", FieldType::Text),
    ("parent_text", FieldType::Text),
    ("tokens", FieldType::Int),
    // Commit records.
    ("unit_ids", FieldType::Texts),
    ("page_count", FieldType::Int),
    ("table_count", FieldType::Int),
];

/// The fields that a commit record is read back from.
pub(crate) const DOCUMENT_FIELDS: &[&str] =
    &["doc_id", "root", "source", "content_hash", "fingerprint", "indexed_at", "unit_ids", "page_count", "table_count"];

/// The row of a unit: its own fields (see [`Unit`]; `rows` becomes the parallel lists `row_texts` and `row_numbers`) and
/// those of its document.
pub(crate) fn unit_row(unit: &Unit, document: &DocumentRecord) -> Row {
    let mut row = match serde_json::to_value(unit) {
        Ok(Value::Object(row)) => row,
        // A unit is a struct with string keys: it always becomes an object.
        _ => Row::new(),
    };
    row.remove("rows");
    row.insert("row_texts".into(), unit.rows.iter().map(|r| r.text.as_str()).collect());
    row.insert("row_numbers".into(), unit.rows.iter().map(|r| r.row).collect());
    insert_common(&mut row, document);
    row
}

/// The row of a commit record.
pub(crate) fn document_row(document: &DocumentRecord) -> Row {
    let mut row = Row::new();
    row.insert("kind".into(), DOCUMENT.into());
    row.insert("doc_id".into(), document.doc_id.as_str().into());
    row.insert("unit_ids".into(), document.unit_ids.iter().map(String::as_str).collect());
    row.insert("page_count".into(), document.pages.into());
    row.insert("table_count".into(), document.tables.into());
    insert_common(&mut row, document);
    row
}

/// What every row repeats of its document.
fn insert_common(row: &mut Row, document: &DocumentRecord) {
    for (name, value) in [
        ("root", &document.root),
        ("source", &document.source),
        ("content_hash", &document.content_hash),
        ("fingerprint", &document.fingerprint),
        ("indexed_at", &document.indexed_at),
    ] {
        row.insert(name.into(), value.as_str().into());
    }
}

/// A unit as read back, without its row vectors.
pub(crate) fn unit_from_row(mut row: Row) -> Result<StoredUnit, Damaged> {
    let source = text(&row, "source")?;
    let texts: Vec<String> = take(&mut row, "row_texts")?;
    let numbers: Vec<usize> = take(&mut row, "row_numbers")?;
    let rows: Vec<RowText> = numbers.into_iter().zip(texts).map(|(row, text)| RowText { row, text }).collect();
    row.insert("rows".into(), serde_json::to_value(rows).map_err(|e| Damaged(e.to_string()))?);
    let unit = serde_json::from_value(Value::Object(row)).map_err(|e| Damaged(e.to_string()))?;
    Ok(StoredUnit { unit, source, rows: Vec::new() })
}

/// A commit record as read back.
pub(crate) fn document_from_row(mut row: Row) -> Result<DocumentRecord, Damaged> {
    Ok(DocumentRecord {
        doc_id: text(&row, "doc_id")?,
        root: text(&row, "root")?,
        source: text(&row, "source")?,
        content_hash: text(&row, "content_hash")?,
        fingerprint: text(&row, "fingerprint")?,
        unit_ids: take(&mut row, "unit_ids")?,
        pages: take(&mut row, "page_count")?,
        tables: take(&mut row, "table_count")?,
        indexed_at: text(&row, "indexed_at")?,
    })
}

/// A string field that must be there.
pub(crate) fn text(row: &Row, name: &str) -> Result<String, Damaged> {
    match row.get(name).and_then(Value::as_str) {
        Some(text) => Ok(text.to_owned()),
        None => Err(Damaged(format!("no string field `{name}`"))),
    }
}

/// Takes a field that must be there out of the row.
fn take<T: serde::de::DeserializeOwned>(row: &mut Row, name: &str) -> Result<T, Damaged> {
    let value = row.remove(name).unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|e| Damaged(format!("field `{name}`: {e}")))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::unit::tests::{bare_unit, full_unit};

    /// Their document.
    pub(crate) fn document() -> DocumentRecord {
        DocumentRecord {
            doc_id: "보고서/2024".into(),
            root: "문서".into(),
            source: "보고서/2024.pdf".into(),
            content_hash: "00ff".into(),
            fingerprint: "f1".into(),
            unit_ids: vec!["보고서/2024-p3-0-s2".into(), "보고서/2024-t1".into()],
            pages: 12,
            tables: 1,
            indexed_at: "2026-01-02T03:04:05Z".into(),
        }
    }

    #[test]
    fn units_and_documents_come_back_as_they_went() {
        for unit in [full_unit(), bare_unit()] {
            let stored = unit_from_row(unit_row(&unit, &document())).unwrap();
            assert_eq!(stored.unit, unit);
            assert_eq!(stored.source, "보고서/2024.pdf");
        }
        assert_eq!(document_from_row(document_row(&document())).unwrap(), document());
    }

    #[test]
    fn rows_hold_the_listed_fields_and_no_others() {
        let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
        for row in [unit_row(&full_unit(), &document()), document_row(&document())] {
            for name in row.keys() {
                assert!(names.contains(&name.as_str()), "{name} is in no column");
            }
        }
        for unit in [full_unit(), bare_unit()] {
            assert_eq!(unit_row(&unit, &document())["kind"], kind_name(unit.kind));
        }
        let unit = unit_row(&full_unit(), &document());
        assert_eq!(unit["row_texts"][0], "합계 | 2024: 1,234");
        assert_eq!(unit["row_numbers"], serde_json::json!([7, 9]));
        assert_eq!(unit["root"], "문서");
        assert_eq!(document_row(&document())["kind"], DOCUMENT);
    }

    #[test]
    fn a_damaged_row_is_an_error_that_names_the_field() {
        let mut row = document_row(&document());
        row.remove("unit_ids");
        assert!(document_from_row(row).unwrap_err().to_string().contains("unit_ids"));
        let mut row = unit_row(&full_unit(), &document());
        row.insert("page".into(), "three".into());
        assert!(unit_from_row(row).is_err());
    }
}
