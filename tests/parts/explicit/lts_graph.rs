//! Tests of `explicit::lts::graph`.

use explicit::lts::graph::*;

#[test]
fn rows_are_ordered_and_without_duplicates() {
    let mut builder = LtsBuilder::new();
    let (a, b) = (builder.labels.intern(b"A"), builder.labels.intern(b"B"));
    let s = StateId::from_u32;
    for (from, label, to) in [(2, b, 0), (0, b, 1), (0, a, 2), (2, b, 0), (0, a, 1), (0, b, 1)] {
        builder.add(s(from), label, s(to));
    }
    assert_eq!(builder.len(), 6);
    let lts = builder.finish(s(0), 5);
    let found: Vec<_> = lts.all_transitions().map(|t| (t.from.to_u32(), t.label, t.to.to_u32())).collect();
    assert_eq!(found, [(0, a, 1), (0, a, 2), (0, b, 1), (2, b, 0)]);
    assert_eq!((lts.states(), lts.declared_states(), lts.transitions()), (3, 5, 4));
    let back = lts.backward();
    assert_eq!(back.of(s(1)).collect::<Vec<_>>(), [(a, s(0)), (b, s(0))]);
    assert_eq!(back.of(s(0)).collect::<Vec<_>>(), [(b, s(2))]);
}
