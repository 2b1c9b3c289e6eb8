//! What several subcommands need to begin with: a runtime, the model, the store.

use anyhow::Context;

use crate::config::{Config, Origin, StoreConfig};
use crate::embed::{self, EmbedOptions, Embedder, ModelDir};
use crate::store::{self, CollectionSpec, StoreError, StoreKind, VectorStore};

/// Environment variable with Qdrant's API key: a secret, never a setting.
const QDRANT_API_KEY: &str = "QDRANT_API_KEY";

pub(super) fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the async runtime")
}

/// Finds the model that the settings name.
pub(super) fn find_model(config: &Config) -> anyhow::Result<ModelDir> {
    Ok(embed::resolve(&config.model.id, &embed::default_cache_dir(), !config.model.offline)?)
}

/// The model to ask a collection with: the one that the user named, else the one that the collection was made with.
pub(super) fn model_of(config: &Config, spec: &CollectionSpec) -> anyhow::Result<ModelDir> {
    let named = config.origins.get("model.id").is_some_and(|origin| *origin != Origin::Default);
    let own = spec.model.rsplit_once('@').map_or(spec.model.as_str(), |(name, _)| name);
    let id = if named { &config.model.id } else { own };
    Ok(embed::resolve(id, &embed::default_cache_dir(), !config.model.offline)?)
}

/// Fails unless the collection was made with the very model that is loaded.
pub(super) fn check(spec: &CollectionSpec, embedder: &Embedder) -> Result<(), StoreError> {
    let loaded = CollectionSpec { model: embedder.model_id().to_owned(), dim: embedder.dim(), ..spec.clone() };
    loaded.check(spec)
}

/// Options for that many threads; 0 for all cores.
pub(super) fn embed_options(jobs: usize) -> EmbedOptions {
    let all = EmbedOptions::default();
    if jobs == 0 { all } else { EmbedOptions { threads: jobs, ..all } }
}

/// Where the chosen store is.
pub(super) fn location(store: &StoreConfig) -> &str {
    match store.kind {
        StoreKind::Lancedb => &store.uri,
        StoreKind::Qdrant => &store.url,
    }
}

fn api_key() -> Option<String> {
    std::env::var(QDRANT_API_KEY).ok().filter(|key| !key.is_empty())
}

/// Opens the collection for vectors of this model.
pub(super) async fn open(
    config: &Config,
    model: &str,
    dim: usize,
    create: bool,
) -> Result<Box<dyn VectorStore>, store::StoreError> {
    let spec = CollectionSpec { name: config.store.collection.clone(), model: model.to_owned(), dim };
    store::open(config.store.kind, location(&config.store), api_key(), &spec, create).await
}

/// Opens the collection whatever its model.
pub(super) async fn open_existing(
    config: &Config,
) -> Result<(Box<dyn VectorStore>, CollectionSpec), store::StoreError> {
    store::open_existing(config.store.kind, location(&config.store), api_key(), &config.store.collection).await
}
