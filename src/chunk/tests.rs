//! What must hold for every document, on generated ones.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::document::{BBox, Cell, CellRole, Element, ElementKind, Page, Region, Table};
use crate::unit::UnitKind;

/// A model's tokenizer: a token for every three characters begun.
struct Thirds;

impl TokenCounter for Thirds {
    fn count(&self, text: &str) -> usize {
        text.chars().count().div_ceil(3)
    }
}

/// Hands out words that occur nowhere else.
struct Words(usize);

impl Words {
    fn text(&mut self, count: usize, style: u8) -> String {
        let words = (0..count).map(|i| {
            self.0 += 1;
            let end = if i % 7 == 6 { "." } else { "" };
            if style.is_multiple_of(2) { format!("word{}{end}", self.0) } else { format!("낱말{}은{end}", self.0) }
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

#[derive(Clone, Debug)]
struct TableSeed {
    rows: usize,
    cols: usize,
    header: usize,
    cells: Vec<(u8, usize)>,
}

fn table(seed: &TableSeed, words: &mut Words) -> Table {
    let mut covered = BTreeSet::new();
    let mut table = Table { rows: seed.rows, cols: seed.cols, ..Table::default() };
    let mut seeds = seed.cells.iter().cycle();
    for row in 0..seed.rows {
        for col in 0..seed.cols {
            let Some(&(kind, count)) = seeds.next() else { continue };
            if covered.contains(&(row, col)) {
                continue;
            }
            let wanted = match kind % 8 {
                0 => (2, 1),
                1 => (1, 2),
                2 if col == 0 => (1, seed.cols),
                _ => (1, 1),
            };
            let section = if row < seed.header { seed.header } else { seed.rows };
            let rowspan = wanted.0.min(section - row);
            let free = |c: &usize| !covered.contains(&(row, *c));
            let colspan = (col..(col + wanted.1).min(seed.cols)).take_while(free).count().max(1);
            for r in row..row + rowspan {
                for c in col..col + colspan {
                    covered.insert((r, c));
                }
            }
            let role = match kind {
                _ if row < seed.header => CellRole::ColumnHeader,
                16..20 => CellRole::RowHeader,
                20 => CellRole::Section,
                21 => CellRole::ColumnHeader,
                _ => CellRole::Data,
            };
            let text = words.text(if kind == 30 { count * 40 } else { count % 4 }, kind);
            table.cells.push(Cell { row, col, rowspan, colspan, text, role, page: None, bbox: None });
        }
    }
    table
}

#[derive(Clone, Debug)]
struct Seed {
    layout: bool,
    elements: Vec<(u8, usize, TableSeed)>,
}

fn seeds() -> impl Strategy<Value = Seed> {
    let table = (0..9_usize, 0..6_usize, 0..4_usize, prop::collection::vec((0..32_u8, 0..12_usize), 1..24))
        .prop_map(|(rows, cols, header, cells)| TableSeed { rows, cols, header: header.min(rows), cells });
    let elements = prop::collection::vec((0..24_u8, 0..60_usize, table), 0..24);
    (any::<bool>(), elements).prop_map(|(layout, elements)| Seed { layout, elements })
}

fn document(seed: &Seed) -> Document {
    let mut words = Words(0);
    let mut document = Document { lang: seed.layout.then(|| "ko".to_owned()), ..Document::default() };
    let (mut page, mut y, mut tables) = (1, 50.0, 0);
    for (kind, size, table_seed) in &seed.elements {
        let (kind, text) = match kind {
            0 => (ElementKind::Title, words.text(*size % 8, *kind)),
            1..4 => (ElementKind::Heading { level: *size as u8 % 4 + 1 }, words.text(*size, *kind)),
            4..9 => (ElementKind::Paragraph, words.text(*size, *kind)),
            9 => (ElementKind::Paragraph, words.text(size * 30, *kind)),
            10 => (ElementKind::Paragraph, format!("See Table {} for {}", size % 4, words.text(*size, 0))),
            11..13 => {
                let marker = if size % 2 == 0 { "•".to_owned() } else { format!("{size})") };
                (ElementKind::ListItem { depth: *size as u8 % 3, marker }, words.text(size % 20, *kind))
            }
            13 => (ElementKind::Footnote, words.text(size * 3, *kind)),
            14 => (ElementKind::Paragraph, format!("Note: {}", words.text(*size, 0))),
            15 => (ElementKind::Paragraph, format!("(단위: {})", words.text(size % 5, 1))),
            16 => (ElementKind::PageHeader, "running head".to_owned()),
            17 => (ElementKind::Picture, String::new()),
            18 => (ElementKind::Code, words.text(*size, 0).replace(' ', "\n")),
            19..21 => {
                tables += 1;
                (ElementKind::Caption, format!("Table {tables}. {}", words.text(size * (kind - 18) as usize, *kind)))
            }
            _ => (ElementKind::Table { table: table(table_seed, &mut words) }, String::new()),
        };
        let height = 12.0 * (text.len() / 80 + 1) as f32;
        let mut element = Element { kind, text, regions: Vec::new(), section: None };
        if seed.layout {
            let column = if size % 3 == 0 { 300.0 } else { 50.0 };
            element.regions.push(Region { page, bbox: BBox::new(column, y, column + 240.0, y + height) });
            y += height + 4.0;
            if y > 700.0 {
                (page, y) = (page + 1, 50.0);
            }
        }
        document.elements.push(element);
    }
    document.pages = (1..=page).map(|number| Page { number, width: 600.0, height: 800.0 }).collect();
    document.link_sections();
    document
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.starts_with("word") || w.starts_with("낱말"))
}

fn check(document: &Document, settings: &ChunkSettings, budget: &Budget) -> Result<(), TestCaseError> {
    let units = units(document, "doc", settings, budget);
    prop_assert_eq!(&units, &super::units(document, "doc", settings, budget), "not deterministic");
    check_units(document, &units, budget, true)
}

/// `evidence`: whether every table has a unit.
fn check_units(document: &Document, units: &[Unit], budget: &Budget, evidence: bool) -> Result<(), TestCaseError> {
    let ids: BTreeSet<&str> = units.iter().map(|u| u.unit_id.as_str()).collect();
    prop_assert_eq!(ids.len(), units.len(), "unit ids are not unique");
    for unit in units {
        let (text, model) = (tokens::Cl100k.count(&unit.text), budget.count_retrieval(&unit.retrieval_text));
        prop_assert!(text <= budget.max_tokens, "{text} tokens: {unit:#?}");
        prop_assert!(model <= budget.retrieval_limit(), "{model} model tokens: {unit:#?}");
        for row in &unit.rows {
            prop_assert!(budget.count_retrieval(&row.text) <= budget.retrieval_limit(), "long row: {row:?}");
        }
        prop_assert_eq!(unit.tokens as usize, text);
        prop_assert!(!unit.text.trim().is_empty());
    }
    let all: BTreeSet<&str> = units.iter().flat_map(|u| words(&u.text)).collect();
    let mut pieces: BTreeMap<&str, usize> = BTreeMap::new();
    for unit in units.iter().filter(|u| u.kind == UnitKind::Eu) {
        let distinct: BTreeSet<&str> = words(&unit.text).collect();
        distinct.into_iter().for_each(|w| *pieces.entry(w).or_default() += 1);
    }
    for element in document.elements.iter().filter(|e| !e.kind.is_furniture()) {
        let cells = element.table().into_iter().flat_map(|t| &t.cells);
        for word in words(&element.text).chain(cells.flat_map(|c| words(&c.text))) {
            prop_assert!(all.contains(word), "{word} of {:?} is in no unit", element.kind);
        }
        let Some(table) = element.table().filter(|_| evidence) else { continue };
        for cell in &table.cells {
            let value = cell.role == CellRole::Data && cell.rowspan == 1 && cell.colspan == 1 && cell.col > 0;
            let labels = table.cells.iter().any(|c| c.role == CellRole::RowHeader);
            for word in words(&cell.text).filter(|_| value && !labels) {
                prop_assert_eq!(pieces.get(word), Some(&1), "{} is not in exactly one piece of {:#?}", word, units);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_doubled_or_too_long(seed in seeds(), max_tokens in 64..600_usize, limit in 64..600_usize) {
        let document = document(&seed);
        let settings = ChunkSettings { max_tokens, ..ChunkSettings::default() };
        for budget in [settings.budget(None), settings.budget(Some((&Thirds, limit)))] {
            check(&document, &settings, &budget)?;
            let texts = text::chunk(&document, "doc", &BTreeSet::new(), &budget);
            check_units(&document, &texts, &budget, false)?;
        }
    }

    #[test]
    fn fixed_and_row_chunks_have_every_word(seed in seeds(), max_tokens in 64..600_usize, limit in 64..600_usize) {
        let document = document(&seed);
        for mode in [Chunking::Fixed, Chunking::Rows] {
            let settings = ChunkSettings { mode, max_tokens, ..ChunkSettings::default() };
            check_baseline(&document, &settings, &settings.budget(None))?;
            check_baseline(&document, &settings, &settings.budget(Some((&Thirds, limit))))?;
        }
    }

    #[test]
    fn the_hybrid_baseline_has_all_running_text(seed in seeds(), max_tokens in 64..600_usize, limit in 64..600_usize) {
        let document = document(&seed);
        let settings = ChunkSettings { mode: Chunking::Hybrid, max_tokens, ..ChunkSettings::default() };
        for budget in [settings.budget(None), settings.budget(Some((&Thirds, limit)))] {
            check_hybrid(&document, &settings, &budget)?;
        }
    }
}

/// Every word of the body is in some chunk, and none is too long. Row sentences leave out what names no value: headers of
/// label columns, titles over all columns.
fn check_baseline(document: &Document, settings: &ChunkSettings, budget: &Budget) -> Result<(), TestCaseError> {
    let units = units(document, "doc", settings, budget);
    let ids: BTreeSet<&str> = units.iter().map(|u| u.unit_id.as_str()).collect();
    prop_assert_eq!(ids.len(), units.len(), "unit ids are not unique");
    for unit in &units {
        prop_assert!(budget.admits(&unit.text, &unit.retrieval_text) && !unit.text.trim().is_empty(), "{unit:#?}");
    }
    let all: BTreeSet<&str> = units.iter().flat_map(|u| words(&u.text)).collect();
    for element in document.elements.iter().filter(|e| !e.kind.is_furniture()) {
        let cells = element.table().into_iter().flat_map(|t| &t.cells);
        let due = cells.filter(|c| settings.mode == Chunking::Fixed || c.role != CellRole::ColumnHeader);
        for word in words(&element.text).chain(due.flat_map(|c| words(&c.text))) {
            prop_assert!(all.contains(word), "{word} of {:?} is in no unit", element.kind);
        }
    }
    Ok(())
}

/// Running text is whole in consecutive chunks, and no chunk but a table's is too long.
fn check_hybrid(document: &Document, settings: &ChunkSettings, budget: &Budget) -> Result<(), TestCaseError> {
    let units = units(document, "doc", settings, budget);
    // Long headings leave so little room that words are cut.
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let mut all = String::new();
    for unit in &units {
        let headings = unit.headings.join("\n");
        let body = unit.text.strip_prefix(headings.as_str()).unwrap_or_default();
        all.push_str(&squeezed(body));
        // The pieces of a table fill the limit, and the headings stand above them.
        let most = settings.max_tokens + tokens::Cl100k.count(&headings) + 2;
        prop_assert!(tokens::Cl100k.count(&unit.text) <= most, "{most} tokens: {unit:#?}");
        let most = budget.retrieval_limit() + budget.count_retrieval(&headings) + 2;
        prop_assert!(budget.count_retrieval(&unit.text) <= most, "{most} model tokens: {unit:#?}");
    }
    for element in &document.elements {
        let shown = matches!(
            element.kind,
            ElementKind::Paragraph
                | ElementKind::ListItem { .. }
                | ElementKind::Caption
                | ElementKind::Code
                | ElementKind::Note
                | ElementKind::Footnote
        );
        prop_assert!(!shown || all.contains(&squeezed(&element.text)), "{element:?} is not in {units:#?}");
    }
    Ok(())
}

#[test]
fn headers_that_no_row_can_show_in_full_are_shown_at_the_end() {
    let row = |row: usize, text: &str| {
        let role = if row < 3 { CellRole::ColumnHeader } else { CellRole::Data };
        Cell { row, rowspan: 1, colspan: 5, text: text.into(), role, ..Cell::default() }
    };
    let texts = ["word1 word2", "word3 word4", "word5 word6", "word7 word8"];
    let cells = texts.iter().enumerate().map(|(at, text)| row(at, text)).collect();
    let table = Table { rows: 4, cols: 5, cells, ..Table::default() };
    let element =
        Element { kind: ElementKind::Table { table }, text: String::new(), regions: Vec::new(), section: None };
    let document = Document { elements: vec![element], ..Document::default() };
    let settings = ChunkSettings { max_tokens: MIN_TOKENS, ..ChunkSettings::default() };
    check(&document, &settings, &settings.budget(None)).unwrap();
}
