//! The walk through the tree of a file, which gives the elements in reading order.
//!
//! Captions and notes that a table, picture or listing refers to are taken to its side, texts in a picture into the
//! picture, parts of one paragraph into one element. The walk keeps its own stack and reads every item once, whatever
//! the references say.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::grid::{self, Draft};
use super::kinds::{self, InList};
use super::place::Pages;
use super::pointer::{List, Target};
use super::schema::{Docling, Item, Reference, TableCell};
use crate::document::{CellRole, Element, ElementKind, Region, Table};

/// Deepest nesting of lists that is told apart.
const DEEPEST_LIST: u8 = 16;

/// What could not be read as it is meant.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Findings {
    /// References to nothing, and the first of them.
    pub(super) dangling: usize,
    pub(super) first_dangling: Option<String>,
    /// Further places of items that stand in the tree already.
    pub(super) repeated: usize,
    /// Items that the tree does not reach.
    pub(super) stray: usize,
    /// Items that readers do not see.
    pub(super) invisible: usize,
    /// Tables without cells.
    pub(super) empty_tables: usize,
    /// Tables whose offsets or spans make no grid.
    pub(super) broken_tables: usize,
}

/// How an item came to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// At its place in the tree.
    InTree,
    /// As a part of another item.
    Taken,
}

/// An item that is still to be read.
#[derive(Clone, Copy)]
struct Step<'a> {
    reference: &'a Reference,
    list: InList,
}

pub(super) struct Reader<'a> {
    docling: &'a Docling,
    pages: &'a Pages,
    /// Whether a page is to be read.
    wanted: &'a dyn Fn(u32) -> bool,
    stack: Vec<Step<'a>>,
    seen: HashMap<Target, Seen>,
    /// Kinds of the captions and notes that tables and pictures refer to.
    linked: HashMap<Target, ElementKind>,
    /// Which element an item became.
    indices: HashMap<Target, usize>,
    elements: Vec<Element>,
    findings: Findings,
}

