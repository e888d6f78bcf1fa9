//! SARIF 2.1.0, as code hosts read it, for what `gatewright check` found.

use gatewright_model::{Finding, Severity};
use serde_json::{Value, json};

/// A log with these results. `rules` names what they may refer to, once or often.
pub fn log(mut rules: Vec<&str>, results: &[Value]) -> Value {
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.into_iter().map(|rule| json!({ "id": rule })).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "gatewright",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The findings of a change.
pub fn findings(findings: &[Finding]) -> Value {
    let rules = findings.iter().map(|finding| finding.code.as_str()).collect();
    let results: Vec<Value> = findings.iter().map(result).collect();
    log(rules, &results)
}

fn result(finding: &Finding) -> Value {
    let level = match finding.severity {
        Severity::Refuse => "error",
        Severity::Confirm | Severity::Warn => "warning",
        Severity::Note => "note",
    };
    let mut place = json!({ "artifactLocation": { "uri": uri(&finding.path) } });
    if let Some(line) = finding.line {
        place["region"] = json!({ "startLine": line });
    }
    if let (Some(_), Some(column)) = (finding.line, finding.column) {
        place["region"]["startColumn"] = json!(column);
    }
    let hint = finding.hint.as_deref().map_or(String::new(), |hint| format!(" Next: {hint}"));
    json!({
        "ruleId": finding.code,
        "level": level,
        "message": { "text": format!("{}{hint}", finding.message) },
        "locations": [{ "physicalLocation": place }],
    })
}

/// A path as a relative reference, with all but plain characters encoded.
pub fn uri(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => {
                text.push(char::from(byte));
            }
            b'\\' => text.push('/'),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
