//! The frames of the fifth set, its disguises, and the shapes of its private keys.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::disguises::Disguise;
use crate::frames::{Frame, camel, dotted, frame, kebab, snake, words};
use crate::keys::Shape;

pub const FRAMES: [Frame; 40] = [
    frame("bare assignment", |name, value| format!("{name}={value}\n")),
    frame("make", |name, value| format!("{name} ?= {value}\nall: build\n")),
    frame("make simple", |name, value| format!("{name} := {value}\n")),
    frame("python", |name, value| format!("{} = '{value}'\n", snake(name))),
    frame("python f-string", |name, value| {
        format!("headers = {{'X-{}': f'{value}'}}\n", kebab(name))
    }),
    frame("python environ", |name, value| format!("os.environ[\"{name}\"] = \"{value}\"\n")),
    frame("python default", |name, value| format!("os.getenv('{name}', '{value}')\n")),
    frame("js const", |name, value| format!("const {} = \"{value}\";\n", camel(name))),
    frame("js fallback", |name, value| {
        format!("const {} = process.env.{name} || '{value}'\n", camel(name))
    }),
    frame("ts property", |name, value| {
        format!("  readonly {}: string = `{value}`;\n", camel(name))
    }),
    frame("go", |name, value| format!("\t{} := \"{value}\"\n", camel(name))),
    frame("go struct", |name, value| format!("\t\t{}: \"{value}\",\n", camel(name))),
    frame("java", |name, value| format!("  private static final String {name} = \"{value}\";\n")),
    frame("java property", |name, value| format!("{}={value}\n", dotted(name))),
    frame("csharp", |name, value| {
        format!("public string {} {{ get; set; }} = \"{value}\";\n", camel(name))
    }),
    frame("php", |name, value| format!("$config['{}'] = '{value}';\n", snake(name))),
    frame("ruby", |name, value| format!("ENV['{name}'] ||= '{value}'\n")),
    frame("ruby symbol", |name, value| format!("  :{} => \"{value}\",\n", snake(name))),
    frame("rust", |name, value| format!("const {name}: &str = \"{value}\";\n")),
    frame("swift", |name, value| format!("let {} = \"{value}\"\n", camel(name))),
    frame("kotlin", |name, value| {
        format!("buildConfigField(\"String\", \"{name}\", \"\\\"{value}\\\"\")\n")
    }),
    frame("c define", |name, value| format!("#define {name} \"{value}\"\n")),
    frame("json", |name, value| format!("{{\n  \"{}\": \"{value}\"\n}}\n", camel(name))),
    frame("json in json", |name, value| {
        let inner = serde_json::json!({ snake(name): value }).to_string();
        format!("{}\n", serde_json::json!({ "type": "text", "text": inner }))
    }),
    frame("tool result", |name, value| {
        let line = format!("     3\u{2192}{name}={value}\n     4\u{2192}PORT=80\n");
        format!("{}\n", serde_json::json!({ "content": [{ "type": "text", "text": line }] }))
    }),
    frame("yaml", |name, value| format!("  {}: {value}\n", snake(name))),
    frame("compose", |name, value| format!("    environment:\n      - {name}={value}\n")),
    frame("compose map", |name, value| format!("    environment:\n      {name}: \"{value}\"\n")),
    frame("dockerfile", |name, value| format!("FROM alpine\nENV {name} {value}\n")),
    frame("terraform", |name, value| {
        format!("provider \"x\" {{\n  {} = \"{value}\"\n}}\n", snake(name))
    }),
    frame("terraform plan", |name, value| format!("      + {:<20} = \"{value}\"\n", snake(name))),
    frame("ci", |name, value| format!("variables:\n  {name}: \"{value}\"\n")),
    frame("diff", |name, value| format!("@@ -1,2 +1,2 @@\n-{name}=old\n+{name}={value}\n")),
    frame("powershell", |name, value| format!("$env:{name} = \"{value}\"\n")),
    frame("batch", |name, value| format!("set {name}={value}\r\n")),
    frame("fish", |name, value| format!("set -gx {name} {value}\n")),
    frame("log line", |name, value| {
        format!("2026-11-16T08:00:01Z INFO loaded {}={value} from config\n", snake(name))
    }),
    frame("json log", |name, value| {
        format!("{{\"level\":\"info\",\"msg\":\"using {} {value}\"}}\n", snake(name))
    }),
    frame("xml", |name, value| format!("<{0}>{value}</{0}>\n", camel(name))),
    frame("prose", |name, value| format!("Our {} is {value}\n", words(name))),
];

