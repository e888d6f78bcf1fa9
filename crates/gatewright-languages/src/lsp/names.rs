//! Which names a language takes. Most servers take anything, so we look ourselves.

use crate::syntax::LanguageId;

/// Why a name cannot be given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It is no identifier.
    #[error("{name:?} is not a {language} identifier")]
    NotAnIdentifier {
        /// The name.
        name: String,
        /// The language.
        language: &'static str,
    },
    /// The language keeps the word for itself.
    #[error("{name:?} is a reserved word of {language}")]
    Reserved {
        /// The name.
        name: String,
        /// The language.
        language: &'static str,
    },
    /// It is spelt for another sort of thing.
    #[error("{name:?} cannot stand for what {old:?} stands for: {reason}")]
    OtherSort {
        /// The name.
        name: String,
        /// The name so far.
        old: String,
        /// Why.
        reason: &'static str,
    },
    /// It is the name that the symbol has.
    #[error("it is called {name:?} already")]
    Same {
        /// The name.
        name: String,
    },
}

/// Checks that `new` can stand where `old` stands.
pub fn check_name(language: LanguageId, old: &str, new: &str) -> Result<(), NameError> {
    let name = new.to_owned();
    let spoken = language.name();
    if new == old {
        return Err(NameError::Same { name });
    }
    let (old_core, new_core) = match (old.strip_prefix('#'), new.strip_prefix('#')) {
        (Some(old_core), Some(new_core)) if is_script(language) => (old_core, new_core),
        (None, None) => (old, new),
        _ => {
            let reason = "private names start with # and others do not";
            return Err(NameError::OtherSort { name, old: old.to_owned(), reason });
        }
    };
    if !is_identifier(language, new_core) {
        return Err(NameError::NotAnIdentifier { name, language: spoken });
    }
    if reserved(language).split_whitespace().any(|word| word == new_core) {
        return Err(NameError::Reserved { name, language: spoken });
    }
    let is_constant = |text: &str| text.chars().next().is_some_and(char::is_uppercase);
    if language == LanguageId::Ruby && is_constant(old_core) != is_constant(new_core) {
        let reason = "in Ruby a constant starts with a capital letter and nothing else does";
        return Err(NameError::OtherSort { name, old: old.to_owned(), reason });
    }
    Ok(())
}

fn is_script(language: LanguageId) -> bool {
    matches!(language, LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript)
}

fn is_identifier(language: LanguageId, name: &str) -> bool {
    let has_dollar = is_script(language) || language == LanguageId::Java;
    let is_start = |c: char| c == '_' || c.is_alphabetic() || (c == '$' && has_dollar);
    let is_rest = |c: char| is_start(c) || c.is_numeric();
    let mut characters = name.chars();
    let starts_well = characters.next().is_some_and(is_start);
    let is_lone_underscore = name == "_"
        && matches!(
            language,
            LanguageId::Rust | LanguageId::Go | LanguageId::Java | LanguageId::Kotlin
        );
    starts_well && characters.all(is_rest) && !is_lone_underscore
}

fn reserved(language: LanguageId) -> &'static str {
    match language {
        LanguageId::Rust => {
            "as async await break const continue crate dyn else enum extern false fn for gen if \
             impl in let loop match mod move mut pub ref return self Self static struct super \
             trait true type unsafe use where while abstract become box do final macro override \
             priv try typeof unsized virtual yield"
        }
        LanguageId::Python => {
            "False None True and as assert async await break class continue def del elif else \
             except finally for from global if import in is lambda nonlocal not or pass raise \
             return try while with yield"
        }
        LanguageId::Go => {
            "break case chan const continue default defer else fallthrough for func go goto if \
             import interface map package range return select struct switch type var"
        }
        LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript => {
            "await break case catch class const continue debugger default delete do else enum \
             export extends false finally for function if implements import in instanceof \
             interface let new null package private protected public return static super switch \
             this throw true try typeof var void while with yield"
        }
        LanguageId::Java => {
            "abstract assert boolean break byte case catch char class const continue default do \
             double else enum extends false final finally float for goto if implements import \
             instanceof int interface long native new null package private protected public \
             return short static strictfp super switch synchronized this throw throws transient \
             true try void volatile while var record yield sealed permits"
        }
        LanguageId::Kotlin => {
            "as break class continue do else false for fun if in interface is null object package \
             return super this throw true try typealias typeof val var when while"
        }
        LanguageId::C => C_WORDS,
        LanguageId::Cpp => CPP_WORDS,
        LanguageId::CSharp => {
            "abstract as base bool break byte case catch char checked class const continue \
             decimal default delegate do double else enum event explicit extern false finally \
             fixed float for foreach goto if implicit in int interface internal is lock long \
             namespace new null object operator out override params private protected public \
             readonly ref return sbyte sealed short sizeof stackalloc static string struct switch \
             this throw true try typeof uint ulong unchecked unsafe ushort using virtual void \
             volatile while"
        }
        LanguageId::Ruby => {
            "BEGIN END alias and begin break case class def defined? do else elsif end ensure \
             false for if in module next nil not or redo rescue retry return self super then true \
             undef unless until when while yield __FILE__ __LINE__ __ENCODING__"
        }
    }
}

const C_WORDS: &str = "alignas alignof auto bool break case char const constexpr continue default \
    do double else enum extern false float for goto if inline int long nullptr register restrict \
    return short signed sizeof static static_assert struct switch thread_local true typedef \
    typeof typeof_unqual union unsigned void volatile while";

const CPP_WORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch \
    char char8_t char16_t char32_t class compl concept const consteval constexpr constinit \
    const_cast continue co_await co_return co_yield decltype default delete do double \
    dynamic_cast else enum explicit export extern false float for friend goto if inline int long \
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
    register reinterpret_cast requires return short signed sizeof static static_assert \
    static_cast struct switch template this thread_local throw true try typedef typeid typename \
    union unsigned using virtual void volatile wchar_t while xor xor_eq";

#[cfg(test)]
mod tests {
    use super::*;
    use LanguageId as L;

    #[test]
    fn good_names_pass() {
        for (language, old, new) in [
            (L::Rust, "a", "größe_2"),
            (L::Python, "a", "match"),
            (L::JavaScript, "a", "$a"),
            (L::JavaScript, "#a", "#b"),
            (L::Go, "a", "Any"),
            (L::Ruby, "Task", "Job"),
            (L::C, "a", "class"),
        ] {
            assert_eq!(check_name(language, old, new), Ok(()), "{language:?} {new}");
        }
    }

    #[test]
    fn illegal_names_are_refused_in_every_language() {
        for language in L::ALL {
            for new in ["", "1a", "a b", "a-b", "a.b", "for", "a", "a\n", "é{}", "#b"] {
                assert!(check_name(language, "a", new).is_err(), "{language:?} {new:?}");
            }
        }
    }

    #[test]
    fn a_name_of_another_sort_is_refused() {
        let refused = check_name(L::Ruby, "Task", "task");
        assert!(matches!(refused, Err(NameError::OtherSort { .. })));
        let refused = check_name(L::TypeScript, "#a", "b");
        assert!(matches!(refused, Err(NameError::OtherSort { .. })));
    }
}
