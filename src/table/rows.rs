//! Which lines of text form one row of a table, where no rule says so.

use crate::document::BBox;
use crate::pdf::Word;
use crate::table::grid::cell_text;
use crate::table::text::{is_value, median};
use crate::table::wrapped::{continues_text, wrapped};

/// A line closer to the one above than this fraction of the usual pitch continues its row.
const TIGHT_PITCH: f32 = 0.85;
/// A pitch above this multiple of the smallest one starts a row where cells hold several lines.
pub(crate) const WIDE_PITCH: f32 = 1.25;
/// Lines farther apart than this many font sizes are of different rows, whatever stands in them.
const FAR_EM: f32 = 2.5;
/// Baselines closer than this many font sizes are beside each other: values centred on names of several lines.
const OVERLAPPING_EM: f32 = 0.75;
/// A column holds values where at least this fraction of its texts are values.
const VALUE_COLUMN: f32 = 0.6;

/// The part of a line that lies in one column (or spans several).
#[derive(Clone, Debug, Default)]
pub(crate) struct LineCell {
    /// First column.
    pub col: usize,
    /// Columns covered.
    pub colspan: usize,
    /// Its text.
    pub text: String,
    /// Indices of the page's words.
    pub words: Vec<usize>,
    /// Whether the text is a value.
    pub value: bool,
    /// y of its own baseline: a line's cells may stand a little higher or lower.
    pub baseline: f32,
    /// Left edge, in points.
    pub x0: f32,
    /// Right edge, in points.
    pub x1: f32,
}

impl LineCell {
    /// A cell of the words `of` a page.
    pub(crate) fn new(words: &[Word], col: usize, colspan: usize, of: Vec<usize>) -> Self {
        let own = || of.iter().filter_map(|&w| words.get(w));
        // Dots that lead to the next cell are no text.
        let text = own().filter(|w| w.text.bytes().any(|b| b != b'.')).map(|w| &w.bbox);
        let bbox = BBox::union_all(text).or_else(|| BBox::union_all(own().map(|w| &w.bbox))).unwrap_or_default();
        let baseline = median(own().map(|w| w.baseline));
        let text = cell_text(words, &of);
        let value = is_value(&text);
        Self { col, colspan, text, value, baseline, x0: bbox.x0, x1: bbox.x1, words: of }
    }
}

/// One line of text across the columns of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowLine {
    /// Top of the words.
    pub top: f32,
    /// Bottom of the words.
    pub bottom: f32,
    /// y of the baseline.
    pub baseline: f32,
    /// Font size in points.
    pub size: f32,
    /// Its cells, left to right.
    pub cells: Vec<LineCell>,
}

impl RowLine {
    pub(crate) fn at(&self, col: usize) -> Option<&LineCell> {
        self.cells.iter().find(|c| c.col <= col && col < c.col + c.colspan)
    }

    /// The text of the first column.
    pub(crate) fn stub(&self) -> Option<&str> {
        self.at(0).map(|c| c.text.as_str())
    }
}

/// For every column whether it holds values.
pub(crate) fn value_columns(lines: &[RowLine], cols: usize) -> Vec<bool> {
    (0..cols)
        .map(|col| {
            let texts: Vec<&LineCell> = lines.iter().filter_map(|l| l.at(col)).filter(|c| c.colspan == 1).collect();
            let values = texts.iter().filter(|c| c.value).count();
            col > 0 && values >= 2 && values as f32 >= VALUE_COLUMN * texts.len() as f32
        })
        .collect()
}

