//! Paths, and the marks that painting them leaves on the page.

use super::color::Rgb;
use super::limits::{MAX_MARKS, MAX_PATH_POINTS};
use super::matrix::Matrix;
use super::outlined::OutlinedText;
use crate::document::BBox;

/// Filled shapes up to this thickness are rules, in points.
const MAX_RULE_WIDTH: f32 = 3.0;
/// How much longer than thick a filled shape is that counts as a rule.
const MIN_RULE_ASPECT: f32 = 2.0;
/// How far a line may stray from its axis: in points, and as a part of its length.
const MAX_SKEW: f32 = 0.6;
const MAX_SLOPE: f32 = 0.01;
/// Part of its box that a shape must cover to count as a filled area.
const MIN_COVERAGE: f32 = 0.75;
/// Smallest filled area kept, in points of its shorter side.
const MIN_FILL_SIDE: f32 = 1.0;
/// Lightness from which a colour counts as white.
const WHITE: u8 = 250;
/// White text is looked up in at most this many grounds.
const MAX_GROUNDS: usize = 512;

/// A straight painted piece along an axis, before merging.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    /// Centre line.
    pub(crate) bbox: BBox,
    pub(crate) width: f32,
    pub(crate) horizontal: bool,
    pub(crate) white: bool,
}

/// A filled area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) bbox: BBox,
    pub(crate) rgb: Rgb,
}

/// What later text may stand on: any shape that is not thin, in its box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ground {
    bbox: BBox,
    white: bool,
}

/// Everything painted on a page but text.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) strokes: Vec<Stroke>,
    pub(crate) areas: Vec<Area>,
    pub(crate) images: Vec<BBox>,
    pub(crate) grounds: Vec<Ground>,
    pub(crate) outlined: OutlinedText,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Move,
    Line,
    /// The end of a curve.
    Curve,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    x: f32,
    y: f32,
    step: Step,
}

/// The current path, in page coordinates.
#[derive(Debug, Default)]
pub(crate) struct Path {
    points: Vec<Point>,
    start: (f32, f32),
    /// Box of the points that steer curves.
    controls: Option<BBox>,
}

impl Path {
    pub(crate) fn clear(&mut self) {
        self.points.clear();
        self.controls = None;
    }

    pub(crate) fn move_to(&mut self, ctm: &Matrix, x: f32, y: f32) {
        self.start = (x, y);
        self.push(ctm, x, y, Step::Move);
    }

    pub(crate) fn line_to(&mut self, ctm: &Matrix, x: f32, y: f32) {
        self.push(ctm, x, y, Step::Line);
    }

    /// A curve to the last of the points, steered by those before it.
    pub(crate) fn curve_to(&mut self, ctm: &Matrix, points: &[f32]) {
        let (pairs, _) = points.as_chunks::<2>();
        let [controls @ .., [x, y]] = pairs else { return };
        for [x, y] in controls {
            let (x, y) = ctm.apply(*x, *y);
            if x.is_finite() && y.is_finite() {
                let point = BBox { x0: x, y0: y, x1: x, y1: y };
                self.controls = Some(self.controls.map_or(point, |bbox| bbox.union(&point)));
            }
        }
        self.push(ctm, *x, *y, Step::Curve);
    }

    pub(crate) fn close(&mut self, ctm: &Matrix) {
        let (x, y) = self.start;
        if !self.points.is_empty() {
            self.push(ctm, x, y, Step::Line);
        }
    }

    pub(crate) fn rectangle(&mut self, ctm: &Matrix, x: f32, y: f32, width: f32, height: f32) {
        self.move_to(ctm, x, y);
        self.line_to(ctm, x + width, y);
        self.line_to(ctm, x + width, y + height);
        self.line_to(ctm, x, y + height);
        self.close(ctm);
    }

    fn push(&mut self, ctm: &Matrix, x: f32, y: f32, step: Step) {
        let (x, y) = ctm.apply(x, y);
        if x.is_finite() && y.is_finite() && self.points.len() < MAX_PATH_POINTS {
            self.points.push(Point { x, y, step });
        }
    }

    /// The box of all points.
    pub(crate) fn bbox(&self) -> Option<BBox> {
        bbox_of(&self.points)
    }

    /// A box that holds the whole path: curves stay inside the points that steer them.
    pub(crate) fn hull(&self) -> Option<BBox> {
        let bbox = self.bbox()?;
        Some(self.controls.map_or(bbox, |controls| bbox.union(&controls)))
    }

    fn subpaths(&self) -> impl Iterator<Item = &[Point]> {
        self.points.chunk_by(|_, next| next.step != Step::Move)
    }
}

