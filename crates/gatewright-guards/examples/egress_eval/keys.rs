//! Private keys in their containers and in every shape that tools show them in.

use crate::random::{ALNUM, BASE64, HEX, Random, UPPER};

/// A container: its name, its whole text, and lines that must not leave.
pub struct Key {
    pub name: &'static str,
    pub text: String,
    pub lines: Vec<String>,
}

fn body(random: &mut Random, head: &str, lines: usize) -> Vec<String> {
    let mut all: Vec<String> = (0..lines).map(|_| random.text(BASE64, 64)).collect();
    all[0].replace_range(..head.len(), head);
    all.push(format!("{}=", random.text(BASE64, 27)));
    all
}

fn pem(name: &'static str, label: &str, headers: &str, lines: Vec<String>) -> Key {
    let text =
        format!("-----BEGIN {label}-----\n{headers}{}\n-----END {label}-----", lines.join("\n"));
    Key { name, text, lines }
}

/// One key of each container.
pub fn keys(random: &mut Random) -> Vec<Key> {
    let encrypted =
        "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF0123456789ABCDEF\n\n";
    let mut keys = vec![
        pem("rsa", "RSA PRIVATE KEY", "", body(random, "MIIEpAIBAAKCAQEA", 24)),
        pem("pkcs8", "PRIVATE KEY", "", body(random, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 25)),
        pem(
            "ed25519",
            "PRIVATE KEY",
            "",
            vec![format!("MC4CAQAwBQYDK2VwBCIEI{}", random.text(BASE64, 43))],
        ),
        pem("ec", "EC PRIVATE KEY", "", body(random, "MHcCAQEEI", 2)),
        pem("dsa", "DSA PRIVATE KEY", "", body(random, "MIIBuwIBAAKBgQ", 9)),
        pem("openssh", "OPENSSH PRIVATE KEY", "", body(random, "b3BlbnNzaC1rZXktdjEAAAAA", 6)),
        pem("encrypted", "ENCRYPTED PRIVATE KEY", "", body(random, "MIIFHDBOBgkqhkiG9w0BBQ0w", 26)),
        pem("legacy encrypted", "RSA PRIVATE KEY", encrypted, body(random, "", 24)),
        pem("pgp", "PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n", body(random, "lQOYBF", 20)),
    ];
    let age = format!("AGE-SECRET-KEY-1{}", random.text("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58));
    keys.push(Key { name: "age", text: age.clone(), lines: vec![age[20..60].to_owned()] });
    keys.push(putty(random));
    keys.push(web_key(random));
    let wireguard = format!("{}=", random.text(BASE64, 43));
    keys.push(Key {
        name: "wireguard",
        text: format!("[Interface]\nAddress = 10.0.0.1/24\nPrivateKey = {wireguard}\n"),
        lines: vec![wireguard[..40].to_owned()],
    });
    keys
}

fn putty(random: &mut Random) -> Key {
    let lines: Vec<String> = (0..3).map(|_| random.text(BASE64, 64)).collect();
    let text = format!(
        "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: rsa-key\nPublic-Lines: 1\nAAAAB3NzaC1yc2E{}\nPrivate-Lines: 3\n{}\nPrivate-MAC: {}",
        random.text(ALNUM, 40),
        lines.join("\n"),
        random.text(HEX, 64)
    );
    Key { name: "putty", text, lines }
}

fn web_key(random: &mut Random) -> Key {
    let secret = random.text(ALNUM, 43);
    let text = format!(
        "{{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"{}\",\"y\":\"{}\",\"d\":\"{secret}\"}}",
        random.text(ALNUM, 43),
        random.text(ALNUM, 43)
    );
    Key { name: "json web key", text, lines: vec![secret] }
}

/// A Google service account, with the key in its JSON.
pub fn service_account(random: &mut Random, pretty: bool) -> Key {
    let lines = body(random, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 25);
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\\n{}\\n-----END PRIVATE KEY-----\\n",
        lines.join("\\n")
    );
    let id = random.text(HEX, 40);
    let (open, gap, close) = if pretty { ("{\n  ", ",\n  ", "\n}") } else { ("{", ",", "}") };
    let text = [
        "\"type\": \"service_account\"".to_owned(),
        format!("\"project_id\": \"p-{}\"", random.text(UPPER, 4).to_lowercase()),
        format!("\"private_key_id\": \"{id}\""),
        format!("\"private_key\": \"{key}\""),
        "\"client_email\": \"x@p.iam.gserviceaccount.com\"".to_owned(),
    ]
    .join(gap);
    Key { name: "service account", text: format!("{open}{text}{close}\n"), lines }
}

fn each_line(text: &str, make: impl Fn(usize, &str) -> String) -> String {
    text.lines().enumerate().map(|(index, line)| make(index + 1, line) + "\n").collect()
}

/// A way of showing a text of several lines.
pub type Shape = (&'static str, fn(&str) -> String);

pub const SHAPES: [Shape; 24] = [
    ("raw", |text| format!("{text}\n")),
    ("with text around", |text| format!("cat key\n{text}\nafter words\n")),
    ("carriage returns", |text| text.replace('\n', "\r\n") + "\r\n"),
    ("quoted", |text| format!("KEY=\"{text}\"\n")),
    ("triple quoted", |text| format!("key = \"\"\"{text}\n\"\"\"\n")),
    ("one line", |text| format!("KEY=\"{}\\n\"\n", text.replace('\n', "\\n"))),
    ("one line unquoted", |text| format!("KEY={}\n", text.replace('\n', "\\n"))),
    ("json", |text| format!("{{\"key\": {}}}\n", serde_json::json!(text))),
    ("json in json", |text| {
        let inner = serde_json::json!({ "content": text }).to_string();
        format!("{}\n", serde_json::json!({ "result": inner }))
    }),
    ("three times escaped", |text| {
        let inner = serde_json::json!({ "content": text }).to_string();
        let middle = serde_json::json!({ "result": inner }).to_string();
        format!("{}\n", serde_json::json!({ "data": middle }))
    }),
    ("yaml block", |text| {
        format!("key: |\n{}next: 1\n", each_line(text, |_, line| format!("  {line}")))
    }),
    ("yaml deep block", |text| {
        format!("a:\n  key: |-\n{}", each_line(text, |_, line| format!("        {line}")))
    }),
    ("diff added", |text| each_line(text, |_, line| format!("+{line}"))),
    ("diff removed", |text| each_line(text, |_, line| format!("-{line}"))),
    ("numbered", |text| each_line(text, |index, line| format!("{index:>6}\t{line}"))),
    ("arrows", |text| each_line(text, |index, line| format!("{index:>5}→{line}"))),
    ("grep", |text| each_line(text, |index, line| format!("conf/key.pem:{index}:{line}"))),
    ("quote marks", |text| each_line(text, |_, line| format!("> {line}"))),
    ("log prefix", |text| each_line(text, |_, line| format!("web_1  | {line}"))),
    ("timestamps", |text| {
        each_line(text, |_, line| format!("2026-11-15T10:00:00Z stdout F {line}"))
    }),
    ("concatenation", |text| {
        format!("k = {}  \"\";\n", each_line(text, |_, line| format!("  \"{line}\\n\" +")))
    }),
    ("adjacent strings", |text| {
        format!("k = (\n{})\n", each_line(text, |_, line| format!("    '{line}\\n'")))
    }),
    ("comments", |text| each_line(text, |_, line| format!("// {line}"))),
    ("spaces for lines", |text| format!("KEY=\"{}\"\n", text.replace('\n', " "))),
];
