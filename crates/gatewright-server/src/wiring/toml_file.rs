//! The MCP entry in Codex's `config.toml`; all else stays as it is.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, value};

const SERVERS: &str = "mcp_servers";
const NAME: &str = "gatewright";

/// The text with our server in it.
pub fn install(text: &str, program: &str, arguments: &[String]) -> Result<String, String> {
    let mut document = parse(text)?;
    let servers = document.entry(SERVERS).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let is_inline = servers.is_inline_table();
    let servers = servers.as_table_like_mut().ok_or("mcp_servers is not a table")?;
    let ours = servers.entry(NAME).or_insert_with(|| match is_inline {
        true => value(InlineTable::new()),
        false => Item::Table(Table::new()),
    });
    let ours = ours.as_table_like_mut().ok_or("mcp_servers.gatewright is not a table")?;
    let wanted: Array = arguments.iter().map(String::as_str).collect();
    if ours.get("command").and_then(Item::as_str) != Some(program) {
        ours.insert("command", value(program));
    }
    let words = |array: &Array| -> Vec<String> {
        array.iter().map(|word| word.as_str().unwrap_or_default().to_owned()).collect()
    };
    if ours.get("args").and_then(Item::as_array).map(words).as_ref() != Some(&words(&wanted)) {
        ours.insert("args", value(wanted));
    }
    Ok(document.to_string())
}

/// The text without our server; `None` when nothing is left.
pub fn remove(text: &str) -> Result<Option<String>, String> {
    let mut document = parse(text)?;
    let Some(servers) = document.get_mut(SERVERS).and_then(Item::as_table_like_mut) else {
        return Ok(Some(text.to_owned()));
    };
    if servers.remove(NAME).is_none() {
        return Ok(Some(text.to_owned()));
    }
    if servers.is_empty() {
        document.remove(SERVERS);
    }
    let after = document.to_string();
    Ok(if after.trim().is_empty() { None } else { Some(after) })
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error: toml_edit::TomlError| error.to_string())
}
