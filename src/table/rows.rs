//! Which lines of text form one row of a table, where no rule says so.

use crate::table::text::median;

/// A line closer to the one above than this fraction of the usual pitch continues its row.
const TIGHT_PITCH: f32 = 0.85;
/// A pitch above this multiple of the smallest one starts a row where cells hold several lines.
const WIDE_PITCH: f32 = 1.25;
/// Baselines closer than this many font sizes are beside each other: values centred on names of several lines.
const OVERLAPPING_EM: f32 = 0.75;
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
/// The lines of one cell are at most this many font sizes apart.
const CELL_PITCH_EM: f32 = 1.5;
/// Width of a space in font sizes, at least.
const SPACE_EM: f32 = 0.2;
/// Share of the cells of a line that must go on where it has as many of them as the first line of its row.
const MOST_GO_ON: f32 = 0.75;
/// Share of the lines that look like further lines of cells which must show it by their letters.
const SIGNS: f32 = 0.25;
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
    /// Width of its first word, in points, as if all letters were equally wide.
    fn first_word_width(&self) -> f32 {
        let all = self.text.chars().count().max(1);
        (self.x1 - self.x0) * self.text.chars().take_while(|c| *c != ' ').count() as f32 / all as f32
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
    fn at(&self, col: usize) -> Option<&LineCell> {
        self.cells.iter().find(|c| c.col <= col && col < c.col + c.colspan)
    }

    /// The text of the first column.
    fn stub(&self) -> Option<&str> {
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
        let far = pitch > 2.5 * line.size.max(above.size);
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

/// Whether the baselines are so close that the lines are beside each other.
fn beside(above: &RowLine, line: &RowLine) -> bool {
    line.baseline - above.baseline < OVERLAPPING_EM * line.size.max(above.size)
}

/// For every line whether it holds the further lines of cells that start level with each other above it.
///
/// Most cells of such a line stand right below another one whose text goes on: its first word would not have fitted there,
/// or its letters show it. Mostly there are fewer of them than on the first line of the row. Rows with missing values look
/// alike, so some of the lines must show by their letters that a text goes on.
fn wrapped(lines: &[RowLine], cols: usize) -> Vec<bool> {
    let mut out = vec![false; lines.len()];
    let most = lines.iter().map(|l| l.cells.len()).max().unwrap_or(0);
    // Cells that start level with each other fill the first line.
    let Some(mut first) = lines.first().filter(|l| l.cells.len() == most && most > 1) else { return out };
    let columns: Vec<ColumnText> = (0..cols).map(|col| ColumnText::new(lines, col)).collect();
    let (mut candidates, mut signs, mut names) = (0usize, 0usize, 0usize);
    let lone = |l: &RowLine| l.stub().is_some() && l.cells.len() == 1;
    for (i, pair) in lines.windows(2).enumerate() {
        let [above, line] = pair else { continue };
        let upper = |c: &LineCell| above.at(c.col).filter(|a| (a.colspan, c.colspan) == (1, 1));
        let shows = |c: &LineCell| {
            let known = columns.get(c.col).is_some_and(|t| !t.lower || !starts_lower(&c.text));
            known && upper(c).is_some_and(|a| continues_text(&c.text, &a.text))
        };
        let goes_on = |c: &LineCell| {
            let width = SPACE_EM * line.size + c.first_word_width();
            let full = |a: &LineCell| columns.get(c.col).is_some_and(|t| a.x1 + width > t.right);
            shows(c) || upper(c).is_some_and(full)
        };
        let (below, on, shown) = line.cells.iter().fold((true, 0, 0), |(below, on, shown), c| {
            (below && upper(c).is_some(), on + usize::from(goes_on(c)), shown + usize::from(shows(c)))
        });
        // A value below another one, or the same text once more, is another row's, unless the row has no name.
        let letters = |c: &LineCell| c.text.contains(char::is_alphabetic);
        let alike = |c: &LineCell| upper(c).is_some_and(|a| a.value && letters(a) == letters(c));
        let valued =
            line.cells.iter().any(|c| c.value && !shows(c) && alike(c)) && !(line.stub().is_none() && shown > 0);
        let fewer = line.cells.len() < first.cells.len() && on * 2 >= line.cells.len();
        let inner = below
            && !valued
            && line.baseline - above.baseline <= CELL_PITCH_EM * line.size
            && (fewer || shown > 0 && on as f32 >= MOST_GO_ON * line.cells.len() as f32);
        if !inner {
            first = line;
            // A name alone that is no further line is a section's, and so may others be.
            names += usize::from(lone(line));
            continue;
        }
        candidates += 1;
        // The name of a section is never the last line.
        signs += usize::from(shown > 0 || i + 2 == lines.len());
        if let Some(place) = out.get_mut(i + 1) {
            *place = true;
        }
    }
    if (signs as f32) < SIGNS * candidates as f32 {
        // Names are left to tell, if all of them go on.
        for (place, line) in out.iter_mut().zip(lines) {
            *place &= names == 0 && lone(line);
        }
    }
    out
}

/// How the text of a column is set.
struct ColumnText {
    /// Right edge of its longest line, in points.
    right: f32,
    /// Whether most of its lines start with a lower-case letter, which then shows nothing.
    lower: bool,
}

impl ColumnText {
    fn new(lines: &[RowLine], col: usize) -> Self {
        let cells = || lines.iter().flat_map(|l| &l.cells).filter(move |c| (c.col, c.colspan) == (col, 1));
        let lower = cells().filter(|c| starts_lower(&c.text)).count();
        // A long word may run over the next column, but no line is broken so late.
        let next = lines.iter().flat_map(|l| &l.cells).filter(|c| c.col == col + 1).map(|c| c.x0);
        let limit = next.fold(f32::INFINITY, f32::min);
        Self { right: cells().map(|c| c.x1).fold(0.0, f32::max).min(limit), lower: lower * 4 > cells().count() * 3 }
    }
}

fn starts_lower(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_lowercase)
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

/// Whether the letters show that a text goes on with the one above it.
fn continues_text(text: &str, before: &str) -> bool {
    let first = text.chars().find(|c| c.is_alphanumeric() || *c == '(');
    let lower = first.is_some_and(|c| c.is_lowercase() || c == '(') || text.starts_with(['/', '+', '&', ')', ',']);
    let last_word = before.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let open = before.ends_with(['-', ',', '/', '&', '+'])
        || before.matches('(').count() > before.matches(')').count()
        || matches!(last_word.as_str(), "and" | "or" | "of" | "the" | "in" | "to" | "for" | "with" | "및" | "또는");
    (lower || open) && !before.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(baseline: f32, texts: &[(usize, &str)]) -> RowLine {
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
