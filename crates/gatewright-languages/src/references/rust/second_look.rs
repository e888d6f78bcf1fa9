//! The last look before a warning: does the text of the workspace give that name after all?
//!
//! Traits and macros add names to types and modules from anywhere. A search of
//! the text finds that, and costs nothing while there is nothing to warn of.

use std::sync::Arc;

use super::library;
use crate::references::session::{Area, Place, Session};
use crate::references::words;

/// How many files of a package are searched.
const SEARCHED: usize = 3_000;

/// Whether a macro of a folder can define a name: some other file spells it.
pub(super) fn is_spelt(session: &Session<'_>, folder: &Place, name: &str, path: &str) -> bool {
    let asked = Asked { folder, path, words: &[name, "paste"] };
    any(session, &asked, |text| {
        words::contains(text, name) || memchr::memmem::find(text, b"paste!").is_some()
    })
}

/// Why a trait that an installed type has may add members that cannot be known.
pub(super) fn foreign_opening(
    session: &Session<'_>,
    folder: &Place,
    name: &str,
) -> Option<&'static str> {
    let opening = trait_opening(session, name)?;
    let is_own =
        any(session, &Asked { folder, path: "", words: &[name] }, |text| is_trait(text, name));
    (!is_own || opening == "dereferenced type").then_some(opening)
}

fn is_trait(text: &[u8], name: &str) -> bool {
    words::occurrences(text, name).any(|start| text[..start].trim_ascii_end().ends_with(b"trait"))
}

/// Whether a file of the workspace spells a name in another way than as `.name` or `::name`.
pub(super) fn is_defined(session: &Session<'_>, name: &str, path: &str) -> bool {
    let defines = |text: &[u8]| {
        words::occurrences(text, name).any(|start| {
            let before = without_blanks(&text[..start]);
            !before.ends_with(b".") && !before.ends_with(b"::")
        })
    };
    let own = session.read(&Place::workspace(path));
    own.is_some_and(|text| defines(&text))
        || any(session, &Asked { folder: &Place::workspace(""), path, words: &[name] }, |text| {
            defines(text)
        })
}

/// A text without the blanks at its end; a line before may end with the full stop of a comment.
fn without_blanks(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    &text[..end.map_or(0, |at| at + 1)]
}

/// What a type is declared or implemented with.
const TYPES: [&[u8]; 5] = [b"enum", b"struct", b"trait", b"union", b"impl"];

/// Whether a name is that of a type behind an attribute, with what attributes put around it.
pub(super) fn is_made_of_type(session: &Session<'_>, name: &str) -> bool {
    const ENDS: &str = "Proxy ProxyBlocking Builder Args Client Server Ext Kind Discriminants \
        Fields Projection Ref Mut Iter Handle Enum Variant Variants Stream Changed Signal Service \
        Message Extension Form Query Mutation Plugin Inner Wrapper Mock Repr Bits Flags";
    let ends = ENDS.split_whitespace().filter_map(|end| name.strip_suffix(end));
    ends.chain(name.strip_prefix("Mock")).any(|of| {
        let asked = Asked { folder: &Place::workspace(""), path: "", words: &[of] };
        !of.is_empty() && any(session, &asked, |text| is_attributed(text, of))
    })
}

/// Whether a text declares a type behind an attribute that adds more than the language does.
fn is_attributed(text: &[u8], of: &str) -> bool {
    const PLAIN: &str = "derive Debug Clone Copy PartialEq Eq PartialOrd Ord Hash Default allow cfg \
        Serialize Deserialize serde non_exhaustive must_use repr doc expect cfg_attr pub crate";
    words::occurrences(text, of).any(|start| {
        let head = text[..start].trim_ascii_end();
        let Some(head) = TYPES.iter().find_map(|word| head.strip_suffix(*word)) else {
            return false;
        };
        // What stands between the end of the item before and this one.
        let from = head.iter().rposition(|byte| matches!(byte, b'}' | b';')).map_or(0, |at| at + 1);
        let head = String::from_utf8_lossy(&head[from..]);
        let lines = head.lines().filter(|line| line.trim_start().starts_with("#["));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        lines
            .flat_map(|line| line.split(|c| !is_word(c)))
            .any(|word| !word.is_empty() && !PLAIN.split_whitespace().any(|plain| plain == word))
    })
}

