//! The causal tree of a property: `cladist classify` without a vocabulary, and with `--tree` beside its classes.

use super::args::{ClassifyArgs, Engine};
use super::console::Console;
use super::exit::Exit;
use super::linear::none_within;
use super::progress::ProgressLine;
use super::refusal::UsageError;
use super::result_folder::{NewFolder, RESULTS, ResultFolder};
use super::settings::{self, Opened};
use super::{claims, fates, input, rerun, symmetric};
use cladist::budget::{Budget, Exhausted};
use cladist::classify::causes::defences::Defence;
use cladist::classify::causes::in_classes::Caused;
use cladist::classify::causes::pattern::ArgumentParts;
use cladist::classify::causes::question::{CausalProblem, CausalQuestion, ChangedProperty, EveryTrace};
use cladist::classify::causes::tree::CausalTree;
use cladist::classify::lassos::LassoProblem;
use cladist::classify::{Classification, Problem, Verdict};
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::explore::{self, ReachabilityResult};
use cladist::ltl::has_fair_lasso;
use cladist::model::expr::Formula;
use cladist::model::{Environment, Model, Property};
use cladist::number::counted;
use cladist::report::{
    CausalRequest, CausesOfClasses, CommonRequest, DisplayOptions, GivenFairness, causal_brief,
    causal_document, causal_dot, causal_page, causal_predicates, causal_text, causal_verdict,
    causes_of_classes, join_by_words, to_json,
};
use cladist::sat::{Backend, Setup};
use cladist::trace::{lasso_to_itf, sequence_diagram, to_itf};
use cladist::unroll::Lengths;
use cladist::verify::document::{CausesDocument, CausesVerdict};
use std::path::Path;
use std::time::{Duration, Instant};

/// The processor time for trying constants, and for traces of every length.
const PATIENCE: Duration = Duration::from_secs(5);

/// The processor time for listing states before a solver searches.
const SHORT: Duration = Duration::from_secs(1);

/// The most states with which kinds are proved for every length.
pub const FEW_STATES: usize = 30_000;

/// The most irreducible attacks on a protocol that are reported by causes, unless causes are requested.
const FEW_ATTACKS: usize = 24;

impl ClassifyArgs {
    /// True if an option about classes is given, beside those that any vocabulary and cover have.
    fn has_option_about_classes(&self) -> bool {
        let files = [&self.baseline, &self.output.proofs, &self.output.junit, &self.output.sarif];
        let names = [&self.prefer, &self.hide, &self.ground];
        [self.exact, self.unbounded, self.count, self.necessary, self.keep_redundant].contains(&true)
            || [&self.within, &self.start_with].iter().any(|text| text.is_some())
            || [self.horizon, self.max_classes].iter().any(Option::is_some)
            || files.iter().any(|file| file.is_some())
            || names.iter().any(|names| !names.is_empty())
            || matches!(self.engine.solver, Engine::Smt(_))
    }

    /// True for classes by a vocabulary, false for causes alone. Unless causes are requested, models whose steps carry no
    /// information have classes: those with a single action without parameters, such as translations of other languages.
    /// For reachability claims of protocols, classes distinguish the ways to reach the place.
    pub fn asks_for_classes(&self, model: &Model) -> bool {
        let mut claims = self.protocol.claims().iter();
        let is_claim =
            claims.any(|claim| claim.reachability && Some(&claim.property) == self.property.as_ref());
        let has_option = self.has_option_about_classes() || self.vocabulary.is_some() || self.cover;
        has_option || !self.wants_causes() && (model.steps_are_alike() || is_claim)
    }

    /// True if kinds by their causes are requested.
    pub fn wants_causes(&self) -> bool {
        self.tree || self.defences
    }

    /// Notes that the class or kind that is asked for does not exist, if there are others.
    pub fn note_missing_class(&self, noun: &str, count: usize, console: &Console) {
        if let Some(number) = self.class.filter(|number| *number > count && count > 0) {
            let message = format!("--class {number}: the result has {}", counted(count, noun));
            console.diagnose(&[Diagnostic::warning_without_place(message)], &SourceMap::default());
        }
    }
}

/// True if nothing is asked about classes beside a vocabulary that is to be found, so that kinds by their causes are an answer as well.
/// A document of classes is given where a vocabulary is named.
pub fn are_wanted_instead(args: &ClassifyArgs) -> bool {
    let is_document = args.output.json || args.output.out.is_some();
    let is_for_others = is_document && args.vocabulary.is_some() || args.protocol.file.is_some();
    !is_for_others && !args.has_option_about_classes()
}

