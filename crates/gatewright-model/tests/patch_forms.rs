//! Both patch forms: what is read, what is refused, and what is never done.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod random;

use gatewright_model::patch::{
    HunkPlace, MismatchReason, PATCH_SIZE_LIMIT, PatchForm, PatchOperation, PatchProblem,
    apply_hunks, detect, parse_begin_patch, parse_unified,
};
use random::{Random, for_cases};

const GIT_DIFF: &str = "From 1234 Mon Sep 17 00:00:00 2001
Subject: [PATCH] things

--- is not a header here
diff --git a/old name.txt b/new name.txt
similarity index 90%
rename from old name.txt
rename to new name.txt
index 1111111..2222222 100644
--- a/old name.txt\t
+++ b/new name.txt\t
@@ -1,3 +1,3 @@ heading
 one
-two
+2
 three
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git \"a/t\\303\\244b\\t\" \"b/t\\303\\244b\\t\"
new file mode 100755
index 0000000..e69de29
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
\\ No newline at end of file
-- 
2.47.3
";

const BEGIN_PATCH: &str = "*** Begin Patch
*** Add File: new.txt
+first
+
*** Delete File: gone.txt
*** Update File: src/f.py
*** Move to: src/g.py
@@ class A:
@@     def f(self):
     x = 1
-    return x
+    return x + 1
@@
 tail

-end
+fin
*** End of File

*** End Patch
";

fn problem(text: &str) -> PatchProblem {
    parse_unified(text.as_bytes()).unwrap_err().problem
}

fn updates(operations: &[PatchOperation]) -> &[gatewright_model::patch::PatchHunk] {
    match &operations[0] {
        PatchOperation::Update { hunks, .. } => hunks,
        other => panic!("not an update: {other:?}"),
    }
}

fn unified(before: &str, hunks: &str) -> Result<String, MismatchReason> {
    let diff = format!("--- a/x\n+++ b/x\n{hunks}");
    let operations = parse_unified(diff.as_bytes()).unwrap();
    let result = apply_hunks(before.as_bytes(), updates(&operations));
    result.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|mismatch| mismatch.reason)
}

fn begin(before: &str, hunks: &str) -> Result<String, MismatchReason> {
    let patch = format!("*** Begin Patch\n*** Update File: x\n{hunks}*** End Patch\n");
    let operations = parse_begin_patch(&patch).unwrap();
    let result = apply_hunks(before.as_bytes(), updates(&operations));
    result.map(|bytes| String::from_utf8(bytes).unwrap()).map_err(|mismatch| mismatch.reason)
}

#[test]
fn git_headers_are_read() {
    let operations = parse_unified(GIT_DIFF.as_bytes()).unwrap();
    assert_eq!(operations.len(), 4);
    assert!(matches!(&operations[0], PatchOperation::Update { path, rename_to: Some(to), .. }
        if path == "old name.txt" && to == "new name.txt"));
    assert!(matches!(&operations[1], PatchOperation::Update { path, executable: Some(true), .. }
        if path == "run.sh"));
    assert!(matches!(&operations[2], PatchOperation::Create { path, content, executable: true }
        if path == "täb\t" && content.is_empty()));
    assert!(matches!(&operations[3], PatchOperation::Delete { path, hunks }
        if path == "gone" && hunks[0].lines[0].text == b"bye"));
}

