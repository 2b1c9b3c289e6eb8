//! `evindex parse`

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Serialize;

use super::args::{ParseArgs, ParseFormat};
use super::exit::Exit;
use super::{passwords, ui, words};
use crate::config::Config;
use crate::document::Document;
use crate::parse::{self, Format, ParseOptions, READABLE};
use crate::pipeline;

/// Prints what each file is parsed into.
pub(super) fn run(config: &Config, args: &ParseArgs) -> anyhow::Result<Exit> {
    let options = ParseOptions { passwords: passwords::passwords(config, &args.passwords)?, pages: args.pages.clone() };
    let one_of_many = args.files.len() > 1;
    each_file(&args.files, |file| print(file, args.format, one_of_many, &options))
}

/// Does the same with every file. Where one fails among others it is named, and the others go on.
pub(super) fn each_file(files: &[PathBuf], mut work: impl FnMut(&Path) -> anyhow::Result<()>) -> anyhow::Result<Exit> {
    if let [file] = files {
        work(file)?;
        return Ok(Exit::Success);
    }
    let mut failed = 0_usize;
    for file in files {
        match work(file) {
            Err(error) if !super::is_broken_pipe(&error) => {
                ui::error(&error, None);
                failed += 1;
            }
            done => done?,
        }
    }
    Ok(match failed {
        0 => Exit::Success,
        all if all == files.len() => Exit::Failed,
        _ => Exit::Partial,
    })
}

/// A document's line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    file: std::borrow::Cow<'a, str>,
    #[serde(flatten)]
    document: &'a Document,
}

/// Prints one file; where it is `one_of_many`, its name stands before it.
fn print(path: &Path, as_what: ParseFormat, one_of_many: bool, options: &ParseOptions) -> anyhow::Result<()> {
    let file = path.display();
    let (format, bytes) = read(path)?;
    if as_what == ParseFormat::Words {
        if format != Format::Pdf {
            bail!("{file}: only PDF files have words below what is recognised");
        }
        // A context, not a new error: a reader that went away must stay recognisable.
        return words::print(path, &bytes, options).with_context(|| file.to_string());
    }
    let document = parse::parse_bytes(format, &bytes, options).map_err(|reason| anyhow!("{file}: {reason}"))?;
    say_warnings(path, &document);
    let text = match as_what {
        ParseFormat::Html => document.to_html(),
        ParseFormat::Json => return ui::print_json(&Line { file: path.to_string_lossy(), document: &document }),
        _ => document.to_markdown(),
    };
    // A comment ends at two hyphens, wherever they stand.
    let name =
        if one_of_many { format!("<!-- {} -->\n", file.to_string().replace("--", "- -")) } else { String::new() };
    ui::print(&(name + &text))
}

/// The bytes of a file and its format: by its extension, else by its first bytes. Fails with what can be read.
pub(super) fn read(path: &Path) -> anyhow::Result<(Format, Vec<u8>)> {
    let file = path.display();
    if path.is_dir() {
        bail!("{file}: is a folder; name the files in it, or index it whole with evindex ingest");
    }
    let bytes = pipeline::read_file(path).map_err(|reason| anyhow!("{file}: {reason}"))?;
    Ok((Format::of(path, &bytes).ok_or_else(|| anyhow!("{file}: only {READABLE} can be parsed"))?, bytes))
}

pub(super) fn say_warnings(path: &Path, document: &Document) {
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {}:{page} {}", path.display(), warning.message));
    }
}
