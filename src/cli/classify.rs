//! `cladist classify`: the classes of counterexamples of an invariant.

use super::args::{ClassifyArgs, Engine};
use super::baseline::Baseline;
use super::causes::FEW_STATES;
use super::console::Console;
use super::exit::Exit;
use super::progress::ProgressLine;
use super::refusal::UsageError;
use super::result_folder::{NewFolder, RESULTS, ResultFolder};
use super::settings::{self, Opened, RequestedVocabulary};
use super::watchdog::{KnownResult, PartialResult};
use super::within::{self, CoverTarget};
use super::{bounds, causes, ci, claims, fates, input, lassos, patterns, proofs, rerun, symmetric};
use cladist::budget::{Budget, Exhausted, cpu_seconds};
use cladist::classify::causes::question::CausalProblem;
use cladist::classify::{
    self, BeyondBound, Class, Classification, Cover, Grounding, Mode, Necessity, Obstacle, Options, Problem,
    Reach, Restates, Verdict, Why, names_to_hide,
};
use cladist::diagnostics::Diagnostic;
use cladist::explore::{self, DecisivePlace, ListedFates, ReachabilityResult};
use cladist::model::expr::Expr;
use cladist::model::types::Type;
use cladist::model::{Model, Property, Vocabulary};
use cladist::protocol::{ClaimedProperty, is_protocol};
use cladist::readers::RESULT;
use cladist::report::ci::Suite;
use cladist::report::integers_text;
use cladist::report::{
    CausesOfClasses, ClassifyRequest, CommonRequest, GivenFairness, Wording, classify_document, fewer_notice,
    horizon_notices, objection_text, proofs_text, restatement_notices, result_view, silence_notices,
    start_notices, to_json, vocabulary_notices,
};
use cladist::trace::{sequence_diagram, to_itf};
use cladist::vocabulary::{
    AUTO, ChoiceSummary, Inventory, Objection, Repair, Repairs, Trial, TrialQuestion, choose, fewer, repairs,
};
use itertools::Itertools;
use std::path::Path;
use std::time::{Duration, Instant};

/// The processor time for finding a property that is violated.
const FOR_PROPERTIES: Duration = Duration::from_secs(1);

/// Runs `cladist classify`: once, or for each of several claims, one after the other. What one does not use of the time is left for
/// the others.
pub fn run_each(mut args: ClassifyArgs, console: &Console) -> Result<Exit, UsageError> {
    bounds::refuse_absurd(args.lengths())?;
    bounds::refuse_near_horizon(args.lengths(), args.horizon)?;
    let mut opened = settings::open(&args.model, &args.protocol, &args.run, console)?;
    let claims = args.protocol.properties.clone();
    if claims.len() < 2 {
        return run(&mut args, &mut opened, console);
    }
    let (whole, warnings) = (opened.budget.clone(), opened.warnings.clone());
    let mut exits = Vec::new();
    for (index, claim) in claims.iter().enumerate() {
        if index > 0 {
            console.print("\n")?;
        }
        (opened.budget, opened.warnings) = (whole.share(claims.len() - index), warnings.clone());
        args.property = Some(claim.clone());
        exits.push(run(&mut args, &mut opened, console)?);
    }
    Ok(exits.into_iter().collect())
}

fn run(args: &mut ClassifyArgs, opened: &mut Opened, console: &Console) -> Result<Exit, UsageError> {
    let choice = args.property.is_none().then(|| violated_property(args, opened));
    if let Some(Some((property, notice))) = choice.as_ref() {
        console.diagnose(std::slice::from_ref(notice), &opened.model.sources);
        opened.warnings.push(notice.clone());
        args.property = Some(property.clone());
    }
    let exit = run_opened(args, opened, console)?;
    let is_default = choice == Some(None) && args.protocol.file.is_none();
    if is_default && exit == Exit::Fine && !args.output.exit_zero {
        console.diagnose(not_asked_about(&opened.model).as_slice(), &opened.model.sources);
    }
    Ok(exit)
}

