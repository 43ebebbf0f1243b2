//! Answers to questions about sufficiency, to be given again: classes that are made of several counterexamples come to the same
//! constraints.

use super::{Core, Sufficiency};
use crate::classify::constraint::Constraint;
use crate::classify::fact::Fact;
use crate::classify::listing::Accepting;
use rustc_hash::FxHashMap;

/// What is known of a constraint.
#[derive(Default)]
struct Known {
    /// Facts of it that suffice, and up to which length of traces that is known.
    sufficient: Option<(Vec<Fact>, usize)>,
    /// A trace that shows that it does not suffice.
    accepting: Option<Accepting>,
}

/// The answers so far.
#[derive(Default)]
pub(super) struct Answered(FxHashMap<Constraint, Known>);

impl Answered {
    /// The answer for traces of up to so many steps, if it follows from one that was given.
    pub(super) fn about(&self, constraint: &Constraint, steps: usize) -> Option<Sufficiency> {
        let known = self.0.get(&sorted(constraint))?;
        let sufficient = known.sufficient.as_ref().filter(|(_, most)| *most >= steps).map(|(part, most)| {
            let facts = constraint.facts.iter().enumerate().filter(|(_, fact)| part.contains(fact));
            Sufficiency::Sufficient(Core { facts: facts.map(|(number, _)| number).collect(), steps: *most })
        });
        let accepting = known.accepting.as_ref().filter(|accepting| accepting.trace.len() <= steps);
        sufficient.or_else(|| accepting.cloned().map(Sufficiency::Insufficient))
    }

    /// Keeps an answer. No accepting traces of ground constraints are kept, which would take much memory: those that the facts of a counterexample
    /// were asked about with are kept there.
    pub(super) fn keep(&mut self, constraint: &Constraint, answer: &Sufficiency) {
        match answer {
            Sufficiency::Sufficient(Core { facts, steps }) => {
                let part = facts.iter().map(|&number| constraint.facts[number].clone()).collect();
                self.0.entry(sorted(constraint)).or_default().sufficient = Some((part, *steps));
            }
            Sufficiency::Insufficient(accepting) if constraint.is_lifted() => {
                self.0.entry(sorted(constraint)).or_default().accepting = Some(accepting.clone());
            }
            Sufficiency::Insufficient(_) => {}
        }
    }
}

/// The constraint with its facts in one order, whatever it was made of.
fn sorted(constraint: &Constraint) -> Constraint {
    let mut sorted = constraint.clone();
    sorted.facts.sort_unstable();
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::fact::{Assignment, FactKind, Order};
    use crate::classify::index::{AtomId, DomainId, PositionVar};
    use crate::model::value::{Moment, State};
    use crate::trace::Trace;

    fn fact(atom: usize, position: usize) -> Fact {
        Fact::about(FactKind::Atom(AtomId::new(atom)), vec![PositionVar::new(position)])
    }

    fn constraint(facts: Vec<Fact>) -> Constraint {
        Constraint::ground(2, facts)
    }

    fn trace(steps: usize) -> Trace {
        let moment = Moment { label: None, state: State(Vec::new()) };
        Trace { moments: vec![moment; steps + 1] }
    }

    #[test]
    fn what_suffices_is_known_for_shorter_traces_and_in_any_order() {
        let order = Fact::order(Order::Before, PositionVar::new(0), PositionVar::new(1));
        let asked = constraint(vec![fact(3, 0), fact(1, 1), order.clone()]);
        let mut answered = Answered::default();
        assert!(answered.about(&asked, 0).is_none());
        answered.keep(&asked, &Sufficiency::Sufficient(Core { facts: vec![0, 2], steps: 7 }));
        let again = constraint(vec![fact(1, 1), order, fact(3, 0)]);
        let Some(Sufficiency::Sufficient(core)) = answered.about(&again, 7) else { panic!("it is known") };
        assert_eq!((core.facts, core.steps), (vec![1, 2], 7));
        assert!(answered.about(&again, 8).is_none());
        assert!(answered.about(&constraint(vec![fact(1, 0), fact(3, 1)]), 7).is_none());
    }

    #[test]
    fn a_longer_accepting_trace_answers_nothing() {
        let mut lifted = constraint(vec![fact(3, 0)]);
        lifted.individuals = vec![DomainId::new(0)];
        let accepting = Accepting { trace: trace(5), assigned: Assignment::default() };
        let mut answered = Answered::default();
        answered.keep(&lifted, &Sufficiency::Insufficient(accepting.clone()));
        assert!(answered.about(&lifted, 4).is_none());
        let Some(Sufficiency::Insufficient(known)) = answered.about(&lifted, 5) else {
            panic!("it is known")
        };
        assert_eq!(known, accepting);
        // It suffices for shorter traces.
        answered.keep(&lifted, &Sufficiency::Sufficient(Core { facts: vec![0], steps: 4 }));
        assert!(matches!(answered.about(&lifted, 4), Some(Sufficiency::Sufficient(_))));
        assert!(matches!(answered.about(&lifted, 5), Some(Sufficiency::Insufficient(_))));
    }
}
