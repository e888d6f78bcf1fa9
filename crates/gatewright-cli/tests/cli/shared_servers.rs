//! One set of language servers for all processes of a workspace: `up` keeps them, the others ask.
//!
//! Every wait is for a fact: a line of an answer, a file that a server wrote, an entry of `/proc`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use gatewright_testkit::{has_program, skip};
use serde_json::{Value, json};

use crate::gate::Gate;
use crate::language_servers::{Play, is_alive, until};
use crate::running_up::Up;

const USES: [&str; 3] = ["references", "total", "a.py"];

impl Play {
    /// `up` with the played server on its `PATH`.
    fn up(&self) -> Up {
        let mut command = self.gate.command();
        command.env("PATH", &self.path);
        Up::start_as(command)
    }

    /// The numbers of all servers that were started.
    fn starts(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.programs().join("starts")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn programs(&self) -> std::path::PathBuf {
        self.gate.scratch.base().join("programs")
    }
}

#[test]
fn two_processes_beside_up_share_its_server_and_get_the_answer_of_their_own() {
    if !has_program("python3") {
        skip!("python3 is not installed");
    }
    let play = Play::new("half");
    let alone = play.run(&USES);
    assert_eq!(alone.code, Some(0), "{alone}");
    assert_eq!(play.starts().len(), 1);
    let up = play.up();
    for _ in 0..2 {
        let shared = play.run(&USES);
        assert_eq!((&shared.code, &shared.stdout), (&alone.code, &alone.stdout));
    }
    let starts = play.starts();
    assert_eq!(starts.len(), 2, "one of its own without `up`, one of `up` for both");
    assert!(is_alive(&starts[1]), "the server of `up` stays");
    up.end();
    until("the end of the server", || (!is_alive(&starts[1])).then_some(()));
}

#[test]
fn doctor_tells_how_the_servers_of_up_are_doing() {
    if !has_program("python3") {
        skip!("python3 is not installed");
    }
    let play = Play::new("half");
    let state = || {
        let doctor = play.run(&["doctor", "--json"]);
        let told: Value = serde_json::from_str(&doctor.stdout).unwrap();
        let servers = told["language_servers"].as_array().unwrap().clone();
        let ty = servers.iter().find(|server| server["program"] == "ty").unwrap();
        assert_eq!(ty["version"], "0.0.100", "{doctor}");
        assert!(ty["path"].as_str().unwrap().ends_with("programs/ty"), "{doctor}");
        assert!(!ty["install"].as_str().unwrap().is_empty(), "{doctor}");
        ty["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(), "not started");
    let up = play.up();
    assert_eq!(state(), "not started", "nobody has asked it anything");
    assert_eq!(play.run(&USES).code, Some(0));
    // It answers a moment before it says that it is ready.
    until("a server of `up` that is ready", || {
        (state() == "ready, kept by `gatewright up`").then_some(())
    });
    up.end();
    assert_eq!(state(), "not started");
}

#[test]
fn staged_text_that_up_does_not_see_on_disk_is_what_its_server_is_asked_about() {
    if !has_program("python3") {
        skip!("python3 is not installed");
    }
    let play = Play::new("half");
    let up = play.up();
    assert_eq!(play.run(&["mode", "hybrid"]).code, Some(0));
    let content = "\n\n# three lines down\ndef total(x):\n    return x\n";
    let run = play.gate.write("new.py", content);
    assert!(!play.gate.scratch.has("new.py"), "it is staged: {run}");
    let run = play.run(&["references", "total", "new.py"]);
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(play.starts().len(), 1, "{run}");
    up.end();
}

#[test]
fn an_asker_whose_up_is_killed_in_the_middle_goes_on_with_a_server_of_its_own() {
    if !has_program("python3") {
        skip!("python3 is not installed");
    }
    let play = Play::new("hung");
    let mut up = play.up();
    let mut command = play.gate.command();
    command.args(USES).env("PATH", &play.path);
    let asking = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("the question", || play.programs().join("asked").exists().then_some(()));
    assert_eq!(play.starts().len(), 1, "the server of `up` alone");
    std::fs::write(play.programs().join("part"), "half").unwrap();
    up.child.kill().unwrap();
    up.child.wait().unwrap();
    let output = asking.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(said.contains("a.py:1") && said.contains("2 more places in code say total"), "{said}");
    assert_eq!(play.starts().len(), 2);
}

/// `gatewright mcp`, spoken to as a client does.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    fn start(gate: &Gate) -> Self {
        let mut command = gate.command();
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut client = Self { child, input, output: BufReader::new(output), last: 0 };
        client.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        let done = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        writeln!(client.input, "{done}").unwrap();
        client
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(self.input, "{request}").unwrap();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server hung up");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == json!(id) && message.get("method").is_none() {
                return message["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    fn end(mut self) {
        drop(self.input);
        self.child.wait().unwrap();
    }
}

/// The processes that work in this folder and run a program of that name, keepers left out.
fn processes(folder: &Path, program: &str) -> Vec<u32> {
    let folder = std::fs::canonicalize(folder).unwrap();
    let is_one = |id: &u32| {
        let base = Path::new("/proc").join(id.to_string());
        let words = std::fs::read(base.join("cmdline")).unwrap_or_default();
        let words: Vec<&str> = words
            .split(|byte| *byte == 0)
            .filter_map(|word| std::str::from_utf8(word).ok())
            .collect();
        let named = |word: &&str| word.rsplit('/').next() == Some(program);
        std::fs::read_link(base.join("cwd")).is_ok_and(|cwd| cwd == folder)
            && words.iter().take(2).any(named)
            && !words.contains(&"keep-server")
    };
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(is_one).collect()
}

#[test]
fn a_real_server_is_alive_once_for_up_an_mcp_server_and_the_command_line() {
    if !has_program("ty") {
        skip!("ty is not installed");
    }
    let gate = Gate::autonomous();
    gate.scratch.write("a.py", "def total(x):\n    return x\n");
    gate.scratch.write("b.py", "from a import total\n\nY = total(1)\n");
    let place = json!({ "path": "a.py", "symbol": "total" });
    let mut alone = Client::start(&gate);
    // A server that is not ready in time is passed over, and the next call finds it ready.
    let own = until("an answer of the server", || {
        Some(alone.call("references", place.clone()))
            .filter(|said| said["structuredContent"]["server"] == "ty")
    });
    assert_eq!(processes(&gate.scratch.root(), "ty").len(), 1);
    let up = Up::start(&gate);
    let mut beside = Client::start(&gate);
    let shared = until("an answer of the server of `up`", || {
        Some(beside.call("references", place.clone()))
            .filter(|said| said["structuredContent"]["server"] == "ty")
    });
    assert_eq!(shared["structuredContent"], own["structuredContent"]);
    // The first asker asks `up` from now on, and its own server goes.
    assert_eq!(alone.call("references", place)["structuredContent"], own["structuredContent"]);
    let one = || Some(processes(&gate.scratch.root(), "ty")).filter(|all| all.len() == 1);
    let kept = until("one server alone", one);
    let run = gate.run(&["--json", "references", "total", "a.py"]);
    let said: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(said["references"], own["structuredContent"]["references"], "{run}");
    let rename =
        json!({ "path": "a.py", "symbol": "total", "action": "rename", "new_name": "sum_up" });
    let renamed = beside.call("edit_code", rename);
    assert_ne!(renamed["isError"], json!(true), "{renamed}");
    assert_eq!(gate.scratch.read_text("b.py"), "from a import sum_up\n\nY = sum_up(1)\n");
    assert_eq!(processes(&gate.scratch.root(), "ty"), kept);
    alone.end();
    beside.end();
    up.end();
    until("the end of the server", || {
        processes(&gate.scratch.root(), "ty").is_empty().then_some(())
    });
}

#[test]
fn the_server_of_up_is_heard_of_what_a_hook_allowed() {
    if !has_program("ty") {
        skip!("ty is not installed");
    }
    let gate = Gate::autonomous();
    gate.scratch.write("shop.py", "def total() -> int:\n    return 1\n");
    let up = Up::start(&gate);
    let mut round = 0;
    // A server that is not ready in time is not heard, and the next call tries again.
    until("the second witness", || {
        round += 1;
        let warmed = gate.run(&["diagnostics", "shop.py"]);
        assert_eq!(warmed.code, Some(0), "{warmed}");
        let text = "from shop import total\n\n\ndef run():\n    return total().frob()\n";
        let event = json!({
            "session_id": "s1", "cwd": gate.scratch.root(), "hook_event_name": "PreToolUse",
            "tool_name": "Write", "tool_use_id": format!("toolu_{round}"),
            "tool_input": {
                "file_path": gate.scratch.path(format!("app{round}.py")), "content": text,
            },
        });
        let run = gate.run_with(&["hook"], event.to_string());
        assert!(run.stdout.contains("\"allow\""), "{run}");
        let listed = gate.run(&["--json", "receipts", "list"]);
        listed.stdout.contains("second witness ty: adds app").then_some(())
    });
    assert_eq!(processes(&gate.scratch.root(), "ty").len(), 1);
    up.end();
}
