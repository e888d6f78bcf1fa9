//! Scores invented names that were written elsewhere: one case for each line of a file.
//!
//! A case is `{"path","content","kind","style","name","own","how"}`, the path below the project. Each is
//! written over the file as it is, and again as a new file that the project does not have.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use gatewright_languages::references::{ChangedFile, Index, reference_facts};
use gatewright_model::ReferenceFacts;
use serde_json::Value;

use crate::Bench;
use crate::halves::Hiding;

/// Cases and those found over the file as it is and as new ones; the same of own names.
type Tally = [u64; 6];

/// Counts by kind, style and owner of the name.
#[derive(Default)]
pub(crate) struct Cases {
    kinds: BTreeMap<String, Tally>,
}

impl Cases {
    fn count(&mut self, case: &Value, found: [bool; 2]) {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let keys = [
            "all".to_owned(),
            format!("kind {}", text("kind")),
            format!("style {}", text("style")),
            format!("owner {}", text("own")),
        ];
        for key in keys {
            let tally = self.kinds.entry(key).or_default();
            let shares = [1, u64::from(found[0]), u64::from(found[1])];
            let is_own = u64::from(text("own") != "other");
            for (index, share) in shares.into_iter().enumerate() {
                tally[index] += share;
                tally[index + 3] += share * is_own;
            }
        }
    }

    pub(crate) fn print(&self) {
        let percent = |part: u64, whole: u64| part as f64 * 100.0 / whole.max(1) as f64;
        for (key, [all, over, new, own, own_over, own_new]) in &self.kinds {
            println!(
                "  {key:<24} {all:>5}: over {:.1} %, new {:.1} %; own {own:>5}: over {:.1} %, new {:.1} %",
                percent(*over, *all),
                percent(*new, *all),
                percent(*own_over, *own),
                percent(*own_new, *own)
            );
        }
    }
}

/// Whether the name of a case is among what is missing.
fn is_found(facts: &ReferenceFacts, name: &str) -> bool {
    let is_name = |found: &str| {
        found == name || found.split(['.', ':']).any(|part| part == name) || found.ends_with(name)
    };
    facts.missing.iter().any(|missing| is_name(&missing.name))
}

impl Bench<'_> {
    /// Runs the cases of a file; those of one path stand together.
    pub(crate) fn cases(&self, file: &Path, cases: &mut Cases) {
        let text = std::fs::read_to_string(file).unwrap();
        let mut by_path: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for line in text.lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            by_path.entry(case["path"].as_str().unwrap().to_owned()).or_default().push(case);
        }
        for (path, of_path) in &by_path {
            let hidden = HashSet::from([path.as_str()]);
            let without = (Hiding { tree: &self.tree, hidden }, Index::new());
            for case in of_path {
                self.case(path, case, &without, cases);
            }
        }
    }

    fn case(&self, path: &str, case: &Value, without: &(Hiding<'_>, Index), cases: &mut Cases) {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let before = std::fs::read(self.project.join(path)).unwrap();
        let over = self.facts(path, Some(&before), text("content").as_bytes());
        let after = Some(Arc::from(text("content").as_bytes()));
        let change = ChangedFile { path: path.to_owned(), before: None, after };
        let (tree, index) = without;
        let new = reference_facts(&[change], tree, &self.dependencies, index).remove(0);
        let found = [is_found(&over, text("name")), is_found(&new, text("name"))];
        cases.count(case, found);
        if found != [true, true] && self.options.show > 0 {
            let line =
                text("content").lines().zip(1..).find(|(line, _)| line.contains(text("name")));
            println!(
                "MISSED {} {} {} {} {}/{path}:{line:?} over {} new {} {:?}",
                text("id"),
                text("kind"),
                text("style"),
                text("own"),
                self.project.display(),
                found[0],
                found[1],
                over.unknown
            );
        }
        if text("style") == "added" && self.options.show > 0 {
            for missing in over
                .missing
                .iter()
                .filter(|it| !it.name.contains(text("name")) && !text("name").contains(&it.name))
            {
                println!(
                    "EXTRA {} {path}:{} {} {} for {}",
                    text("id"),
                    missing.line,
                    missing.kind,
                    missing.name,
                    text("name")
                );
            }
        }
    }
}
