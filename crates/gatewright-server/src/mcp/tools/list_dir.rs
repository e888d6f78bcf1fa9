//! `list_dir`: what a directory holds, with what the run has staged there.

use std::collections::BTreeMap;

use gatewright_engine::EngineError;
use gatewright_model::{RequestedPath, TargetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::staged_view::StagedView;
use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, Loose};

const PAGE: usize = 500;

pub struct ListDir;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Default: the root
    path: Option<String>,
    offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[schemars(with = "Vec<Loose>")]
    entries: Vec<Listing>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize)]
pub struct Listing {
    name: String,
    kind: &'static str,
    size: u64,
}

impl Tool for ListDir {
    const NAME: &'static str = "list_dir";
    const TITLE: &'static str = "List a directory";
    const DESCRIPTION: &'static str = "List a directory: names, kinds (file, directory, link, \
        other) and sizes, sorted by name.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let path = input.path.unwrap_or_else(|| ".".to_owned());
        let all = listings(call, &path)?;
        let total = all.len();
        let offset = input.offset.unwrap_or(0);
        let entries: Vec<Listing> = all.into_iter().skip(offset).take(PAGE).collect();
        let end = offset.saturating_add(entries.len());
        let next_offset = (end < total && !entries.is_empty()).then_some(end);
        let mut text: String = entries.iter().map(line).collect();
        if let Some(next) = next_offset {
            text.push_str(&format!("{total} entries; go on with offset={next}\n"));
        }
        if total == 0 {
            text.push_str("empty\n");
        }
        Ok(Answer::new(text, Output { entries, total, next_offset }))
    }
}

fn listings(call: &Call, path: &str) -> Result<Vec<Listing>, EngineError> {
    let staged = StagedView::of(call)?;
    let prefix = prefix_of(path);
    let mut names: BTreeMap<String, Listing> = BTreeMap::new();
    let on_disk = call.engine.workspace().read_dir(&RequestedPath::new(path));
    let on_disk = match on_disk {
        Ok(entries) => entries,
        // A directory that only a staged file would make is listed all the same.
        Err(_) if staged.present().any(|(file, _)| file.starts_with(&prefix)) => Vec::new(),
        Err(source) => return Err(call.engine.not_listed(path, source)),
    };
    for entry in on_disk {
        if staged.get(&format!("{prefix}{}", entry.name)) == Some(None) {
            continue;
        }
        let kind = match entry.kind {
            _ if entry.is_link => "link",
            TargetKind::Regular => "file",
            TargetKind::Directory => "directory",
            _ => "other",
        };
        let listing = Listing { name: entry.name.clone(), kind, size: entry.size };
        names.insert(entry.name, listing);
    }
    for (file, state) in staged.present() {
        let Some(rest) = file.strip_prefix(&prefix) else { continue };
        let listing = match rest.split_once('/') {
            Some((directory, _)) if names.contains_key(directory) => continue,
            Some((directory, _)) => {
                Listing { name: directory.to_owned(), kind: "directory", size: 0 }
            }
            None => {
                Listing { name: rest.to_owned(), kind: "file", size: state.content.len() as u64 }
            }
        };
        names.insert(listing.name.clone(), listing);
    }
    Ok(names.into_values().collect())
}

/// What the paths under a directory begin with.
fn prefix_of(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.is_empty() { String::new() } else { format!("{}/", parts.join("/")) }
}

fn line(listing: &Listing) -> String {
    match listing.kind {
        "directory" => format!("{}/\n", listing.name),
        "file" => format!("{}  {} bytes\n", listing.name, listing.size),
        kind => format!("{}  ({kind})\n", listing.name),
    }
}
