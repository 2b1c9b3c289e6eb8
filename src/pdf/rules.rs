//! Painted marks to rules and fills: invisible ones dropped, pieces of one line merged.

use super::paint::{Area, Marks, Stroke};
use super::types::{Fill, Rule};
use crate::document::BBox;

/// Lines this close to each other, in points across, are one line drawn several times.
const SAME_LINE: f32 = 0.75;
/// Pieces of a line this close, in points along it, are one piece: also bridges fine dashes.
const SAME_PIECE: f32 = 1.5;
/// Shortest rule kept, in points.
const MIN_LENGTH: f32 = 3.0;
/// White strokes are looked up in at most this many areas.
const MAX_LOOKUP: usize = 512;

/// The rules and fills of a page.
pub(crate) fn rules_and_fills(marks: &Marks) -> (Vec<Rule>, Vec<Fill>) {
    let mut strokes: Vec<Stroke> =
        marks.strokes.iter().filter(|s| !s.white || lies_in_area(s, &marks.areas)).copied().collect();
    strokes.sort_by(|a, b| (!a.horizontal).cmp(&!b.horizontal).then(across(a).total_cmp(&across(b))));
    let mut rules = Vec::new();
    let mut rest = strokes.as_mut_slice();
    while let Some(first) = rest.first().copied() {
        let same = |s: &Stroke| s.horizontal == first.horizontal && across(s) - across(&first) <= SAME_LINE;
        let count = rest.iter().take_while(|s| same(s)).count().max(1);
        let (line, others) = rest.split_at_mut(count);
        merge_line(line, &mut rules);
        rest = others;
    }
    (rules, fills(&marks.areas))
}

/// Distance of a line from the origin, across its direction.
fn across(stroke: &Stroke) -> f32 {
    if stroke.horizontal { stroke.bbox.y0 } else { stroke.bbox.x0 }
}

/// Where a line starts and ends, along its direction.
fn along(stroke: &Stroke) -> (f32, f32) {
    if stroke.horizontal { (stroke.bbox.x0, stroke.bbox.x1) } else { (stroke.bbox.y0, stroke.bbox.y1) }
}

/// White lines show on coloured ground only.
fn lies_in_area(stroke: &Stroke, areas: &[Area]) -> bool {
    let ground =
        |area: &Area| area.bbox.expand(SAME_LINE).contains_point(stroke.bbox.center_x(), stroke.bbox.center_y());
    areas.iter().rev().take(MAX_LOOKUP).any(ground)
}

/// Merges the pieces of one line; the merged piece lies where its longest part lies.
fn merge_line(line: &mut [Stroke], rules: &mut Vec<Rule>) {
    line.sort_by(|a, b| along(a).0.total_cmp(&along(b).0));
    let mut open: Option<Piece> = None;
    for stroke in line.iter() {
        let (start, end) = along(stroke);
        match &mut open {
            Some(piece) if start <= piece.end + SAME_PIECE => piece.extend(stroke, start, end),
            _ => {
                if let Some(done) = open.replace(Piece::new(stroke, start, end)) {
                    done.finish(rules);
                }
            }
        }
    }
    if let Some(done) = open {
        done.finish(rules);
    }
}

/// A line under construction.
struct Piece {
    horizontal: bool,
    start: f32,
    end: f32,
    position: f32,
    width: f32,
    longest: f32,
}

impl Piece {
    fn new(stroke: &Stroke, start: f32, end: f32) -> Self {
        let (position, width) = (across(stroke), stroke.width);
        Self { horizontal: stroke.horizontal, start, end, position, width, longest: end - start }
    }

    fn extend(&mut self, stroke: &Stroke, start: f32, end: f32) {
        self.end = self.end.max(end);
        self.width = self.width.max(stroke.width);
        if end - start > self.longest {
            self.longest = end - start;
            self.position = across(stroke);
        }
    }

    fn finish(self, rules: &mut Vec<Rule>) {
        if self.end - self.start < MIN_LENGTH {
            return;
        }
        let bbox = if self.horizontal {
            BBox { x0: self.start, y0: self.position, x1: self.end, y1: self.position }
        } else {
            BBox { x0: self.position, y0: self.start, x1: self.position, y1: self.end }
        };
        rules.push(Rule { bbox, width: self.width, horizontal: self.horizontal });
    }
}

/// Areas in painting order, without those painted twice.
fn fills(areas: &[Area]) -> Vec<Fill> {
    let mut fills: Vec<Fill> = Vec::with_capacity(areas.len());
    for area in areas {
        let twin = fills.last().is_some_and(|fill| fill.bbox == area.bbox && fill.rgb == area.rgb);
        if !twin {
            fills.push(Fill { bbox: area.bbox, rgb: area.rgb });
        }
    }
    fills
}

#[cfg(test)]
mod tests {
    use super::*;

    fn horizontal(x0: f32, x1: f32, y: f32) -> Stroke {
        Stroke { bbox: BBox::new(x0, y, x1, y), width: 0.5, horizontal: true, white: false }
    }

    fn rules_of(strokes: Vec<Stroke>, areas: Vec<Area>) -> Vec<Rule> {
        rules_and_fills(&Marks { strokes, areas, ..Marks::default() }).0
    }

    #[test]
    fn collinear_pieces_and_duplicates_merge() {
        let rules = rules_of(
            vec![
                horizontal(50.0, 100.0, 10.2),
                horizontal(10.0, 50.5, 10.0),
                horizontal(10.0, 50.5, 10.0),
                horizontal(120.0, 150.0, 10.0),
                horizontal(10.0, 100.0, 12.0),
            ],
            Vec::new(),
        );
        let boxes: Vec<BBox> = rules.iter().map(|r| r.bbox).collect();
        assert_eq!(
            boxes,
            [
                BBox::new(10.0, 10.2, 100.0, 10.2),
                BBox::new(120.0, 10.0, 150.0, 10.0),
                BBox::new(10.0, 12.0, 100.0, 12.0)
            ]
        );
    }

    #[test]
    fn dashes_become_one_rule_and_specks_vanish() {
        let dashes = (0..20).map(|i| horizontal(i as f32 * 3.0, i as f32 * 3.0 + 2.0, 5.0)).collect();
        let rules = rules_of(dashes, Vec::new());
        assert_eq!(rules.len(), 1);
        assert_eq!(rules[0].bbox, BBox::new(0.0, 5.0, 59.0, 5.0));
        assert!(rules_of(vec![horizontal(1.0, 2.0, 5.0)], Vec::new()).is_empty());
    }

    #[test]
    fn white_lines_count_on_coloured_ground_only() {
        let white = Stroke { white: true, ..horizontal(10.0, 90.0, 20.0) };
        let ground = Area { bbox: BBox::new(0.0, 0.0, 100.0, 40.0), rgb: [0, 0, 128] };
        assert!(rules_of(vec![white], Vec::new()).is_empty());
        assert_eq!(rules_of(vec![white], vec![ground]).len(), 1);
    }
}
