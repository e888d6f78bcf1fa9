//! What an outline is made of.

use std::fmt;

use gatewright_model::Span;

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A function.
    Function,
    /// A function of a type.
    Method,
    /// A constructor.
    Constructor,
    /// A function that is declared here and defined elsewhere.
    Prototype,
    /// A class.
    Class,
    /// A struct or union.
    Struct,
    /// An enumeration.
    Enum,
    /// An interface.
    Interface,
    /// A trait.
    Trait,
    /// An implementation block.
    Impl,
    /// A record.
    Record,
    /// An object that is its own class.
    Object,
    /// A module with its body here.
    Module,
    /// A namespace.
    Namespace,
    /// A named type: alias, typedef, delegate, concept.
    Type,
    /// A macro.
    Macro,
    /// A property.
    Property,
    /// A field.
    Field,
    /// A constant.
    Constant,
    /// A variable of the top level.
    Variable,
}

impl SymbolKind {
    /// Every kind with its name in queries and outlines.
    pub(crate) const NAMES: [(&'static str, SymbolKind); 20] = [
        ("function", SymbolKind::Function),
        ("method", SymbolKind::Method),
        ("constructor", SymbolKind::Constructor),
        ("prototype", SymbolKind::Prototype),
        ("class", SymbolKind::Class),
        ("struct", SymbolKind::Struct),
        ("enum", SymbolKind::Enum),
        ("interface", SymbolKind::Interface),
        ("trait", SymbolKind::Trait),
        ("impl", SymbolKind::Impl),
        ("record", SymbolKind::Record),
        ("object", SymbolKind::Object),
        ("module", SymbolKind::Module),
        ("namespace", SymbolKind::Namespace),
        ("type", SymbolKind::Type),
        ("macro", SymbolKind::Macro),
        ("property", SymbolKind::Property),
        ("field", SymbolKind::Field),
        ("constant", SymbolKind::Constant),
        ("variable", SymbolKind::Variable),
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("symbol", |(name, _)| name)
    }

    /// Whether a function inside is a method of it.
    pub fn is_type(self) -> bool {
        use SymbolKind as K;
        matches!(
            self,
            K::Class
                | K::Struct
                | K::Enum
                | K::Interface
                | K::Trait
                | K::Impl
                | K::Record
                | K::Object
        )
    }

    /// Whether other symbols live in it as its members.
    pub fn is_container(self) -> bool {
        self.is_type() || matches!(self, SymbolKind::Module | SymbolKind::Namespace)
    }

    /// Whether it runs: what is inside is local to it.
    pub fn is_callable(self) -> bool {
        use SymbolKind as K;
        matches!(self, K::Function | K::Method | K::Constructor | K::Prototype | K::Macro)
    }
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The definition keyword of a symbol, as the design's table spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyword {
    /// The entry of the table (`async fn`).
    pub word: &'static str,
    /// Where its last word stands.
    pub span: Span,
}

/// One definition. All spans are byte offsets into the parsed bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its own name (`label`, `impl Named for Widget`, `self.create`).
    pub name: String,
    /// The names from the outside in, `/` between them.
    pub path: String,
    /// Its number among the symbols with the same path, from 1.
    pub overload: u32,
    /// The index of the symbol around it.
    pub parent: Option<usize>,
    /// Where its name stands.
    pub name_span: Span,
    /// Its definition keyword, if the language's table has one for it.
    pub keyword: Option<Keyword>,
    /// From its first attribute, decorator or modifier to its body.
    pub head: Span,
    /// Its body, braces included.
    pub body: Option<Span>,
    /// The head and the body, with `export`, `template<…>` and a closing `;`.
    pub code: Span,
    /// Where the code starts behind its attributes, decorators and annotations.
    pub bare_start: usize,
    /// All that it owns: its code with the comments directly above.
    pub full: Span,
    /// Whether a text edit may not cut its head.
    pub structural: bool,
}
