//! Headings: which blocks are headings, and on which level.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::pdf::OutlineItem;

use super::blocks::{Block, ends_sentence};
use super::depth;
use super::lines::{Line, dominant};
use super::marks::{self, MarkKind};
use super::text::is_hangul;

/// A heading has at most this many characters and lines.
const LONGEST: usize = 220;
const MOST_LINES: usize = 4;
/// More characters than this in several lines, or in an item, are running text.
const RUNNING: usize = 50;
/// Fewer of them may be titles.
const FEWEST_RUNNING: usize = 5;
/// Larger than the body text by this factor: a heading by size alone.
const LARGE: f32 = 1.15;
/// Body text is no larger than this, in points, where there is nothing to tell by.
const LARGEST_BODY: f32 = 12.0;
/// Headings by weight or number alone stand below this share of the page's height: above are running heads.
const TOP: f32 = 0.08;
/// Names of parts of a document that need no number or style to be headings, in lower case.
const NAMES: [&str; 26] = [
    "abstract",
    "introduction",
    "background",
    "methods",
    "methodology",
    "results",
    "discussion",
    "conclusion",
    "conclusions",
    "references",
    "bibliography",
    "acknowledgements",
    "acknowledgments",
    "appendix",
    "contents",
    "table of contents",
    "summary",
    "executive summary",
    "초록",
    "요약",
    "서론",
    "결론",
    "참고문헌",
    "목차",
    "부록",
    "머리말",
];

/// How the names of months begin, and the longest of them.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LONGEST_MONTH: usize = 9;

/// What the body text of the document looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    /// Font size in points.
    pub size: f32,
    /// Most of it is bold.
    pub bold: bool,
    /// Most of it is in capitals.
    pub caps: bool,
}

impl Body {
    /// The style that most of the running text has; short blocks count only where there is nothing else.
    pub(crate) fn of<'a>(blocks: impl Iterator<Item = &'a Block> + Clone) -> Self {
        let chars = |blocks: &[&Block]| blocks.iter().map(|b| b.chars()).sum::<usize>();
        let all: Vec<&Block> = blocks.clone().collect();
        let mut long: Vec<&Block> = blocks.clone().filter(|b| b.lines.len() > 3 || b.chars() > 120).collect();
        // Where points and short paragraphs make up the text, they show it.
        if 3 * chars(&long) < chars(&all) {
            let short: Vec<&Block> = blocks.clone().filter(|b| is_running(b)).collect();
            long = if short.len() >= FEWEST_RUNNING { short } else { long };
        }
        let running = !long.is_empty();
        let used = if running { long } else { blocks.collect() };
        let lines = || used.iter().flat_map(|b| &b.lines);
        let share = |test: &dyn Fn(&Line) -> bool| {
            let (yes, all) = lines().fold((0, 0), |(y, a), l| (y + if test(l) { l.chars() } else { 0 }, a + l.chars()));
            2 * yes > all
        };
        let most = dominant(lines().map(|l| (l.size, l.chars())));
        let chars = |size: f32| lines().filter(|l| (l.size - size).abs() < 0.26).map(Line::chars).sum::<usize>();
        // Where notes outweigh the text that they belong to, the text is the larger of the two.
        let floor = chars(most) * 2 / 5;
        let larger = dominant(lines().filter(|l| l.size > most + 0.26).map(|l| (l.size, l.chars())));
        let size = if chars(larger) > floor { larger } else { most };
        // A cover has no running text to measure by.
        let size = if running { size } else { size.min(LARGEST_BODY) };
        Self { size, bold: share(&|l| l.bold), caps: share(&|l| is_caps(&l.text())) }
    }
}

/// Whether a block may be text rather than a name: of some length, in several lines or in an item of a list.
fn is_running(block: &Block) -> bool {
    let item = || marks::mark(&block.first_text()).is_some_and(|m| m.kind == MarkKind::Bullet);
    block.chars() > RUNNING && (block.lines.len() > 1 || item())
}