/// Returns the first invariant that is violated within the bound, with a notice, if the states are few and it is not the first one of the model,
/// which is the default.
fn violated_property(args: &ClassifyArgs, opened: &Opened) -> Option<(String, Diagnostic)> {
    if args.baseline.is_some() || args.exact || args.protocol.file.is_some() {
        return None;
    }
    let Opened { budget, model, .. } = opened;
    let budget = budget.at_most_work(FOR_PROPERTIES);
    let bound = if args.unbounded { usize::MAX } else { args.lengths().bound() };
    let mut within = "";
    let invariants: Vec<(&Property, &Expr)> =
        model.properties.iter().filter_map(|of| Some((of, of.invariant()?))).collect();
    if invariants.len() < 2 {
        return None;
    }
    for (held, (property, invariant)) in invariants.into_iter().enumerate() {
        match explore::visit(model, invariant, FEW_STATES, &budget) {
            ReachabilityResult::Violated(steps) if steps <= bound => {
                let holding = match held {
                    0 => return None,
                    1 => format!("the first invariant holds{within}"),
                    _ => format!("the first {held} invariants hold{within}"),
                };
                let message =
                    format!("{holding}; the answer is about `{}`, which is violated", property.name);
                let notice = Diagnostic::note_without_place(message).with_help("-p NAME selects a property");
                return Some((property.name.clone(), notice));
            }
            ReachabilityResult::Violated(_) => within = " within the bound",
            ReachabilityResult::Holds(_) => {}
            ReachabilityResult::Stopped { .. } => return None,
        }
    }
    None
}

/// Returns a note that names the properties beside the default one; `None` if there are none.
fn not_asked_about(model: &Model) -> Option<Diagnostic> {
    let of_traces = || model.properties.iter().filter(|of| of.invariant().is_some() || of.linear().is_some());
    let default = of_traces().find(|of| of.invariant().is_some()).or(of_traces().next())?.name.as_str();
    let others = of_traces().map(|of| of.name.as_str()).filter(|name| *name != default);
    let others = others.filter(|name| !name.ends_with(RESULT)).map(|name| format!("`{name}`")).join(", ");
    let message = format!("not asked about: {others}; -p NAME selects a property");
    (!others.is_empty()).then(|| Diagnostic::note_without_place(message))
}

fn run_opened(args: &ClassifyArgs, opened: &mut Opened, console: &Console) -> Result<Exit, UsageError> {
    let refuse = |d: Diagnostic| UsageError { sources: opened.model.sources.clone(), ..UsageError::from(d) };
    match lassos::asked(&opened.model, args.property.as_deref()).map_err(refuse)? {
        Some(asked) => lassos::run(args, opened, asked, console),
        None => {
            args.fairness.refuse().map_err(UsageError::from)?;
            let patterns = patterns::find(args, opened, console)?;
            let alone = patterns.as_ref().map(|patterns| patterns.show_alone(opened)).transpose()?;
            if let Some(exit) = alone.flatten() {
                return Ok(exit);
            }
            patterns.iter().for_each(|patterns| patterns.limit_few_runs(opened));
            let limits = args.protocol.limits_beside_patterns();
            console.diagnose(&limits, &opened.model.sources);
            opened.warnings.extend(limits);
            let by_causes = match args.asks_for_classes(&opened.model) {
                true => None,
                false => causes::run(args, opened, console)?,
            };
            let found = by_causes.map_or_else(|| run_finite(args, opened, console), |exit| Ok(Some(exit)))?;
            let exit = match found {
                Some(exit) => exit,
                None => causes::run(args, opened, console)?
                    .unwrap_or_else(|| unreachable!("only attacks on protocols can be too many")),
            };
            patterns.map_or(Ok(exit), |patterns| patterns.show_beside(opened, exit))
        }
    }
}