/// Announces kinds by causes that take the place of classes.
///
/// # Errors
/// If standard output cannot be written.
pub fn announce(told: &str, args: &ClassifyArgs, console: &Console) -> Result<(), UsageError> {
    let message = format!("{told}; the causes of the violations instead");
    if args.output.json {
        console.diagnose(&[Diagnostic::note_without_place(message)], &SourceMap::default());
        return Ok(());
    }
    console.print(&format!("{message}:\n\n"))
}

/// Finds the kinds of violation of an invariant by their causes. Returns `None` if there are too many attacks on a
/// protocol, which a vocabulary for attacks then describes better.
pub fn run(args: &ClassifyArgs, opened: &Opened, console: &Console) -> Result<Option<Exit>, UsageError> {
    let Opened { budget, model, .. } = opened;
    let refuse = |d: Diagnostic| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let (property, invariant) = settings::invariant(model, args.property.as_deref()).map_err(refuse)?;
    symmetric::insist(model, &[property], budget, console)?;
    let environment = args.environment.as_deref().map(|text| fates::environment(model, text));
    let environment = environment.transpose().map_err(refuse)?;
    let problem = CausalProblem::Invariant(Problem::new(model, invariant));
    let parts = problem.parts();
    let report = CausesReport::new(args, opened, (property, problem), &parts, console)?;
    let most = if args.protocol.file.is_some() && !args.wants_causes() { FEW_ATTACKS } else { usize::MAX };
    let question = CausalQuestion { most, ..question(args, budget, problem, &parts) };
    let holds = holds_in_few_states(args, Problem::new(model, invariant), &question);
    let search =
        || CausalTree::new(&question, checking(args), &mut ProgressLine::new(console, args.last_step()));
    let mut tree = holds.unwrap_or_else(search);
    if tree.has_more {
        return Ok(None);
    }
    look_closer(args, &mut tree, &question, &property.name, environment.as_ref());
    report.show(tree, console).map(Some)
}

/// Finds what else is known of the kinds, each part in a few seconds, but for defences that are requested.
fn look_closer(
    args: &ClassifyArgs,
    tree: &mut CausalTree,
    question: &CausalQuestion<'_>,
    property: &str,
    environment: Option<&Environment>,
) {
    let budget = question.budget;
    let patience = || budget.at_most_work(PATIENCE);
    // The bound of a protocol is the number of steps that all runs can take.
    let is_protocol = args.protocol.file.is_some();
    if !is_protocol {
        tree.find_every_length(&CausalQuestion { budget: &patience(), ..*question }, FEW_STATES);
    }
    let change = |defences: &[Defence]| changed(args, property, defences, budget);
    let for_defences = if args.defences { budget.clone() } else { patience() };
    tree.find_defences(&CausalQuestion { budget: &for_defences, ..*question }, &change);
    // Defences may split kinds.
    if !is_protocol {
        tree.find_decisive(&CausalQuestion { budget: &patience(), ..*question }, environment, FEW_STATES);
    }
}

/// Finds the kinds of violation by their causes that occur in classes, in a few seconds, if they are requested and there is a violation.
pub fn beside_classes<K: Caused>(
    args: &ClassifyArgs,
    asked: &CommonRequest<'_>,
    (problem, given): (CausalProblem<'_>, GivenFairness<'_>),
    result: &Classification<K>,
    (budget, console): (&Budget, &Console),
) -> Option<CausesOfClasses> {
    if !args.wants_causes() || matches!(result.verdict, Verdict::Holds | Verdict::Undecided { .. }) {
        return None;
    }
    let (clock, parts, bound) = (Instant::now(), problem.parts(), result.lengths.bound());
    let budget = &budget.at_most_work(PATIENCE);
    let question = CausalQuestion { bound, ..question(args, budget, problem, &parts) };
    let mut tree =
        CausalTree::new(&question, checking(args), &mut ProgressLine::new(console, args.last_step()));
    let environment = args.environment.as_deref().map(|text| fates::environment(asked.model, text));
    let environment = environment.transpose().ok().flatten();
    look_closer(args, &mut tree, &question, &asked.property.name, environment.as_ref());
    let request = CausalRequest {
        problem,
        parts: &parts,
        bound,
        property: asked.property,
        given,
        file: asked.file,
        warnings: &[],
        seconds: clock.elapsed().as_secs_f64(),
        rerun: &rerun::causes(args, &asked.property.name, bound),
        display: settings::without_colour(&asked.display),
        awaits_defences: args.defences,
        budget,
    };
    join_by_words(&request, &mut tree);
    let of_classes = tree.in_classes(asked.model, &parts, result);
    Some(causes_of_classes(&request, &tree, of_classes))
}

