//! Members of classes, through their bases.

use super::BASE;
use super::facts::{Base, Binding, Class, MODULE, Name};
use super::listed::{self, Part};
use super::resolver::{Access, ClassRef, Resolver, Thing, is_dunder};

/// Bases that add nothing and hide nothing.
const EMPTY_BASES: [&str; 4] = ["Generic", "Protocol", "object", "ABC"];
/// Metaclasses that add no members to their classes' objects.
const PLAIN_METACLASSES: [&str; 6] =
    ["ABCMeta", "EnumMeta", "EnumType", "type", "_ProtocolMeta", "NamedTupleMeta"];
/// Decorators that add no public members.
const PLAIN_DECORATORS: [&str; 15] = [
    "dataclass",
    "total_ordering",
    "final",
    "runtime_checkable",
    "unique",
    "deprecated",
    "define",
    "frozen",
    "mutable",
    "s",
    "attrs",
    "dataclass_transform",
    "disjoint_base",
    "type_check_only",
    "register",
];
/// What every class has beside its own members.
const OF_CLASSES: [&str; 2] = ["mro", "register"];
/// What every named tuple has.
const OF_NAMED_TUPLES: [&str; 6] = ["_replace", "_asdict", "_fields", "_make", "index", "count"];

/// What strings and dictionaries had in Python 2.
const OF_PYTHON_2: [&str; 9] = [
    "decode",
    "encode",
    "has_key",
    "iteritems",
    "iterkeys",
    "itervalues",
    "viewitems",
    "viewkeys",
    "viewvalues",
];

