//! The forward pass of a BERT or RoBERTa encoder over packed texts.
//!
//! The texts of a batch lie one behind the other in one matrix of tokens: the dense layers, which take nearly all the
//! time, see no padding, and attention runs text by text (texts of equal length together). So a text's vectors do not
//! depend on its company, and no attention mask is needed.

use std::path::Path;

use candle_core::{D, Device, Result, Tensor};
use candle_nn::ops::softmax_last_dim;

use super::EmbedError;
use super::batch::runs;
use super::fused::{AddNorm, Bias, BiasGelu};
use super::settings::Architecture;
use super::weights::{WORD_EMBEDDINGS, Weights};

/// An encoder with its weights; shared by all workers.
pub(super) struct Encoder {
    weights: Weights,
    hidden: usize,
    heads: usize,
    vocabulary: usize,
    /// `[positions, hidden]`: position embeddings from the first usable position, with token type 0 added.
    positions: Tensor,
    norm: AddNorm,
    layers: Vec<Layer>,
}

/// Weights are transposed views, `[in, out]`; biases are added by the step that follows.
struct Layer {
    /// Query, key and value in one; `[hidden, 3 · hidden]`. The scale of attention is part of the query's weights.
    projections: Tensor,
    projections_bias: Bias,
    /// `[hidden, hidden]`.
    attention_output: Tensor,
    attention_norm: AddNorm,
    /// `[hidden, feed-forward]`.
    feed_forward: Tensor,
    gelu: BiasGelu,
    /// `[feed-forward, hidden]`.
    output: Tensor,
    output_norm: AddNorm,
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
        let first = architecture.first_position();
        let table = [architecture.max_position_embeddings, hidden];
        let positions = weights.tensor("embeddings.position_embeddings.weight", &table)?;
        let positions = positions.narrow(0, first, architecture.max_position_embeddings - first)?;
        let types = "embeddings.token_type_embeddings.weight";
        let n_types = weights.shape(types)?.first().copied().unwrap_or_default();
        let types = weights.tensor(types, &[n_types, hidden])?;
        Ok(Self {
            positions: positions.broadcast_add(&types.narrow(0, 0, 1)?)?,
            norm: add_norm(&weights, "embeddings.LayerNorm", vec![0.0; hidden], architecture)?,
            layers: (0..architecture.num_hidden_layers)
                .map(|layer| Layer::load(&weights, layer, architecture))
                .collect::<Result<_>>()?,
            heads: architecture.num_attention_heads,
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
    pub(super) fn token_vectors(&self, texts: &[&[u32]]) -> Result<Vec<f32>> {
        let ids = texts.concat();
        let positions: Vec<u32> = texts.iter().flat_map(|text| (0..).take(text.len())).collect();
        let positions = self.positions.index_select(&Tensor::new(positions, &Device::Cpu)?, 0)?;
        let words = self.weights.word_embeddings(&ids, self.hidden)?;
        let mut states = words.apply_op2_no_bwd(&positions, &self.norm)?;
        let runs = runs(texts.iter().map(|text| text.len()));
        for layer in &self.layers {
            let projected = states.matmul(&layer.projections)?.apply_op1_no_bwd(&layer.projections_bias)?;
            let mixed = self.attention(&projected, &runs)?.matmul(&layer.attention_output)?;
            states = mixed.apply_op2_no_bwd(&states, &layer.attention_norm)?;
            let inner = states.matmul(&layer.feed_forward)?.apply_op1_no_bwd(&layer.gelu)?;
            states = inner.matmul(&layer.output)?.apply_op2_no_bwd(&states, &layer.output_norm)?;
        }
        states.flatten_all()?.to_vec1()
    }

    /// Self-attention of each text over itself. `projected` is `[tokens, 3 · hidden]`, the result `[tokens, hidden]`.
    fn attention(&self, projected: &Tensor, runs: &[(usize, usize)]) -> Result<Tensor> {
        let per_head = self.hidden / self.heads;
        let mut start = 0;
        let mut mixed = Vec::with_capacity(runs.len());
        for &(tokens, texts) in runs {
            let run = projected.narrow(0, start, texts * tokens)?;
            start += texts * tokens;
            let split = run.reshape((texts, tokens, 3, self.heads, per_head))?.permute((2, 0, 3, 1, 4))?;
            let part = |i| split.get(i)?.contiguous()?.reshape((texts * self.heads, tokens, per_head));
            let [query, key, value]: [Tensor; 3] = [part(0)?, part(1)?, part(2)?];
            let weights = softmax_last_dim(&query.matmul(&key.transpose(D::Minus1, D::Minus2)?)?)?;
            let heads = weights.matmul(&value)?.reshape((texts, self.heads, tokens, per_head))?;
            mixed.push(heads.transpose(1, 2)?.contiguous()?.reshape((texts * tokens, self.hidden))?);
        }
        Tensor::cat(&mixed, 0)
    }
}

impl Layer {
    fn load(weights: &Weights, layer: usize, architecture: &Architecture) -> Result<Self> {
        let (hidden, inner) = (architecture.hidden_size, architecture.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let pair = |part: &str, [rows, columns]: [usize; 2]| -> Result<(Tensor, Tensor)> {
            let weight = weights.tensor(&format!("{}.weight", name(part)), &[rows, columns])?;
            Ok((weight, weights.tensor(&format!("{}.bias", name(part)), &[rows])?))
        };
        let (query, query_bias) = pair("attention.self.query", [hidden, hidden])?;
        let (key, key_bias) = pair("attention.self.key", [hidden, hidden])?;
        let (value, value_bias) = pair("attention.self.value", [hidden, hidden])?;
        let scale = 1.0 / ((hidden / architecture.num_attention_heads) as f64).sqrt();
        let projections_bias = Tensor::cat(&[(query_bias * scale)?, key_bias, value_bias], 0)?;
        let (attention_output, attention_bias) = pair("attention.output.dense", [hidden, hidden])?;
        let (feed_forward, feed_forward_bias) = pair("intermediate.dense", [inner, hidden])?;
        let (output, output_bias) = pair("output.dense", [hidden, inner])?;
        let norm = |part: &str, bias: Tensor| add_norm(weights, &name(part), bias.to_vec1()?, architecture);
        Ok(Self {
            projections: Tensor::cat(&[(query * scale)?, key, value], 0)?.t()?,
            projections_bias: Bias(projections_bias.to_vec1()?),
            attention_output: attention_output.t()?,
            attention_norm: norm("attention.output.LayerNorm", attention_bias)?,
            feed_forward: feed_forward.t()?,
            gelu: BiasGelu(feed_forward_bias.to_vec1()?),
            output: output.t()?,
            output_norm: norm("output.LayerNorm", output_bias)?,
        })
    }
}

/// The layer norm `name`, behind a step with the given bias.
fn add_norm(weights: &Weights, name: &str, bias: Vec<f32>, architecture: &Architecture) -> Result<AddNorm> {
    let vector = |part: &str| weights.tensor(&format!("{name}.{part}"), &[architecture.hidden_size])?.to_vec1();
    Ok(AddNorm { bias, scale: vector("weight")?, shift: vector("bias")?, epsilon: architecture.layer_norm_eps as f32 })
}
