//! What tools put before each line that they show: signs of a diff, numbers, times, quotes.
//!
//! Only marks of which a line has one are known, and none that a text of its own may begin with.

use super::text::{line_around, run_end, starts_at};

/// Where the text of the line at `start` begins, behind the mark that was put before it.
pub fn behind_mark(text: &[u8], start: usize) -> usize {
    match text.get(start..).unwrap_or_default() {
        [b'+', b' ', next, ..] if *next != b' ' => start + 2,
        [b'+', next, ..] if *next != b'+' => start + 1,
        [b'-', next, ..] if !matches!(next, b'-' | b' ') => start + 1,
        [b'>', b' ', ..] | [b'!', b' ', ..] => start + 2,
        [b'>', b'>', b'>', b' ', ..] => start + 4,
        _ => behind_number(text, start)
            .or_else(|| behind_time(text, start))
            .or_else(|| behind_source(text, start))
            .unwrap_or(start),
    }
}

/// True when nothing but a mark stands before `at` on its line.
pub fn begins_line(text: &[u8], at: usize) -> bool {
    let start = line_around(text, at).start;
    let is_start = start == 0 || text[start - 1] == b'\n';
    is_start && (at == start || behind_mark(text, start) == at)
}

/// `  12→`, `  12<tab>`, `  12 | `: the number of a line.
fn behind_number(text: &[u8], start: usize) -> Option<usize> {
    const SIGNS: [&[u8]; 5] = ["→".as_bytes(), b"\t", b" | ", " │ ".as_bytes(), b": "];
    const DIGITS: usize = 6;
    let digits = run_end(text, start, |byte| byte == b' ');
    let end = run_end(text, digits, |byte| byte.is_ascii_digit());
    let sign = SIGNS.iter().find(|sign| starts_at(text, end, sign))?;
    (1..=DIGITS).contains(&(end - digits)).then_some(end + sign.len())
}

/// How far the name of what wrote a line reaches, and what stands beside it.
const LONGEST_SOURCE: usize = 96;

/// `api-1  | `, `[pod/api/web] `, `data: `, `conf/prod.env:12:`, `4a539f6c (Ann Lee … 12) `,
/// `Jan 05 08:11:01 box app[812]: `, `#12 0.800 `: where a line comes from.
fn behind_source(text: &[u8], start: usize) -> Option<usize> {
    let near = &text[start..(start + LONGEST_SOURCE).min(text.len())];
    let near = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
    let length = match near.first()? {
        b'[' => pod(near),
        b'#' => step(near),
        b'd' if near.starts_with(b"data: ") => Some(6),
        b'A'..=b'Z' => journal(near),
        _ => service(near).or_else(|| place(near)).or_else(|| blame(near)),
    };
    length.map(|length| start + length)
}

/// `[pod/api/web] `
fn pod(line: &[u8]) -> Option<usize> {
    let close = memchr::memchr(b']', line)?;
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
    let is_pod = line[1..close].iter().all(is_inner) && line[1..close].contains(&b'/');
    (is_pod && line.get(close + 1) == Some(&b' ')).then_some(close + 2)
}

/// `#12 0.800 `
fn step(line: &[u8]) -> Option<usize> {
    let number = run_end(line, 1, |byte| byte.is_ascii_digit());
    let time = run_end(line, number + 1, |byte| byte.is_ascii_digit() || byte == b'.');
    let is_step = number > 1 && line.get(number) == Some(&b' ') && line.get(time) == Some(&b' ');
    (is_step && line[number..time].contains(&b'.')).then_some(time + 1)
}

/// `Jan 05 08:11:01 box app[812]: `
fn journal(line: &[u8]) -> Option<usize> {
    let [_, _, _, b' ', _, _, b' ', _, _, b':', _, _, b':', _, _, b' ', rest @ ..] = line else {
        return None;
    };
    let host = memchr::memchr(b' ', rest)?;
    let program = memchr::memmem::find(rest, b": ")?;
    let is_name = host < program && !rest[host + 1..program].contains(&b' ');
    is_name.then_some(line.len() - rest.len() + program + 2)
}

