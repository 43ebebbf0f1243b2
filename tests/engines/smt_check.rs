//! Bounded checks by an SMT solver against those by a SAT solver. Traces are compared by length; the engine itself has the
//! reference semantics confirm them.

use crate::random::cases;
use crate::random_model::random_model;
use cladist::budget::{Budget, Exhausted};
use cladist::decide::by_scripts;
use cladist::model::{Model, load};
use cladist::sat::Backend;
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
use cladist::unroll::{BoundedResult, Lengths, check};
use std::path::Path;
use std::time::Duration;

fn solver() -> Option<SmtSolver> {
    let solver = SmtSolver::usual();
    if solver.is_none() {
        eprintln!("skipped: z3 is not in PATH");
    }
    solver
}

/// After how many steps a trace ends that violates the first invariant, by both ways.
fn compare(solver: &SmtSolver, model: &Model, lengths: Lengths, theory: Theory) -> Option<usize> {
    let property = model.properties.iter().find(|property| property.invariant().is_some());
    let property = property.expect("an invariant");
    let invariant = property.invariant().expect("an invariant");
    let budget = Budget::unlimited();
    let steps = |checked: BoundedResult| match checked {
        BoundedResult::Holds => None,
        BoundedResult::Violated(trace) => Some(trace.len()),
        undecided => panic!("{}: {undecided:?}", model.name),
    };
    let expected = steps(check(model, invariant, lengths, Backend::Cadical, &budget, &mut ()));
    let asked = (solver, theory);
    let found =
        by_scripts(model, (property, invariant), lengths, asked, &budget, &mut ()).expect("an answer");
    assert_eq!(steps(found), expected, "{}, {lengths:?}, {theory:?}", model.name);
    expected
}

#[test]
fn random_models_have_violations_of_the_same_length() {
    let Some(solver) = solver() else { return };
    let mut violated = 0;
    let models = cases(40);
    for seed in 0..models {
        let model = random_model(seed);
        let bound = (seed % 6) as usize;
        let lengths = if seed % 5 == 4 { Lengths::Exactly(bound) } else { Lengths::UpTo(bound) };
        let theory = if seed % 2 == 0 { Theory::Int } else { Theory::Bv };
        violated += usize::from(compare(&solver, &model, lengths, theory).is_some());
    }
    assert!(violated as u64 > models / 4, "{violated} of {models}");
}

#[test]
fn models_of_all_kinds_have_shortest_violations() {
    let Some(solver) = solver() else { return };
    let cases = [
        ("specs/mutex.sts", 8, Some(6)),
        ("specs/ns_public_key.sts", 6, Some(6)),
        ("specs/replay_window.sts", 8, Some(5)),
        ("specs/lossy_link.sts", 6, None),
        ("specs/vote.sts", 8, Some(8)),
        ("benches/models/accounts.sts", 8, None),
    ];
    for (file, bound, expected) in cases {
        let loaded = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file), &[]);
        let model = loaded.model.unwrap_or_else(|| panic!("{file}: {:?}", loaded.diagnostics));
        for theory in [Theory::Int, Theory::Bv] {
            assert_eq!(
                compare(&solver, &model, Lengths::UpTo(bound), theory),
                expected,
                "{file}, {theory:?}"
            );
        }
    }
}

#[test]
fn a_limit_ends_it_and_a_program_that_fails_is_an_error() {
    let loaded = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/mutex.sts"), &[]);
    let model = loaded.model.expect("no mistakes");
    let property = &model.properties[0];
    let question = (property, property.invariant().expect("an invariant"));
    let ask = |command: &str, budget: &Budget| {
        let solver = SmtSolver::parse(command).expect("a command");
        by_scripts(&model, question, Lengths::UpTo(8), (&solver, Theory::Int), budget, &mut ())
    };
    if cfg!(unix) {
        let short = Budget::unlimited().with_timeout(Duration::from_millis(100));
        let undecided = ask("sleep 30", &short).expect("a partial result");
        assert_eq!(undecided, BoundedResult::Undecided { why: Exhausted::Time, depth: 0 });
        let failed = ask("echo unknown", &Budget::unlimited()).expect_err("no answer");
        assert_eq!(failed.to_string(), "it gave up: unknown");
    }
    let failed = ask("no-such-solver", &Budget::unlimited()).expect_err("no answer");
    assert!(failed.to_string().starts_with("it cannot be started"), "{failed}");
}
