//! Classifications of random models, written as text, are accepted by an SMT solver; with a class left out they are not.

use crate::expressions_random::{Writer, model};
use crate::lasso_images_random::text_of;
use crate::linked_model::linked_model;
use crate::random::{Random, cases};
use crate::ring_model::ring_model;
use crate::symmetric_model::symmetric_text;
use cladist::budget::Budget;
use cladist::classify::lassos::{Infinite, LassoProblem, classify_lassos, usable};
use cladist::classify::{Classification, Options, Problem, Verdict, classify};
use cladist::ltl::Fairness;
use cladist::model::{Model, Property, PropertyKind, Vocabulary, load_text};
use cladist::report::{ClassifyRequest, LassoRequest, classify_document, lasso_document};
use cladist::smt::Theory;
use cladist::smt_solver::SmtSolver;
use cladist::unroll::Lengths;
use cladist::verify::{Decision, SettledObligation, SolverAnswer, Stored, Task, decision, obligations};
use serde_json::Value as Json;
use std::io::ErrorKind;

const VOCABULARY: &str =
    "vocabulary words = { eq(action, x, i, oi, m, r), lacks(seen), eq(seen), before, next };
";

fn settled(model: &Model, document: &Json, solver: &SmtSolver, theory: Theory) -> Vec<SettledObligation> {
    let stored = Stored::read(&document.to_string()).expect("a result");
    let budget = Budget::unlimited();
    let mut list = Vec::new();
    for obligation in obligations(model, &stored) {
        let mut answers = Vec::new();
        if let Task::Ask(question) = &obligation.task {
            let script = question.script(model, theory, &budget).expect("no limit");
            let answer = solver.ask(&script, &budget).map_err(|why| why.to_string());
            answers.push(SolverAnswer { solver: solver.name(), answer, seconds: 0.0 });
        }
        list.push(SettledObligation { obligation, answers });
    }
    list
}

#[test]
fn classifications_of_random_models_are_accepted() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut classes, mut refused, mut tried) = (0, 0, 0);
    for seed in 0..cases(60) {
        let mut writer = Writer::new(seed + 8_000_000);
        let actions = writer.action("one") + &writer.action("two");
        let bad = writer.truth(2);
        let start = "var seen: set of 0..1;\ninit { x = 1; oi = 1; m[1] = 1; r.n = 0; seen = {}; }";
        let Some(found) = model(&format!("{actions}{start}\ninvariant good: not ({bad});\n{VOCABULARY}"))
        else {
            continue;
        };
        tried += 1;
        let lengths = if seed % 3 == 0 { Lengths::Exactly(2) } else { Lengths::UpTo(2) };
        let problem = Problem::first(&found).expect("an invariant");
        let words = &found.vocabularies[0];
        let result = classify(problem, words, &Options::of(lengths), &Budget::unlimited(), &mut ());
        let request = ClassifyRequest::plain(problem, &found.properties[0], words, "words.sts");
        let document = serde_json::to_value(classify_document(&request, &result)).expect("JSON");
        let theory = if seed % 2 == 0 { Theory::Bv } else { Theory::Int };
        let all = settled(&found, &document, &solver, theory);
        assert_eq!(decision(&all), Decision::Accepted, "{seed}\n{all:#?}\n{document:#}");
        classes += result.classes.len();
        if result.verdict == Verdict::Complete && result.classes.len() > 1 {
            let mut less = document;
            less["classes"].as_array_mut().expect("a list").pop();
            assert_eq!(
                decision(&settled(&found, &less, &solver, theory)),
                Decision::Refused,
                "{seed}\n{less:#}"
            );
            refused += 1;
        }
    }
    assert!(
        tried >= cases(10) && classes > 20 && refused > 2,
        "{tried} models, {classes} classes, {refused} refused"
    );
}

