//! Whole documents: constructed pages, real pages, noise.

use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;

use super::lines::tests::set;
use super::*;
use crate::document::{BBox, ElementKind};
use crate::pdf::{PdfFile, Word};

fn page(number: u32, lines: &[(&str, f32, f32, f32)]) -> PageContent {
    let words = lines.iter().flat_map(|(text, x, y, size)| set(text, *x, *y, *size)).collect();
    PageContent { number, width: 600.0, height: 800.0, words, ..PageContent::default() }
}

fn kinds(document: &Document) -> Vec<(&str, &str)> {
    let name = |kind: &ElementKind| match kind {
        ElementKind::Title => "title",
        ElementKind::Heading { .. } => "heading",
        ElementKind::Paragraph => "paragraph",
        ElementKind::ListItem { .. } => "item",
        ElementKind::Caption => "caption",
        ElementKind::Footnote => "footnote",
        ElementKind::PageHeader => "head",
        ElementKind::PageFooter => "foot",
        _ => "other",
    };
    document.elements.iter().map(|e| (name(&e.kind), e.text.as_str())).collect()
}

const LINE: &str = "words that fill the whole width of the column here";

#[test]
fn two_pages_become_one_document() {
    let first = [
        ("Journal of Tests", 72.0, 40.0, 8.0),
        ("A Study of Layouts", 72.0, 90.0, 20.0),
        ("1. Introduction", 72.0, 130.0, 12.5),
        (LINE, 72.0, 150.0, 10.0),
        (LINE, 72.0, 162.0, 10.0),
        (LINE, 72.0, 174.0, 10.0),
        ("which ends in the middle of a sen-", 72.0, 186.0, 10.0),
        ("1", 300.0, 770.0, 8.0),
    ];
    let second = [
        ("Journal of Tests", 72.0, 40.0, 8.0),
        ("tence on the next page, and with it the whole text.", 72.0, 90.0, 10.0),
        ("• the first of two points", 72.0, 120.0, 10.0),
        ("• the second of them", 72.0, 135.0, 10.0),
        ("2", 300.0, 770.0, 8.0),
    ];
    let document = analyze(&[page(1, &first), page(2, &second)], &DocumentInfo::default(), &[]);
    let paragraph = format!(
        "{LINE} {LINE} {LINE} which ends in the middle of a sentence on the next page, and with it the whole text."
    );
    let expected = [
        ("head", "Journal of Tests"),
        ("title", "A Study of Layouts"),
        ("heading", "1. Introduction"),
        ("paragraph", paragraph.as_str()),
        ("foot", "1"),
        ("head", "Journal of Tests"),
        ("item", "the first of two points"),
        ("item", "the second of them"),
        ("foot", "2"),
    ];
    assert_eq!(kinds(&document), expected);
    let pages: Vec<u32> = document.elements[3].regions.iter().map(|r| r.page).collect();
    assert_eq!(pages, [1, 2]);
    assert_eq!(document.heading_path(6), ["1. Introduction"]);
    assert_eq!(document.title.as_deref(), Some("A Study of Layouts"));
}

#[test]
fn a_turned_page_is_read_upright() {
    let upright = page(1, &[(LINE, 72.0, 150.0, 10.0), (LINE, 72.0, 162.0, 10.0)]);
    let turned = |w: &Word| {
        // Turned by 90 degrees counter-clockwise: x runs up the page.
        let b = BBox::new(w.bbox.y0, 600.0 - w.bbox.x0, w.bbox.y1, 600.0 - w.bbox.x1);
        Word { bbox: b, baseline: b.y1, angle: 90, ..w.clone() }
    };
    let words = upright.words.iter().map(turned).collect();
    let page = PageContent { number: 1, width: 800.0, height: 600.0, words, ..PageContent::default() };
    let document = analyze(&[page], &DocumentInfo::default(), &[]);
    assert_eq!(kinds(&document), [("paragraph", format!("{LINE} {LINE}").as_str())]);
    let bbox = document.elements[0].bbox().unwrap();
    assert!(bbox.height() > bbox.width() && bbox.y1 <= 600.0, "{bbox:?}");
}

