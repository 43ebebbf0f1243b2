//! Reachability of protocol claims that hold: a claim that no run reaches holds vacuously.

use cladist::budget::Budget;
use cladist::diagnostics::Diagnostic;
use cladist::model::expr::Expr;
use cladist::model::{Model, load_expression};
use cladist::protocol::ClaimedProperty;
use cladist::report::{CheckedProperty, Outcome, unreached_notice};
use cladist::sat::Backend;
use cladist::trace::Trace;
use cladist::unroll::{self, Lengths};
use itertools::Itertools;

/// Decides for each claim if some run reaches it, in traces of up to `bound` steps. The attacks on other claims are
/// tried first, then the solver. Claims beyond the budget stay open.
pub fn look_whether_reached(
    model: &Model,
    claims: &[ClaimedProperty],
    properties: &mut [CheckedProperty<'_>],
    bound: usize,
    backend: Backend,
    budget: &Budget,
) {
    let place = |checked: &CheckedProperty<'_>| {
        claims.iter().find(|claim| claim.property == checked.property.name).map(|claim| &claim.reached)
    };
    for checked in &mut *properties {
        checked.reached = matches!(checked.outcome, Outcome::Violated(_)).then_some(true);
    }
    let holds = |checked: &CheckedProperty<'_>| {
        matches!(checked.outcome, Outcome::Holds | Outcome::Proved(_)) && place(checked).is_some()
    };
    // Claims of one step have one place.
    let texts = properties.iter().filter(|checked| holds(checked)).filter_map(place).unique();
    let (texts, places): (Vec<&String>, Vec<Expr>) =
        texts.filter_map(|text| Some((text, load_expression(model, text).observable?.expr))).unzip();
    let attacks = properties.iter().filter_map(|checked| match &checked.outcome {
        Outcome::Violated(trace) => Some(trace),
        _ => None,
    });
    let attacks: Vec<&Trace> = attacks.collect();
    let answers = unroll::reachable(model, &places, bound, &attacks, backend, budget);
    let answers: Vec<(String, Option<bool>)> = texts.into_iter().cloned().zip(answers).collect();
    for checked in properties.iter_mut().filter(|checked| holds(checked)) {
        let text = place(checked);
        let answer = answers.iter().find(|(known, _)| Some(known) == text);
        checked.reached = answer.and_then(|(_, reached)| *reached);
    }
}

/// Returns the notice about a claim that holds, if no run reaches it; none if that is open.
pub fn unreached(
    model: &Model,
    claim: &ClaimedProperty,
    bound: usize,
    backend: Backend,
    budget: &Budget,
) -> Option<Diagnostic> {
    let place = load_expression(model, &claim.reached).observable?.expr;
    let answer = unroll::reachable(model, &[place], bound, &[], backend, budget);
    (answer == [Some(false)]).then(|| unreached_notice(claim, Some(Lengths::UpTo(bound))))
}
