//! Tests of `report::checks::verify`.

use classify::{Options, Problem, classify};
use kit::budget::Budget;
use lang::model::{Model, load};
use report::{ClassifyRequest, classify_document, to_json};
use solvers::smt::Theory;
use solvers::smt_solver::SmtSolver;
use solvers::unroll::Lengths;
use solvers::unroll::fault::Forgetting;
use std::num::NonZeroUsize;
use std::path::Path;
use verify::{
    Decision, ObligationOutcome, SettledObligation, SolverAnswer, Stored, Task, decision, obligations,
};

const ACTION: &str = "forged_pay";

/// The result of a classification as it is stored.
fn result(model: &Model) -> String {
    let problem = Problem::first(model).expect("an invariant");
    let vocabulary = &model.vocabularies[0];
    let options = Options::of(Lengths::UpTo(4));
    // The self-check would not have the fault in a thread of its own.
    let budget = Budget::unlimited().with_threads(NonZeroUsize::MIN);
    let result = classify(problem, vocabulary, &options, &budget, &mut ());
    let request = ClassifyRequest::plain(problem, &model.properties[0], vocabulary, "web_shop.sts");
    to_json(&classify_document(&request, &result))
}

fn settled(model: &Model, result: &str, solver: &SmtSolver) -> Vec<SettledObligation> {
    let stored = Stored::read(result).expect("a result");
    let budget = Budget::unlimited();
    let settle = |obligation: verify::Obligation| {
        let answers = match &obligation.task {
            Task::Ask(question) => {
                let script = question.script(model, Theory::Bv, &budget).expect("no limit");
                let answer = solver.ask(&script, &budget).map_err(|why| why.to_string());
                vec![SolverAnswer { solver: solver.name(), answer, seconds: 0.0 }]
            }
            _ => Vec::new(),
        };
        SettledObligation { obligation, answers }
    };
    obligations(model, &stored).into_iter().map(settle).collect()
}

/// The self-check asks the same encoding, and repeats its mistakes.
#[test]
fn a_fault_of_the_encoding_is_noticed() {
    let Some(solver) = SmtSolver::usual() else {
        eprintln!("skipped: z3 is not in PATH");
        return;
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/web_shop.sts");
    let model = load(&path, &[]).model.expect("no mistakes");
    let right = settled(&model, &result(&model), &solver);
    assert_eq!(decision(&right), Decision::Accepted, "{right:#?}");
    let action = model.actions.iter().position(|action| action.name == ACTION).expect("an action");
    let broken = {
        let _fault = Forgetting::action(action);
        result(&model)
    };
    assert!(broken.contains("\"verdict\": \"complete\"") && broken.contains("\"checked_by\": \"cadical"));
    let wrong = settled(&model, &broken, &solver);
    assert_eq!(decision(&wrong), Decision::Refused);
    let refused = wrong.iter().filter(|settled| matches!(settled.standing(), ObligationOutcome::Refused(_)));
    let names: Vec<&str> = refused.map(|settled| settled.obligation.name.as_str()).collect();
    assert_eq!(names, ["complete"]);
}