/// Returns the tree without kinds if the states are few and none within the bound violates the invariant; `None` with `--verify`, which asks a
/// second solver.
fn holds_in_few_states(
    args: &ClassifyArgs,
    Problem { model, invariant, .. }: Problem<'_>,
    question: &CausalQuestion<'_>,
) -> Option<CausalTree> {
    if args.verify || args.protocol.file.is_some() {
        return None;
    }
    let budget = question.budget.at_most_work(SHORT);
    let every_length = match explore::visit(model, invariant, FEW_STATES, &budget) {
        ReachabilityResult::Holds(states) => EveryTrace::Covered { situations: Some(states) },
        ReachabilityResult::Violated(steps) if steps > question.bound => EveryTrace::Longer(steps),
        _ => return None,
    };
    let (complete_to, every_length) = (Some(question.bound), Some(every_length));
    Some(CausalTree { complete_to, every_length, ..CausalTree::default() })
}

/// Finds the kinds of violation of a linear-time property by their causes.
pub fn run_linear(
    args: &ClassifyArgs,
    opened: &Opened,
    (property, formula): (&Property, &Formula),
    console: &Console,
) -> Result<Exit, UsageError> {
    let Opened { budget, model, .. } = opened;
    let fairness = args.fairness.conditions(model)?;
    let problem = CausalProblem::Linear(LassoProblem { model, formula, fairness: &fairness });
    let parts = problem.parts();
    let report = CausesReport::new(args, opened, (property, problem), &parts, console)?;
    let question = question(args, budget, problem, &parts);
    let mut tree =
        CausalTree::new(&question, checking(args), &mut ProgressLine::new(console, args.last_step()));
    let lengths = Lengths::UpTo(question.bound);
    let holds = tree.kinds.is_empty() && tree.ended.is_none();
    if holds && has_fair_lasso(model, &fairness, lengths, question.solver.backend, budget) == Some(false) {
        let notice = none_within(&property.name, &fairness, lengths);
        console.diagnose(std::slice::from_ref(&notice), &model.sources);
    }
    look_closer(args, &mut tree, &question, &property.name, None);
    report.show(tree, console)
}

/// Returns the question for violating traces.
fn question<'a>(
    args: &ClassifyArgs,
    budget: &'a Budget,
    problem: CausalProblem<'a>,
    parts: &'a ArgumentParts,
) -> CausalQuestion<'a> {
    let solver = Setup { backend: args.engine.solver.backend(), seed: args.seed };
    let bound = args.lengths().bound();
    CausalQuestion { problem, parts, bound, solver, most: usize::MAX, budget }
}

/// Returns the solver that checks the result.
fn checking(args: &ClassifyArgs) -> Backend {
    if args.verify { args.engine.solver.other() } else { args.engine.solver.backend() }
}

/// A causal tree that is computed, and its display.
struct CausesReport<'a> {
    args: &'a ClassifyArgs,
    opened: &'a Opened,
    property: &'a Property,
    problem: CausalProblem<'a>,
    parts: &'a ArgumentParts,
    display: DisplayOptions,
    out: Option<ResultFolder>,
    clock: Instant,
}

impl<'a> CausesReport<'a> {
    fn new(
        args: &'a ClassifyArgs,
        opened: &'a Opened,
        (property, problem): (&'a Property, CausalProblem<'a>),
        parts: &'a ArgumentParts,
        console: &Console,
    ) -> Result<Self, UsageError> {
        let view = settings::display(&args.view, &opened.model, args.protocol.charts(), console)?;
        let display = DisplayOptions { only: args.class, ..view };
        let out = args.output.out.as_deref();
        let out = out.map(|path| ResultFolder::prepare(path, &RESULTS, console.watchdog())).transpose()?;
        Ok(Self { args, opened, property, problem, parts, display, out, clock: Instant::now() })
    }

