//! A hook that asks a running `up` hears what it would have said itself.

use std::io::Write;
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::mpsc;
use std::time::Duration;

use gatewright_engine::{Engine, EngineOptions, Layout, UserDirs};
use gatewright_model::Mode;
use gatewright_server::hooks::{HookAnswer, HookExit, Options, run};
use gatewright_server::up::{self, Asked, HookRequest, Surroundings, ask};
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::engine;

fn dirs(scratch: &Scratch) -> UserDirs {
    UserDirs {
        config: scratch.config().join("gatewright"),
        state: scratch.state().join("gatewright"),
    }
}

pub fn layout(scratch: &Scratch) -> Layout {
    Layout::locate(&scratch.root(), &dirs(scratch)).expect("a layout")
}

/// Serves on a thread that ends with the test process.
pub fn serve(scratch: &Scratch) {
    let options = EngineOptions::new(scratch.root(), dirs(scratch), "tester".to_owned());
    let engine = Engine::open(options).expect("the workspace opens");
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut tell = |_| sender.send(()).expect("the test listens");
        up::run(engine, "tester".to_owned(), None, &mut tell).expect("it serves");
    });
    receiver.recv_timeout(Duration::from_secs(20)).expect("it is ready");
}

pub fn request(scratch: &Scratch, event: &Value, wait: Duration) -> HookRequest {
    let surroundings = Surroundings {
        user: "tester".to_owned(),
        home: Some(scratch.home()),
        is_unsynced: true,
        ..Surroundings::default()
    };
    let options = Options { wait: Some(wait), ..Options::default() };
    HookRequest { event: event.to_string(), options, surroundings }
}

pub fn event(scratch: &Scratch, name: &str, tool: &str, input: Value) -> Value {
    json!({
        "session_id": "s1", "transcript_path": "/t", "cwd": scratch.root(),
        "permission_mode": "default", "hook_event_name": name, "tool_name": tool,
        "tool_use_id": "toolu_1", "tool_input": input,
    })
}

pub fn answered(asked: Asked) -> HookAnswer {
    match asked {
        Asked::Answered(answer) => answer,
        Asked::Alone { spent } => panic!("no answer after {spent:?}"),
    }
}

#[test]
fn the_answer_is_the_same_with_and_without_it() {
    type Inputs = fn(&Scratch) -> (&'static str, Value);
    let inputs: [Inputs; 5] = [
        |_| ("Write", json!({"file_path": "/etc/x", "content": "x"})),
        |scratch| ("Write", json!({"file_path": scratch.root().join("a.txt"), "content": "b\n"})),
        |_| ("Bash", json!({"command": "echo x > ../y"})),
        |_| ("Read", json!({"file_path": "a.txt"})),
        |_| ("Edit", json!({"file_path": "a.txt", "old_string": "no", "new_string": "b"})),
    ];
    for mode in [Mode::Autonomous, Mode::Hybrid, Mode::Manual] {
        for input in inputs {
            let answer_in = |with_up: bool| {
                let scratch = Scratch::new();
                scratch.write("a.txt", "a\n");
                let alone = engine(&scratch, mode);
                let (tool, input) = input(&scratch);
                let event = event(&scratch, "PreToolUse", tool, input);
                let request = request(&scratch, &event, Duration::ZERO);
                let answer = if with_up {
                    serve(&scratch);
                    answered(ask(&layout(&scratch), &request))
                } else {
                    run(&alone, request.event.as_bytes(), &request.options)
                };
                let mut text = format!("{answer:?}");
                for change in alone.open_changes().unwrap() {
                    text = text.replace(&change.id, "CHANGE");
                }
                let root = scratch.root().display().to_string();
                let actions: Vec<_> = (1..alone.ledger().len().unwrap())
                    .map(|seq| alone.ledger().get(seq).unwrap().unwrap().body.action)
                    .collect();
                format!("{} {actions:?}", text.replace(&root, "ROOT"))
            };
            assert_eq!(answer_in(true), answer_in(false), "{mode:?}");
        }
    }
}

#[test]
fn a_secret_that_came_after_the_start_is_hidden_too() {
    const CANARY: &str = "canary-77aa9a7e3b2d4860-value";
    let scratch = Scratch::new();
    serve(&scratch);
    let mut after = event(&scratch, "PostToolUse", "Bash", json!({"command": "cat .env"}));
    after["tool_response"] = json!({"stdout": format!("TOKEN={CANARY}")});
    let first = request(&scratch, &after, Duration::ZERO);
    answered(ask(&layout(&scratch), &first));
    scratch.write(".env", format!("TOKEN={CANARY}\n"));
    let answer = answered(ask(&layout(&scratch), &first));
    assert!(answer.stdout.contains("[REDACTED:"), "{}", answer.stdout);
    assert!(!answer.stdout.contains(CANARY), "{}", answer.stdout);
}

#[test]
fn a_secret_of_the_hooks_own_environment_is_hidden() {
    const CANARY: &str = "canary-88aa9a7e3b2d4860-value";
    let scratch = Scratch::new();
    serve(&scratch);
    let mut after = event(&scratch, "PostToolUse", "Bash", json!({"command": "env"}));
    after["tool_response"] = json!({"stdout": format!("MY_TOKEN={CANARY}")});
    let mut request = request(&scratch, &after, Duration::ZERO);
    request.surroundings.variables = vec![("MY_TOKEN".to_owned(), CANARY.to_owned())];
    let answer = answered(ask(&layout(&scratch), &request));
    assert!(!answer.stdout.contains(CANARY) && answer.stdout.contains("[REDACTED:"));
}

#[test]
fn a_held_call_is_answered_when_its_time_is_up() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "a\n");
    let _mode = engine(&scratch, Mode::Hybrid);
    serve(&scratch);
    let input = json!({"file_path": scratch.root().join("a.txt"), "content": "b\n"});
    let event = event(&scratch, "PreToolUse", "Write", input);
    let answer =
        answered(ask(&layout(&scratch), &request(&scratch, &event, Duration::from_secs(5))));
    assert_eq!(answer.exit, HookExit::Answered);
    assert!(answer.stdout.contains("staged, not applied"), "{}", answer.stdout);
}

