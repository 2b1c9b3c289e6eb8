//! Tables without a grid: between full-width rules (booktabs), or columns told by white space alone.

use crate::document::BBox;
use crate::pdf::PageContent;
use crate::table::grid::Draft;
use crate::table::rules::{self, Rules, Seg};
use crate::table::structure::{self, PHRASE_EM};
use crate::table::text::{self, Line, Phrase};

/// Gap in font sizes that separates columns on the page at large: wider than the stretched spaces of justified text.
const COLUMN_GAP_EM: f32 = 0.95;
/// The same between two rules of equal extent, where running text is rare.
const RULED_GAP_EM: f32 = 0.75;
/// Rules of one table start and end within this many points of each other.
const SAME_EDGE: f32 = 8.0;
/// Rules shorter than this many points bound no table: underlines, footnote rules are told by their content.
const SHORTEST_RULE: f32 = 60.0;
/// A line without gaps that is at least this fraction of the table's width is running text.
const RUNNING: f32 = 0.75;
/// Share of the phrases between two rules that stand beside others, from which on they are rows.
const TABULAR: f32 = 0.6;
/// Two rules with nothing between them are a double rule up to this distance, in points.
const DOUBLE_RULE: f32 = 24.0;
/// Lines farther apart than this many font sizes belong to different tables.
const MOST_GAP_EM: f32 = 1.8;
/// At most this many lines with a single phrase may follow each other inside a table.
const MOST_SINGLES: usize = 3;
/// A chain of phrases is prose from this many lines on.
const PROSE_LINES: usize = 3;
/// Each line of prose but the last is at least this fraction of the widest.
const PROSE_FILL: f32 = 0.75;
/// Words on a line of prose, at least.
const PROSE_WORDS: usize = 4;

/// A region that may be a table.
pub(crate) struct Candidate {
    /// Its structure.
    pub draft: Draft,
    /// Whether full-width rules bound it.
    pub ruled: bool,
}

/// Candidates among the words `free`, rule-bounded ones first.
pub(crate) fn find(page: &PageContent, rules: &Rules, free: &[usize]) -> Vec<Candidate> {
    let rules = &Rules { horizontal: rules::bridge(&rules.horizontal), vertical: rules.vertical.clone() };
    let lines = text::lines(&page.words, free, COLUMN_GAP_EM);
    let prose = prose(&page.words, &lines);
    let mut out = Vec::new();
    let mut used: Vec<BBox> = Vec::new();
    for area in stacks(page, rules, free) {
        let area = grow(&area, &lines, &prose);
        if let Some(draft) = build(page, rules, free, &area) {
            used.push(area);
            out.push(Candidate { draft, ruled: true });
        }
    }
    let outside = |b: &BBox| used.iter().all(|u| !u.contains_point(b.center_x(), b.center_y()));
    for area in runs(&lines, &prose, &outside) {
        if let Some(draft) = build(page, rules, free, &area) {
            out.push(Candidate { draft, ruled: false });
        }
    }
    out
}

fn build(page: &PageContent, rules: &Rules, free: &[usize], area: &BBox) -> Option<Draft> {
    let inside: Vec<usize> = free
        .iter()
        .copied()
        .filter(|&w| page.words.get(w).is_some_and(|w| area.contains_point(w.bbox.center_x(), w.bbox.center_y())))
        .collect();
    let lines = text::lines(&page.words, &inside, PHRASE_EM);
    let within: Vec<Seg> = rules
        .horizontal
        .iter()
        .filter(|s| s.at >= area.y0 - 3.0 && s.at <= area.y1 + 3.0 && s.cover(area.x0, area.x1) > 0.5 * s.len())
        .copied()
        .collect();
    structure::draft(page, &lines, &within)
}

/// For every phrase of every line whether it is part of running text: a stack of long, equally wide lines.
fn prose(words: &[crate::pdf::Word], lines: &[Line]) -> Vec<Vec<bool>> {
    let mut flags: Vec<Vec<bool>> = lines.iter().map(|l| vec![false; l.phrases.len()]).collect();
    let mut chained: Vec<Vec<bool>> = flags.clone();
    let long = |p: &Phrase| {
        let letters = p.words.iter().filter_map(|&w| words.get(w)).filter(|w| !text::is_value(&w.text)).count();
        letters >= PROSE_WORDS
    };
    for (i, line) in lines.iter().enumerate() {
        for (j, phrase) in line.phrases.iter().enumerate() {
            if chained.get(i).and_then(|c| c.get(j)) != Some(&false) || !long(phrase) {
                continue;
            }
            let mut chain = vec![(i, j, phrase)];
            let mut last = (line, phrase);
            for (k, next) in lines.iter().enumerate().skip(i + 1) {
                if next.baseline - last.0.baseline > MOST_GAP_EM * last.0.size.max(next.size) {
                    break;
                }
                let below = next.phrases.iter().enumerate().find(|(_, q)| {
                    (q.bbox.x0 - last.1.bbox.x0).abs() <= 3.0 * next.size && q.bbox.overlap_x(&last.1.bbox) > 0.0
                });
                let Some((m, q)) = below else { continue };
                chain.push((k, m, q));
                last = (next, q);
                if !long(q) {
                    break;
                }
            }
            let widest = chain.iter().map(|c| c.2.bbox.width()).fold(0.0, f32::max);
            let full = chain.iter().filter(|c| c.2.bbox.width() >= PROSE_FILL * widest).count();
            let is_prose =
                chain.len() >= PROSE_LINES && (full + 1) * 10 >= chain.len() * 8 && widest > 12.0 * line.size;
            for (k, m, _) in &chain {
                for (map, value) in [(&mut chained, true), (&mut flags, is_prose)] {
                    if let Some(flag) = map.get_mut(*k).and_then(|l| l.get_mut(*m)) {
                        *flag |= value;
                    }
                }
            }
        }
    }
    flags
}

