//! Runs killed at random moments: the next run ends where an undisturbed one does.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::support::{FAST_MODEL, content, evindex, fixture_pdfs, has_fast_model};

/// How many runs are killed while they are going.
const KILLS: u32 = 24;

/// How many runs are started at most: one that ends before its kill does not count.
const RUNS: u32 = 3 * KILLS;

/// An ingest that commits often, so that kills fall before, into and between commits.
fn ingest(pdfs: &Path, data: &Path) -> Command {
    let mut command = evindex();
    command.arg("ingest").arg(pdfs).arg("--uri").arg(data).args(["--model", FAST_MODEL, "--offline", "--quiet"]);
    command.env("EVINDEX_INGEST_BATCH_TEXTS", "8").stderr(Stdio::null());
    command
}

#[test]
fn a_killed_run_and_a_rerun_end_as_an_undisturbed_run() {
    if !has_fast_model() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let pdfs = dir.path().join("pdfs");
    std::fs::create_dir(&pdfs).unwrap();
    for (fixture, name) in [
        ("clinic-waiting-times.pdf", "a.pdf"),
        ("clinic-waiting-times.pdf", "b.pdf"),
        ("연구시설-이용-안내.pdf", "다.pdf"),
        ("scanned-minutes.pdf", "d.pdf"),
    ] {
        std::fs::copy(fixture_pdfs().join(fixture), pdfs.join(name)).unwrap();
    }
    let calm = dir.path().join("calm");
    let started = Instant::now();
    assert_eq!(ingest(&pdfs, &calm).status().unwrap().code(), Some(3));
    let mut whole = started.elapsed();
    let expected = content(&calm);

    let shaken = dir.path().join("shaken");
    let mut killed = 0;
    for round in 0..RUNS {
        // Multiples of the golden ratio spread the moments evenly over the run, without a random generator. Forced, every
        // run has everything to do, whatever the ones before it left.
        let share = (f64::from(round + 1) * 0.618_034).fract();
        let mut child = ingest(&pdfs, &shaken).arg("--force").spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * share));
        if child.try_wait().unwrap().is_some() {
            // The machine has become faster than it was.
            whole = whole.mul_f64(share);
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        if killed % 6 == 0 {
            assert_eq!(ingest(&pdfs, &shaken).status().unwrap().code(), Some(3), "the run after kill {killed}");
            content(&shaken).assert_same(&expected, &format!("after kill {killed}"));
        }
        // The first kills hit an index that grows from nothing, twice; the others a complete one.
        if killed == 6 {
            std::fs::remove_dir_all(&shaken).unwrap();
        }
        if killed == KILLS {
            return;
        }
    }
    panic!("only {killed} of {RUNS} runs were still going when they were to be killed");
}