/// Whether a file of the workspace makes names of parts of names.
pub(super) fn joins_words(session: &Session<'_>) -> bool {
    let joining: &[&str] = &["paste", "concat_idents", "format_ident", "seq"];
    let asked = Asked { folder: &Place::workspace(""), path: "", words: joining };
    any(session, &asked, |text| {
        let makes = |word: &&str| {
            words::occurrences(text, word).any(|at| text.get(at + word.len()) == Some(&b'!'))
        };
        joining.iter().any(makes)
    })
}

/// Whether a file of the workspace defines a macro, or a procedural one as a function.
pub(super) fn is_macro(session: &Session<'_>, name: &str) -> bool {
    let words: [&[u8]; 4] = [b"macro_rules!", b"fn", b"macro", b"as"];
    is_after(session, &Place::workspace(""), name, &words)
}

/// Whether a file of a folder defines a macro by rules, which may be seen from its crate.
pub(super) fn is_macro_of(session: &Session<'_>, folder: &Place, name: &str) -> bool {
    is_after(session, folder, name, &[b"macro_rules!"])
}

fn is_after(session: &Session<'_>, folder: &Place, name: &str, before: &[&[u8]]) -> bool {
    any(session, &Asked { folder, path: "", words: &[name] }, |text| {
        words::occurrences(text, name).any(|start| {
            let head = text[..start].trim_ascii_end();
            before.iter().any(|word| head.ends_with(word))
        })
    })
}

/// Why a type of the workspace may have members that its own text does not give.
///
/// `is_one` says which reasons count.
pub(super) fn opening(
    session: &Session<'_>,
    of: &str,
    is_one: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let mut traits: Vec<String> = Vec::new();
    let is_whole =
        !any(session, &Asked { folder: &Place::workspace(""), path: "", words: &[of] }, |text| {
            collect_traits(text, of, &mut traits);
            false
        });
    if !is_whole {
        return Some("workspace too large");
    }
    traits.sort();
    traits.dedup();
    traits.iter().filter_map(|name| trait_opening(session, name)).find(|reason| is_one(reason))
}

