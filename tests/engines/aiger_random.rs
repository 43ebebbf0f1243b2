//! Circuits in AIGER: random ones against a simulator that tries all inputs, in ASCII and binary; malformed files.

use crate::random::{Random, cases};
use cladist::aiger::{AigerCircuit, model_text, read};
use cladist::budget::Budget;
use cladist::explore::Graph;
use cladist::ltl::{Fairness, ListedSystem, LtlTruth};
use cladist::model::{Model, PropertyKind, load_text};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::ErrorKind;

const STEPS: usize = 5;

/// A circuit by numbers: variables are 0 (false), the inputs, the latches, and the gates, in this order.
struct RandomCircuit {
    inputs: usize,
    /// Next value, and the first one.
    latches: Vec<(usize, Option<bool>)>,
    gates: Vec<[usize; 2]>,
    outputs: Vec<usize>,
    bad: Vec<usize>,
    constraints: Vec<usize>,
    justice: Vec<Vec<usize>>,
    fairness: Vec<usize>,
}

impl RandomCircuit {
    fn new(rng: &mut Random) -> Self {
        let (inputs, latches, gates) = (rng.below(3), 1 + rng.below(3), rng.below(8));
        let first = 1 + inputs + latches;
        let all = first + gates;
        let gates = (0..gates)
            .map(|gate| {
                let own = 2 * (first + gate);
                [0, 1].map(|_| rng.below(own))
            })
            .map(|[a, b]| [a.max(b), a.min(b)])
            .collect();
        let list = |rng: &mut Random, most: usize| -> Vec<usize> {
            (0..rng.below(most + 1)).map(|_| rng.below(2 * all)).collect()
        };
        let is_old = rng.percent(25);
        let newer = |most: usize| if is_old { 0 } else { most };
        Self {
            inputs,
            latches: (0..latches)
                .map(|_| (rng.below(2 * all), *rng.pick(&[Some(false), Some(false), Some(true), None])))
                .collect(),
            gates,
            outputs: list(rng, 2),
            bad: list(rng, newer(2)),
            constraints: if rng.percent(30) { list(rng, newer(1)) } else { Vec::new() },
            justice: (0..rng.below(newer(2) + 1)).map(|_| list(rng, 2)).collect(),
            fairness: if rng.percent(40) { list(rng, newer(1)) } else { Vec::new() },
        }
    }

    fn header(&self, word: &str) -> String {
        let (i, l, a) = (self.inputs, self.latches.len(), self.gates.len());
        let newer = [self.bad.len(), self.constraints.len(), self.justice.len(), self.fairness.len()];
        let newer: String = newer.iter().map(|n| format!(" {n}")).collect();
        format!("{word} {} {i} {l} {} {a}{newer}\n", i + l + a, self.outputs.len())
    }

    /// Everything between latches and gates.
    fn lists(&self, text: &mut String) {
        for literal in self.outputs.iter().chain(&self.bad).chain(&self.constraints) {
            let _ = writeln!(text, "{literal}");
        }
        self.justice.iter().for_each(|list| _ = writeln!(text, "{}", list.len()));
        for literal in self.justice.iter().flatten().chain(&self.fairness) {
            let _ = writeln!(text, "{literal}");
        }
    }

    fn reset(&self, latch: usize) -> usize {
        match self.latches[latch].1 {
            Some(value) => usize::from(value),
            None => 2 * (1 + self.inputs + latch),
        }
    }

    fn ascii(&self) -> Vec<u8> {
        let mut text = self.header("aag");
        (0..self.inputs).for_each(|input| _ = writeln!(text, "{}", 2 * (1 + input)));
        for (latch, (next, _)) in self.latches.iter().enumerate() {
            let _ = writeln!(text, "{} {next} {}", 2 * (1 + self.inputs + latch), self.reset(latch));
        }
        self.lists(&mut text);
        for (gate, [a, b]) in self.gates.iter().enumerate() {
            let _ = writeln!(text, "{} {a} {b}", 2 * (1 + self.inputs + self.latches.len() + gate));
        }
        text.push_str("l0 true\nc\nanything\n");
        text.into_bytes()
    }

    fn binary(&self) -> Vec<u8> {
        let mut text = self.header("aig");
        for (latch, (next, _)) in self.latches.iter().enumerate() {
            let _ = writeln!(text, "{next} {}", self.reset(latch));
        }
        self.lists(&mut text);
        let mut bytes = text.into_bytes();
        for (gate, [a, b]) in self.gates.iter().enumerate() {
            let own = 2 * (1 + self.inputs + self.latches.len() + gate);
            for mut difference in [own - a, a - b] {
                while difference >= 0x80 {
                    bytes.push((difference & 0x7f) as u8 | 0x80);
                    difference >>= 7;
                }
                bytes.push(difference as u8);
            }
        }
        bytes.extend(b"l0 true\nc\nanything\n");
        bytes
    }