/// … of models of sessions and the tokens that belong to them, whose classes apply definitions and constant maps to individuals.
#[test]
fn classifications_with_ties_are_accepted() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut tied, mut classes) = (0, 0);
    for seed in 0..cases(200) {
        let model = linked_model(seed);
        let lengths = if seed % 3 == 0 { Lengths::Exactly(3) } else { Lengths::UpTo(3) };
        let problem = Problem::first(&model).expect("an invariant");
        let words = &model.vocabularies[0];
        let result = classify(problem, words, &Options::of(lengths), &Budget::unlimited(), &mut ());
        if result.verdict == Verdict::Holds {
            continue;
        }
        let request = ClassifyRequest::plain(problem, &model.properties[0], words, "sessions.sts");
        let document = serde_json::to_value(classify_document(&request, &result)).expect("JSON");
        let theory = if seed % 2 == 0 { Theory::Bv } else { Theory::Int };
        let all = settled(&model, &document, &solver, theory);
        assert_eq!(decision(&all), Decision::Accepted, "{seed}\n{all:#?}\n{document:#}");
        classes += result.classes.len();
        let text = document["classes"].to_string();
        tied += usize::from(["token(s", "OF[s", "owner(t"].iter().any(|f| text.contains(f)));
    }
    assert!(classes > 20 && tied > 2, "{classes} classes, {tied} results with ties");
}

/// … of models of rings and rows, whose classes stand for their images. With an image left out they are not, and mostly not where values are
/// said to move that do not.
#[test]
fn classifications_with_images_are_accepted() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut images, mut refused, mut unmoved) = (0, 0, 0);
    for seed in 0..cases(60) {
        let model = ring_model(seed);
        let problem = Problem::first(&model).expect("an invariant");
        let words = &model.vocabularies[0];
        let options = Options::of(Lengths::UpTo(2));
        let result = classify(problem, words, &options, &Budget::unlimited(), &mut ()).gathered();
        let Some(class) = result.classes.iter().position(|class| !class.images.is_empty()) else { continue };
        let request = ClassifyRequest::plain(problem, &model.properties[0], words, "nodes.sts");
        let document = serde_json::to_value(classify_document(&request, &result)).expect("JSON");
        let theory = if seed % 2 == 0 { Theory::Bv } else { Theory::Int };
        let judged = |document: &Json| decision(&settled(&model, document, &solver, theory));
        assert_eq!(judged(&document), Decision::Accepted, "{seed}\n{document:#}");
        images += result.classes[class].images.len();
        if result.verdict != Verdict::Complete {
            continue;
        }
        assert_eq!(judged(&with_an_image_less(&document, class)), Decision::Refused, "{seed}\n{document:#}");
        refused += 1;
        unmoved += u32::from(judged(&with_nothing_moved(document, class)) == Decision::Refused);
    }
    let found = (images, refused, unmoved);
    assert!(images > 7 && refused > 2 && unmoved > 2, "{found:?}");
}

/// A result in which a class has lost its last image.
fn with_an_image_less(document: &Json, class: usize) -> Json {
    let mut less = document.clone();
    less["classes"][class]["images"].as_array_mut().expect("a list").pop();
    less
}

/// A result in which the first image of a class is said to be made by moving nothing.
fn with_nothing_moved(mut document: Json, class: usize) -> Json {
    for value in document["classes"][class]["images"][0]["moves"].as_array_mut().expect("a list") {
        value["to"] = value["from"].clone();
    }
    document
}

/// What is said of sessions, over all ways to write about time.
const ABOUT_SESSIONS: [&str; 6] = [
    "forall s in Session: always (phase[s] = Busy => eventually phase[s] != Busy)",
    "forall s in Session: (s not in held) until (next (s in held) or always last is none)",
    "forall s in Session: eventually always (s in held => last = s)",
    "always ((last = S1) weak until (exists s in Session: phase[s] = Over))",
    "(exists s in Session: phase[s] = Busy) release (last is none)",
    "if last = S1 then always eventually last != S1 else (eventually S1 in held <=> always eventually last is some)",
];

/// What infinite traces of sessions are classified with.
const WORDS: &str = "vocabulary words = { eq(action, last, phase, act0.s, act1.s), eq(held) };
";

fn document_of_lassos(
    problem: LassoProblem<'_>,
    property: &Property,
    words: &Vocabulary,
    result: &Classification<Infinite>,
) -> Json {
    let request = LassoRequest::plain(problem, property, words, "model.sts");
    serde_json::to_value(lasso_document(&request, result)).expect("JSON")
}

