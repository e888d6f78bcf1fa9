//! The protocol's questions: who are you, which tools, call this one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::Engine;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ContentBlock, ErrorData, Implementation,
    ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
    ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::answer::Sent;
use super::asking;
use super::progress;
use super::resources;
use super::session::Session;
use super::tools::{self, Call, Run};

const INSTRUCTIONS: &str = "Gatewright guards this workspace. Read, search and change files with \
    these tools; paths are relative to the workspace root. Every change is judged: it is applied, \
    staged until a person has reviewed it, or refused with the next call to make. Send the digest \
    of read_file back as `expect` so that nobody's work is overwritten. Secrets read as \
    [REDACTED:kind]; leave such a placeholder as it is. No tool approves a change or switches a \
    guard off.";

const GRIEF: &str = "the call came to grief; nothing more is known";

/// How often it is looked whether there is something new to read.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The handler of one connection.
pub struct Server {
    engine: Arc<Engine>,
    session: Session,
}

impl Server {
    /// A handler over the engine of a workspace.
    pub fn new(engine: Arc<Engine>) -> Self {
        Self { engine, session: Session::new() }
    }

    /// A handler that shares a run with others: requests that keep no connection.
    pub fn in_run(engine: Arc<Engine>, run: String) -> Self {
        Self { engine, session: Session::of_run(run) }
    }

    /// The same, for a task of its own.
    fn teller(&self) -> Self {
        Self::new(Arc::clone(&self.engine))
    }

    /// Has the second witness of references heard, while the client has its answer already.
    fn hear_witnesses(&self) {
        if self.engine.has_unheard() {
            let engine = Arc::clone(&self.engine);
            // What is not recorded is not said; the first answer stands.
            drop(tokio::task::spawn_blocking(move || engine.hear_witnesses()));
        }
    }

    /// Tells when what there is to read has changed, until telling fails or nobody listens.
    async fn tell_of_changes<F: Future<Output = bool>>(&self, tell: impl Fn() -> F) {
        let mut seen = self.resource_state().await;
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let now = self.resource_state().await;
            if now != seen && !tell().await {
                return;
            }
            seen = now;
        }
    }

    async fn resource_state(&self) -> Option<resources::State> {
        let engine = Arc::clone(&self.engine);
        tokio::task::spawn_blocking(move || resources::state(&engine)).await.ok().flatten()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_list_changed()
            .build();
        #[cfg(feature = "conformance")]
        let capabilities = super::fixtures::with_prompts(capabilities);
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("gatewright", env!("CARGO_PKG_VERSION"));
        info.server_info.title = Some("Gatewright".to_owned());
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let (engine, caller) =
            (Arc::clone(&self.engine), self.session.caller(context.client_info()));
        let listed = tokio::task::spawn_blocking(move || resources::list(&engine, &caller)).await;
        let listed = listed.map_err(|_| ErrorData::internal_error(GRIEF, None))?;
        let listed = listed.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let list = ListResourcesResult::with_all_items(listed);
        Ok(list.with_cache_scope(CacheScope::Private).with_ttl_ms(0))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (engine, caller) =
            (Arc::clone(&self.engine), self.session.caller(context.client_info()));
        let uri = request.uri;
        let read = tokio::task::spawn_blocking(move || resources::read(&engine, &caller, &uri));
        let read = read.await.map_err(|_| ErrorData::internal_error(GRIEF, None))?;
        let read = read.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let contents = read.ok_or_else(|| ErrorData::invalid_params("no such resource", None))?;
        let result = ReadResourceResult::new(vec![contents]);
        Ok(result.with_cache_scope(CacheScope::Private).with_ttl_ms(0).into())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (peer, teller) = (context.peer.clone(), self.teller());
        tokio::spawn(async move {
            teller
                .tell_of_changes(|| async { peer.notify_resource_list_changed().await.is_ok() })
                .await;
        });
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let sink = context.sink().clone();
        tokio::select! {
            () = self.tell_of_changes(|| async { sink.notify_resource_list_changed().await.is_ok() }) => {}
            () = context.cancelled() => {}
        }
        Ok(())
    }

    /// There are no prompts, and none are declared.
    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        #[cfg(feature = "conformance")]
        return Ok(super::fixtures::prompts());
        #[cfg(not(feature = "conformance"))]
        Err(ErrorData::method_not_found::<rmcp::model::ListPromptsRequestMethod>())
    }

    /// Nothing is declared that could be completed.
    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::list();
        #[cfg(feature = "conformance")]
        let tools = [tools, super::fixtures::list()].concat();
        let list = ListToolsResult::with_all_items(tools);
        Ok(list.with_cache_scope(CacheScope::Private).with_ttl_ms(300_000))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        #[cfg(feature = "conformance")]
        if let Some(answer) = super::fixtures::call(&request, &context).await {
            return answer;
        }
        let Some(tool) = tools::find(&request.name) else {
            let text =
                format!("unknown tool {:?}", request.name.chars().take(80).collect::<String>());
            return Err(ErrorData::invalid_params(text, None));
        };
        let caller = self.session.caller(context.client_info());
        let call = Call { engine: Arc::clone(&self.engine), caller };
        if let Some(answer) = asking::resume(&call, &request, &context).await {
            return Ok(answer);
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let read = tool.path_read(&arguments);
        let asker = call.clone();
        let sent = match tool.run {
            Run::Short(run, is_short)
                if has_one_thread()
                    && !progress::is_asked(&context)
                    && is_short(&call, &arguments) =>
            {
                here(move || run(&call, arguments))
            }
            Run::Short(run, _) | Run::AtOnce(run) => {
                let work = blocking(move || run(&call, arguments));
                progress::telling(&self.engine, &context, work).await
            }
            Run::Waiting => tools::wait_for_review::run(call, arguments, &context).await,
        };
        let answer = asking::answer(asker, sent, &context).await;
        self.hear_witnesses();
        if read.is_some() {
            self.engine.look_ahead(read);
        }
        Ok(answer)
    }
}

/// Whether one thread serves one client: then changes wait for each other in any case.
fn has_one_thread() -> bool {
    Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread
}

/// Runs engine work on this thread, which spares two hand-overs; a panic becomes an answer.
fn here(work: impl FnOnce() -> Sent) -> Sent {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Sent::broken(GRIEF))
}

/// Runs engine work off the event loop; a panic becomes an answer.
pub async fn blocking(work: impl FnOnce() -> Sent + Send + 'static) -> Sent {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Sent::broken(GRIEF))
}

/// An answer as the protocol has it.
pub fn result(sent: Sent) -> CallToolResult {
    let content = vec![ContentBlock::text(sent.text)];
    let mut result = if sent.is_error {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = Some(sent.structured);
    result
}