/// For every line whether it starts a row. `breaks` are the y of rules: a row never goes through one.
pub(crate) fn starts(lines: &[RowLine], cols: usize, breaks: &[f32]) -> Vec<bool> {
    let values = value_columns(lines, cols);
    let complete: Vec<bool> =
        lines.iter().map(|l| l.cells.iter().any(|c| values.get(c.col).copied().unwrap_or(false))).collect();
    let pitches: Vec<f32> = lines.windows(2).map(pitch).collect();
    let has_values = values.iter().any(|v| *v);
    let usual = if has_values {
        median(complete.windows(2).zip(&pitches).filter(|(c, _)| c.iter().all(|x| *x)).map(|(_, p)| *p))
    } else {
        pitches.iter().copied().fold(f32::INFINITY, f32::min)
    };
    let wide = pitches.iter().filter(|p| **p > WIDE_PITCH * usual).count();
    // Rows of several lines: wide and narrow pitches both occur often.
    let spaced = !has_values && wide * 4 >= pitches.len() && wide < pitches.len();
    let wrapped = wrapped(lines, cols);
    let mut out = vec![true; lines.len()];
    for (i, pair) in lines.windows(2).enumerate() {
        let [above, line] = pair else { continue };
        let broken = breaks.iter().any(|y| *y > above.baseline && *y < line.baseline);
        let (above_complete, line_complete) =
            (complete.get(i).copied().unwrap_or(true), complete.get(i + 1).copied().unwrap_or(true));
        let pitch = pitches.get(i).copied().unwrap_or(0.0);
        let far = pitch > FAR_EM * line.size.max(above.size);
        // The first line of a name whose values are centred beside it.
        let opens = lines.get(i + 2).is_some_and(|next| beside(line, next))
            && !line_complete
            && complete.get(i + 2) == Some(&true);
        let overlaps = beside(above, line);
        let joined = if broken || far {
            false
        } else if overlaps || wrapped.get(i + 1) == Some(&true) {
            true
        } else if !has_values {
            if spaced { pitch <= WIDE_PITCH * usual } else { line.stub().is_none() || continues(line, above) }
        } else if opens && above_complete {
            false
        } else if !line_complete && above_complete {
            line.stub().is_none() || continues(line, above) || (usual > 0.0 && pitch < TIGHT_PITCH * usual)
        } else if line_complete && !above_complete {
            // The first lines of a name whose values stand beside its last line.
            line.stub().is_none_or(|_| continues(line, above))
                && above.cells.iter().all(|c| c.col == 0 && c.colspan == 1)
        } else {
            !line_complete && continues(line, above)
        };
        if let Some(start) = out.get_mut(i + 1) {
            *start = !joined;
        }
    }
    out
}

/// Whether the baselines are so close that the lines are beside each other.
fn beside(above: &RowLine, line: &RowLine) -> bool {
    line.baseline - above.baseline < OVERLAPPING_EM * line.size.max(above.size)
}

fn pitch(pair: &[RowLine]) -> f32 {
    match pair {
        [a, b] => b.baseline - a.baseline,
        _ => 0.0,
    }
}

/// Whether the first column of `line` goes on with the words above it.
fn continues(line: &RowLine, above: &RowLine) -> bool {
    line.stub().zip(above.stub()).is_some_and(|(text, before)| continues_text(text, before))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A line of cells without places across.
    pub(crate) fn line(baseline: f32, texts: &[(usize, &str)]) -> RowLine {
        let cells = texts
            .iter()
            .map(|(col, t)| LineCell {
                col: *col,
                colspan: 1,
                text: (*t).into(),
                value: crate::table::text::is_value(t),
                ..LineCell::default()
            })
            .collect();
        RowLine { top: baseline - 8.0, bottom: baseline + 2.0, baseline, size: 10.0, cells }
    }

    #[test]
    fn wrapped_names_join_their_values() {
        let lines = [
            line(10.0, &[(0, "Apples"), (1, "10"), (2, "1.5")]),
            line(22.0, &[(0, "Pears from the southern"), (1, "20"), (2, "2.5")]),
            line(34.0, &[(0, "regions")]),
            line(46.0, &[(0, "Fruit that is neither fresh")]),
            line(58.0, &[(0, "nor dried"), (1, "30"), (2, "3.5")]),
            line(70.0, &[(0, "Vegetables:")]),
            line(82.0, &[(0, "Leeks"), (1, "40"), (2, "-")]),
        ];
        assert_eq!(starts(&lines, 3, &[]), vec![true, true, false, true, false, true, true]);
    }

    #[test]
    fn values_centred_beside_names_join_them() {
        let lines = [
            line(10.0, &[(0, "Premature mortality")]),
            line(15.0, &[(1, "10"), (2, "1.5")]),
            line(20.0, &[(0, "Years of life lost")]),
            line(40.0, &[(0, "Income"), (1, "20"), (2, "2.5")]),
        ];
        assert_eq!(starts(&lines, 3, &[]), vec![true, false, false, true]);
    }

    #[test]
    fn a_name_of_two_lines_starts_a_row_however_close_to_the_last() {
        let lines = [
            line(10.0, &[(0, "Median income"), (1, "10"), (2, "1.5")]),
            line(33.0, &[(0, "Inequality"), (1, "20"), (2, "2.5")]),
            line(51.0, &[(0, "Between-state inequality (Gini")]),
            line(55.5, &[(1, "30"), (2, "3.5")]),
            line(60.0, &[(0, "index)")]),
        ];
        assert_eq!(starts(&lines, 3, &[]), vec![true, true, true, false, false]);
    }

    #[test]
    fn rows_of_several_lines_are_told_by_spacing() {
        let lines = [
            line(10.0, &[(0, "Major"), (1, "Emissions of ten tons")]),
            line(21.0, &[(1, "per year or more")]),
            line(42.0, &[(0, "Area"), (1, "Emissions of less than")]),
            line(53.0, &[(0, "Sources"), (1, "Ten tons per year")]),
        ];
        assert_eq!(starts(&lines, 2, &[]), vec![true, false, true, false]);
    }
}
