//! The real binary, as a person or a script runs it, in a cleared environment.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "tests build real trees and run real processes"
)]

mod bad_input;
mod configuration;
mod crash;
mod gate;
mod hook_hints;
mod input_forms;
mod language_servers;
mod laws;
mod people_only;
mod receipts;
mod review;
mod running_up;
mod secrets;
mod shared_servers;
mod symbols;
mod up_log;
mod up_troubles;
