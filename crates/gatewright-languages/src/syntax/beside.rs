//! The code beside a stretch of text: the nearest bytes that are neither blank nor in a comment.

use gatewright_model::Span;
use tree_sitter::{Node, Tree};

/// How many comments are passed by on each side.
const MOST_COMMENTS: usize = 32;

/// The stretch with the last byte of the code before it and the first byte of the code behind.
pub(super) fn with_code_around(source: &[u8], tree: &Tree, stretch: Span) -> Span {
    let root = tree.root_node();
    let (mut start, mut end) = (stretch.start, stretch.end);
    for _ in 0..MOST_COMMENTS {
        let Some(last) = source[..start].iter().rposition(is_visible) else { break };
        start = last;
        let Some(comment) = extra_at(root, last) else { break };
        start = comment.start_byte().min(last);
    }
    for _ in 0..MOST_COMMENTS {
        let blanks = source[end..].iter().position(is_visible).unwrap_or(source.len() - end);
        let first = end + blanks;
        end = (first + 1).min(source.len());
        let Some(comment) = extra_at(root, first) else { break };
        end = comment.end_byte().max(end);
    }
    Span::new(start, end)
}

fn is_visible(byte: &u8) -> bool {
    !byte.is_ascii_whitespace()
}

/// What stands at a byte and may stand anywhere, as a comment does.
fn extra_at(root: Node<'_>, offset: usize) -> Option<Node<'_>> {
    root.descendant_for_byte_range(offset, offset + 1).filter(Node::is_extra)
}
