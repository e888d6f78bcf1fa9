//! The calls of the symbol tool that do what a text edit wanted to do.
//!
//! What was asked for is the result, not the edit: both outlines are compared
//! level by level, each difference becomes one call, and every call is tried on
//! the text before it is handed out. Blank lines between definitions are the
//! tool's own business, so they do not count as a difference.

use gatewright_model::{EditShape, ReadyCall, Span, SymbolCall, TextEdit};

use super::levels::{Pairing, Step, steps};
use super::{Versions, exchange, leftovers};
use crate::syntax::edit::{self, Position, SymbolAction, SymbolEdit};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The most calls that one refusal lists.
const MOST: usize = 24;
/// The most where each only takes a definition out, which is said in a few words.
const MOST_REMOVED: usize = 120;

/// Calls, and how much of the result they make.
struct Plan {
    calls: Vec<ReadyCall>,
    /// All of it, but for blank lines.
    is_whole: bool,
    /// All of it, to the byte.
    is_exact: bool,
}

impl Plan {
    fn has(&self, action: EditShape) -> bool {
        let is_one =
            |call: &ReadyCall| matches!(call, ReadyCall::Symbol(call) if call.action == action);
        self.calls.iter().any(is_one)
    }

    /// Whether definitions go and others come, and blank lines with them: where each can keep its
    /// place instead, nothing else changes.
    fn moves(&self) -> bool {
        !self.is_exact && self.has(EditShape::Remove) && self.has(EditShape::Insert)
    }

    /// Whether the calls may be made though they leave something undone: what they take out
    /// might have come back elsewhere.
    fn may_stand(&self) -> bool {
        self.is_whole || !self.has(EditShape::Remove)
    }
}

/// The calls that make the result out of the base; empty when none were found.
pub(super) fn plan(versions: &Versions<'_>) -> Vec<ReadyCall> {
    if let Some(call) = one_symbol(versions) {
        return vec![ReadyCall::Symbol(call)];
    }
    let by_name = in_steps(versions, Pairing::ByName);
    let is_whole = by_name.as_ref().is_some_and(|plan| plan.is_whole);
    if let Some(plan) = by_name.as_ref().filter(|plan| plan.is_whole && !plan.moves()) {
        return plan.calls.clone();
    }
    if let Some(call) = (!is_whole).then(|| whole_container(versions)).flatten() {
        return vec![ReadyCall::Symbol(call)];
    }
    let in_place = in_steps(versions, Pairing::ByPlace).filter(|plan| plan.is_whole);
    in_place
        .map(|plan| plan.calls)
        .or_else(|| exchange::calls(versions))
        .or_else(|| by_name.filter(Plan::may_stand).map(|plan| plan.calls))
        .unwrap_or_default()
}

/// One definition, no container, that takes the whole difference.
fn one_symbol(versions: &Versions<'_>) -> Option<SymbolCall> {
    let holders = holders(versions);
    holders
        .into_iter()
        .filter(|symbol| !symbol.kind.is_container())
        .find_map(|symbol| exact(versions, symbol))
}

/// The smallest container that takes the whole difference.
fn whole_container(versions: &Versions<'_>) -> Option<SymbolCall> {
    holders(versions).into_iter().find_map(|symbol| exact(versions, symbol))
}

/// The symbols around all that changed, the smallest first.
fn holders<'a>(versions: &'a Versions<'_>) -> Vec<&'a Symbol> {
    let changed = changed(versions);
    let mut holders: Vec<&Symbol> = versions
        .before
        .outline()
        .iter()
        .filter(|symbol| {
            let own = with_indentation(&versions.before, symbol.full);
            own.start <= changed.start && changed.end <= own.end
        })
        .collect();
    holders.sort_by_key(|symbol| symbol.full.len());
    holders
}

/// The stretch of the base that differs from the result.
pub(super) fn changed(versions: &Versions<'_>) -> Span {
    let (before, after) = (versions.before.source(), versions.after.source());
    let common = before.len().min(after.len());
    let start = (0..common).find(|at| before[*at] != after[*at]).unwrap_or(common);
    let most = common - start;
    let (one, other) = (before.iter().rev(), after.iter().rev());
    let tail = one.zip(other).take(most).take_while(|(one, other)| one == other).count();
    Span::new(start, before.len() - tail)
}

/// The replacement of a symbol that gives the result to the byte.
fn exact(versions: &Versions<'_>, symbol: &Symbol) -> Option<SymbolCall> {
    let body = text_in_place(versions, symbol.full)?;
    if body.trim().is_empty() {
        return None;
    }
    [false, true].into_iter().find_map(|whole| {
        let call = replacement(versions, symbol, body.clone(), whole);
        let result = try_call(&versions.before, &call)?;
        (result.source() == versions.after.source()).then_some(call)
    })
}

/// What the result has where the base has `span`, if all that changed lies inside.
pub(super) fn text_in_place(versions: &Versions<'_>, span: Span) -> Option<String> {
    let (before, after) = (versions.before.source(), versions.after.source());
    let span = with_indentation(&versions.before, span);
    let end = after.len().checked_sub(before.len() - span.end)?;
    let is_kept_around = span.start <= end
        && before[..span.start] == after[..span.start]
        && before[span.end..] == after[end..];
    is_kept_around.then(|| versions.after.text(Span::new(span.start, end)))
}

/// The span with the blanks before it, where nothing else stands on its line.
pub(super) fn with_indentation(parsed: &Parsed, span: Span) -> Span {
    let line_start = parsed.lines().start(parsed.lines().line(span.start));
    let before = &parsed.source()[line_start..span.start];
    let is_blank = before.iter().all(|byte| matches!(byte, b' ' | b'\t'));
    if is_blank { Span::new(line_start, span.end) } else { span }
}