#[test]
fn tags_say_what_looks_do_not() {
    use crate::pdf::tags::{Kid, Tag};
    let lines = [
        ("Aims of it all", 72.0, 100.0, 10.0),
        (LINE, 72.0, 130.0, 10.0),
        (LINE, 72.0, 142.0, 10.0),
        ("Terms", 72.0, 180.0, 10.0),
        (LINE, 72.0, 210.0, 10.0),
        ("Large words are no heading", 72.0, 240.0, 13.0),
        ("Ends", 72.0, 280.0, 10.0),
        (LINE, 72.0, 310.0, 10.0),
    ];
    let roles = ["H1", "P", "P", "H2", "P", "P", "H2", "P"];
    let mut content = page(1, &[]);
    let mut tags = Vec::new();
    for ((mcid, (text, x, y, size)), role) in (0_u32..).zip(lines).zip(roles) {
        content.words.extend(set(text, x, y, size).into_iter().map(|w| Word { mcid: Some(mcid), ..w }));
        let kids = vec![Kid::Content { page: 1, mcid }];
        tags.push(Tag { role: role.into(), kids, ..Tag::default() });
    }
    let document = analyze(&[content], &DocumentInfo::default(), &tags);
    let levels: Vec<(u8, &str)> = document
        .elements
        .iter()
        .filter_map(|e| if let ElementKind::Heading { level } = e.kind { Some((level, e.text.as_str())) } else { None })
        .collect();
    assert_eq!(levels, [(1, "Aims of it all"), (2, "Terms"), (2, "Ends")]);
}

#[test]
fn hebrew_is_read_from_the_right() {
    // The words of a line as the PDF layer gives them: in the order of reading, the first at the right margin.
    let set_rtl = |text: &str, right: f32, y: f32| {
        let mut words = set(text, 0.0, y, 10.0);
        for word in &mut words {
            let (x0, x1) = (right - word.bbox.x1, right - word.bbox.x0);
            (word.bbox.x0, word.bbox.x1) = (x0, x1);
        }
        words
    };
    let full = "זה דוח חדש שכתבו כל חברי הוועדה בירושלים אחרי";
    let mut words = Vec::new();
    for (text, right, y) in [
        (full, 280.0, 200.0),
        ("דיון ארוך מאוד.", 280.0, 212.0),
        (full, 560.0, 200.0),
        (full, 560.0, 212.0),
        (full, 560.0, 224.0),
        ("ועוד שורה אחת כאן.", 560.0, 236.0),
        (full, 280.0, 224.0),
        (full, 280.0, 236.0),
    ] {
        words.extend(set_rtl(text, right, y));
    }
    let page = PageContent { number: 1, width: 600.0, height: 800.0, words, ..PageContent::default() };
    let document = analyze(&[page], &DocumentInfo::default(), &[]);
    let first = format!("{full} {full} {full} ועוד שורה אחת כאן.");
    let second = format!("{full} דיון ארוך מאוד.");
    let third = format!("{full} {full}");
    let expected = [("paragraph", first.as_str()), ("paragraph", second.as_str()), ("paragraph", third.as_str())];
    assert_eq!(kinds(&document), expected);
    let bbox = document.elements[0].bbox().unwrap();
    assert!(bbox.x0 > 280.0 && bbox.x1 == 560.0, "{bbox:?}");
    assert_eq!(document.lang.as_deref(), Some("he"));
}

#[test]
fn pages_without_usable_text_are_said() {
    let scan = PageContent {
        number: 3,
        width: 600.0,
        height: 800.0,
        images: vec![BBox::new(0.0, 0.0, 600.0, 800.0)],
        ..PageContent::default()
    };
    let logo = PageContent { number: 2, images: vec![BBox::new(0.0, 0.0, 100.0, 80.0)], ..scan.clone() };
    let signs =
        PageContent { glyphs: 50, unmapped: 3, ..page(5, &[("x \u{FFFD} y \u{FFFD}\u{FFFD}", 72.0, 100.0, 10.0)]) };
    let word =
        PageContent { glyphs: 50, unmapped: 4, ..page(6, &[("x \u{FFFD}\u{FFFD}\u{FFFD} y", 72.0, 100.0, 10.0)]) };
    let garbled = PageContent { glyphs: 50, unmapped: 40, ..page(4, &[("x y z", 72.0, 100.0, 10.0)]) };
    let shapes = PageContent { glyphs: 50, outlined: 60, ..page(7, &[("x y", 72.0, 100.0, 10.0)]) };
    let lettering = PageContent { glyphs: 300, number: 8, ..shapes.clone() };
    let document = analyze(&[logo, scan, garbled, signs, word, shapes, lettering], &DocumentInfo::default(), &[]);
    let said: Vec<(Option<u32>, &str)> = document.warnings.iter().map(|w| (w.page, w.message.as_str())).collect();
    let expected = [
        (Some(3), "page has no text layer (scanned image?); needs OCR"),
        (Some(4), "40 of 50 glyphs have no known character; the text needs OCR"),
        (Some(5), "3 of 50 glyphs have no known character and are given as \u{FFFD}"),
        (Some(6), "3 of 50 glyphs have no known character and are given as \u{FFFD}"),
        (Some(7), "about 60 letters are drawn as shapes, beside 50 glyphs; needs OCR"),
    ];
    assert_eq!(said, expected);
}

