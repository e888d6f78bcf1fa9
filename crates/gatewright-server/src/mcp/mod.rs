//! The MCP server: tools over the engine, on a wire that sends only what was redacted.
//!
//! Start reading at [`serve`]. `wire.rs` reads bounded lines and is the only
//! place that sends; `server.rs` answers the protocol; `tools/` holds one file
//! per tool. Both families of revisions are spoken: `server/discover` with
//! metadata on every request, and `initialize` back to 2024-11-05.

mod answer;
mod asking;
#[cfg(feature = "conformance")]
mod fixtures;
mod frame;
mod http_door;
mod progress;
mod resources;
mod schema;
mod sealed_answers;
mod server;
mod session;
mod stdio;
mod tools;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::Engine;
use rmcp::service::{ServerInitializeError, serve_server};
use tokio::io::{AsyncRead, AsyncWrite};

pub use http_door::{AgentToken, PATH as HTTP_PATH, router as http_router};
use server::Server;
pub use tools::{NAMES as TOOL_NAMES, ToolAnswer, call_tool, code_steps};
use wire::Wire;

use crate::patient::Patient;

/// Why the server could not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The runtime could not be started.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
    /// The client and the server did not find together.
    #[error("the connection failed at its opening: {0}")]
    Opening(String),
    /// The server's own task came to grief.
    #[error("the connection failed: {0}")]
    Connection(String),
}

/// How long running calls may take to end once the client is gone.
const GRACE: Duration = Duration::from_secs(10);

/// Serves one client on standard input and output until it hangs up.
pub fn serve_stdio(engine: Engine) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(ServeError::Start)?;
    let input = stdio::Input::start(Patient(std::io::stdin())).map_err(ServeError::Start)?;
    let output = stdio::Output(Patient(std::io::stdout()));
    let served = runtime.block_on(serve(Arc::new(engine), input, output));
    // A write that has begun is finished; the thread that reads ends with the process.
    runtime.shutdown_timeout(GRACE);
    served
}

/// Serves one client on these streams until it hangs up.
pub async fn serve<R, W>(engine: Arc<Engine>, reader: R, writer: W) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    engine.set_long_lived();
    engine.look_ahead(None);
    let _index = engine.index_in_background();
    let wire = Wire::new(reader, writer, Arc::clone(&engine));
    let running = match serve_server(Server::new(engine), wire).await {
        Ok(running) => running,
        // A client that leaves before it says anything is no failure.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(ServeError::Opening(error.to_string())),
    };
    running.waiting().await.map_err(|error| ServeError::Connection(error.to_string()))?;
    Ok(())
}

/// The tools as the wire lists them, in their fixed order.
pub fn tool_list() -> serde_json::Value {
    serde_json::to_value(tools::list()).unwrap_or_default()
}
