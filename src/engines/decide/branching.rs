//! Branching-time properties: list the states, represent sets of them as decision diagrams, prove an invariant, or
//! examine parts of the system.

use crate::ctl::{
    CtlFormula, CtlOp, CtlVerdict, EvidenceForm, EvidenceOutcome, IMPROVING, Implicit, ListedTruth,
    ModelFormula, PreservationClass, PriorEvidence, Scoped, Searched, Subformula, is_about_one_state,
};
use crate::explore::{DEFAULT_SEARCH_LIMIT, Reachable, Stop, reachable};
use crate::prove::{self, InvariantDecision, InvariantEvidence, InvariantMethod, ProofEffort, Reduction};
use crate::relations::DiagramLimit;
use explicit::lts::StateId;
use kit::budget::{Budget, Exhausted};
use lang::model::Model;
use lang::model::expr::{Expr, Op};
use lang::model::value::State;
use num_bigint::BigUint;
use solvers::sat::Backend;
use std::fmt;
use std::time::Duration;

/// The longest time for listing states if there are other ways; also limited to half of the budget.
const LISTING: Duration = Duration::from_secs(20);

/// The most states that are listed before decision diagrams are tried.
const FEW_STATES: usize = 100_000;

/// The longest time for decision diagrams; also limited to half of the budget.
const DIAGRAMS: Duration = Duration::from_secs(60);

/// The default scope if the states cannot be listed.
const USUAL_SCOPE: usize = 12;

/// With more states than this, a solver searches the model itself, if possible, rather than its listed states.
const MANY_STATES: usize = 3000;

/// Options for deciding a formula and for its evidence.
#[derive(Debug, Clone)]
pub struct BranchingOptions {
    /// The form of the evidence. By default a path where there is one.
    pub wanted: EvidenceForm,
    /// If given, only connected parts of up to this many states (at least 1) are examined. By default all states, if
    /// they can be listed.
    pub scope: Option<usize>,
    /// The most states that are listed; a million by default.
    pub max_states: usize,
    /// The solver that searches; CaDiCaL by default.
    pub backend: Backend,
}

impl Default for BranchingOptions {
    fn default() -> Self {
        Self {
            wanted: EvidenceForm::default(),
            scope: None,
            max_states: DEFAULT_SEARCH_LIMIT,
            backend: Backend::Cadical,
        }
    }
}

/// The basis of a verdict.
#[derive(Debug, Clone, PartialEq)]
pub enum Basis {
    /// All reachable states were listed.
    States {
        /// Their number.
        states: usize,
        /// The number of different transitions; transitions between the same states count once for each label.
        transitions: usize,
    },
    /// All reachable states, as decision diagrams.
    Diagrams {
        /// Their number.
        states: BigUint,
    },
    /// Connected parts of up to this many states that contain an initial state.
    Scope(usize),
    /// A proof without listing the states.
    Proof(InvariantEvidence),
}

/// The phase in which the budget ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BudgetPhase {
    /// Listing the states.
    Exploring,
    /// Evaluating the formula on them.
    Evaluating,
}

/// A property of the system that may be unintended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caveat {
    /// The number of reachable states without successor, which operators over infinite paths ignore.
    Deadlocks(BigUint),
    /// No path meets each of these fairness conditions infinitely often, so that every universal operator holds.
    Unfair(Vec<Subformula>),
}

/// A decision about a formula.
#[derive(Debug, Clone)]
pub struct Branching {
    /// The verdict.
    pub verdict: CtlVerdict,
    /// The basis of the verdict.
    pub basis: Basis,
    /// The evidence.
    pub found: EvidenceOutcome<State>,
    /// Filled only if the verdict rests on all states and time was left to look for them.
    pub doubts: Vec<Caveat>,
}

/// The reason why there is no decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDecision {
    /// The model has no initial state, so that every formula would hold.
    NoInitialState,
    /// The budget ended first.
    Exhausted {
        /// The phase in which the budget ended.
        phase: BudgetPhase,
        /// The limit that was reached.
        why: Exhausted,
    },
}

impl fmt::Display for NoDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDecision::NoInitialState => f.write_str("the model has no initial state"),
            NoDecision::Exhausted { phase: BudgetPhase::Exploring, .. } => {
                f.write_str("the budget ended while the states were listed")
            }
            NoDecision::Exhausted { phase: BudgetPhase::Evaluating, .. } => {
                f.write_str("the budget ended while the formula was evaluated")
            }
        }
    }
}

impl std::error::Error for NoDecision {}

