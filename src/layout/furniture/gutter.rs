//! Numbers of lines in the margin, as drafts, contracts and patents have them.

use super::super::lines::Line;
use super::super::page::PageDraft;

/// Fewer numbers below each other count something else.
const FEWEST: usize = 8;
/// Edges within this many points are one column's.
const SAME_EDGE: f32 = 2.0;
/// Share of the numbers that follow the one above by the same step.
const MOST: f32 = 0.8;
/// Share of the page's other lines that the column leaves on one side.
const BESIDE: f32 = 0.9;

/// Lines (as indices) that are the numbers of lines.
pub(super) fn line_numbers(page: &PageDraft) -> Vec<usize> {
    let value = |l: &Line| match l.words.as_slice() {
        [word] if word.text.len() <= 4 => word.text.parse::<u32>().ok(),
        _ => None,
    };
    let numbers: Vec<(usize, &Line, u32)> =
        page.lines.iter().enumerate().filter_map(|(at, l)| Some((at, l, value(l)?))).collect();
    if numbers.len() < FEWEST {
        return Vec::new();
    }
    let mut found: Vec<usize> = Vec::new();
    for edge in [|l: &Line| l.bbox.x1, |l: &Line| l.bbox.x0] {
        let mut sorted = numbers.clone();
        sorted.sort_by(|a, b| edge(a.1).total_cmp(&edge(b.1)));
        for column in sorted.chunk_by_mut(|a, b| edge(b.1) - edge(a.1) < SAME_EDGE) {
            column.sort_by_key(|(at, ..)| *at);
            if column.len() >= FEWEST.max(found.len() + 1) && counts(column) && is_beside(page, column) {
                found = column.iter().map(|(at, ..)| *at).collect();
            }
        }
    }
    found
}

/// Whether the numbers go up by one and the same step.
fn counts(column: &[(usize, &Line, u32)]) -> bool {
    let steps: Vec<u32> =
        column.windows(2).filter_map(|w| if let [a, b] = w { b.2.checked_sub(a.2) } else { None }).collect();
    let step = steps.first().copied().unwrap_or_default();
    let same = steps.iter().filter(|s| **s == step).count();
    (1..=10).contains(&step) && same as f32 >= MOST * (column.len() - 1) as f32
}

/// Whether the column stands to the left or right of the page's text, most numbers at a line of it.
fn is_beside(page: &PageDraft, column: &[(usize, &Line, u32)]) -> bool {
    let Some(left) = column.iter().map(|(_, l, _)| l.bbox.x0).reduce(f32::min) else { return false };
    let right = column.iter().map(|(_, l, _)| l.bbox.x1).fold(left, f32::max);
    let others =
        || page.lines.iter().enumerate().filter(|(at, _)| !column.iter().any(|(n, ..)| n == at)).map(|(_, l)| l);
    let all = others().count() as f32;
    let after = others().filter(|l| l.bbox.x0 > right).count() as f32;
    let before = others().filter(|l| l.bbox.x1 < left).count() as f32;
    let level = |number: &Line| others().any(|l| (l.baseline - number.baseline).abs() < 0.5 * l.size && l.chars() > 8);
    let at_text = column.iter().filter(|(_, l, _)| level(l)).count() as f32;
    (after >= BESIDE * all || before >= BESIDE * all) && at_text >= MOST * column.len() as f32
}
