//! Ingestion: walk → plan → parse and chunk → embed → store.
//!
//! The plan is pure ([`plan`]); the stages run side by side over bounded channels, so that memory stays flat however many
//! files there are ([`run`](self)). Documents are committed whole: an interrupted run leaves every document either in its
//! old or its new version, and the next run does what is left.

pub mod plan;
pub mod report;
mod stages;

pub use stages::units_of;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::chunk::ChunkSettings;
use crate::embed::Embedder;
use crate::store::{DocumentRecord, StoreError, VectorStore};
use crate::walk::{self, Source, Walk};
use plan::{Action, Hashed, Known, Plan, Rules};
use report::{Failure, Report};

/// Version of everything between bytes and units. Raised whenever the same file would give other units, so that stored
/// documents are indexed again.
const UNITS_VERSION: u32 = 3;

/// Stack of the parsing threads: nested PDF objects recurse in the object parser.
const PARSE_STACK_BYTES: usize = 32 << 20;

/// What happens while a run goes on.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The plan is made: what there is to do.
    Planned(&'a Plan),
    /// A document was parsed and cut into units.
    Parsed {
        /// Its path below the root.
        source: &'a str,
        /// Texts that are to be embedded for it: units and rows.
        texts: usize,
    },
    /// A file failed; the run goes on.
    Failed(&'a Failure),
    /// That many more texts have their vectors.
    Embedded(usize),
    /// That many more documents are committed.
    Committed(usize),
}

/// Listens to a run; called from several threads.
pub trait Observer: Sync {
    /// Something happened.
    fn event(&self, event: Event<'_>);
}

/// How to ingest.
#[derive(Clone, Debug)]
pub struct IngestOptions {
    /// How documents become units.
    pub chunking: ChunkSettings,
    /// Threads for parsing; 0 for all cores.
    pub jobs: usize,
    /// Remove documents whose file has vanished.
    pub prune: bool,
    /// Index unchanged documents as well.
    pub force: bool,
    /// Largest file that is read, in bytes.
    pub max_file_bytes: u64,
    /// Texts that are embedded and committed together, unless one document alone has more.
    pub batch_texts: usize,
    /// Passwords to try, in order, on encrypted files.
    pub passwords: Vec<String>,
    /// `(i, n)`: only the i-th of n disjoint parts of the files, 1-based.
    pub shard: Option<(u32, u32)>,
}

/// What stops a run as a whole.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The model.
    #[error(transparent)]
    Embed(#[from] crate::embed::EmbedError),
    /// The machine.
    #[error("cannot start {what}: {reason}")]
    Threads {
        /// Which threads.
        what: &'static str,
        /// Why.
        reason: String,
    },
}

/// Digest of all settings that decide what is stored for a file.
pub fn fingerprint(chunking: &ChunkSettings, model_id: &str) -> String {
    let settings = serde_json::to_string(chunking).unwrap_or_default();
    let text = format!("units {UNITS_VERSION}\nchunking {settings}\nmodel {model_id}");
    blake3::hash(text.as_bytes()).to_hex().as_str().get(..16).unwrap_or_default().to_owned()
}

/// Which shard (0-based) of `n` a document belongs to: stable, whatever other files there are.
fn shard_of(relative: &str, n: u32) -> u32 {
    let bytes = *blake3::hash(relative.as_bytes()).as_bytes();
    let [a, b, c, d, ..] = bytes;
    u32::from_le_bytes([a, b, c, d]) % n.max(1)
}

/// Hashes the files and compares them with what the collection holds. Writes nothing.
pub fn make_plan(
    mut walk: Walk,
    stored: &[DocumentRecord],
    fingerprint: &str,
    options: &IngestOptions,
) -> Result<(Plan, Report), IngestError> {
    let mut report = Report {
        other_files: walk.other_files,
        excluded: walk.excluded,
        overlapping: walk.overlapping,
        ..Report::default()
    };
    if let Some((i, n)) = options.shard {
        walk.sources.retain(|s| shard_of(&s.relative, n) + 1 == i);
    }
    report.failures.extend(walk.failures.iter().map(|f| Failure::new(f.path.display().to_string(), f.reason.clone())));
    let pool = parse_pool(options.jobs)?;
    let hashes: Vec<Result<String, String>> =
        pool.install(|| walk.sources.par_iter().map(|s| hash_file(s, options.max_file_bytes)).collect());
    let known: BTreeMap<(String, String), String> =
        stored.iter().map(|d| ((d.root.clone(), d.source.clone()), d.doc_id.clone())).collect();
    let keys: Vec<(&str, &str)> = walk.sources.iter().map(|s| (s.root.as_str(), s.relative.as_str())).collect();
    let ids = walk::assign(&keys, &known);
    let mut files = Vec::with_capacity(walk.sources.len());
    let mut unreadable = Vec::new();
    for ((source, doc_id), hash) in walk.sources.into_iter().zip(ids).zip(hashes) {
        match hash {
            Ok(content_hash) => files.push(Hashed { source, doc_id, content_hash }),
            Err(reason) => {
                report.failures.push(Failure::new(source.path.display().to_string(), reason));
                unreadable.push(doc_id);
            }
        }
    }
    let rules = Rules {
        fingerprint,
        force: options.force,
        prune: options.prune,
        // Another shard's files are not missing, they are somebody else's.
        complete_roots: &walk.complete_roots,
        mine: &|relative| options.shard.is_none_or(|(i, n)| shard_of(relative, n) + 1 == i),
        unreadable: &unreadable,
    };
    let known: Vec<Known<'_>> = stored.iter().map(Known::from).collect();
    Ok((plan::plan(files, &known, &rules), report))
}

fn hash_file(source: &Source, max_bytes: u64) -> Result<String, String> {
    if source.size > max_bytes {
        let (size, limit) = (source.size >> 20, max_bytes >> 20);
        return Err(format!("the file has {size} MiB, the limit is {limit} MiB (ingest.max_file_mib)"));
    }
    let mut hasher = blake3::Hasher::new();
    let mut file = std::fs::File::open(&source.path).map_err(|e| e.to_string())?;
    std::io::copy(&mut file, &mut hasher).map_err(|e| e.to_string())?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn parse_pool(jobs: usize) -> Result<rayon::ThreadPool, IngestError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .stack_size(PARSE_STACK_BYTES)
        .thread_name(|i| format!("parse-{i}"))
        .build()
        .map_err(|e| IngestError::Threads { what: "the parsing threads", reason: e.to_string() })
}

/// What a run works with.
pub struct Run<'a> {
    /// Where documents are committed.
    pub store: &'a dyn VectorStore,
    /// Digest of the settings (see [`fingerprint`]).
    pub fingerprint: &'a str,
    /// How to ingest.
    pub options: &'a IngestOptions,
    /// Drives the store.
    pub runtime: &'a tokio::runtime::Runtime,
}

impl Run<'_> {
    /// Carries out a plan and completes the report; failures of single files are in it, not errors.
    ///
    /// `embedder` may be absent where the plan indexes nothing. `cancel` is looked at between documents and between texts:
    /// what has been embedded is still committed.
    pub fn execute(
        &self,
        plan: &Plan,
        mut report: Report,
        embedder: Option<&Embedder>,
        observer: &dyn Observer,
        cancel: &AtomicBool,
    ) -> Result<Report, IngestError> {
        let started = Instant::now();
        observer.event(Event::Planned(plan));
        report.take_plan(plan);
        if let Some(embedder) = embedder {
            stages::Stages { run: self, embedder, observer, cancel }.run(plan, &mut report)?;
        }
        if cancel.load(Ordering::Relaxed) {
            report.interrupted = true;
        } else {
            let gone: Vec<String> = plan.actions.iter().filter_map(Action::removal).collect();
            if !gone.is_empty() {
                report.units_removed += self.runtime.block_on(self.store.remove(&gone))?;
                report.removed += gone.len();
            }
        }
        if report.indexed + report.removed > 0 {
            self.runtime.block_on(self.store.maintain())?;
        }
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }
}

/// Reads a regular file; a pipe or a device might never end.
pub fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let meta = path.metadata().map_err(|e| e.to_string())?;
    if !meta.is_file() {
        return Err("is not a regular file".into());
    }
    std::fs::read(path).map_err(|e| e.to_string())
}
