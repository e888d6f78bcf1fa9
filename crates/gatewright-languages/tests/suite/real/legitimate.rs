//! Edits that are no structural ones, of every class that is known to be refused somewhere.

use gatewright_languages::syntax::{Parsed, Symbol, new_errors};
use gatewright_model::{Intent, Span, TextEdit};
use gatewright_testkit::Random;

use super::corpus::Source;
use super::judge::Case;

/// All edits that a file allows and after which it still parses.
pub fn cases(source: &Source, parsed: &Parsed, random: &mut Random) -> Vec<Case> {
    let page = Page { source, parsed };
    let mut found = Vec::new();
    for symbol in parsed.outline().iter().filter(|one| one.structural && one.body.is_some()) {
        let lines = page.body_lines(symbol);
        if lines.len() < 3 {
            continue;
        }
        let at = random.below(lines.len() - 2);
        found.extend(page.in_body(&lines[at..at + 3]));
        found.extend(page.word_cases(symbol, &lines));
        found.push(page.head_line(symbol));
        found.push(page.comment_above(symbol));
    }
    found.extend(page.whole_file(random));
    found.extend(page.imports());
    let before = parsed.error_signature();
    found
        .into_iter()
        .flatten()
        .filter(|case| {
            let after = Parsed::new(source.language, case.after.as_bytes()).unwrap();
            let is_base = case.base == source.text;
            let base = if is_base {
                before.clone()
            } else {
                Parsed::new(source.language, case.base.as_bytes()).unwrap().error_signature()
            };
            let is_kept = is_base || new_errors(&before, &base).is_empty();
            let is_whole = !case.class.contains("removed") || keeps_ends(parsed, &after);
            is_kept && is_whole && new_errors(&base, &after.error_signature()).is_empty()
        })
        .collect()
}

/// Whether every definition ends where it did, what was taken out aside: a line that opens a
/// block must not leave its end behind, even where that happens to parse.
pub fn keeps_ends(before: &Parsed, after: &Parsed) -> bool {
    before.outline().iter().filter(|symbol| symbol.structural).all(|symbol| {
        let mut twins = after.outline().iter().filter(|twin| twin.path == symbol.path);
        twins.any(|twin| {
            let rest = |parsed: &Parsed, end: usize| parsed.source().len() - end;
            twin.full.end == symbol.full.end
                || rest(after, twin.full.end) == rest(before, symbol.full.end)
        })
    })
}

/// Whether a keyword stands where the grammar leaves the code alone, as in a macro: the gate errs
/// on refusing there.
pub fn has_loose_keyword(parsed: &Parsed, span: Span) -> bool {
    let keywords = parsed.language().language().keywords;
    let tokens = parsed.tokens().iter().filter(|token| token.span.overlaps(span));
    let words = tokens.filter(|token| token.in_opaque).map(|token| parsed.text(token.span));
    words.into_iter().any(|word| keywords.contains(&word.as_str()))
}

struct Page<'a> {
    source: &'a Source,
    parsed: &'a Parsed,
}

