//! The headers that a file reaches, and the words in them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::declarations::{self, Declared};
use super::{commands, library};
use crate::references::Ecosystem;
use crate::references::session::{Area, Place, Session};
use crate::references::words::is_word;

/// How many headers are followed.
const FOLLOWED: usize = 400;
/// How many names of a type lead from one to the next.
const ALIASES: usize = 4;
/// Folders beside or above a file in which projects keep headers.
const USUAL: [&str; 6] = ["", "include", "src", "inc", "lib", "source"];

/// The words and includes of a header.
#[derive(Debug, Default)]
pub(super) struct Header {
    /// Hashes of its words, sorted.
    words: Vec<u64>,
    /// Hashes of the types and namespaces that it declares, sorted.
    types: Vec<u64>,
    /// Hashes of other names of types, each with that of the type, sorted.
    aliases: Vec<(u64, u64)>,
    /// What it hands to macros, which may make names of it.
    handed: Vec<Box<str>>,
    includes: Vec<Line>,
}

/// One include line.
#[derive(Debug, Clone)]
struct Line {
    path: String,
    is_system: bool,
    is_conditional: bool,
    /// Whether its condition has another branch, so that one of them is taken.
    is_alternative: bool,
}

/// What a file reaches.
#[derive(Default)]
pub(super) struct Reached {
    own: Vec<Arc<Header>>,
    /// The file read like a header.
    itself: Option<Arc<Header>>,
    installed: Vec<Arc<Header>>,
    /// The headers that could not be found and are not the library's own.
    pub(super) gaps: Vec<String>,
    /// Whether there were too many headers to follow them all.
    pub(super) is_cut: bool,
    /// The same of headers that only some systems include.
    pub(super) conditional_gaps: Vec<String>,
    /// Whether a header of the kernel is not on this machine.
    pub(super) lacks_kernel: bool,
}

impl Reached {
    /// Whether all headers are known.
    pub(super) fn is_whole(&self) -> bool {
        self.gaps.is_empty() && !self.is_cut
    }

    /// Whether a header of the workspace has a word.
    pub(super) fn in_workspace(&self, word: &str) -> bool {
        let hash = hash(word.as_bytes());
        self.own.iter().any(|header| header.words.binary_search(&hash).is_ok())
    }

    /// Whether the file or a header of the workspace declares a type or namespace.
    ///
    /// Another name of a type counts when all that it may stand for does.
    pub(super) fn has_type(&self, name: &str) -> bool {
        self.has_type_of(hash(name.as_bytes()), ALIASES)
    }

    fn has_type_of(&self, name: u64, steps: usize) -> bool {
        let headers = || self.own.iter().chain(&self.itself);
        if headers().any(|header| header.types.binary_search(&name).is_ok()) {
            return true;
        }
        let mut others = headers().flat_map(|header| header.aliases_of(name)).peekable();
        steps > 0
            && others.peek().is_some()
            && others.all(|other| library::is_plain(other) || self.has_type_of(other, steps - 1))
    }

    /// Whether a macro may make a name of something that a header hands to it.
    pub(super) fn may_make(&self, name: &str) -> bool {
        let mut headers = self.own.iter().chain(&self.installed);
        headers.any(|header| header.handed.iter().any(|part| declarations::is_part(name, part)))
    }

    /// Whether a header of a package has a word.
    pub(super) fn in_packages(&self, word: &str) -> bool {
        let hash = hash(word.as_bytes());
        self.installed.iter().any(|header| header.words.binary_search(&hash).is_ok())
    }
}

/// Where an include leads.
pub(super) enum Found {
    File(Place),
    /// A header of the C or C++ library that is not on this machine.
    Library,
    Nowhere,
}

