//! Gives the program that reads source files a number: another one for every change of its text
//! or of the packages that it is built with.
//!
//! What one program took of files and kept is not for another. A number that
//! somebody has to remember to change is forgotten once, and then a cache tells
//! of the past.
#![expect(clippy::disallowed_methods, reason = "a build script reads the sources that it builds")]

use std::fs;
use std::io::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Error> {
    let mut files = vec![PathBuf::from("../../Cargo.lock"), PathBuf::from("Cargo.toml")];
    collect(Path::new("src"), &mut files)?;
    collect(Path::new("queries"), &mut files)?;
    files.sort();
    let mut number = 0xcbf2_9ce4_8422_2325;
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        // The lock file belongs to the whole workspace, and may not be there for a part of it.
        let bytes = fs::read(file).unwrap_or_default();
        mix(&mut number, &(bytes.len() as u64).to_le_bytes());
        mix(&mut number, file.as_os_str().as_encoded_bytes());
        mix(&mut number, &bytes);
    }
    println!("cargo::rustc-env=GATEWRIGHT_READER={number}");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// FNV-1a, eight bytes at a time.
fn mix(number: &mut u64, bytes: &[u8]) {
    for chunk in bytes.chunks(8) {
        let word = chunk.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
        *number = (*number ^ word).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
    }
}
