//! Areas between rules across of equal extent: tables as books set them.

use crate::document::BBox;
use crate::pdf::{PageContent, Word};
use crate::table::aligned::{MOST_GAP_EM, PROSE_WORDS, RUNNING};
use crate::table::grid::cell_text;
use crate::table::judge::is_caption;
use crate::table::rules::{self, Rules, Seg};
use crate::table::structure::PHRASE_EM;
use crate::table::text::{self, Line, Phrase};

/// Gap in font sizes that separates columns between two rules of equal extent, where running text is rare.
pub(crate) const RULED_GAP_EM: f32 = 0.75;
/// Rules of one table start and end within this many points of each other.
const SAME_EDGE: f32 = 8.0;
/// Lines above the header of a further table.
const FEWEST_ROWS: usize = 2;
/// Rules shorter than this many points bound no table: underlines, footnote rules are told by their content.
const SHORTEST_RULE: f32 = 60.0;
/// Share of the phrases between two rules that stand beside others, from which on they are rows.
const TABULAR: f32 = 0.6;
/// Two rules with nothing between them are a double rule up to this distance, in points.
const DOUBLE_RULE: f32 = 24.0;
/// The rules above and below a title or another lone name are at most this many of its font sizes apart: farther apart, a
/// heading stands between two tables.
const LONE_HEIGHT_EM: f32 = 3.0;
/// A lone line covers less than this share of the width: more is running text.
const LONE_SHARE: f32 = 0.6;
/// Lines between two rules are at most this many times as far apart as lines of a table without them, and as far from the rule
/// above: a row of several lines may stand between.
const RULED_GAPS: f32 = 3.0;
/// Lines above the first rule are at most this many font sizes from it or from each other: the names of the columns.
const ABOVE_EM: f32 = 0.8;
/// Text may run out of its cell by this many points.
const OVERFULL: f32 = 4.0;
/// The lines of one cell are at most this many font sizes apart.
const CELL_PITCH_EM: f32 = 1.45;
/// A text starts in a column where it starts within this many font sizes of the column's name.
const ALIGNED_EM: f32 = 0.3;

/// At most this many names of sections follow each other.
const MOST_NAMES: usize = 2;
/// Fewest columns of a table with such names: two phrases are easily a heading.
const NAMED_COLUMNS: usize = 3;
/// Such a name ends within this share of the table's width.
const NAME_SHARE: f32 = 0.5;

/// A pitch of at least this many times that of the rows has a blank line in it.
const BLANK_LINE: f32 = 1.6;
/// A rule that covers at least this fraction of a table's width separates its header.
const FULL_RULE: f32 = 0.8;
/// Most lines of a header above a rule.
const MOST_HEADER_LINES: usize = 4;

/// An area between rules of equal extent with tabular text between them.
#[derive(Clone, Copy)]
pub(crate) struct Stack {
    /// From the first rule to the last.
    pub area: BBox,
    /// Whether there are rules above, between and below.
    pub closed: bool,
}

/// Stacks of rules, top to bottom.
pub(crate) fn stacks(page: &PageContent, rules: &Rules, free: &[usize], lines: &[Line]) -> Vec<Stack> {
    let mut out = Vec::new();
    for group in groups(rules) {
        let mut open: Option<Stack> = None;
        let mut title: Option<BBox> = None;
        for pair in group.windows(2) {
            let [a, b] = pair else { continue };
            let gap = gap(a, b);
            let inside = |(_, l): &(usize, &Line)| gap.contains_point(gap.center_x(), l.baseline);
            let two = || {
                let below_rows = lines.iter().enumerate().filter(inside).skip(FEWEST_ROWS);
                below_rows.map(|(i, _)| i).any(|i| is_header(lines, i, rules, &gap))
            };
            if is_tabular(page, free, &gap, open.is_some()) && !is_crossed(page, rules, free, &gap) && !two() {
                let above = open.map(|o| o.area).or(title.take());
                let full = with_overhang(page, free, &gap);
                let area = above.map_or(full, |a| a.union(&full));
                open = Some(Stack { area, closed: open.is_some() });
            } else {
                out.extend(open.take());
                title = is_title(page, free, &gap).then_some(gap);
            }
        }
        out.extend(open);
    }
    out
}

