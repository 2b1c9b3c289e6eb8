//! Rows, columns and header cells of a region of text that has no grid of rules.

use std::ops::Range;

use crate::pdf::{PageContent, Word};
use crate::table::columns;
use crate::table::grid::{Draft, DraftCell, cell_text};
use crate::table::rows::{self, LineCell, RowLine};
use crate::table::rules::{MOST_FILLS, Seg};
use crate::table::spaced;
use crate::table::spanners;
use crate::table::text::{self, Line};

/// Gap in font sizes that separates phrases within a region known to be tabular: just wider than a word space.
pub(crate) const PHRASE_EM: f32 = 0.55;
/// A rule that covers at least this fraction of the region's width separates rows; a shorter one underlines a spanner.
const FULL_RULE: f32 = 0.8;
/// Baselines in a header at least this many font sizes apart have a blank line between them: no name is set so loosely.
const BLANK_LINE_EM: f32 = 1.75;
/// And at least this fraction of the pitch of the rows, or the whole table is set loosely.
const AS_FAR_AS_ROWS: f32 = 0.85;
/// A header above the first full rule has at most this many lines.
const MOST_HEADER_LINES: usize = 10;
/// Fewest lines below a header that show the columns without it.
const FEWEST_BODY_LINES: usize = 4;
/// A fill that covers at least this fraction of a cell shades it.
const SHADED: f32 = 0.5;
/// More columns than this are no table that can be read.
pub(crate) const MOST_COLUMNS: usize = 100;
/// More places than this in one table of one page are noise.
pub(crate) const MOST_PLACES: usize = 50_000;
/// A phrase lies in a column only where they overlap by more than this many points: boxes of italics stick out.
const LEAST_OVERLAP: f32 = 1.0;

/// Text starts where a column does within this many font sizes.
const ALIGNED_EM: f32 = 0.3;
/// Text that starts where a column does stays in it although it reaches over less than this fraction of the next one.
const OVERFULL: f32 = 0.2;

/// The draft of a region of lines (cut at [`PHRASE_EM`]), or `None` where they have no columns.
pub(crate) fn draft(page: &PageContent, lines: &[Line], rules: &[Seg]) -> Option<Draft> {
    let value = |w: &usize| page.words.get(*w).is_some_and(|w| text::is_value(&w.text));
    let lines = columns::separate(&page.words, lines);
    let centred = columns::with_centred(&lines, &|p| text::is_value(&cell_text(&page.words, &p.words)));
    let settled = columns::without_crowded(&centred, &|p| p.words.iter().all(value));
    let extents = columns_of(&settled, rules);
    let cols = extents.len();
    if cols > MOST_COLUMNS || cols * lines.len() > MOST_PLACES {
        return None;
    }
    let xs = columns::edges(&extents);
    let (left, right) = (*xs.first()?, *xs.last()?);
    let mut rows: Vec<RowLine> = lines.iter().map(|l| row_line(page, l, &extents, &xs)).collect();
    let (full, part): (Vec<Seg>, Vec<Seg>) =
        rules.iter().partition(|s| s.cover(left, right) >= FULL_RULE * (right - left));
    widen_title(&mut rows, &full, cols);
    let head = header_lines(&rows, &full, cols);
    let body = rows.split_off(head);
    let blanks = blank_lines(&rows, &body, rules);
    let between: Vec<Seg> =
        full.iter().copied().chain(blanks.iter().map(|y| Seg { at: *y, from: left, to: right })).collect();
    let (mut rows, mut starts) = spanners::levels(rows, &extents, &between, &part);
    let header_rows = starts.iter().filter(|s| **s).count();
    let blocks = blocks(&rows, &starts, &blanks);
    let breaks: Vec<f32> = full.iter().map(|s| s.at).collect();
    let between =
        |y: &&f32| body.first().is_some_and(|l| **y > l.baseline) && body.last().is_some_and(|l| **y < l.baseline);
    // Where rules separate rows, spacing says nothing.
    let spaced = breaks.iter().find(between).map_or_else(|| spaced::spaced_starts(&body, cols), |_| None);
    starts.extend(spaced.unwrap_or_else(|| rows::starts(&body, cols, &breaks)));
    rows.extend(body);
    let mut draft = assemble(&rows, &starts, &xs);
    for block in blocks {
        stack_headers(&mut draft, block, header_rows);
    }
    draft.header_hint = header_rows;
    widen_sections(page, &mut draft);
    shade(page, &mut draft);
    Some(draft)
}

