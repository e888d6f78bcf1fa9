//! `gatewright man`: man pages from the same definitions as the help.

use std::path::PathBuf;

use clap::CommandFactory;

use super::Context;
use crate::exit::{Exit, Failure};

/// Write the man pages into a directory, or print the main one.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The directory [default: print the main page]
    directory: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let command = crate::args::Arguments::command();
    let failed = |error: std::io::Error| Failure::system("cannot write the man pages", &error);
    match arguments.directory {
        Some(directory) => clap_mangen::generate_to(command, directory).map_err(failed)?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).map_err(failed)?;
            context.output.line(&String::from_utf8_lossy(&page));
        }
    }
    Ok(Exit::Clean)
}
