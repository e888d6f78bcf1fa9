//! `search`: lines that match, in files that are not ignored, within bounds.
//!
//! Matches are looked for in the redacted text, so that a pattern cannot be
//! used to guess at a secret bit by bit.

use std::borrow::Cow;

use gatewright_engine::{EngineError, ReadError};
use gatewright_model::{FileState, RequestedPath, Resolution, TargetKind, readable};
use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::staged_view::StagedView;
use super::walk::files_under;
use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, Loose};

const DEFAULT_LIMIT: usize = 100;
const MAX_LIMIT: usize = 1000;
const MAX_FILE: u64 = 2 * 1024 * 1024;
const MAX_LINE: usize = 300;

pub struct Search;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Plain text, unless `regex`
    pattern: String,
    #[serde(default)]
    regex: bool,
    #[serde(default)]
    ignore_case: bool,
    /// A directory or file
    path: Option<String>,
    /// Such as `**/*.rs`
    glob: Option<String>,
    /// Default 100, at most 1000
    limit: Option<usize>,
    /// Matches to skip
    offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[schemars(with = "Vec<Loose>")]
    matches: Vec<Match>,
    files_searched: usize,
    /// Not text, or too large
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize)]
pub struct Match {
    path: String,
    line: usize,
    text: String,
}

impl Tool for Search {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search in files";
    const DESCRIPTION: &'static str = "Find lines by text or regular expression (RE2), \
        sorted by path and line. Ignored files are left out.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let regex = regex_of(&input)?;
        let glob = input.glob.as_deref().map(glob_of).transpose()?;
        let staged = StagedView::of(call)?;
        let (mut files, is_cut) = candidates(call, &input, &staged)?;
        files.retain(|path| glob.as_ref().is_none_or(|glob| glob.is_match(path)));
        let limit = input.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
        let offset = input.offset.unwrap_or(0);
        let mut page = Page { skip: offset, room: limit, matches: Vec::new(), has_more: false };
        let (mut files_searched, mut no_text, mut too_large) = (0, 0, 0);
        for path in &files {
            let state = match state_of(call, &staged, path) {
                Ok(Some(state)) => state,
                Err(ReadError::TooLarge { .. }) => {
                    too_large += 1;
                    continue;
                }
                Ok(None) | Err(_) => continue,
            };
            let Some(text) = text_of(&state) else {
                no_text += 1;
                continue;
            };
            files_searched += 1;
            page.take(call, path, text.strip_prefix('\u{feff}').unwrap_or(&text), &regex);
            if page.has_more {
                break;
            }
        }
        let next_offset = page.has_more.then_some(offset + limit);
        let left_out = Some(no_text + too_large).filter(|count| *count > 0);
        let output = Output { matches: page.matches, files_searched, left_out, next_offset };
        Ok(Answer::new(words(&output, (no_text, too_large), is_cut), output))
    }
}

/// One page of matches.
struct Page {
    skip: usize,
    room: usize,
    matches: Vec<Match>,
    has_more: bool,
}

impl Page {
    fn take(&mut self, call: &Call, path: &str, text: &str, regex: &Regex) {
        if !regex.is_match(text) {
            return;
        }
        let text = call.engine.egress().seal(text).into_inner();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| regex.is_match(line)) {
            if self.skip > 0 {
                self.skip -= 1;
            } else if self.room > 0 {
                self.room -= 1;
                let text = line.chars().take(MAX_LINE).collect();
                self.matches.push(Match { path: path.to_owned(), line: index + 1, text });
            } else {
                self.has_more = true;
                return;
            }
        }
    }
}

/// The files to look into, sorted, with those that only the stage knows.
fn candidates(
    call: &Call,
    input: &Input,
    staged: &StagedView,
) -> Result<(Vec<String>, bool), EngineError> {
    let asked = input.path.as_deref().unwrap_or(".");
    let parts: Vec<&str> = asked.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let start = parts.join("/");
    if asked.starts_with('/') || parts.contains(&"..") {
        let facts = call.engine.workspace().facts(&RequestedPath::new(asked));
        if let Resolution::Failed(failure) = facts.resolution {
            return Err(EngineError::Path { path: asked.to_owned(), failure });
        }
    }
    if staged.get(&start).is_some_and(|state| state.is_some()) || is_file(call, &start) {
        return Ok((vec![start], false));
    }
    let mut walked = files_under(&call.engine, &start);
    let prefix = if start.is_empty() { String::new() } else { format!("{start}/") };
    for (path, _) in staged.present().filter(|(path, _)| path.starts_with(&prefix)) {
        walked.files.push(path.to_owned());
    }
    walked.files.sort();
    walked.files.dedup();
    if walked.files.is_empty() && !start.is_empty() {
        call.engine
            .workspace()
            .read_dir(&RequestedPath::new(asked))
            .map_err(|source| call.engine.not_listed(asked, source))?;
    }
    Ok((walked.files, walked.is_cut))
}

fn is_file(call: &Call, path: &str) -> bool {
    if path.is_empty() {
        return false;
    }
    let facts = call.engine.workspace().facts(&RequestedPath::new(path));
    matches!(facts.resolution, Resolution::Inside(target) if target.kind == TargetKind::Regular)
}

fn state_of(call: &Call, staged: &StagedView, path: &str) -> Result<Option<FileState>, ReadError> {
    match staged.get(path) {
        Some(state) => Ok(state.cloned()),
        None => call.engine.workspace().read(&RequestedPath::new(path), MAX_FILE),
    }
}

/// The text of a file, whichever encoding spells it; `None` for what is no text.
fn text_of(state: &FileState) -> Option<Cow<'_, str>> {
    let text = match readable(&state.content).0 {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    };
    text.filter(|text| !text.contains('\0'))
}

fn regex_of(input: &Input) -> Result<Regex, EngineError> {
    let bad = |message: String| EngineError::Json { message };
    if input.pattern.is_empty() {
        return Err(bad("pattern is empty".to_owned()));
    }
    let pattern = if input.regex { input.pattern.clone() } else { regex::escape(&input.pattern) };
    RegexBuilder::new(&pattern)
        .case_insensitive(input.ignore_case)
        .multi_line(true)
        .size_limit(4 * 1024 * 1024)
        .build()
        .map_err(|error| bad(format!("pattern: {error}")))
}

fn glob_of(glob: &str) -> Result<GlobMatcher, EngineError> {
    let built = GlobBuilder::new(glob).literal_separator(true).build();
    built
        .map(|glob| glob.compile_matcher())
        .map_err(|error| EngineError::Json { message: format!("glob: {error}") })
}

fn words(output: &Output, (no_text, too_large): (usize, usize), is_cut: bool) -> String {
    let mut text = String::new();
    for found in &output.matches {
        text.push_str(&format!("{}:{}: {}\n", found.path, found.line, found.text));
    }
    if output.matches.is_empty() {
        text.push_str(&format!("no match in {} files\n", output.files_searched));
    }
    if no_text > 0 {
        text.push_str(&format!("{no_text} left out, not text (UTF-8, or UTF-16 with a mark)\n"));
    }
    if too_large > 0 {
        text.push_str(&format!("{too_large} left out, larger than {MAX_FILE} bytes\n"));
    }
    if let Some(next) = output.next_offset {
        text.push_str(&format!("there is more; go on with offset={next}\n"));
    }
    if is_cut {
        text.push_str("the workspace holds more files than one search visits; name a path\n");
    }
    text
}
