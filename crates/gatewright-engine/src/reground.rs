//! Today's guards on the files of an old receipt: what is new, resolved and unchanged.

use gatewright_model::{ChangeSet, FileChange, Finding, Intent, RequestedPath};
use serde::Serialize;

use crate::judging::Stage;
use crate::{Engine, EngineError, READ_LIMIT};

/// What today's guards say of an old receipt's files.
#[derive(Debug, Clone, Serialize)]
pub struct Regrounded {
    /// The receipt.
    pub receipt_id: String,
    /// Its files, as they are now.
    pub files: Vec<RegroundedFile>,
    /// Found today and not then.
    pub new: Vec<Finding>,
    /// Found then and not today.
    pub resolved: Vec<Finding>,
    /// Found then and today.
    pub unchanged: Vec<Finding>,
}

/// One file of an old receipt.
#[derive(Debug, Clone, Serialize)]
pub struct RegroundedFile {
    /// The path.
    pub path: String,
    /// `as-applied`, `changed-since` or `gone`.
    pub state: &'static str,
}

impl Engine {
    /// Judges the present content of a receipt's files as if it were written today.
    pub fn reground(&self, receipt_id: &str) -> Result<Regrounded, EngineError> {
        let receipt = self.receipt(receipt_id)?;
        let mut changes = Vec::new();
        let mut files = Vec::new();
        for record in &receipt.body.files {
            let requested = RequestedPath::new(record.path.clone());
            let now = self.workspace.read(&requested, READ_LIMIT).unwrap_or(None);
            let state = match &now {
                None => "gone",
                Some(state) if Some(state.digest()) == record.after_hash => "as-applied",
                Some(_) => "changed-since",
            };
            files.push(RegroundedFile { path: record.path.clone(), state });
            changes.extend(now.map(|state| FileChange {
                requested,
                before: None,
                after: Some(state),
                renamed_from: None,
                intent: Intent::Create,
            }));
        }
        let judged = self.judge(ChangeSet::new(changes), Stage::Proposal);
        let (then, today) = (receipt.body.findings, judged.findings());
        let same = |a: &Finding, b: &Finding| {
            a.code == b.code && a.path == b.path && a.message == b.message
        };
        let is_in = |finding: &Finding, list: &[Finding]| list.iter().any(|f| same(f, finding));
        Ok(Regrounded {
            receipt_id: receipt.body.receipt_id,
            files,
            new: today.iter().filter(|f| !is_in(f, &then)).cloned().collect(),
            resolved: then.iter().filter(|f| !is_in(f, today)).cloned().collect(),
            unchanged: today.iter().filter(|f| is_in(f, &then)).cloned().collect(),
        })
    }
}
