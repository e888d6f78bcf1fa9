//! The rules that no configuration relaxes, and those that look at more than a name.
//!
//! Each is a line of one table, so that it can be listed, explained and tested
//! like the rules of `rules/write`. The code that applies them lives beside
//! what it looks at: `name`, `place`, `content`.

use std::sync::LazyLock;

use gatewright_model::{Finding, Guard, Severity};

use super::catalogue::{RuleInfo, RuleSubject};

/// A rule of the table, in words that outlive the program.
struct Row {
    code: &'static str,
    severity: Severity,
    subject: RuleSubject,
    reason: &'static str,
    hint: &'static str,
    examples: &'static [&'static str],
    counter_examples: &'static [&'static str],
}

pub(super) static RULES: LazyLock<Vec<RuleInfo>> =
    LazyLock::new(|| ROWS.iter().map(Row::to_info).collect());

impl Row {
    fn to_info(&self) -> RuleInfo {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        RuleInfo {
            code: self.code.to_owned(),
            guard: Guard::Write,
            group: "floor".to_owned(),
            subject: self.subject,
            severity: self.severity,
            reason: self.reason.to_owned(),
            hint: Some(self.hint.to_owned()),
            paths: Vec::new(),
            examples: owned(self.examples),
            counter_examples: owned(self.counter_examples),
        }
    }
}

/// A finding of a rule of the floor: what was seen, then why it matters.
pub(super) fn finding(code: &str, path: &str, what: &str) -> Finding {
    let Some(row) = ROWS.iter().find(|row| row.code == code) else {
        // A code that is not in the table still refuses.
        return Finding::new(Guard::Write, Severity::Refuse, code, path, what);
    };
    Finding::new(Guard::Write, row.severity, code, path, format!("{what}: {}", row.reason))
        .with_hint(row.hint)
}

pub(super) const NO_FACTS: &str = "W000-no-facts";
pub(super) const OUTSIDE: &str = "W001-outside";
pub(super) const MOVED: &str = "W002-moved";
pub(super) const BAD_LINK: &str = "W003-bad-link";
pub(super) const CROSSES_MOUNT: &str = "W004-crosses-mount";
pub(super) const NOT_A_DIRECTORY: &str = "W005-not-a-directory";
pub(super) const DENIED: &str = "W006-permission-denied";
pub(super) const UNSUPPORTED: &str = "W007-unsupported-system";
pub(super) const NOT_UTF8: &str = "W008-name-not-utf8";
pub(super) const UNRESOLVED: &str = "W009-unresolved";
pub(super) const PARENT: &str = "W010-parent-component";
pub(super) const ABSOLUTE: &str = "W011-absolute-path";
pub(super) const HOME: &str = "W012-home-directory";
pub(super) const CONTROL: &str = "W013-control-character-in-name";
pub(super) const SPOOFED: &str = "W014-hidden-character-in-name";
pub(super) const TOO_LONG: &str = "W015-path-too-long";
pub(super) const NO_FILE_NAME: &str = "W016-no-file-name";
pub(super) const DOTS_ONLY: &str = "W017-dots-only-component";
pub(super) const DIRECTORY: &str = "W020-directory";
pub(super) const SPECIAL: &str = "W021-special-file";
pub(super) const LINKED_OUTSIDE: &str = "W022-hard-link-outside";
pub(super) const LINKED_INSIDE: &str = "W023-hard-link-inside";
pub(super) const TOO_LARGE: &str = "W030-too-large";
pub(super) const BINARY: &str = "W031-binary";
pub(super) const MODE: &str = "W032-dangerous-mode";
pub(super) const EXECUTABLE: &str = "W033-made-executable";
pub(super) const BLOCKED_PATH: &str = "W040-blocked-path";
pub(super) const BLOCKED_PATTERN: &str = "W041-blocked-pattern";
pub(super) const BIDI: &str = "W050-bidirectional-control";
pub(super) const TAG: &str = "W051-tag-character";
pub(super) const SELECTOR: &str = "W052-variation-selector";
pub(super) const INVISIBLE: &str = "W053-invisible-character";
pub(super) const MIXED_SCRIPT: &str = "W054-mixed-script-word";
pub(super) const BROKEN_CATALOGUE: &str = "W099-broken-catalogue";
pub(super) const GIT: &str = "W101-git-internals";
pub(super) const BARE: &str = "W102-bare-repository";
pub(super) const OWN: &str = "W103-own-file";
pub(super) const DOTFILE: &str = "W190-unknown-dotfile";

