//! Gates with structural hashing, translated to clauses on creation.
//!
//! Every gate is defined in both directions (Tseitin 1968), so its output may be used in any polarity, also
//! as an assumption. Its clauses are added to the solver once, when the gate is created.

use super::dimacs::Cnf;
use super::gates::{Gate, GateDefinition, Gates};
use super::{Answer, Lit, SatSolver, Unsolved};
use kit::budget::{Budget, Exhausted};
use std::time::{Duration, Instant};

/// A growing circuit over a solver: equal gates are shared, constants are folded.
pub struct Circuit {
    solver: Box<dyn SatSolver>,
    gates: Gates,
    /// The number of variables; the next one has this index.
    variables: u32,
    /// The number of clauses added to the solver.
    clauses: usize,
    /// The number of solver calls.
    calls: u64,
    /// The time spent in these calls.
    time: Duration,
    /// A copy of the clauses, if it is kept.
    record: Option<Cnf>,
    /// The constraints added besides the gates, if they are kept.
    constraints: Option<Vec<CircuitConstraint>>,
    /// Scratch space for inputs of wide gates and for clauses.
    scratch: Vec<Lit>,
    /// Checked not only while the circuit is solved but also while it grows.
    budget: Budget,
    /// The work since the last check of the budget, see [`POLL`].
    work: usize,
    /// Set once the budget is exhausted; nothing is built after that.
    exhausted: Option<Exhausted>,
}

/// A constraint added to a circuit besides its gates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CircuitConstraint {
    /// At least one of the literals holds.
    Clause(Vec<Lit>),
    /// No two entries hold together.
    AtMostOne(Vec<Lit>),
}

impl CircuitConstraint {
    /// The literals it constrains.
    pub fn literals(&self) -> &[Lit] {
        match self {
            Self::Clause(lits) | Self::AtMostOne(lits) => lits,
        }
    }

    /// Returns the constraint on other literals.
    pub fn renamed(&self, new: impl Fn(Lit) -> Lit) -> Self {
        let renamed = |lits: &[Lit]| lits.iter().map(|&lit| new(lit)).collect();
        match self {
            Self::Clause(lits) => Self::Clause(renamed(lits)),
            Self::AtMostOne(lits) => Self::AtMostOne(renamed(lits)),
        }
    }
}

/// The amount of work between two checks of the budget: literals added to the solver plus gates requested.
const POLL: usize = 1 << 14;

/// The variable that is always true.
const YES: Lit = Lit::positive(0);

impl Drop for Circuit {
    fn drop(&mut self) {
        if self.budget.ends_process() {
            std::mem::forget(std::mem::replace(&mut self.solver, Box::new(Unsolved)));
        }
    }
}

impl Circuit {
    /// An empty circuit. The solver must be empty too: variables are numbered from 0.
    pub fn new(solver: Box<dyn SatSolver>) -> Self {
        Self::start(solver, None)
    }

    /// Limits the growth of the circuit by a budget. Once it is exhausted, no more gates and clauses are added,
    /// new literals are meaningless, and every query is answered by [`Answer::Unknown`]; so a model that is too
    /// large to be encoded ends like one that is too hard to be solved.
    #[must_use]
    pub fn within(mut self, budget: &Budget) -> Self {
        self.budget = budget.clone();
        self
    }

    /// The reason why nothing is built any more, if the budget is exhausted.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    /// Counts work that adds no gates, such as visiting a value of a large domain, and returns whether to continue.
    /// Every loop whose length depends on the model should call this.
    pub fn goes_on(&mut self) -> bool {
        self.spend(1);
        self.exhausted.is_none()
    }

    /// Checks the budget immediately.
    ///
    /// # Errors
    /// If it is exhausted.
    pub fn check_budget(&mut self) -> Result<(), Exhausted> {
        self.spend(POLL);
        self.exhausted.map_or(Ok(()), Err)
    }

    /// Counts work that adds no gates, such as copying so many values.
    pub fn spend(&mut self, work: usize) {
        self.work += work;
        if self.work >= POLL {
            self.work = 0;
            self.exhausted = self.exhausted.or_else(|| self.budget.exhausted());
        }
    }

    /// An empty circuit that keeps a copy of its clauses, for [`Circuit::cnf`].
    pub fn recording(solver: Box<dyn SatSolver>) -> Self {
        Self::start(solver, Some(Cnf::default()))
    }

    /// Keeps the constraints added from now on, for [`Circuit::constraints`].
    #[must_use]
    pub fn keeping_constraints(mut self) -> Self {
        self.constraints.get_or_insert_default();
        self
    }

    /// The constraints added besides the gates, in order, as far as they were kept.
    pub fn constraints(&self) -> &[CircuitConstraint] {
        self.constraints.as_deref().unwrap_or_default()
    }

