//! Reads and writes the rows of the SQLite database.
//!
//! Values are handed up as they lie there, unchecked; what they should be is
//! for `verify` to say.

use std::ops::ControlFlow;

use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension as _, Params, Statement, named_params, params};

use crate::error::StoreError;
use crate::merkle::Hash;
use crate::sqlite::SqliteStore;
use crate::store::{
    IndexedColumn, ReceiptQuery, Row, StageItem, StageUpdate, Store, StoredReceipt, TreeState,
};

type Sql<T> = Result<T, rusqlite::Error>;

impl SqliteStore {
    fn with<T>(
        &self,
        sql: &str,
        work: impl FnOnce(&mut Statement<'_>) -> Sql<T>,
    ) -> Result<T, StoreError> {
        let statement = self.connection.prepare_cached(sql);
        statement.and_then(|mut found| work(&mut found)).map_err(|error| self.error(error))
    }

    fn changed(&self, sql: &str, values: impl Params) -> Result<bool, StoreError> {
        self.with(sql, |statement| statement.execute(values).map(|rows| rows > 0))
    }
}

impl Store for SqliteStore {
    fn begin(&self) -> Result<(), StoreError> {
        self.batch("BEGIN IMMEDIATE")
    }

    fn begin_read(&self) -> Result<(), StoreError> {
        self.batch("BEGIN DEFERRED")
    }

    fn commit(&self) -> Result<(), StoreError> {
        self.batch("COMMIT")
    }

    fn rollback(&self) -> Result<(), StoreError> {
        self.batch("ROLLBACK")
    }

    fn reader(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(self.open_reader()?))
    }