#[test]
fn a_socket_that_hangs_is_left_alone_soon() {
    let scratch = Scratch::new();
    let state = engine(&scratch, Mode::Hybrid).layout().state.clone();
    let listener = UnixListener::bind(state.join("up.sock")).expect("a socket");
    let event = event(&scratch, "PreToolUse", "Write", json!({"file_path": "a", "content": "b"}));
    let asked = ask(&layout(&scratch), &request(&scratch, &event, Duration::ZERO));
    drop(listener);
    match asked {
        Asked::Alone { spent } => assert!(spent < Duration::from_secs(4), "{spent:?}"),
        Asked::Answered(answer) => panic!("{answer:?}"),
    }
    let asked = ask(&layout(&scratch), &request(&scratch, &event, Duration::ZERO));
    assert!(matches!(asked, Asked::Alone { .. }), "nobody listens any more");
}

/// Bytes that no hook sends, over the socket of a running `up`: it goes on answering the others.
#[test]
fn what_is_no_request_does_not_bring_the_socket_down() {
    let scratch = Scratch::new();
    scratch.write("a.txt", "a\n");
    let _mode = engine(&scratch, Mode::Autonomous);
    serve(&scratch);
    let before = scratch.tree();
    let socket = layout(&scratch).state.join("up.sock");
    let seed = gatewright_testkit::seed();
    println!("GATEWRIGHT_SEED={seed}");
    let mut random = gatewright_testkit::Random::new(seed);
    let plain =
        event(&scratch, "PreToolUse", "Write", json!({"file_path": "/etc/x", "content": "x"}));
    let plain = serde_json::to_vec(&request(&scratch, &plain, Duration::ZERO)).expect("a request");
    for number in 0..gatewright_testkit::cases(1_000) {
        let mut stream = UnixStream::connect(&socket).expect("a connection");
        stream.set_write_timeout(Some(Duration::from_secs(5))).expect("a limit");
        let mut bytes = plain.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = random.bytes(1)[0];
        }
        let length = u32::try_from(bytes.len()).expect("it is short").to_be_bytes();
        let parts: [&[u8]; 3] = [b"hook\n", &length, &bytes];
        let half = random.below(3);
        // A server that hangs up in the middle is within its rights.
        let _ = parts.iter().take(1 + half).try_for_each(|part| stream.write_all(part));
        if number % 7 == 0 {
            let _ = stream.write_all(&random.bytes(64));
        }
    }
    let large = json!({"file_path": "/etc/x", "content": "x".repeat(50 * 1024 * 1024)});
    let large = event(&scratch, "PreToolUse", "Write", large);
    let asked = ask(&layout(&scratch), &request(&scratch, &large, Duration::ZERO));
    if let Asked::Answered(answer) = asked {
        assert!(answer.stdout.contains("deny"), "{}", answer.stdout);
    }
    let again =
        event(&scratch, "PreToolUse", "Write", json!({"file_path": "/etc/x", "content": "x"}));
    let answer = answered(ask(&layout(&scratch), &request(&scratch, &again, Duration::ZERO)));
    assert!(answer.stdout.contains("deny"), "{}", answer.stdout);
    assert_eq!(scratch.tree(), before);
}
