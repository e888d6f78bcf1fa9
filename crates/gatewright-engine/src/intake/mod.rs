//! Input forms: JSON, unified diff, and the `*** Begin Patch` form, all to operations.

mod json;
mod patch;

pub use json::{json_schema, parse_json};
pub use patch::parse_patch;

use crate::{EngineError, Operation};

/// Reads whichever of the three forms `bytes` holds.
pub fn parse_any(bytes: &[u8]) -> Result<Vec<Operation>, EngineError> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    match first {
        Some(b'{') | Some(b'[') => parse_json(bytes),
        Some(_) => parse_patch(bytes),
        None => Err(EngineError::Empty),
    }
}
