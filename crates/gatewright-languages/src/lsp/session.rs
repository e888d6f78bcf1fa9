//! The state of one conversation with a server, without any IO.
//!
//! Bytes go in through [`Session::receive`] and come out of
//! [`Session::take_output`]; a driver carries them. The session numbers the
//! questions, keeps answers until they are fetched, forgets late ones, answers
//! what servers ask, and remembers what they say of their own state.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::catalogue::ServerSpec;
use super::documents::{DocumentNews, Documents, Showing, SyncKind};
use super::frame::{self, FrameError, Frames};
use super::message::{self, Incoming, Reply, RequestId};
use super::position::PositionEncoding;
use super::signs::Signs;
use super::uri;

/// One conversation.
pub struct Session {
    spec: &'static ServerSpec,
    root: PathBuf,
    frames: Frames,
    output: Vec<u8>,
    next_id: RequestId,
    waiting: BTreeSet<RequestId>,
    answers: BTreeMap<RequestId, Reply>,
    capabilities: Value,
    encoding: PositionEncoding,
    sync: SyncKind,
    documents: Documents,
    signs: Signs,
    diagnostics: BTreeMap<String, Published>,
    options: Value,
}

/// What a server published about a document by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The version that it is about, where the server says so.
    pub version: Option<i64>,
    /// The diagnostics, as they came.
    pub items: Vec<Value>,
}

impl Session {
    /// A conversation that has not begun, with the options that the server gets.
    pub fn new(spec: &'static ServerSpec, root: PathBuf, options: Value) -> Self {
        Self {
            spec,
            root,
            frames: Frames::default(),
            output: Vec::new(),
            next_id: 1,
            waiting: BTreeSet::new(),
            answers: BTreeMap::new(),
            capabilities: Value::Null,
            encoding: PositionEncoding::default(),
            sync: SyncKind::default(),
            documents: Documents::default(),
            signs: Signs::default(),
            diagnostics: BTreeMap::new(),
            options,
        }
    }

    /// The first question.
    pub fn initialize(&mut self, process_id: u32) -> RequestId {
        let root_uri = uri::of_path(&self.root);
        let name = self.root.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
        let params = json!({
            "processId": process_id,
            "clientInfo": { "name": "gatewright", "version": env!("CARGO_PKG_VERSION") },
            "rootUri": root_uri,
            "rootPath": self.root.to_string_lossy(),
            "workspaceFolders": [{ "uri": root_uri, "name": name }],
            "capabilities": client_capabilities(),
            "initializationOptions": self.options,
            "trace": "off",
        });
        self.ask("initialize", params)
    }

    /// Takes the answer to the first question, and says that we are there.
    pub fn initialized(&mut self, result: &Value) {
        self.capabilities = result.get("capabilities").cloned().unwrap_or_default();
        let encoding = self.capabilities.get("positionEncoding").and_then(Value::as_str);
        self.encoding = match encoding {
            Some("utf-8") => PositionEncoding::Utf8,
            _ => PositionEncoding::Utf16,
        };
        let sync = self.capabilities.get("textDocumentSync");
        let change = sync.and_then(|sync| sync.get("change").unwrap_or(sync).as_i64());
        self.sync = if change == Some(1) { SyncKind::Full } else { SyncKind::Ranged };
        self.tell("initialized", json!({}));
        self.tell("workspace/didChangeConfiguration", json!({ "settings": self.spec.settings() }));
    }

    /// Sends a question and gives its number.
    pub fn ask(&mut self, method: &str, params: Value) -> RequestId {
        let id = self.next_id;
        self.next_id += 1;
        self.waiting.insert(id);
        self.send(&message::question(id, method, params));
        id
    }

