//! The command line as users and scripts see it: exit codes, messages, machine-readable output.

use super::support::{Run, evindex, fixture_pdfs, has_model, run};

#[test]
fn wrong_usage_and_settings_exit_with_2_and_say_what_would_be_right() {
    let missing = run(["ingest", "no/such/folder"]);
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert!(missing.stderr.contains("there is nothing at no/such/folder"));
    assert_eq!(run(["ingest"]).code, Some(2));
    let missing = run(["ingest", "no/such/folder", "--json"]);
    let error = missing.json()["error"].to_string();
    assert!(error.starts_with("\"there is nothing at no/such/folder: give a file"), "{error}");
    assert_eq!(missing.code, Some(2));
    let bad: Run = evindex().args(["config", "show"]).env("EVINDEX_QUERY_K", "many").output().unwrap().into();
    assert_eq!(bad.code, Some(2));
    assert!(bad.stderr.contains("EVINDEX_QUERY_K: query.k: \"many\" is not a whole number"), "{bad:?}");
}

#[test]
fn config_show_says_where_values_come_from() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("evindex.toml"), "[store]\nuri = \"here\"\n").unwrap();
    let shown: Run =
        evindex().args(["config", "show"]).env("EVINDEX_QUERY_K", "9").current_dir(dir.path()).output().unwrap().into();
    let line = |key: &str| {
        shown.stdout.lines().find(|l| l.starts_with(key)).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("uri ="), "uri = \"here\" # evindex.toml");
    assert_eq!(line("k ="), "k = 9 # EVINDEX_QUERY_K");
    assert_eq!(line("max_tokens ="), "max_tokens = 512 # default");
    let reread: toml::Table = shown.stdout.parse().unwrap();
    assert_eq!(reread["store"]["uri"].as_str(), Some("here"));
}

#[test]
fn the_documented_configurations_are_valid() {
    for name in ["evindex.toml", "qdrant.toml", "cron.toml"] {
        let file = super::support::root().join("configs").join(name);
        let shown = run(["config", "show", "--config", file.to_str().unwrap()]);
        assert_eq!(shown.code, Some(0), "{shown:?}");
    }
    let defaults = run(["config", "show"]);
    let full =
        run(["config", "show", "--config", super::support::root().join("configs/evindex.toml").to_str().unwrap()]);
    let values = |r: &Run| r.stdout.lines().map(|l| l.split('#').next().unwrap().trim().to_owned()).collect::<Vec<_>>();
    assert_eq!(values(&defaults), values(&full), "configs/evindex.toml must list every setting with its default");
}

#[test]
fn parse_prints_markdown_and_json() {
    let pdf = fixture_pdfs().join("지역경제동향-2025년-3분기.pdf");
    let markdown = run(["parse", pdf.to_str().unwrap()]);
    assert_eq!(markdown.code, Some(0), "{markdown:?}");
    assert!(markdown.stdout.contains("<표 1>") && markdown.stdout.contains("<table>"), "{}", markdown.stdout);
    let json = run(["parse", pdf.to_str().unwrap(), "--format", "json"]).json();
    assert_eq!(json["pages"].as_array().unwrap().len(), 3);
}

#[test]
fn chunk_prints_units_as_json_lines() {
    let pdf = fixture_pdfs().join("clinic-waiting-times.pdf");
    let chunks = run(["chunk", pdf.to_str().unwrap()]);
    assert_eq!(chunks.code, Some(0), "{chunks:?}");
    let units: Vec<serde_json::Value> = chunks.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(units.iter().any(|u| u["kind"] == "eu") && units.iter().any(|u| u["kind"] == "text"));
    assert!(units.iter().all(|u| u["tokens"].as_u64().unwrap() <= 512 && u["schema"] == "evindex.unit/1"));
}

#[test]
fn chunk_prints_documents_of_other_libraries_and_baselines() {
    let pdf = fixture_pdfs().join("clinic-waiting-times.pdf");
    let chunk = |flags: &[&str]| {
        let chunks = run([&["chunk", pdf.to_str().unwrap()], flags].concat());
        assert_eq!(chunks.code, Some(0), "{chunks:?}");
        chunks.stdout
    };
    let parsed =
        |text: String| text.lines().map(|l| serde_json::from_str(l).unwrap()).collect::<Vec<serde_json::Value>>();
    let units = parsed(chunk(&[]));
    let rows: usize = units.iter().map(|u| u["rows"].as_array().unwrap().len()).sum();
    assert_eq!(parsed(chunk(&["--format", "langchain"])).len(), units.len());
    assert_eq!(parsed(chunk(&["--format", "llamaindex", "--units", "small"])).len(), units.len() + rows);
    assert!(chunk(&["--format", "markdown"]).starts_with("---\n\n**"));
    let ignored = run(["chunk", pdf.to_str().unwrap(), "--units", "small"]);
    assert!(ignored.code == Some(0) && ignored.stderr.contains("--units small is for"), "{ignored:?}");
    for mode in ["hybrid", "fixed", "rows"] {
        let small = parsed(chunk(&["--chunking", mode, "--max-tokens", "128"]));
        assert!(!small.is_empty() && small.iter().all(|u| u["kind"] == "text"), "{mode}");
    }
}

#[test]
fn a_file_without_text_is_a_clear_error() {
    let scan = run(["parse", fixture_pdfs().join("scanned-minutes.pdf").to_str().unwrap()]);
    assert_eq!(scan.code, Some(1), "{scan:?}");
    assert!(scan.stderr.contains("scanned-minutes.pdf") && scan.stderr.contains("OCR"), "{scan:?}");
}

