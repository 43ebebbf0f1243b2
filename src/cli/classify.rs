//! `cladist classify`: the classes of counterexamples of an invariant.

use super::args::ClassifyArgs;
use super::console::Console;
use super::exit::Exit;
use super::out_dir::OutDir;
use super::progress::ProgressLine;
use super::refusal::Refusal;
use super::watchdog::{Known, KnownResult};
use super::{input, rerun, settings, symmetric};
use cladist::budget::{Budget, Exhausted};
use cladist::classify::{
    self, Atoms, Classification, Grounding, Obstacle, Options, Preference, Problem, Statistics, Verdict, Why,
    names_to_hide,
};
use cladist::diagnostics::Diagnostic;
use cladist::model::{Model, PredicateId, Vocabulary};
use cladist::report::{
    ClassifyRequest, classification_brief, classification_text, classify_document, html_page,
    restatement_notices, silence_notices, start_notices, to_json, vocabulary_notices,
};
use cladist::trace::{sequence_diagram, to_itf};

/// Runs `cladist classify`.
pub fn run(args: &ClassifyArgs, console: &Console) -> Result<Exit, Refusal> {
    let (budget, doubts) = settings::budget(&args.run);
    console.diagnose(&doubts, &Default::default());
    let (model, mut warnings) =
        input::load(&args.model, &settings::load_options(&args.run, &budget), console)?;
    warnings.extend(doubts);
    let refuse = |d: Diagnostic| Refusal { sources: model.sources.clone(), ..Refusal::from(d) };
    let (property, invariant) = settings::invariant(&model, args.property.as_deref()).map_err(refuse)?;
    let whole = settings::vocabulary(&model, args.vocabulary.as_deref()).map_err(refuse)?;
    warnings.extend(symmetric::insist(&model, &[property], &budget, console)?);
    let Chosen { start_with, vocabulary, preference, grounding } = chosen(args, &model, whole)?;
    let (vocabulary, problem) = (&vocabulary, Problem::new(&model, invariant));
    let view = settings::view(&args.view, &model, console)?;
    let backend = args.run.solver.backend();
    let options = Options {
        lengths: args.lengths(),
        start_with,
        keep_redundant: args.keep_redundant,
        max_classes: args.max_classes,
        preference,
        grounding,
        seed: args.seed,
        backend,
        check_backend: if args.verify { args.run.solver.other().backend() } else { backend },
    };
    let out = match &args.output.out {
        Some(path) => Some(OutDir::create(path, console.watchdog())?),
        None => None,
    };
    let mut request = ClassifyRequest {
        model: &model,
        file: &args.model.to_string_lossy(),
        property,
        invariant,
        vocabulary,
        prefer: &args.prefer,
        hide: &args.hide,
        ground: &args.ground,
        seed: args.seed,
        warnings: &warnings.clone(),
        rerun: &rerun::classify(args, &property.name, &vocabulary.name, &[]),
        view,
    };
    keep_undecided(args, &request, &options, console);
    let mut result = search(args, &request, &options, &budget, console);
    keep_without_counts(args, &request, &result, console);
    if args.count {
        result.count_traces(problem, args.max_states, &budget);
    }
    let mut notices = start_notices(&model, options.start_with, &result);
    notices.extend(silence_notices(&model, &result));
    notices.extend(vocabulary_notices(vocabulary, &result));
    let to_hide = names_to_hide(problem, vocabulary, &result);
    let hiding =
        (!to_hide.is_empty()).then(|| rerun::classify(args, &property.name, &vocabulary.name, &to_hide));
    notices.extend(restatement_notices(property, vocabulary, &result, hiding.as_deref()));
    if result.verdict == Verdict::Holds {
        // A property that nothing can violate may be one of a model that can do nothing.
        notices.extend(settings::dead_end(&model, property, result.lengths, backend, &budget));
        notices.extend(settings::vacuity(&model, Some(result.lengths), backend, &budget));
    }
    console.diagnose(&notices, &model.sources);
    warnings.extend(notices);

    request.warnings = &warnings;
    if !args.output.json {
        console.print(&text(args, &request, &result))?;
    }
    request.view = settings::without_colour(&request.view);
    let document = to_json(&classify_document(&request, &result));
    if let Some(out) = &out {
        write_files(out, &request, &result, &document)?;
    }
    if args.output.json {
        console.print(&document)?;
    }
    Ok(Exit::from(&result).with_exit_zero(args.output.exit_zero))
}

/// What the user chose among predicates and observables.
struct Chosen {
    start_with: Option<PredicateId>,
    /// The vocabulary without what is hidden.
    vocabulary: Vocabulary,
    preference: Preference,
    grounding: Grounding,
}

