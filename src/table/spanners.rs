//! Headers of several levels: names that stand over several columns, and the names below them.

use crate::table::rows::{LineCell, RowLine};
use crate::table::rules::Seg;

/// A rule underlines a name, or a column, where it covers at least this fraction of it.
const UNDERLINED: f32 = 0.8;
/// A rule reaches over a column where it covers at least this fraction of it.
const REACHED: f32 = 0.5;
/// The middle of a spanning name is at most this fraction of the width of its columns away from their middle.
const OFF_CENTRE: f32 = 0.2;
/// The lines of one name are at most this many font sizes apart,
const NAME_PITCH_EM: f32 = 1.35;
/// and start within this many points of each other where they are not centred.
const SAME_LEFT: f32 = 1.5;
/// Baselines closer than this many font sizes are beside each other: names centred on others of several lines.
const BESIDE_EM: f32 = 0.75;

/// The lines of a header by levels: its lines taken apart so that every name stands on the level below the last name over
/// several columns above it, and for each line whether it starts a level.
///
/// `full` are the rules over all columns, `part` the others.
pub(crate) fn levels(
    mut lines: Vec<RowLine>,
    extents: &[(f32, f32)],
    full: &[Seg],
    part: &[Seg],
) -> (Vec<RowLine>, Vec<bool>) {
    // Where rules mark the names over several columns, one without a rule names its own column only.
    let inside = |s: &&Seg| lines.first().zip(lines.last()).is_some_and(|(a, b)| s.at > a.top && s.at < b.baseline);
    let marked = part.iter().any(|s| inside(&s));
    for at in 0..lines.len() {
        widen(&mut lines, at, extents, part, marked);
    }
    let mut placed: Vec<(usize, RowLine)> = Vec::new();
    for line in &lines {
        let mut here: Vec<(usize, LineCell)> = Vec::new();
        for cell in &line.cells {
            here.push((level(cell, line, &placed, extents, full, part), cell.clone()));
        }
        while let Some(level) = here.first().map(|c| c.0) {
            let (same, rest): (Vec<_>, Vec<_>) = here.into_iter().partition(|c| c.0 == level);
            here = rest;
            placed.push((level, RowLine { cells: same.into_iter().map(|c| c.1).collect(), ..line.clone() }));
        }
    }
    placed.sort_by_key(|p| p.0);
    let starts =
        placed.iter().enumerate().map(|(i, p)| i == 0 || placed.get(i - 1).is_none_or(|q| q.0 != p.0)).collect();
    (placed.into_iter().map(|p| p.1).collect(), starts)
}

/// The level of a name below the names `placed` above it.
fn level(
    cell: &LineCell,
    line: &RowLine,
    placed: &[(usize, RowLine)],
    extents: &[(f32, f32)],
    full: &[Seg],
    part: &[Seg],
) -> usize {
    let meets = |a: &&LineCell| a.col < cell.col + cell.colspan && cell.col < a.col + a.colspan;
    let (x0, x1) = match (extents.get(cell.col), extents.get(cell.col + cell.colspan - 1)) {
        (Some(a), Some(b)) => (a.0, b.1),
        _ => (cell.x0, cell.x1),
    };
    let above = placed.iter().filter(|(_, l)| l.baseline < line.baseline);
    let levels = above.map(|(level, upper)| {
        let between = |s: &Seg| s.at > upper.baseline && s.at < line.baseline;
        let ruled =
            full.iter().any(between) || part.iter().any(|s| between(s) && s.cover(x0, x1) >= UNDERLINED * (x1 - x0));
        let met: Vec<&LineCell> = upper.cells.iter().filter(meets).collect();
        let same = |a: &&LineCell| (a.col, a.colspan) == (cell.col, cell.colspan);
        // Below a name over other columns, below several names, or below a rule.
        let below = met.len() > 1 || met.iter().any(|a| a.colspan > 1 && !same(a)) || ruled;
        match met.is_empty() {
            true if full.iter().any(between) => level + 1,
            true => 0,
            false => level + usize::from(below),
        }
    });
    levels.max().unwrap_or(0)
}

/// Gives the names of the line `at` that stand over several columns their whole extent: the rule below them, or the columns
/// in whose middle they stand.
fn widen(lines: &mut [RowLine], at: usize, extents: &[(f32, f32)], part: &[Seg], marked: bool) {
    let Some(line) = lines.get(at) else { return };
    let later = lines.get(at + 1..).unwrap_or_default();
    let next = later.first().map_or(line.bottom, |l| l.baseline);
    let leaves = leaves(later, extents);
    let mut spans: Vec<(usize, usize)> = line.cells.iter().map(|c| (c.col, c.colspan)).collect();
    for rule in part.iter().filter(|s| s.at > line.baseline - 1.0 && s.at < next) {
        let inside = |c: &(f32, f32)| rule.cover(c.0, c.1) >= REACHED * (c.1 - c.0);
        let Some(first) = extents.iter().position(inside) else { continue };
        let last = extents.iter().rposition(inside).unwrap_or(first);
        let over: Vec<usize> = line
            .cells
            .iter()
            .enumerate()
            .filter(|(_, c)| rule.cover(c.x0, c.x1) >= UNDERLINED * (c.x1 - c.x0))
            .map(|(i, _)| i)
            .collect();
        let columns: Vec<usize> = (first..=last).collect();
        let middles: Vec<f32> = over.iter().filter_map(|&i| line.cells.get(i)).map(middle).collect();
        let Some(counts) = share(&middles, &columns, &leaves) else { continue };
        let mut col = first;
        for (i, count) in over.into_iter().zip(counts) {
            if let Some(span) = spans.get_mut(i) {
                *span = (col, count);
            }
            col += count;
        }
    }
    if !marked {
        centred(line, later, extents, &leaves, &mut spans);
    }
    if let Some(line) = lines.get_mut(at) {
        for (cell, (col, colspan)) in line.cells.iter_mut().zip(spans) {
            (cell.col, cell.colspan) = (col, colspan);
        }
    }
}

