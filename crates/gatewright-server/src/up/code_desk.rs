//! Questions for language servers over the socket: the servers of `up` serve every process.
//!
//! While a server starts, reads or thinks, the asker hears what it does. An
//! asker that hears nothing, or an end, goes on with servers of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gatewright_engine::Engine;
use gatewright_engine::languages::lsp::desk::{Doing, Reply, Request};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::sync::oneshot;

use super::message;

/// The first word of an exchange; as long as the word for a link.
pub const GREETING: &[u8] = b"code\n";
/// The word that asks how the servers are doing; as long as the others.
pub const STATES: &[u8] = b"lsps\n";
/// The longest message on either side: many source files in full.
pub const LONGEST: usize = 64 * 1024 * 1024;
const BEAT_EVERY: Duration = Duration::from_millis(300);
/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);
/// Questions that are under way at once; the next asker goes on alone.
const MOST_CALLS: usize = 16;

/// What an asker hears.
#[derive(Debug, Serialize, Deserialize)]
pub enum Word {
    /// The answer takes time; this is what the server does, if there is something to tell.
    Beat(Option<Doing>),
    /// The end.
    Reply(Reply),
}

/// Who answers.
pub struct CodeDesk {
    engine: Arc<Engine>,
    calls: AtomicUsize,
}

impl CodeDesk {
    /// Answers with the servers of this engine.
    pub fn new(engine: Arc<Engine>) -> Self {
        Self { engine, calls: AtomicUsize::new(0) }
    }

    /// Answers one question on this stream.
    pub async fn serve(self: Arc<Self>, mut stream: UnixStream) -> std::io::Result<()> {
        let request = message::receive(&mut stream, LONGEST);
        let request: Request = tokio::time::timeout(PATIENCE, request).await??;
        if self.calls.fetch_add(1, Ordering::AcqRel) >= MOST_CALLS {
            self.calls.fetch_sub(1, Ordering::AcqRel);
            return Ok(());
        }
        let server = request.server.name.clone();
        let (sender, mut reply) = oneshot::channel();
        let desk = Arc::clone(&self);
        // A server may take minutes: it must not take a place among the page's own work.
        std::thread::Builder::new().name("gatewright-code".to_owned()).spawn(move || {
            let replied = desk.engine.answer_for_servers(request);
            desk.calls.fetch_sub(1, Ordering::AcqRel);
            let _ = sender.send(replied);
        })?;
        loop {
            let word = tokio::select! {
                replied = &mut reply => {
                    let Ok(replied) = replied else { return Ok(()) };
                    message::send(&mut stream, &Word::Reply(replied)).await?;
                    return stream.shutdown().await;
                }
                () = tokio::time::sleep(BEAT_EVERY) => Word::Beat(self.doing(&server)),
            };
            message::send(&mut stream, &word).await?;
        }
    }

    /// Tells on this stream how the servers are doing.
    pub async fn serve_states(&self, mut stream: UnixStream) -> std::io::Result<()> {
        let states = self.engine.language_servers().states();
        let states: BTreeMap<&str, String> =
            states.into_iter().map(|(name, state)| (name, state.to_string())).collect();
        tokio::time::timeout(PATIENCE, message::send(&mut stream, &states)).await??;
        stream.shutdown().await
    }

    fn doing(&self, server: &str) -> Option<Doing> {
        let under_way = self.engine.language_servers().under_way();
        under_way.iter().find(|(name, _)| *name == server).and_then(|(_, state)| Doing::of(state))
    }
}
