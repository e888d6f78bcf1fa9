//! The exceptions, each with a reason.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::Untidy;
use crate::failure::Failure;

const ALLOW_FILE: &str = "xtask/tidy-allow.toml";

#[derive(Debug)]
struct Entry {
    rule: String,
    path: String,
    name: Option<String>,
}

impl Entry {
    fn covers(&self, untidy: &Untidy) -> bool {
        let in_place = match self.path.strip_suffix("/**") {
            Some(directory) => untidy.path.starts_with(&format!("{directory}/")),
            None => untidy.path == self.path,
        };
        in_place
            && self.rule == untidy.rule
            && self.name.as_ref().is_none_or(|name| *name == untidy.name)
    }
}

/// The list of `xtask/tidy-allow.toml`.
#[derive(Debug)]
pub struct AllowList {
    entries: Vec<Entry>,
}

impl AllowList {
    /// Reads the list; an entry without rule, path and reason is an error.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(Failure::io("read", path))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, Failure> {
        let bad = |why: String| Failure::unexpected(format!("{ALLOW_FILE}: {why}"));
        let table: Table = text.parse().map_err(|error| bad(format!("{error}")))?;
        let rows = table.get("allow").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut entries = Vec::new();
        for row in rows {
            let field = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
            match (field("rule"), field("path"), field("reason")) {
                (Some(rule), Some(path), Some(reason)) if !reason.is_empty() => {
                    entries.push(Entry { rule, path, name: field("name") });
                }
                _ => return Err(bad(format!("an entry needs rule, path and reason: {row}"))),
            }
        }
        Ok(Self { entries })
    }

    /// What is left of `found`, and every entry that covers nothing.
    pub fn filter(&self, found: Vec<Untidy>) -> Vec<Untidy> {
        let stale = self
            .entries
            .iter()
            .filter(|entry| !found.iter().any(|untidy| entry.covers(untidy)))
            .map(|entry| Untidy {
                rule: "stale-exception",
                path: ALLOW_FILE.to_owned(),
                line: 1,
                name: entry.path.clone(),
                message: format!("{} no longer needs {:?}; remove it", entry.path, entry.rule),
            })
            .collect::<Vec<_>>();
        let open = |untidy: &Untidy| !self.entries.iter().any(|entry| entry.covers(untidy));
        found.into_iter().filter(open).chain(stale).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untidy(path: &str, name: &str) -> Untidy {
        Untidy {
            rule: "long-function",
            path: path.to_owned(),
            line: 3,
            name: name.to_owned(),
            message: String::new(),
        }
    }

    const LIST: &str = "
        [[allow]]
        rule = 'long-function'
        path = 'a.rs'
        name = 'table'
        reason = 'every row looks the same'
    ";

    #[test]
    fn an_exception_covers_its_place_only() {
        let list = AllowList::parse(LIST).expect("it parses");
        let found = vec![untidy("a.rs", "table"), untidy("a.rs", "other"), untidy("b.rs", "table")];
        let left = list.filter(found);
        assert_eq!(left, [untidy("a.rs", "other"), untidy("b.rs", "table")]);
    }

    #[test]
    fn an_unused_exception_is_untidy() {
        let list = AllowList::parse(LIST).expect("it parses");
        assert_eq!(list.filter(Vec::new())[0].rule, "stale-exception");
    }

    #[test]
    fn an_exception_needs_a_reason() {
        assert!(AllowList::parse("[[allow]]\nrule = 'x'\npath = 'y'\nreason = ''").is_err());
        assert!(AllowList::parse("[[allow]]\nrule = 'x'\npath = 'y'").is_err());
    }
}
