//! From the tokens of a file to what it declares, without a syntax tree.
//!
//! Every file of a project is read this way, so it has to be fast and to
//! survive anything: branches of the preprocessor that open a brace twice,
//! halves of files, other languages.

use super::branches;
use super::facts::{Declared, Name, Type, Using};
use super::heads::{
    MODIFIERS, Part, bases, extends, method_name, parameters, part_offset, plain_type,
    type_keyword, word_at,
};
use super::lex::{Lexer, Token};

/// What a file declares.
pub(super) fn declared(text: &[u8]) -> Declared {
    let text = &branches::without_marks(text);
    let mut scanner = Scanner {
        lexer: Lexer::new(text),
        stack: Vec::new(),
        saved: Vec::new(),
        out: Declared::default(),
    };
    scanner.run();
    scanner.out
}

#[derive(Debug, Clone)]
enum Frame {
    Namespace(String),
    Type(usize),
    Extension(usize),
}

struct Scanner<'a> {
    lexer: Lexer<'a>,
    stack: Vec<Frame>,
    saved: Vec<Vec<Frame>>,
    out: Declared,
}

/// What ended a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Body,
    Arrow,
    Semicolon,
    Close,
    File,
}

impl<'a> Scanner<'a> {
    fn run(&mut self) {
        loop {
            let (head, end) = self.head();
            match end {
                End::File => break,
                End::Close => self.close(),
                End::Body => self.body(&head),
                End::Arrow => {
                    self.member(&head);
                    self.skip_statement();
                }
                End::Semicolon => self.statement(&head),
            }
        }
        while !self.stack.is_empty() {
            self.close();
        }
    }

    fn close(&mut self) {
        if let Some(Frame::Type(number)) = self.stack.pop() {
            self.out.types[number].end = self.lexer.position();
        }
    }

    /// The tokens of one declaration up to its body or end.
    fn head(&mut self) -> (Vec<Part<'a>>, End) {
        let mut parts = Vec::new();
        while let Some(token) = self.lexer.token() {
            match token {
                Token::Sign(b'{') => return (parts, End::Body),
                Token::Sign(b'}') => return (parts, End::Close),
                Token::Sign(b';') => return (parts, End::Semicolon),
                Token::Arrow => return (parts, End::Arrow),
                Token::Sign(b'(') => parts.push(Part::Round(self.group(b'(', b')'))),
                Token::Sign(b'[') => {
                    self.group(b'[', b']');
                    parts.push(Part::Square);
                }
                // The one of `operator ==` starts no value.
                Token::Sign(b'=') if word_at(&parts, "operator").is_none() => {
                    parts.push(Part::Sign(b'='));
                    if self.initializer() {
                        return (parts, End::Semicolon);
                    }
                    parts.push(Part::Sign(b','));
                }
                Token::Sign(sign) => parts.push(Part::Sign(sign)),
                Token::Colons => parts.push(Part::Sign(b'.')),
                Token::Word("using") if parts.is_empty() || parts == [Part::Word("global", 0)] => {
                    return self.using(!parts.is_empty());
                }
                Token::Word("global") if parts.is_empty() => parts.push(Part::Word("global", 0)),
                Token::Word(word) => parts.push(Part::Word(word, self.lexer.start)),
                Token::Literal => {}
                Token::If | Token::Else | Token::EndIf => self.condition(token),
            }
            if parts.len() > 4_000 {
                parts.clear();
            }
        }
        (parts, End::File)
    }

    fn condition(&mut self, token: Token<'a>) {
        match token {
            Token::If => self.saved.push(self.stack.clone()),
            Token::Else => {
                if let Some(stack) = self.saved.last() {
                    self.stack.clone_from(stack);
                }
            }
            _ => {
                self.saved.pop();
            }
        }
    }

