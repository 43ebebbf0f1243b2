//! Clauses refuted from scratch by CaDiCaL, with an LRAT proof.

use super::budgeted::BudgetPoll;
use super::cadical::signature;
use cladist_cadical::{Configuration, Outcome, ProofStep, SolverOption};
use kit::budget::{Budget, Exhausted};
use kit::number::to_i64;
use kit::proof::{CnfFormula, push_decimal};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// The outcome of an attempt to refute clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refutation {
    /// The clauses are unsatisfiable, and the proof is complete.
    Unsatisfiable,
    /// They have a satisfying assignment. What was written proves nothing.
    Satisfiable,
    /// The budget ended first.
    Unknown(Exhausted),
}

/// Refutes clauses in a solver of their own, and writes the proof as LRAT text, whose clauses are numbered from 1 in the order of
/// the formula.
///
/// # Errors
/// When the proof cannot be written; the writer is asked in pieces of some 64 KB.
pub fn refute(formula: &CnfFormula, proof: impl Write + 'static, budget: &Budget) -> io::Result<Refutation> {
    let tracer = Rc::new(RefCell::new(Lrat::new(proof, to_i64(formula.len()))));
    let steps = Rc::clone(&tracer);
    let mut solver = Configuration::new()
        // Clauses refuted here are not satisfied by a lucky guess.
        .set(SolverOption::Lucky, 0)
        .trace_proof(move |step| steps.borrow_mut().add(step))
        .start();
    let stopped = Rc::new(RefCell::new(None));
    let (reason, writing, mut pace) = (Rc::clone(&stopped), Rc::clone(&tracer), BudgetPoll::new(budget));
    solver.set_terminator(move || {
        let why = pace.exhausted();
        // A proof that cannot be written need not be found.
        let failed = writing.borrow().failed.is_some();
        let stops = why.is_some() || failed;
        if stops {
            reason.replace(why);
        }
        stops
    });
    for clause in formula.clauses() {
        solver.add_clause(clause);
    }
    let outcome = solver.solve(&[]);
    // Nothing is traced after that.
    drop(solver);
    tracer.borrow_mut().finish()?;
    Ok(match outcome {
        Outcome::Satisfiable => Refutation::Satisfiable,
        Outcome::Unsatisfiable => Refutation::Unsatisfiable,
        Outcome::Unknown => Refutation::Unknown(stopped.take().unwrap_or(Exhausted::Interrupt)),
    })
}

/// Name and version of the solver that refutes.
pub fn refuting_solver() -> &'static str {
    signature()
}

/// Bytes that are collected before they are written.
const PIECE: usize = 1 << 16;

/// Writes what CaDiCaL derives and deletes. Its numbers of clauses are not used in the file: it numbers those that it derives while
/// clauses are added among them.
struct Lrat<W> {
    out: W,
    text: Vec<u8>,
    /// For each number of CaDiCaL the one in the file; 0 if there is none.
    numbers: Vec<i64>,
    /// The number of the last clause of the formula that was added.
    original: i64,
    /// The number of the last clause in the file.
    last: i64,
    /// Deleted clauses that were not written yet.
    deleted: Vec<i64>,
    /// Scratch space: the hints of a step.
    hints: Vec<i64>,
    /// The first error of writing.
    failed: Option<io::Error>,
}

impl<W: Write> Lrat<W> {
    fn new(out: W, clauses: i64) -> Self {
        Self {
            out,
            text: Vec::with_capacity(2 * PIECE),
            numbers: Vec::new(),
            original: 0,
            last: clauses,
            deleted: Vec::new(),
            hints: Vec::new(),
            failed: None,
        }
    }

    fn number(&mut self, id: i64, number: i64) {
        let index = usize::try_from(id).expect("numbers of clauses are positive");
        if self.numbers.len() <= index {
            self.numbers.resize(index + 1, 0);
        }
        self.numbers[index] = number;
    }

    fn number_of(&self, id: i64) -> i64 {
        usize::try_from(id).ok().and_then(|index| self.numbers.get(index)).copied().unwrap_or_default()
    }

    /// Writes the step with the last number.
    fn write_step(&mut self, clause: &[i32], hints: &[i64]) {
        push_decimal(&mut self.text, self.last);
        clause.iter().for_each(|&lit| push_decimal(&mut self.text, lit.into()));
        self.text.extend_from_slice(b"0 ");
        hints.iter().for_each(|&hint| push_decimal(&mut self.text, hint));
        self.text.extend_from_slice(b"0\n");
    }

    fn write_deleted(&mut self) {
        if self.deleted.is_empty() {
            return;
        }
        push_decimal(&mut self.text, self.last);
        self.text.extend_from_slice(b"d ");
        for number in self.deleted.drain(..) {
            push_decimal(&mut self.text, number);
        }
        self.text.extend_from_slice(b"0\n");
    }

    fn write_full_piece(&mut self) {
        if self.text.len() >= PIECE {
            self.write_out();
        }
    }

    fn write_out(&mut self) {
        if self.failed.is_none()
            && let Err(error) = self.out.write_all(&self.text)
        {
            self.failed = Some(error);
        }
        self.text.clear();
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_out();
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }

    fn add(&mut self, step: ProofStep<'_>) {
        match step {
            ProofStep::Original { restored: true, .. } => {}
            ProofStep::Original { id, literals, restored: false } => self.add_original(id, literals),
            ProofStep::Derived { id, literals, antecedents } => self.add_derived(id, literals, antecedents),
            ProofStep::Deleted { id } => self.deleted.push(self.number_of(id)),
        }
    }

    fn add_original(&mut self, id: i64, clause: &[i32]) {
        self.original += 1;
        self.number(id, self.original);
        if clause.is_empty() {
            // CaDiCaL derives nothing from that, but a proof derives the empty clause.
            self.last += 1;
            self.write_step(&[], &[self.original]);
        }
    }

    fn add_derived(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.write_deleted();
        self.last += 1;
        self.number(id, self.last);
        let mut hints = std::mem::take(&mut self.hints);
        hints.clear();
        hints.extend(antecedents.iter().map(|&antecedent| self.number_of(antecedent)));
        self.write_step(clause, &hints);
        self.hints = hints;
        self.write_full_piece();
    }
}
