//! What single programs do to the files that they are given.

use super::arguments::Arguments;
use super::effects::Effect;
use super::run::Shell;
use super::word::Value;
use super::{archives, downloads, git, inline_code, outputs, own, starters, stream_editors};

/// Which of a program's plain arguments are files that it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changes {
    Written,
    WrittenButFirst,
    /// Their text stays: times, owners, rights.
    Marked,
    MarkedButFirst,
    Removed,
    Made,
    /// Only what its options name.
    Nothing,
}

/// How a program spells options of one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    /// Several in one word, the value behind the last.
    Letters,
    /// One in a word, the value behind it: `-ofile`, while `-Wno-error` has no `-o`.
    Attached,
    /// One in a word, the value apart: `-count=1` has no `-o`.
    Apart,
}

/// A program whose arguments say what it changes.
struct Program {
    names: &'static [&'static str],
    /// Options that take a value.
    valued: &'static [&'static str],
    /// Options whose value is a file that is written.
    outputs: &'static [&'static str],
    changes: Changes,
    spelling: Spelling,
}

const fn program(
    names: &'static [&'static str],
    changes: Changes,
    valued: &'static [&'static str],
    outputs: &'static [&'static str],
) -> Program {
    Program { names, valued, outputs, changes, spelling: Spelling::Letters }
}

const fn compiler(names: &'static [&'static str], spelling: Spelling) -> Program {
    let outputs = &["-o", "--output"];
    Program { names, valued: &[], outputs, changes: Nothing, spelling }
}

use Changes::{Made, Marked, MarkedButFirst, Nothing, Removed, Written, WrittenButFirst};

const PROGRAMS: &[Program] = &[
    program(&["touch"], Marked, &["-d", "-r", "-t", "--date", "--reference", "--time"], &[]),
    program(&["truncate"], Written, &["-s", "-r", "--size", "--reference"], &[]),
    program(&["fallocate"], Written, &["-l", "-o", "--length", "--offset"], &[]),
    program(&["ed", "ex", "vi", "vim", "nvim"], Written, &["-c", "-S", "--cmd"], &[]),
    program(&["chmod", "chown", "chgrp", "chattr"], MarkedButFirst, &["--reference"], &[]),
    program(&["setfacl"], Marked, &["-m", "-x", "-M", "-X", "--set"], &[]),
    program(&["rename", "prename"], WrittenButFirst, &[], &[]),
    program(&["rm", "unlink", "rmdir"], Removed, &[], &[]),
    program(&["shred"], Removed, &["-n", "-s", "--iterations", "--size"], &[]),
    program(&["mkdir"], Made, &["-m", "--mode"], &[]),
    program(&["mkfifo", "mknod"], Written, &["-m", "--mode"], &[]),
    program(&["sort"], Nothing, &["-k", "-t", "-T", "-S"], &["-o", "--output"]),
    program(&["split"], WrittenButFirst, &["-a", "-b", "-C", "-l", "-n"], &[]),
    program(&["csplit"], Nothing, &["-b", "-n"], &["-f", "--prefix"]),
    program(&["uniq"], WrittenButFirst, &["-f", "-s", "-w"], &[]),
    compiler(&["cc", "gcc", "g++", "c++", "clang", "clang++", "ld", "as"], Spelling::Attached),
    compiler(&["rustc", "protoc"], Spelling::Attached),
    compiler(&["go", "tsc"], Spelling::Apart),
    compiler(&["pandoc"], Spelling::Letters),
    program(&["openssl"], Nothing, &[], &["-out", "-keyout"]),
    program(&["gpg", "gpg2"], Nothing, &[], &["-o", "--output"]),
    program(&["ssh-keygen"], Nothing, &["-t", "-b", "-C", "-N"], &["-f"]),
    program(&["yq"], Nothing, &[], &["--output-file"]),
    program(
        &["set-content", "add-content", "out-file", "clear-content", "new-item"],
        Written,
        CMDLET,
        &["-path", "-literalpath", "-filepath"],
    ),
    program(&["remove-item", "del", "erase"], Removed, CMDLET, &["-path", "-literalpath"]),
];

