//! Tests of `scan.rs`.
