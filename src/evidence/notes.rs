//! Notes under a table, unit lines beside it, and the marks in cells that point to a note.

use std::collections::HashMap;

use super::scene::{Role, neighbours, spoken};
pub(crate) use crate::document::notes::{is_note, is_units};
use crate::document::{Document, ElementKind, Table};

/// Farthest blank space between a table and its first note, or between two notes, in points: about two lines.
const NOTE_GAP: f32 = 30.0;
/// How far a walk for notes goes altogether, in points: a column of notes, not a page of them.
const NOTE_REACH: f32 = 400.0;

/// The notes and unit lines of one table, as element indices in reading order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Notes {
    /// Unit lines.
    pub(crate) units: Vec<usize>,
    /// Everything else.
    pub(crate) notes: Vec<usize>,
}

/// The mark that a note begins with (`*`, `1)`, `(a)`, `†`, `주1)`), in the spelling of a cell.
pub(crate) fn mark(note: &str) -> Option<String> {
    let note = note.trim();
    let note = note.strip_prefix('주').map_or(note, str::trim_start).trim_start_matches([':', ' ']);
    let first = note.chars().next()?;
    if "*†‡§¶※".contains(first) {
        return Some(note.chars().take_while(|&c| c == first).collect());
    }
    if "¹²³⁴⁵⁶⁷⁸⁹".contains(first) {
        return Some(first.to_string());
    }
    let open = note.strip_prefix('(');
    let inner = open.unwrap_or(note);
    let id: String = inner.chars().take_while(char::is_ascii_alphanumeric).take(3).collect();
    let closed = inner.get(id.len()..).is_some_and(|rest| rest.starts_with(')'));
    let short = id.len() == 1 || (id.len() == 2 && id.bytes().all(|b| b.is_ascii_digit()));
    (closed && short).then(|| if open.is_some() { format!("({id})") } else { format!("{id})") })
}

/// Whether a cell carries the mark: at its end, or for symbols also at its start, and not as part of a longer mark.
pub(crate) fn carries(cell: &str, mark: &str) -> bool {
    let cell = cell.trim();
    let Some(symbol) = mark.chars().next() else { return false };
    if let Some(before) = cell.strip_suffix(mark) {
        let bracket = mark.starts_with('(');
        let longer =
            before.ends_with(symbol) || (!bracket && symbol.is_ascii_alphanumeric() && before.ends_with(['(', '-']));
        return !longer && (!before.is_empty() || cell == mark);
    }
    !symbol.is_ascii_alphanumeric()
        && symbol != '('
        && cell.strip_prefix(mark).is_some_and(|after| !after.starts_with(symbol))
}

/// Whether some cell of the table carries the mark.
fn marked(table: &Table, mark: &str) -> bool {
    table.cells.iter().any(|c| carries(&c.text, mark))
}

/// Finds the notes of all tables. `owned_captions[t]` are the caption elements of table `tables[t]`.
pub(crate) fn attach(document: &Document, roles: &[Role], tables: &[usize], captions: &[Vec<usize>]) -> Vec<Notes> {
    let mut found = vec![Notes::default(); tables.len()];
    let mut taken = vec![false; document.elements.len()];
    let mut take = |index: usize| taken.get_mut(index).is_some_and(|t| !std::mem::replace(t, true));
    let jobs = || tables.iter().zip(captions).enumerate();
    for ((slot, (&at, _)), notes) in jobs().zip(&mut found) {
        debug_assert!(slot < tables.len());
        let linked = document.elements.get(at).and_then(|e| e.table()).map_or(&[][..], |t| &t.footnotes);
        for &index in linked {
            let Some(element) = document.elements.get(index) else { continue };
            let text =
                matches!(element.kind, ElementKind::Table { .. } | ElementKind::Picture | ElementKind::Heading { .. });
            if !text && !element.kind.is_furniture() && !element.text.trim().is_empty() {
                take(index);
                let list =
                    if matches!(roles.get(index), Some(Role::Units)) { &mut notes.units } else { &mut notes.notes };
                if !list.contains(&index) {
                    list.push(index);
                }
            }
        }
    }
    // Unit lines stand above their table; only what no table below claims can belong to the one above.
    for ((_, (&at, own)), notes) in jobs().zip(&mut found) {
        for step in neighbours(document, at, true, NOTE_REACH) {
            match roles.get(step.index) {
                Some(Role::Units) if step.same_column => {
                    if take(step.index) {
                        notes.units.push(step.index);
                    }
                }
                Some(Role::Caption(_)) if own.contains(&step.index) => {}
                _ => break,
            }
        }
    }
    let footnotes = footnotes_by_page(document, roles);
    for ((_, (&at, own)), notes) in jobs().zip(&mut found) {
        let Some(element) = document.elements.get(at) else { continue };
        let Some(table) = element.table() else { continue };
        let mut end = 0.0;
        for step in neighbours(document, at, false, NOTE_REACH) {
            let Some(text) = document.elements.get(step.index).map(spoken) else { break };
            let mark = mark(&text);
            let follows = step.distance - end <= NOTE_GAP;
            match roles.get(step.index) {
                Some(Role::Caption(_)) if own.contains(&step.index) => {}
                Some(Role::Units) if follows => {
                    if take(step.index) {
                        notes.units.push(step.index);
                    }
                }
                Some(Role::Note) if follows => {
                    if take(step.index) {
                        notes.notes.push(step.index);
                    }
                }
                // `2) …` goes on a list of notes, or explains a mark in a cell.
                Some(Role::Body) if follows && mark.is_some_and(|m| !notes.notes.is_empty() || marked(table, &m)) => {
                    if take(step.index) {
                        notes.notes.push(step.index);
                    }
                }
                _ => break,
            }
            end = step.end;
        }
        // Footnotes at the foot of the table's pages, where a cell points to them.
        for index in element.regions.iter().filter_map(|r| footnotes.get(&r.page)).flatten() {
            let text = document.elements.get(*index).map(spoken).unwrap_or_default();
            if !notes.notes.contains(index) && mark(&text).is_some_and(|m| marked(table, &m)) {
                notes.notes.push(*index);
            }
        }
    }
    for notes in &mut found {
        notes.units.sort_unstable();
        notes.notes.sort_unstable();
        notes.notes.dedup();
    }
    found
}

fn footnotes_by_page(document: &Document, roles: &[Role]) -> HashMap<u32, Vec<usize>> {
    let mut pages: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, (element, role)) in document.elements.iter().zip(roles).enumerate() {
        let (Role::Note, Some(page)) = (role, element.page()) else { continue };
        if matches!(element.kind, ElementKind::Footnote | ElementKind::Note) {
            pages.entry(page).or_default().push(index);
        }
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        assert_eq!(mark("1) 잠정치").as_deref(), Some("1)"));
        assert_eq!(mark("주1) 잠정치").as_deref(), Some("1)"));
        assert_eq!(mark("주: 1) 잠정치").as_deref(), Some("1)"));
        assert_eq!(mark("** p").as_deref(), Some("**"));
        assert_eq!(mark("(a) x").as_deref(), Some("(a)"));
        assert_eq!(mark("Source: x"), None);
        assert!(carries("0.5**", "**") && !carries("0.5**", "*") && !carries("0.5***", "**"));
        assert!(carries("1,234 1)", "1)") && !carries("11)", "1)") && !carries("(1)", "1)"));
        assert!(carries("매출1)", "1)") && carries("*JOBCTL", "*"));
    }
}