    /// The definition of each variable, by index; `None` for a free one.
    pub fn definitions(&self) -> Vec<Option<GateDefinition>> {
        let mut list = vec![None; self.variables()];
        for (output, definition) in self.gates.all() {
            list[output.vidx()] = Some(definition);
        }
        list
    }

    fn start(solver: Box<dyn SatSolver>, record: Option<Cnf>) -> Self {
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

    /// The positive literal of a new, free variable.
    ///
    /// # Panics
    /// If there are more than two billion variables.
    pub fn fresh(&mut self) -> Lit {
        if self.exhausted.is_some() {
            return YES;
        }
        let lit = Lit::positive(self.variables);
        self.variables += 1;
        self.spend(1);
        lit
    }

    /// The conjunction of two literals.
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

    /// The disjunction of two literals.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The conjunction of any number of literals; true if there are none.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        self.conjunction(lits.iter().copied())
    }

    /// The disjunction of any number of literals; false if there are none.
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

    /// Constrains the literals so that at most one holds. An entry that occurs twice counts twice, so it is false.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        // The constraint that is kept does without the auxiliary variables of the clauses.
        let mut kept = self.constraints.take();
        at_most_one(self, lits);
        if let Some(kept) = &mut kept {
            kept.push(CircuitConstraint::AtMostOne(lits.to_vec()));
        }
        self.constraints = kept;
    }

    /// Adds a clause, unless it is a tautology.
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
                kept.push(CircuitConstraint::Clause(lits.clone()));
            }
        }
        self.scratch = lits;
    }

    /// Runs `add`, which must only add clauses implied by existing constraints; they are not kept for
    /// [`Circuit::constraints`].
    pub fn implied(&mut self, add: impl FnOnce(&mut Self)) {
        let kept = self.constraints.take();
        add(self);
        self.constraints = kept;
    }

    /// Decides satisfiability under assumptions.
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

    /// Limits each later query to this many conflicts, see [`SatSolver::limit_conflicts`].
    pub fn limit_conflicts(&mut self, most: Option<u32>) {
        self.solver.limit_conflicts(most);
    }

    /// After [`Answer::Sat`]: the value of a literal; a variable without clauses is false.
    ///
    /// The assignment is the solver's own, not a copy. The next gate, clause or call of
    /// [`Circuit::solve`] invalidates it: read everything needed before adding anything.
    ///
    /// # Panics
    /// If there is no assignment, see [`SatSolver::value`].
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }

    /// After [`Answer::Unsat`]: the failed assumptions, in the order given, see [`SatSolver::core`].
    pub fn core(&self) -> Vec<Lit> {
        self.solver.core()
    }

    /// The number of variables so far, including the constant.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// The number of distinct gates so far.
    pub fn gates(&self) -> usize {
        self.gates.len()
    }

    /// The number of clauses added so far.
    pub fn clauses(&self) -> usize {
        self.clauses
    }

    /// The number of calls of [`Circuit::solve`] so far.
    pub fn solver_calls(&self) -> u64 {
        self.calls
    }

    /// The time spent in these calls, in seconds.
    pub fn solver_seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }

    /// The number of these calls, and their time in seconds.
    pub fn effort(&self) -> (u64, f64) {
        (self.calls, self.solver_seconds())
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

    /// The conjunction of three or more inputs, which ascend strictly. Modifies `inputs`.
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

    /// Adds a clause to the solver without simplification.
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

/// The maximum number of literals for the pairwise encoding, which has no more clauses than others there.
const PAIRWISE: usize = 6;

/// Adds clauses that prevent any two entries of `lits` from holding together.
pub fn at_most_one(circuit: &mut Circuit, lits: &[Lit]) {
    if lits.len() <= PAIRWISE {
        for (index, &a) in lits.iter().enumerate() {
            for &b in &lits[index + 1..] {
                circuit.add_clause(&[!a, !b]);
            }
        }
        return;
    }
    let columns = ceil_sqrt(lits.len());
    let across: Vec<Lit> = (0..columns).map(|_| circuit.fresh()).collect();
    let mut down = Vec::new();
    for row in lits.chunks(columns) {
        let holds = circuit.fresh();
        down.push(holds);
        for (&lit, &column) in row.iter().zip(&across) {
            circuit.add_clause(&[!lit, holds]);
            circuit.add_clause(&[!lit, column]);
        }
    }
    at_most_one(circuit, &across);
    at_most_one(circuit, &down);
}

/// The least number whose square is at least `n`.
fn ceil_sqrt(n: usize) -> usize {
    let root = n.isqrt();
    if root * root == n { root } else { root + 1 }
}
