//! Counting with a tokenizer that stands by itself, without the model that it belongs to.

use std::path::Path;

use tokenizers::Tokenizer;

use super::EmbedError;
use crate::chunk::tokens::TokenCounter;

/// The tokenizer of a `tokenizer.json`. It counts the tokens of a text as it is, without special tokens.
pub struct FileTokenizer(Tokenizer);

impl FileTokenizer {
    /// Reads a `tokenizer.json`.
    pub fn load(path: &Path) -> Result<Self, EmbedError> {
        let mut tokenizer = Tokenizer::from_file(path).map_err(|e| EmbedError::invalid(path, e))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|e| EmbedError::invalid(path, e))?;
        Ok(Self(tokenizer))
    }
}

impl TokenCounter for FileTokenizer {
    fn count(&self, text: &str) -> usize {
        // What cannot be tokenised is too long: the caller divides it.
        self.0.encode_fast(text, false).map_or(usize::MAX, |encoding| encoding.len())
    }
}
