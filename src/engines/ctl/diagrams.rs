//! Formulas over models with too many states to list: sets of states are decision diagrams, operators are fixpoints
//! within the reachable states (J. Burch, E. Clarke, K. McMillan, D. Dill, L. Hwang, "Symbolic model checking: 10^20
//! states and beyond", 1990), and evidence is walked through these sets.

mod walks;

use super::extract::{EvidenceForm, ExplainedWitness, NoPath};
use super::goal::CtlGoal;
use super::listed::{LONGEST_SHOWN, MOST_SHOWN};
use super::of_model::ModelFormula;
use super::verdict::{EvidenceOutcome, Exhibit};
use super::witness::{Witness, WitnessShape};
use crate::ctl::formula::{CtlFormula, CtlOp, Subformula};
use crate::relations::{DiagramLimit, DiagramState, KeptDiagram, SymbolicSystem};
use kit::budget::Budget;
use kit::diagram::{Diagram, DiagramStopped};
use lang::model::value::State;
use lang::model::{Model, eval};
use num_bigint::BigUint;
use walks::{DiagramWalks, EvidenceGap};

/// A formula with its truth on all reachable states of a model.
pub struct Implicit<'a> {
    model: &'a Model,
    formula: &'a ModelFormula,
    system: SymbolicSystem,
    /// For each part of the formula the states in which it holds.
    truth: Vec<KeptDiagram>,
}

impl<'a> Implicit<'a> {
    /// Decides a formula.
    ///
    /// # Errors
    /// If the budget ends, or the diagrams become too large.
    pub fn new(model: &'a Model, formula: &'a ModelFormula, budget: &Budget) -> Result<Self, DiagramLimit> {
        let mut system = SymbolicSystem::new(model, &formula.labels, budget)?;
        let labels = system.labels.clone();
        let truth = evaluate(&formula.formula, &mut system, &labels)?;
        Ok(Self { model, formula, system, truth })
    }

    /// True if there is an initial state.
    pub fn has_initial_state(&self) -> bool {
        self.system.of(self.system.initial) != Diagram::ZERO
    }

    /// Returns the number of reachable states.
    pub fn states(&self) -> BigUint {
        self.system.count(self.system.of(self.system.reachable))
    }

    /// True if the formula holds in all initial states.
    ///
    /// # Errors
    /// If the budget ends, or the diagrams become too large, as for all methods below.
    pub fn holds(&mut self) -> Result<bool, DiagramLimit> {
        let root = self.of(self.formula.formula.root);
        let violating = self.system.without(self.system.of(self.system.initial), root);
        self.system.diagrams.check()?;
        Ok(violating == Diagram::ZERO)
    }

    /// Returns the number of reachable states without successor.
    pub fn deadlocks(&mut self) -> Result<BigUint, DiagramLimit> {
        let all = self.system.of(self.system.reachable);
        let before = self.system.before(all, self.system.reachable);
        let ends = self.system.without(all, before);
        self.system.diagrams.check()?;
        Ok(self.system.count(ends))
    }

    /// Returns the fairness conditions that leave no path from an initial state, if they do; see
    /// [`super::ListedTruth::unfair`].
    pub fn unfair(&mut self) -> Result<Option<Vec<Subformula>>, DiagramLimit> {
        let all = &self.formula.formula.fair;
        if all.is_empty() || self.has_path(all)? {
            return Ok(None);
        }
        let mut never = Vec::new();
        for &condition in all {
            if !self.has_path(&[condition])? {
                never.push(condition);
            }
        }
        Ok(Some(if never.is_empty() { all.clone() } else { never }))
    }

    /// True if some path from an initial state meets each of these infinitely often.
    fn has_path(&mut self, conditions: &[Subformula]) -> Result<bool, DiagramStopped> {
        let fair: Vec<KeptDiagram> = conditions.iter().map(|c| self.truth[c.index()]).collect();
        Ok(self.system.always(self.system.reachable, &fair)? != Diagram::ZERO)
    }

    fn of(&self, part: Subformula) -> Diagram {
        self.system.of(self.truth[part.index()])
    }

    /// Returns the evidence for the verdict: a counterexample, or a witness; nothing if no steps can show it, or it
    /// would be too large, or the budget ends first. Paths to a state are shortest; nothing else is guaranteed minimal.
    ///
    /// # Panics
    /// If the result does not show the verdict, which is a bug in the search.
    pub fn show(mut self, wanted: EvidenceForm) -> EvidenceOutcome<State> {
        let Ok(holds) = self.holds() else { return Self::stopped() };
        if !self.has_initial_state() {
            return EvidenceOutcome::nothing("there is no initial state");
        }
        let goal = CtlGoal::new(&self.formula.formula, holds);
        if let Some(why) = goal.is_shown_by_nothing(&self.formula.formula, holds) {
            return EvidenceOutcome::nothing(why);
        }
        match self.walk(&goal) {
            Ok(shown) => self.checked(goal, shown, wanted),
            Err(EvidenceGap::Stopped) => Self::stopped(),
            Err(EvidenceGap::Long(most)) => Self::too_long(most),
        }
    }

