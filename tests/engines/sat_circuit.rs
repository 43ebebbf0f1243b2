//! Gates against truth tables, "at most one" against counting, and what is shared and folded.

use crate::sat_support;

use cladist::budget::Budget;
use cladist::sat::{Answer, Backend, Circuit, CircuitConstraint, Gate, GateDefinition, Lit};
use sat_support::Random;

fn circuit(backend: Backend) -> Circuit {
    Circuit::new(backend.start(&Budget::unlimited()))
}

/// Every assignment to `inputs`, as the literals that hold.
fn assignments(inputs: &[Lit]) -> impl Iterator<Item = (usize, Vec<Lit>)> {
    (0..1 << inputs.len()).map(|bits: usize| {
        let lits = inputs.iter().enumerate();
        (bits, lits.map(|(index, &lit)| if bits >> index & 1 == 1 { lit } else { !lit }).collect())
    })
}

const INPUTS: usize = 4;

/// A literal and what it computes: bit i is its value under assignment i to the inputs.
type Signal = (Lit, u16);

/// A random gate over earlier signals.
fn grow(circuit: &mut Circuit, signals: &[Signal], random: &mut Random) -> Signal {
    let pick = |random: &mut Random| {
        let &(lit, table) = random.pick(signals);
        if random.below(2) == 0 { (lit, table) } else { (!lit, !table) }
    };
    let (a, b, c) = (pick(random), pick(random), pick(random));
    let several: Vec<Signal> = (0..random.below(6)).map(|_| pick(random)).collect();
    let lits: Vec<Lit> = several.iter().map(|signal| signal.0).collect();
    match random.below(7) {
        0 => (circuit.and(a.0, b.0), a.1 & b.1),
        1 => (circuit.or(a.0, b.0), a.1 | b.1),
        2 => (circuit.iff(a.0, b.0), !(a.1 ^ b.1)),
        3 => (circuit.xor(a.0, b.0), a.1 ^ b.1),
        4 => (circuit.ite(c.0, a.0, b.0), c.1 & a.1 | !c.1 & b.1),
        5 => (circuit.all(&lits), several.iter().fold(!0, |table, signal| table & signal.1)),
        _ => (circuit.any(&lits), several.iter().fold(0, |table, signal| table | signal.1)),
    }
}

#[test]
fn gates_compute_their_truth_tables() {
    for &backend in Backend::all() {
        let mut random = Random::new(11);
        for _ in 0..40 {
            let mut circuit = circuit(backend);
            let inputs: Vec<Lit> = (0..INPUTS).map(|_| circuit.fresh()).collect();
            let mut signals = vec![(circuit.yes(), !0)];
            for (index, &input) in inputs.iter().enumerate() {
                let ones = (0..16).filter(|assignment| assignment >> index & 1 == 1);
                signals.push((input, ones.fold(0, |table, assignment| table | 1 << assignment)));
            }
            // Gates are made between calls of the solver, too.
            for _ in 0..3 {
                for _ in 0..10 {
                    let signal = grow(&mut circuit, &signals, &mut random);
                    signals.push(signal);
                }
                for (bits, assumptions) in assignments(&inputs) {
                    assert_eq!(circuit.solve(&assumptions), Answer::Sat, "{backend}");
                    for &(lit, table) in &signals {
                        assert_eq!(
                            circuit.value(lit),
                            table >> bits & 1 == 1,
                            "{backend}: {lit} {table:016b}"
                        );
                        assert_eq!(circuit.value(!lit), table >> bits & 1 == 0, "{backend}");
                    }
                }
                // Outputs force inputs as well.
                for &(lit, table) in &signals {
                    assert_eq!(circuit.solve(&[lit]) == Answer::Sat, table != 0, "{backend}");
                    assert_eq!(circuit.solve(&[!lit]) == Answer::Sat, table != !0, "{backend}");
                }
            }
        }
    }
}

/// Something that makes a gate out of literals a, b and c.
type Recipe = fn(&mut Circuit, [Lit; 3]) -> Lit;

