//! `gatewright lsp`: the language server for editors, on standard input and output.

use gatewright_server::lsp::{Reader, serve_stdio};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::person;

/// Serve an editor: what the guards say of written and of staged code, on the line.
///
/// Missing references are warned of with the names that exist; hunks that an
/// agent proposes can be accepted and rejected where they stand.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Editors add it; it is how this speaks anyway
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Runs the command.
pub fn run(_arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let may_not_decide = person::require(context.environment, "deciding on a hunk").err();
    let reader = Reader {
        name: context.environment.user(),
        may_not_decide: may_not_decide.map(|failure| failure.message),
    };
    let engine = context.engine()?;
    serve_stdio(&engine, reader).map_err(|error| {
        Failure::system("the language server stopped", &std::io::Error::other(error))
    })?;
    Ok(Exit::Clean)
}
