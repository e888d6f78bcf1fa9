//! The call to make instead of a refused edit, as programs and agents read it.

use gatewright_model::{EditShape, ReadyCall, SymbolCall};
use serde_json::{Value, json};

use crate::hooks::quoted;

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

/// One call that does all of these, in their order, where there can be one; else the first of them.
pub fn joined(calls: &[ReadyCall]) -> Option<Value> {
    let (first, rest) = calls.split_first()?;
    let mut joined = to_json(first);
    let symbol = match first {
        ReadyCall::Symbol(symbol) => symbol,
        ReadyCall::Text { path, .. } => return Some(batch(path, calls).unwrap_or(joined)),
        ReadyCall::Read { .. } => return Some(joined),
    };
    let steps: Option<Vec<Value>> = rest.iter().map(|call| step(call, &symbol.path)).collect();
    if let Some(steps) = steps.filter(|steps| !steps.is_empty()) {
        joined["arguments"]["then"] = Value::Array(steps);
    }
    Some(joined)
}

/// Several text edits of one file as one call.
fn batch(file: &str, calls: &[ReadyCall]) -> Option<Value> {
    let edits: Option<Vec<Value>> = calls
        .iter()
        .map(|call| match call {
            ReadyCall::Text { .. } => step(call, file),
            ReadyCall::Symbol(_) | ReadyCall::Read { .. } => None,
        })
        .collect();
    let edits = edits.filter(|edits| edits.len() > 1)?;
    Some(json!({ "tool": "edit_file", "arguments": { "path": file, "edits": edits } }))
}

/// A call as a further step of one that edits the same file.
fn step(call: &ReadyCall, file: &str) -> Option<Value> {
    match call {
        ReadyCall::Symbol(call) if call.path == file => {
            let mut step = symbol_arguments(call);
            step.as_object_mut()?.remove("path");
            Some(step)
        }
        ReadyCall::Text { path, old, new } if path == file => {
            Some(json!({ "old_string": old, "new_string": new }))
        }
        _ => None,
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

/// The command line that makes the call, ready for a shell: every text is quoted whole.
pub fn to_shell(program: &str, call: &ReadyCall) -> String {
    let quoted = |text: &str| quoted(&[text]);
    match call {
        ReadyCall::Symbol(call) => {
            let mut line = format!(
                "{program} edit-code {} {} --action {}",
                quoted(&call.symbol),
                quoted(&call.path),
                call.action.action()
            );
            if let Some(overload) = call.overload {
                line.push_str(&format!(" --overload {overload}"));
            }
            if let Some(position) = &call.position {
                line.push_str(&format!(" --position {position}"));
            }
            if call.whole {
                line.push_str(" --whole");
            }
            match &call.body {
                Some(body) => line.push_str(&format!(" --body={}", quoted(body))),
                None if call.action != EditShape::Remove => line.push_str(UNKNOWN_BODY),
                None => {}
            }
            line
        }
        ReadyCall::Text { path, old, new } => format!(
            "{program} edit-file {} --old={} --new={}",
            quoted(path),
            quoted(old),
            quoted(new)
        ),
        ReadyCall::Read { path, .. } => format!("{program} read {}", quoted(path)),
    }
}

/// Where the new text is not known: a here-document, to be filled in.
const UNKNOWN_BODY: &str = " --body-from - <<'BODY'\n(the new text of the symbol)\nBODY";

#[cfg(test)]
mod tests {
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

    #[test]
    fn several_calls_on_one_file_are_one() {
        let symbol = |name: &str, path: &str| {
            ReadyCall::Symbol(SymbolCall {
                symbol: name.to_owned(),
                overload: None,
                path: path.to_owned(),
                action: EditShape::Remove,
                position: None,
                whole: false,
                body: None,
            })
        };
        let text = ReadyCall::Text {
            path: "a.py".to_owned(),
            old: "import a\n".to_owned(),
            new: String::new(),
        };
        let texts = [text.clone(), text.clone()];
        let edit = json!({ "old_string": "import a\n", "new_string": "" });
        let arguments = json!({ "path": "a.py", "edits": [edit, edit] });
        let batch = json!({ "tool": "edit_file", "arguments": arguments });
        assert_eq!(joined(&texts), Some(batch));
        assert_eq!(joined(&texts[..1]), Some(to_json(&text)));
        let calls = [symbol("a", "a.py"), symbol("b", "a.py"), text];
        let then = json!([
            { "symbol": "b", "action": "remove" },
            { "old_string": "import a\n", "new_string": "" },
        ]);
        let arguments = json!({ "symbol": "a", "path": "a.py", "action": "remove", "then": then });
        assert_eq!(joined(&calls).unwrap()["arguments"], arguments);
        let apart = joined(&[symbol("a", "a.py"), symbol("b", "b.py")]).unwrap();
        assert_eq!(apart["arguments"].get("then"), None);
    }

    #[test]
    fn a_command_line_holds_every_text_as_it_is() {
        let body = "def a():\n    return '$HOME' + \"`x`\" \\\n".to_owned();
        let call = SymbolCall {
            symbol: "A/it's".to_owned(),
            overload: Some(2),
            path: "a b.py".to_owned(),
            action: EditShape::Replace,
            position: None,
            whole: true,
            body: Some(body.clone()),
        };
        let line = to_shell("gatewright", &ReadyCall::Symbol(call));
        let expected = "gatewright edit-code 'A/it'\\''s' 'a b.py' --action replace --overload 2 \
                        --whole --body='def a():\n    return '\\''$HOME'\\'' + \"`x`\" \\\n'";
        assert_eq!(line, expected);
    }
}
