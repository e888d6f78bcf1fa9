//! Tools that the official conformance suite calls. Behind a feature that only tests turn on.
//!
//! They touch nothing: what is tested is the wire around them, with its sealing
//! of every frame, its questions and its progress.

use std::sync::LazyLock;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientResult,
    ContentBlock, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationSchema, ErrorData,
    InputRequest, InputRequests, InputRequiredResult, ListPromptsResult, ProgressNotificationParam,
    PromptsCapability, ServerCapabilities, ServerRequest, Tool,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

/// A picture of one point.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/// A sound of no length.
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const ERROR: &str = "test_error_handling";
const PROGRESS: &str = "test_tool_with_progress";
const ASKS: &str = "test_elicitation";
const ASKS_IN_RESULT: &str = "test_input_required_result_elicitation";
const ASKS_ON_STREAM: &str = "test_streaming_elicitation";
const LOGS: &str = "test_logging_tool";
const SAMPLES: &str = "test_missing_capability";

/// The tools that answer with fixed content.
static CONTENT: LazyLock<Vec<(&str, Value)>> = LazyLock::new(|| {
    let text = |text: &str| json!({"type": "text", "text": text});
    let picture = json!({"type": "image", "data": PICTURE, "mimeType": "image/png"});
    let sound = json!({"type": "audio", "data": SOUND, "mimeType": "audio/wav"});
    let resource = |uri: &str, kind: &str, text: &str| json!({"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}});
    let embedded =
        resource("test://embedded-resource", "text/plain", "This is an embedded resource content.");
    let mixed = resource(
        "test://mixed-content-resource",
        "application/json",
        r#"{"test":"data","value":123}"#,
    );
    vec![
        ("test_simple_text", json!([text("This is a simple text response for testing.")])),
        ("test_image_content", json!([picture])),
        ("test_audio_content", json!([sound])),
        ("test_embedded_resource", json!([embedded])),
        (
            "test_multiple_content_types",
            json!([text("Multiple content types test:"), picture, mixed]),
        ),
    ]
});

/// The tools as the wire lists them.
pub fn list() -> Vec<Tool> {
    let others = [ERROR, PROGRESS, ASKS, ASKS_IN_RESULT, ASKS_ON_STREAM, LOGS, SAMPLES];
    let names = CONTENT.iter().map(|(name, _)| *name).chain(others);
    let schema = json!({"type": "object"}).as_object().cloned().unwrap_or_default();
    names
        .map(|name| Tool::new(name, "A fixture of the conformance suite.", schema.clone()))
        .collect()
}

/// What the server can, with prompts: the suite asks for their list.
pub fn with_prompts(mut capabilities: ServerCapabilities) -> ServerCapabilities {
    capabilities.prompts = Some(PromptsCapability::default());
    capabilities
}

/// The prompts: none.
pub fn prompts() -> ListPromptsResult {
    ListPromptsResult::default()
}

/// The answer of a fixture; `None` for any other tool.
pub async fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Option<Result<CallToolResponse, ErrorData>> {
    if let Some((_, content)) = CONTENT.iter().find(|(name, _)| *name == request.name) {
        let content = serde_json::from_value(content.clone()).unwrap_or_default();
        return Some(Ok(CallToolResult::success(content).into()));
    }
    Some(Ok(match &*request.name {
        ERROR => {
            let text = "This tool intentionally returns an error for testing";
            CallToolResult::error(vec![ContentBlock::text(text)]).into()
        }
        PROGRESS => with_progress(context).await,
        ASKS => asking(request, context).await,
        ASKS_IN_RESULT | ASKS_ON_STREAM => asking_in_the_result(request),
        LOGS => said("this server sends no log messages".to_owned()),
        SAMPLES => return Some(sampling(context)),
        _ => return None,
    }))
}

/// A tool that would ask the client's model, of a client that may not have said that it can.
fn sampling(context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
    let can = context.client_capabilities().is_some_and(|can| can.sampling.is_some());
    if can {
        return Ok(said("the client can sample".to_owned()));
    }
    #[expect(deprecated, reason = "the suite asks for this capability by its old name")]
    let needed = ClientCapabilities::builder().enable_sampling().build();
    Err(ErrorData::missing_required_client_capability(needed))
}

fn said(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

async fn with_progress(context: &RequestContext<RoleServer>) -> CallToolResponse {
    for step in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let mut progress = ProgressNotificationParam::new(token, step);
            progress.total = Some(100.0);
            let _ = context.peer.notify_progress(progress).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    said("done, with progress".to_owned())
}

fn form(message: &str, fields: &[&str]) -> ElicitRequestParams {
    let mut schema = ElicitationSchema::builder();
    for field in fields {
        schema = schema.required_string(*field);
    }
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: schema.build_unchecked(),
    }
}

async fn asking(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> CallToolResponse {
    let message = request.arguments.as_ref().and_then(|arguments| arguments.get("message"));
    let message = message.and_then(Value::as_str).unwrap_or("What is it?");
    let question = ElicitRequest::new(form(message, &["username", "email"]));
    let answer = context.peer.send_request(ServerRequest::ElicitRequest(question)).await;
    match answer {
        Ok(ClientResult::ElicitResult(ElicitResult { action, content, .. })) => {
            let action = serde_json::to_value(action).unwrap_or_default();
            said(format!(
                "User response: action: {action}, content: {}",
                content.unwrap_or_default()
            ))
        }
        _ => CallToolResult::error(vec![ContentBlock::text("nobody answered")]).into(),
    }
}

fn asking_in_the_result(request: &CallToolRequestParams) -> CallToolResponse {
    let answers = request.input_responses.as_ref();
    let name = answers.and_then(|all| all.get("user_name")?.pointer("/content/name")?.as_str());
    if let Some(name) = name {
        return said(format!("Hello, {name}!"));
    }
    let question =
        InputRequest::Elicitation(ElicitRequest::new(form("What is your name?", &["name"])));
    let requests = InputRequests::from([("user_name".to_owned(), question)]);
    InputRequiredResult::from_input_requests(requests).into()
}
