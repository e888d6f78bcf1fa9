//! Which bytes belong to a definition: one rule for all languages.
//!
//! A definition owns what wraps it (`export`, decorators, `template<…>`, the
//! `type` of Go), the attributes before it, a `;` after it, and the comment
//! lines directly above with the same indentation, and the comment behind it on
//! its last line. A comment behind other code on its line, one behind a blank
//! line and a `#!` line belong to nobody.

use gatewright_model::Span;
use tree_sitter::Node;

use super::kinds::{Kind, Kinds};
use super::parsed::{Frame, Parsed};

/// The comments and annotations of a file in order.
#[derive(Debug)]
pub(super) struct Comments {
    /// Comments, without the line end that some grammars include.
    spans: Vec<Span>,
    annotations: Vec<Span>,
}

impl Comments {
    /// Those that share a byte with a region.
    pub(super) fn collect(parsed: &Parsed, region: Span) -> Self {
        let kinds = Kinds::of(parsed.language());
        let mut spans = Vec::new();
        let mut annotations = Vec::new();
        parsed.visit(|node, _| {
            let kind = kinds.get(node);
            if kind.is(Kind::ANNOTATION) {
                annotations.push(Span::new(node.start_byte(), node.end_byte()));
            }
            let is_comment = node.is_named() && kind.is(Kind::COMMENT);
            if is_comment {
                let text = &parsed.source()[node.byte_range()];
                let length = text.trim_ascii_end().len();
                spans.push(Span::new(node.start_byte(), node.start_byte() + length));
            }
            !is_comment && node.start_byte() < region.end && region.start < node.end_byte()
        });
        Self { spans, annotations }
    }

    /// Where code starts behind the annotations at its start.
    pub(super) fn bare_start(&self, parsed: &Parsed, code: Span) -> usize {
        let mut start = code.start;
        let mut bare = code.start;
        while start < code.end {
            let rest = &parsed.source()[start..code.end];
            start += rest.len() - rest.trim_ascii_start().len();
            let at = |spans: &[Span]| {
                let index = spans.partition_point(|span| span.start < start);
                spans.get(index).filter(|span| span.start == start).map(|span| span.end)
            };
            if let Some(end) = at(&self.annotations) {
                start = end;
                bare = end;
            } else if let Some(end) = at(&self.spans) {
                start = end;
            } else {
                break;
            }
        }
        if bare == code.start { bare } else { start.min(code.end) }
    }

    /// The last comment that ends at or before `offset`.
    fn before(&self, offset: usize) -> Option<Span> {
        let index = self.spans.partition_point(|span| span.end <= offset);
        index.checked_sub(1).map(|index| self.spans[index])
    }

    /// The first comment that starts at or after `offset`.
    fn after(&self, offset: usize) -> Option<Span> {
        let index = self.spans.partition_point(|span| span.start < offset);
        self.spans.get(index).copied()
    }
}

/// The code of a definition, from its first attribute to its closing `;`.
pub(super) fn code_span(parsed: &Parsed, node: Node<'_>, ancestors: &[Frame<'_>]) -> Span {
    let language = parsed.language().language();
    let mut outer = node;
    let mut attributes_start = ancestors.last().and_then(|frame| frame.attributes_start);
    for (index, frame) in ancestors.iter().enumerate().rev() {
        if !language.wrappers.contains(&frame.node.kind()) || !owns_only(frame.node, outer) {
            break;
        }
        outer = frame.node;
        let above = index.checked_sub(1).and_then(|above| ancestors[above].attributes_start);
        attributes_start = above.or(attributes_start.filter(|start| *start < outer.start_byte()));
    }
    let start = attributes_start.unwrap_or(outer.start_byte()).min(outer.start_byte());
    let mut end = outer.end_byte();
    // Some grammars end a definition with the line end; it is nobody's.
    end = start + parsed.source()[start..end].trim_ascii_end().len();
    if outer.kind().starts_with("preproc_") {
        end = continued(parsed.source(), end);
    }
    if language.semicolons {
        end = after_semicolon(parsed.source(), end);
    }
    Span::new(start, after_here_documents(outer, end))
}

/// The end of the texts below whose marks stand in a definition: they follow its last line, and
/// the grammar puts them beside it.
fn after_here_documents(outer: Node<'_>, end: usize) -> usize {
    let mut end = end;
    let mut next = outer.next_sibling();
    while let Some(text) = next.filter(|node| node.kind() == "heredoc_body") {
        end = text.end_byte().max(end);
        next = text.next_sibling();
    }
    end
}

