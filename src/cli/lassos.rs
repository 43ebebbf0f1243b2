//! `classify` of properties of linear time: the classes of infinite counterexamples.

use super::args::{ClassifyArgs, Engine};
use super::baseline::Baseline;
use super::console::Console;
use super::exit::Exit;
use super::linear::none_within;
use super::progress::ProgressLine;
use super::refusal::UsageError;
use super::result_folder::{NewFolder, RESULTS, ResultFolder};
use super::settings::{self, Opened, RequestedVocabulary};
use super::watchdog::{KnownResult, PartialResult};
use super::within::{self, CoverTarget};
use super::{causes, ci, input, rerun};
use cladist::budget::{Budget, Exhausted, Observer, cpu_seconds};
use cladist::classify::causes::question::CausalProblem;
use cladist::classify::lassos::{
    Infinite, LassoContext, LassoProblem, classify_lassos, classify_lassos_unbounded, classify_lassos_within,
    usable,
};
use cladist::classify::{Classification, Mode, Options, Verdict, Why};
use cladist::diagnostics::Diagnostic;
use cladist::ltl::has_fair_lasso;
use cladist::model::expr::Formula;
use cladist::model::{Model, Property, PropertyKind, Vocabulary};
use cladist::report::ci::Suite;
use cladist::report::{
    CommonRequest, DisplayOptions, LassoRequest, lasso_document, lasso_restatements, lasso_view,
    objection_text, to_json,
};
use cladist::trace::lasso_to_itf;
use cladist::unroll::Lengths;
use cladist::vocabulary::{
    LassoChoice, Repairs, SearchEffort, choose_for_lassos, offered_for_lassos, repairs_for_lassos,
};
use std::time::{Duration, Instant};

/// Classes suffice for lassos of at least so many steps more than the bound, unless a horizon is given.
const LEAST_FARTHER: usize = 6;

/// Returns the time for additions to a vocabulary that is too weak, if there is no limit of time: twice as long as the
/// classification took, within limits.
pub fn time_for_repairs(taken: Duration) -> Duration {
    taken.saturating_mul(2).clamp(Duration::from_secs(2), Duration::from_secs(5))
}

/// The property that is asked for, if it is one of linear time that finite traces cannot violate: that with the name given, or the
/// first one of a model without invariants.
///
/// # Errors
///
/// The model has no property of the name given, or it is one of branching time.
pub fn asked<'m>(
    model: &'m Model,
    name: Option<&str>,
) -> Result<Option<(&'m Property, &'m Formula)>, Diagnostic> {
    fn linear(property: &Property) -> Option<(&Property, &Formula)> {
        property.linear().map(|formula| (property, formula))
    }
    match name {
        Some(name) => {
            let property = settings::property(model, name)?;
            match property.kind {
                PropertyKind::Ctl(_) => Err(settings::wrong_kind(model, property, true)),
                _ => Ok(linear(property)),
            }
        }
        None if model.properties.iter().any(|property| property.invariant().is_some()) => Ok(None),
        None => Ok(model.properties.iter().find_map(linear)),
    }
}

/// Vocabularies are looked for without end only where there is a limit of time.
pub fn effort(args: &ClassifyArgs) -> SearchEffort {
    if args.run.limits.timeout.is_some() { SearchEffort::Thorough } else { SearchEffort::Brief }
}

