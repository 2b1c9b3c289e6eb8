//! Lines to blocks: paragraphs, headings and list items, as far as spacing, indents and style tell them apart.

use crate::document::BBox;

use super::labels;
use super::lines::Line;
use super::marks::{self, MarkKind};

/// Baselines farther apart than this many font sizes never belong to one block.
const WIDEST_PITCH: f32 = 2.6;
/// The distance to the next line may exceed the usual one by this factor within a block.
const LOOSE: f32 = 1.22;
/// Full lines up to this many font sizes apart may be set at a distance of their own, which differs by no more than this.
const WIDE: f32 = 1.7;
const SAME_PITCH: f32 = 0.03;
/// The distance of baselines in font sizes where it cannot be measured.
const USUAL_PITCH: f32 = 1.25;
/// The same for headings much larger than the text.
const LOOSE_HEAD: f32 = 1.45;
/// The same after a sentence of a caption: the text below it often stands hardly farther away than its own next line.
const LOOSE_CAPTION: f32 = 1.1;
/// Pairs of lines that are measured on a page.
const MOST_PAIRS: usize = 1_000;
/// Sizes that differ by more than this factor are different styles.
const SIZE_STEP: f32 = 1.1;

/// Lines that belong together, top to bottom; never empty.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub lines: Vec<Line>,
    pub bbox: BBox,
    /// Number of the column on its page.
    pub column: usize,
    /// Right edge of most lines of the column.
    pub right: f32,
}

impl Block {
    pub(crate) fn new(line: Line, column: usize, right: f32) -> Self {
        Self { bbox: line.bbox, lines: vec![line], column, right }
    }

    fn push(&mut self, line: Line) {
        self.bbox = self.bbox.union(&line.bbox);
        self.lines.push(line);
    }

    /// Font size of most characters.
    pub(crate) fn size(&self) -> f32 {
        super::lines::dominant(self.lines.iter().map(|l| (l.size, l.chars())))
    }

    /// Every line is bold.
    pub(crate) fn bold(&self) -> bool {
        self.lines.iter().all(|l| l.bold)
    }

    /// Every line is in a fixed-pitch font.
    pub(crate) fn mono(&self) -> bool {
        self.lines.iter().all(|l| l.mono)
    }

    /// Number of characters without white space.
    pub(crate) fn chars(&self) -> usize {
        self.lines.iter().map(Line::chars).sum()
    }

    /// Text of the first line.
    pub(crate) fn first_text(&self) -> String {
        self.lines.first().map(Line::text).unwrap_or_default()
    }
}

/// Groups the lines of one column.
pub(crate) fn group(lines: Vec<Line>, column: usize, pitches: &Pitches) -> Vec<Block> {
    let right = right_edge(&lines);
    let starts: Vec<Start> = lines.iter().map(|l| Start { x: l.bbox.x0, baseline: l.baseline }).collect();
    let mut blocks: Vec<Block> = Vec::new();
    for (i, line) in lines.into_iter().enumerate() {
        let after = starts.get(i + 1).copied();
        match blocks.last_mut() {
            Some(block) if continues(block, &line, after, pitches) => block.push(line),
            _ => blocks.push(Block::new(line, column, right)),
        }
    }
    blocks
}

/// Usual distances of baselines, by font size.
#[derive(Debug)]
pub(crate) struct Pitches(Vec<(f32, f32)>);

