//! Names as the file system keeps them.
//!
//! A volume may take several spellings for one name: another case, another
//! normal form, a short form. What is judged, shown and recorded is the
//! spelling in the directory, so that one file has one path.

use std::io;

use cap_std::fs::Dir;

use super::names::{self, Identity};

/// The spelling of `name` in its directory, where it stands for `identity`.
///
/// A directory that cannot be listed keeps the spelling that was asked for.
pub(super) fn on_disk(directory: &Dir, name: &str, identity: Identity) -> io::Result<String> {
    let Ok(entries) = directory.entries() else { return Ok(name.to_owned()) };
    let mut others = Vec::new();
    for entry in entries {
        let spelling = entry?.file_name();
        if spelling == *name {
            return Ok(name.to_owned());
        }
        others.extend(spelling.into_string());
    }
    // Several entries may be the same file: names that differ in case come first.
    let folded = name.to_lowercase();
    others.sort_by_key(|spelling| spelling.to_lowercase() != folded);
    for spelling in others {
        if is_same(directory, &spelling, identity) {
            return Ok(spelling);
        }
    }
    Ok(name.to_owned())
}

fn is_same(directory: &Dir, name: &str, wanted: Identity) -> bool {
    let found = names::look_at(directory, name);
    matches!(found, Ok(Some(metadata)) if names::identity(&metadata) == wanted)
}

/// Whether a name means itself and nothing else to this system.
pub(super) fn is_plain(name: &str) -> bool {
    !cfg!(windows) || is_plain_on_windows(name)
}

/// Windows reads separators, streams, drives and devices out of names, and
/// drops dots and spaces at their end.
fn is_plain_on_windows(name: &str) -> bool {
    let has_meaning = |c: char| c.is_control() || "\\/:*?\"<>|".contains(c);
    !name.contains(has_meaning) && !name.ends_with(['.', ' ']) && !is_device(name)
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    if matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") {
        return true;
    }
    let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    number.is_some_and(|number| {
        let mut digits = number.chars();
        matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    })
}

#[cfg(test)]
#[path = "spelling_tests.rs"]
mod tests;
