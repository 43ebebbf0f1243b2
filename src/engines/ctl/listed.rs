//! Systems whose states are all listed: a definite verdict, with evidence.

use super::check::{SatisfactionSets, check, fair_loops};
use super::explicit::Explicit;
use super::extract::{
    EvidenceForm, ExplainedWitness, Extracted, NoPath, PriorEvidence, extract, some_subgraph,
};
use super::formula::{CtlFormula, Subformula};
use super::goal::CtlGoal;
use super::graph_search::graph_search;
use super::structure::Structure;
use super::verdict::{CtlVerdict, EvidenceOutcome, Exhibit};
use super::witness::{Witness, WitnessShape};
use explicit::lts::{Bits, Components, StateId};
use kit::budget::{Budget, Exhausted};
use solvers::sat::{Backend, Circuit};
use std::time::Duration;

/// The most states of a shown subgraph that is not proved smallest.
pub(super) const MOST_SHOWN: usize = 300;

/// The most states of a shown path.
pub(super) const LONGEST_SHOWN: usize = 5000;

/// The longest time for a solver to prove evidence smallest, or to find smaller evidence, if evidence was found without
/// a solver.
pub const IMPROVING: Duration = Duration::from_secs(20);

/// A formula with its truth on a whole system.
pub struct ListedTruth<'a> {
    /// The formula.
    pub formula: &'a CtlFormula,
    /// The system.
    pub structure: &'a Structure,
    truth: SatisfactionSets,
}

/// The open question after graph search: the smallest evidence for a goal.
pub struct OpenEvidence {
    /// The goal.
    pub goal: CtlGoal,
    /// The result of graph search.
    pub known: PriorEvidence<StateId>,
    /// The states that have each fact of the goal.
    facts: Vec<Bits>,
    /// The truth of the goal on the whole system.
    truth: SatisfactionSets,
    /// True if the known evidence was made to be small.
    is_small: bool,
}

impl OpenEvidence {
    /// Returns the budget for a solver that answers it.
    pub fn budget(&self, budget: &Budget) -> Budget {
        if self.is_small { budget.at_most(IMPROVING) } else { budget.clone() }
    }
}

/// The result of graph search alone.
pub enum Searched {
    /// The final evidence.
    Done(EvidenceOutcome<StateId>),
    /// Evidence that may not be smallest.
    Open(Box<OpenEvidence>),
}

