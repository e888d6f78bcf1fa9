//! A secret beside its name: assignments in code, configuration, markup, flags and prose.
//!
//! The name decides how much the value must show. A password may be anything
//! that is neither a placeholder nor an expression; a key or token must look
//! random. The detector reads no language: it knows the shapes that all share.

use std::ops::Range;

use super::common_passwords::is_common;
use super::connection;
use super::header::is_login;
use super::jwt;
use super::name_span::{is_in_address, is_mixed, name_around, named};
use super::names::NameClass;
use super::prose::{copula, has_written_letter, is_accented_word, is_without_case, said, told};
use super::tables::{cells_below, is_head};
use super::text::{self, skip_blanks, within_colours};
use super::value::{
    is_app_password, is_environment_name, is_harmless_shape, is_name, is_partly_masked, is_pattern,
    is_placeholder, is_public, is_uuid, looks_random,
};
use super::value_cuts::{cut_at_bracket, cut_at_escape, cut_at_pair, skip_scheme, skip_source};
use super::value_forms::{is_declared, is_typed, set_for};
use super::value_lists::listed_values;
use super::value_marks::{is_cache_key, is_jumble, is_passphrase, is_scrambled, is_versioned};
use super::value_places::{is_said_before, lists_value, of_array, said_before};
use super::value_sides::{in_column, value_before};
use super::value_span::{Style, Value, is_variable_name, stands_apart, value_after};
use crate::egress::catalogue::{entropy, is_wordy};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;
use crate::egress::shadow::{SHORTEST_RUN, decoded};
use crate::egress::sparks::shows_value;

/// Looks at the name around the literal at `start..end`.
pub fn look(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    let Some((name, class)) = named(text, start, end) else { return };
    if is_in_address(text, name.start) {
        return;
    }
    look_at_list(text, &name, class, found);
    let value = value_after(text, &name).or_else(|| value_before(text, &name));
    let value = value.or_else(|| said_before(text, &name));
    let Some(mut value) = value else { return };
    value.range = within_colours(text, value.range);
    cut_at_escape(text, &mut value);
    cut_at_pair(text, &mut value);
    cut_at_bracket(text, &name, &mut value);
    skip_scheme(text, &name, &mut value);
    skip_source(text, &mut value);
    if value.style == Style::Query && matches!(class, NameClass::Secret | NameClass::Key) {
        // A fragment ends the query; a password may have a hash in it.
        let token = &text[value.range.clone()];
        value.range.end = value.range.start + memchr::memchr(b'#', token).unwrap_or(token.len());
    }
    let may_be_key = matches!(class, NameClass::Secret | NameClass::Key);
    if may_be_key && !is_secret(text, &name, class, &value, false) {
        return;
    }
    let may_connect = !may_be_key || connection::is_key_part(&text[name.clone()]);
    // Between quotes a part of a connection string stands directly behind its sign.
    let is_bound = text.get(name.end) == Some(&b'=') && value.range.start == name.end + 2;
    let is_part = value.style != Style::Quoted || is_bound;
    let in_connection = may_connect && is_part && connection::surrounds(text, &name);
    if !may_be_key && !is_secret(text, &name, class, &value, in_connection) {
        return;
    }
    let (kind, rule) = match class {
        NameClass::Password | NameClass::Passphrase if in_connection => {
            (Kind::ConnectionString, "connection-password")
        }
        NameClass::Secret if in_connection => (Kind::ConnectionString, "connection-key"),
        NameClass::Password | NameClass::Passphrase => (Kind::Password, "password-assignment"),
        NameClass::Secret if is_private_key_name(&text[name.clone()]) => {
            (Kind::PrivateKey, "private-key-assignment")
        }
        NameClass::Secret | NameClass::Key => (Kind::ApiKey, "secret-assignment"),
    };
    found.push(Found::new(value.range, kind, rule));
}

