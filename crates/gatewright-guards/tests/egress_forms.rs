//! Forms in which secrets and paths stand in files, commands and logs, each with what must stay.

mod egress_support;

use egress_support::only;
use gatewright_guards::egress::{Catalogue, RedactionContext, Redactor};

const TOKEN: &str = "q7Zx2mPv9LbT4sKd8RfW3nYc";
const ACCESS_TOKEN: &str = "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";
const LONG_TOKEN: &str = "sk_live_51Hq8vKJ2eZvKYlo2CxR7pT4mWbN9dLsGfQy3Au6VtXhEi5kOj";
const PASSWORD: &str = "xK9sd2Qw7Lp";

fn in_workspace() -> Redactor {
    let context = RedactionContext {
        workspace_root: Some("/home/dev/proj/".to_owned()),
        ..Default::default()
    };
    Redactor::new(Catalogue::built_in(), context)
}

#[test]
fn passwords_are_hidden_where_commands_take_them() {
    let redactor = Redactor::default();
    for form in [
        "mysql -u root -p'«@»' shop\n",
        "cqlsh h -u cassandra -p «@»\n",
        "openssl rsa -in k.pem -passin pass:«@» -out o.pem\n",
        "keytool -list -keystore k.jks -storepass «@»\n",
        "unzip -P «@» a.zip\n",
        "snmpget -v3 -u u -A «@» -X «@» h oid\n",
        "echo «@» | docker login -u u --password-stdin r.io\n",
        "echo '«@»' | sudo -S apt update\n",
        "export SSHPASS=«@»\n",
        "net use Z: \\\\h\\share /user:al «@» /persistent:no\n",
        "net use Z: \\\\h\\share «@» /user:al\n",
        "        storePassword '«@»'\n        keyAlias 'a'\n",
    ] {
        only(&redactor, &form.replace('@', PASSWORD));
    }
    for form in [
        "openssl rsa -in k.pem -passin env:KEY_PASS -out o.pem\n",
        "unzip -P $ZIP_PASSWORD a.zip\n",
        "echo done | sudo -n true\n",
        "cat token.txt | docker login -u u --password-stdin r.io\n",
    ] {
        only(&redactor, form);
    }
}

#[test]
fn only_the_secret_of_an_address_is_hidden() {
    let redactor = Redactor::default();
    for form in [
        "jdbc:sqlserver://sql:1433;user=sa;password={«#»};encrypt=true\n",
        "DRIVER={PostgreSQL};SERVER=h;UID=u;PWD={«#»};DATABASE=d\n",
        "url: root:«#=x7»@tcp(db:3306)/shop\n",
        "DSN=root:«#=x7»@tcp(db:3306)/shop\n",
        "databricks://token:«#»@adb-1.host.net?http_path=x\n",
        "git clone 'https://gitlab+deploy-token-312644:«#»@gitlab.host/group/some-project-2'\n",
        "https://«3f9a0c7be1d24856a0b9c8d7e6f5a4b3c2d1e0f9»:x-oauth-basic@github.com/a/b.git\n",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-password-Nq9Udk\n",
    ] {
        only(&redactor, &form.replace('#', PASSWORD));
    }
}

#[test]
fn values_are_found_behind_accessors_and_among_other_settings() {
    let redactor = Redactor::default();
    for form in [
        "public string ApiToken { get; set; } = \"«@»\";\n",
        "variable \"api_token\" {\n  type        = string\n  description = \"of the service\"\n  default     = \"«@»\"\n}\n",
        "$settings['hash_salt'] = '«@»';\n",
        "jwt.sign(payload, '«@»', { expiresIn: '1h' })\n",
        "SECRET_KEY = \"«@#@»\"\n",
    ] {
        only(&redactor, &form.replace('@', TOKEN));
    }
    for form in [
        "jwt.sign(payload, 'secret', { expiresIn: '1h' })\n",
        "variable \"api_token\" {\n  type    = string\n  default = \"\"\n}\n",
        "[user]\n\tsigningkey = 03C94FC4C2EEC519\n",
        "  dependencies:\n    parse-passwd \"^1.0.0\"\n    passwd \"~1.2.0\"\n",
        "{\"orderKey\":\"80133e51-587e-4628-9c44-bc56d3946ba4\"}\n",
    ] {
        only(&redactor, form);
    }
}

