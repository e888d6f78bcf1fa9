//! Follows a script without running it: directories, variables, pipes, effects.
//!
//! A branch is taken and not taken, a loop runs once for all its words: what a
//! command may do counts. What an expansion hides stays a hole in its word.

use std::collections::{BTreeMap, BTreeSet};

use super::effects::Effect;
use super::has_one_command;
use super::lexer::{Command, Input, Step, is_keyword, parse};
use super::programs;
use super::steps::{functions_of, with_loop_inputs};
use super::tree::{Tree, join, matches};
use super::word::{MOST_VALUES, Piece, Value, Word};
use super::written::Written;

/// How deep commands within commands are followed.
const MAX_DEPTH: usize = 12;
/// How many commands are followed.
const MOST_COMMANDS: usize = 20_000;
/// How many patterns of file names are looked up.
const MOST_LOOKS: usize = 500;
/// How many effects are taken down.
const MOST_EFFECTS: usize = 4_000;

/// Where a shell stands and what it knows.
#[derive(Debug, Clone, Default)]
struct Setting {
    /// As the script spells it; empty where it started.
    directory: String,
    /// Directories to go back to.
    left: Vec<String>,
    variables: BTreeMap<String, Vec<Value>>,
}

/// A shell that follows a script.
pub struct Shell<'a> {
    /// The files around it.
    pub tree: &'a dyn Tree,
    /// What the script does.
    pub out: Vec<Effect>,
    /// The functions that it makes.
    functions: BTreeSet<String>,
    /// The texts that it leaves in files.
    written: Written,
    setting: Setting,
    depth: usize,
    commands_left: usize,
    looks_left: usize,
    /// Whether something was left out.
    is_cut: bool,
    /// Whether several commands are followed, of which each may change what another one reads.
    is_compound: bool,
}

impl<'a> Shell<'a> {
    /// A shell that knows nothing yet.
    pub fn new(tree: &'a dyn Tree) -> Self {
        Shell {
            tree,
            out: Vec::new(),
            functions: BTreeSet::new(),
            written: Written::default(),
            setting: Setting::default(),
            depth: 0,
            commands_left: MOST_COMMANDS,
            looks_left: MOST_LOOKS,
            is_cut: false,
            is_compound: false,
        }
    }

    /// Follows a script; what its last command prints, where that is known.
    pub fn script(&mut self, text: &str) -> Option<String> {
        if self.depth >= MAX_DEPTH {
            self.is_cut = true;
            return None;
        }
        self.depth += 1;
        self.is_compound |= !has_one_command(text);
        let mut printed = None;
        let mut outer = Vec::new();
        let steps = with_loop_inputs(parse(text));
        self.functions.extend(functions_of(&steps));
        for step in steps {
            match step {
                Step::Open => outer.push(self.setting.clone()),
                Step::Close => {
                    printed = None;
                    self.setting = outer.pop().unwrap_or_else(|| self.setting.clone());
                }
                Step::Command(command) => printed = self.command(&command, printed),
            }
        }
        self.depth -= 1;
        printed
    }

    /// Follows a script in a shell of its own.
    pub fn inner_script(&mut self, text: &str, parameters: &[Value]) -> Option<String> {
        let outer = self.setting.clone();
        if !parameters.is_empty() {
            self.set_parameters(0, parameters);
        }
        let printed = self.script(text);
        self.setting = outer;
        printed
    }

    fn command(&mut self, command: &Command, printed: Option<String>) -> Option<String> {
        if self.commands_left == 0 || self.out.len() > MOST_EFFECTS {
            self.is_cut = true;
            return None;
        }
        self.commands_left -= 1;
        let input = match &command.input {
            Some(Input::Text(word)) => self.text_of(word),
            Some(Input::File(word)) => {
                let path = self.values(word).into_iter().find(Value::is_known);
                path.and_then(|path| self.text(&path.text))
            }
            None if command.is_piped => printed,
            None => None,
        };
        let words = self.words_of(command);
        let printed = programs::follow(self, &words, input.as_deref());
        for redirect in &command.writes_to {
            let content = printed.clone().filter(|_| redirect.is_output);
            for value in self.values(&redirect.target) {
                self.write(&value, content.clone(), redirect.appends);
            }
        }
        printed.filter(|_| command.writes_to.is_empty())
    }

