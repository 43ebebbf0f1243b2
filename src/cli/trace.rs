//! `cladist trace`: stored traces, shown and checked against their model.

use super::args::{TraceCheckArgs, TraceShowArgs};
use super::console::Console;
use super::exit::Exit;
use super::refusal::UsageError;
use super::sort::files;
use super::{input, settings};
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, find_name};
use cladist::explore::{Unlabelled, find_labels, follow};
use cladist::ltl::{Fairness, is_fair, satisfies};
use cladist::model::eval::{check_trace, first_violation};
use cladist::model::{Model, Position, Property, PropertyKind};
use cladist::promela::{ProgramSteps, Trail, TrailFault, program_steps};
use cladist::readers::ForeignLanguage;
use cladist::report::{Marks, Wording, loop_marks, steps, violation_mark};
use cladist::report::{itf_text, trace_text};
use cladist::trace::{ItfError, ItfFile, ItfTrace, Trace, stored_from_itf};
use std::cell::OnceCell;
use std::path::Path;

pub fn show(args: &TraceShowArgs, console: &Console) -> Result<Exit, UsageError> {
    let text = input::read(&args.file)?;
    let shown = match &args.model {
        Some(path) => {
            let options = args.loading.options(&Budget::unlimited());
            let (model, _) = input::load(path, &options, console)?;
            let view = settings::display(&args.view, &model, None, console)?;
            let stored = TraceReader::new(&model, path).read(&args.file, &text)?;
            let mut violations = violations(&model, stored.trace());
            if let ItfTrace::Infinite(lasso) = &stored {
                violations.extend(loop_marks(lasso));
            }
            let marks = Marks { positions: Vec::new(), remarks: violations };
            trace_text(&model, stored.trace(), &marks, &view, 0)
        }
        None if !args.view.show.is_empty() => {
            return Err(Diagnostic::error_without_place("--show needs the model")
                .with_help("name the model after the file of the trace")
                .into());
        }
        None => {
            let file = ItfFile::parse(&text).map_err(|e| unreadable(&args.file, &e))?;
            let known: Vec<&str> = file.vars.iter().map(String::as_str).collect();
            for name in &args.view.omit {
                find_name("variable", name, &known)?;
            }
            itf_text(&file, args.view.full, &args.view.omit)
        }
    };
    console.print(&shown)?;
    Ok(Exit::Fine)
}

pub fn check(args: &TraceCheckArgs, console: &Console) -> Result<Exit, UsageError> {
    let files = files(std::slice::from_ref(&args.file))?;
    let (model, _) = input::load(&args.model, &args.loading.options(&Budget::unlimited()), console)?;
    let reader = TraceReader::new(&model, &args.model);
    if let [file] = &files[..] {
        return check_one(args, &reader, file, console);
    }
    let mut exits = Vec::new();
    for file in &files {
        exits.push(check_one(args, &reader, file, console).unwrap_or_else(|refusal| {
            console.diagnose(&refusal.diagnostics, &refusal.sources);
            Exit::BadInput
        }));
    }
    let found = [Exit::BadInput, Exit::Violated].into_iter().find(|exit| exits.contains(exit));
    Ok(found.unwrap_or(Exit::Fine))
}

fn check_one(
    args: &TraceCheckArgs,
    reader: &TraceReader<'_>,
    file: &Path,
    console: &Console,
) -> Result<Exit, UsageError> {
    let model = reader.model;
    let stored = reader.read(file, &input::read(file)?)?;
    let trace = stored.trace();
    let refuse = |d| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let asked: Vec<&Property> = match (&args.property, &stored) {
        (Some(name), ItfTrace::Infinite(_)) => vec![settings::property(model, name).map_err(refuse)?],
        (Some(name), ItfTrace::Finite(_)) => vec![settings::invariant(model, Some(name)).map_err(refuse)?.0],
        (None, _) => model.properties.iter().collect(),
    };
    check_trace(model, &trace.moments).map_err(|fault| {
        let fault = fault.diagnostic(model);
        let message = format!("{} is not a trace of model {}: {}", file.display(), model.name, fault.message);
        refuse(Diagnostic { message, ..fault })
    })?;
    let kind = match &stored {
        ItfTrace::Finite(_) => "a trace",
        ItfTrace::Infinite(lasso) => {
            if !lasso.is_closed() {
                let message =
                    format!("{}: its last state is not the one where its loop begins", file.display());
                return Err(Diagnostic::error_without_place(message).into());
            }
            match is_fair(model, &Fairness::of_model(model), lasso) {
                true => "an infinite trace",
                false => "an infinite trace that is not fair",
            }
        }
    };
    let mut report = format!("{}: {kind} of model {} ({})\n", file.display(), model.name, steps(trace.len()));
    let mut exit = Exit::Fine;
    for property in asked {
        let Some(invariant) = property.invariant() else {
            if let (ItfTrace::Infinite(lasso), PropertyKind::Ltl(formula)) = (&stored, &property.kind) {
                let verdict = match satisfies(model, formula, lasso) {
                    true => console.paint().good("holds"),
                    false => {
                        exit = Exit::Violated;
                        console.paint().bad("violated")
                    }
                };
                report.push_str(&format!("  {}: {verdict}\n", property.name));
            }
            continue;
        };
        let verdict = match first_violation(model, invariant, &trace.moments) {
            Some(at) => {
                exit = Exit::Violated;
                console.paint().bad(&format!("violated in state {at}"))
            }
            None => console.paint().good("holds in every state"),
        };
        report.push_str(&format!("  {}: {verdict}\n", property.name));
    }
    console.print(&report)?;
    Ok(exit.with_exit_zero(args.exit_zero))
}