/// Areas between rules of equal extent with tabular text between them.
fn stacks(page: &PageContent, rules: &Rules, free: &[usize]) -> Vec<BBox> {
    let mut rest: Vec<Seg> = rules.horizontal.iter().filter(|s| s.len() >= SHORTEST_RULE).copied().collect();
    let mut out = Vec::new();
    while let Some(first) = rest.first().copied() {
        let same = |s: &Seg| (s.from - first.from).abs() <= SAME_EDGE && (s.to - first.to).abs() <= SAME_EDGE;
        let (group, others): (Vec<Seg>, Vec<Seg>) = rest.iter().partition(|s| same(s));
        rest = others;
        let mut open: Option<BBox> = None;
        for pair in group.windows(2) {
            let [a, b] = pair else { continue };
            let gap = BBox { x0: a.from.min(b.from) - 2.0, y0: a.at, x1: a.to.max(b.to) + 2.0, y1: b.at };
            if is_tabular(page, free, &gap, open.is_some()) {
                open = Some(open.map_or(gap, |o| o.union(&gap)));
            } else {
                out.extend(open.take());
            }
        }
        out.extend(open);
    }
    out
}

/// Whether the text between two rules looks like rows; `inside` a table a lone name or nothing does too.
fn is_tabular(page: &PageContent, free: &[usize], gap: &BBox, inside: bool) -> bool {
    let words: Vec<usize> = free
        .iter()
        .copied()
        .filter(|&w| page.words.get(w).is_some_and(|w| gap.contains_point(w.bbox.center_x(), w.bbox.center_y())))
        .collect();
    let lines = text::lines(&page.words, &words, RULED_GAP_EM);
    let size = text::median(lines.iter().map(|l| l.size));
    if lines.is_empty() {
        return gap.height() < DOUBLE_RULE;
    }
    // Further lines of a cell start below its first one.
    let goes_on = |i: usize, line: &Line| {
        let below = |p: &Phrase| (p.bbox.x0 - line.bbox.x0).abs() <= size;
        inside && line.phrases.len() == 1 && lines.iter().take(i).any(|l| l.phrases.iter().skip(1).any(below))
    };
    let rows = || lines.iter().enumerate().filter(|(i, l)| !goes_on(*i, l)).map(|(_, l)| l.phrases.len());
    let phrases = |least: usize| -> usize { rows().filter(|n| *n >= least).sum() };
    let running = lines.len() > 1
        && lines.iter().any(|l| {
            l.phrases.len() == 1 && l.bbox.width() >= RUNNING * gap.width() && l.words().count() >= PROSE_WORDS
        });
    let spread = lines.windows(2).all(|p| match p {
        [a, b] => b.baseline - a.baseline <= 3.0 * MOST_GAP_EM * size,
        _ => true,
    });
    let lone = inside && lines.len() == 1 && lines.iter().all(|l| l.bbox.width() < 0.6 * gap.width());
    spread
        && !running
        && (phrases(2) as f32 >= TABULAR * phrases(1) as f32
            || lone && !super::judge::is_caption(&line_text(page, &lines)))
}

fn line_text(page: &PageContent, lines: &[Line]) -> String {
    let words: Vec<usize> = lines.iter().flat_map(Line::words).collect();
    super::grid::cell_text(&page.words, &words)
}

/// Adds the lines directly above and below that go on with the columns: open at the top or at the bottom.
fn grow(area: &BBox, lines: &[Line], prose: &[Vec<bool>]) -> BBox {
    let start = *area;
    let mut area = start;
    let fits = |i: usize, line: &Line, area: &BBox| {
        let inside: Vec<&Phrase> = line.phrases.iter().filter(|p| p.bbox.overlap_x(area) > 0.0).collect();
        let free = prose.get(i).is_some_and(|f| !f.iter().any(|x| *x));
        free && inside.len() >= 3 && inside.iter().all(|p| p.bbox.x0 >= area.x0 - 4.0 && p.bbox.x1 <= area.x1 + 4.0)
    };
    for (i, line) in lines.iter().enumerate().filter(|(_, l)| l.baseline > start.y1) {
        if line.bbox.y0 - area.y1 > MOST_GAP_EM * line.size || !fits(i, line, &area) {
            break;
        }
        area.y1 = line.bbox.y1;
    }
    for (i, line) in lines.iter().enumerate().rev().filter(|(_, l)| l.baseline < start.y0) {
        if area.y0 - line.bbox.y1 > 0.8 * line.size || !fits(i, line, &area) {
            break;
        }
        area.y0 = line.bbox.y0;
    }
    area
}

