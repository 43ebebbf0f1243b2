//! Damaged texts: never a panic, a model iff there is no error, and every model is closed and typed.

use crate::model_common;

use crate::random::Random;
use cladist::model::expr::{Expr, ExprKind, Formula, LocalId};
use cladist::model::types::Type;
use cladist::model::{
    Model, PathStep, PredicateArgument, PropertyKind, UpdateValue, VocabularyItem, check_library_text,
};
use model_common::{MESSAGES, NEEDHAM_SCHROEDER, TCP, all, load_with};

/// Everything of the language in one model.
const EVERYTHING: &str = "model everything;
import \"../predicates/messages.pred\" as m with {
  Agent = A, Content = R, Attacker = C, sent = n > 0, sender = some(x), receiver = o, content = r };
const N : 0..9 = 3;
const S : set of A = { B, C };
type A = enum { B, C, D };
type R = record { f: A, g: option 0..N, h: set of A, k: map A to bool };
var x : A;
var o : option A;
var n : 0..N;
var r : option R;
var p : map A to R;
var o_n : option 0..N;
var w : enum { On, Off };
init { x in S; forall a, b in A: p[a] = p[b]; r is none; n = o_n otherwise 2; }
def up(i: 0..9): 0..10 = i + 1;
def flip(a: A): A = if a = B then C else B;
def whole: R = R(f: x, g: none, h: {}, k: map a in A: a = flip(x));
action go(q: A, i: 0..N) { require q != x and up(i) <= n or o otherwise B = C; p'[q].f = q; n' = up(i) mod 4; }
action free modifies r, o { r' = r with (f: D, g: n); constrain o' = o => n' = n; }
action each { forall a in A { if a in S { p'[a].g = n; } else { p'[a] = whole; } } x' in { a in A : a != x }; }
assume n' >= n - 2;
assume size(p[x].h union S minus { D }) < 4;
invariant i: forall a in p[B].h: exists b in A: p[b].k[a] <=> r.k[a] = true;
ltl l: always (n = 1 => eventually forall a in A: (next x = a or n in 1..2));
ctl c: AG (n = 1 => EF not (r.g = 2));
fairness x = B;
environment go(q = C, i = N - 1), free;
pred same(t, u: pos, a: A) = t < u and x@t = a and (r is some)@u and go.i@u = 2 and action@t = go;
pred far(t, u: pos) = u = t + 2 and same(t, u, flip(x)@t) and not m.replay(t, u);
vocabulary v = { eq(p, r, w, go.q) across, before } + u;
vocabulary u = { next, lacks(p[B].h), same, far, m.replay, same(flip(x)) };
";

#[test]
fn everything_is_accepted() {
    let loaded = load(EVERYTHING);
    assert!(loaded.diagnostics.is_empty(), "{}", all(&loaded.diagnostics, &loaded.sources));
    sound(&loaded.model.expect("a model"));
}

fn load(text: &str) -> cladist::model::Loaded {
    load_with(text, &[("N", "2")], &[("predicates/messages.pred", MESSAGES)])
}

#[test]
fn damaged_models() {
    let mut random = Random::new(1);
    let mut accepted = 0;
    for text in [NEEDHAM_SCHROEDER, TCP, EVERYTHING] {
        for _ in 0..500 {
            let loaded = load(&damaged(text, &mut random));
            let errors = loaded.diagnostics.iter().any(|d| d.is_error());
            assert_eq!(loaded.model.is_none(), errors);
            all(&loaded.diagnostics, &loaded.sources);
            if let Some(model) = loaded.model {
                accepted += 1;
                sound(&model);
            }
        }
    }
    assert!(accepted > 10, "only {accepted} damaged models were accepted");
}

#[test]
fn damaged_libraries() {
    let mut random = Random::new(2);
    let read = |_: &std::path::Path| Err(std::io::Error::from(std::io::ErrorKind::NotFound));
    for _ in 0..500 {
        let text = damaged(MESSAGES, &mut random);
        let alone = check_library_text("predicates/messages.pred", &text, &read);
        let bad = alone.diagnostics.iter().any(|d| d.is_error());
        let files = [("predicates/messages.pred", text.as_str())];
        let loaded = load_with(NEEDHAM_SCHROEDER, &[], &files);
        // A mistake of the library is one of the model that imports it.
        assert!(loaded.model.is_none() || !bad, "{text}");
        if let Some(model) = loaded.model {
            sound(&model);
        }
    }
}

/// The text with some of its words left out, repeated, or exchanged for others of it.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let class = |c: char| (c.is_alphanumeric() || c == '_', c.is_whitespace());
        let end =
            rest.char_indices().find(|(_, c)| class(*c) != class(first) || class(first) == (false, false));
        let end = end.map_or(rest.len(), |(at, c)| if at == 0 { c.len_utf8() } else { at });
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    for _ in 0..=random.below(2) {
        let (at, from) = (random.below(words.len()), random.below(words.len()));
        match random.below(4) {
            0 => {
                words.remove(at);
            }
            1 => words.insert(at, words[from]),
            2 => words[at] = words[from],
            _ => words.swap(at, from),
        }
    }
    words.concat()
}

/// Fails unless every expression is typed and closed.
fn sound(model: &Model) {
    let check = |e: &Expr, bound: &[LocalId]| closed(model, e, &mut bound.to_vec());
    for e in model.init.iter().chain(&model.fairness) {
        check(e, &[]);
    }
    for action in &model.actions {
        let params: Vec<LocalId> = action.params.iter().map(|p| p.local).collect();
        for e in action.requires.iter().chain(&action.constraints) {
            check(e, &params);
        }
        for update in &action.updates {
            update.guard.iter().for_each(|e| check(e, &params));
            typed(&update.ty);
            for step in &update.path {
                if let PathStep::Index(e) = step {
                    check(e, &params);
                }
            }
            match &update.value {
                UpdateValue::Is(e) | UpdateValue::In(e) => check(e, &params),
            }
        }
    }
    model.assumptions.iter().for_each(|a| check(&a.expr, &[]));
    for property in &model.properties {
        match &property.kind {
            PropertyKind::Invariant(e) | PropertyKind::DeadlockFree(e) => check(e, &[]),
            PropertyKind::Ltl(f) | PropertyKind::Ctl(f) => formula(model, f),
        }
    }
    for predicate in &model.predicates {
        check(&predicate.body, &predicate.params.iter().map(|p| p.local).collect::<Vec<_>>());
    }
    for diagram in &model.diagrams {
        for e in [&diagram.sent, &diagram.sender, &diagram.receiver, &diagram.content] {
            check(e, &[]);
        }
    }
    for item in model.vocabularies.iter().flat_map(|v| &v.items) {
        match item {
            VocabularyItem::Equal(o)
            | VocabularyItem::Lacks(o)
            | VocabularyItem::Absent(o)
            | VocabularyItem::Bounded(o) => check(&o.expr, &[]),
            VocabularyItem::Across(a, b) | VocabularyItem::Ordered(a, b) | VocabularyItem::Shifted(a, b) => {
                [a, b].iter().for_each(|o| check(&o.expr, &[]))
            }
            VocabularyItem::Before | VocabularyItem::Next => {}
            VocabularyItem::Ground(ty) => ty.iter().for_each(&typed),
            VocabularyItem::Predicate(id, args) => {
                let params = &model.predicates[id.0 as usize].params;
                assert_eq!(args.len(), params.len());
                for (arg, param) in args.iter().zip(params) {
                    assert_eq!(*arg == PredicateArgument::Position, param.ty == Type::Pos);
                    match arg {
                        PredicateArgument::Position => {}
                        PredicateArgument::Observed(o) => check(&o.expr, &[]),
                        PredicateArgument::Value { value, .. } => check(value, &[]),
                    }
                }
            }
        }
    }
    model.variables.iter().for_each(|v| typed(&v.ty));
    model.types.records.iter().flat_map(|r| &r.fields).for_each(|(_, ty)| typed(ty));
    for constant in &model.constants {
        assert!(model.types.contains(&constant.ty, &constant.value));
    }
}

fn formula(model: &Model, f: &Formula) {
    match f {
        Formula::Atom(e, _) => closed(model, e, &mut Vec::new()),
        Formula::Not(a) => formula(model, a),
        Formula::And(a, b) | Formula::Or(a, b) | Formula::Implies(a, b) | Formula::Iff(a, b) => {
            formula(model, a);
            formula(model, b);
        }
        Formula::If(a, b, c) => {
            formula(model, a);
            formula(model, b);
            formula(model, c);
        }
        Formula::Temporal(_, parts) => parts.iter().for_each(|p| formula(model, p)),
    }
}

fn typed(ty: &Type) {
    match ty {
        Type::Abstract(_) => panic!("an abstract type in a model"),
        Type::Option(inner) => {
            assert!(!inner.is_option());
            typed(inner);
        }
        Type::Set(inner) => typed(inner),
        Type::Map(key, value) => {
            typed(key);
            typed(value);
        }
        _ => {}
    }
}

fn closed(model: &Model, e: &Expr, bound: &mut Vec<LocalId>) {
    typed(&e.ty);
    let within = |local: &LocalId, inner: &Expr, bound: &mut Vec<LocalId>| {
        bound.push(*local);
        closed(model, inner, bound);
        bound.pop();
    };
    match &e.kind {
        ExprKind::Local(local) => assert!(bound.contains(local), "a name that is not bound"),
        ExprKind::At { value, at } => {
            assert!(bound.contains(at));
            closed(model, value, bound);
        }
        ExprKind::Never { value, after, before } => {
            assert!(after.iter().chain([before]).all(|at| bound.contains(at)));
            closed(model, value, bound);
        }
        ExprKind::Const(value) => {
            assert!(model.types.contains(&e.ty, value), "{value:?} is not of {:?}", e.ty)
        }
        ExprKind::Let { bindings, body } => {
            let outer = bound.len();
            for (local, value) in bindings {
                closed(model, value, bound);
                bound.push(*local);
            }
            closed(model, body, bound);
            bound.truncate(outer);
        }
        ExprKind::Filter { local, set, cond: body }
        | ExprKind::Quant { local, set, body, .. }
        | ExprKind::Fold { local, set, body, .. } => {
            closed(model, set, bound);
            within(local, body, bound);
        }
        ExprKind::MapOf { local, body } => within(local, body, bound),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
            closed(model, a, bound);
            closed(model, b, bound);
        }
        ExprKind::Field(a, _)
        | ExprKind::Previous(a)
        | ExprKind::Size(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::IsSome(a) => {
            closed(model, a, bound);
        }
        ExprKind::Record(parts) | ExprKind::SetLiteral(parts) => {
            parts.iter().for_each(|p| closed(model, p, bound))
        }
        ExprKind::With(base, fields) => {
            closed(model, base, bound);
            fields.iter().for_each(|(_, f)| closed(model, f, bound));
        }
        ExprKind::If(a, b, c) => [a, b, c].iter().for_each(|x| closed(model, x, bound)),
        ExprKind::Var(_) | ExprKind::Next(_) | ExprKind::ActionLabel | ExprKind::LabelArg { .. } => {}
    }
}
