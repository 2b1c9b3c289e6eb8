//! One suite of requirements that every vector store meets, and what is particular to each.

mod data;
mod lancedb;
mod qdrant;
mod requirements;

use std::slice::from_ref;

use evindex::store::{Filter, Leg};

use self::data::*;
use self::requirements::conformance;
use crate::qdrant_edge::{self, QdrantEdge};

#[tokio::test]
async fn lancedb_conforms() {
    let (_dir, place) = lance();
    conformance(&place).await;
}

#[tokio::test]
async fn qdrant_conforms() {
    let dir = qdrant_edge::data_dir();
    let Some(server) = QdrantEdge::start(dir.path()) else { return };
    conformance(&qdrant_at(&server)).await;
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
    let stores = [lance.open("same").await, qdrant_at(&server).open("same").await];
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
