//! Classifies identifiers: does this name hold a password, a secret, or neither?

/// What a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameClass {
    /// A password: any value that is no placeholder counts.
    Password,
    /// A password that may have spaces.
    Passphrase,
    /// A key or token: the value must look random.
    Secret,
    /// A key of something: the value must look random beyond doubt.
    Key,
}

/// A list of words, with the lengths that those of each first letter have.
///
/// Most words of a name are in no list, which is seen without comparing them.
struct Words {
    words: &'static [&'static str],
    lengths: [u32; 256],
}

impl Words {
    const fn new(words: &'static [&'static str]) -> Words {
        let mut lengths = [0; 256];
        let mut index = 0;
        while index < words.len() {
            let word = words[index].as_bytes();
            lengths[word[0] as usize] |= 1 << word.len();
            index += 1;
        }
        Words { words, lengths }
    }

    fn contain(&self, word: &str) -> bool {
        let Some(first) = word.bytes().next() else { return false };
        let lengths = self.lengths[usize::from(first)];
        word.len() < 32 && lengths >> word.len() & 1 == 1 && self.words.contains(&word)
    }
}

/// Endings that leave the meaning of a name as it is.
static TRAILERS: Words = Words::new(&[
    "value",
    "val",
    "str",
    "string",
    "text",
    "plain",
    "plaintext",
    "raw",
    "prod",
    "production",
    "dev",
    "development",
    "staging",
    "stage",
    "test",
    "testing",
    "local",
    "default",
    "old",
    "new",
    "current",
    "primary",
    "secondary",
    "backup",
    "base64",
    "b64",
    "hex",
    "encoded",
    "admin",
    "root",
    "live",
    "sandbox",
    "enc",
    "data",
]);

/// Words that, standing before `key`, make it a secret one.
static KEY_OWNERS: Words = Words::new(&[
    "api",
    "access",
    "secret",
    "private",
    "priv",
    "auth",
    "authorization",
    "encryption",
    "encrypt",
    "encrypted",
    "decryption",
    "signing",
    "sign",
    "signature",
    "master",
    "account",
    "storage",
    "app",
    "application",
    "webhook",
    "service",
    "deploy",
    "ssh",
    "session",
    "cookie",
    "consumer",
    "shared",
    "subscription",
    "functions",
    "function",
    "admin",
    "ingest",
    "ingestion",
    "server",
    "hmac",
    "aes",
    "jwt",
    "crypto",
    "cipher",
    "rsa",
    "ecdsa",
    "ed25519",
    "wallet",
    "license",
    "integration",
    "write",
    "bot",
    "stripe",
    "openai",
    "host",
    "root",
    "preshared",
    "fernet",
]);

/// Words anywhere in a name that make it something else, a password too.
static HASHES: Words = Words::new(&["hash", "hashed", "fingerprint", "checksum"]);

/// Words anywhere in a name that make a key or token something else.
static DISQUALIFIERS: Words = Words::new(&[
    "change",
    "lifecycle",
    "websocket",
    "public",
    "pub",
    "next",
    "page",
    "continuation",
    "pagination",
    "partition",
    "foreign",
    "cache",
    "idempotency",
    "cancellation",
    "eos",
    "bos",
    "pad",
    "unk",
    "thumbprint",
    "example",
    "csrf",
    "publishable",
]);

/// Words that, standing before `key`, make it the key of a table and the like.
static TABLE_KEYS: Words = Words::new(&[
    "primary",
    "foreign",
    "sort",
    "object",
    "row",
    "s3",
    "file",
    "map",
    "dict",
    "index",
    "group",
    "unique",
    "lookup",
    "node",
    "item",
    "react",
    "dedup",
    "dedupe",
    "search",
    "locale",
    "i18n",
    "translation",
    "message",
    "msg",
    "event",
    "version",
    "registry",
    "rank",
    "tree",
    "merkle",
    "block",
    "column",
    "field",
    "json",
    "xml",
    "property",
    "config",
    "setting",
    "settings",
    "query",
    "route",
    "routing",
    "tag",
    "label",
    "menu",
    "hot",
    "short",
    "bucket",
    "blob",
    "asset",
    "commit",
    "content",
    "cas",
    "etag",
    "digest",
    "build",
    "artifact",
    "lock",
    "state",
    "image",
    "layer",
    "release",
    "site",
    "socket",
]);