    /// A `using` directive, from behind the word to its semicolon.
    fn using(&mut self, is_global: bool) -> (Vec<Part<'a>>, End) {
        let (mut name, mut alias, mut is_static) = (String::new(), None, false);
        let (mut offset, mut depth) = (0, 0_usize);
        while let Some(token) = self.lexer.token() {
            match token {
                Token::Sign(b';') => {
                    let name = name.trim_start_matches("global.").into();
                    let using = Using { name, alias, is_static, is_global, offset };
                    self.out.usings.push(using);
                    return (Vec::new(), End::Semicolon);
                }
                Token::Sign(b'(' | b'{') => break,
                Token::Word("static" | "unsafe") => is_static = true,
                Token::Sign(b'=') => alias = Some(Name::from(std::mem::take(&mut name))),
                Token::Sign(b'<') => depth += 1,
                Token::Sign(b'>') => depth = depth.saturating_sub(1),
                Token::Word(word) if depth == 0 => {
                    if name.is_empty() {
                        offset = self.lexer.start;
                    }
                    name.push_str(word);
                }
                Token::Sign(b'.') | Token::Colons if depth == 0 => name.push('.'),
                Token::If | Token::Else | Token::EndIf => self.condition(token),
                _ => {}
            }
        }
        (Vec::new(), End::Semicolon)
    }

