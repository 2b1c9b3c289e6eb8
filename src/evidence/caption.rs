//! Which caption belongs to which table.
//!
//! A link in the source decides. Else captions and tables of a page are matched as a whole, one to one: nearest first,
//! same column, nothing else between them. Then the adjacent page, then a full-width first row that reads like a caption.

use std::collections::HashMap;

use super::notes;
use super::scene::{Role, neighbours, same_column};
use crate::document::label::{self, Label};
use crate::document::opening::starts_caption;
use crate::document::{Document, ElementKind, Region, Table};
use crate::unit::CaptionConfidence;

/// Farthest blank space between a caption and its table, in points.
const REACH: f32 = 200.0;
/// Added to the distance for every other element in between, in points.
const IN_BETWEEN: f32 = 40.0;
/// Added where most captions of the document stand on the other side of their tables, in points.
const AGAINST_CUSTOM: f32 = 60.0;
/// Added for elements that only read like a caption, in points.
const READS_LIKE: f32 = 10.0;
/// A table is at the edge of its page within this share of the page's height.
const EDGE: f32 = 0.15;
/// Candidates looked at per table and side.
const CANDIDATES: usize = 8;
/// Longest title on a line of its own under a bare `Table 1`, in characters.
const TITLE_CHARS: usize = 160;

/// A table's caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Caption {
    /// Its text; empty for none.
    pub(crate) text: String,
    /// Which elements it was made of.
    pub(crate) elements: Vec<usize>,
    /// How it was found.
    pub(crate) confidence: CaptionConfidence,
    /// Number of the table.
    pub(crate) label: Option<Label>,
    /// Row of the table that it was taken from.
    pub(crate) row: Option<usize>,
}

/// The captions of `tables` (element indices), in their order.
pub(crate) fn assign(document: &Document, roles: &[Role], tables: &[usize]) -> Vec<Caption> {
    let mut found: Vec<Caption> = tables.iter().map(|&at| direct(document, roles, at)).collect();
    unlink_misplaced(document, tables, &mut found);
    let mut taken: Vec<bool> = vec![false; document.elements.len()];
    for &index in found.iter().flat_map(|c| &c.elements) {
        mark(&mut taken, index);
    }
    let open: Vec<usize> = (0..tables.len()).filter(|&t| found.get(t).is_some_and(|c| c.text.is_empty())).collect();
    let pairs = pairs(document, roles, tables, &open, &taken);
    for (table, element) in matching(&pairs, tables.len()) {
        mark(&mut taken, element);
        if let (Some(slot), Some(&at)) = (found.get_mut(table), tables.get(table)) {
            *slot = inferred(document, roles, element, at);
        }
    }
    for (slot, &at) in found.iter_mut().zip(tables).filter(|(c, _)| c.text.is_empty()) {
        if let Some(element) = across_pages(document, roles, at, &taken) {
            mark(&mut taken, element);
            *slot = inferred(document, roles, element, at);
        } else if let Some(caption) = document.elements.get(at).and_then(|e| e.table()).and_then(swallowed) {
            *slot = caption;
        }
    }
    found
}

fn mark(taken: &mut [bool], index: usize) {
    if let Some(taken) = taken.get_mut(index) {
        *taken = true;
    }
}

/// The captions that the source links to the table. A figure's caption is none, whatever the source says.
fn direct(document: &Document, roles: &[Role], at: usize) -> Caption {
    let mut caption = Caption::default();
    for &index in document.elements.get(at).and_then(|e| e.table()).map_or(&[][..], |t| &t.captions) {
        let Some(element) = document.elements.get(index) else { continue };
        let text = element.text.trim();
        let wrong = matches!(
            roles.get(index),
            None | Some(Role::FigureCaption | Role::Table | Role::Picture | Role::Furniture)
        );
        if wrong || text.is_empty() || caption.elements.contains(&index) {
            continue;
        }
        if !caption.text.is_empty() {
            caption.text.push(' ');
        }
        caption.text.push_str(text);
        caption.elements.push(index);
        caption.confidence = CaptionConfidence::Direct;
        caption.label = caption.label.or_else(|| label::leading(text).map(|(l, _)| l).filter(|l| l.table));
    }
    caption
}

