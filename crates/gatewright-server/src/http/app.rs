//! What every handler shares, and the one way from its work to an answer.

use std::sync::Arc;

use gatewright_engine::Engine;
use serde::Serialize;
use tokio::sync::{Notify, watch};

use super::answer::Answer;
use super::diff_view::Drawing;
use super::events::Events;
use super::highlight::Painter;
use super::problem::Problem;
use super::session::Sessions;

/// The engine, the sessions and the events of one running server.
pub struct App {
    /// The pipeline.
    pub engine: Arc<Engine>,
    /// Who may speak.
    pub sessions: Sessions,
    /// The name that receipts give to the person at the page.
    pub reviewer: String,
    /// The port that the server listens on; part of what a request must name.
    pub port: u16,
    pub(super) events: Events,
    painter: Painter,
    /// Wakes the watcher before its time.
    pub(super) changed: Notify,
    /// A decision is looked at and written by one request at a time.
    pub(super) deciding: std::sync::Mutex<()>,
    stopping: watch::Sender<bool>,
}

impl App {
    /// The state of a server on `port`.
    pub fn new(engine: Arc<Engine>, reviewer: String, port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self {
            engine,
            sessions: Sessions::new(),
            reviewer,
            port,
            events: Events::new()?,
            painter: Painter::default(),
            changed: Notify::new(),
            deciding: std::sync::Mutex::new(()),
            stopping: watch::Sender::new(false),
        })
    }

    /// The address of the page with a fresh one-time code in its fragment.
    pub fn fresh_url(&self) -> Result<String, getrandom::Error> {
        let code = self.sessions.fresh_code()?;
        Ok(format!("http://127.0.0.1:{}/#{code}", self.port))
    }

    /// What the drawing of a file needs.
    pub(super) fn drawing(&self) -> Drawing<'_> {
        Drawing { redactor: self.engine.egress().redactor(), painter: &self.painter }
    }

    /// How many streams and waits are open.
    pub(super) fn streams(&self) -> usize {
        self.events.listeners()
    }

    /// Ends the streams and the watcher.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Returns once the app stops.
    pub async fn stopped(&self) {
        // The sender lives as long as this value, so waiting cannot fail.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Does blocking work and answers with its redacted result.
    pub(super) async fn answer<T: Serialize + Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Answer {
        let blocking = move || match work(&self) {
            Ok(value) => Answer::seal(&self.engine, &value),
            Err(problem) => Answer::seal_problem(&self.engine, &problem),
        };
        tokio::task::spawn_blocking(blocking).await.unwrap_or_else(|_| Answer::broken())
    }

    /// As [`App::answer`], for work that changes something: one at a time, then announced.
    pub(super) async fn answer_change<T: Serialize + Send + 'static>(
        self: Arc<Self>,
        work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Answer {
        self.answer(move |app| {
            let guard = app.deciding.lock().unwrap_or_else(|poison| poison.into_inner());
            let result = work(app);
            drop(guard);
            app.changed.notify_one();
            result
        })
        .await
    }
}
