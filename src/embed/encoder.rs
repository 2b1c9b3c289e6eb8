//! The forward pass of a BERT or RoBERTa encoder over packed texts.
//!
//! The texts of a batch lie one behind the other in one matrix of tokens: the dense layers, which take nearly all the
//! time, see no padding, and attention runs text by text. So a text's vectors do not depend on its company, and no
//! attention mask is needed.

use std::path::Path;

use candle_core::Result;
use pulp::Arch;

use super::EmbedError;
use super::attention::{Scratch, attend};
use super::matrix::{Aligned, Dense};
use super::rows::{LayerNorm, gelu};
use super::settings::Architecture;
use super::weights::{WORD_EMBEDDINGS, Weights};

/// Most tokens that go through a layer's dense parts together. Each time, the layer's weights come from the machine's
/// shared cache: with 128 tokens that takes a fifth of the time, with more than 512 the inner numbers (3 MiB at BERT's
/// usual 1536) leave the core's own cache.
const STRIP: usize = 512;

/// An encoder with its weights; shared by all workers.
pub(super) struct Encoder {
    arch: Arch,
    weights: Weights,
    hidden: usize,
    inner: usize,
    heads: usize,
    vocabulary: usize,
    /// Position embeddings from the first usable position, `hidden` numbers each, with token type 0 added.
    positions: Vec<f32>,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value in one, each `hidden` numbers. The scale of attention is part of the query's weights.
    projections: Dense,
    attention_output: Dense,
    attention_norm: LayerNorm,
    feed_forward: Dense,
    output: Dense,
    output_norm: LayerNorm,
}

/// What a worker computes in; kept from batch to batch.
#[derive(Default)]
pub(super) struct Workspace {
    states: Aligned,
    projected: Aligned,
    attended: Aligned,
    attention: Scratch,
    /// Of a strip: the feed-forward layer, and what is added to its states.
    inner: Aligned,
    change: Aligned,
}

impl Encoder {
    pub(super) fn load(path: &Path, architecture: &Architecture) -> std::result::Result<Self, EmbedError> {
        let weights = Weights::open(path, &["", "bert.", "roberta."])?;
        Self::build(weights, architecture).map_err(|e| EmbedError::invalid(path, e))
    }

    fn build(weights: Weights, architecture: &Architecture) -> Result<Self> {
        let hidden = architecture.hidden_size;
        let vocabulary = match weights.shape(WORD_EMBEDDINGS)?.as_slice() {
            &[rows, columns] if columns == hidden => rows,
            other => candle_core::bail!("{WORD_EMBEDDINGS} is {other:?} where config.json says hidden size {hidden}"),
        };
        let table = [architecture.max_position_embeddings, hidden];
        let mut positions = weights.numbers("embeddings.position_embeddings.weight", &table)?;
        positions.drain(..architecture.first_position() * hidden);
        let types = "embeddings.token_type_embeddings.weight";
        let n_types = weights.shape(types)?.first().copied().unwrap_or_default();
        let types = weights.numbers(types, &[n_types, hidden])?;
        for position in positions.chunks_exact_mut(hidden) {
            position.iter_mut().zip(&types).for_each(|(position, kind)| *position += kind);
        }
        let arch = Arch::new();
        let layer = |layer| Layer::load(arch, &weights, layer, architecture);
        Ok(Self {
            arch,
            positions,
            norm: layer_norm(&weights, "embeddings.LayerNorm", architecture)?,
            layers: (0..architecture.num_hidden_layers).map(layer).collect::<Result<_>>()?,
            heads: architecture.num_attention_heads,
            inner: architecture.intermediate_size,
            weights,
            hidden,
            vocabulary,
        })
    }

    /// Length of a token's vector.
    pub(super) fn hidden(&self) -> usize {
        self.hidden
    }

