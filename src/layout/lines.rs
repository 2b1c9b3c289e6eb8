//! Words to lines: pieces of text that share a baseline and have no wide gap inside.

use std::collections::BTreeMap;

use crate::document::BBox;
use crate::pdf::Word;

use super::bidi;

/// Baselines closer than this fraction of the font size belong to one row.
const SAME_ROW_EM: f32 = 0.25;
/// A gap wider than this many font sizes cuts a row. Justified text may be cut too; rows are joined again once the
/// columns are known.
const CUT_EM: f32 = 0.5;
/// Words smaller than this fraction of a line's size may be its super- or subscripts.
const SCRIPT_SIZE: f32 = 0.85;
/// A letter larger than this many sizes of the line beside it is an initial (drop cap).
const INITIAL_SIZE: f32 = 1.8;

/// Lines are sorted by baseline, so those that may touch one are within this many places; it bounds the work.
const WINDOW: usize = 40;

/// Words on one baseline, left to right; never empty.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub words: Vec<Word>,
    pub bbox: BBox,
    /// y of the baseline.
    pub baseline: f32,
    /// Font size of most of its characters, in points.
    pub size: f32,
    /// Most characters are bold.
    pub bold: bool,
    /// Most characters are italic.
    pub italic: bool,
    /// Latin text in a fixed-pitch font.
    pub mono: bool,
    /// Some of it is written from right to left.
    pub rtl: bool,
    /// Its page is seen in a mirror: the words stand from right to left.
    pub mirrored: bool,
}

impl Line {
    /// A line of these words in this order; `None` for none.
    pub(crate) fn new(words: Vec<Word>) -> Option<Line> {
        let bbox = BBox::union_all(words.iter().map(|w| &w.bbox))?;
        let chars = |test: &dyn Fn(&Word) -> bool| -> usize {
            words.iter().filter(|w| test(w)).map(|w| w.text.chars().count()).sum()
        };
        let all = chars(&|_| true);
        // Fonts of East Asian text set digits smaller than letters, which show the size.
        let of = |test: &dyn Fn(&Word) -> bool| {
            dominant(words.iter().filter(|w| test(w)).map(|w| (w.size, w.text.chars().count())))
        };
        let size = of(&|_| true).max(of(&|w| w.text.contains(char::is_alphabetic)));
        let of_size = |w: &&Word| (w.size - size).abs() < 0.26;
        let baseline = words.iter().find(of_size).map_or(bbox.y1, |w| w.baseline);
        let bold = chars(&|w| w.bold) * 10 >= all * 8;
        let italic = chars(&|w| w.italic) * 10 >= all * 8;
        // East Asian fonts are of fixed pitch, and so are the digits of many others: only Latin letters tell.
        let mut letters = words.iter().flat_map(|w| w.text.chars()).filter(|c| c.is_alphabetic());
        let mono = words.iter().all(|w| w.mono) && letters.next().is_some() && letters.all(|c| c.is_ascii());
        let rtl = words.iter().any(bidi::is_candidate);
        Some(Line { bbox, baseline, size, bold, italic, mono, rtl, mirrored: false, words })
    }

