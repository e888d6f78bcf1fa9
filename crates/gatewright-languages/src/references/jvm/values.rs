//! From shapes to types: of which class the value of an expression is.

use std::rc::Rc;

use super::facts::{Id, Shape};
use super::project::Source;
use super::resolve::{Answer, ClassRef, DEEPEST, Lookup, Resolver, Type};

impl Resolver<'_> {
    /// The type of a shape.
    pub(crate) fn eval(&self, source: &Rc<Source>, id: Id, depth: usize) -> Type {
        if depth == 0 {
            return Type::Unknown("too many steps");
        }
        match source.file.shape(id) {
            Shape::Unknown => Type::Unknown("type not plain"),
            Shape::Basic => Type::Basic,
            Shape::Of(name, context) => self.of_type(source, *context, name),
            Shape::This(Some(number)) => Type::Class(ClassRef::Source(Rc::clone(source), *number)),
            Shape::This(None) | Shape::Super(None) => Type::Unknown("no class around"),
            Shape::Super(Some(number)) => Type::Class(ClassRef::Source(Rc::clone(source), *number)),
            Shape::Name(name, context) => match self.around(source, *context, name) {
                Answer::Found(ty) => ty,
                Answer::Unknown(reason) if !name.starts_with(char::is_uppercase) => {
                    Type::Unknown(reason)
                }
                _ => match self.class(source, *context, name) {
                    Lookup::Found(class) => Type::Class(class),
                    Lookup::Unknown(reason) => Type::Unknown(reason),
                    _ if name.starts_with(char::is_lowercase) => Type::Package(name.to_string()),
                    _ => Type::Unknown("type that cannot be resolved"),
                },
            },
            Shape::Field(owner, name) => match self.eval(source, *owner, depth - 1) {
                Type::Package(prefix) => {
                    let whole = format!("{prefix}.{name}");
                    match self.qualified(&whole, DEEPEST) {
                        Lookup::Found(class) => Type::Class(class),
                        _ => Type::Package(whole),
                    }
                }
                owner => self.member_of(owner, name),
            },
            Shape::Method(owner, name) => {
                let owner = self.eval(source, *owner, depth - 1);
                self.member_of(owner, name)
            }
            Shape::Call(name, context) => match self.around(source, *context, name) {
                Answer::Found(ty) => ty,
                Answer::Unknown(reason) => Type::Unknown(reason),
                Answer::Missing => Type::Unknown("missing member"),
            },
        }
    }

    fn member_of(&self, owner: Type, name: &str) -> Type {
        match owner {
            Type::Class(class) => match self.member(&class, name) {
                Answer::Found(ty) => ty,
                Answer::Unknown(reason) => Type::Unknown(reason),
                Answer::Missing => Type::Unknown("missing member"),
            },
            Type::Unknown(reason) => Type::Unknown(reason),
            _ => Type::Unknown("type not plain"),
        }
    }
}
