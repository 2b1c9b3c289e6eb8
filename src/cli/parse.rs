//! `evindex parse`

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use serde::Serialize;

use super::args::{ParseArgs, ParseFormat};
use super::exit::Exit;
use super::{files, passwords, ui, words};
use crate::config::Config;
use crate::document::Document;
use crate::parse::{self, Format, ParseOptions};

/// Prints what each file is parsed into.
pub(super) fn run(config: &Config, args: &ParseArgs) -> anyhow::Result<Exit> {
    let options = ParseOptions { passwords: passwords::passwords(config, &args.passwords)?, pages: args.pages.clone() };
    let one_of_many = args.files.len() > 1;
    files::each(&args.files, |file| print(file, args.format, one_of_many, &options))
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
    let (format, bytes) = files::read(path)?;
    if as_what == ParseFormat::Words {
        if format != Format::Pdf {
            bail!("{file}: only PDF files have words below what is recognised");
        }
        // A context, not a new error: a reader that went away must stay recognisable.
        return words::print(path, &bytes, options).with_context(|| file.to_string());
    }
    let document = parse::parse_bytes(format, &bytes, options).map_err(|reason| anyhow!("{file}: {reason}"))?;
    files::say_warnings(path, &document);
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
