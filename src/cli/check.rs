//! `cladist check`: is the input in order, and what are the shortest counterexamples?

use super::args::CheckArgs;
use super::console::Console;
use super::exit::Exit;
use super::out_dir::OutDir;
use super::progress::ProgressLine;
use super::refusal::Refusal;
use super::{input, rerun, settings, unbounded};
use cladist::budget::{Budget, Observer};
use cladist::diagnostics::Diagnostic;
use cladist::model::expr::Expr;
use cladist::model::{LoadedLibrary, Model, Property};
use cladist::report::{
    CheckDocument, CheckRequest, CheckedProperty, Outcome, check_document, check_text, invariant_text,
    to_json,
};
use cladist::sat::Backend;
use cladist::trace::to_itf;
use cladist::unroll::{self, Checked, Lengths};
use std::time::Instant;

/// Runs it.
pub fn run(args: &CheckArgs, console: &Console) -> Result<Exit, Refusal> {
    let started = Instant::now();
    let (budget, doubts) = settings::budget(&args.run);
    console.diagnose(&doubts, &Default::default());
    let options = settings::load_options(&args.run, &budget);
    if let Some(library) = input::library(&args.model, &options, console)? {
        return report_library(args, &library, console);
    }
    let (model, mut warnings) = input::load(&args.model, &options, console)?;
    warnings.extend(doubts);
    let refuse = |d| Refusal { sources: model.sources.clone(), ..Refusal::from(d) };
    let properties: Vec<&Property> = match &args.property {
        Some(name) => vec![settings::property(&model, name).map_err(refuse)?],
        None => model.properties.iter().collect(),
    };
    let view = settings::view(&args.view, &model, console)?;
    let out = args.output.out.as_deref().map(OutDir::create).transpose()?;

    let mut left = properties.iter().filter(|p| p.invariant().is_some()).count();
    let properties: Vec<CheckedProperty<'_>> = properties
        .into_iter()
        .map(|property| {
            // What one property does not use is for the others.
            let budget = budget.share(left);
            left -= usize::from(property.invariant().is_some());
            CheckedProperty { property, outcome: decide(args, &model, property, &budget, console) }
        })
        .collect();
    let backend = args.run.solver.backend();
    let mut notices = settings::vacuity(&model, args.lengths(), backend, &budget);
    for checked in properties.iter().filter(|p| p.outcome == Outcome::Holds) {
        let lengths = args.lengths();
        notices
            .extend(lengths.and_then(|l| settings::dead_end(&model, checked.property, l, backend, &budget)));
    }
    console.diagnose(&notices, &model.sources);
    warnings.extend(notices);

    let rerun = rerun::check(args);
    let mut request = CheckRequest {
        model: &model,
        file: &args.model.to_string_lossy(),
        lengths: args.lengths(),
        unbounded: args.unbounded,
        properties,
        warnings: &warnings,
        solver: args.run.solver.name().to_owned(),
        seconds: started.elapsed().as_secs_f64(),
        rerun: &rerun,
        view,
    };
    let exit = Exit::from(&request).with_exit_zero(args.output.exit_zero);
    if !args.output.json {
        console.print(&check_text(&request))?;
    }
    request.view = settings::without_colour(&request.view);
    let document = to_json(&check_document(&request));
    if let Some(out) = &out {
        out.write("check.json", &document)?;
        for checked in &request.properties {
            if let Outcome::Violated(trace) = &checked.outcome {
                let name = format!("counterexample-{}.itf.json", checked.property.name);
                out.write(&name, &to_itf(&model, trace))?;
            }
            let name = format!("invariant-{}.sts", checked.property.name);
            let invariant = match &checked.outcome {
                Outcome::Proved(evidence) => invariant_text(&model, checked.property, evidence),
                _ => None,
            };
            match invariant {
                Some(text) => out.write(&name, &text)?,
                None => out.remove(&name)?,
            }
        }
    }
    if args.output.json {
        console.print(&document)?;
    }
    Ok(exit)
}

/// A library alone: its types are right, or we would not be here.
fn report_library(args: &CheckArgs, library: &LoadedLibrary, console: &Console) -> Result<Exit, Refusal> {
    let file = args.model.to_string_lossy();
    if args.property.is_some() || args.bound.is_some() || args.unbounded {
        return Err(Diagnostic::error_without_place(format!(
            "{file} is a library: there is nothing to decide in it"
        ))
        .with_help("leave out -p, -k and --unbounded, or check a model that imports it")
        .into());
    }
    if let Some((name, _)) = args.run.overrides.first() {
        let message = format!("--set {name}: {file} is a library, and --set is for the constants of a model");
        return Err(Diagnostic::error_without_place(message)
            .with_help("leave out --set, or check a model that imports the library")
            .into());
    }
    let document = to_json(&CheckDocument::library(&file, &library.diagnostics, &library.sources));
    if let Some(path) = &args.output.out {
        OutDir::create(path)?.write("check.json", &document)?;
    }
    if args.output.json {
        console.print(&document)?;
    } else {
        let name = library.name.as_deref().unwrap_or_default();
        let list = library.predicates.join(", ");
        console.print(&format!("{file}: library {name} is well formed, predicates {list}\n"))?;
    }
    Ok(Exit::Fine)
}

fn decide(
    args: &CheckArgs,
    model: &Model,
    property: &Property,
    budget: &Budget,
    console: &Console,
) -> Outcome {
    let asked = args.bound.is_some() || args.unbounded;
    let invariant = match property.invariant() {
        Some(invariant) if asked => invariant,
        // Who names a temporal property, or asks for decisions, must not take "in order" for "holds".
        None if asked || args.property.is_some() => return Outcome::Temporal,
        _ => return Outcome::TypesOnly,
    };
    let mut line = ProgressLine::new(console);
    if args.unbounded {
        return unbounded::decide(args, model, invariant, budget, &mut line);
    }
    let Some(lengths) = args.lengths() else { return Outcome::TypesOnly };
    bounded(model, invariant, lengths, args.run.solver.backend(), budget, &mut line)
}

/// Looks for a shortest counterexample among traces of these lengths.
pub fn bounded(
    model: &Model,
    invariant: &Expr,
    lengths: Lengths,
    backend: Backend,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    match unroll::check(model, invariant, lengths, backend, budget, observer) {
        Checked::Holds => Outcome::Holds,
        Checked::Violated(trace) => Outcome::Violated(trace),
        Checked::Undecided { why, depth } => Outcome::Undecided { why, depth },
    }
}
