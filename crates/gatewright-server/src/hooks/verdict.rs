//! What the engine says of a change that a host is about to make.
//!
//! The host writes by itself, so what passes is allowed and nothing more. What
//! a person has to see is staged; the call is held for a while, and is answered
//! before the host's own limit, never with silence.

use std::time::Duration;

use gatewright_engine::{
    Checked, Disposition, Engine, EngineError, HostWrite, Operation, Outcome, Request,
};
use gatewright_model::{Autonomy, Door as ModelDoor, Finding, Guard, Mode, RequestedPath, Verdict};
use serde_json::Value;

use super::event::Event;
use super::paths::Place;
use super::rewrite;
use super::seen;
use super::tool_call::{Change, paths_of_one};
use crate::ready_call;
use crate::review_state::ReviewState;
use crate::stopwatch::Stopwatch;

/// How often the store is asked while a call is held.
const STEP: Duration = Duration::from_millis(200);
/// How many steps a word to hold a call is good for.
const STEPS_PER_LEASE: u32 = 5;
/// How long a second arrival of an event looks for what the first one staged.
const TWIN_STEPS: usize = 5;

/// How a placeholder of the egress guard begins.
const PLACEHOLDER: &str = "[REDACTED:";
const APPLIED_HERE: &str = "Gatewright applied this change itself, with the hidden values kept in \
    place of their placeholders. It is on disk already; do not repeat the call.";

const SAME_ALREADY: &str = "there is nothing to change: the file holds this already, with the \
    hidden values in place of their placeholders. It is on disk already; do not repeat the call.";

/// The answer to a call, whatever the host.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Nothing to say.
    Neutral,
    /// Let it run.
    Allow,
    /// Do not let it run, for this reason.
    Deny(String),
    /// Let the person at the host say, for this reason.
    Ask(String),
    /// Let it run with this input instead.
    Rewrite {
        /// The input.
        input: Value,
        /// What the model should know.
        note: String,
    },
}

impl Decision {
    /// An input that holds what must not go out is not handed out.
    pub fn fit_to_send(self, engine: &Engine) -> Self {
        match self {
            Decision::Rewrite { input, note } => {
                let redacted = engine.egress().redactor().redact_json(input.clone());
                if *redacted.get() == input {
                    return Decision::Rewrite { input, note };
                }
                Decision::Deny(format!("{note} It is on disk already; do not repeat the call."))
            }
            other => other,
        }
    }
}

/// One hook call before a tool runs.
pub struct Door<'a> {
    /// The engine.
    pub engine: &'a Engine,
    /// The event.
    pub event: &'a Event,
    /// How long the call may be held.
    pub wait: Duration,
    /// Where the agent stands.
    pub place: Place,
    /// How the agent's shell starts this program.
    pub program: &'a str,
}