/// Classifies the finite counterexamples of an invariant. `None` if a vocabulary was to be found and none gives few kinds, which is said:
/// then causes are the answer, unless more was asked about classes.
fn run_finite(
    args: &ClassifyArgs,
    opened: &mut Opened,
    console: &Console,
) -> Result<Option<Exit>, UsageError> {
    let Opened { budget, model, warnings } = opened;
    let fates = decide_fates(args, model, budget)?;
    // Protocols have the library of attacks.
    if args.protocol.file.is_none() {
        settings::declare_conditions(model, args.property.as_deref());
    }
    let (budget, model, mut warnings) = (&*budget, &*model, warnings.clone());
    let refuse = |d: Diagnostic| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let (property, invariant) = settings::invariant(model, args.property.as_deref()).map_err(refuse)?;
    let wanted = settings::vocabulary(model, &property.name, args.vocabulary.as_deref()).map_err(refuse)?;
    refuse_by_scripts(args, wanted, fates.is_some()).map_err(refuse)?;
    warnings.extend(symmetric::insist(model, &[property], budget, console)?);
    let problem = Problem::new(model, invariant);
    let (vocabulary, options) = chosen(args, problem, wanted)?;
    let within = args.within.as_deref().map(|text| within::target(text, model, &vocabulary)).transpose()?;
    let baseline = args.baseline.as_deref().map(|path| Baseline::read(path, model, property)).transpose()?;
    let mut display = settings::display(&args.view, model, args.protocol.charts(), console)?;
    display.only = args.class;
    display.wording = Wording::of(claim_of(args, property).is_some_and(|claim| claim.reachability));
    let out = args.output.out.as_deref();
    let out = out.map(|path| ResultFolder::prepare(path, &RESULTS, console.watchdog())).transpose()?;
    let loaded = warnings.clone();
    let again = |hide: &[String]| rerun::classify(args, &property.name, wanted.name(), hide);
    let rerun = again(&[]);
    let folder = proofs::folder_of_classify(args, &rerun, budget, console)?;
    let file = args.model.to_string_lossy();
    let asked = CommonRequest {
        prefer: &args.prefer,
        hide: &args.hide,
        ground: &args.ground,
        seed: args.seed,
        warnings: &loaded,
        rerun: &rerun,
        display,
        ..CommonRequest::plain(model, property, &vocabulary, &file)
    };
    let request = ClassifyRequest::new(asked, invariant);
    let run = ClassifyRun { args, options: &options, budget, console };
    let ClassifyResult { vocabulary, chosen, mut result } = run.within(&request, wanted, within)?;
    if run.has_words_of_attacks() {
        // The words of the library are about runs of which a claim is false, and say how that came about.
        result.classes.iter_mut().for_each(|class| class.restates = Restates::Nothing);
    }
    let asked = CommonRequest { vocabulary: &vocabulary, chosen: chosen.as_ref(), ..request.asked };
    let mut request = ClassifyRequest { asked, ..request };
    let by_causes = causes::are_wanted_instead(args) && budget.exhausted().is_none();
    if let Some((_, told)) = no_few_kinds(&request, &result).filter(|_| by_causes) {
        causes::announce(&told, args, console)?;
        return Ok(None);
    }
    run.keep_without_counts(&request, &result);
    let clock = Instant::now();
    let repairs = run.repairs(&request, &result);
    result.statistics.add_vocabularies(clock.elapsed());
    request.asked.repairs = repairs.as_ref();
    let decisive =
        fates.map_or_else(Vec::new, |fates| decisive_places(model, &fates, &result.clone().gathered()));
    request.decisive = &decisive;
    run.keep_without_counts(&request, &result);
    if args.count {
        result.count_traces(problem, args.max_states, budget);
    }
    let compared =
        baseline.map(|baseline| baseline.compare(problem, &vocabulary, &result, &options, budget)).unzip();
    let comparison = compared.0.map(|comparison| comparison.gathered(&result.images));
    request.baseline = comparison.as_ref();
    run.keep_without_counts(&request, &result);
    let mut notices = compared.1.unwrap_or_default();
    let clock = Instant::now();
    let hints = run.hints(&request, &result);
    result.statistics.add_vocabularies(clock.elapsed());
    let proofs = folder.map(|folder| proofs::of_classification(folder, &request, &result)).transpose()?;
    let mut result = result.gathered();
    let causes = run.causes(&request, &result);
    request.asked.causes = causes.as_ref();
    notices.extend(run.notices(&request, &result, &hints, &again));
    console.diagnose(&notices, &model.sources);
    warnings.extend(notices);

    request.proofs = proofs.as_ref();
    request.asked.warnings = &warnings;
    result.statistics.cpu_seconds = cpu_seconds();
    publish(args, request, &result, out.as_ref(), console).map(Some)
}

/// Why the classes with a vocabulary that was found are no answer, if that is so, and in a sentence.
fn no_few_kinds(request: &ClassifyRequest<'_>, result: &Classification) -> Option<(Objection, String)> {
    let (chosen, objection) = (request.asked.chosen?, result.objection()?);
    Some((objection, objection_text(objection, chosen)))
}

/// Prints a result, and writes the files that were asked for.
fn publish(
    args: &ClassifyArgs,
    mut request: ClassifyRequest<'_>,
    result: &Classification,
    out: Option<&ResultFolder>,
    console: &Console,
) -> Result<Exit, UsageError> {
    if !args.output.json {
        console.print(&result_view(&request, result).terminal(args.brief))?;
        args.note_missing_class("class", result.classes.len(), console);
        console.print(&request.proofs.map(proofs_text).unwrap_or_default())?;
        if args.engine.verbose {
            console.print(&integers_text(request.asked.model, args.engine.asked()))?;
        }
    }
    request.asked.display = settings::without_colour(&request.asked.display);
    let document = to_json(&classify_document(&request, result));
    if let Some(out) = out {
        out.replace(|out| write_files(out, &request, result, &document))?;
    }
    let suite = || {
        Suite::of_classification(
            &result_view(&request, result),
            input::is_written(request.asked.file.as_ref()),
        )
    };
    ci::write(&args.output, suite, console)?;
    if args.output.json {
        console.print(&document)?;
    }
    Ok(exit(args, &request, result))
}

