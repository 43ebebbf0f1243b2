//! The marks of classes that restate the property, or are one step from it, against enumeration of all states of the
//! variables' types, reachable or not, with all labels and all steps.

use crate::random::cases;
use crate::random_model::random_model;
use cladist::budget::Budget;
use cladist::classify::{
    Assignment, Atom, Atoms, Constraint, FactKind, Grounding, Options, Order, Problem, Restates, classify,
};
use cladist::explore::successors;
use cladist::model::eval::eval_state;
use cladist::model::value::{Label, Moment, State, Value};
use cladist::model::{Model, Observable, Position, VocabularyItem};
use cladist::unroll::Lengths;
use itertools::{Either, Itertools};
use std::collections::BTreeMap;

/// Models with more states than this, reachable or not, are left out.
const MOST_STATES: u64 = 48;

/// A moment, and whether the invariant can hold all around it.
struct Arrival {
    moment: Moment,
    good: bool,
}

/// Everything that could be, reachable or not.
struct Universe<'a> {
    model: &'a Model,
    states: Vec<State>,
    /// Whether the invariant holds in each state.
    good: BTreeMap<State, bool>,
    steps: BTreeMap<State, Vec<(Label, State)>>,
}

impl<'a> Universe<'a> {
    /// That of a model without assumptions and with few states.
    fn of(model: &'a Model) -> Option<Self> {
        let sizes = model.variables.iter().map(|v| model.types.cardinality(&v.ty));
        if !model.assumptions.is_empty() || sizes.product::<u64>() > MOST_STATES {
            return None;
        }
        let values = model.variables.iter().map(|v| model.types.values(&v.ty));
        let states: Vec<State> = values.multi_cartesian_product().map(State).collect();
        let invariant = model.properties[0].invariant().expect("an invariant");
        let holds = |state: &State| {
            eval_state(model, invariant, &Moment { label: None, state: state.clone() }).is_true()
        };
        let good = states.iter().map(|state| (state.clone(), holds(state))).collect();
        let step = |state: &State| (state.clone(), successors(model, state, 100_000).expect("few steps"));
        let steps = states.iter().map(step).collect();
        Some(Self { model, states, good, steps })
    }

    /// All labels, and none.
    fn labels(&self) -> Vec<Option<Label>> {
        let mut labels = vec![None];
        for (action, of) in self.model.actions.iter().enumerate() {
            let values: Vec<Vec<Value>> = of.params.iter().map(|p| self.model.types.values(&p.ty)).collect();
            let all: Vec<Vec<Value>> = match values.is_empty() {
                true => vec![Vec::new()],
                false => values.into_iter().multi_cartesian_product().collect(),
            };
            labels.extend(all.into_iter().map(|args| Some(Label { action, args })));
        }
        labels
    }

    fn initial(&self) -> impl Iterator<Item = &State> {
        let first = |state: &&State| {
            let moment = Moment { label: None, state: (*state).clone() };
            self.model.init.iter().all(|formula| eval_state(self.model, formula, &moment).is_true())
        };
        self.states.iter().filter(first)
    }

    /// First states, and states after steps from one of these.
    fn arrivals(&self, from: &[&State]) -> Vec<Arrival> {
        let mut found: BTreeMap<(Option<Label>, &State), bool> = BTreeMap::new();
        let some_good = from.iter().any(|state| self.good[*state]);
        for state in self.initial() {
            found.insert((None, state), some_good);
        }
        for before in from {
            for (label, state) in &self.steps[*before] {
                *found.entry((Some(label.clone()), state)).or_default() |= self.good[*before];
            }
        }
        let arrival = |((label, state), good): ((Option<Label>, &State), bool)| Arrival {
            good: good && self.good[state],
            moment: Moment { label, state: state.clone() },
        };
        found.into_iter().map(arrival).collect()
    }

    /// What is said of a constraint of one or two positions, of which an order is said if there are two.
    fn expected(&self, atoms: &Atoms, constraint: &Constraint, order: Option<Order>) -> Restates {
        let matches = |moments: &[Moment]| constraint.matches(self.model, atoms, moments).is_some();
        let all: Vec<Moment> = self
            .labels()
            .into_iter()
            .cartesian_product(&self.states)
            .map(|(label, state)| Moment { label, state: state.clone() })
            .collect();
        let is_good = |moments: &[Moment]| moments.iter().all(|moment| self.good[&moment.state]);
        let free: Vec<Vec<Moment>> = match constraint.positions {
            1 => all.iter().map(|moment| vec![moment.clone()]).collect(),
            _ => all.iter().cartesian_product(&all).map(|(a, b)| vec![a.clone(), b.clone()]).collect(),
        };
        if says(free.into_iter().map(|moments| (is_good(&moments), moments)), matches) {
            return Restates::Property;
        }
        if order.is_none() && constraint.positions == 2 && self.spreads(atoms, constraint) {
            return Restates::Property;
        }
        let every: Vec<&State> = self.states.iter().collect();
        let around = |arrival: &Arrival| (arrival.good, vec![arrival.moment.clone()]);
        let arrivals = self.arrivals(&every);
        let found = match order {
            None if constraint.positions == 1 => says(arrivals.iter().map(around), matches),
            None => {
                let pairs = arrivals.iter().cartesian_product(&arrivals);
                let pairs = pairs.map(|(a, b)| (a.good && b.good, vec![a.moment.clone(), b.moment.clone()]));
                says(pairs, matches)
            }
            Some(order) => {
                let pairs = arrivals.iter().flat_map(|first| {
                    // The trace goes on after the first position.
                    let after = &self.steps[&first.moment.state];
                    let goes_on = after.iter().any(|(_, state)| self.good[state]);
                    let seconds = match (after.is_empty(), order) {
                        (true, _) => Vec::new(),
                        (false, Order::Next) => self.arrivals(&[&first.moment.state]),
                        (false, Order::Before) => self.arrivals(&every),
                    };
                    seconds.into_iter().map(move |second| {
                        let good = first.good && second.good && goes_on;
                        (good, vec![first.moment.clone(), second.moment])
                    })
                });
                says(pairs, matches)
            }
        };
        if found { Restates::Step } else { Restates::Nothing }
    }
}

