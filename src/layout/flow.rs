//! Text that a column, a page or a float has cut in two is joined again.

use super::assemble::{Content, Entry};
use super::blocks::{Block, ends_sentence};
use super::body::Body;
use super::classify::Role;
use crate::document::script::{is_han_or_kana, is_hangul};

/// Groups entries that are one element; the order is that of the first parts.
pub(crate) fn join(entries: Vec<Entry>, body: &Body) -> Vec<Vec<Entry>> {
    let mut out: Vec<Vec<Entry>> = Vec::with_capacity(entries.len());
    // Where the running text stopped last: an index into `out`.
    let mut open: Option<usize> = None;
    for entry in entries {
        let Content::Text(role, block) = &entry.content else {
            // What follows a formula speaks of it.
            if matches!(entry.content, Content::Formula(..)) {
                open = None;
            }
            out.push(vec![entry]);
            continue;
        };
        match role {
            // Notes and captions do not end the text around them.
            Role::Footnote | Role::Note | Role::Caption => out.push(vec![entry]),
            // Entries of one table of contents, over columns and pages.
            Role::Contents => {
                let parts = out.iter_mut().rev().find(|parts| !is_furniture(parts));
                match parts.filter(|parts| is_contents(parts)) {
                    Some(parts) => parts.push(entry),
                    None => out.push(vec![entry]),
                }
            }
            Role::Heading | Role::Code => {
                open = None;
                out.push(vec![entry]);
            }
            Role::Paragraph | Role::Item => {
                let target = open.filter(|_| *role == Role::Paragraph).and_then(|at| out.get_mut(at).map(|o| (at, o)));
                match target {
                    Some((_, parts)) if goes_on(parts, &entry, block, body) => parts.push(entry),
                    _ => {
                        open = Some(out.len());
                        out.push(vec![entry]);
                    }
                }
            }
        }
    }
    out
}

fn is_furniture(parts: &[Entry]) -> bool {
    matches!(parts, [Entry { content: Content::Furniture(..), .. }, ..])
}

fn is_contents(parts: &[Entry]) -> bool {
    matches!(parts, [Entry { content: Content::Text(Role::Contents, _), .. }, ..])
}

/// Whether `next` is the continuation of the element whose parts are `parts`.
fn goes_on(parts: &[Entry], next: &Entry, block: &Block, body: &Body) -> bool {
    let Some(Entry { page, content: Content::Text(_, last) }) = parts.last() else { return false };
    let apart = *page != next.page || last.column != block.column || block.bbox.y0 > last.bbox.y1 + 3.0 * last.size();
    let near = next.page.saturating_sub(*page) <= 1;
    let (Some(end), Some(start)) = (last.lines.last(), block.lines.first()) else { return false };
    let (end_text, start_text) = (end.text(), start.text());
    let (Some(last_char), Some(first_char)) = (end_text.chars().next_back(), start_text.chars().next()) else {
        return false;
    };
    let same_style =
        (last.size() - block.size()).abs() < 0.06 * last.size().max(block.size()) && last.bold() == block.bold();
    // Labels, addresses and the like are no running text: one of the parts must look like it.
    let running = |b: &Block| b.lines.len() > 1 || b.chars() > 60;
    if !apart || !near || !same_style || ends_sentence(&end_text) || !(running(last) || running(block)) {
        return false;
    }
    if block.size() < 0.85 * body.size {
        return false;
    }
    let full = last.right - end.bbox.x1 < 2.5 * last.size();
    if matches!(last_char, '-' | '\u{ad}' | '\u{2010}' | ',') {
        return true;
    }
    if first_char.is_lowercase() {
        return true;
    }
    let cjk = |c: char| is_hangul(c) || is_han_or_kana(c);
    let plain = first_char.is_alphanumeric() || matches!(first_char, '(' | '"' | '“' | '‘' | '「');
    let indented = block.lines.get(1).is_some_and(|second| start.bbox.x0 > second.bbox.x0 + 0.7 * start.size);
    full && plain && !indented && (cjk(first_char) || last.lines.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::super::lines::{Line, tests::set};
    use super::*;

    const BODY: Body = Body { size: 10.0, bold: false, caps: false };
    const FULL: &str = "a long line of running text that fills the whole of the column in which it stands";

    fn text(page: usize, column: usize, role: Role, text: &str) -> Entry {
        let block = Block::new(Line::new(set(text, 50.0, 100.0, 10.0)).unwrap(), column, 400.0);
        Entry { page, content: Content::Text(role, block) }
    }

    fn groups(entries: Vec<Entry>) -> Vec<usize> {
        join(entries, &BODY).iter().map(Vec::len).collect()
    }

    #[test]
    fn a_sentence_goes_on_in_the_next_column_past_a_note() {
        let found = groups(vec![
            text(0, 0, Role::Paragraph, FULL),
            text(0, 0, Role::Footnote, "1 a note"),
            text(0, 1, Role::Paragraph, "and it ends here."),
            text(0, 1, Role::Paragraph, "Another one."),
        ]);
        assert_eq!(found, [2, 1, 1]);
    }

    #[test]
    fn a_heading_or_a_full_stop_ends_it() {
        let stop = format!("{FULL}.");
        let found = groups(vec![
            text(0, 0, Role::Paragraph, &stop),
            text(1, 0, Role::Paragraph, "lower case"),
            text(1, 0, Role::Paragraph, FULL),
            text(1, 0, Role::Heading, "Heading"),
            text(2, 0, Role::Paragraph, "lower case again"),
        ]);
        assert_eq!(found, [1, 1, 1, 1, 1]);
    }
}
