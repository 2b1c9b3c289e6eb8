//! What a run will do, decided without any input or output: a comparison of files with commit records.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::store::DocumentRecord;
use crate::walk::Source;

/// A file with its id and content hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashed {
    /// The file.
    pub source: Source,
    /// Its document id.
    pub doc_id: String,
    /// blake3 of its bytes.
    pub content_hash: String,
}

/// What matters of a commit record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known<'a> {
    /// Document id.
    pub doc_id: &'a str,
    /// Label of its root.
    pub root: &'a str,
    /// Path below the root.
    pub source: &'a str,
    /// blake3 of the bytes that were indexed.
    pub content_hash: &'a str,
    /// Settings that they were indexed with.
    pub fingerprint: &'a str,
}

impl<'a> From<&'a DocumentRecord> for Known<'a> {
    fn from(d: &'a DocumentRecord) -> Self {
        Self {
            doc_id: &d.doc_id,
            root: &d.root,
            source: &d.source,
            content_hash: &d.content_hash,
            fingerprint: &d.fingerprint,
        }
    }
}

/// By which rules files and records are compared.
pub struct Rules<'a> {
    /// Settings of this run.
    pub fingerprint: &'a str,
    /// Index unchanged files too.
    pub force: bool,
    /// Remove what has vanished.
    pub prune: bool,
    /// Roots in which a missing file is a vanished one.
    pub complete_roots: &'a [String],
    /// Whether a path below a root is this run's business (sharding).
    pub mine: &'a dyn Fn(&str) -> bool,
    /// Documents whose file is there but could not be read: not vanished.
    pub unreadable: &'a [String],
}

/// Why a document is indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is not in the collection.
    New,
    /// Its bytes changed.
    Changed,
    /// The settings changed.
    Settings,
    /// `--force`.
    Forced,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Parse, embed and store.
    Index(Box<Hashed>, Reason),
    /// Up to date.
    Skip(String),
    /// The file has vanished: remove the document.
    Remove(String),
    /// The file has vanished, but pruning is off.
    Keep(String),
}

impl Action {
    /// The document that this step removes.
    pub fn removal(&self) -> Option<String> {
        match self {
            Self::Remove(id) => Some(id.clone()),
            _ => None,
        }
    }
}

/// All steps, by document id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub actions: Vec<Action>,
}

impl Plan {
    /// The documents to index.
    pub fn to_index(&self) -> impl Iterator<Item = (&Hashed, Reason)> {
        self.actions.iter().filter_map(|a| match a {
            Action::Index(hashed, reason) => Some((hashed.as_ref(), *reason)),
            _ => None,
        })
    }

    /// Whether there is anything to write.
    pub fn is_empty(&self) -> bool {
        !self.actions.iter().any(|a| matches!(a, Action::Index(..) | Action::Remove(_)))
    }
}

/// Compares the files with the stored documents.
pub fn plan(files: Vec<Hashed>, stored: &[Known<'_>], rules: &Rules<'_>) -> Plan {
    let by_id: BTreeMap<&str, &Known<'_>> = stored.iter().map(|k| (k.doc_id, k)).collect();
    let present: BTreeSet<String> = files.iter().map(|f| f.doc_id.clone()).chain(rules.unreadable.to_vec()).collect();
    let mut actions: Vec<Action> = files
        .into_iter()
        .map(|file| match by_id.get(file.doc_id.as_str()) {
            None => Action::Index(Box::new(file), Reason::New),
            Some(_) if rules.force => Action::Index(Box::new(file), Reason::Forced),
            Some(known) if known.content_hash != file.content_hash => Action::Index(Box::new(file), Reason::Changed),
            Some(known) if known.fingerprint != rules.fingerprint => Action::Index(Box::new(file), Reason::Settings),
            Some(_) => Action::Skip(file.doc_id),
        })
        .collect();
    let vanished = stored.iter().filter(|k| {
        rules.complete_roots.iter().any(|r| r == k.root) && (rules.mine)(k.source) && !present.contains(k.doc_id)
    });
    actions.extend(vanished.map(|k| {
        let id = k.doc_id.to_owned();
        if rules.prune { Action::Remove(id) } else { Action::Keep(id) }
    }));
    Plan { actions }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Format;

    fn file(id: &str, hash: &str) -> Hashed {
        let source = Source {
            path: format!("{id}.pdf").into(),
            root: "r".into(),
            relative: format!("{id}.pdf"),
            format: Format::Pdf,
            size: 1,
        };
        Hashed { source, doc_id: id.into(), content_hash: hash.into() }
    }

    fn known<'a>(id: &'a str, root: &'a str, hash: &'a str, fingerprint: &'a str) -> Known<'a> {
        Known { doc_id: id, root, source: id, content_hash: hash, fingerprint }
    }

    fn steps(prune: bool, force: bool, unreadable: &[String]) -> Vec<String> {
        let stored = [
            known("same", "r", "1", "f"),
            known("changed", "r", "1", "f"),
            known("settings", "r", "1", "old"),
            known("gone", "r", "1", "f"),
            known("elsewhere", "other", "1", "f"),
        ];
        let roots = ["r".to_owned()];
        let rules =
            Rules { fingerprint: "f", force, prune, complete_roots: &roots, mine: &|s| s != "not-mine", unreadable };
        let files = vec![file("same", "1"), file("changed", "2"), file("settings", "1"), file("new", "1")];
        plan(files, &stored, &rules)
            .actions
            .iter()
            .map(|a| match a {
                Action::Index(h, r) => format!("index {} {r:?}", h.doc_id),
                Action::Skip(id) => format!("skip {id}"),
                Action::Remove(id) => format!("remove {id}"),
                Action::Keep(id) => format!("keep {id}"),
            })
            .collect()
    }

    #[test]
    fn only_what_differs_is_indexed_and_other_roots_are_left_alone() {
        let common = ["skip same", "index changed Changed", "index settings Settings", "index new New"];
        assert_eq!(steps(false, false, &[]), [&common[..], &["keep gone"]].concat());
        assert_eq!(steps(true, false, &[]), [&common[..], &["remove gone"]].concat());
    }

    #[test]
    fn an_unreadable_file_has_not_vanished() {
        assert!(!steps(true, false, &["gone".into()]).iter().any(|s| s.ends_with("gone")));
    }

    #[test]
    fn force_indexes_what_is_unchanged() {
        assert_eq!(steps(false, true, &[])[0], "index same Forced");
    }
}
