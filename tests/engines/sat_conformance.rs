//! One suite for every solver back end: the answers, the assignments, the cores and the budgets.

use crate::sat_support;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cladist::budget::{Budget, Exhausted};
use cladist::sat::{Answer, Backend, Lit, SatSolver, Setup};
use sat_support::{BruteForce, Random, is_ordered_part, pigeon_hole, random_lits};

fn start(solver: impl Into<Setup>) -> Box<dyn SatSolver> {
    solver.into().start(&Budget::unlimited())
}

fn lit(number: i32) -> Lit {
    Lit::new(number.unsigned_abs() - 1, number < 0)
}

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&number| lit(number)).collect()
}

/// The suite with one back end after the other, each also searching in other orders.
fn every(test: impl Fn(Setup)) {
    for &backend in Backend::all() {
        [0, 1, 20_261].into_iter().for_each(|seed| test(Setup { backend, seed }));
    }
}

#[test]
fn a_seed_changes_the_assignment_and_not_the_answers() {
    for &backend in Backend::all() {
        let assignments: std::collections::BTreeSet<Vec<bool>> = (0..8)
            .map(|seed| {
                let mut solver = start(Setup { backend, seed });
                for first in (1..400).step_by(2) {
                    solver.add_clause(&lits(&[first, first + 1]));
                    solver.add_clause(&lits(&[-first, -first - 1]));
                }
                assert_eq!(solver.solve(&lits(&[7, -9])), Answer::Sat);
                let values: Vec<bool> = (1..=400).map(|number| solver.value(lit(number))).collect();
                assert!(values.chunks(2).all(|pair| pair[0] != pair[1]) && values[6] && !values[8]);
                assert_eq!(solver.solve(&lits(&[5, 7, 8])), Answer::Unsat);
                assert_eq!(solver.core(), lits(&[7, 8]));
                values
            })
            .collect();
        assert!(assignments.len() > 4, "{backend}: {}", assignments.len());
    }
}

#[test]
fn names_are_read_and_written() {
    for &backend in Backend::all() {
        assert_eq!(backend.to_string().parse(), Ok(backend));
        assert!(start(backend).name().starts_with(&backend.to_string()), "{}", start(backend).name());
    }
    let error = "minisat".parse::<Backend>().unwrap_err();
    assert_eq!(error.to_string(), "unknown solver `minisat`; choose one of `cadical`, `varisat`");
}

#[test]
fn names_carry_the_version_in_use() {
    let lock = include_str!("../../Cargo.lock");
    let version = start(Backend::Varisat).name().replace("varisat ", "");
    assert!(lock.contains(&format!("name = \"varisat\"\nversion = \"{version}\"")), "{version}");
}

/// Clauses, assumptions, and the core if they contradict each other.
type Case = (&'static [&'static [i32]], &'static [i32], Option<&'static [i32]>);

const CORNERS: &[Case] = &[
    (&[], &[], None),
    (&[&[]], &[], Some(&[])),
    (&[&[]], &[1, 2], Some(&[])),
    (&[&[], &[1]], &[1], Some(&[])),
    (&[&[1], &[-1]], &[5], Some(&[])),
    (&[&[1, 1], &[1, -1], &[-2, 2, 3]], &[1, -3], None),
    // Assumptions over variables in no clause.
    (&[], &[3, -7], None),
    (&[&[1, 2]], &[900, -901, -1], None),
    // The same assumption again, and its opposite.
    (&[&[1, 2]], &[-1, -1, -1], None),
    (&[&[1, 2]], &[-2, -1, -2, -1], Some(&[-2, -1])),
    (&[&[1, 2]], &[3, 1, -3], Some(&[3, -3])),
    (&[], &[4, 4, -4, -4], Some(&[4, -4])),
    // False by the clauses alone.
    (&[&[-1]], &[2, 1, 3], Some(&[1])),
    (&[&[-1, 2], &[-2]], &[3, 1], Some(&[1])),
    // Only some are to blame, in the order given.
    (&[&[-1, -2, -3]], &[3, 4, 2, 5, 1], Some(&[3, 2, 1])),
    (&[&[-1, 2], &[-2, 3], &[-3, -4]], &[4, 7, 1], Some(&[4, 1])),
];

