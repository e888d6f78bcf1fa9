//! The ledger on a real disk: append, find, stage, errors.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests build real databases and fail by panicking"
)]

mod sample;

use std::os::unix::fs::PermissionsExt;
use std::{fs, thread};

use gatewright_ledger::{
    Anchor, Checkpoint, Durability, Evidence, KeyError, Ledger, LedgerError, Once, ReceiptQuery,
    Signer, StageItem, StageUpdate, StoreError, Verdict, VerifyOptions, verify_consistency,
};
use gatewright_model::Action;
use sample::{Folder, ORIGIN, body};

fn verdict(ledger: &Ledger) -> Verdict {
    ledger.verify(VerifyOptions::default()).unwrap().verdict
}

#[test]
fn appended_receipts_are_chained_found_and_verified() {
    let folder = Folder::new();
    let ledger = folder.open();
    let first = ledger.append(body(0)).unwrap();
    let second = ledger.append(body(1)).unwrap();
    assert_eq!((first.seq, second.seq), (0, 1));
    assert_eq!(first.prev_receipt_hash, None);
    assert_eq!(second.prev_receipt_hash, Some(first.self_hash));
    assert_eq!(ledger.get(0).unwrap(), Some(first.clone()));
    assert_eq!(ledger.find(&second.body.receipt_id).unwrap(), Some(second.clone()));
    assert!(ledger.contains(&first.body.receipt_id).unwrap());
    assert_eq!(ledger.find_prefix("receipt-00000").unwrap().len(), 2);
    let found = ledger.find_prefix("receipt-000001").unwrap();
    assert_eq!(found.iter().collect::<Vec<_>>(), [&second]);
    assert_eq!(ledger.find_prefix("%").unwrap(), []);
    assert_eq!((ledger.len().unwrap(), ledger.head().unwrap()), (2, Some(second.self_hash)));
    let report =
        ledger.verify(VerifyOptions { signatures: true, ..VerifyOptions::default() }).unwrap();
    assert_eq!((report.receipts, report.verdict), (2, Verdict::Ok));
}

#[test]
fn a_reopened_ledger_goes_on_where_it_was() {
    let folder = Folder::new();
    let first = folder.open().append(body(0)).unwrap();
    let second = folder.open().append(body(1)).unwrap();
    assert_eq!(second.prev_receipt_hash, Some(first.self_hash));
    assert_eq!(verdict(&folder.open()), Verdict::Ok);
}

#[test]
fn lists_newest_first_with_every_filter() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.append_many((0..20).map(body)).unwrap();
    let seqs = |query: ReceiptQuery| -> Vec<u64> {
        ledger.list(&query).unwrap().iter().map(|receipt| receipt.seq).collect()
    };
    let all = ReceiptQuery::default;
    assert_eq!(seqs(ReceiptQuery { limit: Some(3), ..all() }), [19, 18, 17]);
    assert_eq!(seqs(ReceiptQuery { before_seq: Some(2), ..all() }), [1, 0]);
    assert_eq!(seqs(ReceiptQuery { action: Some(Action::Refuse), ..all() }), [18, 12, 6, 0]);
    assert_eq!(
        seqs(ReceiptQuery { run_id: Some("run-1".into()), ..all() }),
        [19, 16, 13, 10, 7, 4, 1]
    );
    assert_eq!(seqs(ReceiptQuery { agent: Some("nobody".into()), ..all() }), [0_u64; 0]);
    assert_eq!(seqs(ReceiptQuery { path: Some("src/file7.rs".into()), ..all() }), [7]);
    assert_eq!(seqs(ReceiptQuery { path: Some("src/".into()), limit: Some(1), ..all() }), [19]);
    assert_eq!(seqs(ReceiptQuery { path: Some("sr".into()), ..all() }), [0_u64; 0]);
    assert_eq!(seqs(ReceiptQuery { text: Some("NOTE 13".into()), ..all() }), [13]);
}

#[test]
fn a_receipt_id_is_taken_once_and_the_failure_leaves_nothing() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.append(body(0)).unwrap();
    let update = StageUpdate {
        id: "item".into(),
        expected_version: 1,
        state: "done".into(),
        blob: Some(b"new".to_vec()),
    };
    ledger.stage_insert(&StageItem::new("item", "open", b"old".to_vec())).unwrap();
    let again = ledger.append_with_stage(body(0), update);
    assert!(matches!(again, Err(LedgerError::DuplicateReceipt { .. })), "{again:?}");
    assert_eq!(ledger.stage_get("item").unwrap().unwrap().state, "open");
    assert_eq!(verdict(&ledger), Verdict::Ok);
}

