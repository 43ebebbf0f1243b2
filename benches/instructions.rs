//! One core computation, run once, for `.ci/instructions`, which counts its instructions: nothing here depends on time.
//!
//! `cargo test --bench instructions -- NAME`; without a name, or with other options, all of them.

use cladist::budget::Budget;
use cladist::decide::{InvariantOptions, InvariantResult, invariant};
use cladist::diagnostics::SourceId;
use cladist::explore::{ReachabilityResult, visit};
use cladist::lts::aut::{ReadOptions, read};
use cladist::lts::property::LabelPattern;
use cladist::lts::{Lts, Relabelling, branching_quotient, quotient, relabel, weak_quotient};
use cladist::model::{Model, load};
use cladist::prove::InvariantMethod;
use cladist::sat::Backend;
use cladist::syntax::parse;
use cladist::unroll::{BoundedResult, Lengths, check};
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const COMPUTATIONS: [(&str, fn()); 10] = [
    ("parse", || {
        drop(parse(SourceId::default(), &std::fs::read_to_string(path("ns_sessions")).expect("readable")))
    }),
    ("load", || drop(model("ns_sessions", &[]))),
    ("search", || {
        let model = model("ns_public_key", &[("LOWE_FIX", "true")]);
        let found = check(&model, first(&model), Lengths::UpTo(10), Backend::Cadical, &budget(), &mut ());
        assert_eq!(found, BoundedResult::Holds);
    }),
    ("symmetry", || {
        let model = model("ring_election", &[]);
        drop(cladist::symmetry::find(&model, vec![first(&model)], &budget()));
    }),
    ("induction", || proved("mutex", ("FIXED", "true"), InvariantMethod::Induction)),
    ("ic3", || proved("token_ring", ("NODES", "8"), InvariantMethod::Ic3)),
    ("diagrams", || proved("ring_election", ("", ""), InvariantMethod::Diagrams)),
    ("list", || {
        let model = model("ring_election", &[]);
        assert!(matches!(visit(&model, first(&model), usize::MAX, &budget()), ReachabilityResult::Holds(_)));
    }),
    ("strong", || drop(quotient(&grid(60), &budget()).expect("no limit"))),
    ("hidden", || {
        let hide = Relabelling::Hide(LabelPattern::new("up.*").expect("a pattern"));
        let hidden = relabel(&grid(30), &[hide], &budget()).expect("no limit");
        branching_quotient(&hidden, &budget()).expect("no limit");
        weak_quotient(&hidden, &budget()).expect("no limit");
    }),
];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let is_one = COMPUTATIONS.iter().any(|(other, _)| *other == name);
    for (_, compute) in COMPUTATIONS.iter().filter(|(other, _)| !is_one || *other == name) {
        compute();
    }
}

fn budget() -> Budget {
    Budget::unlimited().with_threads(NonZeroUsize::MIN)
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts")
}

fn model(name: &str, constants: &[(&str, &str)]) -> Model {
    let constants: Vec<_> =
        constants.iter().map(|(name, value)| (String::from(*name), String::from(*value))).collect();
    load(&path(name), &constants).model.expect("the models of specs/ are right")
}

fn first(model: &Model) -> &cladist::model::expr::Expr {
    model.properties[0].invariant().expect("an invariant")
}

fn proved(name: &str, constant: (&str, &str), way: InvariantMethod) {
    let constants = if constant.0.is_empty() { vec![] } else { vec![constant] };
    let model = model(name, &constants);
    let options = InvariantOptions { way, ..InvariantOptions::default() };
    let result = invariant(&model, first(&model), &options, &budget(), &mut ());
    assert!(matches!(result, InvariantResult::Proved(_)), "{name}: {result:?}");
}

/// A grid of states whose steps lead to the right and up.
fn grid(side: usize) -> Lts {
    let mut steps = String::new();
    for state in 0..side * side {
        let (x, y) = (state % side, state / side);
        let to = |dx: usize, dy: usize| (y + dy) % side * side + (x + dx) % side;
        let _ = writeln!(
            steps,
            "({state}, \"right !{}\", {})\n({state}, \"up !{}\", {})",
            y % 3,
            to(1, 0),
            x % 5,
            to(0, 1)
        );
    }
    let text = format!("des (0, {}, {})\n{steps}", 2 * side * side, side * side);
    read(text.as_bytes(), "grid", ReadOptions::default(), &Budget::unlimited()).expect("a system")
}
