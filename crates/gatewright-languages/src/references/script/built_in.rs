//! What JavaScript brings itself: its global objects, and values that are written out.
//!
//! `Math.clamp(…)`, `Object.mapValues(…)`, `"till".toTitleCase()`, `tills: Till[]`. Anybody may
//! put more on these objects: a member that another file spells, or that the file asks for before
//! it calls it, is left alone.

use tree_sitter::Node;

use super::facts::Class;
use super::{Checker, Kind, Member, OF_FUNCTIONS, OF_OBJECTS, STEPS, own_classes, runtime};
use crate::references::words;

/// What a list is called that no name of a class says to be one. No file can declare such a name.
pub(super) const LIST: &str = "[]";
const TEXT: &str = "string";

/// The class of a value that is written out.
pub(super) fn written(value: Node<'_>) -> Option<&'static str> {
    match value.kind() {
        "string" | "template_string" => Some(TEXT),
        "array" => Some(LIST),
        _ => None,
    }
}

/// The class of a type that is no name of one.
pub(super) fn typed(node: Node<'_>, text: &str) -> Option<&'static str> {
    match (node.kind(), text) {
        ("array_type", _) => Some(LIST),
        ("predefined_type", TEXT) => Some(TEXT),
        ("predefined_type", "number") => Some("number"),
        _ => None,
    }
}

/// The number of the class of values that have no name of a class.
pub(super) fn number(name: &str) -> Option<usize> {
    let class = match name {
        TEXT => "String",
        LIST => "Array",
        "number" => "Number",
        _ => return None,
    };
    own_classes().class_names.get(class).copied()
}

/// The class of a global object.
fn class_of_global(name: &str) -> Option<&'static Class> {
    let own = own_classes();
    let number = match name {
        "Math" | "JSON" => own.class_names.get(name),
        "console" => own.class_names.get("Console"),
        "document" => own.class_names.get("Document"),
        _ => own.class_names.get(format!("{name}Constructor").as_str()),
    };
    number.map(|number| &own.classes[*number])
}

/// Whether an object that Node makes global has a member; `None` for all others.
fn of_node(root: &str, member: &str) -> Option<bool> {
    match root {
        "process" => Some(runtime::names(root)?.contains(member)),
        "Buffer" => Some(OF_BYTES.contains(&member)),
        _ => None,
    }
}

/// What Node puts on the class of its bytes.
const OF_BYTES: [&str; 12] = [
    "alloc",
    "allocUnsafe",
    "allocUnsafeSlow",
    "byteLength",
    "compare",
    "concat",
    "copyBytesFrom",
    "from",
    "isBuffer",
    "isEncoding",
    "of",
    "poolSize",
];

/// Whether a text asks for a member before it uses it: some versions and browsers lack it.
fn is_asked_for(text: &[u8], root: &str, member: &str) -> bool {
    let spelt = format!("{root}.{member}");
    words::occurrences(text, &spelt).any(|start| {
        let after = text[start + spelt.len()..].trim_ascii_start();
        let before = text[..start].trim_ascii_end();
        let is_any = |text: &[u8], marks: &[&str], is_at: fn(&[u8], &[u8]) -> bool| {
            marks.iter().any(|mark| is_at(text, mark.as_bytes()))
        };
        if is_any(after, &[".", "(", "["], <[u8]>::starts_with) {
            return false;
        }
        // Browsers differ in what they have, the language hardly.
        let is_kept = after.starts_with(b";") || before.ends_with(b"=");
        let asks = ["!", "&&", "||", "??", "?", "typeof", "if (", "while ("];
        let asked = ["&&", "||", "?", "= ", "in ", "instanceof"];
        root == "document" && is_kept
            || is_any(before, &asks, <[u8]>::ends_with)
            || is_any(after, &asked, <[u8]>::starts_with)
            || is_held_against_nothing(after)
    })
}

/// Whether a text goes on with `=== undefined` or the like.
fn is_held_against_nothing(after: &[u8]) -> bool {
    let rest = after.strip_prefix(b"!").or_else(|| after.strip_prefix(b"=")).unwrap_or_default();
    let rest = rest.strip_prefix(b"=").map(|rest| rest.strip_prefix(b"=").unwrap_or(rest));
    let rest = rest.unwrap_or_default().trim_ascii_start();
    let nothing: [&[u8]; 3] = [b"undefined", b"null", b"void"];
    nothing.iter().any(|word| rest.starts_with(word))
}

impl Checker<'_> {
    /// A member of an object that nothing in the file declares.
    pub(super) fn global_member(&mut self, root: &str, member: &str, offset: usize) {
        let file = self.file;
        let is_declared = file.declared.contains(root) || file.imports.contains_key(root);
        if !is_declared && let Some(is_there) = of_node(root, member) {
            return self.node_member((root, member), offset, is_there);
        }
        let Some(class) = class_of_global(root).filter(|_| !is_declared) else {
            return self.found.unknown("type not plain");
        };
        if OF_FUNCTIONS.contains(&member) {
            return self.found.exists();
        }
        let answer = match self.search(own_classes(), self.path, class, member, STEPS) {
            Member::Missing if is_asked_for(self.text, root, member) => {
                Member::Unknown("guarded name")
            }
            answer => answer,
        };
        self.member(answer, class, member, offset);
    }

    /// A member of an object that Node makes global.
    fn node_member(&mut self, (root, member): (&str, &str), offset: usize, is_there: bool) {
        if is_there || OF_FUNCTIONS.contains(&member) || OF_OBJECTS.contains(&member) {
            return self.found.exists();
        }
        let is_told = self.file.stored.contains(member)
            || member.starts_with('_')
            || is_asked_for(self.text, root, member)
            || self.is_elsewhere(member);
        match is_told {
            true => self.found.unknown("declaration that others may add to"),
            false => self.found.missing(member, Kind::Member, offset, []),
        }
    }
}