/// The columns of the lines; those of the body where names above its first full rule run together.
fn columns_of(lines: &[Line], rules: &[Seg]) -> Vec<(f32, f32)> {
    let all = columns::find(lines);
    let (left, right) =
        lines.iter().fold((f32::INFINITY, 0.0f32), |(l, r), line| (l.min(line.bbox.x0), r.max(line.bbox.x1)));
    let full = rules.iter().filter(|s| s.cover(left, right) >= FULL_RULE * (right - left));
    let head = full.map(|s| lines.partition_point(|l| l.baseline < s.at)).find(|n| *n > 0).unwrap_or(0);
    let body = lines.get(head..).unwrap_or_default();
    if head == 0 || head > MOST_HEADER_LINES || body.len() < FEWEST_BODY_LINES {
        return all;
    }
    let body = columns::find(body);
    if body.len() > all.len() { body } else { all }
}

/// A single name above a rule across all columns stands over all of them.
fn widen_title(lines: &mut [RowLine], full: &[Seg], cols: usize) {
    let [title, below, ..] = lines else { return };
    let ruled = full.iter().any(|s| s.at > title.baseline && s.at < below.baseline);
    if let [name] = title.cells.as_mut_slice()
        && ruled
        && !name.value
    {
        (name.col, name.colspan) = (0, cols);
    }
}

/// Puts the phrases of a line into columns.
fn row_line(page: &PageContent, line: &Line, extents: &[(f32, f32)], xs: &[f32]) -> RowLine {
    let mut cells: Vec<LineCell> = Vec::new();
    for phrase in &line.phrases {
        let hits = |x0: f32, x1: f32| {
            let shared = |c: &(f32, f32)| x1.min(c.1) - x0.max(c.0);
            let over = |c: &(f32, f32)| shared(c) > LEAST_OVERLAP.min((x1 - x0) / 2.0);
            let (first, mut last) = (extents.iter().position(over)?, extents.iter().rposition(over)?);
            // What starts in a column may run over its end a little.
            let start = extents.get(first).is_some_and(|c| (x0 - c.0).abs() <= ALIGNED_EM * line.size);
            if start && first + 1 == last && extents.get(last).is_some_and(|c| shared(c) < OVERFULL * (c.1 - c.0)) {
                last = first;
            }
            Some((first, last))
        };
        let nearest = || {
            let center = phrase.bbox.center_x();
            let i = xs.partition_point(|x| *x <= center).saturating_sub(1).min(extents.len().saturating_sub(1));
            (i, i)
        };
        let (first, last) = hits(phrase.bbox.x0, phrase.bbox.x1).unwrap_or_else(nearest);
        let each: Vec<(usize, &Word, usize)> = phrase
            .words
            .iter()
            .filter_map(|&w| {
                let word = page.words.get(w)?;
                let (a, b) = hits(word.bbox.x0, word.bbox.x1).unwrap_or((first, last));
                (a == b).then_some((w, word, a))
            })
            .collect();
        // Values close to each other are cells of their own; words that run through a gutter span it.
        let apart = each.windows(2).all(|pair| match pair {
            [a, b] => a.2 == b.2 || columns::touch(a.1, b.1),
            _ => true,
        });
        let separate = each.len() == phrase.words.len()
            && (apart || each.iter().filter(|e| text::is_value(&e.1.text)).count() * 2 > each.len());
        if first < last && separate {
            for (w, _, col) in each {
                push(&mut cells, col, 1, &[w]);
            }
        } else {
            push(&mut cells, first, last - first + 1, &phrase.words);
        }
    }
    let cells = cells.into_iter().map(|c| LineCell::new(&page.words, c.col, c.colspan, c.words)).collect();
    RowLine { top: line.bbox.y0, bottom: line.bbox.y1, baseline: line.baseline, size: line.size, cells }
}

/// Adds words to the last cell where they share a column with it, else as a new cell.
fn push(cells: &mut Vec<LineCell>, col: usize, colspan: usize, words: &[usize]) {
    match cells.last_mut() {
        Some(last) if col < last.col + last.colspan => {
            last.colspan = last.colspan.max(col + colspan - last.col);
            last.words.extend_from_slice(words);
        }
        _ => cells.push(LineCell { col, colspan, words: words.to_vec(), ..LineCell::default() }),
    }
}

