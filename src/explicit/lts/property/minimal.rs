//! The minimal automaton: equivalent states become one.

use super::subset::{Phase, Table};
use crate::lts::labels::LabelId;
use crate::lts::{Builder, StateId, quotient};
use kit::budget::Budget;

/// Minimises a total automaton with the initial state 0. For deterministic automata, equivalence is strong bisimilarity if
/// bad states have a transition of their own, so this is the quotient of a system (Paige and Tarjan). In the result, states
/// have the order in which a breadth-first search finds them.
pub fn minimise(table: &Table, classes: usize) -> Table {
    let mut builder = Builder::new();
    let label_of: Vec<LabelId> =
        (0..=classes).map(|class| builder.labels.intern(class.to_string().as_bytes())).collect();
    for (state, &bad) in table.bad.iter().enumerate() {
        let state = StateId::new(state);
        let row = &table.next[state.index() * classes..(state.index() + 1) * classes];
        for (&label, &to) in label_of.iter().zip(row) {
            builder.add(state, label, StateId::from_u32(to.to_u32()));
        }
        if bad {
            builder.add(state, label_of[classes], state);
        }
    }
    let lts = builder.finish(StateId::FIRST, table.bad.len() as u32);
    let reduced = quotient(&lts, &Budget::unlimited()).unwrap_or_else(|_| unreachable!("there is no limit"));
    let mut minimal = Table { next: Vec::new(), bad: Vec::new() };
    for state in reduced.lts.state_ids() {
        let row = reduced.lts.out(state).filter(|&(label, _)| label != label_of[classes]);
        let before = minimal.next.len();
        minimal.next.extend(row.map(|(_, to)| Phase::from_u32(to.to_u32())));
        debug_assert_eq!(minimal.next.len() - before, classes, "the automaton is total and deterministic");
        minimal.bad.push(reduced.lts.out(state).any(|(label, _)| label == label_of[classes]));
    }
    minimal
}
