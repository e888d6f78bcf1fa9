//! The language-server client: against real servers, and against scripted ones that misbehave.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests build real trees, start real servers and may fail loudly"
)]

mod chaos;
mod desk;
mod faults;
mod fixture;
mod processes;
mod real;
mod scripted;
