//! Tables whose cells are bounded by rules or shading.

use std::collections::HashMap;

use crate::document::BBox;
use crate::pdf::PageContent;
use crate::table::MAJORITY;
use crate::table::forms;
use crate::table::grid::{Draft, DraftCell, cell_text};
use crate::table::judge::{is_caption, is_note, is_unit};
use crate::table::lattice::{self, Component, Lattice};
use crate::table::refine;
use crate::table::rows::{self, LineCell, RowLine};
use crate::table::rules::Rules;
use crate::table::structure::{self, PHRASE_EM};
use crate::table::text::{self, Line};
use crate::table::turned;

/// A grid with rules through more than this share of its words is a chart.
const MOST_CROSSED: f32 = 0.15;
/// A rule runs through a word where it keeps this share of the word's extent from both its edges: underlines and edges of cells
/// stay outside.
const THROUGH: f32 = 0.3;
/// A header line above the grid is at most this many font sizes away.
const HEADER_GAP_EM: f32 = 0.9;
/// Lines in a band without inner rules are rows where at least this fraction of them has text in every column.
const FULL_LINES: f32 = 0.8;
/// Baselines at least this many font sizes apart have a blank line between them.
const BLANK_LINE_EM: f32 = 1.9;
/// A box around one of several columns covers less than this fraction of the table's width.
const MARKED: f32 = 0.25;
/// Lines end at a box where they end within this many points of it.
const SLACK: f32 = 4.0;
/// In a grid of one row and two columns, at least this many lines make a list of names and their texts.
const FEWEST_NAMES: usize = 6;
/// Share of its lines that have a name.
const NAMED_LINES: f32 = 0.7;
/// Such a name has at most this many words.
const NAME_WORDS: usize = 4;
/// Marks that start a line of the text between two tables, not the name of a section of one table.
const BULLETS: [char; 14] = ['○', '◯', '〇', '●', '◦', '□', '■', '◇', '◆', '▶', '►', '•', '※', '☞'];
/// A row is a header of several columns from this many lines on,
const HEADER_LINES: usize = 2;
/// each with at least this many phrases.
const HEADER_PHRASES: usize = 3;
/// A page break may leave so few rows of a table that they look like a frame: at most this many.
const MOST_ROWS_LEFT: usize = 2;
/// A band is cut into rows of plain text only from this many lines on: fewer are the lines of one cell.
const FEWEST_TEXT_ROWS: usize = 4;

/// Drafts of all grids on the page, of at least two columns, largest first. A grid within another one is left out: its
/// words belong to a cell of the outer one.
pub(crate) fn find(page: &PageContent, rules: &Rules, words: &[usize]) -> Vec<Draft> {
    let is_row = |area: &BBox| {
        let within = |b: &BBox| area.contains_point(b.center_x(), b.center_y());
        let inside: Vec<usize> =
            words.iter().copied().filter(|&w| page.words.get(w).is_some_and(|w| within(&w.bbox))).collect();
        let text = cell_text(&page.words, &inside);
        let between = is_caption(&text) || is_note(&text) || is_unit(&text) || text.starts_with(BULLETS);
        !between && text::lines(&page.words, &inside, f32::INFINITY).len() == 1
    };
    let mut components = lattice::join_sections(lattice::components(rules), &is_row);
    components.retain(|c| c.vertical.len() + c.horizontal.len() >= 4);
    components.sort_by(|a, b| b.hull().area().total_cmp(&a.hull().area()));
    let mut found: Vec<Draft> = Vec::new();
    for component in &components {
        let Some(lattice) = lattice::lattice(component) else { continue };
        let hull = component.hull();
        if marks_a_column(component, &hull) {
            continue;
        }
        if found.iter().any(|d| d.bbox().intersection(&hull).is_some_and(|i| i.area() > MAJORITY * hull.area())) {
            continue;
        }
        let mut draft = draft(page, &lattice, words);
        if is_chart(page, component, &draft) {
            continue;
        }
        refine::split_columns(page, &mut draft);
        if component.vertical.len() == 2 && has_undivided_row(page, &draft) {
            continue;
        }
        split_bands(page, &mut draft);
        turned::place(page, &mut draft);
        draft.drop_empty_lines();
        draft.merge_slivers();
        if draft.cols() >= 2 || is_column(page, &draft) {
            add_header_above(page, &mut draft, words);
            // A single row is a frame around other tables, if it is no strip of a form.
            if draft.rows() >= 2 || forms::is_strip(&draft) {
                found.push(draft);
            }
        }
    }
    found
}

