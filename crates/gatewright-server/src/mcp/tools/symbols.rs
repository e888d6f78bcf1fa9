//! `symbols`: the outline of a file, or the symbols of a project by name, as `edit_code` takes them.

use gatewright_engine::languages::syntax::detect;
use gatewright_engine::{EngineError, FoundSymbol, SymbolQuery, SymbolRow};
use gatewright_model::{RequestedPath, Resolution, TargetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, Loose};

const PAGE: usize = 400;

pub struct Symbols;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A file; or a directory, default the root
    path: Option<String>,
    /// Part of the name
    name: Option<String>,
    offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[schemars(with = "Vec<Loose>")]
    symbols: Vec<WireSymbol>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize)]
struct WireSymbol {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    symbol: String,
    overload: u32,
    kind: &'static str,
    head: String,
    first_line: usize,
    last_line: usize,
    digest: String,
}

impl Tool for Symbols {
    const NAME: &'static str = "symbols";
    const TITLE: &'static str = "Symbols of a file or project";
    const DESCRIPTION: &'static str = "List symbols of a file, or find symbols by name in \
        a directory, with name paths, lines and digests as edit_code takes them.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let path = input.path.clone().unwrap_or_else(|| ".".to_owned());
        let offset = input.offset.unwrap_or(0);
        // A file is asked for most often, and the question of what a path is reads all of it.
        let is_root = parts(&path).next().is_none();
        let name = input.name.unwrap_or_default();
        let of_one = (!is_root).then(|| of_file(call, &path, &name, offset));
        let (symbols, has_more) = match of_one {
            Some(Ok(found)) => found,
            Some(Err(error)) if !is_directory(call, &path) => return Err(error),
            _ => of_project(call, &path, name, offset)?,
        };
        let next_offset = has_more.then_some(offset + symbols.len());
        let mut text: String = symbols.iter().map(line).collect();
        if symbols.is_empty() {
            text.push_str("no symbols\n");
        }
        if let Some(next) = next_offset {
            text.push_str(&format!("there is more; go on with offset={next}\n"));
        }
        Ok(Answer::new(text, Output { symbols, next_offset }))
    }
}

/// The symbols of one file are; those of a project take a walk.
pub fn is_short(_: &Call, arguments: &Value) -> bool {
    let path = arguments.get("path").and_then(Value::as_str);
    path.is_some_and(|path| detect(path, b"").is_some())
}

fn is_directory(call: &Call, path: &str) -> bool {
    let facts = call.engine.workspace().facts(&RequestedPath::new(path));
    matches!(facts.resolution, Resolution::Inside(target) if target.kind == TargetKind::Directory)
}

/// The names that a path is made of; none for the root, however it is spelt.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !matches!(*part, "" | "."))
}

fn of_file(
    call: &Call,
    path: &str,
    name: &str,
    offset: usize,
) -> Result<(Vec<WireSymbol>, bool), EngineError> {
    let rows = call.engine.outline(&RequestedPath::new(path), &call.caller.run_id)?;
    let name = name.to_lowercase();
    let mut named = rows.iter().filter(|row| row.path.to_lowercase().contains(&name)).skip(offset);
    let page: Vec<WireSymbol> = named.by_ref().take(PAGE).map(|row| wire(None, row)).collect();
    Ok((page, named.next().is_some()))
}

fn of_project(
    call: &Call,
    path: &str,
    name: String,
    offset: usize,
) -> Result<(Vec<WireSymbol>, bool), EngineError> {
    let under = parts(path).collect::<Vec<&str>>().join("/");
    let query = SymbolQuery { name, under, offset, limit: PAGE };
    let (found, has_more) = call.engine.find_symbols(&query, &call.caller.run_id)?;
    let one = |found: &FoundSymbol| wire(Some(found.file.clone()), &found.row);
    Ok((found.iter().map(one).collect(), has_more))
}

fn wire(path: Option<String>, row: &SymbolRow) -> WireSymbol {
    WireSymbol {
        path,
        symbol: row.path.clone(),
        overload: row.overload,
        kind: row.kind,
        head: row.head.chars().take(200).collect(),
        first_line: row.first_line,
        last_line: row.last_line,
        digest: row.digest.to_string(),
    }
}

fn line(symbol: &WireSymbol) -> String {
    let number = if symbol.overload > 1 { format!(" #{}", symbol.overload) } else { String::new() };
    let WireSymbol { symbol: name, kind, first_line, last_line, head, .. } = symbol;
    let file = symbol.path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
    format!("{file}{name}{number}  {kind}, lines {first_line}-{last_line}: {head}\n")
}
