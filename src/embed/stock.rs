//! Our forward pass against that of candle-transformers, text by text.

use candle_core::{Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config, DTYPE};

use super::encoder::{Encoder, Workspace};
use super::settings::Settings;
use super::*;

/// Fails unless both implementations give the tokens of each text the same vectors.
pub(super) fn assert_agrees(dir: &Path, texts: &[&[u32]]) {
    let weights = dir.join("model.safetensors");
    let settings = Settings::read(dir, "test/stock").unwrap().architecture;
    let ours = Encoder::load(&weights, &settings).unwrap();
    let config = Config {
        vocab_size: ours.vocabulary(),
        hidden_size: settings.hidden_size,
        num_hidden_layers: settings.num_hidden_layers,
        num_attention_heads: settings.num_attention_heads,
        intermediate_size: settings.intermediate_size,
        max_position_embeddings: settings.max_position_embeddings,
        layer_norm_eps: settings.layer_norm_eps,
        ..Config::default()
    };
    let tensors = candle_core::safetensors::load(&weights, &Device::Cpu).unwrap();
    let stock = BertModel::load(VarBuilder::from_tensors(tensors, DTYPE, &Device::Cpu), &config).unwrap();
    let mut space = Workspace::default();
    let packed = ours.token_vectors(texts, &mut space).unwrap();
    let mut expected = Vec::new();
    for text in texts {
        let ids = Tensor::new(*text, &Device::Cpu).unwrap().unsqueeze(0).unwrap();
        let states = stock.forward(&ids, &ids.zeros_like().unwrap(), None).unwrap();
        expected.extend(states.flatten_all().unwrap().to_vec1::<f32>().unwrap());
    }
    assert_eq!(packed.len(), expected.len());
    let apart = packed.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let size = expected.iter().map(|x| x.abs()).fold(0.0, f32::max);
    assert!(apart <= 1e-5 * size.max(1.0), "vectors up to {size} differ by {apart}");
}

#[test]
fn packed_texts_get_the_vectors_of_the_stock_implementation() {
    let Ok(model) = resolve("all-MiniLM-L6-v2", &default_cache_dir(), false) else {
        eprintln!("SKIPPED: all-MiniLM-L6-v2 is not here; run scripts/get-model all-MiniLM-L6-v2");
        return;
    };
    let tokenizer = ModelTokenizer::load(&model).unwrap();
    let texts = ["a", "The XR-12 pump circulates coolant through the press line.", "It must be replaced.", "a b"];
    let ids: Vec<Vec<u32>> = texts.iter().map(|t| tokenizer.passage(t).unwrap().ids).collect();
    assert_agrees(&model.path, &ids.iter().map(Vec::as_slice).collect::<Vec<_>>());
}