/// `api-1  | `
fn service(line: &[u8]) -> Option<usize> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let name = run_end(line, 0, is_name);
    let bar = run_end(line, name, |byte| byte == b' ');
    let is_numbered = matches!(line[..name], [.., b'-' | b'_', b'0'..=b'9']);
    (is_numbered && bar > name && line[bar..].starts_with(b"| ")).then_some(bar + 2)
}

/// `conf/prod.env:12:`, `conf/prod.env-12-`
fn place(line: &[u8]) -> Option<usize> {
    let is_path = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    let colon = run_end(line, 0, is_path);
    let ends = |end: usize| {
        let digits = line[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let path = &line[..end - digits];
        let sign = path.last().copied();
        let is_file = path.contains(&b'.') && path.len() > 3;
        (digits > 0 && is_file && matches!(sign, Some(b':' | b'-'))).then_some(sign)
    };
    if line.get(colon) == Some(&b':') {
        let number = run_end(line, colon + 1, |byte| byte.is_ascii_digit());
        let is_place = line.get(number) == Some(&b':') && ends(number).is_some();
        return is_place.then_some(number + 1);
    }
    let dashes = memchr::memchr_iter(b'-', &line[..colon]);
    dashes.skip(1).find(|dash| ends(*dash) == Some(Some(b'-'))).map(|dash| dash + 1)
}

/// `4a539f6c (Ann Lee 2026-01-02 10:00:00 +0100  3) `
fn blame(line: &[u8]) -> Option<usize> {
    const COMMIT: std::ops::Range<usize> = 7..41;
    let commit = run_end(line, 0, |byte| byte.is_ascii_hexdigit() || byte == b'^');
    let close = memchr::memmem::find(line, b") ")?;
    let is_blame = COMMIT.contains(&commit)
        && line[commit..].starts_with(b" (")
        && line[close - 1].is_ascii_digit();
    is_blame.then_some(close + 2)
}

/// `2026-03-04T09:11:00.22Z `: the time at which a line was written.
fn behind_time(text: &[u8], start: usize) -> Option<usize> {
    const SHORTEST: usize = 19;
    const LONGEST: usize = 36;
    let is_inner = |byte: u8| byte.is_ascii_digit() || b"-:.+TZ".contains(&byte);
    let end = run_end(text, start, is_inner);
    let time = text.get(start..end)?;
    let is_time = matches!(time, [_, _, _, _, b'-', _, _, b'-', _, _, b'T', ..])
        && (SHORTEST..=LONGEST).contains(&time.len());
    (is_time && text.get(end) == Some(&b' ')).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_of_a_line_is_left_out() {
        for (line, expected) in [
            ("+name x", "name x"),
            ("+- name: x", "- name: x"),
            ("+ name x", "name x"),
            ("+++ b/name", "+++ b/name"),
            ("> name x", "name x"),
            ("   12\tname x", "name x"),
            ("12→name x", "name x"),
            (" 12 | name x", "name x"),
            ("2026-03-04T09:11:00.2213456Z name x", "name x"),
            ("api-1  | name x", "name x"),
            ("[pod/api-7d9/web] name x", "name x"),
            ("data: name x", "name x"),
            ("conf/prod.env:12:name x", "name x"),
            ("conf/prod.env-12-name x", "name x"),
            ("4a539f6c (Ann Lee 2026-01-02 10:00:00 +0100  3) name x", "name x"),
            ("Jan 05 08:11:01 box app[812]: name x", "name x"),
            ("#12 0.800 name x", "name x"),
            ("[section] name", "[section] name"),
            ("api | name x", "api | name x"),
            ("some-name-12-x", "some-name-12-x"),
            ("name: x", "name: x"),
            ("- name: x", "- name: x"),
            ("--name x", "--name x"),
            ("12 names", "12 names"),
        ] {
            assert_eq!(&line[behind_mark(line.as_bytes(), 0)..], expected, "{line}");
        }
    }
}
