//! Tests of `classify::automata::automaton::bits`.

use classify::automata::automaton::bits::AutomatonStates;
use std::collections::BTreeSet;

#[test]
fn sets_behave_as_sets() {
    let of = |step: usize| (0..AutomatonStates::MOST).step_by(step);
    let (threes, fives): (AutomatonStates, AutomatonStates) = (of(3).collect(), of(5).collect());
    let (a, b): (BTreeSet<usize>, BTreeSet<usize>) = (of(3).collect(), of(5).collect());
    assert!(threes.states().eq(a.iter().copied()));
    assert!(threes.union(&fives).states().eq(a.union(&b).copied()));
    assert!(threes.without(&fives).states().eq(a.difference(&b).copied()));
    assert!((0..AutomatonStates::MOST).all(|q| threes.contains(q) == a.contains(&q)));
    assert!(threes.meets(&fives) && !threes.meets(&fives.without(&threes)));
    let mut last = AutomatonStates::of(AutomatonStates::MOST - 1);
    assert!(last.contains(AutomatonStates::MOST - 1) && !last.is_empty());
    last.remove(AutomatonStates::MOST - 1);
    assert!(last.is_empty());
}
