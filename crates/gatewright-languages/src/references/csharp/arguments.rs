//! Arguments that a call passes by name.
//!
//! Which overload is meant is not asked. Where the workspace itself declares what is called, one
//! of its files spells every name that can be passed; a name that none spells is missing. Of what
//! a package or .NET may be meant by, nothing is said.

use super::Checker;
use super::facts::Called;
use super::framework::Framework;
use crate::references::collector::Kind;

/// Why nothing is said of an argument.
const OUTSIDE: &str = "arguments of what is not known";

impl Checker<'_> {
    /// An argument by name; that other files spell it is asked before anything is said.
    pub(super) fn argument(&mut self, of: &Called, name: &str, offset: usize) {
        let is_member = self.file.types.iter().any(|class| class.members.contains_key(name));
        if is_member || self.used.declared.contains(name) {
            return self.found.exists();
        }
        let is_own = match of {
            Called::Type(class) => self.is_own_type(class),
            Called::Own(method) => self.is_own_method(method, offset),
            Called::Of(method) => self.is_only_own(method),
        };
        match (is_own, self.open) {
            (false, _) => self.found.unknown(OUTSIDE),
            (true, Some(reason)) => self.found.doubtful(name, Kind::Argument, offset, reason),
            (true, None) => self.found.missing(name, Kind::Argument, offset, []),
        }
    }

    /// Whether a name can only be that of a type that the workspace writes whole.
    fn is_own_type(&self, class: &str) -> bool {
        let own = self.view.types(class);
        !own.is_empty()
            && own.iter().all(|class| !class.is_partial)
            && self.alias(class).is_none()
            && !self.used.declared.contains(class)
            && Framework::get().types(class).is_empty()
            && !self.view.packages().has_type(class)
    }

    /// Whether a type around a place declares a method itself.
    fn is_own_method(&self, method: &str, offset: usize) -> bool {
        let around = self.around(offset);
        let mut declared = around.iter().flat_map(|class| self.view.types(&class.name));
        !self.used.declared.contains(method)
            && declared.any(|class| class.members.contains_key(method) && !class.is_partial)
    }

    /// Whether only types of the workspace have a method of that name.
    fn is_only_own(&self, method: &str) -> bool {
        let framework = Framework::get();
        self.view.declares_member(method)
            && !framework.extensions.contains(method)
            && !framework.has_member(method)
            && !self.view.packages().is_extension(method)
    }
}
