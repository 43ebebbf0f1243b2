//! `lts inevitable`.

use super::args::InevitableArgs;
use super::ended::Ended;
use super::input;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::lts::property::similar;
use crate::diagnostics::{Diagnostic, Severity};
use crate::lts::inevitable::{Incoming, Inevitable, shortest_counterexample};
use crate::report::lts::{InevitableRequest, inevitable_document, inevitable_text};
use crate::report::to_json;

/// Actions are numbers below 2³² − 1; this one is none.
const UNKNOWN: u32 = u32::MAX;

/// Runs it.
pub fn run(args: &InevitableArgs, console: &Console) -> Result<Exit, Ended> {
    let actions = split(&args.actions);
    if actions.is_empty() {
        return Err(Diagnostic::error_without_place("--actions names no action")
            .with_help(
                "write the actions that every run has to have, in their order: --actions REQUEST,REPLY",
            )
            .into());
    }
    let input = input::load(&args.input, console)?;
    let labels = input.lts.labels();
    let mut warnings = Vec::new();
    let sequence: Vec<u32> = actions
        .iter()
        .map(|action| {
            let known = labels.numbers().find(|&l| labels.text(l) == *action);
            known.unwrap_or_else(|| {
                let message = format!("the system has no label `{action}`, so that no run has it");
                let help = match similar(action, labels) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "`cladist lts info` lists the labels".to_owned(),
                };
                warnings.push(Diagnostic {
                    severity: Severity::Warning,
                    ..Diagnostic::error_without_place(message).with_help(help)
                });
                UNKNOWN
            })
        })
        .collect();
    console.diagnose(&warnings, &Default::default());
    let incoming = if args.some { Incoming::SomeNeutral } else { Incoming::AllNeutral };
    let inevitable = Inevitable::new(&input.lts, &sequence, incoming);
    let shortest = shortest_counterexample(&inevitable, &input.budget)
        .map_err(|why| Ended::exhausted(&format!("looking for a counterexample in {}", input.file), why))?;
    let request = InevitableRequest {
        file: &input.file,
        actions: &actions,
        inevitable: &inevitable,
        some: args.some,
        counts: inevitable.counts(),
        shortest: shortest.as_ref(),
        warnings: &warnings,
        full: args.full,
    };
    let result = if args.output.json {
        to_json(&inevitable_document(&request))
    } else {
        inevitable_text(&request, console.paint())
    };
    console.print(&result)?;
    let exit = if inevitable.holds() { Exit::Fine } else { Exit::Violated };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}

/// Splits at commas that are in no parentheses: labels can have some.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0u32);
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(last) if c != ',' || depth > 0 => last.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts.iter().map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_split_outside_of_parentheses() {
        assert_eq!(split("A, send(p=P,q=Q) ,B !{1, 2}"), ["A", "send(p=P,q=Q)", "B !{1, 2}"]);
        assert_eq!(split(" , "), [""; 0]);
    }
}
