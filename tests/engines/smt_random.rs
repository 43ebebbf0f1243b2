//! Scripts for SMT solvers on random models: solvers against the bounded check, and what needs no solver against the reference
//! semantics.

use crate::expressions_random::{Writer, all_states, definition, holds, model};
use crate::random::{Random, cases};
use crate::random_model::{random_model, random_start};
use crate::smt_solver::{SmtAnswer, SmtSolver};
use cladist::budget::{Budget, Exhausted};
use cladist::diagnostics::Span;
use cladist::model::expr::{Expr, ExprKind, Op, VarId};
use cladist::model::types::Type;
use cladist::model::value::Value;
use cladist::model::{Model, Property, PropertyKind, load_text};
use cladist::sat::Backend;
use cladist::smt::{Theory, TraceLengths, script};
use cladist::unroll::{BoundedResult, Lengths, check};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

const THEORIES: [Theory; 2] = [Theory::Int, Theory::Bv];

fn written(model: &Model, property: &Property, steps: TraceLengths, theory: Theory) -> String {
    let invariant = property.invariant().expect("an invariant");
    script(model, property, invariant, steps, theory, &Budget::unlimited()).expect("no limit")
}

fn lengths(steps: TraceLengths) -> Lengths {
    match steps {
        TraceLengths::UpTo(steps) => Lengths::UpTo(steps),
        TraceLengths::Exactly(steps) => Lengths::Exactly(steps),
    }
}

fn violated(model: &Model, property: &Property, steps: TraceLengths) -> SmtAnswer {
    let invariant = property.invariant().expect("an invariant");
    match check(model, invariant, lengths(steps), Backend::Cadical, &Budget::unlimited(), &mut ()) {
        BoundedResult::Violated(_) => SmtAnswer::Sat,
        BoundedResult::Holds => SmtAnswer::Unsat,
        undecided => panic!("{undecided:?}"),
    }
}

fn compare(solvers: &[SmtSolver], model: &Model, property: &Property, steps: TraceLengths) -> SmtAnswer {
    let expected = violated(model, property, steps);
    for theory in THEORIES {
        let text = written(model, property, steps, theory);
        for solver in solvers.iter().filter(|solver| solver.knows(theory)) {
            let found = solver.answer(&text);
            assert_eq!(found, expected, "{}, {theory:?}, {steps:?}, {}\n{text}", solver.name(), model.name);
        }
    }
    expected
}

#[test]
fn solvers_answer_as_the_bounded_check_on_random_models() {
    let solvers = SmtSolver::installed();
    if solvers.is_empty() {
        return;
    }
    let mut violations = 0;
    let models = cases(20);
    for seed in 0..models {
        let model = random_model(seed);
        for bound in 0..4 {
            let steps = if (seed + bound) % 3 == 0 {
                TraceLengths::Exactly(bound as usize)
            } else {
                TraceLengths::UpTo(bound as usize)
            };
            let answer = compare(&solvers, &model, &model.properties[0], steps);
            violations += u64::from(answer == SmtAnswer::Sat);
        }
    }
    assert!(violations >= models / 2 && violations <= models * 3, "{violations} of {models} models");
}

#[test]
fn solvers_answer_as_the_bounded_check_on_random_first_states_and_texts() {
    let solvers = SmtSolver::installed();
    if solvers.is_empty() {
        return;
    }
    for seed in 0..cases(10) {
        let model = random_start(seed);
        let never = Expr::bool(false, Span::default());
        let kind = PropertyKind::Invariant(never);
        let (span, formula) = (Span::default(), Span::default());
        let property = Property { name: "nothing".into(), doc: None, kind, span, formula };
        compare(&solvers, &model, &property, TraceLengths::UpTo(1));
    }
    let mut answers = Vec::new();
    for seed in 0..cases(20) {
        let mut writer = Writer::new(seed + 5_000_000);
        let actions = writer.action("one") + &writer.action("two");
        let bad = writer.truth(2);
        let start = "init { x = 1; oi = 1; m[1] = 1; r.n = 0; }";
        let Some(found) = model(&format!("{actions}{start}\ninvariant good: not ({bad});\n")) else {
            continue;
        };
        let steps = if seed % 3 == 0 { TraceLengths::Exactly(2) } else { TraceLengths::UpTo(2) };
        answers.push(compare(&solvers, &found, &found.properties[0], steps));
    }
    assert!(answers.contains(&SmtAnswer::Sat) && answers.contains(&SmtAnswer::Unsat), "{answers:?}");
}

