//! `evindex chunk`

use std::collections::HashSet;
use std::path::Path;

use anyhow::anyhow;

use super::args::{ChunkArgs, UnitSize};
use super::exit::Exit;
use super::{files, passwords, ui};
use crate::chunk::ChunkSettings;
use crate::chunk::tokens::Budget;
use crate::config::Config;
use crate::embed::ModelTokenizer;
use crate::export::{self, ExportFormat};
use crate::pipeline;
use crate::walk;

/// Prints the units of each file.
pub(super) fn run(config: &Config, args: &ChunkArgs) -> anyhow::Result<Exit> {
    let passwords = passwords::passwords(config, &args.passwords)?;
    let tokenizer = args.tokenizer.as_deref().map(ModelTokenizer::from_file).transpose()?;
    let most = config.chunking.max_tokens;
    let budget = match &tokenizer {
        Some(tokenizer) => Budget { max_tokens: usize::MAX, model: Some((tokenizer, most)) },
        None => Budget { max_tokens: most, model: None },
    };
    if args.units == UnitSize::Small && matches!(args.format, ExportFormat::Jsonl | ExportFormat::Markdown) {
        ui::say("warning: --units small is for --format langchain and llamaindex; this format has each unit whole");
    }
    let mut seen = HashSet::new();
    files::each(&args.files, |file| {
        let name = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let doc_id = walk::candidate(&name);
        if !seen.insert(doc_id.clone()) {
            // What `ingest` cures with the folder's help: here the files have nothing but their names.
            ui::say(&format!("warning: {}: its units have the ids of another file's: {doc_id}-…", file.display()));
        }
        print(file, &doc_id, (&config.chunking, &budget), args, &passwords)
    })
}

fn print(
    path: &Path,
    doc_id: &str,
    (chunking, budget): (&ChunkSettings, &Budget<'_>),
    args: &ChunkArgs,
    passwords: &[String],
) -> anyhow::Result<()> {
    let (format, bytes) = files::read(path)?;
    let (document, units) = pipeline::units_of(&bytes, format, doc_id, passwords, chunking, budget)
        .map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    files::say_warnings(path, &document);
    let source = path.to_string_lossy();
    for unit in &units {
        for line in export::lines(unit, &source, args.format, args.units == UnitSize::Small)? {
            ui::print_line(&line)?;
        }
    }
    Ok(())
}
