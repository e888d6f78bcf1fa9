//! The edges between our crates, and who may use what from outside.

use std::collections::BTreeSet;

use crate::metadata::Graph;

/// What each crate of ours uses of ours, exactly, in production.
const EDGES: [(&str, &[&str]); 10] = [
    ("gatewright-model", &[]),
    ("gatewright-guards", &["gatewright-model"]),
    ("gatewright-languages", &["gatewright-model"]),
    ("gatewright-workspace", &["gatewright-guards", "gatewright-model"]),
    ("gatewright-ledger", &["gatewright-model"]),
    (
        "gatewright-engine",
        &[
            "gatewright-guards",
            "gatewright-languages",
            "gatewright-ledger",
            "gatewright-model",
            "gatewright-workspace",
        ],
    ),
    ("gatewright-server", &["gatewright-engine", "gatewright-model"]),
    ("gatewright-cli", &["gatewright-engine", "gatewright-model", "gatewright-server"]),
    ("gatewright-testkit", &[]),
    ("xtask", &[]),
];

/// Packages from outside and the only crates of ours that may name them.
/// A name that ends in `*` stands for all that start so.
const OWNERS: [(&str, &[&str]); 16] = [
    ("axum*", &["gatewright-server"]),
    ("cap-*", &["gatewright-workspace"]),
    ("clap*", &["gatewright-cli"]),
    ("ed25519-dalek", &["gatewright-ledger"]),
    ("hyper*", &["gatewright-server"]),
    ("landlock", &["gatewright-workspace"]),
    ("oxc_resolver", &["gatewright-languages"]),
    ("postgres*", &["gatewright-ledger"]),
    ("rmcp*", &["gatewright-server"]),
    ("rusqlite", &["gatewright-ledger"]),
    ("rustix", &["gatewright-languages", "gatewright-ledger", "gatewright-workspace"]),
    ("sqlx*", &["gatewright-ledger"]),
    ("tokio*", &["gatewright-server"]),
    ("tower*", &["gatewright-server"]),
    ("tree-sitter*", &["gatewright-languages"]),
    ("xattr", &["gatewright-workspace"]),
];

/// The crates that decide and do no IO.
pub const PURE: [&str; 2] = ["gatewright-model", "gatewright-guards"];

/// What the pure crates must not reach by any way.
const IO_PACKAGES: [&str; 26] = [
    "async-io",
    "async-std",
    "cap-*",
    "chrono",
    "getrandom",
    "ignore",
    "jiff",
    "landlock",
    "mio",
    "nix",
    "notify",
    "postgres*",
    "rand",
    "rayon",
    "reqwest",
    "rusqlite",
    "rustix",
    "smol",
    "socket2",
    "sqlx*",
    "tempfile",
    "time",
    "tokio*",
    "tree-sitter*",
    "walkdir",
    "xattr",
];

/// Every way in which the graph differs from the design.
pub fn check(graph: &Graph) -> Vec<String> {
    let mut found = Vec::new();
    for member in &graph.members {
        found.extend(check_edges(graph, member));
        found.extend(check_owners(graph, member));
    }
    for pure in PURE {
        if let Some(way) = graph.way_to(pure, &|name| matches_any(name, &IO_PACKAGES)) {
            found.push(format!("{pure} must do no IO, but reaches {}", way.join(" -> ")));
        }
    }
    found
}

fn check_edges(graph: &Graph, member: &str) -> Vec<String> {
    let Some((_, designed)) = EDGES.iter().find(|(name, _)| *name == member) else {
        return vec![format!("{member} is not in the design; add it to the table on purpose")];
    };
    let ours =
        |dev| graph.direct(member, dev).into_iter().filter(|name| graph.members.contains(*name));
    let designed: BTreeSet<&str> = designed.iter().copied().collect();
    let actual: BTreeSet<&str> = ours(false).collect();
    let added = actual.difference(&designed).map(|to| format!("{member} must not use {to}"));
    let missing = designed.difference(&actual).map(|to| format!("{member} no longer uses {to}"));
    // Tests may look at what lies below, and at the test support.
    let in_tests = ours(true)
        .filter(|to| {
            *to != "gatewright-testkit" && !designed.contains(to) && PURE.contains(&member)
        })
        .map(|to| format!("the tests of {member} must not use {to}"));
    added.chain(missing).chain(in_tests).collect()
}

fn check_owners(graph: &Graph, member: &str) -> Vec<String> {
    graph
        .direct(member, false)
        .into_iter()
        .flat_map(|used| {
            OWNERS
                .iter()
                .filter(move |(name, _)| matches(used, name))
                .map(move |owner| (used, owner))
        })
        .filter(|(_, (_, owners))| !owners.contains(&member) && member != "xtask")
        .map(|(used, (_, owners))| {
            format!("{member} must not use {used}: only {} may", owners.join(", "))
        })
        .collect()
}

fn matches_any(name: &str, patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| matches(name, pattern))
}

fn matches(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Edge;

    /// The graph as designed, plus these edges.
    fn graph(extra: &[(&str, &str, bool)]) -> Graph {
        let mut graph = Graph::default();
        for (member, used) in EDGES {
            graph.members.insert(member.to_owned());
            let edges = used.iter().map(|to| Edge { to: (*to).to_owned(), dev: false });
            graph.edges.insert(member.to_owned(), edges.collect());
        }
        for (from, to, dev) in extra {
            let edge = Edge { to: (*to).to_owned(), dev: *dev };
            graph.edges.entry((*from).to_owned()).or_default().push(edge);
        }
        graph
    }

    #[test]
    fn the_design_holds() {
        assert_eq!(check(&graph(&[])), Vec::<String>::new());
    }

    #[test]
    fn an_arrow_against_the_design_is_found() {
        let found = check(&graph(&[("gatewright-ledger", "gatewright-workspace", false)]));
        assert_eq!(found, ["gatewright-ledger must not use gatewright-workspace"]);
    }

    #[test]
    fn a_missing_arrow_is_found() {
        let mut graph = graph(&[]);
        graph.edges.insert("gatewright-guards".to_owned(), Vec::new());
        assert_eq!(check(&graph), ["gatewright-guards no longer uses gatewright-model"]);
    }

    #[test]
    fn io_behind_a_third_party_is_found() {
        let found = check(&graph(&[
            ("gatewright-guards", "innocent", false),
            ("innocent", "tokio-util", false),
        ]));
        assert_eq!(
            found,
            [
                "gatewright-guards must do no IO, but reaches gatewright-guards -> innocent -> tokio-util"
            ]
        );
    }

    #[test]
    fn io_in_tests_is_allowed() {
        let found = check(&graph(&[("gatewright-guards", "tempfile", true)]));
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn a_package_stays_with_its_owner() {
        let found = check(&graph(&[
            ("gatewright-engine", "rusqlite", false),
            ("gatewright-ledger", "rusqlite", false),
            ("gatewright-languages", "tree-sitter-rust", false),
        ]));
        assert_eq!(found, ["gatewright-engine must not use rusqlite: only gatewright-ledger may"]);
    }
}
