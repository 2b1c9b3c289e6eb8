//! Qdrant's engine as a server of its own for a test: see `tests/support/qdrant_edge_server.py`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running server; ends when dropped.
pub(crate) struct QdrantEdge {
    child: Child,
    port: u16,
    dir: PathBuf,
}

/// A fresh folder for a server's data: in memory where the system has such a place, for the engine waits for the disk at
/// every new collection and index.
pub(crate) fn data_dir() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

impl QdrantEdge {
    /// Starts a server whose collections live in `dir`.
    ///
    /// `None`, with a message, where Python or its packages are not to be had; with `EVINDEX_REQUIRE_QDRANT=1` that is a
    /// failure.
    pub(crate) fn start(dir: &Path) -> Option<Self> {
        Self::start_with(dir, &[])
    }

    /// The same with arguments for the server.
    pub(crate) fn start_with(dir: &Path, arguments: &[&str]) -> Option<Self> {
        match Self::try_start(dir, arguments) {
            Ok(server) => Some(server),
            Err(reason) if std::env::var_os("EVINDEX_REQUIRE_QDRANT").is_some_and(|v| v == "1") => {
                panic!("no Qdrant engine: {reason}")
            }
            Err(reason) => {
                eprintln!("SKIPPED: no Qdrant engine ({reason}); EVINDEX_REQUIRE_QDRANT=1 makes this a failure");
                None
            }
        }
    }

    fn try_start(dir: &Path, arguments: &[&str]) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let made = Command::new(root.join("scripts/test-deps")).output().map_err(|e| e.to_string())?;
        if !made.status.success() {
            return Err(String::from_utf8_lossy(&made.stderr).trim().to_owned());
        }
        let python = String::from_utf8_lossy(&made.stdout).trim().to_owned();
        let mut child = Command::new(python)
            .arg(root.join("tests/support/qdrant_edge_server.py"))
            .arg(dir)
            .args(arguments)
            // The server ends when its end of this pipe closes, even if this process is killed.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or("no pipe")?;
        BufReader::new(stdout).read_line(&mut line).map_err(|e| e.to_string())?;
        let port = line.trim().parse().map_err(|_| format!("the server did not start: {line:?}"))?;
        Ok(Self { child, port, dir: dir.to_owned() })
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Lets `after` writing calls succeed and the next `times` fail with a gRPC status such as `UNAVAILABLE`.
    pub(crate) fn fault(&self, after: usize, times: usize, code: &str) {
        let fault = serde_json::json!({"after": after, "times": times, "code": code});
        std::fs::write(self.dir.join("fault.json"), fault.to_string()).unwrap();
    }

    /// Ends the fault. Says whether it was hit.
    pub(crate) fn end_fault(&self, times: usize) -> bool {
        let file = self.dir.join("fault.json");
        let left: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        std::fs::remove_file(file).unwrap();
        left["times"] != times
    }
}

impl Drop for QdrantEdge {
    fn drop(&mut self) {
        // Killed, not asked: what was answered has to be on disk.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
