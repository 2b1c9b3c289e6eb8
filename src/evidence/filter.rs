//! Tables that are no evidence: tables of contents, lists of tables and figures, and tables without a word.

use super::scene::{Role, neighbours};
use crate::document::label;
use crate::document::{Document, Table};

/// Fewest rows of a table of contents.
const MIN_ROWS: usize = 3;
/// Share of rows that have to end in a page number.
const PAGE_NUMBERS: f32 = 0.7;
/// Share of page numbers that are not smaller than the one before.
const ASCENDING: f32 = 0.8;
/// Share of rows with dot leaders that makes a table of contents without any heading.
const LEADERS: f32 = 0.5;
/// Most places of a table that is read as a grid; a larger one comes from a broken span and goes into text chunks.
const MAX_PLACES: usize = 4_000_000;
/// How far above a table the words `Contents` or `목차` are looked for, in points.
const REACH: f32 = 120.0;

/// What the heading over a table of contents says, lower case, without spaces.
const TITLES: [&str; 18] = [
    "contents",
    "tableofcontents",
    "listoftables",
    "listoffigures",
    "listoftablesandfigures",
    "figures",
    "tables",
    "index",
    "목차",
    "차례",
    "표목차",
    "그림목차",
    "표차례",
    "그림차례",
    "표및그림목차",
    "目次",
    "目录",
    "inhaltsverzeichnis",
];

/// Whether the table at this index is evidence.
pub(crate) fn keeps(document: &Document, roles: &[Role], at: usize) -> bool {
    let Some(table) = document.elements.get(at).and_then(|e| e.table()) else { return false };
    let words = table.cells.iter().any(|c| !c.text.trim().is_empty());
    let places = table.rows.checked_mul(table.cols).is_some_and(|n| (1..=MAX_PLACES).contains(&n));
    words && places && !is_contents(document, roles, at, table)
}

fn is_contents(document: &Document, roles: &[Role], at: usize, table: &Table) -> bool {
    let rows = row_texts(table);
    let body = rows.get(table.header_rows()..).unwrap_or_default();
    let body: Vec<&RowEnd> = body.iter().filter(|r| !r.last.is_empty()).collect();
    if body.len() < MIN_ROWS {
        return false;
    }
    let share = |n: usize, of: usize| n as f32 / of.max(1) as f32;
    let numbers: Vec<PageNumber> = body.iter().filter_map(|r| page_number(&r.last)).collect();
    if share(numbers.len(), body.len()) < PAGE_NUMBERS {
        return false;
    }
    // Roman and Arabic numbers each count upwards.
    let ascending =
        numbers.iter().zip(numbers.iter().skip(1)).filter(|(a, b)| a.roman != b.roman || a.value <= b.value).count();
    if share(ascending, numbers.len() - 1) < ASCENDING {
        return false;
    }
    let leaders = body.iter().filter(|r| r.leaders).count();
    let labelled = body.iter().filter(|r| r.labelled).count();
    share(leaders, body.len()) >= LEADERS
        || share(labelled, body.len()) >= PAGE_NUMBERS
        || has_title(document, roles, at, table)
}

/// What the end of a row says.
#[derive(Clone, Debug, Default)]
struct RowEnd {
    last: String,
    leaders: bool,
    labelled: bool,
}

/// The last text of every row, and whether the row has dot leaders or starts with `Table 3`, `그림 1`.
fn row_texts(table: &Table) -> Vec<RowEnd> {
    let mut rows = vec![RowEnd::default(); table.rows];
    for cell in &table.cells {
        let text = cell.text.trim();
        let Some(row) = rows.get_mut(cell.row).filter(|_| !text.is_empty()) else { continue };
        if row.last.is_empty() {
            row.labelled = label::leading(text).is_some();
        }
        row.leaders |= [". . .", "....", "…", "···", "‥"].iter().any(|dots| text.contains(dots));
        row.last = text.to_owned();
    }
    rows
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PageNumber {
    value: u32,
    roman: bool,
}

/// `12`, `. vii`, `…… 12`, `p. 3`, `3쪽`, or the number behind dot leaders.
fn page_number(text: &str) -> Option<PageNumber> {
    let leader = |c: char| c.is_whitespace() || ".…·‥-–_".contains(c);
    let text = text.trim().trim_end_matches(['쪽', '면', '页']);
    // The whole of a contents line in one cell: what follows the leaders.
    let text = ["...", "…", ". .", "···"]
        .iter()
        .filter_map(|dots| text.rsplit_once(dots))
        .map(|(_, t)| t)
        .next()
        .unwrap_or(text);
    let text = text.trim_matches(leader).to_lowercase();
    let text = text.strip_prefix("p.").or_else(|| text.strip_prefix("pp.")).unwrap_or(&text).trim();
    if !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok().map(|value| PageNumber { value, roman: false });
    }
    roman(text).map(|value| PageNumber { value, roman: true })
}

fn roman(text: &str) -> Option<u32> {
    let digit = |c: char| match c {
        'i' => Some(1),
        'v' => Some(5),
        'x' => Some(10),
        'l' => Some(50),
        'c' => Some(100),
        _ => None,
    };
    let digits: Vec<u32> = text.chars().map(digit).collect::<Option<_>>()?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let mut value = 0_u32;
    for (i, &d) in digits.iter().enumerate() {
        let smaller = digits.get(i + 1).is_some_and(|&next| d < next);
        value = if smaller { value.checked_sub(d).or(Some(value))? } else { value + d };
    }
    Some(value)
}

/// Whether `Contents` or the like stands over the table: as its heading, as the text above it, or in its first row.
fn has_title(document: &Document, roles: &[Role], at: usize, table: &Table) -> bool {
    let first_row = table.cells.iter().take_while(|c| c.row == 0).map(|c| c.text.as_str());
    let above = neighbours(document, at, true, REACH).into_iter().map(|s| s.index).take(3);
    let above = above.filter(|&i| !matches!(roles.get(i), Some(Role::Table)));
    let headings = document.heading_path(at);
    above
        .filter_map(|i| document.elements.get(i).map(|e| e.text.as_str()))
        .chain(headings)
        .chain(first_row)
        .any(is_title)
}

fn is_title(text: &str) -> bool {
    let plain: String = text.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).take(40).collect();
    TITLES.contains(&plain.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers() {
        let value = |text: &str| page_number(text).map(|n| (n.value, n.roman));
        for (text, number) in [
            ("12", (12, false)),
            (". vii", (7, true)),
            ("…… 12", (12, false)),
            ("p. 3", (3, false)),
            ("3쪽", (3, false)),
            ("1.2 Method . . . . . 17", (17, false)),
            ("xiv", (14, true)),
        ] {
            assert_eq!(value(text), Some(number), "{text}");
        }
        for text in ["1,234", "12%", "word", "", "3.5.7", "12345"] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn titles() {
        for text in ["Contents", "TABLE OF CONTENTS", "목 차", "<표 목차>", "차례", "List of Figures"] {
            assert!(is_title(text), "{text}");
        }
        for text in ["Content moderation", "목차 구성의 원칙", "Contents of the box by weight"] {
            assert!(!is_title(text), "{text}");
        }
    }
}
