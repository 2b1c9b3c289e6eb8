//! `evindex parse --format words`: the pages as the PDF layer reads them.

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use super::ui;
use crate::layout;
use crate::parse::{self, ParseError, ParseOptions};
use crate::pdf::PageContent;

/// Pages read side by side before they are printed: bounds the memory that a long file takes.
const PAGES_AT_ONCE: usize = 64;

/// A line of the output.
#[derive(Serialize)]
struct Line<'a> {
    file: std::borrow::Cow<'a, str>,
    #[serde(flatten)]
    page: PageContent,
}

/// Prints a line of JSON for each page; a page that cannot be read is named on stderr.
pub(super) fn print(path: &Path, bytes: &[u8], options: &ParseOptions) -> anyhow::Result<()> {
    let pdf = parse::open_pdf(bytes, &options.passwords)?;
    let wanted = |number: &u32| options.pages.as_ref().is_none_or(|pages| pages.contains(number));
    let numbers: Vec<u32> = (1u32..).take(pdf.page_count()).filter(wanted).collect();
    if numbers.is_empty() {
        return Err(ParseError::PageRange { count: pdf.page_count() }.into());
    }
    let last = u32::try_from(pdf.page_count()).unwrap_or(u32::MAX);
    if let Some(warning) = options.missing_pages(last) {
        ui::say(&format!("warning: {}: {}", path.display(), warning.message));
    }
    for numbers in numbers.chunks(PAGES_AT_ONCE) {
        let line = |page| {
            let warning = layout::warning(&page);
            (serde_json::to_string(&Line { file: path.to_string_lossy(), page }), warning)
        };
        let lines: Vec<_> = numbers.par_iter().map(|&number| pdf.page(number).map(line)).collect();
        for (number, read) in numbers.iter().zip(lines) {
            match read {
                Ok((line, warning)) => {
                    ui::print_line(&line?)?;
                    if let Some(warning) = warning {
                        ui::say(&format!("warning: {}: page {}: {}", path.display(), number, warning.message));
                    }
                }
                Err(error) => ui::say(&format!("warning: {}: {error}", path.display())),
            }
        }
    }
    Ok(())
}
