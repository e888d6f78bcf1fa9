//! Where a rule matches, given that one of its keywords was seen.
//!
//! The search runs in a window around the keyword, so its cost does not depend
//! on the length of the text.

use std::ops::Range;

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};

use super::checks::{dummy_reason, entropy};
use super::rule::{Boundary, Rule, Tier};
use super::wordy::is_wordy;
use crate::egress::detect::private_key::holds_placeholder;
use crate::egress::detect::text::{is_base64_byte, is_joined_byte, run_end, run_start, starts_at};

/// How far before its value a context keyword may stand.
const CONTEXT_BEFORE: usize = 80;
/// How far along a line a context keyword reaches, so that one-line files stay linear.
const LINE_REACH: usize = 200;
/// How many matches one keyword may lead to.
const MATCHES_PER_HIT: usize = 8;

/// Every secret of `rule` in `text`, found the slow way: each keyword in turn.
pub fn find_all(rule: &Rule, text: &[u8]) -> Vec<Range<usize>> {
    let folded = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for keyword in &rule.keywords {
        for start in memchr::memmem::find_iter(&folded, keyword.as_bytes()) {
            found.extend(find_near(rule, text, start..start + keyword.len(), &mut 0));
        }
    }
    found
}

/// The secrets of `rule` that the keyword at `hit` vouches for.
///
/// Those that begin before `known` were found by a keyword before; `known` moves
/// on, so that a text full of keywords is searched once.
pub fn find_near(
    rule: &Rule,
    text: &[u8],
    hit: Range<usize>,
    known: &mut usize,
) -> Vec<Range<usize>> {
    find_some(rule, text, hit, known, usize::MAX)
}

/// True when the keyword at `hit` vouches for a secret of `rule` that begins at `known` or later.
///
/// Where none was found `known` moves on as in [`find_near`].
pub fn finds_near(rule: &Rule, text: &[u8], hit: Range<usize>, known: &mut usize) -> bool {
    let mut next = *known;
    let is_found = !find_some(rule, text, hit, &mut next, 1).is_empty();
    if !is_found {
        *known = next;
    }
    is_found
}

/// As many of the secrets that the keyword at `hit` vouches for as are `wanted`.
fn find_some(
    rule: &Rule,
    text: &[u8],
    hit: Range<usize>,
    known: &mut usize,
    wanted: usize,
) -> Vec<Range<usize>> {
    if !may_start(rule, text, &hit) {
        return Vec::new();
    }
    let Some(mut window) = window(rule, text, &hit) else { return Vec::new() };
    let Some(regex) = rule.regex() else { return Vec::new() };
    let line = line_of(rule, text, &window);
    if rule.tier == Tier::Context {
        window.start = window.start.max(*known);
        let certain = window.end.saturating_sub(rule.max_len);
        *known = (*known).max(certain.min(hit.end + LINE_REACH));
        if window.start >= window.end {
            return Vec::new();
        }
    }
    let is_missing = |sign| memchr::memchr(sign, &text[window.clone()]).is_none();
    if rule.needed_sign().is_some_and(is_missing) {
        return Vec::new();
    }
    let anchored = if is_anchored(rule) { Anchored::Yes } else { Anchored::No };
    let mut found = Vec::new();
    let mut from = window.start;
    for _ in 0..MATCHES_PER_HIT {
        let span = from - line..window.end - line;
        let input = Input::new(&text[line..]).span(span).anchored(anchored);
        let Some((whole, secret)) = search(regex, &input) else { break };
        let [whole, secret] = [whole, secret].map(|range| range.start + line..range.end + line);
        let is_match = vouches(rule, text, &hit, &whole)
            && passes(rule, &text[secret.clone()])
            && !(rule.tier == Tier::Proof && goes_on(text, &whole))
            && !is_inside_padding(text, &secret)
            && !(rule.tier == Tier::Proof && is_inside_blob(text, &whole))
            && !(rule.tier != Tier::Proof && is_told_apart(text, &hit, &secret))
            && !(rule.tier != Tier::Proof && begins_in_name(text, &secret))
            && !(rule.tier != Tier::Proof && is_digest(text, &secret));
        if is_match {
            found.push(secret);
            from = whole.end.max(from + 1);
        } else {
            from = whole.start + 1;
        }
        if from >= window.end || anchored == Anchored::Yes || found.len() >= wanted {
            break;
        }
    }
    found
}

