//! Bodies and names from outside, bounded and typed before any handler sees them.

use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;

use super::answer::Answer;
use super::problem::Problem;

/// The largest body.
const BODY_LIMIT: usize = 2 * 1024 * 1024;
/// How long a body may take.
const BODY_TIME: Duration = Duration::from_secs(10);

/// A body of a known shape.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Answer;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Answer> {
        let read = tokio::time::timeout(BODY_TIME, to_bytes(request.into_body(), BODY_LIMIT));
        let bytes = match read.await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(_)) => {
                let text =
                    r#"{"error":{"code":"too-large","message":"the body is larger than 2 MB"}}"#;
                return Err(Answer::fixed(StatusCode::PAYLOAD_TOO_LARGE, text));
            }
            Err(_) => {
                let text = r#"{"error":{"code":"too-slow","message":"the body took too long"}}"#;
                return Err(Answer::fixed(StatusCode::REQUEST_TIMEOUT, text));
            }
        };
        serde_json::from_slice(&bytes).map(Body).map_err(|_| {
            // The parser's words would repeat what was sent.
            let text = r#"{"error":{"code":"bad-request","message":"the body is not of the shape that this route takes"}}"#;
            Answer::fixed(StatusCode::BAD_REQUEST, text)
        })
    }
}

/// An id as we make them: never a path, a pattern or a prefix of nothing.
pub fn id(text: &str) -> Result<&str, Problem> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if is_plain && (1..=64).contains(&text.len()) {
        Ok(text)
    } else {
        Err(Problem::bad_request("that is no id"))
    }
}
