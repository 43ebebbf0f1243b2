//! Protocol files (`.spdl`) in the place of models, and their options.

use super::args::{BoundedArgs, OutputArgs, RunArgs};
use super::command::{Command, ExportCommand};
use super::console::Console;
use super::exit::Exit;
use super::limits::LimitArgs;
use super::loading::LoadingArgs;
use super::protocol_args::{ExportStsArgs, ProtocolArgs};
use super::question::{ExportDimacsArgs, ExportSmt2Args, QuestionArgs};
use super::refusal::UsageError;
use super::settings;
use cladist::diagnostics::{Diagnostic, find_name};
use cladist::model::LoadOptions;
use cladist::protocol::{ClaimedProperty, Patterns, Refused, Translation, is_protocol, translate_file};
use itertools::Itertools;
use std::path::Path;
use std::time::Instant;

/// Turns the options of protocol files into those of models: the number of runs is a constant, a claim is a property,
/// and the bound is the number of steps that all runs can take.
///
/// # Errors
/// Options for protocols without one, mistakes in the protocol, and unknown claims.
pub fn settle(command: &mut Command) -> Result<(), UsageError> {
    match command {
        Command::Check(args) => {
            let is_open = args.bound.is_none() && !args.unbounded;
            let bound = (!args.unbounded).then_some(&mut args.bound);
            apply(
                &args.model,
                &mut args.protocol,
                ProtocolReading::of_run(&mut args.run),
                &mut args.property,
                bound,
            )?;
            args.protocol.takes_proofs = is_open && has_patterns(&args.protocol);
            args.protocol.any_runs = args.protocol.takes_proofs && !restricts_runs(&args.run);
            Ok(())
        }
        Command::Classify(args) => {
            let is_open = args.bound.is_none() && !args.unbounded;
            let bound = (!args.unbounded).then_some(&mut args.bound);
            apply(
                &args.model,
                &mut args.protocol,
                ProtocolReading::of_run(&mut args.run),
                &mut args.property,
                bound,
            )?;
            args.protocol.any_runs = is_open && has_patterns(&args.protocol) && !restricts_runs(&args.run);
            let OutputArgs { json, out, proofs, junit, sarif, .. } = &args.output;
            if *json || [out, proofs, junit, sarif].into_iter().any(Option::is_some) {
                one_claim(&args.protocol, "--json, --out, --proofs, --junit and --sarif are for")?;
                return some_claim(&args.model, &args.protocol, args.property.as_ref());
            }
            if args.property.is_none() && args.protocol.properties.is_empty() {
                let claims = args.protocol.claims().iter().map(|claim| claim.property.clone());
                args.protocol.properties = claims.unique().collect();
            }
            Ok(())
        }
        Command::Vocabulary(args) => settle_one(
            &mut args.question,
            ProtocolReading::of_run(&mut args.run),
            "vocabularies are compared for",
        ),
        Command::Export { command: ExportCommand::Smt2(ExportSmt2Args { question, .. }) }
        | Command::Export { command: ExportCommand::Dimacs(ExportDimacsArgs { question, .. }) } => {
            let QuestionArgs { question, loading, limits, .. } = question;
            let reading =
                ProtocolReading { overrides: &mut loading.overrides, root: loading.root.as_deref(), limits };
            settle_one(question, reading, "questions are written for")
        }
        _ => Ok(()),
    }
}

/// True for a protocol whose attacks patterns express.
fn has_patterns(protocol: &ProtocolArgs) -> bool {
    protocol.file.as_ref().is_some_and(|file| {
        let (protocols, scope) = file.translation.charts.looked_at();
        Patterns::new(protocols, scope).is_some()
    })
}

/// True if constants restrict the runs.
fn restricts_runs(run: &RunArgs) -> bool {
    run.loading.overrides.iter().any(|(name, _)| ["RUNS", "AGENTS"].contains(&name.as_str()))
}

/// Like [`settle`], for a command that asks about one claim; `what` begins the message for several.
fn settle_one(
    question: &mut BoundedArgs,
    reading: ProtocolReading<'_>,
    what: &str,
) -> Result<(), UsageError> {
    let BoundedArgs { model, property, bound, protocol, .. } = question;
    apply(model, protocol, reading, property, Some(bound))?;
    one_claim(protocol, what)?;
    some_claim(model, protocol, property.as_ref())
}

/// The options for reading a protocol.
struct ProtocolReading<'a> {
    overrides: &'a mut Vec<(String, String)>,
    root: Option<&'a Path>,
    limits: &'a mut LimitArgs,
}

