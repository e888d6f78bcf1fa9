//! The one long-running process of a workspace: the review page and its API.
//!
//! Start reading at [`run`]. A lock decides who serves; a second start asks the
//! first, over a socket that only this user can open, for the address with a
//! fresh one-time code. `serve.rs` owns the connections, `control.rs` the socket,
//! `runtime.rs` the files that tell others where it is. Hooks ask over the same
//! socket ([`ask`]), and so do other processes that need a language server
//! ([`servers_of`]); `watch_tree.rs` sees what passes no door.

mod ask;
mod code_asker;
mod code_desk;
mod control;
pub mod demo;
mod hook_socket;
mod io;
mod message;
mod runtime;
mod serve;
mod watch_tree;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::Engine;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::http::{self, App};
use crate::mcp::{self, AgentToken};
pub use ask::{Asked, ask};
pub use code_asker::servers_of;
pub use hook_socket::{Request as HookRequest, Surroundings};
use runtime::{Place, Runtime};

/// Why `up` could not start or go on.
#[derive(Debug, thiserror::Error)]
pub enum UpError {
    /// A file, a socket or the runtime failed.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The system's words.
        source: std::io::Error,
    },
    /// The system gave no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
    /// Another process holds the workspace and does not answer.
    #[error("another `gatewright up` serves this folder and does not answer")]
    Silent,
}

impl UpError {
    fn io(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { doing, source }
    }
}

/// What `up` came to, told as soon as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// This process serves.
    Serving {
        /// The address of the page, with a one-time code.
        url: String,
    },
    /// Another process serves already.
    Attached {
        /// The address of its page, with a fresh one-time code.
        url: String,
    },
}

/// The file with the token that agents show to the MCP server of a running `up`.
pub fn agent_token_file(layout: &gatewright_engine::Layout) -> std::path::PathBuf {
    Place::of(layout).token
}

/// The address of the review page of a running `up`; it opens nothing by itself.
pub fn page_address(layout: &gatewright_engine::Layout) -> Option<String> {
    control::page_address(&Place::of(layout))
}

/// Something to do once the page is served.
pub type Script = Box<dyn FnOnce(Arc<Engine>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// How long open requests may take to end.
const GRACE: Duration = Duration::from_secs(3);

/// Serves the workspace until a signal comes, or attaches to who serves it already.
pub fn run(
    engine: Engine,
    reviewer: String,
    script: Option<Script>,
    on_ready: &mut dyn FnMut(Ready),
) -> Result<(), UpError> {
    let place = Place::of(engine.layout());
    let Some(lock) = place.lock().map_err(UpError::io("cannot lock the state directory"))? else {
        let url = control::ask_for_url(&place)?;
        on_ready(Ready::Attached { url });
        return Ok(());
    };
    // Others ask this process for its language servers, and it stays.
    engine.language_servers().keep_to_own();
    engine.set_long_lived();
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(16)
        .enable_all()
        .build()
        .map_err(UpError::io("cannot start the runtime"))?;
    let served = tokio.block_on(serve_until_signal(engine, reviewer, script, &place, on_ready));
    tokio.shutdown_timeout(GRACE);
    place.clear();
    drop(lock);
    served
}

async fn serve_until_signal(
    engine: Engine,
    reviewer: String,
    script: Option<Script>,
    place: &Place,
    on_ready: &mut dyn FnMut(Ready),
) -> Result<(), UpError> {
    let mut interrupt = signal(SignalKind::interrupt()).map_err(UpError::io("no signals"))?;
    let mut terminate = signal(SignalKind::terminate()).map_err(UpError::io("no signals"))?;
    let mut hang_up = signal(SignalKind::hangup()).map_err(UpError::io("no signals"))?;
    // Loopback and nothing else; the system chooses the port.
    let listener = TcpListener::bind(("127.0.0.1", 0))
        .await
        .map_err(UpError::io("cannot listen on loopback"))?;
    let port = listener.local_addr().map_err(UpError::io("cannot listen on loopback"))?.port();
    let app = Arc::new(App::new(Arc::new(engine), reviewer, port).map_err(UpError::Random)?);
    // What an earlier process left when it was killed.
    place.clear();
    let control = control::bind(place).map_err(UpError::io("cannot open the control socket"))?;
    place
        .write(&Runtime { pid: std::process::id(), port })
        .map_err(UpError::io("cannot write the runtime file"))?;
    let token = AgentToken::fresh().map_err(UpError::Random)?;
    place.write_token(token.as_str()).map_err(UpError::io("cannot write the agents' token"))?;
    // Everything that the first lines name is there before they are printed.
    on_ready(Ready::Serving { url: app.fresh_url().map_err(UpError::Random)? });
    let index = app.engine.index_in_background();
    tokio::spawn(control::serve(control, Arc::clone(&app)));
    tokio::spawn(http::watch_for_events(Arc::clone(&app)));
    tokio::spawn(watch_tree::run(Arc::clone(&app)));
    if let Some(script) = script {
        tokio::spawn(script(Arc::clone(&app.engine)));
    }
    let mcp = mcp::http_router(Arc::clone(&app.engine), token, port);
    let router = mcp.merge(http::router(Arc::clone(&app)));
    let connections = serve::serve(listener, router, Arc::clone(&app));
    tokio::pin!(connections);
    tokio::select! {
        () = &mut connections => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
    }
    app.stop();
    drop(index);
    // Open requests may end; a stream ends at once.
    let _ = tokio::time::timeout(GRACE, connections).await;
    Ok(())
}
