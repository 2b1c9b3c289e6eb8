use std::collections::BTreeMap;
use std::fs;

use super::*;

fn tree(files: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for file in files {
        let path = dir.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    dir
}

fn relatives(walk: &Walk) -> Vec<&str> {
    walk.sources.iter().map(|s| s.relative.as_str()).collect()
}

fn path_of(dir: &tempfile::TempDir) -> String {
    dir.path().to_str().unwrap().to_owned()
}

#[test]
fn a_folder_is_walked_in_order_and_counts_what_it_passes_over() {
    let dir = tree(&["b.pdf", "a/report.pdf", "a/notes.xyz", ".git/x.pdf", "report.PDF"]);
    let walk = walk(&[path_of(&dir)], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&walk), ["a/report.pdf", "b.pdf", "report.PDF"]);
    assert_eq!((walk.other_files, walk.excluded), (1, 1));
    assert_eq!(walk.complete_roots.len(), 1);
}

#[test]
fn json_files_of_other_kinds_are_passed_over_unless_named() {
    let dir = tree(&["package.json", "broken.json", "x.pdf"]);
    fs::write(dir.path().join("report.json"), r#"{"schema_name": "DoclingDocument", "texts": []}"#).unwrap();
    let folder = walk(&[path_of(&dir)], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&folder), ["report.json", "x.pdf"]);
    assert_eq!((folder.other_files, folder.failures.len(), folder.complete_roots.len()), (2, 0, 1));
    assert_eq!(folder.sources[0].format, Format::Docling);
    let glob = walk(&[format!("{}/*.json", path_of(&dir))], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&glob), ["report.json"]);
    let named = walk(&[format!("{}/package.json", path_of(&dir))], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&named), ["package.json"]);
}

#[test]
fn excludes_work_as_in_gitignore() {
    let dir = tree(&["draft.pdf", "a/draft.pdf", "a/keep.pdf", "old/x.pdf", "old/deep/y.pdf", "b/skip.pdf"]);
    fs::write(dir.path().join(IGNORE_FILE), "b/*\n").unwrap();
    let options =
        WalkOptions { exclude: vec!["draft.pdf".into(), "!a/draft.pdf".into(), "old/".into()], ..Default::default() };
    let walk = walk(&[path_of(&dir)], &options).unwrap();
    assert_eq!(relatives(&walk), ["a/draft.pdf", "a/keep.pdf"]);
}

#[test]
fn a_glob_and_a_file_belong_to_the_same_root_as_their_folder() {
    let dir = tree(&["a/x.pdf", "a/y.pdf", "z.pdf"]);
    let whole = walk(&[path_of(&dir)], &WalkOptions::default()).unwrap();
    let glob = walk(&[format!("{}/**/x.pdf", path_of(&dir))], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&glob), ["a/x.pdf"]);
    assert_eq!(glob.sources[0].root, whole.sources[0].root);
    assert!(glob.complete_roots.is_empty());
    let file = walk(&[format!("{}/z.pdf", path_of(&dir))], &WalkOptions::default()).unwrap();
    assert_eq!((relatives(&file), &file.sources[0].root), (vec!["z.pdf"], &whole.sources[0].root));
}

#[cfg(unix)]
#[test]
fn a_symlink_loop_ends() {
    let dir = tree(&["a/x.pdf"]);
    std::os::unix::fs::symlink(dir.path(), dir.path().join("a/loop")).unwrap();
    let walk = walk(&[path_of(&dir)], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&walk), ["a/x.pdf"]);
    assert!(walk.failures.is_empty());
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_a_named_failure_and_leaves_the_root_incomplete() {
    let dir = tree(&["x.pdf"]);
    std::os::unix::fs::symlink("nowhere", dir.path().join("gone.pdf")).unwrap();
    let walk = walk(&[path_of(&dir)], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&walk), ["x.pdf"]);
    assert!(walk.failures[0].path.ends_with("gone.pdf"));
    assert!(walk.complete_roots.is_empty());
}

#[test]
fn a_folder_named_twice_and_a_folder_in_a_folder_are_read_once() {
    let dir = tree(&["a/x.pdf", "y.pdf"]);
    let (top, inner) = (path_of(&dir), format!("{}/a", path_of(&dir)));
    let detour = format!("{inner}/../");
    let walk = walk(&[top, detour, inner.clone(), format!("{inner}/x.pdf")], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&walk), ["a/x.pdf", "y.pdf"]);
    assert_eq!(walk.overlapping, 2);
}

#[test]
fn a_named_file_of_another_kind_is_a_failure() {
    let dir = tree(&["report.docx"]);
    let walk = walk(&[format!("{}/report.docx", path_of(&dir))], &WalkOptions::default()).unwrap();
    assert!(walk.sources.is_empty() && walk.failures[0].path.ends_with("report.docx"));
}

#[test]
fn a_missing_path_is_an_error() {
    let error = walk(&["no/such/folder".into()], &WalkOptions::default()).unwrap_err();
    assert!(error.to_string().contains("no/such/folder"));
}

#[test]
fn one_label_cannot_stand_for_two_folders() {
    let (a, b) = (tree(&["x.pdf"]), tree(&["x.pdf"]));
    let options = WalkOptions { root_label: "docs".into(), ..Default::default() };
    assert!(matches!(walk(&[path_of(&a), path_of(&b)], &options), Err(WalkError::AmbiguousLabel(_))));
}

#[test]
fn korean_names_are_nfc_and_twins_stay_apart() {
    let nfc = "한글.pdf";
    let nfd: String = unicode_normalization::UnicodeNormalization::nfd(nfc).collect();
    let dir = tree(&[&nfd]);
    let alone = walk(&[path_of(&dir)], &WalkOptions::default()).unwrap();
    assert_eq!(relatives(&alone), [nfc]);
    fs::write(dir.path().join(nfc), "y").unwrap();
    let both = walk(&[path_of(&dir)], &WalkOptions::default()).unwrap();
    let mut names = relatives(&both);
    names.sort_unstable();
    assert_eq!(names, {
        let mut v = vec![nfc, nfd.as_str()];
        v.sort_unstable();
        v
    });
}

#[test]
fn ids_are_readable_and_never_shared() {
    assert_eq!(candidate("a/report.pdf"), "a/report");
    assert_eq!(candidate("a/report.html"), "a/report-html");
    assert_eq!(candidate("보고서/2023년.pdf"), "보고서/2023년");
    assert!(candidate("a b.pdf").starts_with("a_b~"));
    assert_ne!(candidate("a b.pdf"), candidate("a(b.pdf"));
    let stored = BTreeMap::from([(("other".to_owned(), "report.pdf".to_owned()), "report".to_owned())]);
    let ids = assign(&[("here", "report.pdf"), ("other", "report.pdf"), ("here", "report.PDF")], &stored);
    assert_eq!(ids[1], "report");
    assert!(ids[0].starts_with("report~") && ids[2].starts_with("report~") && ids[0] != ids[2]);
}
