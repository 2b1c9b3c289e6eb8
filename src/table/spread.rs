//! Two pages side by side on one: nothing on the left one belongs to a row of the right one.

use crate::pdf::PageContent;

/// A spread is at least this many times as wide as it is high.
const WIDE: f32 = 1.25;
/// Margins in the middle of a spread are at least this share of its width.
const GUTTER: f32 = 0.1;
/// Fewest words on each side.
const FEWEST_WORDS: usize = 20;

/// The words `of` a spread, those of each page for themselves; all together where the page is none.
pub(crate) fn sides(page: &PageContent, of: Vec<usize>) -> Vec<Vec<usize>> {
    let middle = page.width / 2.0;
    let crossed = page.rules.iter().any(|r| r.bbox.x0 < middle && r.bbox.x1 > middle);
    if page.width < WIDE * page.height || crossed {
        return vec![of];
    }
    let is_left = |w: &usize| page.words.get(*w).is_some_and(|w| w.bbox.center_x() < middle);
    let (left, right): (Vec<usize>, Vec<usize>) = of.iter().partition(|w| is_left(w));
    let boxes = |side: &[usize]| side.iter().filter_map(|&w| page.words.get(w)).map(|w| w.bbox).collect::<Vec<_>>();
    let end = boxes(&left).iter().map(|b| b.x1).fold(0.0, f32::max);
    let start = boxes(&right).iter().map(|b| b.x0).fold(page.width, f32::min);
    let apart = end < middle && start > middle && start - end >= GUTTER * page.width;
    if apart && left.len().min(right.len()) >= FEWEST_WORDS { vec![left, right] } else { vec![of] }
}
