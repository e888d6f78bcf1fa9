//! Opens the SQLite database of a ledger. No other module opens one.
//!
//! Write-ahead log; a commit is one fsync with [`Durability::Full`]. The schema
//! grows by the numbered files in `migrations/`; `user_version` is the number
//! of the last one, `application_id` tells our databases from others'.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::StoreError;
use crate::io;
use crate::ledger::Durability;

/// The migrations in order; the first makes version 1.
const MIGRATIONS: &[&str] = &[include_str!("../migrations/0001_receipts.sql")];

/// `GWLG`.
const APPLICATION_ID: i64 = 0x4757_4c47;

/// How long to wait for another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// A ledger in a SQLite file.
pub(crate) struct SqliteStore {
    pub(crate) connection: Connection,
    path: PathBuf,
}

impl SqliteStore {
    /// Opens the database at `path`, creates it when it is missing, and brings
    /// it to the current version.
    pub(crate) fn open(path: &Path, durability: Durability) -> Result<Self, StoreError> {
        io::create_empty(path)
            .map_err(|source| StoreError::CannotOpen { path: path.to_owned(), source })?;
        let store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.configure(durability).map_err(|error| store.error(error))?;
        store.migrate()?;
        Ok(store)
    }

    /// A second connection to the same database that can only read.
    pub(crate) fn open_reader(&self) -> Result<Self, StoreError> {
        Self::connect(&self.path, OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn connect(path: &Path, access: OpenFlags) -> Result<Self, StoreError> {
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(path, flags)
            .and_then(|connection| connection.busy_timeout(BUSY_TIMEOUT).map(|()| connection));
        let connection = opened.map_err(|error| classify(path, error))?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(Self { connection, path: path.to_owned() })
    }

    fn configure(&self, durability: Durability) -> Result<(), rusqlite::Error> {
        self.connection.pragma_update(None, "journal_mode", "WAL")?;
        let synchronous = match durability {
            Durability::Full => "FULL",
            Durability::None => "OFF",
        };
        self.connection.pragma_update(None, "synchronous", synchronous)?;
        // Triggers and views of a doctored schema must not run code of its choice.
        self.connection.pragma_update(None, "trusted_schema", "OFF")
    }

    fn migrate(&self) -> Result<(), StoreError> {
        let supported = MIGRATIONS.len() as i64;
        let (found, application) = self.versions()?;
        if found == supported && application == APPLICATION_ID {
            return Ok(());
        }
        self.batch("BEGIN IMMEDIATE")?;
        let migrated = self.migrate_from_here(supported);
        self.batch(if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
        migrated
    }

    /// Reads the version again under the lock: another process may have been first.
    fn migrate_from_here(&self, supported: i64) -> Result<(), StoreError> {
        let (found, application) = self.versions()?;
        let is_new = found == 0 && application == 0 && self.is_empty()?;
        if !is_new && application != APPLICATION_ID {
            return Err(StoreError::NotALedger { path: self.path.clone() });
        }
        if found > supported {
            return Err(StoreError::NewerVersion { path: self.path.clone(), found, supported });
        }
        let done = usize::try_from(found)
            .map_err(|_| StoreError::Corrupt { path: self.path.clone(), source: None })?;
        for migration in &MIGRATIONS[done..] {
            self.batch(migration)?;
        }
        self.batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {supported}"
        ))
    }

    fn versions(&self) -> Result<(i64, i64), StoreError> {
        let number = |pragma| {
            self.connection
                .pragma_query_value(None, pragma, |row| row.get::<_, i64>(0))
                .map_err(|error| self.error(error))
        };
        Ok((number("user_version")?, number("application_id")?))
    }

    fn is_empty(&self) -> Result<bool, StoreError> {
        self.connection
            .query_row("SELECT count(*) = 0 FROM sqlite_schema", (), |row| row.get(0))
            .map_err(|error| self.error(error))
    }

    /// Runs statements without results.
    pub(crate) fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(sql).map_err(|error| self.error(error))
    }

    /// What an error of SQLite means for this database.
    pub(crate) fn error(&self, error: rusqlite::Error) -> StoreError {
        classify(&self.path, error)
    }

    /// A value in the database that cannot be what it should be.
    pub(crate) fn corrupt(&self) -> StoreError {
        StoreError::Corrupt { path: self.path.clone(), source: None }
    }
}

fn classify(path: &Path, error: rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked { path },
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreError::Corrupt { path, source: Some(error) }
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreError::ReadOnly { path },
        Some(ErrorCode::DiskFull) => StoreError::DiskFull { path },
        _ => StoreError::Sqlite { path, source: error },
    }
}
