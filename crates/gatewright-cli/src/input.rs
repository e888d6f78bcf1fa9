//! Reading what the user hands over: standard input, or a file of theirs.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place of the binary that reads the user's files"
)]

use std::io::{BufRead, Read};
use std::path::Path;

use crate::exit::Failure;

/// The most that is taken from a file or from standard input in one piece.
pub const LIMIT: u64 = 10 * 1024 * 1024;

/// All of a file, or of standard input for `-`, up to the limit.
pub fn read(source: &Path) -> Result<Vec<u8>, Failure> {
    let name = source.display().to_string();
    let failed = |error: std::io::Error| Failure::system(&format!("cannot read {name}"), &error);
    let mut bytes = Vec::new();
    if source == Path::new("-") {
        std::io::stdin().lock().take(LIMIT + 1).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let file = std::fs::File::open(source).map_err(failed)?;
        file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > LIMIT {
        let hint = Some("split it into smaller pieces");
        return Err(Failure::usage(format!("{name} holds more than 10 MB"), hint));
    }
    Ok(bytes)
}

/// A file that is looked through; `None` when it is binary or past the limit.
pub fn scanned(path: &Path) -> std::io::Result<Option<Vec<u8>>> {
    const LIMIT: u64 = 64 * 1024 * 1024;
    const HEAD: usize = 8 * 1024;
    let mut file = std::fs::File::open(path)?;
    if file.metadata()?.len() > LIMIT {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.by_ref().take(LIMIT).read_to_end(&mut bytes)?;
    let bytes = in_utf8(bytes);
    let is_binary = bytes[..bytes.len().min(HEAD)].contains(&0);
    Ok((!is_binary).then_some(bytes))
}

/// Text in UTF-16, which begins with its mark, in UTF-8; anything else as it is.
fn in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    let unit: fn([u8; 2]) -> u16 = match bytes.as_slice() {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return bytes,
    };
    let units = bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let letters = char::decode_utf16(units).map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER));
    letters.collect::<String>().into_bytes()
}

/// The lines of standard input or of a file, one at a time.
pub fn lines(source: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if source == Path::new("-") {
        return Ok(Box::new(std::io::BufReader::new(std::io::stdin())));
    }
    let file = std::fs::File::open(source)
        .map_err(|error| Failure::system(&format!("cannot read {}", source.display()), &error))?;
    Ok(Box::new(std::io::BufReader::new(file)))
}

/// One line of standard input, without its end; `None` when there is no more.
pub fn answer() -> Option<String> {
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line.trim_end_matches(['\n', '\r']).to_owned()),
    }
}

/// Whether something stands at a path that the user named.
pub fn is_there(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

/// Lets the user change a text in their editor; `None` when they made it empty.
pub fn edit(editor: &str, text: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    let failed = |error: std::io::Error| Failure::system("cannot run the editor", &error);
    let file = tempfile::Builder::new()
        .prefix("gatewright-hunk-")
        .suffix(".txt")
        .tempfile()
        .map_err(failed)?;
    std::fs::write(file.path(), text).map_err(failed)?;
    let status = std::process::Command::new("sh")
        .args(["-c", &format!("{editor} \"$1\""), "sh"])
        .arg(file.path())
        .status()
        .map_err(failed)?;
    let edited = std::fs::read(file.path()).map_err(failed)?;
    Ok((status.success() && !edited.is_empty()).then_some(edited))
}

/// Writes an export where the user asked for it, or to standard output for `-`.
pub fn create(target: &Path) -> Result<Box<dyn std::io::Write>, Failure> {
    if target == Path::new("-") {
        return Ok(Box::new(std::io::stdout().lock()));
    }
    let file = std::fs::File::create(target)
        .map_err(|error| Failure::system(&format!("cannot write {}", target.display()), &error))?;
    Ok(Box::new(std::io::BufWriter::new(file)))
}
