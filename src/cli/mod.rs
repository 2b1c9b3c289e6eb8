//! The command line: one file per subcommand, each with one entry function.

mod args;
mod chunk;
mod config;
mod exit;
mod files;
mod ingest;
mod model;
mod parse;
mod passwords;
mod progress;
mod query;
mod session;
mod status;
mod ui;
mod words;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::config::{Config, ConfigError};
use crate::embed::EmbedError;
use crate::store::StoreError;
use crate::walk::WalkError;
use args::{Cli, Command};
use exit::Exit;

/// Runs the command that the process was called with.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_logging(cli.verbose);
    let json = cli.command.wants_json();
    match run(cli) {
        Ok(exit) => exit.into(),
        Err(error) if is_broken_pipe(&error) => Exit::Success.into(),
        Err(error) => {
            let hint = hint(&error);
            ui::error(&error, hint.as_deref());
            if json {
                // Whoever parses stdout finds an object there in any case; a stdout that is gone is nobody's loss.
                let _ = ui::print_json(&serde_json::json!({ "error": format!("{error:#}"), "hint": hint }));
            }
            exit_of(&error).into()
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    let config = Config::load(cli.config, std::env::vars(), cli.command.flags())?;
    match cli.command {
        Command::Ingest(args) => ingest::run(&config, &args),
        Command::Query(args) => query::run(&config, &args),
        Command::Parse(args) => parse::run(&config, &args),
        Command::Chunk(args) => chunk::run(&config, &args),
        Command::Status(args) => status::run(&config, &args),
        Command::Model(command) => model::run(&config, command),
        Command::Config(args::ConfigCommand::Show) => config::show(&config),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "evindex", &mut script);
            ui::print(&String::from_utf8_lossy(&script))?;
            Ok(Exit::Success)
        }
    }
}

/// `-v` shows our own log, `-vv` more of it, `-vvv` that of the libraries; `RUST_LOG` overrides.
fn start_logging(verbose: u8) {
    let level = match verbose {
        0 => "off,evindex=error",
        1 => "error,evindex=info",
        2 => "warn,evindex=debug",
        _ => "info,evindex=trace",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(level));
    let ansi = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(ansi).with_writer(std::io::stderr).init();
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|e| e.downcast_ref::<std::io::Error>()).any(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Finds the first error of a type in the chain.
fn find<E: std::error::Error + Send + Sync + 'static>(error: &anyhow::Error) -> Option<&E> {
    error.chain().find_map(|e| e.downcast_ref())
}

fn exit_of(error: &anyhow::Error) -> Exit {
    if find::<ConfigError>(error).is_some() || find::<WalkError>(error).is_some() { Exit::Usage } else { Exit::Failed }
}

/// What to do about an error, where its message does not say so itself.
fn hint(error: &anyhow::Error) -> Option<String> {
    if let Some(store) = find::<StoreError>(error) {
        return match store {
            StoreError::ModelMismatch { .. } => Some(
                "use the model that the collection was made with (--model), or ingest into another collection (--collection)"
                    .into(),
            ),
            StoreError::NoCollection { .. } => {
                Some("put documents into it first: evindex ingest PATH (with the same --store, --uri or --url, --collection)".into())
            }
            StoreError::Unreachable { store: "qdrant", .. } => {
                Some("name its address with --url or in the configuration; the API key is read from QDRANT_API_KEY".into())
            }
            _ => None,
        };
    }
    match find::<EmbedError>(error) {
        Some(EmbedError::NotFound { .. }) => {
            Some("scripts/get-model puts the default model into the cache, without a model hub".into())
        }
        _ => None,
    }
}
