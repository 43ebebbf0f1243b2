//! Predicates that compare positions in all the ways that the language has, for every length and counted: against
//! enumeration.

use crate::all_traces::all_traces;
use cladist::budget::Budget;
use cladist::classify::{
    CountMethod, CountQuery, Options, Problem, Reach, Verdict, classify_unbounded, numbers_by,
};
use cladist::model::{Model, eval, load_text};
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use num_bigint::BigUint;
use std::io::ErrorKind;

/// A store, and what it remembers of how far apart things are put into it.
const STORE: &str = "
model store;
type S = enum { red, green };
var has : map S to bool;
var stolen : bool;
var puts : 0..2;
var age : 0..3;
var late : bool;
var one : bool;
var two : bool;
var echo : bool;
init { forall s in S: not has[s]; not stolen; puts = 0; age = 0; not late; not one; not two; not echo; }
def older : 0..3 = if age = 0 then 0 else if age = 3 then 3 else age + 1;
action put(s: S) {
  has'[s] = true;
  puts' = if puts = 2 then 2 else puts + 1;
  age' = if age = 0 then 1 else older;
  late' = (late or age = 3);
  one' = true; two' = one; echo' = (echo or two);
}
action take(s: S) { stolen' = (stolen or has[s]); age' = older; one' = false; two' = one; }
action wait { age' = older; one' = false; two' = one; }
invariant safe: SAFE;
pred both(t1, t2: pos) = put.s@t1 is some and put.s@t2 is some;
pred tie(t1, t2: pos) = TIE;
vocabulary v = { tie };";

/// The longest traces that are enumerated, in steps.
const LONGEST: usize = 5;

fn store(safe: &str, tie: &str) -> Model {
    let text = STORE.replace("SAFE", safe).replace("TIE", tie);
    let loaded = load_text("store.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{tie}: {:?}", loaded.diagnostics))
}

#[test]
fn comparisons_of_positions_are_decided_for_every_length_and_counted() {
    let cases = [
        ("not stolen", "t1 < t2 and exists s in S: put.s@t1 = s and take.s@t2 = s"),
        ("not stolen", "exists s in S: t1 <= t2 and (put.s@t1 = s and take.s@t2 = s)"),
        ("not stolen", "not (t1 >= t2 or (forall s in S: put.s@t1 = s => take.s@t2 != s))"),
        ("puts < 2", "both(t1, t2) and t1 != t2"),
        ("puts < 2", "both(t1, t2) and (t1 < t2 or t2 < t1)"),
        ("not late", "both(t1, t2) and t1 + 2 < t2"),
        ("not late", "both(t1, t2) and t2 > t1 + 2"),
        ("not late", "both(t1, t2) and t2 - 2 > t1"),
        ("not late", "both(t1, t2) and not (t2 <= t1 + 2)"),
        ("not echo", "both(t1, t2) and t2 = t1 + 2"),
        ("not echo", "both(t1, t2) and t1 < t2 and t2 - 1 != t1 and t2 - 3 < t1"),
    ];
    for (safe, tie) in cases {
        let model = store(safe, tie);
        let problem = Problem::first(&model).expect("an invariant");
        let budget = Budget::unlimited();
        let options = Options::of(Lengths::UpTo(0));
        let reach = Reach::default();
        let result = classify_unbounded(problem, &model.vocabularies[0], &options, reach, &budget, &mut ());
        assert!(result.is_unbounded(), "{tie}: {:?}", result.unbounded);
        assert_eq!(result.verdict, Verdict::Complete, "{tie}");
        assert_eq!(result.classes.len(), 1, "{tie}");

        let traces = all_traces(&model, LONGEST, 20_000).expect("few traces");
        let violating = |t: &&Trace| eval::first_violation(&model, problem.invariant, &t.moments).is_some();
        let inside =
            |t: &&Trace| result.classes[0].constraint.matches(&model, &result.atoms, &t.moments).is_some();
        assert!(traces.iter().all(|t| violating(&t) == inside(&t)), "{tie}");

        let lengths = Lengths::UpTo(LONGEST);
        let counted = CountQuery { problem, classes: &result.classes, atoms: &result.atoms, lengths };
        for method in [CountMethod::List(100_000), CountMethod::Diagrams] {
            let numbers = numbers_by(method, counted, &budget).expect("few states");
            for count in numbers.counts {
                let of_length = traces.iter().filter(|t| t.len() == count.steps);
                let expected = BigUint::from(of_length.filter(inside).count());
                assert_eq!(count.violating.of(0), expected, "{tie}: {} steps", count.steps);
                assert_eq!(count.violating.outside(), BigUint::ZERO, "{tie}: {} steps", count.steps);
            }
        }
    }
}
