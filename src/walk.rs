//! From command-line paths to the files to index, with stable document ids.
//!
//! A path may be a file, a folder or a glob. Each belongs to a *root*: the folder itself, a file's parent, the part of a
//! glob before its first wildcard. Documents are identified by root and path below it. What is read here is names, and the
//! first bytes of files whose extension is not enough; contents are hashed later, in parallel.

mod ids;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use unicode_normalization::UnicodeNormalization;
use walkdir::WalkDir;

use crate::parse::{Format, READABLE};

pub use ids::{assign, candidate};

/// Name of the file with gitignore-style patterns that is read in every root.
pub const IGNORE_FILE: &str = ".evindexignore";

/// A file to index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where to read it.
    pub path: PathBuf,
    /// Label of its root: what [`WalkOptions::root_label`] says, else the root's absolute path.
    pub root: String,
    /// Path below the root, NFC, separated by `/`.
    pub relative: String,
    /// By its extension, and its first bytes where that is not enough.
    pub format: Format,
    /// Size in bytes.
    pub size: u64,
}

/// Something that could not be walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkFailure {
    /// Which entry.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// How to walk.
#[derive(Clone, Debug, Default)]
pub struct WalkOptions {
    /// gitignore-style patterns of what to leave out, relative to each root.
    pub exclude: Vec<String>,
    /// Whether names that begin with a dot are walked.
    pub hidden: bool,
    /// Label for the roots in place of their absolute paths, so that checkouts in different places mean the same
    /// documents; empty for none.
    pub root_label: String,
}

/// What a walk found.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The files, sorted by root and relative path, each once.
    pub sources: Vec<Source>,
    /// Entries that could not be read.
    pub failures: Vec<WalkFailure>,
    /// Labels of roots that were walked completely: only there is a missing file a vanished one.
    pub complete_roots: Vec<String>,
    /// Files passed over because their extension, or what they begin with, is none that can be parsed.
    pub other_files: usize,
    /// Files and folders left out by patterns or as hidden.
    pub excluded: usize,
    /// Files that a path given earlier had covered already: roots may lie in one another.
    pub overlapping: usize,
}

/// What makes the walk as a whole impossible.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// A path names nothing.
    #[error("there is nothing at {0}: give a file, a folder or a quoted glob such as 'reports/**/*.pdf'")]
    Missing(String),
    /// A pattern cannot be understood.
    #[error("bad pattern {pattern:?}: {reason}")]
    Pattern {
        /// As given.
        pattern: String,
        /// Why.
        reason: String,
    },
    /// Two roots under one label would mix up their documents.
    #[error("--root-label {0:?} can stand for one root only, but several folders are given; run them one by one")]
    AmbiguousLabel(String),
}

/// One root and what of it is wanted.
struct Root {
    path: PathBuf,
    /// The same without links and detours.
    canonical: PathBuf,
    label: String,
    wanted: Wanted,
}

enum Wanted {
    Everything,
    File(PathBuf),
    Glob(globset::GlobMatcher),
}

/// Walks all `paths`.
pub fn walk(paths: &[String], options: &WalkOptions) -> Result<Walk, WalkError> {
    let roots = paths.iter().map(|p| find_root(p, options)).collect::<Result<Vec<_>, _>>()?;
    if !options.root_label.is_empty() && roots.windows(2).any(|w| matches!(w, [a, b] if a.canonical != b.canonical)) {
        return Err(WalkError::AmbiguousLabel(options.root_label.clone()));
    }
    let mut walk = Walk::default();
    let mut found = Found::default();
    for root in &roots {
        let before = walk.failures.len();
        walk_root(root, options, &mut found, &mut walk)?;
        // A root with unreadable parts is not complete: what is missing may only be out of sight.
        if matches!(root.wanted, Wanted::Everything) && walk.failures.len() == before {
            walk.complete_roots.push(root.label.clone());
        }
    }
    walk.complete_roots.dedup();
    walk.sources = found.files.into_values().flat_map(distinct).collect();
    Ok(walk)
}

/// What has been found so far.
#[derive(Default)]
struct Found {
    /// Files by root and NFC path; more than one where names differ in their Unicode normalisation only.
    files: BTreeMap<(String, String), BTreeMap<PathBuf, Source>>,
    /// The root that each file belongs to, by its path without links.
    owners: HashMap<PathBuf, String>,
}

/// Gives files with the same NFC path different relative paths: the names that are not NFC are kept as they are.
fn distinct(twins: BTreeMap<PathBuf, Source>) -> impl Iterator<Item = Source> {
    let several = twins.len() > 1;
    twins.into_values().map(move |mut source| {
        if several && !source.path.to_string_lossy().ends_with(&source.relative) {
            let depth = source.relative.split('/').count();
            let mut parts: Vec<String> =
                source.path.iter().rev().take(depth).map(|c| c.to_string_lossy().into_owned()).collect();
            parts.reverse();
            source.relative = parts.join("/");
        }
        source
    })
}

