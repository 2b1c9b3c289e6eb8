//! `evindex parse`

use std::path::Path;

use anyhow::{Context, anyhow, bail};

use super::args::{ParseArgs, ParseFormat};
use super::exit::Exit;
use super::{passwords, ui, words};
use crate::config::Config;
use crate::parse::{self, Format, ParseOptions, READABLE};
use crate::pipeline;

/// Prints what each file is parsed into. A file that fails among others is named, and the others go on.
pub(super) fn run(config: &Config, args: &ParseArgs) -> anyhow::Result<Exit> {
    let options = ParseOptions { passwords: passwords::passwords(config, &args.passwords)?, pages: args.pages.clone() };
    if let [file] = args.files.as_slice() {
        print(file, args.format, &options)?;
        return Ok(Exit::Success);
    }
    let mut failed = 0_usize;
    for file in &args.files {
        match print(file, args.format, &options) {
            Err(error) if !super::is_broken_pipe(&error) => {
                ui::error(&error, None);
                failed += 1;
            }
            done => done?,
        }
    }
    Ok(match failed {
        0 => Exit::Success,
        all if all == args.files.len() => Exit::Failed,
        _ => Exit::Partial,
    })
}

fn print(path: &Path, as_what: ParseFormat, options: &ParseOptions) -> anyhow::Result<()> {
    let file = path.display();
    let format = format_of(path)?;
    let bytes = pipeline::read_file(path).map_err(|reason| anyhow!("{file}: {reason}"))?;
    if as_what == ParseFormat::Words {
        if format != Format::Pdf {
            bail!("{file}: only PDF files have words below what is recognised");
        }
        // A context, not a new error: a reader that went away must stay recognisable.
        return words::print(path, &bytes, options).with_context(|| file.to_string());
    }
    let document = parse::parse_bytes(format, &bytes, options).map_err(|reason| anyhow!("{file}: {reason}"))?;
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {file}:{page} {}", warning.message));
    }
    match as_what {
        ParseFormat::Json => ui::print_json(&document),
        ParseFormat::Html => ui::print(&document.to_html()),
        _ => ui::print(&document.to_markdown()),
    }
}

/// The format of a file, or an error that says which there are.
pub(super) fn format_of(path: &Path) -> anyhow::Result<Format> {
    Format::from_path(path).ok_or_else(|| anyhow!("{}: only {READABLE} can be parsed", path.display()))
}
