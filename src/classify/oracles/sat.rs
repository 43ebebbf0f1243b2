//! The unrolled model with the questions of a classification: counterexamples outside of certain classes, and
//! sufficiency of a trace constraint for a violation.
//!
//! Traces of up to `bound` steps may end anywhere. A trace that violates the invariant, or matches a class, still does so
//! when it is extended, except for absences up to the end. Counterexamples are therefore searched among the traces that
//! end in their first violation. Sufficiency is decided on violation-free traces of every length; an accepting trace
//! still satisfies its constraint when it is cut after the last position of a fact. Traces of an exact length are never
//! cut: counterexamples go on after their first violation. The position variables of a constraint are *slots*: the solver
//! chooses their positions, so that a constraint is checked as it stands, not at the positions where it was found.

use crate::automata::listing::{AcceptingTrace, ListedAnswer, ListedModel, Listing};
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Assignment, Fact};
use crate::facts::index::{DomainId, IndividualVar, PositionVar};
use crate::facts::problem::Problem;
use crate::oracles::orbit::InterchangeableValues;
use answered::AnswerMemo;
use itertools::Itertools;
use kit::budget::{Budget, Limited};
use lang::model::expr::Expr;
use lang::model::value::Value;
use lang::model::{Position, eval};
use lang::trace::Trace;
use lazy::Lazy;
use rustc_hash::{FxHashMap, FxHashSet};
use slots::{At, PositionLiterals};
use solvers::sat::{Circuit, Lit, Setup};
use solvers::unroll::{Lengths, Unrolling};
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

pub mod answered;
mod answers;
mod lazy;
mod orbits;
mod slots;

/// The number of lengths tried at a time for an accepting trace that is shown.
const STRIDE: usize = 4;
/// The number of accepting traces remembered.
const MOST_ACCEPTED: usize = 16;

/// A model unrolled for classification.
pub struct SatOracle<'m> {
    /// The unrolling.
    pub unrolling: Unrolling<'m>,
    /// The problem to classify.
    pub problem: Problem<'m>,
    /// The atoms of all facts and constraints.
    pub atoms: &'m Atoms,
    /// The greatest number of steps of counterexamples, if less than the number unrolled.
    most_violating: Option<usize>,
    /// For each position, true if its state satisfies the invariant.
    good: Vec<Lit>,
    /// For each position, true if all states up to it satisfy the invariant.
    good_so_far: Vec<Lit>,
    /// A literal that, when assumed, makes every state of the trace satisfy the invariant.
    accepting: Option<Lit>,
    slots: FxHashMap<PositionVar, PositionLiterals>,
    /// For each individual, the literals of its values.
    individuals: FxHashMap<(DomainId, IndividualVar), Vec<(Value, Lit)>>,
    facts: FxHashMap<Fact, Lit>,
    conjuncts: FxHashMap<At, Lit>,
    /// Blocking literals, true in every trace of a class.
    matched: FxHashMap<Constraint, Lit>,
    /// Literals that make constraints hold, each with variables of its own.
    present: FxHashMap<Constraint, Lit>,
    /// Literals that are true exactly in the traces that satisfy constraints of one position, if these have such literals.
    occurring: FxHashMap<Constraint, Option<Lit>>,
    /// The literal of a ladder's rung, by the previous rung and the literals required here; the ladders of a
    /// class share rungs.
    pub(crate) rungs: FxHashMap<(Lit, Vec<Lit>), Lit>,
    /// Classes excluded match by match.
    lazy: Vec<Lazy>,
    states: ListedModel<'m>,
    exchange: Option<Arc<InterchangeableValues>>,
    /// The literals that order them, as values of these individuals and then as arguments of steps.
    in_order: FxHashMap<Vec<(DomainId, IndividualVar)>, Lit>,
    /// The setup of solvers, if a separate one answers questions about sufficiency.
    solver: Option<Setup>,
    /// The unrolling in that solver.
    harmless: Option<Box<SatOracle<'m>>>,
    /// Memoised answers about sufficiency.
    answered: AnswerMemo,
    /// Traces without violation found recently.
    accepted: VecDeque<Trace>,
    /// Accepting traces that are part of the result, with the constraints that they satisfy.
    shown: Vec<(Constraint, AcceptingTrace)>,
    budget: Budget,
}

