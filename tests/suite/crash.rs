//! Runs killed at random moments: the next run ends where an undisturbed one does.

use std::time::{Duration, Instant};

use super::support::{content, copy_files, evindex, fixture_pdfs, has_model, ingest};

/// How many runs are killed.
const KILLS: u32 = 24;

#[test]
fn a_killed_run_and_a_rerun_end_as_an_undisturbed_run() {
    if !has_model() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let pdfs = dir.path().join("pdfs");
    copy_files(&fixture_pdfs(), &pdfs);
    let calm = dir.path().join("calm");
    let started = Instant::now();
    assert_eq!(ingest(&calm, &[&pdfs], &[]).code, Some(3));
    let whole = started.elapsed();
    let expected = content(&calm);

    let shaken = dir.path().join("shaken");
    let mut killed = 0;
    for round in 0..KILLS {
        // Fractions of the golden ratio spread the moments evenly over the run, without a random generator.
        let share = (f64::from(round + 1) * 0.618_034).fract();
        // Every fourth kill hits a run that has to do everything again over a complete index.
        let mut command = evindex();
        command.arg("ingest").arg(&pdfs).arg("--uri").arg(&shaken).args(["--offline", "--quiet"]);
        if round % 4 == 3 {
            command.arg("--force");
        }
        let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * share));
        killed += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        if round % 6 == 5 {
            assert_eq!(ingest(&shaken, &[&pdfs], &[]).code, Some(3), "the run after kill {round}");
            content(&shaken).assert_same(&expected, &format!("after kill {round}"));
            std::fs::remove_dir_all(&shaken).unwrap();
        }
    }
    assert!(killed >= 20, "only {killed} runs were still going when they were to be killed");
}
