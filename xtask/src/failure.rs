//! Why a task failed.

use std::error::Error;
use std::io;
use std::path::Path;

/// The failure of a task.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line makes no sense.
    #[error("{message}")]
    Usage {
        /// What is wrong with it.
        message: String,
    },
    /// The machine failed.
    #[error("cannot {what}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
    /// A program ended badly.
    #[error("{command} ended with {status}")]
    Command {
        /// The program with its arguments.
        command: String,
        /// How it ended.
        status: String,
    },
    /// A check found something; it has been printed already.
    #[error("{check}: {count} found")]
    Found {
        /// The check.
        check: &'static str,
        /// How much.
        count: usize,
    },
    /// The task failed and has said everything about it.
    #[error("the task failed")]
    Reported,
    /// Something outside did not look as expected.
    #[error("{message}")]
    Unexpected {
        /// What, and what to do.
        message: String,
    },
}

impl Failure {
    /// A command line that makes no sense.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage { message: message.into() }
    }

    /// Something that did not look as expected.
    pub fn unexpected(message: impl Into<String>) -> Self {
        Self::Unexpected { message: message.into() }
    }

    /// For `map_err`: an IO error with what was tried on which path.
    pub fn io(verb: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = format!("{verb} {}", path.display());
        move |source| Self::Io { what, source }
    }

    /// The message with everything that caused it.
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}
