//! Findings of the engines that say the input may not mean what was intended, as diagnostics.

use super::verdict::{extent, steps};
use crate::classify::{Classification, FactKind};
use crate::diagnostics::Diagnostic;
use crate::model::expr::{Expr, ExprKind, VarId};
use crate::model::{Model, PredicateId, Property};
use crate::unroll::{Lengths, Vacuity};
use std::collections::BTreeSet;

/// What never happens in traces of up to `bound` steps.
pub fn vacuity_notices(model: &Model, vacuity: &Vacuity, bound: usize) -> Vec<Diagnostic> {
    let within = steps(bound);
    if vacuity.no_initial_state {
        let message = "no state satisfies `init` and the assumptions, so every property holds";
        return vec![Diagnostic {
            span: model.init.first().map(|e| e.span),
            ..warning_without_place(message.to_owned()).with_help("make `init` satisfiable")
        }];
    }
    let dead = vacuity.dead_actions.iter().map(|&index| {
        let action = &model.actions[index];
        Diagnostic::warning(action.span, format!("action `{}` is never enabled within {within}", action.name))
    });
    let overflows = vacuity.overflows.iter().map(|&(index, update)| {
        let action = &model.actions[index];
        let update = &action.updates[update];
        let message = format!(
            "action `{}` can assign a value outside of {}; such a step does not exist",
            action.name,
            model.types.show(&update.ty)
        );
        Diagnostic::warning(update.span, message).with_help("if that is intended, say so with a `require`")
    });
    let mut notices: Vec<Diagnostic> = dead.chain(overflows).collect();
    if vacuity.incomplete {
        notices.push(Diagnostic {
            severity: crate::diagnostics::Severity::Note,
            ..warning_without_place(format!(
                "the budget ended before all actions were looked at within {within}"
            ))
        });
    }
    notices
}

/// The property holds for traces of these lengths only because none of those that violate it, after `after`
/// steps at the soonest, can go on for so long.
pub fn dead_end_notice(property: &Property, after: usize, lengths: Lengths) -> Diagnostic {
    let message = format!(
        "traces of {} violate `{}`, but none of those that do can go on to {}",
        steps(after),
        property.name,
        extent(lengths)
    );
    Diagnostic::warning(property.span, message).with_help("leave out `--exact` to see them")
}

/// There is no trace that a property could be violated by.
pub fn no_trace_notice(lengths: Lengths) -> Diagnostic {
    warning_without_place(format!("there is no trace of {}, so every property holds", extent(lengths)))
        .with_help(
            "every trace ends before: leave out `--exact`, or give the model a step that is always possible",
        )
}

/// Predicates of the vocabulary that hold in no counterexample, as far as that was asked.
pub fn silence_notices(model: &Model, result: &Classification) -> Vec<Diagnostic> {
    let Some(silent) = &result.silent else { return Vec::new() };
    let within = extent(silent.lengths);
    let warn = |list: &[PredicateId], what: &str| -> Vec<Diagnostic> {
        let predicates = list.iter().map(|id| &model.predicates[id.0 as usize]);
        let message = |name: &str| format!("predicate `{name}` holds in no {what} of {within}");
        predicates.map(|p| Diagnostic::warning(p.span, message(&p.name))).collect()
    };
    [warn(&silent.never, "trace"), warn(&silent.harmless, "counterexample")].concat()
}

/// Classes that say no more than the property itself: one position, and only facts about variables
/// that the property reads.
pub fn restatement_notices(
    model: &Model,
    property: &Property,
    invariant: &Expr,
    result: &Classification,
) -> Vec<Diagnostic> {
    let read = variables(invariant).0;
    let mut notices = Vec::new();
    for (index, class) in result.classes.iter().enumerate() {
        let restates = class.constraint.positions == 1
            && class.constraint.facts.iter().all(|fact| match &fact.kind {
                FactKind::Atom(atom) if !atom.is_predicate() => {
                    let (variables, reads_label) = variables(&atom.expr);
                    !reads_label && !variables.is_empty() && variables.is_subset(&read)
                }
                _ => false,
            });
        if restates {
            let names: Vec<&str> = read.iter().map(|v| model.variables[v.0 as usize].name.as_str()).collect();
            let message = format!("class {} only restates the property `{}`", index + 1, property.name);
            let help = format!("use a vocabulary without what the property reads: {}", names.join(", "));
            notices.push(warning_without_place(message).with_help(help));
        }
    }
    notices
}

