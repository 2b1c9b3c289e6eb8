//! Real documents: none may panic, every failure has a reason, every unit keeps its limits.

use rayon::prelude::*;

use super::support::shared;
use evindex::chunk::{ChunkSettings, tokens::Budget};
use evindex::parse::Format;

fn read_all(below: &str) -> Option<(usize, Vec<String>)> {
    let folder = shared(below)?;
    let files: Vec<_> = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(|e| e.unwrap().into_path())
        .filter(|p| p.extension().is_some_and(|e| e == "pdf"))
        .collect();
    let settings = ChunkSettings::default();
    let failures: Vec<String> = files
        .par_iter()
        .filter_map(|path| {
            let budget = Budget { max_tokens: settings.max_tokens, model: None };
            let read =
                evindex::pipeline::units_of(&std::fs::read(path).unwrap(), Format::Pdf, "doc", &[], &settings, &budget);
            match read {
                Err(reason) => Some(format!("{}: {reason}", path.display())),
                Ok((_, units)) => {
                    let over = units.iter().find(|u| u.tokens as usize > settings.max_tokens);
                    assert!(over.is_none(), "{}: oversize unit {over:?}", path.display());
                    let mut ids: Vec<&str> = units.iter().map(|u| u.unit_id.as_str()).collect();
                    ids.sort_unstable();
                    let all = ids.len();
                    ids.dedup();
                    assert_eq!(ids.len(), all, "{}: ids are not unique", path.display());
                    None
                }
            }
        })
        .collect();
    assert!(failures.iter().all(|f| !f.contains("internal error")), "{failures:#?}");
    Some((files.len(), failures))
}

#[test]
fn reports_and_papers() {
    let Some((files, failures)) = read_all("corpus/odl/pdf") else { return };
    assert_eq!(files, 97);
    assert!(failures.iter().all(|f| f.contains("OCR")), "{failures:#?}");
}

#[test]
fn korean_documents() {
    let Some((files, failures)) = read_all("corpus/korean") else { return };
    assert!(files >= 34, "{files}");
    assert!(failures.is_empty(), "{failures:#?}");
}