impl Page<'_> {
    fn text(&self) -> &str {
        &self.source.text
    }

    fn mark(&self) -> &'static str {
        self.source.language.language().line_comment
    }

    fn line(&self, number: usize) -> Span {
        let start = self.parsed.lines().start(number);
        let length = self.text()[start..].split_inclusive('\n').next().map_or(0, str::len);
        Span::new(start, start + length)
    }

    /// The lines wholly inside a body, as long as no definition touches them.
    fn body_lines(&self, symbol: &Symbol) -> Vec<Span> {
        let body = symbol.body.unwrap();
        let (first, last) =
            (self.parsed.lines().line(body.start), self.parsed.lines().line(body.end));
        let starts_inside = self.parsed.lines().start(first) > symbol.head.end;
        let first = if starts_inside { first } else { first + 1 };
        let lines = (first..last).map(|number| self.line(number));
        let is_free = |line: &Span| {
            let others = self.parsed.outline().iter();
            let mut inside = others.filter(|other| {
                other.structural && !other.full.contains(*line) && other.full.overlaps(*line)
                    || (other.head.overlaps(*line) && other.structural)
            });
            inside.next().is_none() && !has_loose_keyword(self.parsed, *line)
        };
        let lines: Vec<Span> = lines.collect();
        let count = lines.iter().take_while(|line| is_free(line)).count();
        lines[..count].to_vec()
    }

    fn edits(&self, class: &'static str, base: &str, edits: Vec<TextEdit>) -> Option<Case> {
        let mut after = base.to_owned();
        for edit in &edits {
            let is_all = edit.replace_all;
            if after.matches(edit.old.as_str()).count() != 1 && !is_all {
                return None;
            }
            after = after.replace(edit.old.as_str(), &edit.new);
        }
        self.case(class, base, after, Intent::Edit(edits))
    }

    fn case(&self, class: &'static str, base: &str, after: String, intent: Intent) -> Option<Case> {
        let base = base.to_owned();
        (after != base).then_some(Case { class, base, after, intent, is_wanted: false })
    }

    fn edit(&self, class: &'static str, span: Span, new: String) -> Option<Case> {
        self.edits(class, self.text(), vec![edit(&self.parsed.text(span), &new)])
    }

    fn noted(&self, line: &str) -> String {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        format!("{line}{}{} noted\n", &line[..blanks], self.mark())
    }

    /// Edits of three lines of a body, and of one.
    fn in_body(&self, lines: &[Span]) -> Vec<Option<Case>> {
        let all = Span::new(lines[0].start, lines[2].end);
        let texts: Vec<String> = lines.iter().map(|line| self.parsed.text(*line)).collect();
        let last_two = Span::new(lines[1].start, lines[2].end);
        let added = format!("{}{}{}", self.noted(&texts[0]), texts[1], texts[2]);
        let shorter = format!("{}{}", texts[0], texts[2]);
        let patched = self.text().replacen(&texts.concat(), &added, 1);
        vec![
            self.edit("lines added in a body", all, added),
            self.edit("line removed from a body", all, shorter),
            self.edit("lines removed from a body", last_two, String::new()),
            self.edit("one line of a body", lines[1], self.noted(&texts[1])),
            self.case("patch of a body", self.text(), patched, Intent::Patch),
            self.edits(
                "batch in one body",
                self.text(),
                vec![
                    edit(&texts[0], &self.noted(&texts[0])),
                    edit(&texts[2], &self.noted(&texts[2])),
                ],
            ),
        ]
    }

    /// Edits over lines with a keyword that defines nothing: in a comment, a string, a name.
    fn word_cases(&self, symbol: &Symbol, lines: &[Span]) -> Vec<Option<Case>> {
        if !symbol.kind.is_callable() {
            return Vec::new();
        }
        let first = self.parsed.text(lines[0]);
        let blanks = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
        let words = self.source.language.language().keywords.join(" of a ");
        let comment = format!("{blanks}{} the {words} here\n", self.mark());
        let mut made = vec![self.with_line("keyword in a comment", lines[0], &comment)];
        if let Some((string, name)) = statements(self.source.language.name(), &words) {
            made.push(self.with_line(
                "keyword in a string",
                lines[0],
                &format!("{blanks}{string}\n"),
            ));
            made.push(self.with_line("keyword in a name", lines[0], &format!("{blanks}{name}\n")));
        }
        made
    }

    /// A base with one more line, and an edit over that line and the next one.
    fn with_line(&self, class: &'static str, next: Span, line: &str) -> Option<Case> {
        let text = self.text();
        let base = format!("{}{line}{}", &text[..next.start], &text[next.start..]);
        let next = self.parsed.text(next);
        let (old, new) = (format!("{line}{next}"), format!("{line}{}", self.noted(&next)));
        self.edits(class, &base, vec![edit(&old, &new)])
    }

    /// One line, the head of a definition as it is.
    fn head_line(&self, symbol: &Symbol) -> Option<Case> {
        let line = self.line(self.parsed.lines().line(symbol.name_span.start));
        let text = self.parsed.text(line);
        let new = format!("{} {} noted\n", text.trim_end(), self.mark());
        self.edit("one line, a head", line, new)
    }

    /// The comment lines above a definition.
    fn comment_above(&self, symbol: &Symbol) -> Option<Case> {
        let span = Span::new(symbol.full.start, symbol.code.start);
        let text = self.parsed.text(span);
        let text = text.trim_end();
        if !text.contains('\n') {
            return None;
        }
        let (first, rest) = text.split_once('\n')?;
        let span = Span::new(span.start, span.start + text.len());
        self.edit("comment above a definition", span, format!("{} noted\n{rest}", first.trim_end()))
            .filter(|_| !first.trim_end().ends_with("*/"))
    }

    /// Whole-file writes that keep every definition, and text at the end.
    fn whole_file(&self, random: &mut Random) -> Vec<Option<Case>> {
        let text = self.text();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mark = self.mark();
        let Some(new) = fresh_definition(self.source.language.name()) else { return Vec::new() };
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let mut made = vec![
            self.case(
                "overwrite with a comment more",
                text,
                format!("{mark} noted\n{text}"),
                Intent::Overwrite,
            ),
            self.case(
                "overwrite with a definition more",
                text,
                format!("{text}{end}\n{new}\n"),
                Intent::Overwrite,
            ),
            self.case(
                "appended comment",
                text,
                format!("{text}{end}{mark} noted\n"),
                Intent::Patch,
            ),
        ];
        if let Some(last) = lines.last().filter(|line| !line.trim().is_empty()) {
            let new = format!("{last}{end}\n{new}\n");
            made.push(self.edits("appended definition", text, vec![edit(last, &new)]));
        }
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let words: Vec<&str> =
            words.filter(|word| word.len() > 5 && word.starts_with(char::is_lowercase)).collect();
        if !words.is_empty() {
            let word = words[random.below(words.len())];
            let is_defined = self.parsed.outline().iter().any(|symbol| symbol.path.contains(word));
            let all = TextEdit { replace_all: true, ..edit(word, &format!("{word}2")) };
            let renamed = self.edits("word replaced everywhere", text, vec![all]);
            made.push(renamed.filter(|_| !is_defined));
        }
        made
    }

    /// Two lines of imports become three.
    fn imports(&self) -> Vec<Option<Case>> {
        let starts = ["import ", "use ", "#include ", "from ", "using ", "require "];
        let is_import = |line: &str| {
            let is_whole = line.trim_end().ends_with([';', '"', '>', '\''])
                || !line.contains(['{', '(', '\\']);
            starts.iter().any(|start| line.starts_with(start)) && is_whole
        };
        let lines: Vec<&str> = self.text().split_inclusive('\n').collect();
        let pairs = lines.windows(2).filter(|pair| is_import(pair[0]) && is_import(pair[1]));
        pairs
            .take(2)
            .map(|pair| {
                let (old, new) = (pair.concat(), format!("{}{}{}", pair[1], pair[0], pair[1]));
                self.edits("imports", self.text(), vec![edit(&old, &new)])
            })
            .collect()
    }
}

