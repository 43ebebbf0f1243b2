//! Variants: their values, constructors, `match` and `is`; what is refused and with which words; traces with them.

use crate::model_common::{Mistake, check_mistakes, good, load};

use cladist::explore::{initial_states, successors};
use cladist::model::Model;
use cladist::model::eval::eval_state;
use cladist::model::value::{Label, Moment, State};
use cladist::trace::value_json;
use cladist::trace::{Trace, from_itf, to_itf};
use std::collections::BTreeSet;

/// What every model below starts with.
const BASE: &str = "model m;
type Agent = enum { Alice, Bob };
type Key = 1..3;
type Message = variant { Enc(key: Key, who: Agent, tag: option Agent), Hello(who: Agent), Ping };
type Phase = enum { Idle, Waiting, Done };
var net : Message;
var wire : option Message;
var phase : Phase;
var n : 0..3;
var s : set of Agent;
def kind(m: option Message): 0..4 = match m { Enc(key) => if key = 3 then 4 else 3, Hello => 2, Ping => 1, none => 0 };
";

/// Formulas that hold in every state of the types above.
const ALWAYS: &[&str] = &[
    "net is Enc or net is Hello or net is Ping",
    "not (net is Enc and net is Hello)",
    "net is Ping <=> net = Ping",
    "net.key is some <=> net is Enc",
    "net.who is some <=> not (net is Ping)",
    "net.tag is some => net is Enc",
    "wire is none <=> not (wire is Enc or wire is Hello or wire is Ping)",
    "wire.who = Alice => wire is Enc or wire is Hello",
    "net is Hello => net = Hello(who: net.who otherwise Bob)",
    "match net { Enc(key, who: w, tag) => net = Enc(key: key, who: w, tag: tag), Hello(who) => net = Hello(who: who), else => net = Ping }",
    "kind(net) = 4 <=> net.key = 3",
    "kind(wire) = 0 <=> wire is none",
    "kind(wire) >= 3 <=> wire is Enc",
    "(match phase { Idle => 1, Waiting or Done => 2 }) = (if phase = Idle then 1 else 2)",
    "match n { 0 => n < 1, 1 or 2 => n > 0 and n < 3, 3 => n = 3 }",
    "match n = 2 { true => n > 1, false => n != 2 }",
    "net.constructor = wire.constructor => wire is some",
    "(forall m in Message: m is Hello => m.who is some) and size(Message) = 21",
    "match net { Hello(who) => match phase { Idle => who in { who }, else => true }, else => true }",
    "{ m in Message : m is Hello } = { Hello(who: Alice), Hello(who: Bob) }",
    "size({ m in Message : m.who = Alice }) = 10",
];

#[test]
fn what_variants_mean_holds_in_every_state() {
    let invariants: String =
        ALWAYS.iter().enumerate().map(|(at, formula)| format!("invariant i{at}: {formula};\n")).collect();
    let model = good(&format!("{BASE}{invariants}"));
    // 3 · 2 · 3 values of Enc, two of Hello, and one of Ping.
    let states = initial_states(&model, 100_000).expect("not too many");
    assert_eq!(states.len(), 21 * 22 * 3 * 4 * 4);
    for (at, formula) in ALWAYS.iter().enumerate() {
        let invariant = model.properties[at].invariant().expect("an invariant");
        for state in &states {
            let moment = Moment { label: None, state: state.clone() };
            let holds = eval_state(&model, invariant, &moment).is_true();
            assert!(holds, "{formula}: {}", shown(&model, state));
        }
    }
}

fn shown(model: &Model, state: &State) -> String {
    state.0.iter().map(|value| model.types.show_value(value)).collect::<Vec<_>>().join(", ")
}

