//! What `cargo metadata` knows: packages, and who depends on whom.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::failure::Failure;
use crate::process;
use crate::setup::Setup;

/// A dependency of one package on another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The name of the package that is used.
    pub to: String,
    /// Whether only tests, examples and benches use it.
    pub dev: bool,
}

/// The packages of the build, by name. Two versions of one package are one node here.
#[derive(Debug, Default)]
pub struct Graph {
    /// The packages of this workspace.
    pub members: BTreeSet<String>,
    /// Who uses what, on this platform and with the features that are on.
    pub edges: BTreeMap<String, Vec<Edge>>,
}

impl Graph {
    /// Asks cargo.
    pub fn read() -> Result<Self, Failure> {
        let mut command = process::cargo(&Setup::locate()?);
        command.args(["metadata", "--format-version", "1", "--quiet", "--filter-platform"]);
        command.arg("x86_64-unknown-linux-gnu");
        let text = process::capture(&mut command)?;
        let value = serde_json::from_str(&text)
            .map_err(|error| Failure::unexpected(format!("cargo metadata: {error}")))?;
        Ok(Self::of(&value))
    }

    fn of(metadata: &Value) -> Self {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let names: BTreeMap<String, String> = list(&metadata["packages"])
            .iter()
            .map(|package| (text(&package["id"]), text(&package["name"])))
            .collect();
        let name = |id: &Value| names.get(&text(id)).cloned().unwrap_or_default();
        let mut graph = Self::default();
        graph.members.extend(list(&metadata["workspace_members"]).iter().map(name));
        for node in list(&metadata["resolve"]["nodes"]) {
            let edges = list(&node["deps"]).into_iter().map(|dependency| {
                let kinds = list(&dependency["dep_kinds"]);
                let dev = kinds.iter().all(|kind| kind["kind"] == "dev");
                Edge { to: name(&dependency["pkg"]), dev }
            });
            graph.edges.entry(name(&node["id"])).or_default().extend(edges);
        }
        graph
    }

    /// What `package` uses directly: in production, or in tests only.
    pub fn direct(&self, package: &str, dev: bool) -> BTreeSet<&str> {
        let edges = self.edges.get(package).into_iter().flatten();
        edges.filter(|edge| edge.dev == dev).map(|edge| edge.to.as_str()).collect()
    }

    /// A way from `package` to something `banned` without test-only edges, if there is one.
    pub fn way_to(&self, package: &str, banned: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
        let mut seen = BTreeSet::from([package.to_owned()]);
        let mut ways = vec![vec![package.to_owned()]];
        while let Some(way) = ways.pop() {
            let last = way.last().map_or("", String::as_str);
            for next in self.direct(last, false) {
                let mut longer = way.clone();
                longer.push(next.to_owned());
                if banned(next) {
                    return Some(longer);
                }
                if seen.insert(next.to_owned()) {
                    ways.push(longer);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn graph() -> Graph {
        let dep = |id: &str, kind: Value| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        Graph::of(&json!({
            "packages": [
                { "id": "1", "name": "model" },
                { "id": "2", "name": "serde" },
                { "id": "3", "name": "tokio" },
                { "id": "4", "name": "server" },
            ],
            "workspace_members": ["1", "4"],
            "resolve": { "nodes": [
                { "id": "1", "deps": [dep("2", Value::Null), dep("3", json!("dev"))] },
                { "id": "2", "deps": [dep("1", Value::Null)] },
                { "id": "3", "deps": [] },
                { "id": "4", "deps": [dep("2", Value::Null), dep("3", Value::Null)] },
            ] },
        }))
    }

    #[test]
    fn test_only_edges_lead_nowhere() {
        assert_eq!(graph().way_to("model", &|name| name == "tokio"), None);
        assert_eq!(graph().direct("model", true), BTreeSet::from(["tokio"]));
    }

    #[test]
    fn the_way_to_a_banned_package_is_shown() {
        let way = graph().way_to("server", &|name| name == "tokio");
        assert_eq!(way, Some(vec!["server".to_owned(), "tokio".to_owned()]));
        let way = graph().way_to("server", &|name| name == "model");
        assert_eq!(way.map(|way| way.join(" ")), Some("server serde model".to_owned()));
    }
}
