//! The review page and its API, on loopback and for people only.
//!
//! Start reading at [`router`]. `gate.rs` is the one gate in front of every
//! route; `routes.rs` is the table of them; `answer.rs` is the one way out and takes nothing but what the egress
//! guard has seen; `handlers/` holds one file per route; `wire/` holds what
//! crosses the wire. No rule lives here and no path of a URL reaches the disk.

mod answer;
mod app;
mod assets;
mod decode;
mod diff_view;
mod events;
mod gate;
mod handlers;
mod highlight;
mod intraline;
mod io;
mod mask;
mod openapi;
mod problem;
mod routes;
mod session;
mod watch;
pub mod wire;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;

pub use app::App;
pub use openapi::describe;
pub use session::Sessions;

/// Every route, behind the gate. Tests call it without a socket.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .nest("/api", routes::router())
        .fallback(assets::handle)
        .layer(from_fn_with_state(Arc::clone(&app), gate::check))
        .with_state(app)
}

/// Watches the ledger and the stage for what other processes do, until the app stops.
pub fn watch_for_events(app: Arc<App>) -> impl Future<Output = ()> + Send {
    watch::run(app)
}
