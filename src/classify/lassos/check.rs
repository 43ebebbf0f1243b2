//! The final check of a classification of lassos, with fresh solvers.

use super::condition::Condition;
use super::result::LassoClass;
use super::search::{Asked, Search};
use crate::results::statistics::Statistics;
use kit::budget::{Budget, Limited};
use lang::trace::Lasso;
use solvers::sat::Setup;

/// Checks that every class suffices, that its lassos are in it and canonical ones in no other class, and, if it is claimed, that the
/// classes leave no violating lasso out. Returns the name of the solver, whose calls and sizes are noted.
///
/// # Panics
/// If a claim is wrong: that is a bug in this program.
pub fn check(
    (violating, accepting): (Asked<'_>, Asked<'_>),
    classes: &[LassoClass],
    is_complete: bool,
    setup: Setup,
    budget: &Budget,
    statistics: &mut Statistics,
) -> Limited<String> {
    let Asked { model, atoms, .. } = violating;
    let mut satisfied = Search::new(accepting, setup, budget);
    for class in classes {
        let found = satisfied.any(&[Condition::In(class.constraint.clone())])?;
        let text = class.constraint.show(model, atoms);
        assert!(found.is_none(), "self-check: {text} holds in {found:?}, which satisfies the property");
        let is_in = |class: &LassoClass, lasso: &Lasso| class.constraint.holds(model, atoms, lasso);
        assert!(is_in(class, &class.representative), "self-check: {text} lacks its representative");
        let others = || classes.iter().filter(|other| other.constraint != class.constraint);
        if let Some(alone) = &class.canonical {
            let is_alone = is_in(class, alone) && !others().any(|other| is_in(other, alone));
            assert!(is_alone, "self-check: {alone:?} is not canonical for {text}");
        }
    }
    if is_complete {
        let mut violated = Search::new(violating, setup, budget);
        let outside: Vec<Condition> =
            classes.iter().map(|class| Condition::Outside(class.constraint.clone())).collect();
        let found = violated.any(&outside)?;
        assert!(found.is_none(), "self-check: no class contains the counterexample {found:?}");
        violated.add_to(statistics);
    }
    satisfied.add_to(statistics);
    Ok(setup.backend.to_string())
}
