//! Exchanges the one-time code of the address for a session cookie.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::Body;
use crate::http::gate::cookie_name;
use crate::http::wire::Exchange;

/// `POST /api/session`
pub async fn handle(State(app): State<Arc<App>>, Body(request): Body<Exchange>) -> Answer {
    let Ok(token) = app.sessions.exchange(&request.code) else { return Answer::broken() };
    let Some(token) = token else {
        let text = r#"{"error":{"code":"no-such-code","message":"this link was used already or is too old","hint":"run `gatewright up` again and open the link that it prints"}}"#;
        return Answer::fixed(StatusCode::UNAUTHORIZED, text);
    };
    let name = cookie_name(app.port);
    let cookie = format!("{name}={token}; HttpOnly; SameSite=Strict; Path=/");
    match HeaderValue::from_str(&cookie) {
        Ok(cookie) => Answer::fixed(StatusCode::OK, "{}").with_cookie(cookie),
        Err(_) => Answer::broken(),
    }
}