/// Whether line `i` starts the header of a further table: a blank line above, a rule below it or one of the next lines, and
/// rows below that.
pub(crate) fn is_header(lines: &[Line], i: usize, rules: &Rules, table: &BBox) -> bool {
    let pitch = |i: usize| Some(lines.get(i)?.baseline - lines.get(i.checked_sub(1)?)?.baseline);
    let (Some(line), Some(above), Some(rows)) = (lines.get(i), pitch(i), i.checked_sub(1).and_then(pitch)) else {
        return false;
    };
    if above < BLANK_LINE * rows {
        return false;
    }
    let ruled = |pair: &[Line]| match pair {
        [a, b] => rules.horizontal.iter().any(|s| {
            s.at > a.baseline && s.at < b.baseline && s.cover(table.x0, table.x1) >= FULL_RULE * table.width()
        }),
        _ => false,
    };
    let header = lines.get(i..).unwrap_or_default().windows(2).take(MOST_HEADER_LINES).position(ruled);
    header.is_some_and(|n| {
        let body = lines.iter().skip(i + n + 1).take(2);
        let close = |l: &Line| l.phrases.len() >= 2 && l.baseline - line.baseline <= BLANK_LINE * rows * (n + 2) as f32;
        body.clone().count() == 2 && body.clone().all(close)
    })
}

/// The rules of equal extent, top to bottom.
pub(crate) fn groups(rules: &Rules) -> Vec<Vec<Seg>> {
    let mut rest: Vec<Seg> = rules.horizontal.iter().filter(|s| s.len() >= SHORTEST_RULE).copied().collect();
    let mut out = Vec::new();
    while let Some(first) = rest.first().copied() {
        let same = |s: &Seg| (s.from - first.from).abs() <= SAME_EDGE && (s.to - first.to).abs() <= SAME_EDGE;
        let (group, others): (Vec<Seg>, Vec<Seg>) = rest.iter().partition(|s| same(s));
        rest = others;
        out.push(group);
    }
    out
}

/// The area between two rules of one group.
pub(crate) fn gap(a: &Seg, b: &Seg) -> BBox {
    BBox { x0: a.from.min(b.from) - 2.0, y0: a.at, x1: a.to.max(b.to) + 2.0, y1: b.at }
}

/// Whether text or a rule between two rules reaches over their ends: they separate sections, and bound no table.
pub(crate) fn is_crossed(page: &PageContent, rules: &Rules, free: &[usize], gap: &BBox) -> bool {
    let over = |s: &Seg| [gap.x0, gap.x1].iter().any(|edge| s.from < edge - SAME_EDGE && s.to > edge + SAME_EDGE);
    let inner = |s: &&Seg| s.at > gap.y0 + rules::SNAP && s.at < gap.y1 - rules::SNAP;
    let band = BBox { x0: 0.0, x1: page.width, ..*gap };
    // Words on both sides of an edge; a single word may be too long for its cell.
    let split = |p: &Phrase| {
        let any =
            |test: &dyn Fn(&BBox) -> bool| p.words.iter().filter_map(|&w| page.words.get(w)).any(|w| test(&w.bbox));
        any(&|b| b.x1 < gap.x0) && p.bbox.x1 > gap.x0 || any(&|b| b.x0 > gap.x1) && p.bbox.x0 < gap.x1
    };
    rules.horizontal.iter().filter(inner).any(over)
        || text::lines(&page.words, &within(page, free, &band), RULED_GAP_EM)
            .iter()
            .any(|l| l.phrases.iter().any(split))
}

/// An area between two rules with the words that are too long for the last column.
fn with_overhang(page: &PageContent, free: &[usize], gap: &BBox) -> BBox {
    let runs_out = |b: &&BBox| gap.contains_point(b.x0, b.center_y()) && b.x1 > gap.x1;
    let over = free.iter().filter_map(|&w| page.words.get(w)).map(|w| &w.bbox).filter(runs_out);
    BBox { x1: over.map(|b| b.x1).fold(gap.x1, f32::max), ..*gap }
}

/// Whether a single line stands between two rules, close to both: the first row of what is below it, over all its columns.
pub(crate) fn is_title(page: &PageContent, free: &[usize], gap: &BBox) -> bool {
    let lines = text::lines(&page.words, &within(page, free, gap), f32::INFINITY);
    let close = |l: &Line| gap.height() <= LONE_HEIGHT_EM * l.size;
    lines.len() == 1 && lines.iter().all(close) && !is_caption(&line_text(page, &lines))
}

