//! The names that come with .NET: namespaces, types, members, extension methods.
//!
//! Types are kept by their simple name, whatever the namespace: a name that
//! exists anywhere is never called missing.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// The public names of .NET.
#[derive(Debug, Default)]
pub(super) struct Framework {
    /// Namespaces and all their prefixes.
    pub(super) namespaces: HashSet<String>,
    types: HashMap<&'static str, Vec<Known>>,
    pub(super) extensions: HashSet<&'static str>,
    /// The namespace of the line being read.
    current: &'static str,
}

/// One type.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) namespace: &'static str,
    pub(super) bases: Vec<&'static str>,
    /// `None` when the members are not in the table.
    pub(super) members: Option<HashSet<&'static str>>,
}

impl Framework {
    /// The table, read once.
    pub(super) fn get() -> &'static Framework {
        static TABLE: OnceLock<Framework> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut table = Framework::default();
            for text in [
                include_str!("members.txt"),
                include_str!("desktop.txt"),
                include_str!("types.txt"),
                include_str!("testing.txt"),
            ] {
                for line in text.lines() {
                    table.line(line);
                }
            }
            table
        })
    }

    /// Whether a namespace of that first name is known, whatever the case of its letters.
    pub(super) fn has_root(&self, root: &str) -> bool {
        self.namespaces.iter().any(|name| name.eq_ignore_ascii_case(root))
    }

    /// All types of a name.
    pub(super) fn types(&self, name: &str) -> &[Known] {
        self.types.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether any type has a member.
    pub(super) fn has_member(&self, name: &str) -> bool {
        let mut known = self.types.values().flatten().filter_map(|known| known.members.as_ref());
        known.any(|members| members.contains(name))
    }

    fn line(&mut self, line: &'static str) {
        let rest = line.get(1..).unwrap_or_default();
        match line.as_bytes().first() {
            Some(b'#') | None => {}
            Some(b'@') => {
                self.current = rest;
                let ends = rest.match_indices('.').map(|(index, _)| index).chain([rest.len()]);
                self.namespaces.extend(ends.map(|end| rest[..end].to_owned()));
            }
            Some(b'~') => {
                for name in rest.split(' ') {
                    let (namespace, bases) = (self.current, Vec::new());
                    self.add(name, Known { namespace, bases, members: None });
                }
            }
            Some(b'+') => self.extensions.extend(rest.split(' ')),
            Some(_) => self.full(line),
        }
    }

    fn full(&mut self, line: &'static str) {
        let mut words = line.split(' ');
        let Some((name, bases)) = words.next().and_then(|head| head.split_once(':')) else {
            return;
        };
        let bases = bases.split(',').filter(|base| !base.is_empty()).collect();
        let namespace = self.current;
        self.add(name, Known { namespace, bases, members: Some(words.collect()) });
    }

    fn add(&mut self, name: &'static str, known: Known) {
        self.types.entry(name).or_default().push(known);
    }
}
