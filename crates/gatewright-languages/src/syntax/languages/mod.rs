//! The declarations, one file for each language or pair of dialects.

pub(super) mod c;
mod c_macros;
pub(super) mod csharp;
pub(super) mod go;
pub(super) mod java;
pub(super) mod javascript;
pub(super) mod kotlin;
mod kotlin_annotations;
pub(super) mod python;
pub(super) mod ruby;
pub(super) mod rust;
mod script;
pub(super) mod typescript;