#[test]
fn corner_cases() {
    every(|backend| {
        for (clauses, assumptions, core) in CORNERS {
            let mut solver = start(backend);
            clauses.iter().for_each(|clause| solver.add_clause(&lits(clause)));
            // The second call must not be confused by the first.
            for _ in 0..2 {
                let answer = solver.solve(&lits(assumptions));
                let context = format!("{backend}: {clauses:?} under {assumptions:?}");
                match core {
                    Some(core) => {
                        assert_eq!(answer, Answer::Unsat, "{context}");
                        assert_eq!(solver.core(), lits(core), "{context}");
                    }
                    None => {
                        assert_eq!(answer, Answer::Sat, "{context}");
                        assert!(lits(assumptions).iter().all(|&lit| solver.value(lit)), "{context}");
                        assert_eq!(solver.core(), [], "{context}");
                    }
                }
            }
        }
    });
}

#[test]
fn variables_never_seen_are_false() {
    every(|backend| {
        let mut solver = start(backend);
        solver.add_clause(&lits(&[5, 9]));
        assert_eq!(solver.solve(&lits(&[20])), Answer::Sat);
        for number in [1, 4, 6, 19, 21, 5000] {
            assert!(!solver.value(lit(number)), "{backend}: {number}");
            assert!(solver.value(lit(-number)), "{backend}: -{number}");
        }
        assert!(solver.value(lit(20)));
    });
}

#[test]
#[should_panic(expected = "there is no assignment")]
fn values_end_with_the_next_clause() {
    let mut solver = start(Backend::Cadical);
    assert_eq!(solver.solve(&[]), Answer::Sat);
    solver.add_clause(&lits(&[1]));
    solver.value(lit(1));
}

#[test]
fn clauses_after_a_contradiction_under_assumptions_count() {
    every(|backend| {
        let mut solver = start(backend);
        solver.add_clause(&lits(&[-1, -2]));
        assert_eq!(solver.solve(&lits(&[1, 2])), Answer::Unsat);
        solver.add_clause(&lits(&[3]));
        // The core stays until the next call.
        assert_eq!(solver.core(), lits(&[1, 2]));
        assert_eq!(solver.solve(&[]), Answer::Sat, "{backend}");
        assert!(solver.value(lit(3)));
        solver.add_clause(&lits(&[-3, 4]));
        assert_eq!(solver.solve(&lits(&[1])), Answer::Sat);
        assert!(solver.value(lit(4)) && !solver.value(lit(2)), "{backend}");
        solver.add_clause(&lits(&[-4]));
        assert_eq!(solver.solve(&lits(&[1])), Answer::Unsat);
        assert_eq!(solver.core(), []);
        solver.add_clause(&lits(&[8]));
        assert_eq!(solver.solve(&lits(&[8])), Answer::Unsat, "{backend}");
    });
}

/// The shortest run in which plain varisat 0.2.2 gives a core that is none.
#[test]
fn cores_are_right_after_an_assumption_was_false_by_the_clauses_alone() {
    every(|backend| {
        let mut solver = start(backend);
        solver.add_clause(&lits(&[1]));
        assert_eq!(solver.solve(&lits(&[-1])), Answer::Unsat);
        assert_eq!(solver.core(), lits(&[-1]));
        solver.add_clause(&lits(&[5]));
        assert_eq!(solver.solve(&[]), Answer::Sat);
        solver.add_clause(&lits(&[7, 3]));
        assert_eq!(solver.solve(&lits(&[-3, 3])), Answer::Unsat);
        assert_eq!(solver.core(), lits(&[-3, 3]), "{backend}");
        assert_eq!(solver.solve(&lits(&[2, -1])), Answer::Unsat);
        assert_eq!(solver.core(), lits(&[-1]), "{backend}");
    });
}

