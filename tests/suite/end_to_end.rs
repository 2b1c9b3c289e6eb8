//! Questions in Korean and English over the fixtures, answered from LanceDB and from Qdrant's engine.

use std::path::PathBuf;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use super::qdrant_edge::QdrantEdge;
use super::support::{fixture_pdfs, has_model, ingest, query, root, run};

/// One question of `fixtures/questions.json` with what must be found first.
#[derive(Deserialize)]
struct Question {
    id: String,
    question: String,
    lang: String,
    doc: String,
    page: u32,
    caption: Option<String>,
    #[serde(default)]
    row: Vec<String>,
    value: Option<String>,
    text_contains: Option<String>,
    /// Why search by vectors alone does not find the very row; the right document must come first all the same.
    hard: Option<String>,
}

fn questions() -> Vec<Question> {
    let text = std::fs::read_to_string(root().join("fixtures/questions.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The fixtures in LanceDB, indexed once for all tests.
fn indexed() -> Option<&'static PathBuf> {
    static DATA: OnceLock<Option<(tempfile::TempDir, PathBuf)>> = OnceLock::new();
    let made = DATA.get_or_init(|| {
        has_model().then(|| {
            let dir = tempfile::tempdir().unwrap();
            let data = dir.path().join("data");
            let run = ingest(&data, &[&fixture_pdfs()], &[]);
            assert_eq!(run.code, Some(3), "{run:?}");
            (dir, data)
        })
    });
    made.as_ref().map(|(_, data)| data)
}

/// What is wrong with the first answer, if anything.
fn fault(question: &Question, answers: &Value) -> Option<String> {
    let Some(first) = answers["answers"].get(0) else { return Some("nothing found".into()) };
    let unit = &first["unit"];
    let check = |ok: bool, what: &str| {
        (!ok).then(|| format!("{what} in {} {}: {}", first["source"], unit["unit_id"], first["row"]["text"]))
    };
    let contains = |v: &Value, s: &str| v.as_str().is_some_and(|t| t.contains(s));
    let document = check(first["source"] == question.doc.as_str(), "wrong document");
    if question.hard.is_some() {
        return document;
    }
    document
        .or_else(|| check(unit["pages"].as_array().unwrap().contains(&question.page.into()), "wrong page"))
        .or_else(|| question.caption.as_ref().and_then(|c| check(contains(&unit["caption"], c), "wrong table")))
        .or_else(|| {
            question.row.iter().find_map(|r| check(contains(&first["row"]["text"], r), &format!("no {r:?} in the row")))
        })
        .or_else(|| {
            question.value.as_ref().and_then(|v| check(contains(&first["row"]["text"], v), &format!("no cell {v:?}")))
        })
        .or_else(|| {
            question.text_contains.as_ref().and_then(|t| check(contains(&unit["parent_text"], t), "wrong text"))
        })
}

#[test]
fn the_first_answer_is_the_right_table_and_row() {
    let Some(data) = indexed() else { return };
    let questions = questions();
    let mut right = [0, 0];
    let mut faults = Vec::new();
    for q in &questions {
        match fault(q, &query(data, &q.question, &["--k", "3"])) {
            None => right[usize::from(q.lang == "ko")] += usize::from(q.hard.is_none()),
            Some(why) => faults.push(format!("{} {:?}: {why}", q.id, q.question)),
        }
    }
    assert!(faults.is_empty(), "right: {right:?} (en, ko); {faults:#?}");
    assert!(right[0] >= 10 && right[1] >= 8, "too few questions: {right:?}");
}

#[test]
fn answers_are_distinct_units_with_their_whole() {
    let Some(data) = indexed() else { return };
    let found = query(data, "pump seal kit", &["--k", "10"]);
    let answers = found["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 10);
    let mut groups: Vec<&Value> = answers
        .iter()
        .map(|a| Some(&a["unit"]["original_eu_id"]).filter(|v| !v.is_null()).unwrap_or(&a["unit"]["unit_id"]))
        .collect();
    groups.sort_by_key(|v| v.to_string());
    groups.dedup();
    assert_eq!(groups.len(), 10, "one unit came twice");
    assert!(answers.iter().all(|a| !a["unit"]["parent_text"].as_str().unwrap().is_empty()));
    let scores: Vec<f64> = answers.iter().map(|a| a["score"].as_f64().unwrap()).collect();
    assert!(scores.windows(2).all(|w| w[0] >= w[1]), "{scores:?}");
}

#[test]
fn qdrant_gives_the_same_top_hits() {
    let Some(data) = indexed() else { return };
    let dir = tempfile::tempdir().unwrap();
    let Some(server) = QdrantEdge::start(dir.path()) else { return };
    let url = server.url();
    let pdfs = fixture_pdfs();
    let flags = ["--store", "qdrant", "--url", url.as_str(), "--offline", "--json"];
    let ingested = run(["ingest", pdfs.to_str().unwrap()].iter().chain(&flags));
    assert_eq!(ingested.code, Some(3), "{ingested:?}");
    for q in questions() {
        let ours = query(data, &q.question, &["--k", "3"]);
        let theirs = run(["query", q.question.as_str(), "--k", "3"].iter().chain(&flags));
        assert_eq!(theirs.code, Some(0), "{theirs:?}");
        let ids = |found: &Value| -> Vec<(String, String)> {
            let answers = found["answers"].as_array().unwrap();
            answers.iter().map(|a| (a["unit"]["unit_id"].to_string(), a["row"]["row"].to_string())).collect()
        };
        assert_eq!(ids(&ours), ids(&theirs.json()), "{}", q.question);
    }
    let again = run(["ingest", pdfs.to_str().unwrap()].iter().chain(&flags));
    let report = again.json();
    assert_eq!((&report["indexed"], &report["unchanged"]), (&0.into(), &6.into()), "{again:?}");
}
