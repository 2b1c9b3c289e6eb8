//! Exit codes: part of the command's contract.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// All done.
    Success,
    /// Done, but some documents failed.
    Partial,
    /// Interrupted; safe to run again.
    Interrupted,
    /// Failed.
    Failed,
    /// Wrong usage or configuration (clap's own code as well).
    Usage,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Success => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Partial => 3,
            Exit::Interrupted => 130,
        })
    }
}