fn bbox_of(points: &[Point]) -> Option<BBox> {
    let first = points.first()?;
    let start = BBox { x0: first.x, y0: first.y, x1: first.x, y1: first.y };
    Some(points.iter().fold(start, |b, p| BBox {
        x0: b.x0.min(p.x),
        y0: b.y0.min(p.y),
        x1: b.x1.max(p.x),
        y1: b.y1.max(p.y),
    }))
}

/// Area by the shoelace formula, curves taken as their chords.
fn area_of(points: &[Point]) -> f32 {
    let closing = points.last().zip(points.first());
    let pairs = points.iter().zip(points.iter().skip(1)).chain(closing);
    (pairs.map(|(a, b)| f64::from(a.x) * f64::from(b.y) - f64::from(b.x) * f64::from(a.y)).sum::<f64>() / 2.0).abs()
        as f32
}

/// Whether a colour cannot be told from paper.
pub(crate) fn is_white(rgb: Rgb) -> bool {
    rgb.iter().all(|part| *part >= WHITE)
}

impl Marks {
    /// Whether something that is not white lies under a point.
    pub(crate) fn is_on_color(&self, x: f32, y: f32) -> bool {
        let mut recent = self.grounds.iter().rev().take(MAX_GROUNDS);
        recent.find(|ground| ground.bbox.contains_point(x, y)).is_some_and(|ground| !ground.white)
    }

    fn add_ground(&mut self, bbox: BBox, white: bool, clip: &BBox) {
        if let Some(bbox) = bbox.intersection(clip)
            && bbox.width().min(bbox.height()) > MAX_RULE_WIDTH
            && self.grounds.len() < MAX_MARKS
        {
            self.grounds.push(Ground { bbox, white });
        }
    }

    /// Strokes the path with a line of `width` points.
    pub(crate) fn stroke(&mut self, path: &Path, width: f32, rgb: Rgb, clip: &BBox) {
        if let Some(bbox) = path.bbox().filter(|_| width > MAX_RULE_WIDTH && !is_white(rgb)) {
            self.add_ground(bbox.expand(width / 2.0), false, clip);
        }
        for subpath in path.subpaths() {
            for (from, to) in subpath.iter().zip(subpath.iter().skip(1)) {
                if to.step == Step::Line {
                    self.stroke_line((from.x, from.y), (to.x, to.y), width, is_white(rgb), clip);
                }
            }
        }
    }

    fn stroke_line(&mut self, from: (f32, f32), to: (f32, f32), width: f32, white: bool, clip: &BBox) {
        let (dx, dy) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        let straight = |along: f32, across: f32| along > across && across <= MAX_SKEW.max(along * MAX_SLOPE);
        if straight(dx, dy) {
            // A short line as thick as a bar is drawn across: the bar's own axis is the other one.
            if width > MAX_RULE_WIDTH.max(dx) {
                let y = (from.1 + to.1) / 2.0;
                let x = (from.0 + to.0) / 2.0;
                self.add_stroke(BBox::new(x, y - width / 2.0, x, y + width / 2.0), dx, false, white, clip);
            } else {
                let y = (from.1 + to.1) / 2.0;
                self.add_stroke(BBox::new(from.0, y, to.0, y), width, true, white, clip);
            }
        } else if straight(dy, dx) {
            let x = (from.0 + to.0) / 2.0;
            if width > MAX_RULE_WIDTH.max(dy) {
                let y = (from.1 + to.1) / 2.0;
                self.add_stroke(BBox::new(x - width / 2.0, y, x + width / 2.0, y), dy, true, white, clip);
            } else {
                self.add_stroke(BBox::new(x, from.1, x, to.1), width, false, white, clip);
            }
        }
    }

    /// Fills the path: thin shapes become rules, others areas.
    pub(crate) fn fill(&mut self, path: &Path, rgb: Rgb, clip: &BBox) {
        if let Some((outer, inner)) = frame(path) {
            return self.add_frame(outer, inner, is_white(rgb), clip);
        }
        if let Some(hull) = path.hull().filter(|_| !is_white(rgb)) {
            self.add_ground(hull, false, clip);
            if path.controls.is_some() && clip.contains_point(hull.center_x(), hull.center_y()) {
                self.outlined.add(&hull, path.subpaths().filter_map(bbox_of));
            }
        }
        for subpath in path.subpaths() {
            let Some(bbox) = bbox_of(subpath) else { continue };
            // Of a white shape it must be known that it covers what it seems to cover.
            if is_white(rgb) && area_of(subpath) >= bbox.area() * MIN_COVERAGE {
                self.add_ground(bbox, true, clip);
            }
            let (w, h) = (bbox.width(), bbox.height());
            let thin = w.min(h) <= MAX_RULE_WIDTH && w.max(h) >= w.min(h) * MIN_RULE_ASPECT;
            if !thin && area_of(subpath) < bbox.area() * MIN_COVERAGE {
                continue;
            }
            // A thin shape that is no bar is a slanted line or a stroke of a drawing.
            if thin && w.min(h) > MAX_SKEW && area_of(subpath) < bbox.area() * MIN_COVERAGE {
                continue;
            }
            self.add_box(bbox, rgb, clip);
        }
    }