/// Styles of headings, by which their levels are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Style {
    /// Twice the font size, rounded.
    size: i32,
    bold: bool,
    caps: bool,
    /// How deep its mark lies among those of headings that look alike.
    depth: Reverse<u8>,
}

impl Style {
    fn of(block: &Block, text: &str) -> Self {
        Self { size: (block.size() * 2.0).round() as i32, bold: block.bold(), caps: is_caps(text), depth: Reverse(0) }
    }
}

/// Where a block stands among its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Setting {
    /// It stands apart from what follows.
    pub alone: bool,
    /// First on its page, and its distance from the top as a share of the page's height.
    pub first: Option<f32>,
    /// Nothing follows on its page.
    pub last: bool,
}

/// Whether a block is short enough, and words enough, for a heading.
pub(crate) fn may_be_heading(block: &Block, text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let chars = text.chars().count();
    letters >= 2 && chars <= LONGEST && block.lines.len() <= MOST_LINES && !block.mono() && 3 * letters >= chars
}

/// Whether a block is a heading by its looks and numbering.
pub(crate) fn is_heading(block: &Block, text: &str, body: &Body, setting: Setting) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let chars = text.chars().count();
    if !may_be_heading(block, text) {
        return false;
    }
    let size = block.size();
    let mark = marks::mark(text);
    // Korean reports head their sections with squares and circles; dashes and dots open items only.
    let is_sign = |printed: &str| printed.chars().all(|c| "□■◆◇●○▣◎".contains(c) || marks::is_symbol(c));
    let head_sign = |m: &marks::Mark| is_sign(m.printed(text)) && size >= LARGE * body.size;
    if mark.is_some_and(|m| m.kind == MarkKind::Bullet && !head_sign(&m)) {
        return false;
    }
    let sentence = ends_sentence(text) && !text.ends_with(['?', ':', ')']);
    let one_letter_words = text.split_whitespace().all(|w| w.chars().count() == 1);
    if one_letter_words && !text.chars().any(is_hangul) {
        return false;
    }
    if size >= LARGE * body.size {
        let prose =
            sentence && (block.lines.len() > 2 || chars > 100) || has_sentence_break(text) || starts_lower(text);
        return !prose || size >= 2.0 * LARGE * body.size;
    }
    let running_head = mark.is_none() && setting.first.is_some_and(|y| y < TOP);
    if size < 0.93 * body.size || text.ends_with([',', ';']) || starts_lower(text) || setting.last || running_head {
        return false;
    }
    let short = block.lines.len() <= 2 && chars <= 120;
    let emphasised = (block.bold() && !body.bold) || (is_caps(text) && !body.caps && letters >= 4);
    if emphasised && short {
        return !sentence || mark.is_some();
    }
    let numbered = match mark.map(|m| m.kind) {
        Some(MarkKind::Part(_)) => true,
        Some(MarkKind::Decimal(_)) => size > 1.03 * body.size || starts_upper(mark.map_or("", |m| m.rest(text))),
        Some(MarkKind::Number | MarkKind::Letter) => size > 1.04 * body.size,
        _ => false,
    };
    let name = text.trim_end_matches([':', '.']).to_lowercase();
    let single = block.lines.len() == 1 && chars <= 80 && setting.alone && !sentence;
    single && (numbered || NAMES.contains(&name.as_str()) || (size > 1.08 * body.size && !sentence))
}

fn starts_lower(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_lowercase)
}

/// Whether a sentence ends inside the text: a full stop after a word in lower case, then a capital.
fn has_sentence_break(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().zip(words.iter().skip(1)).any(|(a, b)| {
        let stem = a.trim_end_matches(['.', '!', '?']);
        stem.len() < a.len() && stem.chars().count() > 3 && stem.chars().all(char::is_lowercase) && starts_upper(b)
    })
}

