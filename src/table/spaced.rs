//! Rows of text told by the space between them: in tables whose cells hold several lines.

use crate::table::rows::{RowLine, WIDE_PITCH, value_columns};

/// The lines of one cell are set evenly: their pitches differ by at most this factor.
const EVEN_PITCH: f32 = 1.15;
/// Fewest even pitches that show how the lines of a cell are set.
const FEWEST_EVEN: usize = 3;
/// A pitch differs from that of several lines where it does by more than this fraction of one line.
const OFF_GRID: f32 = 0.12;
/// Only columns with at least this fraction of the lines of the fullest one show how lines of a cell are set.
const FULLEST: f32 = 0.7;
/// Fewest rows that a column must tell apart.
const FEWEST_ROWS: usize = 3;

/// For every line whether it starts a row, in a table of text whose cells hold several lines: one column is set so evenly
/// that its wider pitches must lie between rows. `None` where no column is.
pub(crate) fn spaced_starts(lines: &[RowLine], cols: usize) -> Option<Vec<bool>> {
    if value_columns(lines, cols).contains(&true) {
        return None;
    }
    let column = |col: usize| -> Vec<f32> {
        lines.iter().flat_map(|l| &l.cells).filter(|c| (c.col, c.colspan) == (col, 1)).map(|c| c.baseline).collect()
    };
    let columns: Vec<Vec<f32>> = (0..cols).map(column).collect();
    let most = columns.iter().map(Vec::len).max().unwrap_or(0) as f32;
    // Where cells hold a single line, pitches are those of rows.
    let fullest = columns.iter().filter(|c| c.len() as f32 >= FULLEST * most);
    let all: Vec<f32> = columns.iter().flatten().copied().collect();
    let tops = fullest.filter_map(|c| row_tops(c, &all)).max_by_key(Vec::len)?;
    let mut next = tops.iter().peekable();
    let mut starts = Vec::with_capacity(lines.len());
    for line in lines {
        let mut start = starts.is_empty();
        while next.next_if(|y| **y <= line.baseline).is_some() {
            start = true;
        }
        starts.push(start);
    }
    // Lines with text in every column are rows by themselves: wider gaps are between groups of them.
    let full = |l: &RowLine| (0..cols).all(|col| l.at(col).is_some());
    let inner: Vec<&RowLine> = lines.iter().zip(&starts).filter(|(_, start)| !**start).map(|(l, _)| l).collect();
    (inner.iter().filter(|l| full(l)).count() * 2 < inner.len()).then_some(starts)
}

/// y above which no line of a row lies, by the baselines `at` of one column among `all`.
fn row_tops(at: &[f32], all: &[f32]) -> Option<Vec<f32>> {
    let pitches = || at.windows(2).map(|w| if let [a, b] = w { b - a } else { 0.0 });
    let tight = pitches().fold(f32::INFINITY, f32::min);
    let even = pitches().filter(|p| *p <= EVEN_PITCH * tight).count();
    let wide = pitches().filter(|p| *p > WIDE_PITCH * tight).count();
    if !(tight > 0.0 && even >= FEWEST_EVEN && wide + 1 >= FEWEST_ROWS && even + wide + 1 == at.len()) {
        return None;
    }
    // A pitch of several lines says nothing where other columns have text in between: then the cell is only shorter.
    let telling = |w: &&[f32]| {
        let [a, b] = w else { return false };
        let lines = (b - a) / tight;
        let between = |y: &f32| *y > a + tight / 2.0 && *y < b - tight / 2.0;
        lines > WIDE_PITCH && ((lines - lines.round()).abs() > OFF_GRID || !all.iter().any(between))
    };
    if at.windows(2).filter(telling).count() * 2 < wide {
        return None;
    }
    let starts = at.iter().skip(1).zip(pitches()).filter(|(_, p)| *p > WIDE_PITCH * tight).map(|(y, _)| *y);
    // Cells of one row are hardly ever more than half a line higher or lower than each other.
    Some(at.first().copied().into_iter().chain(starts).map(|y| y - tight / 2.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::rows::tests::line;

    /// Cells with their own baselines.
    fn set(lines: Vec<RowLine>) -> Vec<RowLine> {
        let set = |mut line: RowLine| {
            line.cells.iter_mut().for_each(|c| c.baseline = line.baseline);
            line
        };
        lines.into_iter().map(set).collect()
    }

    #[test]
    fn the_column_that_is_set_most_evenly_tells_the_rows() {
        let at = |y: f32, col: usize, text: &str| {
            let mut line = line(y, &[(col, text)]);
            line.cells.iter_mut().for_each(|c| c.baseline = y);
            line
        };
        // Cells of up to three lines; those of the first column stand up to two points lower and are set unevenly.
        let lines = [
            at(10.0, 1, "The environment allows"),
            at(12.0, 0, "Project creation"),
            at(19.0, 1, "to proceed quickly"),
            at(24.0, 0, "and management"),
            at(32.0, 1, "Data is kept"),
            at(34.0, 0, "Storage"),
            at(41.0, 1, "in one"),
            at(50.0, 1, "place"),
            at(52.0, 0, "of data"),
            at(64.0, 1, "Models are"),
            at(66.0, 0, "Training"),
            at(73.0, 1, "compared"),
        ];
        let starts = spaced_starts(&lines, 2).unwrap();
        let rows: Vec<usize> = starts.iter().enumerate().filter(|(_, s)| **s).map(|(i, _)| i).collect();
        assert_eq!(rows, [0, 4, 9]);
        // Lines with text in both columns are rows by themselves, in groups.
        let grouped: Vec<RowLine> = [10.0, 19.0, 28.0, 42.0, 51.0, 65.0, 74.0]
            .iter()
            .map(|y| {
                let mut line = line(*y, &[(0, "Street"), (1, "Town")]);
                line.cells.iter_mut().for_each(|c| c.baseline = *y);
                line
            })
            .collect();
        assert_eq!(spaced_starts(&grouped, 2), None);
    }

    #[test]
    fn cells_of_one_line_show_nothing() {
        // Rows of one or two lines without space between them: the gaps in the second column are lines of the first.
        let lines = set(vec![
            line(10.0, &[(0, "Saudi"), (1, "6 months")]),
            line(22.0, &[(0, "Arabia")]),
            line(34.0, &[(0, "Qatar"), (1, "6 months")]),
            line(46.0, &[(0, "Kuwait"), (1, "6 months")]),
            line(58.0, &[(0, "Bahrain"), (1, "6 months")]),
            line(70.0, &[(0, "Oman and"), (1, "6 months")]),
            line(82.0, &[(0, "others")]),
            line(94.0, &[(0, "Jordan"), (1, "6 months")]),
        ]);
        assert_eq!(spaced_starts(&lines, 2), None);
    }
}
