//! The hooks of the agents that people already use: one event in, one answer out.
//!
//! Start reading at [`run`]. `event.rs` recognises the host and reads its form;
//! `tool_call.rs` and `shell/` say what the call would do; `verdict.rs` asks the
//! engine; `reply.rs` words the answer in the fields that the host accepts.
//! What cannot be read and might write is denied; nothing is allowed silently.

mod after;
pub(crate) mod appended;
pub(crate) mod call_place;
mod event;
mod notebook;
mod notes;
pub(crate) mod paths;
mod reply;
mod rewrite;
mod search_replace;
mod seen;
mod shell;
mod shell_files;
mod shell_verdict;
mod tool_call;
mod tool_kind;
mod verdict;

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::time::Duration;

use gatewright_engine::{Engine, Witness};
use gatewright_model::Verdict;

use serde::{Deserialize, Serialize};

use call_place::CallPlace;
use event::{Decoded, Moment};
use paths::Place;
use reply::Reply;
pub(crate) use shell::quoted;
use tool_call::ToolCall;
use verdict::{Decision, Door};

/// The largest event before a call that is looked into; a file of the write guard's largest
/// size fits many times.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// How an agent's shell starts this program.
const PROGRAM: &str = "gatewright";

/// How a hook is run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Options {
    /// How long a call is held for a person; `None` is half of the host's own limit.
    pub wait: Option<Duration>,
    /// The workspace root as the user and the host name it, beside its real path.
    pub root_as_named: Option<PathBuf>,
    /// The user's home, which commands may name.
    #[serde(default)]
    pub home: Option<PathBuf>,
    /// How the agent's shell starts this program, where its plain name does not.
    #[serde(default)]
    pub program: Option<String>,
}

/// What the hook's process prints, and how it ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookAnswer {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// How the process ends.
    pub exit: HookExit,
}

/// The exit codes that hosts tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HookExit {
    /// 0: the answer is on standard output, or there is nothing to say.
    Answered,
    /// 2: the call is blocked, and the reason is on standard error.
    Blocked,
}

/// Answers one event. A failure of ours blocks: hosts take a crash for consent.
pub fn run(engine: &Engine, bytes: &[u8], options: &Options) -> HookAnswer {
    let answer = AssertUnwindSafe(|| answer(engine, bytes, options));
    std::panic::catch_unwind(answer).unwrap_or_else(|_| {
        Reply::blocked("Gatewright came to grief over this call, so it is not run").plain()
    })
}

fn answer(engine: &Engine, bytes: &[u8], options: &Options) -> HookAnswer {
    let event = match event::decode(bytes) {
        Decoded::Event(event) => event,
        Decoded::Unknown => return Reply::nothing().seal(engine),
        Decoded::Garbage(reason) => return Reply::blocked(&reason).seal(engine),
    };
    match event.moment {
        Moment::Other => reply::of(&event, &Decision::Neutral).seal(engine),
        Moment::After => {
            after::look(engine, &event);
            after::reply(engine, &event).seal(engine)
        }
        Moment::Before if bytes.len() > MOST_BYTES && tool_kind::may_write(&event) => {
            let reason = format!(
                "this call is larger than {} MB, so it is not judged and not run. Next: write less \
                 at once",
                MOST_BYTES / 1024 / 1024
            );
            reply::of(&event, &Decision::Deny(reason)).seal(engine)
        }
        Moment::Before => {
            let mut roots = vec![engine.workspace().root()];
            roots.extend(options.root_as_named.as_deref());
            let home = options.home.as_deref();
            let place = Place::new(&roots, home, event.cwd.as_deref());
            let call = CallPlace::of(engine, &event, place);
            let wait = wait_of(&event, options);
            let program = options.program.as_deref().unwrap_or(PROGRAM);
            let door = Door { engine, event: &event, wait, place: call.place.clone(), program };
            let decision = match tool_call::read(engine, &event, &call) {
                ToolCall::Neutral => Decision::Neutral,
                ToolCall::Unreadable(reason) => Decision::Deny(reason),
                ToolCall::Change(change) => {
                    misread(&door, &call).unwrap_or_else(|| door.judge(&change))
                }
                ToolCall::Shell(command) => shell(&door, &command),
            };
            let decision = decision.fit_to_send(engine);
            if let Decision::Rewrite { note, .. } = &decision {
                // Words that cannot be kept are lost; the call itself is right.
                let _ = notes::keep(engine, &event, note);
            }
            reply::of(&event, &decision).seal(engine)
        }
    }
}

/// The refusal of a call that names a folder and would be refused, or be for a person, by a tool
/// that does not know the field.
fn misread(door: &Door, call: &CallPlace) -> Option<Decision> {
    let otherwise = call.read_otherwise()?;
    let ToolCall::Change(change) = tool_call::read(door.engine, door.event, &otherwise) else {
        return None;
    };
    // What fails without the folder would change nothing there.
    let request = door.request(change.operations);
    let checked = door.engine.check(&request).ok()?;
    let worst = checked.findings.iter().max_by_key(|finding| finding.severity);
    let finding = worst.filter(|_| checked.verdict >= Verdict::Confirm)?;
    let reason = format!(
        "not run: without the folder that the call names, it would change {}: {} [{}]. \
         Next: name the file by its absolute path.",
        finding.path, finding.message, finding.code
    );
    Some(door.deny(request, reason))
}

/// Judges a command. Before it runs the tree is looked at, so that what it does is seen after.
fn shell(door: &Door, command: &str) -> Decision {
    let decision = shell_verdict::judge(door, command);
    if !matches!(decision, Decision::Deny(_)) {
        // Looking is no judgement: a tree that cannot be looked at stops nothing.
        let _ = door.engine.notice_changes(&Witness::nobody());
    }
    decision
}

/// The answer where no engine could be opened: nothing that might write is allowed.
pub fn refuse_all(bytes: &[u8], reason: &str) -> HookAnswer {
    let reason = format!("Gatewright cannot guard this folder, so nothing is written: {reason}");
    match event::decode(bytes) {
        Decoded::Unknown => Reply::nothing().plain(),
        Decoded::Garbage(_) => Reply::blocked(&reason).plain(),
        Decoded::Event(event) if event.moment != Moment::Before => {
            reply::of(&event, &Decision::Neutral).plain()
        }
        Decoded::Event(event) if tool_kind::may_write(&event) => {
            reply::of(&event, &Decision::Deny(reason)).plain()
        }
        Decoded::Event(event) => reply::of(&event, &Decision::Neutral).plain(),
    }
}

/// How long a call with this event may be held.
pub fn longest_wait(bytes: &[u8], options: &Options) -> Duration {
    match event::decode(bytes) {
        Decoded::Event(event) => wait_of(&event, options),
        _ => Duration::ZERO,
    }
}

fn wait_of(event: &event::Event, options: &Options) -> Duration {
    if !event.host.can_rewrite() {
        return Duration::ZERO;
    }
    options.wait.unwrap_or_else(|| event.host.time_limit() / 2)
}
