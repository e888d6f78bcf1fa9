//! What a name or an attribute stands for, across files.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::facts::{Binding, MODULE, ModulePath, Name, PyFile};
use super::listed::{Listed, Part};
use super::modules::{Lookup, Module};
use super::stdlib;
use crate::references::session::{Area, Place, Session};

/// How many steps one name may take.
const STEPS: usize = 40;

/// What an import means in files of one folder, with its leading dots.
type Imported = (Option<Place>, usize, Lookup);
/// The modules in a folder that were asked for.
type Below = HashMap<Name, Option<Rc<Module>>>;

/// Resolves names of one session; modules are looked up once.
pub(super) struct Resolver<'a> {
    pub(super) session: &'a Session<'a>,
    /// The modules that imports name, by what follows the dots.
    pub(super) modules: RefCell<HashMap<Name, Vec<Imported>>>,
    pub(super) below: RefCell<HashMap<Place, Below>>,
    steps: Cell<usize>,
}

/// A class in a part of a module.
#[derive(Debug, Clone)]
pub(super) struct ClassRef {
    pub(super) module: Rc<Module>,
    pub(super) part: usize,
    pub(super) class: usize,
}

/// A function in a part of a module.
#[derive(Debug, Clone)]
pub(super) struct FunctionRef {
    pub(super) module: Rc<Module>,
    pub(super) part: usize,
    pub(super) function: usize,
}

/// How an object of a class was come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// The class itself.
    Class,
    /// What the class gives when called: an object of exactly this class.
    Exact,
    /// `self`, or a parameter: the object may be of a subclass.
    AtLeast,
}

