//! The fields that literals and patterns name.

use super::facts::{Name, Segment};
use super::modules::ModuleRef;
use super::resolver::{Found, Gap};
use super::{Checker, Sort};

impl Checker<'_> {
    /// A field that a literal or a pattern of a type names.
    pub(super) fn field(&mut self, of: Option<Found>, field: &Segment) {
        let Some(Found::Type(module, of)) = of else {
            return self.found.unknown("type not plain");
        };
        let facts = module.file.types.get(&of).filter(|facts| facts.is_defined);
        match facts {
            Some(facts) if facts.fields.contains(&field.name) => self.found.exists(),
            Some(facts) if !facts.fields.is_empty() && facts.open.is_none() => {
                self.missing_field(&Found::Type(module.clone(), of.clone()), &of, field);
            }
            _ => self.found.unknown("type not plain"),
        }
    }

    /// Whether a single name may be a variant of a type of this file, which a `use` inside of a
    /// function brings into scope.
    pub(super) fn may_be_variant(&self, path: &[Name]) -> bool {
        let [name] = path else { return false };
        self.module.file.types.values().any(|facts| facts.variants.contains_key(name))
    }

    /// The type of the workspace that a path names a variant of, and the variant.
    pub(super) fn variant(&self, from: &ModuleRef, path: &[Name]) -> Option<(Found, Name)> {
        let (last, of @ [_, ..]) = path.split_last()? else { return None };
        let found = self.resolver.type_at(from, of)?;
        let Found::Type(module, name) = &found else { return None };
        let facts = module.file.types.get(name)?;
        let is_one = facts.is_defined && facts.open.is_none() && facts.variants.contains_key(last);
        is_one.then(|| (found.clone(), last.clone()))
    }

    /// A field that a literal or a pattern of a variant names.
    pub(super) fn variant_field(&mut self, of: &Found, variant: &Name, field: &Segment) {
        let Found::Type(module, name) = of else { return };
        let facts = module.file.types.get(name);
        let fields = facts.and_then(|facts| facts.variants.get(variant));
        if fields.is_some_and(|fields| fields.contains(&field.name)) {
            return self.found.exists();
        }
        self.missing_field(of, name, field);
    }

    fn missing_field(&mut self, place: &Found, of: &Name, field: &Segment) {
        let gap = Gap { place: Some(place.clone()), ..Gap::default() };
        self.missing_member(&gap, Some(of), field, Sort::Field);
    }
}