impl Universe<'_> {
    /// Whether facts at two positions are just what violates the property where both are the same state.
    fn spreads(&self, atoms: &Atoms, constraint: &Constraint) -> bool {
        let reads_label = |(atom, _): (&Atom, _)| atom.reads_label();
        if constraint.has_absences() || constraint.atoms(atoms).any(reads_label) {
            return false;
        }
        let violates = |constraint: &Constraint| {
            let in_one = self.states.iter().map(|state| {
                let moment = Moment { label: None, state: state.clone() };
                (self.good[state], vec![moment.clone(), moment])
            });
            let assigned = |moments: &[Moment]| {
                let at = vec![Position::FIRST; constraint.positions];
                let assigned = Assignment { positions: at, individuals: Vec::new() };
                constraint.facts.iter().all(|fact| fact.holds(self.model, atoms, moments, &assigned))
            };
            says(in_one, assigned)
        };
        let without = |at: usize| {
            let mut facts = constraint.facts.clone();
            facts.remove(at);
            Constraint { facts, ..constraint.clone() }
        };
        violates(constraint) && !(0..constraint.facts.len()).any(|at| violates(&without(at)))
    }
}

/// Whether some of these moments satisfy a constraint, and none of those that do is good.
fn says(choices: impl Iterator<Item = (bool, Vec<Moment>)>, matches: impl Fn(&[Moment]) -> bool) -> bool {
    let mut some = false;
    for (good, moments) in choices {
        if matches(&moments) {
            some = true;
            if good {
                return false;
            }
        }
    }
    some
}

/// The order that a constraint says of two positions; `Err` if it is not one of those that are looked at.
fn order_of(constraint: &Constraint) -> Result<Option<Order>, ()> {
    let mut orders = Vec::new();
    for fact in &constraint.facts {
        match fact.kind {
            FactKind::Atom(_) | FactKind::Absent(..) => {}
            FactKind::Order(order) => orders.push(order),
        }
    }
    match (constraint.positions, orders.as_slice()) {
        (1, []) => Ok(None),
        (2, []) => Ok(None),
        (2, &[order]) => Ok(Some(order)),
        _ => Err(()),
    }
}

#[test]
fn marks_are_those_of_the_definition() {
    let (mut property, mut step, mut nothing, mut pairs, mut absences) = (0, 0, 0, 0, 0);
    for seed in 0..cases(600) {
        let model = random_model(seed);
        let Some(universe) = Universe::of(&model) else { continue };
        let options = Options { grounding: Grounding::Everything, ..Options::of(Lengths::UpTo(3)) };
        let problem = Problem::first(&model).expect("an invariant");
        let mut vocabulary = model.vocabularies[0].clone();
        if seed % 2 == 1 {
            // Labels first: what is said of them is more often a step from the property.
            let labels = Observable::of_labels(&model).into_iter().map(VocabularyItem::Equal);
            let items = labels.chain(std::mem::take(&mut vocabulary.items));
            vocabulary.items = items.unique_by(VocabularyItem::identity).collect();
        }
        if seed % 3 == 0 {
            // Absences in place of some facts, or else they are not needed.
            let (absent, said): (Vec<_>, Vec<_>) =
                vocabulary.items.into_iter().enumerate().partition_map(|(index, item)| match item {
                    VocabularyItem::Equal(of) if index % 2 == 0 => Either::Left(VocabularyItem::Absent(of)),
                    item => Either::Right(item),
                });
            vocabulary.items = said.into_iter().chain(absent).collect();
        }
        let result = classify(problem, &vocabulary, &options, &Budget::unlimited(), &mut ());
        for class in &result.classes {
            let Ok(order) = order_of(&class.constraint) else { continue };
            if class.constraint.positions == 2 && universe.states.len() * universe.labels().len() > 160 {
                continue;
            }
            let expected = universe.expected(&result.atoms, &class.constraint, order);
            let text = class.constraint.show(&model, &result.atoms);
            assert_eq!(class.restates, expected, "seed {seed}: {text}");
            pairs += usize::from(class.constraint.positions == 2);
            absences += usize::from(class.constraint.has_absences());
            match expected {
                Restates::Property => property += 1,
                Restates::Step => step += 1,
                Restates::Nothing => nothing += 1,
            }
        }
    }
    eprintln!(
        "{property} restate the property, {step} are a step from it, {nothing} neither; {pairs} pairs, {absences} with absences"
    );
    assert!(property > 9 && step > 4 && nothing > 12 && pairs > 1 && absences > 1);
}