/// With an initial state of constants nothing is left for a solver.
#[test]
fn formulas_over_known_states_are_decided_by_the_script_as_they_are_evaluated() {
    let (mut tried, mut rng) = (0, Random::new(11));
    for seed in 0..cases(300) {
        let formula = Writer::new(seed + 3_000_000).truth(3);
        let Some(mut found) = model(&format!("def it: bool = {formula};\ninvariant good: not it;\n")) else {
            continue;
        };
        let Some(expr) = definition(&found, "it").cloned() else { continue };
        tried += 1;
        let states = all_states(&found);
        for _ in 0..10 {
            let state = rng.pick(&states).clone();
            let expected = holds(&found, &expr, &state);
            let fixed = found.variables.iter().zip(&state.0).enumerate().map(|(var, (variable, value))| {
                let span = variable.span;
                let read = Expr { kind: ExprKind::Var(VarId(var as u32)), ty: variable.ty.clone(), span };
                Expr::binary_bool(Op::Eq, read, Expr::constant(value.clone(), variable.ty.clone(), span))
            });
            found.init = fixed.collect();
            for theory in THEORIES {
                let text = written(&found, &found.properties[0], TraceLengths::UpTo(0), theory);
                let last = text.lines().rfind(|line| line.starts_with("(assert")).expect("the question");
                assert_eq!(last, format!("(assert {expected})"), "{formula}\n{state:?}\n{text}");
            }
        }
    }
    assert!(tried >= cases(300) / 2, "only {tried} formulas");
}

/// Splits a script into its symbols and parentheses, comments left out.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let end = match first {
                ';' => break,
                '|' => rest[1..].find('|').expect("a closing bar") + 2,
                '(' | ')' | ' ' => 1,
                _ => rest.find(['(', ')', ' ', ';', '|']).unwrap_or(rest.len()),
            };
            tokens.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    tokens.retain(|token| token != " ");
    tokens
}

/// Parentheses are balanced, and every name is declared once and before it is used.
fn well_formed(text: &str) {
    let (mut depth, mut known) = (0i32, BTreeSet::new());
    let tokens = tokens(text);
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(token == "(") - i32::from(token == ")");
        assert!(depth >= 0, "{text}");
        let before = at.checked_sub(1).map(|at| tokens[at].as_str());
        let is_name = token.starts_with('|')
            || token.strip_prefix(['b', 'n']).is_some_and(|n| n.parse::<u32>().is_ok());
        if !is_name {
            continue;
        }
        if matches!(before, Some("declare-fun" | "define-fun")) {
            assert!(known.insert(token), "{token} is declared twice\n{text}");
        } else {
            // A definition does not mention itself: its name is known only after it, but nothing else has it before.
            assert!(known.contains(token), "{token} is not declared\n{text}");
        }
    }
    assert_eq!(depth, 0, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("(check-sat)")).count(), 1);
}

#[test]
fn scripts_are_well_formed() {
    for seed in 0..cases(60) {
        let model = random_model(seed);
        for theory in THEORIES {
            for steps in [TraceLengths::UpTo(0), TraceLengths::UpTo(3), TraceLengths::Exactly(2)] {
                well_formed(&written(&model, &model.properties[0], steps, theory));
            }
        }
    }
}

