//! A fault at every single system call of an apply: an error or a kill.
//!
//! `strace` injects the fault at the n-th call of one kind. The default run
//! takes a sample; `GATEWRIGHT_CASES` at least as large as the whole list runs
//! all of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use crate::crash::{program, settle};
use crate::fixture::*;
use crate::generations::{SMALL, lay_out, lay_out_generation};

const CALLS: [&str; 27] = [
    "openat2",
    "openat",
    "read",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdirat",
    "mkdir",
    "fchmod",
    "fchown",
    "fsetxattr",
    "fremovexattr",
    "newfstatat",
    "fstat",
    "statx",
    "getdents64",
    "readlink",
    "flock",
    "readlinkat",
    "fcntl",
];

/// One fault: what happens at which call.
#[derive(Debug, Clone)]
struct Fault {
    call: &'static str,
    what: &'static str,
    number: u64,
}

pub fn strace(arguments: &[&str], command: &[&str]) -> ExitStatus {
    let program = program();
    Command::new("strace")
        .args(["-f", "-qq"])
        .args(arguments)
        .arg(&program)
        .args(command)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap()
}

pub fn has_strace() -> bool {
    let found = run("strace", &["-V"]);
    if !found {
        println!("SKIPPED: strace is missing");
    }
    found
}

/// How often the busiest thread makes each call in a run that nothing disturbs.
fn counts(command: &[&str; 2], prepare: fn(&Path)) -> BTreeMap<&'static str, u64> {
    let scratch = Scratch::in_memory();
    let base = scratch.base.path();
    prepare(base);
    let log = base.join("log");
    let traced = format!("trace={}", CALLS.join(","));
    let arguments = ["-o", log.to_str().unwrap(), "-e", &traced];
    let [command, generation] = command;
    assert!(strace(&arguments, &[command, base.to_str().unwrap(), generation]).success());
    let mut by_thread: BTreeMap<(String, &'static str), u64> = BTreeMap::new();
    for line in std::fs::read_to_string(&log).unwrap().lines() {
        let mut words = line.split_whitespace();
        let thread = words.next().unwrap_or_default().to_owned();
        let rest = words.next().unwrap_or_default();
        let name = rest.split('(').next().unwrap_or_default();
        if let Some(call) = CALLS.iter().find(|call| **call == name) {
            *by_thread.entry((thread, call)).or_default() += 1;
        }
    }
    let mut most = BTreeMap::new();
    for ((_, call), count) in by_thread {
        let entry = most.entry(call).or_insert(0);
        *entry = count.max(*entry);
    }
    most
}

fn all_faults(command: &[&str; 2], prepare: fn(&Path)) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (call, count) in counts(command, prepare) {
        for what in ["error=EIO", "error=ENOSPC", "signal=SIGKILL"] {
            faults.extend((1..=count).map(|number| Fault { call, what, number }));
        }
    }
    faults
}

/// The whole list, or a random sample of it.
fn chosen(mut faults: Vec<Fault>, default: u64) -> Vec<Fault> {
    let wanted = usize::try_from(cases(default)).unwrap();
    let whole = faults.len();
    let mut random = Random(seed());
    while faults.len() > wanted {
        let index = usize::try_from(random.below(faults.len() as u64)).unwrap();
        faults.swap_remove(index);
    }
    println!("{} of {whole} faults", faults.len());
    faults
}

fn inject(fault: &Fault, command: &[&str]) -> ExitStatus {
    let text = format!("inject={}:{}:when={}", fault.call, fault.what, fault.number);
    strace(&["-o", "/dev/null", "-e", &text], command)
}

/// Applies a generation under a fault; leaves the base for the caller to judge.
fn disturbed_apply(base: &Path, generation: u64, fault: &Fault) -> ExitStatus {
    lay_out_generation(base, generation - 1);
    inject(fault, &["apply", base.to_str().unwrap(), &generation.to_string()])
}

/// Kills an apply in the midst of its renames, which leaves a recovery the most to do.
fn crash_midway(base: &Path) {
    let (call, number) = crate::MIDWAY;
    let crash = Fault { call, what: "signal=SIGKILL", number };
    assert!(!disturbed_apply(base, 1, &crash).success());
}

/// Applies a generation under each of some faults, and recovers.
fn disturb(generation: u64, prepare: fn(&Path), default: u64) {
    let (mut old, mut new, mut clean) = (0, 0, 0);
    for fault in chosen(all_faults(&["apply", &generation.to_string()], prepare), default) {
        let scratch = Scratch::in_memory();
        let base = scratch.base.path();
        prepare(base);
        let before = scratch.tree();
        let status = disturbed_apply(base, generation, &fault);
        if status.code() == Some(1) {
            assert_eq!(scratch.tree(), before, "{fault:?}: a failed apply left something");
            clean += 1;
        }
        println!("{fault:?} {status}");
        match settle(base, &before, generation) {
            true => new += 1,
            false => old += 1,
        }
    }
    println!("{old} old, {new} new, 0 anything else; {clean} errors were clean at once");
}

#[test]
fn a_fault_at_any_system_call_of_an_apply_leaves_the_old_or_the_new() {
    if has_strace() {
        disturb(1, lay_out, 50);
    }
}

#[test]
fn a_fault_at_any_system_call_of_a_small_apply_leaves_the_old_or_the_new() {
    if has_strace() {
        disturb(SMALL + 1, |base| lay_out_generation(base, SMALL), 50);
    }
}

#[test]
fn a_fault_at_any_system_call_of_a_recovery_is_recovered_too() {
    if !has_strace() {
        return;
    }
    let mut runs = 0;
    for fault in chosen(all_faults(&["recover", ""], crash_midway), 20) {
        let scratch = Scratch::in_memory();
        let base = scratch.base.path();
        lay_out(base);
        let before = scratch.tree();
        crash_midway(base);
        inject(&fault, &["recover", base.to_str().unwrap()]);
        println!("{fault:?}");
        settle(base, &before, 1);
        runs += 1;
    }
    println!("{runs} disturbed recoveries, all settled by the next");
}

#[test]
fn a_file_system_without_nameless_files_is_written_all_the_same() {
    if !has_strace() {
        return;
    }
    for error in ["EOPNOTSUPP", "EPERM"] {
        let scratch = Scratch::in_memory();
        let base = scratch.base.path();
        lay_out(base);
        let before = scratch.tree();
        let text = format!("inject=linkat:error={error}");
        let apply = ["apply", base.to_str().unwrap(), "1"];
        assert!(strace(&["-o", "/dev/null", "-e", &text], &apply).success(), "{error}");
        assert!(settle(base, &before, 1), "{error}: it stands");
    }
}
