//! Search: legs, max-pooling by evidence unit, the row that matched.
//!
//! The pooling happens here and not in a store, on one flat candidate list per leg: a store's own grouping searches later
//! groups deeper than earlier ones, and would differ between stores.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::embed::{EmbedError, Embedder};
use crate::store::{Candidate, Filter, Leg, StoreError, StoredUnit, VectorStore};
use crate::unit::Unit;

/// Version of the JSON form of [`Answer`].
pub const SCHEMA: u32 = 1;

/// Candidates per leg for each distinct unit wanted: the pieces of one long table can fill the head of a list.
const CANDIDATES_PER_UNIT: usize = 10;

/// By how much a leg's depth grows when its candidates pool to fewer distinct units than wanted.
const WIDEN_BY: usize = 4;

/// Which legs are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Whole units and rows.
    #[default]
    Hybrid,
    /// Whole units only.
    Whole,
    /// Table rows only.
    Rows,
}

/// Which leg gave a unit its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LegName {
    /// The vector of the whole unit.
    Whole,
    /// The vector of its best row.
    Rows,
}

/// The row of a table that is nearest to the question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowMatch {
    /// 0-based row of the whole table.
    pub row: usize,
    /// The row as a sentence.
    pub text: String,
    /// Cosine similarity with the question.
    pub score: f32,
}

/// One found unit.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// 1 for the best.
    pub rank: usize,
    /// Cosine similarity of the best leg.
    pub score: f32,
    /// Which leg that was.
    pub leg: LegName,
    /// Path of the document below its root.
    pub source: String,
    /// The best row, for tables.
    pub row: Option<RowMatch>,
    /// The unit.
    pub unit: Unit,
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model.
    #[error(transparent)]
    Embed(#[from] EmbedError),
}

/// The best piece of one unit group so far.
struct Pooled {
    unit_id: String,
    score: f32,
    leg: LegName,
}

/// The `k` best distinct units for a question.
pub async fn search(
    store: &dyn VectorStore,
    embedder: &Embedder,
    question: &str,
    k: usize,
    mode: Mode,
    filter: &Filter,
) -> Result<Vec<Answer>, QueryError> {
    let vector = embedder.embed_query(question)?;
    let mut legs = Vec::new();
    if mode != Mode::Rows {
        legs.push((LegName::Whole, Leg::Whole(vector.clone())));
    }
    if mode != Mode::Whole {
        legs.push((LegName::Rows, Leg::Rows(vector.clone())));
    }
    let mut lists = Vec::new();
    for (name, leg) in legs {
        lists.push((name, candidates(store, &leg, k, filter).await?));
    }
    let best = pool(lists, k);
    let ids: Vec<String> = best.iter().map(|p| p.unit_id.clone()).collect();
    let units = store.fetch(&ids).await?;
    let mut by_id: BTreeMap<String, StoredUnit> = units.into_iter().map(|u| (u.unit.unit_id.clone(), u)).collect();
    let found = best.into_iter().filter_map(|p| by_id.remove(&p.unit_id).map(|u| (p, u)));
    Ok(found
        .enumerate()
        .map(|(index, (pooled, stored))| Answer {
            rank: index + 1,
            score: pooled.score,
            leg: pooled.leg,
            row: best_row(&stored, &vector),
            source: stored.source,
            unit: stored.unit,
        })
        .collect())
}

/// One leg's candidates, deep enough for `k` distinct groups where there are that many.
async fn candidates(
    store: &dyn VectorStore,
    leg: &Leg,
    k: usize,
    filter: &Filter,
) -> Result<Vec<Candidate>, StoreError> {
    let mut depth = k.saturating_mul(CANDIDATES_PER_UNIT);
    loop {
        let found = store.search(leg, depth, filter).await?;
        let mut groups: Vec<&str> = found.iter().map(|c| c.group.as_str()).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() >= k || found.len() < depth {
            return Ok(found);
        }
        depth = depth.saturating_mul(WIDEN_BY);
    }
}

/// Max-pools all lists by group: a group has the score of its best piece in any leg. Ties go to the smaller unit id.
fn pool(lists: Vec<(LegName, Vec<Candidate>)>, k: usize) -> Vec<Pooled> {
    let mut groups: BTreeMap<String, Pooled> = BTreeMap::new();
    for (leg, list) in lists {
        for c in list {
            let new = Pooled { unit_id: c.unit_id, score: c.score, leg };
            match groups.get_mut(&c.group) {
                Some(old) if (old.score, &new.unit_id) >= (new.score, &old.unit_id) => {}
                Some(old) => *old = new,
                None => {
                    groups.insert(c.group, new);
                }
            }
        }
    }
    let mut best: Vec<Pooled> = groups.into_values().collect();
    best.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.unit_id.cmp(&b.unit_id)));
    best.truncate(k);
    best
}

/// The row with the highest dot product (of normalised vectors); the first of equals.
fn best_row(stored: &StoredUnit, question: &[f32]) -> Option<RowMatch> {
    let scored = stored.unit.rows.iter().zip(&stored.rows).map(|(row, vector)| {
        let score: f32 = vector.iter().zip(question).map(|(a, b)| a * b).sum();
        RowMatch { row: row.row, text: row.text.clone(), score }
    });
    scored.reduce(|best, row| if row.score > best.score { row } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(unit: &str, group: &str, score: f32) -> Candidate {
        Candidate { unit_id: unit.into(), group: group.into(), score }
    }

    #[test]
    fn pieces_are_pooled_over_all_legs_and_ties_are_stable() {
        let whole = vec![candidate("a-s1", "a", 0.8), candidate("b", "b", 0.7), candidate("d", "d", 0.5)];
        let rows = vec![candidate("a-s2", "a", 0.9), candidate("c", "c", 0.7)];
        let best = pool(vec![(LegName::Whole, whole), (LegName::Rows, rows)], 3);
        let got: Vec<_> = best.iter().map(|p| (p.unit_id.as_str(), p.score, p.leg)).collect();
        assert_eq!(got, [("a-s2", 0.9, LegName::Rows), ("b", 0.7, LegName::Whole), ("c", 0.7, LegName::Rows)]);
    }
}
