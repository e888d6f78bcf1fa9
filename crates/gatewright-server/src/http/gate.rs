//! The one gate in front of every route, static files and event stream included.
//!
//! A request must name this server exactly, must not come from another site,
//! must carry a session and, where it changes something, must be one that no
//! form and no simple cross-site request can make. What the gate refuses has
//! reached no handler.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::answer::Answer;
use super::app::App;
use super::session::Standing;

/// The header that a simple cross-site request cannot set.
pub const CUSTOM_HEADER: &str = "x-gatewright";

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Lets a request through to its handler, or answers it here.
pub async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let mut response = match refusal(&app, &parts) {
        Some(answer) => answer.into_response(),
        None => next.run(Request::from_parts(parts, body)).await,
    };
    protect(response.headers_mut());
    response
}

/// The name of the session cookie: cookies do not keep ports apart.
pub fn cookie_name(port: u16) -> String {
    format!("gatewright_{port}")
}

fn refusal(app: &App, parts: &Parts) -> Option<Answer> {
    refuse_method(parts)
        .or_else(|| refuse_host(app, parts))
        .or_else(|| refuse_origin(app, parts))
        .or_else(|| refuse_upgrade(parts))
        .or_else(|| refuse_simple_request(parts))
        .or_else(|| refuse_stranger(app, parts))
}

fn refuse_method(parts: &Parts) -> Option<Answer> {
    let is_known = matches!(parts.method, Method::GET | Method::POST);
    (!is_known).then(|| refuse(StatusCode::METHOD_NOT_ALLOWED))
}

fn refuse_host(app: &App, parts: &Parts) -> Option<Answer> {
    let host = single(&parts.headers, &header::HOST);
    let is_own = host.is_some_and(|host| own_hosts(app.port).iter().any(|own| own == host));
    // An absolute request line may name another server than the header does.
    let authority = parts.uri.authority().map(|authority| authority.as_str());
    let is_same = authority.is_none_or(|authority| Some(authority) == host);
    (!(is_own && is_same)).then(|| refuse(StatusCode::MISDIRECTED_REQUEST))
}

fn refuse_origin(app: &App, parts: &Parts) -> Option<Answer> {
    let site = HeaderName::from_static("sec-fetch-site");
    let is_same_site = match count(&parts.headers, &site) {
        0 => true,
        _ => matches!(single(&parts.headers, &site), Some("same-origin" | "none")),
    };
    let is_own = match count(&parts.headers, &header::ORIGIN) {
        0 => parts.method == Method::GET,
        _ => single(&parts.headers, &header::ORIGIN).is_some_and(|origin| {
            let host = single(&parts.headers, &header::HOST);
            let named = origin.strip_prefix("http://");
            named == host && own_hosts(app.port).iter().any(|own| Some(own.as_str()) == named)
        }),
    };
    (!(is_same_site && is_own)).then(|| refuse(StatusCode::FORBIDDEN))
}

fn refuse_upgrade(parts: &Parts) -> Option<Answer> {
    let upgrades = parts.headers.contains_key(header::UPGRADE)
        || parts.headers.contains_key("http2-settings")
        || parts.headers.contains_key("sec-websocket-key");
    upgrades.then(|| refuse(StatusCode::BAD_REQUEST))
}

/// A change needs a header and a content type that no form can send.
fn refuse_simple_request(parts: &Parts) -> Option<Answer> {
    if parts.method == Method::GET {
        return None;
    }
    let custom = HeaderName::from_static(CUSTOM_HEADER);
    if single(&parts.headers, &custom) != Some("1") {
        return Some(refuse(StatusCode::FORBIDDEN));
    }
    let is_json = single(&parts.headers, &header::CONTENT_TYPE) == Some("application/json");
    (!is_json).then(|| refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE))
}

fn refuse_stranger(app: &App, parts: &Parts) -> Option<Answer> {
    let path = parts.uri.path();
    let is_api = path.starts_with("/api/") || path == "/api";
    if !is_api {
        return None;
    }
    if path == "/api/session" && parts.method == Method::POST {
        return (!app.sessions.may_exchange()).then(|| refuse(StatusCode::TOO_MANY_REQUESTS));
    }
    let standing = token(&parts.headers, app.port)
        .map_or(Standing::Unknown, |token| app.sessions.standing(token));
    match standing {
        Standing::Welcome => None,
        Standing::TooFast => Some(refuse(StatusCode::TOO_MANY_REQUESTS)),
        Standing::Unknown => Some(refuse(StatusCode::UNAUTHORIZED)),
    }
}

fn token(headers: &HeaderMap, port: u16) -> Option<&str> {
    let name = cookie_name(port);
    let mut found = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value);
    let first = found.next();
    // Two cookies of one name: somebody is planting one.
    if found.next().is_some() { None } else { first }
}

fn own_hosts(port: u16) -> [String; 3] {
    ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"))
}

fn count(headers: &HeaderMap, name: &HeaderName) -> usize {
    headers.get_all(name).iter().count()
}

/// The value of a header that is there once, as text.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    if values.next().is_some() { None } else { first.to_str().ok() }
}

fn refuse(status: StatusCode) -> Answer {
    let text = match status {
        StatusCode::UNAUTHORIZED => {
            r#"{"error":{"code":"no-session","message":"this page is not signed in","hint":"run `gatewright up` again and open the link that it prints"}}"#
        }
        StatusCode::TOO_MANY_REQUESTS => {
            r#"{"error":{"code":"too-fast","message":"too many requests; wait a second"}}"#
        }
        _ => {
            r#"{"error":{"code":"refused","message":"this request is not one that the page makes"}}"#
        }
    };
    Answer::fixed(status, text)
}

/// The headers of every response, whatever it is.
fn protect(headers: &mut HeaderMap) {
    let fixed = [
        ("content-security-policy", CONTENT_SECURITY_POLICY),
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        ("cache-control", "no-store"),
    ];
    for (name, value) in fixed {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}