/// The uppermost grid of the page where it has too few rows to be told for a table by itself.
pub(crate) fn rows_at_top(page: &PageContent, rules: &Rules, words: &[usize]) -> Option<Draft> {
    let grids = lattice::components(rules).into_iter().filter(|c| c.vertical.len() >= 2 && c.horizontal.len() >= 2);
    let first = grids.min_by(|a, b| a.hull().y0.total_cmp(&b.hull().y0))?;
    let draft = draft(page, &lattice::lattice(&first)?, words);
    let filled = draft.cells.iter().any(|c| !c.words.is_empty());
    (filled && draft.rows() <= MOST_ROWS_LEFT && !is_chart(page, &first, &draft)).then_some(draft)
}

/// Whether the only upright lines are the sides of a box around the last column: the others are told by white space.
fn marks_a_column(component: &Component, hull: &BBox) -> bool {
    let [a, b] = component.vertical.as_slice() else { return false };
    let (left, right) = (a.at.min(b.at), a.at.max(b.at));
    right - left < MARKED * hull.width() && hull.x1 - right < SLACK && left - hull.x0 > SLACK
}

/// Whether a row is one cell although its lines have gaps: in a frame around columns told by white space, the header with
/// names over several of them. Those are better told by the rules across alone.
fn has_undivided_row(page: &PageContent, draft: &Draft) -> bool {
    let gaps = |c: &DraftCell| {
        let lines = text::lines(&page.words, &c.words, PHRASE_EM);
        lines.iter().filter(|l| l.phrases.len() >= HEADER_PHRASES).count() >= HEADER_LINES
    };
    draft.cols() > 1 && draft.cells.iter().any(|c| c.colspan == draft.cols() && gaps(c))
}

/// Whether the rows of a grid of one column hold one phrase per line: otherwise its columns are not drawn.
fn is_column(page: &PageContent, draft: &Draft) -> bool {
    let lines: Vec<Line> = draft.cells.iter().flat_map(|c| text::lines(&page.words, &c.words, PHRASE_EM)).collect();
    draft.rows() >= 2 && lines.iter().filter(|l| l.phrases.len() > 1).count() * 4 <= lines.len()
}

/// Adds the line directly above the grid as a row where each of its phrases stands over a column of its own.
fn add_header_above(page: &PageContent, draft: &mut Draft, words: &[usize]) {
    let area = draft.bbox();
    let band: Vec<usize> = words
        .iter()
        .copied()
        .filter(|&w| {
            page.words.get(w).is_some_and(|w| {
                w.bbox.center_y() < area.y0
                    && area.y0 - w.bbox.y1 <= HEADER_GAP_EM * w.size
                    && w.bbox.x1 > area.x0
                    && w.bbox.x0 < area.x1
            })
        })
        .collect();
    let lines = text::lines(&page.words, &band, 1.0);
    let [line] = lines.as_slice() else { return };
    let columns: Vec<Option<usize>> = line
        .phrases
        .iter()
        .map(|p| interval(&draft.xs, p.bbox.x0 + 1.0).filter(|c| interval(&draft.xs, p.bbox.x1 - 1.0) == Some(*c)))
        .collect();
    let distinct = columns.windows(2).all(|w| matches!(w, [Some(a), Some(b)] if a < b));
    if columns.len() < 2 || columns.len() + 1 < draft.cols() || !distinct || columns.contains(&None) {
        return;
    }
    for cell in &mut draft.cells {
        cell.row += 1;
    }
    for (phrase, col) in line.phrases.iter().zip(columns.into_iter().flatten()) {
        let words = phrase.words.clone();
        draft.cells.push(DraftCell { row: 0, col, rowspan: 1, colspan: 1, words, ..DraftCell::default() });
    }
    draft.ys.insert(0, line.bbox.y0);
    draft.header_hint = 1;
    draft.fill();
}

/// Whether rules run through the words: gridlines of a chart do, edges of cells never.
fn is_chart(page: &PageContent, component: &Component, draft: &Draft) -> bool {
    let (mut all, mut crossed) = (0usize, 0usize);
    for word in draft.cells.iter().flat_map(|c| &c.words).filter_map(|&w| page.words.get(w)) {
        let b = word.bbox;
        let through =
            |at: f32, from: f32, to: f32| at > from + THROUGH * (to - from) && at < to - THROUGH * (to - from);
        let hit = component
            .horizontal
            .iter()
            .any(|s| through(s.at, b.y0, b.y1) && s.cover(b.x0, b.x1) > MAJORITY * b.width())
            || component
                .vertical
                .iter()
                .any(|s| through(s.at, b.x0, b.x1) && s.cover(b.y0, b.y1) > MAJORITY * b.height());
        all += 1;
        crossed += usize::from(hit);
    }
    crossed as f32 > MOST_CROSSED * all as f32
}

