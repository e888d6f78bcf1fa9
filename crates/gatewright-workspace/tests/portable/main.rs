//! The workspace of the other systems, tested here: the behaviours are those of Linux.
//!
//! What it promises less is in `promises`, one test for each, and in the threat
//! model.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests build real trees and start real processes"
)]
// The shared files use the calls of Linux to set up attacks and to inject faults.
#![cfg(target_os = "linux")]

/// The workspace that is tested.
use gatewright_workspace::portable::Workspace;

/// The program that the crash tests kill.
const PROGRAM: &str = "apply_once_portable";

/// The call in the midst of its renames, and how many of them come before.
const MIDWAY: (&str, u64) = ("renameat", 4);

#[path = "../workspace/attacks.rs"]
mod attacks;
#[path = "../workspace/attributes.rs"]
mod attributes;
#[path = "../workspace/changes.rs"]
mod changes;
#[path = "../workspace/crash.rs"]
mod crash;
#[path = "../workspace/environment.rs"]
mod environment;
#[path = "../workspace/fixture.rs"]
mod fixture;
#[path = "../workspace/generations.rs"]
mod generations;
mod promises;
#[path = "../workspace/properties.rs"]
mod properties;
#[path = "../workspace/races.rs"]
mod races;
#[path = "../workspace/recovery.rs"]
mod recovery;
#[path = "../workspace/snapshots.rs"]
mod snapshots;
#[path = "../workspace/sweep.rs"]
mod sweep;
#[path = "../workspace/undo.rs"]
mod undo;
