//! Texts without mistakes, and what they mean.

use super::{accept, accept_expression, grouped};
use kit::diagnostics::{SourceId, SourceMap};
use lang::syntax::ast::{
    AstExprKind, AstTypeKind, FileKind, ItemKind, RequirementKind, StmtKind, VocabItemKind, VocabTerm,
};
use lang::syntax::{parse, parse_expression};

/// The models and the library of the language reference, and a model with names, sums and enabled actions.
pub(super) const SAMPLES: &[&str] = &[
    include_str!("samples/needham_schroeder.sts"),
    include_str!("samples/tcp_handshake.sts"),
    include_str!("samples/messages.pred"),
    include_str!("samples/clocks.sts"),
];

#[test]
fn samples_have_no_mistakes() {
    let counts: Vec<usize> = SAMPLES.iter().map(|text| accept(text).items.len()).collect();
    assert_eq!(counts, [23, 18, 4, 19]);
}

#[test]
fn operators_bind_as_the_table_says() {
    let cases = [
        ("a or b and c", "(a Or (b And c))"),
        ("a => b => c", "(a Implies (b Implies c))"),
        ("a <=> b => c or d", "(a Iff (b Implies (c Or d)))"),
        ("a <=> b <=> c", "((a Iff b) Iff c)"),
        ("not a = b and c", "((not (a Eq b)) And c)"),
        ("a = not b and c", "((a Eq (not b)) And c)"),
        ("not not a", "(not (not a))"),
        ("a not in S and b in 0..3", "((a NotIn S) And (b In (0..3)))"),
        ("a is some and b.c is none", "((a is some) And (b.c is none))"),
        ("a + b * c - d", "((a Add (b Mul c)) Sub d)"),
        ("a - b - c mod 2", "((a Sub b) Sub (c Mod 2))"),
        ("-x.f * 2", "((- x.f) Mul 2)"),
        ("- -x", "(- (- x))"),
        ("x otherwise y otherwise 0 = z", "((x Otherwise (y Otherwise 0)) Eq z)"),
        ("x otherwise y union z", "(x Otherwise (y Union z))"),
        ("S union T minus U intersect V", "(((S Union T) Minus U) Intersect V)"),
        ("S subset T union { a }", "(S Subset (T Union {a}))"),
        ("x in lo + 1..hi - 1", "(x In ((lo Add 1)..(hi Sub 1)))"),
        ("a and forall x in S: b or c", "(a And (Forall x in S: (b Or c)))"),
        (
            "forall x, y in 0..3: exists z in S union T: x = z",
            "(Forall x y in (0..3): (Exists z in (S Union T): (x Eq z)))",
        ),
        ("if a then b else c or d", "(if a b (c Or d))"),
        ("1 + if a then b else c + d", "(1 Add (if a b (c Add d)))"),
        ("map x in T: x + 1", "(map x in T: (x Add 1))"),
        ("{ x in S : x > 1 }", "{x in S: (x Gt 1)}"),
        ("{ x in S }", "{(x In S)}"),
        ("{ }", "{}"),
        ("{ a, b, }", "{a, b}"),
        ("size(S) + size", "(size(S) Add size)"),
        ("let x = a + 1, y = x in x < y and b", "(let x = (a Add 1), y = x in ((x Lt y) And b))"),
        ("1 + let x = a in x + 1", "(1 Add (let x = a in (x Add 1)))"),
        ("let x = (a in S) in x or b in T", "(let x = (a In S) in (x Or (b In T)))"),
        ("let x = a not in S in x", "(let x = (a NotIn S) in x)"),
        ("let x = f(a in S, { b in T }) in x", "(let x = f((a In S), {(b In T)}) in x)"),
        ("let x = exists y in S: y = a in x", "(let x = (Exists y in S: (y Eq a)) in x)"),
        ("let x = if a in S then b in T else c in x", "(let x = (if (a In S) (b In T) c) in x)"),
        ("let x = let y = a in y in x in S", "(let x = (let y = a in y) in (x In S))"),
        ("sum x, y in 0..3: x * y + 1", "(Sum x y in (0..3): ((x Mul y) Add 1))"),
        ("count x in S: x in T", "(Count x in S: (x In T))"),
        (
            "2 * min x in S union T: x + max y in U: y",
            "(2 Mul (Min x in (S Union T): (x Add (Max y in U: y))))",
        ),
        (
            "let = sum or count in min and max(let, sum) = count.let",
            "((let Eq sum) Or ((count In min) And (max(let, sum) Eq count.let)))",
        ),
        ("E[let U sum] and A[count U max]", "(ExistsUntil(let, sum) And AllUntil(count, max))"),
        ("some(PeerB)", "some(PeerB)"),
        ("x.f@t = y", "((x.f@t) Eq y)"),
        ("(a or b)@t1", "((a Or b)@t1)"),
        ("x@t.f", "(x@t).f"),
        ("forge.k@t = M1", "((forge.k@t) Eq M1)"),
        ("action@t = forge", "((action@t) Eq forge)"),
        ("t2 = t1 + 1", "(t2 Eq (t1 Add 1))"),
        ("m.replay(a, b.c)[k]", "m.replay(a, b.c)[k]"),
        ("x'[k].f = x with (f: 1, g: none)", "(x'[k].f Eq (x with 2))"),
        ("x with (f: 1) with (g: 2)", "((x with 1) with 1)"),
        ("always (p => eventually q)", "Always((p Implies Eventually(q)))"),
        ("always p and q", "(Always(p) And q)"),
        ("always eventually a = b", "Always(Eventually((a Eq b)))"),
        ("a until b until c and d", "(Until(a, Until(b, c)) And d)"),
        ("a weak until b release weak and release", "(WeakUntil(a, Release(b, weak)) And release)"),
        ("AG EF p", "AllAlways(ExistsEventually(p))"),
        ("A[p U q] and E[a or b U c]", "(AllUntil(p, q) And ExistsUntil((a Or b), c))"),
        ("A[k] = E[k]", "(A[k] Eq E[k])"),
        ("{ A, E, U }", "{A, E, U}"),
        ("next = before", "(next Eq before)"),
        ("forall b in bool: b", "(Forall b in bool: b)"),
        ("((((a))))", "a"),
        ("9223372036854775807", "9223372036854775807"),
    ];
    for (text, expected) in cases {
        assert_eq!(grouped(&accept_expression(text)), expected, "{text}");
    }
}

