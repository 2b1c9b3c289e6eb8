//! What the store on Qdrant does besides: crashes, faults, servers without metadata.

use std::slice::from_ref;

use evindex::store::{Counts, DocumentBatch, StoreError, WriteStats};

use super::data::*;
use super::requirements::opening;
use crate::qdrant_edge::{self, QdrantEdge};

#[tokio::test]
async fn what_was_answered_survives_a_kill() {
    let dir = qdrant_edge::data_dir();
    let Some(server) = QdrantEdge::start(dir.path()) else { return };
    let batch = document("문서", "1", vec![table("문서", 0, 1, 1, 1.0, &[2.0]), text("문서", 0, 1, 1.0)]);
    qdrant_at(&server).open("이름 c").await.replace(from_ref(&batch)).await.unwrap();
    drop(server);
    let server = QdrantEdge::start(dir.path()).unwrap();
    let place = qdrant_at(&server);
    holds(&*place.try_open(&spec("이름 c"), false).await.unwrap(), &[&batch]).await;
}

#[tokio::test]
async fn a_crash_at_any_point_leaves_no_half_document_that_counts_as_stored() {
    let dir = qdrant_edge::data_dir();
    let Some(server) = QdrantEdge::start(dir.path()) else { return };
    let place = qdrant_at(&server);
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
    let store = qdrant_at(&server).open("half").await;
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
    let store = qdrant_at(&server).open("shaky").await;
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
    let place = qdrant_at(&server);
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
    let error = qdrant_at(&server).try_open(&spec("theirs"), true).await.err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert!(error.to_string().contains("was not made by evindex"), "{error}");
}
