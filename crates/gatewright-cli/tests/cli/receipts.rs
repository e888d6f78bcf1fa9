//! What happened can be listed, proved, exported, and not be altered unseen.

use gatewright_testkit::has_program;

use crate::bad_input::database_of;
use crate::gate::Gate;

fn history() -> Gate {
    let gate = Gate::autonomous();
    gate.write("a.txt", "one\n");
    gate.write("a.txt", "two\n");
    gate.write("../x", "no\n");
    gate.ok(&["rollback"]);
    gate
}

#[test]
fn every_outcome_leaves_a_receipt() {
    let gate = history();
    let (list, _) = gate.json(&["receipts", "list"], "");
    let actions: Vec<_> = list["receipts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|receipt| receipt["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["rollback", "refuse", "apply", "apply", "notice"]);
    let refused = &list["receipts"][1];
    assert_eq!(refused["guards"]["write"], "fail");
    assert_eq!(refused["applied"], false);
    let (apply, _) = gate.json(&["receipts", "list", "--action", "apply", "--path", "a.txt"], "");
    assert_eq!(apply["receipts"].as_array().unwrap().len(), 2);
}

#[test]
fn the_chain_verifies_and_one_receipt_can_be_proved() {
    let gate = history();
    let (report, code) = gate.json(&["receipts", "verify", "--signatures"], "");
    assert_eq!((report["verdict"].as_str(), code), (Some("ok"), Some(0)), "{report}");
    let (proof, _) = gate.json(&["receipts", "prove", "2"], "");
    assert_eq!(proof["proof"]["holds"], true, "{proof}");
}

#[test]
fn a_changed_row_is_named() {
    if !has_program("python3") {
        gatewright_testkit::skip!("python3 is missing, so the database cannot be altered");
    }
    let gate = history();
    let script = "import sqlite3,sys\nc=sqlite3.connect(sys.argv[1])\n\
        b=bytes(c.execute('select canonical from receipts where seq=2').fetchone()[0])\n\
        assert b'a.txt' in b\n\
        c.execute('update receipts set canonical=? where seq=2',(b.replace(b'a.txt',b'b.txt'),))\n\
        c.commit()\n";
    let output = std::process::Command::new("python3")
        .args(["-c", script])
        .arg(database_of(&gate))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (report, code) = gate.json(&["receipts", "verify"], "");
    assert_eq!((report["first_bad"].as_u64(), code), (Some(2), Some(1)), "{report}");
}

#[test]
fn the_second_verifier_agrees() {
    if !has_program("python3") {
        gatewright_testkit::skip!("python3 is missing, so the second verifier cannot run");
    }
    let gate = history();
    let export = gate.scratch.base().join("receipts.jsonl");
    gate.ok(&["receipts", "export", "--to", export.to_str().unwrap()]);
    let tool = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/verify_receipts.py");
    let checkpoint = gate.ok(&["receipts", "checkpoint"]).stdout;
    let note = gate.scratch.base().join("checkpoint");
    std::fs::write(&note, checkpoint).unwrap();
    let key = gate.ok(&["receipts", "key"]).stdout;
    let verify = || {
        std::process::Command::new("python3")
            .args([tool, export.to_str().unwrap(), "--key", key.trim()])
            .args(["--checkpoint", note.to_str().unwrap(), "--signatures"])
            .output()
            .unwrap()
    };
    let output = verify();
    assert!(output.status.success(), "{output:?}");
    let text = std::fs::read_to_string(&export).unwrap().replacen("a.txt", "b.txt", 1);
    std::fs::write(&export, text).unwrap();
    assert_eq!(verify().status.code(), Some(1));
}

#[test]
fn an_older_checkpoint_exposes_a_cut_tail() {
    let gate = history();
    let note = gate.scratch.base().join("checkpoint");
    std::fs::write(&note, gate.ok(&["receipts", "checkpoint"]).stdout).unwrap();
    gate.write("b.txt", "later\n");
    let (report, code) =
        gate.json(&["receipts", "verify", "--checkpoint", note.to_str().unwrap()], "");
    assert_eq!((report["verdict"].as_str(), code), (Some("ok"), Some(0)), "{report}");
    let trailer = gate.ok(&["receipts", "checkpoint", "--trailer"]).stdout;
    assert!(trailer.starts_with("Gatewright-Checkpoint: "), "{trailer}");
}

#[test]
fn the_dsse_export_is_one_envelope_a_line() {
    let gate = history();
    let run = gate.ok(&["receipts", "export", "--format", "dsse"]);
    assert_eq!(run.stdout.lines().count(), 5);
    for line in run.stdout.lines() {
        let envelope: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(envelope["payload"].is_string() && envelope["signatures"].is_array());
    }
}

#[test]
fn reground_tells_new_findings_from_old() {
    let gate = Gate::autonomous();
    gate.write("a.txt", "fine\n");
    gate.scratch.write("gatewright.toml", "[write]\nblocked_patterns = [\"fine\"]\n");
    let (result, code) = gate.json(&["receipts", "reground", "1"], "");
    assert_eq!(code, Some(1), "{result}");
    assert_eq!(result["new"].as_array().unwrap().len(), 1, "{result}");
    assert_eq!(result["files"][0]["state"], "as-applied");
}

#[test]
fn a_secret_never_reaches_a_receipt() {
    let gate = Gate::new();
    let secret = "tr0ub4dor-and-3xQz";
    gate.write("config.ini", &format!("password = \"{secret}\"\n"));
    let run = gate.ok(&["receipts", "export"]);
    assert!(!run.stdout.contains(secret), "{run}");
    let (list, _) = gate.json(&["receipts", "list", "--limit", "1"], "");
    assert!(list["receipts"][0]["redactions"].as_object().is_some_and(|m| !m.is_empty()), "{list}");
}
