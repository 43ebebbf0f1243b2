//! Proofs for traces of every length: the models of `specs/` that are right, corners, and whether what is
//! printed can be read.

use crate::model_common;

use cladist::budget::Budget;
use cladist::decide::{self, InvariantOptions, InvariantResult};
use cladist::explore::reachable;
use cladist::model::eval::Scope;
use cladist::model::expr::Expr;
use cladist::model::value::State;
use cladist::model::{Model, load, load_expression, load_text};
use cladist::prove::{
    self, AlwaysHolds, Certificate, CertificateCheck, InvariantDecision, InvariantEvidence, InvariantMethod,
    Method, ObservedModel, ProofEffort, ProofResult, Reduction, StateAtoms,
};
use cladist::report::invariant_text;
use cladist::sat::Backend;
use model_common::good;
use std::path::{Path, PathBuf};

/// Constants with their values.
type Set = &'static [(&'static str, &'static str)];

/// Models of `specs/` with the constants that make them right.
const RIGHT: &[(&str, Set)] = &[
    ("mutex", &[("FIXED", "true")]),
    ("ns_public_key", &[("LOWE_FIX", "true")]),
    ("ns_symmetric", &[("TIMESTAMPS", "true")]),
    ("tcp_handshake", &[("ATTACKER", "false")]),
    ("token_ring", &[]),
    ("token_ring", &[("NODES", "20")]),
];

const WAYS: [InvariantMethod; 5] = [
    InvariantMethod::Auto,
    InvariantMethod::Explicit,
    InvariantMethod::Diagrams,
    InvariantMethod::Induction,
    InvariantMethod::Ic3,
];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts")
}

fn overrides(set: Set) -> Vec<(String, String)> {
    set.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
}

fn spec(name: &str, set: Set) -> Model {
    load(&path(name), &overrides(set)).model.expect("the models of specs/ are right")
}

fn decided(model: &Model, property: usize, way: InvariantMethod, backend: Backend) -> InvariantDecision {
    let invariant = model.properties[property].invariant().expect("an invariant");
    prove::decide(
        model,
        invariant,
        way,
        Reduction::Symmetry,
        ProofEffort { backend, budget: &Budget::unlimited(), observer: &mut () },
    )
}

#[test]
fn right_models_are_proved_and_the_invariants_found_can_be_added_to_them() {
    for (name, set) in RIGHT {
        let model = spec(name, set);
        for (number, property) in model.properties.iter().enumerate() {
            if property.invariant().is_none() {
                continue;
            }
            let evidence = match decided(&model, number, InvariantMethod::Ic3, Backend::Cadical) {
                InvariantDecision::Holds(evidence) => evidence,
                other => panic!("{name} {}: {other:?}", property.name),
            };
            let text = invariant_text(&model, property, &evidence).expect("IC3 gives an invariant");
            let own = std::fs::read_to_string(path(name)).expect("readable");
            let longer = load_text(
                &path(name).to_string_lossy(),
                &format!("{own}\n{text}"),
                &overrides(set),
                &|path| std::fs::read_to_string(path),
            );
            assert!(longer.diagnostics.is_empty(), "{name}: {:?}\n{text}", longer.diagnostics);
            let longer = longer.model.expect("a model");
            let added = longer.properties.last().and_then(|p| p.invariant()).expect("an invariant");
            // By itself, it needs to look back no further than one step.
            let watch = AlwaysHolds(added);
            let inductive = Certificate::Induction { k: 1, distinct: Vec::new() };
            let checked =
                inductive.check(&ObservedModel::new(&longer, &watch), Backend::Varisat, &Budget::unlimited());
            assert_eq!(checked, CertificateCheck::Confirmed, "{name}\n{text}");
        }
    }
}

#[test]
fn every_back_end_proves_the_right_models() {
    for (name, set) in RIGHT {
        let model = spec(name, set);
        for &backend in Backend::all() {
            for way in [InvariantMethod::Auto, InvariantMethod::Ic3] {
                let decision = decided(&model, 0, way, backend);
                assert!(
                    matches!(decision, InvariantDecision::Holds(_)),
                    "{name} {way:?} {backend}: {decision:?}"
                );
            }
        }
    }
}

fn violated_after(decision: InvariantDecision) -> Option<usize> {
    match decision {
        InvariantDecision::Violated { steps, .. } => Some(steps),
        _ => None,
    }
}

#[test]
fn violated_models_are_not_proved() {
    let violated: &[(&str, Set, usize)] = &[
        ("mutex", &[], 6),
        ("increment_decrement", &[], 1),
        ("running_example", &[], 1),
        ("tcp_handshake", &[], 3),
        ("token_ring", &[("REGENERATE", "true")], 5),
    ];
    for (name, set, shortest) in violated {
        let model = spec(name, set);
        for way in WAYS {
            match decided(&model, 0, way, Backend::Cadical) {
                InvariantDecision::Violated { steps, .. } if way == InvariantMethod::Ic3 => {
                    assert!(steps >= *shortest, "{name}")
                }
                decision => assert_eq!(violated_after(decision), Some(*shortest), "{name} {way:?}"),
            }
        }
    }
}

/// A counter that stops where it is bad: no step leads on from there.
#[test]
fn what_is_bad_and_has_no_next_state_is_seen() {
    let text = |most: u32| {
        format!(
            "model stops; var n : 0..9; init {{ n = 0; }}\n\
             action count {{ require n < {most}; n' = n + 1; }}\n\
             invariant small: n != 5;"
        )
    };
    for way in WAYS {
        let stops_there = decided(&good(&text(5)), 0, way, Backend::Cadical);
        assert_eq!(violated_after(stops_there), Some(5), "{way:?}");
        let stops_before = decided(&good(&text(4)), 0, way, Backend::Cadical);
        assert!(matches!(stops_before, InvariantDecision::Holds(_)), "{way:?}: {stops_before:?}");
    }
}

