//! Tests of `solvers::sat::simulation`.

use Signal::Constant;
use solvers::sat::simulation::*;
use solvers::sat::{Circuit, CircuitConstraint, Gate, GateDefinition, Lit, Unsolved};

/// A circuit over `inputs` variables with some of all gates, made by chance.
fn random_gates(random: &mut fastrand::Rng, inputs: usize) -> (Circuit, Vec<Lit>) {
    let mut circuit = Circuit::new(Box::new(Unsolved));
    let mut lits: Vec<Lit> = (0..inputs).map(|_| circuit.fresh()).collect();
    lits.push(circuit.yes());
    for _ in 0..60 {
        let mut any = || {
            let lit = lits[random.usize(..lits.len())];
            if random.bool() { !lit } else { lit }
        };
        let (a, b, c, d) = (any(), any(), any(), any());
        let lit = match random.u8(..4) {
            0 => circuit.and(a, b),
            1 => circuit.xor(a, b),
            2 => circuit.ite(a, b, c),
            _ => circuit.any(&[a, b, c, d]),
        };
        lits.push(lit);
    }
    (circuit, lits)
}

/// The value of a literal by the definitions alone.
fn value(definitions: &[Option<GateDefinition>], assignment: &[bool], lit: Lit) -> bool {
    let of = |lit: &Lit| value(definitions, assignment, *lit);
    let holds = match &definitions[lit.vidx()] {
        None => lit.vidx() == 0 || assignment[lit.vidx() - 1],
        Some(GateDefinition::All(inputs)) => inputs.iter().all(of),
        Some(GateDefinition::Gate(Gate::And(a, b))) => of(a) && of(b),
        Some(GateDefinition::Gate(Gate::Xor(a, b))) => of(a) != of(b),
        Some(GateDefinition::Gate(Gate::Choice(c, a, b))) => {
            if of(c) {
                of(a)
            } else {
                of(b)
            }
        }
    };
    holds != lit.is_neg()
}

#[test]
fn lanes_are_the_values_under_each_assignment() {
    const SELECTORS: usize = 3;
    const FREE: usize = 5;
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..200 {
        let (circuit, lits) = random_gates(&mut random, SELECTORS + FREE);
        let definitions = circuit.definitions();
        let mut simulation = Simulation::new(&definitions, &lits[..SELECTORS]);
        let columns: Vec<Lanes> = (0..FREE).map(|_| std::array::from_fn(|_| random.u64(..))).collect();
        let inputs = lits[SELECTORS..][..FREE].iter().copied();
        simulation.assign(inputs.zip(columns.iter().copied()));
        for selection in [5, 2, 5, 0, 7] {
            let holds = |selector: usize| selection >> selector & 1 == 1;
            let holding: Vec<Lit> = (0..SELECTORS).filter(|&s| holds(s)).map(|s| lits[s]).collect();
            simulation.select(&holding);
            let asked: Vec<Lit> = (0..12).map(|_| lits[random.usize(..lits.len())]).collect();
            let clause = CircuitConstraint::Clause(asked[..3].to_vec());
            let at_most_one = CircuitConstraint::AtMostOne(asked[3..6].to_vec());
            let read = |simulation: &mut Simulation<'_>, lit| {
                let signal = simulation.signal(lit).expect("all inputs have values");
                simulation.lanes(signal)
            };
            let all: Vec<Lanes> = asked.iter().map(|&lit| read(&mut simulation, lit)).collect();
            let constraints = [clause, at_most_one].map(|constraint| {
                let signal = simulation.constraint(&constraint).expect("all inputs have values");
                simulation.lanes(signal)
            });
            for lane in 0..LANES {
                let at = |lanes: &Lanes| lanes[lane / 64] >> (lane % 64) & 1 == 1;
                let assignment: Vec<bool> = (0..SELECTORS).map(holds).chain(columns.iter().map(at)).collect();
                let truth: Vec<bool> =
                    asked.iter().map(|&lit| value(&definitions, &assignment, lit)).collect();
                assert!(all.iter().map(at).eq(truth.iter().copied()));
                assert_eq!(at(&constraints[0]), truth[..3].contains(&true));
                let holding = truth[3..6].iter().filter(|holds| **holds).count();
                assert_eq!(at(&constraints[1]), holding <= 1);
            }
        }
    }
}

#[test]
fn what_depends_on_an_input_without_values_is_open() {
    let mut circuit = Circuit::new(Box::new(Unsolved));
    let (selector, known, open) = (circuit.fresh(), circuit.fresh(), circuit.fresh());
    let guarded = circuit.and(selector, open);
    let choice = circuit.ite(selector, open, known);
    let definitions = circuit.definitions();
    let mut simulation = Simulation::new(&definitions, &[selector]);
    let mut lanes = [0; WORDS];
    lanes[0] = 1;
    simulation.assign([(known, lanes)].into_iter());
    simulation.select(&[selector]);
    assert_eq!((simulation.signal(guarded), simulation.signal(choice)), (None, None));
    simulation.select(&[]);
    assert_eq!(simulation.signal(guarded), Some(Constant(false)));
    assert_eq!(simulation.signal(choice).map(|signal| simulation.lanes(signal)), Some(lanes));
}
