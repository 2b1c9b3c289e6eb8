//! Reading order: a page is cut along its widest runs of white space into columns.
//!
//! Before columns are known, text is in lines and tables and pictures are blocks. A *gutter* is a strip of white space
//! with text on both sides over several lines. The tallest gutter cuts its part of the page into what is above, left,
//! right and below, and each of these is cut again; so one, two and three columns and elements that span them may follow
//! each other on one page.

use crate::document::BBox;

use super::lines::Line;

/// A gutter is at least this many font sizes wide.
const GUTTER_EM: f32 = 0.55;
/// Text may reach into a gutter by this many font sizes (hanging punctuation, slanted letters).
const HANGING_EM: f32 = 0.1;
/// A gutter beside fewer lines than [`TALL_LINES`] is at least this many font sizes wide.
const SHORT_GUTTER_EM: f32 = 1.5;
/// A gutter is wider than the usual space of a row by this factor; a row with fewer spaces shows no usual one.
const WIDER: f32 = 1.4;
const FEWEST_SPACES: usize = 3;
/// Lines beside each other that make a gutter tall.
const TALL_LINES: f32 = 6.0;
/// Lines beside each other that a gutter needs at least.
const FEWEST_LINES: f32 = 2.0;
/// Distance between baselines in font sizes, as long as nothing is known of it.
const PITCH_EM: f32 = 1.2;
/// How deep columns nest; deeper pages are read from top to bottom.
const DEEPEST: usize = 24;
/// More things on a page than this are noise, read from top to bottom.
const MOST_ITEMS: usize = 6_000;
/// Places tried for a gutter.
const MOST_PLACES: usize = 240;

/// What is put in order.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A piece of text.
    Line(Line),
    /// A table or picture: an index into the page's floats.
    Float(usize, BBox),
}

impl Item {
    fn bbox(&self) -> &BBox {
        match self {
            Item::Line(line) => &line.bbox,
            Item::Float(_, bbox) => bbox,
        }
    }

    fn is_float(&self) -> bool {
        matches!(self, Item::Float(..))
    }
}

/// Sorts the items of a page into columns, each from top to bottom, in reading order. `em` is the usual font size.
pub(crate) fn columns(items: Vec<Item>, em: f32) -> Vec<Vec<Item>> {
    let mut out = Vec::new();
    cut(items, em.max(1.0), 0, &mut out);
    out
}

fn cut(mut items: Vec<Item>, em: f32, depth: usize, out: &mut Vec<Vec<Item>>) {
    if items.is_empty() {
        return;
    }
    items.sort_by(|a, b| a.bbox().center_y().total_cmp(&b.bbox().center_y()));
    let gutter = if depth < DEEPEST && items.len() <= MOST_ITEMS { best_gutter(&items, em) } else { None };
    let Some(gutter) = gutter else {
        out.push(items);
        return;
    };
    let below = items.split_off(gutter.end);
    let beside = items.split_off(gutter.start);
    let (left, right) = beside.into_iter().partition(|i| i.bbox().center_x() < gutter.x);
    for part in [items, left, right, below] {
        cut(part, em, depth + 1, out);
    }
}

/// White space at `x` beside the items `start..end`, sorted from top to bottom.
#[derive(Clone, Copy, Debug)]
struct Gutter {
    x: f32,
    start: usize,
    end: usize,
    /// Height over which there is something on both sides.
    height: f32,
    width: f32,
}

fn best_gutter(items: &[Item], em: f32) -> Option<Gutter> {
    let mut places: Vec<f32> = items.iter().map(|i| i.bbox().x1).collect();
    // Of edges that nearly agree the last counts: the gutter is to the right of all of them.
    places.sort_by(|a, b| b.total_cmp(a));
    places.dedup_by(|a, b| (*a - *b).abs() < 1.0);
    let step = places.len().div_ceil(MOST_PLACES).max(1);
    let mut best: Option<Gutter> = None;
    for &place in places.iter().step_by(step) {
        for run in runs(items, place, em) {
            // Of gutters about as tall the widest is the main one.
            let better = best
                .is_none_or(|b| run.height > 1.1 * b.height || (run.height > 0.9 * b.height && run.width > b.width));
            if better {
                best = Some(run);
            }
        }
    }
    best
}

/// The gutters that start at `place` on the x axis: runs of items that leave it free.
fn runs(items: &[Item], place: f32, em: f32) -> Vec<Gutter> {
    let (from, to) = (place + HANGING_EM * em, place + GUTTER_EM * em);
    let mut found = Vec::new();
    let mut start = 0;
    for end in 0..=items.len() {
        let crossing = items.get(end).is_none_or(|i| i.bbox().x0 < to && i.bbox().x1 > from);
        if crossing {
            found.extend(items.get(start..end).and_then(|run| gutter(run, start, place, em)));
            start = end + 1;
        }
    }
    found
}

