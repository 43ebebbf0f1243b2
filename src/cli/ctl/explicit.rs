//! Formulas over explicit systems (AUT).

use super::args::CtlArgs;
use super::{deadlock_warning, fairness_warning, tell};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::lts::{CommandError, LabelContext, load_system};
use crate::cli::refusal::UsageError;
use cladist::ctl::{FormulaOfLts, ListedTruth, Structure, formula_of_lts};
use cladist::decide::Basis;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::lts::StateId;
use cladist::report::explicit::ctl::{CtlReport, CtlShown, CtlState};
use std::sync::Arc;
use std::time::Instant;

/// Decides a formula on an explicit system, prints the result and writes the requested files.
pub fn run(args: &CtlArgs, console: &Console) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let refused = |message: &str, help: &str| Diagnostic::error_without_place(message).with_help(help);
    if !args.properties.is_empty() || args.formula().is_none() {
        let help = "write it after the file: cladist ctl system.aut 'AG enabled(\"SEND\")'";
        return Err(
            refused("an explicit system has no properties of its own: a formula is needed", help).into()
        );
    }
    if args.scope.is_some() {
        let help = "leave out --scope: the answer is definite";
        return Err(refused("the states of an explicit system are all listed", help).into());
    }
    if !args.fairness.strongly_fair.is_empty() {
        let help = "give --fair a condition that holds infinitely often: --fair 'enabled(\"SEND\")'";
        return Err(refused("an explicit system has no actions that --strongly-fair could name", help).into());
    }
    let input = load_system(&args.input, console)?;
    let mut sources = SourceMap::new();
    let fair: Vec<_> =
        args.fairness.fair.iter().map(|text| (sources.add("--fair", text.as_str()), text.as_str())).collect();
    let text = args.formula().unwrap_or_default();
    let source = sources.add("formula", text);
    let FormulaOfLts { formula, labels, without_labels, warnings } =
        formula_of_lts(&input.lts, (source, text), &fair)
            .map_err(|diagnostics| UsageError { diagnostics, sources: Arc::new(sources.clone()) })?;
    let missing: Vec<_> = without_labels.iter().map(|(atom, span)| (atom, *span)).collect();
    let known = LabelContext { strict: args.strict.strict_labels, ..input.known() };
    let mut warnings = known.look_at(&missing, warnings, &sources, console)?;
    let before = warnings.len();
    let structure = Structure::of_lts(input.lts);
    warnings
        .extend(structure.deadlocks().map(|(_, number)| deadlock_warning(&number.into(), !fair.is_empty())));
    console.diagnose(&warnings[before..], &sources);
    let ended = |why| {
        CommandError::exhausted(&format!("evaluating the formula on {}", input.file), why, &input.budget)
    };
    let listed = ListedTruth::new(&formula, &structure, &labels, &input.budget).map_err(ended)?;
    if let Some(never) = listed.unfair(&input.budget).map_err(ended)? {
        let warning = fairness_warning(&formula, &never);
        console.diagnose(std::slice::from_ref(&warning), &sources);
        warnings.push(warning);
    }
    let found = listed.show(args.wanted(), args.solver.solver.backend(), &input.budget);
    let state = |&number: &StateId, _: Option<&StateId>| CtlState {
        number: Some(number),
        values: Vec::new(),
        places: Vec::new(),
        changes: Vec::new(),
    };
    let lts = &structure.lts;
    let labels = |&from: &StateId, &to: &StateId| {
        let all = lts.out(from).filter(|(_, target)| *target == to);
        all.map(|(label, _)| lts.labels().text(label).into_owned()).collect()
    };
    let (shown, nothing_shown) = match CtlShown::new(found, state, labels) {
        Ok(shown) => (Some(shown), None),
        Err(why) => (None, Some(why)),
    };
    let reachable = structure.reachable();
    let request = CtlReport {
        file: &input.file,
        property: None,
        formula: args.given().unwrap_or_default(),
        class: formula.class(),
        fairness: formula.fair.iter().map(|&c| formula.text(c)).collect(),
        strong_fairness: Vec::new(),
        verdict: listed.verdict(),
        basis: Basis::States {
            states: reachable.count(),
            transitions: reachable.iter().map(|s| lts.out(StateId::new(s)).len()).sum(),
        },
        shown,
        nothing_shown,
        warnings: &warnings,
        sources: &sources,
        seconds: started.elapsed().as_secs_f64(),
    };
    tell(args, &request, console)
}
