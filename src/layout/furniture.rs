//! Running heads and feet: lines at the edges of pages that the file marks as such, that return on other pages, or that
//! stand apart there as heads and feet do; and page numbers.

mod edge;
mod gutter;
mod numbers;

use std::collections::HashMap;

use crate::document::BBox;

use super::labels;
use super::lines::{Line, dominant};
use super::page::{Float, PageDraft};
use numbers::{ends_in_number, is_page_number, is_roman_number};

/// Share of the page's height in which heads and feet stand.
const ZONE: f32 = 0.15;
/// Rows that are looked at from each edge.
const MOST_ROWS: usize = 4;
/// How far a head may move from page to page, in points.
const SHIFT: f32 = 6.0;
/// A text of fewer characters, numbers counted as one, may return by chance.
const SHORT: usize = 5;
/// Pages that are at most this far apart share a head when it stands on both; a single pair farther apart is chance.
const NEAR: usize = 2;

/// Pieces of a row that are closer to each other than this many font sizes are read together.
const TOGETHER: f32 = 3.0;
/// Pieces of a head that are closer to each other than this many font sizes are one.
const ONE_HEAD: f32 = 1.8;
/// How far digits reach above the baseline, in font sizes, and the white space around a number that its box includes, in
/// points: a single digit is so narrow that its bare box would be hard to hit and to compare.
const DIGIT_HEIGHT: f32 = 0.7;
const AROUND: f32 = 1.0;
/// Share of the page's height at its top and bottom in which marked text is a head or foot.
const MARKED_ZONE: f32 = 0.2;
/// Where more than this share of a page's characters is marked as no part of the text, the marks are not to be trusted.
const MOST_MARKED: f32 = 0.6;
/// Marked text of this many sizes of the body is a heading all the same.
const LARGEST_MARKED: f32 = 1.6;
/// Numbers below each other that are the page numbers of a list of contents.
const COLUMN: usize = 3;

/// Where a text stands at the edge of pages: (page, baseline).
type Places = Vec<(usize, f32)>;

/// Moves running heads and feet out of the lines of each page.
pub(crate) fn set_apart(pages: &mut [PageDraft]) {
    // The numbers of lines are set apart first: they are no part of the rows at the edges.
    let mut gutters: Vec<Vec<Line>> = Vec::with_capacity(pages.len());
    for page in pages.iter_mut() {
        let numbers = gutter::line_numbers(page);
        let (numbers, lines) = std::mem::take(&mut page.lines)
            .into_iter()
            .enumerate()
            .partition::<Vec<_>, _>(|(at, _)| numbers.contains(at));
        page.lines = lines.into_iter().map(|(_, l)| l).collect();
        gutters.push(numbers.into_iter().map(|(_, l)| l).collect());
    }
    let mut seen: HashMap<(bool, String), Places> = HashMap::new();
    for (index, page) in pages.iter().enumerate() {
        for top in [true, false] {
            for line in edge_rows(page, top).into_iter().flatten().filter_map(|at| page.lines.get(at)) {
                seen.entry((top, key(&line.text()))).or_default().push((index, line.baseline));
            }
        }
    }
    for (index, page) in pages.iter_mut().enumerate() {
        let [mut heads, mut feet] = marked(page);
        for (top, taken) in [(true, &mut heads), (false, &mut feet)] {
            // A page has one number; further in, a number counts something else.
            let counts = |at: &usize| page.lines.get(*at).is_some_and(|l| is_page_number(&l.text()));
            let mut numbered = taken.iter().any(counts);
            for row in edge_rows(page, top) {
                let row: Vec<usize> = row.into_iter().filter(|at| !taken.contains(at)).collect();
                let known = |line: &Line| {
                    let (text, key) = (line.text(), key(&line.text()));
                    let places = seen.get(&(top, key.clone())).map_or(&[][..], Vec::as_slice);
                    let short = key.chars().count() < SHORT && !is_page_number(&text);
                    can_return(&text) && returns(places, index, line.baseline, short)
                };
                let found = of_row(page, &row, numbered, &known);
                let all = found.len() == row.len();
                numbered |= found.iter().any(counts);
                taken.extend(found);
                if !all {
                    break;
                }
            }
            let named = |line: &Line| line.text().contains(char::is_alphabetic) && !is_page_number(&line.text());
            if !taken.iter().filter_map(|&at| page.lines.get(at)).any(named) {
                taken.extend(edge::apart(page, top, taken));
            }
        }
        let mut body = Vec::with_capacity(page.lines.len());
        for (at, line) in std::mem::take(&mut page.lines).into_iter().enumerate() {
            if heads.contains(&at) {
                page.heads.push(line);
            } else if feet.contains(&at) {
                page.feet.push(line);
            } else {
                body.push(line);
            }
        }
        page.lines = body;
    }
    for (page, numbers) in pages.iter_mut().zip(gutters) {
        page.feet.extend(numbers);
    }
    // Where nothing but heads and feet would be left, they are the text: labels, slides, forms of a line a page.
    if pages.iter().all(is_bare) {
        for page in pages {
            page.lines = std::mem::take(&mut page.heads);
            page.lines.append(&mut page.feet);
        }
    } else {
        give_back(pages);
    }
}

