//! Sizes of texts by the two limits that a chunk has.

use crate::chunk::tokens::{Budget, Cl100k, TokenCounter};

/// More characters to a token than any running text has: a text with more is too long without being counted, so that
/// the search for the place of a cut does not count long texts again and again.
const CHARS_PER_TOKEN: usize = 16;

/// cl100k tokens, and those of the embedding model (0 where there is none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    cl100k: usize,
    model: usize,
}

impl Size {
    pub(super) fn within(self, limit: Self) -> bool {
        self.cl100k <= limit.cl100k && self.model <= limit.model
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { cl100k: self.cl100k.saturating_add(other.cl100k), model: self.model.saturating_add(other.model) }
    }

    /// What is left without `other`.
    pub(super) fn less(self, other: Self) -> Self {
        Self { cl100k: self.cl100k.saturating_sub(other.cl100k), model: self.model.saturating_sub(other.model) }
    }

    /// Most characters of a text that is within it.
    pub(super) fn most_chars(self) -> usize {
        self.cl100k.min(self.model).saturating_mul(CHARS_PER_TOKEN)
    }

    /// Whether, as a limit, it leaves no room.
    pub(super) fn is_used_up(self) -> bool {
        self.cl100k == 0 || self.model == 0
    }
}

/// Measures texts.
#[derive(Clone, Copy)]
pub(super) struct Meter<'a> {
    model: Option<&'a dyn TokenCounter>,
    /// Largest size of a chunk.
    pub(super) limit: Size,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &Budget<'a>) -> Self {
        let limit = Size { cl100k: budget.max_tokens, model: budget.model.map_or(usize::MAX, |(_, limit)| limit) };
        Self { model: budget.model.map(|(counter, _)| counter), limit }
    }

    pub(super) fn size(&self, text: &str) -> Size {
        Size { cl100k: Cl100k.count(text), model: self.model.map_or(0, |counter| counter.count(text)) }
    }

    /// The size of `text` where it is within `limit`.
    pub(super) fn size_within(&self, text: &str, limit: Size) -> Option<Size> {
        let most = limit.most_chars();
        if text.len() > most && text.chars().count() > most {
            return None;
        }
        Some(self.size(text)).filter(|size| size.within(limit))
    }

    pub(super) fn is_within(&self, text: &str, limit: Size) -> bool {
        self.size_within(text, limit).is_some()
    }

    pub(super) fn fits(&self, text: &str) -> bool {
        self.is_within(text, self.limit)
    }
}