/// The variables that an expression reads, and whether it reads labels.
fn variables(expr: &Expr) -> (BTreeSet<VarId>, bool) {
    let mut found = BTreeSet::new();
    let mut labels = false;
    expr.walk(&mut |e| match &e.kind {
        ExprKind::Var(variable) => {
            found.insert(*variable);
        }
        ExprKind::ActionLabel | ExprKind::LabelArg { .. } => labels = true,
        _ => {}
    });
    (found, labels)
}

fn warning_without_place(message: String) -> Diagnostic {
    Diagnostic { severity: crate::diagnostics::Severity::Warning, ..Diagnostic::error_without_place(message) }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::classify::{Silent, Verdict};
    use crate::model::types::Type;

    fn messages(notices: &[Diagnostic]) -> Vec<&str> {
        notices.iter().map(|n| n.message.as_str()).collect()
    }

    #[test]
    fn dead_actions_are_named() {
        let vacuity = Vacuity { dead_actions: vec![1], incomplete: true, ..Vacuity::default() };
        let notices = vacuity_notices(&fixture::model(), &vacuity, 8);
        assert_eq!(
            messages(&notices),
            [
                "action `idle` is never enabled within 8 steps",
                "the budget ended before all actions were looked at within 8 steps"
            ]
        );
    }

    #[test]
    fn an_empty_model_is_all_there_is_to_say() {
        let vacuity = Vacuity { no_initial_state: true, dead_actions: vec![0, 1], ..Vacuity::default() };
        let notices = vacuity_notices(&fixture::model(), &vacuity, 8);
        assert_eq!(
            messages(&notices),
            ["no state satisfies `init` and the assumptions, so every property holds"]
        );
    }

    #[test]
    fn silent_predicates_are_named_with_the_length_that_was_asked() {
        let model = fixture::model();
        let mut result = fixture::classification(Verdict::Complete);
        assert!(silence_notices(&model, &result).is_empty());
        let name = &model.predicates[0].name;
        let (one, none) = (vec![PredicateId(0)], Vec::new());
        let lengths = Lengths::UpTo(6);
        for (never, harmless, what) in [(&one, &none, "trace"), (&none, &one, "counterexample")] {
            result.silent = Some(Silent { never: never.clone(), harmless: harmless.clone(), lengths });
            let expected = format!("predicate `{name}` holds in no {what} of up to 6 steps");
            assert_eq!(messages(&silence_notices(&model, &result)), [expected]);
        }
    }

    #[test]
    fn a_class_about_what_the_property_reads_restates_it() {
        let model = fixture::model();
        let read = |variable: u32| Expr {
            kind: ExprKind::Var(VarId(variable)),
            ty: Type::Bool,
            span: crate::diagnostics::Span::default(),
        };
        for (variable, restates) in [(0, false), (2, true)] {
            let mut result = fixture::classification(Verdict::Complete);
            let mut fact = fixture::equal("busy[Eve]", crate::model::value::Value::Bool(true), 0);
            if let FactKind::Atom(atom) = &mut fact.kind {
                std::sync::Arc::make_mut(atom).expr = read(variable);
            }
            result.classes[0].constraint = crate::classify::Constraint { positions: 1, facts: vec![fact] };
            let notices = restatement_notices(&model, &model.properties[0], &read(2), &result);
            let expected: &[&str] =
                if restates { &["class 1 only restates the property `safe`"] } else { &[] };
            assert_eq!(messages(&notices), expected);
        }
    }
}
