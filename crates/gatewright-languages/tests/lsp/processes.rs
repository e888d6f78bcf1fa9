//! The driver with a real child: memory, idleness, a server that dies, one that is left behind.
//!
//! The child is a small script that speaks enough of the protocol. Every wait is
//! for a fact: a state of the server, a number in its file, an entry of `/proc`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gatewright_languages::lsp::running::{Running, State};
use gatewright_languages::lsp::servers::{LanguageServers, ServerSettings, Unavailable};
use gatewright_languages::syntax::LanguageId;
use gatewright_testkit::{Scratch, has_program, skip};

/// Answers everything with nothing. Its first argument is its part, its second the file that gets
/// the number of each process that it is.
const SERVER: &str = r#"#!/usr/bin/env python3
import json, os, subprocess, sys
part, numbers = sys.argv[1], sys.argv[2]
ids = [os.getpid()]
if part == "with-child":
    ids.append(subprocess.Popen(["sleep", "100000"]).pid)
with open(numbers + ".new", "w") as file:
    file.write(" ".join(map(str, ids)))
os.rename(numbers + ".new", numbers)
ballast = bytearray(150_000_000) if part == "fat" else b""
for at in range(0, len(ballast), 4096):
    ballast[at] = 1
while line := sys.stdin.buffer.readline():
    length = int(line.split(b":")[1])
    while sys.stdin.buffer.readline().strip():
        pass
    message = json.loads(sys.stdin.buffer.read(length))
    if "id" in message and "method" in message:
        result = {"capabilities": {}} if message["method"] == "initialize" else None
        answer = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(answer) + answer)
        sys.stdout.buffer.flush()
    if part == "mortal" and message.get("method") == "initialized":
        sys.exit("it had enough")
import time
time.sleep(100000)
"#;

struct Bench {
    scratch: Scratch,
    servers: LanguageServers,
}

impl Bench {
    fn new(part: &str, change: impl FnOnce(&mut ServerSettings)) -> Self {
        let scratch = Scratch::new();
        let script = script(scratch.base());
        let path = std::env::var("PATH").unwrap();
        let root = std::fs::canonicalize(scratch.root()).unwrap();
        let mut settings = ServerSettings::new(root, scratch.state().join("servers"), path);
        let numbers = scratch.base().join("numbers");
        let command = [script.as_path(), Path::new(part), &numbers];
        let command = command.iter().map(|word| word.display().to_string()).collect();
        settings.commands = BTreeMap::from([("python".to_owned(), command)]);
        change(&mut settings);
        Self { scratch, servers: LanguageServers::new(settings) }
    }

    fn running(&self) -> Result<Arc<Running>, Unavailable> {
        self.servers.running(LanguageId::Python)
    }

    /// The processes of the server that wrote its numbers last; the file is taken away.
    fn processes(&self) -> Vec<u32> {
        let numbers = self.scratch.base().join("numbers");
        let text = until("its numbers", || std::fs::read_to_string(&numbers).ok());
        std::fs::remove_file(numbers).unwrap();
        text.split(' ').map(|number| number.parse().unwrap()).collect()
    }
}

fn script(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let script = folder.join("server.py");
    std::fs::write(&script, SERVER).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// Waits for a fact. The bound only turns a hang into a failure.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(240), "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process is there and is no corpse that waits for its parent.
fn is_alive(id: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next());
    state.is_some_and(|state| state != "Z" && state != "X")
}

fn all_gone(processes: &[u32]) {
    until("the end of its processes", || (!processes.iter().any(|id| is_alive(*id))).then_some(()));
}

macro_rules! needs {
    ($($program:expr),*) => {
        $(if !has_program($program) {
            skip!("{} is not installed", $program);
        })*
    };
}

#[test]
fn a_server_that_grows_beyond_its_limit_is_ended_and_the_reason_is_kept() {
    needs!("python3");
    let bench = Bench::new("fat", |settings| settings.memory_limit = 100 << 20);
    let running = bench.running().unwrap();
    let processes = bench.processes();
    let state = until("its end", || Some(running.state()).filter(State::is_over));
    assert_eq!(state, State::Failed("it held more than 100 MB".to_owned()));
    all_gone(&processes);
    match bench.running() {
        Err(Unavailable::Failed { reason, .. }) => assert!(reason.contains("100 MB"), "{reason}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was started again at once"),
    }
}

#[test]
fn an_idle_server_is_stopped_and_started_again_when_it_is_needed() {
    needs!("python3");
    let bench = Bench::new("with-child", |settings| settings.idle_limit = Duration::ZERO);
    let running = bench.running().unwrap();
    let first = bench.processes();
    let state = until("its end", || Some(running.state()).filter(State::is_over));
    assert_eq!(state, State::Stopped("it was idle"));
    // It ignores that nobody talks to it any more, and it has a child.
    all_gone(&first);
    let again = bench.running().unwrap();
    let second = bench.processes();
    assert_ne!(first, second);
    drop(again);
    drop(bench);
    all_gone(&second);
}

#[test]
fn a_server_that_dies_is_started_again_after_a_pause() {
    needs!("python3");
    let bench = Bench::new("mortal", |_| {});
    let mut seen = Vec::new();
    for _ in 0..2 {
        // During the pause there is a reason instead of a server.
        let running = until("a start", || match bench.running() {
            Ok(running) => Some(running),
            Err(Unavailable::Failed { reason, .. }) => {
                assert!(reason.contains("it had enough"), "{reason}");
                None
            }
            Err(other) => panic!("{other}"),
        });
        let processes = bench.processes();
        let state = until("its end", || Some(running.state()).filter(State::is_over));
        assert!(matches!(&state, State::Failed(_)), "{state:?}");
        let Err(Unavailable::Failed { wait, .. }) = bench.running() else {
            panic!("there was no pause")
        };
        assert!(wait <= Duration::from_secs(2), "{wait:?}");
        all_gone(&processes);
        seen.extend(processes);
    }
    assert_ne!(seen[0], seen[1]);
}

#[test]
fn a_server_goes_with_the_last_one_who_holds_it() {
    needs!("python3");
    let bench = Bench::new("with-child", |_| {});
    let running = bench.running().unwrap();
    let processes = bench.processes();
    assert_eq!(processes.len(), 2);
    assert!(processes.iter().all(|id| is_alive(*id)));
    drop(running);
    drop(bench);
    all_gone(&processes);
}
