//! Nothing that must not leave comes out of any door: a canary of each kind is put
//! into files, arguments, events and bodies, and everything that is sent is searched.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    dead_code,
    reason = "tests build real trees; the clients are shared with other tests"
)]

mod canary;
#[path = "../doors/client.rs"]
mod client;
mod fill;
mod hooks;
mod mcp;
#[path = "../http/page.rs"]
mod page;
mod records;
mod routes;
