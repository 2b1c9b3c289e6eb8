//! What each block is: heading, list item, caption, note, code or paragraph.

use super::blocks::{Block, ends_sentence};
use super::body::Body;
use super::contents;
use super::footnotes;
use super::headings::{self, Setting};
use super::labels;
use super::levels;
use super::lines::Line;
use super::marks::{self, MarkKind};
use super::tagged::Hint;

/// Notes are smaller than the body by at least this factor.
pub(super) const SMALL: f32 = 0.95;
/// Longest note after a table, in lines.
const MOST_NOTE_LINES: usize = 8;

/// Items below the name of a table of contents that make one without page numbers, and the longest of them in characters.
const FEWEST_NAMED: usize = 3;
const LONGEST_ENTRY: usize = 90;
/// What is larger than the entries by this factor stands above them.
const LARGE_ENTRY: f32 = 1.25;
/// A block of more characters is no entry of a table of contents.
const RUNNING_TEXT: usize = 200;

/// What a block is. Levels of headings and depths of lists come later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Heading,
    Item,
    Caption,
    /// A footnote of the page.
    Footnote,
    /// A note, source or unit of a table or figure.
    Note,
    /// Entries of a table of contents.
    Contents,
    Code,
    Paragraph,
}

/// One thing on a page in reading order, as its neighbours see it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Neighbour<'a> {
    Block(&'a Block),
    /// A table or picture.
    Float,
    /// A displayed formula.
    Formula,
}

/// Roles of the blocks of a page, floats as `None`. `in_picture` says whether a block stands inside a picture, `hint`
/// what it is tagged as.
pub(crate) fn roles(
    page: &[Neighbour<'_>],
    height: f32,
    body: &Body,
    in_picture: &dyn Fn(&Block) -> bool,
    hint: &dyn Fn(&Block) -> Option<Hint>,
) -> Vec<Option<Role>> {
    let mut roles: Vec<Option<Role>> = Vec::with_capacity(page.len());
    let contents = in_contents(page);
    let references = footnotes::references(page);
    for (i, neighbour) in page.iter().enumerate() {
        let Neighbour::Block(block) = neighbour else {
            roles.push(None);
            continue;
        };
        let before = i.checked_sub(1).and_then(|b| page.get(b));
        let before_role = roles.last().copied().flatten();
        let below_float = matches!(before, Some(Neighbour::Float))
            || matches!(before_role, Some(Role::Footnote | Role::Note | Role::Caption));
        let rest = page.get(i..).unwrap_or_default();
        let alone = match (rest.get(1), before) {
            (Some(Neighbour::Block(next)), _) => {
                next.bbox.y0 > block.bbox.y1 - 0.5 * block.size() || next.column != block.column
            }
            _ => true,
        };
        let first = (i == 0).then_some(block.bbox.y0 / height.max(1.0));
        let setting = Setting { alone, first, last: rest.len() == 1 && page.len() > 1 };
        let text = block.first_text();
        let full = if block.lines.len() == 1 { text.clone() } else { joined(block) };
        let place = contents.get(i).copied().unwrap_or_default();
        let hint = hint(block);
        let role = if let Some(role) = hint.and_then(|h| tagged(h, block, &full)) {
            role
        } else if place == Place::Entry {
            Role::Contents
        } else if block.mono() && block.lines.len() > 1 {
            Role::Code
        } else if labels::is_unit(&full) || is_note(block, &text, below_float, body) {
            Role::Note
        } else if labels::is_caption(&text) && (block.lines.len() <= MOST_NOTE_LINES || below_float) {
            Role::Caption
        } else if footnotes::is_footnote(before, rest, &text, height, body, before_role, &references) {
            Role::Footnote
        } else if hint != Some(Hint::Text)
            && !in_picture(block)
            && place != Place::Among
            && headings::is_heading(block, &full, body, setting)
        {
            Role::Heading
        } else if marks::mark(&text).is_some_and(|m| !matches!(m.kind, MarkKind::Decimal(_) | MarkKind::Part(_))) {
            Role::Item
        } else {
            Role::Paragraph
        };
        roles.push(Some(role));
    }
    roles
}

/// The role that a tag gives, as long as the block looks like it.
fn tagged(hint: Hint, block: &Block, text: &str) -> Option<Role> {
    match hint {
        Hint::Heading(_) if headings::may_be_heading(block, text) && !labels::is_caption(text) => Some(Role::Heading),
        Hint::Caption => Some(Role::Caption),
        Hint::Footnote => Some(Role::Footnote),
        Hint::Contents => Some(Role::Contents),
        Hint::Code => Some(Role::Code),
        Hint::Heading(_) | Hint::Text => None,
    }
}

/// Where a block stands among the tables of contents of its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    /// It may be an entry; a heading it is not.
    Among,
    Entry,
}

