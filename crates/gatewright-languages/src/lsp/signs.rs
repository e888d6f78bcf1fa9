//! What servers say of their own state: loading, indexing, ready.
//!
//! A rename asked too early looks like a whole one and is not. Each server has
//! its own sign that it knows the project; the catalogue says which one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;

/// The sign by which a server shows that it knows the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadySign {
    /// `experimental/serverStatus` with `quiescent`.
    Quiescent,
    /// `language/status` of the type `ServiceReady`.
    ServiceReady,
    /// Progress that was begun has ended, or none was begun for a while.
    Progress,
    /// The status of every shown file is idle, and no progress runs.
    FilesIdle,
}

/// The signs that were seen.
#[derive(Debug, Default)]
pub struct Signs {
    running: BTreeMap<String, String>,
    ended: bool,
    quiescent: Option<bool>,
    service_ready: bool,
    busy_files: BTreeSet<String>,
    health: Option<String>,
}

impl Signs {
    /// A file was shown; servers that report on files owe a word on it.
    pub fn expect_file(&mut self, path: &str) {
        self.busy_files.insert(path.to_owned());
    }

    /// Whether the sign is there. `quiet` is how long the server has been told and asked nothing.
    pub fn are_ready(&self, sign: ReadySign, quiet: Duration, grace: Duration) -> bool {
        let is_still = self.running.is_empty();
        match sign {
            ReadySign::Quiescent => self.quiescent == Some(true),
            ReadySign::ServiceReady => self.service_ready && is_still,
            ReadySign::Progress => is_still && (self.ended || quiet >= grace),
            ReadySign::FilesIdle => is_still && self.busy_files.is_empty() && quiet >= grace,
        }
    }

    /// What is going on, for people.
    pub fn describe(&self) -> Option<String> {
        let running = self.running.values().next().filter(|text| !text.is_empty());
        running.cloned().or_else(|| self.complaint())
    }

    /// What the server complains of, on one line.
    pub fn complaint(&self) -> Option<String> {
        let line = self.health.as_deref()?.lines().next()?;
        (!line.is_empty()).then(|| line.chars().take(200).collect())
    }

    /// Takes news that may be a sign.
    pub fn learn(&mut self, method: &str, params: &Value, path: impl Fn(&str) -> Option<String>) {
        let text = |key: &str| params.get(key).and_then(Value::as_str);
        match method {
            "$/progress" => self.progress(params),
            "experimental/serverStatus" => {
                self.quiescent = params.get("quiescent").and_then(Value::as_bool);
                self.health = text("message").map(str::to_owned);
            }
            "window/showMessage" if params.get("type").and_then(Value::as_u64) == Some(1) => {
                self.health = text("message").map(str::to_owned);
            }
            "language/status" if matches!(text("type"), Some("ServiceReady" | "Started")) => {
                self.service_ready |= text("type") == Some("ServiceReady");
            }
            "textDocument/clangd.fileStatus" => {
                let Some(path) = text("uri").and_then(path) else { return };
                if text("state").is_some_and(|state| state.starts_with("idle")) {
                    self.busy_files.remove(&path);
                } else {
                    self.busy_files.insert(path);
                }
            }
            _ => {}
        }
    }

    fn progress(&mut self, params: &Value) {
        let token = params.get("token").map(Value::to_string).unwrap_or_default();
        let text = |key: &str| params.pointer(key).and_then(Value::as_str).unwrap_or_default();
        match text("/value/kind") {
            "begin" | "report" => {
                let title = text("/value/title");
                let entry = self.running.entry(token).or_default();
                if !title.is_empty() {
                    *entry = title.to_owned();
                }
            }
            "end" => {
                self.running.remove(&token);
                self.ended = true;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const GRACE: Duration = Duration::from_secs(1);

    fn progress(signs: &mut Signs, kind: &str) {
        let params = json!({ "token": 1, "value": { "kind": kind, "title": "Indexing" } });
        signs.learn("$/progress", &params, |_| None);
    }

    #[test]
    fn progress_that_runs_is_not_ready_however_quiet() {
        let mut signs = Signs::default();
        assert!(!signs.are_ready(ReadySign::Progress, Duration::ZERO, GRACE));
        assert!(signs.are_ready(ReadySign::Progress, GRACE, GRACE));
        progress(&mut signs, "begin");
        assert!(!signs.are_ready(ReadySign::Progress, GRACE * 9, GRACE));
        assert_eq!(signs.describe().as_deref(), Some("Indexing"));
        progress(&mut signs, "end");
        assert!(signs.are_ready(ReadySign::Progress, Duration::ZERO, GRACE));
    }

    #[test]
    fn a_server_that_loads_again_is_no_longer_quiescent() {
        let mut signs = Signs::default();
        for (quiescent, ready) in [(false, false), (true, true), (false, false)] {
            let params = json!({ "health": "ok", "quiescent": quiescent });
            signs.learn("experimental/serverStatus", &params, |_| None);
            assert_eq!(signs.are_ready(ReadySign::Quiescent, GRACE * 9, GRACE), ready);
        }
    }

    #[test]
    fn every_shown_file_must_be_idle() {
        let mut signs = Signs::default();
        let status = |signs: &mut Signs, state: &str| {
            let params = json!({ "uri": "file:///w/a.c", "state": state });
            signs.learn("textDocument/clangd.fileStatus", &params, |_| Some("a.c".to_owned()));
        };
        signs.expect_file("a.c");
        status(&mut signs, "parsing includes");
        assert!(!signs.are_ready(ReadySign::FilesIdle, GRACE, GRACE));
        status(&mut signs, "idle");
        assert!(signs.are_ready(ReadySign::FilesIdle, GRACE, GRACE));
    }
}
