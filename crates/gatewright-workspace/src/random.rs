//! Random names, for files that nobody else can know of.

use std::io;

/// `count` random bytes as lower-case hex digits.
pub(crate) fn hex(count: usize) -> io::Result<String> {
    let mut bytes = vec![0; count];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex::encode(bytes))
}
