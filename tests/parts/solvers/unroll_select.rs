//! Tests of `solvers::unroll::select`.

use kit::budget::Budget;
use lang::model::value::Value;
use solvers::sat::{Backend, Circuit, Lit};
use solvers::unroll::Symbolic as S;

#[test]
fn a_map_with_fewer_entries_because_the_budget_ended_is_no_panic() {
    let mut circuit = Circuit::new(Backend::Cadical.start(&Budget::unlimited()));
    let c = &mut circuit;
    let (yes, here) = (c.yes(), c.fresh());
    let entries = |n: i64, lit: Lit| (0..n).map(|k| (Value::Int(k), S::Bool(lit))).collect();
    let whole = S::Map { present: yes, entries: entries(3, here) };
    let cut = S::Map { present: yes, entries: entries(2, !here) };
    for cases in [[(here, whole.clone()), (!here, cut.clone())], [(here, cut), (!here, whole)]] {
        let S::Map { entries, .. } = S::select(c, &cases, false) else { panic!("a map") };
        assert!(entries.len() >= 2);
    }
}
