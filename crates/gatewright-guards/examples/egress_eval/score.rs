//! Counts what was right, and shows what was not.

use std::collections::BTreeMap;

use gatewright_guards::egress::{Kind, Redactor};

use crate::connections::Connection;

/// The counts of each class.
pub struct Scores {
    show: bool,
    classes: BTreeMap<&'static str, (usize, usize)>,
    /// Bytes hidden that are no part of a secret, and bytes that are.
    beside: (usize, usize),
}

impl Scores {
    pub fn new(show: bool) -> Scores {
        Scores { show, classes: BTreeMap::new(), beside: (0, 0) }
    }

    fn count(&mut self, class: &'static str, what: &str, right: bool, text: impl Fn() -> String) {
        let entry = self.classes.entry(class).or_default();
        entry.0 += usize::from(right);
        entry.1 += 1;
        if !right && self.show {
            println!("{class} | {what} | {}", text());
        }
    }

    /// A secret for which no text could be made.
    pub fn miss(&mut self, class: &'static str, what: &str, text: &str) {
        self.count(class, what, false, || text.to_owned());
    }

    /// `secret` must be gone.
    pub fn hidden(
        &mut self,
        redactor: &Redactor,
        class: &'static str,
        what: &str,
        text: &str,
        secret: &str,
    ) {
        let redacted = redactor.redact(text);
        for one in &redacted.redactions {
            let covered: usize = text
                .match_indices(secret)
                .map(|(at, _)| one.end.min(at + secret.len()).saturating_sub(one.start.max(at)))
                .sum();
            self.beside.0 += one.range().len() - covered;
            self.beside.1 += covered;
        }
        let right = !redacted.text.contains(secret) && !redacted.redactions.is_empty();
        self.count(class, what, right, || format!("{text:?} -> {:?}", redacted.text));
    }

    /// Every line must be gone.
    pub fn hidden_lines(
        &mut self,
        redactor: &Redactor,
        class: &'static str,
        what: &str,
        text: &str,
        lines: &[String],
    ) {
        let redacted = redactor.redact(text).text;
        let left = lines.iter().filter(|line| redacted.contains(line.as_str())).count();
        self.count(class, what, left == 0, || {
            format!("{left} of {} lines left: {redacted:?}", lines.len())
        });
    }

    /// The form in which the secret stands must be gone.
    pub fn changed(
        &mut self,
        redactor: &Redactor,
        class: &'static str,
        what: &str,
        text: &str,
        form: &str,
    ) {
        let redacted = redactor.redact(text);
        let right = !redacted.redactions.is_empty() && !redacted.text.contains(form);
        self.count(class, what, right, || format!("{text:?} -> {:?}", redacted.text));
    }

    /// No part of the disguised form may stay: no twelve bytes of it in a row.
    pub fn gone(
        &mut self,
        redactor: &Redactor,
        class: &'static str,
        what: &str,
        text: &str,
        form: &str,
    ) {
        let redacted = redactor.redact(text);
        let rest = redacted.text.as_bytes();
        // Blanks and line breaks belong to the seams of a form.
        let mut parts = form.as_bytes().windows(12).filter(|part| !part.contains(&b' '));
        let stays = parts.any(|part| rest.windows(12).any(|one| one == part));
        let right = !redacted.redactions.is_empty() && !stays;
        self.count(class, what, right, || format!("{text:?} -> {:?}", redacted.text));
    }

    /// The password must be gone and the rest must stand.
    pub fn only_hidden(&mut self, redactor: &Redactor, one: &Connection) {
        let Connection { text, before, after, secret } = one;
        let redacted = redactor.redact(text).text;
        let gone = !redacted.contains(secret) || before.contains(secret) || after.contains(secret);
        let kept = Kind::ALL
            .iter()
            .any(|kind| redacted == format!("{before}{}{after}", kind.placeholder()));
        let shown = || format!("{text:?} -> {redacted:?}");
        self.count("connection string", "found", gone && redacted != *text, shown);
        self.count("connection string, only the password", "exact", kept, shown);
    }

    /// A text that the caller judged.
    pub fn judged(
        &mut self,
        class: &'static str,
        what: &str,
        right: bool,
        text: &str,
        redacted: &str,
    ) {
        self.count(class, what, right, || format!("{text:?} -> {redacted:?}"));
    }

    /// Nothing may change.
    pub fn same(&mut self, redactor: &Redactor, class: &'static str, what: &str, text: &str) {
        let redacted = redactor.redact(text);
        let rules: Vec<&str> = redacted.redactions.iter().map(|one| one.rule.as_ref()).collect();
        self.count(class, what, rules.is_empty(), || format!("{rules:?} {text:?}"));
    }

    /// A real file: each thing found is shown.
    pub fn real(&mut self, redactor: &Redactor, path: &str, text: &str) {
        let found = redactor.find(text.as_bytes());
        let secrets: Vec<_> = found.iter().filter(|one| one.kind != Kind::Path).collect();
        self.count("real file", "", secrets.is_empty(), || {
            let shown = secrets.iter().take(6).map(|one| {
                let from = text.floor_char_boundary(one.start.saturating_sub(40));
                let to = text.floor_char_boundary(one.end.min(one.start + 80));
                format!("\n    {} {:?}", one.rule, &text[from..to])
            });
            format!("{path} {}", shown.collect::<String>())
        });
    }

    pub fn print(&self) {
        for (class, (right, all)) in &self.classes {
            let share = *right as f64 * 100.0 / (*all).max(1) as f64;
            println!("{class:<40} {right:>6} of {all:>6} right  {share:6.2} %");
        }
        let (beside, inside) = self.beside;
        let share = beside as f64 * 100.0 / (beside + inside).max(1) as f64;
        println!(
            "{:<40} {beside:>6} of {:>6} bytes {share:7.2} %",
            "hidden beside the secret",
            beside + inside
        );
    }
}