#[test]
fn plain_headers_are_read() {
    let name = |old: &str, new: &str| {
        let diff = format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n");
        parse_unified(diff.as_bytes()).unwrap()[0].path().to_owned()
    };
    assert_eq!(name("a/f.c", "b/f.c"), "f.c");
    assert_eq!(name("a/f.c\r", "b/f.c\r"), "f.c");
    assert_eq!(name("a/f.c", "a/f.c"), "a/f.c");
    assert_eq!(name("f.c.orig\t2026-01-01 10:00:00", "f.c\t2026-01-01 10:00:01"), "f.c");
    assert_eq!(name("f.c 2026-01-01 10:00:00.0 +0000", "f.c 2026-01-01 10:00:01.0 +0000"), "f.c");
    assert_eq!(name("my file", "my file"), "my file");
    let long = "d/".repeat(2500);
    assert_eq!(name(&format!("a/{long}f"), &format!("b/{long}f")), format!("{long}f"));
    let created = "--- f\t1970-01-01 00:00:00 +0000\n+++ f\n@@ -0,0 +1 @@\n+b\n";
    let operations = parse_unified(created.as_bytes()).unwrap();
    assert!(matches!(&operations[0], PatchOperation::Create { content, .. } if content == b"b\n"));
}

#[test]
fn special_files_are_refused_each_by_its_name() {
    let with_mode = |line: &str| problem(&format!("diff --git a/l b/l\n{line}\n"));
    assert_eq!(with_mode("new file mode 120000"), PatchProblem::Link);
    assert_eq!(with_mode("deleted file mode 120000"), PatchProblem::Link);
    assert_eq!(with_mode("index 11..22 120000"), PatchProblem::Link);
    assert_eq!(with_mode("old mode 100644\nnew mode 120000"), PatchProblem::Link);
    assert_eq!(with_mode("new file mode 160000"), PatchProblem::Gitlink);
    assert_eq!(with_mode("new file mode 020644"), PatchProblem::SpecialMode { mode: 0o20644 });
    assert_eq!(with_mode("new file mode 104755"), PatchProblem::SpecialMode { mode: 0o104_755 });
    assert_eq!(with_mode("new file mode 99"), PatchProblem::BadMode);
    assert_eq!(with_mode("index 1..2\nGIT binary patch\nliteral 1"), PatchProblem::Binary);
    assert_eq!(with_mode("Binary files a/l and b/l differ"), PatchProblem::Binary);
    assert_eq!(problem("Binary files x and y differ\n"), PatchProblem::Binary);
    assert_eq!(problem("diff --cc f\n@@@ -1,1 -1,1 +1,1 @@@\n"), PatchProblem::Combined);
}

#[test]
fn malformed_diffs_are_refused_with_their_line() {
    let header = "--- a/x\n+++ b/x\n";
    let at = |text: &str| {
        let error = parse_unified(text.as_bytes()).unwrap_err();
        (error.line, error.problem)
    };
    let count = PatchProblem::CountMismatch { header: 3 };
    assert_eq!(at(""), (1, PatchProblem::Empty));
    assert_eq!(at("hello\n"), (1, PatchProblem::Empty));
    assert_eq!(at("@@ -1 +1 @@\n-a\n+b\n"), (1, PatchProblem::MissingFileHeader));
    assert_eq!(at(&format!("{header}@@ -1 @@\n")), (3, PatchProblem::BadHunkHeader));
    assert_eq!(at(&format!("{header}@@ -99999999999 +1 @@\n")), (3, PatchProblem::BadHunkHeader));
    assert_eq!(at(&format!("{header}@@ -1,2 +1 @@\n-a\n+b\n")), (6, count.clone()));
    assert_eq!(at(&format!("{header}@@ -1 +1 @@\n-a\n+b\n+c\n")), (6, count.clone()));
    assert_eq!(at(&format!("{header}@@ -1 +1 @@\n-a\n-b\n")), (5, count));
    assert_eq!(at(&format!("{header}@@ -1 +1 @@\n-a\nb\n")), (5, PatchProblem::BadHunkLine));
    assert_eq!(at(&format!("{header}@@ -1 +1 @@\n a\n")), (3, PatchProblem::NoChange));
    let misplaced = format!("{header}@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n");
    assert_eq!(at(&misplaced), (3, PatchProblem::MisplacedNoNewline));
    let nothing = format!("{header}@@ -1 +1 @@\n-a\n+\n\\ No newline at end of file\n");
    assert_eq!(at(&nothing), (3, PatchProblem::MisplacedNoNewline));
    assert!(matches!(problem("--- a/x\n+++ b/x\n"), PatchProblem::IncompleteHeader { .. }));
    assert!(matches!(problem("diff --git a/x b/x\n"), PatchProblem::IncompleteHeader { .. }));
    let differ = "diff --git a/x b/x\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
    assert!(matches!(problem(differ), PatchProblem::NamesDiffer { .. }));
    let differ = "diff --git a/x b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n";
    assert!(matches!(problem(differ), PatchProblem::NamesDiffer { .. }));
    assert_eq!(problem("--- a/\n+++ b/\n@@ -1 +1 @@\n-a\n+b\n"), PatchProblem::EmptyPath);
    let old_lines = "--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(problem(old_lines), PatchProblem::NewFileHasOldLines);
    let new_lines = "--- a/x\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(problem(new_lines), PatchProblem::DeletedFileHasNewLines);
    let bytes = b"--- a/\xff\n+++ b/\xff\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(parse_unified(bytes).unwrap_err().problem, PatchProblem::InvalidUtf8Path);
    let quoted = "--- \"a/\\377\"\n+++ \"b/\\377\"\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(problem(quoted), PatchProblem::InvalidUtf8Path);
    assert_eq!(problem("--- \"a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"), PatchProblem::BadQuoting);
}

