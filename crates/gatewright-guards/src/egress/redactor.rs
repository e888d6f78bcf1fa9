//! `Redactor`: whole texts in, redacted texts out.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::catalogue::Catalogue;
use super::engine::{Engine, Found};
use super::kind::{Counts, Kind};
use super::redacted::Redacted;

/// A value that is known to be secret, wherever it appears.
#[derive(Debug, Clone)]
pub struct SecretValue {
    /// The value itself.
    pub value: String,
    /// What it is.
    pub kind: Kind,
    /// Where it is from, for reports: a file or a variable name, never the value.
    pub label: String,
}

/// What is known about the place that the text comes from.
#[derive(Debug, Clone, Default)]
pub struct RedactionContext {
    /// The absolute path of the workspace. Paths under it stay.
    pub workspace_root: Option<String>,
    /// Home directories that are hidden wherever they appear.
    pub home_dirs: Vec<String>,
    /// Login names, hidden in home-like paths of any system.
    pub user_names: Vec<String>,
    /// Values of `.env` files and the environment.
    pub exact_secrets: Vec<SecretValue>,
}

/// One hidden range of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redaction {
    /// What was hidden.
    pub kind: Kind,
    /// The rule or detector that found it.
    pub rule: Cow<'static, str>,
    /// Where it starts in the input, in bytes.
    pub start: usize,
    /// Where it ends in the input, in bytes.
    pub end: usize,
}

impl Redaction {
    /// The hidden range of the input.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// A redacted text and what was hidden in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedactedText {
    /// The text with placeholders.
    pub text: String,
    /// What was hidden, in order, with offsets in the input.
    pub redactions: Vec<Redaction>,
}

impl RedactedText {
    /// How many values of each kind were hidden.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for redaction in &self.redactions {
            counts.add(redaction.kind);
        }
        counts
    }
}

/// Hides what must not leave. Cheap to clone.
///
/// ```
/// use gatewright_guards::egress::Redactor;
/// let redactor = Redactor::default();
/// assert_eq!(redactor.redact("plain text").text, "plain text");
/// ```
#[derive(Debug, Clone)]
pub struct Redactor {
    engine: Arc<Engine>,
}

static DEFAULT: LazyLock<Redactor> =
    LazyLock::new(|| Redactor::new(Catalogue::built_in(), RedactionContext::default()));

impl Default for Redactor {
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl Redactor {
    /// A redactor with these rules, for text from this place.
    pub fn new(catalogue: &Catalogue, context: RedactionContext) -> Redactor {
        Redactor { engine: Arc::new(Engine::new(catalogue, context)) }
    }

    /// The same rules for text from another place; the prefilter is shared.
    pub fn with_context(&self, context: RedactionContext) -> Redactor {
        Redactor { engine: Arc::new(self.engine.with_context(context)) }
    }

    /// Everything that must not leave, in order and without overlaps.
    pub fn find(&self, bytes: &[u8]) -> Vec<Redaction> {
        self.engine.find(bytes).into_iter().map(Found::into_redaction).collect()
    }

    /// Hides everything that must not leave.
    pub fn redact(&self, text: &str) -> RedactedText {
        let redactions = self.find(text.as_bytes());
        let hidden = replace(text.as_bytes(), &redactions);
        // Ranges begin and end between characters, so this copies nothing.
        let text = match String::from_utf8(hidden) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        RedactedText { text, redactions }
    }

    /// Hides everything that must not leave, in bytes of any encoding.
    pub fn redact_bytes(&self, bytes: &[u8]) -> (Vec<u8>, Vec<Redaction>) {
        let redactions = self.find(bytes);
        (replace(bytes, &redactions), redactions)
    }

    /// Redacts `text` and seals it for sending.
    pub fn seal(&self, text: &str) -> Redacted<String> {
        let redacted = self.redact(text);
        let counts = redacted.counts();
        Redacted::new(redacted.text, counts)
    }

    pub(super) fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }
}

/// `bytes` with a placeholder in each range.
pub(super) fn replace(bytes: &[u8], redactions: &[Redaction]) -> Vec<u8> {
    let mut output = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for redaction in redactions {
        output.extend_from_slice(&bytes[from..redaction.start]);
        output.extend_from_slice(redaction.kind.placeholder().as_bytes());
        from = redaction.end;
    }
    output.extend_from_slice(&bytes[from..]);
    output
}
