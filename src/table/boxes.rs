//! Boxes drawn within a cell: frames around a note, an example, a check mark. They bound no cells.

use crate::table::rules::Seg;

/// The four lines of a box end at most this many points from each other's axes: one pen drew them.
const CORNER: f32 = 1.5;
/// Boxes at most this many points from one another are cells drawn one by one.
const SPACING: f32 = 6.0;
/// A line lies beyond a side of a box where it passes at least this fraction of it.
const BESIDE: f32 = 0.6;
/// Among more lines than this in one direction, boxes would take too long to find.
const MOST: usize = 2000;

/// A closed rectangle of four lines.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Indices of the upper and lower line.
    horizontal: [usize; 2],
    /// Indices of the left and right line.
    vertical: [usize; 2],
    /// Left, top, right and bottom.
    area: [f32; 4],
}

/// Takes away the boxes of four lines that no other line reaches and that lie between other lines on all sides.
pub(crate) fn remove(horizontal: &mut Vec<Seg>, vertical: &mut Vec<Seg>) {
    if horizontal.len() > MOST || vertical.len() > MOST {
        return;
    }
    let frames = frames(horizontal, vertical);
    let alone = |frame: &Frame| frames.iter().filter(|f| is_near(&f.area, &frame.area)).count() == 1;
    let inner: Vec<&Frame> = frames.iter().filter(|f| alone(f) && is_enclosed(f, horizontal, vertical)).collect();
    let (mut rows, mut cols) = (vec![true; horizontal.len()], vec![true; vertical.len()]);
    for frame in inner {
        for (keep, sides) in [(&mut rows, frame.horizontal), (&mut cols, frame.vertical)] {
            for side in sides {
                if let Some(keep) = keep.get_mut(side) {
                    *keep = false;
                }
            }
        }
    }
    for (lines, keep) in [(horizontal, rows), (vertical, cols)] {
        let mut keep = keep.into_iter();
        lines.retain(|_| keep.next().unwrap_or(true));
    }
}

/// All rectangles of four lines that no other line reaches.
fn frames(horizontal: &[Seg], vertical: &[Seg]) -> Vec<Frame> {
    let mut frames = Vec::new();
    for (first, left) in vertical.iter().enumerate() {
        let &[a, b] = reaching(left, horizontal).as_slice() else { continue };
        let (Some(top), Some(bottom)) = (horizontal.get(a), horizontal.get(b)) else { continue };
        let sides = reaching(top, vertical);
        let &[l, r] = sides.as_slice() else { continue };
        let Some(right) = vertical.get(if l == first { r } else { l }).filter(|s| s.at > left.at) else { continue };
        let (from, to) = (top.at.min(bottom.at), top.at.max(bottom.at));
        let closed = [top, bottom].iter().all(|s| meets(s.from, left.at) && meets(s.to, right.at))
            && [left, right].iter().all(|s| meets(s.from, from) && meets(s.to, to));
        if closed && reaching(bottom, vertical) == sides && reaching(right, horizontal) == [a, b] {
            let area = [left.at, from, right.at, to];
            frames.push(Frame { horizontal: [a, b], vertical: [l, r], area });
        }
    }
    frames
}

/// Indices of the lines across that meet a line; three stand for all that are too many.
fn reaching(line: &Seg, across: &[Seg]) -> Vec<usize> {
    let on = |a: &Seg, b: &Seg| b.at >= a.from - CORNER && b.at <= a.to + CORNER;
    across.iter().enumerate().filter(|(_, s)| on(line, s) && on(s, line)).map(|(i, _)| i).take(3).collect()
}

fn meets(a: f32, b: f32) -> bool {
    (a - b).abs() <= CORNER
}

/// Whether two boxes lie directly beside each other (or are the same).
fn is_near(a: &[f32; 4], b: &[f32; 4]) -> bool {
    let [ax0, ay0, ax1, ay1] = a;
    let [bx0, by0, bx1, by1] = b;
    bx0 - ax1 <= SPACING && ax0 - bx1 <= SPACING && by0 - ay1 <= SPACING && ay0 - by1 <= SPACING
}

/// Whether other lines pass on all four sides.
fn is_enclosed(frame: &Frame, horizontal: &[Seg], vertical: &[Seg]) -> bool {
    let [x0, y0, x1, y1] = frame.area;
    let passes = |lines: &[Seg], from: f32, to: f32, beyond: &dyn Fn(f32) -> bool| {
        lines.iter().any(|s| beyond(s.at) && s.cover(from, to) >= BESIDE * (to - from))
    };
    passes(horizontal, x0, x1, &|y| y < y0 - CORNER)
        && passes(horizontal, x0, x1, &|y| y > y1 + CORNER)
        && passes(vertical, y0, y1, &|x| x < x0 - CORNER)
        && passes(vertical, y0, y1, &|x| x > x1 + CORNER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seg(at: f32, from: f32, to: f32) -> Seg {
        Seg { at, from, to }
    }

    /// The lines of a rectangle.
    fn add([x0, y0, x1, y1]: [f32; 4], horizontal: &mut Vec<Seg>, vertical: &mut Vec<Seg>) {
        horizontal.extend([seg(y0, x0, x1), seg(y1, x0, x1)]);
        vertical.extend([seg(x0, y0, y1), seg(x1, y0, y1)]);
    }

    #[test]
    fn a_box_in_a_cell_goes_and_the_cell_stays() {
        let (mut h, mut v) = (vec![seg(50.0, 0.0, 100.0)], vec![seg(40.0, 0.0, 100.0)]);
        add([0.0, 0.0, 100.0, 100.0], &mut h, &mut v);
        let cells = (h.clone(), v.clone());
        add([42.0, 60.0, 97.0, 97.5], &mut h, &mut v);
        remove(&mut h, &mut v);
        assert_eq!((h, v), cells);
    }

    #[test]
    fn cells_drawn_one_by_one_stay() {
        let (mut h, mut v) = (Vec::new(), Vec::new());
        add([0.0, 0.0, 100.0, 50.0], &mut h, &mut v);
        add([3.0, 3.0, 48.0, 47.0], &mut h, &mut v);
        add([51.0, 3.0, 97.0, 47.0], &mut h, &mut v);
        remove(&mut h, &mut v);
        assert_eq!((h.len(), v.len()), (6, 6));
    }

    #[test]
    fn boxes_beside_each_other_or_alone_stay() {
        let (mut h, mut v) = (Vec::new(), Vec::new());
        add([0.0, 0.0, 100.0, 50.0], &mut h, &mut v);
        add([0.0, 60.0, 100.0, 90.0], &mut h, &mut v);
        remove(&mut h, &mut v);
        assert_eq!((h.len(), v.len()), (4, 4));
    }
}
