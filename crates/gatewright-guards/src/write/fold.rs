//! The one folded form in which protected names are matched, on every platform.
//!
//! File systems disagree on which spellings are the same name: some ignore
//! case, some drop invisible code points, some cut at a stream colon or strip
//! trailing dots. A name is folded by all of them at once, so that a spelling
//! that is an alias anywhere is an alias here. The fold decides only what
//! matches a rule; a name is never rewritten by it.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use super::code_points::is_ignorable;

/// How often the text is folded anew at most until it no longer changes.
const FOLD_ROUNDS: usize = 8;

/// Folds one component of a path: invisible code points, compatibility forms,
/// case, the stream after a colon, trailing dots and spaces.
///
/// Folding twice is folding once. A component that some system takes for the
/// parent directory folds to `..`.
///
/// ```
/// use gatewright_guards::write::fold_component;
/// assert_eq!(fold_component(".G\u{200c}iT::$INDEX_ALLOCATION"), ".git");
/// assert_eq!(fold_component("．．"), "..");
/// assert_eq!(fold_component("what is this…_-_a.snap"), "what is this..._-_a.snap");
/// ```
pub fn fold_component(component: &str) -> String {
    trim_component(&fold_text(component)).to_owned()
}

/// Folds a whole path into its components, at every kind of separator.
///
/// Empty components and `.` are left out.
///
/// ```
/// use gatewright_guards::write::fold_path;
/// assert_eq!(fold_path("a\\.GIT /Config"), ["a", ".git", "config"]);
/// ```
pub fn fold_path(path: &str) -> Vec<String> {
    FoldedPath::new(path).components
}

/// A path with its folded form, which is computed once and looked at often.
#[derive(Debug)]
pub(super) struct FoldedPath<'a> {
    /// The path as it is spelled.
    pub(super) spelled: &'a str,
    /// The folded text, before components are trimmed.
    pub(super) text: Cow<'a, str>,
    /// The folded components, without empty ones and `.`.
    pub(super) components: Vec<String>,
}

impl<'a> FoldedPath<'a> {
    /// Folds a path.
    pub(super) fn new(spelled: &'a str) -> Self {
        let text = fold_text(spelled);
        let components = text
            .split('/')
            .map(trim_component)
            .filter(|component| !matches!(*component, "" | "."))
            .map(str::to_owned)
            .collect();
        Self { spelled, text, components }
    }
}

/// Folds code points and separators, without a notion of components.
pub(super) fn fold_text(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return fold_ascii(text);
    }
    let mut folded = fold_once(text);
    for _ in 0..FOLD_ROUNDS {
        let again = fold_once(&folded);
        if again == folded {
            break;
        }
        folded = again;
    }
    Cow::Owned(folded)
}

fn fold_ascii(text: &str) -> Cow<'_, str> {
    let is_folded = |byte: u8| !byte.is_ascii_uppercase() && byte != b'\\' && !is_control(byte);
    if text.bytes().all(is_folded) {
        return Cow::Borrowed(text);
    }
    let fold = |byte: u8| if byte == b'\\' { '/' } else { byte.to_ascii_lowercase() as char };
    Cow::Owned(text.bytes().filter(|byte| !is_control(*byte)).map(fold).collect())
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 || byte == 0x7f
}

/// Upper case and back is full case folding and more: it also joins the
/// dotless i with i. It works on single characters, so that no context (the
/// final sigma) makes one name two.
fn fold_once(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let visible = text.nfkc().filter(|character| !is_ignorable(*character));
    for character in visible.flat_map(char::to_uppercase).flat_map(char::to_lowercase) {
        match character {
            '\u{3002}' => folded.push('.'),
            '\\' | '\u{2044}' | '\u{2215}' | '\u{2216}' | '\u{29f5}' | '\u{29f8}' | '\u{29f9}'
            | '\u{a5}' | '\u{20a9}' => folded.push('/'),
            other => folded.push(other),
        }
    }
    without_dots_of_i(&folded).nfkc().collect()
}

/// Drops the dot above wherever it stands among the marks of an i.
///
/// It is what is left of the dotted capital I in lower case, and marks that
/// stand between the two in one spelling follow them in another.
fn without_dots_of_i(text: &str) -> String {
    let mut marks_an_i = false;
    let keep = |character: &char| {
        let is_mark = canonical_combining_class(*character) != 0;
        marks_an_i = *character == 'i' || (marks_an_i && is_mark);
        !(marks_an_i && *character == '\u{307}')
    };
    text.nfkd().filter(keep).collect()
}

/// Cuts a folded component at its stream colon and strips trailing dots and spaces.
pub(super) fn trim_component(component: &str) -> &str {
    let name = component.split(':').next().unwrap_or(component);
    let trimmed = name.trim_end_matches(['.', ' ']);
    if !trimmed.trim_start_matches(' ').is_empty() {
        return trimmed;
    }
    match name.bytes().filter(|byte| *byte == b'.').count() {
        1 => ".",
        2 => "..",
        _ => "",
    }
}
