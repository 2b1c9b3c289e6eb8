//! `evindex ingest`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::args::IngestArgs;
use super::exit::Exit;
use super::progress::Progress;
use super::{passwords, session, ui};
use crate::config::Config;
use crate::embed::{self, Embedder};
use crate::pipeline::plan::{Action, Plan, Reason};
use crate::pipeline::report::Report;
use crate::pipeline::{self, IngestOptions};
use crate::store::StoreError;
use crate::walk::{self, WalkOptions};

/// Indexes the paths.
pub(super) fn run(config: &Config, args: &IngestArgs) -> anyhow::Result<Exit> {
    let options = options(config, args)?;
    let walk = walk::walk(
        &args.paths,
        &WalkOptions {
            exclude: config.ingest.exclude.clone(),
            hidden: config.ingest.hidden,
            root_label: config.ingest.root_label.clone(),
        },
    )?;
    let model = session::find_model(config)?;
    let identity = embed::identify(&model)?;
    let fingerprint = pipeline::fingerprint(&config.chunking, &identity.id);
    let runtime = session::runtime()?;
    let store = match runtime.block_on(session::open(config, &identity.id, identity.dim, !args.dry_run)) {
        Ok(store) => Some(store),
        // A dry run makes no collection: all is new.
        Err(StoreError::NoCollection { .. }) if args.dry_run => None,
        Err(error) => return Err(error.into()),
    };
    let stored = match &store {
        Some(store) => runtime.block_on(store.documents(None))?,
        None => Vec::new(),
    };
    let nothing_found = walk.sources.is_empty() && walk.failures.is_empty();
    if nothing_found {
        ui::say(&format!("no documents found in {}", args.paths.join(", ")));
    }
    let (plan, report) = pipeline::make_plan(walk, &stored, &fingerprint, &options)?;
    let gone = plan.actions.iter().filter_map(Action::removal).count();
    if nothing_found && gone > 0 && !args.force && !args.dry_run {
        anyhow::bail!(
            "--prune would remove {}, all that the collection holds of the folder; is it mounted? \
             If they are really gone, say so with --force",
            ui::count(gone, "document")
        );
    }
    let store = match store {
        Some(store) if !args.dry_run => store,
        _ => return show_plan(&plan, &report, args.json),
    };
    let cancel = interruptible()?;
    let progress = Progress::new(args.quiet);
    for failure in &report.failures {
        ui::say(&format!("failed: {}: {}", failure.file, failure.reason));
    }
    let run = pipeline::Run { store: store.as_ref(), fingerprint: &fingerprint, options: &options, runtime: &runtime };
    // The model is loaded only where there is something to embed: a run without changes is quick.
    let embedder = if plan.to_index().next().is_some() {
        if !args.quiet {
            ui::say(&format!("indexing {}", ui::count(plan.to_index().count(), "document")));
        }
        Some(Embedder::load(&model, &session::embed_options(options.jobs))?)
    } else {
        None
    };
    let report = run.execute(&plan, report, embedder.as_ref(), &progress, &cancel)?;
    progress.finish();
    if args.json {
        ui::print_json(&report)?;
    }
    summarise(config, &report, args.quiet || args.json);
    Ok(exit_of(&report))
}

fn options(config: &Config, args: &IngestArgs) -> anyhow::Result<IngestOptions> {
    Ok(IngestOptions {
        chunking: config.chunking,
        jobs: config.ingest.jobs,
        prune: config.ingest.prune,
        force: args.force,
        batch_texts: config.ingest.batch_texts,
        max_file_bytes: config.ingest.max_file_mib.saturating_mul(1 << 20),
        passwords: passwords::passwords(config, &args.passwords)?,
        shard: args.shard,
    })
}

fn exit_of(report: &Report) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else if report.failures.is_empty() {
        Exit::Success
    } else {
        Exit::Partial
    }
}

/// A flag that Ctrl-C or SIGTERM sets: what has been embedded is still committed. A second signal ends the process at once,
/// which is safe too.
fn interruptible() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        ui::say("interrupted: finishing what is under way (again to stop at once)");
    })?;
    Ok(flag)
}

