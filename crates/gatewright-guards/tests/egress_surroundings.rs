//! What may stand around a secret: boxes, dumps, commands, tables, sentences, other machines.

mod egress_support;

use egress_support::only;
use gatewright_guards::egress::{Catalogue, RedactionContext, Redactor};

/// A token whose checksum is right and that nobody was given.
const HEAD: &str = "ghp_TZVZ9sDxVwfL";
const REST: &str = "vMRa7B9aWMRl9jTPzN4bUXyW";

fn in_workspace() -> Redactor {
    let context =
        RedactionContext { workspace_root: Some("/work/project".to_owned()), ..Default::default() };
    Redactor::new(Catalogue::built_in(), context)
}

#[test]
fn a_token_in_a_box_is_hidden_on_each_line() {
    for border in ["│", "┃", "|"] {
        let text = format!("{border} «{HEAD}» {border}\n{border} «{REST}» {border}\n");
        only(&Redactor::default(), &text);
    }
    only(&Redactor::default(), "│ ghp_TZVZ9sDxVwfL │\n│ and other words │\n");
}

#[test]
fn a_token_in_a_dump_is_hidden_in_both_columns() {
    let token = format!("{HEAD}{REST}");
    let (mut xxd, mut hexdump) = (String::new(), String::new());
    for (index, row) in token.as_bytes().chunks(16).enumerate() {
        let letters = String::from_utf8_lossy(row);
        let digits: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let pairs: Vec<String> = digits.chunks(2).map(|pair| pair.concat()).collect();
        let (pairs, digits) = (pairs.join(" "), digits.join(" "));
        let address = index * 16;
        let [gap, wide] = [39 - pairs.len(), 47 - digits.len()].map(|length| " ".repeat(length));
        xxd += &format!("{address:08x}: «{pairs}»{gap}  «{letters}»\n");
        hexdump += &format!("{address:08x}  «{digits}»{wide}  |«{letters}»|\n");
    }
    only(&Redactor::default(), &xxd);
    only(&Redactor::default(), &hexdump);
}

#[test]
fn a_string_that_begins_with_another_by_its_name_is_put_together() {
    for form in [
        "p = \"«@»\"\nk = f\"{p}«#»\"\n",
        "const p = '«@»';\nconst k = `${p}«#»`;\n",
        "p = '«@»'\nk = \"#{p}«#»\"\n",
        "k = f\"«@»{\"«#»\"}\"\n",
        "k=«@»\"«#»\"\n",
        "k=«@»\nk+=«#»\n",
    ] {
        let form = form.replace("«#»", &format!("«{REST}»"));
        only(&Redactor::default(), &form.replace('@', HEAD));
    }
}

#[test]
fn entities_with_names_and_groups_are_seen_through() {
    let token = format!("{HEAD}{REST}");
    only(&Redactor::default(), &format!("<td>«{}»</td>\n", token.replace('_', "&lowbar;")));
    let groups: Vec<_> = token.as_bytes().chunks(4).map(String::from_utf8_lossy).collect();
    only(&Redactor::default(), &format!("key: «{}»\n", groups.join(" ")));
    only(&Redactor::default(), "npm_ this is text with four char long word\n");
}

#[test]
fn a_key_keeps_no_line_whatever_ends_them() {
    let lines = [
        "-----BEGIN ENCRYPTED PRIVATE KEY-----",
        "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhxIA+4LNX84wICCAAw",
        "",
        "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBczUO7RiGveTckAhqNt6u0EQA4X",
        "-----END ENCRYPTED PRIVATE KEY-----",
    ];
    for (before, behind) in [("echo \"", "\" >> key.pem"), ("", "<br>"), ("printf '", "\\n' >> k")]
    {
        let [first, middle @ .., last] = lines;
        let middle: String =
            middle.iter().map(|line| format!("{before}{line}{behind}\n")).collect();
        let text = format!("{before}«{first}{behind}\n{middle}{before}{last}»{behind}\n");
        only(&Redactor::default(), &text);
    }
}

#[test]
fn headers_and_blank_lines_may_stand_before_a_key() {
    let line = "yYu9w4aomIs4mVow1rNVPOHvUnh+6d5jY0w2TpVJV/Ljf1RLLGXrjdQeaFeHpYkssQIWbO";
    let text = format!(
        "«---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n\n    Comment: \"x\"\n\n    {line}\n\n    {line}\n\n    ---- END SSH2 ENCRYPTED PRIVATE KEY ----»\n"
    );
    only(&Redactor::default(), &text);
}

