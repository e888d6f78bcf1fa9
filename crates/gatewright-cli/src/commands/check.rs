//! `gatewright check`: judge without applying, staging or recording.

use std::io::BufRead;
use std::path::PathBuf;

use clap::ValueHint;
use gatewright_engine::{Base, Engine, Operation, Request, intake};
use gatewright_model::{RequestedPath, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Context, check_sarif, outcome, secrets};
use crate::exit::{Exit, Failure};
use crate::input;

/// Judge a change without applying it, or look for secrets in files.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("form").required(true).args(["diff", "jsonl", "secrets", "change"]))]
pub struct Arguments {
    /// A unified diff or a `*** Begin Patch` text (`-` for standard input)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    diff: Option<PathBuf>,

    /// Lines of {"id","path","content"}, each judged as a whole-file write [default: -]
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    jsonl: Option<PathBuf>,

    /// Look for secrets in these files and folders; what git ignores is left out
    #[arg(long, value_name = "PATH", num_args = 1.., value_hint = ValueHint::AnyPath)]
    secrets: Option<Vec<PathBuf>>,

    /// How what was found is printed; --jsonl always prints lines of JSON
    #[arg(long, value_enum, default_value = "text", conflicts_with = "jsonl")]
    format: secrets::Format,

    /// A change set as JSON, or a diff (`-` for standard input)
    #[arg(value_name = "CHANGE")]
    change: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    if let Some(paths) = &arguments.secrets {
        return secrets::run(paths, arguments.format, context);
    }
    let engine = context.engine()?;
    if let Some(source) = arguments.jsonl {
        return check_lines(&engine, &source, context);
    }
    let operations = match (&arguments.diff, &arguments.change) {
        (Some(source), _) => intake::parse_patch(&input::read(source)?)?,
        (None, Some(source)) => intake::parse_any(&input::read(source)?)?,
        (None, None) => return Err(Failure::usage("nothing to check", None)),
    };
    let checked = engine.check(&request(operations, context))?;
    match arguments.format {
        secrets::Format::Text => {
            let mut text = format!("{}\n", checked.verdict);
            text.push_str(&outcome::findings_text(&checked.findings, context.output));
            context.output.emit(&outcome::checked_json(&checked), &text);
        }
        secrets::Format::Json => {
            context.output.line(&outcome::checked_json(&checked).to_string());
        }
        secrets::Format::Sarif => {
            context.output.line(&format!("{:#}", check_sarif::findings(&checked.findings)));
        }
    }
    Ok(outcome::exit_of(checked.verdict))
}

fn request(operations: Vec<Operation>, context: &Context) -> Request {
    Request { agent: context.agent(), run_id: "check".to_owned(), autonomy: None, operations }
}

/// One line of `--jsonl`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: Value,
    path: String,
    content: String,
}

fn check_lines(
    engine: &Engine,
    source: &std::path::Path,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Clean;
    for line in input::lines(source)?.split(b'\n') {
        let line = line.map_err(|error| Failure::system("cannot read the lines", &error))?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let (answer, line_exit) = check_line(engine, &line, context);
        exit = if exit == Exit::Usage { exit } else { line_exit_max(exit, line_exit) };
        context.output.line(&answer.to_string());
    }
    Ok(exit)
}

fn line_exit_max(a: Exit, b: Exit) -> Exit {
    if a.code() < b.code() { b } else { a }
}

fn check_line(engine: &Engine, line: &[u8], context: &Context) -> (Value, Exit) {
    let parsed: Line = match serde_json::from_slice(line) {
        Ok(parsed) => parsed,
        Err(error) => return (bad_line(None, "json", &error.to_string()), Exit::Usage),
    };
    let operations = vec![Operation::Write {
        path: RequestedPath::new(parsed.path),
        content: parsed.content.into_bytes(),
        base: Base::Current,
    }];
    match engine.check(&request(operations, context)) {
        Ok(checked) => {
            let mut answer = outcome::checked_json(&checked);
            answer["id"] = parsed.id;
            (answer, outcome::exit_of(checked.verdict))
        }
        // Writing what is there already changes nothing, and so passes.
        Err(gatewright_engine::EngineError::Empty) => (unchanged(parsed.id), Exit::Clean),
        Err(error) => (bad_line(Some(parsed.id), error.code(), &error.to_string()), Exit::Findings),
    }
}

fn unchanged(id: Value) -> Value {
    let guards = gatewright_model::GuardOutcomes::default();
    json!({ "id": id, "verdict": Verdict::Pass, "guards": guards, "findings": [], "missing": [] })
}

fn bad_line(id: Option<Value>, code: &str, message: &str) -> Value {
    json!({
        "id": id,
        "verdict": Verdict::Refuse,
        "guards": {},
        "findings": [],
        "missing": [],
        "error": { "code": code, "message": message },
    })
}
