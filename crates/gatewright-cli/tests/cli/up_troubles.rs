//! What may befall the page's server in the middle of *Apply*: no decision is lost, and none
//! is carried out twice.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use gatewright_testkit::{Random, cases, seed, skip};
use serde_json::{Value, json};

use crate::gate::Gate;
use crate::running_up::Up;

const FILES: usize = 12;

fn proposal(round: usize) -> String {
    let changes: Vec<Value> = (0..FILES)
        .map(|file| json!({"op": "write", "path": format!("f{file}.txt"), "content": format!("round {round}\n")}))
        .collect();
    json!({ "changes": changes }).to_string()
}

/// Accepts all of the one open change; its id and version.
fn accept_all(up: &Up, cookie: &str) -> (String, u64) {
    let list = Up::json(&up.get("/api/changes", cookie));
    let id = list["changes"][0]["id"].as_str().unwrap_or_else(|| panic!("{list}")).to_owned();
    let change = Up::json(&up.get(&format!("/api/changes/{id}"), cookie));
    let content = &change["summary"]["content"];
    let body = json!({"content": content, "part": {"of": "all"}, "choice": "accept"}).to_string();
    let decided = Up::json(&up.post(&format!("/api/changes/{id}/decide"), cookie, &body));
    assert_eq!(decided["tally"]["undecided"], 0, "{decided}");
    (id, decided["version"].as_u64().unwrap())
}

fn applied(gate: &Gate) -> usize {
    let arguments = ["receipts", "list", "--action", "apply", "--limit", "500"];
    gate.json(&arguments, "").0["receipts"].as_array().unwrap().len()
}

/// The content of all files, which is the same in each.
fn content(gate: &Gate) -> String {
    let texts: Vec<String> =
        (0..FILES).map(|file| gate.scratch.read_text(format!("f{file}.txt"))).collect();
    assert!(texts.iter().all(|text| *text == texts[0]), "torn: {texts:?}");
    texts[0].clone()
}

#[test]
fn a_kill_in_the_middle_of_apply_loses_no_decision_and_applies_once() {
    let gate = Gate::new();
    for file in 0..FILES {
        gate.scratch.write(format!("f{file}.txt"), "old\n");
    }
    let mut random = Random::new(seed());
    let mut landed = 0;
    for round in 0..cases(6) as usize {
        let before = content(&gate);
        assert_eq!(gate.run_with(&["propose"], proposal(round)).code, Some(0));
        let mut up = Up::start(&gate);
        let cookie = up.sign_in();
        let (id, version) = accept_all(&up, &cookie);
        let body = json!({ "version": version, "confirm": true }).to_string();
        let address = up.address.clone();
        let mut stream = TcpStream::connect(&address).unwrap();
        let request = format!(
            "POST /api/changes/{id}/apply HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
             X-Gatewright: 1\r\nContent-Type: application/json\r\nCookie: {cookie}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_micros(random.below(12_000) as u64));
        up.child.kill().unwrap();
        up.child.wait().unwrap();
        let again = Up::start(&gate);
        let cookie = again.sign_in();
        let now = content(&gate);
        if now == before {
            assert_eq!(applied(&gate), landed, "a receipt without its write");
            let open = Up::json(&again.get("/api/changes", &cookie));
            assert_eq!(open["changes"][0]["tally"]["accepted"], FILES, "a decision lost: {open}");
            let change = Up::json(&again.get(&format!("/api/changes/{id}"), &cookie));
            let body = json!({ "version": change["summary"]["version"], "confirm": true });
            let path = format!("/api/changes/{id}/apply");
            let answer = again.post(&path, &cookie, &body.to_string());
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        }
        landed += 1;
        assert_eq!(content(&gate), format!("round {round}\n"));
        assert_eq!(applied(&gate), landed, "round {round}: applied once");
        let once_more = again.post(&format!("/api/changes/{id}/apply"), &cookie, &body);
        assert!(!once_more.starts_with("HTTP/1.1 200"), "{once_more}");
        again.end();
    }
    assert_eq!(gate.json(&["receipts", "verify"], "").1, Some(0));
}

/// A small disk in the place of the workspace, taken away with the test.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn over(gate: &Gate) -> Option<Self> {
        let root = gate.scratch.root();
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=256k", "none"]).arg(&root);
        let is_mounted = mount.output().is_ok_and(|output| output.status.success());
        is_mounted.then_some(Self(root))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_stops_apply_and_keeps_the_decisions() {
    let gate = Gate::new();
    let Some(_disk) = SmallDisk::over(&gate) else { skip!("mounting a small disk needs root") };
    gate.scratch.write("notes.txt", "old\n");
    gate.scratch.write("filler.bin", "x".repeat(200_000));
    let new = "a line of the new text\n".repeat(4_000);
    assert_eq!(gate.write("notes.txt", &new).code, Some(0));
    let up = Up::start(&gate);
    let cookie = up.sign_in();
    let (id, version) = accept_all(&up, &cookie);
    let (path, body) =
        (format!("/api/changes/{id}/apply"), json!({"version": version, "confirm": true}));
    let refused = up.post(&path, &cookie, &body.to_string());
    assert!(!refused.starts_with("HTTP/1.1 200"), "{refused}");
    assert!(refused.contains("the disk is full"), "{refused}");
    assert_eq!(gate.scratch.read_text("notes.txt"), "old\n");
    let open = Up::json(&up.get("/api/changes", &cookie));
    assert_eq!(open["changes"][0]["tally"]["accepted"], 1, "{open}");
    std::fs::remove_file(gate.scratch.root().join("filler.bin")).unwrap();
    let change = Up::json(&up.get(&format!("/api/changes/{id}"), &cookie));
    let body = json!({ "version": change["summary"]["version"], "confirm": true });
    let answer = up.post(&path, &cookie, &body.to_string());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(gate.scratch.read_text("notes.txt"), new);
    assert_eq!(applied(&gate), 1);
    up.end();
}