/// Number of lines that belong to the header.
fn header_lines(lines: &[RowLine], full: &[Seg], cols: usize) -> usize {
    let values = rows::value_columns(lines, cols);
    let is_body = |l: &RowLine| {
        let cells = l.cells.iter().filter(|c| values.get(c.col).copied().unwrap_or(false));
        let (n, v) = cells.fold((0, 0), |(n, v), c| (n + 1, v + usize::from(c.value && !is_year(&c.text))));
        n > 0 && v * 2 > n
    };
    let above = |y: f32| lines.iter().take_while(|l| l.baseline < y).count();
    let mut ruled = full.iter().map(|s| above(s.at)).filter(|n| {
        *n > 0
            && *n < lines.len().min(MOST_HEADER_LINES + 1)
            && !lines.iter().take(*n).any(|l| is_body(l) && l.cells.len() > 1)
    });
    // Rules may stand between the lines of a header too; without values the first rule must do.
    let by_rule = if values.contains(&true) { ruled.next_back() } else { ruled.next() };
    let by_values = lines.iter().take_while(|l| !is_body(l)).count();
    match by_rule {
        Some(n) => n,
        None if by_values < lines.len() && by_values <= MOST_HEADER_LINES => {
            // A section name directly above the first values is no header.
            let lone =
                |l: &RowLine| l.cells.len() == 1 && l.cells.first().is_some_and(|c| c.col == 0 && c.colspan == 1);
            let mut n = by_values;
            while n > 1 && lines.get(n - 1).is_some_and(lone) {
                n -= 1;
            }
            n
        }
        None => 0,
    }
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse::<u16>().is_ok_and(|y| (1900..2100).contains(&y))
}

/// Cells from lines: the lines of a row give their words to the same cells.
fn assemble(lines: &[RowLine], starts: &[bool], xs: &[f32]) -> Draft {
    let mut ys: Vec<f32> = Vec::new();
    let mut cells: Vec<DraftCell> = Vec::new();
    let mut bottom = 0.0;
    let mut open = 0;
    for (line, start) in lines.iter().zip(starts) {
        if *start || ys.is_empty() {
            let last = ys.last().copied().unwrap_or(f32::NEG_INFINITY);
            ys.push(if ys.is_empty() { line.top } else { ((bottom + line.top) / 2.0).max(last) });
            open = cells.len();
        }
        bottom = line.bottom.max(bottom);
        let row = ys.len() - 1;
        for cell in &line.cells {
            let meets = |d: &DraftCell| d.col < cell.col + cell.colspan && cell.col < d.col + d.colspan;
            let mut merged = DraftCell {
                row,
                col: cell.col,
                rowspan: 1,
                colspan: cell.colspan,
                words: cell.words.clone(),
                ..DraftCell::default()
            };
            let mut at = open;
            while let Some(d) = cells.get(at) {
                if meets(d) {
                    let d = cells.remove(at);
                    let end = (d.col + d.colspan).max(merged.col + merged.colspan);
                    merged.col = merged.col.min(d.col);
                    merged.colspan = end - merged.col;
                    merged.words.splice(0..0, d.words);
                } else {
                    at += 1;
                }
            }
            cells.push(merged);
        }
    }
    ys.push(bottom);
    let mut draft = Draft { xs: xs.to_vec(), ys, cells, header_hint: 0 };
    draft.fill();
    draft
}

/// y of the blank lines between the lines of a header: as far apart as the rows below them, without a rule between them.
fn blank_lines(header: &[RowLine], body: &[RowLine], rules: &[Seg]) -> Vec<f32> {
    let row_pitch = text::median(body.windows(2).map(pitch));
    let blank = |pair: &&[RowLine]| match pair {
        [a, b] => {
            pitch(pair) >= (BLANK_LINE_EM * a.size.max(b.size)).max(AS_FAR_AS_ROWS * row_pitch)
                && !rules.iter().any(|s| s.at > a.baseline && s.at < b.baseline)
        }
        _ => false,
    };
    let middle = |pair: &[RowLine]| pair.iter().map(|l| l.baseline).sum::<f32>() / 2.0;
    header.windows(2).filter(blank).map(middle).collect()
}

