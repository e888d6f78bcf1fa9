//! The review page's server, called without a socket: what it serves and what it refuses.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::panic,
    reason = "tests build real trees and fail by panicking"
)]

mod description;
mod flows;
mod hostile_requests;
mod page;
mod stream;
mod up;
mod wire_types;
