//! What the redactor hides and what it leaves alone, each in the shapes that agents show.

use gatewright_guards::egress::{Catalogue, Kind, RedactionContext, Redactor, SecretValue};

fn redactor() -> Redactor {
    Redactor::default()
}

fn in_workspace(root: &str) -> Redactor {
    let context = RedactionContext { workspace_root: Some(root.to_owned()), ..Default::default() };
    Redactor::new(Catalogue::built_in(), context)
}

/// Asserts that `text` becomes `expected`, where `*` stands for a placeholder of `kind`.
fn check(kind: Kind, text: &str, expected: &str) {
    let redacted = redactor().redact(text);
    assert_eq!(redacted.text, expected.replace('*', kind.placeholder()), "in {text:?}");
}

fn unchanged(text: &str) {
    let redacted = redactor().redact(text);
    assert_eq!(redacted.text, text, "{:?}", redacted.redactions);
}

fn gone(text: &str, secret: &str) {
    let redacted = redactor().redact(text).text;
    assert!(!redacted.contains(secret), "{secret:?} is left in {redacted:?}");
    assert!(redacted.contains("[REDACTED:"), "nothing is hidden in {redacted:?}");
}

const BODY: &str = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN";
const TAIL: &str = "QwErTyUiOpAsDfGhJkLzXc";

#[test]
fn only_the_password_of_a_connection_string_is_hidden() {
    for (text, expected) in [
        ("postgres://admin:S3cr3tPw@db.host:5432/app", "postgres://admin:*@db.host:5432/app"),
        ("redis://:p4ssw0rd@cache:6379/0", "redis://:*@cache:6379/0"),
        (
            "mongodb+srv://u:D1ff%40Pw@c0.mongodb.net/t?w=1",
            "mongodb+srv://u:*@c0.mongodb.net/t?w=1",
        ),
        ("mysql://app:pa/ss#w0rd@db.host/x", "mysql://app:*@db.host/x"),
        (
            "jdbc:mysql://h/x?user=fred&password=s3cr3tX&ssl=1",
            "jdbc:mysql://h/x?user=fred&password=*&ssl=1",
        ),
        (
            "jdbc:sqlserver://h:1433;user=sa;password=Str0ng!P;encrypt=true",
            "jdbc:sqlserver://h:1433;user=sa;password=*;encrypt=true",
        ),
        (
            "jdbc:oracle:thin:scott/t1ger9@//host:1521/orcl",
            "jdbc:oracle:thin:scott/*@//host:1521/orcl",
        ),
        (
            "Server=s;Database=db;User Id=me;Password=p@55w0rd!;",
            "Server=s;Database=db;User Id=me;Password=*;",
        ),
        (
            "Driver={ODBC 17};Server=x;Uid=sa;Pwd=Abc123xyz;",
            "Driver={ODBC 17};Server=x;Uid=sa;Pwd=*;",
        ),
        ("root:s3cretp@tcp(127.0.0.1:3306)/db", "root:*@tcp(127.0.0.1:3306)/db"),
        // Of two beside each other each has its own password.
        ("root:s3cretp@tcp(a)/x,root:t3cretq@tcp(b)/x", "root:*@tcp(a)/x,root:*@tcp(b)/x"),
        (
            "jdbc:oracle:thin:scott/t1ger9@//a/x;jdbc:oracle:thin:anna/l1on77@//b/x",
            "jdbc:oracle:thin:scott/*@//a/x;jdbc:oracle:thin:anna/*@//b/x",
        ),
        ("host=h user=me password=xK9sd2 dbname=test", "host=h user=me password=* dbname=test"),
        ("ldap://cn=admin,dc=x:Adm1nPw@ldap.host:389", "ldap://cn=admin,dc=x:*@ldap.host:389"),
    ] {
        check(Kind::ConnectionString, text, expected);
    }
}