/// Frames that name no provider: the value is in a place where only a credential stands.
pub const NAMELESS: [Frame; 10] = [
    frame("bearer", |_, value| format!("Authorization: Bearer {value}\n")),
    frame("curl bearer", |_, value| {
        format!("curl -sS -H \"Authorization: Bearer {value}\" https://api.host/v1/x\n")
    }),
    frame("curl api key", |_, value| format!("curl -H 'X-API-Key: {value}' https://api.host\n")),
    frame("query", |_, value| format!("GET /v1/items?page=2&api_key={value} HTTP/1.1\n")),
    frame("query token", |_, value| format!("https://api.host/x?access_token={value}&v=2\n")),
    frame("fetch", |_, value| {
        format!("fetch(u, {{ headers: {{ authorization: `Bearer {value}` }} }})\n")
    }),
    frame("requests", |_, value| {
        format!("requests.get(u, headers={{\"Authorization\": \"Token {value}\"}})\n")
    }),
    frame("git remote", |_, value| {
        format!("git clone https://x-access-token:{value}@git.host/a/b\n")
    }),
    frame("flag", |_, value| format!("tool deploy --token {value} --yes\n")),
    frame("request dump", |_, value| {
        format!("> GET / HTTP/2\n> host: a.b\n> x-auth-token: {value}\n>\n")
    }),
];

fn pieces(text: &str, count: usize) -> Vec<&str> {
    let size = text.len().div_ceil(count).max(1);
    (0..text.len()).step_by(size).map(|at| &text[at..(at + size).min(text.len())]).collect()
}

fn mapped(text: &str, from: &str, to: &str) -> String {
    let swap =
        |letter| from.chars().position(|one| one == letter).and_then(|at| to.chars().nth(at));
    text.chars().map(|letter| swap(letter).unwrap_or(letter)).collect()
}

/// Disguises beside those of [`crate::disguises`]; each gives the whole right side of an assignment.
pub const DISGUISES: [Disguise; 25] = [
    ("wrapped base64", |text, _| {
        pieces(&STANDARD.encode(format!("value: {text}\n")), 3).join("\n")
    }),
    ("hex with spaces", |text, _| {
        text.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
    }),
    ("hex with colons", |text, _| {
        text.bytes().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
    }),
    ("hex with 0x", |text, _| {
        text.bytes().map(|byte| format!("0x{byte:02x}")).collect::<Vec<_>>().join(", ")
    }),
    ("lower percent", |text, _| text.bytes().map(|byte| format!("%{byte:02x}")).collect()),
    ("half percent", |text, _| {
        let odd = |(at, byte): (usize, u8)| {
            if at % 2 == 0 { format!("%{byte:02X}") } else { char::from(byte).to_string() }
        };
        text.bytes().enumerate().map(odd).collect()
    }),
    ("half escaped", |text, _| {
        let odd = |(at, byte): (usize, u8)| {
            if at % 3 == 0 { format!("\\u{byte:04x}") } else { char::from(byte).to_string() }
        };
        text.bytes().enumerate().map(odd).collect()
    }),
    ("css escapes", |text, _| text.bytes().map(|byte| format!("\\{byte:06x}")).collect()),
    ("padded entities", |text, _| text.bytes().map(|byte| format!("&#{byte:04};")).collect()),
    ("greek", |text, _| mapped(text, "AEHIKMNOPTXo", "ΑΕΗΙΚΜΝΟΡΤΧο")),
    ("cyrillic", |text, _| mapped(text, "ABCEHKMOPTXaceopxy", "АВСЕНКМОРТХасеорху")),
    ("mathematical", |text, _| {
        let bold = |letter: char| match letter {
            'A'..='Z' => char::from_u32(0x1D400 + letter as u32 - 65),
            'a'..='z' => char::from_u32(0x1D41A + letter as u32 - 97),
            _ => None,
        };
        text.chars().map(|letter| bold(letter).unwrap_or(letter)).collect()
    }),
    ("zero width non-joiner", |text, _| pieces(text, 4).join("\u{200c}")),
    ("direction marks", |text, _| format!("\u{202d}{}\u{202c}", pieces(text, 2).join("\u{200e}"))),
    ("colours between", |text, _| pieces(text, 4).join("\u{1b}[0m\u{1b}[32m")),
    ("true colour", |text, _| pieces(text, 2).join("\u{1b}[38;2;10;20;30m")),
    ("php dots", |text, _| format!("'{}'", pieces(text, 3).join("' . '"))),
    ("shell quotes", |text, _| pieces(text, 3).join("\"\"")),
    ("single quotes joined", |text, _| format!("'{}'", pieces(text, 3).join("'\"\"'"))),
    ("join", |text, _| format!("[\"{}\"].join(\"\")", pieces(text, 4).join("\", \""))),
    ("python join", |text, _| format!("\"\".join([\"{}\"])", pieces(text, 3).join("\", \""))),
    ("ampersands", |text, _| format!("\"{}\"", pieces(text, 3).join("\" & \""))),
    ("indented wrap", |text, _| pieces(text, 2).join("\n        ")),
    ("quoted-printable", |text, _| pieces(text, 2).join("=\n")),
    ("numbered wrap", |text, _| pieces(text, 2).join("\n  2→")),
];

