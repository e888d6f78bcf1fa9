//! Calls in code that write, remove or start something.

use std::collections::BTreeMap;

use super::Act;
use super::tokens::Token;
use crate::hooks::shell::quoted;

/// Calls that write the file of their first argument.
const WRITES: &[&str] = &[
    "writeFile",
    "writeFileSync",
    "appendFile",
    "appendFileSync",
    "createWriteStream",
    "truncateSync",
    "chmodSync",
    "file_put_contents",
    "writeTextFile",
    "writeTextFileSync",
    "outputFile",
    "outputFileSync",
    "outputJson",
    "outputJsonSync",
    "writeJson",
    "writeJsonSync",
    "mkdtemp",
    "binwrite",
];
/// The same, of these objects only: the words are common.
const WRITES_OF: &[&str] = &["write", "truncate", "chmod", "chown", "touch", "mkfifo", "utime"];
const REMOVES: &[&str] = &[
    "unlink",
    "unlinkSync",
    "rmtree",
    "rmSync",
    "rmdirSync",
    "rm_rf",
    "rm_r",
    "rm_f",
    "removeSync",
    "rimraf",
    "emptyDirSync",
];
const REMOVES_OF: &[&str] = &["remove", "delete", "rm", "rmdir", "removedirs", "safe_unlink"];
/// Calls that write the file of their second argument.
const COPIES: &[&str] = &[
    "copyFile",
    "copyFileSync",
    "copyfile",
    "copy2",
    "copytree",
    "cpSync",
    "symlink",
    "symlinkSync",
    "linkSync",
    "ln_s",
    "ln_sf",
    "renameSync",
    "moveSync",
    "copySync",
];
const COPIES_OF: &[&str] =
    &["rename", "renames", "replace", "move", "mv", "copy", "cp", "link", "ln"];
const OBJECTS: &[&str] = &[
    "os",
    "shutil",
    "fs",
    "fsp",
    "promises",
    "File",
    "FileUtils",
    "Deno",
    "Bun",
    "IO",
    "Dir",
    "io",
    "fse",
    "path",
    "pathlib",
    "Path",
];
const OPENS: &[&str] = &["open", "openSync", "fopen", "sysopen", "new"];
/// Methods of a path object.
const PATH_WRITES: &[&str] = &[
    "write_text",
    "write_bytes",
    "touch",
    "chmod",
    "symlink_to",
    "hardlink_to",
    "rename",
    "replace",
    "mkdir",
    "open",
];
const PATH_REMOVES: &[&str] = &["unlink", "rmdir"];
const RUNS: &[&str] = &[
    "system",
    "popen",
    "Popen",
    "execSync",
    "exec",
    "execFileSync",
    "execFile",
    "spawnSync",
    "spawn",
    "run",
    "call",
    "check_call",
    "check_output",
    "getoutput",
    "getstatusoutput",
    "shell_exec",
    "passthru",
    "proc_open",
    "execvp",
    "execv",
    "capture2",
    "capture3",
];

/// Calls that run code: in Python a text, elsewhere a command.
const EVALUATES: &[&str] = &["eval", "compile"];

/// What the calls of a code do.
pub fn acts(tokens: &[Token]) -> Vec<Act> {
    let code = Code { tokens, known: assigned(tokens) };
    let mut acts = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Name(name) => code.call(at, name, &mut acts),
            // In Ruby, Perl and PHP this runs a command; elsewhere it is a text and no command.
            Token::Backticks(text) => acts.push(Act::Run(text.clone())),
            _ => {}
        }
    }
    acts
}

struct Code<'a> {
    tokens: &'a [Token],
    /// Names with the text that they stand for.
    known: BTreeMap<String, String>,
}

/// Names that are given a text.
fn assigned(tokens: &[Token]) -> BTreeMap<String, String> {
    let mut code = Code { tokens, known: BTreeMap::new() };
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        let is_assignment = code.mark(at + 1) == Some('=') && code.mark(at + 2) != Some('=');
        if let Some((text, _)) = code.value(at + 2).filter(|_| is_assignment) {
            code.known.insert(name.clone(), text);
        }
    }
    code.known
}

