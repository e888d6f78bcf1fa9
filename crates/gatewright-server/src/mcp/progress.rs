//! Word of what a long call is doing, for a client that asked for it.

use std::time::Duration;

use gatewright_engine::Engine;
use gatewright_engine::languages::lsp::running::State;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;

use super::answer::Sent;

/// How often it is told. A call that is done before says nothing.
const EVERY: Duration = Duration::from_millis(500);

/// Does the work, and tells in the meantime what it waits for.
pub async fn telling(
    engine: &Engine,
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Sent>,
) -> Sent {
    let Some(token) = context.meta.get_progress_token() else { return work.await };
    tokio::pin!(work);
    let mut step = 0.0;
    loop {
        tokio::select! {
            sent = &mut work => return sent,
            () = tokio::time::sleep(EVERY) => {}
        }
        step += 1.0;
        let mut progress = ProgressNotificationParam::new(token.clone(), step);
        progress.message = Some(doing(engine));
        // A client that does not listen loses nothing.
        let _ = context.peer.notify_progress(progress).await;
    }
}

/// What takes the time, as far as is known.
fn doing(engine: &Engine) -> String {
    let servers = engine.language_servers().under_way();
    let words = servers.iter().map(|(name, state)| match state {
        State::Loading(Some(part)) => format!("{name} reads the project: {part}"),
        State::Loading(None) => format!("{name} reads the project"),
        _ => format!("{name} is starting"),
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { "indexing the workspace".to_owned() } else { words.join("; ") }
}
