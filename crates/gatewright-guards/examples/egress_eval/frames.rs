//! The frames in which agents, tools and people show a value.

/// A way of showing a named value.
pub struct Frame {
    pub name: &'static str,
    pub show: fn(&str, &str) -> String,
}

pub const fn frame(name: &'static str, show: fn(&str, &str) -> String) -> Frame {
    Frame { name, show }
}

/// `DB_PASSWORD` as `db_password`.
pub fn snake(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// `DB_PASSWORD` as `dbPassword`.
pub fn camel(name: &str) -> String {
    let mut text = String::new();
    for (index, word) in name.to_ascii_lowercase().split('_').enumerate() {
        match (index, word.split_at_checked(1)) {
            (1.., Some((first, rest))) => text.push_str(&format!("{}{rest}", first.to_uppercase())),
            _ => text.push_str(word),
        }
    }
    text
}

/// `DB_PASSWORD` as `db-password`.
pub fn kebab(name: &str) -> String {
    snake(name).replace('_', "-")
}

/// `DB_PASSWORD` as `db.password`.
pub fn dotted(name: &str) -> String {
    snake(name).replace('_', ".")
}

/// `DB_PASSWORD` as prose names it.
pub fn words(name: &str) -> String {
    snake(name).replace('_', " ")
}

pub const FRAMES: [Frame; 40] = [
    frame("env", |name, value| format!("PORT=8080\n{name}={value}\nDEBUG=false\n")),
    frame("env quoted", |name, value| format!("{name}=\"{value}\"\n")),
    frame("export", |name, value| format!("export {name}='{value}'\n")),
    frame("yaml", |name, value| format!("app:\n  {}: {value}\n  port: 80\n", snake(name))),
    frame("yaml quoted", |name, value| format!("  {}: \"{value}\"\n", snake(name))),
    frame("json", |name, value| format!("{{\"a\": 1, \"{}\": \"{value}\"}}\n", camel(name))),
    frame("json in json", |name, value| {
        format!("{{\"text\":\"{{\\\"{}\\\":\\\"{value}\\\"}}\"}}\n", snake(name))
    }),
    frame("twice escaped", |name, value| {
        format!(
            "{{\"c\":\"{{\\\"t\\\":\\\"{{\\\\\\\"{}\\\\\\\":\\\\\\\"{value}\\\\\\\"}}\\\"}}\"}}\n",
            snake(name)
        )
    }),
    frame("python", |name, value| format!("client = Client()\n{} = \"{value}\"\n", snake(name))),
    frame("python dict", |name, value| format!("cfg = {{'{}': '{value}', 'n': 1}}\n", snake(name))),
    frame("python call", |name, value| {
        format!("x = connect({}=\"{value}\", timeout=3)\n", snake(name))
    }),
    frame("javascript", |name, value| format!("const {} = '{value}';\n", camel(name))),
    frame("template literal", |name, value| format!("const {} = `{value}`;\n", camel(name))),
    frame("go", |name, value| format!("\t{} := \"{value}\"\n", camel(name))),
    frame("rust", |name, value| format!("const {name}: &str = \"{value}\";\n")),
    frame("java", |name, value| format!("private static final String {name} = \"{value}\";\n")),
    frame("properties", |name, value| format!("app.{}={value}\n", dotted(name))),
    frame("toml", |name, value| format!("[auth]\n{} = \"{value}\"\n", snake(name))),
    frame("ini", |name, value| format!("[auth]\n{} = {value}\n", snake(name))),
    frame("dockerfile", |name, value| format!("FROM x\nENV {name}={value}\n")),
    frame("docker inspect", |name, value| {
        format!("\"Env\": [\"PATH=/usr/bin\",\"{name}={value}\",\"A=b\"],\n")
    }),
    frame("docker run", |name, value| format!("docker run -e {name}={value} -p 80:80 image\n")),
    frame("kubernetes", |name, value| format!("  - name: {name}\n    value: \"{value}\"\n")),
    frame("terraform", |name, value| format!("{} = \"{value}\"\n", snake(name))),
    frame("terraform plan", |name, value| {
        format!("      + {:<20} = \"{value}\" -> null\n", snake(name))
    }),
    frame("shell trace", |name, value| format!("+ export {name}={value}\n+ {name}={value}\n")),
    frame("curl query", |name, value| {
        format!("curl 'https://api.host/v1?{}={value}&x=1'\n", snake(name))
    }),
    frame("curl header", |name, value| {
        format!("curl -H \"X-{}: {value}\" https://api.host/\n", name.replace('_', "-"))
    }),
    frame("flag", |name, value| format!("tool --{} {value} run\n", kebab(name))),
    frame("flag equals", |name, value| format!("tool --{}={value}\n", kebab(name))),
    frame("log", |name, value| {
        format!("2026-11-15T10:00:00Z INFO start {}={value} region=eu\n", snake(name))
    }),
    frame("log colon", |name, value| format!("[warn] bad {}: {value}\n", snake(name))),
    frame("diff added", |name, value| format!("@@ -1 +1 @@\n-{name}=\n+{name}={value}\n")),
    frame("diff removed", |name, value| format!("-{} = \"{value}\"\n", snake(name))),
    frame("numbered", |name, value| format!("     3\t{name}={value}\n     4\tA=b\n")),
    frame("arrow", |name, value| format!("   12→{} = \"{value}\"\n", snake(name))),
    frame("chat", |name, value| format!("The {} is {value}, please use it.\n", words(name))),
    frame("chat quoted", |name, value| format!("Set `{name}` to `{value}` and restart.\n")),
    frame("colours", |name, value| {
        format!("\u{1b}[36m{name}\u{1b}[0m=\u{1b}[33m{value}\u{1b}[0m\n")
    }),
    frame("xml", |name, value| format!("<{0}>{value}</{0}>\n", camel(name))),
];

/// The frames in which only the value itself can show what it is.
pub const BARE: [Frame; 8] = [
    frame("alone", |_, value| format!("{value}\n")),
    frame("sentence", |_, value| format!("try {value} instead\n")),
    frame("list", |_, value| format!("a,{value},b\n")),
    frame("quoted", |_, value| format!("f(\"{value}\")\n")),
    frame("json list", |_, value| format!("[\"x\",\"{value}\"]\n")),
    frame("table", |_, value| format!("| one | {value} |\n")),
    frame("path of a url", |_, value| format!("GET https://host/v1/{value}/x\n")),
    frame("escaped lines", |_, value| format!("{{\"out\":\"line\\n{value}\\nend\"}}\n")),
];

/// More ways of showing a named value, for the second set alone.
pub const OTHERS: [Frame; 36] = [
    frame("powershell", |name, value| format!("$env:{name} = \"{value}\"\n")),
    frame("cmd", |name, value| format!("C:\\> set {name}={value}\n")),
    frame("fish", |name, value| format!("set -gx {name} {value}\n")),
    frame("csh", |name, value| format!("setenv {name} {value}\n")),
    frame("ruby hash", |name, value| format!("  :{} => '{value}',\n", snake(name))),
    frame("ruby env", |name, value| format!("ENV['{name}'] = '{value}'\n")),
    frame("php define", |name, value| format!("define('{name}', '{value}');\n")),
    frame("php array", |name, value| format!("    '{}' => '{value}',\n", snake(name))),
    frame("swift", |name, value| format!("    let {}: String = \"{value}\"\n", camel(name))),
    frame("kotlin", |name, value| format!("    private val {} = \"{value}\"\n", camel(name))),
    frame("c define", |name, value| format!("#define {name} \"{value}\"\n")),
    frame("c char", |name, value| format!("static const char *{} = \"{value}\";\n", snake(name))),
    frame("csharp", |name, value| {
        format!("    public const string {} = \"{value}\";\n", camel(name))
    }),
    frame("go struct", |name, value| format!("\tcfg := Config{{{}: \"{value}\"}}\n", camel(name))),
    frame("r", |name, value| format!("Sys.setenv({name} = \"{value}\")\n")),
    frame("elixir", |name, value| format!("config :app, {}: \"{value}\"\n", snake(name))),
    frame("nix", |name, value| format!("  {} = \"{value}\";\n", camel(name))),
    frame("systemd", |name, value| format!("Environment=\"{name}={value}\"\n")),
    frame("compose list", |name, value| format!("    environment:\n      - {name}={value}\n")),
    frame("compose map", |name, value| format!("    environment:\n      {name}: {value}\n")),
    frame("xml attribute", |name, value| format!("  <add key=\"{name}\" value=\"{value}\" />\n")),
    frame("python environ", |name, value| format!("os.environ[\"{name}\"] = \"{value}\"\n")),
    frame("python getenv default", |name, value| {
        format!("{} = os.getenv(\"{name}\", \"{value}\")\n", snake(name))
    }),
    frame("node env default", |name, value| {
        format!("const k = process.env.{name} || '{value}';\n")
    }),
    frame("shell default", |name, value| format!(": \"${{{name}:={value}}}\"\n")),
    frame("json log", |name, value| {
        format!("{{\"level\":\"info\",\"msg\":\"using {}={value}\"}}\n", snake(name))
    }),
    frame("python repr", |name, value| format!("INFO config: {{'{}': '{value}'}}\n", snake(name))),
    frame("rust debug", |name, value| {
        format!("Config {{ {}: \"{value}\", port: 80 }}\n", snake(name))
    }),
    frame("rust debug option", |name, value| {
        format!("Config {{ {}: Some(\"{value}\") }}\n", snake(name))
    }),
    frame("markdown table", |name, value| format!("| `{name}` | `{value}` |\n")),
    frame("markdown list", |name, value| format!("- **{name}**: `{value}`\n")),
    frame("github actions", |name, value| format!("        env:\n          {name}: {value}\n")),
    frame("kubectl secret", |name, value| {
        format!("kubectl create secret generic x --from-literal={name}={value}\n")
    }),
    frame("gh secret", |name, value| format!("gh secret set {name} --body \"{value}\"\n")),
    frame("html input", |name, value| {
        format!("<input type=\"hidden\" name=\"{}\" value=\"{value}\">\n", snake(name))
    }),
    frame("form body", |name, value| format!("grant_type=x&{}={value}&scope=all\n", snake(name))),
];
