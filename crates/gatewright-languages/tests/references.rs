//! What exists, what is missing and what cannot be told, on small trees held in memory.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail loudly")]

#[path = "references/tree.rs"]
mod tree;

#[path = "references/assemblies.rs"]
mod assemblies;

#[path = "references/bounds.rs"]
mod bounds;

#[path = "references/broken.rs"]
mod broken;

#[path = "references/c.rs"]
mod c;

#[path = "references/c_more.rs"]
mod c_more;

#[path = "references/csharp.rs"]
mod csharp;

#[path = "references/doubt.rs"]
mod doubt;

#[path = "references/elsewhere.rs"]
mod elsewhere;

#[path = "references/go.rs"]
mod go;

#[path = "references/jars.rs"]
mod jars;

#[path = "references/java.rs"]
mod java;

#[path = "references/kept.rs"]
mod kept;

#[path = "references/kotlin.rs"]
mod kotlin;

#[path = "references/kotlin_more.rs"]
mod kotlin_more;

#[path = "references/listed.rs"]
mod listed;

#[path = "references/misplaced.rs"]
mod misplaced;

#[path = "references/places.rs"]
mod places;

#[path = "references/python.rs"]
mod python;

#[path = "references/python_edited.rs"]
mod python_edited;

#[path = "references/python_held.rs"]
mod python_held;

#[path = "references/python_listed.rs"]
mod python_listed;

#[path = "references/python_made.rs"]
mod python_made;

#[path = "references/replaced.rs"]
mod replaced;

#[path = "references/ruby.rs"]
mod ruby;

#[path = "references/rust.rs"]
mod rust;

#[path = "references/rust_fields.rs"]
mod rust_fields;

#[path = "references/rust_locals.rs"]
mod rust_locals;

#[path = "references/rust_values.rs"]
mod rust_values;

#[path = "references/script.rs"]
mod script;

#[path = "references/script_bases.rs"]
mod script_bases;

#[path = "references/script_built_in.rs"]
mod script_built_in;

#[path = "references/script_fields.rs"]
mod script_fields;

#[path = "references/script_keys.rs"]
mod script_keys;
#[path = "references/script_locals.rs"]
mod script_locals;
#[path = "references/script_objects.rs"]
mod script_objects;

#[path = "references/script_packages.rs"]
mod script_packages;
#[path = "references/script_unbound.rs"]
mod script_unbound;
#[path = "references/suggestions.rs"]
mod suggestions;
