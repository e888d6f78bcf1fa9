//! The rules in force, with where they come from.

use std::sync::Arc;

use axum::extract::State;
use gatewright_engine::guards::egress::Catalogue;
use gatewright_engine::guards::write;
use gatewright_model::Severity;

use crate::http::answer::Answer;
use crate::http::app::App;
use crate::http::wire::{RuleList, RuleRow};

/// `GET /api/rules`
pub async fn handle(State(app): State<Arc<App>>) -> Answer {
    app.answer(|app| {
        let mut rules: Vec<RuleRow> = write::catalogue().map(write_row).collect();
        rules.extend(Catalogue::built_in().rules().iter().map(|rule| RuleRow {
            code: rule.name.clone(),
            guard: "egress".to_owned(),
            group: rule.provider.clone(),
            effect: "hide".to_owned(),
            reason: rule.kind.as_str().to_owned(),
            source: "built in".to_owned(),
            // Examples of secrets would be hidden on their way out.
            examples: Vec::new(),
        }));
        let config = app.engine.config_now();
        rules.extend(config.egress_rules.iter().map(|rule| RuleRow {
            code: rule.name.clone(),
            guard: "egress".to_owned(),
            group: "configuration".to_owned(),
            effect: "hide".to_owned(),
            reason: rule.kind.clone(),
            source: "configuration".to_owned(),
            examples: Vec::new(),
        }));
        let merged = config.merged.clone();
        Ok(RuleList {
            rules,
            blocked_paths: merged.blocked_paths,
            blocked_patterns: merged.blocked_patterns,
            allow_paths: merged.allow_paths,
        })
    })
    .await
}

fn write_row(rule: &write::RuleInfo) -> RuleRow {
    let effect = match rule.severity {
        Severity::Note => "note",
        Severity::Warn => "warn",
        Severity::Confirm => "confirm",
        Severity::Refuse => "refuse",
    };
    RuleRow {
        code: rule.code.clone(),
        guard: rule.guard.as_str().to_owned(),
        group: rule.group.clone(),
        effect: effect.to_owned(),
        reason: rule.reason.clone(),
        source: "built in".to_owned(),
        examples: rule.examples.clone(),
    }
}
