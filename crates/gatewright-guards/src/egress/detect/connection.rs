//! Passwords inside connection strings and URLs. Only the password is hidden.

use std::ops::Range;

use super::text::{line_around, run_end, run_start, starts_at, within_colours};
use super::value::{is_placeholder, looks_random};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;

/// The longest user-and-password part that is looked at.
const REACH: usize = 1024;

/// Keys that show that a list of `key=value` is a connection string.
const SIGNS: [&str; 21] = [
    "server",
    "data source",
    "datasource",
    "host",
    "hostname",
    "driver",
    "dbname",
    "database",
    "initial catalog",
    "accountname",
    "endpoint",
    "user id",
    "userid",
    "uid",
    "dsn",
    "address",
    "addr",
    "account",
    "port",
    "provider",
    "abortconnect",
];

/// The last two letters of each sign.
static ENDINGS: [[u8; 2]; SIGNS.len()] = endings();

/// One bit for the last two letters of each sign, so that most names are ruled out at once.
static IS_ENDING: [u32; 32] = is_ending();

const fn is_ending() -> [u32; 32] {
    let mut bits = [0u32; 32];
    let mut index = 0;
    while index < SIGNS.len() {
        let [first, last] = ENDINGS[index];
        bits[(first & 31) as usize] |= 1 << (last & 31);
        index += 1;
    }
    bits
}

const fn endings() -> [[u8; 2]; SIGNS.len()] {
    let mut endings = [[0; 2]; SIGNS.len()];
    let mut index = 0;
    while index < SIGNS.len() {
        let sign = SIGNS[index].as_bytes();
        endings[index] = [sign[sign.len() - 2], sign[sign.len() - 1]];
        index += 1;
    }
    endings
}

/// Words that stand for a password where the user is the token.
const NO_PASSWORDS: [&[u8]; 2] = [b":x-oauth-basic", b":x-oauth-token"];

/// Looks at a URL whose `://` ends at `end`.
pub fn look_at_url(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    let scheme = run_start(text, start, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
    });
    if scheme == start {
        return;
    }
    let near = &text[..(end + REACH).min(text.len())];
    // Another address begins behind this one.
    let next = memchr::memmem::find(&near[end..], b"://").map_or(near.len(), |next| end + next);
    let stop = run_end(&near[..next], end, |byte| !is_url_end(byte));
    let Some(at) = user_info_end(&text[end..stop]) else { return };
    let user_info = &text[end..end + at];
    if has_properties(user_info) {
        return;
    }
    let host = &text[end + at + 1..stop];
    // The digest of an image stands behind such a sign too.
    if host.starts_with(b"sha256:") {
        return;
    }
    let user_alone = NO_PASSWORDS.iter().find_map(|word| user_info.strip_suffix(*word));
    if let Some(user) = user_alone {
        if user.len() >= 20 && looks_random(user) {
            found.push(Found::new(end..end + user.len(), Kind::ApiKey, "url-token"));
        }
        return;
    }
    match memchr::memchr(b':', user_info) {
        Some(colon) => {
            let (user, password) = (&user_info[..colon], &user_info[colon + 1..]);
            let is_word = password.len() < 3 && password.iter().all(u8::is_ascii_alphabetic);
            if !is_word && !is_default_login(user, password, host) && !is_placeholder(password) {
                let range = end + colon + 1..end + at;
                found.push(Found::new(range, Kind::ConnectionString, "url-password"));
            }
        }
        None if user_info.len() >= 20 && looks_random(user_info) && !is_public_user(host) => {
            found.push(Found::new(end..end + at, Kind::ApiKey, "url-token"));
        }
        None => {}
    }
}

