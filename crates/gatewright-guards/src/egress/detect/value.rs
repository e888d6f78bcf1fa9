//! Judges values: is it a placeholder, does it read like words, does it look random?

use std::sync::LazyLock;

use memchr::memmem;

use super::text::{Words, is_base64_byte};
use crate::egress::catalogue::{dummy_reason, entropy, is_wordy};

/// Words that stand where a secret would, and are none.
const PLAIN_WORDS: [&str; 92] = [
    "null",
    "none",
    "nil",
    "true",
    "false",
    "undefined",
    "string",
    "str",
    "text",
    "password",
    "passwd",
    "pass",
    "pwd",
    "passphrase",
    "secret",
    "token",
    "key",
    "apikey",
    "api_key",
    "api-key",
    "changeme",
    "change-me",
    "change_me",
    "changeit",
    "change_it",
    "example",
    "sample",
    "dummy",
    "test",
    "testing",
    "foo",
    "bar",
    "baz",
    "foobar",
    "default",
    "required",
    "optional",
    "yes",
    "no",
    "on",
    "off",
    "any",
    "empty",
    "blank",
    "hidden",
    "masked",
    "redacted",
    "todo",
    "fixme",
    "tbd",
    "n/a",
    "unknown",
    "unset",
    "varchar",
    "bytes",
    "int",
    "integer",
    "number",
    "bool",
    "boolean",
    "object",
    "value",
    "username",
    "user",
    "login",
    "credentials",
    "basic",
    "bearer",
    "digest",
    "oauth",
    "oauth2",
    "jwt",
    "plain",
    "plaintext",
    "disabled",
    "enabled",
    "invalid",
    "missing",
    "expired",
    "forbidden",
    "denied",
    "prompt",
    "env",
    "file",
    "inherit",
    "keychain",
    "manual",
    "auto",
    "self",
    "this",
    "await",
    "async",
];

/// Beginnings of expressions that read a secret from elsewhere.
const REFERENCES: [&str; 48] = [
    "@env:",
    "@keychain:",
    "process.env",
    "os.environ",
    "os.getenv",
    "getenv",
    "env(",
    "env.",
    "env[",
    "env:",
    "env/",
    "system.getenv",
    "std::env",
    "import.meta",
    "config.",
    "config(",
    "config[",
    "cfg.",
    "settings.",
    "secrets.",
    "secret.",
    "var.",
    "local.",
    "data.",
    "module.",
    "self.",
    "this.",
    "vault:",
    "vault(",
    "vault://",
    "ref+",
    "arn:",
    "ssm:",
    "ssm/",
    "op://",
    "sops:",
    "enc[",
    "!vault",
    "!ref",
    "!sub",
    "@microsoft.keyvault",
    "projects/",
    "awssecret:",
    "keyring:",
    "file:",
    "secretsmanager:",
    "gsm:",
    "params.",
];

/// Parts that say that a value is no secret.
const SAYINGS: [&str; 22] = [
    "example",
    "placeholder",
    "changeme",
    "change_me",
    "change-me",
    "dummy",
    "redacted",
    "your_",
    "your-",
    "yourpass",
    "yourkey",
    "yourtoken",
    "yoursecret",
    "yourapi",
    "-here",
    "_here",
    "replace",
    "insert_",
    "insert-",
    "xxxx",
    "****",
    "<secret",
];

/// True when `value` stands for a secret without being one.
pub fn is_placeholder(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    if value.is_empty() || value.len() > 4096 {
        return value.is_empty();
    }
    let folded = value.to_ascii_lowercase();
    is_masked(&folded) || is_interpolated(value) || is_reference(&folded) || says_so(&folded)
}

/// Only masking characters, or a mask or an ellipsis at one end.
fn is_masked(value: &[u8]) -> bool {
    let masks = b"*x.-_#?!0/\\+= ";
    value.iter().all(|byte| masks.contains(byte))
        || value.starts_with(b"...")
        || value.ends_with(b"...")
        || !value.is_ascii() && (has(value, "…") || has(value, "•"))
        || value.contains(&b'[') && has(value, "[redacted")
}

