//! Settings: defaults < `evindex.toml` < environment < flags, validated once.
//!
//! Every setting has a default and a dotted name (`store.uri`); the layers overwrite one another by name, and
//! [`Config::origins`] keeps where each value came from. Secrets are never settings: they are read from the environment
//! where they are used.

mod layers;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::chunk::ChunkSettings;
use crate::store::StoreKind;

use layers::Layers;
pub use layers::Origin;

/// Name of the file that is read from the working directory when none is named.
pub const FILE_NAME: &str = "evindex.toml";

/// Most tokens of a unit: more than any embedding model reads.
const MAX_TOKENS: usize = 65_536;

/// Most texts of a commit: their vectors are in memory together.
const MAX_BATCH_TEXTS: usize = 1_000_000;

/// Most threads: beyond the cores of any machine, threads only cost memory.
const MAX_JOBS: usize = 1024;

/// Most units of one answer: a store is asked for ten candidates for each.
const MAX_K: usize = 10_000;

/// All settings in force.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where vectors go.
    pub store: StoreConfig,
    /// What makes them.
    pub model: ModelConfig,
    /// How documents become units.
    pub chunking: ChunkSettings,
    /// Which files are read, and how.
    pub ingest: IngestConfig,
    /// How questions are answered.
    pub query: QueryConfig,
    /// Where each value came from, by dotted name.
    #[serde(skip)]
    pub origins: BTreeMap<String, Origin>,
}

/// `[store]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreConfig {
    /// `lancedb` or `qdrant`.
    pub kind: StoreKind,
    /// Folder of the LanceDB database.
    pub uri: String,
    /// gRPC address of Qdrant; the API key comes from `QDRANT_API_KEY`.
    pub url: String,
    /// Name of the collection.
    pub collection: String,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self {
            kind: StoreKind::default(),
            uri: "evindex-data".into(),
            url: "http://localhost:6334".into(),
            collection: "documents".into(),
        }
    }
}

/// `[model]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConfig {
    /// Model id or directory.
    pub id: String,
    /// Never ask the model hub, use what is on this machine.
    pub offline: bool,
}

impl Default for ModelConfig {
    fn default() -> Self {
        Self { id: crate::embed::DEFAULT_MODEL.into(), offline: false }
    }
}

/// `[ingest]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IngestConfig {
    /// gitignore-style patterns of what to leave out.
    pub exclude: Vec<String>,
    /// Whether names that begin with a dot are read.
    pub hidden: bool,
    /// Label for the ingested folder in place of its absolute path; empty for none.
    pub root_label: String,
    /// File of passwords to try on encrypted files, one a line; empty for none.
    pub password_file: String,
    /// Threads for parsing and embedding; 0 for all cores.
    pub jobs: usize,
    /// Whether documents whose file has vanished are removed.
    pub prune: bool,
    /// Largest file that is read, in MiB.
    pub max_file_mib: u64,
    /// Texts that are embedded and committed together, unless one document alone has more.
    pub batch_texts: usize,
}

impl Default for IngestConfig {
    fn default() -> Self {
        Self {
            exclude: Vec::new(),
            hidden: false,
            root_label: String::new(),
            password_file: String::new(),
            jobs: 0,
            prune: false,
            // lopdf holds a file and its objects in memory at once; beyond this one file could take several GiB.
            max_file_mib: 512,
            // Large enough that sorting by length pays and that a commit is not tiny; on a CPU under half a minute of work,
            // which is what an interruption loses at most.
            batch_texts: 256,
        }
    }
}

/// `[query]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryConfig {
    /// How many distinct units are returned.
    pub k: usize,
}

impl Default for QueryConfig {
    fn default() -> Self {
        Self { k: 5 }
    }
}

/// What is wrong with the settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {path}: {reason}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file of passwords cannot be read.
    #[error("cannot read the password file {path}: {reason}")]
    Passwords {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file is no TOML.
    #[error("{path}: {reason}")]
    Syntax {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        reason: String,
    },
    /// There is no such setting.
    #[error("{origin}: there is no setting {name:?}{hint}")]
    Unknown {
        /// Where it was set.
        origin: Origin,
        /// Its dotted name.
        name: String,
        /// `; did you mean …?`
        hint: String,
    },
    /// A value is not of the right kind or out of range.
    #[error("{origin}: {name}: {reason}")]
    Value {
        /// Where it was set.
        origin: Origin,
        /// Its dotted name.
        name: String,
        /// What is wrong, and what would be right.
        reason: String,
    },
}

impl Config {
    /// Reads all layers. `file` must exist; without it `evindex.toml` is read where there is one. `environment` holds
    /// the variables to look at, `flags` dotted names with values.
    pub fn load(
        file: Option<PathBuf>,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: Vec<(&'static str, toml::Value)>,
    ) -> Result<Self, ConfigError> {
        let mut layers = Layers::defaults(&Self::default());
        let file = file.or_else(|| Some(PathBuf::from(FILE_NAME)).filter(|p| p.is_file()));
        if let Some(path) = file {
            layers.file(&path)?;
        }
        layers.environment(environment)?;
        layers.flags(flags)?;
        let config = layers.resolve()?;
        config.validate()?;
        Ok(config)
    }

    fn validate(&self) -> Result<(), ConfigError> {
        let ranges = [
            ("chunking.max_tokens", self.chunking.max_tokens, crate::chunk::MIN_TOKENS, MAX_TOKENS),
            ("ingest.batch_texts", self.ingest.batch_texts, 1, MAX_BATCH_TEXTS),
            ("ingest.jobs", self.ingest.jobs, 0, MAX_JOBS),
            ("query.k", self.query.k, 1, MAX_K),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return Err(self.bad(name, &format!("must be from {least} to {most}")));
            }
        }
        if self.ingest.max_file_mib == 0 {
            return Err(self.bad("ingest.max_file_mib", "must be at least 1"));
        }
        if !(self.chunking.bbox_threshold.is_finite() && self.chunking.bbox_threshold >= 0.0) {
            return Err(self.bad("chunking.bbox_threshold", "must be a number of points, 0 or more"));
        }
        let texts = [("store.uri", &self.store.uri), ("store.url", &self.store.url), ("model.id", &self.model.id)];
        for (name, text) in texts {
            if text.trim().is_empty() {
                return Err(self.bad(name, "must not be empty"));
            }
        }
        let name = &self.store.collection;
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')) {
            return Err(self.bad("store.collection", "use letters, digits, '-', '_' and '.' only"));
        }
        Ok(())
    }

    fn bad(&self, name: &str, reason: &str) -> ConfigError {
        let origin = self.origins.get(name).cloned().unwrap_or(Origin::Default);
        ConfigError::Value { origin, name: name.to_owned(), reason: reason.to_owned() }
    }

    /// Every setting with its value and where it came from, by dotted name.
    pub fn entries(&self) -> Vec<(String, toml::Value, Origin)> {
        let origin = |name: &String| self.origins.get(name).cloned().unwrap_or(Origin::Default);
        layers::flatten(self).into_iter().map(|(name, value)| (name.clone(), value, origin(&name))).collect()
    }
}

#[cfg(test)]
mod tests;