#[test]
fn constants_are_folded() {
    const YES: Recipe = |circuit, _| circuit.yes();
    const NO: Recipe = |circuit, _| circuit.no();
    const A: Recipe = |_, [a, ..]| a;
    const NOT_A: Recipe = |_, [a, ..]| !a;
    const AND_AB: Recipe = |circuit, [a, b, _]| circuit.and(a, b);
    const OR_AB: Recipe = |circuit, [a, b, _]| circuit.or(a, b);
    const IFF_AB: Recipe = |circuit, [a, b, _]| circuit.iff(a, b);
    let table: &[(Recipe, Recipe)] = &[
        (|c, [a, ..]| c.and(a, a), A),
        (|c, [a, ..]| c.and(a, !a), NO),
        (|c, [a, ..]| c.and(c.yes(), a), A),
        (|c, [a, ..]| c.and(a, c.no()), NO),
        (|c, [a, ..]| c.or(a, !a), YES),
        (|c, [a, ..]| c.or(a, c.no()), A),
        (|c, [a, ..]| c.iff(a, a), YES),
        (|c, [a, ..]| c.iff(a, !a), NO),
        (|c, [a, ..]| c.iff(a, c.yes()), A),
        (|c, [a, ..]| c.iff(c.no(), a), NOT_A),
        (|c, _| c.xor(c.yes(), c.no()), YES),
        (|c, _| c.all(&[]), YES),
        (|c, _| c.any(&[]), NO),
        (|c, [a, ..]| c.all(&[a, c.yes(), a]), A),
        (|c, [a, b, d]| c.all(&[a, b, !a, d]), NO),
        (|c, [a, b, d]| c.any(&[a, b, !a, d]), YES),
        (|c, [a, b, d]| c.all(&[a, b, c.no(), d]), NO),
        (|c, [a, b, _]| c.all(&[b, a, b]), AND_AB),
        (|c, [a, b, _]| c.any(&[b, c.no(), a]), OR_AB),
        (|c, [a, b, d]| c.any(&[d, a, b]), |c, [a, b, d]| !c.all(&[!a, !d, !b])),
        (|c, [a, b, _]| c.ite(c.yes(), a, b), A),
        (|c, [a, b, _]| c.ite(c.no(), b, a), A),
        (|c, [a, b, _]| c.ite(b, a, a), A),
        (|c, [a, b, _]| c.ite(a, b, !b), IFF_AB),
        (|c, [a, b, _]| c.ite(a, c.yes(), b), OR_AB),
        (|c, [a, b, _]| c.ite(a, a, b), OR_AB),
        (|c, [a, b, _]| c.ite(!a, c.no(), b), AND_AB),
        (|c, [a, b, _]| c.ite(!a, a, b), AND_AB),
        (|c, [a, b, _]| c.ite(a, b, c.no()), AND_AB),
        (|c, [a, b, _]| c.ite(a, b, a), AND_AB),
        (|c, [a, b, _]| c.ite(!a, b, c.yes()), OR_AB),
        (|c, [a, b, _]| c.ite(!a, b, a), OR_AB),
        (|c, [a, b, d]| c.ite(!d, a, b), |c, [a, b, d]| c.ite(d, b, a)),
        (|c, [a, b, d]| c.ite(d, !a, !b), |c, [a, b, d]| !c.ite(d, a, b)),
        (|c, [a, b, _]| c.iff(!b, a), |c, [a, b, _]| !c.iff(a, b)),
        (|c, [a, b, _]| c.xor(!b, !a), |c, [a, b, _]| c.xor(a, b)),
    ];
    for (index, (recipe, expected)) in table.iter().enumerate() {
        let mut circuit = circuit(Backend::Cadical);
        let inputs = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
        let wanted = expected(&mut circuit, inputs);
        let (variables, clauses, gates) = (circuit.variables(), circuit.clauses(), circuit.gates());
        assert_eq!(recipe(&mut circuit, inputs), wanted, "row {index}");
        assert_eq!(
            (variables, clauses, gates),
            (circuit.variables(), circuit.clauses(), circuit.gates()),
            "row {index} makes something new"
        );
    }
}

#[test]
fn many_wide_gates_are_told_apart() {
    let mut circuit = circuit(Backend::Cadical);
    let inputs: Vec<Lit> = (0..14).map(|_| circuit.fresh()).collect();
    let mut random = Random::new(12);
    let choices: Vec<Vec<Lit>> = (0u32..1 << 14)
        .filter(|bits| bits.count_ones() == 4)
        .map(|bits| inputs.iter().copied().filter(|lit| bits >> (lit.vidx() - 1) & 1 == 1).collect())
        .collect();
    let outputs: Vec<Lit> = choices.iter().map(|lits| circuit.all(lits)).collect();
    assert_eq!((circuit.gates(), circuit.clauses()), (1001, 1 + 5 * 1001));
    for (mut lits, output) in choices.into_iter().zip(outputs) {
        random.shuffle(&mut lits);
        assert_eq!(circuit.all(&lits), output);
        assert_eq!(circuit.any(&lits.iter().map(|&lit| !lit).collect::<Vec<_>>()), !output);
    }
    assert_eq!(circuit.gates(), 1001);
}

#[test]
fn at_most_one_counts() {
    for &backend in Backend::all() {
        for count in 0..=20 {
            let mut circuit = circuit(backend);
            let lits: Vec<Lit> = (0..count).map(|_| circuit.fresh()).collect();
            circuit.at_most_one(&lits);
            if count <= 10 {
                for (bits, assumptions) in assignments(&lits) {
                    let expected = bits.count_ones() <= 1;
                    assert_eq!(circuit.solve(&assumptions) == Answer::Sat, expected, "{backend} {bits:b}");
                }
                continue;
            }
            for &a in &lits {
                let alone: Vec<Lit> = lits.iter().map(|&lit| if lit == a { a } else { !lit }).collect();
                assert_eq!(circuit.solve(&alone), Answer::Sat, "{backend}: {a} of {count}");
                for &b in lits.iter().filter(|&&b| b != a) {
                    assert_eq!(circuit.solve(&[a, b]), Answer::Unsat, "{backend}: {a}, {b} of {count}");
                }
            }
            let none: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            assert_eq!(circuit.solve(&none), Answer::Sat, "{backend} {count}");
        }
    }
}

