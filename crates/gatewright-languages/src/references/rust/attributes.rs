//! What attributes say about the item behind them.

use super::facts::Name;

/// Attributes that add nothing to a type, those of well-known derives included.
const HARMLESS: &str = "allow warn deny forbid expect cfg cfg_attr doc derive repr must_use \
non_exhaustive deprecated automatically_derived default test track_caller inline cold serde \
clap arg command group structopt error strum schemars rustfmt clippy diagnostic rustversion \
fundamental rustc_diagnostic_item stable unstable lang no_mangle zeroize archive borsh \
allow_internal_unstable async_trait display debug prost br bw brw diagnostics miette snafu value \
const_trait marker docsrs derivative educe rkyv bytecheck sqlx ts pyo3 global_allocator used \
debugger_visualizer type_length_limit link target_feature may_dangle project pin project_ref project_replace";

/// The names in `#[derive(...)]`, and why the type is open.
pub(super) fn of_type(attributes: &[String]) -> (Vec<Name>, Option<&'static str>) {
    let mut derives = Vec::new();
    for attribute in attributes {
        let mut rest = attribute.as_str();
        while let Some(at) = rest.find("derive(") {
            rest = &rest[at + "derive(".len()..];
            let list = rest.split(')').next().unwrap_or_default();
            let last = |path: &str| path.rsplit("::").next().unwrap_or_default().trim().into();
            derives.extend(list.split(',').map(last).filter(|name: &Name| !name.is_empty()));
        }
    }
    let open = attributes.iter().any(|attribute| !is_harmless(attribute));
    (derives, open.then_some("attribute macro"))
}

/// The paths in an attribute that is `#[derive(...)]` and nothing more, with their offsets in it.
pub(super) fn derived(attribute: &str) -> Vec<(usize, &str)> {
    const HEAD: &str = "#[derive(";
    let list = attribute.strip_prefix(HEAD).and_then(|rest| rest.split_once(')'));
    let Some((list, "]")) = list else { return Vec::new() };
    let mut start = HEAD.len();
    let mut found = Vec::new();
    for one in list.split(',') {
        let path = one.trim();
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        if !path.is_empty() && path.chars().all(is_path) {
            found.push((start + one.len() - one.trim_start().len(), path));
        }
        start += one.len() + 1;
    }
    found
}

/// The names of the types that derives make beside a type.
pub(super) fn made_beside(name: &str, derives: &[Name]) -> Vec<Name> {
    let ends = |derive: &str| -> &[&str] {
        match derive {
            "EnumDiscriminants" => &["Discriminants", "DiscriminantsIter"],
            "EnumIter" => &["Iter"],
            "Builder" | "TypedBuilder" => &["Builder", "BuilderError"],
            "Archive" => &["Resolver"],
            "EnumKind" | "Kinded" => &["Kind"],
            _ => &[],
        }
    };
    let mut made: Vec<Name> = Vec::new();
    for derive in derives {
        made.extend(ends(derive).iter().map(|end| Name::from(format!("{name}{end}"))));
        if &**derive == "Archive" {
            made.push(format!("Archived{name}").into());
        }
    }
    made
}

/// The names of the types that derives make of the variants of a type.
pub(super) fn made_of_variants(variants: &[Name], derives: &[Name]) -> Vec<Name> {
    if !derives.iter().any(|derive| &**derive == "Snafu") {
        return Vec::new();
    }
    let selector = |variant: &Name| Name::from(format!("{variant}Snafu"));
    variants.iter().cloned().chain(variants.iter().map(selector)).collect()
}

/// The same for a trait, where derives do not exist.
pub(super) fn of_trait(attributes: &[String]) -> (Vec<Name>, Option<&'static str>) {
    of_type(attributes)
}

/// Whether a macro may make something else of a module.
pub(super) fn rewrites(attributes: &[String]) -> bool {
    const ALSO: [&str; 4] = ["path", "macro_use", "allow", "automock"];
    let is_also = |attribute: &str| {
        let inner = attribute.trim_start_matches(['#', '[', ' ']);
        ALSO.iter().any(|known| inner.starts_with(known))
    };
    attributes.iter().any(|attribute| !is_harmless(attribute) && !is_also(attribute))
}

/// Whether the macro that an attribute names may define something beside the item.
pub(super) fn may_define(attribute: &str) -> bool {
    const ALSO: [&str; 5] = ["path", "macro_use", "macro_export", "ignore", "should_panic"];
    let inner = attribute.trim_start_matches(['#', '[', ' ']);
    !is_harmless(attribute) && !ALSO.iter().any(|known| inner.starts_with(known))
}

fn is_harmless(attribute: &str) -> bool {
    let inner = attribute.trim_start_matches(['#', '[', ' ']);
    let path = inner.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).next();
    let path = path.unwrap_or_default();
    let is_known = |name: &str| HARMLESS.split_whitespace().any(|known| known == name);
    is_known(path.split("::").next().unwrap_or_default())
        || is_known(path.rsplit("::").next().unwrap_or_default())
}

/// The file that `#[path = "..."]` names.
pub(super) fn path(attributes: &[String]) -> Option<Name> {
    let value = attributes.iter().find_map(|attribute| {
        let at = attribute.find("path")?;
        let rest = attribute[at + 4..].trim_start().strip_prefix('=')?;
        rest.trim_start().strip_prefix('"')?.split('"').next()
    });
    value.map(Name::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_derive_names_macros() {
        let paths = derived("#[derive(Clone, serde::Serialize,\n    Hash)]");
        assert_eq!(paths, [(9, "Clone"), (16, "serde::Serialize"), (38, "Hash")]);
        assert!(derived("#[cfg_attr(feature = \"a\", derive(Clone))]").is_empty());
        assert!(derived("#[derive($name)]").is_empty());
    }
}
