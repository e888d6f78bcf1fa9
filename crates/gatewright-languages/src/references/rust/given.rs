//! What the everyday methods of the standard library give.

/// What a method gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// A value of the same type, as far as its members go.
    Itself,
    /// One of the types that the type is made with.
    Argument(usize),
    /// A type of the library, made with one of these.
    Of(&'static [&'static str], Option<usize>),
}

const OPTION: &[&str] = &["option", "Option"];
const RESULT: &[&str] = &["result", "Result"];
const VEC: &[&str] = &["vec", "Vec"];
const STRING: &[&str] = &["string", "String"];
const PATH_BUF: &[&str] = &["path", "PathBuf"];

/// What a method of a type gives, where that is known.
pub(super) fn given(of: &str, method: &str) -> Option<Given> {
    if matches!(method, "clone" | "by_ref") {
        return Some(Given::Itself);
    }
    match of {
        "Option" | "Result" => of_option(method),
        "Mutex" | "RwLock" => matches!(
            method,
            "lock" | "try_lock" | "read" | "write" | "try_read" | "try_write" | "get_mut"
        )
        .then_some(Given::Of(RESULT, Some(0))),
        "RefCell" => matches!(method, "borrow" | "borrow_mut").then_some(Given::Argument(0)),
        "OnceCell" | "OnceLock" => match method {
            "get" | "get_mut" => Some(Given::Of(OPTION, Some(0))),
            "get_or_init" => Some(Given::Argument(0)),
            _ => None,
        },
        "Weak" => (method == "upgrade").then_some(Given::Of(OPTION, Some(0))),
        "Vec" | "VecDeque" | "HashSet" | "BTreeSet" => of_list(method),
        "HashMap" | "BTreeMap" => match method {
            "get" | "get_mut" | "remove" | "insert" => Some(Given::Of(OPTION, Some(1))),
            "values" | "values_mut" | "into_values" => Some(Given::Of(VEC, Some(1))),
            "keys" | "into_keys" => Some(Given::Of(VEC, Some(0))),
            _ => None,
        },
        "String" | "str" => of_text(method),
        "PathBuf" | "Path" => matches!(
            method,
            "join" | "with_extension" | "with_file_name" | "to_path_buf" | "as_path"
        )
        .then_some(Given::Of(PATH_BUF, None)),
        _ => None,
    }
}

fn of_option(method: &str) -> Option<Given> {
    match method {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
        | "get_or_insert" | "get_or_insert_with" => Some(Given::Argument(0)),
        "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "cloned" | "copied" | "take" | "or"
        | "or_else" | "filter" | "replace" | "map_err" | "iter" | "inspect" | "inspect_err" => {
            Some(Given::Itself)
        }
        "ok" => Some(Given::Of(OPTION, Some(0))),
        "ok_or" | "ok_or_else" | "context" | "with_context" => Some(Given::Of(RESULT, Some(0))),
        _ => None,
    }
}

/// Iterators count as the list whose elements they give.
fn of_list(method: &str) -> Option<Given> {
    match method {
        "iter" | "iter_mut" | "into_iter" | "drain" | "rev" | "skip" | "take" | "filter"
        | "skip_while" | "take_while" | "step_by" | "chain" | "cloned" | "copied" | "peekable"
        | "inspect" | "fuse" | "as_slice" | "as_mut_slice" => Some(Given::Itself),
        "first" | "last" | "get" | "get_mut" | "pop" | "pop_front" | "pop_back" | "front"
        | "back" | "front_mut" | "back_mut" | "first_mut" | "last_mut" | "next" | "next_back"
        | "peek" | "find" | "nth" | "max_by_key" | "min_by_key" => Some(Given::Of(OPTION, Some(0))),
        _ => None,
    }
}

fn of_text(method: &str) -> Option<Given> {
    match method {
        "to_string" | "to_owned" | "to_lowercase" | "to_uppercase" | "replace" | "repeat"
        | "to_ascii_lowercase" | "to_ascii_uppercase" => Some(Given::Of(STRING, None)),
        "as_str" | "trim" | "trim_start" | "trim_end" => Some(Given::Itself),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_everyday_methods_are_known() {
        assert_eq!(given("Option", "unwrap"), Some(Given::Argument(0)));
        assert_eq!(given("Vec", "clone"), Some(Given::Itself));
        assert_eq!(given("HashMap", "get"), Some(Given::Of(OPTION, Some(1))));
        assert_eq!(given("Vec", "collect"), None);
    }
}
