//! `gatewright check --secrets`: secrets that stand in files, by place and kind, never by value.
//!
//! The walk is parallel and follows `.gitignore`. Binary files and files past the
//! limit are left out and counted. Paths of people are no findings here: they
//! matter when text leaves, not where it lies.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::ValueEnum;
use gatewright_engine::guards::egress::{Kind, RedactionContext, Redactor};
use ignore::{DirEntry, WalkBuilder, WalkState};
use serde_json::{Value, json};

use super::{Context, check_sarif};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::harmless;

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A line for each finding
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, as code hosts read it
    Sarif,
}

/// A secret in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Secret {
    path: PathBuf,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    kind: &'static str,
    rule: String,
}

/// What a scan came to.
#[derive(Debug, Default)]
struct Scan {
    secrets: Mutex<Vec<Secret>>,
    files: AtomicUsize,
    bytes: AtomicUsize,
    skipped: AtomicUsize,
    failed: Mutex<Vec<String>>,
}

/// Looks through `paths` and prints what was found.
pub fn run(paths: &[PathBuf], format: Format, context: &mut Context) -> Result<Exit, Failure> {
    let here = context.environment.current_dir.clone();
    // Rules of the folder count, its paths and known values do not: a `.env` file would be full of them.
    let redactor = context.egress()?.redactor().with_context(RedactionContext::default());
    let scan = Scan::default();
    walk(paths, &here, &redactor, &scan)?;
    let mut secrets = scan.secrets.into_inner().unwrap_or_default();
    secrets.sort();
    let failed = scan.failed.into_inner().unwrap_or_default();
    let format = if context.output.is_json() { Format::Json } else { format };
    let counts = [&scan.files, &scan.bytes, &scan.skipped].map(|one| one.load(Ordering::Relaxed));
    match format {
        Format::Text => context.output.line(&text(&secrets, counts)),
        Format::Json => context.output.line(&object(&secrets, counts).to_string()),
        Format::Sarif => context.output.line(&format!("{:#}", sarif(&secrets))),
    }
    for message in &failed {
        eprintln!("gatewright: {}", harmless(message));
    }
    Ok(match (failed.is_empty(), secrets.is_empty()) {
        (_, false) => Exit::Findings,
        (true, true) => Exit::Clean,
        (false, true) => Exit::System,
    })
}

fn walk(paths: &[PathBuf], here: &Path, redactor: &Redactor, scan: &Scan) -> Result<(), Failure> {
    let Some((first, rest)) = paths.split_first() else {
        return Err(Failure::usage("no path to look through", None));
    };
    if let Some(gone) = paths.iter().find(|path| !input::is_there(&here.join(path))) {
        let message = format!("there is nothing at {}", harmless(&gone.to_string_lossy()));
        return Err(Failure::usage(message, Some("name files or folders that exist")));
    }
    let mut builder = WalkBuilder::new(here.join(first));
    for path in rest {
        builder.add(here.join(path));
    }
    // `.env` and its like begin with a dot and are what this is for.
    builder.hidden(false).require_git(false).filter_entry(|entry| entry.file_name() != ".git");
    let shows = std::io::stderr().is_terminal();
    builder.build_parallel().run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) => look_at(&entry, here, redactor, scan),
                Err(error) => fail(scan, error.to_string()),
            }
            if shows {
                progress(scan);
            }
            WalkState::Continue
        })
    });
    if shows {
        eprint!("\r\u{1b}[K");
    }
    Ok(())
}

fn fail(scan: &Scan, message: String) {
    if let Ok(mut failed) = scan.failed.lock() {
        failed.push(message);
    }
}

/// One line that is written over, now and then.
fn progress(scan: &Scan) {
    const EVERY: usize = 256;
    let files = scan.files.load(Ordering::Relaxed);
    if files.is_multiple_of(EVERY) {
        let megabytes = scan.bytes.load(Ordering::Relaxed) / 1_000_000;
        let found = scan.secrets.lock().map_or(0, |secrets| secrets.len());
        eprint!("\r\u{1b}[K{files} files, {megabytes} MB, {found} secrets");
    }
}

fn look_at(entry: &DirEntry, here: &Path, redactor: &Redactor, scan: &Scan) {
    if !entry.file_type().is_some_and(|kind| kind.is_file()) {
        return;
    }
    let bytes = match input::scanned(entry.path()) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            scan.skipped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        Err(error) => {
            return fail(scan, format!("cannot read {}: {error}", entry.path().display()));
        }
    };
    let path = entry.path().strip_prefix(here).unwrap_or(entry.path());
    let found = secrets_of(path, &bytes, redactor);
    scan.files.fetch_add(1, Ordering::Relaxed);
    scan.bytes.fetch_add(bytes.len(), Ordering::Relaxed);
    if let Ok(mut secrets) = scan.secrets.lock() {
        secrets.extend(found);
    }
}

fn secrets_of(path: &Path, bytes: &[u8], redactor: &Redactor) -> Vec<Secret> {
    let mut place = Place { line: 1, column: 1, at: 0 };
    redactor
        .find(bytes)
        .into_iter()
        .filter(|one| one.kind != Kind::Path)
        .map(|one| {
            place = place.moved(bytes, one.start);
            let end = place.moved(bytes, one.end);
            Secret {
                path: path.to_owned(),
                line: place.line,
                column: place.column,
                end_line: end.line,
                end_column: end.column,
                kind: one.kind.as_str(),
                rule: one.rule.into_owned(),
            }
        })
        .collect()
}

/// A place in a text: line and column count from one, columns in characters.
#[derive(Debug, Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
    at: usize,
}

impl Place {
    fn moved(self, bytes: &[u8], to: usize) -> Place {
        let passed = &bytes[self.at..to];
        let characters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let lines = passed.iter().filter(|byte| **byte == b'\n').count();
        let column = match passed.iter().rposition(|byte| *byte == b'\n') {
            Some(newline) => 1 + characters(&passed[newline + 1..]),
            None => self.column + characters(passed),
        };
        Place { line: self.line + lines, column, at: to }
    }
}

fn text(secrets: &[Secret], [files, _, skipped]: [usize; 3]) -> String {
    let mut text = String::new();
    for one in secrets {
        let path = harmless(&one.path.to_string_lossy());
        text.push_str(&format!(
            "{path}:{}:{}: {} ({})\n",
            one.line, one.column, one.kind, one.rule
        ));
    }
    text.push_str(&format!("secrets: {}, files: {files}, left out: {skipped}", secrets.len()));
    text
}

fn object(secrets: &[Secret], [files, bytes, skipped]: [usize; 3]) -> Value {
    let findings: Vec<Value> = secrets
        .iter()
        .map(|one| {
            json!({
                "path": one.path, "line": one.line, "column": one.column,
                "end_line": one.end_line, "end_column": one.end_column,
                "kind": one.kind, "rule": one.rule,
            })
        })
        .collect();
    json!({ "findings": findings, "files": files, "bytes": bytes, "skipped": skipped })
}

fn sarif(secrets: &[Secret]) -> Value {
    let rules = secrets.iter().map(|one| one.rule.as_str()).collect();
    let results: Vec<Value> = secrets
        .iter()
        .map(|one| {
            json!({
                "ruleId": one.rule,
                "level": "warning",
                "message": { "text": format!("{} in a file", one.kind) },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": check_sarif::uri(&one.path.to_string_lossy()) },
                    "region": {
                        "startLine": one.line, "startColumn": one.column,
                        "endLine": one.end_line, "endColumn": one.end_column,
                    },
                } }],
            })
        })
        .collect();
    check_sarif::log(rules, &results)
}