/// Whole claims without a signature open nothing.
#[test]
fn a_web_token_is_hidden_with_its_signature_or_where_it_is_cut() {
    let redactor = Redactor::default();
    let head = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";
    let claims = "eyJzdWIiOiJ1c2VyLTgxIiwicm9sZSI6ImFkbWluIiwiaWF0IjoxNzMxODYyMDAwfQ";
    let signature = "Qm3k9Zt7Lw2Vx8Rn4Yb6Hs1Jd5Gf0Pc_aTe-UiOoKlM";
    only(&redactor, &format!("got «{head}.{claims}.{signature}» back\n"));
    only(&redactor, &format!("got {head}.{claims} back\n"));
    only(&redactor, &format!("got «{head}.{}» back\n", &claims[..claims.len() - 6]));
}

#[test]
fn a_key_in_colours_is_hidden_whole() {
    let body = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN";
    let key = format!(
        "-----BEGIN RSA PRIVATE KEY-----\n{body}\nQwErTyUiOpAsDfGhJkLzXc\n-----END RSA PRIVATE KEY-----"
    );
    let text: String = key.lines().map(|line| format!("\x1b[32m+{line}\x1b[m\n")).collect();
    let redacted = Redactor::default().redact(&text).text;
    assert!(!redacted.contains("QwErTyUiOp") && !redacted.contains(&body[..12]), "{redacted:?}");
}

#[test]
fn a_key_is_read_through_what_joins_its_lines() {
    let redactor = Redactor::default();
    let material = "AeerKcT23PDXGmRIwgg3ADkHPrNsMlrrkDiOkEt6DjAeerKcT23PDXGmRIwgg3AD";
    for joint in ["\" & vbLf & _\n  \"", "\" . PHP_EOL .\n  \"", "\" + os.EOL +\n  \""] {
        let lines = [
            "-----BEGIN PGP PRIVATE KEY BLOCK-----",
            "",
            material,
            material,
            "-----END PGP PRIVATE KEY BLOCK-----",
        ];
        only(&redactor, &format!("k = \"«{}»\"\n", lines.join(joint)));
    }
}

#[test]
fn tokens_are_seen_through_the_joints_of_shells_and_mails() {
    let token = "xoxb-123456789012-1234567890123-q7Zx2mPv9LbT4sKd8RfW3nYc";
    for (head, tail) in [12, 20, 31].map(|at| token.split_at(at)) {
        for joint in ["\"\"", "'\"", "=\n", "=\r\n", "\n   2\u{2192}", "\n     2\t"] {
            let redacted = Redactor::default().redact(&format!("T={head}{joint}{tail}\n")).text;
            let is_gone = !redacted.contains(head) && !redacted.contains(tail);
            assert!(is_gone, "{joint:?}: {redacted:?}");
        }
    }
}

#[test]
fn a_token_leaves_the_line_below_it_alone() {
    let redactor = Redactor::default();
    for form in [
        "ENV A=«@»\nRUN apt-get update\n",
        "1,alpha,«@»\n2,beta,none\n",
        "app.a=«@»\nserver.port=8080\n",
        "config/a.env:14:A=«@»\nconfig/b.env:3:PORT=8080\n",
        "    token: «@»\n- name: b\n",
    ] {
        only(&redactor, &form.replace('@', LONG_TOKEN));
    }
}

#[test]
fn tokens_are_put_together_over_lines_and_strings() {
    let redactor = Redactor::default();
    let (first, rest) = ACCESS_TOKEN.split_at(12);
    let (second, third) = rest.split_at(14);
    for form in [
        "«①»\n«②»\n«③»\n\nend\n",
        "+«①»\n+«②»\n+«③»\n",
        "export A=«①»\\\n«②»\\\n«③»\n",
        "a = [\"«①»\", \"«②»\", \"«③»\"]\n",
        "(concat \"«①»\" \"«②»\" \"«③»\")\n",
        "let a = \"«①»\" ^ \"«②»\" ^ \"«③»\"\n",
        "a = \"«①»\"\na += \"«②»\"\na += \"«③»\"\n",
        "b.append(\"«①»\").append(\"«②»\").append(\"«③»\");\n",
    ] {
        let marked = form.replace('①', first).replace('②', second).replace('③', third);
        only(&redactor, &marked);
    }
}

