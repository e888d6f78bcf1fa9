//! Sees what this and other processes do: new receipts, and changes of the stage.
//!
//! The ledger is shared by the command line, the hooks and the MCP servers, so
//! it is asked again and again; when its files did not change, nothing is read.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gatewright_engine::EngineError;
use gatewright_model::{Action, Receipt};

use super::app::App;
use super::io::{self, Stamp};
use super::wire::Event;

const EVERY: Duration = Duration::from_millis(300);
/// A write within the resolution of the clock may leave no trace; look anyway this often.
const LOOK_ANYWAY: u32 = 10;
/// More new receipts than these are not told one by one.
const MOST_NEWS: u64 = 200;

/// What was seen last.
#[derive(Default)]
struct Seen {
    receipts: u64,
    stage: BTreeMap<String, u64>,
    stamp: Stamp,
    quiet: u32,
}

/// Watches until the app stops; what is there at the time of this call is no news.
pub fn run(app: Arc<App>) -> impl Future<Output = ()> + Send {
    let mut seen = Seen::default();
    let _ = seen.begin(&app);
    watch(app, seen)
}

async fn watch(app: Arc<App>, mut seen: Seen) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = app.changed.notified() => seen.quiet = LOOK_ANYWAY,
            () = app.stopped() => return,
        }
        let shared = Arc::clone(&app);
        let look = move || {
            // A ledger that is busy now is asked again at the next turn.
            let _ = seen.look(&shared);
            seen
        };
        match tokio::task::spawn_blocking(look).await {
            Ok(after) => seen = after,
            Err(_) => return,
        }
    }
}

impl Seen {
    fn begin(&mut self, app: &App) -> Result<(), EngineError> {
        self.receipts = app.engine.ledger().len()?;
        self.stage = stage_of(app)?;
        Ok(())
    }

    fn look(&mut self, app: &App) -> Result<(), EngineError> {
        let stamp = io::stamp(&app.engine.layout().database);
        self.quiet += 1;
        if stamp == self.stamp && self.quiet < LOOK_ANYWAY {
            return Ok(());
        }
        self.quiet = 0;
        self.look_at_receipts(app)?;
        self.look_at_stage(app)?;
        self.stamp = stamp;
        Ok(())
    }

    fn look_at_receipts(&mut self, app: &App) -> Result<(), EngineError> {
        let length = app.engine.ledger().len()?;
        if length < self.receipts || length - self.receipts > MOST_NEWS {
            self.receipts = length;
            app.events.push(&app.engine, &plain("reset", None, "much happened at once"));
        }
        while self.receipts < length {
            if let Some(receipt) = app.engine.ledger().get(self.receipts)? {
                app.events.push(&app.engine, &event_of(&receipt));
            }
            self.receipts += 1;
        }
        Ok(())
    }

    fn look_at_stage(&mut self, app: &App) -> Result<(), EngineError> {
        let now = stage_of(app)?;
        let push = |kind, id: &String, text| {
            app.events.push(&app.engine, &plain(kind, Some(id.clone()), text));
        };
        for (id, version) in &now {
            match self.stage.get(id) {
                None => push("staged", id, "a change waits for review"),
                Some(old) if old != version => push("decided", id, "a change was decided on"),
                Some(_) => {}
            }
        }
        for id in self.stage.keys().filter(|id| !now.contains_key(*id)) {
            push("closed", id, "a change no longer waits");
        }
        self.stage = now;
        Ok(())
    }
}

fn stage_of(app: &App) -> Result<BTreeMap<String, u64>, EngineError> {
    let items = app.engine.ledger().stage_list(Some("open"))?;
    Ok(items.into_iter().map(|item| (item.id, item.version)).collect())
}

fn plain(kind: &str, change_id: Option<String>, text: &str) -> Event {
    let text = text.to_owned();
    Event { kind: kind.to_owned(), change_id, seq: None, agent: None, text, timestamp: None }
}

fn event_of(receipt: &Receipt) -> Event {
    let body = &receipt.body;
    let kind = match body.action {
        Action::Apply => "applied",
        Action::Refuse => "refused",
        Action::Stage => "proposed",
        Action::Reject => "rejected",
        Action::Rollback => "rolled-back",
        Action::Unguarded => "unguarded",
        Action::Notice => "notice",
    };
    let paths: Vec<&str> = body.files.iter().map(|file| file.path.as_str()).take(3).collect();
    let reason = body.findings.first().map(|finding| finding.message.clone());
    let what = match (body.note.clone(), reason) {
        (_, Some(reason)) if body.action == Action::Refuse => reason,
        (Some(note), _) => note,
        (None, _) => String::new(),
    };
    Event {
        kind: kind.to_owned(),
        change_id: None,
        seq: Some(receipt.seq),
        agent: Some(body.agent.name.clone()),
        text: [paths.join(", "), what].join(" ").trim().to_owned(),
        timestamp: Some(body.timestamp.clone()),
    }
}
