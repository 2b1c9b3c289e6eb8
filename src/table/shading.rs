//! Lines that are not drawn but shown by shading: where it begins and ends.

use crate::document::BBox;
use crate::pdf::PageContent;
use crate::table::MAJORITY;
use crate::table::rules::{MOST_FILLS, Rules, SNAP, Seg, merge};

/// Shading keeps at most half of this many points from the edge of its cell.
const PADDING: f32 = 12.0;
/// Edges of fills that differ by at most this many points are the same.
const SAME_EDGE: f32 = 1.0;
/// A line that covers at least this fraction of a fill's edge is drawn there already.
const DRAWN: f32 = 0.8;
/// The unshaded row between two stripes is at most this many times as high as a stripe, or as much lower.
const STRIPE_GAP: f32 = 1.6;
/// A fill that covers more than this fraction of the page is its background.
const BACKGROUND: f32 = 0.6;
/// Pieces of one colour that touch each other around at least this fraction of the page are a panel behind its content.
const PANEL: f32 = 0.3;
/// A panel covers at most this fraction of what it surrounds: the rest are the places for text, tables and charts.
const PANEL_COVER: f32 = 0.6;
/// Shading that covers less than this fraction of the rules above and below it marks single cells, not a row.
const ROW_COVER: f32 = 0.6;

type Shade = (BBox, [u8; 3]);

/// Adds the edges of shaded areas where no drawn line is near and where the shading really changes.
///
/// Shading often keeps a distance from the true edge of its cell (it is painted behind the paragraphs). So an edge with a
/// drawn line near it is that line, and two edges that face each other over a narrow gap are one line between them.
pub(crate) fn add_edges(page: &PageContent, rules: &mut Rules) {
    let page_area = page.width * page.height;
    let mut fills: Vec<Shade> = page
        .fills
        .iter()
        .map(|f| (f.bbox, f.rgb))
        .filter(|(b, _)| b.area() < BACKGROUND * page_area && b.height() > SNAP && b.width() > SNAP)
        .take(MOST_FILLS)
        .collect();
    remove_panels(&mut fills, page_area);
    let (horizontal, vertical) = (rules.horizontal.clone(), rules.vertical.clone());
    // Where drawn lines end at an unshaded place, it is undivided on purpose.
    let ends_at = |gap: &BBox| {
        let beside = |v: &&Seg| (v.at - gap.x0).abs() <= PADDING / 2.0 || (v.at - gap.x1).abs() <= PADDING / 2.0;
        vertical.iter().filter(beside).any(|v| v.from < gap.y0 - SNAP && v.to >= gap.y0 - SNAP)
    };
    let columns = fills.iter().copied().chain(stripe_gaps(&fills).into_iter().filter(|(gap, _)| !ends_at(gap)));
    let flipped: Vec<Shade> = columns.map(|(b, c)| (flip(&b), c)).collect();
    // One shading painted line by line has no inner edges; side by side, pieces of one colour are cells.
    let divides = |b: &BBox| !marks_cell(b, &fills, &horizontal);
    add_edges_of(&fills, &divides, &mut rules.horizontal, &vertical, false);
    add_edges_of(&flipped, &|_| true, &mut rules.vertical, &horizontal, true);
}

