//! Parts of values, `occurs` and `alike`, against a search through the values; libraries whose requirements have defaults.

use crate::model_common::{Mistake, all, check_mistakes, good, load, load_with};
use crate::random::Random;

use cladist::model::Model;
use cladist::model::eval::eval_state;
use cladist::model::types::{CollectionKind, Type, Types};
use cladist::model::value::{Moment, State, Value};

const BASE: &str = "model m;
type Name = enum { A, B };
type Key = enum { K, L };
type Inner = record { n: Name, k: option Key };
type Message = variant { Enc(key: Key, body: Inner), Plain(who: Name, text: option Inner), Ping };
type Queue = seq of Inner max 2;
type Heap = bag of Inner max 2;
type Group = set of Message max 2;
type Names = set of Inner;
type Wide = variant { Full(keys: set of Key, n: Name), Both(keys: set of Key, one: option Inner), Empty };
type Table = map Name to option Inner;
type All = record { q: Queue, n: 0..2, o: option Names };
";

/// The types with the parts that are looked for.
const PARTS: &[&str] = &["Name", "Key", "Inner", "option Key", "Message", "0..2", "1..5"];
const WHOLES: &[&str] = &[
    "Message",
    "option Message",
    "Queue",
    "Heap",
    "Group",
    "Names",
    "Table",
    "Wide",
    "option Wide",
    "All",
    "Inner",
    "option Key",
];

/// Whether values of the types can be equal.
fn comparable(a: &Type, b: &Type) -> bool {
    matches!((a.inner(), b.inner()), (Type::Int { .. }, Type::Int { .. })) || a.inner() == b.inner()
}

/// The values that a value directly consists of, with their types; what is absent among them.
fn children(types: &Types, ty: &Type, value: &Value) -> Vec<(Type, Value)> {
    match (ty.inner(), value) {
        (Type::Record(id), Value::Record(_, values)) => {
            let decl = types.record(*id);
            let fields = decl.fields.iter().map(|(_, ty)| ty.clone()).zip(values.iter().cloned());
            fields.skip(usize::from(decl.is_tagged())).collect()
        }
        (Type::Set(element), Value::Set(members)) => {
            members.iter().map(|member| ((**element).clone(), member.clone())).collect()
        }
        (Type::Map(_, entry), Value::Map(entries)) => {
            entries.values().map(|value| ((**entry).clone(), value.clone())).collect()
        }
        _ => Vec::new(),
    }
}

fn occurs(types: &Types, part: (&Type, &Value), ty: &Type, value: &Value) -> bool {
    if *part.1 == Value::None || *value == Value::None {
        return false;
    }
    (comparable(part.0, ty) && part.1 == value)
        || children(types, ty, value).iter().any(|(ty, value)| occurs(types, part, ty, value))
}

fn alike(types: &Types, ty: &Type, a: &Value, b: &Value, apart: &Type) -> bool {
    match (a, b) {
        (Value::None, Value::None) => return true,
        (Value::None, _) | (_, Value::None) => return false,
        _ => {}
    }
    if comparable(ty, apart) {
        return true;
    }
    let unordered = match ty.inner() {
        Type::Set(_) => true,
        Type::Record(id) => {
            types.record(*id).collection.as_ref().is_some_and(|of| of.kind != CollectionKind::Sequence)
        }
        _ => false,
    };
    let (mut x, mut y) = (children(types, ty, a), children(types, ty, b));
    if unordered {
        x.retain(|(_, value)| *value != Value::None);
        y.retain(|(_, value)| *value != Value::None);
        let covers = |x: &[(Type, Value)], y: &[(Type, Value)]| {
            x.iter().all(|(ty, a)| y.iter().any(|(_, b)| alike(types, ty, a, b, apart)))
        };
        return covers(&x, &y) && covers(&y, &x);
    }
    if x.is_empty() {
        return a == b;
    }
    let same_tag = match (a, b) {
        (Value::Record(id, p), Value::Record(_, q)) => !types.record(*id).is_tagged() || p[0] == q[0],
        _ => true,
    };
    same_tag && x.iter().zip(&y).all(|((ty, a), (_, b))| alike(types, ty, a, b, apart))
}

fn has_part(types: &Types, ty: &Type, part: &Type) -> bool {
    comparable(ty, part)
        || match ty.inner() {
            Type::Set(inner) | Type::Map(_, inner) => has_part(types, inner, part),
            Type::Record(id) => {
                let decl = types.record(*id);
                let fields = decl.fields.iter().skip(usize::from(decl.is_tagged()));
                fields.into_iter().any(|(_, ty)| has_part(types, ty, part))
            }
            _ => false,
        }
}

fn holds(model: &Model, formula: usize, state: &State) -> bool {
    let moment = Moment { label: None, state: state.clone() };
    eval_state(model, model.properties[formula].invariant().expect("an invariant"), &moment).is_true()
}

