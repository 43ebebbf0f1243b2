//! Proofs of unsatisfiability: made by the solver, checked here, and refused when they are changed.

use crate::random::{Random, cases};
use crate::random_model::random_model;
use cladist::budget::Budget;
use cladist::classify::{Options, Problem, Proposition, classify};
use cladist::model::{self, Model};
use cladist::proof::{CnfFormula, check};
use cladist::prove::{
    self, AlwaysHolds, InvariantDecision, InvariantMethod, ObservedModel, ProofEffort, Reduction,
};
use cladist::sat::{Answer, Backend, ClauseObligation, Lit, Refutation, refute};
use cladist::unroll::{BoundedResult, Lengths, clauses};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;

/// A writer whose text can be read afterwards.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A proof; `None` if the clauses are satisfiable.
fn proof_of(formula: &CnfFormula) -> Option<String> {
    let text = Shared::default();
    match refute(formula, text.clone(), &Budget::unlimited()).expect("written") {
        Refutation::Unsatisfiable => Some(String::from_utf8(text.0.take()).expect("text")),
        Refutation::Satisfiable => None,
        Refutation::Unknown(why) => panic!("{why}"),
    }
}

fn is_accepted(formula: &CnfFormula, proof: &str) -> bool {
    check(formula, &mut proof.as_bytes(), &Budget::unlimited()).is_ok()
}

/// What varisat says, whose checker panics if its proof is wrong.
fn varisat(formula: &CnfFormula) -> Answer {
    let mut solver = Backend::Varisat.start_checking_proofs(&Budget::unlimited());
    for clause in formula.clauses() {
        let clause: Vec<Lit> = clause.iter().map(|&lit| Lit::from_ipasir(lit).expect("a literal")).collect();
        solver.add_clause(&clause);
    }
    solver.solve(&[])
}

/// Whether each clause of a proof, up to the empty one, follows by unit propagation from all clauses before it that are not
/// deleted; hints are not looked at.
fn is_valid(formula: &CnfFormula, proof: &str) -> bool {
    let mut clauses: BTreeMap<i64, Vec<i64>> = formula
        .clauses()
        .zip(1..)
        .map(|(clause, id)| (id, clause.iter().map(|&lit| lit.into()).collect()))
        .collect();
    for line in proof.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let numbers = |words: &[&str]| -> Vec<i64> {
            words
                .iter()
                .map(|word| word.parse().expect("a number"))
                .take_while(|&number| number != 0)
                .collect()
        };
        if words[1] == "d" {
            numbers(&words[2..]).iter().for_each(|id| _ = clauses.remove(id));
            continue;
        }
        let clause = numbers(&words[1..]);
        let mut truths: Vec<i64> = clause.iter().map(|lit| -lit).collect();
        if !is_refuted(clauses.values(), &mut truths) {
            return false;
        }
        if clause.is_empty() {
            return true;
        }
        clauses.insert(words[0].parse().expect("a number"), clause);
    }
    false
}

/// Whether unit propagation finds a conflict.
fn is_refuted<'a>(clauses: impl Iterator<Item = &'a Vec<i64>> + Clone, truths: &mut Vec<i64>) -> bool {
    loop {
        let before = truths.len();
        for clause in clauses.clone() {
            if clause.iter().any(|lit| truths.contains(lit)) {
                continue;
            }
            let open: Vec<i64> = clause.iter().copied().filter(|lit| !truths.contains(&-lit)).collect();
            match open[..] {
                [] => return true,
                [unit] => truths.push(unit),
                _ => {}
            }
        }
        if truths.len() == before {
            return false;
        }
    }
}

/// Random clauses of three literals, so many that most sets are unsatisfiable.
fn random_formula(random: &mut Random) -> CnfFormula {
    let variables = 8 + random.below(10);
    let mut formula = CnfFormula::default();
    for _ in 0..variables * 6 {
        formula.push((0..3).map(|_| {
            let variable = random.below(variables) as i32 + 1;
            if random.percent(50) { variable } else { -variable }
        }));
    }
    formula
}

/// A proof with one thing changed.
fn changed(proof: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
    let at = random.below(lines.len());
    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    let word = random.below(words.len());
    match random.below(4) {
        0 => _ = lines.remove(at),
        1 => {
            words.remove(word);
            lines[at] = words.join(" ");
        }
        2 => {
            words[word] = match words[word].strip_prefix('-') {
                Some(rest) => rest.to_owned(),
                None => format!("-{}", words[word]),
            };
            lines[at] = words.join(" ");
        }
        _ => {
            words[word] = (1 + random.below(60)).to_string();
            lines[at] = words.join(" ");
        }
    }
    lines.join("\n")
}

#[test]
fn random_clauses_have_proofs_and_changed_proofs_are_refused() {
    let (mut unsatisfiable, mut refused, mut accepted) = (0, 0, 0);
    for seed in 0..cases(150) {
        let mut random = Random::new(seed);
        let formula = random_formula(&mut random);
        let Some(proof) = proof_of(&formula) else {
            assert_eq!(varisat(&formula), Answer::Sat);
            continue;
        };
        unsatisfiable += 1;
        assert_eq!(varisat(&formula), Answer::Unsat);
        assert!(is_accepted(&formula, &proof), "{proof}");
        assert!(is_valid(&formula, &proof), "{proof}");
        let without_end = proof.trim_end().rsplit_once('\n').map_or("", |(rest, _)| rest);
        assert!(!is_accepted(&formula, without_end), "{without_end}");
        for _ in 0..10 {
            let wrong = changed(&proof, &mut random);
            if is_accepted(&formula, &wrong) {
                accepted += 1;
                assert!(is_valid(&formula, &wrong), "{wrong}");
            } else {
                refused += 1;
            }
        }
    }
    assert!(unsatisfiable > 50 && refused > accepted, "{unsatisfiable} {refused} {accepted}");
}