#[test]
fn a_drafted_receipt_takes_the_place_that_is_free_when_it_comes() {
    let folder = Folder::new();
    let (ledger, other) = (folder.open(), folder.open());
    let drafted = ledger.draft(body(0)).unwrap();
    ledger.append_draft(drafted, None).unwrap();
    let (first, second) = (ledger.draft(body(1)).unwrap(), ledger.draft(body(2)).unwrap());
    let late = ledger.draft(body(3)).unwrap();
    let first = ledger.append_draft(first, None).unwrap();
    let second = ledger.append_draft(second, None).unwrap();
    other.append(body(4)).unwrap();
    let late = ledger.append_draft(late, None).unwrap();
    assert_eq!((first.seq, second.seq, late.seq), (1, 2, 4));
    assert_eq!(second.prev_receipt_hash, Some(first.self_hash));
    assert_eq!(ledger.get(4).unwrap(), Some(late));
    let options = VerifyOptions { signatures: true, ..VerifyOptions::default() };
    assert_eq!(ledger.verify(options).unwrap().verdict, Verdict::Ok);
}

#[test]
fn a_drafted_receipt_is_held_to_what_every_other_is() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.append(body(0)).unwrap();
    ledger.stage_insert(&StageItem::new("item", "open", b"old".to_vec())).unwrap();
    let again = ledger.append_draft(ledger.draft(body(0)).unwrap(), None);
    assert!(matches!(again, Err(LedgerError::DuplicateReceipt { .. })), "{again:?}");
    let update =
        StageUpdate { id: "item".into(), expected_version: 7, state: "done".into(), blob: None };
    let stale = ledger.append_draft(ledger.draft(body(1)).unwrap(), Some(&update));
    assert!(matches!(stale, Err(LedgerError::StageConflict { .. })), "{stale:?}");
    assert_eq!(ledger.len().unwrap(), 1, "no receipt without its stage");
    let update = StageUpdate { expected_version: 1, ..update };
    ledger.append_draft(ledger.draft(body(1)).unwrap(), Some(&update)).unwrap();
    assert_eq!(ledger.stage_get("item").unwrap().unwrap().state, "done");
    assert_eq!(verdict(&ledger), Verdict::Ok);
}

#[test]
fn the_stage_changes_by_compare_and_swap_and_survives() {
    let folder = Folder::new();
    let ledger = folder.open();
    let item = StageItem::new("a", "open", b"one".to_vec());
    ledger.append_and_stage(body(0), &item).unwrap();
    assert!(matches!(ledger.stage_insert(&item), Err(LedgerError::StageExists { .. })));
    let update =
        StageUpdate { id: "a".into(), expected_version: 1, state: "held".into(), blob: None };
    assert_eq!(ledger.stage_update(&update).unwrap(), 2);
    let stale = ledger.stage_update(&update);
    assert!(
        matches!(stale, Err(LedgerError::StageConflict { expected: 1, found: Some(2), .. })),
        "{stale:?}"
    );
    let stale = ledger.append_with_stage(body(1), update.clone());
    assert!(matches!(stale, Err(LedgerError::StageConflict { .. })));
    assert_eq!(ledger.len().unwrap(), 1, "no receipt without its stage");
    ledger.append_with_stage(body(1), StageUpdate { expected_version: 2, ..update }).unwrap();
    drop(ledger);
    let ledger = folder.open();
    let found = ledger.stage_list(Some("held")).unwrap();
    assert_eq!(found, [StageItem { version: 3, state: "held".into(), ..item }]);
    assert_eq!(ledger.stage_list(Some("open")).unwrap(), []);
    ledger.stage_remove("a", 3).unwrap();
    assert!(matches!(
        ledger.stage_remove("a", 3),
        Err(LedgerError::StageConflict { found: None, .. })
    ));
}

#[test]
fn settings_survive() {
    let folder = Folder::new();
    let ledger = folder.open();
    assert_eq!(ledger.setting_get("mode").unwrap(), None);
    ledger.setting_set("mode", "hybrid").unwrap();
    ledger.setting_set("mode", "manual").unwrap();
    assert_eq!(folder.open().setting_get("mode").unwrap().as_deref(), Some("manual"));
}

