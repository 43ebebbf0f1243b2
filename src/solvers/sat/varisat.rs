//! varisat behind rustsat's traits.
//!
//! Three things in varisat 0.2.2 need care:
//!
//! * Its interface offers no interruption. But it can write a proof, and gives up if the proof cannot be
//!   written. So the proof goes to a writer that discards it, calls the termination callback whenever
//!   varisat's buffer of 8 KiB is full, and fails once told to terminate. Such an error is final: the solver
//!   answers [`SolverResult::Interrupted`] from then on. Writing the proof costs 5 to 20 % of the time.
//! * After a call under assumptions, its `solve` repeats the old answer even if clauses were added
//!   since. Setting the assumptions again before every call avoids this.
//! * When an assumption is false by the clauses alone, its core analysis leaves the variable
//!   marked. varisat later reuses its internal variables for others of ours, and core analysis stops too
//!   early at a marked one: the core lacks assumptions. (Clause x1; assume not x1; clause x5; solve;
//!   clause x7 or x3; assume x3, not x3: the core is one literal.) A variable is never reused if it was once
//!   dropped from the assumptions because it was true already. So a literal refuted in this way is never
//!   passed on again but answered here, and its negation is assumed once in the next call.

use kit::number::to_u32;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use ::varisat::{ExtendFormula, ProofFormat};
use rustc_hash::FxHashSet;
use rustsat::solvers::{
    ControlSignal, LimitConflicts, Solve, SolveIncremental, SolverResult, SolverState, StateError, Terminate,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal};

/// Name and version, for reports.
pub const SIGNATURE: &str = "varisat 0.2.2";

/// The varisat solver.
pub struct Varisat<'term> {
    solver: ::varisat::Solver<'term>,
    terminator: Rc<RefCell<Option<Terminator<'term>>>>,
    state: SolverState,
    /// True if varisat gave up permanently; it must not be called any more.
    spent: bool,
    /// The assignment after a satisfiable call, by variable.
    model: Vec<TernaryVal>,
    /// The core of the last unsatisfiable call.
    core: Vec<Lit>,
    /// Literals implied by the clauses alone, known from cores of one literal.
    known: FxHashSet<Lit>,
    /// The latest of them, if it has not been assumed yet.
    unsettled: Option<Lit>,
    /// Scratch space for converted literals.
    buffer: Vec<::varisat::Lit>,
}

type Terminator<'term> = Box<dyn FnMut() -> ControlSignal + 'term>;

/// Discards a proof; fails once the callback requests termination.
struct ProofSink<'term>(Rc<RefCell<Option<Terminator<'term>>>>);

impl io::Write for ProofSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.borrow_mut().as_mut().map(|ask| ask()) {
            Some(ControlSignal::Terminate) => Err(io::Error::other("terminated")),
            Some(ControlSignal::Continue) | None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Varisat<'_> {
    /// An empty solver.
    pub fn new() -> Self {
        let terminator = Rc::default();
        let mut solver = ::varisat::Solver::new();
        solver.write_proof(ProofSink(Rc::clone(&terminator)), ProofFormat::Varisat);
        Self {
            solver,
            terminator,
            state: SolverState::Configuring,
            spent: false,
            model: Vec::new(),
            core: Vec::new(),
            known: FxHashSet::default(),
            unsettled: None,
            buffer: Vec::new(),
        }
    }

    /// An empty solver whose proofs are checked by varisat's checker, which panics if one is wrong.
    pub fn checking_proofs() -> Self {
        let mut new = Self::new();
        new.solver.enable_self_checking();
        new
    }

    fn require(&self, required_state: SolverState) -> Result<(), StateError> {
        if self.state == required_state {
            Ok(())
        } else {
            Err(StateError { required_state, actual_state: self.state })
        }
    }

    fn remember_core(&mut self) {
        let failed = self.solver.failed_core().unwrap_or_default();
        self.core.extend(failed.iter().map(|lit| !from_varisat(lit)));
        if let [only] = self.core[..] {
            self.known.insert(only);
            self.unsettled = Some(only);
        }
    }

    fn remember_model(&mut self) {
        self.model.clear();
        for lit in self.solver.model().unwrap_or_default() {
            if self.model.len() <= lit.index() {
                self.model.resize(lit.index() + 1, TernaryVal::DontCare);
            }
            self.model[lit.index()] = TernaryVal::from(lit.is_positive());
        }
    }
}

impl Solve for Varisat<'_> {
    fn signature(&self) -> &'static str {
        SIGNATURE
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        self.require(SolverState::Sat)?;
        let value = self.model.get(lit.vidx()).copied().unwrap_or(TernaryVal::DontCare);
        Ok(if lit.is_pos() { value } else { !value })
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.state = SolverState::Input;
        self.buffer.clear();
        self.buffer.extend(clause.as_ref().iter().map(to_varisat));
        self.solver.add_clause(&self.buffer);
        Ok(())
    }
}

impl SolveIncremental for Varisat<'_> {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        if self.spent {
            self.state = SolverState::Unknown;
            return Ok(SolverResult::Interrupted);
        }
        self.core.clear();
        if let Some(&refuted) = assumps.iter().find(|&&lit| self.known.contains(&!lit)) {
            self.core.push(!refuted);
            self.state = SolverState::Unsat;
            return Ok(SolverResult::Unsat);
        }
        self.buffer.clear();
        self.buffer.extend(self.unsettled.take().iter().map(to_varisat));
        self.buffer.extend(assumps.iter().filter(|lit| !self.known.contains(lit)).map(to_varisat));
        self.solver.assume(&self.buffer);
        let (state, result) = match self.solver.solve() {
            Ok(true) => {
                self.remember_model();
                (SolverState::Sat, SolverResult::Sat)
            }
            Ok(false) => {
                self.remember_core();
                (SolverState::Unsat, SolverResult::Unsat)
            }
            Err(_) => {
                self.spent = true;
                (SolverState::Unknown, SolverResult::Interrupted)
            }
        };
        self.state = state;
        Ok(result)
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        self.require(SolverState::Unsat)?;
        Ok(self.core.clone())
    }
}

impl<'term> Terminate<'term> for Varisat<'term> {
    fn attach_terminator<CB: FnMut() -> ControlSignal + 'term>(&mut self, cb: CB) {
        *self.terminator.borrow_mut() = Some(Box::new(cb));
    }

    fn detach_terminator(&mut self) {
        *self.terminator.borrow_mut() = None;
    }
}

impl LimitConflicts for Varisat<'_> {
    /// Has no effect: varisat has no such limit.
    fn limit_conflicts(&mut self, _: Option<u32>) -> anyhow::Result<()> {
        Ok(())
    }
}

impl Extend<Clause> for Varisat<'_> {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        for clause in clauses {
            self.state = SolverState::Input;
            self.buffer.clear();
            self.buffer.extend(clause.iter().map(to_varisat));
            self.solver.add_clause(&self.buffer);
        }
    }
}

impl<'a> Extend<&'a Clause> for Varisat<'_> {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        self.extend(clauses.into_iter().cloned());
    }
}

fn to_varisat(lit: &Lit) -> ::varisat::Lit {
    ::varisat::Lit::from_index(lit.vidx(), lit.is_pos())
}

fn from_varisat(lit: &::varisat::Lit) -> Lit {
    // Indices come from rustsat literals, so they fit.
    Lit::new(to_u32(lit.index()), lit.is_negative())
}
