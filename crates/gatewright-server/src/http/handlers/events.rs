//! The event stream: what happens, here and in other processes, as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::events::Next;

/// Streams that may be open at once.
const MOST_STREAMS: usize = 24;
/// A sign of life, so that a dead stream is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// A reader that takes nothing for so long is let go.
const PATIENCE: Duration = Duration::from_secs(30);

type Sender = mpsc::Sender<Result<Event, Infallible>>;

/// `GET /api/events`, with `Last-Event-ID` to go on where a stream broke off.
pub async fn handle(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    if app.streams() >= MOST_STREAMS {
        let text = r#"{"error":{"code":"too-many","message":"too many pages are open"}}"#;
        return Answer::fixed(StatusCode::TOO_MANY_REQUESTS, text).into_response();
    }
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let from = match last {
        Some(id) => app.events.number_of(id),
        None => Some(app.events.latest()),
    };
    let (sender, receiver) = mpsc::channel(64);
    tokio::spawn(feed(app, from, sender));
    Sse::new(ReceiverStream::new(receiver)).into_response()
}

async fn feed(app: Arc<App>, from: Option<u64>, sender: Sender) {
    let mut news = app.events.subscribe();
    let mut last = from.unwrap_or(u64::MAX);
    // The first word tells the page that the line stands.
    if !send(&sender, Event::default().comment("hello")).await {
        return;
    }
    loop {
        let events = match app.events.after(last) {
            Next::Events(events) => events,
            Next::Reset(latest) => {
                last = latest;
                let text = r#"{"kind":"reset","text":"events were missed"}"#;
                if !send(&sender, Event::default().id(app.events.id_of(last)).data(text)).await {
                    return;
                }
                continue;
            }
        };
        for event in events {
            last = event.number;
            let frame = Event::default().id(app.events.id_of(last)).data(event.data.as_str());
            if !send(&sender, frame).await {
                return;
            }
        }
        tokio::select! {
            _ = news.changed() => {}
            () = tokio::time::sleep(HEARTBEAT) => {
                if !send(&sender, Event::default().comment("still here")).await {
                    return;
                }
            }
            () = sender.closed() => return,
            () = app.stopped() => return,
        }
    }
}

async fn send(sender: &Sender, event: Event) -> bool {
    matches!(tokio::time::timeout(PATIENCE, sender.send(Ok(event))).await, Ok(Ok(())))
}
