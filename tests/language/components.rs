//! Components and operations: what they mean, what is refused and with which words.

use crate::model_common::{Mistake, all, check_mistakes, load_with};

use cladist::explore::{initial_states, successors};
use cladist::model::{Loaded, Model, load_expression};
use std::collections::BTreeSet;

/// A counter with a limit, which resets what the model says.
const COUNTER: &str = "component counter;
requires {
  type Who;
  value LIMIT : 1..9;
  variable seen : set of Who;
  function first(w: Who): 0..3;
}
const START : 0..1 = 0;
type Mode = enum { Off, On };
var n : 0..LIMIT;
var mode : Mode;
init { n = START; mode = Off; }
def left: 0..9 = LIMIT - n;
operation add(k: 0..3) { require n + k <= LIMIT; n' = n + k; }
operation add_for(w: Who) { add(first(w)); seen' = seen union { w }; }
action reset(w: Who) { require w in seen; n' = 0; mode' = On; }
invariant in_bounds: n <= LIMIT;
assume mode = On => mode' = On;
environment reset;
pred is_reset(w: Who, t: pos) = reset.w@t = w;
";

/// A model with two counters.
const BASE: &str = "model m;
import \"counter.sts\" as a with { LIMIT = 2, seen = known, first = weight };
import \"counter.sts\" as b with { LIMIT = 3, seen = known, first = weight };
type Who = enum { P, Q };
var known : set of Who;
init { known = {}; }
def weight(w: Who): 0..3 = if w = P then 1 else 2;
";

fn load(text: &str) -> Loaded {
    load_with(text, &[], &[("specs/counter.sts", COUNTER)])
}

fn good(text: &str) -> Model {
    let loaded = load(text);
    assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    loaded.model.expect("a model without errors")
}

/// Everything that can be reached, as labels and states.
fn steps(model: &Model) -> BTreeSet<(String, String, String)> {
    let mut open = initial_states(model, 1000).expect("few");
    let mut seen: BTreeSet<_> = open.iter().cloned().collect();
    let mut steps = BTreeSet::new();
    while let Some(state) = open.pop() {
        for (label, next) in successors(model, &state, 1000).expect("few") {
            let shown = |state: &cladist::model::value::State| {
                state.0.iter().map(|value| model.types.show_value(value)).collect::<Vec<_>>().join(" ")
            };
            steps.insert((shown(&state), model.show_label(&label), shown(&next)));
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    steps
}

#[test]
fn every_instance_has_variables_and_actions_of_its_own() {
    let model = good(&format!(
        "{BASE}action both(w: Who) {{ a.add_for(w); b.add(a.n); }}
         invariant small: a.n + b.n <= 4 and a.left + a.n = 2;
         invariant off: a.mode = a.Off or b.mode = b.On or a.mode = a.On;
         ctl again: AG EF enabled(a.reset(w: P));
         vocabulary v = {{ a.is_reset(w), eq(action, both.w, b.reset.w, a.n) }};"
    ));
    let names: Vec<&str> = model.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["known", "a.n", "a.mode", "b.n", "b.mode"]);
    let names: Vec<&str> = model.actions.iter().map(|action| action.name.as_str()).collect();
    assert_eq!(names, ["both", "a.reset", "b.reset"]);
    let names: Vec<&str> = model.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["small", "off", "again", "a.in_bounds", "b.in_bounds"]);
    assert_eq!(model.environment.as_ref().map(|environment| environment.steps.len()), Some(2));
    assert!(model.predicates.iter().any(|predicate| predicate.name == "b.is_reset"));
    let steps = steps(&model);
    let has = |from: &str, label: &str, to: &str| steps.contains(&(from.into(), label.into(), to.into()));
    assert!(has("{} 0 Off 0 Off", "both(w=Q)", "{Q} 2 Off 0 Off"), "{steps:?}");
    assert!(has("{P} 1 Off 0 Off", "both(w=P)", "{P} 2 Off 1 Off"), "{steps:?}");
    assert!(has("{P} 1 Off 0 Off", "b.reset(w=P)", "{P} 1 Off 0 On"), "{steps:?}");
    assert!(!steps.iter().any(|(from, label, _)| from.contains("} 2 ") && label.starts_with("both")));
}

#[test]
fn the_same_without_components() {
    let parts = good(&format!("{BASE}action both(w: Who) {{ a.add_for(w); b.add(a.n); }}"));
    let whole = good(
        "model m;
         type Who = enum { P, Q };
         type Mode = enum { Off, On };
         var known : set of Who;
         var a_n : 0..2; var a_mode : Mode; var b_n : 0..3; var b_mode : Mode;
         init { known = {}; a_n = 0; a_mode = Off; b_n = 0; b_mode = Off; }
         def weight(w: Who): 0..3 = if w = P then 1 else 2;
         action both(w: Who) {
           require a_n + weight(w) <= 2 and b_n + a_n <= 3;
           a_n' = a_n + weight(w); b_n' = b_n + a_n; known' = known union { w };
         }
         action a_reset(w: Who) { require w in known; a_n' = 0; a_mode' = On; }
         action b_reset(w: Who) { require w in known; b_n' = 0; b_mode' = On; }
         assume a_mode = On => a_mode' = On;
         assume b_mode = On => b_mode' = On;",
    );
    assert_same_steps(&parts, &whole, 20);
}

/// A model with components has more than so many steps, and those of the model in one piece.
fn assert_same_steps(parts: &Model, whole: &Model, least: usize) {
    let flat: BTreeSet<_> =
        steps(parts).into_iter().map(|(from, label, to)| (from, label.replace('.', "_"), to)).collect();
    assert!(flat.len() > least, "{}", flat.len());
    assert_eq!(flat, steps(whole));
}

/// Two counters of which one is reset with the other.
const PAIR: &str = "component pair;
requires {
  type Who;
  value MOST : 1..9;
  variable seen : set of Who;
  function first(w: Who): 0..3;
}
import \"counter.sts\" as one with { LIMIT = MOST };
import \"counter.sts\" as two with { LIMIT = MOST };
operation add_both(w: Who) { one.add_for(w); two.add(1); }
action level modifies two.n { require one.n > 0; constrain two.n' <= one.n; }
environment level, two.reset;
";

#[test]
fn components_are_made_of_components() {
    let text = "model m;
        import \"pair.sts\" as p with { MOST = 2, seen = known, first = weight };
        type Who = enum { P, Q };
        var known : set of Who;
        init { known = {}; }
        def weight(w: Who): 0..3 = if w = P then 1 else 2;
        action add(w: Who) { p.add_both(w); }
        action jump modifies p.one.n { require p.two.mode = p.two.On; constrain p.one.n' >= p.two.n; }
        environment p.one.reset(w = P);
        ctl again: AG EF enabled(p.level);
        vocabulary v = { p.two.is_reset(w), eq(action, p.one.n), decisive };";
    let files = [("specs/counter.sts", COUNTER), ("specs/pair.sts", PAIR)];
    let loaded = load_with(text, &[], &files);
    assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    let parts = loaded.model.expect("a model without errors");
    assert_eq!(parts.environment.as_ref().map(|environment| environment.steps.len()), Some(5));
    let whole = good(
        "model m;
         type Who = enum { P, Q };
         type Mode = enum { Off, On };
         var known : set of Who;
         var one_n : 0..2; var one_mode : Mode; var two_n : 0..2; var two_mode : Mode;
         init { known = {}; one_n = 0; one_mode = Off; two_n = 0; two_mode = Off; }
         action add(w: Who) {
           let k = if w = P then 1 else 2;
           require one_n + k <= 2 and two_n + 1 <= 2;
           one_n' = one_n + k; two_n' = two_n + 1; known' = known union { w };
         }
         action jump modifies one_n { require two_mode = On; constrain one_n' >= two_n; }
         action p_level modifies two_n { require one_n > 0; constrain two_n' <= one_n; }
         action p_one_reset(w: Who) { require w in known; one_n' = 0; one_mode' = On; }
         action p_two_reset(w: Who) { require w in known; two_n' = 0; two_mode' = On; }
         assume one_mode = On => one_mode' = On;
         assume two_mode = On => two_mode' = On;",
    );
    assert_same_steps(&parts, &whole, 100);
}

#[test]
fn operations_are_the_statements_where_they_are_called() {
    let body = |inner: &str| {
        format!(
            "model m;
             var x : 0..3; var y : 0..3; var m : map 0..1 to 0..3;
             init {{ x = 0; y = 1; m[0] = 0; m[1] = 2; }}
             operation put(i: 0..1, v: 0..3) {{ let w = v; require m[i] != w; m'[i] = w; }}
             operation swap {{ x' = y; y' = x; }}
             operation both(v: 0..3) {{ if v > 1 {{ swap(); }} else {{ put(0, v); }} }}
             {inner}"
        )
    };
    let pairs = [
        (
            "action a(i: 0..1) { put(i, x); swap(); }",
            "action a(i: 0..1) { require m[i] != x; m'[i] = x; x' = y; y' = x; }",
        ),
        (
            "action a(v: 0..3) { both(v); }",
            "action a(v: 0..3) { if v > 1 { x' = y; y' = x; } else { require m[0] != v; m'[0] = v; } }",
        ),
        (
            "action a { put(1, y); if x = 0 { put(0, y); } }",
            "action a { require m[1] != y; m'[1] = y; if x = 0 { require m[0] != y; m'[0] = y; } x' = x; }",
        ),
        (
            "action a { forall i in 0..1 { put(i, y + 2); } swap(); }",
            "action a { require m[0] != y + 2 and m[1] != y + 2; m'[0] = y + 2; m'[1] = y + 2; x' = y; y' = x; }",
        ),
    ];
    for (with, without) in pairs {
        let [with, without] = [with, without].map(|inner| {
            let loaded = load(&body(inner));
            let shown = all(&loaded.diagnostics, &loaded.sources);
            steps(&loaded.model.unwrap_or_else(|| panic!("{inner}: {shown}")))
        });
        assert_eq!(with, without);
        assert!(!with.is_empty());
    }
}

#[test]
fn expressions_from_outside_refer_to_components() {
    let model = good(&format!("{BASE}action both(w: Who) {{ a.add_for(w); }}"));
    for text in ["b.left = 3 and a.n < 2", "a.mode = a.On", "a.reset.w = P", "action = a.reset"] {
        let loaded = load_expression(&model, text);
        assert!(loaded.found.is_some(), "{text}: {}", all(&loaded.diagnostics, &loaded.sources));
    }
    for (text, message) in [
        ("b.missing = 3", "unknown name `missing`"),
        ("c.n = 3", "unknown name `c`"),
        ("a.START = 0 and a", "`a` is an import, not a value"),
    ] {
        let loaded = load_expression(&model, text);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, [message], "{text}");
    }
}

/// What follows [`BASE`], the message, its place, and the help or note.
const MISTAKES: &[Mistake] = &[
    ("action x { c.add(1); }", "unknown component `c`", "c.add", "declared: a, b"),
    (
        "action x { a.ad(1); }",
        "unknown operation `ad`",
        "a.ad",
        "did you mean `add`? (operation, specs/counter.sts:14)",
    ),
    ("action x { ad(1); }", "unknown operation `ad`", "ad", ""),
    ("action x { a.add(1, 2); }", "`a.add` takes 1 argument, 2 given", "a.add(1, 2);", ""),
    (
        "action x { a.add(P); }",
        "`k` of `a.add` is 0..3, not Who",
        "P",
        "the value is Who because of `enum Who` (specs/m.sts:4)",
    ),
    (
        "action x { a.reset(P); }",
        "`a.reset` is an action, not an operation",
        "a.reset",
        "put the shared statements into an `operation` that the actions call",
    ),
    (
        "action x { a.left(); }",
        "`a.left` is a definition, not an operation",
        "a.left",
        "a formula becomes a statement by `require`",
    ),
    (
        "action x { weight(P); }",
        "`weight` is a definition, not an operation",
        "weight",
        "a formula becomes a statement by `require`",
    ),
    (
        "action x { known(P); }",
        "`known` is a variable, not an operation",
        "known",
        "a statement is `require e;`, `x' = e;` or a call of an operation",
    ),
    ("action x(k: Who) { k(P); }", "`k` is a bound name, not an operation", "k", ""),
    ("action x { a.add(1); a.n' = 0; }", "action `x` assigns a.n twice", "a.n'", ""),
    ("action x { a.add(1); a.add_for(P); }", "action `x` assigns a.n twice", "a.add_for(P);", ""),
    ("action x { a.m' = 0; }", "unknown variable `m`", "a.m", "declared: mode, n, seen"),
    ("action x { c.n' = 0; }", "unknown component `c`", "c.n", "declared: a, b"),
    (
        "action x { a.left' = 0; }",
        "`a.left` is a definition and cannot be assigned",
        "a.left",
        "only variables can be assigned",
    ),
    (
        "var r : record { f: Who }; action x { r.f' = P; }",
        "only a variable can be primed",
        "r.f",
        "the prime comes right after the variable: `r'.f`",
    ),
    (
        "var r : record { f: Who }; assume r.f' = P;",
        "only a variable can be primed",
        "r.f",
        "the prime comes right after the variable: `r'.f`",
    ),
    ("action x modifies a.m { }", "unknown variable `m`", "a.m", "declared: mode, n, seen"),
    ("operation o { o(); }", "operation `o` is recursive: o → o", "o", "recursion is not supported"),
    ("operation o { known' = {}; known' = {P}; }", "operation `o` assigns known twice", "known'", ""),
    ("operation o(k: 0..3) { require k; }", "expected a truth value, found 0..3", "k", ""),
    ("invariant i: o; operation o { }", "`o` is an operation, not a value", "o", ""),
    ("operation o { } operation o { }", "`o` is declared twice", "o", "rename one of them"),
    (
        "environment a.add;",
        "`a.add` is an operation, not an action",
        "a.add",
        "an environment is made of actions",
    ),
    (
        "environment a.reseta;",
        "unknown action `reseta`",
        "a.reseta",
        "did you mean `reset`? (action, specs/counter.sts:16)",
    ),
    (
        "var z : a.Mode;",
        "expected a type, found the expression `a.Mode`",
        "a.Mode",
        "a range of numbers is `lo..hi`",
    ),
    (
        "invariant i: a.nn = 0;",
        "unknown name `nn`",
        "a.nn",
        "did you mean `On`? (enum Mode, specs/counter.sts:9)",
    ),
    ("invariant i: a = 0;", "`a` is an import, not a value", "a", ""),
    (
        "invariant i: a.is_reset(P);",
        "predicate `is_reset` cannot be used here",
        "a.is_reset(P)",
        "predicates can only be used in predicates and vocabularies; elsewhere, use a `def`",
    ),
    (
        "vocabulary v = { a.is_rest };",
        "unknown predicate `is_rest`",
        "is_rest",
        "did you mean `is_reset`? (predicate, specs/counter.sts:20)",
    ),
    (
        "import \"counter.sts\" as c with { LIMIT = 2, seen = known };",
        "import `c` does not bind `first`, required by specs/counter.sts:6",
        "c",
        "add `first = …`",
    ),
    (
        "import \"counter.sts\" as c with { LIMIT = 2, seen = weight, first = weight };",
        "`seen` must be bound to a variable, not to a definition",
        "weight",
        "write the name of a variable of this file",
    ),
    (
        "import \"counter.sts\" as c with { LIMIT = 2, seen = {P}, first = weight };",
        "`seen` must be bound to a variable",
        "{P}",
        "write the name of a variable of this file",
    ),
    (
        "import \"counter.sts\" as c with { LIMIT = 2, seen = known, first = known };",
        "`first` must be bound to a definition, not to a variable",
        "known",
        "write the name of a definition of this file",
    ),
    (
        "def heavy(w: Who): 0..9 = 9; import \"counter.sts\" as c with { LIMIT = 2, seen = known, first = heavy };",
        "`first(w: Who): 0..3` cannot be bound to `heavy(w: Who): 0..9`",
        "heavy",
        "it is required by specs/counter.sts:6",
    ),
    (
        "def two(v, w: Who): 0..3 = 1; import \"counter.sts\" as c with { LIMIT = 2, seen = known, first = two };",
        "`first(w: Who): 0..3` cannot be bound to `two(v, w: Who): 0..3`",
        "two",
        "it is required by specs/counter.sts:6",
    ),
    (
        "var other : set of 0..1; import \"counter.sts\" as c with { LIMIT = 2, seen = other, first = weight };",
        "`seen` is a variable of type set of Who, not set of 0..1",
        "other",
        "it is required by specs/counter.sts:5",
    ),
    (
        "import \"counter.sts\" as c with { LIMIT = 99, seen = known, first = weight };",
        "import `c` needs `LIMIT` of type 1..9, not 99",
        "99",
        "it is required by specs/counter.sts:4",
    ),
    (
        "import \"counter.sts\" as c with { LIMIT = 2, seen = known, first = weight, more = 1 };",
        "the component imported as `c` does not require `more`",
        "more",
        "it requires Who, LIMIT, seen, first",
    ),
    (
        "requires { type T; }",
        "only libraries and components can have `requires`",
        "requires { type T; }",
        "declare it in the model itself",
    ),
    (
        "var n : 0..1; action x { n' = 0; assert(n = 0); }",
        "expected a statement, found `assert`",
        "assert",
        "did you mean `require`?",
    ),
];

/// Components with a mistake, which `m` imports without binding anything, and what is said.
const BAD_COMPONENTS: &[Mistake] = &[
    (
        "component c; vocabulary v = { before };",
        "a component cannot declare vocabularies",
        "vocabulary v = { before };",
        "declare them in the model that imports it",
    ),
    ("component c; var x : T;", "unknown type `T`", "T", ""),
    (
        "component c; requires { observe o : bool; } var x : bool; init { x = o; } ",
        "`o` reads the label of a step, which cannot be read here",
        "o",
        "labels can only be read in predicates and vocabularies",
    ),
    ("component c; var x : 0..1 action y { }", "missing `;`", "", "add `;` after `1`"),
    (
        "library c; requires { variable x : 0..1; }",
        "a library cannot require variables",
        "x",
        "require a `value` or `observe` instead, or make it a `component`",
    ),
    (
        "library c; requires { function f(x: 0..1): 0..1; }",
        "a library cannot require functions",
        "f",
        "require a `value` or `observe` instead, or make it a `component`",
    ),
    (
        "library c; operation o { }",
        "a library cannot declare operations",
        "operation o { }",
        "declare them in the model that imports it, or make it a `component`",
    ),
    (
        "library c; import \"d.sts\" as d;",
        "a library cannot import a component",
        "\"d.sts\"",
        "import it into the model",
    ),
    ("model c;", "this is a model, not a library", "\"c.sts\"", ""),
    (
        "program c;",
        "specs/c.sts is neither a library nor a component",
        "\"c.sts\"",
        "it would begin with `library name;` or `component name;`",
    ),
];

#[test]
fn every_mistake_has_place_cause_and_help() {
    check_mistakes(MISTAKES, |items| load(&format!("{BASE}{items}\n")));
    check_mistakes(BAD_COMPONENTS, |component| {
        let with = if component.contains("observe o") { " with { o = action = go }" } else { "" };
        let model = format!("model m; action go {{}} import \"c.sts\" as c{with};");
        load_with(&model, &[], &[("specs/c.sts", component), ("specs/d.sts", "component d;")])
    });
}
