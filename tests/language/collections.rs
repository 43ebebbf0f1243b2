//! Collections of limited size: every operation against vectors and sets, and what is refused.

use crate::model_common::{Mistake, check_mistakes, good, load};
use crate::random::Random;

use cladist::budget::Budget;
use cladist::decide;
use cladist::explore::{initial_states, successors};
use cladist::model::Model;
use cladist::model::eval::eval_state;
use cladist::model::value::{Moment, State, Value};

/// The types of elements that are tried.
const ELEMENTS: &[&str] = &["E", "0..2", "bool", "R", "V", "Q", "map E to bool"];
const TYPES: &str = "type E = enum { A, B, C };
type R = record { e: E, n: option 0..1 };
type V = variant { X(e: E), Y, Z(e: E, b: bool) };
type Q = seq of bool max 2;
";

/// A kind of collection, with how it would be written in other languages.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Sequence,
    Bag,
    Set,
}

/// A term with its value: the elements in order, which may be more than any variable holds.
struct Term {
    text: String,
    value: Vec<Value>,
}

/// Makes random terms over the variables x and y, which hold collections, and a, which holds an element.
struct Terms<'m> {
    rng: Random,
    kind: Kind,
    most: usize,
    x: Vec<Value>,
    y: Vec<Value>,
    a: Value,
    /// Elements as text and value.
    elements: &'m [(String, Value)],
}

impl Terms<'_> {
    fn element(&mut self) -> (String, Value) {
        match self.rng.below(3) {
            0 => ("a".to_owned(), self.a.clone()),
            _ => self.rng.pick(self.elements).clone(),
        }
    }

    fn term(&mut self, depth: usize) -> Term {
        if depth == 0 || self.rng.below(4) == 0 {
            return match self.rng.below(2) {
                0 => Term { text: "x".into(), value: self.x.clone() },
                _ => Term { text: "y".into(), value: self.y.clone() },
            };
        }
        let Term { text, value } = self.term(depth - 1);
        let (element, wanted) = self.element();
        let operation = match self.kind {
            Kind::Sequence => self.rng.below(10),
            Kind::Bag => 8 + self.rng.below(4),
            Kind::Set => 8 + self.rng.below(8),
        };
        let in_order = |mut elements: Vec<Value>| {
            if self.kind != Kind::Sequence {
                elements.sort();
            }
            elements
        };
        let more = |more: &[Value]| {
            let mut elements = value.clone();
            for e in more {
                if self.kind != Kind::Set || !elements.contains(e) {
                    elements.push(e.clone());
                }
            }
            in_order(elements)
        };
        let keep = |holds: &dyn Fn(&Value) -> bool| value.iter().filter(|e| holds(e)).cloned().collect();
        let one = [wanted.clone()];
        let (x, y) = (self.x.clone(), self.y.clone());
        let index = self.rng.below(self.most + 3) as i64 - 1;
        let is_at = |at: usize| i64::try_from(at) == Ok(index);
        match operation {
            0 | 1 => Term { text: format!("append({text}, {element})"), value: more(&one) },
            2 => Term { text: format!("rest({text})"), value: value.into_iter().skip(1).collect() },
            3 => Term {
                text: format!("pop({text})"),
                value: value.split_last().map_or(vec![], |l| l.1.to_vec()),
            },
            4 => Term { text: format!("prepend({text}, {element})"), value: [&one[..], &value].concat() },
            5 => Term { text: format!("concat({text}, x)"), value: [value, x].concat() },
            6 => Term { text: format!("concat(y, {text})"), value: [y, value].concat() },
            7 => Term { text: format!("concat([{element}], {text})"), value: [&one[..], &value].concat() },
            8 => {
                let kept = value.into_iter().enumerate().filter(|(at, _)| !is_at(*at));
                Term { text: format!("remove_at({text}, {index})"), value: kept.map(|(_, e)| e).collect() }
            }
            9 => {
                let mut value = value;
                if let Some(at) = value.iter().position(|e| *e == wanted) {
                    value.remove(at);
                }
                Term { text: format!("remove({text}, {element})"), value }
            }
            10 => Term { text: format!("insert({text}, {element})"), value: more(&one) },
            11 => {
                Term { text: format!("{{ e in {text} : e != {element} }}"), value: keep(&|e| *e != wanted) }
            }
            12 => Term { text: format!("({text} union {{ {element} }})"), value: more(&one) },
            13 => match self.rng.below(2) {
                0 => Term { text: format!("({text} union y)"), value: more(&y) },
                _ => Term { text: format!("(y union {text})"), value: more(&y) },
            },
            14 => Term { text: format!("({text} minus y)"), value: keep(&|e| !y.contains(e)) },
            _ => Term { text: format!("({text} intersect y)"), value: keep(&|e| y.contains(e)) },
        }
    }
}

