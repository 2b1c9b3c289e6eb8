//! From text to token ids, exactly as the model was trained to see them.

use std::path::Path;
use std::sync::Arc;

use tokenizers::{PostProcessor, Tokenizer, TruncationDirection};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::settings::Settings;
use super::{EmbedError, ModelDir};
use crate::chunk::tokens::TokenCounter;

/// A model's tokenizer; cheap to clone.
///
/// As a [`TokenCounter`] it counts the tokens of the text itself, without special tokens and prefixes: a text of at most
/// [`max_tokens`](Self::max_tokens) of them is read to its end.
#[derive(Clone)]
pub struct ModelTokenizer {
    inner: Arc<Tokenizer>,
    query_prefix: Arc<str>,
    passage_prefix: Arc<str>,
    max_length: usize,
    max_tokens: usize,
}

/// The token ids of a text, special tokens included.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tokens {
    pub(super) ids: Vec<u32>,
    /// Whether the text was longer than the model reads.
    pub(super) truncated: bool,
}

impl ModelTokenizer {
    /// Loads the tokenizer of a model without its weights.
    pub fn load(model: &ModelDir) -> Result<Self, EmbedError> {
        let settings = Settings::read(&model.path, &model.name)?;
        Self::with_settings(&model.path.join("tokenizer.json"), &settings, settings.max_length)
    }

    pub(super) fn with_settings(path: &Path, settings: &Settings, max_length: usize) -> Result<Self, EmbedError> {
        let mut tokenizer = Self {
            inner: Arc::new(read(path)?),
            query_prefix: settings.query_prefix.as_str().into(),
            passage_prefix: settings.passage_prefix.as_str().into(),
            max_length,
            max_tokens: 0,
        };
        // What is left is measured on a text, because a prefix alone may be split otherwise than before a word.
        let with_prefix = tokenizer.inner.encode_fast(format!("{}a", settings.passage_prefix), true);
        let with_prefix = with_prefix.map_err(|e| EmbedError::invalid(path, e))?.len();
        let overhead = with_prefix.saturating_sub(tokenizer.count("a"));
        tokenizer.max_tokens = max_length.saturating_sub(overhead);
        if tokenizer.max_tokens == 0 {
            return Err(EmbedError::invalid(path, format!("inputs of {max_length} tokens leave no room for text")));
        }
        Ok(tokenizer)
    }

    /// A tokenizer without a model, which counts only.
    pub fn from_file(path: &Path) -> Result<impl TokenCounter + use<>, EmbedError> {
        let (prefix, length): (Arc<str>, usize) = ("".into(), usize::MAX);
        let (query_prefix, passage_prefix) = (Arc::clone(&prefix), prefix);
        Ok(Self { inner: Arc::new(read(path)?), query_prefix, passage_prefix, max_length: length, max_tokens: length })
    }

    /// Most tokens that a stored text may have to be read to its end.
    pub fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    /// Number of tokens that the tokenizer knows.
    pub(super) fn vocabulary(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    /// The tokens of a text to be stored.
    pub(super) fn passage(&self, text: &str) -> Result<Tokens, EmbedError> {
        self.encode(&self.passage_prefix, text)
    }

    /// The tokens of a query.
    pub(super) fn query(&self, text: &str) -> Result<Tokens, EmbedError> {
        self.encode(&self.query_prefix, text)
    }

    fn encode(&self, prefix: &str, text: &str) -> Result<Tokens, EmbedError> {
        let failed = |e: tokenizers::Error| EmbedError::failed("tokenising a text", e);
        let mut encoding = self.inner.encode_fast(compose(prefix, text), false).map_err(failed)?;
        let special_tokens = self.inner.get_post_processor().map_or(0, |processor| processor.added_tokens(false));
        let room = self.max_length.saturating_sub(special_tokens);
        let truncated = encoding.len() > room;
        encoding.truncate(room, 0, TruncationDirection::Right);
        let encoding = self.inner.post_process(encoding, None, true).map_err(failed)?;
        Ok(Tokens { ids: encoding.get_ids().to_vec(), truncated })
    }
}

/// A tokenizer as the texts need it. Many published ones pad every text to a fixed length and cut it at another one: the
/// padding would go into the mean, and the cut would go unnoticed.
fn read(path: &Path) -> Result<Tokenizer, EmbedError> {
    let mut tokenizer = Tokenizer::from_file(path).map_err(|e| EmbedError::invalid(path, e))?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(|e| EmbedError::invalid(path, e))?;
    Ok(tokenizer)
}

impl TokenCounter for ModelTokenizer {
    fn count(&self, text: &str) -> usize {
        // Tokenising cannot fail for models with an unknown token, and those without one are byte level. Should it fail
        // all the same, "too long" makes the caller split the text.
        self.inner.encode_fast(compose("", text), false).map_or(usize::MAX, |encoding| encoding.len())
    }
}

/// Prefix and text in NFC: with decomposed Hangul (as in files from macOS) every letter would become a token of its own.
fn compose(prefix: &str, text: &str) -> String {
    let mut composed = String::with_capacity(prefix.len() + text.len());
    composed.push_str(prefix);
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => composed.push_str(text),
        _ => composed.extend(text.nfc()),
    }
    composed
}
