//! What type a local has, where the text says it plainly.

use super::Checker;
use super::facts::Value;
use super::modules::ModuleRef;
use super::resolver::Found;

/// How many names of one local are followed.
const SAME: usize = 8;

impl Checker<'_> {
    /// The type of a local, where the text says it plainly.
    pub(super) fn local_type(&self, from: &ModuleRef, local: &str, offset: usize) -> Option<Found> {
        match self.value(local, offset, SAME)? {
            Value::Of(path) if !self.is_declared(path) => self.resolver.type_at(from, path),
            Value::From(path, function) if !self.is_declared(path) => {
                let found = self.resolver.type_at(from, path)?;
                self.gives_itself(&found, function).then_some(found)
            }
            _ => None,
        }
    }

    /// What the text says of a local at a place, other names of it followed.
    fn value(&self, local: &str, offset: usize, steps: usize) -> Option<&Value> {
        let locals = self.module.file.locals.get(local)?;
        let here = locals.iter().filter(|one| one.start <= offset && offset < one.end);
        let found = here.max_by_key(|one| one.start)?;
        match found.value.as_ref()? {
            // The name that it had before counts up to its own declaration.
            Value::Same(other) => {
                self.value(other, found.start.checked_sub(1)?, steps.checked_sub(1)?)
            }
            value => Some(value),
        }
    }

    fn gives_itself(&self, found: &Found, function: &str) -> bool {
        match found {
            Found::Type(module, of) => {
                let facts = module.file.types.get(of);
                function == "default"
                    || facts.is_some_and(|facts| facts.constructors.contains(function))
            }
            Found::StdType(_) => matches!(function, "new" | "with_capacity" | "default" | "from"),
            _ => false,
        }
    }
}
