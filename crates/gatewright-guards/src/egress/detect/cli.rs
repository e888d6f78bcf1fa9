//! Passwords on command lines, in SQL and as plain arguments of well-known calls.

use std::ops::Range;

use super::text::{line_around, run_end, run_start, skip_blanks, starts_at, within_colours};
use super::value::{is_placeholder, looks_random};
use super::value_span::quoted;
use crate::egress::engine::Found;
use crate::egress::kind::Kind;

/// How a program takes a password.
enum Way {
    /// `-u user:password`: what follows the separator.
    Login { options: &'static [&'static str], separator: u8 },
    /// `-p password` as a word of its own.
    Apart(&'static [&'static str]),
    /// `-ppassword` in one word.
    Attached(&'static str),
    /// `-passin pass:password`: what follows the tag, in a word of its own.
    Tagged { options: &'static [&'static str], tag: &'static str },
    /// The last word, when this letter is among the options.
    Last(u8),
    /// The words from this place on, where they are no options.
    From(usize),
    /// The word at this place, where it is neither an option nor a sign.
    At(usize),
    /// The word behind the share or behind the user, where it is no option.
    Beside { share: &'static str, user: &'static str },
}

/// Programs with a password option that is not called so.
const PROGRAMS: [(&str, Way); 53] = [
    ("curl", Way::Login { options: &["-u", "--user", "--proxy-user", "-U"], separator: b':' }),
    ("http ", Way::Login { options: &["-a", "--auth"], separator: b':' }),
    ("lftp", Way::Login { options: &["-u"], separator: b',' }),
    ("smbclient", Way::Login { options: &["-U"], separator: b'%' }),
    ("rpcclient", Way::Login { options: &["-U"], separator: b'%' }),
    ("sshpass", Way::Apart(&["-p"])),
    ("sshpass", Way::Attached("-p")),
    ("mysql", Way::Attached("-p")),
    ("mariadb", Way::Attached("-p")),
    ("redis-cli", Way::Apart(&["-a"])),
    ("mongo", Way::Apart(&["-p"])),
    ("docker login", Way::Apart(&["-p"])),
    ("podman login", Way::Apart(&["-p"])),
    ("az login", Way::Apart(&["-p"])),
    ("oc login", Way::Apart(&["-p"])),
    ("sqlcmd", Way::Apart(&["-P"])),
    ("bcp ", Way::Apart(&["-P"])),
    ("ldap", Way::Apart(&["-w"])),
    ("zip ", Way::Apart(&["-P"])),
    ("7z ", Way::Attached("-p")),
    ("registry login", Way::Apart(&["-p"])),
    ("openssl enc", Way::Apart(&["-k"])),
    ("openssl ", Way::Tagged { options: &["-passin", "-passout", "-pass"], tag: "pass:" }),
    ("htpasswd", Way::Last(b'b')),
    ("unzip ", Way::Apart(&["-P"])),
    ("rar ", Way::Attached("-p")),
    ("unrar ", Way::Attached("-p")),
    ("keytool ", Way::Apart(&["-storepass", "-keypass", "-srcstorepass", "-deststorepass"])),
    ("jarsigner ", Way::Apart(&["-storepass", "-keypass"])),
    ("cqlsh", Way::Apart(&["-p"])),
    ("mosquitto_", Way::Apart(&["-P"])),
    ("snmp", Way::Apart(&["-A", "-X"])),
    ("nmcli ", Way::Apart(&["password", "wifi-sec.psk"])),
    ("xfreerdp ", Way::Attached("/p:")),
    ("x11vnc ", Way::Apart(&["-passwd"])),
    ("ipmitool ", Way::Apart(&["-P"])),
    ("twine upload", Way::Apart(&["-p"])),
    ("ncftp", Way::Apart(&["-p"])),
    ("mysqladmin", Way::Apart(&["password"])),
    ("psexec", Way::Apart(&["-p"])),
    ("plink ", Way::Apart(&["-pw"])),
    ("pscp ", Way::Apart(&["-pw"])),
    ("psftp ", Way::Apart(&["-pw"])),
    ("signtool ", Way::Apart(&["/p"])),
    ("ssh-keygen ", Way::Apart(&["-N", "-P"])),
    ("net user ", Way::At(1)),
    ("sentinel auth-pass ", Way::At(1)),
    ("winrs ", Way::Attached("-p:")),
    ("poetry config http-basic", Way::At(1)),
    ("rabbitmqctl add_user ", Way::From(1)),
    ("rabbitmqctl change_password ", Way::From(1)),
    ("mc alias set ", Way::From(2)),
    ("net use ", Way::Beside { share: "\\\\", user: "/user:" }),
];