impl Resolver<'_> {
    /// What a member of a class stands for.
    pub(super) fn member_of_class(&self, class: &ClassRef, access: Access, name: &str) -> Thing {
        if is_dunder(name) || is_mangled(name) {
            return Thing::Opaque("special name");
        }
        if access != Access::Exact && OF_CLASSES.contains(&name) {
            return Thing::Opaque("special name");
        }
        match self.search(class, access, name) {
            Thing::Missing if is_of_python_2(class, name) => Thing::Unknown("name of Python 2"),
            thing => thing,
        }
    }

    /// Whether `with` gives the object itself.
    pub(super) fn enters_itself(&self, class: &ClassRef) -> bool {
        let enters = |name| match self.search(class, Access::AtLeast, name) {
            Thing::Function(of) => of.module.parts[of.part].functions[of.function].enters_itself,
            _ => false,
        };
        enters("__enter__") || enters("__aenter__")
    }

    /// The class that a class builds on alone, in the workspace or in a package.
    pub(super) fn only_base(&self, class: &ClassRef) -> Option<ClassRef> {
        let facts = &class.file().classes[class.class];
        let [Base::Path(path)] = facts.bases.as_slice() else { return None };
        match self.path(&class.module, class.part, facts.outer, path) {
            Thing::Class(base, Access::Class)
                if !is_same(&base, class) && base.module.standard.is_none() =>
            {
                Some(base)
            }
            _ => None,
        }
    }

    fn search(&self, class: &ClassRef, access: Access, name: &str) -> Thing {
        let file = class.file();
        let facts = &file.classes[class.class];
        let is_kept = access != Access::Class && !file.stored.contains(name);
        if let Some(binding) = file.scopes[facts.scope].bindings.get(name) {
            return match binding {
                Binding::Annotated(_) if is_kept => self.held(class, facts.scope, binding),
                _ => self.own_member(class, facts, binding),
            };
        }
        if let Some(binding) = facts.held.get(name).filter(|_| is_kept) {
            return self.held(class, MODULE, binding);
        }
        if facts.attributes.contains(name) {
            return Thing::Opaque("attribute of an object");
        }
        let mut unknown = open_reason(facts);
        for base in &facts.bases {
            match self.step_into(|| self.search_base(class, (base, access), name)) {
                Thing::Missing => {}
                // What cannot be told at all goes before what a list tells.
                Thing::Unknown(reason) => {
                    unknown = unknown.filter(|known| *known != listed::BASE_LISTED);
                    unknown = unknown.or(Some(reason));
                }
                thing => return thing,
            }
        }
        if file.stored.contains(name) {
            unknown = unknown.or(Some("attribute set from outside"));
        }
        match unknown {
            Some(reason) => Thing::Unknown(reason),
            None => Thing::Missing,
        }
    }

    fn own_member(&self, class: &ClassRef, facts: &Class, binding: &Binding) -> Thing {
        match binding {
            Binding::Class(number) => {
                let inner = ClassRef { class: *number, ..class.clone() };
                Thing::Class(inner, Access::Class)
            }
            Binding::Function(function) if !facts.name.is_empty() => {
                let module = std::rc::Rc::clone(&class.module);
                let function = *function;
                Thing::Function(super::resolver::FunctionRef { module, part: class.part, function })
            }
            _ => Thing::Opaque("attribute of an object"),
        }
    }

    /// What an attribute of an object holds: an object of a class, or of one that builds on it.
    fn held(&self, class: &ClassRef, scope: usize, binding: &Binding) -> Thing {
        let object = |path, access| self.object(&class.module, class.part, scope, path, access);
        let thing = self.step_into(|| match binding {
            Binding::Instance(path) => object(path, Access::Exact),
            Binding::Annotated(path) => object(path, Access::AtLeast),
            _ => Thing::Opaque("attribute of an object"),
        });
        match thing {
            Thing::Class(class, _) => Thing::Class(class, Access::AtLeast),
            _ => Thing::Opaque("attribute of an object"),
        }
    }

    fn search_base(&self, class: &ClassRef, (base, access): (&Base, Access), name: &str) -> Thing {
        let facts = &class.file().classes[class.class];
        match base {
            Base::Unknown => Thing::Unknown("base that is no plain name"),
            Base::Fields(fields) => {
                let is_field = fields.iter().any(|field| &**field == name);
                if is_field || OF_NAMED_TUPLES.contains(&name) {
                    Thing::Opaque("attribute of an object")
                } else {
                    Thing::Missing
                }
            }
            Base::Path(path) if is_empty_base(path) => Thing::Missing,
            Base::Path(path) => match self.path(&class.module, class.part, facts.outer, path) {
                Thing::Class(base, Access::Class) if !is_same(&base, class) => {
                    self.search(&base, access, name)
                }
                Thing::Listed(of, Part::Class) if !of.has(name) && !listed::is_spelt(name) => {
                    Thing::Unknown(listed::BASE_LISTED)
                }
                _ => Thing::Unknown(BASE),
            },
        }
    }

    /// The names of a class's members and its bases' members, for suggestions.
    pub(super) fn member_names(&self, class: &ClassRef) -> Vec<Name> {
        let mut names = Vec::new();
        let mut queue = vec![class.clone()];
        let mut seen = 0;
        while let Some(class) = queue.pop() {
            seen += 1;
            if seen > 20 {
                break;
            }
            let file = class.file();
            let facts = &file.classes[class.class];
            names.extend(file.scopes[facts.scope].bindings.keys().cloned());
            names.extend(facts.attributes.iter().cloned());
            for base in &facts.bases {
                if let Base::Path(path) = base
                    && let Thing::Class(base, _) =
                        self.path(&class.module, class.part, facts.outer, path)
                {
                    queue.push(base);
                }
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Whether a name is a private one of a class as others have to spell it: `_Class__name`.
fn is_mangled(name: &str) -> bool {
    let inner = name.strip_prefix('_').and_then(|name| name.split_once("__"));
    inner.is_some_and(|(class, name)| class.starts_with(char::is_uppercase) && !name.is_empty())
}

/// Whether the class had the name in an interpreter before 3.
fn is_of_python_2(class: &ClassRef, name: &str) -> bool {
    class.module.standard.as_deref() == Some("builtins") && OF_PYTHON_2.contains(&name)
}

fn is_empty_base(path: &[Name]) -> bool {
    path.last().is_some_and(|last| EMPTY_BASES.contains(&&**last))
}

fn is_same(left: &ClassRef, right: &ClassRef) -> bool {
    left.class == right.class && left.part == right.part && std::ptr::eq(left.file(), right.file())
}

/// Why a class may have more members than are written in it.
fn open_reason(class: &Class) -> Option<&'static str> {
    if let Some(reason) = class.open {
        return Some(reason);
    }
    let is_plain =
        |path: &[Name], plain: &[&str]| path.last().is_some_and(|last| plain.contains(&&**last));
    if class.metaclass.as_deref().is_some_and(|path| !is_plain(path, &PLAIN_METACLASSES)) {
        return Some("metaclass");
    }
    let decorated = class
        .decorators
        .iter()
        .any(|path| !path.as_deref().is_some_and(|path| is_plain(path, &PLAIN_DECORATORS)));
    decorated.then_some("class decorator of unknown effect")
}
