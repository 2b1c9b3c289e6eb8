//! Rows as Arrow columns and back.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{FixedSizeListBuilder, Float32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use serde_json::Value;

use crate::store::open::spec_entries;
use crate::store::schema::{self, FIELDS, FieldType, ROWS, Row, WHOLE};
use crate::store::{CollectionSpec, DocumentBatch, Record, id};

/// Column of the record id.
pub(super) const ID: &str = "id";

/// The columns of the collection's table: the id, the fields of [`schema`], the two vectors. What the collection was
/// made for stands in the metadata.
pub(super) fn table_schema(spec: &CollectionSpec) -> SchemaRef {
    // Without this mark Lance lets concurrent writers insert the same id twice.
    let key = HashMap::from([("lance-schema:unenforced-primary-key".to_owned(), "true".to_owned())]);
    let mut columns = vec![Field::new(ID, DataType::Utf8, false).with_metadata(key)];
    columns.extend(FIELDS.iter().map(|(name, kind)| Field::new(*name, data_type(*kind), true)));
    let vector = DataType::new_fixed_size_list(DataType::Float32, dimension(spec.dim), true);
    columns.push(Field::new(WHOLE, vector.clone(), true));
    columns.push(Field::new(ROWS, DataType::new_list(vector, true), true));
    let metadata = spec_entries(spec).into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Arc::new(Schema::new_with_metadata(columns, metadata))
}

fn data_type(kind: FieldType) -> DataType {
    match kind {
        FieldType::Text => DataType::Utf8,
        FieldType::Int => DataType::Int64,
        FieldType::Texts => DataType::new_list(DataType::Utf8, true),
        FieldType::Ints => DataType::new_list(DataType::Int64, true),
        FieldType::Floats => DataType::new_list(DataType::Float32, true),
    }
}

fn dimension(dim: usize) -> i32 {
    i32::try_from(dim).unwrap_or(i32::MAX)
}

/// All rows of a batch: each document's units and its commit record.
pub(super) fn record_batch(batch: &[DocumentBatch], spec: &CollectionSpec) -> Result<RecordBatch, ArrowError> {
    let mut ids = StringBuilder::new();
    let mut rows: Vec<Row> = Vec::new();
    let mut records: Vec<Option<&Record>> = Vec::new();
    for DocumentBatch { document, records: units } in batch {
        for record in units {
            ids.append_value(id::unit_record(&document.doc_id, &record.unit.unit_id).to_string());
            rows.push(schema::unit_row(&record.unit, document));
            records.push(Some(record));
        }
        ids.append_value(id::document_record(&document.doc_id).to_string());
        rows.push(schema::document_row(document));
        records.push(None);
    }
    let mut columns: Vec<ArrayRef> = vec![Arc::new(ids.finish())];
    columns.extend(FIELDS.iter().map(|(name, kind)| column(&rows, name, *kind)));
    columns.push(whole_column(&records, spec.dim));
    columns.push(rows_column(&records, spec.dim));
    // The table's schema without its metadata, which belongs to the table.
    let schema = Schema::new(table_schema(spec).fields().clone());
    RecordBatch::try_new(Arc::new(schema), columns)
}

/// One field of all rows.
fn column(rows: &[Row], name: &str, kind: FieldType) -> ArrayRef {
    let values = rows.iter().map(|row| row.get(name).unwrap_or(&Value::Null));
    let lists = values.clone().map(Value::as_array);
    match kind {
        FieldType::Text => {
            let mut column = StringBuilder::new();
            values.for_each(|value| column.append_option(value.as_str()));
            Arc::new(column.finish())
        }
        FieldType::Int => {
            let mut column = Int64Builder::new();
            values.for_each(|value| column.append_option(value.as_i64()));
            Arc::new(column.finish())
        }
        FieldType::Texts => {
            let mut column = ListBuilder::new(StringBuilder::new());
            lists.for_each(|list| column.append_option(list.map(|l| l.iter().map(Value::as_str))));
            Arc::new(column.finish())
        }
        FieldType::Ints => {
            let mut column = ListBuilder::new(Int64Builder::new());
            lists.for_each(|list| column.append_option(list.map(|l| l.iter().map(Value::as_i64))));
            Arc::new(column.finish())
        }
        FieldType::Floats => {
            let mut column = ListBuilder::new(Float32Builder::new());
            // Every 32-bit float is exact as a JSON number.
            let float = |value: &Value| value.as_f64().map(|x| x as f32);
            lists.for_each(|list| column.append_option(list.map(|l| l.iter().map(float))));
            Arc::new(column.finish())
        }
    }
}

fn whole_column(records: &[Option<&Record>], dim: usize) -> ArrayRef {
    let mut column = FixedSizeListBuilder::new(Float32Builder::new(), dimension(dim));
    for record in records {
        match record {
            Some(record) => column.values().append_slice(&record.whole),
            None => column.values().append_nulls(dim),
        }
        column.append(record.is_some());
    }
    Arc::new(column.finish())
}

