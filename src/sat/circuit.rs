//! Gates with structural sharing, turned into clauses as they are made.
//!
//! Every gate is defined in both directions (Tseitin 1968), so its output may be used in any polarity, also
//! as an assumption. Clauses are given to the solver once, when the gate is made.

mod at_most_one;

use std::time::{Duration, Instant};

use super::dimacs::Cnf;
use super::gates::{Definition, Gate, Gates};
use super::{Answer, Lit, Solver};
use crate::budget::{Budget, Exhausted};

/// A growing circuit over a solver: equal gates are made once, constants are folded.
pub struct Circuit {
    solver: Box<dyn Solver>,
    gates: Gates,
    /// How many variables there are; the next one has this index.
    variables: u32,
    /// How many clauses the solver was given.
    clauses: usize,
    /// How often the solver was called.
    calls: u64,
    /// The time spent in these calls.
    time: Duration,
    /// A copy of the clauses, if it is kept.
    record: Option<Cnf>,
    /// What was added beside the gates, if it is kept.
    constraints: Option<Vec<Constraint>>,
    /// Scratch space for inputs of wide gates and for clauses.
    scratch: Vec<Lit>,
    /// Checked while the circuit grows, too, not only while it is solved.
    budget: Budget,
    /// Work since the budget was checked last.
    work: usize,
    /// Set once the budget has ended; nothing is built after that.
    exhausted: Option<Exhausted>,
}

/// What was demanded of a circuit beside its gates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constraint {
    /// One of them holds.
    Clause(Vec<Lit>),
    /// No two entries hold together.
    AtMostOne(Vec<Lit>),
}

impl Constraint {
    /// The literals it speaks of.
    pub fn literals(&self) -> &[Lit] {
        match self {
            Self::Clause(lits) | Self::AtMostOne(lits) => lits,
        }
    }
}

/// The budget is checked after so much work: literals given to the solver, and gates that were asked for.
const POLL: usize = 1 << 14;

/// The variable that is always true.
const YES: Lit = Lit::positive(0);

impl Circuit {
    /// An empty circuit. The solver must be empty, too: variables are numbered from 0.
    pub fn new(solver: Box<dyn Solver>) -> Self {
        Self::start(solver, None)
    }

    /// The same with a budget for its growth. Once that has ended, gates and clauses are no longer made,
    /// literals mean nothing any more, and every question is answered by [`Answer::Unknown`]; so a model
    /// that is too large to be encoded ends like one that is too hard to be solved.
    #[must_use]
    pub fn within(mut self, budget: &Budget) -> Self {
        self.budget = budget.clone();
        self
    }

    /// Why nothing is built any more, if the budget has ended.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    /// Counts work that makes no gates, like looking at a value of a large domain, and says whether to go on: everything
    /// whose length depends on the model should ask now and then.
    pub fn goes_on(&mut self) -> bool {
        self.spend(1);
        self.exhausted.is_none()
    }

    /// Checks the budget now, however little was done since the last time.
    ///
    /// # Errors
    /// If it has ended.
    pub fn check_budget(&mut self) -> Result<(), Exhausted> {
        self.spend(POLL);
        self.exhausted.map_or(Ok(()), Err)
    }

    fn spend(&mut self, work: usize) {
        self.work += work;
        if self.work >= POLL {
            self.work = 0;
            self.exhausted = self.exhausted.or_else(|| self.budget.exhausted());
        }
    }

    /// An empty circuit that keeps a copy of its clauses, for [`Circuit::cnf`].
    pub fn recording(solver: Box<dyn Solver>) -> Self {
        Self::start(solver, Some(Cnf::default()))
    }

    /// The same keeping what is demanded of it from now on, for [`Circuit::constraints`].
    #[must_use]
    pub fn keeping_constraints(mut self) -> Self {
        self.constraints.get_or_insert_default();
        self
    }