/// All the text that a symbol owns, with the indentation of its first line.
pub(super) fn own_text(parsed: &Parsed, symbol: &Symbol) -> String {
    parsed.text(with_indentation(parsed, symbol.full))
}

/// A call that gives `symbol` this text.
pub(super) fn replacement(
    versions: &Versions<'_>,
    symbol: &Symbol,
    body: String,
    whole: bool,
) -> SymbolCall {
    SymbolCall {
        symbol: symbol.path.clone(),
        overload: number(&versions.before, symbol),
        path: versions.path.to_owned(),
        action: EditShape::Replace,
        position: None,
        whole,
        body: Some(body),
    }
}

/// The number of a symbol, where several have its path.
pub(super) fn number(parsed: &Parsed, symbol: &Symbol) -> Option<u32> {
    let count = parsed.outline().iter().filter(|other| other.path == symbol.path).count();
    (count > 1).then_some(symbol.overload)
}

/// The text after a call, if it can be made.
pub(super) fn try_call(parsed: &Parsed, call: &SymbolCall) -> Option<Parsed> {
    let body = call.body.clone();
    let action = match call.action {
        EditShape::Remove => SymbolAction::Remove,
        EditShape::Replace if call.whole => SymbolAction::ReplaceWhole { body: body? },
        EditShape::Replace => SymbolAction::Replace { body: body? },
        EditShape::Insert => {
            let position = match call.position.as_deref() {
                Some("before") => Position::Before,
                Some("first") => Position::First,
                Some("last") => Position::Last,
                _ => Position::After,
            };
            SymbolAction::Insert { position, body: body? }
        }
    };
    let symbol = call.symbol.clone();
    edit::edited(parsed, &SymbolEdit { symbol, overload: call.overload, expect: None, action }).ok()
}

/// One call for each difference of the outlines, then one for each of the rest. `None` when the
/// first of them cannot be made.
fn in_steps(versions: &Versions<'_>, pairing: Pairing) -> Option<Plan> {
    let mut steps = steps(&versions.before, &versions.after, pairing);
    let only_removes = steps.iter().all(|step| matches!(step, Step::Remove { .. }));
    let most = if only_removes { MOST_REMOVED } else { MOST };
    let is_cut = steps.len() > most;
    steps.truncate(most);
    let mut calls = Vec::new();
    let mut now: Option<Parsed> = None;
    let mut is_whole = !is_cut;
    for step in &steps {
        let before = now.as_ref().unwrap_or(&versions.before);
        let mut tried: Vec<(SymbolCall, Parsed)> = candidates(versions, before, step)
            .into_iter()
            .filter_map(|call| try_call(before, &call).map(|result| (call, result)))
            .collect();
        let fitting = tried.iter().position(|(_, result)| is_fitting(step, before, result));
        match (!tried.is_empty()).then(|| tried.swap_remove(fitting.unwrap_or(0))) {
            Some((call, result)) => {
                calls.push(ReadyCall::Symbol(call));
                now = Some(result);
            }
            None => is_whole = false,
        }
    }
    let now = now.as_ref().unwrap_or(&versions.before);
    let is_exact = is_whole && now.source() == versions.after.source();
    if is_whole {
        let rest = leftovers::calls(versions, now);
        is_whole = rest.is_some();
        calls.extend(rest.unwrap_or_default());
    }
    (!calls.is_empty()).then_some(Plan { calls, is_whole, is_exact })
}

/// Whether a replacement has the length of the text that was asked for.
fn is_fitting(step: &Step<'_>, before: &Parsed, result: &Parsed) -> bool {
    let Step::Replace { old, new } = step else { return true };
    before.source().len() + new.full.len() == result.source().len() + old.full.len()
}

/// The calls that may do one step, the plainest first.
pub(super) fn candidates(
    versions: &Versions<'_>,
    now: &Parsed,
    step: &Step<'_>,
) -> Vec<SymbolCall> {
    let call = |symbol: &Symbol, action, position: Option<&str>, body| SymbolCall {
        symbol: symbol.path.clone(),
        overload: number(now, symbol),
        path: versions.path.to_owned(),
        action,
        position: position.map(str::to_owned),
        whole: false,
        body,
    };
    match step {
        Step::Replace { old, new } => {
            let body = own_text(&versions.after, new);
            let plain = call(old, EditShape::Replace, None, Some(body));
            let whole = SymbolCall { whole: true, ..plain.clone() };
            if drops_what_stands_above(old, new) { vec![whole] } else { vec![plain, whole] }
        }
        Step::Remove { old } => vec![call(old, EditShape::Remove, None, None)],
        Step::Insert { new, anchor, position } => {
            let body = own_text(&versions.after, new);
            vec![call(anchor, EditShape::Insert, Some(position), Some(body))]
        }
    }
}

/// Whether the new text lacks a comment or an annotation that the old one has.
fn drops_what_stands_above(old: &Symbol, new: &Symbol) -> bool {
    let comments = |symbol: &Symbol| symbol.full.start < symbol.code.start;
    let annotations = |symbol: &Symbol| symbol.bare_start > symbol.code.start;
    (comments(old) && !comments(new)) || (annotations(old) && !annotations(new))
}

/// Whether two texts are the same but for blank lines and the ends of lines.
pub(super) fn is_same_but_for_blanks(one: &[u8], other: &[u8]) -> bool {
    fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii_end)
            .filter(|line| !line.is_empty())
    }
    lines(one).eq(lines(other))
}

/// An edit that replaces one text, once.
pub(super) fn text_edit(old: &str, new: &str) -> TextEdit {
    TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false }
}
