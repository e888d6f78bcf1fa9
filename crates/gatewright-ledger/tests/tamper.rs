//! Whatever is changed in a ledger, verifying finds it and names the receipt.

#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests damage real databases")]

mod sample;

use std::fs;

use gatewright_ledger::{
    Checkpoint, Evidence, Fault, Ledger, LedgerError, ReceiptQuery, Row, TreeState, Verdict,
    Verifier, VerifyOptions,
};
use gatewright_testkit::{Random, cases, seed};
use rusqlite::Connection;
use sample::{Folder, ORIGIN, body};

/// A row that can be damaged: the seven columns after `seq`.
#[derive(Clone)]
struct Stored {
    seq: u64,
    columns: [Vec<u8>; 7],
}

impl Stored {
    fn row(&self) -> Row<'_> {
        let [receipt_id, action, timestamp, agent, run_id, leaf_hash, canonical] = &self.columns;
        Row { seq: self.seq, receipt_id, action, timestamp, agent, run_id, leaf_hash, canonical }
    }
}

struct Stage {
    folder: Folder,
    ledger: Ledger,
    rows: Vec<Stored>,
    state: TreeState,
    checkpoint: Checkpoint,
}

fn stage(count: u64) -> Stage {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.append_many((0..count).map(body)).unwrap();
    let connection = Connection::open(folder.database()).unwrap();
    let (rows, state) = (rows_of(&connection), state_of(&connection));
    let key = ledger.signer().public_key();
    let checkpoint = Checkpoint::verify(&state.checkpoint, ORIGIN, &key).unwrap();
    Stage { folder, ledger, rows, state, checkpoint }
}

fn rows_of(connection: &Connection) -> Vec<Stored> {
    let sql = "SELECT seq, CAST(receipt_id AS BLOB), CAST(action AS BLOB),
        CAST(timestamp AS BLOB), CAST(agent AS BLOB), CAST(run_id AS BLOB), leaf_hash, canonical
        FROM receipts ORDER BY seq";
    let mut statement = connection.prepare(sql).unwrap();
    let read = |row: &rusqlite::Row<'_>| {
        let columns = std::array::from_fn(|column| row.get(column + 1).unwrap());
        Ok(Stored { seq: row.get::<_, i64>(0)?.cast_unsigned(), columns })
    };
    statement.query_map((), read).unwrap().map(Result::unwrap).collect()
}

fn state_of(connection: &Connection) -> TreeState {
    let sql = "SELECT origin, key_id, size, head, frontier, checkpoint FROM tree";
    let read = |row: &rusqlite::Row<'_>| {
        let head: Option<Vec<u8>> = row.get(3)?;
        Ok(TreeState {
            origin: row.get(0)?,
            key_id: row.get(1)?,
            size: row.get::<_, i64>(2)?.cast_unsigned(),
            head: head.map(|head| head.try_into().unwrap()),
            frontier: row.get(4)?,
            checkpoint: row.get(5)?,
        })
    };
    connection.query_row(sql, (), read).unwrap()
}

impl Stage {
    fn verify<'a>(&self, rows: impl IntoIterator<Item = &'a Stored>) -> Result<(), Fault> {
        let mut verifier = Verifier::new();
        rows.into_iter().try_for_each(|stored| verifier.step(&stored.row()))?;
        verifier.finish(&self.state, &self.checkpoint)
    }

    fn is_bad_at<'a>(&self, rows: impl IntoIterator<Item = &'a Stored>, seq: usize) {
        let fault = self.verify(rows).unwrap_err();
        assert_eq!(fault.seq, Some(seq as u64), "{}", fault.reason);
    }

    fn verdict(&self) -> Verdict {
        self.ledger.verify(VerifyOptions::default()).unwrap().verdict
    }

    fn execute(&self, sql: &str) {
        Connection::open(self.folder.database()).unwrap().execute_batch(sql).unwrap();
    }
}

/// With `GATEWRIGHT_CASES=1000` or more: every bit of 1000 receipts.
#[test]
fn every_flipped_bit_of_a_row_is_found_where_it_is() {
    let count = cases(60).min(1_000);
    let stride = if count >= 1_000 { 1 } else { 41 };
    let mut offset = Random::new(seed()).below(stride);
    let Stage { rows, .. } = stage(count);
    let mut verifier = Verifier::new();
    let mut flips = 0_u64;
    for stored in &rows {
        let mut damaged = stored.clone();
        let check = |damaged: &Stored, place: (usize, usize)| {
            let fault = verifier.clone().step(&damaged.row()).unwrap_err();
            assert_eq!(fault.seq, Some(stored.seq), "{place:?}: {}", fault.reason);
        };
        for column in 0..stored.columns.len() {
            let bits = stored.columns[column].len() * 8;
            let mut bit = offset;
            while bit < bits {
                damaged.columns[column][bit / 8] ^= 1 << (bit % 8);
                check(&damaged, (column, bit));
                damaged.columns[column][bit / 8] ^= 1 << (bit % 8);
                bit += stride;
                flips += 1;
            }
            offset = bit - bits;
        }
        for bit in 0..64 {
            damaged.seq ^= 1 << bit;
            check(&damaged, (usize::MAX, bit));
            damaged.seq ^= 1 << bit;
        }
        verifier.step(&stored.row()).unwrap();
    }
    assert!(flips > rows.len() as u64 * 100);
}

