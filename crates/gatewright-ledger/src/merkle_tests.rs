//! Tests of `merkle.rs`.
