//! Sending the calls of a refusal, one after the other.

use gatewright_languages::syntax::edit::{Position, SymbolAction, SymbolEdit, plan_edit};
use gatewright_languages::syntax::{LanguageId, structure_facts};
use gatewright_model::{EditShape, Intent, ReadyCall, StructureFacts, SymbolCall, TextEdit};

use super::corpus::Source;
use super::judge::Case;

/// What is wrong with the calls, if anything.
pub fn check(source: &Source, case: &Case, facts: &StructureFacts) -> Option<String> {
    if facts.calls.is_empty() {
        return case.is_wanted.then(|| format!("no call for {:?}", facts.problems[0]));
    }
    let text = match send_all((&source.name, source.language), &case.base, &facts.calls) {
        Ok(text) => text,
        Err(message) => return Some(message),
    };
    if !case.is_wanted || is_same_but_for_blanks(&text, &case.after) {
        return None;
    }
    let first = lines(&text).zip(lines(&case.after)).find(|(one, other)| one != other);
    Some(format!("the calls make something else, at {first:?}: {:?}", facts.calls))
}

/// The text after all calls.
pub fn send_all(
    file: (&str, LanguageId),
    base: &str,
    calls: &[ReadyCall],
) -> Result<String, String> {
    let mut text = base.to_owned();
    for call in calls {
        text = send(file, &text, call).map_err(|message| format!("{message}: {call:?}"))?;
    }
    Ok(text)
}

/// Whether two texts differ in blank lines and line ends alone.
pub fn is_same_but_for_blanks(one: &str, other: &str) -> bool {
    lines(one).eq(lines(other))
}

/// Lines that are not blank, without their ends.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty())
}

fn send(
    (name, language): (&str, LanguageId),
    text: &str,
    call: &ReadyCall,
) -> Result<String, String> {
    match call {
        ReadyCall::Symbol(call) => {
            let edit = SymbolEdit {
                symbol: call.symbol.clone(),
                overload: call.overload,
                expect: None,
                action: action(call)?,
            };
            let plan = plan_edit(language, text.as_bytes(), &edit)
                .map_err(|refusal| format!("the call is refused: {refusal}"))?;
            Ok(String::from_utf8(plan.after).unwrap())
        }
        ReadyCall::Read { .. } => Ok(text.to_owned()),
        ReadyCall::Text { old, new, .. } => {
            if text.matches(old.as_str()).count() != 1 {
                return Err("the text does not stand there once".to_owned());
            }
            let after = text.replacen(old.as_str(), new, 1);
            let edit = TextEdit { old: old.clone(), new: new.clone(), replace_all: false };
            let (base, result) = (Some(text.as_bytes()), Some(after.as_bytes()));
            let facts = structure_facts(name, base, result, &Intent::Edit(vec![edit]));
            match facts.problems.first() {
                None => Ok(after),
                Some(problem) => Err(format!("the text call is refused: {problem:?}")),
            }
        }
    }
}

fn action(call: &SymbolCall) -> Result<SymbolAction, String> {
    let body = || call.body.clone().ok_or("no body");
    Ok(match call.action {
        EditShape::Remove => SymbolAction::Remove,
        EditShape::Replace if call.whole => SymbolAction::ReplaceWhole { body: body()? },
        EditShape::Replace => SymbolAction::Replace { body: body()? },
        EditShape::Insert => {
            let position = match call.position.as_deref() {
                Some("before") => Position::Before,
                Some("first") => Position::First,
                Some("last") => Position::Last,
                _ => Position::After,
            };
            SymbolAction::Insert { position, body: body()? }
        }
    })
}