    /// Its text, with single spaces.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if self.rtl {
            for word in bidi::logical(&self.words, self.mirrored) {
                if word.space_before && !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&word.text);
            }
            return text;
        }
        let mut before: Option<&Word> = None;
        for word in &self.words {
            if before.is_some_and(|b| spaced(b, word)) {
                text.push(' ');
            }
            // Raised digits behind a digit would read as one number: 10², 2022¹⁵.
            match raised(word).filter(|_| text.ends_with(|c: char| c.is_ascii_digit() || is_raised(c))) {
                Some(raised) => text.extend(raised),
                None => text.push_str(&word.text),
            }
            before = Some(word);
        }
        text
    }

    /// Several pieces of one row as one line.
    pub(crate) fn join(mut pieces: Vec<Line>) -> Option<Line> {
        pieces.sort_by(|a, b| a.bbox.x0.total_cmp(&b.bbox.x0));
        let mirrored = pieces.iter().any(|l| l.mirrored);
        let line = Line::new(pieces.into_iter().flat_map(|l| l.words).collect())?;
        Some(Line { mirrored, ..line })
    }

    /// Number of characters without white space.
    pub(crate) fn chars(&self) -> usize {
        self.words.iter().map(|w| w.text.chars().count()).sum()
    }

    /// Width of the part before the first space.
    pub(crate) fn first_word_width(&self) -> f32 {
        let mut end = self.bbox.x0;
        let mut before: Option<&Word> = None;
        for word in &self.words {
            if before.is_some_and(|b| spaced(b, word)) {
                break;
            }
            end = word.bbox.x1;
            before = Some(word);
        }
        end - self.bbox.x0
    }
}

/// Superscript digits and signs, in the order of [`SUPERSCRIPT`].
const PLAIN: &str = "0123456789+-−";
const SUPERSCRIPT: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻";

fn is_raised(c: char) -> bool {
    SUPERSCRIPT.contains(c)
}

/// A superscript of digits in characters of its own.
fn raised(word: &Word) -> Option<Vec<char>> {
    if !word.superscript {
        return None;
    }
    let raise = |c: char| SUPERSCRIPT.chars().nth(PLAIN.chars().position(|p| p == c)?);
    word.text.chars().map(raise).collect()
}

/// Whether white space stands between two neighbours of a line.
fn spaced(before: &Word, word: &Word) -> bool {
    let gap = word.bbox.x0 - before.bbox.x1;
    let em = before.size.min(word.size).max(1.0);
    word.space_before || gap > 0.3 * em || gap < -1.5 * em
}

/// The value that carries the most weight, values rounded to halves.
pub(crate) fn dominant(values: impl Iterator<Item = (f32, usize)>) -> f32 {
    let mut sums: BTreeMap<i32, usize> = BTreeMap::new();
    for (value, weight) in values {
        *sums.entry((value.clamp(0.0, 10_000.0) * 2.0).round() as i32).or_default() += weight;
    }
    sums.into_iter().max_by_key(|&(key, weight)| (weight, key)).map_or(0.0, |(key, _)| key as f32 / 2.0)
}

/// Cuts upright words into lines, top to bottom; `mirrored` words stand from right to left.
pub(crate) fn cut(mut words: Vec<Word>, mirrored: bool) -> Vec<Line> {
    words.retain(|w| !w.text.trim().is_empty());
    words.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut rows: Vec<Vec<Word>> = Vec::new();
    for word in words {
        let same = rows.last().and_then(|r| r.last()).is_some_and(|last| {
            (word.baseline - last.baseline).abs() <= SAME_ROW_EM * last.size.min(word.size).max(1.0)
        });
        match rows.last_mut() {
            Some(row) if same => row.push(word),
            _ => rows.push(vec![word]),
        }
    }
    let lines = rows.into_iter().flat_map(cut_row).map(|line| Line { mirrored, ..line }).collect();
    attach(lines)
}

/// Cuts one row at its wide gaps.
fn cut_row(mut row: Vec<Word>) -> Vec<Line> {
    row.sort_by(|a, b| a.bbox.x0.total_cmp(&b.bbox.x0));
    let mut pieces: Vec<Vec<Word>> = Vec::new();
    let mut end = f32::NEG_INFINITY;
    for word in row {
        let x1 = word.bbox.x1;
        // Leaders tie an entry to its page number.
        let leads = is_leader(&word) || pieces.last().and_then(|p| p.last()).is_some_and(is_leader);
        let initial = pieces.last().and_then(|p| p.last()).is_some_and(|w| w.size > INITIAL_SIZE * word.size);
        let near = leads || (word.bbox.x0 - end <= CUT_EM * word.size.max(1.0) && !initial);
        match pieces.last_mut() {
            Some(piece) if near => piece.push(word),
            _ => pieces.push(vec![word]),
        }
        end = if near { end.max(x1) } else { x1 };
    }
    pieces.into_iter().filter_map(Line::new).collect()
}

