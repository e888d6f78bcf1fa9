//! Shell commands, as far as they can be known without running them.
//!
//! [`parse`] cuts a command line into simple commands with their redirections
//! and here-documents; [`effects()`] says which files they would touch. What an
//! expansion hides stays unknown and is not guessed at.

mod effects;
mod git;
mod lexer;

pub use effects::{Effect, effects};
pub use lexer::parse;

/// Words as one command line, each quoted.
pub fn quoted(words: &[&str]) -> String {
    let quote = |word: &&str| format!("'{}'", word.replace('\'', "'\\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