/// The words whose centre lies in an area.
pub(crate) fn within(page: &PageContent, words: &[usize], area: &BBox) -> Vec<usize> {
    let inside = |w: &Word| area.contains_point(w.bbox.center_x(), w.bbox.center_y());
    words.iter().copied().filter(|&w| page.words.get(w).is_some_and(inside)).collect()
}

/// Whether the text between two rules looks like rows; `inside` a table a lone name or nothing does too.
fn is_tabular(page: &PageContent, free: &[usize], gap: &BBox, inside: bool) -> bool {
    let lines = text::lines(&page.words, &within(page, free, gap), RULED_GAP_EM);
    let size = text::median(lines.iter().map(|l| l.size));
    if lines.is_empty() {
        return gap.height() < DOUBLE_RULE;
    }
    let phrases = |least: usize| -> usize { lines.iter().map(|l| l.phrases.len()).filter(|n| *n >= least).sum() };
    let running = lines.len() > 1
        && lines.iter().any(|l| {
            l.phrases.len() == 1 && l.bbox.width() >= RUNNING * gap.width() && l.words().count() >= PROSE_WORDS
        });
    // Far from the rule above there is a drawing between, or nothing that belongs together.
    let near = lines.first().is_none_or(|l| l.bbox.y0 - gap.y0 <= RULED_GAPS * MOST_GAP_EM * size);
    let spread = lines.windows(2).all(|p| match p {
        [a, b] => b.baseline - a.baseline <= RULED_GAPS * MOST_GAP_EM * size,
        _ => true,
    });
    let lone = inside
        && lines.len() == 1
        && lines.iter().all(|l| l.bbox.width() < LONE_SHARE * gap.width() && gap.height() <= LONE_HEIGHT_EM * l.size);
    near && spread
        && !running
        && (phrases(2) as f32 >= TABULAR * phrases(1) as f32 || lone && !is_caption(&line_text(page, &lines)))
}

pub(crate) fn line_text(page: &PageContent, lines: &[Line]) -> String {
    let words: Vec<usize> = lines.iter().flat_map(Line::words).collect();
    cell_text(&page.words, &words)
}

