//! What the sources of a crate may say: no IO in the pure crates, and one maker of each proof.

use super::graph::PURE;
use crate::source::{self, Masked};
use crate::tree::TextFile;

/// Parts of the standard library that the pure crates must not name.
const BANNED: [&str; 12] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "std::thread",
    "std::os",
    "std::time::SystemTime",
    "std::time::Instant",
    "std::io::stdin",
    "std::io::stdout",
    "std::io::stderr",
    "core::arch",
];

/// Types that prove that a guard was passed, and the only crate that may build them.
const PROOFS: [(&str, &str); 2] =
    [("Approved", "gatewright-guards"), ("Redacted", "gatewright-guards")];

/// Traits that would build a proof without a guard, or use an approval twice.
const FORGING: [(&str, &[&str]); 2] = [
    ("Approved", &["Default", "Deserialize", "Clone", "Copy"]),
    ("Redacted", &["Default", "Deserialize"]),
];

/// Makers of a catalogue with fewer rules than the built-in one, for tests and measuring alone.
const WEAKER: [&str; 2] = ["Catalogue::of(", "share_of_built_in("];

/// Every place where a source breaks the design.
pub fn check(files: &[TextFile]) -> Vec<String> {
    let mut found = Vec::new();
    let is_product = |file: &&TextFile| !file.is_test() && !file.path.contains("/examples/");
    for file in files.iter().filter(|file| file.has_extension("rs")).filter(is_product) {
        let Some(krate) = crate_of(&file.path) else { continue };
        let code = Masked::of(&file.text).production_code();
        if PURE.contains(&krate) {
            found.extend(check_pure(&file.path, &code));
        }
        for (proof, maker) in PROOFS {
            found.extend(check_proof(&file.path, &code, proof, krate == maker));
        }
        if krate != "gatewright-guards" {
            found.extend(check_catalogue(&file.path, &code));
        }
    }
    found
}

fn check_catalogue(path: &str, code: &str) -> Vec<String> {
    let places = WEAKER.iter().flat_map(|maker| code.match_indices(maker));
    let describe = |(at, maker): (usize, &str)| {
        let line = source::line_number(code, at);
        format!("{path}:{line}: {maker}…) leaves out rules of the egress guard")
    };
    places.map(describe).collect()
}

fn crate_of(path: &str) -> Option<&str> {
    path.strip_prefix("crates/")?.split('/').next()
}

fn check_pure(path: &str, code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (line, named) in std_paths(code) {
        let is_banned = |banned: &&&str| {
            let rest = named.strip_prefix(**banned);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        if let Some(banned) = BANNED.iter().find(is_banned) {
            found.push(format!("{path}:{line}: {banned} in a crate that does no IO"));
        }
    }
    for word in ["disallowed_methods", "disallowed_types", "println", "eprintln", "print", "eprint"]
    {
        for at in source::words(code, word) {
            let is_macro = code[at + word.len()..].starts_with('!');
            if is_macro || word.starts_with("disallowed") {
                let line = source::line_number(code, at);
                found.push(format!("{path}:{line}: {word} in a crate that does no IO"));
            }
        }
    }
    found
}

/// Every path of the standard library that the code names, imports spelled out.
fn std_paths(code: &str) -> Vec<(usize, String)> {
    let mut paths = Vec::new();
    for root in ["std", "core"] {
        for at in source::words(code, root) {
            if code[at + root.len()..].starts_with("::") {
                let line = source::line_number(code, at);
                let text = path_text(&code[at..]);
                paths.extend(spell_out("", &text).into_iter().map(|path| (line, path)));
            }
        }
    }
    paths
}

/// The path at the start of `code`, with its groups, white space removed.
fn path_text(code: &str) -> String {
    let mut depth = 0_i32;
    let end = code.char_indices().find(|(_, character)| {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let inside = source::is_word(*character) || ":{}*".contains(*character);
        let in_group = depth > 0 && (*character == ',' || character.is_whitespace());
        depth < 0 || !(inside || in_group)
    });
    let text = &code[..end.map_or(code.len(), |(at, _)| at)];
    text.replace(" as ", "::").split_whitespace().collect()
}

/// `a::{b, c::{d}}` as `a::b` and `a::c::d`.
fn spell_out(prefix: &str, text: &str) -> Vec<String> {
    let Some((head, group)) = text.split_once('{') else {
        return vec![format!("{prefix}{text}")];
    };
    let prefix = format!("{prefix}{head}");
    let group = group.strip_suffix('}').unwrap_or(group);
    split_group(group).into_iter().flat_map(|part| spell_out(&prefix, part)).collect()
}

fn split_group(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0_i32, 0, Vec::new());
    for (at, byte) in group.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&group[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&group[start..]);
    parts
}

/// A proof is built by its maker alone, has no public field and no forging trait.
fn check_proof(path: &str, code: &str, proof: &str, is_maker: bool) -> Vec<String> {
    let mut found = Vec::new();
    for at in source::words(code, proof) {
        let line = source::line_number(code, at);
        let before = code[..at].trim_end();
        let after = code[at + proof.len()..].trim_start();
        let defines = before.ends_with("struct") || before.ends_with("enum");
        let implements = before.ends_with("for") || before.ends_with("impl");
        if defines && !is_maker {
            found.push(format!("{path}:{line}: a second {proof} beside the one that proves"));
        } else if defines {
            found.extend(check_definition(path, code, at, proof));
        } else if after.starts_with('{') && !implements && !is_maker && !before.ends_with("->") {
            found.push(format!("{path}:{line}: {proof} is built outside of the guards"));
        }
    }
    found
}

fn check_definition(path: &str, code: &str, at: usize, proof: &str) -> Vec<String> {
    let line = source::line_number(code, at);
    let body = &code[at..];
    let body = &body[..body.find(['}', ';']).unwrap_or(body.len())];
    let mut found = Vec::new();
    if source::words(body, "pub").next().is_some() {
        found.push(format!("{path}:{line}: {proof} has a field that anybody can set"));
    }
    let attributes_start = code[..at].rfind(['}', ';']).map_or(0, |end| end + 1);
    let forging = FORGING.iter().filter(|(name, _)| *name == proof);
    for forging in forging.flat_map(|(_, traits)| *traits) {
        if source::words(&code[attributes_start..at], forging).next().is_some() {
            found.push(format!("{path}:{line}: {proof} derives {forging}, which would forge it"));
        }
    }
    found
}

#[cfg(test)]
#[path = "sources_tests.rs"]
mod tests;