#[test]
fn an_encoded_text_is_read_over_the_lines_that_it_is_wrapped_to() {
    let redactor = Redactor::default();
    // The words `api: ` and the token.
    let encoded = "YXBpOiBzaHBhdF9hMWIyYzNkNGU1ZjY3ODkwMTMyNGY1YTZiN2M4ZDllMA==";
    let lines = |width: usize| -> Vec<String> {
        encoded.as_bytes().chunks(width).map(|line| String::from_utf8_lossy(line).into()).collect()
    };
    for width in [20, 24, 40] {
        let marked: Vec<String> = lines(width).iter().map(|line| format!("  «{line}»\n")).collect();
        only(&redactor, &format!("blob: |\n{}next: 1\n", marked.concat()));
    }
    only(&redactor, &format!("{{\"content\":\"«{encoded}»\",\"encoding\":\"base64\"}}\n"));
    let hex = "0x73687061745f6131623263336434653566363738393031333234663561366237633864396530";
    only(&redactor, &format!("value = «{hex}»\n"));
}

#[test]
fn a_value_ends_where_the_next_pair_or_a_message_begins() {
    let redactor = Redactor::default();
    for form in [
        "helm upgrade a ./a --set-string b.apiKey=«@»,replicas=2\n",
        "cannot connect: user=a host=b password=«@»: timeout\n",
        "+ \"API_KEY\" = \"«@»\"\n  \"STAGE\" = \"prod\"\n",
        "API_KEY=[-old-]{+«@»+}\n",
        "ACME_PAT=«@»\nACME_PATH=src/lib\n",
        "user ci\npassword «@»\n",
        "poll a user \"ci\" password \"«@»\"\n",
        "pymysql.connect(\"db\", \"root\", \"«@»\", \"d\")\n",
        "{\"a\":\"smbclient //h/s -U u%«@»\",\"b\":5}\n",
    ] {
        only(&redactor, &form.replace('@', TOKEN));
    }
    only(&redactor, "password reset\nuser \"ci\" password \"required\"\n");
}

#[test]
fn escapes_of_other_languages_are_read() {
    let redactor = Redactor::default();
    let escaped = |escape: fn(u8) -> String| -> String {
        ACCESS_TOKEN.bytes().map(escape).collect::<Vec<_>>().concat()
    };
    for text in [
        escaped(|byte| format!("\\x{{{byte:02x}}}")),
        escaped(|byte| format!("\\U{byte:08x}")),
        escaped(|byte| format!("\\{byte:06x}")),
    ] {
        only(&redactor, &format!("a = \"«{text}»\"\n"));
    }
    only(&in_workspace(), "{\"a\":\"«\\/home\\/jane\\/b»\"}\n");
}

#[test]
fn values_are_found_in_the_cells_of_a_page() {
    let redactor = Redactor::default();
    for form in [
        "<tr><td>API_KEY</td><td><code>«@»</code></td></tr>\n",
        "<tr><th>api key</th>\n  <td>«@»</td></tr>\n",
        "<dt><b>client_secret</b></dt><dd>«@»</dd>\n",
    ] {
        only(&redactor, &form.replace('@', TOKEN));
    }
    only(&redactor, "<tr><td>API_KEY</td><td><code>your-api-key</code></td></tr>\n");
}

#[test]
fn paths_outside_are_hidden_whatever_their_detours() {
    let redactor = in_workspace();
    for path in [
        "/home/o'brien/x.txt",
        "/var/root/x",
        "C:\\Documents and Settings\\Walter\\x",
        "D:/clients/acme/x.sln",
        "file://srv/share/walter/x",
        "vscode://file/home/walter/x.ts",
        "/tmp/../home/walter/x",
        "/proc/self/cwd/../../home/walter/x",
        "/home/dev/proj/../other/x",
        "-I/data/home/peggy/include",
        "-IC:\\Users\\Walter\\include",
        "//home/walter//x",
    ] {
        let redacted = redactor.redact(&format!("open {path}\n")).text;
        let hidden = ["brien", "root", "Walter", "clients", "walter", "other", "peggy"];
        assert!(!hidden.iter().any(|part| redacted.contains(part)), "{redacted:?}");
    }
    for path in [
        "/home/dev/proj/docs/../src/x.rs",
        "/home/dev/proj/./src/x.rs",
        "https://host.example/home/alice",
        "import x from '@/home/alice'",
        "// home/of the brave",
        "/usr/share/../lib/x",
        "vscode://settings/editor.fontSize",
    ] {
        only(&redactor, &format!("open {path}\n"));
    }
}