fn has(value: &[u8], part: &str) -> bool {
    memmem::find(value, part.as_bytes()).is_some()
}

fn is_interpolated(value: &[u8]) -> bool {
    let closes = |open: &[u8], close: &[u8]| {
        memmem::find(value, open).is_some_and(|at| {
            memmem::find(&value[at + open.len()..], close).is_some_and(|length| length > 0)
        })
    };
    let wrapped = |open: u8, close: u8| {
        value.len() > 2 && value[0] == open && value[value.len() - 1] == close
    };
    let may_close = value.iter().any(|byte| matches!(byte, b'{' | b'(' | b'%' | b'['));
    may_close
        && (closes(b"${", b"}")
            || closes(b"$(", b")")
            || closes(b"{{", b"}}")
            || closes(b"#{", b"}")
            || closes(b"<%", b"%>")
            || closes(b"%(", b")s")
            || closes(b"$[[", b"]]"))
        || wrapped(b'<', b'>')
        || wrapped(b'{', b'}')
        || wrapped(b'[', b']')
        || (wrapped(b'%', b'%') && is_name(&value[1..value.len() - 1]))
        || (wrapped(b'@', b'@') && is_name(&value[1..value.len() - 1]))
        || (value.len() > 4 && value.starts_with(b"__") && value.ends_with(b"__"))
        || (value[0] == b'$' && (is_name(&value[1..]) || is_below_variable(&value[1..])))
        || (value[0] == b'@' && value.len() > 3 && is_constant(&value[1..]))
        || matches!(
            value,
            b"%s" | b"%v" | b"%d" | b"%q" | b"{}" | b"?" | b":password" | b"$1" | b"$2"
        )
}

/// `HOME/x`, behind a sign: a path that begins with a variable of a shell.
fn is_below_variable(value: &[u8]) -> bool {
    let end = memchr::memchr2(b'/', b'\\', value).filter(|end| *end > 2);
    end.is_some_and(|end| is_constant(&value[..end]))
}

/// `DB_PASSWORD`.
fn is_constant(value: &[u8]) -> bool {
    is_name(value) && !value.iter().any(u8::is_ascii_lowercase)
}

fn is_reference(folded: &[u8]) -> bool {
    let first = folded[0];
    REFERENCES
        .iter()
        .filter(|start| start.as_bytes()[0] == first)
        .any(|start| folded.starts_with(start.as_bytes()))
}

fn says_so(folded: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(folded) else { return false };
    // A prompt or label ends in punctuation.
    let text = text.trim_end_matches([':', '?', ' ']);
    let bare = text.trim_matches('_');
    static PARTS: LazyLock<Words> = LazyLock::new(|| Words::new(&SAYINGS));
    PLAIN_WORDS.contains(&text)
        || PLAIN_WORDS.contains(&bare)
        || text.contains("='%s'")
        || PARTS.stand_in(text.as_bytes())
        || text.starts_with("my_")
        || text.starts_with("my-")
        || text.starts_with("mypass")
        || text.starts_with("mysecret")
        || text.starts_with("some-")
        || text.starts_with("some_")
}

