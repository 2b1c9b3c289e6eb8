//! Counting tokens behind a small trait, so that chunking knows neither tiktoken nor the embedding model.

/// Counts the tokens of a text as one tokenizer sees them, without special tokens and prefixes.
pub trait TokenCounter: Send + Sync {
    /// Number of tokens of `text`.
    fn count(&self, text: &str) -> usize;
}

/// OpenAI's cl100k_base, the tokenizer in which the 512-token limit of evidence units is stated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cl100k;

/// Longest text that is given to the tokenizer at once, in bytes: its pattern matching overflows on very long runs of
/// white space. What is longer is counted in slices, a token or so too high at each cut; no unit is as long.
const SLICE: usize = 32 * 1024;

impl TokenCounter for Cl100k {
    fn count(&self, text: &str) -> usize {
        let (mut tokens, mut rest) = (0, text);
        while !rest.is_empty() {
            let (slice, tail) = rest.split_at(rest.floor_char_boundary(SLICE));
            tokens += tiktoken_rs::cl100k_base_singleton().encode_ordinary(slice).len();
            rest = tail;
        }
        tokens
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

    /// Whether a unit with these two texts may be made. Without a model, `retrieval_text` is held to the limit of
    /// `text`, so that it stays embeddable whatever model comes later.
    pub(crate) fn admits(&self, text: &str, retrieval_text: &str) -> bool {
        self.count_retrieval(retrieval_text) <= self.retrieval_limit() && Cl100k.count(text) <= self.max_tokens
    }

    /// Tokens of a text that will be embedded.
    pub(crate) fn count_retrieval(&self, text: &str) -> usize {
        self.model.map_or_else(|| Cl100k.count(text), |(counter, _)| counter.count(text))
    }

    /// Most tokens of a text that will be embedded.
    pub(crate) fn retrieval_limit(&self) -> usize {
        self.model.map_or(self.max_tokens, |(_, limit)| limit)
    }

    /// Whether `text` takes at most `1/parts` of both limits.
    pub(crate) fn within_share(&self, text: &str, parts: usize) -> bool {
        let (text_share, retrieval_share) = (self.max_tokens / parts, self.retrieval_limit() / parts);
        // A token takes at least a byte: most labels need no counting.
        text.len() <= text_share.min(retrieval_share)
            || (self.count_retrieval(text) <= retrieval_share && Cl100k.count(text) <= text_share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_any_length() {
        assert_eq!(
            Cl100k.count("Hello, 세계!"),
            tiktoken_rs::cl100k_base_singleton().encode_ordinary("Hello, 세계!").len()
        );
        assert!(Cl100k.count(&" ".repeat(5_000_000)) > 10_000);
    }

    #[test]
    fn without_a_model_both_texts_have_the_same_limit() {
        let budget = Budget { max_tokens: 2, model: None };
        assert!(budget.admits("one two", "one two") && !budget.admits("one two", "one two three"));
        assert!(budget.fits("one two", "one two three"));
    }
}
