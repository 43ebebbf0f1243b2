//! `classify` of properties of linear time: the classes of infinite counterexamples.

use super::args::{ClassifyArgs, Engine};
use super::console::Console;
use super::exit::Exit;
use super::out_dir::OutDir;
use super::progress::ProgressLine;
use super::refusal::Refusal;
use super::rerun;
use super::settings::{self, Opened, Wanted};
use super::watchdog::{Known, KnownResult};
use cladist::budget::Exhausted;
use cladist::classify::lassos::{
    LassoClassification, LassoOptions, LassoProblem, LassoVerdict, classify_every_lasso, classify_lassos,
    usable,
};
use cladist::diagnostics::{Diagnostic, Severity};
use cladist::ltl::Fairness;
use cladist::model::expr::Formula;
use cladist::model::{Model, Property, PropertyKind, Vocabulary};
use cladist::report::{LassoRequest, lasso_classification_text, lasso_document, lasso_page, to_json};
use cladist::trace::lasso_to_itf;

/// Classes suffice for lassos of at least so many steps more than the bound, unless a horizon is given.
const LEAST_FARTHER: usize = 6;

/// The property that was asked for, if it is one of linear time that finite traces cannot violate.
pub fn asked<'m>(args: &ClassifyArgs, model: &'m Model) -> Option<(&'m Property, &'m Formula)> {
    let name = args.property.as_deref()?;
    let property = model.properties.iter().find(|property| property.name == name)?;
    match &property.kind {
        PropertyKind::Ltl(formula) if property.invariant().is_none() => Some((property, formula)),
        _ => None,
    }
}

/// Classifies the infinite counterexamples of a property.
pub fn run(
    args: &ClassifyArgs,
    opened: &Opened,
    (property, formula): (&Property, &Formula),
    console: &Console,
) -> Result<Exit, Refusal> {
    let Opened { budget, model, warnings } = opened;
    let refuse = |diagnostics| Refusal { diagnostics, sources: model.sources.clone() };
    refuse_options(args).map_err(|error| refuse(vec![error]))?;
    let wanted = settings::vocabulary(model, &property.name, args.vocabulary.as_deref());
    let Wanted::Declared(whole) = wanted.map_err(|error| refuse(vec![error]))? else {
        let error = Diagnostic::error_without_place("no vocabulary is found for infinite traces");
        let help = "declare one, `vocabulary v = { eq(action) };`, and ask for it with `-V v`";
        return Err(refuse(vec![error.with_help(help)]));
    };
    let (usable_part, notices) = part_of(model, &settings::with_individuals(whole, &args.ground));
    let (vocabulary, preference) =
        settings::vocabulary_part(model, &usable_part, &args.prefer, &args.hide).map_err(refuse)?;
    console.diagnose(&notices, &model.sources);
    let warnings: Vec<Diagnostic> = warnings.iter().cloned().chain(notices).collect();
    let fairness = if args.ignore_fairness { Vec::new() } else { Fairness::of_model(model) };
    let backend = args.engine.solver.backend();
    let bound = args.lengths().bound().max(1);
    let options = LassoOptions {
        bound,
        horizon: args.horizon.map_or(bound + (bound / 2).max(LEAST_FARTHER), |horizon| horizon.max(bound)),
        max_classes: args.max_classes,
        preference,
        grounding: settings::grounding(model, &args.ground).map_err(refuse)?,
        backend,
        check_backend: if args.verify { args.engine.solver.other() } else { backend },
        seed: args.seed,
    };
    let out = match &args.output.out {
        Some(path) => Some(OutDir::create(path, console.watchdog())?),
        None => None,
    };
    let rerun = rerun::classify(args, &property.name, &whole.name, &[]);
    let request = LassoRequest {
        model,
        file: &args.model.to_string_lossy(),
        property,
        vocabulary: &vocabulary,
        fairness: fairness.len(),
        ignore_fairness: args.ignore_fairness,
        prefer: &args.prefer,
        hide: &args.hide,
        ground: &args.ground,
        seed: args.seed,
        warnings: &warnings,
        rerun: &rerun,
        view: settings::view(&args.view, model, None, console)?,
    };
    keep_undecided(args, &request, (options.bound, options.horizon), console);
    let problem = LassoProblem { model, formula, fairness: &fairness };
    let mut line = ProgressLine::new(console);
    let result = match args.unbounded {
        true => classify_every_lasso(problem, &vocabulary, &options, args.max_states, budget, &mut line),
        false => classify_lassos(problem, &vocabulary, &options, budget, &mut line),
    };
    drop(line);
    if !args.output.json {
        console.print(&lasso_classification_text(&request, &result, args.brief))?;
    }
    let request = LassoRequest { view: settings::without_colour(&request.view), ..request };
    let document = to_json(&lasso_document(&request, &result));
    if let Some(out) = &out {
        write_files(out, &request, &result, &document)?;
    }
    if args.output.json {
        console.print(&document)?;
    }
    Ok(Exit::from(&result).with_exit_zero(args.output.exit_zero))
}

