//! Asking the person at the client about a change that waits for review.
//!
//! A client that can open an address is asked to show the review page; one that
//! can only show a form asks the person to leave the change or to turn it down.
//! No answer of a client approves anything: it comes from the program that the
//! agent runs in, and approving needs the page or a terminal. So the address
//! carries no code, and a form knows no "accept".
//!
//! On the wire with sessions the question is a request of ours. On the wire
//! without, it travels in the result, and the call comes back with the answer;
//! what comes back names the change, which is then looked up in the caller's run.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientResult, CustomNotification, ElicitRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema,
    InputRequest, InputRequests, InputRequiredResult, ProtocolVersion, ServerNotification,
    ServerRequest, StringSchema,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use serde_json::json;

use super::answer::Sent;
use super::server::{blocking, result};
use super::tools::{Call, wait_for_review};
use crate::up::page_address;

/// How long a call may take for the person; many clients give up on one after a minute.
const PATIENCE_SECONDS: u64 = 50;
/// The one question of a call.
const QUESTION: &str = "review";
const STATE: &str = "change:";
const REJECT: &str = "reject";
const LATER: &str = "leave";

/// How this client can ask its person.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Way {
    Page(String),
    Form,
}

impl Way {
    /// What the client says it can, as far as there is something to show.
    fn of(call: &Call, context: &RequestContext<RoleServer>) -> Option<Self> {
        let can = context.client_capabilities()?.elicitation?;
        if can.url.is_some()
            && let Some(address) = page_address(call.engine.layout())
        {
            return Some(Self::Page(address));
        }
        // A client of an older revision says only that it asks, and means forms.
        (can.form.is_some() || can.url.is_none()).then_some(Self::Form)
    }
}

/// The change that a call has staged and that a person can still apply.
fn waiting_change(call: &Call, sent: &Sent) -> Option<String> {
    let is_staged = sent.structured["outcome"] == "staged";
    let can_apply = || call.engine.autonomy().is_ok_and(|autonomy| !autonomy.suggest_only);
    let id = sent.structured["change_id"].as_str()?;
    (is_staged && can_apply()).then(|| id.to_owned())
}

/// Answers a call: asks first where its change waits and the client can ask.
pub async fn answer(
    call: Call,
    sent: Sent,
    context: &RequestContext<RoleServer>,
) -> CallToolResponse {
    let (Some(id), Some(way)) = (waiting_change(&call, &sent), Way::of(&call, context)) else {
        return result(sent).into();
    };
    let question = question(&way, &id, &sent);
    let asks_in_results = context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    if asks_in_results {
        return in_the_result(question, &id);
    }
    let options = PeerRequestOptions::with_timeout(Duration::from_secs(PATIENCE_SECONDS));
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(question));
    let said = match context.peer.send_request_with_option(request, options).await {
        Ok(handle) => handle.await_response().await.ok(),
        Err(_) => None,
    };
    let Some(ClientResult::ElicitResult(said)) = said else { return result(sent).into() };
    let done = follow(Arc::new(call), &id, said, context).await;
    if matches!(way, Way::Page(_)) {
        let params = json!({"elicitationId": id});
        let done = CustomNotification::new("notifications/elicitation/complete", Some(params));
        let done = ServerNotification::CustomNotification(done);
        // A client that does not listen loses nothing.
        let _ = context.peer.send_notification(done).await;
    }
    result(done.unwrap_or(sent)).into()
}

