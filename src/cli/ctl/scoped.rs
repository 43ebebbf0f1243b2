//! Models whose states are not all listed: what parts of them tell.

use super::Found;
use cladist::budget::Budget;
use cladist::ctl::{
    Class, Extracted, Goal, ModelFormula, Shown, Symbolic, Wanted, Witness, any_subgraph, extract,
};
use cladist::explore::{DEFAULT_SEARCH_LIMIT, initial_states};
use cladist::model::value::State;
use cladist::model::{Model, eval};
use cladist::report::ctl::CtlVerdict;
use cladist::sat::{Backend, Circuit};

/// A formula over a model, and how it is looked at.
pub struct Scoped<'a> {
    /// The model.
    pub model: &'a Model,
    /// The formula.
    pub formula: &'a ModelFormula,
    /// What is shown.
    pub wanted: Wanted,
    /// The solver.
    pub backend: Backend,
    /// How long.
    pub budget: &'a Budget,
}

impl Scoped<'_> {
    /// Looks at connected parts of up to `scope` states from an initial state. A violation of a universal formula and a witness of
    /// an existential one are what they are in the whole system; nothing else follows.
    pub fn decide(&self, scope: usize) -> (CtlVerdict, Found<State>) {
        let undecided =
            |why: String| (CtlVerdict::Undecided(why), Found::nothing("nothing, because nothing is decided"));
        let formula = &self.formula.formula;
        let class = formula.class();
        if class == Class::Mixed {
            return undecided(
                "A mixed formula can hold in a part of a system and not in the whole, or the other way round: no part \
                 proves anything. All states are needed: a larger --max-states, and no --scope."
                    .to_owned(),
            );
        }
        let goal = Goal::new(formula, class == Class::Existential);
        let some = match any_subgraph(self.space(&goal), &goal.formula, scope) {
            Ok(Some(some)) => some,
            Ok(None) => {
                return match class {
                    Class::Propositional => {
                        (CtlVerdict::Holds, Found::nothing("it is about the initial states alone"))
                    }
                    Class::Existential => {
                        undecided(format!("No part of up to {scope} states shows it; a larger one may."))
                    }
                    Class::Universal | Class::Mixed => {
                        undecided(format!("No part of up to {scope} states violates it; a larger one may."))
                    }
                };
            }
            Err(_) => return undecided("The time or memory ended first.".to_owned()),
        };
        // What decides is evaluated again, whatever is shown in the end.
        let some = self.checked(some, &goal).witness;
        (self.meaning(class), self.show(goal, scope, Some(some)))
    }

    /// Shows a goal that some initial state has, by a smallest path or subgraph of at most `most` states; where the budget ends
    /// before, by another one if there is one.
    pub fn show(&self, goal: Goal, most: usize, another: Option<Witness<State>>) -> Found<State> {
        let (witness, minimal, no_path) = match extract(|| self.space(&goal), &goal, self.wanted, most) {
            Extracted::Found(witness, no_path) => (witness, true, no_path),
            Extracted::Exhausted(_) => match another.filter(|_| self.wanted != Wanted::Path) {
                Some(another) => (another, false, None),
                None => return Found::nothing("the time or memory ended before something small was found"),
            },
            Extracted::Nothing(_) => {
                let why = format!("no path of up to {most} states; --subgraph shows another form");
                return Found::Nothing(why);
            }
        };
        let shown = self.checked(witness, &goal);
        Found::Shown { shown, minimal, no_path, goal }
    }

    /// Evaluates a witness again.
    ///
    /// # Panics
    /// If it does not show the goal, or does not begin in an initial state: whoever found it is wrong then.
    fn checked(&self, witness: Witness<State>, goal: &Goal) -> Shown<State> {
        let fact = |number: usize, state: &State| {
            let fact = goal.facts[number];
            self.formula.holds(self.model, fact.part, state) == fact.holds
        };
        let shown = Shown::new(witness, goal, fact);
        assert!(
            eval::is_initial(self.model, &shown.witness.states[0]),
            "what is shown begins in an initial state"
        );
        shown
    }

    fn space<'g>(&'g self, goal: &'g Goal) -> Symbolic<'g> {
        let circuit = Circuit::new(self.backend.start(self.budget)).within(self.budget);
        Symbolic::new(self.model, &self.formula.formula, goal, &self.formula.labels, circuit)
    }

    /// What follows where something was found.
    fn meaning(&self, class: Class) -> CtlVerdict {
        match (class, initial_states(self.model, DEFAULT_SEARCH_LIMIT)) {
            (Class::Existential, Ok(states)) if states.len() == 1 => CtlVerdict::Holds,
            (Class::Existential, _) => CtlVerdict::Undecided(
                "It holds in one initial state, but there are several, and it has to hold in all of them."
                    .to_owned(),
            ),
            _ => CtlVerdict::Violated,
        }
    }
}