#[test]
fn a_web_key_in_code_keeps_what_is_public() {
    let number = "Zzt_TlTh3RFMZaSCN2WRhRYW1WZ2wrRZpzS6IqG0yhY";
    let text = format!("k = {{ kty: 'EC', crv: 'P-256', x: '{number}', d: '«{number}»' }};\n");
    only(&Redactor::default(), &text);
    for text in [
        "{ d: '9551e48f40b3ff0ab2092d53906ee2e6f8704ec5b3e209dae23368e31de9f9ab' }\n",
        "<path d: 'M12.5 3.25c0.5,0 0.3-1.2z'>\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn connection_strings_of_long_names_and_bare_hosts_lose_only_the_password() {
    for text in [
        "app/«y7UmfBgk6CJD»@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1521)))\n",
        "uri = \"postgresql://root:«s3cr3t183#x»@[::1]:6379/prod?w=majority\"\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn variables_are_told_of_in_sentences_and_tables() {
    let value = "t0YEcILeSF11kw8jBOXETCzKgNdJOVW1";
    for form in [
        "I set COINBASE_API_SECRET to «@» in the settings.\n",
        "AssertionError: expected FLASK_SECRET_KEY to equal \"«@»\"\n",
        "env,REDIS_PASSWORD,«@»,prod\n",
    ] {
        only(&Redactor::default(), &form.replace('@', value));
    }
    for text in ["I set API_KEY to something else\n", "call(a,MY_SECRET,other)\n"] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn words_that_many_have_for_a_password_are_hidden() {
    for text in [
        "db:\n  user: app\n  password: «sunshine»\n  port: 5432\n",
        "[mysqld]\npassword = «butterfly»\n",
        "{\n  \"user\": \"app\",\n  \"password\": \"«swordfish»\"\n}\n",
        "      MYSQL_ROOT_PASSWORD: «orangerie»\n",
    ] {
        only(&Redactor::default(), text);
    }
    for text in [
        "password: required\n",
        "password = value\n",
        "\"password\": \"wachtwoord\"\n",
        "password = @password\n",
        "password=%DB_PASSWORD%\n",
        "password = password123_field.value\n",
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn identifiers_and_documented_values_stay_behind_their_names() {
    for text in [
        "TWILIO_ACCOUNT_SID=ACb1fd4b075ef6d1913a384facd13e08fb\n",
        "posthog.init('phc_wLS6OZpM6m6LAV1KOBTNd8EkNH3UbG01r9nBXHmrRkg')\n",
        "token: \"sk_test_4eC39HqLyjWDarjtT1zdp7dc\"\n",
        "xoxb-462981487114-5187113067030-abcdefghijklmnopqrstuvwx\n",
        concat!(
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9l",
            "IiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c\nnext line\n",
        ),
    ] {
        only(&Redactor::default(), text);
    }
}

#[test]
fn homes_on_other_machines_and_runtime_folders_are_hidden() {
    for text in [
        "open «//nas/users/ann/x»: no such file\n",
        "--config=«//10.0.0.5/home/ann/x»\n",
        "<«/home/ann/notes.txt»>\n",
        "<«/data/ann/notes.txt»>\n",
        "\"«/run/user/1000/bus»\"\n",
        "\"«/var/spool/mail/ann»\"\n",
        "'«/var/spool/cron/crontabs/ann»'\n",
    ] {
        only(&in_workspace(), text);
    }
    for text in [
        "//example.com/users/ann\n",
        "//nas/users/42\n",
        "https://nas/users/ann\n",
        "// see/users/ann\n",
        "</home>\n",
        "<a href=\"x\"></a>\n",
        "/run/user\n",
        "/var/spool/cron/crontabs\n",
    ] {
        only(&in_workspace(), text);
    }
}

#[test]
fn a_value_is_found_behind_more_signs_of_its_name() {
    let redactor = Redactor::default();
    for form in [
        "variable \"acme_token\" { default = \"«@»\" }\n",
        "setx ACME_TOKEN «@»\n",
        "set acmeToken «@»\n",
        "acme_token -> «@»\n",
        "(def acme-token \"«@»\")\n",
        "{acme_token, <<\"«@»\">>}.\n",
        "wrangler secret put ACME_TOKEN <<< \"«@»\"\n",
        "consul kv put app/acme_token «@»\n",
        "\"acme_token\" \"«@»\"\n",
        "#9 0.213 | acme_token | «@» |\n",
        "> | acme_token | «@» |\n",
        "mysql --password=«aiomVo.GK9KW» x\n",
        "acme_token  | «@»\n",
        "export LOGIN_PASSWORD=«Y)zXR7B8%Sgav9AWQ»\n",
        "<sudo_pass>«(dwo)@ZaxR44DOU%v0SH»</sudo_pass>\n",
        "port 6379\nmasterauth «P8jD4!GXuiMtUI»\n",
        "    password: «hkcOU.gCoyCGtk»\n",
        "machine api.host login ann password «ecBcJ.SYQjwBWZ»\n",
        "db_password: «velvet-summer-lantern-meadow»\n",
    ] {
        only(&redactor, &form.replace('@', "q7Zx2mPv9LbT4sKd8RfW3nYc"));
    }
    for form in [
        "variable \"acme_token\" { type = string }\n",
        "set password to something else\n",
        "fn token() -> Sha256Digest\n",
        "token -> decode(token)\n",
        "cat <<EOF > token << \"x1\"\n",
        "FUNCTION_PASS(\"ra-pbqp\", X)\n",
        "password: two-factor-enrolment-flow-v2\n",
        "\"token\" \"documentation of it\"\n",
        "put the token somewhere\n",
        "cat token | sha256sum\n",
        "password: form-control-input-group\n",
        "password: MyClass.getSSLToken\n",
        "f(DB_PASS=abcd1234)\n",
        "Cache restored from key: Linux-node-3e497f13872c8a8479a4c272bf0dfb74c6b5e1853572525b493e868dfc306c45\n",
        "FROM docker://img:tag@sha256:3e497f13872c8a8479a4c272bf0dfb74c6b5e1853572525b493e868dfc306c45\n",
    ] {
        only(&redactor, form);
    }
}

#[test]
fn colours_and_the_place_of_a_line_stay_beside_a_password() {
    let redactor = Redactor::default();
    for form in [
        "mysql -u root -p\x1b[1;33m«PKlwljkBHgTk»\x1b[0m app\n",
        "password = '\x1b[1;33m«tE8g4!l1NPODwX»\x1b[0m'\n",
        "src/app.env:57:app:«5k8PH-S1vunBru»@tcp(10.0.0.5:3306)/app\n",
        "src/conf/app.env:281:jdbc:oracle:thin:scott/«thbJmbS8QF»@//db:1521/ORCL\n",
        "{\"out\": \"db.host:5432:app:ann:«bQwqg.Ky5EEvwT»\\\", 0\"}\n",
    ] {
        only(&redactor, form);
    }
}

#[test]
fn a_path_is_hidden_to_the_end_of_its_name() {
    let redactor = in_workspace();
    for form in [
        "open \"«/Users/ann/Documents/tax 2025.pdf»\" now\n",
        "open '«C:\\Users\\ann\\tax 2025.pdf»' now\n",
        "<path>«/home/ann/my notes.txt»</path>\n",
        "see «/proc/self/root/home/ann/x»\n",
        "\"«/home/ann/x» is missing, see b.txt\"\n",
        "cat /proc/self/root/etc/hosts\n",
    ] {
        only(&redactor, form);
    }
}

#[test]
fn a_value_is_found_behind_the_mark_of_its_line() {
    let redactor = Redactor::default();
    for mark in ["+", "> ", "   12\t", "  12→", " 12 | ", "2026-03-04T09:11:00.2213456Z "] {
        for form in [
            "mark- name: ACME_TOKEN\nmark  value: «@»\n",
            "markrequirepass «P8jD4!GXuiMtUI»\n",
            "markacme_token  | «@»\n",
            "markset acme_token «@»\n",
        ] {
            let text = form.replace("mark", mark).replace('@', "q7Zx2mPv9LbT4sKd8RfW3nYc");
            only(&redactor, &text);
        }
    }
}
