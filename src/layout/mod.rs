//! Layout analysis: positioned words of pages in, a [`Document`] in reading order out.
//!
//! Each page is cut into lines on its own (`page`, `lines`, `frame`), running heads and feet are told by what returns on
//! other pages (`furniture`), the rest is put in reading order (`order`) and grouped into blocks (`blocks`). Over the
//! whole document the blocks become elements (`classify`, `headings`, `levels`, `labels`, `marks`, `assemble`), and what page and
//! column breaks have cut is joined again (`flow`, `continuation`).

mod assemble;
mod bidi;
mod blocks;
mod body;
mod captions;
mod charts;
mod classify;
mod compounds;
mod contents;
mod continuation;
mod depth;
mod flow;
mod footnotes;
mod formulas;
mod frame;
mod furniture;
mod headings;
mod labels;
pub(crate) mod language;
mod levels;
mod lines;
mod marks;
mod order;
mod page;
mod tagged;
mod text;

use rayon::prelude::*;

use crate::document::{BBox, Document, Page, Warning};
use crate::pdf::tags::Tag;
use crate::pdf::{DocumentInfo, PageContent, Word};
use crate::table::TaggedTables;

/// Share of unmapped glyphs above which a page's text is not to be trusted.
const UNRELIABLE: f32 = 0.3;

/// Share of a page that images cover at least if it is a scan.
const SCANNED: f32 = 0.5;

/// A page has text drawn as shapes from so many letters on, and from this part of its glyphs on: fewer are a logo or the
/// lettering of a figure.
const MIN_OUTLINED: usize = 50;
const MIN_OUTLINED_SHARE: f32 = 0.25;

/// Recognises the elements of a document. `pages` may be any part of it, in order; `tags` is its structure tree, empty
/// where it has none.
pub fn analyze(pages: &[PageContent], info: &DocumentInfo, tags: &[Tag]) -> Document {
    let mut drafts = drafts(pages, tags);
    furniture::set_apart(&mut drafts);
    let mut document = assemble::document(drafts, info, &tagged::Hints::of(tags, pages));
    document.pages = pages.iter().map(|p| Page { number: p.number, width: p.width, height: p.height }).collect();
    document.warnings = pages.iter().filter_map(warning).collect();
    document.link_sections();
    document
}

/// The pages, cut. One that continues the table of the page before with rows that alone look like none is cut with them.
fn drafts(pages: &[PageContent], tags: &[Tag]) -> Vec<page::PageDraft> {
    let tables = TaggedTables::of(tags);
    let mut drafts: Vec<page::PageDraft> = pages.par_iter().map(|p| page::cut(p, tables.on(p.number), None)).collect();
    let rests: Vec<(usize, page::PageDraft)> = (1..pages.len())
        .into_par_iter()
        .filter_map(|i| {
            let (before, here, page) = (drafts.get(i - 1)?, drafts.get(i)?, pages.get(i)?);
            let rest = page::rest(before, here, page)?;
            Some((i, page::cut(page, tables.on(page.number), Some(rest))))
        })
        .collect();
    for (i, draft) in rests {
        if let Some(place) = drafts.get_mut(i) {
            *place = draft;
        }
    }
    drafts
}

/// Whether most of a page's glyphs may be anything, so that its text cannot be used.
pub(crate) fn is_unreliable(page: &PageContent) -> bool {
    page.unmapped as f32 > UNRELIABLE * page.glyphs as f32
}

/// Glyphs of a page that are given as U+FFFD.
fn unknown(page: &PageContent) -> usize {
    let of = |word: &Word| word.text.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    // Most pages have none: their words need not be searched.
    if page.unmapped == 0 { 0 } else { page.words.iter().map(of).sum() }
}

/// What the reader should know about a page's text.
pub(crate) fn warning(page: &PageContent) -> Option<Warning> {
    let pictured: f32 = page.images.iter().map(BBox::area).sum();
    let unknown = unknown(page);
    let message = if is_unreliable(page) {
        format!("{} of {} glyphs have no known character; the text needs OCR", page.unmapped, page.glyphs)
    } else if page.words.is_empty() && pictured >= SCANNED * page.width * page.height {
        "page has no text layer (scanned image?); needs OCR".to_owned()
    } else if page.outlined >= MIN_OUTLINED && page.outlined as f32 >= MIN_OUTLINED_SHARE * page.glyphs as f32 {
        format!("about {} letters are drawn as shapes, beside {} glyphs; needs OCR", page.outlined, page.glyphs)
    } else if unknown > 0 {
        format!("{unknown} of {} glyphs have no known character and are given as \u{FFFD}", page.glyphs)
    } else {
        return None;
    };
    Some(Warning { page: Some(page.number), message })
}

#[cfg(test)]
mod tests;
