//! Findings of the engines that suggest a mistake in the input, as diagnostics; findings about vocabularies.

use crate::shared::verdict::{extent, steps};
use crate::traces::trace_text::labels_line;
use classify::vocabulary::{AUTO, Repair};
use classify::{AtomOrigin, Class, Classification, FactKind, Longer, OrderRelation, Restates, Verdict};
use import::protocol::ClaimedProperty;
use itertools::Itertools;
use kit::diagnostics::Diagnostic;
use lang::model::expr::{Expr, ExprKind};
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{
    Action, Model, PredicateId, Property, Update, UpdateValue, Vocabulary, VocabularyItem, written_from,
};
use solvers::unroll::{Lengths, Vacuity};
use std::collections::{BTreeMap, BTreeSet};

/// Warnings about actions that are never enabled, and assignments that leave their types, in traces of up to `bound`
/// steps; or that there is no initial state at all.
pub fn vacuity_notices(model: &Model, vacuity: &Vacuity, bound: usize) -> Vec<Diagnostic> {
    let mut notices = in_the_model(model, vacuity, bound);
    if written_from(model).is_some() {
        // Lines of the text of an importer are not those of its users.
        for notice in &mut notices {
            *notice = Diagnostic { span: None, related: Vec::new(), help: None, ..notice.clone() };
        }
    }
    notices
}

fn in_the_model(model: &Model, vacuity: &Vacuity, bound: usize) -> Vec<Diagnostic> {
    let within = steps(bound);
    if let Some(conflict) = &vacuity.no_initial_state {
        let message = "no state satisfies `init` and the assumptions, so every property holds";
        let mut warning = Diagnostic::warning_without_place(message);
        warning.span = conflict.first().copied().or(model.init.first().map(|e| e.span));
        for &other in conflict.iter().skip(1) {
            warning = warning.with_related(other, "this cannot hold together with it");
        }
        let help = match conflict.len() {
            1 => "this can never hold",
            _ => "change at least one of them",
        };
        return vec![warning.with_help(help)];
    }
    let mut notices = Vec::new();
    for (index, action) in model.actions.iter().enumerate() {
        let overflows = vacuity.overflows.iter().filter(|o| o.0 == index).map(|o| &action.updates[o.1]);
        let mut overflows: Vec<&Update> = overflows.collect();
        let dead = vacuity.dead_actions.contains(&index);
        if dead && is_switched_off(action) {
            continue;
        }
        // A value that is never in its type was reported when the model was loaded.
        if overflows.iter().any(|update| update.guard.is_none() && never_fits(update)) {
            continue;
        }
        overflows.retain(|update| !never_fits(update));
        let place =
            |update: &Update| format!("outside {}; such steps are disabled", model.types.show(&update.ty));
        let help = "if this is intended, exclude the value with a `require`";
        if dead {
            let message = format!("action `{}` is never enabled within {within}", action.name);
            let mut notice = Diagnostic::warning(action.span, message);
            for update in overflows {
                notice = notice
                    .with_related(update.span, format!("this value can be {}", place(update)))
                    .with_help(help);
            }
            notices.push(notice);
        } else {
            notices.extend(overflows.into_iter().map(|update| {
                let message = format!("action `{}` can assign a value {}", action.name, place(update));
                Diagnostic::warning(update.span, message).with_help(help)
            }));
        }
    }
    if vacuity.incomplete {
        notices.push(Diagnostic::note_without_place(format!(
            "the search for actions that are never enabled within {within} did not finish"
        )));
    }
    notices
}

/// The property holds for traces of these lengths only because none of those that violate it, after `after`
/// steps at the soonest, can go on for so long.
pub fn dead_end_notice(property: &Property, after: usize, lengths: Lengths) -> Diagnostic {
    let message = format!(
        "traces of {} violate `{}`, but none of them can be extended to {}",
        steps(after),
        property.name,
        extent(lengths)
    );
    Diagnostic::warning(property.span, message).with_help("leave out `--exact` to see them")
}

/// True if no assigned value is one of the place's type.
fn never_fits(update: &Update) -> bool {
    let UpdateValue::Is(value) = &update.value else { return false };
    match (value.ty.inner(), update.ty.inner()) {
        (Type::Int { lo, hi }, Type::Int { lo: least, hi: greatest }) => hi < least || greatest < lo,
        _ => false,
    }
}