#[test]
fn contradictory_beginnings_and_trivial_invariants_are_proved() {
    for (init, invariant) in [("n = 0; n = 1;", "n = 7"), ("n = 0;", "true"), ("n = 0;", "n < 20")] {
        let text = format!(
            "model m; var n : 0..9; init {{ {init} }} action a {{ n' = 7; }} invariant safe: {invariant};"
        );
        let model = model_common::load(&text, &[]).model.expect("a model");
        for way in WAYS {
            let decision = decided(&model, 0, way, Backend::Cadical);
            assert!(
                matches!(decision, InvariantDecision::Holds(_)),
                "{init} {invariant} {way:?}: {decision:?}"
            );
        }
    }
}

/// Every type there is, composites that may be absent among them.
const TYPES: &str = "\
model types;
type Side = enum { Left, Right };
type Kind = enum { Small, Medium, Large };
type Box = record { kind: Kind, label: option Side, full: bool, marks: set of Side };
var flag    : bool;
var maybe   : option bool;
var side    : Side;
var number  : -2..2;
var kinds   : option set of Kind;
var box     : option Box;
var sure    : Box;
var shelf   : map Side to option Kind;
var boxes   : map Side to option Box;
init { number = 0; box = none; boxes[Left] = none; sure.kind = Small; }
action fill(k: Kind, s: option Side) modifies maybe, side, kinds {
  box' = Box(kind: k, label: s, full: flag, marks: sure.marks);
  sure'.full = true;
  boxes'[Right] = box;
  shelf'[Left] = if number = 0 then none else k;
}
action flip(n: -2..2) { flag' = not flag; number' = n; box' = none; }
invariant known: number < 3;
";

#[test]
fn atoms_say_what_their_texts_say_and_tell_states_apart() {
    let models = [good(TYPES), spec("ns_public_key", &[]), spec("tcp_handshake", &[])];
    for model in &models {
        let atoms = StateAtoms::of(model);
        let states: Vec<State> = reachable(model, 3_000, &Budget::unlimited()).states;
        let truth = |expr: &Expr, state: &State| Scope::new(model).with_state(state).holds(expr);
        for atom in &atoms.list {
            for holds in [true, false] {
                let read = load_expression(model, atom.text(holds));
                assert!(read.diagnostics.is_empty(), "{}: {:?}", atom.text(holds), read.diagnostics);
                let read = read.found.expect("an expression").expr;
                for state in &states {
                    assert_eq!(
                        truth(&read, state),
                        truth(&atom.expr, state) == holds,
                        "{}",
                        atom.text(holds)
                    );
                }
            }
        }
        let mut rows: Vec<Vec<bool>> =
            states.iter().map(|s| atoms.list.iter().map(|a| truth(&a.expr, s)).collect()).collect();
        for choice in &atoms.choices {
            assert!(rows.iter().all(|row| row[choice.clone()].iter().filter(|holds| **holds).count() == 1));
        }
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), states.len());
    }
}

#[test]
fn a_model_of_every_type_is_proved() {
    let model = good(TYPES);
    for (formula, holds) in [
        ("box is some => box.full = true or box.full = false", true),
        ("sure.kind = Small", true),
        ("boxes[Left] is none", true),
        ("boxes[Left] is none and (boxes[Right] is some => boxes[Right].kind != none)", true),
        ("boxes[Right].kind != Large", false),
        ("shelf[Left] != Medium", false),
    ] {
        let invariant = load_expression(&model, formula).found.expect(formula).expr;
        let watch = AlwaysHolds(&invariant);
        let system = ObservedModel::new(&model, &watch);
        for method in [Method::Ic3, Method::Both] {
            let effort =
                ProofEffort { backend: Backend::Cadical, budget: &Budget::unlimited(), observer: &mut () };
            let proof = prove::prove(&system, method, effort);
            assert_eq!(matches!(proof, ProofResult::Holds(_)), holds, "{formula}: {proof:?}");
        }
    }
}

#[test]
fn explicit_proofs_count_the_reachable_states() {
    let model = spec("token_ring", &[("NODES", "5")]);
    let expected = InvariantEvidence::Visited { states: 5 * 3 * (1 << 4) };
    assert_eq!(
        decided(&model, 0, InvariantMethod::Auto, Backend::Cadical),
        InvariantDecision::Holds(expected)
    );
}

/// Three million states, and a violation after 36 steps, of 10²⁰ traces: decision diagrams find it at once, other engines do not.
#[test]
fn engines_side_by_side_wait_for_none() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models/counters.sts");
    let model = load(&path, &[]).model.expect("a model without mistakes");
    let low = &model.properties[model.property("low").expect("a property of the model")];
    let decided = |way| {
        let options = InvariantOptions { way, ..InvariantOptions::default() };
        let invariant = low.invariant().expect("an invariant");
        decide::invariant(&model, invariant, &options, &Budget::unlimited(), &mut ())
    };
    let by_diagrams = decided(InvariantMethod::Diagrams);
    assert_eq!(decided(InvariantMethod::Auto), by_diagrams);
    let InvariantResult::Violated(trace) = by_diagrams else { panic!("{by_diagrams:?}") };
    assert_eq!(trace.len(), 36);
}