    /// Number of tokens that have an embedding.
    pub(super) fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// The last layer's vectors of all tokens of all texts, one text behind the other: tokens × [`hidden`](Self::hidden)
    /// numbers.
    pub(super) fn token_vectors<'a>(&self, texts: &[&[u32]], space: &'a mut Workspace) -> Result<&'a [f32]> {
        let Workspace { states, projected, attended, attention, inner, change } = space;
        let (arch, hidden) = (self.arch, self.hidden);
        let ids = texts.concat();
        let size = ids.len() * hidden;
        self.embed(texts, &ids, states.resized(size))?;
        for layer in &self.layers {
            let states = states.resized(size);
            let projected = projected.resized(3 * size);
            layer.projections.apply(states, projected);

            let attended = attended.resized(size);
            let (mut projected, mut rest) = (&*projected, &mut *attended);
            for text in texts {
                let of_text = projected.split_off(..text.len() * 3 * hidden).unwrap_or_default();
                let out = rest.split_off_mut(..text.len() * hidden).unwrap_or_default();
                attend(arch, of_text, hidden, self.heads, attention, out);
            }

            for (states, attended) in states.chunks_mut(STRIP * hidden).zip(attended.chunks(STRIP * hidden)) {
                let change = change.resized(states.len());
                let inner = inner.resized(states.len() / hidden * self.inner);
                layer.attention_output.apply(attended, change);
                layer.attention_norm.add(arch, states, change);
                layer.feed_forward.apply(states, inner);
                gelu(arch, inner);
                layer.output.apply(inner, change);
                layer.output_norm.add(arch, states, change);
            }
        }
        Ok(states.as_slice())
    }

    /// The embeddings of tokens at their positions.
    fn embed(&self, texts: &[&[u32]], ids: &[u32], mut states: &mut [f32]) -> Result<()> {
        self.weights.word_embeddings(ids, states)?;
        for text in texts {
            let states = states.split_off_mut(..text.len() * self.hidden).unwrap_or_default();
            match self.positions.get(..states.len()) {
                Some(positions) => self.norm.add(self.arch, states, positions),
                None => candle_core::bail!("a text of {} tokens is longer than the model reads", text.len()),
            }
        }
        Ok(())
    }
}

impl Layer {
    fn load(arch: Arch, weights: &Weights, layer: usize, architecture: &Architecture) -> Result<Self> {
        let (hidden, inner) = (architecture.hidden_size, architecture.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let pair = |part: &str, [rows, columns]: [usize; 2]| -> Result<(Vec<f32>, Vec<f32>)> {
            let weight = weights.numbers(&format!("{}.weight", name(part)), &[rows, columns])?;
            Ok((weight, weights.numbers(&format!("{}.bias", name(part)), &[rows])?))
        };
        let dense = |part: &str, shape: [usize; 2]| -> Result<Dense> {
            let (weight, bias) = pair(part, shape)?;
            Ok(Dense::new(arch, &weight, shape[1], bias))
        };
        let (mut projections, mut bias) = pair("attention.self.query", [hidden, hidden])?;
        let scale = 1.0 / ((hidden / architecture.num_attention_heads) as f32).sqrt();
        projections.iter_mut().chain(&mut bias).for_each(|number| *number *= scale);
        for part in ["attention.self.key", "attention.self.value"] {
            let (more, more_bias) = pair(part, [hidden, hidden])?;
            projections.extend(more);
            bias.extend(more_bias);
        }
        let norm = |part: &str| layer_norm(weights, &name(part), architecture);
        Ok(Self {
            projections: Dense::new(arch, &projections, hidden, bias),
            attention_output: dense("attention.output.dense", [hidden, hidden])?,
            attention_norm: norm("attention.output.LayerNorm")?,
            feed_forward: dense("intermediate.dense", [inner, hidden])?,
            output: dense("output.dense", [hidden, inner])?,
            output_norm: norm("output.LayerNorm")?,
        })
    }
}

fn layer_norm(weights: &Weights, name: &str, architecture: &Architecture) -> Result<LayerNorm> {
    let numbers = |part: &str| weights.numbers(&format!("{name}.{part}"), &[architecture.hidden_size]);
    Ok(LayerNorm { scale: numbers("weight")?, shift: numbers("bias")?, epsilon: architecture.layer_norm_eps as f32 })
}