/// Follows the includes of a file.
pub(super) fn reach(session: &Session<'_>, path: &str, text: &[u8]) -> Reached {
    let itself = session.index.facts("c header", text, || Header::read(text));
    let mut reached = Reached { itself: Some(itself), ..Reached::default() };
    let mut seen: HashSet<Place> = HashSet::from([Place::workspace(path)]);
    let from = Place::workspace(path);
    let mut pending: Vec<(Place, Line)> =
        includes(text).into_iter().map(|line| (from.clone(), line)).collect();
    while let Some((from, line)) = pending.pop() {
        let name = &line.path;
        let place = match find(session, &from, name, line.is_system) {
            Found::File(place) => place,
            Found::Library if !library::is_elsewhere(name) => {
                reached.lacks_kernel |= library::is_of_kernel(name);
                continue;
            }
            _ => {
                let is_gap = from.area == Area::Workspace && !is_configuration(name);
                let is_sure =
                    !line.is_conditional || (line.is_alternative && !library::is_elsewhere(name));
                if is_gap {
                    let gaps =
                        if is_sure { &mut reached.gaps } else { &mut reached.conditional_gaps };
                    gaps.push(name.clone());
                }
                continue;
            }
        };
        let is_in_tables = library::is_header(name) && !library::is_of_kernel(name);
        if is_in_tables && place.area == Area::Installed || !seen.insert(place.clone()) {
            continue;
        }
        if seen.len() > FOLLOWED {
            reached.is_cut = true;
            break;
        }
        let Some(bytes) = session.read(&place) else { continue };
        let header = session.index.facts("c header", &bytes, || Header::read(&bytes));
        let below = header.includes.iter().map(|below| Line {
            is_conditional: below.is_conditional || line.is_conditional,
            ..below.clone()
        });
        pending.extend(below.map(|below| (place.clone(), below)));
        let of =
            if place.area == Area::Workspace { &mut reached.own } else { &mut reached.installed };
        of.push(header);
    }
    reached
}

/// Whether a header is one that a build writes to say what the system has: it holds no code.
fn is_configuration(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or_default().to_lowercase();
    ["config", "version", "release", "build"].iter().any(|part| last.contains(part))
}

/// Finds the file that an include names.
pub(super) fn find(session: &Session<'_>, from: &Place, name: &str, is_system: bool) -> Found {
    if !is_system || from.area == Area::Installed {
        let beside = from.parent().and_then(|folder| joined(&folder, name));
        if let Some(place) = beside.filter(|place| is_file(session, place)) {
            return Found::File(place);
        }
    }
    let is_in_tables = library::is_header(name) && !library::is_of_kernel(name);
    if is_system && is_in_tables && from.area == Area::Workspace {
        return Found::Library;
    }
    let wraps = |place: &Place| is_system && wraps(session, place, name);
    if from.area == Area::Workspace
        && let Some(place) = near(session, from, name).filter(|place| !wraps(place))
    {
        return Found::File(place);
    }
    let installed = session.roots(Ecosystem::C).into_iter().filter_map(|root| joined(&root, name));
    if let Some(place) = installed.into_iter().find(|place| is_file(session, place)) {
        return Found::File(place);
    }
    if library::is_header(name) {
        return Found::Library;
    }
    if from.area == Area::Workspace {
        let named = commands::folders(session);
        let mut named = named.iter().filter_map(|folder| joined(folder, name));
        if let Some(place) = named.find(|place| is_file(session, place)) {
            return Found::File(place);
        }
    }
    match anywhere(session, name).filter(|place| !wraps(place)) {
        Some(place) if from.area == Area::Workspace => Found::File(place),
        _ => template(session, from, name).map_or(Found::Nowhere, Found::File),
    }
}

/// Whether a file includes a header of the system that is called like itself, and so is not it.
fn wraps(session: &Session<'_>, place: &Place, name: &str) -> bool {
    let asked = format!("<{name}>");
    session.read(place).is_some_and(|text| {
        memchr::memmem::find(&text, asked.as_bytes()).is_some()
            && includes(&text).iter().any(|line| line.is_system && line.path == name)
    })
}

/// The file from which a build makes a header, `zconf.h.in` for `zconf.h`.
fn template(session: &Session<'_>, from: &Place, name: &str) -> Option<Place> {
    if from.area != Area::Workspace {
        return None;
    }
    const ENDS: [&str; 5] = [".in", ".cmake", ".cmake.in", ".cmakein", ".tmpl"];
    ENDS.iter().find_map(|end| anywhere(session, &format!("{name}{end}")))
}

/// Looks in the usual folders above a file.
fn near(session: &Session<'_>, from: &Place, name: &str) -> Option<Place> {
    let mut folder = from.parent();
    while let Some(here) = folder {
        for usual in USUAL {
            let base = if usual.is_empty() { here.clone() } else { here.join(usual) };
            if let Some(place) = joined(&base, name)
                && is_file(session, &place)
            {
                return Some(place);
            }
        }
        folder = here.parent();
    }
    None
}

