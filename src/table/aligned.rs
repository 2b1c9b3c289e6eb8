//! Tables without a grid: between full-width rules (booktabs), or columns told by white space alone.

use crate::document::BBox;
use crate::pdf::PageContent;
use crate::table::MAJORITY;
use crate::table::backdrop;
use crate::table::grid::Draft;
use crate::table::rules::{Rules, Seg};
use crate::table::single;
use crate::table::stacks::{self, within};
use crate::table::structure::{self, PHRASE_EM};
use crate::table::text::{self, Line, Phrase};

/// Gap in font sizes that separates columns on the page at large: wider than the stretched spaces of justified text.
const COLUMN_GAP_EM: f32 = 0.95;
/// A line without gaps that is at least this fraction of the table's width is running text.
pub(crate) const RUNNING: f32 = 0.75;
/// Lines farther apart than this many font sizes belong to different tables.
pub(crate) const MOST_GAP_EM: f32 = 1.8;
/// At most this many lines with a single phrase may follow each other inside a table.
const MOST_SINGLES: usize = 3;
/// Fewest lines with several phrases in a table without rules.
const FEWEST_LINES: usize = 3;
/// A chain of phrases is prose from this many lines on.
const PROSE_LINES: usize = 3;
/// Each line of prose but the last is at least this fraction of the widest.
const PROSE_FILL: f32 = 0.75;
/// So are at least this share of its lines, the last one always counted among them.
const PROSE_SHARE: f32 = 0.8;
/// Its lines start within this many font sizes of each other: the indent of a paragraph.
const PROSE_INDENT_EM: f32 = 3.0;
/// Narrower stacks of lines than this many font sizes are the cells of a column.
const PROSE_WIDTH_EM: f32 = 12.0;
/// Rules just outside a table, in points, belong to it.
const RULE_REACH: f32 = 3.0;
/// White space of this many font sizes on all lines of an open table parts its columns: wider than a word space.
const GUTTER_EM: f32 = 0.5;
/// An open table reaches this many points beyond its text, so that the text lies inside.
const MARGIN: f32 = 0.5;
/// Words on a line of prose, at least.
pub(crate) const PROSE_WORDS: usize = 4;

/// The lines of a page's free words, in which tables are looked for.
pub(crate) struct Field<'a> {
    page: &'a PageContent,
    rules: &'a Rules,
    free: &'a [usize],
    lines: Vec<Line>,
    prose: Vec<Vec<bool>>,
}

impl<'a> Field<'a> {
    /// The lines of the words `free`.
    pub(crate) fn new(page: &'a PageContent, rules: &'a Rules, free: &'a [usize]) -> Self {
        let lines = text::lines(&page.words, free, COLUMN_GAP_EM);
        let prose = prose(&page.words, &lines);
        Self { page, rules, free, lines, prose }
    }

    /// Candidates that full-width rules bound.
    pub(crate) fn bounded(&self) -> Vec<Draft> {
        let areas = stacks::stacks(self.page, self.rules, self.free, &self.lines);
        areas
            .iter()
            .filter_map(|stack| self.build(&stacks::grow(self.page, self.free, stack, &self.lines, &self.prose)))
            .collect()
    }

    /// Candidates on pictures of grids.
    pub(crate) fn backed(&self) -> Vec<Draft> {
        backdrop::areas(self.page, self.free).iter().filter_map(|area| self.build(area)).collect()
    }

    /// Tables of one column.
    pub(crate) fn single(&self) -> Vec<Draft> {
        single::find(self.page, self.rules, self.free, &self.lines)
    }

    /// Candidates told by white space alone, among the lines outside the areas `used`.
    pub(crate) fn open(&self, used: &[BBox]) -> Vec<Draft> {
        let outside = |b: &BBox| used.iter().all(|u| !u.contains_point(b.center_x(), b.center_y()));
        runs(&self.lines, &self.prose, self.rules, &outside).iter().filter_map(|area| self.build(area)).collect()
    }

    fn build(&self, area: &BBox) -> Option<Draft> {
        build(self.page, self.rules, self.free, area)
    }
}

fn build(page: &PageContent, rules: &Rules, free: &[usize], area: &BBox) -> Option<Draft> {
    let lines = text::lines(&page.words, &within(page, free, area), PHRASE_EM);
    let inner: Vec<Seg> = rules
        .horizontal
        .iter()
        .filter(|s| {
            s.at >= area.y0 - RULE_REACH
                && s.at <= area.y1 + RULE_REACH
                && s.cover(area.x0, area.x1) > MAJORITY * s.len()
        })
        .copied()
        .collect();
    structure::draft(page, &lines, &inner)
}

/// For every phrase of every line whether it is part of running text: a stack of long, equally wide lines.
fn prose(words: &[crate::pdf::Word], lines: &[Line]) -> Vec<Vec<bool>> {
    let mut flags: Vec<Vec<bool>> = lines.iter().map(|l| vec![false; l.phrases.len()]).collect();
    let mut chained: Vec<Vec<bool>> = flags.clone();
    let long = |p: &Phrase| {
        let texts = || p.words.iter().filter_map(|&w| words.get(w)).map(|w| w.text.as_str());
        // Dots lead from a name to values.
        texts().filter(|t| !text::is_value(t)).count() >= PROSE_WORDS && !texts().any(text::is_leader)
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
                    (q.bbox.x0 - last.1.bbox.x0).abs() <= PROSE_INDENT_EM * next.size
                        && q.bbox.overlap_x(&last.1.bbox) > 0.0
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
            let is_prose = chain.len() >= PROSE_LINES
                && (full + 1) as f32 >= PROSE_SHARE * chain.len() as f32
                && widest > PROSE_WIDTH_EM * line.size;
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

/// Areas of consecutive lines that share at least one gutter.
fn runs(lines: &[Line], prose: &[Vec<bool>], rules: &Rules, outside: &dyn Fn(&BBox) -> bool) -> Vec<BBox> {
    let mut out = Vec::new();
    let mut run: Option<Run> = None;
    let mut single: Option<BBox> = None;
    for (i, (line, flags)) in lines.iter().zip(prose).enumerate() {
        if run.as_ref().is_some_and(|r| r.multi >= FEWEST_LINES && stacks::is_header(lines, i, rules, &r.sure)) {
            out.extend(run.take().and_then(Run::finish));
        }
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
        let gutters = covered.windows(2).filter(|w| matches!(w, [a, b] if b.0 - a.1 >= GUTTER_EM * size)).count();
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
        (self.multi >= FEWEST_LINES).then_some(self.sure.expand(MARGIN))
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