#[test]
fn urls_without_a_password_stay() {
    for text in [
        "postgres://localhost:5432/db",
        "postgres://user@host/db",
        "postgres://user:${PASS}@host/db",
        "postgres://user:<password>@host/db",
        "postgres://user:password@host/db",
        "amqp://guest:guest@localhost:5672",
        "https://example.com:8080/path@2x.png",
        "https://host:443/?mail=a@b.com",
        "ssh://git@github.com/x/y.git",
    ] {
        unchanged(text);
    }
}

#[test]
fn private_keys_are_hidden_in_every_shape() {
    let block =
        format!("-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{TAIL}\n-----END RSA PRIVATE KEY-----");
    let prefixed =
        |prefix: &str| block.lines().map(|line| format!("{prefix}{line}\n")).collect::<String>();
    let numbered: String = block
        .lines()
        .enumerate()
        .map(|(index, line)| format!("{:>6}\t{line}\n", index + 1))
        .collect();
    let arrows: String = block
        .lines()
        .enumerate()
        .map(|(index, line)| format!("{:>5}→{line}\n", index + 1))
        .collect();
    let escaped = block.replace('\n', "\\n");
    let joined: String = block.lines().map(|line| format!("  \"{line}\\n\" +\n")).collect();
    for text in [
        format!("{block}\nafter"),
        format!("key = \"\"\"{block}\"\"\""),
        format!("key: \"{escaped}\\n\""),
        format!("{{\"a\":\"{}\"}}", escaped.replace('\\', "\\\\")),
        format!("key: |\n{}other: 1", prefixed("  ")),
        format!("{}+after", prefixed("+")),
        prefixed("-"),
        prefixed("> "),
        prefixed("web_1  | "),
        numbered,
        arrows,
        format!("x = {joined}  \"\";"),
        format!("-----BEGIN OPENSSH PRIVATE KEY-----\n{BODY}\n{TAIL}"),
        format!("-----BEGIN PRIVATE KEY-----\n{BODY}\n{TAIL}\nthen other text"),
        format!(
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n{BODY}\n{TAIL}\n=aBcD\n-----END PGP PRIVATE KEY BLOCK-----"
        ),
        format!(
            "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{BODY}\n{TAIL}\n-----END EC PRIVATE KEY-----"
        ),
    ] {
        gone(&text, &BODY[8..40]);
        gone(&text, TAIL);
    }
}

#[test]
fn what_stands_around_a_private_key_stays() {
    let text =
        format!("before\n-----BEGIN PRIVATE KEY-----\n{BODY}\n-----END PRIVATE KEY-----\nafter\n");
    check(Kind::PrivateKey, &text, "before\n*\nafter\n");
    let cut = format!("-----BEGIN PRIVATE KEY-----\n{BODY}\nthen words of prose\n");
    check(Kind::PrivateKey, &cut, "*\nthen words of prose\n");
}

#[test]
fn other_key_containers_are_hidden() {
    gone(
        &format!(
            "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: c\nPublic-Lines: 1\nAAAAB3NzaC1yc2E\nPrivate-Lines: 1\n{BODY}\nPrivate-MAC: 0123456789abcdef\n"
        ),
        BODY,
    );
    gone("AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX", "GFPYYSJZ");
    gone(
        r#"{"kty":"EC","crv":"P-256","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE","x":"abc"}"#,
        "870MB6",
    );
    gone("[Interface]\nPrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=\n", "yAnz5TF");
}

#[test]
fn service_account_files_have_their_own_kind() {
    let key = format!("-----BEGIN PRIVATE KEY-----\\n{BODY}\\n-----END PRIVATE KEY-----\\n");
    for text in [
        format!(
            "{{\"type\":\"service_account\",\"private_key\":\"{key}\",\"client_email\":\"a@b\"}}"
        ),
        format!(
            "{{\n  \"type\": \"service_account\",\n  \"private_key_id\": \"1\",\n  \"private_key\": \"{key}\",\n  \"client_id\": \"1\"\n}}\n"
        ),
    ] {
        let redacted = redactor().redact(&text);
        assert_eq!(redacted.counts().of(Kind::ServiceAccount), 1, "{}", redacted.text);
        assert!(redacted.text.contains("client_"), "{}", redacted.text);
    }
}