/// What is not asked of infinite traces.
fn refuse_options(args: &ClassifyArgs) -> Result<(), Diagnostic> {
    let asked = [
        (args.exact, "--exact"),
        (args.count, "--count"),
        (args.cover, "--cover"),
        (args.environment.is_some(), "--environment"),
        (args.within.is_some(), "--within"),
        (args.tree.is_some(), "--tree"),
        (args.necessary, "--necessary"),
        (args.start_with.is_some(), "--start-with"),
        (args.keep_redundant, "--keep-redundant"),
        (args.output.proofs.is_some(), "--proofs"),
        (matches!(args.engine.solver, Engine::Smt(_)), "an SMT solver"),
    ];
    let asked: Vec<&str> =
        asked.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, what)| what).collect();
    if asked.is_empty() {
        return Ok(());
    }
    let message = format!("infinite counterexamples cannot be classified with {}", asked.join(", "));
    Err(Diagnostic::error_without_place(message).with_help("leave that out, or classify an invariant"))
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
        format!("not used, as facts of infinite traces are about one position each: {}", names.join(", "));
    let error = Diagnostic::error_without_place(message);
    (part, vec![Diagnostic { severity: Severity::Warning, ..error }])
}

/// Leaves the watchdog what is known during the search: nothing, or that there is a violation.
fn keep_undecided(
    args: &ClassifyArgs,
    request: &LassoRequest<'_>,
    bounds: (usize, usize),
    console: &Console,
) {
    let known = |verdict| {
        let result = LassoClassification::new(verdict, bounds, args.engine.solver.name());
        Known {
            exit: Exit::from(&result).with_exit_zero(args.output.exit_zero),
            text: lasso_classification_text(request, &result, args.brief),
            document: serde_json::to_value(lasso_document(request, &result)).unwrap_or_default(),
        }
    };
    let watchdog = console.watchdog();
    watchdog.keep(KnownResult::new(|why: Exhausted| known(LassoVerdict::Undecided(why))));
    watchdog.keep_if_violated(KnownResult::new(|why: Exhausted| known(LassoVerdict::Exhausted(why))));
}

/// Writes the files of `--out`, `classes.json` last: once it is there, so are the files it mentions.
fn write_files(
    out: &OutDir,
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    document: &str,
) -> Result<(), Refusal> {
    let model = request.model;
    for (index, class) in result.classes.iter().enumerate() {
        out.write(&format!("class-{}.itf.json", index + 1), &lasso_to_itf(model, &class.representative))?;
    }
    out.remove_classes_after(result.classes.len())?;
    let pair = match &result.verdict {
        LassoVerdict::TooWeak(pair) => Some(pair),
        _ => None,
    };
    let others = [
        ("unclassified", result.unclassified.as_ref()),
        ("remainder", None),
        ("too-weak-violation", pair.map(|pair| &pair.violating)),
        ("too-weak-accepted", pair.map(|pair| &pair.accepting)),
    ];
    for (name, lasso) in others {
        let name = format!("{name}.itf.json");
        match lasso {
            Some(lasso) => out.write(&name, &lasso_to_itf(model, lasso))?,
            None => out.remove(&name)?,
        }
    }
    out.write("report.html", &lasso_page(request, result))?;
    out.write("classes.json", document)
}
