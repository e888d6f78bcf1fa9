//! The page itself: a few files that are part of the binary.
//!
//! A URL is compared with their names and never becomes a path.

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::answer::Answer;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

macro_rules! built {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/", $name))
    };
}

fn asset(path: &str) -> Option<(&'static str, &'static [u8])> {
    match path {
        "/" => Some((HTML, built!("index.html"))),
        "/app.js" => Some((SCRIPT, built!("app.js"))),
        "/app.css" => Some((STYLE, built!("app.css"))),
        "/icon.svg" => Some((IMAGE, built!("icon.svg"))),
        _ => None,
    }
}

/// Answers everything that is no API route.
pub async fn handle(uri: Uri) -> Response {
    let Some((content_type, bytes)) = asset(uri.path()) else {
        let text = r#"{"error":{"code":"not-found","message":"there is nothing here"}}"#;
        return Answer::fixed(StatusCode::NOT_FOUND, text).into_response();
    };
    let mut response = bytes.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