/// The words from which [`look_at_program`] starts.
pub fn programs() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().map(|(program, _)| *program)
}

/// Looks at the options of a program whose name stands at `start..end`.
pub fn look_at_program(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    if start > 0
        && (text[start - 1].is_ascii_alphanumeric() || matches!(text[start - 1], b'_' | b'.'))
    {
        return;
    }
    let line = line_around(text, end);
    // `mysql` begins the names of other programs too; options follow a blank.
    let name_end = run_end(text, end - 1, |byte| !byte.is_ascii_whitespace()).min(line.end);
    let words = words(text, name_end..line.end);
    for (program, way) in &PROGRAMS {
        if text[start..end].eq_ignore_ascii_case(program.as_bytes()) {
            look_at_words(text, &words, way, found);
        }
    }
}

fn look_at_words(text: &[u8], words: &[Range<usize>], way: &Way, found: &mut Vec<Found>) {
    for (index, word) in words.iter().enumerate() {
        let bytes = &text[word.clone()];
        let next = words.get(index + 1);
        let is = |options: &[&str]| options.iter().any(|option| bytes == option.as_bytes());
        let secret = match way {
            Way::Login { options, separator } if is(options) => {
                next.and_then(|next| after_separator(text, next, *separator))
            }
            Way::Apart(options) if is(options) => next.cloned(),
            Way::Attached(option)
                if bytes.len() > option.len() && bytes.starts_with(option.as_bytes()) =>
            {
                let start = word.start + option.len();
                Some(start + usize::from(matches!(text[start], b'"' | b'\''))..word.end)
            }
            Way::Tagged { options, tag } if is(options) => {
                let next =
                    next.filter(|next| text[next.start..next.end].starts_with(tag.as_bytes()));
                next.map(|next| next.start + tag.len()..next.end)
            }
            Way::Beside { share, user }
                if bytes.starts_with(share.as_bytes()) || starts_at(bytes, 0, user.as_bytes()) =>
            {
                next.filter(|next| !matches!(text[next.start], b'/' | b'*' | b'\\')).cloned()
            }
            Way::At(place) if index == *place && !b"-/*<>|".contains(&text[word.start]) => {
                Some(word.clone())
            }
            Way::From(place) if index >= *place && !bytes.starts_with(b"-") => Some(word.clone()),
            Way::Last(letter)
                if bytes.starts_with(b"-") && bytes.contains(letter) && words.len() > index + 2 =>
            {
                words.last().cloned()
            }
            _ => None,
        };
        if let Some(range) = secret {
            push(text, range, "command-line-password", found);
        }
    }
}

fn after_separator(text: &[u8], word: &Range<usize>, separator: u8) -> Option<Range<usize>> {
    let at = memchr::memchr(separator, &text[word.clone()])?;
    (at > 0).then(|| word.start + at + 1..word.end)
}

