//! A server that plays a part, on a wire without a process and a clock without time.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Duration;

use gatewright_languages::lsp::catalogue::{SERVERS, ServerSpec};
use gatewright_languages::lsp::client::{Client, Link, Received};
use gatewright_languages::lsp::edits::{TextEdit, apply};
use gatewright_languages::lsp::frame::{Frames, encode};
use gatewright_languages::lsp::position::{Places, PositionEncoding, Range};
use gatewright_languages::lsp::session::Session;
use gatewright_languages::lsp::uri;
use serde_json::{Value, json};

pub const ROOT: &str = "/w";

/// What a part does when it is asked something.
pub enum Reaction {
    Answer(Value),
    Refuse(i64, &'static str),
    Silence,
    Die,
    Garbage(&'static [u8]),
}

/// What the part has seen.
#[derive(Default)]
pub struct Seen {
    /// Open documents by path, as the messages describe them.
    pub texts: BTreeMap<String, String>,
    /// Versions by path.
    pub versions: BTreeMap<String, i64>,
    /// Every message with its time.
    pub log: Vec<(Duration, Value)>,
    pub encoding: PositionEncoding,
    pub now: Duration,
}

impl Seen {
    /// How often a method was sent.
    pub fn count(&self, method: &str) -> usize {
        self.log.iter().filter(|(_, message)| message["method"] == method).count()
    }

    /// An edit of one range of a document, in the agreed unit.
    pub fn edit(&self, path: &str, span: std::ops::Range<usize>, text: &str) -> Value {
        let places = Places::new(&self.texts[path], self.encoding);
        let range = Range { start: places.position(span.start), end: places.position(span.end) };
        json!({ "range": range.to_json(), "newText": text })
    }

    /// One edit for each whole-word use in a document.
    pub fn edits(&self, path: &str, old: &str, new: &str) -> Vec<Value> {
        let uses = gatewright_languages::lsp::project::occurrences(&self.texts[path], old);
        uses.map(|at| self.edit(path, at..at + old.len(), new)).collect()
    }

    /// The plain rename of every open document of these paths.
    pub fn rename(&self, paths: &[&str], old: &str, new: &str) -> Value {
        let changes: serde_json::Map<String, Value> = paths
            .iter()
            .map(|path| (address(path), Value::Array(self.edits(path, old, new))))
            .collect();
        json!({ "changes": changes })
    }

    fn take(&mut self, message: &Value) {
        let document = &message["params"]["textDocument"];
        let path = document["uri"].as_str().and_then(|uri| uri::to_file(Path::new(ROOT), uri));
        let Some(path) = path else { return };
        match message["method"].as_str() {
            Some("textDocument/didOpen") => {
                self.texts.insert(path.clone(), document["text"].as_str().unwrap().to_owned());
            }
            Some("textDocument/didChange") => {
                for change in message["params"]["contentChanges"].as_array().unwrap() {
                    let new_text = change["text"].as_str().unwrap().to_owned();
                    let text = match Range::of(&change["range"]) {
                        None => new_text,
                        Some(range) => {
                            let edit = TextEdit { range, new_text };
                            apply(&self.texts[&path], &[edit], self.encoding).unwrap()
                        }
                    };
                    self.texts.insert(path.clone(), text);
                }
            }
            Some("textDocument/didClose") => {
                self.texts.remove(&path);
            }
            _ => return,
        }
        if let Some(version) = document["version"].as_i64() {
            self.versions.insert(path, version);
        }
    }
}

pub fn address(path: &str) -> String {
    uri::of_file(Path::new(ROOT), path)
}

/// A part: what to say to a question.
pub type Part = Box<dyn FnMut(&Seen, &str, &Value) -> Reaction>;

/// The wire to a part.
pub struct Stage {
    pub seen: Seen,
    part: Part,
    frames: Frames,
    coming: VecDeque<(Duration, Vec<u8>)>,
    delay: Duration,
    is_dead: bool,
}

impl Link for Stage {
    fn send(&mut self, bytes: &[u8]) -> bool {
        self.frames.push(bytes);
        while let Some(message) = self.frames.next_message().expect("the client speaks well") {
            self.hear(message);
        }
        !self.is_dead
    }

    fn receive(&mut self, wait: Duration) -> Received {
        let until = self.seen.now + wait;
        match self.coming.front() {
            Some((at, _)) if *at <= until => {
                let (at, bytes) = self.coming.pop_front().unwrap();
                self.seen.now = self.seen.now.max(at);
                Received::Bytes(bytes)
            }
            _ if self.is_dead => Received::Closed,
            _ => {
                self.seen.now = until;
                Received::Nothing
            }
        }
    }

    fn now(&self) -> Duration {
        self.seen.now
    }
}

impl Stage {
    fn hear(&mut self, message: Value) {
        self.seen.log.push((self.seen.now, message.clone()));
        self.seen.take(&message);
        let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) else {
            return;
        };
        let reaction = match method {
            "initialize" => Reaction::Answer(json!({ "capabilities": {
                "positionEncoding": match self.seen.encoding {
                    PositionEncoding::Utf8 => "utf-8",
                    PositionEncoding::Utf16 => "utf-16",
                },
                "textDocumentSync": 2, "renameProvider": true, "documentSymbolProvider": true,
            } })),
            "shutdown" => Reaction::Answer(Value::Null),
            _ => (self.part)(&self.seen, method, &message["params"]),
        };
        match reaction {
            Reaction::Answer(result) => self.say(&json!({ "id": id, "result": result })),
            Reaction::Refuse(code, words) => {
                self.say(&json!({ "id": id, "error": { "code": code, "message": words } }));
            }
            Reaction::Silence => {}
            Reaction::Die => self.is_dead = true,
            Reaction::Garbage(bytes) => self.coming.push_back((self.seen.now, bytes.to_vec())),
        }
    }

    /// Sends a message to the client.
    pub fn say(&mut self, message: &Value) {
        let at = self.seen.now + self.delay;
        self.say_at(at, message);
    }

    /// Sends a message to the client at a time.
    pub fn say_at(&mut self, at: Duration, message: &Value) {
        self.coming.push_back((at, encode(message)));
        self.coming.make_contiguous().sort_by_key(|(at, _)| *at);
    }

    /// Ends the server.
    pub fn kill(&mut self) {
        self.is_dead = true;
    }
}

/// A client of a part, past its hello.
pub fn client(server: &str, encoding: PositionEncoding, part: Part) -> Client<Stage> {
    let spec: &'static ServerSpec =
        SERVERS.iter().find(|spec| spec.name == server).expect("a known server");
    let seen = Seen { encoding, ..Seen::default() };
    let stage = Stage {
        seen,
        part,
        frames: Frames::default(),
        coming: VecDeque::new(),
        delay: Duration::from_millis(5),
        is_dead: false,
    };
    let mut client = Client::new(Session::new(spec, PathBuf::from(ROOT), json!({})), stage);
    client.start(1).expect("a hello");
    client
}