/// The steps of a model with variants and of one in which the same is said by records of options and `if`.
#[test]
fn matched_statements_are_conditions() {
    let variants = good(&format!(
        "{BASE}init {{ net = Ping; wire = none; n = 0; s = {{}}; }}
        action send(m: Message) {{ require wire is none; wire' = m; }}
        action take {{
          match wire {{
            Enc(key, who) => {{ require key != 2; n' = key; s' = s union {{ who }}; wire' = none; }}
            Hello(who: a) => {{ if a in s {{ net' = Hello(who: a); }} else {{ wire' = none; }} }}
            Ping => {{ n' = n + 1; }}
            none => {{ require n = 3; n' = 0; }}
          }}
        }}"
    ));
    let flat = good(&format!(
        "{BASE}init {{ net = Ping; wire = none; n = 0; s = {{}}; }}
        action send(m: Message) {{ require wire is none; wire' = m; }}
        action take {{
          require wire is Enc => wire.key != 2;
          require wire is none => n = 3;
          if wire is Enc {{ n' = wire.key otherwise 1; s' = s union {{ wire.who }}; wire' = none; }}
          else if wire is Hello {{
            if wire.who in s {{ net' = Hello(who: wire.who otherwise Bob); }} else {{ wire' = none; }}
          }}
          else if wire is Ping {{ n' = n + 1; }}
          else {{ n' = 0; }}
        }}"
    ));
    let steps = |model: &Model| {
        let mut found: BTreeSet<(State, Label, State)> = BTreeSet::new();
        let mut open = initial_states(model, 1000).expect("one");
        let mut seen: BTreeSet<State> = open.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for (label, after) in successors(model, &state, 1000).expect("not too many") {
                if seen.insert(after.clone()) {
                    open.push(after.clone());
                }
                found.insert((state.clone(), label, after));
            }
        }
        found
    };
    let (found, expected) = (steps(&variants), steps(&flat));
    assert!(found.len() > 300, "{}", found.len());
    assert_eq!(found, expected);
}

const MISTAKES: &[Mistake] = &[
    (
        "invariant i: net = Enc;",
        "constructor `Enc` needs its fields",
        "Enc",
        "write `Enc(key: …, who: …, tag: …)`; `m is Enc` is true if m has this constructor",
    ),
    (
        "invariant i: net = Enc(key: 1);",
        "`Enc` is missing fields `who`, `tag`",
        "Enc(key: 1)",
        "write `Enc(key: …, who: …, tag: …)`",
    ),
    (
        "invariant i: net = Hello(key: 1);",
        "constructor `Hello` has no field `key`",
        "key",
        "its fields are who",
    ),
    ("invariant i: net = Hello(who: Alice, who: Bob);", "field `who` is given twice", "who", ""),
    (
        "invariant i: net = Hello(Alice);",
        "the fields of constructor `Hello` are given by name",
        "Hello(Alice)",
        "write `Hello(who: …)`",
    ),
    (
        "invariant i: net = Message(who: Alice);",
        "`Message` is a variant",
        "Message",
        "write one of its constructors: `Enc(key: …, who: …, tag: …)` or `Hello(who: …)` or `Ping`",
    ),
    ("invariant i: net is Helo;", "`Message` has no constructor `Helo`", "Helo", "did you mean `Hello`?"),
    ("invariant i: phase is Idle;", "Phase has no constructors", "Idle", "write `phase = Idle`"),
    (
        "invariant i: n is Enc;",
        "0..3 has no constructors",
        "Enc",
        "constructors are declared in `variant { A(f: T), B }`",
    ),
    ("invariant i: net.kex = 1;", "`Message` has no field `kex`", "kex", "did you mean `key`?"),
    (
        "action a { net' = net with (key: 1); }",
        "not every constructor of `Message` has the field `key`",
        "key",
        "make a new value: `Enc(key: …, who: …, tag: …)` or `Hello(who: …)` or `Ping`",
    ),
    (
        "action a { net'.key = 1; }",
        "not every constructor of `Message` has the field `key`",
        "key",
        "make a new value: `Enc(key: …, who: …, tag: …)` or `Hello(who: …)` or `Ping`",
    ),
    (
        "invariant i: match net { Enc => true, Ping => false };",
        "the cases do not cover every value",
        "match net { Enc => true, Ping => false }",
        "missing: `Hello`; `else => …` stands for all others",
    ),
    (
        "invariant i: match wire { Enc or Hello or Ping => true };",
        "the cases do not cover every value",
        "match wire { Enc or Hello or Ping => true }",
        "missing: `none`; `else => …` stands for all others",
    ),
    (
        "invariant i: match s { else => true, else => false };",
        "this case is never reached: `else` comes before it",
        "else",
        "put `else` last",
    ),
    (
        "invariant i: match phase { Idle => true, Idle or Done => false, else => true };",
        "`Idle` fits no value that the cases before it leave",
        "Idle",
        "remove it",
    ),
    ("invariant i: match net { none => true, else => false };", "Message is never `none`", "none", ""),
    (
        "invariant i: match n { 7 => true, else => false };",
        "`7` fits no value that the cases before it leave",
        "7",
        "remove it",
    ),
    (
        "invariant i: match n { n => true, else => false };",
        "a pattern is a constant or a constructor",
        "n",
        "compare other values by `if … then … else …`",
    ),
    ("invariant i: match n { Idle => true, else => false };", "0..3 is never `Idle`", "Idle", ""),
    ("invariant i: match n { Enc(key) => true, else => false };", "0..3 has no constructors", "key", ""),
    (
        "invariant i: (match net { Ping => 1, else => Alice }) = 1;",
        "the cases have incompatible types: 1 and Agent",
        "Alice",
        "",
    ),
    (
        "invariant i: match net { Enc(kex) => true, else => true };",
        "constructor `Enc` has no field `kex`",
        "kex",
        "did you mean `key`?",
    ),
    (
        "invariant i: match net { Enc(key, who: key) => true, else => true };",
        "`key` is bound twice",
        "key",
        "",
    ),
    (
        "invariant i: match net { Enc(who) or Hello(who) => true, else => true };",
        "one of several patterns cannot name fields",
        "Enc(who)",
        "write a case for each of them",
    ),
    (
        "type V = variant { A(x: Key), B(x: Agent) };",
        "field `x` is Agent here and 1..3 in another constructor",
        "x",
        "fields of one name have one type in all constructors: rename one of them",
    ),
    ("type V = variant { A(x: Key, x: Key), B };", "field `x` occurs twice", "x", ""),
    (
        "type V = variant { A(constructor: Key), B };",
        "`constructor` already says which constructor a value has",
        "constructor",
        "choose another name for the field",
    ),
    ("type V = variant { A, Ping };", "`Ping` is declared twice", "Ping", "rename one of them"),
    (
        "type V = variant { A(v: V), B };",
        "type `V` contains itself",
        "V",
        "types are finite: break the cycle",
    ),
    (
        "symmetric type V = variant { A, B };",
        "`V` cannot be symmetric: only enumerations and ranges of integers can",
        "V",
        "declare the enumerations and ranges that its values are made of symmetric",
    ),
];

/// A case whose pattern always fits is the only one.
#[test]
fn cases_of_a_constant_exclude_each_other() {
    let steps = |statement: &str| {
        let model =
            good(&format!("{BASE}const C : Agent = Alice; init {{ n = 0; }} action go {{ {statement} }}"));
        let first = initial_states(&model, 100_000).expect("not too many").remove(0);
        successors(&model, &first, 1000).expect("few")
    };
    let expected = steps("n' = 1;");
    assert_eq!(expected.len(), 1);
    assert_eq!(steps("match C { Alice => { n' = 1; } else => { n' = 2; } }"), expected);
    assert_eq!(steps("match C { Alice => { n' = 1; } Bob => { n' = 2; } }"), expected);
    assert_eq!(steps("match C { Bob => { n' = 2; } else => { n' = 1; } }"), expected);
    assert_eq!(steps("match C { Alice => { n' = 1; } else => { require n = 3; } }"), expected);
}

#[test]
fn each_mistake_gives_its_message() {
    let load = |items: &str| load(&format!("{BASE}{items}\n"), &[]);
    check_mistakes(MISTAKES, load);
}

#[test]
fn traces_keep_values_of_variants() {
    let model = good(&format!("{BASE}action a(m: Message) {{ wire' = m; }}"));
    let state = |values: [&str; 5]| {
        let value = |(text, variable): (&str, &cladist::model::Variable)| {
            let values = model.types.values(&variable.ty).into_iter();
            let mut found = values.filter(|value| model.types.show_value(value) == text);
            found.next().unwrap_or_else(|| panic!("{text}"))
        };
        State(values.into_iter().zip(&model.variables).map(value).collect())
    };
    let first = state(["Enc(key: 2, who: Bob, tag: none)", "none", "Idle", "0", "{}"]);
    let message = model.types.values(&model.variables[0].ty)[1].clone();
    let mut second = first.clone();
    second.0[1] = message.clone();
    let trace = Trace {
        moments: vec![
            Moment { label: None, state: first.clone() },
            Moment { label: Some(Label { action: 0, args: vec![message] }), state: second },
        ],
    };
    let text = to_itf(&model, &trace);
    let read = from_itf(&model, &text).expect("a trace of the model");
    assert_eq!(read, trace);
    assert!(text.contains("\"tag\": \"Enc\""), "{text}");
    let json = |value| value_json(&model.types, value).to_string();
    assert_eq!(json(&first.0[0]), r#"{"Enc":{"key":2,"tag":null,"who":"Bob"}}"#);
    assert_eq!(json(&state(["Ping", "Ping", "Idle", "0", "{}"]).0[1]), "\"Ping\"");
    // The parts that facts can be about.
    let leaves: Vec<String> = cladist::model::Observable::of_variable(&model, cladist::model::expr::VarId(1))
        .leaves(&model.types)
        .into_iter()
        .map(|leaf| format!("{}: {}", leaf.text, model.types.show(&leaf.expr.ty)))
        .collect();
    let expected = "wire.constructor: option Message.constructor, wire.key: option 1..3, wire.who: option Agent, wire.tag: option Agent";
    assert_eq!(leaves.join(", "), expected);
}
