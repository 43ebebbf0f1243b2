//! Options that conditions say to be there are values.

use crate::model_common::{Mistake, check_mistakes, good, load};
use crate::random::Random;
use cladist::explore::{initial_states, successors};
use cladist::model::eval::eval_state;
use cladist::model::value::{Moment, State, Value};

/// The beginning of every model below.
const BASE: &str = "model m;
type E = enum { A, B };
type R = record { e: E, n: option 0..3, k: 0..3 };
type V = variant { X(e: E), Y };
var w : option E;
var n : option 0..3;
var b : option bool;
var r : option R;
var v : option V;
var q : option seq of E max 2;
var s : option set of E;
var m : map E to option E;
var k : 0..3;
def other(one: E): E = if one = A then B else A;
def twice(one: 0..3): 0..6 = 2 * one;
";

/// Formulas that hold in every state, and have no mistakes.
const ALWAYS: &[&str] = &[
    "w is some => other(other(w)) = w",
    "w is none or other(w) != w",
    "w is some and other(w) = A => w = B",
    "w != none => other(w) in E",
    "w = A => other(w) = B",
    "(if w is some then other(w) else A) in E",
    "(if w is none then A else other(w)) in E",
    "(if w is some then w else A) = (w otherwise A)",
    "(match w { some(e) => other(e), none => A }) = (if w is some then other(w) else A)",
    "(match w { none => A, else => w }) = (w otherwise A)",
    "(match n { some(i) => twice(i), none => 0 }) = (if n is some then twice(n) else 0)",
    "(match r { some(one) => one.k, none => 0 }) = (r.k otherwise 0)",
    "match v { some(one) => one is X or one is Y, none => v is none }",
    "(match v { X(e) => e, Y or none => A }) = (if v is X then v.e otherwise A else A)",
    "n < 2 => twice(n) <= 2",
    "n in { 1, 2 } => twice(n) >= 2",
    "not (n is none or twice(n) > 2) => n <= 1",
    "n is some and k is some => twice(n) + k >= 0",
    "n + 1 = 2 => twice(n) = 2",
    "b is some => (b or not b)",
    "b = true => b",
    "r is some => other(r.e) != r.e",
    "r.k = 2 => r.e in E and other(r.e) in E",
    "r.n is some => twice(r.n) <= 6 and twice(r.k) <= 6",
    "q is some => length(q) <= 2 and length(append(q, A)) = size(q) + 1",
    "q is some and length(q) = 2 => last(q) is some and pop(q) != q",
    "s is some => (s union { A }) != {} and (forall e in s: e in E) and size(s) <= 2",
    "s is some and A in s => not (s subset { B })",
    "m[A] is some => other(m[A]) in E",
    "(exists e in E: m[e] is some and other(m[e]) = e) or true",
    "(forall e in E: m[e] is none or m[e] = other(other(m[e])))",
    "(let h = w in h is some => other(h) in E)",
    "w is some and m[w] is some => other(m[w]) in E",
];

fn columns(model: &cladist::model::Model) -> Vec<Vec<Value>> {
    model.variables.iter().map(|v| model.types.values(&v.ty)).collect()
}

#[test]
fn conditions_say_what_is_there() {
    let invariants: String =
        ALWAYS.iter().enumerate().map(|(at, formula)| format!("invariant i{at}: {formula};\n")).collect();
    let loaded = load(&format!("{BASE}{invariants}"), &[]);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let columns = columns(&model);
    let mut rng = Random::new(8);
    for _ in 0..500 {
        let state = State(columns.iter().map(|column| rng.pick(column).clone()).collect());
        let moment = Moment { label: None, state };
        for (property, text) in model.properties.iter().zip(ALWAYS) {
            let formula = property.invariant().expect("an invariant");
            assert!(eval_state(&model, formula, &moment).is_true(), "{text} in {:?}", moment.state);
        }
    }
}

