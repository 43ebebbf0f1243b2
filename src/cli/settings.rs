//! The meaning of the arguments: limits, and names looked up in the model.

use super::args::{ClassifyArgs, RunArgs, ViewArgs};
use super::console::Console;
use super::limits::CommandLimits;
use super::protocol_args::ProtocolArgs;
use super::refusal::UsageError;
use super::{input, interrupt, progress};
use cladist::budget::{Budget, cpu_seconds, usual_limit};
use cladist::classify::predicates::trivial::TrivialSearch;
use cladist::classify::{Grounding, Mode, Necessity, Options, Preference};
use cladist::diagnostics::{Diagnostic, find_name, unknown_name};
use cladist::model::expr::{Expr, VarId};
use cladist::model::types::Type;
use cladist::model::{self, Model, PredicateId, Property, PropertyKind, Vocabulary, VocabularyItem};
use cladist::protocol::{Charts, is_protocol};
use cladist::readers::ForeignLanguage;
use cladist::report::checks::check_text::quoted;
use cladist::report::{
    DisplayOptions, Paint, Wording, dead_end_notice, no_trace_notice, trivial_notices, vacuity_notices,
};
use cladist::sat::Backend;
use cladist::smt_solver::{NoAnswer, SmtSolver};
use cladist::unroll::{self, BoundedResult, Lengths};
use cladist::vocabulary::{self, AUTO};
use kit::number::to_u32;
use std::path::Path;
use std::time::Duration;

/// Returns the budget of an engine; see [`limits`].
pub fn budget(args: &RunArgs) -> (Budget, Vec<Diagnostic>) {
    limits(args.limits())
}

/// Returns the budget of a run, which Ctrl-C and SIGTERM interrupt from now on, with warnings about limits that have no
/// effect on this system.
pub fn limits(CommandLimits { timeout, memory, threads }: CommandLimits) -> (Budget, Vec<Diagnostic>) {
    let mut budget = Budget::unlimited().with_interrupt_flag(interrupt::flag());
    let mut doubts = Vec::new();
    if let Some(time) = timeout {
        budget = budget.with_timeout(time);
    }
    if let Some(bytes) = memory.or_else(usual_limit) {
        budget = budget.with_memory(bytes);
        if memory.is_some() && !Budget::memory_is_measurable() {
            let message = "--memory has no effect: this system does not report how much memory is used";
            doubts.push(Diagnostic::warning_without_place(message));
        }
    }
    if let Some(threads) = threads {
        budget = budget.with_threads(threads);
    }
    (budget.until_exit(), doubts)
}

/// A loaded model of a command.
pub struct Opened {
    pub budget: Budget,
    pub model: Model,
    /// Warnings about the model or the limits.
    pub warnings: Vec<Diagnostic>,
}

/// Loads the model of a command within its limits, and prints warnings.
///
/// # Errors
/// The errors in the model.
pub fn open(
    file: &Path,
    protocol: &ProtocolArgs,
    args: &RunArgs,
    console: &Console,
) -> Result<Opened, UsageError> {
    let (budget, doubts) = budget(args);
    let budget = budget.watched(progress::stages(console));
    console.diagnose(&doubts, &Default::default());
    let (model, mut warnings) = input::load_settled(file, protocol, &args.loading.options(&budget), console)?;
    warnings.extend(doubts);
    Ok(Opened { budget, model, warnings })
}

/// The steps of the search for actions that never happen, without a bound.
pub const FEW_STEPS: usize = 8;

/// Returns notices about actions that never happen within the bound of the command. The search is for at most 30 steps
/// (8 without a bound), and takes as long as the answer did, at least half a second and at most 10 seconds.
pub fn vacuity(
    model: &Model,
    lengths: Option<Lengths>,
    backend: Backend,
    budget: &Budget,
) -> Vec<Diagnostic> {
    const ENOUGH: usize = 30;
    const LEAST: Duration = Duration::from_millis(500);
    const MOST: Duration = Duration::from_secs(10);
    if budget.exhausted().is_some() {
        return Vec::new();
    }
    let taken = cpu_seconds().map_or(MOST, Duration::from_secs_f64);
    let budget = &budget.at_most(MOST).at_most_work(taken.clamp(LEAST, MOST));
    let bound = lengths.map_or(FEW_STEPS, Lengths::bound).min(ENOUGH);
    let mut notices = vacuity_notices(model, &unroll::vacuity(model, bound, backend, budget), bound);
    if let Some(lengths @ Lengths::Exactly(_)) = lengths
        && unroll::exists(model, lengths, backend, budget) == Some(false)
    {
        notices.push(no_trace_notice(lengths));
    }
    notices
}