/// Takes away the pieces of panels: of one colour, touching each other around what stands on the panel.
fn remove_panels(fills: &mut Vec<Shade>, page_area: f32) {
    let mut group: Vec<usize> = (0..fills.len()).collect();
    for (i, (a, colour)) in fills.iter().enumerate() {
        let near = a.expand(1.0);
        let touches = |(b, c): &Shade| c == colour && near.intersection(b).is_some();
        for j in (0..i).filter(|&j| fills.get(j).is_some_and(touches)) {
            let (Some(from), Some(to)) = (group.get(i).copied(), group.get(j).copied()) else { continue };
            if from != to {
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
    }
    let is_panel = |number: usize| {
        let pieces = || fills.iter().zip(&group).filter(|(_, g)| **g == number).map(|((b, _), _)| b);
        let hull = BBox::union_all(pieces()).unwrap_or_default().area();
        hull >= PANEL * page_area && pieces().map(BBox::area).sum::<f32>() <= PANEL_COVER * hull
    };
    let mut panel = group.iter().map(|&g| is_panel(g)).collect::<Vec<_>>().into_iter();
    fills.retain(|_| !panel.next().unwrap_or(false));
}

/// Whether an area shades single cells between two rules that go on beside it, and no row or column name of a table.
fn marks_cell(b: &BBox, fills: &[Shade], drawn: &[Seg]) -> bool {
    let over = |s: &&Seg| s.from <= b.center_x() && b.center_x() <= s.to;
    let above = drawn.iter().filter(over).filter(|s| s.at <= b.y0 + SNAP).max_by(|a, b| a.at.total_cmp(&b.at));
    let below = drawn.iter().filter(over).filter(|s| s.at >= b.y1 - SNAP).min_by(|a, b| a.at.total_cmp(&b.at));
    let (Some(above), Some(below)) = (above, below) else { return false };
    let row = fills.iter().filter(|(o, _)| (o.y0 - b.y0).abs() <= 1.0 && (o.y1 - b.y1).abs() <= 1.0);
    let shaded: f32 = row.map(|(o, _)| above.cover(o.x0, o.x1)).sum();
    shaded < ROW_COVER * above.len().min(below.len())
}

/// The unshaded places of striped tables: where two shaded areas of one colour and extent stand above each other with about
/// one row between them.
fn stripe_gaps(fills: &[Shade]) -> Vec<Shade> {
    let below = |b: &BBox, rgb: &[u8; 3]| {
        let alike = fills
            .iter()
            .filter(|(o, c)| c == rgb && (o.x0 - b.x0).abs() <= SAME_EDGE && (o.x1 - b.x1).abs() <= SAME_EDGE);
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

/// Adds the upper and lower edges of the fills that `divide` to the drawn horizontal lines; `between_equals`, also those
/// between two fills of one colour and extent that touch. Where the lines `across` end at a fill, so does its table.
fn add_edges_of(
    fills: &[Shade],
    divides: &dyn Fn(&BBox) -> bool,
    drawn: &mut Vec<Seg>,
    across: &[Seg],
    between_equals: bool,
) {
    let mut new = Vec::new();
    for (b, rgb) in fills.iter().filter(|(b, _)| divides(b)) {
        for (y, upper) in [(b.y0, true), (b.y1, false)] {
            // Distance to the facing edge of another fill beyond this edge.
            let facing =
                fills.iter().filter(|(o, _)| o.overlap_x(b) > MAJORITY * b.width().min(o.width())).map(|(o, c)| {
                    (
                        if upper { y - o.y1 } else { o.y0 - y },
                        c == rgb && (o.x0 - b.x0).abs() <= SAME_EDGE && (o.x1 - b.x1).abs() <= SAME_EDGE,
                    )
                });
            let nearest =
                facing.filter(|(gap, _)| (-SAME_EDGE..=PADDING).contains(gap)).min_by(|a, b| a.0.total_cmp(&b.0));
            if !between_equals && nearest.is_some_and(|(gap, same)| same && gap <= SAME_EDGE) {
                continue;
            }
            let half = match nearest {
                Some((gap, _)) if !ends(across, b, y, upper, gap) => gap.max(0.0) / 2.0,
                _ => 0.0,
            };
            let at = if upper { y - half } else { y + half };
            let near = drawn.iter().filter(|d| (d.at - y).abs() <= SNAP.max(PADDING / 2.0 + SAME_EDGE));
            if near.map(|d| d.cover(b.x0, b.x1)).sum::<f32>() < DRAWN * b.width() {
                new.push(Seg { at, from: b.x0, to: b.x1 });
            }
        }
    }
    drawn.extend(new);
    *drawn = merge(std::mem::take(drawn));
}

/// Whether lines across end at the edge `y` of a fill, and none goes on over the `gap` beyond it.
fn ends(across: &[Seg], b: &BBox, y: f32, upper: bool, gap: f32) -> bool {
    let (from, to) = if upper { (y - gap, y) } else { (y, y + gap) };
    let beside = || across.iter().filter(|s| s.at >= b.x0 - SNAP && s.at <= b.x1 + SNAP);
    gap > SNAP
        && beside().any(|s| (if upper { s.from - y } else { s.to - y }).abs() <= SNAP / 2.0)
        && !beside().any(|s| s.cover(from, to) > MAJORITY * gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::Fill;
    use crate::table::rules::collect;

    #[test]
    fn one_shading_painted_in_pieces_has_no_inner_edges() {
        let fill = |y: f32| Fill { bbox: BBox::new(10.0, y, 90.0, y + 12.0), rgb: [200, 200, 200] };
        let page =
            PageContent { width: 200.0, height: 200.0, fills: vec![fill(20.0), fill(32.0)], ..PageContent::default() };
        let at: Vec<f32> = collect(&page).horizontal.iter().map(|s| s.at).collect();
        assert_eq!(at, vec![20.0, 44.0]);
    }

    fn seg(at: f32, from: f32, to: f32) -> Seg {
        Seg { at, from, to }
    }

    const GREY: [u8; 3] = [220, 220, 220];

    #[test]
    fn shading_of_a_single_cell_is_no_row() {
        let drawn = [seg(0.0, 0.0, 100.0), seg(60.0, 0.0, 100.0)];
        let cell = (BBox::new(50.0, 20.0, 100.0, 30.0), GREY);
        let beside = (BBox::new(0.0, 20.0, 50.0, 30.0), GREY);
        assert!(marks_cell(&cell.0, &[cell], &drawn));
        assert!(!marks_cell(&cell.0, &[cell, beside], &drawn));
        assert!(!marks_cell(&cell.0, &[cell], &drawn[..1]));
    }

    #[test]
    fn headers_of_tables_side_by_side_keep_their_own_edges() {
        let fills = [(BBox::new(0.0, 10.0, 10.0, 50.0), GREY), (BBox::new(0.0, 58.0, 10.0, 98.0), GREY)];
        let at = |across: &[Seg]| {
            let mut drawn = Vec::new();
            add_edges_of(&fills, &|_| true, &mut drawn, across, true);
            drawn.iter().map(|s| s.at).collect::<Vec<_>>()
        };
        assert_eq!(at(&[seg(10.0, 10.0, 50.0), seg(10.0, 58.0, 98.0)]), [10.0, 50.0, 58.0, 98.0]);
        assert_eq!(at(&[seg(10.0, 10.0, 98.0)]), [10.0, 54.0, 98.0]);
    }

    #[test]
    fn panels_are_no_cells_and_stripes_stay() {
        let frame =
            [[0.0, 0.0, 100.0, 10.0], [0.0, 10.0, 10.0, 80.0], [90.0, 10.0, 100.0, 80.0], [0.0, 80.0, 100.0, 90.0]];
        let mut fills: Vec<Shade> = frame.iter().map(|[a, b, c, d]| (BBox::new(*a, *b, *c, *d), GREY)).collect();
        fills.push((BBox::new(20.0, 20.0, 80.0, 30.0), GREY));
        remove_panels(&mut fills, 100.0 * 100.0);
        assert_eq!(fills, [(BBox::new(20.0, 20.0, 80.0, 30.0), GREY)]);
    }
}
