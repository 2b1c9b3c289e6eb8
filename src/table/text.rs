//! Words to lines and phrases: the units in which tables are recognised.

use crate::document::BBox;
use crate::document::script::is_hangul;
use crate::pdf::Word;

/// Baselines closer than this fraction of the font size belong to one line: less than half the tightest line pitch.
const SAME_LINE_EM: f32 = 0.35;
/// Words smaller than this fraction of a line's size may be its super- or subscripts.
const SCRIPT_SIZE: f32 = 0.8;
/// A script overlaps its line by at least this fraction of its own height.
const SCRIPT_OVERLAP: f32 = 0.4;
/// It stands at most this many font sizes from the word that it belongs to.
const SCRIPT_GAP_EM: f32 = 0.5;

/// Letters of a fixed-pitch font are at least this many font sizes wide: mostly 0.6, and half of one beside Hangul.
const FIXED_PITCH_WIDTH_EM: f32 = 0.52;
/// A gap between words of such a font is at least this many font sizes wide: a space is 0.6 of them.
const FIXED_PITCH_GAP_EM: f32 = 0.75;
/// From this many dots on, a row of dots is a leader and no ellipsis.
pub(crate) const LEADER_DOTS: usize = 4;
/// A gap after a leader that is wider than this many font sizes ends the cell.
const LEADER_GAP_EM: f32 = 0.3;
/// Words that overlap by more than this many font sizes do not follow each other: kerning overlaps less.
const OVERFULL_EM: f32 = 0.2;
/// From this many bytes on, a word of nothing but strokes may be a rule; fewer are a missing value.
const RULE_STROKES: usize = 5;
/// A value has at most this many letters: units.
const MOST_LETTERS: usize = 4;
/// From this many gaps on, each with a space character, a line without one at its end has lost none there.
const FEWEST_GAPS: usize = 2;

/// Characters that stand for a missing or insignificant value.
const PLACEHOLDER: &str = "-–—−‐.…‥*()[]/±†‡ ";

/// Words of one line without a wide gap between them.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    /// Indices into the page's words, left to right.
    pub words: Vec<usize>,
    /// Box of the words.
    pub bbox: BBox,
}

/// Words that share a baseline.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The phrases, left to right.
    pub phrases: Vec<Phrase>,
    /// Box of the words.
    pub bbox: BBox,
    /// y of the baseline.
    pub baseline: f32,
    /// Largest font size on the line, in points.
    pub size: f32,
}

impl Line {
    /// Indices of all words, left to right.
    pub(crate) fn words(&self) -> impl Iterator<Item = usize> + '_ {
        self.phrases.iter().flat_map(|p| p.words.iter().copied())
    }
}

/// Lines of the words `of`, top to bottom, cut into phrases at gaps wider than `gap_em` font sizes.
pub(crate) fn lines(words: &[Word], of: &[usize], gap_em: f32) -> Vec<Line> {
    let mut order: Vec<(usize, &Word)> = of.iter().filter_map(|&i| Some((i, words.get(i)?))).collect();
    order.sort_by(|a, b| a.1.baseline.total_cmp(&b.1.baseline).then(a.1.bbox.x0.total_cmp(&b.1.bbox.x0)));
    let mut groups: Vec<Vec<(usize, &Word)>> = Vec::new();
    for item in order {
        let near = groups.last().and_then(|g| g.last()).is_some_and(|(_, last)| {
            (item.1.baseline - last.baseline).abs() <= SAME_LINE_EM * last.size.min(item.1.size).max(1.0)
        });
        match groups.last_mut() {
            Some(group) if near => group.push(item),
            _ => groups.push(vec![item]),
        }
    }
    let mut merged: Vec<Vec<(usize, &Word)>> = Vec::with_capacity(groups.len());
    for group in groups {
        match merged.last_mut() {
            Some(before) if is_script(before, &group) || is_script(&group, before) => before.extend(group),
            _ => merged.push(group),
        }
    }
    merged.into_iter().filter_map(|group| line(group, gap_em)).collect()
}

/// Whether all of `small` are scripts of `main`: smaller, overlapping in height, each touching a word of it.
fn is_script(small: &[(usize, &Word)], main: &[(usize, &Word)]) -> bool {
    let size = main.iter().map(|w| w.1.size).fold(0.0, f32::max);
    small.iter().all(|(_, s)| {
        s.size < SCRIPT_SIZE * size
            && main.iter().any(|(_, m)| {
                m.bbox.overlap_y(&s.bbox) >= SCRIPT_OVERLAP * s.bbox.height()
                    && m.bbox.overlap_x(&s.bbox) > -SCRIPT_GAP_EM * size
            })
    })
}

fn line(mut group: Vec<(usize, &Word)>, gap_em: f32) -> Option<Line> {
    group.sort_by(|a, b| a.1.bbox.x0.total_cmp(&b.1.bbox.x0));
    let size = group.iter().map(|w| w.1.size).fold(0.0, f32::max);
    let baseline = group.iter().filter(|w| w.1.size >= SCRIPT_SIZE * size).map(|w| w.1.baseline).fold(0.0, f32::max);
    let bbox = BBox::union_all(group.iter().map(|w| &w.1.bbox))?;
    let mut phrases: Vec<Phrase> = Vec::new();
    let mut before: Option<&Word> = None;
    for (index, word) in group {
        // Values stand side by side only in different columns, however close.
        let names = is_typewriter(word) && before.is_none_or(|b| !is_value(&b.text) || !is_value(&word.text));
        // Dots lead the eye to the next cell.
        let led = before.is_some_and(|b| is_leader(&b.text) && !is_leader(&word.text));
        let gap_em = if led {
            LEADER_GAP_EM
        } else if names {
            gap_em.max(FIXED_PITCH_GAP_EM)
        } else {
            gap_em
        };
        // A word that runs into the next one has run out of its column.
        let letters = |w: &Word| w.text.contains(char::is_alphanumeric);
        let overlaps = before.filter(|b| letters(b) && letters(word)).is_some_and(|b| {
            b.bbox.x1 - word.bbox.x0 > OVERFULL_EM * size && b.size.min(word.size) >= SCRIPT_SIZE * size
        });
        match phrases.last_mut() {
            Some(p) if word.bbox.x0 - p.bbox.x1 <= gap_em * size && !overlaps => {
                p.words.push(index);
                p.bbox = p.bbox.union(&word.bbox);
            }
            _ => phrases.push(Phrase { words: vec![index], bbox: word.bbox }),
        }
        before = Some(word);
    }
    Some(Line { phrases, bbox, baseline, size })
}

