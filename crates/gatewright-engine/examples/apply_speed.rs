//! How long judging and applying take, without a pipe: one JSON line of nanoseconds.
//!
//! `cargo run --release -p gatewright-engine --example apply_speed -- ROUNDS full|none`
//! with a scratch directory as the working directory. `cargo xtask bench apply` runs it.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a measuring program, not a part of the product"
)]

use std::path::PathBuf;
use std::time::Instant;

use gatewright_engine::{Base, Durability, Engine, EngineOptions, Operation, Request, UserDirs};
use gatewright_model::{Agent, Autonomy, Door, Mode, RequestedPath};

const SIZE: usize = 8 * 1024;
const FILES: usize = 100;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(200);
    let durability = match arguments.next().as_deref() {
        Some("none") => Durability::None,
        _ => Durability::Full,
    };
    let engine = open(durability);
    let check = times(rounds, |round| {
        let _ = engine.check(&request(vec![write("single.txt", round)])).unwrap();
    });
    let single = times(rounds, |round| {
        engine.propose(request(vec![write("single.txt", round)])).unwrap();
    });
    let set = times((rounds / 20).max(5), |round| {
        let operations = (0..FILES).map(|file| write(&format!("set/{file}.txt"), round));
        engine.propose(request(operations.collect())).unwrap();
    });
    println!("{}", serde_json::json!({ "check": check, "write": single, "set": set }));
}

fn open(durability: Durability) -> Engine {
    let here = std::env::current_dir().unwrap();
    let (root, state): (PathBuf, PathBuf) = (here.join("root"), here.join("state"));
    std::fs::create_dir_all(&root).unwrap();
    let dirs = UserDirs { config: here.join("config"), state };
    let mut options = EngineOptions::new(root, dirs, "bench".to_owned());
    options.durability = durability;
    let engine = Engine::open(options).unwrap();
    engine.set_autonomy(Autonomy { mode: Mode::Autonomous, suggest_only: false }).unwrap();
    engine
}

fn request(operations: Vec<Operation>) -> Request {
    let agent = Agent { name: "bench".to_owned(), version: String::new(), door: Door::Cli };
    Request { agent, run_id: "bench".to_owned(), autonomy: None, operations }
}

fn write(path: &str, round: usize) -> Operation {
    let mut content = format!("round {round} of {path}\n");
    while content.len() < SIZE {
        content.push_str("a line of plain text that no guard has anything to say about\n");
    }
    content.truncate(SIZE);
    Operation::Write {
        path: RequestedPath::new(path),
        content: content.into_bytes(),
        base: Base::Current,
    }
}

fn times(rounds: usize, mut work: impl FnMut(usize)) -> Vec<u64> {
    let warm_up = rounds / 10 + 2;
    let mut times = Vec::with_capacity(rounds);
    for round in 0..rounds + warm_up {
        let start = Instant::now();
        work(round);
        if round >= warm_up {
            times.push(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
        }
    }
    times
}
