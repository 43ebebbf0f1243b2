//! The two sample models and the message library, as in the language reference.

use crate::model_common;

use cladist::diagnostics::Severity;
use cladist::model::expr::ExprKind;
use cladist::model::types::Type;
use cladist::model::value::Value;
use cladist::model::{Model, PropertyKind, VocabularyItem, check_library_text, load_expression};
use model_common::{MESSAGES, NEEDHAM_SCHROEDER, TCP, all, good, load, load_with};
use std::io;

fn items(model: &Model, vocabulary: &str) -> Vec<String> {
    let index = model.vocabulary(vocabulary).expect("the vocabulary");
    model.vocabularies[index].items.iter().map(|item| shown(model, item)).collect()
}

fn shown(model: &Model, item: &VocabularyItem) -> String {
    match item {
        VocabularyItem::Equal(o) => match o.expr.ty {
            Type::Set(_) => format!("in {}", o.text),
            _ => format!("{}: {}", o.text, model.types.show(&o.expr.ty)),
        },
        VocabularyItem::Across(a, b) => format!("{} = {}", a.text, b.text),
        VocabularyItem::Bounded(o) => format!("{} < c", o.text),
        VocabularyItem::Ordered(a, b) => format!("{} < {}", a.text, b.text),
        VocabularyItem::Shifted(a, b) => format!("{} = {} + n", b.text, a.text),
        VocabularyItem::Lacks(o) => format!("not in {}", o.text),
        VocabularyItem::Absent(o) => format!("absent {}", o.text),
        VocabularyItem::Before => "before".into(),
        VocabularyItem::Next => "next".into(),
        VocabularyItem::Ground(ty) => {
            format!("ground {}", ty.as_ref().map_or("all".into(), |ty| model.types.show(ty)))
        }
        VocabularyItem::Predicate(id, args) => {
            let args: Vec<&str> =
                args.iter().map(|a| a.observed().map_or("_", |o| o.text.as_str())).collect();
            format!("{}({})", model.predicates[id.0 as usize].name, args.join(", "))
        }
    }
}

#[test]
fn integers_are_ordered() {
    let text = "model m; var a : 0..50; var b : option -9..9; var r : record { n: 0..99, s: set of bool };
        init { a = 0; b = none; r.n = 0; }
        pred few(t: pos) = a@t < 3;
        vocabulary ordered = { order(a, r) };
        vocabulary tied = { eq(r.n, b, a) across };
        vocabulary mixed = { order(b), few };";
    let model = good(text);
    let ordered = "a < c|r.n < c|a < a|a = a + n|a < r.n|r.n = a + n|r.n < r.n|r.n = r.n + n";
    assert_eq!(items(&model, "ordered").join("|"), ordered);
    let across = "r.n: 0..99|b: option -9..9|a: 0..50|r.n = r.n|r.n = r.n + n|r.n = b|r.n = a|a = r.n + n|b = b|b = a|\
                  a = a|a = a + n";
    assert_eq!(items(&model, "tied").join("|"), across);
    assert_eq!(items(&model, "mixed"), ["b < c", "b < b", "b = b + n", "few(_)"]);
    // A predicate with this name is meant where there is one.
    let own = good(
        "model m; var a : 0..50; init { a = 0; } pred order(n: 0..50, t: pos) = a@t = n; vocabulary v = { order(a) };",
    );
    assert_eq!(items(&own, "v"), ["order(a, _)"]);
}