/// What `name` promises, if anything.
pub fn classify(name: &[u8]) -> Option<NameClass> {
    let mut folded = [0; LONGEST];
    let mut words = [""; MOST_WORDS];
    let count = split(name, &mut folded, &mut words);
    let mut words = words.get(..count)?;
    let has_any = |list: &Words| words.iter().any(|word| list.contain(word));
    if words.ends_with(&["hash", "salt"]) {
        return Some(NameClass::Secret);
    }
    if has_any(&HASHES) {
        return None;
    }
    let is_other = has_any(&DISQUALIFIERS);
    while let [rest @ .., last] = words
        && !rest.is_empty()
        && is_trailer(last)
    {
        words = rest;
    }
    let last = *words.last()?;
    let before = words.len().checked_sub(2).and_then(|index| words.get(index)).copied();
    if let Some(class) = password_class(last, before) {
        return Some(class);
    }
    match is_other {
        true => None,
        false if is_secret(last, before, words) => Some(NameClass::Secret),
        false => is_some_key(last, before, words.len()).then_some(NameClass::Key),
    }
}

/// `MARQETA_KEY`: a key whose owner is nothing that tables have.
///
/// `AZURE_SEARCH_KEY` says whose it is.
fn is_some_key(last: &str, before: Option<&str>, count: usize) -> bool {
    let is_owned = |owner| owner == "search" && count > 2;
    matches!(last, "key" | "pat")
        && before
            .is_some_and(|owner| owner.len() > 1 && (!TABLE_KEYS.contain(owner) || is_owned(owner)))
}

