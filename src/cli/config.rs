//! `evindex config show`

use super::exit::Exit;
use super::ui;
use crate::config::Config;

/// Prints the settings as TOML, each with its origin as a comment: a file that can be kept.
pub(super) fn show(config: &Config) -> anyhow::Result<Exit> {
    let mut out = String::new();
    let mut section = String::new();
    for (name, value, origin) in config.entries() {
        let (table, key) = name.split_once('.').unwrap_or(("", &name));
        if table != section {
            out.push_str(&format!("{}[{table}]\n", if section.is_empty() { "" } else { "\n" }));
            section = table.to_owned();
        }
        let line = format!("{key} = {value}");
        out.push_str(&format!("{line:<48} # {origin}\n"));
    }
    ui::print(&out)?;
    Ok(Exit::Success)
}
