//! What the kinds of nodes mean to a language, by their numbers.
//!
//! A declaration names kinds as the grammar spells them. A walk over a whole file asks about
//! every node, so the names are looked up once for each grammar and numbers are compared.

use std::sync::OnceLock;

use tree_sitter::Node;

use super::language::{Language, LanguageId};

/// What is known of a kind: any of the constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Kind(u8);

impl Kind {
    pub(super) const COMMENT: Kind = Kind(1);
    pub(super) const STRING: Kind = Kind(1 << 1);
    pub(super) const INTERPOLATION: Kind = Kind(1 << 2);
    pub(super) const ATTRIBUTE: Kind = Kind(1 << 3);
    pub(super) const ANNOTATION: Kind = Kind(1 << 4);
    pub(super) const OPAQUE: Kind = Kind(1 << 5);

    /// Whether it is one of these.
    pub(super) fn is(self, other: Kind) -> bool {
        self.0 & other.0 != 0
    }
}

/// The kinds of one grammar.
#[derive(Debug)]
pub(super) struct Kinds(Vec<Kind>);

impl Kinds {
    /// Those of a language.
    pub(super) fn of(id: LanguageId) -> &'static Kinds {
        static CACHE: [OnceLock<Kinds>; LanguageId::ALL.len()] =
            [const { OnceLock::new() }; LanguageId::ALL.len()];
        CACHE[id as usize].get_or_init(|| Kinds::new(id.language()))
    }

    /// What the kind of a node means.
    pub(super) fn get(&self, node: Node<'_>) -> Kind {
        self.0.get(usize::from(node.kind_id())).copied().unwrap_or_default()
    }

    fn new(language: &Language) -> Kinds {
        let grammar = (language.grammar)();
        let lists = [
            (language.comments, Kind::COMMENT),
            (language.strings, Kind::STRING),
            (language.interpolations, Kind::INTERPOLATION),
            (language.attributes, Kind::ATTRIBUTE),
            (language.annotations, Kind::ANNOTATION),
            (language.opaque, Kind::OPAQUE),
        ];
        let kind = |number: usize| {
            let name = u16::try_from(number).ok().and_then(|id| grammar.node_kind_for_id(id));
            let meant = lists.iter().filter(|(names, _)| name.is_some_and(|n| names.contains(&n)));
            Kind(meant.fold(0, |all, (_, kind)| all | kind.0))
        };
        Kinds((0..grammar.node_kind_count()).map(kind).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_own_kinds() {
        for (index, id) in LanguageId::ALL.into_iter().enumerate() {
            assert_eq!(id as usize, index);
            let kinds = Kinds::of(id);
            assert!(kinds.0.iter().any(|kind| kind.is(Kind::COMMENT)), "{}", id.name());
            assert!(kinds.0.iter().any(|kind| kind.is(Kind::STRING)), "{}", id.name());
        }
    }
}
