//! Axes of charts: evenly spaced numbers with a constant step, which would otherwise look like a column or row of values.

use crate::pdf::{PageContent, Word};
use crate::table::grid::Draft;

/// An axis has at least this many numbers.
const FEWEST_TICKS: usize = 4;
/// Distances between ticks differ by at most this fraction: they are computed, not typeset.
const EVEN: f32 = 0.06;
/// Ticks of one axis end (or are centred) within this many font sizes of one line.
const ALIGNED_EM: f32 = 0.35;
/// Numbers closer than this many font sizes are on one tick.
const LEAST_STEP_EM: f32 = 0.5;
/// Steps between the values of ticks differ by at most this fraction: the rounding of floating-point numbers.
const SAME_STEP: f32 = 1e-3;
/// More numbers than this on a page are a page of data, in which looking for axes would cost too much time.
const MOST_NUMBERS: usize = 1500;

/// A draft holds a part of an axis from this many of its numbers on.
const FEWEST_INSIDE: usize = 3;
/// More numbers than this beside a tick are a row of values, and not the ticks of further axes.
const MOST_BESIDE: usize = 3;

/// An axis: the words that are its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    ticks: Vec<usize>,
    upright: bool,
}

impl Axis {
    /// Whether a draft is the chart around this axis, or a part of it. In a table most numbers have a name or several values
    /// beside them.
    pub(crate) fn is_in(&self, page: &PageContent, draft: &Draft) -> bool {
        let area = draft.bbox();
        let ticks = self.ticks.iter().filter_map(|&w| page.words.get(w));
        let ticks: Vec<&Word> = ticks.filter(|w| area.contains_point(w.bbox.center_x(), w.bbox.center_y())).collect();
        if ticks.len() < FEWEST_INSIDE {
            return false;
        }
        let inside: Vec<&Word> = draft.cells.iter().flat_map(|c| &c.words).filter_map(|&w| page.words.get(w)).collect();
        if draft.is_sparse() || !self.upright {
            return draft.is_sparse() || is_foot(&ticks, &inside);
        }
        let is_row = |number: &Word| {
            let near = |w: &&&Word| (w.baseline - number.baseline).abs() <= ALIGNED_EM * number.size;
            let beside: Vec<&&Word> = inside.iter().filter(near).filter(|w| w.bbox != number.bbox).collect();
            beside.len() > MOST_BESIDE || beside.iter().any(|w| tick(w).is_none())
        };
        2 * ticks.iter().filter(|w| is_row(w)).count() < ticks.len()
    }
}

/// Whether the ticks alone are the lowest line: below bars stands their scale, where the last row of a table has a name.
fn is_foot(ticks: &[&Word], inside: &[&Word]) -> bool {
    let Some(top) = ticks.iter().map(|t| t.bbox.y0).min_by(f32::total_cmp) else { return false };
    inside.iter().filter(|w| w.bbox.center_y() > top).count() == ticks.len() && inside.len() > ticks.len()
}

/// A number of the page: its value, its word and the index of that.
struct Tick<'a> {
    value: f32,
    word: &'a Word,
    index: usize,
}

/// The axes that stand among the words `of`: upright ones with numbers that fall downwards, and level ones that start at
/// zero.
pub(crate) fn axes(page: &PageContent, of: &[usize]) -> Vec<Axis> {
    let numbers = of.iter().filter_map(|&index| {
        let word = page.words.get(index)?;
        Some(Tick { value: tick(word)?, word, index })
    });
    let ticks: Vec<Tick> = numbers.collect();
    if ticks.len() > MOST_NUMBERS {
        return Vec::new();
    }
    let mut found: Vec<Axis> = Vec::new();
    let upright = |t: &Tick| (t.word.baseline, t.word.bbox.x1);
    let upright_by_middle = |t: &Tick| (t.word.baseline, t.word.bbox.center_x());
    let level = |t: &Tick| (t.word.bbox.center_x(), t.word.baseline);
    chains(&ticks, &upright, &|first, step| step < 0.0 && (step != -1.0 || first == 0.0), &mut found);
    chains(&ticks, &upright_by_middle, &|first, step| step < 0.0 && step != -1.0 && first != 0.0, &mut found);
    for axis in &mut found {
        axis.upright = true;
    }
    chains(&ticks, &level, &|first, step| step > 1.0 && first == 0.0, &mut found);
    found
}

/// A bare number with its sign, point, separators of thousands and percent sign.
fn tick(word: &Word) -> Option<f32> {
    if !word.text.starts_with(|c: char| c.is_ascii_digit() || "-−–.".contains(c)) {
        return None;
    }
    let text = word.text.trim_end_matches('%').replace(',', "").replace(['−', '–'], "-");
    let number = text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-');
    text.parse().ok().filter(|v: &f32| number && v.is_finite())
}

