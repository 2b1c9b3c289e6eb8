//! Records as Qdrant points and back.

use qdrant_client::Payload;
use qdrant_client::qdrant::{NamedVectors, PointStruct, RetrievedPoint, Vector, vector_output, vectors_output};

use crate::store::schema::{self, Damaged, Row};
use crate::store::{DocumentBatch, DocumentRecord, Record, StoredUnit, id};

/// A request closes before it grows beyond this, whatever the number of points.
const MAX_REQUEST_BYTES: usize = 4 << 20;
/// … or when it has this many points.
const MAX_REQUEST_POINTS: usize = 256;

/// A point and about how many bytes it takes on the wire.
type Sized = (PointStruct, usize);

/// Points made one by one as they are sent: a batch is in memory once, not twice.
pub(super) type Points<'a> = Box<dyn Iterator<Item = Sized> + Send + 'a>;

/// The points of all units of a batch.
pub(super) fn units(batch: &[DocumentBatch]) -> Points<'_> {
    Box::new(batch.iter().flat_map(|b| b.records.iter().map(|record| unit_point(record, &b.document))))
}

/// The points of all commit records of a batch.
pub(super) fn documents(batch: &[DocumentBatch]) -> Points<'_> {
    Box::new(batch.iter().map(|b| document_point(&b.document)))
}

/// The point of a unit.
fn unit_point(record: &Record, document: &DocumentRecord) -> Sized {
    let row = schema::unit_row(&record.unit, document);
    let vectors = record.rows.len() + 1;
    let bytes = row_bytes(&row) + vectors * record.whole.len() * size_of::<f32>();
    let mut named = NamedVectors::default().add_vector(schema::WHOLE, record.whole.clone());
    // Qdrant refuses an empty multi-vector; a point without one is simply not found by that leg.
    if !record.rows.is_empty() {
        named = named.add_vector(schema::ROWS, Vector::new_multi(record.rows.clone()));
    }
    let id = id::unit_record(&record.unit.doc_id, &record.unit.unit_id);
    (PointStruct::new(id.to_string(), named, Payload::from(row)), bytes)
}

/// The point of a commit record: it has no vectors, so no search finds it.
fn document_point(document: &DocumentRecord) -> Sized {
    let row = schema::document_row(document);
    let bytes = row_bytes(&row);
    let id = id::document_record(&document.doc_id);
    (PointStruct::new(id.to_string(), NamedVectors::default(), Payload::from(row)), bytes)
}

/// Text makes up nearly all of a row; the rest is covered by a flat allowance per field.
fn row_bytes(row: &Row) -> usize {
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.len(),
        serde_json::Value::Array(items) => items.iter().map(|v| 16 + v.as_str().map_or(0, str::len)).sum(),
        _ => 0,
    };
    row.iter().map(|(name, value)| name.len() + 16 + text(value)).sum()
}

/// Cuts a sequence of points into requests. A single point beyond the limit goes alone.
pub(super) fn requests(points: Points<'_>) -> impl Iterator<Item = Vec<PointStruct>> {
    let mut points = points.peekable();
    std::iter::from_fn(move || {
        let (first, mut bytes) = points.next()?;
        let mut request = vec![first];
        while let Some((point, size)) =
            points.next_if(|(_, size)| bytes + size <= MAX_REQUEST_BYTES && request.len() < MAX_REQUEST_POINTS)
        {
            bytes += size;
            request.push(point);
        }
        Some(request)
    })
}

/// The row of a point.
pub(super) fn row(payload: impl Into<Payload>) -> Row {
    payload.into().into()
}

/// A unit with its row vectors.
pub(super) fn stored_unit(point: RetrievedPoint) -> Result<StoredUnit, Damaged> {
    let mut unit = schema::unit_from_row(row(point.payload))?;
    if let Some(vectors_output::VectorsOptions::Vectors(mut named)) = point.vectors.and_then(|v| v.vectors_options)
        && let Some(vector) = named.vectors.remove(schema::ROWS)
        && let vector_output::Vector::MultiDense(rows) = vector.into_vector()
    {
        unit.rows = rows.vectors.into_iter().map(|row| row.data).collect();
    }
    Ok(unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::tests::document;
    use crate::unit::tests::{bare_unit, full_unit};

    #[test]
    fn a_point_keeps_the_row_and_has_its_fixed_id() {
        let record = Record { rows: vec![vec![1.0, 0.0]; 2], whole: vec![0.6, 0.8], unit: full_unit() };
        let (point, bytes) = unit_point(&record, &document());
        assert_eq!(point.id, Some(id::unit_record("보고서/2024", "보고서/2024-p3-0-s2").to_string().into()));
        assert_eq!(schema::unit_from_row(row(point.payload.clone())).unwrap().unit, record.unit);
        assert!(bytes > 3 * 2 * 4 && bytes < 4096, "{bytes}");

        let (point, _) = document_point(&document());
        assert_eq!(schema::document_from_row(row(point.payload)).unwrap(), document());
    }

    #[test]
    fn requests_close_by_bytes_and_by_count() {
        let record = Record { rows: Vec::new(), whole: vec![0.6, 0.8], unit: bare_unit() };
        let point = unit_point(&record, &document()).0;
        let sizes = |n: usize, bytes: usize| -> Vec<usize> {
            requests(Box::new(std::iter::repeat_n((point.clone(), bytes), n))).map(|r| r.len()).collect()
        };
        assert_eq!(sizes(600, 10), [256, 256, 88]);
        assert_eq!(sizes(5, 2 << 20), [2, 2, 1]);
        assert_eq!(sizes(2, 9 << 20), [1, 1], "what cannot be split goes alone");
        assert!(sizes(0, 1).is_empty());
    }
}
