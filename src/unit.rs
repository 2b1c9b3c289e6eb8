//! What is embedded, stored and found: pieces of evidence units and text chunks.

use serde::{Deserialize, Serialize};

/// Which of the two a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitKind {
    /// An evidence unit, or one piece of a split one.
    Eu,
    /// Running text that no evidence unit owns.
    Text,
}

/// How a table came by its caption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaptionConfidence {
    /// The source itself links it to the table.
    Direct,
    /// Inferred from position and wording.
    Inferred,
    /// There is none.
    #[default]
    None,
}

/// One table row as a sentence that can be embedded by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowText {
    /// 0-based row of the whole table.
    pub row: usize,
    /// `row header | column header: value | …`
    pub text: String,
}

/// One retrieval unit. Field by field as DESIGN.md section 4 and the payload schema in the README.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Unique within the collection: `eu_id`, or `{doc_id}-t{n}` for text.
    pub unit_id: String,
    /// Evidence unit or text.
    pub kind: UnitKind,
    /// `{doc_id}-p{page}-{idx}`, with `-s{n}` (n from 1) for a piece; `None` for text.
    pub eu_id: Option<String>,
    /// `eu_id` of the whole: the key by which pieces are pooled.
    pub original_eu_id: Option<String>,
    /// The document that it came from.
    pub doc_id: String,
    /// First page, 1-based.
    pub page: u32,
    /// All pages, ascending.
    pub pages: Vec<u32>,
    /// Box on the first page as fractions of the page, bottom-left origin: x0, y0 (bottom), x1, y1 (top).
    pub bbox: Option<[f32; 4]>,
    /// Caption of the table.
    pub caption: Option<String>,
    /// How sure the caption is.
    pub caption_confidence: CaptionConfidence,
    /// Heading path, outermost first.
    pub headings: Vec<String>,
    /// The rows of this piece as HTML, header repeated.
    pub table_html: Option<String>,
    /// 0-based index among the document's tables.
    pub table_index: Option<u32>,
    /// The rows of this piece as sentences: one vector each.
    pub rows: Vec<RowText>,
    /// 1-based number of this piece.
    pub split_index: u32,
    /// How many pieces there are.
    pub total_splits: u32,
    /// What an LLM reads.
    pub text: String,
    /// What is embedded: `text` without mark-up.
    pub retrieval_text: String,
    /// The whole evidence unit, or the section around a text chunk, bounded.
    pub parent_text: String,
    /// cl100k tokens of `text`.
    pub tokens: u32,
}

impl Unit {
    /// The key by which results are made distinct: pieces of one table share it.
    pub fn group_key(&self) -> &str {
        self.original_eu_id.as_deref().unwrap_or(&self.unit_id)
    }
}

/// Units for tests.
#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A unit with every field set.
    pub(crate) fn full_unit() -> Unit {
        Unit {
            unit_id: "보고서/2024-p3-0-s2".into(),
            kind: UnitKind::Eu,
            eu_id: Some("보고서/2024-p3-0-s2".into()),
            original_eu_id: Some("보고서/2024-p3-0".into()),
            doc_id: "보고서/2024".into(),
            page: 3,
            pages: vec![3, 4],
            bbox: Some([0.1, 0.2, 0.3, f32::MIN_POSITIVE]),
            caption: Some("<표 2> 매출 \"합계\"".into()),
            caption_confidence: CaptionConfidence::Inferred,
            headings: vec!["Ⅰ. 개요".into(), "1. O'Brien".into()],
            table_html: Some("<table></table>".into()),
            table_index: Some(0),
            rows: vec![RowText { row: 7, text: "합계 | 2024: 1,234".into() }, RowText { row: 9, text: String::new() }],
            split_index: 2,
            total_splits: 3,
            text: "t".into(),
            retrieval_text: "r".into(),
            parent_text: "p".into(),
            tokens: u32::MAX,
        }
    }

    /// A text chunk: every optional field empty.
    pub(crate) fn bare_unit() -> Unit {
        Unit {
            unit_id: "보고서/2024-t1".into(),
            kind: UnitKind::Text,
            eu_id: None,
            original_eu_id: None,
            bbox: None,
            caption: None,
            caption_confidence: CaptionConfidence::None,
            headings: Vec::new(),
            table_html: None,
            table_index: None,
            rows: Vec::new(),
            ..full_unit()
        }
    }
}
