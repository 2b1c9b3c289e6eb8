//! One page on its own: turned upright, its tables and pictures set apart, the rest cut into lines.

use std::collections::HashSet;

use crate::document::{BBox, Table};
use crate::pdf::{PageContent, Word};
use crate::table::{self, FoundTable, TagTable};

use super::bidi;
use super::charts;
use super::contents;
use super::formulas;
use super::frame::Frame;
use super::lines::{self, Line};

/// Images smaller than this many points on a side are ornaments.
const SMALLEST_PICTURE: f32 = 40.0;
/// Images that cover more than this share of a page with text are its background.
const BACKGROUND: f32 = 0.85;
/// More images than this on a page are not looked at.
const MOST_IMAGES: usize = 400;

/// A table or picture.
#[derive(Debug)]
pub(crate) enum Float {
    /// A table; its box is upright, the boxes of its cells are the page's.
    Table(FoundTable),
    /// A picture or chart, with the lines of its labels.
    Picture(Vec<Line>),
    /// A displayed formula.
    Formula(Vec<Line>),
}

/// A page cut into lines. Boxes are upright.
#[derive(Debug)]
pub(crate) struct PageDraft {
    /// 1-based number.
    pub number: u32,
    /// Leads back from upright boxes to the page.
    pub frame: Frame,
    /// Height of the upright page.
    pub upright_height: f32,
    /// Share of the page's characters that the file marks as no part of the text.
    pub marked: f32,
    /// Text of the main direction.
    pub lines: Vec<Line>,
    /// Running heads, once they are known.
    pub heads: Vec<Line>,
    /// Running feet and page numbers, once they are known.
    pub feet: Vec<Line>,
    /// Tables and pictures.
    pub floats: Vec<(BBox, Float)>,
    /// Text of other directions (marginal notes, watermarks): blocks of lines with boxes in the upright page.
    pub turned: Vec<Vec<Line>>,
}

/// Cuts a page of a file without tags.
#[cfg(test)]
pub(crate) fn draft(page: &PageContent) -> PageDraft {
    cut(page, &[], None)
}

/// Cuts a page of which the file's structure tree names these tables. `rest` are the first rows of an upright page where
/// they continue the table of the page before.
pub(crate) fn cut(page: &PageContent, tags: &[TagTable], rest: Option<FoundTable>) -> PageDraft {
    let frame = Frame::of(page);
    let upright = if frame.is_identity() { None } else { Some(frame.page(page)) };
    let upright = upright.as_ref().unwrap_or(page);
    let mut tables = table::find_tagged(upright, tags);
    tables.extend(rest);
    let consumed: HashSet<usize> = tables.iter().flat_map(|t| t.words.iter().copied()).collect();
    let free: Vec<&Word> = upright
        .words
        .iter()
        .enumerate()
        .filter(|(i, w)| !consumed.contains(i) && is_sound(w))
        .map(|(_, w)| w)
        .collect();
    if frame.is_mirrored() {
        tables.iter_mut().for_each(read_cells);
    }
    if !frame.is_identity() {
        tables.iter_mut().for_each(|t| turn_cells(&mut t.table, &frame));
    }
    let mut floats: Vec<(BBox, Float)> = tables.into_iter().map(|t| (t.bbox, Float::Table(t))).collect();
    let main = free.iter().filter(|w| w.angle == 0).map(|w| (*w).clone()).collect();
    let mut lines = contents::join(lines::cut(main, frame.is_mirrored()));
    let images = pictures(upright, floats.iter().map(|(b, _)| *b).collect());
    let taken: Vec<BBox> = floats.iter().map(|(b, _)| *b).chain(images.iter().copied()).collect();
    for chart in charts::find(upright, &lines, &taken) {
        let inside = |line: &Line| chart.contains_point(line.bbox.center_x(), line.bbox.center_y());
        let (labels, others) = lines.into_iter().partition(inside);
        lines = others;
        floats.push((chart, Float::Picture(labels)));
    }
    let (formulas, lines) = formulas::take(lines);
    floats.extend(formulas.into_iter().map(|f| (f.bbox, Float::Formula(f.lines))));
    floats.extend(images.into_iter().map(|b| (b, Float::Picture(Vec::new()))));
    PageDraft {
        number: page.number,
        frame,
        upright_height: upright.height,
        marked: marked(upright),
        lines,
        heads: Vec::new(),
        feet: Vec::new(),
        floats,
        turned: turned(upright, &free),
    }
}

