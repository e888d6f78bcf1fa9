//! The commands of git that rewrite files, or settings that make git run something.

use super::arguments::Arguments;
use super::effects::Effect;
use super::run::Shell;
use super::word::Value;

/// Follows `git` with these arguments.
pub fn follow(shell: &mut Shell, words: &[Value], input: Option<&str>) {
    const VALUED: &[&str] =
        &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"];
    let (own, rest) = Arguments::leading(words, VALUED);
    let Some((name, rest)) = rest.split_first() else { return };
    // A setting may name a command; an alias with a mark is one.
    for setting in own.all_values(&["-c"]) {
        let Some((key, value)) = setting.text.split_once('=') else { continue };
        if runs_something(key) {
            let command = value.strip_prefix('!').unwrap_or(value);
            shell.inner_script(command, &[]);
        }
    }
    let directory = own.value(&["--work-tree"]).or_else(|| own.value(&["-C"])).cloned();
    shell.within(directory.as_ref(), |shell| of_command(shell, &name.text, rest, input));
}

fn of_command(shell: &mut Shell, name: &str, words: &[Value], input: Option<&str>) {
    match name {
        "checkout" | "switch" | "restore" | "reset" | "rm" | "mv" | "clean" | "stash" => {
            of_tree(shell, name, words);
        }
        "apply" | "am" => apply(shell, name, words, input),
        "config" => config(shell, words),
        "worktree" | "clone" | "init" => {
            let arguments = Arguments::of(words, &["-b", "-B", "-o", "--branch", "--depth", "-c"]);
            let skipped = usize::from(name != "init");
            let made = arguments.plain.get(skipped);
            let is_made = name != "worktree" || words.first().is_some_and(|w| w.text == "add");
            let places = made.filter(|_| is_made).map(|made| shell.paths(made));
            let places = places.into_iter().flatten().map(|at| Effect::Reach(format!("{at}/file")));
            shell.out.extend(places);
        }
        "submodule" if words.first().is_some_and(|word| word.text == "add") => {
            shell.write(&Value::known(".gitmodules"), None, false);
        }
        "submodule" if words.iter().any(|word| word.text == "foreach") => {
            words.iter().skip(1).for_each(|word| drop(shell.inner_script(&word.text, &[])));
            tree(shell, "git submodule foreach");
        }
        "bisect" if words.first().is_some_and(|word| word.text == "run") => {
            super::programs::follow(shell, &words[1..], None);
            tree(shell, "git bisect");
        }
        "rebase" => {
            let arguments = Arguments::of(words, &["-x", "--exec", "--onto"]);
            let commands: Vec<Value> = arguments.all_values(&["-x", "--exec"]).cloned().collect();
            commands.iter().for_each(|word| drop(shell.inner_script(&word.text, &[])));
            tree(shell, "git rebase");
        }
        "diff" | "log" | "show" | "archive" | "bundle" | "format-patch" | "shortlog" => {
            prints(shell, name, words);
        }
        "merge" | "pull" | "cherry-pick" | "revert" | "read-tree" | "checkout-index"
        | "filter-branch" | "sparse-checkout" => tree(shell, &format!("git {name}")),
        _ => {}
    }
}

fn tree(shell: &mut Shell, what: &str) {
    let directory = shell.directory().to_owned();
    shell.out.push(Effect::tree(what, &directory));
}

fn of_tree(shell: &mut Shell, name: &str, words: &[Value]) {
    let what = format!("git {name}");
    let arguments = Arguments::of(words, &["-b", "-B", "-c", "-C", "--orphan", "-s", "--source"]);
    let has = |options: &[&str]| arguments.has(options);
    let starts_branch =
        arguments.value(&["-b", "-B", "-c", "-C", "--orphan"]).is_some() || has(&["--create"]);
    let first = arguments.plain.first().map(|word| word.text.as_str()).unwrap_or_default();
    match name {
        "checkout" | "switch" if starts_branch && arguments.plain.is_empty() => {}
        "checkout" if words.iter().any(|word| word.text == "--") => {
            let at = words.iter().position(|word| word.text == "--").unwrap_or_default();
            named(shell, &words[at + 1..], &what);
        }
        "restore" if has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]) => {}
        "restore" => named(shell, &arguments.plain, &what),
        "reset" if !has(&["--hard", "--merge", "--keep"]) => {}
        "stash" if matches!(first, "list" | "show" | "create" | "store" | "drop" | "clear") => {}
        "clean" if has(&["-n", "--dry-run"]) => {}
        "rm" if has(&["--cached", "-n", "--dry-run"]) => {}
        "rm" => arguments.plain.iter().for_each(|file| shell.remove(file)),
        "mv" => {
            let Some((last, sources)) = arguments.plain.split_last() else { return };
            sources.iter().for_each(|file| shell.remove(file));
            let names: Vec<String> = sources.iter().map(|file| file.text.clone()).collect();
            let targets = shell.paths(last).into_iter();
            let into = targets.map(|target| Effect::WriteInto {
                target,
                names: names.clone(),
                text: None,
            });
            shell.out.extend(into);
        }
        _ => tree(shell, &what),
    }
}