#[test]
fn what_happens_once_is_appended_once_by_however_many_at_once() {
    let folder = Folder::new();
    let ledgers = [folder.open(), folder.open()];
    let once = Once { list: "calls", key: "a", kept: 2 };
    let firsts: usize = thread::scope(|scope| {
        let tries: Vec<_> = (0..8)
            .map(|number| {
                let ledger = &ledgers[number % 2];
                scope.spawn(move || ledger.append_once(body(number as u64), &once).unwrap())
            })
            .collect();
        tries.into_iter().filter_map(|one| one.join().unwrap()).count()
    });
    assert_eq!((firsts, ledgers[0].len().unwrap()), (1, 1));
    assert!(!ledgers[1].note_once(&once).unwrap());
    assert_eq!(verdict(&ledgers[0]), Verdict::Ok);
    // The list is bounded: two newer keys push the first one out.
    for key in ["b", "c", "a"] {
        assert!(ledgers[0].note_once(&Once { key, ..once }).unwrap(), "{key}");
    }
}

#[test]
fn proofs_and_anchors_hold() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.append_many((0..5).map(body)).unwrap();
    let key = ledger.signer().public_key();
    let old = Checkpoint::verify(&ledger.checkpoint().unwrap().unwrap(), ORIGIN, &key).unwrap();
    ledger.append_many((5..13).map(body)).unwrap();
    for seq in 0..13 {
        let proof = ledger.prove(seq).unwrap();
        assert!(proof.holds());
        let signed = Checkpoint::verify(&proof.checkpoint, ORIGIN, &key).unwrap();
        assert_eq!((signed.size, signed.root), (13, proof.root));
    }
    assert!(matches!(ledger.prove(13), Err(LedgerError::NoSuchReceipt { seq: 13, len: 13 })));
    let path = ledger.consistency(5).unwrap();
    let root = ledger.prove(0).unwrap().root;
    assert!(verify_consistency((5, &old.root), (13, &root), &path));
    let anchor = Anchor::from(&old);
    assert!(ledger.contains_anchor(&Anchor::find(&format!("x\n\n{anchor}\n")).unwrap()).unwrap());
    assert!(!ledger.contains_anchor(&Anchor { size: 6, ..anchor.clone() }).unwrap());
    assert!(!ledger.contains_anchor(&Anchor { size: 14, ..anchor }).unwrap());
}

#[test]
fn two_ledgers_on_one_file_make_one_chain() {
    let folder = Folder::new();
    folder.open();
    thread::scope(|scope| {
        for worker in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                let ledger = folder.open();
                for number in 0..10 {
                    ledger.append(body(worker * 10 + number)).unwrap();
                }
            });
        }
    });
    let ledger = folder.open();
    assert_eq!(ledger.len().unwrap(), 40);
    assert_eq!(verdict(&ledger), Verdict::Ok);
}

#[test]
fn growth_from_an_older_checkpoint_is_evidence() {
    let folder = Folder::new();
    let ledger = folder.open();
    ledger.append(body(0)).unwrap();
    let older_checkpoint = ledger.checkpoint().unwrap();
    ledger.append(body(1)).unwrap();
    fs::remove_file(ledger.second_copy_path()).unwrap();
    assert!(matches!(verdict(&ledger), Verdict::CannotTell { .. }));
    let report =
        ledger.verify(VerifyOptions { older_checkpoint, ..VerifyOptions::default() }).unwrap();
    assert_eq!(report.verdict, Verdict::Ok);
    assert_eq!(report.evidence, Evidence::OlderCheckpoint { size: 1 });
}

#[test]
fn a_key_that_others_may_use_is_refused() {
    let folder = Folder::new();
    folder.open();
    let set = |mode| fs::set_permissions(folder.key(), fs::Permissions::from_mode(mode)).unwrap();
    assert_eq!(fs::metadata(folder.key()).unwrap().permissions().mode() & 0o777, 0o600);
    set(0o640);
    let refused = Signer::load_or_create(&folder.key());
    assert!(matches!(refused, Err(KeyError::TooOpen { mode: 0o640, .. })), "{refused:?}");
    set(0o600);
    Signer::load_or_create(&folder.key()).unwrap();
    fs::write(folder.key(), "something else\n").unwrap();
    assert!(matches!(Signer::load_or_create(&folder.key()), Err(KeyError::Malformed { .. })));
    fs::remove_file(folder.key()).unwrap();
    assert!(matches!(Signer::load(&folder.key()), Err(KeyError::Missing { .. })));
    std::os::unix::fs::symlink("/dev/null", folder.key()).unwrap();
    assert!(matches!(Signer::load_or_create(&folder.key()), Err(KeyError::NotAFile { .. })));
}

