//! `gatewright review`: hunk by hunk in the terminal, with the keys of `git add -p`.

use gatewright_engine::{Choice, Engine, Part, StagedChange, Unit, UnitDecision};
use gatewright_model::{LineKind, Verdict, split_hunk};

use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::output::Colour;
use crate::render::diff;
use crate::{input, person};

/// Review staged changes hunk by hunk, in the terminal.
///
/// Nothing is written until you say so at the end; an undecided hunk is not
/// accepted.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The staged change; a unique beginning of its id will do [default: all open ones]
    id: Option<String>,
}

const HELP: &str = "\
y  accept this hunk            n  reject this hunk
a  accept the rest of the file d  reject the rest of the file
A  accept everything left      R  reject everything left
s  split into smaller hunks    e  edit what the hunk adds
c  reject with a comment       u  undo the last decision
k  back one hunk               j  leave undecided, go on
q  stop; the rest stays open   ?  this help";

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    person::require(context.environment, "reviewing a change")?;
    let engine = context.engine()?;
    let ids: Vec<String> = match arguments.id {
        Some(id) => vec![engine.staged(&id)?.change.id],
        None => engine.open_changes()?.into_iter().map(|change| change.id).collect(),
    };
    if ids.is_empty() {
        context.output.line("nothing is staged");
    }
    let mut exit = Exit::Clean;
    for id in ids {
        let mut review = Review { engine: &engine, id, cursor: 0, decided: Vec::new() };
        let is_stopped = review.walk(context)?;
        if review.finish(context)? == Exit::Findings {
            exit = Exit::Findings;
        }
        if is_stopped {
            break;
        }
    }
    Ok(exit)
}

struct Review<'a> {
    engine: &'a Engine,
    id: String,
    cursor: usize,
    /// Where decisions were made, for undoing them.
    decided: Vec<usize>,
}

/// What to do after an answer.
enum Step {
    Next,
    Back,
    Stay,
    Stop,
}