#[test]
fn what_stands_in_the_middle_of_a_picture_is_no_token() {
    let blob = "AAJwPV1QAAAAHA9X8QAAAAb4RwBPA3AEZAADAAcAEwAfACsANwAAQRUhNQEVITUB".repeat(3);
    only(&Redactor::default(), &format!("url(data:font/woff2;base64,{blob}/EAA{blob})\n"));
}

#[test]
fn text_behind_a_key_is_read_with_the_line_that_the_key_began_on() {
    let text = "private_key_idAGE-SECRET-KEY-1\"\u{ff41}user:pw@n8wGM3NRBrtCEaOqkVUo46zhaEBgcZox4BnYsmF5OtkDKrAsF8COaWAUMc11Oq1Av0Ha6pUSvJMnu\n-----END RSA PRIVATE KEY-----xoxb-- MIIEpAIBAAKCAQEA&#65;49d90930\" +\n\"h6eI5DQw/FZdnSCU1tRGk+aGGiBRyRwjqbzsbZv2T9Cdjh8pLxaS8HtOxpOsTYGhMbCHICX9o";
    let redactor = Redactor::default();
    let once = redactor.redact(text).text;
    assert_eq!(redactor.redact(&once).text, once);
}

/// A token whose first bytes have an underscore, and one that has none.
const APART: [&str; 2] = [ACCESS_TOKEN, "AKIAQ3EGVXN5JWTL2KBD"];

#[test]
fn tokens_written_byte_by_byte_are_seen_through() {
    let redactor = Redactor::default();
    for token in APART {
        let list = |write: fn(u8) -> String, separator: &str| {
            token.bytes().map(write).collect::<Vec<_>>().join(separator)
        };
        for written in [
            list(|byte| format!("{byte:02x}"), " "),
            list(|byte| format!("{byte:02X}"), ":"),
            list(|byte| format!("0x{byte:02x}"), ", "),
            list(|byte| format!("0x{byte:02X}"), ","),
            list(|byte| byte.to_string(), ", "),
            list(|byte| format!("'{}'", byte as char), ", "),
        ] {
            only(&redactor, &format!("key = [«{written}»]\n"));
        }
    }
    for harmless in [
        "[]byte{0x7f, 0x45, 0x4c, 0x46, 0x5f, 0x2d, 0x01, 0x01, 0x00, 0x03, 0x00, 0x3e, 0x00}\n",
        "fingerprint 5f:2d:41:6b:5f:2d:41:6b:5f:2d:41:6b:5f:2d:41:6b:5f:2d:41:6b\n",
        "a _ b _ c _ d _ e _ f _ g _ h _ i _ j\n",
    ] {
        only(&redactor, harmless);
    }
}

#[test]
fn tokens_are_seen_through_the_style_of_their_parts() {
    let redactor = Redactor::default();
    for form in [
        "key <b>«shpat_a1b2c3d4e5»</b>«f678901324f5a6b7c8d9e0»\n",
        "<span class=\"s\">«shpat_a1b2c3d4e5»</span><span>«f678901324f5a6b7c8d9e0»</span>\n",
        "key **«shpat_a1b2c3d4e5»**«f678901324f5a6b7c8d9e0»\n",
        "key «shpat\\_a1b2c3d4e5f678901324f5a6b7c8d9e0»\n",
        "<td>shpat_a1b2c3d4e5</td><td>f678901324f5a6b7c8d9e0</td>\n",
    ] {
        only(&redactor, form);
    }
}

