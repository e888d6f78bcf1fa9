//! Which members a class of Kotlin, of its library or of Java has.

use std::rc::Rc;

use super::super::resolve as java;
use super::facts::Scope;
use super::library::{Entry, LibraryClass};
use super::resolve::{Answer, Class, DEEPEST, Hit, Lookup, Resolver, Source, single};

/// What classes of the JDK are called on with, though Java spells it otherwise.
const MAPPED: &str = "size keys values entries key value length get set plus minus contains name \
ordinal message cause removeAt toByte toChar toDouble toFloat toInt toLong toShort component1 \
component2 compareTo iterator invoke clone rangeTo inc dec charAt stackTrace";

/// How many letters at the start of a property may be capitals in the name of its function.
const LETTERS: usize = 5;

impl Resolver<'_> {
    /// The head of a dotted name that is not there already: what it holds is not there either.
    pub(super) fn first_missing<'n>(
        &self,
        source: &Rc<Source>,
        scope: Scope,
        name: &'n str,
    ) -> &'n str {
        let mut heads = name.match_indices('.').map(|(end, _)| &name[..end]);
        let is_missing = |head: &&str| {
            let last = head.rsplit('.').next().unwrap_or(head);
            last.starts_with(char::is_uppercase)
                && matches!(self.class(source, scope, head, DEEPEST), Lookup::Missing)
        };
        heads.find(is_missing).unwrap_or(name)
    }

    /// A member of a class.
    pub(super) fn member(&self, class: &Class, name: &str, depth: usize) -> Answer {
        if depth == 0 {
            return Answer::Unknown("too many steps");
        }
        if matches!(name, "equals" | "hashCode" | "toString") || is_component(name) {
            return Answer::Found(Hit::Opaque("object"));
        }
        let mut unknown = match class {
            Class::Kotlin(twins) => match self.own_member(twins, name, depth) {
                Answer::Missing => None,
                Answer::Unknown(reason) => Some(reason),
                found => return found,
            },
            Class::Library(class) => match (library_member(*class, name), class.inner(name)) {
                (Some(entry), _) => return Answer::Found(Hit::Library(entry)),
                (None, Some(inner)) => return Answer::Found(Hit::Class(Class::Library(inner))),
                (None, None) => class.is_open().then_some("class with unknown members"),
            },
            Class::Java(class) => return self.java_member(class, name),
        };
        for base in self.bases(class, depth - 1) {
            match base.map(|base| self.member(&base, name, depth - 1)) {
                Ok(Answer::Missing) => {}
                Ok(Answer::Unknown(reason)) | Err(reason) => unknown = Some(reason),
                Ok(found @ Answer::Found(_)) => return found,
            }
        }
        unknown.map_or(Answer::Missing, Answer::Unknown)
    }

    pub(super) fn own_member(
        &self,
        twins: &[(Rc<Source>, usize)],
        name: &str,
        depth: usize,
    ) -> Answer {
        let mut unknown = None;
        for (source, number) in twins {
            let class = &source.file.classes[*number];
            if let Some(member) = class.members.get(name) {
                return Answer::Found(Hit::Member(Rc::clone(source), member.clone()));
            }
            if let Some(inner) = self.own_inner(source, *number, name) {
                return Answer::Found(Hit::Class(inner));
            }
            if let Some(companion) = source.file.companion(*number) {
                match self.member(&single(source, companion), name, depth - 1) {
                    Answer::Missing => {}
                    Answer::Unknown(reason) => unknown = Some(reason),
                    found => return found,
                }
            }
            let is_loose = source.file.loose.contains(name).then_some("syntax error");
            let open =
                class.open.filter(|_| twins.len() == 1 || class.open == Some("syntax error"));
            unknown = unknown.or(open).or(is_loose);
        }
        unknown.map_or(Answer::Missing, Answer::Unknown)
    }

    /// Whether all that the name of a class gives is known, and has no such member.
    pub(super) fn lacks_static(&self, class: &Class, name: &str) -> bool {
        let Class::Kotlin(twins) = class else { return false };
        let [(source, number)] = &**twins else { return false };
        let class = &source.file.classes[*number];
        !class.is_object
            && class.open.is_none()
            && !class.members.contains_key(name)
            && matches!(self.own_member(twins, name, DEEPEST), Answer::Missing)
            && !matches!(name, "values" | "valueOf" | "entries" | "Companion" | "serializer")
    }

    /// A member of a class of Java, by its own name or as a property.
    pub(super) fn java_member(&self, class: &java::ClassRef, name: &str) -> Answer {
        let mut spellings = vec![name.to_owned()];
        // `iv` may stand for `getIV`, as well as for `getIv`.
        let small = name.bytes().take_while(u8::is_ascii_lowercase).count().clamp(1, LETTERS);
        for length in 1..=small {
            let Some((head, rest)) = name.split_at_checked(length) else { break };
            let upper = head.to_uppercase();
            let starts = ["get", "is", "set"].iter();
            spellings.extend(starts.map(|start| format!("{start}{upper}{rest}")));
        }
        if let Some(rest) = name.strip_prefix("is") {
            spellings.push(format!("set{rest}"));
        }
        let mut unknown = None;
        for spelling in spellings {
            match self.java.member(class, &spelling) {
                java::Answer::Found(ty) => return Answer::Found(Hit::Java(ty)),
                java::Answer::Unknown(reason) => unknown = Some(reason),
                java::Answer::Missing => {}
            }
        }
        let is_of_jdk = MAPPED.split(' ').any(|mapped| mapped == name);
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None if is_of_jdk => Answer::Found(Hit::Opaque("type not plain")),
            None => Answer::Missing,
        }
    }

    /// The members that a class spells out itself.
    pub(super) fn names(&self, class: &Class) -> Vec<String> {
        match class {
            Class::Kotlin(twins) => {
                let keys = |(source, number): &(Rc<Source>, usize)| {
                    let members = source.file.classes[*number].members.keys();
                    members.map(ToString::to_string).collect::<Vec<_>>()
                };
                twins.iter().flat_map(keys).collect()
            }
            Class::Library(class) => class.members().map(str::to_owned).collect(),
            Class::Java(class) => self.java.names(class),
        }
    }
}

/// A member of a class of the library; what it has of Java is a property as well.
fn library_member(class: LibraryClass, name: &str) -> Option<Entry> {
    let property = || {
        let (first, rest) = name.split_at_checked(1)?;
        class.member(&format!("get{}{rest}", first.to_uppercase()))
    };
    class.member(name).or_else(property)
}

fn is_component(name: &str) -> bool {
    name.strip_prefix("component")
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}
