//! How long a function, a file and a list of parameters may be. Production code only.

use super::Untidy;
use crate::source::{self, Masked};
use crate::tree::TextFile;

const FUNCTION_LINES: usize = 60;
const FILE_LINES: usize = 500;
const INLINE_TEST_LINES: usize = 150;
const PARAMETERS: usize = 5;

/// Checks one file; anything but production Rust passes.
pub fn check(file: &TextFile) -> Vec<Untidy> {
    if !file.has_extension("rs") || file.is_test() {
        return Vec::new();
    }
    let production = Masked::of(&file.text).production_code();
    let mut found = check_lengths(file, &production);
    for function in source::functions(&production) {
        let mut report = |rule, what: String| {
            found.push(Untidy {
                rule,
                path: file.path.clone(),
                line: function.line,
                name: function.name.clone(),
                message: format!("fn {} {what}", function.name),
            });
        };
        if function.lines > FUNCTION_LINES {
            report("long-function", format!("has {} lines, over {FUNCTION_LINES}", function.lines));
        }
        if function.parameters > PARAMETERS {
            let count = function.parameters;
            report("many-parameters", format!("takes {count} parameters, over {PARAMETERS}"));
        }
    }
    found
}

fn check_lengths(file: &TextFile, production: &str) -> Vec<Untidy> {
    let all = file.text.lines().count();
    let tests = test_lines(&file.text, production);
    let whole = |rule, message| Untidy {
        rule,
        path: file.path.clone(),
        line: 1,
        name: String::new(),
        message,
    };
    let mut found = Vec::new();
    if all - tests > FILE_LINES {
        let count = all - tests;
        found.push(whole("long-file", format!("{count} lines without tests, over {FILE_LINES}")));
    }
    if tests > INLINE_TEST_LINES {
        let message = format!(
            "{tests} lines of inline tests, over {INLINE_TEST_LINES}; move them to a sibling `name_tests.rs`"
        );
        found.push(whole("long-inline-tests", message));
    }
    found
}

/// The lines that hold code in the file but none in production, from the first of them on.
fn test_lines(text: &str, production: &str) -> usize {
    let masked = Masked::of(text).code;
    let is_test = |(all, kept): (&str, &str)| !all.trim().is_empty() && kept.trim().is_empty();
    let pairs = || masked.lines().zip(production.lines());
    let Some(first) = pairs().position(is_test) else { return 0 };
    let last = pairs().enumerate().filter(|(_, pair)| is_test(*pair)).map(|(at, _)| at).last();
    // Blank lines and comments between tests belong to them; production code does not.
    let between = pairs().skip(first).take(last.unwrap_or(first) - first + 1);
    between.filter(|(_, kept)| kept.trim().is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: String) -> TextFile {
        TextFile { path: "crates/x/src/x.rs".to_owned(), text }
    }

    fn rules(text: String) -> Vec<&'static str> {
        check(&file(text)).into_iter().map(|untidy| untidy.rule).collect()
    }

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "    work();\n".repeat(lines - 2))
    }

    #[test]
    fn a_screenful_passes_and_a_line_more_does_not() {
        assert_eq!(rules(function(60)), Vec::<&str>::new());
        assert_eq!(rules(function(61)), ["long-function"]);
    }

    #[test]
    fn a_long_test_is_no_long_function() {
        let text = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(100));
        assert_eq!(rules(text), Vec::<&str>::new());
    }

    #[test]
    fn inline_tests_do_not_count_for_the_file_but_for_themselves() {
        let production = "const A: u8 = 1;\n".repeat(500);
        let tests = |lines: usize| {
            format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "// x\n".repeat(lines - 3))
        };
        assert_eq!(rules(format!("{production}{}", tests(150))), Vec::<&str>::new());
        assert_eq!(rules(format!("{production}{}", tests(151))), ["long-inline-tests"]);
        assert_eq!(rules(format!("{production}const B: u8 = 1;\n")), ["long-file"]);
    }

    #[test]
    fn six_parameters_are_too_many() {
        let five = "fn f(&self, a: u8, b: u8, c: u8, d: u8, e: u8) {}\n";
        assert_eq!(rules(five.to_owned()), Vec::<&str>::new());
        assert_eq!(rules(five.replace("&self", "s: u8")), ["many-parameters"]);
    }
}