/// Returns warnings about predicates of the model's vocabularies that do not distinguish traces of up to `bound` steps,
/// as far as that is found in a few seconds.
pub fn tell_nothing(model: &Model, bound: usize, backend: Backend, budget: &Budget) -> Vec<Diagnostic> {
    const PATIENCE: Duration = Duration::from_secs(5);
    let items = items_without_fates(model, &model.vocabularies);
    let budget = &budget.at_most(PATIENCE);
    let found = TrivialSearch { model, items: &items, bound, backend, budget }.run();
    let mut notices = trivial_notices(model, &found);
    if found.ended.is_some() {
        let message = "the search for predicates that hold in no trace, or in every one, did not finish";
        notices.push(Diagnostic::note_without_place(message));
    }
    notices
}

/// Returns warnings about predicates of a vocabulary that hold everywhere in all traces of up to `bound` steps, as far
/// as that is found at once.
pub fn hold_everywhere(
    model: &Model,
    vocabulary: &Vocabulary,
    bound: usize,
    backend: Backend,
    budget: &Budget,
) -> Vec<Diagnostic> {
    const PATIENCE: Duration = Duration::from_secs(1);
    let items = items_without_fates(model, std::slice::from_ref(vocabulary));
    let budget = &budget.at_most(PATIENCE);
    trivial_notices(model, &TrivialSearch { model, items: &items, bound, backend, budget }.everywhere())
}

fn items_without_fates(model: &Model, vocabularies: &[Vocabulary]) -> Vec<VocabularyItem> {
    let items = vocabularies.iter().flat_map(|vocabulary| &vocabulary.items);
    items.filter(|item| !is_of_fates(model, item)).cloned().collect()
}

/// True for the words for fates, whose predicates are undefined before fates are known.
fn is_of_fates(model: &Model, item: &VocabularyItem) -> bool {
    matches!(item, VocabularyItem::Predicate(id, _) if model.fates.iter().any(|of| of.predicate == *id))
}

/// Returns the notice about a violation that no trace of an exact length has, because it is in a shorter trace that
/// cannot be extended to that length. `None` also if the budget ends first.
pub fn dead_end(
    model: &Model,
    property: &Property,
    lengths: Lengths,
    backend: Backend,
    budget: &Budget,
) -> Option<Diagnostic> {
    let (Lengths::Exactly(bound), Some(invariant)) = (lengths, property.invariant()) else { return None };
    match unroll::check(model, invariant, Lengths::UpTo(bound), backend, budget, &mut ()) {
        BoundedResult::Violated(trace) => Some(dead_end_notice(property, trace.len(), lengths)),
        BoundedResult::Holds | BoundedResult::Undecided { .. } => None,
    }
}

/// Returns the options for showing traces, with expressions and names looked up in the model.
pub fn display(
    args: &ViewArgs,
    model: &Model,
    charts: Option<Charts>,
    console: &Console,
) -> Result<DisplayOptions, UsageError> {
    let variables: Vec<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
    let hidden = args
        .omit
        .iter()
        .map(|name| find_name("variable", name, &variables).map(|index| VarId(to_u32(index))));
    Ok(DisplayOptions {
        only: None,
        full: args.full,
        shown: args.show.iter().map(|text| input::show_expression(model, text)).collect::<Result<_, _>>()?,
        hidden: hidden.collect::<Result<_, _>>()?,
        width: console.width(),
        paint: console.paint(),
        charts,
        wording: Wording::default(),
    })
}

/// Returns the view without colours, for files and documents.
pub fn without_colour(display: &DisplayOptions) -> DisplayOptions {
    DisplayOptions { paint: Paint::default(), ..display.clone() }
}

/// Returns the property with this name, of any kind.
pub fn property<'a>(model: &'a Model, name: &str) -> Result<&'a Property, Diagnostic> {
    let names: Vec<&str> = model.properties.iter().map(|p| p.name.as_str()).collect();
    Ok(&model.properties[find_name("property", name, &names)?])
}

