//! The laws of redaction on texts put together at random from what rules and detectors care about.
//!
//! `cargo run --release -p gatewright-guards --example egress_stress -- [SEED [COUNT]]`
//! prints each text that a stream of single bytes or of small chunks gives another
//! output for than the whole does, or that changes when it is redacted again. It is
//! an order of magnitude faster than the property tests and its texts are denser.

use gatewright_guards::egress::{Redactor, Stream};

/// Parts of texts.
const PARTS: [&str; 272] = [
    "-----BEGIN PRI\u{200b}VATE KEY-----\n",
    "-----BEGIN ENCRYPT\x1b[1mED PRIVATE KEY-----\x1b[0m\n",
    "MIIEpAIBAAKCAQEA7bq2vX3n\u{200b}y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN\n",
    "# ... 4 more lines ...\n",
    " | REGION = ",
    "; region: ",
    "AcmeToken:\n",
    "    Type: String\n",
    "    Default: ",
    "ACME_TOKEN* = \"",
    "acme_token[] = \"",
    ").toBe('",
    " = prod ? '",
    "$ echo $ACME_TOKEN\n",
    "Use \"",
    "\" as the api key",
    "**/home/ann/x**",
    "scp://host/home/ann/x",
    "\u{9b}31m",
    "<![CDATA[",
    "]]>",
    "\"bearer\":{\"host\":\"",
    "${ACME_TOKEN:-",
    "postgres://app:kV3xQ9tLm2\\\n",
    "@db:5432/app\n",
    "[\"--acme-token\", \"",
    "<key>ACME_TOKEN</key>\n",
    "<string>",
    "acmeToken{\"",
    "VALUES (1, 'acme_token', '",
    "KEY+=",
    " android:value=\"",
    "&7x",
    "&quot;d&quot;:&quot;",
    "[... 12 lines omitted ...]\n",
    "--More--\n",
    "... 4 more lines\n",
    "│ ",
    " │\n",
    "│ -----BEGIN PRIVATE KEY----- │\n",
    "k/id.pem:1:-----BEGIN PRIVATE KEY-----\nk/id.pem-2-",
    "chr(103).chr(104).chr(112).chr(95).chr(68).chr(78).chr(120).chr(114).chr(105).chr(108)",
    "67-68-70-5f-44-4e-78-72-69-6c-33-52-61-76-47-44-35-4d-66-76",
    "^[[01;31m^[[K",
    " | rev\n",
    "(ACME_API_TOKEN=",
    "\"Name\": \"/p/acme_token\", \"Type\": \"SecureString\", \"Value\": \"",
    "     7→/home/ann/x.rs\n",
    "-I~ann/include ",
    "href=\"/home/li/site/index.html\"",
    "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN\n",
    "a662\n",
    "0000000 67 68 70 5f 44 4e 78 72 69 6c 33 52 61 76 47 44\n",
    "0000020 35 4d 66 76 4a 37 4e 53 63 55 79 6b 54 38 43 38\n",
    "0000040 55 42 30 56 4e 5a 50 69\n",
    "\"[::-1]",
    "strrev(\"",
    "\".split(\"\").reverse()",
    "iPZNV0BU8C8TkyUcSN7JvfM5DGvaR3lirxND_phg",
    "      + \"STAGE\" = \"prod\"\n",
    "the api key, please set it up: ",
    " for the staging account: ",
    "jdbc:sqlserver://h:1433;user=u;password=",
    ";UID=app;PWD=",
    "4a539f6c (Ann Lee 2026-01-02 10:00:00 +0100  3) ",
    "f5f93660 (Ann Lee 2026-01-02 10:00:00 +0100  4) ",
    "\\nqj/WEg2A==\\n=rdMf\"",
    "X-Amz-Credential=",
    "NULL;\\n",
    "AZURE_SEARCH_KEY=",
    "+- name: API_KEY\n+  value: ",
    "> - name: API_KEY\n>   value: ",
    "\n   12\trequirepass ",
    "set acme_token ",
    "acme_token -> ",
    "acme_token  | ",
    "variable \"acme_token\" { default = \"",
    "password = '\x1b[1;33m",
    "src/a.env:5:u:",
    "\"/home/al/my notes",
    "2026-03-04T09:11:00Z ",
    "tokens:\n",
    "  - ",
    "tokens = [\"",
    "\", \"",
    "user,token\n",
    "a,",
    "| user | api_key |\n|---|---|\n| a | ",
    "│ TOKEN │ ",
    "│       │ ",
    "\" <> \"",
    "lin",
    "_api_",
    "<wbr>",
    "[[",
    "]]",
    "&amp;#65;",
    "\n-",
    "password: &a ",
    "MzA0NjM5NDEwNzI4OTY5NzI4.Gd9jdp.",
    "PASSWORD FOR x = '",
    "Забрав",
    " → ",
    ":: '",
    "\"value\":\"",
    "\",\"name\":\"API_KEY\"",
    " k: ",
    "\"k\": \"",
    "PASSWORD = N'",
    "acme_token    ",
    "buildConfigField \"String\", \"API_KEY\", \"\\\"",
    "<!-- x -->",
    "/Volumes/Al-Backup/",
    "-----BEGIN OpenVPN Static key V1-----",
    "\\u00f8",
    "sha256=",
    "``",
    " │\n│ ",
    " |\n| ",
    "00000000: 6768 705f 545a 565a 3973 4478 5677 664c  ghp_TZVZ9sDxVwfL\n",
    "00000010: 764d 5261 3742 3961 574d 526c 396a 5450  vMRa7B9aWMRl9jTP\n",
    "00000020: 7a4e 3462 5558 7957                      zN4bUXyW\n",
    "\"\nk = f\"{p}",
    "`;\nk = `${p}",
    "echo \"",
    "\" >> key.pem\n",
    "<br>\n",
    " d: '",
    "&lowbar;",
    "//nas/users/al/",
    "</home/al/x",
    "@(DESCRIPTION=",
    "API_KEY to ",
    ",DB_PASSWORD,",
    "sunshine",
    "ghp_ TZVZ 9sDx ",
    "%DB_PASSWORD%",
    "/run/user/1000/",
    "\" & _\n    \"",
    "\" /* x */ + \"",
    "^\n",
    "`\n",
    "\\\n    8\t",
    "\" +\n    9\t\"",
    "<b>",
    "</b>",
    "**",
    "\\_",
    "73 68 70 61 74 5f ",
    "61 31 62 32 63 33 64 34 65 35 66 36 37 38 39 30 ",
    " <- \"",
    "Token string = \"",
    "\" -> \"",
    "\n",
    "\n",
    "\n",
    "\n",
    " ",
    ": ",
    "=",
    " = ",
    "\"",
    "'",
    "\\n",
    "\\",
    "\x1b[31m",
    "\x1b[0m",
    "%3D",
    "&#65;",
    "\\u0041",
    "\" + \"",
    "\" +\n\"",
    "token",
    "password",
    "api_key",
    "secret",
    "key",
    "auth",
    "Bearer ",
    "Authorization: ",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "-----END RSA PRIVATE KEY-----",
    "Proc-Type: 4,ENCRYPTED",
    "DEK-Info: AES-256-CBC,",
    "variable \"db_token\" {\n",
    "  default = \"",
    "{\n",
    "}\n",
    "\"value\": \"",
    "machine ",
    "login ",
    "<key>",
    "</key>",
    "<string>",
    "\"d\": \"",
    "datadog ",
    "cloudflare_",
    "netlify",
    "heroku",
    "twilio",
    "aws_secret_access_key",
    "service_account",
    "private_key_id",
    "[REDACTED:api-key]",
    "[REDACTED:private-key]",
    "[REDACTED:password]",
    "/home/al",
    "~/x",
    "C:\\Users\\al",
    "file:///home/b/c",
    "://",
    "user:pw@",
    "postgres://a:",
    "é",
    "\u{200b}",
    "\u{ff41}",
    ".",
    ",",
    "|",
    "- ",
    "+ ",
    "#",
    "//",
    "concat(",
    ".join('')",
    "MIIEpAIBAAKCAQEA",
    "b3BlbnNzaC1rZXktdjE",
    "eyJhbGciOiJIUzI1NiJ9.",
    "PuTTY-User-Key-File-2: ",
    "Private-Lines: 3\n",
    "AGE-SECRET-KEY-1",
    "sk_live_",
    "live_",
    "xoxb-",
    "ghp_",
    "AKIA",
    "glpat-",
    "lin_api_",
    "key-",
    "\r\n",
    "\t",
    "2026-01-02 ",
    "IDENTIFIED BY ",
    "mysql -p",
    "curl -u ",
    "Cookie: ",
    "?sig=",
    "env:\n",
    "- name: ",
    "value: ",
    "\" \"",
    "\", \"",
    "\"\na += \"",
    "\";\nb = \"",
    "\\\n",
    "</td>\n<td>",
    "<code>",
    "\\/home\\/al\\/",
    "c2hwYXRfYTFiMmMz",
    "ZDRlNWY2Nzg5MDEz\n",
    "MjRmNWE2YjdjOGQ5\n",
    "  ZTA=\n",
    "shpat_a1b2c3d4e5f6",
    "78901324f5a6b7c8d9e0\n",
    "[-a-]{+",
    "\\000061",
    "\n  12→",
    "\n+",
    "_pat",
    "password ",
    "0x7368",
];
const MIXED: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LENGTHS: [usize; 10] = [4, 8, 16, 20, 24, 32, 36, 40, 64, 76];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seed = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1u64);
    let count = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100_000usize);
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let redactor = Redactor::default();
    let mut broken = [0, 0];
    for _ in 0..count {
        let parts = 1 + random.below(16);
        let text: String = (0..parts).map(|_| random.part()).collect();
        let whole = redactor.redact(&text).text;
        for step in [1, 1 + random.below(60)] {
            let output = streamed(&redactor, &text, step);
            if output != whole.as_bytes() {
                broken[0] += 1;
                let output = String::from_utf8_lossy(&output);
                println!("chunks of {step}: {text:?}\n  {whole:?}\n  {output:?}");
            }
        }
        let again = redactor.redact(&whole).text;
        if again != whole {
            broken[1] += 1;
            println!("again: {text:?}\n  {whole:?}\n  {again:?}");
        }
    }
    println!("seed {seed}: {count} texts, {} split, {} again", broken[0], broken[1]);
}

fn streamed(redactor: &Redactor, text: &str, step: usize) -> Vec<u8> {
    let mut stream = Stream::new(redactor);
    let mut output = Vec::new();
    for chunk in text.as_bytes().chunks(step) {
        output.extend(stream.push(chunk).into_inner());
    }
    output.extend(stream.finish().into_inner());
    output
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn letters(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length).map(|_| char::from(alphabet[self.below(alphabet.len())])).collect()
    }

    fn part(&mut self) -> String {
        match self.below(10) {
            0..=5 => PARTS[self.below(PARTS.len())].to_owned(),
            6 => {
                let length = LENGTHS[self.below(LENGTHS.len())];
                self.letters(MIXED, length)
            }
            7 => {
                let length = LENGTHS[self.below(LENGTHS.len())];
                self.letters(b"0123456789abcdef", length)
            }
            8 => {
                let length = 60 + self.below(22);
                let line_break = if self.below(2) == 0 { "\n" } else { "" };
                self.letters(BASE64, length) + line_break
            }
            _ => {
                let length = 1 + self.below(9);
                self.letters(b"abcdefghijklmnopqrstuvwxyz", length)
            }
        }
    }
}