/// Whether a page has no text but its heads and feet.
fn is_bare(page: &PageDraft) -> bool {
    page.lines.is_empty() && !page.floats.iter().any(|(_, f)| matches!(f, Float::Table(_) | Float::Formula(_)))
}

/// Gives single pages without other text those of their heads and feet back that no other page has in the same words:
/// what differs in a number alone may be all that the page says.
fn give_back(pages: &mut [PageDraft]) {
    let mut times: HashMap<String, usize> = HashMap::new();
    for line in pages.iter().flat_map(|page| page.heads.iter().chain(&page.feet)) {
        *times.entry(line.text()).or_default() += 1;
    }
    let is_own = |line: &Line| {
        let text = line.text();
        !is_page_number(&text) && times.get(&text) == Some(&1)
    };
    for page in pages.iter_mut().filter(|page| is_bare(page)) {
        for running in [&mut page.heads, &mut page.feet] {
            let (own, others) = std::mem::take(running).into_iter().partition(is_own);
            *running = others;
            page.lines.extend::<Vec<Line>>(own);
        }
    }
}

/// Groups the heads or feet of a page: what stands close together is one.
pub(crate) fn group(mut lines: Vec<Line>) -> Vec<Vec<Line>> {
    lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let rows = lines.chunk_by_mut(|a, b| b.baseline - a.baseline < 0.5 * a.size.max(1.0));
    rows.for_each(|row| row.sort_by(|a, b| a.bbox.x0.total_cmp(&b.bbox.x0)));
    let mut out: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let near = |last: &Line| {
            let em = last.size.max(line.size);
            let down = line.baseline - last.baseline;
            let right = line.bbox.x0 - last.bbox.x1;
            let beside = down.abs() < 0.5 * em && (0.0..ONE_HEAD * em).contains(&right);
            let same_style = (last.size - line.size).abs() < 0.1 * em;
            beside || (0.5 * em..ONE_HEAD * em).contains(&down) && right < 0.0 && same_style
        };
        match out.last_mut() {
            Some(group) if group.last().is_some_and(near) => group.push(line),
            _ => out.push(vec![line]),
        }
    }
    out
}

/// The box of a head or foot. A number has no descenders and no accents.
pub(crate) fn ink(lines: &[Line]) -> BBox {
    let bbox = BBox::union_all(lines.iter().map(|l| &l.bbox)).unwrap_or_default();
    match lines {
        [line] if line.words.iter().all(|w| w.text.bytes().all(|b| b.is_ascii_digit())) => {
            let top = (line.baseline - DIGIT_HEIGHT * line.size).max(bbox.y0);
            let bottom = line.baseline.clamp(top, bbox.y1.max(top));
            BBox::new(bbox.x0 - AROUND, top - AROUND, bbox.x1 + AROUND, bottom + AROUND)
        }
        _ => bbox,
    }
}

/// Lines that the file marks as no part of the text, at the top and at the bottom of the page.
fn marked(page: &PageDraft) -> [Vec<usize>; 2] {
    if page.marked > MOST_MARKED {
        return [Vec::new(), Vec::new()];
    }
    let zone = MARKED_ZONE * page.upright_height;
    let largest = LARGEST_MARKED * dominant(page.lines.iter().map(|l| (l.size, l.chars()))).max(1.0);
    [true, false].map(|top| {
        let in_zone = |line: &Line| {
            let y = line.bbox.center_y();
            if top { y < zone } else { y > page.upright_height - zone }
        };
        let is_marked = |line: &Line| line.size < largest && line.words.iter().all(|w| w.artifact);
        page.lines.iter().enumerate().filter(|(_, l)| in_zone(l) && is_marked(l)).map(|(at, _)| at).collect()
    })
}

/// Whether a page number is one of several below each other: those of a list of contents.
fn is_listed(page: &PageDraft, line: &Line) -> bool {
    let below = |l: &&Line| (l.bbox.x1 - line.bbox.x1).abs() < 0.5 * line.size && ends_in_number(&l.text());
    page.lines.iter().filter(below).take(COLUMN).count() == COLUMN
}

