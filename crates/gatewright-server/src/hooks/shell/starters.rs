//! Programs that start another program, or another shell.

use super::arguments::Arguments;
use super::programs;
use super::run::Shell;
use super::word::Value;

/// A program that runs the command behind its own options.
struct Wrapper {
    names: &'static [&'static str],
    /// Its options that take a value.
    valued: &'static [&'static str],
    /// How many of its own words stand before the command.
    own_words: usize,
}

const fn wrapper(
    names: &'static [&'static str],
    own_words: usize,
    valued: &'static [&'static str],
) -> Wrapper {
    Wrapper { names, valued, own_words }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper(
        &["sudo", "doas"],
        0,
        &["-u", "-g", "-h", "-p", "-C", "-D", "-T", "-U", "-R", "--user"],
    ),
    wrapper(&["env"], 0, &["-u", "-C", "-S", "--unset", "--chdir", "--split-string"]),
    wrapper(&["nice"], 0, &["-n", "--adjustment"]),
    wrapper(&["ionice"], 0, &["-c", "-n", "-p", "--class", "--classdata"]),
    wrapper(&["timeout"], 1, &["-s", "-k", "--signal", "--kill-after"]),
    wrapper(&["stdbuf"], 0, &["-i", "-o", "-e"]),
    wrapper(&["exec"], 0, &["-a"]),
    wrapper(&["time"], 0, &["-f", "-o"]),
    wrapper(&["nohup", "setsid", "command", "builtin", "busybox", "toybox", "unbuffer"], 0, &[]),
    wrapper(
        &["caffeinate", "chronic", "unshare", "nsenter", "proot", "fakeroot"],
        0,
        &["-r", "-t"],
    ),
    wrapper(&["strace", "ltrace"], 0, &["-o", "-e", "-p", "-s", "-u"]),
    wrapper(&["flock"], 1, &["-w", "-E", "-c"]),
    wrapper(&["chroot", "taskset", "chrt", "gosu", "su-exec"], 1, &[]),
    wrapper(&["watch"], 0, &["-n", "--interval"]),
    wrapper(&["npx", "bunx", "uvx"], 0, &["-p", "--package", "-c", "--call", "--from"]),
    wrapper(&["runuser"], 0, &["-u", "-c", "-g"]),
];

/// Programs whose first word may be one of [`RUNS`], and then a command follows.
const RUNNERS: &[&str] = &[
    "poetry", "pipenv", "uv", "rye", "hatch", "pdm", "bundle", "pnpm", "yarn", "npm", "mise",
    "asdf",
];
const RUNS: &[&str] = &["run", "exec", "dlx", "x"];
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "fish"];

/// Follows what a program starts; whether it is one that starts something.
pub fn follow(shell: &mut Shell, name: &str, words: &[Value], input: Option<&str>) -> bool {
    if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&name)) {
        wrapped(shell, wrapper, words, input);
        return true;
    }
    match name {
        "eval" => {
            let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            shell.script(&text.join(" "));
        }
        "." | "source" => {
            let script = words.first().and_then(|script| shell.own_text(&script.text));
            script.iter().for_each(|script| drop(shell.script(script)));
        }
        "trap" => {
            words.first().into_iter().for_each(|word| drop(shell.inner_script(&word.text, &[])));
        }
        "su" | "script" | "runuser" => {
            let arguments = Arguments::of(words, &["-c", "--command", "-s", "-g"]);
            let script = arguments.value(&["-c", "--command"]).map(|value| value.text.clone());
            script.iter().for_each(|script| drop(shell.inner_script(script, &[])));
            let files = arguments.plain.iter().filter(|_| name == "script");
            files.for_each(|file| shell.write(file, None, false));
        }
        "pwsh" | "powershell" | "powershell.exe" | "cmd" | "cmd.exe" => {
            let is_start = |word: &Value| {
                let text = word.text.to_ascii_lowercase();
                matches!(text.as_str(), "-command" | "-c" | "/c" | "/k")
            };
            let at = words.iter().position(is_start).map_or(words.len(), |at| at + 1);
            let text: Vec<&str> = words[at..].iter().map(|word| word.text.as_str()).collect();
            shell.inner_script(&text.join(" ").replace('\\', "/"), &[]);
        }
        "xargs" | "parallel" => repeated(shell, words, input),
        "find" | "fd" | "fdfind" => found(shell, words),
        _ if SHELLS.contains(&name) => inner_shell(shell, words, input),
        _ if RUNNERS.contains(&name) => {
            let (_, rest) = Arguments::leading(words, &[]);
            let Some((first, rest)) = rest.split_first() else { return false };
            if !RUNS.contains(&first.text.as_str()) {
                return false;
            }
            let (_, command) = Arguments::leading(rest, &["--with", "-p", "--package", "--filter"]);
            programs::follow(shell, command, input);
        }
        _ => return false,
    }
    true
}