/// Returns the invariant with this name, or the first one.
pub fn invariant<'a>(model: &'a Model, name: Option<&str>) -> Result<(&'a Property, &'a Expr), Diagnostic> {
    let with_formula = |p: &'a Property| p.invariant().map(|formula| (p, formula));
    let Some(name) = name else {
        return model.properties.iter().find_map(with_formula).ok_or_else(|| {
            let error = Diagnostic::error_without_place(format!("model {} has no invariant", model.name));
            let any = |fits: fn(&&Property) -> bool| model.properties.iter().find(fits);
            if let Some(linear) = any(|p| matches!(p.kind, PropertyKind::Ltl(_))) {
                return error.with_help(of_linear_time(&linear.name));
            }
            let error = error.with_help(format!("add one: {}", invariant_syntax(model)));
            match any(|p| matches!(p.kind, PropertyKind::Ctl(_))) {
                Some(branching) => {
                    let command = command_about("ctl", model, &branching.name);
                    error.with_note(format!("`{command}` decides a property of ctl"))
                }
                None => error,
            }
        });
    };
    let Some(property) = model.properties.iter().find(|p| p.name == name) else {
        let names: Vec<&str> =
            model.properties.iter().filter_map(with_formula).map(|(p, _)| p.name.as_str()).collect();
        return Err(unknown_name("invariant", name, &names));
    };
    with_formula(property).ok_or_else(|| wrong_kind(model, property, false))
}

/// The syntax of invariants in the file that a model was read from.
fn invariant_syntax(model: &Model) -> &'static str {
    let path = model::written_from(model).map(Path::new);
    match path.and_then(ForeignLanguage::of) {
        Some(ForeignLanguage::Smv) => "`INVARSPEC NAME name := formula;`",
        Some(ForeignLanguage::Promela) => "`assert(formula)` at a place of the program",
        Some(ForeignLanguage::Tla) => "`INVARIANT Name` in the .cfg beside the module",
        Some(ForeignLanguage::Quint) => "`quint compile --invariant NAME …`",
        Some(ForeignLanguage::Btor2) => "a line `bad`",
        Some(ForeignLanguage::Aiger) => "a bad state, in the section B of the circuit",
        None if path.is_some_and(is_protocol) => "`claim(I, Secret, t);` in role I, or another claim",
        None => "`invariant name: formula;`",
    }
}

/// The error if a command takes invariants, and where `and_linear` properties of linear time, and this one is neither.
pub fn wrong_kind(model: &Model, property: &Property, and_linear: bool) -> Diagnostic {
    let name = &property.name;
    let (logic, help) = match property.kind {
        PropertyKind::Ctl(_) => ("a ctl", format!("`{}` decides it", command_about("ctl", model, name))),
        _ => ("an ltl", of_linear_time(name)),
    };
    let taken = if and_linear { "invariants and properties of ltl" } else { "invariants" };
    let message = format!("property `{name}` is {logic} property, and this command takes {taken}");
    let list = |what: &str, all: Vec<&str>| match all.as_slice() {
        [] => format!("the model has no {what}"),
        names => format!("{what}: {}", names.join(", ")),
    };
    let named = |fits: fn(&Property) -> bool| {
        model.properties.iter().filter(|p| fits(p)).map(|p| p.name.as_str()).collect()
    };
    let error = Diagnostic::error(property.span, message).with_help(help);
    let error = error.with_note(list("invariants", named(|p| p.invariant().is_some())));
    match and_linear {
        true => error.with_note(list("properties of ltl", named(|p| p.linear().is_some()))),
        false => error,
    }
}

/// Returns a command about a property of a model, as it is typed.
pub fn command_about(command: &str, model: &Model, property: &str) -> String {
    format!("cladist {command} {} -p {}", quoted(model::file_of(model)), quoted(property))
}

/// Returns advice for a linear-time property.
fn of_linear_time(name: &str) -> String {
    format!("`check` decides `{name}`, and `classify -p {name} -V auto` classifies its violations")
}

#[derive(Debug, Clone, Copy)]
pub enum RequestedVocabulary<'a> {
    /// A vocabulary of the model.
    Declared(&'a Vocabulary),
    /// A vocabulary that the program is to find.
    Auto,
}

impl RequestedVocabulary<'_> {
    pub fn name(&self) -> &str {
        match self {
            Self::Declared(vocabulary) => &vocabulary.name,
            Self::Auto => AUTO,
        }
    }
}

/// Returns the vocabulary with this name; if none is given, the one with the name of the property, or the first one.
/// `auto` if the model has none of this name, or none at all.
pub fn vocabulary<'a>(
    model: &'a Model,
    property: &str,
    name: Option<&str>,
) -> Result<RequestedVocabulary<'a>, Diagnostic> {
    let names: Vec<&str> = model.vocabularies.iter().map(|v| v.name.as_str()).chain([AUTO]).collect();
    let own = || Ok(model.vocabulary(property).unwrap_or(0));
    let index = name.map_or_else(own, |name| find_name("vocabulary", name, &names))?;
    Ok(model.vocabularies.get(index).map_or(RequestedVocabulary::Auto, RequestedVocabulary::Declared))
}

