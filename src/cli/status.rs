//! `evindex status`

use serde::Serialize;

use super::args::StatusArgs;
use super::exit::Exit;
use super::{session, ui};
use crate::config::Config;
use crate::store::Counts;

/// The JSON form.
#[derive(Serialize)]
struct Status<'a> {
    schema: u32,
    collection: &'a str,
    store: &'static str,
    location: &'a str,
    model: &'a str,
    dim: usize,
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<Line>>,
}

#[derive(Serialize)]
struct Line {
    doc_id: String,
    source: String,
    root: String,
    pages: u32,
    tables: u32,
    units: usize,
    indexed_at: String,
}

/// Prints what the collection holds.
pub(super) fn run(config: &Config, args: &StatusArgs) -> anyhow::Result<Exit> {
    let runtime = session::runtime()?;
    let (store, spec) = runtime.block_on(session::open_existing(config))?;
    let counts = runtime.block_on(store.counts())?;
    let list = if args.documents {
        let documents = runtime.block_on(store.documents(None))?;
        Some(
            documents
                .into_iter()
                .map(|d| Line {
                    units: d.unit_ids.len(),
                    doc_id: d.doc_id,
                    source: d.source,
                    root: d.root,
                    pages: d.pages,
                    tables: d.tables,
                    indexed_at: d.indexed_at,
                })
                .collect::<Vec<_>>(),
        )
    } else {
        None
    };
    let location = session::location(&config.store);
    if args.json {
        ui::print_json(&Status {
            schema: 1,
            collection: &spec.name,
            store: config.store.kind.name(),
            location,
            model: &spec.model,
            dim: spec.dim,
            counts,
            list,
        })?;
        return Ok(Exit::Success);
    }
    ui::print_line(&format!("collection {} in {} at {location}", spec.name, config.store.kind.name()))?;
    ui::print_line(&format!("model {} ({} dimensions)", spec.model, spec.dim))?;
    ui::print_line(&format!(
        "{}, {}, {}",
        ui::count(counts.documents, "document"),
        ui::count(counts.evidence_units, "evidence unit"),
        ui::count(counts.text_chunks, "text chunk"),
    ))?;
    for d in list.unwrap_or_default() {
        ui::print_line(&format!(
            "{}\t{} pages\t{} tables\t{} units\t{}",
            d.doc_id, d.pages, d.tables, d.units, d.indexed_at
        ))?;
    }
    Ok(Exit::Success)
}