/// Why a trait may add members that cannot be known.
pub(super) fn trait_opening(session: &Session<'_>, name: &str) -> Option<&'static str> {
    if matches!(name, "Deref" | "DerefMut") {
        return Some("dereferenced type");
    }
    if is_known(name) { None } else { bound_opening(session, name) }
}

/// The same of a trait that another one extends.
pub(super) fn bound_opening(session: &Session<'_>, name: &str) -> Option<&'static str> {
    const MARKS: [&str; 7] = ["static", "dyn", "Sized", "Send", "Sync", "Unpin", "Error"];
    if library::is_type(name) || library::in_prelude(name) || MARKS.contains(&name) {
        return None;
    }
    let is_own =
        any(session, &Asked { folder: &Place::workspace(""), path: "", words: &[name] }, |text| {
            is_trait(text, name)
        });
    (!is_own).then_some("trait of a package")
}

/// Traits of packages that add nothing, or only what is listed with the members.
fn is_known(name: &str) -> bool {
    const TRAITS: &str = "Serialize Deserialize DeserializeOwned Error Parser Args Subcommand \
        ValueEnum Visitor Arbitrary JsonSchema Zeroize ZeroizeOnDrop Pod Zeroable Eq Ord \
        Constructor AsRef Into From Display Copy Clone EnumString EnumIter AsRefStr IntoStaticStr \
        EnumDiscriminants EnumCount RngCore UpperHex LowerHex Sized Send Sync static dyn Fn FnMut \
        FnOnce Stream Sink Service Layer Body HttpBody AsyncRead AsyncWrite AsyncBufRead \
        AsyncSeek Encoder Decoder Subscriber Visit Value Serializer Deserializer SeqAccess MapAccess \
        EnumAccess VariantAccess SerializeSeq SerializeMap SerializeStruct SerializeTuple \
        SerializeTupleStruct SerializeTupleVariant SerializeStructVariant IntoDeserializer \
        DeserializeSeed Rng SeedableRng CryptoRng Log Message Name Enumeration Oneof Diagnostic \
        ParallelIterator IndexedParallelIterator UnindexedProducer Producer Consumer Folder Reducer \
        FromParallelIterator IntoParallelIterator ParallelExtend FromPyObject IntoPy IntoPyObject \
        ToPyObject IntoResponse FromRequest FromRequestParts Digest Update FixedOutput Reset Hash \
        Equivalent FusedStream FusedFuture Derivative Getters Wake ArcWake Source Drop";
    TRAITS.split_whitespace().any(|known| known == name)
}

/// The traits that a text implements for a type.
fn collect_traits(text: &[u8], of: &str, traits: &mut Vec<String>) {
    for start in words::occurrences(text, of) {
        let before = text[..start].trim_ascii_end();
        let before = strip_path(before);
        let Some(before) = before.strip_suffix(b"for") else { continue };
        let from = before.len().saturating_sub(200);
        let head = String::from_utf8_lossy(&before[from..]);
        let Some(at) = head.rfind("impl") else { continue };
        traits.extend(last_name(&head[at + 4..]));
    }
}

/// A text without the path and the reference that it ends with.
fn strip_path(text: &[u8]) -> &[u8] {
    let is_part = |byte: &u8| words::is_word(*byte) || matches!(byte, b':' | b'&' | b'\'');
    let Some(text) = text.strip_suffix(b"::") else { return text };
    let end = text.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
    text[..end].trim_ascii_end()
}

/// The last name of a trait path, its generic arguments aside.
fn last_name(head: &str) -> Option<String> {
    let mut depth = 0_i32;
    let mut plain = String::new();
    for c in head.chars() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let path = plain.split_whitespace().last()?;
    Some(path.rsplit("::").next()?.trim_start_matches(['!', '?']).to_owned())
}

/// Which files are asked.
struct Asked<'a> {
    folder: &'a Place,
    /// A file that is not.
    path: &'a str,
    /// Only files with one of these words can answer with yes.
    words: &'a [&'a str],
}

/// Whether any Rust file of a folder answers a question; true when they are too many.
fn any(session: &Session<'_>, asked: &Asked<'_>, mut is_it: impl FnMut(&[u8]) -> bool) -> bool {
    let Some(files) = files(session, asked.folder) else { return true };
    let may_answer = |file: &&Place| {
        file.area != Area::Workspace
            || file.path != asked.path
                && asked.words.iter().any(|word| session.may_hold(&file.path, word))
    };
    files
        .iter()
        .filter(may_answer)
        .any(|file| session.read(file).is_some_and(|text: Arc<[u8]>| is_it(&text)))
}

fn files(session: &Session<'_>, folder: &Place) -> Option<Vec<Place>> {
    if folder.area == Area::Workspace {
        let all = session.all_files()?;
        let rust = all.iter().filter(|file| file.ends_with(".rs"));
        return Some(rust.map(|file| Place::workspace(file.as_str())).collect());
    }
    let mut found = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        let listing = session.list(&folder);
        let rust = listing.files.iter().filter(|name| name.ends_with(".rs"));
        found.extend(rust.map(|name| folder.join(name)));
        folders.extend(listing.folders.iter().map(|name| folder.join(name)));
        if found.len() > SEARCHED {
            return None;
        }
    }
    Some(found)
}
