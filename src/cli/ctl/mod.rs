//! `cladist ctl`: branching-time properties of models and explicit systems.

mod args;
mod explicit;
mod model;

pub use args::CtlArgs;
pub use model::conditions;

use super::console::Console;
use super::exit::Exit;
use super::lts::{CommandError, InputKind, print, refuse_stdout, write_file, write_page};
use super::refusal::UsageError;
use cladist::budget::Budget;
use cladist::ctl::{CtlFormula, CtlVerdict, Subformula};
use cladist::decide::Caveat;
use cladist::diagnostics::Diagnostic;
use cladist::report::explicit::ctl::{CtlReport, ctl_dot, ctl_page};
use num_bigint::BigUint;
use std::path::Path;

pub fn run(args: &CtlArgs, console: &Console) -> Result<Exit, UsageError> {
    refuse_stdout(&[("--dot", args.dot.as_ref()), ("--page", args.page.page.as_ref())])?;
    let done = match args.input.kind()? {
        InputKind::Model if args.strict.strict_labels => {
            let message = "--strict-labels is for explicit systems: names in formulas about models are checked in any case";
            return Err(Diagnostic::error_without_place(message).with_help("leave it out").into());
        }
        InputKind::Model
            if args.properties.len() > 1
                && (args.output.json || args.dot.is_some() || args.page.page.is_some()) =>
        {
            let message = "--json, --dot and --page are for one property at a time";
            return Err(Diagnostic::error_without_place(message).with_help("give -p once").into());
        }
        InputKind::Model => model::run(args, console),
        InputKind::Text | InputKind::Aut => explicit::run(args, console),
    };
    done.or_else(|ended: CommandError| ended.report(console, args.output.json))
}

/// Returns a warning about the whole input.
fn warning(message: String) -> Diagnostic {
    Diagnostic::warning_without_place(message)
}

/// Returns the warnings that a verdict means less than it seems to.
pub fn doubts(found: &[Caveat], formula: &CtlFormula, is_strongly_fair: bool) -> Vec<Diagnostic> {
    let is_fair = is_strongly_fair || !formula.fair.is_empty();
    let doubt = |doubt: &Caveat| match doubt {
        Caveat::Deadlocks(number) => deadlock_warning(number, is_fair),
        Caveat::Unfair(never) => fairness_warning(formula, never),
    };
    found.iter().map(doubt).collect()
}

/// Returns the warning that some paths end, which operators over infinite paths ignore: with fairness, all of them.
fn deadlock_warning(deadlocks: &BigUint, is_fair: bool) -> Diagnostic {
    let message = if *deadlocks == BigUint::from(1u32) {
        "one reachable state has no successor".to_owned()
    } else {
        format!("{deadlocks} reachable states have no successor")
    };
    let help = match is_fair {
        false => "EG and AF are about infinite paths: `AF f` holds where all paths end, and `EG f` does not",
        true => {
            "with fairness, every operator ranges over infinite paths; --ignore-fairness includes paths that end"
        }
    };
    warning(message).with_help(help)
}

/// Returns the warning that no path is fair, so that a formula holds vacuously; `never` are the unsatisfiable
/// conditions.
fn fairness_warning(formula: &CtlFormula, never: &[Subformula]) -> Diagnostic {
    let shown: Vec<String> = never.iter().map(|&c| format!("`{}`", formula.text(c))).collect();
    let message = match shown.as_slice() {
        [one] => format!("no path meets the fairness condition {one} infinitely often"),
        several => format!("no path meets all of these infinitely often: {}", several.join(", ")),
    };
    let help = "so no path counts: every A-formula holds, and no E-formula does";
    warning(message).with_help(help)
}

/// Prints a result, and draws the evidence.
fn tell(args: &CtlArgs, request: &CtlReport<'_>, console: &Console) -> Result<Exit, CommandError> {
    if let Some(path) = &args.dot {
        draw(path, request, console)?;
    }
    write_page(&args.page, console, |rerun| ctl_page(request, rerun))?;
    print(request, args.output.json, &Budget::unlimited(), console)?;
    let exit = match request.verdict {
        CtlVerdict::Holds => Exit::Fine,
        CtlVerdict::Violated => Exit::Violated,
        CtlVerdict::Undecided(_) => Exit::Undecided,
    };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}

fn draw(path: &Path, request: &CtlReport<'_>, console: &Console) -> Result<(), CommandError> {
    match &request.shown {
        Some(shown) => write_file(path, &Budget::unlimited(), console, |out| ctl_dot(shown, out)),
        None => {
            let message = format!("{} is not written, because there is nothing to draw", path.display());
            console.diagnose(&[warning(message)], &Default::default());
            Ok(())
        }
    }
}
