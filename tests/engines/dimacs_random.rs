//! The clauses of a bounded check, as a file in DIMACS CNF: solved again, they give the answer of the check.

use crate::random::cases;
use crate::random_model::random_model;
use cladist::budget::{Budget, Exhausted};
use cladist::sat::{Answer, Backend, Lit};
use cladist::unroll::{BoundedResult, Lengths, check, clauses};
use std::time::Duration;

/// Reads a file and solves it, with a solver that has not seen its clauses.
fn solved(text: &str) -> Answer {
    let mut solver = Backend::Varisat.start(&Budget::unlimited());
    let (mut declared, mut read) = (None, 0);
    for line in text.lines().filter(|line| !line.starts_with('c')) {
        if let Some(header) = line.strip_prefix("p cnf ") {
            let numbers: Vec<usize> =
                header.split(' ').map(|number| number.parse().expect("a number")).collect();
            declared = Some((numbers[0], numbers[1]));
            continue;
        }
        let numbers: Vec<i32> = line.split(' ').map(|number| number.parse().expect("a number")).collect();
        let (last, lits) = numbers.split_last().expect("a clause");
        assert_eq!(*last, 0, "{line}");
        let lits: Vec<Lit> =
            lits.iter().map(|&number| Lit::from_ipasir(number).expect("a literal")).collect();
        assert!(lits.iter().all(|lit| lit.vidx() < declared.expect("a header first").0), "{line}");
        solver.add_clause(&lits);
        read += 1;
    }
    assert_eq!(read, declared.expect("a header").1);
    solver.solve(&[])
}

#[test]
fn the_clauses_of_random_models_are_satisfiable_iff_the_check_finds_a_violation() {
    let mut violations = 0;
    for seed in 0..cases(60) {
        let model = random_model(seed);
        let invariant = model.properties[0].invariant().expect("an invariant");
        for lengths in [Lengths::UpTo(0), Lengths::UpTo(3), Lengths::Exactly(2)] {
            let mut text = Vec::new();
            let made = clauses(&model, invariant, lengths, &Budget::unlimited()).expect("no limit");
            made.write(&mut text).expect("written");
            let text = String::from_utf8(text).expect("a text");
            let expected =
                match check(&model, invariant, lengths, Backend::Cadical, &Budget::unlimited(), &mut ()) {
                    BoundedResult::Violated(_) => Answer::Sat,
                    BoundedResult::Holds => Answer::Unsat,
                    undecided => panic!("{undecided:?}"),
                };
            assert_eq!(solved(&text), expected, "seed {seed}, {lengths:?}\n{text}");
            violations += u64::from(expected == Answer::Sat);
        }
    }
    assert!(violations > 0 && violations < 3 * cases(60), "{violations}");
}

#[test]
fn a_limit_ends_the_clauses() {
    let model = random_model(3);
    let invariant = model.properties[0].invariant().expect("an invariant");
    let budget = Budget::unlimited().with_timeout(Duration::ZERO);
    assert_eq!(clauses(&model, invariant, Lengths::UpTo(5), &budget).err(), Some(Exhausted::Time));
}
