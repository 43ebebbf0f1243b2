//! The SAT back ends on what this program asks of them: many small incremental calls, minimal cores, and
//! a hard contradiction.

use cladist::budget::Budget;
use cladist::sat::{Answer, Backend, Circuit, Lit, minimise_core};
use divan::Bencher;

fn main() {
    divan::main();
}

const BACKENDS: &[Backend] = &[Backend::Cadical, Backend::Varisat];

fn circuit(backend: Backend) -> Circuit {
    Circuit::new(backend.start(&Budget::unlimited()))
}

/// A counter of `bits` bits that may pause or count, unrolled: the bits at each step, the lowest first.
fn counter(circuit: &mut Circuit, bits: usize, steps: usize) -> Vec<Vec<Lit>> {
    let mut states = vec![vec![circuit.no(); bits]];
    for step in 0..steps {
        let mut carry = circuit.fresh();
        let mut next = Vec::new();
        for &bit in &states[step] {
            next.push(circuit.xor(bit, carry));
            carry = circuit.and(bit, carry);
        }
        states.push(next);
    }
    states
}

/// The literals that say that `bits` are the number `value`.
fn equals(bits: &[Lit], value: usize) -> Vec<Lit> {
    let bits = bits.iter().enumerate();
    bits.map(|(index, &bit)| if value >> index & 1 == 1 { bit } else { !bit }).collect()
}

/// Asks for every number at every step whether the counter can be there: about half can.
#[divan::bench(args = BACKENDS)]
fn incremental_calls(bencher: Bencher, backend: &Backend) {
    bencher.bench(|| {
        let mut circuit = circuit(*backend);
        let states = counter(&mut circuit, 5, 31);
        for (step, bits) in states.iter().enumerate() {
            for value in 0..32 {
                let expected = if value <= step { Answer::Sat } else { Answer::Unsat };
                assert_eq!(circuit.solve(&equals(bits, value)), expected);
            }
        }
    });
}

/// Enumerates the runs of a counter, blocking each.
#[divan::bench(args = BACKENDS)]
fn blocking(bencher: Bencher, backend: &Backend) {
    bencher.bench(|| {
        let mut circuit = circuit(*backend);
        let states = counter(&mut circuit, 4, 9);
        let bits = states.concat();
        let mut runs = 0;
        while circuit.solve(&[]) == Answer::Sat {
            let run: Vec<Lit> = bits.iter().map(|&bit| if circuit.value(bit) { !bit } else { bit }).collect();
            circuit.add_clause(&run);
            runs += 1;
        }
        assert_eq!(runs, 512);
    });
}

/// Of 24 pauses, finds those that keep a counter from reaching 16 in 24 steps: nine, whichever.
#[divan::bench(args = BACKENDS)]
fn minimal_core(bencher: Bencher, backend: &Backend) {
    bencher.bench(|| {
        let mut circuit = circuit(*backend);
        let states = counter(&mut circuit, 5, 24);
        let mut pauses: Vec<Lit> = Vec::new();
        for pair in states.windows(2) {
            let same: Vec<Lit> = pair[0].iter().zip(&pair[1]).map(|(&a, &b)| circuit.iff(a, b)).collect();
            pauses.push(circuit.all(&same));
        }
        let core = minimise_core(&mut circuit, &equals(&states[24], 16), &pauses);
        assert_eq!(core.expect("there is no budget").len(), 9);
    });
}

/// Eight pigeons in seven holes.
#[divan::bench(args = BACKENDS)]
fn pigeon_hole(bencher: Bencher, backend: &Backend) {
    bencher.bench(|| {
        let mut circuit = circuit(*backend);
        let holes: Vec<Vec<Lit>> = (0..7).map(|_| (0..8).map(|_| circuit.fresh()).collect()).collect();
        for pigeon in 0..8 {
            let places: Vec<Lit> = holes.iter().map(|hole| hole[pigeon]).collect();
            circuit.add_clause(&places);
        }
        for hole in &holes {
            for (index, &a) in hole.iter().enumerate() {
                hole[..index].iter().for_each(|&b| circuit.add_clause(&[!a, !b]));
            }
        }
        assert_eq!(circuit.solve(&[]), Answer::Unsat);
    });
}
