//! Heads and feet of a page that nothing marks and no other page repeats: the outermost rows, set apart from the text.

use crate::document::BBox;

use super::super::blocks::ends_sentence;
use super::super::headings::is_caps;
use super::super::lines::{Line, dominant};
use super::super::marks::{self, MarkKind};
use super::super::page::PageDraft;
use super::numbers::{ends_in_number, is_numbered, is_page_number};
use super::{can_return, edge_rows, is_listed};

/// A page with fewer lines shows no text that a head could stand apart from, unless its number stands in the same row.
const FEWEST_LINES: usize = 8;
/// Share of the page's height, from its edge, in which a row without a page number may be a head or a foot.
const HEAD_ZONE: f32 = 0.1;
const FOOT_ZONE: f32 = 0.075;
/// White space between the text and a row with a page number, and one without, in font sizes of the text.
const APART: f32 = 1.0;
const FAR_APART: f32 = 2.0;
/// A head is no larger than this many sizes of the text; what is larger is a heading.
const LARGEST: f32 = 1.08;
/// What is smaller than this many sizes of the text is in a style of its own.
const SMALL: f32 = 0.95;
/// What names the publication of an article, in lower case.
const PUBLISHED: [&str; 4] = ["doi:", "doi.org/", "issn", "isbn"];
/// Longest head, in characters and rows.
const LONGEST: usize = 110;
const MOST_ROWS: usize = 2;

/// Lines (as indices) at the top or bottom of the page that are its head or foot; `taken` are known already.
pub(super) fn apart(page: &PageDraft, top: bool, taken: &[usize]) -> Vec<usize> {
    let body = dominant(page.lines.iter().map(|l| (l.size, l.chars()))).max(1.0);
    let mut head: Vec<usize> = Vec::new();
    for row in edge_rows(page, top).into_iter().take(MOST_ROWS) {
        head.extend(row);
        if let Some(found) = judge(page, &head, top, body) {
            let new = head.into_iter().filter(|at| !taken.contains(at)).collect();
            return if found { new } else { Vec::new() };
        }
    }
    Vec::new()
}

/// Whether the outermost lines are a head; `None` where they are not set apart from the next row.
fn judge(page: &PageDraft, head: &[usize], top: bool, body: f32) -> Option<bool> {
    let lines: Vec<&Line> = head.iter().filter_map(|&at| page.lines.get(at)).collect();
    let bbox = BBox::union_all(lines.iter().map(|l| &l.bbox))?;
    let others = page.lines.iter().enumerate().filter(|(at, _)| !head.contains(at)).map(|(_, l)| l.bbox);
    let inward = others.chain(page.floats.iter().map(|(b, _)| *b));
    let (edge, gap) = if top {
        (bbox.y1, inward.map(|b| b.y0).fold(f32::INFINITY, f32::min) - bbox.y1)
    } else {
        (page.upright_height - bbox.y0, bbox.y0 - inward.map(|b| b.y1).fold(f32::NEG_INFINITY, f32::max))
    };
    if gap < APART * body {
        return None;
    }
    let whole = lines.iter().map(|l| l.text()).collect::<Vec<_>>().join(" ");
    let plain = lines.iter().all(|l| l.size <= LARGEST * body)
        && whole.chars().count() <= LONGEST
        && can_return(&whole)
        && !ends_sentence(&whole)
        && !lines.iter().any(|l| ends_in_number(&l.text()) && is_listed(page, l));
    let beside = |l: &Line| lines.iter().any(|o| o.bbox != l.bbox && o.bbox.overlap_x(&l.bbox) > -3.0 * l.size);
    let counted = lines.iter().any(|l| is_page_number(&l.text()) && !beside(l));
    let one_row = lines.iter().all(|l| l.bbox.overlap_y(&bbox) > 0.5 * bbox.height());
    if page.lines.len() < FEWEST_LINES {
        let names = whole.contains(char::is_alphabetic);
        return Some(plain && one_row && counted && names && !lines.iter().any(|l| is_year(&l.text())));
    }
    // A number before a text at the foot of a page may be that of a note.
    let noted = !top && whole.starts_with(|c: char| c.is_ascii_digit()) && !whole.contains('|') && !is_caps(&whole);
    let numbered = one_row && (counted || is_numbered(&whole) && !noted);
    let in_zone = edge < if top { HEAD_ZONE } else { FOOT_ZONE } * page.upright_height;
    let cited = top && in_zone && cites(&whole) && lines.iter().all(|l| l.italic || l.size < SMALL * body);
    // An item of a list or a heading may begin or end a page, too.
    let opens =
        lines.iter().any(|l| l.bold) || marks::mark(&whole).is_some_and(|m| !matches!(m.kind, MarkKind::Part(_)));
    Some(plain && (numbered || cited || in_zone && gap >= FAR_APART * body && !opens))
}

/// Whether a text says under which name or number the work is published, as heads of articles do.
fn cites(text: &str) -> bool {
    let lower = text.to_lowercase();
    let opens = text.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase());
    opens && PUBLISHED.iter().any(|name| lower.contains(name))
}

/// Whether a text is a year, which stands beside titles of reports as page numbers do beside heads.
fn is_year(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|n| (1900..2100).contains(&n))
}
