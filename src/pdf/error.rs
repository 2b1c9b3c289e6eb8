//! What can go wrong with a PDF.

use thiserror::Error;

/// Why a PDF, or one of its pages, could not be read.
#[derive(Debug, Error)]
pub enum PdfError {
    /// The bytes hold no PDF header and no PDF objects.
    #[error("not a PDF file")]
    NotPdf,
    /// The structure is damaged beyond repair.
    #[error("broken PDF: {reason}; try to open and save it again with another program")]
    Broken {
        /// What the object layer said.
        reason: String,
    },
    /// The file opens with a password only, and none, or a wrong one, was given.
    #[error("the PDF is encrypted: give its password")]
    NeedsPassword,
    /// The file is encrypted in a way that is not supported.
    #[error("the PDF is encrypted in an unsupported way: {reason}")]
    Encrypted {
        /// What the object layer said.
        reason: String,
    },
    /// The file opens, but holds no page.
    #[error("the PDF has no pages that can be read")]
    NoPages,
    /// A part of the file exceeds what is read from untrusted input.
    #[error("the PDF exceeds a limit: {what} is larger than {limit}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// The limit, in bytes or items.
        limit: usize,
    },
    /// One page could not be read; the others may be.
    #[error("page {page}: {reason}")]
    Page {
        /// 1-based number.
        page: u32,
        /// What happened.
        reason: String,
    },
}
