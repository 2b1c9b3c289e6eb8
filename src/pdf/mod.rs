//! The PDF layer: bytes in, positioned words, rules, fills and image boxes out.
//!
//! `lopdf` parses the objects; everything above that is here. [`PdfFile`] opens a file and finds its pages, the
//! interpreter runs a page's content streams, `fonts` turns character codes into Unicode and widths, `words` joins
//! glyphs to words, and `rules` turns painted paths into rules and fills. Nothing here knows about lines, paragraphs
//! or tables.

mod annotations;
mod color;
mod encryption;
mod error;
mod file;
mod fonts;
mod function;
mod glyph;
mod info;
mod interpreter;
mod layers;
mod lexer;
mod limits;
mod matrix;
mod objects;
mod outlined;
mod page_tree;
mod paint;
mod repair;
mod rules;
mod state;
pub mod tags;
mod text_string;
pub mod types;
mod words;

pub use error::PdfError;
pub use file::PdfFile;
pub use info::{DocumentInfo, OutlineItem};
pub use types::{Fill, PageContent, Rule, Word};

#[cfg(test)]
mod tests;