const CMDLETS: &[&str] = &["copy-item", "move-item"];
const CMDLET: &[&str] = &["-value", "-encoding", "-itemtype", "-name", "-inputobject"];

/// The longest text that a copy is judged by.
const MOST_COPIED: usize = 1_000_000;

/// Follows a program with its arguments; what it prints, where that is known.
pub fn follow(shell: &mut Shell, words: &[Value], input: Option<&str>) -> Option<String> {
    let (first, arguments) = words.split_first()?;
    let name = base_name(&first.text);
    // Cmdlets are spelt in any case.
    let lower = name.to_ascii_lowercase();
    let name = if CMDLETS.contains(&&*lower) { &lower } else { name };
    if let Some(printed) = outputs::printed(shell, name, arguments, input) {
        return Some(printed);
    }
    if starters::follow(shell, name, arguments, input) {
        return None;
    }
    match name {
        "cd" | "chdir" => shell.enter(Arguments::of(arguments, &[]).plain.first()),
        "pushd" => shell.enter(arguments.iter().find(|word| !word.text.starts_with('-'))),
        "popd" => shell.go_back(),
        "export" | "declare" | "local" | "readonly" | "typeset" => declare(shell, arguments),
        "read" => read(shell, arguments, input),
        "alias" => {
            let bodies = arguments.iter().filter_map(|word| Some(word.text.split_once('=')?.1));
            bodies.for_each(|body| drop(shell.inner_script(body, &[])));
        }
        "set" => shell.set_parameters(1, &Arguments::of(arguments, &["-o"]).plain),
        "tee" | "sponge" => return teed(shell, arguments, input),
        "mv" => moved(shell, arguments),
        "cp" | "install" | "rsync" | "scp" => copied(shell, arguments),
        "copy-item" | "move-item" | "copy" | "move" => copied(shell, arguments),
        "ln" => linked(shell, arguments),
        "dd" => {
            let of = arguments.iter().filter(|word| word.text.starts_with("of="));
            let of: Vec<Value> = of.filter_map(|word| word.from("of=".len())).collect();
            of.iter().for_each(|path| shell.write(path, None, false));
        }
        "sed" | "gsed" | "awk" | "gawk" | "mawk" | "nawk" => {
            stream_editors::follow(shell, name, arguments);
        }
        "patch" | "apply_patch" | "applypatch" => patched(shell, name, arguments, input),
        "crontab" if !arguments.iter().any(|word| matches!(&*word.text, "-l" | "-i")) => {
            shell.out.push(Effect::Reach("/var/spool/cron/file".to_owned()));
        }
        "curl" | "wget" => downloads::follow(shell, name, arguments),
        "git" => git::follow(shell, arguments, input),
        "gatewright" => own::follow(shell, arguments, input),
        _ if archives::follow(shell, name, arguments) => {}
        _ if inline_code::follow(shell, name, arguments, input) => {}
        _ if first.text.contains('/') && starters::own_script(shell, &first.text, arguments) => {}
        // What a function does with its words is not followed; where they lead is.
        _ if shell.is_function(name) => {
            let places: Vec<String> = arguments.iter().flat_map(|word| shell.paths(word)).collect();
            shell.out.extend(places.into_iter().map(Effect::Reach));
        }
        _ => by_table(shell, name, arguments),
    }
    None
}