/// Adds the chains along one direction. `place` is the position along and across; `is_axis` judges the first value
/// and the step between values.
fn chains(
    ticks: &[Tick],
    place: &dyn Fn(&Tick) -> (f32, f32),
    is_axis: &dyn Fn(f32, f32) -> bool,
    found: &mut Vec<Axis>,
) {
    let mut order: Vec<&Tick> = ticks.iter().collect();
    order.sort_by(|a, b| place(a).0.total_cmp(&place(b).0));
    let mut used = vec![false; order.len()];
    for i in 0..order.len() {
        if used.get(i) != Some(&false) {
            continue;
        }
        let mut chain: Vec<usize> = vec![i];
        let mut rhythm: Option<(f32, f32)> = None;
        for j in i + 1..order.len() {
            let (Some(first), Some(last), Some(next)) =
                (order.get(i), chain.last().and_then(|&k| order.get(k)), order.get(j))
            else {
                break;
            };
            let ((from, line), (at, across)) = (place(last), place(next));
            let (distance, step) = (at - from, next.value - last.value);
            if (across - line).abs() > ALIGNED_EM * next.word.size || distance < LEAST_STEP_EM * next.word.size {
                continue;
            }
            let fits = match rhythm {
                None => is_axis(first.value, step),
                Some((gap, by)) => (distance - gap).abs() <= EVEN * gap && (step - by).abs() <= SAME_STEP * by.abs(),
            };
            if !fits {
                break;
            }
            rhythm = rhythm.or(Some((distance, step)));
            chain.push(j);
        }
        if chain.len() >= FEWEST_TICKS {
            let ticks: Vec<&&Tick> = chain.iter().filter_map(|&k| order.get(k)).collect();
            found.push(Axis { ticks: ticks.iter().map(|t| t.index).collect(), upright: false });
            for k in chain {
                if let Some(place) = used.get_mut(k) {
                    *place = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BBox;

    fn page(words: &[(&str, f32, f32)]) -> PageContent {
        let word = |&(text, x1, y): &(&str, f32, f32)| Word {
            text: text.into(),
            bbox: BBox::new(x1 - 5.0 * text.len() as f32, y - 8.0, x1, y + 2.0),
            baseline: y,
            size: 10.0,
            ..Word::default()
        };
        PageContent { words: words.iter().map(word).collect(), ..PageContent::default() }
    }

    fn count(words: &[(&str, f32, f32)]) -> usize {
        let page = page(words);
        axes(&page, &(0..words.len()).collect::<Vec<_>>()).len()
    }

    #[test]
    fn axes_are_even_in_place_and_value() {
        assert_eq!(count(&[("300", 50.0, 10.0), ("200", 50.0, 32.0), ("100", 50.0, 54.0), ("0", 50.0, 76.0)]), 1);
        assert_eq!(count(&[("0", 5.0, 90.0), ("20", 57.5, 90.0), ("40", 107.5, 90.0), ("60", 157.5, 90.0)]), 1);
    }

    #[test]
    fn a_scale_below_bars_is_their_foot() {
        let bars = [("IT", 20.0, 10.0), ("43%", 120.0, 10.0), ("Oil", 20.0, 30.0), ("8%", 60.0, 30.0)];
        let scale = [("0", 40.0, 50.0), ("20", 82.5, 50.0), ("40", 122.5, 50.0), ("60", 162.5, 50.0)];
        let is_foot = |more: &[(&str, f32, f32)]| {
            let page = page(&[&bars[..], &scale[..], more].concat());
            let ticks: Vec<&Word> = page.words[4..8].iter().collect();
            super::is_foot(&ticks, &page.words.iter().collect::<Vec<_>>())
        };
        assert!(is_foot(&[]));
        assert!(!is_foot(&[("Sum", 20.0, 50.0)]));
        assert!(!is_foot(&[("Gas", 20.0, 70.0), ("5%", 60.0, 70.0)]));
    }

    #[test]
    fn columns_of_values_are_no_axes() {
        assert_eq!(count(&[("300", 50.0, 10.0), ("200", 50.0, 32.0), ("90", 50.0, 54.0), ("0", 50.0, 76.0)]), 0);
        assert_eq!(count(&[("300", 50.0, 10.0), ("200", 50.0, 32.0), ("100", 50.0, 60.0), ("0", 50.0, 82.0)]), 0);
        assert_eq!(count(&[("5", 50.0, 10.0), ("4", 50.0, 32.0), ("3", 50.0, 54.0), ("2", 50.0, 76.0)]), 0);
        assert_eq!(
            count(&[("2019", 50.0, 10.0), ("2020", 90.0, 10.0), ("2021", 130.0, 10.0), ("2022", 170.0, 10.0)]),
            0
        );
    }
}