impl Pitches {
    /// Measures the columns of a page.
    pub(crate) fn of<'a>(columns: impl Iterator<Item = Vec<&'a Line>>) -> Self {
        let mut found: Vec<(f32, f32)> = Vec::new();
        for lines in columns {
            for (a, b) in lines.iter().zip(lines.iter().skip(1)) {
                let distance = (b.baseline - a.baseline) / a.size.max(1.0);
                if (0.9..WIDEST_PITCH).contains(&distance) && (a.size - b.size).abs() < 0.6 {
                    found.push((a.size, distance));
                }
            }
        }
        found.truncate(MOST_PAIRS);
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        Self(found)
    }

    /// Font size of most pairs of lines; 0 for none.
    fn body(&self) -> f32 {
        super::lines::dominant(self.0.iter().map(|(size, _)| (*size, 1)))
    }

    /// The distance in font sizes for text of this size.
    fn at(&self, size: f32) -> f32 {
        let of_size: Vec<f32> = self.0.iter().filter(|(s, _)| (s - size).abs() < 0.6).map(|(_, d)| *d).collect();
        // Below the middle: paragraphs and headings only widen the distance.
        if of_size.len() < 3 { USUAL_PITCH } else { of_size.get(of_size.len() * 2 / 5).copied().unwrap_or(USUAL_PITCH) }
    }
}

/// Where most full lines end.
fn right_edge(lines: &[Line]) -> f32 {
    let mut ends: Vec<f32> = lines.iter().map(|l| l.bbox.x1).collect();
    ends.sort_by(f32::total_cmp);
    let at = if ends.len() < 4 { ends.len().saturating_sub(1) } else { ends.len() * 3 / 4 };
    ends.get(at).copied().unwrap_or(0.0)
}

/// Where a line begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    x: f32,
    baseline: f32,
}

/// Whether `line` goes on with the block. `after` is the line after it.
fn continues(block: &Block, line: &Line, after: Option<Start>, pitches: &Pitches) -> bool {
    let (Some(first), Some(last)) = (block.lines.first(), block.lines.last()) else { return false };
    let em = last.size.max(line.size).max(1.0);
    let distance = line.baseline - last.baseline;
    let usual = match block.lines.len() {
        1 if line.size > 1.5 * pitches.body() => LOOSE_HEAD * em,
        // Full lines that are set wider than others of their size go on at one distance.
        1 if distance <= WIDE * em
            && after.is_some_and(|a| (a.baseline - line.baseline - distance).abs() < SAME_PITCH * em)
            && !ends_sentence(&last.text())
            && !would_fit(block, last, line) =>
        {
            distance
        }
        1 => pitches.at(line.size) * em,
        n => (last.baseline - first.baseline) / (n - 1) as f32,
    };
    if distance <= 0.0 || distance > WIDEST_PITCH * em || distance > LOOSE * usual + 0.06 * em {
        return false;
    }
    if labels::is_caption(&first.text()) {
        if !ends_sentence(&last.text()) {
            return caption_goes_on(block, last, line);
        }
        if distance > LOOSE_CAPTION * usual {
            return false;
        }
    }
    same_style(last, line)
        && line.bbox.overlap_x(&block.bbox) > 0.0
        && !starts_anew(block, first, last, line)
        && !is_indent(block, first, last, line, after)
        && (is_centered(block, line) || !would_fit(block, last, line))
}

/// Whether a caption that has not come to the end of a sentence goes on: its lines are ragged or centred, and only its
/// label may be bold. A full line that opens with a capital after a short one is the text below it.
fn caption_goes_on(block: &Block, last: &Line, line: &Line) -> bool {
    let same_size = (last.size - line.size).abs() < 0.06 * line.size.max(last.size);
    let text = line.text();
    let full = block.right - line.bbox.x1 < 2.0 * line.size && block.lines.len() == 1;
    let opens = full && would_fit(block, last, line) && !text.starts_with(char::is_lowercase);
    let marked = labels::is_caption(&text) || labels::is_note(&text) || labels::is_unit(&text);
    same_size && line.bbox.overlap_x(&block.bbox) > 0.0 && !marked && !opens && !labels::is_unit(&last.text())
}