#[test]
fn domains_and_other_moments() {
    let cases = [
        ("exists x in S, y, z in T: x = y", "(Exists x in S: (Exists y z in T: (x Eq y)))"),
        (
            "forall x in 0..3, y in { x }: x = y and b",
            "(Forall x in (0..3): (Forall y in {x}: ((x Eq y) And b)))",
        ),
        ("sum x in S, y in T: x + y", "(Sum x in S: (Sum y in T: (x Add y)))"),
        ("count x in S, y in T, z in U: b", "(Sum x in S: (Sum y in T: (Count z in U: b)))"),
        ("min x, y in S, z in T: x", "(Min x y in S: (Min z in T: x))"),
        ("pre x.f[k]@t = pre", "((pre(x.f[k])@t) Eq pre)"),
        ("(a.n > pre x + 1)@t and pre(x)@t", "(((a.n Gt (pre(x) Add 1))@t) And (pre(x)@t))"),
        ("pre pre x is some", "(pre(pre(x)) is some)"),
        ("pre action = a", "(pre(action) Eq a)"),
        ("never a = b between s and t and c", "(never a = b between s and t And c)"),
        ("not never a before t and b", "((not never a before t) And b)"),
        ("never (a or b) before t => c", "(never (a or b) before t Implies c)"),
        ("never not a between t1 and t2 or never", "(never not a between t1 and t2 Or never)"),
    ];
    for (text, expected) in cases {
        assert_eq!(grouped(&accept_expression(text)), expected, "{text}");
    }
}

#[test]
fn next_is_an_operator_in_properties_only() {
    let bodies = |text: &str| -> Vec<String> {
        let file = accept(&format!("model m;\n{text}"));
        file.items
            .iter()
            .map(|item| match &item.kind {
                ItemKind::Ltl { body, .. } | ItemKind::Assume(body) => grouped(body),
                other => format!("{other:?}"),
            })
            .collect()
    };
    let found = bodies(
        "ltl a: always (next p => next (q) and next not r); ltl b: next = 3 and next in S and next not in T; \
         ltl c: next next p; assume next = 3;",
    );
    let expected = [
        "Always((Next(p) Implies (Next(q) And Next((not r)))))",
        "(((next Eq 3) And (next In S)) And (next NotIn T))",
        "Next(Next(p))",
        "(next Eq 3)",
    ];
    assert_eq!(found, expected);
    accept("model m; def next(p: Peer): Peer = p; assume next(A) = B;");
}

