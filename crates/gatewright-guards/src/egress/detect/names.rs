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
}

/// Endings that leave the meaning of a name as it is.
const TRAILERS: [&str; 34] = [
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
];

/// Words that, standing before `key`, make it a secret one.
const KEY_OWNERS: [&str; 52] = [
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
];

/// Words anywhere in a name that make it something else.
const DISQUALIFIERS: [&str; 22] = [
    "public",
    "pub",
    "hash",
    "hashed",
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
    "fingerprint",
    "thumbprint",
    "checksum",
    "example",
    "csrf",
];

/// What `name` promises, if anything.
pub fn classify(name: &[u8]) -> Option<NameClass> {
    let mut words = words(name);
    if words.iter().any(|word| DISQUALIFIERS.contains(&word.as_str())) {
        return None;
    }
    while words.len() > 1 && words.last().is_some_and(|word| is_trailer(word)) {
        words.pop();
    }
    let last = words.last()?.as_str();
    let before = words.len().checked_sub(2).and_then(|index| words.get(index)).map(String::as_str);
    password_class(last, before)
        .or_else(|| is_secret(last, before, &words).then_some(NameClass::Secret))
}

fn is_trailer(word: &str) -> bool {
    TRAILERS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit())
}

fn password_class(last: &str, before: Option<&str>) -> Option<NameClass> {
    if last.ends_with("passphrase") || (last == "phrase" && before == Some("pass")) {
        return Some(NameClass::Passphrase);
    }
    let is_password = matches!(
        last,
        "pass" | "pwd" | "psw" | "pswd" | "passw" | "pw" | "passcode" | "kennwort" | "senha"
    ) || last.ends_with("password")
        || last.ends_with("passwd")
        || last.ends_with("passwort")
        || last.ends_with("pwd")
        || last.ends_with("userpass")
        || last.ends_with("dbpass")
        || last.ends_with("passwords")
        || (last == "word" && before == Some("pass"))
        || (last == "auth" && before == Some("requirepass"))
        || last == "requirepass"
        || last == "masterauth";
    is_password.then_some(NameClass::Password)
}

fn is_secret(last: &str, before: Option<&str>, words: &[String]) -> bool {
    const ENDINGS: [&str; 13] = [
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
    ];
    if ENDINGS.iter().any(|ending| last.ends_with(ending)) {
        return true;
    }
    match last {
        "key" | "keys" => before.is_some_and(|owner| {
            KEY_OWNERS.contains(&owner) || owner.ends_with("api") || owner.ends_with("secret")
        }),
        "base" => words.iter().any(|word| word == "secret"),
        "tokens" | "secrets" | "credential" | "credentials" | "creds" | "bearer" | "jwt"
        | "psk" | "authorization" | "authtoken" => true,
        "auth" | "sid" => before.is_some() || last == "auth",
        _ => false,
    }
}

/// The words of an identifier, in lower case: `dbPassword`, `DB_PASSWORD` and `db.password` agree.
fn words(name: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut last = 0u8;
    for (index, &byte) in name.iter().enumerate() {
        let next = name.get(index + 1).copied().unwrap_or_default();
        let starts_word = byte.is_ascii_uppercase()
            && (last.is_ascii_lowercase()
                || last.is_ascii_digit()
                || (last.is_ascii_uppercase() && next.is_ascii_lowercase()));
        if (starts_word || !byte.is_ascii_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if byte.is_ascii_alphanumeric() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
        last = byte;
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_passwords_are_known_in_every_case() {
        for name in
            ["password", "DB_PASSWORD", "dbPassword", "spring.datasource.password", "SMTP_PASS"]
        {
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
            "monkey",
            "keyboard",
            "tokenizer",
            "compass",
        ] {
            assert_eq!(classify(name.as_bytes()), None, "{name}");
        }
    }
}