/// A fixture, encrypted with a user password.
fn encrypted(dir: &std::path::Path, password: &str) -> std::path::PathBuf {
    use lopdf::encryption::{EncryptionState, EncryptionVersion, Permissions};
    let mut pdf = lopdf::Document::load(fixture_pdfs().join("clinic-waiting-times.pdf")).unwrap();
    pdf.trailer.set("ID", vec![lopdf::Object::string_literal("0123456789abcdef"); 2]);
    let version = EncryptionVersion::V2 {
        document: &pdf,
        owner_password: "owner",
        user_password: password,
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    pdf.encrypt(&state).unwrap();
    let path = dir.join("encrypted.pdf");
    pdf.save(&path).unwrap();
    path
}

#[test]
fn passwords_come_from_flags_a_file_and_the_environment() {
    let dir = tempfile::tempdir().unwrap();
    let pdf = encrypted(dir.path(), "비밀 42");
    let pdf = pdf.to_str().unwrap();
    let list = dir.path().join("passwords.txt");
    std::fs::write(&list, "first\n비밀 42\n").unwrap();
    let list = list.to_str().unwrap();

    let none = run(["parse", pdf]);
    assert_eq!(none.code, Some(1));
    assert!(none.stderr.contains("encrypted.pdf: needs a password: give it with --password"), "{none:?}");
    let wrong = run(["parse", pdf, "--password", "x", "--password", "y"]);
    assert!(wrong.stderr.contains("encrypted.pdf: none of the 2 passwords opens it"), "{wrong:?}");
    let right = run(["parse", pdf, "--password", "x", "--password-file", list]);
    assert!(right.code == Some(0) && right.stdout.contains("<table>"), "{right:?}");
    let chunks = run(["chunk", pdf, "--password-file", list]);
    assert!(chunks.code == Some(0) && chunks.stdout.contains("\"kind\":\"eu\""), "{chunks:?}");
    let variable: Run = evindex().args(["parse", pdf]).env("EVINDEX_PASSWORD", "비밀 42").output().unwrap().into();
    assert_eq!(variable.stdout, right.stdout);
    let missing = run(["parse", pdf, "--password-file", "no-such-file"]);
    assert!(missing.stderr.contains("cannot read the password file no-such-file"), "{missing:?}");
}

#[test]
fn parse_tells_some_failures_from_all() {
    let dir = tempfile::tempdir().unwrap();
    let broken = dir.path().join("broken.pdf");
    std::fs::write(&broken, "no PDF").unwrap();
    let (broken, good) = (broken.to_str().unwrap(), fixture_pdfs().join("clinic-waiting-times.pdf"));
    let some = run(["parse", broken, good.to_str().unwrap()]);
    assert_eq!(some.code, Some(3), "{some:?}");
    assert!(some.stderr.contains("broken.pdf: not a PDF file") && some.stdout.contains("<table>"), "{some:?}");
    assert_eq!(run(["parse", broken, broken]).code, Some(1));
}

#[test]
fn parse_names_the_files_and_says_what_it_does_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let unnamed = dir.path().join("report");
    std::fs::copy(fixture_pdfs().join("clinic-waiting-times.pdf"), &unnamed).unwrap();
    let file = unnamed.to_str().unwrap();
    let both = run(["parse", file, file]);
    assert_eq!(both.stdout.matches(&format!("<!-- {file} -->\n")).count(), 2, "{both:?}");
    assert_eq!(run(["parse", file, "--format", "json"]).json()["file"], file);
    let beyond = run(["parse", file, "--pages", "1-99"]);
    assert_eq!(beyond.code, Some(0), "{beyond:?}");
    assert!(beyond.stderr.contains("pages up to 99 were asked for, but it ends with page 2"), "{beyond:?}");
    for format in ["md", "words"] {
        let outside = run(["parse", file, "--pages", "5-", "--format", format]);
        assert_eq!(outside.code, Some(1), "{outside:?}");
        assert!(outside.stderr.contains("has only 2 page(s), none of those asked for"), "{outside:?}");
    }
    let folder = run(["parse", dir.path().to_str().unwrap()]);
    assert!(folder.stderr.contains("is a folder") && folder.stderr.contains("evindex ingest"), "{folder:?}");
    let film = dir.path().join("film.mkv");
    std::fs::write(&film, [0_u8; 8192]).unwrap();
    let film = run(["parse", film.to_str().unwrap()]);
    assert!(film.stderr.contains("film.mkv: only PDF and DoclingDocument JSON files"), "{film:?}");
    let secrets = run(["parse", file, "--password-file", "/nowhere/passwords"]);
    assert_eq!(secrets.code, Some(2), "{secrets:?}");
}

#[test]
fn a_query_without_a_collection_says_what_to_do() {
    if !has_model() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let none = run(["query", "셀 값?", "--offline", "--uri", dir.path().to_str().unwrap()]);
    assert_eq!(none.code, Some(1), "{none:?}");
    assert!(none.stderr.contains("there is no collection \"documents\"") && none.stderr.contains("evindex ingest"));
}

#[test]
fn a_dry_run_makes_nothing() {
    if !has_model() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let pdfs = fixture_pdfs();
    let dry = run(["ingest", pdfs.to_str().unwrap(), "--dry-run", "--offline", "--uri", data.to_str().unwrap()]);
    assert_eq!(dry.code, Some(0), "{dry:?}");
    assert_eq!(dry.stdout.lines().filter(|l| l.starts_with("index ")).count(), 7);
    assert!(!data.join("documents.lance").exists());
}