#[test]
fn needham_schroeder() {
    let model = good(NEEDHAM_SCHROEDER);
    assert_eq!(model.name, "ns_public_key");
    let names = |list: Vec<&String>| list.into_iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(names(model.variables.iter().map(|v| &v.name).collect()), "net phase peer knows");
    assert_eq!(
        names(model.actions.iter().map(|a| &a.name).collect()),
        "start answer finish learn forward forge"
    );
    assert_eq!(model.types.enumeration(model.action_enum).variants.len(), 6);
    assert_eq!(
        names(model.predicates.iter().map(|p| &p.name).collect()),
        "msgs.replay msgs.relays msgs.man_in_the_middle"
    );
    assert_eq!(model.predicates[0].library.as_deref(), Some("messages"));
    let title = "The attacker sends again, unchanged, what somebody else sent before.";
    assert_eq!(model.predicates[0].doc.as_deref(), Some(title));
    assert_eq!(model.init.len(), 3);
    assert_eq!(model.diagrams.len(), 1);
    assert_eq!(model.diagrams[0].alias, "msgs");
    assert!(matches!(model.properties[0].kind, PropertyKind::Invariant(_)));
    let generic = [
        "net.sender: option Agent",
        "net.receiver: option Agent",
        "net.body.kind: option Kind",
        "in knows",
        "before",
    ];
    assert_eq!(items(&model, "generic"), generic);
    let attacks = [&generic[..], &["msgs.replay(_, _)", "msgs.man_in_the_middle(_, _, _)"]].concat();
    assert_eq!(items(&model, "attacks"), attacks);
}

/// The constant decides what `answer` sends and whether `finish` looks at the name.
#[test]
fn constants_are_folded() {
    for (value, fixed) in [("false", false), ("true", true)] {
        let loaded = load(NEEDHAM_SCHROEDER, &[("LOWE_FIX", value)]);
        assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
        let model = loaded.model.expect("a model");
        assert_eq!(model.constants[0].value, Value::Bool(fixed));
        let conditionals = |a: usize| {
            let mut count = 0;
            let mut look =
                |e: &cladist::model::expr::Expr| count += usize::from(matches!(e.kind, ExprKind::If(..)));
            for update in &model.actions[a].updates {
                if let cladist::model::UpdateValue::Is(e) = &update.value {
                    e.walk(&mut look);
                }
            }
            count
        };
        assert_eq!(conditionals(1), 0);
        let finish: usize = model.actions[2].requires.iter().map(|e| e.conjuncts().len()).sum();
        // phase, receiver, key, kind, peer, n1, n2; and who, with the fix.
        assert_eq!(finish, if fixed { 8 } else { 7 });
    }
}

#[test]
fn tcp_handshake() {
    let model = good(TCP);
    assert_eq!(model.properties.len(), 2);
    assert_eq!(model.property("b_recovers"), Some(1));
    assert!(model.properties[0].invariant().is_some());
    assert!(model.properties[1].invariant().is_none());
    let expected = [
        "state[A]: State",
        "state[B]: State",
        "wire[A].flag: option Flag",
        "wire[A].sender: option Origin",
        "wire[B].flag: option Flag",
        "wire[B].sender: option Origin",
        "before",
    ];
    assert_eq!(items(&model, "generic"), expected);
    // `acked` assigns state[p] in three branches, and wire[p] always.
    let acked = model.actions.iter().find(|a| a.name == "acked").expect("acked");
    let guarded = acked.updates.iter().filter(|u| u.guard.is_some()).count();
    assert_eq!((acked.updates.len(), guarded), (4, 3));
}

#[test]
fn a_library_alone() {
    let read = |_: &std::path::Path| Err(io::Error::from(io::ErrorKind::NotFound));
    let library = check_library_text("predicates/messages.pred", MESSAGES, &read);
    assert_eq!(library.name.as_deref(), Some("messages"));
    assert_eq!(library.predicates, ["replay", "relays", "man_in_the_middle"]);
    let found: Vec<_> = library.diagnostics.iter().map(|d| (d.severity, d.message.as_str())).collect();
    let message = "`sender@t1 != Attacker` is also true where `sender` is `none`";
    let both = [
        "`sender@t3 = receiver@t2` is also true where both are `none`",
        "`receiver@t3 = sender@t1` is also true where both are `none`",
    ];
    assert_eq!(found, [message, message, both[0], both[1]].map(|message| (Severity::Note, message)));
    assert_eq!(library.diagnostics[0].help.as_deref(), Some("add `sender@t1 is some and …`"));
    let model = check_library_text("m.sts", "model m;", &read);
    assert_eq!(model.diagnostics[0].message, "`m` is a model, not a library");
}