/// Rows of lines (as indices) in the zone at the top or bottom, from the edge inwards, each from left to right.
fn edge_rows(page: &PageDraft, top: bool) -> Vec<Vec<usize>> {
    let limit = if top { ZONE * page.upright_height } else { (1.0 - ZONE) * page.upright_height };
    let in_zone = |line: &Line| if top { line.bbox.center_y() < limit } else { line.bbox.center_y() > limit };
    // What stands inside or beyond a table or picture is not at the edge of the page.
    let beyond = |line: &Line| {
        let y = line.bbox.center_y();
        page.floats.iter().any(|(b, _)| b.overlap_x(&line.bbox) > 0.0 && if top { b.y0 < y } else { b.y1 > y })
    };
    let mut order: Vec<(usize, &Line)> =
        page.lines.iter().enumerate().filter(|(_, l)| in_zone(l) && !beyond(l)).collect();
    order.sort_by(|a, b| a.1.baseline.total_cmp(&b.1.baseline));
    if !top {
        order.reverse();
    }
    let mut rows: Vec<(f32, Vec<usize>)> = Vec::new();
    for (at, line) in order {
        match rows.last_mut() {
            Some((baseline, row)) if (line.baseline - *baseline).abs() < 0.5 * line.size.max(4.0) => row.push(at),
            _ => rows.push((line.baseline, vec![at])),
        }
    }
    let left = |at: &usize| page.lines.get(*at).map_or(0.0, |l| l.bbox.x0);
    let in_order = |(_, mut row): (f32, Vec<usize>)| {
        row.sort_by(|a, b| left(a).total_cmp(&left(b)));
        row
    };
    rows.into_iter().take(MOST_ROWS).map(in_order).collect()
}

/// Which lines of a row at the edge are heads or feet: page numbers, unless the page is `numbered` already, and what is
/// `known` to return.
fn of_row(page: &PageDraft, row: &[usize], numbered: bool, known: &dyn Fn(&Line) -> bool) -> Vec<usize> {
    let mut lines: Vec<(usize, &Line)> = row.iter().filter_map(|&at| Some((at, page.lines.get(at)?))).collect();
    lines.sort_by(|a, b| a.1.bbox.x0.total_cmp(&b.1.bbox.x0));
    // A number close to text counts a section, not a page; `- 3 -` may be in pieces.
    let numbers: Vec<(String, &[(usize, &Line)])> = lines
        .chunk_by(|a, b| is_near(a.1, b.1))
        .map(|group| (group.iter().map(|(_, l)| l.text()).collect::<Vec<_>>().join(" "), group))
        .filter(|(text, group)| is_page_number(text) && !group.iter().any(|(_, l)| is_listed(page, l)))
        .collect();
    // Two pages side by side have two.
    let counted = match numbers.as_slice() {
        [_] => true,
        [a, b] => are_consecutive(&a.0, &b.0),
        _ => false,
    };
    let counted = counted && !numbered;
    let is_number = |at: usize| counted && numbers.iter().any(|(_, group)| group.iter().any(|(n, _)| *n == at));
    let found: Vec<(usize, &Line)> = lines.iter().copied().filter(|(at, l)| is_number(*at) || known(l)).collect();
    // A piece of a wide-set line of text, or the number of a heading, may return by chance.
    let text = |l: &Line| lines.iter().any(|(at, o)| !found.iter().any(|(f, _)| f == at) && is_near(o, l));
    found.iter().filter(|(_, l)| !text(l)).map(|&(at, _)| at).collect()
}

/// Whether page numbers follow each other.
fn are_consecutive(a: &str, b: &str) -> bool {
    let value = |t: &str| t.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u32>().ok();
    value(a).zip(value(b)).is_some_and(|(a, b)| a.abs_diff(b) == 1)
}

/// Whether two pieces of a row stand so close that they are read together.
fn is_near(a: &Line, b: &Line) -> bool {
    a.bbox.overlap_x(&b.bbox) >= -TOGETHER * b.size
}

/// Labels of tables and forms and the numbers of paragraphs return at the top of pages without being heads.
fn can_return(text: &str) -> bool {
    let bracketed = text.strip_prefix('[').is_some_and(|t| t.starts_with(|c: char| c.is_ascii_digit()));
    let says = text.contains(char::is_alphanumeric);
    let label = labels::is_caption(text) || labels::is_unit(text) || labels::is_note(text) || labels::is_form(text);
    says && !label && !bracketed
}

/// Whether a text that stands at these places is a running head on page `index`. A `short` one may return by chance.
fn returns(places: &[(usize, f32)], index: usize, baseline: f32, short: bool) -> bool {
    let same = places.iter().filter(|(p, b)| *p != index && (b - baseline).abs() <= SHIFT);
    let (mut near, mut all) = (0, 0);
    for (page, _) in same {
        all += 1;
        near += usize::from(page.abs_diff(index) <= NEAR);
    }
    near >= 1 && !short || all >= 2
}

/// A text without what changes from page to page: numbers become `#`, white space and case go.
fn key(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        if c.is_numeric() {
            if !out.ends_with('#') {
                out.push('#');
            }
        } else {
            out.extend(c.to_lowercase());
        }
    }
    if is_roman_number(text) { "#".to_owned() } else { out }
}

#[cfg(test)]
mod tests;
