//! The call to make instead of a refused edit, as programs and agents read it.

use gatewright_model::{ReadyCall, SymbolCall};
use serde_json::{Value, json};

/// A tool with its arguments, ready to send.
pub fn to_json(call: &ReadyCall) -> Value {
    match call {
        ReadyCall::Symbol(call) => {
            json!({ "tool": "edit_code", "arguments": symbol_arguments(call) })
        }
        ReadyCall::Text { path, old, new } => json!({
            "tool": "edit_file",
            "arguments": { "path": path, "old_string": old, "new_string": new },
        }),
        ReadyCall::Read { path, .. } => {
            json!({ "tool": "read_file", "arguments": { "path": path } })
        }
    }
}

/// Only what the call needs: a client may refuse a null.
fn symbol_arguments(call: &SymbolCall) -> Value {
    let mut arguments = json!({
        "symbol": call.symbol, "path": call.path, "action": call.action.action(),
    });
    if let Some(overload) = call.overload {
        arguments["overload"] = json!(overload);
    }
    if let Some(position) = &call.position {
        arguments["position"] = json!(position);
    }
    if let Some(body) = &call.body {
        arguments["body"] = json!(body);
    }
    if call.whole {
        arguments["whole"] = json!(true);
    }
    arguments
}

/// One line for people: the tool, and what it is for.
pub fn in_words(call: &ReadyCall) -> String {
    match call {
        ReadyCall::Symbol(call) => format!(
            "edit_code(symbol={:?}, path={:?}, action={:?})",
            call.symbol,
            call.path,
            call.action.action()
        ),
        ReadyCall::Text { path, old, .. } => {
            let first = old.lines().map(str::trim).find(|line| !line.is_empty());
            let first: String = first.unwrap_or_default().chars().take(60).collect();
            format!("edit_file(path={path:?}, old_string={first:?} …)")
        }
        ReadyCall::Read { path, .. } => format!("read_file(path={path:?})"),
    }
}

#[cfg(test)]
mod tests {
    use gatewright_model::EditShape;

    use super::*;

    #[test]
    fn a_call_names_only_what_it_needs() {
        let call = ReadyCall::Symbol(SymbolCall {
            symbol: "a".to_owned(),
            overload: None,
            path: "a.py".to_owned(),
            action: EditShape::Remove,
            position: None,
            whole: false,
            body: None,
        });
        let arguments = json!({ "symbol": "a", "path": "a.py", "action": "remove" });
        assert_eq!(to_json(&call), json!({ "tool": "edit_code", "arguments": arguments }));
    }
}