/// Takes back links that recognition has set to the wrong one of two tables side by side: the caption stands in another
/// column than its table, right above or below a table without one.
fn unlink_misplaced(document: &Document, tables: &[usize], found: &mut [Caption]) {
    let region = |index: usize| document.elements.get(index).and_then(|e| e.regions.first()).copied();
    let open: Vec<Region> =
        tables.iter().zip(&*found).filter(|(_, c)| c.text.is_empty()).filter_map(|(&at, _)| region(at)).collect();
    let fits = |caption: &Region, table: &Region| {
        let near = -caption.bbox.overlap_y(&table.bbox) <= REACH;
        near && caption.page == table.page && caption.bbox.overlap_x(&table.bbox) > 0.0
    };
    for (caption, &at) in found.iter_mut().zip(tables) {
        let ([element], Some(home)) = (caption.elements.as_slice(), region(at)) else { continue };
        let Some(stands) = region(*element).filter(|r| r.page == home.page) else { continue };
        if stands.bbox.overlap_x(&home.bbox) < 0.0 && open.iter().any(|other| fits(&stands, other)) {
            *caption = Caption::default();
        }
    }
}

/// A caption from the element, with the title on the next line where the label stands alone.
fn inferred(document: &Document, roles: &[Role], element: usize, table: usize) -> Caption {
    let text_of = |index: usize| document.elements.get(index).map(|e| e.text.trim()).unwrap_or_default();
    let mut text = text_of(element).to_owned();
    let mut elements = vec![element];
    let label = match roles.get(element) {
        Some(Role::Caption(label)) => label.clone(),
        _ => None,
    };
    let bare = label::leading(&text).is_some_and(|(_, rest)| !rest.contains(char::is_alphanumeric));
    if bare && element + 1 != table {
        let next = element + 1;
        let title = text_of(next);
        let fits = title.chars().count() <= TITLE_CHARS && !title.is_empty() && !title.ends_with(['.', '。']);
        let kind = matches!(roles.get(next), Some(Role::Body | Role::Heading | Role::Caption(None)));
        if fits && kind {
            text = format!("{text} {title}");
            elements.push(next);
        }
    }
    Caption { text, elements, confidence: CaptionConfidence::Inferred, label, row: None }
}

/// A caption that a table could have, and what speaks against it, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    table: usize,
    element: usize,
    cost: f32,
    above: bool,
}

/// Free captions, and the tables and pictures that may stand between a caption and a table.
#[derive(Default)]
struct OnPage {
    captions: Vec<(usize, Region)>,
    blocks: Vec<Region>,
}

/// All pairs of an open table with a free caption near it, cheapest first.
fn pairs(document: &Document, roles: &[Role], tables: &[usize], open: &[usize], taken: &[bool]) -> Vec<Pair> {
    let free =
        |index: usize| matches!(roles.get(index), Some(Role::Caption(_))) && taken.get(index).is_some_and(|t| !t);
    let mut by_page: HashMap<u32, OnPage> = HashMap::new();
    for (index, element) in document.elements.iter().enumerate() {
        for region in &element.regions {
            if free(index) {
                by_page.entry(region.page).or_default().captions.push((index, *region));
            } else if matches!(roles.get(index), Some(Role::Table | Role::Picture)) {
                by_page.entry(region.page).or_default().blocks.push(*region);
            }
        }
    }
    let mut pairs = Vec::new();
    for &table in open {
        let Some(&at) = tables.get(table) else { continue };
        let Some(element) = document.elements.get(at) else { continue };
        if element.regions.is_empty() {
            pairs.extend(in_order(document, roles, table, at, &free));
            continue;
        }
        let (Some(first), Some(last)) = (element.regions.first(), element.regions.last()) else { continue };
        for (above, home) in [(true, first), (false, last)] {
            let Some(OnPage { captions, blocks }) = by_page.get(&home.page) else { continue };
            let mut near: Vec<(f32, usize, &Region)> = captions
                .iter()
                .filter(|(_, c)| {
                    (c.bbox.center_y() < home.bbox.center_y()) == above && same_column(&c.bbox, &home.bbox)
                })
                .map(|(index, c)| ((-c.bbox.overlap_y(&home.bbox)).max(0.0), *index, c))
                .filter(|(gap, ..)| *gap <= REACH)
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (gap, index, caption) in near.into_iter().take(CANDIDATES) {
                let between = |b: &Region| {
                    let middle = b.bbox.center_y();
                    let (top, bottom) =
                        if above { (caption.bbox.y1, home.bbox.y0) } else { (home.bbox.y1, caption.bbox.y0) };
                    b != home && middle > top && middle < bottom && same_column(&b.bbox, &caption.bbox)
                };
                if !blocks.iter().any(between) {
                    let cost = gap + penalty(document, roles, index, at);
                    pairs.push(Pair { table, element: index, cost, above });
                }
            }
        }
    }
    let (above, below) = (count_nearest(&pairs, true), count_nearest(&pairs, false));
    for pair in &mut pairs {
        let (with, against) = if pair.above { (above, below) } else { (below, above) };
        if against >= 2 && against >= 2 * with {
            pair.cost += AGAINST_CUSTOM;
        }
    }
    pairs.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.table.cmp(&b.table)).then(a.element.cmp(&b.element)));
    pairs
}

