//! Tables of Korean documents against cells written down by hand from pictures of the pages (`tests/data/korean`).

use std::collections::{HashMap, HashSet};

use evindex::document::Document;
use evindex::parse::{Format, ParseOptions, parse_bytes};
use serde::Deserialize;

use super::support::{root, shared};

/// Cells found over all pages, as the harmonic mean of precision and recall, at least this many.
const LEAST_F1: f32 = 0.95;

/// The tables on some pages of one PDF of the corpus.
#[derive(Deserialize)]
struct Truth {
    pdf: String,
    /// First and last page.
    pages: (u32, u32),
    tables: Vec<Vec<Cell>>,
}

/// A cell with text; white space and the forms of dashes, dots and quotes do not count.
#[derive(Clone, Deserialize, PartialEq, Eq, Hash)]
struct Cell {
    row: usize,
    col: usize,
    #[serde(default = "one")]
    rowspan: usize,
    #[serde(default = "one")]
    colspan: usize,
    text: String,
}

/// Rows and columns by which one table is moved over another.
type Shift = (isize, isize);

fn one() -> usize {
    1
}

/// Counts of cells: in the truth, found, and both.
#[derive(Clone, Copy, Default)]
struct Score {
    truth: usize,
    found: usize,
    both: usize,
}

impl Score {
    fn f1(self) -> f32 {
        2.0 * self.both as f32 / (self.truth + self.found).max(1) as f32
    }

    fn add(&mut self, other: Self) {
        self.truth += other.truth;
        self.found += other.found;
        self.both += other.both;
    }
}

fn plain(text: &str) -> String {
    let one_form = |c: char| match c {
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '─' | '－' => '-',
        '‘' | '’' | '‛' | '´' | '`' | '′' => '\'',
        '“' | '”' => '"',
        '·' | '‧' | '∙' | '•' | '․' | 'ㆍ' | '⋅' | '・' => '·',
        '～' | '∼' | '〜' | '˜' => '~',
        '○' | '◯' | '〇' | '◦' | '❍' | '\u{20dd}' => '○',
        '►' | '▸' => '▶',
        '■' | '▪' | '◾' => '■',
        '₩' | '￦' => '\\',
        other => other,
    };
    let text = text.replace('…', "...").replace('‥', "..").replace("··", "..");
    text.chars().filter(|c| !c.is_whitespace()).map(one_form).collect::<String>().to_lowercase()
}

/// Leaves out rows and columns in which no text starts, and compares texts in their plain form.
fn compact(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = cells.map(|c| Cell { text: plain(&c.text), ..c }).collect();
    cells.retain(|c| !c.text.is_empty());
    let (rows, cols): (HashSet<usize>, HashSet<usize>) = cells.iter().map(|c| (c.row, c.col)).unzip();
    let among = |used: &HashSet<usize>, from: usize, to: usize| (from..to).filter(|i| used.contains(i)).count();
    for cell in &mut cells {
        cell.rowspan = among(&rows, cell.row, cell.row + cell.rowspan);
        cell.colspan = among(&cols, cell.col, cell.col + cell.colspan);
        cell.row = among(&rows, 0, cell.row);
        cell.col = among(&cols, 0, cell.col);
    }
    cells
}

fn found_tables(document: &Document) -> Vec<Vec<Cell>> {
    let tables = document.elements.iter().filter_map(|e| e.table());
    tables
        .map(|t| {
            compact(t.cells.iter().map(|c| Cell {
                row: c.row,
                col: c.col,
                rowspan: c.rowspan,
                colspan: c.colspan,
                text: c.text.clone(),
            }))
        })
        .collect()
}

/// Whether the texts agree, but for characters of which the file does not say what they are.
fn same_text(truth: &str, found: &str) -> bool {
    let mut pairs = truth.chars().zip(found.chars());
    truth.chars().count() == found.chars().count() && pairs.all(|(a, b)| a == b || b == '\u{fffd}')
}

/// The most cells that agree where one table is shifted over the other, and that shift.
fn overlap(a: &[Cell], b: &[Cell]) -> (usize, Shift) {
    let mut votes: HashMap<Shift, usize> = HashMap::new();
    for x in a {
        for y in b.iter().filter(|y| (x.rowspan, x.colspan) == (y.rowspan, y.colspan) && same_text(&x.text, &y.text)) {
            let shift = (y.row as isize - x.row as isize, y.col as isize - x.col as isize);
            *votes.entry(shift).or_default() += 1;
        }
    }
    votes.into_iter().map(|(shift, n)| (n, shift)).max().unwrap_or_default()
}