    /// Sends news.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&message::news(method, params));
    }

    /// Gives a question up. An answer that comes all the same is dropped.
    pub fn give_up(&mut self, id: RequestId) {
        self.waiting.remove(&id);
        self.answers.remove(&id);
        self.tell("$/cancelRequest", json!({ "id": id }));
    }

    /// The answer to a question, once it is there.
    pub fn take_answer(&mut self, id: RequestId) -> Option<Reply> {
        self.answers.remove(&id)
    }

    /// Takes bytes from the server.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), FrameError> {
        self.frames.push(bytes);
        while let Some(message) = self.frames.next_message()? {
            match Incoming::of(message) {
                Incoming::Answer(id, reply) => {
                    if self.waiting.remove(&id) {
                        self.answers.insert(id, reply);
                    }
                }
                Incoming::Question { id, method, params } => self.reply(&id, &method, &params),
                Incoming::News { method, params } => self.learn(&method, params),
                Incoming::Nonsense => {}
            }
        }
        Ok(())
    }

    /// The bytes that are to be sent.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    /// Brings a document to this text. Says whether anything was sent.
    pub fn show(&mut self, path: &str, language_id: &str, text: &Arc<str>) -> bool {
        let uri = uri::of_file(&self.root, path);
        let how = Showing { uri: &uri, language_id, encoding: self.encoding, sync: self.sync };
        let news = self.documents.show(path, text, how);
        let is_news = news.is_some();
        if is_news {
            self.signs.expect_file(path);
            self.diagnostics.remove(path);
        }
        self.pass_on(news);
        is_news
    }

    /// Closes a document whose file is gone.
    pub fn close(&mut self, path: &str) {
        let uri = uri::of_file(&self.root, path);
        let news = self.documents.close(path, &uri);
        self.pass_on(news);
    }

    /// Announces files that came, changed or went on disk.
    pub fn announce(&mut self, changes: &[(String, FileEvent)]) {
        if changes.is_empty() {
            return;
        }
        let entry = |(path, event): &(String, FileEvent)| json!({ "uri": uri::of_file(&self.root, path), "type": *event as i64 });
        let changes: Vec<Value> = changes.iter().map(entry).collect();
        self.tell("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    }

    /// What the server published about a document by itself.
    pub fn published(&self, path: &str) -> Option<&Published> {
        self.diagnostics.get(path)
    }

    /// The open documents.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    /// What the server said of its own state.
    pub fn signs(&self) -> &Signs {
        &self.signs
    }

    /// What the server can do.
    pub fn can(&self, capability: &str) -> bool {
        let value = self.capabilities.get(capability);
        value.is_some_and(|value| !value.is_null() && value != &Value::Bool(false))
    }

    /// The agreed unit of columns.
    pub fn encoding(&self) -> PositionEncoding {
        self.encoding
    }

    /// The entry of the catalogue.
    pub fn spec(&self) -> &'static ServerSpec {
        self.spec
    }

    /// The workspace root.
    pub fn root(&self) -> &std::path::Path {
        &self.root
    }

    fn send(&mut self, message: &Value) {
        self.output.extend(frame::encode(message));
    }

    fn pass_on(&mut self, news: Option<DocumentNews>) {
        if let Some(news) = news {
            self.tell(news.method, news.params);
        }
    }

    /// Answers what servers ask, so that none of them waits for us.
    fn reply(&mut self, id: &Value, method: &str, params: &Value) {
        let result = match method {
            "workspace/configuration" => {
                let items = params.get("items").and_then(Value::as_array);
                let items = items.map(Vec::as_slice).unwrap_or_default();
                let section = |item: &Value| {
                    self.spec.section(item.get("section").and_then(Value::as_str).unwrap_or(""))
                };
                Value::Array(items.iter().map(section).collect())
            }
            "workspace/workspaceFolders" => {
                json!([{ "uri": uri::of_path(&self.root), "name": "workspace" }])
            }
            // Only a rename that was asked for is taken, and only through the pipeline.
            "workspace/applyEdit" => json!({ "applied": false, "failureReason": "not asked for" }),
            "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest"
            | "workspace/semanticTokens/refresh"
            | "workspace/codeLens/refresh"
            | "workspace/inlayHint/refresh"
            | "workspace/diagnostic/refresh" => Value::Null,
            other => {
                let refusal = message::unknown(id, other);
                return self.send(&refusal);
            }
        };
        let answer = message::answer(id, result);
        self.send(&answer);
    }

    fn learn(&mut self, method: &str, params: Value) {
        if method != "textDocument/publishDiagnostics" {
            let root = &self.root;
            return self.signs.learn(method, &params, |uri| uri::to_file(root, uri));
        }
        let path = params.get("uri").and_then(Value::as_str);
        let Some(path) = path.and_then(|uri| uri::to_file(&self.root, uri)) else { return };
        let version = params.get("version").and_then(Value::as_i64);
        let items = params.get("diagnostics").and_then(Value::as_array).cloned();
        let published = Published { version, items: items.unwrap_or_default() };
        // News about a text that is no longer shown is old news.
        let shown = self.documents.get(&path).map(|document| document.version);
        if version.is_none() || shown.is_none() || version == shown {
            self.diagnostics.insert(path, published);
        }
    }
}

/// What happened to a file on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileEvent {
    /// It came.
    Created = 1,
    /// Its content is another.
    Changed = 2,
    /// It went.
    Deleted = 3,
}

/// What we can do. Little is said, so that servers answer in the plainest form.
fn client_capabilities() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-8", "utf-16"] },
        "workspace": {
            "workspaceFolders": true,
            "configuration": true,
            "didChangeConfiguration": { "dynamicRegistration": false },
            "didChangeWatchedFiles": { "dynamicRegistration": true, "relativePatternSupport": true },
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] },
        },
        "textDocument": {
            "synchronization": { "didSave": false },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "rename": { "prepareSupport": false },
            "references": {},
            "publishDiagnostics": { "versionSupport": true, "relatedInformation": false },
            "diagnostic": { "dynamicRegistration": false, "relatedDocumentSupport": false },
        },
        "window": { "workDoneProgress": true },
        "experimental": { "serverStatusNotification": true },
    })
}