#[test]
fn every_drop_swap_duplicate_and_truncation_is_found_where_it_is() {
    let stage = stage(cases(24).clamp(24, 200));
    let rows: Vec<&Stored> = stage.rows.iter().collect();
    stage.verify(rows.iter().copied()).unwrap();
    for at in 0..rows.len() {
        let dropped = [&rows[..at], &rows[at + 1..]].concat();
        stage.is_bad_at(dropped, at);
        let doubled = [&rows[..=at], &rows[at..]].concat();
        stage.is_bad_at(doubled, at + 1);
        stage.is_bad_at(rows[..at].iter().copied(), at);
        for other in at + 1..rows.len() {
            let mut swapped = rows.clone();
            swapped.swap(at, other);
            stage.is_bad_at(swapped, at);
        }
    }
}

/// Numbering the rows again does not help: the place is inside the receipt.
#[test]
fn rows_that_were_renumbered_are_found() {
    let stage = stage(12);
    for at in 0..11 {
        let mut rows = stage.rows.clone();
        rows.remove(at);
        (0..).zip(&mut rows).for_each(|(seq, stored)| stored.seq = seq);
        stage.is_bad_at(&rows, at);
        let mut rows = stage.rows.clone();
        rows.swap(at, at + 1);
        (0..).zip(&mut rows).for_each(|(seq, stored)| stored.seq = seq);
        stage.is_bad_at(&rows, at);
    }
}

/// The leaf hash repaired as well: only the root and the signature are left.
#[test]
fn a_forged_signature_is_found_even_with_its_leaf_hash_repaired() {
    let stage = stage(9);
    let text = String::from_utf8(stage.rows[4].columns[6].clone()).unwrap();
    let at = text.find("\"signature\":\"").unwrap() + 13;
    let other = if text.as_bytes()[at] == b'A' { "B" } else { "A" };
    let forged = [&text[..at], other, &text[at + 1..]].concat();
    let connection = Connection::open(stage.folder.database()).unwrap();
    let leaf = gatewright_ledger::leaf_hash(forged.as_bytes());
    let sql = "UPDATE receipts SET canonical = ?1, leaf_hash = ?2 WHERE seq = 4";
    connection.execute(sql, (forged.as_bytes(), leaf.as_slice())).unwrap();
    let verdict = stage.verdict();
    assert!(matches!(verdict, Verdict::Bad { seq: Some(4), .. }), "{verdict:?}");
}

#[test]
fn a_change_of_any_column_in_the_database_is_found() {
    for sql in [
        "UPDATE receipts SET receipt_id = 'x' WHERE seq = 3",
        "UPDATE receipts SET action = 'apply' WHERE seq = 3",
        "UPDATE receipts SET timestamp = '2027' WHERE seq = 3",
        "UPDATE receipts SET agent = 'x' WHERE seq = 3",
        "UPDATE receipts SET run_id = 'x' WHERE seq = 3",
        "UPDATE receipts SET leaf_hash = zeroblob(32) WHERE seq = 3",
        "UPDATE receipts SET canonical = CAST(replace(canonical, 'file3', 'file4') AS BLOB) WHERE seq = 3",
        "DELETE FROM receipts WHERE seq = 3",
        "DELETE FROM receipts WHERE seq >= 3",
    ] {
        let stage = stage(6);
        assert_eq!(stage.verdict(), Verdict::Ok);
        stage.execute(sql);
        let verdict = stage.verdict();
        assert!(matches!(verdict, Verdict::Bad { seq: Some(3), .. }), "{sql}: {verdict:?}");
    }
}

#[test]
fn every_flipped_bit_of_the_tree_state_is_found() {
    let stage = stage(7);
    let connection = Connection::open(stage.folder.database()).unwrap();
    let stride = if cases(0) >= 1_000 { 1 } else { 17 };
    let mut offset = Random::new(seed()).below(stride);
    for column in ["origin", "key_id", "head", "frontier", "checkpoint"] {
        let select = format!("SELECT CAST({column} AS BLOB) FROM tree");
        let bytes: Vec<u8> = connection.query_row(&select, (), |row| row.get(0)).unwrap();
        let is_text = !matches!(column, "head" | "frontier");
        let kind = if is_text { "TEXT" } else { "BLOB" };
        let update = format!("UPDATE tree SET {column} = CAST(?1 AS {kind})");
        for bit in (offset..bytes.len() * 8).step_by(stride) {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            connection.execute(&update, [damaged]).unwrap();
            let verdict = stage.verdict();
            assert!(matches!(verdict, Verdict::Bad { seq: None, .. }), "{column} {bit}");
        }
        connection.execute(&update, [bytes]).unwrap();
        offset = (offset + 3) % stride;
    }
    for sql in ["UPDATE tree SET size = 6", "DELETE FROM tree"] {
        connection.execute_batch(sql).unwrap();
        assert!(matches!(stage.verdict(), Verdict::Bad { .. }), "{sql}");
    }
}

