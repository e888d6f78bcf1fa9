//! The rule files agree with their own examples, and a broken rule is not loaded.
//!
//! The files are read from disk, not from the binary, so that a new file counts
//! without a rebuild.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests read the rule files")]

use std::collections::BTreeSet;
use std::path::Path;

use gatewright_guards::egress::{
    Catalogue, Extension, ExtensionError, RedactionContext, Redactor, Rule,
};

fn rules_on_disk() -> Vec<Rule> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/egress");
    let mut rules = Vec::new();
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        match Extension::parse(&text, &path.file_name().unwrap().to_string_lossy()) {
            Ok(extension) => rules.extend(extension.rules),
            Err(problem) => problems.push(problem.to_string()),
        }
    }
    assert!(problems.is_empty(), "unreadable rule files:\n{}", problems.join("\n"));
    rules
}

#[test]
fn every_rule_passes_its_own_examples() {
    let failures: Vec<String> = Catalogue::of(rules_on_disk())
        .self_test()
        .iter()
        .map(|failure| format!("{}: {}", failure.rule, failure.reason))
        .collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// The self-test asks each rule; this asks the way that text really goes.
#[test]
fn every_example_is_hidden_whole_way() {
    let redactor = Redactor::default();
    let missed: Vec<String> = Catalogue::built_in()
        .rules()
        .iter()
        .flat_map(|rule| rule.examples.iter().map(move |example| (rule, example)))
        .filter(|(_, example)| redactor.find(example.as_bytes()).is_empty())
        .map(|(rule, example)| format!("{}: {example}", rule.name))
        .collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

/// Several rules may find the same bytes; which of them is named must not be left to chance.
#[test]
fn the_same_rule_is_named_every_time() {
    let make = || Redactor::new(Catalogue::built_in(), RedactionContext::default());
    let redactors = [make(), make(), make()];
    for rule in Catalogue::built_in().rules() {
        for example in &rule.examples {
            let [one, others @ ..] = redactors.each_ref().map(|made| made.find(example.as_bytes()));
            assert!(others.iter().all(|other| *other == one), "{example}");
        }
    }
}

#[test]
fn rule_names_are_unique() {
    let mut seen = BTreeSet::new();
    for rule in rules_on_disk() {
        assert!(seen.insert(rule.name.clone()), "{} is named twice", rule.name);
    }
}

#[test]
fn the_embedded_files_are_readable() {
    assert_eq!(Catalogue::built_in().problems(), []);
}

fn extension(rule: &str) -> Result<Extension, String> {
    let text = format!("provider = \"Test\"\n[[rule]]\n{rule}");
    Extension::parse(&text, "test.toml").map_err(|error| error.to_string())
}

const GOOD: &str = r#"
name = "acme-key"
kind = "api-key"
tier = "proof"
keywords = ["acme_"]
pattern = 'acme_[a-z0-9]{16}'
examples = ["acme_q8z7w6m5n4b3v2c1"]
counter_examples = ["acme_short"]
"#;

#[test]
fn a_tested_rule_is_added() {
    let catalogue = Catalogue::of([]).with(extension(GOOD).unwrap()).unwrap();
    assert_eq!(catalogue.rules().len(), 1);
    assert_eq!(catalogue.rules()[0].max_len, 21);
}

#[test]
fn a_rule_that_misses_its_example_is_not_loaded() {
    let broken = GOOD.replace("q8z7w6m5n4b3v2c1", "Q8Z7");
    let error = Catalogue::of([]).with(extension(&broken).unwrap()).unwrap_err();
    assert!(matches!(error, ExtensionError::SelfTest(_)), "{error}");
}

#[test]
fn a_rule_that_hits_its_counter_example_is_not_loaded() {
    let broken = GOOD.replace("acme_short", "acme_a8z7w6m5n4b3v2c1");
    let error = Catalogue::of([]).with(extension(&broken).unwrap()).unwrap_err();
    assert!(matches!(error, ExtensionError::SelfTest(_)), "{error}");
}

#[test]
fn a_rule_without_examples_is_not_loaded() {
    let bare = GOOD.replace("examples = [\"acme_q8z7w6m5n4b3v2c1\"]\n", "");
    let error = Catalogue::of([]).with(extension(&bare).unwrap()).unwrap_err();
    assert!(matches!(error, ExtensionError::NoExample { .. }), "{error}");
}

#[test]
fn a_rule_cannot_replace_another() {
    let catalogue = Catalogue::of([]).with(extension(GOOD).unwrap()).unwrap();
    let error = catalogue.with(extension(GOOD).unwrap()).unwrap_err();
    assert!(matches!(error, ExtensionError::NameTaken { .. }), "{error}");
}

#[test]
fn unknown_keys_are_refused_with_their_place() {
    let error = extension(&format!("{GOOD}enabled = false\n")).unwrap_err();
    assert!(error.contains("test.toml") && error.contains("enabled"), "{error}");
}

#[test]
fn a_pattern_without_bound_must_state_max_len() {
    let error = extension(&GOOD.replace("{16}", "{16,}")).unwrap_err();
    assert!(error.contains("max_len"), "{error}");
}

#[test]
fn unknown_checks_are_refused() {
    let error = extension(&format!("{GOOD}checks = [\"crc64\"]\n")).unwrap_err();
    assert!(error.contains("crc64"), "{error}");
}
