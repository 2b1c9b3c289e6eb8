//! Files that a command is given by name.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

use super::exit::Exit;
use super::ui;
use crate::document::Document;
use crate::parse::{Format, HEAD_BYTES, READABLE};
use crate::pipeline;

/// Does the same with every file. Where one fails among others it is named, and the others go on.
pub(super) fn each(files: &[PathBuf], mut work: impl FnMut(&Path) -> anyhow::Result<()>) -> anyhow::Result<Exit> {
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

/// The bytes of a file and its format: by its extension, else by its first bytes. Fails with what can be read.
pub(super) fn read(path: &Path) -> anyhow::Result<(Format, Vec<u8>)> {
    let file = path.display();
    if path.is_dir() {
        bail!("{file}: is a folder; name the files in it, or index it whole with evindex ingest");
    }
    let failed = |reason| anyhow!("{file}: {reason}");
    // A film that was named by mistake is not read into memory first.
    let format = if Format::from_path(path).is_none() && path.is_file() {
        Format::from_bytes(&head(path).map_err(|e| failed(e.to_string()))?)
    } else {
        Format::from_path(path)
    };
    let Some(format) = format else { bail!("{file}: only {READABLE} can be parsed") };
    Ok((format, pipeline::read_file(path).map_err(failed)?))
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

/// Says what the user should know about a parsed file.
pub(super) fn say_warnings(path: &Path, document: &Document) {
    for warning in &document.warnings {
        let page = warning.page.map(|p| format!(" page {p}:")).unwrap_or_default();
        ui::say(&format!("warning: {}:{page} {}", path.display(), warning.message));
    }
}
