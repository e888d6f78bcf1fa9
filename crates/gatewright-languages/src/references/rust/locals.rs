//! What type a value has, where the text says it plainly.
//!
//! Locals, fields and results of functions are followed through the workspace; of the standard
//! library only the methods of [`given`](super::given) are.

use super::facts::{Local, Name, Value, Written};
use super::given::{Given, given};
use super::modules::ModuleRef;
use super::resolver::{Answer, Found};
use super::values::FUTURE;
use super::{Checker, is_plain, library};

/// How many steps lead from a value to its type.
const STEPS: usize = 24;

/// A type, with the types that it is made with and the module in which those are written.
pub(super) struct Typed {
    pub(super) found: Found,
    with: Vec<Written>,
    from: ModuleRef,
}

impl Checker<'_> {
    /// The type of a value that stands at a place.
    pub(super) fn type_of(&self, from: &ModuleRef, value: &Value, offset: usize) -> Option<Found> {
        self.typed(from, value, (offset, STEPS)).map(|typed| typed.found)
    }

    fn typed(&self, from: &ModuleRef, value: &Value, at: (usize, usize)) -> Option<Typed> {
        let at = (at.0, at.1.checked_sub(1)?);
        match value {
            Value::Of(written) => self.written(from, written, at.1),
            Value::From(path) => self.result_of_function(from, path, at.1),
            // The name that it had before counts up to its own declaration.
            Value::Local(name) => {
                let local = self.local(name, at.0)?;
                let before = (local.start.checked_sub(1)?, at.1);
                self.typed(from, local.value.as_ref()?, before)
            }
            Value::Field(of, field) => self.field_type(&self.typed(from, of, at)?, field, at.1),
            Value::Method(of, method) => self.method_type(self.typed(from, of, at)?, method, at.1),
            Value::Inside(of) => {
                let of = self.typed(from, of, at)?;
                let may_be_none = matches!(std_name(&of), Some("Option" | "Result"));
                self.argument(&of, 0, at.1).filter(|_| may_be_none)
            }
            Value::Element(of) => {
                const HOLD: [&str; 5] = ["Vec", "VecDeque", "HashSet", "BTreeSet", "Option"];
                let of = self.typed(from, of, at)?;
                let holds = std_name(&of).is_some_and(|name| HOLD.contains(&name));
                self.argument(&of, 0, at.1).filter(|_| holds)
            }
            Value::Awaited(of) => self.awaited(from, of, at),
        }
    }

    fn local(&self, name: &str, offset: usize) -> Option<&Local> {
        let locals = self.module.file.locals.get(name)?;
        let here = locals.iter().filter(|one| one.start <= offset && offset < one.end);
        here.max_by_key(|one| one.start)
    }

    /// The type that a text names, those that only lead to another seen through.
    fn written(&self, from: &ModuleRef, written: &Written, steps: usize) -> Option<Typed> {
        let steps = steps.checked_sub(1)?;
        let is_checked = from.place == self.module.place;
        if is_checked && self.is_declared(&written.path) {
            return None;
        }
        if matches!(written.path.as_slice(), [name] if &**name == FUTURE) {
            return None;
        }
        let found = match written.path.as_slice() {
            // A module of that name is no type.
            [name] if library::is_primitive(name) => Found::StdType(name.clone()),
            path => self.resolver.type_at(from, path)?,
        };
        match (&found, written.with.first()) {
            (Found::StdType(name), Some(inner)) if !is_plain(name) && &**name != "Weak" => {
                self.written(from, inner, steps)
            }
            _ => Some(Typed { found, with: written.with.clone(), from: from.clone() }),
        }
    }

    fn argument(&self, of: &Typed, index: usize, steps: usize) -> Option<Typed> {
        self.written(&of.from, of.with.get(index)?, steps)
    }

    fn field_type(&self, of: &Typed, field: &Name, steps: usize) -> Option<Typed> {
        let Found::Type(module, name) = &of.found else { return None };
        let written = module.file.types.get(name)?.field_types.get(field)?;
        self.written(module, written, steps)
    }

    fn method_type(&self, of: Typed, method: &str, steps: usize) -> Option<Typed> {
        let name = match &of.found {
            Found::Type(module, name) => {
                let (module, written) = self.result(module, name, method)?;
                return self.written(&module, &written, steps);
            }
            Found::StdType(name) => name,
            _ => return None,
        };
        match given(name, method)? {
            Given::Itself => Some(of),
            Given::Argument(index) => self.argument(&of, index, steps),
            Given::Of(path, index) => {
                let with = index.map(|index| of.with.get(index).cloned());
                let with = with.into_iter().collect::<Option<Vec<Written>>>()?;
                self.written(&of.from, &Written::of_std(path, with), steps)
            }
        }
    }

    /// What a function of a type gives, and where that is written: beside the type, or here.
    fn result(&self, module: &ModuleRef, of: &Name, name: &str) -> Option<(ModuleRef, Written)> {
        let beside = module.file.types.get(of).and_then(|facts| facts.results.get(name));
        if let Some(written) = beside {
            return Some((module.clone(), written.clone()));
        }
        let here = self.module.file.types.get(of).and_then(|facts| facts.results.get(name))?;
        Some((self.module.clone(), here.clone()))
    }

    /// What a function gives, by its path.
    fn result_of_function(&self, from: &ModuleRef, path: &[Name], steps: usize) -> Option<Typed> {
        let steps = steps.checked_sub(1)?;
        let (last, of) = path.split_last()?;
        let is_type = |name: &Name| name.starts_with(|first: char| first.is_ascii_uppercase());
        if of.last().is_some_and(is_type) {
            return self.result_of_type(from, of, last, steps);
        }
        if is_type(last) {
            let written = Written { path: path.to_vec(), with: Vec::new() };
            let typed = self.written(from, &written, steps)?;
            return matches!(typed.found, Found::Type(..)).then_some(typed);
        }
        let (module, written) = self.function(from, path, steps)?;
        self.written(&module, &written, steps)
    }

    /// What a function of a module is said to give, and the module.
    fn function(
        &self,
        from: &ModuleRef,
        path: &[Name],
        steps: usize,
    ) -> Option<(ModuleRef, Written)> {
        let steps = steps.checked_sub(1)?;
        let (last, of) = path.split_last()?;
        let module = match of {
            [] => from.clone(),
            of => match self.resolver.path(from, of, false) {
                Answer::Found(Found::Module(module)) => module,
                _ => return None,
            },
        };
        if let Some(written) = module.facts().results.get(last) {
            return Some((module.clone(), written.clone()));
        }
        if module.facts().items.contains_key(last) {
            return None;
        }
        match module.facts().uses.get(last)?.as_slice() {
            [path] => self.function(&module, path, steps),
            _ => None,
        }
    }

    /// What a function of a type gives, or a variant of it.
    fn result_of_type(
        &self,
        from: &ModuleRef,
        of: &[Name],
        last: &Name,
        steps: usize,
    ) -> Option<Typed> {
        let written = Written { path: of.to_vec(), with: Vec::new() };
        let is_declared = from.place == self.module.place && self.is_declared(of);
        let found = self.resolver.type_at(from, of).filter(|_| !is_declared)?;
        match &found {
            Found::Type(module, name) => {
                if let Some((module, written)) = self.result(module, name, last) {
                    return self.written(&module, &written, steps);
                }
                let is_variant = last.starts_with(|first: char| first.is_ascii_uppercase());
                let makes = is_variant || &**last == "default";
                makes.then(|| Typed { found, with: Vec::new(), from: from.clone() })
            }
            Found::StdType(name) => {
                let makes = matches!(&**last, "new" | "with_capacity" | "default" | "from" | "now")
                    || &**name == "Duration" && last.starts_with("from_");
                makes.then(|| self.written(from, &written, steps))?
            }
            _ => None,
        }
    }

    fn awaited(&self, from: &ModuleRef, value: &Value, at: (usize, usize)) -> Option<Typed> {
        let (module, written) = match value {
            Value::From(path) => match path.split_last()? {
                (last, of @ [.., kind]) if kind.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    let Found::Type(module, name) = self.resolver.type_at(from, of)? else {
                        return None;
                    };
                    self.result(&module, &name, last)?
                }
                _ => self.function(from, path, at.1)?,
            },
            Value::Method(of, method) => match self.typed(from, of, at)?.found {
                Found::Type(module, name) => self.result(&module, &name, method)?,
                _ => return None,
            },
            _ => return None,
        };
        let is_async = matches!(written.path.as_slice(), [name] if &**name == FUTURE);
        self.written(&module, written.with.first().filter(|_| is_async)?, at.1)
    }
}

fn std_name(of: &Typed) -> Option<&str> {
    match &of.found {
        Found::StdType(name) => Some(name),
        _ => None,
    }
}