/// Scores of the true tables of a document, and of all that was found beside them. Says what differs where `EVINDEX_DIFF`
/// is set.
fn compare(name: &str, truth: &[Vec<Cell>], found: &[Vec<Cell>]) -> Vec<(String, Score)> {
    let mut pairs: Vec<(usize, usize, usize, Shift)> = Vec::new();
    for (i, a) in truth.iter().enumerate() {
        for (j, b) in found.iter().enumerate() {
            let (both, shift) = overlap(a, b);
            pairs.push((both, i, j, shift));
        }
    }
    pairs.sort_by_key(|p| (std::cmp::Reverse(p.0), p.1, p.2));
    let mut matched: Vec<Option<(usize, usize, Shift)>> = vec![None; truth.len()];
    let mut free = vec![true; found.len()];
    for (both, i, j, shift) in pairs.into_iter().filter(|p| p.0 > 0) {
        if matched[i].is_none() && free[j] {
            matched[i] = Some((both, j, shift));
            free[j] = false;
        }
    }
    let mut scores = Vec::new();
    for (i, (cells, partner)) in truth.iter().zip(matched).enumerate() {
        let (both, other, shift) =
            partner.map_or((0, &[][..], (0, 0)), |(n, j, shift)| (n, found[j].as_slice(), shift));
        scores.push((format!("{name} {}", i + 1), Score { truth: cells.len(), found: other.len(), both }));
        if std::env::var_os("EVINDEX_DIFF").is_some() && (both < cells.len() || both < other.len()) {
            differences(cells, other, shift);
        }
    }
    let rest: usize = found.iter().zip(free).filter(|(_, free)| *free).map(|(t, _)| t.len()).sum();
    if rest > 0 {
        scores.push((format!("{name}, no tables"), Score { found: rest, ..Score::default() }));
    }
    scores
}

fn differences(truth: &[Cell], found: &[Cell], (rows, cols): Shift) {
    let place = |c: &Cell| (c.row as isize, c.col as isize, c.rowspan, c.colspan);
    let shifted = |c: &Cell| (c.row as isize + rows, c.col as isize + cols, c.rowspan, c.colspan);
    let same = |a: &Cell, b: &Cell| shifted(a) == place(b) && same_text(&a.text, &b.text);
    for cell in truth.iter().filter(|a| !found.iter().any(|b| same(a, b))) {
        eprintln!("    - {:?} {}", shifted(cell), cell.text);
    }
    for cell in found.iter().filter(|b| !truth.iter().any(|a| same(a, b))) {
        eprintln!("    + {:?} {}", place(cell), cell.text);
    }
}

#[test]
fn cells_of_korean_tables() {
    let Some(corpus) = shared("corpus/korean") else { return };
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/data/korean")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 25, "{}", files.len());
    let mut all = Score::default();
    for file in files {
        let truth: Truth = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let options = ParseOptions { pages: Some(truth.pages.0..=truth.pages.1), ..ParseOptions::default() };
        let source = std::fs::read(corpus.join(&truth.pdf)).unwrap();
        let found = match parse_bytes(Format::Pdf, &source, &options) {
            Ok(document) => found_tables(&document),
            Err(error) => panic!("{}: {error}", truth.pdf),
        };
        let tables: Vec<Vec<Cell>> = truth.tables.into_iter().map(|t| compact(t.into_iter())).collect();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        for (table, score) in compare(&name, &tables, &found) {
            eprintln!("{:.3}  {table}  ({} of {}, {} found)", score.f1(), score.both, score.truth, score.found);
            all.add(score);
        }
    }
    eprintln!("{:.4}  all  ({} of {}, {} found)", all.f1(), all.both, all.truth, all.found);
    assert!(all.f1() >= LEAST_F1, "{}", all.f1());
}

#[test]
fn scores_ask_for_text_place_and_spans() {
    let cell = |row, col, colspan, text: &str| Cell { row, col, rowspan: 1, colspan, text: text.into() };
    let truth = compact([cell(0, 0, 2, "제 목"), cell(1, 0, 1, "가"), cell(1, 1, 1, "−1")].into_iter());
    // A row more above, a blank column between: all agree but the span.
    let found =
        [cell(0, 0, 1, "위"), cell(1, 0, 1, "제목"), cell(2, 0, 1, "가"), cell(2, 2, 1, "-1"), cell(3, 1, 1, " ")];
    let found = compact(found.into_iter());
    let scores: Vec<Score> = compare("", &[truth], &[found]).into_iter().map(|s| s.1).collect();
    assert_eq!(scores.iter().map(|s| (s.truth, s.found, s.both)).collect::<Vec<_>>(), [(3, 4, 2)]);
}
