//! `gatewright --help`: the commands in groups, by what a person wants to do.
//!
//! What a command does is said where it is declared, in `args`; only the order is here.

use std::fmt::Write as _;

use clap::{Command, CommandFactory, FromArgMatches};

use crate::args::Arguments;

/// Every command that is shown, once.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Set up", &["init", "doctor", "mode", "config", "rules", "index"]),
    ("Review", &["up", "changes", "review", "apply", "rollback", "receipts", "demo"]),
    ("Judge and propose", &["check", "propose", "write", "edit-file", "edit-code"]),
    (
        "Look, as an agent sees it",
        &["read", "list", "search", "symbols", "references", "diagnostics", "redact"],
    ),
    ("Serve agents and editors", &["mcp", "hook", "proxy", "lsp"]),
    ("This program", &["completions", "man", "help"]),
];

/// Reads the command line; what it cannot take, and help, ends the program.
pub fn parse(words: &[std::ffi::OsString]) -> Arguments {
    let mut matches = command().get_matches_from(words);
    Arguments::from_arg_matches_mut(&mut matches)
        .unwrap_or_else(|error| error.format(&mut command()).exit())
}

fn command() -> Command {
    let command = Arguments::command();
    let header = command.get_styles().get_header();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{}\n{header}Options:{header:#}\n{{options}}",
        groups(&command)
    );
    command.help_template(template)
}

fn groups(command: &Command) -> String {
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "\n{header}{title}:{header:#}");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or("Print this, or the help of a command".to_owned(), |about| {
                about.to_string()
            });
            let _ = writeln!(text, "  {literal}{name:<13}{literal:#}{about}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = Arguments::command();
        let mut declared: Vec<&str> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .chain(["help"])
            .collect();
        grouped.sort_unstable();
        declared.sort_unstable();
        assert_eq!(grouped, declared);
    }

    #[test]
    fn the_groups_fit_a_terminal_of_80_columns() {
        let help = command().render_help().to_string();
        for line in help.lines().take_while(|line| !line.starts_with("Options")) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(help.contains("\nReview:\n  up "), "{help}");
    }
}