#[test]
fn ten_megabytes_are_refused_by_size() {
    let text = "+".repeat(PATCH_SIZE_LIMIT);
    let too_large = PatchProblem::TooLarge { bytes: PATCH_SIZE_LIMIT };
    assert_eq!(problem(&text), too_large);
    assert_eq!(parse_begin_patch(&text).unwrap_err().problem, too_large);
}

#[test]
fn repetitive_text_is_read_without_a_blow_up() {
    let size = PATCH_SIZE_LIMIT / 10;
    for filler in ["\n", " ", "--- a\n", "@@\n", "*** Add File: x\n", "diff --git \"\\"] {
        let text = filler.repeat(size / filler.len());
        let _ = parse_unified(text.as_bytes());
        let _ = parse_begin_patch(&format!("*** Begin Patch\n*** Update File: x\n@@\n{text}"));
        let _ = detect(text.as_bytes());
    }
}

#[test]
fn hunks_are_placed_by_line_then_by_their_one_place() {
    let hunk = "@@ -2,2 +2,2 @@\n b\n-c\n+C\n";
    assert_eq!(unified("a\nb\nc\n", hunk).unwrap(), "a\nb\nC\n");
    assert_eq!(unified("0\n0\na\nb\nc\nd\n", hunk).unwrap(), "0\n0\na\nb\nC\nd\n");
    let twice = unified("0\n0\n0\nb\nc\nb\nc\n", hunk);
    assert_eq!(twice, Err(MismatchReason::Ambiguous { first: 4, second: 6 }));
    assert_eq!(unified("x\nb\nc\nb\nc\n", hunk).unwrap(), "x\nb\nC\nb\nc\n");
    assert_eq!(unified("a\nb\nc\r\n", hunk), Err(MismatchReason::NotFound));
    assert_eq!(unified("a\nb\nc", hunk), Err(MismatchReason::NotFound));
    assert_eq!(unified("a\n", "@@ -1,0 +2 @@\n+x\n"), Err(MismatchReason::NoContext));
    assert_eq!(unified("", "@@ -0,0 +1 @@\n+x\n").unwrap(), "x\n");
    let glued = "@@ -1 +1 @@\n-a\n+A\n\\ No newline at end of file\n";
    assert_eq!(unified("a\nb\n", glued), Err(MismatchReason::MissingNewline));
    assert_eq!(unified("a\n", glued).unwrap(), "A");
}