impl Code<'_> {
    fn mark(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)? {
            Token::Mark(mark) => Some(*mark),
            _ => None,
        }
    }

    /// The text of an expression, and where it ends.
    fn value(&self, at: usize) -> Option<(String, usize)> {
        let (mut text, mut end) = self.term(at)?;
        while let Some(mark @ ('+' | '.' | '/')) = self.mark(end) {
            let Some((next, after)) = self.term(end + 1) else { break };
            if mark == '/' {
                text.push('/');
            }
            text.push_str(&next);
            end = after;
        }
        Some((text, end))
    }

    fn term(&self, at: usize) -> Option<(String, usize)> {
        match self.tokens.get(at)? {
            Token::Text(text) | Token::Backticks(text) => Some((text.clone(), at + 1)),
            Token::Mark('$') => self.term(at + 1),
            Token::Name(name)
                if self.mark(at + 1) == Some('.') && self.mark(at + 3) != Some('=') =>
            {
                // `os.path.join(…)`: the last name decides.
                let is_method = matches!(self.tokens.get(at + 2), Some(Token::Name(_)));
                let known = self.known.get(name).filter(|_| self.mark(at + 3) != Some('('));
                match known {
                    Some(text) => Some((text.clone(), at + 1)),
                    None if is_method => self.term(at + 2),
                    None => None,
                }
            }
            Token::Name(name) if self.mark(at + 1) == Some('(') => self.joined(name, at + 2),
            Token::Name(name) => Some((self.known.get(name)?.clone(), at + 1)),
            _ => None,
        }
    }

    /// A call that makes a path of its arguments.
    fn joined(&self, name: &str, start: usize) -> Option<(String, usize)> {
        const JOINS: &[&str] = &[
            "join",
            "resolve",
            "Path",
            "PosixPath",
            "PurePath",
            "expanduser",
            "abspath",
            "normpath",
            "realpath",
            "str",
            "String",
            "fspath",
            "expand_path",
        ];
        if matches!(name, "homedir" | "home") {
            return Some(("~".to_owned(), start + 1));
        }
        if !JOINS.contains(&name) {
            return None;
        }
        let mut parts = Vec::new();
        let mut at = start;
        while let Some((text, after)) = self.value(at) {
            parts.push(text);
            at = after;
            if self.mark(at) != Some(',') {
                break;
            }
            at += 1;
        }
        let is_whole = self.mark(at) == Some(')') && !parts.is_empty();
        is_whole.then(|| (parts.join("/"), at + 1))
    }

    /// What stands before a method: `None` where there is no dot.
    fn object(&self, at: usize) -> Option<&str> {
        let is_method = at >= 2 && matches!(self.mark(at - 1), Some('.'));
        match self.tokens.get(at.checked_sub(2)?)? {
            Token::Name(name) if is_method => Some(name),
            _ => None,
        }
    }

    /// The text of the path object before a method: `Path("x").` or a name that holds one.
    fn path_object(&self, at: usize) -> Option<String> {
        if at < 2 || self.mark(at - 1) != Some('.') {
            return None;
        }
        if let Some(Token::Name(name)) = self.tokens.get(at - 2) {
            return self.known.get(name).cloned();
        }
        self.call_before(at - 2)
    }

    /// The text of what ends with the bracket at `end`: a call that makes a path, or a sum.
    fn call_before(&self, end: usize) -> Option<String> {
        let mut depth = 0_usize;
        let open = (0..=end).rev().find(|at| {
            match self.mark(*at) {
                Some(')') => depth += 1,
                Some('(') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })?;
        let is_call = open > 0 && matches!(self.tokens.get(open - 1), Some(Token::Name(_)));
        let start = if is_call { open - 1 } else { open + 1 };
        self.value(start).map(|(text, _)| text)
    }

    fn call(&self, at: usize, name: &str, acts: &mut Vec<Act>) {
        // Ruby and Perl call without brackets.
        let start = match self.tokens.get(at + 1) {
            Some(Token::Mark('(')) => at + 2,
            Some(Token::Text(_)) => at + 1,
            _ if name == "open" => at + 1,
            _ => return,
        };
        let object = self.object(at);
        let is_of = object.is_some_and(|object| OBJECTS.contains(&object))
            || self.mark(at + 1) != Some('(');
        let first = self.value(start);
        let second = || {
            let (_, end) = first.as_ref()?;
            let at = (self.mark(*end) == Some(',')).then_some(end + 1)?;
            self.value(at).map(|(text, _)| text)
        };
        let path = first.as_ref().map(|(text, _)| text.clone());
        if WRITES.contains(&name) || (is_of && WRITES_OF.contains(&name)) {
            acts.extend(path.map(Act::Write));
        } else if REMOVES.contains(&name) || (is_of && REMOVES_OF.contains(&name)) {
            acts.extend(path.or_else(|| self.path_object(at)).map(Act::Remove));
        } else if COPIES.contains(&name) || (is_of && COPIES_OF.contains(&name)) {
            let is_move =
                ["rename", "move", "mv", "replace"].iter().any(|word| name.starts_with(word));
            acts.extend(path.filter(|_| is_move).map(Act::Remove));
            acts.extend(second().map(Act::Write));
        } else if OPENS.contains(&name) && self.opens(start, acts) {
        } else if PATH_WRITES.contains(&name) && self.writes_path(name, start) {
            acts.extend(self.path_object(at).map(Act::Write));
            acts.extend(path.filter(|_| matches!(name, "rename" | "replace")).map(Act::Write));
        } else if PATH_REMOVES.contains(&name) {
            acts.extend(self.path_object(at).map(Act::Remove));
        } else if EVALUATES.contains(&name) && object.is_none() {
            acts.extend(path.map(Act::Code));
        } else if name == "chdir" {
            acts.extend(path.map(Act::Enter));
        } else if RUNS.contains(&name) {
            acts.extend(self.command(start).map(Act::Run));
            // What runs a command in one language runs code in another.
            acts.extend(path.filter(|_| name == "exec").map(Act::Code));
        }
    }

    /// Whether a method of a path writes: `open` only for writing.
    fn writes_path(&self, name: &str, start: usize) -> bool {
        let mode = self.value(start).map(|(text, _)| text);
        name != "open" || mode.is_some_and(|mode| is_writing(&mode))
    }

    /// An opened file: its path and its mode, in any of the usual orders.
    fn opens(&self, start: usize, acts: &mut Vec<Act>) -> bool {
        let mut texts = Vec::new();
        let mut at = start;
        let mut depth = 0;
        while let Some(token) = self.tokens.get(at) {
            match token {
                Token::Mark('(') => depth += 1,
                Token::Mark(')') if depth == 0 => break,
                Token::Mark(')') => depth -= 1,
                Token::Mark('\n' | ';') => break,
                _ => {}
            }
            match self.value(at).filter(|(text, _)| !text.is_empty()) {
                Some((text, end)) => {
                    texts.push(text);
                    at = end.max(at + 1);
                }
                None => at += 1,
            }
        }
        // Perl: the mode before the path, or in one text with it.
        if let Some(at) = texts.iter().position(|text| text.starts_with(['>', '+'])) {
            let glued = texts[at].trim_start_matches(['>', '+', '<', '|', ' ']);
            let glued =
                glued.split(':').next_back().filter(|_| !texts[at].contains(":")).unwrap_or("");
            let path =
                if glued.is_empty() { texts.get(at + 1).cloned() } else { Some(glued.to_owned()) };
            acts.extend(path.map(Act::Write));
            return true;
        }
        match texts.as_slice() {
            [path, mode, ..] if is_writing(mode) => acts.push(Act::Write(path.clone())),
            _ => return false,
        }
        true
    }

    /// The command line of a call that starts one.
    fn command(&self, start: usize) -> Option<String> {
        if self.mark(start) == Some('[') {
            return self.list(start + 1).map(|words| words_to_line(&words));
        }
        let (text, end) = self.value(start)?;
        let is_list = self.mark(end) == Some(',') && self.mark(end + 1) == Some('[');
        match self.list(end + 2).filter(|_| is_list) {
            Some(words) => Some(words_to_line(&[vec![text], words].concat())),
            None => Some(text),
        }
    }

    fn list(&self, start: usize) -> Option<Vec<String>> {
        let mut words = Vec::new();
        let mut at = start;
        while let Some((text, end)) = self.value(at) {
            words.push(text);
            at = end + 1;
            if self.mark(end) != Some(',') {
                break;
            }
        }
        (!words.is_empty()).then_some(words)
    }
}

fn words_to_line(words: &[String]) -> String {
    quoted(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A mode that lets a file be written.
fn is_writing(mode: &str) -> bool {
    mode.len() <= 5
        && mode.contains(['w', 'a', 'x', '+'])
        && mode.chars().all(|c| "rwaxbtc+U".contains(c))
}