    /// What was demanded of it beside its gates, in this order, as far as that was kept.
    pub fn constraints(&self) -> &[Constraint] {
        self.constraints.as_deref().unwrap_or_default()
    }

    /// For each variable what it is defined as; `None` where it is free.
    pub fn definitions(&self) -> Vec<Option<Definition>> {
        let mut list = vec![None; self.variables()];
        for (output, definition) in self.gates.all() {
            list[output.vidx()] = Some(definition);
        }
        list
    }

    fn start(solver: Box<dyn Solver>, record: Option<Cnf>) -> Self {
        let mut circuit = Self {
            solver,
            gates: Gates::default(),
            variables: 1,
            clauses: 0,
            calls: 0,
            time: Duration::ZERO,
            record,
            constraints: None,
            scratch: Vec::new(),
            budget: Budget::unlimited(),
            work: 0,
            exhausted: None,
        };
        circuit.emit(&[YES]);
        circuit
    }

    /// The literal that is always true.
    pub fn yes(&self) -> Lit {
        YES
    }

    /// The literal that is always false.
    pub fn no(&self) -> Lit {
        !YES
    }

    /// A new, free literal, positive.
    ///
    /// # Panics
    /// If there are more than two thousand million variables.
    pub fn fresh(&mut self) -> Lit {
        if self.exhausted.is_some() {
            return YES;
        }
        let lit = Lit::positive(self.variables);
        self.variables += 1;
        self.spend(1);
        lit
    }

