//! The order of search results, the same whichever store found them.

use std::collections::HashMap;

use super::{Candidate, StoreError, StoredUnit};

/// How often a search may be widened to settle a tie at its end.
const MAX_WIDENINGS: usize = 4;

/// The `depth` best of a search, best first, ties by `unit_id`. `nearest` answers with so many units in the store's own
/// order; it is asked for more while a tie reaches over the end.
pub(crate) async fn settled<F>(depth: usize, nearest: impl Fn(usize) -> F) -> Result<Vec<Candidate>, StoreError>
where
    F: Future<Output = Result<Vec<Candidate>, StoreError>>,
{
    let mut found = Vec::new();
    if depth == 0 {
        return Ok(found);
    }
    let mut asked = depth.saturating_add(1);
    for _ in 0..=MAX_WIDENINGS {
        found = nearest(asked).await?;
        sort(&mut found);
        if is_settled(&found, depth, asked) {
            break;
        }
        asked = asked.saturating_mul(2);
    }
    found.truncate(depth);
    Ok(found)
}

/// The units found, in the order asked for, each once for every time that it was asked for.
pub(crate) fn in_order(unit_ids: &[String], found: Vec<StoredUnit>) -> Vec<StoredUnit> {
    let by_id: HashMap<&str, &StoredUnit> = found.iter().map(|unit| (unit.unit.unit_id.as_str(), unit)).collect();
    unit_ids.iter().filter_map(|id| by_id.get(id.as_str()).copied().cloned()).collect()
}

/// Sorts best first, ties by `unit_id`.
fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.unit_id.cmp(&b.unit_id)));
}

/// Whether the first `depth` of the sorted `found` are certain when `asked` were asked for: a store breaks ties as it
/// likes, so where the last place is tied with the last one found, an equal unit with a smaller id may be missing.
fn is_settled(found: &[Candidate], depth: usize, asked: usize) -> bool {
    if found.len() < asked {
        return true;
    }
    match (depth.checked_sub(1).and_then(|last| found.get(last)), found.last()) {
        (Some(last), Some(end)) => end.score < last.score,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(scores: &[(&str, f32)]) -> Vec<Candidate> {
        scores.iter().map(|&(id, score)| Candidate { unit_id: id.into(), group: id.into(), score }).collect()
    }

    #[test]
    fn best_first_and_ties_by_id() {
        let mut found = candidates(&[("c", 0.5), ("b", 0.9), ("a", 0.5), ("d", -0.1)]);
        sort(&mut found);
        let ids: Vec<&str> = found.iter().map(|c| c.unit_id.as_str()).collect();
        assert_eq!(ids, ["b", "a", "c", "d"]);
    }

    #[tokio::test]
    async fn a_search_widens_until_ties_are_settled() {
        // Eight units of one score, which the store finds in descending order of their ids.
        let all = candidates(&[("h", 0.5), ("g", 0.5), ("f", 0.5), ("e", 0.5), ("d", 0.5), ("a", 0.5), ("z", 0.1)]);
        let nearest = async |n: usize| Ok(all[..n.min(all.len())].to_vec());
        let ids = |found: Vec<Candidate>| found.into_iter().map(|c| c.unit_id).collect::<Vec<_>>();
        assert_eq!(ids(settled(2, nearest).await.unwrap()), ["a", "d"]);
        assert_eq!(ids(settled(7, nearest).await.unwrap()), ["a", "d", "e", "f", "g", "h", "z"]);
        assert!(settled(0, nearest).await.unwrap().is_empty());
    }

    #[test]
    fn a_tie_across_the_end_is_unsettled() {
        let found = candidates(&[("a", 0.9), ("b", 0.5), ("c", 0.5)]);
        assert!(!is_settled(&found, 2, 3), "a third unit of score 0.5 may be missing");
        assert!(is_settled(&found, 1, 3), "the first place is certain");
        assert!(is_settled(&found, 2, 4), "the store had no more");
        assert!(is_settled(&[], 0, 0));
    }
}
