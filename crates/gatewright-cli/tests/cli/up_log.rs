//! What `gatewright up` shows of itself: what it prints, where it listens, what it leaves lying about.

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
