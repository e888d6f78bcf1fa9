//! A process that is killed while it appends leaves a sound ledger.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests start and kill real processes"
)]

mod sample;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use gatewright_ledger::{Durability, Ledger, Signer, Verdict, VerifyOptions};
use gatewright_testkit::{Random, cases, seed};
use sample::{Folder, ORIGIN, body};

const FOLDER: &str = "GATEWRIGHT_LEDGER_KILL_FOLDER";
const FIRST: &str = "GATEWRIGHT_LEDGER_KILL_FIRST";

fn open(folder: &Path) -> Ledger {
    let signer = Signer::load_or_create(&folder.join("key")).unwrap();
    Ledger::open(&folder.join("ledger.db"), ORIGIN, signer, Durability::Full).unwrap()
}

/// Not a test by itself: what the processes do that the other test starts.
#[test]
fn appends_until_killed_when_told_to() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let first: u64 = env::var(FIRST).unwrap().parse().unwrap();
    let ledger = open(Path::new(&folder));
    // An end of its own, should the parent die first.
    for number in first..first + 20_000 {
        ledger.append(body(number)).unwrap();
        if number == first {
            fs::write(Path::new(&folder).join(first.to_string()), "").unwrap();
        }
    }
}

/// Waits until one of the processes has appended something; a slow machine takes its time.
fn wait_for_any(folder: &Path, firsts: [u64; 2]) {
    for _ in 0..3_000 {
        if firsts.iter().any(|first| folder.join(first.to_string()).exists()) {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("no process appended anything");
}

fn start(folder: &Path, first: u64) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "appends_until_killed_when_told_to"])
        .env(FOLDER, folder)
        .env(FIRST, first.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_processes_leave_one_sound_chain() {
    let folder = Folder::new();
    let mut random = Random::new(seed());
    let mut before = 0;
    let rounds = cases(5).min(10_000);
    for round in 0..rounds {
        let first = round * 100_000;
        let mut children = [start(folder.path(), first), start(folder.path(), first + 50_000)];
        // Every other round may end them before they have begun.
        if round % 2 == 0 {
            wait_for_any(folder.path(), [first, first + 50_000]);
        }
        thread::sleep(Duration::from_millis(random.below(150) as u64));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let ledger = open(folder.path());
        let report = ledger.verify(VerifyOptions::default()).unwrap();
        assert_eq!(report.verdict, Verdict::Ok, "round {round}");
        assert!(report.receipts >= before, "what was appended stays");
        ledger.append(body(first + 99_999)).unwrap();
        before = report.receipts + 1;
    }
    assert!(before > rounds, "the processes appended something");
}