    /// The words from the program's name on; assignments before it are made.
    fn words_of(&mut self, command: &Command) -> Vec<Value> {
        let mut words = command.words.as_slice();
        while let Some((first, rest)) = words.split_first() {
            if let Some((name, value)) = first.assignment() {
                let values = self.values(&value);
                self.assign(name, values);
            } else if first.plain() == Some("function") {
                words = rest.get(1..).unwrap_or_default();
                continue;
            } else if first.plain() == Some("for") {
                self.choose(rest);
                return Vec::new();
            } else if !first.plain().is_some_and(|word| is_keyword(word) || word == "-p") {
                break;
            }
            words = rest;
        }
        words.iter().flat_map(|word| self.values(word)).collect()
    }

    /// `for NAME in WORDS`.
    fn choose(&mut self, words: &[Word]) {
        let [name, _, listed @ ..] = words else { return };
        let listed: Vec<Value> = listed.iter().flat_map(|word| self.values(word)).collect();
        let listed = listed.iter().flat_map(|value| self.files(value)).collect();
        self.assign(&name.bare_text(), listed);
    }

    /// The files of a pattern; a value without one stays as it is.
    fn files(&mut self, value: &Value) -> Vec<Value> {
        if value.pattern.is_none() || !value.is_known() {
            return vec![value.clone()];
        }
        self.matches(value).into_iter().map(Value::known).collect()
    }

    /// The files of a pattern.
    fn matches(&mut self, value: &Value) -> Vec<String> {
        let looks_left = self.looks_left.checked_sub(1);
        let found = looks_left.and_then(|_| matches(self.tree, &self.setting.directory, value));
        self.looks_left = looks_left.unwrap_or_default();
        self.is_cut |= found.is_none();
        found.unwrap_or_default()
    }

    /// What the script does, that it does more is part of it; and whether it is one command.
    pub fn into_effects(mut self) -> (Vec<Effect>, bool) {
        if self.is_cut {
            self.out.push(Effect::TooMuch);
        }
        (self.out, !self.is_compound)
    }

    /// Whether the script makes a function of this name.
    pub fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// Gives a variable its values.
    pub fn assign(&mut self, name: &str, values: Vec<Value>) {
        self.setting.variables.insert(name.to_owned(), values);
    }

    /// The parameters `$0`, `$1` and so on, from a number on.
    pub fn set_parameters(&mut self, first: usize, values: &[Value]) {
        for (index, value) in values.iter().enumerate() {
            self.assign(&(first + index).to_string(), vec![value.clone()]);
        }
        let all: Vec<Value> = values.iter().skip(1 - first.min(1)).cloned().collect();
        self.assign("@", all.clone());
        self.assign("*", all);
    }

    /// The texts that a word may stand for.
    pub fn values(&mut self, word: &Word) -> Vec<Value> {
        let Some(words) = word.without_braces() else {
            self.is_cut = true;
            return Vec::new();
        };
        let mut values: Vec<Value> = words.iter().flat_map(|word| self.expanded(word)).collect();
        self.is_cut |= values.len() > MOST_VALUES;
        values.truncate(MOST_VALUES);
        values
    }

    /// The text of a word that hides nothing.
    fn text_of(&mut self, word: &Word) -> Option<String> {
        let values = self.values(word);
        let [only] = values.as_slice() else { return None };
        only.is_known().then(|| only.text.clone())
    }

    fn expanded(&mut self, word: &Word) -> Vec<Value> {
        let mut values = vec![Value::default()];
        for (index, piece) in word.pieces.iter().enumerate() {
            if values.len() > MOST_VALUES {
                self.is_cut = true;
                return Vec::new();
            }
            match piece {
                Piece::Plain(text) => {
                    let text = if index == 0 { self.with_home(text) } else { text.clone() };
                    values.iter_mut().for_each(|value| value.push_plain(&text));
                }
                Piece::Quoted(text) => values.iter_mut().for_each(|v| v.text.push_str(text)),
                Piece::Hidden => values.iter_mut().for_each(Value::hide),
                Piece::List(words) => {
                    values = words.iter().flat_map(|word| self.values(word)).collect();
                }
                Piece::Variable { name, is_quoted } => {
                    let found = self.variable(name);
                    values = product(&values, &found, *is_quoted || word.pieces.len() > 1);
                }
                Piece::Command { text, is_quoted } => {
                    let printed = self.inner_script(text, &[]);
                    self.is_compound |= printed.is_none();
                    let found = printed.map(|text| Value::known(text.trim_end_matches('\n')));
                    let found: Vec<Value> = found.into_iter().collect();
                    values = product(&values, &found, *is_quoted || word.pieces.len() > 1);
                }
            }
        }
        values
    }

