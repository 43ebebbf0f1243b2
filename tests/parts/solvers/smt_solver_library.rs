//! Tests of `solvers::smt_solver::library`.

use kit::budget::Budget;
use solvers::smt_solver::SmtAnswer;
use solvers::smt_solver::library::*;
use solvers::smt_solver::values::{ScriptSymbol, SymbolSort};
use std::time::Duration;
use z3::ast::{Bool, Int};

#[test]
fn answers_values_and_limits() {
    let budget = Budget::unlimited();
    let symbols = [
        ScriptSymbol { name: "x@1".into(), sort: SymbolSort::Int },
        ScriptSymbol { name: "b".into(), sort: SymbolSort::Bool },
        ScriptSymbol { name: "v".into(), sort: SymbolSort::Bits(70) },
    ];
    let declared = "(set-logic ALL)\n(declare-const |x@1| Int)\n(declare-const b Bool)\n\
                    (declare-const v (_ BitVec 70))\n";
    let asked = |asserted: &str, budget: &Budget| {
        ask(&format!("{declared}{asserted}(check-sat)\n"), &symbols, budget).map_err(|why| why.to_string())
    };
    let some = "(assert (and b (= |x@1| (- 7))))\n(assert (= v (bvneg (_ bv5 70))))\n";
    assert_eq!(asked(some, &budget), Ok((SmtAnswer::Sat, vec![-7, 1, -5])));
    assert_eq!(asked("(assert (< |x@1| |x@1|))\n", &budget), Ok((SmtAnswer::Unsat, Vec::new())));
    assert_eq!(asked("(assert (nonsense b))\n", &budget), Err("it does not understand the script".into()));
    // The pigeons of twelve, one more than there are holes.
    let hard: String = (0..12)
        .map(|p| format!("(declare-const p{p} Int)\n(assert (and (<= 1 p{p}) (<= p{p} 11)))\n"))
        .chain((0..12).flat_map(|p| (0..p).map(move |q| format!("(assert (not (= p{p} p{q})))\n"))))
        .collect();
    let short = Budget::unlimited().with_timeout(Duration::from_millis(100));
    assert_eq!(asked(&hard, &short), Err("the time limit was reached".into()));
}
