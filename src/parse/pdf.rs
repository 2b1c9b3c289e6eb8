//! PDFs: pages read side by side, then laid out as one document.

use rayon::prelude::*;

use crate::document::{Document, Warning};
use crate::layout;
use crate::pdf::{PageContent, PdfError, PdfFile};

use super::{ParseError, ParseOptions, Parser};

/// Reads PDFs.
#[derive(Clone, Copy, Debug)]
pub struct PdfParser;

impl Parser for PdfParser {
    fn parse(&self, source: &[u8], options: &ParseOptions) -> Result<Document, ParseError> {
        let file = open_pdf(source, &options.passwords)?;
        let count = file.page_count();
        let last = u32::try_from(count).unwrap_or(u32::MAX);
        let wanted = options.pages.clone().unwrap_or(1..=last);
        let numbers: Vec<u32> = (*wanted.start().max(&1)..=*wanted.end().min(&last)).collect();
        if numbers.is_empty() {
            return Err(if count == 0 { ParseError::NoPages } else { ParseError::PageRange { count } });
        }
        let read: Vec<(u32, Result<PageContent, PdfError>)> = numbers.par_iter().map(|&n| (n, file.page(n))).collect();
        let mut pages = Vec::with_capacity(read.len());
        let mut failed = Vec::new();
        for (number, page) in read {
            match page {
                Ok(page) => pages.push(page),
                Err(error) => failed.push(Warning { page: Some(number), message: reason(error) }),
            }
        }
        let silent = pages.iter().all(|p| p.words.is_empty());
        if pages.is_empty() || silent && !failed.is_empty() {
            let reason = failed.into_iter().next().map(|w| w.message).unwrap_or_default();
            return Err(ParseError::NoReadablePage { count: numbers.len(), reason });
        }
        if silent {
            let pictures = pages.iter().any(|p| !p.images.is_empty() || p.outlined > 0);
            return Err(ParseError::NoText { count: pages.len(), pictures });
        }
        let glyphs: usize = pages.iter().map(|p| p.glyphs).sum();
        if glyphs > 0 && pages.iter().all(|p| p.unmapped == p.glyphs) {
            return Err(ParseError::UnknownText { glyphs });
        }
        pages.iter_mut().filter(|page| layout::is_unreliable(page)).for_each(drop_garbage);
        let mut document = layout::analyze(&pages, &file.info(), &file.tags());
        document.warnings.extend(failed);
        document.warnings.extend(options.missing_pages(last));
        document.warnings.sort_by_key(|w| w.page);
        Ok(document)
    }
}

/// Leaves out the words of which no character is known.
fn drop_garbage(page: &mut PageContent) {
    let is_known = |c| !matches!(c, char::REPLACEMENT_CHARACTER | '\u{E000}'..='\u{F8FF}');
    page.words.retain(|word| word.text.chars().any(is_known));
}

/// Opens a PDF: without a password, then with each of these until one fits.
pub fn open_pdf(source: &[u8], passwords: &[String]) -> Result<PdfFile, ParseError> {
    let tries = std::iter::once(None).chain(passwords.iter().map(|password| Some(password.as_str())));
    for password in tries {
        match PdfFile::open(source, password) {
            Ok(file) => return Ok(file),
            Err(PdfError::NeedsPassword) => {}
            Err(PdfError::NoPages) => return Err(ParseError::NoPages),
            Err(error) => return Err(ParseError::Pdf(error)),
        }
    }
    Err(match passwords.len() {
        0 => ParseError::NeedsPassword,
        count => ParseError::WrongPassword { count },
    })
}

/// The message without the page, which the warning carries.
fn reason(error: PdfError) -> String {
    match error {
        PdfError::Page { reason, .. } => reason,
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::Format;
    use super::*;

    #[test]
    fn what_is_no_pdf_is_said() {
        let error = PdfParser.parse(b"hello", &ParseOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), "not a PDF file");
    }

    #[test]
    fn pages_without_text_need_ocr_only_where_there_are_pictures() {
        let error = |pictures| ParseError::NoText { count: 2, pictures }.to_string();
        assert_eq!(error(true), "no text layer on any of its 2 page(s); needs OCR");
        assert_eq!(error(false), "neither text nor pictures on any of its 2 page(s)");
    }

    /// Files that are broken, hostile, encrypted or odd give a document or a reason, never a panic.
    #[test]
    fn broken_files_say_why() {
        let root = std::env::var_os("EVINDEX_SHARED")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
        let Ok(folder) = std::fs::read_dir(root.join("corpus/robust")) else {
            eprintln!("skipped: no corpus at {} (set EVINDEX_SHARED)", root.display());
            return;
        };
        let (mut read, mut locked, mut scans) = (0, 0, 0);
        for path in folder.map(|entry| entry.unwrap().path()).filter(|p| Format::from_path(p) == Some(Format::Pdf)) {
            match PdfParser.parse(&std::fs::read(&path).unwrap(), &ParseOptions::default()) {
                Ok(document) => {
                    read += 1;
                    assert!(!document.pages.is_empty(), "{}", path.display());
                }
                Err(ParseError::NeedsPassword) => locked += 1,
                Err(ParseError::NoText { .. }) => scans += 1,
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        assert!(read > 0 && locked > 0 && scans > 0, "{read} read, {locked} locked, {scans} scans");
    }
}
