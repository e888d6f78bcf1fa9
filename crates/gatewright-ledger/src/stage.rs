//! The stage and the settings: small state that survives a restart.
//!
//! Staged items are opaque here. They change by compare-and-swap on their
//! version, alone or in the transaction of the receipt that tells of it.

use gatewright_model::{Receipt, ReceiptBody};

use crate::error::LedgerError;
use crate::ledger::{Ledger, transact};
use crate::store::{StageItem, StageUpdate, Store};

impl Ledger {
    /// Appends a receipt and changes a staged item, both or neither.
    pub fn append_with_stage(
        &self,
        body: ReceiptBody,
        update: StageUpdate,
    ) -> Result<Receipt, LedgerError> {
        self.append_after(body, |store| change(store, &update).map(|_| ()))
    }

    /// Appends a receipt and adds a staged item, both or neither.
    pub fn append_and_stage(
        &self,
        body: ReceiptBody,
        item: &StageItem,
    ) -> Result<Receipt, LedgerError> {
        self.append_after(body, |store| insert(store, item))
    }

    /// Adds a staged item.
    pub fn stage_insert(&self, item: &StageItem) -> Result<(), LedgerError> {
        insert(&*self.lock().store, item)
    }

    /// The staged item with this id.
    pub fn stage_get(&self, id: &str) -> Result<Option<StageItem>, LedgerError> {
        Ok(self.lock().store.stage_get(id)?)
    }

    /// The staged items, of one state or all, in the order of ids.
    pub fn stage_list(&self, state: Option<&str>) -> Result<Vec<StageItem>, LedgerError> {
        Ok(self.lock().store.stage_list(state)?)
    }

    /// Changes a staged item; gives its new version.
    pub fn stage_update(&self, update: &StageUpdate) -> Result<u64, LedgerError> {
        let state = self.lock();
        transact(&*state.store, |store| change(store, update))
    }

    /// Removes a staged item that is at this version.
    pub fn stage_remove(&self, id: &str, expected_version: u64) -> Result<(), LedgerError> {
        let state = self.lock();
        transact(&*state.store, |store| {
            if store.stage_remove(id, expected_version)? {
                return Ok(());
            }
            Err(conflict(store, id, expected_version)?)
        })
    }

    /// A setting of the workspace.
    pub fn setting_get(&self, key: &str) -> Result<Option<String>, LedgerError> {
        Ok(self.lock().store.setting(key)?)
    }

    /// Replaces a setting of the workspace.
    pub fn setting_set(&self, key: &str, value: &str) -> Result<(), LedgerError> {
        Ok(self.lock().store.put_setting(key, value)?)
    }

    /// Removes a setting of the workspace, if it is there.
    pub fn setting_remove(&self, key: &str) -> Result<(), LedgerError> {
        Ok(self.lock().store.remove_setting(key)?)
    }
}

fn insert(store: &dyn Store, item: &StageItem) -> Result<(), LedgerError> {
    if store.stage_insert(item)? {
        return Ok(());
    }
    Err(LedgerError::StageExists { id: item.id.clone() })
}

pub(crate) fn change(store: &dyn Store, update: &StageUpdate) -> Result<u64, LedgerError> {
    if store.stage_update(update)? {
        return Ok(update.expected_version + 1);
    }
    Err(conflict(store, &update.id, update.expected_version)?)
}

fn conflict(store: &dyn Store, id: &str, expected: u64) -> Result<LedgerError, LedgerError> {
    let found = store.stage_get(id)?.map(|item| item.version);
    Ok(LedgerError::StageConflict { id: id.to_owned(), expected, found })
}
