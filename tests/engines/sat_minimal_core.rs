//! Minimal cores against brute force.

use crate::sat_support;

use cladist::budget::{Budget, Exhausted};
use cladist::sat::{Backend, Circuit, Lit, minimise_core};
use sat_support::{BruteForce, Random, is_ordered_part, random_lits};

const VARIABLES: usize = 11;

#[test]
fn cores_are_minimal_and_reproducible() {
    for &backend in Backend::all() {
        let mut random = Random::new(21);
        let (mut tried, mut shrunk) = (0, 0);
        while tried < 150 {
            let mut reference = BruteForce::default();
            let clauses: Vec<Vec<Lit>> = (0..22)
                .map(|_| {
                    let length = *random.pick(&[2, 3, 3, 3]);
                    // Variable 0 is the circuit's constant.
                    random_lits(&mut random, length, VARIABLES - 1).iter().map(|&lit| lit + 1).collect()
                })
                .collect();
            reference.add(&[Lit::positive(0)]);
            clauses.iter().for_each(|clause| reference.add(clause));
            let mut lits = random_lits(&mut random, 9, VARIABLES - 1);
            lits.iter_mut().for_each(|lit| *lit = *lit + 1);
            let (fixed, candidates) = lits.split_at(random.below(3));
            if reference.satisfiable(&lits, VARIABLES) || !reference.satisfiable(fixed, VARIABLES) {
                continue;
            }
            tried += 1;
            let run = || {
                let mut circuit = Circuit::new(backend.start(&Budget::unlimited()));
                for _ in 1..VARIABLES {
                    circuit.fresh();
                }
                clauses.iter().for_each(|clause| circuit.add_clause(clause));
                minimise_core(&mut circuit, fixed, candidates).unwrap()
            };
            let core = run();
            assert_eq!(core, run(), "{backend}: not reproducible");
            assert!(is_ordered_part(&core, candidates), "{backend}: {core:?} of {candidates:?}");
            let contradiction = |part: &[Lit]| !reference.satisfiable(&[fixed, part].concat(), VARIABLES);
            assert!(contradiction(&core), "{backend}: {core:?} is no core");
            for index in 0..core.len() {
                let mut part = core.clone();
                part.remove(index);
                assert!(!contradiction(&part), "{backend}: {core:?} is not minimal");
            }
            shrunk += usize::from(core.len() < candidates.len());
        }
        assert!(shrunk > 100, "{backend}: hardly ever anything to remove");
    }
}

#[test]
fn what_contradicts_itself_needs_no_candidates() {
    for &backend in Backend::all() {
        let mut circuit = Circuit::new(backend.start(&Budget::unlimited()));
        let (a, b) = (circuit.fresh(), circuit.fresh());
        assert_eq!(minimise_core(&mut circuit, &[a, !a], &[b, a]), Ok(vec![]), "{backend}");
        assert_eq!(minimise_core(&mut circuit, &[a], &[b, !a, !a, a]), Ok(vec![!a]), "{backend}");
        circuit.add_clause(&[]);
        assert_eq!(minimise_core(&mut circuit, &[], &[a, b]), Ok(vec![]), "{backend}");
    }
}

#[test]
fn an_ended_budget_is_reported() {
    for &backend in Backend::all() {
        let budget = Budget::unlimited();
        let mut circuit = Circuit::new(backend.start(&budget));
        let a = circuit.fresh();
        budget.interrupt();
        assert_eq!(minimise_core(&mut circuit, &[a], &[!a]), Err(Exhausted::Interrupt), "{backend}");
    }
}

#[test]
#[should_panic(expected = "the candidates contradict each other")]
fn candidates_that_can_hold_are_a_mistake() {
    let mut circuit = Circuit::new(Backend::Cadical.start(&Budget::unlimited()));
    let a = circuit.fresh();
    let _ = minimise_core(&mut circuit, &[], &[a]);
}
