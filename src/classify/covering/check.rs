//! The final check of a cover, in a fresh solver.

use super::things::Thing;
use crate::budget::Limited;
use crate::classify::block;
use crate::classify::index::PositionVar;
use crate::classify::result::Class;
use crate::classify::space::{Space, Sufficiency};
use crate::sat::Lit;
use crate::trace::Trace;

/// Checks that every violating trace in which one of the `things` happens is in a class, that every violating trace is if there
/// is no remainder, that nothing happens in the remainder, that what is necessary happens in every violating trace, that each canonical trace is in its class alone, and that
/// classes which are said to suffice do.
///
/// # Panics
/// If one of this is wrong: that is a bug in this program.
pub fn check(
    space: &mut Space<'_>,
    classes: &[Class],
    things: Vec<Thing>,
    remainder: Option<&Trace>,
) -> Limited<()> {
    for (index, class) in classes.iter().enumerate() {
        let Some(trace) = &class.canonical else { continue };
        let others = classes.iter().enumerate().filter(|(other, _)| *other != index);
        let alone = others.into_iter().all(|(_, other)| space.matches(&other.constraint, trace).is_none());
        assert!(
            alone && space.matches(&class.constraint, trace).is_some(),
            "self-check: {trace:?} is not a canonical trace of class {}",
            index + 1
        );
    }
    for class in classes.iter().filter(|class| class.sufficient) {
        let used: Vec<PositionVar> = class.constraint.variables().collect();
        let answer = space.sufficiency(&class.constraint.facts, &used)?;
        assert!(
            matches!(answer, Sufficiency::Sufficient(_)),
            "self-check: a class does not suffice: {answer:?}"
        );
    }
    let (mut necessary, mut things): (Vec<Thing>, Vec<Thing>) =
        things.into_iter().partition(|thing| thing.necessary);
    for thing in &mut necessary {
        let without = !thing.matched(space);
        let found = space.any_counterexample(&[without])?;
        assert!(found.is_none(), "self-check: {:?} is not necessary: {found:?}", thing.constraint);
    }
    let mut outside: Vec<Lit> =
        classes.iter().map(|class| !block::matched(space, &class.constraint)).collect();
    if let Some(trace) = remainder {
        let happening = things.iter().find(|thing| space.matches(&thing.constraint, trace).is_some());
        let happening = happening.map(|thing| &thing.constraint);
        assert!(happening.is_none(), "self-check: {happening:?} happens in what is left over: {trace:?}");
        let happen = things.iter_mut().enumerate().map(|(number, thing)| thing.happens(space, number));
        let happen: Vec<Lit> = happen.collect();
        outside.push(space.circuit().any(&happen));
    }
    let found = space.any_counterexample(&outside)?;
    assert!(found.is_none(), "self-check: no class of the cover contains {found:?}");
    Ok(())
}
