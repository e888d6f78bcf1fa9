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

#[test]
fn values_in_tables_lists_and_coloured_code_are_hidden() {
    all(
        &[
            "│ ACME_TOKEN │ «@» │\n",
            "acme_api_keys = ['«@»', \"«@»\"]\n",
            "{\"acme_tokens\": [\"«@»\", \"«@»\"], \"n\": 2}\n",
            "acme_api_keys:\n  - «@»\n  - \"«@»\"\n  - «@»\nother: 1\n",
            "<span class=\"nv\">ACME_TOKEN</span><span class=\"o\">=</span><span class=\"s\">\"«@»\"</span>\n",
            "local t = { acme_token = [[«@»]] }\n",
            "acme_token: &key \"«@»\"\nother: *key\n",
            "acme_token: !!str «@»\n",
        ],
        TOKEN,
    );
    for text in [
        "tokens = [\"hello\", \"world\", \"tokenizer2\"]\n",
        "│ api_key │ string │ the key of the account │\n",
        "api_keys:\n  - production\n  - development\n",
        "let grid: Tokens = [[1, 2], [3, 4]]\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn what_colours_and_elements_end_is_no_value() {
    for text in [
        "\x1b[32mpassword = args.password\x1b[0m\n",
        "\x1b[32mpassword = null\x1b[0m\n",
        "\x1b[32m  password:\x1b[0m\n\x1b[32m    type: string\x1b[0m\n",
        "\x1b[32mDB_PASSWORD=***\x1b[0m\n",
        "<password>${env.MAVEN_PASSWORD}</password>\n<server.port>8080</server.port>\n",
        "PWD=$HOME/projects/shop\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn a_token_of_a_bot_is_known_by_its_form() {
    for text in [
        "login: «MzA0NjM5NDEwNzI4OTY5NzI4.Gd9jdp.D6pxttUeo_x1veh1G955LB6fPvQsNn1EJFRp2g»\n",
        "«MzA0NjM5NDEwNzI4OTY5NzI4.Gd9jdp.D6pxttUeo_x1veh1G955LB6fPvQsNn1EJFRp2g» x\n",
        "https://example.com/MzA0NjM5NDEwNzI4OTY5NzI4.Gd9jdp.short\n",
        "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn a_token_is_put_together_whose_beginning_is_cut() {
    let rest = "_api_XE3HQfXw5M8mFBeFtRXgesC6O1Ip1QRV6wpKpjYQ";
    for joint in ["\" <> \"", "\" << \"", "\" ^ \"", "\" ~ \"", "\".\"", "\" // \""] {
        let redacted = Redactor::default().redact(&format!("k = \"lin{joint}{rest}\"\n")).text;
        assert!(redacted.starts_with("k = \"[REDACTED:api-key]"), "{redacted}");
        assert!(!redacted.contains(rest), "{redacted}");
    }
}

#[test]
fn parts_of_a_token_are_put_together_over_numbered_lines_and_cells() {
    for text in [
        "     1\tk = (\"«dp.pt.1Yfu»\"\n     2\t     \"«zDEw8f9Y7350S0V52zwNuGqiwJoc1rQHvjYWa8C»\")\n",
        "-k = (\"«dp.pt.1Yfu»\"\n-     \"«zDEw8f9Y7350S0V52zwNuGqiwJoc1rQHvjYWa8C»\")\n",
        "│ TOKEN │ «tfp_v5VxVUEFdHmbdIsSLFBQKXQZTrzr4K» │\n│       │ «eMBOLDu2Yn7OJb_BD2ZTDDHHURCFD» │\n",
        "<td>«patI6gpcuAY1V9YPV.f2e»<br>«17156c5b17f41fe48876d5c8692a3241d5f3c0b339e5f0986610d1fc71fee»</td>\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn what_stands_around_a_value_stays() {
    for text in [
        "{\"t\": \"{\\\"c\\\": \\\"smbclient //srv/share -U ann%«xK9sd2Qw7Lp»\\\"}\"}\n",
        "Driver={SQL Server};Server=s;Uid=ann;Pwd={«Avovdn;79Uwax»};\n",
        "Driver={SQL Server};Server=s;Uid=ann;Pwd={«Avo;v}}dn79Uwax»};Database=q\n",
        "  at run («file:///C:/Users/Bob.Jones/a.html»:12:5)\n",
        "I wrote it to «file:///C:/Users/Bob.Jones/a.html».\n",
        "x;«~/.ssh/id_ed25519»;y\n",
        "cd «/private/var/root/x»\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn words_of_other_scripts_and_names_of_others_stay() {
    for text in [
        "  setting_lost_password: Забравена парола\n",
        "  field_generate_password: Створити пароль\n",
        "  setting_lost_password: ¿Olvidaste la contraseña?\n",
        "get \"admin/passwords\" => \"queenbee#passwords\"\n",
        "const result = await provider.getPassword('service1', 'account1');\n",
        "await store.setPassword('service1', 'account1', value);\n",
        "txBadAuth:-6,txInsufficientBalance:-7,txNoAccount:-8,txInsufficientFee:-9\n",
        "![c](https://codecov.io/gh/a/b/graph/badge.svg?token=Z92NHFQ70G)\n",
        "#define GIT_CREDTYPE_USERPASS_PLAINTEXT GIT_CREDENTIAL_USERPASS_PLAINTEXT\n",
        "setPassword('«xK9sd2Qw7Lp»')\n",
        "  password: «Забрав7на9x»\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn cells_below_a_name_and_text_of_two_bytes_are_hidden() {
    all(
        &[
            "user,api_key,mail\nann,«@»,a@b.c\nbob,«@»,b@b.c\n",
            "user\ttoken\nann\t«@»\n",
            "| user | api_key |\n|------|---------|\n| ann | `«@»` |\n",
            " id |  api_token  \n----+-------------\n  1 | «@» \n(1 row)\n",
        ],
        TOKEN,
    );
    for text in [
        "user,token,count\nann,documentation,3\nbob,tokenizer,4\n",
        "foo(user, token, count)\nbar(ann, q7Zx2mPv9LbT4sKd8RfW3nYc, 3)\n",
    ] {
        only(&Redactor::default(), text);
    }
    let wide = |text: &str| text.chars().flat_map(|one| [one, '\0']).collect::<String>();
    let text = wide("k = \"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\"\n");
    let redacted = Redactor::default().redact(&text).text;
    assert!(redacted.starts_with(&wide("k = ")), "{redacted:?}");
    assert!(redacted.contains("[REDACTED:api-key]") && !redacted.contains("7\08"), "{redacted:?}");
}

#[test]
fn passwords_of_more_programs_and_files_are_hidden() {
    for text in [
        "plink -ssh ann@h -pw «xK9sd2Qw7Lp»\n",
        "signtool sign /f a.pfx /p «xK9sd2Qw7Lp» a.exe\n",
        "ssh-keygen -t ed25519 -N '«xK9sd2Qw7Lp»' -f k\n",
        "net user ann «xK9sd2Qw7Lp» /add\n",
        "net user ann * /add\n",
        "poetry config http-basic.corp ann «xK9sd2Qw7Lp»\n",
        "ConvertTo-SecureString \"«xK9sd2Qw7Lp»\" -AsPlainText -Force\n",
        "apksigner sign --ks a.jks --ks-pass pass:«xK9sd2Qw7Lp» a.apk\n",
        "RequestHeader set X-Api-Key \"«q7Zx2mPv9LbT4sKd8RfW3nYc»\"\n",
        "  user ann insecure-password «xK9sd2Qw7Lp»\n",
        "      pass: «xK9sd2Qw7Lp»\n",
        "      pass: 12\n",
        "SET PASSWORD FOR 'app'@'localhost' = '«xK9sd2Qw7Lp»';\n",
        "driver.find_element(By.ID, \"password\").send_keys(\"«xK9sd2Qw7Lp»\")\n",
        "await page.fill('#password', '«xK9sd2Qw7Lp»');\n",
        "<tr><td class=\"e\">DB_PASSWORD </td><td class=\"v\">«xK9sd2Qw7Lp» </td></tr>\n",
        "ldap_default_authtok = «xK9sd2Qw7Lp»\n",
    ] {
        only(&Redactor::default(), text);
    }
}
