//! Code that a command line hands to an interpreter: `python -c`, `node -e`, a here-document.
//!
//! Calls that write, remove or start something are known by name, and their
//! paths where texts, their sums and simple names give them. What a program
//! computes stays unknown and is seen afterwards.

mod calls;
mod tokens;

use super::arguments::Arguments;
use super::run::Shell;
use super::word::Value;
use tokens::{Token, tokens};

/// An interpreter, and its options that take code.
struct Interpreter {
    names: &'static [&'static str],
    code: &'static [&'static str],
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter { names: &["python", "python2", "python3", "pypy", "pypy3"], code: &["-c"] },
    Interpreter {
        names: &["node", "nodejs", "bun", "tsx", "ts-node", "deno"],
        code: &["-e", "-p", "-pe", "--eval", "--print", "eval"],
    },
    Interpreter { names: &["ruby", "lua", "Rscript", "elixir"], code: &["-e"] },
    Interpreter { names: &["perl"], code: &["-e", "-E"] },
    Interpreter { names: &["php"], code: &["-r"] },
];

/// What code does to files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Writes a file.
    Write(String),
    /// Removes a file.
    Remove(String),
    /// Runs a command line.
    Run(String),
    /// Runs code of its own language.
    Code(String),
    /// Goes to a directory.
    Enter(String),
}

/// Follows an interpreter; whether it is one.
pub fn follow(shell: &mut Shell, name: &str, words: &[Value], input: Option<&str>) -> bool {
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_named = |interpreter: &&Interpreter| {
        interpreter.names.contains(&name) || interpreter.names.contains(&plain)
    };
    let Some(interpreter) = INTERPRETERS.iter().find(is_named) else { return false };
    let words: Vec<Value> = words.iter().map(as_option).collect();
    let valued = [interpreter.code, &["-m", "-I", "-M", "-r", "-W", "-X"]].concat();
    let arguments = Arguments::of(&words, &valued);
    let code: Vec<Value> = arguments.all_values(interpreter.code).cloned().collect();
    code.iter().for_each(|code| follow_code(shell, &code.text));
    let reads_input = arguments.plain.is_empty() || arguments.plain[0].text == "-";
    let script = arguments.plain.first().and_then(|script| shell.own_text(&script.text));
    script.iter().filter(|_| code.is_empty()).for_each(|code| follow_code(shell, code));
    if code.is_empty() && reads_input && arguments.value(&["-m"]).is_none() {
        input.into_iter().for_each(|code| follow_code(shell, code));
    }
    let letters = arguments.options.iter().map(String::as_str);
    let is_in_place = |option: &str| {
        let letters = option.strip_prefix('-').unwrap_or_default();
        letters.split(['e', 'E']).next().unwrap_or_default().contains('i')
    };
    if matches!(name, "perl" | "ruby") && letters.into_iter().any(is_in_place) {
        arguments.plain.iter().for_each(|file| shell.write(file, None, false));
    }
    true
}

/// `deno eval` as an option.
fn as_option(word: &Value) -> Value {
    if word.text == "eval" { Value::known("--eval") } else { word.clone() }
}

/// Follows a script of `awk`.
pub fn follow_awk(shell: &mut Shell, script: &str) {
    let tokens = tokens(script);
    for (at, token) in tokens.iter().enumerate() {
        let Token::Text(text) = token else { continue };
        match at.checked_sub(1).map(|before| &tokens[before]) {
            Some(Token::Mark('>')) if prints(&tokens[..at]) => {
                shell.write(&Value::known(text), None, false);
            }
            Some(Token::Mark('|')) => drop(shell.inner_script(text, &[])),
            Some(Token::Mark('(')) if at >= 2 && tokens[at - 2] == Token::Name("system".into()) => {
                drop(shell.inner_script(text, &[]));
            }
            _ => {}
        }
    }
}

/// Whether the statement that ends here prints: `>` compares elsewhere.
fn prints(before: &[Token]) -> bool {
    let is_end = |token: &&Token| matches!(token, Token::Mark(';' | '{' | '}' | '\n'));
    let statement = before.iter().rev().take_while(|token| !is_end(token));
    statement
        .into_iter()
        .any(|token| matches!(token, Token::Name(name) if name.starts_with("print")))
}

/// Follows code, and code that it runs, without its changes of the directory outliving it.
fn follow_code(shell: &mut Shell, code: &str) {
    shell.within(None, |shell| follow_acts(shell, code, 0));
}

fn follow_acts(shell: &mut Shell, code: &str, depth: usize) {
    for act in calls::acts(&tokens(code)) {
        match act {
            Act::Write(path) => shell.write(&Value::known(shell.with_home(&path)), None, false),
            Act::Remove(path) => shell.remove(&Value::known(shell.with_home(&path))),
            Act::Run(command) => drop(shell.inner_script(&command, &[])),
            Act::Code(code) if depth < 4 => follow_acts(shell, &code, depth + 1),
            Act::Code(_) => {}
            Act::Enter(path) => {
                let path = Value::known(shell.with_home(&path));
                shell.enter(Some(&path));
            }
        }
    }
}
