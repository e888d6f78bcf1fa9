//! What other files ask of a Python file, packed into bytes while nobody asks.
//!
//! Thousands of files are known at a time and a few dozen are asked: the many
//! are kept as bytes, a tenth of what they take when they can be asked.

use std::collections::HashMap;

use super::facts::{
    Base, Binding, Class, Function, ModulePath, Name, Path, PyFile, Scope, ScopeKind,
};
use crate::references::record::{Keep, Reader, Writer};

/// Every reason for which a file or a class may hold more than is written.
const REASONS: [&str; 6] = [
    "names made at run time",
    "setattr",
    "module replaced at run time",
    "dynamic attributes",
    "module with a __getattr__",
    "file that cannot be parsed",
];

impl Keep for PyFile {
    const TAG: u8 = 20;

    /// Without the references: other files do not ask for them.
    fn write(&self, to: &mut Writer) {
        to.list(self.scopes.iter(), write_scope);
        to.list(self.classes.iter(), write_class);
        to.list(self.functions.iter(), |to, function| {
            let flags = [function.takes_any, function.enters_itself, function.is_property];
            to.number(flags.iter().rev().fold(0, |all, flag| 2 * all + u64::from(*flag)));
            to.text(&function.keywords);
            to.texts(function.gives.as_deref().unwrap_or_default().iter());
        });
        to.list(self.stars.iter(), write_module);
        to.option(self.all.as_ref(), |to, all| to.texts(all.iter()));
        reason(to, self.open);
        reason(to, self.hook);
        for flag in [self.hooked, self.makes_modules, self.incomplete] {
            to.number(u64::from(flag));
        }
        for names in [&self.spelled, &self.stored, &self.loose] {
            to.texts(names.iter());
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let scopes = from.list(read_scope)?;
        let classes = from.list(read_class)?;
        let functions = from.list(|from| {
            let flags = from.number()?;
            let (takes_any, enters_itself) = (flags & 1 == 1, flags & 2 == 2);
            let is_property = flags & 4 == 4;
            let (keywords, gives) = (from.name()?, from.names()?);
            let gives = Some(gives).filter(|path: &Path| !path.is_empty());
            Some(Function { keywords, takes_any, gives, enters_itself, is_property })
        })?;
        let (stars, all) = (from.list(read_module)?, from.option(Reader::names)?);
        let (open, hook) = (read_reason(from)?, read_reason(from)?);
        let (hooked, makes_modules, incomplete) = (from.flag()?, from.flag()?, from.flag()?);
        let (spelled, stored, loose) = (from.set()?, from.set()?, from.set()?);
        let references = Vec::new();
        let file = Self {
            scopes,
            classes,
            functions,
            references,
            stars,
            all,
            open,
            hook,
            hooked,
            spelled,
            makes_modules,
            stored,
            loose,
            incomplete,
            outer: None,
        };
        is_sound(&file).then_some(file)
    }
}

/// Whether every number stands for something that is there, and no scope is around itself: a
/// resolver follows them without asking.
fn is_sound(file: &PyFile) -> bool {
    let (scopes, classes) = (file.scopes.len(), file.classes.len());
    let is_bound = |binding: &Binding| match binding {
        Binding::Class(number) | Binding::Receiver(number) => *number < classes,
        Binding::Function(number) => *number < file.functions.len(),
        _ => true,
    };
    let is_scope = |(number, scope): (usize, &Scope)| {
        let is_class = !matches!(scope.kind, ScopeKind::Class(class) if class >= classes);
        let is_inside = scope.parent.is_none_or(|parent| parent < number);
        is_class && is_inside && scope.bindings.values().all(is_bound)
    };
    let is_class = |class: &Class| {
        class.scope < scopes && class.outer < scopes && class.held.values().all(is_bound)
    };
    scopes > 0 && file.scopes.iter().enumerate().all(is_scope) && file.classes.iter().all(is_class)
}

fn reason(to: &mut Writer, reason: Option<&'static str>) {
    let number = reason.map(|reason| REASONS.iter().position(|known| *known == reason));
    to.option(number, |to, number| to.count(number.unwrap_or_default()));
}

fn read_reason(from: &mut Reader<'_>) -> Option<Option<&'static str>> {
    from.option(|from| REASONS.get(from.count()?).copied())
}

fn write_scope(to: &mut Writer, scope: &Scope) {
    to.option(scope.parent, Writer::count);
    match scope.kind {
        ScopeKind::Module => to.number(0),
        ScopeKind::Function => to.number(1),
        ScopeKind::Comprehension => to.number(2),
        ScopeKind::Class(class) => to.count(class + 3),
    }
    write_bindings(to, &scope.bindings);
}

fn write_bindings(to: &mut Writer, bindings: &HashMap<Name, Binding>) {
    to.list(bindings.iter(), |to, (name, binding)| {
        to.text(name);
        write_binding(to, binding);
    });
}

fn read_bindings(from: &mut Reader<'_>) -> Option<HashMap<Name, Binding>> {
    from.map(|from| Some((from.name()?, read_binding(from)?)))
}

fn read_scope(from: &mut Reader<'_>) -> Option<Scope> {
    let parent = from.option(Reader::count)?;
    let kind = match from.count()? {
        0 => ScopeKind::Module,
        1 => ScopeKind::Function,
        2 => ScopeKind::Comprehension,
        class => ScopeKind::Class(class - 3),
    };
    let bindings = read_bindings(from)?;
    Some(Scope { parent, kind, bindings })
}

fn write_binding(to: &mut Writer, binding: &Binding) {
    match binding {
        // Only locals are many, and nobody else asks for those.
        Binding::Other | Binding::Many(_) => to.number(0),
        Binding::Module(dotted) => {
            to.number(1);
            to.text(dotted);
        }
        Binding::From(module, name) => {
            to.number(2);
            write_module(to, module);
            to.text(name);
        }
        Binding::Class(number) | Binding::Function(number) | Binding::Receiver(number) => {
            let tag = match binding {
                Binding::Class(_) => 3,
                Binding::Function(_) => 4,
                _ => 5,
            };
            to.number(tag);
            to.count(*number);
        }
        Binding::Instance(path)
        | Binding::Annotated(path)
        | Binding::Alias(path)
        | Binding::Entered(path) => {
            let tag = match binding {
                Binding::Instance(_) => 6,
                Binding::Annotated(_) => 7,
                Binding::Alias(_) => 8,
                _ => 9,
            };
            to.number(tag);
            to.texts(path.iter());
        }
    }
}

fn read_binding(from: &mut Reader<'_>) -> Option<Binding> {
    Some(match from.number()? {
        0 => Binding::Other,
        1 => Binding::Module(from.name()?),
        2 => Binding::From(read_module(from)?, from.name()?),
        3 => Binding::Class(from.count()?),
        4 => Binding::Function(from.count()?),
        5 => Binding::Receiver(from.count()?),
        6 => Binding::Instance(from.names()?),
        7 => Binding::Annotated(from.names()?),
        8 => Binding::Alias(from.names()?),
        9 => Binding::Entered(from.names()?),
        _ => return None,
    })
}

fn write_module(to: &mut Writer, module: &ModulePath) {
    to.count(module.level);
    to.text(&module.dotted);
}

fn read_module(from: &mut Reader<'_>) -> Option<ModulePath> {
    Some(ModulePath { level: from.count()?, dotted: from.name()? })
}

fn write_class(to: &mut Writer, class: &Class) {
    to.text(&class.name);
    to.count(class.scope);
    to.count(class.outer);
    to.list(class.bases.iter(), |to, base| match base {
        Base::Unknown => to.number(0),
        Base::Path(path) => {
            to.number(1);
            to.texts(path.iter());
        }
        Base::Fields(fields) => {
            to.number(2);
            to.texts(fields.iter());
        }
    });
    let path = |to: &mut Writer, path: &Path| to.texts(path.iter());
    to.option(class.metaclass.as_ref(), path);
    to.list(class.decorators.iter(), |to, decorator| to.option(decorator.as_ref(), path));
    to.texts(class.attributes.iter());
    write_bindings(to, &class.held);
    reason(to, class.open);
}

fn read_class(from: &mut Reader<'_>) -> Option<Class> {
    let (name, scope, outer): (Name, _, _) = (from.name()?, from.count()?, from.count()?);
    let bases = from.list(|from| {
        Some(match from.number()? {
            0 => Base::Unknown,
            1 => Base::Path(from.names()?),
            2 => Base::Fields(from.names()?),
            _ => return None,
        })
    })?;
    let metaclass = from.option(Reader::names)?;
    let decorators = from.list(|from| from.option(Reader::names))?;
    let (attributes, held, open) = (from.set()?, read_bindings(from)?, read_reason(from)?);
    Some(Class { name, scope, outer, bases, metaclass, decorators, attributes, held, open })
}

#[cfg(test)]
#[path = "packed_tests.rs"]
mod tests;