/// What an SMT solver says of a stored classification of infinite traces, and of one that lacks a class.
#[test]
fn classifications_of_infinite_traces_of_random_models_are_accepted() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut verdicts, mut refused) = (Vec::new(), 0);
    for seed in 0..cases(40) {
        let rng = &mut Random::new(seed + 9_000_000);
        let formula = rng.pick(&ABOUT_SESSIONS);
        let fairness = rng.pick(&["", "", "fairness action act0(s);", "fairness strong action act1(s);"]);
        let text =
            format!("{}action rest {{ }}\n{fairness}\nltl p: {formula};\n{WORDS}", symmetric_text(seed));
        let loaded = load_text("sessions.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics));
        let property = &model.properties[1];
        let PropertyKind::Ltl(formula) = &property.kind else { panic!("a property of ltl") };
        let fair = Fairness::of_model(&model);
        let problem = LassoProblem { model: &model, formula, fairness: &fair };
        let (words, _) = usable(&model, &model.vocabularies[1]);
        let result =
            classify_lassos(problem, &words, &Options::of_lassos(3, 4), &Budget::unlimited(), &mut ());
        let document = document_of_lassos(problem, property, &words, &result);
        let theory = if seed % 2 == 0 { Theory::Bv } else { Theory::Int };
        let all = settled(&model, &document, &solver, theory);
        assert_eq!(decision(&all), Decision::Accepted, "{seed}\n{all:#?}\n{text}\n{document:#}");
        verdicts.push(document["verdict"].as_str().expect("a word").to_owned());
        if result.verdict == Verdict::Complete && result.classes.len() > 1 {
            let mut less = document;
            less["classes"].as_array_mut().expect("a list").pop();
            let all = settled(&model, &less, &solver, theory);
            assert_eq!(decision(&all), Decision::Refused, "{seed}\n{less:#}");
            refused += 1;
        }
    }
    let is_there = |verdict: &str| verdicts.iter().any(|found| found == verdict);
    assert!(is_there("holds") && is_there("complete") && refused > 0, "{verdicts:?}, {refused} refused");
}

/// … of nodes in rings and rows, whose classes stand for their images. With an image left out, or one that says what the class says, they are not,
/// and mostly not where values are said to move that do not.
#[test]
fn classifications_of_infinite_traces_with_images_are_accepted() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let (mut images, mut refused, mut unmoved) = (0, 0, 0);
    for seed in 0..cases(80) {
        let text = text_of(seed);
        let loaded = load_text("nodes.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics));
        let property = &model.properties[0];
        let PropertyKind::Ltl(formula) = &property.kind else { panic!("a property of ltl") };
        let fair = Fairness::of_model(&model);
        let problem = LassoProblem { model: &model, formula, fairness: &fair };
        let (words, _) = usable(&model, &model.vocabularies[0]);
        let options = Options::of_lassos(3, 3);
        let result = classify_lassos(problem, &words, &options, &Budget::unlimited(), &mut ()).gathered();
        let Some(class) = result.classes.iter().position(|class| !class.images.is_empty()) else { continue };
        let document = document_of_lassos(problem, property, &words, &result);
        let theory = if seed % 2 == 0 { Theory::Bv } else { Theory::Int };
        let judged = |document: &Json| decision(&settled(&model, document, &solver, theory));
        assert_eq!(judged(&document), Decision::Accepted, "{seed}\n{document:#}");
        images += result.classes[class].images.len();
        if result.verdict != Verdict::Complete {
            continue;
        }
        assert_eq!(judged(&with_an_image_less(&document, class)), Decision::Refused, "{seed}\n{document:#}");
        let mut twice = document.clone();
        for field in ["constraint", "formula", "facts", "distinct"] {
            let own = document["classes"][class][field].clone();
            twice["classes"][class]["images"][0]["class"][field] = own;
        }
        assert_eq!(judged(&twice), Decision::Refused, "{seed}\n{twice:#}");
        refused += 1;
        unmoved += u32::from(judged(&with_nothing_moved(document, class)) == Decision::Refused);
    }
    let found = (images, refused, unmoved);
    assert!(images > 5 && refused > 1 && unmoved > 1, "{found:?}");
}
