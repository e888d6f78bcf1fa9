//! How the egress guard bears text made to slow it down: one JSON line for each string.
//!
//! `cargo run --release -p gatewright-guards --example egress_hostile -- [MEGABYTES [NAME]]`
//! repeats each seed to half of MEGABYTES and to all of it, whole and as a stream,
//! and prints the speed and how the time grows: 2 is linear, 4 is quadratic.
#![expect(clippy::disallowed_methods, reason = "a measuring program, not a part of the product")]

use std::time::{Duration, Instant};

use gatewright_guards::egress::{Redactor, Stream};
use serde_json::json;

/// What is repeated, by name.
const SEEDS: [(&str, &str); 152] = [
    ("disguised_marker", "-----BEGIN PRI\u{200b}VATE KEY-----\n"),
    ("disguised_marker_line", "-----BEGIN PRI\u{200b}VATE KEY-----"),
    (
        "disguised_key",
        "-----BEGIN PRI\u{200b}VATE KEY-----\nMIIEpAIBAAKCAQEA7bq2vX3n\u{200b}y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3d\n",
    ),
    ("pairs", "password: aB3dE5gH7kLm; "),
    ("pairs_bar", "PASSWORD = aB3dE5gH7kLm | "),
    ("parameter", "token:\n    Type: String\n"),
    ("parameter_value", "token:\n    Type: String\n    Default: aB3dE5gH7kLm9Qx2\n"),
    ("asked", "$ echo $TOKEN\naB3dE5gH7kLm9Qx2\n"),
    ("said_before", "\"aB3dE5gH7kLm9Qx2\" as the token "),
    ("row_values", "VALUES (1, 'token', '"),
    ("tables", "name,password\nanna,b\n"),
    ("table_rows", "name,password,x\nanna,Zx81kQp0,b\ncarl,Yw72jRo9,d\n"),
    ("list_values", "tokens = [\"Zx81kQp0aa\", \"Yw72jRo9bb\"],\n"),
    ("scheme", "://"),
    ("scheme_user", "a://b:c@"),
    ("colons", ":"),
    ("ats", "a:b@"),
    ("password", "password="),
    ("password_spaced", "password = "),
    ("password_quoted", "password=\""),
    ("api_key", "api_key="),
    ("secret_colon", "secret: "),
    ("name_value", "api_key=a1B2c3D4e5F6g7H8i9J0 "),
    ("name_value_tight", "api_key=a1B2c3D4e5F6g7H8i9J0&"),
    ("lines", "password:\n"),
    ("lines_key", "key\n"),
    ("pem", "-----BEGIN PRIVATE KEY-----"),
    ("pem_lines", "-----BEGIN PRIVATE KEY-----\n"),
    ("pem_escaped", "-----BEGIN PRIVATE KEY-----\\n"),
    ("pem_body", "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP\n"),
    ("pem_end", "-----END PRIVATE KEY-----"),
    ("ppk", "PuTTY-User-Key-File-2: "),
    ("ppk_lines", "PuTTY-User-Key-File-2: ssh-rsa\n"),
    ("bare_key", "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc "),
    ("bare_key_long", "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1JcMIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc\n"),
    ("service_account", "service_account "),
    ("jwt", "eyJ"),
    ("jwt_dots", "eyJhbGciOiJIUzI1NiJ9."),
    ("github", "ghp_"),
    ("github_whole", "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 "),
    ("aws", "AKIA"),
    ("run", "a1B2c3D4"),
    ("hex", "0123456789abcdef"),
    ("base64", "cGFzc3dvcmQ9aHVudGVyMg"),
    ("context", "datadog cloudflare heroku twilio "),
    ("context_run", "datadog 0123456789abcdef0123456789abcdee "),
    ("home", "/home/"),
    ("home_user", "/home/a "),
    ("slashes", " /a"),
    ("tilde", "~/a "),
    ("drive", "C:\\a"),
    ("backslash", "\\\\"),
    ("backslash_n", "\\n"),
    ("escape", "\\u0041"),
    ("percent", "%41"),
    ("entity", "&#65;"),
    ("ansi", "\u{1b}[31m"),
    ("zero_width", "a\u{200b}"),
    ("seam", "\" + \""),
    ("list_hex", "5f "),
    ("list_code", "0x5f, "),
    ("list_quoted", "'_', "),
    ("tags", "ghp_a<b>c</b>"),
    ("placeholder", "[REDACTED:api-key]"),
    ("bearer", "Bearer "),
    ("copula", "API_KEY is a1B2 "),
    ("told", "API_KEY to a1B2 "),
    ("groups", "ghp_ TZV1 "),
    ("dump", "00000000: 6768 705f 6768 705f 6768 705f 6768 705f  ghp_ghp_ghp_ghp_\n"),
    ("jwk_members", "{\"kty\":\"RSA\",\"d\":\"aB3xYz\",\"p\":\"q\",\"q\":\"x\"},"),
    ("jwk_field", "{d: \""),
    ("xml_element", "<d>"),
    ("proc_type", "Proc-Type: 4,ENCRYPTED\n"),
    ("dek_info", "DEK-Info: AES-256-CBC,\n"),
    ("go_dsn", "a:b@tcp("),
    ("oracle_thin", ":thin:a/b@"),
    ("port_5432", "h:5432:d:u:p\n"),
    ("any_port", ":*:"),
    ("description", "@(description="),
    ("listener", ":1521/"),
    ("sqlplus", "sqlplus a/b@c "),
    ("netrc", "machine a login b "),
    ("netrc_lines", "machine a\nlogin b\npassword c\n"),
    ("basic", "Basic dXNlcjpw "),
    ("cookie", "Cookie: a=b; "),
    ("cookie_lines", "Set-Cookie: sid=a1B2c3D4e5F6g7H8; Path=/\n"),
    ("sig", "&sig=a%2Bb"),
    ("security_token", "security-token=a1"),
    ("identified", "IDENTIFIED BY 'a' "),
    ("share", "//nas/users/al/"),
    ("file_url", "file:///home/a "),
    ("editor_link", "vscode://file/home/a"),
    ("join", ".join(\"\")"),
    ("wbr", "a<wbr>"),
    ("mysql", "mysql -pab "),
    ("curl", "curl -u a:b "),
    ("long_option", "--password a1B2 "),
    ("box", "│ TOKEN │ a1B2 │\n"),
    ("list_yaml", "tokens:\n  - a1B2c3D4\n"),
    ("name_value_yaml", "- name: API_KEY\n  value: a1B2\n"),
    ("emphasis", "a**b**"),
    ("quoted_printable", "a1B2=\n"),
    ("continued", "a \\\n"),
    ("cyrillic", "аеa"),
    ("full_width", "ａＢ"),
    ("word_diff", "[-a-]{+b+}"),
    ("codes", "0x73"),
    ("snowflake", "MzA0NjM5NDEwNzI4OTY5NzI4.Gd9jdp."),
    ("nested_json", "{\"a\":"),
    ("escaped_quotes", "\\\""),
    ("doubled_escapes", "\\\\\\\""),
    ("dashes", "-----"),
    ("equals", "="),
    ("spaces", " "),
    ("newlines", "\n"),
    ("digits", "1234567890"),
    ("upper", "TOKEN_"),
    ("pass", "pass"),
    ("key_eq_key", "key=key:"),
    ("dotted", "secret.token."),
    ("wide", "p\0w\0"),
    ("percent_twice", "%2525"),
    ("hex_escape", "\\x41"),
    ("sse", "data: {\"a\":\"b\"}\n\n"),
    (
        "rpc",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"key=a\\n\"}]}}\n",
    ),
    (
        "rpc_one_line",
        "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"token\":\"a1B2c3D4e5\"}}",
    ),
    ("key_body", "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtPMIIEpAIBAAKCAQEA\n"),
    ("wrapped", "c2hwYXRfYTFiMmMz\n"),
    ("base64_twice", "WTBkR2VtTXpaSFp5WkQxb2RXNTBaWEl5"),
    ("base32", "ONSWG4TFOQQHI33LMVXA"),
    ("ghp_quoted", "\"ghp_\" + \"a1B2\" + "),
    ("ghp_colour", "ghp_\u{1b}[0m"),
    ("sk_live", "sk_live_"),
    ("age", "AGE-SECRET-KEY-1"),
    ("glpat", "glpat-"),
    ("values_only", "a1B2c3D4e5F6g7H8 "),
    ("env_refs", "password=$PASSWORD "),
    ("placeholders", "password=<your-password> "),
    ("redacted_names", "password=[REDACTED:password] "),
    ("xml_tag", "<password>a1B2</password>"),
    ("url_query", "?token=a1B2c3D4&"),
    ("url_user", "https://user:p4ss@host/path "),
    ("jdbc", "jdbc:mysql://h/d?user=a&password=b1 "),
    ("windows_slash", "C:/Users/al/ "),
    ("escaped_slash", "\\/home\\/al\\/"),
    ("pem_quoted", "\"-----BEGIN PRIVATE KEY-----\\n\" +\n"),
    ("pem_numbered", "   1\t-----BEGIN PRIVATE KEY-----\n"),
    ("begin_end", "-----BEGIN RSA PRIVATE KEY-----\n-----END RSA PRIVATE KEY-----\n"),
    ("pass_is", "password is a1B2c3 "),
    ("letters", "g h p _ "),
    ("groups_of_four", "AKIA IOSF ODNN "),
    ("accents", "é"),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let megabytes: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    let only = arguments.next();
    let redactor = Redactor::default();
    for (name, seed) in SEEDS.iter().filter(|seed| only.as_deref().is_none_or(|one| one == seed.0))
    {
        let text = seed.repeat((megabytes << 20) / seed.len());
        // Rules are compiled when first needed; that is not what is measured.
        std::hint::black_box(redactor.find(&text.as_bytes()[..text.len().min(4096) & !3]));
        let half = timed(|| redactor.find(&text.as_bytes()[..text.len() / 2]).len());
        let whole = timed(|| redactor.find(text.as_bytes()).len());
        let stream = timed(|| streamed(&redactor, text.as_bytes()));
        println!(
            "{}",
            json!({
                "name": name,
                "whole_mb_s": speed(text.len(), whole),
                "stream_mb_s": speed(text.len(), stream),
                "growth": (whole.as_secs_f64() / half.as_secs_f64().max(1e-9) * 100.0).round() / 100.0,
            })
        );
    }
}

fn streamed(redactor: &Redactor, text: &[u8]) -> usize {
    let mut stream = Stream::new(redactor);
    let mut length = 0;
    for chunk in text.chunks(16 * 1024) {
        length += stream.push(chunk).as_bytes().len();
    }
    length + stream.finish().as_bytes().len()
}

/// The processor time that `work` takes, which other programs do not lengthen.
fn timed(work: impl FnOnce() -> usize) -> Duration {
    let (started, used) = (Instant::now(), processor_time());
    std::hint::black_box(work());
    match (used, processor_time()) {
        // The count moves in steps; below one of them only the clock tells.
        (Some(before), Some(after)) if after > before => after - before,
        _ => started.elapsed(),
    }
}

/// What the scheduler counts for this thread, where there is such a count.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

fn speed(bytes: usize, time: Duration) -> f64 {
    (bytes as f64 / 1e5 / time.as_secs_f64().max(1e-9)).round() / 10.0
}
