//! A language server: what the guards say of written and of staged code, in any editor's gutter.
//!
//! The editor sends the text of the files that are open; what comes back is a
//! diagnostic for each reference that does not exist and for each hunk that an
//! agent proposes there, with code actions on them. [`session`] holds the state
//! and is driven by messages and by the passing of time, so that a proposal
//! that arrives meanwhile shows up by itself.

mod actions;
mod documents;
mod position;
mod session;
mod told;

use std::time::Duration;

use gatewright_engine::Engine;
use lsp_server::{Connection, ExtractError, Message, ProtocolError};
use lsp_types::{InitializeParams, PositionEncodingKind};
use thiserror::Error;

use self::position::Encoding;
use self::session::Session;

/// How long the editor is quiet before a changed text is looked at.
const QUIET: Duration = Duration::from_millis(120);
/// How often the staged changes are looked at.
const LOOK: Duration = Duration::from_millis(700);

/// Who sits at the editor.
#[derive(Debug, Clone)]
pub struct Reader {
    /// The name for receipts.
    pub name: String,
    /// Why this editor may not decide, where it was started by an agent.
    pub may_not_decide: Option<String>,
}

/// Why the server stopped.
#[derive(Debug, Error)]
pub enum LspError {
    /// The editor broke the protocol, or went away in the middle of a message.
    #[error("the editor broke the protocol")]
    Protocol(#[from] ProtocolError),
    /// The editor sent something that cannot be read.
    #[error("the editor's first message cannot be read")]
    Json(#[from] serde_json::Error),
    /// A thread of the transport failed.
    #[error("the transport failed")]
    Transport(#[from] std::io::Error),
}

/// Serves an editor on standard input and output until it says goodbye.
pub fn serve_stdio(engine: &Engine, reader: Reader) -> Result<(), LspError> {
    let (connection, threads) = Connection::stdio();
    serve(engine, reader, &connection)?;
    drop(connection);
    Ok(threads.join()?)
}

/// Serves one connection.
pub fn serve(engine: &Engine, reader: Reader, connection: &Connection) -> Result<(), LspError> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let encoding = encoding_of(&params);
    let answer = serde_json::json!({
        "capabilities": session::capabilities(encoding),
        "serverInfo": { "name": "gatewright", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer)?;
    let mut session = Session::new(engine, reader, encoding, connection);
    loop {
        let patience = if session.has_news() { QUIET } else { LOOK };
        match connection.receiver.recv_timeout(patience) {
            Ok(Message::Request(request)) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                session.request(request);
            }
            Ok(Message::Notification(notification)) => session.notification(notification),
            Ok(Message::Response(_)) => {}
            Err(error) if error.is_timeout() => session.look(),
            Err(_) => return Ok(()),
        }
    }
}

/// UTF-8 where the editor knows it; UTF-16 is what every editor knows.
fn encoding_of(params: &InitializeParams) -> Encoding {
    let general = params.capabilities.general.as_ref();
    let offered = general.and_then(|general| general.position_encodings.as_ref());
    match offered.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8)) {
        true => Encoding::Utf8,
        false => Encoding::Utf16,
    }
}

/// The parameters of a request or a notification, or the protocol's own error text.
fn unreadable<T>(error: &ExtractError<T>) -> String {
    match error {
        ExtractError::MethodMismatch(_) => "another method".to_owned(),
        ExtractError::JsonError { error, .. } => error.to_string(),
    }
}