fn value_of(model: &Model, state: &State, definition: usize) -> Value {
    let moment = Moment { label: None, state: state.clone() };
    eval_state(model, model.properties[definition].invariant().expect("an invariant"), &moment)
}

/// What is compared of a term: how the model says it, and whether it is true.
fn statements(terms: &mut Terms<'_>) -> Vec<(String, bool)> {
    let Term { text, value: elements } = terms.term(4);
    let (element, wanted) = terms.element();
    let mut found = vec![(format!("size({text}) = {}", elements.len()), true)];
    found.push((format!("{element} in {text}"), elements.contains(&wanted)));
    found.push((format!("exists e in {text}: e = {element}"), elements.contains(&wanted)));
    found.push((format!("forall e, f in {text}: e = f"), elements.iter().all(|e| *e == elements[0])));
    found.push((format!("{text} = x"), elements == terms.x));
    found.push((format!("y != {text}"), elements != terms.y));
    let equal = elements.iter().filter(|e| **e == wanted).count();
    let others = elements.len() - equal;
    found.push((format!("(count e in {text}: e = {element}) = {equal}"), true));
    let sum = 2 * equal as i64 - others as i64;
    found.push((format!("(sum e in {text}: if e = {element} then 2 else -1) = {sum}"), true));
    let pairs = elements.iter().map(|e| elements.iter().filter(|f| e == *f).count()).sum::<usize>();
    found.push((format!("(count e, f in {text}: e = f) = {pairs}"), true));
    if matches!(wanted, Value::Enum(..) | Value::Int(_)) {
        found.push((format!("(min e in {text}: e) = {element}"), elements.iter().min() == Some(&wanted)));
        found.push((format!("(max e in {text}: e) = {element}"), elements.iter().max() == Some(&wanted)));
        // What is absent is left out, and nothing has no least value.
        let none = elements.iter().all(|e| *e == wanted);
        found.push((format!("(min e in {text}: if e = {element} then none else e) is none"), none));
    }
    for index in 0..=terms.most + 1 {
        let is = elements.get(index).is_some_and(|e| *e == wanted);
        found.push((format!("({text})[{index}] = {element}"), is));
    }
    if terms.kind == Kind::Sequence {
        found.push((format!("first({text}) = {element}"), elements.first() == Some(&wanted)));
        found.push((format!("last({text}) = {element}"), elements.last() == Some(&wanted)));
    }
    if terms.kind == Kind::Set {
        found.push((format!("{text} subset y"), elements.iter().all(|e| terms.y.contains(e))));
        found.push((format!("y subset {text}"), terms.y.iter().all(|e| elements.contains(e))));
        found.push((format!("{{ {element} }} subset {text}"), elements.contains(&wanted)));
    }
    found
}