/// Puts the words into the cells in which their centres lie.
fn draft(page: &PageContent, lattice: &Lattice, words: &[usize]) -> Draft {
    let mut cells: Vec<DraftCell> = lattice
        .cells
        .iter()
        .map(|c| {
            let edge = |v: &[f32], i: usize| v.get(i).copied().unwrap_or(0.0);
            let bbox = BBox {
                x0: edge(&lattice.xs, c.col),
                y0: edge(&lattice.ys, c.row),
                x1: edge(&lattice.xs, c.col + c.colspan),
                y1: edge(&lattice.ys, c.row + c.rowspan),
            };
            DraftCell { row: c.row, col: c.col, rowspan: c.rowspan, colspan: c.colspan, bbox, ..DraftCell::default() }
        })
        .collect();
    let cols = lattice.xs.len() - 1;
    let mut owner = vec![usize::MAX; cols * (lattice.ys.len() - 1)];
    for (index, c) in lattice.cells.iter().enumerate() {
        for row in c.row..c.row + c.rowspan {
            for col in c.col..c.col + c.colspan {
                if let Some(place) = owner.get_mut(row * cols + col) {
                    *place = index;
                }
            }
        }
    }
    for &w in words {
        let Some(word) = page.words.get(w) else { continue };
        let Some(col) = interval(&lattice.xs, word.bbox.center_x()) else { continue };
        let Some(row) = interval(&lattice.ys, word.bbox.center_y()) else { continue };
        if let Some(cell) = owner.get(row * cols + col).and_then(|&i| cells.get_mut(i)) {
            cell.words.push(w);
        }
    }
    let mut draft = Draft { xs: lattice.xs.clone(), ys: lattice.ys.clone(), cells, header_hint: 0 };
    structure::shade(page, &mut draft);
    draft
}

/// Index of the interval of ascending `edges` that holds `at`.
fn interval(edges: &[f32], at: f32) -> Option<usize> {
    let i = edges.partition_point(|e| *e <= at);
    (i > 0 && i < edges.len()).then(|| i - 1)
}

/// Cuts rows that hold several rows of text: tables ruled only around the header and at the bottom.
fn split_bands(page: &PageContent, draft: &mut Draft) {
    let mut row = 0;
    while row < draft.rows() {
        let cuts = band_cuts(page, draft, row);
        if cuts.is_empty() {
            row += 1;
            continue;
        }
        let added = cuts.len();
        split_row(page, draft, row, &cuts);
        if row == 0 || draft.header_hint == 0 {
            draft.header_hint = row;
        }
        row += added + 1;
    }
}

/// y of the cuts between the rows of text in one row of the grid; empty where it is one row.
fn band_cuts(page: &PageContent, draft: &Draft, row: usize) -> Vec<f32> {
    let band: Vec<&DraftCell> = draft.cells.iter().filter(|c| c.row == row && c.rowspan == 1).collect();
    let filled = band.iter().filter(|c| !c.words.is_empty()).count();
    if filled < 2 {
        return Vec::new();
    }
    let owner: HashMap<usize, usize> =
        band.iter().enumerate().flat_map(|(i, c)| c.words.iter().map(move |&w| (w, i))).collect();
    let all: Vec<usize> = owner.keys().copied().collect();
    let lines: Vec<RowLine> = text::lines(&page.words, &all, f32::INFINITY)
        .into_iter()
        .map(|line| {
            let mut parts: Vec<Vec<usize>> = vec![Vec::new(); band.len()];
            for w in line.words() {
                if let Some(part) = owner.get(&w).and_then(|&i| parts.get_mut(i)) {
                    part.push(w);
                }
            }
            let cells = band.iter().zip(parts).filter(|(_, words)| !words.is_empty());
            let cells = cells.map(|(c, words)| LineCell::new(&page.words, c.col, c.colspan, words));
            RowLine {
                top: line.bbox.y0,
                bottom: line.bbox.y1,
                baseline: line.baseline,
                size: line.size,
                cells: cells.collect(),
            }
        })
        .collect();
    let value_columns = rows::value_columns(&lines, draft.cols()).iter().filter(|v| **v).count();
    let full = lines.iter().filter(|l| l.cells.len() == filled).count();
    // Two lines are easily one cell ("Launch: / May 2009"): there, values are bare numbers.
    let bare =
        || lines.iter().flat_map(|l| &l.cells).filter(|c| c.col > 0).all(|c| !c.text.contains(char::is_alphabetic));
    let by_values = value_columns >= 1 && lines.len() >= 3 || value_columns >= 2 && lines.len() == 2 && bare();
    let by_text = lines.len() >= FEWEST_TEXT_ROWS
        && full as f32 >= FULL_LINES * lines.len() as f32
        && lines.iter().flat_map(|l| &l.cells).all(|c| c.words.len() <= 4);
    // Short names beside texts of any length: a list of two columns.
    let by_names = draft.rows() == 1
        && filled == 2
        && lines.len() >= FEWEST_NAMES
        && full as f32 >= NAMED_LINES * lines.len() as f32
        && lines.iter().filter_map(|l| l.cells.first()).all(|c| c.col > 0 || c.words.len() <= NAME_WORDS);
    let starts = match by_values || by_text || by_names {
        true => rows::starts(&lines, draft.cols(), &[]),
        false => blank_lines(&lines, filled),
    };
    if !are_rows(&lines, &starts, &band) {
        return Vec::new();
    }
    lines
        .windows(2)
        .zip(starts.iter().skip(1))
        .filter_map(|(pair, start)| match pair {
            [a, b] if *start => Some((a.bottom.min(b.baseline) + b.top.max(a.baseline)) / 2.0),
            _ => None,
        })
        .collect()
}