/// The answer to a question of sufficiency.
#[derive(Debug)]
pub enum Sufficiency {
    /// The constraint implies a violation, and so does this part of it.
    Sufficient(Core),
    /// The constraint does not: a trace without violation satisfies it.
    Insufficient(AcceptingTrace),
}

/// A part of a constraint that implies a violation.
#[derive(Debug)]
pub struct Core {
    /// The indices of its facts.
    pub facts: Vec<usize>,
    /// The length of traces, in steps, up to which this is proved.
    pub steps: usize,
}

impl<'m> SatOracle<'m> {
    /// Unrolls the initial position only.
    pub fn new(
        problem: Problem<'m>,
        atoms: &'m Atoms,
        lengths: Lengths,
        solver: impl Into<Setup>,
        budget: &Budget,
    ) -> Self {
        let solver = solver.into();
        let circuit = Circuit::new(solver.start(budget));
        Self { solver: Some(solver), ..Self::over(problem, atoms, lengths, circuit, budget) }
    }

    /// Unrolls the initial position only, in an empty circuit.
    pub fn over(
        problem: Problem<'m>,
        atoms: &'m Atoms,
        lengths: Lengths,
        circuit: Circuit,
        budget: &Budget,
    ) -> Self {
        let circuit = circuit.within(budget);
        let unrolling = Unrolling::new(problem.model, lengths, circuit);
        let mut oracle = Self {
            unrolling,
            problem,
            atoms,
            most_violating: None,
            good: Vec::new(),
            good_so_far: Vec::new(),
            accepting: None,
            slots: FxHashMap::default(),
            individuals: FxHashMap::default(),
            facts: FxHashMap::default(),
            conjuncts: FxHashMap::default(),
            matched: FxHashMap::default(),
            present: FxHashMap::default(),
            occurring: FxHashMap::default(),
            rungs: FxHashMap::default(),
            lazy: Vec::new(),
            states: ListedModel::new(problem),
            exchange: None,
            in_order: FxHashMap::default(),
            solver: None,
            harmless: None,
            answered: AnswerMemo::default(),
            accepted: VecDeque::new(),
            shown: Vec::new(),
            budget: budget.clone(),
        };
        oracle.judge();
        oracle
    }

