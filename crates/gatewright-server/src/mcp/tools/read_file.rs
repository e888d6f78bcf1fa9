//! `read_file`: a file as the run sees it, with the digest to send back; of a long one the outline
//! first.

use gatewright_engine::{EngineError, SymbolRow};
use gatewright_model::RequestedPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Effect, Tool};
use crate::mcp::answer::Answer;

/// The most that one answer carries.
const LIMIT: usize = 256 * 1024;
/// A source file of more lines is answered with its outline and its first lines, unless some of
/// its lines are asked for.
const LONG: usize = 1000;
const FIRST: usize = 100;
/// The most symbols of an outline; the tool `symbols` has them all.
const ROWS: usize = 400;

pub struct ReadFile;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    path: String,
    /// First line, from 1
    start_line: Option<usize>,
    /// Last line, included
    end_line: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    path: String,
    content: String,
    digest: String,
    start_line: usize,
    end_line: usize,
    total_lines: usize,
    staged: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_start_line: Option<usize>,
    /// Bytes left out of the last line
    #[serde(skip_serializing_if = "Option::is_none")]
    line_cut: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    outline: String,
}

impl Tool for ReadFile {
    const NAME: &'static str = "read_file";
    const TITLE: &'static str = "Read a file";
    const DESCRIPTION: &'static str = "Read a file or lines, staged changes included; \
        long source: the outline first. Send its digest as `expect`.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let view = call.engine.read_file(&RequestedPath::new(&*input.path), &call.caller.run_id)?;
        // Redacted whole before it is cut: half a secret is not recognised.
        let text = call.engine.egress().seal(&view.text()?).into_inner();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let first = input.start_line.unwrap_or(1).max(1);
        let wanted = input.end_line.unwrap_or(lines.len()).min(lines.len());
        let is_whole = input.start_line.is_none() && input.end_line.is_none();
        let is_long = is_whole && lines.len() > LONG;
        let outline = if is_long { outline(call, &input.path) } else { String::new() };
        let reach = if outline.is_empty() { wanted } else { FIRST };
        let (content, last, left_out) = cut(&lines, first, reach);
        let output = Output {
            path: view.resolved,
            content,
            digest: view.digest.to_string(),
            start_line: first,
            end_line: last,
            total_lines: lines.len(),
            staged: view.is_staged,
            next_start_line: (last < wanted).then_some(last + 1),
            line_cut: (left_out > 0).then_some(left_out),
            outline,
        };
        Ok(Answer::new(words(&output), output))
    }
}

/// What a file defines and on which lines; nothing for one that has no symbols or does not parse.
fn outline(call: &Call, path: &str) -> String {
    let rows = call.engine.outline(&RequestedPath::new(path), &call.caller.run_id);
    let rows = rows.as_deref().unwrap_or_default();
    let line =
        |row: &SymbolRow| format!("{}-{} {} {}", row.first_line, row.last_line, row.kind, row.path);
    let mut outline: Vec<String> = rows.iter().take(ROWS).map(line).collect();
    if rows.len() > ROWS {
        outline.push(format!("{} more: symbols with offset={ROWS}", rows.len() - ROWS));
    }
    outline.join("\n")
}

/// The lines from `first` to `last`, by number, as far as the limit goes; the number of the last one
/// and how much of it is left out.
fn cut(lines: &[&str], first: usize, last: usize) -> (String, usize, usize) {
    let mut content = String::new();
    let mut reached = first.saturating_sub(1).min(last);
    for line in lines.iter().take(last).skip(first - 1) {
        if content.len() + line.len() > LIMIT && !content.is_empty() {
            break;
        }
        reached += 1;
        let end = line.floor_char_boundary(LIMIT);
        content.push_str(&line[..end]);
        if end < line.len() {
            return (content, reached, line.len() - end);
        }
    }
    (content, reached, 0)
}

fn words(output: &Output) -> String {
    let Output { path, start_line, end_line, total_lines, digest, .. } = output;
    if start_line > total_lines && *total_lines > 0 {
        return format!(
            "{path} has {total_lines} lines; none from {start_line} on, digest {digest}"
        );
    }
    let staged = if output.staged { ", staged and not on disk yet" } else { "" };
    let more = match output.next_start_line {
        Some(next) => format!("; go on with start_line={next}"),
        None => String::new(),
    };
    let cut = match output.line_cut {
        Some(bytes) => format!(
            "; line {end_line} is cut, {bytes} bytes of it are left out: search finds places in it"
        ),
        None => String::new(),
    };
    let content = &output.content;
    let outline = match output.outline.as_str() {
        "" => String::new(),
        rows => format!("{rows}\nthe lines of a symbol: start_line and end_line\n\n"),
    };
    format!(
        "{path} lines {start_line}-{end_line} of {total_lines}{staged}, digest {digest}{more}{cut}\n\
         {outline}{content}"
    )
}
