//! The three stages of indexing, side by side: parse on all cores, embed, commit.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::prelude::*;

use super::plan::{Hashed, Plan};
use super::report::{Failure, Notice, Report};
use super::{Event, IngestError, Observer, Run};
use crate::chunk::{self, ChunkSettings, tokens::Budget};
use crate::document::Document;
use crate::embed::{EmbedError, Embedder};
use crate::parse::{self, Format, ParseOptions};
use crate::store::{DocumentBatch, DocumentRecord, Record};
use crate::unit::{Unit, UnitKind};

/// Parsed documents that may wait for the embedder: enough to keep it busy, few enough to hold in memory.
const PARSED_AHEAD: usize = 16;

/// Batches that may wait for the store.
const EMBEDDED_AHEAD: usize = 2;

pub(super) struct Stages<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) embedder: &'a Embedder,
    pub(super) observer: &'a dyn Observer,
    pub(super) cancel: &'a AtomicBool,
}

/// A document on its way to the embedder, or why it will not get there.
struct Parsed {
    hashed: Hashed,
    result: Result<(Document, Vec<Unit>), String>,
}

/// Documents whose vectors are ready, and what is to be reported of them once they are committed.
#[derive(Default)]
struct Ready {
    documents: Vec<DocumentBatch>,
    notices: Vec<Notice>,
}