    fn stopped() -> EvidenceOutcome<State> {
        EvidenceOutcome::nothing(
            "the time or memory ran out, or the diagrams became too large, before it was found",
        )
    }

    fn too_long(most: usize) -> EvidenceOutcome<State> {
        EvidenceOutcome::Nothing(format!("the evidence has more than {most} states, and is not shown"))
    }

    fn walk(&mut self, goal: &CtlGoal) -> Result<walks::DiagramEvidence, EvidenceGap> {
        let mut facts = Vec::new();
        for fact in &goal.facts {
            let mut set = self.of(fact.part);
            if !fact.holds {
                set = self.system.without(self.system.of(self.system.reachable), set);
            }
            facts.push(self.system.keep(set));
        }
        DiagramWalks::new(&mut self.system, goal, &facts, LONGEST_SHOWN)?.find()
    }

    /// Evaluates the result again.
    fn checked(
        &self,
        goal: CtlGoal,
        shown: walks::DiagramEvidence,
        wanted: EvidenceForm,
    ) -> EvidenceOutcome<State> {
        let walks::DiagramEvidence { mut witness, minimal } = shown;
        let mut no_path = None;
        match (wanted, witness.shape) {
            (EvidenceForm::Path, WitnessShape::Subgraph) => {
                return EvidenceOutcome::nothing(
                    "no path was found that shows it; --subgraph shows another form",
                );
            }
            (EvidenceForm::Subgraph, WitnessShape::Path | WitnessShape::Lasso(_)) => {
                no_path = Some(NoPath::NotWanted);
                witness = Witness::subgraph(witness.states, witness.edges);
            }
            _ => {}
        }
        if witness.shape == WitnessShape::Subgraph && witness.states.len() > MOST_SHOWN {
            return Self::too_long(MOST_SHOWN);
        }
        let fact = |number: usize, row: &DiagramState| {
            let fact = goal.facts[number];
            let holds = self.system.has(self.of(fact.part), row);
            if self.formula.formula.quantifies(fact.part) == (false, false) {
                let state = self.system.state(row);
                let same = holds == self.formula.holds(self.model, fact.part, &state);
                assert!(same, "the diagrams and the reference semantics disagree");
            }
            holds == fact.holds
        };
        let shown = ExplainedWitness::new(witness, &goal, fact);
        let first = self.system.state(&shown.witness.states[0]);
        assert!(eval::is_initial(self.model, &first), "what is shown begins in an initial state");
        let exhibit = Exhibit::new(goal, shown, minimal, no_path.filter(|_| minimal));
        EvidenceOutcome::Shown(Box::new(exhibit)).map(|row| self.system.state(&row))
    }
}

/// Returns for each part of a formula the reachable states in which it holds; `labels` are those with each label. The
/// sets are kept.
///
/// # Errors
/// If the budget ends or there are too many nodes.
pub fn evaluate(
    formula: &CtlFormula,
    system: &mut SymbolicSystem,
    labels: &[KeptDiagram],
) -> Result<Vec<KeptDiagram>, DiagramStopped> {
    let mut truth: Vec<KeptDiagram> = Vec::with_capacity(formula.len());
    for part in formula.parts() {
        let of = |part: &Subformula| truth[part.index()];
        let all = system.of(system.reachable);
        let set = match formula.node(part) {
            CtlOp::True => all,
            CtlOp::Label(label) => system.of(labels[*label]),
            CtlOp::Not(a) => system.without(all, system.of(of(a))),
            CtlOp::And(a, b) => system.diagrams.and(system.of(of(a)), system.of(of(b))),
            CtlOp::Or(a, b) => system.diagrams.or(system.of(of(a)), system.of(of(b))),
            CtlOp::Next(a) => system.before(system.of(of(a)), system.reachable),
            CtlOp::Until(a, b) => system.until(of(a), of(b))?,
            CtlOp::Always { of: a, fair } => {
                let fair: Vec<KeptDiagram> = fair.iter().map(of).collect();
                system.always(of(a), &fair)?
            }
        };
        system.diagrams.check()?;
        truth.push(system.keep(set));
        system.tidy();
    }
    Ok(truth)
}
