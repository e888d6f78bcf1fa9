//! The page itself: a few files that are part of the binary.
//!
//! A URL is compared with their names and never becomes a path.

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use rust_embed::{EmbeddedFile, RustEmbed};

use super::answer::Answer;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

/// Part of the binary in every build, so that no build reads the disk.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Built;

fn asset(path: &str) -> Option<(&'static str, EmbeddedFile)> {
    let (content_type, name) = match path {
        "/" => (HTML, "index.html"),
        "/app.js" => (SCRIPT, "app.js"),
        "/app.css" => (STYLE, "app.css"),
        "/icon.svg" => (IMAGE, "icon.svg"),
        _ => return None,
    };
    Some((content_type, Built::get(name)?))
}

/// Answers everything that is no API route.
pub async fn handle(uri: Uri) -> Response {
    let Some((content_type, file)) = asset(uri.path()) else {
        let text = r#"{"error":{"code":"not-found","message":"there is nothing here"}}"#;
        return Answer::fixed(StatusCode::NOT_FOUND, text).into_response();
    };
    let mut response = file.data.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