/// How many captions have their nearest table on this side.
fn count_nearest(pairs: &[Pair], above: bool) -> usize {
    let mut nearest: HashMap<usize, &Pair> = HashMap::new();
    for pair in pairs {
        let best = nearest.entry(pair.element).or_insert(pair);
        if pair.cost < best.cost {
            *best = pair;
        }
    }
    nearest.values().filter(|p| p.above == above).count()
}

/// Candidates of a table without layout: the elements right before and after it.
fn in_order(document: &Document, roles: &[Role], table: usize, at: usize, free: &impl Fn(usize) -> bool) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for up in [true, false] {
        for step in neighbours(document, at, up, REACH) {
            if free(step.index) {
                let cost = step.distance + penalty(document, roles, step.index, at);
                pairs.push(Pair { table, element: step.index, cost, above: up });
                break;
            }
            if roles.get(step.index).is_some_and(Role::is_boundary) {
                break;
            }
        }
    }
    pairs
}

/// What speaks against this caption for this table apart from the distance.
fn penalty(document: &Document, roles: &[Role], caption: usize, table: usize) -> f32 {
    let (from, to) = (caption.min(table) + 1, caption.max(table));
    let between = roles.get(from..to).unwrap_or_default();
    let texts = between.iter().take(CANDIDATES).filter(|r| matches!(r, Role::Body | Role::Other)).count();
    let unsure = match document.elements.get(caption).map(|e| &e.kind) {
        Some(ElementKind::Caption) => 0.0,
        _ => READS_LIKE,
    };
    texts as f32 * IN_BETWEEN + unsure
}

/// Matches tables to captions one to one: cheapest pairs first; a table that finds its captions taken may push another
/// table to that one's next choice.
fn matching(pairs: &[Pair], tables: usize) -> Vec<(usize, usize)> {
    let mut choices: Vec<Vec<&Pair>> = vec![Vec::new(); tables];
    for pair in pairs {
        if let Some(list) = choices.get_mut(pair.table) {
            list.push(pair);
        }
    }
    let mut owner: HashMap<usize, usize> = HashMap::new();
    let mut order: Vec<usize> = (0..tables).collect();
    order.sort_by(|&a, &b| {
        let best = |t: usize| choices.get(t).and_then(|c| c.first()).map_or(f32::INFINITY, |p| p.cost);
        best(a).total_cmp(&best(b)).then(a.cmp(&b))
    });
    let mut matched = vec![false; tables];
    for pair in pairs {
        if matched.get(pair.table) == Some(&false) && !owner.contains_key(&pair.element) {
            owner.insert(pair.element, pair.table);
            mark(&mut matched, pair.table);
        }
    }
    for table in order {
        if matched.get(table) == Some(&false) {
            let mut seen = Vec::new();
            if displace(table, &choices, &mut owner, &mut seen, 0) {
                mark(&mut matched, table);
            }
        }
    }
    let mut found: Vec<(usize, usize)> = owner.into_iter().map(|(element, table)| (table, element)).collect();
    found.sort_unstable();
    found
}

/// Finds a caption for `table`, moving at most a few others along.
fn displace(
    table: usize,
    choices: &[Vec<&Pair>],
    owner: &mut HashMap<usize, usize>,
    seen: &mut Vec<usize>,
    depth: usize,
) -> bool {
    for pair in choices.get(table).into_iter().flatten() {
        if seen.contains(&pair.element) {
            continue;
        }
        seen.push(pair.element);
        let holder = owner.get(&pair.element).copied();
        if holder.is_none_or(|holder| depth < 2 && displace(holder, choices, owner, seen, depth + 1)) {
            owner.insert(pair.element, table);
            return true;
        }
    }
    false
}

