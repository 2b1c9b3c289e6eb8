//! Cells as minimal closed regions of crossing rules.

use crate::document::BBox;
use crate::table::rules::{Rules, SNAP, Seg};

/// Lines meet where one ends at most this many points short of the other.
const TOUCH: f32 = 4.0;
/// A cell edge counts as drawn where rules cover at least this fraction of it.
const DRAWN: f32 = 0.6;
/// A lattice with more lines than this in one direction is a drawing or graph paper.
const MOST_LINES: usize = 250;

/// A full-width row that no line divides, such as the name of a section, is at most this many points high.
const SECTION_HEIGHT: f32 = 24.0;

/// Rules that hang together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Component {
    /// Horizontal lines.
    pub horizontal: Vec<Seg>,
    /// Vertical lines.
    pub vertical: Vec<Seg>,
}

impl Component {
    /// The box around all lines.
    pub(crate) fn hull(&self) -> BBox {
        let h = self.horizontal.iter().map(|s| BBox { x0: s.from, y0: s.at, x1: s.to, y1: s.at });
        let v = self.vertical.iter().map(|s| BBox { x0: s.at, y0: s.from, x1: s.at, y1: s.to });
        let boxes: Vec<BBox> = h.chain(v).collect();
        BBox::union_all(&boxes).unwrap_or_default()
    }
}

/// A cell of a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// First row.
    pub row: usize,
    /// First column.
    pub col: usize,
    /// Rows covered.
    pub rowspan: usize,
    /// Columns covered.
    pub colspan: usize,
}

/// Edges of columns and rows, and the cells between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lattice {
    /// Column edges, ascending.
    pub xs: Vec<f32>,
    /// Row edges, ascending.
    pub ys: Vec<f32>,
    /// Cells that cover each place once.
    pub cells: Vec<Region>,
}

/// Groups the rules into sets that touch each other.
pub(crate) fn components(rules: &Rules) -> Vec<Component> {
    let (h, v) = (&rules.horizontal, &rules.vertical);
    let mut sets = Sets::new(h.len() + v.len());
    for (i, a) in h.iter().enumerate() {
        for (j, b) in v.iter().enumerate() {
            let meets = |a: &Seg, b: &Seg| b.at >= a.from - TOUCH && b.at <= a.to + TOUCH;
            if meets(a, b) && meets(b, a) {
                sets.join(i, h.len() + j);
            }
        }
    }
    let mut slots: Vec<Option<usize>> = vec![None; h.len() + v.len()];
    let mut out: Vec<Component> = Vec::new();
    for index in 0..h.len() + v.len() {
        let root = sets.root(index);
        let Some(slot) = slots.get_mut(root) else { continue };
        let at = *slot.get_or_insert_with(|| {
            out.push(Component::default());
            out.len() - 1
        });
        let Some(component) = out.get_mut(at) else { continue };
        match index.checked_sub(h.len()) {
            None => component.horizontal.extend(h.get(index)),
            Some(j) => component.vertical.extend(v.get(j)),
        }
    }
    out
}

/// The components that may be grids. Those that stand directly above each other, of one width and with the same columns, are
/// joined: between them is a row that no line divides. `is_row` says whether the area between holds a row's text.
pub(crate) fn join_sections(components: Vec<Component>, is_row: &dyn Fn(&BBox) -> bool) -> Vec<Component> {
    let mut rest: Vec<(BBox, Component)> = components
        .into_iter()
        .filter(|c| c.horizontal.len() >= 2 && !c.vertical.is_empty())
        .map(|c| (c.hull(), c))
        .collect();
    rest.sort_by(|a, b| a.0.y0.total_cmp(&b.0.y0));
    let mut out: Vec<(BBox, Component)> = Vec::new();
    for (hull, next) in rest {
        let above = out.iter_mut().find(|(over, c)| {
            let gap = BBox { y0: over.y1, y1: hull.y0, ..hull };
            (over.x0 - hull.x0).abs() <= TOUCH
                && (over.x1 - hull.x1).abs() <= TOUCH
                && (SNAP..=SECTION_HEIGHT).contains(&gap.height())
                && same_columns(c, &next)
                && is_row(&gap)
        });
        match above {
            Some((over, c)) => {
                *over = over.union(&hull);
                c.horizontal.extend(next.horizontal);
                c.vertical.extend(next.vertical);
            }
            None => out.push((hull, next)),
        }
    }
    out.into_iter().map(|(_, c)| c).collect()
}

/// Whether every vertical line of the one with fewer is one of the other.
fn same_columns(a: &Component, b: &Component) -> bool {
    let (few, many) = if a.vertical.len() <= b.vertical.len() { (a, b) } else { (b, a) };
    few.vertical.iter().all(|s| many.vertical.iter().any(|o| (o.at - s.at).abs() <= TOUCH))
}

