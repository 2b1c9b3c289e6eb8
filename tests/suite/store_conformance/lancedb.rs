//! What LanceDB does besides: commits, concurrent writers, maintenance.

use std::slice::from_ref;

use evindex::store::{StoreError, StoreKind};

use super::data::*;

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
