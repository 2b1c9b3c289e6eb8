//! `evindex chunk`

use anyhow::anyhow;

use super::args::ChunkArgs;
use super::exit::Exit;
use super::{parse, passwords, ui};
use crate::chunk::tokens::Budget;
use crate::config::Config;
use crate::pipeline;
use crate::walk;

/// Prints the units of one file as JSON lines.
pub(super) fn run(config: &Config, args: &ChunkArgs) -> anyhow::Result<Exit> {
    let (format, bytes) = parse::read(&args.file)?;
    let name = args.file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let doc_id = walk::candidate(&name);
    let budget = Budget { max_tokens: config.chunking.max_tokens, model: None };
    let passwords = passwords::passwords(config, &args.passwords)?;
    let (document, units) = pipeline::units_of(&bytes, format, &doc_id, &passwords, &config.chunking, &budget)
        .map_err(|reason| anyhow!("{}: {reason}", args.file.display()))?;
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {}:{page} {}", args.file.display(), warning.message));
    }
    for unit in &units {
        ui::print_json(unit)?;
    }
    Ok(Exit::Success)
}