fn find_root(path: &str, options: &WalkOptions) -> Result<Root, WalkError> {
    let given = Path::new(path);
    let (folder, wanted) = if given.is_dir() {
        (given.to_path_buf(), Wanted::Everything)
    } else if given.exists() {
        let folder = match given.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
            _ => PathBuf::from("."),
        };
        (folder, Wanted::File(given.to_path_buf()))
    } else if path.contains(['*', '?', '[', '{']) {
        let folder: PathBuf = given
            .components()
            .take_while(|c| !c.as_os_str().to_string_lossy().contains(['*', '?', '[', '{']))
            .collect();
        let below = given.strip_prefix(&folder).unwrap_or(given).to_string_lossy().into_owned();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        if !folder.is_dir() {
            return Err(WalkError::Missing(path.to_owned()));
        }
        let bad = |e: globset::Error| WalkError::Pattern { pattern: path.to_owned(), reason: e.to_string() };
        let glob = GlobBuilder::new(&below).literal_separator(true).build().map_err(bad)?;
        (folder, Wanted::Glob(glob.compile_matcher()))
    } else {
        return Err(WalkError::Missing(path.to_owned()));
    };
    let canonical = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    let label = if options.root_label.is_empty() {
        canonical.to_string_lossy().nfc().collect()
    } else {
        options.root_label.clone()
    };
    Ok(Root { path: folder, canonical, label, wanted })
}

fn excludes(root: &Root, options: &WalkOptions) -> Result<Gitignore, WalkError> {
    let mut builder = GitignoreBuilder::new(&root.path);
    for pattern in &options.exclude {
        builder
            .add_line(None, pattern)
            .map_err(|e| WalkError::Pattern { pattern: pattern.clone(), reason: e.to_string() })?;
    }
    let file = root.path.join(IGNORE_FILE);
    if file.is_file()
        && let Some(error) = builder.add(&file)
    {
        return Err(WalkError::Pattern { pattern: file.display().to_string(), reason: error.to_string() });
    }
    builder.build().map_err(|e| WalkError::Pattern { pattern: options.exclude.join(" "), reason: e.to_string() })
}

fn walk_root(root: &Root, options: &WalkOptions, found: &mut Found, walk: &mut Walk) -> Result<(), WalkError> {
    if let Wanted::File(path) = &root.wanted {
        add(root, path, found, walk);
        return Ok(());
    }
    let ignore = excludes(root, options)?;
    let mut entries = WalkDir::new(&root.path).follow_links(true).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().unwrap_or(&root.path).to_path_buf();
                let reason = if error.loop_ancestor().is_some() {
                    // The files behind the link are walked where they really are.
                    continue;
                } else {
                    error.io_error().map_or_else(|| error.to_string(), |e| e.to_string())
                };
                walk.failures.push(WalkFailure { path, reason });
                continue;
            }
        };
        if entry.depth() == 0 {
            continue;
        }
        let is_dir = entry.file_type().is_dir();
        let hidden = !options.hidden && entry.file_name().to_string_lossy().starts_with('.');
        if hidden || ignore.matched(entry.path(), is_dir).is_ignore() {
            if entry.file_name() != IGNORE_FILE {
                walk.excluded += 1;
            }
            if is_dir {
                entries.skip_current_dir();
            }
            continue;
        }
        if !entry.file_type().is_file() {
            continue;
        }
        if let Wanted::Glob(glob) = &root.wanted {
            let below = entry.path().strip_prefix(&root.path).unwrap_or(entry.path());
            if !glob.is_match(below) {
                continue;
            }
        }
        add(root, entry.path(), found, walk);
    }
    Ok(())
}

fn add(root: &Root, path: &Path, found: &mut Found, walk: &mut Walk) {
    let is_named = matches!(root.wanted, Wanted::File(_));
    let Some(format) = Format::from_path(path) else {
        // What was named is expected to be read; what merely lies in a folder is not.
        if is_named {
            let reason = format!("only {READABLE} can be read");
            walk.failures.push(WalkFailure { path: path.to_path_buf(), reason });
        } else {
            walk.other_files += 1;
        }
        return;
    };
    if let Some(bytes) = format.head_bytes().filter(|_| !is_named) {
        match head(path, bytes) {
            Ok(head) if format.recognises(&head) => {}
            Ok(_) => {
                walk.other_files += 1;
                return;
            }
            Err(error) => {
                walk.failures.push(WalkFailure { path: path.to_path_buf(), reason: error.to_string() });
                return;
            }
        }
    }
    let size = match path.metadata() {
        Ok(meta) => meta.len(),
        Err(error) => {
            walk.failures.push(WalkFailure { path: path.to_path_buf(), reason: error.to_string() });
            return;
        }
    };
    let below = path.strip_prefix(&root.path).unwrap_or(path);
    let parts: Vec<String> = below.components().map(|c| c.as_os_str().to_string_lossy().nfc().collect()).collect();
    let relative = parts.join("/");
    // A file that lies in two roots belongs to the one that was given first.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if *found.owners.entry(real).or_insert_with(|| root.label.clone()) != root.label {
        walk.overlapping += 1;
        return;
    }
    let same = found.files.entry((root.label.clone(), relative.clone())).or_default();
    same.insert(
        root.canonical.join(below),
        Source { path: path.to_path_buf(), root: root.label.clone(), relative, format, size },
    );
}

/// The first bytes of a file.
fn head(path: &Path, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

#[cfg(test)]
mod tests;