    /// Prints a tree.
    fn show(self, mut tree: CausalTree, console: &Console) -> Result<Exit, UsageError> {
        let Self { args, property, .. } = self;
        let bound = args.lengths().bound();
        let mut warnings = self.opened.warnings.clone();
        if tree.kinds.is_empty() && tree.ended.is_none() {
            let claim = args.protocol.claims().iter().find(|claim| claim.property == property.name);
            let asked = (args.engine.solver.backend(), &self.opened.budget.at_most_work(PATIENCE));
            let notices = claims::vacuous(&self.opened.model, property, claim, args.lengths(), asked);
            console.diagnose(&notices, &self.opened.model.sources);
            warnings.extend(notices);
        }
        let request = CausalRequest {
            problem: self.problem,
            parts: self.parts,
            bound,
            property,
            given: args.fairness.given(),
            file: &args.model.to_string_lossy(),
            warnings: &warnings,
            seconds: self.clock.elapsed().as_secs_f64(),
            rerun: &rerun::causes(args, &property.name, bound),
            display: self.display,
            awaits_defences: args.defences,
            budget: &self.opened.budget,
        };
        join_by_words(&request, &mut tree);
        let tree = &tree;
        let document = || causal_document(&request, tree);
        if let Some(out) = &self.out {
            out.replace(|out| write_files(out, &request, tree, &document()))?;
        }
        let text = match (args.output.json, args.brief) {
            (true, _) => to_json(&document()),
            (false, true) => causal_brief(&request, tree),
            (false, false) => causal_text(&request, tree),
        };
        console.print(&text)?;
        args.note_missing_class("kind", tree.kinds.len(), console);
        let exit = match causal_verdict(tree) {
            CausesVerdict::Holds => Exit::Fine,
            CausesVerdict::Undecided if tree.ended == Some(Exhausted::Interrupt) => Exit::Interrupted,
            CausesVerdict::Undecided => Exit::Undecided,
            CausesVerdict::Complete => Exit::Violated,
            CausesVerdict::Partial => Exit::Partial,
        };
        Ok(exit.with_exit_zero(args.output.exit_zero))
    }
}

/// Writes the files of `--out`.
fn write_files(
    out: &NewFolder,
    request: &CausalRequest<'_>,
    tree: &CausalTree,
    document: &CausesDocument,
) -> Result<(), UsageError> {
    let model = request.problem.model();
    for (index, kind) in tree.kinds.iter().enumerate() {
        let (number, way) = (index + 1, &kind.ways[0]);
        let itf =
            way.as_lasso().map_or_else(|| to_itf(model, &way.trace), |lasso| lasso_to_itf(model, &lasso));
        out.write(&format!("kind-{number}.itf.json"), &itf)?;
        if let Some(diagram) = model.diagrams.first() {
            out.write(&format!("kind-{number}.mmd"), &sequence_diagram(model, diagram, &way.trace))?;
        }
    }
    out.write("causes.dot", &causal_dot(request, tree))?;
    out.write("report.html", &causal_page(request, tree))?;
    // Other languages have no predicates.
    if !input::is_written(Path::new(request.file))
        && let Some(predicates) = causal_predicates(document)
    {
        out.write("kinds.txt", &predicates)?;
    }
    out.write("causes.json", &to_json(document))
}

/// Returns the model with other values for some constants, and the property there; `None` if it then has mistakes.
fn changed(
    args: &ClassifyArgs,
    property: &str,
    defences: &[Defence],
    budget: &Budget,
) -> Option<(Model, ChangedProperty)> {
    let mut overrides = args.run.loading.overrides.clone();
    for Defence { constant, value } in defences {
        overrides.retain(|(name, _)| name != constant);
        overrides.push((constant.clone(), value.to_string()));
    }
    let options = cladist::model::LoadOptions { overrides: &overrides, ..args.run.loading.options(budget) };
    let model = input::load_any(&args.model, &options).loaded.model?;
    let property = model.properties.iter().find(|other| other.name == property)?;
    let property = match (property.invariant(), property.linear()) {
        (Some(invariant), _) => ChangedProperty::Invariant(invariant.clone()),
        (None, Some(formula)) => {
            ChangedProperty::Linear(formula.clone(), args.fairness.conditions(&model).ok()?)
        }
        (None, None) => return None,
    };
    Some((model, property))
}