impl Door<'_> {
    /// Judges a change.
    pub fn judge(&self, change: &Change) -> Decision {
        self.try_judge(change).unwrap_or_else(|error| match error {
            // The host would write the placeholders over what is there.
            EngineError::Empty if self.holds_placeholders() => {
                Decision::Deny(SAME_ALREADY.to_owned())
            }
            // The host's tool would leave everything as it is.
            EngineError::Empty => Decision::Allow,
            error => Decision::Deny(failure(&error)),
        })
    }

    fn try_judge(&self, change: &Change) -> Result<Decision, EngineError> {
        let autonomy = self.engine.autonomy()?;
        let request = self.request(change.operations.clone());
        let host_write = self.engine.judge_host_write(&request)?;
        let checked = host_write.checked();
        if checked.verdict == Verdict::Refuse {
            self.record(request)?;
            return Ok(Decision::Deny(self.refusal(&checked)));
        }
        match autonomy.mode {
            Mode::Autonomous if self.holds_placeholders() => self.apply_here(request, change),
            Mode::Manual => {
                self.record(request)?;
                Ok(Decision::Deny(MANUAL.to_owned()))
            }
            Mode::Autonomous if checked.verdict == Verdict::Pass && !autonomy.suggest_only => {
                self.allow(request, host_write)
            }
            _ => self.stage(request, change),
        }
    }

    /// Why a change is refused, and what to do instead, also for an agent without our tools.
    fn refusal(&self, checked: &Checked) -> String {
        let mut text = reason(&checked.findings);
        let structural = checked.findings.iter().find(|f| f.guard == Guard::Structure);
        let Some(finding) = structural else { return text };
        let program = self.program();
        let lines: Vec<String> =
            checked.calls.iter().map(|call| ready_call::to_shell(&program, call)).collect();
        if lines.is_empty() {
            let path = super::shell::quoted(&[&finding.path]);
            text.push_str(&format!(
                "\nWithout the gatewright MCP tools, run: {program} symbols {path}   (it lists the \
                 symbols; {program} edit-code SYMBOL {path} --action replace --body-from - takes \
                 the new text of one)"
            ));
        } else {
            let said = "\nWithout the gatewright MCP tools, run:\n";
            text.push_str(&format!("{said}{}", lines.join("\n")));
        }
        text
    }

    /// How this program is called in the agent's shell.
    fn program(&self) -> String {
        let root = self.engine.workspace().root().to_string_lossy().into_owned();
        match self.place.is_at_root() {
            true => self.program.to_owned(),
            false => format!("{} --root {}", self.program, super::shell::quoted(&[&root])),
        }
    }

    /// The request. It is never applied here, because the host writes by itself.
    pub fn request(&self, operations: Vec<Operation>) -> Request {
        Request {
            agent: self.event.agent(ModelDoor::Hook),
            run_id: self.event.run_id(),
            autonomy: Some(Autonomy { mode: Mode::Hybrid, suggest_only: false }),
            operations,
        }
    }

    /// Whether the model hands back values that were hidden from it.
    ///
    /// The host does not know what they stand for and would write the
    /// placeholder over the value.
    pub fn holds_placeholders(&self) -> bool {
        self.event.input.to_string().contains(PLACEHOLDER)
    }

    /// Applies a change with hidden values, which only the engine can put back.
    fn apply_here(&self, request: Request, change: &Change) -> Result<Decision, EngineError> {
        if !seen::is_first(self.engine, self.event)? {
            return Ok(Decision::Deny(APPLIED_HERE.to_owned()));
        }
        let outcome = self.engine.propose(Request { autonomy: None, ..request })?;
        match &outcome.disposition {
            Disposition::Applied => Ok(Decision::Deny(APPLIED_HERE.to_owned())),
            Disposition::Staged { change_id } => self.hold(change_id, change),
            _ => Ok(Decision::Deny(reason(&outcome.findings))),
        }
    }

    /// Lets the host write, with a receipt of what it may write, once for each call.
    fn allow(&self, request: Request, write: HostWrite) -> Result<Decision, EngineError> {
        let request = Request { autonomy: None, ..request };
        let key = seen::key(self.event);
        self.engine.record_allowed(request, &write, key.as_deref().map(seen::once))?;
        Ok(Decision::Allow)
    }

    /// Denies a change that the guards might pass, with a receipt that says why, once for each call.
    pub fn deny(&self, request: Request, reason: String) -> Decision {
        let recorded = match seen::is_first(self.engine, self.event) {
            Ok(true) => self.engine.record_refused(request, reason.clone()).map(drop),
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        };
        Decision::Deny(recorded.map_or_else(|error| failure(&error), |()| reason))
    }

    /// Leaves the receipt of a refusal, once for each call.
    fn record(&self, request: Request) -> Result<(), EngineError> {
        if seen::is_first(self.engine, self.event)? {
            self.engine.propose(request)?;
        }
        Ok(())
    }

    fn stage(&self, request: Request, change: &Change) -> Result<Decision, EngineError> {
        let id = match self.staged_before(&request)? {
            Some(id) => id,
            None => match self.engine.propose(request)? {
                Outcome { disposition: Disposition::Staged { change_id }, .. } => change_id,
                outcome => return Ok(Decision::Deny(reason(&outcome.findings))),
            },
        };
        self.hold(&id, change)
    }

    /// The same event may arrive twice, even at the same time; it is staged once.
    fn staged_before(&self, request: &Request) -> Result<Option<String>, EngineError> {
        if seen::is_first(self.engine, self.event)? {
            return Ok(None);
        }
        for _ in 0..TWIN_STEPS {
            if let Some(id) = self.open_twin(request)? {
                return Ok(Some(id));
            }
            std::thread::sleep(STEP);
        }
        Ok(None)
    }

    fn open_twin(&self, request: &Request) -> Result<Option<String>, EngineError> {
        let paths = paths_of(&request.operations);
        let open = self.engine.open_changes()?;
        let twin = open.iter().rev().find(|change| {
            change.run_id == request.run_id
                && change.files.iter().all(|file| paths.contains(&&file.requested))
        });
        Ok(twin.map(|change| change.id.clone()))
    }

    /// Waits until the change is settled or the time is up.
    fn hold(&self, id: &str, change: &Change) -> Result<Decision, EngineError> {
        let decision = self.hold_until_settled(id, change);
        self.engine.release_change(id)?;
        decision
    }

    fn hold_until_settled(&self, id: &str, change: &Change) -> Result<Decision, EngineError> {
        let watch = Stopwatch::start();
        let mut step: u32 = 0;
        loop {
            let left = self.wait.saturating_sub(watch.elapsed());
            let review = ReviewState::of(self.engine, id)?;
            if !review.is_open() || left.is_zero() {
                return Ok(self.settled(&review, change));
            }
            if let Some(decision) = self.take_over(&review, change)? {
                return Ok(decision);
            }
            if step.is_multiple_of(STEPS_PER_LEASE) {
                self.engine.hold_change(id)?;
            }
            step += 1;
            std::thread::sleep(STEP.min(left));
        }
    }

    /// Carries out what a person handed over: by the host's own call, or else here.
    fn take_over(
        &self,
        review: &ReviewState,
        change: &Change,
    ) -> Result<Option<Decision>, EngineError> {
        let id = &review.change.id;
        let Some(word) = self.engine.handed_over(id)? else { return Ok(None) };
        let accepted = review.change.accepted();
        let input = rewrite::accepted_input(self.event, change, &accepted, &self.place)
            .filter(|input| !self.holds_placeholders() && self.may_send(input));
        match input {
            None => {
                // What does not go through is told to the person, who waits for it.
                let _ = self.engine.apply_handed_over(id, &word);
                Ok(None)
            }
            Some(input) => match self.engine.take_over(id, &word) {
                Ok(_) => Ok(Some(Decision::Rewrite { input, note: handed_note(review) })),
                Err(_) => Ok(None),
            },
        }
    }

    /// Whether an input holds nothing that must not go out.
    fn may_send(&self, input: &Value) -> bool {
        let redacted = self.engine.egress().redactor().redact_json(input.clone());
        *redacted.get() == *input
    }

    fn settled(&self, review: &ReviewState, change: &Change) -> Decision {
        let id = &review.change.id;
        let said = not_accepted(review);
        match review.state.as_str() {
            "open" => Decision::Deny(format!(
                "staged, not applied: a person has to review this change first.{} Next: ask them \
                 to run `gatewright review {id}`, and go on with something else; do not repeat the \
                 call.",
                asked(&review.change.findings)
            )),
            "applied" => {
                let note = format!(
                    "A person reviewed this change and Gatewright applied what was accepted \
                     ({}).{said}",
                    parts(review)
                );
                self.rewritten(review, change, note)
            }
            "rejected" => Decision::Deny(format!("A person rejected this change.{said}")),
            state => Decision::Deny(format!(
                "this change is {state}; a later one of this session took its place"
            )),
        }
    }

    /// The call with what was accepted, where the host can still make it.
    ///
    /// A host does not write over a file that changed since it read it, and
    /// Gatewright has just written it. So only the making of a new file goes on;
    /// everything else is done, and the model is told so.
    fn rewritten(&self, review: &ReviewState, change: &Change, note: String) -> Decision {
        let done = format!("{note} It is on disk already; do not repeat the call.");
        let is_new = review.change.files.iter().all(|file| file.before.is_none());
        let Some((field, path)) = change.whole.as_ref().filter(|_| is_new) else {
            return Decision::Deny(done);
        };
        let Some(text) = super::notebook::text_on_disk(self.engine, path) else {
            return Decision::Deny(done);
        };
        let mut input = self.event.input.clone();
        input[*field] = Value::String(text);
        Decision::Rewrite { input, note }
    }
}

