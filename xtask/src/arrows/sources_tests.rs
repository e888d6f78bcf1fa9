//! What the source scan must find, and what it must leave alone.

use super::*;

fn found(path: &str, text: &str) -> usize {
    check(&[TextFile { path: path.to_owned(), text: text.to_owned() }]).len()
}

const GUARDS: &str = "crates/gatewright-guards/src/x.rs";
const ENGINE: &str = "crates/gatewright-engine/src/x.rs";

#[test]
fn io_is_found_however_it_is_spelled() {
    for text in [
        "use std::fs;",
        "use std::fs::File;",
        "use std::{fmt, fs};",
        "use std::{\n    collections::BTreeMap,\n    io::{self, stdin},\n};",
        "use std::{net::{IpAddr}, fmt};",
        "fn f() { std::env::var(\"X\"); }",
        "use ::std::process as p;",
        "fn f() -> std::time::Instant { todo() }",
        "#![allow(clippy::disallowed_methods)]",
        "fn f() { println!(\"x\"); }",
    ] {
        assert_eq!(found(GUARDS, text), 1, "{text}");
        assert_eq!(found(ENGINE, text), 0, "{text}");
    }
}

#[test]
fn no_product_code_leaves_out_rules() {
    for text in ["fn f() { Catalogue::of([]); }", "fn f() { Catalogue::share_of_built_in(2); }"] {
        assert_eq!(found(ENGINE, text), 1, "{text}");
        assert_eq!(found("crates/gatewright-guards/examples/x.rs", text), 0, "{text}");
    }
    assert_eq!(found(ENGINE, "fn f() { Catalogue::built_in(); }"), 0);
}

#[test]
fn values_are_left_alone() {
    for text in [
        "use std::{fmt, str::FromStr, time::Duration};",
        "// std::fs\nconst A: &str = \"std::fs\";",
        "use std::io::Write;",
        "#[cfg(test)]\nmod tests { use std::fs; }",
        "use std::fsx;",
        "mod print;",
    ] {
        assert_eq!(found(GUARDS, text), 0, "{text}");
    }
    assert_eq!(found("crates/gatewright-guards/tests/x.rs", "use std::fs;"), 0);
}

#[test]
fn a_proof_is_built_by_the_guards_alone() {
    let build = "fn f() -> Approved { let a = Approved { files }; a }";
    assert_eq!(found(GUARDS, build), 0);
    assert_eq!(found(ENGINE, build), 1);
    assert_eq!(found(ENGINE, "pub struct Redacted(String);"), 1);
    assert_eq!(found(ENGINE, "impl Trait for Approved { }"), 0);
    assert_eq!(found(ENGINE, "fn f(approved: Approved) -> Result<Approved, E> { g(approved) }"), 0);
}

#[test]
fn a_proof_cannot_be_forged() {
    assert_eq!(found(GUARDS, "#[derive(Debug)]\npub struct Approved { files: Vec<u8> }"), 0);
    assert_eq!(found(GUARDS, "#[derive(Debug)]\npub struct Approved { pub files: Vec<u8> }"), 1);
    assert_eq!(found(GUARDS, "#[derive(Default)]\npub struct Approved { files: Vec<u8> }"), 1);
    assert_eq!(found(GUARDS, "#[derive(Debug, Deserialize)]\npub struct Redacted(String);"), 1);
    assert_eq!(
        found(GUARDS, "#[derive(Clone)]\nstruct Other;\n#[derive(Debug)]\npub struct Approved;"),
        0
    );
}