    /// The values of all variables.
    fn values(&self, latches: usize, inputs: usize) -> Vec<bool> {
        let mut values = vec![false];
        values.extend((0..self.inputs).map(|input| inputs >> input & 1 == 1));
        values.extend((0..self.latches.len()).map(|latch| latches >> latch & 1 == 1));
        for [a, b] in &self.gates {
            let holds = |literal: &usize| values[literal / 2] != (literal % 2 == 1);
            let both = holds(a) && holds(b);
            values.push(both);
        }
        values
    }

    /// The states, as the values of latches and inputs, in which all constraints hold.
    fn states(&self) -> Vec<(usize, usize)> {
        let all = (0..1 << self.latches.len()).flat_map(|l| (0..1 << self.inputs).map(move |i| (l, i)));
        all.filter(|&state| self.constraints.iter().all(|it| self.holds(state, *it))).collect()
    }

    fn holds(&self, (latches, inputs): (usize, usize), literal: usize) -> bool {
        self.values(latches, inputs)[literal / 2] != (literal % 2 == 1)
    }

    fn next(&self, state: (usize, usize)) -> usize {
        let latches = self.latches.iter().enumerate();
        latches.map(|(latch, (next, _))| usize::from(self.holds(state, *next)) << latch).sum()
    }

    /// For each number of steps the states that are reached with them.
    fn reached(&self, steps: usize) -> Vec<BTreeSet<(usize, usize)>> {
        let states = self.states();
        let is_first = |latches: usize| {
            let mut all = self.latches.iter().enumerate();
            all.all(|(latch, (_, reset))| reset.is_none_or(|value| (latches >> latch & 1 == 1) == value))
        };
        let mut layers: Vec<BTreeSet<_>> =
            vec![states.iter().copied().filter(|(latches, _)| is_first(*latches)).collect()];
        for step in 0..steps {
            let next: BTreeSet<usize> = layers[step].iter().map(|state| self.next(*state)).collect();
            layers.push(states.iter().copied().filter(|(latches, _)| next.contains(latches)).collect());
        }
        layers
    }

    /// Whether some infinite run has all of these literals, and what is fair, infinitely often.
    fn is_just(&self, literals: &[usize]) -> bool {
        let states = self.states();
        let reached: BTreeSet<(usize, usize)> = self.reached(states.len()).into_iter().flatten().collect();
        // Whether one state follows another, after one step or more.
        let mut follows: Vec<Vec<bool>> =
            states.iter().map(|from| states.iter().map(|to| self.next(*from) == to.0).collect()).collect();
        for middle in 0..states.len() {
            for from in 0..states.len() {
                for to in 0..states.len() {
                    follows[from][to] |= follows[from][middle] && follows[middle][to];
                }
            }
        }
        let wanted: Vec<usize> = literals.iter().chain(&self.fairness).copied().collect();
        (0..states.len()).any(|at| {
            let together = |other: &usize| follows[at][*other] && follows[*other][at];
            let seen = |literal: &usize| {
                (0..states.len()).filter(together).any(|other| self.holds(states[other], *literal))
            };
            reached.contains(&states[at]) && follows[at][at] && wanted.iter().all(seen)
        })
    }
}

