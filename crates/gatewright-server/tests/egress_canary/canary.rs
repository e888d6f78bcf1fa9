//! The canaries: one secret of each kind in a text as it would stand in a file.

/// A secret and the text around it.
pub struct Canary {
    pub kind: &'static str,
    pub text: String,
    /// What must not be seen anywhere.
    pub secrets: Vec<String>,
}

const LINES: [&str; 3] = [
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
    "MzEfYyjiWA4R4ypP2U8hV2LxkQw9tB3zN6mJ0rXeDs5uGcK1vTaHqLiPoFyWbSnE",
    "Q4dRfZ7jUxC2mVkTgYpAhN8sLwOeBi3rJtXc6GzDvKqMyP0uEaWlFnS5HoRbI9d1",
];

/// One of each kind.
pub fn canaries() -> Vec<Canary> {
    let body = LINES.join("\n");
    let escaped = LINES.join("\\n");
    let lines = || LINES.map(str::to_owned).to_vec();
    let one = |kind, before: &str, secret: &str, after: &str| Canary {
        kind,
        text: format!("{before}{secret}{after}"),
        secrets: vec![secret.to_owned()],
    };
    vec![
        one("api-key", "github = \"", "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", "\""),
        one("connection-string", "url = postgres://app:", "Zq7cAnaryPw4", "@db.host:5432/main"),
        one("password", "db_password = \"", "Tr0ubCanary3xQ", "\""),
        one("path", "notes = ", "/home/canaryuser/private/notes.txt", ""),
        Canary {
            kind: "private-key",
            text: format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----"),
            secrets: lines(),
        },
        Canary {
            kind: "service-account",
            text: format!(
                "{{\"type\": \"service_account\", \"private_key\": \"-----BEGIN PRIVATE KEY-----\\n{escaped}\\n-----END PRIVATE KEY-----\\n\"}}"
            ),
            secrets: lines(),
        },
    ]
}

/// All of them, as the text of one file.
pub fn every_text() -> String {
    canaries().iter().map(|canary| format!("{}\n", canary.text)).collect()
}

/// Fails when a canary stands in `sent`.
pub fn assert_silent(what: &str, sent: &str) {
    for canary in canaries() {
        for secret in &canary.secrets {
            if let Some(at) = sent.find(secret.as_str()) {
                let from = sent.floor_char_boundary(at.saturating_sub(300));
                let to = sent.floor_char_boundary((at + 120).min(sent.len()));
                panic!("{what} shows the {} canary: …{}…", canary.kind, &sent[from..to]);
            }
        }
    }
}
