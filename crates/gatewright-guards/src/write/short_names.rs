//! The 8.3 short names that NTFS gives to long names (`git~1`, `GI7EBA~1`).
//!
//! A long name has a plain short form (six letters, a tilde, a number) and a
//! hashed one (two letters, four hex digits of a checksum), both of which give
//! up letters as the number grows. Every protected name is filed under the
//! shapes that its short names can have, so that a look-up costs one hash.

use std::collections::HashMap;

/// Protected names by the shape of their short names.
#[derive(Debug, Default)]
pub(super) struct ShortNames {
    by_shape: HashMap<Shape, Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Shape {
    stem: String,
    digit_count: usize,
    extension: String,
}

impl ShortNames {
    /// Files a folded name under its short forms. Names that are short already have none.
    pub(super) fn insert(&mut self, name: &str) {
        let Some((base, extension)) = short_parts(name) else { return };
        let hashed: String = base.chars().take(2).chain(checksum(name)).collect();
        for digit_count in 1..=6 {
            let length = 7 - digit_count;
            for letters in [&base, &hashed] {
                let stem = letters.chars().take(length).collect();
                let shape = Shape { stem, digit_count, extension: extension.clone() };
                let names = self.by_shape.entry(shape).or_default();
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
    }

    /// The protected names that a folded component may be a short name of.
    pub(super) fn aliased_by(&self, component: &str) -> &[String] {
        shape_of(component).and_then(|shape| self.by_shape.get(&shape)).map_or(&[], Vec::as_slice)
    }
}

/// Whether a folded component is a short name with nothing but its number, so
/// that it may stand for any name at all.
pub(super) fn stands_for_any_name(component: &str) -> bool {
    let base = component.split('.').next().unwrap_or(component);
    base.strip_prefix('~').is_some_and(|digits| digits.len() == 7 && is_number(digits))
}

fn shape_of(component: &str) -> Option<Shape> {
    let (base, extension) = component.split_once('.').unwrap_or((component, ""));
    let (stem, digits) = base.rsplit_once('~')?;
    let fits = base.chars().count() <= 8 && is_number(digits) && extension.chars().count() <= 3;
    fits.then(|| Shape {
        stem: stem.to_owned(),
        digit_count: digits.len(),
        extension: extension.to_owned(),
    })
}

fn is_number(digits: &str) -> bool {
    !digits.starts_with('0') && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The letters and the extension that a short name is made from; `None` for a
/// name that needs none.
fn short_parts(name: &str) -> Option<(String, String)> {
    let bare = name.trim_start_matches(['.', ' ']);
    let (base, extension) = bare.rsplit_once('.').unwrap_or((bare, ""));
    let is_short = bare.len() == name.len()
        && !name.contains(' ')
        && !base.contains('.')
        && base.chars().count() <= 8
        && extension.chars().count() <= 3;
    if is_short || bare.is_empty() {
        return None;
    }
    let keep = |character: char| match character {
        '.' | ' ' => None,
        '+' | ',' | ';' | '=' | '[' | ']' => Some('_'),
        other => Some(other),
    };
    let letters = base.chars().filter_map(keep).collect();
    Some((letters, extension.chars().filter_map(keep).take(3).collect()))
}

/// The four hex digits that NTFS derives from a long name.
fn checksum(name: &str) -> impl Iterator<Item = char> {
    let sum =
        name.encode_utf16().fold(0_u16, |sum, unit| sum.wrapping_mul(0x25).wrapping_add(unit));
    let mixed = i32::from(sum).wrapping_mul(314_159_269).unsigned_abs();
    let multiple = (u64::from(mixed) * 1_152_921_497) >> 60;
    let rest = u64::from(mixed).wrapping_sub(multiple * 1_000_000_007) as u16;
    // The digits come out lowest first.
    (0..4).filter_map(move |digit| char::from_digit(u32::from(rest >> (4 * digit) & 0xf), 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aliases(name: &str, component: &str) -> bool {
        let mut short_names = ShortNames::default();
        short_names.insert(name);
        short_names.aliased_by(component).iter().any(|known| known == name)
    }

    #[test]
    fn finds_plain_and_hashed_forms() {
        let forms = [
            "gitmod~1", "gitmod~4", "gi7eba~1", "gi7eba~9", "gi7eb~10", "gi7eb~99", "gi7e~100",
            "gi7e~999",
        ];
        for form in forms {
            assert!(aliases(".gitmodules", form), "{form}");
        }
        assert!(aliases(".gitignore", "gi250a~1"));
        assert!(aliases(".gitattributes", "gi7d29~1"));
        assert!(aliases(".git", "git~1"));
        assert!(aliases(".mcp.json", "mcp~1.jso"));
        assert!(stands_for_any_name("~1000000"));
    }

    #[test]
    fn leaves_near_misses_alone() {
        let misses = [
            "gi7eba~",
            "gi7eba~0",
            "gi7eba~~1",
            "gi7eba~x",
            "gx7eba~1",
            "gi7ebx~1",
            "gi7eb~1",
            "gi7eb~01",
            "gi7eb~1x",
            "gitmodules~1",
            "~1",
            "gitmo~1",
        ];
        for miss in misses {
            assert!(!aliases(".gitmodules", miss), "{miss}");
        }
        assert!(!aliases(".git", "git~1000000"));
        assert!(!stands_for_any_name("~0000000"));
        assert!(!stands_for_any_name("~100000"));
    }

    #[test]
    fn gives_no_short_form_to_a_name_that_is_short() {
        assert!(!aliases("head", "head~1"));
        assert!(!aliases("claude.md", "claude~1.md"));
    }
}
