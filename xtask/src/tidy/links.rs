//! The links of the documents: every relative one leads somewhere, and the book is whole.

use std::collections::BTreeSet;

use super::Untidy;
use crate::tree::{self, TextFile};

const SUMMARY: &str = "docs/src/SUMMARY.md";

/// Checks every Markdown file, and the table of contents of the book.
pub fn check(files: &[TextFile]) -> Vec<Untidy> {
    let exists = |path: &str| tree::root().join(path).exists();
    check_with(files, exists)
}

fn check_with(files: &[TextFile], exists: impl Fn(&str) -> bool) -> Vec<Untidy> {
    let pages: Vec<&TextFile> =
        files.iter().filter(|file| file.has_extension("md") && !file.is_fixture()).collect();
    let mut found = Vec::new();
    let mut listed = BTreeSet::new();
    for page in &pages {
        for (line, target) in links(&page.text) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = if file.is_empty() { page.path.clone() } else { resolve(&page.path, file) };
            if page.path == SUMMARY {
                listed.insert(path.clone());
            }
            let target_page = pages.iter().find(|other| other.path == path);
            if !exists(&path) && target_page.is_none() {
                found.push(untidy(page, line, &target, "leads nowhere"));
            } else if !anchor.is_empty() && !target_page.is_none_or(|to| has_anchor(to, anchor)) {
                found.push(untidy(page, line, &target, "names no heading there"));
            }
        }
    }
    let unlisted = pages.iter().filter(|page| {
        page.path.starts_with("docs/src/") && page.path != SUMMARY && !listed.contains(&page.path)
    });
    found.extend(unlisted.map(|page| untidy(page, 1, &page.path, "is not in SUMMARY.md")));
    found
}

/// The relative targets of `[text](target)` with their line numbers, code blocks left out.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_code = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        let outside_code: String = line.split('`').step_by(2).collect();
        for part in outside_code.split("](").skip(1) {
            let target = part.split([')', ' ']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains(':') && !target.starts_with('/') {
                found.push((index + 1, target.to_owned()));
            }
        }
    }
    found
}

fn resolve(from: &str, target: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

fn has_anchor(page: &TextFile, anchor: &str) -> bool {
    page.text.lines().filter(|line| line.starts_with('#')).any(|line| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>() == anchor
    })
}

fn untidy(page: &TextFile, line: usize, target: &str, what: &str) -> Untidy {
    Untidy {
        rule: "link",
        path: page.path.clone(),
        line,
        name: target.to_owned(),
        message: format!("{target} {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<TextFile> = files
            .iter()
            .map(|(path, text)| TextFile { path: (*path).to_owned(), text: (*text).to_owned() })
            .collect();
        check_with(&files, |_| false).into_iter().map(|untidy| untidy.message).collect()
    }

    #[test]
    fn links_lead_to_pages_and_headings() {
        let found = messages(&[
            ("docs/src/SUMMARY.md", "- [A](a.md)\n- [B](sub/b.md)"),
            ("docs/src/a.md", "# A b, c\n[b](sub/b.md) [up](#a-b-c) [out](https://x.y) `[x](y)`"),
            ("docs/src/sub/b.md", "[a](../a.md#a-b-c)"),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn broken_links_and_forgotten_pages_are_found() {
        let found = messages(&[
            ("docs/src/SUMMARY.md", "- [A](a.md)\n- [Gone](gone.md)"),
            ("docs/src/a.md", "[x](#nothing)\n```\n[in code](nowhere.md)\n```"),
            ("docs/src/forgotten.md", ""),
        ]);
        assert_eq!(
            found,
            [
                "gone.md leads nowhere",
                "#nothing names no heading there",
                "docs/src/forgotten.md is not in SUMMARY.md",
            ]
        );
    }
}