/// A notice about a predicate of `--start-with` without effect, as no counterexample satisfies it, or with little, as the vocabulary
/// does not name it.
pub fn start_notices(
    model: &Model,
    (start_with, vocabulary): (Option<PredicateId>, &Vocabulary),
    result: &Classification,
) -> Vec<Diagnostic> {
    let Some(id) = start_with else { return Vec::new() };
    let predicate = &model.predicates[id.0 as usize];
    let name = &predicate.name;
    if result.start_unmatched {
        let message = format!(
            "no counterexample of {} satisfies `{name}`, so --start-with has no effect",
            extent(result.lengths)
        );
        return vec![up_to_the_violation(Diagnostic::warning(predicate.span, message), result.lengths)];
    }
    let is_named = vocabulary
        .items
        .iter()
        .any(|item| matches!(item, VocabularyItem::Predicate(named, _) if *named == id));
    if is_named || result.classes.is_empty() {
        return Vec::new();
    }
    let message = format!(
        "--start-with only examines the counterexamples with `{name}` first: it is not in vocabulary `{}`, so no class mentions it",
        vocabulary.name
    );
    vec![Diagnostic::note(predicate.span, message).with_help("add it to the vocabulary")]
}

/// A result that is complete up to its bound, and not beyond.
pub fn horizon_notices(model: &Model, property: &Property, result: &Classification) -> Vec<Diagnostic> {
    let uncovered = result.horizon.as_ref().and_then(|horizon| horizon.uncovered.as_ref());
    let warn = |longer: &Longer| {
        let message = match result.answer() {
            Verdict::Remainder => format!(
                "beyond the bound, other items of the vocabulary occur: a violating trace of {} with one of them is in \
                 no class",
                steps(longer.steps)
            ),
            _ => format!(
                "beyond the bound, there are other kinds of violation: a counterexample of {} is in no class",
                steps(longer.steps)
            ),
        };
        let help = format!(
            "raise the bound, `-k {}`, or classify traces of every length, `--unbounded`",
            longer.steps
        );
        let warning = Diagnostic::warning(property.span, message).with_help(help);
        match &longer.trace {
            Some(trace) => warning.with_note(labels_line(model, trace)),
            None => warning,
        }
    };
    uncovered.map(warn).into_iter().collect()
}

/// The vocabulary tells kinds apart that are fewer with an addition.
pub fn fewer_notice(vocabulary: &Vocabulary, result: &Classification, addition: &Repair) -> Diagnostic {
    let found = result.classes.len();
    let message = format!(
        "`{}` cannot say which individual a step is about: its {found} classes differ only by side effects",
        vocabulary.name
    );
    let fewer = match addition.rating.classes {
        1 => "one class covers all counterexamples".to_owned(),
        classes => format!("{classes} classes cover all counterexamples"),
    };
    Diagnostic::warning(vocabulary.span, message)
        .with_help(format!("with `{}` added, {fewer}", addition.text))
}

/// Says which part of a trace was meant.
fn up_to_the_violation(warning: Diagnostic, lengths: Lengths) -> Diagnostic {
    match lengths {
        Lengths::UpTo(_) => warning.with_note("a counterexample ends where it first violates the property"),
        Lengths::Exactly(_) => warning,
    }
}

/// There is no trace that a property could be violated by.
pub fn no_trace_notice(lengths: Lengths) -> Diagnostic {
    let message = format!("there is no trace of {}, so every property holds", extent(lengths));
    Diagnostic::warning_without_place(message).with_help(
        "every trace ends earlier: leave out `--exact`, or give the model a step that is always possible",
    )
}

/// No run comes to a claim, which holds for want of anything that it could be false of.
pub fn unreached_notice(claim: &ClaimedProperty, lengths: Option<Lengths>) -> Diagnostic {
    let ClaimedProperty { label, role, .. } = claim;
    let within = lengths.map_or(String::new(), |lengths| format!(" within {}", steps(lengths.bound())));
    let message = format!(
        "claim `{label}` is never reached: no run of role {role} with honest partners comes to it{within}"
    );
    let warning = Diagnostic::warning_without_place(message);
    if claim.reachability {
        return warning;
    }
    warning.with_help(match lengths {
        Some(_) => {
            "it holds for that reason alone: with more steps a run may come to it; if none does, look at what the role receives \
             and compares before it"
        }
        None => "it holds for that reason alone: check the messages that the role receives and compares before it",
    })
}

/// Predicates of the vocabulary that hold in no counterexample, as far as that was asked.
pub fn silence_notices(model: &Model, result: &Classification) -> Vec<Diagnostic> {
    let Some(silent) = &result.silent else { return Vec::new() };
    let within = extent(silent.lengths);
    let with_open_rest = |warning: Diagnostic| match silent.lengths == result.lengths {
        true => warning,
        false => warning.with_note(format!(
            "longer traces, of {}, are undecided: this search was cut short",
            extent(result.lengths)
        )),
    };
    let warn = |list: &[PredicateId], what: &str| -> Vec<Diagnostic> {
        let predicates = list.iter().map(|id| &model.predicates[id.0 as usize]);
        let message = |name: &str| format!("predicate `{name}` holds in no {what} of {within}");
        predicates.map(|p| with_open_rest(Diagnostic::warning(p.span, message(&p.name)))).collect()
    };
    let harmless = warn(&silent.harmless, "counterexample").into_iter();
    let harmless = harmless.map(|warning| up_to_the_violation(warning, silent.lengths)).collect();
    [warn(&silent.never, "trace"), harmless].concat()
}

