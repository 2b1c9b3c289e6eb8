//! One suite of requirements that every vector store meets, and what is particular to each.

use std::slice::from_ref;

use evindex::store::{
    self, Candidate, CollectionSpec, Counts, DocumentBatch, DocumentRecord, Filter, Leg, Record, StoreError, StoreKind,
    VectorStore, WriteStats,
};
use evindex::unit::{CaptionConfidence, RowText, Unit, UnitKind};

use crate::qdrant_edge::{self, QdrantEdge};

const DIM: usize = 4;

/// Where collections can be made, opened and opened again.
struct Place {
    kind: StoreKind,
    uri: String,
}

impl Place {
    async fn open(&self, name: &str) -> Box<dyn VectorStore> {
        self.try_open(&spec(name), true).await.unwrap()
    }

    async fn try_open(&self, spec: &CollectionSpec, create: bool) -> Result<Box<dyn VectorStore>, StoreError> {
        store::open(self.kind, &self.uri, None, spec, create).await
    }
}

fn spec(name: &str) -> CollectionSpec {
    CollectionSpec { name: name.into(), model: "test-model@1".into(), dim: DIM }
}

/// A unit vector in the plane of the first two axes, `degrees` from the first: its cosine with [`EAST`] is that angle's.
fn at(degrees: f32) -> Vec<f32> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    vec![cos, sin, 0.0, 0.0]
}

const EAST: [f32; DIM] = [1.0, 0.0, 0.0, 0.0];

