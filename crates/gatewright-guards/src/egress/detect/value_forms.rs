//! Values that stand further from their names: in objects, elements, declarations and diffs.

use std::ops::Range;

use super::key_surroundings::prefix_length;
use super::line_marks::behind_mark;
use super::private_key::holds_placeholder;
use super::text::{line_around, line_end, run_end, skip_blanks, skip_space, starts_at};
use super::value::{is_placeholder, looks_random};
use super::value_span::{LONGEST, Style, Value, bounded_to, quoted};

/// True when a name starts at `at` behind the word that declares an input of a module.
pub fn is_variable(text: &[u8], at: usize) -> bool {
    text[..at].ends_with(b"variable \"")
}

/// How far behind its brace the value of a declaration may stand.
pub const DEFAULT_REACH: usize = 240;

/// `{`, and in a line below it `default = "…"`.
pub fn default_below(text: &[u8], at: usize) -> Option<Value> {
    let open = skip_blanks(text, at);
    let key = default_key(text, open).filter(|_| text.get(open) == Some(&b'{'))?;
    // Before something between them was hidden the two stood further apart.
    if holds_placeholder(&text[open..key]) {
        return None;
    }
    let equals = skip_blanks(text, key + DEFAULT.len());
    (text.get(equals) == Some(&b'=')).then(|| quoted(text, skip_blanks(text, equals + 1))).flatten()
}

const DEFAULT: &[u8] = b"default";

/// Where `default` begins a line of the block that opens behind `at`, or stands first in it.
pub fn default_key(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..(at + DEFAULT_REACH).min(text.len())];
    let near = &near[..memchr::memchr(b'}', near).unwrap_or(near.len())];
    let begins = |offset: &usize| {
        let blanks = near[..*offset].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t'));
        let line = offset - blanks.count();
        near[..line].ends_with(b"\n") || near[..line] == *b"{"
    };
    memchr::memmem::find_iter(near, DEFAULT).find(begins).map(|offset| at + offset)
}

/// True when `before` ends as a line does in which the value of a declaration follows.
pub fn ends_with_default(before: &[u8]) -> bool {
    if before.ends_with(b"Default: ") {
        return true;
    }
    let name = before.strip_suffix(b"\"").map(<[u8]>::trim_ascii_end);
    let name = name.and_then(|rest| rest.strip_suffix(b"=")).map(<[u8]>::trim_ascii_end);
    name.is_some_and(|name| name.ends_with(DEFAULT))
}

/// The members of a parameter of a template that may stand before its value.
const MEMBERS: [&[u8]; 3] = [b"Type:", b"Description:", b"NoEcho:"];
/// The member that is the value.
const VALUE: &[u8] = b"Default:";
/// How far behind the start of its line a member may stand.
const MEMBER_INDENT: usize = 160;

/// The place of the member `word` in the line at `line`, behind which its value stands.
fn member_end(text: &[u8], line: usize, word: &[u8]) -> Option<usize> {
    let near = text.get(line..(line + MEMBER_INDENT).min(text.len()))?;
    let near = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
    let at = memchr::memmem::find(near, word)?;
    let is_first = at > 0 && near[at - 1] == b' ';
    is_first.then_some(line + at + word.len())
}

/// Where the lines end that stand between a parameter, above `line`, and its value.
///
/// `None` when its members are others.
pub fn parameter_end(text: &[u8], mut line: usize) -> Option<usize> {
    let first = line;
    for _ in 0..MEMBERS.len() {
        if !MEMBERS.iter().any(|word| member_end(text, line, word).is_some()) {
            break;
        }
        line = line_end(text, line);
    }
    (line > first).then_some(line)
}

/// `Default: value`, some lines below a name that ends its line at `at`.
pub fn parameter_value(text: &[u8], at: usize) -> Option<usize> {
    let line = parameter_end(text, line_end(text, at))?;
    member_end(text, line, VALUE).map(|end| skip_blanks(text, end))
}

/// How far behind its brace the value of an object with a name may stand.
pub const MEMBER_REACH: usize = 160;

