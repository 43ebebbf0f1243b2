//! Operations of `kit::diagram` against tables of all values.

use kit::budget::{Budget, Exhausted};
use kit::diagram::*;
use num_bigint::BigUint;

/// Values of the variables of [`space`], before and after a step.
const VALUES: [usize; 3] = [2, 3, 2];

/// Diagrams over three variables, before and after a step.
fn space() -> Diagrams {
    let mut diagrams = Diagrams::new(100_000, &Budget::unlimited());
    for values in VALUES {
        diagrams.add_level(values);
        diagrams.add_level(values);
    }
    diagrams
}

/// All values of the variables at these levels.
fn rows(levels: &[usize]) -> Vec<Vec<usize>> {
    let longer = |rows: Vec<Vec<usize>>, &level: &usize| {
        let more = |row: Vec<usize>| (0..VALUES[level / 2]).map(move |v| [row.clone(), vec![v]].concat());
        rows.into_iter().flat_map(more).collect()
    };
    levels.iter().fold(vec![Vec::new()], longer)
}

/// A function as a diagram, with a number for each row.
fn function(diagrams: &mut Diagrams, levels: &[usize], numbers: &[u64]) -> Diagram {
    let mut sum = Diagram::ZERO;
    for (row, &number) in rows(levels).iter().zip(numbers) {
        let mut here = diagrams.constant(&BigUint::from(number));
        for (&level, &value) in levels.iter().zip(row) {
            let is = diagrams.is(level, value);
            here = diagrams.multiply(here, is);
        }
        sum = diagrams.add(sum, here);
    }
    sum
}

fn value(diagrams: &Diagrams, mut diagram: Diagram, levels: &[usize], row: &[usize]) -> u64 {
    for (&level, &value) in levels.iter().zip(row) {
        diagram = diagrams.cofactor(diagram, level, value);
    }
    assert!(diagram.is_constant());
    u64::try_from(diagrams.number(diagram)).expect("small")
}

/// Random numbers less than `below`.
fn numbers(seed: u64, count: usize, below: u64) -> Vec<u64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| random.u64(..below)).collect()
}

const BEFORE: [usize; 3] = [0, 2, 4];

#[test]
fn operations_are_those_on_numbers() {
    for seed in 0..50 {
        let mut d = space();
        let (x, y) = (numbers(seed, 12, 4), numbers(seed + 1000, 12, 4));
        let bits = |numbers: &[u64]| numbers.iter().map(|n| n % 2).collect::<Vec<u64>>();
        let (p, q, r) = (bits(&x), bits(&y), bits(&numbers(seed + 2000, 12, 4)));
        let [a, b, c, e, f] = [&x, &y, &p, &q, &r].map(|n| function(&mut d, &BEFORE, n));
        let results = [
            (d.add(a, b), (0..12).map(|i| x[i] + y[i]).collect::<Vec<u64>>()),
            (d.multiply(a, b), (0..12).map(|i| x[i] * y[i]).collect()),
            (d.and(c, e), (0..12).map(|i| p[i] & q[i]).collect()),
            (d.or(c, e), (0..12).map(|i| p[i] | q[i]).collect()),
            (d.xor(c, e), (0..12).map(|i| p[i] ^ q[i]).collect()),
            (d.not(c), (0..12).map(|i| 1 - p[i]).collect()),
            (d.choose(c, e, f), (0..12).map(|i| if p[i] == 1 { q[i] } else { r[i] }).collect()),
        ];
        for (result, expected) in &results {
            // Equal functions are the same diagram.
            assert_eq!(*result, function(&mut d, &BEFORE, expected));
        }
        for (at, &level) in BEFORE.iter().enumerate() {
            let some = d.exists(level, c);
            for (row, holds) in rows(&BEFORE).iter().zip(&p) {
                assert!(value(&d, some, &BEFORE, row) >= *holds);
            }
            assert!(!d.support(some)[level]);
            let others: Vec<usize> = BEFORE.iter().copied().filter(|&l| l != level).collect();
            let found = |row: &[usize]| {
                rows(&BEFORE).iter().zip(&p).any(|(whole, &holds)| {
                    let same = whole.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, v)| v);
                    holds == 1 && same.eq(row)
                })
            };
            for row in rows(&others) {
                assert_eq!(value(&d, some, &others, &row) == 1, found(&row), "{seed}: {level} {row:?}");
            }
        }
        let sum: u64 = x.iter().sum();
        assert_eq!(d.total(a, &BEFORE), BigUint::from(sum));
        let one = d.is(2, 1);
        assert_eq!(d.total(one, &BEFORE), BigUint::from(4u32), "of variables that it does not depend on");
    }
}

