//! Running heads and feet: lines at the edges of pages that return on other pages, and page numbers.

use std::collections::HashMap;

use super::labels;
use super::lines::Line;
use super::page::{Float, PageDraft};

/// Share of the page's height in which heads and feet stand.
const ZONE: f32 = 0.15;
/// Rows that are looked at from each edge.
const MOST_ROWS: usize = 4;
/// How far a head may move from page to page, in points.
const SHIFT: f32 = 6.0;
/// Pages that are at most this far apart share a head when it stands on both; a single pair farther apart is chance.
const NEAR: usize = 2;

/// Where a text stands at the edge of pages: (page, baseline).
type Places = Vec<(usize, f32)>;

/// Moves running heads and feet out of the lines of each page.
pub(crate) fn set_apart(pages: &mut [PageDraft]) {
    let mut seen: HashMap<(bool, String), Places> = HashMap::new();
    for (index, page) in pages.iter().enumerate() {
        for top in [true, false] {
            for line in edge_rows(page, top).into_iter().flatten().filter_map(|at| page.lines.get(at)) {
                seen.entry((top, key(&line.text()))).or_default().push((index, line.baseline));
            }
        }
    }
    for (index, page) in pages.iter_mut().enumerate() {
        let mut heads = Vec::new();
        let mut feet = Vec::new();
        for (top, taken) in [(true, &mut heads), (false, &mut feet)] {
            for row in edge_rows(page, top) {
                let lines: Vec<(usize, &Line)> = row.iter().filter_map(|&at| Some((at, page.lines.get(at)?))).collect();
                let numbers = lines.iter().filter(|(_, l)| is_page_number(&l.text())).count();
                // A number close to text counts a section, not a page.
                let apart = |line: &Line| {
                    lines.iter().all(|(_, l)| l.bbox == line.bbox || l.bbox.overlap_x(&line.bbox) < -3.0 * line.size)
                };
                let found = |line: &Line| {
                    let text = line.text();
                    let places = seen.get(&(top, key(&text))).map_or(&[][..], Vec::as_slice);
                    (numbers == 1 && is_page_number(&text) && apart(line))
                        || (can_return(&text) && returns(places, index, line.baseline))
                };
                let marked: Vec<usize> = lines.iter().filter(|(_, l)| found(l)).map(|&(at, _)| at).collect();
                let all = marked.len() == lines.len();
                taken.extend(marked);
                if !all {
                    break;
                }
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
    // Where nothing but heads and feet would be left, they are the text: labels, slides, forms of a line a page.
    if pages.iter().all(|page| page.lines.is_empty() && !page.floats.iter().any(|(_, f)| matches!(f, Float::Table(_))))
    {
        for page in pages {
            page.lines = std::mem::take(&mut page.heads);
            page.lines.append(&mut page.feet);
        }
    }
}

/// Rows of lines (as indices) in the zone at the top or bottom, from the edge inwards.
fn edge_rows(page: &PageDraft, top: bool) -> Vec<Vec<usize>> {
    let limit = if top { ZONE * page.upright_height } else { (1.0 - ZONE) * page.upright_height };
    let in_zone = |line: &Line| if top { line.bbox.center_y() < limit } else { line.bbox.center_y() > limit };
    // What stands inside or beyond a table or picture is not at the edge of the page.
    let beyond = |line: &Line| {
        page.floats.iter().any(|(b, _)| if top { b.y0 < line.bbox.center_y() } else { b.y1 > line.bbox.center_y() })
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
    rows.into_iter().take(MOST_ROWS).map(|(_, row)| row).collect()
}

/// Labels of tables return at the top of pages without being heads.
fn can_return(text: &str) -> bool {
    !labels::is_caption(text) && !labels::is_unit(text) && !labels::is_note(text)
}

/// Whether a text that stands at these places is a running head on page `index`.
fn returns(places: &[(usize, f32)], index: usize, baseline: f32) -> bool {
    let same = places.iter().filter(|(p, b)| *p != index && (b - baseline).abs() <= SHIFT);
    let (mut near, mut all) = (0, 0);
    for (page, _) in same {
        all += 1;
        near += usize::from(page.abs_diff(index) <= NEAR);
    }
    near >= 1 || all >= 2
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

/// `12`, `- 12 -`, `Page 3 of 10`, `3 / 10`, `12쪽`, `xiv`.
fn is_page_number(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if text.chars().count() > 20 || digits > 8 || (text.ends_with('.') && digits < 3) {
        return false;
    }
    let word = |w: &str| {
        let lower = w.to_lowercase();
        matches!(lower.as_str(), "page" | "p" | "pg" | "of" | "쪽" | "페이지" | "면")
    };
    let letters: Vec<&str> = text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).collect();
    let signs = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace());
    let plain = signs.clone().count() <= 4 && signs.clone().all(|c| "-–—/.|·[]()<>~∙•_".contains(c));
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
    let numbers: Vec<&str> = numbers.collect();
    let counted = (1..=2).contains(&numbers.len())
        && numbers.iter().all(|n| n.len() <= 4)
        && (numbers.len() == 1 || text.contains('/') || letters.iter().any(|w| w.eq_ignore_ascii_case("of")));
    let decimal = numbers.len() == 1 && text.contains('.') && !text.ends_with('.') && letters.is_empty();
    (counted && !decimal && plain && letters.iter().all(|w| word(w))) || is_roman_number(text)
}

fn is_roman_number(text: &str) -> bool {
    let text = text.trim().trim_matches(['-', '–', '—', ' ']);
    !text.is_empty() && text.len() <= 7 && text.bytes().all(|b| b"ivxl".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::set;
    use super::super::page;
    use super::*;
    use crate::pdf::PageContent;

    fn pages(texts: &[&[(&str, f32)]]) -> Vec<PageDraft> {
        let page = |(i, lines): (usize, &&[(&str, f32)])| {
            let words = lines.iter().flat_map(|(text, y)| set(text, 72.0, *y, 10.0)).collect();
            let number = u32::try_from(i).unwrap() + 1;
            page::draft(&PageContent { number, width: 600.0, height: 800.0, words, ..PageContent::default() })
        };
        texts.iter().enumerate().map(page).collect()
    }

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(Line::text).collect()
    }

    #[test]
    fn heads_return_and_numbers_count() {
        let mut pages = pages(&[
            &[("Annual Report 2023", 40.0), ("First page text", 400.0), ("- 1 -", 770.0)],
            &[("Annual Report 2024", 41.0), ("Table 1: Values", 60.0), ("more text", 400.0), ("- 2 -", 770.0)],
            &[("Annual Report 2025", 40.0), ("Table 2: Values", 60.0), ("last text", 400.0), ("- 3 -", 770.0)],
        ]);
        set_apart(&mut pages);
        assert_eq!(texts(&pages[1].heads), ["Annual Report 2024"]);
        assert_eq!(texts(&pages[1].lines), ["Table 1: Values", "more text"]);
        assert_eq!(texts(&pages[2].feet), ["- 3 -"]);
    }

    #[test]
    fn one_page_has_page_numbers_only() {
        let mut pages = pages(&[&[("Some head", 40.0), ("text", 400.0), ("321", 770.0)]]);
        set_apart(&mut pages);
        assert_eq!(texts(&pages[0].lines), ["Some head", "text"]);
        assert_eq!(texts(&pages[0].feet), ["321"]);
    }

    #[test]
    fn a_document_of_nothing_but_heads_keeps_its_text() {
        let mut pages = pages(&[&[("Potato 0", 40.0)], &[("Potato 1", 40.0)], &[("Potato 2", 40.0)]]);
        set_apart(&mut pages);
        assert_eq!(
            pages.iter().flat_map(|p| texts(&p.lines)).collect::<Vec<_>>(),
            ["Potato 0", "Potato 1", "Potato 2"]
        );
        assert!(pages.iter().all(|p| p.heads.is_empty()));
    }

    #[test]
    fn page_numbers() {
        for yes in ["12", "- 12 -", "Page 3 of 10", "3 / 10", "12쪽", "xiv", "[4]", "p. 7"] {
            assert!(is_page_number(yes), "{yes}");
        }
        for no in ["12 345", "3.5", "1.", "Chapter 3", "12345", "2023년", "x + y", "i.e."] {
            assert!(!is_page_number(no), "{no}");
        }
    }
}
