//! A client that asks for word of a long call hears how far the index is made.

use std::time::{Duration, Instant};

use gatewright_model::Mode;
use gatewright_testkit::Scratch;
use serde_json::{Value, json};

use crate::client::Client;

/// A call that takes this long and never says how far it is leaves its client in the dark.
const LONG: Duration = Duration::from_secs(6);
/// A machine that indexes so many files in less is not known.
const MOST_FILES: usize = 256_000;

/// A project of so many files, no two of which are the same.
fn project(files: usize) -> Scratch {
    let scratch = Scratch::new();
    for file in 0..files {
        let define = |at: usize| format!("def part_{file}_{at}(value):\n    return value + {at}\n");
        let text: Vec<String> = (0..20).map(define).collect();
        scratch.write(format!("shop_{}/part_{file}.py", file / 100), text.join("\n"));
    }
    scratch
}

/// What a client hears while a new project is indexed, and how many files that has: each is
/// larger than the one before, until one takes long enough for a word.
async fn heard_of(tool: &str, arguments: Value) -> (Vec<Value>, usize) {
    let mut files = 1_000;
    while files <= MOST_FILES {
        let scratch = project(files);
        let mut client = Client::start(&scratch, Mode::Autonomous).await;
        let meta = json!({"progressToken": "t-1"});
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let start = Instant::now();
        let answer = client.request("tools/call", params).await;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let mut told = client.notifications;
        told.retain(|told| told["method"] == "notifications/progress");
        if told.iter().any(|told| told["params"]["total"].is_number()) || start.elapsed() >= LONG {
            return (told, files);
        }
        files *= 2;
    }
    panic!("{MOST_FILES} files are not enough to take long");
}

fn assert_says_how_far(told: &[Value], files: usize) {
    let of = |told: &Value, field: &str| told["params"][field].as_f64();
    assert!(told.iter().all(|told| told["params"]["progressToken"] == "t-1"), "{told:?}");
    let steps: Vec<f64> = told.iter().filter_map(|told| of(told, "progress")).collect();
    assert_eq!(steps.len(), told.len(), "{told:?}");
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    let counted: Vec<&Value> = told.iter().filter(|told| of(told, "total").is_some()).collect();
    assert!(!counted.is_empty(), "{told:?}");
    for told in counted {
        assert_eq!(of(told, "total"), Some(files as f64), "{told}");
        assert!(of(told, "progress") < of(told, "total"), "{told}");
        let message = told["params"]["message"].as_str().unwrap();
        let done = of(told, "progress").unwrap();
        let count = format!("indexing the workspace: {done} of {files} files");
        assert!(message.contains(&count), "{told}");
    }
}

/// One thread, as `gatewright mcp` has on stdio.
#[tokio::test(flavor = "current_thread")]
async fn a_first_write_says_how_far_the_workspace_is_indexed() {
    let content = "from shop_0 import part_0\n\npart_0.nobody_wrote_this()\n";
    let write = json!({"path": "desk.py", "content": content});
    let (told, files) = heard_of("write_file", write).await;
    assert_says_how_far(&told, files);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_search_for_a_symbol_says_how_far_the_workspace_is_indexed() {
    let (told, files) = heard_of("symbols", json!({"name": "part_1_0"})).await;
    assert_says_how_far(&told, files);
}
