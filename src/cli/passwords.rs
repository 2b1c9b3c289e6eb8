//! The passwords that a run tries on encrypted files.

use super::args::PasswordArgs;
use crate::config::{Config, ConfigError};

/// Those of the command line (or `EVINDEX_PASSWORD`), then those of the password file, which holds one a line.
pub(super) fn passwords(config: &Config, args: &PasswordArgs) -> Result<Vec<String>, ConfigError> {
    let mut passwords = args.passwords.clone();
    let file = &config.ingest.password_file;
    if !file.is_empty() {
        let unreadable = |e: std::io::Error| ConfigError::Passwords { path: file.into(), reason: e.to_string() };
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        passwords.extend(text.lines().filter(|line| !line.is_empty()).map(str::to_owned));
    }
    Ok(passwords)
}
