//! The words with which a comment says that code was left out.
//!
//! Only words are judged here; what was really left out is told by comparing
//! the texts.

/// Words that by themselves say that something was left out.
const MARKERS: [&str; 13] = [
    "rest",
    "remaining",
    "remainder",
    "existing",
    "unchanged",
    "omitted",
    "elided",
    "truncated",
    "snip",
    "snipped",
    "unmodified",
    "abbreviated",
    "skipped",
];

/// Words that name what was left out.
const THINGS: [&str; 30] = [
    "code",
    "file",
    "class",
    "method",
    "methods",
    "function",
    "functions",
    "implementation",
    "implementations",
    "module",
    "body",
    "content",
    "contents",
    "imports",
    "definitions",
    "logic",
    "tests",
    "members",
    "fields",
    "lines",
    "stuff",
    "part",
    "parts",
    "everything",
    "script",
    "struct",
    "definition",
    "properties",
    "handlers",
    "component",
];

/// Words that may stand beside them.
const FILLERS: [&str; 44] = [
    "of",
    "the",
    "is",
    "are",
    "as",
    "before",
    "here",
    "goes",
    "go",
    "stays",
    "stay",
    "remains",
    "remain",
    "this",
    "in",
    "and",
    "for",
    "brevity",
    "above",
    "below",
    "not",
    "shown",
    "no",
    "changes",
    "change",
    "changed",
    "keep",
    "kept",
    "all",
    "your",
    "same",
    "other",
    "others",
    "previous",
    "previously",
    "original",
    "insert",
    "add",
    "include",
    "etc",
    "more",
    "unaltered",
    "with",
    "to",
];

/// Those of them that name what is not there.
const RESTS: [&str; 3] = ["rest", "remaining", "remainder"];

/// Words that are all that some comments say of what they leave out.
const ALONE: [&str; 8] =
    ["unchanged", "omitted", "elided", "truncated", "snip", "snipped", "unmodified", "abbreviated"];

/// Words that say that something stays, where what stays is not there.
const STAYING: [&str; 9] =
    ["same", "identical", "remain", "remains", "continues", "etc", "untouched", "intact", "alone"];

/// Words for what is not the one thing that changes.
const OTHERS: [&str; 5] = ["other", "others", "existing", "previous", "original"];

/// Words that may stand beside those.
const JOINING: [&str; 24] = [
    "nothing",
    "up",
    "else",
    "continue",
    "it",
    "so",
    "on",
    "from",
    "leave",
    "left",
    "was",
    "were",
    "needed",
    "required",
    "still",
    "exactly",
    "todo",
    "details",
    "version",
    "modification",
    "modifications",
    "block",
    "section",
    "line",
];

/// Ways to say that something is as it was, wherever they stand among such words.
const AS_IT_WAS: [&str; 13] = [
    "as before",
    "as is",
    "as it is",
    "as it was",
    "as original",
    "as the original",
    "as in the original",
    "not changed",
    "no changes",
    "no modifications",
    "nothing changes",
    "nothing changed",
    "nothing else changes",
];

/// All that some comments say instead of the code.
const INSTEAD: [&str; 6] = [
    "and so on",
    "see original",
    "see the original",
    "copy from original",
    "copy from the original",
    "copied from the original",
];

/// Words for what stood there before.
const FORMER: [&str; 3] = ["existing", "previous", "original"];

/// What one line of a comment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// That code was left out, whatever stands around it.
    LeftOut,
    /// The same, if code is missing there; else it is a remark.
    MaybeLeftOut,
    /// Something else.
    Other,
}

/// What one line of a comment says of code that is not there.
pub(super) fn says(line: &str) -> Says {
    if is_elision(line) {
        return Says::LeftOut;
    }
    if is_hint(line) || is_between_ellipses(line) { Says::MaybeLeftOut } else { Says::Other }
}

/// Whether a few words stand between two ellipses: `... validation ...`.
fn is_between_ellipses(line: &str) -> bool {
    let is_frame = |c: char| !c.is_alphanumeric() && !matches!(c, '.' | '…' | '"' | '\'');
    let text = line.trim_matches(is_frame);
    let starts = text.starts_with("...") || text.starts_with('…');
    let ends = text.ends_with("...") || text.ends_with('…');
    starts && ends && (1..=8).contains(&words(text).len())
}