/// `[-old-]{+new+}` of a diff by words: the first that may be a secret.
fn word_of_diff(text: &[u8], at: usize) -> Option<Value> {
    let part = |open: usize, close: &[u8]| -> Option<Range<usize>> {
        let near = &text[open..(open + LONGEST).min(text.len())];
        memchr::memmem::find(near, close).map(|length| open..open + length)
    };
    let mut new = at;
    if starts_at(text, at, b"[-") {
        let old = part(at + 2, b"-]")?;
        let is_alone = !starts_at(text, old.end + 2, b"{+");
        if !is_placeholder(&text[old.clone()]) && (is_alone || looks_random(&text[old.clone()])) {
            return Some(Value { range: old, style: Style::Environment });
        }
        new = old.end + 2;
    }
    let range = starts_at(text, new, b"{+").then(|| part(new + 2, b"+}")).flatten()?;
    Some(Value { range, style: Style::Environment })
}

/// The value that a plan puts in the place of `old`, `"old" -> "new"`, unless that is a secret.
pub fn changed(text: &[u8], old: Value) -> Value {
    let arrow = skip_blanks(text, old.range.end + 1);
    let bytes = &text[old.range.clone()];
    if !starts_at(text, arrow, b"->") || looks_random(bytes) && !is_placeholder(bytes) {
        return old;
    }
    quoted(text, skip_blanks(text, arrow + 2)).unwrap_or(old)
}

/// The types that texts have, where they stand behind a name.
const TYPES: [&[u8]; 5] = [b"string ", b"String ", b"str ", b"[]byte ", b"NSString "];

/// True when a name is followed by a type that texts have.
pub fn is_typed(behind: &[u8]) -> bool {
    TYPES.iter().any(|name| behind.starts_with(name))
}

/// `name string = "value"`, from behind the blank.
pub fn typed_before(text: &[u8], at: usize) -> Option<Value> {
    let name = TYPES.iter().find(|name| text[at..].starts_with(name))?;
    let equals = skip_blanks(text, at + name.len());
    (text.get(equals) == Some(&b'=')).then(|| quoted(text, skip_blanks(text, equals + 1))).flatten()
}

/// The length of the sign with which R assigns, or a shell gives a string, at the start of `text`.
pub fn left_arrow(text: &[u8]) -> Option<usize> {
    let is_sign = |sign: &&[u8]| text.starts_with(sign) && text.get(sign.len()) != Some(&b'-');
    [b"<-".as_slice(), b"<<-", b"<<<"].into_iter().find(is_sign).map(<[u8]>::len)
}

/// Behind the colours in which a value between quotes is shown, else `at`.
pub fn skip_colours(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while starts_at(text, end, b"\x1b[") {
        end = run_end(text, end + 2, |byte| byte.is_ascii_digit() || byte == b';') + 1;
    }
    if matches!(text.get(end), Some(b'"' | b'\'')) { end } else { at }
}

/// Behind the anchor or the type that YAML has before a value: `&name`, `!!str`.
pub fn skip_property(text: &[u8], at: usize) -> usize {
    let mark = match text.get(at..).unwrap_or_default() {
        [b'&', ..] => 1,
        [b'!', b'!', ..] => 2,
        _ => return at,
    };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let end = run_end(text, at + mark, is_name);
    if end > at + mark && text.get(end) == Some(&b' ') { skip_blanks(text, end) } else { at }
}

/// `name As String = "value"`, from behind the name.
pub fn declared_as(text: &[u8], at: usize) -> Option<Value> {
    if !starts_at(text, at, b"As ") {
        return None;
    }
    let end = run_end(text, at + 3, |byte| byte.is_ascii_alphanumeric() || byte == b' ');
    let is_declared = text.get(end) == Some(&b'=');
    is_declared.then(|| quoted(text, skip_blanks(text, end + 1))).flatten()
}

/// `: Type = "value"`.
pub fn typed(text: &[u8], at: usize) -> Option<Value> {
    let end = run_end(text, at, |byte| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'_' | b'<' | b'>' | b'[' | b']' | b'|' | b'&' | b'\'' | b' ' | b'.' | b'?' | b':'
            )
    });
    let equals = text.get(end).filter(|byte| **byte == b'=')?;
    debug_assert_eq!(*equals, b'=');
    let start = skip_blanks(text, end + 1);
    if end - at > 48 {
        return None;
    }
    quoted(text, start).or_else(|| default_argument(text, start))
}

