//! Cells whose text goes on in further lines, without space between the rows.

use crate::table::rows::{LineCell, RowLine};

/// The lines of one cell are at most this many font sizes apart.
const CELL_PITCH_EM: f32 = 1.5;
/// The first line of a row has at least this fraction of the most cells of any.
const FULL_LINE: f32 = 0.75;
/// Width of a space in font sizes, at least.
const SPACE_EM: f32 = 0.2;
/// Share of the cells of a line that must go on where it has as many of them as the first line of its row.
const MOST_GO_ON: f32 = 0.75;
/// Share of the lines that look like further lines of cells which must show it by their letters.
const SIGNS: f32 = 0.25;

/// For every line whether it holds the further lines of cells that start level with each other above it.
///
/// Most cells of such a line stand right below another one whose text goes on: its first word would not have fitted there,
/// or its letters show it. Mostly there are fewer of them than on the first line of the row. Rows with missing values look
/// alike, so some of the lines must show by their letters that a text goes on.
pub(crate) fn wrapped(lines: &[RowLine], cols: usize) -> Vec<bool> {
    let mut out = vec![false; lines.len()];
    let most = lines.iter().map(|l| l.cells.len()).max().unwrap_or(0);
    // Cells that start level with each other fill the first line, but for a missing value.
    let full = |l: &&RowLine| l.cells.len() > 1 && l.cells.len() as f32 >= FULL_LINE * most as f32;
    let Some(mut first) = lines.first().filter(full) else { return out };
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
            let full = |a: &LineCell| columns.get(c.col).is_some_and(|t| a.x1 > a.x0 && a.x1 + width > t.right);
            shows(c) || upper(c).is_some_and(full)
        };
        let (below, on, shown) = line.cells.iter().fold((true, 0, 0), |(below, on, shown), c| {
            (below && upper(c).is_some(), on + usize::from(goes_on(c)), shown + usize::from(shows(c)))
        });
        // A value below another one with its unit, or the same text once more, is another row's, unless the row has no name or its
        // letters show that its name goes on.
        let look = |c: &LineCell| {
            let number = c.text.chars().find(|c| c.is_alphanumeric()).is_none_or(|c| c.is_ascii_digit());
            (c.text.chars().filter(|c| c.is_alphabetic()).collect::<String>(), number)
        };
        let alike = |c: &LineCell, a: &LineCell| a.text == c.text || c.value && a.value && look(a) == look(c);
        let again = |c: &LineCell| !shows(c) && upper(c).is_some_and(|a| alike(c, a));
        let most_go_on = on as f32 >= MOST_GO_ON * line.cells.len() as f32;
        let named = line.at(0).is_none_or(|c| shows(c) && most_go_on);
        let valued = line.cells.iter().any(again) && !(named && shown > 0);
        let fewer = line.cells.len() < first.cells.len() && on * 2 >= line.cells.len();
        let inner = below
            && !valued
            && line.baseline - above.baseline <= CELL_PITCH_EM * line.size
            && (fewer || shown > 0 && most_go_on);
        if !inner {
            first = line;
            // A name alone that is no further line is a section's, and so may others be.
            names += usize::from(lone(line));
            continue;
        }
        candidates += usize::from(line.stub().is_some());
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

impl LineCell {
    /// Width of its first word, in points, as if all letters were equally wide.
    fn first_word_width(&self) -> f32 {
        let all = self.text.chars().count().max(1);
        (self.x1 - self.x0) * self.text.chars().take_while(|c| *c != ' ').count() as f32 / all as f32
    }
}

