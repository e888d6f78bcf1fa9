//! Command lines and what is known of them.

use super::*;

/// A small tree: `/ws` is the workspace, `/home/u` the home.
struct Files;

impl Tree for Files {
    fn home(&self) -> Option<String> {
        Some("/home/u".to_owned())
    }

    fn root(&self) -> String {
        "/ws".to_owned()
    }

    fn names(&self, directory: &str) -> Vec<String> {
        let names: &[&str] = match directory {
            "." => &[".git", ".env", "a.o", "b.o", "notes.txt"],
            ".git" | "./.git" => &["config", "hooks"],
            _ => &[],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        (path == "fix.patch").then(|| PATCH.to_owned())
    }
}

const PATCH: &str = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";

fn write(path: &str) -> Effect {
    Effect::Write { path: path.to_owned(), content: None, appends: false }
}

fn text(path: &str, content: &str) -> Effect {
    Effect::Write { path: path.to_owned(), content: Some(content.to_owned()), appends: false }
}

fn append(path: &str, content: &str) -> Effect {
    Effect::Write { path: path.to_owned(), content: Some(content.to_owned()), appends: true }
}

fn tree(what: &str) -> Effect {
    Effect::tree(what, "")
}

fn into(target: &str, names: &[&str]) -> Effect {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    Effect::WriteInto { target: target.to_owned(), names, text: None }
}

fn remove(path: &str) -> Effect {
    Effect::Remove(path.to_owned())
}

fn reach(path: &str) -> Effect {
    Effect::Reach(path.to_owned())
}

fn patch(text: &str, directory: &str) -> Effect {
    Effect::Patch { text: text.to_owned(), directory: directory.to_owned() }
}

#[track_caller]
fn check(command: &str, expected: &[Effect]) {
    assert_eq!(effects(command, &Files).0, expected, "{command}");
}

#[track_caller]
fn touches(command: &str, path: &str) {
    assert!(is_touched(command, path), "{command}: {:?}", effects(command, &Files).0);
}

/// Whether some effect names a path.
fn is_touched(command: &str, path: &str) -> bool {
    effects(command, &Files).0.iter().any(|effect| match effect {
        Effect::Write { path: own, .. } | Effect::Remove(own) | Effect::Reach(own) => own == path,
        Effect::WriteInto { target, names, .. } => {
            target == path || names.iter().any(|name| format!("{target}/{name}") == path)
        }
        _ => false,
    })
}

#[test]
fn redirections_are_writes_wherever_they_stand() {
    check("echo x > a.txt", &[text("a.txt", "x\n")]);
    check("echo x >> 'a b.txt' 2>/dev/null", &[append("a b.txt", "x\n")]);
    check("ls>a;ls >|b", &[write("a"), write("b")]);
    let appended = Effect::Write { path: "log.txt".into(), content: None, appends: true };
    check("make 2>&1 | tee -a log.txt", &[appended]);
    check("cmd &> all.log", &[write("all.log")]);
    check("cmd 2> errors.log", &[write("errors.log")]);
    check("echo x 2> errors.log", &[write("errors.log")]);
    check("(cd sub && ls > \"a\")", &[write("sub/a")]);
    check("(cd sub && ls) > a", &[write("a")]);
    check("echo $(ls > inner)", &[write("inner")]);
    check("if true; then ls > a; fi", &[write("a")]);
    check("sh -c 'ls > a'", &[write("a")]);
    check("bash -lc \"ls > a\"", &[write("a")]);
    check("echo 'x > a'", &[]);
    check("echo \"x > a\" # > b", &[]);
    check("test 1 -gt 0 && cat < a", &[]);
    check("[[ a > b ]] && (( 3 > 2 )) && echo $((2 > 1))", &[]);
    check("ls > \"$TARGET\"", &[tree("a redirection to a file that cannot be known")]);
    check("ls > ~/.bashrc", &[write("/home/u/.bashrc")]);
    check("ls > $HOME/.bashrc", &[write("/home/u/.bashrc")]);
    check("ls > ${HOME}/.bashrc", &[write("/home/u/.bashrc")]);
    check("ls > ~root/.bashrc", &[write("/~root/.bashrc")]);
}

#[test]
fn here_documents_are_read_whole() {
    let expected = [text("a", "one\n$two\n")];
    check("cat > a <<'EOF'\none\n$two\nEOF\n", &expected);
    check("cat <<-'EOF' > a\n\tone\n\t$two\n\tEOF\n", &expected);
    check("cat <<\\EOF | tee a\none\nEOF\n", &[text("a", "one\n")]);
    check("cat > a <<EOF\nplain\nEOF", &[text("a", "plain\n")]);
    check("cat > a <<EOF\n$two\nEOF", &[write("a")]);
    check("cat <<EOF\n$(ls > inner)\nEOF", &[write("inner")]);
    check(&format!("apply_patch <<'EOF'\n{PATCH}EOF"), &[patch(PATCH, "")]);
    let inside = [patch(PATCH, "d")];
    check(&format!("cd d && apply_patch <<EOF\n{PATCH}EOF\necho done"), &inside);
    check(&format!("apply_patch '{PATCH}'"), &[patch(PATCH, "")]);
    check("bash <<EOF\nls > a\nEOF", &[write("a")]);
    check("bash <<< 'ls > a'", &[write("a")]);
    check("patch -p1 < fix.patch", &[patch(PATCH, "")]);
    check("git apply fix.patch", &[patch(PATCH, "")]);
    check("git apply -R fix.patch", &[tree("git apply")]);
    check("patch -p1 < other.patch", &[tree("patch")]);
}

#[test]
fn programs_that_write_are_known() {
    check("sed -i 's/a/b/' x y", &[write("x"), write("y")]);
    check("sed -i.bak -e 's/a/b/' x", &[write("x")]);
    check("sed -Ei '' 's/a/b/' x", &[write("x")]);
    check("sed -n 's/a/b/p' x", &[]);
    check("sed -n 's/a/b/w out' x", &[write("out")]);
    check("perl -pi -e 's/a/b/' x", &[write("x")]);
    check("awk -i inplace '{print}' x", &[write("x")]);
    check("awk '{ print $1 > \"out\" }' x", &[write("out")]);
    check("awk '$1 > \"m\"' x", &[]);
    check("cp a b dir/", &[into("dir/", &["a", "b"])]);
    check("cp -t dir a/b", &[into("dir", &["b"])]);
    check("mv a b", &[remove("a"), into("b", &["a"])]);
    check("mv -t dir a", &[remove("a"), into("dir", &["a"])]);
    check("rm -rf target 'a b'", &[remove("target"), remove("a b")]);
    check("sudo rm x", &[remove("x")]);
    check("FOO=1 env BAR=2 timeout 5 touch x", &[write("x")]);
    check("touch -r /etc/hosts x", &[write("x")]);
    check("dd if=a of=b", &[write("b")]);
    check("curl -sLo out https://x", &[write("out")]);
    check("curl -O https://example.org/a.txt?b", &[write("a.txt")]);
    check("wget -P sub https://example.org/a.txt", &[write("sub/a.txt")]);
    check("wget --spider https://example.org/a.txt", &[]);
    check("install -m 755 a bin/", &[into("bin/", &["a"])]);
    check("ln -s ../a sub/link", &[reach("sub/../a"), into("sub/link", &["a"])]);
    check("truncate -s 0 a", &[write("a")]);
    check("mkdir -p a/b", &[reach("a/b/file")]);
    check("sort -o a b", &[write("a")]);
    check("tar xzf a.tgz -C sub", &[Effect::tree("tar", "sub")]);
    check("tar czf out.tgz src", &[write("out.tgz")]);
    check("ls -la && cargo test", &[]);
    check("rm *.o", &[remove("a.o"), remove("b.o")]);
    check("rm -rf .git/*", &[remove(".git/config"), remove(".git/hooks")]);
    check("ls > /dev/../etc/x", &[write("/dev/../etc/x")]);
    check("find . -name '*.o' -delete", &[remove("./file"), tree("find -delete")]);
    check("rsync -a src/ host:dir", &[]);
}

/// One way after another to write the same file; none of them may hide it.
#[test]
fn no_spelling_of_a_command_hides_the_file() {
    let commands = [
        "X=.git/config; ls > $X",
        "export X=.git/config && ls > \"$X\"",
        "D=.git; ls > ${D}/config",
        "ls > ${UNSET:-.git/config}",
        "for f in .git/config; do ls > $f; done",
        "while read f; do rm \"$f\"; done <<< .git/config",
        "set -- .git/config; rm \"$1\"",
        "tee .git/{config,description} < /dev/null",
        "touch {.git,sub}/config",
        "ls > $'\\x2egit/config'",
        "ls > .gi\\\nt/config",
        "ls > \".g\"'it'/config",
        "rm .g?t/config",
        "rm .git/conf*",
        "bash -euo pipefail -c 'ls > .git/config'",
        "bash -O extglob -c 'ls > .git/config'",
        "env -u X bash -c 'ls > .git/config'",
        "env -C .git sh -c 'ls > config'",
        "env -S 'tee .git/config'",
        "sudo -u root tee .git/config",
        "timeout -s KILL 5s tee .git/config",
        "nice -n 5 tee .git/config",
        "busybox tee .git/config",
        "sh -c 'ls > $1' _ .git/config",
        "eval \"$(echo 'ls > .git/config')\"",
        "echo 'ls > .git/config' | sh",
        "echo bHMgPiAuZ2l0L2NvbmZpZwo= | base64 -d | sh",
        "printf '%s' 'ls > .git/config' | bash",
        "echo .git/config | xargs rm",
        "echo .git/config | xargs -I{} cp notes.txt {}",
        "find .git -name config -exec sh -c 'ls > .git/config' \\;",
        "cd .git && ls > config",
        "cd .git; cd hooks; cd -; ls > config",
        "pushd .git; ls > config",
        "(cd sub); ls > .git/config",
        "exec 3>.git/config",
        "ls >& .git/config",
        "ls | tee >(cat > .git/config)",
        "f() { ls > .git/config; }; f",
        "trap 'ls > .git/config' EXIT",
        "python3 -c \"open('.git/config','w').write('x')\"",
        "python3 - <<'EOF'\np = '.git/' + 'config'\nwith open(p, mode='w') as f: f.write('x')\nEOF",
        "python -c \"import os; os.system('ls > .git/config')\"",
        "python -c \"from pathlib import Path; Path('.git/config').write_text('x')\"",
        "python -c \"import os.path; open(os.path.join('.git','config'),'a')\"",
        "python -c \"import subprocess; subprocess.run(['rm', '.git/config'])\"",
        "python -c \"import shutil; shutil.copy('x', '.git/config')\"",
        "node -e \"require('fs').writeFileSync('.git/config','')\"",
        "node -e \"require('child_process').execSync('rm .git/config')\"",
        "ruby -e \"File.write('.git/config', 'x')\"",
        "perl -e 'open(F, \">.git/config\"); print F 1'",
        "perl -e 'open(my $f, \">\", \".git/config\")'",
        "php -r \"file_put_contents('.git/config', 'x');\"",
        "awk 'BEGIN { print \"x\" > \".git/config\" }'",
        "gawk -i inplace '{print}' .git/config",
        "sed -n 'w .git/config' notes.txt",
        "install -m 644 notes.txt .git/config",
        "cp --target-directory=.git config",
        "git config core.hooksPath hooks; rm .git/config",
        "git config alias.x '!sh'",
        "git -c alias.x='!rm .git/config' x",
        "git diff --output=.git/config",
        "ed -s .git/config <<< w",
        "ln -sf ../.git/config sub/link; rm .git/config",
        "cmd=rm; $cmd .git/config",
        "\\rm .git/config",
        "command rm -- .git/config",
        "/bin/rm .git/config",
        "if [ -f x ]; then :; else rm .git/config; fi",
        "{ rm .git/config; }",
        "! rm .git/config",
        "true && (true; (rm .git/config))",
        "rm $(echo .git/config)",
        "rm `echo .git/config`",
        "cat <<EOF | sh\nrm .git/config\nEOF",
        "Set-Content -Path .git/config -Value x",
        "pwsh -Command \"Remove-Item .git/config\"",
        "cmd /c 'del .git\\config'",
        "Copy-Item notes.txt .git/config",
        "function f { rm .git/config; }; f",
        "f() { rm \"$1\"; }; f .git/config",
        "alias w='rm .git/config'; w",
        "time -p rm .git/config",
        "A=(.git/config); rm \"${A[0]}\"",
        "p=.git/config.bak; rm \"${p%.bak}\"",
        "echo 726d202e6769742f636f6e666967 | xxd -r -p | sh",
        "find . -path .git/config -exec rm {} \\;",
        "find . -path .git/config -delete",
        "git -c core.fsmonitor='rm .git/config' status",
        "python3 -c \"from pathlib import Path; (Path('.git')/'config').write_text('x')\"",
        "python3 -c \"from pathlib import Path; p=Path('.git/config'); p.write_text('x')\"",
        "python3 -c \"import os; os.chdir('.git'); open('config','w')\"",
        "python3 -c \"exec(\\\"open('.git/config','w')\\\")\"",
        "uniq notes.txt .git/config",
    ];
    let is_missed = |command: &&&str| !is_touched(command, ".git/config");
    let missed: Vec<_> = commands.iter().filter(is_missed).collect();
    assert!(missed.is_empty(), "{missed:#?}");
    for command in ["ls > ~/x", "ls > $HOME/x", "cd && ls > x", "cd ~; ls > x"] {
        touches(command, "/home/u/x");
    }
    touches("ls > .git/hooks/$NAME", ".git/hooks/file");
    touches("ls > /etc/$NAME.conf", "/etc/file");
    touches("ls > $DIR/.git/config", ".git/config");
    touches("cd \"$(git rev-parse --show-toplevel)\" && ls > .git/config", "/ws/.git/config");
    touches("ls > \"$(git rev-parse --git-dir)/config\"", "/ws/.git/config");
    touches("ls > \"$PWD/.git/config\"", "./.git/config");
}

/// What people and agents run all day.
#[test]
fn commands_that_only_read_do_nothing() {
    for command in [
        "ls -la",
        "cat README.md | head -20",
        "grep -rn 'fn main' src | wc -l",
        "git status && git diff HEAD~1 -- src",
        "git log --oneline -5 > /dev/null",
        "cargo test -p model 2>&1 | tail -20",
        "npm test -- --watch=false",
        "python -m pytest -q tests",
        "python -c \"print(open('a.txt').read())\"",
        "python -c \"import json; d=json.load(open('/etc/hosts')); print(d)\"",
        "python script.py --out x",
        "node -e \"console.log(require('./package.json').version)\"",
        "awk '{ print $1 }' a.txt | sort | uniq -c",
        "sed -n '1,20p' a.txt",
        "find . -name '*.rs' -not -path './target/*'",
        "find . -type f -exec grep -l x {} +",
        "[ -f a ] && echo yes || echo no",
        "[[ $a < $b ]]",
        "for i in 1 2 3; do echo $i; done",
        "while true; do sleep 1; break; done",
        "echo \"a -> b\"",
        "git commit -m 'x > y'",
        "git checkout -b topic",
        "git config --get user.name",
        "git config user.name 'A B'",
        "git config --global --get core.editor",
        "curl -s https://example.org | jq .",
        "diff <(sort a) <(sort b)",
        "tar tzf a.tgz",
        "unzip -l a.zip",
        "xargs -n1 echo < list",
        "timeout 10 cargo build",
        "env RUST_LOG=debug cargo run",
        "which python3 && command -v node",
        "case $x in a) echo 1;; *) echo 2;; esac",
        "docker ps --format '{{.Names}}'",
        "test -d x && cd x && ls",
        "bash scripts/build.sh",
        "source .venv/bin/activate && python -V",
        "psql -c 'select 1 where 2 > 1'",
        "echo $(( 5 > 3 ))",
        "jq '.a > 1' x.json",
        "rg 'a>b' --glob '*.ts'",
        "time make -j4 check",
        "python3 -c \"from pathlib import Path; print(Path('.git/config').read_text())\"",
        "perl -e 'open(F, \"<\", \".git/config\"); print <F>'",
        "awk 'NR>3 && $2 > 5' a.txt",
        "for i in {1..3}; do echo $i; done",
        "while read l; do echo \"$l\"; done < notes.txt",
        "A=(a b c); echo ${A[0]}",
        "alias ll='ls -l'",
        "git ls-files | xargs wc -l",
        "wget -qO- https://example.org",
    ] {
        check(command, &[]);
    }
}

#[test]
fn git_commands_that_rewrite_files_are_known() {
    check("git checkout -- a b", &[write("a"), write("b")]);
    check("git checkout main", &[tree("git checkout")]);
    check("git checkout -b topic", &[]);
    check("git checkout -b topic origin/main", &[tree("git checkout")]);
    check("git restore .", &[tree("git restore")]);
    check("git restore --source HEAD~1 a", &[write("a")]);
    check("git restore --staged a", &[]);
    check("git reset --hard HEAD~1", &[tree("git reset")]);
    check("git reset a", &[]);
    check("git stash", &[tree("git stash")]);
    check("git stash list", &[]);
    check("git clean -fdx", &[tree("git clean")]);
    check("git clean -ndx", &[]);
    check("git apply x.diff", &[tree("git apply")]);
    check("git -C sub rm a; ls > b", &[remove("sub/a"), write("b")]);
    check("git -C /other reset --hard", &[Effect::tree("git reset", "/other")]);
    check("git worktree add ../w", &[reach("../w/file")]);
    check("git config --global user.name x", &[write("/home/u/.gitconfig")]);
    check("git submodule add https://x y", &[write(".gitmodules")]);
    check("git status && git commit -m 'x > y'", &[]);
}

#[test]
fn commands_of_ours_that_are_for_people_are_known() {
    for name in ["mode", "apply", "review", "rollback"] {
        let expected = [Effect::PersonOnly(format!("gatewright {name}"))];
        check(&format!("gatewright {name} x"), &expected);
        check(&format!("/usr/bin/gatewright --root . {name}"), &expected);
        check(&format!("bash -c 'gatewright {name}'"), &expected);
        check(&format!("\"$(which gatewright)\" {name}"), &expected);
    }
    check("gatewright keep-server tee .git/config", &[write(".git/config")]);
    check("gatewright keep-server -- sh -c 'ls > .git/config'", &[write(".git/config")]);
    check("gatewright proxy --writes a -- tee .git/config", &[write(".git/config")]);
    check("npx gatewright mode autonomous", &[Effect::PersonOnly("gatewright mode".to_owned())]);
    check("gatewright edit-code apply src/lib.rs --action remove", &[]);
    check("gatewright changes", &[]);
    check("gatewright check --diff -", &[]);
}

#[test]
fn no_line_brings_the_reader_down() {
    for line in ["'", "\"", "`", "$(", "${", "<<", "cat <<EOF", "> ", "\\", "$", "((((", "a >& b"] {
        let _ = effects(line, &Files);
    }
    for part in ["$(", "((", "{a,", "`", "<(", "a|", "bash -c ", "\"$(", "eval ", "${a:-", "[[ "] {
        let _ = effects(&part.repeat(5_000), &Files);
    }
    let _ = effects(&"{a,b}".repeat(40), &Files);
}

/// Nothing is left out in silence: what is too much to follow is said to be.
#[test]
fn what_is_too_much_to_follow_is_told() {
    let many: Vec<String> = (0..2_000).map(|number| format!("a{number}")).collect();
    let nested = (0..20).fold("rm .git/config".to_owned(), |inner, _| format!("echo $({inner})"));
    let commands = [
        format!("{}rm .git/config", ":;".repeat(30_000)),
        format!("rm {{{},.git/config}}", many.join(",")),
        format!("rm {}{{.git/config,x}}", "{a,b}".repeat(12)),
        format!("{}rm .git/config", "rm *.o;".repeat(600)),
        nested,
    ];
    for command in commands {
        let found = effects(&command, &Files).0;
        let start: String = command.chars().take(60).collect();
        assert_eq!(found.last(), Some(&Effect::TooMuch), "{start}");
    }
}

#[test]
fn a_command_that_only_gets_ready_for_another_is_no_second_one() {
    for command in ["cat > a <<EOF\nx\nEOF", "mkdir -p d && cd d && cat > a <<EOF\nx\nEOF"] {
        assert!(has_one_command(command), "{command}");
    }
    for command in ["cat > a <<EOF\nx\nEOF\nmake", "echo x > a; echo y > b", ""] {
        assert!(!has_one_command(command), "{command}");
    }
}

#[test]
fn a_text_is_known_wherever_the_same_line_put_it() {
    touches("printf 'echo x > .git/config' > a.sh; bash a.sh", ".git/config");
    touches(
        "printf '#!/bin/sh\necho x > .git/config' > a.sh; chmod +x a.sh; ./a.sh",
        ".git/config",
    );
    touches("echo 'echo x > .git/config' > a.sh && . ./a.sh", ".git/config");
    touches("cat > a.py <<'E'\nopen('.git/config', 'w')\nE\npython3 a.py", ".git/config");
    touches(
        "printf '#!/usr/bin/env python3\nopen(\".git/config\",\"w\")' > a; chmod +x a; ./a",
        ".git/config",
    );
    check(
        "echo a > x; echo b >> x; cat x > y",
        &[text("x", "a\n"), append("x", "b\n"), text("y", "a\nb\n")],
    );
    let copied = effects("echo a > x; cp x y", &Files).0;
    let Some(Effect::WriteInto { text, .. }) = copied.last() else { panic!("{copied:?}") };
    assert_eq!(text.as_deref(), Some("a\n"));
}

#[test]
fn a_text_that_changed_is_no_longer_known() {
    check("echo a > x; sed -i s/a/b/ x; cat x > y", &[text("x", "a\n"), write("x"), write("y")]);
    assert!(!is_touched("echo 'echo x > .git/config' > a; rm a; sh a", ".git/config"));
    assert!(!is_touched("sh fix.patch", "a"), "a script of the tree is not followed");
}

#[test]
fn an_option_of_a_compiler_is_one_word() {
    check("go test ./... -run TestX -count=1", &[]);
    check("gcc -Wno-error -fopenmp -O2 -c x.c", &[]);
    check("rustc -Copt-level=3 x.rs", &[]);
    check("protoc -Iproto x.proto", &[]);
    for command in ["go build -o out", "go build -o=out", "gcc x.c -oout", "rustc -o out x.rs"] {
        check(command, &[write("out")]);
    }
}