/// Whether a word is a row of dots.
fn is_leader(word: &Word) -> bool {
    let dots = word.text.chars().filter(|c| matches!(c, '.' | '·' | '…' | '‥' | '∙' | '⋯' | '_')).count();
    dots >= 3 && dots == word.text.chars().count()
}

/// Puts scripts and initials, which have baselines of their own, into the lines that they belong to.
fn attach(lines: Vec<Line>) -> Vec<Line> {
    let mut hosts: Vec<Line> = Vec::with_capacity(lines.len());
    let mut guests: Vec<Line> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let from = i.saturating_sub(WINDOW);
        let mut near = lines.iter().enumerate().skip(from).take(2 * WINDOW).filter(|&(j, _)| j != i);
        if near.any(|(_, host)| is_script(line, host) || is_initial(line, host)) {
            guests.push(line.clone());
        } else {
            hosts.push(line.clone());
        }
    }
    let mut alone = Vec::new();
    for guest in guests {
        let fits = |host: &&mut Line| is_script(&guest, host) || is_initial(&guest, host);
        let from = hosts.partition_point(|h| h.baseline < guest.baseline).saturating_sub(WINDOW);
        // Of several lines, an initial opens the first.
        match hosts.iter_mut().skip(from).take(2 * WINDOW).find(fits) {
            Some(host) => {
                let initial = is_initial(&guest, host);
                let mut words = std::mem::take(&mut host.words);
                if initial {
                    if let Some(first) = words.first_mut() {
                        first.space_before = false;
                    }
                    words.splice(0..0, guest.words);
                } else {
                    words.extend(guest.words);
                    words.sort_by(|a, b| a.bbox.x0.total_cmp(&b.bbox.x0));
                }
                let (baseline, bbox) = (host.baseline, host.bbox);
                if let Some(mut line) = Line::new(words) {
                    line.baseline = baseline;
                    line.mirrored = host.mirrored;
                    if initial {
                        line.bbox = BBox { x0: line.bbox.x0, ..bbox };
                    }
                    *host = line;
                }
            }
            None => alone.push(guest),
        }
    }
    hosts.append(&mut alone);
    hosts.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    hosts
}

/// Whether `small` is a super- or subscript that touches a word of `host`.
fn is_script(small: &Line, host: &Line) -> bool {
    small.size < SCRIPT_SIZE * host.size
        && small.chars() <= 12
        && host.bbox.overlap_y(&small.bbox) >= 0.4 * small.bbox.height()
        && host.bbox.overlap_x(&small.bbox) > -0.5 * host.size
        && host.words.iter().any(|w| w.bbox.overlap_x(&small.bbox) > -0.5 * host.size && w.size > small.size)
}

/// Whether `big` is a drop cap to the left of `host`, its top line.
fn is_initial(big: &Line, host: &Line) -> bool {
    let letter =
        big.words.len() == 1 && big.chars() <= 2 && big.words.iter().all(|w| w.text.chars().all(char::is_alphabetic));
    letter
        && big.size > INITIAL_SIZE * host.size
        && (big.bbox.y0 - 0.5 * host.size..big.bbox.y0 + 0.5 * big.size).contains(&host.bbox.y0)
        && big.baseline > host.baseline
        && (-0.5 * host.size..1.5 * host.size).contains(&(host.bbox.x0 - big.bbox.x1))
        && host.chars() > 3
}

