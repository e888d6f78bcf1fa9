//! What goes on: keys under a disguise, values some lines below their names, pairs in a row.

use gatewright_guards::egress::{Redactor, Stream};

const MATERIAL: [&str; 3] = [
    "MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBCx4NxsIkY493IqQ2ma",
    "5nnBAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQ529EB8ZfqLnei7s",
    "RzO87ARAmO36zL3T8trqXnYcqlsy3wSBhduxTFBrYB2m2G62GQpNT3zIJh99g4B",
];

fn gone(text: &str, secret: &str) {
    let redacted = Redactor::default().redact(text).text;
    assert!(!redacted.contains(secret), "{secret:?} is left in {redacted:?}");
    let again = Redactor::default().redact(&redacted).text;
    assert_eq!(again, redacted);
    for step in [1, 7] {
        assert_eq!(streamed(text, step), redacted, "chunks of {step} of {text:?}");
    }
}

fn streamed(text: &str, step: usize) -> String {
    let redactor = Redactor::default();
    let mut stream = Stream::new(&redactor);
    let mut output = Vec::new();
    for chunk in text.as_bytes().chunks(step) {
        output.extend(stream.push(chunk).into_inner());
    }
    output.extend(stream.finish().into_inner());
    String::from_utf8_lossy(&output).into_owned()
}

fn unchanged(text: &str) {
    let redacted = Redactor::default().redact(text);
    assert_eq!(redacted.text, text, "{:?}", redacted.redactions);
}

/// A key each of whose lines was changed by `disguise`.
fn key(disguise: impl Fn(&str) -> String) -> String {
    let lines = MATERIAL.map(&disguise).join("\n");
    let (begin, end) =
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----", "-----END ENCRYPTED PRIVATE KEY-----");
    format!("a\n{}\n{lines}\n{}\nb\n", disguise(begin), disguise(end))
}

/// `line` with `mark` in its middle.
fn split(line: &str, mark: &str) -> String {
    let (first, second) = line.split_at(line.len() / 2);
    format!("{first}{mark}{second}")
}

#[test]
fn a_key_is_hidden_whole_whatever_stands_in_its_lines() {
    let disguised = [
        key(|line| split(line, "\u{200b}")),
        key(|line| split(line, "\x1b[1m") + "\x1b[0m"),
        key(|line| line.replace('6', "&#54;").replace('A', "&#x41;")),
        key(|line| line.replace('+', "\\u002b").replace('B', "\u{feff}B")),
    ];
    for text in disguised {
        for line in &MATERIAL[1..] {
            gone(&text, &line[4..12]);
            gone(&text, &line[line.len() - 9..]);
        }
        let redacted = Redactor::default().redact(&text).text;
        assert!(redacted.starts_with("a\n[REDACTED:private-key]"), "{redacted:?}");
        assert!(redacted.ends_with("b\n"), "{redacted:?}");
    }
}

#[test]
fn a_disguised_marker_of_a_public_key_opens_nothing() {
    unchanged("-----BEGIN PUB\x1b[1mLIC KEY-----\nshort\n-----END PUBLIC KEY-----\n");
    unchanged("-----BEGIN PRI\u{200b}VATE KEY-----\nis how such a file begins.\n");
}

#[test]
fn a_note_of_the_language_around_cuts_no_key_off() {
    let [first, _, last] = MATERIAL;
    for note in ["# … 4 more lines …", "// ... 12 lines omitted ...", " * [3 lines hidden]"] {
        let text = format!(
            "-----BEGIN PRIVATE KEY-----\n{first}\n{note}\n{last}\nFA==\n-----END PRIVATE KEY-----\n"
        );
        gone(&text, "FA==");
    }
}

#[test]
fn values_are_found_below_the_type_of_their_parameter() {
    for text in [
        "  StageApiToken:\n    Type: String\n    Default: @\n",
        "  StageApiToken:\n    Description: of the stage\n    Type: String\n    NoEcho: true\n    Default: @\n",
        "api-1  |   stagePassword:\napi-1  |     Type: String\napi-1  |     Default: @\n",
    ] {
        gone(&text.replace('@', "q7Tn2VxK9bLm4RzPw8YcD3fH"), "q7Tn2VxK9bLm4RzPw8YcD3fH");
    }
    unchanged("  StageApiToken:\n    Type: String\n    Default: none\n");
}

#[test]
fn an_element_below_its_key_is_found_behind_the_marks_of_both_lines() {
    for mark in ["api-1  | ", "7bcbf059 (Ann Lee 2026-01-02 10:00:00 +0100  3) ", "   12→"] {
        let text =
            format!("{mark}<key>STAGE_TOKEN</key>\n{mark}<string>q7Tn2VxK9bLm4RzPw8Yc</string>\n");
        gone(&text, "q7Tn2VxK9bLm4RzPw8Yc");
    }
}

