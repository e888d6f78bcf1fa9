//! Lines of a bounded length: one that is too long is dropped while it is read.

use std::io::BufRead;

use serde_json::Value;

/// The longest line that is passed on.
pub const MAX_LINE: usize = 50 * 1024 * 1024;
/// How much of a dropped line is kept at each end, to find the id in.
const EDGE: usize = 2048;

/// What was read.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// A line, with its line feed where it had one.
    Whole(Vec<u8>),
    /// A line that was dropped, and the id of its message as far as it can be told.
    TooLong {
        /// The id.
        id: Option<Value>,
    },
    /// No more.
    End,
}

/// Reads lines.
pub struct Lines<R> {
    reader: R,
    limit: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a stream.
    pub fn new(reader: R) -> Self {
        Self { reader, limit: MAX_LINE }
    }

    /// The next line. A stream that fails has ended.
    pub fn next(&mut self) -> Line {
        let (mut line, mut tail, mut is_too_long) = (Vec::new(), Vec::new(), false);
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) if !chunk.is_empty() => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                _ if line.is_empty() => return Line::End,
                _ => return finish(line, &tail, is_too_long),
            };
            let newline = chunk.iter().position(|byte| *byte == b'\n');
            let taken = newline.map_or(chunk.len(), |index| index + 1);
            if !is_too_long && line.len() + taken > self.limit {
                is_too_long = true;
                line.truncate(EDGE.max(1));
                line.shrink_to_fit();
            }
            if is_too_long {
                tail.extend_from_slice(&chunk[..taken]);
                tail.drain(..tail.len().saturating_sub(EDGE));
            } else {
                line.extend_from_slice(&chunk[..taken]);
            }
            self.reader.consume(taken);
            if newline.is_some() {
                return finish(line, &tail, is_too_long);
            }
        }
    }
}

fn finish(line: Vec<u8>, tail: &[u8], is_too_long: bool) -> Line {
    if !is_too_long {
        return Line::Whole(line);
    }
    Line::TooLong { id: id_at_an_edge(&line, tail) }
}

/// The id before the body of a message, or behind it.
fn id_at_an_edge(head: &[u8], tail: &[u8]) -> Option<Value> {
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    let body = ["\"params\"", "\"result\""].iter().filter_map(|word| head.find(word)).min();
    let before = &head[..body.unwrap_or(head.len())];
    let text = match (before.find("\"id\""), tail.rfind("\"id\"")) {
        (Some(at), _) => &before[at + 4..],
        (None, Some(at)) => &tail[at + 4..],
        (None, None) => return None,
    };
    let value = text.trim_start().strip_prefix(':')?;
    serde_json::Deserializer::from_str(value).into_iter::<Value>().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_long_line_is_dropped_and_the_next_one_is_read() {
        let text = format!("{{\"id\":7,\"params\":\"{}\"}}\n{{}}\nrest", "a".repeat(9000));
        let mut lines = Lines { reader: text.as_bytes(), limit: 4096 };
        assert_eq!(lines.next(), Line::TooLong { id: None });
        assert_eq!(lines.next(), Line::Whole(b"{}\n".to_vec()));
        assert_eq!(lines.next(), Line::Whole(b"rest".to_vec()));
        assert_eq!(lines.next(), Line::End);
    }

    #[test]
    fn the_id_is_found_at_either_end() {
        assert_eq!(id_at_an_edge(b"{\"id\":7,\"params\":{\"x\":\"a", b"aa\"}}"), Some(json!(7)));
        assert_eq!(id_at_an_edge(b"{\"result\":\"aa", b"aa\",\"id\":\"b\"}"), Some(json!("b")));
        assert_eq!(id_at_an_edge(b"aaaa", b"aaaa"), None);
    }
}
