//! The facts of a constraint on a page: each knows the steps and places of a trace that it speaks of.

use crate::shared::request::ClassifyRequest;
use crate::traces::stepper::Figure;
use crate::writing::words::{bare_words, fact_words, individual_words, order_words};
use classify::{Assignment, Atom, Atoms, Constraint, Fact, FactKind, Names, Origin, Passed};
use itertools::Itertools;
use lang::model::{Model, Position};
use maud::{Markup, html};

/// The steps and places of a trace that facts speak of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// Positions, ascending, each once.
    pub steps: Vec<Position>,
    /// Places of the state, or values that have places.
    pub places: Vec<String>,
}

impl Reach {
    /// These steps, and these places.
    pub fn new(steps: Vec<Position>, places: Vec<String>) -> Self {
        Self { steps: steps.into_iter().sorted().dedup().collect(), places }
    }

    /// The steps and places that a fact speaks of.
    pub fn of(model: &Model, atoms: &Atoms, fact: &Fact, assigned: &Assignment, length: usize) -> Self {
        let at: Vec<Position> = fact.positions.iter().map(|p| assigned.positions[p.index()]).collect();
        let values: Vec<String> = fact
            .individuals
            .iter()
            .map(|v| model.types.show_value(&assigned.individuals[v.index()]))
            .collect();
        let (steps, places) = match fact.kind {
            FactKind::Order(_) => (at, Vec::new()),
            FactKind::Atom(atom) => (at, observables(atoms.get(atom), &values)),
            FactKind::Absent(atom, stretch) => {
                (stretch.range(&at, length).collect(), observables(atoms.get(atom), &values))
            }
        };
        Self::new(steps, places)
    }

    /// `step 3`, `steps 1 and 3`, `steps 2–5`; nothing for a fact that is about no position.
    pub fn words(&self) -> String {
        match self.steps[..] {
            [] => String::new(),
            [only] => format!("step {only}"),
            [first, .., last]
                if last.steps() - first.steps() == self.steps.len() - 1 && last > first.next() =>
            {
                format!("steps {first}–{last}")
            }
            [ref rest @ .., last] => format!("steps {} and {last}", rest.iter().join(", ")),
        }
    }
}

/// The observables that an atom names, with these values for its individuals.
pub(crate) fn observables<'a>(atom: &'a Atom, values: &[String]) -> Vec<String> {
    let phrases = match &atom.origin {
        Origin::Equal { observable, .. }
        | Origin::Member { observable, .. }
        | Origin::NotMember { observable, .. }
        | Origin::Bounded { observable, .. } => vec![observable],
        Origin::Across { left, right }
        | Origin::Ordered { left, right, .. }
        | Origin::Shifted { left, right, .. } => vec![left, right],
        Origin::Predicate { args, .. } => {
            let observed = |passed: &'a Passed| match passed {
                Passed::Observed(phrase) => Some(phrase),
                _ => None,
            };
            args.iter().filter_map(observed).collect()
        }
        Origin::Distinct { .. } | Origin::Related { .. } | Origin::Written(_) => Vec::new(),
    };
    let place = |text: String| match text.strip_prefix('(').and_then(|t| t.strip_suffix(" is some)")) {
        Some(optional) => optional.to_owned(),
        None => text,
    };
    phrases.into_iter().map(|phrase| place(phrase.show(values))).dedup().collect()
}

/// A constraint with facts that light up what they speak of in a figure: as a formula, then in words.
pub(crate) fn constraint_facts(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    constraint: &Constraint,
    assigned: &Assignment,
    figure: &Figure<'_>,
) -> Markup {
    let model = request.asked.model;
    let names = constraint.names(model, atoms);
    let length = figure.trace.moments.len();
    let reach = |fact: &Fact| Reach::of(model, atoms, fact, assigned, length);
    let order = constraint.facts.iter().filter(|fact| fact.is_order()).map(&reach);
    let order = order.reduce(|all, one| Reach {
        steps: all.steps.into_iter().chain(one.steps).sorted().dedup().collect(),
        places: Vec::new(),
    });
    html! {
        (formula(model, atoms, constraint, &names))
        ul.facts {
            @if let Some(words) = individual_words(model, atoms, &constraint.individuals, &names.individuals) { li { (words) } }
            @for (index, fact) in constraint.facts.iter().enumerate().filter(|(_, fact)| !fact.is_order()) {
                (fact_item(figure, Some(index), &fact_words(model, atoms, fact, &names), &reach(fact)))
            }
            @if let (Some(words), Some(reach)) = (order_words(constraint), order) {
                (fact_item(figure, None, &words, &reach))
            }
            @for words in bare_words(constraint) { li { (words) } }
            @if constraint.facts.is_empty() { li { "no condition: every trace is a violation" } }
        }
    }
}

/// The constraint in the paper's notation, each fact by itself.
fn formula(model: &Model, atoms: &Atoms, constraint: &Constraint, names: &Names) -> Markup {
    let whole = constraint.show(model, atoms);
    let facts = constraint.show_facts(model, atoms);
    let quantifiers = whole.strip_suffix(&facts).unwrap_or_default();
    html! {
        p.formula {
            @if constraint.facts.is_empty() { (whole) } @else {
                (quantifiers)
                @for (index, fact) in constraint.facts.iter().enumerate() {
                    @if index > 0 { " ∧ " }
                    span data-fact=(index) { (fact.show(model, atoms, names)) }
                }
            }
        }
    }
}

/// A fact in words, with what it reaches.
pub(crate) fn fact_item(figure: &Figure<'_>, index: Option<usize>, words: &str, reach: &Reach) -> Markup {
    let Some(first) = reach.steps.first() else { return html! { li { (words) } } };
    html! {
        li {
            a.fact href={ "#" (figure.step(*first)) } data-fact=[index] data-steps=(reach.steps.iter().join(" "))
                data-places=[(!reach.places.is_empty()).then(|| reach.places.join("\n"))] { (words) }
            " " span.where { (reach.words()) }
        }
    }
}