/// What a page starts with where it continues the last table of the page before, although alone it looks like none.
pub(crate) fn rest(before: &PageDraft, here: &PageDraft, page: &PageContent) -> Option<FoundTable> {
    if !before.frame.is_identity() || !here.frame.is_identity() {
        return None;
    }
    let tables = before.floats.iter().filter_map(|(_, float)| match float {
        Float::Table(found) => Some(found),
        _ => None,
    });
    let last = tables.max_by(|a, b| a.bbox.y1.total_cmp(&b.bbox.y1))?;
    let rest = table::find_rest(page, last, before.number, before.upright_height)?;
    here.floats.iter().all(|(b, _)| b.intersection(&rest.bbox).is_none_or(|i| i.area() == 0.0)).then_some(rest)
}

fn marked(page: &PageContent) -> f32 {
    let chars = |of: &dyn Fn(&Word) -> bool| page.words.iter().filter(|w| of(w)).map(|w| w.text.len()).sum::<usize>();
    chars(&|w| w.artifact) as f32 / chars(&|_| true).max(1) as f32
}

/// Words with text and finite numbers.
fn is_sound(word: &Word) -> bool {
    let b = &word.bbox;
    !word.text.trim().is_empty() && [b.x0, b.y0, b.x1, b.y1, word.baseline, word.size].iter().all(|v| v.is_finite())
}

/// Brings the words of cells, put down from right to left, into the order in which they are read.
fn read_cells(found: &mut FoundTable) {
    for line in found.lines.iter_mut().flatten() {
        line.text = bidi::read_mirrored(&line.text);
    }
    for (cell, lines) in found.table.cells.iter_mut().zip(&found.lines) {
        if let [line] = lines.as_slice() {
            cell.text.clone_from(&line.text);
        }
    }
    found.join_lines(&|_, _| false);
}

fn turn_cells(table: &mut Table, frame: &Frame) {
    for cell in &mut table.cells {
        cell.bbox = cell.bbox.map(|b| frame.leave(&b));
    }
}

/// Boxes of the pictures: images that touch (strips of one picture) are one.
fn pictures(page: &PageContent, tables: Vec<BBox>) -> Vec<BBox> {
    let area = page.width * page.height;
    let visible = BBox::new(0.0, 0.0, page.width, page.height);
    let mut out: Vec<BBox> = Vec::new();
    for image in page.images.iter().take(MOST_IMAGES).filter_map(|b| b.intersection(&visible)) {
        let mut image = image;
        while let Some(at) = out.iter().position(|b| b.overlap_x(&image) > -1.0 && b.overlap_y(&image) > -1.0) {
            image = image.union(&out.swap_remove(at));
        }
        out.push(image);
    }
    let in_table =
        |b: &BBox| tables.iter().filter_map(|t| t.intersection(b)).any(|common| common.area() > 0.3 * b.area());
    out.retain(|b| {
        b.width() >= SMALLEST_PICTURE
            && b.height() >= SMALLEST_PICTURE
            && (page.words.is_empty() || b.area() <= BACKGROUND * area)
            && !in_table(b)
    });
    out
}

/// Blocks of the words that do not run in the main direction.
fn turned(page: &PageContent, words: &[&Word]) -> Vec<Vec<Line>> {
    let mut out = Vec::new();
    for angle in [90, 180, 270] {
        let frame = Frame::new(page, angle);
        let group: Vec<Word> = words.iter().filter(|w| w.angle == angle).map(|w| frame.word(w)).collect();
        let mut block: Vec<Line> = Vec::new();
        for line in lines::cut(group, false) {
            let apart = block.last().is_some_and(|last: &Line| {
                line.baseline - last.baseline > 2.0 * last.size || line.bbox.overlap_x(&last.bbox) < 0.0
            });
            if apart {
                out.push((frame, std::mem::take(&mut block)));
            }
            block.push(line);
        }
        out.push((frame, block));
    }
    // Slanted words have no lines of their own: neighbours in the stream are taken together.
    let mut slanted: Vec<Word> = Vec::new();
    let mut groups: Vec<Vec<Word>> = Vec::new();
    for word in words.iter().filter(|w| w.angle % 90 != 0) {
        if slanted.last().is_some_and(|last| last.angle != word.angle) {
            groups.push(std::mem::take(&mut slanted));
        }
        slanted.push((*word).clone());
    }
    groups.push(slanted);
    let level = Frame::new(page, 0);
    out.extend(groups.into_iter().filter_map(Line::new).map(|line| (level, vec![line])));
    out.into_iter()
        .filter(|(_, block)| !block.is_empty())
        .map(|(frame, mut block)| {
            block.iter_mut().for_each(|line| line.bbox = frame.leave(&line.bbox));
            block
        })
        .collect()
}
