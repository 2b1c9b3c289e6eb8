//! Drawn lines of a page, made comparable: collinear pieces merged, edges of shading added.

use crate::document::BBox;
use crate::pdf::PageContent;
use crate::table::boxes;

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
/// Shading keeps at most half of this many points from the edge of its cell.
const PADDING: f32 = 12.0;
/// The unshaded row between two stripes is at most this many times as high as a stripe, or as much lower.
const STRIPE_GAP: f32 = 1.6;
/// A fill that covers more than this fraction of the page is its background.
const BACKGROUND: f32 = 0.6;

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
    add_fill_edges(page, &mut rules);
    for segs in [&mut rules.horizontal, &mut rules.vertical] {
        segs.retain(|s| s.len() >= SHORTEST);
        if segs.len() > MOST {
            segs.clear();
        }
    }
    rules
}

/// Adds the edges of shaded areas where no drawn line is near and where the shading really changes.
///
/// Shading often keeps a distance from the true edge of its cell (it is painted behind the paragraphs). So an edge with a
/// drawn line near it is that line, and two edges that face each other over a narrow gap are one line between them.
fn add_fill_edges(page: &PageContent, rules: &mut Rules) {
    let page_area = page.width * page.height;
    let fills: Vec<(BBox, [u8; 3])> = page
        .fills
        .iter()
        .map(|f| (f.bbox, f.rgb))
        .filter(|(b, _)| b.area() < BACKGROUND * page_area && b.height() > SNAP && b.width() > SNAP)
        .take(MOST_FILLS)
        .collect();
    // Where drawn lines end at an unshaded place, it is undivided on purpose.
    let ends_at = |gap: &BBox| {
        let beside = |v: &&Seg| (v.at - gap.x0).abs() <= PADDING / 2.0 || (v.at - gap.x1).abs() <= PADDING / 2.0;
        rules.vertical.iter().filter(beside).any(|v| v.from < gap.y0 - SNAP && v.to >= gap.y0 - SNAP)
    };
    let columns = fills.iter().copied().chain(stripe_gaps(&fills).into_iter().filter(|(gap, _)| !ends_at(gap)));
    let flipped: Vec<(BBox, [u8; 3])> = columns.map(|(b, c)| (flip(&b), c)).collect();
    // One shading painted line by line has no inner edges; side by side, pieces of one colour are cells.
    add_edges(&fills, &mut rules.horizontal, false);
    add_edges(&flipped, &mut rules.vertical, true);
}

/// The unshaded places of striped tables: where two shaded areas of one colour and extent stand above each other with about
/// one row between them.
fn stripe_gaps(fills: &[(BBox, [u8; 3])]) -> Vec<(BBox, [u8; 3])> {
    let below = |b: &BBox, rgb: &[u8; 3]| {
        let alike = fills.iter().filter(|(o, c)| c == rgb && (o.x0 - b.x0).abs() <= 1.0 && (o.x1 - b.x1).abs() <= 1.0);
        alike.map(|(o, _)| o.y0).filter(|y| *y > b.y1 + SNAP).fold(f32::INFINITY, f32::min)
    };
    let gaps = fills.iter().map(|(b, rgb)| (BBox { y0: b.y1, y1: below(b, rgb), ..*b }, b.height(), *rgb));
    gaps.filter(|(gap, height, _)| (height / STRIPE_GAP..=height * STRIPE_GAP).contains(&gap.height()))
        .map(|(gap, _, rgb)| (gap, rgb))
        .collect()
}

/// Exchanges x and y.
fn flip(b: &BBox) -> BBox {
    BBox { x0: b.y0, y0: b.x0, x1: b.y1, y1: b.x1 }
}

/// Adds the upper and lower edges of the fills to the drawn horizontal lines; `between_equals`, also those between two
/// fills of one colour and extent that touch.
fn add_edges(fills: &[(BBox, [u8; 3])], drawn: &mut Vec<Seg>, between_equals: bool) {
    let mut new = Vec::new();
    for (b, rgb) in fills {
        for (y, upper) in [(b.y0, true), (b.y1, false)] {
            // Distance to the facing edge of another fill beyond this edge.
            let facing = fills.iter().filter(|(o, _)| o.overlap_x(b) > 0.5 * b.width().min(o.width())).map(|(o, c)| {
                (
                    if upper { y - o.y1 } else { o.y0 - y },
                    c == rgb && (o.x0 - b.x0).abs() <= 1.0 && (o.x1 - b.x1).abs() <= 1.0,
                )
            });
            let nearest = facing.filter(|(gap, _)| (-1.0..=PADDING).contains(gap)).min_by(|a, b| a.0.total_cmp(&b.0));
            if !between_equals && nearest.is_some_and(|(gap, same)| same && gap <= 1.0) {
                continue;
            }
            let half = nearest.map_or(0.0, |(gap, _)| gap.max(0.0) / 2.0);
            let at = if upper { y - half } else { y + half };
            let near = drawn.iter().filter(|d| (d.at - y).abs() <= SNAP.max(PADDING / 2.0 + 1.0));
            if near.map(|d| d.cover(b.x0, b.x1)).sum::<f32>() < 0.8 * b.width() {
                new.push(Seg { at, from: b.x0, to: b.x1 });
            }
        }
    }
    drawn.extend(new);
    *drawn = merge(std::mem::take(drawn));
}

/// Snaps axes that are close together and joins pieces of the same line.
fn merge(mut segs: Vec<Seg>) -> Vec<Seg> {
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
    use crate::pdf::{Fill, Rule};

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
    fn one_shading_painted_in_pieces_has_no_inner_edges() {
        let fill = |y: f32| Fill { bbox: BBox::new(10.0, y, 90.0, y + 12.0), rgb: [200, 200, 200] };
        let page =
            PageContent { width: 200.0, height: 200.0, fills: vec![fill(20.0), fill(32.0)], ..PageContent::default() };
        let at: Vec<f32> = collect(&page).horizontal.iter().map(|s| s.at).collect();
        assert_eq!(at, vec![20.0, 44.0]);
    }
}