    fn tree_state(&self) -> Result<Option<TreeState>, StoreError> {
        let sql = "SELECT origin, key_id, size, head, frontier, checkpoint FROM tree WHERE id = 1";
        let found = self.with(sql, |statement| {
            let read = |row: &rusqlite::Row<'_>| {
                let head: Option<Vec<u8>> = row.get(3)?;
                let state = TreeState {
                    origin: text(row, 0)?,
                    key_id: text(row, 1)?,
                    size: row.get::<_, i64>(2)?.cast_unsigned(),
                    head: None,
                    frontier: row.get(4)?,
                    checkpoint: text(row, 5)?,
                };
                Ok((state, head))
            };
            statement.query_row((), read).optional()
        })?;
        let Some((state, head)) = found else { return Ok(None) };
        let head = head.map(Hash::try_from).transpose().map_err(|_| self.corrupt())?;
        Ok(Some(TreeState { head, ..state }))
    }

    fn put_tree_state(&self, state: &TreeState) -> Result<(), StoreError> {
        let sql = "INSERT INTO tree (id, origin, key_id, size, head, frontier, checkpoint)
            VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET
            size = excluded.size, head = excluded.head,
            frontier = excluded.frontier, checkpoint = excluded.checkpoint";
        let values = params![
            state.origin,
            state.key_id,
            state.size.cast_signed(),
            state.head.as_ref().map(Hash::as_slice),
            state.frontier,
            state.checkpoint,
        ];
        self.changed(sql, values).map(|_| ())
    }

    fn insert(&self, row: &Row<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO receipts
            (seq, receipt_id, action, timestamp, agent, run_id, leaf_hash, canonical)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let values = params![
            row.seq.cast_signed(),
            Text(row.receipt_id),
            Text(row.action),
            Text(row.timestamp),
            Text(row.agent),
            Text(row.run_id),
            row.leaf_hash,
            row.canonical,
        ];
        self.changed(sql, values).map(|_| ())
    }

    fn receipt_at(&self, seq: u64) -> Result<Option<StoredReceipt>, StoreError> {
        let sql = "SELECT seq, canonical FROM receipts WHERE seq = ?1";
        self.with(sql, |statement| statement.query_row([seq.cast_signed()], stored).optional())
    }

    fn receipt_with_id(&self, receipt_id: &str) -> Result<Option<StoredReceipt>, StoreError> {
        let sql = "SELECT seq, canonical FROM receipts WHERE receipt_id = ?1";
        self.with(sql, |statement| statement.query_row([receipt_id], stored).optional())
    }

    fn receipts_with_prefix(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<StoredReceipt>, StoreError> {
        // A range and not LIKE, so that the index serves and nothing is a wildcard.
        let sql = "SELECT seq, canonical FROM receipts WHERE receipt_id >= ?1 AND receipt_id < ?1 || char(1114111)
            AND substr(receipt_id, 1, length(?1)) = ?1 ORDER BY receipt_id LIMIT ?2";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.with(sql, |statement| statement.query_map(params![prefix, limit], stored)?.collect())
    }

    fn visit_newest(
        &self,
        query: &ReceiptQuery,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.with(&newest_sql(query), |statement| {
            let before =
                query.before_seq.map_or(i64::MAX, |seq| i64::try_from(seq).unwrap_or(i64::MAX));
            let mut bound: Vec<(&str, &dyn rusqlite::ToSql)> = vec![(":before", &before)];
            let action = query.action.map(gatewright_model::Action::as_str);
            if let Some(action) = &action {
                bound.push((":action", action));
            }
            if let Some(agent) = &query.agent {
                bound.push((":agent", agent));
            }
            if let Some(run_id) = &query.run_id {
                bound.push((":run_id", run_id));
            }
            let mut rows = statement.query(bound.as_slice())?;
            while let Some(row) = rows.next()? {
                if visit(row.get::<_, i64>(0)?.cast_unsigned(), bytes(row, 1)?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn visit_rows(
        &self,
        visit: &mut dyn FnMut(&Row<'_>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let sql = "SELECT seq, receipt_id, action, timestamp, agent, run_id, leaf_hash, canonical
            FROM receipts ORDER BY seq";
        self.with(sql, |statement| {
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()? {
                let found = Row {
                    seq: row.get::<_, i64>(0)?.cast_unsigned(),
                    receipt_id: letters(row, 1)?,
                    action: letters(row, 2)?,
                    timestamp: letters(row, 3)?,
                    agent: letters(row, 4)?,
                    run_id: letters(row, 5)?,
                    leaf_hash: bytes(row, 6)?,
                    canonical: bytes(row, 7)?,
                };
                if visit(&found).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn visit_leaves(
        &self,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.with("SELECT seq, leaf_hash FROM receipts ORDER BY seq", |statement| {
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()? {
                if visit(row.get::<_, i64>(0)?.cast_unsigned(), bytes(row, 1)?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    fn visit_index(
        &self,
        column: IndexedColumn,
        visit: &mut dyn FnMut(&[u8], u64),
    ) -> Result<(), StoreError> {
        let name = column.as_str();
        let sql = format!(
            "SELECT {name}, seq FROM receipts INDEXED BY receipts_{name} ORDER BY {name}, seq"
        );
        self.with(&sql, |statement| {
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()? {
                visit(letters(row, 0)?, row.get::<_, i64>(1)?.cast_unsigned());
            }
            Ok(())
        })
    }

    fn damage(&self) -> Result<Option<String>, StoreError> {
        let word = self.with("PRAGMA quick_check(1)", |statement| {
            statement.query_row((), |row| row.get::<_, String>(0))
        })?;
        Ok((word != "ok").then_some(word))
    }

    fn stage_insert(&self, item: &StageItem) -> Result<bool, StoreError> {
        let sql = "INSERT INTO stage (id, version, state, blob) VALUES (?1, 1, ?2, ?3)
            ON CONFLICT DO NOTHING";
        self.changed(sql, params![item.id, item.state, item.blob])
    }

    fn stage_get(&self, id: &str) -> Result<Option<StageItem>, StoreError> {
        let sql = "SELECT id, version, state, blob FROM stage WHERE id = ?1";
        self.with(sql, |statement| statement.query_row([id], staged).optional())
    }

    fn stage_list(&self, state: Option<&str>) -> Result<Vec<StageItem>, StoreError> {
        let sql = "SELECT id, version, state, blob FROM stage
            WHERE ?1 IS NULL OR state = ?1 ORDER BY id";
        self.with(sql, |statement| statement.query_map([state], staged)?.collect())
    }

    fn stage_update(&self, update: &StageUpdate) -> Result<bool, StoreError> {
        let sql = "UPDATE stage SET version = version + 1, state = :state,
            blob = coalesce(:blob, blob) WHERE id = :id AND version = :version";
        let values = named_params! {
            ":id": update.id,
            ":version": update.expected_version.cast_signed(),
            ":state": update.state,
            ":blob": update.blob,
        };
        self.changed(sql, values)
    }

    fn stage_remove(&self, id: &str, expected_version: u64) -> Result<bool, StoreError> {
        let sql = "DELETE FROM stage WHERE id = ?1 AND version = ?2";
        self.changed(sql, params![id, expected_version.cast_signed()])
    }

    fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT value FROM settings WHERE key = ?1";
        self.with(sql, |statement| statement.query_row([key], |row| text(row, 0)).optional())
    }

    fn put_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO settings (key, value) VALUES (?1, ?2)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.changed(sql, [key, value]).map(|_| ())
    }

    fn remove_setting(&self, key: &str) -> Result<(), StoreError> {
        self.changed("DELETE FROM settings WHERE key = ?1", [key]).map(|_| ())
    }
}

/// Only the filters in use, so that the index of each can serve.
fn newest_sql(query: &ReceiptQuery) -> String {
    let mut sql = String::from("SELECT seq, canonical FROM receipts WHERE seq < :before");
    let filters = [
        (query.action.is_some(), " AND action = :action"),
        (query.agent.is_some(), " AND agent = :agent"),
        (query.run_id.is_some(), " AND run_id = :run_id"),
    ];
    filters.iter().filter(|(is_used, _)| *is_used).for_each(|(_, filter)| sql.push_str(filter));
    sql.push_str(" ORDER BY seq DESC");
    sql
}

fn stored(row: &rusqlite::Row<'_>) -> Sql<StoredReceipt> {
    Ok((row.get::<_, i64>(0)?.cast_unsigned(), bytes(row, 1)?.to_vec()))
}

fn staged(row: &rusqlite::Row<'_>) -> Sql<StageItem> {
    let version = row.get::<_, i64>(1)?.cast_unsigned();
    Ok(StageItem { id: text(row, 0)?, version, state: text(row, 2)?, blob: row.get(3)? })
}

/// The bytes of a blob; nothing for any other value, which fits nothing.
fn bytes<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Sql<&'a [u8]> {
    Ok(match row.get_ref(column)? {
        ValueRef::Blob(bytes) => bytes,
        _ => &[],
    })
}

/// A text as it lies there. The same bytes under another type are not it: no search finds them.
fn letters<'a>(row: &'a rusqlite::Row<'_>, column: usize) -> Sql<&'a [u8]> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) => bytes,
        _ => &[],
    })
}

/// A text, with what is not UTF-8 in it made visible instead of failing.
fn text(row: &rusqlite::Row<'_>, column: usize) -> Sql<String> {
    Ok(String::from_utf8_lossy(letters(row, column)?).into_owned())
}

/// Bytes that are bound as text.
struct Text<'a>(&'a [u8]);

impl rusqlite::ToSql for Text<'_> {
    fn to_sql(&self) -> Sql<rusqlite::types::ToSqlOutput<'_>> {
        Ok(rusqlite::types::ToSqlOutput::Borrowed(ValueRef::Text(self.0)))
    }
}