/// The call that came back with the answer to our question; `None` for any other.
pub async fn resume(
    call: &Call,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Option<CallToolResponse> {
    let id = request.request_state.as_deref()?.strip_prefix(STATE).unwrap_or_default().to_owned();
    let call = Arc::new(call.clone());
    let now = wait_for_review::look(&call, &id).await;
    if now.is_error {
        return Some(result(now).into());
    }
    let said = request.input_responses.as_ref().and_then(|all| all.get(QUESTION));
    let said = said.and_then(|said| serde_json::from_value::<ElicitResult>(said.clone()).ok());
    let is_open = now.structured["decided"] != true;
    let done = match said {
        Some(said) => follow(call, &id, said, context).await,
        // Answers, and none to our question: it is asked again.
        None if request.input_responses.is_some() && is_open => {
            let files = now.structured["change"]["files"].clone();
            let sent = Sent { structured: json!({"files": files}), ..still_waiting(&id, &now) };
            let way = Way::of(&call, context);
            return Some(match way {
                Some(way) => in_the_result(question(&way, &id, &sent), &id),
                None => result(still_waiting(&id, &now)).into(),
            });
        }
        None => None,
    };
    Some(result(done.unwrap_or_else(|| still_waiting(&id, &now))).into())
}

/// The question as a result of the wire without sessions.
fn in_the_result(question: ElicitRequestParams, id: &str) -> CallToolResponse {
    let request = InputRequest::Elicitation(ElicitRequest::new(question));
    let requests = InputRequests::from([(QUESTION.to_owned(), request)]);
    InputRequiredResult::new(Some(requests), Some(format!("{STATE}{id}"))).into()
}

/// Does what the person's answer asks for; `None` where the change just goes on waiting.
async fn follow(
    call: Arc<Call>,
    id: &str,
    said: ElicitResult,
    context: &RequestContext<RoleServer>,
) -> Option<Sent> {
    if said.action != ElicitationAction::Accept {
        return None;
    }
    let content = said.content.unwrap_or_default();
    let waited = match content["decision"].as_str() {
        Some(REJECT) => {
            let comment = content["comment"].as_str().map(str::to_owned);
            turn_down(&call, id, comment).await;
            wait_for_review::look(&call, id).await
        }
        Some(_) => return None,
        // The page was opened: what is decided there is waited for.
        None => wait_for_review::hold(&call, id, PATIENCE_SECONDS, context).await,
    };
    (waited.structured["decided"] == true).then(|| decided(id, waited))
}

/// Turning down is no approval: the change is taken back, and the receipt says how.
async fn turn_down(call: &Arc<Call>, id: &str, comment: Option<String>) {
    let (call, id) = (Arc::clone(call), id.to_owned());
    let work = move || {
        let reviewer = format!("form of {}", call.caller.agent.name);
        let comment = comment.as_deref().filter(|comment| !comment.is_empty());
        match call.engine.reject_staged(&id, &reviewer, comment) {
            Ok(_) => Sent { text: String::new(), structured: json!({}), is_error: false },
            Err(error) => Sent::failure(&error),
        }
    };
    // Somebody may have settled it in the meantime: then that holds.
    let _ = blocking(work).await;
}

fn decided(id: &str, waited: Sent) -> Sent {
    let review = waited.structured;
    let state = review["change"]["state"].clone();
    let is_turned_down = review["accepted"] == 0;
    let mut structured = json!({"outcome": state, "change_id": id, "review": review});
    if is_turned_down {
        structured["error"] = "a person has turned the change down".into();
        structured["code"] = "rejected-by-person".into();
        structured["recoverable"] = true.into();
    }
    Sent { text: waited.text, structured, is_error: is_turned_down }
}

fn still_waiting(id: &str, now: &Sent) -> Sent {
    if now.structured["decided"] == true {
        let (text, structured) = (now.text.clone(), now.structured.clone());
        return decided(id, Sent { text, structured, is_error: false });
    }
    let next = super::answer::staged_next(id);
    let text = format!("staged, waiting for review\nchange {id}; {next}");
    let structured = json!({"outcome": "staged", "change_id": id, "next": next});
    Sent { text, structured, is_error: false }
}

fn question(way: &Way, id: &str, sent: &Sent) -> ElicitRequestParams {
    let files: Vec<&str> = sent.structured["files"]
        .as_array()
        .map(|files| files.iter().filter_map(|file| file["path"].as_str()).collect())
        .unwrap_or_default();
    let message = format!("A change waits for your review: {} (change {id}).", files.join(", "));
    let findings = sent.structured["findings"].as_array().map_or(0, Vec::len);
    let message = match findings {
        0 => message,
        count => format!("{message} The guards have {count} findings."),
    };
    match way {
        Way::Page(address) => ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message: format!("{message} Open the review page?"),
            url: address.clone(),
            elicitation_id: id.to_owned(),
        },
        Way::Form => ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: format!(
                "{message} Nothing is written until you accept it with `gatewright review` in a \
                 terminal or on the page of `gatewright up`. Here you can turn it down."
            ),
            requested_schema: form(),
        },
    }
}

fn form() -> ElicitationSchema {
    let choices = vec![LATER.to_owned(), REJECT.to_owned()];
    let titles = vec!["Leave it for review".to_owned(), "Reject it".to_owned()];
    let choices = EnumSchema::builder(choices);
    let choices = choices.enum_titles(titles).map(|choices| choices.build());
    let mut form = ElicitationSchema::builder();
    if let Ok(choices) = choices {
        form = form.required_enum_schema("decision", choices);
    }
    let comment = StringSchema::new().title("What the agent should know");
    form.string_property("comment", |_| comment).build_unchecked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_no_way_to_accept() {
        let form = serde_json::to_value(form()).unwrap();
        let choices = form["properties"]["decision"].to_string();
        assert!(choices.contains(REJECT) && choices.contains(LATER), "{form}");
        assert!(!form.to_string().contains("accept"), "{form}");
        assert_eq!(form["required"], json!(["decision"]));
    }
}