/// A text chunk.
fn text(doc_id: &str, n: usize, page: u32, degrees: f32) -> Record {
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
fn table(doc_id: &str, n: usize, piece: u32, page: u32, degrees: f32, rows: &[f32]) -> Record {
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
fn document(doc_id: &str, version: &str, records: Vec<Record>) -> DocumentBatch {
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

fn ids(candidates: &[Candidate]) -> Vec<&str> {
    candidates.iter().map(|c| c.unit_id.as_str()).collect()
}

fn close(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-6)
}

/// Asserts that the collection holds exactly these documents, each complete.
async fn holds(store: &dyn VectorStore, batch: &[&DocumentBatch]) {
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

/// Runs all requirements against a place with no collections in it.
async fn conformance(place: &Place) {
    round_trip(place).await;
    replacing(place).await;
    removing(place).await;
    searching_wholes(place).await;
    searching_rows(place).await;
    ties(place).await;
    filters(place).await;
    odd_ids(place).await;
    many(place).await;
    refused_batches(place).await;
    opening(place).await;
}

async fn round_trip(place: &Place) {
    let store = place.open("round_trip").await;
    holds(&*store, &[]).await;
    let records = vec![table("보고서/1분기", 0, 1, 3, 10.0, &[20.0, 30.0]), text("보고서/1분기", 0, 1, 40.0)];
    let batch = document("보고서/1분기", "1", records);
    assert_eq!(store.replace(from_ref(&batch)).await.unwrap(), WriteStats { written: 2, removed: 0 });
    holds(&*store, &[&batch]).await;

    let wanted = ["보고서/1분기-t0", "nowhere", "보고서/1분기-p3-0-s1"].map(String::from);
    let found: Vec<_> = store.fetch(&wanted).await.unwrap().into_iter().map(|u| u.unit.unit_id).collect();
    assert_eq!(found, ["보고서/1분기-t0", "보고서/1분기-p3-0-s1"], "in the order asked for");
    assert!(store.fetch(&[]).await.unwrap().is_empty());

    // As another process sees it.
    holds(&*place.open("round_trip").await, &[&batch]).await;
    // Collections do not see each other.
    holds(&*place.open("elsewhere").await, &[]).await;
}

async fn replacing(place: &Place) {
    let store = place.open("replacing").await;
    let other = document("other", "1", vec![table("other", 0, 1, 1, 5.0, &[5.0]), text("other", 0, 1, 6.0)]);
    let old = document(
        "doc",
        "1",
        vec![table("doc", 0, 1, 1, 1.0, &[1.0, 2.0]), text("doc", 0, 1, 2.0), text("doc", 1, 2, 3.0)],
    );
    store.replace(&[old.clone(), other.clone()]).await.unwrap();
    holds(&*store, &[&old, &other]).await;

    // The same again: nothing new, nothing double.
    assert_eq!(store.replace(from_ref(&old)).await.unwrap(), WriteStats { written: 3, removed: 0 });
    holds(&*store, &[&old, &other]).await;

    // One unit changed, two gone, one new; the table no longer has rows.
    let new = document("doc", "2", vec![table("doc", 0, 1, 1, 50.0, &[]), text("doc", 7, 4, 60.0)]);
    assert_eq!(store.replace(from_ref(&new)).await.unwrap(), WriteStats { written: 2, removed: 2 });
    holds(&*store, &[&new, &other]).await;
    let rows = store.search(&Leg::Rows(EAST.into()), 10, &Filter::default()).await.unwrap();
    assert_eq!(ids(&rows), ["other-p1-0-s1"], "vectors of a unit that lost its rows are gone");

    // A document of which nothing is left but that it was read.
    let empty = document("doc", "3", Vec::new());
    assert_eq!(store.replace(from_ref(&empty)).await.unwrap(), WriteStats { written: 0, removed: 2 });
    holds(&*store, &[&empty, &other]).await;
    assert_eq!(store.replace(&[]).await.unwrap(), WriteStats::default());
    store.maintain().await.unwrap();
    holds(&*store, &[&empty, &other]).await;
}

async fn removing(place: &Place) {
    let store = place.open("removing").await;
    let [a, b, c] = ["a", "b", "c"].map(|id| document(id, "1", vec![text(id, 0, 1, 1.0), text(id, 1, 1, 2.0)]));
    let empty = document("empty", "1", Vec::new());
    store.replace(&[a.clone(), b, c.clone(), empty]).await.unwrap();
    let gone = ["b", "empty", "never was"].map(String::from);
    assert_eq!(store.remove(&gone).await.unwrap(), 2);
    holds(&*store, &[&a, &c]).await;
    assert_eq!(store.remove(&gone).await.unwrap(), 0);
    assert_eq!(store.remove(&[]).await.unwrap(), 0);
    holds(&*store, &[&a, &c]).await;
}

async fn searching_wholes(place: &Place) {
    let store = place.open("wholes").await;
    let none = store.search(&Leg::Whole(EAST.into()), 5, &Filter::default()).await.unwrap();
    assert!(none.is_empty(), "an empty collection");
    let records = vec![
        text("d", 0, 1, 90.0),
        text("d", 1, 1, 30.0),
        table("d", 0, 2, 2, 60.0, &[0.0]),
        text("d", 2, 1, 180.0),
        text("d", 3, 1, 0.0),
    ];
    store.replace(&[document("d", "1", records)]).await.unwrap();
    let found = store.search(&Leg::Whole(EAST.into()), 10, &Filter::default()).await.unwrap();
    assert_eq!(ids(&found), ["d-t3", "d-t1", "d-p2-0-s2", "d-t0", "d-t2"]);
    let scores: Vec<f32> = found.iter().map(|c| c.score).collect();
    assert!(close(&scores, &[1.0, 0.866_025_4, 0.5, 0.0, -1.0]), "{scores:?}");
    let groups: Vec<&str> = found.iter().map(|c| c.group.as_str()).collect();
    assert_eq!(groups, ["d-t3", "d-t1", "d-p2-0", "d-t0", "d-t2"]);
    let found = store.search(&Leg::Whole(at(60.0)), 2, &Filter::default()).await.unwrap();
    assert_eq!(ids(&found), ["d-p2-0-s2", "d-t0"], "30° on either side: t0 and t1 tie");
    assert!(store.search(&Leg::Whole(EAST.into()), 0, &Filter::default()).await.unwrap().is_empty());
}

async fn searching_rows(place: &Place) {
    let store = place.open("rows").await;
    let records = vec![
        text("d", 0, 1, 0.0),
        table("d", 0, 1, 1, 0.0, &[90.0, 120.0, 60.0]),
        table("d", 1, 1, 1, 180.0, &[170.0, 30.0]),
        table("d", 2, 1, 1, 0.0, &[]),
        table("d", 3, 1, 1, 0.0, &[150.0]),
    ];
    store.replace(&[document("d", "1", records)]).await.unwrap();
    let found = store.search(&Leg::Rows(EAST.into()), 10, &Filter::default()).await.unwrap();
    // By the best row; units without rows are not found.
    assert_eq!(ids(&found), ["d-p1-1-s1", "d-p1-0-s1", "d-p1-3-s1"]);
    let scores: Vec<f32> = found.iter().map(|c| c.score).collect();
    assert!(close(&scores, &[0.866_025_4, 0.5, -0.866_025_4]), "{scores:?}");
    assert_eq!(found[0].group, "d-p1-1");
    let found = store.search(&Leg::Rows(EAST.into()), 2, &Filter::default()).await.unwrap();
    assert_eq!(ids(&found), ["d-p1-1-s1", "d-p1-0-s1"]);
}

async fn ties(place: &Place) {
    let store = place.open("ties").await;
    // Ids in an order that is neither that of writing nor that of any hash.
    let order = [5, 2, 8, 0, 7, 3, 9, 1, 6, 4];
    let records = order.iter().map(|&n| table("d", n, 1, 1, 45.0, &[45.0])).chain([text("d", 0, 1, 0.0)]).collect();
    store.replace(&[document("d", "1", records)]).await.unwrap();
    let found = store.search(&Leg::Whole(EAST.into()), 4, &Filter::default()).await.unwrap();
    assert_eq!(ids(&found), ["d-t0", "d-p1-0-s1", "d-p1-1-s1", "d-p1-2-s1"]);
    let found = store.search(&Leg::Rows(EAST.into()), 3, &Filter::default()).await.unwrap();
    assert_eq!(ids(&found), ["d-p1-0-s1", "d-p1-1-s1", "d-p1-2-s1"]);
}

async fn filters(place: &Place) {
    let store = place.open("filters").await;
    let batch = ["a", "b's", "다"].map(|id| {
        let records = vec![text(id, 0, 1, 10.0), table(id, 0, 1, 2, 20.0, &[20.0]), text(id, 1, 3, 30.0)];
        document(id, "1", records)
    });
    store.replace(&batch).await.unwrap();
    let search = async |leg: Leg, filter: Filter| {
        let found = store.search(&leg, 10, &filter).await.unwrap();
        found.into_iter().map(|c| c.unit_id).collect::<Vec<_>>()
    };
    let whole = || Leg::Whole(EAST.into());
    let doc_ids = vec!["다".to_owned(), "b's".to_owned(), "none".to_owned()];
    let of_docs = Filter { doc_ids, ..Filter::default() };
    let expected = ["b's-t0", "다-t0", "b's-p2-0-s1", "다-p2-0-s1", "b's-t1", "다-t1"];
    assert_eq!(search(whole(), of_docs.clone()).await, expected);
    assert_eq!(search(Leg::Rows(EAST.into()), of_docs.clone()).await, ["b's-p2-0-s1", "다-p2-0-s1"]);
    // The table stands on pages 2 and 3.
    let on_page = |page| Filter { page: Some(page), doc_ids: vec!["a".into()], kind: None };
    assert_eq!(search(whole(), on_page(3)).await, ["a-p2-0-s1", "a-t1"]);
    assert_eq!(search(whole(), on_page(2)).await, ["a-p2-0-s1"]);
    assert!(search(whole(), on_page(9)).await.is_empty());
    let of_kind = |kind| Filter { kind: Some(kind), ..of_docs.clone() };
    assert_eq!(search(whole(), of_kind(UnitKind::Eu)).await, ["b's-p2-0-s1", "다-p2-0-s1"]);
    assert_eq!(search(whole(), of_kind(UnitKind::Text)).await, ["b's-t0", "다-t0", "b's-t1", "다-t1"]);
    assert!(search(Leg::Rows(EAST.into()), of_kind(UnitKind::Text)).await.is_empty());
    let all = Filter { page: Some(3), kind: Some(UnitKind::Text), doc_ids: vec!["다".into()] };
    assert_eq!(search(whole(), all).await, ["다-t1"]);

    assert_eq!(store.documents(Some("문서")).await.unwrap().len(), 3);
    assert!(store.documents(Some("other root's")).await.unwrap().is_empty());
}

async fn odd_ids(place: &Place) {
    let store = place.open("odd_ids").await;
    let long = "긴이름/".repeat(300);
    let odd =
        ["it's", "a\"b", r"back\slash", "100%_x", "x') OR ('1'='1", "-- ;", "", " ", "줄\n바꿈", "e\u{301}😀", &long];
    let batch: Vec<_> =
        odd.iter().map(|id| document(id, "1", vec![text(id, 0, 1, 1.0), table(id, 0, 1, 1, 2.0, &[3.0])])).collect();
    store.replace(&batch).await.unwrap();
    holds(&*store, &batch.iter().collect::<Vec<_>>()).await;
    for (at, id) in odd.iter().enumerate() {
        let filter = Filter { doc_ids: vec![(*id).to_owned()], ..Filter::default() };
        let found = store.search(&Leg::Whole(EAST.into()), 10, &filter).await.unwrap();
        assert_eq!(ids(&found), batch[at].document.unit_ids, "{id:?}");
        // Replaced one by one: nothing else may change.
        let stats = store.replace(&batch[at..=at]).await.unwrap();
        assert_eq!(stats, WriteStats { written: 2, removed: 0 }, "{id:?}");
    }
    holds(&*store, &batch.iter().collect::<Vec<_>>()).await;
    for (at, id) in odd.iter().enumerate() {
        assert_eq!(store.remove(&[(*id).to_owned()]).await.unwrap(), 2, "{id:?}");
        holds(&*store, &batch[at + 1..].iter().collect::<Vec<_>>()).await;
    }
}

/// More than a page, a request or a list of anything.
async fn many(place: &Place) {
    let store = place.open("many").await;
    let batch: Vec<_> = (0..600)
        .map(|n| {
            let id = format!("doc{n:03}");
            document(&id, "1", vec![text(&id, 0, 1, n as f32 / 10.0), text(&id, 1, 1, 170.0), text(&id, 2, 1, 171.0)])
        })
        .collect();
    assert_eq!(store.replace(&batch).await.unwrap(), WriteStats { written: 1800, removed: 0 });
    let documents = store.documents(None).await.unwrap();
    assert!(documents.iter().eq(batch.iter().map(|b| &b.document)));
    let all: Vec<String> = batch.iter().rev().flat_map(|b| b.document.unit_ids.clone()).collect();
    let fetched: Vec<String> = store.fetch(&all).await.unwrap().into_iter().map(|u| u.unit.unit_id).collect();
    assert_eq!(fetched, all);
    let found = store.search(&Leg::Whole(EAST.into()), 600, &Filter::default()).await.unwrap();
    assert!(found.iter().map(|c| &c.unit_id).eq(batch.iter().map(|b| &b.document.unit_ids[0])));
    let shorter: Vec<_> = batch.iter().map(|b| document(&b.document.doc_id, "2", b.records[..1].to_vec())).collect();
    assert_eq!(store.replace(&shorter).await.unwrap(), WriteStats { written: 600, removed: 1200 });
    let odd: Vec<String> = batch.iter().skip(1).step_by(2).map(|b| b.document.doc_id.clone()).collect();
    assert_eq!(store.remove(&odd).await.unwrap(), 300);
    assert_eq!(store.counts().await.unwrap(), Counts { documents: 300, evidence_units: 0, text_chunks: 300 });
}

async fn refused_batches(place: &Place) {
    let store = place.open("refused").await;
    let good = document("d", "1", vec![text("d", 0, 1, 1.0)]);
    store.replace(from_ref(&good)).await.unwrap();
    let mut short = document("d", "2", vec![text("d", 0, 1, 2.0)]);
    short.records[0].whole.pop();
    let mut double = document("d", "2", vec![text("d", 0, 1, 2.0), text("d", 0, 1, 3.0)]);
    double.document.fingerprint = "x".into();
    for bad in [vec![short], vec![double], vec![good.clone(), good.clone()]] {
        let error = store.replace(&bad).await.unwrap_err();
        assert!(matches!(error, StoreError::Failed { operation: "checking a batch", .. }), "{error}");
    }
    holds(&*store, &[&good]).await;
}

async fn opening(place: &Place) {
    let refused = |result: Result<Box<dyn VectorStore>, StoreError>| result.err().expect("should be refused");
    let missing = refused(place.try_open(&spec("missing"), false).await);
    assert!(matches!(missing, StoreError::NoCollection { .. }), "{missing}");
    let missing = store::open_existing(place.kind, &place.uri, None, "missing").await.err().unwrap();
    assert!(matches!(missing, StoreError::NoCollection { .. }), "{missing}");

    let batch = document("d", "1", vec![text("d", 0, 1, 1.0)]);
    place.open("opening").await.replace(from_ref(&batch)).await.unwrap();
    holds(&*place.try_open(&spec("opening"), false).await.unwrap(), &[&batch]).await;
    holds(&*place.open("opening").await, &[&batch]).await;
    let (store, stored) = store::open_existing(place.kind, &place.uri, None, "opening").await.unwrap();
    assert_eq!(stored, spec("opening"));
    holds(&*store, &[&batch]).await;

    for (create, other) in [
        (false, CollectionSpec { model: "other@2".into(), ..spec("opening") }),
        (true, CollectionSpec { dim: 8, ..spec("opening") }),
    ] {
        let error = refused(place.try_open(&other, create).await);
        assert!(matches!(error, StoreError::ModelMismatch { .. }), "{error}");
        assert!(error.to_string().contains("test-model@1 (4 dimensions)"), "{error}");
    }
    holds(&*place.open("opening").await, &[&batch]).await;
}

/// A LanceDB database in a fresh folder; the folder lives as long as the guard.
fn lance() -> (tempfile::TempDir, Place) {
    let dir = tempfile::tempdir().unwrap();
    let uri = dir.path().join("데이터 db").to_str().unwrap().to_owned();
    (dir, Place { kind: StoreKind::Lancedb, uri })
}

fn qdrant(server: &QdrantEdge) -> Place {
    Place { kind: StoreKind::Qdrant, uri: server.url() }
}

#[tokio::test]
async fn lancedb_conforms() {
    let (_dir, place) = lance();
    conformance(&place).await;
}

#[tokio::test]
async fn qdrant_conforms() {
    let dir = qdrant_edge::data_dir();
    let Some(server) = QdrantEdge::start(dir.path()) else { return };
    conformance(&qdrant(&server)).await;
}

/// A small generator of numbers: the same on every run.
fn noise(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as f32 / (1 << 23) as f32 - 1.0
}

#[tokio::test]
async fn both_stores_give_the_same_answers() {
    let dir = qdrant_edge::data_dir();
    let Some(server) = QdrantEdge::start(dir.path()) else { return };
    let (_lance_dir, lance) = lance();
    let stores = [lance.open("same").await, qdrant(&server).open("same").await];
    let mut seed = 7;
    let mut vector = || {
        let v: Vec<f32> = (0..DIM).map(|_| noise(&mut seed)).collect();
        let length = v.iter().map(|x| x * x).sum::<f32>().sqrt();
        v.into_iter().map(|x| x / length).collect::<Vec<f32>>()
    };
    let records = (0..200).map(|n| {
        let mut record = table("d", n, 1, 1 + n as u32 % 5, 0.0, &[0.0; 3][..n % 4]);
        record.whole = vector();
        record.rows.iter_mut().for_each(|row| *row = vector());
        record
    });
    let batch = document("d", "1", records.collect());
    for store in &stores {
        store.replace(from_ref(&batch)).await.unwrap();
    }
    for round in 0..20 {
        let query = vector();
        let leg = if round % 2 == 0 { Leg::Whole(query) } else { Leg::Rows(query) };
        let filter = Filter { page: (round % 3 == 0).then_some(3), ..Filter::default() };
        let [a, b] = [&stores[0], &stores[1]].map(|store| store.search(&leg, 25, &filter));
        let (a, b) = (a.await.unwrap(), b.await.unwrap());
        assert_eq!(a.len(), 25);
        assert_eq!(ids(&a), ids(&b), "round {round}");
        for (a, b) in a.iter().zip(&b) {
            assert!((a.score - b.score).abs() < 1e-6, "{a:?} {b:?}");
            assert_eq!(a.group, b.group);
        }
    }
}

mod lancedb {
    use super::*;

    /// Versions of the collection's table.
    fn versions(place: &Place, name: &str) -> usize {
        std::fs::read_dir(format!("{}/{name}.lance/_versions", place.uri)).unwrap().count()
    }

    #[tokio::test]
    async fn nothing_to_do_writes_nothing_and_a_batch_is_one_commit() {
        let (_dir, place) = lance();
        let store = place.open("quiet").await;
        let before = versions(&place, "quiet");
        let batch: Vec<_> =
            (0..20).map(|n| document(&format!("d{n}"), "1", vec![text(&format!("d{n}"), 0, 1, 1.0)])).collect();
        store.replace(&batch).await.unwrap();
        assert_eq!(versions(&place, "quiet"), before + 1);
        store.replace(&[]).await.unwrap();
        store.remove(&["none".into()]).await.unwrap();
        store.maintain().await.unwrap();
        place.open("quiet").await;
        assert_eq!(versions(&place, "quiet"), before + 1);
    }

    #[tokio::test]
    async fn looking_for_a_collection_makes_no_folder() {
        let (_dir, place) = lance();
        assert!(matches!(place.try_open(&spec("c"), false).await, Err(StoreError::NoCollection { .. })));
        assert!(!std::path::Path::new(&place.uri).exists());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn writers_side_by_side_lose_and_double_nothing() {
        let (_dir, place) = lance();
        let version = |writer: usize, round: usize| {
            let id = format!("writer{writer}");
            let units = (0..3 + round % 2).map(|n| text(&id, n, 1, 1.0)).collect();
            document(&id, &round.to_string(), units)
        };
        let rounds = 4;
        place.open("busy").await;
        let writer = |writer: usize| {
            let place = &place;
            async move {
                let store = place.open("busy").await;
                for round in 0..rounds {
                    store.replace(&[version(writer, round)]).await.unwrap();
                }
            }
        };
        tokio::join!(writer(0), writer(1));
        let last = [version(0, rounds - 1), version(1, rounds - 1)];
        holds(&*place.open("busy").await, &[&last[0], &last[1]]).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn writers_of_one_document_leave_one_version() {
        let (_dir, place) = lance();
        let version = |n: usize| document("d", &n.to_string(), (0..5).map(|i| text("d", i + n, 1, 1.0)).collect());
        place.open("same").await;
        let writer = async |n: usize| place.open("same").await.replace(&[version(n)]).await.map(drop);
        let results = tokio::join!(writer(0), writer(1), writer(2));
        results.0.and(results.1).and(results.2).unwrap();
        let store = place.open("same").await;
        let left = store.documents(None).await.unwrap();
        let winner = (0..3).find(|&n| left == [version(n).document]).expect("one whole version");
        holds(&*store, &[&version(winner)]).await;
    }

    #[tokio::test]
    async fn maintenance_merges_fragments_and_keeps_every_row() {
        let (_dir, place) = lance();
        let store = place.open("worn").await;
        let batch: Vec<_> =
            (0..40).map(|n| document(&format!("d{n:02}"), "1", vec![text(&format!("d{n:02}"), 0, 1, 1.0)])).collect();
        for document in &batch {
            store.replace(from_ref(document)).await.unwrap();
        }
        let before = versions(&place, "worn");
        store.maintain().await.unwrap();
        assert!(versions(&place, "worn") > before, "40 fragments are worth a compaction");
        let after = versions(&place, "worn");
        store.maintain().await.unwrap();
        assert_eq!(versions(&place, "worn"), after, "done once, there is nothing left to do");
        holds(&*store, &batch.iter().collect::<Vec<_>>()).await;
    }

    #[tokio::test]
    async fn a_path_that_is_no_folder_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let place = Place { kind: StoreKind::Lancedb, uri: file.to_str().unwrap().into() };
        let error = place.try_open(&spec("c"), true).await.err().unwrap();
        assert!(matches!(error, StoreError::Unreachable { .. }), "{error}");
        assert!(error.to_string().contains(&place.uri), "{error}");
    }
}

mod qdrant_engine {
    use super::*;

    #[tokio::test]
    async fn what_was_answered_survives_a_kill() {
        let dir = qdrant_edge::data_dir();
        let Some(server) = QdrantEdge::start(dir.path()) else { return };
        let batch = document("문서", "1", vec![table("문서", 0, 1, 1, 1.0, &[2.0]), text("문서", 0, 1, 1.0)]);
        qdrant(&server).open("이름 c").await.replace(from_ref(&batch)).await.unwrap();
        drop(server);
        let server = QdrantEdge::start(dir.path()).unwrap();
        let place = qdrant(&server);
        holds(&*place.try_open(&spec("이름 c"), false).await.unwrap(), &[&batch]).await;
    }

    #[tokio::test]
    async fn a_crash_at_any_point_leaves_no_half_document_that_counts_as_stored() {
        let dir = qdrant_edge::data_dir();
        let Some(server) = QdrantEdge::start(dir.path()) else { return };
        let place = qdrant(&server);
        let old = document("doc", "1", vec![text("doc", 0, 1, 1.0), text("doc", 1, 1, 2.0)]);
        let new = document("doc", "2", vec![text("doc", 0, 2, 3.0), table("doc", 0, 1, 1, 4.0, &[5.0])]);
        let fresh = document("fresh", "2", vec![text("fresh", 0, 1, 1.0)]);
        let both = [new.clone(), fresh.clone()];
        let mut crashes = 0;
        for writes in 0.. {
            assert!(writes < 20, "a replacement of two small documents takes a few writes");
            let store = place.open(&format!("crash{writes}")).await;
            store.replace(from_ref(&old)).await.unwrap();
            server.fault(writes, 1000, "INTERNAL");
            let result = store.replace(&both).await;
            if !server.end_fault(1000) {
                result.unwrap();
                break;
            }
            let error = result.unwrap_err();
            assert!(matches!(error, StoreError::Failed { store: "qdrant", .. }), "{error}");
            crashes += 1;

            for found in store.documents(None).await.unwrap() {
                let stored = store.fetch(&found.unit_ids).await.unwrap();
                let stored: Vec<_> = stored.into_iter().map(|u| u.unit).collect();
                let complete = |b: &DocumentBatch| stored.iter().eq(b.records.iter().map(|r| &r.unit));
                // In its old version, in its new one, or matching no file.
                match (found.doc_id.as_str(), found.content_hash.as_str(), found.fingerprint.as_str()) {
                    ("doc", "hash-1", "settings-1") => assert!(complete(&old), "after {writes} writes"),
                    ("doc", "hash-2", "settings-2") => assert!(complete(&new), "after {writes} writes"),
                    ("fresh", "hash-2", "settings-2") => assert!(complete(&fresh), "after {writes} writes"),
                    ("doc", "", "") => {}
                    other => panic!("after {writes} writes: {other:?}"),
                }
            }
            // Once more, and it is done.
            store.replace(&both).await.unwrap();
            holds(&*store, &[&new, &fresh]).await;
        }
        assert!(crashes >= 4, "one crash before each of the four steps, not {crashes}");
    }

    #[tokio::test]
    async fn units_without_commit_record_count_as_not_stored() {
        let dir = qdrant_edge::data_dir();
        let Some(server) = QdrantEdge::start(dir.path()) else { return };
        let store = qdrant(&server).open("half").await;
        let batch = document("doc", "1", vec![text("doc", 0, 1, 1.0), text("doc", 1, 1, 2.0)]);
        // Marking finds nothing and the units go in one request: then the commit record fails.
        server.fault(2, 1000, "INTERNAL");
        store.replace(from_ref(&batch)).await.unwrap_err();
        assert!(server.end_fault(1000));
        assert!(store.documents(None).await.unwrap().is_empty());
        assert_eq!(store.counts().await.unwrap(), Counts { documents: 0, evidence_units: 0, text_chunks: 2 });
        assert_eq!(store.replace(from_ref(&batch)).await.unwrap(), WriteStats { written: 2, removed: 0 });
        holds(&*store, &[&batch]).await;
        // Leftovers of a document that has vanished go too.
        server.fault(0, 0, "INTERNAL");
        assert_eq!(store.remove(&["doc".into()]).await.unwrap(), 2);
        holds(&*store, &[]).await;
    }

    #[tokio::test]
    async fn passing_failures_are_waited_out() {
        let dir = qdrant_edge::data_dir();
        let Some(server) = QdrantEdge::start(dir.path()) else { return };
        let store = qdrant(&server).open("shaky").await;
        let batch = document("doc", "1", vec![text("doc", 0, 1, 1.0)]);
        for code in ["UNAVAILABLE", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"] {
            // The client itself repeats some calls once, without a pause: three are more than that.
            server.fault(1, 3, code);
            store.replace(from_ref(&batch)).await.unwrap();
            assert!(server.end_fault(3), "{code}");
        }
        holds(&*store, &[&batch]).await;
    }

    #[tokio::test]
    async fn a_server_that_keeps_no_metadata_serves_as_well() {
        let dir = qdrant_edge::data_dir();
        let Some(server) = QdrantEdge::start_with(dir.path(), &["--without-metadata"]) else { return };
        let place = qdrant(&server);
        opening(&place).await;
    }

    #[tokio::test]
    async fn a_collection_of_someone_else_is_refused() {
        use qdrant_client::qdrant::{CreateCollectionBuilder, Distance, VectorParamsBuilder};
        let dir = qdrant_edge::data_dir();
        let Some(server) = QdrantEdge::start(dir.path()) else { return };
        let client = qdrant_client::Qdrant::from_url(&server.url()).skip_compatibility_check().build().unwrap();
        let vectors = VectorParamsBuilder::new(DIM as u64, Distance::Cosine);
        client.create_collection(CreateCollectionBuilder::new("theirs").vectors_config(vectors)).await.unwrap();
        let error = qdrant(&server).try_open(&spec("theirs"), true).await.err().unwrap();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains("was not made by evindex"), "{error}");
    }
}
