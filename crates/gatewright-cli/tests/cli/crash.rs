//! The whole binary killed at any moment: old or new, and a receipt exactly where it is new.

use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use gatewright_testkit::{Random, cases, seed};

use crate::gate::Gate;

const FILES: usize = 12;

fn change_set(round: usize) -> String {
    let changes: Vec<String> = (0..FILES)
        .map(|file| format!(r#"{{"op":"write","path":"f{file}.txt","content":"round {round}\n"}}"#))
        .collect();
    format!(r#"{{"changes":[{}]}}"#, changes.join(","))
}

#[test]
fn a_kill_leaves_all_old_or_all_new_and_a_receipt_just_for_the_new() {
    let mut random = Random::new(seed());
    let gate = Gate::autonomous();
    let started = std::time::Instant::now();
    let first = gate.run_with(&["propose"], change_set(0));
    // Kills fall anywhere from the start to a little past the end of such a run.
    let window = usize::try_from(started.elapsed().as_micros()).unwrap() * 5 / 4;
    assert_eq!(first.code, Some(0), "{first}");
    let mut landed = 0;
    for round in 1..=cases(12) as usize {
        kill_during(&gate, round, Duration::from_micros(random.below(window) as u64));
        // The next start mends what the kill left.
        gate.ok(&["doctor"]);
        let contents: Vec<String> =
            (0..FILES).map(|file| gate.scratch.read_text(format!("f{file}.txt"))).collect();
        assert!(contents.iter().all(|text| *text == contents[0]), "torn: {contents:?}");
        let is_new = contents[0] == format!("round {round}\n");
        landed += usize::from(is_new);
        let (list, _) = gate.json(&["receipts", "list", "--action", "apply", "--limit", "500"], "");
        let receipts = list["receipts"].as_array().unwrap().len();
        assert_eq!(
            receipts,
            1 + landed,
            "round {round}: a receipt without its write or the reverse"
        );
    }
    let names: Vec<_> = std::fs::read_dir(gate.scratch.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('f'))
        .collect();
    assert!(names.is_empty(), "leftovers: {names:?}");
    let (report, code) = gate.json(&["receipts", "verify"], "");
    assert_eq!(code, Some(0), "{report}");
}

fn kill_during(gate: &Gate, round: usize, after: Duration) {
    let mut command = gate.command();
    command.args(["propose"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(change_set(round).as_bytes());
    std::thread::sleep(after);
    let _ = child.kill();
    let _ = child.wait();
}

#[test]
fn a_database_that_another_process_holds_is_waited_for_or_named() {
    if !gatewright_testkit::has_program("python3") {
        gatewright_testkit::skip!("python3 is missing, so the database cannot be held");
    }
    let gate = Gate::autonomous();
    let database = crate::bad_input::database_of(&gate);
    let script = "import sqlite3,sys\nc=sqlite3.connect(sys.argv[1],isolation_level=None)\n\
        c.execute('begin exclusive')\nprint('held',flush=True)\nsys.stdin.read()\n";
    let mut holder = std::process::Command::new("python3")
        .args(["-c", script])
        .arg(database)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    use std::io::BufRead;
    std::io::BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let run = gate.write("a.txt", "x\n");
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_eq!(run.code, Some(3), "{run}");
    assert!(!gate.scratch.has("a.txt"));
    assert_eq!(gate.write("a.txt", "x\n").code, Some(0));
}