fn wrapped(shell: &mut Shell, wrapper: &Wrapper, words: &[Value], input: Option<&str>) {
    let (arguments, rest) = Arguments::leading(words, wrapper.valued);
    let script = arguments.value(&["-S", "--split-string", "-c", "--call"]);
    let script = script.filter(|_| wrapper.names != ["ionice"]);
    if let Some(script) = script {
        shell.inner_script(&script.text, &[]);
    }
    let written = arguments.value(&["-o"]).filter(|_| wrapper.valued.contains(&"-o"));
    if let Some(file) = written.filter(|_| wrapper.names != ["stdbuf"]) {
        shell.write(file, None, false);
    }
    let rest = rest.get(wrapper.own_words..).unwrap_or_default();
    let (_, rest) = Arguments::leading(rest, &[]);
    let is_assignment = |word: &Value| {
        let name = word.text.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
    };
    let assigned = rest.iter().take_while(|word| is_assignment(word)).count();
    for word in &rest[..assigned] {
        if let Some((name, value)) = word.text.split_once('=') {
            shell.assign(name, vec![Value::known(value)]);
        }
    }
    let command = &rest[assigned..];
    // `watch` and `flock` take a whole line as one word.
    if let [line] = command
        && line.text.contains(' ')
        && matches!(wrapper.names, ["watch"] | ["flock"])
    {
        shell.inner_script(&line.text, &[]);
        return;
    }
    let directory = arguments.value(&["-C", "--chdir", "-D"]).cloned();
    let directory = directory.filter(|_| wrapper.valued.contains(&"-C"));
    shell.within(directory.as_ref(), |shell| {
        programs::follow(shell, command, input);
    });
}

/// `sh -c 'script' name parameters`, or a script on standard input.
fn inner_shell(shell: &mut Shell, words: &[Value], input: Option<&str>) {
    const VALUED: &[&str] = &["-o", "-O", "+o", "+O", "--rcfile", "--init-file"];
    let mut rest = words;
    let mut takes_text = false;
    let mut owed = 0_usize;
    while let Some((first, after)) = rest.split_first() {
        let text = first.text.as_str();
        if text == "--" {
            rest = after;
            break;
        }
        if !text.starts_with(['-', '+']) || text.len() < 2 {
            if owed == 0 {
                break;
            }
            owed -= 1;
        } else if VALUED.contains(&text) {
            owed += 1;
        } else if !text.starts_with("--") {
            takes_text |= text.contains('c');
            owed += text.matches(['o', 'O']).count();
        }
        rest = after;
    }
    match rest.split_first() {
        Some((script, parameters)) if takes_text => {
            shell.inner_script(&script.text, parameters);
        }
        // A script that was in its file before is not followed: what it changes is seen afterwards.
        Some((script, parameters)) if shell.own_text(&script.text).is_some() => {
            own_script(shell, &script.text, parameters);
        }
        Some(_) if !words.iter().any(|word| word.text == "-s") => {}
        _ => drop(input.map(|script| shell.inner_script(script, &[]))),
    }
}

/// A script that an earlier command of the same line put into a file; whether it is one.
pub fn own_script(shell: &mut Shell, path: &str, parameters: &[Value]) -> bool {
    let Some(text) = shell.own_text(path) else { return false };
    let all = [&[Value::known(path)], parameters].concat();
    let first = text.lines().next().unwrap_or_default();
    match first.strip_prefix("#!").and_then(|line| line.split_whitespace().last()) {
        Some(program) if !SHELLS.contains(&programs::base_name(program)) => {
            let words = [vec![Value::known(program)], all].concat();
            programs::follow(shell, &words, None);
        }
        _ => drop(shell.inner_script(&text, &all)),
    }
    true
}

