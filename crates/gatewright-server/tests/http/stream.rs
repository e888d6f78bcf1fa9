//! The event stream: what other hands do is told, in order, and can be asked for again.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::Request;
use gatewright_server::http::watch_for_events;
use tokio_stream::StreamExt;
use tower::ServiceExt;

use crate::page::{HOST, Page};

struct Stream {
    body: BodyDataStream,
    text: String,
}

impl Stream {
    async fn open(page: &Page, last: Option<&str>) -> Self {
        let mut request =
            Request::get("/api/events").header("host", HOST).header("cookie", &page.cookie);
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let request = request.body(Body::empty()).expect("a request");
        let response = page.router.clone().oneshot(request).await.expect("infallible");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { body: response.into_body().into_data_stream(), text: String::new() }
    }

    /// Reads until `wanted` has come.
    async fn until(&mut self, wanted: &str) -> &str {
        while !self.text.contains(wanted) {
            let next = tokio::time::timeout(Duration::from_secs(20), self.body.next()).await;
            let bytes = next.expect("in time").expect("open").expect("no error");
            self.text.push_str(&String::from_utf8_lossy(&bytes));
        }
        &self.text
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_stage_is_told_and_told_again_after_a_break() {
    let page = Page::new().await;
    tokio::spawn(watch_for_events(Arc::clone(&page.app)));
    let mut stream = Stream::open(&page, None).await;
    stream.until(": hello").await;
    page.scratch.write("a.txt", "1\n");
    let id = page.propose_edit("a.txt", &[("1\n", "2\n")]);
    let text = stream.until(&id).await.to_owned();
    assert!(text.contains("\"kind\":\"proposed\""), "{text}");
    let first = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("an id");
    let mut again = Stream::open(&page, Some(first)).await;
    let replayed = again.until(&id).await;
    assert!(!replayed.contains(&format!("id: {first}\n")), "only what came after: {replayed}");
    let run = first.split_once('-').expect("a run").0;
    for unknown in ["0123456789abcdef-7", "x", &format!("{run}-{}", u64::MAX)] {
        let mut stranger = Stream::open(&page, Some(unknown)).await;
        stranger.until("\"kind\":\"reset\"").await;
    }
    page.app.stop();
    let end = tokio::time::timeout(Duration::from_secs(20), async {
        while stream.body.next().await.is_some() {}
    });
    end.await.expect("a stopped server ends its streams");
}
