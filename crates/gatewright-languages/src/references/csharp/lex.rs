//! The tokens of C#, strings and comments left out, conditions of the preprocessor kept.

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Sign(u8),
    /// `=>`
    Arrow,
    /// `::`
    Colons,
    /// A string or a number.
    Literal,
    /// `#if`
    If,
    /// `#else` and `#elif`
    Else,
    /// `#endif`
    EndIf,
}

/// Reads tokens one by one.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the last token started.
    pub(super) start: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { text, at, start: at }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Where the next token will be looked for.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn token(&mut self) -> Option<Token<'a>> {
        loop {
            self.start = self.at;
            let byte = *self.text.get(self.at)?;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_comment(),
                b'#' => {
                    if let Some(token) = self.directive() {
                        return Some(token);
                    }
                }
                b'"' => return Some(self.string(0)),
                b'$' | b'@' => return Some(self.prefixed()),
                b'\'' => return Some(self.character()),
                b'0'..=b'9' => return Some(self.number()),
                b'=' if self.peek(1) == b'>' => return Some(self.sign(2, Token::Arrow)),
                b':' if self.peek(1) == b':' => return Some(self.sign(2, Token::Colons)),
                _ if is_word(byte) => return Some(self.word()),
                _ => return Some(self.sign(1, Token::Sign(byte))),
            }
        }
    }

    fn sign(&mut self, length: usize, token: Token<'a>) -> Token<'a> {
        self.at += length;
        token
    }

    fn word(&mut self) -> Token<'a> {
        let start = self.at;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        Token::Word(std::str::from_utf8(&self.text[start..self.at]).unwrap_or(""))
    }

    fn number(&mut self) -> Token<'a> {
        while is_word(self.peek(0)) || self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
        }
        Token::Literal
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    fn skip_comment(&mut self) {
        let rest = &self.text[self.at + 2..];
        self.at += memchr::memmem::find(rest, b"*/").map_or(rest.len() + 2, |end| end + 4);
    }

    fn directive(&mut self) -> Option<Token<'a>> {
        self.at += 1;
        while matches!(self.peek(0), b' ' | b'\t') {
            self.at += 1;
        }
        let Token::Word(word) = self.word() else { return None };
        self.skip_line();
        match word {
            "if" => Some(Token::If),
            "else" | "elif" => Some(Token::Else),
            "endif" => Some(Token::EndIf),
            _ => None,
        }
    }

    fn character(&mut self) -> Token<'a> {
        self.at += 1;
        while !matches!(self.peek(0), b'\'' | b'\n' | 0) {
            self.at += if self.peek(0) == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        Token::Literal
    }

    /// What starts with `$` or `@`: a string or a name.
    fn prefixed(&mut self) -> Token<'a> {
        let marks = self.text[self.at..].iter().take_while(|b| matches!(b, b'$' | b'@')).count();
        if self.peek(marks) == b'"' {
            return self.string(marks);
        }
        self.at += marks;
        self.word()
    }

    fn string(&mut self, marks: usize) -> Token<'a> {
        let prefix = &self.text[self.at..self.at + marks];
        let (is_open, is_verbatim) = (prefix.contains(&b'$'), prefix.contains(&b'@'));
        self.at += marks;
        let quotes = self.text[self.at..].iter().take_while(|byte| **byte == b'"').count();
        if quotes >= 3 && !is_verbatim {
            self.at += quotes;
            let rest = &self.text[self.at.min(self.text.len())..];
            let end = memchr::memmem::find(rest, &vec![b'"'; quotes]);
            self.at += end.map_or(rest.len(), |end| end + quotes);
            while self.peek(0) == b'"' {
                self.at += 1;
            }
            return Token::Literal;
        }
        self.at += 1;
        self.string_body(is_open, is_verbatim, 0);
        Token::Literal
    }

    fn string_body(&mut self, is_open: bool, is_verbatim: bool, depth: usize) {
        while self.at < self.text.len() {
            match self.peek(0) {
                b'"' if is_verbatim && self.peek(1) == b'"' => self.at += 2,
                b'"' => break,
                b'\\' if !is_verbatim => self.at += 2,
                b'\n' if !is_verbatim => break,
                b'{' if is_open && self.peek(1) == b'{' => self.at += 2,
                b'{' if is_open && depth < 8 => self.hole(depth + 1),
                _ => self.at += 1,
            }
        }
        self.at += 1;
    }

    /// The expression inside of an interpolated string.
    fn hole(&mut self, depth: usize) {
        self.at += 1;
        let mut open = 1;
        while self.at < self.text.len() && open > 0 {
            match self.peek(0) {
                b'{' => open += 1,
                b'}' => open -= 1,
                b'"' => {
                    let before = self.text[..self.at].iter().rev();
                    let marks: Vec<u8> =
                        before.take_while(|b| matches!(b, b'$' | b'@')).copied().collect();
                    self.at += 1;
                    self.string_body(marks.contains(&b'$'), marks.contains(&b'@'), depth);
                    continue;
                }
                b'\'' => {
                    self.character();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
