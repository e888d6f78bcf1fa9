//! Where else a value stands: behind tests and choices, on the line below, before its name.

use gatewright_guards::egress::{Redactor, Stream};

const SECRET: &str = "q7Tn2VxK9bLm4RzPw8YcD3fH";

/// Checks that exactly what stands between `«` and `»` is hidden, whole and in chunks.
fn only(marked: &str) {
    let text = marked.replace(['«', '»'], "");
    let parts: Vec<&str> = marked.split(['«', '»']).collect();
    let redactor = Redactor::default();
    let result = redactor.redact(&text);
    let hidden: Vec<&str> = result.redactions.iter().map(|one| &text[one.start..one.end]).collect();
    let expected: Vec<&str> = parts.iter().skip(1).step_by(2).copied().collect();
    assert_eq!(hidden, expected, "{text:?}");
    assert_eq!(redactor.redact(&result.text).text, result.text);
    for step in [1, 9] {
        let mut stream = Stream::new(&redactor);
        let mut output = Vec::new();
        for chunk in text.as_bytes().chunks(step) {
            output.extend(stream.push(chunk).into_inner());
        }
        output.extend(stream.finish().into_inner());
        assert_eq!(String::from_utf8_lossy(&output), result.text, "chunks of {step}");
    }
}

#[test]
fn a_value_is_found_in_more_forms_of_code() {
    for form in [
        "expect(config.stageToken).toBe('«@»')\n",
        "stageToken = prod ? '«@»' : ''\n",
        "    stage_token: String::from(\"«@»\"),\n",
        "const stageToken* = \"«@»\"\n",
        "static const char stage_token[] = \"«@»\";\n",
        "static const char stage_token[64] = \"«@»\";\n",
        "stage-token \"«@»\"\n",
        "jq -n --arg stage_token '«@»' '.'\n",
        "X=${STAGE_TOKEN:-«@»}\n",
        "INSERT INTO settings VALUES (1, 'stage_token', '«@»');\n",
        "SET stage_token \"«@»\"\n",
        "set stage_token \"«@»\"\n",
    ] {
        only(&form.replace('@', SECRET));
    }
    for text in [
        "expect(config.token).toBe('identifier')\n",
        "token = next ? 'identifier' : ''\n",
        "let tokens[3] = \"one\";\n",
        "return isToken(x) ? 'a' : 'b';\n",
        "set password \"Enter a new one\"\n",
    ] {
        only(text);
    }
}

#[test]
fn a_value_is_found_in_more_forms_of_markup_and_objects() {
    for form in [
        "<meta-data android:name=\"STAGE_TOKEN\" android:value=\"«@»\" />\n",
        "<setting name=\"StageToken\"><value>«@»</value></setting>\n",
        "{\"bearer\":{\"repo.corp.io\":\"«@»\"}}\n",
        " stage_token | «@» | 2026-01-01\n",
        "        - name: STAGE_TOKEN\n          value: «@»\n",
        "<![CDATA[stage_token=«@»]]>\n",
    ] {
        only(&form.replace('@', SECRET));
    }
    only("{\"tokens\":{\"type\":\"identifier\"}}\n");
}

#[test]
fn a_value_is_found_before_the_words_that_name_it() {
    for form in [
        "Use \"«@»\" as the stage token.\n",
        "take `«@»` for the database password\n",
        "echo '«@»' | vercel env add STAGE_TOKEN production\n",
        "echo «@» | wrangler secret put STAGE_TOKEN\n",
        "$ echo $STAGE_TOKEN\n«@»\n",
        "  7: $ printenv STAGE_TOKEN\n  8: «@»\n",
    ] {
        only(&form.replace('@', SECRET));
    }
    only("Use \"identifier\" as the token.\n");
    only("$ echo $TOKEN\nnothing\n");
}

#[test]
fn logins_are_found_in_more_commands_and_calls() {
    for text in [
        "sentinel auth-pass mymaster «kV3xQ9tLm2»\n",
        "winrs -r:host -u:sa -p:«kV3xQ9tLm2» cmd\n",
        "api-1  | requirepass «kV3xQ9tLm2»\n",
        "new Sequelize('crm', 'app', '«kV3xQ9tLm2»', { host: 'db' })\n",
        "credentials += Credentials(\"Nexus\", \"n.corp.io\", \"ci\", \"«kV3xQ9tLm2»\")\n",
        "BUNDLE_GEMS__CORP__IO: \"ci:«xz0VtK439BrWmerhge8P»\"\n",
        "sqlplus app/\"«kV3xQ9tLm2»\"@//db:1521/X\n",
    ] {
        only(text);
    }
}

#[test]
fn a_line_is_read_behind_what_says_where_it_comes_from() {
    for source in [
        "api-1  | ",
        "[pod/api-7d9/web] ",
        "data: ",
        "conf/prod.env:12:",
        "4a539f6c (Ann Lee 2026-01-02 10:00:00 +0100  3) ",
        "Jan 05 08:11:01 box app[812]: ",
        "#12 0.800 ",
        ">>> ",
    ] {
        for line in [
            "stage-token \"«q7Tn2VxK9bLm4RzPw8Yc»\"",
            " stage_token | «q7Tn2VxK9bLm4RzPw8Yc» | 2026-01-01",
            "stage_token,«q7Tn2VxK9bLm4RzPw8Yc»",
            "password «q7Tn2VxK9bLm4RzPw8Yc»",
            "buildConfigField \"String\", \"STAGE_PASSWORD\", \"\\\"«q7Tn2VxK9bLm4»\\\"\"",
        ] {
            only(&format!("{source}{line}\n"));
        }
    }
    only("Jan 05 08:11:01 box app[812]: password changed\n");
    only("conf/prod.env:12:the password is not set\n");
}

#[test]
fn a_value_ends_where_the_element_around_its_line_ends() {
    only("<value>spring.datasource.hikari.password: «Qytyea0524»</value>\n");
    only("<value>helm repo add x https://h.example.org --password «nxbla.99900»</value>\n");
}

#[test]
fn an_escaped_colon_belongs_to_the_user_of_an_address() {
    only("postgres://tenant%3Aapp:«66VH%26BBqPcdm»@db.internal/1\n");
}

#[test]
fn homes_on_machines_by_their_names_are_hidden() {
    for text in [
        "open(\"scp://host«/home/priya/code/x.go»\")\n",
        "rsync://deploy@files.example.org:873«/home/priya/code»\n",
        "root 12 0.0 «/net/fs1/home/farid/code/index.ts» --serve\n",
        "It is in **«/home/priya/code/x.go»** now.\n",
    ] {
        only(text);
    }
    for text in ["https://example.org/home/priya/code\n", "glob **/home/priya/** here\n"] {
        only(text);
    }
}

#[test]
fn one_character_begins_a_sequence_of_a_terminal_too() {
    only("key «shpat_a1b2c3d4e5f6\u{9b}31m78901324f5a6b7c8d9e0» end\n");
}

#[test]
fn a_web_key_is_found_where_markup_escapes_its_quotes() {
    let number = "Zzt_TlTh3RFMZaSCN2WRhRYW1WZ2wrRZpzS6IqG0yhY";
    for (kind, member) in [("EC", "d"), ("oct", "k")] {
        only(&format!(
            "<log>{{&quot;kty&quot;:&quot;{kind}&quot;,&quot;{member}&quot;:&quot;«{number}»&quot;}}</log>\n"
        ));
    }
}
