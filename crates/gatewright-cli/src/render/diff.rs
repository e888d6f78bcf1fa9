//! Hunks and units as coloured unified text.

use gatewright_engine::{StagedFile, Unit, UnitDecision};
use gatewright_model::{Hunk, LineKind};

use crate::output::{Colour, Output, harmless};

/// A hunk as unified text.
pub fn hunk_text(hunk: &Hunk, output: &Output) -> String {
    let header = format!(
        "@@ -{},{} +{},{} @@ {}",
        hunk.before_start, hunk.before_count, hunk.after_start, hunk.after_count, hunk.id
    );
    let mut text = format!("{}\n", output.paint(Colour::Cyan, &header));
    for line in &hunk.lines {
        let content = String::from_utf8_lossy(&line.text);
        let shown = harmless(content.trim_end_matches(['\n', '\r']));
        let painted = match line.kind {
            LineKind::Context => format!(" {shown}"),
            LineKind::Removed => output.paint(Colour::Red, &format!("-{shown}")),
            LineKind::Added => output.paint(Colour::Green, &format!("+{shown}")),
        };
        text.push_str(&painted);
        text.push('\n');
        if !content.ends_with('\n') {
            text.push_str("\\ no newline at the end of the file\n");
        }
    }
    text
}

/// A unit with what was decided on it.
pub fn unit_text(unit: &Unit, decision: Option<&UnitDecision>, output: &Output) -> String {
    let body = match unit {
        Unit::Hunk { hunk, .. } => hunk_text(hunk, output),
        Unit::Whole { label, .. } => format!("{}\n", output.paint(Colour::Cyan, &harmless(label))),
    };
    match decision {
        None => body,
        Some(decision) => {
            let word = match decision.choice {
                gatewright_engine::Choice::Accept => output.paint(Colour::Green, "[accepted]"),
                gatewright_engine::Choice::Reject => output.paint(Colour::Red, "[rejected]"),
            };
            let comment = decision.comment.as_deref().map(harmless).unwrap_or_default();
            format!("{word} {comment}\n{body}")
        }
    }
}

/// The heading of a staged file: what was asked for, and where it leads.
pub fn file_heading(file: &StagedFile, output: &Output) -> String {
    let requested = harmless(file.requested.as_str());
    let resolved = file.resolved.as_str();
    let heading = if requested == resolved {
        requested
    } else {
        format!("{requested}  ->  {}", harmless(resolved))
    };
    output.paint(Colour::Bold, &heading)
}
