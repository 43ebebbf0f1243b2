//! Classifications of random models, written as text, are accepted by an SMT solver; with a class left out they are not.

use crate::expressions_random::{Writer, model};
use crate::random::cases;
use cladist::budget::Budget;
use cladist::classify::{Options, Problem, Verdict, classify};
use cladist::model::Model;
use cladist::report::{ClassifyRequest, classify_document};
use cladist::smt::{Theory, trace_script};
use cladist::smt_solver::SmtSolver;
use cladist::unroll::Lengths;
use cladist::verify::{Answered, Decision, Settled, Stored, Task, decision, obligations};
use serde_json::Value as Json;

const VOCABULARY: &str =
    "vocabulary words = { eq(action, x, i, oi, m, r), lacks(seen), eq(seen), before, next };
";

fn settled(model: &Model, document: &Json, solver: &SmtSolver, theory: Theory) -> Vec<Settled> {
    let stored = Stored::read(&document.to_string()).expect("a result");
    let budget = Budget::unlimited();
    let mut list = Vec::new();
    for obligation in obligations(model, &stored) {
        let mut answers = Vec::new();
        if let Task::Ask(question) = &obligation.task {
            let script = trace_script(model, question, theory, &budget).expect("no limit");
            let answer = solver.ask(&script, &budget).map_err(|why| why.to_string());
            answers.push(Answered { solver: solver.name(), answer, seconds: 0.0 });
        }
        list.push(Settled { obligation, answers });
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