/// Named files that git writes; a whole directory or a pattern is a tree.
fn named(shell: &mut Shell, words: &[Value], what: &str) {
    for word in words {
        let is_whole = matches!(word.text.as_str(), "." | "./" | ":/") || word.pattern.is_some();
        if is_whole { tree(shell, what) } else { shell.write(word, None, false) }
    }
}

fn apply(shell: &mut Shell, name: &str, words: &[Value], input: Option<&str>) {
    let arguments = Arguments::of(words, &["-p", "-C", "--directory", "--exclude", "--include"]);
    if arguments.has(&["--check", "--stat", "--summary", "--numstat", "--cached"]) {
        return;
    }
    let files = arguments.plain.iter().filter(|file| file.text != "-");
    let read = files.map(|file| shell.text(&file.text));
    let texts: Option<Vec<String>> = read.collect();
    let is_plain = name == "apply" && !arguments.has(&["-R", "--reverse", "--directory", "-p"]);
    let directory = shell.directory().to_owned();
    let texts = match texts {
        Some(texts) if texts.is_empty() => input.map(|text| vec![text.to_owned()]),
        texts => texts,
    };
    match texts.filter(|_| is_plain) {
        Some(texts) => shell.out.extend(
            texts.into_iter().map(|text| Effect::Patch { text, directory: directory.clone() }),
        ),
        None => tree(shell, &format!("git {name}")),
    }
}

/// Files that a reading command is told to write.
fn prints(shell: &mut Shell, name: &str, words: &[Value]) {
    let outputs: &[&str] = match name {
        "archive" | "format-patch" => &["-o", "--output", "--output-directory"],
        _ => &["--output"],
    };
    let arguments = Arguments::of(words, outputs);
    arguments.all_values(outputs).for_each(|file| shell.write(file, None, false));
    if name == "bundle" && arguments.plain.first().is_some_and(|word| word.text == "create") {
        arguments.plain.iter().skip(1).take(1).for_each(|file| shell.write(file, None, false));
    }
}

/// Settings: those of the user lie outside, and some of the workspace's make git run a program.
fn config(shell: &mut Shell, words: &[Value]) {
    const VALUED: &[&str] = &["-f", "--file", "--blob", "--type", "--default"];
    let arguments = Arguments::of(words, VALUED);
    let plain: Vec<&str> = arguments.plain.iter().map(|word| word.text.as_str()).collect();
    let plain = match plain.as_slice() {
        ["set" | "unset" | "remove-section" | "rename-section", rest @ ..] => rest.to_vec(),
        ["get" | "list" | "edit" | "get-all", ..] => return,
        all => all.to_vec(),
    };
    const REMOVES: &[&str] = &["--unset", "--unset-all", "--remove-section", "--rename-section"];
    if plain.len() < 2 && !arguments.has(REMOVES) {
        return;
    }
    if let Some(file) = arguments.value(&["-f", "--file"]) {
        shell.write(&file.clone(), None, false);
    } else if arguments.has(&["--global"]) {
        let home = shell.tree.home().unwrap_or_else(|| "/~".to_owned());
        shell.write(&Value::known(format!("{home}/.gitconfig")), None, false);
    } else if arguments.has(&["--system"]) {
        shell.write(&Value::known("/etc/gitconfig"), None, false);
    } else if plain.first().is_some_and(|key| runs_something(key)) {
        shell.write(&Value::known(".git/config"), None, false);
    }
}

/// Settings that name a program or a file that git reads.
const KEYS: &[&str] = &[
    "core.hookspath",
    "core.fsmonitor",
    "core.sshcommand",
    "core.pager",
    "core.editor",
    "core.askpass",
    "core.gitproxy",
    "core.worktree",
    "core.attributesfile",
    "core.alternaterefscommand",
    "sequence.editor",
    "init.templatedir",
    "credential.helper",
    "gpg.program",
    "include.path",
    "diff.external",
    "interactive.difffilter",
    "web.browser",
    "uploadpack.packobjectshook",
    "ssh.variant",
    "safe.directory",
];
/// Sections in which some settings do.
const SECTIONS: &[&str] = &[
    "alias.",
    "filter.",
    "pager.",
    "includeif.",
    "merge.",
    "diff.",
    "difftool.",
    "mergetool.",
    "url.",
    "credential.",
    "gpg.",
    "browser.",
    "man.",
    "trailer.",
    "submodule.",
    "remote.",
];
/// How those settings end.
const TAILS: &[&str] = &[
    ".command",
    ".cmd",
    ".path",
    ".driver",
    ".textconv",
    ".clean",
    ".smudge",
    ".process",
    ".program",
    ".helper",
    ".insteadof",
    ".pushinsteadof",
    ".update",
    ".uploadpack",
    ".receivepack",
    ".vcs",
];

/// Whether git runs or reads what this setting names.
fn runs_something(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let is_section = SECTIONS.iter().any(|section| key.starts_with(section));
    KEYS.contains(&&*key)
        || key.starts_with("alias.")
        || key.starts_with("pager.")
        || (is_section && TAILS.iter().any(|tail| key.ends_with(tail)))
}
