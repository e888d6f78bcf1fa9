//! The review page and its API, on loopback and for people only.
//!
//! Start reading at [`router`]. `gate.rs` is the one gate in front of every
//! route; `answer.rs` is the one way out and takes nothing but what the egress
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
mod problem;
mod session;
mod watch;
pub mod wire;

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

pub use app::App;
pub use session::Sessions;

/// Every route, behind the gate. Tests call it without a socket.
pub fn router(app: Arc<App>) -> Router {
    use handlers as h;
    let api = Router::new()
        .route("/session", post(h::session::handle))
        .route("/state", get(h::state::handle))
        .route("/changes", get(h::changes::handle))
        .route("/changes/{id}", get(h::change::handle))
        .route("/changes/{id}/lines", get(h::lines::handle))
        .route("/changes/{id}/decide", post(h::decide::handle))
        .route("/changes/{id}/comment", post(h::comment::handle))
        .route("/changes/{id}/edit", post(h::edit_hunk::handle))
        .route("/changes/{id}/apply", post(h::apply::handle))
        .route("/changes/{id}/reject", post(h::reject::handle))
        .route("/receipts", get(h::receipts::handle))
        .route("/receipts/verify", post(h::verify::handle))
        .route("/receipts/export", get(h::export::handle))
        .route("/receipts/{id}", get(h::receipt::handle))
        .route("/receipts/{id}/prove", get(h::prove::handle))
        .route("/receipts/{id}/undo", get(h::undo_preview::handle))
        .route("/receipts/{id}/rollback", post(h::rollback::handle))
        .route("/rules", get(h::rules::handle))
        .route("/rules/try", post(h::try_rules::handle))
        .route("/mode", get(h::mode::get).post(h::mode::set))
        .route("/events", get(h::events::handle));
    Router::new()
        .nest("/api", api)
        .fallback(assets::handle)
        .layer(from_fn_with_state(Arc::clone(&app), gate::check))
        .with_state(app)
}

/// Watches the ledger and the stage for what other processes do, until the app stops.
pub async fn watch_for_events(app: Arc<App>) {
    watch::run(app).await;
}