fn pitch(pair: &[RowLine]) -> f32 {
    match pair {
        [a, b] => b.baseline - a.baseline,
        _ => 0.0,
    }
}

/// The rows of a header in blocks between blank lines.
fn blocks(header: &[RowLine], starts: &[bool], blanks: &[f32]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut before = None;
    for (row, (line, _)) in header.iter().zip(starts).filter(|(_, start)| **start).enumerate() {
        let block = blanks.iter().filter(|y| **y < line.baseline).count();
        match out.last_mut() {
            Some(last) if before == Some(block) => last.end = row + 1,
            _ => out.push(row..row + 1),
        }
        before = Some(block);
    }
    out
}

/// Within a block of header rows, the cells of a column that no spanner covers are one cell; the lowest of the others reach
/// down to the body.
fn stack_headers(draft: &mut Draft, block: Range<usize>, header_rows: usize) {
    if header_rows < 2 {
        return;
    }
    for col in 0..draft.cols() {
        let column = |c: &DraftCell| block.contains(&c.row) && c.col <= col && col < c.col + c.colspan;
        if draft.cells.iter().any(|c| column(c) && c.colspan > 1) {
            let filled = |c: &DraftCell| column(c) && !c.words.is_empty();
            let lowest = (0..draft.cells.len()).filter(|&i| draft.cells.get(i).is_some_and(filled));
            let lowest = lowest.max_by_key(|&i| draft.cells.get(i).map(|c| c.row));
            if let Some(cell) = lowest.and_then(|i| draft.cells.get_mut(i)).filter(|c| c.colspan == 1) {
                cell.rowspan = block.end - cell.row;
                let end = cell.row;
                draft.cells.retain(|c| !(column(c) && c.words.is_empty() && c.row > end));
            }
            continue;
        }
        let words: Vec<usize> =
            draft.cells.iter().filter(|c| column(c)).flat_map(|c| c.words.iter().copied()).collect();
        draft.cells.retain(|c| !column(c));
        let (row, rowspan) = (block.start, block.len());
        draft.cells.push(DraftCell { row, col, rowspan, colspan: 1, words, ..DraftCell::default() });
    }
    draft.fill();
}

/// A lone bold name above rows whose names are not is a section: one cell over all columns. Where such names stand directly
/// above each other, they are levels of the first column instead.
fn widen_sections(page: &PageContent, draft: &mut Draft) {
    let cols = draft.cols();
    let mut rows: Vec<Vec<&DraftCell>> = vec![Vec::new(); draft.rows()];
    for cell in draft.cells.iter().filter(|c| !c.words.is_empty()) {
        if let Some(row) = rows.get_mut(cell.row) {
            row.push(cell);
        }
    }
    let bold = |c: &DraftCell| c.words.iter().filter_map(|&w| page.words.get(w)).all(|w| w.bold);
    let lone = |row: &[&DraftCell]| matches!(row, [c] if (c.col, c.colspan, c.rowspan) == (0, 1, 1));
    let body = rows.get(draft.header_hint..).unwrap_or_default();
    if body.windows(2).any(|pair| pair.iter().all(|row| lone(row))) {
        return;
    }
    let is_section = |pair: &[Vec<&DraftCell>]| match pair {
        [name, below] => lone(name) && name.iter().all(|c| bold(c)) && below.iter().any(|c| c.col == 0 && !bold(c)),
        _ => false,
    };
    let sections: Vec<usize> =
        body.windows(2).enumerate().filter(|(_, pair)| is_section(pair)).map(|(i, _)| draft.header_hint + i).collect();
    for row in sections {
        draft.cells.retain(|c| c.row != row || c.col == 0);
        for cell in draft.cells.iter_mut().filter(|c| c.row == row) {
            cell.colspan = cols;
        }
    }
    draft.fill();
}

/// Marks the cells that fills cover.
pub(crate) fn shade(page: &PageContent, draft: &mut Draft) {
    for cell in &mut draft.cells {
        let area = cell.bbox.area();
        cell.shaded = page
            .fills
            .iter()
            .take(MOST_FILLS)
            .any(|f| f.bbox.intersection(&cell.bbox).is_some_and(|i| i.area() >= SHADED * area));
    }
}
