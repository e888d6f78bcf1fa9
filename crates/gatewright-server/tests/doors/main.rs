//! The doors from the outside: the real server on a pipe, and recorded hook events.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests build real trees"
)]

mod additions;
mod asked_again;
mod asking;
mod attacks;
mod bad_input;
mod bad_input_http;
mod call_places;
mod client;
mod fuzzed;
mod hook_socket;
mod hooks;
mod http_client;
mod mcp;
mod mcp_http;
mod parallel;
mod placeholders;
mod progress;
mod registry_entry;
mod resources;
mod review;
mod second_witness;
mod unguarded;
mod wires;
