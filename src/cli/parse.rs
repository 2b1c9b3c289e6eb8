//! `evindex parse`

use std::path::Path;

use anyhow::{Context, anyhow};

use super::args::{ParseArgs, ParseFormat};
use super::exit::Exit;
use super::{ui, words};
use crate::parse::{self, Format, ParseOptions};

/// Prints what each file is parsed into. A file that fails among others is named, and the others go on.
pub(super) fn run(args: &ParseArgs) -> anyhow::Result<Exit> {
    if let [file] = args.files.as_slice() {
        print(file, args)?;
        return Ok(Exit::Success);
    }
    let mut exit = Exit::Success;
    for file in &args.files {
        match print(file, args) {
            Err(error) if !super::is_broken_pipe(&error) => {
                ui::error(&error, None);
                exit = Exit::Partial;
            }
            done => done?,
        }
    }
    Ok(exit)
}

fn print(path: &Path, args: &ParseArgs) -> anyhow::Result<()> {
    let file = path.display();
    let format = format_of(path)?;
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {file}"))?;
    let cannot_parse = || format!("cannot parse {file}");
    if args.format == ParseFormat::Words {
        let Format::Pdf = format;
        return words::print(path, &bytes, args.password.as_deref()).with_context(cannot_parse);
    }
    let options = ParseOptions { password: args.password.clone(), ..ParseOptions::default() };
    let document = parse::parse_bytes(format, &bytes, &options).with_context(cannot_parse)?;
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {file}:{page} {}", warning.message));
    }
    match args.format {
        ParseFormat::Json => ui::print_json(&document),
        _ => ui::print(&document.to_markdown()),
    }
}

/// The format of a file, or an error that says which there are.
pub(super) fn format_of(path: &Path) -> anyhow::Result<Format> {
    Format::from_path(path).ok_or_else(|| anyhow!("{}: only PDF files can be parsed", path.display()))
}
