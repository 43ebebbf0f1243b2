//! Protocol files (`.spdl`) where models are expected, and the options that only they have.

use super::args::RunArgs;
use super::command::Command;
use super::console::Console;
use super::exit::Exit;
use super::protocol_args::{ExportStsArgs, ProtocolArgs};
use super::refusal::Refusal;
use super::settings;
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, find_name};
use cladist::model::LoadOptions;
use cladist::protocol::{Translation, is_protocol, translation};
use std::path::Path;

/// Turns the options of protocol files into those of models: the number of runs is a constant, a claim is a property, and the
/// bound is the number of steps that all runs can take.
///
/// # Errors
/// Options for protocols without one, and unknown claims. Mistakes in the protocol are reported when it is loaded.
pub fn settle(command: &mut Command) -> Result<(), Refusal> {
    match command {
        Command::Check(args) => {
            let bound = (!args.unbounded).then_some(&mut args.bound);
            apply(&args.model, &mut args.protocol, &mut args.run, &mut args.property, bound)
        }
        Command::Classify(args) => {
            let bound = (!args.unbounded).then_some(&mut args.bound);
            apply(&args.model, &mut args.protocol, &mut args.run, &mut args.property, bound)?;
            one_claim(&args.model, &args.protocol, args.property.as_ref())
        }
        Command::Vocabulary(args) => {
            let bound = Some(&mut args.bound);
            apply(&args.model, &mut args.protocol, &mut args.run, &mut args.property, bound)?;
            one_claim(&args.model, &args.protocol, args.property.as_ref())
        }
        _ => Ok(()),
    }
}

fn apply(
    file: &Path,
    protocol: &mut ProtocolArgs,
    run: &mut RunArgs,
    property: &mut Option<String>,
    bound: Option<&mut Option<usize>>,
) -> Result<(), Refusal> {
    if !is_protocol(file) {
        let option = protocol.scope.given().or(protocol.claim.as_ref().map(|_| "--claim"));
        return option.map_or(Ok(()), |option| {
            let message = format!("{option} is for protocol files (.spdl), and {} is none", file.display());
            Err(Diagnostic::error_without_place(message).into())
        });
    }
    run.overrides.extend(protocol.scope.overrides());
    let options = settings::load_options(run, &Budget::unlimited());
    let Ok(translation) = translation(file, &options) else { return Ok(()) };
    if let Some(label) = &protocol.claim {
        let labels: Vec<&str> = translation.claims.iter().map(|claim| claim.label.as_str()).collect();
        let index = find_name("claim", label, &labels)?;
        *property = Some(translation.claims[index].property.clone());
    }
    if let Some(bound) = bound {
        bound.get_or_insert(translation.steps);
    }
    protocol.translation = Some(translation);
    Ok(())
}

/// Of several claims, one has to be chosen: that the first one holds says nothing of the others.
fn one_claim(file: &Path, protocol: &ProtocolArgs, property: Option<&String>) -> Result<(), Refusal> {
    let claims = protocol.claims();
    if property.is_some() || claims.len() < 2 {
        return Ok(());
    }
    let labels: Vec<&str> = claims.iter().map(|claim| claim.label.as_str()).collect();
    let message = format!("{} has {} claims: choose one with --claim", file.display(), claims.len());
    let help = format!(
        "they are {}; `cladist check {}` shows which of them are attacked",
        labels.join(", "),
        file.display()
    );
    Err(Diagnostic::error_without_place(message).with_help(help).into())
}

/// Runs `cladist export sts`.
pub fn export(args: &ExportStsArgs, console: &Console) -> Result<Exit, Refusal> {
    if !is_protocol(&args.file) {
        let message = format!("{} is no protocol file (.spdl)", args.file.display());
        return Err(Diagnostic::error_without_place(message).into());
    }
    let overrides = args.scope.overrides();
    let options = LoadOptions { overrides: &overrides, ..LoadOptions::default() };
    let Translation { text, .. } = translation(&args.file, &options)
        .map_err(|refused| Refusal { diagnostics: refused.diagnostics, sources: refused.sources })?;
    match &args.out {
        None => console.print(&text)?,
        Some(path) => super::export::write_file(path, &Budget::unlimited(), console.watchdog(), |out| {
            out.write_all(text.as_bytes())
        })
        .map_err(|error| error.refusal(path))?,
    }
    Ok(Exit::Fine)
}