/// Whether a word is a row of dots that leads from a name to its values.
pub(crate) fn is_leader(text: &str) -> bool {
    text.len() >= LEADER_DOTS && text.bytes().all(|b| b == b'.')
}

/// Whether a word is set in a fixed-pitch font of the common width.
fn is_typewriter(word: &Word) -> bool {
    word.mono && word.text.is_ascii() && word.bbox.width() >= FIXED_PITCH_WIDTH_EM * word.size * word.text.len() as f32
}

/// Lines of nothing but strokes among the words `of`: rules drawn with characters ("-----", "_____", "=====").
pub(crate) fn drawn_rules(words: &[Word], of: &[usize]) -> Vec<Line> {
    let stroke = |w: &usize| {
        let text = words.get(*w).map_or("", |w| w.text.as_str());
        text.len() >= RULE_STROKES && text.chars().all(|c| "-_=─━—–".contains(c))
    };
    let strokes: Vec<usize> = of.iter().copied().filter(stroke).collect();
    let mut found = lines(words, &strokes, f32::INFINITY);
    found.retain(|rule| {
        let beside =
            |w: &usize| words.get(*w).is_some_and(|w| (w.baseline - rule.baseline).abs() < SAME_LINE_EM * w.size);
        !of.iter().any(|w| beside(w) && !stroke(w))
    });
    found
}

/// Whether a space character ends a line of these words in the file; `None` where their gaps are not made by such characters.
pub(crate) fn ends_with_space<'a>(words: impl Iterator<Item = &'a Word>) -> Option<bool> {
    let mut last: Option<&Word> = None;
    let (mut gaps, mut spaces) = (0usize, 0usize);
    for word in words {
        if let Some(before) = last.filter(|_| word.space_before) {
            gaps += 1;
            spaces += usize::from(before.space_after);
        }
        last = Some(word);
    }
    match last?.space_after {
        true => Some(true),
        false => (gaps >= FEWEST_GAPS && spaces == gaps).then_some(false),
    }
}

/// Median of the values, 0 for none.
pub(crate) fn median(values: impl IntoIterator<Item = f32>) -> f32 {
    let mut sorted: Vec<f32> = values.into_iter().collect();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// Whether a cell's text is a value rather than a name: a number with its signs and units, or a placeholder for one.
pub(crate) fn is_value(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return false;
    }
    if text.chars().all(|c| !c.is_alphanumeric()) {
        // "-", "…", "(*)"; not bullets, arrows or check boxes.
        return text.chars().count() <= 6 && text.chars().all(|c| PLACEHOLDER.contains(c));
    }
    if text.chars().filter(|c| c.is_alphabetic()).nth(MOST_LETTERS).is_some() {
        return false;
    }
    let lower = text.to_lowercase();
    if matches!(
        lower.trim_matches(['(', ')', '*', '.']),
        "na" | "n/a" | "n.a" | "x" | "nd" | "ns" | "없음" | "해당없음"
    ) {
        return true;
    }
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let first = text.chars().find(|c| c.is_alphanumeric());
    // "12.5", "$3m", "8 ml", "(14.0-14.2)", "120억원"; not "Phase 2", "A1", "3 bedrooms".
    // A Hangul syllable is a word or half of one, where a Latin letter may be a symbol.
    let symbol = first.is_some_and(|c| !is_hangul(c)) && letters <= digits;
    digits > 0 && letters <= MOST_LETTERS && (symbol || first.is_some_and(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_tell_of_spaces_where_the_line_has_them() {
        let line = |text: &str, spaces: bool, end: bool| {
            let word = |t: &str| Word { text: t.into(), space_before: true, space_after: spaces, ..Word::default() };
            let mut words: Vec<Word> = text.split(' ').map(word).collect();
            words.last_mut().unwrap().space_after = end;
            ends_with_space(words.iter())
        };
        assert_eq!(line("금융기관에 의해 중재", true, false), Some(false));
        assert_eq!(line("금융기관에 의해 ", false, true), Some(true));
        assert_eq!(line("금융기관에 의해 중재", false, false), None);
        assert_eq!(line("의해 중재", true, false), None);
        assert_eq!(ends_with_space(std::iter::empty()), None);
    }

    #[test]
    fn values_are_told_from_names() {
        for value in [
            "△12.3",
            "▲1,200",
            "2024. 2. 6.",
            "12.5",
            "$3m",
            "*8 ml",
            "(14.0–14.2)",
            "1,200억원",
            "—",
            "N/A",
            "2023",
            "12%",
        ] {
            assert!(is_value(value), "{value}");
        }
        for name in ["", "(%)", "Total", "Phase 2", "□", "•", "3 bedrooms", "합계", "제3호", "여성(28명, 35%)"]
        {
            assert!(!is_value(name), "{name}");
        }
    }
}