#[test]
fn tokens_are_put_together_where_a_sign_says_that_the_line_goes_on() {
    let redactor = Redactor::default();
    for form in [
        "k = \"«shpat_a1b2c3d4e5»\" & _\n    \"«f678901324f5a6b7c8d9e0»\"\n",
        "k = \"«shpat_a1b2c3d4e5\" /* x */ + \"f678901324f5a6b7c8d9e0»\"\n",
        "+k = \"«shpat_a1b2c3d4e5»\\\n+«f678901324f5a6b7c8d9e0»\"\n",
        "    7\tk=«shpat_a1b2c3d4e5»\\\n    8\t«f678901324f5a6b7c8d9e0»\n",
        "    7\tk = \"«shpat_a1b2c3d4e5»\" +\n    8\t  \"«f678901324f5a6b7c8d9e0»\"\n",
        "set K=«shpat_a1b2c3d4e5»^\n«f678901324f5a6b7c8d9e0»\n",
    ] {
        only(&redactor, form);
    }
}

#[test]
fn encodings_of_other_programs_are_read() {
    let redactor = Redactor::default();
    for form in [
        // What PowerShell runs: `$k="…"` in characters of two bytes.
        "powershell -enc «JABrAD0AIgBzAGgAcABhAHQAXwBhADEAYgAyAGMAMwBkADQAZQA1AGYANgA3ADgAOQAwADEAMwAyADQAZgA1AGEANgBiADcAYwA4AGQAOQBlADAAIgA»=\n",
        "seed «ONUHAYLUL5QTCYRSMMZWINDFGVTDMNZYHEYDCMZSGRTDKYJWMI3WGODEHFSTA»===\n",
    ] {
        let text = form.replace(['«', '»'], "");
        let shown = redactor.redact(&text).text;
        assert!(shown.contains("[REDACTED:api-key]"), "{shown}");
    }
}

#[test]
fn values_are_found_behind_the_signs_of_other_languages() {
    let redactor = Redactor::default();
    for form in [
        format!("acmeToken <- \"«{TOKEN}»\"\n"),
        format!("var acmeToken string = \"«{TOKEN}»\"\n"),
        format!("  ~ acme_token = \"old\" -> \"«{TOKEN}»\"\n"),
        format!("<Pass encoding=\"base64\">«{TOKEN}»</Pass>\n"),
        "host=db user=app password='«xwqrtpzlkm»' dbname=x\n".to_owned(),
        "token <- NULL\nvar token string = os.Getenv(\"TOKEN\")\n".to_owned(),
        "  ~ acme_token = \"old\" -> \"(known after apply)\"\n".to_owned(),
    ] {
        only(&redactor, &form);
    }
}

#[test]
fn names_in_paths_have_letters_of_any_language() {
    let redactor = in_workspace();
    for form in [
        "sqlite:///«/home/marta/a.db»\n",
        "X=«~Étienne/public/i.html»\n",
        "cat «~/Étienne/x.txt»\n",
        "«\\\\server\\Étienne\\a.txt»\n",
    ] {
        only(&redactor, form);
    }
}

#[test]
fn what_stands_beside_a_value_stays() {
    let redactor = Redactor::default();
    for form in [
        format!("acme_token: \x1b[1;33m\"«{TOKEN}»\"\x1b[0m\n"),
        format!("LANG=C\0ACME_TOKEN=«{TOKEN}»\0TERM=xterm\0"),
        format!("+ deploy '--acme-token=«{TOKEN}»'\n"),
        format!("{{\"out\":\"{{\\\"stdout\\\":\\\"ACME_TOKEN=«{TOKEN}»\\\\n\\\"}}\"}}\n"),
    ] {
        only(&redactor, &form);
    }
}

#[test]
fn logins_are_found_in_commands_and_of_a_listener() {
    let redactor = Redactor::default();
    for form in [
        format!("twine upload -u bob -p «{PASSWORD}» dist/*\n"),
        format!("ipmitool -H h -U bob -P «{PASSWORD}» power on\n"),
        format!("scott/«{PASSWORD}»@db:1521/XE\n"),
        "mysql -u root -p shop\nsudo -u postgres psql -p 5432\n".to_owned(),
        "see https://db:1521/a/b and user@db:1521/x\n".to_owned(),
    ] {
        only(&redactor, &form);
    }
}
