//! The bindings against what they promise, with the real solver.

extern crate cladist_cadical_cpp as _;

use cladist_cadical::{Configuration, MAX_VARIABLE, Outcome, ProofStep, Solver, SolverOption, signature};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Clauses that say that so many pigeons plus one have holes of their own.
fn pigeons(holes: i32) -> Vec<Vec<i32>> {
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses: Vec<Vec<i32>> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| at(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for pigeon in 0..=holes {
            clauses.extend((0..pigeon).map(|other| vec![-at(pigeon, hole), -at(other, hole)]));
        }
    }
    clauses
}

fn add_all(solver: &mut Solver, clauses: &[Vec<i32>]) {
    clauses.iter().for_each(|clause| solver.add_clause(clause));
}

/// The message of a panic.
fn panic_text(action: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(action)).expect_err("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast_ref::<&str>().expect("a text")).to_owned(),
    }
}

#[test]
fn the_version_is_that_of_the_archive() {
    assert_eq!(signature(), "cadical-3.0.1");
}

#[test]
fn values_and_cores_are_there_after_their_outcomes_only() {
    let mut solver = Solver::new();
    assert_eq!((solver.outcome(), solver.value(1), solver.core()), (None, None, None));
    solver.add_clause(&[1, 2]);
    solver.add_clause(&[-1, -2]);
    assert_eq!(solver.solve(&[-2]), Outcome::Satisfiable);
    assert_eq!([1, -1, 2, -2].map(|literal| solver.value(literal)), [true, false, false, true].map(Some));
    assert_eq!((solver.outcome(), solver.core()), (Some(Outcome::Satisfiable), None));
    assert_eq!(solver.solve(&[7, 1, -9, 2]), Outcome::Unsatisfiable);
    assert_eq!((solver.value(1), solver.core()), (None, Some(vec![1, 2])));
    // Assumptions are those of one call.
    assert_eq!(solver.solve(&[]), Outcome::Satisfiable);
    solver.add_clause(&[]);
    assert_eq!((solver.outcome(), solver.value(1), solver.core()), (None, None, None));
    assert_eq!(solver.solve(&[1]), Outcome::Unsatisfiable);
    assert_eq!(solver.core(), Some(vec![]));
}

#[test]
fn numbers_that_are_no_literals_are_refused() {
    for number in [0, i32::MIN, i32::MAX, MAX_VARIABLE + 1, -MAX_VARIABLE - 1] {
        let mut solver = Solver::new();
        let expected = format!("{number} is no literal");
        assert_eq!(panic_text(|| solver.add_clause(&[1, number])), expected);
        assert_eq!(panic_text(|| _ = solver.solve(&[number])), expected);
        assert_eq!(panic_text(|| _ = solver.value(number)), expected);
        // The solver is as it was.
        solver.add_clause(&[-1]);
        assert_eq!(solver.solve(&[]), Outcome::Satisfiable);
        assert_eq!(solver.value(1), Some(false));
        // A variable that was never mentioned has a value too.
        assert!(solver.value(MAX_VARIABLE).is_some());
    }
}

#[test]
fn options_are_known_whatever_their_values() {
    for value in [i32::MIN, -1, 0, 1, 1000, i32::MAX] {
        for plain in [false, true] {
            let configuration = Configuration::new()
                .set(SolverOption::Congruence, value)
                .set(SolverOption::EliminationInterval, value)
                .set(SolverOption::FirstReduction, value)
                .set(SolverOption::KeptTrail, value)
                .set(SolverOption::Lucky, value)
                .set(SolverOption::Sweeping, value);
            let mut solver = if plain { configuration.plain() } else { configuration }.start();
            add_all(&mut solver, &pigeons(4));
            assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);
        }
    }
}

#[test]
fn a_limit_of_conflicts_ends_each_call() {
    let mut solver = Solver::new();
    add_all(&mut solver, &pigeons(7));
    solver.limit_conflicts(Some(1));
    for _ in 0..3 {
        assert_eq!(solver.solve(&[]), Outcome::Unknown);
        assert_eq!((solver.value(1), solver.core()), (None, None));
    }
    solver.limit_conflicts(Some(u32::MAX));
    assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);
}

