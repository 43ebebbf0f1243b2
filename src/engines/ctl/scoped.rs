//! Models whose states are not all listed: verdicts from connected parts of them.

use super::extract::{EvidenceForm, ExplainedWitness, Extracted, PriorEvidence, extract};
use super::formula::PreservationClass;
use super::goal::CtlGoal;
use super::of_model::ModelFormula;
use super::subgraph::any_subgraph;
use super::symbolic::SymbolicModel;
use super::verdict::{CtlVerdict, EvidenceOutcome, Exhibit};
use super::witness::Witness;
use crate::explore::{DEFAULT_SEARCH_LIMIT, initial_states};
use kit::budget::Budget;
use lang::model::value::State;
use lang::model::{Model, eval};
use solvers::sat::{Backend, Circuit};

/// A formula over a model, with the options of its examination.
pub struct Scoped<'a> {
    /// The model.
    pub model: &'a Model,
    /// The formula.
    pub formula: &'a ModelFormula,
    /// The form of the evidence.
    pub wanted: EvidenceForm,
    /// The solver.
    pub backend: Backend,
    /// Limits of every search.
    pub budget: &'a Budget,
}

/// A verdict with its evidence.
pub struct ScopedVerdict {
    /// The verdict.
    pub verdict: CtlVerdict,
    /// The evidence.
    pub found: EvidenceOutcome<State>,
}

impl Scoped<'_> {
    /// Examines connected parts of up to `scope` states from an initial state. Violations of a universal formula and
    /// witnesses of an existential one carry over to the whole system; nothing else follows.
    pub fn decide(&self, scope: usize) -> ScopedVerdict {
        let formula = &self.formula.formula;
        let class = formula.class();
        if class == PreservationClass::Mixed {
            return undecided(
                "A mixed formula can hold in a part of a system and not in the whole, or the other way round: no part \
                 proves anything. All states are needed: a larger --max-states, and no --scope."
                    .to_owned(),
            );
        }
        let goal = CtlGoal::new(formula, class == PreservationClass::Existential);
        let some = match any_subgraph(self.space(&goal), &goal.formula, scope) {
            Ok(Some(some)) => some,
            Ok(None) => return nothing_found(class, scope),
            Err(_) => return undecided("The time or memory ran out first.".to_owned()),
        };
        // The deciding witness is evaluated again, whatever is shown in the end.
        let some = self.checked(some, &goal).witness;
        let known = PriorEvidence { witness: Some(some), ..PriorEvidence::default() };
        ScopedVerdict { verdict: self.meaning(class), found: self.show(goal, scope, known) }
    }

    /// Shows a goal that some initial state has, by a smallest path or subgraph of at most `most` states; if the budget
    /// ends before, by the known evidence.
    pub fn show(&self, goal: CtlGoal, most: usize, known: PriorEvidence<State>) -> EvidenceOutcome<State> {
        let (witness, minimal, no_path) = match extract(|| self.space(&goal), &goal, self.wanted, most, known)
        {
            Extracted::Found { witness, minimal, no_path } => (witness, minimal, no_path),
            Extracted::Exhausted(_) => {
                return EvidenceOutcome::nothing(
                    "the time or memory ran out before small evidence was found",
                );
            }
            Extracted::Nothing(_) => {
                let why = format!("no path of up to {most} states; --subgraph shows another form");
                return EvidenceOutcome::Nothing(why);
            }
        };
        let shown = self.checked(witness, &goal);
        EvidenceOutcome::Shown(Box::new(Exhibit::new(goal, shown, minimal, no_path)))
    }

    /// Evaluates a witness again.
    ///
    /// # Panics
    /// If it does not show the goal, or does not begin in an initial state, which is a bug in the search.
    fn checked(&self, witness: Witness<State>, goal: &CtlGoal) -> ExplainedWitness<State> {
        let fact = |number: usize, state: &State| {
            let fact = goal.facts[number];
            self.formula.holds(self.model, fact.part, state) == fact.holds
        };
        let shown = ExplainedWitness::new(witness, goal, fact);
        assert!(
            eval::is_initial(self.model, &shown.witness.states[0]),
            "what is shown begins in an initial state"
        );
        shown
    }

    fn space<'g>(&'g self, goal: &'g CtlGoal) -> SymbolicModel<'g> {
        let circuit = Circuit::new(self.backend.start(self.budget)).within(self.budget);
        SymbolicModel::new(self.model, &self.formula.formula, goal, &self.formula.labels, circuit)
    }

    /// Returns the verdict that follows from a witness.
    fn meaning(&self, class: PreservationClass) -> CtlVerdict {
        match (class, initial_states(self.model, DEFAULT_SEARCH_LIMIT)) {
            (PreservationClass::Existential, Ok(states)) if states.len() == 1 => CtlVerdict::Holds,
            (PreservationClass::Existential, _) => CtlVerdict::Undecided(
                "It holds in one initial state, but there are several, and it has to hold in all of them."
                    .to_owned(),
            ),
            _ => CtlVerdict::Violated,
        }
    }
}

fn undecided(why: String) -> ScopedVerdict {
    let found = EvidenceOutcome::nothing("nothing, because the formula is undecided");
    ScopedVerdict { verdict: CtlVerdict::Undecided(why), found }
}

/// Returns the verdict that follows if no part of up to `scope` states shows the goal.
fn nothing_found(class: PreservationClass, scope: usize) -> ScopedVerdict {
    match class {
        PreservationClass::Propositional => ScopedVerdict {
            verdict: CtlVerdict::Holds,
            found: EvidenceOutcome::nothing("it is about the initial states alone"),
        },
        PreservationClass::Existential => {
            undecided(format!("No part of up to {scope} states shows it; a larger one may."))
        }
        PreservationClass::Universal | PreservationClass::Mixed => {
            undecided(format!("No part of up to {scope} states violates it; a larger one may."))
        }
    }
}
