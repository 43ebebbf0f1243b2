//! `cladist ctl`: branching-time properties of models and explicit systems.

mod args;
mod explicit;
mod listed;
mod model;
mod scoped;

pub use args::CtlArgs;

use super::console::Console;
use super::exit::Exit;
use super::lts::{Ended, Kind, refuse_stdout, write_file};
use super::refusal::Refusal;
use cladist::budget::{Budget, Exhausted};
use cladist::ctl::{Goal, NoPath, Shown, Structure};
use cladist::diagnostics::{Diagnostic, Severity};
use cladist::report::ctl::{
    CtlRequest, CtlShown, CtlState, CtlStep, CtlVerdict, ctl_document, ctl_dot, ctl_text,
};
use cladist::report::to_json;
use listed::Listed;
use std::path::Path;

/// What can be shown of a verdict.
pub enum Found<S> {
    /// A counterexample or a witness.
    Shown {
        /// What it shows.
        goal: Goal,
        /// It, and why.
        shown: Shown<S>,
        /// Whether there is no smaller one.
        minimal: bool,
        /// If it is a subgraph: why it is no path.
        no_path: Option<NoPath>,
    },
    /// Nothing; why, a sentence.
    Nothing(String),
}

impl<S> Found<S> {
    /// Nothing, for this reason.
    pub fn nothing(why: &str) -> Self {
        Found::Nothing(why.to_owned())
    }

    /// It with the descriptions of states, of which some have an earlier one that leads to them, and of the labels of steps.
    pub fn described(
        self,
        mut state: impl FnMut(&S, Option<&S>) -> CtlState,
        mut labels: impl FnMut(&S, &S) -> Vec<String>,
    ) -> Result<CtlShown, String> {
        let (goal, shown, minimal, no_path) = match self {
            Found::Shown { goal, shown, minimal, no_path } => (goal, shown, minimal, no_path),
            Found::Nothing(why) => return Err(why),
        };
        let Shown { witness, evidence } = shown;
        let earlier = |at: usize| witness.edges.iter().find(|(from, to)| *to == at && *from < at);
        let states = (0..witness.states.len())
            .map(|at| state(&witness.states[at], earlier(at).map(|(from, _)| &witness.states[*from])));
        let states = states.collect();
        let steps = witness.edges.iter().map(|&(from, to)| CtlStep {
            from,
            to,
            labels: labels(&witness.states[from], &witness.states[to]),
        });
        let steps = steps.collect();
        Ok(CtlShown { goal, shape: witness.shape, states, steps, evidence, minimal, no_path })
    }
}

/// Runs it.
pub fn run(args: &CtlArgs, console: &Console) -> Result<Exit, Refusal> {
    refuse_stdout(&[("--dot", args.dot.as_ref())])?;
    let done = match args.input.kind()? {
        Kind::Model => model::run(args, console),
        Kind::Text | Kind::Aut => explicit::run(args, console),
    };
    done.or_else(|ended: Ended| ended.report(console, args.output.json))
}

/// That some paths end, which infinite paths do not see.
fn deadlock_warning(structure: &Structure) -> Option<Diagnostic> {
    let (_, number) = structure.deadlocks()?;
    let message = match number {
        1 => "one reachable state has no step that leaves it".to_owned(),
        n => format!("{n} reachable states have no step that leaves them"),
    };
    let help = "EG and AF are about infinite paths: `AF f` holds where all paths end, and `EG f` does not";
    let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place(message) };
    Some(warning.with_help(help))
}

/// That no path is fair, so that a formula says nothing of any.
fn fairness_warning(listed: &Listed<'_>, budget: &Budget) -> Result<Option<Diagnostic>, Exhausted> {
    let Some(never) = listed.unfair(budget)? else { return Ok(None) };
    let shown: Vec<String> = never.iter().map(|&c| format!("`{}`", listed.formula.text(c))).collect();
    let message = match shown.as_slice() {
        [one] => format!("no path has the fairness condition {one} again and again"),
        several => format!("no path has all of these again and again: {}", several.join(", ")),
    };
    let help = "so no path is looked at: whatever begins with A holds, and whatever begins with E does not";
    let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place(message) };
    Ok(Some(warning.with_help(help)))
}

/// Prints a result, and draws what is shown.
fn tell(args: &CtlArgs, request: &CtlRequest<'_>, console: &Console) -> Result<Exit, Ended> {
    if let Some(path) = &args.dot {
        draw(path, request, console)?;
    }
    let text = match args.output.json {
        true => to_json(&ctl_document(request)),
        false => ctl_text(request, console.paint()),
    };
    console.print(&text)?;
    let exit = match request.verdict {
        CtlVerdict::Holds => Exit::Fine,
        CtlVerdict::Violated => Exit::Violated,
        CtlVerdict::Undecided(_) => Exit::Undecided,
    };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}

fn draw(path: &Path, request: &CtlRequest<'_>, console: &Console) -> Result<(), Ended> {
    match &request.shown {
        Some(shown) => write_file(path, &Budget::unlimited(), console, |out| ctl_dot(shown, out)),
        None => {
            let message = format!("nothing is drawn in {}, because nothing is shown", path.display());
            let warning =
                Diagnostic { severity: Severity::Warning, ..Diagnostic::error_without_place(message) };
            console.diagnose(&[warning], &Default::default());
            Ok(())
        }
    }
}