fn same_style(a: &Line, b: &Line) -> bool {
    let (small, large) = (a.size.min(b.size).max(0.1), a.size.max(b.size));
    // A line of a few characters (a formula's index, a mark) does not show a style.
    // Nor do digits: fonts of East Asian text set them smaller.
    let letters = |line: &Line| line.words.iter().any(|w| w.text.contains(char::is_alphabetic));
    let telling = a.chars() > 3 && b.chars() > 3 && letters(a) && letters(b);
    // Bold words that go on after the line end open a paragraph; they are no heading.
    let wraps = a.words.last().is_some_and(|w| w.bold)
        && b.words.first().is_some_and(|w| w.bold && w.text.starts_with(char::is_lowercase));
    let weight = a.bold == b.bold && (!a.bold || a.italic == b.italic);
    let step = if letters(a) && letters(b) { SIZE_STEP } else { 1.0 + 2.5 * (SIZE_STEP - 1.0) };
    large / small <= step && (!telling || (a.mono == b.mono && (weight || wraps)))
}

/// Whether a mark or label opens something new.
fn starts_anew(block: &Block, first: &Line, last: &Line, line: &Line) -> bool {
    let text = line.text();
    if labels::is_caption(&text) || labels::is_note(&text) || labels::is_unit(&text) || labels::is_unit(&last.text()) {
        return true;
    }
    let Some(mark) = marks::mark(&text) else { return false };
    let in_list = marks::mark(&first.text()).is_some_and(|m| m.kind == mark.kind);
    let short = block.right - last.bbox.x1 > 2.0 * last.size;
    let shifted = (line.bbox.x0 - last.bbox.x0).abs() > 0.5 * line.size;
    match mark.kind {
        MarkKind::Bullet => {
            !matches!(mark.printed(&text), "-" | "–" | "—" | "*" | "·" | "∙" | "・") || in_list || short || shifted
        }
        // A number at the start of a line may belong to the sentence.
        MarkKind::Number | MarkKind::Letter => in_list || short || shifted || ends_sentence(&last.text()),
        MarkKind::Decimal(_) | MarkKind::Part(_) => short || (in_list && ends_sentence(&last.text())),
    }
}

/// Whether the indent of `line` opens a paragraph.
fn is_indent(block: &Block, first: &Line, last: &Line, line: &Line, after: Option<Start>) -> bool {
    let em = line.size.max(1.0);
    let shift = line.bbox.x0 - last.bbox.x0;
    let single = block.lines.len() == 1;
    if shift > 0.7 * em {
        if is_centered(block, line) || (single && marks::mark(&first.text()).is_some()) {
            return false;
        }
        // A hanging indent: what follows stays at the indent, and the line before was full.
        let returns = after.is_some_and(|a| a.x < line.bbox.x0 - 0.5 * em);
        let short = block.right - last.bbox.x1 > 2.0 * em;
        returns || short || !single
    } else if shift < -0.7 * em {
        // Back to the margin after a first line's indent; further in, the next entry of a hanging list. The text of a bullet
        // does not go back beyond it.
        let bullet = || marks::mark(&first.text()).is_some_and(|m| m.kind == MarkKind::Bullet);
        bullet() || !single && !is_centered(block, line)
    } else {
        false
    }
}

/// Whether `line` stands under the middle of the block, both set in from the edges.
fn is_centered(block: &Block, line: &Line) -> bool {
    let Some(last) = block.lines.last() else { return false };
    let em = line.size.max(1.0);
    (last.bbox.center_x() - line.bbox.center_x()).abs() < 0.6 * em
        && (last.bbox.x0 - line.bbox.x0).abs() > 0.7 * em
        && (last.bbox.x1 - line.bbox.x1).abs() > 0.7 * em
}

/// Whether the first word of `line` would have fitted on the line before: then that line ended a paragraph.
fn would_fit(block: &Block, last: &Line, line: &Line) -> bool {
    block.right - last.bbox.x1 > line.first_word_width() + 1.5 * line.size
}