fn by_table(shell: &mut Shell, name: &str, words: &[Value]) {
    let lower = name.to_ascii_lowercase();
    let Some(found) = PROGRAMS.iter().find(|program| program.names.contains(&&*lower)) else {
        return;
    };
    let valued = [found.valued, found.outputs].concat();
    let is_cmdlet = lower.contains('-') && found.valued == CMDLET;
    let lowered = |word: &Value| match word.text.starts_with('-') {
        true => Value { text: word.text.to_ascii_lowercase(), ..word.clone() },
        false => word.clone(),
    };
    let words: Vec<Value> =
        words.iter().map(|word| if is_cmdlet { lowered(word) } else { word.clone() }).collect();
    let words = match found.spelling {
        Spelling::Letters => words,
        Spelling::Attached => words.iter().flat_map(detached).collect(),
        Spelling::Apart => words.into_iter().filter(|word| !is_long(word)).collect(),
    };
    let arguments = Arguments::of(&words, &valued);
    for output in arguments.all_values(found.outputs) {
        match found.changes {
            Removed => shell.remove(output),
            _ => shell.write(output, None, false),
        }
    }
    let skipped = usize::from(matches!(found.changes, WrittenButFirst | MarkedButFirst));
    // Of a cmdlet the first plain word is the file; what follows is text.
    let most = if is_cmdlet && found.changes == Written { 1 } else { usize::MAX };
    for file in arguments.plain.iter().skip(skipped).take(most) {
        match found.changes {
            Written | WrittenButFirst => shell.write(file, None, false),
            Marked | MarkedButFirst => shell.mark(file),
            Removed => shell.remove(file),
            Made => {
                let places = shell.paths(file);
                shell.out.extend(places.into_iter().map(|at| Effect::Reach(format!("{at}/file"))));
            }
            Nothing => {}
        }
    }
    if name == "yq" && arguments.has(&["-i", "--inplace"]) {
        arguments.plain.iter().skip(1).for_each(|file| shell.write(file, None, false));
    }
}

/// An option with one dash and more than a letter, `-count=1` say; `-o=file` is none.
fn is_long(word: &Value) -> bool {
    let name = word.text.split('=').next().unwrap_or_default();
    name.starts_with('-') && !name.starts_with("--") && name.len() > 2
}

/// `-ofile` as two words; other options of more than a letter are left out.
fn detached(word: &Value) -> Vec<Value> {
    match word.text.strip_prefix("-o") {
        Some(file) if !file.is_empty() && !file.starts_with('=') => {
            Some(Value::known("-o")).into_iter().chain(word.from("-o".len())).collect()
        }
        _ if is_long(word) => Vec::new(),
        _ => vec![word.clone()],
    }
}

/// `tee`: its input goes into files, and on.
fn teed(shell: &mut Shell, words: &[Value], input: Option<&str>) -> Option<String> {
    let arguments = Arguments::of(words, &[]);
    let appends = arguments.has(&["-a", "--append"]);
    let text = input.map(str::to_owned);
    arguments.plain.iter().for_each(|file| shell.write(file, text.clone(), appends));
    text
}

/// Assignments behind a word such as `export`.
fn declare(shell: &mut Shell, words: &[Value]) {
    for word in words {
        if let Some((name, value)) = word.text.split_once('=') {
            let value = word.from(word.text.len() - value.len()).unwrap_or_default();
            shell.assign(name, vec![value]);
        }
    }
}

/// `read NAME`: the first line of the input.
fn read(shell: &mut Shell, words: &[Value], input: Option<&str>) {
    let names = Arguments::of(words, &["-d", "-n", "-p", "-t", "-u", "-i", "-N"]).plain;
    let lines: Vec<Value> = input.unwrap_or_default().lines().map(Value::known).collect();
    if let [name] = names.as_slice() {
        shell.assign(&name.text, lines);
    }
}

const COPY: &[&str] = &[
    "-t",
    "--target-directory",
    "-m",
    "--mode",
    "-o",
    "--owner",
    "-g",
    "--group",
    "-S",
    "--suffix",
    "-e",
    "--exclude",
    "--include",
    "--filter",
    "-path",
    "-destination",
];

fn copied(shell: &mut Shell, words: &[Value]) {
    let arguments = Arguments::of(words, COPY);
    if arguments.has(&["-n", "--dry-run"]) && arguments.has(&["-a", "-v", "-r"]) {
        return;
    }
    let text = only_text(shell, &arguments);
    put(shell, &arguments, text.as_deref());
}

/// What the only file that is copied holds, where that is known and not too long.
fn only_text(shell: &Shell, arguments: &Arguments) -> Option<String> {
    let named = arguments.value(&["-t", "--target-directory", "-destination"]);
    let sources = arguments.plain.len().checked_sub(usize::from(named.is_none()))?;
    match arguments.plain.get(..sources)? {
        [only] if only.is_known() && only.pattern.is_none() => {
            shell.text(&only.text).filter(|text| text.len() <= MOST_COPIED)
        }
        _ => None,
    }
}

