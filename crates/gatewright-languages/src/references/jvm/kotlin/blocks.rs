//! The receivers that lambdas add, by the functions that take them.

use std::rc::Rc;

use super::facts::{Block, Callee, Level, Scope};
use super::resolve::{Answer, Class, Hit, Lookup, Resolver, Source, Type};
use super::values::Receiver;

/// Why the receiver of a lambda is not known.
pub(super) const OPEN: &str = "lambda of an unknown function";
/// The same of a function that something has.
pub(super) const METHOD: &str = "lambda of an unknown method";
pub(super) const OTHER: &str = "lambda with an unknown receiver";

impl Resolver<'_> {
    /// The receiver that the lambda at a level adds.
    pub(super) fn lambda(&self, source: &Rc<Source>, scope: Scope, depth: usize) -> Receiver {
        let Some(level) = source.file.level(scope) else { return Receiver::None };
        let key = (Rc::as_ptr(source) as usize, scope.unwrap_or_default());
        if let Some(known) = self.blocks.borrow().get(&key) {
            return known.clone();
        }
        self.blocks.borrow_mut().insert(key, Receiver::Unknown("cycle of lambdas"));
        let found = match &level.level {
            Level::Lambda(callee) => self.receiver(source, callee, level.outer, depth),
            _ => Receiver::None,
        };
        self.blocks.borrow_mut().insert(key, found.clone());
        found
    }

    pub(super) fn receiver(
        &self,
        source: &Rc<Source>,
        callee: &Callee,
        outer: Scope,
        depth: usize,
    ) -> Receiver {
        let Some(depth) = depth.checked_sub(1) else { return Receiver::Unknown("too many steps") };
        match callee {
            Callee::Unknown => Receiver::Unknown(OPEN),
            Callee::Nothing => Receiver::None,
            Callee::Bare(name, first) => {
                let on = || match (&**name, first) {
                    ("with", Some(first)) => Receiver::Of(self.eval(source, *first, depth)),
                    ("with", None) => Receiver::Unknown(OPEN),
                    // It is called on a receiver that is around anyway.
                    _ => Receiver::None,
                };
                match self.bare(source, outer, name, depth) {
                    Answer::Found(hit) => self.block_of(hit, on, depth),
                    _ => match self.class(source, outer, name, depth) {
                        Lookup::Found(class) => self.block_of(Hit::Class(class), on, depth),
                        _ => Receiver::Unknown(OPEN),
                    },
                }
            }
            Callee::Method(owner, name) => {
                let owner = self.eval(source, *owner, depth);
                let on = || Receiver::Of(owner.clone());
                let is_imported =
                    || source.file.imports.iter().any(|it| !it.is_star && it.name() == &**name);
                let hit = match self.member_of(owner.clone(), name, depth) {
                    // A method of Java may share its name with an extension that takes a block.
                    Answer::Found(Hit::Java(_)) if is_imported() => None,
                    Answer::Found(hit) => Some(hit),
                    _ => self.extension(name),
                };
                hit.map_or(Receiver::Unknown(METHOD), |hit| self.block_of(hit, on, depth))
            }
        }
    }

    /// The receiver of the lambda that something takes; `on` tells what it is called on.
    pub(super) fn block_of(&self, hit: Hit, on: impl Fn() -> Receiver, depth: usize) -> Receiver {
        let named = |source: &Rc<Source>, scope: Scope, block: &Block| match block {
            Block::None => Receiver::None,
            Block::Open => Receiver::Unknown(OTHER),
            Block::Of(name) => Receiver::Of(self.of_type(source, scope, name, depth)),
            Block::Named(name) if source.file.parameters.contains(name) => Receiver::None,
            Block::Named(name) => match self.class(source, scope, name, depth) {
                Lookup::Found(_) => Receiver::None,
                _ => self.alias_block(source, name, depth),
            },
        };
        match hit {
            Hit::Member(source, member) if member.is_function => {
                named(&source, member.scope, &member.block)
            }
            Hit::Member(..) | Hit::Opaque(_) => Receiver::Unknown(OPEN),
            // A function of the library may be called like the class that it makes.
            Hit::Class(Class::Library(class)) => match class.maker() {
                Some(entry) => self.block_of(Hit::Library(entry), on, depth),
                None => Receiver::None,
            },
            Hit::Java(_) | Hit::Class(Class::Java(_)) => Receiver::None,
            Hit::Class(Class::Kotlin(twins)) => {
                let Some((source, number)) = twins.first() else { return Receiver::None };
                let class = &source.file.classes[*number];
                match &class.block {
                    Some(block) if !class.is_object => named(source, class.inside, block),
                    None if !class.is_object => Receiver::None,
                    _ => Receiver::Unknown(OPEN),
                }
            }
            Hit::Library(entry) => match entry.block {
                "" => Receiver::None,
                "?" => on(),
                name => match self.qualified(name, depth) {
                    Lookup::Found(class) => Receiver::Of(Type::Class(class)),
                    _ => Receiver::Unknown(OTHER),
                },
            },
        }
    }

    /// The receiver of the functions that an alias stands for.
    pub(super) fn alias_block(&self, source: &Rc<Source>, name: &str, depth: usize) -> Receiver {
        let file = &source.file;
        let mut found = file.aliases.get(name).map(|(_, block)| (Rc::clone(source), block.clone()));
        let import = file.imports.iter().find(|it| !it.is_star && it.name() == name);
        let package =
            import.and_then(|it| it.path.rsplit_once('.')).map_or(&*file.package, |it| it.0);
        for (path, _) in self.packages.find(package, name) {
            let other = self.source(&path);
            let block = other.as_ref().and_then(|it| it.file.aliases.get(name));
            found = found.or_else(|| Some((other.clone()?, block?.1.clone())));
        }
        match found {
            Some((_, Block::None)) => Receiver::None,
            Some((source, Block::Of(name))) => {
                Receiver::Of(self.of_type(&source, None, &name, depth))
            }
            _ => Receiver::Unknown(OTHER),
        }
    }
}
