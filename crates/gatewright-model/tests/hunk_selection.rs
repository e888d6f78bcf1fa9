//! Hunks against the laws of partial acceptance and against the real git.

#![allow(clippy::disallowed_methods, reason = "tests build real trees")]

mod random;

use std::collections::BTreeSet;
use std::fs;

use gatewright_model::{
    Encoding, FileMode, FileSide, Hunk, HunkId, LineKind, diff_hunks, hunk_after, readable,
    replace_hunk, select_hunks, select_lines, split_hunk, unified_file, unified_hunk,
};
use random::{Random, edited, for_cases, git, joined, output, text};

fn ids(hunks: &[Hunk]) -> BTreeSet<HunkId> {
    hunks.iter().map(|hunk| hunk.id.clone()).collect()
}

fn random_pair(random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    let count = random.below(60);
    let lines = text(random, count);
    let after = edited(random, &lines);
    (joined(random, &lines), joined(random, &after))
}

fn shuffled_parts(random: &mut Random, hunks: &[Hunk]) -> Vec<Hunk> {
    let parts = |hunk: &Hunk, split| if split { split_hunk(hunk) } else { vec![hunk.clone()] };
    hunks.iter().flat_map(|hunk| parts(hunk, random.one_in(2))).collect()
}

#[test]
fn accepting_all_gives_the_result_and_none_the_base() {
    for_cases(2000, |random| {
        let (before, after) = random_pair(random);
        let hunks = diff_hunks(&before, &after);
        assert_eq!(select_hunks(&before, &hunks, &ids(&hunks)), after);
        assert_eq!(select_hunks(&before, &hunks, &BTreeSet::new()), before);
        let parts = shuffled_parts(random, &hunks);
        assert_eq!(select_hunks(&before, &parts, &ids(&parts)), after);
        assert_eq!(ids(&parts).len(), parts.len(), "ids are unique");
    });
}

#[test]
fn any_subset_is_what_git_apply_gives() {
    let directory = tempfile::tempdir().unwrap();
    let (file, patch) = (directory.path().join("file"), directory.path().join("patch"));
    for_cases(60, |random| {
        let (before, after) = random_pair(random);
        if [&before, &after].iter().any(|text| readable(text).1 != Encoding::Utf8) {
            return; // To git it is bytes.
        }
        let hunks = diff_hunks(&before, &after);
        let hunks = shuffled_parts(random, &hunks);
        let chosen: Vec<Hunk> = hunks.iter().filter(|_| random.one_in(2)).cloned().collect();
        if chosen.is_empty() {
            return;
        }
        let side = Some(FileSide { path: "file", mode: FileMode::REGULAR });
        fs::write(&file, &before).unwrap();
        fs::write(&patch, unified_file(side, side, &chosen)).unwrap();
        output(git(directory.path()).args(["apply", "--whitespace=nowarn", "patch"]));
        let ours = select_hunks(&before, &hunks, &ids(&chosen));
        assert_eq!(fs::read(&file).unwrap(), ours);
    });
}

#[test]
fn hunk_headers_are_those_of_git_histogram_diff() {
    let before: String = (1..=60).map(|n| format!("line {n}\n")).collect();
    let after = before
        .replace("line 5\n", "five\n")
        .replace("line 12\n", "")
        .replace("line 40\n", "line 40\nnew\nnewer\n")
        .replace("line 60\n", "line 60");
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a"), &before).unwrap();
    fs::write(directory.path().join("b"), &after).unwrap();
    let arguments = ["diff", "--no-index", "--histogram", "a", "b"];
    let diff = git(directory.path()).args(arguments).output().unwrap().stdout;
    let diff = String::from_utf8(diff).unwrap();
    let ours: String =
        diff_hunks(before.as_bytes(), after.as_bytes()).iter().map(unified_hunk).collect();
    let theirs = diff.split_once("+++ b/b\n").unwrap().1.lines().map(|line| {
        let heading = line.starts_with("@@").then(|| line.rfind("@@").map(|end| &line[..end + 2]));
        format!("{}\n", heading.flatten().unwrap_or(line))
    });
    assert_eq!(ours, theirs.collect::<String>());
}

#[test]
fn ids_survive_edits_elsewhere() {
    let before: String = (1..=40).map(|n| format!("line {n}\n")).collect();
    let after = before.replace("line 30\n", "thirty\n");
    let id = diff_hunks(before.as_bytes(), after.as_bytes())[0].id.clone();
    let moved = after.replace("line 3\n", "3\nthree\nIII\n");
    let hunks = diff_hunks(before.as_bytes(), moved.as_bytes());
    assert_eq!(hunks.len(), 2);
    assert_eq!(hunks[1].id, id);
    assert!(id.as_str().len() == 13 && id.as_str().starts_with('h'));
}

