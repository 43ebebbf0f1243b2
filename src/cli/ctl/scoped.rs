//! Models whose states are not all listed: what parts of them tell.

use super::Found;
use crate::budget::Budget;
use crate::ctl::{Class, Extracted, Goal, ModelFormula, Shown, Symbolic, Wanted, any_subgraph, extract};
use crate::explore::{DEFAULT_SEARCH_LIMIT, initial_states};
use crate::model::Model;
use crate::model::value::State;
use crate::report::ctl::CtlVerdict;
use crate::sat::{Backend, Circuit};

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
                 proves anything."
                    .to_owned(),
            );
        }
        let goal = Goal::new(formula, class == Class::Existential);
        let circuit = || Circuit::new(self.backend.start(self.budget)).within(self.budget);
        let make = || Symbolic::new(self.model, formula, &goal, &self.formula.labels, circuit());
        let some = match any_subgraph(make(), &goal.formula, scope) {
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
        let (witness, minimal, no_path) = match extract(make, &goal, self.wanted, scope) {
            Extracted::Found(witness, no_path) => (witness, true, no_path),
            Extracted::Exhausted(_) if self.wanted != Wanted::Path => (some, false, None),
            Extracted::Nothing(_) | Extracted::Exhausted(_) => {
                let why = format!("no path of up to {scope} states; --subgraph shows another form");
                return (self.meaning(class), Found::Nothing(why));
            }
        };
        let fact = |number: usize, state: &State| {
            let fact = goal.facts[number];
            self.formula.holds(self.model, fact.part, state) == fact.holds
        };
        let shown = Shown::new(witness, &goal, fact);
        (self.meaning(class), Found::Shown { shown, minimal, no_path, goal })
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
