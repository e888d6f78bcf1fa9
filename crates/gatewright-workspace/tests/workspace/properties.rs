//! Laws over random trees and change sets: apply then undo is the identity.

use std::collections::BTreeMap;

use gatewright_model::{FileChange, FileMode, FileState};
use proptest::prelude::*;

use crate::fixture::*;

const NAMES: [&str; 9] = [
    "a.txt",
    "b.txt",
    "d/a.txt",
    "d/b.txt",
    "d/e/c.txt",
    "f/g/h/i.txt",
    "f/x.txt",
    "n\u{e9}.txt",
    "sp ace.txt",
];

fn file() -> impl Strategy<Value = FileState> {
    let content = prop_oneof![
        "[a-z]{0,40}(\r\n[a-z]{0,20}){0,3}",
        "([a-z ]{0,60}\n){0,30}",
        Just(String::new()),
    ];
    let mode = prop_oneof![Just(0o644), Just(0o600), Just(0o755), Just(0o640), Just(0o400)];
    (content, mode)
        .prop_map(|(content, mode)| FileState::new(content.into_bytes(), FileMode::from_bits(mode)))
}

type Files = BTreeMap<&'static str, FileState>;

fn files() -> impl Strategy<Value = Files> {
    proptest::collection::btree_map(proptest::sample::select(&NAMES[..]), file(), 0..7)
}

fn lay_out(scratch: &Scratch, files: &Files) {
    for (name, state) in files {
        let path = scratch.put(name, std::str::from_utf8(&state.content).unwrap());
        set_mode(&path, state.mode.bits());
    }
}

fn changes(before: &Files, after: &Files) -> Vec<FileChange> {
    let names = NAMES.iter().filter(|name| before.get(*name) != after.get(*name));
    names
        .map(|name| change_from(name, before.get(name).cloned(), after.get(name).cloned()))
        .collect()
}

fn config(default: u64) -> ProptestConfig {
    let cases = u32::try_from(cases(default)).unwrap();
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn apply_then_undo_is_the_identity(before in files(), after in files()) {
        let scratch = Scratch::new();
        lay_out(&scratch, &before);
        let workspace = scratch.open();
        let tree = scratch.tree();
        let changes = changes(&before, &after);
        prop_assume!(!changes.is_empty());
        let applied = apply(&workspace, changes).unwrap();
        for (name, state) in &after {
            let now = workspace.read(&requested(name), 1 << 20).unwrap();
            prop_assert_eq!(now.as_ref(), Some(state));
        }
        undo(&workspace, &applied.snapshot);
        prop_assert_eq!(scratch.tree(), tree);
        prop_assert_eq!(scratch.journal(), Vec::<String>::new());
    }

    #[test]
    fn a_failed_commit_is_the_identity(before in files(), after in files()) {
        let scratch = Scratch::new();
        lay_out(&scratch, &before);
        let workspace = scratch.open();
        let tree = scratch.tree();
        let approved = approved(&workspace, changes(&before, &after)).unwrap();
        let outcome = workspace.apply(approved, transaction(), |_| Err("no"));
        prop_assert!(outcome.is_err());
        prop_assert_eq!(scratch.tree(), tree);
    }
}
