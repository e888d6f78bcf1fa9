//! What a command does to files.

/// One thing that a command does; paths are as seen from where the command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Writes a file; what it writes, where the command line holds it.
    Write {
        /// The file.
        path: String,
        /// The text.
        content: Option<String>,
        /// Whether the text is added at the end.
        appends: bool,
    },
    /// Puts files into a file or directory of this name.
    WriteInto {
        /// The file or directory.
        target: String,
        /// The names that the files have.
        names: Vec<String>,
        /// What the only file holds, where that is known.
        text: Option<String>,
    },
    /// Removes a file or everything below a directory.
    Remove(String),
    /// Reaches a place without writing a file there: a new directory, the end of a link.
    Reach(String),
    /// Applies a patch.
    Patch {
        /// The patch.
        text: String,
        /// Where its paths start.
        directory: String,
    },
    /// Rewrites files that the command line does not name.
    Tree {
        /// The command.
        what: String,
        /// Where it works.
        directory: String,
    },
    /// Calls a command of ours that is for people.
    PersonOnly(String),
    /// Does more than is followed, so that the rest is not known.
    TooMuch,
}

impl Effect {
    /// A command that rewrites files it does not name.
    pub fn tree(what: &str, directory: &str) -> Self {
        Effect::Tree { what: what.to_owned(), directory: directory.to_owned() }
    }
}
