//! The workspace from outside: real trees, real links, real races, real crashes.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests build real trees and start real processes"
)]
#![cfg(target_os = "linux")]

/// The workspace that is tested.
use gatewright_workspace::Workspace;

/// The program that the crash tests kill.
const PROGRAM: &str = "apply_once";

/// The call in the midst of its renames, and how many of them come before.
const MIDWAY: (&str, u64) = ("renameat2", 4);

mod attacks;
mod attributes;
mod changes;
mod crash;
mod environment;
mod fixture;
mod generations;
mod kernel;
mod power;
mod properties;
mod races;
mod records;
mod recovery;
mod snapshots;
mod sweep;
mod undo;
mod watching;