#[test]
fn random_clauses_agree_with_brute_force() {
    every(|backend| {
        let mut random = Random::new(1);
        let mut satisfiable = 0;
        for _ in 0..300 {
            let variables = 3 + random.below(8);
            let mut solver = start(backend);
            let mut reference = BruteForce::default();
            for _ in 0..variables * 43 / 10 {
                let clause = random_lits(&mut random, 3, variables);
                solver.add_clause(&clause);
                reference.add(&clause);
            }
            let expected = reference.satisfiable(&[], variables);
            assert_eq!(solver.solve(&[]) == Answer::Sat, expected, "{backend}");
            if expected {
                assert!(reference.holds(assignment(&*solver, variables)), "{backend}");
                satisfiable += 1;
            }
        }
        assert!((50..250).contains(&satisfiable), "the problems are not at the threshold: {satisfiable}");
    });
}

#[test]
fn random_incremental_runs_agree_with_brute_force() {
    const VARIABLES: usize = 10;
    every(|backend| {
        let mut random = Random::new(2);
        let mut cores = 0;
        for _ in 0..120 {
            let mut solver = start(backend);
            let mut reference = BruteForce::default();
            for step in 1..25 {
                // Variables come into play little by little.
                let known = VARIABLES.min(2 + step / 2);
                for _ in 0..random.below(4) {
                    let length = *random.pick(&[1, 2, 2, 3, 3, 3, 4]);
                    let clause = random_lits(&mut random, length, known);
                    solver.add_clause(&clause);
                    reference.add(&clause);
                }
                let count = random.below(6);
                let assumptions = random_lits(&mut random, count, VARIABLES);
                let answer = solver.solve(&assumptions);
                let expected = reference.satisfiable(&assumptions, VARIABLES);
                assert_eq!(answer == Answer::Sat, expected, "{backend}: {assumptions:?}");
                if expected {
                    assert!(assumptions.iter().all(|&lit| solver.value(lit)), "{backend}");
                    assert!(reference.holds(assignment(&*solver, VARIABLES)), "{backend}");
                } else {
                    let core = solver.core();
                    assert!(is_ordered_part(&core, &assumptions), "{backend}: {core:?} of {assumptions:?}");
                    assert!(!reference.satisfiable(&core, VARIABLES), "{backend}: {core:?} is no core");
                    cores += usize::from(!core.is_empty());
                }
            }
        }
        assert!(cores > 100, "too few cores: {cores}");
    });
}

fn assignment(solver: &dyn SatSolver, variables: usize) -> u32 {
    (0..variables).fold(0, |bits, index| bits | u32::from(solver.value(Lit::positive(index as u32))) << index)
}

/// Long runs with many variables, of which many become fixed and new ones come: what varisat's reuse of
/// variables needs to go wrong.
#[test]
fn cores_of_long_runs_are_confirmed_by_a_fresh_solver() {
    every(|backend| {
        let mut random = Random::new(3);
        for _ in 0..40 {
            let mut solver = start(backend);
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            let mut newest = 10;
            for _ in 0..60 {
                newest += random.below(4);
                for _ in 0..random.below(8) {
                    let length = *random.pick(&[2, 2, 3, 3, 3]);
                    let mut clause = random_lits(&mut random, length, newest);
                    if random.below(12) == 0 {
                        clause.truncate(1);
                    }
                    solver.add_clause(&clause);
                    clauses.push(clause);
                }
                let count = random.below(12);
                let assumptions = random_lits(&mut random, count, newest);
                let answer = solver.solve(&assumptions);
                if answer == Answer::Sat {
                    let holds = |clause: &Vec<Lit>| clause.iter().any(|&lit| solver.value(lit));
                    assert!(clauses.iter().all(holds), "{backend}: a clause is violated");
                    continue;
                }
                let core = solver.core();
                assert!(is_ordered_part(&core, &assumptions), "{backend}: {core:?} of {assumptions:?}");
                let mut judge = start(Backend::Cadical);
                clauses.iter().for_each(|clause| judge.add_clause(clause));
                assert_eq!(judge.solve(&core), Answer::Unsat, "{backend}: {core:?} is no core");
                if core.is_empty() {
                    break;
                }
            }
        }
    });
}

