//! Why a patch cannot be read.

/// A patch that cannot be read, with the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("patch line {line}: {problem}")]
pub struct PatchError {
    /// The line of the patch, one-based.
    pub line: usize,
    /// What is wrong there.
    pub problem: PatchProblem,
}

/// What is wrong in a patch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchProblem {
    /// It has too many bytes.
    #[error("the patch has {bytes} bytes, the limit is 10 MB; send it in parts")]
    TooLarge {
        /// How many it has.
        bytes: usize,
    },
    /// It changes nothing.
    #[error("there is no file change in it; start each file with \"--- \" and \"+++ \" lines")]
    Empty,
    /// A hunk stands before any file header.
    #[error("a hunk without a file header; put \"--- path\" and \"+++ path\" lines before it")]
    MissingFileHeader,
    /// A file header is incomplete.
    #[error("incomplete file header: {missing}")]
    IncompleteHeader {
        /// What is missing.
        missing: &'static str,
    },
    /// A path is not UTF-8.
    #[error("the path is not valid UTF-8; rename the file first")]
    InvalidUtf8Path,
    /// A path is quoted wrongly.
    #[error("the quoted path is malformed; use git's C-style quoting")]
    BadQuoting,
    /// A path is missing.
    #[error("the path is empty; name the file")]
    EmptyPath,
    /// The header names two files where it must name one.
    #[error(
        "the header names both {first:?} and {second:?}; add \"rename from\" and \"rename to\" lines if a rename is meant"
    )]
    NamesDiffer {
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
    /// A file mode is not an octal number.
    #[error("malformed file mode; use 100644 or 100755")]
    BadMode,
    /// It makes, changes or removes a symbolic link.
    #[error("symbolic links (mode 120000) are refused; change the file that the link points to")]
    Link,
    /// It makes, changes or removes a submodule.
    #[error("submodules (mode 160000) are refused; use git itself")]
    Gitlink,
    /// The mode is neither that of a regular file nor one of the above.
    #[error("mode {mode:o} is not that of a regular file; use 100644 or 100755")]
    SpecialMode {
        /// The mode.
        mode: u32,
    },
    /// It is binary.
    #[error("binary changes are refused; only text can be patched")]
    Binary,
    /// It is the diff of a merge.
    #[error("combined diffs of merges are refused; make a diff against one parent")]
    Combined,
    /// The `@@` line cannot be read.
    #[error("malformed hunk header; write it as \"@@ -start,count +start,count @@\"")]
    BadHunkHeader,
    /// The hunk has more or fewer lines than its header says.
    #[error(
        "the hunk does not have the lines that its header on line {header} counts; count again"
    )]
    CountMismatch {
        /// The line of the header, one-based.
        header: usize,
    },
    /// A hunk has neither a removed nor an added line.
    #[error("the hunk changes nothing; leave it out")]
    NoChange,
    /// A line of a hunk starts with none of the markers.
    #[error("a hunk line must start with \" \", \"-\" or \"+\"")]
    BadHunkLine,
    /// `\ No newline at end of file` after a line that cannot be the last.
    #[error("\"\\ No newline at end of file\" follows a line that is not the last of its file")]
    MisplacedNoNewline,
    /// A new file with lines of an old one.
    #[error("a new file cannot have context or removed lines; use \"+\" lines only")]
    NewFileHasOldLines,
    /// A deleted file with lines that stay.
    #[error("a deleted file cannot have context or added lines; use \"-\" lines only")]
    DeletedFileHasNewLines,
    /// The `*** Begin Patch` form does not begin as it must.
    #[error("the patch must begin with \"*** Begin Patch\"")]
    MissingBegin,
    /// The `*** Begin Patch` form does not end as it must.
    #[error("the patch must end with \"*** End Patch\"")]
    MissingEnd,
    /// A line that belongs to no part of the patch.
    #[error(
        "unexpected line; expected \"*** Add File: \", \"*** Delete File: \" or \"*** Update File: \""
    )]
    UnexpectedLine,
    /// An update without a hunk.
    #[error("the update has no hunk; add \"@@\" and changed lines, or \"*** Move to: \"")]
    EmptyUpdate,
}

impl PatchProblem {
    pub(super) fn at(self, line: usize) -> PatchError {
        PatchError { line, problem: self }
    }
}
