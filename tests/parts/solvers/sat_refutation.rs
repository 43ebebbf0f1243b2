//! Tests of `solvers::sat::refutation`.

use kit::budget::{Budget, Exhausted};
use kit::proof::{CnfFormula, Verified, check};
use solvers::sat::refutation::*;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// A writer whose text can be read afterwards.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn pigeons(holes: i32) -> CnfFormula {
    let mut formula = CnfFormula::default();
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    for pigeon in 0..=holes {
        formula.push((0..holes).map(|hole| at(pigeon, hole)));
    }
    for hole in 0..holes {
        for pigeon in 0..=holes {
            (0..pigeon).for_each(|other| formula.push([-at(pigeon, hole), -at(other, hole)]));
        }
    }
    formula
}

#[test]
fn pigeons_are_refuted_and_the_proof_checks() {
    let (formula, text, budget) = (pigeons(6), Shared::default(), Budget::unlimited());
    let refuted = refute(&formula, text.clone(), &budget).expect("written");
    assert_eq!(refuted, Refutation::Unsatisfiable);
    let proof = text.0.take();
    let Verified { derived, .. } = check(&formula, &mut &proof[..], &budget).expect("a proof");
    assert!(derived > 10, "{derived}");
}

#[test]
fn trivial_contradictions_have_proofs() {
    for clauses in [vec![vec![]], vec![vec![1], vec![-1]], vec![vec![1, 1], vec![2, -1, 2], vec![-2, -1]]] {
        let (mut formula, text, budget) = (CnfFormula::default(), Shared::default(), Budget::unlimited());
        // A tautology, which CaDiCaL drops at once.
        formula.push([3, -3]);
        clauses.iter().for_each(|clause| formula.push(clause.iter().copied()));
        let refuted = refute(&formula, text.clone(), &budget).expect("written");
        assert_eq!(refuted, Refutation::Unsatisfiable, "{clauses:?}");
        let proof = text.0.take();
        check(&formula, &mut &proof[..], &budget)
            .unwrap_or_else(|wrong| panic!("{wrong:?}: {}", String::from_utf8_lossy(&proof)));
    }
}

#[test]
fn what_ends_it_is_said() {
    let mut formula = CnfFormula::default();
    formula.push([1, 2]);
    let free = Budget::unlimited();
    assert_eq!(refute(&formula, io::sink(), &free).expect("written"), Refutation::Satisfiable);
    let budget = Budget::unlimited();
    budget.interrupt();
    let refuted = refute(&pigeons(11), io::sink(), &budget).expect("written");
    assert_eq!(refuted, Refutation::Unknown(Exhausted::Interrupt));
}

#[test]
fn a_full_disk_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // Without the error this would take very long.
    let refuted = refute(&pigeons(12), Full, &Budget::unlimited());
    assert_eq!(refuted.expect_err("the disk is full").kind(), io::ErrorKind::StorageFull);
}
