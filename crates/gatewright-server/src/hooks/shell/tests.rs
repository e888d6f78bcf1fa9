//! Command lines and what is known of them.

use super::*;

fn write(path: &str) -> Effect {
    Effect::Write { path: path.to_owned(), content: None }
}

fn tree(what: &str) -> Effect {
    Effect::Tree(what.to_owned())
}

fn into(target: &str, names: &[&str]) -> Effect {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    Effect::WriteInto { target: target.to_owned(), names }
}

fn remove(path: &str) -> Effect {
    Effect::Remove(path.to_owned())
}

#[track_caller]
fn check(command: &str, expected: &[Effect]) {
    assert_eq!(effects(&parse(command)), expected, "{command}");
}

#[test]
fn redirections_are_writes_wherever_they_stand() {
    check("echo x > a.txt", &[write("a.txt")]);
    check("echo x >> 'a b.txt' 2>/dev/null", &[write("a b.txt")]);
    check("echo x>a;echo y >|b", &[write("a"), write("b")]);
    check("make 2>&1 | tee -a log.txt", &[write("log.txt")]);
    check("cmd &> all.log", &[write("all.log")]);
    check("(cd sub && echo x > \"a\")", &[Effect::Enter("sub".to_owned()), write("a")]);
    check("echo $(echo x > inner)", &[write("inner")]);
    check("if true; then echo x > a; fi", &[write("a")]);
    check("sh -c 'echo x > a'", &[write("a")]);
    check("bash -lc \"echo x > a\"", &[write("a")]);
    check("echo 'x > a'", &[]);
    check("echo \"x > a\" # > b", &[]);
    check("test 1 -gt 0 && cat < a", &[]);
    check("echo x > \"$TARGET\"", &[]);
    check("echo x > ~/.bashrc", &[write("/~/.bashrc")]);
    check("echo x > $HOME/.bashrc", &[write("/~/.bashrc")]);
}

#[test]
fn here_documents_are_read_whole() {
    let content = Some("one\n$two\n".to_owned());
    let expected = [Effect::Write { path: "a".to_owned(), content }];
    check("cat > a <<'EOF'\none\n$two\nEOF\n", &expected);
    check("cat <<-EOF > a\n\tone\n\t$two\n\tEOF\n", &expected);
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";
    check(&format!("apply_patch <<'EOF'\n{patch}EOF"), &[Effect::Patch(patch.to_owned())]);
    let entered = [Effect::Enter("d".to_owned()), Effect::Patch(patch.to_owned())];
    check(&format!("cd d && apply_patch <<EOF\n{patch}EOF\necho done"), &entered);
    check(&format!("apply_patch '{patch}'"), &[Effect::Patch(patch.to_owned())]);
    check("bash <<EOF\necho x > a\nEOF", &[write("a")]);
}

#[test]
fn programs_that_write_are_known() {
    check("sed -i 's/a/b/' x y", &[write("x"), write("y")]);
    check("sed -i.bak -e 's/a/b/' x", &[write("x")]);
    check("sed -n 's/a/b/p' x", &[]);
    check("perl -pi -e 's/a/b/' x", &[write("x")]);
    check("cp a b dir/", &[into("dir/", &["a", "b"])]);
    check("cp -t dir a/b", &[into("dir", &["b"])]);
    check("mv a b", &[remove("a"), into("b", &["a"])]);
    check("rm -rf target 'a b'", &[remove("target"), remove("a b")]);
    check("sudo rm x", &[remove("x")]);
    check("FOO=1 env BAR=2 timeout 5 touch x", &[write("x")]);
    check("dd if=a of=b", &[write("b")]);
    check("curl -s https://x -o out", &[write("out")]);
    check("ls -la && cargo test", &[]);
    check("rm -rf .git/*", &[remove(".git/file")]);
    check("rm *.o", &[]);
    check("echo x > /dev/../etc/x", &[write("/dev/../etc/x")]);
}

#[test]
fn git_commands_that_rewrite_files_are_known() {
    check("git checkout -- a b", &[write("a"), write("b")]);
    check("git checkout main", &[tree("git checkout")]);
    check("git checkout -b topic", &[]);
    check("git restore .", &[tree("git restore")]);
    check("git restore --staged a", &[]);
    check("git reset --hard HEAD~1", &[tree("git reset")]);
    check("git reset a", &[]);
    check("git stash", &[tree("git stash")]);
    check("git stash list", &[]);
    check("git apply x.diff", &[tree("git apply")]);
    check("git -C sub rm a", &[Effect::Enter("sub".to_owned()), remove("a")]);
    check("git status && git commit -m 'x > y'", &[]);
}

#[test]
fn commands_of_ours_that_are_for_people_are_known() {
    for name in ["mode", "apply", "review", "rollback"] {
        let expected = [Effect::PersonOnly(format!("gatewright {name}"))];
        check(&format!("gatewright {name} x"), &expected);
        check(&format!("/usr/bin/gatewright --root . {name}"), &expected);
        check(&format!("bash -c 'gatewright {name}'"), &expected);
    }
    let written = [Effect::Write { path: ".git/config".to_owned(), content: None }];
    check("gatewright keep-server tee .git/config", &written);
    check("gatewright keep-server -- sh -c 'echo x > .git/config'", &written);
    check("gatewright proxy --writes a -- tee .git/config", &written);
    check("npx gatewright mode autonomous", &[Effect::PersonOnly("gatewright mode".to_owned())]);
    check("gatewright edit-code apply src/lib.rs --action remove", &[]);
    check("gatewright changes", &[]);
    check("gatewright check --diff -", &[]);
}

#[test]
fn no_line_brings_the_reader_down() {
    for line in ["'", "\"", "`", "$(", "${", "<<", "cat <<EOF", "> ", "\\", "$", "((((", "a >& b"] {
        let _ = effects(&parse(line));
    }
    let _ = effects(&parse(&"$(".repeat(10_000)));
}
