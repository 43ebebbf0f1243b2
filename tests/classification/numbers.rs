//! Numbers of violating traces by both methods: over a list of states, and over decision diagrams; and by hand where
//! the states are too many for a list.

use crate::random::cases;
use crate::random_model;

use cladist::budget::{Budget, Exhausted};
use cladist::classify::numbers;
use cladist::classify::{
    Atoms, Classification, Count, CountMethod, CountQuery, FactKind, Obstacle, Options, Problem, Tally,
    classify, numbers_by,
};
use cladist::model::{Model, VocabularyItem, load, load_text};
use cladist::unroll::Lengths;
use num_bigint::BigUint;
use random_model::random_model;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

/// Parts that wear out independently of each other, one bit at a time. A part that is worn out is not used again.
const PARTS: &str = "
model parts;
type Part = 1..20;
var wear : map Part to 0..3;
init { forall p in Part: wear[p] = 0; }
action use(p: Part) { require wear[p] < 3; wear'[p] = wear[p] + 1; }
invariant lasting: forall p in Part: wear[p] < 3;
pred front(i: pos) = exists p in 1..2: wear[p]@i = 3;
pred back(i: pos) = exists p in 3..20: wear[p]@i = 3;
vocabulary sides = { front, back };
";

fn options(bound: usize) -> Options {
    Options { keep_redundant: true, ..Options::of(Lengths::UpTo(bound)) }
}

fn problem(model: &Model) -> Problem<'_> {
    Problem::first(model).expect("an invariant")
}

/// The classes up to a bound.
fn classes(model: &Model, vocabulary: usize, bound: usize) -> Classification {
    let vocabulary = &model.vocabularies[vocabulary];
    let budget = Budget::unlimited();
    classify(problem(model), vocabulary, &options(bound), &budget, &mut ())
}

/// The traces of these lengths.
fn of<'a>(model: &'a Model, result: &'a Classification, lengths: Lengths) -> CountQuery<'a> {
    CountQuery { problem: problem(model), classes: &result.classes, atoms: &result.atoms, lengths }
}

fn counted(
    model: &Model,
    result: &Classification,
    method: CountMethod,
    bound: usize,
) -> Result<Vec<Count>, Obstacle> {
    let found = numbers_by(method, of(model, result, Lengths::UpTo(bound)), &Budget::unlimited());
    found.map(|numbers| numbers.counts)
}

#[test]
fn both_methods_agree_on_random_models() {
    let (mut violating, mut overlapping, mut outside, mut absent, mut compared) = (0, 0, 0, 0, 0);
    for seed in (1000..).take(cases(100) as usize) {
        let mut model = random_model(seed);
        if seed % 2 == 0 {
            let items = &mut model.vocabularies[0].items;
            let absences = items.iter().filter_map(|item| match item {
                VocabularyItem::Equal(observable) => Some(VocabularyItem::Absent(observable.clone())),
                _ => None,
            });
            let absences: Vec<VocabularyItem> = absences.collect();
            // Without what absences could be replaced by.
            items.retain(|item| !matches!(item, VocabularyItem::Equal(_)) || seed % 4 == 0);
            items.extend(absences);
        }
        // Classes of a small bound leave longer traces outside.
        let mut result = classes(&model, 0, 2);
        let classes = &mut result.classes;
        // Weaker ones overlap with them, and have traces without violation, which must not be counted.
        for index in 0..classes.len().min(2) {
            let mut weaker = classes[index].clone();
            weaker.constraint.facts.truncate(weaker.constraint.facts.len() / 2);
            classes.push(weaker);
        }
        let listed = match counted(&model, &result, CountMethod::List(100_000), 9) {
            Ok(listed) => listed,
            Err(Obstacle::Class(..)) => continue,
            other => panic!("{seed}: {other:?}"),
        };
        let by_diagrams = counted(&model, &result, CountMethod::Diagrams, 9).expect("small");
        assert_eq!(by_diagrams, listed, "{seed}");
        let tallies: Vec<&Tally> = listed.iter().flat_map(|c| [&c.first, &c.violating]).collect();
        let some = |test: &dyn Fn(&Vec<usize>) -> bool| {
            usize::from(tallies.iter().any(|tally| tally.0.keys().any(test)))
        };
        violating += some(&|_| true);
        overlapping += some(&|classes| classes.len() > 1);
        outside += some(&|classes| classes.is_empty());
        let facts = || result.classes.iter().flat_map(|class| &class.constraint.facts);
        absent += usize::from(facts().any(|f| matches!(f.kind, FactKind::Absent(..))));
        let two = |kind: &FactKind| matches!(kind, FactKind::Atom(atom) if result.atoms.get(*atom).params.len() > 1);
        compared += usize::from(facts().any(|f| two(&f.kind)));
    }
    assert!(
        violating > 33 && overlapping > 20 && outside > 3 && absent > 3 && compared > 0,
        "{violating} violated, {overlapping} with overlapping classes, {outside} with traces in none, \
         {absent} with absences, {compared} with remembered values"
    );
}

