//! `evindex parse`

use std::path::Path;

use anyhow::anyhow;

use super::args::{ParseArgs, ParseFormat};
use super::exit::Exit;
use super::{ui, words};
use crate::parse::{self, Format, ParseOptions};
use crate::pipeline;

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
    let bytes = pipeline::read_file(path).map_err(|reason| anyhow!("{file}: {reason}"))?;
    if args.format == ParseFormat::Words {
        let Format::Pdf = format;
        return words::print(path, &bytes, args).map_err(|reason| anyhow!("{file}: {reason:#}"));
    }
    let options = ParseOptions { password: args.password.clone(), pages: args.pages.clone() };
    let document = parse::parse_bytes(format, &bytes, &options).map_err(|reason| anyhow!("{file}: {reason}"))?;
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {file}:{page} {}", warning.message));
    }
    match args.format {
        ParseFormat::Json => ui::print_json(&document),
        ParseFormat::Html => ui::print(&document.to_html()),
        _ => ui::print(&document.to_markdown()),
    }
}

/// The format of a file, or an error that says which there are.
pub(super) fn format_of(path: &Path) -> anyhow::Result<Format> {
    Format::from_path(path).ok_or_else(|| anyhow!("{}: only PDF files can be parsed", path.display()))
}
