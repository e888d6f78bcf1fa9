//! `check --secrets`: places and kinds, never values.

use serde_json::{Value, json};

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
fn a_file_in_utf_16_is_looked_through() {
    let gate = Gate::new();
    let text = format!("\u{feff}PORT=1\r\nSLACK={}\r\n", key());
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    gate.scratch.write("little.env", little);
    gate.scratch.write("big.env", big);
    let run = gate.run(&["check", "--secrets", "."]);
    for place in ["little.env:2:7: api-key", "big.env:2:7: api-key"] {
        assert!(run.stdout.contains(place), "{}", run.stdout);
    }
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

#[test]
fn rules_and_known_values_of_the_folder_hold_for_a_filter_too() {
    let gate = Gate::new();
    let rule = |counter: &str| {
        format!(
            "[[egress.rules]]\nname = \"badge\"\nkind = \"api-key\"\nregex = \"ACME-[0-9]{{6}}\"\n\
             keywords = [\"acme-\"]\nexamples = [\"ACME-123456\"]\ncounter_examples = [\"{counter}\"]\n"
        )
    };
    gate.scratch.write("gatewright.toml", rule("ACME-12"));
    gate.scratch.write(".env", "TITLE=harmless walrus Nr 9\n");
    gate.scratch.write("a.txt", "badge ACME-654321, a harmless walrus Nr 9\n");
    let run = gate.run(&["redact", "a.txt"]);
    assert_eq!(run.stdout, "badge [REDACTED:api-key], a [REDACTED:password]\n", "{}", run.stderr);
    let run = gate.run(&["check", "--secrets", "a.txt"]);
    assert!(run.stdout.contains("a.txt:1:7: api-key (badge)"), "{}", run.stdout);
    gate.scratch.write("gatewright.toml", rule("ACME-123457"));
    for command in [&["redact", "a.txt"][..], &["check", "--secrets", "a.txt"]] {
        let run = gate.run(command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "nothing starts unguarded");
        assert!(run.stderr.contains("fails its own test"), "{}", run.stderr);
    }
}

#[test]
fn lines_that_name_a_folder_hide_the_values_of_its_own_env_file() {
    let gate = Gate::new();
    gate.scratch.write("shop/.env", "TITLE=harmless walrus Nr 9\n");
    let root = gate.scratch.path("shop");
    let text = "a harmless walrus Nr 9";
    let line = |id: u32, root: &str| json!({ "id": id, "text": text, "workspace_root": root });
    let known = line(1, &root.to_string_lossy());
    let lines = format!("{known}\n{}\n{{\"id\": 3}}\n", line(2, "/nowhere/at/all"));
    gate.scratch.write("lines", lines);
    gate.scratch.write("good", format!("{known}\n"));
    let run = gate.run(&["redact", "--jsonl", "lines", "good"]);
    let answers: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["redacted"], "a [REDACTED:password]", "{}", run.stdout);
    assert_eq!(answers[1]["redacted"], text);
    assert!(answers[2]["error"].is_object(), "{}", run.stdout);
    assert_eq!(answers[3]["redacted"], answers[0]["redacted"]);
    assert_eq!(run.code, Some(2), "an object that was not answered shows in the exit code");
}
