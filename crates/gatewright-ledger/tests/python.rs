//! The second verifier, in Python, agrees with the first.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests run a real interpreter on real files"
)]

mod sample;

use std::fs;
use std::path::Path;
use std::process::Command;

use gatewright_ledger::{Ledger, leaf_hash, root_of};
use gatewright_testkit::{Random, cases, has_program, seed, skip};
use sample::{Folder, ORIGIN, body};

const TOOL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/verify_receipts.py");

/// The exit code and what it printed.
fn verify(folder: &Path, lines: &[u8], arguments: &[&str]) -> (i32, String) {
    fs::write(folder.join("export.jsonl"), lines).unwrap();
    let output = Command::new("python3")
        .current_dir(folder)
        .args([TOOL, "export.jsonl"])
        .args(arguments)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

struct Exported {
    folder: Folder,
    ledger: Ledger,
    key: String,
    lines: Vec<u8>,
}

/// A ledger of `count` receipts with `checkpoint` and `older` beside its export.
fn exported(count: u64) -> Exported {
    let folder = Folder::new();
    let ledger = folder.open();
    let write = |name: &str| {
        fs::write(folder.path().join(name), ledger.checkpoint().unwrap().unwrap()).unwrap();
    };
    ledger.append_many((0..count / 2).map(body)).unwrap();
    write("older");
    ledger.append_many((count / 2..count).map(body)).unwrap();
    write("checkpoint");
    let mut lines = Vec::new();
    ledger.export_jsonl(&mut lines).unwrap();
    let key = ledger.signer().public_key().verifier_key(ORIGIN);
    Exported { folder, ledger, key, lines }
}

#[test]
fn python_accepts_what_rust_wrote() {
    if !has_program("python3") {
        skip!("python3 is missing");
    }
    for count in [0, 1, 7] {
        let Exported { folder, key, lines, .. } = exported(count);
        let with = |arguments: &[&str]| verify(folder.path(), &lines, arguments);
        let (code, text) = with(&["--key", &key, "--checkpoint", "checkpoint", "--signatures"]);
        assert_eq!((code, text.as_str()), (0, &*format!("ok: {count} receipts\n")));
        assert_eq!(with(&["--key", &key, "--older", "older"]).0, 0);
        assert_eq!(with(&["--key", &key]).0, 3, "the end is not proven");
        assert_eq!(with(&["--checkpoint", "checkpoint"]).0, 3, "anybody may have signed");
    }
}

#[test]
fn python_names_the_first_bad_receipt() {
    if !has_program("python3") {
        skip!("python3 is missing");
    }
    let Exported { folder, key, lines, .. } = exported(8);
    let rows: Vec<&[u8]> = lines.split_inclusive(|&byte| byte == b'\n').collect();
    let check = |lines: Vec<&[u8]>, arguments: &[&str], expected: &str| {
        let (code, text) = verify(folder.path(), &lines.concat(), arguments);
        assert_eq!(code, 1, "{text}");
        assert!(text.contains(expected), "{text}");
    };
    let full = ["--key", &*key, "--checkpoint", "checkpoint"];
    let signature = String::from_utf8(rows[3].to_vec()).unwrap();
    let at = signature.find("\"signature\":\"").unwrap() + 20;
    let other = if signature.as_bytes()[at] == b'A' { "B" } else { "A" };
    let forged = [&signature[..at], other, &signature[at + 1..]].concat();
    let with_third = |row| [&rows[..3], &[row], &rows[4..]].concat();
    check(with_third(forged.as_bytes()), &full, "receipt 3: ");
    let renamed = signature.replace("src/file3", "src/file4");
    check(with_third(renamed.as_bytes()), &full, "receipt 3: self_hash");
    check([&rows[..3], &rows[4..]].concat(), &full, "receipt 3: not in its place");
    check([&rows[..4], &rows[3..]].concat(), &full, "receipt 4: not in its place");
    check(rows[..7].to_vec(), &full, "receipt 7: missing");
    check(rows[..3].to_vec(), &["--key", &key, "--older", "older"], "receipt 3: missing");
    let (code, _) = verify(folder.path(), &rows[..7].concat(), &["--key", &key]);
    assert_eq!(code, 3, "a cut end without a checkpoint cannot be told");
    fs::write(folder.path().join("checkpoint"), "nonsense\n").unwrap();
    check(rows.clone(), &full, "checkpoint");
}

#[test]
fn python_sees_every_random_bit_flip_that_rust_sees() {
    if !has_program("python3") {
        skip!("python3 is missing");
    }
    let mut random = Random::new(seed());
    let Exported { folder, ledger, key, lines } = exported(3);
    assert_eq!(ledger.len().unwrap(), 3);
    for _ in 0..cases(4).min(100) {
        let mut flipped = lines.clone();
        let bit = random.below(flipped.len() * 8);
        let byte = bit / 8;
        flipped[byte] ^= 1 << (bit % 8);
        let arguments = ["--key", &*key, "--checkpoint", "checkpoint"];
        let (code, text) = verify(folder.path(), &flipped, &arguments);
        let line = lines[..byte].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(code, 1, "bit {bit}: {text}");
        assert!(text.contains(&format!("receipt {line}:")), "bit {bit}: {text}");
    }
}

/// Each line of `trees` is a size and the root that Rust has at that size.
const COMPARE_TREES: &str = r#"
import importlib.util, sys
spec = importlib.util.spec_from_file_location("tool", sys.argv[1])
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)
lines = open("export.jsonl", "rb").read().split(b"\n")[:-1]
for tree in open("trees").read().splitlines():
    size, root = tree.split()
    tool.verify(lines[:int(size)], [(int(size), bytes.fromhex(root))], None)
    print(size)
"#;

#[test]
fn python_and_rust_agree_on_trees_of_random_sizes() {
    if !has_program("python3") {
        skip!("python3 is missing");
    }
    let count = cases(50).clamp(50, 400) as usize;
    let Exported { folder, lines, .. } = exported(count as u64);
    let rows: Vec<&[u8]> = lines.split(|&byte| byte == b'\n').collect();
    let leaves: Vec<_> = rows[..count].iter().map(|row| leaf_hash(row)).collect();
    let mut random = Random::new(seed());
    let mut trees = String::new();
    for _ in 0..count {
        let size = 1 + random.below(count);
        trees += &format!("{size} {}\n", hex::encode(root_of(&leaves[..size])));
    }
    fs::write(folder.path().join("export.jsonl"), &lines).unwrap();
    fs::write(folder.path().join("trees"), &trees).unwrap();
    let output = Command::new("python3")
        .current_dir(folder.path())
        .args(["-c", COMPARE_TREES, TOOL])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().count(), count);
}
