//! The final check of the classes of a cover, in a fresh solver.

use crate::facts::index::PositionVar;
use crate::oracles::oracle::Oracle;
use crate::oracles::sat::{SatOracle, Sufficiency};
use crate::results::result::Class;
use kit::budget::Limited;

/// Checks that each canonical trace is in its class alone, and that classes which are said to suffice do.
///
/// # Panics
/// If any of this is wrong: that is a bug in this program.
pub fn check_classes(oracle: &mut SatOracle<'_>, classes: &[Class]) -> Limited<()> {
    for (index, class) in classes.iter().enumerate() {
        let Some(trace) = &class.canonical else { continue };
        let others = classes.iter().enumerate().filter(|(other, _)| *other != index);
        let alone = others.into_iter().all(|(_, other)| oracle.matches(&other.constraint, trace).is_none());
        assert!(
            alone && oracle.matches(&class.constraint, trace).is_some(),
            "self-check: {trace:?} is not a canonical trace of class {}",
            index + 1
        );
    }
    for class in classes.iter().filter(|class| class.sufficient) {
        let used: Vec<PositionVar> = class.constraint.variables().collect();
        let answer = oracle.sufficiency(&class.constraint.facts, &used)?;
        assert!(
            matches!(answer, Sufficiency::Sufficient(_)),
            "self-check: a class does not suffice: {answer:?}"
        );
    }
    Ok(())
}
