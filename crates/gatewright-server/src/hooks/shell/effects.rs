//! Which files simple commands would touch.

use super::git;
use super::lexer::{Command, Word, parse};

/// How deep commands within commands are followed.
const MAX_DEPTH: usize = 8;

/// What a command does, in the order in which it does it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Later paths are relative to this directory.
    Enter(String),
    /// Writes a file; its whole content where the command line holds it.
    Write {
        /// The file.
        path: String,
        /// The content.
        content: Option<String>,
    },
    /// Puts files into a file or directory of this name.
    WriteInto {
        /// The file or directory.
        target: String,
        /// The names that the files have.
        names: Vec<String>,
    },
    /// Removes a file or everything below a directory.
    Remove(String),
    /// Applies a patch.
    Patch(String),
    /// Rewrites files that the command line does not name.
    Tree(String),
    /// Calls a command of ours that is for people.
    PersonOnly(String),
}

/// The effects of commands.
pub fn effects(commands: &[Command]) -> Vec<Effect> {
    let mut out = Vec::new();
    collect(commands, 0, &mut out);
    out
}

fn collect(commands: &[Command], depth: usize, out: &mut Vec<Effect>) {
    for command in commands {
        let words = program(&command.words);
        for redirect in &command.writes_to {
            let name = words.first().map(|word| base_name(&word.text));
            let is_copy = name == Some("cat") && words.len() == 1 && !redirect.appends;
            let content = if is_copy { command.here_document.clone() } else { None };
            out.extend(write(&redirect.target, content));
        }
        if depth < MAX_DEPTH {
            of_command(words, command.here_document.as_deref(), depth, out);
        }
    }
}

/// The words from the program's name on, without assignments, keywords and wrappers.
fn program(words: &[Word]) -> &[Word] {
    const KEYWORDS: &[&str] =
        &["{", "}", "!", "if", "then", "else", "elif", "do", "while", "until", "time"];
    const WRAPPERS: &[&str] = &[
        "sudo", "doas", "env", "command", "nohup", "nice", "exec", "builtin", "timeout", "xargs",
        "stdbuf", "setsid", "ionice", "npx", "bunx",
    ];
    let mut rest = words;
    let mut is_wrapped = false;
    while let Some(first) = rest.first() {
        let text = first.text.as_str();
        let is_assignment = text.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        });
        let is_wrapper = WRAPPERS.contains(&base_name(text));
        let is_option = is_wrapped
            && (text.starts_with('-') || text.chars().all(|c| c.is_ascii_digit() || c == '.'));
        if !(is_assignment || KEYWORDS.contains(&text) || is_wrapper || is_option) {
            break;
        }
        is_wrapped |= is_wrapper;
        rest = &rest[1..];
    }
    rest
}

fn of_command(words: &[Word], here: Option<&str>, depth: usize, out: &mut Vec<Effect>) {
    let Some((first, arguments)) = words.split_first() else { return };
    let Arguments { options, plain } = Arguments::of(arguments);
    match base_name(&first.text) {
        "cd" | "pushd" => out.extend(plain.first().and_then(|word| known(word)).map(Effect::Enter)),
        "tee" | "touch" | "truncate" => plain.iter().for_each(|word| out.extend(write(word, None))),
        "chmod" | "chown" => plain.iter().skip(1).for_each(|word| out.extend(write(word, None))),
        "rm" | "unlink" | "shred" | "rmdir" => {
            out.extend(plain.iter().filter_map(|word| known(word)).map(Effect::Remove));
        }
        "mv" => {
            let sources = plain.split_last().map(|(_, sources)| sources).unwrap_or_default();
            out.extend(sources.iter().filter_map(|word| known(word)).map(Effect::Remove));
            out.extend(copied(arguments, &plain));
        }
        "cp" | "install" | "ln" | "rsync" | "scp" => out.extend(copied(arguments, &plain)),
        "sed" if options.iter().any(|option| is_in_place(option)) => in_place(arguments, out),
        "perl" if options.iter().any(|option| is_in_place(option)) => in_place(arguments, out),
        "dd" => {
            let of = arguments.iter().find_map(|word| word.text.strip_prefix("of="));
            out.extend(of.map(|path| Effect::Write { path: path.to_owned(), content: None }));
        }
        "curl" => out.extend(value_of(arguments, &["-o", "--output"])),
        "wget" => out.extend(value_of(arguments, &["-O", "--output-document"])),
        "apply_patch" | "applypatch" => {
            let text = here.map(str::to_owned).or_else(|| known(plain.first()?));
            out.push(text.map_or_else(|| Effect::Tree("apply_patch".to_owned()), Effect::Patch));
        }
        "patch" => out.push(match here {
            Some(text) => Effect::Patch(text.to_owned()),
            None => Effect::Tree("patch".to_owned()),
        }),
        "git" => git::effects(arguments, here, out),
        "bash" | "sh" | "zsh" | "dash" | "ksh" => {
            let takes_text = options.iter().any(|o| !o.starts_with("--") && o.contains('c'));
            let script = if takes_text { plain.first().map(|word| &*word.text) } else { here };
            script.iter().for_each(|script| collect(&parse(script), depth + 1, out));
        }
        "eval" => {
            let text: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
            collect(&parse(&text.join(" ")), depth + 1, out);
        }
        "gatewright" => {
            out.extend(own_command(arguments));
            if depth < MAX_DEPTH {
                of_command(program(hosted(arguments)), here, depth + 1, out);
            }
        }
        _ => {}
    }
}

