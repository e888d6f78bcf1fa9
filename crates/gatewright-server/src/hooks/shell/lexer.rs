//! A shell's way of cutting a text: quotes, operators, redirections, here-documents.
//!
//! Nothing is expanded here: `word.rs` does that, where values are known.

use std::iter::Peekable;
use std::str::Chars;

use super::escapes;
use super::word::{Piece, Word};

/// How far the end of a sum is looked for.
const LONGEST_SUM: usize = 400;

/// A part of a script, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A simple command.
    Command(Command),
    /// A shell of its own begins.
    Open,
    /// It ends.
    Close,
}

/// A simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// Files that its output goes to.
    pub writes_to: Vec<Redirect>,
    /// What it reads.
    pub input: Option<Input>,
    /// Whether it reads what the command before it prints.
    pub is_piped: bool,
}

/// What a command reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A text on the command line.
    Text(Word),
    /// A file.
    File(Word),
}

/// A redirection of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// Where to.
    pub target: Word,
    /// Whether it adds at the end.
    pub appends: bool,
    /// Whether it is all that the command prints, and not its errors.
    pub is_output: bool,
}

/// The steps of a script.
pub fn parse(text: &str) -> Vec<Step> {
    let mut lexer = Lexer::new(text);
    lexer.run();
    lexer.steps
}

/// What the next word is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaiting {
    Output { appends: bool, is_output: bool },
    Copy,
    InputFile,
    InputText,
    HereDocument { strips_tabs: bool },
}