    /// An image, or a stencil painted in `stencil`.
    pub(crate) fn image(&mut self, bbox: BBox, stencil: Option<Rgb>, clip: &BBox) {
        let thin = bbox.width().min(bbox.height()) <= MAX_RULE_WIDTH;
        self.add_ground(bbox, stencil.is_some_and(is_white), clip);
        if thin {
            self.add_box(bbox, stencil.unwrap_or([0, 0, 0]), clip);
        } else if let Some(visible) = bbox.intersection(clip)
            && self.images.len() < MAX_MARKS
        {
            self.images.push(visible);
        }
    }

    /// Fills the clip; a background is ground for text only.
    pub(crate) fn shade(&mut self, clip: &BBox, rgb: Rgb, background: bool) {
        self.add_ground(*clip, is_white(rgb), clip);
        if !background {
            self.add_box(*clip, rgb, clip);
        }
    }

    fn add_box(&mut self, bbox: BBox, rgb: Rgb, clip: &BBox) {
        let Some(visible) = bbox.intersection(clip) else { return };
        let (w, h) = (visible.width(), visible.height());
        if w.min(h) <= MAX_RULE_WIDTH && w.max(h) >= w.min(h) * MIN_RULE_ASPECT {
            let (x, y) = (visible.center_x(), visible.center_y());
            let horizontal = w >= h;
            let line = if horizontal { BBox { y0: y, y1: y, ..visible } } else { BBox { x0: x, x1: x, ..visible } };
            self.add_stroke(line, w.min(h), horizontal, is_white(rgb), clip);
        } else if !is_white(rgb) && w.min(h) >= MIN_FILL_SIDE && self.areas.len() < MAX_MARKS {
            self.areas.push(Area { bbox: visible, rgb });
        }
    }

    /// The four edges of a border that is filled between two rectangles.
    fn add_frame(&mut self, outer: BBox, inner: BBox, white: bool, clip: &BBox) {
        let (top, bottom) = ((outer.y0 + inner.y0) / 2.0, (outer.y1 + inner.y1) / 2.0);
        let (left, right) = ((outer.x0 + inner.x0) / 2.0, (outer.x1 + inner.x1) / 2.0);
        for (y, width) in [(top, inner.y0 - outer.y0), (bottom, outer.y1 - inner.y1)] {
            self.add_stroke(BBox { x0: outer.x0, x1: outer.x1, y0: y, y1: y }, width, true, white, clip);
        }
        for (x, width) in [(left, inner.x0 - outer.x0), (right, outer.x1 - inner.x1)] {
            self.add_stroke(BBox { x0: x, x1: x, y0: outer.y0, y1: outer.y1 }, width, false, white, clip);
        }
    }

    fn add_stroke(&mut self, line: BBox, width: f32, horizontal: bool, white: bool, clip: &BBox) {
        // A clip that cuts a line along its length leaves a part of its width visible.
        let reach = width / 2.0;
        let seen = if horizontal {
            line.intersection(&BBox { y0: clip.y0 - reach, y1: clip.y1 + reach, ..*clip })
        } else {
            line.intersection(&BBox { x0: clip.x0 - reach, x1: clip.x1 + reach, ..*clip })
        };
        if let Some(bbox) = seen
            && self.strokes.len() < MAX_MARKS
        {
            self.strokes.push(Stroke { bbox, width, horizontal, white });
        }
    }
}