/// Whether every part has a name in the first filled column (or the last, right to left) or a value, and several relate
/// texts to each other: others are lines of cells whose neighbours are centred beside them.
fn are_rows(lines: &[RowLine], starts: &[bool], band: &[&DraftCell]) -> bool {
    let filled = || band.iter().filter(|c| !c.words.is_empty()).map(|c| c.col);
    let outer = [filled().min(), filled().max()];
    let mut parts: Vec<(bool, bool)> = Vec::new();
    for (line, start) in lines.iter().zip(starts) {
        let named = line.cells.iter().any(|c| outer.contains(&Some(c.col)) || c.value);
        let several = line.cells.len() > 1;
        match parts.last_mut() {
            Some(part) if !start => *part = (part.0 || named, part.1 || several),
            _ => parts.push((named, several)),
        }
    }
    parts.iter().all(|p| p.0) && parts.iter().filter(|p| p.1).count() >= 2
}

/// Starts of the rows of text that blank lines through all columns set apart; none where the parts are no rows.
fn blank_lines(lines: &[RowLine], filled: usize) -> Vec<bool> {
    let pitch = |p: &[RowLine]| matches!(p, [a, b] if b.baseline - a.baseline >= BLANK_LINE_EM * a.size.max(b.size));
    let mut starts = vec![true];
    starts.extend(lines.windows(2).map(pitch));
    // Every part but a section's name has text in most columns, or the cells are paragraphs of their own.
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for (line, start) in lines.iter().zip(&starts) {
        if *start {
            parts.push(Vec::new());
        }
        if let Some(part) = parts.last_mut() {
            part.extend(line.cells.iter().map(|c| c.col));
        }
    }
    let whole = |part: &Vec<usize>| {
        let mut cols = part.clone();
        cols.sort_unstable();
        cols.dedup();
        cols.len() == filled || (cols.len() == 1 && part.len() == 1 && cols.first() == Some(&0))
    };
    let rows = parts.iter().filter(|p| p.len() > 1).count();
    let wrapped = parts.iter().any(|p| p.len() > filled);
    if rows >= 2 && wrapped && parts.iter().all(whole) { starts } else { Vec::new() }
}

/// Replaces one row by several.
fn split_row(page: &PageContent, draft: &mut Draft, row: usize, cuts: &[f32]) {
    let added = cuts.len();
    let mut edges = vec![draft.ys.get(row).copied().unwrap_or(0.0)];
    edges.extend_from_slice(cuts);
    edges.extend(draft.ys.get(row + 1));
    let mut cells = Vec::with_capacity(draft.cells.len() + added * draft.cols());
    for mut cell in std::mem::take(&mut draft.cells) {
        if cell.row > row {
            cell.row += added;
            cells.push(cell);
        } else if cell.row + cell.rowspan <= row {
            cells.push(cell);
        } else if cell.rowspan > 1 {
            cell.rowspan += added;
            cells.push(cell);
        } else {
            for (k, pair) in edges.windows(2).enumerate() {
                let &[y0, y1] = pair else { continue };
                let inside =
                    |w: &usize| page.words.get(*w).is_some_and(|w| w.bbox.center_y() >= y0 && w.bbox.center_y() < y1);
                let words: Vec<usize> = cell.words.iter().copied().filter(inside).collect();
                let bbox = BBox { y0, y1, ..cell.bbox };
                cells.push(DraftCell { row: row + k, bbox, words, ..cell.clone() });
            }
        }
    }
    draft.cells = cells;
    draft.ys.splice(row + 1..row + 1, cuts.iter().copied());
}