/// Whether a line has one of the words that need no other.
pub(super) fn has_marker(text: &str) -> bool {
    words(text).iter().any(|word| MARKERS.contains(&word.as_str()))
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Whether one line of a comment only stands for code.
fn is_elision(line: &str) -> bool {
    let text = line.trim().trim_matches([
        '/', '#', '*', '-', '<', '>', '!', '{', '}', '[', ']', '(', ')', '=', ' ', '\t',
    ]);
    let has_ellipsis = text.contains("...") || text.contains('…');
    let words = words(text);
    if words.is_empty() {
        return has_ellipsis && text.chars().all(|c| matches!(c, '.' | '…' | ' '));
    }
    let is_in = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let has_marker = words.iter().any(|word| is_in(word, &MARKERS));
    let says_same =
        text.to_lowercase().contains("same as before") || text.to_lowercase().contains("no change");
    let is_closed = words
        .iter()
        .all(|word| is_in(word, &MARKERS) || is_in(word, &THINGS) || is_in(word, &FILLERS));
    let is_framed = text.starts_with("...") || text.starts_with('…');
    let names_the_rest = has_marker && (is_closed || is_framed) && words.len() <= 12;
    let has_thing = words.iter().any(|word| is_in(word, &THINGS));
    match (has_ellipsis, names_the_rest) {
        (true, true) => true,
        (true, false) => is_closed && (has_thing || says_same),
        (false, true) => {
            let names_a_rest = words.len() > 2 && words.iter().any(|word| is_in(word, &RESTS));
            words.len() > 1 && (has_thing || names_a_rest || says_unchanged(&words))
        }
        (false, false) => is_closed && says_same,
    }
}

/// "rest unchanged", "remaining omitted": two markers need no thing.
fn says_unchanged(words: &[String]) -> bool {
    words.iter().all(|word| MARKERS.contains(&word.as_str()))
}

/// Whether a line may stand for code: few words, and all of them of this kind.
fn is_hint(line: &str) -> bool {
    let words = words(line);
    let is_in = |word: &String, list: &[&str]| list.contains(&word.as_str());
    if let [word] = words.as_slice() {
        return is_in(word, &ALONE) || (word == "etc" && line.contains(['.', '…']));
    }
    let is_known = |word: &String| {
        let lists = [&MARKERS[..], &THINGS, &FILLERS, &STAYING, &JOINING];
        word.chars().all(|c| c.is_ascii_digit()) || lists.iter().any(|list| is_in(word, list))
    };
    let has =
        |lists: &[&[&str]]| words.iter().any(|word| lists.iter().any(|list| is_in(word, list)));
    let text = words.join(" ");
    if INSTEAD.contains(&text.as_str()) {
        return true;
    }
    let is_former_thing = has(&[&FORMER]) && has(&[&THINGS]) && words.len() <= 6;
    let says_it = has(&[&STAYING, &MARKERS])
        || is_former_thing
        || AS_IT_WAS.iter().any(|phrase| text.contains(phrase));
    // One name may stand for the thing, where the rest of it stays.
    let names_it = has(&[&RESTS, &OTHERS]) && has(&[&STAYING, &ALONE]);
    let strange = words.iter().filter(|word| !is_known(word)).count();
    (2..=8).contains(&words.len()) && says_it && strange <= usize::from(names_it)
}

#[cfg(test)]
mod tests {
    use super::{Says, is_elision, says};

    #[test]
    fn knows_the_usual_ways_of_leaving_code_out() {
        for text in [
            "// ... rest unchanged",
            "# rest of code",
            "/* existing code */",
            "// ...",
            "# …",
            "// ... existing code ...",
            "// rest of the file remains unchanged",
            "# ... (rest of the class stays the same)",
            "// (unchanged)  ...",
            "/* ... */",
            "// [existing methods unchanged]",
            "// Rest of implementation here",
            "// ... other methods ...",
            "# keep existing code",
            "// remaining code omitted for brevity",
            "// ... same as before ...",
            "// previous code unchanged",
            "// ... rest of handleClick unchanged",
            "// same as before",
            "// no changes here",
        ] {
            assert!(is_elision(text), "{text}");
        }
    }

    #[test]
    fn leaves_real_comments_alone() {
        for text in [
            "// The rest of the arguments are passed through to the shell.",
            "# existing users keep their old ids",
            "// handle the remaining bytes",
            "// unchanged",
            "# TODO: more tests",
            "// wait...",
            "// See the code below",
            "// e.g. foo, bar, ...",
            "/// Returns the remaining budget.",
            "// loading...",
            "# skip existing rows",
            "// all the other fields of this struct are private",
            "// ------",
            "// rest parameters",
            "// existing",
        ] {
            assert!(!is_elision(text), "{text}");
        }
    }

    #[test]
    fn some_words_leave_code_out_only_where_it_is_missing() {
        for text in [
            "# unchanged",
            "// <unchanged>",
            "/* --- snip --- */",
            "// (other methods remain the same)",
            "# [previous code remains the same]",
            "// everything else stays as is",
            "// same as above",
            "// as before",
            "// etc...",
            "// original code continues",
            "// continue with existing logic",
            "/* the others stay unchanged */",
            "{/* rest of the JSX stays the same */}",
            "// other routes unchanged",
            "# implementation as before",
            "// same as original",
            "// as in the original",
            "# lines 10-40 unchanged",
            "// no modifications needed here",
            "/* previous implementation */",
            "// TODO: keep existing implementation",
            "# details omitted",
            "// see original",
            "// leave as is",
            "// ... same ...",
            "{/* ... the toolbar ... */}",
            "# … parse the header …",
            "// rest of file stays untouched",
            "// TODO: keep the original body here",
            "/* nothing changes here */",
            "// leave this part alone",
            "# everything else is left intact",
        ] {
            assert_eq!(says(text), Says::MaybeLeftOut, "{text}");
        }
        for text in [
            "// the body is left unchanged when empty",
            "# keep the original",
            "// existing",
            "// same as above but for writes",
            "// remaining",
            "// unchanged since v2",
            "# skip existing rows",
            "//",
            "// see the rest of the module for details",
            "# copy the remaining fields",
            "// the previous implementation was quadratic",
            "// keep it as is: the API relies on it",
            "# the original list is not changed",
            "// do not change the order of the fields",
            "// previous value",
            "// ... and then the header is read",
            "// wait for the server ...",
            "# matches \"...a...\"",
            "// never touch this alone",
            "// nothing to do",
            "# the original body is sent to the server",
        ] {
            assert_eq!(says(text), Says::Other, "{text}");
        }
    }
}