/// False when no user can stand in the URL whose `://` ends at `end`.
pub fn may_have_user(text: &[u8], end: usize) -> bool {
    let rest = &text[end..(end + REACH).min(text.len())];
    let is_end = |byte: &u8| is_url_end(*byte) || matches!(byte, b'/' | b'?' | b'#');
    let authority = rest.iter().position(is_end).unwrap_or(rest.len());
    if memchr::memchr3(b'@', b'%', b'\\', &rest[..authority]).is_some() {
        return true;
    }
    // A password may have a raw slash in it; a port has none.
    memchr::memchr(b':', &rest[..authority]).is_some_and(|colon| {
        if rest[colon + 1..authority].iter().all(u8::is_ascii_digit) {
            return false;
        }
        let stop = run_end(rest, authority, |byte| !is_url_end(byte));
        memchr::memchr2(b'@', b'%', &rest[authority..stop]).is_some()
    })
}

fn is_url_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | 0x1b)
}

/// Where the `@` after user and password lies, in what follows `://`.
fn user_info_end(rest: &[u8]) -> Option<usize> {
    let authority =
        rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    if let Some(at) = memchr::memrchr(b'@', &rest[..authority]) {
        return Some(at);
    }
    // A password with a raw slash, question mark or hash in it.
    let colon = memchr::memchr(b':', &rest[..authority])?;
    let user_is_plain = rest[..colon]
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_-.%=,+~\\$!".contains(byte));
    let port_end = run_end(rest, colon + 1, |byte| byte.is_ascii_digit());
    if !user_is_plain || port_end >= authority {
        return None;
    }
    let at = memchr::memrchr(b'@', rest)?;
    (at > colon + 1 && is_host(&rest[at + 1..])).then_some(at)
}

/// `host:1433;databaseName=app;password=a`: properties behind the host, one with an `@` in it.
fn has_properties(user_info: &[u8]) -> bool {
    let colon = memchr::memchr(b':', user_info).map_or(0, |colon| colon + 1);
    let port = run_end(user_info, colon, |byte| byte.is_ascii_digit());
    let name = run_end(user_info, port + 1, |byte| byte.is_ascii_alphabetic());
    port > colon
        && user_info.get(port) == Some(&b';')
        && name > port + 1
        && user_info.get(name) == Some(&b'=')
}

fn is_host(rest: &[u8]) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    // `[::1]`
    let end = match rest.first() {
        Some(b'[') => match run_end(rest, 1, is_inner) {
            close if rest.get(close) == Some(&b']') => close + 1,
            _ => 0,
        },
        _ => run_end(rest, 0, |byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
        }),
    };
    end >= 1 && matches!(rest.get(end), None | Some(b':' | b'/' | b'?' | b',' | b'#'))
}