fn each(text: &str, make: impl Fn(usize, &str) -> String) -> String {
    text.lines().enumerate().map(|(index, line)| make(index + 1, line) + "\n").collect()
}

/// Shapes of private keys beside those of [`crate::keys`].
pub const SHAPES: [Shape; 26] = [
    ("here document", |text| format!("cat > key.pem <<'EOF'\n{text}\nEOF\n")),
    ("template literal", |text| format!("const key = `{text}`;\n")),
    ("go raw string", |text| format!("var key = []byte(`{text}`)\n")),
    ("php concatenation", |text| {
        format!("$k = {}\"\";\n", each(text, |_, line| format!("\"{line}\\n\" .")))
    }),
    ("c continuation", |text| format!("char *k = \"{}\";\n", text.replace('\n', "\\n\\\n"))),
    ("c strings", |text| {
        format!("static const char k[] =\n{};\n", each(text, |_, line| format!("\"{line}\\r\\n\"")))
    }),
    ("xml element", |text| format!("<privateKey>{text}</privateKey>\n")),
    ("xml breaks", |text| format!("<key value=\"{}\"/>\n", text.replace('\n', "&#10;"))),
    ("folded yaml", |text| format!("key: >-\n{}", each(text, |_, line| format!("  {line}\n")))),
    ("quoted yaml", |text| format!("key: \"{}\"\n", text.replace('\n', "\\n\\\n  "))),
    ("base64 of it", |text| format!("tls.key: {}\n", STANDARD.encode(text))),
    ("percent", |text| {
        let coded = text.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
        format!("key={}\n", coded.replace(' ', "%20").replace('\n', "%0A"))
    }),
    ("plus for blanks", |text| {
        format!("key={}\n", text.replace('+', "%2B").replace(' ', "+").replace('\n', "%0A"))
    }),
    ("coloured lines", |text| each(text, |_, line| format!("\u{1b}[32m+{line}\u{1b}[m"))),
    ("bars", |text| each(text, |index, line| format!("{index:>4} \u{2502} {line}"))),
    ("pipes", |text| each(text, |index, line| format!("{index:>3} | {line}"))),
    ("colons", |text| each(text, |index, line| format!("{index}: {line}"))),
    ("array of lines", |text| {
        format!("{}\n", serde_json::json!({ "lines": text.lines().collect::<Vec<_>>() }))
    }),
    ("here string", |text| format!("$key = @\"\n{text}\n\"@\n")),
    ("terraform", |text| {
        format!("  private_key = <<-EOT\n{}  EOT\n", each(text, |_, line| format!("    {line}")))
    }),
    ("terraform plan", |text| {
        format!(
            "      + private_key = <<-EOT\n{}        EOT\n",
            each(text, |_, line| format!("            {line}"))
        )
    }),
    ("table row", |text| format!("id,key\n7,\"{text}\"\n")),
    ("escaped returns", |text| format!("{{\"k\":\"{}\"}}\n", text.replace('\n', "\\r\\n"))),
    ("unicode breaks", |text| format!("{{\"k\":\"{}\"}}\n", text.replace('\n', "\\u000a"))),
    ("slashes escaped", |text| {
        format!("{{\"k\":\"{}\"}}\n", text.replace('/', "\\/").replace('\n', "\\n"))
    }),
    ("one line, nothing between", |text| format!("KEY={}\n", text.replace('\n', ""))),
];
