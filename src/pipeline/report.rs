//! What a run did, for people and for machines.

use serde::Serialize;

use super::plan::{Action, Plan};

/// Version of the JSON form of [`Report`].
pub const SCHEMA: u32 = 1;

/// A file that could not be indexed; whatever the collection holds of it stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Which file.
    pub file: String,
    /// Why, and what to do where there is something to do.
    pub reason: String,
}

impl Failure {
    /// A failure of `file` for `reason`.
    pub fn new(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: file.into(), reason: reason.into() }
    }
}

/// Something left out of a document that was indexed all the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// Which file.
    pub file: String,
    /// 1-based page, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// What happened.
    pub message: String,
}

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Version of this form.
    pub schema: u32,
    /// Documents that were indexed and committed.
    pub indexed: usize,
    /// Documents that were up to date.
    pub unchanged: usize,
    /// Documents that were removed since their file has vanished.
    pub removed: usize,
    /// Documents whose file has vanished but that stay, since pruning is off.
    pub vanished: usize,
    /// Pages of the indexed documents.
    pub pages: usize,
    /// Tables of the indexed documents.
    pub tables: usize,
    /// Evidence-unit pieces written.
    pub evidence_units: usize,
    /// Text chunks written.
    pub text_chunks: usize,
    /// Vectors made: units and rows.
    pub vectors: usize,
    /// Stale unit records removed.
    pub units_removed: usize,
    /// Texts that were longer than the model reads and were cut for embedding.
    pub truncated_texts: usize,
    /// Files passed over because their extension, or what they begin with, is none that can be parsed.
    pub other_files: usize,
    /// Files and folders left out by patterns or as hidden.
    pub excluded: usize,
    /// Files that lie in several of the roots given: indexed once.
    pub overlapping: usize,
    /// Whether the run was interrupted; running it again does the rest.
    pub interrupted: bool,
    /// Seconds from plan to end.
    pub seconds: f64,
    /// Files that failed.
    pub failures: Vec<Failure>,
    /// What was left out of indexed documents.
    pub notices: Vec<Notice>,
}

impl Report {
    pub(super) fn take_plan(&mut self, plan: &Plan) {
        self.schema = SCHEMA;
        for action in &plan.actions {
            match action {
                Action::Skip(_) => self.unchanged += 1,
                Action::Keep(_) => self.vanished += 1,
                Action::Index(..) | Action::Remove(_) => {}
            }
        }
    }
}
