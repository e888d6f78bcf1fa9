//! The one way out: a response is built from a [`Redacted`] or from fixed words.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gatewright_engine::Engine;
use gatewright_engine::guards::egress::Redacted;
use serde::Serialize;

use super::problem::Problem;

/// A response whose content the egress guard has seen.
pub struct Answer {
    status: StatusCode,
    content_type: &'static str,
    body: Content,
    cookie: Option<HeaderValue>,
    download: Option<&'static str>,
}

enum Content {
    Redacted(Redacted<String>),
    /// Words of our own, with nothing from outside in them.
    Fixed(&'static str),
}

const JSON: &str = "application/json";

impl Answer {
    /// A value as JSON.
    pub fn seal(engine: &Engine, value: &impl Serialize) -> Self {
        Self::seal_with(engine, StatusCode::OK, value)
    }

    /// A failure as JSON.
    pub fn seal_problem(engine: &Engine, problem: &Problem) -> Self {
        Self::seal_with(engine, problem.status(), &problem.to_wire())
    }

    fn seal_with(engine: &Engine, status: StatusCode, value: &impl Serialize) -> Self {
        let Ok(value) = serde_json::to_value(value) else { return Self::broken() };
        let body = engine.egress().redactor().redact_json(value).to_text();
        Self { body: Content::Redacted(body), ..Self::fixed(status, "") }
    }

    /// A text of another type, to be saved under a fixed name.
    pub fn download(text: Redacted<String>, name: &'static str) -> Self {
        Self {
            content_type: "application/x-ndjson",
            body: Content::Redacted(text),
            download: Some(name),
            ..Self::fixed(StatusCode::OK, "")
        }
    }

    /// Fixed words, already JSON.
    pub fn fixed(status: StatusCode, json: &'static str) -> Self {
        let body = Content::Fixed(json);
        Self { status, content_type: JSON, body, cookie: None, download: None }
    }

    /// Our own failure, told in outline.
    pub fn broken() -> Self {
        let text = r#"{"error":{"code":"internal","message":"something broke inside; the terminal that runs `gatewright up` is the place to look"}}"#;
        Self::fixed(StatusCode::INTERNAL_SERVER_ERROR, text)
    }

    /// The same answer with a cookie.
    pub fn with_cookie(mut self, cookie: HeaderValue) -> Self {
        self.cookie = Some(cookie);
        self
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let body = match self.body {
            Content::Redacted(text) => Body::from(text.into_inner()),
            Content::Fixed(text) => Body::from(text),
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if let Some(cookie) = self.cookie {
            headers.insert(header::SET_COOKIE, cookie);
        }
        if let Some(name) = self.download {
            headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
        }
        response
    }
}
