//! Steps, the state before a step, and what happens nowhere between two positions, in predicates.

use crate::model_common::{Mistake, check_mistakes, good, load};
use crate::random::Random;
use cladist::explore::{initial_states, successors};
use cladist::model::eval::eval_trace;
use cladist::model::expr::LocalId;
use cladist::model::value::{Moment, Value};
use cladist::model::{Model, load_expression};

/// The beginning of every model below.
const BASE: &str = "model m;
type P = enum { A, B };
type R = record { p: P, n: option 0..3 };
var n : 0..3;
var last : option P;
var held : map P to bool;
var r : R;
var o : option R;
var gone : set of P;
init { n = 0; last = none; held = map p in P: false; gone = {}; o = none; }
action take(p: P, k: 1..2) { require not held[p]; held'[p] = true; n' = n + k; last' = p; }
action drop(p: P) { require held[p]; held'[p] = false; gone' = gone union { p }; o' = r; }
action rest { r'.n = n; }
def other(p: P): P = if p = A then B else A;
def left(a: 0..3): 0..3 = 3 - a;
def net: seq of P max 1 = if n = 0 then [] else [A];
";

/// The action and the arguments of a step, and parts of the state after it.
struct Seen {
    take: Option<(usize, i64)>,
    drop: Option<usize>,
    step: bool,
    n: i64,
    last: Option<usize>,
    held: [bool; 2],
    s: [bool; 2],
}

fn seen(moment: &Moment) -> Seen {
    let of = |value: &Value| match value {
        Value::Enum(_, at) => Some(*at as usize),
        _ => None,
    };
    let state = &moment.state.0;
    let label = moment.label.as_ref();
    let number = |value: &Value| if let Value::Int(n) = value { *n } else { panic!("{value:?}") };
    let Value::Map(held) = &state[2] else { panic!("a map") };
    let Value::Set(s) = &state[5] else { panic!("a set") };
    let mut held = held.values().map(Value::is_true);
    let held = [held.next().expect("A"), held.next().expect("B")];
    let has = |at: usize| s.iter().any(|value| of(value) == Some(at));
    Seen {
        take: label.filter(|l| l.action == 0).map(|l| (of(&l.args[0]).expect("a P"), number(&l.args[1]))),
        drop: label.filter(|l| l.action == 1).map(|l| of(&l.args[0]).expect("a P")),
        step: label.is_some(),
        n: number(&state[0]),
        last: of(&state[1]),
        held,
        s: [has(0), has(1)],
    }
}

/// A predicate with its meaning at two positions.
type Meaning = (&'static str, fn(&[Seen], usize, usize) -> bool);

fn before(trace: &[Seen], at: usize) -> Option<&Seen> {
    trace.get(at.checked_sub(1)?)
}

fn never(trace: &[Seen], from: usize, to: usize, what: impl Fn(usize) -> bool) -> bool {
    !(from..to.min(trace.len())).any(what)
}

/// The step to a position made a condition true, which it stays before another one.
fn established(by: usize, to: usize, what: impl Fn(usize) -> bool) -> bool {
    by > 0 && by < to && !what(by - 1) && (by..to).all(what)
}

const MEANINGS: &[Meaning] = &[
    ("take()@t", |trace, _, t| trace[t].take.is_some()),
    ("take(p: A)@t", |trace, _, t| trace[t].take.is_some_and(|(p, _)| p == 0)),
    ("take(k: 2, p: B)@t", |trace, _, t| trace[t].take == Some((1, 2))),
    ("take(k: n)@t", |trace, _, t| trace[t].take.is_some_and(|(_, k)| k == trace[t].n)),
    ("take(k: pre n)@t", |trace, _, t| {
        trace[t].take.is_some_and(|(_, k)| before(trace, t).is_some_and(|b| b.n == k))
    }),
    ("take(p: last@s)@t", |trace, s, t| trace[t].take.is_some_and(|(p, _)| trace[s].last == Some(p))),
    ("drop(p: take.p@s)@t", |trace, s, t| {
        trace[t].drop.is_some_and(|p| trace[s].take.is_some_and(|(q, _)| p == q))
    }),
    ("not drop(p: A)@t and rest()@s", |trace, s, t| {
        trace[t].drop != Some(0) && trace[s].step && trace[s].take.is_none() && trace[s].drop.is_none()
    }),
    ("pre n@t = 1", |trace, _, t| before(trace, t).is_some_and(|b| b.n == 1)),
    ("pre n@t is none", |_, _, t| t == 0),
    ("(n > pre n)@t", |trace, _, t| before(trace, t).is_some_and(|b| trace[t].n > b.n)),
    ("(n - pre n = take.k)@t", |trace, _, t| match (before(trace, t), trace[t].take) {
        (Some(b), Some((_, k))) => trace[t].n - b.n == k,
        (b, None) => b.is_none(),
        _ => false,
    }),
    ("pre last@t = last@s", |trace, s, t| before(trace, t).and_then(|b| b.last) == trace[s].last),
    ("pre held[A]@t = true", |trace, _, t| before(trace, t).is_some_and(|b| b.held[0])),
    ("pre(held[A] and not held[B])@t = true", |trace, _, t| {
        before(trace, t).is_some_and(|b| b.held[0] && !b.held[1])
    }),
    ("(exists p in P: held[p] and not pre(held)[p] = true)@t", |trace, _, t| {
        (0..2).any(|p| trace[t].held[p] && !before(trace, t).is_some_and(|b| b.held[p]))
    }),
    ("(exists p in P: pre(held[p]) = true)@t", |trace, _, t| {
        before(trace, t).is_some_and(|b| b.held[0] || b.held[1])
    }),
    ("pre pre n@t = n@s", |trace, s, t| t >= 2 && trace[t - 2].n == trace[s].n),
    ("pre action@t = take", |trace, _, t| before(trace, t).is_some_and(|b| b.take.is_some())),
    ("pre(take(p: A))@t = true", |trace, _, t| {
        before(trace, t).is_some_and(|b| b.take.is_some_and(|(p, _)| p == 0))
    }),
    ("(let k = n in k = pre(k) and k < 2)@t", |trace, _, t| t > 0 && trace[t].n < 2),
    ("(let k = pre(true) in pre(k) is some)@t", |_, _, t| t > 0),
    ("take()@t and pre held[B]@t", |trace, _, t| {
        trace[t].take.is_some() && before(trace, t).is_some_and(|b| b.held[1])
    }),
    ("drop()@t and (A not in pre gone and pre(held[A]))@t", |trace, _, t| {
        trace[t].drop.is_some() && before(trace, t).is_some_and(|b| !b.s[0] && b.held[0])
    }),
    ("(pre last is some and pre held[last])@t", |trace, _, t| {
        before(trace, t).is_some_and(|b| b.last.is_some_and(|p| b.held[p]))
    }),
    ("pre last@t is some and (pre(other(last)) = last)@t", |trace, _, t| {
        before(trace, t).is_some_and(|b| b.last.is_some_and(|p| trace[t].last == Some(1 - p)))
    }),
    ("action@t is some and left(pre n@t) < 2", |trace, _, t| before(trace, t).is_some_and(|b| 3 - b.n < 2)),
    ("drop(p: A)@t and (A not in pre gone)@t", |trace, _, t| {
        trace[t].drop == Some(0) && before(trace, t).is_some_and(|b| !b.s[0])
    }),
    ("never take() between s and t", |trace, s, t| never(trace, s + 1, t, |u| trace[u].take.is_some())),
    ("never take(p: A) before t", |trace, _, t| {
        never(trace, 0, t, |u| trace[u].take.is_some_and(|(p, _)| p == 0))
    }),
    ("not never held[B] between s and t", |trace, s, t| !never(trace, s + 1, t, |u| trace[u].held[1])),
    ("never n = 2 between s and t and A in gone@s", |trace, s, t| {
        never(trace, s + 1, t, |u| trace[u].n == 2) && trace[s].s[0]
    }),
    ("never (n = 2 or drop()) between s and t", |trace, s, t| {
        never(trace, s + 1, t, |u| trace[u].n == 2 || trace[u].drop.is_some())
    }),
    ("never n = pre n between s and t", |trace, s, t| {
        never(trace, s + 1, t, |u| before(trace, u).is_some_and(|b| b.n == trace[u].n))
    }),
    ("exists p in P, k in 1..2: take(p: p, k: k)@s and never drop(p: p) between s and t", |trace, s, t| {
        trace[s].take.is_some_and(|(p, _)| never(trace, s + 1, t, |u| trace[u].drop == Some(p)))
    }),
    ("held[A] established by take()@s before t", |trace, s, t| {
        trace[s].take.is_some() && established(s, t, |u| trace[u].held[0])
    }),
    ("n = 1 established by (take() or drop())@s before t", |trace, s, t| {
        (trace[s].take.is_some() || trace[s].drop.is_some()) && established(s, t, |u| trace[u].n == 1)
    }),
    ("not n > 1 established by take(p: B)@s before t", |trace, s, t| {
        !(trace[s].take.is_some_and(|(p, _)| p == 1) && established(s, t, |u| trace[u].n > 1))
    }),
    ("exists p in P: p in gone established by drop(p: p)@s before t and take(p: p)@t", |trace, s, t| {
        trace[s].drop.is_some_and(|p| {
            established(s, t, |u| trace[u].s[p]) && trace[t].take.is_some_and(|(q, _)| p == q)
        })
    }),
];

/// A random trace.
fn walk(model: &Model, rng: &mut Random) -> Vec<Moment> {
    let first = initial_states(model, 10_000).expect("few");
    let mut trace = vec![Moment { label: None, state: rng.pick(&first).clone() }];
    for _ in 0..rng.below(6) {
        let next = successors(model, &trace.last().expect("one").state, 10_000).expect("few");
        if next.is_empty() {
            break;
        }
        let (label, state) = rng.pick(&next).clone();
        trace.push(Moment { label: Some(label), state });
    }
    trace
}

#[test]
fn predicates_mean_what_the_reference_says() {
    let predicates: String = MEANINGS
        .iter()
        .enumerate()
        .map(|(at, (text, _))| format!("pred p{at}(s, t: pos) = s = s and {text};\n"))
        .collect();
    let loaded = load(&format!("{BASE}{predicates}"), &[]);
    let model = loaded.model.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let mut rng = Random::new(3);
    let mut both = vec![[false; 2]; MEANINGS.len()];
    for _ in 0..300 {
        let trace = walk(&model, &mut rng);
        let meant: Vec<Seen> = trace.iter().map(seen).collect();
        for (index, (text, means)) in MEANINGS.iter().enumerate() {
            let predicate = &model.predicates[index];
            for s in 0..trace.len() {
                for t in 0..trace.len() {
                    let bound: Vec<(LocalId, Value)> = predicate
                        .params
                        .iter()
                        .zip([s, t])
                        .map(|(p, at)| (p.local, Value::Int(at as i64)))
                        .collect();
                    let found = eval_trace(&model, &predicate.body, &trace, &bound).is_true();
                    assert_eq!(found, means(&meant, s, t), "{text} at {s}, {t} of {trace:#?}");
                    both[index][usize::from(found)] = true;
                }
            }
        }
    }
    for (index, seen) in both.iter().enumerate() {
        assert_eq!(*seen, [true, true], "{}", MEANINGS[index].0);
    }
}

#[test]
fn the_words_are_names_where_they_are_declared() {
    good(
        "model m;
        type T = enum { pre, between };
        var never : 0..3;
        var pop : seq of 0..3 max 2;
        def concat(prepend: 0..3): 0..3 = prepend;
        def remove_at(j: 0..3, i: 0..3): 0..3 = if j = i then 0 else i;
        init { never = 0; pop = []; }
        action go(before: 0..3) { require never = before; never' = concat(before); pop' = []; }
        invariant always_so: remove_at(never, 1) < 3 or never in pop;
        pred low(t: pos, prepend: 0..3) = never@t = prepend;",
    );
    good(
        "model m;
        var x : 0..3;
        init { x = 0; }
        action pre { x' = 1; }
        action never { x' = 2; }
        invariant never: x < 3;
        pred calm(t: pos) = pre()@t or action@t = never;
        vocabulary pre = { calm };",
    );
    good(
        "model m;
        var x : 0..3;
        init { x = 0; }
        action up { x' = x + 1; }
        invariant never: x < 3;
        def pre(y: 0..3): 0..4 = y + 1;
        pred next_one(t: pos) = pre(x)@t = 2;",
    );
    good(
        "model m;
        var established : bool;
        var by : bool;
        init { established = false; by = false; }
        action go { established' = not by; by' = established; }
        pred p(s, t: pos) = established established by go()@s before t and by established by go()@s before t;",
    );
}

#[test]
fn steps_are_truth_values_in_vocabularies() {
    let model = good(&format!("{BASE}vocabulary v = {{ eq(take(p: A), drop()), before }};"));
    assert_eq!(model.vocabularies[0].items.len(), 3);
    let shown = load_expression(&model, "take(k: 1)").found.expect("a state expression");
    assert_eq!(shown.text, "take(k: 1)");
}

const MISTAKES: &[Mistake] = &[
    (
        "pred p(t: pos) = take@t;",
        "`take` is an action, not a value",
        "take@t",
        "`take()@t` is a step of it, `take(p: …)@t` one with this argument, and `take.p@t` is the argument",
    ),
    (
        "pred p(t: pos) = rest@t;",
        "`rest` is an action, not a value",
        "rest@t",
        "`rest()@t` says that the step that led to `t` is one of it",
    ),
    (
        "pred p(t: pos) = take(p: A);",
        "`take(p: A)` is read without a position",
        "take(p: A)",
        "`take(p: A)@t` is about the step that led to `t`",
    ),
    (
        "pred p(t: pos) = take(A, 1)@t;",
        "the arguments of an action are given by name",
        "take(A, 1)",
        "write `take(p: A, k: 1)`",
    ),
    ("pred p(t: pos) = take(q: A)@t;", "action `take` has no parameter `q`", "q", "its parameters are p, k"),
    ("pred p(t: pos) = take(p: A, p: B)@t;", "`p` is given twice", "p", "give it one value"),
    ("pred p(t: pos) = take(p: 1)@t;", "parameter `p` is P, not 1", "1", ""),
    ("pred p(t: pos) = take(p: x)@t;", "unknown name `x`", "x", ""),
    (
        "invariant i: not take(p: A);",
        "`take(p: A)` is a step, which cannot be read here",
        "take(p: A)",
        "steps can only be read in predicates and vocabularies; `enabled(take(p: A))` asks whether there is such a step",
    ),
    (
        "action a { require take(); }",
        "`take()` is a step, which cannot be read here",
        "take()",
        "steps can only be read in predicates and vocabularies; `enabled(take())` asks whether there is such a step",
    ),
    (
        "pred p(t: pos) = pre n = 1;",
        "`pre(n)` is read without a position",
        "pre n",
        "`pre(n)@t` reads it in the state before position `t`",
    ),
    ("pred p(t: pos) = pre(n, s)@t = 1;", "`pre` has 1 argument, not 2", "pre(n, s)", "write `pre(x)`"),
    ("pred p(t: pos) = pre(n)@t;", "expected a truth value, found option 0..3", "pre(n)@t", ""),
    (
        "pred p(t: pos) = pre(held[A])@t;",
        "`pre(held[A])@t` may be `none` instead of true or false",
        "pre(held[A])@t",
        "write `pre(held[A])@t = true`",
    ),
    (
        "invariant i: pre n = 1;",
        "`pre(n)` cannot be read here",
        "pre n",
        "the state before a step is read in predicates, `pre(n)@t`, and vocabularies; in actions, `n` is the value before the step and `n'` the value after it",
    ),
    (
        "init { pre n = 1; }",
        "`pre(n)` cannot be read here",
        "pre n",
        "the state before a step is read in predicates, `pre(n)@t`, and vocabularies; in actions, `n` is the value before the step and `n'` the value after it",
    ),
    (
        "pred p(t: pos) = n@(t - 1) = 1;",
        "`(t - 1)` is not a position parameter",
        "(t - 1)",
        "`pre(n)@t` is its value in the state before; for its step, add a parameter `t1: pos`, and say `t1 = t - 1`",
    ),
    (
        "pred p(t1: pos) = n@(t1 + 2) = 1;",
        "`(t1 + 2)` is not a position parameter",
        "(t1 + 2)",
        "add a parameter `t2: pos`, and say `t2 = t1 + 2`",
    ),
    (
        "pred p(t: pos) = n@3 = 1;",
        "`3` is not a position parameter",
        "3",
        "`@` is followed by the name of a parameter of type `pos`",
    ),
    ("pred p(s, t: pos) = never n = 1 between s and u;", "unknown position `u`", "u", ""),
    (
        "pred p(s, t: pos) = never n between s and t;",
        "expected a truth value, found 0..3",
        "n",
        "it is 0..3 because of `var n : 0..3` (specs/m.sts:4)",
    ),
    (
        "pred p(s, t: pos) = never n@s = 1 between s and t;",
        "`@` cannot stand inside `@` or `never`",
        "n@s",
        "apply `@` to each part separately; all of `never e between t1 and t2` is read between t1 and t2",
    ),
    (
        "pred p(s, t: pos) = (never n = 1 between s and t)@t;",
        "`never` cannot stand inside `@` or `never`",
        "(never n = 1 between s and t)",
        "it says itself at which positions it is read: join formulas by `and`, `or` and `not`",
    ),
    (
        "pred p(s, t: pos) = never (never take() before t) before s;",
        "`never` cannot stand inside `@` or `never`",
        "(never take() before t)",
        "it says itself at which positions it is read: join formulas by `and`, `or` and `not`",
    ),
    (
        "pred p(s, t: pos) = n = 1 established by take() before t;",
        "`take()` is not a step at a position",
        "take()",
        "add its position: `take()@t1`",
    ),
    (
        "pred p(s, t: pos) = held[A]@t established by take()@s before t;",
        "the condition of `established by` is read without `@`",
        "held[A]@t",
        "write `held[A]`: it is read after that step and before the other one",
    ),
    (
        "pred p(s, t: pos) = n established by take()@s before t;",
        "expected a truth value, found 0..3",
        "n",
        "it is 0..3 because of `var n : 0..3` (specs/m.sts:4)",
    ),
    (
        "pred p(s, t: pos) = n = 1 established by take()@s between t;",
        "expected `before`, found `between`",
        "between",
        "add `before` before `between`",
    ),
    (
        "ltl p: always n = 1 established by take()@s before t;",
        "`established by` is about positions, but there are none here",
        "n = 1 established by take()@s before t",
        "only predicates have positions: their parameters of type `pos`",
    ),
    (
        "pred p(t: pos) = left(pre n)@t = 1;",
        "`pre n` may be `none`, but `a` of `left` is 0..3",
        "pre n",
        "`pre(… n …)` reads all of it in the state before; where a condition says that a step led there, `pre n` is a value",
    ),
    (
        "pred p(t: pos) = first(pre(net)@t) is some;",
        "`pre(net)@t` may be `none` instead of a seq",
        "pre(net)@t",
        "`pre(… net …)` reads all of it in the state before; where a condition says that a step led there, `pre(net)@t` is a value",
    ),
    (
        "invariant i: never n = 1 before t;",
        "`never` is about positions, but there are none here",
        "never n = 1 before t",
        "only predicates have positions: their parameters of type `pos`; in `ltl` properties, write `always not (n = 1)`",
    ),
    (
        "ltl l: G (n < 3);",
        "unknown definition or predicate `G`",
        "G",
        "write `always e`; in `ctl` properties `AG e` or `EG e`",
    ),
    (
        "ltl l: F(n = 3);",
        "unknown definition or predicate `F`",
        "F",
        "write `eventually e`; in `ctl` properties `AF e` or `EF e`",
    ),
    (
        "ltl l: X(n = 3);",
        "unknown definition or predicate `X`",
        "X",
        "write `next e`; in `ctl` properties `AX e` or `EX e`",
    ),
    (
        "ltl l: G n < 3;",
        "expected `;`, found `n`",
        "n",
        "write `always e`; in `ctl` properties `AG e` or `EG e`",
    ),
    (
        "ltl l: n < 3 U n = 3;",
        "expected `;`, found `U`",
        "U",
        "write `f until g`; in `ctl` properties `A[f U g]` or `E[f U g]`",
    ),
    ("ltl l: n = 1 ~> n = 2;", "expected `;`, found `~>`", "~>", "write `always (p => eventually q)`"),
    ("ltl l: []<>(n = 1);", "expected an expression, found `[]<>`", "[]<>", "write `always eventually e`"),
    (
        "invariant i: old(n) <= n;",
        "unknown definition or predicate `old`",
        "old",
        "the state before a step is read in predicates, `pre x@t`; in actions, `x` is the value before the step",
    ),
];

#[test]
fn each_mistake_gives_its_message() {
    let load = |items: &str| load(&format!("{BASE}{items}\n"), &[]);
    check_mistakes(MISTAKES, load);
}
