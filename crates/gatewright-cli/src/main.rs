//! The gatewright binary.
fn main() {}
