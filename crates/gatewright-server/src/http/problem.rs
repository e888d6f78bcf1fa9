//! What went wrong, as the page tells it: a stable code, a sentence, the next step.

use axum::http::StatusCode;
use gatewright_engine::ledger::LedgerError;
use gatewright_engine::{EngineError, ErrorKind};

use super::wire;

/// A failure of a request.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    code: &'static str,
    message: String,
    hint: Option<String>,
}

impl Problem {
    /// The request makes no sense as it stands.
    pub fn bad_request(message: &str) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            code: "bad-request",
            message: message.to_owned(),
            hint: None,
        }
    }

    /// The person decided on something that is no longer there.
    pub fn outdated() -> Self {
        Self {
            status: StatusCode::CONFLICT,
            code: "stage-conflict",
            message: "this change was altered after you looked at it; nothing was written"
                .to_owned(),
            hint: Some("look at it again and decide anew".to_owned()),
        }
    }

    /// Another window changed the list.
    pub fn outdated_list() -> Self {
        Self {
            status: StatusCode::CONFLICT,
            code: "list-conflict",
            message: "the list was changed after you looked at it; nothing was set".to_owned(),
            hint: Some("look at it again and set it anew".to_owned()),
        }
    }

    /// A setting that cannot be.
    pub fn unusable(message: &str) -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: "configuration",
            message: message.to_owned(),
            hint: None,
        }
    }

    /// A hidden value stands on a line that was edited.
    pub fn hidden_value() -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: "placeholder",
            message: "a line with a hidden value was edited, so its true text is not known"
                .to_owned(),
            hint: Some(
                "leave lines with [REDACTED:…] as they stand, or edit them in the terminal"
                    .to_owned(),
            ),
        }
    }

    /// The status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The body.
    pub fn to_wire(&self) -> wire::Failure {
        wire::Failure {
            error: wire::FailureDetail {
                code: self.code.to_owned(),
                message: self.message.clone(),
                hint: self.hint.clone(),
            },
        }
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let status = match error.kind() {
            ErrorKind::Refused => StatusCode::FORBIDDEN,
            ErrorKind::Stale => StatusCode::CONFLICT,
            ErrorKind::BadRequest => match error {
                EngineError::NoSuchChange { .. } | EngineError::NoSuchReceipt { .. } => {
                    StatusCode::NOT_FOUND
                }
                EngineError::Closed { .. } => StatusCode::CONFLICT,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            },
            ErrorKind::Configuration | ErrorKind::Environment | ErrorKind::Internal => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        Self { status, code: error.code(), message: error.to_string(), hint: error.hint() }
    }
}

impl From<LedgerError> for Problem {
    fn from(error: LedgerError) -> Self {
        EngineError::from_ledger(error).into()
    }
}
