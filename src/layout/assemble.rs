//! Blocks of all pages to the elements of a document.

use rayon::prelude::*;

use crate::document::{BBox, Document, Element, ElementKind, Region};
use crate::pdf::DocumentInfo;
use crate::table::FoundTable;

use super::blocks::{self, Block, Pitches};
use super::classify::{self, Neighbour, Role};
use super::contents;
use super::continuation;
use super::flow;
use super::formulas;
use super::furniture;
use super::headings::{self, Body, Candidate};
use super::language;
use super::lines::{self, Line};
use super::marks;
use super::order::{self, Item};
use super::page::{Float, PageDraft};
use super::tagged::{Hint, Hints};
use super::text::Vocabulary;

/// A title stands in this upper share of the first page and is larger than the body by this factor.
const TITLE_ZONE: f32 = 0.5;
const TITLE_SIZE: f32 = 1.3;

/// One thing in reading order.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Index of its page among the drafts.
    pub page: usize,
    pub content: Content,
}

impl Entry {
    fn table(&mut self) -> Option<&mut FoundTable> {
        match &mut self.content {
            Content::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// What an entry is.
#[derive(Debug)]
pub(crate) enum Content {
    /// Running head (`true`) or foot.
    Furniture(bool, Vec<Line>),
    /// Text.
    Text(Role, Block),
    /// Text of another direction, its box already upright.
    Turned(Vec<Line>, BBox),
    Table(FoundTable),
    /// A picture with the lines of its labels.
    Picture(BBox, Vec<Line>),
    /// A displayed formula.
    Formula(BBox, Vec<Line>),
}

/// A page in reading order, before roles are known.
struct Ordered {
    parts: Vec<Part>,
    draft: PageDraft,
}

enum Part {
    Block(Block),
    Float(usize),
}

/// Makes the document of the pages; pages, warnings and sections are left to the caller.
pub(crate) fn document(drafts: Vec<PageDraft>, info: &DocumentInfo, hints: &Hints) -> Document {
    let ordered: Vec<Ordered> = drafts.into_par_iter().map(order_page).collect();
    let blocks = ordered.iter().flat_map(|p| &p.parts).filter_map(|p| match p {
        Part::Block(block) => Some(block),
        Part::Float(_) => None,
    });
    let mut vocabulary = Vocabulary::of(blocks.clone().map(|b| b.lines.as_slice()));
    let body = Body::of(blocks);
    let mut entries: Vec<Entry> = Vec::new();
    let mut pages: Vec<PageDraft> = Vec::new();
    for (index, page) in ordered.into_iter().enumerate() {
        let (found, draft) = entries_of(page, index, &body, hints);
        entries.extend(found);
        pages.push(draft);
    }
    entries.iter_mut().filter_map(Entry::table).for_each(|t| vocabulary.learn(t));
    entries.iter_mut().filter_map(Entry::table).for_each(|t| vocabulary.join_cells(t));
    let joined = flow::join(entries, &body);
    let mut elements = elements(&joined, &pages, &vocabulary, info, &body, hints);
    let title = elements.iter().find(|e| e.kind == ElementKind::Title).map(|e| e.text.clone());
    let lang = language::of(&elements, info.lang.as_deref());
    let mut order: Vec<Option<Element>> = elements.drain(..).map(Some).collect();
    continuation::join(&joined, &pages, &mut order);
    let elements = order.into_iter().flatten().collect();
    Document { title: info.title.clone().or(title), lang, elements, ..Document::default() }
}

/// Puts a page in reading order and groups its lines.
fn order_page(mut draft: PageDraft) -> Ordered {
    let lines = std::mem::take(&mut draft.lines);
    let em = lines::dominant(lines.iter().map(|l| (l.size, l.chars()))).max(4.0);
    let mut items: Vec<Item> = lines.into_iter().map(Item::Line).collect();
    items.extend(draft.floats.iter().enumerate().map(|(i, (bbox, _))| Item::Float(i, *bbox)));
    // A column is a sequence of lines and floats; pieces of one row are joined between floats.
    enum Run {
        Lines(Vec<Line>),
        Float(usize),
    }
    let columns: Vec<Vec<Run>> = order::columns(items, em)
        .into_iter()
        .map(|column| {
            let mut runs: Vec<Run> = Vec::new();
            for item in column {
                match (item, runs.last_mut()) {
                    (Item::Line(line), Some(Run::Lines(lines))) => lines.push(line),
                    (Item::Line(line), _) => runs.push(Run::Lines(vec![line])),
                    (Item::Float(at, _), _) => runs.push(Run::Float(at)),
                }
            }
            runs.into_iter()
                .map(|run| match run {
                    Run::Lines(lines) => Run::Lines(lines::rejoin(lines)),
                    float => float,
                })
                .collect()
        })
        .collect();
    let runs = columns.iter().flatten().filter_map(|run| match run {
        Run::Lines(lines) => Some(lines.iter().collect()),
        Run::Float(_) => None,
    });
    let pitches = Pitches::of(runs);
    let mut parts = Vec::new();
    for (number, column) in columns.into_iter().enumerate() {
        for run in column {
            match run {
                Run::Lines(lines) => parts.extend(blocks::group(lines, number, &pitches).into_iter().map(Part::Block)),
                Run::Float(at) => parts.push(Part::Float(at)),
            }
        }
    }
    Ordered { parts, draft }
}

/// Entries of a page: heads, then the body, then text of other directions, then feet.
fn entries_of(page: Ordered, index: usize, body: &Body, hints: &Hints) -> (Vec<Entry>, PageDraft) {
    let Ordered { parts, mut draft } = page;
    let neighbours: Vec<Neighbour<'_>> = parts
        .iter()
        .map(|part| match part {
            Part::Block(block) => Neighbour::Block(block),
            Part::Float(at) => match draft.floats.get(*at) {
                Some((_, Float::Formula(_))) => Neighbour::Formula,
                _ => Neighbour::Float,
            },
        })
        .collect();
    let pictures: Vec<BBox> =
        draft.floats.iter().filter(|(_, f)| matches!(f, Float::Picture(_))).map(|(b, _)| *b).collect();
    let in_picture = |block: &Block| {
        let (x, y) = (block.bbox.center_x(), block.bbox.center_y());
        pictures.iter().any(|p| p.contains_point(x, y))
    };
    let hint = |block: &Block| hints.get(draft.number, block);
    let roles = classify::roles(&neighbours, draft.upright_height, body, &in_picture, &hint);
    let mut floats: Vec<Option<(BBox, Float)>> = std::mem::take(&mut draft.floats).into_iter().map(Some).collect();
    let mut contents: Vec<Content> = Vec::new();
    let running =
        |top: bool, lines: Vec<Line>| furniture::group(lines).into_iter().map(move |l| Content::Furniture(top, l));
    contents.extend(running(true, std::mem::take(&mut draft.heads)));
    for (part, role) in parts.into_iter().zip(roles) {
        match part {
            Part::Block(block) => contents.push(Content::Text(role.unwrap_or(Role::Paragraph), block)),
            Part::Float(at) => match floats.get_mut(at).and_then(Option::take) {
                Some((_, Float::Table(table))) => contents.push(Content::Table(table)),
                Some((bbox, Float::Picture(labels))) => contents.push(Content::Picture(bbox, labels)),
                Some((bbox, Float::Formula(lines))) => contents.push(Content::Formula(bbox, lines)),
                None => {}
            },
        }
    }
    for block in std::mem::take(&mut draft.turned) {
        if let Some(bbox) = BBox::union_all(block.iter().map(|l| &l.bbox)) {
            contents.push(Content::Turned(block, bbox));
        }
    }
    contents.extend(running(false, std::mem::take(&mut draft.feet)));
    (contents.into_iter().map(|content| Entry { page: index, content }).collect(), draft)
}

/// One element per joined entry, in the same order.
fn elements(
    joined: &[Vec<Entry>],
    pages: &[PageDraft],
    vocabulary: &Vocabulary,
    info: &DocumentInfo,
    body: &Body,
    hints: &Hints,
) -> Vec<Element> {
    let texts: Vec<String> = joined.iter().map(|parts| text_of(parts, vocabulary)).collect();
    let number = |entry: &Entry| pages.get(entry.page).map_or(1, |p| p.number);
    let headings: Vec<(usize, Candidate<'_>)> = joined
        .iter()
        .zip(&texts)
        .enumerate()
        .filter_map(|(i, (parts, text))| match parts.first()? {
            entry @ Entry { content: Content::Text(Role::Heading, block), .. } => {
                let page = number(entry);
                let tagged = if let Some(Hint::Heading(level)) = hints.get(page, block) { level } else { None };
                Some((i, Candidate { block, text, page, tagged }))
            }
            _ => None,
        })
        .collect();
    let title = title(&headings, pages, body, info);
    let bylines = bylines(&headings, title, body);
    let sections: Vec<Candidate<'_>> =
        headings.iter().filter(|(i, _)| Some(*i) != title && !bylines.contains(i)).map(|(_, h)| *h).collect();
    let mut levels = headings::levels(&sections, &info.outline).into_iter();
    let mut depths = Depths::default();
    let mut out = Vec::with_capacity(joined.len());
    for (i, (parts, text)) in joined.iter().zip(&texts).enumerate() {
        let Some(first) = parts.first() else { continue };
        let mut text = text.clone();
        let kind = match &first.content {
            Content::Furniture(true, _) => ElementKind::PageHeader,
            Content::Furniture(false, _) => ElementKind::PageFooter,
            Content::Turned(..) => ElementKind::Paragraph,
            Content::Table(found) => ElementKind::Table { table: found.table.clone() },
            Content::Picture(..) => ElementKind::Picture,
            Content::Formula(..) => ElementKind::Formula,
            Content::Text(role, block) => match role {
                Role::Heading if Some(i) == title => ElementKind::Title,
                Role::Heading if bylines.contains(&i) => ElementKind::Paragraph,
                Role::Heading => ElementKind::Heading { level: levels.next().unwrap_or(1) },
                Role::Item => match marks::mark(&text) {
                    Some(mark) => {
                        let kind = ElementKind::ListItem {
                            depth: depths.of(block.bbox.x0, first.page, block.column),
                            marker: mark.printed(&text).to_owned(),
                        };
                        text = mark.rest(&text).to_owned();
                        kind
                    }
                    None => ElementKind::Paragraph,
                },
                Role::Caption => ElementKind::Caption,
                Role::Footnote => ElementKind::Footnote,
                Role::Note => ElementKind::Note,
                Role::Contents => ElementKind::Contents { table: None },
                Role::Code => ElementKind::Code,
                Role::Paragraph => ElementKind::Paragraph,
            },
        };
        if let ElementKind::Heading { .. } | ElementKind::Title = kind {
            // A sign of a symbol font before a heading says nothing.
            text = text.trim_start_matches(|c| marks::is_symbol(c) || c == ' ').to_owned();
        }
        if !matches!(kind, ElementKind::ListItem { .. } | ElementKind::Footnote | ElementKind::Note) {
            depths = Depths::default();
        }
        let mut regions: Vec<Region> = parts.iter().map(|entry| region(entry, pages)).collect();
        if matches!(kind, ElementKind::Contents { .. }) {
            regions = one_a_page(regions);
        }
        out.push(Element { kind, text, regions, section: None });
    }
    out
}

/// The heading of the first page that repeats the title in the metadata; else the largest heading in the upper part of
/// that page, where it is larger than all others.
fn title(headings: &[(usize, Candidate<'_>)], pages: &[PageDraft], body: &Body, info: &DocumentInfo) -> Option<usize> {
    let first = pages.first()?;
    let known = info.title.as_deref().map(headings::squash).filter(|t| !t.is_empty());
    let repeats = |h: &Candidate<'_>| known.as_ref().is_some_and(|k| *k == headings::squash(h.text));
    if let Some((index, _)) = headings.iter().find(|(_, h)| h.page == first.number && repeats(h)) {
        return Some(*index);
    }
    let largest = headings.iter().map(|(_, h)| h.block.size()).fold(0.0, f32::max);
    let mut of_size = headings.iter().filter(|(_, h)| h.block.size() > largest - 0.5);
    let (index, heading) = of_size.next()?;
    let alone = of_size.next().is_none();
    let high = heading.block.bbox.y0 < TITLE_ZONE * first.upright_height;
    (alone && high && heading.page == first.number && largest >= TITLE_SIZE * body.size).then_some(*index)
}

/// Lines right before and after the title that only their place makes look like headings: authors, organisations.
fn bylines(headings: &[(usize, Candidate<'_>)], title: Option<usize>, body: &Body) -> Vec<usize> {
    let Some(at) = title.and_then(|title| headings.iter().position(|(i, _)| *i == title)) else { return Vec::new() };
    let page = headings.get(at).map(|(_, h)| h.page);
    let mut found = Vec::new();
    for (n, (index, line)) in headings.iter().enumerate() {
        let beside = n < at || Some(*index) == title.map(|t| t + 1);
        let others: Vec<&Candidate<'_>> =
            headings.iter().skip(at + 1).filter(|(i, _)| i != index).map(|(_, h)| h).collect();
        if n != at && beside && Some(line.page) == page && headings::stands_out_by_place(line, &others, body) {
            found.push(*index);
        }
    }
    found
}

/// Depth of list items by their indents.
#[derive(Default)]
struct Depths {
    indents: Vec<f32>,
    place: Option<(usize, usize)>,
}

impl Depths {
    fn of(&mut self, x: f32, page: usize, column: usize) -> u8 {
        if self.place.replace((page, column)) != Some((page, column)) {
            self.indents.clear();
        }
        self.indents.retain(|&indent| indent < x - 3.0);
        let depth = self.indents.len();
        self.indents.push(x);
        u8::try_from(depth.min(8)).unwrap_or(8)
    }
}

fn text_of(parts: &[Entry], vocabulary: &Vocabulary) -> String {
    if let [Entry { content: Content::Text(Role::Contents, _), .. }, ..] = parts {
        return contents_text(parts, vocabulary);
    }
    let mut code = false;
    let mut lines: Vec<&Line> = Vec::new();
    for entry in parts {
        match &entry.content {
            Content::Furniture(_, block) => lines.extend(block),
            Content::Text(role, block) => {
                code = *role == Role::Code;
                lines.extend(&block.lines);
            }
            Content::Turned(block, _) => lines.extend(block),
            Content::Picture(_, labels) => return label_text(labels),
            Content::Formula(_, lines) => return formulas::text(lines),
            Content::Table(_) => {}
        }
    }
    if code { code_text(&lines) } else { vocabulary.join(lines) }
}

/// A line for each entry of a table of contents.
fn contents_text(parts: &[Entry], vocabulary: &Vocabulary) -> String {
    let mut entries: Vec<String> = Vec::new();
    for part in parts {
        let Content::Text(_, block) = &part.content else { continue };
        let ends = |line: &&Line| contents::ends_as_entry(line);
        let lines: Vec<&Line> = block.lines.iter().collect();
        entries.extend(lines.split_inclusive(ends).map(|entry| vocabulary.join(entry.iter().copied())));
    }
    entries.join("\n")
}

/// One box for the regions of each page.
fn one_a_page(regions: Vec<Region>) -> Vec<Region> {
    let mut out: Vec<Region> = Vec::new();
    for region in regions {
        match out.last_mut().filter(|last| last.page == region.page) {
            Some(last) => last.bbox = last.bbox.union(&region.bbox),
            None => out.push(region),
        }
    }
    out
}

/// Labels of a picture, row by row.
fn label_text(labels: &[Line]) -> String {
    let rows = labels.chunk_by(|a, b| (b.baseline - a.baseline).abs() < 0.5 * a.size.max(1.0));
    let rows = rows.map(|row| row.iter().map(Line::text).collect::<Vec<_>>().join(" "));
    rows.collect::<Vec<_>>().join("\n")
}

/// Program text: line breaks kept, indents in characters.
fn code_text(lines: &[&Line]) -> String {
    let left = lines.iter().map(|l| l.bbox.x0).fold(f32::INFINITY, f32::min);
    let indented = lines.iter().map(|line| {
        let width = line.bbox.width() / line.text().chars().count().max(1) as f32;
        let indent = ((line.bbox.x0 - left) / width.max(1.0)).round().clamp(0.0, 80.0) as usize;
        format!("{}{}", " ".repeat(indent), line.text())
    });
    indented.collect::<Vec<_>>().join("\n")
}

fn region(entry: &Entry, pages: &[PageDraft]) -> Region {
    let bbox = match &entry.content {
        Content::Furniture(_, block) => furniture::ink(block),
        Content::Text(_, block) => block.bbox,
        Content::Turned(_, bbox) | Content::Picture(bbox, _) | Content::Formula(bbox, _) => *bbox,
        Content::Table(found) => found.bbox,
    };
    pages.get(entry.page).map_or(Region { page: 1, bbox }, |p| Region { page: p.number, bbox: p.frame.leave(&bbox) })
}
