//! Tests of `solvers::smt_solver`.

use kit::budget::Budget;
use solvers::smt_solver::*;
use std::time::{Duration, Instant};

fn ask(command: &str, budget: &Budget) -> Result<SmtAnswer, String> {
    let solver = SmtSolver::parse(command).expect("a command");
    solver.ask("(check-sat)\n", budget).map_err(|why| why.to_string())
}

#[test]
fn commands_are_split_into_words() {
    let answer = ask(" 'sh'  -c \"echo un\"'sat'  ", &Budget::unlimited());
    assert_eq!(answer, Ok(SmtAnswer::Unsat));
    assert_eq!(SmtSolver::parse("  "), Err("no program is named".into()));
    assert_eq!(SmtSolver::parse("z3 'in"), Err("the quote ' is not closed".into()));
}

#[test]
fn answers_and_errors() {
    let budget = Budget::unlimited();
    assert_eq!(ask("sh -c 'cat >/dev/null; echo unsat'", &budget), Ok(SmtAnswer::Unsat));
    assert_eq!(ask("echo sat", &budget), Ok(SmtAnswer::Sat));
    assert_eq!(ask("echo unknown", &budget), Ok(SmtAnswer::Unknown));
    // An answer after an error is worth nothing.
    assert_eq!(ask("printf '(error \"line 3\")\\nunsat\\n'", &budget), Err("(error \"line 3\")".into()));
    assert_eq!(ask("echo unsatisfiable", &budget), Err("it said: unsatisfiable".into()));
    assert_eq!(ask("sh -c 'echo no licence >&2'", &budget), Err("it said: no licence".into()));
    assert_eq!(ask("true", &budget), Err("it ended without output".into()));
    assert!(ask("no-such-solver", &budget).expect_err("not there").starts_with("it cannot be started"));
}

#[test]
fn a_time_limit_ends_the_process() {
    let started = Instant::now();
    let budget = Budget::unlimited().with_timeout(Duration::from_millis(50));
    assert_eq!(ask("sleep 20", &budget), Err("the time limit was reached".into()));
    assert!(started.elapsed() < Duration::from_secs(10));
}
