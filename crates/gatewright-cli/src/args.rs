//! The command line. The doc comments here are the help, the completions and the man pages.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueHint};

use crate::commands;

/// Guards every change that an AI coding agent makes to a folder.
///
/// Every change passes the same guards, is reviewed hunk by hunk, is applied
/// all or nothing, can be undone, and leaves a signed receipt. The guards are
/// always on; nothing switches them off.
///
/// Exit codes: 0 clean, 1 findings or refusal, 2 usage or configuration,
/// 3 the system failed.
#[derive(Debug, Parser)]
#[command(name = "gatewright", version, propagate_version = true, max_term_width = 100)]
pub struct Arguments {
    /// The folder to guard [default: the current one, or the nearest above with a .git]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub root: Option<PathBuf>,

    /// Print JSON for programs
    #[arg(long, global = true)]
    pub json: bool,

    /// Do not wait for the disk: for benchmarks only, a power cut may lose receipts
    #[arg(long, global = true, hide = true)]
    pub unsynced: bool,

    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// The arguments of a plain `hook`, read without building every other command first: a host
    /// waits for it at each call of a tool. `None` for words that deserve a closer look.
    pub fn of_hook(words: &[OsString]) -> Option<Self> {
        let (mut root, mut wait, mut is_hook, mut json, mut unsynced) =
            (None, None, false, false, false);
        let mut rest = words.iter().skip(1);
        while let Some(word) = rest.next() {
            let is_new = match word.to_str()? {
                "hook" => !std::mem::replace(&mut is_hook, true),
                "--json" => !std::mem::replace(&mut json, true),
                "--unsynced" => !std::mem::replace(&mut unsynced, true),
                "--root" => root.replace(value(rest.next()?)?).is_none(),
                "--wait" if is_hook => {
                    let seconds = value(rest.next()?)?.parse::<u64>().ok()?;
                    wait.replace(seconds).is_none()
                }
                _ => false,
            };
            if !is_new {
                return None;
            }
        }
        let command = Command::Hook(commands::hook::Arguments::waiting(wait));
        let root = root.map(PathBuf::from);
        is_hook.then_some(Self { root, json, unsynced, command })
    }
}

/// A value that cannot be taken for anything else.
fn value(word: &OsString) -> Option<&str> {
    word.to_str().filter(|word| !word.is_empty() && !word.starts_with('-'))
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Set this folder up, and wire agents to it
    Init(commands::init::Arguments),
    /// Say what is guarded, what is missing, and how to mend it
    Doctor(commands::doctor::Arguments),
    /// Make the index of references ahead of the first question
    Index(commands::index::Arguments),
    /// Judge a change without applying it
    Check(commands::check::Arguments),
    /// Propose a change: it is judged, then applied, staged or refused
    Propose(commands::propose::Arguments),
    /// Write a whole file through the guards
    Write(commands::write::Arguments),
    /// Replace text in a file through the guards
    EditFile(commands::edit_file::Arguments),
    /// Replace, insert, remove or rename one symbol, and nothing else
    EditCode(commands::edit_code::Arguments),
    /// Read a file as an agent sees it: redacted, with its digest
    Read(commands::read::Arguments),
    /// List the symbols of a source file, or find symbols by name
    Symbols(commands::symbols::Arguments),
    /// List where a symbol is used
    References(commands::references::Arguments),
    /// List errors and warnings of a source file
    Diagnostics(commands::diagnostics::Arguments),
    /// Find lines in the files of the folder, as an agent would see them
    Search(commands::search::Arguments),
    /// List a directory, as an agent would see it
    List(commands::list::Arguments),
    /// Hide secrets and outside paths in a stream or in files
    Redact(commands::redact::Arguments),
    /// List staged changes, or show one
    Changes(commands::changes::Arguments),
    /// Review staged changes hunk by hunk, in the terminal
    Review(commands::review::Arguments),
    /// Apply what was accepted of a staged change
    Apply(commands::apply::Arguments),
    /// Take back what a receipt applied
    Rollback(commands::rollback::Arguments),
    /// List, show, verify, prove and export receipts
    #[command(subcommand)]
    Receipts(commands::receipts::Command),
    /// Show or set how much may happen without a person
    Mode(commands::mode::Arguments),
    /// List, explain and test the rules of the guards
    #[command(subcommand)]
    Rules(commands::rules::Command),
    /// Show the configuration in force, or its schema
    #[command(subcommand)]
    Config(commands::config::Command),
    /// Serve an editor as a language server on standard input and output
    Lsp(commands::lsp::Arguments),
    /// Run a language server that ends when this program's input does
    #[command(hide = true)]
    KeepServer(commands::keep_server::Arguments),
    /// Serve the tools over MCP, on standard input and output
    Mcp(commands::mcp::Arguments),
    /// Run another MCP server behind the guards
    Proxy(commands::proxy::Arguments),
    /// Answer one event of an agent's hook
    Hook(commands::hook::Arguments),
    /// Serve the review page of this folder until you stop it
    Up(commands::up::Arguments),
    /// Try the review page on a sample project with a scripted agent
    Demo(commands::demo::Arguments),
    /// Print completions for a shell
    Completions(commands::completions::Arguments),
    /// Write the man pages into a directory
    Man(commands::man::Arguments),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_hook(words: &[&str]) -> Option<Arguments> {
        let words: Vec<OsString> =
            std::iter::once(&"gatewright").chain(words).map(OsString::from).collect();
        Arguments::of_hook(&words)
    }

    #[test]
    fn a_plain_hook_is_read_as_the_whole_command_line_would_read_it() {
        for words in [
            &["hook"][..],
            &["--root", "a b", "hook"],
            &["hook", "--root", "x"],
            &["--json", "hook", "--wait", "30"],
            &["hook", "--wait", "0", "--unsynced", "--root", "/w"],
        ] {
            let whole = Arguments::try_parse_from(std::iter::once(&"gatewright").chain(words));
            let plain = of_hook(words).unwrap_or_else(|| panic!("{words:?}"));
            assert_eq!(format!("{plain:?}"), format!("{:?}", whole.unwrap()), "{words:?}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_whole_command_line() {
        for words in [
            &[][..],
            &["--root", "hook"],
            &["hook", "hook"],
            &["hook", "--help"],
            &["hook", "--wait"],
            &["hook", "--wait", "soon"],
            &["--wait", "3", "hook"],
            &["hook", "--root", "a", "--root", "b"],
            &["hook", "--root=a"],
            &["hook", "--root", "--json"],
            &["up"],
        ] {
            assert!(of_hook(words).is_none(), "{words:?}");
        }
    }
}
