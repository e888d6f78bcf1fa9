//! The doors that agents come through, and the review page that people decide on.
//!
//! A door decodes what it is sent, calls the engine and encodes the answer. No
//! rule lives here, no file is read or written here but through the engine, and
//! nothing is sent that the egress guard has not seen.

pub mod hooks;
pub mod http;
pub mod lsp;
pub mod mcp;
mod patient;
pub mod ready_call;
mod review_state;
mod stopwatch;
pub mod up;
pub mod wiring;