#[test]
fn both_methods_agree_on_the_honest_models() {
    let cases = [
        ("mutex", "steps", 9, 12),
        ("ns_public_key", "generic", 7, 12),
        ("ns_public_key", "attacks", 7, 12),
        ("ns_symmetric", "generic", 12, 14),
        ("paper/tcp", "with_state_of_b", 8, 13),
        ("paper/public_channel", "generic", 6, 10),
    ];
    for (name, vocabulary, bound, longest) in cases {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
        let model = load(&path, &[]).model.expect("no mistakes");
        let vocabulary = model.vocabulary(vocabulary).expect("it exists");
        let classes = classes(&model, vocabulary, bound);
        let listed = counted(&model, &classes, CountMethod::List(100_000), longest).expect("few states");
        assert!(listed.iter().any(|count| count.first.total() > BigUint::ZERO), "{name}");
        let by_diagrams = counted(&model, &classes, CountMethod::Diagrams, longest).expect("small");
        assert_eq!(by_diagrams, listed, "{name}");
    }
}

/// Sequences of so many uses of so many parts in which no part is used more than `most` times.
fn uses(parts: u32, most: u32, steps: u32) -> BigUint {
    if parts == 0 {
        return BigUint::from(u32::from(steps == 0));
    }
    let ways = |of_one: u32| binomial(steps, of_one) * uses(parts - 1, most, steps - of_one);
    (0..=most.min(steps)).map(ways).sum()
}

fn binomial(n: u32, k: u32) -> BigUint {
    (0..k).fold(BigUint::from(1u32), |product, i| product * (n - i) / (i + 1))
}

#[test]
fn numbers_of_independent_parts_are_those_of_a_formula() {
    let loaded = load_text("parts.sts", PARTS, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let bound = 6;
    let result = classes(&model, 0, bound);
    assert_eq!(result.classes.len(), 2);
    let (lengths, budget) = (Lengths::UpTo(bound), Budget::unlimited());
    // 4 to the power of 20 states.
    let few = numbers_by(CountMethod::List(500), of(&model, &result, lengths), &budget);
    assert!(matches!(few, Err(Obstacle::States(_))));
    let found = numbers(of(&model, &result, lengths), 500, &budget).expect("small");
    assert_eq!(found.method, CountMethod::Diagrams);
    for count in &found.counts {
        let n = count.steps as u32;
        // With a third use of one of so many parts, and any uses of the others.
        let worn = |parts: u32, steps: u32| uses(parts, 3, steps) - uses(parts, 2, steps);
        let mix = |front: &dyn Fn(u32) -> BigUint, back: &dyn Fn(u32) -> BigUint| -> BigUint {
            (0..=n).map(|j| binomial(n, j) * front(j) * back(n - j)).sum()
        };
        let front = mix(&|j| worn(2, j), &|j| uses(18, 3, j));
        let back = mix(&|j| uses(2, 3, j), &|j| worn(18, j));
        let both = mix(&|j| worn(2, j), &|j| worn(18, j));
        let tally = &count.violating;
        assert_eq!(tally.total(), worn(20, n), "{n} steps");
        assert_eq!(tally.outside(), BigUint::ZERO, "{n} steps");
        let sorted = |a: BigUint, b: BigUint| if a < b { [a, b] } else { [b, a] };
        assert_eq!(sorted(tally.of(0), tally.of(1)), sorted(front.clone(), back.clone()), "{n} steps");
        assert_eq!(sorted(tally.only(0), tally.only(1)), sorted(front - &both, back - &both), "{n} steps");
        // The last use is the third one of its part, and no other part had three.
        let first = |parts: u32| match n {
            0..3 => BigUint::ZERO,
            _ => parts * binomial(n - 1, 2) * uses(19, 2, n - 3),
        };
        let tally = &count.first;
        assert_eq!(tally.total(), first(20), "{n} steps");
        assert_eq!(sorted(tally.only(0), tally.only(1)), sorted(first(2), first(18)), "{n} steps");
    }
    assert!(found.counts[bound].first.total() > BigUint::from(1_000_000u32));
}

#[test]
fn a_budget_that_ends_is_the_reason_why_there_are_no_numbers() {
    let loaded = load_text("parts.sts", PARTS, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let interrupted = Budget::unlimited();
    interrupted.interrupt();
    let budgets = [
        (interrupted, Exhausted::Interrupt),
        (Budget::unlimited().with_timeout(Duration::ZERO), Exhausted::Time),
        (Budget::unlimited().with_memory(1), Exhausted::Memory),
    ];
    for (budget, why) in budgets {
        let atoms = Atoms::default();
        let lengths = Lengths::UpTo(20);
        let counted = CountQuery { problem: problem(&model), classes: &[], atoms: &atoms, lengths };
        let found = numbers_by(CountMethod::Diagrams, counted, &budget);
        assert_eq!(found, Err(Obstacle::Budget(why)));
    }
}
