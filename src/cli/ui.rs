//! Where the command speaks: data to stdout, everything else to stderr.

use std::io::{IsTerminal, Write};

/// Writes to stdout. A reader that went away is an error here and a quiet end in [`super::main`].
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a line to stdout.
pub(super) fn print_line(text: &str) -> anyhow::Result<()> {
    print(&format!("{text}\n"))
}

/// Writes a value as one line of JSON to stdout.
pub(super) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print_line(&serde_json::to_string(value)?)
}

/// Writes a line to stderr. There is nobody to tell where that fails.
pub(super) fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes an error and what to do about it to stderr.
pub(super) fn error(error: &anyhow::Error, hint: Option<&str>) {
    say(&format!("{} {error:#}", paint(Style::Red, "error:", std::io::stderr().is_terminal())));
    if let Some(hint) = hint {
        say(&format!("{} {hint}", paint(Style::Cyan, "hint:", std::io::stderr().is_terminal())));
    }
}

/// How a word stands out on a terminal.
#[derive(Clone, Copy)]
pub(super) enum Style {
    /// Headings.
    Bold,
    /// Asides.
    Dim,
    /// Errors.
    Red,
    /// Hints, the matching row.
    Cyan,
}

/// The text in a style where `on`; NO_COLOR turns styles off everywhere (no-color.org).
pub(super) fn paint(style: Style, text: &str, on: bool) -> String {
    if !on || std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) {
        return text.to_owned();
    }
    let code = match style {
        Style::Bold => "1",
        Style::Dim => "2",
        Style::Red => "1;31",
        Style::Cyan => "36",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// `1 file`, `2 files`.
pub(super) fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}