/// Reads traces of a model in the file `source`.
pub(super) struct TraceReader<'a> {
    model: &'a Model,
    source: &'a Path,
    /// The statements of a program in Promela, read once.
    steps: OnceCell<ProgramSteps>,
}

impl<'a> TraceReader<'a> {
    pub(super) fn new(model: &'a Model, source: &'a Path) -> Self {
        Self { model, source, steps: OnceCell::new() }
    }

    /// Reads a trace. Steps without labels get labels that the model has for them.
    pub(super) fn read(&self, file: &Path, text: &str) -> Result<ItfTrace, UsageError> {
        if Trail::is_listed(text) {
            return self.read_trail(file, text);
        }
        if Trail::is_coded(text) {
            let message = format!("{}: this is a trail of Spin without its statements", file.display());
            let help = "`spin -k FILE.trail -p FILE.pml > trail.txt` lists them";
            return Err(Diagnostic::error_without_place(message).with_help(help).into());
        }
        let model = self.model;
        let mut stored = stored_from_itf(model, text).map_err(|error| unreadable(file, &error))?;
        find_labels(model, &mut stored.trace_mut().moments).map_err(|error| {
            let message = format!("{} is not a trace of model {}: {error}", file.display(), model.name);
            let help = "the file names no actions of steps; all actions were tried";
            UsageError::from(Diagnostic::error_without_place(message).with_help(help))
        })?;
        Ok(stored)
    }

    /// Reads a trail of a program.
    fn read_trail(&self, file: &Path, text: &str) -> Result<ItfTrace, UsageError> {
        let model = self.model;
        let refuse = |message: String, help: &'static str| {
            UsageError::from(Diagnostic::error_without_place(message).with_help(help))
        };
        if ForeignLanguage::of(self.source) != Some(ForeignLanguage::Promela) {
            let message = format!(
                "{}: this is a trail of Spin, and the model is no program in Promela",
                file.display()
            );
            return Err(refuse(message, "name the program of the trail as the model"));
        }
        let refuse_at = |fault: TrailFault| {
            let (place, line) = (file.display(), fault.line);
            let message =
                format!("{place}:{line}: this is not a trail of model {}: {}", model.name, fault.message);
            refuse(message, UNCHANGED)
        };
        let steps = match self.steps.get() {
            Some(steps) => steps,
            None => {
                let steps = program_steps(self.source).map_err(|refused| UsageError {
                    diagnostics: refused.diagnostics,
                    sources: refused.sources,
                })?;
                self.steps.get_or_init(|| steps)
            }
        };
        let trail = Trail::read(model, steps, text).map_err(refuse_at)?;
        let replays = follow(model, trail.len(), &|label, at| trail.executes(label, at), &|replay| {
            trail.ends(model, replay)
        });
        let replays = replays.map_err(|error| match error {
            Unlabelled::Beyond(at) | Unlabelled::Cut(at) => refuse_at(trail.fault_at(at, &error.to_string())),
            _ => refuse(format!("{}: {error}", file.display()), UNCHANGED),
        })?;
        trail.meant(replays).map_err(refuse_at)
    }
}

/// Help for a trail that does not fit its program.
const UNCHANGED: &str = "a trail is all that `spin -t -p FILE.pml` prints, for this program as it is";

/// Returns the message at the first state that violates an invariant, for each invariant.
fn violations(model: &Model, trace: &Trace) -> Vec<(Position, String)> {
    let invariants = model.properties.iter().filter_map(|p| p.invariant().map(|e| (p, e)));
    invariants
        .filter_map(|(p, invariant)| violation_mark(model, &p.name, invariant, trace, Wording::Violation))
        .collect()
}

fn unreadable(file: &Path, error: &ItfError) -> UsageError {
    Diagnostic::error_without_place(format!("{}: {error}", file.display())).with_help(error.help()).into()
}
