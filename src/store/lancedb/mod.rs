//! LanceDB: a folder, on this machine or in object storage.
//!
//! A collection is one table with a row per unit and per commit record. A batch of documents is written in one atomic
//! commit that overwrites, inserts and deletes, so a document is always there in its old or its new version.
//!
//! Searches scan: exact, and quick up to some hundred thousand units.

mod arrow;
mod sql;

use std::path::Path;
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchIterator};
use async_trait::async_trait;
use futures::TryStreamExt;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use lancedb::table::{CompactionOptions, OptimizeAction};
use lancedb::{DistanceType, Error, Table};

use super::open::stored_spec;
use super::schema::{self, DOCUMENT, DOCUMENT_FIELDS, Damaged, FIELDS, kind_name};
use super::{
    Candidate, CollectionSpec, Counts, DocumentBatch, DocumentRecord, Filter, Leg, StoreError, StoredUnit, VectorStore,
    WriteStats, batch, ranking,
};
use crate::unit::UnitKind;

/// Values in one SQL list.
const LIST: usize = 1024;
/// Commits that lose against another writer are made again so often; Lance itself has tried ten times by then.
const COMMIT_ATTEMPTS: u32 = 3;
/// Small fragments from which on they are merged.
const MAX_SMALL_FRAGMENTS: usize = 32;
/// Versions from which on old ones are removed.
const MAX_VERSIONS: usize = 64;
/// Versions younger than this stay: someone may be reading them.
const KEEP_VERSIONS_DAYS: i64 = 1;

/// A collection in a LanceDB folder.
pub struct LanceStore {
    table: Table,
    spec: CollectionSpec,
}

impl LanceStore {
    /// Opens the collection of `spec` in the database at `uri` (a path, or `s3://…`) and checks that it was made for the
    /// same model. Where there is none it is made if `create`.
    pub async fn open(uri: &str, spec: &CollectionSpec, create: bool) -> Result<Self, StoreError> {
        let found = match find(uri, &spec.name, create).await? {
            Found::Table(table) => table,
            Found::Database(db) if create => {
                let made = db.create_empty_table(&spec.name, arrow::table_schema(spec)).execute().await;
                match made {
                    // Another process made it in the meantime.
                    Err(Error::TableAlreadyExists { .. }) => {
                        db.open_table(&spec.name).execute().await.map_err(|e| unreachable(uri, &e))?
                    }
                    made => made.map_err(|e| unreachable(uri, &e))?,
                }
            }
            _ => return Err(no_collection(uri, &spec.name)),
        };
        spec.check(&spec_of(&found, &spec.name).await?)?;
        Ok(Self { table: found, spec: spec.clone() })
    }

    /// Opens the collection called `name` whatever it was made for; [`spec`](Self::spec) says what that was.
    pub async fn open_existing(uri: &str, name: &str) -> Result<Self, StoreError> {
        match find(uri, name, false).await? {
            Found::Table(table) => {
                let spec = spec_of(&table, name).await?;
                Ok(Self { table, spec })
            }
            _ => Err(no_collection(uri, name)),
        }
    }

    /// What the collection was made for.
    pub fn spec(&self) -> &CollectionSpec {
        &self.spec
    }

    /// Writes the rows and deletes the documents' other rows, in one commit. Returns how many were deleted.
    async fn merge(&self, rows: &RecordBatch, doc_ids: &[String]) -> Result<usize, StoreError> {
        let mut attempt = 1;
        loop {
            let mut merge = self.table.merge_insert(&[arrow::ID]);
            merge
                .when_matched_update_all(None)
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(Some(sql::any_of("doc_id", doc_ids)))
                // Through an index the protection of the primary key is lost.
                .use_index(false);
            let reader = RecordBatchIterator::new([Ok(rows.clone())], rows.schema());
            match merge.execute(Box::new(reader)).await {
                Ok(result) => return Ok(usize::try_from(result.num_deleted_rows).unwrap_or(usize::MAX)),
                Err(error) if attempt < COMMIT_ATTEMPTS && is_conflict(&error) => {
                    tracing::debug!(attempt, %error, "another writer was faster, trying again");
                    tokio::time::sleep(Duration::from_millis(200) * attempt).await;
                    attempt += 1;
                }
                Err(error) => return Err(failed("writing records", &error)),
            }
        }
    }