    /// A text whose tilde stands for the home.
    pub fn with_home(&self, text: &str) -> String {
        match text.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => self.home() + rest,
            Some(rest) if rest.starts_with('+') => format!(".{}", &rest[1..]),
            Some(rest) => format!("/~{rest}"),
            None => text.to_owned(),
        }
    }

    fn home(&self) -> String {
        self.tree.home().unwrap_or_else(|| "/~".to_owned())
    }

    /// The values of a variable; none where they are not known.
    fn variable(&mut self, name: &str) -> Vec<Value> {
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
        let (plain, rest) = if end == 0 { (name, "") } else { name.split_at(end) };
        let known = match plain {
            _ if self.setting.variables.contains_key(plain) => {
                self.setting.variables[plain].clone()
            }
            "HOME" => vec![Value::known(self.home())],
            "PWD" => vec![Value::known(".")],
            "CLAUDE_PROJECT_DIR" | "GEMINI_PROJECT_DIR" | "CURSOR_PROJECT_DIR" => {
                vec![Value::known(self.tree.root())]
            }
            _ => Vec::new(),
        };
        if let Some(changed) = changed(&known, rest) {
            return changed;
        }
        let given = rest.strip_prefix(":-").or_else(|| rest.strip_prefix('-'));
        let given = given.or_else(|| rest.strip_prefix(":=")).or_else(|| rest.strip_prefix('='));
        match given {
            Some(text) if known.is_empty() => vec![Value::known(text.trim_matches(['"', '\'']))],
            None if !rest.is_empty() => Vec::new(),
            _ => known,
        }
    }

    /// A path as it is seen from where the script started.
    pub fn path(&self, path: &str) -> String {
        join(&self.setting.directory, path)
    }

    /// The text of a file, after what the script did to it so far.
    pub fn text(&self, path: &str) -> Option<String> {
        let path = self.path(path);
        self.written.text(&path).unwrap_or_else(|| self.tree.text(&path))
    }

    /// The text that the script itself left in a file.
    pub fn own_text(&self, path: &str) -> Option<String> {
        self.written.text(&self.path(path)).flatten()
    }

    /// Where the script stands.
    pub fn directory(&self) -> &str {
        &self.setting.directory
    }

    /// Goes to a directory, or back to the last one.
    pub fn enter(&mut self, directory: Option<&Value>) {
        let text = match directory {
            None => self.home(),
            Some(value) if value.text == "-" => return self.go_back(),
            Some(value) => match known_part(value) {
                Some(path) => path,
                None => return,
            },
        };
        let next = self.path(&text);
        self.setting.left.push(std::mem::replace(&mut self.setting.directory, next));
    }

    /// Goes back to the directory before this one.
    pub fn go_back(&mut self) {
        if let Some(before) = self.setting.left.pop() {
            self.setting.directory = before;
        }
    }

    /// Does something in another directory.
    pub fn within(&mut self, directory: Option<&Value>, act: impl FnOnce(&mut Self)) {
        let before = self.setting.clone();
        if let Some(directory) = directory {
            self.enter(Some(directory));
        }
        act(self);
        self.setting.directory = before.directory;
        self.setting.left = before.left;
    }

    /// The paths that a value may name, as seen from where the script started.
    pub fn paths(&mut self, value: &Value) -> Vec<String> {
        if value.text.is_empty() && value.is_known() {
            return Vec::new();
        }
        if !value.is_known() {
            return known_part(value)
                .map(|path| self.path(&format!("{path}/file")))
                .into_iter()
                .collect();
        }
        if value.pattern.is_some() {
            let found = self.matches(value);
            return found.iter().map(|path| self.path(path)).collect();
        }
        vec![self.path(&value.text)]
    }

    /// Notes that a file is written.
    pub fn write(&mut self, value: &Value, content: Option<String>, appends: bool) {
        for path in self.written_paths(value) {
            self.written.note(self.tree, &path, content.as_deref(), appends);
            self.out.push(Effect::Write { path, content: content.clone(), appends });
        }
    }

    /// Notes that a file is changed and keeps its text.
    pub fn mark(&mut self, value: &Value) {
        let paths = self.written_paths(value).into_iter();
        let changed = paths.map(|path| Effect::Write { path, content: None, appends: false });
        self.out.extend(changed);
    }

    fn written_paths(&mut self, value: &Value) -> Vec<String> {
        let paths = self.paths(value);
        if paths.is_empty() && !value.is_known() {
            self.note_hidden(value, "a redirection");
        }
        paths.into_iter().filter(|path| !is_stream(path)).collect()
    }

    /// Remembers the text that a file holds from now on, or that it is not known.
    pub fn leave(&mut self, path: &str, text: Option<&str>) {
        self.written.note(self.tree, path, text, false);
    }

    /// Notes that a file is removed.
    pub fn remove(&mut self, value: &Value) {
        let paths = self.paths(value);
        if paths.is_empty() && !value.is_known() {
            self.note_hidden(value, "a removal");
        }
        paths.iter().for_each(|path| self.leave(path, None));
        self.out.extend(paths.into_iter().map(Effect::Remove));
    }

    /// Notes a file that cannot be known; git's own directory is known wherever it lies.
    fn note_hidden(&mut self, value: &Value, what: &str) {
        let hole = value.hole.unwrap_or_default();
        let rest = value.text.get(hole..).unwrap_or_default();
        let rest = rest.split_once('/').map_or("", |(_, rest)| rest);
        if rest.split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
            self.out.push(Effect::Reach(self.path(rest)));
        }
        self.out.push(Effect::tree(&format!("{what} to a file that cannot be known"), ""));
    }
}