    /// Conjunction of two.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if self.exhausted.is_some() {
            return !YES;
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        // The constants come first in the order of literals.
        if a == !YES || a == !b {
            return !YES;
        }
        if a == YES || a == b {
            return b;
        }
        self.gate(Gate::And(a, b))
    }

    /// Disjunction of two.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Conjunction of any number; true of none.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        self.conjunction(lits.iter().copied())
    }

    /// Disjunction of any number; false of none.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        !self.conjunction(lits.iter().map(|&lit| !lit))
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// Exclusive disjunction.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.is_neg() != b.is_neg();
        let (a, b) = (a.var().pos_lit(), b.var().pos_lit());
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let output = if a == b {
            !YES
        } else if a == YES {
            !b
        } else {
            self.gate(Gate::Xor(a, b))
        };
        if negated { !output } else { output }
    }

    /// `if c then a else b`.
    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = if c.is_pos() { (c, a, b) } else { (!c, b, a) };
        if c == YES || a == b {
            return a;
        }
        if a == !b {
            return self.iff(c, a);
        }
        if a == YES || a == c {
            return self.or(c, b);
        }
        if a == !YES || a == !c {
            return self.and(!c, b);
        }
        if b == YES || b == !c {
            return self.or(!c, a);
        }
        if b == !YES || b == c {
            return self.and(c, a);
        }
        if a.is_pos() { self.gate(Gate::Choice(c, a, b)) } else { !self.gate(Gate::Choice(c, !a, !b)) }
    }

    /// Adds clauses: at most one of them holds. An entry that occurs twice counts twice, so it cannot hold.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        // What is kept says it without the variables that the clauses need.
        let mut kept = self.constraints.take();
        at_most_one::at_most_one(self, lits);
        if let Some(kept) = &mut kept {
            kept.push(Constraint::AtMostOne(lits.to_vec()));
        }
        self.constraints = kept;
    }

    /// Adds a clause. Clauses that are always true are left out.
    pub fn add_clause(&mut self, clause: &[Lit]) {
        if self.exhausted.is_some() {
            return;
        }
        let mut lits = std::mem::take(&mut self.scratch);
        lits.clear();
        lits.extend(clause.iter().copied().filter(|&lit| lit != !YES));
        lits.sort_unstable();
        lits.dedup();
        let tautology = lits.first() == Some(&YES) || lits.windows(2).any(|pair| pair[0] == !pair[1]);
        if !tautology {
            self.emit(&lits);
            if let Some(kept) = &mut self.constraints {
                kept.push(Constraint::Clause(lits.clone()));
            }
        }
        self.scratch = lits;
    }

    /// Runs `add`, which only adds clauses that follow from what is demanded already; they are not kept for
    /// [`Circuit::constraints`].
    pub fn implied(&mut self, add: impl FnOnce(&mut Self)) {
        let kept = self.constraints.take();
        add(self);
        self.constraints = kept;
    }

    /// Decides under assumptions.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        if let Some(why) = self.exhausted {
            return Answer::Unknown(why);
        }
        let begin = Instant::now();
        let answer = self.solver.solve(assumptions);
        self.calls += 1;
        self.time += begin.elapsed();
        answer
    }

    /// After [`Answer::Sat`]: the value of a literal; a variable without clauses is false.
    ///
    /// The assignment is the solver's own, not a copy. It is gone with the next gate, clause or call
    /// of [`Circuit::solve`]: read what is needed before making anything new.
    ///
    /// # Panics
    /// If there is no assignment, see [`Solver::value`].
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    /// After [`Answer::Unsat`]: the assumptions to blame, in the order given, see [`Solver::core`].
    pub fn core(&self) -> Vec<Lit> {
        self.solver.core()
    }

    /// Variables made so far, the constant among them.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// Different gates made so far.
    pub fn gates(&self) -> usize {
        self.gates.len()
    }

    /// Clauses added so far.
    pub fn clauses(&self) -> usize {
        self.clauses
    }

    /// Calls of [`Circuit::solve`] so far.
    pub fn solver_calls(&self) -> u64 {
        self.calls
    }

    /// Seconds spent in them.
    pub fn solver_seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }

    /// The solver's name and version.
    pub fn solver_name(&self) -> &'static str {
        self.solver.name()
    }

    /// The clauses added so far, if the circuit was made by [`Circuit::recording`].
    pub fn cnf(&self) -> Option<&Cnf> {
        self.record.as_ref()
    }

    fn conjunction(&mut self, lits: impl Iterator<Item = Lit>) -> Lit {
        let mut inputs = std::mem::take(&mut self.scratch);
        inputs.clear();
        inputs.extend(lits.filter(|&lit| lit != YES));
        self.spend(inputs.len());
        inputs.sort_unstable();
        inputs.dedup();
        let contradiction =
            inputs.first() == Some(&!YES) || inputs.windows(2).any(|pair| pair[0] == !pair[1]);
        let output = match inputs[..] {
            _ if contradiction => !YES,
            [] => YES,
            [only] => only,
            [a, b] => self.and(a, b),
            _ => self.wide_gate(&mut inputs),
        };
        self.scratch = inputs;
        output
    }

    /// The conjunction of three and more inputs, strictly ascending. Leaves `inputs` changed.
    fn wide_gate(&mut self, inputs: &mut Vec<Lit>) -> Lit {
        if let Some(output) = self.gates.get_wide(inputs) {
            return output;
        }
        let output = self.fresh();
        self.gates.insert_wide(inputs, output);
        for input in inputs.iter_mut() {
            self.emit(&[!output, *input]);
            *input = !*input;
        }
        inputs.push(output);
        self.emit(inputs);
        output
    }

    /// The output of a gate in normal form.
    fn gate(&mut self, gate: Gate) -> Lit {
        self.spend(1);
        if let Some(output) = self.gates.get(gate) {
            return output;
        }
        let output = self.fresh();
        self.gates.insert(gate, output);
        gate.each_clause(output, |clause| self.emit(clause));
        output
    }

    /// Gives a clause to the solver as it is.
    fn emit(&mut self, clause: &[Lit]) {
        if self.exhausted.is_some() {
            return;
        }
        self.clauses += 1;
        self.spend(clause.len());
        if let Some(record) = &mut self.record {
            record.push(clause);
        }
        self.solver.add_clause(clause);
    }
}
