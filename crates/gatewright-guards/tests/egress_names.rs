//! Values behind names: where they are hidden, and where code or a near miss stays.

use gatewright_guards::egress::{Redactor, Stream};

fn unchanged(text: &str) {
    let redacted = Redactor::default().redact(text);
    assert_eq!(redacted.text, text, "{:?}", redacted.redactions);
}

fn gone(text: &str, secret: &str) {
    let redacted = Redactor::default().redact(text).text;
    assert!(!redacted.contains(secret), "{secret:?} is left in {redacted:?}");
}

#[test]
fn a_value_is_hidden_wherever_its_name_stands_before_it() {
    let secret = "q7Tn2VxK9bLm4RzPw8YcD3fH";
    for frame in [
        "| `ACME_TOKEN` | `@` |\n",
        "| ACME_TOKEN | @ |\n",
        "- **ACME_TOKEN**: `@`\n",
        "- **ACME_TOKEN:** @\n",
        "gh secret set ACME_TOKEN --body \"@\"\n",
        "Config { acme_token: Some(\"@\") }\n",
        "const k = process.env.ACME_TOKEN || '@';\n",
        "const k = process.env.ACME_TOKEN ?? \"@\";\n",
        "setenv ACME_TOKEN @\n",
        "set -gx ACME_TOKEN @\n",
        "#define ACME_TOKEN \"@\"\n",
        "Const ACME_TOKEN As String = \"@\"\n",
        "ACME_TOKEN=[-changeme-]{+@+}\n",
        "--parameters ParameterKey=AcmeToken,ParameterValue=@\n",
        "p.add_argument(\"--acme-token\", default=\"@\")\n",
        "    acme_token: str = Field(default=\"@\")\n",
        "  [\"acme_token\"]=>\n  string(24) \"@\"\n",
        "    [acme_token] => @\n",
        "  {acme_token, \"@\"},\n",
        "    ACME_TOKEN: ${env:ACME_TOKEN, '@'}\n",
        "    <string name=\"acme_token\">@</string>\n",
        "(defvar acme-token \"@\")\n",
        "    proxy_set_header X-Acme-Token \"@\";\n",
        "pulumi config set --secret acmeToken @\n",
        "http GET api.host Authorization:\"Token @\"\n",
        "  \"acme_token\": {\n    \"sensitive\": true,\n    \"type\": \"string\",\n    \"value\": \"@\"\n  }\n",
        "requirepass @\n",
        "Le mot de passe est @ pour la prod.\n",
        "La contraseña es @ (no compartir)\n",
        "Das Passwort lautet @, bitte ändern.\n",
        "htpasswd -bc .htpasswd bob @\n",
        "openssl enc -aes-256-cbc -k @ -in a -out b\n",
    ] {
        gone(&frame.replace('@', secret), secret);
    }
}

#[test]
fn a_directory_and_a_login_of_the_standard_are_no_passwords() {
    unchanged("PWD=C:\\Windows\\System32\\drivers\n");
    unchanged("Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\n");
    unchanged("Le mot de passe est obligatoire.\n");
    unchanged("password is required\n");
}

#[test]
fn a_key_is_found_under_escapes_inside_an_encoding() {
    let escaped = "\\u0041\\u004b\\u0049\\u0041";
    let token = "Q3EGWPLM7XKTZ2VD";
    let hex: String =
        format!("{escaped}{token}").bytes().map(|byte| format!("{byte:02x}")).collect();
    gone(&format!("value {hex}\n"), &hex);
}

#[test]
fn a_key_in_base64_with_few_digits_is_hidden() {
    let secret = "OS+MLZ9OnEBkBsbjn+W+d9/Yy+uqmhMCGzxFdUjE";
    gone(&format!("const awsSecretAccessKey = '{secret}';\n"), secret);
    unchanged("import X from 'src/components/Button2/IndexFileOfTheButton';\n");
}

#[test]
fn a_pipe_behind_a_name_is_no_table() {
    unchanged("echo $PASSWORD | base64\n");
    unchanged("cat token | sha256sum\n");
}