/// True when `value` in `text` has the form of the rule, though it may look too little random.
pub fn fits(rule: &Rule, text: &[u8], value: &Range<usize>) -> bool {
    let Some(regex) = rule.regex().filter(|_| begins(rule)) else { return false };
    let input = Input::new(text).span(value.start..value.end).anchored(Anchored::Yes);
    let Some((whole, secret)) = search(regex, &input) else { return false };
    let secret = &text[secret];
    whole.end == value.end
        && !is_documented(rule, secret)
        && dummy_reason(secret).is_none()
        && rule.checks.iter().all(|check| check.is_guess() || check.passes(secret))
}

/// True when a sign that no token has stands between the match and more of it.
fn goes_on(text: &[u8], whole: &Range<usize>) -> bool {
    const REACH: usize = 64;
    let near = &text[..(whole.end + REACH).min(text.len())];
    let end = match near.get(whole.end) {
        // The rest of the token, of which the pattern takes only the head.
        Some(b'-' | b'_' | b'.') => {
            run_end(near, whole.end, |byte| is_joined_byte(byte) || byte == b'.')
        }
        _ => whole.end,
    };
    let is_opened = whole.start > 0 && text[whole.start - 1] == b'*';
    match near.get(end) {
        // An asterisk may also end what another one began: emphasis.
        Some(b'*') => match near.get(end + 1) {
            Some(byte) => byte.is_ascii_alphanumeric() || !is_opened && byte.is_ascii_whitespace(),
            None => false,
        },
        Some(b'^' | b'!') => near.get(end + 1).is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    }
}

/// True when something was hidden between a keyword and a secret, or beside the secret.
///
/// Before that the two stood further apart, or the secret was longer.
fn is_told_apart(text: &[u8], hit: &Range<usize>, secret: &Range<usize>) -> bool {
    const PLACEHOLDER: usize = 32;
    let between = hit.end.min(secret.end)..secret.start.max(hit.start);
    let before = &text[secret.start.saturating_sub(PLACEHOLDER)..secret.start];
    holds_placeholder(text.get(between).unwrap_or_default())
        || starts_at(text, secret.end, b"[REDACTED:")
        || before.ends_with(b"]") && holds_placeholder(before)
}

/// True when a secret begins in the middle of a name, whose value it would take with it.
fn begins_in_name(text: &[u8], secret: &Range<usize>) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let before = secret.start.checked_sub(1).map(|index| text[index]);
    let name = run_end(&text[..secret.end], secret.start, is_inner);
    before.is_some_and(is_inner)
        && text[name..secret.end].starts_with(b"=")
        && text[name..secret.end].iter().any(|byte| *byte != b'=')
}

/// True when the text says that the run around a secret is the digest of something: `sha256=…`.
fn is_digest(text: &[u8], secret: &Range<usize>) -> bool {
    const REACH: usize = 96;
    const LABELS: [&[u8]; 5] = [b"sha256=", b"sha384=", b"sha512=", b"sha1=", b"md5="];
    let floor = secret.start.saturating_sub(REACH);
    let run = floor + run_start(&text[floor..secret.start], secret.start - floor, is_base64_byte);
    LABELS.iter().any(|label| text[..run].ends_with(label))
}

/// True when a letter or digit follows the padding that ends a secret.
fn is_inside_padding(text: &[u8], secret: &Range<usize>) -> bool {
    text[secret.clone()].ends_with(b"=")
        && text.get(secret.end).is_some_and(u8::is_ascii_alphanumeric)
}

/// True when a match begins in the middle of something long in base64: a picture, a font.
fn is_inside_blob(text: &[u8], whole: &Range<usize>) -> bool {
    const LONG: usize = 96;
    let Some(floor) = whole.start.checked_sub(LONG) else { return false };
    let before = &text[floor..whole.start];
    matches!(before.last(), Some(b'+' | b'/'))
        && before.iter().all(|byte| is_base64_byte(*byte))
        && before.iter().any(u8::is_ascii_uppercase)
        && before.iter().any(u8::is_ascii_digit)
}

