//! `gatewright index`: the index of the hallucination guard, made ahead of the first question.

use std::io::Write;
use std::sync::Mutex;

use gatewright_engine::Progress;
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};

/// How wide the bar is.
const WIDTH: usize = 40;

/// Make the index of references ahead of the first question.
///
/// Nothing needs it: what was not taken of the files yet is taken when a change asks for it.
/// What is made is kept in the state directory and can be thrown away at any time.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(_: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let bar = Mutex::new(Bar::new(context.environment.stderr_is_terminal));
    let told = |progress: Progress| {
        if let Ok(mut bar) = bar.lock() {
            bar.show(progress);
        }
    };
    let made = engine.index_references(&told);
    if let Ok(mut bar) = bar.lock() {
        bar.clear();
    }
    let text = match made {
        Some(progress) => format!("{} source files are indexed", progress.done),
        None => "too many files to look through: names of the whole folder cannot be told, \
                 modules are looked up by path"
            .to_owned(),
    };
    let files = made.map(|progress| progress.done);
    context.output.emit(&json!({ "files": files, "is_complete": made.is_some() }), &text);
    Ok(Exit::Clean)
}

/// A bar on standard error, for people only.
struct Bar {
    is_shown: bool,
    /// What was shown last, in hundredths.
    share: Option<usize>,
}

impl Bar {
    fn new(is_shown: bool) -> Self {
        Self { is_shown, share: None }
    }

    fn show(&mut self, progress: Progress) {
        let share = progress.done * 100 / progress.all.max(1);
        // Threads may tell of their files in another order than they count them.
        if !self.is_shown || self.share.is_some_and(|shown| share <= shown) {
            return;
        }
        self.share = Some(share);
        put(&line(share, progress.all));
    }

    fn clear(&mut self) {
        if self.share.take().is_some() {
            put("\r\x1b[K");
        }
    }
}

/// One state of the bar.
fn line(share: usize, all: usize) -> String {
    let full = share * WIDTH / 100;
    format!(
        "\rindexing [{}{}] {share:>3} % of {all} files",
        "#".repeat(full),
        ".".repeat(WIDTH - full)
    )
}

/// A terminal that went away is no error.
fn put(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_grows_and_never_goes_back() {
        assert_eq!(line(0, 3), format!("\rindexing [{}]   0 % of 3 files", ".".repeat(WIDTH)));
        assert_eq!(line(100, 3), format!("\rindexing [{}] 100 % of 3 files", "#".repeat(WIDTH)));
        let mut bar = Bar { is_shown: true, share: None };
        bar.show(Progress { done: 2, all: 4 });
        bar.show(Progress { done: 1, all: 4 });
        assert_eq!(bar.share, Some(50));
        let mut hidden = Bar::new(false);
        hidden.show(Progress { done: 4, all: 4 });
        assert_eq!(hidden.share, None);
    }
}
