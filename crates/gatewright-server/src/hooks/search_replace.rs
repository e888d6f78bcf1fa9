//! Search-and-replace blocks, the form in which Cline writes its edits.

use gatewright_model::TextEdit;

/// Where a reader of blocks stands.
enum Part {
    Outside,
    Search(String),
    Replace(String, String),
}

/// The edits of a text of blocks; anything between blocks is an error.
pub fn edits(diff: &str) -> Result<Vec<TextEdit>, String> {
    let mut edits = Vec::new();
    let mut part = Part::Outside;
    for line in diff.split_inclusive('\n') {
        let bare = line.trim_end();
        part = match part {
            Part::Outside if is_fence(bare, "SEARCH") => Part::Search(String::new()),
            Part::Outside if bare.is_empty() => Part::Outside,
            Part::Outside => return Err("its diff is not made of blocks".to_owned()),
            Part::Search(old) if is_divider(bare) => Part::Replace(old, String::new()),
            Part::Search(old) => Part::Search(old + line),
            Part::Replace(old, new) if is_fence(bare, "REPLACE") => {
                edits.push(TextEdit { old, new, replace_all: false });
                Part::Outside
            }
            Part::Replace(old, new) => Part::Replace(old, new + line),
        };
    }
    match part {
        Part::Outside if !edits.is_empty() => Ok(edits),
        _ => Err("its diff ends in the middle of a block".to_owned()),
    }
}

fn is_fence(line: &str, word: &str) -> bool {
    let marks = line.strip_suffix(word).map(|rest| rest.trim_end().trim_end_matches('>'));
    let marks = marks.map(|rest| rest.trim_start_matches(['<', '-', '+']));
    marks == Some("") && line.len() > word.len() + 3
}

fn is_divider(line: &str) -> bool {
    line.len() >= 5 && line.chars().all(|c| c == '=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_the_fences_are_read() {
        let new = "------- SEARCH\none\n=======\n1\n+++++++ REPLACE\n";
        let old = "<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n";
        for diff in [new, old] {
            let edits = edits(diff).expect("edits");
            assert_eq!((edits[0].old.as_str(), edits[0].new.as_str()), ("one\n", "1\n"));
        }
        assert_eq!(edits(&format!("{new}\n{old}")).map(|edits| edits.len()), Ok(2));
    }

    #[test]
    fn half_a_block_is_no_edit() {
        for diff in ["", "text", "------- SEARCH\none\n", "------- SEARCH\none\n=======\n1\n"] {
            assert!(edits(diff).is_err(), "{diff:?}");
        }
    }
}
