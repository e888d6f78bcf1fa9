//! When the ledger's files last changed: the cheap question before the dear one.
#![expect(clippy::disallowed_methods, reason = "the one place of this door that looks at files")]

use std::path::Path;
use std::time::SystemTime;

/// The sizes and times of the database and its write-ahead log.
pub type Stamp = [Option<(u64, SystemTime)>; 2];

/// The stamp of a database.
pub fn stamp(database: &Path) -> Stamp {
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    [database, Path::new(&log)].map(|path| {
        let metadata = std::fs::metadata(path).ok()?;
        Some((metadata.len(), metadata.modified().ok()?))
    })
}