/// The shell words of a line, without their quotes.
fn words(text: &[u8], line: Range<usize>) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = line.start;
    while at < line.end && words.len() < 64 {
        at = skip_blanks(text, at);
        if at >= line.end || matches!(text[at], b'|' | b';' | b'\n') {
            break;
        }
        if let Some(value) = quoted(text, at).filter(|_| matches!(text[at], b'"' | b'\'')) {
            at = value.range.end + 1;
            words.push(value.range);
            continue;
        }
        let end = run_end(text, at, |byte| {
            !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'`' | b'\'')
        })
        .min(line.end);
        let attached = quoted(text, end).filter(|_| takes_string(text, &(at..end)));
        words.push(at..attached.as_ref().map_or(end, |value| value.range.end));
        at = attached.map_or(end.max(at + 1), |value| value.range.end + 1);
    }
    words
}

/// True when the quote behind `word` opens a string that belongs to it.
///
/// Behind a whole word it closes one that the command stands in.
fn takes_string(text: &[u8], word: &Range<usize>) -> bool {
    const OPTION: usize = 3;
    let bytes = &text[word.clone()];
    let is_option = bytes.starts_with(b"-") && bytes.len() <= OPTION;
    let is_open = matches!(bytes.last(), Some(b'=' | b':' | b'%' | b','));
    matches!(text.get(word.end), Some(b'"' | b'\'')) && (is_option || is_open)
}

/// Looks at `IDENTIFIED BY 'password'`, from behind `identified`.
pub fn look_at_identified(text: &[u8], end: usize, found: &mut Vec<Found>) {
    let line = line_around(text, end);
    let rest = text[end..line.end].to_ascii_lowercase();
    let Some(by) =
        memchr::memmem::find(&rest, b"by ").or_else(|| memchr::memmem::find(&rest, b"as "))
    else {
        return;
    };
    let at = skip_blanks(text, end + by + 3);
    let at = if starts_at(text, at, b"password ") { skip_blanks(text, at + 9) } else { at };
    let is_statement = text[end - 11..end - 1].iter().all(u8::is_ascii_uppercase);
    let before = text[line.start..end].to_ascii_lowercase();
    if !is_statement && !["user", "grant", "role"].iter().any(|word| has(&before, word)) {
        return;
    }
    let range = match quoted(text, at).filter(|_| matches!(text.get(at), Some(b'"' | b'\''))) {
        Some(value) => value.range,
        None if is_statement => {
            let belongs = |byte: u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'!' | b'#' | b'$')
            };
            at..run_end(text, at, belongs)
        }
        None => return,
    };
    if !text[range.clone()].contains(&b' ') {
        push(text, range, "sql-password", found);
    }
}

fn has(text: &[u8], word: &str) -> bool {
    memchr::memmem::find(text, word.as_bytes()).is_some()
}

/// Calls that take user and password as plain strings, and which string is the password.
const CALLS: [(&str, usize); 33] = [
    ("mysqli_connect(", 2),
    ("mysql_connect(", 2),
    ("mysqli(", 2),
    ("mysql_pconnect(", 2),
    ("pdo(", 2),
    ("pymysql.connect(", 2),
    ("mysqldb.connect(", 2),
    ("dbi->connect(", 2),
    ("getconnection(", 2),
    ("ftp_login(", 1),
    (".login(", 1),
    ("httpbasicauth(", 1),
    ("auth=(", 1),
    ("networkcredential(", 1),
    ("sqlcredential(", 1),
    ("passwordcredentials(", 1),
    ("passwordauthentication(", 1),
    ("basicauth(", 1),
    ("basic_auth(", 1),
    ("usernamepassword(", 1),
    ("convertto-securestring ", 0),
    ("jwt.sign(", 1),
    ("jwt.verify(", 1),
    ("jwt.encode(", 1),
    ("sequelize(", 2),
    ("credentials(", 3),
    ("chpasswd", usize::MAX),
    ("--password-stdin", PIPED),
    ("vercel env add ", PIPED),
    ("wrangler secret put ", PIPED),
    ("gh secret set ", PIPED),
    ("docker secret create ", PIPED),
    ("sudo -s ", PIPED),
];

/// What is written to a program is the password.
const PIPED: usize = usize::MAX - 1;

/// The literals from which [`look_at_call`] starts.
pub fn calls() -> impl Iterator<Item = &'static str> {
    CALLS.iter().map(|(call, _)| *call)
}