macro_rules! rows {
    ($($code:expr, $severity:ident, $subject:ident, $reason:expr, $hint:expr,
       [$($example:expr),*], [$($counter:expr),*];)*) => {
        &[$(Row {
            code: $code,
            severity: Severity::$severity,
            subject: RuleSubject::$subject,
            reason: $reason,
            hint: $hint,
            examples: &[$($example),*],
            counter_examples: &[$($counter),*],
        }),*]
    };
}

const RELATIVE: &str = "give the path relative to the workspace root, for example src/lib.rs";
const ESCAPE: &str = "remove the character, or write it as an escape in the source; \
                      a person can confirm it where it is meant";

static ROWS: &[Row] = rows! {
    NO_FACTS, Refuse, Disk, "what is not known cannot be judged",
        "propose the change again", ["a path without facts"], [];
    OUTSIDE, Refuse, Disk, "nothing outside the workspace is written, whatever links lead there",
        "write to the real place through a workspace that holds it", ["a link that leads out"], [];
    MOVED, Refuse, Disk, "what was approved was approved for another place",
        "propose the change again; the path is judged anew", ["a directory swapped for a link"], [];
    BAD_LINK, Refuse, Disk, "where such a link leads cannot be known beforehand",
        "repair or remove the link by hand, or write to its target", ["a dangling link"], [];
    CROSSES_MOUNT, Refuse, Disk, "another file system is not part of the workspace",
        "make that directory a workspace of its own", ["a bind mount inside the tree"], [];
    NOT_A_DIRECTORY, Refuse, Disk, "a file cannot hold other files",
        "choose a path whose directories are directories", ["README.md/x"], [];
    DENIED, Refuse, Disk, "what cannot be looked at cannot be judged",
        "have the owner grant access, then propose the change again", ["an unreadable directory"], [];
    UNSUPPORTED, Refuse, Disk, "without it a race could lead a write out of the workspace",
        "run on a system with openat2 (Linux 5.6 or later, not filtered)", ["a filtered kernel"], [];
    NOT_UTF8, Refuse, Disk, "it could be neither shown nor recorded as it is",
        "rename the file or directory by hand", ["a name in Latin-1"], [];
    UNRESOLVED, Refuse, Disk, "where the path leads is not known",
        "look at the path by hand, then propose the change again", ["an input/output error"], [];
    PARENT, Refuse, Path, "a path that steps up can leave the workspace",
        RELATIVE, ["../x", "a/../b", "a\\..\\b", "．．/x", "‥/x", ".. /x", "a/..::$INDEX_ALLOCATION/b", "%2e%2e/x"],
        ["a..b", "[...slug].ts", "x…_y…", "initial..side", "a%2Fb.patch"];
    ABSOLUTE, Refuse, Path, "only paths below the workspace root are written",
        RELATIVE, ["/etc/passwd", "C:x", "c:\\x", "\\\\srv\\s\\x", "\\\\?\\C:\\x", "file:///etc/x"],
        ["etc/passwd", "a/b:c", "README.md"];
    HOME, Refuse, Path, "the home directory is not part of the workspace, and no shell expands this",
        RELATIVE, ["~/x", "~root/.bashrc", "$HOME/x", "~"], ["a/~/b", "x~", "~$doc.docx", "backup~1.txt"];
    CONTROL, Refuse, Path, "a control character makes the name that is checked, shown and opened differ",
        "leave the character out of the name", ["a\0.png", "a\nb", "a\r", "\u{1b}[2Jx"], ["a b", "é"];
    SPOOFED, Refuse, Path, "a hidden character makes the name look like another",
        "leave the character out of the name",
        ["src/\u{202e}txt.sh", "a\u{200b}b.rs", "x\u{e0041}.md"],
        ["👩\u{200d}💻.md", "می\u{200c}خواهم.txt", "日本語.md", "❤\u{fe0f}.md"];
    TOO_LONG, Refuse, Path, "no file system takes a component past 255 bytes or a path past 4095",
        "choose a shorter path", [], ["a/b"];
    NO_FILE_NAME, Refuse, Path, "it names no file",
        "give the path of a file, for example src/lib.rs", ["", "src/", "./."], ["src/a"];
    DOTS_ONLY, Confirm, Path, "no honest name is made of dots alone, and systems read it differently",
        RELATIVE, ["....//....//etc/passwd", "a/.../b", "…/x"], ["a...", "[...slug].ts", "…x"];
    DIRECTORY, Refuse, Disk, "only regular files are written",
        "give the path of a file inside it", ["src, where src is a directory"], [];
    SPECIAL, Refuse, Disk, "only regular files are written",
        "choose another path", ["a named pipe", "a socket"], [];
    LINKED_OUTSIDE, Refuse, Disk, "the same file has a name outside the workspace",
        "break the link by hand (copy the file over itself), then propose the change again",
        ["a hard link to a file elsewhere"], [];
    LINKED_INSIDE, Confirm, Disk, "the same file has other names in the workspace, which keep the old bytes",
        "a person confirms, or name every file that should change", ["a hard-linked pair"], [];
    TOO_LARGE, Refuse, Disk, "more than 1 MB (1 048 576 bytes) is not reviewed by anybody",
        "split the file, or add it by hand", ["1 048 577 bytes"], ["1 048 576 bytes"];
    BINARY, Refuse, Content, "binary content cannot be reviewed",
        "add binary files by hand, or generate them in a build", ["a\0b"], ["a", "\u{feff}a"];
    MODE, Refuse, Disk, "set-id, sticky and world-writable files hand rights to others",
        "use mode 644 or 755", ["4755", "666"], ["644", "755"];
    EXECUTABLE, Note, Disk, "it can now be started as a program", "nothing to do; a reviewer may want to know", ["644 becomes 755"], [];
    BLOCKED_PATH, Refuse, Disk, "the configuration blocks it (write.blocked_paths)",
        "leave this file alone, or ask the owner of the configuration", ["a blocked glob"], [];
    BLOCKED_PATTERN, Refuse, Disk, "the configuration blocks it (write.blocked_patterns)",
        "write it without what the pattern matches", ["a blocked pattern"], [];
    BIDI, Confirm, Content, "it makes the text read in another order than a program reads it",
        ESCAPE, ["a\u{202e}b", "/*\u{2066} */"], ["שלום\u{200f}!", "a"];
    TAG, Confirm, Content, "tag characters carry text that nobody sees",
        ESCAPE, ["a\u{e0041}\u{e0042}"], ["\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"];
    SELECTOR, Confirm, Content, "selectors that select nothing can carry hidden bytes",
        ESCAPE, ["x\u{fe01}\u{fe02}", "\u{e0100}\u{e0101}"], ["❤\u{fe0f}", "1\u{fe0f}\u{20e3}", "葛\u{e0100}"];
    INVISIBLE, Confirm, Content, "an invisible character makes two different texts look the same",
        ESCAPE, ["is\u{200b}Admin", "let \u{3164} = 1;", "a\u{feff}b"],
        ["👩\u{200d}💻", "می\u{200c}خواهم", "\u{feff}fn main() {}", "ไทย\u{200b}ไทย"];
    MIXED_SCRIPT, Warn, Content, "letters of another script that look like Latin ones make a different name",
        "write the word in one script", ["p\u{430}ypal", "\u{43e}pen"], ["Δx", "µs", "привет", "ρ_max", "日本go"];
    BROKEN_CATALOGUE, Refuse, Disk, "the built-in rules could not be read, so nothing is judged",
        "this build is broken; install another", ["a damaged table"], [];
    GIT, Refuse, Path, "git runs what its directory says, so nobody but git writes there",
        "use git itself for what you want to change",
        [".git/config", "a/.GIT/hooks/x", ".g\u{200c}it/x", "git~1/config", ".git::$INDEX_ALLOCATION/x",
         ".git. /x", ".git", "a\\.git\\x", ".ｇｉｔ/x", "~1000000/x", ".git:$I30:x"],
        [".gitx", "git", "..git", ".git_", ".gi", "x.git", ".gitignore", "git~1000000", "git~x", "~1"];
    BARE, Refuse, Disk, "git takes the directory for a repository and obeys its configuration",
        "create repositories with git itself", ["HEAD that begins with \"ref: refs/\""], [];
    OWN, Refuse, Path, "a guard is not changed through the channel that it guards",
        "a person changes Gatewright's configuration by hand",
        ["gatewright.toml", "sub/GateWright.toml", "GATEWR~1.TOM", ".gatewright/x"],
        ["docs/gatewright.md", "gatewright.tomlx"];
    DOTFILE, Confirm, Path, "programs read dotfiles unasked, and this one is not known to be harmless",
        "a person confirms, or lists it in write.allow_paths",
        [".newtoolrc", ".newagent/settings.json"], [".gitignore", "src/.newtoolrc", ".github/FUNDING.yml"];
};
