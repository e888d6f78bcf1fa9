//! Lines in, lines out: bounded reading, and the one place that sends.
//!
//! A line that is too long is dropped while it is read and never held whole.
//! What cannot be understood is answered with a protocol error, and the
//! connection stays up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gatewright_engine::Engine;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Notify};
use tokio::task::JoinHandle;

use super::sealed_answers::SealedAnswers;

/// The longest message that is taken. A file of the write guard's limit fits many times.
pub const MAX_LINE: usize = 8 * 1024 * 1024;
/// How much of a dropped line is kept, at each end, to find the request's id in.
const EDGE: usize = 2048;
/// How long answers may still take once the client has closed its end.
const DRAIN: Duration = Duration::from_secs(10);

/// The transport of one connection.
pub struct Wire<R, W> {
    reader: BufReader<R>,
    line: Line,
    has_opened: bool,
    /// A complaint on its way out. Waiting for it can be cancelled; sending it cannot.
    complaining: Option<JoinHandle<std::io::Result<()>>>,
    sender: Sender<W>,
}

struct Sender<W> {
    writer: Arc<Mutex<W>>,
    engine: Arc<Engine>,
    pending: Arc<Pending>,
    sealed: Arc<SealedAnswers>,
}

impl<W> Clone for Sender<W> {
    fn clone(&self) -> Self {
        Self {
            writer: Arc::clone(&self.writer),
            engine: Arc::clone(&self.engine),
            pending: Arc::clone(&self.pending),
            sealed: Arc::clone(&self.sealed),
        }
    }
}

/// Requests that were taken and not answered yet.
#[derive(Default)]
struct Pending {
    count: AtomicUsize,
    answered: Notify,
}

impl Pending {
    /// Waits for the answers that are still due, up to a bound.
    async fn drain(&self) {
        let all = async {
            loop {
                let answered = self.answered.notified();
                if self.count.load(Ordering::Acquire) == 0 {
                    return;
                }
                answered.await;
            }
        };
        let _ = tokio::time::timeout(DRAIN, all).await;
    }
}

/// The line that is being read; kept across calls, because reading can be cancelled.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    is_too_long: bool,
    tail: Vec<u8>,
}

