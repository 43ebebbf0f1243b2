//! Symmetries against brute force: automorphisms of the graph of all states that the types allow, and orbits of reachable states.

use crate::random::Random;
use crate::ring_model::ring_model;
use crate::symmetric_steps::{model, text};
use cladist::budget::Budget;
use cladist::explore::{
    Orbits, ReachabilityResult, VisitedOrbits, first_violation, reachable, successors, visit, visit_orbits,
};
use cladist::model::eval::{Scope, is_initial};
use cladist::model::permutation::{NameType, Permutation};
use cladist::model::types::Type;
use cladist::model::value::{Label, State, Value};
use cladist::model::{Model, Property};
use cladist::sat::Backend;
use cladist::symmetry::{
    DeclaredSymmetry, Group, Interchangeable, PermutationProof, PermutationProver, declared, find,
};
use cladist::unroll::{BoundedResult, Lengths, check};
use std::collections::{BTreeMap, BTreeSet};

const MODELS: u64 = 100;

/// All states that the types allow and that satisfy the assumptions, each with its steps.
struct Everything {
    states: BTreeMap<State, BTreeSet<(Label, State)>>,
}

impl Everything {
    fn of(model: &Model) -> Self {
        let columns = model.variables.iter().map(|variable| model.types.values(&variable.ty));
        let rows = columns.fold(vec![Vec::new()], |rows: Vec<Vec<Value>>, column| {
            let with = |row: &Vec<Value>| {
                column.iter().map(|v| [row.clone(), vec![v.clone()]].concat()).collect::<Vec<_>>()
            };
            rows.iter().flat_map(with).collect()
        });
        let states = rows.into_iter().map(State).filter(|state| {
            let scope = Scope::new(model).with_state(state);
            model.assumptions.iter().all(|assumption| assumption.step || scope.holds(&assumption.expr))
        });
        let with_steps = |state: State| {
            let steps = successors(model, &state, 100_000).expect("few").into_iter().collect();
            (state, steps)
        };
        Self { states: states.map(with_steps).collect() }
    }

    /// Whether a permutation is an automorphism that preserves the invariant.
    fn is_symmetric(&self, model: &Model, by: &Permutation) -> bool {
        let invariant = model.properties[0].invariant().expect("an invariant");
        let holds = |state: &State| Scope::new(model).with_state(state).holds(invariant);
        self.states.iter().all(|(state, steps)| {
            let image = by.state(model, state);
            let moved = steps.iter().map(|(label, after)| (by.label(model, label), by.state(model, after)));
            let moved: BTreeSet<(Label, State)> = moved.collect();
            self.states.get(&image) == Some(&moved)
                && is_initial(model, state) == is_initial(model, &image)
                && holds(state) == holds(&image)
        })
    }
}

/// The named types of the models, with their values.
fn named(model: &Model) -> Vec<(NameType, Vec<Value>)> {
    let enums = (0..model.types.enums.len() as u32).map(|id| Type::Enum(cladist::model::types::EnumId(id)));
    let ranges = model.types.ranges.iter().map(|range| range.ty.clone());
    let all = enums.filter(|ty| *ty != Type::Enum(model.action_enum)).chain(ranges);
    all.filter_map(|ty| Some((NameType::of(&ty)?, model.types.values(&ty)))).collect()
}

/// All transpositions, alone and in some pairs, all rotations, and all values in the reverse order.
fn permutations(model: &Model, rng: &mut Random) -> Vec<Permutation> {
    let mut single = Vec::new();
    let mut others = Vec::new();
    for (ty, values) in named(model) {
        let all = || values.iter().cloned();
        let round = all().zip(all().cycle().skip(1)).collect();
        let reverse = all().zip(all().rev()).collect();
        for moves in [round, reverse] {
            others.push(Permutation::of([(ty, moves)].into()).expect("each value once"));
        }
        for (index, a) in values.iter().enumerate() {
            for b in &values[index + 1..] {
                let mut swap = Permutation::default();
                swap.swap(ty, a, b);
                single.push(swap);
            }
        }
    }
    for _ in 0..6 {
        others.push(rng.pick(&single).then(rng.pick(&single)));
    }
    single.extend(others);
    single
}

fn invariant_of(model: &Model) -> &cladist::model::expr::Expr {
    model.properties.iter().find_map(Property::invariant).expect("an invariant")
}

#[test]
fn the_solver_proves_exactly_the_automorphisms() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..MODELS {
        let model = model(seed);
        let everything = Everything::of(&model);
        let mut prover = PermutationProver::new(&model, vec![invariant_of(&model)], &Budget::unlimited());
        for by in permutations(&model, &mut Random::new(seed)) {
            let expected = everything.is_symmetric(&model, &by);
            let found = prover.decide(&by).expect("no limit") == PermutationProof::Proved;
            assert_eq!(found, expected, "seed {seed}: {} in\n{}", by.show(&model.types), text(seed));
            if found { proved += 1 } else { refuted += 1 }
        }
    }
    assert!(proved > MODELS && refuted > MODELS, "{proved} proved, {refuted} refuted");
}