#[test]
fn operations_are_those_of_vectors_and_sets() {
    let mut rng = Random::new(11);
    for case in 0..120 {
        let kind = *rng.pick(&[Kind::Sequence, Kind::Bag, Kind::Set]);
        let element = *rng.pick(ELEMENTS);
        let most = 1 + rng.below(3);
        let word = ["seq", "bag", "set"][kind as usize];
        let head = format!(
            "model m;\n{TYPES}var x : {word} of {element} max {most};\nvar y : {word} of {element} max {most};\nvar a : {element};\n"
        );
        let types = good(&head);
        let values = |variable: usize| types.types.values(&types.variables[variable].ty);
        let (collections, elements) = (values(0), values(2));
        assert_eq!(collections.len() as u64, types.types.cardinality(&types.variables[0].ty), "{head}");
        assert!(
            collections.is_sorted()
                && collections.iter().all(|c| types.types.contains(&types.variables[0].ty, c))
        );
        let written = |value: &Value| types.types.show_value(value);
        let as_text: Vec<(String, Value)> = elements
            .iter()
            // Maps have no literals, and a sequence needs a place that says its type.
            .filter(|_| !element.starts_with("map") && element != "Q")
            .map(|value| (written(value), value.clone()))
            .collect();
        let state = State(vec![
            rng.pick(&collections).clone(),
            rng.pick(&collections).clone(),
            rng.pick(&elements).clone(),
        ]);
        let parts = |value: &Value| match value {
            Value::Record(_, values) => values[1..].iter().filter(|v| **v != Value::None).cloned().collect(),
            _ => Vec::new(),
        };
        let a = ("a".to_owned(), state.0[2].clone());
        let mut terms = Terms {
            rng: Random::new(1000 + case),
            kind,
            most,
            x: parts(&state.0[0]),
            y: parts(&state.0[1]),
            a: state.0[2].clone(),
            elements: if as_text.is_empty() { &[a] } else { &as_text },
        };
        let statements: Vec<(String, bool)> = (0..6).flat_map(|_| statements(&mut terms)).collect();
        let invariants: String = statements
            .iter()
            .enumerate()
            .map(|(at, (text, _))| format!("invariant i{at}: {text};\n"))
            .collect();
        let model = good(&format!("{head}{invariants}"));
        for (at, (text, holds)) in statements.iter().enumerate() {
            let found = value_of(&model, &state, at).is_true();
            let shown: Vec<String> = state.0.iter().map(written).collect();
            assert_eq!(found, *holds, "{word} of {element} max {most}: {text} in {}", shown.join(" and "));
        }
    }
}

/// What every model below starts with.
const BASE: &str = "model m;
type E = enum { A, B };
var q : seq of E max 2;
var o : option seq of E max 2;
var b : bag of E max 2;
var s : set of E max 1;
var p : set of E;
var n : 0..3;
";