/// One line of a dry run's JSON.
#[derive(Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
enum Step<'a> {
    Index { doc_id: &'a str, source: &'a str, reason: Reason },
    Skip { doc_id: &'a str },
    Remove { doc_id: &'a str },
    KeepVanished { doc_id: &'a str },
}

fn show_plan(plan: &Plan, report: &Report, json: bool) -> anyhow::Result<Exit> {
    for action in &plan.actions {
        let step = match action {
            Action::Index(h, reason) => Step::Index { doc_id: &h.doc_id, source: &h.source.relative, reason: *reason },
            Action::Skip(doc_id) => Step::Skip { doc_id },
            Action::Remove(doc_id) => Step::Remove { doc_id },
            Action::Keep(doc_id) => Step::KeepVanished { doc_id },
        };
        if json {
            ui::print_json(&step)?;
            continue;
        }
        ui::print_line(&match step {
            Step::Index { source, reason, .. } => {
                format!("index   {source} ({})", format!("{reason:?}").to_lowercase())
            }
            Step::Skip { doc_id } => format!("skip    {doc_id} (unchanged)"),
            Step::Remove { doc_id } => format!("remove  {doc_id} (vanished)"),
            Step::KeepVanished { doc_id } => format!("keep    {doc_id} (vanished; --prune would remove it)"),
        })?;
    }
    for failure in &report.failures {
        ui::say(&format!("failed: {}: {}", failure.file, failure.reason));
    }
    Ok(exit_of(report))
}

/// Says what was done, and everything that was not.
fn summarise(config: &Config, report: &Report, quiet: bool) {
    if quiet {
        return;
    }
    // The same notice on many pages of a file is one line.
    let mut notices: Vec<(String, Vec<u32>)> = Vec::new();
    for notice in &report.notices {
        let text = format!("{}: {}", notice.file, notice.message);
        match notices.iter_mut().find(|(t, _)| *t == text) {
            Some((_, pages)) => pages.extend(notice.page),
            None => notices.push((text, notice.page.into_iter().collect())),
        }
    }
    for (text, pages) in notices {
        let pages: Vec<String> = pages.iter().map(u32::to_string).collect();
        let on = if pages.is_empty() { String::new() } else { format!(" (page {})", pages.join(", ")) };
        ui::say(&format!("note: {text}{on}"));
    }
    let mut lines = vec![format!(
        "{} indexed, {} unchanged, {} removed in {:.1} s",
        ui::count(report.indexed, "document"),
        report.unchanged,
        report.removed,
        report.seconds
    )];
    if report.indexed > 0 {
        lines.push(format!(
            "{}, {}, {}, {}, {}",
            ui::count(report.pages, "page"),
            ui::count(report.tables, "table"),
            ui::count(report.evidence_units, "evidence unit"),
            ui::count(report.text_chunks, "text chunk"),
            ui::count(report.vectors, "vector"),
        ));
    }
    if report.vanished > 0 {
        lines
            .push(format!("{} vanished from the folder; --prune removes them", ui::count(report.vanished, "document")));
    }
    if report.truncated_texts > 0 {
        lines.push(format!(
            "{} longer than the model reads, cut for embedding",
            ui::count(report.truncated_texts, "text")
        ));
    }
    if report.overlapping > 0 {
        lines.push(format!("{} in several of the folders given, indexed once", ui::count(report.overlapping, "file")));
    }
    if report.other_files + report.excluded > 0 {
        lines.push(format!(
            "{} of other kinds passed over, {} excluded",
            ui::count(report.other_files, "file"),
            report.excluded
        ));
    }
    if !report.failures.is_empty() {
        lines.push(format!("{} failed, named above", ui::count(report.failures.len(), "file")));
    }
    if report.interrupted {
        lines.push("interrupted: run the same command again to do the rest".into());
    }
    lines.push(format!(
        "collection {} in {} at {}",
        config.store.collection,
        config.store.kind.name(),
        session::location(&config.store)
    ));
    for line in lines {
        ui::say(&line);
    }
}
