//! The self-check notices what is wrong, in a thread of its own as well.

use super::random::cases;
use super::random_model::random_model;
use classify::facts::constraint::Constraint;
use classify::facts::problem::Problem;
use classify::oracles::self_check::{ClassClaim, SelfCheckClaims};
use classify::results::options::Options;
use classify::results::result::{Class, Classification, Verdict};
use classify::search::engine::checking::{Checking, SelfCheckResult, SpeculativeCheck};
use classify::search::engine::classify;
use kit::budget::{Budget, Exhausted};
use lang::model::Model;
use solvers::sat::{Backend, Setup};
use solvers::unroll::Lengths;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

const LENGTHS: Lengths = Lengths::UpTo(3);

fn claims<'m>(problem: Problem<'m>, result: &Classification) -> SelfCheckClaims<'m> {
    let claim = |class: &Class| ClassClaim {
        constraint: class.constraint.clone(),
        canonical: class.canonical.clone(),
    };
    SelfCheckClaims {
        problem,
        atoms: result.atoms.clone(),
        lengths: LENGTHS,
        unrolled: LENGTHS,
        classes: result.classes.iter().map(claim).collect(),
        complete: true,
        exchange: None,
    }
}

/// What came of claims, with so many threads; `None` where they were found to be wrong.
fn checked(claims: SelfCheckClaims<'_>, threads: usize) -> Option<SelfCheckResult> {
    let budget = Budget::unlimited().with_threads(NonZeroUsize::new(threads).expect("not none"));
    let setup = Setup { backend: Backend::Cadical, seed: 0 };
    let check = || {
        claims.check_canonical();
        std::thread::scope(|scope| Checking::begin(scope, claims, setup, None, &budget).end())
    };
    catch_unwind(AssertUnwindSafe(check)).ok()
}

#[test]
fn wrong_claims_are_noticed_by_any_number_of_threads() {
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..cases(120) {
        let model = random_model(seed);
        let problem = Problem::first(&model).expect("an invariant");
        let options = Options { self_check: false, ..Options::of(LENGTHS) };
        let result = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
        if result.verdict != Verdict::Complete {
            continue;
        }
        let threads = 1 + seed as usize % 2;
        let by = checked(claims(problem, &result), threads).expect("right claims").by;
        assert!(by.is_ok(), "seed {seed}: {by:?}");
        right += 1;
        for index in 0..result.classes.len() {
            let mut incomplete = claims(problem, &result);
            incomplete.classes.remove(index);
            assert!(checked(incomplete, threads).is_none(), "seed {seed}, without class {index}");
            wrong += 1;
            let mut too_general = claims(problem, &result);
            let class = &mut too_general.classes[index];
            if !class.constraint.facts.is_empty() {
                class.constraint = class.constraint.without(0);
                assert!(checked(too_general, threads).is_none(), "seed {seed}, class {index} too general");
                wrong += 1;
            }
        }
        if result.classes.len() > 1 {
            let mut exchanged = claims(problem, &result);
            let other = exchanged.classes[1].canonical.clone();
            exchanged.classes[0].canonical = other;
            assert!(checked(exchanged, threads).is_none(), "seed {seed}, another counterexample");
            wrong += 1;
        }
    }
    assert!(right > 10 && wrong > 30, "{right} right, {wrong} wrong");
}

#[test]
fn a_check_that_has_no_time_says_so() {
    let models = (0..).map(random_model);
    let classified = |model: &Model| {
        let problem = Problem::first(model).expect("an invariant");
        classify(problem, &model.vocabularies[0], &Options::of(LENGTHS), &Budget::unlimited(), &mut ())
    };
    let mut all = models.map(|model| (classified(&model), model));
    let (result, model) =
        all.find(|(result, _)| result.verdict == Verdict::Complete).expect("some are violated");
    let problem = Problem::first(&model).expect("an invariant");
    for threads in [1, 2] {
        let budget = Budget::unlimited().with_threads(NonZeroUsize::new(threads).expect("not none"));
        let setup = Setup { backend: Backend::Cadical, seed: 0 };
        let none = Some(Duration::ZERO);
        let claims = claims(problem, &result);
        let SelfCheckResult { by, took } =
            std::thread::scope(|scope| Checking::begin(scope, claims, setup, none, &budget).end());
        assert_eq!(by, Err(Exhausted::Time));
        assert_eq!(took.solver_calls, 0);
    }
}

/// Whether a self-check that begins before the search ends, of claims that may be wrong, is taken for that of others.
fn ahead<'m>(
    begun: SelfCheckClaims<'m>,
    found: bool,
    claims: Option<&SelfCheckClaims<'m>>,
) -> Option<SelfCheckResult> {
    let budget = Budget::unlimited().with_threads(NonZeroUsize::new(2).expect("not none"));
    let setup = Setup { backend: Backend::Cadical, seed: 0 };
    std::thread::scope(|scope| {
        let mut ahead = SpeculativeCheck::new(scope);
        // An hour is over as soon as the search is.
        ahead.begin(begun, setup, 3600.0, &budget);
        if found {
            ahead.give_up();
        }
        ahead.of(claims).map(Checking::end)
    })
}

#[test]
fn a_check_ahead_of_the_end_counts_if_nothing_else_was_found() {
    let mut seen = 0;
    for seed in 0..cases(60) {
        let model = random_model(seed);
        let problem = Problem::first(&model).expect("an invariant");
        let result =
            classify(problem, &model.vocabularies[0], &Options::of(LENGTHS), &Budget::unlimited(), &mut ());
        if result.verdict != Verdict::Complete || result.classes.is_empty() {
            continue;
        }
        let all = || claims(problem, &result);
        let fewer = || SelfCheckClaims { classes: all().classes.split_off(1), ..all() };
        let open = || SelfCheckClaims { complete: false, ..all() };
        assert!(ahead(all(), false, Some(&all())).is_some_and(|checked| checked.by.is_ok()), "seed {seed}");
        assert!(ahead(all(), true, Some(&all())).is_none(), "seed {seed}: given up");
        assert!(ahead(fewer(), false, Some(&all())).is_none(), "seed {seed}: others");
        assert!(ahead(all(), false, Some(&open())).is_none(), "seed {seed}: not complete");
        assert!(ahead(fewer(), false, None).is_none(), "seed {seed}: none");
        let wrong = || ahead(fewer(), false, Some(&fewer()));
        assert!(catch_unwind(AssertUnwindSafe(wrong)).is_err(), "seed {seed}: wrong");
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn results_are_the_same_whether_they_are_checked_ahead() {
    let lengths = Lengths::UpTo(4);
    for seed in 0..cases(80) {
        let model = random_model(seed);
        let problem = Problem::first(&model).expect("an invariant");
        let with = |threads| {
            let budget = Budget::unlimited().with_threads(NonZeroUsize::new(threads).expect("not none"));
            let result = classify(problem, &model.vocabularies[0], &Options::of(lengths), &budget, &mut ());
            let classes: Vec<Constraint> = result.classes.into_iter().map(|class| class.constraint).collect();
            (result.verdict, classes, result.checked_by, result.statistics.solver_calls)
        };
        assert_eq!(with(1), with(2), "seed {seed}");
    }
}
