//! `check --secrets`: places and kinds, never values.

use serde_json::Value;

use crate::gate::Gate;

/// Made up, in the form of a real one.
fn key() -> String {
    format!("xoxb-{}-{}-{}", "248163264128", "981726354817", "aB3dE6gH9jK2mN5pQ8rT1vW4")
}

fn gate_with_secret() -> Gate {
    let gate = Gate::new();
    gate.scratch.write("src/app.env", format!("PORT=1\nname=é SLACK={}\n", key()));
    gate.scratch.write("src/plain.txt", "nothing to see\n");
    gate.scratch.write("build/out.env", format!("SLACK={}\n", key()));
    gate.scratch.write(".gitignore", "build/\n");
    gate
}

#[test]
fn a_secret_in_a_file_is_named_by_place_and_kind_only() {
    let run = gate_with_secret().run(&["check", "--secrets", "."]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("src/app.env:2:14: api-key (slack-bot-token)"), "{}", run.stdout);
    assert!(!run.stdout.contains(&key()), "{}", run.stdout);
    assert!(!run.stdout.contains("build/"), "what git ignores is left out: {}", run.stdout);
}

#[test]
fn clean_files_are_clean() {
    let run = gate_with_secret().run(&["check", "--secrets", "src/plain.txt"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn the_sarif_form_has_rule_and_region() {
    let run = gate_with_secret().run(&["check", "--secrets", "src", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(result["ruleId"], "slack-bot-token");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/app.env");
    assert_eq!(place["region"]["startLine"], 2);
    assert_eq!(place["region"]["startColumn"], 14);
}

#[test]
fn a_missing_path_is_a_failure_and_no_clean_result() {
    let run = gate_with_secret().run(&["check", "--secrets", "not-there"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(run.stderr.contains("there is nothing at not-there"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn the_findings_of_a_change_have_a_sarif_form_too() {
    let gate = Gate::new();
    let line = format!("SLACK={}\n", key());
    gate.scratch.write("a.diff", format!("--- /dev/null\n+++ b/a.env\n@@ -0,0 +1 @@\n+{line}"));
    let run = gate.run(&["check", "--diff", "a.diff", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let written = results.iter().find(|one| one["ruleId"] == "E100-api-key-written");
    let place = &written.expect("the secret is found")["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a.env", "{}", run.stdout);
    assert_eq!(place["region"]["startLine"], 1);
    assert!(!run.stdout.contains(&key()), "{}", run.stdout);
    let run = gate.run(&["check", "--diff", "a.diff", "--format", "json"]);
    assert!(serde_json::from_str::<Value>(&run.stdout).unwrap()["findings"].is_array());
}
