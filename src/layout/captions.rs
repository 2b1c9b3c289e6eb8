//! Captions whose label stands beside the title, as in a small table of its own: `Figure 6 | The title in two lines`.

use crate::document::BBox;

use super::labels;
use super::lines::Line;

/// White space between the label and the title at most, in font sizes.
const BESIDE: f32 = 4.0;
/// Left edges of a title's lines differ by no more than this many font sizes.
const SAME_EDGE: f32 = 0.5;
/// Baselines of a title are no farther apart than this many font sizes.
const PITCH: f32 = 1.6;
/// The label stands within this many font sizes of the middle of the title.
const MIDDLE: f32 = 0.4;
/// Lines of a title.
const MOST_LINES: usize = 6;
/// Words of a label: `Table 3`, `Supplementary Table A-1.`.
const MOST_WORDS: usize = 3;

/// Moves labels that stand at the middle of a title of several lines to its first line, with which they are read.
pub(crate) fn raise_labels(lines: &mut [Line]) {
    let labels: Vec<usize> = (0..lines.len()).filter(|&at| lines.get(at).is_some_and(is_label)).collect();
    for &at in &labels {
        let Some(label) = lines.get(at) else { continue };
        let Some((first, title)) = title_beside(lines, label) else { continue };
        let other = |n: usize| {
            lines.get(n).is_some_and(|l| l.bbox.overlap_y(&title) > 0.0 && l.bbox.overlap_x(&label.bbox) > 0.0)
        };
        if labels.iter().any(|&n| n != at && other(n)) {
            continue;
        }
        let up = label.baseline - first;
        if let Some(label) = lines.get_mut(at) {
            let raised = |b: BBox| BBox { y0: b.y0 - up, y1: b.y1 - up, ..b };
            label.baseline = first;
            label.bbox = raised(label.bbox);
            for word in &mut label.words {
                word.baseline -= up;
                word.bbox = raised(word.bbox);
            }
        }
    }
}

/// Whether a line is the label of a caption and nothing else.
fn is_label(line: &Line) -> bool {
    line.words.len() <= MOST_WORDS
        && line.words.last().is_some_and(|w| w.text.contains(char::is_numeric))
        && labels::is_caption(&line.text())
}

/// The title to the right of a label that stands at its middle: the baseline of its first line, and its box.
fn title_beside(lines: &[Line], label: &Line) -> Option<(f32, BBox)> {
    let em = label.size.max(1.0);
    let right_of = |l: &&Line| (0.0..BESIDE * em).contains(&(l.bbox.x0 - label.bbox.x1));
    let level = lines.iter().filter(right_of).min_by(|a, b| {
        let off = |l: &Line| (l.bbox.center_y() - label.bbox.center_y()).abs();
        off(a).total_cmp(&off(b))
    })?;
    let mut column: Vec<&Line> =
        lines.iter().filter(right_of).filter(|l| (l.bbox.x0 - level.bbox.x0).abs() < SAME_EDGE * em).collect();
    column.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let title = column
        .chunk_by(|a, b| b.baseline - a.baseline < PITCH * em)
        .find(|run| run.iter().any(|l| l.baseline == level.baseline))?;
    let bbox = BBox::union_all(title.iter().map(|l| &l.bbox))?;
    let middle = (bbox.center_y() - label.bbox.center_y()).abs() < MIDDLE * em;
    let first = title.first()?.baseline;
    ((2..=MOST_LINES).contains(&title.len()) && middle && first < label.baseline).then_some((first, bbox))
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::{cut, set};
    use super::*;

    /// Text and baseline of the lines, with labels raised.
    fn raised(lines: &[(&str, f32, f32)]) -> Vec<(String, f32)> {
        let mut lines: Vec<Line> = lines.iter().flat_map(|(text, x, y)| cut(set(text, *x, *y, 10.0))).collect();
        raise_labels(&mut lines);
        lines.iter().map(|l| (l.text(), l.baseline)).collect()
    }

    fn baseline_of_label(lines: &[(&str, f32, f32)]) -> f32 {
        raised(lines).first().unwrap().1
    }

    #[test]
    fn a_label_is_read_with_the_first_line_of_its_title() {
        let two = [("Figure 6", 50.0, 106.0), ("DPN Argentina: World", 110.0, 100.0), ("Health Day", 110.0, 112.0)];
        assert_eq!(baseline_of_label(&two), 100.0);
        let three = [("표 3", 50.0, 112.0), ("가구원", 90.0, 100.0), ("수별", 90.0, 112.0), ("소득", 90.0, 124.0)];
        assert_eq!(baseline_of_label(&three), 100.0);
    }

    #[test]
    fn other_labels_stay() {
        let first_line = [("Figure 6", 50.0, 100.0), ("DPN Argentina: World", 110.0, 100.0), ("Health", 110.0, 112.0)];
        assert_eq!(baseline_of_label(&first_line), 100.0);
        let far = [("Figure 6", 50.0, 106.0), ("DPN Argentina: World", 210.0, 100.0), ("Health Day", 210.0, 112.0)];
        assert_eq!(baseline_of_label(&far), 106.0);
        let listed = [
            ("Figure 2", 50.0, 112.0),
            ("Figure 1", 50.0, 100.0),
            ("Figure 3", 50.0, 124.0),
            ("One", 110.0, 100.0),
            ("Two", 110.0, 112.0),
            ("Three", 110.0, 124.0),
        ];
        assert_eq!(baseline_of_label(&listed), 112.0);
        assert_eq!(baseline_of_label(&[("Values 6", 50.0, 106.0), ("a", 100.0, 100.0), ("b", 100.0, 112.0)]), 106.0);
    }
}