impl Review<'_> {
    /// Goes through the hunks; says whether the person wants to stop altogether.
    fn walk(&mut self, context: &mut Context) -> Result<bool, Failure> {
        let view = self.engine.staged(&self.id)?;
        let heading =
            format!("change {} by {}", outcome::short_id(&self.id), view.change.agent.name);
        context.output.line(&context.output.paint(Colour::Bold, &heading));
        let findings = outcome::findings_text(&view.checked.findings, context.output);
        context.output.prompt(&findings);
        loop {
            let change = self.engine.staged(&self.id)?.change;
            let places = places_of(&change);
            let Some((file, unit)) = places.get(self.cursor) else { return Ok(false) };
            let staged = &change.files[*file];
            let decision = staged.decisions.get(unit.id());
            let count = format!("({}/{})", self.cursor + 1, places.len());
            context
                .output
                .line(&format!("\n{} {count}", diff::file_heading(staged, context.output)));
            context.output.prompt(&diff::unit_text(unit, decision, context.output));
            context.output.prompt("accept this hunk [y,n,a,d,A,R,s,e,c,u,k,j,q,?]? ");
            let Some(answer) = input::answer() else { return Ok(true) };
            let path = staged.resolved.to_string();
            match self.answer(answer.trim(), &path, unit, context)? {
                Step::Next => self.cursor += 1,
                Step::Back => self.cursor = self.cursor.saturating_sub(1),
                Step::Stay => {}
                Step::Stop => return Ok(true),
            }
        }
    }

    fn answer(
        &mut self,
        key: &str,
        path: &str,
        unit: &Unit,
        context: &mut Context,
    ) -> Result<Step, Failure> {
        let this = || Part::Unit { path: path.to_owned(), unit: unit.id().0.clone() };
        match key {
            "y" => self.decide(&this(), Choice::Accept, None),
            "n" => self.decide(&this(), Choice::Reject, None),
            "c" => {
                context.output.prompt("comment for the agent: ");
                self.decide(&this(), Choice::Reject, input::answer())
            }
            "a" => self.decide_rest(Some(path), Choice::Accept),
            "d" => self.decide_rest(Some(path), Choice::Reject),
            "A" => self.decide_rest(None, Choice::Accept),
            "R" => self.decide_rest(None, Choice::Reject),
            "u" => self.undo(),
            "k" => Ok(Step::Back),
            "j" | "" => Ok(Step::Next),
            "q" => Ok(Step::Stop),
            "s" => self.split(path, unit, context),
            "e" => self.edit(path, unit, context),
            _ => {
                context.output.line(HELP);
                Ok(Step::Stay)
            }
        }
    }

    fn decide(
        &mut self,
        part: &Part,
        choice: Choice,
        comment: Option<String>,
    ) -> Result<Step, Failure> {
        self.engine.decide(&self.id, part, Some(UnitDecision { choice, lines: None, comment }))?;
        self.decided.push(self.cursor);
        Ok(Step::Next)
    }

    /// Decides on everything from here on, in one file or in all.
    fn decide_rest(&mut self, path: Option<&str>, choice: Choice) -> Result<Step, Failure> {
        let change = self.engine.staged(&self.id)?.change;
        for (index, (file, unit)) in places_of(&change).iter().enumerate().skip(self.cursor) {
            let resolved = change.files[*file].resolved.as_str();
            if path.is_some_and(|path| path != resolved) {
                break;
            }
            self.cursor = index;
            let part = Part::Unit { path: resolved.to_owned(), unit: unit.id().0.clone() };
            self.decide(&part, choice, None)?;
        }
        Ok(Step::Next)
    }

    fn undo(&mut self) -> Result<Step, Failure> {
        if let Some(cursor) = self.decided.pop() {
            let change = self.engine.staged(&self.id)?.change;
            if let Some((file, unit)) = places_of(&change).get(cursor) {
                let path = change.files[*file].resolved.to_string();
                self.engine.decide(
                    &self.id,
                    &Part::Unit { path, unit: unit.id().0.clone() },
                    None,
                )?;
                self.cursor = cursor;
            }
        }
        Ok(Step::Stay)
    }

    /// Asks for each part of the hunk and accepts just the lines of those taken.
    fn split(&mut self, path: &str, unit: &Unit, context: &mut Context) -> Result<Step, Failure> {
        let Unit::Hunk { id, hunk } = unit else { return Ok(Step::Stay) };
        let runs = changed_runs(hunk);
        if runs.len() < 2 && split_hunk(hunk).len() < 2 {
            context.output.line("this hunk cannot be split");
            return Ok(Step::Stay);
        }
        let mut lines = Vec::new();
        for run in &runs {
            for index in run.clone() {
                let line = &hunk.lines[index];
                let sign = if line.kind == LineKind::Added { '+' } else { '-' };
                let text = String::from_utf8_lossy(&line.text);
                let shown = crate::output::harmless(text.trim_end_matches(['\n', '\r']));
                context.output.line(&format!("{sign}{shown}"));
            }
            context.output.prompt("accept these lines [y,n]? ");
            match input::answer().as_deref().map(str::trim) {
                Some("y") => lines.extend(run.clone()),
                Some("n") => {}
                _ => return Ok(Step::Stay),
            }
        }
        let choice = if lines.is_empty() { Choice::Reject } else { Choice::Accept };
        let lines = (choice == Choice::Accept).then_some(lines);
        let part = Part::Unit { path: path.to_owned(), unit: id.0.clone() };
        self.engine.decide(&self.id, &part, Some(UnitDecision { choice, lines, comment: None }))?;
        self.decided.push(self.cursor);
        Ok(Step::Next)
    }

    fn edit(&mut self, path: &str, unit: &Unit, context: &mut Context) -> Result<Step, Failure> {
        let Unit::Hunk { id, hunk } = unit else { return Ok(Step::Stay) };
        let environment = context.environment;
        let editor =
            environment.get("VISUAL").or_else(|| environment.get("EDITOR")).unwrap_or("vi");
        let proposed: Vec<u8> = hunk
            .lines
            .iter()
            .filter(|line| line.kind != LineKind::Removed)
            .flat_map(|line| line.text.clone())
            .collect();
        match input::edit(editor, &proposed)? {
            Some(text) => {
                self.engine.edit_hunk(&self.id, path, &id.0, &text)?;
                Ok(Step::Next)
            }
            None => {
                context.output.line("left as it is");
                Ok(Step::Stay)
            }
        }
    }

    /// Says what would be written and asks once more.
    fn finish(&self, context: &mut Context) -> Result<Exit, Failure> {
        let view = self.engine.staged(&self.id)?;
        let tally = view.change.tally();
        let reviewer = context.environment.user();
        let line = format!(
            "\n{} accepted, {} rejected, {} undecided",
            tally.accepted, tally.rejected, tally.undecided
        );
        context.output.line(&line);
        if tally.accepted == 0 {
            if tally.rejected > 0 && tally.undecided == 0 {
                let result = self.engine.reject_staged(&self.id, &reviewer, None)?;
                return Ok(outcome::print(&result, context.output));
            }
            return Ok(Exit::Clean);
        }
        if view.change.suggest_only {
            context.output.line("this change is suggest-only, so it cannot be applied");
            return Ok(Exit::Clean);
        }
        let asks = view.checked.verdict == Verdict::Confirm;
        let question = if asks {
            "apply, and confirm what the guards ask about above [y,n]? "
        } else {
            "apply what is accepted [y,n]? "
        };
        context.output.prompt(question);
        if input::answer().as_deref().map(str::trim) != Some("y") {
            context.output.line("nothing was written; your decisions are kept");
            return Ok(Exit::Clean);
        }
        let result = self.engine.apply_staged(&self.id, &reviewer, asks)?;
        Ok(outcome::print(&result, context.output))
    }
}

fn places_of(change: &StagedChange) -> Vec<(usize, Unit)> {
    let files = change.files.iter().enumerate();
    files
        .flat_map(|(index, file)| file.units().into_iter().map(move |unit| (index, unit)))
        .collect()
}

/// The runs of changed lines in a hunk, by index.
fn changed_runs(hunk: &gatewright_model::Hunk) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, line) in hunk.lines.iter().enumerate() {
        if line.kind == LineKind::Context {
            continue;
        }
        match runs.last_mut() {
            Some(run) if run.end == index => run.end = index + 1,
            _ => runs.push(index..index + 1),
        }
    }
    runs
}