/// How the program ends with a result. Before it was compared with a stored one, as was asked, a complete one is partial.
fn exit(args: &ClassifyArgs, request: &ClassifyRequest<'_>, result: &Classification) -> Exit {
    let exit = match request.baseline {
        Some(comparison) => Exit::from(result).compared(result.has_all(), comparison),
        None => match Exit::from(result) {
            Exit::Violated if args.baseline.is_some() => Exit::Partial,
            other => other,
        },
    };
    exit.with_exit_zero(args.output.exit_zero)
}

/// The claim of a protocol that a property is.
fn claim_of<'a>(args: &'a ClassifyArgs, property: &Property) -> Option<&'a ClaimedProperty> {
    args.protocol.claims().iter().find(|claim| claim.property == property.name)
}

/// Refuses options that SMT solvers do not support.
fn refuse_by_scripts(
    args: &ClassifyArgs,
    wanted: RequestedVocabulary<'_>,
    about_fates: bool,
) -> Result<(), Diagnostic> {
    let Engine::Smt(_) = args.engine.solver else { return Ok(()) };
    let asked = [
        (args.exact, "--exact"),
        (args.unbounded, "--unbounded"),
        (args.tree, "--tree"),
        (args.defences, "--defences"),
        (args.verify, "--verify"),
        (args.output.proofs.is_some(), "--proofs"),
        (matches!(wanted, RequestedVocabulary::Auto), "a vocabulary that the program finds"),
        (about_fates, "a vocabulary with `lost`, `safe`, `open` or `decisive`"),
    ];
    let asked = asked.iter().filter(|(is_asked, _)| *is_asked).map(|(_, what)| *what).join(", ");
    if asked.is_empty() {
        return Ok(());
    }
    let error = Diagnostic::error_without_place(format!("an SMT solver cannot be used with {asked}"));
    Err(error.with_help("leave out --solver, or that; `-V` names a vocabulary"))
}

/// Gives `lost`, `safe`, `open` and `decisive` their meaning, if the classification uses them.
fn decide_fates(
    args: &ClassifyArgs,
    model: &mut Model,
    budget: &Budget,
) -> Result<Option<ListedFates>, UsageError> {
    let refuse = |d: Diagnostic| UsageError { sources: model.sources.clone(), ..UsageError::from(d) };
    let (property, _) = settings::invariant(model, args.property.as_deref()).map_err(refuse)?;
    let wanted = settings::vocabulary(model, &property.name, args.vocabulary.as_deref()).map_err(refuse)?;
    let of_vocabulary = match wanted {
        RequestedVocabulary::Declared(vocabulary) => {
            let hidden = args.hide.iter().flat_map(|name| vocabulary.meant_by(model, name));
            let hidden: Vec<usize> = hidden.collect();
            model.speaks_of_fates(&vocabulary.without(&hidden))
        }
        RequestedVocabulary::Auto => false,
    };
    let start = args.start_with.as_deref().and_then(|name| settings::predicate(model, name).ok());
    if !of_vocabulary && !start.is_some_and(|predicate| model.is_about_fates(predicate)) {
        let Some(environment) = &args.environment else { return Ok(None) };
        let unknown = fates::environment(model, environment).err();
        let unused = Diagnostic::error_without_place("--environment has no effect on this vocabulary")
            .with_help("it is for vocabularies with `lost`, `safe`, `open` or `decisive`");
        let diagnostics = unknown.into_iter().chain([unused]).collect();
        return Err(UsageError { diagnostics, sources: model.sources.clone() });
    }
    let asked = fates::FateOptions {
        property: args.property.as_deref(),
        environment: args.environment.as_deref(),
        max_states: args.max_states,
    };
    fates::decide(model, &asked, budget).map(Some)
}

/// For each class the decisive steps that it speaks of.
fn decisive_places(model: &Model, fates: &ListedFates, result: &Classification) -> Vec<Vec<DecisivePlace>> {
    let of_class = |class: &Class| {
        let positions = class.decisive_positions(model, &result.atoms).into_iter();
        positions.filter_map(|at| fates.decisive_place(&class.representative, at)).collect()
    };
    result.classes.iter().map(of_class).collect()
}

