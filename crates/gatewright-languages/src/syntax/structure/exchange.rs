//! Definitions that exchange their names while each keeps its place.
//!
//! No definition can take a name that another one still has. One of them gets a
//! name that nothing has, the others theirs, and it gets its own at the end.

use gatewright_model::{ReadyCall, SymbolCall};

use super::calls::{own_text, replacement, try_call, with_indentation};
use super::levels::{Pairing, Step, steps};
use super::{Versions, leftovers};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The most definitions that are followed.
const MOST: usize = 12;

/// The calls that make the result where every definition stays in its place.
pub(super) fn calls(versions: &Versions<'_>) -> Option<Vec<ReadyCall>> {
    let steps = steps(&versions.before, &versions.after, Pairing::ByPlace);
    if steps.len() > MOST {
        return None;
    }
    let mut round = Round { versions, now: None, calls: Vec::new() };
    let mut waiting = Vec::new();
    for step in &steps {
        let Step::Replace { old, new } = step else { return None };
        let is_taken = old.path != new.path && round.has(new);
        if !is_taken {
            round.replace(old, own_text(&versions.after, new))?;
            continue;
        }
        let (name, text) = under_a_free_name(versions, new)?;
        round.replace(old, text)?;
        waiting.push((name, *new));
    }
    for (name, new) in waiting {
        let old = round.now().outline().iter().find(|symbol| symbol.name.contains(&name))?.clone();
        round.replace(&old, own_text(&versions.after, new))?;
    }
    let rest = leftovers::calls(versions, round.now())?;
    round.calls.extend(rest);
    (!round.calls.is_empty()).then_some(round.calls)
}

/// The calls so far and the text that they make.
struct Round<'a> {
    versions: &'a Versions<'a>,
    now: Option<Parsed>,
    calls: Vec<ReadyCall>,
}

impl Round<'_> {
    fn now(&self) -> &Parsed {
        self.now.as_ref().unwrap_or(&self.versions.before)
    }

    fn has(&self, symbol: &Symbol) -> bool {
        self.now().outline().iter().any(|known| known.path == symbol.path)
    }

    fn replace(&mut self, symbol: &Symbol, text: String) -> Option<()> {
        let call = replacement(self.versions, symbol, text, true);
        let plain = SymbolCall { whole: false, ..call.clone() };
        let length = call.body.as_ref().map_or(0, String::len);
        let before = with_indentation(self.now(), symbol.full).len();
        let fits =
            |result: &Parsed| result.source().len() + before == self.now().source().len() + length;
        let (call, result) = [plain, call].into_iter().find_map(|call| {
            let result = try_call(self.now(), &call)?;
            fits(&result).then_some((call, result))
        })?;
        self.calls.push(ReadyCall::Symbol(call));
        self.now = Some(result);
        Some(())
    }
}

/// All the text of a symbol of the result with a name in it that neither text has.
fn under_a_free_name(versions: &Versions<'_>, symbol: &Symbol) -> Option<(String, String)> {
    let name = versions.after.text(symbol.name_span);
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_plain {
        return None;
    }
    let is_free = |name: &String| {
        let has =
            |parsed: &Parsed| memchr::memmem::find(parsed.source(), name.as_bytes()).is_some();
        !has(&versions.before) && !has(&versions.after)
    };
    let free = (0..MOST).map(|tail| format!("{name}_{}", "x".repeat(tail))).find(is_free)?;
    let start = with_indentation(&versions.after, symbol.full).start;
    let mut text = own_text(&versions.after, symbol);
    let place =
        symbol.name_span.start.checked_sub(start)?..symbol.name_span.end.checked_sub(start)?;
    text.get(place.clone())?;
    text.replace_range(place, &free);
    Some((free, text))
}
