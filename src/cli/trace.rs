//! `cladist trace`: stored traces, shown and checked against their model.

use super::args::{TraceCheckArgs, TraceShowArgs};
use super::console::Console;
use super::exit::Exit;
use super::refusal::Refusal;
use super::{input, settings};
use cladist::diagnostics::{Diagnostic, find_name};
use cladist::model::eval::{check_trace, first_violation};
use cladist::model::{LoadOptions, Model};
use cladist::report::{Marks, Wording, itf_text, steps, trace_text, violation_mark};
use cladist::trace::{ItfError, ItfFile, Trace, from_itf};
use std::path::Path;

/// `trace show`.
pub fn show(args: &TraceShowArgs, console: &Console) -> Result<Exit, Refusal> {
    let text = input::read(&args.file)?;
    let shown = match &args.model {
        Some(path) => {
            let options = options(&args.overrides, args.root.as_deref());
            let (model, _) = input::load(path, &options, console)?;
            let view = settings::view(&args.view, &model, None, console)?;
            let trace = read(&model, &args.file, &text)?;
            let marks = Marks { positions: Vec::new(), violations: violations(&model, &trace) };
            trace_text(&model, &trace, &marks, &view, 0)
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

/// `trace check`.
pub fn check(args: &TraceCheckArgs, console: &Console) -> Result<Exit, Refusal> {
    let text = input::read(&args.file)?;
    let (model, _) = input::load(&args.model, &options(&args.overrides, args.root.as_deref()), console)?;
    let trace = read(&model, &args.file, &text)?;
    let refuse = |d| Refusal { sources: model.sources.clone(), ..Refusal::from(d) };
    let invariants = match &args.property {
        Some(name) => vec![settings::invariant(&model, Some(name)).map_err(refuse)?],
        None => model.properties.iter().filter_map(|p| p.invariant().map(|e| (p, e))).collect(),
    };
    check_trace(&model, &trace.moments).map_err(|fault| {
        let fault = fault.diagnostic(&model);
        let message =
            format!("{} is not a trace of model {}: {}", args.file.display(), model.name, fault.message);
        refuse(Diagnostic { message, ..fault })
    })?;
    let mut report =
        format!("{}: a trace of model {} ({})\n", args.file.display(), model.name, steps(trace.len()));
    let mut exit = Exit::Fine;
    for (property, invariant) in invariants {
        let verdict = match first_violation(&model, invariant, &trace.moments) {
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

/// How the model of a trace is read: there are no limits.
fn options<'a>(overrides: &'a [(String, String)], root: Option<&'a Path>) -> LoadOptions<'a> {
    LoadOptions { overrides, root, ..LoadOptions::default() }
}

fn read(model: &Model, file: &Path, text: &str) -> Result<Trace, Refusal> {
    from_itf(model, text).map_err(|error| unreadable(file, &error))
}

/// What to say at the first state that violates an invariant, for each invariant.
fn violations(model: &Model, trace: &Trace) -> Vec<(usize, String)> {
    let invariants = model.properties.iter().filter_map(|p| p.invariant().map(|e| (p, e)));
    invariants
        .filter_map(|(p, invariant)| violation_mark(model, &p.name, invariant, trace, Wording::Violation))
        .collect()
}

fn unreadable(file: &Path, error: &ItfError) -> Refusal {
    Diagnostic::error_without_place(format!("{}: {error}", file.display())).with_help(error.help()).into()
}