/// `Field(default="…")`: what stands for a value that is not given.
fn default_argument(text: &[u8], at: usize) -> Option<Value> {
    const REACH: usize = 80;
    let near = &text[at..(at + REACH).min(text.len())];
    let near = &near[..memchr::memchr2(b'\n', b')', near).unwrap_or(near.len())];
    let word = memchr::memmem::find(near, b"default=")?;
    let call = memchr::memchr(b'(', &near[..word])?;
    near[..call]
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
        .then(|| quoted(text, at + word + b"default=".len()))
        .flatten()
}

/// What stands before the value of an object on a line of its own.
pub const MEMBER: &[u8] = b"\"value\": \"";

/// Where the value stands, on another line, in a small object that opens behind `at`.
pub fn member_key(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..(at + MEMBER_REACH).min(text.len())];
    let near = &near[..memchr::memchr(b'}', near).unwrap_or(near.len())];
    memchr::memmem::find(near, MEMBER).map(|offset| at + offset)
}

/// `{"sensitive": true, "value": "…"}`.
fn member(text: &[u8], open: usize) -> Option<Value> {
    let near = &text[open..(open + MEMBER_REACH).min(text.len())];
    let near = &near[..memchr::memchr2(b'\n', b'}', near).unwrap_or(near.len())];
    let Some(key) = memchr::memmem::find(near, b"value") else {
        let Some(key) = member_key(text, open) else { return first_member(near, open) };
        // Before something between them was hidden the two stood further apart.
        let is_told = holds_placeholder(&text[open..key]);
        return (!is_told).then(|| quoted(text, key + MEMBER.len() - 1)).flatten();
    };
    let key = open + key + 5;
    let key = key + usize::from(matches!(text.get(key), Some(b'"' | b'\'')));
    let operator = skip_blanks(text, key);
    let is_bound = matches!(text.get(operator), Some(b':' | b'='));
    is_bound.then(|| quoted(text, skip_blanks(text, operator + 1))).flatten()
}

/// `{"host": "value"}`: the first member of an object on one line, when it looks random.
fn first_member(near: &[u8], open: usize) -> Option<Value> {
    let key = quoted(near, skip_blanks(near, 1)).filter(|key| !key.range.is_empty())?;
    let colon = skip_blanks(near, key.range.end + 1);
    let value =
        (near.get(colon) == Some(&b':')).then(|| quoted(near, skip_blanks(near, colon + 1)));
    let value = value.flatten()?;
    let is_closed = near.get(value.range.end).is_some_and(|byte| matches!(byte, b'"' | b'\''));
    let range = open + value.range.start..open + value.range.end;
    let is_value = is_closed && looks_random(&near[value.range]);
    is_value.then_some(Value { range, style: Style::Quoted })
}

/// `PASSWORD FOR 'user'@'host' = '…'`, from behind the name.
pub fn set_for(text: &[u8], at: usize) -> Option<Value> {
    const REACH: usize = 96;
    if !starts_at(text, at, b"FOR ") {
        return None;
    }
    let near = &text[at..(at + REACH).min(text.len())];
    let near = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
    let equals = at + memchr::memchr(b'=', near)?;
    quoted(text, skip_blanks(text, equals + 1))
}

/// `"password").send_keys("…")`: what a test types into the field of that name, from behind it.
pub fn typed_into(text: &[u8], at: usize) -> Option<Value> {
    const CALLS: [&[u8]; 5] = [b".send_keys(", b".sendKeys(", b".fill(", b".type(", b".setValue("];
    let dot = run_end(text, at, |byte| matches!(byte, b')' | b']' | b'"' | b'\''));
    let call = CALLS.iter().find(|call| starts_at(text, dot, call))?;
    quoted(text, dot + call.len()).filter(|value| looks_random(&text[value.range.clone()]))
}

/// The value of an element, from behind its opening tag.
pub fn markup_value(text: &[u8], at: usize) -> Option<Value> {
    let start = skip_space(text, at);
    // `<setting name="…"><value>…</value>`: the value has an element of its own.
    let start = if starts_at(text, start, b"<value>") { start + 7 } else { start };
    let end =
        memchr::memchr(b'<', text.get(start..start + 512).unwrap_or(text.get(start..)?))? + start;
    let trimmed = text[start..end].trim_ascii_end().len();
    text.get(end + 1).filter(|byte| **byte == b'/')?;
    Some(Value { range: start..start + trimmed, style: Style::Markup })
}

