//! The tree while `up` runs: what changes without passing a door is recorded when it is calm.
//!
//! A person who works in an editor changes files too. One burst of changes
//! becomes one receipt: nothing is recorded before the tree was still for a
//! turn, or before a burst has gone on for long.

use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::{Engine, Witness};
use tokio::time::Instant;

use crate::http::App;

/// How long a turn is at least.
const TURN: Duration = Duration::from_secs(2);
/// A look that takes time is made seldom: at most this part of the time is spent on it.
const SHARE: u32 = 40;
/// A burst that does not end is recorded after so many turns.
const LONGEST: u32 = 15;

/// Looks at the start and then in turns, until the app stops.
pub async fn run(app: Arc<App>) {
    let mut burst = Burst::default();
    let mut pause = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = app.stopped() => return,
        }
        let engine = Arc::clone(&app.engine);
        let began = Instant::now();
        let looked = tokio::task::spawn_blocking(move || {
            burst.look(&engine);
            burst
        });
        match looked.await {
            Ok(after) => burst = after,
            Err(_) => return,
        }
        pause = TURN.max(began.elapsed() * SHARE);
    }
}

/// What is under way in the tree.
#[derive(Default)]
struct Burst {
    has_begun: bool,
    seen: Vec<(String, gatewright_engine::Stamp)>,
    turns: u32,
}

impl Burst {
    fn look(&mut self, engine: &Engine) {
        // What happened while nobody looked is one burst that is over.
        let now = engine.restless_files().unwrap_or_default();
        let is_over = !self.has_begun || now == self.seen || self.turns >= LONGEST;
        self.has_begun = true;
        if now.is_empty() {
            (self.seen, self.turns) = (now, 0);
        } else if is_over {
            // A ledger that is busy now is asked again at the next turn.
            let _ = engine.notice_changes(&Witness::nobody());
            (self.seen, self.turns) = (Vec::new(), 0);
        } else {
            (self.seen, self.turns) = (now, self.turns + 1);
        }
    }
}
