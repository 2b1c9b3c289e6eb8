//! Constructed pages with heads, feet and page numbers.

use super::super::lines::tests::set;
use super::super::page;
use super::*;
use crate::pdf::{PageContent, Word};

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
    assert_eq!(pages.iter().flat_map(|p| texts(&p.lines)).collect::<Vec<_>>(), ["Potato 0", "Potato 1", "Potato 2"]);
    assert!(pages.iter().all(|p| p.heads.is_empty()));
}

#[test]
fn a_page_whose_only_line_differs_by_its_number_keeps_it() {
    let mut pages = pages(&[
        &[("Potato 0", 40.0), ("More is said here", 400.0), ("1", 770.0)],
        &[("Potato 1", 40.0), ("2", 770.0)],
        &[("Report", 40.0), ("3", 770.0)],
        &[("Report", 40.0), ("The end is said here", 400.0), ("4", 770.0)],
    ]);
    set_apart(&mut pages);
    let left: Vec<Vec<String>> = pages.iter().map(|p| texts(&p.lines)).collect();
    assert_eq!(left, [vec!["More is said here"], vec!["Potato 1"], vec![], vec!["The end is said here"]]);
    assert_eq!(texts(&pages[1].feet), ["2"]);
    assert_eq!(texts(&pages[2].heads), ["Report"]);
}

#[test]
fn marked_lines_at_the_edges_are_heads_and_feet() {
    let lines = [("Marked head", 40.0), ("text", 300.0), ("text", 400.0), ("more text", 500.0), ("marked 7", 770.0)];
    let words = |(text, y): &(&str, f32)| {
        let mut words = set(text, 72.0, *y, 10.0);
        words.iter_mut().for_each(|w| w.artifact = text.to_lowercase().contains("marked"));
        words
    };
    let words = lines.iter().flat_map(words).collect();
    let content = PageContent { number: 1, width: 600.0, height: 800.0, words, ..PageContent::default() };
    let mut pages = vec![page::draft(&content)];
    set_apart(&mut pages);
    assert_eq!(texts(&pages[0].heads), ["Marked head"]);
    assert_eq!(texts(&pages[0].lines), ["text", "text", "more text"]);
    assert_eq!(texts(&pages[0].feet), ["marked 7"]);
}

#[test]
fn where_all_is_marked_nothing_is() {
    let mut words = set("all of it is marked", 72.0, 40.0, 10.0);
    words.iter_mut().for_each(|w| w.artifact = true);
    let content = PageContent { number: 1, width: 600.0, height: 800.0, words, ..PageContent::default() };
    let mut pages = vec![page::draft(&content)];
    set_apart(&mut pages);
    assert_eq!(texts(&pages[0].lines), ["all of it is marked"]);
}

#[test]
fn a_row_that_stands_apart_is_a_head() {
    let body: Vec<(&str, f32)> = (0..8).map(|i| ("a line of the text that goes on", 120.0 + 12.0 * i as f32)).collect();
    let with = |head: &'static str, foot: &'static str| {
        let mut lines = vec![(head, 40.0)];
        lines.extend(&body);
        lines.push((foot, 780.0));
        let mut pages = pages(&[&lines]);
        set_apart(&mut pages);
        (texts(&pages[0].heads), texts(&pages[0].feet))
    };
    let list = |t: &[&str]| t.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    assert_eq!(with("The Journal", "Soil Formation | 27"), (list(&["The Journal"]), list(&["Soil Formation | 27"])));
    assert_eq!(with("• an item", "It ends here."), (list(&[]), list(&[])));
}

#[test]
fn a_number_has_its_own_height() {
    let line = |text: &str| vec![Line::new(set(text, 72.0, 770.0, 10.0)).unwrap()];
    assert_eq!(ink(&line("12")), BBox::new(71.0, 762.0, 83.0, 771.0));
    assert_eq!(ink(&line("xy")), BBox::new(72.0, 762.0, 82.0, 772.0));
}

/// A page of text in lines of 10 points, below and above other words.
fn with_text(others: &[Word]) -> PageDraft {
    let mut words = others.to_vec();
    (0..8).for_each(|i| words.extend(set("a line of the text that goes on", 72.0, 120.0 + 12.0 * i as f32, 10.0)));
    page::draft(&PageContent { number: 1, width: 600.0, height: 800.0, words, ..PageContent::default() })
}

#[test]
fn the_last_entry_of_a_table_of_contents_is_no_foot() {
    let feet = |listed: bool| {
        let mut words = set("References", 72.0, 760.0, 10.0);
        words.extend(set("101", 500.0, 760.0, 10.0));
        for (i, number) in ["97", "98"].into_iter().enumerate().filter(|_| listed) {
            words.extend(set("An entry", 72.0, 700.0 + 20.0 * i as f32, 10.0));
            words.extend(set(number, 505.0, 700.0 + 20.0 * i as f32, 10.0));
        }
        let mut pages = vec![with_text(&words)];
        set_apart(&mut pages);
        texts(&pages[0].feet)
    };
    assert_eq!(feet(false), ["References", "101"]);
    assert_eq!(feet(true), [""; 0]);
}

#[test]
fn a_note_whose_number_stands_apart_is_no_foot() {
    let mut words = set("22", 72.0, 770.0, 9.0);
    words.extend(set("See the appendix.", 96.0, 770.0, 9.0));
    let mut pages = vec![with_text(&words)];
    set_apart(&mut pages);
    assert_eq!(texts(&pages[0].feet), [""; 0]);
}

