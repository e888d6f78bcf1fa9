//! Tests of `canonical.rs`.