/// Values without a part at their end or start, as `${name%part}` and the like ask for; all
/// the elements of a list where one is asked for.
fn changed(values: &[Value], rest: &str) -> Option<Vec<Value>> {
    if rest.starts_with('[') && rest.ends_with(']') {
        return Some(values.to_vec());
    }
    let mark = rest.chars().next().filter(|mark| matches!(mark, '%' | '#' | '/'))?;
    let part = rest.trim_start_matches(mark);
    let is_literal = !part.contains(['*', '?', '[', '$', '`']);
    let change = |value: &Value| {
        let text = value.text.as_str();
        let text = match mark {
            '%' => text.strip_suffix(part).unwrap_or(text).to_owned(),
            '#' => text.strip_prefix(part).unwrap_or(text).to_owned(),
            _ => {
                let (old, new) = part.split_once('/').unwrap_or((part, ""));
                text.replace(old, new)
            }
        };
        Value { text, ..value.clone() }
    };
    is_literal.then(|| values.iter().map(change).collect())
}

/// The directory that a value certainly leads into.
fn known_part(value: &Value) -> Option<String> {
    let Some(hole) = value.hole else { return Some(value.text.clone()) };
    let (directory, _) = value.text.get(..hole)?.rsplit_once('/')?;
    Some(if directory.is_empty() { "/".to_owned() } else { directory.to_owned() })
}

/// Every value with every one that may follow it.
fn product(values: &[Value], found: &[Value], is_whole: bool) -> Vec<Value> {
    if found.is_empty() {
        return values
            .iter()
            .cloned()
            .map(|mut value| {
                value.hide();
                value
            })
            .collect();
    }
    let mut all = Vec::new();
    for (value, next) in values.iter().flat_map(|value| found.iter().map(move |f| (value, f))) {
        let parts: Vec<&str> = match is_whole || !next.is_known() {
            true => vec![next.text.as_str()],
            false => next.text.split_whitespace().collect(),
        };
        for part in parts {
            let mut joined = value.clone();
            let start = joined.text.len();
            joined.hole = joined.hole.or(next.hole.map(|at| start + at));
            joined.pattern = joined.pattern.or(next.pattern.map(|at| start + at));
            joined.text.push_str(part);
            all.push(joined);
        }
    }
    all
}

/// Devices that are no files: writing to them changes nothing.
fn is_stream(path: &str) -> bool {
    const STREAMS: &[&str] = &["-", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_descriptor = |number: &str| number.chars().all(|c| c.is_ascii_digit());
    STREAMS.contains(&path)
        || name == "-"
        || path.strip_prefix("/dev/fd/").is_some_and(is_descriptor)
}
