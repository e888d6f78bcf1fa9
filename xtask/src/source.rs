//! Rust source as lines and braces: enough of a lexer to measure and to search.
//!
//! It knows comments, strings, raw strings, characters and lifetimes, and
//! nothing of grammar. A full parser would cost more to build than all the
//! rest of this program.

/// A source text with what is not code blanked out. Both have the length and
/// the lines of the source, so an offset means the same in all three.
#[derive(Debug, Clone)]
pub struct Masked {
    /// Code only; comments and strings are spaces.
    pub code: String,
    /// Comments only; everything else is spaces.
    pub comments: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    Code,
    Comment,
    Literal,
}

impl Masked {
    /// Separates code, comments and literals.
    pub fn of(source: &str) -> Self {
        let mut masked = Self { code: String::new(), comments: String::new() };
        let mut at = 0;
        while at < source.len() {
            let (piece, length) = next_piece(source, at);
            let text = &source[at..at + length];
            let spaces = blank(text);
            masked.code.push_str(if piece == Piece::Code { text } else { &spaces });
            masked.comments.push_str(if piece == Piece::Comment { text } else { &spaces });
            at += length;
        }
        masked
    }

    /// The code with every item under `#[cfg(test)]` and `#[test]` blanked out.
    pub fn production_code(&self) -> String {
        let mut code = self.code.clone();
        for marker in ["#[cfg(test)]", "#[test]"] {
            while let Some(start) = code.find(marker) {
                let end = item_end(&code, start + marker.len());
                let spaces = blank(&code[start..end]);
                code.replace_range(start..end, &spaces);
            }
        }
        code
    }
}

fn next_piece(source: &str, at: usize) -> (Piece, usize) {
    let rest = &source[at..];
    // Everything up to the next byte that can begin a comment or a literal.
    let plain = rest.bytes().take_while(|byte| !b"/\"'rbc".contains(byte)).count();
    if plain > 0 {
        return (Piece::Code, plain);
    }
    if rest.starts_with("//") {
        return (Piece::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Piece::Comment, block_comment_length(rest));
    }
    let after_word = source[..at].ends_with(is_word);
    if let Some(length) = literal_length(rest).filter(|_| !after_word) {
        return (Piece::Literal, length);
    }
    (Piece::Code, 1)
}

fn block_comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        if tail.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if tail.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of the string or character that `rest` starts with.
fn literal_length(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        let tail = rest.strip_prefix(prefix).unwrap_or_default();
        let raw = prefix.ends_with('r');
        tail.starts_with('"')
            || (raw && tail.trim_start_matches('#').starts_with('"'))
            || (matches!(*prefix, "b" | "") && tail.starts_with('\''))
    })?;
    let tail = &rest[prefix.len()..];
    let length = if prefix.ends_with('r') {
        raw_string_length(tail)
    } else if tail.starts_with('"') {
        quoted_length(tail, b'"')
    } else {
        character_length(tail)?
    };
    Some(prefix.len() + length)
}

fn raw_string_length(tail: &str) -> usize {
    let hashes = tail.len() - tail.trim_start_matches('#').len();
    let close = format!("\"{}", "#".repeat(hashes));
    let inside = hashes + 1;
    tail[inside..].find(&close).map_or(tail.len(), |end| inside + end + close.len())
}

fn quoted_length(tail: &str, quote: u8) -> usize {
    let bytes = tail.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    tail.len()
}

/// `None` for a lifetime.
fn character_length(tail: &str) -> Option<usize> {
    let mut characters = tail.chars().skip(1);
    match characters.next()? {
        '\\' => Some(quoted_length(tail, b'\'')),
        first => (characters.next()? == '\'').then(|| first.len_utf8() + 2),
    }
}

fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

/// Whether the character can be part of a name.
pub fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The end of the item that starts at `start`: past its `;` or its closing brace.
fn item_end(code: &str, start: usize) -> usize {
    let mut depth = 0_i32;
    for (offset, byte) in code.bytes().enumerate().skip(start) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' => depth -= 1,
            b'}' => {
                depth -= 1;
                if depth <= 0 {
                    return offset + 1;
                }
            }
            b';' if depth == 0 => return offset + 1,
            _ => {}
        }
    }
    code.len()
}

/// One function: where it starts and ends and how much it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line number of its `fn`, one-based.
    pub line: usize,
    /// From its `fn` to its closing brace.
    pub lines: usize,
    /// Without the receiver.
    pub parameters: usize,
}

/// Every function with a body in masked code.
pub fn functions(code: &str) -> Vec<Function> {
    words(code, "fn").filter_map(|at| function_at(code, at)).collect()
}

/// The offsets at which `word` stands as a whole word.
pub fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        !code[..*at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word)
    })
}

/// The number of the line that holds the offset, one-based.
pub fn line_number(code: &str, offset: usize) -> usize {
    code[..offset].matches('\n').count() + 1
}

fn function_at(code: &str, at: usize) -> Option<Function> {
    let after = code[at + 2..].trim_start();
    let name: String = after.chars().take_while(|c| is_word(*c)).collect();
    if name.is_empty() {
        // A function pointer type.
        return None;
    }
    let open = parameter_list_start(code, code.len() - after.len() + name.len())?;
    let close = matching(code, open)?;
    let end = item_end(code, close + 1);
    if !code[..end].ends_with('}') {
        return None;
    }
    Some(Function {
        name,
        line: line_number(code, at),
        lines: code[at..end].matches('\n').count() + 1,
        parameters: count_parameters(&code[open + 1..close]),
    })
}

/// Skips generics, in which `->` is no closing bracket.
fn parameter_list_start(code: &str, from: usize) -> Option<usize> {
    let mut depth = 0_i32;
    let mut previous = 0;
    for (offset, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'<' => depth += 1,
            b'>' if previous != b'-' => depth -= 1,
            b'(' if depth == 0 => return Some(offset),
            b'{' | b';' if depth == 0 => return None,
            _ => {}
        }
        previous = byte;
    }
    None
}

fn matching(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (offset, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(offset);
                }
            }
            _ => {}
        }
    }
    None
}

fn count_parameters(list: &str) -> usize {
    let mut parameters = vec![String::new()];
    let mut depth = 0_i32;
    let mut previous = ' ';
    for character in list.chars() {
        match character {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if previous != '-' => depth -= 1,
            ',' if depth == 0 => parameters.push(String::new()),
            _ => {}
        }
        if let Some(last) = parameters.last_mut() {
            last.push(character);
        }
        previous = character;
    }
    parameters.iter().filter(|parameter| !is_empty_or_receiver(parameter)).count()
}

fn is_empty_or_receiver(parameter: &str) -> bool {
    let text = parameter.trim_matches(|c: char| c.is_whitespace() || c == ',');
    let name = text.split(':').next().unwrap_or_default();
    text.is_empty() || words(name, "self").next().is_some()
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