/// Resolves the names that the user gave.
fn chosen(args: &ClassifyArgs, model: &Model, whole: &Vocabulary) -> Result<Chosen, Refusal> {
    let start_with = args.start_with.as_deref().map(|name| settings::predicate(model, name)).transpose();
    let whole = settings::with_individuals(whole, &args.ground);
    let part = settings::vocabulary_part(model, &whole, &args.prefer, &args.hide);
    match (start_with, part, settings::grounding(model, &args.ground)) {
        (Ok(start_with), Ok((vocabulary, preference)), Ok(grounding)) => {
            Ok(Chosen { start_with, vocabulary, preference, grounding })
        }
        (start_with, part, grounding) => {
            let lists = part.err().into_iter().chain(grounding.err()).flatten();
            let diagnostics = start_with.err().into_iter().chain(lists).collect();
            Err(Refusal { diagnostics, sources: model.sources.clone() })
        }
    }
}

/// The classification within the budget, without numbers of traces.
fn search(
    args: &ClassifyArgs,
    request: &ClassifyRequest<'_>,
    options: &Options,
    budget: &Budget,
    console: &Console,
) -> Classification {
    let (problem, vocabulary) = (Problem::new(request.model, request.invariant), request.vocabulary);
    let mut line = ProgressLine::new(console);
    match args.reach() {
        Some(reach) => classify::classify_unbounded(problem, vocabulary, options, reach, budget, &mut line),
        None => classify::classify(problem, vocabulary, options, budget, &mut line),
    }
}

/// Leaves the watchdog what is known during the search: nothing, or that there is a violation.
fn keep_undecided(args: &ClassifyArgs, request: &ClassifyRequest<'_>, options: &Options, console: &Console) {
    let without_classes = |verdict| Classification {
        verdict,
        lengths: options.lengths,
        classes: Vec::new(),
        atoms: Atoms::default(),
        minimum: false,
        unclassified: None,
        silent: None,
        checked_by: None,
        check_ended: None,
        start_unmatched: false,
        solver: options.backend.to_string(),
        unbounded: None,
        counts: None,
        statistics: Statistics::default(),
    };
    let undecided = |why| without_classes(Verdict::Undecided { why, depth: 0 });
    let violated = |why| without_classes(Verdict::Partial(Why::Exhausted(why)));
    let watchdog = console.watchdog();
    watchdog.keep(KnownResult::new(|why| known(args, request, &undecided(why))));
    watchdog.keep_if_violated(KnownResult::new(|why| known(args, request, &violated(why))));
}

/// Leaves the watchdog a result whose traces have not been counted.
fn keep_without_counts(
    args: &ClassifyArgs,
    request: &ClassifyRequest<'_>,
    result: &Classification,
    console: &Console,
) {
    let without_counts = |why: Exhausted| {
        let mut result = result.clone();
        result.counts = args.count.then_some(Err(Obstacle::Budget(why)));
        known(args, request, &result)
    };
    console.watchdog().keep(KnownResult::new(without_counts));
}

fn known(args: &ClassifyArgs, request: &ClassifyRequest<'_>, result: &Classification) -> Known {
    Known {
        exit: Exit::from(result).with_exit_zero(args.output.exit_zero),
        text: text(args, request, result),
        document: serde_json::to_value(classify_document(request, result)).unwrap_or_default(),
    }
}

/// The result for the terminal, as long as was asked for.
fn text(args: &ClassifyArgs, request: &ClassifyRequest<'_>, result: &Classification) -> String {
    if args.brief { classification_brief(request, result) } else { classification_text(request, result) }
}

/// Writes the files of `--out`, `classes.json` last: once it is there, so are the files it mentions.
fn write_files(
    out: &OutDir,
    request: &ClassifyRequest<'_>,
    result: &Classification,
    document: &str,
) -> Result<(), Refusal> {
    for (index, class) in result.classes.iter().enumerate() {
        let number = index + 1;
        out.write(&format!("class-{number}.itf.json"), &to_itf(request.model, &class.representative))?;
        if let Some(diagram) = request.model.diagrams.first() {
            let diagram = sequence_diagram(request.model, diagram, &class.representative);
            out.write(&format!("class-{number}.mmd"), &diagram)?;
        }
    }
    out.remove_classes_after(result.classes.len())?;
    let pair = match &result.verdict {
        Verdict::TooWeak(pair) => Some(pair),
        _ => None,
    };
    let others = [
        ("unclassified", result.unclassified.as_ref()),
        ("too-weak-violation", pair.map(|p| &p.counterexample)),
        ("too-weak-accepted", pair.map(|p| &p.accepting)),
    ];
    for (name, trace) in others {
        let name = format!("{name}.itf.json");
        match trace {
            Some(trace) => out.write(&name, &to_itf(request.model, trace))?,
            None => out.remove(&name)?,
        }
    }
    out.write("report.html", &html_page(request, result))?;
    out.write("classes.json", document)
}