fn is_trailer(word: &str) -> bool {
    TRAILERS.contain(word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

fn password_class(last: &str, before: Option<&str>) -> Option<NameClass> {
    if last.ends_with("passphrase") || (last == "phrase" && before == Some("pass")) {
        return Some(NameClass::Passphrase);
    }
    let is_password = matches!(
        last,
        "pass"
            | "pwd"
            | "psw"
            | "pswd"
            | "passw"
            | "pw"
            | "passcode"
            | "kennwort"
            | "senha"
            | "psk"
    ) || last.ends_with("password")
        || last.ends_with("passwd")
        || last.ends_with("passwort")
        || last.ends_with("pwd")
        || last.ends_with("userpass")
        || last == "sshpass"
        || last.ends_with("dbpass")
        || last.ends_with("passwords")
        || (last == "word" && before == Some("pass"))
        || (last == "passe" && before == Some("de"))
        || (last == "a" && before == Some("contrase"))
        || last == "contrasena"
        || (last == "auth" && before == Some("requirepass"))
        || last == "requirepass"
        || matches!(last, "authtok" | "dnpass" | "bindpw")
        || last == "masterauth";
    is_password.then_some(NameClass::Password)
}

fn is_secret(last: &str, before: Option<&str>, words: &[&str]) -> bool {
    const ENDINGS: [&str; 14] = [
        "secret",
        "token",
        "apikey",
        "accesskey",
        "secretkey",
        "privatekey",
        "authkey",
        "appkey",
        "signingkey",
        "encryptionkey",
        "masterkey",
        "accountkey",
        "sharedkey",
        "writekey",
    ];
    if ENDINGS.iter().any(|ending| last.ends_with(ending)) {
        return true;
    }
    match last {
        "key" | "keys" => before.is_some_and(|owner| {
            KEY_OWNERS.contain(owner) || owner.ends_with("api") || owner.ends_with("secret")
        }),
        "base" => words.contains(&"secret"),
        "salt" => before.is_some_and(|owner| matches!(owner, "auth" | "in" | "nonce")),
        "tokens" | "secrets" | "credential" | "credentials" | "creds" | "bearer" | "jwt"
        | "authorization" | "authtoken" => true,
        "auth" => true,
        "pepper" => words.len() > 1,
        // The sid of an account or of a message names it and opens nothing.
        "sid" => before.is_some_and(|owner| matches!(owner, "session" | "connect" | "login")),
        _ => false,
    }
}

/// The longest name that is looked at, and the most words in it.
const LONGEST: usize = 160;
const MOST_WORDS: usize = 24;

/// The words of an identifier, in lower case: `dbPassword`, `DB_PASSWORD` and `db.password` agree.
///
/// Of a name with too many words the last ones are given.
fn split<'a>(
    name: &[u8],
    folded: &'a mut [u8; LONGEST],
    words: &mut [&'a str; MOST_WORDS],
) -> usize {
    let name = &name[name.len().saturating_sub(LONGEST)..];
    for (folded, byte) in folded.iter_mut().zip(name) {
        *folded = byte.to_ascii_lowercase();
    }
    let folded: &'a [u8] = folded;
    let (mut count, mut start) = (0, 0);
    let mut last = Sort::Other;
    for index in 0..=name.len() {
        if let Some(byte) = name.get(index) {
            let sort = SORTS[usize::from(*byte)];
            let next = name.get(index + 1).map_or(Sort::Other, |next| SORTS[usize::from(*next)]);
            let begins = sort.begins_word(last, next);
            last = sort;
            if !begins {
                continue;
            }
        }
        let word = folded[start..index].trim_ascii_start();
        let skipped = word.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
        if skipped < word.len() {
            if count == MOST_WORDS {
                words.rotate_left(1);
                count -= 1;
            }
            words[count] = std::str::from_utf8(&word[skipped..]).unwrap_or_default();
            count += 1;
        }
        start = index;
    }
    count
}

/// What a byte is to the words of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Other,
    Lower,
    Upper,
    Digit,
}

/// Asked of every byte of every name, so found out before.
static SORTS: [Sort; 256] = sorts();

const fn sorts() -> [Sort; 256] {
    let mut table = [Sort::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' => Sort::Lower,
            b'A'..=b'Z' => Sort::Upper,
            b'0'..=b'9' => Sort::Digit,
            _ => Sort::Other,
        };
        byte += 1;
    }
    table
}

impl Sort {
    /// True when a word ends before a byte of this sort between two others.
    #[inline]
    fn begins_word(self, last: Sort, next: Sort) -> bool {
        match self {
            Sort::Other => true,
            Sort::Upper => match last {
                Sort::Lower | Sort::Digit => true,
                Sort::Upper => next == Sort::Lower,
                Sort::Other => false,
            },
            Sort::Lower | Sort::Digit => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_passwords_are_known_in_every_case() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "spring.datasource.password",
            "SMTP_PASS",
            "eos_password",
        ] {
            assert_eq!(classify(name.as_bytes()), Some(NameClass::Password), "{name}");
        }
    }

    #[test]
    fn names_of_secrets_are_known() {
        for name in
            ["api_key", "apiKey", "X-Api-Key", "client_secret", "SECRET_KEY_BASE", "authToken"]
        {
            assert_eq!(classify(name.as_bytes()), Some(NameClass::Secret), "{name}");
        }
    }

    #[test]
    fn names_that_only_mention_a_secret_are_not() {
        for name in [
            "password_hash",
            "token_type",
            "secret_name",
            "public_key",
            "primary_key",
            "next_token",
            "passwordLength",
            "key",
            "cacheKey",
            "RECAPTCHA_SITE_KEY",
            "s3_key",
            "monkey",
            "keyboard",
            "tokenizer",
            "compass",
            "hashed_password",
            "Sec-WebSocket-Key",
        ] {
            assert_eq!(classify(name.as_bytes()), None, "{name}");
        }
    }
}