/// `guest:guest@localhost` and the like: a published default, on a local host.
fn is_default_login(user: &[u8], password: &[u8], host: &[u8]) -> bool {
    let name_end =
        run_end(host, 0, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    let name = &host[..name_end];
    let is_local = !name.contains(&b'.') || name.starts_with(b"127.") || name == b"0.0.0.0";
    is_local && !user.is_empty() && user.eq_ignore_ascii_case(password)
}

/// Hosts where the part before `@` is a public identifier.
fn is_public_user(host: &[u8]) -> bool {
    memchr::memmem::find(host, b"sentry").is_some()
}

/// Looks at `user:password@tcp(host)`, whose `@tcp(` starts at `start`.
pub fn look_at_go_dsn(text: &[u8], start: usize, found: &mut Vec<Found>) {
    let is_inner = |byte: u8| {
        !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>')
    };
    // What stands before another of these is its own.
    let floor = behind_last_dsn(text, start);
    let near = &text[floor..start];
    let mut from = floor + run_start(near, near.len(), |byte| is_inner(byte) && byte != b'=');
    if !text[from..start].contains(&b':') {
        // An equals sign of the password itself.
        from = floor + run_start(near, near.len(), is_inner);
    }
    let from = behind_place(text, from.max(start.saturating_sub(REACH)), start);
    let scheme = memchr::memmem::rfind(&text[from..start], b"://").map_or(from, |at| from + at + 3);
    let Some(colon) = memchr::memchr(b':', &text[scheme..start]) else { return };
    push_password(text, scheme + colon + 1..start, "go-dsn-password", found);
}

/// Behind the last `@tcp(` and its like before `start`, as far as it is near.
fn behind_last_dsn(text: &[u8], start: usize) -> usize {
    const PROTOCOLS: [&[u8]; 3] = [b"tcp(", b"unix(", b"protocol("];
    let floor = start.saturating_sub(REACH);
    memchr::memrchr_iter(b'@', &text[floor..start])
        .find_map(|at| {
            let behind = floor + at + 1;
            let protocol = PROTOCOLS.iter().find(|one| starts_at(text, behind, one))?;
            Some((behind + protocol.len()).min(start))
        })
        .unwrap_or(floor)
}

/// Looks at `thin:user/password@host` and `sqlplus user/password@host`, from behind the literal.
pub fn look_at_oracle(text: &[u8], end: usize, found: &mut Vec<Found>) {
    let near = &text[..next_login(text, end)];
    let stop = run_end(near, end, |byte| !is_url_end(byte));
    if near[..stop].ends_with(b"/") && near.get(stop) == Some(&b'"') {
        // `user/"password"@…`
        let close = run_end(near, stop + 1, |byte| !is_url_end(byte));
        if near[close..].starts_with(b"\"@") {
            push_password(text, stop + 1..close, "oracle-password", found);
        }
        return;
    }
    let Some(at) = memchr::memrchr(b'@', &text[end..stop]) else { return };
    let Some(slash) = memchr::memchr(b'/', &text[end..end + at]) else { return };
    if slash > 0 {
        push_password(text, end + slash + 1..end + at, "oracle-password", found);
    }
}

/// Where the next `:thin:` and its like stands behind `end`, or as far as a login may reach.
fn next_login(text: &[u8], end: usize) -> usize {
    const DRIVERS: [&[u8]; 3] = [b":thin:", b":oci:", b":oci8:"];
    let limit = (end + REACH).min(text.len());
    let is_driver = |at: &usize| DRIVERS.iter().any(|one| starts_at(text, *at, one));
    let mut colons = memchr::memchr_iter(b':', &text[end..limit]).map(|at| end + at);
    colons.find(is_driver).unwrap_or(limit)
}

/// Looks at `user/password@host:1521/service`, whose port starts behind `colon`.
pub fn look_at_listener(text: &[u8], colon: usize, found: &mut Vec<Found>) {
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let host = run_start(text, colon, |byte| is_host(byte) || byte == b'/');
    let at = host.checked_sub(1).filter(|at| text[*at] == b'@');
    if let Some(at) = at {
        look_at_login(text, at, found);
    }
}

/// Looks at `user/password@(DESCRIPTION=…)` and its like, whose `@` stands at `at`.
pub fn look_at_login(text: &[u8], at: usize, found: &mut Vec<Found>) {
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let start = behind_place(text, run_start(text, at, |byte| !is_url_end(byte)), at);
    let Some(slash) = memchr::memchr(b'/', &text[start..at]).map(|slash| start + slash) else {
        return;
    };
    // A colon would make it an address.
    if slash > start && text[start..slash].iter().all(is_user) && at > slash + 1 {
        push_password(text, slash + 1..at, "oracle-password", found);
    }
}

/// Looks at `host:port:database:user:password`, whose port starts behind `start`.
pub fn look_at_password_file(text: &[u8], start: usize, found: &mut Vec<Found>) {
    let is_field = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'*' | b'/' | b'@')
    };
    let host = run_start(text, start, is_field);
    let mut at = start;
    for _ in 0..3 {
        let end = run_end(text, at + 1, is_field);
        if text.get(at) != Some(&b':') || end == at + 1 {
            return;
        }
        at = end;
    }
    let end = run_end(text, at + 1, |byte| !is_url_end(byte) && byte != b':');
    let is_line_end = matches!(text.get(end), None | Some(b'\n' | b'\r' | b'"' | b'\'' | b'`'));
    // The quote that ends it may be escaped.
    let end = match text.get(end) {
        Some(b'"' | b'\'') => run_start(text, end, |byte| byte == b'\\').max(at + 1),
        _ => end,
    };
    if host < start && text.get(at) == Some(&b':') && end - at > 4 && is_line_end {
        push_password(text, at + 1..end, "password-file", found);
    }
}

