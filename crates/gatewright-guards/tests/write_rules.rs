//! The rules of the write guard: their own examples, and real names that must pass.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests read a sample of real names from disk"
)]

mod write_support;

use gatewright_guards::write;
use gatewright_model::Severity;
use write_support::{codes, create, severity_of_path};

/// The most real names that may ask, in thousandths.
const ASK_LIMIT_PER_MILLE: usize = 20;

#[test]
fn every_rule_catches_its_examples_and_leaves_its_counter_examples() {
    if let Err(problems) = write::self_test() {
        panic!("{}", problems.join("\n"));
    }
}

#[test]
fn every_rule_has_a_code_a_reason_and_examples() {
    let mut count = 0;
    for rule in write::catalogue() {
        count += 1;
        let number = &rule.code[1..4];
        assert!(
            rule.code.starts_with('W') && number.bytes().all(|b| b.is_ascii_digit()),
            "{}",
            rule.code
        );
        assert!(!rule.reason.is_empty(), "{}", rule.code);
        assert!(rule.group == "floor" || rule.examples.len() >= 2, "{}", rule.code);
        assert!(rule.group == "floor" || !rule.counter_examples.is_empty(), "{}", rule.code);
    }
    assert!(count > 60, "{count} rules");
}

#[test]
fn real_names_are_never_refused_and_seldom_ask() {
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/real-paths.txt");
    match std::fs::read_to_string(shared) {
        Ok(text) => check_real_names("shared real-paths.txt", text.lines().collect()),
        Err(error) => eprintln!("NOT MEASURED on the shared sample: {shared}: {error}"),
    }
    check_real_names("own sample", include_str!("write_data/ordinary-paths.txt").lines().collect());
}

fn check_real_names(sample: &str, paths: Vec<&str>) {
    assert!(paths.len() > 100, "{sample} holds only {} names", paths.len());
    let judged: Vec<(&str, Option<Severity>)> =
        paths.iter().map(|path| (*path, severity_of_path(path))).collect();
    let with = |wanted| judged.iter().filter(move |(_, severity)| *severity == Some(wanted));
    let refused: Vec<_> = with(Severity::Refuse).collect();
    assert!(refused.is_empty(), "{sample}: refused {refused:#?}");
    let asked: Vec<_> = with(Severity::Confirm).collect();
    println!("{sample}: {} of {} names ask, none is refused", asked.len(), paths.len());
    asked.iter().for_each(|(path, _)| println!("  asks: {path} {:?}", codes(&create(path, ""))));
    assert!(asked.len() * 1000 <= paths.len() * ASK_LIMIT_PER_MILLE, "{sample}: {}", asked.len());
}