/// Copies and moves: into the last word, or into the directory of an option.
fn put(shell: &mut Shell, arguments: &Arguments, text: Option<&str>) {
    let named = arguments.value(&["-t", "--target-directory", "-destination"]).cloned();
    let (target, sources) = match (named, arguments.plain.split_last()) {
        (Some(target), _) => (target, arguments.plain.as_slice()),
        (None, Some((last, sources))) => (last.clone(), sources),
        (None, None) => return,
    };
    let names = sources.iter().flat_map(|source| match source.pattern {
        Some(_) => shell.paths(source),
        None => vec![source.text.clone()],
    });
    let names: Vec<String> = names.map(|name| base_name(&name).to_owned()).collect();
    let targets = shell.paths(&target);
    if targets.is_empty() && !target.is_known() {
        shell.write(&target, None, false);
    }
    // A file elsewhere is no file of the workspace.
    for target in targets.into_iter().filter(|target| !is_remote(target)) {
        shell.leave(&target, text);
        let (names, text) = (names.clone(), text.map(str::to_owned));
        shell.out.push(Effect::WriteInto { target, names, text });
    }
}

/// `host:path`, as rsync and scp spell it.
fn is_remote(target: &str) -> bool {
    target.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/'))
}

fn moved(shell: &mut Shell, words: &[Value]) {
    let arguments = Arguments::of(words, COPY);
    let is_named = arguments.value(&["-t", "--target-directory"]).is_some();
    let sources = arguments.plain.len().saturating_sub(usize::from(!is_named));
    let text = only_text(shell, &arguments);
    arguments.plain.iter().take(sources).for_each(|source| shell.remove(source));
    put(shell, &arguments, text.as_deref());
}

/// A link is written, and what is written through it later lands where it leads.
fn linked(shell: &mut Shell, words: &[Value]) {
    let arguments = Arguments::of(words, COPY);
    let is_named = arguments.value(&["-t", "--target-directory"]).is_some();
    let is_symbolic = arguments.has(&["-s", "--symbolic"]);
    let ends = match arguments.plain.as_slice() {
        [only] => vec![only.clone()],
        all => all[..all.len().saturating_sub(usize::from(!is_named))].to_vec(),
    };
    let beside = arguments.plain.last().filter(|_| is_symbolic && ends.len() == 1);
    let folder = beside.and_then(|link| Some(link.text.rsplit_once('/')?.0.to_owned()));
    for end in &ends {
        let text = match &folder {
            Some(folder) if !end.text.starts_with('/') => format!("{folder}/{}", end.text),
            _ => end.text.clone(),
        };
        let end = Value { text, ..end.clone() };
        let places = shell.paths(&end);
        shell.out.extend(places.into_iter().map(Effect::Reach));
    }
    put(shell, &arguments, None);
}

fn patched(shell: &mut Shell, name: &str, words: &[Value], input: Option<&str>) {
    const VALUED: &[&str] =
        &["-p", "-d", "-i", "-o", "-r", "-F", "--strip", "--directory", "--input"];
    let arguments = Arguments::of(words, VALUED);
    if arguments.has(&["--dry-run", "--check"]) {
        return;
    }
    let output = arguments.value(&["-o"]).cloned();
    let file = arguments.value(&["-i", "--input"]).cloned();
    let text = file.and_then(|file| shell.text(&file.text));
    let text = text.or_else(|| input.map(str::to_owned));
    let argument = arguments.plain.first().filter(|_| name != "patch");
    let text = text.or_else(|| argument.filter(|word| word.is_known()).map(|w| w.text.clone()));
    let targets: Vec<Value> = match name {
        "patch" => arguments.plain.iter().take(1).cloned().collect(),
        _ => Vec::new(),
    };
    targets.iter().chain(&output).for_each(|file| shell.write(file, None, false));
    if targets.is_empty() {
        let directory = arguments.value(&["-d", "--directory"]).cloned();
        shell.within(directory.as_ref(), |shell| {
            let directory = shell.directory().to_owned();
            shell.out.push(match text {
                Some(text) => Effect::Patch { text, directory },
                None => Effect::tree(name, &directory),
            });
        });
    }
}

/// The last part of a program's path.
pub fn base_name(program: &str) -> &str {
    program.trim_end_matches('/').rsplit('/').next().unwrap_or(program)
}
