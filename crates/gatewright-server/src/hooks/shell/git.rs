//! The commands of git that rewrite files of the working tree.

use super::effects::{Effect, known};
use super::lexer::Word;

/// The effects of `git` with these arguments.
pub fn effects(arguments: &[Word], here: Option<&str>, out: &mut Vec<Effect>) {
    let mut words = arguments.iter();
    let mut name = None;
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-C" => out.extend(words.next().and_then(known).map(Effect::Enter)),
            "-c" | "--git-dir" | "--work-tree" => drop(words.next()),
            text if text.starts_with('-') => {}
            text => {
                name = Some(text);
                break;
            }
        }
    }
    let rest: Vec<&Word> = words.collect();
    let has = |options: &[&str]| rest.iter().any(|word| options.contains(&word.text.as_str()));
    let tree = |name: &str| Effect::Tree(format!("git {name}"));
    match name.unwrap_or_default() {
        "checkout" if has(&["-b", "-B", "--orphan"]) => {}
        "switch" if has(&["-c", "-C", "--create", "--orphan"]) => {}
        "checkout" if has(&["--"]) => {
            let paths = rest.iter().skip_while(|word| word.text != "--").skip(1);
            named(paths, "git checkout", out);
        }
        "restore" if has(&["--staged", "-S"]) && !has(&["--worktree", "-W"]) => {}
        "restore" => {
            let paths = rest.iter().filter(|word| !word.text.starts_with('-'));
            named(paths, "git restore", out);
        }
        "reset" if !has(&["--hard", "--merge", "--keep"]) => {}
        "apply" if has(&["--check", "--stat", "--summary", "--numstat"]) => {}
        "apply" | "am" => out.push(match here {
            Some(text) => Effect::Patch(text.to_owned()),
            None => tree("apply"),
        }),
        "stash" if has(&["list", "show", "create", "store", "drop", "clear"]) => {}
        "clean" if has(&["-n", "--dry-run"]) => {}
        "rm" if has(&["--cached"]) => {}
        "rm" => {
            let paths = rest.iter().filter(|word| !word.text.starts_with('-'));
            out.extend(paths.filter_map(|word| known(word)).map(Effect::Remove));
        }
        "mv" => {
            let paths: Vec<_> = rest.iter().filter(|word| !word.text.starts_with('-')).collect();
            let Some((last, sources)) = paths.split_last() else { return };
            let names: Vec<String> = sources.iter().filter_map(|word| known(word)).collect();
            out.extend(names.iter().cloned().map(Effect::Remove));
            out.extend(known(last).map(|target| Effect::WriteInto { target, names }));
        }
        name @ ("checkout" | "switch" | "reset" | "stash" | "clean" | "merge" | "rebase"
        | "pull" | "cherry-pick" | "revert") => out.push(tree(name)),
        _ => {}
    }
}

/// Named files that git writes; a whole directory or a pattern is a tree.
fn named<'a>(paths: impl Iterator<Item = &'a &'a Word>, what: &str, out: &mut Vec<Effect>) {
    for word in paths {
        match known(word).filter(|path| !matches!(path.as_str(), "." | "./" | ":/")) {
            Some(path) => out.push(Effect::Write { path, content: None }),
            None => out.push(Effect::Tree(what.to_owned())),
        }
    }
}