/// Resolves the names that the user gave: the vocabulary without what is hidden, and the choices of the classification. For a
/// vocabulary that is to be found, it has everything that could be in it.
fn chosen(
    args: &ClassifyArgs,
    problem: Problem<'_>,
    wanted: RequestedVocabulary<'_>,
) -> Result<(Vocabulary, Options), UsageError> {
    let model = problem.model;
    if args.cover && matches!(wanted, RequestedVocabulary::Auto) {
        let error = Diagnostic::error_without_place(
            "--cover needs a vocabulary that lists the predicates to look for",
        );
        let help = "declare one, `vocabulary v = { … };`, and ask for it with `-V v`";
        return Err(UsageError { sources: model.sources.clone(), ..UsageError::from(error.with_help(help)) });
    }
    let start_with = args.start_with.as_deref().map(|name| settings::predicate(model, name)).transpose();
    let whole = match wanted {
        RequestedVocabulary::Declared(vocabulary) => settings::with_individuals(vocabulary, &args.ground),
        RequestedVocabulary::Auto => Inventory::of(problem).everything(),
    };
    match (start_with, settings::classification(args, model, &whole)) {
        (Ok(start_with), Ok((vocabulary, options))) => {
            let runs = args.protocol.file.as_ref().map(|file| file.translation.runs);
            let is_nameless = |ty: &Type| Some(model.types.name(ty).as_str()) == runs;
            let nameless = Grounding::liftable(model).into_iter().filter(is_nameless).collect();
            Ok((vocabulary, Options { nameless, start_with, ..options }))
        }
        (start_with, resolved) => {
            let diagnostics = start_with.err().into_iter().chain(resolved.err().into_iter().flatten());
            Err(UsageError { diagnostics: diagnostics.collect(), sources: model.sources.clone() })
        }
    }
}

/// The result of a classification, with its vocabulary.
struct ClassifyResult {
    vocabulary: Vocabulary,
    /// How it was chosen, if the program did that.
    chosen: Option<ChoiceSummary>,
    result: Classification,
}

/// A run of the engines.
struct ClassifyRun<'a> {
    args: &'a ClassifyArgs,
    options: &'a Options,
    budget: &'a Budget,
    console: &'a Console,
}

