//! Columns told by white space: gutters that no line of the body crosses.

use crate::document::BBox;
use crate::pdf::Word;
use crate::table::MAJORITY;
use crate::table::text::{Line, Phrase, is_value, median};

/// Signs before amounts; the last one stands for those that a font lacks.
const CURRENCIES: [char; 7] = ['$', '€', '£', '¥', '₩', '₹', '\u{fffd}'];
/// Phrases start a column where they start within this many points of each other,
const SAME_START: f32 = 1.25;
/// on at least this many lines
const FEWEST_STARTS: usize = 3;
/// and on at least this fraction of all lines.
const SHARE_OF_STARTS: f32 = 0.2;
/// Or where words of several lines start within this many points of each other, which hardly ever happens by chance,
const EXACT: f32 = 0.1;
/// on at least this fraction of all lines,
const SHARE_OF_EXACT: f32 = 0.08;
/// and phrases do on at least this many.
const FEWEST_EXACT: usize = 1;
/// Words with less than this many font sizes between them touch: spaces are wider.
const TOUCHING_EM: f32 = 0.16;
/// Columns are side by side on at least this many lines.
const FEWEST_BESIDE: usize = 2;
/// Letters stand out of their column by at most this many font sizes.
const BEARING_EM: f32 = 0.3;
/// Baselines closer than this many font sizes are beside each other.
const BESIDE_EM: f32 = 0.75;
/// Share of the body's lines that may reach into a gutter: long names, notes, spanning cells.
const CROSSING: f32 = 0.08;
/// A gutter is at least this many font sizes wide: wider than a word space.
const GUTTER_EM: f32 = 0.45;
/// A text that runs out of its column is cut so far before the next one that a gutter, and a little more, is between them.
const CUT_GUTTERS: f32 = 1.1;
/// Text on both sides of a gutter, on at least this fraction of the body's lines, makes it the edge of a column.
const SUPPORT: f32 = 0.15;
/// Fewest lines that show the columns below a phrase of several values.
const FEWEST_SPREAD: usize = 2;
/// Lines with at least this fraction of the most phrases of any line belong to the body; others are headers or notes.
const BODY_PHRASES: f32 = 0.5;

/// The lines with their phrases cut where a column starts, however small the gap before it: cells may be too full.
///
/// A column starts where phrases of several lines do. A phrase that starts elsewhere is centred, over whatever columns.
pub(crate) fn separate(words: &[Word], lines: &[Line]) -> Vec<Line> {
    let text = |w: &usize| words.get(*w).map_or("", |w| w.text.as_str());
    // Two amounts are two cells, and so are words closer than a space is wide.
    let inner = |pair: &[usize]| {
        let [a, b] = pair else { return None };
        let amounts = is_value(text(a)) && is_value(text(b)) && text(b).starts_with(CURRENCIES);
        let (left, right) = (words.get(*a)?, words.get(*b)?);
        (amounts || touch(left, right)).then_some(right.bbox.x0)
    };
    let phrases = || lines.iter().flat_map(|l| &l.phrases);
    let mut starts: Vec<f32> = phrases().map(|p| p.bbox.x0).collect();
    starts.extend(phrases().flat_map(|p| p.words.windows(2).filter_map(inner)));
    starts.sort_by(f32::total_cmp);
    let needed = FEWEST_STARTS.max((lines.len() as f32 * SHARE_OF_STARTS).ceil() as usize);
    let exact = FEWEST_STARTS.max((lines.len() as f32 * SHARE_OF_EXACT).ceil() as usize);
    let mut all: Vec<f32> = phrases().flat_map(|p| &p.words).filter_map(|w| words.get(*w)).map(|w| w.bbox.x0).collect();
    all.sort_by(f32::total_cmp);
    let is_start = |x: f32| {
        near(&starts, x, SAME_START) >= needed
            || near(&starts, x, EXACT) >= FEWEST_EXACT && near(&all, x, EXACT) >= exact
    };
    let beside = Beside::new(lines, &is_start);
    // Marks of items belong to what follows.
    let is_mark = |p: &Phrase| p.words.iter().all(|w| !text(w).contains(char::is_alphanumeric));
    let mut out = lines.to_vec();
    // A line of one phrase may run over all columns.
    for line in out.iter_mut().filter(|l| l.phrases.len() > 1) {
        let mut phrases: Vec<Phrase> = Vec::new();
        for phrase in std::mem::take(&mut line.phrases) {
            for (k, &w) in phrase.words.iter().enumerate() {
                let Some(word) = words.get(w) else { continue };
                match phrases.last_mut() {
                    Some(last) if k > 0 && !(is_start(last.bbox.x0) && is_start(word.bbox.x0) && !is_mark(last)) => {
                        last.words.push(w);
                        last.bbox = last.bbox.union(&word.bbox);
                    }
                    _ => phrases.push(Phrase { words: vec![w], bbox: word.bbox }),
                }
            }
        }
        // What runs out of its column, or all but, ends where the next one starts.
        let next: Vec<f32> = phrases.iter().skip(1).map(|p| p.bbox.x0).chain([f32::INFINITY]).collect();
        let gutter = SAME_START + CUT_GUTTERS * GUTTER_EM * line.size;
        for (phrase, next) in phrases.iter_mut().zip(next) {
            let b = phrase.bbox;
            let after = starts.get(starts.partition_point(|s| *s < b.x1)..).unwrap_or_default();
            let near = after.iter().take_while(|s| **s < b.x1 + gutter).copied().find(|s| is_start(*s));
            let mut limit = next.min(near.unwrap_or(f32::INFINITY));
            if let [_] = phrase.words.as_slice() {
                limit = limit.min(beside.next_of(b.x0).filter(|x| *x > b.x0 && *x < b.x1).unwrap_or(f32::INFINITY));
            }
            let limit = limit - gutter;
            // Some letters reach out to the left.
            let own = starts.get(starts.partition_point(|s| *s < b.x0)..).unwrap_or_default();
            let own = own.iter().take_while(|s| **s <= b.x0 + BEARING_EM * line.size).copied();
            let x0 = if is_start(b.x0) { b.x0 } else { own.filter(|s| is_start(*s)).last().unwrap_or(b.x0) };
            phrase.bbox = BBox { x0: x0.min(b.x1), x1: b.x1.min(limit.max(b.x0)), ..b };
        }
        line.phrases = phrases;
    }
    out
}