/// True for an identifier.
pub fn is_name(value: &[u8]) -> bool {
    let starts = value.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    starts && value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// True when a value beside a secret name is random enough to be the secret.
pub fn looks_random(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if value.len() < 8 || letters == 0 || dummy_reason(value).is_some() || is_wordy(value) {
        return false;
    }
    let bits = entropy(value);
    match value.len() {
        8..=11 => digits >= 2 && bits >= 2.7,
        12..=15 => digits >= 1 && bits >= 2.9,
        _ => bits >= 2.9 && (digits >= 1 || case_changes(value) * 5 >= value.len()),
    }
}

/// `abcd efgh ijkl mnop`: four letters four times, and no words, as a mail provider gives them.
pub fn is_app_password(bytes: &[u8]) -> bool {
    const GROUP: usize = 4;
    if bytes.len() == 4 * GROUP && bytes.iter().all(u8::is_ascii_lowercase) {
        let is_vowel = |byte: &u8| b"aeiouy".contains(byte);
        return !is_wordy(bytes) && bytes.split(is_vowel).any(|run| run.len() >= GROUP);
    }
    let is_group = |part: &[u8]| part.len() == GROUP && part.iter().all(u8::is_ascii_lowercase);
    let is_vowel = |byte: &u8| b"aeiouy".contains(byte);
    let is_odd = |part: &[u8]| part.split(is_vowel).any(|run| run.len() >= 3);
    let mut groups = bytes.split(|byte| *byte == b' ');
    bytes.len() == 4 * GROUP + 3 && groups.clone().all(is_group) && groups.any(is_odd)
}

/// `DB_PASSWORD=supersecret`: a shell has no other way to write a string.
pub fn is_environment_name(name: &[u8]) -> bool {
    name.iter().all(|byte| !byte.is_ascii_lowercase())
}

/// True for the identifier of a key that others may know, and for what only a cluster can open.
pub fn is_public(name: &[u8], bytes: &[u8]) -> bool {
    const SEALED: usize = 300;
    let is_identifier = name.to_ascii_lowercase().ends_with(b"signingkey")
        && !is_environment_name(name)
        && matches!(bytes.len(), 8 | 16 | 40)
        && bytes.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F'));
    let is_sealed = bytes.len() >= SEALED
        && matches!(bytes, [b'A', b'g', b'A'..=b'D', ..])
        && bytes.iter().all(|byte| is_base64_byte(*byte) || *byte == b'=');
    // The key with which a release was signed is called by its fingerprint.
    let is_fingerprint = name.to_ascii_lowercase().ends_with(b"gpg_key")
        && bytes.len() == 40
        && bytes.iter().all(u8::is_ascii_hexdigit);
    // Parsers keep their tables so.
    let is_table = name == b"tokenData";
    // Of what a presigned address says about its signer only the key has an owner.
    let folded = name.to_ascii_lowercase();
    let is_scope = folded.ends_with(b"amz-credential") || folded.ends_with(b"goog-credential");
    is_identifier || is_sealed || is_fingerprint || is_table || is_scope
}

fn case_changes(value: &[u8]) -> usize {
    value
        .windows(2)
        .filter(|pair| {
            pair[0].is_ascii_alphabetic()
                && pair[1].is_ascii_alphabetic()
                && pair[0].is_ascii_uppercase() != pair[1].is_ascii_uppercase()
        })
        .count()
}

/// True when `value` has the form of something that is no secret whatever its name.
pub fn is_harmless_shape(value: &[u8]) -> bool {
    is_locator(value)
        || is_file_name(value)
        || is_date_or_version(value)
        || is_hex_number(value)
        || is_entry_point(value)
        || is_action(value)
        || memchr::memmem::find(value, b"/%s").is_some()
}

/// `account#lost_password`: which method of which class answers an address.
fn is_action(value: &[u8]) -> bool {
    let Some(hash) = memchr::memchr(b'#', value) else { return false };
    let is_part = |part: &[u8]| {
        part.len() >= 2
            && part.iter().all(|byte| byte.is_ascii_lowercase() || b"_/".contains(byte))
            && is_wordy(part)
    };
    is_part(&value[..hash]) && is_part(&value[hash + 1..])
}

/// `package.module:ClassName`: where a program finds its code.
fn is_entry_point(value: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', value) else { return false };
    let (module, object) = (&value[..colon], &value[colon + 1..]);
    let is_module =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.".contains(byte);
    module.contains(&b'.')
        && module.iter().all(is_module)
        && object.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && is_wordy(module)
        && is_wordy(object)
}

/// `0x08000000`: no longer than a number of a language is.
fn is_hex_number(value: &[u8]) -> bool {
    const LONGEST: usize = 18;
    let digits = value.strip_prefix(b"0x").or_else(|| value.strip_prefix(b"0X"));
    value.len() <= LONGEST
        && digits.is_some_and(|digits| digits.iter().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_locator(value: &[u8]) -> bool {
    value.starts_with(b"http://")
        || value.starts_with(b"https://")
        || value.starts_with(b"./")
        || value.starts_with(b"../")
        || value.starts_with(b"/") && (!is_long_base64(value) || begins_with_folder(value))
        || matches!(value, [b'A'..=b'Z' | b'a'..=b'z', b':', b'\\' | b'/', ..])
        || value.starts_with(b"~/")
        || value.starts_with(b"urn:")
        || value.starts_with(b"sha256:")
        || value.starts_with(b"data:")
}

/// `/run/user/…`: two names in small letters, which base64 does not begin with by chance.
fn begins_with_folder(value: &[u8]) -> bool {
    let mut parts = value[1..].split(|byte| *byte == b'/').take(2);
    let is_name = |part: &[u8]| part.len() >= 3 && part.iter().all(u8::is_ascii_lowercase);
    parts.next().is_some_and(is_name) && parts.next().is_some_and(is_name)
}

/// Something in base64 that happens to begin with a slash: one part of it is longer than names are.
fn is_long_base64(value: &[u8]) -> bool {
    const PART: usize = 20;
    let is_digit = |byte: &u8| is_base64_byte(*byte) || *byte == b'=';
    value.iter().all(is_digit)
        && value.iter().filter(|byte| byte.is_ascii_digit()).count() >= 4
        && value.split(|byte| *byte == b'/').any(|part| part.len() >= PART && !is_wordy(part))
}

fn is_file_name(value: &[u8]) -> bool {
    const ENDINGS: [&[u8]; 22] = [
        b".json", b".pem", b".key", b".txt", b".yaml", b".yml", b".toml", b".js", b".ts", b".py",
        b".go", b".rs", b".md", b".html", b".env", b".crt", b".cfg", b".conf", b".xml", b".java",
        b".com", b".svg",
    ];
    ENDINGS.iter().any(|ending| value.ends_with(ending))
}

fn is_date_or_version(value: &[u8]) -> bool {
    // `^1.2.0` and `~1.2.0`: what versions will do.
    let value = value.strip_prefix(b"^").or_else(|| value.strip_prefix(b"~")).unwrap_or(value);
    value.iter().all(|byte| {
        byte.is_ascii_digit()
            || matches!(byte, b'.' | b'-' | b':' | b'/' | b'T' | b'Z' | b'v' | b' ')
    })
}

/// True for the canonical form of a UUID.
pub fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A regular expression, which tokens of a grammar have.
pub fn is_pattern(bytes: &[u8]) -> bool {
    let has_sign = bytes.iter().any(|byte| matches!(byte, b'[' | b'\\' | b'('));
    has_sign
        && [b"[0-9".as_slice(), b"[1-9", b"[a-z", b"[A-Z", b"\\d", b"\\w", b"(?:"]
            .iter()
            .any(|sign| memchr::memmem::find(bytes, sign).is_some())
}

/// A plain token but for asterisks or for one sign that no key has: somebody made
/// a part of it unreadable.
pub fn is_partly_masked(bytes: &[u8]) -> bool {
    const LONG: usize = 20;
    const GENERATED: usize = 40;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.+/=:~|".contains(byte);
    let mut odd = bytes.iter().enumerate().filter(|(_, byte)| !is_plain(byte));
    let Some((at, first)) = odd.next() else { return false };
    match odd.next() {
        None if b"!#^?@$&".contains(first) => {
            // Frameworks give longer keys, in which such signs stand.
            let is_own = bytes.starts_with(b"eyJ") || has_beginning(bytes);
            let is_key = bytes.len() >= GENERATED && !is_own;
            bytes.len() >= LONG && at > 1 && at + 2 < bytes.len() && !is_key
        }
        None => *first == b'*' && at > 0,
        Some((_, second)) => {
            *first == b'*' && *second == b'*' && odd.all(|(_, byte)| *byte == b'*')
        }
    }
}

/// `ghp_…`, `AKIA…`: letters before the rest, as keys have them that are known by their beginning.
fn has_beginning(bytes: &[u8]) -> bool {
    const REACH: usize = 12;
    let head = &bytes[..bytes.len().min(REACH)];
    let letters = head.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let capitals = head.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    letters >= 2 && matches!(head.get(letters), Some(b'_' | b'-' | b'.')) || capitals >= 4
}