#[test]
fn code_behind_the_name_of_a_password_stays() {
    for text in [
        "x={username:K,password:X}),jn(i)&&($=new Y)\n",
        "{radio:!0,checkbox:!0,file:!0,password:!0,image:!0}\n",
        "    @type password: L{bytes}\n",
        "passwords = {'conn_pass': sshpass, 'become_pass': becomepass}\n",
        "        if b_vault_pass_1 != b_vault_pass_2:\n",
        "s.username=r.username,s.password=r.password,s.host=r.host,s.port=r.port\n",
        "{\"code\":\"  const password = parsedURL.password\\n  return\"}\n",
        "                PULP_PASSWORD=pulp_password\n",
        "opennebula_password: @PASSWORD\n",
        "line: '%ADMIN ALL=(ALL) NOPASSWD: ALL'\n",
        "    # version string of its own; MySQL-python\n",
        "    private_key: x25519.X25519PrivateKey\n",
        "    def test_noDefaultContentTypeOn204Response(self):\n",
    ] {
        unchanged(text);
    }
}

#[test]
fn a_password_with_signs_in_it_is_still_one() {
    gone("DB_PASSWORD=h]6EszR}vJ*m\n", "EszR");
    gone("password: \"]35d/{pB9Fo9wJ\"\n", "pB9Fo9wJ");
    gone("mysqldump -pZebra7x db\n", "Zebra7x");
    gone("if password == \"Zebra7!x\":\n", "Zebra7!x");
}

#[test]
fn a_format_missed_by_a_little_stays_behind_its_name() {
    let hex = "5ebc3ec6ab809b52e653e7f0619c2d4a";
    gone(&format!("MAILGUN_API_KEY=key-{hex}\n"), hex);
    unchanged(&format!("MAILGUN_API_KEY=key-{hex}7\n"));
    unchanged("ACME_TOKEN=q7Tn2VxK9b!m4RzPw8YcD3fH\n");
    unchanged("api_key: sk-or-v1-c0bb326b...\n");
}

#[test]
fn a_name_and_a_shared_prefix_say_together_whose_format_is_missed() {
    let half = "5ebc3ec6ab809b52";
    unchanged(&format!("MAILGUN_API_KEY=key-{half}\n"));
    gone(&format!("ACME_API_KEY=key-{half}\n"), half);
    unchanged("NETLIFY_AUTH_TOKEN=nfp_F7wtRbBlvaN9XXIv8ialcmOBurdtBnJSEGrc7\n");
    unchanged("TOKEN=Vh3nUiLy6xcpEm.atlasv1.Y6pcEdYyYZdtWniUbkdaVeAhOxZykbSewQvVB1\n");
    unchanged("curl -H \"X-MAPBOX-TOKEN: sk.eyJ1IjoiEQQLKteH...\" https://api.host/\n");
}

#[test]
fn a_value_of_the_right_form_is_no_near_miss_for_looking_too_regular() {
    let value = "EZAK64827838a3ee3636ac128b512d2bb33810477e23f073ec889c219b";
    gone(&format!("easypost_api_key = \"{value}\"\n"), value);
}

#[test]
fn a_value_is_found_in_the_forms_of_more_languages() {
    let value = "q7Tn2VxK9bm4RzPw8YcD3fHs";
    for text in [
        format!("$ENV{{ACME_API_KEY}} = \"{value}\";\n"),
        format!("{{:acme-api-key \"{value}\"}}\n"),
        format!("set(ACME_API_KEY \"{value}\")\n"),
        format!("acme_api_key,{value},2026-01-02\n"),
        format!(" acme_api_key   | {value}\n"),
        format!("env: [{{name: ACME_API_KEY, value: {value}}}]\n"),
        format!("\"acme_api_key\": {{\"sensitive\": true, \"value\": \"{value}\"}}\n"),
        format!("'env.ACME_API_KEY': JSON.stringify('{value}')\n"),
        format!("ACME_API_KEY = (\"{value}\"\n    \"x\")\n"),
        format!("variable \"acme_api_key\" {{\n  default = \"{value}\"\n}}\n"),
    ] {
        gone(&text, value);
    }
    for text in [
        "token,email,created\n",
        "const {password} = request.body;\n",
        "  token | base64 --decode\n",
        "variable \"db_password\" {\n  type = string\n}\n",
        "secrets: { value: process.env.TOKEN }\n",
        "#define SQLITE_OnePass 0x08000000\n",
        "#define XXH3_initCustomSecret XXH3_initCustomSecret_avx512\n",
        "\"password\": \"@env:AC_PASSWORD\",\n",
    ] {
        unchanged(text);
    }
}

