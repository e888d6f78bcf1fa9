//! MCP over HTTP, inside `up`: the same server, behind a gate of its own.
//!
//! A request must name this server exactly, must not come from a page, and must
//! carry the agents' token. That token is good for nothing else: it opens no
//! session of the review page, and no tool approves. Everything that goes out,
//! each event of a stream included, is sealed like a line of the other wire.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::Router;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use gatewright_engine::Engine;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use subtle::ConstantTimeEq;
use tokio_stream::Stream;

use super::frame::Frame;
use super::server::Server;
use super::wire::MAX_LINE;

/// Where agents reach it.
pub const PATH: &str = "/mcp";

/// What an agent shows to be let in.
#[derive(Clone)]
pub struct AgentToken(String);

impl AgentToken {
    /// A fresh one, from the operating system.
    pub fn fresh() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Its text, for the file that only this user reads.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

struct Door {
    engine: Arc<Engine>,
    token: AgentToken,
    port: u16,
    service: StreamableHttpService<Server, LocalSessionManager>,
}

/// The route, with its gate.
pub fn router(engine: Arc<Engine>, token: AgentToken, port: u16) -> Router {
    // Every request may get a handler of its own; the run is that of this server.
    let run = uuid::Uuid::now_v7().to_string();
    let shared = Arc::clone(&engine);
    let make = move || Ok(Server::in_run(Arc::clone(&shared), run.clone()));
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(own_hosts(port))
        .with_allowed_origins(own_hosts(port).map(|host| format!("http://{host}")))
        .enforce_origin_validation()
        .with_max_request_body_bytes(MAX_LINE);
    let service = StreamableHttpService::new(make, Arc::default(), config);
    let door = Arc::new(Door { engine, token, port, service });
    Router::new().route(PATH, axum::routing::any(handle)).with_state(door)
}

async fn handle(State(door): State<Arc<Door>>, request: Request) -> Response {
    if let Some(status) = door.refusal(&request) {
        return protected(status.into_response());
    }
    let response = door.service.handle(request).await;
    let (parts, body) = response.into_parts();
    let is_stream = parts
        .headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let body = Body::new(body);
    let body = if is_stream {
        let inner = body.into_data_stream();
        let engine = Arc::clone(&door.engine);
        Body::from_stream(SealedEvents { inner, engine, buffer: Vec::new() })
    } else {
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
        Body::from(sealed(&door.engine, &bytes))
    };
    let mut response = Response::from_parts(parts, body);
    // Hiding something changes the length.
    response.headers_mut().remove(header::CONTENT_LENGTH);
    protected(response)
}

impl Door {
    fn refusal(&self, request: &Request) -> Option<StatusCode> {
        let headers = request.headers();
        let host = single(headers, &header::HOST);
        if !host.is_some_and(|host| own_hosts(self.port).iter().any(|own| own == host)) {
            return Some(StatusCode::MISDIRECTED_REQUEST);
        }
        let named = |name: &HeaderName| headers.get_all(name).iter().count();
        let own_origin = host.map(|host| format!("http://{host}"));
        let is_foreign =
            named(&header::ORIGIN) > 0 && single(headers, &header::ORIGIN) != own_origin.as_deref();
        let site = HeaderName::from_static("sec-fetch-site");
        let is_elsewhere =
            named(&site) > 0 && !matches!(single(headers, &site), Some("same-origin" | "none"));
        if is_foreign || is_elsewhere {
            return Some(StatusCode::FORBIDDEN);
        }
        let is_json = single(headers, &header::CONTENT_TYPE)
            .is_some_and(|kind| kind.split(';').next() == Some("application/json"));
        if request.method() == Method::POST && !is_json {
            return Some(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        let token = single(headers, &header::AUTHORIZATION)
            .and_then(|value| value.strip_prefix("Bearer "))
            .unwrap_or_default();
        let is_known = bool::from(token.as_bytes().ct_eq(self.token.0.as_bytes()));
        (!is_known).then_some(StatusCode::UNAUTHORIZED)
    }
}

fn own_hosts(port: u16) -> [String; 3] {
    ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"))
}

/// The value of a header that is there once, as text.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

fn protected(mut response: Response) -> Response {
    let fixed = [
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ];
    for (name, value) in fixed {
        let name = HeaderName::from_static(name);
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A message, or whatever else it is, with everything hidden that must not go out.
fn sealed(engine: &Engine, bytes: &[u8]) -> Vec<u8> {
    let value = serde_json::from_slice::<Value>(bytes).ok().filter(Value::is_object);
    match value.and_then(|value| Frame::seal(engine, &value).ok()) {
        Some(frame) => frame.into_line().trim_ascii_end().to_vec(),
        None => {
            let text = String::from_utf8_lossy(bytes);
            engine.egress().seal(&text).into_inner().into_bytes()
        }
    }
}

/// A stream of events, each sealed as soon as it is whole.
struct SealedEvents {
    inner: BodyDataStream,
    engine: Arc<Engine>,
    buffer: Vec<u8>,
}

impl SealedEvents {
    /// The events that are whole, sealed; the rest stays.
    fn take(&mut self) -> Option<Bytes> {
        let end = self.buffer.windows(2).rposition(|pair| pair == b"\n\n")? + 2;
        let rest = self.buffer.split_off(end);
        let whole = std::mem::replace(&mut self.buffer, rest);
        Some(Bytes::from(seal_lines(&self.engine, &whole)))
    }
}

fn seal_lines(engine: &Engine, events: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(events.len());
    for line in events.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(b"data:") {
            Some(data) => {
                out.extend_from_slice(b"data: ");
                out.extend(sealed(engine, data.trim_ascii()));
                out.push(b'\n');
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

impl Stream for SealedEvents {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(Pin::new(&mut self.inner).poll_next(context)) {
                Some(Ok(bytes)) => {
                    self.buffer.extend_from_slice(&bytes);
                    if let Some(whole) = self.take() {
                        return Poll::Ready(Some(Ok(whole)));
                    }
                }
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None if self.buffer.is_empty() => return Poll::Ready(None),
                None => {
                    let rest = std::mem::take(&mut self.buffer);
                    let sealed = seal_lines(&self.engine, &rest);
                    return Poll::Ready(Some(Ok(Bytes::from(sealed))));
                }
            }
        }
    }
}