/// The cells that the lines bound. Outer borders may be missing: a line that sticks out makes a further, open cell.
pub(crate) fn lattice(component: &Component) -> Option<Lattice> {
    let (h, v) = (&component.horizontal, &component.vertical);
    let xs = edges(v, h);
    let ys = edges(h, v);
    if xs.len() < 2 || ys.len() < 2 || xs.len() > MOST_LINES || ys.len() > MOST_LINES {
        return None;
    }
    let (cols, rows) = (xs.len() - 1, ys.len() - 1);
    let right = drawn(&xs, &ys, v); // right[c][r]: the line at xs[c] beside row r
    let below = drawn(&ys, &xs, h);
    let is = |m: &[Vec<bool>], i: usize, j: usize| m.get(i).and_then(|l| l.get(j)).copied().unwrap_or(true);
    let mut sets = Sets::new(rows * cols);
    for r in 0..rows {
        for c in 0..cols {
            if c + 1 < cols && !is(&right, c + 1, r) {
                sets.join(r * cols + c, r * cols + c + 1);
            }
            if r + 1 < rows && !is(&below, r + 1, c) {
                sets.join(r * cols + c, (r + 1) * cols + c);
            }
        }
    }
    let mut taken = vec![false; rows * cols];
    let mut cells = Vec::new();
    for r in 0..rows {
        for c in 0..cols {
            if taken.get(r * cols + c).copied().unwrap_or(true) {
                continue;
            }
            let root = sets.root(r * cols + c);
            let mut free = |row: usize, col: usize| {
                taken.get(row * cols + col) == Some(&false) && sets.root(row * cols + col) == root
            };
            // The widest run, then as many full runs below it: an L-shaped region becomes several rectangles.
            let colspan = (c..cols).take_while(|&col| free(r, col)).count();
            let rowspan = (r..rows).take_while(|&row| (c..c + colspan).all(|col| free(row, col))).count();
            for row in r..r + rowspan {
                for col in c..c + colspan {
                    if let Some(t) = taken.get_mut(row * cols + col) {
                        *t = true;
                    }
                }
            }
            cells.push(Region { row: r, col: c, rowspan, colspan });
        }
    }
    Some(Lattice { xs, ys, cells })
}

/// Distinct positions of `lines`, and of the open ends of the lines across them.
fn edges(lines: &[Seg], across: &[Seg]) -> Vec<f32> {
    let mut at: Vec<f32> = lines.iter().map(|s| s.at).collect();
    at.sort_by(f32::total_cmp);
    at.dedup_by(|b, a| *b - *a <= SNAP);
    let (Some(first), Some(last)) = (at.first().copied(), at.last().copied()) else { return at };
    let open = |ends: Vec<f32>| (ends.len() >= 2).then(|| super::text::median(ends));
    // An open side needs two lines that stick out: one alone is a rule that is drawn too long.
    if let Some(x) = open(across.iter().map(|s| s.from).filter(|x| *x < first - 2.0 * TOUCH).collect()) {
        at.insert(0, x);
    }
    if let Some(x) = open(across.iter().map(|s| s.to).filter(|x| *x > last + 2.0 * TOUCH).collect()) {
        at.push(x);
    }
    at
}

/// For every line position and every interval across whether rules cover the edge.
fn drawn(lines: &[f32], across: &[f32], segs: &[Seg]) -> Vec<Vec<bool>> {
    lines
        .iter()
        .map(|at| {
            let here: Vec<&Seg> = segs.iter().filter(|s| (s.at - at).abs() <= SNAP).collect();
            across
                .windows(2)
                .map(|w| match w {
                    [from, to] => here.iter().map(|s| s.cover(*from, *to)).sum::<f32>() >= DRAWN * (to - from),
                    _ => false,
                })
                .collect()
        })
        .collect()
}

/// Disjoint sets with path halving.
struct Sets(Vec<usize>);

impl Sets {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn root(&mut self, mut i: usize) -> usize {
        while let Some(&up) = self.0.get(i).filter(|up| **up != i) {
            let over = self.0.get(up).copied().unwrap_or(up);
            if let Some(place) = self.0.get_mut(i) {
                *place = over;
            }
            i = over;
        }
        i
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(place) = self.0.get_mut(a.max(b)) {
            *place = a.min(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seg(at: f32, from: f32, to: f32) -> Seg {
        Seg { at, from, to }
    }

    #[test]
    fn missing_rules_merge_cells_in_both_directions() {
        // Three columns, three rows; the first row spans columns 1-2, the first column rows 1-2.
        let component = Component {
            horizontal: vec![seg(0.0, 0.0, 90.0), seg(20.0, 0.0, 90.0), seg(40.0, 30.0, 90.0), seg(60.0, 0.0, 90.0)],
            vertical: vec![seg(0.0, 0.0, 60.0), seg(30.0, 0.0, 60.0), seg(60.0, 20.0, 60.0), seg(90.0, 0.0, 60.0)],
        };
        let cells = lattice(&component).unwrap().cells;
        let spans: Vec<_> = cells.iter().map(|c| (c.row, c.col, c.rowspan, c.colspan)).collect();
        assert_eq!(
            spans,
            vec![(0, 0, 1, 1), (0, 1, 1, 2), (1, 0, 2, 1), (1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 1), (2, 2, 1, 1)]
        );
    }

    #[test]
    fn lines_that_stick_out_make_open_cells() {
        let component = Component {
            horizontal: vec![seg(0.0, 0.0, 90.0), seg(20.0, 0.0, 90.0), seg(40.0, 0.0, 90.0)],
            vertical: vec![seg(30.0, 0.0, 40.0), seg(60.0, 0.0, 40.0)],
        };
        let lattice = lattice(&component).unwrap();
        assert_eq!(lattice.xs, vec![0.0, 30.0, 60.0, 90.0]);
        assert_eq!(lattice.cells.len(), 6);
    }

    #[test]
    fn separate_grids_are_separate_components() {
        let square = |x: f32| {
            let h = vec![seg(0.0, x, x + 20.0), seg(20.0, x, x + 20.0)];
            (h, vec![seg(x, 0.0, 20.0), seg(x + 20.0, 0.0, 20.0)])
        };
        let ((mut h, mut v), (h2, v2)) = (square(0.0), square(50.0));
        h.extend(h2);
        v.extend(v2);
        assert_eq!(components(&Rules { horizontal: h, vertical: v }).len(), 2);
    }
}