#[test]
fn images_are_sums_over_steps() {
    for seed in 0..80 {
        let mut d = space();
        // Which variables are written: any of the eight sets.
        let writes = |v: usize| seed >> v & 1 == 1;
        let levels: Vec<usize> = (0..6).filter(|&l| l % 2 == 0 || writes(l / 2)).collect();
        let count = rows(&levels).len();
        let sparse: Vec<u64> = numbers(seed, count, 5).into_iter().map(|n| n.saturating_sub(2)).collect();
        let ways = function(&mut d, &levels, &sparse);
        let x = numbers(seed + 500, 12, 6);
        let start = function(&mut d, &BEFORE, &x);
        let relation = Relation { ways, written: WrittenVariables::new(3, writes), number: 3 };
        let image = d.image(&relation, start);
        let mut expected = vec![0; 12];
        let states = rows(&BEFORE);
        for (row, n) in rows(&levels).iter().zip(&sparse) {
            let of = |level: usize| levels.iter().position(|&l| l == level).map(|at| row[at]);
            let before: Vec<usize> = (0..3).filter_map(|v| of(2 * v)).collect();
            let after: Vec<usize> = (0..3).map(|v| of(2 * v + 1).unwrap_or(before[v])).collect();
            let place = |state: &Vec<usize>| states.iter().position(|s| s == state).expect("a state");
            expected[place(&after)] += n * x[place(&before)];
        }
        assert_eq!(image, function(&mut d, &BEFORE, &expected), "{seed}");
        let (mut kept, mut other) = (image, Diagram::ONE);
        let before = d.nodes();
        d.collect_garbage([&mut kept, &mut other].into_iter());
        assert!(d.nodes() < before && other == Diagram::ONE);
        assert_eq!(kept, function(&mut d, &BEFORE, &expected), "{seed}: after others were dropped");
    }
}

#[test]
fn states_before_and_after_steps() {
    for seed in 0..80 {
        let mut d = space();
        let writes = |v: usize| seed >> v & 1 == 1;
        let levels: Vec<usize> = (0..6).filter(|&l| l % 2 == 0 || writes(l / 2)).collect();
        let count = rows(&levels).len();
        let possible: Vec<u64> = numbers(seed, count, 4).into_iter().map(|n| u64::from(n == 3)).collect();
        let ways = function(&mut d, &levels, &possible);
        let chosen = numbers(seed + 500, 12, 2);
        let set = function(&mut d, &BEFORE, &chosen);
        let relation = Relation { ways, written: WrittenVariables::new(3, writes), number: 3 };
        let (mut after, mut before) = (vec![0; 12], vec![0; 12]);
        let states = rows(&BEFORE);
        for (row, _) in rows(&levels).iter().zip(&possible).filter(|(_, possible)| **possible == 1) {
            let of = |level: usize| levels.iter().position(|&l| l == level).map(|at| row[at]);
            let from: Vec<usize> = (0..3).filter_map(|v| of(2 * v)).collect();
            let to: Vec<usize> = (0..3).map(|v| of(2 * v + 1).unwrap_or(from[v])).collect();
            let place = |state: &Vec<usize>| states.iter().position(|s| s == state).expect("a state");
            let (from, to) = (place(&from), place(&to));
            after[to] |= chosen[from];
            before[from] |= chosen[to];
        }
        // In any order, as all three kinds of products share a cache.
        let _ = d.image(&relation, set);
        let (found_after, found_before) = (d.after(&relation, set), d.before(&relation, set));
        assert_eq!(found_after, function(&mut d, &BEFORE, &after), "{seed}");
        assert_eq!(found_before, function(&mut d, &BEFORE, &before), "{seed}");
    }
}

#[test]
fn too_many_nodes_and_the_budget_end_everything() {
    let mut d = Diagrams::new(10, &Budget::unlimited());
    for _ in 0..20 {
        d.add_level(2);
    }
    for level in 0..20 {
        d.is(level, 1);
    }
    assert_eq!(d.stopped(), Some(DiagramStopped::Nodes(10)));
    let budget = Budget::unlimited();
    budget.interrupt();
    let mut d = Diagrams::new(1_000_000, &budget);
    let mut odd = Diagram::ZERO;
    for level in 0..4096 {
        d.add_level(2);
        let is = d.is(level, 1);
        odd = d.xor(is, odd);
        if d.stopped().is_some() {
            break;
        }
    }
    assert_eq!(d.stopped(), Some(DiagramStopped::Budget(Exhausted::Interrupt)));
}