    async fn read(&self, filter: String, columns: &[&str]) -> Result<Vec<RecordBatch>, StoreError> {
        let query = self.table.query().only_if(filter).select(Select::columns(columns));
        let batches = async { query.execute().await?.try_collect().await };
        batches.await.map_err(|e| failed("reading records", &e))
    }

    async fn count(&self, filter: String) -> Result<usize, StoreError> {
        self.table.count_rows(Some(filter)).await.map_err(|e| failed("counting records", &e))
    }

    /// The `limit` best units of a leg, in the order found.
    async fn nearest(&self, leg: &Leg, limit: usize, filter: &Filter) -> Result<Vec<Candidate>, StoreError> {
        let (column, vector) = match leg {
            Leg::Whole(vector) => (schema::WHOLE, vector),
            Leg::Rows(vector) => (schema::ROWS, vector),
        };
        let batches = async {
            let query = self.table.query().nearest_to(vector.as_slice())?.column(column);
            let query = query.distance_type(DistanceType::Cosine).bypass_vector_index();
            let query = query.only_if(sql::searched(filter)).limit(limit);
            let query = query.select(Select::columns(&["unit_id", "original_eu_id", "_distance"]));
            query.execute().await?.try_collect::<Vec<_>>().await
        };
        let mut found = Vec::new();
        for batch in batches.await.map_err(|e| failed("searching", &e))? {
            for (row, distance) in arrow::rows(&batch).into_iter().zip(arrow::distances(&batch)) {
                // Units without row vectors have no distance.
                let Some(distance) = distance.filter(|d| d.is_finite()) else { continue };
                let unit_id = schema::text(&row, "unit_id").map_err(damaged)?;
                let group = schema::text(&row, "original_eu_id").unwrap_or_else(|_| unit_id.clone());
                // For a multi-vector and one query vector the distance is 1 - MaxSim.
                found.push(Candidate { unit_id, group, score: 1.0 - distance });
            }
        }
        Ok(found)
    }
}

#[async_trait]
impl VectorStore for LanceStore {
    async fn documents(&self, root: Option<&str>) -> Result<Vec<DocumentRecord>, StoreError> {
        let mut filter = sql::of_kind(DOCUMENT);
        if let Some(root) = root {
            filter = format!("{filter} AND root = {}", sql::quote(root));
        }
        let batches = self.read(filter, DOCUMENT_FIELDS).await?;
        let rows = batches.iter().flat_map(arrow::rows);
        let mut documents = rows.map(schema::document_from_row).collect::<Result<Vec<_>, _>>().map_err(damaged)?;
        documents.sort_by(|a, b| a.doc_id.cmp(&b.doc_id));
        Ok(documents)
    }

    async fn replace(&self, batch: &[DocumentBatch]) -> Result<WriteStats, StoreError> {
        if batch.is_empty() {
            return Ok(WriteStats::default());
        }
        let refused = |reason| StoreError::Failed { store: "lancedb", operation: "checking a batch", reason };
        batch::check(batch, self.spec.dim).map_err(refused)?;
        let rows = arrow::record_batch(batch, &self.spec).map_err(|e| refused(e.to_string()))?;
        let doc_ids: Vec<String> = batch.iter().map(|b| b.document.doc_id.clone()).collect();
        let removed = self.merge(&rows, &doc_ids).await?;
        Ok(WriteStats { written: batch.iter().map(|b| b.records.len()).sum(), removed })
    }

    async fn remove(&self, doc_ids: &[String]) -> Result<usize, StoreError> {
        let mut removed = 0;
        for doc_ids in doc_ids.chunks(LIST) {
            let rows = sql::any_of("doc_id", doc_ids);
            // A deletion makes a new version of the table even where it finds nothing.
            if self.count(rows.clone()).await? > 0 {
                removed += self.count(format!("{rows} AND {}", sql::is_unit())).await?;
                self.table.delete(rows.as_str()).await.map_err(|e| failed("deleting documents", &e))?;
            }
        }
        Ok(removed)
    }

    async fn search(&self, leg: &Leg, depth: usize, filter: &Filter) -> Result<Vec<Candidate>, StoreError> {
        ranking::settled(depth, |limit| self.nearest(leg, limit, filter)).await
    }