/// Classifies the infinite counterexamples of a property.
pub fn run(
    args: &ClassifyArgs,
    opened: &Opened,
    (property, formula): (&Property, &Formula),
    console: &Console,
) -> Result<Exit, UsageError> {
    if !args.asks_for_classes(&opened.model) {
        return causes::run_linear(args, opened, (property, formula), console);
    }
    let Opened { budget, model, warnings } = opened;
    let refuse = |diagnostics| UsageError { diagnostics, sources: model.sources.clone() };
    let fairness = args.fairness.conditions(model)?;
    let problem = LassoProblem { model, formula, fairness: &fairness };
    let prepared = Prepared::new(args, problem, property).map_err(refuse)?;
    let Prepared { vocabulary, options, notices, .. } = &prepared;
    let baseline = args.baseline.as_deref().map(|path| Baseline::read(path, model, property)).transpose()?;
    let within = args.within.as_deref();
    let within = within.map(|text| within::lasso_target(text, model, vocabulary)).transpose()?;
    console.diagnose(notices, &model.sources);
    let warnings: Vec<Diagnostic> = warnings.iter().chain(notices).cloned().collect();
    let out = args.output.out.as_deref();
    let out = out.map(|path| ResultFolder::prepare(path, &RESULTS, console.watchdog())).transpose()?;
    let rerun = rerun::classify(args, &property.name, &vocabulary.name, &[]);
    let file = args.model.to_string_lossy();
    let asked = CommonRequest {
        prefer: &args.prefer,
        hide: &args.hide,
        ground: &args.ground,
        seed: args.seed,
        warnings: &warnings,
        rerun: &rerun,
        display: DisplayOptions { only: args.class, ..settings::display(&args.view, model, None, console)? },
        ..CommonRequest::plain(model, property, vocabulary, &file)
    };
    let request =
        LassoRequest { asked, fairness: fairness.len(), given: args.fairness.given(), baseline: None };
    keep_undecided(args, &request, options, console);
    let mut line = ProgressLine::new(console, args.last_step());
    let mut keeping =
        ProgressLine::keeping(console, args.last_step(), |so_far: &Classification<Infinite>| {
            KnownResult::new(|why| {
                let verdict = Verdict::Partial(Why::Exhausted(why));
                known(args, &request, &Classification { verdict, ..so_far.clone() }.gathered())
            })
        });
    let clock = Instant::now();
    let lines: [&mut dyn Observer; 2] = [&mut keeping, &mut line];
    let LassoResult { choice, mut result, repairs } = match within {
        Some(within) => inside(args, problem, &prepared, within, budget, lines)?,
        None => found(args, problem, &prepared, budget, lines),
    };
    drop(keeping);
    let objection = choice.as_ref().and_then(|choice| Some((result.objection()?, &choice.chosen)));
    let by_causes = causes::are_wanted_instead(args) && budget.exhausted().is_none();
    if let Some((objection, chosen)) = objection.filter(|_| by_causes) {
        causes::announce(&objection_text(objection, chosen), args, console)?;
        return causes::run_linear(args, opened, (property, formula), console);
    }
    // With the search for a vocabulary, and for additions to one.
    result.statistics.seconds.total = clock.elapsed().as_secs_f64();
    let vocabulary = choice
        .as_ref()
        .map(|choice| Vocabulary { span: property.span, ..choice.candidate.vocabulary.clone() });
    let vocabulary = vocabulary.as_ref().unwrap_or(&prepared.vocabulary);
    drop(line);
    let compared =
        baseline.map(|baseline| baseline.compare_lassos(problem, &result, options, budget)).unzip();
    let comparison = compared.0.map(|comparison| comparison.gathered(&result.images));
    let mut result = result.gathered();
    let about = (CausalProblem::Linear(problem), args.fairness.given());
    let causes = causes::beside_classes(args, &request.asked, about, &result, (budget, console));
    let mut notices: Vec<Diagnostic> =
        lasso_restatements(property, vocabulary, &result).into_iter().collect();
    notices.extend(vacuous(&result, problem, &property.name, options, budget));
    notices.extend(compared.1.unwrap_or_default());
    console.diagnose(&notices, &model.sources);
    let warnings: Vec<Diagnostic> = warnings.iter().cloned().chain(notices).collect();
    let (baseline, chosen) = (comparison.as_ref(), choice.as_ref().map(|choice| &choice.chosen));
    let (repairs, causes) = (repairs.as_ref(), causes.as_ref());
    let asked = CommonRequest { vocabulary, chosen, repairs, causes, warnings: &warnings, ..request.asked };
    let request = LassoRequest { asked, baseline, ..request };
    result.statistics.cpu_seconds = cpu_seconds();
    show(args, request, &result, out.as_ref(), console)?;
    let exit = Exit::from(&result);
    let exit = baseline.map_or(exit, |comparison| exit.compared(result.has_all(), comparison));
    Ok(exit.with_exit_zero(args.output.exit_zero))
}

/// A warning about a property that holds vacuously: no infinite trace within the bound could violate it.
fn vacuous(
    result: &Classification<Infinite>,
    problem: LassoProblem<'_>,
    name: &str,
    options: &Options,
    budget: &Budget,
) -> Option<Diagnostic> {
    let LassoProblem { model, fairness, .. } = problem;
    let lengths = options.lengths;
    let is_vacuous = result.verdict == Verdict::Holds
        && has_fair_lasso(model, fairness, lengths, options.backend, budget) == Some(false);
    is_vacuous.then(|| none_within(name, fairness, lengths))
}

/// The result of the engines.
struct LassoResult {
    /// The vocabulary, if the program chose it.
    choice: Option<LassoChoice>,
    result: Classification<Infinite>,
    /// Additions to a vocabulary that is too weak.
    repairs: Option<Repairs>,
}

