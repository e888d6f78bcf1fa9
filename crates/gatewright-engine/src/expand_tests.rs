//! What a request has seen stands for the disk at that path, and nowhere else.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files")]

use std::fs;

use gatewright_guards::egress::{Catalogue, RedactionContext};
use gatewright_workspace::WorkspaceOptions;

use super::*;

fn write(path: &str, base: Base) -> Operation {
    Operation::Write { path: RequestedPath::new(path), content: b"new\n".to_vec(), base }
}

#[test]
fn only_the_path_that_was_seen_is_not_looked_at_again() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    for name in ["a.txt", "b.txt"] {
        fs::write(root.join(name), "old\n").unwrap();
    }
    let options = WorkspaceOptions::new(root.clone(), folder.path().join("state"));
    let workspace = Workspace::open(options).unwrap();
    let redactor = Redactor::new(Catalogue::built_in(), RedactionContext::default());
    let (facts, file) = workspace.look(&RequestedPath::new("a.txt"), READ_LIMIT);
    let seen = Seen { facts, file };
    for name in ["a.txt", "b.txt"] {
        fs::write(root.join(name), "changed meanwhile\n").unwrap();
    }
    let pending = PendingFiles::new();
    let sources = Sources {
        workspace: &workspace,
        pending: &pending,
        redactor: &redactor,
        seen: Some(&seen),
    };
    let old = Base::Digest(Digest::of(b"old\n"));
    let (change_set, paths) = expand(&[write("a.txt", old)], sources).unwrap();
    assert_eq!(change_set.changes[0].base_digest(), Some(Digest::of(b"old\n")));
    assert_eq!(paths.first(), Some(&seen.facts));
    assert!(expand(&[write("b.txt", old)], sources).is_err(), "it changed");
    let unseen = Sources { seen: None, ..sources };
    assert!(expand(&[write("a.txt", old)], unseen).is_err(), "it changed");
}