/// Judges a run of items that leave `x` free; `offset` is the index of its first one.
fn gutter(run: &[Item], offset: usize, x: f32, em: f32) -> Option<Gutter> {
    let is_left = |i: &Item| i.bbox().center_x() < x;
    let mut start = 0;
    let mut end = run.len();
    // Something on the right alone, above both columns (a date, a head), is read before them.
    let lead = run.iter().take_while(|i| !is_left(i)).count();
    let first_left = run.get(lead)?;
    while start < lead && run.get(start).is_some_and(|i| i.bbox().y1 < first_left.bbox().y0 + 0.1 * em) {
        start += 1;
    }
    let inner = run.get(start..end)?;
    let extent = |left: bool| BBox::union_all(inner.iter().filter(|i| is_left(i) == left).map(Item::bbox));
    let (left, right) = (extent(true)?, extent(false)?);
    // What stands far below the shorter right column at the left (a note over the page's width) comes after both.
    while end > start + 1 {
        let (Some(last), Some(before)) = (run.get(end - 1), run.get(end - 2)) else { break };
        let below = is_left(last) && last.bbox().y0 > right.y1 && last.bbox().y0 - before.bbox().y1 > 2.0 * em;
        if !below {
            break;
        }
        end -= 1;
    }
    let inner = run.get(start..end)?;
    let height = left.y1.min(right.y1) - left.y0.max(right.y0);
    let width = right.x0 - left.x1;
    let lines = height / (PITCH_EM * em);
    let tall_enough = lines >= FEWEST_LINES - 0.4
        && (lines >= TALL_LINES || width >= SHORT_GUTTER_EM * em)
        && [true, false].into_iter().all(|side| {
            let count = inner.iter().filter(|i| is_left(i) == side).count();
            count >= 2 || inner.iter().any(|i| is_left(i) == side && i.is_float())
        });
    let shape = tall_enough && is_columns(inner, x, &left, &right, em) && is_wider_than_spaces(inner, x, em);
    shape.then_some(Gutter { x, start: offset + start, end: offset + end, height, width })
}

/// Whether what stands beside the gutter is read column by column: not the markers of a list, not names with their values.
fn is_columns(run: &[Item], x: f32, left: &BBox, right: &BBox, em: f32) -> bool {
    if run.iter().any(Item::is_float) {
        return left.width() > 4.0 * em && right.width() > 4.0 * em;
    }
    let (lefts, rights) = (Rows::of(run, em, |b| b.center_x() < x), Rows::of(run, em, |b| b.center_x() >= x));
    let beside = lefts.baselines.iter().filter(|&&b| rights.has(b, 0.3 * em)).count();
    let level = beside as f32 > 0.8 * lefts.count();
    let markers = (lefts.chars as f32) < 6.0 * lefts.count();
    let ragged = lefts.filled(left) < 0.6 || rights.filled(right) < 0.6;
    !(level && (markers || (ragged && lefts.count() <= 1.1 * rights.count())))
}

/// Whether white space at `x` is wider than the spaces between the words of the rows that it cuts; in text that is set wide
/// they may stand below each other by chance.
fn is_wider_than_spaces(run: &[Item], x: f32, em: f32) -> bool {
    let mut lines: Vec<&Line> =
        run.iter().filter_map(|item| if let Item::Line(line) = item { Some(line) } else { None }).collect();
    lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let (mut cut, mut wider) = (0_usize, 0_usize);
    for row in lines.chunk_by(|a, b| b.baseline - a.baseline <= 0.3 * em) {
        let mut words: Vec<BBox> = row.iter().flat_map(|l| l.words.iter().map(|w| w.bbox)).collect();
        words.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let gaps =
            words.iter().zip(words.iter().skip(1)).map(|(a, b)| (b.x0 - a.x1, a.center_x() < x && b.center_x() >= x));
        let (mut spaces, mut gap) = (Vec::new(), None);
        for (width, here) in gaps.filter(|(width, _)| *width > 0.1 * em) {
            if here {
                gap = Some(width);
            } else {
                spaces.push(width);
            }
        }
        let Some(gap) = gap.filter(|_| spaces.len() >= FEWEST_SPACES) else { continue };
        spaces.sort_by(f32::total_cmp);
        let usual = spaces.get(spaces.len() / 2).copied().unwrap_or(0.0);
        cut += 1;
        wider += usize::from(gap > WIDER * usual);
    }
    2 * wider >= cut
}

/// The rows of text on one side of a gutter, however many pieces they are in.
struct Rows {
    /// Ascending.
    baselines: Vec<f32>,
    chars: usize,
    /// Sum of the rows' widths.
    width: f32,
}