#[test]
fn what_holds_of_random_models_is_proved() {
    let (mut proved, mut needed) = (0, 0);
    for seed in 0..cases(40) {
        let (model, mut random) = (random_model(seed), Random::new(seed));
        let invariant = model.properties[0].invariant().expect("an invariant");
        for lengths in [Lengths::UpTo(0), Lengths::UpTo(3), Lengths::Exactly(2)] {
            let budget = Budget::unlimited();
            let obligation = clauses(&model, invariant, lengths, &budget).expect("no limit");
            let formula = obligation.clauses.formula();
            let checked =
                cladist::unroll::check(&model, invariant, lengths, Backend::Cadical, &budget, &mut ());
            let Some(proof) = proof_of(formula) else {
                assert!(matches!(checked, BoundedResult::Violated(_)), "{seed}");
                continue;
            };
            assert_eq!(checked, BoundedResult::Holds, "{seed}");
            assert!(is_accepted(formula, &proof), "{seed}");
            proved += 1;
            // With one clause less there is an assignment, or another proof; the old one is good only if it did not need it.
            let left_out = random.below(formula.len());
            let mut weaker = CnfFormula::default();
            for (index, clause) in formula.clauses().enumerate() {
                // The numbers of the others stay.
                let tautology = [1, -1];
                weaker.push((if index == left_out { &tautology } else { clause }).iter().copied());
            }
            let still = proof_of(&weaker);
            needed += usize::from(still.is_none());
            assert!(still.is_some() || !is_accepted(&weaker, &proof), "{seed}");
        }
    }
    assert!(proved > 20 && needed > 0, "{proved} {needed}");
}

fn load(file: &str) -> Model {
    model::load(file.as_ref(), &[]).model.expect("a model without mistakes")
}

fn refuted(obligation: &ClauseObligation, what: &str) {
    let formula = obligation.clauses.formula();
    let proof = proof_of(formula).unwrap_or_else(|| panic!("{what} is wrong"));
    assert!(is_accepted(formula, &proof), "{what}");
    assert_eq!(varisat(formula), Answer::Unsat, "{what}");
}

#[test]
fn what_classifications_claim_is_proved() {
    for (file, vocabulary, bound) in [
        ("specs/running_example.sts", "messages", 4),
        ("specs/mutex.sts", "steps", 8),
        ("specs/tcp_handshake.sts", "ways", 6),
        ("specs/ns_public_key.sts", "attacks", 8),
    ] {
        let model = load(file);
        let problem = Problem::first(&model).expect("an invariant");
        let vocabulary = model.vocabularies.iter().find(|v| v.name == vocabulary).expect("a vocabulary");
        for lengths in [Lengths::UpTo(bound), Lengths::Exactly(bound)] {
            let (budget, options) = (Budget::unlimited(), Options::of(lengths));
            let result = classify(problem, vocabulary, &options, &budget, &mut ());
            let propositions = result.propositions();
            assert_eq!(propositions.len(), result.classes.len() + 1, "{file} {:?}", result.verdict);
            for proposition in propositions {
                let obligation = result.obligation(problem, proposition, &budget).expect("no limit");
                refuted(&obligation, &format!("{file} {proposition:?}"));
            }
            // Neither is true without a class, or without the facts of one.
            let mut wrong = result.clone();
            wrong.classes.pop();
            let complete = wrong.obligation(problem, Proposition::Complete, &budget).expect("no limit");
            assert_eq!(proof_of(complete.clauses.formula()), None, "{file}");
            let mut wrong = result.clone();
            wrong.classes[0].constraint.facts.clear();
            let sufficient =
                wrong.obligation(problem, Proposition::Sufficient(0), &budget).expect("no limit");
            assert_eq!(proof_of(sufficient.clauses.formula()), None, "{file}");
        }
    }
}

#[test]
fn what_certificates_claim_is_proved() {
    let fixed = [("FIXED".to_owned(), "true".to_owned())];
    for (way, file, constants) in [
        (InvariantMethod::Ic3, "specs/token_ring.sts", &[][..]),
        (InvariantMethod::Induction, "specs/mutex.sts", &fixed),
    ] {
        let model = model::load(file.as_ref(), constants).model.expect("a model without mistakes");
        let invariant =
            model.properties.iter().find_map(|property| property.invariant()).expect("an invariant");
        let budget = Budget::unlimited().with_timeout(std::time::Duration::from_secs(60));
        let effort = ProofEffort { backend: Backend::Cadical, budget: &budget, observer: &mut () };
        let InvariantDecision::Holds(evidence) =
            prove::decide(&model, invariant, way, Reduction::Nothing, effort)
        else {
            panic!("{way:?} proves it");
        };
        let certificate = evidence.certificate().expect("a symbolic proof");
        let watch = AlwaysHolds(invariant);
        let system = ObservedModel::new(&model, &watch);
        for part in certificate.parts() {
            let obligation = certificate.obligation(&system, part, &budget).expect("no limit");
            refuted(&obligation, part.name());
        }
    }
}