/// Two nested rectangles with a thin border between them, as a path of exactly two subpaths.
fn frame(path: &Path) -> Option<(BBox, BBox)> {
    let mut subpaths = path.subpaths();
    let (first, second) = (subpaths.next()?, subpaths.next()?);
    if subpaths.next().is_some() {
        return None;
    }
    let (a, b) = (bbox_of(first)?, bbox_of(second)?);
    let (outer, inner) = if a.area() >= b.area() { (a, b) } else { (b, a) };
    let borders = [inner.x0 - outer.x0, inner.y0 - outer.y0, outer.x1 - inner.x1, outer.y1 - inner.y1];
    let full = area_of(first) >= a.area() * MIN_COVERAGE && area_of(second) >= b.area() * MIN_COVERAGE;
    let thin = borders.iter().all(|border| (0.0..=MAX_RULE_WIDTH).contains(border));
    let large = inner.width().min(inner.height()) > MAX_RULE_WIDTH;
    (full && thin && large).then_some((outer, inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: BBox = BBox { x0: 0.0, y0: 0.0, x1: 600.0, y1: 800.0 };
    const BLACK: Rgb = [0, 0, 0];

    fn rectangle(x: f32, y: f32, w: f32, h: f32) -> Path {
        let mut path = Path::default();
        path.rectangle(&Matrix::IDENTITY, x, y, w, h);
        path
    }

    #[test]
    fn stroked_rectangle_gives_four_edges() {
        let mut marks = Marks::default();
        marks.stroke(&rectangle(10.0, 20.0, 100.0, 50.0), 0.5, BLACK, &PAGE);
        let boxes: Vec<BBox> = marks.strokes.iter().map(|s| s.bbox).collect();
        assert_eq!(boxes.len(), 4);
        assert!(boxes.contains(&BBox { x0: 10.0, y0: 20.0, x1: 110.0, y1: 20.0 }));
        assert!(boxes.contains(&BBox { x0: 110.0, y0: 20.0, x1: 110.0, y1: 70.0 }));
    }

    #[test]
    fn thin_fill_is_a_rule_and_thick_fill_an_area() {
        let mut marks = Marks::default();
        marks.fill(&rectangle(10.0, 20.0, 100.0, 1.0), BLACK, &PAGE);
        marks.fill(&rectangle(10.0, 30.0, 100.0, 20.0), [220, 220, 220], &PAGE);
        marks.fill(&rectangle(10.0, 60.0, 100.0, 20.0), [255, 255, 255], &PAGE);
        assert_eq!(marks.strokes.len(), 1);
        assert_eq!(marks.strokes[0].bbox, BBox { x0: 10.0, y0: 20.5, x1: 110.0, y1: 20.5 });
        assert_eq!(marks.strokes[0].width, 1.0);
        assert_eq!(marks.areas, [Area { bbox: BBox::new(10.0, 30.0, 110.0, 50.0), rgb: [220, 220, 220] }]);
    }

    #[test]
    fn border_between_two_rectangles() {
        let mut path = rectangle(0.0, 0.0, 100.0, 100.0);
        path.rectangle(&Matrix::IDENTITY, 1.0, 1.0, 98.0, 98.0);
        let mut marks = Marks::default();
        marks.fill(&path, BLACK, &PAGE);
        assert_eq!(marks.strokes.len(), 4);
        assert!(marks.areas.is_empty());
    }

    #[test]
    fn slanted_lines_and_triangles_are_no_rules() {
        let mut path = Path::default();
        path.move_to(&Matrix::IDENTITY, 0.0, 0.0);
        path.line_to(&Matrix::IDENTITY, 100.0, 80.0);
        path.line_to(&Matrix::IDENTITY, 50.0, 90.0);
        let mut marks = Marks::default();
        marks.stroke(&path, 1.0, BLACK, &PAGE);
        marks.fill(&path, BLACK, &PAGE);
        assert!(marks.strokes.is_empty() && marks.areas.is_empty());
    }

    #[test]
    fn clip_cuts_lines_and_hides_what_is_outside() {
        let clip = BBox { x0: 0.0, y0: 0.0, x1: 50.0, y1: 50.0 };
        let mut marks = Marks::default();
        marks.stroke(&rectangle(10.0, 20.0, 100.0, 100.0), 1.0, BLACK, &clip);
        let boxes: Vec<BBox> = marks.strokes.iter().map(|s| s.bbox).collect();
        assert_eq!(boxes, [BBox::new(10.0, 20.0, 50.0, 20.0), BBox::new(10.0, 20.0, 10.0, 50.0)]);
        marks.image(BBox::new(60.0, 60.0, 90.0, 90.0), None, &clip);
        assert!(marks.images.is_empty());
    }

    #[test]
    fn a_wide_line_drawn_across_is_the_bar_it_looks_like() {
        let mut path = Path::default();
        path.move_to(&Matrix::IDENTITY, 300.0, 100.0);
        path.line_to(&Matrix::IDENTITY, 300.0, 101.0);
        let mut marks = Marks::default();
        marks.stroke(&path, 200.0, BLACK, &PAGE);
        assert_eq!(marks.strokes[0].bbox, BBox::new(200.0, 100.5, 400.0, 100.5));
        assert!(marks.strokes[0].horizontal);
    }
}
