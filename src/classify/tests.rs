//! The three blocking encodings against the reference semantics, on random
//! constraints made from facts of random traces.

use super::block::{by_elimination, by_ladders, by_values};
use super::collect::Atoms;
use super::constraint::Constraint;
use super::fact::{Fact, FactKind};
use super::quick_xplain::quick_xplain;
use super::space::Space;
use crate::budget::Budget;
use crate::diagnostics::Span;
use crate::explore::all_traces;
use crate::model::Model;
use crate::model::expr::Expr;
use crate::sat::{Answer, Backend};
use crate::trace::Trace;
use crate::unroll::Lengths;

#[path = "../../tests/common/random_model.rs"]
mod random_model;
use random_model::{Rng, random_model};

/// Facts that hold in a random trace, at up to four of its positions, with order facts among them:
/// chains, forks, adjacency, gaps.
fn random_constraint(rng: &mut Rng, atoms: &mut Atoms<'_>, trace: &Trace) -> Constraint {
    let placed = atoms.collect(&trace.moments, &Budget::unlimited()).expect("no budget");
    let mut facts = Vec::new();
    let mut positions: Vec<usize> = Vec::new();
    let number = |p: usize, positions: &mut Vec<usize>| {
        positions.iter().position(|&q| q == p).unwrap_or_else(|| {
            positions.push(p);
            positions.len() - 1
        })
    };
    for _ in 0..1 + rng.below(4) {
        if placed.is_empty() {
            break;
        }
        let chosen = rng.pick(&placed);
        let of = chosen.positions.iter().map(|&p| number(p, &mut positions)).collect();
        facts.push(Fact { kind: FactKind::Atom(chosen.atom.clone()), positions: of });
    }
    if rng.percent(30) {
        number(rng.below(trace.moments.len()), &mut positions);
    }
    for a in 0..positions.len() {
        for b in 0..positions.len() {
            if positions[a] < positions[b] && rng.percent(50) {
                let next = positions[a] + 1 == positions[b] && rng.percent(40);
                let kind = if next { FactKind::Next } else { FactKind::Before };
                facts.push(Fact { kind, positions: vec![a, b] });
            }
        }
    }
    Constraint { positions: positions.len(), facts }
}

/// Whether a blocking encoding excludes exactly the traces that satisfy the constraint.
fn blocks_exactly(
    model: &Model,
    constraint: &Constraint,
    traces: &[Trace],
    bound: usize,
    encode: impl Fn(&mut Space<'_>, &Constraint) -> Option<crate::sat::Lit>,
) -> Option<()> {
    let anything = Expr::bool(true, Span::default());
    let mut space =
        Space::new(model, &anything, Lengths::UpTo(bound), Backend::Cadical, &Budget::unlimited());
    space.grow_to(bound).expect("no budget");
    let matched = encode(&mut space, constraint)?;
    for trace in traces {
        let mut assumptions = space.unrolling.ends_at(trace.len());
        assumptions.extend(super::members::is_trace(&mut space, trace));
        assert_eq!(space.circuit().solve(&assumptions), Answer::Sat, "the trace exists");
        assumptions.push(!matched);
        let outside = space.circuit().solve(&assumptions) == Answer::Sat;
        let expected = constraint.matches(model, &trace.moments).is_none();
        assert_eq!(outside, expected, "{} in {trace:?}", constraint.show(model));
    }
    Some(())
}

#[test]
fn all_encodings_block_exactly_the_matching_traces() {
    let (mut local, mut wide, mut remembered) = (0, 0, 0);
    for seed in 0..400 {
        let model = random_model(seed);
        let bound = 3;
        let mut rng = Rng::new(seed);
        let traces = all_traces(&model, bound, 20_000).expect("random models are small");
        let mut atoms = Atoms::new(&model, &model.vocabularies[0]);
        let longest: Vec<&Trace> = traces.iter().filter(|t| t.len() + 1 >= bound).collect();
        if longest.is_empty() {
            continue;
        }
        let source = *rng.pick(&longest);
        let constraint = random_constraint(&mut rng, &mut atoms, source);
        assert!(constraint.matches(&model, &source.moments).is_some());
        let some: Vec<Trace> = (0..12).map(|_| rng.pick(&traces).clone()).chain([source.clone()]).collect();
        let encode = |space: &mut Space<'_>, c: &Constraint| Some(by_elimination(space, c));
        blocks_exactly(&model, &constraint, &some, bound, encode);
        wide += usize::from(!constraint.is_local());
        let split = blocks_exactly(&model, &constraint, &some, bound, by_values).is_some();
        remembered += usize::from(split && !constraint.is_local());
        if constraint.is_local() && blocks_exactly(&model, &constraint, &some, bound, by_ladders).is_some() {
            local += 1;
        }
    }
    assert!(
        local > 150 && wide > 50 && remembered > 20,
        "{local} local and {wide} other constraints, {remembered} of these split by values"
    );
}

#[test]
fn quick_xplain_finds_the_preferred_minimal_set() {
    // Sufficient is what contains {1, 4} or {2, 3} or {5}.
    let mut asked = 0;
    let mut suffices = |set: &[u32]| {
        asked += 1;
        let has = |n| set.contains(&n);
        Ok((has(1) && has(4)) || (has(2) && has(3)) || has(5))
    };
    let mut best = |items: &[u32]| {
        let mut found = quick_xplain(items, &mut suffices).expect("no budget");
        found.sort_unstable();
        found
    };
    assert_eq!(best(&[1, 2, 3, 4, 5]), [2, 3], "the last of the preferred set comes first");
    assert_eq!(best(&[5, 1, 2, 3, 4]), [5]);
    assert_eq!(best(&[1, 4, 2, 3, 5]), [1, 4]);
    assert!(asked < 40);
}
