//! The rules that judging uses: the built-in catalogue and what configuration adds.

use std::sync::Arc;

use globset::{Glob, GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};

use super::fold::{FoldedPath, fold_text};

/// What configuration adds to the write guard, as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteExtension {
    /// Globs of paths that are refused (`write.blocked_paths`).
    ///
    /// A glob without `/` matches a name at any depth; a glob that names a
    /// directory covers what lies in it. Aliases of a name are matched too.
    pub blocked_paths: Vec<String>,
    /// Regular expressions on content that are refused (`write.blocked_patterns`).
    pub blocked_patterns: Vec<String>,
    /// Globs of paths whose name need not be confirmed (`write.allow_paths`).
    ///
    /// Matched from the root and in the exact spelling, so that leave given
    /// to one name is not leave for its aliases.
    pub allow_paths: Vec<String>,
}

/// Why an extension could not be loaded.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WriteRuleError {
    /// A glob does not parse.
    #[error("{key}: {pattern:?} is not a glob: {source}")]
    Glob {
        /// The configuration key.
        key: &'static str,
        /// The offending pattern.
        pattern: String,
        /// What is wrong with it.
        source: globset::Error,
    },
    /// A regular expression does not parse or is too large.
    #[error("write.blocked_patterns: {pattern:?} is not a regular expression: {source}")]
    Regex {
        /// The offending pattern.
        pattern: String,
        /// What is wrong with it.
        source: regex::Error,
    },
    /// A pattern is empty, or matches the empty text and so everything.
    #[error("{key}: {pattern:?} matches everything; say what it should match")]
    MatchesEverything {
        /// The configuration key.
        key: &'static str,
        /// The offending pattern.
        pattern: String,
    },
}

/// The rules of the write guard: the built-in catalogue and what configuration adds.
///
/// ```
/// use gatewright_guards::write::{WriteExtension, WriteRules};
/// let extension = WriteExtension {
///     blocked_paths: vec!["secrets/**".to_owned()],
///     ..WriteExtension::default()
/// };
/// assert!(WriteRules::with(extension).is_ok());
/// ```
#[derive(Debug, Clone, Default)]
pub struct WriteRules {
    extension: Arc<Compiled>,
}

#[derive(Debug, Default)]
struct Compiled {
    source: WriteExtension,
    blocked_paths: Vec<BlockedPath>,
    blocked_patterns: Vec<Regex>,
    allow_paths: Vec<GlobMatcher>,
}

#[derive(Debug)]
struct BlockedPath {
    source: String,
    matchers: Vec<GlobMatcher>,
}

const BLOCKED_PATHS: &str = "write.blocked_paths";
const BLOCKED_PATTERNS: &str = "write.blocked_patterns";
const ALLOW_PATHS: &str = "write.allow_paths";

impl WriteRules {
    /// The built-in catalogue alone.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// The built-in catalogue with `extension`, every pattern of which must be sound.
    pub fn with(extension: WriteExtension) -> Result<Self, WriteRuleError> {
        let compiled = Compiled {
            blocked_paths: extension
                .blocked_paths
                .iter()
                .map(|pattern| blocked_path(pattern))
                .collect::<Result<_, _>>()?,
            blocked_patterns: extension
                .blocked_patterns
                .iter()
                .map(|pattern| blocked_pattern(pattern))
                .collect::<Result<_, _>>()?,
            allow_paths: extension
                .allow_paths
                .iter()
                .map(|pattern| allow_path(pattern))
                .collect::<Result<_, _>>()?,
            source: extension,
        };
        Ok(Self { extension: Arc::new(compiled) })
    }

    /// What configuration added, as it is written.
    pub fn extension(&self) -> &WriteExtension {
        &self.extension.source
    }

    /// The blocked glob that the path matches, as it is written or folded.
    pub(super) fn blocking_path(&self, path: &FoldedPath<'_>) -> Option<&str> {
        if self.extension.blocked_paths.is_empty() {
            return None;
        }
        let folded = path.components.join("/");
        self.extension
            .blocked_paths
            .iter()
            .find(|blocked| {
                blocked
                    .matchers
                    .iter()
                    .any(|glob| glob.is_match(&folded) || glob.is_match(path.spelled))
            })
            .map(|blocked| blocked.source.as_str())
    }

    /// The blocked patterns that the text matches, each with the offset of its first match.
    pub(super) fn blocking_patterns(&self, text: &str) -> impl Iterator<Item = (&str, usize)> {
        self.extension
            .blocked_patterns
            .iter()
            .filter_map(move |regex| Some((regex.as_str(), regex.find(text)?.start())))
    }

    /// Whether the user allows the path, in this very spelling.
    pub(super) fn allows(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        self.extension.allow_paths.iter().any(|glob| glob.is_match(path))
    }
}

fn blocked_path(pattern: &str) -> Result<BlockedPath, WriteRuleError> {
    let folded = fold_text(pattern);
    let bare = folded.trim_start_matches("./").trim_matches('/');
    if bare.is_empty() {
        let pattern = pattern.to_owned();
        return Err(WriteRuleError::MatchesEverything { key: BLOCKED_PATHS, pattern });
    }
    let anchored = if bare.contains('/') { bare.to_owned() } else { format!("**/{bare}") };
    let matchers = [format!("{anchored}/**"), anchored]
        .iter()
        .map(|glob| compile_glob(BLOCKED_PATHS, pattern, glob))
        .collect::<Result<_, _>>()?;
    Ok(BlockedPath { source: pattern.to_owned(), matchers })
}

fn allow_path(pattern: &str) -> Result<GlobMatcher, WriteRuleError> {
    if pattern.is_empty() {
        let pattern = pattern.to_owned();
        return Err(WriteRuleError::MatchesEverything { key: ALLOW_PATHS, pattern });
    }
    compile_glob(ALLOW_PATHS, pattern, pattern.trim_start_matches("./"))
}

fn compile_glob(
    key: &'static str,
    pattern: &str,
    glob: &str,
) -> Result<GlobMatcher, WriteRuleError> {
    let built: Result<Glob, _> =
        GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build();
    built.map(|glob| glob.compile_matcher()).map_err(|source| WriteRuleError::Glob {
        key,
        pattern: pattern.to_owned(),
        source,
    })
}

fn blocked_pattern(pattern: &str) -> Result<Regex, WriteRuleError> {
    let regex = RegexBuilder::new(pattern)
        .multi_line(true)
        .build()
        .map_err(|source| WriteRuleError::Regex { pattern: pattern.to_owned(), source })?;
    if regex.is_match("") {
        let pattern = pattern.to_owned();
        return Err(WriteRuleError::MatchesEverything { key: BLOCKED_PATTERNS, pattern });
    }
    Ok(regex)
}
