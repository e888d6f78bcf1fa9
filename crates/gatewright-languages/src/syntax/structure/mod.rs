//! The facts behind the structural gate: is this text edit really a structural edit?
//!
//! One question for every door. The request says which text was replaced
//! ([`regions`]); the parse of the file before says what stood there
//! ([`cut`]); the parse after says what became of the rest ([`aftermath`]).
//! A whole-file write is asked only what it loses ([`overwrite`]).
//! Nothing here refuses anything; the guard does.

mod aftermath;
mod annotations;
mod astray;
mod batch;
mod bound;
mod calls;
mod cut;
mod elision;
mod elision_words;
mod exchange;
mod hollow;
mod leftovers;
mod levels;
mod loose;
mod missed;
mod moved;
mod opened;
mod overwrite;
mod regions;
mod spelt;
mod suggest;
mod unsaid;

use std::borrow::Cow;

use gatewright_model::{
    EditShape, Intent, ReadyCall, ReplacedLines, Structural, StructureFacts, StructureProblem,
    TextEdit, decode,
};

use super::detect::detect;
use super::language::LanguageId;
use super::parsed::Parsed;
use regions::{Region, Regions};

/// A change of one file with both of its versions parsed.
pub(crate) struct Versions<'a> {
    pub(crate) path: &'a str,
    pub(crate) before: Parsed,
    pub(crate) after: Parsed,
}

/// What is structural about replacing `before` by `after` at `path`, as `intent` asks for it.
///
/// Pure. A file in another language, a new file, an undo, a
/// removal and a change of mode have nothing to say, and a symbol
/// edit only what it takes off the symbol. Where the parse cannot
/// run, that is a problem of its own.
pub fn structure_facts(
    path: &str,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    intent: &Intent,
) -> StructureFacts {
    let (Some(before), Some(after)) = (before, after) else { return StructureFacts::default() };
    let request = match intent {
        Intent::Create | Intent::Overwrite => Request::Whole,
        Intent::Edit(edits) => Request::Edits(edits),
        Intent::Hunks(replaced) => Request::Hunks(replaced),
        Intent::Patch | Intent::Rename => Request::Lines,
        Intent::Symbol(symbol) => return annotations::facts(path, before, after, symbol),
        Intent::Delete | Intent::Chmod | Intent::Undo => return StructureFacts::default(),
    };
    let Some(language) = detect(path, before) else { return StructureFacts::default() };
    let (problems, calls) = if before == after {
        (Vec::new(), Vec::new())
    } else {
        match parse(path, language, (before, after), &request) {
            Ok(versions) => answer(&versions, &request),
            Err(reason) => (vec![not_parsed(reason)], Vec::new()),
        }
    };
    StructureFacts { language: Some(language.name().to_owned()), problems, calls }
}

fn answer(
    versions: &Versions<'_>,
    request: &Request<'_>,
) -> (Vec<StructureProblem>, Vec<ReadyCall>) {
    let spelt = match request {
        Request::Edits(edits) => spelt::answer(versions, edits),
        Request::Whole | Request::Hunks(_) | Request::Lines => None,
    };
    spelt.unwrap_or_else(|| answered(versions, problems_of(versions, request)))
}

/// The problems with the call that each of them names, and all calls in their order.
fn answered(
    versions: &Versions<'_>,
    mut problems: Vec<StructureProblem>,
) -> (Vec<StructureProblem>, Vec<ReadyCall>) {
    let calls = suggest::calls(versions, &problems);
    let symbol_calls = || {
        calls.iter().filter_map(|call| match call {
            ReadyCall::Symbol(call) => Some(call),
            ReadyCall::Text { .. } | ReadyCall::Read { .. } => None,
        })
    };
    for problem in problems.iter_mut().filter(|problem| problem.call.is_none()) {
        let own = symbol_calls().find(|call| Some(&call.symbol) == problem.symbol.as_ref());
        problem.call = own.or_else(|| symbol_calls().next()).cloned();
        let named = problem.call.as_ref().map(|call| call.symbol.clone());
        problem.symbol = problem.symbol.take().or(named);
    }
    (problems, calls)
}

