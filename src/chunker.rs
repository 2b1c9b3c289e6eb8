//! Units in one call, for Rust programs that bring their own store.

use std::path::Path;

use thiserror::Error;

use crate::chunk::tokens::TokenCounter;
use crate::chunk::{self, ChunkSettings, Chunking};
use crate::document::Document;
use crate::parse::{self, Format, ParseError, ParseOptions, READABLE};
use crate::unit::Unit;
use crate::walk;

/// Divides documents into evidence units and text chunks.
///
/// ```
/// use evindex::chunker::EvidenceChunker;
/// use evindex::unit::UnitKind;
///
/// let chunker = EvidenceChunker::new().max_tokens(512).bbox_threshold(300.0);
/// let units = chunker.file("fixtures/pdfs/clinic-waiting-times.pdf")?;
/// let table = units.iter().find(|unit| unit.kind == UnitKind::Eu).ok_or("a table")?;
/// assert!(table.caption.as_deref().is_some_and(|caption| caption.starts_with("Table 1: Waiting time")));
/// assert!(table.rows[0].text.starts_with("Surgery | General surgery | New referrals: 3,412"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct EvidenceChunker<'a> {
    settings: ChunkSettings,
    options: ParseOptions,
    model: Option<(&'a dyn TokenCounter, usize)>,
}

/// Why a file gave no units.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChunkError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// It is of a kind that cannot be parsed.
    #[error("only {READABLE} can be parsed")]
    Format,
    /// It cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

impl<'a> EvidenceChunker<'a> {
    /// With the default settings: evidence units within 512 cl100k tokens.
    pub fn new() -> Self {
        Self::default()
    }

    /// Which way documents are divided.
    pub fn chunking(mut self, mode: Chunking) -> Self {
        self.settings.mode = mode;
        self
    }

    /// Most cl100k tokens of a unit, [`chunk::MIN_TOKENS`] at least.
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.settings.max_tokens = tokens;
        self
    }

    /// Farthest text around a table that can explain it, in points along the reading order.
    pub fn bbox_threshold(mut self, points: f32) -> Self {
        self.settings.bbox_threshold = points;
        self
    }

    /// Most cl100k tokens of explaining paragraphs for a table.
    pub fn context_tokens(mut self, tokens: usize) -> Self {
        self.settings.context_tokens = tokens;
        self
    }

    /// Passwords to try on encrypted files.
    pub fn passwords(mut self, passwords: impl IntoIterator<Item = String>) -> Self {
        self.options.passwords = passwords.into_iter().collect();
        self
    }

    /// The tokenizer of the model that will embed the units and the most tokens that it reads: no text to embed is longer.
    pub fn model(mut self, counter: &'a dyn TokenCounter, limit: usize) -> Self {
        self.model = Some((counter, limit));
        self
    }

    /// The units of a file, in document order; its name gives the document id.
    ///
    /// # Errors
    /// The file cannot be read or parsed, or is of a kind that nothing here parses.
    pub fn file(&self, path: impl AsRef<Path>) -> Result<Vec<Unit>, ChunkError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path)?;
        let format = Format::of(path, &bytes).ok_or(ChunkError::Format)?;
        let document = parse::parse_bytes(format, &bytes, &self.options)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(self.document(&document, &walk::candidate(&name)))
    }

    /// The units of a parsed document, in document order.
    pub fn document(&self, document: &Document, doc_id: &str) -> Vec<Unit> {
        chunk::units(document, doc_id, &self.settings, &self.settings.budget(self.model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_kept() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/pdfs/clinic-waiting-times.pdf");
        let units = EvidenceChunker::new().max_tokens(200).file(file).unwrap();
        assert!(units.iter().all(|unit| unit.tokens <= 200 && unit.doc_id == "clinic-waiting-times"));
        let whole = EvidenceChunker::new().max_tokens(4096).file(file).unwrap();
        assert!(whole.len() < units.len());
        let texts = EvidenceChunker::new().chunking(Chunking::Hybrid).file(file).unwrap();
        assert!(texts.iter().all(|unit| unit.kind == crate::unit::UnitKind::Text));
    }

    #[test]
    fn failures_say_why() {
        let none = EvidenceChunker::new().file("no/such/file.pdf").unwrap_err();
        assert!(none.to_string().starts_with("cannot be read: "), "{none}");
        let manifest = EvidenceChunker::new().file(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap_err();
        assert!(matches!(manifest, ChunkError::Format), "{manifest}");
    }
}