/// What the model is told when its own call goes on with less.
fn handed_note(review: &ReviewState) -> String {
    format!(
        "A person reviewed this change, and the call was made with what was accepted ({}).{}",
        parts(review),
        not_accepted(review)
    )
}

fn parts(review: &ReviewState) -> String {
    let tally = review.tally();
    let all = tally.accepted + tally.rejected + tally.undecided;
    format!("{} of {all} parts", tally.accepted)
}

fn not_accepted(review: &ReviewState) -> String {
    let said = review.rejections().join("; ");
    if said.is_empty() { said } else { format!(" Not accepted: {said}.") }
}

fn paths_of(operations: &[Operation]) -> Vec<&RequestedPath> {
    operations.iter().flat_map(paths_of_one).collect()
}

/// What the guards want a person to look at.
fn asked(findings: &[Finding]) -> String {
    let text: Vec<String> = findings.iter().map(|finding| finding.message.clone()).collect();
    if text.is_empty() { String::new() } else { format!(" The guards ask: {}.", text.join("; ")) }
}

/// Why manual mode says no.
pub const MANUAL: &str = "this workspace is in manual mode: agents change no files. Next: show the \
    change to the person, who makes it or switches the mode";

/// Findings as a reason and the next step.
pub fn reason(findings: &[Finding]) -> String {
    let strictest = findings.iter().map(|finding| finding.severity).max();
    let worst = findings.iter().filter(|finding| Some(finding.severity) == strictest);
    let texts: Vec<String> = worst.map(reason_of).collect();
    if texts.is_empty() { "refused".to_owned() } else { texts.join("\n") }
}

fn reason_of(finding: &Finding) -> String {
    let Finding { path, message, code, .. } = finding;
    let mut text = if message.contains(path.as_str()) {
        format!("{message} [{code}]")
    } else {
        format!("{path}: {message} [{code}]")
    };
    let hint = finding.hint.as_deref().unwrap_or_default();
    if !message.contains(hint) {
        text.push_str(&format!("\nNext: {hint}"));
    }
    text
}

/// A failure as a reason and the next step.
pub fn failure(error: &EngineError) -> String {
    let hint = error.hint().map(|hint| format!("\nNext: {hint}")).unwrap_or_default();
    format!("{error} [{}]{hint}", error.code())
}