/// Whether `wrapper` exists for `inner` alone.
fn owns_only(wrapper: Node<'_>, inner: Node<'_>) -> bool {
    let mut cursor = wrapper.walk();
    let mut children = wrapper.children(&mut cursor);
    // A group in parentheses has members of its own; a call with a receiver is no modifier.
    let is_call = wrapper.kind() == "call";
    if is_call && wrapper.child_by_field_name("receiver").is_some() {
        return false;
    }
    let groups = ["const_declaration", "var_declaration", "type_declaration"];
    let is_group = groups.contains(&wrapper.kind());
    children.all(|child| {
        let is_other = child.id() != inner.id() && child.kind() == inner.kind();
        let is_group_mark = is_group && child.kind() == "(";
        !is_other && !is_group_mark
    })
}

/// The end of the lines that a `\\` continues from `end` on. A comment inside of a macro ends its
/// node, and the macro goes on.
fn continued(source: &[u8], end: usize) -> usize {
    let line = |from: usize| {
        let rest = &source[from..];
        &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
    };
    let mut end = end;
    let mut is_continued = line(end).trim_ascii_end().ends_with(b"\\");
    while is_continued {
        let next = end + line(end).len() + 1;
        if next > source.len() {
            break;
        }
        is_continued = line(next).trim_ascii_end().ends_with(b"\\");
        end = if is_continued { next } else { next + line(next).trim_ascii_end().len() };
    }
    end
}

fn after_semicolon(source: &[u8], end: usize) -> usize {
    let rest = &source[end..];
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_closed = source[..end].ends_with(b";");
    if !is_closed && rest.get(blanks) == Some(&b';') { end + blanks + 1 } else { end }
}

/// The code with the comment lines that it owns above.
pub(super) fn full_span(parsed: &Parsed, code: Span, comments: &Comments) -> Span {
    let source = parsed.source();
    let mut start = code.start;
    let indentation = indentation_before(source, start);
    while let Some(comment) = comments.before(start) {
        let gap = &source[comment.end..start];
        let is_next_line =
            gap.iter().all(u8::is_ascii_whitespace) && memchr::memchr_iter(b'\n', gap).count() == 1;
        let is_own_line =
            indentation.is_some() && indentation_before(source, comment.start) == indentation;
        let is_interpreter_line = comment.start == 0 && source.starts_with(b"#!");
        if !is_next_line || !is_own_line || is_interpreter_line {
            break;
        }
        start = comment.start;
    }
    let is_indented = parsed.language().language().indented;
    let end = beside(source, code.end, comments);
    let end = if is_indented { below(source, end, indentation, comments) } else { end };
    Span::new(start, end)
}

/// The end of a comment behind the definition, if nothing else follows on that line.
fn beside(source: &[u8], end: usize, comments: &Comments) -> usize {
    let Some(comment) = comments.after(end) else { return end };
    let line = memchr::memchr(b'\n', &source[end..]).map_or(source.len(), |length| end + length);
    let is_alone = comment.end <= line
        && source[end..comment.start].iter().all(|byte| matches!(byte, b' ' | b'\t'))
        && source[comment.end..line].trim_ascii().is_empty();
    if is_alone { comment.end } else { end }
}

/// The end of the comment lines below that are indented deeper than the definition.
fn below(source: &[u8], end: usize, indentation: Option<&[u8]>, comments: &Comments) -> usize {
    let mut end = end;
    let Some(indentation) = indentation else { return end };
    while let Some(comment) = comments.after(end) {
        let gap = &source[end..comment.start];
        let is_deeper = indentation_before(source, comment.start)
            .is_some_and(|own| own.len() > indentation.len() && own.starts_with(indentation));
        if !gap.iter().all(u8::is_ascii_whitespace) || !is_deeper {
            break;
        }
        end = comment.end;
    }
    end
}

/// The white space before `offset` on its line; `None` when other text stands there.
fn indentation_before(source: &[u8], offset: usize) -> Option<&[u8]> {
    let line_start = memchr::memrchr(b'\n', &source[..offset]).map_or(0, |end| end + 1);
    let before = &source[line_start..offset];
    before.iter().all(|byte| matches!(byte, b' ' | b'\t')).then_some(before)
}
