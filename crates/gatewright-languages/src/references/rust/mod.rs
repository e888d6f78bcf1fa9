//! Rust: crates, modules and types.
//!
//! [`walk`] turns a file into [`facts`]; [`crates`] and [`modules`] find what
//! names stand for by path; [`resolver`] follows paths; this file asks about
//! every reference. What macros, derives and traits of packages may add is
//! unknown, and [`second_look`] reads the workspace before anything is said to
//! be missing.

mod attributes;
mod code;
mod crates;
mod extensions;
mod facts;
mod fields;
mod given;
mod library;
mod listed;
mod locals;
mod macros;
mod manifest;
mod modules;
mod plain;
mod resolver;
mod second_look;
mod tokens;
mod uses;
mod values;
mod walk;
mod weighed;

use std::collections::HashMap;
use std::rc::Rc;

use self::crates::NOT_INSTALLED;
use self::facts::{Name, Path, Reference, Role, Segment, Target};
use self::modules::ModuleRef;
use self::resolver::{Answer, Found, Gap, Resolver};
use self::weighed::TAKEN_OVER;
use super::collector::{Collector, Kind};
use super::session::{Area, Place, Session};

/// Types of the standard library that lead to the members of another type.
const SEEN_THROUGH: &str = "Box Rc Arc Weak UniqueRc UniqueArc ThinBox Ref RefMut MutexGuard \
RwLockReadGuard RwLockWriteGuard MappedMutexGuard MappedRwLockReadGuard MappedRwLockWriteGuard \
ReentrantLockGuard PeekMut Pin Cow ManuallyDrop LazyLock LazyCell AssertUnwindSafe";

/// Members that well-known derives and attributes add.
const DERIVED: &str = "serialize deserialize parse try_parse parse_from try_parse_from command \
update_from value_variants to_possible_value project project_ref project_replace iter builder \
augment_args from_arg_matches as_ref_str variants json_schema schema_name zeroize arbitrary COUNT \
VARIANTS poll_next start_send poll_flush poll_close poll_ready remaining chunk advance copy_to_slice \
get_u8 get_u16 get_u32 get_u64 put put_slice put_u8 put_u16 put_u32 put_u64 bytes_mut advance_mut \
remaining_mut chunk_mut has_remaining chunks_vectored call layer poll_frame is_end_stream size_hint \
poll_data poll_trailers poll_read poll_write poll_shutdown poll_fill_buf consume poll_seek \
start_seek poll_complete encode decode decode_eof record_str record_debug record_bool record_u64 \
record_i64 record_error record_f64 next_element next_element_seed next_key next_value next_entry \
next_key_seed next_value_seed unit_variant newtype_variant tuple_variant struct_variant variant \
serialize_element serialize_field serialize_key serialize_value serialize_entry end collect_str \
random random_range random_bool gen gen_range gen_bool fill_bytes next_u32 next_u64 from_seed \
seed_from_u64 encoded_len merge encode_to_vec clear merge_field drive drive_unindexed with_producer \
opt_len split_off_left to_reducer into_folder full complete extract into_py to_object into_response \
from_request finalize digest update finalize_into finalize_reset reset is_terminated severity help \
labels related url diagnostic_source split_at map for_each try_fold enabled flush register \
reregister deregister framed instrument in_current_span with_subscriber put_bytes get_int is_none_error wake_by_ref new_span on_event";

/// The answers about one file; `None` when it cannot be parsed.
pub(crate) fn check(session: &Session<'_>, path: &str, text: &[u8]) -> Option<Collector> {
    let place = Place::workspace(path);
    let file = modules::facts_of_checked(session, text)?;
    let home = crates::home(session, &place).map(Rc::new);
    let module = ModuleRef { place, file, number: 0, home };
    let mut checker = Checker {
        resolver: Resolver::new(session),
        session,
        path,
        module: &module,
        found: Collector::default(),
        known: HashMap::new(),
    };
    for reference in &module.file.references {
        checker.reference(reference);
    }
    Some(checker.found)
}

