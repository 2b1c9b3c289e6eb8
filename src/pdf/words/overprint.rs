//! Text printed twice in (nearly) the same place, or parts of it: to look bold, or to show a shadow.

use std::collections::HashMap;

use super::super::types::Word;
use super::OVERPRINT;
use crate::document::BBox;

/// Words of a row that are looked at.
const MAX_LOOKUP: usize = 256;
/// Height of the rows that words are looked up in, in points: a few lines.
const ROW: f32 = 16.0;
/// Font sizes of the prints of one text differ by less than this part.
const SAME_SIZE: f32 = 0.1;

/// Drops words, and parts of words, printed a second time in (nearly) the same place. What stays is bold if both prints
/// are seen and the other one is of half the word at least.
pub(super) fn merge(words: Vec<Word>) -> Vec<Word> {
    let mut rows: HashMap<i32, Vec<(BBox, usize)>> = HashMap::new();
    let mut kept: Vec<Word> = Vec::with_capacity(words.len());
    let mut moved = false;
    for mut word in words {
        // What was joined to a word that stands elsewhere now is joined to none.
        word.space_before |= std::mem::take(&mut moved);
        let mut twins: Vec<usize> = Vec::new();
        let slack = OVERPRINT * word.size;
        for row in row_of(place(&word) - slack)..=row_of(place(&word) + slack) {
            let recent = rows.get(&row).into_iter().flat_map(|row| row.iter().rev().take(MAX_LOOKUP));
            let near = recent.filter(|(bbox, _)| holds(bbox, &word.bbox, &word) || holds(&word.bbox, bbox, &word));
            twins.extend(
                near.map(|(_, at)| *at)
                    .filter(|at| kept.get(*at).is_some_and(|other| covers(other, &word) || covers(&word, other))),
            );
        }
        twins.sort_unstable();
        moved = twins.first().is_some_and(|twin| twin + 1 != kept.len());
        let whole = twins.iter().copied().find(|at| kept.get(*at).is_some_and(|other| covers(other, &word)));
        if let Some(other) = whole.and_then(|at| kept.get_mut(at)) {
            print_over(other, &word);
            continue;
        }
        let parts = twins.iter().skip(1).filter_map(|at| kept.get_mut(*at).map(std::mem::take));
        parts.for_each(|part| print_over(&mut word, &part));
        let bbox = word.bbox;
        let row = row_of(place(&word));
        match twins.first().and_then(|at| kept.get_mut(*at).zip(Some(*at))) {
            Some((part, at)) => {
                word.space_before = part.space_before;
                print_over(&mut word, part);
                *part = word;
                rows.entry(row).or_default().push((bbox, at));
            }
            None => {
                rows.entry(row).or_default().push((bbox, kept.len()));
                kept.push(word);
            }
        }
    }
    kept.retain(|word| !word.text.is_empty());
    kept
}

/// Where a word's line lies, across its direction.
fn place(word: &Word) -> f32 {
    if matches!(word.angle, 90 | 270) { word.bbox.center_x() } else { word.bbox.center_y() }
}

fn row_of(place: f32) -> i32 {
    (place / ROW).floor() as i32
}

/// Whether a box holds another one, give or take the distance between prints of a word.
fn holds(outer: &BBox, inner: &BBox, word: &Word) -> bool {
    let slack = OVERPRINT * word.size;
    outer.x0 - slack <= inner.x0
        && inner.x1 <= outer.x1 + slack
        && outer.y0 - slack <= inner.y0
        && inner.y1 <= outer.y1 + slack
}

/// Whether a word shows all that another one shows, in the same place.
fn covers(word: &Word, other: &Word) -> bool {
    word.angle == other.angle
        && (word.size - other.size).abs() <= SAME_SIZE * word.size
        && !other.text.is_empty()
        && word.text.contains(&other.text)
        && holds(&word.bbox, &other.bbox, word)
}

/// Notes that a word, or a part of it, is printed again. An invisible copy is the text layer of a scan or a search aid,
/// not emphasis.
fn print_over(word: &mut Word, copy: &Word) {
    let most = copy.text.len() * 2 >= word.text.len();
    word.bold |= most && !word.invisible && !copy.invisible;
    word.invisible &= copy.invisible;
}