/// Chooses a vocabulary if none was given, classifies with it, and looks for additions if it is too weak. The first observer hears of the
/// classes of the vocabulary that was given.
fn found(
    args: &ClassifyArgs,
    problem: LassoProblem<'_>,
    prepared: &Prepared,
    budget: &Budget,
    [of_given, observer]: [&mut dyn Observer; 2],
) -> LassoResult {
    let Prepared { vocabulary, options, is_auto, .. } = prepared;
    let choice = if *is_auto {
        let searching = if args.unbounded { budget.share(2) } else { budget.clone() };
        choose_for_lassos(problem, &args.hide, options, effort(args), &searching, observer)
    } else {
        None
    };
    let vocabulary = choice.as_ref().map_or(vocabulary, |choice| &choice.candidate.vocabulary);
    let mut result = match (args.unbounded, &choice) {
        (true, None) => {
            classify_lassos_unbounded(problem, vocabulary, options, args.max_states, budget, of_given)
        }
        (true, Some(_)) => {
            classify_lassos_unbounded(problem, vocabulary, options, args.max_states, budget, observer)
        }
        (false, Some(choice)) => choice.result.clone(),
        (false, None) => classify_lassos(problem, vocabulary, options, budget, of_given),
    };
    let by_causes = choice.is_some() && causes::are_wanted_instead(args);
    if by_causes && result.objection().is_some() {
        return LassoResult { choice, result, repairs: None };
    }
    if matches!(result.verdict, Verdict::TooWeak(_)) {
        let (lengths, horizon) = (result.lengths, Some(result.sufficient_up_to));
        let options = Options { mode: Mode::Cover, lengths, horizon, ..options.clone() };
        let cover = match args.unbounded {
            true => {
                classify_lassos_unbounded(problem, vocabulary, &options, args.max_states, budget, observer)
            }
            false => classify_lassos(problem, vocabulary, &options, budget, observer),
        };
        result = result.covered_by(cover);
    }
    if result.decisions.is_none() {
        result.add_decisions(problem, options, None, budget);
    }
    if result.necessary.is_none() {
        result.add_necessary(problem, vocabulary, options, None, budget);
    }
    let repairs = matches!(result.verdict, Verdict::TooWeak(_)).then(|| {
        let left = match args.run.limits.timeout {
            Some(_) => budget.share(2),
            None => {
                let taken = Duration::from_secs_f64(result.statistics.seconds.total);
                budget.at_most(time_for_repairs(taken))
            }
        };
        repairs_for_lassos(problem, vocabulary, &args.hide, options, &left, observer)
    });
    LassoResult { choice, result, repairs }
}

/// Covers the counterexamples of the class that was asked for.
fn inside(
    args: &ClassifyArgs,
    problem: LassoProblem<'_>,
    prepared: &Prepared,
    within: CoverTarget<LassoContext>,
    budget: &Budget,
    mut observers: [&mut dyn Observer; 2],
) -> Result<LassoResult, UsageError> {
    let Prepared { vocabulary, options, .. } = prepared;
    let context = match within {
        CoverTarget::Known(context) => *context,
        CoverTarget::OfThisRun(number) => {
            let [_, observer] = &mut observers;
            let LassoResult { result, .. } =
                found(args, problem, prepared, budget, [&mut (), &mut **observer]);
            within::of_lassos(&result, number)?
        }
    };
    let result = classify_lassos_within(problem, vocabulary, &context, options, budget, observers[1]);
    Ok(LassoResult { choice: None, result, repairs: None })
}

/// Prints the result, and writes its files.
fn show(
    args: &ClassifyArgs,
    request: LassoRequest<'_>,
    result: &Classification<Infinite>,
    out: Option<&ResultFolder>,
    console: &Console,
) -> Result<(), UsageError> {
    if !args.output.json {
        console.print(&lasso_view(&request, result).terminal(args.brief))?;
        args.note_missing_class("class", result.classes.len(), console);
    }
    let display = settings::without_colour(&request.asked.display);
    let request = LassoRequest { asked: CommonRequest { display, ..request.asked }, ..request };
    let document = to_json(&lasso_document(&request, result));
    if let Some(out) = out {
        out.replace(|out| write_files(out, &request, result, &document))?;
    }
    let suite = || Suite::of_classification(&lasso_view(&request, result), input::is_written(&args.model));
    ci::write(&args.output, suite, console)?;
    if args.output.json {
        console.print(&document)?;
    }
    Ok(())
}

/// The vocabulary and options, prepared for a classification.
struct Prepared {
    /// For a vocabulary that is to be found, it has everything that could be in it.
    vocabulary: Vocabulary,
    options: Options,
    is_auto: bool,
    /// Notices about unused items of the vocabulary.
    notices: Vec<Diagnostic>,
}

