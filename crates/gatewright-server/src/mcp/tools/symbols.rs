//! `symbols`: the outline of a source file, to name symbols for `edit_code`.

use gatewright_engine::{EngineError, SymbolRow};
use gatewright_model::RequestedPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Effect, Tool};
use crate::mcp::answer::Answer;

const PAGE: usize = 400;

pub struct Symbols;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    path: String,
    offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    symbols: Vec<WireSymbol>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct WireSymbol {
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
    const TITLE: &'static str = "Outline of a file";
    const DESCRIPTION: &'static str = "List the symbols of a source file with their name paths, \
        lines and digests, as edit_code takes them.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let path = RequestedPath::new(input.path);
        let rows = call.engine.outline(&path, &call.caller.run_id)?;
        let offset = input.offset.unwrap_or(0);
        let symbols: Vec<WireSymbol> = rows.iter().skip(offset).take(PAGE).map(wire).collect();
        let end = offset.saturating_add(symbols.len());
        let next_offset = (end < rows.len() && !symbols.is_empty()).then_some(end);
        let mut text: String = symbols.iter().map(line).collect();
        if let Some(next) = next_offset {
            text.push_str(&format!("there is more; go on with offset={next}\n"));
        }
        Ok(Answer::new(text, Output { symbols, next_offset }))
    }
}

fn wire(row: &SymbolRow) -> WireSymbol {
    WireSymbol {
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
    format!("{name}{number}  {kind}, lines {first_line}-{last_line}: {head}\n")
}
