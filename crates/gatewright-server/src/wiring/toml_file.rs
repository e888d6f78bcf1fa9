//! The MCP entry in Codex's `config.toml`; all else stays as it is.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, value};

const SERVERS: &str = "mcp_servers";
const NAME: &str = "gatewright";
/// Codex starts servers without these, and the state would be another one than the hook's.
const PASSED_ON: [&str; 2] = ["XDG_CONFIG_HOME", "XDG_STATE_HOME"];

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
    if ours.get("command").and_then(Item::as_str) != Some(program) {
        ours.insert("command", value(program));
    }
    set_words(ours, "args", &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    set_words(ours, "env_vars", &PASSED_ON);
    Ok(document.to_string())
}

/// Sets a list of words, unless it is that list already.
fn set_words(table: &mut dyn TableLike, name: &str, wanted: &[&str]) {
    let now = table.get(name).and_then(Item::as_array);
    let now = now.map(|array| array.iter().map(|word| word.as_str()).collect::<Vec<_>>());
    if now != Some(wanted.iter().copied().map(Some).collect()) {
        table.insert(name, value(wanted.iter().copied().collect::<Array>()));
    }
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
