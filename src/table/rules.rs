//! Drawn lines of a page, made comparable: collinear pieces merged, edges of shading added.

use crate::pdf::PageContent;
use crate::table::{boxes, shading};

/// Rules whose axes lie closer than this many points are one line: double rules and the two edges of a thin box.
pub(crate) const SNAP: f32 = 3.0;
/// Collinear pieces are joined over gaps of at most this many points: dashes, dots and rounding at crossings.
const JOIN: f32 = 4.0;
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
        let length: f32 = group.iter().map(|s| s.len().max(0.1)).sum();
        let at = group.iter().map(|s| s.at * s.len().max(0.1)).sum::<f32>() / length;
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
}