impl Rows {
    fn of(run: &[Item], em: f32, side: impl Fn(&BBox) -> bool) -> Self {
        let mut lines: Vec<&Line> = run
            .iter()
            .filter_map(|item| match item {
                Item::Line(line) if side(&line.bbox) => Some(line),
                _ => None,
            })
            .collect();
        lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
        let chars = lines.iter().map(|l| l.chars()).sum();
        let mut rows: Vec<(f32, f32, f32)> = Vec::new();
        for line in lines {
            match rows.last_mut() {
                Some((baseline, x0, x1)) if line.baseline - *baseline <= 0.3 * em => {
                    (*x0, *x1) = (x0.min(line.bbox.x0), x1.max(line.bbox.x1));
                }
                _ => rows.push((line.baseline, line.bbox.x0, line.bbox.x1)),
            }
        }
        let width = rows.iter().map(|(_, x0, x1)| x1 - x0).sum();
        Self { baselines: rows.into_iter().map(|(baseline, ..)| baseline).collect(), chars, width }
    }

    fn count(&self) -> f32 {
        self.baselines.len().max(1) as f32
    }

    /// Whether there is a row at this height.
    fn has(&self, baseline: f32, tolerance: f32) -> bool {
        let next = self.baselines.partition_point(|&b| b < baseline - tolerance);
        self.baselines.get(next).is_some_and(|&b| b <= baseline + tolerance)
    }

    /// Mean share of the column's width that a row fills.
    fn filled(&self, column: &BBox) -> f32 {
        self.width / (self.count() * column.width().max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::{cut, set};
    use super::*;

    /// The texts of the columns of lines set at (x, baseline) in 10 points.
    fn order(lines: &[(&str, f32, f32)]) -> Vec<String> {
        let words = lines.iter().flat_map(|(text, x, y)| set(text, *x, *y, 10.0)).collect();
        let items = cut(words).into_iter().map(Item::Line).collect();
        let text = |i: &Item| match i {
            Item::Line(l) => l.text(),
            Item::Float(..) => String::new(),
        };
        columns(items, 10.0).iter().map(|c| c.iter().map(text).collect::<Vec<_>>().join("/")).collect()
    }

    #[test]
    fn a_head_spans_two_columns() {
        let wide = "a title that goes over the width of both of the columns below";
        let (l, r) = ("left column text here", "right column text so");
        let lines = [
            (wide, 50.0, 80.0),
            (l, 50.0, 110.0),
            (r, 220.0, 110.0),
            (l, 50.0, 122.0),
            (r, 220.0, 122.0),
            (l, 50.0, 134.0),
            (r, 220.0, 134.0),
        ];
        assert_eq!(order(&lines), [wide.to_owned(), [l, l, l].join("/"), [r, r, r].join("/")]);
    }

    #[test]
    fn a_spanning_line_parts_two_pairs_of_columns() {
        let wide = "a line that goes over the width of both of the columns here";
        let mut lines = Vec::new();
        for (band, top) in [("a", 100.0), ("b", 180.0)] {
            for row in 0..4 {
                let y = top + 12.0 * row as f32;
                lines.push((if band == "a" { "upper left text" } else { "lower left text" }, 50.0, y));
                lines.push((if band == "a" { "upper right text" } else { "lower right text" }, 220.0, y));
            }
        }
        lines.push((wide, 50.0, 160.0));
        let four = |t: &str| [t; 4].join("/");
        let expected = [
            four("upper left text"),
            four("upper right text"),
            wide.into(),
            four("lower left text"),
            four("lower right text"),
        ];
        assert_eq!(order(&lines), expected);
    }

    #[test]
    fn wide_spaces_below_each_other_are_no_gutter() {
        // Eight words a row, ten points wide each, six points apart: more than half a font size.
        let word = |i: usize, y: f32| set("ab", 50.0 + 16.0 * i as f32, y, 10.0);
        let words = (0..8).flat_map(|row| (0..8).flat_map(move |i| word(i, 100.0 + 12.0 * row as f32))).collect();
        let items: Vec<Item> = cut(words).into_iter().map(Item::Line).collect();
        assert_eq!(items.len(), 64);
        assert_eq!(columns(items, 10.0).len(), 1);
    }

    #[test]
    fn list_markers_are_no_column() {
        let lines = [
            ("1.", 50.0, 100.0),
            ("the first item of a list", 70.0, 100.0),
            ("2.", 50.0, 112.0),
            ("the second item of it", 70.0, 112.0),
            ("3.", 50.0, 124.0),
            ("the third and last item", 70.0, 124.0),
        ];
        assert_eq!(order(&lines).len(), 1);
    }

    #[test]
    fn pictures_beside_each_other_keep_their_captions() {
        let at = |x: f32| BBox::new(x, 100.0, x + 150.0, 200.0);
        let mut items = vec![Item::Float(0, at(50.0)), Item::Float(1, at(230.0))];
        let captions = [("Figure 1. One", 50.0), ("Figure 2. Two", 230.0)];
        let words = captions.iter().flat_map(|(text, x)| set(text, *x, 212.0, 10.0)).collect();
        items.extend(cut(words).into_iter().map(Item::Line));
        let columns = columns(items, 10.0);
        assert_eq!(columns.len(), 2);
        assert!(matches!(columns[0][..], [Item::Float(0, _), Item::Line(_)]));
    }
}