/// Tells the entries of tables of contents. A page that has several lines with a page number set apart has one, from the
/// first of them to the last; so has a page that names it, as long as short lines follow. The first block that repeats an
/// entry, or that runs on, ends it.
fn in_contents(page: &[Neighbour<'_>]) -> Vec<Place> {
    let blocks = || page.iter().map(|n| if let Neighbour::Block(block) = n { Some(*block) } else { None });
    let numbered = blocks().flatten().flat_map(|b| &b.lines).filter(|l| contents::ends_as_entry(l)).count();
    let many = numbered >= contents::FEWEST_ENTRIES;
    let last = if many { blocks().rposition(|b| b.is_some_and(is_entry)) } else { None };
    let listed = listed(page);
    // A page of little but entries goes on with a table that a page before has named.
    let lines = blocks().flatten().map(|b| b.lines.len()).sum::<usize>();
    let mut open = many && 2 * numbered > lines && !blocks().flatten().any(|b| contents::is_name(&joined(b)));
    let size = blocks().flatten().find(|b| is_entry(b)).map_or(0.0, Block::size);
    let mut places: Vec<Place> = Vec::with_capacity(page.len());
    for (at, block) in blocks().enumerate() {
        let Some(block) = block else {
            places.push(Place::Outside);
            continue;
        };
        let text = joined(block);
        if !is_entry(block) && (block.chars() > RUNNING_TEXT || listed.contains(&levels::squash(&text))) {
            open = false;
        }
        open |= many && is_entry(block);
        places.push(match open {
            true if last.is_some_and(|last| at <= last) && block.size() < LARGE_ENTRY * size => Place::Entry,
            true => Place::Among,
            false => Place::Outside,
        });
        open |= contents::is_name(&text);
    }
    // Without page numbers: a name, and several items right below it.
    let named = |at: usize| blocks().nth(at).flatten().is_some_and(|b| contents::is_name(&joined(b)));
    if !many && let Some(name) = (0..page.len()).find(|&at| named(at)) {
        let is_item = |b: &Block| {
            marks::mark(&b.first_text()).is_some() && b.chars() <= LONGEST_ENTRY && !ends_sentence(&joined(b))
        };
        // A number alone is a stray mark or the page of an entry.
        let says = |b: &Block| b.lines.iter().flat_map(|l| &l.words).any(|w| w.text.contains(char::is_alphabetic));
        let listed: Vec<&Block> = blocks().skip(name + 1).map_while(|b| b.filter(|b| is_item(b) || !says(b))).collect();
        let items = listed.iter().rposition(|b| is_item(b)).map_or(0, |last| last + 1);
        if listed.iter().filter(|b| is_item(b)).count() >= FEWEST_NAMED {
            places.iter_mut().skip(name + 1).take(items).for_each(|place| *place = Place::Entry);
        }
    }
    places
}

/// What the entries of tables of contents on a page name, squashed.
fn listed(page: &[Neighbour<'_>]) -> Vec<String> {
    let blocks = page.iter().filter_map(|n| match n {
        Neighbour::Block(block) if is_entry(block) => Some(*block),
        _ => None,
    });
    let name =
        |line: &Line| line.words.split_last().map(|(_, name)| name.iter().map(|w| w.text.as_str()).collect::<String>());
    let entries = blocks.flat_map(|b| &b.lines).filter(|l| contents::ends_as_entry(l));
    entries.filter_map(name).map(|n| levels::squash(&n)).collect()
}

/// Whether a block is an entry of a table of contents: it ends with a page number that is set apart.
fn is_entry(block: &Block) -> bool {
    block.lines.last().is_some_and(contents::ends_as_entry)
}

fn joined(block: &Block) -> String {
    block.lines.iter().map(Line::text).collect::<Vec<_>>().join(" ")
}

/// A labelled note, or a line with a mark right below a table.
fn is_note(block: &Block, text: &str, below_float: bool, body: &Body) -> bool {
    if block.lines.len() > MOST_NOTE_LINES {
        return false;
    }
    let small = block.size() < SMALL * body.size;
    let korean = text.trim_start_matches(['※', '*', ' ', '(']).starts_with(['주', '자', '출']);
    (labels::is_note(text) && (below_float || small || korean))
        || (below_float && block.size() <= body.size && footnotes::starts_with_sign(text))
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::set;
    use super::*;

    const BODY: Body = Body { size: 10.0, bold: false, caps: false };

    fn block(text: &str, y: f32, size: f32) -> Block {
        Block::new(Line::new(set(text, 50.0, y, size)).unwrap(), 0, 500.0)
    }

    fn roles_of(blocks: &[Option<Block>]) -> Vec<Option<Role>> {
        let page: Vec<Neighbour<'_>> =
            blocks.iter().map(|b| b.as_ref().map_or(Neighbour::Float, Neighbour::Block)).collect();
        roles(&page, 800.0, &BODY, &|_| false, &|_| None)
    }

    #[test]
    fn a_table_has_its_caption_units_and_notes() {
        let found = roles_of(&[
            Some(block("Table 1. Values", 80.0, 10.0)),
            Some(block("(단위: 억 원)", 95.0, 9.0)),
            None,
            Some(block("* p < 0.05", 300.0, 8.0)),
            Some(block("자료: 통계청", 312.0, 9.0)),
            Some(block("The text after the table goes on here", 340.0, 10.0)),
        ]);
        use Role::{Caption, Note, Paragraph};
        let expected = [Some(Caption), Some(Note), None, Some(Note), Some(Note), Some(Paragraph)];
        assert_eq!(found, expected);
    }

    #[test]
    fn footnotes_stand_at_the_bottom() {
        let found = roles_of(&[
            Some(block("1 The idea of something small at the top", 80.0, 8.0)),
            Some(block("Body text in the size of the body here", 200.0, 10.0)),
            Some(block("22 See the discussion elsewhere", 700.0, 8.0)),
        ]);
        assert_eq!(found, [Some(Role::Paragraph), Some(Role::Paragraph), Some(Role::Footnote)]);
    }

    #[test]
    fn notes_as_large_as_the_text_are_told_by_their_references() {
        let roles_with = |reference: &str, gap: f32| {
            let mut words = set("Body text with a reference", 50.0, 600.0, 10.0);
            words.extend(set(reference, 190.0, 596.0, 6.0));
            words.extend(set("inside", 200.0, 600.0, 10.0));
            let text = Block::new(Line::new(words).unwrap(), 0, 500.0);
            roles_of(&[Some(text), Some(block("1. See the discussion elsewhere.", 610.0 + gap, 10.0))])
        };
        use Role::{Footnote, Item, Paragraph};
        assert_eq!(roles_with("1", 30.0), [Some(Paragraph), Some(Footnote)]);
        assert_eq!(roles_with("2", 30.0), [Some(Paragraph), Some(Item)]);
        assert_eq!(roles_with("1", 10.0), [Some(Paragraph), Some(Item)]);
    }

    #[test]
    fn numbers_of_an_axis_are_no_footnote() {
        let found = roles_of(&[
            Some(block("Body text in the size of the body here", 200.0, 10.0)),
            Some(block("0 5 10 15", 700.0, 8.0)),
        ]);
        assert_eq!(found, [Some(Role::Paragraph), Some(Role::Paragraph)]);
        let number = Block::new(Line::new(set("36", 50.0, 700.0, 8.0)).unwrap(), 0, 500.0);
        let note = Block::new(Line::new(set("See the report", 60.0, 702.0, 8.0)).unwrap(), 0, 500.0);
        let found =
            roles_of(&[Some(block("Body text in the size of the body here", 200.0, 10.0)), Some(number), Some(note)]);
        assert_eq!(found, [Some(Role::Paragraph), Some(Role::Footnote), Some(Role::Footnote)]);
    }

    #[test]
    fn a_stray_number_does_not_end_the_contents() {
        let found = roles_of(&[
            Some(block("Contents", 60.0, 14.0)),
            Some(block("1. Overview", 80.0, 10.0)),
            Some(block("2. Product features", 100.0, 10.0)),
            Some(block("6", 110.0, 6.0)),
            Some(block("3. Policy", 120.0, 10.0)),
            Some(block("The port handled more than ever", 160.0, 10.0)),
        ]);
        use Role::{Contents, Heading, Paragraph};
        let entries = [Some(Contents); 4];
        assert_eq!(found, [&[Some(Heading)], &entries[..], &[Some(Paragraph)]].concat());
    }

    #[test]
    fn a_repeated_entry_ends_the_contents() {
        let dots = "...................";
        let entry = |text: &str, y| Some(block(&format!("{text} {dots} 3"), y, 10.0));
        let found = roles_of(&[
            Some(block("Contents", 60.0, 14.0)),
            entry("1 The year in brief", 80.0),
            entry("Table 2 Traffic", 100.0),
            entry("3 Ships", 110.0),
            entry("4 Staff", 120.0),
            Some(block("1 The year in brief", 140.0, 14.0)),
            Some(block("The port handled more than ever", 160.0, 10.0)),
        ]);
        use Role::{Contents, Heading, Paragraph};
        let entries = [Some(Contents); 4];
        assert_eq!(found, [&[Some(Heading)], &entries[..], &[Some(Heading), Some(Paragraph)]].concat());
    }

    #[test]
    fn items_and_mentions() {
        let found = roles_of(&[
            Some(block("• one of them", 80.0, 10.0)),
            Some(block("가. 목적 및 범위를 정한다", 100.0, 10.0)),
            Some(block("Table 2 shows that it is so", 120.0, 10.0)),
        ]);
        assert_eq!(found, [Some(Role::Item), Some(Role::Item), Some(Role::Paragraph)]);
    }
}
