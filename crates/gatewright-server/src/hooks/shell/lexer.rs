//! A shell's way of cutting a line: quotes, operators, redirections, here-documents.

use std::iter::Peekable;
use std::str::Chars;

/// How deep commands within commands are followed.
const MAX_DEPTH: usize = 8;

/// A simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// Files that its output goes to.
    pub writes_to: Vec<Redirect>,
    /// The text of its here-document.
    pub here_document: Option<String>,
}

/// One word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Word {
    /// Its text with the quotes taken off.
    pub text: String,
    /// Whether an expansion is in it, so that the text is not all.
    pub is_open: bool,
    /// Where a pattern of file names begins in it.
    pub pattern_at: Option<usize>,
}

/// A redirection of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// Where to.
    pub target: Word,
    /// Whether it adds at the end.
    pub appends: bool,
}

/// The simple commands of a line in order; those within others come last.
pub fn parse(text: &str) -> Vec<Command> {
    parse_at(text, 0)
}

fn parse_at(text: &str, depth: usize) -> Vec<Command> {
    let mut lexer = Lexer {
        chars: text.chars().peekable(),
        depth,
        commands: Vec::new(),
        nested: Vec::new(),
        current: Command::default(),
        word: None,
        awaiting: None,
        here: Vec::new(),
    };
    lexer.run();
    lexer.commands.extend(lexer.nested);
    lexer.commands
}

/// What the next word is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaiting {
    Truncate,
    Append,
    Input,
    HereDocument { strips_tabs: bool },
}

