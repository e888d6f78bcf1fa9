//! Values that stand beside their names without a sign of assignment, and keys of one value.

mod egress_support;

use egress_support::only;
use gatewright_guards::egress::Redactor;

const TOKEN: &str = "q7Zx2mPv9LbT4sKd8RfW3nYc";
/// As long as the secrets of symmetric keys are.
const SECRET: &str = "nkIDpX1pLNfVaSD3CvnxQsJRIwgJMzy9qARFYFZ0RrW";

fn all(forms: &[&str], value: &str) {
    for form in forms {
        only(&Redactor::default(), &form.replace('@', value));
    }
}

#[test]
fn a_value_beside_its_name_is_hidden() {
    all(
        &[
            "  ACME_TOKEN   →   «@»\n",
            "acme_token    «@»\n",
            "acme_token «@»\n",
            "  acmeToken:: '«@»',\n",
            "UPDATE settings SET value='«@»' WHERE name='ACME_TOKEN';\n",
            "{\"value\":\"«@»\",\"name\":\"ACME_TOKEN\"}\n",
            "buildConfigField \"String\", \"ACME_TOKEN\", \"\\\"«@»\\\"\"\n",
            "CREATE LOGIN u WITH PASSWORD = N'«@»';\n",
        ],
        TOKEN,
    );
}

#[test]
fn words_beside_a_name_stay() {
    for text in [
        "api_token    documentation2\n",
        "ACME_TOKEN → see the manual\n",
        "let a = acme::token::parse(\"q7Zx2mPv9LbT4sKd8RfW3nYc\");\n",
        "{\"label\":\"q7Zx2mPv9LbT4sKd8RfW3nYc\",\"name\":\"ACME_TOKEN\"}\n",
        "gcloud run deploy web --set-secrets=DB_PASSWORD=db-pass:latest\n",
        "password: \"verysecretstring\"\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn letters_and_few_digits_are_told_from_words() {
    for text in [
        "ACME_API_KEY=«rlqwJyLLICaclKXl6hHnsHEAyI8ntFO1»\n",
        "$ENV{ACME_API_TOKEN} = \"«NVwiNf0errWryXedX0zLoe»\";\n",
        "mail_app_password = '«ybbgtkrbvfkbgqhc»'\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn keys_of_the_web_are_hidden_in_every_notation() {
    all(
        &[
            "{\n  \"kty\": \"oct\",\n  \"k\": \"«@»\",\n  \"alg\": \"HS256\"\n}\n",
            "{\"out\": \"{\\\"kty\\\": \\\"oct\\\", \\\"k\\\": \\\"«@»\\\"}\"}\n",
            "jwk = {'kty': 'oct', 'k': '«@»'}\n",
            "const jwk = {kty: 'oct', k: '«@»'};\n",
            "jwk:\n  kty: oct\n  k: «@»\n",
            "jwk:\n  crv: Ed25519\n  d: «@»\n  kty: OKP\n",
        ],
        SECRET,
    );
    for text in ["  k: value\n", "\"k\": \"a short name\"\n", "  d: 2026-01-01\n"] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn other_containers_of_keys_are_hidden() {
    let lines = vec!["44bc09edf6ab501784479566dc277bc3"; 16].join("\n");
    let marker = "OpenVPN Static key V1";
    let text = format!("# key\n-----BEGIN {marker}-----\n{lines}\n-----END {marker}-----\n");
    let redacted = Redactor::default().redact(&text).text;
    assert!(!redacted.contains("44bc09"), "{redacted}");
    let material = "xQI7rRLLHYdzg1tIu+PWM7nV6VLWsYzl6SknOfxPXw3V8cm6PefHw+ir0PFi19ZB1mLWzT";
    let text = format!("{material}\n{material}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n");
    let redacted = Redactor::default().redact(&text).text;
    assert!(!redacted.contains("xQI7"), "{redacted}");
}

#[test]
fn programs_that_take_a_password_as_a_word_are_known() {
    all(
        &[
            "mysqladmin -u root password «@»\n",
            "rabbitmqctl change_password ann «@»\n",
            "ncftpget -u ann -p «@» h . /f\n",
            "new SqlCredential(\"ann\", \"«@»\")\n",
        ],
        "xK9sd2Qw7Lp",
    );
    only(&Redactor::default(), "rman target sys/«xK9sd2Qw7Lp»@prod\n");
}

#[test]
fn folders_that_belong_to_nobody_stay() {
    for text in [
        "reading C:\\Users\\Public\\Documents now\n",
        "path = \"/home/linuxbrew/.linuxbrew/bin/gcc\"\n",
        "«C:\\Users\\Publicist\\x»\n",
        "#include <«~/.aws/credentials»>\n",
        "open «/Volumes/Ann-Backup/x»\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn a_comment_inside_a_token_hides_nothing_of_it() {
    only(&Redactor::default(), "<p>«shpat_a1b2c3d4e5»<!-- x -->«f678901324f5a6b7c8d9e0»</p>\n");
}

#[test]
fn what_packages_and_translations_say_stays() {
    for text in [
        "\"access_token\": \"\\u00c5tkomstnyckel\",\n",
        "\"invalid_api_key\": \"API-n\\u00f8kkel\",\n",
        "\"encryption_key\": \"\\u7121\\u52b9\\u306aAPI\\u30ad\\u30fc\",\n",
        "v3token = keystoneauth1.loading._plugins.identity.v3:Token\n",
        "v3adfspassword = keystoneauth1.extras._saml2._loading:ADFSPassword\n",
        "\"GPG_KEY=E3FF2839C048B25C084DEBE9B26995E310250568\",\n",
        "\"SandboxKey\": \"/run/docker/netns/netns-2343321-795a-8289-14c0-77b1556f02a3\"\n",
        "digitalocean/README.md,sha256=J7QhF5HfSdagijW2EmcE2K3gR46cT4v36KcsiAuvbWw,21337\n",
        "conn = pymssql.connect(user=login_user, password=login_password, host=h)\n",
        "connect(host=data[CONF_HOST], password=data[CONF_PASSWORD], user=data[CONF_USER])\n",
        "{{ lookup('community.windows.laps_password', 'sql10') }}\n",
        "when ``update_password: always`` is used\n",
        "set_pass = \"storage-systems/%s/passwords\" % ssid\n",
        "parser({repeatNodeCount:32,tokenData:\"$>y(CSR!bOX%ZXY+gYZ-yZ[+g[]%Z]^.c^p%Zpq+gqr/mrs3cs\"})\n",
    ] {
        only(&Redactor::default(), text);
    }
    for text in [
        "Server=h;User=u;Password=«hunter2Xy»;\n",
        "ACME_KEY=«/9j4AAQ7kZJRg4BAQ8AAQ6BA5D2wBDAAsJCQcJ»\n",
        "digitalocean_spaces_secret=«J7QhF5HfSdagijW2EmcE2K3gR46cT4v36KcsiAuvbWw»\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn what_closes_a_string_around_a_value_stays() {
    for text in [
        "{\"a\": \"Environment=\\\"ACME_TOKEN=«q7Zx2mPv9LbT4sKd8RfW3nYc»\\\"\\n\"}\n",
        "{\"out\": \"{\\\"v\\\": \\\"export ACME_TOKEN=«q7Zx2mPv9LbT4sKd8RfW3nYc»\\\"}\"}\n",
        "{\"acmeKey: '«eae9ecd9b8959aa44ee6e1c4105ba522»\": 1}\n",
        "{\"-Dacme.api.key=«2fJxyubpKmWMjeD29t2bLQX7»\": 1}\n",
    ] {
        only(&Redactor::default(), text);
    }
}
