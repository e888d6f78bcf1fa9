//! What `gatewright up` shows of itself: what it prints, where it listens, what it leaves lying about.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::gate::Gate;
use crate::running_up::Up;

const CANARY: &str = "walrus-in-the-file";

#[test]
fn what_up_prints_holds_no_token_no_file_and_no_control_character() {
    let gate = Gate::new();
    gate.scratch.write("notes.txt", format!("{CANARY}\n"));
    gate.run_with(&["write", "notes.txt"], format!("{CANARY} changed\n"));
    let up = Up::start(&gate);
    let code = up.code.clone();
    assert!(code.len() * 6 >= 128, "at least 128 bits: {code}");
    let cookie = up.sign_in();
    assert!(up.get("/api/changes", &cookie).contains("notes.txt"));
    for wrong in ["", "x", &cookie[..cookie.len() - 1], &format!("{cookie}0")] {
        assert!(up.get("/api/changes", wrong).starts_with("HTTP/1.1 401"), "{wrong}");
    }
    up.get("/api/changes/\u{1b}[31m%1b%0aforged", &cookie);
    up.get(&format!("/{CANARY}?code={code}"), &cookie);
    up.post("/api/changes/none/decide", &cookie, &format!("{{\"{CANARY}\": \"\\u001b[2J\"}}"));
    up.post("/api/try", &cookie, &format!("{{\"text\": \"{CANARY}\"}}"));
    up.ask("\u{1b}]0;title\u{7} HTTP/9.9\r\n\r\n");
    let first_line = up.first_line.clone();
    let printed = up.end();
    assert!(!first_line.contains(&cookie), "{first_line}");
    for secret in [code.as_str(), cookie.as_str(), CANARY] {
        assert!(!printed.contains(secret), "{secret} in {printed}");
    }
    assert!(!printed.contains(|c: char| c.is_control() && c != '\n'), "{printed:?}");
}

#[test]
fn up_says_what_it_guards_and_where_the_page_is() {
    let gate = Gate::new();
    gate.ok(&["mode", "hybrid"]);
    gate.scratch.write("notes.txt", "one\n");
    gate.run_with(&["write", "notes.txt"], "two\n");
    let mut child = gate.command().arg("up").stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    // All that is said at the start, up to its last line.
    let mut said = Vec::new();
    for line in lines {
        let is_last = line.starts_with("agents over HTTP: ");
        said.push(line);
        if is_last {
            break;
        }
    }
    let root = gate.scratch.root().canonicalize().unwrap();
    assert_eq!(said[0], format!("guarding {} (hybrid mode)", root.display()));
    assert_eq!(said[1], "1 change waits for review");
    let link = said.iter().find_map(|line| line.trim().strip_prefix("http://")).unwrap();
    let (address, code) = link.split_once("/#").unwrap();
    assert!(said.last().unwrap().contains(&format!("http://{address}/mcp, bearer token in ")));
    let (address, code) = (address.to_owned(), code.to_owned());
    let up = Up { child, address, code, first_line: String::new() };
    assert!(up.get("/", "").starts_with("HTTP/1.1 200"), "the page is there");
    let cookie = up.sign_in();
    assert!(up.get("/api/changes", &cookie).contains("notes.txt"), "and the link lets one in");
    up.end();
}

#[test]
fn a_second_up_attaches_to_the_first_with_a_fresh_link_and_ends() {
    let gate = Gate::new();
    let first = Up::start(&gate);
    let said: Value = serde_json::from_str(&first.first_line).unwrap();
    assert_eq!(said["state"], "serving");
    let root = gate.scratch.root().canonicalize().unwrap();
    assert_eq!(said["root"], root.display().to_string());
    let second = gate.ok(&["up"]);
    assert!(second.stdout.starts_with("[ROOT] is already being served; a fresh link:"), "{second}");
    let (said, _) = gate.json(&["up"], "");
    assert_eq!(said["state"], "attached");
    let url = said["url"].as_str().unwrap();
    let code = url.strip_prefix(&format!("http://{}/#", first.address)).unwrap();
    assert_ne!(code, first.code, "a link works once, so each has a code of its own");
    let before = first.sign_in();
    let first = Up { code: code.to_owned(), ..first };
    for cookie in [before, first.sign_in()] {
        assert!(first.get("/api/changes", &cookie).starts_with("HTTP/1.1 200"), "{cookie}");
    }
    first.end();
    let again = Up::start(&gate);
    assert!(again.first_line.contains("\"serving\""), "nothing of the first is left");
    again.end();
}

/// The local addresses on which anything listens at a port, as the kernel writes them.
fn listening_at(port: u16) -> Vec<String> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    let tables = tables.map(|table| std::fs::read_to_string(table).unwrap_or_default());
    let wanted = format!(":{port:04X}");
    let mut found = Vec::new();
    for line in tables.iter().flat_map(|table| table.lines().skip(1)) {
        let mut words = line.split_whitespace().skip(1);
        let (local, state) = (words.next().unwrap_or_default(), words.nth(1));
        if let Some(address) = local.strip_suffix(&wanted).filter(|_| state == Some("0A")) {
            found.push(address.to_owned());
        }
    }
    found
}

#[test]
fn up_listens_on_loopback_only_and_keeps_the_agents_token_to_its_user() {
    use std::os::unix::fs::PermissionsExt;
    let gate = Gate::new();
    for flag in ["--host", "--bind", "--listen"] {
        let run = gate.run(&["up", flag, "0.0.0.0"]);
        assert_eq!(run.code, Some(2), "there is no way to serve others: {run}");
    }
    let up = Up::start(&gate);
    let port = up.address.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap();
    assert_eq!(listening_at(port), ["0100007F"], "127.0.0.1 and nothing else");
    let said: Value = serde_json::from_str(&up.first_line).unwrap();
    let token = std::path::Path::new(said["mcp_token_file"].as_str().unwrap());
    let mode = std::fs::metadata(token).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(!token.starts_with(gate.scratch.root()), "outside of the workspace");
    let first = std::fs::read_to_string(token).unwrap();
    assert!(first.trim().len() * 6 >= 128);
    up.end();
    let again = Up::start(&gate);
    let second = std::fs::read_to_string(token).unwrap();
    assert_ne!(first, second, "a new token for every start");
    again.end();
}
