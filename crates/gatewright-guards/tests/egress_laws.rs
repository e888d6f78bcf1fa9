//! The laws of redaction: idempotent, complete, the same for every split, and reversible for edits.

use std::env;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use gatewright_guards::egress::{Frames, Framing, RedactedFile, Redactor, RestoreError, Stream};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A seed for this run, unless one is given. It is printed, so that a failure can be repeated.
fn seed() -> u64 {
    static SEED: LazyLock<u64> = LazyLock::new(|| {
        #[expect(clippy::disallowed_methods, reason = "a seed may be given back")]
        let given = env::var("GATEWRIGHT_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| RandomState::new().hash_one("seed"));
        println!("GATEWRIGHT_SEED={seed}");
        seed
    });
    *SEED
}

#[expect(clippy::disallowed_methods, reason = "tests take their size from the environment")]
fn cases(default: u32) -> ProptestConfig {
    let cases = env::var("GATEWRIGHT_CASES").ok().and_then(|count| count.parse().ok());
    ProptestConfig {
        cases: cases.unwrap_or(default),
        rng_seed: RngSeed::Fixed(seed()),
        max_global_rejects: u32::MAX,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Pieces that rules and detectors care about, and pieces that they do not.
fn piece() -> impl Strategy<Value = String> {
    let body = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN";
    prop_oneof![
        4 => "[ -~]{0,40}",
        2 => "[a-z]{1,8}",
        3 => Just("\n".to_owned()),
        1 => Just("\\n".to_owned()),
        1 => Just("é\u{200b}ф".to_owned()),
        1 => "ghp_[A-Za-z0-9]{36}",
        1 => "AKIA[A-Z2-7]{16}",
        1 => "xoxb-[0-9]{12}-[0-9]{12}-[A-Za-z0-9]{24}",
        1 => "postgres://[a-z]{3}:[A-Za-z0-9!]{8}@[a-z]{4}/db",
        1 => "password[=:] ?\"?[A-Za-z0-9!]{6,12}\"?",
        1 => "(api_key|secret|token)( = |: |=)[A-Za-z0-9]{20,32}",
        1 => "/home/[a-z]{3,6}/[a-z.]{1,8}",
        1 => "(C:\\\\Users\\\\|~/|file:///)[a-z]{3,6}",
        1 => Just("-----BEGIN PRIVATE KEY-----".to_owned()),
        1 => Just("-----END PRIVATE KEY-----".to_owned()),
        1 => Just(body.to_owned()),
        1 => Just("[REDACTED:api-key]".to_owned()),
        1 => Just("\x1b[31m".to_owned()),
        1 => Just("\" + \"".to_owned()),
        1 => "variable \"[a-z]{2}_(token|password)\" \\{\n",
        1 => " default = \"[A-Za-z0-9]{20}\"",
        1 => "\n[a-z]{2}_(token|secret),[A-Za-z0-9]{20},",
        1 => "\\{name: API_KEY, value: [A-Za-z0-9]{20}\\}",
        1 => "key[-_][0-9a-f]{14,34}",
        1 => "API_KEY=\"[A-Za-z0-9]{8}\" \\+\n\"[A-Za-z0-9]{12}\"",
        1 => "\"[a-z]{2}_(token|secret)\": \\{\n \"a\": true,\n \"value\": \"[A-Za-z0-9]{20}\"\n",
        1 => "\n[A-Za-z0-9+/_=-]{16,70}\n-----END PRIVATE KEY-----\n",
        1 => "xoxb-[0-9]{14}-[0-9]{4}",
        1 => "(AKIA[A-Z2-7]{9}\n[A-Z2-7]{7}|glpat-[A-Za-z0-9]{8}\n[A-Za-z0-9]{12})",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat())
}

fn streamed(redactor: &Redactor, bytes: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut stream = Stream::new(redactor);
    let mut output = Vec::new();
    let mut from = 0;
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.sort_unstable();
    for cut in cuts {
        output.extend(stream.push(&bytes[from..cut]).into_inner());
        from = cut;
    }
    output.extend(stream.push(&bytes[from..]).into_inner());
    output.extend(stream.finish().into_inner());
    output
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn redaction_is_idempotent_and_leaves_no_match(text in text()) {
        let redactor = Redactor::default();
        let once = redactor.redact(&text).text;
        let left = redactor.find(once.as_bytes());
        prop_assert!(left.is_empty(), "{:?} of {:?}", left, once);
    }

    #[test]
    fn any_split_gives_the_output_of_the_whole(text in text(), cuts in prop::collection::vec(any::<usize>(), 0..6)) {
        let redactor = Redactor::default();
        let whole = redactor.redact(&text).text;
        let output = streamed(&redactor, text.as_bytes(), &cuts);
        prop_assert_eq!(String::from_utf8_lossy(&output), whole);
    }

    #[test]
    fn a_stream_of_single_bytes_gives_the_output_of_the_whole(text in text()) {
        let redactor = Redactor::default();
        let whole = redactor.redact(&text).text;
        let cuts: Vec<usize> = (0..text.len()).collect();
        let output = streamed(&redactor, text.as_bytes(), &cuts);
        prop_assert_eq!(String::from_utf8_lossy(&output), whole);
    }

    #[test]
    fn bytes_of_any_kind_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let redactor = Redactor::default();
        let (whole, _) = redactor.redact_bytes(&bytes);
        prop_assert_eq!(streamed(&redactor, &bytes, &[bytes.len() / 2]), whole);
    }

    #[test]
    fn redacted_json_is_json_of_the_same_shape(text in text(), key in "k[a-z_]{1,10}") {
        let redactor = Redactor::default();
        let value = serde_json::json!({ "id": 1, key: [text.clone(), { "nested": text }] });
        let sealed = redactor.seal_json_text(&value.to_string());
        let parsed: serde_json::Value = serde_json::from_str(sealed.as_str()).unwrap();
        prop_assert_eq!(&parsed["id"], &value["id"]);
        prop_assert_eq!(parsed, redactor.redact_json(value).into_inner());
    }

    #[test]
    fn each_row_of_a_list_is_redacted_as_if_it_stood_alone(
        texts in prop::collection::vec("[a-z]{1,3}|[A-W][a-w]{3}[0-9]{4}!", 1..4),
        picks in prop::collection::vec((0..4_usize, 0..4_usize, 0..4_usize), 1..12),
    ) {
        const KEYS: [&str; 4] = ["kind", "password", "db_password", "note"];
        let redactor = Redactor::default();
        let text = |index: usize| texts[index % texts.len()].clone();
        let rows: Vec<serde_json::Value> = picks
            .iter()
            .map(|(key, one, two)| serde_json::json!({ KEYS[*key]: text(*one), "also": [text(*two)] }))
            .collect();
        let whole = redactor.redact_json(rows.clone().into());
        let alone: Vec<_> = rows.into_iter().map(|row| redactor.redact_json(row)).collect();
        let count: u64 = alone.iter().map(|row| row.counts().to_map().values().sum::<u64>()).sum();
        prop_assert_eq!(whole.counts().to_map().values().sum::<u64>(), count);
        let alone: Vec<_> = alone.into_iter().map(|row| row.into_inner()).collect();
        prop_assert_eq!(whole.into_inner(), serde_json::Value::Array(alone));
    }

    #[test]
    fn an_edit_beside_a_secret_keeps_it(before in "[a-z]{1,6}x", after in "[a-z]{1,6}", password in "[A-W][a-w]{3}[0-9]{4}!") {
        let file = format!("one = 1\n{before}_password = \"{password}\"\n{after} = 2\n");
        let shown = RedactedFile::new(&Redactor::default(), &file);
        prop_assert!(!shown.view().contains(&password));
        let old = format!("{before}_password = \"[REDACTED:password]\"\n{after} = 2");
        let new = format!("{before}_password = \"[REDACTED:password]\"\n{after} = 3");
        let restored = shown.restore(&old, &new).unwrap();
        prop_assert_eq!(&file[restored.range.clone()], &restored.old_string);
        let edited = file.replacen(&restored.old_string, &restored.new_string, 1);
        prop_assert_eq!(edited, format!("one = 1\n{before}_password = \"{password}\"\n{after} = 3\n"));
    }

    #[test]
    fn an_edit_of_any_part_of_the_view_never_loses_a_secret(text in text(), start in any::<usize>(), length in 1usize..60) {
        let shown = RedactedFile::new(&Redactor::default(), &text);
        let view = shown.view();
        let mut from = start % (view.len() + 1);
        while !view.is_char_boundary(from) { from -= 1; }
        let mut to = (from + length).min(view.len());
        while !view.is_char_boundary(to) { to -= 1; }
        prop_assume!(from < to);
        let old = &view[from..to];
        match shown.restore(old, old) {
            Ok(restored) => {
                prop_assert_eq!(&restored.old_string, &restored.new_string);
                prop_assert_eq!(&text[restored.range.clone()], &restored.old_string);
            }
            Err(RestoreError::Ambiguous { count }) => prop_assert!(count > 1),
            Err(RestoreError::CutPlaceholder { .. } | RestoreError::WhichOne { .. }) => {}
            Err(other) => prop_assert!(false, "{other}"),
        }
        prop_assert_eq!(shown.restore_whole(view).ok().unwrap_or_else(|| text.clone()), text);
    }
}

#[test]
fn moved_lines_take_their_own_secrets_along() {
    let file = "A_PASSWORD=Zebra7!x\nB_PASSWORD=Lemon8!y\n";
    let shown = RedactedFile::new(&Redactor::default(), file);
    let old = "A_PASSWORD=[REDACTED:password]\nB_PASSWORD=[REDACTED:password]\n";
    assert_eq!(shown.view(), old);
    let swapped = "B_PASSWORD=[REDACTED:password]\nA_PASSWORD=[REDACTED:password]\n";
    let restored = shown.restore(old, swapped).unwrap();
    assert_eq!(restored.new_string, "B_PASSWORD=Lemon8!y\nA_PASSWORD=Zebra7!x\n");
}

#[test]
fn a_placeholder_that_was_not_shown_is_refused() {
    let shown = RedactedFile::new(&Redactor::default(), "x = 1\nA_PASSWORD=Zebra7!x\n");
    let error = shown.restore("x = 1", "x = \"[REDACTED:api-key]\"").unwrap_err();
    assert!(matches!(error, RestoreError::Unmatched { .. }), "{error}");
    let error = shown.restore("PASSWORD=[REDACTED", "PASSWORD=").unwrap_err();
    assert!(matches!(error, RestoreError::CutPlaceholder { .. }), "{error}");
}

#[test]
fn a_stream_releases_lines_and_holds_back_little() {
    let mut stream = Stream::new(&Redactor::default());
    assert_eq!(stream.push(b"first line\nsecond").as_bytes(), b"first line\n");
    assert_eq!(stream.held_back(), 6);
    assert_eq!(stream.push(&vec![b'a'; 200_000]).as_bytes().len() + stream.held_back(), 200_006);
    assert!(stream.held_back() <= Stream::HOLD_BACK);
}

#[test]
fn a_line_that_is_shorter_once_its_path_is_hidden_is_no_key() {
    let redactor = Redactor::default();
    let near = format!("ghp_{}", "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    for lines in ["", "\n", "MIIEpAIBAAKCAQEA\n"] {
        let path = "/home/alice/a_b.c/d-e.f/g_h.i/j-k.l/m_n.o/p-q.r/s_t.u/v-w.x/y_z.txt";
        let text = format!("-----BEGIN PRIVATE KEY-----\n{lines}{path} {near}\n");
        let once = redactor.redact(&text).text;
        assert!(once.contains("[REDACTED:path]"), "{once}");
        assert_eq!(redactor.redact(&once).text, once);
    }
}

#[test]
fn lines_that_come_nearer_to_a_closing_marker_are_no_key() {
    let redactor = Redactor::default();
    let line = "xoxb-000000000000-000000000000-00AAaAA00a0aaaAaaaAaAaaaAKIA22AAAA2222A22AA2";
    for between in ["", "\n"] {
        let text = format!(
            "{line}\n{between}API_KEY=\"0Aa0Aaa0\" +\n\"a000A4bB1c2d\"{between}-----END PRIVATE KEY-----"
        );
        let once = redactor.redact(&text).text;
        assert_eq!(redactor.redact(&once).text, once);
    }
}

#[test]
fn a_line_that_is_as_long_as_a_key_line_once_its_start_is_hidden_is_no_key() {
    let redactor = Redactor::default();
    let body = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN";
    let line = "xoxb-000000000000-000000000000-aA0aAa0aaaaAA0a0AAAA0aa0AKIA2AAA2AA2AAA2A22A";
    let end = "-----END PRIVATE KEY-----";
    let once = redactor.redact(&format!("{body}{end}{line}\n\n{end}")).text;
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn a_token_over_two_lines_is_found_behind_a_line_that_may_go_on() {
    let redactor = Redactor::default();
    let text = "AKIA2AAAA2A33B375224/home/aaa/a\nAKIA2AA2A2AAB\n254B3BC";
    let once = redactor.redact(text).text;
    assert!(!once.contains("254B3BC"), "{once}");
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn what_comes_nearer_once_a_key_is_hidden_is_seen_as_before() {
    let redactor = Redactor::default();
    for text in [
        "api_key = AaAaAaA0AaA0A0AaaAAa~/aaaglpat-0A0aAaAA\naAAaaAaAAAaA-----END PRIVATE KEY-----API_KEY=\"AABAEAea\" +\n\"A0aDf0gaABaF\"",
        "xoxb-000000000100-000000000100-A0A0AaaA0BcdBAqghCeaA2Dfxoxb-000000000000-000000000000-aAAaaA00A00Aa0aaaAaa0A0aAKIAAAAAA2222\n2AA22AA default = \"AaA0a0AAag0AAAGAAACA\"\n-----END PRIVATE KEY-----",
        "ghp_aa0aa00000a0A0AaAaAa0a0aaAaaa0a0A0A0\nvariable \"aa_token\" {\n-----END PRIVATE KEY-----postgres://aaa:a!AA00!A@aaac/db\n",
    ] {
        let once = redactor.redact(text).text;
        assert_eq!(redactor.redact(&once).text, once);
        let output = streamed(&redactor, text.as_bytes(), &[]);
        assert_eq!(String::from_utf8_lossy(&output), once);
    }
}

#[test]
fn what_comes_to_light_bit_by_bit_is_hidden_at_once() {
    let redactor = Redactor::default();
    let text = "\npd_token,a00AA0AAa00BaC10b2DE,MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzNghp_a0aAaaA0A0AbA0aAAa00ABb0CD3c1d0eaA0a[REDACTED:api-key]";
    let once = redactor.redact(text).text;
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn a_token_over_two_lines_is_found_before_a_line_that_may_belong_to_it() {
    let redactor = Redactor::default();
    let text = "AKIAA2AAAA224\nSK335B2\npostgres://aaa:0aaaa0AA@aaaa/db\" + \"API_KEY=\"aAaA0A0a\" +\n\"0AAbBa2Cc10d\"";
    let once = redactor.redact(text).text;
    assert!(!once.contains("SK335B2"), "{once}");
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn a_line_is_looked_at_for_what_stands_on_it_alone() {
    let redactor = Redactor::default();
    let key = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN";
    for first in
        ["~\\/A", "token: 5 \"\\/home\\/alice\"", "API_KEY=\"aaAaAaaa\" +\n\"AABBCjDbbdec\""]
    {
        let text = format!("{first}\n{key}\n{first}postgres://aaa:a!A00aAa@aaag/db\n");
        let whole = redactor.redact(&text).text;
        for cut in 0..text.len() {
            let output = streamed(&redactor, text.as_bytes(), &[cut]);
            assert_eq!(String::from_utf8_lossy(&output), whole, "cut at {cut}");
        }
    }
}

#[test]
fn a_line_before_a_closing_marker_is_the_same_in_a_stream_and_in_the_whole() {
    let redactor = Redactor::default();
    let marker = "-----END PRIVATE KEY-----\n";
    for line in [
        "export SL\u{1}CK=xoxb-24816326418891-1726\n",
        "xoxb-24816326418891-1726\n",
        "token\n",
        "the token: AbCdEfGhIjKlMnOpQrSt\n",
        "AKIA2AA2A2AAB\n",
    ] {
        for text in [format!("{line}{marker}"), format!("{line}{line}{marker}{line}")] {
            let whole = redactor.redact(&text).text;
            for cut in 0..=text.len() {
                let output = streamed(&redactor, text.as_bytes(), &[cut]);
                assert_eq!(String::from_utf8_lossy(&output), whole, "{text:?} cut at {cut}");
            }
        }
    }
}

#[test]
fn a_line_that_comes_nearer_to_a_declaration_is_no_default_of_it() {
    let redactor = Redactor::default();
    let text = "variable \"aa_token\" {\nAPI_KEY=\"aaAaAaAa\" +\n\"aaBb0bc1C2Dc\" default = \"AAAaA00aAa0aAB1b3C2c\"";
    let once = redactor.redact(text).text;
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn each_part_of_a_secret_that_is_put_together_is_hidden_on_its_own_line() {
    let redactor = Redactor::default();
    let text = "API_KEY=\"Zk3vQ8xL\" +\n  \"m2Wp9RtY5uHs\"\nAKIAQ3EGW\nPLM7XKTZ2VD\n";
    let once = redactor.redact(text).text;
    let wanted = "API_KEY=\"[REDACTED:api-key]\" +\n  \"[REDACTED:api-key]\"\n[REDACTED:api-key]\n[REDACTED:api-key]\n";
    assert_eq!(once, wanted);
    assert_eq!(redactor.redact(&once).text, once);
    let shown = RedactedFile::new(&redactor, text);
    let edited = shown.view().replace("API_KEY", "OTHER_API_KEY");
    assert_eq!(shown.restore_whole(&edited).unwrap(), text.replace("API_KEY", "OTHER_API_KEY"));
}

/// The last part of a key that is cut over two lines has one letter, which stands elsewhere too.
#[test]
fn a_short_value_that_stands_elsewhere_keeps_its_placeholder() {
    let key = concat!("xoxb-248163264129-981363177408-aB3dE6gH", "9jK2mN5pQ8rT1vW");
    let text = format!("export SLACK={key}\n4-----BEGIN P0ub4dor&3\"\n");
    let shown = RedactedFile::new(&Redactor::default(), &text);
    assert_eq!(shown.view().matches("[REDACTED:").count(), 2, "{}", shown.view());
    assert_eq!(shown.restore_whole(shown.view()).unwrap(), text);
}

#[test]
fn a_cut_off_secret_is_hidden_when_time_is_up() {
    let mut stream = Stream::new(&Redactor::default());
    assert!(stream.push(b"key ghp_aB3dE6gH9jK2").as_bytes().is_empty());
    assert_eq!(stream.flush_suspicious().as_bytes(), b"key [REDACTED:api-key]");
    assert!(stream.push(b" plain words").as_bytes().is_empty());
    assert_eq!(stream.flush_suspicious().as_bytes(), b" plain words");
}

#[test]
fn time_up_hides_no_more_than_the_suspicious_part_and_what_goes_on_of_it() {
    let mut stream = Stream::new(&Redactor::default());
    assert!(stream.push(b"see https://host/a?token=ghp_aB3dE6gH9jK2").as_bytes().is_empty());
    assert_eq!(
        stream.flush_suspicious().as_bytes(),
        b"see https://host/a?token=[REDACTED:api-key]"
    );
    assert!(stream.push(b"mN5pQ8rT1vW4 and words").as_bytes().is_empty());
    assert_eq!(stream.flush_suspicious().as_bytes(), b" and words");
    assert!(stream.push(b"dsn postgres://app:S3cr").as_bytes().is_empty());
    assert_eq!(
        stream.flush_suspicious().as_bytes(),
        b"dsn postgres://app:[REDACTED:connection-string]"
    );
    let mut stream = Stream::new(&Redactor::default());
    assert!(stream.push(b"key: -----BEGIN RSA PRIVATE KEY-----\n").as_bytes().is_empty());
    assert_eq!(stream.flush_suspicious().as_bytes(), b"key: [REDACTED:private-key]");
    let line = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN\n";
    let mut output = stream.push(line.as_bytes()).into_inner();
    output.extend(stream.push(line.as_bytes()).into_inner());
    output.extend(stream.push(b"-----END RSA PRIVATE KEY-----\nafter\n").into_inner());
    output.extend(stream.finish().into_inner());
    assert_eq!(String::from_utf8_lossy(&output), "\nafter\n");
}

#[test]
fn a_key_block_of_any_length_is_hidden_whole() {
    let line = "MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN\n";
    let body = line.repeat(12_000);
    let text = format!(
        "before\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{body}-----END PGP PRIVATE KEY BLOCK-----\nafter\n"
    );
    let redactor = Redactor::default();
    let whole = redactor.redact(&text).text;
    assert_eq!(whole, "before\n[REDACTED:private-key]\nafter\n");
    for size in [1_000, 70_000, 300_000] {
        let mut stream = Stream::new(&redactor);
        let mut output = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            output.extend(stream.push(chunk).into_inner());
            assert!(stream.held_back() <= Stream::BLOCK_HOLD_BACK + size);
        }
        output.extend(stream.finish().into_inner());
        assert_eq!(String::from_utf8_lossy(&output), whole, "in chunks of {size}");
    }
}

#[test]
fn an_endless_key_block_leaks_nothing() {
    let mut stream = Stream::new(&Redactor::default());
    let mut output = stream.push(b"-----BEGIN PRIVATE KEY-----\n").into_inner();
    for _ in 0..40 {
        output.extend(
            stream
                .push(b"MIIEpAIBAAKCAQEA7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtP1lR6uE8oVxB3dGzN\n")
                .into_inner(),
        );
    }
    output.extend(stream.finish().into_inner());
    assert_eq!(String::from_utf8_lossy(&output), "[REDACTED:private-key]\n");
}

#[test]
fn framed_messages_stay_valid() {
    let redactor = Redactor::default();
    let mut frames = Frames::new(&redactor, Framing::JsonLines);
    let message =
        "{\"jsonrpc\":\"2.0\", \"result\":{\"text\":\"a\\npassword: \\\"Tr0ub4dor&3\\\"\\n\"}}\n";
    let (first, second) = message.split_at(30);
    let mut output = frames.push(first.as_bytes()).into_inner();
    output.extend(frames.push(second.as_bytes()).into_inner());
    let text = String::from_utf8(output).unwrap();
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(parsed["result"]["text"], "a\npassword: \"[REDACTED:password]\"\n");
    assert!(text.starts_with("{\"jsonrpc\":\"2.0\", "), "layout is kept: {text}");

    let mut events = Frames::new(&redactor, Framing::EventStream);
    let output =
        events.push(b"event: x\ndata: {\"password\":\"Tr0ub4dor&3\"}\n\n: ping\n").into_inner();
    assert_eq!(
        String::from_utf8_lossy(&output),
        "event: x\ndata: {\"password\":\"[REDACTED:password]\"}\n\n"
    );
}

#[test]
fn a_closing_marker_may_be_cut_anywhere() {
    let line = "p1lR6uE8oVxB3dGzN7bq2vX3n0y0Zq8aFh1Jc5m2s9w4KfYtPQwErTyUiOpAsDfGh";
    let text = format!("{line}\n{line}\nQwErTy\n-----END PRIVATE KEY-----\nafter\n");
    let redactor = Redactor::default();
    let whole = redactor.redact(&text).text;
    assert_eq!(whole, "[REDACTED:private-key]\nafter\n");
    for cut in 0..text.len() {
        let output = streamed(&redactor, text.as_bytes(), &[cut]);
        assert_eq!(String::from_utf8_lossy(&output), whole, "cut at {cut}");
    }
}

#[test]
fn what_comes_later_makes_no_key_of_what_was_none() {
    let line = "y3kw8qTcanEelTuQj4yzHp1jERhKnJUr694Io4BsI7xaxK3GgKhgNOwi6krl2tPy";
    let redactor = Redactor::default();
    for head in ["{\n", "some words\n", "Encryption: none\n"] {
        let text = format!("PuTTY-User-Key-File-2: ssh-rsa\n{head}Private-Lines: 1\n{line}\n");
        let whole = redactor.redact(&text).text;
        for cut in 0..text.len() {
            let output = streamed(&redactor, text.as_bytes(), &[cut]);
            assert_eq!(String::from_utf8_lossy(&output), whole, "cut at {cut}");
        }
    }
}

#[test]
fn a_value_that_comes_nearer_to_a_name_is_not_its_value() {
    let redactor = Redactor::default();
    let long = "3YyYpxUaMCC0aZrImwLMBgtPcJGqQJk3b8WEmbkhcnIF3pRLviyjwPMMtAuf0yiGfd5cea1807635c7b";
    for text in [
        format!("datadog mysql -p{long}{long}\nddc5dc0ba93ec444232383495a7021f4 x\n"),
        format!("twilio Authorization: {long}\n61d504d7fe887ca413b5a4c5bec6a238\n"),
        "curl -u \u{1b}[0mMuT9RpxUfEf4HPWkUzLFkvZd-----END PRIVATE KEY-----xoxb-GGVVFm".to_owned(),
    ] {
        let once = redactor.redact(&text).text;
        assert_eq!(redactor.redact(&once).text, once);
    }
}

#[test]
fn a_declaration_whose_word_is_hidden_takes_the_same_lines_with_it() {
    let redactor = Redactor::default();
    let text = "C:\\Users\\alRjz1uPBvariable \"db_token\" {\neDlDdBlOvTdtcu1O\n|\"value\": \"perivv-----END RSA PRIVATE KEY-----AGE-";
    let once = redactor.redact(text).text;
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn a_string_of_which_a_part_is_hidden_takes_the_same_lines_with_it() {
    let redactor = Redactor::default();
    for text in [
        "Token string = \"WacKH5r4aOYPB6h60tMFECt1Q8EfKbuiNJnUAuthorization: ikEIZ79WeyJhbGciOiJIUzI1NiJ9.mke7OTP077mruIYYpKGEd3PQXCJBCsnkiO0oisvtbK688084f9dec516549c9bee5f2datadog _pat\" & _\n    \"",
        "keyToken string = \"WIQGQvfqSf14qyd7MYelS22URgqmaL7pelW1HW3ZPeI8byRr+G/WH4IlIzPFnSltZo19Oz<b>value: \\/home\\/al\\/AjCqRj2PVRhYbKJCcYZoRJAuRBmOrdrGL0DSservice_accountyHuqO0lRaKTCKpaCjp4/ZQhLc9r3CJXetrfpBI/QHZfraVlMnazR17CEG8sopZE3KcraG2j7oDOVL/7NC:\\Users\\al\" +\n    9\t\"key-live_\\",
        "Token string = \"key\\u004126e6535d45a5d8e2Cookie: live_-----END RSA PRIVATE KEY-----C:\\Users\\allive_c2hwYXRfYTFiMmMz5ac7450706304694646f2f93\\\necho \"+ bPPZHTOS",
    ] {
        let once = redactor.redact(text).text;
        assert_eq!(redactor.redact(&once).text, once);
    }
}

#[test]
fn a_line_begins_as_a_text_does_whatever_stands_above_it() {
    let redactor = Redactor::default();
    let text = "NcXrX4hgzeig4HTzUTTwqN1RpDze1dPMrPIeLK8VbvhejzBEBHjZxxokKtxV\n\
        0YEE6yrMGZuAA53ZjS8Yl2qGrFywQ+vPBMLz+Sek+awssecret.70deaac8120b9421062twili--END PRIVATE KEY";
    let once = redactor.redact(text).text;
    assert_eq!(redactor.redact(&once).text, once);
}

#[test]
fn a_quote_that_was_hidden_lets_no_string_go_on_below() {
    let value = "kl1A7VSuxDdeWiwjN4IGufgvQKr8dTXgtz0D8SEsNZu23cLHcxsbHwhs0lKULTVq4NL";
    let lines = "f420e0e6398dc1b4abf9acba4e41912ea3d2d00b6a415599e27b1f187ff6d852f4e8";
    for text in [
        format!("\\/home\\/al\\/\" + \"password ,DB_PASSWORD,\" & _\n    \"{value}\n"),
        format!("#{lines}\"-----END PRIVATE KEY-----Authorization: i\" & _\n    \"{value}"),
    ] {
        let once = Redactor::default().redact(&text).text;
        assert_eq!(Redactor::default().redact(&once).text, once, "{text:?}");
    }
}
