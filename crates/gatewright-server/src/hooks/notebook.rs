//! A notebook with one cell changed, as its host would leave it.

use gatewright_engine::Engine;
use gatewright_model::RequestedPath;
use serde::Serialize;
use serde_json::{Value, json};

use super::event::text;

const LIMIT: u64 = 16 * 1024 * 1024;

/// The text of a file of the workspace.
pub fn text_on_disk(engine: &Engine, path: &RequestedPath) -> Option<String> {
    let state = engine.workspace().read(path, LIMIT).ok().flatten()?;
    String::from_utf8(state.content.to_vec()).ok()
}

/// The notebook after the edit.
pub fn edited(before: &str, input: &Value) -> Result<String, String> {
    let mut notebook: Value =
        serde_json::from_str(before).map_err(|error| format!("the notebook is broken: {error}"))?;
    let cells = notebook.get_mut("cells").and_then(Value::as_array_mut);
    let cells = cells.ok_or("the notebook has no cells")?;
    let wanted = text(input, &["cell_id", "cellId"]);
    let number = input.get("cell_number").and_then(Value::as_u64);
    let index = match (&wanted, number) {
        (Some(id), _) => position(cells, id),
        (None, Some(number)) => usize::try_from(number).ok().filter(|at| *at < cells.len()),
        (None, None) => None,
    };
    let source = text(input, &["new_source", "newSource", "newCode"]).unwrap_or_default();
    let kind = text(input, &["cell_type", "cellType"]);
    let missing = || "the notebook has no such cell".to_owned();
    match text(input, &["edit_mode", "editMode", "editType"]).as_deref() {
        None | Some("replace" | "edit") => {
            let cell = &mut cells[index.ok_or_else(missing)?];
            cell["source"] = lines(&source);
            if let Some(kind) = kind {
                cell["cell_type"] = json!(kind);
            }
        }
        Some("insert") => {
            let at = match (wanted, index) {
                (Some(_), None) => return Err(missing()),
                (_, Some(index)) => index + 1,
                (None, None) => 0,
            };
            cells.insert(at, cell(kind.as_deref().unwrap_or("code"), &source));
        }
        Some("delete") => drop(cells.remove(index.ok_or_else(missing)?)),
        Some(other) => return Err(format!("the mode {other:?} is not known")),
    }
    print(&notebook)
}

/// Cells are named by their id, or by their number as `cell-N`.
fn position(cells: &[Value], id: &str) -> Option<usize> {
    let named = cells.iter().position(|cell| cell.get("id") == Some(&json!(id)));
    let numbered = || id.strip_prefix("cell-")?.parse().ok().filter(|at| *at < cells.len());
    named.or_else(numbered)
}

fn cell(kind: &str, source: &str) -> Value {
    let mut cell = json!({ "cell_type": kind, "metadata": {}, "source": lines(source) });
    if kind == "code" {
        cell["execution_count"] = Value::Null;
        cell["outputs"] = json!([]);
    }
    cell
}

fn lines(source: &str) -> Value {
    source.split_inclusive('\n').map(Value::from).collect()
}

/// One space of indentation, as notebooks have.
fn print(notebook: &Value) -> Result<String, String> {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
    notebook.serialize(&mut serializer).map_err(|error| error.to_string())?;
    out.push(b'\n');
    String::from_utf8(out).map_err(|error| error.to_string())
}
