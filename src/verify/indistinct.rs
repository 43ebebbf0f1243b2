//! Checks that a vocabulary does not distinguish two traces, as a result claims.

use super::document::{ClassifyDocument, StoredTrace};
use super::notation::shown;
use itertools::Itertools;
use lang::model::eval::{eval_at, eval_trace};
use lang::model::value::Value;
use lang::model::{Model, Position, PredicateArgument, PredicateId, TraceFormulaText, VocabularyItem};
use lang::trace::Trace;

/// Returns the position variables of a formula with their places in a trace, in their order.
pub(super) fn named<'f>(trace: &StoredTrace, formula: &'f TraceFormulaText) -> Vec<(&'f str, Position)> {
    let mut found = Vec::new();
    for parameter in &formula.parameters {
        let name = shown(&parameter.name);
        let mut places = trace.states.iter().positions(|state| state.positions.iter().any(|at| at == name));
        found.extend(places.next().map(|at| (name, Position::new(at))));
    }
    found
}

/// Checks that everything the vocabulary expresses about single positions of the first trace, about their order, and by
/// predicates of positions, also holds of the corresponding positions of the second one. `places` are these positions,
/// of both.
pub(super) fn told_apart(
    model: &Model,
    document: &ClassifyDocument,
    traces: [&Trace; 2],
    places: &[Vec<Position>; 2],
) -> Result<(), String> {
    let [first, second] = traces;
    if places[0].iter().copied().ne(first.positions()) {
        return Err("the facts do not name every position of the counterexample".into());
    }
    // Choosing, hiding and grounding change the facts of the vocabulary.
    let is_whole = document.chosen.is_none() && document.hide.is_empty() && document.ground.is_empty();
    let vocabulary = model.vocabulary(&document.vocabulary).filter(|_| is_whole);
    let Some(vocabulary) = vocabulary.map(|number| &model.vocabularies[number]) else { return Ok(()) };
    let told = |what: &str| Err(format!("the vocabulary tells the traces apart: {what}"));
    let positions = || places[0].iter().copied().zip(places[1].iter().copied());
    for item in &vocabulary.items {
        match item {
            VocabularyItem::Equal(of) => {
                let value = |trace: &Trace, at: Position| eval_at(model, &of.expr, &trace.moments, at);
                if positions().any(|(a, b)| !is_kept(&value(first, a), &value(second, b))) {
                    return told(&of.text);
                }
            }
            VocabularyItem::Before if !places[1].windows(2).all(|pair| pair[0] < pair[1]) => {
                return told("the order of positions");
            }
            VocabularyItem::Next if !places[1].windows(2).all(|pair| pair[0].next() == pair[1]) => {
                return told("which positions follow each other");
            }
            VocabularyItem::Predicate(id, args)
                if args.iter().all(|arg| *arg == PredicateArgument::Position) =>
            {
                let all = (0..args.len()).map(|_| 0..places[0].len()).multi_cartesian_product();
                let holds = |number: usize, of: &[usize]| {
                    let at = of.iter().map(|of| places[number][*of]);
                    applies(model, *id, traces[number], at)
                };
                if all.into_iter().any(|of| holds(0, &of) && !holds(1, &of)) {
                    return told(&model.predicates[id.0 as usize].name);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// True if facts about a value also hold of another one: equalities, and for a set its members.
fn is_kept(value: &Value, other: &Value) -> bool {
    match (value, other) {
        (Value::None, _) => true,
        (Value::Set(members), Value::Set(others)) => members.iter().all(|member| others.contains(member)),
        _ => value == other,
    }
}

fn applies(model: &Model, id: PredicateId, trace: &Trace, at: impl Iterator<Item = Position>) -> bool {
    let predicate = &model.predicates[id.0 as usize];
    let bound: Vec<_> = predicate.params.iter().map(|param| param.local).zip(at.map(Value::from)).collect();
    eval_trace(model, &predicate.body, &trace.moments, &bound).is_true()
}