/// Looks for a header by the end of its path, in the whole workspace.
fn anywhere(session: &Session<'_>, name: &str) -> Option<Place> {
    type Headers = HashMap<String, Vec<String>>;
    let last = name.rsplit('/').next().unwrap_or_default();
    let headers = match session.index.remembered::<Headers>("c headers") {
        Some(headers) => headers,
        None => {
            let mut headers = Headers::new();
            for file in session.all_files()?.iter() {
                let last = file.rsplit('/').next().unwrap_or_default();
                headers.entry(last.to_owned()).or_default().push(file.clone());
            }
            let headers = Arc::new(headers);
            session.index.remember("c headers", Arc::clone(&headers));
            headers
        }
    };
    let plain = name.trim_start_matches("../");
    let ends = |file: &&String| file.as_str() == plain || file.ends_with(&format!("/{plain}"));
    let found = headers.get(last)?.iter().find(ends)?;
    Some(Place::workspace(found.as_str()))
}

fn is_file(session: &Session<'_>, place: &Place) -> bool {
    let Some(folder) = place.parent() else { return false };
    let name = place.path.rsplit('/').next().unwrap_or_default();
    session.list(&folder).files.contains(name)
}

pub(super) fn joined(folder: &Place, path: &str) -> Option<Place> {
    let mut here = folder.clone();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => here = here.parent()?,
            name => here = here.join(name),
        }
    }
    Some(here)
}

impl Header {
    fn aliases_of(&self, name: u64) -> impl Iterator<Item = u64> {
        let start = self.aliases.partition_point(|(alias, _)| *alias < name);
        let same = self.aliases[start..].iter().take_while(move |(alias, _)| *alias == name);
        same.map(|(_, of)| *of)
    }

    fn read(bytes: &[u8]) -> Self {
        let mut words: Vec<u64> =
            bytes.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty()).map(hash).collect();
        words.sort_unstable();
        words.dedup();
        let (mut types, mut aliases) = (Vec::new(), Vec::new());
        for declared in declarations::types(bytes) {
            match declared {
                Declared::Type(name) => types.push(hash(name)),
                Declared::Alias(name, of) => aliases.push((hash(name), hash(of))),
            }
        }
        types.sort_unstable();
        types.dedup();
        aliases.sort_unstable();
        aliases.dedup();
        Self {
            words,
            types,
            aliases,
            handed: declarations::handed(bytes),
            includes: includes(bytes),
        }
    }
}

/// The include lines of a header.
///
/// A condition around everything is taken for the guard against a second reading.
fn includes(bytes: &[u8]) -> Vec<Line> {
    let mut guards = 0;
    let mut found: Vec<Line> = Vec::new();
    // For each condition: where its lines start, and whether it has another branch.
    let mut conditions: Vec<(usize, bool)> = Vec::new();
    let mut was_guard = false;
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some(directive) = line.trim_ascii_start().strip_prefix(b"#") else { continue };
        let directive = directive.trim_ascii_start();
        if was_guard && conditions.len() == 1 && directive.starts_with(b"define") {
            guards = 1;
        }
        was_guard = conditions.is_empty() && found.is_empty() && directive.starts_with(b"if");
        if directive.starts_with(b"if") {
            conditions.push((found.len(), false));
        } else if directive.starts_with(b"el") {
            if let Some((_, has_else)) = conditions.last_mut() {
                *has_else = true;
            }
        } else if directive.starts_with(b"endif") {
            let (start, has_else) = conditions.pop().unwrap_or((found.len(), false));
            found[start..].iter_mut().for_each(|line| line.is_alternative |= has_else);
        } else if let Some((path, is_system)) = include(line) {
            let is_conditional = conditions.len() > guards;
            found.push(Line { path, is_system, is_conditional, is_alternative: false });
        }
    }
    found
}

/// The path of an include line, and whether it is in angle brackets.
fn include(line: &[u8]) -> Option<(String, bool)> {
    let line = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = line.strip_prefix(b"include")?.trim_ascii_start();
    let (open, rest) = rest.split_first()?;
    let close = match open {
        b'<' => b'>',
        b'"' => b'"',
        _ => return None,
    };
    let end = rest.iter().position(|byte| *byte == close)?;
    Some((String::from_utf8_lossy(&rest[..end]).into_owned(), close == b'>'))
}

pub(super) fn hash(word: &[u8]) -> u64 {
    word.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
