//! Tables of contents and lists of tables: names with the numbers of their pages in a column of their own.

use super::lines::Line;

/// A table of contents without a name has at least this many entries on a page.
pub(crate) const FEWEST_ENTRIES: usize = 4;
/// Share of the numbers that have a name beside them, and that are no smaller than the one above.
const MOST: f32 = 0.75;
/// Page numbers of one column end, or start, within this many points.
const SAME_EDGE: f32 = 2.0;
/// Baselines of one row differ by less than this many font sizes.
const SAME_ROW: f32 = 0.3;

/// Joins names and page numbers of tables of contents to one line each, so that they are not taken for two columns.
pub(crate) fn join(lines: Vec<Line>) -> Vec<Line> {
    let numbers: Vec<(usize, u32)> =
        lines.iter().enumerate().filter_map(|(at, l)| Some((at, page_number(&l.text())?))).collect();
    if numbers.len() < FEWEST_ENTRIES {
        return lines;
    }
    let is_number = |at: usize| numbers.iter().any(|(n, _)| *n == at);
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for edge in [|l: &Line| l.bbox.x1, |l: &Line| l.bbox.x0] {
        let mut sorted: Vec<(f32, usize, u32)> = numbers
            .iter()
            .filter(|(at, _)| !rows.iter().any(|row| row.contains(at)))
            .filter_map(|&(at, value)| Some((edge(lines.get(at)?), at, value)))
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        for column in sorted.chunk_by_mut(|a, b| b.0 - a.0 < SAME_EDGE) {
            column.sort_by_key(|(_, at, _)| *at);
            let ascending = column.windows(2).filter(|w| matches!(w, [a, b] if a.2 <= b.2)).count() + 1;
            let entries: Vec<Vec<usize>> = column.iter().map(|&(_, at, _)| entry(&lines, at, &is_number)).collect();
            let named = entries.iter().filter(|e| e.len() > 1).count();
            let enough = |n: usize| n as f32 >= MOST * column.len() as f32;
            if column.len() >= FEWEST_ENTRIES && enough(ascending) && enough(named) {
                rows.extend(entries);
            }
        }
    }
    if rows.is_empty() {
        return lines;
    }
    let mut pieces: Vec<Option<Line>> = lines.into_iter().map(Some).collect();
    let mut out: Vec<Line> = Vec::with_capacity(pieces.len());
    for row in rows {
        out.extend(Line::join(row.iter().filter_map(|&at| pieces.get_mut(at)?.take()).collect()));
    }
    out.extend(pieces.into_iter().flatten());
    out.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    out
}

/// The number at `at` and what stands to the left of it on its row, up to the next number.
fn entry(lines: &[Line], at: usize, is_number: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let Some(number) = lines.get(at) else { return Vec::new() };
    let mut row: Vec<(usize, &Line)> = lines
        .iter()
        .enumerate()
        .filter(|(i, l)| {
            *i != at && l.bbox.x1 <= number.bbox.x0 && (l.baseline - number.baseline).abs() < SAME_ROW * l.size.max(1.0)
        })
        .collect();
    row.sort_by(|a, b| b.1.bbox.x0.total_cmp(&a.1.bbox.x0));
    let name: Vec<usize> = row.iter().map(|(i, _)| *i).take_while(|&i| !is_number(i)).collect();
    let letters =
        name.iter().filter_map(|&i| lines.get(i)).any(|l| l.text().chars().filter(|c| c.is_alphabetic()).count() >= 2);
    std::iter::once(at).chain(name.into_iter().filter(|_| letters)).collect()
}

/// Value of a page number for its order: roman ones, which count the pages before the text, are 0.
fn page_number(text: &str) -> Option<u32> {
    let roman = !text.is_empty() && text.len() <= 7 && text.bytes().all(|b| b"ivxl".contains(&b));
    let digits = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if roman { Some(0) } else { text.parse().ok().filter(|_| digits) }
}

/// Whether a line names something and ends with a page number that is set apart.
pub(crate) fn ends_as_entry(line: &Line) -> bool {
    let [.., before, last] = line.words.as_slice() else { return false };
    let number = |t: &str| t.bytes().all(|b| b.is_ascii_digit()) || t.bytes().all(|b| b"ivxl".contains(&b));
    let named = line.words.iter().flat_map(|w| w.text.chars()).filter(|c| c.is_alphabetic()).take(2).count() == 2;
    let dotted = before.text.ends_with("..") || before.text.ends_with('…') || before.text.ends_with("··");
    named
        && number(last.text.trim_start_matches(['.', '…', '·']))
        && (dotted || last.bbox.x0 - before.bbox.x1 > 2.0 * line.size)
}

/// `Contents`, `List of Tables`, `목차`: a name above a table of contents.
pub(crate) fn is_name(text: &str) -> bool {
    let name: String = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    matches!(
        name.as_str(),
        "contents" | "tableofcontents" | "listoftables" | "listoffigures" | "목차" | "차례" | "표목차" | "그림목차"
    )
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::{cut, set};
    use super::*;

    fn joined(lines: &[(&str, f32, f32)]) -> Vec<String> {
        let words = lines.iter().flat_map(|(text, x, y)| set(text, *x, *y, 10.0)).collect();
        join(cut(words)).iter().map(Line::text).collect()
    }

    #[test]
    fn names_and_page_numbers_are_one_line() {
        let names = ["Summary", "Legal Framework", "Election and", "Campaign", "Recommendations"];
        let numbers = [Some("v"), Some("6"), Some("11"), None, Some("39")];
        let mut lines = Vec::new();
        for (i, (name, number)) in names.iter().zip(numbers).enumerate() {
            let y = 100.0 + 20.0 * i as f32;
            lines.push((*name, 50.0, y));
            lines.extend(number.map(|n| (n, 400.0 - 5.0 * n.len() as f32, y)));
        }
        let expected = ["Summary v", "Legal Framework 6", "Election and 11", "Campaign", "Recommendations 39"];
        assert_eq!(joined(&lines), expected);
    }

    #[test]
    fn values_that_fall_are_no_page_numbers() {
        let values = ["90", "40", "30", "5"];
        let lines: Vec<(&str, f32, f32)> = values
            .iter()
            .enumerate()
            .flat_map(|(i, v)| [("name", 50.0, 100.0 + 20.0 * i as f32), (*v, 390.0, 100.0 + 20.0 * i as f32)])
            .collect();
        assert_eq!(joined(&lines).len(), 8);
    }
}