#[test]
fn a_mismatch_names_the_hunk_and_the_nearest_place() {
    let diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n@@ -9,3 +9,3 @@\n one\n-two\n+2\n three\n";
    let operations = parse_unified(diff.as_bytes()).unwrap();
    let before = b"a\nb\none\nTWO\nthree\n";
    let mismatch = apply_hunks(before, updates(&operations)).unwrap_err();
    assert_eq!((mismatch.hunk, mismatch.line, mismatch.nearest), (2, Some(9), Some(3)));
    assert_eq!(mismatch.expected, "two");
    assert!(mismatch.to_string().starts_with("hunk 2 (line 9) does not fit"));
}

#[test]
fn the_begin_patch_form_is_read() {
    let operations = parse_begin_patch(BEGIN_PATCH).unwrap();
    assert_eq!(operations.len(), 3);
    assert!(matches!(&operations[0], PatchOperation::Create { path, content, .. }
        if path == "new.txt" && content == b"first\n\n"));
    assert!(matches!(&operations[1], PatchOperation::Delete { path, .. } if path == "gone.txt"));
    let PatchOperation::Update { rename_to, hunks, .. } = &operations[2] else { panic!() };
    assert_eq!(rename_to.as_deref(), Some("src/g.py"));
    let HunkPlace::Context { headings, at_end } = &hunks[0].place else { panic!() };
    assert_eq!((headings.len(), *at_end), (2, false));
    let before = b"def f(self):\n    x = 1\n    return x\nclass A:\n    def f(self):\n    x = 1\n    return x\ntail\n\nend";
    let after = b"def f(self):\n    x = 1\n    return x\nclass A:\n    def f(self):\n    x = 1\n    return x + 1\ntail\n\nfin\n";
    assert_eq!(apply_hunks(before, hunks).unwrap(), after);
}

#[test]
fn begin_patch_hunks_keep_the_endings_of_the_file() {
    assert_eq!(begin("a\r\nb\r\n", "@@\n a\n+x\n b\n").unwrap(), "a\r\nx\r\nb\r\n");
    assert_eq!(begin("a\nb", "@@\n b\n+c\n").unwrap(), "a\nb\nc\n");
    assert_eq!(begin("a\nb", "@@\n-a\n+A\n").unwrap(), "A\nb");
    assert_eq!(begin("a\n", "+z\n").unwrap(), "a\nz\n");
}

#[test]
fn begin_patch_hunks_are_never_placed_by_guess() {
    let ambiguous = Err(MismatchReason::Ambiguous { first: 1, second: 3 });
    assert_eq!(begin("x\ny\nx\ny\n", "@@\n-x\n+z\n"), ambiguous);
    assert_eq!(begin("x\n", "@@\n-y\n+z\n"), Err(MismatchReason::NotFound));
    assert_eq!(begin("x\n", "@@ nowhere\n-x\n+z\n"), Err(MismatchReason::HeadingNotFound));
    assert_eq!(begin("x\ny\n", "@@\n-x\n+z\n*** End of File\n"), Err(MismatchReason::NotAtEnd));
    assert_eq!(begin("f\nx\n", "@@ f\n+z\n"), Err(MismatchReason::NoContext));
    let headings = "f\n1\nx\nf\n2\nx\n";
    let ambiguous = Err(MismatchReason::Ambiguous { first: 3, second: 6 });
    assert_eq!(begin(headings, "@@ f\n-x\n+z\n"), ambiguous);
    assert_eq!(begin("x\nf\nx\nx\n", "@@ f\n-x\n+z\n").unwrap(), "x\nf\nz\nx\n");
}

