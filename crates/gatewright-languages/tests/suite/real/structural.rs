//! Edits that are structural, of every class that is known to slip through somewhere.

use gatewright_languages::syntax::{Parsed, Symbol};
use gatewright_model::{Intent, Span, TextEdit};
use gatewright_testkit::Random;

use super::corpus::Source;
use super::judge::Case;

/// All edits that the definitions of a file allow.
pub fn cases(source: &Source, parsed: &Parsed, random: &mut Random) -> Vec<Case> {
    let mut found = Vec::new();
    let symbols: Vec<&Symbol> = parsed.outline().iter().filter(|one| is_fit(parsed, one)).collect();
    for (index, symbol) in symbols.iter().enumerate() {
        let spot = Spot { source, parsed, symbol };
        let next = symbols[index + 1..]
            .iter()
            .find(|other| other.parent == symbol.parent && other.code.start >= symbol.code.end);
        let mut made = spot.alone();
        made.extend(spot.overwritten());
        if let Some(next) = next {
            made.extend(spot.with(next));
        }
        found.extend(made.into_iter().flatten());
    }
    for case in &mut found {
        if random.one_in(2) {
            without_returns(&mut case.intent);
        }
    }
    found
}

/// Agents send line feeds whatever the file has.
fn without_returns(intent: &mut Intent) {
    if let Intent::Edit(edits) = intent {
        for edit in edits {
            edit.old = edit.old.replace("\r\n", "\n");
            edit.new = edit.new.replace("\r\n", "\n");
        }
    }
}

/// A definition over three lines or more that stands on lines of its own.
fn is_fit(parsed: &Parsed, symbol: &Symbol) -> bool {
    let start = parsed.lines().start(parsed.lines().line(symbol.code.start));
    let is_first = parsed.source()[start..symbol.code.start].iter().all(u8::is_ascii_whitespace);
    symbol.structural
        && is_first
        && symbol.body.is_some()
        && parsed.text(symbol.code).trim_end().matches('\n').count() >= 2
}

/// A definition to be edited.
struct Spot<'a> {
    source: &'a Source,
    parsed: &'a Parsed,
    symbol: &'a Symbol,
}

