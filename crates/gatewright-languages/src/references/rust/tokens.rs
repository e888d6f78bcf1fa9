//! What can be said of the tokens of a macro that is not plain code.
//!
//! Names that stand alone may be bindings. In macros that are known to take
//! expressions, what follows `self.` is a reference like any other.

use tree_sitter::Node;

use super::facts::{Path, Segment, Target};
use super::walk::Walker;

/// Macros that take expressions beside patterns and fields.
const EXPRESSIONS: &str = "matches assert_matches info warn error debug trace event log select \
join try_join pin assert debug_assert span info_span debug_span error_span trace_span try_ready \
warn_span ensure bail instrument";

impl Walker<'_> {
    /// Notes the tokens of a macro in code.
    pub(super) fn tokens(&mut self, node: Node<'_>, path: &Path) {
        let last = path.last().map(|last| &*last.name).unwrap_or_default();
        let is_code = EXPRESSIONS.split_whitespace().any(|known| known == last);
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match node.kind() {
                "identifier" => self.token(node),
                "self" if is_code => self.after_self(node),
                _ => {
                    let mut cursor = node.walk();
                    pending.extend(node.children(&mut cursor));
                }
            }
        }
    }

    fn token(&mut self, node: Node<'_>) {
        let name = self.text(node);
        let after = self.source.get(node.end_byte()..).unwrap_or_default();
        let before = self.source.get(..node.start_byte()).unwrap_or_default();
        let is_binding = !before.ends_with(b".")
            && !before.ends_with(b":")
            && !after.starts_with(b"::")
            && !after.starts_with(b"!")
            && name.starts_with(|first: char| first.is_lowercase() || first == '_');
        let before = before.trim_ascii_end();
        let is_item = [&b"static"[..], b"const", b"ref", b"struct", b"enum", b"type", b"trait"]
            .iter()
            .any(|word| before.ends_with(word));
        if is_binding || is_item {
            self.file.declared.insert(name.into());
        }
    }

    fn after_self(&mut self, node: Node<'_>) {
        let after = self.source.get(node.end_byte()..).unwrap_or_default();
        let Some(rest) = after.strip_prefix(b".") else { return };
        let length =
            rest.iter().take_while(|byte| crate::references::words::is_word(**byte)).count();
        let name = std::str::from_utf8(&rest[..length]).unwrap_or_default();
        if !name.starts_with(|first: char| first.is_alphabetic()) || name == "await" {
            return;
        }
        let member = Segment { name: name.into(), offset: node.end_byte() + 1 };
        if rest[length..].trim_ascii_start().starts_with(b"=")
            && !rest[length..].trim_ascii_start().starts_with(b"==")
        {
            return;
        }
        let is_call = rest[length..].starts_with(b"(") || rest[length..].starts_with(b"::<");
        let of = self.itself();
        self.refer(Target::Member { of, member, is_call });
    }
}