/// Names without a rule below them: together they stand over all columns besides the first and those whose names stand
/// beside them, each in the middle of its own.
fn centred(
    line: &RowLine,
    later: &[RowLine],
    extents: &[(f32, f32)],
    leaves: &[(f32, f32)],
    spans: &mut [(usize, usize)],
) {
    let beside: Vec<usize> = later
        .iter()
        .filter(|l| l.baseline - line.baseline < BESIDE_EM * line.size.max(l.size))
        .flat_map(|l| l.cells.iter().map(|c| c.col))
        .collect();
    let skip = usize::from(line.cells.first().is_some_and(|c| c.col == 0 && c.colspan == 1));
    let columns: Vec<usize> = (1..extents.len()).filter(|c| !beside.contains(c)).collect();
    let cells: Vec<&LineCell> = line.cells.iter().skip(skip).collect();
    let middles: Vec<f32> = cells.iter().map(|c| middle(c)).collect();
    if later.is_empty() || middles.is_empty() || columns.len() <= middles.len() {
        return;
    }
    // A name goes on below where the text there starts at its left edge.
    let goes_on = |c: &&LineCell| {
        let next = later.first().filter(|l| l.baseline - line.baseline <= NAME_PITCH_EM * line.size.max(l.size));
        next.is_some_and(|l| l.cells.iter().any(|n| (n.x0 - c.x0).abs() <= SAME_LEFT && n.colspan == 1))
    };
    if cells.iter().any(goes_on) {
        return;
    }
    let Some(counts) = share(&middles, &columns, leaves) else { return };
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut rest = columns.as_slice();
    for (cell, count) in cells.iter().zip(counts) {
        let Some((own, others)) = rest.split_at_checked(count) else { return };
        rest = others;
        let (Some(&first), Some(&last)) = (own.first(), own.last()) else { return };
        let (Some(a), Some(b)) = (leaves.get(first), leaves.get(last)) else { return };
        let slack = OFF_CENTRE * (b.1 - a.0);
        let fits =
            (middle(cell) - (a.0 + b.1) / 2.0).abs() <= slack && cell.x0 >= a.0 - slack && cell.x1 <= b.1 + slack;
        if last - first + 1 != count || !fits {
            return;
        }
        found.push((first, count));
    }
    for (span, own) in spans.iter_mut().skip(skip).zip(found) {
        *span = own;
    }
}

/// What the names of the columns below cover, or else the columns themselves.
fn leaves(later: &[RowLine], extents: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut out = extents.to_vec();
    for cell in later.iter().rev().flat_map(|l| &l.cells).filter(|c| c.colspan == 1) {
        if let Some(place) = out.get_mut(cell.col) {
            *place = (cell.x0, cell.x1);
        }
    }
    out
}

fn middle(cell: &LineCell) -> f32 {
    (cell.x0 + cell.x1) / 2.0
}

/// Shares the columns among names in order, so that each stands as close as possible to the middle of its own: the number of
/// columns of each name. `None` where there are more names than columns, or none.
fn share(middles: &[f32], columns: &[usize], extents: &[(f32, f32)]) -> Option<Vec<usize>> {
    let n = columns.len();
    let cost = |name: f32, from: usize, to: usize| -> Option<f32> {
        let (a, b) = (extents.get(*columns.get(from)?)?, extents.get(*columns.get(to - 1)?)?);
        Some((name - (a.0 + b.1) / 2.0).abs())
    };
    // best[j]: least cost of giving the first j columns to the names so far, and how many the last name got.
    let mut best: Vec<Option<f32>> = vec![None; n + 1];
    *best.first_mut()? = Some(0.0);
    let mut taken: Vec<Vec<usize>> = Vec::new();
    for &name in middles {
        let mut next: Vec<Option<f32>> = vec![None; n + 1];
        let mut counts = vec![0; n + 1];
        for to in 1..=n {
            for from in 0..to {
                let Some(total) = best.get(from).copied().flatten().and_then(|b| Some(b + cost(name, from, to)?))
                else {
                    continue;
                };
                if let (Some(place), Some(count)) = (next.get_mut(to), counts.get_mut(to))
                    && place.is_none_or(|p| total < p)
                {
                    (*place, *count) = (Some(total), to - from);
                }
            }
        }
        best = next;
        taken.push(counts);
    }
    best.last().copied().flatten()?;
    let mut out = Vec::new();
    let mut left = n;
    for counts in taken.iter().rev() {
        let count = *counts.get(left)?;
        out.push(count);
        left = left.checked_sub(count)?;
    }
    out.reverse();
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_shared_among_the_names_in_their_middle() {
        let extents: Vec<(f32, f32)> = (0..6).map(|i| (100.0 * i as f32, 100.0 * i as f32 + 60.0)).collect();
        // One column and four: the middle of the second is that of columns 2 to 5.
        assert_eq!(share(&[130.0, 380.0], &[1, 2, 3, 4, 5], &extents), Some(vec![1, 4]));
        assert_eq!(share(&[180.0, 430.0], &[1, 2, 3, 4, 5], &extents), Some(vec![2, 3]));
        assert_eq!(share(&[1.0, 2.0], &[1], &extents), None);
        assert_eq!(share(&[], &[1], &extents), None);
    }
}