impl<'a> ProtocolReading<'a> {
    fn of_run(run: &'a mut RunArgs) -> Self {
        let LoadingArgs { overrides, root } = &mut run.loading;
        Self { overrides, root: root.as_deref(), limits: &mut run.limits }
    }
}

fn apply(
    file: &Path,
    protocol: &mut ProtocolArgs,
    reading: ProtocolReading<'_>,
    property: &mut Option<String>,
    bound: Option<&mut Option<usize>>,
) -> Result<(), UsageError> {
    if !is_protocol(file) {
        let option = protocol.scope.given().or((!protocol.claim.is_empty()).then_some("--claim"));
        return option.map_or(Ok(()), |option| {
            let message =
                format!("{option} is for protocol files (.spdl, .anb, .scm), and {} is none", file.display());
            Err(Diagnostic::error_without_place(message).into())
        });
    }
    let ProtocolReading { overrides, root, limits } = reading;
    overrides.extend(protocol.scope.overrides());
    let (clock, (budget, _)) = (Instant::now(), settings::limits(limits.limits()));
    let file = translate_file(file, &LoadOptions { overrides, root, budget }).map_err(refusal)?;
    limits.used = clock.elapsed();
    let Translation { claims, charts, .. } = &file.translation;
    let labels: Vec<&str> = claims.iter().map(|claim| claim.label.as_str()).collect();
    for label in protocol.claim.iter().map(|label| label.trim()) {
        if label == "all" && !labels.contains(&label) {
            protocol.properties = claims.iter().map(|claim| claim.property.clone()).unique().collect();
            continue;
        }
        let label = labels[find_name("claim", label, &labels)?];
        // Protocols of one file may have the same labels.
        for chosen in claims.iter().filter(|claim| claim.label == label) {
            if !protocol.properties.contains(&chosen.property) {
                protocol.properties.push(chosen.property.clone());
            }
        }
    }
    if let [only] = &protocol.properties[..] {
        *property = Some(only.clone());
    }
    if let Some(bound) = bound {
        bound.get_or_insert(charts.steps());
    }
    protocol.file = Some(file);
    Ok(())
}

fn refusal(refused: Refused) -> UsageError {
    UsageError { diagnostics: refused.diagnostics, sources: refused.sources }
}

/// Refuses several claims; `what` begins the message.
fn one_claim(protocol: &ProtocolArgs, what: &str) -> Result<(), UsageError> {
    let chosen = |claim: &&ClaimedProperty| protocol.properties.contains(&claim.property);
    let chosen: Vec<&ClaimedProperty> = protocol.claims().iter().filter(chosen).collect();
    if chosen.len() < 2 {
        return Ok(());
    }
    let refused = Diagnostic::error_without_place(format!("{what} one claim at a time"));
    Err(match chosen.iter().map(|claim| &claim.label).all_unique() {
        true => refused,
        false => refused.with_help(format!("they are {}", told_apart(&chosen))),
    }
    .into())
}

/// The labels of claims; of claims with the same label, the protocols and the properties.
fn told_apart(claims: &[&ClaimedProperty]) -> String {
    let described = |claim: &&ClaimedProperty| {
        let ClaimedProperty { label, protocol, property, .. } = *claim;
        match claims.iter().filter(|other| other.label == *label).count() {
            1 => label.clone(),
            _ => format!("{label} of {protocol} (-p {property})"),
        }
    };
    claims.iter().map(described).join(", ")
}

/// Demands a choice among several claims, since the result for the first one does not extend to the others.
fn some_claim(file: &Path, protocol: &ProtocolArgs, property: Option<&String>) -> Result<(), UsageError> {
    let claims = protocol.claims();
    if property.is_some() || !protocol.properties.is_empty() || claims.len() < 2 {
        return Ok(());
    }
    let message = format!("{} has {} claims: choose one with --claim", file.display(), claims.len());
    let help = format!(
        "they are {}; `cladist check {}` shows which of them are attacked",
        told_apart(&claims.iter().collect::<Vec<_>>()),
        file.display()
    );
    Err(Diagnostic::error_without_place(message).with_help(help).into())
}

pub fn export(args: &ExportStsArgs, console: &Console) -> Result<Exit, UsageError> {
    if !is_protocol(&args.file) {
        let message = format!("{} is no protocol file (.spdl, .anb, .scm)", args.file.display());
        return Err(Diagnostic::error_without_place(message).into());
    }
    let overrides = args.scope.overrides();
    let options = LoadOptions { overrides: &overrides, ..LoadOptions::default() };
    let Translation { text, .. } = translate_file(&args.file, &options).map_err(refusal)?.translation;
    args.output.settled(console).write(&text, console)?;
    Ok(Exit::Fine)
}