struct Checker<'a> {
    resolver: Resolver<'a>,
    session: &'a Session<'a>,
    path: &'a str,
    module: &'a ModuleRef,
    found: Collector,
    known: HashMap<(usize, bool, Vec<Name>), Answer>,
}

impl Checker<'_> {
    fn reference(&mut self, reference: &Reference) {
        let from = ModuleRef { number: reference.module, ..self.module.clone() };
        if !from.facts().is_rewritten {
            return self.target(&from, reference);
        }
        self.rewritten(&from, reference);
    }

    fn target(&mut self, from: &ModuleRef, reference: &Reference) {
        match &reference.target {
            Target::Use(path) => {
                let answer = self.answer(from, path, true);
                if let Answer::Unknown(NOT_INSTALLED) = answer
                    && let Some(name) = self.taken_over(from, path, true)
                {
                    let is_last = name.offset == path.last().map_or(0, |last| last.offset);
                    let kind = if is_last { Kind::Import } else { Kind::Module };
                    return self.found.doubtful(&name.name, kind, name.offset, TAKEN_OVER);
                }
                if let (Answer::Unknown(_), [_, _, ..]) = (&answer, path.as_slice())
                    && let Some((name, reason)) = self.first_untold(from, path, true)
                    && reason != NOT_INSTALLED
                {
                    return self.found.doubtful(&name.name, Kind::Package, name.offset, reason);
                }
                self.report(answer, path, Role::Value, true);
            }
            Target::Crate(name) => {
                let answer = self.resolver.crate_named(from, &name.name);
                self.report(answer, std::slice::from_ref(name), Role::Value, true);
            }
            Target::Path(path, role) => self.path(from, path, *role),
            Target::Member { of, member, is_call } => {
                let of = of.as_ref().and_then(|of| self.type_of(from, of, member.offset));
                self.member(of, member, *is_call);
            }
            Target::Field { of, field } => {
                if self.is_declared(of) || self.may_be_variant(of) {
                    return self.found.unknown("type parameter");
                }
                let found = self.resolver.type_at(from, of);
                match self.variant(from, of) {
                    Some((found, variant)) => self.variant_field(&found, &variant, field),
                    None => self.field(found, field),
                }
            }
        }
    }

    fn is_declared(&self, path: &[Name]) -> bool {
        path.first().is_some_and(|first| self.module.file.declared.contains(first))
    }

    fn answer(&mut self, from: &ModuleRef, path: &[Segment], is_use: bool) -> Answer {
        let key = (from.number, is_use, facts::names(path));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let answer = self.resolver.path(from, &key.2, is_use);
        self.known.insert(key, answer.clone());
        answer
    }

    fn path(&mut self, from: &ModuleRef, path: &Path, role: Role) {
        let Some(first) = path.first() else { return };
        if self.module.file.declared.contains(&first.name) {
            return self.found.exists();
        }
        // The second is what pinned structures spell `Drop` as.
        if path.len() == 1 && (library::in_prelude(&first.name) || &*first.name == "PinnedDrop") {
            return self.found.exists();
        }
        let answer = self.answer(from, path, false);
        if matches!(role, Role::Macro | Role::Derive) {
            return self.macro_named(from, answer, path, role);
        }
        // What no `use` names can only come with all names of something that is not known.
        if let (Answer::Unknown(_), [_]) = (&answer, path.as_slice())
            && let Some((name, reason)) = self.first_untold(from, path, false)
        {
            return self.found.doubtful(&name.name, Self::kind_by(role), name.offset, reason);
        }
        if let Answer::Unknown(NOT_INSTALLED) = answer
            && let Some(name) = self.taken_over(from, path, false)
        {
            return self.found.doubtful(&name.name, Kind::Attribute, name.offset, TAKEN_OVER);
        }
        self.report(answer, path, role, false);
    }

    fn report(&mut self, answer: Answer, path: &[Segment], role: Role, is_use: bool) {
        let gap = match answer {
            Answer::Found(_) => return self.found.exists(),
            Answer::Unknown("macro") if self.is_in_no_macro(path) => Gap::at_end_of(path),
            Answer::Unknown(reason) if is_use => return self.untold(path, reason),
            Answer::Unknown(reason) => return self.found.unknown(reason),
            Answer::Missing(gap) => gap,
        };
        let Some(name) = path.get(gap.at) else { return };
        if gap.of_type {
            let of = path.get(gap.at.wrapping_sub(1));
            let is_upper = name.name.starts_with(|first: char| first.is_ascii_uppercase());
            let sort = if is_upper { Sort::Variant } else { Sort::Function };
            return self.missing_member(&gap, of.map(|of| &*of.name), name, sort);
        }
        if let Some(folder) = &gap.macros_of
            && second_look::is_spelt(self.session, folder, &name.name, self.path)
        {
            return self.found.unknown("macro");
        }
        if second_look::is_made_of_type(self.session, &name.name) {
            return self.found.unknown("macro");
        }
        let is_last = gap.at + 1 == path.len();
        let own = Place::workspace("");
        let is_macro = |folder: &Place| second_look::is_macro_of(self.session, folder, &name.name);
        if is_last && is_use && (is_macro(&own) || gap.macros_of.iter().any(is_macro)) {
            return self.found.unknown("macro");
        }
        if is_last && is_use && self.is_macro_handed_on(path) {
            return self.found.unknown("macro");
        }
        let kind = match role {
            _ if gap.is_crate && gap.at == 0 => Kind::Package,
            _ if is_use && is_last => Kind::Import,
            _ if is_use || !is_last => Kind::Module,
            Role::Call if gap.at == 0 => Kind::Call,
            Role::Type => Kind::Class,
            _ if gap.at > 0 => Kind::Attribute,
            _ => Kind::Name,
        };
        self.miss(&name.name, kind, name.offset, &gap);
    }

    /// Whether a path ends with a variant or constant that no macro can have made: nothing spells
    /// it.
    fn is_in_no_macro(&self, path: &[Segment]) -> bool {
        let [before @ .., of, last] = path else { return false };
        let is_own = |first: &Segment| matches!(&*first.name, "crate" | "self" | "super");
        let is_upper = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
        before.first().is_none_or(is_own)
            && is_upper(&of.name)
            && is_upper(&last.name)
            && !library::is_member(&last.name)
            && !second_look::joins_words(self.session)
            && !second_look::is_defined(self.session, &last.name, self.path)
    }

    /// Notes what is missing, with the names that are where it should be.
    fn miss(&mut self, name: &str, kind: Kind, offset: usize, gap: &Gap) {
        let names = match (&gap.place, kind, &self.module.home) {
            (_, Kind::Package, Some(home)) => home.manifest.dependencies.keys().cloned().collect(),
            (Some(place), ..) => place.names(),
            _ => Vec::new(),
        };
        self.found.missing(name, kind, offset, names.iter().map(String::as_str));
    }

    fn member(&mut self, of: Option<Found>, member: &Segment, is_call: bool) {
        let name = &member.name;
        match of {
            Some(Found::StdType(of)) if is_plain(&of) => {
                if library::is_member(name) {
                    return self.found.exists();
                }
                self.missing_member(&Gap::default(), Some(&of), member, Sort::Method);
            }
            Some(Found::Type(module, of)) => {
                let Some(facts) = module.file.types.get(&of) else {
                    return self.found.unknown("type not plain");
                };
                let is_there = facts.members.contains(name)
                    || facts.fields.contains(name)
                    || (is_call && library::is_member(name));
                if is_there {
                    return self.found.exists();
                }
                if let Some(reason) = facts.open {
                    return self.found.doubtful(name, Kind::Member, member.offset, reason);
                }
                if facts.is_trait && !is_call {
                    return self.found.unknown("field of a trait");
                }
                let is_foreign = module.place.area == Area::Installed;
                let macros_of = is_foreign.then(|| resolver::searched(&module));
                let place = Some(Found::Type(module.clone(), of.clone()));
                let gap = Gap { macros_of, place, ..Gap::default() };
                let sort = if is_call { Sort::Method } else { Sort::Field };
                self.missing_member(&gap, Some(&of), member, sort);
            }
            Some(Found::Listed(list)) if !list.is_open() => match list.of_type() {
                Some(_) if list.has(name) => self.found.exists(),
                Some(of) => {
                    let gap = Gap { place: Some(Found::Listed(list.clone())), ..Gap::default() };
                    let sort = if is_call { Sort::Method } else { Sort::Field };
                    self.missing_member(&gap, Some(of), member, sort);
                }
                None => self.found.unknown("type not plain"),
            },
            None => self.member_of_any(member, is_call),
            _ => self.found.unknown("type not plain"),
        }
    }

    /// Says that a type has no such member, unless the workspace says otherwise.
    fn missing_member(&mut self, gap: &Gap, of: Option<&str>, member: &Segment, sort: Sort) {
        let name = &*member.name;
        let own = of.and_then(|of| self.module.file.types.get(of));
        if own.is_some_and(|own| own.members.contains(name) || own.fields.contains(name)) {
            return self.found.exists();
        }
        match self.doubt(gap, of, name, sort) {
            Some(reason @ ("trait of a package" | "dereferenced type" | "extension trait")) => {
                self.found.doubtful(name, Kind::Member, member.offset, reason);
            }
            Some(reason) => self.found.unknown(reason),
            None => self.miss(name, Kind::Member, member.offset, gap),
        }
    }

    /// Why a type may have a member that its text does not give.
    fn doubt(&self, gap: &Gap, of: Option<&str>, name: &str, sort: Sort) -> Option<&'static str> {
        if is_derived(name) {
            return Some("derived member");
        }
        if self.module.file.loose.contains(name) {
            return Some("macro");
        }
        if let Some(folder) = &gap.macros_of
            && second_look::is_spelt(self.session, folder, name, self.path)
        {
            return Some("macro");
        }
        if let Some(reason) = self.trait_doubt(gap, sort) {
            return Some(reason);
        }
        if sort != Sort::Field && second_look::is_defined(self.session, name, self.path) {
            return Some("member of another type");
        }
        if sort == Sort::Method && self.may_come_from_package(name) {
            return Some("trait of a package");
        }
        of.and_then(|of| second_look::opening(self.session, of, |reason| sort.may_come_by(reason)))
    }

    /// Why a trait may add a member.
    fn trait_doubt(&self, gap: &Gap, sort: Sort) -> Option<&'static str> {
        let own = match &gap.place {
            Some(Found::Type(module, of)) => module.file.types.get(of).map(|facts| (&**of, facts)),
            _ => None,
        };
        let is_extended = sort == Sort::Method || sort == Sort::Function && own.is_none();
        if is_extended && self.has_extension_traits(own) {
            return Some("extension trait");
        }
        let Some(Found::Type(module, of)) = &gap.place else { return None };
        let facts = module.file.types.get(of)?;
        let opens = |name: &Name| match &gap.macros_of {
            Some(folder) => second_look::foreign_opening(self.session, folder, name),
            // What a type only has, a trait that extends it lends with all of its members.
            None if facts.is_trait => second_look::bound_opening(self.session, name),
            None => second_look::trait_opening(self.session, name),
        };
        facts.traits.iter().filter_map(opens).find(|reason| sort.may_come_by(reason))
    }
}

/// What a member is looked for as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// `value.name()`
    Method,
    /// `value.name`
    Field,
    /// `Type::name`
    Function,
    /// `Type::Name`
    Variant,
}

impl Sort {
    /// Whether such a member may come with a trait that opens a type for this reason.
    ///
    /// A path never goes on to the type that another one leads to, and a trait gives no fields.
    fn may_come_by(self, reason: &str) -> bool {
        match self {
            Sort::Method => true,
            Sort::Field => reason == "dereferenced type",
            Sort::Function => reason != "dereferenced type",
            Sort::Variant => false,
        }
    }
}

/// Whether a type of the standard library has no members but those that the library gives it.
fn is_plain(name: &str) -> bool {
    !SEEN_THROUGH.split_whitespace().any(|seen_through| seen_through == name)
}

/// Whether well-known derives, attributes and traits add a member.
fn is_derived(name: &str) -> bool {
    name.starts_with("deserialize_")
        || name.starts_with("serialize_")
        || DERIVED.split_whitespace().any(|derived| derived == name)
}