#[test]
fn steps_use_what_they_require() {
    let model = good(&format!(
        "{BASE}var out : E;
        init {{ out = A; s = none; q = none; r = none; v = none; b = none; n = none; m = map e in E: none; k = 0; }}
        action required {{ require w is some; k' = 1; out' = other(w); m'[w] = w; }}
        action both {{ require w is some and m[w] is none; let o = other(w); m'[o] = w; out' = o; }}
        action inside {{ if w is some {{ out' = w; }} else {{ w' = out; }} }}
        action cases {{ match w {{ some(x) => {{ out' = other(x); }} none => {{ w' = out; }} }} }}
        action equal(x: E) {{ require w = x; out' = w; }}"
    ));
    let first = initial_states(&model, 1_000).expect("few");
    let number = |value: &Value| match value {
        Value::Enum(_, at) => Some(*at),
        _ => None,
    };
    let mut steps = Vec::new();
    for state in &first {
        for (label, after) in successors(&model, state, 1_000).expect("few") {
            let (w, e) = (number(&state.0[0]), number(after.0.last().expect("e")));
            let (w_after, e) = (number(&after.0[0]), e.expect("a value"));
            let good = match (label.action, w) {
                (0 | 1, Some(w)) => e == 1 - w,
                (0 | 1 | 4, None) => false,
                (2 | 4, Some(w)) => e == w,
                (3, Some(w)) => e == 1 - w,
                (_, None) => w_after == Some(0) && e == 0,
                _ => false,
            };
            assert!(good, "{} from {state:?} to {after:?}", model.show_label(&label));
            steps.push((label.action, w));
        }
    }
    steps.sort_unstable();
    let expected = [
        (0, Some(0)),
        (0, Some(1)),
        (1, Some(0)),
        (1, Some(1)),
        (2, None),
        (2, Some(0)),
        (2, Some(1)),
        (3, None),
        (3, Some(0)),
        (3, Some(1)),
        (4, Some(0)),
        (4, Some(1)),
    ];
    assert_eq!(steps, expected);
}

#[test]
fn positions_know_what_is_there() {
    good(&format!(
        "{BASE}init {{ w = none; }}
        action give(e: E) {{ w' = e; k' = 1; }}
        pred turned(t1, t2: pos) = t1 < t2 and w@t1 is some and w@t2 is some and other(w@t1) = w@t2;
        pred there(t: pos) = r@t is some and (other(r.e) = A)@t;
        pred set_other(t: pos) = give.e@t is some and other(give.e@t) = A;
        pred known(t: pos, e: option E) = e is some and w@t = other(e);"
    ));
}

const MISTAKES: &[Mistake] = &[
    (
        "invariant i: other(w) = A;",
        "`w` may be `none`, but `one` of `other` is E",
        "w",
        "`w otherwise …` supplies a default; where a condition says `w is some`, it is a value",
    ),
    (
        "invariant i: other(w) = A and w is some;",
        "`w` may be `none`, but `one` of `other` is E",
        "w",
        "`w otherwise …` supplies a default; where a condition says `w is some`, it is a value",
    ),
    (
        "invariant i: w is some or other(w) = A;",
        "`w` may be `none`, but `one` of `other` is E",
        "w",
        "`w otherwise …` supplies a default; where a condition says `w is some`, it is a value",
    ),
    (
        "action a { if w is some { require k = 0; } m'[A] = other(w); }",
        "`w` may be `none`, but `one` of `other` is E",
        "w",
        "`w otherwise …` supplies a default; where a condition says `w is some`, it is a value",
    ),
    (
        "pred p(s, t: pos) = w@s is some and other(w@t) = A;",
        "`w@t` may be `none`, but `one` of `other` is E",
        "w@t",
        "`w@t otherwise …` supplies a default; where a condition says `w@t is some`, it is a value",
    ),
    (
        "pred p(s, t: pos) = s < t and w@t is some and never other(w) = A between s and t;",
        "`w` may be `none`, but `one` of `other` is E",
        "w",
        "`w otherwise …` supplies a default; where a condition says `w is some`, it is a value",
    ),
    (
        "pred p(t: pos) = (w is some and other(pre w) = A)@t;",
        "`pre w` may be `none`, but `one` of `other` is E",
        "pre w",
        "`pre w otherwise …` supplies a default; where a condition says `pre w is some`, it is a value",
    ),
    (
        "invariant i: r is some and twice(r.n) = 1;",
        "`r.n` may be `none`, but `one` of `twice` is 0..3",
        "r.n",
        "`r.n otherwise …` supplies a default; where a condition says `r.n is some`, it is a value",
    ),
    (
        "invariant i: match w { some(e) => e = A };",
        "the cases do not cover every value",
        "match w { some(e) => e = A }",
        "missing: `none`; `else => …` stands for all others",
    ),
    (
        "invariant i: match r { some(e) => e.e = A };",
        "the cases do not cover every value",
        "match r { some(e) => e.e = A }",
        "missing: `none`",
    ),
    (
        "invariant i: match w { some(e) => e = A, A => true, none => true };",
        "`A` fits no value that the cases before it leave",
        "A",
        "remove it",
    ),
    (
        "invariant i: match r { some(e) => e.e = A, some(f) => true, none => true };",
        "`some(f)` fits no value that the cases before it leave",
        "some(f)",
        "remove it",
    ),
    (
        "invariant i: match k { some(e) => e = 1, else => true };",
        "0..3 is never `none`",
        "some(e)",
        "`let e = k` gives it a name",
    ),
    (
        "invariant i: match w { some(e) or none => true };",
        "one of several patterns cannot name fields",
        "some(e)",
        "write a case for each of them",
    ),
];

#[test]
fn each_mistake_gives_its_message() {
    let load = |items: &str| load(&format!("{BASE}{items}\n"), &[]);
    check_mistakes(MISTAKES, load);
}