#[test]
fn markers_without_a_key_stay() {
    for text in [
        "if (!pem.startsWith(\"-----BEGIN RSA PRIVATE KEY-----\")) throw x;\nfoo();\n",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7bq2vX3n0y0Zq8aFh1Jc\n-----END PUBLIC KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----\n",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9X1lR6uE8oVxB3dGzNQwErTyUiOpAsDfGhJkL user@host\n",
    ] {
        unchanged(text);
    }
}

#[test]
fn passwords_beside_their_names_are_hidden() {
    for (text, expected) in [
        ("export DB_PASSWORD=supersecret1", "export DB_PASSWORD=*"),
        ("DB_PASSWORD=\"correct-Horse7\"", "DB_PASSWORD=\"*\""),
        ("password: \"Tr0ub4dor&3\"", "password: \"*\""),
        ("{\"password\":\"s3cr3t!\"}", "{\"password\":\"*\"}"),
        ("let password: &str = \"hunter2x\";", "let password: &str = \"*\";"),
        ("<password>Abc12345</password>", "<password>*</password>"),
        ("--password Xyz98765 run", "--password * run"),
        ("ENV DB_PASS s3cret123", "ENV DB_PASS *"),
        ("setPassword(\"Qwerty123!\")", "setPassword(\"*\")"),
        ("<add key=\"Password\" value=\"Qw3rty!9\"/>", "<add key=\"Password\" value=\"*\"/>"),
        (
            "{\"name\": \"DB_PASSWORD\", \"value\": \"Qw3rty!9\"}",
            "{\"name\": \"DB_PASSWORD\", \"value\": \"*\"}",
        ),
        ("machine h login me password zx81secret", "machine h login me password *"),
        ("machine h\n  login me\n  password zx81secret\n", "machine h\n  login me\n  password *\n"),
        ("curl -u admin:S3cretPass https://x.host", "curl -u admin:* https://x.host"),
        ("mysql -u root -pS3cr3t99 db", "mysql -u root -p* db"),
        ("sshpass -p 'My!secret1' ssh h", "sshpass -p '*' ssh h"),
        ("CREATE USER x IDENTIFIED BY 'Passw0rd9';", "CREATE USER x IDENTIFIED BY '*';"),
        ("Authorization: Basic YWRtaW46czNjcjN0UGFzcw==", "Authorization: Basic *"),
        ("echo \"root:n3wP4ss\" | chpasswd", "echo \"root:*\" | chpasswd"),
        ("new PDO('mysql:host=h', 'user', 'Pa55wd!')", "new PDO('mysql:host=h', 'user', '*')"),
    ] {
        check(Kind::Password, text, expected);
    }
}

#[test]
fn random_values_of_secret_names_are_hidden() {
    for (text, expected) in [
        ("const apiKey = \"9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c\";", "const apiKey = \"*\";"),
        ("api_key: 'aZ3kP9qLmN2xR7tY5wE1'", "api_key: '*'"),
        ("CLIENT_SECRET=8Q~vT7xLk2PzR9mWq4Ns6Yb", "CLIENT_SECRET=*"),
        ("X-Api-Key: 7hG2kL9pQ4rT6wX8zB3n", "X-Api-Key: *"),
        ("Authorization: Bearer 7hG2kL9pQ4rT6wX8zB3n", "Authorization: Bearer *"),
        ("t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.q8Zx7Wm5Nb3Vc1Ld9Kf2Jh4Gs6 e", "t * e"),
        (
            "https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024",
            "https://b.s3.amazonaws.com/k?X-Amz-Date=1&X-Amz-Signature=*",
        ),
    ] {
        check(Kind::ApiKey, text, expected);
    }
}