/// Joins pieces that stand on one row again, now that the columns are known. `lines` are those of one column.
pub(crate) fn rejoin(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
    let mut rows: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let same = rows
            .last()
            .and_then(|r| r.first())
            .is_some_and(|first| (line.baseline - first.baseline).abs() <= 0.35 * first.size.min(line.size).max(1.0));
        match rows.last_mut() {
            Some(row) if same => row.push(line),
            _ => rows.push(vec![line]),
        }
    }
    rows.into_iter()
        .filter_map(|mut row| {
            if row.len() == 1 {
                return row.pop();
            }
            // An initial reaches far below its line; the box of the row is that of its lines.
            let bbox = BBox::union_all(row.iter().map(|l| &l.bbox))?;
            let mut line = Line::join(row)?;
            line.bbox = bbox;
            Some(line)
        })
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Lines of words that read from left to right.
    pub(crate) fn cut(words: Vec<Word>) -> Vec<Line> {
        super::cut(words, false)
    }

    /// Words of `text` set from `x` on `baseline`, each character half an em wide.
    pub(crate) fn set(text: &str, x: f32, baseline: f32, size: f32) -> Vec<Word> {
        let mut x = x;
        let mut words = Vec::new();
        for token in text.split(' ') {
            let width = token.chars().count() as f32 * size * 0.5;
            let bbox = BBox::new(x, baseline - 0.8 * size, x + width, baseline + 0.2 * size);
            let word = Word { text: token.into(), bbox, baseline, size, space_before: true, ..Word::default() };
            if !token.is_empty() {
                words.push(word);
            }
            x += width + 0.3 * size;
        }
        words
    }

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(Line::text).collect()
    }

    #[test]
    fn a_wide_gap_cuts_and_rejoins() {
        let mut words = set("left column", 50.0, 100.0, 10.0);
        words.extend(set("right column", 300.0, 100.0, 10.0));
        let lines = cut(words);
        assert_eq!(texts(&lines), ["left column", "right column"]);
        assert_eq!(texts(&rejoin(lines)), ["left column right column"]);
    }

    #[test]
    fn leaders_hold_an_entry_together() {
        let mut words = set("Scope", 50.0, 100.0, 10.0);
        words.extend(set("......", 90.0, 100.0, 10.0));
        words.extend(set("12", 300.0, 100.0, 10.0));
        assert_eq!(texts(&cut(words)), ["Scope ...... 12"]);
    }

    #[test]
    fn superscripts_join_their_line() {
        let mut words = set("predicted", 50.0, 100.0, 10.0);
        let mut mark = set("22", 95.5, 96.0, 6.0);
        mark[0].space_before = false;
        words.extend(mark);
        words.extend(set("next line", 50.0, 112.0, 10.0));
        assert_eq!(texts(&cut(words)), ["predicted22", "next line"]);
    }

    #[test]
    fn raised_digits_do_not_lengthen_a_number() {
        let raised = |host: &str| {
            let mut words = set(host, 50.0, 100.0, 10.0);
            let mut mark = set("−15", 50.0 + 5.0 * host.len() as f32, 96.0, 6.0);
            mark.iter_mut().for_each(|w| (w.superscript, w.space_before) = (true, false));
            words.extend(mark);
            texts(&cut(words))
        };
        assert_eq!(raised("10"), ["10⁻¹⁵"]);
        assert_eq!(raised("mean"), ["mean−15"]);
    }

    #[test]
    fn an_initial_opens_its_first_line() {
        let mut words = set("T", 50.0, 124.0, 36.0);
        words.extend(set("HIS collection of", 70.0, 100.0, 10.0));
        words.extend(set("six narratives", 70.0, 112.0, 10.0));
        words.extend(set("told in Chuj", 70.0, 124.0, 10.0));
        assert_eq!(texts(&cut(words)), ["THIS collection of", "six narratives", "told in Chuj"]);
    }

    #[test]
    fn offset_columns_keep_their_rows() {
        let mut words = set("a b", 50.0, 100.0, 10.0);
        words.extend(set("c d", 300.0, 105.0, 10.0));
        words.extend(set("e f", 50.0, 112.0, 10.0));
        assert_eq!(texts(&cut(words)), ["a b", "c d", "e f"]);
    }
}
