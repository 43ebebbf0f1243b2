//! The unrolled model with everything a classification asks of it: counterexamples outside certain
//! classes, and whether a trace constraint suffices for a violation.
//!
//! Traces of up to `bound` steps may end anywhere. A trace that violates the invariant, or matches a class, still does so
//! when it is extended, except for what a class says is absent up to the end. Counterexamples are therefore searched among
//! the traces that end in their first violation. Sufficiency is asked of violation-free traces of every length; an accepting
//! trace still satisfies its constraint when it is cut after the last position of a fact. Traces of exactly that
//! length are never cut: counterexamples go on after their first violation. The position variables of a constraint are
//! *slots*: the solver chooses where they lie, so that a constraint is checked as it stands, not at the positions where it
//! was found.

use crate::automata::listing::{Accepting, Listed, Listing, States};
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::{Assignment, Fact};
use crate::facts::index::{DomainId, IndividualVar, PositionVar};
use crate::facts::problem::Problem;
use crate::oracles::orbit::Exchange;
use answered::Answered;
use itertools::Itertools;
use kit::budget::{Budget, Limited};
use lang::model::expr::Expr;
use lang::model::value::Value;
use lang::model::{Position, eval};
use lang::trace::Trace;
use lazy::Lazy;
use rustc_hash::{FxHashMap, FxHashSet};
use slots::{At, Slot};
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

/// How many lengths are tried at a time for an accepting trace that is shown.
const STRIDE: usize = 4;
/// How many accepting traces are remembered.
const MOST_ACCEPTED: usize = 16;

/// A model unrolled for classification.
pub struct Space<'m> {
    /// The copies of the state.
    pub unrolling: Unrolling<'m>,
    /// What is classified.
    pub problem: Problem<'m>,
    /// The atoms of all facts and constraints.
    pub atoms: &'m Atoms,
    /// The greatest number of steps of counterexamples, if that is less than there are positions for.
    violating: Option<usize>,
    /// For each position whether its state satisfies the invariant.
    good: Vec<Lit>,
    /// For each position whether all states up to it do.
    good_so_far: Vec<Lit>,
    /// When assumed, every state of the trace satisfies the invariant.
    accepting: Option<Lit>,
    slots: FxHashMap<PositionVar, Slot>,
    /// For each individual the literals of its values.
    individuals: FxHashMap<(DomainId, IndividualVar), Vec<(Value, Lit)>>,
    facts: FxHashMap<Fact, Lit>,
    conjuncts: FxHashMap<At, Lit>,
    /// Literals that are true in every trace of a class.
    matched: FxHashMap<Constraint, Lit>,
    /// The literal of a ladder's rung, by the rung before it and what must hold here; the ladders of a class share them.
    pub(crate) rungs: FxHashMap<(Lit, Vec<Lit>), Lit>,
    /// Classes that are excluded match by match.
    lazy: Vec<Lazy>,
    states: States<'m>,
    /// Values that are interchangeable.
    exchange: Option<Arc<Exchange>>,
    /// The literals that order them, as what these individuals stand for and then as arguments of steps.
    in_order: FxHashMap<Vec<(DomainId, IndividualVar)>, Lit>,
    /// How solvers are started, if one of its own answers questions about sufficiency.
    solver: Option<Setup>,
    /// That solver's copy of the model.
    harmless: Option<Box<Space<'m>>>,
    /// What was asked about sufficiency.
    answered: Answered,
    /// Traces without violation that were found recently.
    accepted: VecDeque<Trace>,
    /// Accepting traces that are part of the result, with the constraints they satisfy.
    shown: Vec<(Constraint, Accepting)>,
    budget: Budget,
}

/// Whether a constraint implies a violation.
#[derive(Debug)]
pub enum Sufficiency {
    /// It does, and so does this part of it.
    Sufficient(Core),
    /// It does not: a trace without violation satisfies it.
    Insufficient(Accepting),
}

/// A part of a constraint that implies a violation.
#[derive(Debug)]
pub struct Core {
    /// The numbers of its facts.
    pub facts: Vec<usize>,
    /// Up to which length of traces that is known.
    pub steps: usize,
}

impl<'m> Space<'m> {
    /// The initial position alone.
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