/// Arguments, sorted into options and the rest.
struct Arguments<'a> {
    options: Vec<&'a str>,
    plain: Vec<&'a Word>,
}

impl<'a> Arguments<'a> {
    fn of(words: &'a [Word]) -> Self {
        let mut options = Vec::new();
        let mut plain = Vec::new();
        let mut ended = false;
        for word in words {
            match word.text.as_str() {
                "--" if !ended => ended = true,
                text if !ended && text.len() > 1 && text.starts_with('-') => options.push(text),
                _ => plain.push(word),
            }
        }
        Self { options, plain }
    }
}

/// The text of a word that hides nothing; of a pattern, some file where it looks.
pub fn known(word: &Word) -> Option<String> {
    if word.is_open || word.text.is_empty() {
        return None;
    }
    let Some(at) = word.pattern_at else { return Some(word.text.clone()) };
    let (directory, _) = word.text.get(..at)?.rsplit_once('/')?;
    Some(format!("{directory}/file"))
}

fn write(word: &Word, content: Option<String>) -> Option<Effect> {
    let path = known(word)?;
    (!is_stream(&path)).then_some(Effect::Write { path, content })
}

/// Devices that are no files: writing to them changes nothing.
fn is_stream(path: &str) -> bool {
    const STREAMS: &[&str] = &["-", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];
    let is_descriptor = |number: &str| number.chars().all(|c| c.is_ascii_digit());
    STREAMS.contains(&path) || path.strip_prefix("/dev/fd/").is_some_and(is_descriptor)
}

/// Copies and moves: into the last word, or into the directory of `-t`.
fn copied(arguments: &[Word], plain: &[&Word]) -> Option<Effect> {
    let named = value_of(arguments, &["-t", "--target-directory"]);
    let (target, sources) = match named {
        Some(Effect::Write { path, .. }) => {
            let sources = plain.iter().copied().filter(|word| word.text != path).collect();
            (path, sources)
        }
        _ => {
            let (last, sources) = plain.split_last()?;
            (known(last)?, sources.to_vec())
        }
    };
    let names = sources.iter().filter_map(|word| known(word));
    let names = names.map(|name| base_name(&name).to_owned()).collect();
    Some(Effect::WriteInto { target, names })
}

fn value_of(arguments: &[Word], options: &[&str]) -> Option<Effect> {
    let after = arguments
        .iter()
        .zip(arguments.iter().skip(1))
        .find(|(option, _)| options.contains(&option.text.as_str()));
    if let Some((_, value)) = after {
        return write(value, None);
    }
    let long = options.iter().filter(|option| option.starts_with("--"));
    let mut joined = long.filter_map(|option| {
        arguments.iter().find_map(|word| word.text.strip_prefix(&format!("{option}=")))
    });
    let path = joined.next_back()?.to_owned();
    Some(Effect::Write { path, content: None })
}

fn is_in_place(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => long.starts_with("in-place"),
        None => option.split(['e', 'f']).next().unwrap_or_default().contains('i'),
    }
}

/// The files of `sed -i` and `perl -i`: what is neither option, script nor an option's value.
fn in_place(arguments: &[Word], out: &mut Vec<Effect>) {
    let mut has_script = false;
    let mut files = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text.starts_with("--expression") || text.starts_with("--file") {
            has_script = true;
        } else if text.len() > 1 && text.starts_with('-') {
            if text.ends_with('e') || text.ends_with('f') {
                has_script = true;
                words.next();
            }
        } else {
            files.push(word);
        }
    }
    let skipped = usize::from(!has_script);
    files.iter().skip(skipped).for_each(|word| out.extend(write(word, None)));
}

/// The sub-command of ours, when it is for people.
fn own_command(arguments: &[Word]) -> Option<Effect> {
    const FOR_PEOPLE: &[&str] = &["mode", "apply", "review", "rollback"];
    let mut words = arguments.iter().map(|word| word.text.as_str());
    let found = loop {
        match words.next()? {
            "--root" => drop(words.next()),
            option if option.starts_with('-') => {}
            name => break name,
        }
    };
    FOR_PEOPLE.contains(&found).then(|| Effect::PersonOnly(format!("gatewright {found}")))
}

/// The words of the program that a command of ours runs.
fn hosted(arguments: &[Word]) -> &[Word] {
    const HOSTS: &[&str] = &["keep-server", "proxy"];
    let Some(at) = arguments.iter().position(|word| HOSTS.contains(&&*word.text)) else {
        return &[];
    };
    let rest = &arguments[at + 1..];
    let behind = rest.iter().position(|word| word.text == "--").map_or(0, |end| end + 1);
    &rest[behind..]
}

fn base_name(program: &str) -> &str {
    program.trim_end_matches('/').rsplit('/').next().unwrap_or(program)
}