fn model(circuit: &AigerCircuit) -> Model {
    let text = model_text("circuit", "circuit.aag", circuit).expect("a small circuit");
    let loaded = load_text("circuit.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}

#[test]
fn circuits_do_what_a_simulator_does() {
    let unlimited = Budget::unlimited();
    let (mut violated, mut held, mut just, mut unjust) = (0, 0, 0, 0);
    for seed in 0..cases(300) {
        let random = RandomCircuit::new(&mut Random::new(seed + 11_000_000));
        let circuit = read(&random.ascii()).expect("a circuit");
        assert_eq!(read(&random.binary()).expect("a circuit"), circuit, "{seed}");
        let model = model(&circuit);
        let reached = random.reached(STEPS);
        let lists = [&random.bad, &random.constraints, &random.fairness];
        let newer = lists.iter().any(|list| !list.is_empty()) || !random.justice.is_empty();
        let never = if newer { &random.bad } else { &random.outputs };
        let (invariants, linear): (Vec<_>, Vec<_>) =
            model.properties.iter().partition(|property| matches!(property.kind, PropertyKind::Invariant(_)));
        assert_eq!((invariants.len(), linear.len()), (never.len(), random.justice.len()), "{seed}");
        for (property, literal) in invariants.iter().zip(never) {
            let invariant = property.invariant().expect("an invariant");
            let found = check(&model, invariant, Lengths::UpTo(STEPS), Backend::Cadical, &unlimited, &mut ());
            let expected = reached.iter().position(|layer| layer.iter().any(|s| random.holds(*s, *literal)));
            match (found, expected) {
                (BoundedResult::Violated(trace), Some(steps)) => {
                    assert_eq!(trace.len(), steps, "{seed}");
                    violated += 1;
                }
                (BoundedResult::Holds, None) => held += 1,
                (found, expected) => panic!("{seed}: {found:?}, {expected:?}"),
            }
        }
        let fairness = Fairness::of_model(&model);
        let graph = Graph::explore(&model, None, 10_000, &unlimited).expect("few states");
        for (property, literals) in linear.iter().zip(&random.justice) {
            let PropertyKind::Ltl(formula) = &property.kind else { panic!("{seed}: not of ltl") };
            let listed = ListedSystem { model: &model, graph: &graph, fairness: &fairness };
            let holds = listed.decide(formula, &unlimited).expect("a small formula") == LtlTruth::Holds;
            assert_eq!(holds, !random.is_just(literals), "{seed}");
            *if holds { &mut unjust } else { &mut just } += 1;
        }
    }
    let counts = [violated, held, just, unjust];
    println!("{counts:?} of states that are reached or not, and of runs that are just or not");
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

#[test]
fn what_is_malformed_is_refused_with_its_place() {
    for (text, place) in [
        (&b""[..], "line 1: the file ends too early"),
        (b"aig\n", "line 1: expected the numbers"),
        (b"abc 1 1 0 0 0\n", "line 1: a file in AIGER begins with"),
        (b"aag 1 1 0 0 99999999\n", "line 1: 99999999 is more than"),
        (b"aag 1 1 1 0 0\n2\n4 2\n", "line 1: the greatest variable, 1, is less than"),
        (b"aig 3 1 0 0 1\n", "line 1: the greatest variable, 3, has to be"),
        (b"aag 1 1 0 1 0\n3\n2\n", "line 2: 3 is not the literal of a variable"),
        (b"aag 2 2 0 0 0\n2\n2\n", "line 3: the variable of 2 is defined twice"),
        (b"aag 2 2 0 0 0\n2\n", "line 3: the file ends too early"),
        (b"aag 1 0 1 0 0\n2 3 7\n", "line 2: a latch begins with 0, 1 or itself, not with 7"),
        (b"aag 1 0 1 0 0\n2 9\n", "line 2: the literal 9 is of no variable up to 1"),
        (b"aag 1 1 0 1 0\n2\nx\n", "line 3: expected a literal, found `x`"),
        (b"aag 2 1 0 1 0\n2\n4\n", "line 3: the literal 4 is used but not defined"),
        (b"aag 2 1 0 0 0 1 0 1 1\n2\n0\n1\n2\n4\n", "line 6: the literal 4 is used but not defined"),
        (b"aag 3 1 0 0 1\n2\n4 2 6\n", "line 3: the literal 6 is used but not defined"),
        (b"aag 3 1 0 0 2\n2\n4 6 2\n6 4 3\n", "line 3: the and-gate 4 reads itself"),
        (b"aag 4 1 0 0 3\n2\n8 6 2\n4 6 2\n6 4 3\n", "line 5: the and-gate 6 reads itself"),
        (b"aag 1 1 0 0 0\n2\nz0 name\n", "line 3: there is no `z0` that has a name"),
        (b"aag 1 1 0 0 0\n2\ni1 name\n", "line 3: there is no `i1` that has a name"),
        (b"aag 1 1 0 0 0\n2\nnothing\n", "line 3: expected a symbol"),
        (b"aig 2 1 0 0 1\n", "byte 14: the file ends too early"),
        (b"aig 2 1 0 0 1\n\x00\x00", "byte 14: the difference 0 is none of the and-gate 4"),
        (b"aig 2 1 0 0 1\n\x09\x00", "byte 14: the difference 9 is none of the and-gate 4"),
        (b"aig 2 1 0 0 1\n\xff\xff\xff\xff\xff\x01", "byte 14: a number of more than 35 bits"),
    ] {
        let found = read(text).map_err(|malformed| malformed.to_string());
        let found = found.expect_err(&String::from_utf8_lossy(text));
        assert!(found.starts_with(place), "{}: {found}", String::from_utf8_lossy(text));
    }
    // Whatever is cut off or changed is a circuit or an error.
    let rng = &mut Random::new(12);
    for seed in 0..cases(300) {
        let random = RandomCircuit::new(&mut Random::new(seed));
        let mut bytes = if seed % 2 == 0 { random.ascii() } else { random.binary() };
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes.truncate(at),
            1 => bytes[at] = rng.below(256) as u8,
            _ => _ = bytes.remove(at),
        }
        if let Ok(circuit) = read(&bytes) {
            model(&circuit);
        }
    }
}

#[test]
fn names_are_those_of_the_file_as_far_as_they_are_names() {
    let text =
        b"aag 4 2 1 0 1 2 0 0 0\n2\n4\n6 8\n8\n6\n8 2 4\ni0 init\ni1 x[1]\nl0 x[1]\nb0 init\nb1 \xff\nc\n";
    let circuit = read(text).expect("a circuit");
    let model = model(&circuit);
    let names: Vec<&str> = model.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["x_1_", "init_2", "x_1__2"]);
    let names: Vec<&str> = model.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names.len(), 2);
    assert!(names[0].starts_with("init") && names[0] != "init" && names[0] != "init_2", "{names:?}");
}
