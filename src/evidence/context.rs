//! Which paragraphs explain which table.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use super::caption::Caption;
use super::notes::Notes;
use super::scene::{Role, neighbours, spoken};
use crate::chunk::cut::longest;
use crate::chunk::tokens::{Cl100k, TokenCounter};
use crate::document::Document;
use crate::document::label::{self, Label};

/// No token is longer on average than what this many bytes make up: spares counting what cannot fit.
const BYTES_PER_TOKEN: usize = 16;

/// A paragraph attached to a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Context {
    /// Index of the element.
    pub(crate) index: usize,
    /// Its text.
    pub(crate) text: String,
    /// Whether it stands around the table and belongs to it alone; otherwise it names the table from elsewhere, and
    /// stays part of the running text there.
    pub(crate) near: bool,
}

/// How much text may explain a table, in cl100k tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Room {
    /// All paragraphs of a table together.
    pub(crate) tokens: usize,
    /// The same where paragraphs name the table.
    pub(crate) named: usize,
}

/// Why a paragraph is attached, in the order in which budgets are filled.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Claim {
    table: usize,
    near: bool,
    named: bool,
    same_column: bool,
    distance: f32,
    /// Whether the paragraph comes before the table.
    before: bool,
}

impl Claim {
    /// What names the table first, then what stands around it, then its own column, then the nearest.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let rank = |c: &Self| (!c.named, !c.near, !c.same_column);
        rank(self).cmp(&rank(other)).then(self.distance.total_cmp(&other.distance)).then(other.before.cmp(&self.before))
    }
}

/// The paragraphs of every table, most important first, within `room`. What does not fit is passed over for what does;
/// of a paragraph that names the table, the sentences from there on are attached.
pub(crate) fn attach(
    document: &Document,
    roles: &[Role],
    tables: &[usize],
    captions: &[Caption],
    notes: &[Notes],
    threshold: f32,
    room: Room,
) -> Vec<Vec<Context>> {
    let used: Vec<usize> = captions
        .iter()
        .flat_map(|c| &c.elements)
        .chain(notes.iter().flat_map(|n| n.units.iter().chain(&n.notes)))
        .copied()
        .collect();
    let mut free: Vec<bool> = roles.iter().map(|r| *r == Role::Body).collect();
    for index in used {
        if let Some(free) = free.get_mut(index) {
            *free = false;
        }
    }
    let is_free = |index: usize| free.get(index) == Some(&true);
    let mut claims: HashMap<usize, Vec<Claim>> = HashMap::new();
    for (table, (&at, caption)) in tables.iter().zip(captions).enumerate() {
        for up in [true, false] {
            for step in neighbours(document, at, up, threshold) {
                let own = caption.elements.contains(&step.index);
                if !own && roles.get(step.index).is_some_and(Role::is_boundary) {
                    break;
                }
                if is_free(step.index) {
                    let (same_column, distance) = (step.same_column, step.distance);
                    let claim = Claim { table, near: true, named: false, same_column, distance, before: up };
                    claims.entry(step.index).or_default().push(claim);
                }
            }
        }
    }
    let by_label = by_label(captions);
    let mut attached: Vec<Vec<(usize, Claim)>> = vec![Vec::new(); tables.len()];
    for (index, element) in document.elements.iter().enumerate().filter(|(i, _)| is_free(*i)) {
        let near = claims.remove(&index).unwrap_or_default();
        let mut named: Vec<usize> = Vec::new();
        for label in if by_label.is_empty() { Vec::new() } else { label::mentions(&element.text) } {
            let same_label = by_label.get(&label).into_iter().flatten();
            let nearest = same_label.min_by_key(|&&t| tables.get(t).map_or(usize::MAX, |at| at.abs_diff(index)));
            named.extend(nearest.filter(|t| !named.contains(t)));
        }
        if named.is_empty() {
            if let Some(best) = near.into_iter().min_by(Claim::cmp) {
                push(&mut attached, index, best);
            }
            continue;
        }
        for table in named {
            let at = tables.get(table).copied().unwrap_or(index);
            let far = Claim {
                table,
                near: false,
                named: true,
                same_column: true,
                distance: at.abs_diff(index) as f32,
                before: index < at,
            };
            let claim = near.iter().find(|c| c.table == table).map_or(far, |c| Claim { named: true, ..*c });
            push(&mut attached, index, claim);
        }
    }
    let labels = captions.iter().map(|c| c.label.as_ref());
    attached.into_iter().zip(labels).map(|(claims, label)| select(document, claims, label, room)).collect()
}

fn push(attached: &mut [Vec<(usize, Claim)>], index: usize, claim: Claim) {
    if let Some(list) = attached.get_mut(claim.table) {
        list.push((index, claim));
    }
}

fn by_label(captions: &[Caption]) -> HashMap<&Label, Vec<usize>> {
    let mut map: HashMap<&Label, Vec<usize>> = HashMap::new();
    for (table, caption) in captions.iter().enumerate() {
        if let Some(label) = &caption.label {
            map.entry(label).or_default().push(table);
        }
    }
    map
}

fn select(document: &Document, mut claims: Vec<(usize, Claim)>, label: Option<&Label>, room: Room) -> Vec<Context> {
    claims.sort_by(|(i, a), (j, b)| a.cmp(b).then(i.cmp(j)));
    let mut used = 0_usize;
    let mut selected = Vec::new();
    for (index, claim) in claims {
        let left = if claim.named { room.named.max(room.tokens) } else { room.tokens }.saturating_sub(used);
        let Some(element) = document.elements.get(index).filter(|_| left > 0) else { continue };
        let fits = |text: &str| text.len() <= left.saturating_mul(BYTES_PER_TOKEN) && Cl100k.count(text) <= left;
        let whole = Some(spoken(element)).filter(|text| fits(text));
        let near = claim.near && whole.is_some();
        let excerpt = || label.filter(|_| claim.named).and_then(|label| excerpt(&element.text, label, fits));
        let Some(text) = whole.or_else(excerpt).filter(|text| !text.is_empty()) else { continue };
        used += Cl100k.count(&text);
        selected.push(Context { index, text, near });
    }
    selected
}

/// The sentences of a long paragraph from the first one on that names the table, as many as fit; ellipses stand for the
/// others.
fn excerpt(text: &str, label: &Label, fits: impl Fn(&str) -> bool) -> Option<String> {
    let sentences: Vec<&str> = text.split_sentence_bounds().collect();
    let first = sentences.iter().position(|s| label::mentions(s).contains(label))?;
    let rest = sentences.get(first..)?;
    let write = |n: usize| {
        let (before, after) = (if first > 0 { "… " } else { "" }, if n < rest.len() { " …" } else { "" });
        format!("{before}{}{after}", rest.get(..n).unwrap_or_default().concat().trim())
    };
    let n = longest(rest.len(), |n| fits(&write(n)));
    (n > 0).then(|| write(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_paragraph_gives_the_sentences_that_name_the_table() {
        let label = label::mentions("Table 3 shows it").pop().unwrap();
        let text = "Costs rose. As Table 3 shows, wages did too. Nobody knows why. It will end.";
        let up_to = |most: usize| move |text: &str| text.chars().count() <= most;
        let found = excerpt(text, &label, up_to(55)).unwrap();
        assert_eq!(found, "… As Table 3 shows, wages did too. Nobody knows why. …");
        assert_eq!(excerpt(text, &label, up_to(20)), None);
        assert_eq!(excerpt("Costs rose. Wages too.", &label, up_to(55)), None);
    }
}
