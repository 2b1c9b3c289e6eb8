//! The weights file, mapped into memory.
//!
//! The embedding table of a multilingual model is four fifths of its weights, and a text needs a few rows of it: they are
//! read from the mapped file, so that loading costs neither the time nor the memory for the rest.

use std::path::Path;

use candle_core::safetensors::MmapedSafetensors;
use candle_core::{DType, Device, Tensor};

use super::EmbedError;

/// An open `model.safetensors`.
pub(super) struct Weights {
    file: MmapedSafetensors,
    /// What some exporters put before every name: `bert.` or `roberta.`.
    prefix: String,
}

impl Weights {
    /// Maps the file. `prefixes` are the name prefixes to try; the one under which the word embeddings are found is used.
    pub(super) fn open(path: &Path, prefixes: &[&str]) -> Result<Self, EmbedError> {
        let file = map(path).map_err(|e| EmbedError::invalid(path, e))?;
        let prefix = prefixes.iter().find(|prefix| file.get(&format!("{prefix}{WORD_EMBEDDINGS}")).is_ok());
        let prefix =
            prefix.ok_or_else(|| EmbedError::invalid(path, format!("there is no tensor {WORD_EMBEDDINGS}")))?;
        Ok(Self { prefix: (*prefix).to_owned(), file })
    }

    /// The numbers of a whole tensor of the given shape, row by row.
    pub(super) fn numbers(&self, name: &str, shape: &[usize]) -> candle_core::Result<Vec<f32>> {
        let tensor = self.file.load(&format!("{}{name}", self.prefix), &Device::Cpu)?.to_dtype(DType::F32)?;
        if tensor.dims() != shape {
            candle_core::bail!("{name} is {:?} where config.json says {shape:?}", tensor.dims());
        }
        tensor.flatten_all()?.to_vec1()
    }

    /// The shape of a tensor.
    pub(super) fn shape(&self, name: &str) -> candle_core::Result<Vec<usize>> {
        Ok(self.file.get(&format!("{}{name}", self.prefix))?.shape().to_vec())
    }

    /// Writes the word embeddings of `ids` to `out`, row by row.
    pub(super) fn word_embeddings(&self, ids: &[u32], out: &mut [f32]) -> candle_core::Result<()> {
        let table = self.file.get(&format!("{}{WORD_EMBEDDINGS}", self.prefix))?;
        let dtype = DType::try_from(table.dtype())?;
        let hidden = out.len() / ids.len().max(1);
        let row_bytes = hidden * dtype.size_in_bytes();
        let mut rows = Vec::with_capacity(ids.len() * row_bytes);
        for &id in ids {
            let start = id as usize * row_bytes;
            match table.data().get(start..start + row_bytes) {
                Some(row) => rows.extend_from_slice(row),
                None => candle_core::bail!("token {id} is outside the model's vocabulary"),
            }
        }
        let rows = Tensor::from_raw_buffer(&rows, dtype, &[out.len()], &Device::Cpu)?.to_dtype(DType::F32)?;
        out.copy_from_slice(&rows.to_vec1::<f32>()?);
        Ok(())
    }
}

/// Name of the embedding table.
pub(super) const WORD_EMBEDDINGS: &str = "embeddings.word_embeddings.weight";

#[allow(unsafe_code)]
fn map(path: &Path) -> candle_core::Result<MmapedSafetensors> {
    // SAFETY: the map is read-only, and the file must not change while it is in use. Models are put into the cache under
    // their final names only when complete and are never written to afterwards (`import`), and so does the hub's client.
    unsafe { MmapedSafetensors::new(path) }
}
