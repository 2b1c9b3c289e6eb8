//! Dividing a document into the units that are embedded and stored.

pub(crate) mod cut;
mod fixed;
pub(crate) mod headings;
pub(crate) mod hybrid;
pub(crate) mod place;
mod rows;
#[cfg(test)]
mod tests;
pub mod text;
pub mod tokens;

use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::evidence::{self, EvidenceOptions};
use crate::unit::Unit;
use tokens::{Budget, TokenCounter};

/// Most cl100k tokens of a unit: the limit of the published evidence-unit benchmark, so that results compare.
pub const MAX_TOKENS: usize = 512;
/// Fewest tokens that a limit may be set to: below that the mark-up of a single table cell leaves no room for words.
pub const MIN_TOKENS: usize = 64;
/// Farthest explaining text, in points: the share of questions answered stops growing at about a third of a page.
pub const BBOX_THRESHOLD: f32 = 300.0;
/// Most cl100k tokens of explaining paragraphs: leaves a piece of 512 tokens more than half for its rows.
pub const CONTEXT_TOKENS: usize = 192;

/// Which way a document is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Chunking {
    /// Tables as evidence units, the rest as text chunks.
    #[default]
    Eu,
    /// Chunks as Docling's HybridChunker makes them, tables as triplets in them: the baseline.
    Hybrid,
    /// Chunks of equal size that overlap by an eighth, without regard to structure.
    Fixed,
    /// A chunk for each table row, the rest as text chunks.
    Rows,
}

impl Chunking {
    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Eu => "eu",
            Self::Hybrid => "hybrid",
            Self::Fixed => "fixed",
            Self::Rows => "rows",
        }
    }
}

/// How a document is divided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChunkSettings {
    /// Evidence units or text only.
    pub mode: Chunking,
    /// Most cl100k tokens of a unit.
    pub max_tokens: usize,
    /// Farthest text around a table that can explain it, in points along the reading order.
    pub bbox_threshold: f32,
    /// Most cl100k tokens of explaining paragraphs per table.
    pub context_tokens: usize,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        Self {
            mode: Chunking::default(),
            max_tokens: MAX_TOKENS,
            bbox_threshold: BBOX_THRESHOLD,
            context_tokens: CONTEXT_TOKENS,
        }
    }
}

impl ChunkSettings {
    /// The limits of units by these settings and by the model that will embed them.
    pub fn budget<'a>(&self, model: Option<(&'a dyn TokenCounter, usize)>) -> Budget<'a> {
        Budget { max_tokens: self.max_tokens, model }
    }
}

/// All units of a document, in document order. By default every word of its body is in at least one of them; baselines
/// lose what they lose where they come from.
///
/// Limits of the budget below [`MIN_TOKENS`] are read as that many.
pub fn units(document: &Document, doc_id: &str, settings: &ChunkSettings, budget: &Budget) -> Vec<Unit> {
    let budget = Budget {
        max_tokens: budget.max_tokens.max(MIN_TOKENS),
        model: budget.model.map(|(counter, limit)| (counter, limit.max(MIN_TOKENS))),
    };
    let mut placed = match settings.mode {
        Chunking::Eu => {
            let (bbox_threshold, context_tokens) = (settings.bbox_threshold, settings.context_tokens);
            let options = EvidenceOptions { bbox_threshold, context_tokens };
            let evidence = evidence::build(document, doc_id, &budget, &options);
            let texts = text::placed(document, doc_id, &evidence.owned, &budget);
            evidence.tables.into_iter().zip(evidence.units).chain(texts).collect()
        }
        Chunking::Hybrid => hybrid::placed(document, doc_id, &budget),
        Chunking::Fixed => fixed::placed(document, doc_id, &budget),
        Chunking::Rows => rows::placed(document, doc_id, &budget),
    };
    // Stable: the pieces of one table keep their order.
    placed.sort_by_key(|(at, _)| *at);
    placed.into_iter().map(|(_, unit)| unit).collect()
}
