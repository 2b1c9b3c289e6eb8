//! Drawn lines of a page, made comparable: collinear pieces merged, edges of shading added.

use crate::pdf::PageContent;
use crate::table::{boxes, shading};

/// Rules whose axes lie closer than this many points are one line: double rules and the two edges of a thin box.
pub(crate) const SNAP: f32 = 3.0;
/// Collinear pieces are joined over gaps of at most this many points: dashes, dots and rounding at crossings.
const JOIN: f32 = 4.0;
/// A dot counts as a line of this many points where the axis of several pieces is found.
const DOT: f32 = 0.1;
/// Rules may leave out the space between columns, at most this many points.
const BRIDGE: f32 = 16.0;
/// From this many lines on that leave out the same space, it is that between columns.
const FEWEST_GAPS: usize = 3;
/// Lines shorter than this many points after joining separate no cells: ticks, minus signs, bullets.
const SHORTEST: f32 = 6.0;
/// More lines than this on a page are a map or a drawing; looking for cells in them would cost quadratic time.
const MOST: usize = 4000;
/// More shaded areas than this on a page are a drawing.
pub(crate) const MOST_FILLS: usize = 2000;

/// A line along one axis: at `at` across, from `from` to `to` along, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seg {
    /// Position across the line.
    pub at: f32,
    /// Start along the line.
    pub from: f32,
    /// End along the line.
    pub to: f32,
}

impl Seg {
    /// Length of the part that lies within `from..to`.
    pub(crate) fn cover(&self, from: f32, to: f32) -> f32 {
        (self.to.min(to) - self.from.max(from)).max(0.0)
    }

    /// Length in points.
    pub(crate) fn len(&self) -> f32 {
        self.to - self.from
    }
}

/// The lines of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Horizontal lines: `at` is y.
    pub horizontal: Vec<Seg>,
    /// Vertical lines: `at` is x.
    pub vertical: Vec<Seg>,
}

/// All lines of the page that could bound cells.
pub(crate) fn collect(page: &PageContent) -> Rules {
    let (mut horizontal, mut vertical) = (Vec::new(), Vec::new());
    for rule in page.rules.iter().take(16 * MOST) {
        let b = rule.bbox;
        if ![b.x0, b.y0, b.x1, b.y1].iter().all(|v| v.is_finite()) {
            continue;
        }
        if rule.horizontal {
            horizontal.push(Seg { at: b.center_y(), from: b.x0, to: b.x1 });
        } else {
            vertical.push(Seg { at: b.center_x(), from: b.y0, to: b.y1 });
        }
    }
    boxes::remove(&mut horizontal, &mut vertical);
    let mut rules = Rules { horizontal: merge(horizontal), vertical: merge(vertical) };
    shading::add_edges(page, &mut rules);
    for segs in [&mut rules.horizontal, &mut rules.vertical] {
        segs.retain(|s| s.len() >= SHORTEST);
        if segs.len() > MOST {
            segs.clear();
        }
    }
    rules
}

/// Snaps axes that are close together and joins pieces of the same line.
pub(crate) fn merge(mut segs: Vec<Seg>) -> Vec<Seg> {
    segs.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut out: Vec<Seg> = Vec::new();
    let mut rest = segs.as_slice();
    while let Some(first) = rest.first() {
        let end = rest.iter().take_while(|s| s.at - first.at <= SNAP).count();
        let (group, tail) = rest.split_at(end);
        rest = tail;
        let length: f32 = group.iter().map(|s| s.len().max(DOT)).sum();
        let at = group.iter().map(|s| s.at * s.len().max(DOT)).sum::<f32>() / length;
        let mut group = group.to_vec();
        group.sort_by(|a, b| a.from.total_cmp(&b.from));
        let start = out.len();
        for s in group {
            match out.get_mut(start..).and_then(<[Seg]>::last_mut) {
                Some(last) if s.from - last.to <= JOIN => last.to = last.to.max(s.to),
                _ => out.push(Seg { at, ..s }),
            }
        }
    }
    out
}

/// The horizontal lines, pieces joined over gaps that several lines have in common: the space between columns.
pub(crate) fn bridge(segs: &[Seg]) -> Vec<Seg> {
    let gap = |pair: &[Seg]| match pair {
        [a, b] if a.at == b.at && b.from - a.to <= BRIDGE => Some((a.to, b.from)),
        _ => None,
    };
    let gaps: Vec<(f32, f32)> = segs.windows(2).filter_map(gap).collect();
    let same = |a: &(f32, f32), b: &(f32, f32)| (a.0 - b.0).abs() <= SNAP && (a.1 - b.1).abs() <= SNAP;
    let common = |g: &(f32, f32)| gaps.iter().filter(|o| same(g, o)).count() >= FEWEST_GAPS;
    let mut out: Vec<Seg> = Vec::with_capacity(segs.len());
    for seg in segs {
        match out.last_mut() {
            Some(last) if gap(&[*last, *seg]).is_some_and(|g| common(&g)) => last.to = seg.to,
            _ => out.push(*seg),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BBox;
    use crate::pdf::Rule;

    #[test]
    fn joins_dashes_and_double_rules() {
        let dash = |x: f32, y: f32| Rule { bbox: BBox::new(x, y, x + 2.0, y), width: 0.5, horizontal: true };
        let page = PageContent {
            width: 200.0,
            height: 200.0,
            rules: (0..20).flat_map(|i| [dash(4.0 * i as f32, 50.0), dash(4.0 * i as f32, 52.0)]).collect(),
            ..PageContent::default()
        };
        let rules = collect(&page);
        assert_eq!(rules.horizontal, vec![Seg { at: 51.0, from: 0.0, to: 78.0 }]);
    }

    #[test]
    fn gaps_between_columns_are_bridged_where_lines_share_them() {
        let line = |at: f32, cut: f32| [Seg { at, from: 0.0, to: cut }, Seg { at, from: cut + 10.0, to: 100.0 }];
        let mut segs: Vec<Seg> = [10.0, 20.0, 30.0].iter().flat_map(|at| line(*at, 40.0)).collect();
        segs.extend(line(40.0, 70.0));
        let whole = |at: f32| Seg { at, from: 0.0, to: 100.0 };
        let mut expected = vec![whole(10.0), whole(20.0), whole(30.0)];
        expected.extend(line(40.0, 70.0));
        assert_eq!(bridge(&segs), expected);
    }
}
