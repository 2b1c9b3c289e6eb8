//! `evindex chunk`

use anyhow::anyhow;

use super::args::ChunkArgs;
use super::exit::Exit;
use super::{parse, passwords, ui};
use crate::chunk::tokens::Budget;
use crate::config::Config;
use crate::embed::FileTokenizer;
use crate::export;
use crate::pipeline;
use crate::walk;

/// Prints the units of one file.
pub(super) fn run(config: &Config, args: &ChunkArgs) -> anyhow::Result<Exit> {
    let format = parse::format_of(&args.file)?;
    let name = args.file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let doc_id = walk::candidate(&name);
    let tokenizer = args.tokenizer.as_deref().map(FileTokenizer::load).transpose()?;
    let max_tokens = config.chunking.max_tokens;
    let budget = match &tokenizer {
        Some(tokenizer) => Budget { max_tokens: usize::MAX, model: Some((tokenizer, max_tokens)) },
        None => Budget { max_tokens, model: None },
    };
    let passwords = passwords::passwords(config, &args.passwords)?;
    let (document, units) = pipeline::read_units(&args.file, format, &doc_id, &passwords, &config.chunking, &budget)
        .map_err(|reason| anyhow!("{}: {reason}", args.file.display()))?;
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {}:{page} {}", args.file.display(), warning.message));
    }
    for unit in &units {
        ui::print(&export::lines(unit, args.format, args.parts))?;
    }
    Ok(Exit::Success)
}