/// The texts under an item, and what is no text.
#[derive(Default)]
struct Gathered<'a> {
    texts: Vec<&'a Item>,
    others: Vec<&'a Reference>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(docling: &'a Docling, pages: &'a Pages, wanted: &'a dyn Fn(u32) -> bool) -> Self {
        let mut linked = HashMap::new();
        for item in docling.tables.iter().chain(&docling.pictures).chain(&docling.texts) {
            for (references, kind) in [(&item.captions, ElementKind::Caption), (&item.footnotes, ElementKind::Note)] {
                for target in references.iter().filter_map(|r| Target::parse(&r.pointer)) {
                    linked.entry(target).or_insert(kind.clone());
                }
            }
        }
        Self {
            docling,
            pages,
            wanted,
            stack: Vec::new(),
            seen: HashMap::new(),
            linked,
            indices: HashMap::new(),
            elements: Vec::new(),
            findings: Findings::default(),
        }
    }

    /// Reads everything: the body, older files' furniture, then what neither reaches.
    pub(super) fn read(mut self) -> (Vec<Element>, Findings) {
        for root in [&self.docling.body, &self.docling.furniture] {
            self.push_children(&root.children, InList::default());
            self.run();
        }
        let strays = [
            (List::Groups, &self.docling.groups),
            (List::Texts, &self.docling.texts),
            (List::Tables, &self.docling.tables),
            (List::Pictures, &self.docling.pictures),
        ];
        for (list, items) in strays {
            for (index, item) in items.iter().enumerate() {
                let target = Target { list, index };
                if !self.seen.contains_key(&target) {
                    self.findings.stray += 1;
                    self.seen.insert(target, Seen::InTree);
                    self.visit(target, item, InList::default());
                    self.run();
                }
            }
        }
        (self.elements, self.findings)
    }

    fn run(&mut self) {
        while let Some(Step { reference, list }) = self.stack.pop() {
            let Some(target) = self.resolve(reference) else { continue };
            match self.seen.get(&target) {
                Some(Seen::InTree) => self.findings.repeated += 1,
                Some(Seen::Taken) => {}
                None => {
                    self.seen.insert(target, Seen::InTree);
                    if let Some(item) = self.docling.item(target) {
                        self.visit(target, item, list);
                    }
                }
            }
        }
    }

    /// What a reference points to; `None` for a form, and for nothing at all, which is counted.
    fn resolve(&mut self, reference: &Reference) -> Option<Target> {
        let target = Target::parse(&reference.pointer);
        if let Some(target) = target.filter(|&t| t.list == List::Forms || self.docling.item(t).is_some()) {
            return Some(target).filter(|t| t.list != List::Forms);
        }
        self.findings.dangling += 1;
        self.findings.first_dangling.get_or_insert_with(|| reference.pointer.chars().take(80).collect());
        None
    }

    fn push_children(&mut self, children: &'a [Reference], list: InList) {
        let steps = children.iter().enumerate().rev();
        self.stack.extend(steps.map(|(at, reference)| Step { reference, list: InList { number: at + 1, ..list } }));
    }

    fn visit(&mut self, target: Target, item: &'a Item, list: InList) {
        if item.is_invisible() {
            self.findings.invisible += 1;
            self.push_children(&item.children, list);
            return;
        }
        match target.list {
            List::Groups if item.is_inline() => {
                let parts = self.gather(&item.children);
                self.add_joined(target, item, list, parts);
            }
            List::Groups => {
                let is_list = matches!(item.label.as_str(), "list" | "ordered_list");
                let depth = if is_list { list.depth.saturating_add(1).min(DEEPEST_LIST) } else { list.depth };
                self.push_children(&item.children, InList { depth, number: 0 });
            }
            List::Tables => self.add_table(target, item, list),
            List::Pictures => self.add_picture(target, item, list),
            List::Texts => {
                let element = self.text(target, item, list);
                self.add_with_captions(target, item, element);
            }
            List::Forms => {}
        }
    }

    /// A group whose members are parts of one paragraph.
    fn add_joined(&mut self, target: Target, item: &'a Item, list: InList, parts: Gathered<'a>) {
        self.push_steps(&parts.others, list);
        let element = self.joined(target, item, list, &parts.texts);
        self.add(target, element);
    }

    /// The element of a text; what else stands under it comes next.
    fn text(&mut self, target: Target, item: &'a Item, list: InList) -> Element {
        // The text of a paragraph or list item with more than one style stands in a group under it.
        let inline = item.children.iter().position(|child| {
            let target = Target::parse(&child.pointer).filter(|t| t.list == List::Groups);
            target.and_then(|t| self.docling.item(t)).is_some_and(Item::is_inline)
        });
        if let Some(group) = inline.filter(|_| item.content().is_empty()) {
            let (before, rest) = item.children.split_at(group);
            let (group, after) = rest.split_at(1);
            let parts = self.gather(group);
            self.push_children(after, list);
            self.push_steps(&parts.others, list);
            self.push_children(before, list);
            return self.joined(target, item, list, &parts.texts);
        }
        self.push_children(&item.children, list);
        self.element(self.kind(target, item, list), &kinds::text(item), self.pages.regions(item))
    }

    /// One element of all parts of a paragraph.
    fn joined(&self, target: Target, item: &Item, list: InList, parts: &[&Item]) -> Element {
        let texts: Vec<String> = parts.iter().map(|i| kinds::text(i)).filter(|t| !t.is_empty()).collect();
        let mut regions: Vec<Region> = Vec::new();
        for region in parts.iter().flat_map(|i| self.pages.regions(i)).chain(self.pages.regions(item)) {
            match regions.last_mut().filter(|last| last.page == region.page) {
                Some(last) => last.bbox = last.bbox.union(&region.bbox),
                None => regions.push(region),
            }
        }
        self.element(self.kind(target, item, list), &texts.join(" "), regions)
    }

    fn kind(&self, target: Target, item: &Item, list: InList) -> ElementKind {
        self.linked.get(&target).cloned().unwrap_or_else(|| kinds::kind(item, list))
    }

    fn add_picture(&mut self, target: Target, item: &'a Item, list: InList) {
        let parts = self.gather(&item.children);
        let mut text = String::new();
        let mut last: Option<Region> = None;
        for part in &parts.texts {
            let label = kinds::text(part);
            if label.is_empty() {
                continue;
            }
            let region = self.pages.regions(part).first().copied();
            if !text.is_empty() {
                text.push(if same_row(last, region) { ' ' } else { '\n' });
            }
            text.push_str(&label);
            last = region;
        }
        self.push_steps(&parts.others, list);
        let kind = if item.is_furniture() { ElementKind::PageHeader } else { ElementKind::Picture };
        let element = self.element(kind, &text, self.pages.regions(item));
        self.add_with_captions(target, item, element);
    }

    fn add_table(&mut self, target: Target, item: &'a Item, list: InList) {
        let regions = self.pages.regions(item);
        // Cells do not say which part of a table they belong to.
        let page = regions.first().map(|r| r.page).filter(|_| regions.len() == 1);
        let drafts: Vec<Draft> = item.data.table_cells.iter().map(|cell| self.draft(cell, page)).collect();
        // After the cells: what they hold is no text beside the table.
        self.push_children(&item.children, list);
        if drafts.is_empty() {
            self.findings.empty_tables += 1;
        }
        let element = if item.label == "document_index" && !drafts.is_empty() {
            let table = grid::table(drafts.clone()).ok();
            let text = grid::lines(drafts).join("\n").replace(" | ", " ");
            self.element(ElementKind::Contents { table }, &text, regions)
        } else {
            let table = grid::table(drafts).unwrap_or_else(|drafts| {
                self.findings.broken_tables += 1;
                one_column(grid::lines(drafts))
            });
            self.element(ElementKind::Table { table }, "", regions)
        };
        self.add_with_captions(target, item, element);
    }

    fn draft(&mut self, cell: &'a TableCell, page: Option<u32>) -> Draft {
        let mut text = grid::clean(&cell.text);
        if let Some(content) = &cell.content {
            let parts = self.gather(std::slice::from_ref(content));
            // The cell's own text mostly says what is in it, with other marks between.
            let said: HashSet<&str> = words(&cell.text).collect();
            let inner = parts.texts.iter().map(|i| kinds::text(i)).filter(|t| words(t).any(|w| !said.contains(w)));
            let inner: Vec<String> = inner.collect();
            text = grid::clean(&format!("{text} {}", inner.join(" ")));
        }
        let role = match cell {
            TableCell { column_header: true, .. } => CellRole::ColumnHeader,
            TableCell { row_section: true, .. } => CellRole::Section,
            TableCell { row_header: true, .. } => CellRole::RowHeader,
            _ => CellRole::Data,
        };
        let index = |n: Option<f64>| n.map_or(0, |n| n as usize);
        let bbox = page.zip(cell.bbox.as_ref()).and_then(|(page, bbox)| self.pages.bbox(page, bbox));
        Draft {
            rows: (index(cell.start_row_offset_idx), index(cell.end_row_offset_idx)),
            cols: (index(cell.start_col_offset_idx), index(cell.end_col_offset_idx)),
            text,
            role,
            page,
            bbox,
        }
    }

    /// Takes the texts under these references out of the tree. Captions and notes stay for what refers to them.
    fn gather(&mut self, references: &'a [Reference]) -> Gathered<'a> {
        let mut gathered = Gathered::default();
        let mut stack: Vec<&Reference> = references.iter().rev().collect();
        while let Some(reference) = stack.pop() {
            let Some(target) = Target::parse(&reference.pointer) else {
                self.resolve(reference);
                continue;
            };
            if matches!(target.list, List::Tables | List::Pictures | List::Forms) || self.linked.contains_key(&target) {
                gathered.others.push(reference);
                continue;
            }
            let Some(target) = self.resolve(reference).filter(|t| !self.seen.contains_key(t)) else { continue };
            let Some(item) = self.docling.item(target) else { continue };
            self.seen.insert(target, Seen::Taken);
            if item.is_invisible() {
                self.findings.invisible += 1;
            } else if target.list == List::Texts {
                gathered.texts.push(item);
            }
            stack.extend(item.children.iter().rev());
        }
        gathered
    }

    fn push_steps(&mut self, references: &[&'a Reference], list: InList) {
        self.stack.extend(references.iter().rev().map(|&reference| Step { reference, list }));
    }

    fn element(&self, kind: ElementKind, text: &str, regions: Vec<Region>) -> Element {
        Element { kind, text: text.nfc().collect(), regions, section: None }
    }

    /// Adds an element between its captions and notes: those that stand above it, then it, then the others.
    fn add_with_captions(&mut self, target: Target, item: &'a Item, element: Element) {
        let captions: Vec<Target> = item.captions.iter().filter_map(|r| self.resolve(r)).collect();
        let notes: Vec<Target> = item.footnotes.iter().filter_map(|r| self.resolve(r)).collect();
        let home = element.regions.clone();
        let is_below = |reader: &Self, caption: Target| {
            let regions = reader.docling.item(caption).map(|c| reader.pages.regions(c)).unwrap_or_default();
            let (Some(caption), Some(last)) = (regions.first(), home.last()) else { return false };
            (caption.page, caption.bbox.center_y()) > (last.page, last.bbox.center_y())
        };
        let (below, above): (Vec<Target>, Vec<Target>) = captions.into_iter().partition(|&c| is_below(self, c));
        let mut links: Vec<usize> = above.into_iter().filter_map(|c| self.link(c)).collect();
        let index = self.add(target, element);
        links.extend(below.into_iter().filter_map(|c| self.link(c)).collect::<Vec<_>>());
        let notes: Vec<usize> = notes.into_iter().filter_map(|n| self.link(n)).collect();
        let kind = index.and_then(|i| self.elements.get_mut(i)).map(|element| &mut element.kind);
        if let Some(ElementKind::Table { table } | ElementKind::Contents { table: Some(table) }) = kind {
            (table.captions, table.footnotes) = (links, notes);
        }
    }

    /// The element of a caption or note, made now where it has not been read yet.
    fn link(&mut self, target: Target) -> Option<usize> {
        if self.seen.contains_key(&target) {
            return self.indices.get(&target).copied();
        }
        let item = self.docling.item(target).filter(|i| target.list == List::Texts && !i.is_invisible())?;
        self.seen.insert(target, Seen::Taken);
        let element = self.text(target, item, InList::default());
        self.add(target, element)
    }

    /// Adds an element unless its pages are not wanted or it says nothing; returns its index.
    fn add(&mut self, target: Target, element: Element) -> Option<usize> {
        let page = element.page().unwrap_or(1);
        let says = !element.text.is_empty() || matches!(element.kind, ElementKind::Table { .. } | ElementKind::Picture);
        if !says || !(self.wanted)(page) {
            return None;
        }
        let index = self.elements.len();
        self.elements.push(element);
        self.indices.insert(target, index);
        Some(index)
    }
}

/// Whether two labels of a picture stand in one row: the lower half of neither is below the other.
fn same_row(a: Option<Region>, b: Option<Region>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    let least = a.bbox.height().min(b.bbox.height());
    a.page == b.page && least > 0.0 && a.bbox.overlap_y(&b.bbox) * 2.0 > least
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty())
}

/// A table whose rows are lines of text.
fn one_column(lines: Vec<String>) -> Table {
    let draft = |(row, text)| Draft { rows: (row, row + 1), cols: (0, 1), text, ..Draft::default() };
    grid::table(lines.into_iter().enumerate().map(draft).collect()).unwrap_or_default()
}
