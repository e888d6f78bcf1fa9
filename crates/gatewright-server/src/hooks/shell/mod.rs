//! Shell commands, as far as they can be known without running them.
//!
//! `lexer.rs` cuts a command line into simple commands with their redirections
//! and here-documents, `run.rs` follows them with directories and variables,
//! and the files of the programs say which files they would touch. What an
//! expansion hides stays unknown and is not guessed at.

mod archives;
mod arguments;
mod downloads;
mod effects;
mod escapes;
mod git;
mod inline_code;
mod lexer;
mod outputs;
mod own;
mod programs;
mod run;
mod starters;
mod steps;
mod stream_editors;
mod tree;
mod word;
mod written;

pub use effects::Effect;
pub use tree::Tree;

/// What a command line does, in order; and whether it is one command, so that what it reads is
/// what lies on disk.
pub fn effects(command: &str, tree: &dyn Tree) -> (Vec<Effect>, bool) {
    let mut shell = run::Shell::new(tree);
    shell.script(command);
    shell.into_effects()
}

/// Whether a script is one command, apart from what only gets ready for it.
fn has_one_command(command: &str) -> bool {
    const READY: &[&str] = &["cd", "mkdir", "true", ":", "set", "pwd"];
    let is_other = |step: &lexer::Step| match step {
        lexer::Step::Command(command) => {
            let first = command.words.first().and_then(|word| word.plain());
            !first.is_some_and(|first| READY.contains(&first)) || !command.writes_to.is_empty()
        }
        _ => false,
    };
    lexer::parse(command).iter().filter(|step| is_other(step)).count() == 1
}

/// Words as one command line, each quoted.
pub fn quoted(words: &[&str]) -> String {
    let quote = |word: &&str| format!("'{}'", word.replace('\'', "'\\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
