//! What the rules say of a path and a text; nothing is staged or recorded.

use std::sync::Arc;

use axum::extract::State;
use gatewright_engine::{Base, Operation, Request};
use gatewright_model::{Agent, Door, RequestedPath};

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::decode::Body;
use crate::http::diff_view;
use crate::http::problem::Problem;
use crate::http::wire::{Tried, TryRules};

/// `POST /api/rules/try`
pub async fn handle(State(app): State<Arc<App>>, Body(request): Body<TryRules>) -> Answer {
    app.answer(move |app| {
        let mut tried = Tried {
            verdict: None,
            resolved: None,
            findings: Vec::new(),
            shown: None,
            hidden: Default::default(),
        };
        if let Some(text) = request.text.as_deref().filter(|text| !text.is_empty()) {
            let sealed = app.engine.egress().seal(text);
            tried.hidden = sealed.counts().to_map();
            tried.shown = Some(sealed.into_inner());
        }
        if let Some(path) = request.path.as_deref().filter(|path| !path.is_empty()) {
            judge(app, path, request.text.as_deref().unwrap_or("x\n"), &mut tried)?;
        }
        Ok(tried)
    })
    .await
}

fn judge(app: &App, path: &str, text: &str, tried: &mut Tried) -> Result<(), Problem> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let checked = app.engine.check(&Request {
        agent: Agent { name: "review page".to_owned(), version, door: Door::Http },
        run_id: "try".to_owned(),
        autonomy: None,
        operations: vec![Operation::Write {
            path: RequestedPath::new(path),
            content: text.as_bytes().to_vec(),
            base: Base::Current,
        }],
    })?;
    tried.verdict = Some(checked.verdict.as_str().to_owned());
    tried.resolved = checked.files.first().and_then(|(_, resolved)| resolved.clone());
    tried.findings = checked.findings.iter().map(diff_view::finding).collect();
    Ok(())
}