/// Whether two words of a line are closer than a space is wide, as words of one cell never are.
pub(crate) fn touch(left: &Word, right: &Word) -> bool {
    let letters = |w: &Word| w.text.contains(char::is_alphanumeric);
    letters(left) && letters(right) && right.bbox.x0 - left.bbox.x1 < TOUCHING_EM * left.size.min(right.size)
}

/// How many of the sorted values are at most `tolerance` from `x`.
fn near(sorted: &[f32], x: f32, tolerance: f32) -> usize {
    let from = sorted.partition_point(|s| *s < x - tolerance);
    sorted.partition_point(|s| *s <= x + tolerance) - from
}

/// Which columns follow each other on some lines: a word that is too long for its column runs over the next one, which is
/// empty beside it.
///
/// Where a column starts, and the next one.
struct Beside(Vec<(f32, f32)>);

impl Beside {
    /// Of the places where columns start.
    fn new(lines: &[Line], is_start: &dyn Fn(f32) -> bool) -> Self {
        let pairs = lines.iter().flat_map(|l| l.phrases.windows(2)).filter_map(|pair| match pair {
            [a, b] => Some((a.bbox.x0, b.bbox.x0)),
            _ => None,
        });
        let mut pairs: Vec<(f32, f32)> = pairs.filter(|(a, b)| is_start(*a) && is_start(*b)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let next = |column: &[(f32, f32)]| -> Option<(f32, f32)> {
            let mut next: Vec<f32> = column.iter().map(|p| p.1).collect();
            next.sort_by(f32::total_cmp);
            let often = next.iter().copied().find(|x| near(&next, *x, SAME_START) >= FEWEST_BESIDE);
            column.first().map(|p| p.0).zip(often)
        };
        Self(pairs.chunk_by(|a, b| b.0 - a.0 <= SAME_START).filter_map(next).collect())
    }

    /// Where the column right of the one that starts at `x` starts.
    fn next_of(&self, x: f32) -> Option<f32> {
        self.0.get(self.0.partition_point(|p| p.0 < x - SAME_START)).filter(|p| p.0 <= x + SAME_START).map(|p| p.1)
    }
}

/// The extents of the columns, left to right: what the body's text covers. Empty where there are less than two.
pub(crate) fn find(lines: &[Line]) -> Vec<(f32, f32)> {
    let most = lines.iter().map(|l| l.phrases.len()).max().unwrap_or(0);
    if most < 2 {
        return Vec::new();
    }
    let least = ((most as f32 * BODY_PHRASES).ceil() as usize).max(2);
    let body: Vec<&Line> = lines.iter().filter(|l| l.phrases.len() >= least).collect();
    let size = median(body.iter().map(|l| l.size));
    let allowed = (body.len() as f32 * CROSSING) as i32;
    let mut events: Vec<(f32, i32)> =
        body.iter().flat_map(|l| l.phrases.iter().flat_map(|p| [(p.bbox.x0, 1), (p.bbox.x1, -1)])).collect();
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut columns: Vec<(f32, f32)> = Vec::new();
    let (mut depth, mut start) = (0, 0.0);
    for (x, step) in events {
        let before = depth;
        depth += step;
        if before <= allowed && depth > allowed {
            start = x;
        } else if before > allowed && depth <= allowed {
            match columns.last_mut() {
                Some(last) if start - last.1 < GUTTER_EM * size => last.1 = x,
                _ => columns.push((start, x)),
            }
        }
    }
    merge_unsupported(&mut columns, &body);
    if columns.len() < 2 { Vec::new() } else { columns }
}

/// The lines, each with the values of the next one that are centred on both: of a row of several lines. `value` says whether
/// a phrase is one.
pub(crate) fn with_centred(lines: &[Line], value: &dyn Fn(&Phrase) -> bool) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let apart = |above: &Line| {
            line.phrases.iter().all(value)
                && above.phrases.iter().all(|a| line.phrases.iter().all(|b| a.bbox.overlap_x(&b.bbox) <= 0.0))
        };
        match out.last_mut() {
            Some(above) if line.baseline - above.baseline < BESIDE_EM * line.size.max(above.size) && apart(above) => {
                above.phrases.extend(line.phrases.iter().cloned());
                above.phrases.sort_by(|a, b| a.bbox.x0.total_cmp(&b.bbox.x0));
                above.bbox = above.bbox.union(&line.bbox);
            }
            _ => out.push(line.clone()),
        }
    }
    out
}

