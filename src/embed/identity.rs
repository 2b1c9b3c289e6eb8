//! Which model made a vector.

use std::path::Path;

use super::settings::Settings;
use super::{EmbedError, ModelDir};

/// What tells the vectors of one model from those of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelIdentity {
    /// The model's name and a digest of all that decides about its vectors, `name@0123456789ab`: equal ids mean
    /// comparable vectors.
    pub id: String,
    /// Length of the vectors.
    pub dim: usize,
}

/// Identifies a model without loading it. Reads all its weights once, at the speed of the disk or of the digest.
pub fn identify(model: &ModelDir) -> Result<ModelIdentity, EmbedError> {
    let settings = Settings::read(&model.path, &model.name)?;
    let mut hasher = blake3::Hasher::new();
    let Settings { architecture, pooling, query_prefix, passage_prefix, .. } = &settings;
    let encoder = (architecture.num_attention_heads, architecture.layer_norm_eps, architecture.first_position());
    hasher.update(format!("{pooling:?} {query_prefix:?} {passage_prefix:?} {encoder:?}").as_bytes());
    for file in ["tokenizer.json", "model.safetensors"] {
        update(&mut hasher, &model.path.join(file))?;
    }
    let digest: String = hasher.finalize().to_hex().chars().take(12).collect();
    Ok(ModelIdentity { id: format!("{}@{digest}", model.name), dim: architecture.hidden_size })
}

/// Adds a file's bytes, and their number, so that two files cannot pass for two others with the same bytes in a row.
fn update(hasher: &mut blake3::Hasher, path: &Path) -> Result<(), EmbedError> {
    let file = std::fs::File::open(path).map_err(EmbedError::io(path))?;
    let before = hasher.count();
    hasher.update_reader(file).map_err(EmbedError::io(path))?;
    let length = hasher.count() - before;
    hasher.update(&length.to_le_bytes());
    Ok(())
}