/// The first match and the secret in it, which is all of it unless a group says otherwise.
fn search(regex: &Regex, input: &Input<'_>) -> Option<(Range<usize>, Range<usize>)> {
    // Most searches find nothing, and groups cost more than that.
    let whole = regex.search(input)?.range();
    if regex.captures_len() == 1 {
        return Some((whole.clone(), whole));
    }
    let mut captures = regex.create_captures();
    regex.search_captures(input, &mut captures);
    let secret = captures.get_group_by_name("secret").map(|span| span.start..span.end);
    Some((whole.clone(), secret.unwrap_or(whole)))
}

/// False when the bytes beside the keyword alone rule a match out.
pub fn may_start(rule: &Rule, text: &[u8], hit: &Range<usize>) -> bool {
    let before = hit.start.checked_sub(1).map(|index| text[index]);
    let after = text.get(hit.end).copied();
    if rule.tier == Tier::Proof {
        let is_word = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        return !(is_word && is_anchored(rule));
    }
    // A short name inside a longer word is not that name.
    let is_letter = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic());
    let inner = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase());
    let ends_open = !text[hit.end - 1].is_ascii_alphabetic();
    hit.len() > 4 || !(is_letter(before) || (inner(after) && !ends_open))
}

/// True when a match can only begin where its keyword does.
pub fn is_anchored(rule: &Rule) -> bool {
    rule.boundary == Boundary::Token && begins(rule)
}

/// True when a match begins with its keyword.
pub fn begins(rule: &Rule) -> bool {
    rule.tier == Tier::Proof && rule.begins_with_keyword()
}

fn window(rule: &Rule, text: &[u8], hit: &Range<usize>) -> Option<Range<usize>> {
    let reach = rule.max_len;
    if rule.tier == Tier::Proof {
        let start = if is_anchored(rule) { hit.start } else { hit.end.saturating_sub(reach) };
        return Some(start..(hit.start + reach).min(text.len()));
    }
    let floor = hit.start.saturating_sub(LINE_REACH + reach);
    let start = match memchr::memrchr(b'\n', text.get(floor..hit.start)?) {
        Some(newline) => floor + newline + 1,
        None => floor,
    };
    let ceiling = (hit.end + LINE_REACH).min(text.len());
    let line_end = match memchr::memchr(b'\n', text.get(hit.end..ceiling)?) {
        Some(offset) => hit.end + offset,
        None => ceiling,
    };
    let end = line_end.max(hit.end + CONTEXT_BEFORE) + reach;
    Some(start..end.min(text.len()))
}

/// Where the line of a window starts that begins as a text does, whatever stands above it.
fn line_of(rule: &Rule, text: &[u8], window: &Range<usize>) -> usize {
    let is_line = rule.tier != Tier::Proof && text[..window.start].ends_with(b"\n");
    if is_line { window.start } else { 0 }
}

/// True when the keyword stands where the tier asks for it.
fn vouches(rule: &Rule, text: &[u8], hit: &Range<usize>, found: &Range<usize>) -> bool {
    match rule.tier {
        Tier::Proof => found.start <= hit.start && hit.end <= found.end,
        Tier::Context => found.start <= hit.end + LINE_REACH,
        Tier::Generic => {
            let inside = found.start <= hit.start && hit.end <= found.end;
            inside || is_assigned(text.get(hit.end..found.start).unwrap_or_default())
        }
    }
}

/// True when what lies between a name and a value looks like an assignment.
fn is_assigned(between: &[u8]) -> bool {
    !between.is_empty()
        && between.len() <= CONTEXT_BEFORE
        && between.iter().any(|byte| matches!(byte, b'=' | b':' | b'>' | b',' | b'(' | b' '))
}

fn passes(rule: &Rule, secret: &[u8]) -> bool {
    if secret.is_empty() || is_documented(rule, secret) {
        return false;
    }
    if rule.checks.iter().any(|check| check.is_certain(secret)) {
        return true;
    }
    if rule.tier == Tier::Generic && entropy(secret) < 3.0 {
        return false;
    }
    if rule.tier == Tier::Context
        && secret.len() >= 20
        && secret.iter().all(u8::is_ascii_alphanumeric)
        && is_wordy(secret)
    {
        return false;
    }
    dummy_reason(secret).is_none() && rule.checks.iter().all(|check| check.passes(secret))
}

/// True when a rule knows `secret` from the pages of its provider.
pub fn is_documented(rule: &Rule, secret: &[u8]) -> bool {
    rule.documented.iter().any(|value| memchr::memmem::find(secret, value.as_bytes()).is_some())
}
