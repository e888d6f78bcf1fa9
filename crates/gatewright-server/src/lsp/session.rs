//! One editor's session: its open files, what was said of them, what it asks.

use gatewright_engine::Engine;
use gatewright_engine::languages::lsp::uri;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as _, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{CodeActionRequest, ExecuteCommand, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    ExecuteCommandOptions, ExecuteCommandParams, MessageType, PositionEncodingKind,
    PublishDiagnosticsParams, SaveOptions, ServerCapabilities, ShowMessageParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::actions::{COMMANDS, actions, carry_out};
use super::documents::Documents;
use super::position::Encoding;
use super::told::tell;
use super::{Reader, unreadable};

/// What this server can do.
pub fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::FULL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions::default())),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// The state of one editor's session.
pub struct Session<'a> {
    engine: &'a Engine,
    reader: Reader,
    encoding: Encoding,
    connection: &'a Connection,
    documents: Documents,
    /// The staged changes as they were last seen.
    seen: Vec<(String, u64)>,
}

impl<'a> Session<'a> {
    /// Nothing is open yet.
    pub fn new(
        engine: &'a Engine,
        reader: Reader,
        encoding: Encoding,
        connection: &'a Connection,
    ) -> Self {
        let documents = Documents::default();
        Self { engine, reader, encoding, connection, documents, seen: Vec::new() }
    }

    /// Whether a text waits to be looked at.
    pub fn has_news(&self) -> bool {
        self.documents.has_new()
    }

    /// Takes note of what the editor does.
    pub fn notification(&mut self, notification: Notification) {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let params: Option<DidOpenTextDocumentParams> = read(notification.params);
                let Some(params) = params else { return };
                let document = params.text_document;
                self.put(document.uri, document.text, document.version);
            }
            DidChangeTextDocument::METHOD => {
                let params: Option<DidChangeTextDocumentParams> = read(notification.params);
                let Some(mut params) = params else { return };
                // Whole texts were agreed on: the last is the one.
                let Some(change) = params.content_changes.pop() else { return };
                let document = params.text_document;
                self.put(document.uri, change.text, document.version);
            }
            DidSaveTextDocument::METHOD => self.documents.renew(),
            DidCloseTextDocument::METHOD => {
                let params: Option<DidCloseTextDocumentParams> = read(notification.params);
                let Some(params) = params else { return };
                let uri = params.text_document.uri;
                self.documents.remove(&uri);
                let diagnostics = Vec::new();
                let empty = PublishDiagnosticsParams { uri, diagnostics, version: None };
                self.notify(PublishDiagnostics::METHOD, &empty);
            }
            _ => {}
        }
    }

    fn put(&mut self, uri: Uri, text: String, version: i32) {
        let path = uri::to_file(&self.engine.layout().root, uri.as_str());
        self.documents.put(uri, path, text, version);
    }

    /// Answers the editor.
    pub fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let response = match request.method.as_str() {
            CodeActionRequest::METHOD => self.code_actions(request),
            ExecuteCommand::METHOD => self.command(request),
            method => {
                let message = format!("there is no method {method}");
                Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
            }
        };
        // A client that is gone is noticed by the next read.
        let _ = self.connection.sender.send(Message::Response(response));
    }

    fn code_actions(&mut self, request: Request) -> Response {
        let (id, params) = match extract::<CodeActionParams>(request, CodeActionRequest::METHOD) {
            Ok(read) => read,
            Err(response) => return *response,
        };
        self.look();
        let document = self.documents.get(&params.text_document.uri);
        let found = document.map(|document| actions(document, &params.range)).unwrap_or_default();
        Response::new_ok(id, found)
    }

    fn command(&mut self, request: Request) -> Response {
        let (id, params) = match extract::<ExecuteCommandParams>(request, ExecuteCommand::METHOD) {
            Ok(read) => read,
            Err(response) => return *response,
        };
        let done = carry_out(self.engine, &self.reader, &params.command, &params.arguments);
        let (typ, message) = match done {
            Ok(message) => (MessageType::INFO, message),
            Err(message) => (MessageType::ERROR, message),
        };
        let message = self.engine.egress().seal(&message).into_inner();
        self.notify(ShowMessage::METHOD, &ShowMessageParams { typ, message });
        self.documents.renew();
        self.look();
        Response::new_ok(id, serde_json::Value::Null)
    }

    /// Looks at what is new, and says what changed about it.
    pub fn look(&mut self) {
        let staged = self.engine.ledger().stage_list(Some("open")).unwrap_or_default();
        let seen: Vec<_> = staged.into_iter().map(|item| (item.id, item.version)).collect();
        if seen != self.seen {
            self.seen = seen;
            self.documents.renew();
        }
        let mut news = Vec::new();
        for document in self.documents.iter_mut().filter(|document| document.is_new) {
            document.is_new = false;
            document.told = tell(self.engine, self.encoding, document);
            news.push(PublishDiagnosticsParams {
                uri: document.uri.clone(),
                diagnostics: document.told.iter().map(|told| told.diagnostic.clone()).collect(),
                version: Some(document.version),
            });
        }
        for params in &news {
            self.notify(PublishDiagnostics::METHOD, params);
        }
    }

    fn notify(&self, method: &str, params: &impl Serialize) {
        let notification = Notification::new(method.to_owned(), params);
        let _ = self.connection.sender.send(Message::Notification(notification));
    }
}

fn read<T: DeserializeOwned>(params: serde_json::Value) -> Option<T> {
    // A notification has no answer; one that cannot be read is passed over.
    serde_json::from_value(params).ok()
}

fn extract<T: DeserializeOwned>(
    request: Request,
    method: &str,
) -> Result<(RequestId, T), Box<Response>> {
    let id = request.id.clone();
    request.extract(method).map_err(|error| {
        let message = unreadable(&error);
        Box::new(Response::new_err(id, ErrorCode::InvalidParams as i32, message))
    })
}