#[test]
fn at_most_one_counts_entries_that_are_equal_opposite_or_constant() {
    let mut random = Random::new(13);
    for _ in 0..60 {
        let mut circuit = circuit(Backend::Cadical);
        let inputs: Vec<Lit> = (0..4).map(|_| circuit.fresh()).collect();
        let mut entries = inputs.clone();
        entries.extend([!inputs[0], circuit.yes(), circuit.no()]);
        let list: Vec<Lit> = (0..random.below(10)).map(|_| *random.pick(&entries)).collect();
        circuit.at_most_one(&list);
        for (bits, assumptions) in assignments(&inputs) {
            let holds = |lit: &&Lit| (lit.vidx() == 0 || bits >> (lit.vidx() - 1) & 1 == 1) == lit.is_pos();
            let expected = list.iter().filter(holds).count() <= 1;
            assert_eq!(circuit.solve(&assumptions) == Answer::Sat, expected, "{list:?} {bits:b}");
        }
    }
}

#[test]
fn clauses_are_simplified() {
    let mut circuit = Circuit::recording(Backend::Cadical.start(&Budget::unlimited()));
    let (a, b) = (circuit.fresh(), circuit.fresh());
    circuit.add_clause(&[a, circuit.yes(), b]);
    circuit.add_clause(&[b, a, !b]);
    circuit.add_clause(&[b, a, b, circuit.no()]);
    let expected: &[&[Lit]] = &[&[circuit.yes()], &[a, b]];
    assert_eq!(circuit.cnf().unwrap().clauses().collect::<Vec<_>>(), expected);
    assert_eq!(circuit.clauses(), 2);
    assert_eq!(circuit.solve(&[!a]), Answer::Sat);
    assert!(circuit.value(b));
    circuit.add_clause(&[circuit.no()]);
    assert_eq!(circuit.solve(&[]), Answer::Unsat);
    assert_eq!(circuit.solver_calls(), 2);
    assert!(circuit.solver_seconds() > 0.0);
}

#[test]
fn constants_can_be_assumed() {
    for &backend in Backend::all() {
        let mut circuit = circuit(backend);
        let a = circuit.fresh();
        assert_eq!(circuit.solve(&[circuit.yes(), a]), Answer::Sat);
        assert_eq!(circuit.solve(&[a, circuit.no()]), Answer::Unsat);
        assert_eq!(circuit.core(), [circuit.no()]);
    }
}

#[test]
fn what_is_kept_of_a_circuit_means_what_the_solver_was_told() {
    let mut random = Random::new(23);
    for round in 0..60 {
        let mut circuit = circuit(Backend::Cadical).keeping_constraints();
        let inputs: Vec<Lit> = (0..INPUTS).map(|_| circuit.fresh()).collect();
        let mut signals: Vec<Signal> = inputs.iter().map(|&input| (input, 0)).collect();
        for _ in 0..12 {
            signals.push(grow(&mut circuit, &signals, &mut random));
        }
        let mut some = |most: usize| -> Vec<Lit> {
            (0..1 + random.below(most)).map(|_| random.pick(&signals).0).collect()
        };
        circuit.add_clause(&some(3));
        // More than there are clauses for without further variables.
        circuit.at_most_one(&some(12));
        let (definitions, constraints) = (circuit.definitions(), circuit.constraints().to_vec());
        assert!(constraints.len() <= 2 && definitions[0].is_none());
        for (bits, assumptions) in assignments(&inputs) {
            let mut values = vec![false; definitions.len()];
            values[0] = true;
            for (index, input) in inputs.iter().enumerate() {
                values[input.vidx()] = bits >> index & 1 == 1;
            }
            // Gates come after their inputs.
            for (variable, definition) in definitions.iter().enumerate() {
                let holds = |lit: &Lit| values[lit.vidx()] == lit.is_pos();
                values[variable] = match definition {
                    None => values[variable],
                    Some(GateDefinition::All(lits)) => lits.iter().all(holds),
                    Some(GateDefinition::Gate(Gate::And(a, b))) => holds(a) && holds(b),
                    Some(GateDefinition::Gate(Gate::Xor(a, b))) => holds(a) != holds(b),
                    Some(GateDefinition::Gate(Gate::Choice(c, a, b))) => holds(if holds(c) { a } else { b }),
                };
            }
            let holds = |lit: &&Lit| values[lit.vidx()] == lit.is_pos();
            let satisfied = constraints.iter().all(|constraint| match constraint {
                CircuitConstraint::Clause(lits) => lits.iter().any(|lit| holds(&lit)),
                CircuitConstraint::AtMostOne(lits) => lits.iter().filter(holds).count() <= 1,
            });
            let answer = circuit.solve(&assumptions);
            assert_eq!(
                answer,
                if satisfied { Answer::Sat } else { Answer::Unsat },
                "round {round}: {bits:b}"
            );
        }
    }
}
