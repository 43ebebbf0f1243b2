//! Tests of `classify::oracles::sat::answered`.

use classify::automata::listing::AcceptingTrace;
use classify::facts::constraint::Constraint;
use classify::facts::fact::{Assignment, Fact, FactKind, OrderRelation};
use classify::facts::index::{AtomId, DomainId, PositionVar};
use classify::oracles::sat::answered::*;
use classify::oracles::sat::{Core, Sufficiency};
use lang::model::value::{Moment, State};
use lang::trace::Trace;

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
    let order = Fact::order(OrderRelation::Before, PositionVar::new(0), PositionVar::new(1));
    let asked = constraint(vec![fact(3, 0), fact(1, 1), order.clone()]);
    let mut answered = AnswerMemo::default();
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
    let accepting = AcceptingTrace { trace: trace(5), assigned: Assignment::default() };
    let mut answered = AnswerMemo::default();
    answered.keep(&lifted, &Sufficiency::Insufficient(accepting.clone()));
    assert!(answered.about(&lifted, 4).is_none());
    let Some(Sufficiency::Insufficient(known)) = answered.about(&lifted, 5) else { panic!("it is known") };
    assert_eq!(known, accepting);
    // It suffices for shorter traces.
    answered.keep(&lifted, &Sufficiency::Sufficient(Core { facts: vec![0], steps: 4 }));
    assert!(matches!(answered.about(&lifted, 4), Some(Sufficiency::Sufficient(_))));
    assert!(matches!(answered.about(&lifted, 5), Some(Sufficiency::Insufficient(_))));
}