/// Decides a formula over a model: on all states, listed if there are few and as decision diagrams otherwise; or by a
/// proof if it is `AG` of a state formula; or on parts of the system. The last leaves [`CtlVerdict::Undecided`] if nothing
/// follows from a part.
///
/// # Errors
/// If there is no initial state, or the budget ends before anything is known.
///
/// # Panics
/// If two engines contradict each other, which is a bug in one of them.
pub fn branching(
    model: &Model,
    formula: &ModelFormula,
    options: &BranchingOptions,
    budget: &Budget,
) -> Result<Branching, NoDecision> {
    let portfolio = Portfolio { model, formula, options, budget };
    let few = options.scope.unwrap_or(options.max_states.min(FEW_STATES));
    let stop = match portfolio.list(few) {
        Ok(decided) => return decided,
        Err(stop) => stop,
    };
    if options.scope.is_some() {
        return Ok(portfolio.unlisted());
    }
    let more_listed = matches!(stop, Stop::States(_)) && few < options.max_states;
    let is_last = !more_listed && formula.formula.class() == PreservationClass::Mixed;
    let part = if is_last { budget.clone() } else { budget.share(2).at_most(DIAGRAMS) };
    let unfinished = match portfolio.on_diagrams(&part) {
        Ok(decided) => return decided,
        Err(why) => why,
    };
    if more_listed && let Ok(decided) = portfolio.list(options.max_states) {
        return decided;
    }
    let decided = portfolio.unlisted();
    // No part of a system decides a mixed formula, and more memory might.
    if let DiagramLimit::Budget(why @ Exhausted::Memory) = unfinished
        && formula.formula.class() == PreservationClass::Mixed
    {
        return Err(NoDecision::Exhausted { phase: BudgetPhase::Evaluating, why });
    }
    let had_too_little_time = matches!(unfinished, DiagramLimit::Budget(Exhausted::Time));
    // The remaining time is for ways that may still decide.
    if matches!(decided.verdict, CtlVerdict::Undecided(_))
        && had_too_little_time
        && budget.exhausted().is_none()
        && let Ok(Ok(more)) = portfolio.on_diagrams(budget)
    {
        return Ok(more);
    }
    Ok(decided)
}

struct Portfolio<'a> {
    model: &'a Model,
    formula: &'a ModelFormula,
    options: &'a BranchingOptions,
    budget: &'a Budget,
}

impl Portfolio<'_> {
    /// Decides on at most `limit` listed states.
    ///
    /// # Errors
    /// If there are more states, or listing them takes too long while there is time for other ways.
    fn list(&self, limit: usize) -> Result<Result<Branching, NoDecision>, Stop> {
        let Self { model, formula, options, budget } = *self;
        // No part of a system proves a mixed formula.
        let only_way = options.scope.is_some() || formula.formula.class() == PreservationClass::Mixed;
        let listing = if only_way { budget.clone() } else { budget.share(2).at_most(LISTING) };
        // States are numbered below 2³² − 1.
        let reached = reachable(model, limit.min(u32::MAX as usize - 2), &listing);
        if reached.complete() && reached.initial == 0 {
            return Ok(Err(NoDecision::NoInitialState));
        }
        match reached.stopped {
            None => {
                let phase = BudgetPhase::Evaluating;
                Ok(self.listed(&reached).map_err(|why| NoDecision::Exhausted { phase, why }))
            }
            Some(Stop::Budget(why)) if budget.exhausted().is_some() => {
                Ok(Err(NoDecision::Exhausted { phase: BudgetPhase::Exploring, why }))
            }
            // The states are no longer of use, and would fill the memory that other ways need.
            Some(stop) => Err(stop),
        }
    }

    /// Decides with decision diagrams, on a part of the budget.
    ///
    /// # Errors
    /// If these become too large, or take too long while there is time for other ways.
    fn on_diagrams(&self, part: &Budget) -> Result<Result<Branching, NoDecision>, DiagramLimit> {
        match (self.implicit(part), self.budget.exhausted()) {
            (Ok(decided), _) => {
                Ok(decided.map(|decided| self.improved(decided)).ok_or(NoDecision::NoInitialState))
            }
            (Err(_), Some(why)) => Ok(Err(NoDecision::Exhausted { phase: BudgetPhase::Evaluating, why })),
            (Err(unfinished), None) => Err(unfinished),
        }
    }

    /// Decides with decision diagrams; returns `None` if there is no initial state.
    fn implicit(&self, budget: &Budget) -> Result<Option<Branching>, DiagramLimit> {
        let mut implicit = Implicit::new(self.model, self.formula, budget)?;
        if !implicit.has_initial_state() {
            return Ok(None);
        }
        let holds = implicit.holds()?;
        Ok(Some(with_evidence(implicit, holds, self.options.wanted)))
    }

    /// Lets a solver look for smaller evidence, or prove that there is none.
    fn improved(&self, decided: Branching) -> Branching {
        let found = match decided.found {
            EvidenceOutcome::Shown(exhibit)
                if !exhibit.minimal && is_about_one_state(&self.formula.formula, &exhibit.goal) =>
            {
                let most = exhibit.witness.states.len();
                let known = PriorEvidence { witness: Some(exhibit.witness), ..PriorEvidence::default() };
                let budget = self.budget.at_most(IMPROVING);
                Scoped { budget: &budget, ..self.scoped() }.show(exhibit.goal, most, known)
            }
            found => found,
        };
        Branching { found, ..decided }
    }

    /// Decides on all reachable states.
    fn listed(&self, reached: &Reachable) -> Result<Branching, Exhausted> {
        let Self { model, formula, options, budget } = *self;
        let (structure, labels) = formula.structure(model, reached, budget)?;
        let mut doubts: Vec<Caveat> =
            structure.deadlocks().into_iter().map(|(_, count)| Caveat::Deadlocks(count.into())).collect();
        let listed = ListedTruth::new(&formula.formula, &structure, &labels, budget)?;
        // The verdict stands, even if no time is left for doubts.
        doubts.extend(listed.unfair(budget).unwrap_or(None).map(Caveat::Unfair));
        let states = structure.states();
        let of = |state: StateId| reached.states[state.index()].clone();
        let found = match listed.search(options.wanted, budget) {
            Searched::Done(found) => found.map(of),
            // A slot for listed states grows with their number; one for a state of the model does not.
            Searched::Open(question)
                if states > MANY_STATES && is_about_one_state(&formula.formula, &question.goal) =>
            {
                let budget = question.budget(budget);
                let known = question.known.map(of);
                Scoped { budget: &budget, ..self.scoped() }.show(question.goal, states, known)
            }
            Searched::Open(question) => {
                listed.answer(*question, options.wanted, options.backend, budget).map(of)
            }
        };
        let basis = Basis::States { states, transitions: reached.edges.len() };
        Ok(Branching { verdict: listed.verdict(), basis, found, doubts })
    }

    /// Decides without listing all states: by a proof for invariants, else on parts of the system.
    fn unlisted(&self) -> Branching {
        let mut scope = self.options.scope.unwrap_or(USUAL_SCOPE);
        if self.options.scope.is_none()
            && let Some(invariant) = invariant_of(self.formula)
        {
            // A part of the system may show a violation where the proof does not end.
            let budget = &self.budget.share(2);
            let effort = ProofEffort { backend: self.options.backend, budget, observer: &mut () };
            match prove::decide(self.model, &invariant, InvariantMethod::Auto, Reduction::Nothing, effort) {
                InvariantDecision::Holds(evidence) => {
                    let why = "no steps can show that it holds: it is about all paths";
                    return Branching {
                        verdict: CtlVerdict::Holds,
                        basis: Basis::Proof(evidence),
                        found: EvidenceOutcome::nothing(why),
                        doubts: Vec::new(),
                    };
                }
                // With fairness, the path must continue from there; so far only the number of steps to the state is
                // known.
                InvariantDecision::Violated { steps, .. } => scope = scope.max(steps + 1),
                InvariantDecision::Unknown { .. } => {}
            }
        }
        let decided = self.scoped().decide(scope);
        Branching {
            verdict: decided.verdict,
            basis: Basis::Scope(scope),
            found: decided.found,
            doubts: Vec::new(),
        }
    }

    fn scoped(&self) -> Scoped<'_> {
        let Self { model, formula, options, budget } = *self;
        Scoped { model, formula, wanted: options.wanted, backend: options.backend, budget }
    }
}

