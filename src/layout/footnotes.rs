//! Footnotes: small text with a mark at the bottom of a page, or text there that begins with a number raised in the page.

use std::collections::HashSet;

use super::blocks::Block;
use super::body::Body;
use super::classify::{Neighbour, Role, SMALL};
use super::lines::Line;
use super::marks::{self, MarkKind};

/// Footnotes stand below this share of the page's height.
const LOWER: f32 = 0.45;
/// White space above footnotes as large as the text, in font sizes.
const APART: f32 = 1.5;
/// A raised number is smaller than its line by this factor, and stands this many font sizes above its baseline.
const RAISED_SIZE: f32 = 0.85;
const RAISED: f32 = 0.15;

/// `*`, `†`, `‡`, `§`, `※` and the like, which mark notes.
pub(super) fn starts_with_sign(text: &str) -> bool {
    text.starts_with(['*', '†', '‡', '§', '¶', '※', '＊'])
}

/// The numbers that are raised in the text of a page: its notes have them.
pub(super) fn references<'a>(page: &[Neighbour<'a>]) -> HashSet<&'a str> {
    let lines = page.iter().flat_map(|n| if let Neighbour::Block(block) = n { block.lines.as_slice() } else { &[] });
    let raised = |line: &'a Line| {
        line.words.iter().map(move |w| (line, w)).filter(|(line, w)| {
            w.size < RAISED_SIZE * line.size && w.baseline < line.baseline - RAISED * line.size && is_number(&w.text)
        })
    };
    lines.flat_map(raised).map(|(_, word)| word.text.as_str()).collect()
}

fn is_number(text: &str) -> bool {
    (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// Small text with a mark near the bottom of the page, with nothing but small text below it in its column; so is text set
/// apart there that begins with a number that the page raises, whatever its size.
pub(super) fn is_footnote(
    before: Option<&Neighbour<'_>>,
    rest: &[Neighbour<'_>],
    text: &str,
    height: f32,
    body: &Body,
    role_before: Option<Role>,
    references: &HashSet<&str>,
) -> bool {
    let Some((Neighbour::Block(block), below)) = rest.split_first() else { return false };
    let follows = role_before == Some(Role::Footnote);
    // The numbers of an axis may be small, too; that of a note may stand apart from its text.
    let says = |b: &Block| b.first_text().contains(char::is_alphabetic);
    let before_text = || match below.first() {
        Some(Neighbour::Block(b)) => is_number(text) && says(b) && b.bbox.overlap_y(&block.bbox) > 0.0,
        _ => false,
    };
    if block.bbox.y0 <= LOWER * height || !follows && !says(block) && !before_text() {
        return false;
    }
    let small = |b: &Block| b.size() < SMALL * body.size;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marked = starts_with_sign(text)
        || (1..4).contains(&digits)
        || matches!(marks::mark(text).map(|m| m.kind), Some(MarkKind::Number | MarkKind::Letter));
    let apart = follows
        || match before {
            Some(Neighbour::Block(b)) => b.column != block.column || block.bbox.y0 - b.bbox.y1 > APART * block.size(),
            _ => true,
        };
    let named = |b: &Block| {
        let text = b.first_text();
        text.split(|c: char| !c.is_ascii_digit()).next().is_some_and(|number| references.contains(number))
    };
    let alike = |b: &Block| b.size() <= body.size && named(b);
    (small(block) && (marked || follows) || apart && alike(block))
        && below.iter().all(|n| match n {
            Neighbour::Block(b) => b.column != block.column || small(b) || alike(b),
            Neighbour::Float | Neighbour::Formula => false,
        })
}
