//! What the forms of the language become: types, folded constants, expanded vocabularies.

use crate::model_common;

use cladist::model::expr::{ExprKind, Formula};
use cladist::model::types::Type;
use cladist::model::value::Value;
use cladist::model::{Model, PredicateArgument, PropertyKind, VocabularyItem};
use model_common::good;

/// What every model below starts with.
const BASE: &str = "model m;
type Agent = enum { Alice, Bob, Eve };
type Pair = record { a: option Agent, s: set of Agent };
const N : 0..9 = 3;
var x : Agent;
var y : option Agent;
var n : 0..3;
var on : option 0..3;
var flag : option bool;
var s : set of Agent;
var os : option Pair;
var slots : map 0..3 to bool;
var peer : map Agent to option Agent;
var count : map 1..3 to 0..5;
def after(i: 1..3): 1..3 = if i = 3 then 1 else i + 1;
action give(whom: Agent) { require x != whom; x' = whom; }
def friend(a: Agent): Agent = if a = Alice then Bob else Alice;
def slots_used: option 0..3 = if flag = true then n else none;
def next_slot(i: 0..3): option bool = slots[i + 1];
";

fn definition(body: &str, ty: &str) -> (Model, cladist::model::expr::Expr) {
    let model = good(&format!("{BASE}def it: {ty} = {body};\n"));
    let found = model.definitions.iter().find(|d| d.text == "it").expect("it reads the state").expr.clone();
    (model, found)
}

#[test]
fn types_of_expressions() {
    let cases = [
        ("n + 1", "0..9", "1..4"),
        ("n - n", "-9..9", "-3..3"),
        ("n * N - 1", "-9..9", "-1..8"),
        ("-n", "-9..9", "-3..0"),
        ("(n + 5) / 2", "0..9", "2..4"),
        ("(n + 5) mod 4", "0..9", "0..3"),
        ("on + n", "option 0..9", "option 0..6"),
        ("on otherwise 7", "0..9", "0..7"),
        ("size(s)", "0..9", "0..3"),
        ("if n = 1 then Bob else none", "option Agent", "option Agent"),
        ("if n = 1 then 5 else n", "0..9", "0..5"),
        ("slots[n]", "bool", "bool"),
        ("slots[n + 1]", "option bool", "option bool"),
        ("slots[on]", "option bool", "option bool"),
        ("os.a", "option Agent", "option Agent"),
        ("os.s", "option set of Agent", "option set of Agent"),
        ("{ q in s : q != x }", "set of Agent", "set of Agent"),
        ("{ y, x }", "set of Agent", "set of Agent"),
        ("s union { Bob }", "set of Agent", "set of Agent"),
        ("1..n", "set of 0..3", "set of 1..3"),
        (
            "map q in Agent: if q = x then q else none",
            "map Agent to option Agent",
            "map Agent to option Agent",
        ),
        ("friend(x)", "Agent", "Agent"),
        ("os with (a: none)", "option Pair", "option Pair"),
        ("next_slot(n)", "option bool", "option bool"),
        ("let z = n + 1, q = z * 2 in z + q", "0..99", "3..12"),
        ("sum k in 1..3: count[k]", "0..99", "0..15"),
        ("sum k in 1..3: k * (n - 2)", "-99..99", "-18..9"),
        ("sum a, b in Agent: n", "0..99", "0..27"),
        ("sum a in s: n - 1", "-99..99", "-3..6"),
        ("sum a in s: if peer[a] = Bob then on else 1", "option 0..9", "option 0..9"),
        ("count a in Agent: peer[a] = Bob", "0..9", "0..3"),
        ("count a, b in s: a < b", "0..99", "0..9"),
        ("min k in 1..3: count[k]", "0..9", "0..5"),
        ("max a in s: n", "option 0..9", "option 0..3"),
        ("min k in 1..3: on", "option 0..9", "option 0..3"),
        ("min a in s: a", "option Agent", "option Agent"),
        ("min(n, 2)", "0..9", "0..2"),
        ("max(n, 2, 1)", "0..9", "2..3"),
        ("max(on, 2)", "0..9", "2..3"),
        ("min(on, slots_used)", "option 0..9", "option 0..3"),
        ("max(x, y)", "Agent", "Agent"),
        ("after(n)", "0..9", "1..3"),
        ("if n in 1..3 then after(n) else 2", "0..9", "1..3"),
        ("if n < 2 then after(n) else 1", "0..9", "1..2"),
        ("if n < 3 then slots[n + 1] else false", "bool", "bool"),
        ("if n + 1 < 4 then slots[n + 1] else false", "bool", "bool"),
        ("if n = 0 or n = 1 then 0 else n", "0..9", "0..3"),
        ("if not (n = 0 or n = 3) then n else 1", "0..9", "1..2"),
        ("if n >= 2 and on < n then n - 2 else 0", "0..9", "0..1"),
        ("if on < 2 then 9 else n", "0..9", "0..9"),
        ("if n != 3 then n else 0", "0..9", "0..2"),
        ("if peer[x] = Bob then n else 0", "0..9", "0..3"),
        ("if count[1] < 5 then count[1] + 1 else 5", "0..9", "1..5"),
        ("if 1 < n then if n < 3 then n else 2 else 2", "0..9", "2..2"),
        ("enabled(give)", "bool", "bool"),
    ];
    for (body, declared, expected) in cases {
        let (model, expr) = definition(body, declared);
        assert_eq!(model.types.show(&expr.ty), expected, "{body}");
    }
}

/// Closed expressions are values; everything here is compared with `x in …` or the like, so that the
/// definition reads the state.
#[test]
fn closed_expressions_are_values() {
    let cases = [
        ("2 + 3 * 4", "14"),
        ("-7 / 2", "-4"),
        ("-7 mod 2", "1"),
        ("size({ Bob, Eve, Bob })", "2"),
        ("size({ q in Agent : q != Bob })", "2"),
        ("if N > 2 then 1 else 2", "1"),
        ("(none otherwise 4) + 1", "5"),
        ("size({ q in 0..N : q mod 2 = 0 and not (q = 0) })", "1"),
        ("let a = 2, b = a * 3 in a + b", "8"),
        ("sum q in 1..4: q * q", "30"),
        ("sum q, r in 1..2: 10 * q + r", "66"),
        ("sum q in { r in 1..4 : r mod 2 = 0 and r mod 4 = 3 }: q", "0"),
        ("count q in Agent: friend(q) = Bob", "1"),
        ("count q, r in Agent: friend(q) = friend(r)", "5"),
        ("min q in { 3, 1, 2 }: -q", "-3"),
        ("(max q in {}: 1) otherwise 9", "9"),
        ("(max q in { 1, 2 }: if q = 2 then none else q) otherwise 9", "1"),
        ("min(4, 3, 5) * max(2, 1)", "6"),
    ];
    for (closed, expected) in cases {
        let model = good(&format!("{BASE}const K : -99..99 = {closed};\n"));
        let value = &model.constants.iter().find(|c| c.name == "K").expect("K").value;
        assert_eq!(model.types.show_value(value), expected, "{closed}");
    }
    let truths = [
        ("friend(Alice) = Bob", true),
        ("forall q in Agent: friend(q) != q", true),
        ("exists p, q in Agent: p != q and friend(p) = friend(q)", true),
        ("{ Bob } subset { Bob, Eve }", true),
        ("{} subset { Bob }", true),
        ("Eve in { Bob } union { Eve } minus { Eve }", false),
        ("none = none", true),
        ("N in 1..3 <=> Alice < Bob", true),
        ("(map q in Agent: q = Bob)[Bob]", true),
        ("true => false", false),
        ("let q = Bob in q = friend(Alice)", true),
        ("let q = (Bob in { Bob }) in q", true),
        ("(min q in Agent: q) = Alice and max(Bob, Eve) = Eve", true),
        ("(sum q in { 1 }: if q = 1 then none else q) = none", true),
    ];
    for (closed, expected) in truths {
        let model = good(&format!("{BASE}const K : bool = {closed};\n"));
        let value = &model.constants.iter().find(|c| c.name == "K").expect("K").value;
        assert_eq!(*value, Value::Bool(expected), "{closed}");
    }
}

#[test]
fn statements() {
    let model = good(&format!(
        "{BASE}
action a(who: Agent) {{
  require N = 3;
  forall q in Agent {{ if q != Eve {{ peer'[q] = who; }} }}
  if n = 1 {{ require x = who; n' in 1..2; }} else {{ x' in Agent; }}
}}
action b modifies n, s {{ constrain n' = n or s' = s, x' = y; if N = 4 {{ x' = Bob; }} }}
assume s' subset s;
assume x in s;
fairness n = 1;
environment a(who = Eve);
environment b;
"
    ));
    let environment = model.environment.as_ref().expect("an environment");
    assert_eq!(environment.names(&model), ["a(who=Eve)", "b"]);
    let a = &model.actions[1];
    let guards: Vec<bool> = a.updates.iter().map(|u| u.guard.is_some()).collect();
    assert_eq!(guards, [false, false, true, true]);
    assert_eq!(a.requires.len(), 2);
    let b = &model.actions[2];
    assert_eq!((b.modifies.len(), b.constraints.len(), b.updates.len()), (2, 2, 0));
    let steps: Vec<bool> = model.assumptions.iter().map(|a| a.step).collect();
    assert_eq!(steps, [true, false]);
    assert_eq!(model.fairness.len(), 1);
}

#[test]
fn temporal_formulas_keep_state_formulas_whole() {
    let model = good(&format!(
        "{BASE}
ltl plain: always (n = 1 and x = Bob or not (y = x));
ltl each: forall q in Agent: always (x = q => eventually y = q);
ctl reset: AG (n = 1 => EF (n = 0 and x = Bob));
ltl until_end: n = 0 until n = 1;
"
    ));
    assert!(model.properties[0].invariant().is_some());
    let PropertyKind::Ltl(Formula::And(left, _)) = &model.properties[1].kind else { panic!() };
    assert!(matches!(**left, Formula::And(..)));
    let mut atoms = 0;
    fn count(f: &Formula, atoms: &mut usize) {
        match f {
            Formula::Atom(..) => *atoms += 1,
            Formula::Not(a) => count(a, atoms),
            Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
                count(a, atoms);
                count(b, atoms);
            }
            Formula::If(a, b, c) => {
                count(a, atoms);
                count(b, atoms);
                count(c, atoms);
            }
            Formula::Temporal(_, parts) => parts.iter().for_each(|p| count(p, atoms)),
        }
    }
    let PropertyKind::Ctl(f) = &model.properties[2].kind else { panic!() };
    count(f, &mut atoms);
    assert_eq!(atoms, 2);
}

fn texts(model: &Model) -> Vec<String> {
    let text = |item: &VocabularyItem| match item {
        VocabularyItem::Equal(o) => o.text.clone(),
        VocabularyItem::Across(a, b) => format!("{}={}", a.text, b.text),
        VocabularyItem::Bounded(o) => format!("{}<", o.text),
        VocabularyItem::Ordered(a, b) => format!("{}<{}", a.text, b.text),
        VocabularyItem::Shifted(a, b) => format!("{}+={}", a.text, b.text),
        VocabularyItem::Lacks(o) => format!("lacks {}", o.text),
        VocabularyItem::Absent(o) => format!("absent {}", o.text),
        VocabularyItem::Before => "before".into(),
        VocabularyItem::Next => "next".into(),
        VocabularyItem::Ground(ty) => {
            format!("ground {}", ty.as_ref().map_or("all".into(), |ty| model.types.show(ty)))
        }
        VocabularyItem::Predicate(_, args) => {
            let arg = |arg: &PredicateArgument| match arg {
                PredicateArgument::Position => "_".to_owned(),
                PredicateArgument::Observed(of) => of.text.clone(),
                PredicateArgument::Value { value, any } => {
                    let ExprKind::Const(constant) = &value.kind else { panic!("a constant") };
                    format!("{}{}", if *any { "any " } else { "" }, model.types.show_value(constant))
                }
            };
            format!("p({})", args.iter().map(arg).collect::<Vec<_>>().join(","))
        }
    };
    model.vocabularies[0].items.iter().map(text).collect()
}

#[test]
fn vocabularies_expand_to_leaves() {
    let cases = [
        ("{ eq(x, n) }", "x|n"),
        ("{ eq(peer) }", "peer[Alice]|peer[Bob]|peer[Eve]"),
        // A record of which every leaf may be absent tells by itself whether it is there.
        ("{ eq(os) }", "os.a|os.s|(os is some)"),
        ("{ eq(x), before, eq(x), next, before }", "x|before|next"),
        ("{ eq(x, y) across }", "x|y|x=x|x=y|y=y"),
        ("{ eq(n, x) across }", "n|x|n=n|x=x"),
        ("{ lacks(s, os) }", "lacks s|lacks os.s"),
        ("{ eq(action, go.k) }", "action|go.k"),
        ("{ eq(size(s) + 1, (x)) }", "(size(s) + 1)|x"),
        ("{ eq(friend(x)) }", "friend(x)"),
        ("small + { eq(x) } + { next }", "n|x|next"),
        ("{ p }", "p(_,x)"),
        ("{ q }", "p(x,x)"),
        ("{ r }", "p(_,y)|p(_,os.a)|p(_,peer[Alice])|p(_,peer[Bob])|p(_,peer[Eve])"),
        ("{ p(friend(x)), p(x) }", "p(_,friend(x))|p(_,x)"),
        ("{ r(x) }", "p(_,x)"),
        // Constants, and names that stand for any value; positions may be written as well.
        ("{ p(Bob), p(t, Bob) }", "p(_,Bob)"),
        ("{ p(a), p(t, someone) }", "p(_,any Alice)|p(_,any Bob)|p(_,any Eve)"),
        ("{ q(x, a) }", "p(x,any Alice)|p(x,any Bob)|p(x,any Eve)"),
        ("{ u(t1, t2, a, a) }", "p(_,_,any Alice,any Alice)|p(_,_,any Bob,any Bob)|p(_,_,any Eve,any Eve)"),
        ("{ u(Bob, b) }", "p(_,_,Bob,any Alice)|p(_,_,Bob,any Bob)|p(_,_,Bob,any Eve)"),
    ];
    for (terms, expected) in cases {
        let model = good(&format!(
            "{BASE}vocabulary v = {terms};
vocabulary small = {{ eq(n) }};
action go(k: Agent) {{ x' = k; }}
pred p(t: pos, a: Agent) = x@t = a;
pred q(a, b: Agent) = a = b;
pred r(t: pos, a: option Agent) = y@t = a;
pred u(t1, t2: pos, a, b: Agent) = x@t1 = a and x@t2 = b;\n"
        ));
        assert_eq!(texts(&model).join("|"), expected, "{terms}");
    }
}

/// Positions of a called predicate become those of the caller; values are bound around it.
#[test]
fn predicates_are_inlined() {
    let model = good(&format!(
        "{BASE}
pred seen(t: pos, a: option Agent) = y@t = a;
pred two(u, v: pos) = v = u + 1 and seen(u, y@v) and seen(v, Bob);
"
    ));
    let two = model.predicates.iter().find(|p| p.name == "two").expect("two");
    let params: Vec<_> = two.params.iter().map(|p| p.local).collect();
    assert!(two.params.iter().all(|p| p.ty == Type::Pos));
    let (mut lets, mut read) = (0, Vec::new());
    two.body.walk(&mut |e| match &e.kind {
        ExprKind::Let { .. } => lets += 1,
        ExprKind::At { at, .. } => read.push(*at),
        _ => {}
    });
    assert_eq!(lets, 1);
    assert!(read.iter().all(|at| params.contains(at)));
    assert_eq!(read.len(), 3);
}
