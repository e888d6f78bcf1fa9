//! Connections: a bounded number, each with a limit on how slowly it may speak.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::http::App;

/// Connections at once.
const MOST_CONNECTIONS: usize = 64;
/// How long the head of a request may take.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// More header lines than these are not read.
const MOST_HEADERS: usize = 64;
/// After a failed accept, so that a full file table is no busy loop.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until the app stops, then lets open requests end.
pub async fn serve(listener: TcpListener, router: Router, app: Arc<App>) {
    let slots = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stopped() => break,
        };
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // A connection too many is closed at once: nobody waits in a queue.
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else { continue };
        let (router, app) = (router.clone(), Arc::clone(&app));
        connections.spawn(async move {
            connection(stream, router, &app).await;
            drop(slot);
        });
    }
    while connections.join_next().await.is_some() {}
}

async fn connection(stream: TcpStream, router: Router, app: &App) {
    let _ = stream.set_nodelay(true);
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(MOST_HEADERS)
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    tokio::select! {
        // A client that broke off is no event.
        _ = &mut connection => {}
        () = app.stopped() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