impl Stages<'_> {
    pub(super) fn run(&self, plan: &Plan, report: &mut Report) -> Result<(), IngestError> {
        let jobs: Vec<Hashed> = plan.to_index().map(|(hashed, _)| hashed.clone()).collect();
        if jobs.is_empty() {
            return Ok(());
        }
        let pool = super::parse_pool(self.run.options.jobs)?;
        let (parsed_tx, parsed_rx) = sync_channel(PARSED_AHEAD);
        let (ready_tx, ready_rx) = sync_channel(EMBEDDED_AHEAD);
        std::thread::scope(|scope| {
            scope.spawn(move || pool.install(|| self.parse_all(jobs, &parsed_tx)));
            let embed = scope.spawn(move || self.embed_all(&parsed_rx, &ready_tx));
            let stored = self.store_all(&ready_rx, report);
            // Dropping the receiver ends the other stages where the store failed.
            drop(ready_rx);
            let embedded = embed.join().unwrap_or_else(|_| {
                Err(IngestError::Threads { what: "the embedding thread", reason: "it panicked".into() })
            });
            stored?;
            report.failures.extend(embedded?);
            report.truncated_texts += self.embedder.stats().truncated;
            Ok(())
        })
    }

    fn parse_all(&self, jobs: Vec<Hashed>, out: &SyncSender<Parsed>) {
        let counter = self.embedder.token_counter();
        let budget = Budget {
            max_tokens: self.run.options.chunking.max_tokens,
            model: Some((&counter, self.embedder.max_tokens())),
        };
        // One at a time from the front, so that documents finish roughly in order and few are in flight.
        jobs.into_par_iter().with_max_len(1).for_each(|hashed| {
            if self.cancel.load(Ordering::Relaxed) {
                return;
            }
            let result = self.parse(&hashed, &budget);
            // The receiver is gone only where a later stage failed, which is reported there.
            let _ = out.send(Parsed { hashed, result });
        });
    }

    fn parse(&self, hashed: &Hashed, budget: &Budget<'_>) -> Result<(Document, Vec<Unit>), String> {
        let bytes = std::fs::read(&hashed.source.path).map_err(|e| e.to_string())?;
        if blake3::hash(&bytes).to_hex().as_str() != hashed.content_hash {
            return Err("the file changed while it was read; run again".into());
        }
        let passwords = &self.run.options.passwords;
        units_of(&bytes, hashed.source.format, &hashed.doc_id, passwords, &self.run.options.chunking, budget)
    }

    fn embed_all(&self, input: &Receiver<Parsed>, out: &SyncSender<Ready>) -> Result<Vec<Failure>, IngestError> {
        let mut failures = Vec::new();
        let mut waiting: Vec<(Hashed, Document, Vec<Unit>)> = Vec::new();
        let mut texts = 0;
        for Parsed { hashed, result } in input {
            match result {
                Ok((document, units)) => {
                    let count = units.iter().map(|u| 1 + u.rows.len()).sum::<usize>();
                    self.observer.event(Event::Parsed { source: &hashed.source.relative, texts: count });
                    texts += count;
                    waiting.push((hashed, document, units));
                }
                Err(reason) => {
                    let failure = Failure::new(hashed.source.path.display().to_string(), reason);
                    self.observer.event(Event::Failed(&failure));
                    failures.push(failure);
                }
            }
            if texts >= self.run.options.batch_texts {
                texts = 0;
                if !self.embed(std::mem::take(&mut waiting), out)? {
                    return Ok(failures);
                }
            }
        }
        self.embed(waiting, out)?;
        Ok(failures)
    }

    /// Embeds the documents and passes them on. Returns whether to go on.
    fn embed(
        &self,
        documents: Vec<(Hashed, Document, Vec<Unit>)>,
        out: &SyncSender<Ready>,
    ) -> Result<bool, IngestError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Ok(false);
        }
        if documents.is_empty() {
            return Ok(true);
        }
        let texts: Vec<&str> = documents
            .iter()
            .flat_map(|(_, _, units)| units)
            .flat_map(|u| std::iter::once(u.retrieval_text.as_str()).chain(u.rows.iter().map(|r| r.text.as_str())))
            .collect();
        let before = Cell::new(0);
        let progress = |finished: usize| {
            self.observer.event(Event::Embedded(finished.saturating_sub(before.replace(finished))));
            if self.cancel.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let vectors = match self.embedder.embed_passages(&texts, &progress) {
            // What has no vectors yet is done by the next run.
            Err(EmbedError::Stopped) => return Ok(false),
            other => other?,
        };
        let mut ready = Ready::default();
        let mut vectors = vectors.into_iter();
        for (hashed, document, units) in documents {
            let records: Vec<Record> = units
                .into_iter()
                .filter_map(|unit| {
                    let whole = vectors.next()?;
                    let rows = vectors.by_ref().take(unit.rows.len()).collect();
                    Some(Record { unit, whole, rows })
                })
                .collect();
            let file = hashed.source.path.display().to_string();
            if records.is_empty() {
                let message = "no text to index was found in it".to_owned();
                ready.notices.push(Notice { file: file.clone(), page: None, message });
            }
            ready.notices.extend(document.warnings.iter().map(|w| Notice {
                file: file.clone(),
                page: w.page,
                message: w.message.clone(),
            }));
            ready.documents.push(DocumentBatch { document: self.commit_record(&hashed, &document, &records), records });
        }
        Ok(out.send(ready).is_ok())
    }

    fn commit_record(&self, hashed: &Hashed, document: &Document, records: &[Record]) -> DocumentRecord {
        let tables = document.elements.iter().filter(|e| e.table().is_some()).count();
        DocumentRecord {
            doc_id: hashed.doc_id.clone(),
            root: hashed.source.root.clone(),
            source: hashed.source.relative.clone(),
            content_hash: hashed.content_hash.clone(),
            fingerprint: self.run.fingerprint.to_owned(),
            unit_ids: records.iter().map(|r| r.unit.unit_id.clone()).collect(),
            pages: u32::try_from(document.pages.len()).unwrap_or(u32::MAX),
            tables: u32::try_from(tables).unwrap_or(u32::MAX),
            indexed_at: chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        }
    }

    fn store_all(&self, input: &Receiver<Ready>, report: &mut Report) -> Result<(), IngestError> {
        for ready in input {
            let stats = self.run.runtime.block_on(self.run.store.replace(&ready.documents))?;
            report.indexed += ready.documents.len();
            report.units_removed += stats.removed;
            report.notices.extend(ready.notices);
            for DocumentBatch { document, records } in &ready.documents {
                report.pages += document.pages as usize;
                report.tables += document.tables as usize;
                let evidence = records.iter().filter(|r| r.unit.kind == UnitKind::Eu).count();
                report.evidence_units += evidence;
                report.text_chunks += records.len() - evidence;
                report.vectors += records.iter().map(|r| 1 + r.rows.len()).sum::<usize>();
            }
            self.observer.event(Event::Committed(ready.documents.len()));
        }
        Ok(())
    }
}

/// The document that a file's bytes hold, and its units: what `ingest` makes of each file, without a model's limits unless
/// `budget` has them. A panic in the parser fails the one file.
pub fn units_of(
    bytes: &[u8],
    format: Format,
    doc_id: &str,
    passwords: &[String],
    chunking: &ChunkSettings,
    budget: &Budget<'_>,
) -> Result<(Document, Vec<Unit>), String> {
    let options = ParseOptions { passwords: passwords.to_vec(), ..ParseOptions::default() };
    let work = || {
        let document = parse::parse_bytes(format, bytes, &options).map_err(|e| e.to_string())?;
        let units = chunk::units(&document, doc_id, chunking, budget);
        Ok((document, units))
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<&str>().map(|s| (*s).to_owned()).or_else(|| cause.downcast_ref().cloned());
        Err(format!("internal error, please report it: {}", text.unwrap_or_default()))
    })
}