/// What a name stands for.
#[derive(Debug, Clone)]
pub(super) enum Thing {
    Module(Rc<Module>),
    Class(ClassRef, Access),
    Function(FunctionRef),
    /// A module or a class of a package that is not installed, or an object of such a class.
    Listed(Listed, Part),
    /// It is there; what it holds is not known, for this reason.
    Opaque(&'static str),
    /// It may be there.
    Unknown(&'static str),
    Missing,
}

impl ClassRef {
    pub(super) fn file(&self) -> &PyFile {
        &self.module.parts[self.part]
    }
}

impl<'a> Resolver<'a> {
    pub(super) fn new(session: &'a Session<'a>) -> Self {
        let (modules, below, steps) = Default::default();
        Self { session, modules, below, steps }
    }

    /// Runs one step of a resolution, unless it has taken too many.
    pub(super) fn step_into(&self, step: impl FnOnce() -> Thing) -> Thing {
        if self.steps.get() >= STEPS {
            return Thing::Unknown("too many steps");
        }
        self.steps.set(self.steps.get() + 1);
        let thing = step();
        self.steps.set(self.steps.get() - 1);
        thing
    }

    /// What a dotted path means in a scope of a module's part.
    pub(super) fn path(
        &self,
        module: &Rc<Module>,
        part: usize,
        scope: usize,
        path: &[Name],
    ) -> Thing {
        let Some((root, attributes)) = path.split_first() else { return Thing::Missing };
        let mut thing = self.step_into(|| self.name(module, part, scope, root));
        for attribute in attributes {
            let holder = self.read(thing);
            thing = self.step_into(|| self.attribute(&holder, attribute));
        }
        thing
    }

    /// What a name means in a scope of a module's part.
    pub(super) fn name(&self, module: &Rc<Module>, part: usize, scope: usize, name: &str) -> Thing {
        let file = &module.parts[part];
        if let Some((holder, binding)) = file.lookup(scope, name) {
            return self.step_into(|| self.binding(module, part, holder, binding));
        }
        let starred = self.starred(module, part, name);
        if !matches!(starred, Thing::Missing) {
            return starred;
        }
        if stdlib::is_builtin(name) {
            return self.builtin(name);
        }
        if let Some(reason) = file.open {
            return Thing::Unknown(reason);
        }
        if file.loose.contains(name) {
            return Thing::Unknown("syntax error");
        }
        Thing::Missing
    }

    fn builtin(&self, name: &str) -> Thing {
        let Lookup::Found(builtins) = self.standard("builtins") else {
            return Thing::Opaque("builtin");
        };
        match builtins.parts[0].scopes[MODULE].bindings.get(name) {
            Some(Binding::Class(class)) => {
                let class = *class;
                Thing::Class(ClassRef { module: builtins, part: 0, class }, Access::Class)
            }
            _ => Thing::Opaque("builtin"),
        }
    }

    /// A name that comes with a star import: the last one that has it counts.
    fn starred(&self, module: &Rc<Module>, part: usize, name: &str) -> Thing {
        let mut answer = Thing::Missing;
        for star in module.parts[part].stars.iter().rev() {
            let found = self.step_into(|| self.star_member(module, star, name));
            match found {
                Thing::Missing => {}
                Thing::Unknown(reason) => answer = Thing::Unknown(reason),
                thing => return thing,
            }
        }
        answer
    }

    fn star_member(&self, module: &Rc<Module>, star: &ModulePath, name: &str) -> Thing {
        let Lookup::Found(source) = self.find(module.home.as_ref(), star) else {
            return Thing::Unknown("star import of an unknown module");
        };
        let all: Vec<_> = source.parts.iter().filter_map(|part| part.all.as_ref()).collect();
        let is_exported = match all.as_slice() {
            [] => !name.starts_with('_'),
            lists => lists.iter().any(|list| list.iter().any(|item| &**item == name)),
        };
        // A literal `__all__` may still be extended later in the file.
        match self.member_of_module(&source, name) {
            Thing::Missing => Thing::Missing,
            thing if is_exported => thing,
            _ => Thing::Unknown("not in __all__"),
        }
    }

    /// What a binding stands for.
    fn binding(&self, module: &Rc<Module>, part: usize, scope: usize, binding: &Binding) -> Thing {
        let class = |class: usize, access: Access| {
            Thing::Class(ClassRef { module: Rc::clone(module), part, class }, access)
        };
        match binding {
            Binding::Module(dotted) => {
                let path = ModulePath { level: 0, dotted: dotted.clone() };
                match self.find(module.home.as_ref(), &path) {
                    Lookup::Found(found) => Thing::Module(found),
                    Lookup::Listed(listed, below) => Thing::Listed(listed, Part::Module(below)),
                    Lookup::Unknown(reason) => Thing::Opaque(reason),
                    Lookup::Missing { .. } | Lookup::Unlisted { .. } => {
                        Thing::Opaque("missing module")
                    }
                }
            }
            Binding::From(path, name) => self.imported(module, path, name),
            Binding::Class(number) => class(*number, Access::Class),
            Binding::Receiver(number) => class(*number, Access::AtLeast),
            Binding::Function(function) => {
                let function = *function;
                Thing::Function(FunctionRef { module: Rc::clone(module), part, function })
            }
            Binding::Instance(path) => self.object(module, part, scope, path, Access::Exact),
            Binding::Entered(path) => match self.object(module, part, scope, path, Access::Exact) {
                Thing::Class(class, access) if self.enters_itself(&class) => {
                    Thing::Class(class, access)
                }
                _ => Thing::Opaque("type not plain"),
            },
            Binding::Annotated(path) => self.object(module, part, scope, path, Access::AtLeast),
            Binding::Alias(path) => match self.path(module, part, scope, path) {
                Thing::Class(class, Access::AtLeast) => Thing::Class(class, Access::AtLeast),
                Thing::Missing | Thing::Unknown(_) => Thing::Opaque("alias"),
                thing => thing,
            },
            Binding::Other | Binding::Many(_) => Thing::Opaque("type not plain"),
        }
    }

    fn imported(&self, module: &Rc<Module>, path: &ModulePath, name: &str) -> Thing {
        match self.find(module.home.as_ref(), path) {
            Lookup::Found(source) => match self.member_of_module(&source, name) {
                Thing::Missing => Thing::Opaque("missing import"),
                Thing::Unknown(reason) => Thing::Opaque(reason),
                thing => thing,
            },
            Lookup::Listed(listed, below) => match listed.member(&below, name) {
                Thing::Missing => Thing::Opaque("missing import"),
                thing => thing,
            },
            Lookup::Unknown(reason) => Thing::Opaque(reason),
            Lookup::Missing { .. } | Lookup::Unlisted { .. } => Thing::Opaque("missing module"),
        }
    }

    /// What calling a path gives.
    pub(super) fn object(
        &self,
        module: &Rc<Module>,
        part: usize,
        scope: usize,
        path: &[Name],
        access: Access,
    ) -> Thing {
        match self.path(module, part, scope, path) {
            Thing::Class(class, Access::Class) => {
                let file = class.file();
                // Calling a class of enumerations itself makes another class.
                if class.module.standard.as_deref() == Some("enum") {
                    return Thing::Opaque("type not plain");
                }
                let body = file.classes[class.class].scope;
                let makes_others = file.scopes[body].bindings.contains_key("__new__");
                let access = if makes_others { Access::AtLeast } else { access };
                Thing::Class(class, access)
            }
            Thing::Listed(listed, Part::Class) => Thing::Listed(listed, Part::Class),
            Thing::Function(function) if access == Access::Exact && !is_property(&function) => {
                self.given(&function)
            }
            _ => Thing::Opaque("type not plain"),
        }
    }

    /// Whether a class is the workspace's own.
    fn is_of_workspace(&self, class: &ClassRef) -> bool {
        let home = class.module.home.as_ref();
        home.is_some_and(|home| home.area == Area::Workspace)
    }

    /// What a function says or shows to give, if it is an object of a class of the workspace:
    /// those of packages stand for others that build on them, which nobody looks through.
    fn given(&self, function: &FunctionRef) -> Thing {
        let signature = &function.module.parts[function.part].functions[function.function];
        let class = signature.gives.as_ref().map(|path| {
            self.step_into(|| self.path(&function.module, function.part, MODULE, path))
        });
        match class {
            Some(Thing::Class(class, Access::Class)) if self.is_of_workspace(&class) => {
                Thing::Class(class, Access::AtLeast)
            }
            Some(Thing::Function(inner)) if !is_property(&inner) => {
                self.step_into(|| self.given(&inner))
            }
            _ => Thing::Opaque("type not plain"),
        }
    }

    /// What is there when a thing is read: a property stands for what it gives.
    pub(super) fn read(&self, thing: Thing) -> Thing {
        match thing {
            Thing::Function(function) if is_property(&function) => self.given(&function),
            thing => thing,
        }
    }

    /// What an attribute of a thing stands for.
    pub(super) fn attribute(&self, thing: &Thing, name: &str) -> Thing {
        match thing {
            Thing::Module(module) => self.member_of_module(module, name),
            Thing::Class(class, access) => self.member_of_class(class, *access, name),
            Thing::Function(_) => Thing::Opaque("attribute of a function"),
            Thing::Listed(listed, part) => listed.attribute(part, name),
            Thing::Opaque(reason) | Thing::Unknown(reason) => Thing::Opaque(reason),
            Thing::Missing => Thing::Opaque("missing"),
        }
    }

    /// A module below one of the standard library.
    fn standard_submodule(&self, module: &Module, name: &str) -> Option<Rc<Module>> {
        let parent = module.standard.as_ref()?;
        match self.standard(&format!("{parent}.{name}")) {
            Lookup::Found(found) => Some(found),
            _ => None,
        }
    }

    /// A name of a module: bound in it, a submodule, or taken over by a star.
    pub(super) fn member_of_module(&self, module: &Rc<Module>, name: &str) -> Thing {
        for (part, file) in module.parts.iter().enumerate() {
            if let Some(binding) = file.scopes[MODULE].bindings.get(name) {
                if *binding == Binding::Other
                    && let Some(submodule) = self.standard_submodule(module, name)
                {
                    return Thing::Module(submodule);
                }
                if is_own_submodule(module, binding, name)
                    && let Some(submodule) =
                        module.folder.as_ref().and_then(|folder| self.step(folder, name))
                {
                    return Thing::Module(submodule);
                }
                let thing = self.step_into(|| self.binding(module, part, MODULE, binding));
                // `from . import x` in a package binds the submodule of that name.
                return match thing {
                    Thing::Unknown(reason) => Thing::Opaque(reason),
                    Thing::Missing => Thing::Opaque("missing import"),
                    thing => thing,
                };
            }
        }
        if let Some(submodule) = module.folder.as_ref().and_then(|folder| self.step(folder, name)) {
            return Thing::Module(submodule);
        }
        if let Some(submodule) = self.standard_submodule(module, name) {
            return Thing::Module(submodule);
        }
        let mut unknown = module.open;
        for part in 0..module.parts.len() {
            match self.starred(module, part, name) {
                Thing::Missing => {}
                Thing::Unknown(reason) => unknown = Some(reason),
                thing => return thing,
            }
            let file = &module.parts[part];
            unknown = unknown.or(file.open).or(file.hook);
            if file.spelled.contains(name) {
                unknown = Some("module with a __getattr__");
            }
            if file.loose.contains(name) {
                unknown = Some("syntax error");
            }
        }
        match unknown {
            Some(reason) => Thing::Unknown(reason),
            None if is_dunder(name) => Thing::Opaque("special name"),
            None => Thing::Missing,
        }
    }
}

fn is_property(function: &FunctionRef) -> bool {
    function.module.parts[function.part].functions[function.function].is_property
}

/// Whether a package imports one of its own modules from itself.
fn is_own_submodule(module: &Module, binding: &Binding, name: &str) -> bool {
    let Binding::From(path, taken) = binding else { return false };
    let folder = module.folder.as_ref().map(|folder| folder.path.as_str()).unwrap_or_default();
    let own = folder.rsplit('/').next().unwrap_or_default();
    let is_itself = match path.level {
        0 => path.dotted.rsplit('.').next() == Some(own),
        1 => path.dotted.is_empty(),
        _ => false,
    };
    is_itself && &**taken == name
}

/// Whether the interpreter may know a name that no source defines.
pub(super) fn is_dunder(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}
