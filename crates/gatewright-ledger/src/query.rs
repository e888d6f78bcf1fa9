//! The filters of a query that the database does not know.

use gatewright_model::Receipt;
use serde_json::Value;

use crate::store::ReceiptQuery;

impl ReceiptQuery {
    /// Whether `receipt` has the path and the text that are asked for.
    pub(crate) fn matches(&self, receipt: &Receipt) -> bool {
        self.matches_path(receipt) && self.matches_text(receipt)
    }

    fn matches_path(&self, receipt: &Receipt) -> bool {
        let Some(path) = self.path.as_deref() else { return true };
        let path = path.trim_end_matches('/');
        receipt.body.files.iter().any(|file| {
            let rest = file.path.strip_prefix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    fn matches_text(&self, receipt: &Receipt) -> bool {
        let Some(text) = self.text.as_deref() else { return true };
        let text = text.to_lowercase();
        serde_json::to_value(receipt).is_ok_and(|value| has_text(&value, &text))
    }
}

/// Whether some string of `value` contains `text`, which is lower case.
fn has_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found.to_lowercase().contains(text),
        Value::Array(items) => items.iter().any(|item| has_text(item, text)),
        Value::Object(members) => members.values().any(|member| has_text(member, text)),
        _ => false,
    }
}