#[test]
fn a_key_of_somebody_is_one_in_a_sentence_too() {
    let value = "70c9fc762eace7495f19736f0cb228cc";
    gone(&format!("The dialpad key is {value}, please use it.\n"), value);
    unchanged(&format!("The cache key is {value}, and the public key is {value}.\n"));
}

#[test]
fn a_password_with_more_consonants_than_words_have_is_no_word() {
    gone("INFO start user_passwd=MprTGm_MLuDi region=eu\n", "MprTGm_MLuDi");
    unchanged("password = \"PasswordStrengthIndicator\"\n");
}

#[test]
fn the_next_line_completes_no_token() {
    unchanged("     3\tAWS_ACCESS_KEY_ID=AKIA37433UKOOGI5ZQV\n     4\tA=b\n");
    unchanged("KEY=shpat_44a2e171c8da413ba641a19cc8d7255\nAB=false\n");
}

#[test]
fn an_escape_on_the_line_before_changes_nothing() {
    let text = "\\n\n0ghp_aaa0AaaGA00E00AAA0a0aAAG00AA0aAa0aA0\n-----END PRIVATE KEY-----";
    let redactor = Redactor::default();
    let mut stream = Stream::new(&redactor);
    let mut output = stream.push(text.as_bytes()).into_inner();
    output.extend(stream.finish().into_inner());
    assert_eq!(String::from_utf8_lossy(&output), redactor.redact(text).text);
}