    async fn fetch(&self, unit_ids: &[String]) -> Result<Vec<StoredUnit>, StoreError> {
        let columns: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).chain([schema::ROWS]).collect();
        let mut found = Vec::with_capacity(unit_ids.len());
        for unit_ids in unit_ids.chunks(LIST) {
            for batch in self.read(sql::any_of("unit_id", unit_ids), &columns).await? {
                for (index, row) in arrow::rows(&batch).into_iter().enumerate() {
                    let unit = schema::unit_from_row(row).map_err(damaged)?;
                    found.push(StoredUnit { rows: arrow::row_vectors(&batch, index), ..unit });
                }
            }
        }
        Ok(ranking::in_order(unit_ids, found))
    }

    async fn counts(&self) -> Result<Counts, StoreError> {
        Ok(Counts {
            documents: self.count(sql::of_kind(DOCUMENT)).await?,
            evidence_units: self.count(sql::of_kind(kind_name(UnitKind::Eu))).await?,
            text_chunks: self.count(sql::of_kind(kind_name(UnitKind::Text))).await?,
        })
    }

    async fn maintain(&self) -> Result<(), StoreError> {
        let stats = self.table.stats().await.map_err(|e| failed("reading statistics", &e))?;
        if stats.fragment_stats.num_small_fragments > MAX_SMALL_FRAGMENTS {
            let compact = OptimizeAction::Compact { options: CompactionOptions::default(), remap_options: None };
            self.table.optimize(compact).await.map_err(|e| failed("compacting", &e))?;
        }
        let versions = self.table.list_versions().await.map_err(|e| failed("listing versions", &e))?;
        if versions.len() > MAX_VERSIONS {
            let prune = OptimizeAction::Prune {
                older_than: Some(lancedb::table::Duration::days(KEEP_VERSIONS_DAYS)),
                // Files that no version names may belong to a commit that is still being made.
                delete_unverified: None,
                error_if_tagged_old_versions: None,
            };
            self.table.optimize(prune).await.map_err(|e| failed("removing old versions", &e))?;
        }
        Ok(())
    }
}

/// What there is at a place.
enum Found {
    Nothing,
    Database(lancedb::Connection),
    Table(Table),
}

async fn find(uri: &str, name: &str, create: bool) -> Result<Found, StoreError> {
    // Connecting makes the folder: not when only looking.
    if !create && !uri.contains("://") && !Path::new(uri).is_dir() {
        return Ok(Found::Nothing);
    }
    // Every read sees what other processes have committed.
    let connection = lancedb::connect(uri).read_consistency_interval(Duration::ZERO).execute();
    let db = connection.await.map_err(|e| unreachable(uri, &e))?;
    match db.open_table(name).execute().await {
        Ok(table) => Ok(Found::Table(table)),
        Err(Error::TableNotFound { .. }) => Ok(Found::Database(db)),
        Err(error) => Err(unreachable(uri, &error)),
    }
}

async fn spec_of(table: &Table, name: &str) -> Result<CollectionSpec, StoreError> {
    let schema = table.schema().await.map_err(|e| failed("reading the schema", &e))?;
    stored_spec(name, |key| schema.metadata().get(key).cloned())
}

/// Whether a write failed because of another writer and changed nothing.
fn is_conflict(error: &Error) -> bool {
    match error {
        Error::Lance { source } => {
            let text = source.to_string();
            text.contains("ommit conflict") || text.contains("Too many concurrent writers")
        }
        _ => false,
    }
}

fn no_collection(uri: &str, name: &str) -> StoreError {
    StoreError::NoCollection { name: name.to_owned(), uri: uri.to_owned() }
}

fn unreachable(uri: &str, error: &Error) -> StoreError {
    StoreError::Unreachable { store: "lancedb", uri: uri.to_owned(), reason: describe(error) }
}

fn failed(operation: &'static str, error: &Error) -> StoreError {
    StoreError::Failed { store: "lancedb", operation, reason: describe(error) }
}

fn damaged(error: Damaged) -> StoreError {
    StoreError::Failed { store: "lancedb", operation: "reading records", reason: error.to_string() }
}

/// What LanceDB says, without the places in its source code that it says it at.
fn describe(error: &Error) -> String {
    let text = error.to_string();
    text.split(", ").filter(|part| !part.contains(".rs:")).collect::<Vec<_>>().join(", ")
}