/// The value of an element with attributes, which begin at `at`.
pub fn element_value(text: &[u8], at: usize) -> Option<Value> {
    const REACH: usize = 80;
    let near = &text[at..(at + REACH).min(text.len())];
    let close = memchr::memchr3(b'>', b'\n', b'<', near)?;
    let is_open = near[close] == b'>' && !near[..close].ends_with(b"/");
    is_open.then(|| markup_value(text, at + close + 1)).flatten()
}

/// `<key>name</key><string>value</string>`, `<td>name</td><td><code>value</code></td>`.
pub fn property_list_value(text: &[u8], at: usize) -> Option<Value> {
    const DEEPEST: usize = 3;
    let mut at = tag_end(text, at, b"</")?;
    for _ in 1..DEEPEST {
        at = tag_end(text, at, b"</").unwrap_or(at);
    }
    let mut open = tag_end(text, behind_prefix(text, at), b"<")?;
    for _ in 1..DEEPEST {
        open = tag_end(text, open, b"<").unwrap_or(open);
    }
    // The sign of an assignment has an element of its own where code is shown in colours.
    let sign = skip_blanks(text, open);
    match text.get(sign..sign + 2) {
        Some(b"=<" | b":<") => coloured_value(text, sign + 1),
        _ => markup_value(text, open),
    }
}

/// Behind what a tool puts before each line, when the next element stands below `at`.
fn behind_prefix(text: &[u8], at: usize) -> usize {
    const LONGEST: usize = 160;
    let line = line_around(text, at).start;
    let next = skip_blanks(text, at) + 1;
    let open = memchr::memchr(b'<', &text[line..at]).unwrap_or_default();
    if open == 0 || open > LONGEST || !matches!(text.get(next - 1), Some(b'\n')) {
        return at;
    }
    let below = &text[next..(next + LONGEST).min(text.len())];
    let below = &below[..memchr::memchr(b'\n', below).unwrap_or(below.len())];
    match prefix_length(below, &text[line..line + open]) {
        0 => at,
        length => next + length,
    }
}

/// What stands between quotes in the element behind the one that ends at `at`.
fn coloured_value(text: &[u8], at: usize) -> Option<Value> {
    let open = tag_end(text, tag_end(text, at, b"</")?, b"<")?;
    let value = markup_value(text, open)?.range;
    let shown = &text[value.clone()];
    let quote = ["\"", "'", "&quot;", "&#39;", "&#34;"]
        .iter()
        .find(|one| shown.starts_with(one.as_bytes()) && shown.ends_with(one.as_bytes()))?;
    let range = value.start + quote.len()..value.end.checked_sub(quote.len())?;
    (range.start < range.end).then_some(Value { range, style: Style::Quoted })
}

/// Behind the tag at `at` or behind blanks, which begins with `start`.
fn tag_end(text: &[u8], at: usize, start: &[u8]) -> Option<usize> {
    const LONGEST: usize = 48;
    let at = skip_space(text, at);
    let name = at + start.len();
    let is_named = text.get(name).is_some_and(u8::is_ascii_alphabetic);
    let near = text.get(name..(name + LONGEST).min(text.len()))?;
    let close = memchr::memchr2(b'>', b'\n', near).map(|offset| name + offset)?;
    (is_named && starts_at(text, at, start) && text[close] == b'>').then_some(close + 1)
}

/// What a call, a diff by words, an object or a dump at `at` holds; `None` when none stands there.
pub fn enclosed(text: &[u8], at: usize, symbol: &[u8]) -> Option<Option<Value>> {
    if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| starts_at(text, at, wrapper)) {
        return Some(quoted(text, at + wrapper.len()));
    }
    if starts_at(text, at, b"[-") || starts_at(text, at, b"{+") {
        return Some(word_of_diff(text, at));
    }
    if text.get(at) == Some(&b'{') {
        return Some(member(text, at));
    }
    if let Some(inner) = text[at..].strip_prefix(b"[[") {
        return Some(long_string(inner, at + 2));
    }
    let shown = skip_space(text, at);
    if symbol != b"=>" || !starts_at(text, shown, b"string(") {
        return None;
    }
    let length = run_end(text, shown + 7, |byte| byte.is_ascii_digit());
    Some(starts_at(text, length, b") ").then(|| quoted(text, length + 2)).flatten())
}