#[test]
fn code_that_reads_or_names_a_secret_stays() {
    for text in [
        "password = os.environ[\"DB_PASSWORD\"]",
        "const token = process.env.TOKEN;",
        "password: ${DB_PASSWORD}",
        "password: string;",
        "token: &str,",
        "let key = get_key(token);",
        "def login(user, password): pass",
        "password_hash = \"5f4dcc3b5aa765d61d8327deb882cf99\"",
        "\"password\": \"Enter your password\"",
        "<input type=\"password\" name=\"password\" id=\"password\">",
        "token_type: \"Bearer\"",
        "api_key = \"YOUR_API_KEY\"",
        "api_key = \"xxxxxxxxxxxxxxxxxxxx\"",
        "secret: \"my-secret-name\"",
        "kubernetes.io/service-account-token",
        "max_tokens: 4096",
        "self.token = token",
        "password = getpass.getpass(\"Password: \")",
        "primary_key = \"id\"",
        "key = load_pem_private_key(key, password=None)",
        "/// Opens the named pipe identified by `addr`.",
        "const password = await read.password('Password: ')",
        "fn parse(tokens: proc_macro2::TokenStream) -> Result<T> {",
    ] {
        unchanged(text);
    }
}

#[test]
fn hashes_and_identifiers_stay() {
    for text in [
        "integrity sha512-Zk9PbGxvIHdvcmxkIHRoaXMgaXMgYSB0ZXN0IG9mIGludGVncml0eQ7bq2vX3n0y0Zq8aFh1Jc5m2s9w==",
        "id: 123e4567-e89b-12d3-a456-426614174000",
        "commit 9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c12345678",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
        "AKIAIOSFODNN7EXAMPLE",
    ] {
        unchanged(text);
    }
}

#[test]
fn paths_of_people_are_hidden_everywhere() {
    for (text, expected) in [
        ("see /home/alice/projects/x.py line 3", "see * line 3"),
        ("File \"/Users/bob/dev/app.py\", line 10", "File \"*\", line 10"),
        ("C:\\Users\\Carol\\Documents\\a.txt", "*"),
        ("\"path\": \"C:\\\\Users\\\\Carol\\\\x\"", "\"path\": \"*\""),
        ("C:/Users/Carol/x.txt:3", "*:3"),
        ("\\\\fileserver\\home\\dave\\doc.txt", "*"),
        ("file:///home/eve/x.html", "*"),
        ("cat ~/.ssh/config", "cat *"),
        ("cd ~frank/work", "cd *"),
        ("/root/.bashrc", "*"),
        ("at /mnt/c/Users/gina/app", "at *"),
        ("-I/home/hal/include", "-I*"),
        ("PATH=/usr/bin:/home/ivy/bin", "PATH=/usr/bin:*"),
        ("\"/Users/Jane Doe/x.txt\"", "\"*\""),
        ("C:\\Users\\Jane Doe\\x.txt", "*"),
        ("/private/var/folders/zz/abc123/T/x", "*"),
    ] {
        check(Kind::Path, text, expected);
    }
}

#[test]
fn paths_that_name_nobody_stay() {
    for text in [
        "#include </usr/include/stdio.h>",
        "cat /dev/null /etc/hosts /bin/sh /opt/tool/bin",
        "GET /users/123 HTTP/1.1",
        "https://host/home/alice/x",
        "import x from '~/components/Foo'",
        "\"version\": \"~1.2.3\"",
        "// see foo/bar/baz",
        "date 12/11/2026",
        "C:\\Windows\\System32\\cmd.exe",
        "router.get('/api/v1/users', list)",
        "/var/log/syslog and /proc/self/maps",
    ] {
        unchanged(text);
    }
}