#[test]
fn a_flipped_bit_of_the_second_copy_is_found() {
    let stage = stage(3);
    let path = stage.ledger.second_copy_path();
    let bytes = fs::read(path).unwrap();
    for bit in (0..bytes.len() * 8).step_by(13) {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(path, damaged).unwrap();
        assert!(matches!(stage.verdict(), Verdict::Bad { .. }), "bit {bit}");
    }
}

/// A database put back to an earlier state is sound in itself.
#[test]
fn a_ledger_that_was_rolled_back_is_bad_or_cannot_be_told_but_never_ok() {
    let Stage { folder, ledger, .. } = stage(4);
    drop(ledger);
    let early = fs::read(folder.database()).unwrap();
    let ledger = folder.open();
    ledger.append_many((4..9).map(body)).unwrap();
    let late_checkpoint = ledger.checkpoint().unwrap();
    drop(ledger);
    fs::write(folder.database(), early).unwrap();

    let ledger = folder.open();
    let report = ledger.verify(VerifyOptions::default()).unwrap();
    assert!(matches!(report.verdict, Verdict::Bad { seq: Some(4), .. }), "{report:?}");
    let refused = ledger.append(body(50));
    assert!(matches!(refused, Err(LedgerError::Tampered { .. })), "{refused:?}");

    fs::remove_file(ledger.second_copy_path()).unwrap();
    let report = ledger.verify(VerifyOptions::default()).unwrap();
    assert!(matches!(report.verdict, Verdict::CannotTell { .. }), "{report:?}");
    assert_eq!((report.receipts, report.evidence), (4, Evidence::None));

    let older_checkpoint = late_checkpoint;
    let report =
        ledger.verify(VerifyOptions { older_checkpoint, ..VerifyOptions::default() }).unwrap();
    assert!(matches!(report.verdict, Verdict::Bad { seq: Some(4), .. }), "{report:?}");
}

#[test]
fn an_append_never_signs_a_doctored_state() {
    for sql in [
        "UPDATE tree SET frontier = zeroblob(length(frontier))",
        "UPDATE tree SET size = 5",
        "UPDATE tree SET head = zeroblob(32)",
        "DELETE FROM receipts WHERE seq = 5",
        "DELETE FROM tree",
    ] {
        let stage = stage(6);
        let fresh = stage.folder.open();
        stage.execute(sql);
        for ledger in [&stage.ledger, &fresh] {
            let refused = ledger.append(body(50));
            assert!(matches!(refused, Err(LedgerError::Tampered { .. })), "{sql}: {refused:?}");
        }
    }
}

/// A flip may hit a byte that nothing reads; then nothing may read differently.
#[test]
fn no_flipped_bit_of_the_database_file_changes_what_a_verified_ledger_says() {
    let Stage { folder, ledger, .. } = stage(40);
    let contents = |ledger: &Ledger| {
        let mut lines = Vec::new();
        ledger.export_jsonl(&mut lines).unwrap();
        let query = ReceiptQuery { run_id: Some("run-1".into()), ..ReceiptQuery::default() };
        let found: Vec<bool> =
            (0..40).map(|number| ledger.contains(&body(number).receipt_id).unwrap()).collect();
        let single: Vec<_> = (0..41).map(|seq| ledger.get(seq).unwrap()).collect();
        (lines, ledger.list(&query).unwrap(), found, single)
    };
    let expected = contents(&ledger);
    drop(ledger);
    let sound = fs::read(folder.database()).unwrap();
    let mut random = Random::new(seed());
    let mut silent = 0;
    let bits = sound.len() * 8;
    let count = usize::try_from(cases(300)).unwrap().min(bits);
    for case in 0..count {
        let bit = if count == bits { case } else { random.below(bits) };
        let mut damaged = sound.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.database(), damaged).unwrap();
        let Ok(ledger) = folder.try_open() else { continue };
        let report = ledger.verify(VerifyOptions::default());
        if report.is_ok_and(|report| report.verdict == Verdict::Ok) {
            assert!(contents(&ledger) == expected, "bit {bit}");
            silent += 1;
        }
    }
    println!("{silent} of {count} flips hit bytes that nothing reads");
}
