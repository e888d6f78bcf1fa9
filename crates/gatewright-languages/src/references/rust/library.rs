//! The names of the standard library, from tables made of its documentation.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// Crates that come with the compiler.
const CRATES: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

/// Types that need no import and are not in the first prelude.
const ALSO: &str = "TryFrom TryInto FromIterator Future IntoFuture bool char str u8 u16 u32 u64 \
u128 usize i8 i16 i32 i64 i128 isize f32 f64 f16 f128 macro_rules env option_env concat line \
column file module_path cfg include include_str include_bytes compile_error global_asm asm \
naked_asm addr_of addr_of_mut offset_of thread_local is_x86_feature_detected debug_assert_matches \
is_aarch64_feature_detected unreachable_unchecked matches assert_matches pin format_args_nl";

/// Parts that the tables leave out.
const OPEN: [&str; 3] = ["arch", "simd", "intrinsics"];

fn modules() -> &'static HashMap<&'static str, HashSet<&'static str>> {
    static MODULES: OnceLock<HashMap<&'static str, HashSet<&'static str>>> = OnceLock::new();
    MODULES.get_or_init(|| {
        let lines = include_str!("std_modules.txt").lines().filter(|line| !line.starts_with('#'));
        lines
            .filter_map(|line| {
                let mut words = line.split(' ');
                Some((words.next()?, words.collect()))
            })
            .collect()
    })
}

fn members() -> &'static HashSet<&'static str> {
    static MEMBERS: OnceLock<HashSet<&'static str>> = OnceLock::new();
    MEMBERS.get_or_init(|| {
        let lines = include_str!("std_members.txt").lines().filter(|line| !line.starts_with('#'));
        lines.flat_map(str::split_whitespace).collect()
    })
}

/// Whether a crate comes with the compiler.
pub(super) fn is_crate(name: &str) -> bool {
    CRATES.contains(&name)
}

/// Whether a path of names is a module.
pub(super) fn is_module(path: &str) -> bool {
    modules().contains_key(path)
}

/// Whether nothing can be said of the names in a module.
pub(super) fn is_open(path: &str) -> bool {
    path.split("::").skip(1).any(|part| OPEN.contains(&part))
        || path.contains("prelude")
        || path.ends_with("::os")
        || path.ends_with("::io") && path.contains("::os::")
        || modules().get(path).is_some_and(HashSet::is_empty)
        || !is_module(path)
}

/// Whether a module has a name.
pub(super) fn has(module: &str, name: &str) -> bool {
    modules().get(module).is_some_and(|names| names.contains(name))
}

/// The names of a module.
pub(super) fn names(module: &str) -> Vec<String> {
    let names = modules().get(module).into_iter().flatten();
    names.map(|name| (*name).to_owned()).collect()
}

/// Whether any module of the library has a name.
pub(super) fn is_anywhere(name: &str) -> bool {
    modules().values().any(|names| names.contains(name))
}

/// Whether a name needs no import.
pub(super) fn in_prelude(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let first = modules().get("std::prelude::v1").into_iter().flatten().copied();
        first.chain(ALSO.split_whitespace()).collect()
    });
    names.contains(name)
}

/// Whether a name is that of a type of the language.
pub(super) fn is_primitive(name: &str) -> bool {
    const PRIMITIVE: &str = "bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize \
        f32 f64 f16 f128";
    PRIMITIVE.split_whitespace().any(|primitive| primitive == name)
}

/// Whether any type of the library has such a member.
pub(super) fn is_member(name: &str) -> bool {
    members().contains(name)
}

/// Whether the library has a trait or type of this name, anywhere.
pub(super) fn is_type(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let is_upper = |name: &&str| name.starts_with(|first: char| first.is_ascii_uppercase());
    let names =
        NAMES.get_or_init(|| modules().values().flatten().copied().filter(is_upper).collect());
    names.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_know_the_library() {
        assert!(has("std::fs", "read_to_string") && !has("std::fs", "read_strings"));
        assert!(is_module("core::mem") && is_open("std::arch::x86_64"));
        assert!(in_prelude("Option") && in_prelude("u8") && is_member("push_str"));
        assert!(is_type("HashMap") && !is_type("read"));
        assert!(is_primitive("str") && is_primitive("u8") && is_primitive("isize"));
        assert!(!is_primitive("env") && !is_primitive("String") && !is_primitive("file"));
    }
}
