//! The steps of a script as a whole: what its loops read, and which functions it makes.

use super::lexer::Step;
use super::word::Word;

/// The steps, with what stands behind `done` read where the loop begins.
pub fn with_loop_inputs(mut steps: Vec<Step>) -> Vec<Step> {
    let mut open = Vec::new();
    for at in 0..steps.len() {
        let Step::Command(command) = &steps[at] else { continue };
        match command.words.first().and_then(Word::plain) {
            Some("while" | "until" | "for" | "select") => open.push(at),
            Some("done") => {
                let input = command.input.clone();
                let start = open.pop().filter(|_| input.is_some());
                if let Some(Step::Command(start)) = start.and_then(|start| steps.get_mut(start)) {
                    start.input = start.input.take().or(input);
                }
            }
            _ => {}
        }
    }
    steps
}

/// The names before `()`, and behind `function`.
pub fn functions_of(steps: &[Step]) -> Vec<String> {
    let named = steps.windows(3).filter_map(|three| match three {
        [Step::Command(command), Step::Open, Step::Close] => command.words.last(),
        _ => None,
    });
    let worded = steps.iter().filter_map(|step| match step {
        Step::Command(command) if command.words.first()?.plain() == Some("function") => {
            command.words.get(1)
        }
        _ => None,
    });
    named.chain(worded).map(Word::bare_text).collect()
}