/// Whether a text ends as a sentence does.
pub(crate) fn ends_sentence(text: &str) -> bool {
    let text =
        text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '”' | '’' | '\'' | ')' | ']' | '」'));
    text.ends_with(['.', '!', '?', ':', ';', '。', '…', '：'])
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::{cut, set};
    use super::*;

    fn blocks(lines: &[(&str, f32, f32, f32)]) -> Vec<Vec<String>> {
        let words = lines.iter().flat_map(|(text, x, y, size)| set(text, *x, *y, *size)).collect();
        group(cut(words), 0, &Pitches(Vec::new())).iter().map(|b| b.lines.iter().map(Line::text).collect()).collect()
    }

    const FULL: &str = "a line that is as long as the column is wide";

    #[test]
    fn space_and_size_part_blocks() {
        let found = blocks(&[
            ("Heading", 50.0, 80.0, 14.0),
            (FULL, 50.0, 100.0, 10.0),
            (FULL, 50.0, 112.0, 10.0),
            (FULL, 50.0, 132.0, 10.0),
        ]);
        assert_eq!(found, [vec!["Heading"], vec![FULL, FULL], vec![FULL]]);
    }

    #[test]
    fn an_indent_opens_a_paragraph() {
        let found = blocks(&[
            (FULL, 50.0, 100.0, 10.0),
            (FULL, 50.0, 112.0, 10.0),
            ("indented line that is nearly as wide as it", 62.0, 124.0, 10.0),
            (FULL, 50.0, 136.0, 10.0),
        ]);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1][1], FULL);
    }

    #[test]
    fn a_hanging_indent_goes_on() {
        let hanging = "the same entry goes on with a hanging line";
        let found = blocks(&[
            (FULL, 50.0, 100.0, 10.0),
            (hanging, 62.0, 112.0, 10.0),
            (hanging, 62.0, 124.0, 10.0),
            (FULL, 50.0, 136.0, 10.0),
            (hanging, 62.0, 148.0, 10.0),
        ]);
        assert_eq!(found, [vec![FULL, hanging, hanging], vec![FULL, hanging]]);
    }

    #[test]
    fn a_short_line_ends_a_paragraph() {
        let found = blocks(&[
            (FULL, 50.0, 100.0, 10.0),
            ("ends here.", 50.0, 112.0, 10.0),
            (FULL, 50.0, 124.0, 10.0),
            (FULL, 50.0, 136.0, 10.0),
        ]);
        assert_eq!(found, [vec![FULL, "ends here."], vec![FULL, FULL]]);
    }

    #[test]
    fn list_items_and_captions_stand_alone() {
        let found = blocks(&[
            ("• the first item of this list is rather long", 50.0, 100.0, 10.0),
            ("and goes on", 58.0, 112.0, 10.0),
            ("• the second", 50.0, 124.0, 10.0),
            ("Table 1: Values", 50.0, 136.0, 10.0),
        ]);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].len(), 2);
        assert_eq!(found[2], ["Table 1: Values"]);
    }

    #[test]
    fn full_lines_set_wide_are_one_paragraph() {
        let lines = |third: f32| {
            let starts =
                [("1 a note that is as long as", 100.0), ("its column and goes on here", 115.5), ("ends", third)];
            let words = starts.iter().flat_map(|(text, y)| set(text, 50.0, *y, 10.0)).collect();
            // Elsewhere lines of this size stand closer.
            let pitches = Pitches(vec![(10.0, 1.2); 3]);
            group(cut(words), 0, &pitches).iter().map(|b| b.lines.len()).collect::<Vec<_>>()
        };
        assert_eq!(lines(131.0), [3]);
        assert_eq!(lines(140.0), [1, 1, 1]);
    }

    #[test]
    fn the_text_below_a_list_stands_further_out() {
        let item = "• the last item that is as long as its column is";
        let found = blocks(&[(item, 62.0, 100.0, 10.0), ("after the list it goes on", 50.0, 112.0, 10.0)]);
        assert_eq!(found, [[item], ["after the list it goes on"]]);
        let numbered = "(1) the last item that is as long as its column";
        let found = blocks(&[(numbered, 62.0, 100.0, 10.0), ("and goes on at the margin", 50.0, 112.0, 10.0)]);
        assert_eq!(found, [[numbered, "and goes on at the margin"]]);
    }
}