    /// The initial position alone, in a circuit that is empty.
    pub fn over(
        problem: Problem<'m>,
        atoms: &'m Atoms,
        lengths: Lengths,
        circuit: Circuit,
        budget: &Budget,
    ) -> Self {
        let circuit = circuit.within(budget);
        let unrolling = Unrolling::new(problem.model, lengths, circuit);
        let mut space = Self {
            unrolling,
            problem,
            atoms,
            violating: None,
            good: Vec::new(),
            good_so_far: Vec::new(),
            accepting: None,
            slots: FxHashMap::default(),
            individuals: FxHashMap::default(),
            facts: FxHashMap::default(),
            conjuncts: FxHashMap::default(),
            matched: FxHashMap::default(),
            rungs: FxHashMap::default(),
            lazy: Vec::new(),
            states: States::new(problem),
            exchange: None,
            in_order: FxHashMap::default(),
            solver: None,
            harmless: None,
            answered: Answered::default(),
            accepted: VecDeque::new(),
            shown: Vec::new(),
            budget: budget.clone(),
        };
        space.judge();
        space
    }

    /// All positions for traces of these lengths.
    ///
    /// # Errors
    /// If the budget is exhausted before they are there.
    pub fn unrolled(
        problem: Problem<'m>,
        atoms: &'m Atoms,
        lengths: Lengths,
        solver: impl Into<Setup>,
        budget: &Budget,
    ) -> Limited<Self> {
        let mut space = Self::new(problem, atoms, lengths, solver, budget);
        space.grow_to(lengths.bound())?;
        Ok(space)
    }

    /// From now on, counterexamples have at most so many steps. Traces without violation may be longer, as long as there are
    /// positions.
    pub fn limit_violations(&mut self, steps: usize) {
        self.violating = Some(steps);
    }

    /// The greatest number of steps of counterexamples.
    pub fn most_steps(&self) -> usize {
        self.violating.map_or(self.longest(), |steps| steps.min(self.longest()))
    }

    /// The greatest number of steps that there are positions for.
    pub fn longest(&self) -> usize {
        self.good.len() - 1
    }

