//! References and diagnostics through a server.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::client::{AskError, Client, Link};
use super::position::{Places, Position, Range};
use super::project::Project;
use super::sync::{Told, sync};
use super::uri;

/// The most files that are opened for one question.
const SHOWN_LIMIT: usize = 400;
/// How long a server that publishes by itself gets to do so.
const PUBLISH_SLICE: Duration = Duration::from_millis(50);
/// How long a file without findings is waited for to get some.
const SECOND_LOOK: Duration = Duration::from_millis(1500);

/// One of [`SEVERITIES`].
pub type Severity = &'static str;
/// The severities, as the protocol numbers them.
const SEVERITIES: [&str; 4] = ["error", "warning", "information", "hint"];

/// A use of a symbol.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Use {
    /// The file.
    pub path: String,
    /// The line number.
    pub line: usize,
    /// The column number, in bytes.
    pub column: usize,
}

/// What a server says of a place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The line number.
    pub line: usize,
    /// The column number, in bytes.
    pub column: usize,
    /// `error`, `warning`, `information` or `hint`.
    #[serde(deserialize_with = "severity")]
    pub severity: Severity,
    /// Its code, where it has one.
    pub code: Option<String>,
    /// Its words.
    pub message: String,
}

fn severity<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Severity, D::Error> {
    let word = String::deserialize(from)?;
    let known = SEVERITIES.into_iter().find(|known| *known == word);
    known.ok_or_else(|| serde::de::Error::custom("no such severity"))
}

/// The uses of the symbol whose name stands at `offset`, its definition included.
///
/// Uses outside of the workspace are counted, not listed.
pub fn references<L: Link>(
    client: &mut Client<L>,
    told: &mut Told,
    project: &Project,
    place: (&str, usize, &str),
    limits: (Duration, Duration),
) -> Result<(Vec<Use>, usize), AskError> {
    let (path, offset, name) = place;
    let naming = project.naming(name).map(|(path, _)| path).filter(|other| *other != path);
    let shown: Vec<&str> = std::iter::once(path).chain(naming.take(SHOWN_LIMIT)).collect();
    sync(client, told, project, &shown)?;
    client.await_ready(limits.0)?;
    let mut last = None;
    for _ in 0..6 {
        let found = references_once(client, project, (path, offset), limits.1)?;
        if last.as_ref() == Some(&found) {
            return Ok(found);
        }
        last = Some(found);
        client.rest(client.session().spec().apart)?;
        client.await_ready(limits.0)?;
    }
    last.ok_or(AskError::NotReady { doing: None })
}

fn references_once<L: Link>(
    client: &mut Client<L>,
    project: &Project,
    place: (&str, usize),
    limit: Duration,
) -> Result<(Vec<Use>, usize), AskError> {
    let encoding = client.session().encoding();
    let text = project.files.get(place.0).map(|file| file.text.as_ref()).unwrap_or_default();
    let params = json!({
        "textDocument": { "uri": uri::of_file(client.session().root(), place.0) },
        "position": Places::new(text, encoding).position(place.1).to_json(),
        "context": { "includeDeclaration": true },
    });
    let answer = client.ask("textDocument/references", &params, limit)?;
    let (mut uses, mut outside) = (Vec::new(), 0);
    for location in answer.as_array().into_iter().flatten() {
        let uri = location.get("uri").and_then(Value::as_str).unwrap_or_default();
        let path = uri::to_file(client.session().root(), uri);
        let file = path.as_ref().and_then(|path| project.files.get(path));
        let range = location.get("range").and_then(Range::of);
        match (path, file, range) {
            (Some(path), Some(file), Some(range)) => {
                let column = column_of(&Places::new(&file.text, encoding), range.start);
                uses.push(Use { path, line: range.start.line + 1, column });
            }
            _ => outside += 1,
        }
    }
    uses.sort();
    uses.dedup();
    Ok((uses, outside))
}

fn column_of(places: &Places<'_>, position: Position) -> usize {
    let start = places.offset(Position { line: position.line, character: 0 });
    let offset = places.offset(position);
    offset.zip(start).map_or(1, |(offset, start)| offset - start + 1)
}

/// What a server says of one file, by asking or by waiting for what it publishes.
pub fn diagnostics<L: Link>(
    client: &mut Client<L>,
    told: &mut Told,
    project: &Project,
    path: &str,
    limit: Duration,
) -> Result<Vec<Diagnostic>, AskError> {
    sync(client, told, project, &[path])?;
    let text = project.files.get(path).map(|file| file.text.as_ref()).unwrap_or_default();
    diagnostics_of(client, path, text, limit)
}

/// What is wrong with a file that the server has been shown with this text.
pub fn diagnostics_of<L: Link>(
    client: &mut Client<L>,
    path: &str,
    text: &str,
    limit: Duration,
) -> Result<Vec<Diagnostic>, AskError> {
    let items = if client.session().can("diagnosticProvider") {
        let uri = uri::of_file(client.session().root(), path);
        let params = json!({ "textDocument": { "uri": uri } });
        let answer = client.ask("textDocument/diagnostic", &params, limit)?;
        answer.get("items").and_then(Value::as_array).cloned().unwrap_or_default()
    } else {
        published(client, path, limit)?
    };
    let places = Places::new(text, client.session().encoding());
    let mut found: Vec<Diagnostic> =
        items.iter().filter_map(|item| diagnostic(item, &places)).collect();
    found.sort();
    found.dedup();
    Ok(found)
}

fn published<L: Link>(
    client: &mut Client<L>,
    path: &str,
    limit: Duration,
) -> Result<Vec<Value>, AskError> {
    let deadline = client.now() + limit;
    let second_look = SECOND_LOOK.min(limit / 2);
    let mut empty_since = None;
    loop {
        if let Some(published) = client.session().published(path) {
            // Some servers clear a file first and look at it then.
            let since = *empty_since.get_or_insert(client.now());
            if !published.items.is_empty() || client.now() >= since + second_look {
                return Ok(published.items.clone());
            }
        }
        if client.now() >= deadline {
            return Err(AskError::TimedOut { limit });
        }
        client.pump(PUBLISH_SLICE)?;
    }
}

fn diagnostic(item: &Value, places: &Places<'_>) -> Option<Diagnostic> {
    let range = item.get("range").and_then(Range::of)?;
    let code = match item.get("code") {
        Some(Value::String(code)) => Some(code.clone()),
        Some(Value::Number(code)) => Some(code.to_string()),
        _ => None,
    };
    let severity = match item.get("severity").and_then(Value::as_u64) {
        Some(number @ 2..=4) => SEVERITIES[number as usize - 1],
        _ => SEVERITIES[0],
    };
    let message = item.get("message").and_then(Value::as_str)?.to_owned();
    let column = column_of(places, range.start);
    Some(Diagnostic { line: range.start.line + 1, column, severity, code, message })
}
