//! The facts of a class on the page: each knows the steps and places of an infinite trace that it speaks of.

use super::words::{Placed, distinct_words, fact_words};
use crate::classes::fact_list::{Reach, fact_item, observables};
use crate::traces::stepper::Figure;
use crate::writing::words::individual_words;
use classify::Atoms;
use classify::lassos::{About, LassoClass, LassoFact, When};
use itertools::Itertools;
use lang::model::value::Value;
use lang::model::{Model, Position};
use maud::{Markup, html};

/// The constraint of a class with facts that light up what they speak of in its representative: as a formula, then in words.
pub fn class_facts(
    (model, atoms): (&Model, &Atoms),
    class: &LassoClass,
    placed: &Placed,
    figure: &Figure<'_>,
) -> Markup {
    let constraint = &class.constraint;
    let individuals = &placed.assigned.individuals;
    let facts = constraint.named_facts(model, atoms);
    let whole = constraint.show(model, atoms);
    let texts = constraint.show_facts(model, atoms);
    let quantifiers = whole.strip_suffix(&texts.join(" ∧ ")).unwrap_or_default();
    let mut places = placed.positions.iter().map(|(_, at)| *at);
    let reaches: Vec<Reach> = facts
        .iter()
        .map(|(fact, _)| {
            let own = places.by_ref().take(fact.positions()).collect();
            reach((model, atoms), class, fact, own, individuals)
        })
        .collect();
    let names = &placed.names;
    html! {
        p.formula {
            @if texts.is_empty() { (whole) } @else {
                (quantifiers)
                @for (index, text) in texts.iter().enumerate() {
                    @if index > 0 { " ∧ " }
                    // What is said of individuals alone comes after the facts, and has no step.
                    span data-fact=[(index < facts.len()).then_some(index)] { (text) }
                }
            }
        }
        ul.facts {
            @if let Some(words) = individual_words(model, atoms, &constraint.individuals, &names.individuals) { li { (words) } }
            @for (index, ((fact, names), reach)) in facts.iter().zip(&reaches).enumerate() {
                (fact_item(figure, Some(index), &fact_words(model, atoms, fact, names), reach))
            }
            @for words in distinct_words(model, atoms, constraint) { li { (words) } }
            @if facts.is_empty() { li { "no condition: the property is always violated" } }
        }
    }
}

/// What a fact speaks of: of what happens again and again, the steps of the loop at which it does; of what lasts, all of them; and else the
/// positions that it names, which are these `own` ones.
fn reach(
    of: (&Model, &Atoms),
    class: &LassoClass,
    fact: &LassoFact,
    own: Vec<Position>,
    individuals: &[Value],
) -> Reach {
    let (model, atoms) = of;
    let lasso = &class.representative;
    let holds = |at: &Position| {
        let here = |about: &About| about.holds(of, &lasso.trace.moments, &[*at], individuals);
        fact.what.iter().all(|said| here(&said.about) == said.holds)
    };
    // The first position of the loop has the label of the stem.
    let round = lasso.loop_steps();
    let steps = match fact.when {
        When::Again => round.filter(holds).collect(),
        When::Forever => round.collect(),
        When::Once => own,
    };
    let places = fact.atoms().flat_map(|about| {
        let values = about.individuals.iter().map(|own| model.types.show_value(&individuals[own.index()]));
        observables(atoms.get(about.atom), &values.collect::<Vec<_>>())
    });
    Reach::new(steps, places.unique().collect())
}