    /// The positions so far, in order.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = Position> + Clone + use<> {
        Position::all(self.good.len())
    }

    /// Which traces are considered.
    pub fn lengths(&self) -> Lengths {
        self.unrolling.lengths
    }

    /// Adds positions until there are enough for counterexamples whose first violation comes after up to `steps` steps.
    /// Must not be called after the first question about sufficiency.
    pub fn grow_to(&mut self, steps: usize) -> Limited<()> {
        debug_assert!(self.slots.is_empty() && self.accepting.is_none());
        self.unrolling.grow_to(steps)?;
        self.judge();
        Ok(())
    }

    /// The model in a solver of its own that knows traces without violation only. Where many questions about sufficiency are asked, that
    /// takes less time: what contradicts the invariant is simplified away, and nothing there says which counterexamples are in a class.
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

    /// The circuits: its own, and that of the traces without violation, if there is one.
    fn circuits(&self) -> impl Iterator<Item = &Circuit> {
        std::iter::once(self).chain(self.harmless.as_deref()).map(|space| &space.unrolling.circuit)
    }

    /// Evaluates the invariant at the positions that are new.
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

    /// Whether a state formula is true at a position of the trace.
    pub fn state_truth(&mut self, formula: &Expr, position: Position) -> Lit {
        self.unrolling.state_truth(formula, position)
    }

    /// The first trace with its first violation after `steps` steps, under `assumed`. It ends there unless
    /// its length is given; what comes afterwards is then up to the solver, because deciding it would take
    /// longer than everything else.
    pub fn counterexample(&mut self, steps: usize, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = self.violating_after(steps);
        assumptions.extend(assumed);
        loop {
            if !self.satisfiable(&assumptions)? {
                return Ok(None);
            }
            // Of all of them, whichever of its orbit it is.
            assumptions.retain(|lit| !self.in_order.values().contains(lit));
            self.unrolling.first_trace(steps, &assumptions)?;
            let trace = self.violating_trace(steps);
            if !self.excludes(&trace, assumed) {
                return Ok(Some(trace));
            }
        }
    }

    /// The first of the shortest counterexamples with no first violation before `least` steps, under `assumed`.
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

    /// How many numbers of steps are asked about at once after there was no counterexample for so many. Where all traces have the same
    /// length, many of them take hardly longer than one.
    fn more(&self, width: usize) -> usize {
        match self.lengths() {
            Lengths::UpTo(_) => width,
            Lengths::Exactly(_) => 2 * width,
        }
    }

    /// The first of the shortest counterexamples with their first violations after one of these numbers of steps, under
    /// `assumed`.
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

    /// Literals whose conjunction says that the first violation comes after `steps` steps.
    pub fn violating_after(&self, steps: usize) -> Vec<Lit> {
        let mut lits = self.unrolling.looked_at(steps);
        lits.push(!self.good[steps]);
        lits.extend(steps.checked_sub(1).map(|before| self.good_so_far[before]));
        lits
    }

    /// Adds what was just proved as a clause: no trace outside the classes (whose negated literals are given) has its
    /// first violation at this position, whatever comes after it.
    pub fn settle(&mut self, steps: usize, outside: &[Lit]) {
        let mut clause = vec![!self.alive(Position::after(steps)), self.good[steps]];
        if steps > 0 {
            clause.push(!self.good_so_far[steps - 1]);
        }
        clause.extend(outside.iter().map(|&l| !l));
        self.unrolling.circuit.add_clause(&clause);
    }

    /// Assumptions: there is a violation, not after more steps than counterexamples may have.
    pub fn violating(&mut self) -> Lit {
        self.violating_in(0..=self.most_steps())
    }

    /// A counterexample, wherever its first violation is, under `assumed`.
    pub fn any_counterexample(&mut self, assumed: &[Lit]) -> Limited<Option<Trace>> {
        self.counterexample_in(0..=self.most_steps(), assumed)
    }

    /// A counterexample with its first violation after one of these numbers of steps, under `assumed`.
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

    /// Whether the first violation comes after one of these numbers of steps.
    fn violating_in(&mut self, steps: RangeInclusive<usize>) -> Lit {
        let mut ends = Vec::new();
        for steps in steps {
            let parts = self.violating_after(steps);
            ends.push(self.unrolling.circuit.all(&parts));
        }
        self.unrolling.circuit.any(&ends)
    }

    /// Any trace as long as counterexamples may be, violating or not, under `assumed`.
    pub fn any_trace(&mut self, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = assumed.to_vec();
        assumptions.extend(self.no_longer_than(self.most_steps()));
        let found = self.satisfiable(&assumptions)?;
        Ok(found.then(|| self.unrolling.decode(self.unrolling.length())))
    }

    /// A trace of at least `least` steps, and as long as counterexamples may be, without violation, under `assumed`.
    pub fn accepted_from(&mut self, least: usize, assumed: &[Lit]) -> Limited<Option<Trace>> {
        let mut assumptions = vec![self.accepting(), self.alive(Position::after(least))];
        assumptions.extend(assumed);
        loop {
            let Some(trace) = self.any_trace(&assumptions)? else { return Ok(None) };
            if !self.excludes(&trace, assumed) {
                return Ok(Some(trace));
            }
        }
    }

    /// Whether every trace that satisfies the facts violates the invariant, decided by the solver. `used` lists the
    /// position variables, ascending; the positions of an accepting trace come in its order.
    pub fn sufficiency(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
        self.proved(self.longest(), facts, used)
    }

    /// The same for accepting traces of up to so many steps, decided by whatever means is cheapest: where a model has few
    /// states, most of many such questions are answered from a list of them.
    pub fn sufficiency_within(
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

    /// The answer that a trace found before gives, for constraints that are quickly evaluated on it.
    fn remembered(&self, steps: usize, constraint: &Constraint) -> Option<Sufficiency> {
        if constraint.positions > 1 {
            return None;
        }
        self.accepted.iter().filter(|trace| trace.len() <= steps).find_map(|trace| {
            let assigned = constraint.matches(self.problem.model, self.atoms, &trace.moments)?;
            Some(Sufficiency::Insufficient(Accepting { trace: trace.clone(), assigned }))
        })
    }

    /// The list of states, if there is one, and traces may end anywhere.
    pub fn listing(&mut self) -> Option<&mut Listing<'m>> {
        match self.lengths() {
            Lengths::UpTo(_) => self.states.list(&self.budget),
            Lengths::Exactly(_) => None,
        }
    }

    /// What the list of states says, if there is one: of accepting traces, it finds a shortest one.
    fn listed(&mut self, steps: usize, constraint: &Constraint) -> Limited<Option<Sufficiency>> {
        let (atoms, budget) = (self.atoms, self.budget.clone());
        let Some(listing) = self.listing() else { return Ok(None) };
        Ok(match listing.accepting(atoms, constraint, steps, &budget)? {
            Listed::Nothing => {
                let facts = (0..constraint.facts.len()).collect();
                Some(Sufficiency::Sufficient(Core { facts, steps }))
            }
            Listed::Accepted(mut accepting) => {
                if constraint.is_lifted() {
                    let moments = &accepting.trace.moments;
                    let assigned = constraint.matches(self.problem.model, self.atoms, moments);
                    accepting.assigned = assigned.expect("the trace satisfies an instance");
                }
                self.confirm_accepting(&accepting, &constraint.facts);
                Some(Sufficiency::Insufficient(accepting))
            }
            Listed::Unknown => None,
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

    /// What the solver's last proof rests on.
    fn core(&mut self, steps: usize, facts: &[Fact]) -> Core {
        let failed: FxHashSet<Lit> = self.unrolling.circuit.core().into_iter().collect();
        let shorter = self.no_longer_than(steps).is_some_and(|lit| failed.contains(&lit));
        let holding = self.holding(facts);
        let needed = holding.iter().positions(|lit| failed.contains(lit)).collect();
        Core { facts: needed, steps: if shorter { steps } else { self.longest() } }
    }

    /// The same for an accepting trace that somebody will look at: the first of the shortest ones. Of an
    /// exact length it is one with early slots, and what is decided in it ends at the last one.
    pub fn sufficiency_shown(&mut self, facts: &[Fact], used: &[PositionVar]) -> Limited<Sufficiency> {
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

    /// The same where accepting traces are expected to be about as long as that, if there are any, and none of more steps
    /// are of interest.
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

    /// The first of the shortest accepting traces; how long they are is first tried with `end` steps.
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

    /// The least end of an accepting trace under assumptions. From the given one on, ends are tried a few at a time, and what
    /// is found is made shorter.
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

    /// Assumptions: no violation, and the facts hold.
    pub fn accepting_with(&mut self, facts: &[Fact], used: &[PositionVar]) -> Vec<Lit> {
        let mut assumptions = vec![self.accepting()];
        for slot in used {
            self.slot(*slot);
        }
        assumptions.extend(self.holding(facts));
        assumptions
    }

    /// Assumptions: what there is to see lies in the first `end` steps. A trace is no longer, or, where all have the
    /// same length, the positions are no later.
    fn told_by(&mut self, end: usize, used: &[PositionVar]) -> Vec<Lit> {
        match self.lengths() {
            Lengths::UpTo(_) => self.no_longer_than(end).into_iter().collect(),
            Lengths::Exactly(_) => {
                used.iter().map(|&slot| !self.slot(slot).from(Position::after(end + 1))).collect()
            }
        }
    }

    /// The end, in that sense, of the trace in the solver's assignment.
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

    /// Where the slots lie in the solver's assignment.
    fn places(&self, slots: &[PositionVar]) -> Vec<Position> {
        let circuit = &self.unrolling.circuit;
        let place = |s: &PositionVar| {
            let at = self.slots[s].at.iter().position(|&l| circuit.value(l));
            at.map_or(Position::FIRST, Position::new)
        };
        slots.iter().map(place).collect()
    }

    /// Where the last of the slots lies; the first position if there is none.
    fn last_place(&self, slots: &[PositionVar]) -> Position {
        self.places(slots).into_iter().max().unwrap_or(Position::FIRST)
    }

    /// The accepting trace in the solver's assignment.
    fn insufficient(&self, facts: &[Fact], used: &[PositionVar]) -> Sufficiency {
        let positions = self.places(used);
        // What comes after the last position that matters is of no interest.
        let steps = positions.iter().max().map_or(0, |last| last.steps());
        let trace = self.unrolling.decode(self.lengths().whole(steps));
        let constraint = Constraint::over(self.atoms, facts, used);
        let individuals = constraint.individuals.iter().enumerate();
        let individuals =
            individuals.map(|(n, &domain)| self.individual(domain, IndividualVar::new(n))).collect();
        let accepting = Accepting { trace, assigned: Assignment { positions, individuals } };
        self.confirm_accepting(&accepting, &constraint.facts);
        Sufficiency::Insufficient(accepting)
    }

    /// The gates.
    pub fn circuit(&mut self) -> &mut Circuit {
        &mut self.unrolling.circuit
    }

    /// Whether a position belongs to the trace.
    pub fn alive(&self, position: Position) -> Lit {
        self.unrolling.frame(position).alive
    }

    /// The trace in the solver's assignment, which must have its first violation after `steps` steps.
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
    fn confirm_accepting(&self, accepting: &Accepting, facts: &[Fact]) {
        let Accepting { trace, assigned } = accepting;
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