enum Request<'a> {
    Whole,
    Edits(&'a [TextEdit]),
    Hunks(&'a [ReplacedLines]),
    Lines,
}

fn parse<'a>(
    path: &'a str,
    language: LanguageId,
    (before, after): (&[u8], &[u8]),
    request: &Request<'_>,
) -> Result<Versions<'a>, String> {
    let (before, _) = decode(before).map_err(|error| error.to_string())?;
    let (after, _) = decode(after).map_err(|error| error.to_string())?;
    let after = match request {
        Request::Whole => with_line_ends_of(&before, after),
        Request::Edits(_) | Request::Hunks(_) | Request::Lines => after,
    };
    let before = Parsed::new(language, &before).map_err(|error| error.to_string())?;
    let after = before.version(&after).map_err(|error| error.to_string())?;
    Ok(Versions { path, before, after })
}

/// The text with the line ends of `before`, where each of the two has one kind of its own: a
/// whole text that only ends its lines in another way changes no definition, and no call could
/// make it.
fn with_line_ends_of<'a>(before: &[u8], after: Cow<'a, [u8]>) -> Cow<'a, [u8]> {
    match (line_end(before), line_end(&after)) {
        (Some(b"\r\n"), Some(b"\n")) => {
            let lines: Vec<&[u8]> = after.split(|byte| *byte == b'\n').collect();
            Cow::Owned(lines.join(&b"\r\n"[..]))
        }
        (Some(b"\n"), Some(b"\r\n")) => {
            let mut text = after.into_owned();
            text.retain(|byte| *byte != b'\r');
            Cow::Owned(text)
        }
        _ => after,
    }
}

/// What ends all lines of a text; `None` where there is none, or lines end in several ways.
fn line_end(text: &[u8]) -> Option<&'static [u8]> {
    let ends = memchr::memchr_iter(b'\n', text).count();
    let returns = memchr::memchr_iter(b'\r', text).count();
    let pairs = memchr::memmem::find_iter(text, b"\r\n").count();
    match (ends, returns) {
        (0, _) => None,
        (_, 0) => Some(b"\n"),
        _ if pairs == ends && pairs == returns => Some(b"\r\n"),
        _ => None,
    }
}

fn not_parsed(reason: String) -> StructureProblem {
    StructureProblem {
        found: Structural::NotParsed { reason },
        line: None,
        symbol: None,
        shape: EditShape::Replace,
        call: None,
    }
}

fn problems_of(versions: &Versions<'_>, request: &Request<'_>) -> Vec<StructureProblem> {
    let regions = match request {
        Request::Whole => {
            let mut problems = overwrite::problems(versions);
            if problems.is_empty() {
                problems.extend(opened::problem(versions));
            }
            let only_adds = calls::changed(versions).is_empty();
            if !problems.is_empty() || !only_adds {
                return problems;
            }
            // Text put before, behind or between what is there is an edit, whatever it is sent as.
            Regions::of_lines(versions)
        }
        Request::Edits(edits) => Regions::of_edits(versions, edits),
        Request::Hunks(replaced) => Regions::of_hunks(versions, replaced),
        Request::Lines => Regions::of_lines(versions),
    };
    let mut problems: Vec<StructureProblem> =
        regions.list.iter().filter_map(|region| cut::problem(versions, region)).collect();
    if problems.is_empty() {
        problems.extend(regions.unlocated.iter().filter_map(|edit| cut::unlocated(versions, edit)));
    }
    if problems.is_empty() {
        problems.extend(batch::problem(versions, &regions));
    }
    if problems.is_empty() && regions.list.iter().any(Region::reaches_over_lines) {
        problems.extend(opened::problem(versions));
    }
    if problems.is_empty() {
        problems.extend(aftermath::problem(versions, &regions));
    }
    problems
}
