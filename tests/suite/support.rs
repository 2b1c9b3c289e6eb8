//! What the tests share: the binary, the fixtures, the default model, the shared corpus.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with the fixture PDFs.
pub(crate) fn fixture_pdfs() -> PathBuf {
    root().join("fixtures/pdfs")
}

/// The shared test corpus, or `None` (said on stderr) where it is absent.
pub(crate) fn shared(below: &str) -> Option<PathBuf> {
    let base = std::env::var_os("EVINDEX_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let path = base.join(below);
    if !path.exists() {
        eprintln!("SKIPPED: {below} of the shared corpus is not here");
        return None;
    }
    Some(path)
}

/// A model half the size of the default, for tests that ask for speed and not for Korean.
pub(crate) const FAST_MODEL: &str = "all-MiniLM-L6-v2";

/// Whether the default model is here; said on stderr if not. The test command provides it.
pub(crate) fn has_model() -> bool {
    found_model(evindex::embed::DEFAULT_MODEL)
}

/// The same for [`FAST_MODEL`].
pub(crate) fn has_fast_model() -> bool {
    found_model(FAST_MODEL)
}

fn found_model(name: &str) -> bool {
    let found = run(["model", "find", "--offline", "--model", name]).code == Some(0);
    if !found {
        eprintln!("SKIPPED: {name} is not here; run scripts/get-model {name}");
        assert!(std::env::var_os("CI").is_none(), "CI must provide {name}");
    }
    found
}

/// The binary under test, away from the user's settings.
pub(crate) fn evindex() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evindex"));
    let settings = ["STORE_KIND", "STORE_URI", "STORE_URL", "STORE_COLLECTION", "MODEL_ID", "CONFIG", "PASSWORD"];
    for name in settings {
        command.env_remove(format!("EVINDEX_{name}"));
    }
    command.env_remove("QDRANT_API_KEY").current_dir(std::env::temp_dir());
    command
}

/// A run's stdout, stderr and exit code.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The only line of stdout, as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e} in {self:?}"))
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs the binary with these arguments.
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    evindex().args(args).output().unwrap().into()
}

/// Ingests `paths` into LanceDB under `data` and returns the run with its JSON summary on stdout.
pub(crate) fn ingest(data: &Path, paths: &[&Path], more: &[&str]) -> Run {
    let mut command = evindex();
    command.arg("ingest").args(paths).arg("--uri").arg(data).args(["--json", "--offline"]).args(more);
    command.output().unwrap().into()
}

/// Asks a question of the collection under `data`.
pub(crate) fn query(data: &Path, question: &str, more: &[&str]) -> serde_json::Value {
    let mut command = evindex();
    command.args(["query", question, "--json", "--offline", "--uri"]).arg(data).args(more);
    let run = Run::from(command.output().unwrap());
    assert_eq!(run.code, Some(0), "{run:?}");
    run.json()
}

/// Copies all files of a folder.
pub(crate) fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// What a LanceDB collection holds, without the time of indexing.
#[derive(Debug, PartialEq)]
pub(crate) struct Content {
    /// Documents and units as text, sorted by document.
    pub(crate) lines: Vec<String>,
    /// The row vectors of all units, in the same order.
    vectors: Vec<f32>,
}

impl Content {
    /// Fails where two contents differ. Vectors may differ by as much as the texts that they were computed together with
    /// change them.
    #[track_caller]
    pub(crate) fn assert_same(&self, other: &Self, when: &str) {
        assert_eq!(self.lines, other.lines, "{when}");
        assert_eq!(self.vectors.len(), other.vectors.len(), "{when}");
        let apart = self.vectors.iter().zip(&other.vectors).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart <= 1e-5, "{when}: vectors differ by {apart}");
    }

    /// The lines about one document.
    pub(crate) fn of(&self, doc_id: &str) -> Vec<String> {
        let unit = format!("doc_id: {doc_id:?}");
        let document = format!("{doc_id} ");
        self.lines.iter().filter(|l| l.contains(&unit) || l.starts_with(&document)).cloned().collect()
    }
}

/// Reads everything that the collection under `data` holds.
pub(crate) fn content(data: &Path) -> Content {
    use evindex::store::{StoreKind, open_existing};
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let (store, _) = open_existing(StoreKind::Lancedb, data.to_str().unwrap(), None, "documents").await.unwrap();
        let mut content = Content { lines: Vec::new(), vectors: Vec::new() };
        for document in store.documents(None).await.unwrap() {
            let stored = store.fetch(&document.unit_ids).await.unwrap();
            assert_eq!(stored.len(), document.unit_ids.len(), "{} misses units", document.doc_id);
            let evindex::store::DocumentRecord { doc_id, source, content_hash, unit_ids, .. } = document;
            content.lines.push(format!("{doc_id} {source} {content_hash} {unit_ids:?}"));
            for unit in stored {
                content.lines.push(format!("{:?}", unit.unit));
                content.vectors.extend(unit.rows.into_iter().flatten());
            }
        }
        content.lines.push(format!("{:?}", store.counts().await.unwrap()));
        content
    })
}