#[test]
fn hangul_tells_the_language() {
    let document =
        analyze(&[page(1, &[("이 문서는 한국어 문서이다", 72.0, 100.0, 10.0)])], &DocumentInfo::default(), &[]);
    assert_eq!(document.lang.as_deref(), Some("ko"));
}

/// The shared corpus; `None`, said aloud, where it is absent.
fn corpus(folders: &[&str]) -> Option<Vec<PathBuf>> {
    let root = std::env::var_os("EVINDEX_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    if !root.join("corpus").is_dir() {
        eprintln!("skipped: no corpus at {} (set EVINDEX_SHARED)", root.display());
        return None;
    }
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join("corpus").join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "pdf"))
        .collect();
    files.sort();
    Some(files)
}

/// Letters and digits, counted: what line ends and markers do not change.
fn count(counts: &mut BTreeMap<char, i64>, text: &str, by: i64) {
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        *counts.entry(c).or_default() += by;
    }
}

#[test]
fn every_word_of_real_pages_is_in_one_element() {
    let Some(files) = corpus(&["odl/pdf", "icdar2013", "korean"]) else { return };
    for path in files {
        let Ok(file) = PdfFile::open(&std::fs::read(&path).unwrap(), None) else { continue };
        let last = u32::try_from(file.page_count()).unwrap();
        let pages: Vec<PageContent> = (1..=last).filter_map(|n| file.page(n).ok()).collect();
        let mut counts = BTreeMap::new();
        for draft in drafts(&pages, &file.tags()) {
            let labels = draft.floats.iter().filter_map(|(_, float)| match float {
                page::Float::Picture(lines) | page::Float::Formula(lines) => Some(lines),
                page::Float::Table(_) => None,
            });
            for line in draft.lines.iter().chain(draft.turned.iter().flatten()).chain(labels.flatten()) {
                count(&mut counts, &line.text(), 1);
            }
        }
        let document = analyze(&pages, &file.info(), &file.tags());
        for element in &document.elements {
            count(&mut counts, &element.text, -1);
            if let ElementKind::ListItem { marker, .. } = &element.kind {
                count(&mut counts, marker, -1);
            }
        }
        counts.retain(|_, n| *n != 0);
        assert!(counts.is_empty(), "{}: {counts:?}", path.display());
        assert!(document.elements.iter().all(|e| !e.regions.is_empty()), "{}", path.display());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn noise_is_no_danger(
        words in prop::collection::vec(
            (prop::sample::select(vec!["a", "가", "1.", "•", "-", "Table", "....", "x-", "제1장", "\u{ad}", " "]),
             any::<f32>(), 0.0_f32..800.0, -50.0_f32..900.0, 0.0_f32..60.0, prop::sample::select(vec![0_i16, 90, 180, 270, 37])),
            0..60,
        ),
    ) {
        let words = words.into_iter().map(|(text, wild, x, y, size, angle)| {
            let x1 = if wild.abs() < 1e3 { x + wild } else { wild };
            Word { text: text.into(), bbox: BBox { x0: x, y0: y - size, x1, y1: y }, baseline: y, size, angle, ..Word::default() }
        });
        let page = PageContent { number: 1, width: 600.0, height: 800.0, words: words.collect(), ..PageContent::default() };
        let document = analyze(&[page.clone(), PageContent { number: 2, ..page }], &DocumentInfo::default(), &[]);
        prop_assert!(document.elements.iter().all(|e| e.page().is_some()));
    }
}