/// Adds evidence and doubts to a verdict. The verdict stands, even if no time is left for them.
pub fn with_evidence(mut implicit: Implicit<'_>, holds: bool, wanted: EvidenceForm) -> Branching {
    let mut doubts = Vec::new();
    let deadlocks = implicit.deadlocks().unwrap_or(BigUint::ZERO);
    if deadlocks != BigUint::ZERO {
        doubts.push(Caveat::Deadlocks(deadlocks));
    }
    doubts.extend(implicit.unfair().unwrap_or(None).map(Caveat::Unfair));
    let basis = Basis::Diagrams { states: implicit.states() };
    let found = implicit.show(wanted);
    let verdict = if holds { CtlVerdict::Holds } else { CtlVerdict::Violated };
    Branching { verdict, basis, found, doubts }
}

/// Returns the state formula if this is `AG` of one. If it holds on all paths, it also holds on the fair ones.
fn invariant_of(formula: &ModelFormula) -> Option<Expr> {
    let all = &formula.formula;
    let CtlOp::Not(some) = all.node(all.root) else { return None };
    let CtlOp::Until(through, bad) = all.node(*some) else { return None };
    let bad = all.without_fair_path(*bad);
    let is_state_formula = *all.node(*through) == CtlOp::True && all.quantifies(bad) == (false, false);
    is_state_formula.then(|| state_formula(all, &formula.labels, bad).negated())
}

/// Returns a part without temporal operators as an expression of the model.
fn state_formula(formula: &CtlFormula, labels: &[Expr], part: Subformula) -> Expr {
    let of = |part: &Subformula| state_formula(formula, labels, *part);
    match formula.node(part) {
        CtlOp::Label(label) => labels[*label].clone(),
        CtlOp::Not(a) => of(a).negated(),
        CtlOp::And(a, b) => Expr::binary_bool(Op::And, of(a), of(b)),
        CtlOp::Or(a, b) => Expr::binary_bool(Op::Or, of(a), of(b)),
        CtlOp::True => Expr::bool(true, Default::default()),
        CtlOp::Next(_) | CtlOp::Until(..) | CtlOp::Always { .. } => {
            unreachable!("the part has no operators")
        }
    }
}
