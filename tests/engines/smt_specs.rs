//! Scripts for SMT solvers of every model in `specs/`: at bounds 1 to 8, solvers find the first violation of every invariant where the
//! bounded check finds it.

use crate::random::one_in;
use crate::smt_solver::{SmtAnswer, SmtSolver};
use cladist::budget::Budget;
use cladist::model::{Model, load};
use cladist::sat::Backend;
use cladist::smt::{Theory, TraceLengths, script};
use cladist::unroll::{BoundedResult, Lengths, check};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const BOUNDS: std::ops::RangeInclusive<usize> = 1..=8;

/// Models of whose scripts some take one of the solvers more than some seconds at these bounds: with many messages or nodes.
const SLOW: &[&str] = &[
    "dining_philosophers",
    "paper/tcp",
    "primary_backup",
    "remote_call",
    "ring_election",
    "tcp_handshake",
    "token_ring",
    "two_phase_commit",
    "vote",
];

fn specs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let mut files: Vec<PathBuf> = [folder.clone(), folder.join("paper")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sts"))
        .collect();
    files.sort();
    assert!(files.len() >= 20, "only {} models", files.len());
    files
}

/// Path below `specs`, without the extension.
fn name(file: &Path) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    file.strip_prefix(folder).expect("below specs").with_extension("").to_string_lossy().into_owned()
}

/// The number of steps to the first violation of an invariant, if it is within the bounds.
fn depth(model: &Model, property: usize) -> Option<usize> {
    let invariant = model.properties[property].invariant().expect("an invariant");
    let lengths = Lengths::UpTo(*BOUNDS.end());
    match check(model, invariant, lengths, Backend::Cadical, &Budget::unlimited(), &mut ()) {
        BoundedResult::Violated(trace) => Some(trace.len()),
        BoundedResult::Holds => None,
        undecided => panic!("{undecided:?}"),
    }
}

/// Compares the answers of the solvers for a model with those of the bounded check, at these bounds.
fn compare(file: &Path, solvers: &[SmtSolver], theories: &[Theory], bounds: &[usize]) -> usize {
    let model = load(file, &[]).model.expect("no mistakes");
    let mut answers = 0;
    for (index, property) in model.properties.iter().enumerate() {
        let Some(invariant) = property.invariant() else { continue };
        let depth = depth(&model, index);
        for &bound in bounds {
            let expected =
                if depth.is_some_and(|depth| depth <= bound) { SmtAnswer::Sat } else { SmtAnswer::Unsat };
            for &theory in theories {
                let steps = TraceLengths::UpTo(bound);
                let text = script(&model, property, invariant, steps, theory, &Budget::unlimited());
                let text = text.expect("no limit");
                for solver in solvers.iter().filter(|solver| solver.knows(theory)) {
                    let found = solver.answer(&text);
                    let what = format!("{} {} {theory:?} -k {bound}", name(file), property.name);
                    assert_eq!(found, expected, "{}: {what}, first violation after {depth:?}", solver.name());
                    answers += 1;
                }
            }
        }
    }
    answers
}

/// The models whose scripts are answered quickly at every bound, and the others at small ones: every third of them.
fn solvers_find_first_violations(first: usize) {
    let solvers = SmtSolver::installed();
    if solvers.is_empty() {
        return;
    }
    let mut answers = BTreeMap::new();
    for file in specs().iter().skip(first).step_by(3) {
        let slow = SLOW.contains(&name(file).as_str());
        let bounds: Vec<usize> = if slow { vec![1, 3] } else { one_in(2, BOUNDS).collect() };
        answers.insert(name(file), compare(file, &solvers, &[Theory::Int, Theory::Bv], &bounds));
    }
    assert!(answers.values().sum::<usize>() >= 30, "{answers:?}");
}

// Three tests, so that they run side by side.
#[test]
fn solvers_find_the_first_violations_of_the_first_models() {
    solvers_find_first_violations(0);
}

#[test]
fn solvers_find_the_first_violations_of_the_second_models() {
    solvers_find_first_violations(1);
}

#[test]
fn solvers_find_the_first_violations_of_the_third_models() {
    solvers_find_first_violations(2);
}

#[test]
#[ignore = "takes many minutes: every model at every bound, in both theories"]
fn solvers_find_the_first_violations_of_all_models_at_all_bounds() {
    let bounds: Vec<usize> = BOUNDS.collect();
    for file in specs() {
        let answers = compare(&file, &SmtSolver::installed(), &[Theory::Int, Theory::Bv], &bounds);
        println!("{}: {answers} answers", name(&file));
    }
}
