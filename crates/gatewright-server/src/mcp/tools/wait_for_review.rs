//! `wait_for_review`: returns when a person has settled a staged change, or when time is up.

use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::EngineError;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::changes::{WireChange, wire_change, words};
use super::{Call, Effect, Tool, decode};
use crate::mcp::answer::{Answer, Loose, Sent};
use crate::mcp::server::blocking;
use crate::review_state::ReviewState;

const DEFAULT_SECONDS: u64 = 45;
const MAX_SECONDS: u64 = 3600;
const STEPS_PER_SECOND: u64 = 4;
/// How often a waiting client hears of it.
const STEPS_PER_PROGRESS: u64 = 8;

pub struct WaitForReview;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    change_id: String,
    /// Default 45, at most 3600
    timeout_seconds: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    decided: bool,
    accepted: usize,
    rejected: usize,
    undecided: usize,
    #[schemars(with = "Loose")]
    change: WireChange,
}

impl Tool for WaitForReview {
    const NAME: &'static str = "wait_for_review";
    const TITLE: &'static str = "Wait for review";
    const DESCRIPTION: &'static str = "Wait until a person has settled a staged change; tells \
        what was accepted and rejected, with comments. When time is up, decided is false.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    /// The state now.
    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let review = ReviewState::of(&call.engine, &input.change_id)?;
        if review.change.run_id != call.caller.run_id {
            return Err(EngineError::NoSuchChange { id: input.change_id });
        }
        let tally = review.tally();
        let change = wire_change(&review.change, &review.state, !review.is_open());
        let decided = !review.is_open();
        let text = if decided {
            format!("decided: {}", words(&change))
        } else {
            format!("still waiting for review, nothing is written yet\n{}", words(&change))
        };
        let output = Output {
            decided,
            accepted: tally.accepted,
            rejected: tally.rejected,
            undecided: tally.undecided,
            change,
        };
        Ok(Answer::new(text, output))
    }
}

/// Looks again and again until it is decided, the time is up or the client gives up.
pub async fn run(call: Call, arguments: Value, context: &RequestContext<RoleServer>) -> Sent {
    let input = match decode::<WaitForReview>(arguments) {
        Ok(input) => input,
        Err(sent) => return sent,
    };
    let seconds = input.timeout_seconds.unwrap_or(DEFAULT_SECONDS).min(MAX_SECONDS);
    hold(&Arc::new(call), &input.change_id, seconds, context).await
}

/// The same, for so many seconds.
pub async fn hold(
    call: &Arc<Call>,
    id: &str,
    seconds: u64,
    context: &RequestContext<RoleServer>,
) -> Sent {
    let steps = seconds * STEPS_PER_SECOND;
    for step in 0.. {
        let sent = look(call, id).await;
        let is_decided = sent.is_error || sent.structured["decided"] == Value::Bool(true);
        if is_decided || step >= steps {
            return sent;
        }
        if step % STEPS_PER_PROGRESS == 0 {
            report(context, step, steps).await;
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(1000 / STEPS_PER_SECOND)) => {}
            () = context.ct.cancelled() => return sent,
        }
    }
    Sent::broken("the wait ended without an answer")
}

/// How the change stands now.
pub async fn look(call: &Arc<Call>, id: &str) -> Sent {
    let call = Arc::clone(call);
    let input = Input { change_id: id.to_owned(), timeout_seconds: None };
    blocking(move || match WaitForReview::run(&call, input) {
        Ok(answer) => answer.send(),
        Err(error) => Sent::failure(&error),
    })
    .await
}

async fn report(context: &RequestContext<RoleServer>, step: u64, steps: u64) {
    let Some(token) = context.meta.get_progress_token() else { return };
    let seconds = |steps: u64| (steps / STEPS_PER_SECOND) as f64;
    let mut progress = ProgressNotificationParam::new(token, seconds(step));
    progress.total = Some(seconds(steps));
    progress.message = Some("waiting for a person to review".to_owned());
    // A client that does not listen loses nothing.
    let _ = context.peer.notify_progress(progress).await;
}
