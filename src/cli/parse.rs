//! `evindex parse`

use anyhow::anyhow;

use super::args::{ParseArgs, ParseFormat};
use super::exit::Exit;
use super::ui;
use crate::parse::{self, Format, ParseOptions};
use crate::pipeline;

/// Prints the document that a file is parsed into.
pub(super) fn run(args: &ParseArgs) -> anyhow::Result<Exit> {
    let file = args.file.display();
    let format = format_of(&args.file)?;
    let bytes = pipeline::read_file(&args.file).map_err(|reason| anyhow!("{file}: {reason}"))?;
    let options = ParseOptions { password: args.password.clone(), pages: args.pages.clone() };
    let document = parse::parse_bytes(format, &bytes, &options).map_err(|reason| anyhow!("{file}: {reason}"))?;
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {file}:{page} {}", warning.message));
    }
    match args.format {
        ParseFormat::Md => ui::print(&document.to_markdown())?,
        ParseFormat::Json => ui::print_json(&document)?,
    }
    Ok(Exit::Success)
}

/// The format of a file, or an error that says which there are.
pub(super) fn format_of(path: &std::path::Path) -> anyhow::Result<Format> {
    Format::from_path(path).ok_or_else(|| anyhow!("{}: only PDF files can be parsed", path.display()))
}