#[test]
fn pigeons_do_not_fit() {
    every(|backend| {
        let mut solver = start(backend);
        // Each clause can be switched off; only the clauses that say where pigeons sit are.
        let holes = 6;
        let switches: Vec<Lit> = (0..=holes).map(|index| Lit::positive(1000 + index)).collect();
        for (index, mut clause) in pigeon_hole(holes, 0).into_iter().enumerate() {
            clause.extend(switches.get(index).map(|&switch| !switch));
            solver.add_clause(&clause);
        }
        assert_eq!(solver.solve(&switches), Answer::Unsat, "{backend}");
        assert_eq!(solver.core(), switches, "{backend}: every pigeon is needed");
        for &left_out in &switches {
            let rest: Vec<Lit> = switches.iter().copied().filter(|&switch| switch != left_out).collect();
            assert_eq!(solver.solve(&rest), Answer::Sat, "{backend}");
        }
        assert_eq!(solver.solve(&switches), Answer::Unsat, "{backend}");
    });
}

/// A problem far beyond any solver here.
fn hard(backend: Setup, budget: &Budget) -> Box<dyn SatSolver> {
    let mut solver = backend.start(budget);
    pigeon_hole(14, 0).iter().for_each(|clause| solver.add_clause(clause));
    solver
}

/// Much more than the solvers need to notice, much less than the problem takes.
const SOON: Duration = Duration::from_secs(5);

#[test]
fn the_time_limit_ends_a_call() {
    every(|backend| {
        let begin = Instant::now();
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(200));
        let mut solver = hard(backend, &budget);
        assert_eq!(solver.solve(&[]), Answer::Unknown(Exhausted::Time), "{backend}");
        assert!(begin.elapsed() >= Duration::from_millis(200), "{backend}");
        assert!(begin.elapsed() < SOON, "{backend}: {:?}", begin.elapsed());
        // It can be asked and fed again, and still has no time.
        solver.add_clause(&lits(&[1]));
        assert_eq!(solver.solve(&lits(&[2])), Answer::Unknown(Exhausted::Time), "{backend}");
        assert_eq!(solver.core(), []);
    });
}

#[test]
fn an_interrupt_from_another_thread_ends_a_call() {
    every(|backend| {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_interrupt_flag(flag.clone());
        let mut solver = hard(backend, &budget);
        let remote = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            budget.interrupt();
            Instant::now()
        });
        assert_eq!(solver.solve(&[]), Answer::Unknown(Exhausted::Interrupt), "{backend}");
        let delay = remote.join().unwrap().elapsed();
        assert!(delay < SOON, "{backend}: {delay:?}");
        // The flag is taken back, and two pigeons put into one hole.
        flag.store(false, Ordering::Relaxed);
        let expected = match backend.backend {
            Backend::Cadical => Answer::Unsat,
            // Stopped once, stopped for good.
            Backend::Varisat => Answer::Unknown(Exhausted::Interrupt),
        };
        assert_eq!(solver.solve(&lits(&[1, 15])), expected, "{backend}");
    });
}

#[test]
fn the_memory_limit_ends_a_call() {
    if !Budget::memory_is_measurable() {
        return;
    }
    every(|backend| {
        let budget = Budget::unlimited().with_memory(1);
        assert_eq!(hard(backend, &budget).solve(&[]), Answer::Unknown(Exhausted::Memory), "{backend}");
    });
}

#[test]
fn an_ended_budget_lets_no_call_begin() {
    every(|backend| {
        let budget = Budget::unlimited().with_timeout(Duration::ZERO);
        assert_eq!(backend.start(&budget).solve(&[]), Answer::Unknown(Exhausted::Time), "{backend}");
        let flag = Arc::new(AtomicBool::new(true));
        let mut solver = backend.start(&Budget::unlimited().with_interrupt_flag(flag.clone()));
        assert_eq!(solver.solve(&lits(&[1])), Answer::Unknown(Exhausted::Interrupt), "{backend}");
        // Nothing has been spoiled by not beginning.
        flag.store(false, Ordering::Relaxed);
        assert_eq!(solver.solve(&lits(&[1])), Answer::Sat, "{backend}");
    });
}
