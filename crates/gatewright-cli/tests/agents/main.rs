//! Real agents, driven offline against a scripted model on loopback.
//!
//! Each agent is installed by `cargo xtask setup` and wired by `gatewright init`.
//! The model's lines are scripted; everything else is the real program. What
//! reached the model server is what the agent told its model.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "tests build real trees and run real processes"
)]

mod agent;
mod clients;
mod editor;
mod foreign_server;
mod model_server;
mod plugin;
mod scenarios;
mod walk;
