//! What carries a secret: plans, addresses with properties, dumps, blame, code that turns strings.

mod egress_support;

use egress_support::only;
use gatewright_guards::egress::{Kind, RedactionContext, Redactor, SecretValue};

const GITHUB: &str = "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";
const HEX: &str = "1127022e76391718e808b7917b5ed59e";
/// The same token as code holds it that turns it around.
const TURNED: &str = "iPZNV0BU8C8TkyUcSN7JvfM5DGvaR3lirxND_phg";

fn all(forms: &[&str], value: &str) {
    for form in forms {
        only(&Redactor::default(), &form.replace('@', value));
    }
}

#[test]
fn the_next_line_of_a_plan_is_no_part_of_a_string() {
    all(
        &[
            "  + env = {\n      + \"ACME_API_KEY\" = \"«@»\"\n      + \"STAGE\" = \"prod\"\n    }\n",
            "+  + \"ACME_API_KEY\" = \"«@»\"\n+  + \"STAGE\" = \"prod\"\n",
            "{\"out\":\"  + \\\"ACME_API_KEY\\\" = \\\"«@»\\\"\\n  + \\\"STAGE\\\" = \\\"prod\\\"\\n\"}\n",
        ],
        HEX,
    );
}

#[test]
fn properties_of_an_address_are_no_login() {
    for password in ["JVdLgU@m2c7GN", "Quiet7Rivers.XnHs", "C0rrect-Horse9"] {
        all(
            &[
                "jdbc:sqlserver://db.internal:1433;databaseName=a;user=u;password=«@»;encrypt=true\n",
                "cs = jdbc:sqlserver://10.0.3.7:1433;databaseName=a;user=u;password=«@»;encrypt=true\n",
            ],
            password,
        );
    }
    only(&Redactor::default(), "a.server=b.server;a.password=c.password;go(a)\n");
}

#[test]
fn bytes_in_a_dump_without_its_text_are_hidden() {
    let mut dump = String::new();
    for (index, part) in GITHUB.as_bytes().chunks(16).enumerate() {
        let bytes: Vec<_> = part.iter().map(|byte| format!("{byte:02x}")).collect();
        dump += &format!("{:07o} «{}»\n", index * 16, bytes.join(" "));
    }
    only(&Redactor::default(), &format!("$ od -t x1 token\n{dump}0000050\n"));
    only(&Redactor::default(), "0000000 7f 45 4c 46 02 01 01 00\n0000010 00 00 00 00\n");
}

#[test]
fn strings_that_code_turns_around_are_hidden() {
    all(
        &[
            "tok = \"«@»\"[::-1]\n",
            "const t = \"«@»\".split(\"\").reverse().join(\"\");\n",
            "$t = strrev('«@»');\n",
        ],
        TURNED,
    );
    only(&Redactor::default(), "names = \"zeta_phg_alphabet\"[::-1]\n");
}

#[test]
fn the_last_line_of_a_key_is_hidden_where_it_is_short() {
    let line = "MIICXQIBAAKBgQC1ELNN9vLZG1blwUkmnVrRMx5fQD4bZX0sTZ7t5h2IkDImDLLI";
    let other = "2AnT+QsvwKanIekrDsMRAUhts/4/ct/TXqiFSq341XWY6sOFQvR3SjdhkdGHQDK2";
    let last = "qj/WEg2A==";
    let begin = "-----BEGIN RSA PRIVATE KEY-----";
    for form in [
        format!("{{\"key\":\"«{begin}\\n{line}\\n{other}\\n{last}»\"}}\n"),
        format!(
            "{{\"a\":\"{{\\\"key\\\":\\\"«{begin}\\\\n{line}\\\\n{other}\\\\n{last}»\\\"}}\"}}\n"
        ),
        format!(
            "$k = '«{begin}' . \"\\n\"\n  . '{line}' . \"\\n\"\n  . '{other}' . \"\\n\"\n  . '{last}»';\n"
        ),
    ] {
        only(&Redactor::default(), &form);
    }
}

#[test]
fn each_line_of_blame_has_a_commit_of_its_own() {
    let line = "lQVYBGJv4GQTEGYVDgR7ydbEAsP60ovlrUdvsE/DeWZLDsxyE3sUYs2EN/LiJlcZ";
    let other = "82II8QpIHvm5/Gea1vqKicrpG67nvwEMLv7f851xL07BLoPWs1/yGlLAylPSFffS";
    let who = "(Ann Lee 2026-01-02 10:00:00 +0100";
    only(
        &Redactor::default(),
        &format!(
            "4a539f6c {who}  3) «{line}\nf5f93660 {who}  4) {other}\n00325b31 {who}  5) EmEfaKA1s+»\n"
        ),
    );
}