#[test]
fn every_declaration_form() {
    let file = accept(
        "/// A model\r\n/// of \u{201c}everything\u{201d}.\r\nmodel all;\r\n\
         import \"a b.pred\" as m;\n\
         import \"x.pred\" as n with { T = U, o = x.f is some, };\n\
         const N : 0..9 = 3;\n\
         type R = record { a: -1..N - 1, b: option set of Color, c: map bool to R };\n\
         /// What is seen.\n///\n/// Twice.\n\
         var x : R;\n\
         // not a doc comment\n//// neither\n\
         init {}\n\
         def zero: 0..9 = 0;\n\
         action idle {}\n\
         action go(a, b: Color, c: 0..3) modifies x, y {\n\
           require a = b; x' = 1; y'[a].f[b] in S;\n\
           if a = b { x' = 2; } else if b = c { x' = 3; } else { forall q in Color { z'[q] = q; } }\n\
           constrain x' > x, y' = y;\n\
         }\n\
         assume x' != x;\n\
         invariant i: true; ctl c: AG EF i; fairness not false; environment idle, go(a = N, c = 1 + 2);\n\
         pred p = true; pred q(t1, t2: pos, m: R,) = t1 < t2;\n\
         vocabulary v = { eq(x, y) across, eq(z), lacks(s), absent(x), before, next, p, m.q, n.r(x.f) };\n\
         vocabulary w = v + {} + v;\n",
    );
    let header = file.header.expect("a header");
    assert_eq!(
        (header.kind, header.doc.as_deref()),
        (FileKind::Model, Some("A model\nof \u{201c}everything\u{201d}."))
    );
    assert_eq!(file.items.len(), 18);
    assert_eq!(file.items[4].doc.as_deref(), Some("What is seen.\n\nTwice."));
    assert_eq!(file.items[5].doc, None);
    let ItemKind::Action { params, modifies, body, .. } = &file.items[8].kind else {
        panic!("{:?}", file.items[8])
    };
    assert_eq!((params.len(), modifies.len(), body.len()), (3, 2, 5));
    assert!(
        matches!(&body[3].kind, StmtKind::If { otherwise, .. } if matches!(otherwise[0].kind, StmtKind::If { .. }))
    );
    assert!(matches!(&body[2].kind, StmtKind::Choose { target, .. } if target.path.len() == 3));
    let ItemKind::Type { ty, .. } = &file.items[3].kind else { panic!() };
    let AstTypeKind::Record(fields) = &ty.kind else { panic!("{ty:?}") };
    assert!(matches!(&fields[0].1.kind, AstTypeKind::Range(lo, _) if matches!(lo.kind, AstExprKind::Neg(_))));
    let ItemKind::Environment(steps) = &file.items[13].kind else { panic!("{:?}", file.items[13]) };
    assert_eq!(steps.iter().map(|steps| steps.with.len()).collect::<Vec<_>>(), [0, 2]);
    let ItemKind::Vocabulary { terms, .. } = &file.items[16].kind else { panic!() };
    let VocabTerm::Items(items) = &terms[0] else { panic!() };
    assert!(matches!(items[4].kind, VocabItemKind::Before) && matches!(items[5].kind, VocabItemKind::Next));
    assert!(
        matches!(&items[8].kind, VocabItemKind::Pred { path, args: Some(args) } if path.len() == 2 && args.len() == 1)
    );
}

#[test]
fn requirements_keep_their_doc_comments() {
    let file = accept(
        "library l; requires { type T; /// who\n value V : T; observe o : option T = none; type U = T; }",
    );
    let ItemKind::Requires(requirements) = &file.items[0].kind else { panic!() };
    assert_eq!(requirements[0].kind, RequirementKind::Type);
    assert_eq!(requirements[1].doc.as_deref(), Some("who"));
    assert!(matches!(requirements[2].kind, RequirementKind::Observe(_)));
    let defaults = requirements.iter().map(|requirement| requirement.default.is_some());
    assert_eq!(defaults.collect::<Vec<_>>(), [false, false, true, true]);
}

#[test]
fn spans_cover_what_was_read() {
    let text = "model m;\n/// d\ninvariant i:  (a or b) and net.body.f[k + 1] = x' ;";
    let mut sources = SourceMap::new();
    let source = sources.add("t", text);
    let (file, _) = parse(source, text);
    assert_eq!(sources.snippet(file.items[0].span), "invariant i:  (a or b) and net.body.f[k + 1] = x' ;");
    let ItemKind::Invariant { name, body } = &file.items[0].kind else { panic!() };
    assert_eq!(sources.snippet(name.span), "i");
    assert_eq!(sources.snippet(body.span), "(a or b) and net.body.f[k + 1] = x'");
    let AstExprKind::Binary(_, a, b) = &body.kind else { panic!() };
    assert_eq!(sources.snippet(a.span), "(a or b)");
    let AstExprKind::Binary(_, left, right) = &b.kind else { panic!() };
    assert_eq!((sources.snippet(left.span), sources.snippet(right.span)), ("net.body.f[k + 1]", "x'"));
}

#[test]
fn line_ends_tabs_and_byte_order_marks_do_not_matter() {
    let unix = "model m;\n\tvar x : 0..3; // größer\n";
    let windows = format!("\u{feff}{}", unix.replace('\n', "\r\n"));
    assert_eq!(super::without_spans(&accept(unix)), super::without_spans(&accept(&windows)));
    assert_eq!(accept_expression("\n a\t").kind, AstExprKind::Name("a".into()));
    assert!(parse_expression(SourceId(0), "").0.is_none());
}