/// A free caption that is the last thing on the previous page, or the first on the next one, for a table at that edge.
fn across_pages(document: &Document, roles: &[Role], at: usize, taken: &[bool]) -> Option<usize> {
    let element = document.elements.get(at)?;
    for up in [true, false] {
        let home = if up { element.regions.first() } else { element.regions.last() }?;
        let height = document.page(home.page).map(|p| p.height).filter(|h| *h > 0.0)?;
        let at_edge = if up { home.bbox.y0 <= EDGE * height } else { home.bbox.y1 >= (1.0 - EDGE) * height };
        if !at_edge {
            continue;
        }
        let next = neighbours(document, at, up, REACH)
            .into_iter()
            .find(|s| !matches!(roles.get(s.index), Some(Role::Note | Role::Units)));
        let caption = next.map(|s| s.index).filter(|&index| {
            let page = document.elements.get(index).and_then(|e| if up { e.regions.last() } else { e.regions.first() });
            // Without a number it could be anything's caption.
            matches!(roles.get(index), Some(Role::Caption(Some(_))))
                && taken.get(index).is_some_and(|t| !t)
                && page.is_some_and(|r| r.page != home.page)
        });
        if caption.is_some() {
            return caption;
        }
    }
    None
}

/// A caption inside the table: the only cell of its first row, wider than a column, that starts like one.
fn swallowed(table: &Table) -> Option<Caption> {
    let mut first = table.cells.iter().take_while(|c| c.row == 0).filter(|c| !c.text.trim().is_empty());
    let cell = first.next().filter(|c| c.colspan > 1 || table.cols == 1)?;
    let label = starts_caption(&cell.text).filter(|l| l.table)?;
    let alone = first.next().is_none() && table.rows > 1 && cell.rowspan <= 1 && !notes::is_units(&cell.text);
    alone.then(|| Caption {
        text: cell.text.trim().to_owned(),
        elements: Vec::new(),
        confidence: CaptionConfidence::Inferred,
        label: Some(label),
        row: Some(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_into_the_next_column_is_taken_back() {
        let at = |x: f32, y: f32| Region { page: 1, bbox: crate::document::BBox::new(x, y, x + 200.0, y + 40.0) };
        let element = |kind, text: &str, region| crate::document::Element {
            kind,
            text: text.into(),
            regions: vec![region],
            section: None,
        };
        let table = |captions: &[usize]| {
            let cells = vec![crate::document::Cell { text: "1".into(), ..Default::default() }];
            ElementKind::Table {
                table: Table { rows: 1, cols: 1, cells, captions: captions.to_vec(), ..Table::default() },
            }
        };
        let mut document = Document {
            elements: vec![
                element(ElementKind::Paragraph, "Table 3: Left.", at(50.0, 80.0)),
                element(ElementKind::Caption, "Table 4: Right.", at(320.0, 80.0)),
                element(table(&[1]), "", at(50.0, 150.0)),
                element(table(&[]), "", at(320.0, 150.0)),
            ],
            ..Document::default()
        };
        let captions = |document: &Document| {
            let found = assign(document, &super::super::scene::roles(document), &[2, 3]);
            found.into_iter().map(|c| c.text).collect::<Vec<_>>()
        };
        assert_eq!(captions(&document), ["Table 3: Left.", "Table 4: Right."]);
        // Where no other table could have it, the source is believed.
        document.elements[3].kind = ElementKind::Picture;
        let found = assign(&document, &super::super::scene::roles(&document), &[2]);
        assert_eq!((found[0].text.as_str(), found[0].confidence), ("Table 4: Right.", CaptionConfidence::Direct));
    }

    #[test]
    fn a_caption_pushes_another_table_to_its_own() {
        let pair = |table, element, cost| Pair { table, element, cost, above: true };
        // The second caption is nearest to the first table, which has one of its own.
        let pairs = [pair(0, 11, 8.0), pair(1, 11, 10.0), pair(0, 10, 12.0)];
        assert_eq!(matching(&pairs, 2), [(0, 10), (1, 11)]);
    }
}