fn starts_upper(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_uppercase() || is_hangul(c))
}

/// Whether the Latin letters of a text are capitals.
pub(crate) fn is_caps(text: &str) -> bool {
    let (mut upper, mut lower) = (0, 0);
    for c in text.chars() {
        upper += usize::from(c.is_uppercase());
        lower += usize::from(c.is_lowercase());
    }
    upper >= 3 && lower * 10 <= upper
}

/// A heading whose level is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub block: &'a Block,
    pub text: &'a str,
    /// 1-based page.
    pub page: u32,
    /// Level by its tag.
    pub tagged: Option<u8>,
}

/// Levels of the headings, 1 to 6: from the outline where it names them, from tags, from numbering, else from the styles
/// in order of size and weight. The highest of them is 1: an outline may count the title of the document as a level of its own.
pub(crate) fn levels(headings: &[Candidate<'_>], outline: &[OutlineItem]) -> Vec<u8> {
    let named: HashMap<String, (u32, Option<u32>)> =
        outline.iter().map(|item| (squash(&item.title), (item.level, item.page))).collect();
    let in_outline = |h: &Candidate<'_>| {
        let named = named.get(&squash(h.text)).filter(|(_, page)| page.is_none_or(|p| p == h.page));
        named.map(|(level, _)| *level).or(h.tagged.map(u32::from))
    };
    let styles = styles(headings);
    let ranks = ranks(headings, &styles, &headings.iter().map(in_outline).collect::<Vec<_>>());
    let mut numbered: HashMap<String, u8> = HashMap::new();
    let mut levels = Vec::with_capacity(headings.len());
    for (heading, style) in headings.iter().zip(&styles) {
        let mark = marks::mark(heading.text);
        let number = mark.map(|m| m.printed(heading.text).trim_end_matches(['.', ')']).to_owned());
        let parent = number.as_ref().and_then(|n| n.rsplit_once('.')).and_then(|(parent, _)| numbered.get(parent));
        let level = match (in_outline(heading), parent) {
            (Some(level), _) => u8::try_from(level).unwrap_or(6),
            (None, Some(parent)) => parent + 1,
            (None, None) => ranks.get(style).copied().unwrap_or(1),
        };
        let level = level.clamp(1, 6);
        if let Some(number) = number {
            numbered.insert(number, level);
        }
        levels.push(level);
    }
    let above = levels.iter().min().map_or(0, |highest| highest - 1);
    levels.iter_mut().for_each(|level| *level -= above);
    levels
}