/// Looks at each value of the list behind the name at `name`, or of the column below it.
fn look_at_list(text: &[u8], name: &Range<usize>, class: NameClass, found: &mut Vec<Found>) {
    let (kind, rule) = match class {
        NameClass::Secret | NameClass::Key => (Kind::ApiKey, "secret-assignment"),
        NameClass::Password | NameClass::Passphrase => (Kind::Password, "password-assignment"),
    };
    let cells = cells_below(text, name).into_iter();
    let cells = cells.map(|range| Value { range, style: Style::Quoted });
    for value in listed_values(text, name).into_iter().chain(cells) {
        // Among words a password is known by its looks alone.
        let is_shown = kind != Kind::Password || looks_random(&text[value.range.clone()]);
        if is_shown && is_secret(text, name, class, &value, false) {
            found.push(Found::new(value.range, kind, rule));
        }
    }
}

fn is_private_key_name(name: &[u8]) -> bool {
    let letters: Vec<u8> =
        name.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect();
    letters.ends_with(b"privatekey")
}

/// False when nothing behind the name at `start..end` binds it to a value.
pub fn may_bind(text: &[u8], start: usize, end: usize) -> bool {
    let name = name_around(text, start, end);
    let rest = &text[name.end..(name.end + 12).min(text.len())];
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_said = || {
        let wide = named(text, start, end).map(|(name, _)| name);
        wide.is_some_and(|name| said(&text[name.clone()], &text[name.end..]).is_some())
    };
    let binds = match rest.get(blanks) {
        None
        | Some(
            b'='
            | b':'
            | b'"'
            | b'\''
            | b'\\'
            | b'>'
            | b'<'
            | b'`'
            | b'+'
            | b'?'
            | b'|'
            | b'!'
            | b'%'
            | b'&'
            | b'\n'
            | b'\r'
            | 0x1b
            | 0x80..,
        ) => true,
        Some(b'(') => {
            let argument = rest[blanks + 1..].trim_ascii_start().first();
            argument.is_none_or(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'))
        }
        Some(b'*') => {
            [b"**".as_slice(), b"* = "].iter().any(|sign| rest[blanks..].starts_with(sign))
        }
        Some(b'[') => blanks == 0 && of_array(text, name.end).is_some(),
        Some(b')') => rest[1..].starts_with(b".to") || rest[1..].starts_with(b".is"),
        Some(b'{') => {
            rest[blanks..].starts_with(b"{ get") || blanks == 0 && rest[1..].starts_with(b"\"")
        }
        Some(b'}') => blanks == 0 && name.start > 0 && text[name.start - 1] == b'{',
        Some(b',') => blanks == 0 && (lists_value(text, &name, &rest[1..]) || is_said()),
        Some(b']') => rest[blanks + 1..].trim_ascii_start().starts_with(b"=>"),
        Some(_) => blanks > 0 && (binds_behind_blank(text, &name, &rest[blanks..]) || is_said()),
    };
    (binds && !(rest.starts_with(b"::") && rest.get(2) != Some(&b' '))
        || is_head(text, &name)
        || is_said_before(text, &name))
        && named(text, start, end).is_some()
}

/// True when what stands behind a name and a blank is its value by the words around it.
fn binds_behind_blank(text: &[u8], name: &Range<usize>, rest: &[u8]) -> bool {
    let word = &text[name.clone()];
    let at = skip_blanks(text, name.end);
    name.start > 0 && matches!(text[name.start - 1], b'-' | b'<')
        || rest.starts_with(b"As ")
        || is_typed(rest)
        || copula(rest).is_some()
        || told(word, rest).is_some()
        || rest.starts_with(b"--body")
        || rest.starts_with(b"--value")
        || rest.starts_with(b"-> ")
        || set_for(text, at).is_some()
        || is_declared(&text[..name.start])
        || stands_apart(word)
        || in_column(text, name, at).is_some()
}

fn is_secret(
    text: &[u8],
    name: &Range<usize>,
    class: NameClass,
    value: &Value,
    in_connection: bool,
) -> bool {
    let bytes = &text[value.range.clone()];
    if bytes.len() < 4 || bytes.len() > 1024 || is_placeholder(bytes) || jwt::is_documented(bytes) {
        return false;
    }
    if bytes.len() < 8 && bytes[0] == b')' {
        // The rest of a call behind a string that was cut off.
        return false;
    }
    if is_cut(text, &value.range) && matches!(class, NameClass::Secret | NameClass::Key) {
        return false;
    }
    let is_reference = bytes.ends_with(b":latest") || is_about(text, name, value);
    let is_other = is_reference || is_public(&text[name.clone()], bytes);
    if is_other || is_code(&text[name.clone()], bytes, value.style) {
        return false;
    }
    match class {
        NameClass::Password
            if in_connection
                && (!is_expression(bytes, value.style)
                    || is_scrambled(bytes)
                    || connection::is_property(text, name.start)) =>
        {
            // The arguments of a call read like the parts of a connection string.
            value.style == Style::Quoted || !names_itself(&text[name.clone()], bytes)
        }
        NameClass::Password => is_password(text, name, bytes, value.style),
        NameClass::Passphrase => {
            is_password(text, name, bytes, value.style)
                || (value.style == Style::Quoted && is_phrase(bytes))
        }
        NameClass::Secret => is_token(bytes, value.style) && shows_value(text, &value.range),
        NameClass::Key => {
            is_token(bytes, value.style)
                && is_certainly_random(bytes)
                && !is_cache_key(bytes)
                && (!is_uuid(bytes) || is_environment_name(&text[name.clone()]))
                && shows_value(text, &value.range)
        }
    }
}

/// True when the words around say that the value is shown to all, or is the name of another.
fn is_about(text: &[u8], name: &Range<usize>, value: &Value) -> bool {
    let word = text[name.clone()].rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let bytes = &text[value.range.clone()];
    let is_called = text.get(name.end) == Some(&b'(');
    let is_next = text.get(value.range.end + 1) == Some(&b',');
    let is_renamed = text[..name.start].ends_with(b"#define ")
        && is_environment_name(bytes)
        && bytes.contains(&b'_')
        && is_name(bytes);
    is_badge(text, name, value)
        || is_called && (asks(word) || is_next && word.starts_with(b"set"))
        || is_renamed
}

/// `badge.svg?token=…`: the picture of a state, which every visitor of a page loads.
fn is_badge(text: &[u8], name: &Range<usize>, value: &Value) -> bool {
    const NEAR: usize = 160;
    let near = &text[name.start.saturating_sub(NEAR)..name.start];
    let address =
        near.rsplit(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b'"')).next();
    value.style == Style::Query
        && text[name.clone()].eq_ignore_ascii_case(b"token")
        && address.is_some_and(|address| memchr::memmem::find(address, b"badge").is_some())
}

