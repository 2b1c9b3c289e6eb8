//! Second runs: nothing for what is unchanged, exactly its own units for what changed, nothing lost on failure.

use std::fs;
use std::path::Path;

use super::support::{FAST_MODEL, Run, content, copy_files, fixture_pdfs, has_fast_model};

/// Ingests with the fast model.
fn ingest(data: &Path, paths: &[&Path], more: &[&str]) -> Run {
    super::support::ingest(data, paths, &[&["--model", FAST_MODEL], more].concat())
}

fn table_version(data: &Path) -> usize {
    // One manifest per version of the table: a run that writes nothing adds none.
    fs::read_dir(data.join("documents.lance/_versions")).unwrap().count()
}

#[test]
fn a_second_run_embeds_and_writes_nothing() {
    if !has_fast_model() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (pdfs, data) = (dir.path().join("pdfs"), dir.path().join("data"));
    copy_files(&fixture_pdfs(), &pdfs);
    let first = ingest(&data, &[&pdfs], &[]).json();
    assert_eq!((&first["indexed"], &first["unchanged"]), (&6.into(), &0.into()));
    let (before, versions) = (content(&data), table_version(&data));
    let second = ingest(&data, &[&pdfs], &[]);
    assert_eq!(second.code, Some(3), "the scan still fails: {second:?}");
    let report = second.json();
    assert_eq!((&report["indexed"], &report["unchanged"], &report["vectors"]), (&0.into(), &6.into(), &0.into()));
    assert_eq!(table_version(&data), versions);
    content(&data).assert_same(&before, "after the second run");
}

#[test]
fn a_changed_file_replaces_its_own_units_and_a_vanished_one_goes_with_prune() {
    if !has_fast_model() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (pdfs, data) = (dir.path().join("pdfs"), dir.path().join("data"));
    fs::create_dir(&pdfs).unwrap();
    let fixture = |name: &str| fixture_pdfs().join(name);
    fs::copy(fixture("clinic-waiting-times.pdf"), pdfs.join("a.pdf")).unwrap();
    fs::copy(fixture("연구시설-이용-안내.pdf"), pdfs.join("나.pdf")).unwrap();
    assert_eq!(ingest(&data, &[&pdfs], &[]).code, Some(0));
    let lines_of = |doc: &str| content(&data).of(doc);
    let (a, b) = (lines_of("a"), lines_of("나"));

    fs::copy(fixture("battery-ageing-study.pdf"), pdfs.join("a.pdf")).unwrap();
    let report = ingest(&data, &[&pdfs], &[]).json();
    assert_eq!((&report["indexed"], &report["unchanged"]), (&1.into(), &1.into()));
    assert_ne!(lines_of("a"), a);
    assert_eq!(lines_of("나"), b);

    // What can no longer be read keeps what is stored of it.
    let good = lines_of("a");
    fs::write(pdfs.join("a.pdf"), b"%PDF-1.7\nnothing more").unwrap();
    let broken = ingest(&data, &[&pdfs], &[]);
    assert_eq!(broken.code, Some(3));
    assert!(broken.json()["failures"][0]["file"].as_str().unwrap().ends_with("a.pdf"));
    assert_eq!(lines_of("a"), good);

    fs::remove_file(pdfs.join("나.pdf")).unwrap();
    assert_eq!(ingest(&data, &[&pdfs], &[]).json()["vanished"], 1);
    assert_eq!(lines_of("나"), b);
    assert_eq!(ingest(&data, &[&pdfs], &["--prune"]).json()["removed"], 1);
    assert!(lines_of("나").is_empty());
    assert_eq!(lines_of("a"), good);
}

#[test]
fn folders_with_the_same_file_names_stay_apart() {
    if !has_fast_model() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (one, two, data) = (dir.path().join("one"), dir.path().join("two"), dir.path().join("data"));
    for (folder, fixture) in [(&one, "clinic-waiting-times.pdf"), (&two, "연구시설-이용-안내.pdf")] {
        fs::create_dir(folder).unwrap();
        fs::copy(fixture_pdfs().join(fixture), folder.join("report.pdf")).unwrap();
    }
    assert_eq!(ingest(&data, &[&one], &[]).code, Some(0));
    let first = content(&data).of("report");
    assert_eq!(ingest(&data, &[&two], &["--prune"]).json()["indexed"], 1);
    let both = content(&data);
    assert_eq!(both.of("report"), first);
    assert!(both.lines.len() > first.len() + 1, "the second report has no units of its own");
    let again = ingest(&data, &[&one, &two], &["--prune"]).json();
    assert_eq!((&again["indexed"], &again["unchanged"], &again["removed"]), (&0.into(), &2.into(), &0.into()));
}