fn edit(old: &str, new: &str) -> TextEdit {
    TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false }
}

/// A statement with keywords in a string, and one with keywords inside of names.
fn statements(language: &str, words: &str) -> Option<(String, String)> {
    let text = format!("\"the {words} here\"");
    Some(match language {
        "Rust" => (format!("let note = {text};"), "let struct_of = my_fn + impl_ed;".into()),
        "Python" => (format!("note = {text}"), "class_of = define + my_class".into()),
        "Ruby" => (format!("note = {text}"), "class_of = define + my_class".into()),
        "Go" => (format!("note := {text}"), "structOf := myfunc + func_of".into()),
        "TypeScript" | "JavaScript" => {
            (format!("const note = {text};"), "const classOf = my_function + $class;".into())
        }
        "Java" => (format!("String note = {text};"), "Object of = String.class;".into()),
        "Kotlin" => (format!("val note = {text}"), "val of = String::class".into()),
        "C" => (format!("const char *note = {text};"), "struct stat *of = 0;".into()),
        "C++" => (format!("const char *note = {text};"), "struct stat *of = 0;".into()),
        "C#" => (format!("var note = {text};"), "var classOf = myClass + structure;".into()),
        _ => return None,
    })
}

/// A definition of a name that no file has.
fn fresh_definition(language: &str) -> Option<&'static str> {
    Some(match language {
        "Rust" => "fn quite_fresh() {\n    let x = 1;\n}",
        "Python" => "def quite_fresh():\n    return 1",
        "Ruby" => "def quite_fresh\n  1\nend",
        "Go" => "func quiteFresh() {\n\treturn\n}",
        "TypeScript" | "JavaScript" => "function quiteFresh() {\n  return 1;\n}",
        "Java" => "class QuiteFresh {\n    int a;\n}",
        "Kotlin" => "fun quiteFresh() {\n    return\n}",
        "C" | "C++" => "int quite_fresh(void)\n{\n    return 1;\n}",
        "C#" => "class QuiteFresh {\n    int a;\n}",
        _ => return None,
    })
}