/// `getPassword`: a call that is not given what it is called by.
fn asks(name: &[u8]) -> bool {
    const VERBS: [&[u8]; 9] =
        [b"get", b"find", b"delete", b"remove", b"has", b"is", b"fetch", b"lookup", b"forgot"];
    let is_verb = |verb: &&[u8]| {
        let next = name.strip_prefix(*verb).and_then(|rest| rest.first());
        next.is_some_and(|byte| byte.is_ascii_uppercase() || *byte == b'_')
    };
    VERBS.iter().any(is_verb)
}

/// True when dots say that the value goes on and was not written out.
fn is_cut(text: &[u8], value: &Range<usize>) -> bool {
    let behind = &text[value.end..];
    let is_mark = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b',' | b')');
    let trimmed = text[value.clone()].iter().rev().skip_while(|byte| is_mark(byte));
    let dots = trimmed.take_while(|byte| **byte == b'.').count();
    behind.starts_with(b"...") || behind.starts_with("…".as_bytes()) || dots >= 2
}

fn is_password(text: &[u8], name: &Range<usize>, bytes: &[u8], style: Style) -> bool {
    if is_app_password(bytes) {
        return true;
    }
    if bytes.iter().any(|byte| byte.is_ascii_whitespace()) || is_expression(bytes, style) {
        return false;
    }
    if is_harmless_shape(bytes) && !text::is_digits(bytes)
        || is_without_case(bytes)
        || is_versioned(bytes)
    {
        return false;
    }
    let has_digit = bytes.iter().any(u8::is_ascii_digit);
    let last = text[name.clone()].rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_bare = last.eq_ignore_ascii_case(b"pass");
    // `FUNCTION_PASS("…")`: a step of a compiler.
    let is_step = last.ends_with(b"_PASS") && !looks_random(bytes);
    let is_called = (is_bare || is_step) && text.get(name.end) == Some(&b'(');
    let is_word = style == Style::Prose && !is_mixed(bytes);
    let is_told = matches!(style, Style::Colon | Style::Spaced) && !is_mixed(bytes);
    if is_called || is_bare && (is_word || is_told) {
        return false;
    }
    let is_odd = is_jumble(bytes) || is_scrambled(bytes) && !has_word(bytes);
    let is_given = matches!(style, Style::Flag | Style::Query);
    let is_written = is_given || style == Style::Markup;
    let is_odd = is_odd || is_written && is_scrambled(bytes) && !echoes_name(last, bytes);
    if is_common(bytes) && style != Style::Prose {
        return true;
    }
    if !matches!(style, Style::Spaced | Style::Prose) && is_passphrase(bytes) {
        return true;
    }
    let wordy = (is_wordy(bytes) && !has_digit && !is_odd)
        || is_lower_word(bytes)
        || is_accented_word(bytes) && !is_given;
    match style {
        Style::Environment => {
            bytes.len() >= 5 && (!wordy || is_environment_name(&text[name.clone()]))
        }
        Style::Quoted | Style::Flag | Style::Query => !wordy || is_lone_lower_word(bytes, style),
        Style::Netrc => true,
        Style::Markup => !wordy,
        Style::Colon | Style::Spaced | Style::Prose => {
            let is_set = style == Style::Colon && is_variable_name(&text[name.clone()]);
            let is_plain = is_set && bytes.len() >= 5 && bytes.iter().all(u8::is_ascii_lowercase);
            is_plain
                || !wordy
                    && !echoes_name(&text[name.clone()], bytes)
                    && (has_digit_or_symbol(bytes) || is_scrambled(bytes))
        }
    }
}

