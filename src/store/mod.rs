//! Vector stores behind one trait. A store knows records, not how their units were made.

mod batch;
pub mod id;
#[cfg(feature = "lancedb")]
pub mod lancedb;
mod open;
pub mod qdrant;
mod ranking;
pub mod schema;

pub use open::{StoreKind, open, open_existing};

use async_trait::async_trait;

use crate::unit::Unit;

/// What a collection was made for; kept in the collection and checked on every open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionSpec {
    /// Name of the collection (LanceDB table, Qdrant collection).
    pub name: String,
    /// Embedding model (id and digest of its weights).
    pub model: String,
    /// Vector dimension.
    pub dim: usize,
}

/// A unit with its vectors, ready to be stored.
#[derive(Clone, Debug)]
pub struct Record {
    /// The unit.
    pub unit: Unit,
    /// L2-normalised vector of the whole, `dim` long.
    pub whole: Vec<f32>,
    /// L2-normalised vectors of the rows, in the order of [`Unit::rows`]; empty for text.
    pub rows: Vec<Vec<f32>>,
}

/// The commit record of a document: its presence says that all its units are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRecord {
    /// Unique within the collection.
    pub doc_id: String,
    /// Label of the ingest root that the document belongs to (see [`crate::walk`]).
    pub root: String,
    /// Path below that root, as walked, `/`-separated.
    pub source: String,
    /// blake3 of the file's bytes, hexadecimal.
    pub content_hash: String,
    /// Digest of parser, chunking and model settings.
    pub fingerprint: String,
    /// Ids of the document's units, in order.
    pub unit_ids: Vec<String>,
    /// Pages of the document.
    pub pages: u32,
    /// Tables of the document.
    pub tables: u32,
    /// When it was stored, RFC 3339 UTC.
    pub indexed_at: String,
}

/// A whole document as it is to be stored: replaces whatever the collection holds under its `doc_id`.
#[derive(Clone, Debug)]
pub struct DocumentBatch {
    /// The commit record.
    pub document: DocumentRecord,
    /// Its units, each with vectors; unit ids are unique.
    pub records: Vec<Record>,
}

/// One leg of a search.
#[derive(Clone, Debug)]
pub enum Leg {
    /// Cosine similarity with the vector of the whole unit.
    Whole(Vec<f32>),
    /// MaxSim over the unit's row vectors: with one query vector, the best row's cosine.
    Rows(Vec<f32>),
}

/// Restricts a search.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these documents; empty means all.
    pub doc_ids: Vec<String>,
    /// Only units with this page among their pages.
    pub page: Option<u32>,
    /// Only evidence units (`eu`) or text (`text`).
    pub kind: Option<crate::unit::UnitKind>,
}

/// A unit that a leg found.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// [`Unit::unit_id`].
    pub unit_id: String,
    /// [`Unit::group_key`].
    pub group: String,
    /// Cosine similarity, higher is better: the same number in every store.
    pub score: f32,
}

/// A stored unit as read back.
#[derive(Clone, Debug)]
pub struct StoredUnit {
    /// The unit with everything that was stored of it.
    pub unit: Unit,
    /// Path of its document below the root.
    pub source: String,
    /// Its row vectors, where asked for.
    pub rows: Vec<Vec<f32>>,
}

/// What a write did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteStats {
    /// Unit records written.
    pub written: usize,
    /// Stale unit records removed.
    pub removed: usize,
}

/// What a collection holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Commit records.
    pub documents: usize,
    /// Evidence-unit pieces.
    pub evidence_units: usize,
    /// Text chunks.
    pub text_chunks: usize,
}

/// What can go wrong in a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached or opened.
    #[error("cannot open {store} at {uri}: {reason}")]
    Unreachable {
        /// `lancedb` or `qdrant`.
        store: &'static str,
        /// Where it was looked for; never with secrets.
        uri: String,
        /// Why, as the store says it.
        reason: String,
    },
    /// There is no such collection.
    #[error("there is no collection {name:?} at {uri}")]
    NoCollection {
        /// Its name.
        name: String,
        /// Where it was looked for.
        uri: String,
    },
    /// The collection was made with another model.
    #[error("collection {name:?} holds vectors of {stored}, this run would use {wanted}")]
    ModelMismatch {
        /// Its name.
        name: String,
        /// Model and dimension that it was made with.
        stored: String,
        /// Model and dimension of this run.
        wanted: String,
    },
    /// The collection exists but was not made by evindex, or by a version that this one cannot read.
    #[error("collection {name:?} cannot be used: {reason}")]
    Foreign {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An operation failed.
    #[error("{store}: {operation} failed: {reason}")]
    Failed {
        /// `lancedb` or `qdrant`.
        store: &'static str,
        /// What was tried.
        operation: &'static str,
        /// Why, as the store says it.
        reason: String,
    },
}

/// A collection in a vector store.
///
/// Both stores give the same answers to the same calls; `tests/` runs one conformance suite over all of them.
#[async_trait]
pub trait VectorStore: Send + Sync {
    /// The commit records of one root, or of all (`None`), sorted by `doc_id`.
    async fn documents(&self, root: Option<&str>) -> Result<Vec<DocumentRecord>, StoreError>;

    /// Replaces whole documents. After a crash at any point a reader finds each document either in its old or its new
    /// version, and repeating the call finishes the job; a document without commit record counts as not stored.
    async fn replace(&self, batch: &[DocumentBatch]) -> Result<WriteStats, StoreError>;

    /// Removes documents with all their units. Returns how many unit records went.
    async fn remove(&self, doc_ids: &[String]) -> Result<usize, StoreError>;

    /// The best `depth` units of one leg, best first; ties broken by `unit_id`.
    async fn search(&self, leg: &Leg, depth: usize, filter: &Filter) -> Result<Vec<Candidate>, StoreError>;

    /// Reads units back by unit id, in the order asked for; ids that are not stored are left out.
    async fn fetch(&self, unit_ids: &[String]) -> Result<Vec<StoredUnit>, StoreError>;

    /// What the collection holds.
    async fn counts(&self) -> Result<Counts, StoreError>;

    /// Housekeeping after a run that wrote something (compaction, index catch-up), where it is worth it.
    async fn maintain(&self) -> Result<(), StoreError>;
}