#[test]
fn a_terminator_ends_calls_until_it_is_removed() {
    let (asked, stops) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(true)));
    let mut solver = Solver::new();
    add_all(&mut solver, &pigeons(7));
    // The first one is dropped when the second one comes.
    let first = Rc::new(());
    let kept = Rc::clone(&first);
    solver.set_terminator(move || Rc::strong_count(&kept) == 0);
    let (count, stop) = (Rc::clone(&asked), Rc::clone(&stops));
    solver.set_terminator(move || {
        count.set(count.get() + 1);
        stop.get()
    });
    assert_eq!(Rc::strong_count(&first), 1);
    assert_eq!(solver.solve(&[]), Outcome::Unknown);
    let before = asked.get();
    assert!(before > 0);
    solver.limit_conflicts(Some(100));
    stops.set(false);
    assert_eq!(solver.solve(&[]), Outcome::Unknown);
    let after = asked.get();
    assert!(after > before + 10, "asked {} times", after - before);
    solver.limit_conflicts(None);
    solver.remove_terminator();
    assert_eq!((Rc::strong_count(&asked), Rc::strong_count(&stops)), (1, 1));
    assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);
    assert_eq!(asked.get(), after);
}

#[test]
fn panics_of_closures_come_out_of_the_call() {
    let mut solver = Solver::new();
    add_all(&mut solver, &pigeons(7));
    solver.set_terminator(|| panic!("stop asking"));
    for _ in 0..2 {
        assert_eq!(panic_text(|| _ = solver.solve(&[])), "stop asking");
        assert_eq!((solver.outcome(), solver.value(1), solver.core()), (None, None, None));
    }
    solver.remove_terminator();
    assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);

    let mut solver = Configuration::new().trace_proof(|_| panic!("a full disk")).start();
    assert_eq!(panic_text(|| solver.add_clause(&[1])), "a full disk");
    assert_eq!(panic_text(|| solver.add_clause(&[2])), "a full disk");
}

/// Clauses by their numbers, and the steps of a proof about them that were wrong.
#[derive(Default)]
struct LratReplay {
    clauses: BTreeMap<i64, Vec<i32>>,
    derived: usize,
    deleted: usize,
    refuted: bool,
}

impl LratReplay {
    fn take(&mut self, step: ProofStep<'_>) {
        match step {
            ProofStep::Original { id, literals, restored } => {
                let before = self.clauses.insert(id, literals.to_vec());
                assert!(before.is_none() || restored, "clause {id} comes twice");
            }
            ProofStep::Derived { id, literals, antecedents } => {
                self.derived += 1;
                self.refuted |= literals.is_empty();
                let mut holding: Vec<i32> = literals.iter().map(|literal| -literal).collect();
                let conflict = antecedents.iter().any(|antecedent| {
                    let clause = &self.clauses[antecedent];
                    let left: Vec<i32> =
                        clause.iter().copied().filter(|literal| !holding.contains(&-literal)).collect();
                    assert!(left.len() <= 1, "clause {antecedent} is not unit in the step of {id}");
                    holding.extend(&left);
                    left.is_empty()
                });
                assert!(conflict, "the antecedents of clause {id} have no conflict");
                self.clauses.insert(id, literals.to_vec());
            }
            ProofStep::Deleted { id } => {
                self.deleted += 1;
                assert!(self.clauses.remove(&id).is_some(), "clause {id} is not there");
            }
        }
    }
}

#[test]
fn the_steps_of_a_proof_follow() {
    let checker = Rc::new(RefCell::new(LratReplay::default()));
    let (first, steps) = (Rc::clone(&checker), Rc::clone(&checker));
    let configuration = Configuration::new().trace_proof(move |step| first.borrow_mut().take(step));
    // The last one counts.
    let configuration = configuration.trace_proof(move |step| steps.borrow_mut().take(step));
    assert_eq!(Rc::strong_count(&checker), 2);
    let mut solver = configuration.set(SolverOption::Lucky, 0).start();
    add_all(&mut solver, &pigeons(6));
    assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);
    let counted = |checker: &LratReplay| (checker.derived, checker.deleted, checker.refuted);
    let (derived, deleted, refuted) = counted(&checker.borrow());
    assert!(derived > 10 && deleted > 10 && refuted, "{derived} and {deleted} steps");
    // Nothing is told when the solver is dropped, and its closures are freed.
    drop(solver);
    assert_eq!(counted(&checker.borrow()), (derived, deleted, refuted));
    assert_eq!(Rc::strong_count(&checker), 1);
}

#[test]
fn empty_clauses_are_told_to_tracers() {
    let steps = Rc::new(RefCell::new(Vec::new()));
    let told = Rc::clone(&steps);
    let tracer = move |step: ProofStep<'_>| told.borrow_mut().push(format!("{step:?}"));
    let mut solver = Configuration::new().trace_proof(tracer).start();
    solver.add_clause(&[]);
    assert_eq!(solver.solve(&[]), Outcome::Unsatisfiable);
    assert_eq!(steps.borrow()[0], "Original { id: 1, literals: [], restored: false }");
}
