//! Every route in one table: what is served and what is described are the same rows.

use std::sync::Arc;

use axum::Router;
use axum::routing::{MethodRouter, get, post};
use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};

use super::app::App;
use super::{handlers as h, wire};

/// Adds a type to the description and gives a reference to it.
type Describe = fn(&mut SchemaGenerator) -> Schema;

/// What a route answers with.
pub enum Gives {
    /// A value as JSON.
    Json(Describe),
    /// A text of another type.
    Text(&'static str),
}

/// One route.
pub struct Route {
    /// `get` or `post`.
    pub method: &'static str,
    /// The path below `/api`.
    pub path: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// What may stand in the query, and whether it must.
    pub query: &'static [(&'static str, bool)],
    /// What its body holds.
    pub takes: Option<Describe>,
    /// What it answers with.
    pub gives: Gives,
    handler: MethodRouter<Arc<App>>,
}

impl Route {
    fn get<T: JsonSchema>(path: &'static str, handler: MethodRouter<Arc<App>>) -> Self {
        let gives = Gives::Json(reference::<T>);
        Self { method: "get", path, about: "", query: &[], takes: None, gives, handler }
    }

    fn post<Q: JsonSchema, A: JsonSchema>(
        path: &'static str,
        handler: MethodRouter<Arc<App>>,
    ) -> Self {
        let gives = Gives::Json(reference::<A>);
        let takes = Some(reference::<Q> as Describe);
        Self { method: "post", path, about: "", query: &[], takes, gives, handler }
    }

    fn does(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    fn asks(self, query: &'static [(&'static str, bool)]) -> Self {
        Self { query, ..self }
    }

    fn in_text(self, content_type: &'static str) -> Self {
        Self { gives: Gives::Text(content_type), ..self }
    }
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The router of every row.
pub fn router() -> Router<Arc<App>> {
    all().into_iter().fold(Router::new(), |router, route| router.route(route.path, route.handler))
}

/// Every row.
pub fn all() -> Vec<Route> {
    let mut routes = vec![
        Route::post::<wire::Exchange, wire::Empty>("/session", post(h::session::handle))
            .does("Exchanges the one-time code of the address for a session cookie."),
        Route::get::<wire::State>("/state", get(h::state::handle))
            .does("What is guarded and how things stand."),
        Route::get::<wire::Event>("/events", get(h::events::handle))
            .does("What happens, as it happens; `Last-Event-ID` goes on where a stream broke off.")
            .in_text("text/event-stream"),
        Route::get::<wire::Empty>("/openapi.json", get(h::openapi::handle))
            .does("This description.")
            .in_text("application/json"),
    ];
    routes.extend(changes());
    routes.extend(receipts());
    routes.extend(settings());
    routes
}

fn changes() -> Vec<Route> {
    vec![
        Route::get::<wire::ChangeList>("/changes", get(h::changes::handle))
            .does("What waits for review, oldest first."),
        Route::get::<wire::Change>("/changes/{id}", get(h::change::handle))
            .does("One change with its hunks, findings and conflicts, judged anew."),
        Route::get::<wire::LineList>("/changes/{id}/lines", get(h::lines::handle))
            .asks(&[("path", true), ("from", true), ("to", true)])
            .does("Lines of the base between hunks, by number, both ends included."),
        Route::post::<wire::Decide, wire::Decided>("/changes/{id}/decide", post(h::decide::handle))
            .does("Accepts, rejects or takes back; nothing is written."),
        Route::post::<wire::CommentOn, wire::Decided>(
            "/changes/{id}/comment",
            post(h::comment::handle),
        )
        .does("Words for the agent about a hunk or a line; a hunk without a decision is rejected."),
        Route::post::<wire::EditHunk, wire::Change>(
            "/changes/{id}/edit",
            post(h::edit_hunk::handle),
        )
        .does("Puts the person's text in the place of a hunk, and accepts it."),
        Route::post::<wire::Apply, wire::Outcome>("/changes/{id}/apply", post(h::apply::handle))
            .does("Writes what was accepted, if it is still what was looked at."),
        Route::post::<wire::Reject, wire::Outcome>("/changes/{id}/reject", post(h::reject::handle))
            .does("Turns the whole change down."),
    ]
}

fn receipts() -> Vec<Route> {
    vec![
        Route::get::<wire::ReceiptList>("/receipts", get(h::receipts::handle))
            .asks(&[
                ("before", false),
                ("limit", false),
                ("action", false),
                ("agent", false),
                ("path", false),
                ("text", false),
            ])
            .does("Receipts, newest first."),
        Route::get::<wire::Chart>("/receipts/chart", get(h::chart::handle))
            .does("What the guards said over time and to each agent."),
        Route::post::<wire::Empty, wire::VerifyResult>("/receipts/verify", post(h::verify::handle))
            .does("Recomputes the chain, the tree and every signature."),
        Route::get::<wire::Empty>("/receipts/export", get(h::export::handle))
            .does("Every receipt as a line of JSON.")
            .in_text("application/x-ndjson"),
        Route::get::<wire::ReceiptDetail>("/receipts/{id}", get(h::receipt::handle))
            .does("One receipt with everything in it."),
        Route::get::<wire::Proof>("/receipts/{id}/prove", get(h::prove::handle))
            .does("That a receipt is in the signed tree."),
        Route::get::<wire::UndoPreview>("/receipts/{id}/undo", get(h::undo_preview::handle))
            .does("What taking a receipt back would write."),
        Route::post::<wire::Empty, wire::Outcome>(
            "/receipts/{id}/rollback",
            post(h::rollback::handle),
        )
        .does("Takes a receipt back."),
    ]
}

fn settings() -> Vec<Route> {
    vec![
        Route::get::<wire::RuleList>("/rules", get(h::rules::handle))
            .does("The rules in force, with where they come from."),
        Route::post::<wire::SetAllowed, wire::AllowList>("/rules/allow", post(h::allow::handle))
            .does("Sets the paths of this workspace that need no confirmation."),
        Route::post::<wire::TryRules, wire::Tried>("/rules/try", post(h::try_rules::handle))
            .does("What the rules say of a path and a text; nothing is staged or recorded."),
        Route::get::<wire::Mode>("/mode", get(h::mode::get))
            .does("How much may happen without a person."),
        Route::post::<wire::SetMode, wire::Mode>("/mode", post(h::mode::set))
            .does("Sets how much may happen without a person."),
    ]
}