#[test]
fn what_is_found_are_automorphisms_and_their_orbits_have_the_same_verdicts() {
    let (mut with_symmetries, mut linked, mut fixing, mut smaller, mut partly) = (0, 0, 0, 0, 0);
    let mut traces = 0;
    for seed in 0..2 * MODELS {
        let model = model(seed);
        let invariant = invariant_of(&model);
        let unlimited = Budget::unlimited();
        let symmetries = find(&model, vec![invariant], &unlimited);
        assert_eq!(symmetries.ended, None);
        let everything = Everything::of(&model);
        for by in symmetries.all() {
            assert!(everything.is_symmetric(&model, by), "seed {seed}: {}", by.show(&model.types));
            let types: BTreeSet<NameType> = by.moves().map(|(ty, ..)| ty).collect();
            linked += u32::from(types.len() > 1);
            fixing += u32::from(!by.fixed().is_empty());
        }
        with_symmetries += u32::from(symmetries.all().next().is_some());
        let proved: Vec<Permutation> = symmetries.all().cloned().collect();
        let group = Group::generated_by(&model.types, &proved);
        assert!(group.whole);
        let expected = orbits(&model, &group);
        let plain = visit(&model, invariant, usize::MAX, &unlimited);
        let orbits = Orbits::new(&model, &group.elements, true).expect("small");
        let VisitedOrbits { visited, in_orbits } =
            visit_orbits(&model, invariant, usize::MAX, &unlimited, &orbits);
        match (plain, visited) {
            (ReachabilityResult::Holds(all), ReachabilityResult::Holds(some)) => {
                assert_eq!((some, in_orbits), (expected, Some(all as u64)), "seed {seed}");
                smaller += u32::from(some < all);
            }
            (plain, visited) => {
                assert_eq!(plain, visited, "seed {seed}");
                let ReachabilityResult::Violated(steps) = plain else { panic!("seed {seed}: {plain:?}") };
                let lengths = Lengths::UpTo(steps);
                let found = check(&model, invariant, lengths, Backend::Cadical, &unlimited, &mut ());
                let by_orbits =
                    first_violation(&model, invariant, steps, Some(&orbits), (usize::MAX, &unlimited));
                assert_eq!(by_orbits.map(BoundedResult::Violated), Some(found), "seed {seed}");
                traces += 1;
            }
        }
        // Some of the permutations only.
        let half = &group.elements[..group.elements.len() / 2];
        let orbits = Orbits::new(&model, half, false).expect("small");
        let some = visit_orbits(&model, invariant, usize::MAX, &unlimited, &orbits);
        match (visit(&model, invariant, usize::MAX, &unlimited), some.visited) {
            (ReachabilityResult::Holds(all), ReachabilityResult::Holds(some)) => {
                assert!(expected <= some && some <= all, "seed {seed}");
                partly += u32::from(some < all);
            }
            (plain, visited) => assert_eq!(plain, visited, "seed {seed}"),
        }
    }
    let counts = [with_symmetries, linked, fixing, smaller, partly, traces];
    assert!(counts.iter().all(|&count| count >= 5), "{counts:?}");
}

/// Of rings and rows, all values of a type in turn or in the reverse order.
#[test]
fn turns_that_are_found_are_automorphisms() {
    const RINGS: u64 = 40;
    let mut turns = 0;
    for seed in 0..RINGS {
        let model = ring_model(seed);
        let symmetries = find(&model, vec![invariant_of(&model)], &Budget::unlimited());
        let everything = Everything::of(&model);
        for by in symmetries.all() {
            assert!(everything.is_symmetric(&model, by), "seed {seed}: {}", by.show(&model.types));
        }
        turns += symmetries.turns.len() as u64;
    }
    assert!(turns > RINGS / 2, "{turns}");
}

/// The number of orbits of reachable states.
fn orbits(model: &Model, group: &Group) -> usize {
    let states = reachable(model, usize::MAX, &Budget::unlimited()).states;
    let least = |state: &State| {
        let images = group.elements.iter().map(|by| by.state(model, state));
        images.chain([state.clone()]).min()
    };
    states.iter().map(least).collect::<BTreeSet<_>>().len()
}

#[test]
fn declarations_are_proved_or_refuted_by_two_states() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..MODELS {
        let mut model = model(seed);
        for (name, ty) in [("Session", 0), ("Nonce", 1)] {
            let id = model.types.enums.iter().position(|e| e.name == name).unwrap_or(ty);
            let ty = NameType::Enum(cladist::model::types::EnumId(id as u32));
            let span = Default::default();
            model.symmetric.push(cladist::model::SymmetricType { name: name.into(), ty, span });
        }
        let everything = Everything::of(&model);
        let symmetries = find(&model, vec![invariant_of(&model)], &Budget::unlimited());
        assert!(symmetries.all().all(|by| everything.is_symmetric(&model, by)), "seed {seed}");
        for (declaration, result) in declared(&model, vec![invariant_of(&model)], &Budget::unlimited()) {
            let values = model.types.values(&declaration.ty.ty());
            let is_whole = |class: &Interchangeable| class.ty == declaration.ty && class.values == values;
            // Types that are in no state are not looked at for the sake of symmetries.
            let alone = |pair: &[Value]| {
                let mut swap = Permutation::default();
                swap.swap(declaration.ty, &pair[0], &pair[1]) && everything.is_symmetric(&model, &swap)
            };
            assert_eq!(
                symmetries.classes().iter().any(is_whole) || values.windows(2).all(alone),
                result == DeclaredSymmetry::Proved,
                "seed {seed}: {}",
                declaration.name
            );
            match result {
                DeclaredSymmetry::Proved => proved += 1,
                DeclaredSymmetry::Refuted { by, .. } => {
                    assert!(!everything.is_symmetric(&model, &by), "seed {seed}: {}", declaration.name);
                    refuted += 1;
                }
                DeclaredSymmetry::Undecided(why) => panic!("seed {seed}: {why}"),
            }
        }
    }
    assert!(proved > 15 && refuted > 15, "{proved} proved, {refuted} refuted");
}
