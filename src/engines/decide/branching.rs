//! Properties of branching time: list the states, or keep sets of them as decision diagrams, or prove an invariant, or examine
//! parts of the system.

use crate::ctl::{
    Class, Formula, Found, IMPROVING, Implicit, Known, Listed, ModelFormula, Node, Part, Scoped, Searched,
    Unfinished, Verdict, Wanted, is_about_one_state,
};
use crate::explore::{DEFAULT_SEARCH_LIMIT, Reachable, Stop, reachable};
use crate::prove::{self, Decision, Effort, Evidence, Reduction, Way};
use explicit::lts::StateId;
use kit::budget::{Budget, Exhausted};
use lang::model::Model;
use lang::model::expr::{Expr, Op};
use lang::model::value::State;
use num_bigint::BigUint;
use solvers::sat::Backend;
use std::fmt;
use std::time::Duration;

/// Where there are other ways, states are listed for no longer than this, and for half of the time at most.
const LISTING: Duration = Duration::from_secs(20);

/// More states than this are listed only if decision diagrams do not decide.
const FEW_STATES: usize = 100_000;

/// Decision diagrams are tried for no longer than this, and for half of the time at most.
const DIAGRAMS: Duration = Duration::from_secs(60);

/// The scope, where the states cannot be listed and none is given.
const USUAL_SCOPE: usize = 12;

/// With more states than this, a solver searches the model itself rather than its listed states, where that is possible.
const MANY_STATES: usize = 3000;

/// How a formula is decided, and what is shown.
#[derive(Debug, Clone)]
pub struct BranchingOptions {
    /// The form of what is shown. By default a path where there is one.
    pub wanted: Wanted,
    /// If given, only connected parts of up to so many states are examined, at least 1. By default all states, if they can be
    /// listed.
    pub scope: Option<usize>,
    /// At most so many states are listed; a million by default.
    pub max_states: usize,
    /// The solver that searches; CaDiCaL by default.
    pub backend: Backend,
}

impl Default for BranchingOptions {
    fn default() -> Self {
        Self {
            wanted: Wanted::default(),
            scope: None,
            max_states: DEFAULT_SEARCH_LIMIT,
            backend: Backend::Cadical,
        }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Basis {
    /// All reachable states were listed.
    States {
        /// How many there are.
        states: usize,
        /// How many different steps lead from one to another; of steps with the same ends each label counts.
        transitions: usize,
    },
    /// All reachable states, as decision diagrams.
    Diagrams {
        /// How many there are.
        states: BigUint,
    },
    /// Connected parts of up to so many states from an initial one.
    Scope(usize),
    /// A proof without listing the states.
    Proof(Evidence),
}

/// What was going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Listing the states.
    Exploring,
    /// Evaluating the formula on them.
    Evaluating,
}

/// Something about the system that may not be intended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// So many reachable states have no successor, which operators over infinite paths ignore.
    Deadlocks(BigUint),
    /// No path meets each of these fairness conditions infinitely often, so that every universal operator holds.
    Unfair(Vec<Part>),
}

/// A decision about a formula.
#[derive(Debug, Clone)]
pub struct Branching {
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on.
    pub basis: Basis,
    /// What shows it.
    pub found: Found<State>,
    /// Only where the verdict rests on all states, and there was time to look for them.
    pub doubts: Vec<Doubt>,
}

/// Why nothing can be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDecision {
    /// The model has no initial state, so that every formula would hold.
    NoInitialState,
    /// The budget ended first.
    Exhausted {
        /// During this.
        phase: Phase,
        /// What ended.
        why: Exhausted,
    },
}

impl fmt::Display for NoDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDecision::NoInitialState => f.write_str("the model has no initial state"),
            NoDecision::Exhausted { phase: Phase::Exploring, .. } => {
                f.write_str("the budget ended while the states were listed")
            }
            NoDecision::Exhausted { phase: Phase::Evaluating, .. } => {
                f.write_str("the budget ended while the formula was evaluated")
            }
        }
    }
}

