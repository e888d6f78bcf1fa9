//! Sample receipts and a folder with a ledger, for the tests of this crate.

#![allow(dead_code, reason = "each test file uses what it needs")]

use std::path::PathBuf;

use gatewright_ledger::{Durability, Ledger, LedgerError, Signer};
use gatewright_model::{
    Action, Agent, Digest, Door, FileRecord, GuardOutcomes, HunkRecord, ReceiptBody,
};

/// The name of every ledger here.
pub const ORIGIN: &str = "gatewright.test/ledger";

/// A folder that vanishes, with a key and a database.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &std::path::Path {
        self.0.path()
    }

    pub fn key(&self) -> PathBuf {
        self.path().join("key")
    }

    pub fn database(&self) -> PathBuf {
        self.path().join("ledger.db")
    }

    pub fn try_open(&self) -> Result<Ledger, LedgerError> {
        let signer = Signer::load_or_create(&self.key())?;
        Ledger::open(&self.database(), ORIGIN, signer, Durability::None)
    }

    pub fn open(&self) -> Ledger {
        self.try_open().unwrap()
    }
}

/// A body that differs with `number` in every column.
pub fn body(number: u64) -> ReceiptBody {
    const ACTIONS: [Action; 6] = [
        Action::Refuse,
        Action::Apply,
        Action::Stage,
        Action::Reject,
        Action::Rollback,
        Action::Notice,
    ];
    let path = format!("src/file{number}.rs");
    ReceiptBody {
        receipt_id: format!("receipt-{number:06}"),
        timestamp: format!("2026-01-01T00:00:{:02}Z", number % 60),
        workspace_id: "workspace".into(),
        run_id: format!("run-{}", number % 3),
        agent: Agent {
            name: ["codex", "a \"quoted\" näme"][number as usize % 2].into(),
            version: "1.0".into(),
            door: Door::Mcp,
        },
        user: "user".into(),
        action: ACTIONS[number as usize % 6],
        applied: number % 6 == 1,
        files: vec![FileRecord {
            path: path.clone(),
            requested: None,
            before_hash: None,
            after_hash: Some(Digest::of(&number.to_le_bytes())),
            before_mode: None,
            after_mode: Some("644".into()),
        }],
        diffs: vec![HunkRecord { path, hunks: vec!["@@ -0,0 +1 @@\n+fn f() {}\n".into()] }],
        snapshot_id: None,
        symbols_checked: number,
        guards: GuardOutcomes::default(),
        findings: vec![],
        missing_references: vec![],
        redactions: [("path".to_owned(), number)].into(),
        autonomy: "hybrid".into(),
        reviewer: None,
        refers_to: None,
        policy_hash: Digest::of(b"policy"),
        note: Some(format!("note {number} \u{1f600}\u{7f}\u{1}")),
    }
}