fn rows_column(records: &[Option<&Record>], dim: usize) -> ArrayRef {
    let mut column = ListBuilder::new(FixedSizeListBuilder::new(Float32Builder::new(), dimension(dim)));
    for record in records {
        let rows = record.map(|r| r.rows.as_slice()).unwrap_or_default();
        for row in rows {
            column.values().values().append_slice(row);
            column.values().append(true);
        }
        // Null rather than empty where there are none: no search then has to score it.
        column.append(!rows.is_empty());
    }
    Arc::new(column.finish())
}

/// The rows of a batch as read back, of those fields that were read.
pub(super) fn rows(batch: &RecordBatch) -> Vec<Row> {
    let mut rows = vec![Row::new(); batch.num_rows()];
    for (name, kind) in FIELDS {
        let Some(column) = batch.column_by_name(name) else { continue };
        for (index, row) in rows.iter_mut().enumerate() {
            row.insert((*name).to_owned(), value(column, index, *kind));
        }
    }
    rows
}

fn value(column: &ArrayRef, index: usize, kind: FieldType) -> Value {
    if column.is_null(index) {
        return Value::Null;
    }
    let list = || column.as_list_opt::<i32>().map(|lists| lists.value(index));
    let found = match kind {
        FieldType::Text => column.as_string_opt::<i32>().map(|texts| texts.value(index).into()),
        FieldType::Int => column.as_primitive_opt::<Int64Type>().map(|numbers| numbers.value(index).into()),
        FieldType::Texts => list().and_then(|l| Some(l.as_string_opt::<i32>()?.iter().flatten().collect())),
        FieldType::Ints => list().and_then(|l| Some(l.as_primitive_opt::<Int64Type>()?.iter().flatten().collect())),
        FieldType::Floats => list().and_then(|l| Some(l.as_primitive_opt::<Float32Type>()?.iter().flatten().collect())),
    };
    // A column of another type than its field is treated like one that is not there.
    found.unwrap_or(Value::Null)
}

/// The row vectors of the batch's row at `index`.
pub(super) fn row_vectors(batch: &RecordBatch, index: usize) -> Vec<Vec<f32>> {
    let vectors = || {
        let lists = batch.column_by_name(ROWS)?.as_list_opt::<i32>()?;
        let vectors = lists.is_valid(index).then(|| lists.value(index))?;
        let vectors = vectors.as_fixed_size_list_opt()?;
        let vector = |at| Some(vectors.value(at).as_primitive_opt::<Float32Type>()?.values().to_vec());
        (0..vectors.len()).map(vector).collect::<Option<Vec<_>>>()
    };
    vectors().unwrap_or_default()
}

/// `_distance` of each row: cosine distance, null or not a number where a row has no vector.
pub(super) fn distances(batch: &RecordBatch) -> Vec<Option<f32>> {
    match batch.column_by_name("_distance").and_then(|column| column.as_primitive_opt::<Float32Type>()) {
        Some(distances) => distances.iter().collect(),
        None => vec![None; batch.num_rows()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::tests::document;
    use crate::unit::tests::{bare_unit, full_unit};

    #[test]
    fn a_batch_comes_back_as_it_went() {
        let spec = CollectionSpec { name: "c".into(), model: "m".into(), dim: 2 };
        let record = |unit: crate::unit::Unit, rows: Vec<Vec<f32>>| Record { unit, whole: vec![0.6, 0.8], rows };
        let rows_of_full = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        let records = vec![record(full_unit(), rows_of_full.clone()), record(bare_unit(), Vec::new())];
        let batch = record_batch(&[DocumentBatch { document: document(), records }], &spec).unwrap();

        assert_eq!(batch.num_rows(), 3);
        let rows = rows(&batch);
        assert_eq!(schema::unit_from_row(rows[0].clone()).unwrap().unit, full_unit());
        assert_eq!(schema::unit_from_row(rows[1].clone()).unwrap().unit, bare_unit());
        assert_eq!(schema::document_from_row(rows[2].clone()).unwrap(), document());
        assert_eq!(row_vectors(&batch, 0), rows_of_full);
        assert!(row_vectors(&batch, 1).is_empty() && row_vectors(&batch, 2).is_empty());
        assert!(batch.column_by_name(WHOLE).unwrap().is_null(2), "a commit record has no vector");
        let ids = batch.column_by_name(ID).unwrap().as_string::<i32>();
        assert_eq!(ids.value(2), id::document_record("보고서/2024").to_string());
    }

    #[test]
    fn the_table_says_what_it_is() {
        let spec = CollectionSpec { name: "c".into(), model: "m".into(), dim: 2 };
        let schema = table_schema(&spec);
        let stored = crate::store::open::stored_spec("c", |key| schema.metadata().get(key).cloned()).unwrap();
        assert_eq!(stored, spec);
        let key = schema.field_with_name(ID).unwrap();
        assert_eq!(key.metadata().get("lance-schema:unenforced-primary-key").map(String::as_str), Some("true"));
        assert!(!key.is_nullable());
    }
}