impl<'a> ListedTruth<'a> {
    /// Decides a formula, given the states that have its labels.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn new(
        formula: &'a CtlFormula,
        structure: &'a Structure,
        labels: &[Bits],
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        Ok(Self { formula, structure, truth: check(formula, structure, labels, budget)? })
    }

    /// True if the formula holds in all initial states.
    pub fn holds(&self) -> bool {
        self.structure.initial.iter().all(|&s| self.truth.holds(self.formula.root, s))
    }

    /// Returns the verdict.
    pub fn verdict(&self) -> CtlVerdict {
        if self.holds() { CtlVerdict::Holds } else { CtlVerdict::Violated }
    }

    /// Returns the fairness conditions that leave no path from an initial state, if they do: those that no path meets
    /// infinitely often, or all of them if only their combination is impossible.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn unfair(&self, budget: &Budget) -> Result<Option<Vec<Subformula>>, Exhausted> {
        let all = &self.formula.fair;
        if all.is_empty() || self.has_path(all, budget)? {
            return Ok(None);
        }
        let mut never = Vec::new();
        for &condition in all {
            if !self.has_path(&[condition], budget)? {
                never.push(condition);
            }
        }
        Ok(Some(if never.is_empty() { all.clone() } else { never }))
    }

    /// True if some path from an initial state meets each of these infinitely often.
    fn has_path(&self, conditions: &[Subformula], budget: &Budget) -> Result<bool, Exhausted> {
        let reachable = self.structure.reachable();
        let fair: Vec<&Bits> = conditions.iter().map(|&c| self.truth.of(c)).collect();
        let loops = fair_loops(self.structure, &reachable, &fair, budget)?;
        Ok(loops.of.iter().any(|&component| component != Components::NONE))
    }

    /// Returns the evidence for the verdict: a counterexample, or a witness; nothing if no steps can show it. If the
    /// budget ends first, it may not be the smallest.
    ///
    /// # Panics
    /// If the result is not a part of the system, which is a bug in the search.
    pub fn show(&self, wanted: EvidenceForm, backend: Backend, budget: &Budget) -> EvidenceOutcome<StateId> {
        match self.search(wanted, budget) {
            Searched::Done(found) => found,
            Searched::Open(question) => self.answer(*question, wanted, backend, budget),
        }
    }

    /// Returns the evidence that graph search finds, before any solver.
    ///
    /// # Panics
    /// As [`ListedTruth::show`].
    pub fn search(&self, wanted: EvidenceForm, budget: &Budget) -> Searched {
        let goal = CtlGoal::new(self.formula, self.holds());
        if let Some(why) = goal.is_shown_by_nothing(self.formula, self.holds()) {
            return Searched::Done(EvidenceOutcome::nothing(why));
        }
        match self.try_search(goal, wanted, budget) {
            Ok(searched) => searched,
            Err(_) => Searched::Done(EvidenceOutcome::nothing(
                "the time or memory ran out before the search for it",
            )),
        }
    }

    fn try_search(
        &self,
        goal: CtlGoal,
        wanted: EvidenceForm,
        budget: &Budget,
    ) -> Result<Searched, Exhausted> {
        budget.check()?;
        let facts = goal.fact_sets(&self.truth, self.structure.states());
        let truth = check(&goal.formula, self.structure, &facts, budget)?;
        let mut known = PriorEvidence::default();
        if wanted != EvidenceForm::Subgraph {
            let search = graph_search(&goal, self.structure, &truth, budget);
            if search.is_shortest()
                && let Some(witness) = search.witness
            {
                return Ok(Searched::Done(self.shown(goal, witness, true, None, &facts)));
            }
            known = search.into();
        }
        let is_small = known.witness.is_some();
        if known.witness.is_none() && wanted != EvidenceForm::Path {
            known.witness = some_subgraph(&goal, self.structure, &truth, MOST_SHOWN, budget).unwrap_or(None);
        }
        Ok(Searched::Open(Box::new(OpenEvidence { goal, known, facts, truth, is_small })))
    }

    /// Answers a question by a solver over the listed states.
    ///
    /// # Panics
    /// As [`ListedTruth::show`].
    pub fn answer(
        &self,
        question: OpenEvidence,
        wanted: EvidenceForm,
        backend: Backend,
        budget: &Budget,
    ) -> EvidenceOutcome<StateId> {
        let budget = &question.budget(budget);
        let OpenEvidence { goal, known, facts, truth, .. } = question;
        let circuit = || Circuit::new(backend.start(budget)).within(budget);
        let make = || Explicit::new(self.structure, &goal, &truth, circuit());
        match extract(make, &goal, wanted, usize::MAX, known) {
            Extracted::Found { witness, minimal, no_path } => {
                self.shown(goal, witness, minimal, no_path, &facts)
            }
            Extracted::Nothing(_) => EvidenceOutcome::nothing(
                "no path without repeated states shows it; --subgraph shows another form",
            ),
            Extracted::Exhausted(_) if wanted == EvidenceForm::Path => {
                EvidenceOutcome::nothing("the time or memory ran out before a path was found")
            }
            Extracted::Exhausted(_) => {
                EvidenceOutcome::nothing("the time or memory ran out before a small subgraph was found")
            }
        }
    }

    /// Returns a witness after evaluating it again; `facts` are the states with each fact of the goal.
    fn shown(
        &self,
        goal: CtlGoal,
        witness: Witness<StateId>,
        minimal: bool,
        no_path: Option<NoPath>,
        facts: &[Bits],
    ) -> EvidenceOutcome<StateId> {
        assert!(witness.is_part_of(self.structure), "what is shown is a part of the system");
        let states = witness.states.len();
        let most = match witness.shape {
            WitnessShape::Subgraph if !minimal => MOST_SHOWN,
            _ => LONGEST_SHOWN,
        };
        if states > most {
            return EvidenceOutcome::Nothing(format!(
                "it takes {states} states, and more than {most} are not shown"
            ));
        }
        let shown = ExplainedWitness::new(witness, &goal, |fact, &state| facts[fact].has(state.index()));
        EvidenceOutcome::Shown(Box::new(Exhibit::new(goal, shown, minimal, no_path)))
    }
}