/// Calls that leave the meaning of their argument as it is.
const WRAPPERS: [&[u8]; 15] = [
    b"Some(",
    b"JSON.stringify(",
    b"SecretStr(",
    b"String(",
    b"Secret(",
    b"str(",
    b"String::from(",
    b"SecretString::from(",
    b"Secret::new(",
    b"Zeroizing::new(",
    b"Buffer.from(",
    b"std::string(",
    b"aws.String(",
    b"pulumi.String(",
    b"new String(",
];

/// `[[…]]`: a string of Lua, whose inner text begins at `start`.
fn long_string(inner: &[u8], start: usize) -> Option<Value> {
    let near = &inner[..inner.len().min(LONGEST)];
    let end = memchr::memmem::find(near, b"]]").filter(|end| !near[..*end].contains(&b'\n'))?;
    (end > 0).then_some(Value { range: start..start + end, style: Style::Quoted })
}

/// `{ get; set; } = "…"` of a property.
pub fn accessed(text: &[u8], brace: usize) -> Option<Value> {
    const REACH: usize = 48;
    let near = &text[brace..(brace + REACH).min(text.len())];
    let close = brace + memchr::memchr(b'}', near)?;
    let equals = skip_blanks(text, close + 1);
    (text.get(equals) == Some(&b'=')).then(|| quoted(text, skip_blanks(text, equals + 1))).flatten()
}

/// True when `before` ends with a word behind which a name and its value stand apart.
pub fn is_declared(before: &[u8]) -> bool {
    const WORDS: [&[u8]; 19] = [
        b"ENV ",
        b"setx ",
        b"Header set ",
        b"setenv ",
        b"set -gx ",
        b"set -x ",
        b"#define ",
        b"SetEnv ",
        b"proxy_set_header ",
        b"add_header ",
        b"fastcgi_param ",
        b"--secret ",
        b"--arg ",
        b"(def ",
        b"(setq ",
        b"(defvar ",
        b"(defconst ",
        b"(defparameter ",
        b"(define ",
    ];
    WORDS.iter().any(|word| before.ends_with(word))
}

/// True when the name at `at` begins its line, or a verb that sets it stands before it alone.
pub fn is_set(text: &[u8], at: usize) -> bool {
    let verb = ["set ", "SET ", "put "].iter().find(|verb| text[..at].ends_with(verb.as_bytes()));
    is_first(text, at - verb.map_or(0, |verb| verb.len()))
}

/// True when only blanks stand before `at` on its line.
pub fn is_first(text: &[u8], at: usize) -> bool {
    let start = behind_mark(text, line_around(text, at).start);
    text.get(start..at).is_some_and(|before| before.iter().all(|byte| matches!(byte, b' ' | b'\t')))
}

/// `storePassword 'value'`: a call without parentheses, alone on its line.
///
/// Dashes are in names of packages, behind which their version stands.
pub fn is_command(text: &[u8], name: &Range<usize>) -> bool {
    let line = line_around(text, name.start);
    let before = &text[line.start..name.start];
    !before.is_empty()
        && before.iter().all(|byte| matches!(byte, b' ' | b'\t'))
        && text[name.clone()].iter().all(u8::is_ascii_alphanumeric)
}

/// `:password "value"` of a Lisp.
pub fn is_symbol(text: &[u8], name: usize) -> bool {
    name > 0
        && text[name - 1] == b':'
        && (name == 1 || matches!(text[name - 2], b' ' | b'{' | b'(' | b'\n' | b','))
}

/// `PASSWORD 'value'` of SQL, `set(API_KEY "value")` of a build file.
pub fn is_statement(text: &[u8], name: &Range<usize>) -> bool {
    let is_constant =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    text[name.clone()].iter().all(is_constant)
}

/// `;name={value};`: a list of pairs has braces around what may hold its separator.
pub fn braced(text: &[u8], name: &Range<usize>, at: usize) -> Option<Option<Value>> {
    let is_pair = text[..name.start].ends_with(b";") && text.get(at) == Some(&b'{');
    is_pair.then(|| bounded_to(text, at + 1, Style::Quoted, brace_end(text, at + 1)))
}

/// Where the closing brace stands of a value that begins at `at`; a doubled one belongs to it.
fn brace_end(text: &[u8], at: usize) -> usize {
    let near = &text[..(at + LONGEST + 1).min(text.len())];
    let mut end = at;
    loop {
        end = run_end(near, end, |byte| byte != b'}' && byte != b'\n');
        if !near[end..].starts_with(b"}}") {
            return end;
        }
        end += 2;
    }
}
