//! The final check of a classification of lassos, with fresh solvers.

use super::condition::LassoCondition;
use super::oracle::{LassoOracle, LassoQuery};
use super::result::Infinite;
use crate::results::result::Class;
use crate::results::statistics::Statistics;
use kit::budget::{Budget, Limited};
use lang::trace::Lasso;
use solvers::sat::Setup;

/// Checks the classes, and, if it is claimed, that they leave no violating lasso out. Returns the name of the solver, whose calls and sizes are noted.
///
/// # Panics
/// If a claim is wrong: that is a bug in this program.
pub fn check(
    (violating, accepting): (LassoQuery<'_>, LassoQuery<'_>),
    classes: &[Class<Infinite>],
    is_complete: bool,
    setup: Setup,
    budget: &Budget,
    statistics: &mut Statistics,
) -> Limited<String> {
    let mut satisfied = LassoOracle::new(accepting, setup, budget);
    check_classes(&mut satisfied, classes)?;
    if is_complete {
        let mut violated = LassoOracle::new(violating, setup, budget);
        let outside: Vec<LassoCondition> =
            classes.iter().map(|class| LassoCondition::Outside(class.constraint.clone())).collect();
        let found = violated.any(&outside)?;
        assert!(found.is_none(), "self-check: no class contains the counterexample {found:?}");
        violated.add_to(statistics);
    }
    satisfied.add_to(statistics);
    Ok(setup.backend.to_string())
}

/// Checks that the lassos of each class are in it, and the canonical one in no other class, and that classes which are said to suffice do.
///
/// # Panics
/// If a claim is wrong: that is a bug in this program.
pub fn check_classes(satisfied: &mut LassoOracle<'_>, classes: &[Class<Infinite>]) -> Limited<()> {
    let LassoQuery { model, atoms, .. } = satisfied.asked();
    let is_in = |class: &Class<Infinite>, lasso: &Lasso| class.constraint.holds(model, atoms, lasso);
    for (index, class) in classes.iter().enumerate() {
        let text = class.constraint.show(model, atoms);
        assert!(is_in(class, &class.representative), "self-check: {text} lacks its representative");
        if let Some(alone) = &class.canonical {
            let mut others = classes.iter().enumerate().filter(|(other, _)| *other != index);
            let is_alone = is_in(class, alone) && !others.any(|(_, other)| is_in(other, alone));
            assert!(is_alone, "self-check: {alone:?} is not canonical for {text}");
        }
        if class.sufficient {
            let found = satisfied.any(&[LassoCondition::In(class.constraint.clone())])?;
            assert!(found.is_none(), "self-check: {text} holds in {found:?}, which satisfies the property");
        }
    }
    Ok(())
}
