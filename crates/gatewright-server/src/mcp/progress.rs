//! Word of what a long call is doing, for a client that asked for it.

use std::time::Duration;

use gatewright_engine::languages::lsp::running::State;
use gatewright_engine::{Engine, Progress};
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;

use super::answer::Sent;

/// How often it is told. A call that is done before says nothing.
const EVERY: Duration = Duration::from_millis(500);

/// Whether the client asks for word of this call.
pub fn is_asked(context: &RequestContext<RoleServer>) -> bool {
    context.meta.get_progress_token().is_some()
}

/// Does the work, and tells in the meantime what it waits for.
pub async fn telling(
    engine: &Engine,
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Sent>,
) -> Sent {
    let Some(token) = context.meta.get_progress_token() else { return work.await };
    tokio::pin!(work);
    let mut last = 0.0;
    loop {
        tokio::select! {
            sent = &mut work => return sent,
            () = tokio::time::sleep(EVERY) => {}
        }
        let indexing = engine.indexing();
        let (value, total) = after(last, indexing);
        last = value;
        let mut progress = ProgressNotificationParam::new(token.clone(), value);
        progress.total = total;
        progress.message = Some(doing(engine, indexing));
        // A client that does not listen loses nothing.
        let _ = context.peer.notify_progress(progress).await;
    }
}

/// The next number and the one at which it is over, where that is known.
///
/// The protocol has every number greater than the one before, whatever was counted.
fn after(last: f64, indexing: Option<Progress>) -> (f64, Option<f64>) {
    let counted = indexing.map(|Progress { done, all }| (done as f64, Some(all as f64)));
    counted.filter(|(done, _)| *done > last).unwrap_or((last + 1.0, None))
}

/// What takes the time, as far as is known.
fn doing(engine: &Engine, indexing: Option<Progress>) -> String {
    let servers = engine.language_servers().under_way();
    let words = servers.iter().map(|(name, state)| match state {
        State::Loading(Some(part)) => format!("{name} reads the project: {part}"),
        State::Loading(None) => format!("{name} reads the project"),
        _ => format!("{name} is starting"),
    });
    let index = indexing
        .map(|Progress { done, all }| format!("indexing the workspace: {done} of {all} files"));
    let words: Vec<String> = words.chain(index).collect();
    if words.is_empty() { "looking through the workspace".to_owned() } else { words.join("; ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_grow_whatever_is_counted() {
        let of = |done, all| Some(Progress { done, all });
        assert_eq!(after(0.0, None), (1.0, None));
        assert_eq!(after(1.0, of(40, 90)), (40.0, Some(90.0)));
        assert_eq!(after(40.0, of(40, 90)), (41.0, None), "nothing was done in between");
        assert_eq!(after(41.0, of(3, 9)), (42.0, None), "another pass");
        assert_eq!(after(42.0, of(50, 90)), (50.0, Some(90.0)));
    }
}