#[test]
fn equal_hunks_get_different_ids() {
    let before: String = (1..=90).map(|n| format!("{}\n", n % 30)).collect();
    let after = before.replace("\n15\n", "\nfifteen\n");
    let hunks = diff_hunks(before.as_bytes(), after.as_bytes());
    assert_eq!((hunks.len(), ids(&hunks).len()), (3, 3));
}

#[test]
fn lines_can_be_accepted_one_by_one() {
    let (before, after) = (b"one\ntwo\nthree\n", b"one\n2\n2.5\nthree\n");
    let hunks = diff_hunks(before, after);
    let only = |kind: LineKind, text: &'static str| {
        let lines = hunks[0].lines.clone();
        move |_: &HunkId, index: usize| {
            lines[index].kind == kind && lines[index].text == text.as_bytes()
        }
    };
    let added = select_lines(before, &hunks, &only(LineKind::Added, "2.5\n"));
    assert_eq!(added, b"one\ntwo\n2.5\nthree\n");
    let removed = select_lines(before, &hunks, &only(LineKind::Removed, "two\n"));
    assert_eq!(removed, b"one\nthree\n");
}

#[test]
fn a_kept_last_line_without_ending_is_not_glued_to_an_accepted_addition() {
    let before = b"one\r\ntwo";
    let hunks = diff_hunks(before, b"one\r\ntwo\r\nthree\r\n");
    let additions = |_: &HunkId, index: usize| hunks[0].lines[index].text == b"three\r\n";
    assert_eq!(select_lines(before, &hunks, &additions), b"one\r\ntwo\r\nthree\r\n");
}

#[test]
fn splitting_gives_one_part_for_each_run_of_changes() {
    let before = b"1\n2\n3\n4\n5\n6\n7\n";
    let hunks = diff_hunks(before, b"1\ntwo\n3\n4\nfive\n6\n7\n");
    let parts = split_hunk(&hunks[0]);
    let texts: Vec<String> = parts.iter().map(unified_hunk).collect();
    assert_eq!(texts[0], "@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n 4\n");
    assert_eq!(texts[1], "@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n");
    assert_eq!(parts[1].id.as_str(), format!("{}.2", hunks[0].id));
    let second = select_hunks(before, &parts, &[parts[1].id.clone()].into());
    assert_eq!(second, b"1\n2\n3\n4\nfive\n6\n7\n");
    assert_eq!(split_hunk(&parts[0]), vec![parts[0].clone()]);
}

#[test]
fn an_edited_hunk_takes_its_new_text_and_leaves_the_others_named() {
    let before: String = (1..=30).map(|n| format!("{n}\n")).collect();
    let after = before.replace("\n5\n", "\nfive\n").replace("\n25\n", "\ntwentyfive\n");
    let hunks = diff_hunks(before.as_bytes(), after.as_bytes());
    let edited = String::from_utf8(hunk_after(&hunks[0])).unwrap().replace("five", "cinq");
    let id = &hunks[0].id;
    let result = replace_hunk(before.as_bytes(), &hunks, id, edited.as_bytes()).unwrap();
    assert_eq!(result, after.replace("\nfive\n", "\ncinq\n").as_bytes());
    assert_eq!(diff_hunks(before.as_bytes(), &result)[1].id, hunks[1].id);
    let unknown = HunkId::new("h000000000000");
    assert!(replace_hunk(before.as_bytes(), &hunks, &unknown, b"").is_err());
}

#[test]
fn replacing_a_hunk_with_its_own_text_gives_the_result() {
    for_cases(500, |random| {
        let (before, after) = random_pair(random);
        let hunks = diff_hunks(&before, &after);
        let hunks = shuffled_parts(random, &hunks);
        for hunk in &hunks {
            let own = hunk_after(hunk);
            assert_eq!(replace_hunk(&before, &hunks, &hunk.id, &own), Ok(after.clone()));
        }
    });
}

