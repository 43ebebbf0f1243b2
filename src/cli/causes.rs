//! `cladist classify` without a vocabulary: the causal tree of an invariant.

use super::args::{ClassifyArgs, Engine};
use super::console::Console;
use super::exit::Exit;
use super::progress::ProgressLine;
use super::refusal::Refusal;
use super::settings::{self, Opened};
use super::{input, rerun, symmetric};
use cladist::budget::{Budget, Exhausted};
use cladist::classify::Problem;
use cladist::classify::causes::defences::{Circumstances, Defence};
use cladist::classify::causes::pattern::ArgumentParts;
use cladist::classify::causes::tree::CausalTree;
use cladist::diagnostics::Diagnostic;
use cladist::model::Model;
use cladist::model::expr::Expr;
use cladist::report::{CausalRequest, causal_document, causal_text, to_json};
use cladist::sat::Setup;
use std::time::{Duration, Instant};

/// For how long constants are tried.
const PATIENCE: Duration = Duration::from_secs(5);

impl ClassifyArgs {
    /// True if an option asks for classes by a vocabulary.
    pub fn asks_for_classes(&self) -> bool {
        if self.causes {
            return false;
        }
        let names = [&self.prefer, &self.hide, &self.ground];
        let values = [&self.vocabulary, &self.environment, &self.within, &self.start_with];
        let files =
            [&self.baseline, &self.output.out, &self.output.proofs, &self.output.junit, &self.output.sarif];
        self.exact
            || self.unbounded
            || self.count
            || self.cover
            || self.necessary
            || self.keep_redundant
            || self.brief
            || self.output.json
            // Protocols have words for attacks of their own, and charts.
            || self.protocol.file.is_some()
            || self.horizon.is_some()
            || self.tree.is_some()
            || self.max_classes.is_some()
            || matches!(self.engine.solver, Engine::Smt(_))
            || names.iter().any(|names| !names.is_empty())
            || values.iter().any(|value| value.is_some())
            || files.iter().any(|file| file.is_some())
    }
}

/// Finds the kinds of violation of an invariant by their causes.
pub fn run(args: &ClassifyArgs, opened: &Opened, console: &Console) -> Result<Exit, Refusal> {
    let Opened { budget, model, warnings } = opened;
    let clock = Instant::now();
    let refuse = |d: Diagnostic| Refusal { sources: model.sources.clone(), ..Refusal::from(d) };
    let (property, invariant) = settings::invariant(model, args.property.as_deref()).map_err(refuse)?;
    symmetric::insist(model, &[property], budget, console)?;
    let view = settings::view(&args.view, model, args.protocol.charts(), console)?;
    let problem = Problem::new(model, invariant);
    let parts = ArgumentParts::new(problem);
    let bound = args.lengths().bound();
    let backend = args.engine.solver.backend();
    let solver = Setup { backend, seed: args.seed };
    let check = if args.verify { args.engine.solver.other() } else { backend };
    let mut tree =
        CausalTree::new(problem, &parts, bound, solver, check, budget, &mut ProgressLine::new(console));
    let change = |defences: &[Defence]| changed(args, &property.name, defences, budget);
    let patience = budget.at_most(PATIENCE);
    tree.find_defences(problem, &parts, Circumstances { bound, solver, budget: &patience, change: &change });
    let rerun = rerun::causes(args, &property.name);
    let request = CausalRequest {
        problem,
        property,
        file: &args.model.to_string_lossy(),
        bound,
        parts: &parts,
        warnings,
        full: args.view.full,
        seconds: clock.elapsed().as_secs_f64(),
        rerun: &rerun,
        view,
    };
    match args.output.json {
        true => console.print(&to_json(&causal_document(&request, &tree)))?,
        false => console.print(&causal_text(&request, &tree))?,
    }
    let exit = match (tree.kinds.is_empty(), tree.ended) {
        (true, None) => Exit::Fine,
        (true, Some(Exhausted::Interrupt)) => Exit::Interrupted,
        (true, Some(_)) => Exit::Undecided,
        (false, None) => Exit::Violated,
        (false, Some(_)) => Exit::Partial,
    };
    Ok(exit.with_exit_zero(args.output.exit_zero))
}

/// The model with other values for some constants, and the property there; `None` if it has mistakes then.
fn changed(
    args: &ClassifyArgs,
    property: &str,
    defences: &[Defence],
    budget: &Budget,
) -> Option<(Model, Expr)> {
    let mut overrides = args.run.overrides.clone();
    for Defence { constant, value } in defences {
        overrides.retain(|(name, _)| name != constant);
        overrides.push((constant.clone(), value.to_string()));
    }
    let options =
        cladist::model::LoadOptions { overrides: &overrides, ..settings::load_options(&args.run, budget) };
    let model = input::load_any(&args.model, &options).loaded.model?;
    let property = model.properties.iter().find(|other| other.name == property)?;
    let invariant = property.invariant()?.clone();
    Some((model, invariant))
}