/// Returns the vocabulary without its hidden parts, and the preferred ones of the rest.
///
/// # Errors
/// All unknown names, and all that are both preferred and hidden.
fn vocabulary_part(
    model: &Model,
    vocabulary: &Vocabulary,
    prefer: &[String],
    hide: &[String],
) -> Result<(Vocabulary, Preference), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let known = vocabulary.names(model);
    let mut meant = |name: &String| {
        let items = vocabulary.meant_by(model, name);
        if items.is_empty() {
            errors.extend(find_name("observable or predicate", name.trim(), &known).err());
        }
        items
    };
    let hidden: Vec<usize> = hide.iter().flat_map(&mut meant).collect();
    let preferred: Vec<(&String, Vec<usize>)> = prefer.iter().map(|name| (name, meant(name))).collect();
    for (name, items) in &preferred {
        if !items.is_empty() && items.iter().all(|item| hidden.contains(item)) {
            let message = format!("`{}` cannot be preferred, because it is hidden", name.trim());
            errors.push(
                Diagnostic::error_without_place(message).with_help("leave it out of --prefer or --hide"),
            );
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let kept = (0..vocabulary.items.len()).filter(|item| !hidden.contains(item));
    let is_preferred = |item: &usize| preferred.iter().any(|(_, items)| items.contains(item));
    let items = kept.enumerate().filter(|(_, item)| is_preferred(item)).map(|(index, _)| index).collect();
    Ok((vocabulary.without(&hidden), Preference { items }))
}

/// Returns the vocabulary, without its grounding of types if `--ground none` was given.
pub fn with_individuals(vocabulary: &Vocabulary, names: &[String]) -> Vocabulary {
    let is_none = matches!(names, [only] if only.trim() == "none");
    let marks = |(_, item): &(usize, &VocabularyItem)| matches!(item, VocabularyItem::Ground(_));
    let marks: Vec<usize> = match is_none {
        true => vocabulary.items.iter().enumerate().filter(marks).map(|(index, _)| index).collect(),
        false => Vec::new(),
    };
    vocabulary.without(&marks)
}

/// Resolves the options that classifications of finite and of infinite traces have: the vocabulary without what is hidden, and the rest.
///
/// # Errors
/// All unknown names.
pub fn classification(
    args: &ClassifyArgs,
    model: &Model,
    whole: &Vocabulary,
) -> Result<(Vocabulary, Options), Vec<Diagnostic>> {
    let part = vocabulary_part(model, whole, &args.prefer, &args.hide);
    let ((vocabulary, preference), grounding) = match (part, grounding(model, &args.ground)) {
        (Ok(part), Ok(grounding)) => (part, grounding),
        (part, grounding) => return Err(part.err().into_iter().chain(grounding.err()).flatten().collect()),
    };
    let backend = args.engine.solver.backend();
    let options = Options {
        lengths: args.lengths(),
        mode: if args.cover { Mode::Cover } else { Mode::Sufficient },
        keep_redundant: args.keep_redundant,
        max_classes: args.max_classes,
        preference,
        grounding,
        necessity: if args.necessary { Necessity::Full } else { Necessity::Brief },
        seed: args.seed,
        backend,
        check_backend: if args.verify { args.engine.solver.other() } else { backend },
        ..Options::default()
    };
    Ok((vocabulary, options))
}

/// Returns the types to ground, from their names; `all` stands for every type, `none` for none.
///
/// # Errors
/// All unknown names.
pub fn grounding(model: &Model, names: &[String]) -> Result<Grounding, Vec<Diagnostic>> {
    if let [only] = names
        && only.trim() == "none"
    {
        return Ok(Grounding::Nothing);
    }
    if names.iter().any(|name| name.trim() == "all") {
        return Ok(Grounding::Everything);
    }
    let liftable = Grounding::liftable(model);
    let known: Vec<String> = liftable.iter().map(|ty| model.types.name(ty)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).chain(["all", "none"]).collect();
    let (mut types, mut errors) = (Vec::new(), Vec::new());
    for name in names {
        match find_name("type of individuals", name.trim(), &known) {
            Ok(index) => match liftable.get(index) {
                Some(ty) => types.push(ty.clone()),
                None => errors.push(
                    Diagnostic::error_without_place("`none` excludes the types beside it")
                        .with_help("`--ground none` stands alone"),
                ),
            },
            Err(error) => errors.push(error),
        }
    }
    match types.as_slice() {
        _ if !errors.is_empty() => Err(errors),
        [] => Ok(Grounding::Nothing),
        _ => Ok(Grounding::Types(types)),
    }
}

/// Adds predicates for the conditions under which steps break the named invariant, or the first one.
pub fn declare_conditions(model: &mut Model, property: Option<&str>) {
    if let Ok((_, invariant)) = invariant(model, property) {
        let invariant = invariant.clone();
        vocabulary::declare_conditions(model, &invariant);
    }
}

/// Returns the predicate with this name, all of whose parameters must be positions.
pub fn predicate(model: &Model, name: &str) -> Result<PredicateId, Diagnostic> {
    let declared = model.predicates.iter().filter(|predicate| predicate.added.is_none());
    let names: Vec<&str> = declared.map(|predicate| predicate.name.as_str()).collect();
    let index = find_name("predicate", name, &names)?;
    let predicate = &model.predicates[index];
    if predicate.params.iter().any(|p| p.ty != Type::Pos) {
        let message = format!("predicate `{name}` has parameters that are not positions");
        return Err(Diagnostic::error(predicate.span, message)
            .with_help("wrap it in a predicate whose parameters are all positions"));
    }
    Ok(PredicateId(to_u32(index)))
}

/// Returns the error that an SMT solver does not answer.
pub fn no_answer(solver: &SmtSolver, why: &NoAnswer) -> Diagnostic {
    let message = format!("no answer from `{}`: {why}", solver.name());
    let help = "write `cadical`, `varisat`, or the command of an SMT solver that reads a script from standard input: 'z3 -in'";
    Diagnostic::error_without_place(message).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use cladist::diagnostics::Span;
    use cladist::model::Observable;
    use std::collections::BTreeSet;

    #[test]
    fn unknown_names_of_the_vocabulary_are_all_reported() {
        let model = fixture::model();
        let item = |text: &str| {
            let (expr, span) = (Expr::bool(true, Span::default()), Span::default());
            VocabularyItem::Equal(Observable { text: text.to_owned(), expr, span })
        };
        let items = vec![item("state[A]"), item("state[B]"), VocabularyItem::Before, item("turn")];
        let vocabulary = Vocabulary { items, ..model.vocabularies[0].clone() };
        let names = |list: &[&str]| -> Vec<String> { list.iter().map(ToString::to_string).collect() };
        let part = |prefer: &[&str], hide: &[&str]| {
            vocabulary_part(&model, &vocabulary, &names(prefer), &names(hide))
        };
        let errors = part(&["sate[A]"], &["rubbish", "turn", "stat"]).expect_err("they are unknown");
        let helps: Vec<_> = errors.iter().map(|e| e.help.as_deref()).collect();
        assert_eq!(helps, [None, Some("did you mean `state`?"), Some("did you mean `state[A]`?")]);
        assert_eq!(part(&["turn"], &["turn"]).expect_err("both").len(), 1);
        let (left, preference) = part(&["turn"], &[" state "]).expect("they are known");
        assert_eq!(left.items, [VocabularyItem::Before, item("turn")]);
        assert_eq!(preference.items, BTreeSet::from([1]));
        let (left, preference) = part(&["state"], &["state[ A ]"]).expect("they are known");
        assert_eq!(left.items, [item("state[B]"), VocabularyItem::Before, item("turn")]);
        assert_eq!(preference.items, BTreeSet::from([0]));
    }

    #[test]
    fn names_default_to_the_first_and_must_exist() {
        let model = fixture::model();
        assert_eq!(invariant(&model, None).map(|(p, _)| p.name.as_str()), Ok("safe"));
        for (name, meant) in [(None, "generic"), (Some("generic"), "generic"), (Some("auto"), "auto")] {
            assert_eq!(
                vocabulary(&model, "p", name).map(|wanted| wanted.name().to_owned()),
                Ok(meant.to_owned())
            );
        }
        let bare = Model { vocabularies: Vec::new(), ..model.clone() };
        assert!(matches!(vocabulary(&bare, "p", None), Ok(RequestedVocabulary::Auto)));
        assert_eq!(predicate(&model, "msgs.replay"), Ok(PredicateId(0)));
        let unknown = [
            invariant(&model, Some("save")).map(|_| ()).expect_err("unknown"),
            vocabulary(&model, "p", Some("genric")).map(|_| ()).expect_err("unknown"),
            predicate(&model, "replay").map(|_| ()).expect_err("unknown"),
        ];
        for (error, meant) in unknown.iter().zip(["safe", "generic", "msgs.replay"]) {
            assert_eq!(error.help, Some(format!("did you mean `{meant}`?")));
        }
    }
}
