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
        [b'>', b' ', ..] => start + 2,
        _ => behind_number(text, start).or_else(|| behind_time(text, start)).unwrap_or(start),
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
            ("- name: x", "- name: x"),
            ("--name x", "--name x"),
            ("12 names", "12 names"),
        ] {
            assert_eq!(&line[behind_mark(line.as_bytes(), 0)..], expected, "{line}");
        }
    }
}
