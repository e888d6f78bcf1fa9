//! The events of one server run: a bounded ring that streams read from.
//!
//! An id is the name of this run and a number. A stream that comes back with an
//! id gets what it missed; where that is no longer known it is told to look at
//! everything anew.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gatewright_engine::Engine;
use gatewright_engine::guards::egress::Redacted;
use tokio::sync::watch;

use super::wire;

/// How many events are kept.
const KEPT: usize = 1024;

/// The ring.
pub struct Events {
    run: String,
    ring: Mutex<VecDeque<Sealed>>,
    latest: watch::Sender<u64>,
}

/// An event that may go out.
#[derive(Clone)]
pub struct Sealed {
    /// Its number, from 1.
    pub number: u64,
    /// Its JSON.
    pub data: Redacted<String>,
}

/// What a stream gets next.
pub enum Next {
    /// These.
    Events(Vec<Sealed>),
    /// Some are lost; go on after this number.
    Reset(u64),
}

impl Events {
    /// An empty ring under a fresh name.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut name = [0; 8];
        getrandom::fill(&mut name)?;
        let run = format!("{:016x}", u64::from_be_bytes(name));
        Ok(Self { run, ring: Mutex::default(), latest: watch::Sender::new(0) })
    }

    /// Adds an event.
    pub fn push(&self, engine: &Engine, event: &wire::Event) {
        let Ok(value) = serde_json::to_value(event) else { return };
        let data = engine.egress().redactor().redact_json(value).to_text();
        let mut ring = self.lock();
        let number = *self.latest.borrow() + 1;
        ring.push_back(Sealed { number, data });
        if ring.len() > KEPT {
            ring.pop_front();
        }
        drop(ring);
        self.latest.send_replace(number);
    }

    /// The id of an event on the wire.
    pub fn id_of(&self, number: u64) -> String {
        format!("{}-{number}", self.run)
    }

    /// The number behind an id; `None` for one of another run.
    pub fn number_of(&self, id: &str) -> Option<u64> {
        let number = id.strip_prefix(self.run.as_str())?.strip_prefix('-')?;
        number.parse().ok()
    }

    /// The number of the last event.
    pub fn latest(&self) -> u64 {
        *self.latest.borrow()
    }

    /// What came after `number`.
    pub fn after(&self, number: u64) -> Next {
        let ring = self.lock();
        let oldest = ring.front().map_or(1, |event| event.number);
        if number.saturating_add(1) < oldest || number > self.latest() {
            return Next::Reset(self.latest());
        }
        Next::Events(ring.iter().filter(|event| event.number > number).cloned().collect())
    }

    /// Says when there is more.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.latest.subscribe()
    }

    /// How many streams are open.
    pub fn listeners(&self) -> usize {
        self.latest.receiver_count()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Sealed>> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