struct Here {
    step: usize,
    delimiter: Word,
    strips_tabs: bool,
}

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    steps: Vec<Step>,
    current: Command,
    word: Option<Word>,
    awaiting: Option<Awaiting>,
    here: Vec<Here>,
    /// Within `[[ … ]]`, where operators compare.
    in_test: bool,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        Lexer {
            chars: text.chars().peekable(),
            steps: Vec::new(),
            current: Command::default(),
            word: None,
            awaiting: None,
            here: Vec::new(),
            in_test: false,
        }
    }

    fn run(&mut self) {
        while let Some(c) = self.chars.next() {
            match c {
                '\\' => match self.chars.next() {
                    Some('\n') | None => {}
                    Some(escaped) => self.push_quoted(escaped),
                },
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(Some('"')),
                '`' => self.backticks(false),
                '$' => self.dollar(false),
                '#' if self.word.is_none() => while self.chars.next_if(|c| *c != '\n').is_some() {},
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' => {
                    self.end_command();
                    self.read_here_documents();
                }
                '<' | '>' | '&' | '|' | '(' | ')' if self.in_test => self.push(c),
                '&' if self.chars.next_if_eq(&'>').is_some() => {
                    self.end_word();
                    self.output(true);
                }
                '|' => self.pipe(),
                ';' | '&' => self.end_command(),
                '(' => self.open(),
                ')' => {
                    self.end_command();
                    self.steps.push(Step::Close);
                }
                '<' | '>' => self.redirect(c),
                _ => self.push(c),
            }
        }
        self.end_command();
        self.read_here_documents();
    }

    fn word(&mut self) -> &mut Word {
        self.word.get_or_insert_default()
    }

    fn push(&mut self, c: char) {
        self.word().push(c, false);
    }

    fn push_quoted(&mut self, c: char) {
        self.word().push(c, true);
    }

    fn single_quoted(&mut self) {
        self.word().pieces.push(Piece::Quoted(String::new()));
        while let Some(c) = self.chars.next().filter(|c| *c != '\'') {
            self.push_quoted(c);
        }
    }

    /// Text in which only `$`, backticks and backslashes mean something, up to `end`.
    fn double_quoted(&mut self, end: Option<char>) {
        self.word().pieces.push(Piece::Quoted(String::new()));
        while let Some(c) = self.chars.next() {
            match c {
                c if Some(c) == end => return,
                '\\' => match self.chars.next() {
                    Some('\n') | None => {}
                    Some(escaped) => {
                        let is_special =
                            matches!(escaped, '\\' | '$' | '`') || Some(escaped) == end;
                        if !is_special {
                            self.push_quoted('\\');
                        }
                        self.push_quoted(escaped);
                    }
                },
                '`' => self.backticks(true),
                '$' => self.dollar(true),
                _ => self.push_quoted(c),
            }
        }
    }

    fn backticks(&mut self, is_quoted: bool) {
        let mut text = String::new();
        while let Some(c) = self.chars.next().filter(|c| *c != '`') {
            match (c, self.chars.peek()) {
                ('\\', Some('`' | '\\' | '$')) => text.extend(self.chars.next()),
                _ => text.push(c),
            }
        }
        self.word().pieces.push(Piece::Command { text, is_quoted });
    }

    /// A variable, a command or a sum.
    fn dollar(&mut self, is_quoted: bool) {
        match self.chars.peek().copied() {
            Some('(') => {
                self.chars.next();
                let text = self.balanced('(', ')');
                let is_sum = text.starts_with('(') && text.ends_with(')');
                let piece = if is_sum { Piece::Hidden } else { Piece::Command { text, is_quoted } };
                self.word().pieces.push(piece);
            }
            Some('{') => {
                self.chars.next();
                let name = self.balanced('{', '}');
                self.word().pieces.push(Piece::Variable { name, is_quoted });
            }
            Some(c)
                if c.is_ascii_digit() || matches!(c, '@' | '*' | '#' | '?' | '$' | '!' | '-') =>
            {
                self.chars.next();
                self.word().pieces.push(Piece::Variable { name: c.to_string(), is_quoted });
            }
            Some(c) if c.is_alphanumeric() || c == '_' => {
                let mut name = String::new();
                while let Some(c) = self.chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                self.word().pieces.push(Piece::Variable { name, is_quoted });
            }
            Some('\'') if !is_quoted => {
                self.chars.next();
                let text = self.escaped_text();
                self.word().pieces.push(Piece::Quoted(text));
            }
            Some('"') if !is_quoted => {}
            _ => self.word().push('$', is_quoted),
        }
    }

    /// The text of `$'…'`.
    fn escaped_text(&mut self) -> String {
        let mut raw = String::new();
        while let Some(c) = self.chars.next().filter(|c| *c != '\'') {
            raw.push(c);
            if c == '\\' {
                raw.extend(self.chars.next());
            }
        }
        escapes::decoded(&raw)
    }

    /// What stands before the closing mark; quoted marks do not count.
    fn balanced(&mut self, open: char, close: char) -> String {
        let mut inner = String::new();
        let mut depth = 1;
        let mut quote = None;
        while let Some(c) = self.chars.next() {
            match (quote, c) {
                (None | Some('"'), '\\') => {
                    inner.push(c);
                    inner.extend(self.chars.next());
                    continue;
                }
                (None, '\'' | '"') => quote = Some(c),
                (Some(end), c) if c == end => quote = None,
                (None, c) => depth += i32::from(c == open) - i32::from(c == close),
                _ => {}
            }
            if depth == 0 {
                break;
            }
            inner.push(c);
        }
        inner
    }

    fn pipe(&mut self) {
        let is_or = self.chars.next_if_eq(&'|').is_some();
        self.end_command();
        if !is_or {
            self.chars.next_if_eq(&'&');
            self.current.is_piped = true;
        }
    }

    /// The list of an assignment.
    fn list(&mut self) {
        let inner = self.balanced('(', ')');
        let steps = parse(&inner).into_iter();
        let words = steps.flat_map(|step| match step {
            Step::Command(command) => command.words,
            Step::Open | Step::Close => Vec::new(),
        });
        let list = Piece::List(words.collect());
        self.word().pieces.push(list);
    }

    /// A shell of its own, or a sum.
    fn open(&mut self) {
        let text = self.word.as_ref().and_then(Word::plain);
        if text.is_some_and(|text| text.ends_with('=') && text.len() > 1) {
            return self.list();
        }
        let is_start = self.word.is_none()
            && self.current.words.last().is_none_or(|word| word.plain().is_some_and(is_keyword));
        if is_start && self.chars.next_if_eq(&'(').is_some() {
            let rest: String = self.chars.clone().take(LONGEST_SUM).collect();
            let end = rest.find("))");
            let is_sum = end.is_some_and(|end| !rest[..end].contains(['/', '\'', '"', '\n']));
            if is_sum {
                self.balanced('(', ')');
                self.chars.next_if_eq(&')');
                return;
            }
            self.end_command();
            self.steps.push(Step::Open);
        }
        self.end_command();
        self.steps.push(Step::Open);
    }

    fn redirect(&mut self, first: char) {
        let number = self.word.as_ref().and_then(|word| word.plain()).map(str::to_owned);
        let number = number.filter(|text| text.chars().all(|c| c.is_ascii_digit()));
        if number.is_some() {
            self.word = None;
        }
        let is_output = number.is_none_or(|number| number == "1");
        if self.chars.peek() == Some(&'(') {
            // A process that reads or writes in place of a file.
            self.chars.next();
            let text = self.balanced('(', ')');
            self.word().pieces.push(Piece::Command { text, is_quoted: true });
            self.word().pieces.push(Piece::Hidden);
            return;
        }
        self.end_word();
        match first {
            '>' => self.output(is_output),
            _ => self.input(),
        }
    }

    fn output(&mut self, is_output: bool) {
        let appends = self.chars.next_if_eq(&'>').is_some();
        if !appends && self.chars.next_if_eq(&'&').is_some() {
            let copies = self.chars.peek().is_some_and(|c| c.is_ascii_digit() || *c == '-');
            if copies {
                self.awaiting = Some(Awaiting::Copy);
                return;
            }
        }
        self.chars.next_if_eq(&'|');
        self.awaiting = Some(Awaiting::Output { appends, is_output });
    }

    fn input(&mut self) {
        if self.chars.next_if_eq(&'>').is_some() {
            self.awaiting = Some(Awaiting::Output { appends: true, is_output: false });
        } else if self.chars.next_if_eq(&'&').is_some() {
            self.awaiting = Some(Awaiting::Copy);
        } else if self.chars.next_if_eq(&'<').is_none() {
            self.awaiting = Some(Awaiting::InputFile);
        } else if self.chars.next_if_eq(&'<').is_some() {
            self.awaiting = Some(Awaiting::InputText);
        } else {
            let strips_tabs = self.chars.next_if_eq(&'-').is_some();
            self.awaiting = Some(Awaiting::HereDocument { strips_tabs });
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match self.awaiting.take() {
            None => {
                match word.plain() {
                    Some("[[") => self.in_test = true,
                    Some("]]") => self.in_test = false,
                    _ => {}
                }
                self.current.words.push(word);
            }
            Some(Awaiting::Copy) => {}
            Some(Awaiting::InputFile) => self.current.input = Some(Input::File(word)),
            Some(Awaiting::InputText) => {
                let mut text = word;
                text.push('\n', true);
                self.current.input = Some(Input::Text(text));
            }
            Some(Awaiting::Output { appends, is_output }) => {
                self.current.writes_to.push(Redirect { target: word, appends, is_output });
            }
            Some(Awaiting::HereDocument { strips_tabs }) => {
                self.here.push(Here { step: self.steps.len(), delimiter: word, strips_tabs });
            }
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.awaiting = None;
        self.in_test = false;
        let command = std::mem::take(&mut self.current);
        let waits = self.here.iter().any(|here| here.step == self.steps.len());
        let is_empty = Command { is_piped: false, ..command.clone() } == Command::default();
        if !is_empty || waits {
            self.steps.push(Step::Command(command));
        } else {
            // A pipe goes on behind the end of its line.
            self.current.is_piped = command.is_piped;
        }
    }

    fn read_here_documents(&mut self) {
        for here in std::mem::take(&mut self.here) {
            let delimiter = here.delimiter.bare_text();
            let mut body = String::new();
            while self.chars.peek().is_some() {
                let mut line = String::new();
                while let Some(c) = self.chars.next_if(|c| *c != '\n') {
                    line.push(c);
                }
                self.chars.next();
                let line = if here.strips_tabs { line.trim_start_matches('\t') } else { &line };
                if line.trim_end_matches('\r') == delimiter {
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            let text =
                if here.delimiter.has_quotes() { Word::quoted(body) } else { document(&body) };
            if let Some(Step::Command(command)) = self.steps.get_mut(here.step) {
                command.input = Some(Input::Text(text));
            }
        }
    }
}

/// A here-document in which variables and commands are expanded.
fn document(body: &str) -> Word {
    let mut lexer = Lexer::new(body);
    lexer.double_quoted(None);
    lexer.word.unwrap_or_default()
}

/// Words after which a command begins.
pub fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "{", "}", "!", "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "time",
        "esac", "for", "coproc",
    ];
    KEYWORDS.contains(&word)
}