#[test]
fn a_page_has_one_number() {
    let mut words = set("58", 300.0, 780.0, 10.0);
    words.extend(set("1", 72.0, 740.0, 10.0));
    words.extend(set("16 ml", 155.0, 740.0, 10.0));
    let mut pages = vec![with_text(&words)];
    set_apart(&mut pages);
    assert_eq!(texts(&pages[0].feet), ["58"]);
}

#[test]
fn heads_say_where_an_article_is_published() {
    let heads = |citation: &str, size: f32| {
        let mut words = set("Cosmology", 72.0, 30.0, size);
        words.extend(set(citation, 72.0, 41.0, size));
        // Hardly more white space than between paragraphs.
        words.extend(set("a paragraph of the text", 72.0, 64.0, 10.0));
        let mut pages = vec![with_text(&words)];
        set_apart(&mut pages);
        texts(&pages[0].heads)
    };
    assert_eq!(heads("DOI: 10.5772/9069", 9.0), ["Cosmology", "DOI: 10.5772/9069"]);
    assert_eq!(heads("DOI: 10.5772/9069", 10.0), [""; 0]);
    assert_eq!(heads("A second line", 9.0), [""; 0]);
}

#[test]
fn a_head_beside_the_number_of_a_page_of_little_text() {
    let heads = |number: &str| {
        let mut words = set("Chuj Country", 250.0, 40.0, 10.0);
        words.extend(set(number, 500.0, 40.0, 10.0));
        words.extend(set("Figure 1. On the trail", 72.0, 600.0, 10.0));
        let content = PageContent { number: 1, width: 600.0, height: 800.0, words, ..PageContent::default() };
        let mut pages = vec![page::draft(&content)];
        set_apart(&mut pages);
        texts(&pages[0].heads)
    };
    assert_eq!(heads("19"), ["Chuj Country", "19"]);
    assert_eq!(heads("2019"), ["2019"]);
}

#[test]
fn numbers_of_lines_are_no_text() {
    let rows = |first: u32, step: u32| {
        let mut words = Vec::new();
        for i in 0..9_u32 {
            let y = 200.0 + 24.0 * i as f32;
            words.extend(set(&(first + step * i).to_string(), 40.0, y, 10.0));
            words.extend(set("a line of the agreement", 72.0, y, 10.0));
        }
        let content = PageContent { number: 1, width: 600.0, height: 800.0, words, ..PageContent::default() };
        let mut pages = vec![page::draft(&content)];
        set_apart(&mut pages);
        (pages[0].lines.len(), texts(&pages[0].feet).join(" "))
    };
    assert_eq!(rows(1, 1), (9, "1 2 3 4 5 6 7 8 9".to_owned()));
    assert_eq!(rows(5, 5), (9, "5 10 15 20 25 30 35 40 45".to_owned()));
    assert_eq!(rows(3, 0), (18, String::new()));
}

#[test]
fn pieces_of_text_that_return_by_chance_stay() {
    let page = |number: u32, rest: &str| {
        let mut words = set("상기", 72.0, 60.0, 10.0);
        words.extend(set(rest, 90.0, 60.0, 10.0));
        words.extend(set("[서식 1]", 72.0, 80.0, 10.0));
        words.extend(set("text", 72.0, 400.0, 10.0));
        page::draft(&PageContent { number, width: 600.0, height: 800.0, words, ..PageContent::default() })
    };
    let mut pages = vec![page(1, "장치는 제1 항에 따른다"), page(2, "방법은 제2 항과 같다")];
    set_apart(&mut pages);
    assert!(pages.iter().all(|p| p.heads.is_empty()), "{:?}", texts(&pages[0].heads));
}

#[test]
fn pieces_that_stand_close_are_one_head() {
    let mut words = set("6 |", 72.0, 770.0, 10.0);
    words.extend(set("The Ecosystem", 98.0, 770.0, 10.0));
    words.extend(set("far away", 400.0, 770.0, 10.0));
    words.extend(set("second row", 400.0, 782.0, 10.0));
    let groups = group(super::super::lines::tests::cut(words));
    let groups: Vec<Vec<String>> = groups.iter().map(|g| texts(g)).collect();
    assert_eq!(groups, [vec!["6 |", "The Ecosystem"], vec!["far away", "second row"]]);
}

#[test]
fn two_pages_side_by_side_have_two_numbers() {
    let feet = |left: &str, right: &str| {
        let mut words = set("text", 72.0, 300.0, 10.0);
        words.extend(set(left, 200.0, 770.0, 10.0));
        words.extend(set(right, 600.0, 770.0, 10.0));
        let mut pages =
            vec![page::draft(&PageContent { number: 1, width: 840.0, height: 800.0, words, ..PageContent::default() })];
        set_apart(&mut pages);
        texts(&pages[0].feet)
    };
    assert_eq!(feet("- 3 -", "- 4 -"), ["- 3 -", "- 4 -"]);
    assert_eq!(feet("13", "40"), [""; 0]);
}

#[test]
fn a_number_between_dashes_may_be_in_pieces() {
    let mut words = set("text", 72.0, 300.0, 10.0);
    for (text, x) in [("-", 280.0), ("3", 295.0), ("-", 310.0)] {
        words.extend(set(text, x, 770.0, 10.0));
    }
    let mut pages =
        vec![page::draft(&PageContent { number: 1, width: 600.0, height: 800.0, words, ..PageContent::default() })];
    set_apart(&mut pages);
    assert_eq!(texts(&pages[0].feet), ["-", "3", "-"]);
}
