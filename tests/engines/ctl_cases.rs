//! Formulas of branching time: sizes of texts, names of values, parts of systems.

use crate::lts_common;
use cladist::lts::{Bits, StateId};

use cladist::budget::Budget;
use cladist::ctl::{
    CtlFormula, CtlGoal, ModelFormula, PathFairness, Structure, Witness, WitnessShape, check, formula_of_lts,
    formula_of_model,
};
use cladist::diagnostics::SourceId;
use cladist::model::{PropertyKind, load_text};
use std::io::ErrorKind;

fn of_lts(text: &str) -> (Structure, CtlFormula, Vec<Bits>) {
    let lts = lts_common::system("des (0, 4, 3)\n(0, A, 1)\n(1, B, 2)\n(2, A, 0)\n(1, C, 1)\n");
    let read = formula_of_lts(&lts, (SourceId::default(), text), &[]).expect("a formula");
    (Structure::of_lts(lts), read.formula, read.labels)
}

/// `(… ((e) <=> e) …) <=> e`
fn nested(e: &str, times: usize) -> String {
    format!("{}{e}{}", "(".repeat(times), format!(") <=> {e}").repeat(times))
}

#[test]
fn nested_equivalences_take_no_more_room_than_their_texts() {
    for e in ["EX enabled(\"A\")", "AF enabled(\"B\")", "enabled(\"A\")"] {
        for times in [3, 40] {
            let (structure, formula, labels) = of_lts(&format!("AG ({})", nested(e, times)));
            assert!(formula.len() < 20 * times);
            let truth = check(&formula, &structure, &labels, &Budget::unlimited()).expect("no limits");
            // An odd number of equivalences of one formula is true, an even one what the formula is.
            assert!(times % 2 == 0 || truth.holds(formula.root, StateId::FIRST));
            for holds in [false, true] {
                let goal = CtlGoal::new(&formula, holds);
                assert!(goal.formula.len() < 40 * times);
                assert!(goal.formula.text(goal.formula.root).len() < 10_000);
                assert!(goal.formula.negated_text(goal.formula.root).len() < 10_000);
            }
        }
    }
}

#[test]
fn equivalences_are_written_as_such() {
    for (given, negated) in [
        ("EX enabled(\"A\") <=> EX enabled(\"B\")", "EX enabled(\"A\") <=> AX not enabled(\"B\")"),
        (
            "not enabled(\"A\") <=> EF (enabled(\"B\") <=> deadlock)",
            "not enabled(\"A\") <=> AG (enabled(\"B\") <=> not deadlock)",
        ),
        ("enabled(\"A\") => deadlock", "enabled(\"A\") and not deadlock"),
        (
            "(enabled(\"A\") => deadlock) and (enabled(\"B\") => deadlock)",
            "enabled(\"A\") and not deadlock or enabled(\"B\") and not deadlock",
        ),
    ] {
        let (_, formula, _) = of_lts(given);
        assert_eq!(formula.text(formula.root), given);
        assert_eq!(formula.negated_text(formula.root), negated);
    }
}

fn of_model(text: &str) -> ModelFormula {
    let loaded = load_text("test.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("a model");
    let PropertyKind::Ctl(body) = &model.properties[0].kind else { panic!("a formula") };
    formula_of_model(body, &PathFairness::default(), |e, _| model.sources.snippet(e.span).to_owned())
}

#[test]
fn nested_equivalences_of_models_are_made_once() {
    let head = "model m;\nvar a: bool;\ninit { a = true; }\naction step { a' = not a; }\n";
    let formula = of_model(&format!("{head}ctl p: {};", nested("EX a", 40)));
    assert!(formula.formula.len() < 300);
    // So are the conditions of choices.
    let choices = (0..30).fold("AX a".to_owned(), |inner, _| format!("(if {inner} then EX a else AX a)"));
    assert!(of_model(&format!("{head}ctl p: {choices};")).formula.len() < 600);
}

#[test]
fn a_part_of_a_system_begins_where_it_begins_and_takes_its_steps() {
    let (structure, ..) = of_lts("true");
    let path = |states: &[usize], back| {
        Witness::path(states.iter().map(|&state| StateId::new(state)).collect(), back)
    };
    assert!(path(&[0, 1, 2], Some(0)).is_part_of(&structure));
    assert!(path(&[0, 1], Some(1)).is_part_of(&structure));
    assert!(!path(&[0, 2], None).is_part_of(&structure), "there is no such step");
    assert!(!path(&[0, 1, 2], Some(2)).is_part_of(&structure), "there is no such step back");
    assert!(!path(&[1, 2], None).is_part_of(&structure), "it begins elsewhere");
    let other = Witness {
        shape: WitnessShape::Subgraph,
        states: [0, 1].map(StateId::new).to_vec(),
        edges: vec![(0, 1), (1, 0)],
    };
    assert!(!other.is_part_of(&structure));
}
