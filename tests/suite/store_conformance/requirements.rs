//! What every store does.

use std::slice::from_ref;

use evindex::store::{self, CollectionSpec, Counts, Filter, Leg, StoreError, VectorStore, WriteStats};
use evindex::unit::UnitKind;

use super::data::*;

/// Runs all requirements against a place with no collections in it.
pub(crate) async fn conformance(place: &Place) {
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

pub(crate) async fn opening(place: &Place) {
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
