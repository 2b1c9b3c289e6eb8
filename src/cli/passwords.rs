//! The passwords that a run tries on encrypted files.

use anyhow::Context;

use super::args::PasswordArgs;
use crate::config::Config;

/// Those of the command line (or `EVINDEX_PASSWORD`), then those of the password file, which holds one a line.
pub(super) fn passwords(config: &Config, args: &PasswordArgs) -> anyhow::Result<Vec<String>> {
    let mut passwords = args.passwords.clone();
    let file = &config.ingest.password_file;
    if !file.is_empty() {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read the password file {file}"))?;
        passwords.extend(text.lines().filter(|line| !line.is_empty()).map(str::to_owned));
    }
    Ok(passwords)
}
