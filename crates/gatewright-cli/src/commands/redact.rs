//! `gatewright redact`: the egress guard as a filter for anybody's stream.

use std::collections::BTreeMap;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

use gatewright_engine::EgressGuard;
use gatewright_engine::guards::egress::{Counts, Redactor, Stream};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::input;

/// Hide secrets and outside paths in a stream or in files.
///
/// With --jsonl, each line is {"id","text"} or {"id","chunks":[…]}, either with
/// an optional "workspace_root", whose .env files are read where it is there;
/// offsets in the answers are bytes of the text.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The files [default: standard input]
    files: Vec<PathBuf>,

    /// Print what was hidden, by kind, to standard error
    #[arg(long)]
    stats: bool,

    /// Read one JSON object per line
    #[arg(long)]
    jsonl: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let files = if arguments.files.is_empty() { vec![PathBuf::from("-")] } else { arguments.files };
    let guard = context.egress()?;
    let mut lines = Lines::of(&guard);
    let mut counts = Counts::default();
    let mut exit = Exit::Clean;
    for file in &files {
        if arguments.jsonl {
            if redact_lines(file, &mut lines, context)? != Exit::Clean {
                exit = Exit::Usage;
            }
        } else {
            filter(file, guard.redactor(), &mut counts)?;
        }
    }
    if arguments.stats {
        eprintln!("{}", json!({ "redactions": counts.to_map() }));
    }
    Ok(exit)
}

/// The rules and values of the folder for texts from other places.
struct Lines<'a> {
    guard: &'a EgressGuard,
    /// By the workspace that a text names, if it names one.
    known: BTreeMap<Option<String>, Redactor>,
}

impl Lines<'_> {
    /// How many workspaces are kept at most.
    const MOST: usize = 64;

    fn of(guard: &EgressGuard) -> Lines<'_> {
        Lines { guard, known: BTreeMap::new() }
    }

    fn redactor(&mut self, workspace_root: Option<String>) -> &Redactor {
        if self.known.len() >= Self::MOST && !self.known.contains_key(&workspace_root) {
            self.known.clear();
        }
        let guard = self.guard;
        self.known.entry(workspace_root).or_insert_with_key(|root| guard.redactor_at(root.clone()))
    }
}

/// Passes a stream through, chunk by chunk.
fn filter(source: &Path, redactor: &Redactor, counts: &mut Counts) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::system("cannot filter", &error);
    let mut reader = input::lines(source)?;
    let mut stdout = std::io::stdout().lock();
    let mut stream = Stream::new(redactor);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let length = reader.read(&mut buffer).map_err(failed)?;
        if length == 0 {
            break;
        }
        let released = stream.push(&buffer[..length]);
        counts.merge(released.counts());
        stdout.write_all(released.as_bytes()).map_err(failed)?;
    }
    let rest = stream.finish();
    counts.merge(rest.counts());
    stdout.write_all(rest.as_bytes()).map_err(failed)?;
    stdout.flush().map_err(failed)
}

#[derive(Debug, Deserialize)]
struct Line {
    id: Value,
    text: Option<String>,
    chunks: Option<Vec<String>>,
    workspace_root: Option<String>,
}

fn redact_lines(
    source: &Path,
    lines: &mut Lines<'_>,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Clean;
    for line in input::lines(source)?.split(b'\n') {
        let line = line.map_err(|error| Failure::system("cannot read the lines", &error))?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match serde_json::from_slice::<Line>(&line) {
            Ok(line) => answer_to(line, lines),
            Err(error) => refusal(&Value::Null, &error.to_string()),
        };
        if answer.get("error").is_some() {
            exit = Exit::Usage;
        }
        context.output.line(&answer.to_string());
    }
    Ok(exit)
}

fn refusal(id: &Value, message: &str) -> Value {
    json!({ "id": id, "error": { "code": "json", "message": message } })
}

fn answer_to(line: Line, lines: &mut Lines<'_>) -> Value {
    let redactor = lines.redactor(line.workspace_root);
    match (line.text, line.chunks) {
        (Some(text), None) => {
            let result = redactor.redact(&text);
            let redactions: Vec<Value> = result
                .redactions
                .iter()
                .map(|hit| {
                    json!({
                        "kind": hit.kind.as_str(), "rule": hit.rule,
                        "start": hit.start, "end": hit.end,
                    })
                })
                .collect();
            json!({ "id": line.id, "redacted": result.text, "redactions": redactions })
        }
        (None, Some(chunks)) => json!({ "id": line.id, "out": released(&chunks, redactor) }),
        _ => refusal(&line.id, "an object needs either text or chunks"),
    }
}

fn released(chunks: &[String], redactor: &Redactor) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut stream = Stream::new(redactor);
    let mut out: Vec<String> =
        chunks.iter().map(|chunk| text(stream.push(chunk.as_bytes()).as_bytes())).collect();
    out.push(text(stream.finish().as_bytes()));
    out
}
