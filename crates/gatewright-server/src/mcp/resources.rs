//! Resources: the staged changes of a run, and the newest receipts, as JSON texts.
//!
//! Reading one shows what the tools show, and decides nothing.

use gatewright_engine::{Engine, EngineError, ledger::ReceiptQuery};
use rmcp::model::{Resource, ResourceContents};
use serde_json::json;

use super::session::Caller;
use super::tools::wire_change_of;

const CHANGE: &str = "gatewright://changes/";
const RECEIPT: &str = "gatewright://receipts/";
const JSON: &str = "application/json";
/// How many receipts are listed; older ones can still be read by their number.
const LISTED: usize = 50;

/// Everything that this caller may read.
pub fn list(engine: &Engine, caller: &Caller) -> Result<Vec<Resource>, EngineError> {
    let mut resources = Vec::new();
    for change in engine.open_changes()? {
        if change.run_id == caller.run_id {
            let paths: Vec<String> =
                change.files.iter().map(|file| file.requested.to_string()).collect();
            let resource = Resource::new(format!("{CHANGE}{}", change.id), change.id.clone())
                .with_title("A change that waits for review")
                .with_description(paths.join(", "))
                .with_mime_type(JSON);
            resources.push(resource);
        }
    }
    let query = ReceiptQuery { limit: Some(LISTED), ..ReceiptQuery::default() };
    for receipt in engine.ledger().list(&query)? {
        let name = format!("receipt {}", receipt.seq);
        let title = format!("{} by {}", receipt.body.action.as_str(), receipt.body.agent.name);
        let resource = Resource::new(format!("{RECEIPT}{}", receipt.seq), name)
            .with_title(title)
            .with_mime_type(JSON);
        resources.push(resource);
    }
    Ok(resources)
}

/// One resource; `None` where there is none of that address.
pub fn read(
    engine: &Engine,
    caller: &Caller,
    uri: &str,
) -> Result<Option<ResourceContents>, EngineError> {
    let value = if let Some(id) = uri.strip_prefix(CHANGE) {
        wire_change_of(engine, caller, id)?
    } else if let Some(seq) = uri.strip_prefix(RECEIPT).and_then(|seq| seq.parse().ok()) {
        engine.ledger().get(seq)?.map(|receipt| json!(receipt))
    } else {
        None
    };
    let contents = |text: String| ResourceContents::text(text, uri).with_mime_type(JSON);
    Ok(value.map(|value| contents(value.to_string())))
}

/// The number of receipts, and the open changes with their versions.
pub type State = (u64, Vec<(String, u64)>);

/// What changes whenever the list does.
pub fn state(engine: &Engine) -> Option<State> {
    let stage = engine.ledger().stage_list(Some("open")).ok()?;
    let stage = stage.into_iter().map(|item| (item.id, item.version)).collect();
    Some((engine.ledger().len().ok()?, stage))
}
