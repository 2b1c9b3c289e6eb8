//! From a document to its units in one call.

use super::tokens::TokenCounter;
use super::{ChunkSettings, Chunking, units};
use crate::document::Document;
use crate::unit::Unit;

/// Divides documents into units: evidence units and text chunks by default.
///
/// ```
/// use evindex::chunk::EvidenceChunker;
/// use evindex::parse::{Format, ParseOptions, parse_bytes};
///
/// let json = br##"{"schema_name": "DoclingDocument", "version": "1.10.0",
///     "body": {"children": [{"$ref": "#/texts/0"}, {"$ref": "#/tables/0"}]},
///     "texts": [{"label": "caption", "text": "Table 1: Berths"}],
///     "tables": [{"label": "table", "captions": [{"$ref": "#/texts/0"}], "data": {"table_cells": [
///         {"text": "Berth", "column_header": true, "start_row_offset_idx": 0, "start_col_offset_idx": 0},
///         {"text": "Calls", "column_header": true, "start_row_offset_idx": 0, "start_col_offset_idx": 1},
///         {"text": "N4", "start_row_offset_idx": 1, "start_col_offset_idx": 0},
///         {"text": "187", "start_row_offset_idx": 1, "start_col_offset_idx": 1}]}}]}"##;
/// let document = parse_bytes(Format::Docling, json, &ParseOptions::default())?;
/// let units = EvidenceChunker::new().max_tokens(256).units(&document, "harbor");
/// assert_eq!(units[0].caption.as_deref(), Some("Table 1: Berths"));
/// assert_eq!(units[0].rows[0].text, "N4 | Calls: 187");
/// # Ok::<(), evindex::parse::ParseError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct EvidenceChunker<'a> {
    settings: ChunkSettings,
    model: Option<(&'a dyn TokenCounter, usize)>,
}

impl<'a> EvidenceChunker<'a> {
    /// With the default settings and without the limit of a model.
    pub fn new() -> Self {
        Self::default()
    }

    /// All settings at once.
    pub fn settings(self, settings: ChunkSettings) -> Self {
        Self { settings, ..self }
    }

    /// Another way of dividing.
    pub fn chunking(mut self, mode: Chunking) -> Self {
        self.settings.mode = mode;
        self
    }

    /// Most cl100k tokens of a unit.
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.settings.max_tokens = tokens;
        self
    }

    /// Farthest text around a table that can explain it, in points.
    pub fn bbox_threshold(mut self, points: f32) -> Self {
        self.settings.bbox_threshold = points;
        self
    }

    /// Most cl100k tokens of explaining paragraphs per table.
    pub fn context_tokens(mut self, tokens: usize) -> Self {
        self.settings.context_tokens = tokens;
        self
    }

    /// The tokenizer of the embedding model, and how many of its tokens a text may have.
    pub fn model(self, counter: &'a dyn TokenCounter, limit: usize) -> Self {
        Self { model: Some((counter, limit)), ..self }
    }

    /// The units of a document in document order; `doc_id` begins all their ids.
    pub fn units(&self, document: &Document, doc_id: &str) -> Vec<Unit> {
        units(document, doc_id, &self.settings, &self.settings.budget(self.model))
    }
}