/// Whether the letters show that a text goes on with the one above it.
pub(crate) fn continues_text(text: &str, before: &str) -> bool {
    let first = text.chars().find(|c| c.is_alphanumeric() || *c == '(');
    let lower = first.is_some_and(|c| c.is_lowercase() || c == '(') || text.starts_with(['/', '+', '&', ')', ',']);
    let last_word = before.rsplit(' ').next().unwrap_or_default().to_lowercase();
    let open = before.ends_with(['-', ',', '/', '&'])
        || before.ends_with(" +")
        || before.matches('(').count() > before.matches(')').count()
        || matches!(last_word.as_str(), "and" | "or" | "of" | "the" | "in" | "to" | "for" | "with" | "및" | "또는");
    (lower || open) && !before.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::rows::tests::line;

    /// Lines at a pitch of 12, with letters of 5 points and columns 60 points apart.
    fn set(texts: &[&[(usize, &str)]]) -> Vec<RowLine> {
        let place = |(i, cells): (usize, &&[(usize, &str)])| {
            let mut line = line(12.0 * i as f32, cells);
            for cell in &mut line.cells {
                cell.x0 = 60.0 * cell.col as f32;
                cell.x1 = cell.x0 + 5.0 * cell.text.chars().count() as f32;
            }
            line
        };
        texts.iter().enumerate().map(place).collect()
    }

    #[test]
    fn lines_that_would_not_have_fitted_above_go_on() {
        let lines = set(&[
            &[(0, "Velvera"), (1, "AMOLED,"), (2, "$599")],
            &[(0, "One"), (1, "120Hz")],
            &[(0, "128GB")],
            &[(0, "Velvera"), (1, "OLED"), (2, "$659")],
            &[(0, "Edge")],
        ]);
        assert_eq!(wrapped(&lines, 3), [false, true, true, false, true]);
    }

    #[test]
    fn sections_and_rows_with_missing_values_are_rows() {
        // "Roots" would have fitted beside "Apples".
        let lines = set(&[
            &[(0, "Apples"), (1, "10"), (2, "1.5")],
            &[(0, "Roots")],
            &[(0, "Artichokes, fresh"), (1, "40"), (2, "-")],
            &[(0, "Aubergines"), (1, "50")],
        ]);
        assert_eq!(wrapped(&lines, 3), [false; 4]);
        // The same text once more is another row's, however narrow its column.
        let lines = set(&[
            &[(0, "Israel"), (1, "6 months"), (2, "Yes,"), (3, "in advance")],
            &[(2, "visa")],
            &[(0, "Jordan"), (1, "6 months"), (2, "Yes")],
        ]);
        assert_eq!(wrapped(&lines, 4), [false, true, false]);
    }

    #[test]
    fn values_may_go_on_below_values() {
        // "35m" is no further duration, and "256GB" no further size: both have another form than the text above.
        let lines = set(&[
            &[(0, "Addis"), (1, "Boeing"), (2, "6h"), (3, "yes")],
            &[(0, "Ababa (ADD)"), (1, "787"), (2, "35m")],
            &[(0, "Pro 12.9”"), (1, "Airbus"), (2, "7h"), (3, "no")],
            &[(0, "256GB"), (1, "and later")],
        ]);
        assert_eq!(wrapped(&lines, 4), [false, true, false, true]);
        // Where letters show that the name goes on, so do the values beside it.
        let lines = set(&[
            &[(0, "Code VC-"), (1, "020-"), (2, "2019")],
            &[(0, "0472"), (1, "45100899")],
            &[(0, "Code VC-"), (1, "0522-"), (2, "2020")],
            &[(0, "0551"), (1, "40312867")],
        ]);
        assert_eq!(wrapped(&lines, 3), [false, true, false, true]);
        // Else a value below a value is another row's.
        let lines = set(&[
            &[(0, "Small size"), (1, "128GB"), (2, "2019")],
            &[(0, "Large size"), (1, "256GB")],
            &[(0, "In a"), (1, "box"), (2, "2020")],
            &[(0, "and bag")],
        ]);
        assert_eq!(wrapped(&lines, 3), [false, false, false, true]);
    }

    #[test]
    fn letters_show_that_a_text_goes_on() {
        for (text, before) in
            [("and more", "This"), ("/ 8GB", "128GB"), ("Need)", "Oxygen (Medical"), ("US", "Research in")]
        {
            assert!(continues_text(text, before), "{before} {text}");
        }
        assert!(!continues_text("Total", "Assets"));
        assert!(!continues_text("cash", "of which:"));
    }
}