const MISTAKES: &[Mistake] = &[
    ("var z : seq of E max 0;", "a seq has at most 1 to 64 elements, not 0", "0", ""),
    ("var z : bag of option E max 2;", "a bag cannot contain `none`", "option E", "write `bag of E max 2`"),
    (
        "type W = record { s: set of E }; var z : bag of W max 2;",
        "the elements of a bag with `max` cannot contain sets",
        "W",
        "use `set of T max n` inside it, whose elements have an order",
    ),
    (
        "invariant i: size([A]) = 1;",
        "the type of this sequence is unknown here",
        "[A]",
        "sequences are written where their type is known: assigned, compared, as argument or field",
    ),
    (
        "invariant i: q = { A };",
        "cannot compare seq of E max 2 with set of E",
        "q = { A }",
        "left side is seq of E max 2 because of `var q : seq of E max 2` (specs/m.sts:3)",
    ),
    ("invariant i: b = [A];", "`[…]` is a sequence, but a bag is needed", "[A]", "write `{ a, b }`"),
    ("invariant i: q = [1];", "an element of this seq is E, not 1", "1", ""),
    ("action a { q' = append(q); }", "`append` has 2 arguments, not 1", "append(q)", "write `append(q, e)`"),
    ("action a { q' = concat(q, b); }", "`concat` is for sequences, not for bag of E max 2", "b", ""),
    ("action a { q' = concat(q, A); }", "`concat` is for sequences, not for E", "A", ""),
    (
        "action a { q' = concat([A], [B]); }",
        "the type of this sequence is unknown here",
        "[A]",
        "sequences are written where their type is known: assigned, compared, as argument or field",
    ),
    (
        "action a { q' = concat(q, o); }",
        "`o` may be `none` instead of a seq",
        "o",
        "`o otherwise …` supplies a default; where a condition says `o is some`, it is a value",
    ),
    ("action a { q' = prepend(q, 1); }", "an element of this seq is E, not 1", "1", ""),
    ("action a { q' = prepend(A, q); }", "`prepend` is for sequences, not for E", "A", ""),
    ("action a { q' = pop(); }", "`pop` has 1 argument, not 0", "pop()", "write `pop(q)`"),
    ("action a { b' = pop(b); }", "`pop` is for sequences, not for bag of E max 2", "b", ""),
    (
        "action a { q' = remove_at(q, A); }",
        "expected an integer, found E",
        "A",
        "it is E because of `enum E` (specs/m.sts:2)",
    ),
    (
        "action a { p' = remove_at(p, 0); }",
        "`remove_at` is for sequences, bags and sets with `max`, not for set of E",
        "p",
        "",
    ),
    (
        "action a { q' = push_front(q, A); }",
        "unknown definition or predicate `push_front`",
        "push_front",
        "write `prepend(q, e)`",
    ),
    (
        "action a { q' = q.pop(); }",
        "`q` is not an import",
        "q",
        "a sequence without its last element is `pop(q)`, and the element `last(q)`",
    ),
    (
        "action a { require q.head = A; }",
        "a seq has no field `head`",
        "head",
        "the first element of a sequence is `first(q)`",
    ),
    (
        "action a { require s.size = 1; }",
        "a set has no field `size`",
        "size",
        "the number of elements of a set is `size(S)`, of those with a property `count x in S: c`",
    ),
    (
        "action a { q' = q ++ q; }",
        "expected `;`, found `++`",
        "++",
        "write `x' = x + 1`; set union is `union`, and one sequence after another `concat(q, r)`",
    ),
    (
        "action a { q' = append(o, A); }",
        "`o` may be `none` instead of a seq",
        "o",
        "`o otherwise …` supplies a default; where a condition says `o is some`, it is a value",
    ),
    (
        "action a { n' = size(o); }",
        "`o` may be `none` instead of a seq",
        "o",
        "`o otherwise …` supplies a default; where a condition says `o is some`, it is a value",
    ),
    (
        "invariant i: exists e in o: e = A;",
        "`o` may be `none` instead of a seq",
        "o",
        "`o otherwise …` supplies a default; where a condition says `o is some`, it is a value",
    ),
    (
        "invariant i: length(match n { 0 => [], else => q }) = 1;",
        "the type of this sequence is unknown here",
        "[]",
        "compare `length(q) = 0`, or assign it to a variable of a type `seq of T max n`",
    ),
    ("invariant i: (sum e in q: e) = 1;", "expected an integer, found E", "e", ""),
    (
        "invariant i: (sum e in q: 9223372036854775807) = 1;",
        "`(sum e in q: 9223372036854775807)` may overflow a 64-bit integer",
        "(sum e in q: 9223372036854775807)",
        "narrow the operands' ranges",
    ),
    ("action a { b' = append(b, A); }", "`append` is for sequences, not for bag of E max 2", "b", ""),
    (
        "action a { q' = insert(q, A); }",
        "`insert` is for bags and sets with `max`, not for seq of E max 2",
        "q",
        "",
    ),
    ("action a { b' = b union { A }; }", "a bag is not a set", "b", "write `insert(b, e)`, `remove(b, e)`"),
    ("action a { b' = remove(b, 1); }", "1 cannot be an element of a bag of E", "1", ""),
    ("action a { q'[0] = A; }", "seq of E max 2 has no entries to assign", "0", ""),
    (
        "action a { n' in b; }",
        "`b` is a bag, not a set",
        "b",
        "its elements are `b[0]`, `b[1]`, …; quantifiers and sums range over them",
    ),
    (
        "symmetric type F = enum { X, Y }; var z : bag of F max 2;",
        "`F` cannot be symmetric: its values order the elements of a bag or set with `max`",
        "F",
        "use a sequence, or a plain set; symmetries are not searched for in bags and sets with `max`",
    ),
    (
        "symmetric type G = 0..2; var z : map G to bool;",
        "`G` cannot be symmetric: its values are sizes of a collection",
        "G",
        "give the type another range, such as 1..n",
    ),
    (
        "var z : set of 0..4000 max 64; var w : set of 0..300; invariant i: size(z union w) = 2;",
        "`z union w` can have 365 elements, and no result more than 256",
        "z union w",
        "give the collections in it a smaller `max`, or store a part of it in a variable first",
    ),
    (
        "invariant i: q[A] = A;",
        "expected an integer, found E",
        "A",
        "it is E because of `enum E` (specs/m.sts:2)",
    ),
    (
        "invariant i: n in q;",
        "0..3 cannot be a member of a set of E",
        "n in q",
        "`n` is 0..3 because of `var n : 0..3` (specs/m.sts:8)",
    ),
];