/// The styles of the headings, those that look alike told apart by their marks.
fn styles(headings: &[Candidate<'_>]) -> Vec<Style> {
    let mut styles: Vec<Style> = headings.iter().map(|h| Style::of(h.block, h.text)).collect();
    let mut alike: HashMap<Style, Vec<usize>> = HashMap::new();
    for (at, style) in styles.iter().enumerate() {
        alike.entry(*style).or_default().push(at);
    }
    for group in alike.into_values() {
        let texts: Vec<&str> = group.iter().filter_map(|&at| headings.get(at)).map(|h| h.text).collect();
        for (at, depth) in group.into_iter().zip(depth::depths(&texts)) {
            styles.get_mut(at).into_iter().for_each(|style| style.depth = Reverse(depth));
        }
    }
    styles
}

/// A level for each style: larger before smaller, bold before light. A style that the outline places keeps that place.
/// Styles of the cover alone do not push the others down.
fn ranks(headings: &[Candidate<'_>], styles: &[Style], outline: &[Option<u32>]) -> HashMap<Style, u8> {
    let first_page = headings.iter().map(|h| h.page).min().unwrap_or(0);
    let mut order: Vec<Style> = styles.to_vec();
    order.sort_by(|a, b| b.cmp(a));
    order.dedup();
    let mut ranks = HashMap::new();
    let cover = |style: &Style| headings.iter().zip(styles).all(|(h, s)| s != style || h.page == first_page);
    let inner = order.iter().any(|style| !cover(style));
    let mut last: u8 = 0;
    for style in order {
        let placed = styles.iter().zip(outline).filter(|(s, _)| **s == style).find_map(|(_, level)| *level);
        let next = last.saturating_add(1);
        let level = placed.and_then(|l| u8::try_from(l).ok()).unwrap_or(next).clamp(1, 6);
        ranks.insert(style, level);
        if placed.is_some() || !inner || !cover(&style) {
            last = level;
        }
    }
    ranks
}

/// Whether no number and no look that other headings share makes a heading of `line`: the lines around a title name
/// authors and organisations, and give the date.
pub(crate) fn stands_out_by_place(line: &Candidate<'_>, others: &[&Candidate<'_>], body: &Body) -> bool {
    let style = Style::of(line.block, line.text);
    is_date(line.text)
        || line.block.size() < LARGE * body.size
            && !line.block.bold()
            && marks::mark(line.text).is_none()
            && others.iter().all(|h| Style::of(h.block, h.text) != style)
}

/// Whether a text is a date and nothing else: `June 2023`, `1 March 2021`, `2023. 6. 1.`, `2023년 6월`.
fn is_date(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty());
    let numbers = || text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok());
    let unit = |w: &str| w.get(..3).is_some_and(|m| MONTHS.iter().any(|month| m.eq_ignore_ascii_case(month)));
    let long = |w: &str| w.chars().count() <= LONGEST_MONTH;
    let korean = |w: &str| matches!(w, "년" | "월" | "일");
    let dated = words().next().is_some() || text.contains(['.', '-', '/']);
    dated
        && words().all(|w| korean(w) || unit(w) && long(w))
        && numbers().count() <= 3
        && numbers().any(|n| (1900..2100).contains(&n))
}