/// Looks at the arguments of a call whose name and parenthesis stand at `start..end`.
pub fn look_at_call(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    let Some((_, index)) =
        CALLS.iter().find(|(call, _)| text[start..end].eq_ignore_ascii_case(call.as_bytes()))
    else {
        return;
    };
    match *index {
        usize::MAX => return look_before_chpasswd(text, start, found),
        PIPED => return look_before_pipe(text, start, found),
        _ => {}
    }
    let is_token_call = starts_at(text, start, b"jwt.");
    let line = line_around(text, end);
    let mut at = end;
    let mut arguments = 0;
    while at < line.end {
        at = skip_blanks(text, at);
        let value = quoted(text, at).filter(|_| matches!(text.get(at), Some(b'"' | b'\'')));
        if let Some(value) = &value
            && arguments == *index
        {
            let bytes = &text[value.range.clone()];
            let is_key = !is_token_call || looks_random(bytes);
            if !bytes.is_empty() && !bytes.contains(&b' ') && is_key {
                push(text, value.range.clone(), "call-password", found);
            }
            return;
        }
        let from = value.map_or(at, |value| value.range.end + 1);
        let end = run_end(text, from, |byte| !matches!(byte, b',' | b')' | b'\n'));
        if text.get(end) != Some(&b',') {
            return;
        }
        arguments += 1;
        at = end + 1;
    }
}

/// `echo "user:password" | chpasswd`.
fn look_before_chpasswd(text: &[u8], start: usize, found: &mut Vec<Found>) {
    let line = line_around(text, start);
    let Some(bar) = memchr::memrchr(b'|', &text[line.start..start]) else { return };
    let login = text[line.start..line.start + bar].trim_ascii_end();
    let end = line.start + login.len() - usize::from(matches!(login.last(), Some(b'"' | b'\'')));
    let Some(colon) = memchr::memrchr(b':', &text[line.start..end]) else { return };
    push(text, line.start + colon + 1..end, "command-line-password", found);
}

/// `echo password | docker login --password-stdin`.
fn look_before_pipe(text: &[u8], start: usize, found: &mut Vec<Found>) {
    let line = line_around(text, start);
    let Some(bar) = memchr::memrchr(b'|', &text[line.start..start]) else { return };
    let writer = ["echo ", "printf ", "<<< "].iter().find_map(|word| {
        let at = memchr::memmem::rfind(&text[line.start..line.start + bar], word.as_bytes())?;
        Some(line.start + at + word.len())
    });
    let Some(from) = writer else { return };
    let words = words(text, from..line.start + bar);
    let is_value = |word: &&Range<usize>| !text[word.start..word.end].starts_with(b"-");
    if let Some(word) = words.iter().find(is_value) {
        push(text, word.clone(), "command-line-password", found);
    }
}

/// The length of the line break, written in a string, that ends a command and its last word.
fn escaped_break(word: &[u8]) -> usize {
    let Some(head) = word.strip_suffix(b"n").filter(|head| head.ends_with(b"\\")) else {
        return 0;
    };
    let head = run_start(head, head.len(), |byte| byte == b'\\');
    let is_return = word[..head].ends_with(b"\\r");
    word.len() - if is_return { run_start(word, head - 1, |byte| byte == b'\\') } else { head }
}

fn push(text: &[u8], range: Range<usize>, rule: &'static str, found: &mut Vec<Found>) {
    let mut range = within_colours(text, range);
    if matches!(text.get(range.end), Some(b'"' | b'\'')) {
        // The quote behind the word ends the string that the command stands in.
        range.end = run_start(&text[..range.end], range.end, |byte| byte == b'\\').max(range.start);
    }
    range.end -= escaped_break(&text[range.clone()]);
    if range.len() >= 3
        && !is_placeholder(&text[range.clone()])
        && (text[range.start] != b'-' || rule == "call-password")
    {
        found.push(Found::new(range, Kind::Password, rule));
    }
}