#[test]
fn a_key_is_hidden_behind_what_is_said_of_it() {
    all(
        &[
            "here is the jenkins api token, please set it up: «@»\n",
            "the api key for the staging account: «@»\n",
        ],
        HEX,
    );
    for text in [
        "the token that the parser saw last: identifier7\n",
        "the api key, as the manual says: see below\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn a_word_of_a_command_ends_before_an_escaped_line_break() {
    only(
        &Redactor::default(),
        "{\"out\":\"{\\\"s\\\":\\\"$ smbclient //h/s -U root%«iiWhqomm5Q5t»\\\\n\\\"}\"}\n",
    );
}

#[test]
fn the_handshake_of_a_socket_and_the_start_of_an_object_stay() {
    for text in [
        "Sec-WebSocket-Key: x23nYhF29GcwDst8l6Af+Q==\n",
        "ACME_CREDENTIALS=\"{\\\"type\\\":\\\"service_account\\\",\\\"project_id\\\":\\\"orbit-265668\\\"}\"\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn a_scrambled_word_is_a_password_behind_an_option() {
    only(&Redactor::default(), "$ wget --user=deploy --password=«FafuXyPPLOzq» https://h.org/f\n");
    only(&Redactor::default(), "run --password=userPassword --verbose\n");
}

#[test]
fn what_a_presigned_address_says_of_its_signer_stays() {
    let signature = "5b1c0f6a9d3e47822c71e0b94f8a6d135b1c0f6a9d3e47822c71e0b94f8a6d13";
    let scope = "%2F20260101%2Fus-east-1%2Fs3%2Faws4_request";
    only(
        &Redactor::default(),
        &format!(
            "https://a.s3.amazonaws.com/f?X-Amz-Credential=«AKIAQ3EGRW7LZ5XHVN2T»{scope}\
             &X-Amz-Expires=900&X-Amz-Signature=«{signature}»\n"
        ),
    );
}

#[test]
fn nothing_stays_nothing_before_an_escaped_line_break() {
    only(&Redactor::default(), "{\"line\":\"char *password = NULL;\\n\"}\n");
}

#[test]
fn code_below_a_sentence_that_names_a_marker_is_no_key() {
    only(
        &Redactor::default(),
        "It starts with \"-----BEGIN RSA PRIVATE KEY-----\".\n\
         pub type CreateElicitationRequestParam = CreateElicitationRequestParams;\n",
    );
}

#[test]
fn a_password_with_a_point_is_no_member_behind_its_user() {
    all(
        &[
            "Driver={SQL Server};Server=h;Database=d;UID=app;PWD=«@»;Encrypt=yes;\n",
            "var cs = @\"Data Source=h;Database=d;Uid=reader;Pwd=«@»;\";\n",
            "DBI->connect(\"dbi:Pg:dbname=a;host=h\", \"app\", \"«-@»\");\n",
        ],
        "Quiet7Rivers.p5gj",
    );
    only(&Redactor::default(), "a.user=b.user;a.password=c.password;run(a);\n");
}

#[test]
fn certificates_of_a_cluster_stay_beside_its_key() {
    let public = format!("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{}", "k3Qx9Lm2Vt7Za1".repeat(18));
    let private =
        format!("LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tL{}", "k3Qx9Lm2Vt7Za1".repeat(18));
    only(
        &Redactor::default(),
        &format!(
            "{{\"t\":\"certificate-authority-data: {public}\\n    client-key-data: «{private}»\\n\"}}\n"
        ),
    );
}

#[test]
fn the_key_of_a_search_service_is_hidden_behind_its_owner() {
    only(
        &Redactor::default(),
        "AZURE_SEARCH_KEY=«0kd3RXL4MkAC0FG799L7BwHznkGGs59WoKemKw50Hn4nojWdPUuu»\n",
    );
}

/// A redactor that knows where the workspace is.
fn in_workspace() -> Redactor {
    let root = Some("/work/app".to_owned());
    Redactor::default()
        .with_context(RedactionContext { workspace_root: root, ..Default::default() })
}

#[test]
fn what_a_store_says_of_a_parameter_stands_between_its_name_and_its_value() {
    all(
        &[
            "{\"Parameters\": [{\"Name\": \"/prod/acme_api_token\", \"Type\": \"SecureString\", \"Value\": \"«@»\"}]}\n",
            "{\"key\": \"ACME_API_TOKEN\", \"type\": \"secret\", \"value\": \"«@»\"}\n",
        ],
        HEX,
    );
    let other =
        "{\"Name\": \"acme_api_token\", \"Type\": \"String\"}, {\"Value\": \"1127022e76391718\"}";
    only(&Redactor::default(), other);
}

#[test]
fn a_value_is_hidden_in_what_a_message_says_aside() {
    all(&["401 Unauthorized (ACME_API_TOKEN=«@») retry\n", "(token=«@», try=2)\n"], HEX);
    only(&Redactor::default(), "connect(password=password, token=next_token)\n");
    only(&Redactor::default(), "def connect(token=default_token2):\n");
}

/// A key of several lines, the last one short.
fn key() -> [&'static str; 6] {
    [
        "-----BEGIN PRIVATE KEY-----",
        "MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBAMyi0lLRoJK6DCxf",
        "Mv9jcjlARTn0pafvnaauueLUIsim8Pg0cn72vqePm5CGxQlsWMBqlP0Ad0jg28Ka",
        "7WoKWTgSrs6bM90Xmx2dTjhNkOudUz6frzRFfazj3jHOktiWgWfXG4AZCTBJ5R5Q",
        "BNUcQYtlRw98EiL3XnZi0l1cTGV5Rw==",
        "-----END PRIVATE KEY-----",
    ]
}

#[test]
fn a_key_goes_on_behind_a_note_that_lines_of_it_were_left_out() {
    let [begin, one, two, three, last, end] = key();
    for note in ["[... 12 lines omitted ...]", "... 12 more lines", "<snip>", "… (truncated)"] {
        for cut in ["", "a662\n", "AAeFPeNv18fWoBzvJiwfU13oWsL2UtqKcslOgP\n"] {
            let text =
                format!("{begin}\n{one}\n{two}\n{note}\n{cut}{three}\n{last}\n{end}\nDone\n");
            let expected = "[REDACTED:private-key]\nDone\n";
            assert_eq!(Redactor::default().redact(&text).text, expected, "{text}");
        }
        let paged = format!("{begin}\n{one}\n{two}\n--More--\n");
        let expected = "[REDACTED:private-key]\n--More--\n";
        assert_eq!(Redactor::default().redact(&paged).text, expected);
        let text = format!("{begin}\n{one}\n{two}\n{note}\nDone\nand more\n");
        let expected = format!("[REDACTED:private-key]\n{note}\nDone\nand more\n");
        assert_eq!(Redactor::default().redact(&text).text, expected);
    }
}

#[test]
fn a_key_is_hidden_in_a_box_and_among_the_lines_around_a_hit() {
    let boxed: String = key().iter().map(|line| format!("│ {line:66} │\n")).collect();
    let numbered = |index: usize, line: &str| {
        let sign = if index == 0 { ':' } else { '-' };
        format!("keys/id.pem{sign}{}{sign}{line}\n", index + 1)
    };
    let found: String = key().iter().enumerate().map(|(at, line)| numbered(at, line)).collect();
    for text in [boxed, found] {
        let shown = Redactor::default().redact(&text).text;
        assert_eq!(shown.lines().count(), 1, "{shown}");
        assert!(shown.contains("[REDACTED:private-key]"), "{shown}");
    }
}

#[test]
fn letters_by_their_numbers_and_colours_written_out_are_seen_through() {
    let calls = |name: &str, joint: &str| {
        let letters: Vec<String> = GITHUB.bytes().map(|byte| format!("{name}({byte})")).collect();
        letters.join(joint)
    };
    for text in [calls("chr", "."), calls("chr", " + "), calls("CHR", "||"), calls("Chr", " & ")] {
        only(&Redactor::default(), &format!("x = «{text}»\n"));
    }
    let (head, tail) = GITHUB.split_at(17);
    only(&Redactor::default(), &format!("out «{head}»^[[01;31m«{tail}» end\n"));
    only(&Redactor::default(), &format!("$ echo «{TURNED}» | rev\n"));
}

#[test]
fn the_padding_of_an_encoding_goes_with_it() {
    let encoded = "NM6WO2DQL5CE46DSNFWDGUTBOZDUINKNMZ3EUN2OKNRVK6LLKQ4EGOCVIIYFMTS2KBUQ====";
    only(&Redactor::default(), &format!("x: «{encoded}»\n"));
}

#[test]
fn trees_of_people_and_programs_of_ones_own_are_outside() {
    for text in [
        "<a href=\"«/home/li_wei/site/index.html»\">\n",
        "<a href=\"«/Users/ann/.local/share/x»\">\n",
        "cc -I«~ann/include/x» -c a.c\n",
        "ExecStart=«/opt/acme-billing/bin/run»\n",
        "     7→«/home/ann/x.rs»\n     8→«~/x»\n",
    ] {
        only(&in_workspace(), text);
    }
    for text in [
        "<a href=\"/home/about/team\">\n",
        "<link href=\"/home/assets/css/main.css\">\n",
        "<a href=\"/Users/ann\">\n",
        "/opt/homebrew/bin/python3\n",
        "/opt/python3/bin/pip\n",
        "/opt/acme\n",
    ] {
        only(&in_workspace(), text);
    }
}

#[test]
fn random_letters_of_a_settings_file_are_known_and_words_are_not() {
    let value = |value: &str| SecretValue {
        value: value.to_owned(),
        kind: Kind::Password,
        label: ".env".to_owned(),
    };
    let values = ["eggvzglwpqs", "storefront", "development"].map(value).to_vec();
    let redactor = Redactor::default()
        .with_context(RedactionContext { exact_secrets: values, ..Default::default() });
    only(&redactor, "a «eggvzglwpqs» of storefront in development\n");
}