/// The lines without phrases of several values that stand over columns of their own: names of narrow columns ("21.12월
/// 22.12월") may be closer than a word space is wide. `values` says whether the words of a phrase are all values.
pub(crate) fn without_crowded(lines: &[Line], values: &dyn Fn(&Phrase) -> bool) -> Vec<Line> {
    let apart = |phrase: &Phrase, line: &Line| {
        let inside = |p: &&Phrase| p.bbox.overlap_x(&phrase.bbox) > MAJORITY * p.bbox.width();
        line.phrases.iter().filter(inside).count() >= phrase.words.len()
    };
    let crowded = |i: usize, phrase: &Phrase| {
        let others = || lines.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, l)| l);
        let spread = || others().filter(|l| apart(phrase, l)).count();
        phrase.words.len() >= 2 && values(phrase) && spread() >= FEWEST_SPREAD.max(lines.len().div_ceil(3))
    };
    let kept = |(i, line): (usize, &Line)| {
        let phrases = line.phrases.iter().filter(|p| !crowded(i, p)).cloned().collect();
        Line { phrases, ..line.clone() }
    };
    lines.iter().enumerate().map(kept).collect()
}

/// Joins neighbours that hardly ever both have text on a line.
fn merge_unsupported(columns: &mut Vec<(f32, f32)>, body: &[&Line]) {
    let needed = ((body.len() as f32 * SUPPORT).ceil() as usize).max(2);
    let has = |line: &Line, c: (f32, f32)| line.phrases.iter().any(|p| p.bbox.x0 < c.1 && p.bbox.x1 > c.0);
    let mut i = 0;
    while i + 1 < columns.len() {
        let (Some(&a), Some(&b)) = (columns.get(i), columns.get(i + 1)) else { break };
        let both = body.iter().filter(|l| has(l, a) && has(l, b)).count();
        let count = |c: (f32, f32)| body.iter().filter(|l| has(l, c)).count();
        // A column may be sparse beside another one; what counts is that it has neighbours at all.
        if both >= needed.min(body.len()) || count(a).min(count(b)) == both && both >= 2 {
            i += 1;
        } else {
            // The sparser of the two belongs to the neighbour that is closer.
            let gap = |c: Option<&(f32, f32)>, d: (f32, f32)| c.map_or(f32::INFINITY, |c| (d.0 - c.1).max(c.0 - d.1));
            let at = if count(b) < count(a) && gap(columns.get(i + 2), b) < b.0 - a.1 { i + 1 } else { i };
            if let (Some(&left), Some(&right)) = (columns.get(at), columns.get(at + 1)) {
                columns.splice(at..at + 2, [(left.0, right.1)]);
            }
        }
    }
}

/// Edges halfway between the columns, and the outer ones.
pub(crate) fn edges(columns: &[(f32, f32)]) -> Vec<f32> {
    let mut xs: Vec<f32> = columns.first().map(|c| c.0).into_iter().collect();
    for pair in columns.windows(2) {
        if let [a, b] = pair {
            xs.push((a.1 + b.0) / 2.0);
        }
    }
    xs.extend(columns.last().map(|c| c.1));
    xs
}