/// Behind the file and the number of a line with which a search begins what it found.
fn behind_place(text: &[u8], start: usize, end: usize) -> usize {
    let is_line_start = start == 0 || matches!(text[start - 1], b'\n' | b'\r');
    let Some(colon) = memchr::memchr(b':', &text[start..end]).map(|at| start + at) else {
        return start;
    };
    let number = run_end(&text[..end], colon + 1, |byte| byte.is_ascii_digit());
    let is_file = memchr::memchr2(b'/', b'.', &text[start..colon]).is_some();
    let is_place =
        is_line_start && is_file && number > colon + 1 && text.get(number) == Some(&b':');
    if is_place { number + 1 } else { start }
}

fn push_password(text: &[u8], range: Range<usize>, rule: &'static str, found: &mut Vec<Found>) {
    let range = within_colours(text, range);
    if !is_placeholder(&text[range.clone()]) {
        found.push(Found::new(range, Kind::ConnectionString, rule));
    }
}

/// True when the name at `name` is a part of a connection string.
pub fn surrounds(text: &[u8], name: &Range<usize>) -> bool {
    // How many pairs are looked at, the nearest first, so that long lists stay linear.
    const PAIRS: usize = 12;
    let line = line_around(text, name.start);
    let (before, after) = (&text[line.start..name.start], &text[name.start..line.end]);
    let is_sign = |part: &[u8], equals: usize| {
        // Most names end otherwise than any sign does, by their last two letters.
        let Some(two) = part[..equals].last_chunk::<2>() else { return false };
        if IS_ENDING[usize::from(two[0] & 31)] >> (two[1] & 31) & 1 == 0 {
            return false;
        }
        let ending = two.map(|byte| byte | 0x20);
        ENDINGS.iter().zip(SIGNS).filter(|(known, _)| ending == **known).any(|(_, sign)| {
            let Some(start) = equals.checked_sub(sign.len()) else { return false };
            part[start..equals].eq_ignore_ascii_case(sign.as_bytes())
                && (start == 0 || !is_name_byte(part[start - 1]))
        })
    };
    memchr::memrchr_iter(b'=', before).take(PAIRS).any(|at| is_sign(before, at))
        || memchr::memchr_iter(b'=', after).take(PAIRS).any(|at| is_sign(after, at))
        || memchr::memmem::find(before, b"jdbc:").is_some()
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// True when the property at `name` stands behind that of a user: `UID=app;PWD=…`.
fn follows_user(text: &[u8], name: usize) -> bool {
    const NAMES: [&[u8]; 5] = [b"uid", b"user id", b"userid", b"user", b"username"];
    let near = &text[name.saturating_sub(REACH)..name];
    let Some(before) = near.strip_suffix(b";") else { return false };
    let start = memchr::memrchr(b';', before).map_or(0, |at| at + 1);
    let Some(equals) = memchr::memchr(b'=', &before[start..]) else { return false };
    let (key, user) = (&before[start..start + equals], &before[start + equals + 1..]);
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'\\');
    start > 0 && NAMES.iter().any(|name| key.eq_ignore_ascii_case(name)) && user.iter().all(is_user)
}

/// True when the name at `name` is a property of an address or of a list, which no code stands in.
pub fn is_property(text: &[u8], name: usize) -> bool {
    is_in_jdbc(text, name) || follows_user(text, name)
}

fn is_in_jdbc(text: &[u8], name: usize) -> bool {
    let near = &text[name.saturating_sub(REACH)..name];
    let is_end = |byte: &u8| is_url_end(*byte) || *byte == b'+';
    let start = near.iter().rposition(is_end).map_or(0, |at| at + 1);
    matches!(near.last(), Some(b';' | b'&' | b'?' | b':' | b','))
        && memchr::memmem::find(&near[start..], b"jdbc:").is_some()
}

/// True for the keys of Azure-like connection strings.
pub fn is_key_part(name: &[u8]) -> bool {
    ["accountkey", "sharedaccesskey", "accesskey", "sharedsecretvalue", "secretkey"]
        .iter()
        .any(|key| name.eq_ignore_ascii_case(key.as_bytes()))
}