#[test]
fn parts_are_those_that_a_search_finds() {
    let mut rng = Random::new(3);
    let (mut some, mut all_but_some) = (0, 0);
    for whole in WHOLES {
        for part in PARTS {
            let declared = format!("{BASE}var v : {part};\nvar x : {whole};\nvar y : {whole};\n");
            let model = good(&declared);
            let types = &model.types;
            let of = |at: usize| model.variables[at].ty.clone();
            let (part_type, whole_type) = (of(0), of(1));
            let mut formulas = String::new();
            if has_part(types, &whole_type, &part_type) {
                formulas += "invariant o: occurs(v, x);\n";
            }
            let apart = part.trim_start_matches("option ");
            let named = !apart.contains("..") && has_part(types, &whole_type, &part_type);
            if named {
                formulas += &format!("invariant a: alike(x, y, {apart});\n");
            }
            if formulas.is_empty() {
                continue;
            }
            let model = good(&format!("{declared}{formulas}"));
            let columns: Vec<Vec<Value>> =
                model.variables.iter().map(|variable| model.types.values(&variable.ty)).collect();
            for _ in 0..300 {
                let mut state = State(columns.iter().map(|column| rng.pick(column).clone()).collect());
                if rng.percent(20) {
                    state.0[2] = state.0[1].clone();
                }
                let expected = occurs(types, (&part_type, &state.0[0]), &whole_type, &state.0[1]);
                assert_eq!(holds(&model, 0, &state), expected, "occurs {part} in {whole}: {state:?}");
                if named {
                    let expected = alike(types, &whole_type, &state.0[1], &state.0[2], part_type.inner());
                    assert_eq!(holds(&model, 1, &state), expected, "alike {whole} apart {part}: {state:?}");
                    some += usize::from(expected && state.0[1] != state.0[2]);
                    all_but_some += usize::from(!expected);
                }
            }
        }
    }
    assert!(some > 500 && all_but_some > 500, "{some}, {all_but_some}");
}

const MISTAKES: &[Mistake] = &[
    ("invariant i: occurs(n);", "`occurs` has 2 arguments, not 1", "occurs(n)", "write `occurs(v, m)`"),
    ("invariant i: alike(n, o);", "`alike` has 3 arguments, not 2", "alike(n, o)", "write `alike(m, n, T)`"),
    ("var m : Message; invariant i: occurs(3, m);", "3 cannot be a part of Message", "3", ""),
    ("var g : Heap; invariant i: occurs(1, g);", "1 cannot be a part of bag of Inner max 2", "1", ""),
    (
        "invariant i: alike(n, o, n);",
        "`n` is not the name of a type",
        "n",
        "write `alike(m, n, T)`: true if m and n are equal apart from their parts of type T",
    ),
    (
        "var m : Message; invariant i: alike(m, n, Name);",
        "cannot compare Message with Name",
        "alike(m, n, Name)",
        "left side is Message because of `var m : Message` (specs/m.sts:15)",
    ),
];

#[test]
fn each_mistake_gives_its_message() {
    check_mistakes(MISTAKES, |items| load(&format!("{BASE}var n : Name;\nvar o : Name;\n{items}\n"), &[]));
}

const LIBRARY: &str = "library boxes;
requires {
  type Box;
  observe box : option Box;
  type Part = Box;
  observe other : option Box = none;
  value Most : 0..9 = 3;
}
pred has(x: Part, t: pos) = occurs(x, box@t);
pred both(t: pos) = box@t = other@t and Most = 3;
";

/// Loads a model that imports the library of boxes with more bindings.
fn with_boxes(library: &str, bindings: &str) -> cladist::model::Loaded {
    let import = format!("import \"boxes.pred\" as boxes with {{ Box = Message, box = m{bindings} }};\n");
    let uses = "vocabulary v = { boxes.has, boxes.both };\nvar k : Key;\nvar l : Message;\n";
    let text = format!("{BASE}type Part = enum {{ P }};\nvar m : Message;\nvar other : Key;\n{import}{uses}");
    load_with(&text, &[], &[("specs/boxes.pred", library)])
}

#[test]
fn what_has_a_default_need_not_be_bound() {
    for (bindings, parameter) in [
        // What the model calls `Part` and `other` is not meant.
        ("", "Message"),
        (", Part = Key, other = l", "Key"),
        (", Part = Inner, Most = 2", "Inner"),
    ] {
        let loaded = with_boxes(LIBRARY, bindings);
        let shown = all(&loaded.diagnostics, &loaded.sources);
        // A value of the type of the parameter has to be observed.
        let model = match loaded.model {
            Some(model) => model,
            None => {
                assert!(parameter == "Inner" && shown.contains("has type Inner"), "{shown}");
                continue;
            }
        };
        let has = model.predicates.iter().find(|p| p.name == "boxes.has").expect("a predicate");
        assert_eq!(model.types.show(&has.params[0].ty), parameter);
    }
}

#[test]
fn wrong_defaults_and_bindings_are_errors() {
    let cases = [
        (LIBRARY.replace("= Box;", "= Bax;"), "", "the default of a type is one that is required before it"),
        (LIBRARY.replace("= none;", "= 3;"), "", "`other` is option Box, not 3"),
        (LIBRARY.to_owned(), ", Part = 0..3", "0..3 cannot be a part of Message"),
    ];
    for (library, bindings, message) in cases {
        let loaded = with_boxes(&library, bindings);
        let first = loaded.diagnostics.iter().find(|d| d.is_error()).expect("an error");
        assert_eq!(first.message, message);
    }
}