impl std::error::Error for NoDecision {}

/// Decides a formula over a model: on all states, listed where they are few and otherwise as decision diagrams; or by a proof if it
/// is `AG` of a state formula; or on parts of the system. The last step leaves [`Verdict::Undecided`] where nothing follows from
/// a part.
///
/// # Errors
/// If there is no initial state, or the budget ends before anything is known.
///
/// # Panics
/// If two engines contradict each other: one of them is wrong then.
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
    let is_last = !more_listed && formula.formula.class() == Class::Mixed;
    let part = if is_last { budget.clone() } else { budget.share(2).at_most(DIAGRAMS) };
    let unfinished = match portfolio.on_diagrams(&part) {
        Ok(decided) => return decided,
        Err(why) => why,
    };
    if more_listed && let Ok(decided) = portfolio.list(options.max_states) {
        return decided;
    }
    let decided = portfolio.unlisted();
    let had_too_little_time = matches!(unfinished, Unfinished::Budget(Exhausted::Time));
    // What is left of the time is for what may still decide.
    if matches!(decided.verdict, Verdict::Undecided(_))
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
    /// Decides with up to so many listed states.
    ///
    /// # Errors
    /// If there are more states, or listing them takes too long, but there is time for other ways.
    fn list(&self, limit: usize) -> Result<Result<Branching, NoDecision>, Stop> {
        let Self { model, formula, options, budget } = *self;
        // No part of a system proves a mixed formula.
        let only_way = options.scope.is_some() || formula.formula.class() == Class::Mixed;
        let listing = if only_way { budget.clone() } else { budget.share(2).at_most(LISTING) };
        // States are numbered below 2³² − 1.
        let reached = reachable(model, limit.min(u32::MAX as usize - 2), &listing);
        if reached.complete() && reached.initial == 0 {
            return Ok(Err(NoDecision::NoInitialState));
        }
        match reached.stopped {
            None => {
                let phase = Phase::Evaluating;
                Ok(self.listed(&reached).map_err(|why| NoDecision::Exhausted { phase, why }))
            }
            Some(Stop::Budget(why)) if budget.exhausted().is_some() => {
                Ok(Err(NoDecision::Exhausted { phase: Phase::Exploring, why }))
            }
            // The states do not help any more, and would fill the memory that others need.
            Some(stop) => Err(stop),
        }
    }

    /// With decision diagrams, for a part of the budget.
    ///
    /// # Errors
    /// If these become too large, or it takes too long, but there is time for other ways.
    fn on_diagrams(&self, part: &Budget) -> Result<Result<Branching, NoDecision>, Unfinished> {
        match (self.implicit(part), self.budget.exhausted()) {
            (Ok(decided), _) => {
                Ok(decided.map(|decided| self.improved(decided)).ok_or(NoDecision::NoInitialState))
            }
            (Err(_), Some(why)) => Ok(Err(NoDecision::Exhausted { phase: Phase::Evaluating, why })),
            (Err(unfinished), None) => Err(unfinished),
        }
    }

    /// The same; `None` if there is no initial state.
    fn implicit(&self, budget: &Budget) -> Result<Option<Branching>, Unfinished> {
        let mut implicit = Implicit::new(self.model, self.formula, budget)?;
        if !implicit.has_initial_state() {
            return Ok(None);
        }
        let holds = implicit.holds()?;
        Ok(Some(with_evidence(implicit, holds, self.options.wanted)))
    }

    /// The same where a solver looks for something smaller to show, or proves that there is nothing.
    fn improved(&self, decided: Branching) -> Branching {
        let found = match decided.found {
            Found::Shown(exhibit)
                if !exhibit.minimal && is_about_one_state(&self.formula.formula, &exhibit.goal) =>
            {
                let most = exhibit.witness.states.len();
                let known = Known { witness: Some(exhibit.witness), ..Known::default() };
                let budget = self.budget.at_most(IMPROVING);
                Scoped { budget: &budget, ..self.scoped() }.show(exhibit.goal, most, known)
            }
            found => found,
        };
        Branching { found, ..decided }
    }

    /// With all reachable states.
    fn listed(&self, reached: &Reachable) -> Result<Branching, Exhausted> {
        let Self { model, formula, options, budget } = *self;
        let (structure, labels) = formula.structure(model, reached, budget)?;
        let mut doubts: Vec<Doubt> =
            structure.deadlocks().into_iter().map(|(_, count)| Doubt::Deadlocks(count.into())).collect();
        let listed = Listed::new(&formula.formula, &structure, &labels, budget)?;
        // The verdict stands, whatever else there is time for.
        doubts.extend(listed.unfair(budget).unwrap_or(None).map(Doubt::Unfair));
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

    /// Where there are too many states: a proof if it is an invariant, else parts of the system.
    fn unlisted(&self) -> Branching {
        let mut scope = self.options.scope.unwrap_or(USUAL_SCOPE);
        if self.options.scope.is_none()
            && let Some(invariant) = invariant_of(self.formula)
        {
            // A part of the system may show a violation where the proof does not end.
            let budget = &self.budget.share(2);
            let effort = Effort { backend: self.options.backend, budget, observer: &mut () };
            match prove::decide(self.model, &invariant, Way::Auto, Reduction::Nothing, effort) {
                Decision::Holds(evidence) => {
                    let why = "no steps can show that it holds: it is about all paths";
                    return Branching {
                        verdict: Verdict::Holds,
                        basis: Basis::Proof(evidence),
                        found: Found::nothing(why),
                        doubts: Vec::new(),
                    };
                }
                // With fairness, the path to there has to go on: so far only the number of steps to it is known.
                Decision::Violated(steps) => scope = scope.max(steps + 1),
                Decision::Unknown { .. } => {}
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

/// A verdict with what else can be said of it. The verdict stands, whatever else there is time for.
pub fn with_evidence(mut implicit: Implicit<'_>, holds: bool, wanted: Wanted) -> Branching {
    let mut doubts = Vec::new();
    let deadlocks = implicit.deadlocks().unwrap_or(BigUint::ZERO);
    if deadlocks != BigUint::ZERO {
        doubts.push(Doubt::Deadlocks(deadlocks));
    }
    doubts.extend(implicit.unfair().unwrap_or(None).map(Doubt::Unfair));
    let basis = Basis::Diagrams { states: implicit.states() };
    let found = implicit.show(wanted);
    let verdict = if holds { Verdict::Holds } else { Verdict::Violated };
    Branching { verdict, basis, found, doubts }
}

/// The state formula, if this is `AG` of one. Where it holds on all paths, it holds on the fair ones, too.
fn invariant_of(formula: &ModelFormula) -> Option<Expr> {
    let all = &formula.formula;
    let Node::Not(some) = all.node(all.root) else { return None };
    let Node::Until(through, bad) = all.node(*some) else { return None };
    let bad = all.without_fair_path(*bad);
    let is_state_formula = *all.node(*through) == Node::True && all.quantifies(bad) == (false, false);
    is_state_formula.then(|| state_formula(all, &formula.labels, bad).negated())
}

/// A part without operators as an expression of the model.
fn state_formula(formula: &Formula, labels: &[Expr], part: Part) -> Expr {
    let of = |part: &Part| state_formula(formula, labels, *part);
    match formula.node(part) {
        Node::Label(label) => labels[*label].clone(),
        Node::Not(a) => of(a).negated(),
        Node::And(a, b) => Expr::binary_bool(Op::And, of(a), of(b)),
        Node::Or(a, b) => Expr::binary_bool(Op::Or, of(a), of(b)),
        Node::True => Expr::bool(true, Default::default()),
        Node::Next(_) | Node::Until(..) | Node::Always { .. } => {
            unreachable!("the part has no operators")
        }
    }
}