/// A long lower-case word given as a query part or flag is a weak password, not a label.
fn is_lone_lower_word(bytes: &[u8], style: Style) -> bool {
    style != Style::Quoted && bytes.len() >= 6 && bytes.iter().all(u8::is_ascii_lowercase)
}

fn is_lower_word(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_alphabetic)
        && bytes.iter().skip(1).all(u8::is_ascii_lowercase)
        && bytes.len() < 24
}

fn has_digit_or_symbol(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| !byte.is_ascii_alphabetic() && !matches!(byte, b'_' | b'.' | b'-'))
}

/// `password=login_password`, `password=data[CONF_PASSWORD]`: what holds the password, not itself.
fn names_itself(name: &[u8], value: &[u8]) -> bool {
    let end = memchr::memchr(b'[', value).filter(|at| *at > 0).unwrap_or(value.len());
    let is_index = end < value.len() && value.ends_with(b"]");
    let is_snake = value.contains(&b'_') && value.iter().all(|byte| is_snake_byte(*byte));
    is_index && is_path(&value[..end]) || is_snake && echoes_name(name, value)
}

fn is_snake_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte == b'_'
}

/// `password = password2` names another variable.
fn echoes_name(name: &[u8], value: &[u8]) -> bool {
    let letters = |bytes: &[u8]| -> Vec<u8> {
        bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect()
    };
    is_name(value) && {
        let (name, value) = (letters(name), letters(value));
        memchr::memmem::find(&name, &value).is_some()
            || memchr::memmem::find(&value, &name).is_some()
    }
}

/// One unbroken token with so many different characters that no name has them.
fn is_certainly_random(bytes: &[u8]) -> bool {
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_plain = bytes.iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b':')
    });
    is_plain && bytes.len() >= 20 && digits >= 3 && entropy(bytes) >= 3.3
}

fn is_token(bytes: &[u8], style: Style) -> bool {
    let is_object = bytes.starts_with(b"{\"") || bytes.starts_with(b"{\\\"");
    if bytes.iter().any(|byte| byte.is_ascii_whitespace())
        || is_object
        || is_expression(bytes, style)
    {
        return false;
    }
    if is_uuid(bytes) || (bytes.len() >= 12 && is_login(bytes)) {
        return true;
    }
    let is_odd = is_harmless_shape(bytes) || is_partly_masked(bytes) || is_pattern(bytes);
    let is_odd = is_odd || has_written_letter(bytes);
    !is_odd && looks_random(bytes) || is_written_in_hex(bytes)
}