#[test]
fn a_ledger_is_not_opened_with_another_key_or_name() {
    let folder = Folder::new();
    folder.open();
    let open = |origin, seed| {
        Ledger::open(&folder.database(), origin, Signer::from_seed(seed), Durability::None)
    };
    assert!(matches!(open(ORIGIN, &[9; 32]), Err(LedgerError::WrongKey { .. })));
    fs::remove_file(folder.key()).unwrap();
    assert!(
        matches!(folder.try_open(), Err(LedgerError::WrongKey { .. })),
        "a lost key is noticed"
    );
    assert!(matches!(open("two words", &[9; 32]), Err(LedgerError::BadOrigin { .. })));
}

#[test]
fn each_broken_database_has_its_own_error() {
    let folder = Folder::new();
    folder.open().append(body(0)).unwrap();
    let set = |sql: &str| {
        rusqlite::Connection::open(folder.database()).unwrap().execute_batch(sql).unwrap()
    };
    let open = || match folder.try_open() {
        Err(LedgerError::Store(error)) => error,
        other => panic!("opened: {:?}", other.map(|ledger| ledger.len())),
    };
    set("PRAGMA user_version = 99");
    assert!(matches!(open(), StoreError::NewerVersion { found: 99, .. }));
    set("PRAGMA user_version = 1; PRAGMA application_id = 7");
    assert!(matches!(open(), StoreError::NotALedger { .. }));
    fs::write(folder.database(), b"not a database at all, but long enough to be read as one....")
        .unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", folder.database().display()));
    }
    assert!(matches!(open(), StoreError::Corrupt { .. }));
    fs::remove_file(folder.database()).unwrap();
    assert!(matches!(open(), StoreError::Missing { .. }));
}

#[test]
fn a_locked_database_is_said_to_be_locked() {
    let folder = Folder::new();
    let ledger = folder.open();
    let other = rusqlite::Connection::open(folder.database()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let locked = ledger.append(body(0));
    assert!(matches!(locked, Err(LedgerError::Store(StoreError::Locked { .. }))), "{locked:?}");
    other.execute_batch("COMMIT").unwrap();
    ledger.append(body(0)).unwrap();
}

#[test]
fn a_place_that_cannot_hold_a_database_is_said_to_be_so() {
    let folder = Folder::new();
    let open = |path: &std::path::Path| {
        Ledger::open(path, ORIGIN, Signer::from_seed(&[1; 32]), Durability::None).err()
    };
    let nowhere = open(&folder.path().join("no-such-folder/ledger.db"));
    let cannot_open = |error: &Option<LedgerError>| {
        matches!(error, Some(LedgerError::Store(StoreError::CannotOpen { .. })))
    };
    assert!(cannot_open(&nowhere), "{nowhere:?}");
    let key = Signer::load_or_create(&folder.path().join("no-such-folder/key"));
    assert!(matches!(key, Err(KeyError::Io { .. })), "{key:?}");
    fs::create_dir(folder.database()).unwrap();
    assert!(open(&folder.database()).is_some(), "a folder is not a database");
}

#[test]
fn a_body_without_a_canonical_form_is_refused_and_leaves_nothing() {
    let folder = Folder::new();
    let ledger = folder.open();
    let mut large = body(0);
    large.symbols_checked = 1 << 53;
    assert!(matches!(ledger.append(large), Err(LedgerError::Canonical(_))));
    assert!(ledger.is_empty().unwrap());
    assert_eq!(ledger.append(body(0)).unwrap().seq, 0);
}

#[test]
fn a_second_copy_that_cannot_be_written_does_not_lose_the_receipt() {
    let folder = Folder::new();
    let ledger = folder.open();
    fs::remove_file(ledger.second_copy_path()).unwrap();
    fs::create_dir(ledger.second_copy_path()).unwrap();
    assert_eq!(ledger.append(body(0)).unwrap().seq, 0);
    assert!(ledger.second_copy_problem().is_some());
    fs::remove_dir(ledger.second_copy_path()).unwrap();
    ledger.append(body(1)).unwrap();
    assert_eq!(ledger.second_copy_problem(), None);
    assert_eq!(verdict(&ledger), Verdict::Ok);
}
