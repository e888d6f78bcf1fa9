//! What happens once: a bounded list of keys, and a receipt that is written together with its key.

use gatewright_model::{Receipt, ReceiptBody};

use crate::error::LedgerError;
use crate::ledger::{Ledger, transact};
use crate::store::Store;

/// A key in a list of the newest ones, which is kept among the settings.
#[derive(Debug, Clone, Copy)]
pub struct Once<'a> {
    /// The name of the list.
    pub list: &'a str,
    /// The key.
    pub key: &'a str,
    /// How many keys the list keeps.
    pub kept: usize,
}

impl Ledger {
    /// Notes a key; whether it was not there. Of two at the same time one is the first.
    pub fn note_once(&self, once: &Once<'_>) -> Result<bool, LedgerError> {
        let state = self.lock();
        transact(&*state.store, |store| note(store, once))
    }

    /// Appends a receipt and notes its key, both or neither; `None` where the key was there.
    pub fn append_once(
        &self,
        body: ReceiptBody,
        once: &Once<'_>,
    ) -> Result<Option<Receipt>, LedgerError> {
        let is_first = |store: &dyn Store| match note(store, once)? {
            true => Ok(()),
            false => Err(LedgerError::Noted),
        };
        match self.append_after(body, is_first) {
            Err(LedgerError::Noted) => Ok(None),
            appended => appended.map(Some),
        }
    }
}

fn note(store: &dyn Store, once: &Once<'_>) -> Result<bool, LedgerError> {
    let text = store.setting(once.list)?.unwrap_or_default();
    let mut keys: Vec<String> = serde_json::from_str(&text).unwrap_or_default();
    if keys.iter().any(|key| key == once.key) {
        return Ok(false);
    }
    keys.push(once.key.to_owned());
    let surplus = keys.len().saturating_sub(once.kept);
    keys.drain(..surplus);
    store.put_setting(once.list, &serde_json::Value::from(keys).to_string())?;
    Ok(true)
}