/// Formulas that hold in every state of the types above, where literals take their type from their place.
const ALWAYS: &[&str] = &[
    "(o otherwise []) = (if o is some then o else [])",
    "length(o otherwise [A, B]) = (if o is none then 2 else length(o otherwise []))",
    "length(if n = 0 then [] else q) = (if n = 0 then 0 else length(q))",
    "q = match o { none => [A], else => q } or (o is none and q != [A])",
    "o = (let m = n in if m < 4 then o else [])",
    "o = some([]) <=> length(o otherwise [A]) = 0",
    "copies({ A, A }) = 2",
    "copies(if n = 0 then { A } else { B, A }) = 1",
    "copies(match n { 0 => {}, else => { A } }) = min(n, 1)",
    "copies(let e = A in { e, e }) = 2",
    "length(start(n)) = min(n, 2)",
    "two = (map e in E: [e]) => two[A] = [A]",
    "concat([A], q) = prepend(q, A) and concat(q, []) = q and concat([], q) = q",
    "remove_at(q, length(q) - 1) = pop(q) and remove_at(q, 0) = rest(q)",
    "last(concat(q, [B])) = B and pop(concat(q, [B])) = q",
];

#[test]
fn literals_take_their_type_from_their_place() {
    let invariants: String =
        ALWAYS.iter().enumerate().map(|(at, formula)| format!("invariant i{at}: {formula};\n")).collect();
    let model = good(&format!(
        "{BASE}var two : map E to seq of E max 1;
        def copies(c: bag of E max 2): 0..2 = count e in c: e = A;
        def start(k: 0..3): seq of E max 2 = match k {{ 0 => [], 1 => [A], else => [A, B] }};
        action put(z: seq of E max 1) {{ two' = map e in E: if e = A then z else []; }}
        invariant can_put: enabled(put(z: []));
        pred has(x: seq of E max 2, t: pos) = q@t = x;
        pred empty(t: pos) = has([], t);
        {invariants}"
    ));
    let columns: Vec<Vec<Value>> = model.variables.iter().map(|v| model.types.values(&v.ty)).collect();
    let mut rng = Random::new(5);
    let states: Vec<State> =
        (0..400).map(|_| State(columns.iter().map(|column| rng.pick(column).clone()).collect())).collect();
    for property in &model.properties {
        let formula = property.invariant().expect("an invariant");
        for state in &states {
            let moment = Moment { label: None, state: state.clone() };
            assert!(eval_state(&model, formula, &moment).is_true(), "{}: {state:?}", property.name);
        }
    }
}

#[test]
fn a_union_has_the_elements_of_both_sides() {
    let model = good(
        "model m;
        type E = enum { A, B, C };
        var s : set of E max 1;
        var t : set of E max 1;
        init { s = { A }; t = { C }; }
        action swap { s' = t; t' = s; }
        invariant no_more: (s union t) subset s;
        invariant both: t subset (s union t) and s subset (s union t);
        invariant c: C in s union t;
        invariant two: size(s union t) = 2 and (s union t) != s;",
    );
    for (property, violated) in model.properties.iter().zip([true, false, false, false]) {
        let formula = property.invariant().expect("an invariant");
        let found = decide::invariant(&model, formula, &Default::default(), &Budget::unlimited(), &mut ());
        match found {
            decide::InvariantResult::Violated(trace) => {
                assert!(violated && trace.is_empty(), "{}", property.name)
            }
            decide::InvariantResult::Proved(_) => assert!(!violated, "{}", property.name),
            other => panic!("{other:?}"),
        }
    }
}

/// The steps from the only initial state of a model, as text.
fn first_steps(text: &str) -> Vec<String> {
    let model = good(text);
    let first = initial_states(&model, 1_000).expect("few");
    let [first] = first.as_slice() else { panic!("one initial state") };
    let shown = |state: &State| {
        state.0.iter().map(|value| model.types.show_value(value)).collect::<Vec<_>>().join(" ")
    };
    let steps = successors(&model, first, 1_000).expect("few").into_iter();
    steps.map(|(label, after)| format!("{}: {}", model.show_label(&label), shown(&after))).collect()
}

#[test]
fn a_step_that_stores_too_many_elements_does_not_exist() {
    let found = first_steps(
        "model m;
        type E = enum { A, B, C };
        var s : set of E max 2;
        init { s = { A, B }; }
        action left { s' = insert(s, C) union s; }
        action right { s' = s union insert(s, C); }
        action both { s' = s union (s union { C }); }
        action without { s' = s union remove(insert(s, C), A); }
        action exchanged { s' = remove(insert(s, C), A); }
        action kept { s' = s union remove(insert(s, C), C); }",
    );
    assert_eq!(found, ["exchanged: {B, C}", "kept: {A, B}"]);
    let found = first_steps(
        "model m;
        type E = enum { A, B, C };
        type R = record { b: bag of E max 2, n: 0..9 };
        var b : bag of E max 2;
        var q : seq of E max 1;
        var r : R;
        init { b = { A, B }; q = [A]; r = R(b: { A }, n: 0); }
        action counted { r'.n = count x in insert(b, C): x = C; }
        action sized { r'.n = size(insert(b, C)); }
        action summed { r'.n = sum x in insert(b, C): 2; }
        action found { require C in insert(b, C) and last(append(q, C)) = C; r'.n = 7; }
        action second { require append(q, C)[1] = C and append(q, C)[2] is none; r'.n = 8; }
        action no_second { require append(q, C)[1] is none; }
        action shorter { require remove(append(q, C), A) = [C] and rest(append(q, C)) = [C]; r'.n = 9; }
        action empty { require remove(append(q, C), A) = []; }
        action in_field { require size(R(b: insert(b, C), n: 1).b) = 3; r'.b = insert(r.b, B); }
        action no_field { r' = r with (b: insert(b, C)); }
        action last_place { q' = rest(append(q, B)); }
        action emptied { b' = {}; }
        action without_last { require length(pop(concat(q, [B, C]))) = 2; q' = pop(append(q, B)); }
        action too_long { q' = concat(q, q); }
        action in_front { require prepend(q, B) = [B, A]; q' = pop(prepend(q, B)); }
        action by_index { q' = remove_at(concat([C], q), 1); }
        action unchanged { q' = remove_at(q, -1); }
        action fewer { b' = remove_at(insert(b, C), 0); }",
    );
    let expected = [
        "counted: {A, B} [A] R(b: {A}, n: 1)",
        "sized: {A, B} [A] R(b: {A}, n: 3)",
        "summed: {A, B} [A] R(b: {A}, n: 6)",
        "found: {A, B} [A] R(b: {A}, n: 7)",
        "second: {A, B} [A] R(b: {A}, n: 8)",
        "shorter: {A, B} [A] R(b: {A}, n: 9)",
        "in_field: {A, B} [A] R(b: {A, B}, n: 0)",
        "last_place: {A, B} [B] R(b: {A}, n: 0)",
        "emptied: {} [A] R(b: {A}, n: 0)",
        "without_last: {A, B} [A] R(b: {A}, n: 0)",
        "in_front: {A, B} [B] R(b: {A}, n: 0)",
        "by_index: {A, B} [C] R(b: {A}, n: 0)",
        "unchanged: {A, B} [A] R(b: {A}, n: 0)",
        "fewer: {B, C} [A] R(b: {A}, n: 0)",
    ];
    assert_eq!(found, expected);
}

#[test]
fn each_mistake_gives_its_message() {
    let load = |items: &str| load(&format!("{BASE}{items}\n"), &[]);
    check_mistakes(MISTAKES, load);
}
