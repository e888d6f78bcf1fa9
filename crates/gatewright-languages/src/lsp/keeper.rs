//! The keeper of a language server: a small process of ours between us and the server, which
//! ends the server with everything that it started as soon as we are gone, however we went.
//!
//! The kernel closes our pipes even when we are killed. The keeper hands its
//! standard input on to the server, sees the end of it, gives the server a
//! moment, and then ends its own process group, itself included.
#![expect(clippy::disallowed_methods, reason = "a process of its own that starts one program")]

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpgrp, getpid, kill_process, kill_process_group};

/// How long a server may take to end by itself once nobody talks to it any more.
const FAREWELL: Duration = Duration::from_millis(500);

/// Runs a program with our pipes until it ends or our input does; then nothing of it is left.
pub fn keep(program: &OsString, arguments: &[OsString]) -> std::io::Result<()> {
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).spawn()?;
    let id = child.id();
    if let Some(mut input) = child.stdin.take() {
        thread::spawn(move || {
            // A server that reads no more is as good as one that is told nothing more.
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut input);
            drop(input);
            thread::sleep(FAREWELL);
            end(id);
        });
    }
    let ended = child.wait();
    end_group();
    ended.map(drop)
}

/// Ends the server, and with it the group where that is ours.
fn end(child: u32) {
    end_group();
    if let Some(child) = i32::try_from(child).ok().and_then(Pid::from_raw) {
        // It may be gone already.
        let _ = kill_process(child, Signal::KILL);
    }
}

/// Ends our process group if we lead it: a group that we do not lead holds others, too.
fn end_group() {
    if getpid() == getpgrp() {
        let _ = kill_process_group(getpgrp(), Signal::KILL);
    }
}