impl ClassifyRun<'_> {
    /// True if the words are those that protocols have by themselves: the patterns of attacks in the vocabulary of a claim.
    fn has_words_of_attacks(&self) -> bool {
        let mut claims = self.args.protocol.claims().iter();
        self.args.vocabulary.as_ref().is_none_or(|name| claims.any(|claim| claim.property == *name))
            && self.args.protocol.file.is_some()
    }

    /// Findings of further searches that notices are based on.
    fn hints(&self, request: &ClassifyRequest<'_>, result: &Classification) -> Hints {
        Hints { to_hide: self.worth_hiding(request, result), addition: self.fewer(request, result) }
    }

    /// Notices about the result. `again` is the command line that hides these names.
    fn notices(
        &self,
        request: &ClassifyRequest<'_>,
        result: &Classification,
        hints: &Hints,
        again: &dyn Fn(&[String]) -> String,
    ) -> Vec<Diagnostic> {
        let CommonRequest { model, property, vocabulary, .. } = request.asked;
        let ClassifyRun { options, budget, .. } = *self;
        let mut notices = start_notices(model, (options.start_with, vocabulary), result);
        // The library of attacks has words for those of other protocols.
        if !self.has_words_of_attacks() {
            notices.extend(silence_notices(model, result));
            let bound = result.lengths.bound();
            notices.extend(settings::hold_everywhere(model, vocabulary, bound, options.backend, budget));
        }
        notices.extend(vocabulary_notices(vocabulary, result));
        let hiding = (!hints.to_hide.is_empty()).then(|| again(&hints.to_hide));
        notices.extend(restatement_notices(property, vocabulary, result, hiding.as_deref()));
        notices.extend(horizon_notices(model, property, result));
        // Restatements have another notice, and the verdict says that classes are unknown.
        let objection = no_few_kinds(request, result);
        let is_told = |objection: &Objection| {
            matches!(objection, Objection::Restating(_) | Objection::Incomplete(_) | Objection::TooWeak)
        };
        let objection = objection.filter(|(objection, _)| !is_told(objection));
        notices.extend(objection.map(|(_, told)| {
            Diagnostic::warning(property.span, told).with_help("`--tree` finds kinds by their causes")
        }));
        notices.extend(hints.addition.iter().map(|addition| fewer_notice(vocabulary, result, addition)));
        if result.verdict == Verdict::Holds {
            let claim = claim_of(self.args, property);
            notices.extend(claims::vacuous(
                model,
                property,
                claim,
                result.lengths,
                (options.backend, budget),
            ));
        }
        notices
    }

    /// The kinds of violation by their causes that occur in the classes of a gathered result.
    fn causes(&self, request: &ClassifyRequest<'_>, result: &Classification) -> Option<CausesOfClasses> {
        let Self { args, budget, console, .. } = self;
        let model = request.asked.model;
        let problem = CausalProblem::Invariant(Problem::new(model, request.invariant));
        let about = (problem, GivenFairness::default());
        causes::beside_classes(args, &request.asked, about, result, (budget, console))
    }

    /// The classification, or the cover of the class that was asked for.
    fn within(
        &self,
        request: &ClassifyRequest<'_>,
        wanted: RequestedVocabulary<'_>,
        within: Option<CoverTarget>,
    ) -> Result<ClassifyResult, UsageError> {
        let (vocabulary, chosen, class) = match within {
            None => return self.search(request, wanted),
            Some(CoverTarget::Known(class)) => {
                self.keep_undecided(request);
                (request.asked.vocabulary.clone(), None, *class)
            }
            Some(CoverTarget::OfThisRun(number)) => {
                let ClassifyResult { vocabulary, chosen, result } = self.search(request, wanted)?;
                (vocabulary, chosen, within::of_result(&result, number)?)
            }
        };
        let problem = Problem::new(request.asked.model, request.invariant);
        let mut line = self.line();
        let Self { args, options, budget, .. } = self;
        let result = match &args.engine.solver {
            Engine::Smt(solver) => {
                let asked = (solver, args.engine.theory.into());
                classify::classify_within_by_scripts(
                    problem,
                    &vocabulary,
                    &class,
                    asked,
                    options,
                    budget,
                    &mut line,
                )
                .map_err(|why| settings::no_answer(solver, &why))?
            }
            Engine::Sat(_) => {
                classify::classify_within(problem, &vocabulary, &class, options, budget, &mut line)
            }
        };
        Ok(ClassifyResult { vocabulary, chosen, result })
    }

    fn line(&self) -> ProgressLine<'_> {
        ProgressLine::new(self.console, self.args.last_step())
    }

    /// The classification within the budget, without numbers of traces.
    fn search(
        &self,
        request: &ClassifyRequest<'_>,
        wanted: RequestedVocabulary<'_>,
    ) -> Result<ClassifyResult, UsageError> {
        self.keep_undecided(request);
        let Self { args, options, console, .. } = self;
        let (problem, vocabulary) =
            (Problem::new(request.asked.model, request.invariant), request.asked.vocabulary);
        // With another vocabulary than that of the request, partial results are kept by what tries it.
        let mut line = match wanted {
            RequestedVocabulary::Auto => self.line(),
            RequestedVocabulary::Declared(_) => {
                ProgressLine::keeping(console, args.last_step(), |so_far: &Classification| {
                    KnownResult::new(|why| {
                        let verdict = match so_far.verdict {
                            Verdict::Partial(Why::StartWithOnly(_)) => {
                                Verdict::Partial(Why::StartWithOnly(why))
                            }
                            _ => Verdict::Partial(Why::Exhausted(why)),
                        };
                        known(args, request, &Classification { verdict, ..so_far.clone() }.gathered())
                    })
                })
            }
        };
        if let RequestedVocabulary::Auto = wanted {
            let mut found = self.choose(request, &mut line);
            self.look_beyond(problem, &found.vocabulary, &mut found.result);
            return Ok(self.covered(request, found));
        }
        let mut result = self.classified(problem, vocabulary, options, args.reach(), &mut line)?;
        self.look_beyond(problem, vocabulary, &mut result);
        let found = ClassifyResult { vocabulary: vocabulary.clone(), chosen: None, result };
        Ok(self.covered(request, found))
    }

    /// The classification or cover by the solver that was asked for.
    fn classified(
        &self,
        problem: Problem<'_>,
        vocabulary: &Vocabulary,
        options: &Options,
        reach: Option<Reach>,
        line: &mut ProgressLine<'_>,
    ) -> Result<Classification, UsageError> {
        let Self { args, budget, .. } = self;
        Ok(match (&args.engine.solver, reach) {
            (Engine::Smt(solver), _) => {
                let asked = (solver, args.engine.theory.into());
                classify::classify_by_scripts(problem, vocabulary, asked, options, budget, line)
                    .map_err(|why| settings::no_answer(solver, &why))?
            }
            (_, Some(reach)) => {
                classify::classify_unbounded(problem, vocabulary, options, reach, budget, line)
            }
            (_, None) => classify::classify(problem, vocabulary, options, budget, line),
        })
    }

    /// Adds a cover by the words of a vocabulary that is too weak for classes, unless causes are the answer then.
    fn covered(&self, request: &ClassifyRequest<'_>, found: ClassifyResult) -> ClassifyResult {
        let ClassifyResult { vocabulary, chosen, result } = found;
        let by_causes = chosen.is_some() && causes::are_wanted_instead(self.args);
        if by_causes || !matches!(result.verdict, Verdict::TooWeak(_)) {
            return ClassifyResult { vocabulary, chosen, result };
        }
        let asked =
            CommonRequest { vocabulary: &vocabulary, chosen: chosen.as_ref(), ..request.asked.clone() };
        self.keep_without_counts(&ClassifyRequest { asked, ..*request }, &result);
        let problem = Problem::new(request.asked.model, request.invariant);
        let options = Options { mode: Mode::Cover, lengths: result.lengths, ..self.options.clone() };
        let mut line = self.line();
        let reach = self.args.reach();
        let reach = reach.map(|reach| Reach { start: Some(result.lengths.bound()), ..reach });
        // A solver that fails now leaves the result without a cover.
        let Ok(mut cover) = self.classified(problem, &vocabulary, &options, reach, &mut line) else {
            return ClassifyResult { vocabulary, chosen, result };
        };
        self.look_beyond(problem, &vocabulary, &mut cover);
        ClassifyResult { vocabulary, chosen, result: result.covered_by(cover) }
    }

    /// The classification with the vocabulary that is best for it.
    fn choose(&self, request: &ClassifyRequest<'_>, line: &mut ProgressLine<'_>) -> ClassifyResult {
        let mut keep = |trial: &Trial, chosen: &ChoiceSummary| {
            let vocabulary = Vocabulary { name: AUTO.to_owned(), ..trial.candidate.vocabulary.clone() };
            let asked =
                CommonRequest { vocabulary: &vocabulary, chosen: Some(chosen), ..request.asked.clone() };
            let request = ClassifyRequest { asked, ..*request };
            self.keep_without_counts(&request, &trial.result);
        };
        let clock = Instant::now();
        let mut choice =
            choose(&self.question(request), lassos::effort(self.args), self.budget, line, &mut keep);
        let statistics = &mut choice.result.statistics;
        statistics.add_vocabularies(clock.elapsed().saturating_sub(statistics.without_vocabularies()));
        let chosen = choice.chosen();
        let span = request.asked.property.span;
        let vocabulary = Vocabulary { span, ..choice.candidate.vocabulary };
        ClassifyResult { vocabulary, chosen: Some(chosen), result: choice.result }
    }

    /// The request for a comparison of vocabularies.
    fn question<'q>(&'q self, request: &'q ClassifyRequest<'_>) -> TrialQuestion<'q> {
        TrialQuestion {
            problem: Problem::new(request.asked.model, request.invariant),
            options: self.options,
            reach: self.args.reach(),
            prefer: &self.args.prefer,
            hide: &self.args.hide,
        }
    }

    /// Additions to a vocabulary that is too weak. They take half of what is left of the time; without a limit of time, and with models of
    /// protocols, which have large states, at most as long as the classification took, or five seconds.
    fn repairs(&self, request: &ClassifyRequest<'_>, result: &Classification) -> Option<Repairs> {
        let Verdict::TooWeak(weak) = &result.verdict else { return None };
        let taken = result.statistics.without_vocabularies();
        let budget = match self.args.run.limits.timeout {
            Some(_) => self.budget.share(2),
            None => self.budget.clone(),
        };
        let is_brief = self.args.run.limits.timeout.is_none() || is_protocol(Path::new(request.asked.file));
        let budget = if is_brief { budget.at_most(lassos::time_for_repairs(taken)) } else { budget };
        let options =
            Options { lengths: result.lengths, necessity: Necessity::Unasked, ..self.options.clone() };
        let question = TrialQuestion { options: &options, ..self.question(request) };
        let mut line = self.line();
        Some(repairs(
            &question,
            request.asked.vocabulary,
            weak,
            lassos::effort(self.args),
            &budget,
            &mut line,
        ))
    }

    /// Looks at traces beyond the bound. If none were asked for, that may take a tenth of the time that the classification took.
    /// Where classes depend on the bound, others are looked for as long as the classification took, or two seconds.
    fn look_beyond(&self, problem: Problem<'_>, vocabulary: &Vocabulary, result: &mut Classification) {
        let bound = result.lengths.bound();
        let usual = BeyondBound::than(bound);
        let farther = BeyondBound { steps: self.args.horizon.unwrap_or(usual.steps), ..usual };
        if farther.steps <= bound {
            return;
        }
        let taken = result.statistics.without_vocabularies();
        let budget = match self.args.horizon {
            Some(_) => self.budget.clone(),
            None => self.budget.at_most((taken / 10).max(Duration::from_millis(500))),
        };
        if result.look_beyond(problem, self.options, farther, &budget).is_err() {
            result.horizon_missed = Some(farther.steps);
        }
        let budget = match self.args.horizon {
            Some(_) => budget,
            None => self.budget.at_most(taken.max(Duration::from_secs(2))),
        };
        let mut line = self.line();
        // If the budget ends, the marks stay.
        let _ = result.prefer_lasting(problem, vocabulary, self.options, farther, &budget, &mut line);
    }

    /// An addition to the vocabulary with which there are fewer classes. That is tried for a third of the time that the
    /// classification took, a tenth of a second at least: mostly it takes much less, so that a machine which is a little slower says the
    /// same.
    fn fewer(&self, request: &ClassifyRequest<'_>, result: &Classification) -> Option<Repair> {
        if request.asked.chosen.is_some() {
            return None;
        }
        let taken = result.statistics.without_vocabularies();
        let budget = self.budget.at_most((taken / 3).max(Duration::from_millis(100)));
        let mut line = self.line();
        fewer(&self.question(request), request.asked.vocabulary, result, &budget, &mut line)
    }

    /// Predicates to hide so that no class restates the property. The search takes as long as the classification did, a tenth of a
    /// second at least and ten seconds at most.
    fn worth_hiding(&self, request: &ClassifyRequest<'_>, result: &Classification) -> Vec<String> {
        let problem = Problem::new(request.asked.model, request.invariant);
        let taken = result.statistics.without_vocabularies();
        let patience = taken.clamp(Duration::from_millis(100), Duration::from_secs(10));
        let budget = self.budget.share(4).at_most(patience);
        names_to_hide(problem, request.asked.vocabulary, result, self.options, &budget)
    }

    /// Leaves the watchdog what is known during the search: nothing, or that there is a violation.
    fn keep_undecided(&self, request: &ClassifyRequest<'_>) {
        let Self { args, options, console, .. } = self;
        let without_classes = |verdict| Classification {
            cover: (args.cover || args.within.is_some()).then(Cover::default),
            ..Classification::new(verdict, options.lengths, options.backend.to_string())
        };
        let undecided = |why| without_classes(Verdict::Undecided { why, depth: 0 });
        let violated = |why| without_classes(Verdict::Partial(Why::Exhausted(why)));
        let watchdog = console.watchdog();
        watchdog.keep(KnownResult::new(|why| known(args, request, &undecided(why))));
        watchdog.keep_if_violated(KnownResult::new(|why| known(args, request, &violated(why))));
    }

    /// Leaves the watchdog a result whose traces have not been counted.
    fn keep_without_counts(&self, request: &ClassifyRequest<'_>, result: &Classification) {
        let Self { args, console, .. } = self;
        let without_counts = |why: Exhausted| {
            let mut result = result.clone();
            result.counts = args.count.then_some(Err(Obstacle::Budget(why)));
            known(args, request, &result.gathered())
        };
        console.watchdog().keep(KnownResult::new(without_counts));
    }
}

/// Findings of searches with other vocabularies.
struct Hints {
    /// Predicates to hide so that no class restates the property.
    to_hide: Vec<String>,
    /// An addition with which there are fewer classes.
    addition: Option<Repair>,
}

fn known(args: &ClassifyArgs, request: &ClassifyRequest<'_>, result: &Classification) -> PartialResult {
    PartialResult {
        exit: exit(args, request, result),
        text: result_view(request, result).terminal(args.brief),
        document: serde_json::to_value(classify_document(request, result)).unwrap_or_default(),
    }
}

/// Writes the files of `--out`.
fn write_files(
    out: &NewFolder,
    request: &ClassifyRequest<'_>,
    result: &Classification,
    document: &str,
) -> Result<(), UsageError> {
    let model = request.asked.model;
    out.write_traces(result, |trace| to_itf(model, trace))?;
    if let Some(diagram) = model.diagrams.first() {
        for (number, class) in (1..).zip(&result.classes) {
            let diagram = sequence_diagram(model, diagram, &class.representative);
            out.write(&format!("class-{number}.mmd"), &diagram)?;
        }
    }
    out.write("report.html", &result_view(request, result).page())?;
    out.write("classes.json", document)
}