    /// The tokens up to the closing sign.
    fn group(&mut self, open: u8, close: u8) -> Vec<Token<'a>> {
        let (mut tokens, mut depth) = (Vec::new(), 1);
        let mut inner = Conditions::default();
        while let Some(token) = self.lexer.token() {
            match token {
                Token::Sign(sign) if sign == open => depth += 1,
                Token::Sign(sign) if sign == close => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                Token::If | Token::Else | Token::EndIf => {
                    depth = inner.meet(token, depth, &mut self.lexer);
                    continue;
                }
                _ => {}
            }
            tokens.push(token);
        }
        tokens
    }

    /// Skips what is behind `=`; whether the declaration is over.
    fn initializer(&mut self) -> bool {
        let mut depth = 0_usize;
        let mut inner = Conditions::default();
        loop {
            let before = self.lexer.clone();
            let Some(token) = self.lexer.token() else { return true };
            match token {
                Token::Sign(b'(' | b'[' | b'{') => depth += 1,
                Token::Sign(b')' | b']') => depth = depth.saturating_sub(1),
                Token::Sign(b'}') if depth == 0 => {
                    self.lexer = before;
                    return true;
                }
                Token::Sign(b'}') => depth -= 1,
                Token::Sign(b';') if depth == 0 => return true,
                Token::Sign(b',') if depth == 0 => return false,
                Token::If | Token::Else | Token::EndIf => {
                    depth = inner.meet(token, depth, &mut self.lexer);
                }
                _ => {}
            }
        }
    }

    /// Skips to the end of an expression body.
    fn skip_statement(&mut self) {
        while !self.initializer() {}
    }

    /// Skips a body whose brace is open.
    fn skip_body(&mut self) {
        self.group(b'{', b'}');
    }

    fn body(&mut self, head: &[Part<'a>]) {
        if let Some(index) = word_at(head, "namespace") {
            let name = self.namespace(&head[index + 1..]);
            self.stack.push(Frame::Namespace(name));
            return;
        }
        if let Some(index) = type_keyword(head) {
            let is_enum = head[index] == Part::Word("enum", part_offset(&head[index]));
            let number = self.add_type(head, index);
            self.out.types[number].start = self.lexer.position();
            if is_enum {
                self.enumerators(number);
            } else {
                self.stack.push(Frame::Type(number));
            }
            return;
        }
        if let (Some(Part::Word("extension", _)), Some(Frame::Type(number))) =
            (head.first(), self.stack.last())
        {
            let number = *number;
            self.stack.push(Frame::Extension(number));
            return;
        }
        self.member(head);
        self.skip_body();
    }

    fn statement(&mut self, head: &[Part<'a>]) {
        if let Some(index) = word_at(head, "namespace") {
            let name = self.namespace(&head[index + 1..]);
            self.stack.push(Frame::Namespace(name));
        } else if let Some(index) = type_keyword(head) {
            let number = self.add_type(head, index);
            self.out.types[number].end = self.lexer.position();
        } else if word_at(head, "delegate").is_some()
            && let Some(Part::Word(name, offset)) = method_name(head)
        {
            let mut class = self.new_type(name, *offset);
            class.bases.push("MulticastDelegate".into());
            class.end = self.lexer.position();
            self.out.types.push(class);
            self.note(name, Some(name));
        } else {
            self.member(head);
        }
    }

    fn namespace(&mut self, parts: &[Part<'a>]) -> String {
        let mut name = String::new();
        if let Some(Frame::Namespace(outer)) =
            self.stack.iter().rev().find(|frame| matches!(frame, Frame::Namespace(_)))
        {
            name = format!("{outer}.");
        }
        for part in parts {
            match part {
                Part::Word(word, _) => name.push_str(word),
                Part::Sign(b'.') => name.push('.'),
                _ => {}
            }
        }
        self.out.namespaces.push(name.as_str().into());
        name
    }

    fn new_type(&self, name: &str, start: usize) -> Type {
        let outer = self.stack.iter().filter_map(|frame| match frame {
            Frame::Type(number) => Some(self.out.types[*number].name.clone()),
            _ => None,
        });
        Type { name: name.into(), outer: outer.collect(), start, end: start, ..Type::default() }
    }

    /// Adds the type whose keyword stands at `index` of its head.
    fn add_type(&mut self, head: &[Part<'a>], index: usize) -> usize {
        let mut at = index + 1;
        while let Some(Part::Word("struct" | "class", _)) = head.get(at) {
            at += 1;
        }
        let Some(Part::Word(name, offset)) = head.get(at) else { return self.anonymous() };
        let mut class = self.new_type(name, *offset);
        class.is_partial = word_at(&head[..index], "partial").is_some();
        class.bases = bases(&head[at + 1..]);
        if let Some(Part::Round(tokens)) =
            head[at + 1..].iter().find(|part| matches!(part, Part::Round(_)))
        {
            for (name, plain) in parameters(tokens) {
                class.members.insert(name.into(), plain.map(Into::into));
            }
        }
        for word in ["Deconstruct", "PrintMembers", "EqualityContract"] {
            if matches!(head[index], Part::Word("record", _)) {
                class.members.insert(word.into(), None);
            }
        }
        self.out.types.push(class);
        self.note(name, Some(name));
        self.out.types.len() - 1
    }

    fn anonymous(&mut self) -> usize {
        self.out.types.push(self.new_type("", self.lexer.position()));
        self.out.types.len() - 1
    }

    fn enumerators(&mut self, number: usize) {
        let tokens = self.group(b'{', b'}');
        let (mut depth, mut expects) = (0_usize, true);
        for token in tokens {
            match token {
                Token::Sign(b'(' | b'[') => depth += 1,
                Token::Sign(b')' | b']') => depth = depth.saturating_sub(1),
                Token::Sign(b',') if depth == 0 => expects = true,
                Token::Word(word) if depth == 0 && expects => {
                    self.out.types[number].members.insert(word.into(), None);
                    expects = false;
                }
                _ => {}
            }
        }
        let class = &mut self.out.types[number];
        class.bases.push("Enum".into());
        class.end = self.lexer.position();
    }

    /// Notes the members that a head declares in the type around it.
    fn member(&mut self, head: &[Part<'a>]) {
        let head = match head.iter().position(|part| *part != Part::Square) {
            Some(first) => &head[first..],
            None => return,
        };
        if word_at(head, "operator").is_some() {
            return;
        }
        if let Some(Part::Word(name, _)) = method_name(head) {
            if let Some(Frame::Extension(_)) = self.stack.last() {
                self.out.extensions.push((*name).into());
            }
            let receiver =
                head.iter().any(|part| matches!(part, Part::Round(tokens) if extends(tokens)));
            if receiver {
                self.out.extensions.push((*name).into());
            }
            self.note(name, None);
            return;
        }
        let mut depth = 0_i32;
        for (index, part) in head.iter().enumerate() {
            match part {
                Part::Sign(b'<') => depth += 1,
                // One whose opening was skipped with an initializer closes nothing.
                Part::Sign(b'>') => depth = (depth - 1).max(0),
                Part::Word(word, _) if depth == 0 => {
                    let next = head.get(index + 1);
                    let is_buffer = next == Some(&Part::Square) && word_at(head, "fixed").is_some();
                    let ends = is_buffer || matches!(next, None | Some(Part::Sign(b'=' | b',')));
                    if ends && !MODIFIERS.contains(word) {
                        if let Some(Frame::Extension(_)) = self.stack.last() {
                            self.out.extensions.push((*word).into());
                        }
                        self.note(word, plain_type(&head[..index]));
                    }
                }
                _ => {}
            }
        }
    }

    fn note(&mut self, name: &str, plain: Option<&str>) {
        let around = match self.stack.last() {
            Some(Frame::Type(number) | Frame::Extension(number)) => *number,
            _ => return,
        };
        let plain: Option<Name> = plain.map(Into::into);
        let members = &mut self.out.types[around].members;
        let known = members.entry(name.into()).or_insert_with(|| plain.clone());
        if *known != plain {
            *known = None;
        }
    }
}

/// Branches of the preprocessor inside of a skipped part.
#[derive(Debug, Default)]
struct Conditions {
    depths: Vec<usize>,
}

impl Conditions {
    /// The depth behind a condition.
    fn meet(&mut self, token: Token<'_>, depth: usize, lexer: &mut Lexer<'_>) -> usize {
        match token {
            Token::If => self.depths.push(depth),
            Token::Else => match self.depths.last() {
                Some(saved) => return *saved,
                // The other branch of a condition from before: leave it out.
                None => skip_branch(lexer),
            },
            _ => {
                self.depths.pop();
            }
        }
        depth
    }
}

fn skip_branch(lexer: &mut Lexer<'_>) {
    let mut open = 1;
    while let Some(token) = lexer.token() {
        match token {
            Token::If => open += 1,
            Token::EndIf => {
                open -= 1;
                if open == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str, class: &str) -> Vec<String> {
        let declared = declared(text.as_bytes());
        let found = declared.types.iter().find(|found| &*found.name == class).unwrap();
        let mut names: Vec<String> = found.members.keys().map(ToString::to_string).collect();
        names.sort();
        names
    }

    #[test]
    fn members_of_every_form_are_found() {
        let text = "namespace A.B;\npublic partial class C<T> : D<T>, E.F where T : class {\n\
            [X(\"}\")] private readonly Dictionary<string, int> map = new Dictionary<string, int>(), other;\n\
            public int P { get; set; } = 3;\n public string Q => $\"{map[\"}\"]}\";\n\
            public (int a, int b) Pair(int x) { return (1, 2); }\n\
            public static U Make<U>(this T x) where U : class => null;\n\
            event Action Changed;\n int this[int i] => 1;\n enum Inner { One = 1, [X] Two }\n}";
        assert_eq!(
            members(text, "C"),
            ["Changed", "Inner", "Make", "P", "Pair", "Q", "map", "other"]
        );
        assert_eq!(members(text, "Inner"), ["One", "Two"]);
        let declared = declared(text.as_bytes());
        assert_eq!(&*declared.types[0].bases.join(" "), "D F");
        assert_eq!(&*declared.namespaces[0], "A.B");
        assert_eq!(&*declared.extensions[0], "Make");
    }

    #[test]
    fn branches_of_the_preprocessor_do_not_unbalance() {
        let text = "class A {\n#if X\n void F() {\n#else\n void F(int a) {\n#endif\n }\n\
            void G() {\n#if X\n if (a) {\n#else\n if (b) {\n#endif\n } }\n int H; }\nclass B { int I; }";
        assert_eq!(members(text, "A"), ["F", "G", "H"]);
        assert_eq!(members(text, "B"), ["I"]);
    }

    #[test]
    fn a_record_has_its_parameters() {
        assert_eq!(
            members("public record R(string Name, List<int> Items = null);", "R"),
            ["Deconstruct", "EqualityContract", "Items", "Name", "PrintMembers"]
        );
    }
}
