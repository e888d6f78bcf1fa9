//! What is known about the structural weight of one file change.

/// The answer of the parse to the structural gate, for one file change.
///
/// No problem means that the change is an ordinary text edit, or that the gate
/// does not apply: another language, a new file, a symbol edit, an undo.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StructureFacts {
    /// The name that people use for the language; `None` when it is not one with symbol tools.
    pub language: Option<String>,
    /// What makes the change a structural one, in the order of the file.
    pub problems: Vec<StructureProblem>,
    /// The calls that do what was asked for, to be sent in this order.
    pub calls: Vec<ReadyCall>,
}

/// One reason why a text edit is a structural edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructureProblem {
    /// What was found.
    pub found: Structural,
    /// The line number of the base, or of the result for an elision.
    pub line: Option<u32>,
    /// The name path of the definition that it concerns.
    pub symbol: Option<String>,
    /// What the text edit looks like.
    pub shape: EditShape,
    /// The call that does the same through the symbol tool.
    pub call: Option<SymbolCall>,
}

/// What makes an edit structural.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Structural {
    /// The replaced text holds a definition keyword that defines something there.
    Keyword {
        /// The keyword as the language's table spells it.
        keyword: String,
    },
    /// The replaced text cuts through the head of a definition.
    HeadCut {
        /// What is defined (`method`, `type`).
        kind: String,
    },
    /// Several small edits together rewrite one definition, its head included.
    Batch {
        /// The lines that they touch, one-based.
        lines: Vec<u32>,
    },
    /// Heads change places while the bodies stay.
    SwappedHeads {
        /// The definition whose body now stands under this one's head.
        other: String,
    },
    /// Definitions of the base are missing from the result.
    Vanish {
        /// Which ones.
        definitions: Vec<LostDefinition>,
    },
    /// The result leaves code out and says so in a comment.
    Elision {
        /// The comment.
        text: String,
    },
    /// New text tears definitions around it apart or moves them into another one.
    Splice {
        /// The definitions that are no longer where they were.
        definitions: Vec<LostDefinition>,
    },
    /// A symbol edit takes off what stood above a definition; told, and not refused.
    AnnotationsLost {
        /// The decorators, attributes or annotations, as they were written.
        annotations: Vec<String>,
    },
    /// A second definition of a name that is defined already.
    Redefinition,
    /// Line breaks of the new text are spelt out, and would break the syntax as they are.
    SpeltLineBreaks,
    /// The parse could not run.
    NotParsed {
        /// Why.
        reason: String,
    },
}

/// A definition of the base that the result does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostDefinition {
    /// Its name path.
    pub symbol: String,
    /// What it is.
    pub kind: String,
    /// Its line number in the base.
    pub line: u32,
}

/// What an edit looks like, which decides the hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditShape {
    /// The new text is not longer than the old one.
    Replace,
    /// The new text is longer than the old one.
    Insert,
    /// There is no new text.
    Remove,
}

impl EditShape {
    /// The shape of replacing `old` by `new`.
    pub fn of(old: &str, new: &str) -> Self {
        if new.is_empty() {
            EditShape::Remove
        } else if new.len() > old.len() {
            EditShape::Insert
        } else {
            EditShape::Replace
        }
    }

    /// The value of `action` in the call.
    pub fn action(self) -> &'static str {
        match self {
            EditShape::Replace => "replace",
            EditShape::Insert => "insert",
            EditShape::Remove => "remove",
        }
    }
}

/// A call that is ready to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadyCall {
    /// A call of `edit_code`.
    Symbol(SymbolCall),
    /// A call of `edit_file`, for text that belongs to no definition.
    Text {
        /// The path of the file, as it was asked for.
        path: String,
        /// The text to replace, which stands there once.
        old: String,
        /// The text that comes there.
        new: String,
    },
    /// A call of `read_file`, where what was asked for leaves out what must be known first.
    Read {
        /// The path of the file, as it was asked for.
        path: String,
        /// The name path of the definition in question.
        symbol: Option<String>,
    },
}

/// A call of `edit_code`, ready to send where the body is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolCall {
    /// The name path of the symbol.
    pub symbol: String,
    /// Its number among the symbols with that path; `None` when it is the only one.
    pub overload: Option<u32>,
    /// The path of the file, as it was asked for.
    pub path: String,
    /// What to do.
    pub action: EditShape,
    /// Where to insert (`before`, `after`, `first`, `last`).
    pub position: Option<String>,
    /// Whether the body is all that the symbol owns: what stands above it now and is missing
    /// in the body goes.
    pub whole: bool,
    /// The new text of the symbol; `None` for a removal, or when it cannot be derived.
    pub body: Option<String>,
}
