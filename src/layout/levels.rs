//! Levels of headings, by the outline, tags, numbers and styles; and what merely stands around a title.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::pdf::OutlineItem;

use super::blocks::Block;
use super::body::Body;
use super::depth;
use super::headings::{LARGE, is_caps};
use super::marks;

/// How the names of months begin, and the longest of them.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const LONGEST_MONTH: usize = 9;

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
    use super::super::headings::tests::block;
    use super::*;

    const BODY: Body = Body { size: 10.0, bold: false, caps: false };

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