/// Letters and digits written as hexadecimal numbers, of which few are different.
fn is_written_in_hex(bytes: &[u8]) -> bool {
    bytes.len() >= SHORTEST_RUN
        && bytes.iter().all(u8::is_ascii_hexdigit)
        && decoded(bytes).is_some_and(|text| looks_random(&text))
}

/// Code behind the name instead of a value: the same name again, a member of that
/// name, or an identifier that brackets and separators follow.
fn is_code(name: &[u8], bytes: &[u8], style: Style) -> bool {
    if style == Style::Quoted {
        return bytes.contains(&b'_') && echoes_name(name, bytes) && !is_certainly_random(bytes);
    }
    // `@password`: a variable of an object.
    let bytes = bytes.strip_prefix(b"@").filter(|rest| is_name(rest)).unwrap_or(bytes);
    let last = bytes.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let first = bytes.split(|byte| *byte == b'.').next().unwrap_or_default();
    let is_member = last.len() < bytes.len()
        && is_path(bytes)
        && (echoes_name(name, last) || is_name(first) && first.starts_with(name));
    let is_longer = is_name(bytes) && bytes.starts_with(name);
    if is_member || is_longer || name.eq_ignore_ascii_case(bytes) {
        return true;
    }
    if style == Style::Environment && is_environment_name(name) {
        return false;
    }
    let signs = b")}],;{(";
    let has_sign = bytes.iter().any(|byte| signs.contains(byte));
    let head = bytes.trim_ascii_start();
    let head = &head[head.iter().take_while(|byte| **byte == b'!').count()..];
    let end = head.iter().position(|byte| signs.contains(byte) || b":=?&|+<>".contains(byte));
    let head = &head[..end.unwrap_or(head.len())];
    let is_number = !head.is_empty() && head.iter().all(u8::is_ascii_digit);
    has_sign && (is_number || is_path(head) && !looks_random(head)) && has_word(bytes)
}

/// True when a part of `bytes` is a word in small letters.
fn has_word(bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|byte| !byte.is_ascii_lowercase());
    parts.any(|part| part.len() >= 3 && is_wordy(part))
}

/// Code where a literal would stand: calls, members, generics, references, pointers.
fn is_expression(bytes: &[u8], style: Style) -> bool {
    if matches!(style, Style::Quoted | Style::Netrc) {
        return false;
    }
    let first = bytes[0];
    let call = memchr::memchr(b'(', bytes).is_some_and(|at| at > 0 && is_path(&bytes[..at]));
    let index = memchr::memchr(b'[', bytes).is_some_and(|at| at > 0 && is_path(&bytes[..at]));
    let generic = memchr::memchr(b'<', bytes).is_some_and(|at| at > 0 && is_path(&bytes[..at]));
    let is_given = style == Style::Flag && bytes.iter().any(u8::is_ascii_digit);
    let member = is_path(bytes) && bytes.iter().any(|byte| matches!(byte, b'.' | b':'));
    let member = member && !is_given;
    call || index
        || generic
        || (member && !looks_random(bytes) && (!is_scrambled(bytes) || has_word(bytes)))
        || matches!(first, b'(' | b'{' | b'[' | b'<' | b'|' | b':') && !is_element(bytes, style)
        || (first == b'&' && is_path(&bytes[1..]))
        || (first == b'*' && is_path(&bytes[1..]))
        || matches!(bytes.last(), Some(b'{' | b'(' | b'['))
        || is_numbered(bytes)
}

/// The text of an element is no code, whatever it begins with.
fn is_element(bytes: &[u8], style: Style) -> bool {
    style == Style::Markup && looks_random(bytes)
}

/// `-6,next:-7`: a number, and the next name of a list.
fn is_numbered(bytes: &[u8]) -> bool {
    let rest = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && digits < 5 && rest.get(digits) == Some(&b',')
}

fn is_path(bytes: &[u8]) -> bool {
    bytes
        .first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@' | b'$'))
        && bytes.iter().all(|byte| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'.' | b':' | b'@' | b'$' | b'?' | b'!')
        })
}

/// Several lower-case words and nothing else, as passphrases are.
fn is_phrase(bytes: &[u8]) -> bool {
    let words = bytes.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
    words >= 4 && bytes.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ')
}