/// Text without what outlines and pages write differently.
pub(crate) fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::set;
    use super::*;

    const BODY: Body = Body { size: 10.0, bold: false, caps: false };

    fn block(text: &str, size: f32, bold: bool) -> Block {
        let mut words = set(text, 50.0, 100.0, size);
        words.iter_mut().for_each(|w| w.bold = bold);
        Block::new(Line::new(words).unwrap(), 0, 500.0)
    }

    fn heading(text: &str, size: f32, bold: bool) -> bool {
        is_heading(&block(text, size, bold), text, &BODY, Setting { alone: true, first: None, last: false })
    }

    #[test]
    fn looks_and_numbers_make_headings() {
        assert!(heading("Narratives in Chuj", 14.0, false));
        assert!(heading("Introduction to the Texts", 10.0, true));
        assert!(heading("METHODS AND DATA", 10.0, false));
        assert!(heading("2.1 Scope of the work", 10.0, false));
        assert!(heading("제1장 총칙", 10.0, false));
        assert!(heading("참고문헌", 10.0, false));
        assert!(!heading("An ordinary line of text", 10.0, false));
        assert!(!heading("This bold sentence ends as one.", 10.0, true));
        assert!(!heading("0 5 10 15 20", 14.0, false));
        assert!(!heading("2.1 percent of them", 10.0, false));
        assert!(heading("□ 추진배경", 12.0, false));
        assert!(!heading("- 세부 추진 내용", 12.0, false));
        assert!(!heading("it ends with the last words. Then another", 12.0, false));
    }

    #[test]
    fn points_show_the_size_of_the_text_where_nothing_else_does() {
        let point = "□ 구매계획을 세우고 예산을 확보하여 사업을 추진하며 그 결과를 매년 위원회에 보고하고 공개하며 이를 평가하는 것으로 함";
        let mut blocks = vec![block("짧은 제목", 20.0, true), block("참고 사항", 9.0, false)];
        blocks.extend(std::iter::repeat_n(block(point, 15.0, false), 5));
        assert_eq!(Body::of(blocks.iter()).size, 15.0);
        assert_eq!(Body::of(blocks.iter().take(4)).size, LARGEST_BODY);
    }

    #[test]
    fn lines_around_a_title_are_told_by_their_place() {
        let texts = ["Institute for Grid Storage", "Chapter 2 Aims", "Terms"];
        let blocks = [block(texts[0], 11.0, false), block(texts[1], 11.0, false), block(texts[2], 12.0, true)];
        let at = |i: usize| Candidate { block: &blocks[i], text: texts[i], page: 1, tagged: None };
        let (institute, chapter, terms) = (at(0), at(1), at(2));
        assert!(stands_out_by_place(&institute, &[&terms], &BODY));
        assert!(!stands_out_by_place(&institute, &[&terms, &at(0)], &BODY));
        assert!(!stands_out_by_place(&chapter, &[&terms], &BODY));
        assert!(!stands_out_by_place(&terms, &[&chapter], &BODY));
    }

    #[test]
    fn a_cover_does_not_push_headings_down() {
        let blocks = [block("Law of the sea", 30.0, true), block("Committee", 20.0, true), block("Aims", 14.0, true)];
        let at = |i: usize, page| Candidate { block: &blocks[i], text: "x", page, tagged: None };
        assert_eq!(levels(&[at(0, 1), at(1, 1), at(2, 2)], &[]), [1, 1, 1]);
    }

    fn levels_of(list: &[(&str, f32, bool)], outline: &[OutlineItem]) -> Vec<u8> {
        let blocks: Vec<Block> = list.iter().map(|(text, size, bold)| block(text, *size, *bold)).collect();
        let candidates: Vec<Candidate<'_>> = blocks
            .iter()
            .zip(list)
            .map(|(block, (text, ..))| Candidate { block, text, page: 1, tagged: None })
            .collect();
        levels(&candidates, outline)
    }

    #[test]
    fn dates() {
        for yes in ["June 2023", "1 March 2021", "Sept. 3, 2020", "2023. 6. 1.", "2023년 6월", "2021-03-01"] {
            assert!(is_date(yes), "{yes}");
        }
        for no in ["2023", "Report 2023", "June", "Marketing departments 2023", "2023년 계획", "10.5"] {
            assert!(!is_date(no), "{no}");
        }
    }

    #[test]
    fn size_weight_and_numbers_make_levels() {
        let list = [
            ("1. Introduction", 16.0, true),
            ("Scope", 12.0, true),
            ("Terms", 12.0, false),
            ("1.1 Aims", 12.0, false),
            ("1.1.1 More", 12.0, false),
        ];
        assert_eq!(levels_of(&list, &[]), [1, 2, 3, 2, 3]);
    }

    #[test]
    fn marks_tell_levels_apart_where_looks_do_not() {
        let list = [
            ("제1장 총칙", 12.0, true),
            ("제1절 목적", 12.0, true),
            ("1. 배경", 12.0, true),
            ("가. 현황", 12.0, true),
            ("제2장 운영", 12.0, true),
            ("참고문헌", 12.0, true),
        ];
        assert_eq!(levels_of(&list, &[]), [1, 2, 3, 4, 1, 1]);
    }

    #[test]
    fn the_outline_has_the_last_word() {
        let item = |title: &str, level| OutlineItem { title: title.into(), level, page: Some(1) };
        let outline = [item("Chapter one", 1), item("Scope", 3)];
        let list = [("Chapter One", 16.0, true), ("Scope", 12.0, true), ("Terms", 12.0, true)];
        assert_eq!(levels_of(&list, &outline), [1, 3, 3]);
        // The title is not among the sections: they move up.
        let below_title = [item("Study", 1), item("Chapter one", 2), item("Scope", 3)];
        assert_eq!(levels_of(&list, &below_title), [1, 2, 2]);
    }
}
