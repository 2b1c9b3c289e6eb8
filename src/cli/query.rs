//! `evindex query`

use std::io::IsTerminal;

use serde::Serialize;

use super::args::QueryArgs;
use super::exit::Exit;
use super::session;
use super::ui::{self, Style, paint};
use crate::config::Config;
use crate::embed::{EmbedOptions, Embedder};
use crate::query::{self, Answer, LegName};
use crate::store::Filter;

/// Lines of an answer's parent text that are shown without `--full`.
const PARENT_LINES: usize = 8;

/// The JSON form.
#[derive(Serialize)]
struct Found<'a> {
    schema: u32,
    question: &'a str,
    answers: &'a [Answer],
}

/// Answers a question.
pub(super) fn run(config: &Config, args: &QueryArgs) -> anyhow::Result<Exit> {
    if args.text.trim().is_empty() {
        ui::say("error: the question is empty");
        return Ok(Exit::Usage);
    }
    let runtime = session::runtime()?;
    let (store, spec) = runtime.block_on(session::open_existing(config))?;
    let model = session::model_of(config, &spec)?;
    let embedder = Embedder::load(&model, &EmbedOptions::default())?;
    session::check(&spec, &embedder)?;
    let filter = Filter { doc_ids: args.doc.clone(), page: args.page, kind: args.unit_kind() };
    let search = query::search(store.as_ref(), &embedder, &args.text, config.query.k, args.mode, &filter);
    let answers = runtime.block_on(search)?;
    if args.json {
        ui::print_json(&Found { schema: query::SCHEMA, question: &args.text, answers: &answers })?;
        return Ok(Exit::Success);
    }
    if answers.is_empty() {
        let filtered = !args.doc.is_empty() || args.page.is_some() || args.kind.is_some();
        ui::say(if filtered { "nothing found: the filters leave nothing" } else { "the collection is empty" });
    }
    let colour = std::io::stdout().is_terminal();
    let blocks: Vec<String> = answers.iter().map(|a| block(a, args.full, colour)).collect();
    ui::print(&blocks.join("\n"))?;
    Ok(Exit::Success)
}

/// One answer for reading.
fn block(answer: &Answer, full: bool, colour: bool) -> String {
    let unit = &answer.unit;
    let leg = match answer.leg {
        LegName::Whole => "whole",
        LegName::Rows => "row",
    };
    let pages: Vec<String> = unit.pages.iter().map(u32::to_string).collect();
    let mut head = format!("{}. {}, page {}", answer.rank, answer.source, pages.join(", "));
    if unit.total_splits > 1 {
        head.push_str(&format!(", part {} of {}", unit.split_index, unit.total_splits));
    }
    let mut lines = vec![format!(
        "{}  {}",
        paint(Style::Bold, &head, colour),
        paint(Style::Dim, &format!("[{:.3} {leg}] {}", answer.score, unit.unit_id), colour)
    )];
    if !unit.headings.is_empty() {
        lines.push(format!("   {}", paint(Style::Dim, &unit.headings.join(" › "), colour)));
    }
    if let Some(caption) = &unit.caption {
        lines.push(format!("   {}", paint(Style::Bold, caption, colour)));
    }
    if let Some(row) = &answer.row {
        lines.push(format!("   {} {}", paint(Style::Cyan, "→", colour), paint(Style::Cyan, &row.text, colour)));
    }
    lines.extend(parent_lines(&unit.parent_text, full).map(|l| format!("   {}", paint(Style::Dim, "│ ", colour) + &l)));
    lines.push(String::new());
    lines.join("\n")
}

/// The parent text; without `full` its table is left out, since it is no reading for a terminal, and the rest is capped.
/// What is left out is said.
fn parent_lines(text: &str, full: bool) -> impl Iterator<Item = String> {
    let all: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let wanted: Vec<String> = all.iter().filter(|l| full || !l.starts_with("<table")).map(|&l| l.to_owned()).collect();
    let shown = if full { wanted.len() } else { wanted.len().min(PARENT_LINES) };
    let left_out = all.len() - shown;
    let rest = (left_out > 0).then(|| format!("… {} left out, --full shows all", ui::count(left_out, "line")));
    wanted.into_iter().take(shown).chain(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_of_the_parent_text_is_said() {
        let text = "caption\n\n<table></table>\nnote";
        let lines: Vec<String> = parent_lines(text, false).collect();
        assert_eq!(lines, ["caption", "note", "… 1 line left out, --full shows all"]);
        assert_eq!(parent_lines(text, true).collect::<Vec<_>>(), ["caption", "<table></table>", "note"]);
        let long = "line\n".repeat(PARENT_LINES + 3);
        assert_eq!(parent_lines(&long, false).last().unwrap(), "… 3 lines left out, --full shows all");
    }
}
