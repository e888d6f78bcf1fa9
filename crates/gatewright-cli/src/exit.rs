//! Exit codes, and the one type that every failure becomes on its way out.

use std::process::ExitCode;

use gatewright_engine::{EngineError, ErrorKind};

/// The exit codes of every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Clean.
    Clean,
    /// Findings, or a refusal.
    Findings,
    /// A mistake in the call or the configuration.
    Usage,
    /// The system failed: disk, database, key.
    System,
    /// The code of a program that was run on the user's behalf.
    Passed(u8),
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::System => 3,
            Exit::Passed(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

/// A failure as the user reads it: what, why, and what to do next.
#[derive(Debug)]
pub struct Failure {
    /// The stable code.
    pub code: String,
    /// What went wrong and why.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    exit: Exit,
}

impl Failure {
    /// A mistake in the call.
    pub fn usage(message: impl Into<String>, hint: Option<&str>) -> Self {
        Self {
            code: "usage".to_owned(),
            message: message.into(),
            hint: hint.map(str::to_owned),
            exit: Exit::Usage,
        }
    }

    /// The system failed.
    pub fn system(doing: &str, error: &std::io::Error) -> Self {
        Self {
            code: "io".to_owned(),
            message: format!("{doing}: {error}"),
            hint: None,
            exit: Exit::System,
        }
    }

    /// The exit code.
    pub fn exit(&self) -> Exit {
        self.exit
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self {
            code: error.code().to_owned(),
            message: error.to_string(),
            hint: error.hint(),
            exit: exit_of(error.kind()),
        }
    }
}

impl From<gatewright_engine::ledger::LedgerError> for Failure {
    fn from(error: gatewright_engine::ledger::LedgerError) -> Self {
        EngineError::from(error).into()
    }
}

/// The table of kinds and exit codes.
fn exit_of(kind: ErrorKind) -> Exit {
    match kind {
        ErrorKind::Refused | ErrorKind::Stale => Exit::Findings,
        ErrorKind::BadRequest | ErrorKind::Configuration => Exit::Usage,
        ErrorKind::Environment | ErrorKind::Internal => Exit::System,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_exit_code() {
        let table = [
            (ErrorKind::Refused, 1),
            (ErrorKind::Stale, 1),
            (ErrorKind::BadRequest, 2),
            (ErrorKind::Configuration, 2),
            (ErrorKind::Environment, 3),
            (ErrorKind::Internal, 3),
        ];
        for (kind, code) in table {
            assert_eq!(exit_of(kind).code(), code, "{kind:?}");
        }
    }
}