impl Spot<'_> {
    fn text(&self) -> &str {
        &self.source.text
    }

    fn line(&self, offset: usize) -> usize {
        self.parsed.lines().line(offset)
    }

    /// From the start of a line to the end of another, one-based, line ends included.
    fn lines(&self, first: usize, last: usize) -> Span {
        let start = self.parsed.lines().start(first);
        let length: usize =
            self.text()[start..].split_inclusive('\n').take(last + 1 - first).map(str::len).sum();
        Span::new(start, start + length)
    }

    /// An edit of one stretch, if its text stands there only once.
    fn edit(&self, class: &'static str, span: Span, new: &str) -> Option<Case> {
        let old = self.parsed.text(span);
        if self.text().matches(old.as_str()).count() != 1 || old == new {
            return None;
        }
        let after = self.text().replacen(old.as_str(), new, 1);
        let edit = TextEdit { old, new: new.to_owned(), replace_all: false };
        self.case(class, after, Intent::Edit(vec![edit]))
    }

    fn case(&self, class: &'static str, after: String, intent: Intent) -> Option<Case> {
        let base = self.text().to_owned();
        (after != base).then_some(Case { class, base, after, intent, is_wanted: true })
    }

    /// The text of a line with a comment line below it.
    fn noted(&self, line: &str) -> String {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        let mark = self.source.language.language().line_comment;
        format!("{line}{}{mark} noted\n", &line[..blanks])
    }

    /// The line of the head that names the symbol, and the line below it.
    fn head_lines(&self) -> Option<(String, String, Span)> {
        let first = self.line(self.symbol.name_span.start);
        let (head, next) = (self.lines(first, first), self.lines(first + 1, first + 1));
        let all = Span::new(head.start, next.end);
        let texts = (self.parsed.text(head), self.parsed.text(next));
        // Without a body line there is nothing below the head to edit.
        (next.end <= self.symbol.code.end && !texts.1.trim().is_empty())
            .then_some((texts.0, texts.1, all))
    }

    /// Edits of this definition by itself.
    fn alone(&self) -> Vec<Option<Case>> {
        let code = self.parsed.text(self.symbol.code);
        let (head_text, rest) = code.split_once('\n').unwrap();
        let (second, tail) = rest.split_once('\n').unwrap_or((rest, ""));
        let noted = format!("{head_text}\n{}{tail}", self.noted(&format!("{second}\n")));
        let mut made = vec![
            self.edit("whole definition rewritten", self.symbol.code, &noted),
            self.edit("definition deleted", self.symbol.full, ""),
            self.edit("definition commented out", self.symbol.code, &self.commented(&code)),
            self.name_onwards(),
            self.dropped_annotations(),
            self.split_by_new_text(),
            self.redefined(),
        ];
        made.extend(self.head_edits());
        made
    }

    fn commented(&self, code: &str) -> String {
        let mark = self.source.language.language().line_comment;
        let lines: Vec<String> = code.split('\n').map(|line| format!("{mark} {line}")).collect();
        lines.join("\n")
    }

    /// Edits of the head with the line below it, in several spellings.
    fn head_edits(&self) -> Vec<Option<Case>> {
        let Some((head, next, span)) = self.head_lines() else { return Vec::new() };
        let new = format!("{head}{}", self.noted(&next));
        let plain = self.edit("head and the line below", span, &new);
        let all = plain
            .as_ref()
            .map(|case| spelt(case, "replace all", |edit| TextEdit { replace_all: true, ..edit }));
        let escape = |text: String| text.replace('\r', "").replace('\n', "\\n");
        // A text with escapes of its own has no one spelling.
        let escaped = plain.as_ref().filter(|_| !new.contains('\\')).map(|case| {
            spelt(case, "escaped newlines", |edit| TextEdit {
                old: escape(edit.old),
                new: escape(edit.new),
                ..edit
            })
        });
        vec![plain, all, escaped, self.batch(&head, &next), self.patch_of_head(&head, &next)]
    }

    fn renamed(&self, head: &str) -> Option<String> {
        let name = self.parsed.text(self.symbol.name_span);
        let is_simple = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_once = head.matches(name.as_str()).count() == 1;
        (is_simple && is_once).then(|| head.replace(name.as_str(), &format!("{name}Renamed")))
    }

    /// Single-line edits that rename the head and change the line below it.
    fn batch(&self, head: &str, next: &str) -> Option<Case> {
        let new_head = self.renamed(head)?;
        let is_once = |line: &str| self.text().matches(line).count() == 1;
        if !is_once(head) || !is_once(next) {
            return None;
        }
        let new_next = self.noted(next);
        let after = self.text().replacen(head, &new_head, 1).replacen(next, &new_next, 1);
        let edit = |old: &str, new: &str| TextEdit {
            old: old.to_owned(),
            new: new.to_owned(),
            replace_all: false,
        };
        let edits = vec![edit(head, &new_head), edit(next, &new_next)];
        self.case("batch of single lines", after, Intent::Edit(edits))
    }

    fn patch_of_head(&self, head: &str, next: &str) -> Option<Case> {
        let new_head = self.renamed(head)?;
        let both = format!("{head}{next}");
        let blanks = next.len() - next.trim_start_matches([' ', '\t']).len();
        let mark = self.source.language.language().line_comment;
        let swapped = format!("{new_head}{}{mark} was here\n", &next[..blanks]);
        // The line below goes too, where the result still parses.
        let after = self.text().replacen(&both, &swapped, 1);
        let is_sound = !Parsed::new(self.source.language, after.as_bytes())
            .unwrap()
            .tree()
            .root_node()
            .has_error();
        is_sound.then(|| self.case("patch of head and body", after, Intent::Patch)).flatten()
    }

    /// From the name to the end of the line below.
    fn name_onwards(&self) -> Option<Case> {
        let (_, next, span) = self.head_lines()?;
        let span = Span::new(self.symbol.name_span.start, span.end);
        let old = self.parsed.text(span);
        let new = format!("{}{}", old.strip_suffix(next.as_str())?, self.noted(&next));
        self.edit("from the name to the line below", span, &new)
    }

    fn dropped_annotations(&self) -> Option<Case> {
        let symbol = self.symbol;
        let last = self.line(symbol.bare_start);
        if symbol.bare_start == symbol.code.start || last == self.line(symbol.code.start) {
            return None;
        }
        let end = self.lines(last, last).end;
        let new = self.parsed.text(Span::new(symbol.bare_start, end));
        self.edit("dropped annotations", Span::new(symbol.code.start, end), &new)
    }

    /// One line of a body becomes the end of the function and the start of another.
    fn split_by_new_text(&self) -> Option<Case> {
        let body = self.symbol.body?;
        let opener = match self.source.language.name() {
            "Rust" => "fn injected() {",
            "Go" => "func injected() {",
            "TypeScript" | "JavaScript" => "function injected() {",
            "C" | "C++" => "void injected() {",
            _ => return None,
        };
        if self.symbol.parent.is_some() || self.symbol.kind.as_str() != "function" {
            return None;
        }
        let (first, last) = (self.line(body.start) + 1, self.line(body.end));
        if first + 2 > last {
            return None;
        }
        let line = self.lines(first, first);
        let text = self.parsed.text(line);
        // Only a statement that is whole lets the result parse.
        if !text.trim_end().ends_with(';') {
            return None;
        }
        let case =
            self.edit("function split by new text", line, &format!("{text}}}\n\n{opener}\n"));
        case.filter(|case| {
            let parsed = Parsed::new(self.source.language, case.after.as_bytes()).unwrap();
            !parsed.tree().root_node().has_error()
        })
    }

    /// The same function a second time at the end of the file.
    fn redefined(&self) -> Option<Case> {
        let language = self.source.language.language();
        let is_plain = language.single_definitions
            && self.symbol.parent.is_none()
            && self.symbol.kind.as_str() == "function"
            && self.symbol.bare_start == self.symbol.code.start
            && self.symbol.overload == 1
            && self.symbol.name != "init"
            && self.symbol.name != "_"
            && self.parsed.lines().position(self.symbol.code.start).1 == 1;
        if !is_plain {
            return None;
        }
        let count = self.parsed.outline().iter().filter(|one| one.path == self.symbol.path).count();
        let last = self.text().lines().last().filter(|line| !line.trim().is_empty())?;
        let at = self.text().rfind(last)?;
        let new = format!("{last}\n\n{}", self.parsed.text(self.symbol.code));
        let case = self.edit("appended second definition", Span::new(at, at + last.len()), &new)?;
        (count == 1).then_some(Case { is_wanted: false, ..case })
    }

    /// Whole-file writes.
    fn overwritten(&self) -> Vec<Option<Case>> {
        if self.is_local() {
            return vec![self.elided()];
        }
        let full = self.symbol.full;
        let without = format!("{}{}", &self.text()[..full.start], &self.text()[full.end..]);
        let lost =
            self.case("overwrite that loses a definition", without.clone(), Intent::Overwrite);
        let removed = self.case("patch that deletes a definition", without, Intent::Patch);
        vec![lost, removed, self.elided(), self.renamed_by_overwrite()]
    }

    /// Whether the definition is local to a function; a whole-file write may drop it.
    fn is_local(&self) -> bool {
        let mut parent = self.symbol.parent;
        while let Some(index) = parent {
            let around = &self.parsed.outline()[index];
            if around.kind.is_callable() {
                return true;
            }
            parent = around.parent;
        }
        false
    }

    fn renamed_by_overwrite(&self) -> Option<Case> {
        let (head, _, span) = self.head_lines()?;
        let new = self.renamed(&head)?;
        let rest = &self.text()[span.start + head.len()..];
        let after = format!("{}{new}{rest}", &self.text()[..span.start]);
        self.case("overwrite that renames a definition", after, Intent::Overwrite)
    }

    fn elided(&self) -> Option<Case> {
        let body = self.symbol.body?;
        let mark = self.source.language.language().line_comment;
        let text = self.parsed.text(body);
        let inner = match (text.starts_with('{'), self.source.language.name()) {
            (true, _) => format!("{{\n{mark} ... existing code ...\n}}"),
            (false, "Python") => format!("{mark} ... existing code ...\n{}pass", self.indent(body)),
            (false, "Ruby") => format!("{mark} ... existing code ..."),
            _ => return None,
        };
        let after = format!("{}{inner}{}", &self.text()[..body.start], &self.text()[body.end..]);
        let case = self.case("overwrite with an elision", after, Intent::Overwrite)?;
        Some(Case { is_wanted: false, ..case })
    }

    fn indent(&self, span: Span) -> String {
        let start = self.parsed.lines().start(self.line(span.start));
        let before = &self.text()[start..span.start];
        before.chars().take_while(|c| c.is_whitespace()).collect()
    }

    /// Edits of this definition together with the next one.
    fn with(&self, next: &Symbol) -> Vec<Option<Case>> {
        vec![self.end_and_head(next), self.both(next), self.swapped(next), self.moved(next)]
    }

    /// The last line of one definition and the first of the next.
    fn end_and_head(&self, next: &Symbol) -> Option<Case> {
        let first = self.line(self.symbol.code.end.saturating_sub(1));
        let last = self.line(next.code.start);
        let span = self.lines(first, last);
        let text = self.parsed.text(span);
        let (one, rest) = text.split_once('\n')?;
        self.edit("end of one and head of the next", span, &format!("{one}\n\n{rest}"))
            .filter(|_| !rest.trim().is_empty() && last > first)
    }

    /// Both definitions at once, the first one changed.
    fn both(&self, next: &Symbol) -> Option<Case> {
        let (_, line, place) = self.head_lines()?;
        let span = Span::new(self.symbol.code.start, next.code.end);
        let old = self.parsed.text(span);
        let at = place.end - self.symbol.code.start;
        let new = format!("{}{}{}", &old[..at - line.len()], self.noted(&line), old.get(at..)?);
        let (_, line, place) = Spot { symbol: next, ..*self }.head_lines()?;
        let at = old.len() - (next.code.end - place.end);
        let shift = new.len() - old.len();
        let tail = self.noted(&line);
        let new =
            format!("{}{tail}{}", new.get(..at + shift - line.len())?, new.get(at + shift..)?);
        self.edit("two definitions at once", span, &new)
    }

    /// Two heads change their names by single-line edits while the bodies stay.
    fn swapped(&self, next: &Symbol) -> Option<Case> {
        let other = Spot { symbol: next, ..*self };
        let (head, _, span) = self.head_lines()?;
        let (other_head, _, other_span) = other.head_lines()?;
        let (name, other_name) =
            (self.parsed.text(self.symbol.name_span), self.parsed.text(next.name_span));
        let is_callable = |symbol: &Symbol| symbol.kind.is_callable();
        let body = |symbol: &Symbol| symbol.body.map(|body| self.parsed.text(body));
        let is_single = |symbol: &Symbol| {
            self.parsed.outline().iter().filter(|one| one.path == symbol.path).count() == 1
        };
        if !is_callable(self.symbol) || !is_callable(next) || body(self.symbol) == body(next) {
            return None;
        }
        if !is_single(self.symbol) || !is_single(next) || name == other_name {
            return None;
        }
        // A method of another type, or of the class itself, would only be renamed.
        let scope = |symbol: &Symbol, name: &str| symbol.path.strip_suffix(name).map(str::to_owned);
        if scope(self.symbol, &name).is_none()
            || scope(self.symbol, &name) != scope(next, &other_name)
        {
            return None;
        }
        self.renamed(&head)?;
        other.renamed(&other_head)?;
        let (one, two) = (head.replace(&name, &other_name), other_head.replace(&other_name, &name));
        let is_once = |line: &str| self.text().matches(line).count() == 1;
        let is_clear = is_once(&head) && is_once(&other_head) && span.end <= other_span.start;
        if !is_clear || one.contains(&other_head) {
            return None;
        }
        let after = self.text().replacen(&other_head, &two, 1).replacen(&head, &one, 1);
        let edit = |old: &str, new: &str| TextEdit {
            old: old.to_owned(),
            new: new.to_owned(),
            replace_all: false,
        };
        let edits = vec![edit(&other_head, &two), edit(&head, &one)];
        self.case("swapped heads", after, Intent::Edit(edits))
    }

    /// The first definition goes behind the next one.
    fn moved(&self, next: &Symbol) -> Option<Case> {
        let span = Span::new(self.symbol.full.start, next.full.end);
        let between = self.parsed.text(Span::new(self.symbol.full.end, next.full.start));
        let (one, two) = (self.parsed.text(self.symbol.full), self.parsed.text(next.full));
        if !between.trim().is_empty() || !between.contains('\n') {
            return None;
        }
        self.edit("definition moved", span, &format!("{two}{between}{one}"))
    }
}

fn spelt(case: &Case, class: &'static str, change: impl Fn(TextEdit) -> TextEdit) -> Case {
    let Intent::Edit(edits) = &case.intent else { unreachable!("only edits are spelt anew") };
    Case {
        class,
        base: case.base.clone(),
        after: case.after.clone(),
        intent: Intent::Edit(edits.iter().cloned().map(change).collect()),
        is_wanted: case.is_wanted,
    }
}