/// `xargs` and `parallel`: the command with the words of the input behind it.
fn repeated(shell: &mut Shell, words: &[Value], input: Option<&str>) {
    const VALUED: &[&str] = &[
        "-I",
        "-n",
        "-P",
        "-L",
        "-d",
        "-a",
        "-s",
        "-E",
        "-j",
        "--max-args",
        "--max-procs",
        "--delimiter",
        "--arg-file",
        "--jobs",
    ];
    let (arguments, rest) = Arguments::leading(words, VALUED);
    let at = rest.iter().position(|word| word.text == ":::").unwrap_or(rest.len());
    let (command, listed) = rest.split_at(at);
    let mut given: Vec<Value> = listed.iter().skip(1).cloned().collect();
    let read = input.unwrap_or_default().split_whitespace().map(Value::known);
    given.extend(read);
    if given.is_empty() {
        given.push(Value { hole: Some(0), ..Value::default() });
    }
    let mark = arguments.value(&["-I"]).map_or("{}", |value| value.text.as_str());
    let has_mark = command.iter().any(|word| word.text.contains(mark));
    if !has_mark {
        let all = [command, &given].concat();
        programs::follow(shell, &all, None);
        return;
    }
    for value in &given {
        let words: Vec<Value> = command.iter().map(|word| filled(word, mark, value)).collect();
        programs::follow(shell, &words, None);
    }
}

/// A word with a value in place of a mark.
fn filled(word: &Value, mark: &str, value: &Value) -> Value {
    let Some(at) = word.text.find(mark).filter(|_| !mark.is_empty()) else { return word.clone() };
    let hole = word.hole.or(value.hole.map(|hole| at + hole));
    Value { text: word.text.replace(mark, &value.text), hole, pattern: word.pattern }
}

/// `find`: what it deletes, prints into files, or starts for the files below its first words.
fn found(shell: &mut Shell, words: &[Value]) {
    let is_test = |word: &Value| word.text.starts_with(['-', '(', '!']);
    let starts: Vec<Value> = words.iter().take_while(|word| !is_test(word)).cloned().collect();
    let starts = if starts.is_empty() { vec![Value::known(".")] } else { starts };
    let has_tests = words.iter().any(|word| {
        let text = word.text.as_str();
        text.starts_with('-') && !matches!(text, "-delete" | "-depth" | "-print" | "-mindepth")
    });
    for (at, word) in words.iter().enumerate() {
        match word.text.as_str() {
            "-delete" => match tested_path(words) {
                Some(path) => shell.remove(&Value::known(path)),
                None => starts.iter().for_each(|start| deleted(shell, start, has_tests)),
            },
            "-fprint" | "-fprintf" | "-fls" | "-fprint0" => {
                words.get(at + 1).into_iter().for_each(|file| shell.write(file, None, false));
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" => {
                let command = &words[at + 1..];
                let is_end = |word: &Value| matches!(word.text.as_str(), ";" | "+");
                let end = command.iter().position(is_end).unwrap_or(command.len());
                for start in &starts {
                    let named = tested_path(words).unwrap_or(format!("{}/file", start.text));
                    let some_file = Value::known(named);
                    let fill = |word: &Value| filled(word, "{}", &some_file);
                    let filled: Vec<Value> = command[..end].iter().map(fill).collect();
                    programs::follow(shell, &filled, None);
                }
            }
            _ => {}
        }
    }
}

/// The path that a search is for, where it is one.
fn tested_path(words: &[Value]) -> Option<String> {
    let at = words.iter().position(|word| matches!(&*word.text, "-path" | "-wholename"))?;
    let path = words.get(at + 1).filter(|path| !path.text.contains(['*', '?', '[']))?;
    let is_turned = at > 0 && matches!(words[at - 1].text.as_str(), "!" | "-not");
    (!is_turned).then(|| path.text.clone())
}

/// A search that deletes: some files below a directory, or all of them.
fn deleted(shell: &mut Shell, start: &Value, has_tests: bool) {
    if has_tests {
        shell.remove(&Value::known(format!("{}/file", start.text)));
        shell.out.push(super::Effect::tree("find -delete", ""));
    } else {
        shell.remove(start);
    }
}
