//! Values of the engine as text for a terminal.

pub mod diff;
pub mod verify;