#[test]
fn a_value_ends_where_the_sign_before_the_next_pair_stands() {
    for text in [
        "stage: prod; db_password: @; region: eu\n",
        "STAGE = prod | DB_PASSWORD = @ | REGION = eu\n",
        "session_secret: @, region: eu\n",
        "map[STAGE:prod DB_PASSWORD:@]\n",
        "{STAGE=prod, DB_PASSWORD=@}\n",
        "std::string dbPassword{\"@\"};\n",
        "[\"run\", \"--db-password\", \"@\"]\n",
        "    stage --db_password @ --now\n",
    ] {
        let redacted = Redactor::default().redact(&text.replace('@', "XH2loBisk1gb0qKSfD")).text;
        let [before, after] = text.split('@').collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(
            redacted.starts_with(before) && redacted.ends_with(&format!("]{after}")),
            "{redacted}"
        );
    }
    for text in [
        "let token = next2; let other = 3;\n",
        "key: value1, name: x\n",
        "usage: login [--token TOKEN] [--password PASSWORD] [--user USER]\n",
        "assert!(!is_token(\"AKIBFCFDKXRNIQQHED6S\"));\n",
    ] {
        unchanged(text);
    }
}

#[test]
fn an_ampersand_belongs_to_a_password_where_no_name_follows() {
    gone("SMTP_PASSWORD=Tr0ub4dor&7x\n", "&7x");
    gone("docker run -e SMTP_PASSWORD=Tr0ub4dor&7x -p 80:80 app\n", "&7x");
    let kept = Redactor::default().redact("SMTP_PASSWORD=Tr0ub4dor7x&user=ann\n").text;
    assert_eq!(kept, "SMTP_PASSWORD=[REDACTED:password]&user=ann\n");
    let kept = Redactor::default().redact("SMTP_PASSWORD=Tr0ub4dor7x && run\n").text;
    assert_eq!(kept, "SMTP_PASSWORD=[REDACTED:password] && run\n");
}

#[test]
fn an_address_goes_on_where_a_backslash_ends_its_line() {
    gone("DATABASE_URL=postgres://app:KAHc92EfPy03\\\n  @db.internal:5432/app\n", "KAHc92EfPy03");
    unchanged("see https://example.org/a:b\\\n  @decorator\n");
}

#[test]
fn a_token_is_put_together_behind_the_marks_of_lines_in_a_string() {
    for text in [
        r#"{"content": "> xkeysib-0294970cff2207de130e72552882a47b\n> 470f65de63c5a08b807699c51bc26139-krW6uEu\n> 8Tf3BfJiy"}"#,
        r##"{"content": "# LINEAR_API_KEY=lin_api_HkruGo4JytYOSsYzZcEapJ\n# 5JGmC18QI53oY2J6C7"}"##,
    ] {
        let last = if text.contains("5JGm") {
            "5JGmC18QI53oY2J6C7"
        } else {
            "470f65de63c5a08b807699c51bc26139"
        };
        gone(text, last);
    }
}

#[test]
fn homes_in_links_and_behind_an_angle_are_hidden() {
    gone("see <~grace/go/src/z.go>\n", "grace");
    for home in ["/cygdrive/c/Users/grace/x", "/export/home/grace/notes", "/Volumes/grace/site/a"] {
        gone(&format!("<a href=\"{home}\">x</a>\n"), "grace");
    }
    unchanged("<a href=\"/home/about\">x</a>\n");
}

#[test]
fn a_string_that_its_line_cuts_off_ends_there_whatever_stands_below() {
    let secret = "IMwZdqhk0SYdf5ZyWtW4wLDVfhYgiMRydEXm";
    for before in ["[\"--acme-token\", \"", "set acme_token \"", "    acmeToken \""] {
        for below in ["", "/home/al/notes.txt\n", "x\n"] {
            gone(&format!("{before}{secret}\n{below}"), secret);
        }
    }
}

#[test]
fn a_password_for_a_user_needs_no_line_below_it() {
    for below in ["", " | rev\n", "| a | b |\n"] {
        gone(
            &format!("SET PASSWORD FOR x = '7dTRyID1epjoRI83KkKn'\n{below}"),
            "7dTRyID1epjoRI83KkKn",
        );
        gone(
            &format!("ALTER PASSWORD FOR x = '7dTRyID1epjoRI83KkKn\n{below}"),
            "7dTRyID1epjoRI83KkKn",
        );
    }
}