struct Here {
    command: usize,
    delimiter: String,
    strips_tabs: bool,
}

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    depth: usize,
    commands: Vec<Command>,
    nested: Vec<Command>,
    current: Command,
    word: Option<Word>,
    awaiting: Option<Awaiting>,
    here: Vec<Here>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(c) = self.chars.next() {
            match c {
                '\\' => match self.chars.next() {
                    Some('\n') | None => {}
                    Some(escaped) => self.push(escaped),
                },
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(),
                '`' => self.backticks(),
                '$' => self.dollar(),
                '~' if self.word.is_none() => self.push_text("/~"),
                '#' if self.word.is_none() => self.skip_comment(),
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' => {
                    self.end_command();
                    self.read_here_documents();
                }
                '&' if self.chars.peek() == Some(&'>') => {
                    self.chars.next();
                    self.redirect('>');
                }
                ';' | '|' | '&' | '(' | ')' => self.end_command(),
                '<' | '>' => self.redirect(c),
                '*' | '?' | '[' => {
                    let word = self.word.get_or_insert_default();
                    word.pattern_at = word.pattern_at.or(Some(word.text.len()));
                    self.push(c);
                }
                _ => self.push(c),
            }
        }
        self.end_command();
        self.read_here_documents();
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().text.push(c);
    }

    fn push_text(&mut self, text: &str) {
        self.word.get_or_insert_default().text.push_str(text);
    }

    fn open_word(&mut self) {
        self.word.get_or_insert_default().is_open = true;
    }

    fn single_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(c) = self.chars.next().filter(|c| *c != '\'') {
            self.push(c);
        }
    }

    fn double_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(c) = self.chars.next() {
            match c {
                '"' => return,
                '\\' => match self.chars.next() {
                    Some('\n') | None => {}
                    Some(escaped) => {
                        if !matches!(escaped, '"' | '\\' | '$' | '`') {
                            self.push('\\');
                        }
                        self.push(escaped);
                    }
                },
                '`' => self.backticks(),
                '$' => self.dollar(),
                _ => self.push(c),
            }
        }
    }

    fn backticks(&mut self) {
        let mut inner = String::new();
        while let Some(c) = self.chars.next().filter(|c| *c != '`') {
            inner.push(c);
        }
        self.nest(&inner);
        self.open_word();
    }

    /// A variable or a command within; only the home and working directories are known.
    fn dollar(&mut self) {
        match self.chars.peek() {
            Some('(') => {
                self.chars.next();
                let inner = self.until_closed('(', ')');
                self.nest(&inner);
                self.open_word();
            }
            Some('{') => {
                self.chars.next();
                let name = self.until_closed('{', '}');
                self.variable(&name);
            }
            Some(c) if c.is_alphanumeric() || *c == '_' => {
                let mut name = String::new();
                while let Some(c) = self.chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                self.variable(&name);
            }
            Some('\'') => {}
            Some(_) => {
                self.chars.next();
                self.open_word();
            }
            None => self.push('$'),
        }
    }

    fn variable(&mut self, name: &str) {
        let at_start = self.word.as_ref().is_none_or(|word| word.text.is_empty());
        match name {
            "HOME" if at_start => self.push_text("/~"),
            "PWD" if at_start => self.push_text("."),
            _ => self.open_word(),
        }
    }

    fn until_closed(&mut self, open: char, close: char) -> String {
        let mut inner = String::new();
        let mut depth = 1;
        for c in self.chars.by_ref() {
            depth += i32::from(c == open) - i32::from(c == close);
            if depth == 0 {
                break;
            }
            inner.push(c);
        }
        inner
    }

    fn nest(&mut self, inner: &str) {
        if self.depth < MAX_DEPTH {
            self.nested.extend(parse_at(inner, self.depth + 1));
        }
    }

    fn skip_comment(&mut self) {
        while self.chars.next_if(|c| *c != '\n').is_some() {}
    }

    fn redirect(&mut self, first: char) {
        let is_descriptor = |word: &Word| word.text.chars().all(|c| c.is_ascii_digit());
        if self.word.as_ref().is_some_and(is_descriptor) {
            self.word = None;
        }
        self.end_word();
        let second = self.chars.peek().copied();
        match (first, second) {
            ('>' | '<', Some('(')) => {
                self.chars.next();
                let inner = self.until_closed('(', ')');
                self.nest(&inner);
                self.open_word();
            }
            ('>', Some('>')) => self.expect(Awaiting::Append),
            ('>', Some('|')) | ('<', Some('>')) => self.expect(Awaiting::Truncate),
            ('>', Some('&')) => {
                self.chars.next();
                let copies = self.chars.peek().is_some_and(|c| c.is_ascii_digit() || *c == '-');
                self.awaiting = Some(if copies { Awaiting::Input } else { Awaiting::Truncate });
            }
            ('>', _) => self.awaiting = Some(Awaiting::Truncate),
            ('<', Some('<')) => self.here_operator(),
            _ => self.awaiting = Some(Awaiting::Input),
        }
    }

    fn expect(&mut self, awaiting: Awaiting) {
        self.chars.next();
        self.awaiting = Some(awaiting);
    }

    fn here_operator(&mut self) {
        self.chars.next();
        if self.chars.next_if_eq(&'<').is_some() {
            self.awaiting = Some(Awaiting::Input);
            return;
        }
        let strips_tabs = self.chars.next_if_eq(&'-').is_some();
        self.awaiting = Some(Awaiting::HereDocument { strips_tabs });
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.awaiting.take() {
            None => self.current.words.push(word),
            Some(Awaiting::Input) => {}
            Some(Awaiting::Truncate) => {
                self.current.writes_to.push(Redirect { target: word, appends: false });
            }
            Some(Awaiting::Append) => {
                self.current.writes_to.push(Redirect { target: word, appends: true });
            }
            Some(Awaiting::HereDocument { strips_tabs }) => self.here.push(Here {
                command: self.commands.len(),
                delimiter: word.text,
                strips_tabs,
            }),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.awaiting = None;
        let command = std::mem::take(&mut self.current);
        let waits = self.here.iter().any(|here| here.command == self.commands.len());
        if command != Command::default() || waits {
            self.commands.push(command);
        }
    }

    fn read_here_documents(&mut self) {
        for here in std::mem::take(&mut self.here) {
            let mut body = String::new();
            while self.chars.peek().is_some() {
                let mut line = String::new();
                while let Some(c) = self.chars.next_if(|c| *c != '\n') {
                    line.push(c);
                }
                self.chars.next();
                let line = if here.strips_tabs { line.trim_start_matches('\t') } else { &line };
                if line.trim_end_matches('\r') == here.delimiter {
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            if let Some(command) = self.commands.get_mut(here.command) {
                command.here_document = Some(body);
            }
        }
    }
}