enum Read {
    Whole(Vec<u8>),
    TooLong(Option<RequestId>),
    End,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Wire<R, W> {
    /// A wire over two streams.
    pub fn new(reader: R, writer: W, engine: Arc<Engine>) -> Self {
        let writer = Arc::new(Mutex::new(writer));
        let (pending, sealed) = Default::default();
        let sender = Sender { writer, engine, pending, sealed };
        let (reader, line) = (BufReader::new(reader), Line::default());
        Self { reader, line, has_opened: false, complaining: None, sender }
    }

    async fn read_line(&mut self) -> Read {
        loop {
            let available = match self.reader.fill_buf().await {
                Ok(available) if !available.is_empty() => available,
                _ => return Read::End,
            };
            let newline = available.iter().position(|byte| *byte == b'\n');
            let taken = newline.map_or(available.len(), |index| index + 1);
            self.line.push(&available[..taken]);
            self.reader.consume(taken);
            if newline.is_some() {
                return std::mem::take(&mut self.line).finish();
            }
        }
    }

    /// Whether the service can take this message now: it opens with a request.
    fn admits(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if let JsonRpcMessage::Request(request) = message {
            let probes = matches!(
                request.request,
                ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
            );
            self.has_opened |= !probes;
            return true;
        }
        self.has_opened
    }
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let sender = self.sender.clone();
        async move { sender.send(message).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(sending) = &mut self.complaining {
                let sent = sending.await;
                self.complaining = None;
                if !matches!(sent, Ok(Ok(()))) {
                    return None;
                }
            }
            let complaint = match self.read_line().await {
                Read::End => {
                    self.sender.pending.drain().await;
                    return None;
                }
                Read::TooLong(id) => Some(too_long(id)),
                Read::Whole(line) => match decode(&line) {
                    Ok(Some(message)) if self.admits(&message) => {
                        if matches!(message, JsonRpcMessage::Request(_)) {
                            self.sender.pending.count.fetch_add(1, Ordering::AcqRel);
                        }
                        return Some(message);
                    }
                    Ok(_) => None,
                    Err(complaint) => Some(*complaint),
                },
            };
            if let Some(complaint) = complaint {
                let sender = self.sender.clone();
                let sending = async move { sender.write(&complaint).await };
                self.complaining = Some(tokio::spawn(sending));
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.sender.writer.lock().await.flush().await
    }
}

impl<W: AsyncWrite + Send + Unpin> Sender<W> {
    async fn send(&self, message: ServerJsonRpcMessage) -> Result<(), std::io::Error> {
        let answers = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let written = self.write(&message).await;
        if answers {
            let lower = |count: usize| Some(count.saturating_sub(1));
            let _ = self.pending.count.fetch_update(Ordering::AcqRel, Ordering::Acquire, lower);
            self.pending.answered.notify_waiters();
        }
        written
    }

    async fn write(&self, message: &ServerJsonRpcMessage) -> Result<(), std::io::Error> {
        let line = self.sealed.line(&self.engine, message)?;
        let mut writer = self.writer.lock().await;
        writer.write_all(&line).await?;
        writer.flush().await
    }
}

impl Line {
    fn push(&mut self, bytes: &[u8]) {
        if !self.is_too_long && self.bytes.len() + bytes.len() <= MAX_LINE {
            self.bytes.extend_from_slice(bytes);
            return;
        }
        if !self.is_too_long {
            self.is_too_long = true;
            self.tail = self.bytes.split_off(self.bytes.len().saturating_sub(EDGE));
            self.bytes.truncate(EDGE);
            self.bytes.shrink_to_fit();
        }
        self.tail.extend_from_slice(bytes);
        let surplus = self.tail.len().saturating_sub(EDGE);
        self.tail.drain(..surplus);
    }

    fn finish(self) -> Read {
        if !self.is_too_long {
            return Read::Whole(self.bytes);
        }
        let head = String::from_utf8_lossy(&self.bytes).into_owned();
        let tail = String::from_utf8_lossy(&self.tail).into_owned();
        Read::TooLong(id_at_an_edge(&head, &tail))
    }
}

/// The id of a request of which only both ends are known: before its parameters or after them.
fn id_at_an_edge(head: &str, tail: &str) -> Option<RequestId> {
    let before = head.split("\"params\"").next().unwrap_or(head);
    let text = match (before.find("\"id\""), tail.rfind("\"id\"")) {
        (Some(at), _) => &before[at + 4..],
        (None, Some(at)) => &tail[at + 4..],
        (None, None) => return None,
    };
    let value = text.trim_start().strip_prefix(':')?;
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<Value>();
    serde_json::from_value(values.next()?.ok()?).ok()
}

/// The message in a line; nothing for an empty line or a notification that makes no sense.
fn decode(line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Box<ServerJsonRpcMessage>> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    if let Ok(message) = serde_json::from_slice(line)
        && !is_misread(&message, line)
    {
        return Ok(Some(message));
    }
    let complaint = match serde_json::from_slice::<Value>(line) {
        Err(error) => {
            let text = format!("not JSON: {error}");
            ServerJsonRpcMessage::error(ErrorData::parse_error(text, None), None)
        }
        Ok(value) => {
            let id = value.get("id").cloned();
            if value.is_object() && id.is_none() {
                return Ok(None);
            }
            let id = id.and_then(|id| serde_json::from_value(id).ok());
            let text = "not a request of this protocol";
            ServerJsonRpcMessage::error(ErrorData::invalid_request(text, None), id)
        }
    };
    Err(Box::new(complaint))
}

/// Whether something with an id was taken for a notification, which gets no answer.
fn is_misread(message: &ClientJsonRpcMessage, line: &[u8]) -> bool {
    let is_notification = matches!(message, JsonRpcMessage::Notification(_));
    let has_id = |value: Value| value.get("id").is_some();
    is_notification && serde_json::from_slice(line).is_ok_and(has_id)
}

fn too_long(id: Option<RequestId>) -> ServerJsonRpcMessage {
    let text = format!("the message is longer than {MAX_LINE} bytes and was dropped");
    ServerJsonRpcMessage::error(ErrorData::invalid_request(text, None), id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_dropped_request_is_found_at_either_end() {
        let number = |id: i64| Some(serde_json::from_value::<RequestId>(id.into()).unwrap());
        let head = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"x":"aaaa"#;
        assert_eq!(id_at_an_edge(head, "aaaa\"}}\n"), number(7));
        let head = r#"{"method":"tools/call","params":{"x":"aaaa"#;
        assert_eq!(id_at_an_edge(head, "aa\"},\"jsonrpc\":\"2.0\",\"id\":8}\n"), number(8));
        assert_eq!(id_at_an_edge("aaaa", "aaaa"), None);
    }

    #[test]
    fn a_request_without_a_usable_id_is_not_taken_for_a_notification() {
        for id in ["null", "[]", "1.5"] {
            let odd = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#);
            assert!(decode(odd.as_bytes()).is_err(), "{odd}");
        }
        let notification = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let taken = decode(notification).ok().flatten();
        assert!(matches!(taken, Some(JsonRpcMessage::Notification(_))), "{taken:?}");
    }

    #[test]
    fn a_line_over_the_limit_is_never_held() {
        let mut line = Line::default();
        for _ in 0..50 {
            line.push(&vec![b'a'; 1024 * 1024]);
        }
        assert!(line.bytes.len() <= EDGE && line.tail.len() <= EDGE);
        assert!(matches!(line.finish(), Read::TooLong(None)));
    }
}