impl Prepared {
    /// Resolves the names that the user gave.
    fn new(
        args: &ClassifyArgs,
        problem: LassoProblem<'_>,
        property: &Property,
    ) -> Result<Self, Vec<Diagnostic>> {
        let model = problem.model;
        let wanted = settings::vocabulary(model, &property.name, args.vocabulary.as_deref());
        let is_auto = matches!(wanted, Ok(RequestedVocabulary::Auto));
        let (whole, notices) = match wanted {
            Ok(RequestedVocabulary::Declared(whole)) => {
                part_of(model, &settings::with_individuals(whole, &args.ground))
            }
            Ok(RequestedVocabulary::Auto) => (offered_for_lassos(problem).everything(), Vec::new()),
            Err(error) => return Err(refuse_options(args, false).into_iter().chain([error]).collect()),
        };
        let (vocabulary, options) =
            match (refuse_options(args, is_auto), settings::classification(args, model, &whole)) {
                (None, Ok(resolved)) => resolved,
                (refused, resolved) => {
                    return Err(refused.into_iter().chain(resolved.err().into_iter().flatten()).collect());
                }
            };
        let bound = args.lengths().bound().max(1);
        let farther = bound + (bound / 2).max(LEAST_FARTHER);
        let horizon = Some(args.horizon.map_or(farther, |horizon| horizon.max(bound)));
        let options = Options { lengths: Lengths::UpTo(bound), horizon, ..options };
        Ok(Self { vocabulary, options, is_auto, notices })
    }
}

/// Refuses options that infinite traces do not support.
fn refuse_options(args: &ClassifyArgs, is_auto: bool) -> Option<Diagnostic> {
    let asked = [
        (args.exact, "--exact"),
        (args.count, "--count"),
        (args.environment.is_some(), "--environment"),
        (is_auto && args.within.is_some(), "--within and a vocabulary that the program finds"),
        (args.start_with.is_some(), "--start-with"),
        (args.keep_redundant, "--keep-redundant"),
        (args.output.proofs.is_some(), "--proofs"),
        (matches!(args.engine.solver, Engine::Smt(_)), "an SMT solver"),
        (is_auto && args.cover, "--cover and a vocabulary that the program finds"),
        (is_auto && !args.prefer.is_empty(), "--prefer and a vocabulary that the program finds"),
    ];
    let asked: Vec<&str> =
        asked.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, what)| what).collect();
    if asked.is_empty() {
        return None;
    }
    let message = format!("infinite counterexamples cannot be classified with {}", asked.join(", "));
    Some(Diagnostic::error_without_place(message).with_help("leave that out, or classify an invariant"))
}

/// The part of a vocabulary that speaks of one position at a time, and that the rest is not used.
fn part_of(model: &Model, whole: &Vocabulary) -> (Vocabulary, Vec<Diagnostic>) {
    let (part, others) = usable(model, whole);
    let mut names: Vec<&str> = Vec::new();
    for item in others {
        let own = whole.items[item].names(model).first().copied();
        if let Some(name) = own.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return (part, Vec::new());
    }
    let message =
        format!("not used, as infinite traces are described one position at a time: {}", names.join(", "));
    (part, vec![Diagnostic::warning_without_place(message)])
}

/// Leaves the watchdog what is known during the search: nothing, or that there is a violation.
fn keep_undecided(args: &ClassifyArgs, request: &LassoRequest<'_>, options: &Options, console: &Console) {
    let known = |verdict| known(args, request, &options.result(verdict));
    let watchdog = console.watchdog();
    watchdog.keep(KnownResult::new(|why: Exhausted| known(Verdict::Undecided { why, depth: 0 })));
    watchdog
        .keep_if_violated(KnownResult::new(|why: Exhausted| known(Verdict::Partial(Why::Exhausted(why)))));
}

fn known(
    args: &ClassifyArgs,
    request: &LassoRequest<'_>,
    result: &Classification<Infinite>,
) -> PartialResult {
    PartialResult {
        exit: Exit::from(result).with_exit_zero(args.output.exit_zero),
        text: lasso_view(request, result).terminal(args.brief),
        document: serde_json::to_value(lasso_document(request, result)).unwrap_or_default(),
    }
}

fn write_files(
    out: &NewFolder,
    request: &LassoRequest<'_>,
    result: &Classification<Infinite>,
    document: &str,
) -> Result<(), UsageError> {
    out.write_traces(result, |lasso| lasso_to_itf(request.asked.model, lasso))?;
    out.write("report.html", &lasso_view(request, result).page())?;
    out.write("classes.json", document)
}
