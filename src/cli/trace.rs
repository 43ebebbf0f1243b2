//! `cladist trace`: stored traces, shown and checked against their model.

use super::args::{TraceCheckArgs, TraceShowArgs};
use super::console::Console;
use super::engines;
use super::exit::Exit;
use super::refusal::Refusal;
use super::{input, settings};
use crate::report::{Marks, trace_text};

/// `trace show`.
pub fn show(args: &TraceShowArgs, console: &Console) -> Result<Exit, Refusal> {
    let text = input::read(&args.file)?;
    let Some(path) = &args.model else {
        return Err(Refusal::message("not supported yet"));
    };
    let (model, _) = input::load(path, &args.overrides, console)?;
    let view = settings::view(&args.view, &model, console)?;
    let trace = engines::read_itf(&model, &text).map_err(|e| unreadable(args.file.display(), &e))?;
    console.print(&trace_text(&model, &trace, &Marks::default(), &view, 0))?;
    Ok(Exit::Fine)
}

/// `trace check`.
pub fn check(args: &TraceCheckArgs, console: &Console) -> Result<Exit, Refusal> {
    let text = input::read(&args.file)?;
    let (model, _) = input::load(&args.model, &args.overrides, console)?;
    let trace = engines::read_itf(&model, &text).map_err(|e| unreadable(args.file.display(), &e))?;
    let refuse = |d| Refusal { sources: model.sources.clone(), ..Refusal::from(d) };
    let invariants = match &args.property {
        Some(name) => vec![settings::invariant(&model, Some(name)).map_err(refuse)?],
        None => model.properties.iter().filter_map(|p| p.invariant().map(|e| (p, e))).collect(),
    };
    engines::check_trace(&model, &trace.moments).map_err(refuse)?;
    let steps = if trace.len() == 1 { "1 step".to_owned() } else { format!("{} steps", trace.len()) };
    let mut report = format!("{}: a trace of model {} ({steps})\n", args.file.display(), model.name);
    let mut exit = Exit::Fine;
    for (property, invariant) in invariants {
        match engines::first_violation(&model, invariant, &trace.moments) {
            Some(at) => {
                exit = Exit::Violated;
                report.push_str(&format!("  violates {} at position {at}\n", property.name));
            }
            None => report.push_str(&format!("  satisfies {}\n", property.name)),
        }
    }
    console.print(&report)?;
    Ok(exit.with_exit_zero(args.exit_zero))
}

fn unreadable(file: std::path::Display<'_>, error: &str) -> Refusal {
    Refusal::message(format!("{file}: {error}"))
}
