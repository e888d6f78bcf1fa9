//! `server.json`, the entry for the MCP registry, keeps to the registry's form and to the program.

use std::path::{Path, PathBuf};

use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::Client;

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn json_of(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(repository().join(path)).unwrap()).unwrap()
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap_or_default()
}

/// A domain written backwards, a slash, and a name.
fn is_reverse_dns(name: &str) -> bool {
    let is_plain = |part: &str, more: &[char]| {
        let is_inner = |c: char| c.is_ascii_alphanumeric() || more.contains(&c);
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.ends_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(is_inner)
    };
    let Some((domain, own)) = name.split_once('/') else { return false };
    let labels: Vec<&str> = domain.split('.').collect();
    let is_domain = labels.len() >= 2 && labels.iter().all(|label| is_plain(label, &['-']));
    is_domain && is_plain(own, &['-', '_', '.']) && name.len() <= 200
}

/// What the schema asks of a transport; of a package's own, or of a server elsewhere.
fn transport_problem(transport: &Value, may_be_stdio: bool) -> Option<String> {
    let url = text(transport, "url");
    let is_url = url.starts_with("https://") || url.starts_with("http://") || url.starts_with('{');
    let is_good = match text(transport, "type") {
        "stdio" => may_be_stdio,
        "streamable-http" | "sse" => is_url && !url.contains(char::is_whitespace),
        _ => false,
    };
    (!is_good).then(|| format!("transport {transport}"))
}

fn package_problems(package: &Value) -> Vec<String> {
    let mut problems: Vec<String> =
        transport_problem(&package["transport"], true).into_iter().collect();
    let types = ["npm", "pypi", "nuget", "cargo", "oci", "mcpb"];
    if !types.contains(&text(package, "registryType")) || text(package, "identifier").is_empty() {
        problems.push(format!("package {package}"));
    }
    // The identifier of an image or of a bundle holds its version.
    let holds_version = matches!(text(package, "registryType"), "oci" | "mcpb");
    let version =
        if holds_version { text(package, "identifier") } else { text(package, "version") };
    if !version.contains(VERSION) || (!holds_version && version != VERSION) {
        problems.push(format!("package of another version {package}"));
    }
    let digest = text(package, "fileSha256");
    let is_digest =
        digest.len() == 64 && digest.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    if text(package, "registryType") == "mcpb" && !is_digest {
        problems.push(format!("bundle without its digest {package}"));
    }
    problems
}

/// What the registry would refuse, and what is not true of this program.
fn problems(entry: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let mut ask = |is_good: bool, field: &str| {
        if !is_good {
            problems.push(format!("{field} {}", entry[field]));
        }
    };
    ask(text(entry, "$schema") == SCHEMA, "$schema");
    ask(is_reverse_dns(text(entry, "name")), "name");
    ask((1..=100).contains(&text(entry, "title").chars().count()), "title");
    ask((1..=100).contains(&text(entry, "description").chars().count()), "description");
    ask(text(entry, "version") == VERSION, "version");
    ask(text(entry, "websiteUrl").starts_with("https://"), "websiteUrl");
    let source = &entry["repository"];
    ask(text(source, "url").starts_with("https://") && source["source"] == "github", "repository");
    // The registry lets nobody speak for an owner but the owner.
    let owner = text(source, "url").split('/').nth(3).unwrap_or_default();
    ask(text(entry, "name").starts_with(&format!("io.github.{owner}/")), "name");
    let list = |field: &str| entry[field].as_array().cloned().unwrap_or_default();
    problems.extend(list("packages").iter().flat_map(package_problems));
    problems.extend(list("remotes").iter().filter_map(|remote| transport_problem(remote, false)));
    problems
}

#[tokio::test(flavor = "multi_thread")]
async fn the_registry_entry_has_the_form_and_the_version_of_the_program() {
    let entry = json_of("server.json");
    assert_eq!(problems(&entry), [""; 0]);
    let scratch = Scratch::new();
    let info = Client::connect(&scratch, Mode::Hybrid).initialize("2025-06-18").await;
    let info = &info["result"]["serverInfo"];
    assert_eq!(info["version"], entry["version"]);
    assert!(text(&entry, "name").ends_with(&format!("/{}", text(info, "name"))), "{info}");
    let plugin = json_of("integrations/claude-code/.claude-plugin/plugin.json");
    assert_eq!(plugin["version"], entry["version"]);
    assert_eq!(plugin["repository"], entry["repository"]["url"]);
}

/// A name that nobody has taken yet is for the first who takes it.
#[test]
fn the_registry_entry_names_no_package_that_is_not_published() {
    let manifest = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let is_published = !manifest.lines().any(|line| line.trim() == "publish = false");
    let entry = json_of("server.json");
    let is_named = ["packages", "remotes"].iter().any(|field| entry.get(field).is_some());
    assert_eq!(is_named, is_published, "server.json and `publish` in Cargo.toml go together");
}

#[test]
fn an_entry_that_the_registry_would_refuse_is_found_out() {
    let good = json!({"registryType": "cargo", "identifier": "a", "version": VERSION, "transport": {"type": "stdio"}});
    let mut entry = json_of("server.json");
    entry["packages"] = json!([good]);
    entry["remotes"] = json!([{"type": "streamable-http", "url": "https://example.com/mcp"}]);
    assert_eq!(problems(&entry), [""; 0]);
    let other = |field: &str, value: Value| {
        let mut other = entry.clone();
        *other.pointer_mut(field).unwrap_or_else(|| panic!("{field}")) = value;
        other
    };
    let bad = [
        ("/name", json!("gatewright")),
        ("/name", json!("io.github.gatewright/gate/wright")),
        ("/name", json!("io..gatewright/gatewright")),
        ("/name", json!("io.github.somebody/gatewright")),
        ("/description", json!("x".repeat(101))),
        ("/description", json!("")),
        ("/version", json!("0.0.0")),
        ("/version", json!("latest")),
        ("/repository", json!({})),
        ("/packages/0/version", json!("^0.1.0")),
        ("/packages/0/transport", json!({})),
        ("/packages/0/transport", json!({"type": "streamable-http"})),
        ("/packages/0/registryType", json!("brew")),
        ("/packages/0/registryType", json!("mcpb")),
        ("/remotes/0/type", json!("stdio")),
    ];
    for (field, value) in bad {
        assert!(!problems(&other(field, value.clone())).is_empty(), "{field} {value}");
    }
}
