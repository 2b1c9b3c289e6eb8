//! Text printed twice in (nearly) the same place to look bold, or to show a shadow.

use std::collections::HashMap;

use super::super::types::Word;
use super::OVERPRINT;

/// Words of the same text that are looked at.
const MAX_LOOKUP: usize = 64;

/// Drops words printed a second time in (nearly) the same place; the one that stays is bold.
pub(super) fn merge(words: Vec<Word>) -> Vec<Word> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::with_capacity(words.len());
    let mut kept: Vec<Word> = Vec::with_capacity(words.len());
    for word in words {
        let near = |a: f32, b: f32| (a - b).abs() <= OVERPRINT * word.size;
        let seen = places.get(&word.text).and_then(|at| {
            at.iter().rev().take(MAX_LOOKUP).copied().find(|i| {
                kept.get(*i).is_some_and(|other| {
                    near(other.bbox.x0, word.bbox.x0)
                        && near(other.bbox.y0, word.bbox.y0)
                        && near(other.bbox.x1, word.bbox.x1)
                        && other.angle == word.angle
                })
            })
        });
        match seen.and_then(|i| kept.get_mut(i)) {
            // An invisible copy is the text layer of a scan or a search aid, not emphasis.
            Some(other) => {
                other.bold |= !other.invisible && !word.invisible;
                other.invisible &= word.invisible;
            }
            None => {
                places.entry(word.text.clone()).or_default().push(kept.len());
                kept.push(word);
            }
        }
    }
    kept
}