    /// Unrolls all positions for traces of these lengths.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn unrolled(
        problem: Problem<'m>,
        atoms: &'m Atoms,
        lengths: Lengths,
        solver: impl Into<Setup>,
        budget: &Budget,
    ) -> Limited<Self> {
        let mut oracle = Self::new(problem, atoms, lengths, solver, budget);
        oracle.grow_to(lengths.bound())?;
        Ok(oracle)
    }

    /// Limits counterexamples to `steps` steps from now on. Traces without violation may be longer, up to the
    /// number of steps unrolled.
    pub fn limit_violations(&mut self, steps: usize) {
        self.most_violating = Some(steps);
    }

    /// Returns the greatest number of steps of counterexamples.
    pub fn most_steps(&self) -> usize {
        self.most_violating.map_or(self.longest(), |steps| steps.min(self.longest()))
    }

    /// Returns the greatest number of steps unrolled.
    pub fn longest(&self) -> usize {
        self.good.len() - 1
    }

    /// Iterates over the positions so far, in order.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = Position> + Clone + use<> {
        Position::all(self.good.len())
    }

    /// Returns the lengths of the traces considered.
    pub fn lengths(&self) -> Lengths {
        self.unrolling.lengths
    }

    /// Adds positions for counterexamples with their first violation after up to `steps` steps. Must not be
    /// called after the first question about sufficiency.
    pub fn grow_to(&mut self, steps: usize) -> Limited<()> {
        debug_assert!(self.slots.is_empty() && self.accepting.is_none());
        self.unrolling.grow_to(steps)?;
        self.judge();
        Ok(())
    }

    /// Returns the model in a solver of its own, restricted to traces without violation. Many questions about sufficiency
    /// take less time there: literals that contradict the invariant are simplified away, and there are no blocking clauses.
    fn harmless(&mut self) -> Limited<&mut Self> {
        let Some(solver) = self.solver else { return Ok(self) };
        if self.harmless.is_none() {
            let circuit = Circuit::new(solver.start(&self.budget));
            let lengths = self.lengths();
            let mut harmless = Self::over(self.problem, self.atoms, lengths, circuit, &self.budget);
            harmless.grow_to(self.longest())?;
            let accepting = harmless.accepting();
            harmless.circuit().add_clause(&[accepting]);
            if let Some(exchange) = &self.exchange {
                harmless.exchange(Arc::clone(exchange));
            }
            self.harmless = Some(Box::new(harmless));
        }
        Ok(self.harmless.as_mut().expect("it was made"))
    }

    /// Iterates over the circuits: its own, and that of the traces without violation, if it exists.
    fn circuits(&self) -> impl Iterator<Item = &Circuit> {
        std::iter::once(self).chain(self.harmless.as_deref()).map(|oracle| &oracle.unrolling.circuit)
    }

    /// Evaluates the invariant at the new positions.
    fn judge(&mut self) {
        while self.good.len() < self.unrolling.frames.len() {
            let position = Position::new(self.good.len());
            let good = self.unrolling.state_truth(self.problem.invariant, position);
            let so_far = match self.good_so_far.last() {
                Some(&before) => self.unrolling.circuit.and(before, good),
                None => good,
            };
            self.good.push(good);
            self.good_so_far.push(so_far);
        }
    }

    /// Returns a literal that is true if a state formula holds at a position of the trace.
    pub fn state_truth(&mut self, formula: &Expr, position: Position) -> Lit {
        self.unrolling.state_truth(formula, position)
    }

    /// Returns the first trace with its first violation after `steps` steps, under `assumed`. It ends there unless its length
    /// is given; then later moments are chosen by the solver, because minimising them would take longer than everything else.
    pub fn counterexample(&mut self, steps: usize, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = self.violating_after(steps);
        assumptions.extend(assumed);
        loop {
            if !self.satisfiable(&assumptions)? {
                return Ok(None);
            }
            // The first of all, regardless of orbits.
            assumptions.retain(|lit| !self.in_order.values().contains(lit));
            self.unrolling.first_trace(steps, &assumptions)?;
            let trace = self.violating_trace(steps);
            if !self.excludes(&trace, assumed) {
                return Ok(Some(trace));
            }
        }
    }

    /// Returns the first of the shortest counterexamples with at least `least` steps before the first
    /// violation, under `assumed`.
    pub fn first_from(&mut self, mut least: usize, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut width = 1;
        while least <= self.most_steps() {
            let most = self.most_steps().min(least + width - 1);
            if let Some(trace) = self.first_among(least..=most, assumed)? {
                return Ok(Some(trace));
            }
            least = most + 1;
            width = self.more(width);
        }
        Ok(None)
    }

    /// Returns the number of lengths to ask about at once after there was no counterexample of `width`
    /// lengths. If all traces have the same length, many lengths take hardly longer than one.
    fn more(&self, width: usize) -> usize {
        match self.lengths() {
            Lengths::UpTo(_) => width,
            Lengths::Exactly(_) => 2 * width,
        }
    }

    /// Returns the first of the shortest counterexamples with a number of steps before the first violation in
    /// this range, under `assumed`.
    pub fn first_among(&mut self, steps: RangeInclusive<usize>, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let (least, most) = steps.into_inner();
        if least == most {
            return self.counterexample(least, assumed);
        }
        let Some(mut trace) = self.counterexample_in(least..=most, assumed)? else { return Ok(None) };
        loop {
            let first = eval::first_violation(self.problem.model, self.problem.invariant, &trace.moments);
            let found = first.map_or(trace.len(), Position::steps);
            let shorter =
                if found == least { None } else { self.counterexample_in(least..=found - 1, assumed)? };
            match shorter {
                Some(shorter) => trace = shorter,
                None => return self.counterexample(found, assumed),
            }
        }
    }

    /// Returns literals whose conjunction holds iff the first violation comes after `steps` steps.
    pub fn violating_after(&self, steps: usize) -> Vec<Lit> {
        let mut lits = self.unrolling.looked_at(steps);
        lits.push(!self.good[steps]);
        lits.extend(steps.checked_sub(1).map(|before| self.good_so_far[before]));
        lits
    }

    /// Adds a proved fact as a clause: no trace outside of the classes (whose negated literals are given) has
    /// its first violation at this position, for any continuation.
    pub fn settle(&mut self, steps: usize, outside: &[Lit]) {
        let mut clause = vec![!self.alive(Position::after(steps)), self.good[steps]];
        if steps > 0 {
            clause.push(!self.good_so_far[steps - 1]);
        }
        clause.extend(outside.iter().map(|&l| !l));
        self.unrolling.circuit.add_clause(&clause);
    }

    /// Returns an assumption: there is a violation, within the greatest number of steps of counterexamples.
    pub fn violating(&mut self) -> Lit {
        self.violating_in(0..=self.most_steps())
    }

    /// Returns a counterexample with its first violation anywhere, under `assumed`.
    pub fn any_counterexample(&mut self, assumed: &[Lit]) -> Limited<Option<Trace>> {
        self.counterexample_in(0..=self.most_steps(), assumed)
    }

    /// Returns a counterexample with a number of steps before its first violation in this range, under
    /// `assumed`.
    fn counterexample_in(&mut self, steps: RangeInclusive<usize>, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = vec![self.violating_in(steps)];
        assumptions.extend(assumed);
        loop {
            if !self.satisfiable(&assumptions)? {
                return Ok(None);
            }
            let first = self.good.iter().position(|&good| !self.unrolling.circuit.value(good));
            let trace = self.violating_trace(first.unwrap_or(self.longest()));
            if !self.excludes(&trace, assumed) {
                return Ok(Some(trace));
            }
        }
    }

    /// Returns a literal that is true if the number of steps before the first violation is in this range.
    fn violating_in(&mut self, steps: RangeInclusive<usize>) -> Lit {
        let mut ends = Vec::new();
        for steps in steps {
            let parts = self.violating_after(steps);
            ends.push(self.unrolling.circuit.all(&parts));
        }
        self.unrolling.circuit.any(&ends)
    }

    /// Returns any trace of at most the length of counterexamples, violating or not, under `assumed`.
    pub fn any_trace(&mut self, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = assumed.to_vec();
        assumptions.extend(self.no_longer_than(self.most_steps()));
        loop {
            if !self.satisfiable(&assumptions)? {
                return Ok(None);
            }
            let trace = self.unrolling.decode(self.unrolling.length());
            if !self.excludes(&trace, assumed) {
                return Ok(Some(trace));
            }
        }
    }

    /// Returns a trace without violation, of at least `least` steps and at most the length of
    /// counterexamples, under `assumed`.
    pub fn accepted_from(&mut self, least: usize, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = vec![self.accepting(), self.alive(Position::after(least))];
        assumptions.extend(assumed);
        SatOracle::any_trace(self, &assumptions)
    }

    /// Decides with the solver if every trace that satisfies the facts violates the invariant. `used` lists
    /// the position variables, ascending; the positions of an accepting trace are in its order.
    pub fn sufficiency(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
        self.proved(self.longest(), facts, used)
    }

    /// Like [`SatOracle::sufficiency`], for accepting traces of up to `steps` steps, by the cheapest means: for a
    /// model with few states, a list of states answers most questions.
    pub fn own_sufficiency_within(
        &mut self,
        steps: usize,
        facts: &[Fact],
        used: &[PositionVar],
    ) -> Limited<Sufficiency> {
        let steps = steps.min(self.longest());
        let constraint = Constraint::over(self.atoms, facts, used);
        let known = self.answered.about(&constraint, steps).or_else(|| self.remembered(steps, &constraint));
        if let Some(answer) = known {
            return Ok(answer);
        }
        if let Some(answer) = self.listed(steps, &constraint)? {
            return Ok(answer);
        }
        let clock = Instant::now();
        let answer = self.proved(steps, facts, used);
        self.states.proved_for(clock.elapsed());
        let answer = answer?;
        self.answered.keep(&constraint, &answer);
        if let Sufficiency::Insufficient(accepting) = &answer {
            self.accepted.truncate(MOST_ACCEPTED - 1);
            self.accepted.push_front(accepting.trace.clone());
        }
        Ok(answer)
    }

    /// Answers from a trace found before, for constraints that are quickly evaluated on it.
    fn remembered(&self, steps: usize, constraint: &Constraint) -> Option<Sufficiency> {
        if constraint.positions > 1 {
            return None;
        }
        self.accepted.iter().filter(|trace| trace.len() <= steps).find_map(|trace| {
            let assigned = constraint.matches(self.problem.model, self.atoms, &trace.moments)?;
            Some(Sufficiency::Insufficient(AcceptingTrace { trace: trace.clone(), assigned }))
        })
    }

    /// Returns the list of states, if there is one and traces may end anywhere.
    pub fn listing(&mut self) -> Option<&mut Listing<'m>> {
        match self.lengths() {
            Lengths::UpTo(_) => self.states.list(&self.budget),
            Lengths::Exactly(_) => None,
        }
    }

    /// Answers from the list of states, if there is one; an accepting trace is then a shortest one.
    fn listed(&mut self, steps: usize, constraint: &Constraint) -> Limited<Option<Sufficiency>> {
        let (atoms, budget) = (self.atoms, self.budget.clone());
        let Some(listing) = self.listing() else { return Ok(None) };
        Ok(match listing.accepting(atoms, constraint, steps, &budget)? {
            ListedAnswer::Nothing => {
                let facts = (0..constraint.facts.len()).collect();
                Some(Sufficiency::Sufficient(Core { facts, steps }))
            }
            ListedAnswer::Accepted(mut accepting) => {
                if constraint.is_lifted() {
                    let moments = &accepting.trace.moments;
                    let assigned = constraint.matches(self.problem.model, self.atoms, moments);
                    accepting.assigned = assigned.expect("the trace satisfies an instance");
                }
                self.confirm_accepting(&accepting, &constraint.facts);
                Some(Sufficiency::Insufficient(accepting))
            }
            ListedAnswer::Unknown => None,
        })
    }

    fn proved(&mut self, steps: usize, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
        let mut assumptions = self.accepting_with(facts, used);
        assumptions.extend(self.no_longer_than(steps));
        if self.exchange.is_some() {
            let constraint = Constraint::over(self.atoms, facts, used);
            assumptions.extend(self.one_match_of_each_orbit(&constraint));
        }
        Ok(match self.satisfiable(&assumptions)? {
            true => self.insufficient(facts, used),
            false => Sufficiency::Sufficient(self.core(steps, facts)),
        })
    }

    /// Returns the core of the solver's last proof.
    fn core(&mut self, steps: usize, facts: &[Fact]) -> Core {
        let failed: FxHashSet<Lit> = self.unrolling.circuit.core().into_iter().collect();
        let shorter = self.no_longer_than(steps).is_some_and(|lit| failed.contains(&lit));
        let holding = self.holding(facts);
        let needed = holding.iter().positions(|lit| failed.contains(lit)).collect();
        Core { facts: needed, steps: if shorter { steps } else { self.longest() } }
    }

    /// Like [`SatOracle::sufficiency`], with an accepting trace for display: the first of the shortest ones. For
    /// an exact length, the slots are early, and the choice is made up to the last one.
    pub fn own_sufficiency_shown(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
        let constraint = Constraint::over(self.atoms, facts, used);
        if let Some((_, accepting)) = self.shown.iter().find(|(known, _)| *known == constraint) {
            return Ok(Sufficiency::Insufficient(accepting.clone()));
        }
        if let Some(answer) = self.listed(self.longest(), &constraint)? {
            return Ok(answer);
        }
        let answer = self.shown_from(STRIDE, facts, used)?;
        if let Sufficiency::Insufficient(accepting) = &answer {
            self.shown.push((constraint, accepting.clone()));
        }
        Ok(answer)
    }

    /// Like [`SatOracle::own_sufficiency_shown`], if accepting traces are expected to have about `steps` steps, and
    /// longer ones do not matter.
    pub fn sufficiency_shown_up_to(
        &mut self,
        steps: usize,
        facts: &[Fact],
        used: &[PositionVar],
    ) -> Limited<Sufficiency> {
        debug_assert!(steps == self.longest() || matches!(self.lengths(), Lengths::UpTo(_)));
        let mut assumptions = self.accepting_with(facts, used);
        assumptions.extend(self.told_by(steps, used));
        match self.satisfiable(&assumptions)? {
            true => self.shown_from(steps, facts, used),
            false => Ok(Sufficiency::Sufficient(self.core(steps, facts))),
        }
    }

    /// Returns the first of the shortest accepting traces; the search for their length begins with `end` steps.
    fn shown_from(&mut self, end: usize, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
        let mut assumptions = self.accepting_with(facts, used);
        let given = assumptions.len();
        let Some(end) = self.first_end(end, &mut assumptions, used)? else {
            return Ok(Sufficiency::Sufficient(self.core(self.longest(), facts)));
        };
        assumptions.truncate(given);
        assumptions.extend(self.told_by(end, used));
        self.satisfiable(&assumptions)?;
        let steps = self.last_place(used).steps();
        self.unrolling.first_trace(steps, &assumptions)?;
        Ok(self.insufficient(facts, used))
    }

    /// Returns the least end of an accepting trace under assumptions. Ends from the given one on are tried a
    /// few at a time, then the trace found is shortened.
    fn first_end(
        &mut self,
        end: usize,
        assumptions: &mut Vec<Lit>,
        used: &[PositionVar],
    ) -> Limited<Option<usize>> {
        let given = assumptions.len();
        let last = self.longest();
        let mut end = end.min(last);
        loop {
            assumptions.truncate(given);
            assumptions.extend(self.told_by(end, used));
            if self.satisfiable(assumptions)? {
                break;
            }
            if end == last {
                return Ok(None);
            }
            end = (end + STRIDE).min(last);
        }
        end = self.end_found(used);
        while end > 0 {
            assumptions.truncate(given);
            assumptions.extend(self.told_by(end - 1, used));
            if !self.satisfiable(assumptions)? {
                break;
            }
            end = self.end_found(used);
        }
        Ok(Some(end))
    }

    /// Returns assumptions: there is no violation, and the facts hold.
    pub fn accepting_with(&mut self, facts: &[Fact], used: &[PositionVar]) -> Vec<Lit> {
        let mut assumptions = vec![self.accepting()];
        for slot in used {
            self.slot(*slot);
        }
        assumptions.extend(self.holding(facts));
        assumptions
    }

    /// Returns assumptions that restrict traces to the first `end` steps: the trace is no longer, or, if all
    /// have the same length, the positions are no later.
    fn told_by(&mut self, end: usize, used: &[PositionVar]) -> Vec<Lit> {
        match self.lengths() {
            Lengths::UpTo(_) => self.no_longer_than(end).into_iter().collect(),
            Lengths::Exactly(_) => {
                used.iter().map(|&slot| !self.slot(slot).from(Position::after(end + 1))).collect()
            }
        }
    }

    /// Returns the end, in the sense of [`SatOracle::told_by`], of the trace in the solver's assignment.
    fn end_found(&self, used: &[PositionVar]) -> usize {
        match self.lengths() {
            Lengths::UpTo(_) => self.unrolling.length(),
            Lengths::Exactly(_) => self.last_place(used).steps(),
        }
    }

    fn no_longer_than(&self, length: usize) -> Option<Lit> {
        (length < self.longest()).then(|| !self.alive(Position::after(length + 1)))
    }

    fn satisfiable(&mut self, assumptions: &[Lit]) -> Limited<bool> {
        self.unrolling.circuit.solve(assumptions).is_sat()
    }

    /// Returns the positions of the slots in the solver's assignment.
    fn places(&self, slots: &[PositionVar]) -> Vec<Position> {
        let circuit = &self.unrolling.circuit;
        let place = |s: &PositionVar| {
            let at = self.slots[s].at.iter().position(|&l| circuit.value(l));
            at.map_or(Position::FIRST, Position::new)
        };
        slots.iter().map(place).collect()
    }

    /// Returns the last position of the slots; the first position if there are none.
    fn last_place(&self, slots: &[PositionVar]) -> Position {
        self.places(slots).into_iter().max().unwrap_or(Position::FIRST)
    }

    /// Returns the accepting trace in the solver's assignment.
    fn insufficient(&self, facts: &[Fact], used: &[PositionVar]) -> Sufficiency {
        let positions = self.places(used);
        // The trace is cut after the last position used.
        let steps = positions.iter().max().map_or(0, |last| last.steps());
        let trace = self.unrolling.decode(self.lengths().whole(steps));
        let constraint = Constraint::over(self.atoms, facts, used);
        let individuals = constraint.individuals.iter().enumerate();
        let individuals =
            individuals.map(|(n, &domain)| self.individual(domain, IndividualVar::new(n))).collect();
        let accepting = AcceptingTrace { trace, assigned: Assignment { positions, individuals } };
        self.confirm_accepting(&accepting, &constraint.facts);
        Sufficiency::Insufficient(accepting)
    }

    /// Returns the circuit.
    pub fn circuit(&mut self) -> &mut Circuit {
        &mut self.unrolling.circuit
    }

    /// Returns a literal that is true if a position belongs to the trace.
    pub fn alive(&self, position: Position) -> Lit {
        self.unrolling.frame(position).alive
    }

    /// Returns the trace in the solver's assignment, which must have its first violation after `steps` steps.
    fn violating_trace(&self, steps: usize) -> Trace {
        let trace = self.unrolling.decode(self.lengths().whole(steps));
        let first = eval::first_violation(self.problem.model, self.problem.invariant, &trace.moments);
        assert_eq!(
            first,
            Some(Position::after(steps)),
            "the encoding and the reference semantics disagree on {trace:?}"
        );
        trace
    }

    /// Confirms by the reference semantics that an accepting trace has no violation and satisfies the facts.
    fn confirm_accepting(&self, accepting: &AcceptingTrace, facts: &[Fact]) {
        let AcceptingTrace { trace, assigned } = accepting;
        let model = self.problem.model;
        let violation = eval::first_violation(model, self.problem.invariant, &trace.moments);
        assert_eq!(violation, None, "the encoding and the reference semantics disagree on {trace:?}");
        for fact in facts {
            let holds = fact.holds(model, self.atoms, &trace.moments, assigned);
            assert!(holds, "the encoding and the reference semantics disagree on {fact:?} in {trace:?}");
        }
    }

    fn accepting(&mut self) -> Lit {
        if let Some(lit) = self.accepting {
            return lit;
        }
        let lit = self.unrolling.circuit.fresh();
        for position in self.positions() {
            let clause = [!lit, !self.alive(position), self.good[position.index()]];
            self.unrolling.circuit.add_clause(&clause);
        }
        self.accepting = Some(lit);
        lit
    }
}
