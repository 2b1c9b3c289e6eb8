//! Collections to be made, and documents to put into them.

use evindex::store::{
    self, Candidate, CollectionSpec, Counts, DocumentBatch, DocumentRecord, Record, StoreError, StoreKind, VectorStore,
};
use evindex::unit::{CaptionConfidence, RowText, Unit, UnitKind};

use crate::qdrant_edge::QdrantEdge;

pub(crate) const DIM: usize = 4;

/// Where collections can be made, opened and opened again.
pub(crate) struct Place {
    pub(crate) kind: StoreKind,
    pub(crate) uri: String,
}

impl Place {
    pub(crate) async fn open(&self, name: &str) -> Box<dyn VectorStore> {
        self.try_open(&spec(name), true).await.unwrap()
    }

    pub(crate) async fn try_open(
        &self,
        spec: &CollectionSpec,
        create: bool,
    ) -> Result<Box<dyn VectorStore>, StoreError> {
        store::open(self.kind, &self.uri, None, spec, create).await
    }
}

pub(crate) fn spec(name: &str) -> CollectionSpec {
    CollectionSpec { name: name.into(), model: "test-model@1".into(), dim: DIM }
}

/// A unit vector in the plane of the first two axes, `degrees` from the first: its cosine with [`EAST`] is that angle's.
pub(crate) fn at(degrees: f32) -> Vec<f32> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    vec![cos, sin, 0.0, 0.0]
}

pub(crate) const EAST: [f32; DIM] = [1.0, 0.0, 0.0, 0.0];

/// A text chunk.
pub(crate) fn text(doc_id: &str, n: usize, page: u32, degrees: f32) -> Record {
    let unit = Unit {
        unit_id: format!("{doc_id}-t{n}"),
        kind: UnitKind::Text,
        eu_id: None,
        original_eu_id: None,
        doc_id: doc_id.into(),
        page,
        pages: vec![page],
        bbox: None,
        caption: None,
        caption_confidence: CaptionConfidence::None,
        headings: Vec::new(),
        table_html: None,
        table_index: None,
        rows: Vec::new(),
        split_index: 1,
        total_splits: 1,
        text: format!("본문 {n} of {doc_id}"),
        retrieval_text: "r".into(),
        parent_text: String::new(),
        tokens: 0,
    };
    Record { unit, whole: at(degrees), rows: Vec::new() }
}

/// A piece of a table with one row per angle, over two pages, every field set.
pub(crate) fn table(doc_id: &str, n: usize, piece: u32, page: u32, degrees: f32, rows: &[f32]) -> Record {
    let eu = format!("{doc_id}-p{page}-{n}");
    let unit = Unit {
        unit_id: format!("{eu}-s{piece}"),
        kind: UnitKind::Eu,
        eu_id: Some(format!("{eu}-s{piece}")),
        original_eu_id: Some(eu),
        pages: vec![page, page + 1],
        bbox: Some([0.1, 0.25, 0.7, 0.9]),
        caption: Some("<표 3> \"매출\" & it's cost".into()),
        caption_confidence: CaptionConfidence::Direct,
        headings: vec!["Ⅱ. 재무".into(), "2.1 Sales\n(단위: 원)".into()],
        table_html: Some("<table><tr><td>1</td></tr></table>".into()),
        table_index: Some(2),
        rows: (0..rows.len()).map(|i| RowText { row: 10 + i, text: format!("합계 | {i}년: {i},000") }).collect(),
        split_index: piece,
        total_splits: 2,
        parent_text: "전체".into(),
        tokens: 512,
        ..text(doc_id, n, page, degrees).unit
    };
    Record { unit, whole: at(degrees), rows: rows.iter().map(|&d| at(d)).collect() }
}

/// A document whose hash and fingerprint name the version.
pub(crate) fn document(doc_id: &str, version: &str, records: Vec<Record>) -> DocumentBatch {
    let document = DocumentRecord {
        doc_id: doc_id.into(),
        root: "문서".into(),
        source: format!("{doc_id}.pdf"),
        content_hash: format!("hash-{version}"),
        fingerprint: format!("settings-{version}"),
        unit_ids: records.iter().map(|r| r.unit.unit_id.clone()).collect(),
        pages: 7,
        tables: records.iter().filter(|r| r.unit.kind == UnitKind::Eu).count() as u32,
        indexed_at: "2026-01-02T03:04:05Z".into(),
    };
    DocumentBatch { document, records }
}

pub(crate) fn ids(candidates: &[Candidate]) -> Vec<&str> {
    candidates.iter().map(|c| c.unit_id.as_str()).collect()
}

pub(crate) fn close(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-6)
}

/// Asserts that the collection holds exactly these documents, each complete.
pub(crate) async fn holds(store: &dyn VectorStore, batch: &[&DocumentBatch]) {
    let mut expected: Vec<_> = batch.iter().map(|b| b.document.clone()).collect();
    expected.sort_by(|a, b| a.doc_id.cmp(&b.doc_id));
    assert_eq!(store.documents(None).await.unwrap(), expected);
    let count = |kind| batch.iter().flat_map(|b| &b.records).filter(|r| r.unit.kind == kind).count();
    let counts =
        Counts { documents: batch.len(), evidence_units: count(UnitKind::Eu), text_chunks: count(UnitKind::Text) };
    assert_eq!(store.counts().await.unwrap(), counts);
    for b in batch {
        let stored = store.fetch(&b.document.unit_ids).await.unwrap();
        assert_eq!(stored.len(), b.records.len());
        for (stored, record) in stored.iter().zip(&b.records) {
            assert_eq!(stored.unit, record.unit);
            assert_eq!(stored.source, b.document.source);
            assert_eq!(stored.rows.len(), record.rows.len());
            assert!(stored.rows.iter().zip(&record.rows).all(|(a, b)| close(a, b)));
        }
    }
}

/// A LanceDB database in a fresh folder; the folder lives as long as the guard.
pub(crate) fn lance() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().unwrap();
    let uri = dir.path().join("데이터 db").to_str().unwrap().to_owned();
    (dir, Place { kind: StoreKind::Lancedb, uri })
}

pub(crate) fn qdrant_at(server: &QdrantEdge) -> Place {
    Place { kind: StoreKind::Qdrant, uri: server.url() }
}
