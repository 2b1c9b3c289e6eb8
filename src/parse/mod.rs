//! Parsers: bytes of a file in, a [`Document`] out. One [`Parser`] per [`Format`].

mod docling;
mod pdf;

use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::document::{Document, Warning};

pub use docling::DoclingParser;
pub use pdf::{PdfParser, open_pdf};

/// A file format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Portable Document Format.
    Pdf,
    /// A DoclingDocument as JSON.
    Docling,
}

/// What can be read, for messages.
pub const READABLE: &str = "PDF and DoclingDocument JSON files (.pdf, .json)";

impl Format {
    /// The format by the file's extension, in any case; `None` where it is not one that can be read.
    pub fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pdf" => Some(Self::Pdf),
            "json" => Some(Self::Docling),
            _ => None,
        }
    }

    /// The format by a file's first bytes, whatever it is called. They may stand behind a few others in a PDF (ISO 32000-2,
    /// annex H).
    pub fn from_bytes(source: &[u8]) -> Option<Self> {
        const PDF: &[u8] = b"%PDF-";
        let head = |bytes: usize| source.get(..bytes).unwrap_or(source);
        if head(PDF_HEAD_BYTES).windows(PDF.len()).any(|window| window == PDF) {
            Some(Self::Pdf)
        } else {
            docling::names_schema(head(HEAD_BYTES as usize)).then_some(Self::Docling)
        }
    }

    /// The format of a file: by its extension, else by its first bytes.
    pub fn of(path: &Path, source: &[u8]) -> Option<Self> {
        Self::from_path(path).or_else(|| Self::from_bytes(source))
    }

    /// How many of a file's first bytes [`recognises`](Self::recognises) needs; `None` where the extension says enough.
    pub fn head_bytes(self) -> Option<u64> {
        match self {
            Self::Pdf => None,
            Self::Docling => Some(HEAD_BYTES),
        }
    }

    /// Whether a file of this format's extension that begins with `head` can be meant: most JSON files are no documents.
    pub fn recognises(self, head: &[u8]) -> bool {
        match self {
            Self::Pdf => true,
            Self::Docling => docling::names_schema(head),
        }
    }

    /// The parser for it.
    fn parser(self) -> &'static dyn Parser {
        match self {
            Self::Pdf => &PdfParser,
            Self::Docling => &DoclingParser,
        }
    }
}

/// First bytes of a file that tell its format: where a DoclingDocument names its schema, the first field that every writer
/// of them writes.
pub const HEAD_BYTES: u64 = 4096;

/// Readers look for a PDF's header in so many bytes.
const PDF_HEAD_BYTES: usize = 1024;

/// How to read a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// Passwords to try, in order, on an encrypted file.
    pub passwords: Vec<String>,
    /// 1-based pages to read; all of them by default.
    pub pages: Option<RangeInclusive<u32>>,
}

impl ParseOptions {
    /// What to say where pages are asked for by number that come after the file's `last` one. A range without an end
    /// (`u32::MAX`) asks for those that there are.
    pub(crate) fn missing_pages(&self, last: u32) -> Option<Warning> {
        let end = *self.pages.as_ref()?.end();
        let missing = last < end && end < u32::MAX;
        missing.then(|| Warning {
            page: None,
            message: format!("pages up to {end} were asked for, but it ends with page {last}"),
        })
    }
}

/// Why a file gave no document.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Encrypted, and no password was given.
    #[error("needs a password: give it with --password, --password-file or in EVINDEX_PASSWORD")]
    NeedsPassword,
    /// Encrypted, and no password that was given opens it.
    #[error("{}", wrong_password(*.count))]
    WrongPassword {
        /// Number of passwords tried.
        count: usize,
    },
    /// There is nothing to read.
    #[error("no pages that can be read; if other programs show some, save it again with one of them")]
    NoPages,
    /// The wanted pages do not exist.
    #[error("has only {count} page(s), none of those asked for")]
    PageRange {
        /// Number of pages that there are.
        count: usize,
    },
    /// Pages without text. Pictures on them may hold some.
    #[error("{}", no_text(*.count, *.pictures))]
    NoText {
        /// Number of pages read.
        count: usize,
        /// Whether there are pictures.
        pictures: bool,
    },
    /// Glyphs on its pages, none of which is known to stand for a character.
    #[error("none of its {glyphs} glyphs has a known character; needs OCR")]
    UnknownText {
        /// Number of glyphs drawn.
        glyphs: usize,
    },
    /// Pages failed, and the others hold no text; this is why the first one did.
    #[error("no text on any of its {count} page(s) can be read: {reason}")]
    NoReadablePage {
        /// Number of pages tried.
        count: usize,
        /// Why the first one failed.
        reason: String,
    },
    /// JSON of another kind, or no JSON.
    #[error("not a DoclingDocument JSON")]
    NotDocling,
    /// Cut off, or not as its schema says.
    #[error("damaged DoclingDocument JSON: {reason}")]
    DamagedDocling {
        /// What is wrong, and where.
        reason: String,
    },
    /// The file itself cannot be read.
    #[error(transparent)]
    Pdf(crate::pdf::PdfError),
}

fn no_text(count: usize, pictures: bool) -> String {
    if pictures {
        format!("no text layer on any of its {count} page(s); needs OCR")
    } else {
        format!("neither text nor pictures on any of its {count} page(s)")
    }
}

fn wrong_password(count: usize) -> String {
    if count == 1 { "the password does not open it".into() } else { format!("none of the {count} passwords opens it") }
}

/// Makes a document of a file's bytes.
pub trait Parser: Sync {
    /// Parses `source`, the whole file. What cannot be read in an otherwise readable file becomes a warning of the document.
    fn parse(&self, source: &[u8], options: &ParseOptions) -> Result<Document, ParseError>;
}

/// Parses the bytes of a file of this format.
pub fn parse_bytes(format: Format, source: &[u8], options: &ParseOptions) -> Result<Document, ParseError> {
    format.parser().parse(source, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_go_by_extension() {
        assert_eq!(Format::from_path(Path::new("a/보고서.PDF")), Some(Format::Pdf));
        assert_eq!(Format::from_path(Path::new("a/b.Json")), Some(Format::Docling));
        assert_eq!(Format::from_path(Path::new("a.pdf.txt")), None);
        assert_eq!(Format::from_path(Path::new("pdf")), None);
    }

    #[test]
    fn formats_go_by_the_first_bytes_where_there_is_no_extension() {
        assert_eq!(Format::from_bytes(b"\xEF\xBB\xBF\n%PDF-1.7\n"), Some(Format::Pdf));
        assert_eq!(Format::from_bytes(br#"{"schema_name": "DoclingDocument"}"#), Some(Format::Docling));
        assert_eq!(Format::from_bytes(br#"{"schema_name": "Other"}"#), None);
        assert_eq!(Format::from_bytes(&[b' ', b'%'].repeat(4096)), None);
    }

    #[test]
    fn pages_that_are_not_there_are_said() {
        let missing = |from, to| ParseOptions { pages: Some(from..=to), ..ParseOptions::default() }.missing_pages(3);
        assert_eq!(missing(2, 3), None);
        assert_eq!(missing(2, u32::MAX), None);
        let message = "pages up to 9 were asked for, but it ends with page 3".to_owned();
        assert_eq!(missing(1, 9), Some(Warning { page: None, message }));
    }
}