/// True if an action of a component is impossible for the values with which it is imported: `require LOSES and …;`.
fn is_switched_off(action: &Action) -> bool {
    let never = |e: &Expr| matches!(e.kind, ExprKind::Const(Value::Bool(false)));
    action.name.contains('.') && action.requires.iter().any(never)
}

/// From so many classes on, something may be said about why there are so many.
pub const MANY: usize = 10;

/// Predicates whose addition would join classes, as far as the result shows it.
pub fn vocabulary_notices(vocabulary: &Vocabulary, result: &Classification) -> Vec<Diagnostic> {
    let mut notices = Vec::new();
    let has = |wanted: &VocabularyItem| vocabulary.items.contains(wanted);
    let is_step = |kind: FactKind| kind == FactKind::Order(OrderRelation::Next);
    let steps =
        result.classes.iter().filter(|class| class.constraint.facts.iter().any(|fact| is_step(fact.kind)));
    if has(&VocabularyItem::Next) && !has(&VocabularyItem::Before) && steps.count() > 1 {
        let message = format!(
            "vocabulary `{}` has `next` but not `before`, so each distance between two positions may need \
             a class of its own",
            vocabulary.name
        );
        notices.push(hint(vocabulary, message).with_help("add `before`"));
    }
    if result.classes.len() >= MANY {
        let message = format!("{} classes with vocabulary `{}`", result.classes.len(), vocabulary.name);
        let notice = hint(vocabulary, message).with_help(
            "a predicate that expresses what several of them have in common can join them: \
             `pred p(t: pos) = …`, listed first in the vocabulary",
        );
        notices.push(match most_varied(result) {
            Some((observable, values)) => {
                notice.with_note(format!("they distinguish {values} values of `{observable}`"))
            }
            None => notice,
        });
    }
    notices
}

/// The observable of which the classes name the most values, if it is more than two, and how many.
fn most_varied(result: &Classification) -> Option<(String, usize)> {
    let mut values: BTreeMap<String, BTreeSet<_>> = BTreeMap::new();
    for fact in result.classes.iter().flat_map(|class| &class.constraint.facts) {
        if let FactKind::Atom(atom) = fact.kind
            && let AtomOrigin::Equal { observable, value } | AtomOrigin::Member { observable, value } =
                &result.atoms.get(atom).origin
            && let Some(value) = value.constant()
            && fact.individuals.is_empty()
        {
            values.entry(observable.show(&[])).or_default().insert(value);
        }
    }
    let most = values.into_iter().max_by_key(|(_, values)| values.len())?;
    (most.1.len() > 2).then_some((most.0, most.1.len()))
}

fn hint(vocabulary: &Vocabulary, message: String) -> Diagnostic {
    Diagnostic::note(vocabulary.span, message)
}

/// A warning if classes only restate the property. `again` is the command line that hides
/// [`classify::names_to_hide`], if there are any; without it, there is nothing to say of classes of predicates alone, which
/// were named on purpose.
pub fn restatement_notices(
    property: &Property,
    vocabulary: &Vocabulary,
    result: &Classification,
    again: Option<&str>,
) -> Option<Diagnostic> {
    let observes =
        |class: &Class| class.constraint.atoms(&result.atoms).any(|(atom, _)| !atom.is_predicate());
    let told = |class: &Class| class.restates == Restates::Property && (again.is_some() || observes(class));
    let restating = result.classes.iter().enumerate().filter(|(_, class)| told(class));
    let numbers: Vec<usize> = restating.map(|(index, _)| index + 1).collect();
    restatement(property, vocabulary, (&numbers, false), again)
}

/// The warning that the classes with these numbers only restate the property, if there are any; perhaps in names of actions.
pub(crate) fn restatement(
    property: &Property,
    vocabulary: &Vocabulary,
    (classes, in_names): (&[usize], bool),
    again: Option<&str>,
) -> Option<Diagnostic> {
    let (message, facts) = match classes {
        [] => return None,
        [class] => (format!("class {class} only restates the property"), "its facts"),
        [rest @ .., last] => {
            let message = format!("classes {} and {last} only restate the property", rest.iter().join(", "));
            (message, "the facts of each")
        }
    };
    let (note, more) = match in_names {
        true => (format!("{facts} repeat the property in names of actions"), ""),
        false => {
            (format!("{facts} violate the property by themselves, whatever the model does"), "`action`, ")
        }
    };
    let warning =
        Diagnostic::warning(vocabulary.span, format!("{message} `{}`", property.name)).with_note(note);
    Some(warning.with_help(match again {
        Some(command) => format!("classify without them to find the causes: {command}"),
        None => {
            let advice = format!(
                "add observables to the vocabulary that the property does not read: {more}other variables, \
                 predicates of your own"
            );
            let auto = if vocabulary.name == AUTO { "" } else { "; `-V auto` searches for some" };
            format!("{advice}{auto}")
        }
    }))
}
