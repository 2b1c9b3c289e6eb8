//! `evindex query`

use std::io::IsTerminal;

use serde::Serialize;

use super::args::QueryArgs;
use super::exit::Exit;
use super::ui::{self, Style, paint};
use super::session;
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
        anyhow::bail!("the question is empty");
    }
    let model = session::find_model(config)?;
    let embedder = Embedder::load(&model, &EmbedOptions::default())?;
    let runtime = session::runtime()?;
    let store = runtime.block_on(session::open(config, embedder.model_id(), embedder.dim(), false))?;
    let filter = Filter { doc_ids: args.doc.clone(), page: args.page, kind: args.unit_kind() };
    let search = query::search(store.as_ref(), &embedder, &args.text, config.query.k, args.mode, &filter);
    let answers = runtime.block_on(search)?;
    if args.json {
        ui::print_json(&Found { schema: query::SCHEMA, question: &args.text, answers: &answers })?;
        return Ok(Exit::Success);
    }
    if answers.is_empty() {
        ui::say("nothing found: the collection is empty, or the filters leave nothing");
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
    let parent: Vec<&str> = unit.parent_text.lines().filter(|l| !l.trim().is_empty()).collect();
    let shown = if full { parent.len() } else { parent.len().min(PARENT_LINES) };
    lines.extend(parent.iter().take(shown).map(|line| format!("   {}", paint(Style::Dim, "│ ", colour) + line)));
    if shown < parent.len() {
        let rest = ui::count(parent.len() - shown, "more line");
        lines.push(format!("   {}", paint(Style::Dim, &format!("│ … {rest}, --full shows all"), colour)));
    }
    lines.push(String::new());
    lines.join("\n")
}