/// Areas of consecutive lines that share at least one gutter.
fn runs(lines: &[Line], prose: &[Vec<bool>], outside: &dyn Fn(&BBox) -> bool) -> Vec<BBox> {
    let mut out = Vec::new();
    let mut run: Option<Run> = None;
    let mut single: Option<BBox> = None;
    for (line, flags) in lines.iter().zip(prose) {
        let phrases: Vec<&Phrase> =
            line.phrases.iter().zip(flags).filter(|(p, f)| !**f && outside(&p.bbox)).map(|(p, _)| p).collect();
        let blocked: Vec<&BBox> = line.phrases.iter().zip(flags).filter(|(_, f)| **f).map(|(p, _)| &p.bbox).collect();
        let Some(bbox) = BBox::union_all(phrases.iter().map(|p| &p.bbox)) else {
            if run.as_ref().is_some_and(|r| blocked.iter().any(|b| b.overlap_x(&r.bbox) > 0.0)) {
                out.extend(run.take().and_then(Run::finish));
            }
            continue;
        };
        if run.as_mut().is_some_and(|r| !r.add(&phrases, &bbox, line.size, &blocked)) {
            out.extend(run.take().and_then(Run::finish));
        }
        if run.is_none() && phrases.len() >= 2 {
            // A name of two lines starts above the names that are centred beside it.
            let upper = single.filter(|b| b.overlap_y(&bbox) > 0.0 && b.overlap_x(&bbox) > 0.0);
            run = Some(Run::new(&phrases, upper.map_or(bbox, |b| b.union(&bbox))));
        }
        single = (phrases.len() == 1).then_some(bbox);
    }
    out.extend(run.and_then(Run::finish));
    out
}

/// Lines being collected into one area.
struct Run {
    bbox: BBox,
    /// Covered x-intervals of the lines with several phrases, ascending, disjoint.
    covered: Vec<(f32, f32)>,
    /// Box up to the last line with several phrases.
    sure: BBox,
    multi: usize,
    singles: usize,
}

impl Run {
    fn new(phrases: &[&Phrase], bbox: BBox) -> Self {
        let covered = phrases.iter().map(|p| (p.bbox.x0, p.bbox.x1)).collect();
        Self { bbox, covered, sure: bbox, multi: 1, singles: 0 }
    }

    fn add(&mut self, phrases: &[&Phrase], bbox: &BBox, size: f32, blocked: &[&BBox]) -> bool {
        let near = bbox.y0 - self.bbox.y1 <= MOST_GAP_EM * size;
        if !near || blocked.iter().any(|b| b.overlap_x(&self.sure) > 0.0) {
            return false;
        }
        if let [single] = phrases {
            self.singles += 1;
            let running = single.words.len() >= PROSE_WORDS && single.bbox.width() >= RUNNING * self.sure.width();
            // The names of the columns may be centred far from the left edge of the first.
            let left = self.multi <= MOST_SINGLES || single.bbox.x0 >= self.sure.x0 - size;
            let inside = left && single.bbox.x1 <= self.sure.x1 + size;
            self.bbox = self.bbox.union(bbox);
            return inside && !running && self.singles <= MOST_SINGLES;
        }
        let covered = add_intervals(&self.covered, phrases);
        let gutters = covered.windows(2).filter(|w| matches!(w, [a, b] if b.0 - a.1 >= 0.5 * size)).count();
        if gutters == 0 {
            return false;
        }
        self.covered = covered;
        self.multi += 1;
        self.singles = 0;
        self.bbox = self.bbox.union(bbox);
        self.sure = self.sure.union(&self.bbox);
        true
    }

    fn finish(self) -> Option<BBox> {
        (self.multi >= 3).then_some(self.sure.expand(0.5))
    }
}

fn add_intervals(covered: &[(f32, f32)], phrases: &[&Phrase]) -> Vec<(f32, f32)> {
    let mut all: Vec<(f32, f32)> =
        covered.iter().copied().chain(phrases.iter().map(|p| (p.bbox.x0, p.bbox.x1))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<(f32, f32)> = Vec::new();
    for (x0, x1) in all {
        match out.last_mut() {
            Some(last) if x0 <= last.1 => last.1 = last.1.max(x1),
            _ => out.push((x0, x1)),
        }
    }
    out
}