#[test]
fn odd_files_round_trip() {
    let long_line = vec![b'x'; 1 << 20];
    let files: [&[u8]; 10] = [
        b"",
        b"\n",
        b"a",
        b"a\n",
        b"a\r\n",
        b"a\rb\rc",
        b"\0\0\n\xff",
        b"\r\n\r\n",
        b"\n\n\n",
        &long_line,
    ];
    for before in files {
        for after in files {
            let hunks = diff_hunks(before, after);
            assert_eq!(select_hunks(before, &hunks, &ids(&hunks)), after);
            assert_eq!(hunks.is_empty(), before == after);
        }
    }
}

#[test]
fn a_hundred_thousand_scattered_changes_are_handled() {
    let line = |n: usize, changed: bool| format!("line {n}{}\n", if changed { "!" } else { "" });
    let before: String = (0..100_000).map(|n| line(n, false)).collect();
    let after: String = (0..100_000).map(|n| line(n, n % 8 == 0)).collect();
    let hunks = diff_hunks(before.as_bytes(), after.as_bytes());
    assert_eq!(hunks.len(), 12_500);
    assert_eq!(ids(&hunks).len(), 12_500);
    let all = select_hunks(before.as_bytes(), &hunks, &ids(&hunks));
    assert_eq!(all, after.as_bytes());
}

const UTF16: [Encoding; 2] = [Encoding::Utf16Le, Encoding::Utf16Be];

#[test]
fn text_in_utf16_is_reviewed_as_text_and_written_as_it_was_spelt() {
    for_cases(500, |random| {
        let (old, new) = random_pair(random);
        let encoding = UTF16[usize::from(random.one_in(2))];
        let spelt = |text: &[u8]| encoding.encode(&lossless(text));
        let (before, after) = (spelt(&old), spelt(&new));
        let hunks = diff_hunks(&before, &after);
        let texts = hunks.iter().flat_map(|hunk| &hunk.lines);
        assert!(texts.clone().all(|line| !line.text.contains(&0)));
        assert_eq!(select_hunks(&before, &hunks, &ids(&hunks)), after);
        assert_eq!(select_hunks(&before, &hunks, &BTreeSet::new()), before);
        let some: BTreeSet<HunkId> = ids(&hunks).into_iter().filter(|_| random.one_in(2)).collect();
        let plain = diff_hunks(&lossless(&old), &lossless(&new));
        if ids(&plain) == ids(&hunks) {
            let expected = select_hunks(&lossless(&old), &plain, &some);
            assert_eq!(select_hunks(&before, &hunks, &some), encoding.encode(&expected));
        }
    });
}

/// The text without what UTF-16 cannot spell.
fn lossless(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).replace('\0', "0").into_bytes()
}

#[test]
fn a_file_that_comes_or_goes_in_utf16_does_so_exactly() {
    for encoding in UTF16 {
        for text in [&b"one\ntwo\n"[..], b"one", b""] {
            let file = encoding.encode(text);
            for (before, after) in [(&b""[..], &file[..]), (&file[..], &b""[..])] {
                let hunks = diff_hunks(before, after);
                assert!(!unified_hunk(&hunks[0]).contains('\0'), "{text:?}");
                assert_eq!(select_hunks(before, &hunks, &ids(&hunks)), after);
                assert_eq!(select_hunks(before, &hunks, &BTreeSet::new()), before);
            }
        }
    }
}

#[test]
fn another_spelling_of_a_file_changes_all_its_lines() {
    let text = "one\ntwo\n";
    let spellings = [
        text.as_bytes().to_vec(),
        Encoding::Utf16Le.encode(text.as_bytes()),
        Encoding::Utf16Be.encode(text.as_bytes()),
    ];
    for before in &spellings {
        for after in spellings.iter().filter(|after| *after != before) {
            let hunks = diff_hunks(before, after);
            assert_eq!((hunks.len(), hunks[0].removed(), hunks[0].added()), (1, 2, 2));
            assert!(hunks[0].lines.iter().all(|line| !line.text.contains(&0)));
            assert_eq!(select_hunks(before, &hunks, &ids(&hunks)), *after);
            assert_eq!(select_hunks(before, &hunks, &BTreeSet::new()), *before);
        }
    }
}

#[test]
fn an_edited_hunk_of_utf16_is_spelt_as_the_file() {
    let encoding = Encoding::Utf16Le;
    let (before, after) = (encoding.encode(b"one\ntwo\n"), encoding.encode(b"ONE\ntwo\n"));
    let hunks = diff_hunks(&before, &after);
    let edited = replace_hunk(&before, &hunks, &hunks[0].id, "Ön\ntwo\n".as_bytes()).unwrap();
    assert_eq!(edited, encoding.encode("Ön\ntwo\n".as_bytes()));
}
