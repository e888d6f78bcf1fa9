//! Connections: a bounded number, each with a limit on how slowly it may speak.
//!
//! A connection that has carried a signed-in request is proven and stays. When
//! there is no room for a new one, the oldest that is not proven makes way, so
//! that a crowd of silent connections does not keep a person out.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
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

/// One open connection.
#[derive(Default)]
struct Guest {
    is_proven: AtomicBool,
    must_leave: Notify,
}

/// The open connections, oldest first.
#[derive(Default)]
struct Guests {
    open: Mutex<VecDeque<Arc<Guest>>>,
}

impl Guests {
    /// Lets one more in; `None` when every place is taken by a proven one.
    fn enter(&self) -> Option<Arc<Guest>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST_CONNECTIONS {
            let idle = open.iter().position(|guest| !guest.is_proven.load(Ordering::Relaxed))?;
            let leaving = open.remove(idle)?;
            leaving.must_leave.notify_one();
        }
        let guest = Arc::new(Guest::default());
        open.push_back(Arc::clone(&guest));
        Some(guest)
    }

    fn leave(&self, guest: &Arc<Guest>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|other| !Arc::ptr_eq(other, guest));
    }
}

/// Serves until the app stops, then lets open requests end.
pub async fn serve(listener: TcpListener, router: Router, app: Arc<App>) {
    let guests = Arc::new(Guests::default());
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
        let Some(guest) = guests.enter() else { continue };
        let (router, app, guests) = (router.clone(), Arc::clone(&app), Arc::clone(&guests));
        connections.spawn(async move {
            connection(stream, router, &app, &guest).await;
            guests.leave(&guest);
        });
    }
    while connections.join_next().await.is_some() {}
}

async fn connection(stream: TcpStream, router: Router, app: &App, guest: &Arc<Guest>) {
    let _ = stream.set_nodelay(true);
    let inner = TowerToHyperService::new(router);
    let service = service_fn(|request: Request<Incoming>| {
        let path = request.uri().path();
        let is_api = path.starts_with("/api/") || path == crate::mcp::HTTP_PATH;
        let answered = inner.call(request.map(Body::new));
        let guest = Arc::clone(guest);
        async move {
            let response = answered.await?;
            if is_api && response.status().is_success() {
                guest.is_proven.store(true, Ordering::Relaxed);
            }
            Ok::<_, std::convert::Infallible>(response)
        }
    });
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
        () = guest.must_leave.notified() => {}
        () = app.stopped() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}