#[test]
fn a_library_is_no_model() {
    let loaded = load(MESSAGES, &[]);
    assert!(loaded.model.is_none());
    assert_eq!(loaded.diagnostics[0].message, "this is a library, not a model");
}

/// Two imports of one library are two instances; names that are not bound are the model's own.
#[test]
fn two_instances() {
    let library = "library seen;
requires { type T; value Special : T; value Limit : 0..9; observe o : option T; observe taken : bool; }
type Level = 0..Limit;
const MOST : Level = Limit;
def special(x: option T): bool = x = Special;
pred same(t, u: pos) = t < u and o@t = o@u and special(o@t) and taken@t;
pred few(t: pos, n: Level) = n < MOST;
pred any(t: pos) = exists x in T: o@t = x;
";
    let text = "model m;
import \"seen.pred\" as a with { T = Colour, Special = Red, o = c, taken = action = paint, Limit = 3 };
import \"seen.pred\" as b with { o = some(n), T = Level, Special = 2, taken = n = 1 };
const Limit : 0..5 = 2;
type Level = 0..3;
type Colour = enum { Red, Green };
var c : option Colour;
var n : Level;
action paint(k: Colour) { c' = k; }
pred both(t, u: pos) = a.same(t, u) and b.same(t, u) and paint.k@t = Red;
vocabulary v = { both, a.any, b.few(n mod 3) };
";
    let loaded = load_with(text, &[], &[("specs/seen.pred", library)]);
    assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    let model = loaded.model.expect("a model");
    let names: Vec<&str> = model.predicates.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["both", "a.same", "a.few", "a.any", "b.same", "b.few", "b.any"]);
    assert!(model.diagrams.is_empty());
    let limits: Vec<_> = ["a.few", "b.few"]
        .iter()
        .map(|name| {
            let predicate = model.predicates.iter().find(|p| p.name == *name).expect("it");
            model.types.show(&predicate.params[1].ty)
        })
        .collect();
    assert_eq!(limits, ["0..3", "0..2"]);
}

#[test]
fn expressions_given_beside_a_model() {
    let loaded = load(NEEDHAM_SCHROEDER, &[("LOWE_FIX", "true")]);
    let model = loaded.model.expect("a model");
    let shown = |text: &str| {
        let loaded = load_expression(&model, text);
        match loaded.found {
            Some(o) => format!("{}: {}", o.text, model.types.show(&o.expr.ty)),
            None => loaded.diagnostics[0].message.clone(),
        }
    };
    assert_eq!(shown("net.body.kind"), "net.body.kind: option Kind");
    assert_eq!(shown("forge.k = M1"), "forge.k = M1: bool");
    assert_eq!(shown("size(knows) + 1"), "size(knows) + 1: 1..4");
    assert_eq!(shown("arrives(Bob, M1)"), "arrives(Bob, M1): bool");
    assert_eq!(shown("LOWE_FIX"), "LOWE_FIX: bool");
    assert_eq!(shown("nett.body"), "unknown name `nett`");
    let fix = load_expression(&model, "LOWE_FIX").found.expect("it");
    assert_eq!(fix.expr.kind, ExprKind::Const(Value::Bool(true)));
    let wrong = load_expression(&model, "nett");
    let span = wrong.diagnostics[0].span.expect("a place");
    assert_eq!(wrong.sources.place(span), "expression:1:1");
}

/// Every model and library that is shipped is without mistakes and warnings.
#[test]
fn shipped_files_are_good() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).expect("the folder");
        entries.map(|e| e.expect("an entry").path()).filter(|p| p.is_file()).collect::<Vec<_>>()
    };
    for path in files("specs").into_iter().chain(files("specs/paper")) {
        let loaded = cladist::model::load(&path, &[]);
        assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
        assert!(loaded.model.is_some());
    }
    for path in files("predicates") {
        let library = cladist::model::check_library(&path, &cladist::model::LoadOptions::default());
        let worst = library.diagnostics.iter().map(|d| d.severity).min();
        assert!(worst.is_none_or(|s| s == Severity::Note), "{}", all(&library.diagnostics, &library.sources));
    }
}
