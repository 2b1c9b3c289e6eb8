//! Counting tokens behind a small trait, so that chunking knows neither tiktoken nor the embedding model.

/// Counts the tokens of a text as one tokenizer sees them, without special tokens and prefixes.
pub trait TokenCounter: Send + Sync {
    /// Number of tokens of `text`.
    fn count(&self, text: &str) -> usize;
}

/// OpenAI's cl100k_base, the tokenizer in which the 512-token limit of evidence units is stated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cl100k;

impl TokenCounter for Cl100k {
    fn count(&self, text: &str) -> usize {
        tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len()
    }
}

/// What a unit may cost at most: both limits hold for every unit.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// Most cl100k tokens of a unit's `text`.
    pub max_tokens: usize,
    /// The embedding model's own tokenizer and how many of its tokens (special tokens and prefix already taken off) a
    /// unit's `retrieval_text` and each row sentence may have; `None` where no model is in play.
    pub model: Option<(&'a dyn TokenCounter, usize)>,
}

impl Budget<'_> {
    /// Whether a unit with these two texts is within both limits.
    pub fn fits(&self, text: &str, retrieval_text: &str) -> bool {
        Cl100k.count(text) <= self.max_tokens && self.fits_model(retrieval_text)
    }

    /// Whether the embedding model reads all of `retrieval_text`.
    pub fn fits_model(&self, retrieval_text: &str) -> bool {
        self.model.is_none_or(|(counter, limit)| counter.count(retrieval_text) <= limit)
    }
}