#[test]
fn malformed_begin_patches_are_refused_with_their_line() {
    let at = |body: &str| {
        let patch = format!("*** Begin Patch\n{body}*** End Patch");
        let error = parse_begin_patch(&patch).unwrap_err();
        (error.line, error.problem)
    };
    assert_eq!(at(""), (1, PatchProblem::Empty));
    assert_eq!(at("hello\n"), (2, PatchProblem::UnexpectedLine));
    assert_eq!(at("*** Add File: \n+x\n"), (2, PatchProblem::EmptyPath));
    assert_eq!(at("*** Add File: x\nno plus\n"), (3, PatchProblem::UnexpectedLine));
    assert_eq!(at("*** Update File: x\n"), (3, PatchProblem::EmptyUpdate));
    assert_eq!(at("*** Update File: x\n@@\n y\n"), (3, PatchProblem::NoChange));
    assert_eq!(at("*** Update File: x\n@@\n-y\nz\n"), (5, PatchProblem::BadHunkLine));
    assert_eq!(at("*** Update File: x\nz\n"), (3, PatchProblem::BadHunkLine));
    let without_end = parse_begin_patch("*** Begin Patch\n*** Delete File: x\n").unwrap_err();
    assert_eq!((without_end.line, without_end.problem), (3, PatchProblem::MissingEnd));
    let trailing = format!("{BEGIN_PATCH}more\n");
    assert_eq!(parse_begin_patch(&trailing).unwrap_err().problem, PatchProblem::MissingEnd);
    assert_eq!(parse_begin_patch("x").unwrap_err().problem, PatchProblem::MissingBegin);
}

#[test]
fn forms_are_told_apart() {
    assert_eq!(detect(GIT_DIFF.as_bytes()), Some(PatchForm::Unified));
    assert_eq!(detect(BEGIN_PATCH.as_bytes()), Some(PatchForm::BeginPatch));
    assert_eq!(detect(b"fn main() {}\n"), None);
}

#[test]
fn searching_for_many_hunks_stays_affordable() {
    let before = "same\n".repeat(100_000);
    let body: String = " same\n".repeat(20_000);
    let hunk = format!("@@ -70000,20001 +1,20000 @@\n{body}-other\n");
    assert!(unified(&before, &hunk).is_err());
    let shifted: String = (0..50_000).map(|n| format!("line {n}\n")).collect();
    let hunks: String = (1..5_000)
        .map(|n| format!("@@ -{} +{} @@\n-line {}\n+new {n}\n", n * 10 + 3, n * 10 + 3, n * 10))
        .collect();
    assert!(unified(&shifted, &hunks).unwrap().contains("new 4999\n"));
}

fn mutate(random: &mut Random, text: &[u8]) -> Vec<u8> {
    const PIECES: [&[u8]; 12] = [
        b"\n",
        b"\r\n",
        b"@@ -1,3 +1,3 @@\n",
        b"--- ",
        b"+++ ",
        b"\\ No newline\n",
        b"*** ",
        b"\"",
        b"\\",
        b"\xff",
        b"4294967295",
        b"*** End of File\n",
    ];
    let mut text = text.to_vec();
    for _ in 0..=random.below(6) {
        let start = random.below(text.len() + 1);
        let end = (start + random.below(20)).min(text.len());
        match random.below(4) {
            0 => drop(text.drain(start..end)),
            1 => drop(text.splice(start..start, random.pick(&PIECES).iter().copied())),
            2 => text.extend_from_within(start..end),
            _ => text[start..end].reverse(),
        }
    }
    text
}

#[test]
fn no_bytes_make_the_parsers_or_the_placing_fail_otherwise_than_by_an_error() {
    for_cases(3000, |random| {
        let valid = if random.one_in(2) { GIT_DIFF } else { BEGIN_PATCH };
        let text = mutate(random, valid.as_bytes());
        let _ = detect(&text);
        let unified = parse_unified(&text).unwrap_or_default();
        let begin = parse_begin_patch(&String::from_utf8_lossy(&text)).unwrap_or_default();
        for operation in unified.iter().chain(&begin) {
            assert!(!operation.path().is_empty());
            let PatchOperation::Update { hunks, .. } = operation else { continue };
            for before in [&b"one\ntwo\nthree\n"[..], b"", b"tail\r\n\r\nend", &text] {
                let _ = apply_hunks(before, hunks).map_err(|mismatch| mismatch.to_string());
            }
        }
    });
}