#[test]
fn a_value_beside_a_marker_leaves_the_marker() {
    let body = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN";
    let text =
        format!("-----BEGIN PRIVATE KEY-----\n\npassword:a!Aa!a-----END PRIVATE KEY-----{body}");
    let redactor = Redactor::default();
    let once = redactor.redact(&text).text;
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn a_near_miss_of_the_provider_that_is_named_stays() {
    // One digit more than a UUID, one letter more than the 43 that this provider gives.
    unchanged("plaidAccessToken = 'access-production-c98909d9-e173-a216-ca2d-dfe1e74100447';\n");
    unchanged("notion_token = \"secret_RXMaaYQ7fb80WL5p9mKIwgbX8kivN4wqPFimemopkb47\"\n");
    let value = "RXMaaYQ7fb80WL5p9mKIwgbX8kivN4wqPFimemopkb47";
    gone(&format!("acme_token = \"secret_{value}\"\n"), value);
}

#[test]
fn a_usual_length_depends_on_the_alphabet() {
    unchanged("ACME_TOKEN=sk-a6c754e76dc9de4be84f7\n");
    gone("ACME_TOKEN=sk-V1eIRBD03rp8xYHjDj7Aq\n", "V1eIRBD03rp8xYHjDj7Aq");
}

#[test]
fn a_line_that_trusts_its_own_words_claims_no_value_of_somebody_else() {
    unchanged("//registry.host/:_authToken=lin_api_DqGh9JdE68zU4F4c37PGnwEQklDMrDnUccxOjOP\n");
    let value = "7f3a9c21-4b5d-4e8f-9a01-c2d3e4f5a6b7";
    gone(&format!("//registry.host/:_authToken={value}\n"), value);
}

#[test]
fn a_value_ends_where_its_list_or_its_colour_ends() {
    let value = "q7Tn2VxK9bLm4RzPw8YcD3fH";
    let redactor = Redactor::default();
    for (before, after) in [
        ("--environment \"Variables={ACME_TOKEN=", "}\"\n"),
        ("Variables={A=b,ACME_TOKEN=", ",C=d}\n"),
        ("\x1b[32;1m$ deploy --acme-token=", "\x1b[0;m\n"),
    ] {
        let redacted = redactor.redact(&format!("{before}{value}{after}")).text;
        assert_eq!(redacted, format!("{before}[REDACTED:api-key]{after}"));
    }
}

#[test]
fn a_message_in_another_language_is_no_password() {
    for text in [
        "nullPassword=没有提供密码，请输入\n",
        "nullPassword=\\u6ca1\\u6709\\u63d0\\u4f9b\n",
        "errors.password=パスワードを8文字以上入力してください。\n",
        "user.password: 비밀번호를 입력하세요\n",
        "  password: Contraseña\n",
        "\"password\": \"Пароль\",\n",
        "invalidPassword=Ung\\u00fcltiges Passwort\n",
        "resetPassword=Réinitialiser\n",
        "Le mot de passe est nécessaire\n",
        "La contraseña es inválida.\n",
    ] {
        unchanged(text);
    }
    gone("password: \"Пароль2024!\"\n", "Пароль2024");
    gone("password: 我们的密码就是Zebra7\n", "Zebra7");
    gone("password = Zébra7!xq\n", "bra7!xq");
    gone("user.password=naïvEté!Lx\n", "naïvEté!Lx");
    gone("mysql --password Пароль -u root\n", "Пароль");
}

#[test]
fn a_sentence_about_an_option_names_no_password() {
    for text in [
        "The --password suffers from being visible to others.\n",
        "the option --password overrides the file\n",
        "With --password specified, the client asks for nothing.\n",
        "use --password carefully, it is insecure\n",
        "  --password requires an argument\n",
        "# checks the --password option\n",
    ] {
        unchanged(text);
    }
    gone("tool --password hunterhunter --user bob\n", "hunterhunter");
    gone("tool --password hunterhunter mydb\n", "hunterhunter");
    gone("tool --password hunterhunter\n", "hunterhunter");
    gone("use --password hunterhunter\n", "hunterhunter");
    gone("with --password Zebra7xq for the host\n", "Zebra7xq");
}

#[test]
fn a_sentence_about_a_login_is_no_entry_of_netrc() {
    for text in [
        "the login request has a username and password encoded in base64\n",
        "login request with the password encoded as UTF-8\n",
        "On login the user gives a password that is checked\n",
        "a machine readable form, password encoded\n",
        "first login succeeds\nand the password expires\n",
    ] {
        unchanged(text);
    }
    gone("machine git.host login bob password hunterx\n", "hunterx");
    gone("machine git.host\n  login bob\n  password hunterx\n", "hunterx");
    gone("machine git.host\n  password hunterx\n  login bob\n", "hunterx");
    gone("machine a.b login bob port 587 password hunterx # mail\n", "hunterx");
    gone("echo \"machine a.b login bob password hunterx\" >> ~/.netrc\n", "hunterx");
    gone("machine a login b password hunterx machine c login d password foxglove\n", "foxglove");
}

#[test]
fn what_is_left_out_of_a_list_of_ciphers_is_no_key() {
    unchanged("ssl_ciphers ALL:!ADH:!PSK:!DSS:!RC4+RSA:+HIGH:+MEDIUM\n");
    unchanged("ciphers=HIGH:!aPSK:!PSK:!EDH-DSS-DES-CBC3-SHA\n");
    gone("psk: !Zebra7xq\n", "Zebra7xq");
}

#[test]
fn code_behind_the_end_of_a_string_is_no_value() {
    for text in [
        "log(\"Password:\"+x);\n",
        "\"Username:\"+user+\" Password:\"+pass+\".\"\n",
        "cmd = \"mysql --password=\"+pw+\" -u root\"\n",
        "f(\"Password:\",x9y8zz)\n",
        "echo 'password='.$x9.'&a=b';\n",
        "\"VALUES (#{pass}, 'hello1')\"\n",
        "f\"{password}, 'x9yzz'\"\n",
    ] {
        unchanged(text);
    }
    gone("{\"user\":\"bob\",\"password\":\"+Zebra7xq\"}\n", "Zebra7xq");
    gone("connect(user=\"bob\", password=\".Zebra7xq\")\n", "Zebra7xq");
    gone("  {password, \"Zebra7xq\"},\n", "Zebra7xq");
}