#[test]
fn a_known_workspace_decides_what_is_outside() {
    let redactor = in_workspace("/home/alice/work/app");
    let redact = |text: &str| redactor.redact(text).text;
    assert_eq!(redact("/home/alice/work/app/src/main.rs:3"), "/home/alice/work/app/src/main.rs:3");
    assert_eq!(redact("/home/alice/work/app2/x"), "[REDACTED:path]");
    assert_eq!(redact("/home/alice/work/app/../../x"), "[REDACTED:path]");
    assert_eq!(redact("/srv/people/bob/x"), "[REDACTED:path]");
    assert_eq!(redact("\"/data/sets/train.csv\""), "\"[REDACTED:path]\"");
    assert_eq!(redact("fetch('/api/users/7')"), "fetch('/api/users/7')");
    assert_eq!(redact("/usr/lib/python3/x.py"), "/usr/lib/python3/x.py");
    let windows = in_workspace("C:\\Users\\me\\app");
    assert_eq!(windows.redact("C:\\Users\\me\\app\\a.rs").text, "C:\\Users\\me\\app\\a.rs");
    assert_eq!(windows.redact("D:\\other\\a.rs").text, "[REDACTED:path]");
}

#[test]
fn known_values_are_hidden_exactly_and_common_ones_are_not() {
    let secret = |value: &str| SecretValue {
        value: value.to_owned(),
        kind: Kind::Password,
        label: ".env".to_owned(),
    };
    let context = RedactionContext {
        exact_secrets: ["Zebra!Lake42", "true", "localhost", "5432", "production"]
            .map(secret)
            .to_vec(),
        ..Default::default()
    };
    let redactor = Redactor::new(Catalogue::built_in(), context);
    assert_eq!(
        redactor.redact("x Zebra!Lake42 y true localhost 5432 production").text,
        "x [REDACTED:password] y true localhost 5432 production"
    );
    let encoded = "v: WmVicmEhTGFrZTQyIGFuZCBtb3Jl";
    assert!(redactor.redact(encoded).text.contains("[REDACTED:"));
}

/// A token whose checksum is right and that nobody was given.
fn token() -> String {
    "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".to_owned()
}

#[test]
fn disguised_tokens_are_seen_through() {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    let token = token();
    let (head, tail) = token.split_at(17);
    let each = |make: fn(u8) -> String| token.bytes().map(make).collect::<String>();
    let disguises = [
        ("plain", token.clone()),
        ("base64", STANDARD.encode(format!("token={token}"))),
        ("twice", STANDARD.encode(STANDARD.encode(&token))),
        ("hex", each(|byte| format!("{byte:02x}"))),
        ("percent", each(|byte| format!("%{byte:02X}"))),
        ("unicode escapes", each(|byte| format!("\\u{:04x}", u32::from(byte)))),
        ("hex escapes", each(|byte| format!("\\x{byte:02x}"))),
        ("entities", each(|byte| format!("&#{byte};"))),
        ("hex entities", each(|byte| format!("&#x{byte:x};"))),
        ("zero width", format!("{}\u{200b}{}", head, tail)),
        ("zero width in prefix", token.replacen("gh", "g\u{200b}h", 1)),
        ("soft hyphen", format!("{head}\u{ad}{tail}")),
        ("full width", each(|byte| char::from_u32(u32::from(byte) + 0xFEE0).unwrap().to_string())),
        ("look-alike", token.replacen("ghp_", "ghр_", 1)),
        ("terminal colours", format!("{head}\x1b[1;31m{tail}\x1b[0m")),
        ("coloured start", format!("\x1b[32m{token}\x1b[0m")),
        ("concatenation", format!("\"{head}\" + \"{tail}\"")),
        ("split prefix", format!("'gh' + 'p_{}'", &token[4..])),
        ("concatenation over lines", format!("\"{head}\" +\n    \"{tail}\"")),
        ("wrapped", format!("{head}\n{tail}")),
        ("wrapped and indented", format!("  {head}\n  {tail}")),
        ("escaped newline before", format!("\\n{token}\\n")),
        ("json in json", format!("{{\\\"text\\\":\\\"a\\\\n{token}\\\\n\\\"}}")),
        ("comma list", format!("a,{token},b")),
    ];
    for (name, disguise) in disguises {
        let text = format!("value is {disguise} ok\n");
        let redacted = redactor().redact(&text).text;
        assert!(redacted.contains("[REDACTED:api-key]"), "{name}: {redacted:?}");
        assert!(!redacted.contains(&token[20..]), "{name}: {redacted:?}");
        assert!(redacted.starts_with("value is "), "{name}: {redacted:?}");
    }
}

