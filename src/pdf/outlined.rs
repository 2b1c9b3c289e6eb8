//! Text that is drawn as shapes: its letters are filled paths without character codes, which only OCR can read.

use crate::document::BBox;

use super::limits::MAX_MARKS;

/// Height of what may be a letter, in points.
const MIN_HEIGHT: f32 = 3.0;
const MAX_HEIGHT: f32 = 60.0;
/// Widest letter, in heights.
const MAX_ASPECT: f32 = 3.0;
/// Letters of one line share at least this part of the smaller one's height.
const MIN_OVERLAP: f32 = 0.4;
/// Widest white space between the letters of a line, in heights: wide word spaces stay inside.
const MAX_GAP: f32 = 1.5;
/// Fewer letters in a row are a monogram or the marks of a chart.
const MIN_RUN: usize = 8;
/// Letters of a run have at least so many widths, to a tenth of a point; the marks of a chart share theirs.
const MIN_WIDTHS: usize = 4;

/// Counts the letters among filled shapes. Writers draw a line's letters one after the other, so that a shape is
/// compared with the one before it only.
#[derive(Debug, Default)]
pub(crate) struct OutlinedText {
    /// Letters of the runs that have ended.
    letters: usize,
    last: Option<BBox>,
    run: usize,
    widths: Vec<i32>,
}

impl OutlinedText {
    /// Takes the next filled shape that has curves: a letter, a line of letters (`parts` are then the boxes of its
    /// subpaths) or none.
    pub(crate) fn add(&mut self, hull: &BBox, parts: impl Iterator<Item = BBox>) {
        if is_letter_sized(hull) {
            return self.letter(*hull);
        }
        // The parts of one letter stand above or inside each other.
        let mut letter: Option<BBox> = None;
        for part in parts {
            letter = match letter {
                Some(bbox) if bbox.x0 < part.x1 && part.x0 < bbox.x1 => Some(bbox.union(&part)),
                Some(bbox) => {
                    self.letter(bbox);
                    Some(part)
                }
                None => Some(part),
            };
        }
        if let Some(bbox) = letter {
            self.letter(bbox);
        }
    }

    fn letter(&mut self, bbox: BBox) {
        if !is_letter_sized(&bbox) {
            return;
        }
        if !self.last.is_some_and(|last| follows(&last, &bbox)) {
            self.end_run();
        }
        let width = (bbox.width() * 10.0).round() as i32;
        if self.widths.len() < MIN_WIDTHS && !self.widths.contains(&width) {
            self.widths.push(width);
        }
        self.run = (self.run + 1).min(MAX_MARKS);
        self.last = Some(bbox);
    }

    fn end_run(&mut self) {
        if self.run >= MIN_RUN && self.widths.len() >= MIN_WIDTHS {
            self.letters = self.letters.saturating_add(self.run);
        }
        self.run = 0;
        self.widths.clear();
    }

    /// About how many letters were drawn.
    pub(crate) fn count(mut self) -> usize {
        self.end_run();
        self.letters
    }
}

fn is_letter_sized(bbox: &BBox) -> bool {
    (MIN_HEIGHT..=MAX_HEIGHT).contains(&bbox.height()) && bbox.width() <= MAX_ASPECT * bbox.height()
}

/// Whether two shapes stand in one line of text, in either direction.
fn follows(last: &BBox, next: &BBox) -> bool {
    let shared = last.y1.min(next.y1) - last.y0.max(next.y0);
    let (lower, higher) = (last.height().min(next.height()), last.height().max(next.height()));
    let gap = (next.x0 - last.x1).max(last.x0 - next.x1);
    shared >= MIN_OVERLAP * lower && gap <= MAX_GAP * higher
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count` letters of a line that begins at `x`, with the given widths in turn.
    fn line(x: f32, y: f32, widths: &[f32], count: usize) -> Vec<BBox> {
        let mut left = x;
        let next = |width: &f32| {
            let bbox = BBox::new(left, y, left + width, y + 10.0);
            left += width + 2.0;
            bbox
        };
        widths.iter().cycle().take(count).map(next).collect()
    }

    fn count(shapes: &[Vec<BBox>]) -> usize {
        let mut text = OutlinedText::default();
        for bbox in shapes.iter().flatten() {
            text.add(bbox, std::iter::once(*bbox));
        }
        text.count()
    }

    #[test]
    fn letters_side_by_side_count() {
        let widths = [6.0, 9.0, 3.0, 7.5];
        assert_eq!(count(&[line(50.0, 100.0, &widths, 12), line(50.0, 120.0, &widths, 9)]), 21);
        // Each line for itself: seven letters are too few.
        assert_eq!(count(&[line(50.0, 100.0, &widths, 7), line(50.0, 120.0, &widths, 9)]), 9);
    }

    #[test]
    fn marks_of_a_chart_and_drawings_do_not() {
        assert_eq!(count(&[line(50.0, 100.0, &[4.0], 40)]), 0);
        assert_eq!(count(&[line(50.0, 100.0, &[60.0, 70.0, 80.0, 90.0], 40)]), 0);
        let scattered: Vec<BBox> =
            (0..40).map(|i| BBox::new(0.0, 30.0 * i as f32, 5.0 + i as f32 / 4.0, 30.0 * i as f32 + 10.0)).collect();
        assert_eq!(count(&[scattered]), 0);
    }

    #[test]
    fn a_line_in_one_path_counts_by_its_parts() {
        let mut parts = line(50.0, 100.0, &[6.0, 9.0, 3.0, 7.5], 10);
        // The inside of the first letter.
        parts.insert(1, BBox::new(52.0, 103.0, 54.0, 107.0));
        let mut text = OutlinedText::default();
        text.add(&BBox::new(50.0, 100.0, 150.0, 110.0), parts.into_iter());
        assert_eq!(text.count(), 10);
    }
}
