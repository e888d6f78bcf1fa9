//! What a database must offer to hold a ledger.
//!
//! A store keeps bytes and decides nothing: sealing, signing and verifying are
//! done above it, so that another database can come without touching them.

use std::ops::ControlFlow;

use gatewright_model::Action;

use crate::error::StoreError;
use crate::merkle::Hash;

/// A stored receipt as it lies in the database, unchecked.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// Its place.
    pub seq: u64,
    /// Its id.
    pub receipt_id: &'a [u8],
    /// What happened.
    pub action: &'a [u8],
    /// When.
    pub timestamp: &'a [u8],
    /// The name of the agent.
    pub agent: &'a [u8],
    /// The run.
    pub run_id: &'a [u8],
    /// The hash of its leaf.
    pub leaf_hash: &'a [u8],
    /// The receipt itself, canonical.
    pub canonical: &'a [u8],
}

/// The columns that have an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexedColumn {
    /// The id of the receipt.
    ReceiptId,
    /// The run.
    RunId,
}

impl IndexedColumn {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::ReceiptId, Self::RunId];

    /// The name of the column.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReceiptId => "receipt_id",
            Self::RunId => "run_id",
        }
    }

    /// What `row` has in this column.
    pub fn of<'a>(self, row: &Row<'a>) -> &'a [u8] {
        match self {
            Self::ReceiptId => row.receipt_id,
            Self::RunId => row.run_id,
        }
    }
}

/// The state of the tree after the last append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeState {
    /// The name of the ledger.
    pub origin: String,
    /// The key that signs it.
    pub key_id: String,
    /// How many receipts there are.
    pub size: u64,
    /// `self_hash` of the last one.
    pub head: Option<Hash>,
    /// The bytes of the [`Frontier`](crate::Frontier).
    pub frontier: Vec<u8>,
    /// The signed checkpoint.
    pub checkpoint: String,
}

/// Which receipts to list, newest first. The default is all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReceiptQuery {
    /// Only receipts before this place; for the next page.
    pub before_seq: Option<u64>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Only this action.
    pub action: Option<Action>,
    /// Only receipts that name this file, or a file below this folder.
    pub path: Option<String>,
    /// Only receipts of the agent with this name.
    pub agent: Option<String>,
    /// Only receipts of this run.
    pub run_id: Option<String>,
    /// Only receipts with this text in some value, in any case.
    pub text: Option<String>,
}

/// Something staged: opaque to the ledger, kept across restarts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageItem {
    /// Identifies it.
    pub id: String,
    /// Counts its changes, from 1; ignored by `stage_insert`.
    pub version: u64,
    /// A word to list by.
    pub state: String,
    /// What is staged.
    pub blob: Vec<u8>,
}

impl StageItem {
    /// A new item.
    pub fn new(id: impl Into<String>, state: impl Into<String>, blob: Vec<u8>) -> Self {
        Self { id: id.into(), version: 1, state: state.into(), blob }
    }
}

/// A change of a staged item, made against one version of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageUpdate {
    /// Which item.
    pub id: String,
    /// The version that the change was made against.
    pub expected_version: u64,
    /// The new state.
    pub state: String,
    /// The new content; `None` keeps the old.
    pub blob: Option<Vec<u8>>,
}

/// The place of a receipt and its canonical bytes.
pub type StoredReceipt = (u64, Vec<u8>);

/// A database that holds one ledger.
///
/// Between [`begin`](Store::begin) and [`commit`](Store::commit) no other
/// process writes. All methods see what was written before them.
pub trait Store: Send {
    /// Begins the only write transaction; waits for others for a bounded time.
    fn begin(&self) -> Result<(), StoreError>;
    /// Begins to read one unchanging state.
    fn begin_read(&self) -> Result<(), StoreError>;
    /// Makes the writes durable and visible.
    fn commit(&self) -> Result<(), StoreError>;
    /// Drops the writes since `begin`.
    fn rollback(&self) -> Result<(), StoreError>;
    /// A second connection, for reading at length.
    fn reader(&self) -> Result<Box<dyn Store>, StoreError>;

    /// The state of the tree; `None` before the ledger was begun.
    fn tree_state(&self) -> Result<Option<TreeState>, StoreError>;
    /// Replaces the state of the tree.
    fn put_tree_state(&self, state: &TreeState) -> Result<(), StoreError>;

    /// Adds a receipt.
    fn insert(&self, row: &Row<'_>) -> Result<(), StoreError>;
    /// The receipt at a place.
    fn receipt_at(&self, seq: u64) -> Result<Option<StoredReceipt>, StoreError>;
    /// The receipt with this id.
    fn receipt_with_id(&self, receipt_id: &str) -> Result<Option<StoredReceipt>, StoreError>;
    /// Up to `limit` receipts whose id begins so, in the order of ids.
    fn receipts_with_prefix(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<StoredReceipt>, StoreError>;
    /// Visits receipts from the newest, filtered by the columns that `query` names.
    fn visit_newest(
        &self,
        query: &ReceiptQuery,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;
    /// Visits all rows in order.
    fn visit_rows(
        &self,
        visit: &mut dyn FnMut(&Row<'_>) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;
    /// Visits the leaf hashes in order.
    fn visit_leaves(
        &self,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;
    /// Visits all entries of an index: the value and the place.
    fn visit_index(
        &self,
        column: IndexedColumn,
        visit: &mut dyn FnMut(&[u8], u64),
    ) -> Result<(), StoreError>;

    /// What is wrong with the order in which things are kept, so that a search may miss them.
    fn damage(&self) -> Result<Option<String>, StoreError>;

    /// Adds a staged item; `false` when the id is taken.
    fn stage_insert(&self, item: &StageItem) -> Result<bool, StoreError>;
    /// The staged item with this id.
    fn stage_get(&self, id: &str) -> Result<Option<StageItem>, StoreError>;
    /// The staged items, of one state or all, in the order of ids.
    fn stage_list(&self, state: Option<&str>) -> Result<Vec<StageItem>, StoreError>;
    /// Changes an item that is at the expected version; `false` when it is not.
    fn stage_update(&self, update: &StageUpdate) -> Result<bool, StoreError>;
    /// Removes an item that is at this version; `false` when it is not.
    fn stage_remove(&self, id: &str, expected_version: u64) -> Result<bool, StoreError>;

    /// A setting of the workspace.
    fn setting(&self, key: &str) -> Result<Option<String>, StoreError>;
    /// Replaces a setting of the workspace.
    fn put_setting(&self, key: &str, value: &str) -> Result<(), StoreError>;
    /// Removes a setting of the workspace, if it is there.
    fn remove_setting(&self, key: &str) -> Result<(), StoreError>;
}