#[test]
fn a_key_without_its_opening_marker_is_hidden() {
    let middle = "p1lR6uE8oVxB3dGzN7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtPQwErTyUiOpAsDfGh";
    for prefix in ["", "+", "   12\t", "conf/key.pem:7:", "> ", "// "] {
        let lines = [middle, middle, TAIL, "-----END EC PRIVATE KEY-----"];
        let text: String = lines.iter().map(|line| format!("{prefix}{line}\n")).collect();
        gone(&text, middle);
        gone(&text, TAIL);
    }
    gone(&format!("{{\"k\": \"{middle}\\n{TAIL}\\n-----END PRIVATE KEY-----\"}}\n"), middle);
    gone(&format!("KEY=\"{middle} {TAIL} -----END PRIVATE KEY-----\"\n"), middle);
    unchanged(&format!("{middle}\n{middle}\n{TAIL}\n-----END CERTIFICATE-----\n"));
    unchanged(&format!("{middle}\n{middle}\n{TAIL}\nand words\n"));
}

#[test]
fn a_key_without_markers_is_known_by_its_encoding() {
    let rest = "7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtPQwErTyUiOpAsDfGhJkLzXcVbNmQwErTy";
    for head in [
        "MIICXAIBAAKBgQ",
        "MIIG4wIBAAKCAYEA",
        "MIIG/wIBADANBgkqhkiG9w0BAQEFAASC",
        "MIG2AgEAMBAGByqGSM49",
        "MEECAQAwEwYHKoZIzj0CAQ",
        "MHcCAQEEI",
        "MFECAQEwBQYDK2Vw",
        "MIIJnzBJBgkqhkiG9w0BBQ0w",
        "lQVYBGk",
    ] {
        let line = format!("{head}{}", &rest[..64 - head.len()]);
        gone(&format!("cat key\n{line}\n{rest}\nend of it\n"), rest);
        gone(&format!("+{line}\n+{rest}\n"), rest);
    }
    gone(&format!("Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n{rest}\n{rest}\n"), rest);
}

#[test]
fn what_has_the_prefix_of_a_provider_and_not_its_form_is_left_alone() {
    let token = "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";
    gone(&format!("GITHUB_TOKEN={token}\n"), token);
    for miss in [&token[..39], "ghp_qol4YPzOV6DQIkwJ19JiwmDKA9Bxg61NQd2h", &format!("{token}x")] {
        for frame in ["GITHUB_TOKEN=*\n", "see * there\n", "Authorization: Bearer *\n"] {
            unchanged(&frame.replace('*', miss));
        }
    }
    gone("ACME_TOKEN=qol4YPzOV6DQIkwJ19JiwmDKA9Bxg61NQd2g\n", "qol4YPzOV6DQIkwJ19Jiw");
}

#[test]
fn a_line_of_a_password_file_keeps_all_but_the_password() {
    check(Kind::ConnectionString, "db.host:5432:main:app:Zebra7!x\n", "db.host:5432:main:app:*\n");
    gone("localhost:*:*:app:Zebra7!x\n", "Zebra7!x");
    unchanged("src/main.c:5432: error: x: y\n");
}

#[test]
fn a_call_that_sets_a_password_hides_it() {
    gone("user.set_password(\"Zebra7!x\")\n", "Zebra7!x");
    gone("client.setPassword( 'Zebra7!x' );\n", "Zebra7!x");
    unchanged("user.set_password(raw_password)\n");
}