#[test]
fn a_small_script_as_text() {
    let text = "model count;
var n: 0..3;
var seen: option bool;
init { n = 0; seen = none; }
action up(by: 1..2) { require n < 3; n' = n + by; seen' = n = 1; }
invariant low: n < 3 or seen is none;
";
    let loaded = load_text("count.sts", text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let int = written(&model, &model.properties[0], TraceLengths::UpTo(2), Theory::Int);
    let bv = written(&model, &model.properties[0], TraceLengths::UpTo(2), Theory::Bv);
    for (name, text) in [("smt_count_int.smt2", int), ("smt_count_bv.smt2", bv)] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines").join(name);
        if std::env::var_os("CLADIST_RECORD").is_some() {
            std::fs::write(&file, &text).expect("written");
        }
        assert_eq!(text, std::fs::read_to_string(&file).expect("readable"), "{name}");
    }
}

#[test]
fn products_and_quotients_are_those_of_the_language() {
    let solvers = SmtSolver::installed();
    let formulas = [
        ("n * n = 2500", true),
        ("n * n = 2501", false),
        ("n / 7 * 7 + n mod 7 != n", false),
        ("n mod 7 < 0", false),
        ("n / 3 * 3 > n", false),
        ("n < 0 and n / 1000 = -2", true),
        ("exists i in 0..3: n mod 4 = i and n / 4 < -400 and i = 3", true),
    ];
    for (formula, possible) in formulas {
        let text = format!("model big;\nvar n: -2000..2000;\ninvariant never: not ({formula});\n");
        let found = load_text("big.sts", &text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
        let model = found.model.unwrap_or_else(|| panic!("{formula}: {:?}", found.diagnostics));
        for theory in THEORIES {
            let text = written(&model, &model.properties[0], TraceLengths::UpTo(0), theory);
            well_formed(&text);
            // Equations between squares of integers are beyond some solvers.
            for solver in solvers.iter().filter(|_| theory == Theory::Bv || !formula.contains("n * n")) {
                let expected = if possible { SmtAnswer::Sat } else { SmtAnswer::Unsat };
                assert_eq!(solver.answer(&text), expected, "{}, {formula}\n{text}", solver.name());
            }
        }
    }
}

/// The checker refuses models whose numbers could need more than 64 bits; so this one is made by hand.
#[test]
fn sums_end_at_the_greatest_number() {
    let text = "model sum;\nvar n: 1..3;\ninvariant never: not (n = 2);\n";
    let loaded = load_text("sum.sts", text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
    let mut model = loaded.model.expect("no mistakes");
    let ty = Type::Int { lo: i64::MAX, hi: i64::MAX };
    let greatest = || Expr::constant(Value::Int(i64::MAX), ty.clone(), Span::default());
    let read =
        Expr { kind: ExprKind::Var(VarId(0)), ty: model.variables[0].ty.clone(), span: Span::default() };
    let sum = ExprKind::Binary(Op::Add, Box::new(read), Box::new(greatest()));
    let sum = Expr { kind: sum, ty: ty.clone(), span: Span::default() };
    let saturated = Expr::binary_bool(Op::Eq, sum, greatest());
    for (formula, answer) in [(saturated.clone(), SmtAnswer::Unsat), (saturated.negated(), SmtAnswer::Sat)] {
        model.properties[0].kind = PropertyKind::Invariant(formula);
        for theory in THEORIES {
            let text = written(&model, &model.properties[0], TraceLengths::UpTo(0), theory);
            for solver in SmtSolver::installed().iter().filter(|solver| solver.knows(theory)) {
                assert_eq!(solver.answer(&text), answer, "{}\n{text}", solver.name());
            }
        }
    }
}

#[test]
fn a_limit_ends_the_script() {
    let model = random_model(3);
    let PropertyKind::Invariant(invariant) = &model.properties[0].kind else { panic!("an invariant") };
    let budget = Budget::unlimited().with_timeout(Duration::ZERO);
    let result = script(&model, &model.properties[0], invariant, TraceLengths::UpTo(5), Theory::Int, &budget);
    assert_eq!(result, Err(Exhausted::Time));
}