/// Adds the lines directly above and below that go on with the columns: open at the top or at the bottom.
///
/// `prose` says of every phrase whether it is part of running text.
pub(crate) fn grow(page: &PageContent, free: &[usize], stack: &Stack, lines: &[Line], prose: &[Vec<bool>]) -> BBox {
    let start = stack.area;
    let mut area = start;
    let columns = columns_of(&text::lines(&page.words, &within(page, free, &start), PHRASE_EM));
    let inside = |line: &Line| -> Vec<Phrase> {
        line.phrases.iter().filter(|p| p.bbox.overlap_x(&start) > 0.0).cloned().collect()
    };
    let starts = |x: f32, size: f32| columns.iter().position(|c| (c.bbox.x0 - x).abs() <= ALIGNED_EM * size);
    // A single word may be too long for its column.
    let runs_out = |p: &Phrase| p.words.len() == 1 && p.bbox.x0 < start.x1;
    let fits = |i: usize, line: &Line, closed: bool| {
        let inside = inside(line);
        let free = prose.get(i).is_some_and(|f| !f.iter().any(|x| *x));
        // Two phrases are easily something else, and so is all below a closed stack, unless each stands in a column of its
        // own.
        let own = |p: &Phrase| {
            let met = |c: &&Phrase| c.bbox.overlap_x(&p.bbox) > 0.0;
            let only = || columns.iter().position(|c| met(&c)).filter(|_| columns.iter().filter(met).count() == 1);
            starts(p.bbox.x0, line.size).filter(|_| p.words.len() == 1).or_else(only)
        };
        free && (inside.len() >= 3 && !closed || inside.len() >= 2 && ascends(inside.iter().map(own)))
            && inside
                .iter()
                .all(|p| p.bbox.x0 >= start.x0 - OVERFULL && (p.bbox.x1 <= start.x1 + OVERFULL || runs_out(p)))
    };
    // The parts of a line in columns as further lines of cells: below names, and clear of the next column.
    let parts = |line: &Line| -> Vec<Option<usize>> {
        let mut parts: Vec<(BBox, usize)> = Vec::new();
        for phrase in inside(line) {
            for (k, word) in phrase.words.iter().filter_map(|&w| page.words.get(w)).enumerate() {
                match parts.last_mut() {
                    Some((part, words)) if k > 0 && starts(word.bbox.x0, line.size).is_none() => {
                        *part = part.union(&word.bbox);
                        *words += 1;
                    }
                    _ => parts.push((word.bbox, 1)),
                }
            }
        }
        let column = |(b, words): &(BBox, usize)| {
            let col = starts(b.x0, line.size).or_else(|| columns.iter().position(|c| c.bbox.overlap_x(b) > 0.0))?;
            let limit = columns.get(col + 1).map_or(start.x1, |next| next.bbox.x0);
            (*words == 1 && b.x0 < limit || b.x1 <= limit + OVERFULL).then_some(col)
        };
        // A word that runs over the next one shows two columns where their names did not.
        parts.dedup_by(|b, a| column(a) == column(b) && a.0.overlap_x(&b.0) > 0.0);
        parts.iter().map(column).collect()
    };
    let in_columns = |line: &Line, last: Option<f32>| {
        let wraps = last.is_some_and(|y| line.baseline - y <= CELL_PITCH_EM * line.size);
        let parts = parts(line);
        columns.len() > 1 && (parts.len() > 1 || wraps) && ascends(parts.into_iter())
    };
    // A lone name at the left stands above the rows of its section.
    let is_name = |i: usize, line: &Line| {
        let phrases = inside(line);
        let first = columns.first().map_or(start.x1, |c| c.bbox.x1.max(start.x0 + NAME_SHARE * start.width()));
        phrases.len() == 1
            && columns.len() >= NAMED_COLUMNS
            && prose.get(i).is_some_and(|f| !f.iter().any(|x| *x))
            && phrases.iter().all(|p| p.bbox.x0 >= start.x0 - OVERFULL && p.bbox.x1 <= first)
    };
    let (mut last, mut names, mut below) = (None, 0, start.y1);
    for (i, line) in lines.iter().enumerate().filter(|(_, l)| l.baseline > start.y1) {
        let near = line.bbox.y0 - below <= MOST_GAP_EM * line.size;
        // Below a line that goes on with the columns the table is open.
        let closed = stack.closed && last.is_none();
        let goes_on = near && (fits(i, line, closed) || !closed && in_columns(line, last));
        if !goes_on && near && !stack.closed && names < MOST_NAMES && is_name(i, line) {
            names += 1;
            below = line.bbox.y1;
            continue;
        }
        if !goes_on {
            break;
        }
        names = 0;
        below = line.bbox.y1;
        area.y1 = line.bbox.y1;
        area.x1 = inside(line).iter().map(|p| p.bbox.x1).fold(area.x1, f32::max);
        last = Some(line.baseline);
    }
    for (i, line) in lines.iter().enumerate().rev().filter(|(_, l)| l.baseline < start.y0) {
        if area.y0 - line.bbox.y1 > ABOVE_EM * line.size || !fits(i, line, false) {
            break;
        }
        area.y0 = line.bbox.y0;
    }
    area
}

/// The columns of some lines, left to right: the phrases of the fullest one, and of others what stands beside those.
fn columns_of(lines: &[Line]) -> Vec<Phrase> {
    let mut columns = lines.iter().map(|l| &l.phrases).max_by_key(|p| p.len()).cloned().unwrap_or_default();
    for phrase in lines.iter().flat_map(|l| &l.phrases) {
        if columns.iter().all(|c| c.bbox.overlap_x(&phrase.bbox) <= 0.0) {
            let at = columns.partition_point(|c| c.bbox.x0 < phrase.bbox.x0);
            columns.insert(at, phrase.clone());
        }
    }
    columns
}

/// Whether every text stands in a column, each in one right of the last.
fn ascends(columns: impl Iterator<Item = Option<usize>>) -> bool {
    let columns: Vec<Option<usize>> = columns.collect();
    columns.iter().all(Option::is_some) && columns.windows(2).all(|w| matches!(w, [a, b] if a < b))
}
