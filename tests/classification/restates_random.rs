//! The marks of classes that restate the property, or are one step from it, against enumeration of all states of the
//! variables' types, reachable or not, with all labels and all steps.

use crate::random::cases;
use crate::random_model::random_model;
use cladist::budget::Budget;
use cladist::classify::{
    Assignment, Atoms, Constraint, Fact, FactKind, Grounding, Options, OrderRelation, PositionVar, Problem,
    Restates, classify,
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

    /// Initial states, and states after steps from one of these.
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
    fn expected(&self, atoms: &Atoms, constraint: &Constraint, order: Option<Stated>) -> Restates {
        let all: Vec<Arrival> = self
            .labels()
            .into_iter()
            .cartesian_product(&self.states)
            .map(|(label, state)| Arrival {
                good: self.good[state],
                moment: Moment { label, state: state.clone() },
            })
            .collect();
        let free = match constraint.positions {
            1 => all.iter().map(|one| Choice::of(&[one])).collect(),
            _ => pairs(&all, &all, |_, _| true),
        };
        let same = |a: &Arrival, b: &Arrival| a.moment.state == b.moment.state;
        let asked = Question { model: self.model, atoms, constraint, order };
        match asked.violates(&free, &pairs(&all, &all, same)) {
            Some(true) => return Restates::Property,
            Some(false) => return Restates::Nothing,
            None => {}
        }
        let every: Vec<&State> = self.states.iter().collect();
        let arrivals = self.arrivals(&every);
        let stepwise = match order {
            _ if constraint.positions == 1 => arrivals.iter().map(|one| Choice::of(&[one])).collect(),
            None => pairs(&arrivals, &arrivals, |_, _| true),
            Some(Stated { order, .. }) => {
                let choices = arrivals.iter().flat_map(|first| {
                    // The trace goes on after the first position.
                    let after = &self.steps[&first.moment.state];
                    let goes_on = after.iter().any(|(_, state)| self.good[state]);
                    let seconds = match (after.is_empty(), order) {
                        (true, _) => Vec::new(),
                        (false, OrderRelation::Next) => self.arrivals(&[&first.moment.state]),
                        (false, OrderRelation::Before) => self.arrivals(&every),
                    };
                    let first = Arrival { good: first.good && goes_on, moment: first.moment.clone() };
                    seconds.into_iter().map(move |second| Choice::of(&[&first, &second])).collect::<Vec<_>>()
                });
                choices.collect()
            }
        };
        match asked.violates(&stepwise, &pairs(&arrivals, &arrivals, same)) {
            Some(true) => Restates::Step,
            _ => Restates::Nothing,
        }
    }
}

/// Moments for positions, the first one first if their order is said, and for each whether the invariant can hold all around it.
struct Choice {
    good: Vec<bool>,
    moments: Vec<Moment>,
}

impl Choice {
    fn of(arrivals: &[&Arrival]) -> Self {
        let good = arrivals.iter().map(|arrival| arrival.good).collect();
        Self { good, moments: arrivals.iter().map(|arrival| arrival.moment.clone()).collect() }
    }
}

fn pairs(ones: &[Arrival], others: &[Arrival], may_be: impl Fn(&Arrival, &Arrival) -> bool) -> Vec<Choice> {
    let pairs = ones.iter().cartesian_product(others).filter(|(one, other)| may_be(one, other));
    pairs.map(|(one, other)| Choice::of(&[one, other])).collect()
}

/// An order of two positions.
#[derive(Clone, Copy)]
struct Stated {
    order: OrderRelation,
    /// The indices of the first and of the second one.
    positions: [usize; 2],
}

struct Question<'a> {
    model: &'a Model,
    atoms: &'a Atoms,
    constraint: &'a Constraint,
    order: Option<Stated>,
}

impl Question<'_> {
    /// Whether the facts exclude that the invariant holds, at choices of moments that lie apart, or else at those of one state; it is
    /// false if only atoms about two positions speak of a position where it may hold or not.
    fn violates(&self, apart: &[Choice], together: &[Choice]) -> Option<bool> {
        let positions = self.constraint.positions;
        if self.says(apart, None, None) {
            let about = |at: usize, positions: &[_]| positions.iter().any(|p: &PositionVar| p.index() == at);
            let is_apart = |&at: &usize| {
                let mut facts = self.constraint.facts.iter().filter(|fact| about(at, &fact.positions));
                facts.all(|fact| matches!(fact.kind, FactKind::Atom(_)) && fact.positions.len() > 1)
            };
            return Some(!(0..positions).filter(is_apart).any(|at| self.says(apart, None, Some(at))));
        }
        let facts = &self.constraint.facts;
        let of_atoms = facts.iter().all(|fact| matches!(fact.kind, FactKind::Atom(_)));
        let needed = |at: usize| !self.excludes(together, Some(at), None);
        let spreads = positions == 2 && of_atoms && self.says(together, None, None);
        (spreads && (0..facts.len()).all(needed)).then_some(true)
    }

    /// Whether some of these choices have the facts, and none of those that do is good.
    fn says(&self, choices: &[Choice], without: Option<usize>, but: Option<usize>) -> bool {
        choices.iter().any(|choice| self.has(choice, without)) && self.excludes(choices, without, but)
    }

    fn excludes(&self, choices: &[Choice], without: Option<usize>, but: Option<usize>) -> bool {
        let is_good = |choice: &Choice| {
            choice
                .good
                .iter()
                .enumerate()
                .all(|(at, good)| *good || but.is_some_and(|but| self.place(but) == at))
        };
        !choices.iter().any(|choice| is_good(choice) && self.has(choice, without))
    }

    /// Where a position lies among the moments of a choice.
    fn place(&self, position: usize) -> usize {
        match self.order {
            Some(Stated { positions, .. }) => usize::from(positions[1] == position),
            None => position,
        }
    }

    /// Whether the moments have the facts, but for one. Where no order is said, absences say nothing of the other position.
    fn has(&self, choice: &Choice, without: Option<usize>) -> bool {
        let places = (0..self.constraint.positions).map(|at| Position::new(self.place(at))).collect();
        let assigned = Assignment { positions: places, individuals: Vec::new() };
        let facts = self.constraint.facts.iter().enumerate().filter(|(at, _)| Some(*at) != without);
        let said = |fact: &Fact| !matches!(fact.kind, FactKind::Absent(..)) || self.order.is_some();
        let mut said = facts.map(|(_, fact)| fact).filter(|fact| said(fact));
        said.all(|fact| fact.holds(self.model, self.atoms, &choice.moments, &assigned))
    }
}

/// The order that a constraint says of two positions; `Err` if it is not one of those that are looked at.
fn order_of(constraint: &Constraint) -> Result<Option<Stated>, ()> {
    let mut orders = Vec::new();
    for fact in &constraint.facts {
        match fact.kind {
            FactKind::Atom(_) | FactKind::Absent(..) => {}
            FactKind::Order(order) => {
                let positions = [0, 1].map(|at| fact.positions[at].index());
                orders.push(Stated { order, positions });
            }
        }
    }
    match (constraint.positions, orders.as_slice()) {
        (1 | 2, []) => Ok(None),
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
                Restates::Undecided => unreachable!("it is enumerated"),
            }
        }
    }
    eprintln!(
        "{property} restate the property, {step} are a step from it, {nothing} neither; {pairs} pairs, {absences} with absences"
    );
    assert!(property > 9 && step > 4 && nothing > 12 && pairs > 1 && absences > 1);
}
